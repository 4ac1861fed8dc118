"""Errors added up record by record, and two systems word by word: the slow and obvious way, in Counters.

`fstmetrics.analysis.error_counts` and `side_by_side` do the same in columns, and are compared with this.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, repeat

from fstmetrics.analysis.error_counts import LENGTHS, PARTS, Bin, ErrorRow, moved_blocks
from fstmetrics.analysis.missing_ngrams import MAX_ORDER
from fstmetrics.analysis.oracle_scores import OracleScores
from fstmetrics.analysis.read_records import Record
from fstmetrics.analysis.side_by_side import Beside, ItemRow, KindRow, WordRow


@dataclass
class SlowErrors:
    """Sums over the records taken so far."""

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
        self.signature = str(record.fields.get("signature", ""))
        self.scores.take(record)
        self.references.update(record.fields["closest"])
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


@lru_cache(maxsize=1024)
def _parts(length: int) -> tuple[int, ...]:
    """In which part of a reference each of its words lies, and what comes after the last one."""
    return tuple(min(at, length - 1) * PARTS // length for at in range(length + 1))


def _missing(record: Record) -> Mapping[tuple[str, ...], int]:
    """N-grams of the closest path that the hypothesis, in its own order, lacks.

    What lies within a run of matches is on both sides, so only n-grams at errors are counted.
    """
    if not record.edits and not record.moves:
        return {}
    sides = record.fields["closest"], record.hypothesis
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


def slow_beside(first: Mapping[str, Record], second: Mapping[str, Record]) -> Beside:
    """Put two systems side by side.

    A word is right where it is a match on the system's closest path. How often a word is right only in one system is
    counted item by item: the difference of its matches, as the closest paths of two systems may differ.

    Raises:
        FstmetricsError: the systems were not scored on the same items.
    """
    rows = [ItemRow(id, _errors(first[id]), _errors(second[id])) for id in first]
    words: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    wrong: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = (Counter(), Counter())
    for id in first:
        right = [Counter(_matches(records[id])) for records in (first, second)]
        words[0].update(right[0] - right[1])
        words[1].update(right[1] - right[0])
        for counter, record in zip(wrong, (first[id], second[id]), strict=True):
            operations, hypothesis, reference, *_ = record.aligned
            columns = zip(operations, reference, hypothesis, strict=True)
            counter.update((word, instead or "") for op, word, instead in columns if op in "SD" and word)
    return Beside(
        tuple(
            sorted((r for r in rows if r.first != r.second), key=lambda r: (-abs(r.first - r.second), r.id))
        ),
        tuple(_word_rows(words, wrong)),
        tuple(_kind_rows(first, second)),
        sum(r.first < r.second for r in rows),
        sum(r.first > r.second for r in rows),
        sum(r.first == r.second for r in rows),
    )


def _errors(record: Record) -> int:
    return record.edits + record.moves


def _matches(record: Record) -> list[str]:
    columns = zip(record.aligned.operations, record.aligned.reference, strict=True)
    return [word for op, word in columns if op == "=" and word]


def _word_rows(
    words: tuple[Counter[str], Counter[str]], wrong: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]
) -> list[WordRow]:
    best: tuple[dict[str, tuple[str, int]], dict[str, tuple[str, int]]] = ({}, {})
    for found, counter in zip(best, wrong, strict=True):
        for (word, instead), count in sorted(counter.items(), key=_frequent_first):
            found.setdefault(word, (instead, count))
    rows = [
        WordRow(
            word, words[0][word], words[1][word], *best[words[0][word] >= words[1][word]].get(word, ("", 0))
        )
        for word in words[0].keys() | words[1].keys()
    ]
    return sorted(rows, key=lambda r: (-abs(r.first - r.second), -max(r.first, r.second), r.word))


def _frequent_first(entry: tuple[tuple[str, str], int]) -> tuple[object, ...]:
    """Of equals words come before nothing."""
    (word, instead), count = entry
    return -count, not instead, word, instead


def _kind_rows(first: Mapping[str, Record], second: Mapping[str, Record]) -> list[KindRow]:
    sums = []
    for records in (first, second):
        errors = SlowErrors()
        for record in records.values():
            errors.take(record)
        sums.append(errors.kinds)
    rows = [KindRow(*kind, sums[0][kind], sums[1][kind]) for kind in sums[0] | sums[1]]
    return sorted(
        (row for row in rows if row.first != row.second),
        key=lambda r: (
            -abs(r.first - r.second),
            -max(r.first, r.second),
            "SID".index(r.op),
            r.reference or "",
            r.hypothesis or "",
        ),
    )
