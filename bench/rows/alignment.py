"""What more costs us: the alignment beside the score, and `moves` beside `jumps`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line, cpu_ms
from bench.rows.hyter import COUNTS, WINDOWS
from fstmetrics.engine.sides import Input
from fstmetrics.metrics.path_metric import Reordering

REORDERINGS: tuple[Reordering, ...] = ("moves", "jumps")


def alignment(inputs: Inputs) -> Iterator[Line]:
    """Closest path and edit operations as Python objects, against counts alone."""
    for kind in ("single", "combined"):
        for window in WINDOWS:
            metric = fm.HyTER(window=window, reordering="jumps")
            pairs = [(p.hypothesis, p.network) for p in inputs.hyter_problems(kind, 1)]
            yield _written(f"alignment, HyTER {kind}, window {window}", pairs, metric)
    sizes: dict[tuple[int, int], list[tuple[fm.Lattice, str]]] = {}
    for p in inputs.oracle_problems():
        sizes.setdefault((p.words, p.arcs), []).append((p.lattice, p.reference))
    for (words, arcs), lattices in sizes.items():
        yield _written(f"alignment, oracle, {words} words, {arcs} arcs", lattices, fm.WER())


def _written(
    work: str, pairs: list[tuple[str, fm.Network]] | list[tuple[fm.Lattice, str]], metric: fm.Metric
) -> Line:
    written, counted = [], []
    for hypothesis, reference in pairs:
        full = partial(_looked_at, hypothesis, reference, metric)
        counts = partial(fm.align, hypothesis, reference, metric, options=COUNTS)
        agree(work, fm.align(hypothesis, reference, metric).cost, counts().cost, "the score alone")
        written.append(cpu_ms(full))
        counted.append(cpu_ms(counts))
    return cost_line(work, "ours, score alone", written, counted, 1.5)


def _looked_at(hypothesis: Input, reference: Input, metric: fm.Metric) -> None:
    result = fm.align(hypothesis, reference, metric)
    result.closest, result.alignment  # noqa: B018


def moves(inputs: Inputs) -> Iterator[Line]:
    """The default count of reordering against the cheaper one."""
    for kind in ("single", "combined"):
        problems = inputs.hyter_problems(kind, 1)
        for window in WINDOWS[1:]:
            ours, base = (
                [
                    cpu_ms(partial(fm.hyter, p.hypothesis, p.network, window=window, reordering=reordering))
                    for p in problems
                ]
                for reordering in REORDERINGS
            )
            yield cost_line(f"moves, HyTER {kind}, window {window}", "ours, jumps", ours, base, 2.0)
