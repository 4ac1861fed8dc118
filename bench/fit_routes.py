"""Fit the predictions of the engine's table of routes to measurements: `python -m bench.fit_routes`.

A route's time is predicted as the sum of its terms, which are sizes of the problem that search/routes.cc names,
times so many nanoseconds each. All routes are measured at all points of the grid of the row `routes`. The nanoseconds
are those, none of them negative, for which the squares of the relative errors add up to least; points that are far off
count less and less. Printed are the nanoseconds for search/routes.cc, and how many predictions are close.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from bench import grid
from bench.rows.routes import measured
from fstmetrics.engine.search import routes_of

ROUNDS = 8
CLOSE = 1.5


def main() -> None:
    """Measure, or read what was measured; fit; print."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_routes", description=__doc__)
    parser.add_argument("--size", choices=["tiny", "full"], default="full", help="tiny: seconds")
    parser.add_argument(
        "--times", type=Path, metavar="FILE", help="keep what is measured here, or take it from here"
    )
    options = parser.parse_args()
    times = list(_times(options.size == "tiny", options.times))
    samples: defaultdict[str, list[tuple[list[float], float]]] = defaultdict(list)
    for point, routes in zip(grid.points(options.size == "tiny"), times, strict=False):
        for route, terms in terms_of(point).items():
            # In a window bit-parallel is another search, and all others are far slower.
            if route in routes and not (route == "bit-parallel" and point.costs.startswith("window")):
                samples[route].append((terms, routes[route] * 1e6))
    for route, some in samples.items():
        constants, share = fitted(some)
        numbers = ", ".join(f"{constant:.3g}" for constant in constants)
        print(f"{route}: {{{numbers}}}  {share:.0%} of {len(some)} within a factor of {CLOSE}")


def _times(tiny: bool, path: Path | None) -> Iterator[dict[str, float]]:
    if path and path.exists():
        yield from map(json.loads, path.read_text().splitlines())
        return
    for one in measured(tiny):
        if path:
            with path.open("a") as file:
                file.write(json.dumps(one.routes) + "\n")
        yield one.routes


def terms_of(point: grid.Point) -> dict[str, list[float]]:
    """The terms of every route that can be used."""
    table = routes_of(point.hypothesis, point.reference, point.metric)
    return {row.route: row.terms for row in table if not row.why_not}


def fitted(samples: list[tuple[list[float], float]]) -> tuple[list[float], float]:
    """Nanoseconds for each term, and the share of predictions that are close."""
    terms = np.array([some for some, _ in samples])
    times = np.array([time for _, time in samples])
    relative = terms / times[:, None]
    weights = np.ones(len(times))
    for _ in range(ROUNDS):
        root = np.sqrt(weights)
        constants, _ = nnls(relative * root[:, None], root)
        weights = 1 / (0.1 + np.abs(np.log(np.maximum(relative @ constants, 1e-9))))
    close = np.abs(np.log(relative @ constants)) <= np.log(CLOSE)
    return constants.tolist(), float(close.mean())


if __name__ == "__main__":
    main()
