"""Samples of a model as several files, or as columns of a table: the same as an n-best list of them."""

from __future__ import annotations

import json
import random
import re
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.io import read_items


@pytest.mark.parametrize("metric", ["wer", "chrf"])
def test_files_and_columns_are_lists_of_samples(tmp_path: Path, metric: str) -> None:
    draw = random.Random(3)
    samples = [
        [" ".join(draw.choices(["a", "b", "c", "d"], k=draw.randrange(1, 5))) for _ in range(5)]
        for _ in range(4)
    ]
    expected = [" ".join(fm.mbr([texts[i] for texts in samples], metric).words) for i in range(5)]
    names = [f"s{n}" for n in range(4)]
    plain = [
        written(tmp_path / name, "\n".join(texts) + "\n") for name, texts in zip(names, samples, strict=True)
    ]
    assert fstmetrics("mbr", *plain, "--metric", metric).out.splitlines() == expected
    assert [" ".join(r["hypothesis"]) for r in fm.mbr_files(plain, metric=metric).records or ()] == expected
    orders = [draw.sample(range(5), 5) for _ in samples]
    with_ids = [
        written(tmp_path / f"{name}.trn", "".join(f"{texts[i]} (u_{i})\n" for i in order))
        for name, texts, order in zip(names, samples, orders, strict=True)
    ]
    found = fstmetrics("mbr", *with_ids, "--metric", metric).out.splitlines()
    assert sorted(found) == [f"u_{i} {text}" for i, text in enumerate(expected)]
    rows = [",".join(["id", *names])] + [
        ",".join([f"u{i}", *(texts[i] for texts in samples)]) for i in range(5)
    ]
    table = written(tmp_path / "table.csv", "\n".join(rows) + "\n")
    fields = ",".join(f"hyp={name}" for name in names)
    found = fstmetrics("mbr", table, "--fields", fields, "--metric", metric).out.splitlines()
    assert found == [f"u{i} {text}" for i, text in enumerate(expected)]


def test_shards_of_samples_are_merged(tmp_path: Path) -> None:
    plain = [written(tmp_path / name, f"a {name}\nb\na b\n") for name in ("s1", "s2")]
    whole = fstmetrics("mbr", *plain).out
    parts = [str(tmp_path / f"part{n}") for n in (1, 2)]
    for n, part in enumerate(parts, 1):
        assert fstmetrics("mbr", *plain, "--shard", f"{n}/2", "--output", part).status == 0
    assert fstmetrics("merge", *parts, "--output", tmp_path / "all").out == whole


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("a\n", "s2: 1 item, and"),
        ("", "s2: is empty: there is nothing to decode"),
        (
            "1 ||| a ||| ||| -1\n2 ||| b ||| ||| -1\n",
            "is no text: of several files, or columns, each has one sample",
        ),
    ],
)
def test_other_items_are_refused(tmp_path: Path, second: str, message: str) -> None:
    first, other = written(tmp_path / "s1", "a\nb\n"), written(tmp_path / "s2", second)
    outcome = fstmetrics("mbr", first, other)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_every_column_that_is_used_is_told(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "s1,s2\na b,a c\nd,d\n")
    told = fstmetrics("mbr", table, "--fields", "hyp=s1,hyp=s2")
    for column in ("s1", "s2"):
        assert f"no id, hypothesis {column}\n" in told.out + told.err


CONFIDENCES = (
    '{"id":"u","nbest":[{"transcript":"a b c","confidence":%s},{"transcript":"x y c","confidence":%s},'
    '{"transcript":"x y d","confidence":%s}]}\n'
)


def test_confidences_are_probabilities(tmp_path: Path) -> None:
    lists = written(tmp_path / "lists.jsonl", CONFIDENCES % (0.6, 0.2, 0.2))
    found = fm.mbr_files(lists)
    assert found.records is not None
    assert found.records[0]["hypothesis"] == ["a", "b", "c"]
    assert found.summary()["expected_loss"] == pytest.approx(1.0)
    assert round(found.records[0]["posterior"], 9) == 0.6
    scores = written(
        tmp_path / "scores.jsonl", (CONFIDENCES % (0.6, 0.2, 0.2)).replace("confidence", "score")
    )
    assert (
        "1 list has scores between 0 and 1, which are read as natural logarithms"
        in fstmetrics("mbr", scores).err
    )


@pytest.mark.parametrize("written_as", [(0.0, 0.0, 0.0), (0.6, 0.4, 0.0)])
def test_confidences_of_0_are_no_matter_to_oracles(tmp_path: Path, written_as: tuple[float, ...]) -> None:
    lists = written(tmp_path / "lists.jsonl", CONFIDENCES % written_as)
    ref = written(tmp_path / "ref.txt", "u x y d\n")
    assert "%WER 0.00 [ 0 / 3, 0 ins, 0 del, 0 sub ] oracle" in fstmetrics("oracle", ref, lists).out
    assert fstmetrics("best", lists, "--lm-scale", "0").out == "u a b c\n"
    ran = fstmetrics("mbr", lists)
    if any(written_as):
        assert ran.status != 0
        assert "an entry has probability 0" in ran.err
        assert (
            "whose logarithm no list can hold"
            in fstmetrics("best", lists, "--nbest", "3", "--to", "nbest").err
        )
    else:
        assert "1 list has no scores: every entry counts the same" in ran.err


@pytest.mark.parametrize("strange", [160, 1.01, -0.5])
def test_confidences_that_are_no_probabilities_are_refused(tmp_path: Path, strange: float) -> None:
    lists = written(tmp_path / "lists.jsonl", CONFIDENCES % (strange, 0.2, 0.2))
    ran = fstmetrics("mbr", lists)
    assert ran.status != 0
    assert f"a confidence in 'nbest' is {strange}, expected a probability, from 0 to 1" in ran.err


def test_costs_in_the_place_of_scores_are_remarked_on(tmp_path: Path) -> None:
    lists = written(tmp_path / "l.nbest", "0 ||| a b ||| ||| 10.5\n0 ||| a x ||| ||| 12\n1 ||| c ||| ||| 8\n")
    said = "in 1 list another entry has a better score than the first"
    assert (
        f"{said}, that is, a higher one; if scores are costs, give --lm-scale -1"
        in fstmetrics("mbr", lists).err
    )
    turned = fstmetrics("mbr", lists, "--lm-scale", "-1")
    assert turned.out.splitlines()[0].endswith("a b")
    assert said not in turned.err
    best = fstmetrics("best", lists)
    assert "of 1 item another has a better score" in best.err
    assert "if these are costs, it is --lm-scale -1" in best.err
    assert "better score" not in fstmetrics("best", lists, "--lm-scale", "-1").err
    assert f"{said}, that is" in fstmetrics("best", lists, "--lm-scale", "2").err
    logs = written(tmp_path / "logs.nbest", "0 ||| a b ||| ||| -12\n0 ||| a x ||| ||| -10.5\n")
    assert "better score" not in fstmetrics("best", logs, "--lm-scale", "2").err


@pytest.mark.parametrize(
    ("scores", "is_advised"),
    [((-4.2, -4.5), False), ((10.5, 12), True), ((12, 10.5), False), ((-5, -4), False)],
)
def test_who_has_turned_scores_is_not_advised_to(
    scores: tuple[float, float], is_advised: bool, tmp_path: Path
) -> None:
    first, second = scores
    lists = written(tmp_path / "l.nbest", f"0 ||| a b c ||| ||| {first}\n0 ||| a b ||| ||| {second}\n")
    nbest = read_items(lists).items[0].value
    for scale, advised in (("2", is_advised), ("-1", False)):
        for command in ("best", "mbr"):
            assert ("give --lm-scale -1" in fstmetrics(command, lists, "--lm-scale", scale).err) is advised
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            fm.mbr(nbest, scales=fm.Scales(lm=float(scale)))
        assert any("give scales=Scales(lm=-1)" in str(each.message) for each in told) is advised


@pytest.mark.parametrize("entries", [
    [{"text": "a b", "confidence": 0.2}, {"text": "a x", "confidence": 0.8}],
    [{"text": "a b", "log_prob": -2.5}, {"text": "a x", "log_prob": -0.5}],
    [{"text": "a b", "cost": 2.5}, {"text": "a x", "cost": 0.5}],
])  # fmt: skip
def test_scores_that_are_no_costs_are_not_to_be_turned(entries: list[Any], tmp_path: Path) -> None:
    lists = written(tmp_path / "l.jsonl", json.dumps({"id": "u1", "nbest": entries}) + "\n")
    ref = written(tmp_path / "ref.jsonl", '{"id": "u1", "text": "a x"}\n')
    for call in (("mbr", lists), ("best", lists), ("oracle", ref, lists)):
        ran = fstmetrics(*call)
        assert "has a better score" in ran.err + ran.out
        assert "--lm-scale -1" not in ran.err + ran.out


def test_what_is_odd_about_scores_is_in_json_too(tmp_path: Path) -> None:
    costs = written(tmp_path / "costs", "u ||| a b ||| ||| 10.5\nu ||| a c ||| ||| 12.0\n")
    (said,) = fstmetrics("mbr", costs, "--json").summary["remarks"]
    assert said.startswith("in 1 list another entry has a better score than the first")
    assert said in fstmetrics("mbr", costs).err


@pytest.mark.parametrize(
    ("entry", "is_mean"),
    [('"avg_logprob": -0.2', True), ('"avg_logprob": -0.2, "log_prob": -2', False), ('"score": -2', False)],
)
def test_means_of_tokens_are_no_log_probabilities(entry: str, is_mean: bool, tmp_path: Path) -> None:
    rows = f'{{"id": "u", "nbest": [{{"text": "a b", {entry}}}]}}\n'
    said = fstmetrics("mbr", written(tmp_path / "lists.jsonl", rows), "--json").summary["remarks"]
    assert any("are avg_logprob, the mean of a token" in remark for remark in said) == is_mean


def test_words_that_do_not_count_may_be_in_some_samples_alone(tmp_path: Path) -> None:
    said = "--ignore: no reference or hypothesis has 'uh'"
    texts = ("uh I do think so\n", "I do think so\n", "uh I do thing so\n")
    with_it, without, other = (written(tmp_path / f"s{n}", text) for n, text in enumerate(texts))
    for samples, is_said in (
        ((with_it, without, other), False),
        ((without, with_it), False),
        ((with_it, other), False),
        ((without, without), True),
    ):
        assert (said in fstmetrics("mbr", *samples, "--ignore", "uh").err) == is_said
    table = written(tmp_path / "t.csv", "id,a,b\nu1,uh x y,x y\n")
    ran = fstmetrics("mbr", table, "--fields", "hyp=a,hyp=b", "--ignore", "uh")
    assert (ran.out, said in ran.err) == ("u1 uh x y\n", False)


def test_the_advice_on_lists_of_fairseq_keeps_their_probabilities(tmp_path: Path) -> None:
    """fairseq-generate writes logarithms to base 2."""
    entries = (("a b c", -0.4), ("x y", -1.0), ("x y z", -1.0))
    rows = "".join(f"H-0\t{score}\t{text}\nD-0\t{score}\t{text}\nP-0\t{score}\n" for text, score in entries)
    generated = written(tmp_path / "gen.txt", f"S-0\tquelle\nT-0\tx y\n{rows}")
    advice = re.search(r"awk .*(?= writes the lists)", fstmetrics("mbr", generated).err)
    assert advice
    done = subprocess.run(
        ["sh", "-c", advice[0].replace("FILE", str(generated))], capture_output=True, text=True, check=True
    )
    found = fm.mbr_files(written(tmp_path / "lists", done.stdout), nbest=3).records or ()
    total = sum(2**score for _, score in entries)
    posteriors = {" ".join(each["hypothesis"]): each["posterior"] for each in found[0]["nbest"]}
    assert posteriors == pytest.approx({text: 2**score / total for text, score in entries}, rel=1e-5)
    assert found[0]["hypothesis"] == ["x", "y"]


def test_marks_of_phrases_are_refused(tmp_path: Path) -> None:
    """As `oracle` refuses them: another hypothesis would be chosen."""
    lines = (("a b |0-1| c |2-2|", -1), ("a |0-0| b c |1-2|", -1.1), ("a b d |0-2|", -0.9))
    marked = [f"0 ||| {words} ||| lm= -1 ||| {score}\n" for words, score in lines]
    path = written(tmp_path / "nbest", "".join(marked))
    refused = fstmetrics("mbr", path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(
        f"fstmetrics: {path}: its hypotheses look like an output of Moses with phrases"
    )
    asked = fstmetrics("mbr", path, "--format", "nbest")
    assert (asked.status, asked.out) == (0, "a b d |0-2|\n")
    assert "look like an output of Moses with phrases" in asked.err
    best = fstmetrics("best", path)  # the decoder's own
    assert best.out == "nbest-000001 a b |0-1| c |2-2|\n"
    assert f"{path}: its hypotheses look like an output of Moses with phrases" in best.err
    for outcome in (refused, asked, best, fstmetrics("oracle", written(tmp_path / "ref", "a b c\n"), path)):
        assert "takes them out" in outcome.err, outcome.err
    command = best.err[best.err.index("sed -E") : best.err.index(" takes them out")]
    done = subprocess.run(["sh", "-c", f"{command} {path}"], capture_output=True, text=True, check=True)
    plain = written(tmp_path / "plain", done.stdout)
    assert done.stdout == re.sub(r" \|\d-\d\|", "", path.read_text())
    assert fstmetrics("mbr", plain).out == "a b c\n"
    for command in ("mbr", "best"):
        assert "look like" not in fstmetrics(command, plain).err
