"""Items under a metric of strings (BLEU and the like): `TextScoring` finds the statistics of some, `ScoredTexts` has
those of a run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.fields import TOGETHER, Fields
from fstmetrics.engine.item_tables import TableWriter
from fstmetrics.engine.reference_digests import digests_of
from fstmetrics.engine.results import References, Result
from fstmetrics.engine.search import SearchOptions, search
from fstmetrics.engine.sides import TEXTS, Alternatives
from fstmetrics.engine.statistics import (
    Statistics,
    ends_tokenized,
    is_as_given,
    text_rows,
    tokenized_remark,
    whole_score,
)
from fstmetrics.engine.unlike_sides import empty_remark, unlike_remarks, unspaced_sides
from fstmetrics.metrics import TextMetric
from fstmetrics.metrics.wer import WER
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run import Task
from fstmetrics.scoring.score import statistics_record
from fstmetrics.scoring.sums import Series, Sums, Term, Terms
from fstmetrics.scoring.work import Scoring, Work, Worked
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation, Unit

if TYPE_CHECKING:
    from fstmetrics.scoring.shards import MergedShards


class ScoredText(NamedTuple):
    """An item: its statistics, its score where the metric has any (else nan), the digest of its references
    (`digests_of`), and its word edits if asked for."""

    statistics: list[float]
    score: float
    digest: int
    edits: Result | None = None


STATISTICS = Series("statistics")


@dataclass
class TextScoring(Scoring[ScoredText]):
    """Statistics of pairs of strings, with word edits where they are asked for.

    Attributes:
        metric: what is computed.
        normalisation: what is done to words.
        unit: what is compared.
        search: how to search for word edits; None where they are not asked for.
        signature: all that the score of an item depends on.
    """

    metric: TextMetric
    normalisation: Normalisation
    unit: Unit
    search: SearchOptions | None = None
    signature: str = ""

    def results(self, pairs: PairBlock) -> Sequence[ScoredText]:
        """A row and a score each."""
        texts = list(pairs.hypotheses), list(pairs.reference)
        table = text_rows(self.metric, *texts, self.normalisation, ids=pairs.ids)
        edits: Sequence[Result | None] = [None] * len(pairs)
        if self.search:  # the same words
            sides = pairs.ids, pairs.hypotheses, pairs.reference
            edits = search(*sides, WER(), 1, self.normalisation, self.search)
        scores = (
            self.metric.scores_of_items(table).tolist() if self.metric.columns else [math.nan] * len(pairs)
        )
        digests = digests_of(pairs.reference, TEXTS, self.normalisation).tolist()
        return list(map(ScoredText, table.tolist(), scores, digests, edits))

    def signed(self, result: ScoredText, pair: Pair) -> dict[str, Any]:
        """With the statistics that add up."""
        own = statistics_record(self.metric, pair.id, result.score, result.statistics, self.unit)
        found = own if result.edits is None else {**result.edits.as_dict(True), **own}
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        return found | fields | {"reference_digest": result.digest, "signature": self.signature}

    def item_terms(self, result: ScoredText, pair: Pair) -> Terms:
        """The statistics by name."""
        return [Term(STATISTICS, numbers=dict(zip(self.metric.columns, result.statistics, strict=True)))]


class ScoredTexts(Task[ScoredText]):
    """Statistics of pairs of strings. NIST has none, and is of all texts at once, which are kept for it.

    Every item's statistics are kept: the mean is of the items' scores.
    """

    def __init__(self, request: Request, metric: TextMetric, inputs: Inputs) -> None:
        self.sums = Sums()
        self.request = request
        self.metric = metric
        self._inputs = inputs
        self.normalisation = metric.normalisation(request.normalisation)
        searched = request.search if request.alignment else None
        self.scoring = TextScoring(metric, self.normalisation, request.unit, searched)
        self._rows = TableWriter(len(metric.columns))
        self._last: list[list[float]] = []  # those that are not in the table yet
        self._ids: list[str | None] = []
        self._fields: list[Fields] = []  # of tables by field
        self._tokenized_ends = 0
        self._as_given = True
        self._silent = 0  # hypotheses without words beside references with some
        self.texts, self.numbers = [], []
        self._uncounted: Counter[str] = Counter()  # marks that count for nothing
        self._digests: list[int] = []
        self._pairs: list[Pair] = []  # of a metric that is of all texts at once

    def work(self, elsewhere: bool) -> Work[ScoredText]:
        """Of statistics, item by item."""
        if elsewhere:
            raise FstmetricsError("--on is for metrics of best paths (wer, hyter) and for mbr; leave it out")
        return Work(self.scoring, self.request.keep_going, self.request.output is not None, by_item=True)

    def take(self, some: Worked[ScoredText]) -> None:
        """Add them, and see how they look."""
        self._look_at([pair for place, pair in enumerate(some.pairs) if place not in some.faults])
        super().take(some)

    def add(self, pair: Pair, terms: Terms) -> None:
        """Keep the statistics."""
        super().add(pair, ())
        (term,) = terms
        numbers = term.numbers or {}
        self._ids.append(pair.id)
        if self.request.by:
            self._fields.append(pair.fields)
        self._last.append([numbers[name] for name in self.metric.columns])
        if len(self._last) == TOGETHER:
            self._keep_last()

    def _keep_last(self) -> None:
        width = len(self.metric.columns)
        self._rows.add(np.array(self._last, dtype=np.float64).reshape(len(self._last), width))
        self._last.clear()

    def passed(self, pair: Pair) -> None:
        """Its words count, and how it looks."""
        loaded = pair.loaded()
        self._look_at([loaded])
        self.shown(None, loaded)

    def shown(self, result: ScoredText | None, pair: Pair) -> None:
        """Nothing is printed of an item; its words count."""
        if result is not None:
            self._digests.append(result.digest)
        if not self.metric.columns:
            self._pairs.append(pair.loaded())
        self.keep_texts(len(self.sums) - 1, pair.hypothesis, pair.reference)

    def _look_at(self, pairs: Sequence[Pair]) -> None:
        """Whether texts look tokenized, and whether they are as sacrebleu would get them."""
        for pair in pairs:
            several = (r.items if isinstance(r, Alternatives) else (r,) for r in pair.references)
            texts = (pair.hypothesis, *chain.from_iterable(several))
            self._as_given = self._as_given and all(map(is_as_given, texts))
            if isinstance(texts[0], str) and not texts[0].strip():
                self._silent += any(not isinstance(text, str) or bool(text.strip()) for text in texts[1:])
            if marks := self.metric.only_marks:
                from fstmetrics.metrics.orthography import uncounted  # the metric's own file

                for text in texts:
                    self._uncounted.update(uncounted(text, marks) if isinstance(text, str) else ())
            self._tokenized_ends += ends_tokenized(pair.hypothesis) and any(
                map(ends_tokenized, pair.references)
            )

    def state(self) -> dict[str, Any]:
        """How texts look; their statistics are with the items."""
        looks = {
            "tokenized_ends": self._tokenized_ends,
            "as_given": self._is_as_given(),
            "silent": self._silent,
        }
        return looks | {"uncounted": self._uncounted.most_common(), "texts": self.texts_as_json()}

    def _is_as_given(self) -> bool:
        """Whether sacrebleu gets the same texts."""
        return self._as_given and not self._inputs.has_mark

    def restore(self, merged: MergedShards) -> None:
        """All of it."""
        super().restore(merged)
        self._tokenized_ends = sum(file.state["tokenized_ends"] for file in merged.files)
        self._as_given = all(file.state["as_given"] for file in merged.files)
        for file in merged.files:
            self._uncounted.update(dict(file.state["uncounted"]))
            self._silent += file.state.get("silent", 0)
        self.restore_texts(merged)

    def remarks(self, are_paired: bool) -> list[str]:
        """What is said of marks that do not count, of words that no spaces part, of empty hypotheses, and of sides
        that are unlike, unless items are not paired with their own."""
        found = unspaced_sides(self.texts, self.normalisation, self.metric.ways_to_cut)
        if self._uncounted:
            from fstmetrics.metrics.orthography import uncounted_remark

            found = [uncounted_remark(self._uncounted, self.metric.only_marks)]
        if are_paired:
            found += unlike_remarks(self.texts, len(self.sums), self.metric, self.normalisation)
        return [*found, *filter(None, [empty_remark(self._silent, len(self.sums))])]

    def statistics(self) -> Statistics:
        """Those of all items."""
        whole = None
        if not self.metric.columns:
            hypotheses, references = zip(*((p.hypothesis, p.reference) for p in self._pairs), strict=True)
            whole = whole_score(self.metric, hypotheses, references, self.normalisation)
        self._keep_last()
        are_known = len(self._digests) == len(self.sums)  # not of items that were scored before
        return Statistics(
            self.metric,
            self._rows.table(),
            tuple(self._ids) if any(self._ids) else None,
            self.normalisation,
            whole,
            tokenized_remark(str(self.normalisation.tokenize), self._tokenized_ends, len(self.sums)),
            fields=self._fields if self.request.by else None,
            as_given=self._is_as_given(),
            references=References(self.normalisation, (np.array(self._digests),)) if are_known else None,
        )
