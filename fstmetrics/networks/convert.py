"""Networks to and from files of other kinds: `from_lattice`, `from_machines`, `expanded`, `file_content`.

A single OpenFst machine holds a network expanded, an archive (FAR) holds a machine a card: labels `[NAME]` are calls
of the machine under the key NAME. Neither has a place for spans, sources or costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fstmetrics.cards import CostPair
from fstmetrics.errors import FstmetricsError
from fstmetrics.fst_files import far_pieces, vector_bytes
from fstmetrics.lattice import Lattice
from fstmetrics.network import Card, Network
from fstmetrics.networks.calls import useful_cards
from fstmetrics.networks.costs import refuse_costs
from fstmetrics.networks.linear import linear_lattice
from fstmetrics.networks.machines import arcs_of, automaton_of
from fstmetrics.networks.spelling import spelled_out
from fstmetrics.networks.text_form import write_text_form
from fstmetrics.phrases import Token, parse_phrase, write_label
from fstmetrics.readers.checks import check_words
from fstmetrics.readers.formats.att import att_text
from fstmetrics.readers.shaping import in_order
from fstmetrics.symbols import SymbolTable

# The expansion of a network of 10^12 paths has some ten thousand arcs; this many are a file of 100 megabytes.
MAX_ARCS = 5_000_000
ROOT = "S"

# What `network convert --to` takes, and the endings of file names that mean it.
ENDINGS = {
    "json": (".json",),
    "cards": (".cards",),
    "openfst": (".fst",),
    "far": (".far",),
    "att": (".fst.txt", ".att", ".txt.fst", ".fsm"),
}


def from_lattice(lattice: Lattice, costs: bool = False) -> Network:
    """A network of one card, the lattice, with its costs or without.

    Raises:
        FstmetricsError: the lattice has no path, or it is to keep its costs and has a cycle.

    >>> from_lattice(Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1], id="x"))
    Network(id='x', root='S', cards=1)
    """
    card = _card(ROOT, lattice, lambda word: word)
    if costs and lattice.automaton.has_costs:
        automaton = in_order(lattice).automaton
        card = replace(card, costs=_pairs(automaton.arc_costs), final_costs=_pairs(automaton.final_costs))
    return Network([card], ROOT, id=lattice.id)


def _pairs(costs: Any) -> tuple[CostPair, ...]:
    return tuple((graph, acoustic) for graph, acoustic in costs.tolist())


def from_machines(machines: Mapping[str, Lattice], root: str | None = None, id: str = "") -> Network:
    """The network whose cards are machines, as `file_content` writes them into an archive.

    Args:
        machines: by the names of the cards; labels are written as in phrases: `[NAME]` is a call, `\\\\[` a bracket.
        root: the card that stands for the whole; by default the one that no other calls.
        id: the network's id.

    Raises:
        FstmetricsError: no way to tell the root, or no valid network.
    """
    cards = [_card(name, machine, _token) for name, machine in machines.items()]
    if root is None:
        called = {name for card in cards for name in card.calls()}
        roots = [card.name for card in cards if card.name not in called]
        if len(roots) != 1:
            which = f"{', '.join(map(repr, roots))} are" if roots else "none is"
            raise FstmetricsError(
                f"of {len(cards)} cards {which} called by no other: say which is the root (--root)"
            )
        root = roots[0]
    return Network(cards, root, id=id)


def _card(name: str, lattice: Lattice, token: Callable[[str], Token]) -> Card:
    automaton = lattice.prepared
    if not automaton.has_path:
        raise FstmetricsError(f"{name!r} has no path from its start to a final state")
    tokens = [token(word) for word in lattice.symbols.words]
    return Card(name, arcs_of(automaton, tokens), frozenset(automaton.finals.tolist()), automaton.start)


def _token(label: str) -> Token:
    tokens = parse_phrase(label)
    if len(tokens) > 1:
        raise FstmetricsError(f"the label {label!r} is {len(tokens)} words; one arc, one word")
    return tokens[0] if tokens else ""


def expanded(network: Network, max_arcs: int = MAX_ARCS) -> Lattice:
    """The network as one automaton, every call replaced by what it calls, costs included.

    Where that could have more arcs than `max_arcs`, but calls stand only where cards begin, cards are shared:
    `linear_lattice`.

    Raises:
        FstmetricsError: it could have more than `max_arcs` arcs.
    """
    if network.rtn.expanded_arcs > max_arcs:
        lattice = linear_lattice(network)
        if lattice is not None and lattice.num_arcs <= max_arcs:
            return lattice
    if network.has_costs:
        return spelled_out(network, max_arcs)
    automaton = network.rtn.expanded(max_arcs)
    if automaton is None:
        raise FstmetricsError(
            f"the expansion of {network.id or 'the network'} may have {network.rtn.expanded_arcs} arcs, the limit is "
            f"{max_arcs} (max_arcs, --max-arcs); slf, pfsg and an archive of cards (far) hold it as it is"
        )
    return Lattice(automaton, network.symbols, id=network.id, scales=network.scales)


def file_content(network: Network, format: str, max_arcs: int = MAX_ARCS) -> str | bytes:
    """The network as a file's content.

    Args:
        network: what to write.
        format: a name of `ENDINGS`: json, cards (text form), openfst (binary) and att (text), which hold the
            expansion, or far, which holds a machine a card.
        max_arcs: how large an expansion may be.

    Raises:
        FstmetricsError: the format cannot hold the network.
    """
    if format == "json":
        return network.to_json()
    refuse_costs([network], f"the format {format}")
    if format == "cards":
        return write_text_form(network)
    if format == "far":
        return b"".join(archive(network))
    lattice = expanded(network, max_arcs)
    if format == "att":
        return "".join(att_text(lattice))
    check_words(lattice.symbols)
    return vector_bytes(lattice.automaton, symbols=lattice.symbols)


def archive(network: Network) -> Iterator[bytes]:
    """The pieces of an archive (FAR) of the cards that are on some path: no other card calls the root.

    All share one symbol table. As OpenFst's tools have it (`farcompilestrings --initial_symbols`), it stands in the
    first machine and not in all; and in the root, where `fstreplace` looks for the words of its result.

    Raises:
        FstmetricsError: a word that would not come back.
    """
    cards = useful_cards(network)
    labels = {write_label(token) for card in cards.values() for *_, token in card.arcs}
    symbols = SymbolTable(sorted(labels - {""}))
    check_words(symbols)

    def label(token: Token) -> int:
        return symbols.index[write_label(token)]

    with_table = {network.root, min(cards, key=str.encode)}
    return far_pieces(
        (name, vector_bytes(automaton_of(card, label), symbols=symbols if name in with_table else None))
        for name, card in cards.items()
    )
