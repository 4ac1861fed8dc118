"""What the summary says beside oracles: the 1-best, sweeps, beams, hope and fear, depths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fstmetrics.engine.results import CorpusResult
from fstmetrics.scoring.sums import Number, OracleSums
from fstmetrics.support.printable import counted, in_full, number

# What several values of an option are called.
NAMES = {"lm_scale": "lm scales", "word_penalty": "word penalties"}


def further_rows(oracles: OracleSums) -> list[tuple[str, CorpusResult]]:
    """Names and results of the 1-best, where all have one, and of first entries, beams, hope and fear."""
    found = [] if oracles.one_best is None else [("1-best", oracles.one_best)]
    found += [(f"oracle of first {n}", among) for n, among in oracles.curve()]
    found += [(f"oracle at beam {beam:g}", pruned) for beam, _, pruned in oracles.beams()]
    return found + [(side, paths) for side, paths, _ in oracles.hope_and_fear()]


def sweep_rows(name: str, length: str, oracles: OracleSums, corner: str = "") -> list[tuple[str, ...]]:
    """A row for each scale and word penalty of a sweep, the best marked."""
    head = ("lm scale", "word penalty", name, "edits", "sub", "ins", "del", length, corner)
    rows: list[tuple[str, ...]] = [head]
    for (lm, penalty), scales, found, best in oracles.sweep:
        own = (scales.lm if scales else None, scales.word_penalty if scales else None)
        weights = [
            "file's" if weight is None else f"{weight:.10g}"
            for weight in (own[0] if lm is None else lm, own[1] if penalty is None else penalty)
        ]
        counts = (found.edits, found.substitutions, found.insertions, found.deletions, found.path_length)
        rows.append((*weights, number(found.score), *map(str, counts), "best" if best else ""))
    return rows


def _sweep_lines(oracles: OracleSums) -> Iterator[str]:
    """The options by which other commands find the paths of the best row, and whether it is at an edge."""
    best = next(row for row in oracles.sweep if row.best)
    said = f"1-best: the best of {counted(len(oracles.sweep), 'row')}"
    if best.scales is None:
        yield said
        return
    given = best.weighting.word_penalty is not None
    penalty = f" --word-penalty {best.scales.word_penalty:.10g}" if given else ""
    acoustic = "" if best.scales.acoustic == 1 else f" --acoustic-scale {best.scales.acoustic:.10g}"
    yield f"{said}; alone it is --lm-scale {best.scales.lm:.10g}{acoustic}{penalty}"
    rows = [row.weighting for row in oracles.sweep]
    as_good = [row.weighting for row in oracles.sweep if row.corpus.score == best.corpus.score]
    for name in NAMES:
        tried = sorted({value for row in rows if (value := getattr(row, name)) is not None})
        ends = tried[:1] + tried[-1:]
        if len(tried) > 2 and all(getattr(row, name) in ends for row in as_good):
            yield from _edge(name, getattr(best.weighting, name), tried)


def _edge(name: str, best: float, tried: Sequence[float]) -> Iterator[str]:
    """That the best value is the least or the greatest that was tried, and which further ones to try: as many."""
    low, high = tried[0], tried[-1]
    if best == high:
        first, last, step = high, high + high - low, high - tried[-2]
    else:
        first, last, step = low - (high - low), low, tried[1] - low
        if name == "lm_scale":
            first = max(0.0, first)
    if first < last:  # no scale is less than 0
        yield (
            f"the best is at the edge of the {NAMES[name]} that were tried ({low:.10g} to {high:.10g}): try "
            f"--{name.replace('_', '-')} {first:.10g}:{last:.10g}:{step:.10g}"
        )


def oracle_lines(corpus: CorpusResult, oracles: OracleSums) -> Iterator[str]:
    """How dense lattices are, what beams leave, what hope and fear cost, how deep lattices are."""
    arcs, words = oracles.arcs, corpus.path_length
    one, what = ("entry", "entries") if oracles.has_lists else ("arc", "arcs")
    density = f"{arcs / words:.2f} {what} per reference word" if words else "no reference words"
    yield f"density {density} ({arcs} {one if arcs == 1 else what})"
    for beam, arcs, found in oracles.beams():
        words = found.path_length
        density = f"{arcs / words:.2f} arcs per reference word" if words else "no reference words"
        yield f"at beam {beam:g} density {density} ({counted(arcs, 'arc')})"
    for name, found, (combined, model) in oracles.hope_and_fear():
        yield weighed_line(name, model, found.cost, combined)
    for depth in oracles.depths():
        yield f"depth {depth['mean']:.2f} arcs over {in_full(depth['time'])} {depth['unit']}, {depth['max']} at most"


def weighed_line(name: str, model_cost: float, cost: float, combined: float) -> str:
    """What hopes or fears cost, summed over items.

    >>> weighed_line("hope", 2.5, 1.0, 3.5)
    "hope: model cost 2.5, metric's cost 1, combined 3.5"
    """
    costs = [in_full(each) for each in (model_cost, cost, combined)]
    return "{}: model cost {}, metric's cost {}, combined {}".format(name, *costs)


# By (graph costs, acoustic costs), of any lattice or forest.
COSTS = {
    (True, True): "",
    (True, False): "the lattices have graph scores only",
    (False, True): "acoustic scores only, maybe not the decoder's path",
    (False, False): "the lattices have no scores, so the 1-best is any path",
}
# A forest's scores are the decoder's, weighted: that there are no others goes without saying.
FOREST_COSTS = COSTS | {(True, False): ""}
UNWEIGHTED = "lm 1, acoustic 1, word penalty 0"
NO_WEIGHTS = "the files name no other weights: --lm-scale 7:17 tries some"
NO_FOREST_COSTS = (
    "no 1-best: the forests have no scores; --weights FILE gives hypergraphs the weights of their features"
)


def one_best_lines(oracles: OracleSums, weights_asked: bool = True) -> Iterator[str]:
    """A line on what was weighed, another if there were forests without scores; none if there was none.

    Args:
        oracles: what was found.
        weights_asked: whether weights were asked for. If not, and no file has others than 1, the line says how to try
            some: decoders that write both costs of a lattice, as Kaldi, weigh them.
    """
    if oracles.sweep:
        yield from _sweep_lines(oracles)
    if weights := oracles.weights:
        named = ", ".join([_scale(name, weights[name]) for name in ("lm", "acoustic", "word_penalty")])
        forest = weights["forest"]
        costs = FOREST_COSTS if forest.least else COSTS
        graph, acoustic = bool(weights["graph_costs"].most), bool(weights["acoustic_costs"].most)
        found = costs[graph, acoustic]
        if not (weights_asked or forest.most) and graph and acoustic and named == UNWEIGHTED:
            found = NO_WEIGHTS
        yield "; ".join(filter(None, (f"1-best with {named}", found)))
    if oracles.lacks_one_best:
        yield NO_FOREST_COSTS


def _scale(name: str, values: Number) -> str:
    """A scale, or its least and greatest value."""
    least, most = values.least, values.most
    shown = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    return f"{name.replace('_', ' ')} {shown}"
