"""Lattices of 10^7 arcs, references of 10^6 words, and tables that are not held whole.

docs/hostile-input.md has more figures.
"""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from long_runs import OWN_PEAK

import fstmetrics as fm

MILLION = 1_000_000
# Cells beyond which a table is not held whole.
WHOLE = 1 << 24


def huge_archive(path: Path, states: int, fan: int, words: int) -> list[str]:
    """A binary Kaldi archive of one lattice, `fan` arcs from each state to the next; a word of each state's arcs."""
    rng = np.random.default_rng(1)
    arc = np.dtype([("input", "<i4"), ("output", "<i4"), ("costs", "<f4", 2), ("next", "<i4")])
    data = np.zeros(states, [("final", "<f4", 2), ("count", "<i8"), ("arcs", arc, fan)])
    data["final"], data["count"] = np.inf, fan
    data["arcs"]["output"] = rng.integers(1, words + 1, (states, fan))
    data["arcs"]["costs"] = rng.random((states, fan, 2))
    data["arcs"]["next"] = np.arange(1, states + 1)[:, None]
    head = b"huge " + struct.pack("<i", 2125659606)
    for name in (b"vector", b"lattice4"):
        head += struct.pack("<i", len(name)) + name
    with path.open("wb") as file:
        file.write(head + struct.pack("<iiQqqq", 2, 0, 3, 0, states + 1, 0))
        data.tofile(file)
        file.write(struct.pack("<ffq", 0, 0, 0))
    return [str(label) for label in data["arcs"]["output"][:, fan // 2]]


def test_a_lattice_of_ten_million_arcs(tmp_path: Path) -> None:
    """Read, its best path, and its oracle against twenty words, in less than 4 GB."""
    path = tmp_path / "huge.ark"
    reference = huge_archive(path, MILLION, 10, 1000)[:20]
    code = """
import sys
import fstmetrics as fm
lattice = fm.Lattice.read(sys.argv[1])
best = lattice.best_path()
found = fm.align(lattice, sys.argv[2:], options=fm.SearchOptions(alignment=False))
print(lattice.num_arcs, len(best.words), found.edits, found.matches, found.stats.route)
print(peak())
"""
    outcome = subprocess.run(
        [sys.executable, "-c", OWN_PEAK + code, str(path), *reference],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    found, peak = outcome.stdout.splitlines()
    assert found.split() == ["10000000", "1000000", "999980", "20", "topological"]
    assert sys.platform != "linux" or int(peak) < 4_000_000


def text(seed: int, words: int, vocabulary: int) -> list[str]:
    return [f"w{i}" for i in np.random.default_rng(seed).integers(0, vocabulary, words)]


def route_of(result: fm.Result) -> str:
    assert result.stats is not None
    return result.stats.route


def test_a_reference_of_a_million_words() -> None:
    reference = text(1, MILLION, 1000)
    hypothesis = list(reference)
    hypothesis[::1000] = ["x"] * 1000
    found = fm.align(hypothesis, reference)
    assert (found.substitutions, found.edits, route_of(found)) == (1000, 1000, "string-pair")
    assert [pair.op for pair in found.alignment[:1002]] == ["S", *["="] * 999, "S", "="]
    short = fm.align(reference[5000:6000], reference, options=fm.SearchOptions(alignment=False))
    assert (short.matches, short.deletions) == (1000, MILLION - 1000)


def around(rng: random.Random, words: list[str], fan: int) -> fm.Lattice:
    """A lattice of `words` and other arcs, some of which skip a place."""
    arcs = [(i, i + 1, word) for i, word in enumerate(words)]
    arcs += [(i, i + 1, f"v{rng.randrange(9)}") for i in range(len(words)) for _ in range(fan - 1)]
    arcs += [(i, i + 2, rng.choice(["", "v1"])) for i in range(0, len(words) - 2, 3)]
    return fm.Lattice.from_arcs(arcs, finals=[len(words)])


def check_alignment(
    found: fm.Result, string: list[str], lattice: fm.Lattice, string_is_hypothesis: bool
) -> None:
    """The path shown is one of both sides, and adds up to the totals."""
    ops = "".join(pair.op for pair in found.alignment)
    t = found.totals
    assert [ops.count(op) for op in "=SID"] == [t.matches, t.substitutions, t.insertions, t.deletions]
    assert all((pair.op == "=") == (pair.hypothesis == pair.reference) for pair in found.alignment)
    said, other = (
        (found.hypothesis, found.closest) if string_is_hypothesis else (found.closest, found.hypothesis)
    )
    assert said == tuple(string)
    assert fm.align(other, lattice).edits == 0


def test_a_million_words_against_a_small_lattice() -> None:
    reference = text(2, MILLION, 1000)
    lattice = around(random.Random(1), reference[500:520], 3)
    found = fm.align(lattice, reference)
    assert (found.matches, found.edits, route_of(found)) == (20, MILLION - 20, "topological")
    check_alignment(found, reference, lattice, False)


RUNS = fm.EditMetric(memory=[[(0, 0), (0, 2), (1, 2), (0, 1)], [(0, 0), (0, 2), (1, 1), (0, 1)]])


@pytest.mark.parametrize(
    ("metric", "memories", "string_is_hypothesis"),
    [(fm.WER(), 1, False), (fm.WRR(), 1, True), (fm.GRR(), 4, False), (RUNS, 2, True)],
    ids=["wer", "wrr", "grr", "runs"],
)
def test_tables_that_are_not_held_whole(metric: fm.Metric, memories: int, string_is_hypothesis: bool) -> None:
    """The topological route along a string against rows."""
    states = 2000
    string = text(memories, WHOLE // (states * memories) + 100, 12)
    lattice = around(random.Random(memories), string[50 : 50 + states - 1], 2)
    sides: tuple[fm.Lattice | list[str], ...] = (
        (string, lattice) if string_is_hypothesis else (lattice, string)
    )
    whole, rows = (
        fm.align(*sides, metric, options=fm.SearchOptions(route=route, alignment=route == "topological"))  # type: ignore[call-arg, arg-type]
        for route in ("topological", "rows")
    )
    assert whole.totals == rows.totals
    assert whole.stats is not None
    assert whole.stats.expanded > WHOLE
    check_alignment(whole, string, lattice, string_is_hypothesis)


def test_what_is_kept_is_bounded() -> None:
    string = text(4, 30_000, 50)
    lattice = around(random.Random(3), string[:600], 2)
    options = fm.SearchOptions(route="topological", max_cells=10_000)
    with pytest.raises(
        fm.SearchError, match=r"cells at a time, more than the limit of 10000; raise max_cells"
    ):
        fm.align(lattice, string, options=options)
    few = fm.SearchOptions(max_cells=1_000_000)  # of 16,777,216 and more; rows would need as many
    found = fm.align(lattice, string, options=few)
    assert (route_of(found), found.matches) == ("topological", 600)
