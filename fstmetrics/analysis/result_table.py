"""Results of scoring as a table of records, without a file between: `table_of_results`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.read_records import Record
from fstmetrics.analysis.record_table import RecordTable, Vocabulary, empty_table, joined, narrow, slim
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.results import ResultRows
from fstmetrics.io.formats.records import MEASURES, Aligned, aligned_of, field_columns
from fstmetrics.metrics.path_metric import COUNTS, Op
from fstmetrics.metrics.ter import ShiftedAlignment
from fstmetrics.support.equal_rows import Numerals
from fstmetrics.support.json_text import json_parser, written_json

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.results import CorpusResult

    Floats = npt.NDArray[np.float64]

NO_MORE: Mapping[str, Any] = {}
# What tables have of every record in columns.
PLAIN = {*COUNTS, *MEASURES, "id", "metric", "signature", "fields", "hypothesis", "closest", "alignment"}


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
    if not len(corpus):
        return empty_table(words)
    return replace(table_of_parts([(corpus, more)], words, ids), signature=signature)


def table_of_parts(
    parts: Iterable[tuple[CorpusResult, Iterable[Mapping[str, Any]] | None]],
    words: Vocabulary,
    ids: Sequence[str] | None = None,
) -> RecordTable:
    """The same of results that come in parts, each with what records of its items have beside it, and are not kept."""
    # Words that are in closest paths only get their numbers behind those of hypotheses.
    of_closest = Vocabulary()

    def tables() -> Iterator[RecordTable]:
        begin = 0
        for corpus, more in parts:
            end = begin + len(corpus)
            own = Numerals(range(begin, end)) if ids is None else ids[begin:end]
            yield _table(corpus, words, of_closest, own, more)
            begin = end

    found = joined(tables(), words, ids)
    numbers = narrow(words.numbers(of_closest), len(words))
    return replace(found, closest=np.concatenate([numbers[part.closest] for part in found.parts()]))


def _table(
    corpus: CorpusResult,
    words: Vocabulary,
    of_closest: Vocabulary,
    ids: Sequence[str],
    more: Iterable[Mapping[str, Any]] | None,
) -> RecordTable:
    """The table of one part; the words of closest paths are those of `of_closest`."""
    spoken, closest = (
        narrow(each.numbers(chain.from_iterable(words_of(corpus, side))), len(each))
        for side, each in (("hypothesis", words), ("closest", of_closest))
    )
    # Without the places of words, which are kept beside them.
    starts, letters = map(np.array, islice(corpus.alignment_columns().values(), 2))
    columns = corpus.columns()
    counts = {name: columns[name].astype(np.int32) for name in COUNTS}
    gain, max_gain = _gains(corpus)
    fields, special = _further(corpus, ids, more)
    return RecordTable(
        ids=ids,
        metric=corpus.name,
        signature="",
        counts=counts,
        score=np.where(np.isfinite(columns["score"]), columns["score"], np.nan),
        gain=gain,
        max_gain=max_gain,
        reference_digest=_digests(corpus),
        starts=starts,
        letters=letters,
        closest=closest,
        others=spoken[letters[letters != ord("D")] != ord("=")],
        words=words,
        special=special,
        fields=fields,
    )


def words_of(corpus: CorpusResult, side: str) -> Iterable[Sequence[str]]:
    """Of each item, the words chosen on a side, `hypothesis` or `closest`."""
    items = corpus.items
    return items.words(side) if isinstance(items, ResultRows) else (getattr(item, side) for item in items)


def _gains(corpus: CorpusResult) -> tuple[Floats, Floats]:
    """What records of recognition rates have beside the score; nan for others."""
    metric = corpus.metric
    if metric.gain(corpus.totals) is None:
        return np.full(len(corpus), np.nan), np.full(len(corpus), np.nan)
    gains = corpus.each(lambda totals: float(metric.gain(totals) or 0))
    return np.array(gains), np.array(corpus.each(lambda totals: float(totals.denominator)))


def _digests(corpus: CorpusResult) -> Floats:
    """Of the references of each item; negative or nan where nothing is known."""
    known = corpus.references
    return np.full(len(corpus), np.nan) if known is None else known.digests.astype(np.float64)


def _further(
    corpus: CorpusResult, ids: Sequence[str], more: Iterable[Mapping[str, Any]] | None
) -> tuple[Mapping[str, Sequence[Any]], dict[int, Record]]:
    """The fields of all items, and the records of those that have more than counts, words and alignment."""
    items, parsed = corpus.items, json_parser()
    are_plain = isinstance(items, Batch) and not items.widened and items.nbest == corpus.metric.window == 1
    fields, special = [], {}
    told = zip(corpus.fields, more or repeat(NO_MORE, len(corpus)), strict=True)
    for number, (own, others) in enumerate(told):
        own = others.get("fields", own)
        fields.append(parsed(written_json(own)) if own else NO_MORE)
        if are_plain and others.keys() <= {"fields"}:
            continue
        result = items[number]
        record = {**result.as_dict(), "id": ids[number], **others}
        if result.moves or record.keys() - PLAIN:
            record = parsed(written_json(record))
            special[number] = slim(Record(ids[number], record, aligned_of(record)))
    return field_columns(fields), special


def table_of_shifts(
    found: Sequence[ShiftedAlignment],
    words: Vocabulary | None = None,
    ids: Sequence[str] | None = None,
    more: Iterable[Mapping[str, Any]] | None = None,
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
    aligned = [record.aligned for record in records]
    hypothesis, reference = (
        words.numbers(chain.from_iterable(side))
        for side in ([each.hypothesis for each in aligned], [each.reference for each in aligned])
    )
    unknown = np.full(len(records), np.nan)
    return RecordTable(
        ids=names,
        metric="ter",
        signature="",
        counts={name: np.array([r.fields[name] for r in records], dtype=np.int32) for name in COUNTS},
        **dict.fromkeys(MEASURES, unknown),
        starts=np.cumsum([0, *map(len, letters)], dtype=np.int64),
        letters=np.frombuffer("".join(letters).encode(), np.uint8),
        closest=narrow(reference[reference >= 0], len(words)),
        others=narrow(hypothesis[(hypothesis != reference) & (hypothesis >= 0)], len(words)),
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
