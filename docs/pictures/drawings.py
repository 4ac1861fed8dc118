"""The drawings of how-it-works.md: `python docs/pictures/drawings.py` writes them beside itself. Needs Graphviz.

H, R and the permutations are drawn by `fstmetrics.networks.draw`, and so are T and the composition, whose arcs are
labelled with pairs of words. What is drawn of the composition is computed here from the definition; its best path is
compared with the program's.
"""

from __future__ import annotations

import re
from pathlib import Path

import fstmetrics as fm
from fstmetrics.data.cards import CardArc

HERE = Path(__file__).parent
BEST = 'color="#c04f15", fontcolor="#c04f15", penwidth=2'
Arc = tuple[int, int, str]
State = tuple[int, int]
# A step of the composition: from, to, its label, its cost.
Step = tuple[State, State, str, int]

HYPOTHESES: list[Arc] = [(0, 1, "the"), (1, 2, "cat"), (1, 2, "hat"), (2, 3, "sat")]
REFERENCES: list[Arc] = [
    (0, 1, "the"), (1, 2, "cat"), (2, 3, "sat"), (3, 4, "down"), (0, 5, "a"), (5, 6, "cat"), (6, 4, "slept"),
]  # fmt: skip
METRIC = [(0, 0, "x:x/0"), (0, 0, "x:y/1"), (0, 0, "x:ε/1"), (0, 0, "ε:y/1")]


def last(arcs: list[Arc]) -> int:
    """The end: the largest state."""
    return max(b for _, b, _ in arcs)


def drawing(name: str, arcs: list[CardArc], finals: set[int]) -> str:
    """A machine in a frame with its name."""
    card = fm.Card(name, tuple(arcs), frozenset(finals))
    return fm.networks.draw(fm.Network([card], name), [name])


def save(name: str, dot: str) -> None:
    """The picture, on white, so that it can be read on dark pages, too."""
    svg = fm.networks.render(
        dot.replace("rankdir=LR;", 'rankdir=LR; bgcolor="white"; pad=0.1;'), "svg"
    ).decode()
    (HERE / f"{name}.svg").write_text(re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL), encoding="utf-8")


def composition(h: list[Arc], r: list[Arc]) -> list[Step]:
    """All steps of H ∘ T ∘ R for the word error rate, from the definition."""
    states = [(a, b) for a in range(last(h) + 1) for b in range(last(r) + 1)]
    steps: list[Step] = []
    for i, j in states:
        steps += [((i, j), (b, j), f"{x}:ε", 1) for a, b, x in h if a == i]
        steps += [((i, j), (i, d), f"ε:{y}", 1) for c, d, y in r if c == j]
        steps += [
            ((i, j), (b, d), f"{x}:{y}", int(x != y)) for a, b, x in h if a == i for c, d, y in r if c == j
        ]
    return steps


def distances(steps: list[Step], start: State) -> dict[State, int]:
    """The least cost from a state to each."""
    found = {start: 0}
    for _ in range(len({a for a, *_ in steps}) + 1):
        for a, b, _, cost in steps:
            if a in found and found[a] + cost < found.get(b, 1 << 30):
                found[b] = found[a] + cost
    return found


def near_the_best(steps: list[Step], end: State) -> tuple[int, list[Step]]:
    """The least cost, and the steps on paths that cost at most one more."""
    there = distances(steps, (0, 0))
    back = distances([(b, a, label, cost) for a, b, label, cost in steps], end)
    best = there[end]
    return best, [step for step in steps if step[0] in there and step[1] in back
                  and there[step[0]] + step[3] + back[step[1]] <= best + 1]  # fmt: skip


def marked(dot: str, arc: str, label: str) -> str:
    """A drawing in which one of the labels of an arc is an arc of its own, in the colour of the best path."""
    line = next(line for line in dot.splitlines() if line.strip().startswith(f"{arc} [label="))
    others = [other for other in line.split('"')[1].split("\\n") if other != label]
    parts = [f'  {arc} [label="{label}", {BEST}];'] + [f'  {arc} [label="{other}"];' for other in others]
    return dot.replace(line, "\n".join(parts))


def permutations(words: list[str], window: int) -> list[Arc]:
    """All orders in which a word is taken from the first `window` words on, counted from the leftmost not yet taken."""
    number: dict[frozenset[int], int] = {frozenset(): 0}
    arcs, todo = [], [frozenset[int]()]
    for taken in todo:
        left = min(set(range(len(words))) - taken, default=None)
        for place in range(left, min(left + window, len(words))) if left is not None else ():
            if place not in taken:
                after = taken | {place}
                if after not in number:
                    number[after] = len(number)
                    todo.append(after)
                arcs.append((number[taken], number[after], words[place]))
    return arcs


def composition_drawing() -> str:
    """The composition, with the path that the program chooses in colour."""
    steps = composition(HYPOTHESES, REFERENCES)
    best, shown = near_the_best(steps, (last(HYPOTHESES), 4))
    lattice = fm.Lattice.from_arcs(HYPOTHESES, finals=[last(HYPOTHESES)])
    network = fm.Network([fm.Card("R", tuple(REFERENCES), frozenset({4}))], "R")
    result = fm.align(lattice, network)
    assert result.cost == best, (result, best)

    number = {state: n for n, state in enumerate(dict.fromkeys(s for a, b, *_ in shown for s in (a, b)))}
    arcs = [(number[a], number[b], f"{label}/{cost}") for a, b, label, cost in shown]
    dot = drawing("H ∘ T ∘ R", arcs, {number[last(HYPOTHESES), 4]})
    # The path that the program chose: its operations, from the start.
    here: State = (0, 0)
    for pair in result.alignment:
        label = f"{pair.hypothesis or 'ε'}:{pair.reference or 'ε'}"
        there, cost = next((b, cost) for a, b, other, cost in shown if (a, other) == (here, label))
        dot = marked(dot, f"c0_{number[here]} -> c0_{number[there]}", f"{label}/{cost}")
        here = there
    return dot


def main() -> None:
    """Write all."""
    orders = permutations(["where", "station", "is"], 2)
    save("permutations", drawing("H", list(orders), {last(orders)}))
    save("h", drawing("H", list(HYPOTHESES), {last(HYPOTHESES)}))
    save("r", drawing("R", list(REFERENCES), {4}))
    save("t", drawing("T", list(METRIC), {0}))
    save("composition", composition_drawing())


if __name__ == "__main__":
    main()
