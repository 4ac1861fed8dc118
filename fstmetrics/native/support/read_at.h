// Bytes of an open file from any place.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(_WIN32)
#include <io.h>
#include <stdio.h>
#else
#include <unistd.h>
#endif

namespace fstmetrics {

// Reads so many bytes from a place; false where the file ends before, or cannot be read. Where the file is read next by
// others stays as it is, but on Windows, where it is behind these bytes.
inline bool read_at(int file, char* to, std::size_t size, std::int64_t at) {
  while (size > 0) {
#if defined(_WIN32)
    if (_lseeki64(file, at, SEEK_SET) < 0) return false;
    const int count = _read(file, to, static_cast<unsigned>(size));
#else
    const ssize_t count = pread(file, to, size, static_cast<off_t>(at));
#endif
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count, at += count, size -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace fstmetrics
