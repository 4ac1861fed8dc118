#include "search/batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "search/crew.h"
#include "search/short_pair.h"

namespace fstmetrics {
namespace {

using Clock = std::chrono::steady_clock;

// How long Ctrl-C may go unheard between two items.
constexpr auto kPatience = std::chrono::milliseconds(50);

// Pairs of texts take about as long as a look at the clock: only one in so many is followed by one.
constexpr int kPairsBetweenLooks = 64;

// What one thread works with.
struct Desk {
  std::vector<Word> hypothesis, reference;
  ShortPair pair;
};

class Batch {
 public:
  Batch(const std::vector<Item>& items, const Question& question, const std::function<bool()>& interrupted)
      : items_(items), question_(question), interrupted_(interrupted), answers_(items.size()), end_(items.size()) {
    const Options& options = question.options;
    const bool any_route = options.route == Route::kAuto || options.route == Route::kBitParallel;
    if (question.window == 1 && options.nbest == 1 && any_route && !options.fear) pair_weights_ = unit_weights(*question.metric);
  }

  Answers run(int threads) {
    const auto helpers = static_cast<int>(std::min<std::size_t>(std::max(threads, 1), items_.size())) - 1;
    {
      const std::function<void()> help = [this] { work(false); };
      const Crew crew(helpers, help);
      work(true);
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return {std::move(answers_), std::move(failure_)};
  }

 private:
  void work(bool may_interrupt) {
    auto last_look = Clock::now();
    int pairs = 0;
    Desk desk;
    for (std::size_t i; (i = next_++) < end_;) {
      const bool quick = attempt(i, desk);
      if (!may_interrupt || (quick && ++pairs % kPairsBetweenLooks != 0)) continue;
      if (const auto now = Clock::now(); now - last_look > kPatience) {
        last_look = now;
        if (interrupted_()) stop_at(0);
      }
    }
  }

  // Whether it was quick. No item after one that failed is begun.
  bool attempt(std::size_t i, Desk& desk) {
    try {
      if (solve_pair(items_[i], answers_[i], desk)) return true;
      solve_problem(items_[i], answers_[i]);
    } catch (const SearchError& error) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || i < failure_->item) failure_ = {i, error.what()};
      stop_at(i);
    } catch (...) {  // out of memory, say: nothing to go on with
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      stop_at(0);
    }
    return false;
  }

  void stop_at(std::size_t item) {
    std::size_t end = end_;
    while (item < end && !end_.compare_exchange_weak(end, item)) {}
  }

  bool solve_pair(const Item& item, Answer& answer, Desk& desk) const {
    const auto* hypothesis = std::get_if<Text>(&item.hypothesis);
    const auto* reference = std::get_if<Text>(&item.reference);
    if (!pair_weights_ || item.word_costs || !hypothesis || !reference) return false;
    auto& [h, r, pair] = desk;
    hypothesis->words(h);
    reference->words(r);
    const auto totals = pair.run(h, r, *pair_weights_, question_.options.alignment ? &answer.ops : nullptr);
    if (!totals) return false;
    answer.best = *totals;
    answer.route = Route::kBitParallel;
    answer.counters.expanded = static_cast<std::int64_t>(std::min(h.size(), r.size())) + 1;
    answer.counters.hypothesis_states = static_cast<std::int64_t>(h.size()) + 1;
    answer.counters.reference_states = static_cast<std::int64_t>(r.size()) + 1;
    return true;
  }

  void solve_problem(const Item& item, Answer& answer) const {
    Outcome outcome = solve(make_problem(item, question_), question_.options);
    answer.route = outcome.route;
    answer.counters = outcome.counters;
    answer.best = outcome.paths.at(0).totals;
    answer.paths = std::move(outcome.paths);
  }

  const std::vector<Item>& items_;
  const Question& question_;
  const std::function<bool()>& interrupted_;
  std::optional<UnitWeights> pair_weights_;  // where pairs of texts need no general search
  std::vector<Answer> answers_;
  std::atomic<std::size_t> next_{0}, end_;
  std::mutex mutex_;
  std::optional<Failure> failure_;
  std::exception_ptr thrown_;
};

}  // namespace

Answers solve_all(const std::vector<Item>& items, const Question& question, int threads,
                  const std::function<bool()>& interrupted) {
  return Batch(items, question, interrupted).run(threads);
}

}  // namespace fstmetrics
