"""How far times of matched words differ, from lines of ctm and an alignment, in decimals: slow and obvious."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from statistics import mean, median
from typing import Any

# Word, onset and offset in milliseconds.
Said = tuple[str, Decimal, Decimal]


def said(lines: Sequence[str], file: str) -> list[Said]:
    """The words of a file."""
    found = []
    for line in lines:
        name, _, begin, duration, word = line.split()[:5]
        if name == file and word != "@":
            found.append((word, 1000 * Decimal(begin), 1000 * (Decimal(begin) + Decimal(duration))))
    return found


def numbers(differences: Sequence[Decimal]) -> dict[str, Any]:
    """Of one end."""
    absolute = [abs(value) for value in differences]
    if not absolute:
        return dict.fromkeys(("mean_abs", "median_abs", "bias", "within_50", "within_100", "within_200"))
    found = {"mean_abs": mean(absolute), "median_abs": median(absolute), "bias": mean(differences)}
    for most in (50, 100, 200):
        found[f"within_{most}"] = Decimal(len([value for value in absolute if value <= most])) / len(absolute)
    return {name: float(value) for name, value in found.items()}


class Matched:
    """Matched words: word, its place among so many of the reference, the item, and both differences."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, int, str, Decimal, Decimal]] = []

    def add(self, id: str, reference: list[Said], hypothesis: list[Said], operations: Sequence[str]) -> None:
        """An item by the operations of its alignment."""
        words, (first, second) = len(reference), (list(reference), list(hypothesis))
        for op in operations:
            one = None if op == "I" else first.pop(0)
            other = None if op == "D" else second.pop(0)
            if op == "=":
                assert one is not None
                assert other is not None
                place = words - len(first) - 1
                self.rows.append((one[0], place, words, id, other[1] - one[1], other[2] - one[2]))
        assert not first
        assert not second

    def where(self, condition: Callable[[str, int, int, str], bool]) -> dict[str, Any]:
        """The numbers of some words."""
        rows = [row for row in self.rows if condition(*row[:4])]
        onset, offset = (numbers([row[column] for row in rows]) for column in (4, 5))
        return {"words": len(rows), "onset": onset, "offset": offset}

    def all(self) -> dict[str, Any]:
        """What `--json` has under `times`, without fields."""
        return {
            **self.where(lambda *_: True),
            "by_length": {
                "1-3": self.where(lambda word, *_: len(word) < 4),
                "4-6": self.where(lambda word, *_: 4 <= len(word) <= 6),
                "7+": self.where(lambda word, *_: len(word) > 6),
            },
            "by_position": {
                "first": self.where(lambda _, place, *__: place == 0),
                "last": self.where(lambda _, place, words, __: place > 0 and place == words - 1),
                "others": self.where(lambda _, place, words, __: 0 < place < words - 1),
            },
        }
