"""What a word is: what stands between white space, as in text. A symbol with white space in it is a phrase.

An arc with a phrase becomes an arc for each of its words, one behind the other; the first has the costs and all of the
time. `formats/lattice_draft.cc` does the same with what files hold. White space is what `str.split` parts text at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import Automaton, are_words
from fstmetrics.data.symbols import EPSILON_WORDS, WILDCARD, SymbolTable, labelled_arcs
from fstmetrics.data.times import Durations, Times

if TYPE_CHECKING:
    import numpy.typing as npt


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
