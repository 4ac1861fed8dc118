"""What readers written in Python share: `ArcList`, the arcs of one lattice as they are found, and numbers of text.

- `ArcList`: collects arcs and final states, splits phrases, and makes a lattice through `ArcTable`, which checks.
- `real`, `count`: fields that must be numbers. `log_cost`: a probability as a cost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from fstmetrics.lattice import Lattice
from fstmetrics.readers.arcs import ArcTable, shown
from fstmetrics.readers.base import Source
from fstmetrics.scales import Scales

# What decoders write: no digits of other scripts and no underscores, which Python's own numbers may have.
NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)
# More states, columns or nodes than this is a damaged number: no list of them is made.
MAX_COUNT = 2**31 - 2
MAX_COUNT_DIGITS = len(str(MAX_COUNT))


class ArcList:
    """The arcs of one lattice, in the order of the file.

    Args:
        states: how many states the file itself names; those inside of phrases are numbered from there.
    """

    def __init__(self, states: int = 0) -> None:
        self.states = states
        self.sources: list[int] = []
        self.destinations: list[int] = []
        self.labels: list[int] = []
        self.costs: list[float] = []  # graph costs; none of the formats has acoustic ones beside them
        self.places: list[int] = []
        self.finals: dict[int, int] = {}  # each with its line
        self._words: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def words(self) -> list[str]:
        """The word of each label."""
        return list(self._words)

    def add(self, source: int, destination: int, word: str, cost: float, line: int) -> None:
        """An arc with a word, or with "" for none, and its graph cost."""
        self.sources.append(source)
        self.destinations.append(destination)
        self.labels.append(self._words.setdefault(word, len(self._words)))
        self.costs.append(cost)
        self.places.append(line)

    def add_phrase(self, source: int, destination: int, words: Sequence[str], cost: float, line: int) -> None:
        """A phrase as one arc a word; the first carries the cost."""
        for word in words[:-1]:
            self.add(source, self.states, word, cost, line)
            source, cost = self.states, 0.0
            self.states += 1
        self.add(source, destination, words[-1] if words else "", cost, line)

    def lattice(
        self, source: Source, *, id: str, start: int = 0, scales: Scales | None = None, numbered: bool = False
    ) -> Lattice:
        """The lattice; its states are 0 to `states` - 1, or those that arcs name if `states` is 0.

        Raises:
            InputError: a state out of range, or a cost that is no number, with its line.
        """
        finals, final_places = list(self.finals), list(self.finals.values())
        costs = np.zeros((len(self), 2))
        costs[:, 0] = self.costs
        table = ArcTable(
            np.array(self.sources, dtype=np.int64), np.array(self.destinations, dtype=np.int64),
            np.array(self.labels, dtype=np.int32), costs, np.array(self.places, dtype=np.int64),
            np.array(finals, dtype=np.int64), np.zeros((len(finals), 2)),
            np.array(final_places, dtype=np.int64), start, self.states or None,
        )  # fmt: skip
        return table.lattice(source, self.words, id=id, scales=scales, numbered=numbered)


def real(text: str) -> float:
    """A finite number. Raises ValueError with a message."""
    if NUMBER.fullmatch(text) is None or math.isinf(value := float(text)):
        raise ValueError(f"expected a number, not {shown(text)}")
    return value


def count(text: str, what: str) -> int:
    """How many there are of something, or the number of one. Raises ValueError with a message."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected {what}, a non-negative integer, not {shown(text)}")
    digits = text.lstrip("0") or "0"
    if len(digits) > MAX_COUNT_DIGITS or int(digits) > MAX_COUNT:
        raise ValueError(f"expected {what}, and {shown(text)} is too large: at most {MAX_COUNT}")
    return int(digits)


def log_cost(text: str) -> float:
    """The cost -ln p of a probability or posterior p; none at all, +inf, of 0. Raises ValueError with a message.

    Sums of posteriors may be above 1, by rounding or because nothing normalised them.
    """
    value = real(text)
    if value < 0:
        raise ValueError(f"a probability is not negative, as {shown(text)} is")
    return 0.0 - math.log(value) if value else math.inf
