"""Results as columns, frames of pandas and tables of Arrow: a row an item, the library loaded only then."""

from __future__ import annotations

import gc
import math
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import written

import fstmetrics as fm

HYPOTHESES = {"u1": "a b c", "u2": "a x", "u3": "", "u4": "d d d"}
REFERENCES = {"u1": ["a b c"], "u2": ["a b c", "x y"], "u3": ["a"], "u4": ["d d"]}


@pytest.mark.parametrize("metric", [fm.WER(), fm.GRR(order=2), fm.HyTER(window=2)])
@pytest.mark.parametrize("unit", ["word", "char"])
def test_columns_say_of_each_item_what_its_result_says(metric: fm.Metric, unit: str) -> None:
    corpus = fm.score(HYPOTHESES, REFERENCES, metric, normalisation=fm.Normalisation(unit=unit))
    columns = corpus.columns(texts=True)
    names = [name for name in columns if name not in ("hypothesis", "closest")]
    for place, item in enumerate(corpus):
        assert [columns[name][place] for name in names] == [getattr(item, name) for name in names]
        assert columns["hypothesis"][place] == ("" if unit == "char" else " ").join(item.hypothesis)
        assert columns["closest"][place] == ("" if unit == "char" else " ").join(item.closest)
    items = sum(corpus)  # the same without the engine's columns
    assert isinstance(items, fm.CorpusResult)
    for name, column in items.columns(texts=True).items():
        assert np.array_equal(column, columns[name]), name


def test_oracles_have_their_1_best_beside_them() -> None:
    lattice = fm.Lattice.from_strings(["a b", "a c"], costs=[1.0, 2.0])
    oracles = sum([fm.oracle(lattice, "a c"), fm.oracle(lattice, "a b")])
    columns = oracles.columns()
    assert columns["one_best_score"] == [0.5, 0.0]
    assert columns["arcs"] == [lattice.num_arcs] * 2


def test_a_frame_and_a_table_of_arrow_hold_the_columns() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    corpus = fm.score(HYPOTHESES, REFERENCES)
    strings = fm.score(list(HYPOTHESES.values()), list(REFERENCES.values()), "chrf")
    compared = fm.compare(
        {"A": ["a b"] * 6, "B": ["a", "b"] * 3, "C": ["b"] * 6},
        ["a b"] * 6,
        [fm.WER(), fm.BLEU()],
        samples=10,
    )
    several = fm.score(HYPOTHESES, REFERENCES, ["wer", "chrf"])
    errors = fm.errors(corpus)
    things = ((corpus, 4), (strings, 4), (compared, 6), (several, 4), (errors, len(errors.rows())))
    for thing, rows in things:
        columns = thing.columns()
        frame, table = thing.to_pandas(), thing.to_arrow()
        assert isinstance(frame, pandas.DataFrame)
        assert isinstance(table, pyarrow.Table)
        assert [*frame.columns] == table.column_names == [*columns]
        assert len(frame) == table.num_rows == rows
        for name, column in columns.items():
            assert table[name].to_pylist() == list(column)
    assert corpus.to_pandas(texts=True).set_index("id").loc["u2", "closest"] == "a b c"
    assert corpus.to_arrow(texts=True)["closest"].to_pylist()[1] == "a b c"


def test_scores_of_several_metrics_have_a_column_each() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"hyp": ["a b", "c"], "ref": ["a", "c d"]}, index=[7, 3])
    found = fm.score(frame["hyp"], frame["ref"], ["wer", "bleu", "chrf"])
    table = found.to_pandas()
    assert [*table.columns] == ["id", "wer", "bleu", "chrf"]
    assert [*table.index] == [7, 3]
    for name in found:
        assert table[name].tolist() == found[name].item_scores.tolist()


def test_scores_of_files_are_tables_or_say_what_is_one(tmp_path: Path) -> None:
    """Of best paths only the sums are kept."""
    pytest.importorskip("pandas")
    ref, hyp = written(tmp_path / "ref.txt", "a b\nc\n"), written(tmp_path / "hyp.txt", "a b\nd\n")
    bleu = fm.score_files(references=ref, hypotheses=hyp, metric="chrf")
    assert bleu.to_pandas()["score"].tolist() == [100, 0]
    for metric in ("wer", "wer,chrf"):
        found = fm.score_files(references=ref, hypotheses=hyp, metric=metric)
        with pytest.raises(fm.FstmetricsError, match="alignment=True keeps them"):
            found.to_pandas()
    found = fm.score_files(references=ref, hypotheses=hyp, alignment=True)
    assert found.to_pandas()["edits"].tolist() == [0, 1]
    kept = fm.score(fm.read_text(hyp), fm.read_text(ref), ["wer", "chrf"]).to_pandas()
    assert (kept["wer"].tolist(), kept["chrf"].tolist()) == ([0, 1], [100, 0])
    compared = fm.compare_files({"one": hyp, "two": hyp}, references=ref, metric="wer", test="randomization")
    assert compared.to_pandas()["system"].tolist() == ["one", "two"]


@pytest.mark.parametrize("metric", ["chrf", "chrf,bleu", "nist"])
def test_rows_of_files_have_their_ids(metric: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u2 a dog ran\nu1 the cat sat\nu3 it is so now\n")
    hyp = written(tmp_path / "hyp", "u1 the cat sat\nu2 a dog run\nu3 it is so now\n")
    found = fm.score_files(references=ref, hypotheses=hyp, metric=metric)
    assert list(found.columns()["id"]) == ["u2", "u1", "u3"]


def test_comparisons_by_field_are_one_table() -> None:
    """A value with a single item has no test, and no interval; a field may be called as a column."""
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    fields = {"who": ["ann", "bob"] * 3 + ["cy"], "system": [1, True, 2] + [True] * 4}
    outputs = {"A": ["a b"] * 7, "B": ["a", "b c"] * 3 + ["a b"]}
    found = fm.compare(
        outputs, ["a b"] * 7, "wer", fields=fields, by=["who", "system", "who+system"], samples=10
    )
    who, system, both = found.by.values()
    frame = who.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["who"].tolist() == ["ann", "ann", "bob", "bob", "cy", "cy"]
    assert frame["system"].tolist() == ["A", "B"] * 3
    for value, group in who.items():
        rows = frame[frame["who"] == value]
        assert rows["score"].tolist() == [group.systems[name]["wer"].score for name in "AB"]
        assert rows["p"].dropna().tolist() == [test.p for test in group.tests if not math.isnan(test.p)]
    assert isinstance(who.to_arrow(), pyarrow.Table)
    assert str([*system]) == "[1, True, 2]"
    assert str(system.columns()["field_system"]) == "[1, 1, True, True, 2, 2]"
    assert [*both.columns()][:2] == ["who", "field_system"]
    head, *lines = str(who).splitlines()
    assert head.split()[:5] == ["wer", "by", "who", "system", "items"]
    assert [line.split()[:3] for line in lines] == [[w, s, n] for w, n in zip(
        ("ann", "bob", "cy"), "331", strict=True) for s in "AB"]  # fmt: skip
    assert str(found.by).startswith("{'who': ByValue(who: 'ann', 'bob', 'cy'), ")


@pytest.mark.parametrize("seed", range(5))
def test_columns_of_alignments_are_those_of_results(seed: int) -> None:
    choose = random.Random(seed)
    sides = [[" ".join(choose.choices("abc", k=choose.randint(0, 80))) for _ in range(20)] for _ in range(2)]
    lattices = [fm.Lattice.from_strings([text, "a b"]) for text in sides[0]]
    for corpus in (fm.score(*sides), fm.score(lattices, sides[1]), fm.score(*sides, fm.HyTER(window=2))):
        fast, slow = corpus.alignment_columns(), sum(corpus).alignment_columns()
        for name, column in slow.items():
            assert fast[name].dtype == column.dtype, name
            assert fast[name].tolist() == column.tolist(), name


def test_other_libraries_take_results_as_they_are() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = [{"speaker": "ann", "start": 1.5, "clean": True}, {}, {"speaker": "bob", "start": 2}, {"take": 3}]
    corpus = fm.score(HYPOTHESES, REFERENCES, fields=dict(zip(HYPOTHESES, rows, strict=True)))
    strings = fm.score(list(HYPOTHESES.values()), list(REFERENCES.values()), "chrf")
    table = pyarrow.table(corpus)
    table.validate(full=True)
    for found in (corpus, strings):
        taken = pyarrow.table(found)
        for name, column in found.columns().items():
            assert taken[name].to_pylist() == list(column), name
    assert table["operations"].to_pylist() == ["".join(pair.op for pair in item.alignment) for item in corpus]
    del corpus, found  # what has been taken stays
    gc.collect()
    assert table["edits"].to_pylist() == [0, 2, 1, 1]
    unnamed = pyarrow.table(fm.score(["a"], ["b"]))
    assert unnamed["id"].to_pylist() == [None]


def test_polars_pandas_and_duckdb_take_results() -> None:
    corpus = fm.score(HYPOTHESES, REFERENCES)
    edits = corpus.columns()["edits"].tolist()
    pytest.importorskip("pyarrow")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    assert polars.DataFrame(corpus)["edits"].to_list() == edits
    if hasattr(pandas.DataFrame, "from_arrow"):  # pandas 3
        assert pandas.DataFrame.from_arrow(corpus)["edits"].tolist() == edits
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select sum(edits) from corpus").fetchall() == [(sum(edits),)]


def test_a_stream_that_nobody_reads_is_freed() -> None:
    corpus = fm.score(HYPOTHESES, REFERENCES)
    for _ in range(100):
        corpus.__arrow_c_stream__()


def test_rows_of_a_comparison_are_scores_with_the_test_against_the_baseline_then_other_tests() -> None:
    systems = {"A": ["a b"] * 3, "B": ["a"] * 3}
    compared = fm.compare(systems, ["a b"] * 3, [fm.WER()], test="sign", both_ways=True)
    columns = compared.columns()
    assert columns["system"] == ["A", "B", "A"]
    assert columns["baseline"] == [None, "A", "B"]
    assert columns["worse"] == [None, 3, 0]
    assert columns["p"] == [None, compared.test("B", "wer").p, compared.test("A", "wer", "B").p]
    assert compared.as_dict()["systems"]["B"]["wer"]["score"] == 0.5


def test_rows_of_further_tests_follow() -> None:
    systems = {"A": ["a b"] * 89 + ["a c"], "B": ["a", "a b", "x y"] * 30}
    compared = fm.compare(systems, ["a b"] * 90, "wer", test=["bootstrap", "mapsswe"], samples=99)
    columns = compared.columns()
    assert columns["system"] == ["A", "B", "B"]
    assert columns["test"] == [None, "mapsswe", "bootstrap"]
    assert columns["p"][1:] == [test["p"] for test in compared.as_dict()["tests"]]
    assert columns["statistic"][1] is not None
    assert columns["statistic"][2] is None


def test_without_ids_or_statistics_there_are_rows_all_the_same() -> None:
    assert fm.score(["a"], ["a"]).columns()["id"] == [None]
    assert fm.score(["a"], [""]).columns()["score"].tolist() == [math.inf]
    assert fm.score(["a b"], ["a b"], "nist").columns() == {"id": [None]}


def test_the_library_is_loaded_only_then_and_named_where_it_is_missing() -> None:
    program = """
import sys, fstmetrics as fm
found = fm.score(["a"], ["a"])
assert not {"pandas", "pyarrow"} & {*sys.modules}
sys.modules |= {"pandas": None, "pyarrow": None}
for way in (found.to_pandas, found.to_arrow):
    try:
        way()
    except fm.FstmetricsError as error:
        print(error)
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [
        "to_pandas needs pandas, which is not installed: pip install 'fstmetrics[tables]'",
        "to_arrow needs pyarrow, which is not installed: pip install 'fstmetrics[tables]'",
    ]


def test_results_without_alignments_have_no_texts() -> None:
    counts = fm.score(["", "a b"], ["", "a c"], options=fm.SearchOptions(alignment=False))
    assert counts.to_pandas()["hypothesis_length"].tolist() == [0, 2]
    for corpus in (counts, fm.CorpusResult.of(list(counts)), pickle.loads(pickle.dumps(counts))):
        for call in (
            lambda corpus=corpus: corpus.to_pandas(texts=True),
            lambda corpus=corpus: corpus.columns(texts=True),
            lambda corpus=corpus: corpus.alignment_columns(),
            lambda corpus=corpus: corpus.__arrow_c_stream__(),
        ):
            with pytest.raises(fm.FstmetricsError, match=r"item 1 \(from 0\) has no alignment; score with"):
                call()
    nothing = fm.score([""], [""], options=fm.SearchOptions(alignment=False)).columns(texts=True)
    assert (nothing["hypothesis"], nothing["closest"]) == ([""], [""])
