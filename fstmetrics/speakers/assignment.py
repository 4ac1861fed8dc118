"""The assignment problem, in exact integers: `cheapest_assignment`."""

from __future__ import annotations

from collections.abc import Sequence


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
        least: list[int | None] = [
            None
        ] * n  # the shortest way to each column so far, and the column before it
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
