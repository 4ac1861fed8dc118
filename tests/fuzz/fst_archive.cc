// Archives of binary OpenFst machines: all at once, and cut into two windows anywhere, under both kinds of keys; and
// single machines.
#include "formats/fst_archive.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fstmetrics;
  const std::string_view archive = fuzz::view(data, size);
  for (const KeyForm form : {KeyForm::kNone, KeyForm::kScript}) {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const auto labels = std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers);
    LatticeColumn file(vocabulary);
    fuzz::require(FstArchiveReader(labels, {}, form).read_one(archive, 0, "u", file, 0) <= size);
    fuzz::require(file.size() == 1);
    if (size > 0) fuzz::check(file, archive);
  }
  for (const KeyForm form : {KeyForm::kWord, KeyForm::kCounted}) {
    const auto vocabulary = std::make_shared<Vocabulary>();
    const auto labels = std::make_shared<const Labels>(vocabulary, LabelKind::kNumbers);
    LatticeColumn whole(vocabulary), pieces(vocabulary);
    const std::size_t end = FstArchiveReader(labels, {}, form).read(archive, 0, whole, 0, true, 0);
    fuzz::require(end <= size);
    fuzz::check(whole, archive);
    FstArchiveReader reader(labels, {}, form);
    const std::size_t half = reader.read(archive.substr(0, size / 2), 0, pieces, 0, false, 0);
    fuzz::require(half <= size / 2);
    const bool is_damaged = pieces.size() && !pieces[pieces.size() - 1].automaton;
    if (!is_damaged) fuzz::require(reader.read(archive, half, pieces, 0, true, 0) == end);
    fuzz::require(whole.size() == pieces.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      fuzz::require(!whole[i].automaton == !pieces[i].automaton && whole[i].id == pieces[i].id);
      if (!whole[i].automaton) continue;
      fuzz::require(whole[i].automaton->num_arcs() == pieces[i].automaton->num_arcs());
    }
  }
  return 0;
}
