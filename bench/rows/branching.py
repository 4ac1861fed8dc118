"""Both sides branching: lattice against network and network against network, against OpenFst's A*."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import fstmetrics as fm
from bench import peers
from bench.compiled_items import folder_of
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS, NAMES

# What it is called, and both sides.
Pair = tuple[str, fm.Lattice | fm.Network, fm.Network]
GOAL = 10.0
PAIRS = 3
LATTICE_ARCS = 500


def branching(inputs: Inputs) -> Iterator[Line]:
    """Least edits between any two paths, one of each side."""
    for kind in ("single", "combined"):
        problems = inputs.hyter_problems(kind, 1)
        lattices = [inputs.lattice_around(p, LATTICE_ARCS) for p in problems[:PAIRS]]
        yield _line(
            inputs,
            f"lattice x network, {kind}",
            [(f"{o.id} {p.id}", o.lattice, p.network) for o, p in zip(lattices, problems, strict=False)],
        )
        yield _line(
            inputs,
            f"network x network, {kind}",
            [(f"{p.id} {q.id}", p.network, q.network) for p, q in pairwise(problems[: PAIRS + 1])],
        )


def _line(inputs: Inputs, work: str, pairs: list[Pair]) -> Line:
    try:
        rows = [_measured(inputs, work, *pair) for pair in pairs]
    except peers.MissingError as hint:
        return missing(work, NAMES["edit-astar"], str(hint), GOAL)
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, NAMES["edit-astar"], ours, theirs, GOAL,
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def _measured(
    inputs: Inputs, work: str, id: str, left: fm.Lattice | fm.Network, right: fm.Network
) -> tuple[float, float, int, int]:
    theirs = peers.openfst().ask("edit-astar", folder_of(inputs.folder, left, right, fm.WER(), id))
    result = fm.align(left, right, options=COUNTS)
    agree(work, result.cost, theirs.cost, NAMES["edit-astar"])
    return cpu_ms(partial(fm.wer, left, right)), theirs.ms, explored(result), theirs.states
