"""The vector kernels at the sizes where they change over: against the topological route, which has none."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import fstmetrics as fm
from fstmetrics.metrics.path_metric import Reordering

SLOW = fm.SearchOptions(route="topological")
# Sets of 32 and of 64 positions; rows of one block of 32 cells, of two, of many.
LENGTHS = (0, 1, 30, 31, 32, 33, 62, 63)
# Errors that do not forget: of insertions in a row, those after the first cost half.
RUNS = fm.EditMetric(memory=[[(0, 0), (0, 2), (1, 2), (0, 1)], [(0, 0), (0, 2), (1, 1), (0, 1)]])


def text(rng: random.Random, length: int, alphabet: str) -> str:
    return " ".join(rng.choice(alphabet) for _ in range(length))


def lattice_around(rng: random.Random, words: list[str], alphabet: str, noise: float) -> fm.Lattice:
    """Paths near `words`: at each place some arcs, now and then an epsilon, a skip or a detour."""
    arcs: list[tuple[int, int, str]] = []
    states = len(words) + 1
    for i, word in enumerate(words):
        arcs.append((i, i + 1, rng.choice(alphabet) if rng.random() < noise else word))
        for _ in range(rng.randrange(3)):
            arcs.append((i, i + 1, rng.choice([*alphabet, ""])))
        if i + 2 < len(words) and rng.random() < 0.2:
            arcs.append((i, i + 2, rng.choice(alphabet)))
        if rng.random() < 0.2:
            arcs += [(i, states, rng.choice(alphabet)), (states, i + 1, rng.choice(alphabet))]
            states += 1
    finals = sorted({len(words), rng.randrange(max(len(words) - 2, 0), len(words) + 1)})
    return fm.Lattice.from_arcs(arcs or [(0, 1, "")], finals=finals if arcs else [1])


def agree(hypothesis: str | fm.Lattice, reference: str | fm.Lattice, metric: fm.Metric, route: str) -> int:
    """Cost of the best path by both routes, after all totals were compared and the path shown was scored."""
    slow = fm.align(hypothesis, reference, metric, options=SLOW)
    fast = fm.align(hypothesis, reference, metric, options=fm.SearchOptions(route=route))
    counts = fm.align(hypothesis, reference, metric, options=fm.SearchOptions(route=route, alignment=False))
    assert fast.stats is not None
    assert fast.stats.route == route
    assert fast.totals == slow.totals == counts.totals
    said = hypothesis if isinstance(hypothesis, str) else fast.hypothesis
    shown = fm.align(said, " ".join(fast.closest), metric, options=SLOW)
    assert shown.totals == slow.totals
    return slow.edits + slow.moves


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0])
def test_levels_without_reordering(length: int, noise: float) -> None:
    """From a few edits to more than the lanes hold."""
    rng = random.Random(f"{length} {noise}")
    for alphabet in ("ab", "abcdefghijklmnopqrstuvwxyz"):
        for _ in range(6):
            string = text(rng, length, alphabet)
            lattice = lattice_around(rng, string.split(), alphabet if noise < 1 else "01234", noise)
            agree(string, lattice, fm.WER(), "bit-parallel")
            agree(lattice, string, fm.WER(), "bit-parallel")


def blocks_moved(rng: random.Random, words: list[str], window: int) -> list[str]:
    """Now and then a word is brought forward or put back by less than the window."""
    moved = list(words)
    for _ in range(len(words) // 6):
        at = rng.randrange(len(words) - 1)
        to = rng.randrange(at + 1, min(len(words), at + window))
        moved.insert(at, moved.pop(to)) if rng.random() < 0.5 else moved.insert(to, moved.pop(at))
    return moved


@pytest.mark.parametrize("reordering", ["moves", "jumps"])
@pytest.mark.parametrize("window", [2, 3, 4, 5, 6])
def test_levels_in_a_window(window: int, reordering: Reordering) -> None:
    rng = random.Random(f"{window} {reordering}")
    reordered = 0
    for length in (0, 3, 12, 20) if window > 4 else LENGTHS:
        for noise in (0.0, 0.0, 0.1, 0.3, 1.0):
            words = text(rng, length, "abcdefghij").split()
            lattice = lattice_around(rng, words, "abcdefghijkl" if noise < 1 else "01234", noise)
            string = " ".join(blocks_moved(rng, words, window))
            metric = fm.HyTER(window, reordering)
            agree(string, lattice, metric, "bit-parallel")
            reordered += fm.align(string, lattice, metric).moves > 0
    assert reordered >= 5


@pytest.mark.parametrize("gap", [0, 10, 20, 40])
def test_many_words_read_alone_between_matches(gap: int) -> None:
    """One side lacks a stretch of the other: steps that double, from one block or level to the next."""
    rng = random.Random(gap)
    for length in (40, 63, 120):
        words = [f"w{i}" for i in range(length)]
        rest = words[: length // 4] + words[length // 4 + gap * length // 63 :]
        for long, short in ((words, rest), (rest, words)):
            string, lattice = " ".join(long), lattice_around(rng, short, "abc", 0.05)
            for metric in (fm.WER(), fm.GRR(4, 1, 1), fm.Sclite()):
                agree(string, lattice, metric, "rows")
                agree(lattice, string, metric, "rows")
            if length <= 63:
                agree(string, lattice, fm.WER(), "bit-parallel")
                moved = " ".join(blocks_moved(rng, long, 3))
                agree(moved, lattice, fm.HyTER(3), "bit-parallel")
                agree(moved, lattice, fm.HyTER(3, "jumps"), "bit-parallel")


def test_answers_that_no_lane_holds() -> None:
    """One side is much longer: every level is opened one after the other."""
    rng = random.Random(5)
    for words in (1, 20, 50):
        start = text(rng, words, "abcdefg").split()
        long = lattice_around(rng, start + ["x"] * 90, "xyz", 0.1)
        reordered = 0
        for metric in (fm.HyTER(1), fm.HyTER(3), fm.HyTER(3, "jumps"), fm.HyTER(4)):
            for _ in range(4):
                string = " ".join(blocks_moved(rng, start, 3))
                assert agree(string, long, metric, "bit-parallel") > 40
                reordered += fm.align(string, long, metric).moves > 0
        assert reordered >= 3 or words == 1


@pytest.mark.parametrize("metric", [
    fm.WER(), fm.WRR(), fm.Sclite(), fm.GRR(), fm.GRR(3, Fraction("-0.9"), 1),
    fm.GRR(2, Fraction("0.25"), Fraction("0.5")), RUNS,
], ids=str)  # fmt: skip
@pytest.mark.parametrize("length", [*LENGTHS, 64, 65, 95, 96, 97])
def test_rows_equals_topological(length: int, metric: fm.Metric) -> None:
    rng = random.Random(length)
    for alphabet in ("ab", "abcdefghijklmnopqrstuvwxyz"):
        string = text(rng, length, alphabet)
        lattice = lattice_around(rng, string.split(), alphabet, 0.3)
        agree(string, lattice, metric, "rows")
        agree(lattice, string, metric, "rows")
