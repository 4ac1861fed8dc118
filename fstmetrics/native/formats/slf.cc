#include "formats/slf.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>

#include "formats/fault.h"
#include "formats/slf_fields.h"
#include "formats/text_rows.h"
#include "support/poll.h"

namespace fstmetrics {
namespace {

using Fields = std::vector<SlfField>;

// The value of the last field of a name.
std::optional<std::string_view> value_of(const Fields& fields, std::string_view name) {
  std::optional<std::string_view> value;
  for (const SlfField& field : fields) {
    if (field.name == name) value = field.value;
  }
  return value;
}

std::optional<std::string_view> either(const Fields& fields, std::string_view name, std::string_view long_name) {
  const auto value = value_of(fields, name);
  return value ? value : value_of(fields, long_name);
}

// The fields of a link. HTK goes by the first letter of a name there, so START= and S= are the same.
struct LinkFields {
  LinkFields() = default;
  explicit LinkFields(const Fields& fields) {
    for (const SlfField& field : fields) take(field.name[0], field.value);
  }

  void take(char name, std::string_view value) {
    switch (name) {
      case 'S':
        source = value;
        break;
      case 'E':
        destination = value;
        break;
      case 'W':
        word = value;
        break;
      case 'l':
        graph = value;
        break;
      case 'a':
        acoustic = value;
        break;
      case 'r':
        pronunciation = value;
        break;
      default:
        break;
    }
  }

  std::optional<std::string_view> source, destination, word, graph, acoustic, pronunciation;
};

// A link as most programs write it: its number first, and names of one letter. Nothing for any other line.
std::optional<LinkFields> plain_link(const TextRows& row) {
  if (row.size() == 0 || row.size() > TextRows::kKept || !row[0].starts_with("J=")) return std::nullopt;
  LinkFields link;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string_view field = row[i];
    if (field.size() < 3 || field[1] != '=' || field[2] == '"' || field[2] == '\'' || field[0] == '#' ||
        field[0] == '=' || field[0] == 'n' || (i > 0 && field[0] == 'J')) {
      return std::nullopt;
    }
    link.take(field[0], field.substr(2));
  }
  return link;
}

// The field of the head that scales a score which SRILM writes and nobody else reads, and what it is where it is not
// there; nothing for any other field.
std::optional<std::pair<std::string, double>> other_scale(std::string_view name, bool on_node) {
  if (name == "n" || name == "ngram") return std::pair("ngscale", 1.0);
  if (name == "ds") return std::pair("duscale", 0.0);
  if (name.size() == 2 && name[0] == 'x' && name[1] >= '1' && name[1] <= '9') {
    return std::pair(std::string(name) + "scale", 0.0);
  }
  if (!on_node) return std::nullopt;
  if (name == "a" || name == "acoustic") return std::pair("acscale", 1.0);
  if (name == "l" || name == "language") return std::pair("lmscale", 1.0);
  if (name == "r") return std::pair("prscale", 1.0);
  return std::nullopt;
}

// The fields of a row as SlfFields::of finds them, where nothing is quoted or escaped; false where something may be.
bool read_quickly(const TextRows& row, Fields& fields) {
  fields.clear();
  if (row.size() > TextRows::kKept) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string_view field = row[i];
    if (field[0] == '#') return true;
    const std::size_t equals = field.size() > 1 && field[0] != '=' && field[1] == '=' ? 1 : field.find('=');
    if (equals == 0 || equals == field.npos) return false;
    const std::string_view value = field.substr(equals + 1);
    if (!value.empty() && (value[0] == '"' || value[0] == '\'')) return false;
    fields.push_back({field.substr(0, equals), value});
  }
  return true;
}

// Ids that must not come twice, each with its index. Mostly they count from 0, and then none need be kept.
class Ids {
 public:
  // The index of an id; as many as there were before where it is new.
  std::size_t index(std::string_view id) {
    if (counting_) {
      if (is_next(id)) return next_++;
      counting_ = false;
      for (std::size_t i = 0; i < next_; ++i) kept_.intern(texts_.emplace_back(std::to_string(i)));
    }
    return static_cast<std::size_t>(kept_.intern(id));
  }

 private:
  bool is_next(std::string_view id) const {
    std::size_t value = 0;
    if (id.empty() || id.size() > 15 || (id[0] == '0' && id.size() > 1)) return false;
    for (const char c : id) {
      if (c < '0' || c > '9') return false;
      value = 10 * value + static_cast<std::size_t>(c - '0');
    }
    return value == next_;
  }

  bool counting_ = true;
  std::size_t next_ = 0;
  std::deque<std::string> texts_;
  Symbols kept_;
};

class SlfLattice {
 public:
  // `escapes`: whether there may be backslashes in the row.
  void add(const TextRows& row, bool escapes) {
    const bool plain = !(escapes && row.line().find('\\') != std::string_view::npos);
    if (const auto link = plain ? plain_link(row) : std::nullopt) {
      add_link(*link, row[0].substr(2), row.number());
    } else if (plain && read_quickly(row, quick_)) {
      add(quick_, row.number());
    } else {
      add(fields_.of(row.line()), row.number());
    }
  }

  void add(const Fields& fields, std::int64_t number) {
    if (fields.empty()) return;
    if (const auto link = value_of(fields, "J")) {
      refuse_other_scores(fields, false);
      return add_link(LinkFields(fields), *link, number);
    }
    if (const auto node = value_of(fields, "I")) {
      refuse_other_scores(fields, true);
      return add_node(fields, *node);
    }
    add_header(fields);
  }

  // `links`: how many there may be, for memory.
  SlfLattice(std::int64_t line, std::size_t links) {
    text_.line = line;
    text_.links.reserve(links);
    text_.pronunciation.reserve(links);
  }

  SlfText complete() {
    text_.links.set_words(words_);
    return std::move(text_);
  }

 private:
  void add_header(const Fields& fields) {
    const bool begun = !text_.nodes.empty() || !text_.links.labels.empty();
    for (const auto& [name, value] : fields) {
      if (begun && (name == "N" || name == "L" || name == "NODES" || name == "LINKS")) {
        throw Fault("a second lattice begins here; expected one a file");
      }
      text_.header.emplace_back(name, value);
    }
    if (const auto base = value_of(fields, "base")) settle_base(*base);
  }

  // Scores that would change the costs, and are not read.
  void refuse_other_scores(const Fields& fields, bool on_node) const {
    for (const SlfField& field : fields) {
      const auto scaled = other_scale(field.name, on_node);
      if (!scaled) continue;
      const std::string_view value = *value_of(fields, field.name);
      const auto& [scale, otherwise] = *scaled;
      double factor = otherwise;
      for (const auto& [name, text] : text_.header) {
        if (name == scale) factor = number(text).value_or(1.0);
      }
      if (factor == 0 || number(value) == absent_) continue;
      throw Fault(std::string(field.name) + "={} is a score " +
                      (on_node ? "of a node, and only those of links are read: lattice-tool writes it there without "
                                 "-htk-scores-on-nodes"
                               : "of SRILM, and of scores only a=, l= and r= are read: " + scale +
                                     "=0 in the head leaves it out, which does for an oracle"),
                  value);
    }
  }

  // What an absent score stands for: log 1, or 1 itself where scores are plain probabilities.
  void settle_base(std::string_view value) {
    const auto base = number(value);
    if (!base || !std::isfinite(*base) || *base < 0) {
      Fault fault("base={} is not a usable number", value);
      fault.line = Fault::kNoLine;
      throw fault;
    }
    absent_ = *base == 0 ? 1.0 : 0.0;
  }

  void add_node(const Fields& fields, std::string_view id) {
    const std::int64_t node = state_number(id);
    const std::size_t zeros = std::min(id.find_first_not_of('0'), id.size() - 1);  // 07 is 7, and 00 is 0
    if (node_ids_.index(id.substr(zeros)) < text_.nodes.size()) {
      throw Fault("node I=" + std::to_string(node) + " was there before");
    }
    const auto word = either(fields, "W", "WORD");
    const auto sublattice = either(fields, "L", "SUBLAT");
    if (word && sublattice) throw Fault("node I=" + std::to_string(node) + " has both a word and a sub-lattice");
    const auto time = value_of(fields, "t");
    text_.times.push_back(number(time ? *time : value_of(fields, "time").value_or("")).value_or(std::nan("")));
    text_.nodes.push_back(node);
    text_.node_labels.push_back(words_.intern(word.value_or("")));
    text_.node_calls.push_back(sublattice ? words_.intern(*sublattice) : kNoWord);
  }

  void add_link(const LinkFields& link, std::string_view id, std::int64_t line) {
    if (!link.source || !link.destination) throw Fault("link J={} needs both S= and E=", id);
    const std::size_t index = ids_.index(id);
    if (index < text_.links.places.size()) {
      throw Fault("link J={} is already in line " + std::to_string(text_.links.places[index]), id);
    }
    const std::int64_t from = state_number(*link.source), to = state_number(*link.destination);
    const CostPair scores{score(link.graph, id), score(link.acoustic, id)};
    text_.pronunciation.push_back(score(link.pronunciation, id));
    text_.links.add_arc(from, to, link.word ? words_.intern(*link.word) : kNoWord, scores, line);
  }

  double score(std::optional<std::string_view> text, std::string_view id) const {
    if (!text) return absent_;
    const char* const end = text->data() + text->size();
    if (double plain = 0.0; plain_number(text->data(), end, plain) == end) return plain;
    const auto value = number(*text);
    if (!value) throw Fault("a= l= and r= of link J={} must be numbers", id);
    return *value;
  }

  SlfFields fields_;
  Fields quick_;
  SlfText text_;
  Symbols words_;
  Ids ids_, node_ids_;
  double absent_ = 0.0;
};

}  // namespace

std::vector<SlfText> read_slf(std::string_view text) {
  std::vector<SlfText> lattices;
  constexpr std::size_t kBytesOfLink = 32;
  auto draft = std::make_unique<SlfLattice>(1, text.size() / kBytesOfLink);
  const bool escapes = text.find('\\') != text.npos;
  Polls poll;
  TextRows row(text);
  try {
    while (row.next()) {
      poll(50 + 2 * static_cast<std::int64_t>(row.end() - row.begin()));
      if (row.size() == 1 && row[0] == ".") {
        lattices.push_back(draft->complete());
        draft = std::make_unique<SlfLattice>(row.number() + 1, 0);
      } else {
        draft->add(row, escapes);
      }
    }
  } catch (Fault& fault) {
    if (fault.line == 0) fault.line = row.number();
    const bool is_open = !text.ends_with('\n') && row.end() == text.size();
    if (is_open && fault.line == row.number()) fault.message += ": is the file cut off?";
    throw;
  }
  lattices.push_back(draft->complete());
  return lattices;
}

}  // namespace fstmetrics
