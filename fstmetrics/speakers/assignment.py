"""The assignment problem, in exact integers: `cheapest_assignment`; and which speakers are paired: `cheapest_pairs`.

Speakers who are one are much alike; the other pairs, which are more, take far longer to compare. So of pairs of long
texts a bound is known at first, and the cheapest assignment by bounds is looked for. Bounds of its pairs are raised,
until it has only pairs that are known. Then it is the cheapest of all, as no other is cheaper than its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import _native

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    # Edits, words of the reference path, matches and deletions of pairs; numbers of a reference and a hypothesis.
    Counts = Integers
    Places = Integers
    Search = Callable[[Sequence[tuple[Any, Any]]], Counts]

# More than any sum of counts: four in one integer, which compares as they do one after the other.
_FIELD = 1 << 40
# Characters of one text times those of the other from which a pair is long; to search less takes a millisecond.
LONG = 40_000_000
# A first look allows for this part of the words of the longer text as edits beyond the bound that is known without it;
# each later one for this part of the bound.
_FIRST, _LATER = 256, 8


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """The column of each row, each column once, with the least sum of costs.

    The Hungarian algorithm with potentials [Kuhn, 1955; Jonker and Volgenant, Computing 38, 1987], row by row along
    shortest augmenting paths: O(n^3) operations on integers of any size. Of equally cheap assignments it is always the
    same one.

    Args:
        costs: shape [n, n].

    >>> cheapest_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    [1, 0, 2]
    """
    n = len(costs)
    of_row, of_column = [0] * n, [0] * (n + 1)  # potentials; the last column stands for no column
    row_at: list[int | None] = [None] * (n + 1)
    for row in range(n):
        row_at[n], column = row, n
        # The shortest way to each column so far, and the column before it.
        least: list[int | None] = [None] * n
        before = [n] * n
        done = [False] * (n + 1)
        while (here := row_at[column]) is not None:
            done[column] = True
            nearest: int | None = None
            following = n
            for other in range(n):
                if done[other]:
                    continue
                way = costs[here][other] - of_row[here] - of_column[other]
                known = least[other]
                if known is None or way < known:
                    least[other] = known = way
                    before[other] = column
                if nearest is None or known < nearest:
                    nearest, following = known, other
            assert nearest is not None
            for other in range(n + 1):
                if done[other]:
                    reached = row_at[other]
                    assert reached is not None
                    of_row[reached] += nearest
                    of_column[other] -= nearest
                elif (known := least[other]) is not None:
                    least[other] = known - nearest
            column = following
        while column != n:
            row_at[column] = row_at[before[column]]
            column = before[column]
        row_at[n] = None
    columns = [0] * n
    for column in range(n):
        row_there = row_at[column]
        assert row_there is not None
        columns[row_there] = column
    return columns


def cheapest_pairs(
    references: Sequence[Any], hypotheses: Sequence[Any], size: int, searched: Search
) -> tuple[list[int], list[int], Counts]:
    """The pairs of speakers with the fewest edits, the longest paths, the most matches and the fewest deletions.

    Args:
        references, hypotheses: what each speaker said. The last of them stands for as many as are missing to `size`.
        size: how many pairs there are.
        searched: finds the counts of pairs.

    Returns:
        The number of the reference of each pair, that of the hypothesis, and counts by both, right for these pairs.
    """
    pairing = _Pairing(references, hypotheses, size, searched)
    columns = pairing.cheapest_columns()
    return pairing.rows.tolist(), pairing.columns[columns].tolist(), pairing.counts


class _Pairing:
    """What is known of pairs.

    Attributes:
        rows, columns: the speaker that each row and column of an assignment stands for.
        counts: of each pair; of one that is not known, better than they can be.
    """

    def __init__(
        self, references: Sequence[Any], hypotheses: Sequence[Any], size: int, searched: Search
    ) -> None:
        self._references, self._hypotheses, self._searched = references, hypotheses, searched
        self.rows, self.columns = (
            np.minimum(np.arange(size), len(side) - 1) for side in (references, hypotheses)
        )
        shape = len(references), len(hypotheses)
        self.counts: Counts = np.zeros((*shape, 4), dtype=np.int64)
        self._known = np.zeros(shape, dtype=bool)
        # Edits that there are at least, edits that are enough, and a guess.
        self._least, self._enough, self._guess = np.zeros((3, *shape), dtype=np.int64)
        is_long = [
            _is_text(r) and _is_text(h) and len(r) * len(h) >= LONG for r in references for h in hypotheses
        ]
        self._search(np.argwhere(~np.array(is_long, dtype=bool).reshape(shape)))
        if any(is_long):
            self._bound(np.argwhere(~self._known))

    def cheapest_columns(self) -> list[int]:
        """The column of each row."""
        if self._known.all():
            return self._cheapest()
        self._search(self._unknown(self._by(self._guess)))
        self._raise_bounds(self._cheapest(), np.argwhere(~self._known))
        while len(unknown := self._unknown(columns := self._cheapest())):
            self._raise_bounds(columns, unknown)
        if not self._has_rival(columns):
            # Speakers who said nothing are all alike: those beside them stand in order.
            return [column for _, column in sorted(zip(self.rows.tolist(), columns, strict=True))]
        self._search(np.argwhere(~self._known))
        return self._cheapest()

    def _search(self, pairs: Places) -> None:
        row, column = pairs.T
        found = self._searched([(self._references[r], self._hypotheses[h]) for r, h in pairs.tolist()])
        self.counts[row, column], self._known[row, column] = found, True
        self._least[row, column] = self._enough[row, column] = self._guess[row, column] = found[:, 0]

    def _bound(self, pairs: Places) -> None:
        """The first bounds."""
        sides = (
            [side if _is_text(side) else "" for side in each] for each in (self._hypotheses, self._references)
        )
        self._bounds = _native.PairBounds(*sides)
        row, column = pairs.T
        r, h = self._bounds.reference_words[row], self._bounds.hypothesis_words[column]
        self._enough[row, column] = np.maximum(r, h)
        # No pair has so few deletions, so the counts of none are as good.
        self.counts[row, column] = np.stack(
            [np.zeros_like(r), r, np.minimum(r, h), np.full_like(r, -1)], axis=1
        )
        self._look(pairs, self._bounds.least(np.stack([column, row], axis=1)) + np.maximum(r, h) // _FIRST)

    def _look(self, pairs: Places, limits: Integers) -> None:
        """Find the edits of pairs if they are within limits; else raise the bounds beyond these."""
        row, column = pairs.T
        least, guess = self._bounds.within(np.stack([column, row, limits], axis=1)).T
        self._least[row, column], self._guess[row, column] = least, guess
        self._enough[row, column] = np.where(least <= limits, least, self._enough[row, column])
        self.counts[row, column, 0] = least

    def _raise_bounds(self, columns: list[int], pairs: Places) -> None:
        """Raise bounds of pairs by what these columns are cheaper by them than the best ones known; or find counts."""
        unknown = self._unknown(columns)
        are_open = (self._least < self._enough)[tuple(unknown.T)]
        if not are_open.any():
            self._search(unknown)
            return
        best = self._sum(self._enough, self._by(self._enough))
        step = (best - self._sum(self._least, columns)) // np.count_nonzero(are_open) + 1
        pairs = pairs[(self._least < self._enough)[tuple(pairs.T)]]
        least = self._least[tuple(pairs.T)]
        self._look(pairs, least + np.maximum(step, least // _LATER))

    def _cheapest(self) -> list[int]:
        """The columns that are cheapest by the counts."""
        return cheapest_assignment(self._ranks())

    def _ranks(self) -> list[list[int]]:
        """Fewest edits, longest path, most matches, fewest deletions, each pair's as one integer that adds up."""
        return [
            [
                ((edits * _FIELD - length) * _FIELD - matches) * _FIELD + deletions
                for edits, length, matches, deletions in self.counts[row, self.columns].tolist()
            ]
            for row in self.rows
        ]

    def _by(self, edits: Integers) -> list[int]:
        return cheapest_assignment(edits[np.ix_(self.rows, self.columns)].tolist())

    def _sum(self, edits: Integers, columns: list[int]) -> int:
        return int(edits[self.rows, self.columns[columns]].sum())

    def _unknown(self, columns: list[int]) -> Places:
        """The pairs of an assignment that are not known."""
        pairs: Places = np.stack([self.rows, self.columns[columns]], axis=1)
        are_known = self._known[self.rows, self.columns[columns]]
        return np.compress(~are_known, pairs, axis=0)

    def _has_rival(self, columns: list[int]) -> bool:
        """Whether other pairs that are known may be as good as these, the best ones."""
        chosen = np.zeros_like(self._known)
        chosen[self.rows, self.columns[columns]] = True
        others = self._known & ~chosen
        # Whatever has another pair is a little cheaper: by less than what makes a difference.
        less, whole = others[np.ix_(self.rows, self.columns)].tolist(), len(columns) + 1
        rows = zip(self._ranks(), less, strict=True)
        found = cheapest_assignment([[whole * a - b for a, b in zip(*row, strict=True)] for row in rows])
        return bool(others[self.rows, self.columns[found]].any())


def _is_text(side: Any) -> bool:
    return isinstance(side, str | list)
