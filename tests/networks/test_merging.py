"""References merged into one lattice: all of them are in it, and the rest is counted."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.networks.merging import merged

sentences = st.lists(st.lists(st.sampled_from(["a", "b", "c", "NULL"]), max_size=6), min_size=1, max_size=5)


def strings(lattice: fm.Lattice) -> set[tuple[str, ...]]:
    """All sentences, path by path."""
    a = lattice.automaton
    arcs = list(zip(a.sources.tolist(), a.destinations.tolist(), a.labels.tolist(), strict=True))
    found, waiting = set(), [(a.start, ())]
    while waiting:
        state, words = waiting.pop()
        if state in a.finals.tolist():
            found.add(words)
        for source, destination, label in arcs:
            if source == state:
                word = lattice.symbols.words[label]
                waiting.append((destination, (*words, word) if word else words))
    return found


@given(sentences)
def test_every_reference_is_in_and_the_others_are_counted(references: list[list[str]]) -> None:
    result = merged(references)
    held = strings(result.lattice)
    given = {tuple(r) for r in references}
    assert given <= held
    assert (result.references, result.strings, result.extra) == (len(given), len(held), len(held - given))
    added = result.added(1000)
    assert len(added) == len(set(added)) == min(1000, result.extra)
    assert set(added) <= held - given
    assert result.added(2) == added[:2]


def threes(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    """All that follows one another in threes, the ends of the sentence among it."""
    marked = ("<s>", *words, "</s>")
    return set(zip(marked, marked[1:], marked[2:], strict=False))


@given(sentences)
def test_three_words_that_follow_one_another_do_so_in_a_reference(references: list[list[str]]) -> None:
    written = set().union(*(threes(tuple(r)) for r in references))
    for sentence in strings(merged(references).lattice):
        assert threes(sentence) <= written


@pytest.mark.parametrize(
    ("references", "added"),
    [
        (["the war worries us", "the peace worries them"], []),
        (["growth slows , and that worries investors", "prices rise , which hurts savers ."], []),
        (["a , b", "c , d"], []),
        (["a x y b", "c x y d"], ["a x y d", "c x y b"]),
        (
            ["the cat sat on the mat", "the dog sat on a mat"],
            ["the cat sat on a mat", "the dog sat on the mat"],
        ),
        (["he came to town", "he came"], []),
    ],
)
def test_a_word_alone_mixes_nothing(references: list[str], added: list[str]) -> None:
    assert sorted(" ".join(words) for words in merged(references).added(100)) == added


def test_one_reference_stays_as_it_is() -> None:
    assert strings(merged(["a b c"]).lattice) == {("a", "b", "c")}


def test_agreement_is_shared() -> None:
    result = merged(["the cat sat on the mat", "the dog sat on a mat"])
    assert result.lattice.num_arcs == (6 + 1) + 3 + 3  # the end is an arc; the dog sat; on a mat
    assert (result.references, result.strings) == (2, 4)


def test_nothing_to_merge() -> None:
    with pytest.raises(fm.FstmetricsError, match="no reference to merge"):
        merged([])


def test_real_references(shared: Path) -> None:
    """Four translations of every sentence: each costs nothing against the lattice of all four."""
    folder = shared / "asr-fisher-callhome"
    files = [gzip.decompress((folder / f"fisher_dev.en.{i}.gz").read_bytes()) for i in range(4)]
    columns = [file.decode().splitlines()[:150] for file in files]
    for row in zip(*columns, strict=True):
        result = merged(row)
        assert result.strings >= result.references
        assert all(fm.align(sentence, result.lattice).edits == 0 for sentence in row)
