"""What a format's writers are made of, and what they share.

- `Writer`: a name, what it carries, and a function from items to the pieces of a file.
- `Carries`: what a format has room for; `fstmetrics.convert` names what it has no room for.
- `WriteOptions`: what a caller may say; `Turns`, those that were written.
- `arc_lines`, `number`, `encoded`: lattices as lines of text.
- `callees_first`, `node_form`, `written_names`: networks in formats that have words and calls on nodes.
- `Rounding`, and `SINGLE` for 32-bit floats: formats whose costs have fewer digits than a number of the program. What
  is rounded is told, not refused: it is how such a format writes numbers, and decoders write the same.

Words, ids and the numbers of words are looked at in `written_words.py`; `data/shaping.py` puts lattices in order.
"""

from __future__ import annotations

import math
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, AnyStr, Literal, NamedTuple

import numpy as np

from fstmetrics.data.cards import NO_COST, Card, CostPair, Token
from fstmetrics.data.fields import Fields, first_given
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.segments import BEGINS, ENDS, MANIFEST
from fstmetrics.data.sessions import SESSION, SPEAKER, TurnFields, same_name
from fstmetrics.data.shaping import check_path
from fstmetrics.data.symbols import labelled_arcs
from fstmetrics.io.blocks import Block, Item
from fstmetrics.io.written_words import Numbering, check_word
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.data.network import Network

# What formats of speakers have of a sentence, and others leave out.
OF_TURNS = ("speakers", "times")


def parts_of_turn(fields: Fields) -> tuple[str, ...]:
    """What of `OF_TURNS` fields say.

    >>> parts_of_turn({"speaker": "ann", "end": 2.5}), parts_of_turn({"duration": 1.5})
    (('speakers', 'times'), ())
    """
    kinds = zip(OF_TURNS, (SPEAKER, (*BEGINS, *ENDS)), strict=True)
    return tuple(what for what, names in kinds if first_given(fields, names) is not None)


Content = Literal["text", "timed", "n-best", "lattice", "network"]
# Arcs and final states with their two costs become lines of text.
ArcLine = Callable[[int, int, str, float, float], str]
FinalLine = Callable[[int, float, float], str]


@dataclass(frozen=True)
class Carries:
    """What a format has room for.

    Attributes:
        content: sentences, words with times, ranked sentences, automata, or networks of cards.
        several: whether a file may hold more than one item.
        ids: whether items have ids, where a file may hold several.
        choices: whether a sentence may leave a choice.
        scores: whether ranked sentences have scores.
        costs: whether arcs have no cost, one, or a graph and an acoustic cost.
        scales: whether the file says how the two add up.
        rounding: how costs are rounded; None: not at all, or to the last digits of a posterior.
        numbers: whether labels are numbers, of which only a symbol table makes words.
        acyclic: whether an automaton must not have cycles.
        spans: whether cards have source spans, and networks a source sentence.
        cutting: whether networks say how their words were cut.
        calls: whether there is room for networks beside automata, their cards and calls kept.
        times: whether the states of an automaton have times, in seconds.
        as_they_are: whether lattices keep their times or durations, whatever the unit, and that words are numbers.
        turns: whether sentences have what `OF_TURNS` says.
        unscored: whether a segment can be one that is not to be scored.
    """

    content: Content
    several: bool = False
    ids: bool = False
    choices: bool = False
    scores: bool = False
    costs: Literal["none", "sum", "apart"] = "none"
    scales: bool = False
    rounding: Rounding | None = None
    numbers: Literal["never", "if asked", "always"] = "never"
    acyclic: bool = False
    spans: bool = False
    cutting: bool = False
    calls: bool = False
    times: bool = False
    as_they_are: bool = False
    turns: bool = False
    unscored: bool = False


class Turns:
    """Turns that are written, into one file or several: each recording has a name of its own, and no turn is twice."""

    def __init__(self) -> None:
        self._recordings: dict[str, str] = {}
        self._items: dict[str, Item] = {}

    def turn_of(self, item: Item) -> TurnFields:
        """What its fields say.

        Raises:
            FstmetricsError: as of `TurnFields.of`; a recording that differs from another one in its folder alone.
        """
        turn = TurnFields.of(item.fields, item.id)
        recording = item.fields.get(MANIFEST) if first_given(item.fields, SESSION) is None else None
        fault = turn.session and recording and same_name(self._recordings, turn.session, str(recording))
        if fault:
            raise FstmetricsError(
                f"{fault}, and turns have no folder of a recording: convert one folder at a time, or name recordings "
                "apart by a field `session`"
            )
        return turn

    def written(self, item: Item, text: str) -> str:
        """The text as which an item is written.

        Raises:
            FstmetricsError: another item is written so, and readers of turns refuse one that comes twice.
        """
        if (other := self._items.setdefault(text, item)) is not item:
            raise FstmetricsError(
                f"{other.id or 'an item before it'} has the same speaker, times (or none) and words, which is read as "
                "one turn written twice: leave one of them out if it is that; if not, give times that tell them apart"
            )
        return text


@dataclass(frozen=True)
class WriteOptions:
    """What a caller may say about a file to be written.

    Attributes:
        numbering: numbers to write instead of words; None: words, where the format has room for them.
        max_arcs: how large an automaton may become where it has to be spelled out.
        turns: those that were written with these options.
    """

    numbering: Numbering | None = None
    max_arcs: int = 5_000_000
    turns: Turns = field(default_factory=Turns, compare=False)


class ByteOrderMark(FstmetricsError):
    """A file would begin with what is read as a byte order mark."""


@dataclass(frozen=True)
class Writer:
    """One way of writing a format.

    Attributes:
        name: what `--to` takes.
        extensions: endings of file names that mean it, with the dot, without `.gz`.
        carries: what there is room for.
        write: the pieces of a file that holds these items, whose values are of the kind of `carries.content`:
            words or a Transcript, TimedWords, an NBest, a Lattice, a Network. Raises FstmetricsError for what cannot be
            written.
        write_blocks: the same bytes of items in blocks, where native columns are written without an object each: of
            lattices, or of texts with ids; None where there is no such way.
    """

    name: str
    extensions: tuple[str, ...]
    carries: Carries
    write: Callable[[Iterator[Item], WriteOptions], Iterator[bytes]]
    write_blocks: Callable[[Iterator[Block]], Iterator[bytes]] | None = None

    def pieces(self, items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
        """What `write` gives.

        Raises:
            FstmetricsError: as `write` does.
            ByteOrderMark: the first word would be taken for one.
        """
        yield from _unmarked(self.write(items, options))

    def block_pieces(self, blocks: Iterator[Block], options: WriteOptions) -> Iterator[bytes]:
        """The same of items in blocks."""
        if self.write_blocks is not None:
            yield from _unmarked(_gathered(self.write_blocks(blocks), b""))
        else:
            yield from self.pieces(chain.from_iterable(blocks), options)


def _gathered(pieces: Iterator[AnyStr], between: AnyStr) -> Iterator[AnyStr]:
    """Pieces that are worth a system call, of smaller ones with nothing between."""
    batch: list[AnyStr] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size > 1 << 16:
            yield between.join(batch)
            batch, size = [], 0
    yield between.join(batch)


def _unmarked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces of a file; ByteOrderMark if the first begins with one."""
    first = next(pieces, b"")
    if first.startswith(BOM_UTF8):
        raise ByteOrderMark(
            "the file would begin with U+FEFF, which is read as a byte order mark and no word"
        )
    yield first
    yield from pieces


def number(value: float) -> str:
    """A cost in a text format, with all its digits."""
    return repr(value) if math.isfinite(value) else "Infinity"


# As many digits as files of recognisers have, if no more are needed.
LEAST_DECIMALS = 2


def written_time(time: float) -> str:
    """A time with all its digits, and no exponent."""
    return str(np.format_float_positional(time, min_digits=LEAST_DECIMALS))


def arc_lines(lattice: Lattice, names: Sequence[str], arc: ArcLine, final: FinalLine) -> Iterator[str]:
    """A line for each arc and final state, those of the start state first: it is the first state named.

    Args:
        lattice: what to write.
        names: of its labels.
        arc: the line of source, destination, name and two costs.
        final: the line of a final state and its two costs.

    Raises:
        FstmetricsError: there is no path.
    """
    check_path(lattice)
    automaton = lattice.automaton
    arcs = zip(labelled_arcs(automaton, names), automaton.arc_costs.tolist(), strict=True)
    lines = [(a, arc(a, b, name, g, c)) for (a, b, name), (g, c) in arcs]
    ends = zip(automaton.finals.tolist(), automaton.final_costs.tolist(), strict=True)
    lines += [(state, final(state, g, c)) for state, (g, c) in ends]
    yield from (line for state, line in lines if state == automaton.start)
    yield from (line for state, line in lines if state != automaton.start)


def encoded(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines as UTF-8, in pieces that are worth a system call."""
    return (piece.encode() for piece in _gathered(lines, ""))


def only_item(items: Iterator[Item]) -> Any:
    """The one item of a file that holds one."""
    (item,) = items
    return item


# A 32-bit float keeps any number of so many decimal digits; with the larger number every such float has a name.
LEAST_DIGITS, MOST_DIGITS = 6, 9
# Powers of ten up to this one are exact, and so a quotient of them is the number that its digits mean.
LARGEST_POWER = 22


class Rounding(NamedTuple):
    """How costs are rounded.

    Attributes:
        name: to what, for messages and tables.
        keeps: whether all of these costs, finite ones, come back with the digits that they have.
    """

    name: str
    keeps: Callable[[Any], bool]


def keeps_single(costs: Any) -> bool:
    """Whether 32-bit floats keep all digits of these numbers.

    They do of numbers that are such floats, and of those that are one written with nine decimal digits or fewer, as
    text files of decoders have them.

    >>> keeps_single([0.5, 0.1, 8342.93]), keeps_single([float(np.float32(1) / 3)]), keeps_single([1 / 3])
    (True, True, False)
    """
    left = np.unique(np.asarray(costs, dtype=np.float64))
    with np.errstate(over="ignore"):  # a number too large is refused when it is written
        single = left.astype(np.float32).astype(np.float64)
    left, single = left[left != single], single[left != single]
    with np.errstate(divide="ignore"):
        before_the_point = 1 + np.floor(np.log10(np.abs(left)))
    for digits in range(LEAST_DIGITS, MOST_DIGITS + 1):
        power = 10.0 ** np.clip(digits - before_the_point, 0, LARGEST_POWER)
        whole = np.rint(left * power)
        kept = (whole / power == left) & (np.rint(single * power) == whole)
        left, single, before_the_point = left[~kept], single[~kept], before_the_point[~kept]
    return not left.size


SINGLE = Rounding("32-bit floats", keeps_single)


class NodeForm(NamedTuple):
    """A card with words on nodes.

    Attributes:
        tokens: the word or call of each node, "" for none: of those that are the card's states, of those that stand for
            its arcs, and of one that is the only end.
        links: source, destination and cost; the first into the node of an arc has its cost, the one out of it none.
        start, end: nodes without words.
    """

    tokens: list[Token]
    links: list[tuple[int, int, CostPair]]
    start: int
    end: int


def node_form(card: Card) -> NodeForm:
    """The same paths and costs: a node a state, a node an arc, and one end that costs nothing.

    >>> form = node_form(Card("X", ((0, 1, "cat"),), frozenset({1}), costs=((2.0, 1.0),)))
    >>> form.tokens, form.links
    (['', '', 'cat', ''], [(0, 2, (2.0, 1.0)), (2, 1, (0.0, 0.0)), (1, 3, (0.0, 0.0))])
    """
    states = card.num_states
    end = states + len(card.arcs)
    links: list[tuple[int, int, CostPair]] = []
    costs = card.costs or (NO_COST,) * len(card.arcs)
    for node, ((source, destination, _), cost) in enumerate(zip(card.arcs, costs, strict=True), states):
        links += [(source, node, cost), (node, destination, NO_COST)]
    final_costs = card.final_costs or (NO_COST,) * len(card.finals)
    links += [(state, end, cost) for state, cost in zip(sorted(card.finals), final_costs, strict=True)]
    return NodeForm([*[""] * states, *(token for *_, token in card.arcs), ""], links, card.start, end)


def callees_first(network: Network) -> list[Card]:
    """The cards that the root needs, each after those it calls, so the root last."""
    from fstmetrics.networks import calls

    order = calls.callees_first(lambda name: network.cards[name].calls(), [network.root])
    return [network.cards[name] for name in order]


def written_names(names: Iterable[str], distinct: Callable[[str, AbstractSet[str]], str]) -> dict[str, str]:
    """What to write for the names of cards: one word each, and all different.

    Args:
        names: as the cards have them.
        distinct: makes one of a name that is not among these others, nor anything else to the format.

    Raises:
        FstmetricsError: a name that no text file holds.
    """
    written: dict[str, str] = {}
    for name in names:
        plain = "_".join(name.split()) or "_"
        check_word(plain)
        written[name] = distinct(plain, set(written.values()))
    return written
