"""Results of scoring as a table of records, without a file between: `table_of_results`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.read_records import Record
from fstmetrics.analysis.record_table import RecordTable, Vocabulary, empty_table, slim, table_of
from fstmetrics.io.record_batches import field_columns
from fstmetrics.io.record_schema import COUNTS, Aligned
from fstmetrics.metrics.base import Op
from fstmetrics.metrics.tercom import ShiftedAlignment
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.engine.results import CorpusResult

NO_MORE: Mapping[str, Any] = {}


def table_of_results(
    corpus: CorpusResult,
    words: Vocabulary | None = None,
    ids: Sequence[str] | None = None,
    more: Iterable[Mapping[str, Any]] | None = None,
    signature: str = "",
) -> RecordTable:
    """The table of some results with their alignments.

    Args:
        corpus: the results.
        words: a vocabulary to share with other tables.
        ids: of the items; None: their numbers, from 0.
        more: what records of the items have beside their results, as `fields` and `cards`.
        signature: of the scores.

    Raises:
        FstmetricsError: a result without its alignment.
    """
    words = Vocabulary() if words is None else words
    for side in ("hypothesis", "closest"):  # the words of hypotheses are numbered first
        for result in corpus:
            words.numbers(getattr(result, side))
    others = iter(more or repeat(NO_MORE))
    lines = []
    for number, result in enumerate(corpus):
        if not result.alignment and result.edits + result.matches:
            raise FstmetricsError(f"item {number} (from 0) has no alignment; score with alignments")
        own = {"id": ids[number] if ids else str(number), "signature": signature}
        record = written_json({**result.as_dict(), **own, **next(others)})
        lines.append(record.encode("utf-8", "backslashreplace"))  # half a surrogate as JSON writes it
    if not lines:
        return empty_table(words)
    return table_of(Source("results", b"\n".join(lines)), words)


def table_of_shifts(
    found: Sequence[ShiftedAlignment],
    words: Vocabulary | None = None,
    ids: Sequence[str] | None = None,
    more: Iterable[Mapping[str, Any]] | None = None,
    signature: str = "",
) -> RecordTable:
    """The table of TER's alignments, with the blocks that it moves; arguments as of `table_of_results`.

    >>> import fstmetrics as fm
    >>> found = fm.TER().alignments(["to the mat he went".split()], [["he went to the mat".split()]])
    >>> table = table_of_shifts(found)
    >>> table.counts["moves"].tolist(), table.counts["edits"].tolist(), table.letters.tobytes()
    ([1], [0], b'=====')
    """
    words = Vocabulary() if words is None else words
    names = ids or list(map(str, range(len(found))))
    records = list(map(_shifted, names, found, more or repeat(NO_MORE)))
    letters = [record.aligned.operations for record in records]
    sides = [r.aligned.hypothesis for r in records], [r.aligned.reference for r in records]
    hypothesis, reference = (words.numbers(list(chain.from_iterable(side))) for side in sides)
    score, gain, max_gain = np.full((3, len(records)), np.nan)
    return RecordTable(
        ids=names,
        metric="ter",
        signature=signature,
        counts={name: np.array([r.fields[name] for r in records], dtype=np.int64) for name in COUNTS},
        score=score,
        gain=gain,
        max_gain=max_gain,
        starts=np.cumsum([0, *map(len, letters)], dtype=np.int64),
        letters=np.frombuffer("".join(letters).encode(), np.uint8),
        hypothesis=hypothesis,
        reference=reference,
        words=words,
        special=dict(enumerate(map(slim, records))),
        fields=field_columns([record.fields.get("fields", NO_MORE) for record in records]),
    )


def _shifted(id: str, item: ShiftedAlignment, more: Mapping[str, Any]) -> Record:
    """The record of TER's alignment of an item."""
    moved, reference = iter(zip(item.order, item.moved, strict=True)), iter(item.reference)
    first = _first_words(item)
    pairs, at = [], []
    for op in item.ops:
        place, word = (None, None) if op is Op.DELETION else next(moved)
        pairs.append((op.letter, word, None if op is Op.INSERTION else next(reference)))
        at.append((place, place in first))
    letters = "".join(letter for letter, _, _ in pairs)
    counts = {name: letters.count(letter) for letter, name in _COUNTED.items()}
    fields = {
        "id": None, "metric": "ter", "score": None, "edits": len(letters) - counts["matches"], **counts,
        "moves": len(item.shifts), "path_length": len(item.reference), "gain": None, "max_gain": None,
        "hypothesis": list(item.moved), "closest": list(item.reference), "order": list(item.order), **more,
    }  # fmt: skip
    sides = [tuple(side) for side in zip(*pairs, strict=True)][1:] if pairs else [(), ()]
    positions, paid = zip(*at, strict=True) if at and item.shifts else ((), ())
    return Record(id, fields, Aligned(letters, sides[0], sides[1], positions, paid))


_COUNTED = {"=": "matches", "S": "substitutions", "I": "insertions", "D": "deletions"}


def _first_words(item: ShiftedAlignment) -> set[int]:
    """Where the first words of moved blocks stood in the hypothesis as it was given."""
    order, found = list(range(len(item.hypothesis))), set()
    for start, length, to in item.shifts:
        block = order[start : start + length]
        found.add(block[0])
        rest = order[:start] + order[start + length :]
        order = rest[:to] + block + rest[to:]
    return found
