// Something that is made once, by whichever thread comes first; the others wait, and poll meanwhile.
#pragma once

#include <atomic>
#include <mutex>

#include "support/poll.h"

namespace fstmetrics {

// Holds a timed mutex, for which it waits with polls: whoever has it may work long.
template <class Mutex>
class PollingLock {
 public:
  explicit PollingLock(Mutex& mutex) : lock_(mutex, std::defer_lock) {
    if (lock_.try_lock()) return;  // without asking the clock
    while (!lock_.try_lock_for(kPatience)) look();
  }

 private:
  std::unique_lock<Mutex> lock_;
};

class Once {
 public:
  // Calls make(), holding the mutex, unless that has been done before. Where it throws, the next caller tries again.
  template <class Mutex, class Make>
  void operator()(Mutex& mutex, Make make) {
    if (done_.load(std::memory_order_acquire)) return;
    const PollingLock lock(mutex);
    if (done_.load(std::memory_order_relaxed)) return;
    make();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> done_{false};
};

}  // namespace fstmetrics
