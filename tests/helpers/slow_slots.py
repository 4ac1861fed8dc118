"""The slots of SCTK's rover by definition: all arcs of all slots in one table of 32-bit costs, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Word = str | None  # None is no word
Span = tuple[float, float]
# A system's word with its times.
Arc = tuple[Word, Span]
NOTHING: Arc = (None, (0.0, 0.0))


def _skipped(arc: Arc, by_time: bool) -> np.float32:
    word, (begin, end) = arc
    if word is None:
        return np.float32(0.001)
    return np.float32(end - begin) if by_time else np.float32(3)


def _paired(arc: Arc, other: Arc, by_time: bool) -> np.float32:
    same = arc[0] == other[0]
    if by_time:
        apart = abs(arc[1][0] - other[1][0]) + abs(arc[1][1] - other[1][1])
        return np.float32(apart + (0.0 if same else 0.001))
    return np.float32(0 if same else 1 if arc[0] is None else 4)


def slow_slots(systems: Sequence[Sequence[Arc]], by_time: bool = False) -> list[list[Arc]]:
    """Of each slot its arcs, in rover's order."""
    slots = [[arc] for arc in systems[0]]
    for number, words in enumerate(systems[1:], 1):
        slots = _merged(slots, words, number, by_time)
    return slots


def _merged(slots: list[list[Arc]], words: Sequence[Arc], number: int, by_time: bool) -> list[list[Arc]]:
    # The arcs of each slot; before all of them one of nothing.
    rows: list[list[tuple[np.float32, tuple[int, int, int] | None]]] = []
    first: list[tuple[np.float32, tuple[int, int, int] | None]] = [(np.float32(0), None)]
    for at, word in enumerate(words, 1):
        first.append((first[-1][0] + _skipped(word, by_time), (0, 0, at - 1)))
    table = [[first]]
    for place, slot in enumerate(slots, 1):
        rows = []
        for arc in slot:
            row: list[tuple[np.float32, tuple[int, int, int] | None]] = []
            for at in range(len(words) + 1):
                before = [(cells[at][0], n) for n, cells in enumerate(table[place - 1])]
                least, n = min(before, key=lambda found: found[0])
                skip = (least + _skipped(arc, by_time), (place - 1, n, at))
                if at == 0:
                    row.append(skip)
                    continue
                word = words[at - 1]
                before = [(cells[at - 1][0], n) for n, cells in enumerate(table[place - 1])]
                least, n = min(before, key=lambda found: found[0])
                pair = (least + _paired(arc, word, by_time), (place - 1, n, at - 1))
                add = (row[-1][0] + _skipped(word, by_time), (place, len(rows), at - 1))
                if pair[0] <= skip[0] and pair[0] <= add[0]:
                    row.append(pair)
                else:
                    row.append(skip if skip[0] < add[0] else add)
            rows.append(row)
        table.append(rows)
    place, at = len(slots), len(words)
    n = min(range(len(table[place])), key=lambda row: table[place][row][at][0])
    made: list[list[Arc]] = []
    while (came := table[place][n][at][1]) is not None:
        if came[0] == place:
            made.append([words[at - 1], *[NOTHING] * number])
        else:
            made.append([*slots[place - 1], words[at - 1] if came[2] < at else NOTHING])
        place, n, at = came
    return made[::-1]
