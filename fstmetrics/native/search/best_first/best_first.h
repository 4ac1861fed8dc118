// Best-first search over the lazily composed product: A*, or Dijkstra where the estimate is zero.
//
// Needs costs that are not negative; then, the estimate being consistent, a product state is settled when it
// is first taken from the queue. Works with cyclic references and with machines far too large to expand.
// O(e log e) time and O(e) space for e product transitions looked at.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "search/best_first/estimate.h"
#include "search/product.h"
#include "support/growing_array.h"
#include "support/large_array.h"
#include "support/poll.h"

namespace fstmetrics {

template <class V>
class BestFirst {
 public:
  BestFirst(Machine& hypothesis, Machine& reference, const Pricing<V>& pricing, const Estimate<V>& estimate,
            std::int64_t max_nodes)
      : hypothesis_(hypothesis),
        reference_(reference),
        pricing_(pricing),
        estimate_(estimate),
        max_nodes_(std::min<std::int64_t>(max_nodes, std::int64_t{1} << 30)),
        slots_(1 << 10) {
    clear_slots();
  }

  // The ranked cost of the best path. Throws SearchError where more than `max_nodes` product states are met.
  V run() {
    reach(hypothesis_.start(), reference_.start(), 0, V{0}, -1, Step{Op::kEpsilon});
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Entry entry = queue_.back();
      queue_.pop_back();
      ++counters_.popped;
      poll_(100);
      if (entry.node == kGoal) return entry.value;
      if (nodes_[entry.node].settled) continue;
      nodes_[entry.node].settled = true;
      expand(entry.node);
    }
    throw std::logic_error("a product of two machines with paths has none");
  }

  std::vector<Step> trace() const {
    std::vector<Step> steps;
    for (std::int32_t i = goal_; i >= 0; i = nodes_[i].parent) {
      if (nodes_[i].step.op != Op::kEpsilon) steps.push_back(nodes_[i].step);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Counters& counters() const { return counters_; }

 private:
  static constexpr std::int32_t kGoal = -1;

  struct Node {
    StateId h, r;
    std::int32_t memory;
    std::int32_t parent;
    V cost;
    Step step;
    bool settled;
  };
  // Of entries worth the same the newest comes first, which runs ahead along one path.
  struct Entry {
    V value;
    std::int64_t number;
    std::int32_t node;
    bool operator<(const Entry& other) const {
      return value != other.value ? value > other.value : number < other.number;
    }
  };

  void push(V value, std::int32_t node) {
    queue_.push_back({value, counters_.pushed++, node});
    std::push_heap(queue_.begin(), queue_.end());
  }

  void expand(std::int32_t from) {
    const Node node = nodes_[from];
    ++counters_.expanded;
    poll_(20 * (1 + std::ssize(hypothesis_.arcs(node.h))) * (1 + std::ssize(reference_.arcs(node.r))));
    if (hypothesis_.is_final(node.h) && reference_.is_final(node.r) && (goal_ < 0 || node.cost < nodes_[goal_].cost)) {
      goal_ = from;
      push(node.cost, kGoal);
    }
    for_each_step(hypothesis_.arcs(node.h), reference_.arcs(node.r), node.memory, pricing_,
                  [&](Op op, const Arc* h, const Arc* r, int next, V cost) {
                    reach(h ? h->next : node.h, r ? r->next : node.r, next, node.cost + cost, from,
                          make_step(op, h, r));
                  });
  }

  void reach(StateId h, StateId r, int memory, V cost, std::int32_t parent, const Step& step) {
    const std::int32_t id = find_or_add(h, r, memory);
    Node& node = nodes_[id];
    if (node.settled || node.cost <= cost) return;
    node.cost = cost, node.parent = parent, node.step = step;
    push(cost + estimate_(hypothesis_.remaining(h), reference_.remaining(r)), id);
  }

  static std::size_t hash(StateId h, StateId r, std::int32_t memory) {
    std::uint64_t x = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(h)) << 32) ^
                      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(r)) * 8 + memory);
    x *= 0x9E3779B97F4A7C15ULL;
    return x ^ (x >> 29);
  }

  // Open addressing with linear probing, at most half full.
  std::int32_t& slot_of(StateId h, StateId r, std::int32_t memory) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(h, r, memory) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
      const Node& node = nodes_[slots_[slot]];
      if (node.h == h && node.r == r && node.memory == memory) break;
    }
    return slots_[slot];
  }

  std::int32_t find_or_add(StateId h, StateId r, std::int32_t memory) {
    std::int32_t& slot = slot_of(h, r, memory);
    if (slot >= 0) return slot;
    const auto id = static_cast<std::int32_t>(nodes_.size());
    if (id >= max_nodes_) {
      throw TooManyNodes("the best-first route met more than " + std::to_string(max_nodes_) +
                         " product states; raise " + kMaxNodes + ", or use route topological or chart");
    }
    nodes_.push_back({h, r, memory, -1, Ranking<V>::infinity(), Step{Op::kEpsilon}, false});
    slot = id;
    if (nodes_.size() * 2 > slots_.size()) grow();
    return id;
  }

  void clear_slots() {
    constexpr std::size_t kTogether = 1 << 16;
    for (std::size_t at = 0; at < slots_.size(); at += kTogether) {
      poll_(kTogether);
      std::fill_n(slots_.data() + at, std::min(kTogether, slots_.size() - at), -1);
    }
  }

  void grow() {
    const std::size_t size = slots_.size() * 2;
    slots_ = LargeArray<std::int32_t>();
    slots_ = LargeArray<std::int32_t>(size);
    clear_slots();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      poll_(20);
      slot_of(nodes_[i].h, nodes_[i].r, nodes_[i].memory) = static_cast<std::int32_t>(i);
    }
  }

  Polls poll_;
  Machine& hypothesis_;
  Machine& reference_;
  const Pricing<V>& pricing_;
  const Estimate<V>& estimate_;
  const std::int64_t max_nodes_;
  GrowingArray<Node> nodes_;
  LargeArray<std::int32_t> slots_;
  GrowingArray<Entry> queue_;
  std::int32_t goal_ = -1;
  Counters counters_;
};

}  // namespace fstmetrics
