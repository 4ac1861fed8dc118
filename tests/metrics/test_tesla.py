"""TESLA-M [L11 §2.3]: a worked example, its linear programme against brute force and HiGHS, analysers."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
import reference_metrics as slow

import fstmetrics as fm
from fstmetrics.metrics.tesla import Bag, order_score, similarities, tesla_score
from fstmetrics.metrics.tokens import Token, factored
from fstmetrics.metrics.transport import best_transport

THE, CAT, SIT = Token("the", "DT", function=True), Token("cat", "NN"), Token("sit", "VB")


@pytest.mark.parametrize(
    ("discount", "expected"), [("subtract", (0.7353, 0.5814)), ("factor", (0.9615, 0.9259))]
)
def test_worked_example(discount: str, expected: tuple[float, float]) -> None:
    """Reference `the cat sat`, candidate `cat sits`: S = 2 and 1; the candidate has no trigram."""
    scores = [order_score([CAT, SIT], [THE, CAT, SIT], n, discount) for n in (1, 2, 3)]  # type: ignore[arg-type]
    assert scores == pytest.approx([*expected, 0.0], abs=5e-5)
    whole = tesla_score([CAT, SIT], [THE, CAT, SIT], discount)  # type: ignore[arg-type]
    assert whole == pytest.approx(sum(expected) / 3, abs=5e-5)


def test_worked_example_by_the_command_s_input() -> None:
    hypothesis, reference = ["cat|cat|NN sits|sit|VBZ"], ["the|the|DT cat|cat|NN sat|sit|VBD"]
    found = fm.score(hypothesis, reference, fm.TeslaM("factored")).score
    assert found == pytest.approx((0.7353 + 0.5814) / 3, abs=5e-5)


def test_similarities_by_hand() -> None:
    """Equal lemmas 1; else (synonyms + same part of speech) / 2; n-grams 0 if any pair is 0, else the mean."""
    big, large = (
        Token("big", "JJ", frozenset({"big.a"})),
        Token("large", "JJ", frozenset({"big.a", "large.a"})),
    )
    dog, run = Token("dog", "NN", frozenset({"dog.n"})), Token("run", "VB", frozenset({"run.v"}))
    assert order_score([big], [large], 1, "subtract") == 1.0
    assert order_score([dog], [CAT], 1, "subtract") == 0.5
    assert order_score([dog], [run], 1, "subtract") == 0.0
    assert order_score([big, dog], [large, CAT], 2, "subtract") == 0.75
    assert order_score([big, dog], [large, run], 2, "subtract") == 0.0
    assert order_score([Token("x")], [Token("y")], 1, "subtract") == 0.0, (
        "unknown parts of speech are not the same"
    )
    assert order_score([dog, dog], [dog], 1, "subtract") == pytest.approx(1 / (0.8 + 0.2 * 2))


def test_orders_that_are_not_there() -> None:
    assert tesla_score([], [], "subtract") == 1.0
    assert tesla_score([CAT], [], "subtract") == tesla_score([], [CAT], "subtract") == 0.0
    assert tesla_score([CAT], [CAT], "subtract") == 1.0
    assert tesla_score([CAT], [CAT, SIT], "subtract") == pytest.approx((1 / (0.8 * 2 + 0.2) + 0) / 2)


def test_transport_against_all_transports() -> None:
    rng = random.Random(1)
    for _ in range(300):
        rows, columns = rng.randint(1, 2), rng.randint(1, 3)
        supply, demand = ([rng.randint(0, 2) for _ in range(n)] for n in (rows, columns))
        profit = [[rng.choice([0, 0, 1, 2, 3]) for _ in range(columns)] for _ in range(rows)]
        found = best_transport(np.array(supply), np.array(demand), np.array(profit))
        assert found == slow.transport(supply, demand, profit)


def highs(supply: np.ndarray, demand: np.ndarray, profit: np.ndarray) -> float:  # type: ignore[type-arg]
    """The same linear programme by scipy's HiGHS."""
    optimize = pytest.importorskip("scipy.optimize")
    rows, columns = profit.shape
    used = np.zeros((rows + columns, rows * columns))
    for i in range(rows):
        for j in range(columns):
            used[i, i * columns + j] = used[rows + j, i * columns + j] = 1
    bounds = np.concatenate([supply, demand])
    return -float(optimize.linprog(-profit.ravel(), A_ub=used, b_ub=bounds, method="highs").fun)


def test_transport_against_highs_on_random_problems() -> None:
    rng = np.random.default_rng(2)
    for _ in range(150):
        rows, columns = rng.integers(1, 9, size=2)
        supply, demand = rng.integers(0, 12, size=rows), rng.integers(0, 12, size=columns)
        profit = rng.choice([0, 0, 1, 2, 3, 6], size=(rows, columns))
        assert best_transport(supply, demand, profit) == pytest.approx(
            highs(supply, demand, profit), abs=1e-6
        )


def english(shared: Path, count: int) -> tuple[list[str], list[str]]:
    folder = shared / "mt-compare-mt"
    sides = [
        gzip.decompress((folder / f"ted.{name}.eng.gz").read_bytes()).decode() for name in ("sys1", "ref")
    ]
    hypotheses, references = (side.splitlines()[:count] for side in sides)
    return hypotheses, references


@pytest.mark.parametrize("discount", ["subtract", "factor"])
def test_transport_against_highs_on_real_sentences(shared: Path, discount: str) -> None:
    pytest.importorskip("scipy")
    analyse = analyser_or_skip()
    for hypothesis, reference in zip(*english(shared, 40), strict=True):
        tokens = analyse(hypothesis.split()), analyse(reference.split())
        for n in (1, 2, 3):
            a, b = (Bag.of(side, n, discount) for side in tokens)  # type: ignore[arg-type]
            if len(a.weights) and len(b.weights):
                profit = similarities(a, b)
                expected = highs(a.weights, b.weights, profit)
                assert best_transport(a.weights, b.weights, profit) == pytest.approx(
                    expected, rel=1e-9, abs=1e-6
                )


def analyser_or_skip():  # type: ignore[no-untyped-def]
    pytest.importorskip("nltk")
    from fstmetrics.metrics import wordnet

    try:
        wordnet.wordnet()
    except fm.FstmetricsError as error:
        pytest.skip(str(error))
    return wordnet.analyse


def test_wordnet_s_words() -> None:
    cats, sat, the, automobile, car, foreign = analyser_or_skip()(
        ["Cats", "sat", "the", "automobile", "car", "xyzzy"]
    )
    assert (cats.lemma, cats.pos, sat.lemma, sat.pos) == ("cat", "n", "sit", "v")
    assert the == Token("the", function=True)
    assert automobile.synsets & car.synsets
    assert foreign == Token("xyzzy")
    plain, other = ["the car stopped there"], ["the automobile stopped there"]
    assert fm.score(plain, other, "tesla-m").score == 1.0


def test_factored_words_that_are_not() -> None:
    with pytest.raises(fm.FstmetricsError, match=r"'cat' is not `word\|lemma\|POS`"):
        factored(["cat"])
    assert factored(["a|b|c|NN"]) == [Token("c", "NN")]
    assert factored(["to|to|TO", "cat|cat|NN"])[0].function


def test_factored_with_synonyms() -> None:
    analyser_or_skip()
    pair = ["big|big|JJ cats|cat|NNS"], ["large|large|JJ cats|cat|NNS"]
    assert fm.score(*pair, fm.TeslaM("factored-wordnet")).score == 1.0
    assert fm.score(*pair, fm.TeslaM("factored")).score == pytest.approx((0.75 + 0.75) / 2)


def test_the_best_of_several_references_counts() -> None:
    metric = fm.TeslaM(lambda words: [Token(word) for word in words])
    assert fm.score(["a b"], [fm.Alternatives(["a c", "a b"])], metric).score == 1.0
    with pytest.raises(fm.FstmetricsError, match="analyser is"):
        fm.TeslaM("wordnets")  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="discount is"):
        fm.TeslaM(discount="divide")  # type: ignore[arg-type]
