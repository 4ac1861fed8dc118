#include "bindings/voting.h"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "voting/word_slots.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

using SlotTable = nb::ndarray<nb::numpy, std::int32_t>;

SlotTable slots_of(const std::vector<Ints>& words, const std::vector<Doubles>& begins, const std::vector<Doubles>& ends,
                   bool by_time) {
  const bool have_times = !begins.empty();
  if (words.empty() || begins.size() != ends.size() || (have_times && begins.size() != words.size()))
    throw std::invalid_argument("times are those of all systems, or of none");
  std::vector<SpokenWords> systems;
  for (std::size_t system = 0; system < words.size(); ++system) {
    SpokenWords spoken{{words[system].data(), words[system].size()}, {}, {}};
    if (have_times) {
      if (begins[system].size() != words[system].size() || ends[system].size() != words[system].size())
        throw std::invalid_argument("every word has a begin and an end");
      spoken.begins = {begins[system].data(), begins[system].size()};
      spoken.ends = {ends[system].data(), ends[system].size()};
    }
    systems.push_back(spoken);
  }
  std::vector<std::int32_t> found;
  {
    const Unlocked unlocked;
    found = word_slots(systems, by_time && have_times);
  }
  return to_numpy(std::move(found), words.size());
}

}  // namespace

void bind_voting(nb::module_& m) {
  m.def("word_slots", &slots_of, "words"_a, "begins"_a, "ends"_a, "by_time"_a,
        "The slots of SCTK's rover, shape [slots, systems]: the place of each system's word, or -1. Words are numbers "
        "from 0; begins and ends in seconds, of all systems or of none.");
}

}  // namespace fstmetrics
