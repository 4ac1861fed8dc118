// Sentences from Python as numbers of their words.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <vector>

#include "bindings/strings.h"
#include "text/word_table.h"

namespace fstmetrics {

// The words of many sentences as numbers from 0, one after the other.
struct Sentences {
  std::vector<std::int32_t> words;
  std::vector<std::size_t> ends;

  std::size_t size() const { return ends.size(); }
  std::span<const std::int32_t> operator[](std::size_t item) const {
    const std::size_t begin = item == 0 ? 0 : ends[item - 1];
    return {words.data() + begin, ends[item] - begin};
  }
};

// Of a list or tuple of sentences: strings, whose words white space separates, or lists or tuples of words. The table
// and the texts may be shared with other sentences.
Sentences numbered(nb::handle sentences, Utf8& texts, WordTable& table);

}  // namespace fstmetrics
