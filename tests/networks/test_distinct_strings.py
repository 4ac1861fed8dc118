"""Distinct strings of networks, by enumeration; and drawings of all cards."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import random_cases as rc
import random_networks as rn
from command import HYTER, fstmetrics, written
from small_networks import figure_1, network

import fstmetrics as fm
from fstmetrics.networks.sizes import count_strings


@pytest.mark.parametrize("block", range(4))
def test_strings_are_counted_once_each(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        cards = rn.random_network(random.Random(seed))
        one = rn.as_network(cards, phrases=seed % 2 == 0)
        assert fm.networks.info(one).strings == len(rn.strings(cards))
        side = rc.network_side(random.Random(seed))
        assert isinstance(side.value, fm.Network)
        if fm.networks.info(side.value).paths is not None:
            assert fm.networks.info(side.value).strings == len(set(side.strings))


def test_the_union_of_the_paper() -> None:
    """[H12 fig. 1]: 8 paths and 7 strings."""
    info = fm.networks.info(fm.networks.union(*figure_1()))
    assert (info.paths, info.strings) == (8, 7)


def test_beyond_the_limit_they_are_not_counted() -> None:
    one = network(S=["[X] [X] [X]"], X=["a", "a b", "b a", "b"])
    exact = fm.networks.info(one)
    assert (exact.paths, exact.strings) == (64, len(set(fm.Paths(one))))
    assert fm.networks.info(one, max_states=3).strings is None
    automaton = one.rtn.expanded(1000)
    assert automaton is not None
    needed = next(n for n in range(100) if count_strings(automaton, n) is not None)
    assert count_strings(automaton, needed) == exact.strings
    assert count_strings(automaton, needed - 1) is None


def test_infinitely_many_are_not_counted() -> None:
    looped = fm.Card("S", ((0, 1, "a"), (1, 0, "b")), frozenset({1}))
    info = fm.networks.info(fm.Network([looped], "S"))
    assert (info.paths, info.strings) == (None, None)


def test_strings_are_in_the_table_and_in_json(tmp_path: Path, shared: Path) -> None:
    done = fstmetrics("network", "info", shared / "synthetic-networks" / "networks" / "combined-003.json.gz")
    lines = {line.strip().partition("  ")[0]: line.split()[1] for line in done.out.splitlines()[1:]}
    assert int(lines["strings"]) < int(lines["paths"])
    path = written(tmp_path / "a.cards", "[S]: a b; [X] b\n[X]: a\n")
    assert fstmetrics("network", "info", path, "--json").summary["strings"] == 1
    assert (
        "not counted: at most as many as paths" in fstmetrics("network", "info", path, "--max-states", 0).out
    )


def test_all_cards_of_all_networks_are_drawn(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = fstmetrics("network", "draw", HYTER[0], "--all", "-o", out, "--to", "dot")
    assert (done.status, done.out) == (0, f"{out}: 3 drawings\n")
    for one in fm.Network.read_all(HYTER[0]):
        dot = (out / f"{one.id}.dot").read_text()
        assert dot.count("subgraph") == len(one.cards)
        assert dot == fm.networks.draw(one, list(one.cards))
    single = Path(HYTER[0]) / "station.json"
    assert fstmetrics("network", "draw", single, "--all").out == (out / "station.dot").read_text()
    for arguments, message in (
        ((HYTER[0], "--all"), "3 drawings need a folder: -o FOLDER"),
        ((HYTER[0], "--all", "-o", tmp_path / "x.svg"), "x.svg: 3 drawings need a folder"),
        ((single, "--all", "--card", "S"), "--all draws every card, --card NAME one"),
        ((HYTER[0], "--all", "-o", out, "--to", "dot"), "is there already"),
    ):
        failed = fstmetrics("network", "draw", *arguments)
        assert (failed.status, failed.err.count("\n")) == (2, 1), failed
        assert message in failed.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]
