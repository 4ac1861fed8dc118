"""Drawings of networks as SVG, without Graphviz: the states and labels of the arcs, and well-formed XML."""

from __future__ import annotations

import random
from pathlib import Path
from xml.dom import minidom

import pytest
from command import EXAMPLES, fstmetrics
from random_networks import as_network, random_network
from small_networks import network

import fstmetrics as fm
from fstmetrics.data.cards import write_label
from fstmetrics.networks.drawing import chosen_cards

NETWORKS = EXAMPLES / "hyter" / "networks"


def labels(svg: str) -> list[str]:
    return sorted(
        str(each.firstChild.data) for each in minidom.parseString(svg).getElementsByTagName("tspan")
    )


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("by_card", [True, False])
def test_every_arc_and_every_state_is_drawn(seed: int, by_card: bool) -> None:
    drawn = as_network(random_network(random.Random(seed)))
    names = list(drawn.cards) if by_card else []
    cards = chosen_cards(drawn, names, 1000)
    svg = fm.networks.draw_svg(drawn, names)
    arcs = {
        (number, a, b, (write_label(t) if by_card else str(t)) or "ε")
        for number, c in enumerate(cards) for a, b, t in c.arcs
    }  # fmt: skip
    assert labels(svg) == sorted(label for *_, label in arcs)
    states = sum(len({c.start, *c.finals, *(s for a, b, _ in c.arcs for s in (a, b))}) for c in cards)
    assert svg.count("<circle") == states + sum(len(c.finals) for c in cards)


def test_words_are_text_whatever_they_are() -> None:
    words = ["<script>", "&amp;", "a\x1bb", "\ufffe", "\u202eevil", '"quoted"', "x" * 60]
    svg = fm.networks.draw_svg(network(X=["a"], S=[" ".join([*words, "[X]"])], source="<b> &"), ["S", "X"])
    assert "<script>" not in svg
    assert {"<script>", r"&amp\;", '"quoted"', "x" * 60, "[X]"} <= set(labels(svg))


def test_the_command_needs_no_other_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path)
    done = fstmetrics("network", "draw", NETWORKS, "--all", "-o", "out")
    assert (done.status, done.out, done.err) == (0, "out: 3 drawings\n", "")
    for file in (tmp_path / "out").iterdir():
        minidom.parse(str(file))
    assert fstmetrics("network", "draw", NETWORKS / "station.json", "--to", "svg").out.startswith("<svg ")


def test_what_is_too_large_is_refused(shared: Path) -> None:
    large = shared / "synthetic-networks" / "networks" / "large-000.json.gz"
    done = fstmetrics("network", "draw", large, "--to", "svg")
    assert (done.status, done.out, "--card NAME" in done.err) == (2, "", True)
    # Arcs that pass each other by the thousand.
    arcs = [(i, j, "a") for i in range(60) for j in range(i + 1, 60)]
    card = fm.Card("S", tuple(arcs), frozenset({59}))
    with pytest.raises(fm.FstmetricsError, match=r"too wide and too high to be read.*\.dot"):
        fm.networks.draw_svg(fm.Network([card], "S"), ["S"], max_arcs=10_000)
