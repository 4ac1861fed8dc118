"""`score` of tables: columns by name, whatever library made the table; tables and dicts that pair by id."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm

ROWS = [
    {"utt": 1, "text": "the cat sat", "pred_text": "a cat sat", "speaker": "ann", "seconds": 1.5},
    {"utt": 2, "text": "a dog", "pred_text": "a dog", "speaker": "bob", "seconds": 0.5},
    {"utt": 3, "text": "no", "pred_text": "", "speaker": "ann", "seconds": 9.0},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


class ArrowStream:
    """A table of which nothing is known but Arrow's stream."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def of_pandas() -> Any:
    return pytest.importorskip("pandas").DataFrame(ROWS, index=[7, 8, 9])


def arrow_with_two_texts() -> Any:
    table = of_arrow()
    return table.append_column("text", table.column("text"))


def of_polars() -> Any:
    return pytest.importorskip("polars").DataFrame(ROWS)


def of_arrow() -> Any:
    return pytest.importorskip("pyarrow").Table.from_pylist(ROWS)


def of_datasets() -> Any:
    return pytest.importorskip("datasets").Dataset.from_list(ROWS)


KINDS: dict[str, Callable[[], Any]] = {
    "dicts": lambda: ROWS,
    "an iterator of dicts": lambda: iter(ROWS),
    "columns in a dict": lambda: COLUMNS,
    "columns by the labels of rows": lambda: {
        name: dict(zip("xyz", values, strict=True)) for name, values in COLUMNS.items()
    },
    "pandas' to_dict": lambda: of_pandas().to_dict(),
    "pandas' to_json": lambda: json.loads(of_pandas().to_json()),
    "a dict of a frame": lambda: dict(of_pandas()),
    "a column of rows": lambda: pytest.importorskip("pandas").Series(ROWS, index=[7, 8, 9]),
    "an array of dicts": lambda: np.array(ROWS),
    "structs of polars": lambda: of_polars().to_struct(),
    "structs of pyarrow": lambda: of_arrow().to_struct_array(),
    "an array of records": lambda: np.array(
        [tuple(row.values()) for row in ROWS],
        dtype=[("utt", int), ("text", object), ("pred_text", object), ("speaker", "U9"), ("seconds", float)],
    ),
    "pandas": of_pandas,
    "polars": of_polars,
    "lazy polars": lambda: of_polars().lazy(),
    "pyarrow table": of_arrow,
    "pyarrow batch": lambda: of_arrow().to_batches()[0],
    "pyarrow reader": lambda: of_arrow().to_reader(),
    "Arrow's stream": lambda: ArrowStream(of_arrow()),
    "a dataset": of_datasets,
    "a dataset in another order": lambda: of_datasets().select([2, 1, 0]).select([2, 1, 0]),
    "a dataset in numpy's format": lambda: of_datasets().with_format("numpy"),
    "a dataset that is read on": lambda: of_datasets().to_iterable_dataset(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_any_table_are_scored_as_lists_are(kind: str) -> None:
    expected = fm.score(COLUMNS["pred_text"], COLUMNS["text"], ids=["1", "2", "3"])
    found = fm.score(
        KINDS[kind](), hypothesis="pred_text", reference="text", id="utt", fields=["speaker", "seconds"]
    )
    assert (found.score, found.edits, found.ids) == (expected.score, expected.edits, expected.ids)
    assert [dict(item.fields) for item in found] == [
        {"speaker": row["speaker"], "seconds": row["seconds"]} for row in ROWS
    ]
    assert {speaker: part.edits for speaker, part in found.by("speaker").items()} == {"ann": 2, "bob": 0}
    json.dumps(found.as_dict())


def test_other_metrics_take_tables() -> None:
    assert fm.score(ROWS, None, "bleu", hypothesis="pred_text", reference="text").score == pytest.approx(
        fm.score(COLUMNS["pred_text"], COLUMNS["text"], "bleu").score
    )


def test_two_tables_and_dicts_pair_by_id() -> None:
    shuffled = [ROWS[2], ROWS[0], ROWS[1]]
    by_id = {str(row["utt"]): row["text"] for row in shuffled}
    said = {str(row["utt"]): row["pred_text"] for row in shuffled}
    expected = fm.score(said, by_id)
    for found in (
        fm.score(ROWS, shuffled, hypothesis="pred_text", reference="text", id="utt", fields=["speaker"]),
        fm.score(said, ROWS, reference="text", id="utt", fields="speaker"),
        fm.score(ROWS, by_id, hypothesis="pred_text", id="utt", fields=["speaker"]),
    ):
        assert {item.id: item.edits for item in found} == {item.id: item.edits for item in expected}
        speakers = {str(row["utt"]): row["speaker"] for row in ROWS}
        assert {item.id: item.fields["speaker"] for item in found} == speakers


def test_a_list_with_ids_pairs_with_a_dict() -> None:
    ids = ["1", "2", "3"]
    references = {str(row["utt"]): row["text"] for row in reversed(ROWS)}
    found = fm.score(COLUMNS["pred_text"], references, ids=ids)
    assert {item.id: item.edits for item in found} == {"1": 1, "2": 0, "3": 1}
    assert fm.score(references, COLUMNS["text"], ids=ids).edits == 0


def test_columns_by_the_labels_of_rows_have_these_as_ids() -> None:
    expected = fm.score(COLUMNS["pred_text"], COLUMNS["text"], ids=["7", "8", "9"])
    columns = {name: dict(zip((7, 8, 9), values, strict=True)) for name, values in COLUMNS.items()}
    backwards = {name: dict(reversed(values.items())) for name, values in columns.items()}
    names = {"hypothesis": "pred_text", "reference": "text"}
    for found in (
        fm.score(columns, **names),
        fm.score({**columns, "text": backwards["text"]}, **names),
        fm.score(backwards, columns, **names),
        fm.score(columns["pred_text"], backwards, reference="text"),
    ):
        assert {item.id: item.edits for item in found} == {item.id: item.edits for item in expected}
    assert fm.score({**columns, "id": columns["utt"]}, **names).ids == ("1", "2", "3")
    rows = {
        id: {name: columns[name][id] for name in columns} for id in (7, 8, 9)
    }  # to_dict("index") of pandas
    assert {item.id: item.edits for item in fm.score(rows, **names)} == {
        item.id: item.edits for item in expected
    }


def test_columns_called_by_numbers_are_named_by_their_digits() -> None:
    expected = fm.score(COLUMNS["pred_text"], COLUMNS["text"]).edits
    table = {0: COLUMNS["pred_text"], 1: COLUMNS["text"]}
    assert fm.score(table, hypothesis="0", reference="1").edits == expected
    frame = pytest.importorskip("pandas").DataFrame(table)
    assert fm.score(frame, hypothesis="0", reference="1").edits == expected


def test_numbers_of_numpy_are_fields() -> None:
    found = fm.score(["a", "b"], ["a", "c"], fields=[{"n": np.int64(1)}, {"n": np.int64(2)}])
    assert [item.fields for item in found] == [{"n": 1}, {"n": 2}]


IN_OBJECTS = [{"translation": {"de": row["text"], "en": "x"}, "h": row["pred_text"]} for row in ROWS]
OBJECTS: dict[str, Callable[[], Any]] = {
    "dicts": lambda: IN_OBJECTS,
    "columns": lambda: {name: [row[name] for row in IN_OBJECTS] for name in IN_OBJECTS[0]},
    "pandas": lambda: pytest.importorskip("pandas").DataFrame(IN_OBJECTS),
    "polars": lambda: pytest.importorskip("polars").DataFrame(IN_OBJECTS),
    "pyarrow": lambda: pytest.importorskip("pyarrow").Table.from_pylist(IN_OBJECTS),
    "datasets": lambda: pytest.importorskip("datasets").Dataset.from_list(IN_OBJECTS),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_a_column_of_an_object_is_named_with_a_dot(kind: str) -> None:
    found = fm.score(OBJECTS[kind](), hypothesis="h", reference="translation.de")
    assert [item.edits for item in found] == [1, 0, 1]
    for name, message in {
        "translation": "'translation' is no text, but an object; name a column of it: translation.de, translation.en",
        "translation.fr": "has no column 'translation.fr'; it has translation.de, translation.en",
    }.items():
        with pytest.raises(fm.FstmetricsError, match=message):
            fm.score(OBJECTS[kind](), hypothesis="h", reference=name)
    dotted = [{"translation.de": "a", "translation": "b", "h": "a"}]
    assert fm.score(dotted, hypothesis="h", reference="translation.de").edits == 0


def test_lists_of_references_in_a_column_are_alternatives() -> None:
    rows = [{"hyp": "a cat", "refs": ["the cat", "a cat"]}, {"hyp": "x", "refs": ["y"]}]
    assert [item.edits for item in fm.score(rows, hypothesis="hyp", reference="refs")] == [0, 1]


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: fm.score(ROWS), "references are missing; of a table name the columns: score(rows, hypothesis="),
    (lambda: fm.score(ROWS, hypothesis="pred_text"), "reference is missing: it names a column of the table"),
    (lambda: fm.score(ROWS, reference="text"), "hypothesis is missing: it names a column of the table"),
    (
        lambda: fm.score(ROWS, hypothesis="pred_txt", reference="text"),
        "the table[0] has no column 'pred_txt'; it has utt, text, pred_text, speaker, seconds; did you mean pred_text?",
    ),
    (
        lambda: fm.score([*ROWS, {"text": "a"}], hypothesis="pred_text", reference="text"),
        "the table[3] has no column 'pred_text'; it has text",
    ),
    (
        lambda: fm.score(of_pandas(), hypothesis="hyp", reference="text"),
        "the table has no column 'hyp'; it has utt, text",
    ),
    (
        lambda: fm.score([*ROWS, "a"], hypothesis="pred_text", reference="text"),
        "the table[3]: expected a row, a dict by columns, not str 'a'",
    ),
    (
        lambda: fm.score("m.jsonl", hypothesis="pred_text", reference="text"),
        "the table: expected rows or a table with columns, not str 'm.jsonl'",
    ),
    (
        lambda: fm.score([{"h": "", "r": ""}, {"h": None, "r": "a"}], hypothesis="h", reference="r"),
        "the table[1]: 'h' is no text, but None; an empty sentence is",
    ),
    (
        lambda: fm.score([{"h": "a", "r": 7}], hypothesis="h", reference="r"),
        "the table[0]: 'r' is no text, but int 7",
    ),
    (
        lambda: fm.score(of_pandas().assign(text=[None, "a", "b"]), hypothesis="pred_text", reference="text"),
        "the table[0]: 'text' is no text, but nan; an empty sentence is",
    ),
    (
        lambda: fm.score([{"h": "a", "r": "a", "i": 1}] * 2, hypothesis="h", reference="r", id="i"),
        "the id '1' is there twice",
    ),
    (lambda: fm.score(["a"], ["a"], id="utt"), "id names a column of a table; name those of the texts, too"),
    (
        lambda: fm.score(ROWS, hypothesis="pred_text", reference="text", fields=["speker"]),
        "the table[0] has no column 'speker'",
    ),
    (
        lambda: fm.score(of_pandas().iloc[:, [1, 2, 1]], hypothesis="pred_text", reference="text"),
        "the table has two columns that are called 'text'; rename one",
    ),
    (
        lambda: fm.score(arrow_with_two_texts(), hypothesis="pred_text", reference="text"),
        "the table has two columns that are called 'text'; rename one",
    ),
    *(
        (lambda column=column: fm.score(column(), hypothesis="h", reference="r"), f"the table[0]: {message}")
        for message in [
            "expected a row, a dict by columns, not str 'a'; columns of texts go without their names"
        ]
        for column in (
            lambda: ["a"],
            lambda: np.array(["a"]),
            lambda: pytest.importorskip("pandas").Series(["a"]),
            lambda: pytest.importorskip("polars").Series(["a"]),
            lambda: pytest.importorskip("pyarrow").chunked_array([["a"]]),
        )
    ),
    (
        lambda: fm.score(["a"], pytest.importorskip("pandas").Series(["a"]), hypothesis="h", reference="r"),
        "references[0]: expected a row, a dict by columns, not str 'a'; columns of texts go without",
    ),
    (
        lambda: fm.score({"h": "a cat", "r": "the cat"}, hypothesis="h", reference="r"),
        "the values of 'h' are a list, not str 'a cat'; of one row give [row]",
    ),
    (
        lambda: fm.score({"h": {"a"}, "r": ["a"]}, hypothesis="h", reference="r"),
        "the values of 'h' are a list, not set, which has no order; give a list",
    ),
    (
        lambda: fm.score({"h": {"u": "a"}, "r": ["a"]}, hypothesis="h", reference="r"),
        "the values of 'h' are a list, not dict",
    ),
    (
        lambda: fm.score({"h": {"u": "a"}, "r": {"v": "a"}}, hypothesis="h", reference="r"),
        "the table[0] has no column 'r'; it has id, h",
    ),
    (
        lambda: fm.score(ROWS, hypothesis=["pred_text", "text"], reference="text"),  # type: ignore[call-overload]
        "fm.compare({'a': table['a'], 'b': table['b']}, table['text']) compares several",
    ),
    (
        lambda: fm.score(ROWS, hypothesis="text", reference=["pred_text", "text"]),  # type: ignore[call-overload]
        "several are list(zip(table['a'], table['b']))",
    ),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_what_is_no_table_or_lacks_a_column_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError) as caught:
        call()
    assert message in str(caught.value)


def test_tables_of_pandas_with_other_row_labels_do_not_pair_by_position() -> None:
    """Shuffled rows keep their labels: by position each hypothesis would meet the reference of another row."""
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    table = pd.DataFrame(ROWS)
    shuffled = table.iloc[[2, 0, 1]]
    expected = fm.score(table, hypothesis="pred_text", reference="text").score
    for hypotheses, references, names in (
        (shuffled, table, {"hypothesis": "pred_text", "reference": "text"}),
        (shuffled["pred_text"], table, {"reference": "text"}),
        (shuffled, table["text"], {"hypothesis": "pred_text"}),
    ):
        with pytest.raises(
            fm.FstmetricsError, match=r"different labels \(index\); .*id=\"COLUMN\" to pair them"
        ):
            fm.score(hypotheses, references, **names)
    found = fm.score(shuffled, table, hypothesis="pred_text", reference="text", id="utt")
    assert found.score == expected
    assert fm.score(table.copy(), table, hypothesis="pred_text", reference="text").score == expected
    with pytest.raises(fm.FstmetricsError, match="'utt' differs in the same rows"):
        fm.score(shuffled.reset_index(drop=True), table, hypothesis="pred_text", reference="text")
    by_place = fm.score(shuffled["pred_text"].tolist(), table["text"].tolist())
    assert by_place.score > expected


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_bring_their_columns_as_fields(library: str) -> None:
    """Those of texts, numbers and truth values; the others, and those that are named, are none."""
    make = pytest.importorskip(library).DataFrame
    rows = [row | {"waveform": [0.1], "ok": row["seconds"] is not None} for row in ROWS]
    plain = make(ROWS)
    frame = make(rows)
    names = {"hypothesis": "pred_text", "reference": "text", "id": "utt"}
    wanted = fm.score(ROWS, **names, fields=["speaker", "seconds"])  # type: ignore[call-overload]
    assert [*fm.score(plain, **names).fields] == [*wanted.fields]
    assert {*fm.score(frame, **names).fields[0]} == {"speaker", "seconds", "ok"}
    by_id = {str(row["utt"]): row["text"] for row in ROWS}
    for two in (
        fm.score(frame[::-1], plain, **names),
        fm.score(plain, by_id, hypothesis="pred_text", id="utt"),
    ):
        assert [fields["speaker"] for fields in two.fields] == [row["speaker"] for row in ROWS]
    assert not any(fm.score(frame, **names, fields=[]).fields)
    assert not any(fm.score(ROWS, **names).fields)


WITH_IDS = [{"id": f"u{n}", "ref": "a b c", "hyp": "a x c" if n % 3 else "a b c"} for n in range(6)]
SIDES: dict[str, Any] = {"hypothesis": "hyp", "reference": "ref"}


@pytest.mark.parametrize("library", ["dicts", "pandas", "polars"])
def test_a_column_called_id_has_the_ids(library: str) -> None:
    def table(rows: list[dict[str, Any]]) -> Any:
        return rows if library == "dicts" else pytest.importorskip(library).DataFrame(rows)

    corpus, backwards = (fm.score(table(rows), **SIDES) for rows in (WITH_IDS, WITH_IDS[::-1]))
    assert [item.id for item in corpus] == [row["id"] for row in WITH_IDS]
    assert corpus.columns()["id"] == [row["id"] for row in WITH_IDS]
    assert "field_id" not in corpus.columns()
    with pytest.raises(fm.FstmetricsError, match="item 0 is u0 in a, and u5 in b"):
        fm.compare({"a": corpus, "b": backwards}, samples=100)
    # Two tables pair by it.
    paired = fm.score(table(WITH_IDS[::-1]), table(WITH_IDS), **SIDES)
    assert [(item.id, item.edits) for item in paired] == [(item.id, item.edits) for item in corpus]
    # What is named counts instead.
    named = fm.score(table(WITH_IDS), ids=list("abcdef"), **SIDES)
    assert [item.id for item in named] == list("abcdef")
    with pytest.raises(
        fm.FstmetricsError, match="the column 'id' has the ids, and the id 'u0' is there twice"
    ):
        fm.score(table([*WITH_IDS, WITH_IDS[0]]), **SIDES)


def test_scored_frames_in_other_orders_are_told_by_their_fields() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(WITH_IDS).rename(columns={"id": "clip"})
    one, other = (fm.score(each, **SIDES) for each in (frame, frame[::-1]))
    with pytest.raises(
        fm.FstmetricsError, match="the items have no ids, and 'clip' has its values in one order"
    ):
        fm.compare({"a": one, "b": other}, samples=100)
    assert fm.compare({"a": one, "b": one}, samples=100).test("b", "wer").delta == 0
    by_id = fm.score(frame, id="clip", **SIDES)
    assert fm.compare({"a": by_id, "b": by_id}, samples=100).test("b", "wer").delta == 0


HYPOTHESES = [{"utt": 1, "hyp": "a b"}, {"utt": 2, "hyp": "c"}]
REFERENCES = [{"utt": 2, "ref": "c"}, {"utt": 1, "ref": "a b"}]
OTHER_ROWS = [
    (HYPOTHESES, REFERENCES, "'utt' differs in the same rows, 1 and 2 in row 0 (from 0): say which column has the ids"),
    (HYPOTHESES, [{"id": row["utt"], "ref": row["ref"]} for row in REFERENCES],
     "'utt' has values of 'id' in other rows, 1 and 2 in row 0 (from 0): if they are ids, give both columns one name"),
    ([{"id": 1, "file": "x", "hyp": "a b"}, {"id": 2, "file": "y", "hyp": "c"}],
     [{"id": 1, "file": "y", "ref": "c"}, {"id": 2, "file": "x", "ref": "a b"}],
     "the id 1 has the file 'x' in hypotheses, and 'y' in references: say which column has the ids, id='file' or"),
]  # fmt: skip
TABLES: list[Callable[[Any], Any]] = [
    lambda rows: rows,
    iter,
    lambda rows: {name: [row[name] for row in rows] for name in rows[0]},
    lambda rows: pytest.importorskip("pandas").DataFrame(rows),
    lambda rows: pytest.importorskip("polars").DataFrame(rows).lazy(),
    lambda rows: pytest.importorskip("pyarrow").Table.from_pylist(rows).to_reader(),
    lambda rows: ArrowStream(pytest.importorskip("pyarrow").Table.from_pylist(rows)),
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("hypotheses", "references", "message"), OTHER_ROWS)
def test_two_tables_whose_rows_another_column_pairs_otherwise_are_refused(
    hypotheses: Any, references: Any, message: str, table: Callable[[Any], Any]
) -> None:
    names = {"hypothesis": "hyp", "reference": "ref"}
    with pytest.raises(fm.FstmetricsError) as refused:
        fm.score(table(hypotheses), table(references), **names)
    assert message in str(refused.value)
    for id in "utt", "file":
        if all(id in rows[0] for rows in (hypotheses, references)):
            assert fm.score(table(hypotheses), table(references), id=id, **names).edits == 0
    in_order = [{"words": row["ref"], "ref": row["ref"], "length": 7} for row in references[::-1]]
    assert fm.score(table(hypotheses), table(in_order), **names).edits == 0


@pytest.mark.parametrize("columns", [{"reference": "r"}, {}])
def test_rows_of_csv_with_more_cells_than_the_head_are_refused(columns: dict[str, str]) -> None:
    rows = csv.DictReader(["h,r", "a b,a b", "a b,a, b"])
    with pytest.raises(
        fm.FstmetricsError, match=r"\[1\] has more cells than the head, \[' b'\]: a cell with a comma"
    ):
        fm.score(rows, None if columns else ["a b", "a b"], hypothesis="h", **columns)
    assert fm.score(csv.DictReader(["h,r", "a b,a b", "a b"]), ["a b", "a b"], hypothesis="h").edits == 0


def test_a_frame_of_systems_is_made_a_dict_of_columns() -> None:
    frame = of_pandas()[["pred_text", "text"]]
    for call in (
        lambda systems: fm.compare(systems, COLUMNS["text"], samples=9).systems["text"]["wer"].score,
        lambda systems: len(fm.compare_profiles(systems, COLUMNS["text"], "none,whisper-en").systems) - 2,
    ):
        with pytest.raises(fm.FstmetricsError, match=r"not DataFrame; give those columns, as"):
            call(frame)
        assert call(dict(frame)) == 0
