// Bytes of texts that stay where they are until all are let go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace fstmetrics {

class TextArena {
 public:
  // Room for a text of up to so many bytes, which `keep` ends.
  char* room(std::size_t most) {
    if (most > left_) {
      const std::size_t size = std::max(most, kBlock);
      blocks_.emplace_back(new char[size]);
      at_ = blocks_.back().get();
      left_ = size;
    }
    return at_;
  }
  // The text in that room, up to its end.
  std::string_view keep(const char* end) {
    const auto size = static_cast<std::size_t>(end - at_);
    const std::string_view text(at_, size);
    at_ += size;
    left_ -= size;
    return text;
  }
  // Lets all texts go, but for one block of room.
  void clear() {
    if (blocks_.size() == 1) {
      left_ += static_cast<std::size_t>(at_ - blocks_.front().get());
      at_ = blocks_.front().get();
    } else if (!blocks_.empty()) {
      blocks_.clear();
      at_ = nullptr;
      left_ = 0;
    }
  }

 private:
  static constexpr std::size_t kBlock = 1 << 14;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace fstmetrics
