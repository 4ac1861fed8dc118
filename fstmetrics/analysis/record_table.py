"""Records of a file by columns: `RecordTable`. Words are numbers in a vocabulary, which several tables may share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.read_records import Record
from fstmetrics.data.alignment_notation import Aligned
from fstmetrics.io.record_batches import BATCH, Batch, aligned_batches
from fstmetrics.io.record_schema import COUNTS, MEASURES
from fstmetrics.support.source import Source, open_text

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Letters = npt.NDArray[np.uint8]

# So many batches make a part of a table.
TOGETHER = 8
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

    def numbers(self, words: Sequence[str | None]) -> Numbers:
        """The numbers of some words; new words get the next ones."""
        return np.fromiter(map(self._numbers.__getitem__, words), np.int32, len(words))

    def __iter__(self) -> Iterator[str]:
        return (word for word in self._numbers if word is not None)

    def __len__(self) -> int:
        return len(self._numbers) - 1

    def ranks(self) -> Integers:
        """Where each word is in the alphabet, from 1; that of no word, and of an empty one, is 0, at the end."""
        words = list(self)
        ranks = np.zeros(len(words) + 1, dtype=np.int64)
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
        score, gain, max_gain: nan where a record has none; shape [items].
        starts: where each item's operations begin, and the end of the last; shape [items + 1].
        letters: of all operations, as numbers of ASCII.
        hypothesis, reference: numbers of the words of all operations.
        words: the vocabulary.
        special: the records that have more than counts, words and alignment, by the number of the item.
        fields: what else is known of the items, as their speaker, by name; None where an item has no such field.
    """

    ids: Sequence[str]
    metric: str
    signature: str
    counts: Mapping[str, Integers]
    score: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]
    max_gain: npt.NDArray[np.float64]
    starts: Integers
    letters: Letters
    hypothesis: Numbers
    reference: Numbers
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
        lengths = np.diff(self.starts)[items]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        # From where an item's operations are to where they will be.
        places = np.repeat(self.starts[items] - starts[:-1], lengths) + np.arange(starts[-1])
        numbers = items.tolist()
        return replace(
            self,
            ids=[self.ids[i] for i in numbers],
            counts={name: column[items] for name, column in self.counts.items()},
            score=self.score[items],
            gain=self.gain[items],
            max_gain=self.max_gain[items],
            starts=starts,
            letters=self.letters[places],
            hypothesis=self.hypothesis[places],
            reference=self.reference[places],
            special={at: self.special[i] for at, i in enumerate(numbers) if i in self.special},
            fields={name: [column[i] for i in numbers] for name, column in self.fields.items()},
        )

    def parts(self) -> Iterator[RecordTable]:
        """The same as tables of some items each, at least one, which share its columns."""
        for begin in range(0, max(len(self), 1), TOGETHER * BATCH):
            some = slice(begin, begin + TOGETHER * BATCH)
            starts = self.starts[begin : begin + TOGETHER * BATCH + 1]
            operations = slice(*starts[[0, -1]].tolist())
            yield replace(
                self,
                ids=self.ids[some],
                counts={name: column[some] for name, column in self.counts.items()},
                score=self.score[some],
                gain=self.gain[some],
                max_gain=self.max_gain[some],
                starts=starts - starts[0],
                letters=self.letters[operations],
                hypothesis=self.hypothesis[operations],
                reference=self.reference[operations],
                special={
                    i - begin: record for i, record in self.special.items() if some.start <= i < some.stop
                },
                fields={name: column[some] for name, column in self.fields.items()},
            )

    def sides(self, item: int) -> tuple[list[str], list[str]]:
        """The words of an item's closest path, and of its hypothesis in the order in which they were given."""
        spoken = (
            self.special[item].spoken if item in self.special and self.special[item].aligned.positions else ()
        )
        some = slice(*self.starts[item : item + 2].tolist())
        closest, hypothesis = (
            [self._list[n] for n in numbers[some].tolist() if n >= 0]
            for numbers in (self.reference, self.hypothesis)
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
    def items(self) -> Numbers:
        """Of every operation, the number of its item."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    def has(self, letters: str) -> npt.NDArray[np.bool_]:
        """Of every operation, whether it is one of these."""
        wanted = np.zeros(256, dtype=np.bool_)
        wanted[list(letters.encode())] = True
        found: npt.NDArray[np.bool_] = wanted[self.letters]
        return found

    @cached_property
    def kinds(self) -> tuple[Numbers, Numbers, Integers]:
        """Kinds of errors: number of the reference word, of the hypothesis word, and how often, in no order."""
        wrong = self.has("SID")
        keys = self.reference[wrong].astype(np.int64) + 1 << 32 | self.hypothesis[wrong].astype(np.int64) + 1
        found, counts = np.unique(keys, return_counts=True)
        reference, hypothesis = (found >> 32) - 1, (found & 0xFFFFFFFF) - 1
        return reference.astype(np.int32), hypothesis.astype(np.int32), counts.astype(np.int64)


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
    table = _Growing(Vocabulary() if words is None else words)
    for batch in aligned_batches(source):
        table.add_batch(batch)
    return table.table()


def empty_table(words: Vocabulary | None = None) -> RecordTable:
    """The table of no record."""
    return _Growing(Vocabulary() if words is None else words).table()


def read_parts(path: str | Path) -> Iterator[RecordTable]:
    """The same as tables of some records each, which share their vocabulary."""
    words = Vocabulary()
    batches = aligned_batches(open_text(path))
    while some := list(islice(batches, TOGETHER)):
        table = _Growing(words)
        for batch in some:
            table.add_batch(batch)
        yield table.table()


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


class _Growing:
    """A table that grows. Columns are bytes that grow in place: many small arrays would leave holes in memory."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._ids: list[str] = []
        self._metric = self._signature = ""
        self._counts = {name: bytearray() for name in COUNTS}
        self._measures = {name: bytearray() for name in MEASURES}
        self._lengths, self._letters = bytearray(), bytearray()
        self._hypothesis, self._reference = bytearray(), bytearray()
        self._special: dict[int, Record] = {}
        self._fields: dict[str, list[Any]] = {}

    def add_batch(self, batch: Batch) -> None:
        """Add records."""
        first = len(self._ids)
        for i, aligned in batch.special.items():
            self._special[first + i] = slim(Record(batch.ids[i], batch.objects[i], aligned))
        self._ids += batch.ids
        self._metric, self._signature = batch.metric, batch.signature
        for name, column in self._counts.items():
            column += batch.counts[name].tobytes()
        for name, column in self._measures.items():
            column += batch.measures[name].tobytes()
        for name, values in batch.fields.items():
            known = self._fields.setdefault(name, [])
            known += [None] * (first - len(known))
            known += values
        self._lengths += np.diff(batch.starts).tobytes()
        self._letters += batch.letters.tobytes()
        numbers = np.append(self._words.numbers(batch.words), np.int32(-1))
        self._hypothesis += numbers[batch.hypothesis].tobytes()
        self._reference += numbers[batch.reference].tobytes()

    def table(self) -> RecordTable:
        """All of them."""
        items = len(self._ids)
        lengths = np.frombuffer(self._lengths, np.int64)
        return RecordTable(
            ids=self._ids,
            metric=self._metric,
            signature=self._signature,
            counts={name: np.frombuffer(column, np.int64) for name, column in self._counts.items()},
            **{name: np.frombuffer(column, np.float64) for name, column in self._measures.items()},
            starts=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
            letters=np.frombuffer(self._letters, np.uint8),
            hypothesis=np.frombuffer(self._hypothesis, np.int32),
            reference=np.frombuffer(self._reference, np.int32),
            words=self._words,
            special=self._special,
            fields={name: column + [None] * (items - len(column)) for name, column in self._fields.items()},
        )
