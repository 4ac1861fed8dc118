"""Two systems side by side: what one gets right that the other does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.garbage import uncollected
from fstmetrics.support.names import listed

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]


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
class KindRow:
    """A kind of error, and how often it happens to either system.

    Attributes:
        op: `S`, `I` or `D`.
        reference, hypothesis: the words; None where that side has none.
        first, second: how often.
    """

    op: str
    reference: str | None
    hypothesis: str | None
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Two systems on the same items.

    Attributes:
        items: items with different numbers of errors, the largest differences first.
        words: words that only one of the two has right, the largest differences first.
        kinds: kinds of errors that are not as frequent in both, the largest differences first.
        better, worse, equal: items in which the first system has fewer, more, as many errors.
    """

    items: tuple[ItemRow, ...]
    words: tuple[WordRow, ...]
    kinds: tuple[KindRow, ...]
    better: int
    worse: int
    equal: int


@uncollected()
def beside(first: RecordTable, second: RecordTable) -> Beside:
    """Put two systems side by side.

    A word is right where it is a match on the system's closest path. How often a word is right only in one system is
    counted item by item: the difference of its matches, as the closest paths of two systems may differ.

    Args:
        first, second: the records of either, with one vocabulary.

    Raises:
        FstmetricsError: the systems were not scored on the same items.
    """
    place = places(first, second)
    mine, theirs = first.errors, second.errors[place]
    rows = [
        ItemRow(id, one, two)
        for id, one, two in zip(first.ids, mine.tolist(), theirs.tolist(), strict=True)
        if one != two
    ]
    return Beside(
        tuple(sorted(rows, key=lambda r: (-abs(r.first - r.second), r.id))),
        tuple(_word_rows(first, second, place)),
        tuple(_kind_rows(first, second)),
        int(np.count_nonzero(mine < theirs)),
        int(np.count_nonzero(mine > theirs)),
        int(np.count_nonzero(mine == theirs)),
    )


def places(first: RecordTable, second: RecordTable) -> Integers:
    """Where each item of the first system is in the second.

    Raises:
        FstmetricsError: the systems were not scored on the same items.
    """
    numbers = ({id: i for i, id in enumerate(table.ids)} for table in (first, second))
    mine, theirs = numbers
    for ours, others, name in ((mine, theirs, "second"), (theirs, mine, "first")):
        if lacking := [id for id in ours if id not in others]:
            raise FstmetricsError(
                f"the {name} system has no record for {listed(lacking)}; "
                "both must be scored on the same items"
            )
    return np.array([theirs[id] for id in first.ids], dtype=np.int64)


def _word_rows(first: RecordTable, second: RecordTable, place: Integers) -> list[WordRow]:
    words, size = list(first.words), len(first.words)
    # By item and word: how much more often the first system has it right.
    number = np.empty(len(place), dtype=np.int64)
    number[place] = np.arange(len(place))
    right = [table.has("=") for table in (first, second)]
    items = np.concatenate([first.items[right[0]], number[second.items[right[1]]]])
    matched = np.concatenate([table.reference[r] for table, r in zip((first, second), right, strict=True)])
    key = items * size + matched
    sign = np.repeat([1, -1], [np.count_nonzero(r) for r in right])
    sorted_ = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[sorted_], prepend=-1))
    more = np.add.reduceat(sign[sorted_], begins) if len(begins) else begins
    word = matched[sorted_[begins]]
    counts = []
    for only in (np.maximum(more, 0), np.maximum(-more, 0)):
        sums = np.zeros(size, dtype=np.int64)
        np.add.at(sums, word, only)
        counts.append(sums)
    ranks = first.words.ranks()
    instead = [_instead(table, ranks) for table in (first, second)]
    rows = []
    for n in np.flatnonzero(counts[0] + counts[1]).tolist():
        one, two = int(counts[0][n]), int(counts[1][n])
        other, often = instead[one >= two].get(n, (-1, 0))
        rows.append(WordRow(words[n], one, two, words[other] if other >= 0 else "", often))
    return sorted(rows, key=lambda r: (-abs(r.first - r.second), -max(r.first, r.second), r.word))


def _instead(table: RecordTable, ranks: Integers) -> dict[int, tuple[int, int]]:
    """Of reference words, what a system has most often in their place, and how often; of equals words come before
    nothing."""
    reference, hypothesis, counts = table.kinds
    lacks = ranks[hypothesis] == 0
    order = np.lexsort((ranks[hypothesis], lacks, -counts))
    found: dict[int, tuple[int, int]] = {}
    columns = (column[order].tolist() for column in (reference, hypothesis, counts))
    for word, other, often in zip(*columns, strict=True):
        if word >= 0:
            found.setdefault(word, (other, often))
    return found


def _kind_rows(first: RecordTable, second: RecordTable) -> list[KindRow]:
    words: Sequence[str | None] = [*first.words, None]
    found: dict[tuple[int, int], list[int]] = {}
    for side, table in enumerate((first, second)):
        for reference, hypothesis, often in zip(*(column.tolist() for column in table.kinds), strict=True):
            found.setdefault((reference, hypothesis), [0, 0])[side] = often
    rows = [
        KindRow("I" if r < 0 else "D" if h < 0 else "S", words[r], words[h], one, two)
        for (r, h), (one, two) in found.items()
        if one != two
    ]
    return sorted(
        rows,
        key=lambda r: (
            -abs(r.first - r.second),
            -max(r.first, r.second),
            "SID".index(r.op),
            r.reference or "",
            r.hypothesis or "",
        ),
    )
