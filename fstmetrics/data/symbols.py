"""Words and their labels: the int32 that stands for a word on an arc. Label 0 is epsilon, no word at all.

The arcs of an automaton with their words in place of labels: `labelled_arcs`, and `leaving`, by the states they leave.

A word is what stands between white space, as in text, which is what `str.split` parts text at. A symbol with white
space in it is a phrase: an arc with a phrase becomes an arc for each of its words, one behind the other; the first has
the costs and all of the time. `formats/lattice_draft.cc` does the same with what files hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fstmetrics import _native
from fstmetrics._native import Automaton, are_words
from fstmetrics.data.times import Durations, Times
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt

    Labels = npt.NDArray[np.int32]

T = TypeVar("T")
EPSILON = 0
# Words that stand for no word in one lattice format or another, and are words in no language; the list is
# `native/text/epsilon_names.h`.
EPSILON_WORDS = frozenset(_native.epsilon_names())
# The word on arcs of references that takes any one word of the hypothesis; on a loop, any number. No text has it.
WILDCARD = _native.wildcard()
# Sentence boundaries (<s>, </s>, !SENT_START, !SENT_END, !ENTER, !EXIT): never counted as words, on either side.
SENTENCE_MARKERS = frozenset(_native.sentence_markers())
# What Python, numpy, pandas, R and databases write for what is missing. native/formats/table_rows.cc has the same.
NOTHING = frozenset(("nan", "NaN", "NaT", "None", "null", "NULL", "NA", "<NA>"))


class SymbolTable:
    """An immutable, dense numbering of words from 1; word 0 is the empty string, epsilon.

    >>> table = SymbolTable(["the", "cat"])
    >>> table.label("cat"), table.words[2], table.label("dog")
    (2, 'cat', None)
    """

    __slots__ = ("_index", "_row", "_words")

    _words: tuple[str, ...] | None
    _index: dict[str, int] | None
    _row: tuple[_native.LatticeColumn, int] | None

    def __init__(self, words: Iterable[str]) -> None:
        self._words = ("", *words)
        self._index = {word: label for label, word in enumerate(self._words)}
        self._row = None
        if len(self._index) != len(self._words):
            raise FstmetricsError("a symbol table needs distinct words, none of them empty")

    @classmethod
    def of_row(cls, column: _native.LatticeColumn, row: int) -> SymbolTable:
        """The words of a lattice of a column, made when they are looked at."""
        table = cls.__new__(cls)
        table._words = table._index = None
        table._row = column, row
        return table

    @property
    def is_of_row(self) -> bool:
        """Whether it is of a lattice of a column."""
        return self._row is not None

    @property
    def words(self) -> tuple[str, ...]:
        """The words by label; the first is "", epsilon."""
        if self._words is None:
            column, row = self._row  # type: ignore[misc]  # without words there is a row
            self._words = column.words(row)
        return self._words

    @classmethod
    def intern(cls, words: Iterable[str]) -> tuple[SymbolTable, Labels]:
        """Number words as they come, repeated ones once; "" becomes epsilon.

        Returns:
            The table, and the label of every word given, shape [number of words].
        """
        index = {"": EPSILON}
        labels = [index.setdefault(word, len(index)) for word in words]
        table = cls.__new__(cls)
        table._words = tuple(index)
        table._index = index
        table._row = None
        return table, np.array(labels, dtype=np.int32)

    @property
    def index(self) -> Mapping[str, int]:
        """Label of every word, "" included."""
        if self._index is None:
            self._index = {word: label for label, word in enumerate(self.words)}
        return self._index

    def label(self, word: str) -> int | None:
        """The word's label, or None if it has none."""
        return self.index.get(word)

    def __len__(self) -> int:
        return len(self.words)

    def __reduce__(self) -> tuple[type[SymbolTable], tuple[tuple[str, ...]]]:
        return SymbolTable, (self.words[1:],)

    def __repr__(self) -> str:
        return f"SymbolTable({counted(len(self.words) - 1, 'word')})"


def labelled_arcs(automaton: _native.Automaton, words: Sequence[T]) -> Iterator[tuple[int, int, T]]:
    """The arcs of an automaton, each from, to, and what its label stands for, in their order."""
    columns = automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist()
    return ((source, destination, words[label]) for source, destination, label in zip(*columns, strict=True))


def leaving(arcs: Iterable[tuple[int, int, T]]) -> dict[int, list[tuple[int, T]]]:
    """Where the arcs of each state lead, and their words."""
    found: dict[int, list[tuple[int, T]]] = {}
    for source, destination, word in arcs:
        found.setdefault(source, []).append((destination, word))
    return found


def words_of(words: Sequence[str]) -> tuple[str, ...]:
    """A sentence's words, given as words and phrases.

    >>> words_of(["good morning", "sir"])
    ('good', 'morning', 'sir')
    """
    words = tuple(words)
    return words if are_words(words) else tuple(" ".join(words).split())


def is_phrase(word: object) -> bool:
    """Whether something is a string with white space in it, and not the wildcard.

    >>> is_phrase("good morning"), is_phrase("good"), is_phrase("")
    (True, False, False)
    """
    return isinstance(word, str) and word not in ("", WILDCARD) and word.split() != [word]


def has_phrases(words: Sequence[str]) -> bool:
    """Whether some of these are phrases."""
    return not are_words(words) and any(map(is_phrase, words))


def split_arcs(
    arcs: Sequence[tuple[int, int, Any]], states: int
) -> tuple[list[tuple[int, int, Any]], list[int]]:
    """The arcs of which each has a word at most, further states numbered from `states`.

    Returns:
        The arcs, and for each the place of the one that it was, or -1 where that has gone on.

    >>> split_arcs([(0, 1, "good morning"), (1, 2, "sir")], 3)
    ([(0, 3, 'good'), (3, 1, 'morning'), (1, 2, 'sir')], [0, -1, 1])
    """
    made: list[tuple[int, int, Any]] = []
    came_from: list[int] = []
    for place, (source, destination, token) in enumerate(arcs):
        words: Sequence[Any] = (
            (token.split() or [""]) if isinstance(token, str) and is_phrase(token) else [token]
        )
        path = [source, *range(states, states + len(words) - 1), destination]
        states += len(words) - 1
        made += zip(path, path[1:], words, strict=False)
        came_from += [place, *[-1] * (len(words) - 1)]
    return made, came_from


def split_automaton(
    automaton: Automaton, symbols: SymbolTable, times: Times | Durations | None
) -> tuple[Automaton, SymbolTable, Times | Durations | None]:
    """The same of a lattice with phrases.

    Args:
        automaton: the arcs.
        symbols: their words.
        times: of its states or arcs.
    """
    arcs, came_from = split_arcs([*labelled_arcs(automaton, symbols.words)], automaton.num_states)
    states = 1 + max([automaton.num_states - 1, *(max(a, b) for a, b, _ in arcs)])
    has_gone_on = np.array(came_from) < 0
    whole = set(symbols.words)
    names, labels = SymbolTable.intern(
        "" if word in EPSILON_WORDS and word not in whole else word for *_, word in arcs
    )
    sources, destinations = (np.array([arc[i] for arc in arcs], dtype=np.int32) for i in (0, 1))
    costs = automaton.arc_costs[came_from]
    costs[has_gone_on] = 0.0
    made = Automaton(
        states, automaton.start, sources, labels, destinations, automaton.finals,
        *((costs, automaton.final_costs) if automaton.has_costs else (None, None)),
    )  # fmt: skip
    # The engine sorts arcs by the state that they leave, and leaves them in order otherwise.
    order = np.argsort(sources, kind="stable")
    if isinstance(times, Durations):
        durations = np.where(has_gone_on, 0, np.asarray(times.of_arc)[came_from])
        times = Durations(durations[order], times.unit)
    elif times is not None:
        times = Times(_continued(times.of_state, arcs, states), times.unit)
    return made, names, times


def _continued(
    times: npt.NDArray[np.float64], arcs: Sequence[tuple[int, int, object]], states: int
) -> npt.NDArray[np.float64]:
    """Times of more states: one inside of a phrase has that of the phrase's end."""
    of_state = np.concatenate([times, np.full(states - len(times), np.nan)])
    for source, destination, _ in reversed(arcs):
        if source >= len(times):
            of_state[source] = of_state[destination]
    return of_state
