"""OpenFst as second referee: the six totals of the design's tie order, by pruning and weighing again."""

from __future__ import annotations

import os
import random
from typing import Any

import brute_force as bf
import pytest
import random_cases as rc
from places import RANDOM_CASES

import fstmetrics as fm
from fstmetrics.openfst import referee

pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")

CASES = RANDOM_CASES
BLOCKS = 8


@pytest.mark.parametrize("block", range(BLOCKS))
def test_openfst_agrees_with_the_engine_and_with_the_enumerating_referee(block: int) -> None:
    """Costs, words of the closest path, edits, moves, matches and deletions, for every kind of side and metric."""
    for seed in range(block, CASES, BLOCKS):
        case = rc.random_case(2_000_000 + seed)
        found = fm.refereed(case.hypothesis.value, case.reference.value, case.pair.metric)  # type: ignore[arg-type]
        assert found.agree, (case, str(found))
        assert found.engine == found.openfst
        expected = min(case.pairs(), key=lambda totals: bf.rank(totals, case.pair.referee))
        by_openfst = fm.Result(found.result.metric, found.totals)
        assert rc.totals_of(by_openfst) == expected, (case, str(found))


TEXT = "the colour of 3 dogs don't travelled e-mail ice cream".split()  # noqa: SIM905
SAID = [*TEXT, "icecream", "color", "three", "do", "not"]
ASKED: dict[str, dict[str, Any]] = {
    "characters": {"normalisation": fm.Normalisation(unit="char")},
    "changed words": {"normalisation": fm.Normalisation(remove_punctuation=True, lowercase=True)},
    "rewriting at a cost": {"grammars": "en@0.3"},
    "rewriting of hits": {"grammars": "en.speech,compounds"},
    "ignored words": {"normalisation": fm.Normalisation(ignore=frozenset({"the"}), lowercase=True)},
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_under_rules_for_words(asked: str, seed: int) -> None:
    rng = random.Random(seed)
    for metric in (fm.WER(), fm.GRR(3), fm.HyTER(3), fm.EditMetric(3, 1, 1, 1)):
        most = 2 if asked == "characters" else 5
        said, reference = (" ".join(rng.sample(words, most)) for words in (SAID, TEXT))
        found = fm.refereed(said, reference, metric, **ASKED[asked])
        assert found.agree, (said, reference, metric, str(found))


def test_it_counts_left_out_words_as_sclite_does() -> None:
    reference = fm.Transcript.parse("a (b) {c / @} (d) b", "sclite")
    correct = fm.Normalisation(optional_words="correct")
    for said in ("a b c d b", "a b", "a c b b", "", "d d d"):
        found = fm.refereed(said, reference, fm.Sclite(), normalisation=correct)
        assert found.agree, (said, str(found))


def test_a_wrong_answer_is_told() -> None:
    """What the engine would say if it were wrong: a judge who never disagrees is none."""
    right = fm.align("a b c", "a x c d")
    for changed, named in (
        ({"units": 1}, "cost 1 by the engine, 2 by OpenFst"),
        ({"deletions": 2}, "path_length 5 by the engine, 4 by OpenFst"),
        ({"matches": 1, "substitutions": 2}, "matches 1 by the engine, 2 by OpenFst"),
        ({"moves": 1}, "moves 1 by the engine, 0 by OpenFst"),
    ):
        wrong = fm.Result(right.metric, right.totals._replace(**changed))
        found = referee.judged(wrong, "a b c", "a x c d", fm.WER())
        assert not found.agree
        assert named in str(found)


def test_the_longest_of_the_cheapest_paths_divides_not_the_least_ratio() -> None:
    """Beside one error in three words there are two in ten: the ratio is less, and the cost is not."""
    references = ["a b x", "a b c d e f g h i j"]
    found = fm.refereed("a b c", references, fm.HyTER())
    assert (found.engine, found.totals.path_length, found.result.score) == (1, 3, 1 / 3)
    longer = fm.refereed("a b c d e f g h", references, fm.HyTER())
    assert (longer.engine, longer.totals.path_length) == (2, 10)
    ties = fm.refereed("a b", ["a", "a b c"], fm.HyTER())
    assert (ties.engine, ties.totals.path_length, ties.agree) == (1, 3, True)


def test_references_with_a_cycle() -> None:
    loop = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b"), (1, 2, "c")], finals=[2])
    for said in ("a b a c", "", "x x x x x", "a b c"):
        assert fm.refereed(said, loop).agree
    with pytest.raises(fm.SearchError, match="a word that is left out may cost nothing"):
        fm.refereed("a b a c", loop, fm.WRR())


def test_real_items_agree() -> None:
    """Lattices of a decoder beside their references, and the shipped networks."""
    lattices = sorted(os.listdir("fstmetrics/examples/oracle/lattices"))
    with open("fstmetrics/examples/oracle/ref.txt", encoding="utf-8") as file:
        references = dict(line.rstrip("\n").split(" ", 1) for line in file)
    for name in lattices:
        lattice = fm.Lattice.read(f"fstmetrics/examples/oracle/lattices/{name}")
        for metric in (fm.WER(), fm.GRR(4)):
            found = fm.refereed(lattice, references[name.partition(".")[0]], metric)
            assert found.agree, (name, str(found))
    network = fm.Network.read("fstmetrics/examples/hyter/networks/orejuela.json")
    found = fm.refereed("Orejuela appeared calm when he was taken to the plane", network, fm.HyTER(2))
    assert found.agree, str(found)
