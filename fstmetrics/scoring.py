"""Best path in H ∘ T ∘ R, for one item or many: `align`, `score`, and a function for each number.

A hypothesis or reference is a `str` (split on white space), a sequence of words, a `Lattice`, a `Network`, or a
list of those as alternatives (`Alternatives` where a list of strings could be mistaken for words).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, overload
from warnings import warn

from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.metrics import (
    GRR,
    WER,
    WRR,
    CorpusMetric,
    HyTER,
    Mean,
    Metric,
    TextMetric,
    as_corpus_metric,
    as_metric,
)
from fstmetrics.metrics.base import Number, Reordering
from fstmetrics.network import Network
from fstmetrics.normalisation import PLAIN, Normalisation
from fstmetrics.results import CorpusResult, Result
from fstmetrics.searching import COUNTS_ONLY, DEFAULT, SearchOptions, search
from fstmetrics.sides import Input, graph_of, references_of
from fstmetrics.statistics import Statistics, text_statistics

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars


def align(
    hypothesis: Input,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> Result:
    """The best path between one hypothesis and one reference, each possibly branching.

    Args:
        hypothesis: what the system said; a lattice must be acyclic.
        reference: what it should have said, or several, or a network.
        metric: a name (`wer`, `wrr`, `grr`, `hyter`, `sclite`) or a metric object.
        nbest: how many distinct pairs of hypothesis and closest path to find; they are in `Result.nbest`.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.

    Raises:
        SearchError: the search cannot be done as asked, or reached a limit.
        FstmetricsError: an input that cannot be scored.

    >>> result = align("the cat sat", "the hat sat down")
    >>> result.score, result.substitutions, result.deletions
    (0.5, 1, 1)
    """
    item = ([hypothesis], [reference])
    return search(None, *item, as_metric(metric), nbest, normalisation, options, grammars)[0]


TextName = Literal["bleu", "bleu-sbp", "sentence-bleu", "ter", "chrf", "chrf++", "nist", "meteor", "tesla-m"]


@overload
def score(  # type: ignore[overload-overlap]
    hypotheses: Iterable[Input],
    references: Iterable[Input],
    metric: TextName | TextMetric,
    *,
    ids: Sequence[str] | None = None,
    normalisation: Normalisation = PLAIN,
) -> Statistics: ...


@overload
def score(
    hypotheses: Iterable[Input],
    references: Iterable[Input],
    metric: str | Metric = "wer",
    *,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> CorpusResult: ...


def score(
    hypotheses: Iterable[Input],
    references: Iterable[Input],
    metric: str | CorpusMetric = "wer",
    *,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> CorpusResult | Statistics:
    """Score a corpus, item by item in order.

    Args:
        hypotheses: one an item.
        references: one an item, in the same order.
        metric: a name or a metric object.
        ids: names of the items.
        nbest: distinct best pairs an item; of finite-state metrics.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects; of finite-state
            metrics.
        options: route and limits of the search; of finite-state metrics.

    Returns:
        Results of best paths; for BLEU and other metrics of strings, and for means of item scores, their
        `Statistics`, which have `score`, `mean_score` and `item_scores` too.

    Raises:
        FstmetricsError: different numbers of hypotheses and references, none at all, or an input that cannot be scored.

    >>> corpus = score(["the cat", "a dog"], ["the cat", "the dog"])
    >>> corpus.score, corpus.mean_score, len(corpus)
    (0.25, 0.25, 2)
    >>> round(score(["the cat sat on a mat"], ["the cat sat on the mat"], "bleu").score, 2)
    53.73
    """
    hyps, refs = _items_of(hypotheses, references, ids)
    found = scored(hyps, refs, as_corpus_metric(metric), ids, nbest, normalisation, options, grammars)
    if isinstance(found, Statistics) and found.remark:
        warn(found.remark, stacklevel=2)
    return found


def scored(
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    metric: CorpusMetric,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> CorpusResult | Statistics:
    """`score` of any metric, by the engine or not."""
    if grammars and not isinstance(metric, Metric):
        raise FstmetricsError(f"grammars are for best paths; {metric.name} takes none")
    if isinstance(metric, Mean) and isinstance(metric.metric, Metric):
        inner = scored(hypotheses, references, metric.metric, ids, 1, normalisation, options)
        assert isinstance(inner, CorpusResult)
        return Statistics.of(inner).mean(metric)
    if isinstance(metric, TextMetric):
        return text_statistics(metric, hypotheses, references, ids, normalisation)
    assert isinstance(metric, Metric)
    results = search(ids, hypotheses, references, metric, nbest, normalisation, options, grammars)
    conditions = (f"refs:{references_of(references, hypotheses)}",)
    return CorpusResult.of(
        results, normalisation=normalisation, grammars=_signature(grammars), conditions=conditions
    )


def _items_of(
    hypotheses: Iterable[Input], references: Iterable[Input], ids: Sequence[str] | None
) -> tuple[list[Input], list[Input]]:
    for side in (hypotheses, references):
        if isinstance(side, str | Lattice):
            raise FstmetricsError(
                "score() takes a list of hypotheses and a list of references; align() takes one of each"
            )
    hyps, refs = list(hypotheses), list(references)
    if len(hyps) != len(refs):
        # What sacrebleu takes: a list of whole sets.
        sets = bool(refs) and all(isinstance(ref, list) and len(ref) == len(hyps) for ref in refs)
        hint = "; sets of references become the alternatives of each item by list(zip(*sets))" if sets else ""
        raise FstmetricsError(f"{len(hyps)} hypotheses but {len(refs)} references{hint}")
    if not hyps:
        raise FstmetricsError("there is no item to score")
    if ids is not None and len(ids) != len(hyps):
        raise FstmetricsError(f"{len(ids)} ids but {len(hyps)} hypotheses")
    if ids is not None and len(set(ids)) < len(ids):
        twice = Counter(ids).most_common(1)[0][0]
        raise FstmetricsError(f"the id {twice!r} stands twice")
    return hyps, refs


def _signature(grammars: Grammars) -> str:
    if not grammars:
        return ""
    from fstmetrics.grammars.library import signature

    return signature(grammars)


def wer(hypothesis: Input, reference: Input) -> float:
    """Word error rate, (S + I + D) / |r| of the best path.

    >>> wer("the cat sat", ["the cat sat down", "a cat sat"])
    0.25
    """
    quick = None
    if any(isinstance(side, Lattice) and side.numbered for side in (hypothesis, reference)):
        pass  # it is looked at whether the other side is numbers, too
    elif type(hypothesis) is str and isinstance(reference, Lattice | Network):
        quick = graph_of(reference).error_rate(hypothesis, True)
    elif type(reference) is str and isinstance(hypothesis, Lattice | Network):
        quick = graph_of(hypothesis).error_rate(reference, False)
    return _number(hypothesis, reference, WER()) if quick is None else quick


def wrr(hypothesis: Input, reference: Input) -> float:
    """Word recognition rate, (M - I) / |r| of the best path [C08 eq. 5].

    >>> wrr("the cat sat", "the cat sat down")
    0.75
    """
    return _number(hypothesis, reference, WRR())


def grr(
    hypothesis: Input, reference: Input, *, order: int = 4, alpha: Number = 1.0, beta: Number = 0.0
) -> float:
    """N-gram recognition rate [C08 eq. 6]; see `fstmetrics.GRR`.

    >>> grr("the cat sat", "the cat sat")
    1.0
    """
    return _number(hypothesis, reference, GRR(order, alpha, beta))


def hyter(hypothesis: Input, network: Input, window: int = 1, reordering: Reordering = "moves") -> float:
    """HyTER [H12 eq. 1]: edits and moves to the closest path, divided by its words; see `fstmetrics.HyTER`.

    >>> hyter("where train station is", "where is the train station", window=3)
    0.4
    """
    if type(hypothesis) is str and type(network) is Network:
        quick = graph_of(network).error_rate(hypothesis, True, window, reordering)
        if quick is not None:
            return quick
    return _number(hypothesis, network, HyTER(window, reordering))


def _number(hypothesis: Input, reference: Input, metric: Metric) -> float:
    return align(hypothesis, reference, _met_before(metric), options=COUNTS_ONLY).score


@lru_cache(maxsize=64)
def _met_before(metric: Metric) -> Metric:
    """An equal metric, of which the engine has all that it needs."""
    return metric
