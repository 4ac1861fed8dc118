"""Loops and long runs of insertions: against a slow search, from the command line, and what `score` says of them."""

from __future__ import annotations

import json
import random
from itertools import groupby, product
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.analysis.insertion_runs import insertion_runs
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.unlike_sides import few_items_remark
from fstmetrics.metrics.path_metric import Totals


def loops_of(words: list[str]) -> set[tuple[int, int, int]]:
    """Every loop of a run, by its definition: covered words, and negative, words of the n-gram, and its place."""
    found = set()
    for n, at in product(range(1, 11), range(len(words))):
        times = 1
        while (
            words[at + times * n : at + (times + 1) * n] == words[at : at + n]
            and len(words[at : at + n]) == n
        ):
            times += 1
        if times >= 3:
            found.add((times * n, -n, -at))
    return found


def slow(corpus: CorpusResult, most: int) -> list[dict[str, Any]]:
    """The runs, one operation after the other."""
    found = []
    for number, result in enumerate(corpus):
        hypothesis = reference = 0
        for op, group in groupby(result.alignment, key=lambda pair: pair.op):
            pairs = list(group)
            if op == "I":
                words = [str(pair.hypothesis) for pair in pairs]
                loops = loops_of(words)
                loop = None
                if loops:
                    covered, n, at = max(loops)
                    loop = {"words": words[-at : -at - n], "times": covered // -n}
                if loops or len(words) > most:
                    found.append({
                        "id": str(number), "hypothesis": hypothesis + 1, "reference": reference,
                        "length": len(words), "words": words, "loop": loop,
                    })  # fmt: skip
            hypothesis += sum(pair.hypothesis is not None for pair in pairs)
            reference += sum(pair.reference is not None for pair in pairs)
    return sorted(found, key=lambda run: -int(run["length"]))


@pytest.mark.parametrize("most", [0, 3, 10])
def test_runs_are_those_of_a_slow_search(most: int) -> None:
    rng = random.Random(4)
    hypotheses, references = [], []
    for _ in range(400):
        words = rng.choices("abc", k=rng.randint(0, 5))
        references.append(" ".join(words))
        for _ in range(rng.randint(0, 2)):
            at = rng.randint(0, len(words))
            words[at:at] = rng.choices("abcxy", k=rng.randint(1, 4)) * rng.randint(1, 5)
        hypotheses.append(" ".join(words))
    corpus = fm.score(hypotheses, references)
    found = insertion_runs(table_of_results(corpus), most)
    expected = slow(corpus, most)
    assert found.as_dict()["runs"] == expected
    assert any(run["loop"] for run in expected)
    assert any(not run["loop"] for run in expected)
    inserted = sum(run["length"] for run in expected)
    assert (found.inserted, found.share) == (inserted, inserted / corpus.insertions)
    assert (found.score, found.score_of_runs) == (
        corpus.score, (corpus.edits - inserted + len(expected)) / corpus.path_length,
    )  # fmt: skip


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A loop, a long run, and items without either."""
    reference = ["a b"] * 6
    hypothesis = [
        "a " + "thank you " * 4 + "b",
        "a b " + " ".join(map(str, range(12))),
        "a b",
        "x a b",
        "a",
        "a b",
    ]
    for name, lines in (("ref", reference), ("hyp", hypothesis)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    output = tmp_path / "r.jsonl"
    fm.score_files(references=tmp_path / "ref", hypotheses=tmp_path / "hyp", alignment=True, output=output)
    return output


def test_the_command_and_the_call_of_python(records: Path) -> None:
    found = fstmetrics("errors", "--loops", records, "--json").summary
    assert found == fm.errors_files(records, loops=True).summary()
    assert [(run["id"], run["reference"], run["hypothesis"], run["length"], run["loop"]) for run in found["runs"]] == [
        ("2", 2, 3, 12, None), ("1", 1, 2, 8, {"words": ["thank", "you"], "times": 4}),
    ]  # fmt: skip
    assert (found["insertions"], found["insertions_in_runs"], found["share"]) == (21, 20, 20 / 21)
    assert (found["wer"], found["wer_runs_as_one"]) == (22 / 12, 4 / 12)
    text = fstmetrics("errors", records, "--loops").out
    assert "1 loop, 1 other run of more than 10 insertions" in text
    assert "20 of 21 insertions (95.2%) are in them, in 2 of 6 items" in text
    assert "wer 1.8333; with each of them as one error 0.3333" in text
    assert "1 more: --top 0 shows all" in fstmetrics("errors", records, "--loops", "--top", "1").out
    assert len(fm.errors_files(records, loops=True, longer_than=12).summary()["runs"]) == 1
    assert len(fm.errors_files(records, loops=True, longer_than=0).summary()["runs"]) == 3


def test_nothing_inserted(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b\n\n")
    output = tmp_path / "r.jsonl"
    fm.score_files(references=tmp_path / "ref", hypotheses=tmp_path / "ref", alignment=True, output=output)
    found = fm.errors_files(output, loops=True).summary()
    assert (found["runs"], found["share"], found["wer"], found["wer_runs_as_one"]) == ([], None, 0.0, 0.0)
    assert "0 loops, 0 other runs" in fstmetrics("errors", output, "--loops").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--loops", "--op", "I"], "--loops stands alone"),
        (["--loops", "--terms", "x"], "--loops stands alone"),
        (["--longer-than", "3"], "--longer-than is for --loops; give that, too"),
    ],
)
def test_options_that_do_not_go_with_it(options: list[str], said: str, records: Path) -> None:
    refused = fstmetrics("errors", records, *options)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert said in refused.err


def test_records_of_another_metric_are_refused(records: Path) -> None:
    output = records.with_name("h.jsonl")
    fm.score_files(
        references=records.with_name("ref"),
        hypotheses=records.with_name("hyp"),
        metric="wrr",
        alignment=True,
        output=output,
    )
    refused = fstmetrics("errors", output, "--loops")
    assert refused.status == 2
    assert (
        "--loops counts edits of a word error rate, and these records are of wrr: score with wer"
        in refused.err
    )


def test_characters_have_the_character_error_rate(records: Path) -> None:
    output = records.with_name("c.jsonl")
    fm.score_files(
        references=records.with_name("ref"),
        hypotheses=records.with_name("hyp"),
        unit="char",
        alignment=True,
        output=output,
    )
    assert "cer_runs_as_one" in fm.errors_files(output, loops=True).summary()


def test_score_says_that_a_few_items_have_most_insertions(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c\n" * 60)
    (tmp_path / "hyp").write_text("a b c x\n" * 12 + ("a b c" + " z" * 19 + "\n") * 2 + "a b c\n" * 46)
    said = "2 of 60 items have 76 % of the insertions; errors --loops lists loops and long runs"
    assert said in fstmetrics("score", tmp_path / "ref", tmp_path / "hyp").out.splitlines()
    summary = fstmetrics("score", tmp_path / "ref", tmp_path / "hyp", "--json").summary
    assert said in summary["remarks"]


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ({Totals(insertions=10): 1, Totals(insertions=1): 10, Totals(): 9}, True),
        ({Totals(insertions=9): 1, Totals(): 40}, False),  # too few for a loop
        ({Totals(insertions=10): 1, Totals(insertions=1): 11, Totals(): 8}, False),  # less than half
        ({Totals(insertions=10): 1, Totals(): 18}, False),  # more than one of 20
        ({Totals(insertions=40): 1, Totals(insertions=10): 9, Totals(): 190}, True),
        ({Totals(insertions=40): 1, Totals(insertions=10): 10, Totals(): 190}, False),
    ],
)
def test_when_a_few_items_have_most_insertions(items: dict[Totals, int], says: bool) -> None:
    totals = Totals(insertions=sum(each.insertions * n for each, n in items.items()))
    assert bool(list(few_items_remark(items, totals, sum(items.values()), True))) == says


def test_summary_is_json(records: Path) -> None:
    json.dumps(fm.errors_files(records, loops=True).summary(), allow_nan=False)


def test_score_says_that_a_few_items_have_most_errors(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c d e f g h i j k l\n" * 40)
    (tmp_path / "hyp").write_text("z y x w v u t s r q p o\n" + "a b c d e f g h i j k l\n" * 39)
    out = fstmetrics("score", tmp_path / "ref", tmp_path / "hyp").out
    assert "1 of 40 item has 100 % of the errors; show lists the worst" in out
    (tmp_path / "hyp").write_text("a b c d e f g h i j k z\n" * 40)
    assert "of the errors; show" not in fstmetrics("score", tmp_path / "ref", tmp_path / "hyp").out
