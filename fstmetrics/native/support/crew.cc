#include "support/crew.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <thread>

#include "support/poll.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace fstmetrics {

// A thread that waits for something to do, for as long as the process lives.
class Helper {
 public:
  // Null where the system has no more threads.
  static Helper* started() {
    auto helper = std::make_unique<Helper>();
    return start(*helper) ? helper.release() : nullptr;
  }
  void begin(const std::function<void()>& job) {
    job_ = &job;
    begin_.release();
  }
  void wait() { done_.acquire(); }
  bool is_done_within(std::chrono::milliseconds time) { return done_.try_acquire_for(time); }

 private:
#if defined(__unix__) || defined(__APPLE__)
  // Kernels keep their scratch space on the heap, so helpers need no more than this; the default is often 8 MiB.
  static constexpr std::size_t kStackBytes = std::size_t{1} << 20;

  static bool start(Helper& helper) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    pthread_t thread;
    const auto run = [](void* self) -> void* { return static_cast<Helper*>(self)->run(), nullptr; };
    const bool is_started = pthread_create(&thread, &attributes, run, &helper) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
  }
#else
  static bool start(Helper& helper) {
    try {
      std::thread([&helper] { helper.run(); }).detach();
      return true;
    } catch (const std::system_error&) { return false; }
  }
#endif

  void run() {
    while (true) {
      begin_.acquire();
      (*job_)();
      done_.release();
    }
  }

  const std::function<void()>* job_ = nullptr;
  std::binary_semaphore begin_{0}, done_{0};
};

namespace {

// The helpers that have nothing to do. Never destroyed, as their threads are not.
struct Idle {
  std::mutex mutex;
  std::vector<Helper*> helpers;

  static Idle& all() {
    static Idle& idle = *new_idle();
    return idle;
  }

 private:
  // The child of a fork has none of its parent's threads.
  static Idle* new_idle() {
#if defined(__unix__) || defined(__APPLE__)
    pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                   [] { all().helpers.clear(), all().mutex.unlock(); });
#endif
    return new Idle;
  }
};

// Threads beyond twice what runs at the same time only cost memory.
int most_helpers() {
  static const int most = 2 * static_cast<int>(std::max(1U, std::thread::hardware_concurrency())) - 1;
  return most;
}

}  // namespace

Crew::Crew(int size, const std::function<void()>& job) {
  size = std::min(size, most_helpers());
  if (size <= 0) return;
  helpers_.reserve(size);
  {
    Idle& idle = Idle::all();
    const std::lock_guard lock(idle.mutex);
    while (static_cast<int>(helpers_.size()) < size && !idle.helpers.empty()) {
      helpers_.push_back(idle.helpers.back());
      idle.helpers.pop_back();
    }
  }
  while (static_cast<int>(helpers_.size()) < size) {
    Helper* const helper = Helper::started();
    if (!helper) break;  // no more threads: those that there are do it all
    helpers_.push_back(helper);
  }
  for (Helper* helper : helpers_) helper->begin(job);
}

void Crew::wait() {
  for (; done_ < helpers_.size(); ++done_) {
    while (!helpers_[done_]->is_done_within(kPatience)) look();
  }
}

Crew::~Crew() {
  for (; done_ < helpers_.size(); ++done_) helpers_[done_]->wait();
  if (helpers_.empty()) return;
  Idle& idle = Idle::all();
  const std::lock_guard lock(idle.mutex);
  idle.helpers.insert(idle.helpers.end(), helpers_.begin(), helpers_.end());
}

void share_out(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0}, end{count};
  std::mutex mutex;
  std::exception_ptr thrown;
  std::size_t thrower = count;
  const auto fail = [&](std::size_t i) {
    const std::lock_guard lock(mutex);
    if (i < thrower) thrower = i, thrown = std::current_exception();
    std::size_t before = end;
    while (i < before && !end.compare_exchange_weak(before, i)) {}
  };
  const std::function<void()> job = [&] {
    std::size_t i;
    while ((i = next++) < end) {
      try {
        work(i);
      } catch (...) { fail(i); }
    }
  };
  {
    Crew crew(static_cast<int>(std::min<std::size_t>(std::max(threads, 1), count)) - 1, job);
    job();
    try {
      crew.wait();
    } catch (...) { fail(0); }
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace fstmetrics
