"""Results as JSON: a record an item, and a summary of all. Infinite scores are null."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from fstmetrics.results import AlignedPair, CorpusResult, OracleResult, Pruned, Result, Weighed
from fstmetrics.statistics import Statistics
from fstmetrics.version import __version__

# Names the tie rules of docs/scores.md; another number would mean other rules.
TIE_RULE = "longest-path/1"


def record(result: Result, alignment: bool = False) -> dict[str, Any]:
    """One item as a JSON object.

    Args:
        result: the item.
        alignment: whether to add `alignment`: `["=", hyp, ref]`, `["S", hyp, ref]`, `["I", hyp, null]`,
            `["D", null, ref]`.
    """
    found: dict[str, Any] = {"id": result.id, "metric": result.metric.name, "score": finite(result.score)}
    found |= _counts(result)
    found |= {"hypothesis": list(result.hypothesis), "closest": list(result.closest)}
    found |= {"gain": result.gain, "max_gain": result.max_gain}
    if result.metric.window > 1:
        found["order"] = [pair.position for pair in result.alignment if pair.hypothesis is not None]
    if result.rewrites:
        found["rules"] = [rewrite._asdict() for rewrite in result.rewrites]
    if alignment:
        found["alignment"] = [_pair(pair) for pair in result.alignment]
    if isinstance(result, OracleResult):
        found |= _oracle_fields(result)
    if result.nbest:
        found["nbest"] = [record(other, alignment) for other in result.nbest]
    return found


def summary(corpus: CorpusResult, settings: dict[str, Any]) -> dict[str, Any]:
    """The corpus as a JSON object: sums, scores, the decoder's own choice beside an oracle, and the settings."""
    found: dict[str, Any] = {
        "metric": corpus.metric.name,
        "items": len(corpus),
        "skipped": corpus.skipped,
        "score": finite(corpus.score),
        "mean_score": finite(corpus.mean_score),
        "infinite_scores": corpus.infinite,
        "items_with_errors": corpus.items_with_errors,
    }
    found |= _counts(corpus) | {"gain": corpus.gain, "max_gain": corpus.max_gain}
    oracles = [item for item in corpus.items if isinstance(item, OracleResult)]
    if oracles:
        found |= _oracle_summary(oracles)
    return found | {"settings": settings, "signature": signature(corpus)}


def statistics_records(statistics: Statistics) -> Iterator[dict[str, Any]]:
    """Each item of a metric of strings as a JSON object: id, metric, score, and the statistics that add up."""
    metric, ids = statistics.metric, statistics.ids or (None,) * len(statistics)
    scores = statistics.item_scores.tolist() or [math.nan] * len(statistics)
    for id, score, row in zip(ids, scores, statistics.values.tolist(), strict=True):
        values = dict(zip(metric.columns, row, strict=True))
        yield {"id": id, "metric": metric.name, "score": finite(score), "statistics": values}


def statistics_summary(statistics: Statistics, skipped: int, settings: dict[str, Any]) -> dict[str, Any]:
    """The corpus under a metric of strings as a JSON object: scores, sums of the statistics, and the settings."""
    infinite = int(np.count_nonzero(~np.isfinite(statistics.item_scores)))
    return {
        "metric": statistics.metric.name,
        "items": len(statistics),
        "skipped": skipped,
        "score": finite(statistics.score),
        "mean_score": finite(statistics.mean_score),
        "infinite_scores": infinite,
        "statistics": dict(zip(statistics.metric.columns, statistics.sums.tolist(), strict=True)),
        "settings": settings,
        "signature": signature(statistics),
    }


def signature(corpus: CorpusResult | Statistics) -> str:
    """What was computed, in one line, so that two numbers can be told to be comparable."""
    parts = ["fstmetrics", corpus.metric.signature()]
    if corpus.normalisation is not None:
        parts.append(corpus.normalisation.signature())
    if isinstance(corpus, CorpusResult):
        parts += [f"alternations:{corpus.alternations}"] if corpus.alternations else []
        parts += [f"grammars:{corpus.grammars}"] if corpus.grammars else []
        parts.append(f"ties:{TIE_RULE}")
    return "|".join([*parts, f"version:{__version__}"])


def finite(number: float) -> float | None:
    """The number, or None where JSON has none for it."""
    return number if math.isfinite(number) else None


def _counts(result: Result | CorpusResult) -> dict[str, Any]:
    names = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
    return {name: getattr(result, name) for name in names}


def _pair(pair: AlignedPair) -> list[str | None]:
    return [pair.op, pair.hypothesis, pair.reference]


def _brief(result: Result | CorpusResult) -> dict[str, Any]:
    found = (
        {"score": finite(result.score)} | _counts(result) | {"gain": result.gain, "max_gain": result.max_gain}
    )
    return found | {"hypothesis": list(result.hypothesis)} if isinstance(result, Result) else found


def _oracle_fields(result: OracleResult) -> dict[str, Any]:
    found: dict[str, Any] = {"arcs": result.arcs, "density": finite(result.density)}
    found["one_best"] = _brief(result.one_best) if result.one_best else None
    if result.after:
        found["after"] = [{"entries": n} | _brief(best) for n, best in result.after]
    if result.beams:
        found["beams"] = [_pruned(each) for each in result.beams]
    for name in ("hope", "fear"):
        if paths := getattr(result, name):
            found[name] = [_weighed(path) for path in paths]
    if result.depth:
        found["depth"] = result.depth.settings()
    return found


def _pruned(pruned: Pruned) -> dict[str, Any]:
    density = pruned.arcs / pruned.result.path_length if pruned.result.path_length else None
    return {"beam": finite(pruned.beam), "arcs": pruned.arcs, "density": density} | _brief(pruned.result)


def _weighed(path: Weighed) -> dict[str, Any]:
    return {"combined": path.combined, "model_cost": path.model_cost, "cost": path.result.cost} | _brief(
        path.result
    )


def _oracle_summary(oracles: Sequence[OracleResult]) -> dict[str, Any]:
    words = sum(item.path_length for item in oracles)
    arcs = sum(item.arcs for item in oracles)
    found: dict[str, Any] = {"arcs": arcs, "density": arcs / words if words else None, "one_best": None}
    if all(item.one_best for item in oracles):
        found["one_best"] = _brief(CorpusResult.of(item.one_best for item in oracles if item.one_best))
    if curve := oracle_curve(oracles):
        found["after"] = [{"entries": n} | _brief(corpus) for n, corpus in curve]
    if beams := beam_curve(oracles):
        found["beams"] = [
            {
                "beam": finite(beam),
                "arcs": arcs,
                "density": arcs / corpus.path_length if corpus.path_length else None,
            }
            | _brief(corpus)
            for beam, arcs, corpus in beams
        ]
    for name, corpus, costs in weighed_totals(oracles):
        found[name] = {"combined": costs[0], "model_cost": costs[1], "cost": corpus.cost} | _brief(corpus)
    if depths := corpus_depths(oracles):
        found["depth"] = depths
    return found


def beam_curve(oracles: Sequence[OracleResult]) -> list[tuple[float, int, CorpusResult]]:
    """For each beam: the arcs left in all lattices, and their oracle. Empty where some item is no lattice."""
    if not all(item.beams for item in oracles):
        return []
    columns = zip(*(item.beams for item in oracles), strict=True)
    return [
        (column[0].beam, sum(each.arcs for each in column), CorpusResult.of(each.result for each in column))
        for column in columns
    ]


def weighed_totals(oracles: Sequence[OracleResult]) -> list[tuple[str, CorpusResult, tuple[float, float]]]:
    """Hope and fear of all items: the sums, and those of combined and model costs. Empty where an item has neither."""
    if not all(item.hope for item in oracles):
        return []
    sides = (("hope", [item.hope[0] for item in oracles]), ("fear", [item.fear[0] for item in oracles]))
    return [
        (name, CorpusResult.of(each.result for each in paths),
         (math.fsum(each.combined for each in paths), math.fsum(each.model_cost for each in paths)))
        for name, paths in sides
    ]  # fmt: skip


def corpus_depths(oracles: Sequence[OracleResult]) -> list[dict[str, Any]]:
    """By unit of time: the mean depth over all the time of all lattices, the most at any time, and how much time."""
    found = []
    depths = [item.depth for item in oracles if item.depth and item.depth.arcs]
    for unit in dict.fromkeys(depth.unit for depth in depths):
        same = [depth for depth in depths if depth.unit == unit]
        time = math.fsum(depth.times[-1] - depth.times[0] for depth in same)
        area = math.fsum(depth.mean * (depth.times[-1] - depth.times[0]) for depth in same)
        found.append(
            {"unit": unit, "mean": area / time, "max": max(depth.max for depth in same), "time": time}
        )
    return found


def oracle_curve(oracles: Sequence[OracleResult]) -> list[tuple[int, CorpusResult]]:
    """The corpus oracle among the first n entries of every list; a list that is shorter counts with all it has."""
    lists = [item for item in oracles if item.after]
    # An item without a hypothesis (`--missing empty`) has no list, and is the same at every size.
    if not lists or any(item.arcs for item in oracles if not item.after):
        return []
    sizes = sorted({n for item in lists for n, _ in item.after[:-1]} | {max(i.after[-1][0] for i in lists)})
    return [(n, CorpusResult.of(_among(item, n) for item in oracles)) for n in sizes]


def _among(item: OracleResult, first: int) -> Result:
    fitting: list[Result] = [best for n, best in item.after if n <= first]
    return fitting[-1] if fitting else item
