"""What the lattice readers share: `ArcTable`, the columns of one lattice, and its way into a `Lattice`.

States, costs and labels are checked here, all at once and in numpy, so that the readers' loops only parse.

- `ArcTable`: columns as a reader fills them; `lattice` checks and converts.
- `words_of`: integer labels to words, by a symbol table or as their digits.
- `text_words`: the same for the labels of text formats, which may be words already.
- `shown`, `refuse_empty`, `state_number`, `cost_number`: small helpers for messages and fields.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.readers.base import Source

# The native automaton counts states in an int32, and keeps one offset more than there are states.
MAX_STATES = 2**31 - 2
# Longer pieces of a damaged file tell a reader of messages nothing.
MAX_SHOWN = 40

Fail = Callable[[str, int], InputError]


def shown(text: str) -> str:
    """A piece of a file, quoted and cut to a readable length, for messages."""
    return repr(text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "...")


def refuse_empty(source: Source) -> None:
    """Raise an InputError if the file holds nothing but white space."""
    if not source.data.strip():
        raise source.error("is empty")


def state_number(text: str) -> int:
    """A state's number in a text format. Raises ValueError with a message."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ValueError(f"a state is a non-negative integer, not {shown(text)}")
    return int(text)


def cost_number(text: str) -> float:
    """A cost in a text format; `Infinity` is one, NaN is not. Raises ValueError with a message."""
    try:
        cost = float(text)
    except ValueError:
        raise ValueError(f"a cost is a number, not {shown(text)}") from None
    if math.isnan(cost) or cost == -math.inf:
        raise ValueError(f"a cost is a number or Infinity, not {shown(text)}")
    return cost


@dataclass(slots=True)
class ArcTable:
    """The arcs and final states of one lattice, in columns.

    An arc or final state of cost +inf is none: zero probability is how OpenFst and Kaldi write "absent".

    Attributes:
        unit: whether places are lines or byte offsets.
        start: the start state; None while no state has been seen.
        num_states: how many states were declared; None if they are known from the arcs alone.
        places: where in the file each arc is; `final_places` the same of final states.
    """

    unit: Literal["line", "byte"] = "line"
    start: int | None = None
    num_states: int | None = None
    sources: list[int] = field(default_factory=list)
    destinations: list[int] = field(default_factory=list)
    graph: list[float] = field(default_factory=list)
    acoustic: list[float] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    finals: list[int] = field(default_factory=list)
    final_graph: list[float] = field(default_factory=list)
    final_acoustic: list[float] = field(default_factory=list)
    final_places: list[int] = field(default_factory=list)

    def arc(self, source: int, destination: int, graph: float, acoustic: float, place: int) -> None:
        """Add an arc; its label goes into a list of the reader's."""
        if self.start is None:
            self.start = source
        self.sources.append(source)
        self.destinations.append(destination)
        self.graph.append(graph)
        self.acoustic.append(acoustic)
        self.places.append(place)

    def final(self, state: int, graph: float, acoustic: float, place: int) -> None:
        """Add a final state."""
        if self.start is None:
            self.start = state
        self.finals.append(state)
        self.final_graph.append(graph)
        self.final_acoustic.append(acoustic)
        self.final_places.append(place)

    def fail(self, source: Source, final: bool = False) -> Fail:
        """What makes an error at an arc (or final state), given a message and its index."""
        places = self.final_places if final else self.places

        def at(message: str, index: int) -> InputError:
            return source.error(message, **{self.unit: places[index]})

        return at

    def check_states(self, source: Source) -> None:
        """Whether all arcs join states that there are.

        Raises:
            InputError: a state out of range, with its place.
        """
        for column in (self.sources, self.destinations):
            _states(column, self.num_states, self.fail(source))

    def lattice(
        self, source: Source, words: Sequence[str], *, id: str, scales: Scales | None = None
    ) -> Lattice:
        """Check everything and build the lattice.

        Args:
            source: the file, for messages.
            words: the word of each arc.
            id: the lattice's id.
            scales: the weights the file asks for.

        Raises:
            InputError: a state out of range or a cost that is not a number, with its place.
        """
        at_arc, at_final = self.fail(source), self.fail(source, final=True)
        costs = _costs(self.graph, self.acoustic, at_arc)
        final_costs = _costs(self.final_graph, self.final_acoustic, at_final)
        states = [
            _states(self.sources, self.num_states, at_arc),
            _states(self.destinations, self.num_states, at_arc),
            _states(self.finals, self.num_states, at_final),
        ]
        start, num_states = self.start or 0, self.num_states
        if num_states is None:
            start, num_states = _renumber_if_sparse(start, states)
        kept, ends = (np.flatnonzero(np.isfinite(c).all(axis=1)) for c in (costs, final_costs))
        if kept.size < len(words):
            words = [words[arc] for arc in kept.tolist()]
        try:
            return Lattice.from_arrays(
                states[0][kept], states[1][kept], words, finals=states[2][ends], start=start,
                num_states=max(num_states, 1), costs=costs[kept], final_costs=final_costs[ends],
                id=id, scales=scales,
            )  # fmt: skip
        except FstmetricsError as error:
            raise source.error(str(error)) from None


def _costs(graph: list[float], acoustic: list[float], fail: Fail) -> npt.NDArray[np.float64]:
    costs = np.array([graph, acoustic], dtype=np.float64).T.reshape(-1, 2)
    bad = np.flatnonzero((np.isnan(costs) | (costs == -np.inf)).any(axis=1))
    if bad.size:
        index = int(bad[0])
        raise fail(f"a cost is a number or Infinity, not {costs[index].tolist()}", index)
    return costs


def _states(numbers: list[int], num_states: int | None, fail: Fail) -> npt.NDArray[np.int64]:
    limit = MAX_STATES if num_states is None else num_states
    try:
        column = np.array(numbers, dtype=np.int64)
    except OverflowError:
        column = np.array([min(n, MAX_STATES) for n in numbers], dtype=np.int64)
    bad = np.flatnonzero((column < 0) | (column >= limit))
    if bad.size:
        index = int(bad[0])
        raise fail(f"state {numbers[index]} is out of range: there are {limit} states at most", index)
    return column


def _renumber_if_sparse(start: int, states: list[npt.NDArray[np.int64]]) -> tuple[int, int]:
    """Close the gaps if few of the numbers up to the highest are in use: a typo must not cost gigabytes."""
    named = np.concatenate([np.array([start], dtype=np.int64), *states])
    highest = int(named.max())
    if highest < 2 * named.size:
        return start, highest + 1
    used, dense = np.unique(named, return_inverse=True)
    states[:] = np.split(dense[1:], np.cumsum([column.size for column in states[:-1]]))
    return int(dense[0]), used.size


def words_of(labels: Sequence[int], symbols: Mapping[int, str] | None, table: str, fail: Fail) -> list[str]:
    """Words of integer labels; label 0 is epsilon, and without a table the words are the digits.

    Args:
        labels: one an arc.
        symbols: word of each integer.
        table: what to call the symbol table in messages.
        fail: makes the error for an arc.

    Raises:
        InputError: a negative label, or one that the table lacks.
    """
    names = {0: ""}
    for label in sorted(set(labels) - {0}):
        word = str(label) if symbols is None else symbols.get(label)
        if label < 0 or word is None:
            problem = "is negative" if label < 0 else f"is not in the symbol table {table}"
            raise fail(f"label {label} {problem}", list(labels).index(label))
        names[label] = word
    return [names[label] for label in labels]


def text_words(
    labels: Sequence[str], all_integers: bool, symbols: Mapping[int, str] | None, table: str, fail: Fail
) -> list[str]:
    """Words of the labels of a text format, where integers and words may both stand.

    Args:
        labels: one an arc.
        all_integers: whether every label of the file is an integer; if not, all are words as they stand.
        symbols: word of each integer.
        table: what to call the symbol table in messages.
        fail: makes the error for an arc.

    Raises:
        InputError: a label that the table lacks.
    """
    if not all_integers:
        return list(labels)
    return words_of([int(label) for label in labels], symbols, table, fail)


def is_label_number(label: str) -> bool:
    """Whether a label of a text format is an integer."""
    # No int32 has more than ten digits, and `int` refuses numbers of some thousand digits.
    return label.isascii() and label.isdigit() and len(label) <= 10
