"""Several texts a reference: the engine's way against a graph made of them in Python, item by item."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics._native import AlternativeTexts, TextColumn, strings_of_lists
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.search import COUNTS_ONLY, DEFAULT, search
from fstmetrics.engine.sides import AlternativeColumn, references_of, text_lists
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.text.normalisation import PLAIN, Normalisation

METRICS = [
    *map(as_metric, ("wer", "wrr", "grr", "mer", "sclite")),
    fm.HyTER(window=2),
    fm.HyTER(window=3, reordering="jumps"),
]
# Words, most words of a text, most texts of an item: few words, so that many alignments are equally good.
SIZES = [("ab", 5, 3), ("abc", 9, 4), ("aBc ", 12, 2), (["a", "b", "c", "<s>"], 80, 2)]


def texts_of(draw: random.Random, words: Sequence[str], longest: int) -> str:
    return " ".join(draw.choice(words) for _ in range(draw.randint(0, longest)))


def items(
    words: Sequence[str], longest: int, most: int, count: int, seed: int = 1
) -> tuple[list[str], list[list[str]]]:
    draw = random.Random(f"{words} {seed}")
    hypotheses = [texts_of(draw, words, longest) for _ in range(count)]
    references = [[texts_of(draw, words, longest) for _ in range(draw.randint(1, most))] for _ in hypotheses]
    return hypotheses, references


def paths(found: Batch) -> list[object]:
    return [[path.as_dict(True) for path in (result, *result.nbest)] for result in found]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name}-{metric.window}")
@pytest.mark.parametrize("size", SIZES, ids=["5", "9", "12", "80"])
def test_closest_texts_are_those_of_graphs(metric: Metric, size: tuple[Sequence[str], int, int]) -> None:
    hypotheses, references = items(*size, 20 if metric.window > 1 and size[1] > 9 else 150)
    slow = [fm.Alternatives(each) for each in references]
    for normalisation, nbest, options in (
        (PLAIN, 1, DEFAULT),
        (PLAIN, 1, COUNTS_ONLY),
        (Normalisation(lowercase=True), 1, DEFAULT),
        (PLAIN, 3 if size[1] < 10 else 1, DEFAULT),
    ):
        given = metric, nbest, normalisation, options
        found, expected = (search(None, hypotheses, each, *given) for each in (references, slow))
        assert paths(found) == paths(expected)
        assert all(map(np.array_equal, found.operations(), expected.operations()))


def test_characters_of_texts() -> None:
    # Several texts of one character each would be taken for one text taken apart.
    hypotheses, references = items(["ab", "ca", "bb", " "], 6, 3, 200)
    normalisation = Normalisation(unit="char")
    found = search(None, hypotheses, references, as_metric("wer"), 1, normalisation)
    slow = [fm.Alternatives(each) for each in references]
    assert paths(found) == paths(search(None, hypotheses, slow, as_metric("wer"), 1, normalisation))


def test_lattices_against_several_texts() -> None:
    lattices = [
        fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b"), (1, 2, "c")], start=0, finals=[2]),
        fm.Lattice.from_arcs([(0, 1, "b")], start=0, finals=[1]),
    ]
    references = [["b c d", "a d"], ["", "b b"]]
    found, slow = (fm.score(lattices, each) for each in (references, list(map(fm.Alternatives, references))))
    assert [each.as_dict(True) for each in found] == [each.as_dict(True) for each in slow]
    assert [result.closest for result in found] == [("b", "c", "d"), ("b", "b")]


@pytest.mark.parametrize("alignment", [False, True])
def test_columns_and_their_records(alignment: bool) -> None:
    hypotheses, _ = items("abc", 8, 1, 300)
    sides = [items("abc", 8, 1, 300, seed)[0] for seed in (2, 3)]
    ids = [f"u{n}" for n in range(300)]
    columns = tuple(map(TextColumn, sides))
    pairs = PairBlock(ids, TextColumn(hypotheses), columns)
    assert isinstance(pairs.reference, AlternativeColumn)
    assert pairs.reference[7] == fm.Alternatives([sides[0][7], sides[1][7]]) == pairs[7].reference
    scoring = PathScoring(as_metric("wrr"), alignment=alignment, signature="mine")
    found = scoring.results(pairs)
    slow = search(ids, hypotheses, list(pairs.reference), scoring.metric)
    assert paths(found) == paths(slow)  # type: ignore[arg-type]
    written = scoring.written(found, pairs)
    assert written is not None
    from fstmetrics.support.json_text import written_json

    expected = [written_json(scoring.signed(r, pair)) for r, pair in zip(slow, pairs, strict=True)]
    assert written[0].decode().splitlines() == expected


def test_lists_that_are_texts() -> None:
    assert text_lists([["a b", "c"], ("d",)], True) is not None
    assert text_lists([["a b", "c"], ("d e",)], False) is not None
    assert text_lists([["a b", "c d", ""], ("d e",), [""], ["", " "]], False) is not None
    for others in (
        [["ab", "c"]],  # the words of one sentence
        [["ab", ""], ["cd"]],
        [["a b"], ["c ", ""]],  # refused where it is read
    ):
        assert text_lists(others, False) is None
        assert text_lists(others, True) is not None
    lattice = fm.Lattice.from_arcs([(0, 1, "a")], start=0, finals=[1])
    unlike: list[list[object]] = [
        [],
        ["a b"],
        [["a b"], []],
        [["a b"], "c"],
        [["a b", lattice]],
        [["a b", ["c"]]],
    ]
    for given in (*unlike, [list("a b")], [['{"text": "a b"}']], [fm.Alternatives(["a b"])]):
        assert text_lists(given, True) is None
    assert references_of([["a b", "c"], ["d e", "f"]], ["a", "b"]) == "2"
    assert references_of([["a b", "c"], ["d e"]], ["a", "b"]) == "var"


def test_bad_columns_are_refused() -> None:
    found = strings_of_lists([["a b", "c"], ["d"]], True)
    assert found is not None
    assert (found[0], found[1].tolist()) == (["a b", "c", "d"], [0, 2, 3])
    assert len(AlternativeTexts([found[0]], found[1])) == 2
    for begins in ([0, 3, 3], [0, 2], [1, 3], []):
        with pytest.raises(ValueError, match="do not fit"):
            AlternativeTexts([found[0]], np.array(begins, dtype=np.int64))
    with pytest.raises(ValueError, match="equally long"):
        AlternativeTexts([["a"], ["b", "c"]])
    with pytest.raises(ValueError, match="at least one column"):
        AlternativeTexts([])


def test_errors_name_the_item() -> None:
    with pytest.raises(fm.FstmetricsError, match=r"item 1 \(from 0\), reference"):
        fm.score(["a", "b"], [["a b", "c"], ["d", 3]])  # type: ignore[list-item]


def test_words_of_alternatives_have_their_place_in_the_text_that_was_chosen() -> None:
    draw = random.Random(7)
    lists = [[texts_of(draw, "abc", 5) for _ in range(draw.randint(2, 4))] for _ in range(200)]
    references = [texts_of(draw, "abc", 5) for _ in lists]
    hypotheses: list[object] = [fm.Alternatives(texts) for texts in lists]
    card = {"S": {"phrases": ["[X] c", "b"]}, "X": {"phrases": ["a", "a b"]}}
    hypotheses.append(fm.Network.from_dict({"format": "fstmetrics-network/1", "root": "S", "cards": card}))
    found = fm.score(hypotheses, [*references, "a c c"], nbest=2)  # type: ignore[type-var]
    for result in (path for item in found for path in (item, *item.nbest)):
        taken = [(pair.hypothesis, pair.position) for pair in result.alignment if pair.op != "D"]
        assert taken == [(word, place) for place, word in enumerate(result.hypothesis)]
        assert all(pair.position is None for pair in result.alignment if pair.op == "D")
    columns = found.alignment_columns()
    begins, places = columns["begins"].tolist(), columns["hypothesis"].tolist()
    for item, (begin, end) in zip(found, pairwise(begins), strict=True):
        assert places[begin:end] == [-1 if p.position is None else p.position for p in item.alignment]
    reordered = fm.score(hypotheses[:-1], references, fm.HyTER(window=2))  # type: ignore[type-var]
    for plain, other in zip(found, reordered, strict=False):
        if not other.moves and plain.hypothesis == other.hypothesis and plain.alignment == other.alignment:
            assert [p.position for p in plain.alignment] == [p.position for p in other.alignment]
