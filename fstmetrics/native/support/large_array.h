// Tables that may take gigabytes: nothing is written to them before the search does, which polls, and where the system
// has large pages they are made of those, as page after page of 4 KiB takes longer than the search itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace fstmetrics {

// Values that are not set at first.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  // Throws std::bad_alloc.
  explicit LargeArray(std::size_t size) : size_(size) {
    if (size > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(::operator new(size * sizeof(T), alignment()));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Only advice. Pages at the end that the array has no more than part of stay small.
    if (is_large()) madvise(data_, size * sizeof(T) / kPageBytes * kPageBytes, MADV_HUGEPAGE);
#endif
  }
  LargeArray(LargeArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }
  ~LargeArray() {
    if (data_) ::operator delete(data_, alignment());
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{1} << 21;

  bool is_large() const { return size_ * sizeof(T) >= 16 * kPageBytes; }
  std::align_val_t alignment() const { return std::align_val_t{is_large() ? kPageBytes : std::size_t{64}}; }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace fstmetrics
