"""Whole numbers of numpy are whole numbers wherever one is an argument, and are kept as Python's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm

HYP, REF = ["a b", "c d", "e f"] * 4, ["a b", "c x", "e f"] * 4
SCORED = fm.score(HYP, REF)
CALLS: list[Callable[[Any], Any]] = [
    lambda n: SCORED.interval(samples=n, seed=n),
    lambda n: fm.compare({"a": SCORED, "b": SCORED}, samples=n, seed=n).as_dict(),
    lambda n: fm.grr("a b", "a b", order=n),
    lambda n: fm.score(HYP, REF, fm.HyTER(n)).signature,
    lambda n: [metric.settings() for metric in (fm.HyTER(n), fm.GRR(n), fm.ChrF(n, n, n))],
    lambda n: repr(fm.HyTER(n)),
    lambda n: len(fm.align(fm.Lattice.from_strings(["a", "b", "c"]), "b", nbest=n).nbest),
    lambda n: repr(fm.SearchOptions(threads=n, max_cells=n)),
    lambda n: fm.mbr(["a b", "a c", "a b"], "cer", nbest=n, evidence=n).best[0].expected_loss,
    lambda n: fm.score({n: "a"}, {2: "a"}).ids,
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_numbers_of_numpy_count_as_those_of_python(
    call: Callable[[Any], Any], kind: Callable[[int], Any]
) -> None:
    assert json.dumps(call(kind(2))) == json.dumps(call(2))


@pytest.mark.parametrize("number", [2.0, np.float64(2), True, np.bool_(True), "2", None])
def test_other_numbers_are_refused(number: Any) -> None:
    for call in (
        lambda: SCORED.interval(samples=number),
        lambda: fm.align("a", "a", nbest=number),
        lambda: fm.HyTER(number),
        lambda: fm.GRR(number),
        lambda: fm.ChrF(number),
    ):
        with pytest.raises(fm.FstmetricsError):
            call()


@pytest.mark.parametrize("half", [0.5, np.float32(0.5), np.float64(0.5), np.float16(0.5)])
def test_a_function_of_costs_may_give_any_number(half: Any) -> None:
    metric = fm.EditMetric(cost=lambda op, hyp, ref: half if op != "match" else np.int8(0))
    assert fm.align("a b", "a c", metric).score == 0.25
