"""Batches of texts for the function from batches to batches."""

from __future__ import annotations

import random
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

WORDS = ["a", "b", "c", "d", "e"]


def random_rows(seed: int, rows: int) -> list[dict[str, Any]]:
    """Texts of a few words, some of them empty."""
    draw = random.Random(seed)

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randrange(7)))

    return [{"id": f"u{n}", "hypothesis": text(), "reference": text()} for n in range(rows)]


def batch(rows: list[dict[str, Any]]) -> Any:
    return pa.RecordBatch.from_pylist(rows)
