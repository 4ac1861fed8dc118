"""Runs of metrics of strings: `run_texts`, which writes records and prints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.run import (
    Work,
    conditions,
    of_item,
    of_items,
    print_json,
    run_settings,
    scored,
    shown_settings,
    status,
)
from fstmetrics.cli.terminal import show
from fstmetrics.metrics import TextMetric
from fstmetrics.metrics.nist_meteor import NIST
from fstmetrics.reports.json_records import LeftOut, signature_of, statistics_record, statistics_summary
from fstmetrics.reports.summary import statistics_lines
from fstmetrics.runs.pairing import Pair
from fstmetrics.runs.tallies import Row, RowTally
from fstmetrics.scoring.statistics import Statistics, as_wanted, text_rows, tokenized_remark, whole_score
from fstmetrics.support.errors import FstmetricsError


class Scored(NamedTuple):
    """An item: its statistics, and its score where the metric has any (else nan)."""

    row: Row
    score: float


class Texts(Work[Scored, Row]):
    """Statistics of pairs of strings. NIST has none, and is of all texts at once, which are kept for it."""

    tally: RowTally

    def __init__(self, request: Request, metric: TextMetric) -> None:
        self.request = request
        self.metric = metric
        self.normalisation = as_wanted(metric, request.normalisation)
        self.tally = RowTally()
        self._tokenized_ends = 0
        self._texts: list[Pair] = []

    def results(self, pairs: Sequence[Pair]) -> Sequence[Scored]:
        """A row and a score each."""
        hypotheses, references = [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]
        try:
            table = text_rows(self.metric, hypotheses, references, self.normalisation)
        except FstmetricsError as error:
            raise of_item(pairs, error) from None
        self._tokenized_ends += sum(isinstance(text, str) and text.endswith(" .") for text in hypotheses)
        scores = (
            self.metric.scores_of_items(table).tolist() if self.metric.columns else [math.nan] * len(pairs)
        )
        rows = (Row(pair.id, tuple(values)) for pair, values in zip(pairs, table.tolist(), strict=True))
        return list(map(Scored, rows, scores))

    def record(self, result: Scored, pair: Pair) -> dict[str, Any]:
        """With the statistics that add up."""
        return statistics_record(self.metric, pair.id, result.score, result.row.values, self.request.unit)

    def counts(self, result: Scored, pair: Pair) -> Row:
        """The row."""
        return result.row

    def restored(self, value: list[Any]) -> Row:
        """A row of as many columns as the metric has."""
        row = Row.from_json(value)
        if len(row.values) != len(self.metric.columns):
            raise ValueError("a row of another metric")
        return row

    def passed(self, pair: Pair) -> None:
        """Its words count."""
        if isinstance(self.metric, NIST):
            self._texts.append(pair.loaded())

    def shown(self, result: Scored, pair: Pair) -> None:
        """Nothing is printed of an item; its words count."""
        self.passed(pair)

    def remarks(self) -> list[str]:
        """What is said of texts that look tokenized, where nobody asked for a tokenizer."""
        own = str(self.normalisation.tokenize)
        if self.request.tokenize is not None or own == "none":
            return []
        said = tokenized_remark(own, self._tokenized_ends, len(self.tally))
        return [said] if said else []

    def statistics(self) -> Statistics:
        """Those of all items."""
        whole = None
        if isinstance(self.metric, NIST):
            hypotheses, references = zip(*((p.hypothesis, p.reference) for p in self._texts), strict=True)
            whole = whole_score(self.metric, hypotheses, references, self.normalisation)
        return Statistics(self.metric, self.tally.table, self.tally.ids, self.normalisation, whole)


def run_texts(request: Request, metric: TextMetric, inputs: Inputs) -> int:
    """Write records and print the summary of a metric of strings.

    Returns:
        The exit status: 1 if items were left out because something is wrong with them.
    """
    work = Texts(request, metric)
    settings = {"missing": request.missing, **shown_settings(request, metric, inputs)}
    settings |= work.normalisation.settings()
    parts = conditions(request, inputs, {})
    work.signature = signature_of(metric, work.normalisation, of_items(parts))
    faults = scored(request, inputs, work, run_settings(request, inputs, metric, settings))
    statistics = replace(work.statistics(), conditions=parts)
    left_out = LeftOut(inputs.skipped, faults)
    if request.as_json:
        print_json({**statistics_summary(statistics, left_out, settings), "remarks": list(inputs.remarks)})
    elif request.output != "-":
        show(*statistics_lines(statistics, left_out, (*work.remarks(), *inputs.remarks)))
    return status(request, inputs, faults)
