// A plain dense programme, the baseline without pruning or bits: every (arc, position, memory) is computed.
//
// Reads one question a line from standard input, fields separated by tabs, and answers each with a line of JSON:
//   ROUTE  WINDOW  LEFT  RIGHT      LEFT, RIGHT: `words:a b c` or `file:PATH`
// Two routes: `grr` (lattice, then reference) and `edits` (window 1, string, then lattice). The file of a lattice has one
// item a line; an arc leads to a higher state:
//   card STATES START
//   final STATE
//   word FROM TO WORD
#include <algorithm>
#include <climits>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr int kNever = INT_MAX / 4;
constexpr int kMemories = 4;  // of 4-GRR, with alpha = 1 and beta = 0
constexpr double kLeastMs = 30;
constexpr size_t kLeastRuns = 3, kMostRuns = 200;

struct Arc {
  int from, to, word;
};

struct Lattice {
  int states = 0;
  std::vector<Arc> arcs;  // by the state they leave, in topological order
  std::vector<int> finals;
};

std::unordered_map<std::string, int> vocabulary;

Lattice Read(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Lattice lattice;
  std::string kind, word;
  for (int from, to; file >> kind;) {
    if (kind == "card") {
      file >> lattice.states >> from;
    } else if (kind == "final") {
      file >> from;
      lattice.finals.push_back(from);
    } else {
      file >> from >> to >> word;
      if (to <= from) throw std::runtime_error("dense: an arc to an earlier state");
      const int label = word == "<eps>" ? -1 : vocabulary.try_emplace(word, vocabulary.size()).first->second;
      lattice.arcs.push_back({from, to, label});
    }
  }
  std::stable_sort(lattice.arcs.begin(), lattice.arcs.end(),
                   [](const Arc &a, const Arc &b) { return a.from < b.from; });
  return lattice;
}

std::vector<int> Words(const std::string &text) {
  std::vector<int> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const auto found = vocabulary.find(word);
    words.push_back(found == vocabulary.end() ? -2 : found->second);
  }
  return words;
}

void Lower(int *cell, int value) { *cell = std::min(*cell, value); }

// Least cost of `reference` against any path; cells are [state][position][memory], position 0 the start.
template <int kWidth, class Row>
std::pair<int, size_t> Sweep(const Lattice &lattice, const std::vector<int> &reference, Row &&row) {
  const size_t positions = reference.size() + 1, width = positions * kWidth;
  std::vector<int> cells(lattice.states * width, kNever);
  cells[0] = 0;
  auto arc = lattice.arcs.begin();
  for (int state = 0; state < lattice.states; ++state) {
    int *here = &cells[state * width];
    row.Close(here, positions);
    for (; arc != lattice.arcs.end() && arc->from == state; ++arc) row.Step(here, &cells[arc->to * width], arc->word);
  }
  int best = kNever;
  for (const int state : lattice.finals) {
    const int *last = &cells[state * width + width - kWidth];
    best = std::min(best, *std::min_element(last, last + kWidth));
  }
  return {best, lattice.arcs.size() * width};
}

struct EditRow {
  const std::vector<int> &reference;
  void Close(int *here, size_t positions) const {
    for (size_t j = 1; j < positions; ++j) Lower(&here[j], here[j - 1] + 1);
  }
  void Step(const int *here, int *next, int word) const {
    const size_t length = reference.size();
    if (word == -1) {
      for (size_t j = 0; j <= length; ++j) Lower(&next[j], here[j]);
      return;
    }
    for (size_t j = 0; j <= length; ++j) Lower(&next[j], here[j] + 1);
    for (size_t j = 0; j < length; ++j) Lower(&next[j + 1], here[j] + (reference[j] != word));
  }
};

struct NgramRow {
  const std::vector<int> &reference;
  void Close(int *here, size_t positions) const {
    for (size_t j = 1; j < positions; ++j) {
      const int *from = here + (j - 1) * kMemories;
      Lower(&here[j * kMemories], *std::min_element(from, from + kMemories));
    }
  }
  void Step(const int *here, int *next, int word) const {
    const size_t length = reference.size();
    if (word == -1) {
      for (size_t j = 0; j < (length + 1) * kMemories; ++j) Lower(&next[j], here[j]);
      return;
    }
    for (size_t j = 0; j <= length; ++j) {
      const int *from = here + j * kMemories;
      int *same = next + j * kMemories, *after = same + kMemories;
      const int least = std::min(std::min(from[0], from[1]), std::min(from[2], from[3]));
      Lower(&same[0], least + 1);
      if (j == length) break;
      Lower(&after[0], least);
      if (reference[j] != word) continue;
      Lower(&after[1], from[0] - 1);
      Lower(&after[2], from[1] - 2);
      Lower(&after[3], std::min(from[2] - 3, from[3] - 4));
    }
  }
};

double CpuMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

std::string Reply(const std::string &line) {
  static std::map<std::string, Lattice> lattices;
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  if (fields.size() != 4) throw std::runtime_error("expected four fields separated by tabs");
  const bool grr = fields[0] == "grr";
  const auto &path = fields[grr ? 2 : 3], &text = fields[grr ? 3 : 2];
  auto found = lattices.find(path);
  if (found == lattices.end()) found = lattices.emplace(path, Read(path.substr(5))).first;
  std::vector<double> times;
  std::pair<int, size_t> answer;
  for (double total = 0; times.size() < kLeastRuns || (total < kLeastMs && times.size() < kMostRuns);) {
    const double start = CpuMs();
    const auto words = Words(text.substr(6));
    answer = grr ? Sweep<kMemories>(found->second, words, NgramRow{words})
                 : Sweep<1>(found->second, words, EditRow{words});
    times.push_back(CpuMs() - start);
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  std::ostringstream out;
  out << "{\"cost\": " << answer.first << ", \"ms\": " << times[times.size() / 2] << ", \"states\": " << answer.second
      << ", \"runs\": " << times.size() << "}";
  return out.str();
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << Reply(line) << std::endl;
    } catch (const std::exception &error) {
      std::cout << "{\"error\": \"" << error.what() << "\"}" << std::endl;
    }
  }
}
