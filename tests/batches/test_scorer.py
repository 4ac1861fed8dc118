"""The function from batches to batches: the numbers of the commands, and faults instead of exceptions."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import warnings
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from arrow_batches import batch, random_rows
from command import fstmetrics, written
from time_limits import LIMIT

import fstmetrics as fm
from fstmetrics.batches import scorer
from fstmetrics.support.errors import FstmetricsError

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "sclite"])
def test_counts_are_those_of_score(metric: str) -> None:
    rows = random_rows(1, 300)
    found = scorer(metric)(batch(rows)).to_pylist()
    corpus = fm.score([row["hypothesis"] for row in rows], [row["reference"] for row in rows], metric)
    for one, other in zip(found, corpus, strict=True):
        record = other.as_dict()
        for name in ("score", "edits", "matches", "substitutions", "insertions", "deletions", "path_length"):
            assert one[name] == record[name]
        assert (one["units"], one["denominator"]) == (other.totals.units, other.totals.denominator)


@pytest.mark.parametrize("unit", ["word", "char"])
def test_records_are_those_of_the_command(tmp_path: Path, unit: Any) -> None:
    rows = random_rows(2, 60)
    sides = {
        name: written(tmp_path / name, "".join(f"{row['id']} {row[name]}\n" for row in rows))
        for name in ("hypothesis", "reference")
    }
    out = tmp_path / "records.jsonl"
    fstmetrics(
        "score", sides["reference"], sides["hypothesis"], "--output", out, "--alignment", "--unit", unit,
        "--format", "kaldi-text", "--ref-format", "kaldi-text",
    )  # fmt: skip
    made = scorer("wer", words=True, records=True, normalisation=fm.Normalisation(unit=unit))
    found = made(batch(rows))
    assert found.column("record").to_pylist() == out.read_text().splitlines()
    for row, record in zip(found.to_pylist(), map(json.loads, out.read_text().splitlines()), strict=True):
        assert row["operations"] == "".join(op for op, _, _ in record["alignment"])
        assert row["closest"] == record["closest"]
        assert row["hypothesis"] == record["hypothesis"]


def test_columns_in_any_encoding_of_arrow_are_the_same_texts() -> None:
    rows = random_rows(3, 50)
    whole = batch(rows)
    expected = scorer()(whole)
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        columns = [whole.column(name).cast(kind) for name in ("hypothesis", "reference")]
        other = pa.record_batch([whole.column("id"), *columns], names=["id", "hypothesis", "reference"])
        assert scorer()(other).equals(expected)
    assert scorer()(whole.slice(7, 20)).equals(expected.slice(7, 20))
    assert scorer()(pa.Table.from_batches([whole.slice(0, 9), whole.slice(9)])).equals(expected)


def test_frames_of_other_libraries_are_batches() -> None:
    polars = pytest.importorskip("polars")
    rows = random_rows(4, 20)
    assert scorer()(polars.DataFrame(rows)).to_pylist() == scorer()(batch(rows)).to_pylist()


def test_several_references_and_n_best_lists() -> None:
    rows = [
        {"id": "u1", "hypothesis": ["a b", "c d"], "reference": ["x", "c d e"]},
        {"id": "u2", "hypothesis": ["a"], "reference": ["a"]},
        {"id": "u3", "hypothesis": ["a"], "reference": []},
        {"id": "u4", "hypothesis": ["a", None], "reference": ["a"]},
    ]
    found = scorer(oracle=True)(batch(rows)).to_pylist()
    assert [row["edits"] for row in found] == [1, 0, None, None]
    assert [row["one_best_edits"] for row in found] == [2, 0, None, None]
    assert found[2]["fault"] == "reference is an empty list; one empty text is ['']"
    assert found[3]["fault"] == "hypothesis has a null among its texts"


@pytest.mark.parametrize(
    ("hypotheses", "references", "found"),
    [
        ([["a", "cat", "sat"], ["b"]], [["the", "cat", "sat"], ["b"]], "hypothesis of row 0"),
        ([["b"], None, ["a", "cat", "sat"]], ["b", "b", "the cat sat"], "hypothesis of row 2"),
        (["b", "the cat sat"], [["b"], ["the", "cat", "sat"]], "reference of row 1"),
        ([["a", "cat"], ["so"]], [["a cat", "the cat"], ["so"]], "hypothesis of row 0"),
        ([["a cat", "the cat"], ["so"]], [["the", "cat"], ["so"]], "reference of row 0"),
        (["the cat"], [list("the cat")], "reference of row 0"),
        ([["turn", "left"], ["stop"]], [["left"], ["stop"]], "hypothesis of row 0"),
        ([["turn", "left"]], ["left"], "hypothesis of row 0"),
        (["left", "stop"], [["stop"], ["turn", "left"]], "reference of row 1"),
        ([["yes", "yeah"], ["no"]], ["yeah", "know"], "hypothesis of row 0"),
    ],
)
def test_lists_of_the_words_of_one_text_are_refused(
    hypotheses: list[Any], references: list[Any], found: str
) -> None:
    rows = [{"hypothesis": h, "reference": r} for h, r in zip(hypotheses, references, strict=True)]
    with pytest.raises(FstmetricsError, match=rf"{found} \(from 0\) is a list of texts of one word each"):
        scorer(id=None)(batch(rows))


@pytest.mark.parametrize(
    ("hypotheses", "references", "edits"),
    [
        ([["yes", "yeah"], ["a cat", "the cat"]], ["yeah", "the cat"], [0, 0]),
        (["yeah", "the cat"], [["yes", "yeah"], ["a cat", "the cat"]], [0, 0]),
        (["yes", "no"], [["yes", "yeah"], ["no", "nope"]], [0, 0]),
        (["so", "no"], [["yes", "yeah"], ["no", "nope"]], [1, 0]),
        (["yes"], [["yes", "yeah"]], [0]),
        (["oh yes", "no"], [["yes", "yeah"], ["no", "nope"]], [1, 0]),
        (["yes"], [{"format": "cards", "data": "id: 0\n[S]: yes; yeah\n"}], [0]),
        ([["a"], ["b"]], [["a"], ["c"]], [0, 1]),
        ([{"format": "nbest-json", "data": '{"id": "1", "nbest": ["yes", "yeah"]}\n'}], ["oh yeah"], [1]),
    ],
)
def test_lists_of_alternatives_may_have_one_word_each(
    hypotheses: list[Any], references: list[Any], edits: list[int]
) -> None:
    rows = [{"hypothesis": h, "reference": r} for h, r in zip(hypotheses, references, strict=True)]
    assert scorer(id=None)(batch(rows))["edits"].to_pylist() == edits


TEXTS = ["the cat sat on the mat", "a dog ran off"]


@pytest.mark.parametrize(
    ("hypotheses", "references", "said"),
    [
        (["the c@@ at sat on the mat", "a d@@ og ran off"], TEXTS, "hypotheses have .*: they count as words"),
        ([str(text.split()) for text in TEXTS], TEXTS, "hypotheses look like"),
        (
            ["u1 the cat sat on the mat", "u2 a dog ran off"],
            TEXTS,
            "hypotheses begin with words that look like ids",
        ),
        (["<|en|> the cat sat", "<|en|> a dog"], TEXTS, "hypotheses look like"),
        (["a c"], ["{ a / b } c"], "references have"),
        (["the cat sat", "a dog"], [[f"{{ the / a }} {text}", text] for text in TEXTS], "references have"),
    ],
)
def test_texts_that_are_no_sentences_are_warned_of(hypotheses: Any, references: Any, said: str) -> None:
    """Once a scorer, by what `fm.score` says; copies for other processes look again."""
    given = batch([{"hypothesis": h, "reference": r} for h, r in zip(hypotheses, references, strict=True)])
    score = scorer(id=None)
    for each in (score, pickle.loads(pickle.dumps(score))):
        with pytest.warns(UserWarning, match=said) as told:
            each(given)
        assert {Path(one.filename).name for one in told} == {"test_scorer.py"}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            each(given)


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (TEXTS, TEXTS),
        (["x", "y"], [["a b", "c d"], ["e f", "g h"]]),  # a row's list is of its item
        ([None, *TEXTS], [TEXTS[0], None, TEXTS[1]]),
        ([["a cat", "the cat"], ["so", "no so"]], ["a cat", "so"]),
        (["我买了手机", "你好"], ["我买了手机", "您好"]),
    ],
)
def test_texts_that_are_sentences_are_not_warned_of(hypotheses: Any, references: Any) -> None:
    given = batch([{"hypothesis": h, "reference": r} for h, r in zip(hypotheses, references, strict=True)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer(id=None)(given)


def test_ids_of_rows_in_their_texts_are_warned_of() -> None:
    rows = [
        {"id": id, "hypothesis": f"{id} {text}", "reference": text}
        for id, text in zip(["u1", "u2"], TEXTS, strict=True)
    ]
    with pytest.warns(UserWarning, match=r"hypotheses begin with their own ids \('u1', ...\)"):
        scorer(id="id")(batch(rows))


def test_an_empty_reference_has_counts_and_no_score() -> None:
    rows = [
        {"id": "u1", "hypothesis": "a b", "reference": ""},
        {"id": "u2", "hypothesis": "", "reference": ""},
    ]
    one, other = scorer()(batch(rows)).to_pylist()
    assert (one["score"], one["insertions"], one["path_length"], one["fault"]) == (None, 2, 0, None)
    assert (other["score"], other["edits"], other["fault"]) == (0.0, 0, None)


def test_nulls_and_ids_that_come_twice_are_faults_of_their_rows() -> None:
    rows = [
        {"id": "u1", "hypothesis": "a", "reference": "a"},
        {"id": "u2", "hypothesis": None, "reference": "a"},
        {"id": "u3", "hypothesis": "a", "reference": None},
        {"id": None, "hypothesis": "a", "reference": "a"},
        {"id": "u5", "hypothesis": "a", "reference": "b"},
        {"id": "u5", "hypothesis": "b", "reference": "b"},
    ]
    found = scorer(words=True)(batch(rows)).to_pylist()
    assert [row["fault"] for row in found] == [
        None, "hypothesis is null", "reference is null", "id is null",
        "id 'u5' comes twice in the batch", "id 'u5' comes twice in the batch",
    ]  # fmt: skip
    assert [row["edits"] for row in found] == [0, None, None, None, None, None]
    assert [row["closest"] for row in found] == [["a"], None, None, None, None, None]


def test_an_empty_id_is_an_id_and_no_null() -> None:
    rows = [
        {"id": "", "hypothesis": "a", "reference": "b"},
        {"id": None, "hypothesis": "a", "reference": "b"},
        {"id": None, "hypothesis": "a", "reference": "b"},
    ]
    found = scorer()(batch(rows)).to_pylist()
    assert [(row["edits"], row["fault"]) for row in found] == [(1, None), *[(None, "id is null")] * 2]


def test_metrics_of_strings_have_no_batches() -> None:
    with pytest.raises(FstmetricsError, match="bleu has no best path"):
        scorer("bleu")


def test_an_item_that_cannot_be_searched_is_a_fault_beside_the_others() -> None:
    rows = random_rows(5, 9)
    rows[4] |= {"hypothesis": "a b " * 200, "reference": "b a " * 200}
    found = scorer(options=fm.SearchOptions(route="best-first", max_nodes=500))(batch(rows)).to_pylist()
    expected = scorer()(batch(rows)).to_pylist()
    assert "u4" in found[4]["fault"]
    assert found[:4] + found[5:] == expected[:4] + expected[5:]


def test_rows_that_a_profile_leaves_out_are_no_results() -> None:
    rows = [
        {"id": "u1", "hypothesis": "a", "reference": "[noise]"},
        {"id": "u2", "hypothesis": None, "reference": "b"},
        {"id": "u3", "hypothesis": "b", "reference": "b"},
    ]
    profile = fm.profile("open-asr")
    if not profile.drops:
        pytest.skip("the profile leaves nothing out")
    rows[0]["reference"] = ""
    found = scorer(normalisation=profile)(batch(rows)).to_pylist()
    assert [(row["id"], row["edits"], row["fault"]) for row in found] == [
        ("u2", None, "hypothesis is null"), ("u3", 0, None),
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["id", "hypothesis"])
def test_a_batch_without_values_of_a_column_has_faults(column: str) -> None:
    """Its column is of the type null, as engines have it that look at each batch."""
    names = ["id", "hypothesis", "reference"]
    given = pa.record_batch(
        [pa.nulls(2) if name == column else pa.array(["a", "b"]) for name in names], names
    )
    found = scorer(records=True)(given)
    assert found.column("fault").to_pylist() == [f"{column} is null"] * 2
    assert found.schema.metadata == scorer(records=True)(batch(random_rows(1, 3))).schema.metadata


def test_columns_of_any_type_pass_through(tmp_path: Path) -> None:
    """Those that a table in a file has as fields are fields of records: dates, bytes and lists are not."""
    parquet = pytest.importorskip("pyarrow.parquet")
    passed = {
        "day": [date(2020, 1, 2), None], "when": [datetime(2020, 1, 2, 3, 4), None], "at": [time(3, 4), None],
        "took": [timedelta(seconds=3), None], "price": [Decimal("1.50"), None], "sound": [b"\xff\x00", None],
        "tags": [["x", "y"], None], "numbers": [[1, 2], []], "audio": [{"path": "p", "bytes": b"\xff"}, None],
        "seconds": [2.5, float("nan")], "speaker": pa.array(["ann", None]).dictionary_encode(), "ok": [True, None],
        "pairs": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())), "nothing": pa.nulls(2),
        "count": pa.array([7, None], pa.uint8()),
    }  # fmt: skip
    table = pa.table({"id": ["u1", "u2"], "hypothesis": ["a b", "c"], "reference": ["a b", "d"], **passed})
    found = scorer(records=True)(table)
    for name in passed:
        assert str(found.column(name)) == str(table[name].combine_chunks())
    parquet.write_table(table, tmp_path / "t.parquet")
    assert fstmetrics("score", tmp_path / "t.parquet", "--output", tmp_path / "out").status == 0
    expected = [json.loads(line)["fields"] for line in (tmp_path / "out").read_text().splitlines()]
    fields = [json.loads(record).get("fields", {}) for record in found.column("record").to_pylist()]
    assert [told(each) for each in fields] == [told(each) for each in expected]
    assert told(fields[0]) == {
        "price": 1.5, "audio.path": "p", "seconds": 2.5, "speaker": "ann", "ok": True, "count": 7
    }  # fmt: skip
    for name in passed:
        alone = scorer(records=True)(table.select(["id", "hypothesis", "reference", name]))
        assert alone.column("fault").to_pylist() == [None, None]


def told(fields: dict[str, Any]) -> dict[str, Any]:
    """Those that say something."""
    return {name: value for name, value in fields.items() if value is not None}


def test_other_columns_pass_through_and_are_fields_of_records() -> None:
    rows = [{**row, "speaker": "ann", "seconds": 2.5} for row in random_rows(6, 5)]
    found = scorer(records=True)(batch(rows)).to_pylist()
    assert {(row["speaker"], row["seconds"]) for row in found} == {("ann", 2.5)}
    assert json.loads(found[0]["record"])["fields"] == {"speaker": "ann", "seconds": 2.5}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["id", "hypothesis"], "the batch has no column 'reference'; it has id, hypothesis"),
        (["id", "hypothesis", "reference", "edits"], "column 'edits' is a column of the results, too"),
        (["id", "hypothesis", "reference", "reference"], "two columns that are called 'reference'"),
    ],
)
def test_a_schema_without_the_columns_is_refused(columns: list[str], message: str) -> None:
    given = pa.record_batch([pa.array(["a"])] * len(columns), names=columns)
    for call in (scorer(), lambda given: scorer().schema(given.schema)):
        with pytest.raises(FstmetricsError, match=message):
            call(given)


@pytest.mark.parametrize(("name", "kind"), [("hypothesis", "int64"), ("reference", "bool"), ("id", "float")])
def test_a_column_of_another_type_is_refused(name: str, kind: str) -> None:
    columns = {each: pa.array(["a"]) for each in ("id", "hypothesis", "reference")}
    columns[name] = pa.array([1]).cast(kind)
    with pytest.raises(FstmetricsError, match=f"column '{name}': expected"):
        scorer()(pa.record_batch(columns))


def test_text_that_is_not_utf_8_is_refused() -> None:
    bad = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.array([0, 1], pa.int32()).buffers()[1], pa.py_buffer(b"\xff")]
    )
    given = pa.record_batch([pa.array(["u1"]), bad, pa.array(["a"])], names=["id", "hypothesis", "reference"])
    with pytest.raises(FstmetricsError, match="the batch is damaged"):
        scorer()(given)


def test_the_schema_is_known_before_anything_is_scored() -> None:
    given = batch([{**row, "n": 1} for row in random_rows(7, 4)])
    for settings in ({}, {"words": True}, {"oracle": True, "words": True, "records": True}, {"id": None}):
        rest = given.drop_columns(["id"]) if "id" in settings else given
        found = scorer("wer", **settings)  # type: ignore[arg-type]
        assert found(rest).schema.equals(found.schema(rest.schema), check_metadata=True)
        assert found(rest).schema.metadata[b"fstmetrics.results"] == b"1"
        assert found(rest.slice(0, 0)).num_rows == 0


def test_a_scorer_is_the_same_in_a_fresh_process(tmp_path: Path) -> None:
    given = batch(random_rows(8, 40))
    made = scorer("grr", words=True, records=True, normalisation=fm.Normalisation(lowercase=True))
    expected = made(given)  # what a call leaves behind is not pickled
    (tmp_path / "scorer").write_bytes(pickle.dumps((made, given)))
    code = (
        "import pickle, sys; made, given = pickle.load(open(sys.argv[1], 'rb'));"
        "open(sys.argv[2], 'wb').write(pickle.dumps(made(given)))"
    )
    subprocess.run(
        [sys.executable, "-c", code, tmp_path / "scorer", tmp_path / "found"], check=True, timeout=LIMIT
    )
    assert pickle.loads((tmp_path / "found").read_bytes()).equals(expected, check_metadata=True)


def test_the_name_is_the_function_whatever_was_imported() -> None:
    code = (
        "import pkgutil, importlib, fstmetrics.batches as batches\n"
        "for found in pkgutil.iter_modules(batches.__path__):\n"
        "    importlib.import_module(f'fstmetrics.batches.{found.name}')\n"
        "assert callable(batches.scorer)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LIMIT)
