"""Numbers as they are written: which marks beside them count, and which words are parts of one number.

`20%`, `-10`, `#10` and `.5` are other numbers than 20, 10 and 5; `(20)`, `"20"` and `20,` are not. `1 200` is one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from fstmetrics._native import Automaton

# Marks that may stand before and behind a number and leave it as it is, beside brackets and quotes.
OPENING = frozenset("\"'¿¡")
CLOSING = frozenset("\"'.,;:!?…")
# Marks that make another number of one, also as words of their own.
SIGNS_BEFORE = frozenset("#-\u2010\u2011\u2012\u2013\u2212+±§@*№")
SIGNS_BEHIND = frozenset("%\uff05‰‱°′″")

DIGIT = re.compile(r"\d")
# The parts of 1 200 and 1 200 300.
LEAD = re.compile(r"(?:^|.*\D)\d{1,3}", re.DOTALL)
GROUP = re.compile(r"\d{3}(?!\d)")
BEGINS = re.compile(r"\W*\d")


def same_number(word: str, reading: str) -> bool:
    """Whether a word without some marks at its ends is the same number; of words without digits always.

    >>> [same_number(word, "20") for word in ("(20)", "20,", "20%", "-20", ".20")]
    [True, True, False, False, False]
    """
    if not DIGIT.search(word):
        return True
    before, _, behind = word.partition(reading)
    return all(c in OPENING or _encloses(c) for c in before) and all(
        c in CLOSING or _encloses(c) for c in behind
    )


def _encloses(character: str) -> bool:
    return unicodedata.category(character) in ("Ps", "Pe", "Pi", "Pf")


def _divides(marks: str) -> bool:
    return not CLOSING.isdisjoint(marks) and not any(map(str.isalnum, marks))


class Beside:
    """The words that stand beside the states of an automaton."""

    def __init__(self, machine: Automaton, words: Sequence[str]) -> None:
        self._arcs: tuple[dict[int, list[tuple[str, int]]], dict[int, list[tuple[str, int]]]] = ({}, {})
        columns = (each.tolist() for each in (machine.sources, machine.labels, machine.destinations))
        for source, label, destination in zip(*columns, strict=True):
            self._arcs[0].setdefault(destination, []).append((words[label], source))
            self._arcs[1].setdefault(source, []).append((words[label], destination))
        self.before = cache(lambda state: self._words(self._arcs[0], state))
        self.behind = cache(lambda state: self._words(self._arcs[1], state))

    @staticmethod
    def _words(arcs: Mapping[int, list[tuple[str, int]]], state: int) -> frozenset[str]:
        found, seen, left = set(), {state}, [state]
        while left:
            for word, other in arcs.get(left.pop(), ()):
                if word:
                    found.add(word)
                elif other not in seen:
                    seen.add(other)
                    left.append(other)
        return frozenset(found)

    def divided(self, begin: int, end: int, covered: Sequence[str]) -> bool:
        """Whether every path between two states has marks between these words: twenty, five."""
        left = [(begin, 0)]
        while left:
            state, read = left.pop()
            if state == end and read == len(covered):
                return False
            arcs = self._arcs[1].get(state, ())
            for word, other in arcs:
                beside = [form for form, destination in arcs if destination == other and form != word]
                if not word:
                    if not any(map(_divides, beside)):
                        left.append((other, read))
                elif read < len(covered) and word == covered[read]:
                    around = [form.partition(word) for form in beside if word in form]
                    first, last = read == 0, read + 1 == len(covered)
                    dot = "." if len(word) < 3 and word.isalpha() else ""  # F. B. I.
                    if not any(
                        (before and not first) or (_divides(behind.strip(dot)) and not last)
                        for before, _, behind in around
                    ):
                        left.append((other, read + 1))
        return True

    def splits(self, begin: int, end: int, covered: Sequence[str]) -> bool:
        """Whether words between two states are part of a number whose groups stand apart, 1 200."""
        first, last = covered[0], covered[-1]
        return (
            GROUP.match(first) is not None and any(LEAD.fullmatch(word) for word in self.before(begin))
        ) or (LEAD.fullmatch(last) is not None and any(GROUP.match(word) for word in self.behind(end)))

    def signed(self, begin: int, end: int, covered: Sequence[str]) -> bool:
        """Whether a word beside words between two states is a mark that makes another number of them: 20 %."""
        return any(SIGNS_BEHIND.issuperset(word) for word in self.behind(end)) or (
            BEGINS.match(covered[0]) is not None
            and any(SIGNS_BEFORE.issuperset(word) for word in self.before(begin))
        )
