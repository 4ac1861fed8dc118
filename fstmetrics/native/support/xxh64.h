// XXH64, a checksum of 64 bits: eight bytes a step in four lanes (Y. Collet, "xxHash fast digest algorithm",
// specification version 0.1.1). Seed 0; for little-endian machines, which this is built for.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fstmetrics {

inline std::uint64_t xxh64(std::string_view data) {
  constexpr std::uint64_t k1 = 0x9E3779B185EBCA87, k2 = 0xC2B2AE3D27D4EB4F, k3 = 0x165667B19E3779F9,
                          k4 = 0x85EBCA77C2B2AE63, k5 = 0x27D4EB2F165667C5;
  const auto read = [](const char* at, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    return value;
  };
  const auto round = [](std::uint64_t sum, std::uint64_t input) { return std::rotl(sum + input * k2, 31) * k1; };
  const char* at = data.data();
  const char* const end = at + data.size();
  std::uint64_t hash = k5;
  if (data.size() >= 32) {
    std::array<std::uint64_t, 4> lanes{k1 + k2, k2, 0, 0 - k1};
    for (; end - at >= 32; at += 32) {
      for (int lane = 0; lane < 4; ++lane) lanes[lane] = round(lanes[lane], read(at + 8 * lane, 8));
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = (hash ^ round(0, lane)) * k1 + k4;
  }
  hash += data.size();
  for (; end - at >= 8; at += 8) hash = std::rotl(hash ^ round(0, read(at, 8)), 27) * k1 + k4;
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (read(at, 4) * k1), 23) * k2 + k3;
    at += 4;
  }
  for (; at < end; ++at) hash = std::rotl(hash ^ (static_cast<unsigned char>(*at) * k5), 11) * k1;
  hash = (hash ^ (hash >> 33)) * k2;
  hash = (hash ^ (hash >> 29)) * k3;
  return hash ^ (hash >> 32);
}

}  // namespace fstmetrics
