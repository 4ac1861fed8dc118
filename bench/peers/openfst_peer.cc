// The peer of the bench: shortest paths by OpenFst 1.7.9, timed in CPU milliseconds.
//
// Reads one question a line from standard input, fields separated by tabs, and answers each with a line of JSON:
//   ROUTE  WINDOW  LEFT  RIGHT      LEFT, RIGHT: `words:a b c` or `file:PATH` (see machines.h)
//   prepare  PATH                   reads a machine and makes it ready
// Routes: `literal` (string against machine, the recipe of [H12]); `dijkstra`, `astar-words`, `astar-lengths` and
// `astar` (any two sides, by edit_fst.h with less and more of an estimate); `grr` (lattice against string).
// A machine is read once and kept; everything that depends on the string is inside the time.
#include <ctime>
#include <iostream>
#include <map>

#include "grr.h"
#include "recipes.h"

namespace peer {
namespace {

constexpr double kLeastMs = 30, kEnoughMs = 300;  // repeat a problem for at least, at most about this long
constexpr size_t kLeastRuns = 3, kMostRuns = 200;
const std::map<std::string, Look> kLooks = {
    {"dijkstra", Look::kNothing}, {"astar-words", Look::kLeftWords}, {"astar-lengths", Look::kLengths},
    {"astar", Look::kBothSides}};

bool Unfinished(double total, size_t runs) {
  if (runs == 0 || total >= kEnoughMs) return runs == 0;
  return runs < kLeastRuns || (total < kLeastMs && runs < kMostRuns);
}

double CpuMs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

std::vector<std::string> Fields(const std::string &line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

class Peer {
 public:
  std::string Reply(const std::vector<std::string> &fields) {
    if (fields.size() == 2 && fields[0] == "prepare") return Preparation(fields[1]);
    if (fields.size() != 4) throw std::runtime_error("expected four fields separated by tabs");
    const int window = std::stoi(fields[1]);
    std::vector<double> times;
    Answer answer;
    Load(fields[2]);
    Load(fields[3]);
    for (double total = 0; Unfinished(total, times.size());) {
      const double start = CpuMs();
      answer = Solve(fields[0], window, fields[2], fields[3]);
      times.push_back(CpuMs() - start);
      total += times.back();
    }
    std::sort(times.begin(), times.end());
    std::ostringstream out;
    out << "{\"cost\": " << answer.cost << ", \"ms\": " << times[times.size() / 2] << ", \"states\": " << answer.states
        << ", \"runs\": " << times.size() << "}";
    return out.str();
  }

 private:
  std::string Preparation(const std::string &path) {
    const double start = CpuMs();
    const Machine machine = ReadMachine(path, &vocabulary_);
    std::ostringstream out;
    out << "{\"ms\": " << CpuMs() - start << ", \"cards\": " << machine.cards.size() << "}";
    return out.str();
  }

  static bool IsFile(const std::string &side) { return side.rfind("file:", 0) == 0; }
  std::vector<Label> WordsOf(const std::string &side) const { return Words(side.substr(6), vocabulary_); }
  const Machine &Load(const std::string &side) {
    if (!IsFile(side)) {
      if (side.rfind("words:", 0) != 0) throw std::runtime_error("a side is words:... or file:...");
      return machines_[""];
    }
    const auto path = side.substr(5);
    const auto found = machines_.find(path);
    if (found != machines_.end()) return found->second;
    return machines_.emplace(path, ReadMachine(path, &vocabulary_)).first->second;
  }

  Answer Solve(const std::string &route, int window, const std::string &left, const std::string &right) {
    if (route == "literal") return LiteralDijkstra(WordsOf(left), window, Load(right));
    if (route == "grr") return RecognisedNgrams(Load(left), WordsOf(right));
    const auto look = kLooks.find(route);
    if (look == kLooks.end()) throw std::runtime_error("no such route: " + route);
    if (IsFile(left)) return BothBranching(Load(left), Load(right), look->second);
    return FromString(WordsOf(left), window, Load(right), look->second);
  }

  Answer FromString(const std::vector<Label> &words, int window, const Machine &machine, Look look) {
    WordSet mine(vocabulary_.Size());
    for (const Label word : words) mine.Add(word);
    WindowSide left(words, window, machine.words);
    return WithRight(&left, machine, mine, look);
  }
  template <class Left>
  static Answer WithRight(Left *left, const Machine &machine, const WordSet &other, Look look) {
    if (machine.cards.size() == 1) {
      LatticeSide right(machine, other);
      return AStar(left, &right, look);
    }
    NetworkSide right(machine, other);
    return AStar(left, &right, look);
  }
  static Answer BothBranching(const Machine &first, const Machine &second, Look look) {
    if (first.cards.size() == 1) {
      LatticeSide left(first, second.words);
      return WithRight(&left, second, first.words, look);
    }
    NetworkSide left(first, second.words);
    return WithRight(&left, second, first.words, look);
  }

  Vocabulary vocabulary_;
  std::map<std::string, Machine> machines_;
};

}  // namespace
}  // namespace peer

int main() {
  peer::Peer peer;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << peer.Reply(peer::Fields(line)) << std::endl;
    } catch (const std::exception &error) {
      std::cout << "{\"error\": \"" << error.what() << "\"}" << std::endl;
    }
  }
}
