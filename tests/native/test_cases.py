"""The cases of tests/cases, each over every route that can do it."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import pytest
from places import CASE_FILES

import fstmetrics as fm

CASES = [
    case for path in sorted(CASE_FILES.glob("*.toml")) for case in tomllib.loads(path.read_text())["case"]
]
NEGATIVE = ("wrr", "grr")


def metric_of(case: dict[str, Any]) -> fm.Metric:
    name = case["metric"]
    if name == "hyter":
        return fm.HyTER(case.get("window", 1), case.get("reordering", "moves"))
    if name == "grr":
        return fm.GRR(case.get("order", 4), Fraction(case.get("alpha", "1")), Fraction(case.get("beta", "0")))
    return fm.METRICS[name]()


def reference_of(case: dict[str, Any]) -> fm.Network | fm.Alternatives:
    if "network" in case:
        return fm.Network((fm.Card.from_phrases(n, p) for n, p in case["network"].items()), "S")
    return fm.Alternatives(case["references"])


@pytest.mark.parametrize("route", ["topological", "best-first", "dijkstra"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["source"][:60])
def test_every_route_gives_what_the_case_says(case: dict[str, Any], route: str) -> None:
    metric = metric_of(case)
    options = fm.SearchOptions(route=route)
    if case["metric"] in NEGATIVE and route != "topological":
        with pytest.raises(fm.SearchError, match="negative costs"):
            fm.align(case["hypothesis"], reference_of(case), metric, options=options)
        return
    result = fm.align(case["hypothesis"], reference_of(case), metric, options=options)
    assert result.stats is not None
    assert result.stats.route == route
    assert float(result.numerator) == case["numerator"]
    if "score" in case:
        assert result.score == pytest.approx(case["score"], abs=1e-15)
    if "denominator" in case:
        assert result.totals.denominator == case["denominator"]
    if "closest" in case:
        assert " ".join(result.closest) == case["closest"]
    for name, count in case.get("counts", {}).items():
        assert getattr(result, name) == count
