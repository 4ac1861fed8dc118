#include "tuning/envelopes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "support/poll.h"

namespace fstmetrics {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Slopes that differ by no more than sums of doubles do, relative to their size, are equal: otherwise lines would cross
// at 1e15, where nobody wants weights.
constexpr double kRoundingError = 1e-13;

// By how much a line is clearly below a point, relative to what the difference is computed from.
constexpr double kClear = 1e-9;
// From so many lines on it pays to drop those that are clearly below before the rest are sorted.
constexpr std::size_t kLong = 16;

// A derivation, as a line; the best one of its vertex from `begin` on.
struct Segment {
  double slope, intercept, begin;
  std::int64_t edge;
  std::int64_t tails;  // where the segments of its tails are in the pool
};

bool parallel(const Segment& a, const Segment& b) {
  return std::abs(a.slope - b.slope) <= kRoundingError * std::max(std::abs(a.slope), std::abs(b.slope));
}

double value(const Segment& line, double at) { return line.intercept + at * line.slope; }

// Leaves out lines that are below two others everywhere, so that few of a long list are sorted. With l and r of slopes
// a and b, a line whose slope lies between them is below their envelope everywhere if it is at the point where they
// cross. The pairs are the highest line at 0 with the steepest one on either side. What rounding may have decided
// stays.
void drop_lower(std::vector<Segment>& lines) {
  const auto by_slope = [](const Segment& a, const Segment& b) {
    return a.slope < b.slope || (a.slope == b.slope && a.intercept < b.intercept);
  };
  const auto higher = [](const Segment& a, const Segment& b) {
    return a.intercept < b.intercept || (a.intercept == b.intercept && a.slope < b.slope);
  };
  const Segment top = *std::max_element(lines.begin(), lines.end(), higher);
  const Segment rising = *std::max_element(lines.begin(), lines.end(), by_slope);
  Segment falling = lines.front();
  for (const Segment& line : lines) {
    if (line.slope < falling.slope || (line.slope == falling.slope && line.intercept > falling.intercept))
      falling = line;
  }
  const auto below = [&](const Segment& left, const Segment& right) {
    const bool crosses =
        right.slope - left.slope > kRoundingError * std::max(std::abs(left.slope), std::abs(right.slope));
    const double at = crosses ? (left.intercept - right.intercept) / (right.slope - left.slope) : 0.0;
    const double height = value(left, at);
    return [=](const Segment& line) {
      const double size = std::abs(line.intercept) + std::abs(at * line.slope) + std::abs(height);
      return crosses && line.slope > left.slope && line.slope < right.slope && value(line, at) < height - kClear * size;
    };
  };
  std::erase_if(lines, [left = below(falling, top), right = below(top, rising)](const Segment& line) {
    return left(line) || right(line);
  });
}

// Leaves of lines the upper envelope, ascending. Lines are in the order in which derivations come.
void keep_envelope(std::vector<Segment>& lines) {
  if (lines.size() > kLong) drop_lower(lines);
  std::stable_sort(lines.begin(), lines.end(), [](const Segment& a, const Segment& b) { return a.slope < b.slope; });
  std::size_t kept = 0;
  for (Segment line : lines) {
    line.begin = -kInfinity;
    bool below = false;
    while (kept > 0) {
      const Segment& top = lines[kept - 1];
      if (parallel(top, line)) {
        if (top.intercept >= line.intercept) {
          below = true;
          break;
        }
        --kept;
        continue;
      }
      const double crossing = (top.intercept - line.intercept) / (line.slope - top.slope);
      if (crossing > top.begin) {
        line.begin = crossing;
        break;
      }
      --kept;
    }
    if (!below) lines[kept++] = line;
  }
  lines.resize(kept);
}

class EnvelopeFinder {
 public:
  EnvelopeFinder(const Forests& forests, std::span<const double> slopes, std::span<const double> intercepts)
      : forests_(forests), slopes_(slopes), intercepts_(intercepts) {}

  // The envelope of a forest's goal.
  const std::vector<Segment>& find(std::size_t forest) {
    first_ = forests_.firsts[forest];
    const std::int64_t end = forests_.firsts[forest + 1];
    of_vertex_.resize(std::max(of_vertex_.size(), static_cast<std::size_t>(end - first_)));
    pool_.clear();
    for (std::int64_t vertex = first_; vertex < end; ++vertex) {
      std::vector<Segment>& lines = of_vertex_[vertex - first_];
      lines.clear();
      for (std::int64_t edge = forests_.edges[vertex]; edge < forests_.edges[vertex + 1]; ++edge) add(edge, lines);
      keep_envelope(lines);
    }
    return of_vertex_[end - first_ - 1];
  }

  // The words of a derivation, from left to right, and its edges.
  void write(const Segment& segment, std::vector<std::int32_t>& words, std::vector<std::int64_t>& taken) {
    // An edge that is being written: its next token and its next tail.
    struct Open {
      std::int64_t token, end, tail;
    };
    std::vector<Open> open;
    const auto push = [&](const Segment& s) {
      open.push_back({forests_.offsets[s.edge], forests_.offsets[s.edge + 1], s.tails});
      taken.push_back(s.edge);
    };
    push(segment);
    while (!open.empty()) {
      Open& top = open.back();
      if (top.token == top.end) {
        open.pop_back();
        continue;
      }
      const std::int32_t token = forests_.tokens[top.token++];
      polls_(5);
      if (token >= 0) {
        words.push_back(token);
      } else {
        push(of_vertex_[-1 - token - first_][pool_[top.tail++]]);
      }
    }
  }

 private:
  // The lines of an edge: the sum of its own and its tails' envelopes, which has a line between any two of their
  // points.
  void add(std::int64_t edge, std::vector<Segment>& lines) {
    tails_.clear();
    for (std::int64_t at = forests_.offsets[edge]; at < forests_.offsets[edge + 1]; ++at) {
      if (forests_.tokens[at] < 0) tails_.push_back(&of_vertex_[-1 - forests_.tokens[at] - first_]);
    }
    for (const std::vector<Segment>* tail : tails_) {
      if (tail->empty()) return;  // nothing derives it
    }
    at_.assign(tails_.size(), 0);
    while (true) {
      Segment line{slopes_[edge], intercepts_[edge], -kInfinity, edge, static_cast<std::int64_t>(pool_.size())};
      double next = kInfinity;
      for (std::size_t i = 0; i < tails_.size(); ++i) {
        const Segment& part = (*tails_[i])[at_[i]];
        line.slope += part.slope;
        line.intercept += part.intercept;
        pool_.push_back(at_[i]);
        if (at_[i] + 1u < tails_[i]->size()) next = std::min(next, (*tails_[i])[at_[i] + 1].begin);
      }
      lines.push_back(line);
      polls_(20);
      if (next == kInfinity) return;
      for (std::size_t i = 0; i < tails_.size(); ++i) {
        if (at_[i] + 1u < tails_[i]->size() && (*tails_[i])[at_[i] + 1].begin == next) ++at_[i];
      }
    }
  }

  const Forests& forests_;
  const std::span<const double> slopes_, intercepts_;
  std::int64_t first_ = 0;
  std::vector<std::vector<Segment>> of_vertex_;
  std::vector<std::int32_t> pool_;
  // Scratch of `add`.
  std::vector<const std::vector<Segment>*> tails_;
  std::vector<std::int32_t> at_;
  Polls polls_;
};

void check_offsets(const std::vector<std::int64_t>& offsets, std::size_t end, const char* what) {
  if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
      static_cast<std::size_t>(offsets.back()) != end) {
    throw std::invalid_argument(std::string(what) + " must go up from 0 to the number of what they part");
  }
}

}  // namespace

void Forests::check() const {
  check_offsets(offsets, tokens.size(), "offsets of tokens");
  check_offsets(edges, offsets.size() - 1, "offsets of edges");
  check_offsets(firsts, edges.size() - 1, "offsets of vertices");
  for (std::size_t forest = 0; forest + 1 < firsts.size(); ++forest) {
    if (firsts[forest] == firsts[forest + 1]) throw std::invalid_argument("a forest has no vertex");
    for (std::int64_t vertex = firsts[forest]; vertex < firsts[forest + 1]; ++vertex) {
      for (std::int64_t at = offsets[edges[vertex]]; at < offsets[edges[vertex + 1]]; ++at) {
        const std::int64_t tail = -1 - static_cast<std::int64_t>(tokens[at]);
        if (tokens[at] < 0 && (tail < firsts[forest] || tail >= vertex)) {
          throw std::invalid_argument("a tail is no vertex before its head");
        }
      }
    }
  }
}

Envelopes envelopes(const Forests& forests, std::span<const double> slopes, std::span<const double> intercepts,
                    bool with_words) {
  const std::size_t edges = forests.offsets.size() - 1;
  if (slopes.size() != edges || intercepts.size() != edges) {
    throw std::invalid_argument("slopes and intercepts are one an edge");
  }
  EnvelopeFinder finder(forests, slopes, intercepts);
  Envelopes found;
  for (std::size_t forest = 0; forest + 1 < forests.firsts.size(); ++forest) {
    for (const Segment& segment : finder.find(forest)) {
      found.begins.push_back(segment.begin);
      found.edges.push_back(segment.edge);
      if (with_words) {
        finder.write(segment, found.words, found.taken);
        found.taken_offsets.push_back(static_cast<std::int64_t>(found.taken.size()));
        found.word_offsets.push_back(static_cast<std::int64_t>(found.words.size()));
      }
    }
    found.offsets.push_back(static_cast<std::int64_t>(found.begins.size()));
  }
  return found;
}

Sweep sweep(std::span<const std::int64_t> offsets, std::span<const double> begins, std::span<const std::int64_t> rows,
            std::span<const double> statistics, std::size_t columns) {
  struct Change {
    double at;
    std::int64_t from, to;
  };
  const auto row = [&](std::int64_t number) { return statistics.data() + number * columns; };
  std::vector<double> sum(columns);
  std::vector<Change> changes;
  for (std::size_t forest = 0; forest + 1 < offsets.size(); ++forest) {
    const std::int64_t end = offsets[forest + 1];
    if (offsets[forest] == end) continue;
    const double* first = row(rows[offsets[forest]]);
    for (std::size_t i = 0; i < columns; ++i) sum[i] += first[i];
    for (std::int64_t at = offsets[forest] + 1; at < end; ++at) {
      const double *before = row(rows[at - 1]), *after = row(rows[at]);
      if (!std::equal(before, before + columns, after)) changes.push_back({begins[at], rows[at - 1], rows[at]});
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  Sweep found;
  found.sums = sum;
  Polls polls;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double *before = row(changes[i].from), *after = row(changes[i].to);
    for (std::size_t j = 0; j < columns; ++j) sum[j] += after[j] - before[j];
    polls(static_cast<std::int64_t>(columns) + 5);
    if (i + 1 < changes.size() && changes[i + 1].at == changes[i].at) continue;
    found.points.push_back(changes[i].at);
    found.sums.insert(found.sums.end(), sum.begin(), sum.end());
  }
  return found;
}

}  // namespace fstmetrics
