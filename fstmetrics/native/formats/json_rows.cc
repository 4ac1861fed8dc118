// Objects of JSON as rows of a table.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "formats/json_tokens.h"
#include "formats/lines.h"
#include "formats/numbers.h"
#include "formats/table_rows.h"

namespace fstmetrics {
namespace {

constexpr std::size_t kDeepest = 64;
// More keys than rows of a table have.
constexpr std::size_t kMostKeys = 1 << 14;

enum class JsonKind { kScalar, kObject, kList };

struct JsonValue {
  JsonKind kind = JsonKind::kScalar;
  FieldKind scalar = FieldKind::kNull;
  std::string_view text;  // of a text what it says; of a number, an object or a list as it is written
};

// Goes through one value of JSON and what is in it. Texts that have escapes are put into an arena.
class JsonScanner : public JsonTokens {
 public:
  JsonScanner(std::string_view json, TextArena& arena) : JsonTokens(json), arena_(arena) {}

  // A key of an object, and the colon behind it. One with an escape is unusual.
  std::string_view key() {
    expect('"');
    const char* begin = at_;
    plain_text();
    expect_json(*at_ == '"');
    const std::string_view found(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    expect(':');
    return found;
  }

  JsonValue value() {
    space();
    expect_json(at_ != end_);
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
        return constant("true", FieldKind::kTrue);
      case 'f':
        return constant("false", FieldKind::kFalse);
      case 'n':
        return constant("null", FieldKind::kNull);
      case 'N':
        return constant("NaN", FieldKind::kNull);  // no field is it
      default:
        return number();
    }
  }

 private:
  // What a text says, whose first quotation mark is passed.
  std::string_view text() {
    const char* begin = at_;
    plain_text();
    if (*at_ == '"') return {begin, static_cast<std::size_t>(at_++ - begin)};
    // No escape is longer than what it says.
    const char* close = at_;
    while (close != end_ && *close != '"') close += *close == '\\' && end_ - close > 1 ? 2 : 1;
    expect_json(close != end_);
    char* to = arena_.room(static_cast<std::size_t>(close - begin));
    while (true) {
      to = std::copy(begin, at_, to);
      if (*at_ == '"') break;
      ++at_;
      const std::uint32_t character = escape();
      expect_json(!is_half(character));
      put_utf8(character, [&](char byte) { *to++ = byte; });
      begin = at_;
      plain_text();
    }
    ++at_;
    return arena_.keep(to);
  }

  JsonValue constant(std::string_view name, FieldKind kind) {
    word(name);
    return {JsonKind::kScalar, kind, {}};
  }

  JsonValue number() {
    const Number found = JsonTokens::number();
    if (found.is_whole) {
      expect_json(found.digits < kMostIntegerDigits);
      const bool is_zero = found.written == "-0";
      return {JsonKind::kScalar, FieldKind::kInteger, is_zero ? found.written.substr(1) : found.written};
    }
    double value = 0;
    const auto [behind, error] = std::from_chars(found.written.data(), at_, value);
    expect_json(error == std::errc{} && behind == at_);
    return {JsonKind::kScalar, FieldKind::kReal, found.written};
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
          expect_json(keys_.size() < kMostKeys);
        }
        space();
        expect_json(at_ != end_);
      }
      if (*at_ == '{' || *at_ == '[') {
        expect_json(open.size() < kDeepest);
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
    expect_json(std::adjacent_find(first, keys_.end()) == keys_.end());
    keys_.resize(begin);
  }

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
    expect_json(found.column >= 0);
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
      expect_json(keys_.size() < kMostKeys);
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
    } catch (const NoJson&) { return LineKind::kOther; }
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
    expect_json(scanner.at_end());
    const Entry* supervisions = found(entries_, "supervisions");
    const Entry* tracks = found(entries_, "tracks");
    const auto is_list = [](const Entry* entry) { return entry && entry->value.kind == JsonKind::kList; };
    if (is_list(supervisions) || is_list(tracks)) {
      expect_json(is_list(supervisions));
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
      expect_json(seen != object_);
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
    expect_json(only.kind == JsonKind::kObject);
    scanner.expect(']');
    Entries one, custom;
    read_part(only.text, one);
    expect_json(spans_the_cut(one));
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

  // Whether a supervision says no other times than its cut, so that nothing is to be added.
  bool spans_the_cut(const Entries& one) const {
    const Entry* begin = found(one, "start");
    const Entry* duration = found(one, "duration");
    const Entry* whole = found(entries_, "duration");
    return (!begin || begin->value.text == "0" || begin->value.text == "0.0") &&
           (!duration || (whole && duration->value.text == whole->value.text));
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
        expect_json(row_.add(keys_.column(entry.key), entry.value.scalar, entry.value.text));
        return;
      case JsonKind::kList:
        expect_json(row_.add_list(keys_.column(entry.key)));
        return;
      case JsonKind::kObject: {
        expect_json(depth < kDeepest);
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
