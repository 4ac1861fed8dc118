"""`fm.segment`: texts, choices, networks and lattices; what is compared, and what comes back."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import combinations_with_replacement, pairwise

import pytest
from slow_segments import table_cuts

import fstmetrics as fm
from fstmetrics.streams.segmenting import edit_cuts, for_cuts, joined, units_of
from fstmetrics.text.normalisation import Unit


def test_the_fewest_edits_and_the_earliest_cuts() -> None:
    assert fm.segment("the hat uh sat down", ["the cat", "sat down"]) == ["the hat", "uh sat down"]
    assert fm.segment("", ["the cat", ""]) == ["", ""]
    assert fm.segment("a b", ["", "", ""]) == ["", "", "a b"]
    with pytest.raises(fm.FstmetricsError, match="one a segment"):
        fm.segment("a b", [])


def test_words_come_back_as_they_were_written() -> None:
    words = fm.Normalisation(lowercase=True, remove_punctuation=True)
    written = "  Well -- the  Cat, sat;\n(Down) ..."
    parts = fm.segment(written, ["well the cat", "sat", "down"], normalisation=words)
    assert parts == ["Well -- the  Cat,", "sat;", "(Down) ..."]
    assert "".join("".join(parts).split()) == "".join(written.split())


def test_chinese_is_cut_between_characters_and_gets_no_spaces() -> None:
    references = ["今天 天气 真好", "我们 去 park 吧"]
    parts = ["今天天气很好", "我们去 park"]
    assert fm.segment("".join(parts), references, normalisation=fm.Normalisation(unit="mixed")) == parts
    assert (
        fm.segment("".join(parts), references, normalisation=fm.Normalisation(unit="char-no-space")) == parts
    )
    for_bleu = fm.Normalisation(tokenize="zh")
    assert fm.segment("".join(parts), references, normalisation=for_bleu) == parts
    mixed = for_cuts(fm.Normalisation(unit="mixed"))
    assert joined(["今天", "天气", "it is", "好"], mixed) == "今天天气 it is 好"
    assert joined(["今天", "天气"], fm.Normalisation()) == "今天 天气"


def test_a_profile_of_whole_sentences_cuts_without_case_and_punctuation() -> None:
    pytest.importorskip("whisper_normalizer")
    words = fm.profile("whisper-en")
    parts = fm.segment("Twenty ONE men. Sat down", ["21 men.", "SAT down"], normalisation=words)
    assert parts == ["Twenty ONE men.", "Sat down"]


def test_a_word_of_several_units_stays_whole() -> None:
    spelled = fm.Normalisation(unicode="nfkc")
    assert fm.segment("one \u2167\u00a8x two", ["one", "two"], normalisation=spelled)
    found = units_of("ab,c d", for_cuts(fm.Normalisation(unit="char-no-space", remove_punctuation=True)))
    assert "".join(found.words) == "abcd"
    assert found.parts(found.pieces_before([0, 2, 4])) == ["ab,", "c d"]
    assert found.parts(found.pieces_before([0, 0, 4])) == ["", "ab,c d"]
    assert found.parts(found.pieces_before([0, 4, 4])) == ["ab,c d", ""]


def test_choices_networks_and_lattices() -> None:
    hypothesis = "the hat uh sat down"
    assert fm.segment(hypothesis, [["the cat", "the hat uh"], "sat down"]) == ["the hat uh", "sat down"]
    choice = fm.Transcript.parse("the { cat / hat uh }", "sclite")
    assert fm.segment(hypothesis, [choice, "sat down"]) == ["the hat uh", "sat down"]
    anything = fm.Transcript.parse("the <*>", "wildcards")
    assert fm.segment(hypothesis, [anything, "sat down"]) == ["the hat uh", "sat down"]
    network = fm.Network([fm.Card.from_phrases("S", ["the cat", "the hat uh"])], "S")
    assert fm.segment(hypothesis, [network, "sat down"]) == ["the hat uh", "sat down"]
    lattice = choice.lattice
    heard = fm.Alternatives(["the cat mat town", "the dog sat down", lattice])
    assert fm.segment(heard, ["the dog", "sat down"]) == ["the dog", "sat down"]
    assert fm.segment(lattice, ["the hat", "uh"]) == ["the hat", "uh"]
    with pytest.raises(fm.FstmetricsError, match="one text a segment"):
        fm.segment(hypothesis, [choice, "sat down"], criterion="soft")


def test_alternatives_against_the_definition() -> None:
    rng = random.Random(7)
    for _ in range(60):

        def drawn(most: int) -> tuple[str, ...]:
            return tuple(rng.choice("abcde") for _ in range(rng.randint(1, most)))

        segments = [[drawn(5) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 5))]
        hypothesis = tuple(word for own in segments for word in rng.choice(own) if rng.random() < 0.8)
        cuts, edits = table_cuts(hypothesis, segments)
        references = [fm.Alternatives(" ".join(each) for each in own) for own in segments]
        parts = fm.segment(" ".join(hypothesis), references)
        expected = [" ".join(hypothesis[a:b]) for a, b in pairwise(cuts)]
        assert parts == expected
        assert fm.score(parts, references).edits == edits
        # Edits of all segments are those of the whole against all references in a row, and of a lattice no more.
        path = fm.Alternatives([" ".join(hypothesis), " ".join(drawn(9))])
        best = fm.score(fm.segment(path, references), references).edits
        assert best <= edits


def test_edit_cuts_take_lists_of_words() -> None:
    assert edit_cuts([["a"], [], ["b"]], ["a", "b"]) == [0, 1, 1, 2]


def test_soft_cuts() -> None:
    parts = fm.segment("the hats uh sat down", ["the hat", "sat down"], criterion="soft")
    assert parts == ["the hats uh", "sat down"]


@pytest.mark.parametrize("unit", ["word", "mixed", "char-no-space"])
def test_what_is_scored_afterwards_is_the_least_sum(unit: Unit) -> None:
    numbers = random.Random(unit)
    words = fm.Normalisation(unit=unit)

    def edits(parts: Sequence[str], references: Sequence[str]) -> int:
        pairs = zip(parts, references, strict=True)
        return sum(fm.align(*pair, "wer", normalisation=words).totals.edits for pair in pairs)

    for _ in range(60):
        text, *references = (
            " ".join("".join(numbers.choices("ab我", k=numbers.randint(1, 3))) for _ in range(length))
            for length in (numbers.randint(0, 3), *(numbers.randint(0, 2) for _ in range(3)))
        )
        pieces = (
            text.split()
            if unit == "word"
            else re.findall(r"[我\s]|[ab]+|." if unit == "mixed" else ".", text)
        )
        between = " " if unit == "word" else ""
        cuts = combinations_with_replacement(range(len(pieces) + 1), 2)
        least = min(
            edits([between.join(part) for part in (pieces[:a], pieces[a:b], pieces[b:])], references)
            for a, b in cuts
        )
        found = fm.segment(text, references, normalisation=words)
        assert edits(found, references) == least, (text, references, found)


def test_characters_with_spaces_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="--unit char-no-space"):
        fm.segment("aa aaa", ["b", "", "ab"], normalisation=fm.Normalisation(unit="char"))
