"""The punctuation error rate and case errors: against their definition, and NeMo's own example."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import fstmetrics, written
from orthography_by_definition import counts_by_definition

import fstmetrics as fm
from fstmetrics.support.errors import FstmetricsError

# The example of NeMo's documentation, and what it prints of it.
REFERENCE, HYPOTHESIS = "Hi, dear! Nice to see you. What's", "Hi dear! Nice to see you! What's?"


def random_texts(rng: random.Random, number: int) -> tuple[list[str], list[str]]:
    """Hypotheses that differ somewhat from references, with marks anywhere."""
    kinds = ["a", "B", "b", "The", "the", "it's", "é", "x;y", "-", *".,?!", "7"]
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(number):
        reference = rng.choices(kinds, k=rng.randint(0, 9))
        hypothesis = [
            rng.choice(kinds) if rng.random() < 0.4 else t for t in reference if rng.random() < 0.85
        ]
        for side, words in zip(sides, (hypothesis, reference), strict=True):
            side.append("".join(" " * (rng.random() < 0.8) + word for word in words).strip())
    return sides


@pytest.mark.parametrize("marks", [".,?!", ".,?", "!;-"])
def test_counts_are_those_of_the_definition(marks: str) -> None:
    hypotheses, references = random_texts(random.Random(5), 600)
    metric = fm.PER(marks)
    found = fm.score(hypotheses, references, metric)
    sums = dict.fromkeys(metric.columns, 0)
    for row, hypothesis, reference in zip(found.values, hypotheses, references, strict=True):
        named = dict(zip(metric.columns, row.astype(int).tolist(), strict=True))
        expected = counts_by_definition(hypothesis, reference, marks)
        for name in (*metric.columns[: 4 * len(marks)], "words", "case_errors"):
            assert named[name] == expected[name], (hypothesis, reference, name)
            sums[name] += named[name]
    wrong, right = (
        sum(n for name, n in sums.items() if name.split(" ")[0] in kinds)
        for kinds in (("substitutions", "deletions", "insertions"), ("correct",))
    )
    assert found.score == wrong / (wrong + right)
    assert fm.score(hypotheses, references, fm.CaseErrors(marks)).score == sums["case_errors"] / sums["words"]


def test_the_example_of_nemo() -> None:
    found = fm.score([HYPOTHESIS], [REFERENCE], "per")
    assert found.score == 0.75
    marks = found.detail_values["marks"]
    assert isinstance(marks, dict)
    assert [(mark, marks[mark][kind]) for mark, kind in zip(
        ".,!?", ("substitutions", "deletions", "correct", "insertions"), strict=True
    )] == [(".", 1), (",", 1), ("!", 1), ("?", 1)]  # fmt: skip


def test_the_word_error_rate_beside_is_that_without_case_and_punctuation() -> None:
    hypotheses, references = random_texts(random.Random(6), 300)
    plain = fm.Normalisation(lowercase=True, remove_punctuation=True)
    expected = fm.score(hypotheses, references, normalisation=plain)
    assert fm.score(hypotheses, references, "case").detail_values["wer"] == expected.score


def test_of_several_references_the_best_counts() -> None:
    found = fm.score(["Yes, it is."], [["yes it is", "Yes, It is!"]], "per")
    assert (found.score, found.detail_values["case"]) == (0.5, 1 / 3)


def test_by_field_compared_and_from_the_command_line(tmp_path: Path) -> None:
    for name, text in (("ref", "Hi, all.\nNo!\n\n"), ("hyp", "Hi all.\nno!\n\n")):
        (tmp_path / name).write_text(text)
    ref, hyp = tmp_path / "ref", tmp_path / "hyp"
    summary = fstmetrics("score", ref, hyp, "--metric", "per", "--json").summary
    assert (summary["score"], summary["per"], summary["case"], summary["wer"]) == (1 / 3, 1 / 3, 1 / 3, 0.0)
    assert summary["marks"][","] == {
        "per": 1.0,
        "correct": 0,
        "substitutions": 0,
        "deletions": 1,
        "insertions": 0,
    }
    assert fm.score_files(references=ref, hypotheses=hyp, metric="case").score == 1 / 3
    fields = {"domain": ["a", "b", "b"]}
    by = fm.score(["Hi all.", "no!", ""], ["Hi, all.", "No!", ""], "per", fields=fields).by("domain")
    assert {value: each.score for value, each in by.items()} == {"a": 0.5, "b": 0.0}
    compared = fm.compare({"one": ["Hi all."] * 2, "two": ["Hi, all."] * 2}, ["Hi, all."] * 2, ["per", "case"],
                          samples=99)  # fmt: skip
    assert compared.systems["one"]["per"].score == 0.5
    assert compared.test("two", "per").delta == -0.5


def test_what_is_not_there_has_no_rate(tmp_path: Path) -> None:
    nothing = fm.score(["a b"], ["a b"], "per")
    assert (
        nothing.details
        == "per 0.0000 (0 / 0), case - (0 / 2), wer without both 0.0000 (0 / 2); no mark of .,?! on either side"
    )
    assert nothing.detail_values["case"] is None
    assert (
        fm.score(["A, b"], ["a b."], "per", normalisation=fm.Normalisation(lowercase=True)).detail_values[
            "case"
        ]
        is None
    )


def test_a_case_error_rate_without_a_capital_is_none_anywhere(tmp_path: Path) -> None:
    rows = [
        ("a", "the cat", "the cat"),
        ("b", "The cat", "the cat"),
        ("c", "a dog", "A dog"),
        ("d", "hi", "ho"),
    ]
    table = tmp_path / "table.csv"
    table.write_text("id,ref,hyp,field\n" + "".join(f"{i},{r},{h},{i}\n" for i, r, h in rows))
    low = tmp_path / "low.txt"
    low.write_text("the cat\n")

    lines = fstmetrics(
        "score", low, low, "--metric", "case", "--format", "plain", "--ref-format", "plain"
    ).out
    assert [line.split() for line in lines.splitlines()[:2]] == [["case", "mean"], ["case", "-", "-"]]
    summary = fstmetrics("score", table, "--metric", "case", "--by", "field", "--json").summary
    assert (summary["score"], summary["mean_score"], summary["case"]) == (2 / 6, 0.5, 2 / 6)
    assert [row["score"] for row in summary["by"]["field"]] == [None, 0.5, 0.5, None]
    cells = fstmetrics("score", table, "--metric", "case", "--by", "field").out.splitlines()
    assert [line.split()[2] for line in cells if line[:2] in ("a ", "b ", "d ")] == ["-", "0.5000", "-"]
    found = fm.score([h for _, _, h in rows], [r for _, r, _ in rows], "case")
    assert found.item_scores.tolist()[1:3] == [0.5, 0.5]
    assert all(score != score for score in found.item_scores.tolist()[::3])
    for one in ("score", "mean_score"):
        assert fm.score(["the cat"], ["the cat"], "case").as_dict()[one] is None
    for test in ("bootstrap", "randomization", "sign"):
        said = "case of two has no score that a test could compare: there are only items for which .*; give other"
        with pytest.raises(FstmetricsError, match=said):
            fm.compare({"one": ["The cat"], "two": ["the cat"]}, ["the cat"], ["case"], test=test, samples=99)


@pytest.mark.parametrize(
    "test", ["bootstrap", "paired-bootstrap", "poisson-bootstrap", "randomization", "sign", "plain-sign"]
)
def test_metrics_beside_one_without_a_score_are_compared(test: str, tmp_path: Path) -> None:
    ref, one = written(tmp_path / "r", "hello there\nyes\n"), written(tmp_path / "h1", "hello their\nyes\n")
    call = ("compare", "--ref", ref, one, ref, "--test", test, "--samples", "99", "--json")
    alone, both = fstmetrics(*call, "--metric", "wer"), fstmetrics(*call, "--metric", "wer,case")
    assert (alone.status, both.status, both.summary["tests"]) == (0, 0, alone.summary["tests"])
    assert [scores["case"]["score"] for scores in both.summary["systems"].values()] == [None, None]
    # No metric loses its test where there are capitals.
    spoken = written(tmp_path / "r2", "Hello there\nYes\n")
    found = fstmetrics("compare", "--ref", spoken, one, ref, *call[5:], "--metric", "wer,case").summary
    assert [result["metric"] for result in found["tests"]] == ["wer", "case"]


def test_parts_without_a_capital_are_compared_by_other_metrics(tmp_path: Path) -> None:
    rows = [("a", "Hello there", "Hello here"), ("a", "Yes", "Yes"), ("b", "it is", "it"), ("b", "so", "so")]
    lines = [f"{place}\t{field}\t{ref}\t{hyp}\n" for place, (field, ref, hyp) in enumerate(rows)]
    one = written(tmp_path / "h1.tsv", "".join(["id\tpart\tref\thyp\n", *lines]))
    two = written(tmp_path / "h2.tsv", "".join(["id\tpart\tref\thyp\n", *lines]))
    call = (
        "compare",
        one,
        two,
        "--metric",
        "wer,case",
        "--by",
        "part",
        "--test",
        "randomization",
        "--samples",
        "9",
    )
    a, b = fstmetrics(*call, "--json").summary["by"]["part"]
    tested = [[result["metric"] for result in part["tests"]] for part in (a, b)]
    assert tested == [["wer", "case"], ["wer"]]


def test_of_several_references_each_metric_takes_its_own_best() -> None:
    hypotheses = ["Yes it is", "The cat."]
    references = [["yes It Is!", "Yes, it. is."], ["the cat.", "The cat"]]
    alone = {name: fm.score(hypotheses, references, name).score for name in ("per", "case")}
    for names in (["per", "case"], ["case", "per"]):
        compared = fm.compare({"a": hypotheses, "b": hypotheses}, references, names, samples=9)
        assert {name: compared.systems["a"][name].score for name in names} == alone


def test_of_several_references_one_without_a_capital_has_no_error() -> None:
    found = fm.score(["the cat"], [["The cat", "the cat"]], "case")
    assert found.detail_values["case"] is None


@pytest.mark.parametrize("marks", ["", "..", "a", ". ", "'", "_"])
def test_marks_that_are_none(marks: str) -> None:
    with pytest.raises(FstmetricsError, match="marks are"):
        fm.PER(marks)


@pytest.mark.parametrize("change", [{"remove_punctuation": True}, {"unit": "char"}])
@pytest.mark.parametrize("name", ["per", "case", "mean-per"])
def test_what_takes_out_marks_is_refused(name: str, change: dict[str, object]) -> None:
    with pytest.raises(FstmetricsError, match="leave it out"):
        fm.score(["a."], ["a."], name, normalisation=fm.Normalisation(**change))  # type: ignore[arg-type]


@pytest.mark.parametrize("side", ["ignore", "ignore_hypothesis", "ignore_reference"])
@pytest.mark.parametrize("metric", ["per", "case", "mean-case"])
def test_words_that_are_ignored_with_marks_at_them_are_refused(metric: str, side: str) -> None:
    ignoring = fm.Normalisation(**{side: frozenset({"um"})})  # type: ignore[arg-type]
    with pytest.raises(FstmetricsError, match="leave --ignore, --ignore-ref, --ignore-hyp out"):
        fm.score(["Um, yes."], ["yes."], metric, normalisation=ignoring)


def test_texts_that_are_too_long_are_refused() -> None:
    long = "a b. " * 300
    with fm.limited(cells=1000), pytest.raises(FstmetricsError, match="cut the texts into shorter segments"):
        fm.score([f"c {long} d"], [f"e {long} f"], "per")
