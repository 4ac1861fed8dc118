"""Values of one kind as values of another: `as_sentence`, `as_nbest`, `as_lattice`, `as_graph`, `as_network`.

All take a value, what the format carries, and a function that is told what is lost. Of networks a sentence is the best
path; where a format of lattices has no room for calls, they come as their expansions. `as_timed` has words with the
times at which they were said; `times_to_write` when a lattice is in its states, for formats that say it in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Automaton
from fstmetrics.data.cards import Call
from fstmetrics.data.lattice import Lattice, word_arcs
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import ONLY, TimedWord, TimedWords
from fstmetrics.data.shaping import HAS_CYCLE
from fstmetrics.data.symbols import EPSILON_WORDS, SENTENCE_MARKERS
from fstmetrics.data.times import Durations, Times
from fstmetrics.data.transcripts import Transcript
from fstmetrics.io.formats.ctm import MARKS
from fstmetrics.io.formats.trn import written
from fstmetrics.io.items import Item
from fstmetrics.io.writing import Carries
from fstmetrics.io.written_words import checked_id
from fstmetrics.networks.automata import from_lattice
from fstmetrics.networks.calls import bottom_up
from fstmetrics.support.errors import FstmetricsError

# Takes the name of something that is lost.
Lose = Callable[[str], None]
Spans = npt.NDArray[np.float64]


def as_sentence(value: Any, carries: Carries, lose: Lose) -> Any:
    """Words, or a Transcript where choices can be written; of several paths the best."""
    if isinstance(value, tuple) or (isinstance(value, Transcript) and carries.choices):
        return value
    if isinstance(value, NBest):
        if len(value.entries) > 1:
            lose("all entries but the first")
        if value.scores is not None:
            lose("scores")
        return value.entries[0]
    if isinstance(value, Transcript):
        if len(value.choices) > len(value.optional):
            lose("all alternatives but the first")
        words = _first_words(value)
    else:
        lose_all_but_the_best(value, lose)
        words = _all_words(value)
    if not SENTENCE_MARKERS.isdisjoint(words):
        lose("sentence markers")
    return tuple(word for word in words if word not in SENTENCE_MARKERS)


def _first_words(transcript: Transcript) -> tuple[str, ...]:
    """The words of the first alternatives, of those that have words."""
    arcs: dict[int, tuple[int, str]] = {}
    for state, after, word in word_arcs(transcript.lattice):
        arcs.setdefault(state, (after, word))
    words, state = [], transcript.lattice.automaton.start
    while state in arcs:
        state, word = arcs[state]
        words.append(word)
    return tuple(filter(None, words))


def lose_all_but_the_best(value: Lattice | Network, lose: Lose) -> None:
    """Name what is lost where only the best path of a lattice or network is kept."""
    if not _is_one_path(value):
        lose("all paths but the best")
    if has_costs(value):
        lose("costs")


def has_costs(value: Lattice | Network) -> bool:
    """Whether any path costs something."""
    return (value if isinstance(value, Network) else value.automaton).has_costs


def _is_one_path(value: Lattice | Network) -> bool:
    """Whether there is no choice between arcs, or an arc and an end."""
    if isinstance(value, Lattice):
        return _is_chain(value.prepared)
    cards = value.rtn.cards
    return all(_is_chain(cards[card]) for card in bottom_up(value.rtn))


def _is_chain(automaton: Automaton) -> bool:
    return len(automaton.finals) == 1 and automaton.num_arcs == automaton.num_states - 1


def _all_words(value: Lattice | Network) -> tuple[str, ...]:
    """The words on the best path, markers of sentence boundaries among them."""
    if isinstance(value, Network):
        tokens = (value.cards[name].arcs[arc][2] for name, arc in value.best_path().arcs)
        return tuple(token for token in tokens if token and not isinstance(token, Call))
    labels = value.automaton.labels[list(value.best_path().arcs)].tolist()
    return tuple(value.symbols.words[label] for label in labels if label)


def as_nbest(value: Any, carries: Carries, lose: Lose) -> NBest:
    """A ranked list: a list as it is, anything else as a list of one entry."""
    if isinstance(value, NBest):
        if value.scores is not None and not carries.scores:
            lose("scores")
        return value
    words = as_sentence(value, carries, lose)
    return NBest(getattr(value, "id", ""), (words,), (" ".join(words),))


def as_graph(value: Any, carries: Carries, lose: Lose) -> Lattice | Network:
    """A network as it is, where the format has room for its calls; anything else as an automaton."""
    return value if isinstance(value, Network) else as_lattice(value, carries, lose)


def as_lattice(value: Any, carries: Carries, lose: Lose) -> Lattice:
    """An automaton: of a sentence one path, of a list a path an entry."""
    if isinstance(value, Lattice):
        lattice = value
    elif isinstance(value, Transcript):
        lattice = value.lattice
    elif isinstance(value, NBest):
        lattice = _of_entries(value, carries, lose)
    else:
        _check(value)
        arcs = [(i, i + 1, word) for i, word in enumerate(value)]
        lattice = Lattice.from_arcs(arcs, finals=[len(value)])
    if carries.acyclic and not lattice.prepared.sorted:
        raise FstmetricsError(HAS_CYCLE)
    return lattice


def _check(words: Iterable[str]) -> None:
    for word in words:
        if word in EPSILON_WORDS:
            raise FstmetricsError(f"the word {word!r} means no word in lattice formats; give it another name")


def _of_entries(nbest: NBest, carries: Carries, lose: Lose) -> Lattice:
    """A path an entry, whose final state costs what the entry's score says: a log probability, higher is better."""
    _check(word for words in nbest.entries for word in words)
    if nbest.scores is None or carries.costs == "none":
        if len(nbest.entries) > 1:
            lose("ranks")
        if nbest.scores is not None:
            lose("scores")
        return nbest.lattice()
    if not np.isfinite(nbest.scores).all():
        raise FstmetricsError("a score is not a finite number")
    if any(first < second for first, second in pairwise(nbest.scores)):
        lose("ranks, which are not those of the scores")
    arcs, finals, state = [], [], 0
    for words in nbest.entries:
        source = 0
        # An entry begins without a word, so that an empty one has an end of its own.
        for word in ("", *words):
            state += 1
            arcs.append((source, state, word))
            source = state
        finals.append(state)
    sources, destinations, words_of_arcs = zip(*arcs, strict=True)
    costs = np.stack([0.0 - np.array(nbest.scores), np.zeros(len(finals))], axis=1)
    return Lattice.from_arrays(
        sources, destinations, words_of_arcs, finals=finals, final_costs=costs, id=nbest.id
    )


def as_network(value: Lattice | Network | Any, carries: Carries, lose: Lose) -> Network:
    """A network: of anything but a network one card."""
    if not isinstance(value, Network):
        return from_lattice(as_lattice(value, carries, lose), carries.costs == "apart")
    if carries.costs == "none" and value.has_costs:
        lose("costs")
        return as_network(value.without_costs(), carries, lose)
    if carries.spans or not has_source(value):
        return value
    lose("source spans")
    return Network([replace(card, span=None) for card in value.cards.values()], value.root, id=value.id)


def has_source(network: Network) -> bool:
    """Whether the network says which source words it translates."""
    return network.source is not None or any(card.span is not None for card in network.cards.values())


def as_timed(item: Item, frame_length: float | None, lose: Lose) -> TimedWords:
    """Words with times as they are; of a lattice those of its best path, its id as file.

    A word begins and ends with the states of its arc. Where arcs have durations, it begins after those before it on the
    path.

    Args:
        item: whose value it is.
        frame_length: seconds a frame.
        lose: told of what is lost.

    Raises:
        FstmetricsError: there are no times, or none of some word; times are in frames, and nobody says how long these
            are; or an id or a word that the format cannot hold.
    """
    value = item.value
    if isinstance(value, TimedWords):
        return value
    if isinstance(item.timed, TimedWords) and item.timed.has_own_times:
        return item.timed
    if not isinstance(value, Lattice) or value.times is None or not says_something(value.times):
        raise FstmetricsError(
            f"ctm holds words with the times at which they were said, and here "
            f"{'are none' if item.timed is None else 'not every word has its own'}; trn holds words without"
        )
    if value.times.unit == "frames" and frame_length is None:
        raise FstmetricsError(
            "ctm holds times in seconds, and here they are in frames; --frame-length 0.01 says how many seconds a "
            "frame is"
        )
    lose_all_but_the_best(value, lose)
    arcs = np.array(value.best_path().arcs, dtype=np.int64)
    begins, ends = _spans(value, arcs, frame_length)
    said = [value.symbols.words[label] for label in value.automaton.labels[arcs].tolist()]
    if not SENTENCE_MARKERS.isdisjoint(said):
        lose("sentence markers")
    words = [
        _timed(word, begin, end)
        for word, begin, end in zip(said, begins.tolist(), ends.tolist(), strict=True)
        if word and word not in SENTENCE_MARKERS
    ]
    if not words:
        lose("items without words")
    return TimedWords(checked_id(item), ONLY, tuple(words))


def _spans(lattice: Lattice, arcs: npt.NDArray[np.int64], frame_length: float | None) -> tuple[Spans, Spans]:
    """When the arcs of a path begin and end, in seconds."""
    times, automaton = lattice.times, lattice.automaton
    assert times is not None
    if isinstance(times, Durations):
        after = np.append(0, np.cumsum(times.of_arc[arcs])).astype(np.float64)
        begins, ends = after[:-1], after[1:]
    else:
        begins, ends = (
            times.of_state[states[arcs]] for states in (automaton.sources, automaton.destinations)
        )
    if times.unit == "frames" and frame_length is not None:
        begins, ends = (np.round(span * frame_length, DECIMALS) for span in (begins, ends))
    return begins, ends


def _timed(word: str, begin: float, end: float) -> TimedWord:
    if not math.isfinite(end - begin) or end < begin:
        between = (
            f"between {begin:g} and {end:g} seconds" if begin > end else "with a beginning or an end unknown"
        )
        raise FstmetricsError(
            f"the word {word!r} is {between}, and ctm holds when a word begins and how long it is; trn holds words "
            "without times"
        )
    text = written(word)
    return TimedWord(f"\\{text}" if text.upper() in MARKS else text, begin, round(end - begin, DECIMALS))


# Seconds are written to the billionth: 57 frames of 0.01 are 0.57, not 0.5700000000000001.
DECIMALS = 9


def times_to_write(lattice: Lattice, has_room: bool, frame_length: float | None, lose: Lose) -> Times | None:
    """The times of states in seconds; None where there are none, no room, or frames of unknown length.

    Args:
        lattice: whose times; where it has durations of arcs, a state's time is the longest way to it.
        has_room: whether the format has times.
        frame_length: seconds a frame.
        lose: told of times that are left out. Of durations only where there is room: they are part of something else
            that the file held.

    >>> from fstmetrics.data.lattice import Lattice
    >>> lattice = Lattice.from_arrays([0], [1], ["a"], finals=[1], times=Durations(np.array([57]), "frames"))
    >>> times_to_write(lattice, True, 0.01, print).of_state
    array([0.  , 0.57])
    """
    times = lattice.times
    if times is None or not says_something(times) or (isinstance(times, Durations) and not has_room):
        return None
    if not has_room or (times.unit == "frames" and frame_length is None):
        lose("times")
        return None
    if isinstance(times, Durations):
        if not lattice.prepared.sorted:
            lose("times")
            return None
        times = Times(_longest(lattice, times), times.unit)
    if times.unit == "seconds":
        return times
    return Times(np.round(times.of_state * (frame_length or 0.0), DECIMALS), "seconds")


def says_something(times: Times | Durations) -> bool:
    """Whether some state has a time, or some arc takes any."""
    if isinstance(times, Times):
        return bool(np.isfinite(times.of_state).any())
    return bool(times.of_arc.any())


def _longest(lattice: Lattice, durations: Durations) -> npt.NDArray[np.float64]:
    """The longest way to each state that is on a path; nan of the others."""
    useful, automaton = lattice.prepared, lattice.automaton
    longest = useful.longest_before(durations.of_arc).astype(np.float64)
    of_state = np.full(automaton.num_states, np.nan)
    of_state[automaton.start] = 0.0
    of_state[automaton.sources[useful.origins]] = longest[useful.sources]
    of_state[automaton.destinations[useful.origins]] = longest[useful.destinations]
    return of_state
