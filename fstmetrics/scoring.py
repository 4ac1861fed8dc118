"""Best path in H ∘ T ∘ R, for one item or many: `align`, `score`, and a function for each number.

A hypothesis or reference is a `str` (split on white space), a sequence of words, a `Lattice`, a `Network`, or a
list of those as alternatives (`Alternatives` where a list of strings could be mistaken for words).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product, repeat
from typing import TYPE_CHECKING, Literal, TypeVar, overload

import numpy as np

from fstmetrics import _native
from fstmetrics.batch import Batch
from fstmetrics.errors import FstmetricsError, SearchError
from fstmetrics.lattice import Lattice
from fstmetrics.limits import limits
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
from fstmetrics.metrics.base import EditTable, Number, Op, Reordering
from fstmetrics.network import Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.results import CorpusResult, Result
from fstmetrics.runs.batching import batches
from fstmetrics.sides import PLAIN, Input, Side, as_side, graph_of, labelled_words
from fstmetrics.statistics import Statistics, text_statistics
from fstmetrics.symbols import WILDCARD

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.grammars.widening import Widened

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search; none of it changes an answer.

    Attributes:
        route: `auto`, `bit-parallel`, `string-pair`, `unit-rows`, `rows`, `graphs`, `chart`, `topological`,
            `best-first` or `dijkstra`; docs/search.md says what each is and has the rule that auto follows.
        alignment: whether to write out words and alignment, or counts only.
        threads: problems searched at the same time.
        max_expanded_arcs: arcs a network or the permutations of a string are written out to at most; None: the limit
            `expansion` (`fstmetrics.limits`).
        max_cells: cells of the topological or chart route's tables at most, 8 or 16 bytes each.
        max_nodes: product states the best-first route may meet, about 100 bytes each.
    """

    route: str = "auto"
    alignment: bool = True
    threads: int = 1
    max_expanded_arcs: int | None = None
    max_cells: int = 400_000_000
    max_nodes: int = 30_000_000


DEFAULT = SearchOptions()
COUNTS_ONLY = SearchOptions(alignment=False)


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


TextName = Literal["bleu", "bleu-sbp", "sentence-bleu", "ter", "chrf", "nist", "meteor", "tesla-m"]


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
    return scored(hyps, refs, as_corpus_metric(metric), ids, nbest, normalisation, options, grammars)


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
        return Statistics.of(inner).mean()
    if isinstance(metric, TextMetric):
        return text_statistics(metric, hypotheses, references, ids, normalisation)
    assert isinstance(metric, Metric)
    results = search(ids, hypotheses, references, metric, nbest, normalisation, options, grammars)
    return CorpusResult.of(results, normalisation=normalisation, grammars=_signature(grammars))


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
        raise FstmetricsError(f"{len(hyps)} hypotheses but {len(refs)} references")
    if not hyps:
        raise FstmetricsError("there is no item to score")
    if ids is not None and len(ids) != len(hyps):
        raise FstmetricsError(f"{len(ids)} ids but {len(hyps)} hypotheses")
    if ids is not None and len(set(ids)) < len(ids):
        raise FstmetricsError(f"the id {next(i for i in ids if list(ids).count(i) > 1)!r} stands twice")
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
    if type(hypothesis) is str and isinstance(reference, Lattice | Network):
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
    return align(hypothesis, reference, metric, options=COUNTS_ONLY).score


def iter_results(
    items: Iterable[tuple[str | None, Input, Input]],
    metric: Metric,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> Iterator[Result]:
    """Results of (id, hypothesis, reference) in order, a batch at a time.

    Raises:
        SearchError, FstmetricsError: as `align`, with the item's id.
    """
    for batch in batches(items, options.threads):
        yield from search_items(batch, metric, nbest, normalisation, options, grammars)


def search_items(
    items: Sequence[tuple[str | None, Input, Input]],
    metric: Metric,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> Batch:
    """Results of (id, hypothesis, reference), all at once; errors as of `iter_results`."""
    ids, hypotheses, references = zip(*items, strict=True)
    return search(ids, hypotheses, references, metric, nbest, normalisation, options, grammars)


def search(
    ids: Sequence[str | None] | None,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    metric: Metric,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
    fear: bool = False,
) -> Batch:
    """Results of equally many hypotheses and references in one call of the engine; what all scoring is made of.

    With `fear`, not best paths but what `fstmetrics.decoding.hope_and_fear` asks for.

    Raises:
        SearchError, FstmetricsError: as `align`, with the item's id.
    """
    if not isinstance(nbest, int) or nbest < 1:
        raise FstmetricsError(f"nbest must be at least 1, not {nbest!r}")
    h_sides = _sides(ids, hypotheses, normalisation.of_hypotheses, None)
    r_sides: Sequence[Side]
    widened: list[Widened | None] | None = None
    if grammars:
        r_sides, widened, metric = _widened_sides(
            ids, references, normalisation.of_references, hypotheses, metric, grammars
        )
    else:
        r_sides = _sides(ids, references, normalisation.of_references, hypotheses)
    found = searched(ids, h_sides, r_sides, metric, nbest, options, fear)
    return Batch(found, metric, ids, nbest, widened if options.alignment else None)


def searched(
    ids: Sequence[str | None] | None,
    hypotheses: Sequence[Side],
    references: Sequence[Side],
    metric: Metric,
    nbest: int = 1,
    options: SearchOptions = DEFAULT,
    fear: bool = False,
) -> _native.Found:
    """What the engine finds for sides that are as it wants them.

    Raises:
        SearchError: as `align`, with the item's id.
    """
    found = _native.search(
        hypotheses, references, metric.table.native, metric.window, metric.reordering,
        _word_costs(metric.table, hypotheses, references), options.route, nbest, options.alignment,
        options.max_expanded_arcs or limits().expansion, options.max_cells, options.max_nodes, options.threads, fear,
    )  # fmt: skip
    if found.failure:
        item, message = found.failure
        raise SearchError(_named(ids, item) + message)
    return found


def _named(ids: Sequence[str | None] | None, item: int) -> str:
    """What an error begins with."""
    return f"item {ids[item]}: " if ids and ids[item] else ""


def _sides(
    ids: Sequence[str | None] | None,
    given: Sequence[Input],
    normalisation: Normalisation,
    hypotheses: Sequence[Input] | None,
) -> Sequence[Side]:
    """One side of every item; `hypotheses` are what references stand beside."""
    if normalisation.is_plain and set(map(type, given)) == {str}:
        return given  # type: ignore[return-value]
    return _each(
        ids, lambda value, beside: as_side(value, normalisation, beside), given, hypotheses or repeat(None)
    )


def _widened_sides(
    ids: Sequence[str | None] | None,
    references: Sequence[Input],
    normalisation: Normalisation,
    hypotheses: Sequence[Input],
    metric: Metric,
    grammars: Grammars,
) -> tuple[list[Side], list[Widened | None], Metric]:
    """References widened by grammars, what was added to each, and the metric in units that rewriting costs are whole
    numbers of."""
    from fstmetrics.grammars.library import widening_of
    from fstmetrics.metrics.finer import in_units_of
    from fstmetrics.widened_sides import widened_side

    widening = widening_of(grammars, normalisation)
    finer = in_units_of(metric, widening.scale)
    scale = finer.table.scale
    pairs = _each(
        ids,
        lambda value, beside: widened_side(value, normalisation, beside, widening, scale),
        references,
        hypotheses,
    )
    return [side for side, _ in pairs], [widened for _, widened in pairs], finer


def _each(
    ids: Sequence[str | None] | None,
    convert: Callable[[Input, Input | None], Made],
    values: Iterable[Input],
    beside: Iterable[Input | None],
) -> list[Made]:
    """Every item converted; an error has the item's id."""
    made = []
    for item, pair in enumerate(zip(values, beside, strict=False)):
        try:
            made.append(convert(*pair))
        except FstmetricsError as error:
            raise type(error)(_named(ids, item) + str(error)) from None
    return made


def _word_costs(
    table: EditTable, hypotheses: Sequence[Side], references: Sequence[Side]
) -> list[_native.WordCosts] | None:
    """The metric's function on every word and pair of words of an item, each once; None without a function."""
    function = table.word_cost
    if function is None:
        return None
    pairs = zip(map(labelled_words, hypotheses), map(labelled_words, references), strict=True)
    return [_costs_of_words(function, hyps, refs) for hyps, refs in pairs]


def _costs_of_words(
    function: Callable[[Op, str | None, str | None], int], hyps: Sequence[str], refs: Sequence[str]
) -> _native.WordCosts:
    """By the labels of both sides. No cost of a wildcard is ever paid: another word stands in for it, as the cheapest
    costs are looked at, too."""
    if WILDCARD in refs:
        others = [word for word in (*refs, *hyps) if word not in ("", WILDCARD)]
        if not others:
            return _costs_of_words(lambda *_: 0, hyps, ["", *(str(j) for j in range(1, len(refs)))])
        refs = [others[0] if word == WILDCARD else word for word in refs]

    def column(costs: Iterable[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([0, *costs], dtype=np.int64)  # label 0 is epsilon

    substitution = np.zeros((len(hyps), len(refs)), dtype=np.int64)
    for i, j in product(range(1, len(hyps)), range(1, len(refs))):
        if hyps[i] != refs[j]:
            substitution[i, j] = function(Op.SUBSTITUTION, hyps[i], refs[j])
    return _native.WordCosts(
        column(function(Op.MATCH, word, word) for word in refs[1:]),
        substitution,
        column(function(Op.INSERTION, word, None) for word in hyps[1:]),
        column(function(Op.DELETION, None, word) for word in refs[1:]),
    )
