"""Weights of features rank n-best lists; where nothing has features, they are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.io import read_items

LISTS = """\
0 ||| the cat ||| lm= -2 tm= -1 -3 ||| -9
0 ||| a cat ||| lm= -1 tm= -2 0 ||| -10
1 ||| it is ||| lm= -1 tm= 0 0 ||| -1
1 ||| it was ||| lm= -1 tm= 0 0 ||| -2
"""


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    (tmp_path / "lists.nbest").write_text(LISTS, encoding="utf-8")
    (tmp_path / "ref.txt").write_text("a cat\nit was\n", encoding="utf-8")
    (tmp_path / "weights").write_text("lm= 0.5\ntm= 1 2\n", encoding="utf-8")
    return tmp_path


def test_scores_are_weighted_sums_and_the_best_comes_first(lists: Path) -> None:
    items = read_items(lists / "lists.nbest", weights=lists / "weights").items
    assert [item.given.texts for item in items] == [("a cat", "the cat"), ("it is", "it was")]
    assert [item.given.scores for item in items] == [(-2.5, -8.0), (-0.5, -0.5)]
    (lists / "weights").write_text("lm -1\ntm_1 1\ntm_2 0\n", encoding="utf-8")
    items = read_items(lists / "lists.nbest", weights=lists / "weights").items
    assert [item.given.texts for item in items] == [("the cat", "a cat"), ("it is", "it was")]
    assert items[0].given.scores == (1.0, -1.0)


def test_commands_take_the_1_best_under_the_weights(lists: Path) -> None:
    given = [lists / "lists.nbest", "--weights", lists / "weights"]
    assert fstmetrics("best", *given, "--to", "plain").out == "a cat\nit is\n"
    oracle = fstmetrics("oracle", lists / "ref.txt", *given, "--json").summary
    assert oracle["one_best"]["edits"] == 1
    assert fstmetrics("oracle", lists / "ref.txt", *given[:1], "--json").summary["one_best"]["edits"] == 2
    bleu = fstmetrics("oracle", lists / "ref.txt", *given, "--metric", "bleu", "--json").summary
    assert [record["rank"] for record in bleu["records"]] == [1, 2]
    risk = json.loads(fstmetrics("mbr", *given, "--json").out)
    assert risk["records"][0]["one_best"]["hypothesis"] == ["a", "cat"]
    assert "weights:weights" in risk["signature"]


@pytest.mark.parametrize("command", ["score", "oracle", "mbr", "best"])
def test_weights_of_what_has_no_features_are_refused(lists: Path, command: str) -> None:
    plain = lists / ("hyp.txt" if command == "score" else "lists.txt")
    plain.write_text("a cat\nit was\n" if command == "score" else "0 a cat\n0 the cat\n", encoding="utf-8")
    references = [] if command in ("mbr", "best") else [lists / "ref.txt"]
    kind = [] if command == "score" else ["--format", "nbest-kaldi"]
    for weights in ("weights", "nix"):
        ran = fstmetrics(command, *references, plain, *kind, "--weights", lists / weights)
        assert ran.status == 2, ran.out
        assert f"{lists / weights}: " in ran.err


def test_a_feature_without_a_weight_and_a_missing_file_are_refused(lists: Path) -> None:
    (lists / "weights").write_text("lm 1\n", encoding="utf-8")
    ran = fstmetrics("best", lists / "lists.nbest", "--weights", lists / "weights", "--to", "plain")
    assert ran.status == 2
    assert "lists.nbest:1: the feature 'tm_1' has no weight in" in ran.err
    assert "--default-weight" not in ran.err
    ran = fstmetrics("best", lists / "lists.nbest", "--weights", lists / "nix", "--to", "plain")
    assert (ran.status, ran.out) == (2, "")


def test_bleu_of_mbr_says_its_tokenizer(lists: Path) -> None:
    found = fstmetrics("mbr", lists / "lists.nbest", "--metric", "bleu", "--json").summary
    assert "tok:13a" in found["signature"]
    assert "tok:13a" in found["records"][0]["signature"]
    assert "candidates" not in found["signature"]


@pytest.mark.parametrize("epsilon", ["<eps>", "@0@", "!NULL", "@_EPSILON_SYMBOL_@"])
def test_a_symbol_table_is_no_file_of_weights(epsilon: str, tmp_path: Path) -> None:
    lists = written(tmp_path / "l.nbest", "0 ||| a ||| the= 1 ||| 1\n")
    table = written(tmp_path / "words.txt", f"{epsilon} 0\nthe 1\ncat 2\n")
    ran = fstmetrics("best", lists, "--weights", table)
    assert ran.status == 2
    assert (
        "words.txt: looks like a symbol table (`word integer` lines), not like weights of features" in ran.err
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        # Counted from 0, in both spellings and after half of the way.
        ("lm 1\ntm_0 1\ntm_1 2\n", "counts from 0 ('tm_0'), and features are counted from 1: name the weights 'tm_1'"),
        ("lm 1\nTM0 1\nTM1 2\n", "counts from 0 ('TM0'), and features are counted from 1: name the weights 'tm_1'"),
        ("lm 1\ntm0 1\ntm_1 2\n", "counts from 0 ('tm0'), and features"),
        ("lm 1\ntm:0 1\ntm:1 2\n", "counts from 0 ('tm:0'), and features"),
        ("lm 1\ntm_00 1\ntm_01 2\n", "counts from 0 ('tm_00'), and features"),
        ("lm 1\ntm[0] 1\ntm[1] 2\n", "counts from 0 ('tm[0]'), and features"),
        ("lm 1\ntm-1 1\ntm-2 2\n", "has no weight in {}, which has 'tm-1': name it 'tm_1' there"),
        # A colon behind one name.
        ("lm: 1\ntm_1 1\ntm_2 2\n", "has no weight in {}, which has 'lm:': name it 'lm' there"),
        ("lm 1\ntm_1: 1\ntm_2 2\n", "has no weight in {}, which has 'tm_1:': name it 'tm_1' there"),
        # No name is that of a feature.
        (
            "A 1\nB1 1\nB2 1\n",
            "none of the features (lm, tm_1, tm_2) has a weight in {}, which has A, B1, B2: give the weights the names"
        ),
        ("p 1\n", "has a weight in {}, which has p: give the weights the names of the features there"),
        # Nothing else is meant.
        ("lm 1\nx_0 1\ntm_1 2\n", "the feature 'tm_2' has no weight in {}; add the line `tm_2 0` there"),
        ("lm0 1\nlm 1\ntm_2 2\n", "the feature 'tm_1' has no weight in {}; add the line `tm_1 0` there"),
    ],
)  # fmt: skip
def test_weights_with_other_names_are_named(lists: Path, weights: str, message: str) -> None:
    path = written(lists / "weights", weights)
    outcome = fstmetrics("best", lists / "lists.nbest", "--weights", path)
    assert (outcome.status, message.format(path) in outcome.err) == (2, True), outcome.err


def test_weights_by_the_names_of_others_lead_to_those_of_the_features(tmp_path: Path) -> None:
    """Lines of `feature_1 0`, as of one lacking feature, would make all scores 0."""
    lists = written(
        tmp_path / "l.nbest",
        "0 ||| the cat ||| -1 -2 ||| -3\n0 ||| the hat ||| -2 -0.5 ||| -2.5\n1 ||| a ||| 0 0 ||| 1\n",
    )
    for names in ("LM 1\nTM 1\n", "F1 1\nF2 1\n"):
        ran = fstmetrics("best", lists, "--weights", written(tmp_path / "w", names))
        assert (ran.status, "none of the features (feature_1, feature_2) has a weight in" in ran.err) == (
            2,
            True,
        )
        assert "add the line" not in ran.err
    named = written(tmp_path / "w", "feature_1 1\nfeature_2 1\n")
    assert fstmetrics("best", lists, "--weights", named, "--to", "plain").out == "the hat\na\n"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "tm_0 1",
            "no feature 'tm_0', and its features 'tm_1', ... are counted from 1: so are their weights",
        ),
        ("TM0 1", "no feature 'TM0', and its features 'tm_1', ... are counted from 1: so are their weights"),
        ("tm_0 0", ""),
        ("lm_0 1", ""),
        ("TM_1 1", ""),
        ("Distortion 0.5", ""),
        ("tm_3 0.5", ""),
    ],
)
def test_weights_that_are_counted_from_0_are_told(lists: Path, more: str, told: str) -> None:
    weights = written(lists / "weights", f"lm 1\ntm_1 1\ntm_2 1\n{more}\n")
    said = fstmetrics("best", lists / "lists.nbest", "--weights", weights).err
    assert ("--weights: an item has" in said, told in said) == (bool(told), True)
