"""`combine(..., "median")`: the string with the least total edits, beside all strings over small vocabularies."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.combination.combining import combine
from fstmetrics.data.segments import TimedWord, TimedWords

Words = Sequence[str]
OUTPUTS = st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=2, max_size=5)


def _edits(one: Words, other: Words) -> int:
    row = list(range(len(other) + 1))
    for number, word in enumerate(one, 1):
        before, row = row, [number]
        for at, its in enumerate(other, 1):
            row.append(min(before[at] + 1, row[-1] + 1, before[at - 1] + (word != its)))
    return row[-1]


def _all_edits(string: Words, systems: Iterable[Iterable[Words]]) -> int:
    """Each system has several texts, of which the closest counts."""
    return sum(min(_edits(string, text) for text in texts) for texts in systems)


def _by_trying(systems: Sequence[Sequence[Words]], letters: str, longest: int) -> tuple[int, tuple[str, ...]]:
    """The least edits, and the first of all strings that have so many."""
    strings = (string for length in range(longest + 1) for string in product(letters, repeat=length))
    return min((_all_edits(string, systems), string) for string in strings)


@given(OUTPUTS)
@settings(max_examples=100, deadline=None)
def test_no_string_has_fewer_edits_and_of_equals_it_is_the_first(outputs: list[list[str]]) -> None:
    found = combine(outputs, "median")
    edits, string = _by_trying([[output] for output in outputs], "abc", 5)
    assert (found.edits, found.least, found.words) == (edits, edits, string)
    assert found.is_exact


@given(OUTPUTS)
@settings(max_examples=100, deadline=None)
def test_slots_have_every_word_once_and_the_edits(outputs: list[list[str]]) -> None:
    found = combine(outputs, "median")
    edits = 0
    for system, words in enumerate(outputs):
        assert [s.places[system] for s in found.slots if s.places[system] >= 0] == list(range(len(words)))
    for slot in found.slots:
        best = slot.candidates[slot.best]
        edits += sum(len(each.systems) for each in slot.candidates if each is not best)
        assert best.word is None or best.systems  # some system has it
    assert edits == found.edits
    assert tuple(w for s in found.slots if (w := s.candidates[s.best].word) is not None) == found.words


@pytest.mark.parametrize("steps", [1, 30, 2_000_000])
def test_the_order_of_systems_does_not_matter(steps: int) -> None:
    rng = random.Random(5)
    for _ in range(8):
        outputs = [[rng.choice("abcd") for _ in range(rng.randint(0, 9))] for _ in range(4)]
        found = {
            (each.words, each.edits, each.least)
            for order in permutations(outputs)
            for each in [combine(order, "median", steps=steps)]
        }
        assert len(found) == 1


def test_a_search_that_stops_says_between_which_numbers_the_answer_is() -> None:
    rng = random.Random(9)
    stopped = 0
    for _ in range(60):
        outputs = [[rng.choice("abcdef") for _ in range(rng.randint(4, 9))] for _ in range(5)]
        best = combine(outputs, "median")
        found = combine(outputs, "median", steps=rng.choice([1, 50, 500]))
        assert best.is_exact
        assert found.edits == _all_edits(found.words, [[output] for output in outputs])
        assert found.least is not None
        assert best.edits is not None
        assert found.least <= best.edits <= found.edits
        assert found.is_exact == (found.least == found.edits)
        stopped += not found.is_exact
    assert stopped > 20


def _lattice(rng: random.Random) -> tuple[fm.Lattice, list[list[str]]]:
    """A small lattice with its strings; with epsilons, several ends and arcs from state to state twice."""
    states = rng.randint(2, 4)
    arcs = [
        (source, rng.randint(source + 1, states), rng.choice(["a", "b", "c", ""]))
        for source in range(states)
        for _ in range(rng.randint(1, 2))
    ]
    ends = sorted({states, rng.randrange(states + 1)})
    paths: list[tuple[int, list[str]]] = [(0, [])]
    strings = []
    while paths:
        state, words = paths.pop()
        if state in ends:
            strings.append(words)
        paths += [(to, [*words, word] if word else words) for source, to, word in arcs if source == state]
    return fm.Lattice.from_arcs(arcs, finals=ends), strings


def test_lattices_count_by_their_closest_paths() -> None:
    rng = random.Random(21)
    for _ in range(60):
        made = [_lattice(rng) for _ in range(rng.randint(1, 3))]
        texts = [[rng.choice("abc") for _ in range(rng.randint(0, 4))] for _ in range(rng.randint(1, 2))]
        systems = [strings for _, strings in made] + [[text] for text in texts]
        found = combine([*(lattice for lattice, _ in made), *texts], "median")
        edits, string = _by_trying(systems, "abc", 5)
        assert (found.edits, found.least, found.words) == (edits, edits, string)
        for output, strings in zip(found.outputs, systems, strict=True):
            assert list(output.words) in strings
        assert edits == sum(_edits(string, output.words) for output in found.outputs)


def test_words_of_lattices_are_changed_as_those_of_texts() -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "The"), (1, 2, "<s>"), (2, 3, "CAT"), (2, 3, "hat")], finals=[3])
    lower = fm.Normalisation(lowercase=True)
    assert combine([lattice, "the cat"], "median", normalisation=lower).edits == 0
    found = combine([lattice, "the cat"], "median")
    assert (found.words, found.edits) == (("The", "CAT"), 2)


def test_lattices_that_have_no_median_are_refused() -> None:
    cyclic = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1])
    with pytest.raises(fm.FstmetricsError, match="the lattice has a cycle"):
        combine([cyclic, "a"], "median")
    without = fm.Lattice.from_arcs([(0, 1, "a"), (2, 3, "b")], finals=[3])
    with pytest.raises(fm.FstmetricsError, match="no path"):
        combine([without, "a"], "median")
    with fm.limited(cells=10), pytest.raises(fm.FstmetricsError, match="cells"):
        combine(["a b c d", "a b c e"], "median")
    with pytest.raises(fm.FstmetricsError, match="expected text or words, found"):
        combine([fm.Lattice.from_arcs([(0, 1, "a")], finals=[1]), "a"])


def test_times_are_means_of_the_systems_that_have_the_word() -> None:
    def channel(*words: tuple[str, float, float, str]) -> TimedWords:
        return TimedWords("talk", "1", tuple(TimedWord(*word) for word in words))

    found = combine(
        [
            channel(("a", 0, 0.5, "0.5"), ("b", 1, 0.5, "0.25")),
            channel(("a", 0.25, 0.5, "1"), ("x", 1, 0.5, "0.5")),
            channel(("b", 2, 1, "0.75")),
        ],
        "median",
    )
    assert found.timed == (TimedWord("a", 0.125, 0.5, "0.750000"), TimedWord("b", 1.5, 0.75, "0.500000"))
    assert (found.edits, found.is_exact) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.5}, "median counts systems alone"),
        ({"align": "times"}, "median aligns words by what they are"),
        ({"steps": 0}, "steps is 0, expected a number from 1"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        combine(["a", "b"], "median", **options)  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="steps are of median"):
        combine(["a", "b"], steps=3)
