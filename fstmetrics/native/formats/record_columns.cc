#include "formats/record_columns.h"

#include <algorithm>

#include "formats/lines.h"
#include "formats/symbols.h"

namespace fstmetrics {
namespace {

// A line is not as expected.
struct Irregular {};

void require(bool good) {
  if (!good) throw Irregular{};
}

// Goes through the JSON of a line.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool at_end() {
    space();
    return at_ == end_;
  }
  // Whether this character comes next; then it is passed.
  bool passes(char c) {
    space();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { require(passes(c)); }
  bool is_next(char c) {
    space();
    return at_ != end_ && *at_ == c;
  }

  // A string with its quotation marks.
  std::string_view string() {
    expect('"');
    const char* begin = at_ - 1;
    while (at_ != end_ && *at_ != '"') at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
    require(at_ != end_);
    return {begin, static_cast<std::size_t>(++at_ - begin)};
  }
  // Letters, digits and signs: a number, true, false or null.
  std::string_view plain() {
    space();
    const char* begin = at_;
    while (at_ != end_ && std::string_view(" \t\r,:\"[]{}").find(*at_) == std::string_view::npos) ++at_;
    require(at_ != begin);
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  // Any value.
  std::string_view value() {
    space();
    require(at_ != end_);
    if (*at_ == '"') return string();
    if (*at_ != '{' && *at_ != '[') return plain();
    const char* begin = at_;
    closers_.clear();
    do {
      require(at_ != end_);
      const char c = *at_;
      if (c == '"') {
        string();
        continue;
      }
      if (c == '{' || c == '[') closers_.push_back(c == '{' ? '}' : ']');
      if (c == '}' || c == ']') {
        require(closers_.back() == c);
        closers_.pop_back();
      }
      ++at_;
    } while (!closers_.empty());
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  // Calls `visit` before each entry of a list.
  template <class Visit>
  void list(Visit visit) {
    expect('[');
    if (passes(']')) return;
    do visit();
    while (passes(','));
    expect(']');
  }

 private:
  void space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  const char* at_;
  const char* end_;
  std::string closers_;
};

// Fields that are no values of `RecordColumns::values`.
enum Other : std::size_t {
  kMetric = RecordColumns::kNames.size(),
  kSignature,
  kHypothesis,
  kClosest,
  kAlignment,
  kUnknown
};
constexpr std::size_t kFieldsValue = RecordColumns::kNames.size() - 1, kMovesValue = 7;
static_assert(RecordColumns::kNames[kFieldsValue] == "fields" && RecordColumns::kNames[kMovesValue] == "moves");
constexpr std::array<std::string_view, 5> kOthers = {"metric", "signature", "hypothesis", "closest", "alignment"};

// The number of a field; kUnknown of those that not every record has.
std::size_t field_number(std::string_view name) {
  const auto& names = RecordColumns::kNames;
  if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
    return found - names.begin();
  const auto found = std::find(kOthers.begin(), kOthers.end(), name);
  return found == kOthers.end() ? kUnknown : kMetric + (found - kOthers.begin());
}

void add_to_array(std::string& json, std::string_view value) {
  json += json.empty() ? '[' : ',';
  json += value;
}

std::string as_array(const Symbols& symbols) {
  std::string json;
  for (const std::string_view symbol : symbols.words()) add_to_array(json, symbol);
  return json.empty() ? "[]" : json + ']';
}

class Columns {
 public:
  void add(std::int64_t number, std::string_view line, std::int64_t begin) {
    Scanner scanner(line);
    std::uint32_t seen = 0;
    bool is_further = false;
    scanner.expect('{');
    do {
      const std::string_view name = scanner.string();
      require(name.find('\\') == std::string_view::npos);  // it may be another way to write a field's name
      scanner.expect(':');
      const std::size_t field = field_number(name.substr(1, name.size() - 2));
      if (field == kUnknown) {
        scanner.value();
        is_further = true;
        continue;
      }
      require(!(seen >> field & 1));
      seen |= 1U << field;
      is_further |= take(field, scanner);
    } while (scanner.passes(','));
    scanner.expect('}');
    require(scanner.at_end());
    if (!(seen >> kFieldsValue & 1)) add_to_array(found_.values[kFieldsValue], "{}");
    if (!(seen >> kSignature & 1)) signatures_.intern("\"\"");
    constexpr std::uint32_t kAll = (1U << kUnknown) - 1, kMayLack = 1U << kFieldsValue | 1U << kSignature;
    require((seen | kMayLack) == kAll);
    if (is_further) found_.further.push_back(static_cast<std::int32_t>(found_.lines.size()));
    found_.lines.push_back(number);
    found_.begins.push_back(begin);
    found_.ends.push_back(begin + static_cast<std::int64_t>(line.size()));
  }

  std::size_t size() const { return found_.lines.size(); }

  RecordColumns made(std::int64_t end, std::int64_t last_line) {
    for (std::string& values : found_.values) values += values.empty() ? "[]" : "]";
    found_.metrics = as_array(metrics_);
    found_.signatures = as_array(signatures_);
    found_.words = as_array(words_);
    found_.end = end;
    found_.last_line = last_line;
    return std::move(found_);
  }

 private:
  // Whether it is a value that makes the record one to look at.
  bool take(std::size_t field, Scanner& scanner) {
    switch (field) {
      case kMetric:
        metrics_.intern(scanner.string());
        return false;
      case kSignature:
        signatures_.intern(scanner.string());
        return false;
      case kHypothesis:
        words(scanner, found_.spoken, found_.spoken_words);
        return false;
      case kClosest:
        words(scanner, found_.nearest, found_.nearest_words);
        return false;
      case kAlignment:
        alignment(scanner);
        return false;
      default:
        break;
    }
    const std::string_view value = scanner.value();
    if (field == kFieldsValue) require(value.front() == '{');
    add_to_array(found_.values[field], value);
    return field == kMovesValue && value != "0";
  }

  void words(Scanner& scanner, std::vector<std::int64_t>& lengths, std::vector<std::int32_t>& numbers) {
    const std::size_t before = numbers.size();
    scanner.list([&] { numbers.push_back(words_.intern(scanner.string())); });
    lengths.push_back(static_cast<std::int64_t>(numbers.size() - before));
  }

  std::int32_t word_or_null(Scanner& scanner) {
    if (scanner.is_next('"')) return words_.intern(scanner.string());
    require(scanner.plain() == "null");
    return -1;
  }

  void alignment(Scanner& scanner) {
    const std::size_t before = found_.letters.size();
    scanner.list([&] {
      scanner.expect('[');
      const std::string_view letter = scanner.string();
      require(letter.size() == 3);
      scanner.expect(',');
      const std::int32_t hypothesis = word_or_null(scanner);
      scanner.expect(',');
      const std::int32_t reference = word_or_null(scanner);
      scanner.expect(']');
      const char c = letter[1];
      require(std::string_view("=SID*").find(c) != std::string_view::npos);
      require((hypothesis < 0) == (c == 'D') && (reference < 0) == (c == 'I' || c == '*'));
      found_.letters.push_back(static_cast<std::uint8_t>(c));
      found_.hypothesis.push_back(hypothesis);
      found_.reference.push_back(reference);
    });
    found_.operations.push_back(static_cast<std::int64_t>(found_.letters.size() - before));
  }

  RecordColumns found_;
  Symbols metrics_, signatures_, words_;
};

}  // namespace

std::optional<RecordColumns> record_columns(std::string_view text, std::int64_t at, std::int64_t line,
                                            std::int64_t most) {
  Columns columns;
  Polls poll;
  Lines lines(text.substr(static_cast<std::size_t>(at)));
  std::int64_t end = static_cast<std::int64_t>(text.size()), last = line;
  try {
    while (lines.next()) {
      last = line + lines.number();
      poll(50 + 4 * static_cast<std::int64_t>(lines.line().size()));
      if (!lines.line().starts_with('{') && stripped(lines.line()).empty()) continue;
      columns.add(last, lines.line(), lines.line().data() - text.data());
      if (static_cast<std::int64_t>(columns.size()) == most) {
        const char* next = lines.line().data() + lines.line().size();
        const std::size_t newline = text.find('\n', static_cast<std::size_t>(next - text.data()));
        end = newline == std::string_view::npos ? end : static_cast<std::int64_t>(newline) + 1;
        break;
      }
    }
  } catch (const Irregular&) { return std::nullopt; }
  return columns.made(end, last);
}

}  // namespace fstmetrics
