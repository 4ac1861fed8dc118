#include "bindings/found.h"

#include <unordered_map>

#include "bindings/python_sides.h"
#include "bindings/strings.h"
#include "support/crew.h"
#include "text/word_table.h"

namespace fstmetrics {
namespace {

nb::object kept(PyObject* made) {
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

// A tuple of what make(i) gives, new references.
template <class Make>
nb::tuple tuple_of(std::size_t size, Make make) {
  nb::object tuple = kept(PyTuple_New(static_cast<Py_ssize_t>(size)));
  for (std::size_t i = 0; i < size; ++i) PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), make(i));
  return nb::borrow<nb::tuple>(tuple);
}

// The Python words of an item's side by label. Labels of a text number its words, or, where the steps of a path were
// spelled out from its operations, the places of its words.
class Wording {
 public:
  // `text`: which one, of several.
  Wording(const SideColumn& column, std::size_t item, std::int32_t text, bool spelled_out) {
    if (const auto* sides = dynamic_cast<const PythonSides*>(&column)) words_ = sides->words(item);
    if (words_) return;
    const Given side = column.given(item);
    if (const auto* graph = std::get_if<const Graph*>(&side)) {
      graph_ = *graph;
      return;
    }
    words_by_label(side, text, spelled_out, by_label_);
    made_.resize(by_label_.size());
  }

  // A new reference; None for epsilon.
  PyObject* operator()(Label label) {
    if (label == kEpsilon) return nb::object(nb::none()).release().ptr();
    if (graph_) return to_str(graph_->table().word(label).view()).release().ptr();
    PyObject* word = words_ ? PyTuple_GetItem(words_->ptr(), label) : made(static_cast<std::size_t>(label) - 1);
    Py_INCREF(word);
    return word;
  }

 private:
  PyObject* made(std::size_t place) {
    nb::object& word = made_[place];
    if (!word.is_valid()) word = to_str(by_label_[place].view());
    return word.ptr();
  }

  std::optional<nb::tuple> words_;  // of a graph that Python has made
  const Graph* graph_ = nullptr;    // of another
  std::vector<Word> by_label_;
  std::vector<nb::object> made_;
};

// Makes instances of a subclass of tuple without calling its own constructor.
class Maker {
 public:
  explicit Maker(nb::handle type) : type_(reinterpret_cast<PyTypeObject*>(type.ptr())) {
    if (!PyType_Check(type.ptr()) || !PyType_IsSubtype(type_, &PyTuple_Type))
      throw nb::type_error("a subclass of tuple");
    for (const char* letter : kLetters) letters_.push_back(nb::str(letter));
  }

  nb::object operator()(const Step& step, Wording& hypothesis, Wording& reference) const {
    nb::object pair = kept(PyType_GenericAlloc(type_, 5));
    const bool placed = step.hypothesis != kEpsilon;
    PyTuple_SetItem(pair.ptr(), 0, nb::object(letters_[static_cast<int>(step.op)]).release().ptr());
    PyTuple_SetItem(pair.ptr(), 1, hypothesis(step.hypothesis));
    PyTuple_SetItem(pair.ptr(), 2, reference(step.reference));
    PyTuple_SetItem(pair.ptr(), 3, placed ? PyLong_FromLong(step.origin) : nb::object(nb::none()).release().ptr());
    PyTuple_SetItem(pair.ptr(), 4, PyLong_FromLong(step.moves));
    return pair;
  }

 private:
  PyTypeObject* type_;
  std::vector<nb::object> letters_;
};

Found::Counts counts_of(const Totals& t) {
  const std::int64_t substitutions = t.reference_words - t.matches - t.deletions;
  return {t.cost,      t.matches, substitutions,    t.edits - substitutions - t.deletions,
          t.deletions, t.moves,   t.reference_words};
}

}  // namespace

void keep_first(std::vector<Word>& words) {
  thread_local WordTable table;
  table.reset(words.size());
  Label known = 0;
  std::erase_if(words, [&](const Word& word) {
    const bool is_new = table.intern(word) > known;
    known = table.size();
    return !is_new;
  });
}

void words_by_label(const Given& side, std::int32_t text, bool spelled_out, std::vector<Word>& words) {
  if (const auto* one = std::get_if<Text>(&side)) {
    one->words(words);
  } else if (const Texts& texts = std::get<Texts>(side); text >= 0) {
    texts.at(static_cast<std::size_t>(text)).words(words);
  } else {
    std::vector<Word> some;
    words.clear();
    for (const Text& each : texts) {
      each.words(some);
      words.insert(words.end(), some.begin(), some.end());
    }
  }
  if (!spelled_out) keep_first(words);
}

namespace {

const StoredPath& path_of(const Answer& found, std::size_t path) {
  if (path >= found.paths.size()) throw nb::index_error();
  return found.paths[path];
}

}  // namespace

// Where the hypothesis word of a step stands; of alternatives and networks, whose arcs come from several cards, among
// the words of the path, of which `words` were before. -1: the step has none.
std::int32_t position_of(const Step& step, std::int32_t& words) {
  if (step.hypothesis == kEpsilon) return -1;
  const std::int32_t word = words++;
  return step.origin >= 0 ? step.origin : word;
}

std::vector<Op> Found::left_ops_of(std::size_t item) const {
  return left_ops(std::get<Text>(hypothesis(item)), std::get<Text>(reference(item)));
}

std::vector<Step> Found::steps(std::size_t item, std::size_t path) const {
  const Answer& found = answer(item);
  if (!is_spelled_out(found)) {
    const std::span<const Step> given = path_of(found, path).steps;
    std::vector<Step> steps(given.begin(), given.end());
    std::int32_t h = 0;
    for (Step& step : steps) step.origin = position_of(step, h);
    return steps;
  }
  std::vector<Op> left;
  if (found.are_ops_left) left = left_ops_of(item);
  const std::vector<Op>& ops = found.are_ops_left ? left : found.ops;
  std::vector<Step> steps;
  steps.reserve(ops.size());
  std::int32_t h = 0, r = 0;
  for (const Op op : ops) {
    Step& step = steps.emplace_back(Step{op});
    if (op != Op::kDeletion) step.origin = h++, step.hypothesis = h;
    if (op != Op::kInsertion) step.reference_origin = r++, step.reference = r;
  }
  return steps;
}

Found Found::part(std::size_t first, std::size_t step) const {
  if (step == 0) throw nb::value_error("a step is at least 1");
  Found some = *this;
  some.first_ = place(first);
  some.step_ = step_ * step;
  some.size_ = first < size_ ? (size_ - first + step - 1) / step : 0;
  return some;
}

namespace {

// A side of other items, which come several times.
class RepeatedSides : public SideColumn {
 public:
  RepeatedSides(std::shared_ptr<const SideColumn> sides, std::vector<std::size_t> places)
      : sides_(std::move(sides)), places_(std::move(places)) {}
  std::size_t size() const override { return places_.size(); }
  Given given(std::size_t item) const override { return sides_->given(places_[item]); }
  bool needs_python() const override { return sides_->needs_python(); }

 private:
  std::shared_ptr<const SideColumn> sides_;
  std::vector<std::size_t> places_;
};

}  // namespace

std::pair<Found, std::vector<std::int64_t>> Found::paths_apart() const {
  Answers apart;
  std::vector<std::size_t> places;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t item = 0; item < size_; ++item) {
    const Answer& found = answer(item);
    if (found.paths.empty()) apart.items.push_back(found);
    for (std::size_t path = 0; path < found.paths.size(); ++path) {
      apart.items.push_back({found.route, found.counters, found.paths[path].totals, {}, found.paths.subspan(path, 1)});
    }
    places.resize(apart.items.size(), place(item));
    offsets.push_back(static_cast<std::int64_t>(apart.items.size()));
  }
  // What was asked, and the paths that were found, are kept with the sides.
  const auto side = [&](const SideColumn& column) {
    return std::make_unique<RepeatedSides>(std::shared_ptr<const SideColumn>(all_, &column), places);
  };
  return {Found(side(*all_->hypotheses), side(*all_->references), std::move(apart), all_->threads), std::move(offsets)};
}

const Answer& Found::answer(std::size_t item) const {
  if (item >= size_) throw nb::index_error();
  return all_->answers.items[place(item)];
}

Found::Counts Found::counts(std::size_t item, std::size_t path) const {
  const Answer& found = answer(item);
  return counts_of(found.paths.empty() ? found.best : path_of(found, path).totals);
}

std::vector<std::int64_t> Found::all_counts() const {
  std::vector<std::int64_t> all;
  all.reserve(size() * kCounts);
  for (std::size_t item = 0; item < size_; ++item) {
    const Answer& found = answer(item);
    const Counts counts = counts_of(found.best);
    all.insert(all.end(), counts.begin(), counts.end());
  }
  return all;
}

std::vector<std::int64_t> Found::add_to(Tally& tally) const {
  std::vector<std::int64_t> kinds;
  kinds.reserve(size());
  for (std::size_t item = 0; item < size_; ++item)
    kinds.push_back(static_cast<std::int64_t>(tally.add(counts_of(answer(item).best))));
  return kinds;
}

Found::Operations Found::operations() const {
  Operations all;
  all.begins.reserve(size() + 1);
  const auto add = [&](Op op, std::int32_t h, std::int32_t r) {
    if (op == Op::kEpsilon) return;
    all.letters.push_back(static_cast<std::uint8_t>(kLetters[static_cast<int>(op)][0]));
    all.hypothesis.push_back(h);
    all.closest.push_back(r);
  };
  std::vector<std::vector<Op>> left(size_);
  share_out(size_, all_->threads, [&](std::size_t item) {
    if (answer(item).are_ops_left) left[item] = left_ops_of(item);
  });
  for (std::size_t item = 0; item < size_; ++item) {
    const Answer& found = answer(item);
    std::int32_t h = 0, r = 0;
    if (is_spelled_out(found)) {
      for (const Op op : found.are_ops_left ? left[item] : found.ops) {
        add(op, op == Op::kDeletion ? -1 : h, op == Op::kInsertion ? -1 : r);
        h += op != Op::kDeletion, r += op != Op::kInsertion;
      }
    } else {
      for (const Step& step : found.paths.front().steps) {
        const bool has_reference = step.reference != kEpsilon;
        add(step.op, position_of(step, h), has_reference ? r : -1);
        r += has_reference;
      }
    }
    all.begins.push_back(static_cast<std::int64_t>(all.letters.size()));
  }
  return all;
}

std::optional<Found::Counts> Found::sums() const {
  Counts sums{};
  for (std::size_t item = 0; item < size_; ++item) {
    const Answer& found = answer(item);
    const Counts counts = counts_of(found.best);
    for (std::size_t i = 0; i < kCounts; ++i) {
      if (__builtin_add_overflow(sums[i], counts[i], &sums[i])) return std::nullopt;
    }
  }
  return sums;
}

std::map<std::int64_t, std::int64_t> Found::lengths() const {
  std::unordered_map<std::int64_t, std::int64_t> times;
  for (std::size_t item = 0; item < size_; ++item) ++times[answer(item).best.reference_words];
  return {times.begin(), times.end()};
}

Written Found::written(std::size_t item, std::size_t path, nb::handle type) const {
  const Answer& found = answer(item);
  const std::int32_t text = found.paths.empty() ? 0 : path_of(found, path).text;
  const bool spelled_out = is_spelled_out(found);
  Wording hypothesis(*all_->hypotheses, place(item), text, spelled_out),
      reference(*all_->references, place(item), reference_text(found), spelled_out);
  const std::vector<Step> steps = this->steps(item, path);
  const Maker make(type);
  const auto words = [&](Wording& word, Label Step::* label) {
    const auto has_word = [&](const Step& step) { return step.*label != kEpsilon; };
    auto next = steps.begin();
    return tuple_of(std::count_if(steps.begin(), steps.end(), has_word), [&](std::size_t) {
      next = std::find_if(next, steps.end(), has_word);
      return word((*next++).*label);
    });
  };
  return {words(hypothesis, &Step::hypothesis), words(reference, &Step::reference),
          tuple_of(steps.size(), [&](std::size_t i) { return make(steps[i], hypothesis, reference).release().ptr(); })};
}

}  // namespace fstmetrics
