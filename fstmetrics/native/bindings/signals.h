// Calls of the engine that Ctrl-C and other signals can end (support/poll.h).
#pragma once

#include <nanobind/nanobind.h>

#include "support/poll.h"

namespace fstmetrics {

// Lets Python's handlers run while the engine works, and passes on what they raise. Only on the main thread is there
// ever anything to do: Python keeps it so.
class SignalWatch : public Watch {
 private:
  void ask() override {
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
