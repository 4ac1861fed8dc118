"""HTK standard lattice format (SLF): HTK Book, chapter "HTK Standard Lattice Format".

What HTK's own reader does (HNet.c `ReadOneLattice`, HNet.h `LArcTotLike`) decides where the book is silent:
scales multiply, `wdpenalty` is added once a word, and one node without incoming (outgoing) links is the
start (end). A path's log probability is the sum of lmscale * l + acscale * a + prscale * r + wdpenalty.
Times of nodes (`t=`, times `tscale` seconds) are for a lattice's depth; posteriors (`p=`), variants (`v=`) and
alignments (`d=`) are not used. Scores that SRILM writes and HTK does not read (HTKLattice.cc: `n=`, `ds=`, `x1=`, those
of nodes) are refused where they count.

Sub-lattices, each named by `SUBLAT=` and ended by a line with a period, come before the main lattice. One stands for
every node with its name, `I=3 L=name`, so such a file is a recursive transition network.

What is written has natural-log scores on links, one start and one end. A lattice has its words on links, and times on
nodes where they are known in seconds. A network has words and calls on nodes, as HTK's tools write grammars: a
sub-lattice a card, each before those that call it by `L=`, and the root as main lattice.

In order: `write`, `read`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from fstmetrics._native import LatticeColumn, SlfCard, read_slf
from fstmetrics.data.cards import Call, Card, Token
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.network import Network
from fstmetrics.data.shaping import check_path, one_final
from fstmetrics.data.symbols import EPSILON_WORDS
from fstmetrics.data.times import Times
from fstmetrics.io.arcs import note_errors
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import column_of_files
from fstmetrics.io.writing import (
    Carries,
    WriteOptions,
    Writer,
    callees_first,
    encoded,
    node_form,
    number,
    only_item,
    written_names,
)
from fstmetrics.io.written_words import check_words
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import File, Source, stem

EPSILON = "!NULL"
VERSION = "VERSION=1.0\n"


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one lattice or network of a file.

    Final states that are several, or have costs, get links without a word to an end of their own.

    Raises:
        FstmetricsError: no path, or a word that would be read as no word, or as two.
    """
    value = only_item(items).value
    return encoded(_network_lines(value) if isinstance(value, Network) else _lattice_lines(value))


def _lattice_lines(lattice: Lattice) -> Iterator[str]:
    check_words(lattice.symbols)
    check_path(lattice)
    times, scales, lattice = _times(lattice), lattice.scales, one_final(lattice)
    automaton = lattice.automaton
    yield VERSION
    yield from _scale_line(scales)
    yield f"start={automaton.start} end={automaton.finals[0]}\n"
    yield f"N={automaton.num_states} L={automaton.num_arcs}\n"
    for state in range(automaton.num_states):
        time = times[state] if times else math.nan
        yield f"I={state} t={number(time)}\n" if math.isfinite(time) else f"I={state}\n"
    names = [EPSILON, *map(escaped, lattice.symbols.words[1:])]
    columns = (
        automaton.sources.tolist(), automaton.destinations.tolist(), automaton.labels.tolist(),
        automaton.arc_costs.tolist(),
    )  # fmt: skip
    for index, (a, b, label, cost) in enumerate(zip(*columns, strict=True)):
        scores = _scores(cost) if automaton.has_costs else ""
        yield f"J={index} S={a} E={b} W={names[label]}{scores}\n"


def _times(lattice: Lattice) -> list[float]:
    """When the lattice is in each state, nan where that is not known; the last is for an end that may be added."""
    if not isinstance(lattice.times, Times) or lattice.times.unit != "seconds":
        return []
    of_state = lattice.times.of_state
    ends = set(of_state[lattice.automaton.finals].tolist())
    return [*of_state.tolist(), ends.pop() if len(ends) == 1 else math.nan]


def _scale_line(scales: Scales) -> Iterator[str]:
    if scales.lm != 1 or scales.word_penalty:
        # HTK's penalty is a log probability, and a cost the opposite.
        yield f"lmscale={number(scales.lm)} wdpenalty={number(0.0 - scales.word_penalty)}\n"


def _scores(cost: Sequence[float]) -> str:
    graph, acoustic = cost
    return f" a={number(0.0 - acoustic)} l={number(0.0 - graph)}"


def _network_lines(network: Network) -> Iterator[str]:
    check_words(network.symbols)
    *others, main = callees_first(network)
    written = written_names([card.name for card in others], _distinct)
    names = {name: escaped(text) for name, text in written.items()}
    for card in others:
        yield VERSION + f"SUBLAT={names[card.name]}\n"
        yield from _card_lines(card, names, network.scales)
        yield ".\n"
    yield VERSION
    yield from _card_lines(main, names, network.scales)


def _card_lines(card: Card, names: Mapping[str, str], scales: Scales) -> Iterator[str]:
    form = node_form(card)
    yield from _scale_line(scales)
    yield f"start={form.start} end={form.end}\n"
    yield f"N={len(form.tokens)} L={len(form.links)}\n"
    for node, token in enumerate(form.tokens):
        yield f"I={node} {_content(token, names)}\n"
    for index, (source, destination, cost) in enumerate(form.links):
        yield f"J={index} S={source} E={destination}{_scores(cost) if card.has_costs else ''}\n"


def _content(token: Token, names: Mapping[str, str]) -> str:
    """What a node holds: a sub-lattice, a word, or none."""
    if isinstance(token, Call):
        return f"L={names[token.name]}"
    return f"W={escaped(token) if token else EPSILON}"


def _distinct(name: str, used: AbstractSet[str]) -> str:
    while name in used:
        name += "_"
    return name


def escaped(word: str) -> str:
    r"""A word as HTK reads it back: a backslash, and a quote at the beginning, stand behind a backslash.

    >>> escaped("'tis"), escaped("don't")
    ("\\'tis", "don't")
    """
    word = word.replace("\\", "\\\\")
    return f"\\{word}" if word[0] in "\"'" else word


WRITER = Writer(
    "slf",
    (".slf", ".lat", ".htk"),
    Carries("lattice", costs="apart", scales=True, calls=True, times=True),
    write,
)


# What pocketsphinx writes first. The times of its nodes are those at which their words begin, not end as HTK has them.
POCKETSPHINX, HEAD = b"# Lattice generated by PocketSphinx", 1000

# What is not used, by the fields of nodes and links that hold it; of networks, times neither.
TIMES = {"times": re.compile(rb"^[ \t]*I=[^\n]*[ \t]t(?:ime)?=", re.M)}
UNREAD = {
    "posteriors": re.compile(rb"^[ \t]*J=[^\n]*[ \t]p=", re.M),
    "alignments": re.compile(rb"^[ \t]*[IJ]=[^\n]*[ \t]d(?:iv)?=", re.M),
    "variants": re.compile(rb"^[ \t]*[IJ]=[^\n]*[ \t]v(?:ar)?=", re.M),
}
MAIN = "main lattice"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem, as UTTERANCE is often a path.

    Raises:
        InputError: a malformed line, other numbers of nodes or links than N= and L= say, no unique start
            or end, or sub-lattices that are not there or call each other in a circle.
    """
    source.refuse_empty()
    column = LatticeColumn(options.vocabulary)
    if cards := _add(item_limits(), source, column):
        yield Item(source.stem, _network(source, cards), left_out=_left_out(source, TIMES | UNREAD, options))
        return
    note_errors(column, lambda _: source)
    yield Item(source.stem, column[0], left_out=_left_out(source, UNREAD, options))


def _left_out(
    source: Source, unread: Mapping[str, re.Pattern[bytes]], options: ReadOptions
) -> tuple[str, ...]:
    if not options.tell_left_out:
        return ()
    return tuple(what for what, field in unread.items() if field.search(source.utf8))


def _add(most: tuple[int, int, int], source: Source, column: LatticeColumn) -> list[SlfCard]:
    """Append the lattice of a file, as large as `item_limits` allow, or give those that call each other."""
    return read_slf(source.utf8, POCKETSPHINX in source.data[:HEAD], most, source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The lattices of files in one column; None where something is wrong with one, or it is a network."""
    return column_of_files(files, options, partial(_add, item_limits()))


def _network(source: Source, cards: Sequence[SlfCard]) -> Network:
    """Sub-lattices as cards that the main lattice, the last one, and each other call."""
    *others, main = cards
    root, names = MAIN, {card.name for card in others}
    while root in names:
        root += "'"
    lm, word_penalty = main.scales
    try:
        return Network(
            [_card(main, root), *(_card(card, card.name) for card in others)], root, id=source.stem,
            scales=Scales(lm, 1.0, word_penalty),
        )  # fmt: skip
    except FstmetricsError as error:
        raise source.error(str(error)) from None


def _card(card: SlfCard, name: str) -> Card:
    words = card.words
    tokens: list[str | Call] = ["" if word in EPSILON_WORDS else word for word in words]
    tokens += ["", *map(Call, words)]
    arcs = tuple((begin, end, tokens[label]) for begin, end, label in card.arcs)
    costs = card.costs
    return Card(
        name, arcs, frozenset((card.end,)), card.start, costs=tuple(costs) if any(map(any, costs)) else ()
    )


FORMAT = Format("slf", "HTK standard lattice format", read, writers=(WRITER,), id_of=stem, files=read_files)
