"""What a page says of one system or several under their metrics: `comparison_data`, `item_columns`.

Scores and their differences, for all items and by field; items better in one of two; words by frequency; n-grams and
words that one of two has and the other lacks; sentences by length and by score; errors by position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import CorpusMetric, Statistics
from fstmetrics.analysis.compare_mt import NgramGain, by_length, by_score, ngram_gains, word_accuracy
from fstmetrics.analysis.error_counts import Errors
from fstmetrics.analysis.side_by_side import RightWords
from fstmetrics.apps.pages.item_fields import ItemField
from fstmetrics.apps.pages.shown import System
from fstmetrics.apps.pages.verdict import Standing, pairs_of, speech_tests, standings, standings_by
from fstmetrics.engine.resampling import FEWEST_RESAMPLED
from fstmetrics.io.record_schema import aligns_itself
from fstmetrics.metrics.given_scores import GivenScores
from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    from fstmetrics.analysis.record_table import RecordTable
    from fstmetrics.apps.pages.packed import Column

# Rows of a table of two of several systems; two alone have all of them.
MOST_WORDS = 200
# N-grams that a page lists for either of two systems.
MOST_NGRAMS = 100


def item_columns(runs: Sequence[System]) -> dict[str, Column]:
    """Each item's score under every metric that does not follow from the counts of its alignment."""
    found: dict[str, Column] = {}
    for number, run in enumerate(runs):
        for m, (name, statistics) in enumerate(run.scores.items()):
            if not _is_counted(name, run) and statistics.metric.columns:
                found[f"{number}.item{m}"] = statistics.item_scores
    return found


def comparison_data(
    runs: Sequence[System],
    errors: Sequence[Errors],
    fields: Sequence[ItemField],
    counts: Mapping[str, int] | None,
    asked: Sequence[str],
) -> tuple[dict[str, Any], dict[str, Column], ItemField]:
    """Of the page's data, what is said of systems and their metrics.

    Args:
        runs: the systems, with the same items in the same order.
        errors: of each.
        fields: of the items.
        counts: how often words are in the training data; None: they are counted in the references.
        asked: the fields whose tables were asked for.

    Returns:
        JSON, columns, and the field by which items are put into classes of their length.
    """
    tables = [run.table for run in runs]
    metrics = {name: statistics.metric for name, statistics in runs[0].scores.items()}
    statistics = [[run.scores[name] for name in metrics] for run in runs]
    accuracy = word_accuracy(tables, counts)
    lengths = by_length(np.mean([table.counts["path_length"] for table in tables], axis=0).astype(np.int64))
    field = ItemField("length of the reference", "choice", lengths.names, lengths.groups + 1)
    standing = standings(statistics) if metrics else []
    data: dict[str, Any] = {
        "metrics": [_described(name, metric, runs[0]) for name, metric in metrics.items()],
        "standings": [_as_dict(found) for found in standing],
        "details": [[found.details for found in row] for row in zip(*statistics, strict=True)],
        "pairs": pairs_of(len(runs)),
        "by": {
            f.name: _by_group(statistics, f, f.name in asked) for f in (*fields, field) if f.kind != "text"
        }
        if metrics
        else {},
        "frequencies": {
            "names": accuracy.names,
            "f1": accuracy.f1.tolist(),
            "words": accuracy.references.tolist(),
            "of_training": counts is not None,
        },
        "positions": {
            "names": [part.name for part in errors[0].by_position()],
            "rates": [[part.rate for part in found.by_position()] for found in errors],
        },
        "by_score": _score_buckets(metrics, runs),
        "most_words": MOST_WORDS,
        "most_ngrams": MOST_NGRAMS,
        **(_differences(runs) if len(runs) > 1 else {"only": [], "ngrams": []}),
        "tests": _tests(runs, standing),
        "fewest_resampled": FEWEST_RESAMPLED,
    }
    return data, {"words.class": accuracy.classes}, field


def _described(name: str, metric: CorpusMetric, run: System) -> dict[str, Any]:
    return {
        "name": name,
        "higher": metric.recognition,
        "percent": metric.percent,
        "counted": _is_counted(name, run),
        "items": bool(metric.columns),
    }


def _is_counted(name: str, run: System) -> bool:
    """Whether scores follow from the counts of the alignments that are shown."""
    return name == run.table.metric and aligns_itself(name)


def _as_dict(found: Standing) -> dict[str, Any]:
    return {**asdict(found), "scores": list(map(finite, found.scores))}


def _by_group(
    statistics: Sequence[Sequence[Statistics]], field: ItemField, asked: bool
) -> list[list[dict[str, Any] | None]]:
    """By metric, by group: the systems, each against the first."""
    rows = standings_by(statistics, field.groups, len(field.values), asked)
    return [[None if each is None else _as_dict(each) for each in row] for row in rows]


def _score_buckets(
    metrics: Mapping[str, CorpusMetric], runs: Sequence[System]
) -> list[dict[str, Any] | None]:
    """By metric: how many items of each system have a score within some limits; None without scores of items."""
    found: list[dict[str, Any] | None] = []
    for name, metric in metrics.items():
        if not metric.columns:
            found.append(None)
            continue
        scores = np.stack([run.scores[name].item_scores for run in runs])
        given = isinstance(metric, GivenScores)
        buckets = by_score(scores, None if given else 100.0 if metric.percent else 1.0)
        counts = [np.bincount(row[row >= 0], minlength=len(buckets.names)).tolist() for row in buckets.groups]
        found.append({"names": buckets.names, "cutoffs": buckets.cutoffs, "counts": counts})
    return found


def _differences(runs: Sequence[System]) -> dict[str, Any]:
    """Of each pair of systems: words and n-grams that one has more often right."""
    tables, pairs = [run.table for run in runs], pairs_of(len(runs))
    only = _only(tables, pairs, None if len(runs) == 2 else MOST_WORDS)
    gains = ngram_gains(tables, pairs, MOST_NGRAMS)
    return {"only": only, "ngrams": [[list(map(_gain, side)) for side in pair] for pair in gains]}


def _only(
    tables: Sequence[RecordTable], pairs: Sequence[tuple[int, int]], most: int | None
) -> list[list[list[Any]]]:
    """Of each pair of systems the words that only one has right, so many at most."""
    right = RightWords(tables)
    return [
        [[w.word, w.first, w.second, w.instead, w.instead_count] for w in right.rows(a, b)[:most]]
        for a, b in pairs
    ]


def _tests(runs: Sequence[System], found: Sequence[Standing]) -> list[list[dict[str, Any]]]:
    """The tests of each system against the first, under one metric whose scores are those of their alignments.

    The first one of them decides.
    """
    counted = [name for name in runs[0].scores if _is_counted(name, runs[0])]
    if not counted or len(runs[0].scores) > 1 or found[0].intervals is None:
        return []
    rows = []
    for run, p in zip(runs[1:], found[0].p, strict=False):  # pairs of the first system come first
        tests = list(speech_tests(runs[0].table, run.table))
        resampled = ("bootstrap", p, f"{found[0].samples:,} resamples of the items")
        tests.insert(1 if tests and tests[0][0] == "MAPSSWE" else 0, resampled)
        rows.append([{"name": name, "p": p, "note": note} for name, p, note in tests if np.isfinite(p)])
    return rows


def _gain(gain: NgramGain) -> list[Any]:
    return [" ".join(gain.words), len(gain.words), gain.first, gain.second, round(gain.ratio, 4)]
