"""What resamples leave out: segments without a score, resamples of no item, and blocks without a word to divide by."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.engine.resampling import Resampling, poisson_sums
from fstmetrics.reports.comparison_report import text_lines
from fstmetrics.reports.formed_comparisons import comparison_dict
from fstmetrics.significance.null_distributions import distributions

REFERENCES = [
    "a b c d e",
    "f g h i",
    "k l m n o p",
    "a b c",
    "d e f g h i k",
    "l m n",
    "o p q r s t",
    "u v w x",
]
OLD = ["a b c d", "f g h i", "k l x n o p", "a b c", "d e f g y i k", "l m n", "o p q r s t", "u v w z"]
NEW = ["a b c d e", "f g z i", "k l m n o p", "a b", "d e f g h i k", "l m n", "o p q r s", "u v w x"]
SAMPLING = ["bootstrap", "paired-bootstrap", "randomization", "sacrebleu-bootstrap", "poisson-bootstrap"]
GIVEN = {"a": [0.3, 0.5, 0.2, 0.9, 0.4, 0.8], "b": [0.5, 0.4, 0.6, 0.9, 0.7, 0.6]}


def with_gaps(scores: dict[str, list[float]]) -> dict[str, list[float]]:
    """Two segments without a score between those that have one."""
    return {name: [*each[:2], math.nan, *each[2:5], math.nan, *each[5:]] for name, each in scores.items()}


@pytest.mark.parametrize("test", [*SAMPLING, "sign", "plain-sign"])
@pytest.mark.parametrize("in_blocks", [False, True])
def test_segments_without_a_score_are_no_part_of_anything(test: str, in_blocks: bool) -> None:
    """All numbers are those of the others alone."""
    if in_blocks and test == "plain-sign":
        return
    blocks = ["x", "x", "y", "y", "z", "z"] if in_blocks else None
    with_more = ["x", "x", "w", "y", "y", "z", "w", "z"] if in_blocks else None
    found = fm.compare(scores={"comet": with_gaps(GIVEN)}, test=test, samples=300, blocks=with_more)
    alone = fm.compare(scores={"comet": GIVEN}, test=test, samples=300, blocks=blocks)
    assert found.tests == alone.tests
    assert found.systems == alone.systems
    assert any("comet: 2 of 8 items without a score of any system" in line for line in text_lines(found))
    if test != "sign" and not in_blocks:
        (shown, _, _), (expected, _, _) = (
            distributions(*(f.statistics[name]["comet"] for name in "ab"), f.design.resampling)
            for f in (found, alone)
        )
        assert (shown.differences == expected.differences).all()


def test_gaps_do_not_change_other_metrics() -> None:
    systems = {"a": OLD, "b": NEW}
    found = fm.compare(systems, REFERENCES, "wer", scores={"comet": with_gaps(GIVEN)}, samples=300)
    alone = fm.compare(systems, REFERENCES, "wer", samples=300)
    assert found.test("b", "wer") == alone.test("b", "wer")
    assert found.systems["b"]["wer"] == alone.systems["b"]["wer"]
    comet = fm.compare(scores={"comet": GIVEN}, samples=300)
    assert found.test("b", "comet") == comet.test("b", "comet")


def test_a_value_of_a_field_without_a_score_has_the_other_metrics() -> None:
    fields = {"domain": ["n", "n", "w", "n", "n", "n", "w", "n"]}
    found = fm.compare(
        {"a": OLD, "b": NEW}, REFERENCES, "wer", scores={"comet": with_gaps(GIVEN)}, samples=300, fields=fields,
        by="domain",
    )  # fmt: skip
    part = found.by["domain"]["w"]
    assert [test.metric for test in part.tests] == ["wer"]
    assert math.isnan(part.systems["a"]["comet"].score)
    assert part.systems["a"]["comet"].low is None


@pytest.mark.parametrize("size", [1e308, -1e308, 1e-300, 1e-9])
def test_scores_that_cannot_be_added_up_are_refused(size: float) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"comet of a (is|are) .*give all in another unit"):
        fm.compare(scores={"comet": {"a": [size, size / 2], "b": [size, size]}})


def test_scores_as_large_and_small_as_may_be_are_the_same() -> None:
    one = fm.compare(scores={"comet": GIVEN}, samples=500).tests[0].p
    for size in (2.0**300, 2.0**-18):
        scaled = {name: [size * score for score in scores] for name, scores in GIVEN.items()}
        assert fm.compare(scores={"comet": scaled}, samples=500).tests[0].p == one


@pytest.mark.parametrize("items", [2, 3, 8])
@pytest.mark.parametrize("metric", ["wer", "wrr", "bleu", "ter", "mean-wer", "chrf"])
def test_a_poisson_resample_has_an_item(items: int, metric: str) -> None:
    """Interval and p are those of resamples drawn one by one, of which empty ones are drawn again."""
    references, old, new = REFERENCES[:items], OLD[:items], NEW[:items]
    found = fm.compare({"a": old, "b": new}, references, metric, test="poisson-bootstrap", samples=400)
    systems = [found.statistics[name][metric] for name in "ab"]
    weights = poisson_sums([np.eye(items)], Resampling(400))[0]
    assert (weights.sum(axis=1) > 0).all()
    drawn = [s.metric.corpus_score(weights @ s.values) for s in systems]
    for scores, system in zip(drawn, "ab", strict=True):
        kept = found.systems[system][metric]
        assert [kept.low, kept.high] == pytest.approx(np.quantile(scores, [0.025, 0.975]))
    # No resample can be better than the best item, or worse than the worst one, as one of nothing was.
    if metric in ("wer", "wrr"):
        own = systems[0].item_scores
        assert own.min() - 1e-12 <= drawn[0].min()
        assert drawn[0].max() <= own.max() + 1e-12


def test_poisson_resamples_are_the_first_with_an_item() -> None:
    """What was drawn before is the same, without those of nothing, and the parts of a corpus agree on which."""
    table = np.array([[1.0, 4.0], [2.0, 5.0]])
    ours = poisson_sums([table], Resampling(100))[0]
    every = poisson_sums([np.concatenate([table, np.zeros((70, 2))])], Resampling(200))[0]
    assert (ours == every[every.any(axis=1)][:100]).all()
    one, two = (
        poisson_sums([table[n : n + 1]], Resampling(100), places=range(n, n + 1), items=2)[0] for n in (0, 1)
    )
    assert (one + two == ours).all()


SILENT = {"ada": 4, "bo": 3, "cy": 4}


def silent(insertions: bool) -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Three speakers, of whom `bo` says nothing."""
    references, speakers, texts = [], [], []
    for speaker, number in SILENT.items():
        for n in range(number):
            speakers.append(speaker)
            references.append("" if speaker == "bo" else f"x y z {speaker} {n}")
            texts.append(("um" if insertions else "") if speaker == "bo" else f"x y z {'q' * (n + 1)} {n}")
    return {"a": references, "b": texts}, references, speakers


@pytest.mark.parametrize("insertions", [True, False])
@pytest.mark.parametrize("test", ["mapsswe", "mcnemar", "sign", "wilcoxon", "randomization"])
def test_a_silent_speaker_does_not_keep_tests_from_their_p(test: str, insertions: bool) -> None:
    systems, references, speakers = silent(insertions)
    found = fm.compare(systems, references, "wer", test=test, samples=300, blocks=speakers)
    system = found.systems["b"]["wer"]
    assert (system.low, system.high) == (None, None)
    draws = 300 / 27  # of 3 speakers, all three times the silent one
    assert draws / 3 < system.undefined < draws * 3
    (result,) = found.tests
    if test == "mapsswe":  # it looks at errors alone
        alone = fm.compare(
            systems, references, "wer", test=test, samples=300, blocks=[str(i) for i in range(11)]
        )
        assert result.details == alone.tests[0].details
    else:
        assert 0 < result.p <= 1
    lines = list(text_lines(found))
    assert any("wer of b: no interval" in line and "speakers" not in line for line in lines)
    if test in ("sign", "wilcoxon") and insertions:
        assert result.details["left_out"] == 1
        assert any(
            "1 block without a word in the references, and left out of the test" in line for line in lines
        )
    assert comparison_dict(found)["systems"]["b"]["wer"]["undefined_resamples"] == system.undefined


@pytest.mark.parametrize(
    "test", ["bootstrap", "paired-bootstrap", "sacrebleu-bootstrap", "poisson-bootstrap"]
)
@pytest.mark.parametrize("insertions", [True, False])
def test_a_refused_bootstrap_names_a_test_that_works(test: str, insertions: bool) -> None:
    systems, references, speakers = silent(insertions)
    with pytest.raises(fm.FstmetricsError, match=r"blocks without a word in the references.*randomization"):
        fm.compare(systems, references, "wer", test=test, samples=300, blocks=speakers)
    found = fm.compare(systems, references, "wer", test="randomization", samples=2000, blocks=speakers)
    errors = [sum(n) for n in ((1, 1, 1, 1), (3 if insertions else 0,), (1, 1, 1, 1))]
    every = [
        abs(sum(e * s for e, s in zip(errors, signs, strict=True))) for signs in product((1, -1), repeat=3)
    ]
    assert found.tests[0].p == pytest.approx(sum(each >= sum(errors) for each in every) / 8, abs=0.05)


def test_mcnemar_of_few_items_with_an_empty_reference() -> None:
    found = fm.compare({"a": ["x", ""], "b": ["y", "z"]}, ["x", ""], "wer", test="mcnemar", samples=100)
    assert found.tests[0].p == 0.5
    assert found.systems["b"]["wer"].low is None


class Faults(fm.TextMetric):
    """The number of outputs that are not the reference: all statistics of perfect ones are zero."""

    name, recognition, columns = "faults", False, ("faults",)

    def statistics(self, hypotheses: Any, references: Any) -> Any:
        return np.array([[float(list(h) != list(r[0]))] for h, r in zip(hypotheses, references, strict=True)])

    def corpus_score(self, sums: Any) -> Any:
        return sums[..., 0]


def test_statistics_of_zero_are_a_score_of_metrics_from_elsewhere() -> None:
    found = fm.compare({"a": REFERENCES, "b": OLD}, REFERENCES, [Faults()], samples=100)
    assert (found.systems["a"]["faults"].low, found.systems["a"]["faults"].high) == (0, 0)


@pytest.mark.parametrize("test", ["bootstrap", "paired-bootstrap", "randomization"])
def test_pictures_have_the_resamples_of_blocks(test: str) -> None:
    blocks = ["x", "x", "y", "y", "z", "z", "u", "v", "w"]
    found = fm.compare(
        {"a": [*OLD, "b"], "b": [*NEW, "a"]}, [*REFERENCES, "a"], "wer", test=test, samples=300, blocks=blocks
    )
    one, two = (found.statistics[name]["wer"] for name in "ab")
    (drawn,) = (
        each
        for each in distributions(one, two, found.design.resampling, found.design.blocks)
        if each.test == test
    )
    assert (drawn.count + 1) / 301 == pytest.approx(found.tests[0].p)


BOOTSTRAP = ["bootstrap", "paired-bootstrap", "sacrebleu-bootstrap", "poisson-bootstrap"]


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize(("number", "has_p"), [(2, False), (5, False), (6, True)])
def test_the_bootstrap_of_few_has_no_p(number: int, has_p: bool, in_blocks: bool) -> None:
    """All differences have one sign: p would be 1 / (B + 1), where an exact test of five pairs has .0625 at least."""
    references = ["a b c d e"] * number * 2
    systems = {"old": ["a b x y z", "a b c y z"] * number, "new": ["a b c d e"] * number * 2}
    blocks: list[int] | None = [place // 2 for place in range(2 * number)]
    if not in_blocks:
        references, systems, blocks = references[::2], {name: s[::2] for name, s in systems.items()}, None
    units = "blocks" if in_blocks else "items"
    for test in (*BOOTSTRAP, "randomization", "sign"):
        found = fm.compare(
            systems, references, "wer", test=test, samples=500, blocks=blocks, correction="holm"
        )
        (result,) = found.tests
        assert math.isnan(result.p) == (test in BOOTSTRAP and not has_p)
        assert None not in (result.low, result.high, found.systems["new"]["wer"].low)
        record = comparison_dict(found)["tests"][0]
        assert (record["p"] is None) == math.isnan(result.p) == (record["p_holm"] is None)
        lines = list(text_lines(found))
        said = f"no p of {test} for fewer than 6 {units}; --test randomization tests so few"
        assert (said in lines) == math.isnan(result.p)
        assert (lines[2].split()[-1] == "-") == math.isnan(result.p)
        assert any("p = (c + 1)" in line or "p is exact" in line for line in lines) != math.isnan(result.p)


def test_few_items_of_a_field_have_no_p_and_are_no_part_of_a_family() -> None:
    domains = ["news"] * 30 + ["talks"] * 4 + ["web"] * 6
    references = ["a b c d e"] * 40
    systems = {"old": ["a b x y z"] * 40, "new": ["a b c d z"] * 39 + ["x b c d z"]}
    found = fm.compare(
        systems,
        references,
        ["wer", "bleu"],
        samples=500,
        fields={"domain": domains},
        by="domain",
        correction="holm",
    )
    for name in ("wer", "bleu"):
        p = {value: group.test("new", name).p for value, group in found.by["domain"].items()}
        assert {value: math.isnan(each) for value, each in p.items()} == {
            "news": False,
            "talks": True,
            "web": False,
        }
        assert {group.test("new", name).family for group in found.by["domain"].values()} == {2}
    (talks,) = (each for each in comparison_dict(found)["by"]["domain"] if each["value"] == "talks")
    assert {test["p"] for test in talks["tests"]} == {None}
    lines = list(text_lines(found))
    assert (
        "by domain: no p of bootstrap for 1 of 3 values, of fewer than 6 items; --test randomization tests so few"
        in lines
    )
    few = "by domain: few items: intervals and p of 2 of 3 values take fewer than 30 items as a sample of all"
    assert few in lines
    exact = fm.compare(systems, references, "wer", test="sign", fields={"domain": domains}, by="domain")
    assert not any("no p of" in line for line in text_lines(exact))


def test_values_of_many_items_are_not_remarked() -> None:
    found = fm.compare(
        {"old": ["a"] * 60, "new": ["a", "b"] * 30}, ["a"] * 60, "wer", samples=99,
        fields={"half": [1, 2] * 30}, by="half",
    )  # fmt: skip
    assert not any("no p of" in line or "few items" in line for line in text_lines(found))


class LongWords(Faults):
    """Errors of every word of an output that has a long word: nothing to divide by without one."""

    name = "long"
    columns = ("errors", "words")

    def statistics(self, hypotheses: Any, references: Any) -> Any:
        return np.array([[0.0, sum(len(word) > 3 for word in words)] for words in hypotheses])

    def corpus_score(self, sums: Any) -> Any:
        with np.errstate(invalid="ignore", divide="ignore"):
            return sums[..., 0] / sums[..., 1]


def test_resamples_without_a_score_cost_their_metric_alone() -> None:
    references = ["a b c d e", "long words are here", *["a b c d"] * 6]
    systems = {"old": [*references[:7], "a b x y"], "new": ["a b c x y", *references[1:]]}
    fields = {"half": [0] * 8}
    alone = fm.compare(systems, references, "wer", samples=200, fields=fields, by="half")
    found = fm.compare(systems, references, [LongWords(), "wer"], samples=200, fields=fields, by="half")
    for one, other in ((found, alone), (found.by["half"][0], alone.by["half"][0])):
        assert one.test("new", "wer") == other.test("new", "wer")
        assert one.systems["new"]["wer"] == other.systems["new"]["wer"]
        lost = one.test("new", "long")
        assert (math.isnan(lost.p), lost.low, one.systems["new"]["long"].low) == (True, None, None)
    lines = list(text_lines(found))
    assert sum("long of new: no interval and no p, as" in line for line in lines) == 1
    assert any(line.startswith("long by half: scores only of 0:") for line in lines)
    assert not any("wer by half: scores" in line or "wer of" in line for line in lines)
    with pytest.raises(fm.FstmetricsError, match="long of old cannot be tested by bootstrap"):
        fm.compare(systems, references, LongWords(), samples=200)


def test_exchanges_without_a_score_cost_their_metric_alone() -> None:
    references = ["long words are here", *["a b c d"] * 7]
    systems = {"old": references, "new": ["a b c d", "long b c d", *["a b c x"] * 6]}
    alone = fm.compare(systems, references, "wer", test="randomization", samples=200)
    found = fm.compare(systems, references, [LongWords(), "wer"], test="randomization", samples=200)
    assert found.test("new", "wer") == alone.test("new", "wer")
    assert math.isnan(found.test("new", "long").p)
    lines = list(text_lines(found))
    assert any(
        line.startswith("long, new against old: no p, as some exchanges leave a system only")
        for line in lines
    )
    with pytest.raises(fm.FstmetricsError, match="long cannot be tested by randomization"):
        fm.compare(systems, references, LongWords(), test="randomization", samples=200)


def test_a_row_of_one_speaker_is_of_its_items() -> None:
    speakers = [name for name in "abcdefgh" for _ in range(6)]
    references = ["a b c d e"] * 48
    systems = {"old": ["a b x y z", "a b c d e"] * 24, "new": ["a b c d z"] * 48}
    fields = {"speaker": speakers, "half": [0, 1] * 24}
    said = "where a row has one block, its items are resampled"
    for by in ("speaker", "half"):
        found = fm.compare(systems, references, "wer", samples=99, fields=fields, by=by, blocks=speakers)
        assert any(said in line for line in text_lines(found)) == (by == "speaker")
