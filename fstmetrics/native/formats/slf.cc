#include "formats/slf.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "formats/lines.h"
#include "formats/slf_fields.h"

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
  explicit LinkFields(const Fields& fields) {
    for (const SlfField& field : fields) {
      switch (field.name[0]) {
        case 'S': source = field.value; break;
        case 'E': destination = field.value; break;
        case 'W': word = field.value; break;
        case 'l': graph = field.value; break;
        case 'a': acoustic = field.value; break;
        case 'r': pronunciation = field.value; break;
        default: break;
      }
    }
  }

  std::optional<std::string_view> source, destination, word, graph, acoustic, pronunciation;
};

class Draft {
 public:
  void add(std::string_view line, std::int64_t number) {
    const Fields& fields = fields_.of(line);
    if (fields.empty()) return;
    if (const auto link = value_of(fields, "J")) return add_link(fields, *link, number);
    if (const auto node = value_of(fields, "I")) return add_node(fields, *node);
    add_header(fields);
  }

  explicit Draft(std::int64_t line) { text_.line = line; }

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
    if (static_cast<std::size_t>(node_ids_.intern(id.substr(zeros))) < text_.nodes.size()) {
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

  void add_link(const Fields& fields, std::string_view id, std::int64_t line) {
    const LinkFields link(fields);
    if (!link.source || !link.destination) throw Fault("link J={} needs both S= and E=", id);
    const auto index = static_cast<std::size_t>(ids_.intern(id));
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
    const auto value = number(*text);
    if (!value) throw Fault("a= l= and r= of link J={} must be numbers", id);
    return *value;
  }

  SlfFields fields_;
  SlfText text_;
  Symbols words_, ids_, node_ids_;
  double absent_ = 0.0;
};

}  // namespace

std::vector<SlfText> read_slf(std::string_view text) {
  std::vector<SlfText> lattices;
  auto draft = std::make_unique<Draft>(1);
  for_each_line(text, [&](std::int64_t number, std::string_view line) {
    if (line.find('=') == line.npos && stripped(line) == ".") {
      lattices.push_back(draft->complete());
      draft = std::make_unique<Draft>(number + 1);
    } else {
      draft->add(line, number);
    }
  });
  lattices.push_back(draft->complete());
  return lattices;
}

}  // namespace fstmetrics
