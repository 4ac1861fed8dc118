"""Networks that call only where cards begin: as lattices of their own size, against the tree of calls written out."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.cards import Card
from fstmetrics.networks.convert import expanded
from fstmetrics.networks.linear import linear_lattice
from fstmetrics.networks.spelling import spelled_out
from fstmetrics.phrases import Call, Token

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
    cards = [Card.from_phrases("C0", ["a"])]
    cards += [Card.from_phrases(f"C{i}", [f"[C{i - 1}] b", f"[C{i - 1}] c"]) for i in range(1, 41)]
    lattice = expanded(fm.Network(cards, "C40"), 1000)
    assert lattice.num_arcs < 250
    assert fm.oracle(lattice, " ".join(["a", *"bc" * 20])).edits == 0
    refused = fm.Network([*cards[:-1], Card.from_phrases("C40", ["b [C39]"])], "C40")
    with pytest.raises(fm.FstmetricsError, match="the limit is 1000"):
        expanded(refused, 1000)


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
    assert fm.network_info(forest).paths == 211319874
    reference = "the EU matters , but also national business since mid-September at four centres ."
    for metric in ("wer", "grr"):
        found = [fm.oracle(side, reference, metric).score for side in (lattice, forest)]
        assert found[0] == found[1]
