"""Tuning: planted weights are found, a decoder in the loop converges, and what cannot be tuned is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from toy_decoder import ELSEWHERE, NAMES, PLANTED, corpus

import fstmetrics as fm
from fstmetrics.apps.tuning import Candidates, line_search, mert, mira, pro
from fstmetrics.apps.tuning.candidates import merged
from fstmetrics.apps.tuning.ranking_training import PRIOR, logistic
from fstmetrics.data.features import Features
from fstmetrics.data.nbest import NBest
from fstmetrics.support.errors import FstmetricsError

SENTENCES, REFERENCES = corpus(20, 4, seed=1)
LISTS = [sentence.nbest(ELSEWHERE, 256, str(i)) for i, sentence in enumerate(SENTENCES)]
FORESTS = [sentence.forest(str(i)) for i, sentence in enumerate(SENTENCES)]


@pytest.mark.parametrize("metric", ["bleu", "wer", "grr"])
@pytest.mark.parametrize("hypotheses", [LISTS, FORESTS], ids=["lists", "lattices"])
def test_mert_finds_planted_weights(hypotheses: list[object], metric: str) -> None:
    candidates = Candidates(hypotheses, REFERENCES, metric)  # type: ignore[arg-type]
    perfect = candidates.score(PLANTED)
    assert perfect == {"bleu": pytest.approx(100), "wer": 0, "grr": 1}[metric]
    found = mert(candidates, ELSEWHERE, starts=10)
    assert found.start_score != perfect
    assert found.score == perfect
    assert candidates.score(found.weights) == found.score
    assert len(found.scores) == 10
    vectors = [np.array([w[n] for n in NAMES]) for w in (found.weights, PLANTED)]
    cosine = vectors[0] @ vectors[1] / math.prod(map(np.linalg.norm, vectors))
    assert cosine > 0.99


@pytest.mark.parametrize("tune", [mira, pro])
@pytest.mark.parametrize("metric", ["bleu", "wer"])
def test_mira_and_pro_over_lattices(tune: object, metric: str) -> None:
    """Of lattices lists are made; the score is that of the best paths of all."""
    candidates = Candidates(FORESTS[:10], REFERENCES[:10], metric)
    own = {"epochs": 10} if tune is mira else {"rounds": 2}
    found = tune(candidates, ELSEWHERE, **own)  # type: ignore[operator]
    perfect, start = candidates.score(PLANTED), candidates.score(ELSEWHERE)
    assert (found.score - start) / (perfect - start) > 0.7
    assert candidates.score(found.weights) == found.score


def test_lists_of_the_best_paths() -> None:
    """Each entry is a derivation with its features, and is best somewhere on a line."""
    candidates = Candidates(FORESTS[:3], REFERENCES[:3], "wer")
    start = candidates.features.vector(ELSEWHERE)
    lists = candidates.listed(start, np.eye(len(NAMES)))
    for sentence, forest in zip(SENTENCES, lists.forests, strict=False):
        known = dict(sentence.derivations())
        assert len(set(forest.texts())) == forest.num_edges > len(NAMES)
        for row, words in enumerate(forest.texts()):
            assert forest.features.row(row) == pytest.approx(known[words])
    assert lists.best(start) == candidates.best(start)


@pytest.mark.parametrize("tune", [mira, pro])
@pytest.mark.parametrize("metric", ["bleu", "wer"])
def test_mira_and_pro_come_near_planted_weights(tune: object, metric: str) -> None:
    candidates = Candidates(LISTS, REFERENCES, metric)
    found = tune(candidates, ELSEWHERE)  # type: ignore[operator]
    perfect, start = candidates.score(PLANTED), candidates.score(ELSEWHERE)
    assert (found.score - start) / (perfect - start) > 0.8
    assert candidates.score(found.weights) == found.score


def test_the_same_seed_gives_the_same_weights() -> None:
    candidates = Candidates(LISTS, REFERENCES, "wer")
    for tune, own in ((mert, {"starts": 2}), (mira, {"epochs": 2}), (pro, {"rounds": 1})):
        assert tune(candidates, ELSEWHERE, seed=3, **own) == tune(candidates, ELSEWHERE, seed=3, **own)


@pytest.mark.parametrize("tune", [mert, mira, pro])
def test_features_that_are_kept_fixed(tune: object) -> None:
    candidates = Candidates(LISTS, REFERENCES, "wer")
    found = tune(candidates, ELSEWHERE | {"other": 7.0}, tuned=["lm", "fit"])  # type: ignore[operator]
    assert {name: found.weights[name] for name in ("tm", "noise", "other")} == {
        "tm": 1.0,
        "noise": 1.0,
        "other": 7.0,
    }
    assert found.weights != ELSEWHERE | {"other": 7.0}
    assert found.score < found.start_score


@pytest.mark.parametrize("metric", ["bleu", "wer"])
@pytest.mark.parametrize("hypotheses", [LISTS, FORESTS], ids=["lists", "lattices"])
@pytest.mark.parametrize("name", NAMES)
def test_mert_of_one_feature_is_its_line_search(hypotheses: list[object], name: str, metric: str) -> None:
    candidates = Candidates(hypotheses, REFERENCES, metric)  # type: ignore[arg-type]
    exact = line_search(candidates, ELSEWHERE, {name: 1.0})
    found = [mert(candidates, ELSEWHERE, tuned=[name], starts=2, seed=seed) for seed in (1, 2)]
    assert [each.score for each in found] == pytest.approx([exact.score] * 2)
    for each in found:
        assert max(each.scores, key=lambda score: candidates.sign * score) == pytest.approx(each.score)
        assert candidates.score(each.weights) == each.score


def test_size_of_weights_stays() -> None:
    candidates = Candidates(LISTS, REFERENCES, "wer")
    for tune in (mert, mira, pro):
        found = tune(candidates, ELSEWHERE)
        assert sum(map(abs, found.weights.values())) == pytest.approx(sum(map(abs, ELSEWHERE.values())))


def test_never_worse_than_the_start() -> None:
    candidates = Candidates(LISTS, REFERENCES, "bleu")
    found = mert(candidates, PLANTED, starts=3)
    assert found.weights == PLANTED
    assert found.score == found.start_score


@pytest.mark.parametrize("metric", ["bleu", "wer"])
def test_a_decoder_in_the_loop(metric: str) -> None:
    """Decode, tune on all lists so far, and again, until the lists bring nothing new [L11 §3]."""
    weights, lists = ELSEWHERE, list[list[NBest]]([] for _ in SENTENCES)
    sizes = []
    for _ in range(20):
        for number, (sentence, of_item) in enumerate(zip(SENTENCES, lists, strict=True)):
            of_item.append(sentence.nbest(weights, 10, str(number)))
        candidates = Candidates(lists, REFERENCES, metric)
        sizes.append(len(candidates.features))
        if sizes[-2:-1] == sizes[-1:]:
            break
        weights = mert(candidates, weights, starts=5).weights
    else:
        pytest.fail(f"no end: {sizes}")
    whole = Candidates(FORESTS, REFERENCES, metric)
    start, reached, perfect = (whole.score(w) for w in (ELSEWHERE, weights, PLANTED))
    assert reached == candidates.score(weights)  # what is best in the lists is best of all
    assert (reached - start) / (perfect - start) > 0.9


def test_entries_of_several_lists_count_once() -> None:
    one, two = (LISTS[0], SENTENCES[0].nbest(PLANTED, 300, "0"))
    assert merged([one, two]).num_edges == 256
    assert merged([one, one, one]).num_edges == 256
    rows = Features.from_rows([{"tm": 1.0}, {"tm": 2.0}, {"tm": 1.0, "lm": 0.0}])
    nbest = NBest("x", (("a",), ("a",), ("a",)), ("a", "a", "a"), features=rows)
    assert merged([nbest, nbest]).num_edges == 2


def test_lists_and_lattices_together() -> None:
    """Of an item with several of different kinds, all derivations are there."""
    alone = SENTENCES[0].nbest(ELSEWHERE, 3, "0")
    candidates = Candidates([[alone, FORESTS[0]]], REFERENCES[:1], "wer")
    assert candidates.score(PLANTED) == 0
    assert candidates.best(ELSEWHERE) == [alone.entries[0]]


def test_hyter_of_networks() -> None:
    networks = [
        fm.Network([fm.Card.from_phrases("S", [reference, "x y"])], "S", id=str(i))
        for i, reference in enumerate(REFERENCES)
    ]
    candidates = Candidates(LISTS, networks, fm.HyTER(window=2))
    assert mert(candidates, ELSEWHERE, starts=5).score == 0


def test_under_another_metric() -> None:
    candidates = Candidates(LISTS, REFERENCES, "bleu")
    other = candidates.under("wer")
    assert other.score(PLANTED) == 0
    assert candidates.score(PLANTED) == pytest.approx(100)
    assert other.features is candidates.features


def test_logistic_regression_equals_that_of_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 4))
    rows *= np.sign(rows @ [1.0, -2.0, 0.5, 0.0] + rng.normal(size=200))[:, None]
    sizes = np.sqrt((rows**2).mean(axis=0))
    found = logistic(rows)
    both = np.concatenate([rows, -rows]) / sizes
    labels = np.repeat([1, 0], 200)
    # There the sum is over both orders of a pair, and the prior is |w|^2 / 2 times 1 / C.
    model = linear.LogisticRegression(C=1 / (4 * PRIOR * 200), fit_intercept=False, tol=1e-10, max_iter=1000)
    assert found * sizes == pytest.approx(model.fit(both, labels).coef_[0], abs=1e-5)


REFUSED = {
    "too large": (
        lambda: mert(Candidates(LISTS, REFERENCES), dict.fromkeys(NAMES, 1e306)), "weights or features are too large",
    ),
    "no weight": (lambda: mert(Candidates(LISTS, REFERENCES), {"tm": 1.0}), "lm, fit, noise of the hypotheses have no"),
    "other names": (lambda: Candidates(LISTS, REFERENCES).score({"TM": 1.0}), "tm, lm, fit and 1 more of the"),
    "no weights": (lambda: Candidates(LISTS, REFERENCES).score({}), "tm, lm, fit and 1 more of the hypotheses have no"),
    "nan of score": (lambda: Candidates(LISTS, REFERENCES).score(ELSEWHERE | {"lm": math.nan}), "weights: 'lm' is nan"),
    "neither": (lambda: line_search(Candidates(LISTS, REFERENCES), {"tm": 1.0}, {"lm": 1.0}), "fit, noise of the hyp"),
    "nan way": (lambda: line_search(Candidates(LISTS, REFERENCES), ELSEWHERE, {"lm": math.nan}), "direction: 'lm' is"),
    "nan weight": (lambda: mert(Candidates(LISTS, REFERENCES), ELSEWHERE | {"lm": math.nan}), "'lm' is nan"),
    "unknown feature": (
        lambda: mert(Candidates(LISTS, REFERENCES), ELSEWHERE, tuned=["lmm"]), "no hypothesis has the feature lmm",
    ),
    "nothing to tune": (lambda: mert(Candidates(LISTS, REFERENCES), ELSEWHERE, tuned=[]), "no feature to tune"),
    "no statistics": (lambda: Candidates(LISTS, REFERENCES, "nist"), "nist has no statistics that add up"),
    "other number": (lambda: Candidates(LISTS, REFERENCES[1:]), "20 items have hypotheses, and 19 have references"),
    "no features": (lambda: Candidates([NBest("7", (("a",),), ("a",))], ["a"]), "n-best list '7' has no features"),
    "no item": (lambda: Candidates([], []), "there is no item"),
    "not a list": (lambda: Candidates(["a"], ["a"]), "an item's hypotheses are an NBest"),
    "rows of lattices": (lambda: Candidates(FORESTS, REFERENCES).row_of_edge, "this is for n-best lists"),
    "no direction": (
        lambda: line_search(Candidates(LISTS, REFERENCES), ELSEWHERE, {"x": 1.0}), "there is nothing to search",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(fm.FstmetricsError, match=message.replace("(", r"\(")):
        call()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("hypotheses", [LISTS, FORESTS], ids=["lists", "lattices"])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, MemoryError, FstmetricsError])
def test_a_call_that_is_stopped_changes_no_later_score(
    hypotheses: list[object], stop: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh() -> Candidates:
        return Candidates(hypotheses, REFERENCES, "wer")  # type: ignore[arg-type]

    points = [ELSEWHERE, PLANTED, dict.fromkeys(NAMES, 1.0), dict.fromkeys(NAMES, -1.0)]
    expected = [fresh().score(point) for point in points]
    stopped, real = 0, Candidates._found
    for at in range(3):
        calls = 0

        def found(self: Candidates, keys: object, at: int = at) -> object:
            nonlocal calls, stopped
            calls += 1
            table = real(self, keys)  # type: ignore[arg-type]
            if calls == at + 1:
                stopped += 1
                raise stop("stopped")
            return table

        with monkeypatch.context() as patch:
            patch.setattr(Candidates, "_found", found)
            candidates = None
            for point in points:
                try:
                    candidates = candidates or fresh()
                    candidates.score(point)
                except stop:
                    pass
        candidates = candidates or fresh()
        assert [candidates.score(point) for point in points] == expected
        assert [candidates.score(point) for point in reversed(points)] == expected[::-1]
    assert stopped >= (1 if hypotheses is LISTS else 3)
