"""Tests of significance from statistics: ours against sacrebleu's paired tests on the same statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs
from bench.measure import DisagreementError, Line, agree, cpu_ms_cold, missing, ratio_line
from fstmetrics.significance import Design, Resampling, compare_statistics

GOAL = 50.0
# Our test, sacrebleu's name for it.
TESTS = {"sacrebleu-bootstrap": "bs", "randomization": "ar"}
METRICS: dict[str, fm.TextMetric] = {
    "bleu": fm.BLEU(),
    "bleu-lower": fm.BLEU(),
    "chrf": fm.ChrF(),
    "ter": fm.TER(),
}

Table = npt.NDArray[np.float64]


def significance(inputs: Inputs) -> Iterator[Line]:
    """All p values and scores of ten systems under four metrics, and of one pair under BLEU."""
    # sacrebleu holds all resamples at once: 3000 x 2000 x 18 statistics of chrF are 430 MB.
    items, samples = (60, 200) if inputs.tiny else (3000, 2000)
    drawn = _statistics(items, systems=10)
    pair = {name: {"bleu": drawn[name]["bleu"]} for name in list(drawn)[:2]}
    for test in TESTS:
        yield _line(test, drawn, samples, GOAL)
        yield _line(test, pair, samples, None)


def _line(test: str, systems: dict[str, dict[str, Table]], samples: int, goal: float | None) -> Line:
    metrics = len(next(iter(systems.values())))
    items = len(next(iter(systems.values()))["bleu"])
    work = f"{test}, {len(systems)} systems, {metrics} metrics, {items} items, {samples} samples"
    try:
        theirs = partial(_sacrebleu, systems, TESTS[test], samples)
        ours = partial(_ours, systems, Design(test, Resampling(samples)))
        _agree(ours(), theirs(), samples)
    except peers.MissingError as hint:
        return missing(work, "sacrebleu", str(hint), goal)
    return ratio_line(work, "sacrebleu", [cpu_ms_cold(ours)], [cpu_ms_cold(theirs)], goal)


def _statistics(items: int, systems: int) -> dict[str, dict[str, Table]]:
    """Statistics of the size of a news test's, drawn at random; ten systems of much the same quality."""
    rng = np.random.default_rng(17)
    length = rng.integers(5, 50, size=items)
    found: dict[str, dict[str, Table]] = {}
    for number in range(systems):
        quality = 0.55 + 0.002 * number
        own = np.maximum(4, length + rng.integers(-3, 4, size=items))
        bleu = [np.column_stack(_bleu(rng, own, length, quality)) for _ in range(2)]
        orders = range(6)
        chrf = [
            (5 * own - n, 5 * length - n, rng.binomial(5 * np.minimum(own, length) - n - 5, quality))
            for n in orders
        ]
        ter = np.column_stack([rng.binomial(length, 1 - quality), length])
        chrf_table = np.column_stack([column for order in chrf for column in order])
        tables = zip(METRICS, (*bleu, chrf_table, ter), strict=True)
        found[f"system {number}"] = {name: table.astype(float) for name, table in tables}
    return found


def _bleu(rng: Any, own: Any, length: Any, quality: float) -> list[Any]:
    totals = [own - n for n in range(4)]
    matches = [rng.binomial(total, quality ** (n + 1)) for n, total in enumerate(totals)]
    return [*matches, *totals, own, np.minimum(own, length), length]


def _ours(systems: dict[str, dict[str, Table]], design: Design) -> dict[tuple[str, str], float]:
    statistics = {
        system: {name: fm.Statistics(METRICS[name], table) for name, table in tables.items()}
        for system, tables in systems.items()
    }
    found = compare_statistics(statistics, design)
    return {(result.system, result.metric): result.p for result in found.tests}


def _sacrebleu(systems: dict[str, dict[str, Table]], kind: str, samples: int) -> dict[tuple[str, str], float]:
    """Its paired test, its metrics given the statistics instead of finding them in texts."""
    paired = peers.package("sacrebleu.significance").PairedTest
    made = {name: _prepared(name) for name in next(iter(systems.values()))}
    named = [
        (system, _Texts(len(tables["bleu"]), {name: _theirs(name, table) for name, table in tables.items()}))
        for system, tables in systems.items()
    ]
    test = paired(named, made, None, test_type=kind, n_samples=samples, n_ar_confidence=samples)
    _, results = test()
    return {
        (system, name): result.p_value
        for name in made
        for system, result in zip(results["System"][1:], results[name][1:], strict=True)
    }


class _Texts(list[str]):
    """Stands for a system's texts, and carries its statistics."""

    def __init__(self, items: int, tables: dict[str, list[list[float]]]) -> None:
        super().__init__([""] * items)
        self.tables = tables


def _prepared(name: str) -> Any:
    metrics = peers.package("sacrebleu.metrics")
    kind = {"chrf": metrics.CHRF, "ter": metrics.TER}.get(name, metrics.BLEU)

    class Prepared(kind):  # type: ignore[misc, valid-type]
        def _extract_corpus_statistics(self, texts: _Texts, references: None) -> list[list[float]]:
            return texts.tables[name]

        def _compute_score_from_stats(self, stats: Any) -> Any:
            score = super()._compute_score_from_stats(stats)
            score.name = name  # so that two BLEUs are not one
            return score

    prepared = Prepared()
    prepared.__dict__["num_refs"] = 1  # what it would have seen in the references
    return prepared


def _theirs(name: str, table: Table) -> list[list[float]]:
    """Rows in sacrebleu's order: for BLEU lengths, matches, totals."""
    order = [8, 10, *range(8)] if name.startswith("bleu") else list(range(table.shape[1]))
    return table[:, order].tolist()  # type: ignore[no-any-return]


def _agree(ours: dict[tuple[str, str], float], theirs: dict[tuple[str, str], float], samples: int) -> None:
    """The same p values, within five standard errors of their difference."""
    agree("number of tests", len(ours), len(theirs), "sacrebleu")
    for key, p in ours.items():
        error = 5 * math.sqrt(2 * max(p * (1 - p), 1 / samples) / samples)
        if abs(theirs[key] - p) > error:
            raise DisagreementError(f"{key}: fstmetrics says p = {p}, sacrebleu {theirs[key]}")
