// Calls of the engine that Ctrl-C and other signals can end (support/poll.h).
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <memory>

#include "support/poll.h"

namespace fstmetrics {

// Set where nobody waits any more for what a thread does.
using StopFlag = std::shared_ptr<std::atomic<bool>>;

// The flag that the engine looks at on this thread; null: none.
inline thread_local StopFlag heeded;

// Lets Python's handlers run while the engine works, and passes on what they raise: Python keeps it so that this
// happens on the main thread alone. On a thread that heeds a flag the engine stops when that is set.
class SignalWatch : public Watch {
 private:
  void ask() override {
    if (heeded && *heeded) throw Cancelled();
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }
};

// The same with other threads running Python meanwhile. Every call that may take long has one, or a SignalWatch.
class Unlocked {
  SignalWatch watch_;
  nanobind::gil_scoped_release released_;
};

}  // namespace fstmetrics
