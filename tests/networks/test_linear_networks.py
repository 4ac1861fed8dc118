"""Networks that call only where cards begin: as lattices of their own size, against the tree of calls written out."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.data.cards import Call, Card, Token
from fstmetrics.networks.automata import expanded, from_lattice, linear_lattice, spelled_out
from fstmetrics.networks.drawing import draw, expanded_card

Strings = Counter[tuple[tuple[str, ...], float, float]]


def strings(lattice: fm.Lattice) -> Strings:
    """Words and costs of every path, one by one."""
    automaton, words = lattice.automaton, lattice.symbols.words
    arcs: dict[int, list[tuple[int, str, float, float]]] = {}
    rows = zip(automaton.sources, automaton.destinations, automaton.labels, automaton.arc_costs, strict=True)
    for source, destination, label, (graph, acoustic) in rows:
        arcs.setdefault(int(source), []).append((int(destination), words[label], graph, acoustic))
    ends = {int(state): cost for state, cost in zip(automaton.finals, automaton.final_costs, strict=True)}
    found, pending = Strings(), [(automaton.start, (), 0.0, 0.0)]
    while pending:
        state, spoken, graph, acoustic = pending.pop()
        if state in ends:
            found[tuple(filter(None, spoken)), graph + ends[state][0], acoustic + ends[state][1]] += 1
        for destination, word, more, other in arcs.get(state, ()):
            pending.append((destination, (*spoken, word), graph + more, acoustic + other))  # type: ignore[arg-type]
    return found


def random_card(rng: random.Random, name: str, callees: list[str]) -> Card:
    """States 0 to 4 in order, all of them reached; calls leave state 0 only; dyadic costs, so that sums are exact."""
    arcs: list[tuple[int, int, Token]] = [(i, i + 1, rng.choice(["a", "d", ""])) for i in range(4)]
    for _ in range(rng.randint(1, 2) if callees else 0):
        arcs.append((0, rng.randint(1, 4), Call(rng.choice(callees))))
    for _ in range(rng.randint(0, 3)):
        source = rng.randint(0, 3)
        arcs.append((source, rng.randint(source + 1, 4), rng.choice(["a", "b", "c", ""])))
    finals = frozenset({4, *rng.sample(range(5), rng.randint(0, 2))})
    costs = [(rng.randint(0, 8) / 4, rng.randint(0, 8) / 4) for _ in (*arcs, *finals)]
    return Card(
        name, tuple(arcs), finals, costs=tuple(costs[: len(arcs)]), final_costs=tuple(costs[len(arcs) :])
    )


@pytest.mark.parametrize("seed", range(100))
def test_every_path_is_there_once_at_its_cost(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"C{i}" for i in range(rng.randint(1, 5))]
    network = fm.Network([random_card(rng, name, names[:i]) for i, name in enumerate(names)], names[-1])
    lattice = linear_lattice(network)
    assert lattice is not None
    assert strings(lattice) == strings(spelled_out(network, 10**6))


def test_other_networks_are_left_alone() -> None:
    """A call after a word, and one from a state that is come back to."""
    leaf = Card.from_phrases("A", ["a", "b"])
    assert linear_lattice(fm.Network([Card.from_phrases("S", ["x [A]"]), leaf], "S")) is None
    back = Card("S", ((0, 1, "x"), (1, 0, "y"), (0, 2, Call("A"))), frozenset({2}))
    assert linear_lattice(fm.Network([back, leaf], "S")) is None


def test_a_million_million_paths_in_eighty_arcs() -> None:
    """Every card calls the one before, twice: written out as calls it would have 2^40 arcs."""
    network = doubling(40)
    lattice = expanded(network, 1000)
    assert lattice.num_arcs < 250
    assert fm.oracle(lattice, " ".join(["a", *"bc" * 20])).edits == 0
    refused = fm.Network([*list(network.cards.values())[:-1], Card.from_phrases("C40", ["b [C39]"])], "C40")
    with pytest.raises(fm.FstmetricsError, match="the limit is 1000"):
        expanded(refused, 1000)


def doubling(size: int) -> fm.Network:
    """Every card calls the one before, twice."""
    cards = [Card.from_phrases("C0", ["a"])]
    cards += [Card.from_phrases(f"C{i}", [f"[C{i - 1}] b", f"[C{i - 1}] c"]) for i in range(1, size + 1)]
    return fm.Network(cards, f"C{size}", id="d")


@pytest.mark.parametrize("size", [1, 3, 40])
def test_the_size_and_the_paths_of_what_is_shared(size: int) -> None:
    """As the lattice has them; nothing is shared where the expansion is small enough."""
    network = doubling(size)
    info, lattice = fm.network_info(network, max_expanded_arcs=1), linear_lattice(network)
    assert lattice is not None
    assert (info.shared_states, info.shared_arcs) == (lattice.prepared.num_states, lattice.prepared.num_arcs)
    assert info.paths == fm.network_info(from_lattice(lattice)).paths == 2**size
    assert info.expanded_arcs is None
    if size < 10:
        assert fm.network_info(network).shared_arcs is None
        assert fm.network_info(network).expanded_arcs is not None
    other = fm.Network([*network.cards.values(), Card.from_phrases("S", [f"b [C{size}]"])], "S")
    assert fm.network_info(other, max_expanded_arcs=1).shared_arcs is None


def drawn(dot: str) -> fm.Network:
    """The network that a drawing shows."""
    arcs = [
        (int(a), int(b), "" if word == "ε" else word)
        for a, b, words in re.findall(r'^  (\d+) -> (\d+) \[label="(.*?)"', dot, re.MULTILINE)
        for word in words.split("\\n")
    ]
    finals = frozenset(map(int, re.findall(r"^  (\d+) \[.*doublecircle", dot, re.MULTILINE)))
    start = int(re.findall(r"^  (\d+) \[style=filled", dot, re.MULTILINE)[0])
    return fm.Network([Card("S", tuple(arcs), finals, start)], "S")


def test_drawings_share_what_would_be_copied() -> None:
    """All paths and no others: their number and their lengths, and where they are few, one by one."""
    for size, most in ((3, 1), (40, 1000)):
        network = doubling(size)
        found = drawn(expanded_drawing(network, most))
        one, other = fm.network_info(found), fm.network_info(network)
        assert (one.paths, one.shortest, one.longest) == (other.paths, other.shortest, other.longest)
        assert one.vocabulary == 3
        if size == 3:
            assert sorted(fm.Paths(found)) == sorted(fm.Paths(network))


def expanded_drawing(network: fm.Network, most: int) -> str:
    """The drawing of what is left when no more than so many arcs may be copied."""
    card = expanded_card(network, most)
    return draw(fm.Network([card], card.name), max_arcs=1000)


def test_drawings_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text(doubling(40).to_json())
    outcome = fstmetrics("network", "draw", path)
    assert outcome.status == 0, outcome.err
    assert fm.network_info(drawn(outcome.out)).paths == 2**40
    refused = fstmetrics("network", "draw", path, "--max-arcs", 50)
    assert (refused.status, "where 50 are the limit" in refused.err) == (2, True)
    assert "--card NAME draws a single card" in refused.err
    info = fm.network_info(fm.Network.read(path))
    assert (
        f"as a lattice     {info.shared_states} states, {info.shared_arcs} arcs"
        in fstmetrics("network", "info", path).out
    )


def test_a_search_graph_of_moses_becomes_a_lattice(shared: Path, tmp_path: Path) -> None:
    """With the decoder's weights its best path is the one that Moses' hgdecode prints."""
    folder = shared / "mt-moses" / "mert.hgdecode-denseonly"
    out, weights = tmp_path / "hg.fst", folder / "dense.weights"
    done = fstmetrics("convert", folder / "hg.gz", out, "--weights", weights, "--lossy")
    assert done.status == 0, done.err
    lattice, forest = fm.Lattice.read(out), fm.Network.read(folder / "hg.gz", weights=weights)
    (printed,) = [
        line for line in (folder / "results.txt").read_text().splitlines() if line.startswith("STDOUT_1=")
    ]
    expected = printed.removeprefix("STDOUT_1=").removeprefix("<s>").strip().removesuffix("</s>").strip()
    best = fm.oracle(lattice, expected).one_best
    assert best is not None
    assert (best.edits, " ".join(best.hypothesis)) == (0, expected)
    info = fm.network_info(forest)
    assert info.paths == fm.network_info(from_lattice(lattice)).paths == 211319874
    assert (info.shared_states, info.shared_arcs) == (lattice.prepared.num_states, lattice.prepared.num_arcs)
    reference = "the EU matters , but also national business since mid-September at four centres ."
    for metric in ("wer", "grr"):
        found = [fm.oracle(side, reference, metric).score for side in (lattice, forest)]
        assert found[0] == found[1]
