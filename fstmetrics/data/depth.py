"""How many arcs lie side by side over time: `Depth` of a lattice, which `depth_of` finds; `DepthColumn` of many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fstmetrics._native import Automaton
from fstmetrics.data.symbols import EPSILON
from fstmetrics.data.times import Durations, Times
from fstmetrics.support.json_text import finite


@dataclass(frozen=True)
class Depth:
    """Arcs side by side, as a step function of time.

    Attributes:
        unit: what time is counted in: `seconds` or `frames` where the format has them, else `words`: then a state's
            time is the most words on a path to it, so that every path passes every word position once.
        times: where the number changes, in order; shape [steps + 1].
        arcs: how many arcs lie between each time and the next; shape [steps].
        untimed: arcs left out because a state of theirs has no time, or because time would run backwards.
    """

    unit: Literal["seconds", "frames", "words"]
    times: tuple[float, ...]
    arcs: tuple[int, ...]
    untimed: int = 0

    @property
    def mean(self) -> float:
        """The mean over time; nan for a lattice that takes no time."""
        steps = np.diff(self.times)
        return float((np.array(self.arcs) * steps).sum() / steps.sum()) if len(self.arcs) else math.nan

    @property
    def max(self) -> int:
        """The most at any time."""
        return max(self.arcs, default=0)

    def as_dict(self) -> dict[str, Any]:
        """By the names of records."""
        return {
            "unit": self.unit, "mean": finite(self.mean), "max": self.max,
            "times": list(self.times), "arcs": list(self.arcs), "untimed": self.untimed,
        }  # fmt: skip


def depth_of(automaton: Automaton, times: Times | Durations | None) -> Depth:
    """The depth of a lattice over time, over the arcs that are on a path from its start to an end.

    An arc lies from the time of the state that it leaves to that of the state that it enters, whatever its word,
    silence included. By word position only arcs with words lie anywhere.

    Args:
        automaton: of the lattice, without a cycle.
        times: as of a lattice.

    >>> from fstmetrics.data.lattice import Lattice
    >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    >>> lattice.depth
    Depth(unit='words', times=(0.0, 1.0, 2.0), arcs=(2, 1), untimed=0)
    """
    useful = automaton.prepared()
    if isinstance(times, Times):
        # Arcs in the order of the prepared automaton; any order would do.
        begins = times.of_state[automaton.sources[useful.origins]]
        ends = times.of_state[automaton.destinations[useful.origins]]
        timed = ends >= begins  # false where either is nan
        return _stacked(begins[timed], ends[timed], times.unit, int((~timed).sum()))
    lengths = (automaton.labels != EPSILON) if times is None else times.of_arc
    longest = useful.longest_before(lengths.astype(np.int64)).astype(np.float64)
    some = lengths[useful.origins] > 0
    begins, ends = longest[useful.sources[some]], longest[useful.destinations[some]]
    return _stacked(begins, ends, times.unit if times else "words", 0)


def _stacked(
    begins: np.ndarray[Any, Any],
    ends: np.ndarray[Any, Any],
    unit: Literal["seconds", "frames", "words"],
    untimed: int,
) -> Depth:
    longer = ends > begins
    times, place = np.unique(np.concatenate([begins[longer], ends[longer]]), return_inverse=True)
    change = np.zeros(times.size, dtype=np.int64)
    half = int(longer.sum())
    np.add.at(change, place[:half], 1)
    np.add.at(change, place[half:], -1)
    return Depth(unit, tuple(times.tolist()), tuple(np.cumsum(change)[:-1].tolist()), untimed)


UNITS: tuple[Literal["seconds", "frames", "words"], ...] = ("seconds", "frames", "words")


class DepthColumn:
    """The depths of many lattices; each as of `depth_of`.

    Args:
        column: what `LatticeColumn.depths` found.

    Attributes:
        units: of each, a place in `UNITS`.
        times, offsets: all times, and where those of each begin, with the end.
        arcs, steps: likewise, of arcs side by side.
        untimed: of each.
        means, most: of each; nan and 0 where there is no time.
    """

    def __init__(self, column: tuple[Any, Any, Any, Any, Any]) -> None:
        self.units, self.offsets, self.times, self.arcs, self.untimed = column
        numbers = np.diff(self.offsets)
        self.steps = np.concatenate([[0], np.cumsum(np.maximum(numbers - 1, 0))])
        self.means = np.full(len(numbers), math.nan)
        self.most = np.zeros(len(numbers), dtype=np.int64)
        for row in np.flatnonzero(numbers > 1).tolist():
            arcs, lengths = self._arcs(row), np.diff(self._times(row))
            self.means[row] = (arcs * lengths).sum() / lengths.sum()
            self.most[row] = arcs.max()

    def __len__(self) -> int:
        return len(self.units)

    @staticmethod
    def unit(number: int) -> str:
        """The name of a unit."""
        return UNITS[number]

    def __getitem__(self, row: int) -> Depth:
        times, arcs = tuple(self._times(row).tolist()), tuple(self._arcs(row).tolist())
        return Depth(UNITS[self.units[row]], times, arcs, int(self.untimed[row]))

    def _times(self, row: int) -> Any:
        begin, end = self.offsets[row : row + 2].tolist()
        return self.times[begin:end]

    def _arcs(self, row: int) -> Any:
        begin, end = self.steps[row : row + 2].tolist()
        return self.arcs[begin:end]

    @property
    def spans(self) -> Any:
        """How much time each takes."""
        taken = np.diff(self.offsets) > 0
        spans = np.zeros(len(taken))
        spans[taken] = self.times[self.offsets[1:][taken] - 1] - self.times[self.offsets[:-1][taken]]
        return spans
