"""Records that the engine writes are, byte for byte, those of results one by one."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics._native import TextColumn
from fstmetrics.metrics import Metric
from fstmetrics.runs.journal import Entry
from fstmetrics.runs.native_records import NativeRecords
from fstmetrics.runs.oracle_sums import terms
from fstmetrics.scoring.search import search
from fstmetrics.support.json_text import written_json
from fstmetrics.values.normalisation import Normalisation

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
    written = NativeRecords(normalisation.unit, "a|signature", alignment, terms)
    for part in (slice(0, 120), slice(120, 200)):
        names = None if ids is None else TextColumn(ids[part])
        columns = [TextColumn(side[part]) for side in sides]
        batch = search(names, columns[0], columns[1], metric, normalisation=normalisation)
        records, entries = written.written(batch, names)
        expected = [found.as_dict(alignment) | {"signature": "a|signature"} for found in batch]
        assert records.decode() == "".join(written_json(record) + "\n" for record in expected)
        said = [Entry(found.id, terms(found)).as_json() for found in batch]
        assert b"[" + entries + b"]" == json.dumps(said).encode()
