"""Two tables pair as their makers meant, or are refused with an advice that leads to the right number."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

TEXTS = ["the cat sat", "a dog", "it is"]
# The places of the rows in the hypotheses.
ORDER = [2, 0, 1]


def csv(head: str, *columns: Sequence[str]) -> str:
    return "".join(f"{row}\n" for row in [head, *map(",".join, zip(*columns, TEXTS, strict=True))])


def shuffled(head: str, *columns: Sequence[str]) -> str:
    first, *rows = csv(head, *columns).splitlines()
    return "".join(f"{row}\n" for row in [first, *(rows[place] for place in ORDER)])


NAMES, NUMBERS = ["x1", "x2", "x3"], ["7", "8", "9"]
PAIRS = {
    "other names of columns": (csv("clipno,text", NAMES), shuffled("recno,text", NAMES)),
    "other names, numbers": (csv("clipno,text", NUMBERS), shuffled("recno,text", NUMBERS)),
    "other names, of files": (
        csv("clipno,text", NAMES),
        shuffled("recno,text", ["/r/x1.wav", "/r/x2.wav", "/r/x3.wav"]),
    ),
    "other names, in capitals": (csv("clipno,text", NAMES), shuffled("recno,text", ["X1", "X2", "X3"])),
    "other names, of files in capitals": (
        csv("clipno,text", NAMES),
        shuffled("recno,text", ["/r/X1.wav", "X2.wav", "X3.wav"]),
    ),
    "other names, numbers with a point": (
        csv("clipno,text", NUMBERS),
        shuffled("recno,text", ["7.0", "8.0", "9.0"]),
    ),
    "other names, numbers and texts": (
        csv("clipno,text", NUMBERS),
        "".join(json.dumps({"recno": float(NUMBERS[n]), "text": TEXTS[n]}) + "\n" for n in ORDER),
    ),
    "one column, in another case": (csv("Clip No,text", NAMES), shuffled("clip_no,text", NAMES)),
    "numbers of rows": (
        csv("id,file,text", ["0", "1", "2"], ["a.wav", "b.wav", "c.wav"]),
        "id,file,text\n0,b.wav,a dog\n1,c.wav,it is\n2,a.wav,the cat sat\n",
    ),
    "numbers of rows, of names in folders": (
        csv("id,path,text", ["0", "1", "2"], ["/r/a.wav", "/r/b.wav", "/r/c.wav"]),
        "id,path,text\n0,/h/b.wav,a dog\n1,/h/c.wav,it is\n2,/h/a.wav,the cat sat\n",
    ),
    "lists": (
        "".join(json.dumps({"tags": [n], "text": t}) + "\n" for n, t in zip(NAMES, TEXTS, strict=True)),
        "".join(json.dumps({"tags": [NAMES[n]], "text": TEXTS[n]}) + "\n" for n in ORDER),
    ),
    "an id that the first row lacks": (
        '{"text": "the cat sat"}\n{"id": "b", "text": "a dog"}\n',
        '{"text": "a dog"}\n{"id": "a", "text": "the cat sat"}\n',
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_may_pair_rows_is_asked_for(name: str, tmp_path: Path) -> None:
    paths = [
        written(tmp_path / f"{side}.{'jsonl' if text.startswith('{') else 'csv'}", text)
        for side, text in zip("rh", PAIRS[name], strict=True)
    ]
    outcome = fstmetrics("score", *paths)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "--fields id=" in outcome.err
    # The advice, as it stands.
    advised = re.search(r"--fields (id=[\w,=]+)", outcome.err)
    if advised and "COLUMN" not in advised[1]:
        assert fstmetrics("score", *paths, "--fields", advised[1], "--json").summary["edits"] == 0


def test_columns_that_pair_nothing_leave_the_order(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.csv", csv("take,text", ["x1", "x2", "x3"]))
    for head, values in (("rec,text", ["y1", "y2", "y3"]), ("rec,text", ["x1", "x1", "x2"])):
        hyp = written(tmp_path / "h.csv", csv(head, values))
        assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0
    # The same values in the same rows, all or some of them.
    for values in (["x1", "x2", "x3"], ["/r/X1.wav", "x2.wav", "x3.wav"], ["x1", "y2", "x3"]):
        hyp = written(tmp_path / "h.csv", csv("rec,text", values))
        assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0


def test_numbers_that_other_columns_agree_with_pair(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.csv", csv("id,file,text", NUMBERS, ["a.wav", "b.wav", "c.wav"]))
    hyp = written(tmp_path / "h.csv", shuffled("id,file,text", NUMBERS, ["/h/a.wav", "/h/b.wav", "/h/c.wav"]))
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0
    # Files of other names do not say otherwise, nor do those that come twice.
    for files in (["q.wav", "s.wav", "t.wav"], ["a.wav", "a.wav", "a.wav"]):
        written(hyp, shuffled("id,file,text", NUMBERS, files))
        assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0


IDS: dict[str, list[Any]] = {
    "bytes": [b"u1", b"u2"],
    "dates": [date(2024, 1, 1), date(2024, 1, 2)],
    "times of a day": [time(1, 2), time(3, 4)],
    "times": [datetime(2024, 1, 1, 1), datetime(2024, 1, 1, 2)],
    "decimals": [Decimal("1.10"), Decimal("2.20")],
    "lists": [["a"], ["b"]],
    "truth values": [True, False],
}


@pytest.mark.parametrize("format", ["parquet", "arrow"])
@pytest.mark.parametrize("kind", IDS)
def test_ids_of_any_type_pair_or_are_refused(kind: str, format: str, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    paths = []
    for name, places in (("r", (0, 1)), ("h", (1, 0))):
        table = arrow.table({"id": [IDS[kind][n] for n in places], "text": [TEXTS[n] for n in places]})
        paths.append(tmp_path / f"{name}.{format}")
        if format == "parquet":
            parquet.write_table(table, paths[-1])
        else:
            with arrow.OSFile(str(paths[-1]), "wb") as file, arrow.ipc.new_file(file, table.schema) as out:
                out.write_table(table)
    for options in ((), ("--fields", "id=id")):
        outcome = fstmetrics("score", *paths, "--json", *options)
        if kind == "decimals":
            assert outcome.summary["edits"] == 0
        else:
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
            assert "'id'" in outcome.err


def test_a_name_with_a_comma_is_quoted(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.csv", csv('"Name, file",Said', NAMES))
    hyp = written(tmp_path / "h.csv", shuffled('"Name, file",Said', NAMES))
    fields = ("--fields", '"id=Name, file",ref=Said,hyp=Said')
    assert fstmetrics("score", ref, hyp, *fields, "--json").summary["edits"] == 0
    err = fstmetrics("score", ref, hyp, "--fields", "id=Name, file,ref=Said,hyp=Said").err
    assert "found 'file'" in err
    assert """quotes hold a name with a comma together: --fields '"id=Name, file",ref=text'""" in err
