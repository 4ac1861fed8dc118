"""Strings longer than a machine word has bits: against a table filled cell by cell, and routes against one another."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import fstmetrics as fm

Arc = tuple[int, int, str]
# Cost, then what ties are decided by: reference words (more), edits, matches (more), deletions.
Rank = tuple[int, int, int, int, int]


def referee(arcs: list[Arc], finals: list[int], words: list[str], string_is_hypothesis: bool) -> Rank:
    """The best rank of reading `words` and a path from state 0; arcs lead upwards."""
    insertion, deletion = (1, 0, 1, 0, 0), (1, -1, 1, 0, 1)
    string_only, graph_only = (insertion, deletion) if string_is_hypothesis else (deletion, insertion)
    ways: dict[int, list[tuple[int, str]]] = {}
    for source, target, word in arcs:
        ways.setdefault(target, []).append((source, word))
    best: dict[tuple[int, int], Rank] = {}
    for state in range(max(finals) + 1):
        for position in range(len(words) + 1):
            found = [(0, 0, 0, 0, 0)] if state == position == 0 else []

            def come(before: tuple[int, int], step: Rank, found: list[Rank] = found) -> None:
                if before in best:
                    a, b, c, d, e = best[before]
                    sums = (a + step[0], b + step[1], c + step[2], d + step[3], e + step[4])
                    found.append(sums)

            come((state, position - 1), string_only)
            for source, word in ways.get(state, ()):
                if not word:
                    come((source, position), (0, 0, 0, 0, 0))
                    continue
                come((source, position), graph_only)
                same = position > 0 and words[position - 1] == word
                come((source, position - 1), (0, -1, 0, -1, 0) if same else (1, -1, 1, 0, 0))
            if found:
                best[state, position] = min(found)
    return min(best[state, len(words)] for state in finals)


def rank_of(result: fm.Result) -> Rank:
    return (
        result.totals.units,
        -result.path_length,
        result.edits,
        -result.matches,
        result.deletions,
    )


def check_alignment(result: fm.Result) -> None:
    """The alignment is made of the words it shows, and has the operations that the totals say."""
    counts = Counter(pair.op for pair in result.alignment)
    said = {"=": result.matches, "S": result.substitutions, "I": result.insertions, "D": result.deletions}
    assert counts == Counter(said)
    assert all((pair.op == "=") == (pair.hypothesis == pair.reference) for pair in result.alignment)
    positions = [pair.position for pair in result.alignment if pair.hypothesis is not None]
    assert len(positions) == len(result.hypothesis)


def corrupted(rng: random.Random, words: list[str], rate: float, vocabulary: int) -> list[str]:
    """The words with edits at this rate, and sometimes with a stretch left out, put in or moved."""
    out: list[str] = []
    for word in words:
        draw = rng.random()
        if draw >= rate * 0.3:
            out.append(word if draw >= rate * 0.7 else f"w{rng.randrange(vocabulary)}")
        if rate * 0.7 <= draw < rate:
            out.append(f"w{rng.randrange(vocabulary)}")
    if rng.random() < 0.3:
        cut, length = rng.randint(0, len(out)), rng.choice((3, 40, 150))
        stretch = out[cut : cut + length]
        del out[cut : cut + length]
        if rng.random() < 0.5:
            at = rng.randint(0, len(out))
            out[at:at] = stretch
    return out


def random_lattice(
    rng: random.Random, words: list[str], states: int, vocabulary: int
) -> tuple[list[Arc], list[int]]:
    """Arcs that follow the words roughly, with gaps, short cuts and epsilons."""
    wrong, epsilons = rng.choice((0.1, 0.4, 1.0)), rng.choice((0, 0.2))
    arcs: list[Arc] = []
    for state in range(states - 1):
        for _ in range(rng.choice((1, 2, 4))):
            target = state + 1 if rng.random() < 0.7 else rng.randint(state + 1, min(states - 1, state + 8))
            word = (
                words[state * len(words) // states]
                if rng.random() > wrong
                else f"w{rng.randrange(vocabulary)}"
            )
            arcs.append((state, target, "" if rng.random() < epsilons else word))
    return arcs, sorted({max(target for _, target, _ in arcs)})


@pytest.mark.parametrize("seed", range(40))
def test_long_strings_and_lattices(seed: int) -> None:
    """Lengths around multiples of 64, so that every number of vectors a row has is met."""
    rng = random.Random(seed)
    vocabulary = rng.choice((1, 3, 20))
    length = rng.choice((32, 63, 64, 65, 127, 128, 130, 192, 256, 330, 400)) + rng.randint(-1, 1)
    words = [f"w{rng.randrange(vocabulary)}" for _ in range(length)]
    arcs, finals = random_lattice(rng, words, rng.choice((5, 30, 60)), vocabulary)
    lattice = fm.Lattice.from_arcs(arcs, finals=finals)
    text = " ".join(words)
    for string_is_hypothesis in (True, False):
        sides = (text, lattice) if string_is_hypothesis else (lattice, text)
        expected = referee(arcs, finals, words, string_is_hypothesis)
        for route in ("auto", "unit-rows", "rows", "topological"):
            result = fm.align(*sides, options=fm.SearchOptions(route=route))
            assert rank_of(result) == expected, route
            check_alignment(result)
            path = result.closest if string_is_hypothesis else result.hypothesis
            assert fm.align(lattice, list(path)).edits == 0
        assert fm.wer(*sides) == result.score


@pytest.mark.parametrize("seed", range(40))
def test_pairs_of_long_strings(seed: int) -> None:
    rng = random.Random(seed)
    vocabulary = rng.choice((1, 2, 4, 30, 1000))
    reference = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.choice((0, 1, 64, 128, 150)))]
    hypothesis = corrupted(rng, reference, rng.choice((0.02, 0.2, 0.7)), vocabulary)
    if rng.random() < 0.3:
        hypothesis = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.choice((0, 5, 63, 90)))]
    arcs = [(i, i + 1, word) for i, word in enumerate(reference)]
    expected = referee(arcs, [len(reference)], hypothesis, string_is_hypothesis=True)
    for route in ("auto", "string-pair", "rows"):
        result = fm.align(hypothesis, reference, options=fm.SearchOptions(route=route))
        assert rank_of(result) == expected, route
        check_alignment(result)
        assert (result.hypothesis, result.closest) == (tuple(hypothesis), tuple(reference))


@pytest.mark.parametrize("seed", range(60))
def test_pairs_of_which_only_a_band_is_looked_at(seed: int) -> None:
    """More than 65,536 blocks of 64 cells: limits of edits grow until one suffices, columns are filled twice."""
    rng = random.Random(seed)
    vocabulary = rng.choice((2, 30, 1000))
    reference = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.randint(2200, 2700))]
    hypothesis = corrupted(rng, reference, rng.choice((0, 0.01, 0.1, 0.3, 0.6)), vocabulary)
    if rng.random() < 0.2:
        hypothesis = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.choice((1900, 2000, 4000)))]
    if rng.random() < 0.5:
        hypothesis, reference = reference, hypothesis
    expected = fm.align(hypothesis, reference, options=fm.SearchOptions(route="rows"))
    for alignment in (True, False):
        options = fm.SearchOptions(route="string-pair", alignment=alignment)
        result = fm.align(hypothesis, reference, options=options)
        assert result.totals == expected.totals
        if alignment:
            check_alignment(result)
            assert (result.hypothesis, result.closest) == (tuple(hypothesis), tuple(reference))


@pytest.mark.parametrize("seed", range(30))
def test_a_table_kept_whole_and_one_worked_out_twice_show_the_same_alignment(seed: int) -> None:
    """Where a whole table takes more than the cells that there may be, stretches of it are filled twice."""
    rng = random.Random(seed)
    vocabulary = rng.choice((3, 5, 30, 1000))
    reference = [f"w{rng.randrange(vocabulary)}" for _ in range(rng.randint(300, 500))]
    hypothesis = ["first", *corrupted(rng, reference, rng.choice((0.02, 0.1, 0.3)), vocabulary), "last"]
    if rng.random() < 0.5:
        hypothesis, reference = reference, hypothesis
    whole = fm.align(hypothesis, reference)
    band = fm.align(hypothesis, reference, options=fm.SearchOptions(max_cells=9000))
    assert whole.stats is not None
    assert whole.stats.expanded * 24 > 4 * 9000  # bytes
    assert (whole.totals, whole.alignment) == (band.totals, band.alignment)


def test_similar_strings_take_a_narrow_band() -> None:
    words = [f"w{i % 977}" for i in range(20_000)]
    result = fm.align(
        words, words[:9000] + words[9020:], options=fm.SearchOptions(route="string-pair", alignment=False)
    )
    assert (result.edits, result.insertions) == (20, 20)
    assert result.stats is not None
    assert result.stats.route == "string-pair"
    assert result.stats.expanded < 20_000 * 10  # blocks, of 313 a column


def test_the_limit_on_what_is_kept_names_the_option() -> None:
    """No word in common and half the length: every way through the middle is as good as any other."""
    options = fm.SearchOptions(max_cells=100_000)
    with pytest.raises(fm.SearchError, match="max_cells"):
        fm.align(["a"] * 1000, ["b"] * 500, options=options)
    counts = fm.SearchOptions(alignment=False)
    result = fm.align(["a"] * 1000, ["b"] * 500, options=counts)
    assert (result.substitutions, result.insertions) == (500, 500)


def test_255_edits_and_more_take_16_bits() -> None:
    """Bytes hold up to 254."""
    arcs = [(i, i + 1, word) for i in range(600) for word in ("a", "b")]
    lattice = fm.Lattice.from_arcs(arcs, finals=[600])
    for words, edits in ((["a"] * 346, 254), (["a"] * 345, 255), (["a"] * 344, 256), (["c"] * 301, 600)):
        result = fm.align(words, lattice)
        assert result.stats is not None
        assert (result.edits, result.stats.route) == (edits, "unit-rows")
        assert fm.wer(" ".join(words), lattice) == edits / 600


def test_limits_leave_a_string_and_a_lattice_to_another_route() -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1])
    small = fm.SearchOptions(route="unit-rows", max_cells=10)
    with pytest.raises(fm.SearchError, match="max_cells"):
        fm.align(["c"] * 100, lattice, options=small)
    far = fm.align(["c"] * 65_536, lattice)
    assert far.stats is not None
    assert (far.edits, far.stats.route) == (65_536, "topological")
    with pytest.raises(fm.SearchError, match="fewer than 65,535 edits"):
        fm.align(["c"] * 65_536, lattice, options=fm.SearchOptions(route="unit-rows"))
