#include "search/batch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace fstmetrics {

std::vector<Attempt> solve_all(const std::vector<const Problem*>& problems, const Options& options, int threads) {
  std::vector<Attempt> attempts(problems.size());
  std::vector<std::exception_ptr> failures(problems.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < problems.size();) {
      try {
        attempts[i].outcome = solve(*problems[i], options);
      } catch (const SearchError& error) {
        attempts[i].error = error.what();
      } catch (...) {
        failures[i] = std::current_exception();  // out of memory, say: nothing to go on with
      }
    }
  };
  const int helpers = std::min<int>(threads, static_cast<int>(problems.size())) - 1;
  std::vector<std::thread> pool;
  for (int i = 0; i < helpers; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return attempts;
}

}  // namespace fstmetrics
