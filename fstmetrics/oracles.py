"""Oracles: the best path of a lattice or n-best list under a metric, beside the decoder's own choice [C08 §4.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, takewhile
from typing import TYPE_CHECKING

from fstmetrics.batching import batches
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.nbest import NBest
from fstmetrics.network import Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.results import OracleResult, Result
from fstmetrics.scoring import DEFAULT, SearchOptions, search_items
from fstmetrics.sides import PLAIN, Input

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars

# What may stand on the hypothesis side of an oracle.
Candidate = Lattice | NBest | Input


def oracle(
    lattice: Lattice | NBest | Network,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> OracleResult:
    """The best path of a lattice under a metric [C08 §4.3], beside the decoder's own.

    Args:
        lattice: the decoder's lattice, its n-best list, or its forest: a network, whose cards may carry costs.
        reference: a string, several, or a network.
        metric: a name or a metric object.
        scales: weights of the lattice's costs for the 1-best; by default those that its file names, or 1.
        nbest: how many distinct best paths to find.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.

    Raises:
        SearchError: the search cannot be done as asked, or reached a limit.
        FstmetricsError: an input that cannot be scored.

    >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    >>> result = oracle(lattice, "the cat")
    >>> result.hypothesis, result.edits, result.one_best.edits, result.density
    (('the', 'cat'), 0, 1, 1.5)
    """
    item = (None, lattice, reference)
    return next(iter_oracles([item], as_metric(metric), scales, nbest, normalisation, options, grammars))


def iter_oracles(
    items: Iterable[tuple[str | None, Candidate, Input]],
    metric: Metric,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> Iterator[OracleResult]:
    """Oracles of (id, hypotheses, reference) in order; what `oracle` is made of."""
    for batch in batches(items, options.threads):
        yield from search_oracles(batch, metric, scales, nbest, normalisation, options, grammars)


def search_oracles(
    items: Sequence[tuple[str | None, Candidate, Input]],
    metric: Metric,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> list[OracleResult]:
    """The same of a batch of items, all at once."""
    variants = [list(_variants(hypothesis, scales)) for _, hypothesis, _ in items]
    questions = [
        (id, variant, reference)
        for (id, _, reference), some in zip(items, variants, strict=True)
        for variant in some
    ]
    answers = iter(search_items(questions, metric, nbest, normalisation, options, grammars))
    return [
        _assembled(hypothesis, next(answers), [next(answers) for _ in some[1:]])
        for (_, hypothesis, _), some in zip(items, variants, strict=True)
    ]


def _variants(hypothesis: Candidate, scales: Scales | None) -> Iterator[Input]:
    """What has to be scored for one item: everything it holds, then the decoder's choice or the first n entries."""
    if isinstance(hypothesis, NBest):
        yield hypothesis.lattice()
        for n in _sizes(len(hypothesis.entries)):
            yield hypothesis.lattice(n)
    elif isinstance(hypothesis, Lattice) or (isinstance(hypothesis, Network) and hypothesis.has_costs):
        yield hypothesis
        yield hypothesis.best_path(scales).words
    else:
        yield hypothesis


def _sizes(entries: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below the number of entries, and that number."""
    steps = (lead * 10**power for power in count() for lead in (1, 2, 5))
    return [*takewhile(lambda n: n < entries, steps), entries]


def _assembled(hypothesis: Candidate, best: Result, others: list[Result]) -> OracleResult:
    if isinstance(hypothesis, NBest):
        after = tuple(zip(_sizes(len(hypothesis.entries)), others, strict=True))
        return OracleResult.beside(best, others[0], len(hypothesis.entries), after)
    if isinstance(hypothesis, Lattice):
        return OracleResult.beside(best, others[0], hypothesis.num_arcs)
    if isinstance(hypothesis, Network):
        arcs = sum(len(card.arcs) for card in hypothesis.cards.values())
        return OracleResult.beside(best, others[0] if others else None, arcs)
    return OracleResult.beside(best, replace(best, nbest=()), best.totals.hypothesis_length)
