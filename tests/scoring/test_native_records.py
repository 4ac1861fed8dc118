"""Records that the engine writes are, byte for byte, those of results one by one."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics._native import LatticeColumn, RecordRows, TextColumn, Vocabulary
from fstmetrics.engine.oracle_results import OracleBatch
from fstmetrics.engine.search import search
from fstmetrics.lattices.oracles import OracleSearch
from fstmetrics.metrics import Metric
from fstmetrics.scoring.journal import Entry
from fstmetrics.scoring.native_records import NativeRecords
from fstmetrics.scoring.sums import Sums, columns, terms
from fstmetrics.support.json_text import written_json
from fstmetrics.text.normalisation import Normalisation

WORDS = ("a", "b", ["say", '"so"'][1], "back\\slash", "\x08bell\x7f", "naïve", "日本", "😀", "<s>", "*")


@pytest.mark.parametrize("alignment", [True, False])
@pytest.mark.parametrize("with_ids", [True, False])
@pytest.mark.parametrize(
    ("metric", "given"),
    [
        (fm.WER(), {}),
        (fm.MER(), {}),
        (fm.WRR(), {}),
        (fm.Sclite(), {}),
        (fm.WER(), {"unit": "char"}),
        (fm.WER(), {"lowercase": True}),
    ],
)
def test_records_and_entries_are_those_of_results(
    metric: Metric, given: dict[str, Any], with_ids: bool, alignment: bool
) -> None:
    choose = random.Random(1)
    sides = [[" ".join(choose.choices(WORDS, k=choose.randint(0, 6))) for _ in range(200)] for _ in range(2)]
    ids = [f"u\u00e9\U0001f600{n}" for n in range(200)] if with_ids else None
    normalisation = Normalisation(**given)
    written = NativeRecords(normalisation.unit, "a|signature", alignment)
    for part in (slice(0, 120), slice(120, 200)):
        names = None if ids is None else TextColumn(ids[part])
        columns = [TextColumn(side[part]) for side in sides]
        batch = search(names, columns[0], columns[1], metric, normalisation=normalisation)
        records, entries = written.written(batch, names)
        expected = [found.as_dict(alignment) | {"signature": "a|signature"} for found in batch]
        assert records.decode() == "".join(written_json(record) + "\n" for record in expected)
        said = [Entry(found.id, terms(found)).as_json() for found in batch]
        assert b"[" + entries + b"]" == json.dumps(said).encode()


def oracle_batch(
    choose: random.Random, metric: Metric, ids: list[str] | None, scales: fm.Scales
) -> OracleBatch:
    """Oracles of small lattices, some with costs, of which the empty reference is one."""
    column = LatticeColumn(Vocabulary())
    references = []
    for _ in range(60):
        arcs = choose.randint(1, 8)
        places = np.arange(arcs)
        columns = {"sources": places // 2, "destinations": places // 2 + 1, "places": places}
        costs = np.array([[choose.random(), choose.choice([0, 2.5])] for _ in range(arcs)])
        column.add_arrays(
            "", **columns, labels=np.arange(arcs, dtype=np.int32), costs=costs, finals=np.array([(arcs + 1) // 2]),
            final_costs=np.zeros((1, 2)), final_places=np.zeros(1, dtype=np.int64), start=0, num_states=None,
            frames=None, unit="arc", words=choose.choices(WORDS, k=arcs), limits=(99, 99, 99),
        )  # fmt: skip
        references.append(" ".join(choose.choices(WORDS, k=choose.randint(0, 6))))
    found = OracleSearch(metric, scales).of_columns(ids, column, TextColumn(references), {})
    assert isinstance(found, OracleBatch)
    return found


@pytest.mark.parametrize("alignment", [True, False])
@pytest.mark.parametrize("with_ids", [True, False])
@pytest.mark.parametrize("metric", [fm.WER(), fm.MER(), fm.WRR(), fm.Sclite()])
def test_records_of_oracles_are_those_of_results(metric: Metric, with_ids: bool, alignment: bool) -> None:
    choose = random.Random(2)
    written = NativeRecords("word", "a|signature", alignment)
    sums, one_by_one = Sums(), Sums()
    for scales in (fm.Scales(), fm.Scales(0.1, 0.3, -1.7)):
        ids = [f"u\u00e9\U0001f600{n}" for n in range(60)] if with_ids else None
        batch = oracle_batch(choose, metric, ids, scales)
        records, entries = written.written(batch, ids)
        expected = [found.as_dict(alignment) | {"signature": "a|signature"} for found in batch]
        assert any(record["density"] is None for record in expected)
        assert records.decode() == "".join(written_json(record) + "\n" for record in expected)
        said = [Entry(found.id, terms(found)).as_json() for found in batch]
        assert b"[" + entries + b"]" == json.dumps(said).encode()
        sums.add_all(columns(batch))
        for found in batch:
            one_by_one.add(terms(found))
    assert sums == one_by_one


@given(st.lists(st.floats() | st.integers(-(2**53), 2**53).map(float), min_size=1))
@example(
    [0.0, -0.0, 1e16, 9999999999999998.0, 1e-4, 9.9e-5, 5e-324, 1.7976931348623157e308, 100.0, 1e22, -1.5e300]
)
def test_numbers_are_written_as_python_writes_them(numbers: list[float]) -> None:
    rows = RecordRows(len(numbers))
    rows.numbers(np.array(numbers))
    assert rows.written(b" ").decode() == " ".join(written_json(number) for number in numbers)


def test_rows_are_the_same_by_any_number_of_threads() -> None:
    choose = random.Random(3)
    batch = oracle_batch(choose, fm.WER(), None, fm.Scales())
    found = []
    for threads in (1, 2, 3):
        rows = RecordRows(len(batch))
        rows.words(batch.best.found, "hypothesis")
        rows.alignments(batch.one_best.found)
        rows.words(batch.best.found, "closest")
        found.append(rows.written(b"\n", threads))
    assert found[0].count(b"\n") == len(batch) - 1
    assert found[0] == found[1] == found[2]


def test_rows_want_an_entry_of_every_column() -> None:
    with pytest.raises(ValueError, match="every row has one entry of each column"):
        RecordRows(2).numbers(np.zeros(3))
