"""Rows of tables: known layouts, columns that `--fields` names, one file with both sides, and what is refused."""

from __future__ import annotations

import csv
import decimal
import gc
import gzip
import json
import re
import sys
import weakref
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, fstmetrics, written
from error_cases import content, error_cases, label, says

from fstmetrics.io import FORMATS, Items, ReadOptions, Source, read_items
from fstmetrics.io.column_roles import SideName, TableOptions, given_fields
from fstmetrics.support.errors import InputError

NEMO = [
    {"audio_filepath": "a.wav", "duration": 1.5, "text": "the cat sat", "pred_text": "the cat", "speaker": "ann"},
    {"audio_filepath": "b.wav", "duration": 0.5, "text": "a dog", "pred_text": "a dog", "speaker": "bob"},
]  # fmt: skip
CUTS = [
    {
        "id": f"cut-{i}", "start": i, "duration": 2.0, "channel": 0, "type": "MonoCut",
        "supervisions": [
            {"id": f"s-{i}", "recording_id": "r", "start": 0.0, "duration": 2.0, "channel": 0, "text": row["text"],
             "language": "English", "speaker": row["speaker"], "gender": "f", "custom": {"pred_text": row["pred_text"]}}
        ],
        "recording": {"id": "r", "sources": [{"type": "file", "source": "r.wav"}], "sampling_rate": 16000},
        "custom": {"domain": "news"},
    }
    for i, row in enumerate(NEMO)
]  # fmt: skip
SUPERVISIONS: list[dict[str, Any]] = [cut["supervisions"][0] for cut in CUTS]  # type: ignore[index]


def lines(rows: Sequence[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def read(path: object, side: SideName | None = None, fields: str = "", both: bool = False) -> Items:
    given = given_fields([fields] if fields else [])
    return read_items(str(path), table=TableOptions(side, both, given))


def texts(items: Items) -> list[tuple[str | None, str | None]]:
    return [(item.id, item.text) for item in items]


def test_a_nemo_manifest_has_both_sides_and_its_other_columns_are_fields(tmp_path: Path) -> None:
    path = written(tmp_path / "m.json", lines(NEMO))
    references = read(path, "reference")
    assert texts(references) == [("a.wav", "the cat sat"), ("b.wav", "a dog")]
    assert references.formats == ("jsonl",)
    assert dict(references.items[0].fields) == {"audio_filepath": "a.wav", "duration": 1.5, "speaker": "ann"}
    assert references.remarks == (f"{path} read as a NeMo manifest: id audio_filepath, reference text",)
    assert texts(read(path, "hypothesis")) == [("a.wav", "the cat"), ("b.wav", "a dog")]


@pytest.mark.parametrize("blank", ["", "\n", "\n\n \n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_json_lines_may_have_blank_lines_and_a_mark(blank: str, mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_bytes(mark + (blank + lines(NEMO) + blank).encode())
    assert texts(read(path, "hypothesis")) == [("a.wav", "the cat"), ("b.wav", "a dog")]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("packed", [False, True])
def test_a_json_list_is_read_as_lines_are(indent: int | None, packed: bool, tmp_path: Path) -> None:
    data = json.dumps(NEMO, indent=indent).encode()
    path = tmp_path / "m.json"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert texts(read(path, "hypothesis")) == [("a.wav", "the cat"), ("b.wav", "a dog")]


COLUMNS = {name: [row[name] for row in NEMO] for name in NEMO[0]}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("times", [1, 9000])
def test_an_object_of_columns_is_a_table(indent: int | None, times: int, tmp_path: Path) -> None:
    """As `Dataset.to_dict()` and pandas' `to_json()` make them; more than is looked at, too."""
    columns = {name: [f"{v}-{i}" if name == "audio_filepath" else v for i in range(times) for v in values]
               for name, values in COLUMNS.items()}  # fmt: skip
    by_label = {name: dict(enumerate(values)) for name, values in columns.items()}
    for table in (columns, by_label):
        items = read(written(tmp_path / "m.json", json.dumps(table, indent=indent)), "hypothesis")
        assert texts(items) == list(zip(columns["audio_filepath"], columns["pred_text"], strict=True))


def test_segments_of_one_recording_have_their_offset_in_the_id(tmp_path: Path) -> None:
    rows = [dict(row, audio_filepath="a.wav", offset=i * 2.5) for i, row in enumerate(NEMO)]
    items = read(written(tmp_path / "m", lines(rows)), "reference")
    assert [item.id for item in items] == ["a.wav_0", "a.wav_2.5"]
    assert "id audio_filepath+offset" in items.remarks[0]


def test_lhotse_s_supervisions_and_cuts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "cuts.jsonl.gz"
    path.write_bytes(gzip.compress(lines(CUTS).encode()))
    cuts = read(path, "reference")
    assert texts(cuts) == [("cut-0", "the cat sat"), ("cut-1", "a dog")]
    assert "read as Lhotse cuts: id id, reference text" in cuts.remarks[0]
    assert dict(cuts.items[1].fields) == {
        "recording_id": "r", "start": 1, "duration": 2.0, "channel": 0, "language": "English", "speaker": "bob",
        "gender": "f", "domain": "news", "type": "MonoCut",
    }  # fmt: skip
    assert texts(read(path, "hypothesis")) == [("cut-0", "the cat"), ("cut-1", "a dog")]
    supervisions = read(written(tmp_path / "s.jsonl", lines(SUPERVISIONS)), "reference")
    assert texts(supervisions) == [("s-0", "the cat sat"), ("s-1", "a dog")]
    assert "read as Lhotse supervisions" in supervisions.remarks[0]


@pytest.mark.parametrize(
    ("cut", "one", "expected"),
    [
        ({"start": 10.0, "duration": 60.0}, {"start": 0.1, "duration": 2.5}, (10.1, 2.5)),
        ({"start": 0.7, "duration": 3}, {"start": 0.1, "duration": 3}, (0.8, 3)),
        ({"start": 5, "duration": 3}, {"start": -0.5, "duration": 4.0}, (4.5, 4.0)),
        ({"start": 5, "duration": 3}, {"start": 0.0, "duration": 2.0}, (5, 2.0)),
        ({"start": 5, "duration": 3}, {"start": 0, "duration": 3}, (5, 3)),
        ({"start": 5, "duration": 3}, {}, (5, 3)),
    ],
)
def test_the_times_of_a_cut_are_those_of_its_supervision(
    cut: dict[str, float], one: dict[str, float], expected: tuple[float, float], tmp_path: Path
) -> None:
    """Which are counted from the begin of the cut."""
    row = {
        **CUTS[0],
        **cut,
        "supervisions": [{"id": "s", "recording_id": "r", "text": "a b", "speaker": "x", **one}],
    }
    path = written(tmp_path / "c.jsonl", lines([row]))
    (item,) = read(path, "reference")
    assert (item.fields["start"], item.fields["duration"]) == expected
    begin, duration = expected
    stm = written(tmp_path / "h.stm", f"r 1 y {begin} {begin + duration} a b\n")
    for side in ((path, stm), (stm, path)):
        options = ("--metric", "tcpwer", "--collar", "0", "--json")
        assert fstmetrics("speakers", *side, *options).summary["edits"] == 0
    written_stm = fstmetrics("convert", path, "-", "--to", "stm", "--lossy").out
    assert [float(time) for time in written_stm.split()[3:5]] == [begin, begin + duration]
    text = written(tmp_path / "h.txt", "cut-0 a b\n")
    assert fstmetrics("score", path, text, "--json").summary["edits"] == 0


# Columns as exports have them, and what is read as id, reference and hypothesis.
TABLES = [
    ({"id": 7, "text": "r", "prediction": "h"}, ("7", "r", "h")),
    ({"file": "f", "reference": "r", "hypothesis": "h", "text": "other"}, ("f", "r", "h")),
    ({"audio": {"path": "p", "sampling_rate": 1}, "transcription": "r", "pred": "h"}, ("p", "r", "h")),
    ({"path": "p", "sentence": "r", "predictions": "h", "up_votes": 2}, ("p", "r", "h")),
    ({"references": "r", "predictions": "h"}, (None, "r", "h")),
]


@pytest.mark.parametrize(("row", "expected"), TABLES)
def test_usual_names_of_columns_are_known(
    row: dict[str, Any], expected: tuple[str | None, str, str], tmp_path: Path
) -> None:
    path = written(tmp_path / "t.jsonl", lines([row]))
    id, reference, hypothesis = expected
    for both in (False, True):
        assert texts(read(path, "reference", both=both)) == [(id, reference)]
        assert texts(read(path, "hypothesis", both=both)) == [(id, hypothesis)]


def test_fields_name_columns_whatever_they_are_called(tmp_path: Path) -> None:
    rows = [{"k": 1, "part": "x", "spk": "ann", "gold one": "r", "sys a": "h", "noise": None, "list": [1]}]
    path = written(tmp_path / "t.jsonl", lines(rows))
    (item,) = read(path, "reference", "id=k+part, ref=gold one,speaker=spk,hyp=sys a")
    assert (item.id, item.text, dict(item.fields)) == ("1_x", "r", {"speaker": "ann", "noise": None})
    (item,) = read(path, "hypothesis", "id=,hyp=sys a,ref=gold one")
    assert (item.id, item.text) == (None, "h")


def test_no_text_is_the_hypothesis_beside_another_of_an_unknown_name(tmp_path: Path) -> None:
    """Of references with a column `whisper` beside them, the rate of errors would be 0."""
    rows = [
        {"audio_filepath": r["audio_filepath"], "text": r["text"], "whisper": r["pred_text"]} for r in NEMO
    ]
    path = written(tmp_path / "m.jsonl", lines(rows))
    refused = fstmetrics("score", path, path)
    assert (refused.status, refused.out) == (2, "")
    assert (
        "say which column it is, --fields hyp=COLUMN, or call one column hyp; the columns are audio_filepath, "
        "text, whisper" in refused.err
    )
    assert fstmetrics("score", path, path, "--fields", "hyp=whisper", "--json").summary["edits"] == 1
    for row in rows:
        row["whisper"] = "call center"  # no text, but a domain
    path = written(tmp_path / "n.jsonl", lines(rows))
    assert texts(read(path, "hypothesis", "hyp=text")) == [("a.wav", "the cat sat"), ("b.wav", "a dog")]


def test_each_of_two_files_may_have_its_own_column_of_ids(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.jsonl", lines([{"utt": "x", "t": "a b"}]))
    hyp = written(tmp_path / "h.jsonl", lines([{"key": "x", "t": "a"}]))
    outcome = fstmetrics("score", ref, hyp, "--fields", "id=utt,id=key,ref=t,hyp=t", "--json")
    assert (outcome.summary["edits"], outcome.summary["settings"]["pairing"]["by"]) == (1, "id")


def test_one_file_with_both_sides_is_scored_as_two_texts_are(tmp_path: Path) -> None:
    manifest = written(tmp_path / "m.jsonl", lines(NEMO))
    ref = written(tmp_path / "ref", "".join(f"{row['audio_filepath']} {row['text']}\n" for row in NEMO))
    hyp = written(tmp_path / "hyp", "".join(f"{row['audio_filepath']} {row['pred_text']}\n" for row in NEMO))
    expected = fstmetrics(
        "score", ref, hyp, "--format", "kaldi-text", "--ref-format", "kaldi-text", "--json"
    ).summary
    fields = ("--fields", "id=audio_filepath,ref=text,hyp=pred_text")
    for command in (("score", manifest), ("score", manifest, *fields), ("score", manifest, manifest)):
        found = fstmetrics(*command, "--json").summary
        assert found["settings"]["pairing"]["by"] == "id"
        for name in ("items", "score", "edits", "deletions", "path_length", "signature"):
            assert found[name] == expected[name]
    assert fstmetrics("score", "-", "--json", stdin=lines(NEMO).encode()).summary["edits"] == 1
    said = fstmetrics("score", manifest).out
    assert (
        "m.jsonl read as a NeMo manifest: id audio_filepath, reference text, hypothesis pred_text\n" in said
    )


def test_rows_without_ids_pair_by_row(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", lines([{"ref": "a b", "hyp": "a"}, {"ref": "c", "hyp": "c"}]))
    assert "\npaired by row: no ids\n" in fstmetrics("score", path).out


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_a_list_of_references_is_as_several_files_of_them(metric: str, tmp_path: Path) -> None:
    rows = [
        {"id": "a", "references": ["the cat sat on it", "a cat sat"], "prediction": "a cat sat on the mat"},
        {"id": "b", "references": ["a dog ran", "the dogs"], "prediction": "one dog ran"},
    ]
    table = written(tmp_path / "t.jsonl", lines(rows))
    columns = [dict(row, ref=row["references"][0], other=row["references"][1]) for row in rows]
    apart = written(tmp_path / "c.jsonl", lines(columns))
    files = [
        written(tmp_path / f"r{i}", "".join(f"{row['references'][i]}\n" for row in rows)) for i in (0, 1)
    ]
    hyp = written(tmp_path / "h", "".join(f"{row['prediction']}\n" for row in rows))
    expected = fstmetrics("score", files[0], hyp, "--ref", files[1], "--metric", metric, "--json").summary
    for command in ([table], [apart, "--fields", "ref=ref,ref=other"]):
        found = fstmetrics("score", *command, "--metric", metric, "--json").summary
        assert found["score"] == expected["score"]
        assert "|refs:2|" in found["signature"]


def test_networks_are_built_of_all_references_of_a_row(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", lines([{"id": "u", "references": ["the cat", "a cat"]}]))
    out = tmp_path / "out.json"
    assert fstmetrics("network", "build", path, "-o", out).status == 0
    hyp = written(tmp_path / "h", "a cat\n")
    assert fstmetrics("hyter", out, hyp, "--json").summary["edits"] == 0


EMPTY = [
    ("h.jsonl", ""),
    ("h.jsonl", "\n"),
    ("h.txt", ""),
    ("h.json", ""),
    ("h.json", "\n"),
    ("h.json", "[]\n"),
    ("h.csv", ""),
]


@pytest.mark.parametrize(("name", "empty"), EMPTY)
def test_no_hypotheses_at_all_are_scored_as_deleted(name: str, empty: str, tmp_path: Path) -> None:
    manifest = written(tmp_path / "m.jsonl", lines(NEMO))
    outcome = fstmetrics("score", manifest, written(tmp_path / name, empty))
    assert "%WER 100.00 [ 5 / 5, 0 ins, 5 del, 0 sub ]" in outcome.out
    assert "are scored against an empty sentence" in outcome.out


def test_records_do_not_depend_on_how_many_files_there_are(tmp_path: Path) -> None:
    manifest = written(tmp_path / "m.jsonl", lines(NEMO))
    one, two = (fstmetrics("score", *files, "--output", "-") for files in ([manifest], [manifest, manifest]))
    assert one.records == two.records


CASES = error_cases("tables")["case"]


@pytest.mark.parametrize("case", CASES, ids=label)
def test_bad_rows_are_refused_in_one_line(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "a a b\nb c\n")
    written(tmp_path / case["file"], content(case))
    outcome = fstmetrics(*case["command"].split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1), outcome
    assert says(outcome.err, case["message"]), outcome.err


DELIMITED = {
    "csv": 'id,text,pred,n\nu1,"the cat, it sat",the cat,1\r\n\r\nu2,"a ""dog""\nran",,2\n',
    "semicolons": 'id;text;pred;n\nu1;the cat, it sat;the cat;1\nu2;"a ""dog""\nran";;2\n',
    "bars": 'id|text|pred|n\nu1|the cat, it sat|the cat|1\nu2|"a ""dog"" ran"||2\n',
    "tabs": 'id\ttext\tpred\tn\nu1\tthe cat, it sat\tthe cat\t1\nu2\ta "dog" ran\t\t2\n',
    "pandas' index": ',id,text,pred,n\n0,u1,"the cat, it sat",the cat,1\n1,u2,"a ""dog"" ran",,2\n',
    "quoted tabs": '"id"\t"text"\t"pred"\t"n"\nu1\t"the cat, it sat"\tthe cat\t1\nu2\t"a ""dog""\tran"\t\t2\n',
    "tabs of pandas": 'id\ttext\tpred\tn\nu1\tthe cat, it sat\tthe cat\t1\nu2\t"a ""dog"" ran"\t\t2\n',
}


@pytest.mark.parametrize("content", DELIMITED.values(), ids=list(DELIMITED))
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_tables_with_a_head_are_read_whatever_parts_their_columns(
    content: str, mark: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "t.txt", mark + content)
    references, hypotheses = read(path, "reference", both=True), read(path, "hypothesis", both=True)
    assert [(item.id, item.value) for item in references] == [
        ("u1", ("the", "cat,", "it", "sat")),
        ("u2", ("a", '"dog"', "ran")),
    ]
    assert texts(hypotheses) == [("u1", "the cat"), ("u2", "")]
    assert [dict(item.fields) for item in references] == [{"n": "1"}, {"n": "2"}]


ODD_NAMES = (
    "Unnamed: 0", "WER%", "duration?", "#", "%", "-", "(x)", "SNR[dB]", "Q1: what?", "age,years", "start;end", '5"',
    '"z"', "speaker's age", "$cost", "a+b", "n" * 70,
)  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES)
def test_one_known_name_makes_a_head_whatever_the_others_are(name: str, tmp_path: Path) -> None:
    for parted, quoting in [*((mark, csv.QUOTE_MINIMAL) for mark in ",;|\t"), (",", csv.QUOTE_ALL)]:
        for file, column, word in (("r", "text", "y"), ("h", "pred_text", "z")):
            with (tmp_path / file).open("w", newline="") as out:
                rows = [["id", column, name], ["u1", f"x {word}", "0"], ["u2", "q", "0"]]
                csv.writer(out, delimiter=parted, quoting=quoting).writerows(rows)
        for side, given in (("reference", "r"), ("hypothesis", "h")):
            items = read(tmp_path / given, side)  # type: ignore[arg-type]
            assert texts(items) == [("u1", "x y" if given == "r" else "x z"), ("u2", "q")]
            assert dict(items.items[0].fields) == {name: "0"}


@pytest.mark.parametrize("rows", ['a, x y\nb, "well, yes"\n', 'a,x y\nb,"well, yes"\n'])
def test_commas_may_have_a_space_behind_them(rows: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "r", f"id, text\n{rows}")
    hyp = written(tmp_path / "h", 'id, text\na, x z\nb, "well, yes"\n')
    summary = fstmetrics("score", ref, hyp, "--json").summary
    assert (summary["edits"], summary["items"], summary["score"]) == (1, 2, 0.25)


def test_a_named_column_may_be_the_only_one(tmp_path: Path) -> None:
    ref = written(tmp_path / "r", 'text\nhello\n""\n"a, b"\n')
    hyp = written(tmp_path / "h", '"pred_text"\nhello\n""\n\n"a, c"\n')
    summary = fstmetrics("score", ref, hyp, "--fields", "ref=text,hyp=pred_text", "--json").summary
    assert (summary["edits"], summary["items"]) == (1, 3)


def test_a_folder_has_ids_in_all_files_or_in_none(tmp_path: Path) -> None:
    folder = tmp_path / "refs"
    folder.mkdir()
    written(folder / "a.jsonl", '{"id": "u1", "text": "a b"}\n{"id": "u2", "text": "c"}\n')
    written(folder / "b.csv", "id,text\nu3,d e\n")
    hyp = written(tmp_path / "h.csv", "id,text\nu1,a b\nu2,c\nu3,d e\nu4,f g\n")
    assert texts(read(folder, "reference")) == [("u1", "a b"), ("u2", "c"), ("u3", "d e")]
    written(folder / "c.jsonl", '{"text": "f g"}\n{"text": "h"}\n')
    for command in ((str(folder), hyp), (hyp, str(folder))):
        outcome = fstmetrics("score", *command)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert f"{folder}: holds several files whose items have no ids" in outcome.err
    # What is alone in its file has the file's name.
    written(folder / "c.jsonl", '{"text": "f g"}\n')
    assert "no hypothesis for c in" in fstmetrics("score", str(folder), hyp).err
    (folder / "c.jsonl").rename(folder / "u4.jsonl")
    assert fstmetrics("score", str(folder), hyp, "--json").summary["edits"] == 0
    both = fstmetrics("score", str(folder), hyp, "--fields", "id=", "--json").summary
    assert (both["edits"], both["items"]) == (0, 4)


def test_of_all_that_whisper_writes_the_json_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "whisper"
    folder.mkdir()
    for name, text in (("u1", "the cat"), ("u2", "a dog")):
        part = {"id": 0, "start": 0.0, "end": 1.0, "text": f" {text}"}
        written(
            folder / f"{name}.json", json.dumps({"text": f" {text}", "segments": [part], "language": "en"})
        )
        written(folder / f"{name}.txt", f"{text}\n")
        written(folder / f"{name}.vtt", f"WEBVTT\n\n00:00.000 --> 00:01.000\n{text}\n")
        written(folder / f"{name}.srt", f"1\n00:00:00,000 --> 00:00:01,000\n{text}\n")
        written(folder / f"{name}.tsv", f"start\tend\ttext\n0\t1000\t{text}\n")
    items = read(folder, "hypothesis")
    assert texts(items) == [("u1", "the cat"), ("u2", "a dog")]
    assert items.remarks == (
        f"{folder}: the JSON files of Whisper are read, and 8 of the same names are not",
    )
    ref = written(tmp_path / "r", "u1 the cat\nu2 a cat\n")
    outcome = fstmetrics("score", ref, str(folder))
    assert "1 / 4" in outcome.out
    assert "the JSON files of Whisper are read" in outcome.out
    written(folder / "u3.srt", "1\n00:00:00,000 --> 00:00:01,000\nhm\n")
    with pytest.raises(InputError, match="already in"):
        read(folder, "hypothesis")


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("t.csv", "id,text,pred\nu1,a b,a\nu2,c d,nan\n", "line 3"),
        (
            "t.jsonl",
            '{"id": "u1", "text": "a b", "pred": "nan"}\n{"id": "u2", "text": "c d", "pred": "x"}\n',
            "line 1",
        ),
    ],
)
@pytest.mark.parametrize("word", ["nan", "None", "null", "NULL", "NA", "<NA>"])
def test_what_is_written_for_nothing_is_a_word_and_is_told(
    tmp_path: Path, name: str, text: str, place: str, word: str
) -> None:
    text = text.replace("nan", word)
    fields = ("--fields", "ref=text,hyp=pred")
    done = fstmetrics("score", written(tmp_path / name, text), *fields, "--json").summary
    (remark,) = [remark for remark in done["remarks"] if f"the pred {word!r}" in remark]
    assert remark.startswith(f"1 row has the pred {word!r} in ")
    assert remark.endswith(f"scored as a word; leave the text empty where it is missing ({place})")
    assert done["substitutions"] + done["insertions"] >= 1


@pytest.mark.parametrize(("name", "parted"), [("t.csv", ","), ("t.tsv", "\t")])
def test_empty_cells_are_told_where_a_text_is_expected_and_are_no_value_of_a_field(
    name: str, parted: str, tmp_path: Path
) -> None:
    """CSV does not tell an empty text from one that nobody knows."""
    rows = [["id", "text", "pred", "n"], ["a", "x", "", ""], ["b", "", "y", "0"], ["c", "z", " ", "1"]]
    path = written(tmp_path / name, "".join(parted.join(row) + "\n" for row in rows))
    said = fstmetrics("score", path).out
    assert f"1 row has an empty text in {path}: nothing said (line 3)\n" in said
    assert f"2 rows have an empty pred in {path}: nothing said (lines 2, 4)\n" in said
    assert [item.fields["n"] for item in read(path, "reference")] == [None, "0", "1"]
    assert " row" not in fstmetrics("score", path, "--fields", "ref=id,hyp=id").out


def with_nulls(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".jsonl":
        return written(path, "".join(json.dumps(row) + "\n" for row in rows))
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
@pytest.mark.parametrize("is_own", [True, False])  # whether the table has the references, too
def test_a_hypothesis_that_is_null_is_what_missing_says(name: str, is_own: bool, tmp_path: Path) -> None:
    rows = [{"id": f"u{n}", "text": f"a cat {n}", "pred": None if n % 2 else "a cat"} for n in range(4)]
    path = with_nulls(tmp_path / name, rows)
    ref = written(tmp_path / "ref", "".join(f"u{n} a cat {n}\n" for n in range(4)))
    call = ("score", *(() if is_own else (ref,)), path, "--fields", "ref=text,hyp=pred")
    refused = fstmetrics(*call)
    assert (refused.status, "score --missing empty takes such rows" in refused.err) == (2, True), refused
    silent = fstmetrics(*call, "--missing", "empty", "--json").summary
    assert (silent["items"], silent["edits"]) == (4, 8)
    places = "lines 2, 4" if name == "t.jsonl" else "rows 2, 4"
    assert f"2 rows have a null pred in {path}: nothing said ({places})" in silent["remarks"]
    skipped = fstmetrics(*call, "--missing", "skip", "--json").summary
    assert (skipped["items"], skipped["skipped"], skipped["edits"]) == (2, 2, 2)


def test_a_null_without_an_id_cannot_be_left_out(tmp_path: Path) -> None:
    rows = [{"text": "a cat", "pred": None}, {"text": "a dog", "pred": "a dog"}]
    path = with_nulls(tmp_path / "t.jsonl", rows)
    call = ("score", path, "--fields", "ref=text,hyp=pred", "--missing")
    refused = fstmetrics(*call, "skip")
    assert (refused.status, "t.jsonl:1: 'pred' is null, and rows without ids" in refused.err) == (2, True), (
        refused
    )
    assert fstmetrics(*call, "empty", "--json").summary["edits"] == 2


def test_a_null_reference_and_a_null_of_one_system(tmp_path: Path) -> None:
    """--missing says nothing of references; `compare` leaves out what one system lacks."""
    rows = [{"id": f"u{n}", "text": "a cat", "pred": "a cat"} for n in range(3)]
    none = with_nulls(tmp_path / "none.jsonl", [*rows, {"id": "u3", "text": None, "pred": "a"}])
    refused = fstmetrics("score", none, "--fields", "ref=text,hyp=pred", "--missing", "empty")
    assert (refused.status, "none.jsonl:4: 'text' is no text, but null" in refused.err) == (2, True)
    assert "--missing" not in refused.err
    one = with_nulls(
        tmp_path / "one.jsonl", [{"id": f"u{n}", "pred": None if n else "a cat"} for n in range(3)]
    )
    ref = written(tmp_path / "ref", "".join(f"u{n} a cat\n" for n in range(3)))
    call = ("compare", "--ref", ref, one, written(tmp_path / "two", ref.read_text()))
    assert fstmetrics(*call).status == 2
    assert "2 items left out: " in fstmetrics(*call, "--missing", "skip").out


def test_a_number_that_is_none_is_no_value_of_a_field(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", '{"id": "a", "text": "x", "n": NaN, "m": ""}\n')
    assert [dict(item.fields) for item in read(path, "reference")] == [{"n": None, "m": ""}]


def test_a_quote_in_tsv_is_a_character_where_no_cell_needs_quotes(tmp_path: Path) -> None:
    path = written(tmp_path / "t.tsv", 'path\tsentence\na\t"Hello," he said\nb\t"Hello"\n')
    assert texts(read(path, "reference")) == [("a", '"Hello," he said'), ("b", '"Hello"')]


def test_a_head_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.txt", "u1 a b\nu2 c\n")
    outcome = fstmetrics("score", ref, written(tmp_path / "h.csv", "id,prediction\n"))
    assert "%WER 100.00 [ " in outcome.out
    assert "is empty: the items of the other files are scored against an empty sentence" in outcome.out


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("options", [(), ("--alternations", "sclite")])  # in columns, and row by row
def test_values_that_differ_in_spaces_at_the_ends_are_one(
    form: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    sexes = ["male", "male ", " male", "fe male"]
    texts = ["a b", "a c", "d e", "f g"]
    rows = [{"id": f"u{n}", "ref": texts[n], "hyp": "a b", "sex": sex} for n, sex in enumerate(sexes)]
    if form == "jsonl":
        lines = list(map(json.dumps, rows))
    else:
        lines = [
            ("," if form == "csv" else "\t").join(cells)
            for cells in (rows[0], *(row.values() for row in rows))
        ]
    table = written(tmp_path / f"t.{form}", "".join(f"{line}\n" for line in lines))
    found = fstmetrics("score", table, "--by", "sex", *options, "--json").summary
    assert [(row["value"], row["items"]) for row in found["by"]["sex"]] == [("fe male", 1), ("male", 3)]


def test_a_head_without_usual_names_is_one_where_fields_name_its_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "t.txt", "clip,said\nu1,a b\n")
    assert texts(read(path, "reference", "id=clip,ref=said")) == [("u1", "a b")]


def columnar_files(folder: Path) -> list[Path]:
    """The NeMo rows, their sound in structures beside them, as pyarrow, pandas and polars write tables."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [
        {"audio": {"bytes": b"\0\1", "path": row["audio_filepath"]}, "n": i, "day": date(2026, 1, 1), **row}
        for i, row in enumerate(NEMO)
    ]
    for row in rows:
        del row["audio_filepath"]
    table = arrow.Table.from_pylist(rows)
    coded = table.drop_columns("text").append_column("text", table["text"].dictionary_encode())
    parquet.write_table(table, folder / "a.parquet")
    parquet.write_table(coded, folder / "d.parquet")
    for name, new in (("a.arrow", arrow.ipc.new_file), ("s.arrow", arrow.ipc.new_stream)):
        with new(folder / name, table.schema) as sink:
            sink.write(table)
    polars = pytest.importorskip("polars")
    frame = polars.from_arrow(table)
    frame.write_parquet(folder / "p.parquet")
    frame.write_ipc(folder / "p.arrow")
    frame.write_ipc_stream(folder / "ps.arrow")
    return sorted(folder.glob("*.*"))


def test_parquet_and_arrow_files_are_read_whoever_wrote_them(tmp_path: Path) -> None:
    for path in columnar_files(tmp_path):
        nameless = written(tmp_path / "nameless", path.read_bytes())
        for given in (path, nameless):
            items = read(given, "reference", "id=audio.path")
            assert texts(items) == [("a.wav", "the cat sat"), ("b.wav", "a dog")]
            assert dict(items.items[1].fields) == {
                "audio.path": "b.wav",
                "n": 1,
                "duration": 0.5,
                "speaker": "bob",
            }
        assert fstmetrics("score", "-", "--json", stdin=path.read_bytes()).summary["edits"] == 1


def test_a_dataset_saved_by_hugging_face_is_a_folder(tmp_path: Path) -> None:
    source = next(path for path in columnar_files(tmp_path) if path.name == "s.arrow")
    folder = tmp_path / "saved"
    folder.mkdir()
    written(folder / "data-00000-of-00001.arrow", source.read_bytes())
    for note in ("dataset_info.json", "state.json"):
        written(folder / note, '{\n  "citation": ""\n}')
    assert fstmetrics("score", folder, "--json").summary["edits"] == 1


def test_parquet_without_pyarrow_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in columnar_files(tmp_path) if path.name == "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert fstmetrics("score", path).err == (
        f"fstmetrics: {path}: the file needs pyarrow, which is not installed: pip install 'fstmetrics[tables]'\n"
    )


@pytest.mark.parametrize("twice", ["text", "note"])
def test_two_columns_of_one_name_are_refused_and_decimals_are_numbers(twice: str, tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"id": ["a"], "text": ["x y"], "pred_text": ["x"], "note": ["n"]})
    price = arrow.array([decimal.Decimal("1.25")])
    parquet.write_table(table.append_column("price", price), tmp_path / "t.parquet")
    scored = fstmetrics("score", tmp_path / "t.parquet", "--by", "price:1,2", "--json")
    assert [row["value"] for row in scored.summary["by"]["price"]] == ["1 to < 2"]
    double = table.append_column(twice, table.column(twice))
    parquet.write_table(double, tmp_path / "d.parquet")
    with arrow.ipc.new_file(tmp_path / "d.arrow", double.schema) as file:
        file.write_table(double)
    for name in ("d.parquet", "d.arrow"):
        outcome = fstmetrics("score", tmp_path / name)
        assert outcome.status == 2
        assert outcome.err == f"fstmetrics: {tmp_path / name}: two columns are called {twice!r}\n"


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "s.arrow"])
def test_a_table_that_is_cut_off_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    whole = next(path for path in columnar_files(tmp_path) if path.name == name).read_bytes()
    for size in (16, 100, len(whole) // 2, len(whole) - 9):
        outcome = fstmetrics("score", written(tmp_path / "cut", whole[:size]))
        if outcome.status:
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
            assert "cut: " in outcome.err
        else:
            assert "\n2 items\n" in outcome.out  # only the mark of the end is lost


def test_converting_says_which_side_is_written_and_what_is_left_out(tmp_path: Path) -> None:
    manifest, out = written(tmp_path / "m.jsonl", lines(NEMO)), tmp_path / "out.trn"
    refused = fstmetrics("convert", manifest, out)
    assert refused.status == 2
    assert (
        "the rows have references (text) and hypotheses (pred_text): say which, --fields ref=text or "
        "--fields hyp=pred_text" in refused.err
    )
    said = fstmetrics("convert", manifest, out, "--fields", "hyp=pred_text").err
    assert out.read_text() == "the cat (a.wav)\na dog (b.wav)\n"
    assert f"{manifest}: left out: duration, text, speaker\n" in said


def test_two_manifests_give_jiwer_s_number(tmp_path: Path) -> None:
    """As text, their JSON would be words: another number, and a wrong one."""
    jiwer = pytest.importorskip("jiwer")
    rows = [json.loads(line) for line in (EXAMPLES / "manifests" / "small.jsonl").open()]
    ref = written(
        tmp_path / "ref.json",
        lines([{"audio_filepath": r["audio_filepath"], "text": r["text"]} for r in rows]),
    )
    hyp = written(
        tmp_path / "hyp.json",
        lines([{"audio_filepath": r["audio_filepath"], "text": r["pred_text"]} for r in reversed(rows)]),
    )
    expected = jiwer.wer([r["text"] for r in rows], [r["pred_text"] for r in rows])
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert found["score"] == pytest.approx(expected)
    assert any("which usually is the reference" in remark for remark in found["remarks"])
    named = fstmetrics("score", ref, hyp, "--fields", "hyp=text", "--json").summary
    assert (named["score"], any("usually" in remark for remark in named["remarks"])) == (
        found["score"],
        False,
    )
    as_text = fstmetrics("score", ref, hyp, "--format", "plain", "--ref-format", "plain", "--json").summary[
        "score"
    ]
    assert as_text != pytest.approx(expected)


def tables_of(rows: list[dict[str, str]], folder: Path) -> list[Path]:
    """The rows in files of all kinds."""
    heads = [*rows[0]]
    cells = [heads, *([row[name] for name in heads] for row in rows)]
    found = [
        written(folder / "t.jsonl", lines(rows)),
        written(folder / "list.json", json.dumps(rows)),
        written(folder / "t.csv", "".join(",".join(f'"{cell}"' for cell in line) + "\n" for line in cells)),
        written(folder / "t.tsv", "".join("\t".join(line) + "\n" for line in cells)),
    ]
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows), folder / "t.parquet")
    return [*found, folder / "t.parquet"]


@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_tables_of_real_transcripts_give_sclite_s_counts(system: str, shared: Path, tmp_path: Path) -> None:
    """Speech of weather reports, decoded by Kaldi; sclite scored the same transcripts."""
    folder = shared / "asr-kaldi-weather"
    references, hypotheses = (
        {item.id: item.text for item in read_items(folder / name)} for name in ("ref.trn", f"{system}.trn")
    )
    rows = [
        {"audio_filepath": str(id), "text": str(text), "pred_text": str(hypotheses[id])}
        for id, text in references.items()
    ]
    expected = fstmetrics(
        "score", folder / "ref.trn", folder / f"{system}.trn", "--metric", "sclite", "--json"
    ).summary
    (total,) = [
        line for line in (folder / f"sclite_{system}.raw").read_text().splitlines() if "| Sum" in line
    ]
    counts = [
        int(number) for number in re.findall(r"\d+", total)
    ]  # sentences, words, correct, sub, del, ins, errors, ...
    for path in tables_of(rows, tmp_path):
        found = fstmetrics("score", path, "--metric", "sclite", "--json").summary
        names = ("path_length", "matches", "substitutions", "deletions", "insertions", "edits")
        assert [found["items"], *(found[name] for name in names)] == counts[:7], path
        assert found["score"] == expected["score"]


def test_a_table_is_parsed_once_and_kept_no_longer_than_its_source() -> None:
    source = Source("t.csv", b"id,text,pred_text\nu1,a,b\n")
    for format, number in (("csv", 1), ("csv", 1), ("tsv", 2)):
        try:
            list(FORMATS[format].read(source, ReadOptions(table=TableOptions("reference"))))
        except InputError:
            assert format == "tsv"
        assert len(vars(source)["parsed"]) == number
    gone = weakref.ref(source)
    del source
    gc.collect()
    assert gone() is None


PATHS = [
    {"audio_filepath": f"/data/{n % 2}/u_{n}.wav", "text": "a b", "pred_text": f"a {n}"} for n in range(4)
]


@pytest.mark.parametrize("suffix", ["trn", "txt"])
def test_paths_pair_with_ids_that_are_the_names_of_the_files(suffix: str, tmp_path: Path) -> None:
    manifest = written(tmp_path / "m.jsonl", lines(PATHS))
    names = [f"u_{n}" for n in range(4)]
    write = {"trn": "a {0} ({1})\n", "txt": "{1} a {0}\n"}[suffix]
    hyp = written(tmp_path / f"h.{suffix}", "".join(write.format(n, names[n]) for n in (2, 0, 3, 1)))
    outcome = fstmetrics("score", manifest, hyp, "--output", "-")
    assert [(record["id"], record["edits"]) for record in outcome.records] == [(name, 1) for name in names]
    said = fstmetrics("score", manifest, hyp).out
    assert f"paired by id: of {manifest} the names of the files, without folder and ending\n" in said
    both = fstmetrics("compare", "--ref", hyp, manifest, "--metric", "wer", "--json").summary
    assert both["systems"]["m"]["wer"]["score"] == 0


@pytest.mark.parametrize(
    "others", [["u_0", "u_1", "u_2"], ["u_0", "u_1", "u_2", "u_9"], ["0/u_0", "u_1", "u_2", "u_3"]]
)
def test_paths_pair_with_nothing_but_all_the_names_of_their_files(others: list[str], tmp_path: Path) -> None:
    manifest = written(tmp_path / "m.jsonl", lines(PATHS))
    hyp = written(tmp_path / "h.trn", "".join(f"a b ({id})\n" for id in others))
    refused = fstmetrics("score", manifest, hyp)
    assert (refused.status, refused.out) == (2, "")
    assert "; --fields id=COLUMN names another column of ids\n" in refused.err
    twice = [*PATHS[:3], {**PATHS[3], "audio_filepath": "/data/9/u_0.wav"}]
    manifest = written(tmp_path / "m.jsonl", lines(twice))
    assert fstmetrics("score", manifest, hyp).status == 2


def test_who_says_which_of_text_and_list_is_scored_gets_it(tmp_path: Path) -> None:
    table = written(
        tmp_path / "m.jsonl", '{"id": "a", "ref": "a b", "hyp": "a c", "nbest": ["a b", "a c"]}\n'
    )
    said = "nbest is read, and not hyp, which may be the hypothesis, too"
    edits = {"--format jsonl": 1, "--format nbest-json": 0, "--fields hyp=hyp": 1, "--fields hyp=nbest": 0}
    for options, expected in edits.items():
        summary = fstmetrics("score", table, *options.split(), "--json").summary
        assert summary["edits"] == expected
        assert any(said in remark for remark in summary["remarks"]) == ("nbest-json" in options)
    assert said in fstmetrics("oracle", table).out


def test_references_beside_hypotheses_that_are_not_scored_are_told(tmp_path: Path) -> None:
    table = written(tmp_path / "m.json", '{"predictions": ["a b", "c"], "references": ["a b", "d"]}')
    said = "its own references (references) are not scored"
    outcome = fstmetrics("score", written(tmp_path / "ref.txt", "a b\nc\n"), table)
    assert "%WER 0.00" in outcome.out
    assert said in outcome.out
    assert said not in fstmetrics("score", table).out


@pytest.mark.parametrize("names", [("prob",), ("am_score", "lm_score"), ("loss", "rank")])
def test_numbers_of_entries_that_are_no_known_scores_are_named(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    entries = [{"text": text, **dict.fromkeys(names, n + 1)} for n, text in enumerate(("a b", "a c"))]
    path = written(tmp_path / "n.jsonl", lines([{"id": "u", "nbest": entries}]))
    named = [name for name in names if name != "rank"]
    told = f"entries of n-best lists have {', '.join(named)}, and no score by a name that is known (score,"
    assert told in fstmetrics("mbr", path).err
    scored = [{**entry, "score": -1} for entry in entries]
    path = written(tmp_path / "s.jsonl", lines([{"id": "u", "nbest": scored}]))
    assert "entries of n-best" not in fstmetrics("mbr", path).err


@pytest.mark.parametrize("name", ["score", "log_prob", "cost", "confidence"])
def test_a_score_that_is_a_text_is_refused(name: str, tmp_path: Path) -> None:
    entries = [{"text": "a b", name: "0.2"}, {"text": "a c", name: "0.8"}]
    path = written(tmp_path / "n.jsonl", lines([{"id": "u", "nbest": entries}]))
    assert (
        f"n.jsonl:1: in 'nbest' the {name} '0.2' is a text, expected a number: jq"
        in fstmetrics("mbr", path).err
    )
