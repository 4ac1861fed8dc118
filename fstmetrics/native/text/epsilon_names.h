// How lattices write that there is no word. To add a name: here, and in openfst/independent_proof.py, which takes
// nothing from what it checks; a test compares the two.
#pragma once

#include <array>
#include <string_view>

namespace fstmetrics {

// Words that stand for none in one lattice format or another, and are words in no language: OpenFst's and Kaldi's,
// Thrax's and cicada's, Moses', foma's and HFST's, HTK's and its tutorial's, those of SRILM's meshes. SRILM's NULL is
// not among them: in other formats it is a word. The first is the empty word.
inline constexpr auto kEpsilonNames =
    std::to_array<std::string_view>({"", "<eps>", "<EPS>", "<epsilon>", "<EPSILON>", "*EPS*", "@0@",
                                     "@_EPSILON_SYMBOL_@", "!NULL", "SENT-START", "SENT-END", "*DELETE*"});

}  // namespace fstmetrics
