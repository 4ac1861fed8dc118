#include "bindings/record_rows.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "bindings/strings.h"
#include "bindings/texts.h"
#include "formats/alignment_notation.h"
#include "support/crew.h"
#include "support/poll.h"
#include "text/field_rows.h"
#include "text/json.h"
#include "text/spaced_words.h"
#include "text/text_column.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

// The words of an item's side by label, as views. Labels of a text number its words, or, where the steps of a path were
// spelled out from its operations, the places of its words.
class Spelling {
 public:
  // `other`: of another path, whose side may be the same text; or null.
  void look_at(Given side, std::int32_t text, bool spelled_out, const Spelling* other) {
    side_ = std::move(side);
    graph_ = nullptr;
    if (const auto* graph = std::get_if<const Graph*>(&side_)) {
      graph_ = *graph;
      return;
    }
    if (auto* texts = std::get_if<Texts>(&side_); texts && text >= 0)
      side_ = Text(texts->at(static_cast<std::size_t>(text)));
    if (other && !is_same_text(*other)) other = nullptr;
    if (other) {
      words_ = other->words_;
    } else {
      words_by_label(side_, -1, true, words_);
    }
    is_by_place_ = spelled_out;
    if (spelled_out) return;
    if (other && !other->is_by_place_) {
      different_ = other->different_;
    } else {
      different_ = words_;
      keep_first(different_);
    }
  }

  std::string_view operator()(Label label) const {
    if (graph_) return graph_->table().word(label).view();
    return (is_by_place_ ? words_ : different_)[static_cast<std::size_t>(label) - 1].view();
  }

 private:
  bool is_same_text(const Spelling& other) const {
    const auto *own = std::get_if<Text>(&side_), *theirs = std::get_if<Text>(&other.side_);
    if (!own || !theirs || own->is_list || theirs->is_list) return false;
    return own->unit == theirs->unit && own->sentence == theirs->sentence;
  }

  Given side_;
  const Graph* graph_ = nullptr;
  std::vector<Word> words_, different_;  // the second where labels number words
  bool is_by_place_ = false;
};

// The best path of one item after the other.
class PathReader {
 public:
  explicit PathReader(std::shared_ptr<const Found> found) : found_(std::move(found)) {}
  const std::shared_ptr<const Found>& found() const { return found_; }

  // `other` reads other paths of the same items; or null.
  void look_at(std::size_t item, const PathReader* other) {
    if (item == item_) return;
    const Spelling* const beside = other && other->item_ == item ? &other->reference_ : nullptr;
    const Answer& answer = found_->answer(item);
    const bool spelled_out = is_spelled_out(answer);
    hypothesis_.look_at(found_->hypothesis(item), spelled_out ? 0 : answer.paths.front().text, spelled_out, nullptr);
    reference_.look_at(found_->reference(item), reference_text(answer), spelled_out, beside);
    if (spelled_out) {
      own_steps_ = found_->steps(item, 0);
      steps_ = own_steps_;
    } else {
      steps_ = answer.paths.front().steps;
    }
    item_ = item;
  }

  void append_words(std::string& json, bool of_hypothesis) const {
    json += '[';
    const char* between = "";
    for_each_word(of_hypothesis, [&](std::string_view word) {
      json += between;
      append_json(json, word);
      between = ", ";
    });
    json += ']';
  }

  template <class Visit>
  void for_each_word(bool of_hypothesis, Visit visit) const {
    const Spelling& words = of_hypothesis ? hypothesis_ : reference_;
    const auto label = of_hypothesis ? &Step::hypothesis : &Step::reference;
    for (const Step& step : steps_) {
      if (step.*label != kEpsilon) visit(words(step.*label));
    }
  }

  // Where the two sides part: how many words of the reference come before, and the words of either side there.
  void append_parts(std::string& json, const char* of_reference, const char* of_hypothesis) const {
    json += '[';
    const char* between = "";
    std::size_t before = 0;
    for (auto step = steps_.begin(); step != steps_.end();) {
      const auto is_match = [](const Step& each) { return each.op == Op::kMatch; };
      const auto begin = std::find_if_not(step, steps_.end(), is_match);
      before += static_cast<std::size_t>(begin - step);
      step = std::find_if(begin, steps_.end(), is_match);
      if (begin == step) break;
      json += between;
      json += R"({"at": )";
      json += std::to_string(before);
      append_part(json, of_reference, begin, step, reference_, &Step::reference);
      append_part(json, of_hypothesis, begin, step, hypothesis_, &Step::hypothesis);
      json += '}';
      before += static_cast<std::size_t>(
          std::count_if(begin, step, [](const Step& each) { return each.reference != kEpsilon; }));
      between = ", ";
    }
    json += ']';
  }

  void append_alignment(std::string& json) const {
    const auto word = [](const Spelling& words, Label label) {
      return label == kEpsilon ? std::nullopt : std::optional<std::string_view>(words(label));
    };
    fstmetrics::append_alignment(json, steps_, [&](const Step& step) {
      return WrittenOperation{kLetters[static_cast<int>(step.op)], word(hypothesis_, step.hypothesis),
                              word(reference_, step.reference)};
    });
  }

 private:
  using Steps = std::span<const Step>::iterator;
  static void append_part(std::string& json, const char* name, Steps begin, Steps end, const Spelling& words,
                          Label Step::* label) {
    json += R"(, ")";
    json += name;
    json += R"(": [)";
    const char* between = "";
    for (auto step = begin; step != end; ++step) {
      if ((*step).*label == kEpsilon) continue;
      json += between;
      append_json(json, words((*step).*label));
      between = ", ";
    }
    json += ']';
  }

  std::shared_ptr<const Found> found_;
  std::size_t item_ = SIZE_MAX;
  Spelling hypothesis_, reference_;
  std::vector<Step> own_steps_;  // where they are spelled out
  std::span<const Step> steps_;
};

void append_integer(std::string& text, std::int64_t number) {
  char digits[20];
  text.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

bool is_hypothesis(std::string_view side) {
  if (side != "hypothesis" && side != "closest") throw nb::value_error("a side is 'hypothesis' or 'closest'");
  return side == "hypothesis";
}

// Texts of kinds, of which there come ever more.
struct KindTexts {
  std::vector<std::string> texts;
};

// What stands in every row, column by column. Columns are kept until the rows are written.
class RecordRows {
 public:
  explicit RecordRows(std::size_t size) : size_(size) {}
  RecordRows(const RecordRows&) = delete;
  RecordRows& operator=(const RecordRows&) = delete;

  void add_text(const std::string& text) { text_ += text; }
  void add_kinds(Longs kinds, std::shared_ptr<const KindTexts> texts) {
    check(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds(i) < 0 || static_cast<std::size_t>(kinds(i)) >= texts->texts.size()) throw nb::index_error();
    }
    add([kinds = std::move(kinds), texts = std::move(texts)](std::string& row, std::size_t item, Readers&) {
      row += texts->texts[static_cast<std::size_t>(kinds(item))];
    });
  }
  void add_ids(const BoundTexts& texts, bool ascii) {
    BoundTexts::Held ids = all_texts(texts);
    check(ids->size());
    add([ids = std::move(ids), append = ascii ? &append_ascii_json : kAppendText](
            std::string& row, std::size_t item, Readers&) { append(row, ids->texts[item]); });
  }
  void add_fields(std::shared_ptr<const FieldRows> fields, const nb::bytes& before, bool ascii) {
    check(fields->size());
    const std::string name(before.c_str(), before.size());
    add([fields = std::move(fields), name, ascii](std::string& row, std::size_t item, Readers&) {
      if (!name.empty() && fields->row(item).empty()) return;
      row += name;
      fields->append_json(row, item, ascii);
    });
  }
  void add_integers(Longs numbers) {
    check(numbers.size());
    add([numbers = std::move(numbers)](std::string& row, std::size_t item, Readers&) {
      append_integer(row, numbers(item));
    });
  }
  void add_numbers(Doubles numbers) {
    check(numbers.size());
    add([numbers = std::move(numbers)](std::string& row, std::size_t item, Readers&) {
      append_json(row, numbers(item));
    });
  }
  // A list of numbers a row: those of row i lie between its offsets.
  template <class Numbers, class Append>
  void add_lists(Numbers numbers, Longs offsets, Append append) {
    check(offsets.size() - 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::int64_t before = i ? offsets(i - 1) : 0;
      if (offsets(i) < before || offsets(i) > static_cast<std::int64_t>(numbers.size())) throw nb::index_error();
    }
    add([numbers = std::move(numbers), offsets = std::move(offsets), append](std::string& row, std::size_t item,
                                                                             Readers&) {
      row += '[';
      for (std::int64_t i = offsets(item); i < offsets(item + 1); ++i) {
        if (i > offsets(item)) row += ", ";
        append(row, numbers(i));
      }
      row += ']';
    });
  }
  void add_integer_lists(Longs numbers, Longs offsets) {
    add_lists(std::move(numbers), std::move(offsets),
              [](std::string& row, std::int64_t number) { row += std::to_string(number); });
  }
  void add_number_lists(Doubles numbers, Longs offsets) {
    add_lists(std::move(numbers), std::move(offsets),
              [](std::string& row, double number) { append_json(row, number); });
  }
  void add_words(std::shared_ptr<const Found> found, std::string_view side) {
    const bool of_hypothesis = is_hypothesis(side);
    add([place = reader(std::move(found)), of_hypothesis](std::string& row, std::size_t item, Readers& readers) {
      readers.look_at(place, item).append_words(row, of_hypothesis);
    });
  }
  void add_alignments(std::shared_ptr<const Found> found) {
    add([place = reader(std::move(found))](std::string& row, std::size_t item, Readers& readers) {
      readers.look_at(place, item).append_alignment(row);
    });
  }

  void add_parts(std::shared_ptr<const Found> found) {
    add([place = reader(std::move(found))](std::string& row, std::size_t item, Readers& readers) {
      readers.look_at(place, item).append_parts(row, "oracle", "one_best");
    });
  }

  nb::bytes written(const nb::bytes& separator, int threads) const {
    const std::string between(separator.c_str(), separator.size());
    const bool alone = needs_python_ || threads <= 1;
    const std::size_t pieces = alone ? 1 : std::clamp<std::size_t>(size_ / kLeastRows, 1, 2 * threads);
    std::vector<std::string> rows(pieces);
    const SignalWatch watch;
    {
      std::optional<Unlocked> unlocked;
      if (!needs_python_) unlocked.emplace();
      const auto work = [&](std::size_t piece) {
        write(size_ * piece / pieces, size_ * (piece + 1) / pieces, between, rows[piece]);
      };
      pieces == 1 ? work(0) : share_out(pieces, threads, work);
    }
    std::size_t size = 0;
    for (const std::string& piece : rows) size += piece.size();
    nb::bytes all = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!all.is_valid()) throw nb::python_error();
    char* end = PyBytes_AsString(all.ptr());
    for (const std::string& piece : rows) end = std::copy(piece.begin(), piece.end(), end);
    return all;
  }

 private:
  // By the order in which they are asked for; each thread has its own.
  class Readers {
   public:
    explicit Readers(const std::vector<std::shared_ptr<const Found>>& founds) : all_(founds.begin(), founds.end()) {}
    PathReader& look_at(std::size_t place, std::size_t item) {
      all_[place].look_at(item, place ? &all_.front() : nullptr);
      return all_[place];
    }

   private:
    std::vector<PathReader> all_;
  };
  using Append = std::function<void(std::string&, std::size_t, Readers&)>;
  // A column, and what is the same in all rows before it.
  struct Part {
    std::string before;
    Append append;
  };
  static constexpr void (*kAppendText)(std::string&, std::string_view) = &append_json;
  // Fewer rows are not worth another thread.
  static constexpr std::size_t kLeastRows = 16;

  void write(std::size_t begin, std::size_t end, const std::string& between, std::string& rows) const {
    Readers readers(founds_);
    for (std::size_t item = begin; item < end; ++item) {
      poll(2000);
      if (item) rows += between;
      for (const Part& part : parts_) {
        rows += part.before;
        part.append(rows, item, readers);
      }
      rows += text_;
      // About as long as the first one, and some more.
      if (item == begin) rows.reserve((rows.size() + rows.size() / 4) * (end - begin));
    }
  }

  void add(Append append) {
    parts_.push_back({std::move(text_), std::move(append)});
    text_.clear();
  }
  void check(std::size_t size) const {
    if (size != size_) throw std::invalid_argument("every row has one entry of each column");
  }
  // The place of what reads the paths.
  std::size_t reader(std::shared_ptr<const Found> found) {
    check(found->size());
    const auto known = std::find(founds_.begin(), founds_.end(), found);
    if (known != founds_.end()) return static_cast<std::size_t>(known - founds_.begin());
    needs_python_ |= found->needs_python();
    founds_.push_back(std::move(found));
    return founds_.size() - 1;
  }

  std::size_t size_;
  std::vector<Part> parts_;
  std::string text_;  // behind them
  std::vector<std::shared_ptr<const Found>> founds_;
  bool needs_python_ = false;
};

}  // namespace

PathWords::PathWords(std::shared_ptr<const Found> given, bool of_hypothesis, std::size_t first, std::size_t last)
    : found(std::move(given)) {
  PathReader paths(found);
  last = std::min(last, found->size());
  words.resize(last - std::min(first, last));
  for (std::size_t i = 0; i < words.size(); ++i) {
    poll(2000);
    paths.look_at(first + i, nullptr);
    paths.for_each_word(of_hypothesis, [&](std::string_view word) { words[i].push_back(word); });
  }
}

void bind_record_rows(nb::module_& m) {
  nb::class_<KindTexts>(m, "KindTexts", "Texts of which each is of many rows.")
      .def(nb::init<>())
      .def("__len__", [](const KindTexts& kinds) { return kinds.texts.size(); })
      .def(
          "append",
          [](KindTexts& kinds, const nb::bytes& text) { kinds.texts.emplace_back(text.c_str(), text.size()); },
          "text"_a);
  nb::class_<PathWords>(m, "PathWords", nb::sig("class PathWords(Sequence[tuple[str, ...]])"),
                        "The words of the best paths of items on one side, a side of another search.")
      .def(
          "__init__",
          [](PathWords* self, std::shared_ptr<const Found> found, std::string_view side, std::size_t first,
             std::optional<std::size_t> last) {
            if (!found) throw nb::type_error("a Found, not None");
            const SignalWatch watch;
            new (self) PathWords(std::move(found), is_hypothesis(side), first, last.value_or(SIZE_MAX));
          },
          "found"_a, "side"_a, "first"_a = 0, "last"_a = nb::none(),
          "`side`: 'hypothesis' or 'closest'; of the items from `first` to before `last`.")
      .def("__len__", [](const PathWords& paths) { return paths.words.size(); })
      .def(
          "texts",
          [](const PathWords& paths) {
            const Unlocked unlocked;
            return shared_texts(spaced_words(paths.words));
          },
          "The words of each with spaces between.")
      .def(
          "__getitem__",
          [](const PathWords& paths, std::int64_t i) {
            if (i < 0 || i >= std::ssize(paths.words)) throw nb::index_error();
            nb::list words;
            for (const std::string_view word : paths.words[static_cast<std::size_t>(i)]) words.append(to_str(word));
            return nb::tuple(words);
          },
          "index"_a, nb::sig("def __getitem__(self, index: typing.Any, /) -> typing.Any"));
  nb::class_<RecordRows>(
      m, "RecordRows",
      "Rows of text, each put together from an entry of every column, in the order in which they are added.")
      .def(nb::init<std::size_t>(), "size"_a)
      .def(
          "text", [](RecordRows& rows, const nb::bytes& text) { rows.add_text({text.c_str(), text.size()}); }, "text"_a,
          "Adds what is the same in all rows.")
      .def("kinds", &RecordRows::add_kinds, "kinds"_a, "texts"_a, "Adds the text of each row's kind.")
      .def("ids", &RecordRows::add_ids, "ids"_a, "ascii"_a = false,
           "Adds a string of JSON; `ascii`: without other characters.")
      .def("fields", &RecordRows::add_fields, "fields"_a, "before"_a, "ascii"_a = false,
           "Adds an object of JSON, and what stands before it; where that is something, empty objects are left out.")
      .def("integers", &RecordRows::add_integers, "numbers"_a, "Adds a number.")
      .def("numbers", &RecordRows::add_numbers, "numbers"_a,
           "Adds a number as Python writes it; null for what is not finite.")
      .def("integer_lists", &RecordRows::add_integer_lists, "numbers"_a, "offsets"_a,
           "Adds an array of numbers, those between a row's offsets.")
      .def("number_lists", &RecordRows::add_number_lists, "numbers"_a, "offsets"_a, "The same of floats.")
      .def("words", &RecordRows::add_words, "found"_a, "side"_a,
           "Adds the words of a best path, an array of JSON; `side`: 'hypothesis' or 'closest'.")
      .def("alignments", &RecordRows::add_alignments, "found"_a, "Adds the operations of a best path, likewise.")
      .def("parts", &RecordRows::add_parts, "found"_a,
           "Adds where 1-bests, the hypotheses, part from oracles, which they were aligned with.")
      .def("written", &RecordRows::written, "between"_a = nb::bytes("", 0), "threads"_a = 1, "All rows.");
}

}  // namespace fstmetrics
