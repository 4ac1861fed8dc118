// Threads that help with a batch. They are kept for the next one, together with the scratch space they have: making
// that anew takes as long as dozens of searches.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace fstmetrics {

class Helper;

class Crew {
 public:
  // Has `job`, which must not throw, done once by each of `size` helpers; by fewer where that are more than the machine
  // can use, or the system has no more threads.
  Crew(int size, const std::function<void()>& job);
  // Waits until all are done.
  ~Crew();
  // The same, with polls: may throw, and does not wait for the others then.
  void wait();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

 private:
  std::vector<Helper*> helpers_;
  std::size_t done_ = 0;  // of them, the first so many
};

// Calls work(i) for every i below `count`, by at most so many threads. Of what is thrown, that of the smallest i is
// passed on, and no call for a larger one is begun any more.
void share_out(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace fstmetrics
