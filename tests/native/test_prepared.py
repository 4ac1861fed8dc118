"""What is made of a network once: cards compiled, written out with shared ends, kept, by any number of threads."""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.data.cards import Call, parse_phrase
from fstmetrics.data.network import Network
from fstmetrics.engine.sides import graph_of
from fstmetrics.support.limits import limits

Words = tuple[str, ...]


def strings_of_cards(cards: dict[str, Any], name: str) -> set[Words]:
    """The strings of a card, by the definition: every phrase, every call replaced by every string of its card."""
    found: set[Words] = set()
    for phrase in cards[name]["phrases"]:
        parts = [
            strings_of_cards(cards, token.name) if isinstance(token, Call) else {(token,)}
            for token in parse_phrase(phrase)
        ]
        found |= {sum(choice, ()) for choice in product(*parts)}
    return found


def strings_of(network: Network) -> set[Words]:
    """The strings of what a network was written out to."""
    automaton = network.rtn.unfolded(limits().expansion)
    arcs: list[list[tuple[int, int]]] = [[] for _ in range(automaton.num_states)]
    for source, label, to in zip(automaton.sources, automaton.labels, automaton.destinations, strict=True):
        arcs[source].append((label, to))
    ends: list[set[Words]] = [set() for _ in arcs]
    for state in reversed(range(len(arcs))):
        if state in set(automaton.finals.tolist()):
            ends[state].add(())
        for label, to in arcs[state]:
            assert to > state
            word = (network.symbols.words[label],) if label else ()
            ends[state] |= {word + rest for rest in ends[to]}
    return ends[0]


@st.composite
def networks(draw: st.DrawFn) -> dict[str, Any]:
    """Up to four cards, each of which may call those after it; with empty phrases and equal cards now and then."""
    names = [f"C{i}" for i in range(draw(st.integers(1, 4)))]
    cards = {}
    for i, name in enumerate(names):
        calls = [f"[{other}]" for other in names[i + 1 :]]
        tokens = st.sampled_from(["a", "b", "\\[", *calls * 2])
        phrases = st.lists(tokens, max_size=3).map(" ".join)
        cards[name] = {"phrases": draw(st.lists(phrases, min_size=1, max_size=3))}
    return {"format": "fstmetrics-network/1", "root": "C0", "cards": cards}


@settings(deadline=None)
@given(data=networks())
def test_written_out_by_the_definition(data: dict[str, Any]) -> None:
    expected = strings_of_cards(data["cards"], "C0")
    compiled, eager = Network.from_json(json.dumps(data)), Network.from_dict(data)
    assert strings_of(compiled) == strings_of(eager) == expected
    assert compiled.symbols.words == eager.symbols.words
    assert compiled == eager


@settings(deadline=None)
@given(data=networks())
def test_equal_parts_are_shared(data: dict[str, Any]) -> None:
    """No two states have the same arcs into them, no arc comes twice, and nothing has grown."""
    rtn = Network.from_dict(data).rtn
    automaton = rtn.unfolded(limits().expansion)
    columns = (automaton.sources.tolist(), automaton.labels.tolist(), automaton.destinations.tolist())
    arcs = list(zip(*columns, strict=True))
    into = [
        {(source, label) for source, label, to in arcs if to == state}
        for state in range(automaton.num_states)
    ]
    assert len(set(map(frozenset, into))) == automaton.num_states
    assert len(set(arcs)) == len(arcs)
    assert automaton.num_states <= rtn.expanded(limits().expansion).num_states


def test_ends_and_beginnings_are_shared() -> None:
    cards = {"S": {"phrases": ["a b x y", "a b z", "c x y"]}}
    data = {"format": "fstmetrics-network/1", "root": "S", "cards": cards}
    automaton = Network.from_dict(data).rtn.unfolded(limits().expansion)
    assert (automaton.num_states, automaton.num_arcs) == (6, 7)


def test_what_is_called_ten_times_is_written_once() -> None:
    """Ten ways to the same call, a hundred paraphrases of it: a hundred arcs, not a thousand."""
    called = [f"x{i} y{i}" for i in range(100)]
    cards = {"S": {"phrases": [f"a{i} [X]" for i in range(10)]}, "X": {"phrases": called}}
    data = {"format": "fstmetrics-network/1", "root": "S", "cards": cards}
    automaton = Network.from_dict(data).rtn.unfolded(limits().expansion)
    assert (automaton.num_arcs, automaton.num_states) == (10 + 200, 103)


def test_hubs_keep_their_epsilons() -> None:
    """Many states before one call: copying its first arcs to all of them would square the network."""
    n = 2000
    arcs = [[i, i + 1, f"w{i}"] for i in range(n)] + [[i, n + 1, "[X]"] for i in range(n)]
    cards = {
        "S": {"start": 0, "arcs": arcs, "final": [n, n + 1]},
        "X": {"phrases": [f"x{i}" for i in range(n)]},
    }
    network = Network.from_dict({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    assert network.rtn.unfolded(limits().expansion).num_arcs < 5 * 3 * n
    words = " ".join(f"w{i}" for i in range(n - 1))
    assert fm.align(f"{words} x7", network).edits == 0


def test_deep_calls_need_no_deep_stack() -> None:
    depth = 50_000
    cards = {f"C{i}": {"phrases": [f"[C{i + 1}]"]} for i in range(depth)} | {
        f"C{depth}": {"phrases": ["a", "b"]}
    }
    network = Network.from_json(json.dumps({"format": "fstmetrics-network/1", "root": "C0", "cards": cards}))
    assert strings_of(network) == {("a",), ("b",)}


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"S": {"phrases": ["a [B]"]}}, "calls 'B', which is not among the cards"),
    ({"S": {"phrases": []}}, "card 'S' has no phrase"),
    ({"S": {"phrases": ["a [S]"]}}, "circle: S -> S"),
    ({"S": {"phrases": ["[A]"]}, "A": {"phrases": ["x [S]"]}}, "circle: S -> A -> S"),
    ({"S": {"phrases": ["a]"]}}, "card 'S': phrase 'a]': cannot read"),
    ({"S": {"phrases": ["a[B]"]}}, "card 'S': phrase"),
    ({"S": {"phrases": ["\\x"]}}, "unknown escape"),
    ({"S": {"phrases": ["a \\"]}}, "cannot read"),
    ({"S": {"phrases": ["a", 1]}}, '"phrases" must be a list of strings'),
    ({"S": {"phrases": ["a"], "span": [2, 1]}}, '"span" must be'),
    ({"S": {"phrases": ["a"], "span": [0, True]}}, '"span" must be'),
    ({"S": {"phrases": ["a"], "weight": 1}}, "unknown key 'weight'"),
    ({"S": {"phrases": ["a"], "arcs": []}}, 'either "phrases" or "arcs"'),
    ({"S": {}}, 'either "phrases" or "arcs"'),
    ({"S": ["a"]}, "card 'S' must be an object"),
    ({"S": {"arcs": [[0, 1, "a"]]}}, '"final" a list of states'),
    ({"S": {"arcs": [[0, 1]], "final": [1]}}, "arc 0 must be"),
    ({"S": {"arcs": [[0, 1, "a"]], "final": [2]}}, "no path from its start to a final state"),
    ({"S": {"arcs": [[0, 1, "a"]], "final": [1, 2]}}, "final state 2 cannot be reached"),
    ({"S": {"arcs": [[0, 2**31, "a"]], "final": [2**31]}}, "state 2147483648 is out of range"),
    ({"S": {"arcs": [[0, 2**70, "a"]], "final": [1]}}, "is out of range"),
    ({"S": {"arcs": [[-1, 1, "a"]], "final": [1]}}, "state -1 is out of range"),
    ({"T": {"phrases": ["a"]}}, "the root 'S' is not among the cards"),
]


@pytest.mark.parametrize(("cards", "message"), FAULTS)
def test_faults_name_the_card(cards: dict[str, Any], message: str) -> None:
    text = json.dumps({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    for build in (lambda: Network.from_json(text), lambda: Network.from_dict(json.loads(text))):
        with pytest.raises(fm.FstmetricsError) as caught:
            build()
        assert message in str(caught.value)


PIECES = [
    "a",
    "b",
    " ",
    "  ",
    "[",
    "]",
    "[X]",
    "[A B]",
    "\\",
    "\\[",
    "\\;",
    ";",
    "\u00a0",
    "é",
    "\n",
    "\\\\",
    "[]",
    "\ud800",
]


def test_random_phrases() -> None:
    """Compiled cards against `parse_phrase`, phrase by phrase."""
    dice = random.Random(11)
    read = 0
    for _ in range(20_000):
        phrase = "".join(dice.choice(PIECES) for _ in range(dice.randrange(7)))
        try:
            tokens = parse_phrase(phrase)
        except fm.FstmetricsError:
            tokens = None
        names = {token.name for token in tokens or () if isinstance(token, Call)} - {"S"}
        cards = {"S": {"phrases": [phrase]}} | {name: {"phrases": ["x"]} for name in names}
        text = json.dumps({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
        if tokens is None:
            with pytest.raises(fm.FstmetricsError):
                Network.from_json(text)
            continue
        words = tuple("x" if isinstance(token, Call) else token for token in tokens)
        assert strings_of(Network.from_json(text)) == {words}, phrase
        read += 1
    assert read > 3000


def test_threads_share_what_is_prepared(shared: Path) -> None:
    path = shared / "synthetic-networks" / "networks" / "combined-000.json.gz"
    hypothesis = "a b c"
    expected = fm.hyter(hypothesis, Network.read(path), window=2)
    for _ in range(10):
        network, count = Network.read(path), 8
        start = threading.Barrier(count)

        def work(
            i: int, network: Network = network, start: threading.Barrier = start
        ) -> tuple[float, int, int, int]:
            start.wait()
            if i % 2:
                fm.align(hypothesis, network)
            score = fm.hyter(hypothesis, network, window=2)
            graph = graph_of(network)
            return score, id(graph), id(graph.machine)

        with ThreadPoolExecutor(count) as pool:
            found = set(pool.map(work, range(count)))
        assert found == {(expected, *next(iter(found))[1:])}


def test_threads_in_development_mode() -> None:
    """The same with Python's own checks on, in a process of its own."""
    code = """
import threading, fstmetrics as fm
from fstmetrics.data.network import Card
for _ in range(20):
    cards = [Card.from_phrases("S", ["a [X] c", "[X] b"]), Card.from_phrases("X", ["x", "y z"])]
    network, found = fm.Network(cards, "S"), []
    run = lambda: found.append((fm.hyter("a y z", network), fm.align("a x", network).edits))
    threads = [threading.Thread(target=run) for _ in range(6)]
    [t.start() for t in threads]; [t.join() for t in threads]
    assert found == [(0.25, 1)] * 6, found
"""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_column_outlives_its_table() -> None:
    """Arrays that the parsers hand out keep what they point into alive."""
    from fstmetrics._native import RecordSchema

    record = fm.align("the cat", "the cat sat").as_dict()
    text = "".join(f"{json.dumps(record | {'id': str(number)})}\n" for number in range(1000)).encode()
    schema = RecordSchema("wer")
    schema.add(b'"wer"', "wer", True, None)
    lines = (lambda records: records.lines)(schema.read(text, 0, 0, 1000))
    gc.collect()
    assert lines.tolist() == list(range(1, 1001))
