"""Oracles: the best path of a lattice or n-best list under a metric, beside the decoder's own choice [C08 §4.3]."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any

from fstmetrics.hope_and_fear import Weighing
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.nbest import NBest
from fstmetrics.network import Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.results import OracleResult, Pruned, Result
from fstmetrics.scoring import DEFAULT, SearchOptions, iter_results
from fstmetrics.sides import PLAIN, Input

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars

# What may stand on the hypothesis side of an oracle.
Candidate = Lattice | NBest | Input
_Item = tuple[str | None, Candidate, Input]


@dataclass(frozen=True)
class Beside:
    """What is found of a lattice beside its oracle; as of `oracle`."""

    beams: tuple[float, ...] = ()
    model_weight: float | None = None
    depth: bool = False


NOTHING = Beside()


def oracle(
    lattice: Lattice | NBest,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    beams: Sequence[float] = (),
    model_weight: float | None = None,
    depth: bool = False,
) -> OracleResult:
    """The best path of a lattice under a metric [C08 §4.3], beside the decoder's own.

    Args:
        lattice: the decoder's lattice, or its n-best list.
        reference: a string, several, or a network.
        metric: a name or a metric object.
        scales: weights of the lattice's costs for the 1-best; by default those that the lattice's file names, or 1.
        nbest: how many distinct best paths to find.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.
        beams: find the oracle of the lattice pruned to each of these, too (`Lattice.pruned`).
        model_weight: find hope and fear, too, a natural log of model cost weighing this much against 1 of the metric
            (`fstmetrics.hope_and_fear`).
        depth: count the arcs side by side over time, too (`Lattice.depth`).

    Raises:
        SearchError: the search cannot be done as asked, or reached a limit.
        FstmetricsError: an input that cannot be scored.

    >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    >>> result = oracle(lattice, "the cat")
    >>> result.hypothesis, result.edits, result.one_best.edits, result.density
    (('the', 'cat'), 0, 1, 1.5)
    """
    item = (None, lattice, reference)
    beside = Beside(tuple(beams), model_weight, depth)
    return next(
        iter_oracles([item], as_metric(metric), scales, nbest, normalisation, options, grammars, beside)
    )


def iter_oracles(
    items: Iterable[tuple[str | None, Candidate, Input]],
    metric: Metric,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
    beside: Beside = NOTHING,
) -> Iterator[OracleResult]:
    """Oracles of (id, hypotheses, reference) in order; what `oracle` and the command line are made of."""
    asked: deque[tuple[_Item, list[Input]]] = deque()
    weighing = None
    if beside.model_weight is not None:
        weighing = Weighing(metric, beside.model_weight, scales, nbest, normalisation, grammars, options)

    def questions() -> Iterator[tuple[str | None, Input, Input]]:
        for id, hypothesis, reference in items:
            variants = list(_variants(hypothesis, scales, beside.beams))
            asked.append(((id, hypothesis, reference), variants))
            yield from ((id, variant, reference) for variant in variants)

    answers = iter(iter_results(questions(), metric, nbest, normalisation, options, grammars))
    for best in answers:
        item, variants = asked.popleft()
        others = [next(answers) for _ in variants[1:]]
        yield _assembled(item[1], best, others, **_more(item, variants, others, beside, weighing))


def _more(
    item: _Item, variants: list[Input], others: list[Result], beside: Beside, weighing: Weighing | None
) -> dict[str, Any]:
    """What stands beside the oracle on request."""
    id, hypothesis, reference = item
    more: dict[str, Any] = {}
    if isinstance(hypothesis, Lattice):
        pruned = zip(beside.beams, variants[2:], others[1:], strict=True)
        more["beams"] = tuple(Pruned(beam, lattice.num_arcs, found) for beam, lattice, found in pruned)  # type: ignore[union-attr]
        more["depth"] = hypothesis.depth if beside.depth else None
    if weighing and isinstance(hypothesis, Lattice | NBest):
        more["hope"] = weighing.hope(hypothesis, reference, id)
        more["fear"] = weighing.fear(hypothesis, reference, id)
    return more


def _variants(hypothesis: Candidate, scales: Scales | None, beams: tuple[float, ...]) -> Iterator[Input]:
    """What has to be scored for one item: everything it holds; then the decoder's choice and what is left by each
    beam, or the first n entries."""
    if isinstance(hypothesis, NBest):
        yield hypothesis.lattice()
        for n in _sizes(len(hypothesis.entries)):
            yield hypothesis.lattice(n)
    elif isinstance(hypothesis, Lattice):
        yield hypothesis
        yield hypothesis.best_path(scales).words
        yield from (hypothesis.pruned(beam, scales) for beam in beams)
    else:
        yield hypothesis


def _sizes(entries: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below the number of entries, and that number."""
    steps = (lead * 10**power for power in count() for lead in (1, 2, 5))
    return [*takewhile(lambda n: n < entries, steps), entries]


def _assembled(hypothesis: Candidate, best: Result, others: list[Result], **more: Any) -> OracleResult:
    if isinstance(hypothesis, NBest):
        after = tuple(zip(_sizes(len(hypothesis.entries)), others, strict=True))
        return OracleResult.beside(best, others[0], len(hypothesis.entries), after=after, **more)
    if isinstance(hypothesis, Lattice):
        return OracleResult.beside(best, others[0], hypothesis.num_arcs, **more)
    if isinstance(hypothesis, Network):
        return OracleResult.beside(best, None, sum(len(card.arcs) for card in hypothesis.cards.values()))
    return OracleResult.beside(best, replace(best, nbest=()), best.totals.hypothesis_length)
