"""Which system a test finds for, what is corrected, and tests that have no p: in tables, JSON, clusters and stars."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.apps.metaeval import conclusions, pairwise_tests
from fstmetrics.engine.statistics import Statistics
from fstmetrics.reports.comparison_report import text_lines
from fstmetrics.reports.formed_comparisons import formed_lines
from fstmetrics.significance.p_values import holm

MARKDOWN, LATEX = (partial(formed_lines, form=form) for form in ("markdown", "latex"))

REFERENCES = ["a b c d e f g h i j"] * 40
# One error in each of 30 items, against ten errors in each of the other ten.
OFTEN = ["x b c d e f g h i j"] * 30 + ["a b c d e f g h i j"] * 10
MUCH = ["a b c d e f g h i j"] * 30 + ["x"] * 10
COUNTING = ["sign", "plain-sign", "mcnemar", "wilcoxon"]


def compared(test: str, systems: dict[str, list[str]], **more: object) -> fm.evaluation.Comparison:
    blocks = [f"s{i}" for i in range(40)] if test == "wilcoxon" else None
    return fm.compare(systems, REFERENCES, "wer", test=test, blocks=blocks, samples=200, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("test", COUNTING)
def test_clusters_and_stars_go_by_the_side_of_the_test(test: str) -> None:
    # The ranks of ten large differences are more than those of thirty small ones only if they are more than ten.
    systems = {"often": OFTEN, "much": MUCH, "best": REFERENCES}
    found = compared(test, systems, pairs="all")
    scores = {name: found.systems[name]["wer"].score for name in systems}
    assert scores["often"] < scores["much"]
    result = found.test("much", "wer", "often")
    assert result.favours == "much"
    if test != "wilcoxon":
        assert result.p < 0.01
        assert (result.signs.better, result.signs.worse) == (30, 10)  # type: ignore[union-attr]
        assert found.contradicts(result)
        assert any(
            "much against often: the score of often is better, but" in line for line in text_lines(found)
        )
    assert found.clusters("wer") == [["best"], ["often", "much"]]
    for one in ("often", "much"):
        assert found.test("best", "wer", one).favours == "best"
    record = next(t for t in found.as_dict()["tests"] if (t["system"], t["baseline"]) == ("much", "often"))
    assert record["favours"] == "much"
    of_first = compared(test, {"often": OFTEN, "much": MUCH})
    (row,) = (line for line in MARKDOWN(of_first) if line.startswith("| much |"))
    assert "*" not in row
    assert "(p " in row
    assert not any("much" in line and "^{" in line for line in LATEX(of_first))
    (best,) = (
        line for line in MARKDOWN(compared(test, {"often": OFTEN, "best": REFERENCES})) if "| best |" in line
    )
    assert r"\*\*" in best


def test_where_score_and_test_agree_there_are_stars_and_clusters() -> None:
    for test in (*COUNTING, "bootstrap", "randomization", "mapsswe"):
        mixed = [text if i % 4 else f"{text} y y" for i, text in enumerate(OFTEN)]
        found = compared(test, {"best": REFERENCES, "mixed": mixed}, pairs="all")
        assert found.clusters("wer") == [["best"], ["mixed"]], test


def test_table_of_pairs_shows_better_and_worse() -> None:
    lines = list(text_lines(compared("mcnemar", {"often": OFTEN, "much": MUCH}, pairs="all")))
    at = next(i for i, line in enumerate(lines) if line.startswith("wer: row better in"))
    assert [line.split()[-2:] for line in lines[at : at + 2]] == [["often", "much"], ["often", "10"]]
    assert lines[at + 2].split() == ["much", "30"]
    pasted = list(MARKDOWN(compared("mcnemar", {"often": OFTEN, "much": MUCH}, pairs="all")))
    assert any(
        line.startswith("| much against often") and " 30 better, 10 worse (p " in line for line in pasted
    )
    ranks = list(text_lines(compared("wilcoxon", {"often": OFTEN, "much": MUCH}, pairs="all")))
    assert any(line.startswith("wer: ranks for row") for line in ranks)


def test_conclusions_do_not_follow_a_test_that_contradicts_the_score() -> None:
    statistics = {name: Statistics.of(fm.score(texts, REFERENCES)) for name, texts in
                  {"often": OFTEN, "much": MUCH, "best": REFERENCES}.items()}  # fmt: skip
    said = conclusions(pairwise_tests(statistics, fm.evaluation.Design("sign")))
    assert said == {("often", "much"): 0, ("often", "best"): 1, ("much", "best"): 1}


@pytest.mark.parametrize(("worse", "segments"), [(40, 40), (2, 2), (1, 1)])
def test_equal_differences_of_all_segments_have_no_z_and_no_p(worse: int, segments: int) -> None:
    texts = ["x b c d e f g h i j"] * worse + REFERENCES[worse:]
    found = compared("mapsswe", {"a": REFERENCES, "b": texts}, correction="holm")
    (result,) = found.tests
    assert result.details["segments"] == segments
    assert math.isnan(result.p) and math.isnan(result.p_holm)  # noqa: PT018
    record = found.as_dict()["tests"][0]
    assert (record["p"], record["p_holm"], record["statistic"]) == (None, None, None)
    lines = list(text_lines(found))
    assert lines[2].split()[-2:] == ["-", "-"]
    assert any("no Z and no p; --test randomization has one" in line for line in lines)
    assert compared("randomization", {"a": REFERENCES, "b": texts}).tests[0].p == pytest.approx(
        2.0 ** (1 - worse), abs=0.1
    )


def test_mapsswe_without_a_difference_has_a_p() -> None:
    (result,) = compared("mapsswe", {"a": OFTEN, "b": OFTEN}).tests
    assert (result.statistic, result.p, result.favours) == (0.0, 1.0, None)


def test_mean_and_z_have_the_sign_of_the_difference() -> None:
    noisy = [text if i % 3 else f"{text} y y" for i, text in enumerate(OFTEN)]
    for systems in ({"a": OFTEN, "b": noisy}, {"a": noisy, "b": OFTEN}):
        (result,) = compared("mapsswe", systems).tests
        assert np.sign(result.delta) == np.sign(result.details["mean"]) == np.sign(result.statistic or 0) != 0


def test_equal_outputs_under_sacrebleus_rule_are_remarked() -> None:
    found = fm.compare({"a": OFTEN, "b": OFTEN}, REFERENCES, "bleu", test="sacrebleu-bootstrap", samples=1000)
    assert found.tests[0].p == 1 / 1001
    assert any("says nothing" in line for line in text_lines(found))
    (row,) = (line for line in MARKDOWN(found) if line.startswith("| b |"))
    assert "(p 0.0010)" in row
    assert "*" not in row


def three(correction: str, systems: int = 3, **more: object) -> fm.evaluation.Comparison:
    chance = np.random.default_rng(4)
    texts = {
        f"s{n}": [
            " ".join(w if chance.random() > 0.02 + 0.03 * n else "z" for w in r.split()) for r in REFERENCES
        ]
        for n in range(systems)
    }
    domains = ["news" if i % 3 else "web" for i in range(40)]
    return fm.compare(
        texts, REFERENCES, "wer", samples=500, correction=correction, fields={"domain": domains},  # type: ignore[arg-type]
        by="domain", **more,  # type: ignore[arg-type]
    )  # fmt: skip


def test_corrected_p_is_printed_where_something_is_corrected() -> None:
    for correction, systems, is_printed in (("none", 3, False), ("holm", 2, False), ("holm", 3, True)):
        for pairs in ("baseline", "all"):
            found = three(correction, systems, pairs=pairs)
            of_all = list(text_lines(found))
            tables = of_all[: next(i for i, line in enumerate(of_all) if "by domain" in line)]
            assert any("p Holm" in line for line in tables) == is_printed, (correction, systems, pairs)
    lines = "\n".join(text_lines(three("holm", 2)))
    assert "by domain over 2 tests, all its values of a metric" in lines
    assert "wer by domain" in lines and "p Holm" in lines  # noqa: PT018
    alone = fm.compare({"a": OFTEN, "b": MUCH}, REFERENCES, "wer", samples=200, correction="holm")
    assert "one test of a metric, nothing to correct" in str(alone)
    assert "p Holm" not in str(alone)
    assert not any("p Holm" in line for line in MARKDOWN(alone))


def test_by_field_p_is_corrected_over_all_values() -> None:
    found = three("holm")
    tests = [test for part in found.by["domain"].values() for test in part.tests]
    assert len(tests) == 4
    assert [test.p_holm for test in tests] == holm([test.p for test in tests])
    assert {test.family for test in tests} == {4}
    assert [test.p_holm for test in found.tests] == holm([test.p for test in found.tests])
    record = found.as_dict()
    assert record["settings"]["corrected_over"] == {"all": 2, "domain": 4}
    assert [t["p_holm"] for part in record["by"]["domain"] for t in part["tests"]] == [
        t.p_holm for t in tests
    ]


@pytest.mark.parametrize("lines", [MARKDOWN, LATEX])
def test_tables_to_paste_have_the_values_of_fields(lines: object) -> None:
    found = three("none")
    text = list(lines(found))  # type: ignore[operator]
    separator = " & " if lines is LATEX else " | "
    for value, part in found.by["domain"].items():
        for system, scores in part.systems.items():
            (row,) = (row for row in text if separator.join([str(value), system, str(part.items)]) in row)
            assert f"{scores['wer'].score:.4f}" in row
            if system != "s0":
                assert f"(p {part.test(system, 'wer').p:.4f})" in row


@pytest.mark.parametrize("lines", [MARKDOWN, LATEX, text_lines])
def test_values_that_look_alike_have_rows_of_their_own(lines: object) -> None:
    values: list[object] = [1, "1", True, "true"] * 10
    found = fm.compare(
        {"a": OFTEN, "b": MUCH}, REFERENCES, "wer", samples=200, correction="holm", by="v",
        fields=[{"v": value} for value in values],  # type: ignore[arg-type]
    )  # fmt: skip
    assert [test.family for part in found.by["v"].values() for test in part.tests] == [4] * 4
    rows = [row for row in lines(found) if " a " in row and " 10 " in row]  # type: ignore[operator]
    assert len({row.strip("| ").split()[0] for row in rows}) == 4
