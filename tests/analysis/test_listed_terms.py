"""`errors --terms COLUMN=FILE`: whether hypotheses have the terms that their items list."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written


def test_terms_of_items_are_looked_for_in_their_hypotheses(tmp_path: Path) -> None:
    draw, words = random.Random(7), ["a", "b", "c", "d", "e"]
    texts = {f"u{n}": [" ".join(draw.choices(words, k=6)) for _ in range(2)] for n in range(30)}
    ref, hyp = (
        written(tmp_path / name, "".join(f"{both[side]} ({id})\n" for id, both in texts.items()))
        for side, name in enumerate(("ref.trn", "hyp.trn"))
    )
    terms = ["a", "b c", "d e a", "x"]
    lists = {id: draw.sample(terms, draw.randrange(4)) for id in texts}
    rows = [json.dumps({"id": id, "required": own, "forbidden": []}) for id, own in lists.items()]
    table = written(tmp_path / "terms.jsonl", "\n".join(rows) + "\n")
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, hyp, "--output", records, "--alignment").status == 0
    found = json.loads(fstmetrics("errors", records, "--terms", f"required={table}", "--json").out)
    expected = {
        term: (
            sum(term in own for own in lists.values()),
            sum(term in own and f" {term} " in f" {texts[id][1]} " for id, own in lists.items()),
        )
        for term in terms
    }
    assert {row["term"]: (row["items"], row["found"]) for row in found["terms"]} == expected
    assert found["all"]["found"] == sum(n for _, n in expected.values())
    shown = fstmetrics("errors", records, "--terms", f"required={table}").out
    assert "share: of the items that list a term, those whose hypothesis has it" in shown
    none = json.loads(fstmetrics("errors", records, "--terms", f"forbidden={table}", "--json").out)
    assert none["all"] == {"term": "all", "items": 0, "found": 0, "share": None}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('{"id": "u1", "t": ["a"]}\n', "no list for item u2; an empty list is []"),
        (
            '{"id": "u1", "t": []}\n{"id": "u2", "t": []}\n{"id": "u3", "t": []}\n',
            "a list, and no record, of item u3",
        ),
        ('{"id": "u1", "t": [" "]}\n{"id": "u2", "t": []}\n', "a term without a word"),
    ],
)
def test_lists_of_other_items_are_refused(tmp_path: Path, rows: str, message: str) -> None:
    ref = written(tmp_path / "ref.trn", "a b (u1)\nc d (u2)\n")
    records, table = tmp_path / "r.jsonl", written(tmp_path / "t.jsonl", rows)
    assert fstmetrics("score", ref, ref, "--output", records, "--alignment").status == 0
    outcome = fstmetrics("errors", records, "--terms", f"t={table}")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_terms_are_normalised_as_the_words_of_both_files_are(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.trn", "Data Sheet. (u1)\nno (u2)\n")
    rows = '{"id": "u1", "required": ["Data Sheet"]}\n{"id": "u2", "required": []}\n'
    listed, plain = (
        written(tmp_path / "t.jsonl", rows),
        written(tmp_path / "t.txt", "Data Sheet\ndata sheet!\n"),
    )
    options = ("--lowercase", "--remove-punctuation")
    found = json.loads(
        fstmetrics("errors", ref, ref, *options, "--terms", f"required={listed}", "--json").out
    )
    assert found["terms"] == [{"term": "data sheet", "items": 1, "found": 1, "share": 1.0}]
    found = json.loads(fstmetrics("errors", ref, ref, *options, "--terms", plain, "--json").out)
    assert [(row["term"], row["reference"], row["correct"]) for row in found["terms"]] == [
        ("data sheet", 1, 1)
    ]
    # Of records, what was done to words is not known.
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, ref, *options, "--output", records, "--alignment").status == 0
    shown = fstmetrics("errors", records, "--terms", f"required={listed}").out
    assert "1 of 1 term on neither side: write terms as the records have words" in shown


def test_a_term_of_which_normalisation_leaves_nothing_is_refused(tmp_path: Path) -> None:
    ref, terms = written(tmp_path / "ref.trn", "a (u1)\n"), written(tmp_path / "t.txt", "a\n...\n")
    outcome = fstmetrics("errors", ref, ref, "--remove-punctuation", "--terms", terms)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "no word is left of the term '...' after normalisation" in outcome.err


def test_a_column_that_is_not_there_is_said_to_be_of_terms(tmp_path: Path) -> None:
    ref, table = (
        written(tmp_path / "ref.trn", "a (u1)\n"),
        written(tmp_path / "t.jsonl", '{"id": "u1", "t": []}\n'),
    )
    assert (
        "no column 'nope', which --terms names"
        in fstmetrics("errors", ref, ref, "--terms", f"nope={table}").err
    )


# Texts that have a term with marks, or in another case, and what is said of it.
MARKED = {
    "punctuation": ("We love New York.", '"New York", twice.', "punctuation", "--remove-punctuation"),
    "case": ("we love new york", "in NEW YORK", "case", "--lowercase"),
    "both": ("we love new york.", "in New York,", "case and punctuation", "--lowercase --remove-punctuation"),
}


@pytest.mark.parametrize("name", MARKED)
def test_terms_that_differ_in_marks_alone_are_said_to_be_so_with_what_counts_them(
    name: str, tmp_path: Path
) -> None:
    *texts, what, options = MARKED[name]
    lines = [*texts, "New York is big", "New , York"]
    ref = written(tmp_path / "ref.trn", "".join(f"{text} (u{n})\n" for n, text in enumerate(lines)))
    rows = [{"id": f"u{n}", "t": ["New York"] * (n != 1)} for n in range(len(lines))]
    listed = written(tmp_path / "t.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    plain, records = written(tmp_path / "t.txt", "New York\n"), tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, ref, "--alignment", "--output", records).status == 0
    for terms, where in ((f"t={listed}", "1 in hypotheses"), (plain, "2 in references and 2 in hypotheses")):
        remark = fstmetrics("errors", ref, ref, "--terms", terms, "--json").summary["remarks"][-1]
        assert remark.startswith(f"terms that differ in {what} alone, as '")
        assert remark.endswith(f", are not counted: {where}; {options} counts them")
        assert remark in fstmetrics("errors", ref, ref, "--terms", terms).out
        told = fstmetrics("errors", records, "--terms", terms, "--json").summary["remarks"]
        assert told[-1].endswith(f"{where}; score with {options} and --alignment counts them")
        # The advice counts them, and nothing is left to say.
        found = fstmetrics("errors", ref, ref, "--terms", terms, *options.split(), "--json").summary
        assert not [remark for remark in found["remarks"] if "are not counted" in remark]
        assert found["all"].get("found", found["all"].get("hypothesis")) in (2, 3, 4)


def test_terms_that_stand_as_they_are_written_have_no_remark(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "u.s. , the Apple\nnew yorkers , New\n")
    terms = written(tmp_path / "t.txt", "u.s.\nApple\nnew york\n,\nThe cat\n")
    found = fstmetrics("errors", ref, ref, "--terms", terms, "--json").summary
    assert not [remark for remark in found["remarks"] if "are not counted" in remark]
