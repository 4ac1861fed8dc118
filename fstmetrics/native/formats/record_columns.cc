#include "formats/record_columns.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>

#include "formats/alignment_notation.h"
#include "formats/json_document.h"
#include "formats/lines.h"
#include "formats/symbols.h"
#include "text/json.h"

namespace fstmetrics {
namespace {

using Product = __int128;

// Counts of the engine are below this.
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;
// Scores and quotients may have been rounded by a program in between, to ten digits or so.
constexpr double kNear = 1e-9;

// What is wrong with a record; `piece` is a value that {} in the message stands for.
struct Wrong {
  std::string message;
  std::string piece;
};
// A metric without a rule.
struct UnknownMetric {
  std::string name;
};

enum Name : std::size_t {
  // Counts and measures, in the order of RecordColumns.
  kEdits,
  kMatches,
  kSubstitutions,
  kInsertions,
  kDeletions,
  kMoves,
  kPathLength,
  kScore,
  kGain,
  kMaxGain,
  kReferenceDigest,
  kId,
  kMetric,
  kSignature,
  kFields,
  kHypothesis,
  kClosest,
  kAlignment,
  kOrder,
  kNbest,
  kAlternatives,
  kCards,
  kRules,
  kArcs,
  kDensity,
  kOneBest,
  kDepth,
  kAfter,
  kBeams,
  kHope,
  kFear,
  kSweep,
  kExpectedLoss,
  kStatistics,
  kPosterior,
  kCandidates,
  kEvidence,
  kMass,
  kExact,
  kWritten,
  kTaken,
  kGrammar,
  kRule,
  kLine,
  kBefore,
  kPosition,
  kCost,
  kAt,
  kOracle,
  kParts,
  kEntries,
  kBeam,
  kCombined,
  kModelCost,
  kLmScale,
  kWordPenalty,
  kUnit,
  kMean,
  kMax,
  kTimes,
  kUntimed,
  kBiasing,
  kNumNames
};  // clang-format off
constexpr std::array<std::string_view, kNumNames> kNameTexts = {
  "edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length", "score", "gain", "max_gain",
  "reference_digest", "id", "metric", "signature", "fields", "hypothesis", "closest", "alignment", "order", "nbest", "alternatives", "cards", "rules",
  "arcs", "density", "one_best", "depth", "after", "beams", "hope", "fear", "sweep", "expected_loss", "statistics", "posterior",
  "candidates", "evidence", "mass", "exact", "written", "taken", "grammar", "rule", "line", "before", "position", "cost", "at",
  "oracle", "parts", "entries", "beam", "combined", "model_cost", "lm_scale", "word_penalty", "unit", "mean", "max", "times", "untimed", "biasing"};
// clang-format on
constexpr std::array<Name, 7> kCountNames = {kEdits,     kMatches, kSubstitutions, kInsertions,
                                             kDeletions, kMoves,   kPathLength};
// By these a record is known to be of a best path, or of a part of one.
constexpr std::array<Name, 14> kPathNames = {kEdits,   kMatches,    kSubstitutions, kInsertions, kDeletions,
                                             kMoves,   kPathLength, kHypothesis,    kClosest,    kGain,
                                             kMaxGain, kAlignment,  kOrder,         kNbest};
constexpr std::array<Name, 9> kOracleNames = {kArcs, kDensity, kOneBest, kDepth, kAfter, kBeams, kHope, kFear, kSweep};
// What some best paths have beside counts, words and alignment, and by what other records are known.
constexpr std::array<Name, 8> kOptionalNames = {kAlternatives, kCards,        kRules,      kOrder,
                                                kNbest,        kExpectedLoss, kStatistics, kBiasing};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An object, by the names that records have; of a name that comes twice the last.
class Object {
 public:
  Object(const JsonDocument& json, const JsonNode& node) {
    static const auto* numbers = [] {
      auto* found = new std::unordered_map<std::string_view, std::size_t>;
      for (std::size_t name = 0; name < kNumNames; ++name) found->emplace(kNameTexts[name], name);
      return found;
    }();
    json.each(node, [&](const JsonNode& each) {
      if (const auto known = numbers->find(each.key); known != numbers->end()) fields_[known->second] = &each;
    });
  }
  const JsonNode* operator[](Name name) const { return fields_[name]; }
  const JsonNode& need(Name name) const {
    if (!fields_[name]) throw Wrong{"no field '" + std::string(kNameTexts[name]) + "'", {}};
    return *fields_[name];
  }
  template <std::size_t n>
  bool has_any(const std::array<Name, n>& names) const {
    return std::any_of(names.begin(), names.end(), [&](Name name) { return fields_[name] != nullptr; });
  }

 private:
  std::array<const JsonNode*, kNumNames> fields_{};
};

template <class Check>
void within(std::string_view part, Check check) {
  try {
    check();
  } catch (Wrong& wrong) {
    wrong.message.insert(0, std::string(part) + ": ");
    throw;
  }
}

[[noreturn]] void throw_unexpected(std::string_view name, std::string_view expected, const JsonNode& found) {
  throw Wrong{std::string(name) + ": expected " + std::string(expected) + ", found {}", std::string(found.json)};
}

bool is_text_node(const JsonNode& node) { return node.type == JsonType::kText; }
bool is_null(const JsonNode& node) { return node.type == JsonType::kNull; }
bool is_count(const JsonNode& node) {
  return node.type == JsonType::kInteger && node.is_small && 0 <= node.whole && node.whole < kMostCount;
}
bool is_number(const JsonNode& node) {
  return node.type == JsonType::kReal ||
         (node.type == JsonType::kInteger && node.is_small && std::abs(node.whole) < kMostCount);
}

std::string shown(double number) {
  std::string text;
  append_json(text, number);
  return text;
}
std::string shown(Product number) {
  std::string text;
  for (Product rest = number < 0 ? -number : number; rest != 0 || text.empty(); rest /= 10)
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  return number < 0 ? '-' + text : text;
}

// A number as a message shows it.
struct Shown {
  double number;
  std::string text;
};
Shown of_count(Product number) { return {static_cast<double>(number), shown(number)}; }
Shown of_node(const JsonNode& node) {
  if (is_null(node)) return {std::numeric_limits<double>::quiet_NaN(), "null"};
  if (node.type == JsonType::kReal) return {node.number, shown(node.number)};
  return of_count(node.whole);
}
Shown quotient(const Shown& above, const Shown& below, int empty) {
  if (below.number != 0) return {above.number / below.number, shown(above.number / below.number)};
  if (above.number != 0) return {std::numeric_limits<double>::quiet_NaN(), "null"};
  return of_count(empty);
}

struct Counts {
  std::array<std::int64_t, kCountNames.size()> numbers{};
  std::int64_t operator[](Name name) const { return numbers[name]; }
  std::int64_t spoken() const { return numbers[kMatches] + numbers[kSubstitutions] + numbers[kInsertions]; }
};

// The alignment of a path.
struct Operations {
  std::vector<std::uint8_t> letters;
  std::vector<std::int32_t> hypothesis, reference;
};

enum class Form { kText, kWords, kCount, kNumber, kNumberOrNull, kTrueOrFalse };
using Forms = std::vector<std::pair<Name, Form>>;

class Checker {
 public:
  Checker(const JsonDocument& json, const MetricRule* rule, const std::string& with_paths, Symbols& words)
      : json_(json), rule_(rule), with_paths_(with_paths), words_(words) {}

  void head(const Object& record) const {
    const JsonNode& id = record.need(kId);
    if (id.type != JsonType::kText && id.type != JsonType::kInteger && id.type != JsonType::kNull)
      throw_unexpected("id", "a text or null", id);
    if (!is_text_node(record.need(kMetric))) throw_unexpected("metric", "the name of a metric", *record[kMetric]);
    if (record[kSignature]) form(record, kSignature, Form::kText);
    const JsonNode* fields = record[kFields];
    if (!fields) return;
    bool are_fields = fields->type == JsonType::kObject;
    json_.each(*fields, [&](const JsonNode& each) { are_fields = are_fields && !is_compound(each); });
    if (!are_fields) throw_unexpected("fields", "an object of texts, numbers, true, false and null", *fields);
  }

  // The score of a record without a best path.
  void score(const Object& record) const { form(record, kScore, Form::kNumberOrNull); }

  void statistics(const Object& record) const {
    score(record);
    const JsonNode& statistics = object_in(record, kStatistics);
    std::vector<std::string> names;
    json_.each(statistics, [&](const JsonNode& each) {
      if (const auto known = std::find(names.begin(), names.end(), each.key); known == names.end())
        names.emplace_back(each.key);
    });
    for (const std::string& name : names) {
      const JsonNode* last = nullptr;
      json_.each(statistics, [&](const JsonNode& each) { last = each.key == name ? &each : last; });
      within("statistics", [&] {
        if (!is_number(*last)) throw_unexpected(said_by(name), "a number", *last);
      });
    }
    if (rule_->columns && *rule_->columns != names) throw Wrong{"statistics are not those of " + name_of(record), {}};
  }

  // The alignment beside a score of strings: the fewest word edits, as of the word error rate.
  void edits_beside(const Object& record) {
    counts(record);
    no_gain(record, name_of(record));
    const Shown edits = of_count(counts_[kEdits]), length = of_count(counts_[kPathLength]);
    sums(record, "wer", quotient(edits, length, 0));
    path_words(record, "wer");
  }

  void risk(const Object& record) const {
    static const Forms kBegin = {
        {kHypothesis, Form::kWords}, {kExpectedLoss, Form::kNumber}, {kPosterior, Form::kNumber}};
    static const Forms kEnd = {
        {kCandidates, Form::kCount}, {kEvidence, Form::kCount}, {kMass, Form::kNumber}, {kExact, Form::kTrueOrFalse}};
    forms(record, kBegin);
    const JsonNode& one_best = object_in(record, kOneBest);
    within("one_best", [&] { forms(Object(json_, one_best), kBegin); });
    forms(record, kEnd);
    if (record[kNbest]) each_of(record, kNbest, kBegin);
  }

  // A best path; `is_whole` says that it is the record's own, which may have others beside it.
  void path(const Object& record, bool is_whole) {
    if (!rule_->has_paths)
      throw_unexpected("metric", "one that has best paths (" + with_paths_ + ')', *record[kMetric]);
    counts(record);
    if (record[kRules]) rules(record);
    sums(record, rule_->metric, std::nullopt);
    path_words(record, rule_->metric);
    if (!is_whole) return;
    if (record.has_any(kOracleNames)) oracle(record);
    if (record[kNbest]) nbest(record);
  }

  const Counts& counts() const { return counts_; }
  const Operations& operations() const { return operations_; }

 private:
  static bool is_compound(const JsonNode& node) {
    return node.type == JsonType::kList || node.type == JsonType::kObject;
  }
  static std::string name_of(const Object& record) {
    const std::string_view name = record[kMetric]->json;
    return said_by(name.substr(1, name.size() - 2));
  }

  template <class Holds>
  bool is_list_of(const JsonNode& node, Holds holds) const {
    bool are = node.type == JsonType::kList;
    if (are) json_.each(node, [&](const JsonNode& each) { are = are && holds(each); });
    return are;
  }
  bool is_words(const JsonNode& node) const { return is_list_of(node, is_text_node); }

  // That a field is there, and is what is expected.
  void form(const Object& object, Name name, Form form) const {
    const JsonNode& node = object.need(name);
    const std::string_view called = kNameTexts[name];
    switch (form) {
      case Form::kText:
        if (!is_text_node(node)) throw_unexpected(called, "a text", node);
        return;
      case Form::kWords:
        if (!is_words(node)) throw_unexpected(called, "a list of words", node);
        return;
      case Form::kCount:
        if (!is_count(node)) throw_unexpected(called, "a whole number from 0 up", node);
        return;
      case Form::kNumber:
        if (!is_number(node)) throw_unexpected(called, "a number", node);
        return;
      case Form::kNumberOrNull:
        if (!is_number(node) && !is_null(node)) throw_unexpected(called, "a number or null", node);
        return;
      case Form::kTrueOrFalse:
        if (node.type != JsonType::kTrue && node.type != JsonType::kFalse)
          throw_unexpected(called, "true or false", node);
    }
  }
  void forms(const Object& object, const Forms& all) const {
    for (const auto& [name, expected] : all) form(object, name, expected);
  }
  const JsonNode& object_in(const Object& record, Name name) const {
    const JsonNode& node = record.need(name);
    if (node.type != JsonType::kObject) throw_unexpected(kNameTexts[name], "an object", node);
    return node;
  }
  const JsonNode& objects_in(const Object& record, Name name) const {
    const JsonNode& node = record.need(name);
    if (!is_list_of(node, [](const JsonNode& each) { return each.type == JsonType::kObject; }))
      throw_unexpected(kNameTexts[name], "a list of objects", node);
    return node;
  }
  void each_of(const Object& record, Name name, const Forms& all) const {
    json_.each(objects_in(record, name),
               [&](const JsonNode& each) { within(kNameTexts[name], [&] { forms(Object(json_, each), all); }); });
  }

  void counts(const Object& record) {
    for (const Name name : kCountNames) {
      form(record, name, Form::kCount);
      counts_.numbers[name] = record[name]->whole;
    }
  }

  // Rules of grammars that a path has used, and what they cost.
  void rules(const Object& record) {
    static const Forms kForms = {{kGrammar, Form::kText}, {kRule, Form::kText},   {kLine, Form::kCount},
                                 {kBefore, Form::kWords}, {kAfter, Form::kWords}, {kPosition, Form::kCount},
                                 {kCost, Form::kNumber}};
    each_of(record, kRules, kForms);
    json_.each(*record[kRules], [&](const JsonNode& rule) { *cost_ += of_node(*Object(json_, rule)[kCost]).number; });
  }

  void no_gain(const Object& record, std::string_view metric) const {
    const JsonNode& gain = record.need(kGain);
    if (!is_null(gain) || !is_null(record.need(kMaxGain)))
      throw Wrong{"gain and max_gain are of recognition rates, and the metric is " + std::string(metric), {}};
  }

  // The counts, which add up, and the score, which follows from them; or another score, of another metric.
  void sums(const Object& record, std::string_view metric, std::optional<Shown> other) const {
    const std::int64_t edits = counts_[kEdits], matches = counts_[kMatches], length = counts_[kPathLength];
    if (edits != counts_[kSubstitutions] + counts_[kInsertions] + counts_[kDeletions])
      throw Wrong{"edits is " + shown(Product{edits}) + ", not substitutions + insertions + deletions", {}};
    if (length != matches + counts_[kSubstitutions] + counts_[kDeletions])
      throw Wrong{"path_length is " + shown(Product{length}) + ", not matches + substitutions + deletions", {}};
    const JsonNode &own = record.need(kScore), &gain = record.need(kGain), &most = record.need(kMaxGain);
    if (!other) form(record, kScore, Form::kNumberOrNull);
    const Shown score = other ? *other : of_node(own);
    if (is_one_of(metric, {"mer", "wil", "wip"})) {
      no_gain(record, metric);
      const Product spoken = counts_.spoken(), product = Product{length} * spoken;
      const Product both = product != 0 ? product : length + spoken, right = Product{matches} * matches;
      if (metric == "mer") follows(score, of_count(edits), of_count(Product{edits} + matches), 0);
      if (metric == "wip") follows(score, of_count(right), of_count(both), 1);
      if (metric == "wil") follows(score, of_count(both - right), of_count(both), 0);
      return;
    }
    if (is_one_of(metric, {"wer", "hyter", "sclite", "edit"})) {
      no_gain(record, metric);
      if (metric == "edit" || !cost_) return;
      const Shown errors = of_count(Product{edits} + counts_[kMoves]);
      const double all = errors.number + *cost_;
      follows(score, *cost_ == 0 ? errors : Shown{all, shown(all)}, of_count(length), 0);
      return;
    }
    if (!is_one_of(metric, {"wrr", "grr"})) return;  // of another package, which alone knows how they make a score
    form(record, kGain, Form::kNumber);
    const Product can = Product{length} * (length + 1) / 2;
    if (most.type != JsonType::kInteger || !most.is_small || most.whole < length || most.whole > can)
      throw_unexpected("max_gain", "what " + shown(Product{length}) + " reference words can gain", most);
    if (metric == "wrr" && cost_) {
      const double rest = static_cast<double>(matches - counts_[kInsertions]) - *cost_;
      if (!is_near(of_node(gain).number, rest) || most.whole != length)
        throw Wrong{"gain and max_gain are not matches - insertions and path_length", {}};
    }
    follows(score, of_node(gain), of_node(most), 1);
  }

  static bool is_near(double one, double other) {
    return std::abs(one - other) <= kNear * std::max({std::abs(one), std::abs(other), 1.0});
  }

  // That a score is a quotient; `empty` is that of nothing by nothing.
  static void follows(const Shown& score, const Shown& above, const Shown& below, int empty) {
    const Shown expected = quotient(above, below, empty);
    const bool is_infinite = std::isnan(score.number), must_be = std::isnan(expected.number);
    if (is_infinite != must_be || (!is_infinite && !is_near(score.number, expected.number)))
      throw Wrong{"score is " + score.text + ", but " + above.text + " / " + below.text + " gives " + expected.text,
                  {}};
  }

  // The words of both sides, the alignment, the order, and what else some best paths have.
  void path_words(const Object& record, std::string_view metric) {
    const JsonNode &hypothesis = record.need(kHypothesis), &closest = record.need(kClosest);
    form(record, kClosest, Form::kWords);
    if (closest.size != counts_[kPathLength])
      throw Wrong{"closest has " + shown(Product{closest.size}) + " words, path_length is " +
                      shown(Product{counts_[kPathLength]}),
                  {}};
    operations_ = {};
    if (record[kAlignment]) {
      alignment(*record[kAlignment], hypothesis, closest);
    } else {
      form(record, kHypothesis, Form::kWords);
      if (hypothesis.size < counts_.spoken())
        throw Wrong{"hypothesis has " + shown(Product{hypothesis.size}) +
                        " words, fewer than matches + substitutions + insertions",
                    {}};
    }
    if (counts_[kMoves] != 0 || record[kOrder]) order(record, hypothesis, metric);
    static const Forms kAlternative = {{kWritten, Form::kText}, {kTaken, Form::kText}};
    if (record[kAlternatives]) each_of(record, kAlternatives, kAlternative);
    if (record[kCards]) cards(*record[kCards], closest.size);
  }

  void alignment(const JsonNode& pairs, const JsonNode& hypothesis, const JsonNode& closest) {
    if (pairs.type != JsonType::kList) throw_unexpected("alignment", "a list of operations", pairs);
    for (const JsonNode* side : {&hypothesis, &closest}) {  // whose words are numbered first
      json_.each(*side, [&](const JsonNode& word) { words_.intern(word.json); });
    }
    json_.each(pairs, [&](const JsonNode& pair) {
      const auto operation = operation_in(json_, pair);
      if (!operation) throw_unexpected("alignment", R"(operations as ["S", word, word])", pair);
      const auto number = [&](const std::optional<std::string_view>& word) { return word ? words_.intern(*word) : -1; };
      operations_.letters.push_back(static_cast<std::uint8_t>(operation->letter));
      operations_.hypothesis.push_back(number(operation->hypothesis));
      operations_.reference.push_back(number(operation->reference));
    });
    const auto& letters = operations_.letters;
    for (std::size_t at = 0; at < letters.size(); ++at) {
      if ((operations_.hypothesis[at] == operations_.reference[at]) != (letters[at] == '='))
        throw Wrong{"alignment has matches of different words, or substitutions of equal ones", {}};
    }
    for (const auto& [letter, name] :
         {std::pair{'=', kMatches}, {'S', kSubstitutions}, {'I', kInsertions}, {'D', kDeletions}}) {
      const std::int64_t found = std::count(letters.begin(), letters.end(), static_cast<std::uint8_t>(letter));
      const std::string called(kNameTexts[name]);
      if (found != counts_[name])
        throw Wrong{"alignment has " + shown(Product{found}) + ' ' + called + ", " + called + " is " +
                        shown(Product{counts_[name]}),
                    {}};
    }
    if (!are_words(operations_.hypothesis, hypothesis))
      throw Wrong{"the words of alignment are not those of hypothesis", {}};
    if (!are_words(operations_.reference, closest)) throw Wrong{"the words of alignment are not those of closest", {}};
  }

  // Whether a side of an alignment has these words.
  bool are_words(const std::vector<std::int32_t>& side, const JsonNode& list) const {
    auto at = side.begin();
    const auto pass_gaps = [&] { at = std::find_if(at, side.end(), [](std::int32_t word) { return word >= 0; }); };
    pass_gaps();
    const bool are = is_list_of(list, [&](const JsonNode& word) {
      if (at == side.end() || words_.words()[static_cast<std::size_t>(*at)] != word.json) return false;
      ++at;
      pass_gaps();
      return true;
    });
    return are && at == side.end();
  }

  void order(const Object& record, const JsonNode& hypothesis, std::string_view metric) const {
    const JsonNode& node = record.need(kOrder);
    if (metric != "hyter") throw Wrong{"order and moves are of hyter, and the metric is " + std::string(metric), {}};
    const auto words = static_cast<std::size_t>(hypothesis.size);
    std::vector<std::int64_t> order;
    std::vector<bool> taken(words);
    const bool is_order = is_list_of(node, [&](const JsonNode& each) {
      if (each.type != JsonType::kInteger || !each.is_small || each.whole < 0 || each.whole >= hypothesis.size ||
          taken[static_cast<std::size_t>(each.whole)])
        return false;
      taken[static_cast<std::size_t>(each.whole)] = true;
      order.push_back(each.whole);
      return true;
    });
    if (!is_order || order.size() != words)
      throw_unexpected("order", "an order of the " + shown(Product{hypothesis.size}) + " words of the hypothesis",
                       node);
    // Which of the two counts of docs/hyter.md was made, the number of moves tells.
    for (const bool jumps : {false, true}) {
      const std::vector<bool> paid = paid_moves(order, jumps);
      if (std::count(paid.begin(), paid.end(), true) == counts_[kMoves]) return;
    }
    throw Wrong{"order does not take " + shown(Product{counts_[kMoves]}) + " moves", {}};
  }

  void cards(const JsonNode& node, std::int32_t words) const {
    const auto check = [&](const JsonNode& card) {
      std::vector<const JsonNode*> parts;
      if (card.type == JsonType::kList) json_.each(card, [&](const JsonNode& each) { parts.push_back(&each); });
      if (parts.size() != 4 || !is_text_node(*parts[0]) || !is_text_node(*parts[1]) || !is_count(*parts[2]) ||
          !is_count(*parts[3]))
        throw_unexpected("cards", "a list of [card, phrase, from, to]", card);
      if (parts[2]->whole > parts[3]->whole || parts[3]->whole > words)
        throw_unexpected("cards", "positions in the " + shown(Product{words}) + " words of closest", card);
    };
    if (node.type == JsonType::kList) {
      json_.each(node, check);
    } else {
      check(node);
    }
  }

  // What oracles have beside their best path.
  void oracle(const Object& record) const {
    const bool is_rewritten =
        record[kSignature] && record[kSignature]->json.find("|grammars:") != std::string_view::npos;
    form(record, kArcs, Form::kCount);
    form(record, kDensity, Form::kNumberOrNull);
    const JsonNode& one_best = record.need(kOneBest);
    if (!is_null(one_best) && one_best.type != JsonType::kObject)
      throw_unexpected("one_best", "an object or null", one_best);
    if (record[kDepth]) depth(record);
    density(record);
    static const Forms kPart = {{kAt, Form::kCount}, {kOracle, Form::kWords}, {kOneBest, Form::kWords}};
    if (!is_null(one_best)) {
      const Object path(json_, one_best);
      within("one_best", [&] {
        Checker(json_, rule_, with_paths_, words_).part(path, {}, is_rewritten);
        if (path[kParts]) each_of(path, kParts, kPart);
      });
    }
    static const Forms kWeighed = {{kCombined, Form::kNumber}, {kModelCost, Form::kNumber}, {kCost, Form::kNumber}};
    static const std::vector<std::pair<Name, Forms>> kLists = {
        {kAfter, {{kEntries, Form::kCount}}},
        {kBeams, {{kBeam, Form::kNumberOrNull}, {kArcs, Form::kCount}, {kDensity, Form::kNumberOrNull}}},
        {kHope, kWeighed},
        {kFear, kWeighed},
        {kSweep, {{kLmScale, Form::kNumberOrNull}, {kWordPenalty, Form::kNumberOrNull}}}};
    for (const auto& [name, more] : kLists) {
      if (!record[name]) continue;
      json_.each(objects_in(record, name), [&, &name = name, &more = more](const JsonNode& each) {
        within(kNameTexts[name],
               [&] { Checker(json_, rule_, with_paths_, words_).part(Object(json_, each), more, is_rewritten); });
      });
    }
  }

  void depth(const Object& record) const {
    const JsonNode& node = object_in(record, kDepth);
    within("depth", [&] {
      const Object own(json_, node);
      static const Forms kBegin = {{kUnit, Form::kText}, {kMean, Form::kNumberOrNull}, {kMax, Form::kCount}};
      forms(own, kBegin);
      if (!is_list_of(own.need(kTimes), is_number)) throw_unexpected("times", "a list of numbers", *own[kTimes]);
      if (!is_list_of(own.need(kArcs), is_count)) throw_unexpected("arcs", "a list of whole numbers", *own[kArcs]);
      form(own, kUntimed, Form::kCount);
    });
  }

  static void density(const Object& record) {
    const std::int64_t length = record.need(kPathLength).whole;
    const JsonNode& found = record.need(kDensity);
    const double expected = static_cast<double>(record.need(kArcs).whole) / static_cast<double>(length);
    const double own = of_node(found).number;
    if (is_null(found) != (length == 0) ||
        (length != 0 && own != expected &&
         !(std::abs(own - expected) <= kNear * std::max(std::abs(own), std::abs(expected)))))
      throw Wrong{"density is not arcs / path_length", {}};
  }

  // Another path of an oracle's lattice, in brief, with more fields; it does not say what its rewrites cost.
  void part(const Object& path, const Forms& more, bool is_rewritten) {
    forms(path, more);
    counts(path);
    if (is_rewritten) cost_.reset();
    sums(path, rule_->metric, std::nullopt);
    if (std::any_of(more.begin(), more.end(), [](const auto& each) { return each.first == kDensity; })) density(path);
    form(path, kHypothesis, Form::kWords);
    if (path[kHypothesis]->size < counts_.spoken())
      throw Wrong{"a hypothesis has fewer words than matches + substitutions + insertions", {}};
  }

  // The best paths of an item, the first of which is the record's own.
  void nbest(const Object& record) const {
    Symbols words;
    const JsonNode* first = nullptr;
    json_.each(objects_in(record, kNbest), [&](const JsonNode& each) {
      first = first ? first : &each;
      const Object path(json_, each);
      if (!path[kMetric] || path[kMetric]->json != record[kMetric]->json)
        throw Wrong{"nbest has paths of another metric", {}};
      if (path[kNbest]) throw Wrong{"nbest has paths that have paths of their own", {}};
      if ((path[kAlignment] != nullptr) != (record[kAlignment] != nullptr))
        throw Wrong{"nbest has paths with and paths without an alignment", {}};
      within("nbest", [&] { Checker(json_, rule_, with_paths_, words).path(path, false); });
    });
    if (first && !is_same(Object(json_, *first), record))
      throw Wrong{"the first path of nbest is not the record's own", {}};
  }

  bool is_same(const Object& one, const Object& other) const {
    const Shown score = of_node(*one[kScore]), own = of_node(*other[kScore]);
    if (score.number != own.number && !(std::isnan(score.number) && std::isnan(own.number))) return false;
    for (const Name name : kCountNames) {
      if (one[name]->whole != other[name]->whole) return false;
    }
    for (const Name name : {kHypothesis, kClosest}) {
      std::vector<std::string_view> words;
      json_.each(*one[name], [&](const JsonNode& word) { words.push_back(word.json); });
      std::size_t at = 0;
      bool are_same = one[name]->size == other[name]->size;
      json_.each(*other[name], [&](const JsonNode& word) { are_same = are_same && words[at++] == word.json; });
      if (!are_same) return false;
    }
    return true;
  }

  const JsonDocument& json_;
  const MetricRule* rule_;
  const std::string& with_paths_;
  Symbols& words_;
  Counts counts_;
  std::optional<double> cost_ = 0;  // of the rewrites; nothing where a record does not say it
  Operations operations_;
};

void add_to_array(std::string& json, std::string_view value) {
  json += json.empty() ? '[' : ',';
  json += value;
}

std::string as_array(const Symbols& symbols) {
  std::string json;
  for (const std::string_view symbol : symbols.words()) add_to_array(json, symbol);
  return json.empty() ? "[]" : json + ']';
}

RecordKind kind_of(const Object& record) {
  if (record[kExpectedLoss]) return RecordKind::kRisk;
  if (record[kStatistics]) return RecordKind::kStatistics;
  return record.has_any(kPathNames) ? RecordKind::kPath : RecordKind::kScore;
}

}  // namespace

std::vector<bool> paid_moves(const std::vector<std::int64_t>& order, bool jumps) {
  std::vector<bool> paid, taken(order.size() + 1);
  std::int64_t leftmost = 0, before = -2;
  for (const std::int64_t position : order) {
    paid.push_back(position != leftmost && (jumps || position != before + 1));
    taken[static_cast<std::size_t>(position)] = true;
    before = position;
    while (taken[static_cast<std::size_t>(leftmost)]) ++leftmost;
  }
  return paid;
}

RecordColumns RecordSchema::read(std::string_view text, std::int64_t at, std::int64_t line, std::int64_t most) const {
  RecordColumns found;
  JsonDocument json;
  Symbols metrics, signatures, words;
  Polls poll;
  Lines lines(text.substr(static_cast<std::size_t>(at)));
  found.end = static_cast<std::int64_t>(text.size());
  found.last_line = line;
  RecordFault fault;
  try {
    while (lines.next()) {
      found.last_line = line + lines.number();
      poll(50 + 8 * static_cast<std::int64_t>(lines.line().size()));
      if (!lines.line().starts_with('{') && stripped(lines.line()).empty()) continue;
      fault.line = found.last_line;
      fault.begin = lines.line().data() - text.data();
      fault.end = fault.begin + static_cast<std::int64_t>(lines.line().size());
      if (!json.read(lines.line()) || json.root().type != JsonType::kObject) throw Wrong{};
      const Object record(json, json.root());
      const RecordKind kind = kind_of(record);
      const bool needs_rule = kind == RecordKind::kPath || kind == RecordKind::kStatistics;
      Checker(json, nullptr, with_paths_, words).head(record);
      const std::string_view metric = record[kMetric]->json;
      const auto rule = rules_.find(metric);
      if (needs_rule && rule == rules_.end()) throw UnknownMetric{std::string(metric)};
      Checker checker(json, needs_rule ? &rule->second : nullptr, with_paths_, words);
      bool is_aligned = record[kAlignment] && needs_rule;
      switch (kind) {
        case RecordKind::kScore:
          checker.score(record);
          break;
        case RecordKind::kStatistics:
          checker.statistics(record);
          if (is_aligned) checker.edits_beside(record);
          break;
        case RecordKind::kPath:
          checker.path(record, true);
          break;
        case RecordKind::kRisk:
          checker.risk(record);
      }
      const auto number = static_cast<std::int32_t>(found.lines.size());
      found.lines.push_back(fault.line);
      found.begins.push_back(fault.begin);
      found.ends.push_back(fault.end);
      found.kinds.push_back(static_cast<std::uint8_t>(kind));
      found.oracles.push_back(record[kArcs] != nullptr);
      found.aligned.push_back(is_aligned);
      add_to_array(found.ids, record[kId]->json);
      add_to_array(found.fields, record[kFields] ? record[kFields]->json : "{}");
      const bool is_other =
          !found.metric.empty() && metrics.words()[static_cast<std::size_t>(found.metric.back())] != metric;
      found.metric.push_back(metrics.intern(metric));
      found.signature.push_back(signatures.intern(record[kSignature] ? record[kSignature]->json : "\"\""));
      for (const Name name : kCountNames) found.counts[name].push_back(checker.counts()[name]);
      for (std::size_t measure = 0; measure < found.measures.size(); ++measure) {
        const JsonNode* node = record[static_cast<Name>(kScore + measure)];
        const bool is_there = node && is_number(*node);
        found.measures[measure].push_back(is_there ? node->number : std::numeric_limits<double>::quiet_NaN());
      }
      if (checker.counts()[kMoves] != 0 || record.has_any(kOracleNames) || record.has_any(kOptionalNames))
        found.further.push_back(number);
      const Operations& own = checker.operations();
      found.operations.push_back(static_cast<std::int64_t>(own.letters.size()));
      found.letters.insert(found.letters.end(), own.letters.begin(), own.letters.end());
      found.hypothesis.insert(found.hypothesis.end(), own.hypothesis.begin(), own.hypothesis.end());
      found.reference.insert(found.reference.end(), own.reference.begin(), own.reference.end());
      if (is_other || static_cast<std::int64_t>(found.lines.size()) == most) {
        const std::size_t newline = text.find('\n', static_cast<std::size_t>(fault.end));
        found.end = newline == std::string_view::npos ? found.end : static_cast<std::int64_t>(newline) + 1;
        break;
      }
    }
  } catch (Wrong& wrong) {
    fault.message = std::move(wrong.message);
    fault.piece = std::move(wrong.piece);
    found.fault = std::move(fault);
  } catch (UnknownMetric& metric) {
    found.unknown = std::move(metric.name);
    return found;
  }
  for (std::string* column : {&found.ids, &found.fields}) *column += column->empty() ? "[]" : "]";
  found.metrics = as_array(metrics);
  found.signatures = as_array(signatures);
  found.words = as_array(words);
  return found;
}

}  // namespace fstmetrics
