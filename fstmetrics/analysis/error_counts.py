"""Errors added up over records: `Errors` takes records one by one; `rows` are what tables show.

Every count can be seen as a rate: of substitutions and deletions, how many of the reference word's occurrences; of
insertions, how many of the hypothesis word's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, repeat

from fstmetrics.analysis.oracle_scores import OracleScores
from fstmetrics.analysis.read_records import Record
from fstmetrics.scoring.results import AlignedPair

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
class Bin:
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

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.read_records import Record
    >>> from fstmetrics.readers.record_lines import checked
    >>> fields = fm.align("hat", "cat sat").as_dict()
    >>> errors = Errors()
    >>> errors.take(Record("1", fields, checked(fields)))
    >>> [(row.op, row.reference, row.hypothesis, row.count) for row in errors.rows()]
    [('S', 'sat', 'hat', 1), ('D', 'cat', None, 1)]
    """

    items: int = 0
    moves: int = 0
    items_with_moves: int = 0
    paths: int = 0
    signature: str = ""
    kinds: Counter[tuple[str, str | None, str | None]] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)
    hypotheses: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, ...]] = field(default_factory=Counter)
    alternatives: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    cards: Counter[tuple[str, str]] = field(default_factory=Counter)
    moved: Counter[tuple[str, str]] = field(default_factory=Counter)
    scores: OracleScores = field(default_factory=OracleScores)
    _places: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(PARTS)])
    _lengths: list[list[int]] = field(default_factory=lambda: [[0, 0, 0] for _ in range(len(LENGTHS) + 1)])

    def take(self, record: Record) -> None:
        """Add a record."""
        operations, hypothesis, reference, *_ = record.aligned
        self.items += 1
        self.signature = record.signature
        self.scores.take(record)
        self.references.update(record.closest)
        self.hypotheses.update(record.hypothesis)
        if record.edits:
            self.kinds.update(
                kind for kind in zip(operations, reference, hypothesis, strict=True) if kind[0] in "SID"
            )
        if record.moves:
            self.moves += record.moves
            self.items_with_moves += 1
            self.moved.update(moved_blocks(record.alignment))
        self.missing.update(_missing(record))
        for choice in record.fields.get("alternatives", ()):
            self.alternatives[choice["written"], choice["taken"]] += 1
        self.rules.update(rule["rule"] for rule in record.fields.get("rules", ()))
        self.cards.update((card, phrase) for card, phrase, *_ in record.fields.get("cards", ()))
        self.paths = max(self.paths, len(record.aligned.nbest))
        self._take_places(record)
        row = self._lengths[bisect_left(LENGTHS, record.path_length)]
        row[0] += 1
        row[1] += record.path_length
        row[2] += record.edits

    def _take_places(self, record: Record) -> None:
        """Insertions count where the next reference word stands, at the end with the last."""
        length, position, places = record.path_length, 0, self._places
        if not length:
            return
        parts = _parts(length)
        for part in set(parts):
            places[part][0] += 1
        for part in parts[:-1]:
            places[part][1] += 1
        if not record.edits:
            return
        for op in record.aligned.operations:
            if op in "SID":
                places[parts[position]][2] += 1
            position += op in "=SD"

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

    def by_position(self) -> list[Bin]:
        """Errors in each tenth of the references."""
        names = [f"{100 * i // PARTS}-{100 * (i + 1) // PARTS}%" for i in range(PARTS)]
        return [Bin(name, *counts) for name, counts in zip(names, self._places, strict=True)]

    def by_length(self) -> list[Bin]:
        """Errors by the length of the reference, in words; classes without an item are left out."""
        ends = pairwise((-1, *LENGTHS))
        names = [*(f"{low + 1}-{high}" for low, high in ends), f"over {LENGTHS[-1]}"]
        return [Bin(name, *counts) for name, counts in zip(names, self._lengths, strict=True) if counts[0]]

    def missing_ngrams(self, order: int, min_count: int = 1) -> list[tuple[tuple[str, ...], int]]:
        """N-grams of the references that the hypotheses lack, the most frequent first.

        Counted as BLEU clips: an n-gram that a hypothesis has once and its reference twice is missing once.
        """
        found = [(words, n) for words, n in self.missing.items() if len(words) == order and n >= min_count]
        return sorted(found, key=lambda row: (-row[1], row[0]))


def moved_blocks(alignment: Sequence[AlignedPair]) -> list[tuple[str, str]]:
    """Of every block that moves its words, and the words to the left of it that it moves before.

    A block is a word that a move is paid for, and its right neighbours that come along.
    """
    words = {p.position: p.hypothesis for p in alignment if p.position is not None and p.hypothesis}
    blocks: list[tuple[list[str], str]] = []
    waiting = sorted(words)  # positions of words that are not taken yet
    next_position: int | None = None  # in the hypothesis, behind the block that is being taken
    for pair in alignment:
        if pair.hypothesis is None or pair.position is None:
            continue
        if pair.moves:
            before = [words[at] for at in waiting if at < pair.position]
            blocks.append(([], " ".join(before)))
        elif pair.position != next_position:
            next_position = None
        if pair.moves or next_position is not None:
            blocks[-1][0].append(pair.hypothesis)
            next_position = pair.position + 1
        waiting.remove(pair.position)
    return [(" ".join(block), before) for block, before in blocks]


@lru_cache(maxsize=1024)
def _parts(length: int) -> tuple[int, ...]:
    """In which part of a reference each of its words lies, and what comes after the last one."""
    return tuple(min(at, length - 1) * PARTS // length for at in range(length + 1))


def total(records: Iterable[Record]) -> Errors:
    """All records added up."""
    errors = Errors()
    for record in records:
        errors.take(record)
    return errors


def _missing(record: Record) -> Mapping[tuple[str, ...], int]:
    """N-grams of the closest path that the hypothesis, in its own order, lacks.

    What lies within a run of matches is on both sides, so only n-grams at errors are counted.
    """
    if not record.edits and not record.moves:
        return {}
    sides = record.closest, record.hypothesis
    grams = map(_ngrams, sides, _runs(record.aligned.operations)) if not record.moves else map(_ngrams, sides)
    reference, hypothesis = map(Counter, grams)
    return reference - hypothesis


def _runs(operations: str) -> tuple[list[int], list[int]]:
    """Of every word of the closest path and of the hypothesis, how many matches begin with it in a row."""
    reference, hypothesis, run = [], [], 0
    for op in reversed(operations):
        if op == "*":  # counts nowhere
            continue
        run = run + 1 if op == "=" else 0
        if op != "I":
            reference.append(run)
        if op != "D":
            hypothesis.append(run)
    return reference[::-1], hypothesis[::-1]


def _ngrams(words: Sequence[str], runs: Iterable[int] | None = None) -> list[tuple[str, ...]]:
    """The n-grams of some words up to `MAX_ORDER`; without those within a run of words that begins with their first."""
    last = len(words)
    return [
        tuple(words[at : at + order])
        for at, run in enumerate(runs or repeat(0, last))
        if run < MAX_ORDER
        for order in range(run + 1, min(MAX_ORDER, last - at) + 1)
    ]
