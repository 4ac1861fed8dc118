// Stopping what takes long: every loop that may run long polls, and whoever is watching the thread may stop it there.
//
// A poll counts work, which takes a few nanoseconds; loops whose rounds are short count for themselves (Polls). After
// about a thousandth of a second of work the clock is looked at, and every kPatience the watch is asked. What it throws
// then leaves the kernel as any error does, so scratch space that a thread keeps must be made anew by whoever uses it
// next. Without a watch a poll does nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>

namespace fstmetrics {

// How long a signal may go unheard while a kernel runs.
inline constexpr auto kPatience = std::chrono::milliseconds(50);

// Thrown by a watch where nobody waits for the answer any more; the reason is another thread's.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

// Asked by the polls of the thread that made it, until it is destroyed; then the watch before it is again.
class Watch {
 public:
  Watch();
  virtual ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 protected:
  // Asks the watch before this one.
  void ask_outer() {
    if (outer_) outer_->ask();
  }

 private:
  friend void look();
  // Throws to stop.
  virtual void ask() = 0;

  Watch* const outer_;
  std::chrono::steady_clock::time_point next_{};  // when it is to be asked
};

// Asks the thread's watch if it is time.
void look();

namespace polling {

// Work between two looks at the clock, in steps of about a nanosecond.
inline constexpr std::int64_t kWorkBetweenLooks = 1 << 20;

extern thread_local constinit std::int64_t left;
[[gnu::cold, gnu::noinline]] void look_again();

}  // namespace polling

// `work`: about how many nanoseconds have passed since the last poll.
[[gnu::always_inline]] inline void poll(std::int64_t work) {
  if ((polling::left -= work) < 0) [[unlikely]]
    polling::look_again();
}

// The same for loops with rounds of a few nanoseconds: a poll for many of them.
class Polls {
 public:
  [[gnu::always_inline]] void operator()(std::int64_t work) {
    if ((left_ -= work) < 0) [[unlikely]] {
      poll(kWorkTogether - left_);
      left_ = kWorkTogether;
    }
  }

 private:
  static constexpr std::int64_t kWorkTogether = 1 << 12;
  std::int64_t left_ = kWorkTogether;
};

}  // namespace fstmetrics
