"""What the lattice readers share: the arcs of one lattice on their way into a `Lattice`.

Native parsers leave a `LatticeColumn`, and a `Fault` where they cannot go on. In order:

- `parsed`: calls a native parser; its Fault becomes an InputError.
- `words_of`: integer labels to words, by a symbol table or as their digits.
- `note_errors`: what is wrong with the lattices of a column.
- `shown`, `take_id`, `refuse_cut`: helpers for messages and fields.
- `ArcList`: of readers written in Python: collects arcs and final states as they are found. `lattice_of` makes a
  lattice of columns. `real`, `count`, `log_cost`: fields that must be numbers or probabilities.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Fault, LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.limits import item_limits, limits
from fstmetrics.support.source import Source

# Longer pieces of a damaged file tell a reader of messages nothing.
MAX_SHOWN = 40

# What a label may be that stands for a word; `is_label_number` of the native parsers says the same.
INTEGER = re.compile(r"-?[0-9]{1,10}")

_FIELD = re.compile("[^ \\t]+")

Fail = Callable[[str, int], InputError]
Numbers = npt.NDArray[np.int64]
Labels = npt.NDArray[np.int32]
Costs = npt.NDArray[np.float64]
Parsed = TypeVar("Parsed")


def parsed(source: Source, parse: Callable[[], Parsed]) -> Parsed:
    """What a native parser makes of a file.

    Raises:
        InputError: what the parser found wrong, with its place; in a last line without an end, the file may be cut off.
    """
    try:
        return parse()
    except Fault as fault:
        line, byte, message, piece = fault.args
        cut = source.is_whole and source.is_open and line == source.data.count(b"\n") + 1
        raise source.error(_worded(message, piece) + ": is the file cut off?" * cut, line, byte) from None


def shown(text: str) -> str:
    """A piece of a file, quoted and cut to a readable length, for messages."""
    return repr(text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "...")


def take_id(source: Source, id: str | None, number: int, seen: dict[str, int]) -> None:
    """Keep in which line an id is; an InputError for one that a line before has. None is no id."""
    if id is not None and seen.setdefault(id, number) != number:
        raise source.error(f"id {shown(id)} is already in line {seen[id]}", number)


def refuse_cut(source: Source, blank: bool = False) -> None:
    """Raise an InputError if the file may be cut off in its last line: half a number or word is another one.

    Args:
        source: a text file, or the last piece of one.
        blank: whether a blank line ends the last item, as in archives of several.
    """
    if not source.data.endswith(b"\n"):
        line = source.data.count(b"\n") + 1
        raise source.error(
            "no line end after the last line: is the file cut off? If it is whole, add one", line
        )
    if blank and source.data.count(b"\n", len(source.data.rstrip())) < 2:
        line = source.data.count(b"\n")
        raise source.error(
            "no blank line after the last item: is the file cut off? If it is whole, add one", line
        )


def fields_of(line: str) -> list[str]:
    """The fields of a line of a lattice in text: what stands between spaces and tabs, as for the tools of OpenFst."""
    return _FIELD.findall(line)


def note_errors(column: LatticeColumn, piece_of: Callable[[int], Source]) -> None:
    """Say in a column what is raised where a damaged lattice is asked for.

    Args:
        column: lattices as a native reader leaves them.
        piece_of: the bytes of one of them, whose errors name places in the file.
    """
    for row in column.damaged:
        if row not in column.errors:
            column.errors[row] = _error(column, row, piece_of(row))


def errors_of(column: LatticeColumn) -> dict[int, FstmetricsError]:
    """What `note_errors` has said."""
    return {row: error for row, error in column.errors.items() if isinstance(error, FstmetricsError)}


def _error(column: LatticeColumn, row: int, piece: Source) -> InputError:
    if column.is_text_damaged(row):
        try:
            _ = piece.utf8
        except InputError as error:
            return error
    if (excess := column.excess(row)) is not None:
        limit, found, word, is_id = excess
        what = "an id" if is_id else f"a word of {_name(column, row)}" if word else _name(column, row)
        unit = limit if word is None else f"bytes ({word[:20]!r}...)"
        return limits().error(limit, f"{what} has {found} {unit}", piece.path)
    line, byte, message, said = column.fault(row) or (None, None, "is damaged", b"")
    return piece.error(_worded(message, said), line, byte)


def _worded(message: str, piece: bytes) -> str:
    """A message of a native parser with the piece that it names, or the two with a zero byte between."""
    one, two, other = piece.partition(b"\0") if message.count("{}") == 2 else (piece, b"", b"")
    if two:
        message = message.replace("{}", shown(one.decode("utf-8", "replace")), 1)
    return message.replace("{}", shown((other if two else piece).decode("utf-8", "replace")))


def _name(column: LatticeColumn, row: int) -> str:
    id = column.parts(row)[0]
    return f"lattice {id[:40]!r}" if id else "lattice"


def words_of(
    keys: Sequence[int], labels: Labels, symbols: Mapping[int, str] | None, table: str, fail: Fail
) -> list[str]:
    """Words of integers; 0 is epsilon, and without a table the words are the digits.

    Args:
        keys: the integer that each label stands for.
        labels: one an arc, to find the arc of a fault.
        symbols: word of each integer.
        table: what to call the symbol table in messages.
        fail: makes the error for an arc.

    Raises:
        InputError: a negative integer, or one that the table lacks.
    """
    names = {0: ""}
    for key in sorted(set(keys) - {0}):
        word = str(key) if symbols is None else symbols.get(key)
        if key < 0 or word is None:
            problem = "is negative" if key < 0 else f"is not in the symbol table {table}"
            named = np.array([other == key for other in keys])
            raise fail(f"label {key} {problem}", int(np.argmax(named[labels])))
        names[key] = word
    return [names[key] for key in keys]


def misfit(label: str, integers: bool) -> str:
    """What to say of a label that is of another kind than the first one of a file read by a symbol table, if it is."""
    if (INTEGER.fullmatch(label) is not None) == integers:
        return ""
    kind, first = ("a word", "an integer") if integers else ("an integer", "a word")
    return (
        f"label {shown(label)} is {kind}, but the first of the file is {first}: with a symbol table (--symbols), all "
        "are integers, or all are words"
    )


# What decoders write: no digits of other scripts and no underscores, which Python's own numbers may have.
NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)
# More states, columns or nodes than this is a damaged number: no list of them is made.
MAX_COUNT = 2**31 - 2
MAX_COUNT_DIGITS = len(str(MAX_COUNT))


class ArcList:
    """The arcs of one lattice, in the order of the file.

    Args:
        states: how many states there are; 0 where the arcs tell.
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
        """An arc with a word, or a phrase, or "" for none, and its graph cost."""
        self.sources.append(source)
        self.destinations.append(destination)
        self.labels.append(self._words.setdefault(word, len(self._words)))
        self.costs.append(cost)
        self.places.append(line)

    def lattice(self, source: Source, *, id: str, start: int = 0, numbered: bool = False) -> Lattice:
        """The lattice; its states are 0 to `states` - 1, or those that arcs name if `states` is 0.

        Raises:
            InputError: a state out of range, or a cost that is no number, with its line.
        """
        columns = (
            self.sources,
            self.destinations,
            self.places,
            list(self.finals),
            list(self.finals.values()),
        )
        sources, destinations, places, finals, final_places = (
            np.array(column, dtype=np.int64) for column in columns
        )
        labels, costs = np.array(self.labels, dtype=np.int32), np.zeros((len(self), 2))
        costs[:, 0] = self.costs
        return lattice_of(
            source, id, self.words, sources, destinations, labels, costs, places, finals, final_places, start,
            self.states or None, numbered=numbered,
        )  # fmt: skip


def lattice_of(
    source: Source,
    id: str,
    words: list[str],
    sources: Numbers,
    destinations: Numbers,
    labels: Labels,
    costs: Costs,
    places: Numbers,
    finals: Numbers,
    final_places: Numbers,
    start: int,
    num_states: int | None,
    unit: Literal["line", "arc"] = "line",
    numbered: bool = False,
) -> Lattice:
    """A lattice of columns. An arc of cost +inf is none: zero probability is how "absent" is written.

    Args:
        source: the file, for messages.
        id: the lattice's.
        words: the word of each label; a word may have several.
        sources, destinations, labels: of arcs, shape [arcs].
        costs: graph and acoustic cost, shape [arcs, 2].
        places: where in the file each arc is, shape [arcs].
        finals, final_places: the final states, which cost nothing, and where they are.
        start: the start state.
        num_states: how many states were declared; None if they are known from the arcs alone.
        unit: whether places are lines, or numbers of arcs, where a file has no lines.
        numbered: whether the words are the digits of integers that no symbol table named.

    Raises:
        InputError: a state out of range or a cost that is not a number, with its place; or more than a limit.
    """
    column = LatticeColumn(Vocabulary())
    column.add_arrays(
        id, sources, destinations, labels, costs, places, finals, np.zeros((len(finals), 2)), final_places, start,
        num_states, None, unit, words, item_limits(),
    )  # fmt: skip
    note_errors(column, lambda _: source)
    lattice: Lattice = column[0]
    lattice.numbered = numbered
    return lattice


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
