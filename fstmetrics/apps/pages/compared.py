"""What a page says of one system or several under their metrics: `comparison_data`, `item_columns`.

Scores and their differences, for all items and by field; items better in one of two; words by frequency; n-grams and
words that one of two has and the other lacks; sentences by length and by score; errors by position. Whether differences
are real: `standings`, all pairs under all metrics, and those of groups of items; `speech_tests` has the tests of two
speech recognisers that stand beside the bootstrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import CorpusMetric, FstmetricsError, Statistics
from fstmetrics.analysis.error_counts import Errors
from fstmetrics.analysis.record_table import RecordTable, parts_of
from fstmetrics.analysis.side_by_side import RightWords
from fstmetrics.apps.pages.compare_mt import NgramGain, by_length, by_score, ngram_gains, word_accuracy
from fstmetrics.apps.pages.item_fields import ItemField
from fstmetrics.apps.pages.shown import System
from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.resampling import FEWEST_RESAMPLED, Resampling
from fstmetrics.io.formats.records import aligns_itself, quotient_of
from fstmetrics.metrics.given_scores import GivenScores
from fstmetrics.significance import Comparison, Design, compare_statistics
from fstmetrics.significance.compare_statistics import compare_items
from fstmetrics.significance.sc_stats import pairs_of_segments, segments, sentence_verdict
from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.apps.pages.packed import Column

    Integers = npt.NDArray[np.int64]

# Resamples, as many as `compare` takes by default; fewer where there are many items, whose p values vary less.
SAMPLES, FEWER = 10_000, 1000
MANY = 20_000


def pairs_of(systems: int) -> list[tuple[int, int]]:
    """All pairs of systems, in the order in which p values and the like are listed."""
    return list(combinations(range(systems), 2))


@dataclass(frozen=True)
class Standing:
    """Systems under one metric.

    Attributes:
        scores: of each system.
        intervals: 95% intervals of them; None where there is nothing to divide by in a resample.
        p: two-sided p values of the bootstrap, of each pair that is compared; nan where there is nothing to test.
        changes: 95% intervals of what the second of each pair is above the first; None likewise.
        samples: how often the items were resampled.
    """

    scores: Sequence[float]
    intervals: Sequence[tuple[float, float]] | None
    p: Sequence[float]
    changes: Sequence[tuple[float, float] | None]
    samples: int


def standings(systems: Sequence[Sequence[Statistics]]) -> list[Standing]:
    """Systems under each metric, in all pairs of `pairs_of`.

    Args:
        systems: of each, its statistics under every metric, all of the same items. A metric without statistics of
            items has scores only.
    """
    samples = SAMPLES if max(len(found) for found in systems[0]) < MANY else FEWER
    design = Design(resampling=Resampling(samples), pairs="all")
    try:
        found = compare_statistics(_named(systems), design)
    except FstmetricsError:  # resamples with nothing to divide by, under every metric
        pairs = len(pairs_of(len(systems)))
        untested = [np.nan] * pairs, [None] * pairs
        return [
            Standing([found.score for found in row], None, *untested, 0) for row in zip(*systems, strict=True)
        ]
    return [_standing(found, m) for m in range(len(systems[0]))]


def _named(systems: Sequence[Sequence[Statistics]]) -> dict[str, dict[str, Statistics]]:
    """By the numbers of systems and metrics, whose names may be alike."""
    return {str(n): {str(m): found for m, found in enumerate(system)} for n, system in enumerate(systems)}


def _standing(found: Comparison, m: int, of_group: bool = False) -> Standing:
    """Under a metric, by its number; of a group without p of items in which the two do not differ."""
    scores = [row[str(m)] for row in found.systems.values()]
    ends = [(s.low, s.high) for s in scores if s.low is not None and s.high is not None]
    known = ends if len(ends) == len(scores) else None
    tests = [test for test in found.tests if test.metric == str(m)]
    changes = [None if t.low is None or t.high is None else (t.low, t.high) for t in tests]
    p = [np.nan if of_group and t.low == t.high == 0 else t.p for t in tests]
    pairs = len(pairs_of(len(scores))) if found.design.pairs == "all" else len(scores) - 1
    lacking, samples = pairs - len(tests), found.design.resampling.samples if known else 0
    return Standing(
        [s.score for s in scores], known, [*p, *[np.nan] * lacking], [*changes, *[None] * lacking], samples
    )


def standings_by(
    systems: Sequence[Sequence[Statistics]], groups: Integers, number: int, asked: bool
) -> list[list[Standing | None]]:
    """The same of the items of each group alone, of each system but the first against it, as of `compare --by`.

    Args:
        systems: as of `standings`.
        groups: of every item, from 1; 0 is none.
        number: of groups.
        asked: whether they are of a field that was asked for; others get fewer resamples.

    Returns:
        By metric, by group; None of a group without an item, and under a metric without statistics of items.
    """
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(1, number + 2)).tolist()
    design = Design(resampling=Resampling(SAMPLES if asked else FEWER))
    found: list[list[Standing | None]] = [[] for _ in systems[0]]
    for begin, end in pairwise(ends):
        part = compare_items(_named(systems), design, order[begin:end]) if end > begin else None
        for m, column in enumerate(found):
            column.append(_standing(part, m, True) if part and str(m) in part.metrics else None)
    return found


def speech_tests(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The tests of two speech recognisers: the name, the p value, and what there is to say of it."""
    yield from _mapsswe(first, second)
    if quotient_of(first.metric) == "errors":
        right = sentence_verdict(first.numerators, second.numerators)
        yield "McNemar", right.p, "on items without any error"


def _mapsswe(first: RecordTable, second: RecordTable) -> Iterator[tuple[str, float, str]]:
    """The test on segments, of word error rates."""
    both = first, second
    if any(of.metric != "wer" or of.has("*").any() or (of.numerators != of.errors).any() for of in both):
        return
    try:
        # Of some items at a time: only their texts are in memory.
        found = [_segments(*parts) for parts in parts_of(*both)]
    except FstmetricsError:  # strings too long for its alignments
        return
    pairs = pairs_of_segments(np.concatenate(found))
    yield "MAPSSWE", pairs.p, f"on {pairs.segments:,} segments with errors, as NIST's sc_stats"


def _segments(first: RecordTable, second: RecordTable) -> Integers:
    """Errors of both systems in the segments of some items; those that both have right have none."""
    some = np.flatnonzero(first.errors + second.errors)
    one, two = (Paths(*table.chosen(some).all_sides()) for table in (first, second))
    return segments(one, two, one.errors, two.errors)


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
