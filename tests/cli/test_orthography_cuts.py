"""`per` and `case` of `--resegment`: case and marks decide no cut."""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

import fstmetrics as fm


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _random_document(random_: random.Random) -> tuple[list[str], str]:
    """Segments, and what a recogniser makes of them, with other case and marks."""
    words = [random_.choice("abcdefgh") for _ in range(12)]

    def written(word: str) -> str:
        return random_.choice([word, word.upper()]) + random_.choice(["", "", ",", ".", "?", " ."])

    heard = [word for word in words if random_.random() > 0.15]
    cuts = sorted(random_.sample(range(1, 12), 2))
    parts = [words[i:j] for i, j in zip([0, *cuts], [*cuts, 12], strict=True)]
    return [" ".join(map(written, part)) for part in parts], " ".join(map(written, heard))


@pytest.mark.parametrize("case", range(12))
@pytest.mark.parametrize("metric", ["per", "case"])
def test_metrics_of_marks_and_case_have_these_decide_no_cut(case: int, metric: str) -> None:
    """The long way: cut without case and marks, and score what was written."""
    segments, document = _random_document(random.Random(case))
    Path("r").write_text("".join(f"{line}\n" for line in segments))
    Path("h").write_text(f"{document}\n")
    assert fstmetrics("segment", "r", "h", "--lowercase", "--remove-punctuation", "-o", "cut").status == 0

    def shown(found: dict[str, Any]) -> list[Any]:
        return [found["items"], found["score"], found["statistics"]]

    expected = fstmetrics("score", "r", "cut", "--metric", metric, "--format", "plain", "--json").summary
    found = fstmetrics("score", "r", "h", "--metric", metric, "--resegment", "--json").summary
    assert shown(found) == shown(expected)
    assert "|resegmented:edits,case:lower,punctuation:removed|" in found["signature"]
    compared = fm.compare_files(["h"], references="r", metric=metric, resegment=True, samples=9)
    assert compared.comparison is not None
    score = compared.comparison.systems["h"][metric].score
    assert score == pytest.approx(expected["score"], nan_ok=True)


def test_the_example_of_orthography() -> None:
    Path("r").write_text("A, B.\nC! d?\n")
    Path("h").write_text("a, b. c!\n")
    found = fm.score_files(references="r", hypotheses="h", metric=["per", "case"], resegment=True)
    assert [each.summary()["score"] for each in found.values()] == [0.5, 1]
    for page in ("report", "compare"):
        extra = ("-o", "page.html") if page == "report" else ()
        assert fstmetrics(page, "--ref", "r", "h", "--resegment", "--metric", "per,case", *extra).status == 0
    calls = [
        (c, *(("--ref", "r", "h") if c != "score" else ("r", "h"))) for c in ("score", "compare", "report")
    ]
    for call in calls:
        found_ = fstmetrics(*call, "--resegment", "--metric", "wer,per,case")
        assert (found_.status, found_.err.count("\n")) == (2, 1), found_
        assert "run the command for each: --metric per,case, and --metric wer" in found_.err
    with pytest.raises(fm.FstmetricsError, match="run the command for each"):
        fm.score_files(references="r", hypotheses="h", metric=["per", "wer"], resegment=True)
    with pytest.raises(fm.FstmetricsError, match="run the command for each"):
        fm.compare_files(["h"], references="r", metric=["per", "wer"], resegment=True)


def test_what_both_say_of_a_corpus_stands_once() -> None:
    Path("r").write_text("Hello, world.\nno caps\n")
    for name, text in {"a": "Hello world.\nNo caps", "b": "hello world.\nNo caps,", "c": "hello\nno"}.items():
        Path(name).write_text(f"{text}\n")
    lines = fstmetrics("score", "r", "a", "--metric", "per,case,bleu").out.splitlines()
    assert sum("wer without both" in line for line in lines) == 1
    assert any(line.startswith("per, case: per 0.5000 (1 / 2)") for line in lines)
    assert any(line.startswith("bleu: precisions") for line in lines)
    call = ("--ref", "r", "--metric", "per,case", "--test", "randomization")
    lines = fstmetrics("compare", "a", "b", *call).out.splitlines()
    assert [line.partition(":")[0] for line in lines if "wer without both" in line] == [
        "per, case of a", "per, case of b",
    ]  # fmt: skip
    many = fstmetrics("compare", "a", "b", "c", *call, "--marks", ",")
    assert (many.status, many.out.count("details")) == (0, 1), many
    assert "per, case, details" in many.out


def test_items_without_a_capital_are_counted() -> None:
    Path("r").write_text("Hello World\nno caps\nnone\n")
    Path("h").write_text("hello World\nno caps\nnone\n")
    found = fstmetrics("score", "r", "h", "--metric", "case", "--output", "records.jsonl", "--json").summary
    scores = [json.loads(line)["score"] for line in Path("records.jsonl").read_text().splitlines()]
    assert (scores, found["infinite_scores"], found["mean_score"]) == ([0.5, None, None], 2, 0.5)
    line = "2 items have no score of their own: counted in the sums, not in the mean"
    assert line in fstmetrics("score", "r", "h", "--metric", "case").out.splitlines()
    several = fstmetrics("score", "r", "h", "--metric", "case,per").out.splitlines()
    assert [each for each in several if line in each] == [f"case: {line}"]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "options", "said"),
    [
        ("¿Qué tal? ¡Hola!", "Qué tal? Hola!", "", "(1 ¿, 1 ¡): --marks '.,?!¿¡' counts all"),
        ("你好。我们去吧。", "你好，我们去吧, ok.", "", "(2 。, 1 ，): --marks '.,?!。，' counts all"),
        ("नमस्ते। कैसे हो?", "नमस्ते कैसे हो?", "", "(1 ।): --marks '.,?!।' counts all"),
        ("¿Qué tal? ¡Hola!", "Qué tal? Hola!", "--marks .,?!¿¡", ""),
        ('Hi, it\'s "10:30" (50%)!', "hi well-known - it's 10:30.", "", ""),
        ("नमस्ते। कैसे हो?", "नमस्ते कैसे हो?", "case", ""),
    ],
)
def test_marks_that_do_not_count_are_told(
    reference: str, hypothesis: str, options: str, said: str, tmp_path: Path
) -> None:
    files = [written(tmp_path / name, f"{text}\n") for name, text in (("r", reference), ("h", hypothesis))]
    marks = options.split() if options.startswith("--") else []
    found = fstmetrics("score", *files, "--metric", options if options == "case" else "per", *marks)
    assert found.status == 0, found.err
    assert ("only the marks .,?! count; others of the texts do not (" in found.out) == bool(said)
    assert said in found.out
    metric = "case" if options == "case" else fm.PER(marks[1]) if marks else "per"
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        fm.score([hypothesis], [reference], metric)
    in_python = said.replace("--marks ", "marks=")
    assert [in_python in str(each.message) for each in warned] == [True] * bool(said)
    named = ("-m", "case" if options == "case" else "per", *marks)
    compared = fstmetrics("compare", "--ref", files[0], f"h={files[1]}", f"r={files[0]}", *named).out
    told = [line for line in compared.splitlines() if line.startswith("h: only the marks")]
    assert [said in line for line in told] == [True] * bool(said)
    if said:
        first = [
            fstmetrics("score", *files, "-m", "per", "--shard", f"{n}/2", "-o", tmp_path / str(n))
            for n in (1, 2)
        ]
        assert [each.status for each in first] == [0, 0]
        merged = fstmetrics("merge", tmp_path / "1", tmp_path / "2", "-o", tmp_path / "all")
        assert said in merged.out
