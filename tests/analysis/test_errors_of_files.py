"""`errors` and `show` of references and hypotheses: what they print of the records that `score` writes of the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, called, fstmetrics, written

import fstmetrics as fm

SPEECH = [EXAMPLES / "speech" / name for name in ("ref.trn", "old.trn", "new.trn")]
SEGMENT = [EXAMPLES / "segment" / name for name in ("ref.txt", "hyp.txt")]
RUNS: dict[str, tuple[str, list[Path], list[str]]] = {
    "wer": ("score", SPEECH[:2], []),
    "sclite": ("score", SPEECH[:2], ["--metric", "sclite", "--lowercase"]),
    "cer": ("score", SPEECH[:2], ["--metric", "cer"]),
    "bleu": ("score", SPEECH[:2], ["--metric", "BLEU"]),
    "segments": ("score", SEGMENT, ["--resegment", "--lowercase", "--remove-punctuation"]),
    "networks": ("hyter", [Path(path) for path in HYTER], ["--metric", "hyter", "--window", "3"]),
}


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    "asked", [["errors"], ["errors", "--op", "S"], ["show", "--style", "jsonl", "--limit", "0"]]
)
def test_files_are_as_their_records(run: str, asked: list[str], tmp_path: Path) -> None:
    command, paths, options = RUNS[run]
    records = tmp_path / "records.jsonl"
    written_by = fstmetrics(command, *paths, "--alignment", "--output", records, *options)
    assert written_by.status == 0
    if asked[0] == "show":
        shown, of_records = fstmetrics(*asked, *paths, *options), fstmetrics(*asked, records)
        assert (shown.out, of_records.err) == (of_records.out, "")
        assert shown.err.splitlines() == fstmetrics("errors", *paths, "--json", *options).summary["remarks"]
        return
    found = fstmetrics(*asked, *paths, "--json", *options).summary
    remarks = found.pop("remarks")
    assert found == fstmetrics(*asked, records, "--json").summary
    assert all(remark in written_by.out for remark in remarks)
    text = fstmetrics(*asked, *paths, *options).out
    assert text == fstmetrics(*asked, records).out + "".join(f"{remark}\n" for remark in remarks)


@pytest.mark.parametrize("more", [(), ("--style", "csv"), ("--prefer-similar",), ("--output", "shown")])
def test_show_says_why_words_that_look_alike_differ(
    more: tuple[str, ...], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    hyp = written(tmp_path / "hyp", "le caf\xe9 est bon\n" + "So, it is.\n" * 9)
    ref = written(tmp_path / "ref", "le cafe\u0301 est bon\n" + "so it is\n" * 9)
    remarks = fstmetrics("show", ref, hyp, *more).err.splitlines()
    assert any("accents apart from their letters (NFD)" in each for each in remarks)
    assert any("most errors are of case and punctuation" in each for each in remarks)
    assert remarks == fstmetrics("errors", ref, hyp, "--json").summary["remarks"]
    options = ("--lowercase", "--remove-punctuation", "--normalise-unicode", "nfc")
    assert fstmetrics("show", ref, hyp, *more, *options).err == "paired by order: no ids in hyp, ref\n"


def test_two_systems_against_one_reference(tmp_path: Path) -> None:
    records = [tmp_path / f"{path.stem}.jsonl" for path in SPEECH[1:]]
    for path, output in zip(SPEECH[1:], records, strict=True):
        fstmetrics("score", SPEECH[0], path, "--alignment", "--output", output)
    found = fstmetrics("errors", *SPEECH[:2], "--against", SPEECH[2])
    expected = fstmetrics("errors", records[0], "--against", records[1])
    assert found.out.startswith(expected.out)
    named = fstmetrics("errors", SPEECH[0], f"one={SPEECH[1]}", "--against", f"two={SPEECH[2]}")
    assert named.out.startswith("one better in ")


def test_calls_of_python(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    called(fm.score_files, *SPEECH[:2], alignment=True, output=records, lowercase=True)
    found = fm.errors_files(references=SPEECH[0], hypotheses=SPEECH[1], lowercase=True, min_count=2)
    ours = found.summary()
    assert ours.pop("remarks") == ["paired by id"]
    assert json.loads(json.dumps(ours)) == json.loads(
        json.dumps(fm.errors_files(records, min_count=2).summary())
    )
    shown = fm.show_files(references=SPEECH[0], hypotheses=SPEECH[1], lowercase=True, limit=3)
    assert [each.fields for each in shown] == [each.fields for each in fm.show_files(records, limit=3)]


@pytest.mark.parametrize("command", ["errors", "show"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["records", "--lowercase"], "--lowercase is for REF and HYP, and records are scored already"),
        (["records", "--metric", "wer"], "--metric is for REF and HYP"),
        (["ref", "hyp", "--metric", "wer,cer"], "expected one metric, not several: 'wer,cer'"),
        (["ref", "nowhere"], "nowhere"),
        (["ref"], "no record"),
        (["ref", "hyp", "hyp"], "unexpected argument"),
    ],
)
def test_what_is_refused(
    command: str, options: list[str], message: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "a b\nc d\n")
    written(tmp_path / "hyp", "a b\nc\n")
    fstmetrics("score", "ref", "hyp", "--alignment", "--output", "records.jsonl")
    (tmp_path / "records.jsonl").rename(tmp_path / "records")
    outcome = fstmetrics(command, *options)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp", "records", "ref"]


@pytest.mark.parametrize("command", ["errors", "show"])
def test_records_are_no_references(command: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        fstmetrics("score", *SPEECH[:2], "--alignment", "--output", tmp_path / f"{name}.jsonl")
    outcome = fstmetrics(command, tmp_path / "one.jsonl", tmp_path / "two.jsonl")
    assert (outcome.status, outcome.out) == (2, "")
    assert "of two runs: fstmetrics errors RECORDS --against RECORDS" in outcome.err


TABLES = {
    "t.csv": ("id,said,heard\nu1,a b c,a c\nu2,d e,d x\n", {"ref": "said", "hyp": "heard"}),
    "t.jsonl": (
        '{"id": "u1", "text": "a b c", "pred_text": "a c"}\n{"id": "u2", "text": "d e", "pred_text": "d x"}\n',
        {"hyp": "pred_text"},
    ),
}
TABLES |= {f"t.{form}": TABLES["t.jsonl"] for form in ("json", "parquet")}


def table_at(path: Path, text: str) -> Path:
    """The rows of a text: in a list if it is called JSON, or as Parquet."""
    rows = [json.loads(line) for line in text.splitlines()] if text.startswith("{") else []
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)
        return path
    return written(path, json.dumps(rows, indent=1) if path.suffix == ".json" else text)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_with_both_sides_is_read_as_score_reads_it(name: str, tmp_path: Path) -> None:
    text, fields = TABLES[name]
    table, records = table_at(tmp_path / name, text), tmp_path / "records.jsonl"
    named = ("--fields", ",".join(f"{key}={column}" for key, column in fields.items()))
    assert fstmetrics("score", table, *named, "--alignment", "--output", records).status == 0
    for command, more in (
        ("errors", ()),
        ("show", ()),
        ("show", ("--prefer-similar",)),
        ("errors", ("--loops",)),
    ):
        found, expected = (fstmetrics(command, *given, *more).out for given in ((table, *named), (records,)))
        assert expected.splitlines() == [line for line in found.splitlines() if line in expected.splitlines()]
    ours = fm.errors_files(table, fields=fields).summary()
    assert ours.pop("remarks")[0] == "paired by id"
    assert ours == fm.errors_files(records).summary()
    other = table_at(tmp_path / f"other.{name}", text)
    for first, second, title in (
        (table, table, "first"),
        (table, other, table.stem),
        (f"old={table}", f"new={other}", "old"),
    ):
        for more in ((), ("--prefer-similar",)):
            found = fstmetrics("errors", first, *named, "--against", second, *more)
            assert found.out.startswith(f"{title} better in 0 items, ")
    for command in ("errors", "show"):
        refused = fstmetrics(command, table)
        assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
        assert "--alignment --output FILE, score of a table with both sides, too" in refused.err
        assert "HYP is missing" in fstmetrics(command, records, *named).err


@pytest.mark.parametrize(
    ("options", "word", "shown"),
    [
        (["--lowercase"], "York,", "york,"),
        (["--remove-punctuation"], "York,", "York"),
        ([], "York,", "York,"),
    ],
)
def test_a_word_is_normalised_as_the_texts(options: list[str], word: str, shown: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "in New York, today\nand so on\n")
    hyp = written(tmp_path / "hyp", "in New work, today\nand so\n")
    found = fstmetrics("errors", ref, hyp, *options, "--word", word, "--json").summary
    assert [(row["op"], row["reference"]) for row in found["errors"]] == [("S", shown)]
    (record,) = fstmetrics("show", ref, hyp, *options, "--word", word, "--style", "jsonl").records
    assert any(shown in step for step in record["alignment"])


@pytest.mark.parametrize("command", ["errors", "show"])
@pytest.mark.parametrize(
    ("options", "word", "message"),
    [
        (["--remove-punctuation"], "--", "--word: '--' is no word after normalisation; give one word"),
        (["--unit", "char"], "no", "--word: 'no' becomes 'n' and 'o' after normalisation; give one word"),
    ],
)
def test_what_is_not_one_word_is_refused(
    command: str, options: list[str], word: str, message: str, tmp_path: Path
) -> None:
    text = written(tmp_path / "text", "so on\n")
    outcome = fstmetrics(command, text, text, *options, "--word", word)
    assert (outcome.status, outcome.err) == (2, f"fstmetrics: {message}\n")


def test_an_item_that_is_not_there_is_said_of_the_file_that_was_given(tmp_path: Path) -> None:
    text = written(tmp_path / "text.trn", "so on (u1)\n")
    for options in ([], ["--prefer-similar"]):
        outcome = fstmetrics("show", text, text, "--id", "u9", *options)
        assert (outcome.status, outcome.err) == (2, f"fstmetrics: {text} has no item 'u9'; it has u1\n")
