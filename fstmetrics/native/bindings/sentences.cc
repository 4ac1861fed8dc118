#include "bindings/sentences.h"

namespace fstmetrics {

Sentences numbered(nb::handle sentences, Utf8& texts, WordTable& table) {
  Sentences found;
  std::vector<Word> split;
  for_each_item(sentences, [&](nb::handle sentence) {
    if (PyUnicode_Check(sentence.ptr())) {
      split.clear();
      split_words(texts.view(sentence), split);
      for (const Word& word : split) found.words.push_back(table.intern(word) - 1);
    } else {
      for_each_item(sentence,
                    [&](nb::handle word) { found.words.push_back(table.intern(make_word(texts.view(word))) - 1); });
    }
    found.ends.push_back(found.words.size());
  });
  return found;
}

}  // namespace fstmetrics
