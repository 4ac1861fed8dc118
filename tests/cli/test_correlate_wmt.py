"""`fstmetrics correlate` on scores of WMT's metrics tasks: files and folders, coefficients, tests between metrics."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written
from human_scores import refused

from fstmetrics.apps.metaeval import Intervals, acc_eq, compare_metrics, correlation, spa
from fstmetrics.apps.metaeval.correlate_inputs import read_pairs
from fstmetrics.apps.metaeval.wmt_tasks import task_resamples, wmt23
from fstmetrics.metrics.given_scores import Directions

SYSTEMS, SEGMENTS = 5, 30
HUMAN = np.random.default_rng(5).integers(-5, 1, (SYSTEMS, SEGMENTS)) - np.arange(SYSTEMS)[:, None] / 2
METRICS = {
    name: HUMAN + noise * np.random.default_rng(noise).normal(size=HUMAN.shape)
    for name, noise in (("good", 1), ("poor", 8))
}


def blocks(scores: Any) -> str:
    return "".join(f"s{i}\t{score}\n" for i, row in enumerate(scores) for score in row.tolist())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """wmtNN/, with two domains and a language pair."""
    root = tmp_path_factory.mktemp("wmt")
    for name in ("human-scores", "metric-scores/en-de", "documents"):
        (root / name).mkdir(parents=True)
    (root / "human-scores" / "en-de.mqm.seg.score").write_text(blocks(HUMAN))
    for name, scores in METRICS.items():
        (root / "metric-scores" / "en-de" / f"{name}-refA.seg.score").write_text(blocks(scores))
    lines = ["news\td1\n"] * 10 + ["talks\td2\n"] * 20
    (root / "documents" / "en-de.docs").write_text("".join(lines))
    return root


def rows(found: dict[str, Any], **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in found["correlations"] if all(row[key] == value for key, value in wanted.items())]


def test_a_folder_has_rows_of_every_level(folder: Path) -> None:
    found = fstmetrics("correlate", folder, "--samples", 0, "--json").summary
    for name, scores in METRICS.items():
        (row,) = rows(found, metric=name, level="segment", coefficient="acc-eq")
        best = acc_eq(scores, HUMAN, "item")
        assert (row["value"], row["epsilon"], row["group"]) == (best.value, best.epsilon, "item")
        (row,) = rows(found, metric=name, level="system", coefficient="spa")
        assert row["value"] == spa(scores, HUMAN, permutations=1000, seed=4)
        (row,) = rows(found, metric=name, level="segment", coefficient="kendall-b")
        assert row["value"] == pytest.approx(correlation(scores, HUMAN, "kendall-b"))
        for level in ("system", "segment"):
            assert {"pearson", "spearman", "kendall-b"} <= {
                row["coefficient"] for row in rows(found, level=level)
            }


def test_coefficients_are_those_that_are_asked_for(folder: Path) -> None:
    names = "spa,pearson:item,acc-eq:sys,kendall-c,kendall-13"
    found = fstmetrics("correlate", folder, "--samples", 20, "--coefficients", names, "--json").summary
    of_good = [(row["level"], row["coefficient"], row["group"]) for row in rows(found, metric="good")]
    assert of_good == [
        ("system", "spa", None),
        ("system", "kendall-c", None),
        ("system", "kendall-13", None),
        ("segment", "pearson", "item"),
        ("segment", "acc-eq", "system"),
        ("segment", "kendall-c", None),
        ("segment", "kendall-13", "item"),
    ]
    (row,) = rows(found, metric="good", coefficient="pearson")
    assert row["value"] == pytest.approx(correlation(METRICS["good"], HUMAN, "pearson", "item"))
    shown = fstmetrics("correlate", folder, "--samples", 0, "--coefficients", names).out
    assert "pearson:item" in shown
    assert "acc-eq:system  epsilon" in shown


@pytest.mark.parametrize("test", ["perm-both", "perm-inputs", "williams"])
def test_pairs_of_metrics_are_tested(folder: Path, test: Any) -> None:
    arguments = ("correlate", folder, "--samples", 100, "--test", test)
    found = fstmetrics(*arguments, "--json").summary
    names = {"pearson"} if test == "williams" else {"spa", "acc-eq"}
    assert {row["coefficient"] for row in found["tests"]} == names
    for row in found["tests"]:
        assert (row["better"], row["other"], row["test"]) == ("good", "poor", test)
        assert 0 <= row["p"] < 0.2
    (row,) = [row for row in found["tests"] if row["level"] == "segment"]
    name = row["coefficient"]
    (theirs,) = compare_metrics(METRICS, HUMAN, name, "item" if name == "acc-eq" else None, test=test)
    assert row["delta"] == pytest.approx(theirs.delta)
    (of_good,) = rows(found, metric="good", level="segment", coefficient=name)
    (of_poor,) = rows(found, metric="poor", level="segment", coefficient=name)
    assert (of_good["rank"], of_poor["rank"]) == (1, 2)
    assert f"{test}, {name} of segments  rank" in fstmetrics(*arguments).out


def test_explanations_below_the_tables(folder: Path) -> None:
    arguments = ("correlate", folder, "--samples", 100, "--seed", 3, "--test", "perm-both", "--p-level", 0.1)
    shown = fstmetrics(*arguments, "--resample", "systems", "--confidence", 0.9).out
    assert "[ ]: 90% of 100 bootstrap resamples of systems, seed 3\n" in shown
    assert "epsilon: scores of a metric that differ by at most this are ties\n" in shown
    assert "(1): rank; no metric is significantly better than another of its rank (p > 0.1)\n" in shown
    assert (
        "p: one-sided, small where the row's metric agrees better with people than the column's; at most 100"
        in shown
    )
    assert "human scores of" not in shown
    grouped = fstmetrics(
        "correlate", folder, "--samples", 0, "--coefficients", "pearson:item,pearson:system"
    ).out
    assert ":item: the translations of each segment are compared" in grouped
    assert ":system: the segments of each system are compared" in grouped
    for absent in ("[ ]:", "epsilon", "(1)", "p: "):
        assert absent not in grouped
    william = fstmetrics(*arguments[:3], 20, "--test", "williams").out
    assert "than the column's\n" in william


def test_a_p_of_no_permutation_is_below_its_resolution(folder: Path) -> None:
    """Of 1000 permutations 100 were made."""
    arguments = ("correlate", folder, "--samples", 1000, "--test", "perm-both", "--coefficients", "acc-eq")
    (row,) = fstmetrics(*arguments, "--json").summary["tests"]
    assert (row["p"], row["permutations"]) == (0, 100)
    shown = fstmetrics(*arguments).out
    (line,) = [line for line in shown.splitlines() if line.startswith("good") and "<" in line]
    assert line.split() == ["good", "1", "<0.01"]
    assert "\np <0.01: none of 100 permutations; a test ends early where p is clear\n" in shown


def test_an_epsilon_that_ties_all_pairs_is_remarked(tmp_path: Path) -> None:
    """People tie nearly all pairs of translations of a segment."""
    said = np.tile(np.arange(SEGMENTS) * 7 % SEGMENTS, (SYSTEMS, 1))
    said[0, :2] += 1
    metric = METRICS["poor"]
    human = written(tmp_path / "mqm.seg.score", blocks(said))
    scores = written(tmp_path / "poor.seg.score", blocks(metric))
    found = fstmetrics("correlate", human, scores, "--samples", 0, "--json").summary
    (row,) = rows(found, metric="poor", coefficient="acc-eq")
    ties = [said[i, k] == said[j, k] for k in range(SEGMENTS) for i in range(SYSTEMS) for j in range(i)]
    assert row["tied"] == 1
    assert row["value"] == pytest.approx(np.mean(ties))
    remark = "99% or more of the pairs are ties: acc-eq of poor is the share of pairs that people tie"
    assert remark in fstmetrics("correlate", human, scores, "--samples", 0).out


def test_a_usual_epsilon_has_no_remark(folder: Path) -> None:
    found = fstmetrics("correlate", folder, "--samples", 0, "--json").summary
    for name in METRICS:
        (row,) = rows(found, metric=name, coefficient="acc-eq")
        differences = [
            abs(METRICS[name][i, k] - METRICS[name][j, k])
            for k in range(SEGMENTS) for i in range(SYSTEMS) for j in range(i)
        ]  # fmt: skip
        assert row["tied"] == pytest.approx(np.mean(np.array(differences) <= row["epsilon"]))
        assert row["tied"] < 0.9
    assert "or more of the pairs are ties" not in fstmetrics("correlate", folder, "--samples", 0).out


def test_segments_with_human_scores_are_counted(folder: Path, tmp_path: Path) -> None:
    said: list[list[object]] = HUMAN.tolist()
    for row in said:
        row[20:] = ["None"] * 10
    human = written(tmp_path / "mqm.seg.score", blocks(np.array(said, dtype=object)))
    scores = folder / "metric-scores" / "en-de" / "good-refA.seg.score"
    assert "human scores of 20 of 30 segments\n" in fstmetrics("correlate", human, scores, "--samples", 0).out


def test_scores_of_one_system_each(folder: Path, tmp_path: Path) -> None:
    human = folder / "human-scores" / "en-de.mqm.seg.score"
    given = [
        f"comet:s{i}={written(tmp_path / f'{i}.txt', ''.join(f'{score}' + chr(10) for score in row.tolist()))}"
        for i, row in enumerate(METRICS["good"])
    ]
    found = fstmetrics("correlate", human, *given, "--samples", 0, "--json").summary
    (row,) = rows(found, metric="comet", level="segment", coefficient="pearson")
    assert row["value"] == pytest.approx(correlation(METRICS["good"], HUMAN, "pearson"))
    turned = fstmetrics("correlate", human, *given, "--samples", 0, "--lower", "comet", "--json").summary
    (row,) = rows(turned, metric="comet", level="segment", coefficient="pearson")
    assert row["value"] == pytest.approx(-correlation(METRICS["good"], HUMAN, "pearson"))
    refused(fstmetrics("correlate", human, *given[:-1], given[0]), "comet of s0 twice")
    refused(fstmetrics("correlate", human, given[0].split("=")[1]), "METRIC:SYSTEM=FILE says of which")
    whole = written(tmp_path / "x.sys.score", "s1\t3\n")
    refused(
        fstmetrics("correlate", human, f"comet:s1={whole}"), "METRIC:SYSTEM=FILE is for scores of segments"
    )


def test_systems_are_renamed(folder: Path, tmp_path: Path) -> None:
    human = folder / "human-scores" / "en-de.mqm.seg.score"
    poor = folder / "metric-scores" / "en-de" / "poor-refA.seg.score"
    other = written(tmp_path / "good.seg.score", blocks(METRICS["good"]).replace("s3\t", "NeMo\t"))
    refused(fstmetrics("correlate", human, other), "--rename NeMo=NAME says what human scores call it")
    options = ("--rename", "NeMo=s3", "--samples", 0, "--json")
    found = fstmetrics("correlate", human, other, poor, *options).summary
    (row,) = rows(found, metric="good", level="segment", coefficient="pearson")
    assert row["value"] == pytest.approx(correlation(METRICS["good"], HUMAN, "pearson"))
    for wrong, said in (
        ("NeMo", "--rename is OLD=NEW"),
        ("Nobody=s3", "no file of scores has a system Nobody"),
        ("NeMo=s1", "two systems would be called s1"),
    ):
        refused(fstmetrics("correlate", human, other, "--rename", wrong), said)


def test_domains_by_themselves(folder: Path) -> None:
    found = fstmetrics("correlate", folder, "--samples", 0, "--by", "domain", "--json").summary
    for part, where in (("news", slice(10)), ("talks", slice(10, None))):
        (row,) = rows(found, metric="poor", level="segment", coefficient="pearson", part=part)
        assert row["value"] == pytest.approx(correlation(METRICS["poor"][:, where], HUMAN[:, where]))
    assert "news: 5 systems" in fstmetrics("correlate", folder, "--samples", 0, "--by", "domain").out


def test_scores_of_whole_systems_are_taken_as_given(folder: Path, tmp_path: Path) -> None:
    whole = tmp_path / "wmt"
    shutil.copytree(folder, whole)
    given = [3.0, 5.0, 1.0, 2.0, 4.0]
    only = whole / "metric-scores" / "en-de" / "whole-refA.sys.score"
    only.write_text("".join(f"s{i}\t{score}\n" for i, score in enumerate(given)))
    found = fstmetrics("correlate", whole, "--samples", 20, "--json").summary
    (row,) = rows(found, metric="whole", level="system", coefficient="pearson")
    assert row["value"] == pytest.approx(np.corrcoef(given, HUMAN.mean(axis=1))[0, 1])
    assert rows(found, metric="whole", level="segment") == []
    (row,) = rows(found, metric="whole", level="system", coefficient="spa")
    assert row["value"] is None
    tested = fstmetrics(
        "correlate",
        whole,
        "--test",
        "perm-systems",
        "--coefficients",
        "pearson",
        "--level",
        "system",
        "--json",
    )
    assert len(tested.summary["tests"]) == 3


def test_what_does_not_fit_is_refused_with_its_file(folder: Path, tmp_path: Path) -> None:
    human = folder / "human-scores" / "en-de.mqm.seg.score"
    metric = folder / "metric-scores" / "en-de" / "good-refA.seg.score"
    other = written(tmp_path / "m.seg.score", blocks(METRICS["good"][:, :-1]))
    refused(fstmetrics("correlate", human, other), "m.seg.score", "29 segments", "30", "another test set")
    constant = written(tmp_path / "m.seg.score", blocks(np.ones(HUMAN.shape)))
    refused(fstmetrics("correlate", human, constant), "m.seg.score", "all scores of m are 1")
    for said, message in ((np.zeros(HUMAN.shape), "are 0, so nothing"), (None, "are missing, so nothing")):
        values = np.full(HUMAN.shape, "None", dtype=object) if said is None else said
        useless = written(tmp_path / "mqm.seg.score", blocks(values))
        refused(fstmetrics("correlate", useless, metric), "mqm.seg.score: all human scores " + message)
    apart = written(tmp_path / "t.tsv", "system segment human m\na 1 3 1\na 2 2 4\nb 3 1 2\nb 4 2 5\n")
    refused(fstmetrics("correlate", apart), "t.tsv: no segment is judged for both systems")
    some = HUMAN.astype(float)
    some[:2] = 1
    uneven = written(tmp_path / "mqm.seg.score", blocks(some))
    of_two = written(tmp_path / "m.seg.score", blocks(METRICS["good"][:2]))
    systems = "all human scores of the systems with scores of metrics are 1, so nothing"
    refused(fstmetrics("correlate", uneven, of_two), "mqm.seg.score", systems)
    unknown = written(tmp_path / "m.seg.score", blocks(METRICS["good"]).replace("s4", "x"))
    refused(fstmetrics("correlate", human, unknown), "no human scores of x", "mqm.seg.score")
    refused(fstmetrics("correlate", metric), "no human scores", "--human NAME", "good-refA")
    refused(fstmetrics("correlate", folder, "--language-pair", "cs-en"), "no language pair cs-en", "en-de")
    refused(
        fstmetrics("correlate", folder, "--coefficients", "kendal-b"), "kendal-b", "did you mean kendall-b"
    )
    refused(fstmetrics("correlate", folder, "--coefficients", "pearson:segment"), "unknown group 'segment'")
    refused(
        fstmetrics("correlate", human, metric, "--test", "perm-both"), "tests pairs of metrics", "there is 1"
    )
    refused(fstmetrics("correlate", human, metric, "--language-pair", "en-de"), "for a folder of WMT's")
    refused(fstmetrics("correlate", folder / "documents"), "documents", "a folder without human-scores")
    one = written(tmp_path / "one.txt", "0.5\n0.7\n")
    refused(fstmetrics("correlate", human, one), "one.txt", "one score a line", "SYSTEM<TAB>score")
    refused(fstmetrics("correlate", human, metric, "--by", "domain"), "which domain a segment is in")


@pytest.fixture(scope="module")
def two_pairs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with a second language pair, of which a metric is missing."""
    root = tmp_path_factory.mktemp("two") / "wmt"
    shutil.copytree(folder, root)
    (root / "metric-scores" / "cs-en").mkdir()
    (root / "human-scores" / "cs-en.mqm.seg.score").write_text(blocks(HUMAN[:, ::-1]))
    for name in ("good", "poor"):
        (root / "metric-scores" / "cs-en" / f"{name}-refA.seg.score").write_text(blocks(METRICS[name]))
    (root / "metric-scores" / "en-de" / "only-refA.seg.score").write_text(
        blocks(METRICS["poor"] + METRICS["good"])
    )
    return root


def sign_agreement(metric: Any, human: Any) -> tuple[int, int]:
    """Pairs of systems in the same order, and all pairs."""
    x, y = metric.mean(axis=1), human.mean(axis=1)
    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    return sum(np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i, j in pairs), len(pairs)


def test_averages_over_the_tasks_of_a_year(two_pairs: Path) -> None:
    found = fstmetrics("correlate", two_pairs, "--tasks", "wmt23", "--json").summary
    assert [(task["level"], task["coefficient"], round(task["weight"], 3)) for task in found["tasks"]] == [
        ("system", "accuracy", 0.25),
        *[("system", "pearson", 0.125), ("segment", "pearson", 0.125), ("segment", "acc-eq", 0.125)] * 2,
    ]
    scores, turned = METRICS["poor"], HUMAN[:, ::-1]
    right = [sign_agreement(scores, turned), sign_agreement(scores, HUMAN)]
    assert found["tasks"][0]["values"]["poor"] == sum(r for r, _ in right) / sum(n for _, n in right)
    expected = found["tasks"][0]["values"]["poor"] / 4
    for human in (turned, HUMAN):
        whole = correlation(scores.mean(axis=1)[None], human.mean(axis=1)[None])
        segments = correlation(scores, human)
        expected += ((whole + 1) / 2 + (segments + 1) / 2 + acc_eq(scores, human).value) / 8
    averages = {row["metric"]: row["value"] for row in found["averages"]}
    assert averages["poor"] == pytest.approx(expected)
    assert set(averages) == {"good", "poor"}
    shown = fstmetrics("correlate", two_pairs, "--tasks", "wmt24").out
    assert "4: en-de segment acc-eq, weight 0.250" in shown


def test_tasks_of_a_file(two_pairs: Path, tmp_path: Path) -> None:
    text = """
        [[task]]
        pairs = ["en-de"]
        level = "segment"
        coefficient = "kendall-b:item"
        weight = 3

        [[task]]
        pairs = ["cs-en", "en-de"]
        level = "system"
        coefficient = "accuracy"
    """
    found = fstmetrics(
        "correlate", two_pairs, "--tasks", written(tmp_path / "t.toml", text), "--json"
    ).summary
    tau, accuracy = (task["values"]["good"] for task in found["tasks"])
    assert tau == pytest.approx(correlation(METRICS["good"], HUMAN, "kendall-b", "item"))
    (good,) = [row["value"] for row in found["averages"] if row["metric"] == "good"]
    assert good == pytest.approx(0.75 * (tau + 1) / 2 + 0.25 * accuracy)


TASK = '[[task]]\npairs = ["en-de"]\nlevel = "system"\ncoefficient = "spa"\n'


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("task", ("no TOML", "wmt23, wmt24")),
        ("[task]\n", ("tables [[task]]",)),
        (TASK.replace("en-de", "he-en"), ("task 1", "no scores of he-en", "cs-en, en-de")),
        (TASK.replace("system", "segment"), ("task 1", "no spa of level segment")),
        (TASK.replace("spa", "spb"), ("task 1", "unknown coefficient 'spb'")),
        (TASK + "wait = 1\n", ("task 1", "wait")),
        (TASK + "weight = 0\n", ("task 1", "weight is 0")),
        (TASK.replace('["en-de"]', '["cs-en", "en-de"]'), ("task 1", "only accuracy is of several")),
        (TASK + TASK.replace('level = "system"\n', ""), ("task 2", "does not say its level")),
    ],
)
def test_damaged_lists_of_tasks(two_pairs: Path, tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    refused(
        fstmetrics("correlate", two_pairs, "--tasks", written(tmp_path / "t.toml", text)), "t.toml", *parts
    )


def test_tasks_stand_alone(two_pairs: Path) -> None:
    refused(
        fstmetrics("correlate", two_pairs, "--tasks", "wmt24", "--test", "perm-both"), "--tasks says itself"
    )
    human = two_pairs / "human-scores" / "en-de.mqm.seg.score"
    refused(fstmetrics("correlate", human, "--tasks", "wmt24"), "one folder of WMT's metrics data")


@pytest.mark.parametrize(
    "option", [("--level", "segment"), ("--test", "perm-both"), ("--metric", "wer"), ("--raw",)]
)
def test_tasks_take_no_option_that_would_do_nothing(two_pairs: Path, option: tuple[Any, ...]) -> None:
    refused(
        fstmetrics("correlate", two_pairs, "--tasks", "wmt24", *option), "--tasks says itself", str(option[0])
    )


def test_averages_over_tasks_have_intervals_where_samples_are_asked_for(two_pairs: Path) -> None:
    plain = fstmetrics("correlate", two_pairs, "--tasks", "wmt23", "--json").summary
    assert {row["low"] for row in plain["averages"]} == {None}
    options = ("--tasks", "wmt23", "--samples", 30, "--seed", 5)
    found = fstmetrics("correlate", two_pairs, *options, "--json").summary
    assert found["settings"] == {"samples": 30, "seed": 5, "resample": "both", "confidence": 0.95}
    assert found["tasks"] == plain["tasks"]
    tables, _ = read_pairs([str(two_pairs)], None, None, Directions())
    tasks, intervals = wmt23(sorted(tables)), Intervals(30, 5)
    for row in found["averages"]:
        averages = np.zeros(30)
        for task in tasks:
            values = np.array(task_resamples(task, tables, intervals)[row["metric"]])
            share = task.weight / sum(task.weight for task in tasks)
            averages += share * ((values + 1) / 2 if task.coefficient.name == "pearson" else values)
        assert (row["low"], row["high"]) == pytest.approx(intervals.interval(averages.tolist()))
        assert row["low"] < row["high"]
    shown = fstmetrics("correlate", two_pairs, *options).out
    assert "[ ]: 95% of 30 bootstrap resamples of systems and segments, seed 5" in shown
    low = next(row["low"] for row in found["averages"] if row["metric"] == "good")
    assert f"[{low:.4f}, " in shown
    refused(
        fstmetrics("correlate", two_pairs, "--tasks", "wmt24", "--seed", 3), "--seed", "--samples asks for"
    )


@pytest.mark.parametrize("options", [("--tasks", "wmt24"), ("--language-pair", "en-de", "--samples", 5)])
def test_json_has_the_remarks_of_the_text(two_pairs: Path, options: tuple[Any, ...]) -> None:
    shown = fstmetrics("correlate", two_pairs, *options).out
    remarks = fstmetrics("correlate", two_pairs, *options, "--json").summary["remarks"]
    assert remarks
    assert shown.rstrip().endswith("\n".join(remarks))


def test_tasks_say_where_acc_eq_tells_nothing(two_pairs: Path, tmp_path: Path) -> None:
    """People tie nearly all, so everything is best tied."""
    folder = tmp_path / "wmt"
    shutil.copytree(two_pairs, folder)
    human = np.zeros_like(HUMAN)
    human[0, 0] = 1
    (folder / "human-scores" / "cs-en.mqm.seg.score").write_text(blocks(human))
    found = fstmetrics("correlate", folder, "--tasks", "wmt24", "--json").summary["remarks"]
    assert any(remark.startswith("2: at this epsilon 99% or more of the pairs are ties") for remark in found)


def test_people_that_no_language_pair_has_are_refused(two_pairs: Path) -> None:
    refused(fstmetrics("correlate", two_pairs, "--tasks", "wmt24", "--people", "s0,refB"), "refB")


def test_metrics_of_whole_systems_only_are_left_out_of_tests_of_segments(
    folder: Path, tmp_path: Path
) -> None:
    """Others are tested as if they were not there; by scores of whole systems they are tested, too."""
    root = shutil.copytree(folder, tmp_path / "wmt")
    text = "".join(f"s{i}\t{score}\n" for i, score in enumerate((3.0, 5.0, 2.0, 1.0, 0.5)))
    (root / "metric-scores" / "en-de" / "whole-refA.sys.score").write_text(text)
    arguments = ("--test", "perm-both", "--samples", 50, "--coefficients", "acc-eq,spa,pearson", "--json")
    before, after = (fstmetrics("correlate", each, *arguments).summary["tests"] for each in (folder, root))
    named = {(t["level"], t["coefficient"]) for t in after if "whole" in (t["better"], t["other"])}
    assert named == {("system", "pearson")}
    by_segments = [test for test in before if (test["level"], test["coefficient"]) not in named]
    assert [test for test in after if (test["level"], test["coefficient"]) not in named] == by_segments


def test_real_scores_have_the_numbers_of_the_wmt_tools(shared: Path) -> None:
    expected = shared / "mt-wmt" / "newstest2021.en-de" / "expected"
    theirs = json.loads((expected / "mt-metrics-eval.json").read_text())["chrF"]
    found = fstmetrics(
        "correlate",
        expected / "mqm.seg.score.gz",
        expected / "chrF-refA.seg.score.gz",
        "--samples",
        0,
        "--json",
    ).summary
    (row,) = rows(found, coefficient="acc-eq")
    assert row["value"] == pytest.approx(theirs["acc_eq by item"]["score"], abs=1e-12)
    assert row["epsilon"] == pytest.approx(theirs["acc_eq by item"]["epsilon"])
    (row,) = rows(found, coefficient="spa")
    assert row["value"] == pytest.approx(theirs["SPA (1000 permutations, seed 4)"], abs=1e-4)
    (row,) = rows(found, coefficient="pearson", level="segment")
    assert row["value"] == pytest.approx(theirs["pearson by none"], abs=1e-12)


@pytest.mark.parametrize("number", [SEGMENTS - 2, SEGMENTS + 3])
def test_json_of_another_number_of_segments_is_refused(folder: Path, tmp_path: Path, number: int) -> None:
    """Without names of segments, scores of fewer belong to unknown segments."""
    human = folder / "human-scores" / "en-de.mqm.seg.score"

    def comet(length: int) -> Path:
        scores = {
            f"out/s{i}.txt": [{"mt": "x", "COMET": k * k % 7 - i} for k in range(length)] for i in (0, 1)
        }
        return written(tmp_path / "c.json", json.dumps(scores))

    assert fstmetrics("correlate", human, comet(SEGMENTS), "--samples", 0).status == 0
    counts = (f"{number} segments of each system", "scores of another test set?")
    refused(fstmetrics("correlate", human, comet(number), "--samples", 0), *counts)
    given = ("compare", "--scores", f"mqm={human}", "--scores", f"COMET={comet(number)}", "--samples", 9)
    refused(fstmetrics(*given, "s0", "s1"), f"{number} scores of each system", "scores of another test set?")


def test_json_lines_with_named_segments(folder: Path, tmp_path: Path) -> None:
    """They name their segments, so that not all need be there, and any order will do."""
    human = folder / "human-scores" / "en-de.mqm.seg.score"
    cells = [(i, k) for k in range(SEGMENTS) for i in range(SYSTEMS)]
    lines = [
        json.dumps({"system": f"s{i}", "segment": k + 1, "COMET": float(METRICS["good"][i, k])}) + "\n"
        for i, k in reversed(cells)
    ]
    path = written(tmp_path / "c.jsonl", "".join(lines))
    found = fstmetrics("correlate", human, path, "--samples", 0, "--json").summary
    (row,) = rows(found, metric="COMET", level="segment", coefficient="pearson")
    assert row["value"] == pytest.approx(correlation(METRICS["good"], HUMAN, "pearson"))
