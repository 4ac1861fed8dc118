"""The arcs of one lattice in columns of numpy, whose states are checked: for the referees of native parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from fstmetrics._native import LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.times import Times
from fstmetrics.io.arcs import ArcList, Costs, Fail, Labels, Numbers, note_errors
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source

# The native automaton counts states in an int32, and keeps one offset more than there are states.
MAX_STATES = 2**31 - 2


@dataclass(slots=True)
class ArcTable:
    """The arcs and final states of one lattice, in columns.

    An arc or final state of cost +inf is none: zero probability is how OpenFst and Kaldi write "absent".

    Attributes:
        sources, destinations: states, shape [arcs].
        labels: of each arc, shape [arcs]; what they stand for is up to the reader.
        costs: graph and acoustic cost, shape [arcs, 2].
        places: where in the file each arc is, shape [arcs].
        finals, final_costs, final_places: the same of final states.
        start: the start state.
        num_states: how many states were declared; None if they are known from the arcs alone.
        unit: whether places are lines, byte offsets, or numbers of arcs, where a file has neither.
        frames: how many each arc takes, shape [arcs]; None where the format does not say.
    """

    sources: Numbers
    destinations: Numbers
    labels: Labels
    costs: Costs
    places: Numbers
    finals: Numbers
    final_costs: Costs
    final_places: Numbers
    start: int = 0
    num_states: int | None = None
    unit: Literal["line", "byte", "arc"] = "line"
    frames: Labels | None = None

    def fail(self, source: Source, final: bool = False) -> Fail:
        """What makes an error at an arc (or final state), given a message and its index."""
        places = self.final_places if final else self.places

        def at(message: str, index: int) -> InputError:
            place = int(places[index])
            if self.unit == "arc":
                return source.error(f"arc {place}: {message}")
            return source.error(message, **{self.unit: place})

        return at

    def check_states(self, source: Source) -> None:
        """Whether all arcs join states that there are.

        Raises:
            InputError: a state out of range, with its place.
        """
        for column in (self.sources, self.destinations):
            _check_states(column, self.num_states, self.fail(source))

    def lattice(
        self,
        source: Source,
        words: Sequence[str],
        *,
        id: str,
        scales: Scales | None = None,
        times: Times | None = None,
        numbered: bool = False,
        vocabulary: Vocabulary | None = None,
    ) -> Lattice:
        """Check everything and build the lattice.

        Args:
            source: the file, for messages.
            words: the word of each label; a word may have several.
            id: the lattice's id.
            scales: the weights the file asks for.
            times: when the lattice is in each of `num_states` states.
            numbered: whether the words are the digits of integers that no symbol table named.
            vocabulary: the words of the run.

        Raises:
            InputError: a state out of range or a cost that is not a number, with its place; or more than a limit.
        """
        column = LatticeColumn(vocabulary or Vocabulary())
        column.add_arrays(
            id, _longs(self.sources), _longs(self.destinations), np.ascontiguousarray(self.labels, np.int32),
            _doubles(self.costs), _longs(self.places), _longs(self.finals), _doubles(self.final_costs),
            _longs(self.final_places), self.start, self.num_states,
            None if self.frames is None else np.ascontiguousarray(self.frames, np.int32), self.unit,
            words if isinstance(words, list) else list(words), item_limits(),
            None if times is None else _doubles(times.of_state), "seconds" if times is None else times.unit,
        )  # fmt: skip
        note_errors(column, lambda _: source)
        lattice: Lattice = column[0]
        if scales is not None:
            lattice.scales = scales
        lattice.numbered = numbered
        return lattice


def _longs(values: npt.NDArray[np.integer]) -> Numbers:
    return np.ascontiguousarray(values, dtype=np.int64)


def _doubles(values: Costs) -> Costs:
    return np.ascontiguousarray(values, dtype=np.float64)


def _check_states(column: Numbers, num_states: int | None, fail: Fail) -> None:
    limit = MAX_STATES if num_states is None else num_states
    if column.size and not (column.min() >= 0 and column.max() < limit):
        index = int(np.flatnonzero((column < 0) | (column >= limit))[0])
        raise fail(f"state {column[index]} is out of range: there are {limit} states at most", index)


def table_of(arcs: ArcList, start: int) -> ArcTable:
    """The arcs and final states of a list in columns."""
    finals, final_places = list(arcs.finals), list(arcs.finals.values())
    costs = np.zeros((len(arcs), 2))
    costs[:, 0] = arcs.costs
    return ArcTable(
        np.array(arcs.sources, dtype=np.int64), np.array(arcs.destinations, dtype=np.int64),
        np.array(arcs.labels, dtype=np.int32), costs, np.array(arcs.places, dtype=np.int64),
        np.array(finals, dtype=np.int64), np.zeros((len(finals), 2)),
        np.array(final_places, dtype=np.int64), start, arcs.states or None,
    )  # fmt: skip
