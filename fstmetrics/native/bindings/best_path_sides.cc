#include "bindings/best_path_sides.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>

#include "bindings/arrays.h"
#include "bindings/lattices.h"
#include "bindings/record_rows.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
#include "formats/lattice_words.h"
#include "support/crew.h"
#include "text/spaced_words.h"

namespace fstmetrics {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

nb::object words_at(const BestPathSides& best, std::int64_t i) {
  if (i < 0 || i >= static_cast<std::int64_t>(best.size())) throw nb::index_error();
  nb::list words;
  for (const std::string_view word : best.words(static_cast<std::size_t>(i))) words.append(decoded(word));
  return nb::tuple(words);
}

// `id word word ...` lines.
std::string id_lines_of(const TextColumn& ids, const TextColumn& texts) {
  if (ids.size() != texts.size()) throw std::invalid_argument("as many ids as texts");
  std::string lines;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    lines.append(ids.texts[i]);
    if (!texts.texts[i].empty()) lines.append(" ").append(texts.texts[i]);
    lines.append("\n");
  }
  return lines;
}

}  // namespace

BestPathSides::BestPathSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& given,
                             std::optional<double> scale, int threads)
    : column_(std::move(column)), words_(column_->size()), posteriors_(scale ? column_->size() : 0) {
  std::mutex mutex;
  share_out(column_->size(), threads, [&](std::size_t i) {
    if (find(i, given, scale)) return;
    const std::lock_guard lock(mutex);
    if (!failure_ || i < *failure_) failure_ = i;
  });
}

bool BestPathSides::find(std::size_t i, const GivenScales& given, std::optional<double> scale) {
  if (!(*column_)[i].automaton) return false;
  try {
    if (!scale) {
      words_[i] = best_words(*column_, i, given);
      return true;
    }
    const std::optional<std::vector<SureWord>> found = sure_words(*column_, i, given, *scale);
    if (!found) return false;
    for (const SureWord& word : *found) {
      words_[i].push_back(column_->word(i, (*column_)[i].automaton->all_arcs()[word.arc].label).view());
      posteriors_[i].push_back(word.posterior);
    }
    return true;
  } catch (const std::invalid_argument&) {  // whoever looks at the lattice alone says why
    return false;
  }
}

WeightedSides::WeightedSides(std::shared_ptr<const LatticeColumn> column, const GivenScales& given, double per_nat,
                             int threads)
    : paths_(column->size()) {
  share_out(column->size(), threads, [&](std::size_t i) {
    if (!(*column)[i].automaton) return;
    try {
      paths_[i] = weighted_paths(*column, i, given, per_nat);
    } catch (const std::invalid_argument&) {}  // whoever looks at the lattice alone says why
  });
  const auto missing = std::ranges::find_if(paths_, [](const auto& paths) { return !paths; });
  if (missing != paths_.end()) failure_ = static_cast<std::size_t>(missing - paths_.begin());
}

std::vector<double> WeightedSides::least_costs(std::span<const std::vector<std::string_view>> words,
                                               std::span<const std::int64_t> ends) const {
  if (failure_ || ends.size() != paths_.size()) throw std::invalid_argument("an end of words for each lattice");
  std::vector<double> costs;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto end = std::min(words.size(), static_cast<std::size_t>(std::max<std::int64_t>(ends[i], 0)));
    while (costs.size() < end) costs.push_back(paths_[i]->least_cost(words[costs.size()]));
  }
  return costs;
}

void bind_best_path_sides(nb::module_& m) {
  nb::class_<WeightedSides>(m, "WeightedSides",
                            "Of each lattice of a column its paths with one cost an arc: a side of a search.")
      .def(
          "__init__",
          [](WeightedSides* self, const BoundColumn& bound, std::optional<double> lm, std::optional<double> acoustic,
             std::optional<double> word_penalty, double per_nat, int threads) {
            const Unlocked unlocked;
            new (self) WeightedSides(bound.column, {lm, acoustic, word_penalty}, per_nat, threads);
          },
          "column"_a, "lm"_a.none(), "acoustic"_a.none(), "word_penalty"_a.none(), "per_nat"_a, "threads"_a = 1,
          "Weights as of OracleSides; so many units of cost make a natural log.")
      .def("__len__", &WeightedSides::size)
      .def(
          "least_costs",
          [](const WeightedSides& sides, const PathWords& paths, Longs ends) {
            std::vector<double> costs;
            {
              const Unlocked unlocked;
              costs = sides.least_costs(paths.words, {ends.data(), ends.size()});
            }
            return to_numpy(std::move(costs));
          },
          "paths"_a, "ends"_a, kOwned,
          "The least cost of a path with each words, in natural logs; those of each lattice end before `ends`.")
      .def_prop_ro(
          "failure", &WeightedSides::failure,
          "The number of the first lattice that has no such paths here, as it is damaged, cyclic, has none, or "
          "is weighed another way; None if there is none.");
  nb::class_<BestPathSides>(
      m, "BestPathSides", nb::sig("class BestPathSides(Sequence[tuple[str, ...]])"),
      "Of each lattice of a column the words of its own best path, without sentence boundaries: a side of a search.")
      .def(
          "__init__",
          [](BestPathSides* self, const BoundColumn& bound, std::optional<double> lm, std::optional<double> acoustic,
             std::optional<double> word_penalty, std::optional<double> posteriors, int threads) {
            const Unlocked unlocked;
            new (self) BestPathSides(bound.column, {lm, acoustic, word_penalty}, posteriors, threads);
          },
          "column"_a, "lm"_a = nb::none(), "acoustic"_a = nb::none(), "word_penalty"_a = nb::none(),
          "posteriors"_a = nb::none(), "threads"_a = 1,
          "Weights as of OracleSides. `posteriors`: a factor of costs, by which words have posteriors; None: they have "
          "none.")
      .def("__len__", &BestPathSides::size)
      .def("__getitem__", &words_at, "index"_a, nb::sig("def __getitem__(self, index: typing.Any, /) -> typing.Any"))
      .def_prop_ro("failure", &BestPathSides::failure,
                   "The number of the first lattice that has no such words, which looked at alone says why; None if "
                   "there is none.")
      .def(
          "texts",
          [](const BestPathSides& best) {
            const Unlocked unlocked;
            return shared_texts(spaced_words(best.all_words()));
          },
          "The words of each with spaces between.")
      .def(
          "posteriors",
          [](const BestPathSides& best) {
            std::vector<double> all;
            for (std::size_t i = 0; i < best.size(); ++i) {
              all.insert(all.end(), best.posteriors(i).begin(), best.posteriors(i).end());
            }
            return to_numpy(std::move(all));
          },
          kOwned, "Of all words, one lattice behind the other.");
  m.def(
      "id_text_lines",
      [](const BoundTexts& ids, const BoundTexts& texts) {
        std::string lines;
        {
          const Unlocked unlocked;
          lines = id_lines_of(*ids.all(), *texts.all());
        }
        return nb::bytes(lines.data(), lines.size());
      },
      "ids"_a, "texts"_a, "The bytes of `id word word ...` lines.");
}

}  // namespace fstmetrics
