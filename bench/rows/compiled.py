"""The machines of `fstmetrics.compile`, executed by OpenFst as they are: composed as a whole, lazily, and by A*.

What is explored: product states or cells that we look at, and states of H ∘ T ∘ R, all of it or those that came into
being.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import fstmetrics as fm
from bench import peers
from bench.compiled_items import folder_of
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, explored, missing, ratio_line
from bench.rows.eager import by_size
from bench.rows.hyter import COUNTS, NAMES

WINDOWS = (1, 3, 5)
ROUTES = ("eager", "lazy", "astar")


class Item(NamedTuple):
    """What is asked, and the folder of its machines."""

    id: str
    hypothesis: Any
    reference: Any
    metric: fm.Metric
    folder: Path


def compiled(inputs: Inputs) -> Iterator[Line]:
    """Oracles by size, 4-GRR of them, then HyTER on networks of one annotator and of several."""
    for (words, arcs), problems in by_size(inputs).items():
        metrics: dict[str, fm.Metric] = {"oracle": fm.WER(), "4-GRR oracle": fm.GRR(4)}
        for name, metric in metrics.items():
            items = [(p.id, p.lattice, p.reference, metric) for p in problems]
            # A* needs costs without gains; the lazy route of 4-GRR is in `4-grr`.
            routes: tuple[str, ...] = ROUTES if name == "oracle" else ROUTES[:1]
            yield from _lines(inputs, f"{name}, {words} words, {arcs} arcs", items, routes)
    for kind in ("single", "combined"):
        for window in WINDOWS:
            hyter = [(p.id, p.hypothesis, p.network, fm.HyTER(window)) for p in inputs.hyter_problems(kind)]
            # Of combined networks as a whole each would take seconds, and gigabytes in wide windows.
            routes = ROUTES if kind == "single" else ROUTES[1:]
            yield from _lines(inputs, f"HyTER {kind}, window {window}, moves", hyter, routes)


def _lines(
    inputs: Inputs,
    work: str,
    given: Sequence[tuple[str, Any, Any, fm.Metric]],
    routes: Sequence[str],
) -> Iterator[Line]:
    try:
        peer = peers.openfst()
        items = [Item(id, h, r, m, folder_of(inputs.folder, h, r, m, id)) for id, h, r, m in given]
    except peers.MissingError as hint:
        for route in routes:
            yield missing(work, NAMES[route], str(hint))
        return
    median = statistics.median
    results = [fm.align(each.hypothesis, each.reference, each.metric, options=COUNTS) for each in items]
    ours = [
        cpu_ms(partial(fm.align, each.hypothesis, each.reference, each.metric, options=COUNTS))
        for each in items
    ]
    looked_at = median(map(explored, results))
    for route in routes:
        answers = [peer.ask(route, each.folder) for each in items]
        for each, result, answer in zip(items, results, answers, strict=True):
            agree(each.id, result.cost, answer.cost, NAMES[route])
        states, arcs = median(a.states for a in answers), median(a.arcs for a in answers)
        if route == "eager":
            note = f"H ∘ T ∘ R has {states:,.0f} states and {arcs:,.0f} arcs; we looked at {looked_at:,.0f}"
        else:
            note = f"{states:,.0f} states came into being; we looked at {looked_at:,.0f}"
        yield ratio_line(
            work, NAMES[route], ours, [a.ms for a in answers],
            explored=looked_at, their_explored=states, note=note,
        )  # fmt: skip
