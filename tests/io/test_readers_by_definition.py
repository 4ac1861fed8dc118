"""Readers of SRILM's and Moses' text against the definitions alone: every path with its probability, by recursion.

Sources: pfsg-format(5), wlat-format(5) and SRILM's WordLattice::write, Moses' Manager.cpp (GetSearchGraph).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from small_paths import one, read

Path = tuple[tuple[str, ...], float]
WORDS = ["a", "b", "NULL", "we're", "|||", "a"]


def key(words: list[str], cost: float) -> Path:
    return tuple(word for word in words if word not in ("NULL", "")), round(cost, 6) + 0.0


def found(format: str, text: str) -> Counter[Path]:
    return Counter({(words, cost + 0.0): n for (words, cost), n in one(format, text).items()})


def graph(draw: Random) -> tuple[list[str], dict[int, list[int]]]:
    """Words of nodes, of which the first and the last are the ends, and successors, all upwards."""
    nodes = draw.randint(2, 6)
    words = [draw.choice(WORDS) for _ in range(nodes)]
    after = {
        i: sorted(draw.sample(range(i + 1, nodes), draw.randint(1, min(2, nodes - 1 - i))))
        for i in range(nodes - 1)
    }
    return words, after


def walks(node: int, last: int, after: dict[int, list[int]]) -> Iterator[list[int]]:
    if node == last:
        yield [node]
    for successor in after.get(node, ()):
        for rest in walks(successor, last, after):
            yield [node, *rest]


def shuffled(draw: Random, nodes: int) -> list[int]:
    """Other numbers for the nodes."""
    return draw.sample(range(nodes), nodes)


@pytest.mark.parametrize("seed", range(25))
def test_pfsg_has_the_paths_of_its_definition(seed: int) -> None:
    draw = Random(seed)
    words, after = graph(draw)
    number, last = shuffled(draw, len(words)), len(words) - 1
    scores = {(i, j): draw.randint(-30000, 0) for i in after for j in after[i]}
    by_number = [words[number.index(n)] for n in range(len(words))]
    text = f"name x\nnodes {len(words)} {' '.join(by_number)}\ninitial {number[0]}\nfinal {number[last]}\n"
    text += f"transitions {len(scores)}\n"
    text += "".join(f"{number[i]} {number[j]} {score}\n" for (i, j), score in scores.items())
    expected = Counter(
        key(
            [words[n] for n in walk],
            -sum(scores[pair] for pair in pairwise(walk)) / 10000.5,
        )
        for walk in walks(0, last, after)
    )
    assert found("pfsg", text) == expected


@pytest.mark.parametrize("seed", range(25))
def test_word_posterior_lattices(seed: int) -> None:
    draw = Random(seed)
    words, after = graph(draw)
    number, last = shuffled(draw, len(words)), len(words) - 1
    chance = {i: [draw.uniform(0.1, 1) for _ in after[i]] for i in after}
    mass = {0: 1.0}  # posterior of a node: that of its transitions
    transition: dict[tuple[int, int], float] = {}
    for i in range(last):
        for j, part in zip(after[i], chance[i], strict=True):
            transition[i, j] = mass.get(i, 0.0) * part / sum(chance[i])
            mass[j] = mass.get(j, 0.0) + transition[i, j]
    lines = [
        f"node {number[i]} {words[i]} {i} {mass.get(i, 0)!r}"
        + "".join(f" {number[j]} {transition[i, j]!r}" for j in after.get(i, ()))
        for i in draw.sample(range(len(words)), len(words))
    ]
    text = f"version 2\nname u\ninitial {number[0]}\nfinal {number[last]}\n" + "\n".join(lines) + "\n"
    expected = Counter(
        key(
            [words[n] for n in walk],
            -sum(math.log(transition[i, j] / mass[i]) for i, j in pairwise(walk)),
        )
        for walk in walks(0, last, after)
    )
    assert found("srilm-lattice", text) == expected


@pytest.mark.parametrize("seed", range(25))
def test_word_meshes(seed: int) -> None:
    draw = Random(seed)
    columns = [
        [(word, draw.choice([0.5, 0.25, 1, 1e-3])) for word in draw.sample(["a", "b", "*DELETE*", "NULL"], 3)]
        for _ in range(draw.randint(1, 3))
    ]
    rows = [f"align {i} " + " ".join(f"{w} {p}" for w, p in column) for i, column in enumerate(columns)]
    draw.shuffle(rows)
    text = f"name u\nnumaligns {len(columns)}\nposterior 1\n" + "\n".join(rows) + "\ntransposterior 0 1\n"
    expected: Counter[Path] = Counter()

    def go(at: int, words: tuple[str, ...], cost: float) -> None:
        if at == len(columns):
            expected[words, round(cost, 6) + 0.0] += 1
            return
        for word, posterior in columns[at]:
            go(at + 1, words if word == "*DELETE*" else (*words, word), cost - math.log(posterior))

    go(0, (), 0.0)
    assert found("srilm-mesh", text) == expected


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_search_graphs_have_the_paths_of_their_definition(seed: int, old: bool) -> None:
    """Winners and, after each, the hypotheses recombined with it, stack by stack, as `GetSearchGraph` lists them."""
    draw = Random(seed)
    stacks = [[0]]
    number = 0
    lines: list[str] = []
    arcs: list[tuple[int, int, str, float]] = []
    for stack in range(1, draw.randint(2, 4)):
        stacks.append([])
        for _ in range(draw.randint(1, 2)):
            winner = number = number + draw.randint(1, 9)
            stacks[-1].append(winner)
            for hypothesis in range(winner, winner + draw.randint(1, 2)):
                number = hypothesis
                back, out = draw.choice(stacks[-2]), draw.choice(["this", "is it", "", "a , b"])
                score = round(draw.uniform(-9, 0), 4)
                again = f" recombined={winner}" if hypothesis != winner else ""
                lines.append(
                    f"{hypothesis} stack={stack} back={back} score=-1 transition={score}{again}|{winner}|{out}"
                )
                arcs.append((back, winner, out, -score))
    text = "3 hyp=0 stack=0 forward=1 fscore=-10.5\n".replace("forward=1", f"forward={stacks[1][0]}")
    for line in lines:
        head, winner_of, out = line.split("|")
        stack = next(i for i, some in enumerate(stacks) if int(winner_of) in some)
        forward = -1 if stack == len(stacks) - 1 else stacks[stack + 1][0]
        tail = " , pC=-1.49323, c=-5.09407" if old else ""
        text += f"3 hyp={head} forward={forward} fscore=-2.5 covered=0-1 out={out}{tail}\n"

    def go(state: int, words: tuple[str, ...], cost: float) -> Iterator[Path]:
        if state in stacks[-1]:
            yield words, round(cost, 6) + 0.0
        for source, target, out, more in arcs:
            if source == state:
                yield from go(target, (*words, *out.split()), cost + more)

    assert read("moses-graph", text)[0].id == "3"
    assert found("moses-graph", text) == Counter(go(0, (), 0.0))
