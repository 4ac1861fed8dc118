"""H, T and R as machines of OpenFst: composed by plain calls of pynini, they have the cost that the engine finds."""

from __future__ import annotations

import random
import runpy
from typing import Any

import pytest
import random_cases as rc
from places import RANDOM_CASES, ROOT

import fstmetrics as fm
from fstmetrics.metrics.path_metric import match_is_best
from fstmetrics.openfst.machines import machine_svg
from fstmetrics.openfst.problem import permutations, size_of_permutations

pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")

CASES = RANDOM_CASES // 2
BLOCKS = 8


def distance(machines: fm.Machines) -> float:
    """The shortest path through the three, by calls of pynini alone."""
    found = pynini.compose(pynini.compose(machines.hypothesis, machines.metric), machines.reference)
    return float(str(pynini.shortestdistance(found, reverse=True)[found.start()]))


def is_whole(cost: float) -> bool:
    """Whether OpenFst's weights hold a cost: a multiple of 1/16."""
    return (16 * cost).is_integer()


@pytest.mark.parametrize("block", range(BLOCKS))
def test_composed_machines_have_the_cost_of_align(block: int) -> None:
    """Texts, lattices, networks and alternatives on both sides, every metric; windows and both counts of moves."""
    for seed in range(block, CASES, BLOCKS):
        case = rc.random_case(seed)
        given = case.hypothesis.value, case.reference.value, case.pair.metric
        expected = fm.align(*given).cost  # type: ignore[arg-type]
        machines, exact = fm.compile(*given), fm.compile(*given, units=True)  # type: ignore[arg-type]
        table = case.pair.metric.table
        if all(is_whole(cost / table.scale) for row in table.cost for cost in row):
            assert distance(machines) == expected, case
        assert distance(machines) == pytest.approx(expected, abs=1e-5), case
        assert distance(exact) == round(expected * exact.scale), case


def nbest(entries: list[str]) -> fm.NBest:
    return fm.NBest("u", tuple(tuple(entry.split()) for entry in entries), tuple(entries))


def kinds(rng: random.Random) -> dict[str, tuple[Any, Any]]:
    """An item of every kind of hypothesis and reference that the other random cases have not."""

    def text(most: int) -> str:
        return " ".join(rng.choice("abc") for _ in range(rng.randint(0, most)))

    wild = " ".join(rng.choice(["a", "b", "c", "<*>"]) for _ in range(rng.randint(0, 5)))
    choices = " ".join(rng.choice(["a", "{b|c a|}", "{a|{b|c}}"]) for _ in range(rng.randint(1, 4)))
    entries = [f"{text(3)} a", text(4), f"b {text(3)}"]
    return {
        "wildcards": (text(6), fm.Transcript.parse(wild, "wildcards")),
        "choices": (text(6), fm.Transcript.parse(choices, "braces")),
        "choices on both sides": (
            fm.Transcript.parse(choices, "braces"),
            fm.Alternatives([text(3) + " b", text(4)]),
        ),
        "n-best list": (nbest(entries), text(5)),
        "alternatives": (fm.Alternatives(entries), fm.Alternatives([f"{text(4)} c", text(3)])),
        "nothing": ("", text(3)),
    }


METRICS = [
    fm.WER(), fm.WRR(), fm.GRR(3), fm.GRR(2, -0.5, 1), fm.Sclite(), fm.MER(), fm.WIL(), fm.HyTER(2),
    fm.HyTER(3, "jumps"), fm.EditMetric(3, 1, 1, 1),
    fm.EditMetric(memory=[[(1, 0), (0, 1), (0, 2), (1, 1)], [(0, 4), (1, 1), (0, 1), (0, 3)]]),
    fm.EditMetric(cost=lambda op, h, r: 0.25 if "a" in (h, r) else float(op != "match")),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(max(CASES // 40, 5)))
def test_every_kind_of_input_has_the_cost_of_align(seed: int) -> None:
    for kind, (hypothesis, reference) in kinds(random.Random(seed)).items():
        for metric in METRICS:
            try:
                expected = fm.align(hypothesis, reference, metric).cost
            except fm.SearchError as error:
                with pytest.raises(fm.SearchError, match=str(error)[:40]):
                    fm.compile(hypothesis, reference, metric)
                continue
            found = distance(fm.compile(hypothesis, reference, metric))
            assert found == expected, (kind, metric, hypothesis, reference)


def test_a_word_never_stands_for_itself_where_a_match_is_dearer() -> None:
    metric = fm.EditMetric(3, 1, 1, 1)
    assert distance(fm.compile("a b", "a b", metric)) == fm.align("a b", "a b", metric).cost == 3
    assert not match_is_best(metric.table)
    # Here a match costs less, but leads to a memory in which everything is dearer.
    forgetful = fm.EditMetric(memory=[[(1, 0), (0, 1), (0, 1), (0, 1)], [(1, 9), (1, 9), (1, 9), (1, 9)]])
    assert not match_is_best(forgetful.table)
    assert distance(fm.compile("a b", "a b", forgetful)) == fm.align("a b", "a b", forgetful).cost


@pytest.mark.parametrize("metric", [fm.WER(), fm.WRR(), fm.GRR(4, -0.9, 1), fm.Sclite(), fm.HyTER(3)])
def test_a_match_is_best_under_the_papers_metrics(metric: fm.Metric) -> None:
    assert match_is_best(metric.table)


def test_characters_normalisation_and_grammars_are_as_of_align() -> None:
    asked = {"normalisation": fm.Normalisation(unit="char", lowercase=True)}
    machines = fm.compile("A cat", "the cat", **asked)
    assert distance(machines) == fm.align("A cat", "the cat", **asked).cost  # type: ignore[arg-type]
    assert machines.symbols.find("<space>") > 0
    asked = {"grammars": "en.spelling@0.5"}
    assert distance(fm.compile("the color", "the colour", **asked)) == 0.5  # type: ignore[arg-type]
    # Words of a compound can only be matched.
    for said in ("ice cream", "icecream", "ice dream"):
        asked = {"grammars": "compounds"}
        expected = fm.align(said, "icecream", **asked).cost  # type: ignore[arg-type]
        assert distance(fm.compile(said, "icecream", **asked)) == expected  # type: ignore[arg-type]


def test_names_of_marks_are_no_words() -> None:
    """A word may look like a mark, epsilon or a call: it keeps its name, and the other gets another one."""
    cards = {"X": {"phrases": ["<eps>", "<sub>"]}, "S": {"phrases": [r"\[X\] [X]"]}}
    network = fm.Network.from_dict({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    machines = fm.compile("[X] <ins> <eps>", network)
    assert distance(machines) == fm.align("[X] <ins> <eps>", network).cost
    names = [name for _, name in machines.symbols]
    assert len(names) == len(set(names))
    assert {"[X]", "[X]_", "<eps>", "<eps>_", "<sub>", "<sub>_", "<ins>", "<ins>_"} <= set(names)
    assert machines.symbols.find(0) == "<eps>_"


def test_cards_of_a_network_replaced_are_the_reference() -> None:
    network = fm.Network.read("fstmetrics/examples/hyter/networks/station.json")
    machines = fm.compile("where train station is", network, fm.HyTER(3))
    root, *others = machines.cards
    assert root == network.root
    label = {name: machines.symbols.find(f"[{name}]") for name in machines.cards}
    pairs = [(label[name], machines.cards[name]) for name in (root, *others)]
    import pywrapfst

    replaced = pynini.Fst.from_pywrapfst(pywrapfst.replace(pairs, epsilon_on_replace=True))
    assert pynini.equivalent(replaced.optimize(), machines.reference.copy().optimize())
    assert list(fm.compile("a", "b").cards) == ["R"]


def test_the_shortest_path_says_what_becomes_of_each_word() -> None:
    machines = fm.compile("where train station is", "where is the train station", fm.HyTER(3))
    path = machines.shortest()
    words = machines.symbols
    found = [
        (words.find(arc.ilabel), words.find(arc.olabel), float(str(arc.weight)))
        for state in path.states()
        for arc in path.arcs(state)
    ]
    assert sum(weight for *_, weight in found) == 2
    assert [after for _, after, _ in found if after != "<eps>"] == ["where", "is", "the", "train", "station"]
    assert sorted(before for before, _, _ in found if before != "<eps>") == sorted(
        ["where", "train", "station", "is"]
    )


def test_what_is_shown_of_machines_says_that_sizes_are_bounds() -> None:
    machines = fm.compile("a b c", "a c", fm.HyTER(2))
    assert machines.hypothesis.num_states() < machines.sizes["H"].states
    assert repr(machines) == (
        "Machines(metric='hyter', H='at most 7 states and 9 arcs', R='at most 3 states and 2 arcs')"
    )


def test_machines_are_drawn() -> None:
    machines = fm.compile("a <b> c", "a c")
    drawing = machines._repr_svg_()
    assert drawing is not None
    assert drawing.count("<svg ") == 4
    assert "a:c/1" in drawing
    assert "&lt;b&gt;:ε/1" in drawing
    words = " ".join(f"w{i}" for i in range(300))
    assert fm.compile(words, words)._repr_svg_() is None


def test_the_drawings_of_the_documentation_are_those_of_the_program() -> None:
    script = ROOT / "docs" / "pictures" / "machines.py"
    if not script.exists():
        pytest.skip("the documentation is not here")
    made = runpy.run_path(str(script))["drawings"]()
    drawn = {name: f"{machine_svg(fst)}\n" for name, fst in made.items()}
    there = {path.stem: path.read_text(encoding="utf-8") for path in script.parent.glob("compile-*.svg")}
    assert drawn == there, "make them again: python docs/pictures/machines.py"


@pytest.mark.parametrize("reordering", ["moves", "jumps"])
def test_the_formulas_of_permutations_are_bounds_that_are_met(reordering: Any) -> None:
    for window in range(1, 8):
        for words in range(12):
            arcs, states, _ = permutations(words, window, reordering)
            size = size_of_permutations(words, window, reordering)
            assert states <= size.states, (words, window)
            assert len(arcs) <= size.arcs, (words, window)
    # In the middle of a long string each word more adds just so many.
    for window in (1, 2, 3, 4, 6):
        (one, states), (other, more) = (permutations(n, window, reordering)[:2] for n in (30, 31))
        added = (
            size_of_permutations(31, window, reordering).arcs
            - size_of_permutations(30, window, reordering).arcs
        )
        assert len(other) - len(one) == added
        assert (
            more - states
            == size_of_permutations(31, window, reordering).states
            - size_of_permutations(30, window, reordering).states
        )


def test_formulas_bound_what_is_built() -> None:
    for seed in range(200):
        case = rc.random_case(seed)
        machines = fm.compile(case.hypothesis.value, case.reference.value, case.pair.metric)  # type: ignore[arg-type]
        built = {"H": machines.hypothesis, "R": machines.reference, "H ∘ T ∘ R": machines.compose()}
        for name, fst in built.items():
            arcs = sum(fst.num_arcs(state) for state in fst.states())
            assert fst.num_states() <= machines.sizes[name].states, (seed, name)
            if name != "H ∘ T ∘ R" or match_is_best(case.pair.metric.table):
                assert arcs <= machines.sizes[name].arcs, (seed, name)


def test_factors_do_not_grow_with_pairs_of_words() -> None:
    words = [f"w{i}" for i in range(400)]
    machines = fm.compile(" ".join(words), " ".join(reversed(words)))
    left, right = machines.factors
    arcs = [sum(fst.num_arcs(state) for state in fst.states()) for fst in (left, right)]
    assert arcs == [3 * 400 + 1, 3 * 400 + 1]
    dear = fm.compile(" ".join(words), " ".join(reversed(words)), fm.EditMetric(3, 1, 1, 1))
    assert sum(fst.num_arcs(0) for fst in dear.factors) <= 2 * 400 * (2 + 2 + 9)


# What is refused


def test_what_is_too_large_is_refused_before_it_is_built() -> None:
    words = " ".join(f"w{i}" for i in range(60))
    with pytest.raises(
        fm.InputError, match=r"H could have \d{6,} arcs as a machine of OpenFst, the limit is"
    ):
        fm.compile(words, words, fm.HyTER(40))
    with (
        fm.limited(expansion=10_000),
        pytest.raises(fm.InputError, match=r"H ∘ T ∘ R, with H of 121 states and 120 arcs"),
    ):
        fm.compile(f"{words} {words}", f"{words} {words} {words}")
    with fm.limited(expansion=1000):
        machines = fm.compile("a b c d", "a b c d")
        assert distance(machines) == 0
    cards = {f"C{i}": {"phrases": [f"[C{i + 1}] [C{i + 1}]"]} for i in range(40)} | {
        "C40": {"phrases": ["a", "b"]}
    }
    network = fm.Network.from_dict({"format": "fstmetrics-network/1", "root": "C0", "cards": cards})
    with pytest.raises(fm.InputError, match="R could have"):
        fm.compile("a", network)


def test_costs_beyond_32_bits_are_refused() -> None:
    with pytest.raises(
        fm.FstmetricsError, match="hold whole numbers below 16777216; give costs with fewer decimals"
    ):
        fm.compile("a b", "c d", fm.EditMetric(substitution=1 / 3))
    assert distance(fm.compile("a b", "c d", fm.EditMetric(substitution="0.333"))) == pytest.approx(0.666)


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf", "mean-wer", fm.METEOR()])
def test_a_metric_without_a_machine_is_refused_by_name(metric: Any) -> None:
    name = metric if isinstance(metric, str) else metric.name
    for call in (fm.compile, fm.refereed):
        with pytest.raises(fm.FstmetricsError, match=f"{name} has no best path"):
            call("a", "b", metric)


def test_inputs_that_align_refuses_are_refused_alike() -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1])
    loop = fm.Lattice.from_arcs([(0, 0, "a"), (0, 1, "b")], finals=[1])
    refused = [
        (lattice, "a", fm.HyTER(2)), (loop, "a", "wer"), ("a", loop, fm.EditMetric(deletion=-1)), ("a", [], "wer"),
        (fm.Transcript.parse("a <*>", "wildcards"), "a", "wer"), (3, "a", "wer"), ("a", "b", "no-such"),
    ]  # fmt: skip
    for hypothesis, reference, metric in refused:
        for call in (fm.align, fm.compile, fm.refereed):
            with pytest.raises(fm.FstmetricsError):
                call(hypothesis, reference, metric)  # type: ignore[operator]


def test_without_pynini_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pynini", None)
    for call in (fm.compile, fm.refereed):
        with pytest.raises(
            fm.FstmetricsError,
            match=r"needs pynini, which is not installed: pip install 'fstmetrics\[openfst\]'",
        ):
            call("a", "b")
