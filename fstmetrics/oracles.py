"""Oracles: the best path of a lattice or n-best list under a metric, beside the decoder's own choice [C08 §4.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any

from fstmetrics.decoding.hope_and_fear import Weighing
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.nbest import NBest
from fstmetrics.network import Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.results import OracleResult, Pruned, Result, Weighed
from fstmetrics.runs.batching import batches
from fstmetrics.scoring import DEFAULT, SearchOptions, search_items
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
    lattice: Lattice | NBest | Network,
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
        lattice: the decoder's lattice, its n-best list, or its forest: a network, whose cards may carry costs.
        reference: a string, several, or a network.
        metric: a name or a metric object.
        scales: weights of the lattice's costs for the 1-best; by default those that its file names, or 1.
        nbest: how many distinct best paths to find.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.
        beams: find the oracle of the lattice pruned to each of these, too (`Lattice.pruned`).
        model_weight: find hope and fear, too, a natural log of model cost weighing this much against 1 of the metric
            (`fstmetrics.decoding.hope_and_fear`).
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
    """Oracles of (id, hypotheses, reference) in order; what `oracle` is made of."""
    for batch in batches(items, options.threads):
        yield from search_oracles(batch, metric, scales, nbest, normalisation, options, grammars, beside)


def search_oracles(
    items: Sequence[_Item],
    metric: Metric,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
    beside: Beside = NOTHING,
) -> list[OracleResult]:
    """The same of a batch of items, all at once."""
    variants = [list(_variants(hypothesis, scales, beside.beams)) for _, hypothesis, _ in items]
    questions = [
        (id, variant, reference)
        for (id, _, reference), some in zip(items, variants, strict=True)
        for variant in some
    ]
    weighing = None
    if beside.model_weight is not None:
        weighing = Weighing(metric, beside.model_weight, scales, nbest, normalisation, grammars, options)
    answers = iter(search_items(questions, metric, nbest, normalisation, options, grammars))
    found = []
    for item, some in zip(items, variants, strict=True):
        best, *others = (next(answers) for _ in some)
        more = _over_lattice(item[1], best, some, others, beside)
        if weighing:
            more |= _weighed(item, best, weighing)
        found.append(_assembled(item[1], best, others, **more))
    return found


def _over_lattice(
    hypothesis: Candidate, best: Result, variants: list[Input], others: list[Result], beside: Beside
) -> dict[str, Any]:
    """Beams and depth. A text, which stands in for a lattice that is missing, has nothing to prune."""
    if isinstance(hypothesis, Lattice):
        lattices = [variant.num_arcs for variant in variants if isinstance(variant, Lattice)][1:]
        pruned = zip(beside.beams, lattices, others[1:], strict=True)
        depth = hypothesis.depth if beside.depth else None
        return {"beams": tuple(Pruned(*each) for each in pruned), "depth": depth}
    if (beside.beams or beside.depth) and isinstance(hypothesis, NBest | Network):
        raise FstmetricsError("beams and depth are for lattices, not for n-best lists or networks")
    alone = replace(best, nbest=())
    return {"beams": tuple(Pruned(beam, alone.totals.hypothesis_length, alone) for beam in beside.beams)}


def _weighed(item: _Item, best: Result, weighing: Weighing) -> dict[str, Any]:
    """Hope and fear. A text is both, and costs the model nothing."""
    id, hypothesis, reference = item
    if isinstance(hypothesis, Lattice | NBest):
        hope, fear = (find(hypothesis, reference, id) for find in (weighing.hope, weighing.fear))
        return {"hope": hope, "fear": fear}
    if isinstance(hypothesis, Network):
        raise FstmetricsError("hope and fear are for lattices and n-best lists, not for networks")
    alone = replace(best, nbest=())
    return {"hope": (Weighed(alone, 0.0, best.cost),), "fear": (Weighed(alone, 0.0, -best.cost),)}


def _variants(hypothesis: Candidate, scales: Scales | None, beams: tuple[float, ...]) -> Iterator[Input]:
    """What has to be scored for one item: everything it holds; then the decoder's choice and what is left by each
    beam, or the first n entries."""
    if isinstance(hypothesis, NBest):
        yield hypothesis.lattice()
        for n in _sizes(len(hypothesis.entries)):
            yield hypothesis.lattice(n)
    elif isinstance(hypothesis, Lattice) or (isinstance(hypothesis, Network) and hypothesis.has_costs):
        yield hypothesis
        yield hypothesis.best_path(scales).words
        if isinstance(hypothesis, Lattice):
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
        arcs = sum(len(card.arcs) for card in hypothesis.cards.values())
        return OracleResult.beside(best, others[0] if others else None, arcs, **more)
    return OracleResult.beside(best, replace(best, nbest=()), best.totals.hypothesis_length, **more)
