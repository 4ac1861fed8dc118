"""Preferences between systems: the tables of Liu, Dahlmeier and Ng (2011), restored from their percentages."""

from __future__ import annotations

import math

import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval import preferences

# [L11 table 7]: judgments that prefer the first and the second of two systems, of 800, and whether the paper calls the
# difference significant at .01; B, T, M, F: tuned towards BLEU, TER, TESLA-M, TESLA-F.
TABLE_7 = {
    "French": {"BT": (91, 52, True), "BM": (233, 417, True), "BF": (224, 418, True), "TM": (229, 436, True),
               "TF": (220, 440, True), "MF": (61, 70, False)},
    "Spanish": {"BT": (206, 178, False), "BM": (248, 405, True), "BF": (195, 406, True), "TM": (255, 408, True),
                "TF": (211, 419, True), "MF": (207, 267, True)},
    "German": {"BT": (174, 147, False), "BM": (225, 295, True), "BF": (218, 282, True), "TM": (215, 316, True),
               "TF": (218, 300, True), "MF": (194, 170, False)},
}  # fmt: skip
PRINTED = {
    ("French", "BT"): 0.0014,
    ("French", "MF"): 0.48,
    ("Spanish", "MF"): 0.0067,
    ("German", "BF"): 0.0048,
}
PAIRS = [(language, pair, *counts) for language, rows in TABLE_7.items() for pair, counts in rows.items()]


@pytest.mark.parametrize(("language", "pair", "better", "worse", "significant"), PAIRS)
def test_verdicts_of_table_7(language: str, pair: str, better: int, worse: int, significant: bool) -> None:
    equal = 800 - better - worse
    ranks = {
        pair[0]: [1] * better + [2] * worse + [1] * equal,
        pair[1]: [2] * better + [1] * worse + [1] * equal,
    }
    found = preferences(ranks)
    (row,) = found.rows()
    assert (row["a"], row["b"], row["better"], row["worse"], row["equal"]) == (*pair, better, worse, equal)
    assert (row["p"] < 0.01) == significant
    if printed := PRINTED.get((language, pair)):
        assert row["p"] == pytest.approx(printed, rel=0.05)
    assert row["a_preferred"] == better / 800


def test_best_of_several_with_ties_shared() -> None:
    """[L11 table 6]: who is best, or one of the best, so that shares add up to more than 1."""
    found = preferences({"a": [1, 1, 2, math.nan], "b": [1, 2, 1, math.nan], "c": [2, 2, 1, math.nan]})
    assert found.judgments == 3
    assert found.best == {"a": 2 / 3, "b": 2 / 3, "c": 1 / 3}


def test_systems_that_were_not_ranked() -> None:
    found = preferences({"a": [1, math.nan, 2], "b": [2, 1, math.nan]})
    assert found.pairs["a", "b"] == fm.evaluation.preferences({"a": [1], "b": [2]}).pairs["a", "b"]
    assert found.best == {"a": 2 / 3, "b": 1 / 3}


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ({"a": [1]}, "two systems or more"),
        ({"a": [1], "b": [1, 2]}, "not as many"),
        ({"a": [], "b": []}, "there is no judgment"),
        ({"a": ["x"], "b": [1]}, "a rank is a number"),
    ],
)
def test_what_is_refused(ranks: dict[str, list[float]], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        preferences(ranks)
