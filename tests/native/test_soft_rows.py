"""Rows of soft re-segmentation: arrays that do not fit are refused. The numbers: tests/streams/test_soft.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fstmetrics import _native

# One piece "ab" of the references against "ab" and "." of the hypothesis.
RIGHT: dict[str, Any] = {
    "reference_offsets": [0, 2], "reference_characters": [0, 1], "reference_marks": [0], "rows": [0],
    "hypothesis_offsets": [0, 2, 3], "hypothesis_characters": [1, 0, 2], "hypothesis_marks": [0, 1],
    "columns": [0, 1, 0], "alphabet": 3,
}  # fmt: skip


def call(sums: Any, steps: Any, **changed: Any) -> None:
    given = RIGHT | changed
    kinds = {name: np.uint8 if name.endswith("marks") else np.int32 for name in given if name != "alphabet"}
    arrays = {name: np.array(given[name], dtype=kind) for name, kind in kinds.items()}
    _native.soft_rows(**arrays, alphabet=given["alphabet"], sums=sums, steps=steps)


def test_a_row() -> None:
    sums, steps = np.zeros(4), np.empty((1, 3), dtype=np.uint8)
    call(sums, steps)
    assert (sums.tolist(), steps.tolist()) == ([0, 1, 1, 1], [[0, 2, 0]])
    call(without := np.zeros(4), None)
    assert without.tolist() == sums.tolist()


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": [1]}, {"rows": [-1]}, {"columns": [2, 0, 0]}, {"columns": [0]}, {"alphabet": 2},
        {"reference_offsets": [0, 3]}, {"reference_offsets": [0]}, {"hypothesis_offsets": [0, 3, 2]},
        {"hypothesis_marks": [0]}, {"rows": [0, 0]},
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="numbers outside their arrays"):
        call(np.zeros(4), np.empty((1, 3), dtype=np.uint8), **changed)
