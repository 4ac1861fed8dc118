#include "bindings/character_ngrams.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/signals.h"
#include "support/poll.h"
#include "support/sharing.h"
#include "text/character_ngrams.h"

namespace fstmetrics {
namespace {

using namespace nb::literals;

// Pairs that a thread takes at once; those of one hypothesis share its table if they stand together.
constexpr std::size_t kNgramPairsTogether = 64;
// About how many nanoseconds a symbol takes in an order.
constexpr std::int64_t kWorkOfSymbol = 5;

// The characters of texts, halves of surrogate pairs among them, one text after the other.
struct Characters {
  std::u32string all;
  std::vector<std::size_t> ends;

  explicit Characters(const nb::list& texts) {
    ends.reserve(nb::len(texts));
    for (const nb::handle text : texts) {
      if (!nb::isinstance<nb::str>(text)) throw std::invalid_argument("texts are strings");
      const Py_ssize_t size = PyUnicode_GetLength(text.ptr());
      if (size < 0) throw nb::python_error();
      const std::size_t begin = all.size();
      all.resize(begin + static_cast<std::size_t>(size));
      auto* to = reinterpret_cast<Py_UCS4*>(all.data() + begin);
      if (size != 0 && PyUnicode_AsUCS4(text.ptr(), to, size, 0) == nullptr) throw nb::python_error();
      ends.push_back(all.size());
    }
  }

  std::size_t size() const { return ends.size(); }

  NgramTexts read(NgramReader& reader) const {
    NgramTexts found;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      poll(static_cast<std::int64_t>(end - begin) + 20);
      reader.read(std::u32string_view(all).substr(begin, end - begin), found);
      begin = end;
    }
    return found;
  }
};

std::vector<std::int32_t> checked(const Ints& numbers, std::size_t texts) {
  std::vector<std::int32_t> kept = to_vector<std::int32_t>(numbers);
  for (const std::int32_t number : kept) {
    if (number < 0 || static_cast<std::size_t>(number) >= texts) throw std::invalid_argument("a pair has no such text");
  }
  return kept;
}

nb::ndarray<nb::numpy, std::int64_t> ngram_matches(const nb::typed<nb::list, nb::str>& hypotheses,
                                                   const nb::typed<nb::list, nb::str>& references,
                                                   const Ints& of_hypothesis, const Ints& of_reference,
                                                   std::int32_t char_order, std::int32_t word_order, bool whitespace,
                                                   int threads) {
  if (char_order < 1 || word_order < 0) throw std::invalid_argument("n-grams of one character at least");
  const Characters ours(hypotheses), theirs(references);
  const std::vector<std::int32_t> hyp = checked(of_hypothesis, ours.size()), ref = checked(of_reference, theirs.size());
  if (hyp.size() != ref.size()) throw std::invalid_argument("both sides of the pairs must be equally many");
  const std::size_t columns = 3 * (static_cast<std::size_t>(char_order) + static_cast<std::size_t>(word_order));
  std::vector<std::int64_t> counts(hyp.size() * columns);
  {
    const Unlocked unlocked;
    NgramReader reader({char_order, word_order, whitespace});
    const NgramTexts hypothesis_texts = ours.read(reader), reference_texts = theirs.read(reader);
    SharedWork((hyp.size() + kNgramPairsTogether - 1) / kNgramPairsTogether).run(threads, [&] {
      return [&, of_characters = NgramMatches(), of_words = NgramMatches()](std::size_t block) mutable {
        const std::size_t begin = block * kNgramPairsTogether, end = std::min(hyp.size(), begin + kNgramPairsTogether);
        for (std::size_t pair = begin; pair < end; ++pair) {
          const std::span<const std::uint32_t> characters = hypothesis_texts.characters(hyp[pair]);
          const std::span<const std::uint32_t> others = reference_texts.characters(ref[pair]);
          poll(static_cast<std::int64_t>(characters.size() + others.size()) * char_order * kWorkOfSymbol);
          if (pair == begin || hyp[pair] != hyp[pair - 1]) {
            of_characters.set(characters, char_order);
            of_words.set(hypothesis_texts.words(hyp[pair]), word_order);
          }
          of_characters.with(others, &counts[pair * columns]);
          of_words.with(reference_texts.words(ref[pair]), &counts[pair * columns + 3 * char_order]);
        }
      };
    });
  }
  return to_numpy(std::move(counts), columns);
}

}  // namespace

void bind_character_ngrams(nb::module_& m) {
  m.def("ngram_matches", ngram_matches, "hypotheses"_a, "references"_a, "of_hypothesis"_a, "of_reference"_a,
        "char_order"_a, "word_order"_a, "whitespace"_a, "threads"_a,
        "The statistics of chrF for pairs of texts, which are lists of strings: pair i is of the hypothesis and the "
        "reference with "
        "the numbers at place i. Of each order of characters, then of words, the n-grams of the hypothesis, of the "
        "reference and "
        "of both.");
}

}  // namespace fstmetrics
