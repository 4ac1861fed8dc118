#include "text/text_column.h"

#include <algorithm>
#include <string>
#include <utility>

#include "support/poll.h"
#include "support/xxh64.h"
#include "text/words.h"

namespace fstmetrics {

TextColumn TextColumn::taken(std::span<const std::int64_t> numbers) const {
  TextColumn some{holder, {}};
  some.texts.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    some.texts.push_back(number < 0 ? std::string_view() : texts[static_cast<std::size_t>(number)]);
  }
  return some;
}

TextIndex::TextIndex(std::shared_ptr<const TextColumn> column) : column_(std::move(column)) {
  table_.reset(column_->size());
  Polls poll;
  for (std::size_t i = 0; i < column_->size(); ++i) {
    poll(50);
    const Label label = table_.intern(make_word(column_->texts[i]));
    if (static_cast<std::size_t>(label) > first_.size()) first_.push_back(static_cast<std::int64_t>(i));
  }
}

std::vector<std::int64_t> TextIndex::found(const TextColumn& others) const {
  std::vector<std::int64_t> numbers;
  numbers.reserve(others.size());
  Polls poll;
  for (const std::string_view text : others.texts) {
    poll(50);
    const Label label = table_.find(make_word(text));
    numbers.push_back(label == kEpsilon ? -1 : first_[static_cast<std::size_t>(label) - 1]);
  }
  return numbers;
}

TextColumn TextColumn::distinct() const {
  TextColumn some{holder, {}};
  WordTable table;
  table.reset(0);
  Polls poll;
  for (const std::string_view text : texts) {
    poll(30);
    if (static_cast<std::size_t>(table.intern(make_word(text))) > some.size()) some.texts.push_back(text);
  }
  return some;
}

std::size_t TextColumn::filled() const {
  return static_cast<std::size_t>(
      std::count_if(texts.begin(), texts.end(), [](std::string_view text) { return !text.empty(); }));
}

std::size_t TextColumn::longest() const {
  std::size_t most = 0;
  for (const std::string_view text : texts) most = std::max(most, text.size());
  return most;
}

std::vector<std::int64_t> TextColumn::digests() const {
  std::vector<std::int64_t> found;
  found.reserve(texts.size());
  std::vector<Word> words;
  std::string apart;
  Polls poll;
  for (std::string_view text : texts) {
    poll(100);
    if (!are_bytes_of_words(text)) {
      words.clear();
      split_words(text, words);
      apart.clear();
      for (const Word& word : words) (apart += &word == words.data() ? "" : " ") += word.view();
      text = apart;
    }
    found.push_back(static_cast<std::int64_t>(xxh64(text) >> 11));
  }
  return found;
}

TextColumn joined(std::span<const TextColumn* const> columns) {
  const auto holders = std::make_shared<std::vector<std::shared_ptr<const void>>>();
  TextColumn all{holders, {}};
  for (const TextColumn* const column : columns) {
    holders->push_back(column->holder);
    all.texts.insert(all.texts.end(), column->texts.begin(), column->texts.end());
  }
  return all;
}

TextColumn owned(std::span<const std::string_view> texts) {
  std::size_t size = 0;
  for (const std::string_view text : texts) size += text.size();
  const auto bytes = std::make_shared<std::string>();
  bytes->reserve(size);
  TextColumn column{bytes, {}};
  column.texts.reserve(texts.size());
  for (const std::string_view text : texts) {
    const std::size_t at = bytes->size();
    bytes->append(text);
    column.texts.emplace_back(bytes->data() + at, text.size());
  }
  return column;
}

}  // namespace fstmetrics
