"""Results of scoring as a table of records, without a file between: `table_of_results`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

from fstmetrics.analysis.read_records import Record
from fstmetrics.analysis.record_table import RecordTable, Vocabulary
from fstmetrics.metrics.base import Op
from fstmetrics.metrics.tercom import ShiftedAlignment
from fstmetrics.readers.record_schema import Aligned, aligned_of
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.scoring.results import CorpusResult

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
    table = RecordTable.of(_records(corpus, ids, more), words)
    return replace(table, signature=signature) if signature else table


def _records(
    corpus: CorpusResult, ids: Sequence[str] | None, more: Iterable[Mapping[str, Any]] | None
) -> Iterator[Record]:
    others = iter(more or repeat(NO_MORE))
    for number, result in enumerate(corpus):
        if not result.alignment and result.edits + result.matches:
            raise FstmetricsError(f"item {number} (from 0) has no alignment; score with alignments")
        fields = {**result.as_dict(), **next(others)}
        yield Record(ids[number] if ids else str(number), fields, aligned_of(fields))


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
    records = []
    others = iter(more or repeat(NO_MORE))
    for number, item in enumerate(found):
        moved, reference, at, pairs = (
            iter(zip(item.order, item.moved, strict=True)),
            iter(item.reference),
            [],
            [],
        )
        first = _first_words(item)
        for op in item.ops:
            place, word = (None, None) if op is Op.DELETION else next(moved)
            pairs.append((op.letter, word, None if op is Op.INSERTION else next(reference)))
            at.append((place, place in first))
        letters = "".join(letter for letter, _, _ in pairs)
        counts = {name: letters.count(letter) for letter, name in _COUNTED.items()}
        fields = {
            "id": None, "metric": "ter", "score": None, "edits": len(letters) - counts["matches"], **counts,
            "moves": len(item.shifts), "path_length": len(item.reference), "gain": None, "max_gain": None,
            "hypothesis": list(item.moved), "closest": list(item.reference), "order": list(item.order),
            **next(others),
        }  # fmt: skip
        sides = [tuple(side) for side in zip(*pairs, strict=True)][1:] if pairs else [(), ()]
        positions, paid = zip(*at, strict=True) if at and item.shifts else ((), ())
        aligned = Aligned(letters, sides[0], sides[1], positions, paid)
        records.append(Record(ids[number] if ids else str(number), fields, aligned))
    table = RecordTable.of(records, words)
    return replace(table, signature=signature) if signature else table


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
