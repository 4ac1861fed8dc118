"""Columns of lattices pruned natively, against pruning one lattice after the other."""

from __future__ import annotations

import random
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics._native import LatticeColumn
from fstmetrics.data.lattice import Scales
from fstmetrics.data.times import Durations
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import ReadOptions
from fstmetrics.support.source import Source

WORDS = ["a", "b", "the", "<s>", "<eps>"]


def archive(chance: random.Random, count: int) -> str:
    """Compact lattices with parallel arcs, dead ends, several ends, and costs that tie."""
    return "".join(lattice(chance, f"u{n}") for n in range(count))


def lattice(chance: random.Random, id: str) -> str:
    states = chance.randrange(2, 7)
    lines = []
    for _ in range(chance.randrange(1, 14)):
        source = chance.randrange(states - 1)
        ids = "_".join("5" * chance.randrange(3))
        line = f"{source} {chance.randrange(source + 1, states)} {chance.choice(WORDS)}"
        lines.append(f"{line} {cost(chance)},{cost(chance)},{ids}")
    ends = {states - 1, *(state for state in range(states) if chance.random() < 0.2)}
    lines += [f"{state} {cost(chance)},{cost(chance)}," for state in ends]
    lines.sort(key=lambda line: int(line.split()[0]))
    return f"{id} \n0 {states - 1} a 3,3,\n" + "\n".join(lines) + "\n\n"


def cost(chance: random.Random) -> str:
    return chance.choice(["0", "0.5", "-1", "2.25", str(chance.uniform(-3, 9))])


def column_of(text: str) -> LatticeColumn:
    items = list(FORMATS["kaldi-lattice"].read(Source("x.ark", text.encode()), ReadOptions()))
    column: LatticeColumn = items[0].value.symbols._row[0]
    return column


def parts(lattice: fm.Lattice) -> dict[str, Any]:
    automaton, names = lattice.automaton, ("sources", "destinations", "labels", "arc_costs", "final_costs")
    return {name: getattr(automaton, name).tolist() for name in (*names, "finals")} | {
        "states": automaton.num_states, "start": automaton.start, "words": lattice.symbols.words, "id": lattice.id,
        "scales": lattice.scales, "numbered": lattice.numbered,
        "times": lattice.times.of_arc.tolist() if isinstance(lattice.times, Durations) else None,
    }  # fmt: skip


@pytest.mark.parametrize("scales", [None, Scales(12, 1, 0.5), Scales(0.1, 1 / 3, -0.25), Scales(0, 1, 0)])
@pytest.mark.parametrize("beam", [0, 0.5, 4, 1e30, float("inf")])
def test_the_same_arcs_are_left(beam: float, scales: Scales | None) -> None:
    column = column_of(archive(random.Random(beam), 60))
    given = scales or Scales()
    found = column.pruned(beam, given.lm, given.acoustic, given.word_penalty)
    assert found is not None
    assert [parts(each) for each in found] == [parts(each.pruned(beam, scales)) for each in column]


def test_threads_and_scales_of_the_file() -> None:
    column = column_of(archive(random.Random(1), 60))
    one, two = column.pruned(2.0), column.pruned(2.0, threads=2)
    assert one is not None
    assert two is not None
    assert [parts(each) for each in one] == [parts(each) for each in two]


@pytest.mark.parametrize(
    "text",
    [
        "0 1 a 1,1,\n1 0 b 1,1,\n1 0,0,\n",
        "0 1 a 1,1,\n2 0,0,\n",
        "0 1 a 1e308,1e308,\n1 0,0,\n",
        "0 1 a 1e17,1,\n1 0,0,\n",
    ],
    ids=["a cycle", "no path", "an infinite sum", "a sum that is not exact"],
)
def test_what_cannot_be_pruned_is_left_to_the_other_way(text: str) -> None:
    column = column_of(lattice(random.Random(1), "u") + f"v \n{text}\n")
    assert column.pruned(1.0) is None
    with pytest.raises(fm.FstmetricsError, match="lattice v: "):
        column[1].pruned(1.0)
