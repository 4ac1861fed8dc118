"""Results as JSON: a record an item, and a summary of all. Infinite scores are null."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from fstmetrics.metrics import CorpusMetric, Mean, Metric, TextMetric
from fstmetrics.metrics.corpus import name_of
from fstmetrics.runs.tallies import OracleTally, oracles_of
from fstmetrics.scoring.results import AlignedPair, CorpusResult, OracleResult, Pruned, Result, Weighed
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.version import __version__
from fstmetrics.values.normalisation import Normalisation, Unit

# Names the tie rules of docs/scores.md; another number would mean other rules.
TIE_RULE = "longest-path/1"


class LeftOut(NamedTuple):
    """How many items are not in the sums: those without a partner, and those that could not be read or scored."""

    skipped: int = 0
    faults: int = 0


def record(result: Result, alignment: bool = False) -> dict[str, Any]:
    """One item as a JSON object.

    Args:
        result: the item.
        alignment: whether to add `alignment`: `["=", hyp, ref]`, `["S", hyp, ref]`, `["I", hyp, null]`,
            `["D", null, ref]`, `["*", hyp, null]`.
    """
    found: dict[str, Any] = {"id": result.id, "metric": result.name, "score": finite(result.score)}
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


def summary(
    corpus: CorpusResult,
    settings: dict[str, Any],
    faults: int = 0,
    records: Sequence[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The corpus as a JSON object: sums, scores, the decoder's own choice beside an oracle, and the settings.

    Args:
        corpus: the result.
        settings: what was computed, and how.
        faults: items that were left out because something is wrong with them.
        records: those of the items, where they are to stand in it.
    """
    found: dict[str, Any] = {
        "metric": corpus.name,
        "items": len(corpus),
        **LeftOut(corpus.skipped, faults)._asdict(),
        "score": finite(corpus.score),
        "mean_score": finite(corpus.mean_score),
        "infinite_scores": corpus.infinite,
        "items_with_errors": corpus.items_with_errors,
    }
    found |= _counts(corpus) | {"gain": corpus.gain, "max_gain": corpus.max_gain}
    oracles = oracles_of(corpus)
    if oracles.items:
        found |= _oracle_summary(corpus, oracles)
    if records is not None:
        found["records"] = records
    return found | {"settings": settings, "signature": signature(corpus)}


def statistics_record(
    metric: CorpusMetric, id: str | None, score: float, values: Sequence[float], unit: Unit = "word"
) -> dict[str, Any]:
    """An item of a metric of strings as a JSON object: id, metric, score, and the statistics that add up.

    Args:
        metric: the metric.
        id: the item's.
        score: the item's; nan where the metric has none of items.
        values: the statistics.
        unit: what was compared.
    """
    statistics = dict(zip(metric.columns, values, strict=True))
    return {"id": id, "metric": name_of(metric.name, unit), "score": finite(score), "statistics": statistics}


def statistics_summary(statistics: Statistics, left_out: LeftOut, settings: dict[str, Any]) -> dict[str, Any]:
    """The corpus under a metric of strings as a JSON object: scores, sums of the statistics, and the settings."""
    infinite = int(np.count_nonzero(~np.isfinite(statistics.item_scores)))
    return {
        "metric": statistics.name,
        "items": len(statistics),
        **left_out._asdict(),
        "score": finite(statistics.score),
        "mean_score": finite(statistics.mean_score),
        "infinite_scores": infinite,
        "statistics": dict(zip(statistics.metric.columns, statistics.sums.tolist(), strict=True)),
        "settings": settings,
        "signature": signature(statistics),
    }


def signature(corpus: CorpusResult | Statistics) -> str:
    """What was computed, in one line: equal signatures are of numbers that can be compared."""
    conditions = corpus.conditions
    if isinstance(corpus, CorpusResult):
        conditions = path_conditions(conditions, corpus.alternations, corpus.grammars)
    return signature_of(corpus.metric, corpus.normalisation, conditions)


def path_conditions(conditions: Iterable[str], alternations: str, grammars: str) -> tuple[str, ...]:
    """The conditions of a signature of best paths: with how choices were written, and what widened the references."""
    more = [f"alternations:{alternations}"] if alternations else []
    return (*conditions, *more, *([f"grammars:{grammars}"] if grammars else []))


def signature_of(
    metric: CorpusMetric, normalisation: Normalisation | None, conditions: Iterable[str] = (), what: str = ""
) -> str:
    """The same of a metric.

    Args:
        metric: what was computed.
        normalisation: what was done to the words, if that is known.
        conditions: further parts.
        what: what else than a score was found: `mbr`.
    """
    words, unit = (normalisation.signature(), normalisation.unit) if normalisation else ("", "word")
    inner = metric.metric if isinstance(metric, Mean) else metric
    parts = ["fstmetrics", what, metric.signature(unit), words, *conditions]
    parts += [f"ties:{TIE_RULE}"] if isinstance(inner, Metric) else []
    packages = dict.fromkeys(inner.packages if isinstance(inner, TextMetric) else ())
    if normalisation and normalisation.tokenize not in (None, "none"):
        packages["sacrebleu"] = None
    parts += [f"{package}:{version(package)}" for package in packages]
    return "|".join([*filter(None, parts), f"version:{__version__}"])


def part(name: str, value: object) -> str:
    """A setting as signatures have it.

    >>> part("scales", {"lm": 16, "acoustic": 1}), part("scales", "as the files say")
    ('scales:lm=16,acoustic=1', 'scales:as-the-files-say')
    """
    if isinstance(value, dict):
        value = ",".join(f"{key}={each}" for key, each in value.items())
    return f"{name}:{str(value).replace(' ', '-')}"


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


def _oracle_summary(corpus: CorpusResult, oracles: OracleTally) -> dict[str, Any]:
    words = corpus.path_length
    found: dict[str, Any] = {"arcs": oracles.arcs, "density": oracles.arcs / words if words else None}
    whole = len(oracles.one_best) == oracles.items
    found["one_best"] = _brief(oracles.one_best.corpus(corpus.metric)) if whole else None
    if curve := oracles.curve(corpus.metric):
        found["after"] = [{"entries": n} | _brief(among) for n, among in curve]
    if beams := oracles.beam_curve(corpus.metric):
        found["beams"] = [
            {
                "beam": finite(beam),
                "arcs": arcs,
                "density": arcs / pruned.path_length if pruned.path_length else None,
            }
            | _brief(pruned)
            for beam, arcs, pruned in beams
        ]
    for name, weighed, costs in oracles.weighed_totals(corpus.metric):
        found[name] = {"combined": costs[0], "model_cost": costs[1], "cost": weighed.cost} | _brief(weighed)
    if depths := oracles.depths():
        found["depth"] = depths
    return found
