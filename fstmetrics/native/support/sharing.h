// Many pieces of work on several threads, each of which has scratch space of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>

#include "support/crew.h"
#include "support/poll.h"

namespace fstmetrics {

// Ends the work of all threads where one of them throws, or where whoever asked for it gives up.
class SharedWork {
 public:
  explicit SharedWork(std::size_t count) : end_(count) {}

  // Calls make() once a thread, and what it returns, a function of the number of a piece, for every piece.
  template <class Make>
  void run(int threads, const Make& make) {
    const std::function<void()> help = [&] { work(make); };
    {
      Crew crew(static_cast<int>(std::min<std::size_t>(std::max(threads, 1), end_.load())) - 1, help);
      work(make);
      try {
        crew.wait();
      } catch (...) { give_up(); }
    }
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  struct Desk : Watch {
    explicit Desk(const SharedWork& shared) : shared(shared) {}
    void ask() override {
      ask_outer();
      if (shared.is_given_up_) throw Cancelled();
    }
    const SharedWork& shared;
  };

  template <class Make>
  void work(const Make& make) {
    try {
      const Desk desk(*this);
      auto solve = make();
      std::size_t piece;
      while ((piece = next_++) < end_) solve(piece);
    } catch (const Cancelled&) {
    } catch (...) { give_up(); }
  }

  // For what is being thrown.
  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
    is_given_up_ = true;
    end_ = 0;
  }

  std::atomic<std::size_t> next_{0}, end_;
  std::atomic<bool> is_given_up_{false};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace fstmetrics
