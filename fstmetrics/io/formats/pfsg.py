"""SRILM's finite-state grammars (PFSG): words on nodes, log probabilities on transitions. Source: pfsg-format(5).

    name S
    nodes 4 NULL the CITY NULL          words by node, from 0; NULL is no word
    initial 0
    final 3
    transitions 3
    0 1 0                               from, to, 10000.5 * ln(probability)
    1 2 -6931
    2 3 0

    name CITY
    ...

A file holds one grammar, or first the main one and then those that its nodes name instead of words: categories. That
is a recursive transition network, and becomes a Network whose cards carry costs; a file without categories is a
Lattice. A transition's graph cost is its negative natural log.

What is written has a node without a word for a state, and a node with a word for an arc. Of a network the main grammar
comes first, then a grammar a card.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fstmetrics.data.cards import Call, Card
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.data.shaping import check_path, one_final
from fstmetrics.io.arcs import ArcList, count, fields_of, real, refuse_cut, shown
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import (
    Carries,
    Rounding,
    WriteOptions,
    Writer,
    callees_first,
    encoded,
    node_form,
    only_item,
    written_names,
)
from fstmetrics.io.written_words import check_words
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source, stem

NULL = "NULL"
INTLOG = 10000.5  # this many times the natural log of a probability, rounded
# What a name may have at its end, which is no part of it (SRILM, Lattice::readPFSG).
DURATION = re.compile(r"\(duration=[^()]*\)$")


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """The one grammar of a file, or those of a network; costs become whole numbers of ten thousandths.

    Raises:
        FstmetricsError: no path, or a word that would not come back.
    """
    item = only_item(items)
    check_words(item.value.symbols, NULL)
    if isinstance(item.value, Network):
        return encoded(_network_lines(item.value))
    return encoded(_lattice_lines(item.value, "_".join((item.id or "lattice").split())))


def _lattice_lines(lattice: Lattice, name: str) -> Iterator[str]:
    check_path(lattice)
    automaton = one_final(lattice).automaton
    states = automaton.num_states
    words = [lattice.symbols.words[label] for label in automaton.labels.tolist()]
    columns = automaton.sources.tolist(), automaton.destinations.tolist(), automaton.arc_costs[:, 0].tolist()
    links = (
        link
        for node, (source, destination, cost) in enumerate(zip(*columns, strict=True), states)
        for link in ((source, node, cost), (node, destination, 0.0))
    )
    name = _distinct(name, lattice.symbols.index)
    ends = automaton.start, int(automaton.finals[0])
    yield from _grammar(name, [*[""] * states, *words], *ends, 2 * len(words), links)


def _network_lines(network: Network) -> Iterator[str]:
    cards = callees_first(network)[::-1]
    taken = {NULL, *network.symbols.words}
    names = written_names([card.name for card in cards], lambda name, used: _distinct(name, taken | used))
    for card in cards:
        form = node_form(card)
        words = [names[token.name] if isinstance(token, Call) else token for token in form.tokens]
        links = ((source, destination, cost[0]) for source, destination, cost in form.links)
        yield from _grammar(names[card.name], words, form.start, form.end, len(form.links), links)


def _grammar(
    name: str,
    words: Iterable[str],
    start: int,
    end: int,
    number: int,
    links: Iterable[tuple[int, int, float]],
) -> Iterator[str]:
    """The lines of one grammar, given the word of each node and its links, as many as `number`."""
    on_nodes = [word or NULL for word in words]
    yield f"name {name}\n"
    yield f"nodes {len(on_nodes)} {' '.join(on_nodes)}\n"
    yield f"initial {start}\nfinal {end}\ntransitions {number}\n"
    yield from (f"{a} {b} {_bytelogs(cost)}\n" for a, b, cost in links)


def _bytelogs(cost: float) -> int:
    """A cost as it is written; FstmetricsError for one that is so large that it could not be."""
    value = -cost * INTLOG
    if not math.isfinite(value):
        raise FstmetricsError(
            f"a cost is too large for pfsg, which has {INTLOG} times as much; slf and att hold it"
        )
    return round(value)


def _distinct(name: str, taken: Collection[str]) -> str:
    """A name as SRILM reads it that is not taken: a word that is a grammar's name calls it."""
    while DURATION.search(name) or name == NULL or name in taken:
        name += "_"
    return name


def keeps(costs: Any) -> bool:
    """Whether all of these costs are those of whole bytelogs."""
    costs = np.asarray(costs)
    with np.errstate(over="ignore"):  # such costs are refused as they are written
        return bool((np.rint(costs * INTLOG) / INTLOG == costs).all())


ROUNDING = Rounding("ten thousandths", keeps)
WRITER = Writer("pfsg", (".pfsg",), Carries("lattice", costs="sum", calls=True, rounding=ROUNDING), write)


FIELDS = ("name", "nodes", "initial", "final", "transitions")


@dataclass(slots=True)
class _Grammar:
    """One grammar as it is written; an arc a transition, labelled by the word of the node it enters."""

    name: str
    line: int
    words: list[str] = field(default_factory=list)
    ends: dict[str, int] = field(default_factory=dict)
    expected: int = -1  # transitions
    arcs: ArcList = field(default_factory=ArcList)

    @property
    def next_field(self) -> str | None:
        """What the next line must be; None: a transition."""
        if self.expected >= 0:
            return None
        return FIELDS[1 + bool(self.words) + len(self.ends)]

    @property
    def is_complete(self) -> bool:
        return len(self.arcs) == self.expected


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice or network of a file; its id is the file's stem.

    Raises:
        InputError: a line that is not expected where it stands, no such node, a grammar that is cut off, there twice or
            used nowhere, or grammars that name each other in a circle.
    """
    source.refuse_empty()
    grammars: dict[str, _Grammar] = {}
    current: _Grammar | None = None
    for number, line in source.lines():
        fields = fields_of(line)
        if not fields:
            continue
        try:
            if current is None or current.is_complete:
                current = _begun(grammars, fields, number)
            else:
                _take(current, fields, number)
        except ValueError as error:
            raise source.error(str(error), number) from None
    if current is None or not current.is_complete:
        begun = current or _Grammar("", 1)
        raise source.error(
            f"grammar {shown(begun.name)} has fewer lines than it says: is the file cut off?", begun.line
        )
    refuse_cut(source)
    yield Item(source.stem, _value(source, grammars))


def _begun(grammars: dict[str, _Grammar], fields: list[str], number: int) -> _Grammar:
    if fields[0] != "name" or len(fields) != 2:
        raise ValueError(f"expected `name NAME`, where a grammar begins, found {shown(' '.join(fields))}")
    name = DURATION.sub("", fields[1])
    if name == NULL:
        raise ValueError("a grammar cannot have the name NULL, which means no word")
    if name in grammars:
        raise ValueError(f"grammar {shown(name)} is already in line {grammars[name].line}")
    return grammars.setdefault(name, _Grammar(name, number))


def _take(grammar: _Grammar, fields: list[str], number: int) -> None:
    expected = grammar.next_field
    if expected is None:
        return _add_transition(grammar, fields, number)
    if fields[0] != expected or len(fields) < 2:
        raise ValueError(f"expected `{expected} ...`, found {shown(' '.join(fields))}")
    value = count(fields[1], "a number")
    if expected == "nodes":
        if value != len(fields) - 2 or not value:
            raise ValueError(f"expected {value} words after `nodes {value}`, found {len(fields) - 2}")
        grammar.words, grammar.arcs.states = fields[2:], value
    elif expected == "transitions":
        grammar.expected = value
    elif value >= len(grammar.words):
        raise ValueError(f"{expected} node {value} is out of range: there are {len(grammar.words)} nodes")
    else:
        grammar.ends[expected] = value
    return None


def _add_transition(grammar: _Grammar, fields: list[str], number: int) -> None:
    if len(fields) != 3:
        raise ValueError(f"expected a transition `from to logprob`, found {shown(' '.join(fields))}")
    begin, end = (count(text, "a node") for text in fields[:2])
    if max(begin, end) >= len(grammar.words):
        raise ValueError(f"node {max(begin, end)} is out of range: there are {len(grammar.words)} nodes")
    word = "" if grammar.words[end] == NULL else grammar.words[end]
    grammar.arcs.add(begin, end, word, 0.0 - real(fields[2]) / INTLOG, number)


def _value(source: Source, grammars: Mapping[str, _Grammar]) -> object:
    """The lattice of the one grammar, or the network of several."""
    for grammar in grammars.values():
        _complete(grammar)
    main = next(iter(grammars.values()))
    used = {word for grammar in grammars.values() for word in grammar.arcs.words} & set(grammars)
    for grammar in grammars.values():
        if grammar is not main and grammar.name not in used:
            raise source.error(f"grammar {shown(grammar.name)} is named by no node of another", grammar.line)
    if not used:
        return main.arcs.lattice(source, id=source.stem, start=main.ends["initial"])
    try:
        return Network([_card(grammar, grammars) for grammar in grammars.values()], main.name, id=source.stem)
    except FstmetricsError as error:
        raise source.error(str(error)) from None


def _complete(grammar: _Grammar) -> None:
    """Give the word of the initial node, which no transition need enter, an arc of its own."""
    first = grammar.words[grammar.ends["initial"]]
    if first != NULL:
        grammar.arcs.add(grammar.arcs.states, grammar.ends["initial"], first, 0.0, grammar.line)
        grammar.ends["initial"] = grammar.arcs.states
        grammar.arcs.states += 1
    grammar.arcs.finals = {grammar.ends["final"]: grammar.line}


def _card(grammar: _Grammar, grammars: Mapping[str, _Grammar]) -> Card:
    arcs = grammar.arcs
    tokens = [Call(word) if word in grammars else word for word in arcs.words]
    triples = zip(arcs.sources, arcs.destinations, (tokens[label] for label in arcs.labels), strict=True)
    costs = tuple((cost, 0.0) for cost in arcs.costs) if any(arcs.costs) else ()
    return Card(grammar.name, tuple(triples), frozenset(arcs.finals), grammar.ends["initial"], costs=costs)


FORMAT = Format(
    "pfsg",
    "SRILM finite-state grammar (PFSG), with categories a network",
    read,
    writers=(WRITER,),
    id_of=stem,
)
