// A map from cells of a table too large to be kept to what is known of the few that a search meets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "support/large_array.h"
#include "support/poll.h"

namespace fstmetrics {

// Open addressing with linear probing, at most half full. Keys are not negative.
template <class Value>
class SparseCells {
 public:
  SparseCells() { open(64); }

  // The value of a key; made where there is none. Valid until the next call.
  Value& operator[](std::int64_t key) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (slot.key == kEmpty) slot.key = key, ++used_;
    return slot.value;
  }
  // The value of a key that is there.
  const Value& at(std::int64_t key) const { return slots_[find(key)].value; }
  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  static constexpr std::int64_t kEmpty = -1;
  struct Slot {
    std::int64_t key;
    Value value;
  };

  std::size_t find(std::int64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t hash = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ULL;
    std::size_t at = (hash >> 20) & mask;
    while (slots_[at].key != key && slots_[at].key != kEmpty) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    const LargeArray<Slot> old = std::move(slots_);
    open(2 * old.size());
    Polls poll;
    for (std::size_t i = 0; i < old.size(); ++i) {
      poll(10);
      if (old[i].key != kEmpty) slots_[find(old[i].key)] = old[i];
    }
  }

  void open(std::size_t size) {
    slots_ = LargeArray<Slot>(size);
    Polls poll;
    for (std::size_t i = 0; i < size; ++i) {
      poll(2);
      ::new (&slots_[i]) Slot{kEmpty, {}};
    }
  }

  LargeArray<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace fstmetrics
