"""The machines of `fstmetrics.compile`, composed as a whole by OpenFst and solved, against our routes.

H, both factors of T, and R are made before the clock starts. What is explored: product states or cells that we look at,
and the states of H ∘ T ∘ R. The lazy routes of OpenFst, A* among them, are in the rows of `oracle` and `hyter-single`.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.eager import by_size
from bench.rows.hyter import COUNTS

NAME = "pynini, H, T and R of fstmetrics.compile, eager"
WINDOWS = (1, 3)


class Measured(NamedTuple):
    """One item by us and by OpenFst, and the sizes of its composition."""

    ours: float
    theirs: float
    explored: int
    states: int
    arcs: int


def compiled(inputs: Inputs) -> Iterator[Line]:
    """Oracles by size, then HyTER on networks of one annotator."""
    for (words, arcs), problems in by_size(inputs).items():
        items = [(p.id, p.lattice, p.reference, fm.WER()) for p in problems]
        yield from _lines(f"oracle, {words} words, {arcs} arcs", items)
    for window in WINDOWS:
        metric = fm.HyTER(window)
        single = inputs.hyter_problems("single")
        yield from _lines(
            f"HyTER single, window {window}", [(p.id, p.hypothesis, p.network, metric) for p in single]
        )


def _lines(work: str, items: Sequence[tuple[str, Any, Any, fm.Metric]]) -> Iterator[Line]:
    try:
        peers.package("pynini")
    except peers.MissingError as hint:
        yield missing(work, NAME, str(hint))
        return
    rows, too_large = list[Measured](), 0
    for item in items:
        try:
            rows.append(_measured(*item))
        except fm.InputError:  # beyond the limit on what is written out
            too_large += 1
    note = f"{too_large} of {len(items)} too large" if too_large else ""
    if not rows:
        yield Line(work, NAME, note=note)
        return
    median = statistics.median
    states, arcs = median(row.states for row in rows), median(row.arcs for row in rows)
    sizes = f"H ∘ T ∘ R: {states:,.0f} states, {arcs:,.0f} arcs"
    yield ratio_line(
        work, NAME, [row.ours for row in rows], [row.theirs for row in rows],
        explored=median(row.explored for row in rows), their_explored=states,
        note="; ".join(filter(None, (sizes, note))),
    )  # fmt: skip


def _measured(id: str, hypothesis: Any, reference: Any, metric: fm.Metric) -> Measured:
    pynini = peers.package("pynini")
    machines = fm.compile(hypothesis, reference, metric)
    machines.factors, machines.hypothesis, machines.reference  # noqa: B018 (before the clock starts)

    def least() -> float:
        product = machines.compose()
        return float(str(pynini.shortestdistance(product, reverse=True)[product.start()]))

    result = fm.align(hypothesis, reference, metric, options=COUNTS)
    agree(id, result.cost, least(), NAME)
    product = machines.compose()
    arcs = sum(map(product.num_arcs, product.states()))
    ours = cpu_ms(partial(fm.align, hypothesis, reference, metric, options=COUNTS))
    return Measured(ours, cpu_ms(least), explored(result), product.num_states(), arcs)
