"""TERp-style rates: costs by hand, against TERp's own output, and a slow search through edits."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from command import written
from later_modules import later

import fstmetrics as fm
from fstmetrics.metrics.terp import COSTS, TERpSearch

later("nltk", "nltk is not installed")
A = COSTS["adequacy"]
# Hypothesis, reference, and the rate that TERp-A's sample output has for sentences whose words are equal and different
# in the same places; words are replaced by codes.
OF_TERP = [
    ("q1 p1 s1 x1 x2 q1 e1 o1 q1 d1", "p1 s1 m1 f1 t1 n1 b1 q1 e1 o1 q1 r1 d1", 0.6984380219598096),
    ("i1 w1 b1 v1 o1 e1 n1 k1 .", "q1 v1 o1 i1 w1 t1 p1 a1 q1 g1 f1 n1 k1 .", 0.7721308480719697),
    (
        "t1 m1 , the is d1 to the r1 in h1 on w1 s1 .",
        "t1 m1 the f1 in k1 on w1 s1 is p1 for the r1 .",
        0.5821678138793305,
    ),
]


def search(reference: str, costs: str = "adequacy", paraphrases: str | None = None) -> TERpSearch:
    return TERpSearch(reference.split(), COSTS[costs], False, paraphrases)


@pytest.mark.parametrize(("hypothesis", "reference", "rate"), OF_TERP)
def test_rates_are_terp_s(hypothesis: str, reference: str, rate: float) -> None:
    found = fm.score([hypothesis], [reference], fm.TERp(synonyms="none"))
    assert found.score == pytest.approx(100 * rate)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b", "a b", 0.0),
        ("walked", "walks", A.stem),
        ("a", "b", A.substitution),
        ("a b", "a", A.insertion),
        ("a", "a b", A.deletion),
        ("x1 x2 x3 y1 y2", "y1 y2 x1 x2 x3", A.shift),
    ],
)
def test_costs_by_hand(hypothesis: str, reference: str, expected: float) -> None:
    assert search(reference).cost(hypothesis.split()) == pytest.approx(expected)


def test_paraphrases_have_the_paper_s_cost(tmp_path: Path) -> None:
    """In TERp's sample output `american` for `u.s.` with probability 1 costs nothing."""
    table = str(written(tmp_path / "t", "american ||| u.s. ||| 1\nx1 ||| y1 y2 y3 ||| 0.001\n"))
    assert search("x american y", paraphrases=table).cost(["x", "u.s.", "y"]) == 0.0
    edits = A.substitution + 2 * A.insertion
    w1, w2, w3, w4 = A.phrase
    expected = w1 + (w2 * -3 + w3 * 0.001 + w4) * edits
    assert 0 < expected < edits
    assert search("x1", paraphrases=table).cost(["y1", "y2", "y3"]) == pytest.approx(expected)
    assert fm.score(["the u.s. people"], ["The American people"], fm.TERp("unit", "none", table)).score == 0.0


def test_edits_against_all_paths() -> None:
    rng = random.Random(8)
    for _ in range(150):
        words, reference = (
            rng.choices(["x1", "x2", "walks", "walked"], k=rng.randint(0, 5)) for _ in range(2)
        )
        costs = COSTS[rng.choice(["adequacy", "hter", "unit"])]
        engine = TERpSearch(reference, costs, False, None)

        @cache
        def least(
            i: int, j: int, words=tuple(words), reference=tuple(reference), costs=costs, engine=engine
        ) -> float:  # type: ignore[no-untyped-def]
            if not i and not j:
                return 0.0
            found = [least(i - 1, j) + costs.insertion] if i else []
            found += [least(i, j - 1) + costs.deletion] if j else []
            if i and j:
                cost = 0.0 if words[i - 1] == reference[j - 1] else costs.substitution
                if words[i - 1] != reference[j - 1] and words[i - 1][0] == reference[j - 1][0] == "w":
                    cost = min(cost, costs.stem)
                found.append(least(i - 1, j - 1) + cost)
            return min(found)

        assert engine.rows(words)[-1][-1] == pytest.approx(least(len(words), len(reference)))
        assert engine.cost(list(words)) <= least(len(words), len(reference)) + 1e-9


def test_several_references_and_caps() -> None:
    both = fm.Alternatives(["x1 x2", "y1 y2 y3 y4"])
    assert fm.score(["x1 x2"], [both], fm.TERp("unit", "none")).values[0].tolist() == [0.0, 3.0]
    assert fm.score(["z1 z2"], ["x1 x2"], fm.TERp(synonyms="none")).score == 100.0
    assert fm.score(["z1 z2 z3"], ["x1"], fm.TERp("unit", "none")).score == 300.0
    with pytest.raises(fm.FstmetricsError, match="costs is"):
        fm.TERp("tuned")  # type: ignore[arg-type]
