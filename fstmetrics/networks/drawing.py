"""Drawings of networks: `draw` writes Graphviz's DOT, `render` has Graphviz make a picture of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from fstmetrics.data.cards import Call, Token, write_phrase
from fstmetrics.data.network import Card, CardArc, Network
from fstmetrics.data.symbols import labelled_arcs
from fstmetrics.networks.automata import linear_lattice
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed

# Larger drawings take Graphviz minutes, and nobody can read them.
MAX_ARCS = 1000
# How many cards a message names before it only counts.
NAMED = 20

HEAD = [
    "digraph network {",
    '  rankdir=LR; fontname="Helvetica,Arial,sans-serif"; nodesep=0.15; ranksep=0.25;',
    '  node [shape=circle, label="", width=0.14, height=0.14, fixedsize=true];',
    '  edge [fontname="Helvetica,Arial,sans-serif", fontsize=11, arrowsize=0.5];',
]
START, FINAL = 'style=filled, fillcolor="#444444"', "shape=doublecircle"
CALL = 'color="#1f5fa8", fontcolor="#1f5fa8", style=bold'


def draw(network: Network, cards: Sequence[str] = (), max_arcs: int = MAX_ARCS) -> str:
    """A drawing in Graphviz's DOT language.

    The start is a filled circle, ends are double circles; arcs between the same states are one with several labels;
    calls are blue, no word is ε.

    Args:
        network: what to draw.
        cards: names of cards to draw, each in a frame with its calls; by default the whole network is drawn, every
            call replaced by what it calls. Where that is too large, cards that are called only where others begin are
            drawn once each.
        max_arcs: how large the drawing may be.

    Raises:
        FstmetricsError: no such card, or more arcs than `max_arcs`.

    >>> from fstmetrics import Card, Network
    >>> network = Network([Card.from_phrases("S", ["a [X]"]), Card.from_phrases("X", ["x", "y"])], "S")
    >>> print("\\n".join(draw(network).splitlines()[4:]))
      0 [style=filled, fillcolor="#444444"];
      2 [shape=doublecircle];
      0 -> 1 [label="a"];
      1 -> 2 [label="x\\ny"];
    }
    """
    lines = list(HEAD)
    for number, card in enumerate(chosen_cards(network, cards, max_arcs)):
        if cards:
            lines += [f"  subgraph cluster_{number} {{", f"  label={_quoted(title(card, network))};"]
        lines += _card_lines(card, f"c{number}_" if cards else "")
        lines += ["  }"] if cards else []
    return "\n".join([*lines, "}"]) + "\n"


def chosen_cards(network: Network, cards: Sequence[str], max_arcs: int) -> list[Card]:
    """The cards of some names, or the whole network as one; errors as of `draw`."""
    for name in cards:
        if name not in network.cards:
            raise FstmetricsError(
                f"there is no card {name!r} in network {network.id or '(no id)'}; its cards are "
                f"{listed(list(network.cards), NAMED)}"
            )
    chosen = [network.cards[name] for name in cards] if cards else [expanded_card(network, max_arcs)]
    arcs = sum(len(card.arcs) for card in chosen)
    if arcs > max_arcs:
        raise FstmetricsError(
            f"a drawing of {arcs} arcs, where {max_arcs} are the limit (max_arcs, --max-arcs)"
            + ("" if cards else "; --card NAME draws a single card")
        )
    return chosen


def render(dot: str, format: str) -> bytes:
    """A picture of a drawing, by Graphviz's program `dot`.

    Args:
        dot: what `draw` wrote.
        format: `svg`, `png` or another format that Graphviz knows.

    Raises:
        FstmetricsError: Graphviz is not installed, or fails.
    """
    program = shutil.which("dot")
    if program is None:
        raise FstmetricsError(
            f"a picture in {format.upper()} is made by Graphviz's program dot, which is not installed "
            "(apt install graphviz, brew install graphviz, or graphviz.org/download); SVG and DOT need "
            "nothing: give the output a name that ends in .svg or .dot"
        )
    if format == "svg":  # Graphviz replaces entities, and leaves those in its SVG that it finds behind that
        dot = _without_entities(dot)
    done = subprocess.run([program, f"-T{format}"], input=dot.encode(), capture_output=True, check=False)
    if done.returncode:
        raise FstmetricsError(
            f"Graphviz failed: {done.stderr.decode(errors='replace').strip() or done.returncode}"
        )
    return done.stdout


def expanded_card(network: Network, max_arcs: int) -> Card:
    """The whole network as one card without calls; epsilons go where that changes no path.

    Where that is too large, but cards are called only where cards begin, each card is there once.

    Raises:
        FstmetricsError: it could have more than `max_arcs` arcs, some epsilons counted.
    """
    # The bound counts entries and returns, most of which go.
    expansion, words = network.rtn.expanded(8 * max_arcs), network.symbols.words
    if expansion is None and (lattice := linear_lattice(network)) is not None:
        expansion, words = lattice.prepared, lattice.symbols.words
    if expansion is None:
        raise FstmetricsError(
            f"the whole network may have {network.rtn.expanded_arcs} arcs, far more than the limit of {max_arcs}: "
            "draw single cards (--card NAME), or raise the limit (max_arcs, --max-arcs)"
        )
    arcs = tuple(labelled_arcs(expansion, words))
    card = Card(network.root, arcs, frozenset(expansion.finals.tolist()), expansion.start)
    return _contracted(card)


def _contracted(card: Card) -> Card:
    """Join the two states of an epsilon that is the only way out of the one or the only way into the other."""
    home = list(range(card.num_states))  # the state that a state has become part of

    def find(state: int) -> int:
        while home[state] != state:
            home[state] = state = home[home[state]]
        return state

    ways_out = Counter(a for a, _, _ in card.arcs)
    ways_in = Counter(b for _, b, _ in card.arcs)
    ways_in[card.start] += 1  # from outside
    for state in card.finals:
        ways_out[state] += 1
    arcs, before = list(card.arcs), -1
    while len(arcs) != before:
        before, kept = len(arcs), list[CardArc]()
        for a, b, token in arcs:
            one, other = find(a), find(b)
            if token or one == other or (ways_out[one] > 1 and ways_in[other] > 1):
                kept.append((a, b, token))
                continue
            home[other] = one
            ways_out[one] += ways_out[other] - 1
            ways_in[one] += ways_in[other] - 1
        arcs = kept
    return _renumbered(card, [(find(a), find(b), token) for a, b, token in arcs], find)


def _renumbered(card: Card, arcs: Iterable[CardArc], find: Callable[[int], int]) -> Card:
    number: dict[int, int] = {find(card.start): 0}
    rows = [
        (number.setdefault(a, len(number)), number.setdefault(b, len(number)), token) for a, b, token in arcs
    ]
    return Card(
        card.name, tuple(rows), frozenset(number.setdefault(find(s), len(number)) for s in card.finals)
    )


def title(card: Card, network: Network) -> str:
    """What stands over a card: its name, its span and the source words."""
    if card.span is None:
        return card.name
    words = (network.source or ())[slice(*card.span)]
    return f"{card.name}  {card.span[0]}-{card.span[1]}" + (f"  {' '.join(words)}" if words else "")


def _card_lines(card: Card, prefix: str) -> Iterator[str]:
    yield f"  {prefix}{card.start} [{START}{', ' + FINAL if card.start in card.finals else ''}];"
    for state in sorted(card.finals - {card.start}):
        yield f"  {prefix}{state} [{FINAL}];"
    labels: dict[tuple[int, int, bool], list[str]] = {}
    for a, b, token in card.arcs:
        labels.setdefault((a, b, isinstance(token, Call)), []).append(_label(token))
    for (a, b, calls), names in labels.items():
        yield f"  {prefix}{a} -> {prefix}{b} [label={_quoted(*names)}{', ' + CALL if calls else ''}];"


def _label(token: Token) -> str:
    return write_phrase([token]) if isinstance(token, Call) else token or "ε"


def _quoted(*lines: str) -> str:
    """A string of DOT, a line each; what cannot be printed is written as Python does."""
    printable = ("".join(c if c.isprintable() else repr(c)[1:-1] for c in line) for line in lines)
    quoted = (line.replace("\\", "\\\\").replace('"', '\\"') for line in printable)
    return '"' + "\\n".join(map(_without_entities, quoted)) + '"'


def _without_entities(text: str) -> str:
    """What Graphviz would replace, as `&amp;` in a word, written so that it comes out as it is."""
    return re.sub(r"&(?=#?\w+;)", "&amp;", text)
