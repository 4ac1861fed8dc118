"""Oracles of lattices and texts, which take the short way, against those by the general one."""

import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.data.lattice import Scales
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.lattices.oracles import OracleSearch

WORDS = ("a", "b", "c", "", "<s>", "new york")
SCALES = (None, Scales(), Scales(2.0, 0.5, 1.0), Scales(0.0, -1.0, -0.5), Scales(1e300, 1e300))


def random_lattice(rng: random.Random) -> fm.Lattice:
    """Of a few states in any order, with ties among costs, markers, epsilons and now and then a cycle."""
    states = rng.randint(1, 6)
    number = rng.sample(range(states), states)
    pairs = [sorted(rng.choices(range(states), k=2)) for _ in range(rng.randint(0, 12))]
    pairs = [pair for pair in pairs if pair[0] != pair[1] or rng.random() < 0.02]
    ends = [number[states - 1], number[rng.randrange(states)]]
    costs = [rng.choice([(0, 0), (rng.randint(-1, 2), 0), (0, rng.random()), (1e308, 1e308)]) for _ in pairs]
    return fm.Lattice.from_arrays(
        [number[a] for a, _ in pairs],
        [number[b] for _, b in pairs],
        rng.choices(WORDS[: rng.choice([3, 6])], k=len(pairs)),
        finals=[*dict.fromkeys(ends)],
        start=number[0],
        num_states=states,
        costs=costs if rng.random() < 0.8 and costs else None,
        final_costs=[(1, 0)] * len({*ends}) if rng.random() < 0.5 else None,
    )


def cheapest(lattice: fm.Lattice, scales: Scales) -> float:
    """The least cost of a path, each gone along by itself."""
    machine = lattice.automaton
    arcs: dict[int, list[tuple[int, float]]] = {}
    costs = machine.arc_costs if machine.has_costs else np.zeros((machine.num_arcs, 2))
    ends = machine.final_costs if machine.has_costs else np.zeros((len(machine.finals), 2))
    for i, (source, destination, label) in enumerate(
        zip(machine.sources.tolist(), machine.destinations.tolist(), machine.labels.tolist(), strict=True)
    ):
        word = lattice.symbols.words[label]
        penalty = scales.word_penalty if word and word not in SENTENCE_MARKERS else 0.0
        arcs.setdefault(source, []).append((destination, weighed(costs[i], scales) + penalty))
    final = {state: weighed(cost, scales) for state, cost in zip(machine.finals.tolist(), ends, strict=True)}

    def onward(state: int) -> list[float]:
        here = [final[state]] if state in final else []
        return here + [cost + rest for next, cost in arcs.get(state, ()) for rest in onward(next)]

    return min(onward(machine.start))


def weighed(cost: np.ndarray, scales: Scales) -> float:
    return scales.lm * float(cost[0]) + scales.acoustic * float(cost[1])


def answer(lattice: fm.Lattice, reference: object, scales: Scales | None) -> object:
    """All that an oracle says, or why there is none."""
    try:
        found = fm.oracle(lattice, reference, scales=scales)
    except fm.FstmetricsError as error:
        return str(error)
    assert found.one_best is not None
    return (
        found,
        found.as_dict(),
        found.weights,
        found.arcs,
        found.stats,
        found.one_best.stats,
        found.further_columns([found]),
    )


def test_a_text_is_scored_as_a_list_of_one_text() -> None:
    rng = random.Random(7)
    refused = 0
    for _ in range(600):
        lattice, scales = random_lattice(rng), rng.choice(SCALES)
        reference = " ".join(rng.choices(("a", "b", "c", "x", "york", "<s>"), k=rng.randint(0, 5)))
        short, general = answer(lattice, reference, scales), answer(lattice, [reference], scales)
        assert short == general
        assert answer(lattice, reference, scales) == short  # from what is kept
        refused += isinstance(short, str)
    assert 0 < refused < 300


def test_the_one_best_is_the_cheapest_path() -> None:
    rng = random.Random(8)
    for _ in range(300):
        lattice, scales = random_lattice(rng), rng.choice(SCALES[1:4])
        try:
            path = lattice.best_path(scales)
        except fm.FstmetricsError:
            continue
        assert path.cost == pytest.approx(cheapest(lattice, scales))
        words = [lattice.symbols.words[label] for label in lattice.automaton.labels[list(path.arcs)]]
        assert path.words == tuple(word for word in words if word and word not in SENTENCE_MARKERS)


def test_what_is_kept_goes_by_the_scales() -> None:
    lattice = fm.Lattice.from_arrays([0, 0], [1, 1], ["the", "a"], finals=[1], costs=[(1, 9), (2, 5)])
    for scales, words in ((Scales(1, 1), ("a",)), (Scales(10, 1), ("the",)), (None, ("a",))):
        found = fm.oracle(lattice, "the", scales=scales)
        assert found.one_best is not None
        assert found.one_best.hypothesis == lattice.one_best(scales).words == words
        assert found.weights is not None
        assert found.weights.lm == (scales or Scales()).lm
    assert fm.oracle(lattice.weighed(Scales(10, 1)), "the").one_best.hypothesis == ("the",)  # type: ignore[union-attr]


def test_many_in_one_call_are_what_they_are_one_by_one() -> None:
    rng = random.Random(9)
    items: list[tuple[str, fm.Lattice, str]] = []
    while len(items) < 40:
        lattice = random_lattice(rng)
        if not isinstance(answer(lattice, "a", None), str):
            items.append((f"u{len(items)}", lattice, " ".join(rng.choices("abcd", k=4))))
    search = OracleSearch(fm.WER())
    together = search.batch(items)
    assert [result.id for result in together] == [id for id, _, _ in items]
    for item, result in zip(items, together, strict=True):
        (alone,) = search.batch([item])
        assert alone == result
        assert alone.as_dict() == result.as_dict() == {**fm.oracle(*item[1:]).as_dict(), "id": item[0]}


def test_a_result_is_a_value() -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    found = fm.oracle(lattice, "the cat")
    assert pickle.loads(pickle.dumps(found)) == found == replace(found)
    assert replace(found, arcs=7).arcs == 7
    assert (found.after, found.beams, found.hope, found.fear, found.depth, found.sweep) == (
        (),
        (),
        (),
        (),
        None,
        (),
    )
    with pytest.raises(AttributeError, match="no attribute 'one_worst'"):
        _ = found.one_worst  # type: ignore[attr-defined]
