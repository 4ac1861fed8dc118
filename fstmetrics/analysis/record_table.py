"""Records of a file by columns: `RecordTable`. Words are numbers in a vocabulary, which several tables may share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.read_records import Record
from fstmetrics.io.formats.records import MEASURES, Aligned, Batch, aligned_batches, rate_numerator
from fstmetrics.metrics.path_metric import COUNTS
from fstmetrics.support.source import Source, open_text

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Letters = npt.NDArray[np.uint8]
    Narrow = npt.NDArray[np.unsignedinteger[Any]]
    Mask = npt.NDArray[np.bool_]

# About so many operations make a part of a table.
TOGETHER = 1 << 16
# Columns of operations and of words.
_OF_WORDS = ("letters", "closest", "others")
# What tables have of every record, and what no table needs.
_ELSEWHERE = frozenset(
    {"hypothesis", "closest", "alignment", "after", "beams", "hope", "fear", "depth", "fields"}
)


class Vocabulary:
    """Words and their numbers, from 0 in the order in which they come; -1 is no word.

    >>> words = Vocabulary()
    >>> words.numbers(["a", "b", None, "a"]).tolist(), list(words)
    ([0, 1, -1, 0], ['a', 'b'])
    """

    def __init__(self) -> None:
        self._numbers: defaultdict[str | None, int] = defaultdict(count().__next__)
        self._numbers[None] = -1

    def numbers(self, words: Iterable[str | None]) -> Numbers:
        """The numbers of some words; new words get the next ones."""
        return np.fromiter(map(self._numbers.__getitem__, words), np.int32)

    def __iter__(self) -> Iterator[str]:
        return (word for word in self._numbers if word is not None)

    def __len__(self) -> int:
        return len(self._numbers) - 1

    def ranks(self) -> Numbers:
        """Where each word is in the alphabet, from 1; that of no word, and of an empty one, is 0, at the end."""
        words = list(self)
        ranks = np.zeros(len(words) + 1, dtype=np.int32)
        ranks[sorted(range(len(words)), key=words.__getitem__)] = np.arange(1, len(words) + 1)
        if "" in self._numbers:
            ranks[self._numbers[""]] = 0
        return ranks


@dataclass(frozen=True, eq=False)
class RecordTable:
    """The records of one run.

    Attributes:
        ids: of the items.
        metric, signature: of all of them.
        counts: `edits`, `matches` and so on, by name; shape [items].
        score, gain, max_gain, reference_digest: nan where a record has none; shape [items].
        starts: where each item's operations begin, and the end of the last; shape [items + 1].
        letters: of all operations, as numbers of ASCII.
        closest: numbers of the words of all closest paths, one item after the other, in the narrowest type.
        others: likewise of the words of hypotheses that are no matches.
        words: the vocabulary.
        special: the records that have more than counts, words and alignment, by the number of the item.
        fields: what else is known of the items, as their speaker, by name; None where an item has no such field.
    """

    ids: Sequence[str]
    metric: str
    signature: str
    counts: Mapping[str, Numbers]
    score: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    max_gain: npt.NDArray[np.float64]
    reference_digest: npt.NDArray[np.float64]
    starts: Integers
    letters: Letters
    closest: Narrow
    others: Narrow
    words: Vocabulary
    special: Mapping[int, Record]
    fields: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(self.ids)

    def chosen(self, items: Integers) -> RecordTable:
        """Some of the items, in an order.

        Args:
            items: their numbers, each at most once.
        """
        numbers = items.tolist()
        starts, letters = _chosen(self.letters, self.starts, items)
        return replace(
            self,
            ids=[self.ids[i] for i in numbers],
            counts={name: column[items] for name, column in self.counts.items()},
            **{name: getattr(self, name)[items] for name in MEASURES},
            starts=starts,
            letters=letters,
            closest=_chosen(self.closest, self.closest_starts, items)[1],
            others=_chosen(self.others, self.others_starts, items)[1],
            special={at: self.special[i] for at, i in enumerate(numbers) if i in self.special},
            fields={name: [column[i] for i in numbers] for name, column in self.fields.items()},
        )

    def part(self, begin: int, end: int) -> RecordTable:
        """Some items in a row as a table, which shares the columns of this one."""
        some = slice(begin, end)
        begin, end, _ = some.indices(len(self))
        starts = self.starts[begin : end + 1]
        return replace(
            self,
            ids=self.ids[some],
            counts={name: column[some] for name, column in self.counts.items()},
            **{name: getattr(self, name)[some] for name in MEASURES},
            starts=starts - starts[0],
            letters=self.letters[slice(*starts[[0, -1]].tolist())],
            closest=self.closest[slice(*self.closest_starts[[begin, end]].tolist())],
            others=self.others[slice(*self.others_starts[[begin, end]].tolist())],
            special={i - begin: self.special[i] for i in range(begin, end) if i in self.special},
            fields={name: column[some] for name, column in self.fields.items()},
        )

    def parts(self) -> Iterator[RecordTable]:
        """The same as tables of some items each, at least one."""
        return (part for (part,) in parts_of(self))

    def sides(self, item: int) -> tuple[list[str], list[str]]:
        """The words of an item's closest path, and of its hypothesis in the order in which they were given."""
        spoken = (
            self.special[item].spoken if item in self.special and self.special[item].aligned.positions else ()
        )
        part = self.part(item, item + 1)
        closest, hypothesis = (
            [self._list[n] for n in numbers.tolist() if n >= 0]
            for numbers in (part.reference, part.hypothesis)
        )
        return closest, list(spoken) or hypothesis

    def all_sides(self) -> tuple[list[list[str]], list[list[str]]]:
        """Of every item, the words of the hypothesis, in the order of the alignment, and of the closest path."""
        found = []
        for numbers in (self.hypothesis, self.reference):
            kept = np.concatenate([[0], np.cumsum(numbers >= 0)])[self.starts].tolist()
            words = list(map(self._list.__getitem__, numbers[numbers >= 0].tolist()))
            found.append([words[a:b] for a, b in pairwise(kept)])
        return found[0], found[1]

    @cached_property
    def _list(self) -> list[str]:
        return list(self.words)

    @property
    def errors(self) -> Integers:
        """Edits and moves of each item."""
        return self.counts["edits"] + self.counts["moves"]

    @property
    def numerators(self) -> Integers | Floats:
        """What the score of each item divides, under an error rate: its errors, and what its rewrites cost."""
        found = self.errors.astype(np.float64)
        for item, record in self.special.items():
            found[item] = rate_numerator(record.fields)
        return found if (found % 1).any() else found.astype(np.int64)

    @property
    def items(self) -> Numbers:
        """Of every operation, the number of its item."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def has(self, letters: str) -> Mask:
        """Of every operation, whether it is one of these."""
        return _among(self.letters, letters)

    @cached_property
    def closest_starts(self) -> Integers:
        """Where each item's words of `closest` begin, and the end of the last; shape [items + 1]."""
        return starts_of(self.counts["path_length"])

    @cached_property
    def others_starts(self) -> Integers:
        """The same of `others`."""
        return self.starts - starts_of(self.counts["matches"] + self.counts["deletions"])

    @property
    def reference(self) -> Numbers:
        """Of every operation, the number of its word of the closest path; -1: none."""
        return _placed(self.letters, "=SD", self.closest)

    @property
    def hypothesis(self) -> Numbers:
        """The same of the hypothesis."""
        found = _placed(self.letters, "SI*", self.others)
        found[self.has("=")] = self.closest[self.letters[self.has("=SD")] == ord("=")]
        return found

    @cached_property
    def kinds(self) -> tuple[Numbers, Numbers, Integers]:
        """Kinds of errors: number of the reference word, of the hypothesis word, and how often, in no order."""
        keys = np.concatenate([part._wrong() for part in self.parts()])
        found, counts = np.unique(keys, return_counts=True)
        reference, hypothesis = (found >> 32) - 1, (found & 0xFFFFFFFF) - 1
        return reference.astype(np.int32), hypothesis.astype(np.int32), counts.astype(np.int64)

    def _wrong(self) -> Integers:
        """Of every error, the numbers of its words from 1, 0 is none: that of the reference in the upper half."""
        letters = self.letters[self.has("SID")]
        reference = self.closest[self.letters[self.has("=SD")] != ord("=")]
        hypothesis = self.others[self.letters[self.has("SI*")] != ord("*")]
        upper = _placed(letters, "SD", reference).astype(np.int64) + 1 << 32
        return upper | _placed(letters, "SI", hypothesis) + 1


def parts_of(*tables: RecordTable) -> Iterator[tuple[RecordTable, ...]]:
    """Of tables of the same items in the same order, parts with the same items, at least one."""
    operations = np.sum([table.starts for table in tables], axis=0)
    places = np.searchsorted(operations, np.arange(TOGETHER, operations[-1], TOGETHER)).tolist()
    for begin, end in pairwise(dict.fromkeys([0, *places, len(tables[0])]) if len(tables[0]) else (0, 0)):
        yield tuple(table.part(begin, end) for table in tables)


def read_table(path: str | Path, words: Vocabulary | None = None) -> RecordTable:
    """The records of a JSON Lines file as a table; gzip is transparent, "-" is standard input.

    Args:
        path: the file.
        words: a vocabulary to share with other tables.

    Raises:
        InputError: as of `read_records`.
    """
    return table_of(open_text(path), words)


def table_of(source: Source, words: Vocabulary | None = None) -> RecordTable:
    """The same of a file that is open."""
    words = Vocabulary() if words is None else words
    return joined((_table(batch, words) for batch in aligned_batches(source)), words)


def empty_table(words: Vocabulary | None = None) -> RecordTable:
    """The table of no record."""
    return joined((), Vocabulary() if words is None else words)


def read_parts(path: str | Path) -> Iterator[RecordTable]:
    """The same as tables of some records each, which share their vocabulary."""
    words = Vocabulary()
    some: list[RecordTable] = []
    for batch in aligned_batches(open_text(path)):
        some.append(_table(batch, words))
        if sum(len(table.letters) for table in some) >= TOGETHER:
            yield joined(some, words)
            some = []
    if some:
        yield joined(some, words)


def joined(
    tables: Iterable[RecordTable], words: Vocabulary, known_ids: Sequence[str] | None = None
) -> RecordTable:
    """One table of the records of others, which come one after the other and are not kept.

    Args:
        tables: with this vocabulary, of one run.
        words: the vocabulary.
        known_ids: of all records, where they need not be put together.
    """
    ids: list[str] = []
    items = 0
    metric = signature = ""
    columns: defaultdict[str, _Column] = defaultdict(_Column)
    special: dict[int, Record] = {}
    fields: dict[str, list[Any]] = {}
    for table in tables:
        first, items = items, items + len(table)
        if known_ids is None:
            ids += table.ids
        metric, signature = table.metric, table.signature
        special |= {first + i: record for i, record in table.special.items()}
        for name, values in table.fields.items():
            known = fields.setdefault(name, [])
            known += [None] * (first - len(known))
            known += values
        for name, column in table.counts.items():
            columns[name].add(column)
        for name in MEASURES:
            columns[name].add(getattr(table, name))
        columns["lengths"].add(np.diff(table.starts).astype(np.int32))
        for name in ("letters", "closest", "others"):
            columns[name].add(getattr(table, name))
    types = {**dict.fromkeys(MEASURES, np.float64), **dict.fromkeys(COUNTS, np.int32), "lengths": np.int32}
    found = {name: columns[name].whole(types.get(name, np.uint8)) for name in (*types, *_OF_WORDS)}
    return RecordTable(
        ids=ids if known_ids is None else known_ids,
        metric=metric,
        signature=signature,
        counts={name: found[name] for name in COUNTS},
        starts=starts_of(found["lengths"]),
        words=words,
        special=special,
        fields={name: column + [None] * (items - len(column)) for name, column in fields.items()},
        **{name: found[name] for name in (*MEASURES, *_OF_WORDS)},
    )


def slim(record: Record) -> Record:
    """A record without what the table has and what no table adds up: large runs of oracles stay small.

    The words stay where they are in another order than they were given, and on the k best paths.
    """
    fields = {name: value for name, value in record.fields.items() if name not in _ELSEWHERE}
    if other := fields.get("one_best"):
        # Its words are shown with the places where it parts from the oracle.
        words = {"closest", "alignment"} if "parts" in other else {"hypothesis"}
        fields["one_best"] = {name: value for name, value in other.items() if name not in words}
    aligned = record.aligned
    if aligned.positions:
        fields |= {name: record.fields[name] for name in ("hypothesis", "closest")}
    else:
        aligned = Aligned(nbest=aligned.nbest)
    return Record(record.id, fields, aligned)


def _table(batch: Batch, words: Vocabulary) -> RecordTable:
    """The table of records that were read together."""
    numbers = words.numbers(batch.words)
    reference, other = batch.reference >= 0, batch.hypothesis != batch.reference
    return RecordTable(
        ids=batch.ids,
        metric=batch.metric,
        signature=batch.signature,
        counts={name: column.astype(np.int32) for name, column in batch.counts.items()},
        **batch.measures,
        starts=batch.starts,
        letters=batch.letters,
        closest=narrow(numbers[batch.reference[reference]], len(words)),
        others=narrow(numbers[batch.hypothesis[other & (batch.hypothesis >= 0)]], len(words)),
        words=words,
        special={i: slim(Record(batch.ids[i], batch.objects[i], each)) for i, each in batch.special.items()},
        fields=batch.fields,
    )


class _Column:
    """A column that grows in place, in the widest type of its parts: many small arrays would leave holes in memory."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._dtype: np.dtype[Any] | None = None

    def add(self, part: npt.NDArray[Any]) -> None:
        """Add numbers."""
        dtype = part.dtype if self._dtype is None else np.promote_types(self._dtype, part.dtype)
        if self._dtype not in (None, dtype):
            self._bytes = bytearray(self.whole(dtype).astype(dtype).data)
        self._dtype = dtype
        self._bytes += part.astype(dtype, copy=False).tobytes()

    def whole(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """All of them; `dtype` where there are none."""
        return np.frombuffer(self._bytes, dtype if self._dtype is None else self._dtype)


def narrow(numbers: npt.NDArray[Any], most: int) -> Narrow:
    """Numbers from 0 in the narrowest type that holds `most`."""
    return numbers.astype(np.min_scalar_type(most), copy=False)


def starts_of(lengths: npt.NDArray[Any]) -> Integers:
    """Where rows of these lengths begin, and the end of the last."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _among(given: Letters, letters: str) -> Mask:
    """Whether letters are some of these."""
    wanted = np.zeros(256, dtype=np.bool_)
    wanted[list(letters.encode())] = True
    found: Mask = wanted[given]
    return found


def _placed(letters: Letters, having: str, numbers: Narrow) -> Numbers:
    """Numbers of words, each at its operation; -1 at operations that have none."""
    found = np.full(len(letters), -1, dtype=np.int32)
    found[_among(letters, having)] = numbers
    return found


def _chosen(column: npt.NDArray[Any], starts: Integers, items: Integers) -> tuple[Integers, npt.NDArray[Any]]:
    """The rows of some items in their order: where those of each begin, and the rows."""
    lengths = np.diff(starts)[items]
    found = starts_of(lengths)
    # From where an item's rows are to where they will be.
    return found, column[np.repeat(starts[items] - found[:-1], lengths) + np.arange(found[-1])]
