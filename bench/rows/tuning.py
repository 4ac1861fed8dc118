"""Line searches of n-best lists against the same in numpy and Python, of lattices against their paths as lists."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt

from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, ratio_line
from fstmetrics.apps.tuning import Candidates, LineSearch, line_search
from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.features import Features
from fstmetrics.data.nbest import NBest

Doubles = npt.NDArray[np.float64]
NAMES = tuple(f"f{i}" for i in range(14))
PLAIN = "numpy and Python, the same lists"
PATHS = "ours, paths as n-best lists"
WORDS, CHANGED = 20, 5
# Sentences and entries of the lists; sentences, places and choices of the lattices.
LISTS, TINY_LISTS = (200, 300), (5, 20)
LATTICES, TINY_LATTICES = (20, 5, 4), (2, 3, 2)
GOAL = 10.0


def tuning(inputs: Inputs) -> Iterator[Line]:
    """One line of weights, from features to the score of every interval; statistics known beforehand."""
    lists, references = _lists(*(TINY_LISTS if inputs.tiny else LISTS))
    for metric in ("bleu", "wer"):
        candidates = Candidates(lists, references, metric)
        work = f"line search, {len(lists)} lists of {len(lists[0].entries)}, {metric}"
        yield _line(work, PLAIN, candidates, partial(_plainly, candidates), GOAL)
    forests, written, references = _lattices(*(TINY_LATTICES if inputs.tiny else LATTICES))
    candidates, paths = (Candidates(some, references, "grr") for some in (forests, written))
    work = f"line search, {len(forests)} lattices of {len(written[0].entries)} paths, 4-GRR"
    yield _line(work, PATHS, candidates, partial(line_search, paths))


def _line(work: str, peer: str, candidates: Candidates, theirs: object, goal: float | None = None) -> Line:
    rng = random.Random(work)
    ours_ms, theirs_ms = [], []
    for _ in range(5):
        weights = {name: rng.gauss(0, 1) for name in NAMES}
        way = {name: rng.gauss(0, 1) for name in NAMES}
        found, other = line_search(candidates, weights, way), theirs(weights, way)  # type: ignore[operator]
        agree(work, found.score, other.score, peer)
        agree(work, found.interval[0], other.interval[0], peer)
        agree(work, len(found.points), len(other.points), peer)
        ours_ms.append(cpu_ms(partial(line_search, candidates, weights, way)))
        theirs_ms.append(cpu_ms(partial(theirs, weights, way)))  # type: ignore[arg-type]
    return ratio_line(work, peer, ours_ms, theirs_ms, goal)


def _lists(sentences: int, entries: int) -> tuple[list[NBest], list[str]]:
    rng = random.Random(1)
    lists, references = [], []
    for number in range(sentences):
        reference = [f"w{rng.randrange(1000)}" for _ in range(WORDS)]
        references.append(" ".join(reference))
        texts = []
        for _ in range(entries):
            words = list(reference)
            for _ in range(CHANGED):
                words[rng.randrange(WORDS)] = f"w{rng.randrange(1000)}"
            texts.append(tuple(words))
        rows = Features.from_rows({name: rng.gauss(0, 1) for name in NAMES} for _ in texts)
        lists.append(NBest(str(number), tuple(texts), tuple(map(" ".join, texts)), features=rows))
    return lists, references


def _lattices(
    sentences: int, places: int, choices: int
) -> tuple[list[FeatureForest], list[NBest], list[str]]:
    """Confusion networks, and all of their paths as n-best lists."""
    rng = random.Random(1)
    forests, lists, references = [], [], []
    for number in range(sentences):
        vertices: list[list[tuple[str | int, ...]]] = [[()]]
        rows: list[dict[str, float]] = [{}]
        arcs = [
            [
                (f"w{place}-{i}", {name: float(rng.randrange(-1000, 1000)) for name in NAMES})
                for i in range(choices)
            ]
            for place in range(places)
        ]
        for place, of_place in enumerate(arcs):
            vertices.append([(place, word) for word, _ in of_place])
            rows += [row for _, row in of_place]
        forests.append(FeatureForest.from_edges(vertices, Features.from_rows(rows, NAMES), id=str(number)))
        paths = list(product(*arcs))
        texts = tuple(tuple(word for word, _ in path) for path in paths)
        sums = ({name: sum(row[name] for _, row in path) for name in NAMES} for path in paths)
        features = Features.from_rows(sums, NAMES)
        lists.append(NBest(str(number), texts, tuple(map(" ".join, texts)), features=features))
        references.append(" ".join(word for word, _ in rng.choice(paths)))
    return forests, lists, references


def _plainly(candidates: Candidates, weights: dict[str, float], way: dict[str, float]) -> LineSearch:
    """Och's line search as it is usually written: sort the lines, walk the hull, sort the changes, add up."""
    table, statistics = candidates.features.table, candidates.statistics
    assert table is not None
    lines = [table @ np.array([vector[name] for name in NAMES]) for vector in (weights, way)]
    intercepts, slopes = (line.tolist() for line in lines)
    rows = candidates.row_of_edge.tolist()
    changes: list[tuple[float, Doubles]] = []
    sums = np.zeros(statistics.shape[1])
    for begin, end in candidates.item_rows:
        order = np.lexsort([line[begin:end] for line in lines]) + begin
        hull: list[tuple[float, int]] = []
        for entry in order.tolist():
            at = -np.inf
            while hull:
                since, top = hull[-1]
                if slopes[top] == slopes[entry]:
                    hull.pop()
                    continue
                at = (intercepts[top] - intercepts[entry]) / (slopes[entry] - slopes[top])
                if at > since:
                    break
                hull.pop()
            hull.append((at if hull else -np.inf, entry))
        sums += statistics[rows[hull[0][1]]]
        for (_, before), (at, entry) in pairwise(hull):
            change = statistics[rows[entry]] - statistics[rows[before]]
            if change.any():
                changes.append((at, change))
    changes.sort(key=lambda change: change[0])
    points = np.array([at for at, _ in changes])
    every = np.cumsum(np.array([sums, *(change for _, change in changes)]), axis=0)
    return LineSearch(
        points, candidates.metric.corpus_score(every), every, candidates.metric.recognition, points
    )
