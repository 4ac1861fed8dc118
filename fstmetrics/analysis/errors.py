"""Errors added up over records: `Errors` takes records one by one; `rows` are what tables show.

Every count can be seen as a rate: of substitutions and deletions, how many of the reference word's occurrences; of
insertions, how many of the hypothesis word's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fstmetrics.analysis.oracles import Scores
from fstmetrics.analysis.records import Record
from fstmetrics.results import AlignedPair

# Parts of the reference in which errors by position are counted.
PARTS = 10
# Upper ends of the classes of reference length; the last class has no end.
LENGTHS = (5, 10, 15, 20, 30, 40, 60)
# Missing n-grams are counted up to this order.
MAX_ORDER = 4


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One kind of error.

    Attributes:
        op: `S`, `I` or `D`.
        reference, hypothesis: the words; None where that side has none.
        count: how often.
        of: how often the word occurs on its side: the reference word for S and D, the hypothesis word for I.
    """

    op: str
    reference: str | None
    hypothesis: str | None
    count: int
    of: int

    @property
    def rate(self) -> float:
        """Count divided by occurrences, 0 to 1."""
        return self.count / self.of


@dataclass(frozen=True, slots=True)
class Part:
    """Errors in a part of all references: `errors` edits among `words` reference words of `items` items."""

    name: str
    items: int
    words: int
    errors: int

    @property
    def rate(self) -> float | None:
        """Errors per reference word; None where there is no word."""
        return self.errors / self.words if self.words else None


@dataclass
class Errors:
    """Sums over the records taken so far.

    >>> from fstmetrics.analysis.records import Record
    >>> from fstmetrics.results import AlignedPair
    >>> pairs = (AlignedPair("S", "hat", "cat"), AlignedPair("D", None, "sat"))
    >>> errors = Errors()
    >>> errors.take(Record("1", "wer", 1.0, 2, 0, 1, 0, 1, 0, 2, pairs, (), {}))
    >>> [(row.op, row.reference, row.hypothesis, row.count) for row in errors.rows()]
    [('S', 'cat', 'hat', 1), ('D', 'sat', None, 1)]
    """

    items: int = 0
    moves: int = 0
    items_with_moves: int = 0
    kinds: Counter[tuple[str, str | None, str | None]] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)
    hypotheses: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, ...]] = field(default_factory=Counter)
    alternatives: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
    scores: Scores = field(default_factory=Scores)
    _places: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(PARTS)])
    _lengths: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(len(LENGTHS) + 1)])

    def take(self, record: Record) -> None:
        """Add a record."""
        self.items += 1
        self.scores.take(record)
        self.moves += record.moves
        self.items_with_moves += record.moves > 0
        for op, hypothesis, reference, *_ in record.alignment:
            if op in "SID":
                self.kinds[op, reference, hypothesis] += 1
        self.references.update(record.closest)
        self.hypotheses.update(record.hypothesis)
        self.missing.update(_missing(record))
        for choice in record.fields.get("alternatives") or ():
            self.alternatives[choice["written"], choice["taken"]] += 1
        self.rules.update(rule["rule"] for rule in record.fields.get("rules") or ())
        self.cards.update((card, phrase) for card, phrase, *_ in record.fields.get("cards") or ())
        self.moved.update(" ".join(words) for words in moved_blocks(record.alignment))
        self._take_places(record)
        row = self._lengths[sum(record.path_length > end for end in LENGTHS)]
        row[0] += 1
        row[1] += record.path_length
        row[2] += record.edits

    def _take_places(self, record: Record) -> None:
        """Insertions count where the next reference word stands, at the end with the last."""
        length, position = record.path_length, 0
        if not length:
            return
        touched = set()
        for pair in record.alignment:
            part = min(position, length - 1) * PARTS // length
            touched.add(part)
            self._places[part][1] += pair.reference is not None
            self._places[part][2] += pair.op in "SID"
            position += pair.reference is not None
        for part in touched:
            self._places[part][0] += 1

    def rows(self, op: str | None = None, word: str | None = None, min_count: int = 1) -> list[ErrorRow]:
        """Kinds of errors, the most frequent first.

        Args:
            op: only this operation, `S`, `I` or `D`.
            word: only errors with this word on either side.
            min_count: only those that happened at least so often.
        """
        found = []
        for (kind, reference, hypothesis), count in self.kinds.items():
            if count < min_count or op not in (None, kind) or word not in (None, reference, hypothesis):
                continue
            of = self.hypotheses[hypothesis or ""] if reference is None else self.references[reference]
            found.append(ErrorRow(kind, reference, hypothesis, count, of))
        return sorted(
            found,
            key=lambda row: (-row.count, "SID".index(row.op), row.reference or "", row.hypothesis or ""),
        )

    def by_position(self) -> list[Part]:
        """Errors in each tenth of the references."""
        names = [f"{100 * i // PARTS}-{100 * (i + 1) // PARTS}%" for i in range(PARTS)]
        return [Part(name, *counts) for name, counts in zip(names, self._places, strict=True)]

    def by_length(self) -> list[Part]:
        """Errors by the length of the reference, in words; classes without an item are left out."""
        ends = pairwise((-1, *LENGTHS))
        names = [*(f"{low + 1}-{high}" for low, high in ends), f"over {LENGTHS[-1]}"]
        return [Part(name, *counts) for name, counts in zip(names, self._lengths, strict=True) if counts[0]]

    def missing_ngrams(self, order: int, min_count: int = 1) -> list[tuple[tuple[str, ...], int]]:
        """N-grams of the references that the hypotheses lack, the most frequent first.

        Counted as BLEU clips: an n-gram that a hypothesis has once and its reference twice is missing once.
        """
        found = [(words, n) for words, n in self.missing.items() if len(words) == order and n >= min_count]
        return sorted(found, key=lambda row: (-row[1], row[0]))


def moved_blocks(alignment: Sequence[AlignedPair]) -> list[list[str]]:
    """The words of every block that moves: one that a move is paid for, and its right neighbours that come along."""
    blocks: list[list[str]] = []
    next_position: int | None = None  # in the hypothesis, behind the block that is being taken
    for pair in alignment:
        if pair.hypothesis is None:
            continue
        if pair.moves:
            blocks.append([])
        elif pair.position is None or pair.position != next_position:
            next_position = None
            continue
        blocks[-1].append(pair.hypothesis)
        next_position = None if pair.position is None else pair.position + 1
    return blocks


def total(records: Iterable[Record]) -> Errors:
    """All records added up."""
    errors = Errors()
    for record in records:
        errors.take(record)
    return errors


def _missing(record: Record) -> Counter[tuple[str, ...]]:
    return Counter(_ngrams(record.closest)) - Counter(_ngrams(record.hypothesis))


def _ngrams(words: list[str]) -> Iterator[tuple[str, ...]]:
    for order in range(1, MAX_ORDER + 1):
        yield from zip(*(words[i:] for i in range(order)), strict=False)
