// Threads that help with a batch. They are kept for the next one, together with the scratch space they have: making that
// anew takes as long as dozens of searches.
#pragma once

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

}  // namespace fstmetrics
