"""Networks as objects: union, and the exact number of paths, against OpenFst through pynini.

OpenFst has networks only written out (`replace`), so that is part of what it does; our union stays a network.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import fstmetrics as fm
from bench import peers
from bench.inputs import HyterProblem, Inputs
from bench.measure import Line, agree, cpu_ms, missing, ratio_line
from bench.rows.process import pynini_cards

UNION = "pynini, replace both + union"
PATHS = "pynini, replace + shortestdistance over log64"


def networks(inputs: Inputs) -> Iterator[Line]:
    """By kind of network; unions are of neighbours."""
    for kind in ("single", "combined"):
        problems = inputs.hyter_problems(kind, 1)
        try:
            pairs = list(pairwise(problems))
            unions = [_union(*pair) for pair in pairs]
            paths = [_paths(problem) for problem in problems]
        except peers.MissingError as hint:
            yield missing(f"networks, {kind}", UNION, str(hint))
            continue
        yield ratio_line(f"union of two networks, {kind}", UNION, *zip(*unions, strict=True))
        yield ratio_line(f"number of paths of a network, {kind}", PATHS, *zip(*paths, strict=True))


def _union(one: HyterProblem, other: HyterProblem) -> tuple[float, float]:
    pynini = peers.package("pynini")
    labels: dict[str, int] = {"<eps>": 0}
    cards = [pynini_cards(pynini, problem, labels) for problem in (one, other)]

    def theirs() -> Any:
        return pynini.union(*(pynini.replace(c, epsilon_on_replace=True) for c in cards))

    ours = partial(fm.union, one.network, other.network)
    _agree(f"{one.id} + {other.id}", ours(), _log_paths(pynini, theirs()))
    return cpu_ms(ours), cpu_ms(theirs)


def _paths(problem: HyterProblem) -> tuple[float, float]:
    pynini = peers.package("pynini")
    cards = pynini_cards(pynini, problem, {"<eps>": 0})

    def theirs() -> float:
        return _log_paths(pynini, pynini.replace(cards, epsilon_on_replace=True))

    _agree(problem.id, problem.network, theirs())
    return cpu_ms(lambda: fm.Paths(problem.network).count), cpu_ms(theirs)


def _agree(what: str, network: fm.Network, log_paths: float) -> None:
    """Numbers of paths; pynini hands out weights in seven digits."""
    agree(what, float(f"{math.log(fm.Paths(network).count):.7g}"), float(f"{log_paths:.7g}"), "pynini")


def _log_paths(pynini: Any, fst: Any) -> float:
    """The logarithm of the number of accepting paths."""
    counted = pynini.arcmap(fst, map_type="to_log64")
    return -float(pynini.shortestdistance(counted, reverse=True)[counted.start()])
