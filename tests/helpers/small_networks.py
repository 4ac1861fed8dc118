"""Small networks by hand, and networks as OpenFst has them."""

from __future__ import annotations

import pytest

import fstmetrics as fm


def network(root: str = "S", id: str = "", source: str = "", **cards: object) -> fm.Network:
    """A network from phrases, each card's perhaps with a span before them."""
    made = []
    for name, given in cards.items():
        span, phrases = given if isinstance(given, tuple) else (None, given)
        made.append(fm.Card.from_phrases(name, phrases, span))  # type: ignore[arg-type]
    return fm.Network(made, root, id=id, source=source.split() or None)


def figure_1() -> list[fm.Network]:
    """[H12 fig. 1]: the two choices are cards of equal spans in both networks."""
    root = ((0, 6), ["[LEVEL] was [NEARLY] zero"])
    return [
        network(LEVEL=((0, 3), ["the level of approval", "the approval rate"]),
                NEARLY=((4, 5), ["close to", "practically"]), S=root),
        network(LEVEL=((0, 3), ["the approval level", "the approval rate"]),
                NEARLY=((4, 5), ["close to", "about equal to"]), S=root),
    ]  # fmt: skip


def openfst(net: fm.Network) -> object:
    """The expansion as OpenFst has it, words numbered alike for all networks."""
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    lattice = fm.Lattice(net.rtn.expanded(10_000_000), net.symbols)
    fst = lattice.to_pynini(fm.Scales(0, 0, 0))
    return pynini.determinize(pynini.rmepsilon(fst)).minimize()
