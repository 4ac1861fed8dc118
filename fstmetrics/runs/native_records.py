"""Records that the engine writes from columns: `NativeRecords`, for best paths, alone or beside 1-bests.

What depends on the totals of a path alone, its numbers, is written in Python once for all paths with the same; the
engine puts ids, words, operations and further columns between. So the records are what `Result.as_dict` has, and the
journal's entries what `terms` say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import KindTexts, RecordRows, TextColumn
from fstmetrics.runs.oracle_sums import BEST, ONE_BEST
from fstmetrics.runs.sums import Series
from fstmetrics.scoring.batch import Batch, BatchTally
from fstmetrics.scoring.oracle_results import OracleBatch, Weights
from fstmetrics.scoring.results import Result
from fstmetrics.support.json_text import written_json
from fstmetrics.values.normalisation import Unit

if TYPE_CHECKING:
    from fstmetrics.scoring.results import Integers


class NativeRecords:
    """Records of batches, and what the journal of a run says of their items.

    Args:
        unit: what was compared.
        signature: of the score of an item.
        alignment: whether records have the operations; not beside 1-bests.
    """

    def __init__(self, unit: Unit, signature: str, alignment: bool) -> None:
        self._alignment = alignment
        self._tail = b", " + _json({"signature": signature})[1:] + b"\n"
        self._best = _Kinds(unit, BEST)
        self._one_best = _Kinds(unit, ONE_BEST)
        self._weights: dict[Weights, int] = {}
        self._weight_texts = KindTexts()

    def written(self, results: Batch | OracleBatch, ids: Sequence[str | None] | None) -> tuple[bytes, bytes]:
        """The records of a batch, and its items as arrays of JSON for the journal.

        Args:
            results: of one path an item, of a metric that does not reorder.
            ids: of the items; those of all, or of none.
        """
        best = results if isinstance(results, Batch) else results.best
        names = ids if isinstance(ids, TextColumn) or ids is None else _column(ids)
        kinds = self._best.of(best)
        records, entries = RecordRows(len(results)), RecordRows(len(results))
        _add_id(records, b'{"id": ', names, ascii=False)
        records.kinds(kinds, self._best.heads)
        records.text(b'"hypothesis": ')
        records.words(best.found, "hypothesis")
        records.text(b', "closest": ')
        records.words(best.found, "closest")
        records.kinds(kinds, self._best.middles)
        if self._alignment:
            records.text(b', "alignment": ')
            records.alignments(best.found)
        _add_id(entries, b"[", names, ascii=True)
        entries.text(b", [")
        entries.kinds(kinds, self._best.terms)
        if isinstance(results, OracleBatch):
            self._add_one_best(records, entries, results)
        else:
            entries.text(b", null]")
        records.text(self._tail)
        entries.text(b"], null, {}]")
        return records.written(), entries.written(b", ")

    def _add_one_best(self, records: RecordRows, entries: RecordRows, results: OracleBatch) -> None:
        """What stands beside the best paths, behind them."""
        arcs = np.array(results.arcs, dtype=np.int64)
        words = results.best.found.all_counts()[:, [1, 2, 4]].sum(axis=1)  # matches, substitutions, deletions
        with np.errstate(divide="ignore"):
            density = arcs / words
        kinds = self._one_best.of(results.one_best)
        records.text(b', "arcs": ')
        records.integers(arcs)
        records.text(b', "density": ')
        records.numbers(density)
        records.text(b', "one_best": ')
        records.kinds(kinds, self._one_best.briefs)
        records.words(results.one_best.found, "hypothesis")
        records.text(b"}")
        entries.text(b', {"arcs": ')
        entries.integers(arcs)
        entries.text(b"}], ")
        entries.kinds(kinds, self._one_best.terms)
        entries.text(b", ")
        entries.kinds(self._kinds_of_weights(results.weights), self._weight_texts)
        entries.text(b"]")

    def _kinds_of_weights(self, weights: Sequence[Weights]) -> Integers:
        for each in dict.fromkeys(weights):
            if each not in self._weights:
                self._weights[each] = len(self._weights)
                self._weight_texts.append(json.dumps(each._asdict()).encode())
        return np.array([self._weights[each] for each in weights], dtype=np.int64)


class _Kinds:
    """What is said of paths with the same totals. There are nearly as many as items where words are many.

    Attributes:
        heads, middles: of best paths, what a record has before the words, and behind them.
        briefs: of others, what stands before the words of a path in brief.
        terms: what the journal says, but for further numbers.
    """

    def __init__(self, unit: Unit, series: Series) -> None:
        self._unit, self._series = unit, json.dumps(series)
        self._is_best = series == BEST
        self._tally: BatchTally | None = None
        self.heads, self.middles, self.briefs, self.terms = (KindTexts() for _ in range(4))

    def of(self, batch: Batch) -> Integers:
        """The kind of each path."""
        if self._tally is None:
            self._tally = BatchTally(batch)
        kinds = self._tally.add(batch)
        for totals in self._tally.since(len(self.terms)):
            self._add(Result(batch.metric, totals, unit=self._unit))
        return kinds

    def _add(self, result: Result) -> None:
        # As `Result.as_dict` has them: gains stand behind the words, but in brief.
        *numbers, gain, max_gain = (f'"{name}": {_number(value)}' for name, value in result.numbers().items())
        if self._is_best:
            self.heads.append(f', "metric": {written_json(result.name)}, {", ".join(numbers)}, '.encode())
            self.middles.append(f", {gain}, {max_gain}".encode())
        else:
            self.briefs.append(f'{{{", ".join([*numbers, gain, max_gain])}, "hypothesis": '.encode())
        self.terms.append(f"[{self._series}, {json.dumps(result.totals)}".encode())


def _number(value: float | None) -> str:
    return "null" if value is None else repr(value)


def _add_id(rows: RecordRows, before: bytes, ids: TextColumn | None, ascii: bool) -> None:
    rows.text(before)
    if ids is None:
        rows.text(b"null")
    else:
        rows.ids(ids, ascii)


def _column(ids: Sequence[str | None]) -> TextColumn | None:
    """A column of ids that all items have; None where none has one."""
    return TextColumn([id for id in ids if id is not None]) if ids[0] is not None else None


def _json(value: Any) -> bytes:
    return written_json(value).encode()
