// Archives of binary OpenFst machines: all at once, and cut into two windows anywhere, under both kinds of keys; and
// single machines.
#include "formats/fst_archive.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view archive = fuzz::view(data, size);
  {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const auto labels = std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers);
    LatticeColumn file(vocabulary);
    const bool is_read = FstArchiveReader(labels, {}, KeyForm::kNone, true).read_file(archive, "u", file);
    fuzz::require(file.size() == (is_read ? 1 : 0));
  }
  for (const KeyForm form : {KeyForm::kWord, KeyForm::kCounted}) {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const auto labels = std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers);
    LatticeColumn whole(vocabulary), pieces(vocabulary);
    FstArchiveReader reader(labels, {}, form, true);
    const auto [end, cut] = reader.read(archive, 0, whole);
    fuzz::require(end <= size);
    const auto [half, half_cut] = reader.read(archive.substr(0, size / 2), 0, pieces);
    fuzz::require(half <= size / 2);
    const auto [rest, rest_cut] = reader.read(archive, half, pieces, 0);
    fuzz::require(rest == end && rest_cut == cut);
    fuzz::require(whole.size() == pieces.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      fuzz::require(whole[i].automaton != nullptr && !whole[i].fault && whole[i].id == pieces[i].id);
      fuzz::require(whole[i].automaton->num_arcs() == pieces[i].automaton->num_arcs());
    }
  }
  return 0;
}
