"""Datasets of Hugging Face: the rows of `scorer`, in any format, and its sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from arrow_batches import batch, random_rows
from command import written
from later_modules import later

import fstmetrics as fm
from fstmetrics.batches import merge, scorer

datasets = later("datasets", "datasets is not installed")
adapter = later("fstmetrics.apps.adapters.datasets", "")

ROWS = [
    *random_rows(5, 40),
    {"id": "empty", "hypothesis": "oh", "reference": ""},
    {"id": "missing", "hypothesis": None, "reference": "a"},
]
EXPECTED = [
    {name: value for name, value in row.items() if name != "id"}
    for row in scorer("wer")(batch(ROWS)).to_pylist()
]


@pytest.fixture
def data() -> Any:
    datasets.disable_progress_bars()
    return datasets.Dataset.from_list(ROWS)


def results(rows: Any) -> list[dict[str, Any]]:
    return [{name: row[name] for name in EXPECTED[0]} for row in rows]


def test_a_dataset_has_the_results_after_its_own_columns(data: Any) -> None:
    found = adapter.score_dataset(data, scorer("wer"), batch_size=7)
    assert found.column_names == ["id", "hypothesis", "reference", *EXPECTED[0]]
    assert results(found) == EXPECTED
    assert [row["hypothesis"] for row in found] == [row["hypothesis"] for row in ROWS]


def test_streams_and_dictionaries_are_scored_as_well(data: Any) -> None:
    stream = adapter.score_dataset(data.to_iterable_dataset(), scorer("wer"))
    assert results(stream) == EXPECTED
    both = adapter.score_dataset(datasets.DatasetDict({"dev": data, "test": data}), scorer("wer"))
    assert type(both) is datasets.DatasetDict
    assert results(both["test"]) == EXPECTED


@pytest.mark.parametrize("kind", ["arrow", "pandas", "polars"])
def test_the_function_for_map_takes_tables_and_frames(data: Any, kind: str) -> None:
    pytest.importorskip({"arrow": "pyarrow"}.get(kind, kind))
    found = data.with_format(kind).map(adapter.MapFunction(scorer("wer")), batched=True, batch_size=9)
    assert results(found.with_format(None)) == EXPECTED


def test_the_function_for_map_refuses_lists(data: Any) -> None:
    with pytest.raises(fm.FstmetricsError, match="expected batches of Arrow"):
        data.map(adapter.MapFunction(scorer("wer")), batched=True)


def test_the_format_of_the_dataset_stays(data: Any) -> None:
    given = data.with_format("numpy", columns=["id"])
    found = adapter.score_dataset(given, scorer("wer"))
    assert (found.format["type"], found.format["columns"]) == ("numpy", ["id"])
    assert len(found) == len(ROWS)


def test_two_processes_have_the_same_rows(data: Any) -> None:
    assert results(adapter.score_dataset(data, scorer("wer"), num_proc=2)) == EXPECTED


def test_sums_are_those_of_the_whole_in_any_batches(data: Any) -> None:
    whole = merge([scorer("wer")(batch(ROWS))])
    for size in (1, 5, 100):
        parts = map(scorer("wer"), data.with_format("arrow").iter(size))
        assert merge(parts).to_bytes() == whole.to_bytes()


def test_what_was_scored_once_is_kept_whether_or_not_the_scorer_was_used(
    tmp_path: Path, data: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data.save_to_disk(tmp_path / "data")
    stored = datasets.load_from_disk(str(tmp_path / "data"))
    score = scorer("wer")
    first = adapter.score_dataset(stored, score)
    again = [adapter.score_dataset(stored, each)._fingerprint for each in (score, scorer("wer"))]
    assert again == [first._fingerprint] * 2
    assert adapter.score_dataset(stored, scorer("grr"))._fingerprint != first._fingerprint
    monkeypatch.setattr("fstmetrics.apps.adapters.datasets.__version__", "later")
    assert adapter.score_dataset(stored, score)._fingerprint != first._fingerprint


def stored_rows(folder: Path, hypothesis: dict[str, Any]) -> Any:
    rows = [{"id": "u1", "hypothesis": hypothesis, "reference": "a"}]
    datasets.Dataset.from_list(rows).save_to_disk(folder / "data")
    return datasets.load_from_disk(str(folder / "data"))


def test_what_changes_in_files_is_scored_again(tmp_path: Path) -> None:
    lattice = {"format": "kaldi-lattice", "data": "u1\n0 1 1 1.0,2.0,\n1 0,0,\n\n"}
    table, grammar = tmp_path / "words.txt", tmp_path / "own.grammar"
    stored = stored_rows(tmp_path, lattice)
    edits = []
    for symbols, rules in (("a 1\nb 2", "x -> y"), ("b 1\na 2", "x -> y"), ("b 1\na 2", "a -> b")):
        written(table, f"<eps> 0\n{symbols}\n")
        written(grammar, rules + "\n")
        score = scorer("wer", symbols=str(table), grammars=str(grammar))
        edits += adapter.score_dataset(stored, score)["edits"][:]
    assert edits == [0, 1, 0]


def test_archives_that_rows_name_are_read_again(tmp_path: Path) -> None:
    archive, edits = tmp_path / "nbest.txt", []
    for said in "ab":
        written(archive, f"u1 {said}\n")
        place = {"path": str(archive), "offset": 0, "length": 5, "format": "nbest-kaldi"}
        if said == "a":
            stored = stored_rows(tmp_path, place)
        edits += adapter.score_dataset(stored, scorer("wer"))["edits"][:]
    assert edits == [0, 1]


def test_rows_that_a_profile_leaves_out_are_not_there(data: Any) -> None:
    pytest.importorskip("whisper_normalizer", reason="the profile's rules are not installed")
    score = scorer("wer", normalisation=fm.profile("open-asr"))
    found = adapter.score_dataset(data, score)
    kept = [row["id"] for row in ROWS if row["reference"].strip()]
    assert found["id"][:] == [row["id"] for row in score(batch(ROWS)).to_pylist()] == kept


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"id": ["1"], "hypothesis": ["a"], "ref": ["b"]}, "no column 'reference'; it has id, hypothesis, ref"),
        ({"id": ["1"], "hypothesis": [1], "reference": ["b"]}, "column 'hypothesis': expected text"),
        ({"id": ["1"], "hypothesis": ["a"], "reference": ["b"], "score": [1]}, "'score' is there already"),
    ],
)  # fmt: skip
def test_columns_that_are_wrong_are_told_before_anything_runs(columns: dict[str, Any], told: str) -> None:
    given = datasets.Dataset.from_dict(columns)
    with pytest.raises(fm.FstmetricsError, match=told):
        adapter.score_dataset(given, scorer("wer"))


def test_a_prefix_parts_two_metrics(data: Any) -> None:
    found = adapter.score_dataset(data, scorer("wer", words=True), "wer_")
    found = adapter.score_dataset(found, scorer("grr"), "grr_")
    assert {"wer_score", "wer_hypothesis", "grr_score", "hypothesis"} <= set(found.column_names)
