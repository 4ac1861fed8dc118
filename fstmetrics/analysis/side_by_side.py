"""Two systems side by side: what one gets right that the other does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from fstmetrics.analysis.read_records import Record
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed


@dataclass(frozen=True, slots=True)
class WordRow:
    """A reference word that one system has right where the other has not.

    Attributes:
        word: the reference word.
        first, second: how often only the first, only the second system has it right.
        instead: what the system that is more often wrong here has most often in its place; "" is nothing, which a
            word as frequent goes before.
        instead_count: how often; 0 where the closest paths of that system never hold the word in error.
    """

    word: str
    first: int
    second: int
    instead: str
    instead_count: int


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item's errors (edits and moves) in both systems."""

    id: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Two systems on the same items.

    Attributes:
        items: items with different numbers of errors, the largest differences first.
        words: words that only one of the two has right, the largest differences first.
        better, worse, equal: items in which the first system has fewer, more, as many errors.
    """

    items: tuple[ItemRow, ...]
    words: tuple[WordRow, ...]
    better: int
    worse: int
    equal: int


def beside(first: Mapping[str, Record], second: Mapping[str, Record]) -> Beside:
    """Put two systems side by side.

    A word is right where it is a match on the system's closest path. How often a word is right only in one system is
    counted item by item: the difference of its matches, as the closest paths of two systems may differ.

    Raises:
        FstmetricsError: the systems were not scored on the same items.
    """
    _refuse_others(first, second)
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


def _refuse_others(first: Mapping[str, Record], second: Mapping[str, Record]) -> None:
    for ours, theirs, name in ((first, second, "second"), (second, first, "first")):
        if lacking := [id for id in ours if id not in theirs]:
            raise FstmetricsError(
                f"the {name} system has no record for {listed(lacking)}; "
                "both must be scored on the same items"
            )
