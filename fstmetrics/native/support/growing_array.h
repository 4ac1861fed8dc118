// A vector of plain values that may grow to gigabytes: where the system can move the pages of a large block instead of
// copying them, growing takes no time, so that polls are not far apart.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace fstmetrics {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  // Throws std::bad_alloc.
  void push_back(const T& value) {
    const T copy = value;  // which may lie in here
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = copy;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void reserve(std::size_t size) {
    if (size > capacity_) grow(size);
  }
  // New values are not set.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = least > 2 * capacity_ ? least : 2 * capacity_;
    if (capacity > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    void* const moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (!moved) throw std::bad_alloc();
    data_ = static_cast<T*>(moved), capacity_ = capacity;
  }
  void swap(GrowingArray& other) noexcept {
    std::swap(data_, other.data_), std::swap(size_, other.size_), std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace fstmetrics
