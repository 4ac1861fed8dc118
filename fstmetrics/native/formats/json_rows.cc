// Objects of JSON as rows of a table.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/table_rows.h"

namespace fstmetrics {
namespace {

// What only the reader in Python tells: it is wrong, or rare.
struct Unusual {};

void expect_usual(bool is_usual) {
  if (!is_usual) throw Unusual{};
}

// Of more digits Python makes no integer.
constexpr std::size_t kMostIntegerDigits = 4300;
constexpr std::size_t kDeepest = 64;
// More keys than rows of a table have.
constexpr std::size_t kMostKeys = 1 << 14;

enum class JsonKind { kScalar, kObject, kList };

struct JsonValue {
  JsonKind kind = JsonKind::kScalar;
  FieldKind scalar = FieldKind::kNull;
  std::string_view text;  // of a text what it says; of a number, an object or a list as it is written
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

void append_utf8(char*& to, std::uint32_t character) {
  const auto put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | character >> 6);
    put(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  } else {
    put(0xF0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3F));
    put(0x80 | (character >> 6 & 0x3F));
    put(0x80 | (character & 0x3F));
  }
}

// Goes through one value of JSON and what is in it. Texts that have escapes are put into an arena.
class JsonScanner {
 public:
  JsonScanner(std::string_view json, TextArena& arena)
      : at_(json.data()), end_(json.data() + json.size()), arena_(arena) {}

  bool at_end() {
    space();
    return at_ == end_;
  }
  bool passes(char c) {
    space();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { expect_usual(passes(c)); }

  // A key of an object, and the colon behind it. One with an escape is unusual.
  std::string_view key() {
    expect('"');
    const char* begin = at_;
    plain_text();
    expect_usual(*at_ == '"');
    const std::string_view found(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    expect(':');
    return found;
  }

  JsonValue value() {
    space();
    expect_usual(at_ != end_);
    switch (*at_) {
      case '"':
        ++at_;
        return {JsonKind::kScalar, FieldKind::kText, text()};
      case '{':
      case '[': {
        const char* begin = at_;
        const JsonKind kind = *at_ == '{' ? JsonKind::kObject : JsonKind::kList;
        pass_all();
        return {kind, FieldKind::kNull, {begin, static_cast<std::size_t>(at_ - begin)}};
      }
      case 't':
        return word("true", FieldKind::kTrue);
      case 'f':
        return word("false", FieldKind::kFalse);
      case 'n':
        return word("null", FieldKind::kNull);
      case 'N':
        return word("NaN", FieldKind::kNull);  // no field is it
      default:
        return number();
    }
  }

 private:
  void space() {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }

  // Up to a quotation mark or a backslash; there is one.
  void plain_text() {
    constexpr std::uint64_t kEach = 0x0101010101010101ULL, kHigh = 0x80 * kEach;
    const auto zeros = [](std::uint64_t some) { return (some - kEach) & ~some & kHigh; };
    while (end_ - at_ >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, at_, 8);
      const std::uint64_t controls = (bytes - ' ' * kEach) & ~bytes & kHigh;
      if ((controls | zeros(bytes ^ ('"' * kEach)) | zeros(bytes ^ ('\\' * kEach))) != 0) break;
      at_ += 8;
    }
    while (at_ != end_ && *at_ != '"' && *at_ != '\\') {
      expect_usual(static_cast<unsigned char>(*at_) >= ' ');
      ++at_;
    }
    expect_usual(at_ != end_);
  }

  // What a text says, whose first quotation mark is passed.
  std::string_view text() {
    const char* begin = at_;
    plain_text();
    if (*at_ == '"') return {begin, static_cast<std::size_t>(at_++ - begin)};
    // No escape is longer than what it says.
    const char* close = at_;
    while (close != end_ && *close != '"') close += *close == '\\' && end_ - close > 1 ? 2 : 1;
    expect_usual(close != end_);
    char* to = arena_.room(static_cast<std::size_t>(close - begin));
    while (true) {
      to = std::copy(begin, at_, to);
      if (*at_ == '"') break;
      ++at_;
      escape(to);
      begin = at_;
      plain_text();
    }
    ++at_;
    return arena_.keep(to);
  }

  void escape(char*& to) {
    expect_usual(at_ != end_);
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = *at_++;
    if (const std::size_t found = kLetters.find(letter); found != kLetters.npos) {
      *to++ = kMeanings[found];
      return;
    }
    expect_usual(letter == 'u');
    std::uint32_t character = unit();
    if (character >= 0xD800 && character < 0xE000) {
      expect_usual(character < 0xDC00 && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u');
      at_ += 2;
      const std::uint32_t low = unit();
      expect_usual(low >= 0xDC00 && low < 0xE000);
      character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(to, character);
  }

  std::uint32_t unit() {
    expect_usual(end_ - at_ >= 4);
    std::uint32_t found = 0;
    const auto [behind, error] = std::from_chars(at_, at_ + 4, found, 16);
    expect_usual(error == std::errc{} && behind == at_ + 4);
    at_ += 4;
    return found;
  }

  JsonValue word(std::string_view expected, FieldKind kind) {
    expect_usual(std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(expected));
    at_ += expected.size();
    return {JsonKind::kScalar, kind, {}};
  }

  JsonValue number() {
    const char* begin = at_;
    if (*at_ == '-') ++at_;
    const char* digits = at_;
    pass_digits();
    expect_usual(at_ != digits && (*digits != '0' || at_ == digits + 1));
    const auto size = static_cast<std::size_t>(at_ - digits);
    bool is_whole = true;
    if (at_ != end_ && *at_ == '.') {
      const char* point = at_++;
      pass_digits();
      expect_usual(at_ > point + 1);
      is_whole = false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      const char* power = at_;
      pass_digits();
      expect_usual(at_ != power);
      is_whole = false;
    }
    const std::string_view written(begin, static_cast<std::size_t>(at_ - begin));
    if (is_whole) {
      expect_usual(size < kMostIntegerDigits);
      return {JsonKind::kScalar, FieldKind::kInteger, written == "-0" ? written.substr(1) : written};
    }
    double found = 0;
    const auto [behind, error] = std::from_chars(begin, at_, found);
    expect_usual(error == std::errc{} && behind == at_);
    return {JsonKind::kScalar, FieldKind::kReal, written};
  }
  void pass_digits() {
    while (at_ != end_ && is_digit(*at_)) ++at_;
  }

  // Passes an object or a list with all that is in it, of which every value is looked at.
  void pass_all() {
    struct Open {
      bool is_object;
      std::size_t keys;  // how many of `keys_` are before its own
    };
    std::vector<Open> open;
    keys_.clear();
    bool is_first = true;
    while (true) {
      if (!is_first && open.empty()) return;
      if (!open.empty()) {
        const char close = open.back().is_object ? '}' : ']';
        if (passes(close)) {
          expect_different(open.back().keys);
          open.pop_back();
          is_first = false;
          continue;
        }
        if (!is_first) expect(',');
        if (open.back().is_object) {
          keys_.push_back(key());
          expect_usual(keys_.size() < kMostKeys);
        }
        space();
        expect_usual(at_ != end_);
      }
      if (*at_ == '{' || *at_ == '[') {
        expect_usual(open.size() < kDeepest);
        open.push_back({*at_ == '{', keys_.size()});
        ++at_;
        is_first = true;
        continue;
      }
      value();
      is_first = false;
    }
  }

  // Of the keys from one on, and lets them go.
  void expect_different(std::size_t begin) {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, keys_.end());
    expect_usual(std::adjacent_find(first, keys_.end()) == keys_.end());
    keys_.resize(begin);
  }

  const char* at_;
  const char* end_;
  TextArena& arena_;
  std::vector<std::string_view> keys_;
};

// The keys of objects, each with its column. In most files each comes behind the same other one.
class KeyTree {
 public:
  static constexpr std::int32_t kRoot = 0;

  explicit KeyTree(TableRow& row) : row_(row) { keys_.push_back({-1, -1, {}, {}}); }

  std::int32_t child(std::int32_t parent, std::string_view name) {
    Key& last = keys_[static_cast<std::size_t>(last_)];
    if (last.next >= 0) {
      const Key& guessed = keys_[static_cast<std::size_t>(last.next)];
      if (guessed.parent == parent && guessed.name == name) return last_ = last.next;
    }
    const std::int32_t found = found_or_made(parent, name);
    keys_[static_cast<std::size_t>(last_)].next = found;
    return last_ = found;
  }
  void begin() { last_ = kRoot; }
  // The column of a key's values, by the names of the objects that it is in.
  std::int32_t column(std::int32_t key) {
    Key& found = keys_[static_cast<std::size_t>(key)];
    if (found.column < 0) found.column = row_.column(found.path);
    expect_usual(found.column >= 0);
    return found.column;
  }
  const std::string& name(std::int32_t key) const { return keys_[static_cast<std::size_t>(key)].name; }
  std::size_t size() const { return keys_.size(); }

 private:
  struct Key {
    std::int32_t parent, column;
    std::string name, path;
    std::int32_t next = -1;
  };

  std::int32_t found_or_made(std::int32_t parent, std::string_view name) {
    std::string path = keys_[static_cast<std::size_t>(parent)].path;
    if (parent != kRoot) path += '.';
    path += name;
    // Other objects may lead to the same path, but never with the same parent.
    const auto [at, is_new] =
        known_.try_emplace(std::to_string(parent) + '.' + std::string(name), static_cast<std::int32_t>(keys_.size()));
    if (is_new) {
      expect_usual(keys_.size() < kMostKeys);
      keys_.push_back({parent, -1, std::string(name), std::move(path)});
    }
    return at->second;
  }

  TableRow& row_;
  std::vector<Key> keys_;
  std::unordered_map<std::string, std::int32_t> known_;
  std::int32_t last_ = kRoot;
};

// Parts of a Lhotse cut that say nothing of its speech.
constexpr std::array<std::string_view, 5> kOfSound = {"recording", "features", "supervisions", "custom", "alignment"};

class JsonRowReader : public TableReader {
 public:
  explicit JsonRowReader(const ColumnRoles& roles) : TableReader(roles), keys_(row_) {}

 protected:
  LineKind read_values(std::string_view line) override {
    if (!line.starts_with('{') || !line.ends_with('}')) line = stripped(line);
    if (line.empty()) return LineKind::kNone;
    try {
      read_object(line);
      return LineKind::kItem;
    } catch (const Unusual&) { return LineKind::kOther; }
  }

 private:
  struct Entry {
    std::int32_t key;
    JsonValue value;
  };
  using Entries = std::vector<Entry>;

  void read_object(std::string_view json) {
    keys_.begin();
    JsonScanner scanner(json, row_.arena());
    read_entries(scanner, KeyTree::kRoot, entries_);
    expect_usual(scanner.at_end());
    const Entry* supervisions = found(entries_, "supervisions");
    const Entry* tracks = found(entries_, "tracks");
    const auto is_list = [](const Entry* entry) { return entry && entry->value.kind == JsonKind::kList; };
    if (is_list(supervisions) || is_list(tracks)) {
      expect_usual(is_list(supervisions));
      read_cut(supervisions->value.text);
      return;
    }
    const Entry* custom = found(entries_, "custom");
    if (custom && custom->value.kind == JsonKind::kObject && found(entries_, "recording_id")) {
      Entries own;
      read_part(custom->value.text, own);
      together_.clear();
      for (const Entry& entry : own) update(entry);
      for (const Entry& entry : entries_) {
        if (keys_.name(entry.key) != "custom") update(entry);
      }
      add_all(together_);
      return;
    }
    add_all(entries_);
  }

  // The entries of an object, whose keys are all different.
  void read_entries(JsonScanner& scanner, std::int32_t parent, Entries& entries) {
    entries.clear();
    scanner.expect('{');
    if (scanner.passes('}')) return;
    do {
      const std::int32_t key = keys_.child(parent, scanner.key());
      entries.push_back({key, scanner.value()});
    } while (scanner.passes(','));
    scanner.expect('}');
    seen_.resize(keys_.size());
    ++object_;
    for (const Entry& entry : entries) {
      std::int64_t& seen = seen_[static_cast<std::size_t>(entry.key)];
      expect_usual(seen != object_);
      seen = object_;
    }
  }
  void read_part(std::string_view json, Entries& entries) {
    JsonScanner scanner(json, row_.arena());
    read_entries(scanner, KeyTree::kRoot, entries);
  }

  const Entry* found(const Entries& entries, std::string_view name) const {
    const auto at =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return keys_.name(each.key) == name; });
    return at == entries.end() ? nullptr : &*at;
  }

  // A cut of one supervision: its fields, and those of what is custom in either.
  void read_cut(std::string_view supervisions) {
    JsonScanner scanner(supervisions, row_.arena());
    scanner.expect('[');
    const JsonValue only = scanner.value();
    expect_usual(only.kind == JsonKind::kObject);
    scanner.expect(']');
    Entries one, custom;
    read_part(only.text, one);
    together_.clear();
    for (const Entries* entries : {&std::as_const(one), &std::as_const(entries_)}) {
      const Entry* each = found(*entries, "custom");
      if (!each || each->value.kind != JsonKind::kObject) continue;
      read_part(each->value.text, custom);
      update_all(custom);
    }
    update_all(one);
    update_all(entries_);
    add_all(together_);
  }

  void update_all(const Entries& entries) {
    for (const Entry& entry : entries) {
      if (std::find(kOfSound.begin(), kOfSound.end(), keys_.name(entry.key)) == kOfSound.end()) update(entry);
    }
  }
  // Sets a value as Python's dict.update() does.
  void update(const Entry& entry) {
    const auto at =
        std::find_if(together_.begin(), together_.end(), [&](const Entry& each) { return each.key == entry.key; });
    if (at == together_.end()) {
      together_.push_back(entry);
    } else {
      at->value = entry.value;
    }
  }

  void add_all(const Entries& entries) {
    for (const Entry& entry : entries) add(entry, 0);
  }
  void add(const Entry& entry, std::size_t depth) {
    switch (entry.value.kind) {
      case JsonKind::kScalar:
        expect_usual(row_.add(keys_.column(entry.key), entry.value.scalar, entry.value.text));
        return;
      case JsonKind::kList:
        expect_usual(row_.add_list(keys_.column(entry.key)));
        return;
      case JsonKind::kObject: {
        expect_usual(depth < kDeepest);
        Entries inner;
        JsonScanner scanner(entry.value.text, row_.arena());
        read_entries(scanner, entry.key, inner);
        for (const Entry& each : inner) add(each, depth + 1);
      }
    }
  }

  KeyTree keys_;
  Entries entries_, together_;
  std::vector<std::int64_t> seen_;  // the last object that has each key
  std::int64_t object_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> JsonRowForm::table_reader() const { return std::make_unique<JsonRowReader>(roles); }

}  // namespace fstmetrics
