"""Oracles of n-best lists under corpus metrics, against every choice of entries."""

from __future__ import annotations

import csv
import itertools
import json
import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.lattices.corpus_oracles import corpus_oracle
from fstmetrics.metrics import TextMetric
from fstmetrics.support.errors import FstmetricsError

METRICS: dict[str, TextMetric] = {
    "bleu": fm.BLEU(),
    "bleu, plus one": fm.BLEU("average", "plus-one"),
    "bleu, no smoothing": fm.BLEU("shortest", "none"),
    "bleu-sbp": fm.BLEUSBP(),
    "bleu-sbp, average": fm.BLEUSBP("average"),
    "chrf": fm.ChrF(),
    "ter": fm.TER(),
    "sentence-bleu": fm.SentenceBLEU(),
}


def cases(seed: int) -> tuple[list[fm.NBest], list[list[str]]]:
    """A few short lists, entries being noisy references."""
    rng = random.Random(seed)
    lists, references = [], []
    for item in range(rng.randint(1, 3)):
        reference = rng.choices("abcd", k=rng.randint(1, 9))
        entries = []
        for _ in range(rng.randint(1, 4)):
            entry = [word if rng.random() < 0.8 else rng.choice("abcd") for word in reference]
            if rng.random() < 0.4:
                entry = entry[: rng.randint(0, len(entry))]
            if rng.random() < 0.3:
                entry += rng.choices("abcd", k=2)
            entries.append(tuple(entry))
        lists.append(fm.NBest(str(item), tuple(entries), tuple(map(" ".join, entries))))
        more = [" ".join(rng.choices("abcd", k=5))] if rng.random() < 0.3 else []
        references.append([" ".join(reference), *more])
    return lists, references


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("seed", range(6))
def test_no_choice_is_beyond_the_bound_and_the_search_comes_near(seed: int, name: str) -> None:
    within_the_bound(METRICS[name], *cases(seed))


def within_the_bound(metric: TextMetric, lists: list[fm.NBest], references: list[list[str]]) -> None:
    """Against every choice of entries."""
    found = corpus_oracle(lists, references, metric)
    choices = itertools.product(*(range(len(nbest.entries)) for nbest in lists))
    scores = {
        choice: fm.score(
            [nbest.texts[entry] for nbest, entry in zip(lists, choice, strict=True)], references, metric
        ).score
        for choice in choices
    }
    best = max if metric.recognition else min
    best_score = best(scores.values())
    assert scores[tuple(rank - 1 for rank in found.ranks)] == pytest.approx(found.score)
    assert scores[(0,) * len(lists)] == pytest.approx(found.one_best)
    assert best(found.score, found.one_best) == found.score
    assert found.bound is not None
    assert best(found.bound, best_score) == pytest.approx(found.bound)
    if found.exact or metric.decomposable == "always":
        assert found.score == pytest.approx(best_score)
    # No entry of one list alone makes it better.
    for item, nbest in enumerate(lists):
        for entry in range(len(nbest.entries)):
            other = [rank - 1 for rank in found.ranks]
            other[item] = entry
            assert best(found.score, scores[tuple(other)]) == pytest.approx(found.score)


def listed(*texts: list[str]) -> list[fm.NBest]:
    return [
        fm.NBest(str(item), tuple(tuple(text.split()) for text in entries), tuple(entries))
        for item, entries in enumerate(texts)
    ]


def test_entries_against_empty_references_take_the_fewest_edits() -> None:
    # Each of the first list has a TER of 100.
    lists = listed(["b c c", "c", "b a a"], ["a b", "a x"])
    within_the_bound(fm.TER(), lists, [[""], ["a b c"]])
    assert corpus_oracle(lists, ["", "a b c"], "ter").ranks == (2, 1)


def test_the_bound_holds_where_no_entry_is_long_enough_for_an_order() -> None:
    lists = listed(["a a x a", "x", ""], ["a a a a a", "a", "a a a", "x a a"])
    within_the_bound(fm.BLEU("average", "plus-one"), lists, [[""], ["a a"]])
    within_the_bound(fm.BLEU("closest", "plus-one"), listed(["x", "a"]), [["a b"]])


def test_the_bound_is_close_on_a_corpus() -> None:
    rng = random.Random(5)
    vocabulary = [f"w{number}" for number in range(100)]
    lists, references = [], []
    for item in range(150):
        reference = rng.choices(vocabulary, k=rng.randint(8, 20))
        entries = tuple(
            tuple(word if rng.random() < 0.7 else rng.choice(vocabulary) for word in reference)
            for _ in range(10)
        )
        lists.append(fm.NBest(str(item), entries, tuple(map(" ".join, entries))))
        references.append(" ".join(reference))
    found = corpus_oracle(lists, references)
    assert found.bound is not None
    assert found.one_best + 20 < found.score <= found.bound < found.score + 1


def test_what_has_no_oracle_of_a_corpus_is_refused() -> None:
    nbest = fm.NBest("x", (("a",),), ("a",))
    with pytest.raises(FstmetricsError, match="no n-best lists"):
        corpus_oracle([], [])
    with pytest.raises(FstmetricsError, match="use oracle"):
        corpus_oracle([nbest], ["a"], "wer")  # type: ignore[arg-type]
    with pytest.raises(FstmetricsError, match="no scores of items"):
        corpus_oracle([nbest], ["a"], "nist")
    with pytest.raises(FstmetricsError, match="1 n-best lists, but 2 references"):
        corpus_oracle([nbest], ["a", "b"])


def test_the_command_prints_score_1_best_and_bound(tmp_path: Path) -> None:
    lists, references = tmp_path / "lists.nbest", tmp_path / "ref.txt"
    lists.write_text(
        "0 ||| a b c d ||| f= 1 ||| -1\n0 ||| a b c e ||| f= 1 ||| -2\n1 ||| x y ||| f= 1 ||| -1\n",
        encoding="utf-8",
    )
    references.write_text("a b c e\nx z\n", encoding="utf-8")
    ran = fstmetrics("oracle", references, lists, "--metric", "bleu", "--json")
    found = json.loads(ran.out)
    assert found["score"] == pytest.approx(fm.score(["a b c e", "x y"], ["a b c e", "x z"], "bleu").score)
    assert found["one_best"]["score"] == pytest.approx(
        fm.score(["a b c d", "x y"], ["a b c e", "x z"], "bleu").score
    )
    assert found["bound"] >= found["score"]
    assert [(record["rank"], record["hypothesis"]) for record in found["records"]] == [
        (2, ["a", "b", "c", "e"]),
        (1, ["x", "y"]),
    ]
    printed = fstmetrics("oracle", references, lists, "--metric", "bleu").out
    assert "1-best" in printed
    assert "bound" in printed
    assert "oracle:n-best" in printed
    assert "the first entry is chosen in 1 of 2 items\n" in printed
    proven = (
        "this choice is proven best\n"
        if found["exact"]
        else "found by local search, not proven best; no choice"
    )
    assert proven in printed
    assert "this choice is proven best\n" in fstmetrics("oracle", references, lists, "--metric", "ter").out
    refused = fstmetrics("oracle", references, lists, "--metric", "bleu", "--by", "speaker")
    assert refused.status == 2
    assert "--by is for items" in refused.err
    assert math.isfinite(found["bound"])


def scored_cases(seed: int) -> tuple[list[fm.NBest], list[list[str]]]:
    """The lists of `cases` with scores, some of them equal."""
    rng = random.Random(seed)
    lists, references = cases(seed)
    return [
        replace(nbest, scores=tuple(rng.choice((-1.0, -2.5, 0.5)) for _ in nbest.texts)) for nbest in lists
    ], (references)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("weight", [0, 0.5, 20, 1e6])
def test_hope_and_fear_are_the_least_of_each_list_by_item_scores(name: str, weight: float) -> None:
    metric, differ = METRICS[name], 0
    sign = -1 if metric.recognition else 1
    for seed in range(15):
        lists, references = scored_cases(seed)
        found = corpus_oracle(lists, references, metric, model_weight=weight)
        assert found.hope is not None
        assert found.fear is not None
        for item, (nbest, reference) in enumerate(zip(lists, references, strict=True)):
            assert nbest.scores is not None
            scores = [fm.score([text], [reference], metric).item_scores[0] for text in nbest.texts]
            costs = [sign * score for score in scores]
            for side, direction in ((found.hope, 1), (found.fear, -1)):
                sums = [
                    -weight * model + direction * cost
                    for model, cost in zip(nbest.scores, costs, strict=True)
                ]
                entry = side.entries[item]
                place = entry.rank - 1
                assert entry.combined == pytest.approx(min(sums)) == pytest.approx(sums[place])
                assert (entry.hypothesis, entry.model_cost) == (nbest.texts[place], -nbest.scores[place])
                assert entry.score == pytest.approx(scores[place])
            differ += found.hope.entries[item].rank != found.fear.entries[item].rank
        for side in (found.hope, found.fear):
            together = fm.score([entry.hypothesis for entry in side.entries], references, metric)
            assert side.score == pytest.approx(together.score)
    assert differ > 5 or weight == 1e6


def test_hope_and_fear_need_scores_and_a_weight() -> None:
    nbest = fm.NBest("x", (("a",), ("b",)), ("a", "b"), scores=(-1.0, -math.inf))
    with pytest.raises(FstmetricsError, match="'x': entry 2 has no finite score of the model"):
        corpus_oracle([nbest], ["a"], "sentence-bleu", model_weight=1)
    with pytest.raises(FstmetricsError, match="'x' has no scores, so its entries have no model costs"):
        corpus_oracle([replace(nbest, scores=None)], ["a"], "sentence-bleu", model_weight=1)
    for wrong in (-1, math.nan, "1"):
        with pytest.raises(FstmetricsError, match="the model's weight is a number from 0 up"):
            corpus_oracle([nbest], ["a"], "sentence-bleu", model_weight=wrong)  # type: ignore[arg-type]


def test_the_command_has_hope_and_fear_of_lists_and_refuses_lattices(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c d\nx y z w\n")
    lists = "0 ||| a b c ||| ||| -1\n0 ||| a b c d ||| ||| -3\n0 ||| q ||| ||| -0.5\n"
    (tmp_path / "lists").write_text(lists + "1 ||| x y ||| ||| -1\n1 ||| z ||| ||| -4\n")
    options = ("--metric", "sentence-bleu", "--model-weight", 15)
    run = fstmetrics("oracle", tmp_path / "ref", tmp_path / "lists", *options, "--json")
    ranks = {
        name: [record[name][0]["rank"] for record in run.summary["records"]] for name in ("hope", "fear")
    }
    assert ranks == {"hope": [1, 1], "fear": [3, 1]}
    for name in ranks:
        entries = [record[name][0] for record in run.summary["records"]]
        for part in ("combined", "model_cost", "cost"):
            assert run.summary[name][part] == pytest.approx(sum(entry[part] for entry in entries))
    shown = fstmetrics("oracle", tmp_path / "ref", tmp_path / "lists", *options).out.splitlines()
    assert [line.split()[0] for line in shown[1:5]] == ["oracle", "1-best", "hope", "fear"]
    said = [line for line in shown if line.startswith(("hope:", "fear:"))]
    assert said == ["hope: model cost 2, metric's cost -108.441, combined -78.4411", *said[1:]]
    rows = csv.DictReader(
        fstmetrics("oracle", tmp_path / "ref", tmp_path / "lists", *options, "--csv").out.splitlines()
    )
    scores = {row["row"]: float(row["score"]) for row in rows}
    assert list(scores) == ["oracle", "1-best", "hope", "fear"]
    assert {name: scores[name] for name in ranks} == {name: run.summary[name]["score"] for name in ranks}
    (tmp_path / "lat").write_text("u1\n0 1 a 1,2,\n1 0,0,\n\n")
    (tmp_path / "one").write_text("u1 a\n")
    refused = fstmetrics("oracle", tmp_path / "one", tmp_path / "lat", *options)
    assert refused.status == 2
    assert "under sentence-bleu are of n-best lists" in refused.err
    assert "best --nbest K --to nbest" in refused.err
