"""Both sides branching: lattice against network and network against network, against OpenFst's A*."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.hyter import COUNTS, NAMES

Pair = tuple[fm.Lattice | fm.Network, Path, fm.Network, Path]
GOAL = 10.0
PAIRS = 3
LATTICE_ARCS = 500


def branching(inputs: Inputs) -> Iterator[Line]:
    """Least edits between any two paths, one of each side."""
    for kind in ("single", "combined"):
        problems = inputs.hyter_problems(kind, 1)
        lattices = [inputs.lattice_around(p, LATTICE_ARCS) for p in problems[:PAIRS]]
        yield _line(
            f"lattice x network, {kind}",
            [(o.lattice, o.machine, p.network, p.machine) for o, p in zip(lattices, problems, strict=False)],
        )
        yield _line(
            f"network x network, {kind}",
            [(p.network, p.machine, q.network, q.machine) for p, q in pairwise(problems[: PAIRS + 1])],
        )


def _line(work: str, pairs: list[Pair]) -> Line:
    try:
        rows = [_measured(work, *pair) for pair in pairs]
    except peers.MissingError as hint:
        return missing(work, NAMES["astar"], str(hint), GOAL)
    ours, theirs, cells, states = zip(*rows, strict=True)
    return ratio_line(
        work, NAMES["astar"], ours, theirs, GOAL,
        explored=statistics.median(cells), their_explored=statistics.median(states),
    )  # fmt: skip


def _measured(
    work: str, left: fm.Lattice | fm.Network, left_file: Path, right: fm.Network, right_file: Path
) -> tuple[float, float, int, int]:
    theirs = peers.openfst().ask("astar", peers.machine(left_file), peers.machine(right_file))
    result = fm.align(left, right, options=COUNTS)
    agree(work, result.cost, theirs.cost, NAMES["astar"])
    return cpu_ms(partial(fm.wer, left, right)), theirs.ms, explored(result), theirs.states
