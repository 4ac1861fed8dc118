"""Line searches against brute force: every derivation written out, every crossing of two lines, in exact fractions."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

import pytest
from command import EXAMPLES
from places import HGDECODE, SHARED, needs_data

import fstmetrics as fm
from fstmetrics.apps.tuning import Candidates, line_search
from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.features import Features
from fstmetrics.data.nbest import NBest
from fstmetrics.io import read_items
from fstmetrics.io.items import FeatureOptions
from fstmetrics.io.weights_file import read_weights

NAMES = ("one", "two", "three")
VOCABULARY = ["a", "b", "c", "d", "e"]
# A derivation: its words, and its feature values.
Derivation = tuple[tuple[str, ...], tuple[int, ...]]


def values(rng: random.Random) -> tuple[int, ...]:
    """Far apart, so that no two derivations are one line."""
    return tuple(rng.randrange(-10_000, 10_000) for _ in NAMES)


def sentence(rng: random.Random, longest: int = 6) -> tuple[str, ...]:
    return tuple(rng.choices(VOCABULARY, k=rng.randrange(1, longest)))


def random_list(rng: random.Random, size: int) -> tuple[NBest, list[Derivation]]:
    found = [(sentence(rng), values(rng)) for _ in range(size)]
    rows = Features.from_rows(dict(zip(NAMES, row, strict=True)) for _, row in found)
    texts = tuple(words for words, _ in found)
    return NBest("x", texts, tuple(map(" ".join, texts)), features=rows), found


def random_forest(rng: random.Random, most_tails: int) -> tuple[FeatureForest, list[Derivation]]:
    """A forest whose edges have up to so many tails (1: a lattice), and all of its derivations."""
    vertices: list[list[tuple[str | int, ...]]] = []
    derivations: list[list[Derivation]] = []
    rows = []
    for vertex in range(rng.randrange(2, 6)):
        edges, of_vertex = [], []
        for _ in range(rng.randrange(1, 4)):
            tails = [rng.randrange(vertex) for _ in range(rng.randrange(0, most_tails + 1))] if vertex else []
            tokens: list[str | int] = [*tails, *rng.choices(VOCABULARY, k=rng.randrange(0, 3))]
            rng.shuffle(tokens)
            row = values(rng)
            edges.append(tuple(tokens))
            rows.append(dict(zip(NAMES, row, strict=True)))
            choices = [derivations[t] if isinstance(t, int) else [((t,), (0,) * len(NAMES))] for t in tokens]
            for parts in product(*choices):
                words = tuple(word for part, _ in parts for word in part)
                of_vertex.append((words, tuple(map(sum, zip(row, *(v for _, v in parts), strict=True)))))
        vertices.append(edges)
        derivations.append(of_vertex)
    return FeatureForest.from_edges(vertices, Features.from_rows(rows), id="x"), derivations[-1]


def lines(
    derivations: Sequence[Derivation], weights: Sequence[int], way: Sequence[int]
) -> list[tuple[int, int]]:
    def product_with(vector: Sequence[int], row: Sequence[int]) -> int:
        return sum(a * b for a, b in zip(vector, row, strict=True))

    return [(product_with(way, row), product_with(weights, row)) for _, row in derivations]


def brute_force(
    items: Sequence[Sequence[Derivation]],
    references: Sequence[str],
    weights: Sequence[int],
    way: Sequence[int],
) -> tuple[list[Fraction], list[float]]:
    """Where the best hypotheses change, and the word error rate between these points."""
    of_items = [lines(derivations, weights, way) for derivations in items]
    crossings = {
        Fraction(two[1] - one[1], one[0] - two[0])
        for of_item in of_items for one in of_item for two in of_item if one[0] != two[0]
    }  # fmt: skip
    at = sorted(crossings)
    between = [at[0] - 1, *((a + b) / 2 for a, b in pairwise(at)), at[-1] + 1] if at else [Fraction(0)]
    chosen = []
    for g in between:
        over, under = g.numerator, g.denominator  # integers, as fractions take ten times as long
        values = [[start * under + over * slope for slope, start in of_item] for of_item in of_items]
        best = [max(range(len(of_item)), key=of_item.__getitem__) for of_item in values]
        chosen.append([items[item][one][0] for item, one in enumerate(best)])
    scores = [fm.score([" ".join(words) for words in words_of], references, "wer") for words_of in chosen]
    totals = [score.totals[:-1] for score in scores]
    points = [p for p, before, after in zip(at, totals, totals[1:], strict=False) if before[0] != after[0]]
    kept = [scores[0].score, *(s.score for p, s in zip(at, scores[1:], strict=True) if p in set(points))]
    return points, kept


@pytest.mark.parametrize("kind", ["list", "long list", "lattice", "forest", "mixed"])
@pytest.mark.parametrize("seed", range(12))
def test_equals_brute_force(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    hypotheses: list[NBest | FeatureForest] = []
    items = []
    for number in range(rng.randrange(1, 3 if kind == "long list" else 5)):
        shape = kind if kind != "mixed" else ("list", "lattice", "forest")[number % 3]
        found: tuple[NBest | FeatureForest, list[Derivation]]
        if "list" in shape:
            found = random_list(rng, rng.randrange(17, 40) if kind == "long list" else rng.randrange(1, 12))
        else:
            found = random_forest(rng, 1 if shape == "lattice" else 2)
        hypotheses.append(found[0])
        items.append(found[1])
    references = [" ".join(sentence(rng)) for _ in items]
    weights, way = ([rng.randrange(-9, 10) for _ in NAMES] for _ in range(2))
    way[0] = way[0] or 1
    points, scores = brute_force(items, references, weights, way)
    found = line_search(
        Candidates(hypotheses, references, "wer"),
        dict(zip(NAMES, weights, strict=True)),
        dict(zip(NAMES, way, strict=True)),
    )
    # Statistics may change where the error rate does not: there the engine has a point more.
    changes = [i for i, (a, b) in enumerate(pairwise(found.scores.tolist())) if a != b]
    assert found.points[changes].tolist() == pytest.approx([float(p) for p in points], rel=1e-12, abs=1e-12)
    assert found.scores[[0, *(i + 1 for i in changes)]].tolist() == scores
    assert found.score == min(scores)
    begin, end = found.interval
    assert begin < found.step < end
    assert found.at(found.step) == found.score
    moved = {n: w + found.step * d for n, w, d in zip(NAMES, weights, way, strict=True)}
    assert Candidates(hypotheses, references, "wer").score(moved) == found.score


def test_interval_that_rounding_makes() -> None:
    """Three lines through one point: the middle one is the best in an interval that only rounding makes."""
    rows = Features.from_rows([{"x": s, "y": -0.1 * s} for s in (1.0, 2.0, 3.0)])
    nbest = NBest("x", (("b",), ("a",), ("c",)), ("b", "a", "c"), features=rows)
    found = line_search(Candidates([nbest], ["a"], "wer"), {"y": 1.0}, {"x": 1.0})
    assert 0.0 in found.scores
    assert found.score == 1.0


def test_the_step_leaves_points_where_hypotheses_are_equally_good() -> None:
    """Three lines meet at 0; the outer two are one text, so nothing changes there but for 0 itself."""
    rows = Features.from_rows([{"x": 0.5}, {"x": -1.0}, {"x": 1.0}])
    candidates = Candidates(
        [NBest("x", (("b",), ("a",), ("a",)), ("b", "a", "a"), features=rows)], ["a"], "wer"
    )
    found = line_search(candidates, {}, {"x": 1.0})
    assert (found.points.tolist(), found.score, found.meetings.tolist()) == ([], 0.0, [0.0])
    assert candidates.score({"x": 0.0}) == 1.0
    assert candidates.score({"x": found.step}) == found.score


def test_the_interval_nearest_to_where_one_is() -> None:
    """Of equally good intervals the one with 0 in it: nothing moves without a reason."""
    rows = Features.from_rows([{"x": -1.0}, {"x": 0.0, "y": 0.5}, {"x": 1.0}])
    nbest = NBest("x", (("a",), ("a",), ("b",)), ("a", "a", "b"), features=rows)
    found = line_search(Candidates([nbest], ["a"], "wer"), {"x": 0.0, "y": 1.0}, {"x": 1.0})
    assert found.interval == (float("-inf"), 0.5)
    assert found.step == pytest.approx(0.45)


@pytest.mark.parametrize("metric", ["bleu", "bleu-sbp", "wer", "grr", "mean-bleu", "mean-wer", "wil", "mer"])
def test_every_metric_is_that_of_the_chosen_strings(metric: str) -> None:
    rng = random.Random(metric)
    lists = [random_list(rng, 8)[0] for _ in range(6)]
    references = [[" ".join(sentence(rng)), " ".join(sentence(rng))] for _ in lists]
    candidates = Candidates(lists, references, metric)
    weights, way = {"one": 1.0, "two": -0.5, "three": 2.0}, {"two": 1.0}
    found = line_search(candidates, weights, way)
    plain = fm.Normalisation(tokenize="none")
    for step, score in zip([found.points[0] - 1, *(found.points + 1e-7)], found.scores, strict=True):
        strings = [" ".join(words) for words in candidates.best(weights | {"two": weights["two"] + step})]
        assert score == pytest.approx(fm.score(strings, references, metric, normalisation=plain).score)


def test_lattices_have_their_costs_as_features() -> None:
    lattice = fm.Lattice.read(EXAMPLES / "oracle" / "lattices" / "holmes23.slf.gz")
    candidates = Candidates([lattice], ["i believe that a single lady can get on very nicely"], "grr")
    assert candidates.names == ("lm", "acoustic", "word_penalty")
    for scales in (fm.Scales(), fm.Scales(acoustic=0.1, word_penalty=-2)):
        weights = {"lm": scales.lm, "acoustic": scales.acoustic, "word_penalty": scales.word_penalty}
        assert candidates.best(weights) == [lattice.best_path(scales).words]


@needs_data
def test_best_path_of_a_moses_hypergraph() -> None:
    """What Moses' hgdecode finds in its own search graph, as its test records it."""
    (item,) = read_items(HGDECODE / "hg.gz", features=FeatureOptions()).items
    weights = read_weights(str(HGDECODE / "dense.weights"))
    expected = (HGDECODE / "results.txt").read_text().splitlines()[0].removeprefix("STDOUT_1=").split()
    found = Candidates([item.value], ["x"], "wer").best(weights)
    assert [*found[0]] == expected[1:-1]  # without <s> and </s>


@needs_data
@pytest.mark.parametrize("run", [1, 2, 3])
def test_statistics_of_moses(run: int) -> None:
    """BLEU's statistics of every hypothesis of all runs so far, duplicates aside, as Moses' extractor has them."""
    folder = SHARED / "mt-moses" / "mert.extractor-txt"
    runs = [NBest.read_all(folder / f"nbest.{n}.gz", features=True) for n in range(1, run + 1)]
    references = (folder / "reference").read_text().splitlines()
    candidates = Candidates(list(zip(*runs, strict=True)), references, fm.BLEU(ref_length="closest"))
    lines = gzip.decompress((folder / f"scorestat.run{run}.txt.gz").read_bytes()).decode().splitlines()
    expected = [tuple(map(int, line.split())) for line in lines if line[0].isdigit()]
    matches, totals, length = (
        candidates.statistics[:, :4],
        candidates.statistics[:, 4:8],
        candidates.statistics[:, -1],
    )
    rows = [
        (*(int(v) for pair in zip(m, t, strict=True) for v in pair), int(r))
        for m, t, r in zip(matches.tolist(), totals.tolist(), length.tolist(), strict=True)
    ]
    found = [rows[row] for row in candidates.row_of_edge]
    assert len(found) == len(expected)
    assert sorted(found) == sorted(expected)


def test_lines_of_a_long_list_that_meet_in_one_point() -> None:
    """Tangents of a parabola, all on the envelope; and as many through one point, of which only the outer two are."""
    slopes = range(-20, 21)
    for intercept, expected in ((lambda s: -s * s, 40), (lambda s: 3 * s, 1)):
        rows = Features.from_rows({"x": float(s), "y": float(intercept(s))} for s in slopes)
        texts = tuple((f"w{s}",) for s in slopes)
        nbest = NBest("x", texts, tuple(map(" ".join, texts)), features=rows)
        found = line_search(Candidates([nbest], ["w-20 w20 w0"], "bleu"), {"y": 1.0}, {"x": 1.0})
        offsets, begins, _ = Candidates([nbest], ["w0"], "wer").envelopes(
            nbest.features.column(0),
            nbest.features.column(1),  # type: ignore[union-attr]
        )
        assert len(begins) - 1 == expected
        assert found.recognition
        assert offsets.tolist() == [0, len(begins)]
