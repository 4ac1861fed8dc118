// The peer of the bench: shortest paths by OpenFst 1.7.9, timed in CPU milliseconds.
//
// Reads one question a line from standard input, fields separated by a tab, and answers each with a line of JSON:
//   ROUTE  FOLDER      an item's machines (see machines.h)
//   prepare  FOLDER    reads R and makes it ready
// Routes, the first three by OpenFst's composition of H, T and R (products.h): `eager`, as a whole; `lazy`, delayed, by
// Dijkstra, or in topological order where there are gains; `astar`, delayed, by A*. The others are for costs of 1, by
// one delayed machine in place of T (edit_fst.h): `edit-dijkstra`, `edit-lengths` and `edit-astar`, with more and more of
// an estimate.
// An item is read once and kept. What depends on both sides is inside the time, but for what `eager` makes of R alone.
#include <ctime>
#include <iostream>
#include <map>

#include "products.h"

namespace peer {
namespace {

constexpr double kLeastMs = 30, kEnoughMs = 300;  // repeat a problem for at least, at most about this long
constexpr size_t kLeastRuns = 3, kMostRuns = 200;
const std::map<std::string, Look> kLooks = {
    {"edit-dijkstra", Look::kNothing}, {"edit-lengths", Look::kLengths}, {"edit-astar", Look::kBothSides}};

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
    if (fields.size() != 2) throw std::runtime_error("expected two fields separated by a tab");
    const auto &item = Load(fields[1]);
    std::unique_ptr<AnyFst> references = References(item.references);
    if (fields[0] == "eager") references = std::make_unique<Fst>(*references);
    std::vector<double> times;
    Answer answer;
    for (double total = 0; Unfinished(total, times.size());) {
      const double start = CpuMs();
      answer = Solve(fields[0], item, *references);
      times.push_back(CpuMs() - start);
      total += times.back();
    }
    std::sort(times.begin(), times.end());
    std::ostringstream out;
    out << "{\"cost\": " << answer.cost << ", \"ms\": " << times[times.size() / 2] << ", \"states\": " << answer.states
        << ", \"arcs\": " << answer.arcs << ", \"runs\": " << times.size() << "}";
    return out.str();
  }

 private:
  std::string Preparation(const std::string &path) {
    const double start = CpuMs();
    const Machine machine = ReadReferences(path);
    std::ostringstream out;
    out << "{\"ms\": " << CpuMs() - start << ", \"cards\": " << machine.cards.size() << "}";
    return out.str();
  }

  const Item &Load(const std::string &folder) {
    const auto found = items_.find(folder);
    if (found != items_.end()) return found->second;
    items_.clear();  // one at a time
    return items_.emplace(folder, ReadItem(folder)).first->second;
  }

  static Answer Solve(const std::string &route, const Item &item, const AnyFst &references) {
    if (route == "eager") return Eager(item, references);
    if (route == "lazy") return item.has_gains ? InOrder(item) : Dijkstra(item);
    LatticeSide left(item.hypothesis, item.references.words);
    if (item.references.cards.size() == 1) {
      LatticeSide right(item.references, item.hypothesis.words);
      return Searched(route, item, &left, &right);
    }
    NetworkSide right(item.references, item.hypothesis.words);
    return Searched(route, item, &left, &right);
  }
  template <class Right>
  static Answer Searched(const std::string &route, const Item &item, LatticeSide *left, Right *right) {
    if (route == "astar") return ProductAStar(item, left, right);
    const auto look = kLooks.find(route);
    if (look == kLooks.end()) throw std::runtime_error("no such route: " + route);
    const Left all = left->LeftOf(left->Start());
    // The estimate of `edit-lengths` looks at the words of the side that is a string.
    return all.low == all.high ? AStar(left, right, look->second) : AStar(right, left, look->second);
  }

  std::map<std::string, Item> items_;
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
