"""Records that the engine writes from columns: `NativeRecords`, for items that have a best path and nothing else.

What depends on the totals of an item alone, its numbers, is written in Python once for all items with the same; the
engine puts ids, words and operations between. So the records are what `Result.as_dict` has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from fstmetrics._native import TextColumn
from fstmetrics.runs.sums import Terms
from fstmetrics.scoring.batch import Batch, BatchTally
from fstmetrics.scoring.results import Result
from fstmetrics.support.json_text import written_json
from fstmetrics.values.normalisation import Unit

# Where the words stand in a record without any.
WORDS = '"hypothesis": [], "closest": []'
NO_ID = '{"id": null'


class NativeRecords:
    """Records of batches, and what the journal of a run says of their items.

    Args:
        unit: what was compared.
        signature: of the score of an item.
        alignment: whether records have the operations.
        terms: what an item adds to the sums; it follows from the totals.
    """

    def __init__(self, unit: Unit, signature: str, alignment: bool, terms: Callable[[Result], Terms]) -> None:
        self._unit, self._alignment, self._terms = unit, alignment, terms
        self._tail = b", " + _json({"signature": signature})[1:] + b"\n"
        self._tally: BatchTally | None = None
        self._heads: list[bytes] = []
        self._middles: list[bytes] = []
        self._rests: list[bytes] = []

    def written(self, batch: Batch, ids: Sequence[str | None] | None) -> tuple[bytes, bytes]:
        """The records of a batch, and its items as arrays of JSON for the journal.

        Args:
            batch: of one path an item, of a metric that does not reorder.
            ids: of the items; those of some, or of none.
        """
        if self._tally is None:
            self._tally = BatchTally(batch)
        kinds = self._tally.add(batch)
        for totals in self._tally.since(len(self._heads)):
            self._add(Result(batch.metric, totals, unit=self._unit))
        names = ids if isinstance(ids, TextColumn) or ids is None else _column(ids)
        records = batch.found.records(names, kinds, self._heads, self._middles, self._tail, self._alignment)
        if names is not None:
            return records, names.entries(kinds, self._rests)
        return records, b", ".join(b"[null" + self._rests[kind] + b"]" for kind in kinds.tolist())

    def _add(self, result: Result) -> None:
        head, found, middle = written_json(result.as_dict(False)).partition(WORDS)
        assert found, head
        self._heads.append(head.removeprefix(NO_ID).encode())
        self._middles.append(middle.removesuffix("}").encode())
        self._rests.append(b", " + json.dumps([self._terms(result), None, {}])[1:-1].encode())


def _column(ids: Sequence[str | None]) -> TextColumn | None:
    """A column of ids that all items have; None where none has one."""
    return TextColumn([id for id in ids if id is not None]) if ids[0] is not None else None


def _json(value: Any) -> bytes:
    return written_json(value).encode()
