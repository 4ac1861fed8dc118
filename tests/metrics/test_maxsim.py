"""MaxSim: the three stages by hand, and against all matchings of what the first two leave."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.metrics.maxsim import matched, maxsim_score
from fstmetrics.metrics.tokens import Token

Ngram = tuple[Token, ...]
BIG, LARGE = Token("big", "JJ", frozenset({"big.a"})), Token("large", "JJ", frozenset({"big.a", "large.a"}))
DOG, CAT = Token("dog", "NN", frozenset({"dog.n"})), Token("cat", "NN", frozenset({"cat.n"}))
RUN, RUNS = Token("run", "VB"), Token("run", "VBZ")
FORM = {"big": BIG, "large": LARGE, "dog": DOG, "cat": CAT, "run": RUN, "runs": RUNS, ".": Token(".", ".")}


def tokens(text: str) -> list[Token]:
    return [FORM[word] for word in text.split()]


def slow_matched(ours: Sequence[Ngram], theirs: Sequence[Ngram]) -> float:
    """The stages one after the other on lists, the last by trying all assignments."""
    left, other = list(ours), list(theirs)
    total = 0.0
    for with_pos in (True, False):
        for ngram in list(left):
            for candidate in other:
                if all(
                    a.lemma == b.lemma and (not with_pos or a.pos == b.pos)
                    for a, b in zip(ngram, candidate, strict=True)
                ):
                    left.remove(ngram)
                    other.remove(candidate)
                    total += 1
                    break

    def similarity(a: Ngram, b: Ngram) -> float:
        values = [
            ((x.pos == y.pos) + (x.lemma == y.lemma or bool(x.synsets & y.synsets))) / 2
            for x, y in zip(a, b, strict=True)
        ]
        return sum(values) / len(values) if all(values) else 0.0

    few, many = sorted((left, other), key=len)
    best = max(
        sum(similarity(a, b) for a, b in zip(few, order, strict=True))
        for order in permutations(many, len(few))
    )
    return total + best


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("dog", "dog", 1.0),
        ("run", "runs", 1.0),  # by lemma
        ("big", "large", 1.0),  # by synonym and part of speech
        ("dog", "cat", 0.5),  # by part of speech
        ("dog", "run", 0.0),
        ("dog dog", "dog", 1 / (0.9 * 1 + 0.1 * 2) / 2),  # and no bigram on one side
        ("big dog", "large cat", (1.5 / 2 + 0.75) / 2),
        ("big dog", "large run", (1 / 2 + 0) / 2),  # one word of the bigram is unlike
        ("dog .", "dog", 1.0),  # words without letter or digit are left out
        (".", "", 1.0),
        ("", "dog", 0.0),
    ],
)
def test_scores_by_hand(hypothesis: str, reference: str, expected: float) -> None:
    assert maxsim_score(tokens(hypothesis), tokens(reference)) == pytest.approx(expected)


def test_f_weighs_recall_nine_times_precision() -> None:
    precision, recall = 1 / 2, 1 / 1
    f = precision * recall / (0.9 * precision + 0.1 * recall)
    assert maxsim_score(tokens("dog run"), tokens("dog")) == pytest.approx(f / 2)
    assert maxsim_score(tokens("dog run"), tokens("dog"), 0.0) == pytest.approx(precision / 2)


def test_equal_ngrams_go_before_better_sums() -> None:
    """The stages are greedy: `run` takes its equal, though `runs` could have taken it and left nothing over."""
    assert matched([(DOG,), (CAT,)], [(DOG,), (RUN,)]) == 1.0


def test_stages_against_all_matchings() -> None:
    rng = random.Random(4)
    words = [BIG, LARGE, DOG, CAT, RUN, RUNS]
    partial = 0
    for _ in range(250):
        n = rng.randint(1, 2)
        ours, theirs = ([tuple(rng.choices(words, k=n)) for _ in range(rng.randint(0, 5))] for _ in range(2))
        found = matched(ours, theirs)
        assert found == pytest.approx(slow_matched(ours, theirs))
        partial += found != int(found)
    assert partial > 20


def test_the_best_of_several_references_counts() -> None:
    metric = fm.MaxSim(lambda words: [FORM[word] for word in words])
    assert fm.score(["big dog"], [fm.Alternatives(["cat", "large dog"])], metric).score == 1.0
    with pytest.raises(fm.FstmetricsError, match="analyser is"):
        fm.MaxSim("wordnets")  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match=r"recall_weight is 0 to 1, not 1\.5"):
        fm.MaxSim(recall_weight=1.5)


def test_the_command(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "dog|dog|NN\n"), written(tmp_path / "hyp", "dogs|dog|NNS x|x|X\n")
    options = ("--metric", "maxsim", "--analyser", "factored")
    assert fstmetrics("score", ref, hyp, *options, "--json").summary["score"] == pytest.approx(1 / 1.1 / 2)
    found = fstmetrics("score", ref, hyp, *options, "--maxsim-recall-weight", "0", "--json").summary
    assert found["score"] == pytest.approx(1 / 4)
    assert "|metric:maxsim|analyser:factored|recall_weight:0.0|" in found["signature"]


def test_wordnet_s_synonyms() -> None:
    pytest.importorskip("nltk")
    from fstmetrics.metrics import wordnet

    try:
        wordnet.wordnet()
    except fm.FstmetricsError as error:
        pytest.skip(str(error))
    assert fm.score(["The car stopped there ."], ["the automobile stopped there"], "maxsim").score == 1.0
