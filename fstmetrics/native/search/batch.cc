#include "search/batch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>

#include "search/routes.h"
#include "search/strings/band_pair.h"
#include "search/strings/block_pair.h"
#include "search/strings/short_pair.h"
#include "search/text_union.h"
#include "support/crew.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

// What reading and aligning a pair of short texts takes, in nanoseconds: for polls.
constexpr std::int64_t kPairWork = 500;

constexpr char kNoMemory[] =
    "there is not enough memory for this search: raise what the process may have, use fewer threads (--jobs), prune "
    "the "
    "lattice, or lower max_cells, max_nodes or max_expanded_arcs (--max cells=N, nodes=N, expansion=N), so that a "
    "search "
    "that takes less is chosen, if there is one";

class Batch {
 public:
  Batch(const std::vector<Item>& items, const Question& question)
      : items_(items), question_(question), answers_(items.size()), end_(items.size()) {
    const Options& options = question.options;
    const auto may_go = [&](Route route) { return options.route == Route::kAuto || options.route == route; };
    if (question.window == 1 && options.nbest == 1 && !options.fear) {
      if (may_go(Route::kBitParallel)) pair_weights_ = unit_weights(*question.metric);
      by_blocks_ = may_go(Route::kStringPair) && has_unit_costs(*question.metric, false);
    }
    order();
  }

  Answers run(int threads) {
    const auto helpers = static_cast<int>(std::min<std::size_t>(std::max(threads, 1), items_.size())) - 1;
    const std::function<void()> help = [this] { work(); };
    stores_.reserve(static_cast<std::size_t>(helpers) + 1);
    {
      Crew crew(helpers, help);
      work();
      try {
        crew.wait();
      } catch (...) { give_up(); }
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return {std::move(answers_), std::move(failure_), std::move(stores_)};
  }

 private:
  // What one thread works with. It watches: whoever asked for all this may have given up, and so may another thread.
  struct Desk : Watch {
    explicit Desk(const Batch& batch) : batch(batch), pairs(pairs_of_thread()) {}
    ~Desk() override { pairs.tidy(); }
    void ask() override {
      ask_outer();
      if (item >= batch.end_) throw Cancelled();
    }

    const Batch& batch;
    std::size_t item = 0;
    PathStore paths;
    // Scratch space, kept by each thread between batches.
    struct Pairs {
      std::vector<Word> hypothesis, reference, closest;
      std::vector<Label> of_hypothesis, of_reference;
      ShortPair short_pair;
      BandPair band_pair;
      BlockPair block_pair;

      // Gives back what long texts took.
      void tidy() {
        constexpr std::size_t kKeptWords = std::size_t{1} << 16;
        const std::size_t labels = of_hypothesis.capacity() + of_reference.capacity();
        if (hypothesis.capacity() + reference.capacity() + closest.capacity() + labels > kKeptWords) *this = Pairs();
      }
    };
    Pairs& pairs;

   private:
    static Pairs& pairs_of_thread() {
      thread_local Pairs kept;
      return kept;
    }
  };

  // Items of one graph are solved one after the other, while it is in the cache.
  void order() {
    constexpr std::size_t kFewest = 3;
    if (items_.size() < kFewest || items_.size() > std::numeric_limits<std::uint32_t>::max()) return;
    using Place = std::pair<const Graph*, std::uint32_t>;
    std::vector<Place> places;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto* graph = std::get_if<const Graph*>(&items_[i].reference);
      if (!graph) graph = std::get_if<const Graph*>(&items_[i].hypothesis);
      if (!graph) return;
      places.emplace_back(*graph, static_cast<std::uint32_t>(i));
    }
    std::ranges::sort(places);
    const auto same = [](const Place& one, const Place& other) { return one.first == other.first; };
    if (std::ranges::adjacent_find(places, same) == places.end()) return;
    for (const auto& [graph, item] : places) order_.push_back(item);
  }

  void work() {
    Desk desk(*this);
    for (std::size_t i = next_++; i < items_.size(); i = next_++) {
      desk.item = order_.empty() ? i : order_[i];
      if (desk.item < end_) attempt(desk);
    }
    const std::lock_guard lock(mutex_);
    stores_.push_back(std::move(desk.paths));
  }

  // No item after one that failed is begun, and those that were are given up.
  void attempt(Desk& desk) {
    const std::size_t i = desk.item;
    try {
      poll(kPairWork);
      if (!solve_pair(items_[i], answers_[i], desk)) solve_item(items_[i], answers_[i], desk);
    } catch (const SearchError& error) { fail(i, error.what()); } catch (const std::bad_alloc&) {
      fail(i, kNoMemory);
    } catch (const std::length_error&) {  // of a container
      fail(i, kNoMemory);
    } catch (const Cancelled&) {
    } catch (...) { give_up(); }
  }

  void fail(std::size_t item, const char* message) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || item < failure_->item) failure_ = {item, message};
    stop_at(item);
  }

  // For what is being thrown.
  void give_up() {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
    stop_at(0);
  }

  void stop_at(std::size_t item) {
    std::size_t end = end_;
    while (item < end && !end_.compare_exchange_weak(end, item)) {}
  }

  bool solve_pair(const Item& item, Answer& answer, Desk& desk) const {
    const auto* hypothesis = std::get_if<Text>(&item.hypothesis);
    const auto* reference = std::get_if<Text>(&item.reference);
    if ((!pair_weights_ && !by_blocks_) || item.word_costs || !hypothesis) return false;
    if (const auto* several = std::get_if<Texts>(&item.reference))
      return solve_closest(*hypothesis, *several, answer, desk);
    if (!reference) return false;
    if (solve_characters(*hypothesis, *reference, answer, desk)) return true;
    std::vector<Word>&h = desk.pairs.hypothesis, &r = desk.pairs.reference;
    hypothesis->words(h);
    reference->words(r);
    if (!solve_short(h, r, answer, desk) && !solve_in_blocks(h, r, answer, desk)) return false;
    answer.counters.hypothesis_states = static_cast<std::int64_t>(h.size()) + 1;
    answer.counters.reference_states = static_cast<std::int64_t>(r.size()) + 1;
    return true;
  }

  // Counts alone, which take a fraction of what the alignment of so many characters takes: that may be left.
  bool solve_characters(const Text& hypothesis, const Text& reference, Answer& answer, Desk& desk) const {
    const Options& options = question_.options;
    if (!pair_weights_ || options.route != Route::kAuto) return false;
    if (options.alignment && !(options.later && by_blocks_)) return false;
    std::vector<Label>&h = desk.pairs.of_hypothesis, &r = desk.pairs.of_reference;
    const auto hypothesis_bytes = hypothesis.bytes(), reference_bytes = reference.bytes();
    const bool are_bytes = hypothesis_bytes && reference_bytes;
    const auto number = [&] { return hypothesis.characters(h) && reference.characters(r); };
    if (!are_bytes && !number()) return false;
    const std::int64_t hypothesis_size = are_bytes ? std::ssize(*hypothesis_bytes) : std::ssize(h);
    const std::int64_t reference_size = are_bytes ? std::ssize(*reference_bytes) : std::ssize(r);
    if (options.alignment && !BlockPair::can_align(hypothesis_size, reference_size, options.max_cells)) return false;
    const auto near = are_bytes ? desk.pairs.band_pair.run(*hypothesis_bytes, *reference_bytes)
                                : desk.pairs.band_pair.run(BandPair::Labels(h), BandPair::Labels(r));
    if (!near && are_bytes && !number()) return false;
    if (near) {
      answer.best = pair_totals(hypothesis_size, reference_size, near->edits, near->matches);
      answer.best.cost = pair_weights_->cost(near->edits, hypothesis_size, reference_size);
      answer.counters.expanded = near->words;
    } else if (const auto found = desk.pairs.block_pair.run(h, r, *pair_weights_, options.max_cells)) {
      answer.best = found->totals;
      answer.counters.expanded = found->blocks;
    } else {
      return false;
    }
    answer.are_ops_left = options.alignment;
    answer.route = Route::kStringPair;
    answer.counters.hypothesis_states = hypothesis_size + 1;
    answer.counters.reference_states = reference_size + 1;
    return true;
  }

  bool solve_short(const std::vector<Word>& h, const std::vector<Word>& r, Answer& answer, Desk& desk) const {
    if (!pair_weights_) return false;
    const auto totals =
        desk.pairs.short_pair.run(h, r, *pair_weights_, question_.options.alignment ? &answer.ops : nullptr);
    if (!totals) return false;
    answer.best = *totals;
    answer.route = Route::kBitParallel;
    answer.counters.expanded = static_cast<std::int64_t>(std::min(h.size(), r.size())) + 1;
    return true;
  }

  bool solve_in_blocks(const std::vector<Word>& h, const std::vector<Word>& r, Answer& answer, Desk& desk) const {
    if (!by_blocks_) return false;
    const Options& options = question_.options;
    const auto found = desk.pairs.block_pair.run(h, r, options.max_cells, options.alignment ? &answer.ops : nullptr);
    if (!found) return false;
    answer.best = found->totals;
    answer.route = Route::kStringPair;
    answer.counters.expanded = found->blocks;
    return true;
  }

  // The closest of several texts, pair by pair; false where that is not for pairs to say: of equally good alignments
  // the one is shown that the search in the graph of all texts settles on.
  bool solve_closest(const Text& hypothesis, const Texts& references, Answer& answer, Desk& desk) const {
    if (!pair_weights_ || question_.options.route != Route::kAuto) return false;
    std::vector<Word>&h = desk.pairs.hypothesis, &r = desk.pairs.reference, &closest = desk.pairs.closest;
    const bool longest = question_.metric->length_tie == LengthTie::kLongest;
    hypothesis.words(h);
    std::optional<Totals> best;
    bool is_only = true;
    std::int64_t states = 1;
    for (std::size_t text = 0; text < references.size(); ++text) {
      poll(kPairWork);
      references[text].words(r);
      states += static_cast<std::int64_t>(r.size());
      if (references[text].is_list && std::ranges::find(r, make_word(kWildcard)) != r.end()) return false;
      const auto totals = desk.pairs.short_pair.run(h, r, *pair_weights_, nullptr);
      if (!totals) return false;
      if (best && !is_better(*totals, *best, longest)) {
        is_only = is_only && (is_better(*best, *totals, longest) || std::ranges::equal(r, closest));
        continue;
      }
      best = totals;
      is_only = true;
      answer.reference_text = static_cast<std::int32_t>(text);
      closest.swap(r);
    }
    if (question_.options.alignment && (!is_only || !desk.pairs.short_pair.run_if_only(h, closest, answer.ops)))
      return false;
    answer.best = *best;
    answer.route = Route::kBitParallel;
    answer.counters.expanded = states;
    answer.counters.hypothesis_states = static_cast<std::int64_t>(h.size()) + 1;
    answer.counters.reference_states = states;
    return true;
  }

  void solve_item(const Item& item, Answer& answer, Desk& desk) const {
    if (const auto* several = std::get_if<Texts>(&item.reference)) {
      const Graph graph = text_union(*several);
      return solve_item({item.hypothesis, &graph, item.word_costs}, answer, desk);
    }
    const auto* texts = std::get_if<Texts>(&item.hypothesis);
    Outcome outcome = texts ? solve_texts(*texts, item) : solve(item, question_);
    answer.route = outcome.route;
    answer.counters = outcome.counters;
    answer.best = outcome.paths.at(0).totals;
    answer.paths = desk.paths.keep(outcome.paths);
  }

  // Each by itself; then the best of all.
  Outcome solve_texts(const Texts& texts, const Item& item) const {
    Outcome all;
    for (std::size_t text = 0; text < texts.size(); ++text) {
      poll(kPairWork);
      Outcome one = solve({texts[text], item.reference, item.word_costs}, question_);
      all.route = one.route;
      all.counters.add(one.counters);
      for (Path& path : one.paths) {
        path.text = static_cast<std::int32_t>(text);
        all.paths.push_back(std::move(path));
      }
    }
    keep_best(all.paths);
    return all;
  }

  // As many as are asked for, best first; of equally good ones those that came first. Their numbers are sorted: a
  // stable sort of paths was the largest function of its unit.
  void keep_best(std::vector<Path>& paths) const {
    const bool longest = question_.metric->length_tie == LengthTie::kLongest;
    std::vector<std::size_t> order(paths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (is_better(paths[a].totals, paths[b].totals, longest)) return true;
      return a < b && !is_better(paths[b].totals, paths[a].totals, longest);
    });
    const auto most = static_cast<std::size_t>(std::max(question_.options.nbest, 1));
    if (order.size() > most) order.resize(most);
    std::vector<Path> best;
    for (const std::size_t number : order) best.push_back(std::move(paths[number]));
    paths = std::move(best);
  }

  const std::vector<Item>& items_;
  const Question& question_;
  std::optional<UnitWeights> pair_weights_;  // where pairs of short texts need no general search
  bool by_blocks_ = false;                   // where pairs of longer ones need none either
  std::vector<std::uint32_t> order_;         // in which items are solved; empty: as they come
  std::vector<Answer> answers_;
  std::vector<PathStore> stores_;  // of the threads that are done
  std::atomic<std::size_t> next_{0}, end_;
  std::mutex mutex_;
  std::optional<Failure> failure_;
  std::exception_ptr thrown_;
};

}  // namespace

Answers solve_all(const std::vector<Item>& items, const Question& question, int threads) {
  return Batch(items, question).run(threads);
}

std::vector<Op> left_ops(const Text& hypothesis, const Text& reference) {
  thread_local std::vector<Word> h, r;
  thread_local std::vector<Label> of_hypothesis, of_reference;
  thread_local ShortPair short_pair;
  thread_local BlockPair block_pair;
  std::vector<Op> ops;
  hypothesis.characters(of_hypothesis), reference.characters(of_reference);
  const BlockPair::Labels one = of_hypothesis, other = of_reference;
  if (!ShortPair::fits(one, other)) {
    block_pair.run(one, other, std::numeric_limits<std::int64_t>::max(), &ops);
    return ops;
  }
  hypothesis.words(h), reference.words(r);
  short_pair.run(h, r, {1, 0, 0}, &ops);
  return ops;
}

Totals best_score(const Item& item, const Question& question) {
  const auto *hypothesis = std::get_if<Text>(&item.hypothesis), *reference = std::get_if<Text>(&item.reference);
  const auto weights = question.window == 1 && !item.word_costs && hypothesis && reference
                           ? unit_weights(*question.metric)
                           : std::nullopt;
  if (weights) {
    thread_local std::vector<Word> h, r;
    thread_local ShortPair short_pair;
    thread_local BlockPair block_pair;
    hypothesis->words(h);
    reference->words(r);
    std::optional<std::int64_t> edits = short_pair.edits(h, r);
    if (!edits) edits = block_pair.edits(h, r, question.options.max_cells);
    if (edits) {
      Totals totals;
      totals.reference_words = std::ssize(r);
      totals.cost = weights->cost(*edits, std::ssize(h), std::ssize(r));
      return totals;
    }
  }
  return solve(item, question).paths.at(0).totals;
}

}  // namespace fstmetrics
