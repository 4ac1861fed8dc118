"""Items made to fit a format: `Fitting.fit` turns each into the kind of value it holds, and names what is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from fstmetrics.convert.shapes import (
    Lose,
    as_graph,
    as_nbest,
    as_network,
    as_sentence,
    as_timed,
    has_costs,
    has_source,
    times_to_write,
)
from fstmetrics.data.fields import first_given
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.sessions import SESSION
from fstmetrics.data.times import Durations, Times
from fstmetrics.data.transcripts import OPEN_STRETCH, Transcript
from fstmetrics.io.items import Item
from fstmetrics.io.writing import Carries, WriteOptions, parts_of_turn
from fstmetrics.lattices.costs import summed, summed_network, weighed, weighed_network
from fstmetrics.lattices.weighted import kinds_of_costs
from fstmetrics.networks.automata import expanded
from fstmetrics.support.errors import FstmetricsError

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
