"""Items made to fit a format: `Fitting.fit` turns each into the kind of value it holds, and names what is lost.

Values of one kind as values of another: `as_sentence`, `as_nbest`, `as_lattice`, `as_graph`, `as_network`.

All take a value, what the format carries, and a function that is told what is lost. Of networks a sentence is the best
path; where a format of lattices has no room for calls, they come as their expansions. `as_timed` has words with the
times at which they were said; `times_to_write` when a lattice is in its states, for formats that say it in seconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from fstmetrics._native import Automaton
from fstmetrics.data.cards import Call
from fstmetrics.data.fields import first_given
from fstmetrics.data.lattice import Lattice, Scales, word_arcs
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import ONLY, TimedWord, TimedWords
from fstmetrics.data.sessions import SESSION
from fstmetrics.data.shaping import HAS_CYCLE
from fstmetrics.data.symbols import EPSILON_WORDS, SENTENCE_MARKERS
from fstmetrics.data.times import Durations, Times
from fstmetrics.data.transcripts import OPEN_STRETCH, Transcript
from fstmetrics.io.formats.ctm import MARKS
from fstmetrics.io.formats.trn import written
from fstmetrics.io.items import Item
from fstmetrics.io.writing import Carries, WriteOptions, parts_of_turn
from fstmetrics.io.written_words import checked_id
from fstmetrics.lattices.costs import summed, summed_network, weighed, weighed_network
from fstmetrics.lattices.weighted import kinds_of_costs
from fstmetrics.networks.automata import expanded, from_lattice
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


SHAPES: Mapping[str, Callable[[Any, Carries, Lose], Any]] = MappingProxyType(
    {"text": as_sentence, "n-best": as_nbest, "lattice": as_graph, "network": as_network}
)

# What is lost where costs are multiplied by scales that the format has no room for; the scales follow.
OWN_SCALES = "the file's own scales"


@dataclass(frozen=True)
class Fitting:
    """How items are made to fit.

    Attributes:
        carries: what the format has room for.
        options: how it is written.
        scales: what costs are multiplied by before they are written; None: nothing.
        lossy: whether what there is no room for may be left out.
        frame_length: seconds a frame, for formats that have times in seconds.
    """

    carries: Carries
    options: WriteOptions
    scales: Scales | None = None
    lossy: bool = False
    frame_length: float | None = None

    def fit(
        self, item: Item, format: str, attempt: Callable[[Item], None] = lambda item: None
    ) -> tuple[Item, tuple[str, ...]]:
        """The item as it is to be written, and what it loses.

        Args:
            item: as it was read.
            format: the name of the writer, for messages.
            attempt: raises what is wrong with an item that cannot be written; asked before `--lossy` is advised.

        Raises:
            FstmetricsError: something would be lost, and that is not asked for; or it cannot be written at all.
        """
        lost: dict[str, None] = {}

        def lose(what: str) -> None:
            lost[what] = None

        value, times = item.value, None
        if self.carries.content == "timed":
            times = value.times if isinstance(value, Lattice) else None
        elif isinstance(value, TimedWords) or (item.segment is not None and not self.carries.turns):
            _lose_times(value, lose)
        elif isinstance(item.timed, TimedWords) and item.timed.texts:
            _lose_times(item.timed, lose)
        elif isinstance(value, Lattice) and self.carries.as_they_are:
            times = value.times
        elif isinstance(value, Lattice):
            times = times_to_write(value, self.carries.times, self.frame_length, lose)
        is_sentence = isinstance(value, tuple | Transcript)
        is_turn = self.carries.turns and is_sentence
        kept = parts_of_turn(item.fields) if is_turn else ()
        lost |= dict.fromkeys(what for what in item.left_out if what not in kept)
        if is_turn and not _is_of_session(item):
            lose("ids")
        if item.segment is not None and item.segment.ignored and not self.carries.unscored:
            lose("that a segment is not to be scored")
        if isinstance(value, Network) and not self.carries.cutting and (cut := options_of_words(value)):
            lose(f"how words were cut (score with {' '.join(cut)})")
        value = self._unfolded(value, lose)
        if isinstance(value, Lattice):
            value = self._scaled(value, times, lose)
        elif isinstance(value, Network):
            value = self._scaled_network(value, lose)
        if self.carries.content == "timed":
            value = as_timed(replace(item, given=value), self.frame_length, lose)
        else:
            value = SHAPES[self.carries.content](value, self.carries, lose)
        fitted = replace(item, given=value)
        if lost and not self.lossy:
            attempt(fitted)
            raise FstmetricsError(
                f"writing {format} would lose {', '.join(lost)}; --lossy writes it without them"
                f"{_advice(lost, self.carries)}"
            )
        return fitted, tuple(lost)

    def _unfolded(self, value: Any, lose: Lose) -> Any:
        """Words, or a transcript where there is a choice; the expansion of a network, where calls have no room."""
        is_text = self.carries.content in ("text", "n-best") or isinstance(value, TimedWords)
        if isinstance(value, TimedWords) and self.carries.content != "timed":
            value = value.transcript()
        if isinstance(value, Transcript):
            if value.has_wildcards and not self.carries.choices:
                lose(f"open stretches ({OPEN_STRETCH})")
                value = value.without_wildcards()
            if value.optional and not self.carries.choices:
                lose(
                    "the parentheses of (word), which a reference may leave out"
                    if is_text
                    else "that (word) is one in a hypothesis"
                )
            return value if value.words is None else value.words
        if not isinstance(value, Network):
            return value
        if self.carries.content in ("network", "timed"):  # a network has no times
            return value
        if has_source(value):
            lose("source spans")
        if len(value.cards) > 1:
            if self.carries.calls:
                return value
            lose("cards and their calls")
        if self.carries.content in ("text", "n-best"):
            return value  # its best path is found card by card
        return expanded(value, self.options.max_arcs)

    def _scaled(self, lattice: Lattice, times: Times | Durations | None, lose: Lose) -> Lattice:
        """The lattice with its costs, and its times, as they are to be written."""
        automaton = lattice.automaton
        for costs in (automaton.arc_costs, automaton.final_costs):
            if not np.isfinite(costs).all():
                raise FstmetricsError("a cost is not a finite number")
        if (scales := self._weights(lattice, lose)) is not None:
            automaton = weighed(lattice, scales)
        own = lattice.scales if self.scales is None and self.carries.scales else Scales()
        if self.carries.costs == "sum" and automaton.kinds_of_costs[1]:
            if self.scales is None:
                lose("acoustic costs apart from graph costs")
            automaton = summed(automaton)
        if self.carries.costs == "none" and automaton.has_costs and self.carries.content == "network":
            lose("costs")
        numbered = lattice.numbered and self.carries.as_they_are
        is_same = automaton is lattice.automaton and times is lattice.times
        if is_same and own == lattice.scales and numbered == lattice.numbered:
            return lattice
        return Lattice(automaton, lattice.symbols, id=lattice.id, scales=own, times=times, numbered=numbered)

    def _scaled_network(self, network: Network, lose: Lose) -> Network:
        """The network with its costs as they are to be written."""
        if (scales := self._weights(network, lose)) is not None:
            network = weighed_network(network, scales)
        if self.carries.costs == "sum" and kinds_of_costs(network)[1]:
            if self.scales is None:
                lose("acoustic costs apart from graph costs")
            network = summed_network(network)
        return network

    def _weights(self, value: Lattice | Network, lose: Lose) -> Scales | None:
        """What costs are multiplied by: as asked, or by the file's own scales, which the format has no room for."""
        own = value.scales
        if self.scales is not None or own == Scales() or self.carries.scales:
            return self.scales
        if self.carries.costs != "none" and (has_costs(value) or own.word_penalty):
            lose(f"{OWN_SCALES} ({scales_text(own)})")
        return own


def _is_of_session(item: Item) -> bool:
    """Whether an id is its session, or that and more, as those are that are made of it, a speaker and times."""
    session = first_given(item.fields, SESSION)
    if session is None or item.id is None:
        return True
    return item.id.startswith(str(session)) and not item.id[len(str(session)) :][:1].isalnum()


def _lose_times(value: Any, lose: Lose) -> None:
    lose("times")
    if isinstance(value, TimedWords) and value.has_confidences:
        lose("confidences")


def _advice(lost: Mapping[str, None], carries: Carries) -> str:
    advice = ""
    if any(what.startswith(("acoustic costs", OWN_SCALES)) for what in lost):
        own = next((what for what in lost if what.startswith(OWN_SCALES)), f"({scales_text(Scales())})")
        summing = " and adds them up" if carries.costs == "sum" else ""
        advice = f", --scale {own.removeprefix(OWN_SCALES).strip(' ()')} multiplies the costs{summing}"
    if "times" in lost and carries.times:
        advice += ", --frame-length 0.01 says how many seconds a frame is"
    return advice


def scales_text(scales: Scales) -> str:
    """Scales as `--scale` takes them."""
    text = f"lm={scales.lm:g},acoustic={scales.acoustic:g}"
    return text + (f",word-penalty={scales.word_penalty:g}" if scales.word_penalty else "")


def options_of_words(network: Network) -> list[str]:
    """The options of scoring that fit what a network says of its words."""
    given = {"--tokenize": network.tokenize, "--unit": network.unit}
    found = [f"{name} {value}" for name, value in given.items() if value]
    return [*found, "--lowercase"] if network.lowercase else found
