"""The cases of tests/cases, each over every route that can do it."""

from __future__ import annotations

import json
import re
import tomllib
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from places import CASE_FILES

import fstmetrics as fm
from fstmetrics.engine import search
from fstmetrics.io import read_items

EXAMPLES = Path(str(files("fstmetrics") / "examples" / "oracle"))
CASES = [
    case for path in sorted(CASE_FILES.glob("*.toml")) for case in tomllib.loads(path.read_text())["case"]
]
ROUTES = tuple(route for route in search.ROUTES if route != "auto")


def metric_of(case: dict[str, Any]) -> fm.Metric:
    name = case["metric"]
    if name == "hyter":
        return fm.HyTER(case.get("window", 1), case.get("reordering", "moves"))
    if name == "grr":
        return fm.GRR(case.get("order", 4), Fraction(case.get("alpha", "1")), Fraction(case.get("beta", "0")))
    return fm.METRICS[name]()


def reference_of(case: dict[str, Any]) -> fm.Network | fm.Alternatives | str:
    if "network" in case:
        return fm.Network((fm.Card.from_phrases(n, p) for n, p in case["network"].items()), "S")
    return case["references"][0] if len(case["references"]) == 1 else fm.Alternatives(case["references"])


def why_not(case: dict[str, Any], route: str) -> str:
    """Why the engine's table says that the route cannot be used; nothing if it can."""
    table = {
        row.route: row.why_not
        for row in search.routes_of(case["hypothesis"], reference_of(case), metric_of(case))
    }
    # Two strings come to it before the table, whatever costs weigh edits alike.
    weighs_edits_alike = case["metric"] in ("wer", "wrr", "hyter") and metric_of(case).window == 1
    is_pair = route == "bit-parallel" and isinstance(reference_of(case), str) and weighs_edits_alike
    return "" if is_pair else table[route]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["source"][:60])
def test_every_route_gives_what_the_case_says_or_says_why_it_cannot(case: dict[str, Any], route: str) -> None:
    hypothesis, reference, metric = case["hypothesis"], reference_of(case), metric_of(case)
    options = fm.SearchOptions(route=route)
    if reason := why_not(case, route):
        with pytest.raises(fm.SearchError) as refused:
            fm.align(hypothesis, reference, metric, options=options)
        assert str(refused.value).startswith(f"route {route} cannot be used: ")
        assert reason in str(refused.value)
        return
    result = fm.align(hypothesis, reference, metric, options=options)
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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["source"][:60])
def test_openfst_gives_what_the_case_says(case: dict[str, Any]) -> None:
    """The second referee: composition, pruning and shortest paths of OpenFst alone."""
    pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    found = fm.refereed(case["hypothesis"], reference_of(case), metric_of(case))
    assert found.agree, str(found)
    alone = fm.Result(found.result.metric, found.totals)
    assert float(alone.numerator) == case["numerator"]
    if "score" in case:
        assert alone.score == pytest.approx(case["score"], abs=1e-15)
    for name, count in case.get("counts", {}).items():
        assert getattr(alone, name) == count


# Of the cases above.
FEWEST = {"string-pair": 4, "chart": 5}


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_can_do_many_cases(route: str) -> None:
    assert sum(not why_not(case, route) for case in CASES) >= FEWEST.get(route, 8)


EXPECTED = json.loads((CASE_FILES / "examples.json").read_text())


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("metric", [fm.WER(), fm.GRR()], ids=lambda metric: metric.name)
def test_every_route_finds_the_oracles_of_the_examples_or_says_why_it_cannot(
    metric: fm.Metric, route: str
) -> None:
    lines = (EXAMPLES / "ref.txt").read_text().splitlines()
    references = {id: words for id, _, words in (line.partition(" ") for line in lines)}
    options = fm.SearchOptions(route=route)
    for item in read_items(EXAMPLES / "lattices").items:
        assert item.id is not None
        lattice, reference = item.value, references[item.id]
        (reason,) = (r.why_not for r in search.routes_of(lattice, reference, metric) if r.route == route)
        if reason:
            with pytest.raises(fm.SearchError, match=re.escape(reason)):
                fm.align(lattice, reference, metric, options=options)
            continue
        result = fm.align(lattice, reference, metric, options=options)
        edits, _, words, numerator, _ = EXPECTED[metric.name][item.id]
        assert (result.edits, result.path_length, float(result.numerator)) == (edits, words, numerator)
