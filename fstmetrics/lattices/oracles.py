"""Oracles: the best path of a lattice or n-best list under a metric, beside the decoder's own choice [C08 §4.3]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from fstmetrics._native import AlternativeTexts, OracleSides, TextColumn
from fstmetrics.data.depth import DepthColumn
from fstmetrics.data.lattice import Lattice, OneBest, Scales, scales_of
from fstmetrics.data.nbest import NBest, warn_of_order
from fstmetrics.data.network import Network
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.oracle_results import (
    OracleBatch,
    OracleResult,
    OracleRow,
    Pruned,
    Swept,
    Weighed,
    Weighting,
    Weights,
    arcs_of,
    weightings,
)
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import (
    DEFAULT,
    SETTINGS,
    SearchOptions,
    all_grammars,
    batches,
    search_items,
    searched,
    workers,
)
from fstmetrics.engine.sides import (
    AlternativeColumn,
    Alternatives,
    Input,
    Side,
    Strings,
    are_texts,
    as_side,
    graph_of,
    is_sentence,
)
from fstmetrics.lattices.hope_and_fear import Weighing
from fstmetrics.lattices.weighted import kinds_of_costs
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.metrics.corpus_metric import units_of
from fstmetrics.support.arguments import (
    FLAG,
    NUMBER,
    by_name,
    check_pair,
    check_text,
    described,
    expect,
    items_of,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics._native import LatticeColumn
    from fstmetrics.grammars.library import Grammars

# What may stand on the hypothesis side of an oracle.
Candidate: TypeAlias = "Lattice | NBest | Input"
_Item = tuple[str | None, Candidate, Input]


@dataclass(frozen=True)
class OracleSearch:
    """What is asked of lattices and n-best lists, item by item; fields as the arguments of `oracle`."""

    metric: Metric
    scales: Scales | None = None
    nbest: int = 1
    normalisation: Normalisation = PLAIN
    grammars: Grammars = ()
    options: SearchOptions = DEFAULT
    beams: tuple[float, ...] = ()
    model_weight: float | None = None
    depth: bool = False
    sweep: tuple[Weighting, ...] = ()

    def __post_init__(self) -> None:
        # What an n-best list or a text has no use for is wrong all the same.
        scales_of(self.scales)
        if self.sweep and (self.beams or self.model_weight is not None):
            what = "beams prune" if self.beams else "hope and fear weigh"
            raise FstmetricsError(
                f"{what} by one set of scales, and a sweep has {len(self.sweep)}; ask for one of the two"
            )

    def results(self, items: Iterable[_Item]) -> Iterator[OracleResult]:
        """Oracles of (id, hypotheses, reference) in order."""
        for batch in batches(items, self.options.threads):
            yield from self.batch(batch)

    def batch(self, items: Sequence[_Item]) -> Sequence[OracleResult]:
        """The same of some items, in one call of the engine."""
        if self._is_usual and all(map(_is_usual, items)):
            return self._beside_one_best(items)
        variants = [list(self._variants(hypothesis)) for _, hypothesis, _ in items]
        swept = [self._swept(id, hypothesis) for id, hypothesis, _ in items]
        choices = [list(dict.fromkeys(words for *_, words in rows)) for rows in swept]
        questions: list[_Item] = []
        for (id, _, reference), some, chosen in zip(items, variants, choices, strict=True):
            questions += [(id, each, reference) for each in (*some, *chosen)]
        weighing = self._weighing
        answers = iter(
            search_items(questions, self.metric, self.nbest, self.normalisation, self.options, self.grammars)
        )
        found = []
        for item, some, rows, chosen in zip(items, variants, swept, choices, strict=True):
            best, *others = (next(answers) for _ in some)
            more = self._over_lattice(item[1], best, some, others)
            if weighing:
                more |= _weighed(item, best, weighing)
            if self.sweep:
                results = {words: next(answers) for words in chosen}
                swept_rows = (Swept(weighting, scales, results[words]) for weighting, scales, words in rows)
                more["sweep"] = tuple(swept_rows) or self._alike(best)
            weights = None if self.sweep else self._weights(item[1])
            found.append(_assembled(item[1], best, others, weights=weights, **more))
        return found

    @cached_property
    def _is_usual(self) -> bool:
        """Whether of a lattice nothing is asked but its best path and its 1-best, and words stay as they are."""
        return self._is_plain and self.nbest == 1 and not (self.beams or self.depth)

    @cached_property
    def _is_plain(self) -> bool:
        """The same, or several paths, what beams leave and how deep it is."""
        asked = self.grammars or self.model_weight is not None or self.sweep
        is_number = type(self.nbest) is int and self.nbest >= 1
        is_plain = isinstance(self.normalisation, Normalisation) and self.normalisation == PLAIN
        return is_number and is_plain and isinstance(self.options, SearchOptions) and not asked

    def _beside_one_best(self, items: Sequence[_Item]) -> OracleBatch:
        """Lattices and texts for which `_is_usual`: no side needs to be made but what lattices keep."""
        ids: list[str | None] = []
        hypotheses: list[Side | Strings] = []
        references: list[Side] = []
        arcs: list[int] = []
        own: list[OneBest] = []
        for id, lattice, reference in items:
            choice = lattice.one_best(self.scales)  # type: ignore[union-attr]
            ids += (id, id)
            hypotheses += (graph_of(lattice), _side_of(choice))  # type: ignore[arg-type]
            references += (reference, reference)  # type: ignore[arg-type]
            arcs.append(lattice.num_arcs)  # type: ignore[union-attr]
            own.append(choice)
        found = searched(ids, hypotheses, references, self.metric, 1, self.options)
        return OracleBatch(found, self.metric, ids[::2], arcs, lambda: list(map(_weights_of, own)))

    def of_one(self, lattice: Lattice, reference: str) -> OracleResult:
        """The same of one lattice of words, without lists of items."""
        own = lattice.one_best(self.scales)
        sides = (graph_of(lattice), _side_of(own))
        found = searched(None, sides, (reference, reference), self.metric, 1, self.options)
        arcs = lattice.num_arcs
        both = OracleBatch(found, self.metric, None, (arcs,), lambda: [_weights_of(own)])
        return OracleResult.of_row(OracleRow(None, 0, arcs, both))

    def of_columns(
        self,
        ids: Sequence[str | None] | None,
        lattices: LatticeColumn,
        references: Sequence[Input],
        scales: Mapping[str, float],
    ) -> Sequence[OracleResult]:
        """Oracles of lattices that readers left in a column, as `batch`.

        Where all is usual, no Python object is made of a lattice.

        Args:
            ids, lattices, references: of each item.
            scales: weights of costs, by their names in `Scales`; others are as each lattice's file says.
        """
        found = self._in_columns(ids, lattices, references, scales)
        if found is None:
            some: Sequence[str | None] = ids or [None] * len(lattices)
            weighed = (
                (each.weighed(replace(each.scales, **scales)) for each in lattices) if scales else lattices
            )
            return self.batch(list(zip(some, weighed, references, strict=True)))
        return found

    def _in_columns(
        self,
        ids: Sequence[str | None] | None,
        lattices: LatticeColumn,
        references: Sequence[Input],
        scales: Mapping[str, float],
    ) -> OracleBatch | None:
        """The same without an object of a lattice; None where that is not possible, or not known to be."""
        several = isinstance(references, AlternativeColumn) and all(map(are_texts, references.sets))
        if not (self._is_plain and (several or are_texts(references))):
            return None
        # What is searched, and the same for both paths of each lattice.
        once: Any = references
        both: Any
        if isinstance(references, AlternativeColumn):
            once = AlternativeTexts(references.sets)
            both = AlternativeTexts(list(map(_twice, references.sets)))
        else:
            both = _twice(references)
        names = ids and _twice(ids)
        threads = workers(self.options.threads)
        scales = scales if self.scales is None else asdict(self.scales)
        lm, acoustic, word_penalty = map(scales.get, ("lm", "acoustic", "word_penalty"))
        sides = OracleSides(lattices, lm, acoustic, word_penalty, threads)
        if not sides.are_searchable:
            return None
        pruned = []
        for beam in self.beams:
            left = lattices.pruned(beam, lm, acoustic, word_penalty, threads)
            if left is None or not left.prepare(threads):
                return None
            pruned.append(left)
        depths = lattices.depths(threads) if self.depth else None
        if self.depth and depths is None:
            return None
        if sides.failure:
            row, why = sides.failure
            raise FstmetricsError(f"lattice {lattices.parts(row)[0] or '(no id)'}: {why}")
        found = searched(names, sides, both, self.metric, self.nbest, self.options)  # type: ignore[arg-type]
        beams = []
        for beam, left in zip(self.beams, pruned, strict=True):
            best = searched(ids, left, once, self.metric, self.nbest, self.options)
            arcs = [left.num_arcs(row) for row in range(len(left))]
            beams.append((beam, arcs, Batch(best, self.metric, ids, self.nbest)))
        return OracleBatch(
            found, self.metric, ids, sides.arcs().tolist(), partial(_all_weights, sides), beams,
            None if depths is None else DepthColumn(depths), self.nbest,
        )  # fmt: skip

    def _swept(
        self, id: str | None, hypothesis: Candidate
    ) -> list[tuple[Weighting, Scales, tuple[str, ...]]]:
        """The decoder's own words under each row of the sweep; nothing of a text, which weighs nothing.

        Raises:
            FstmetricsError: an n-best list, or a forest without costs.
        """
        if not self.sweep or not isinstance(hypothesis, Lattice | NBest | Network):
            return []
        if isinstance(hypothesis, NBest) or (isinstance(hypothesis, Network) and not hypothesis.has_costs):
            what = "an n-best list" if isinstance(hypothesis, NBest) else "a forest without scores"
            item = "" if id is None else f"item {id}: "
            raise FstmetricsError(
                f"{item}{what} has no graph and acoustic costs; several scales or word penalties are for lattices and "
                "forests that have some"
            )
        own = scales_of(self.scales, hypothesis.scales)
        scales = [row.of(own) for row in self.sweep]
        if isinstance(hypothesis, Lattice):
            paths = [path.words for path in hypothesis.best_path_of_each(scales)]
        else:
            paths = [hypothesis.best_path(each).words for each in scales]
        return list(zip(self.sweep, scales, paths, strict=True))

    def _alike(self, best: Result) -> tuple[Swept, ...]:
        """The rows of a text, which is its own best path under all of them."""
        own, alone = scales_of(self.scales), replace(best, nbest=())
        return tuple(Swept(row, row.of(own), alone) for row in self.sweep)

    @property
    def _weighing(self) -> Weighing | None:
        """How model and metric are weighed together, where they are."""
        if self.model_weight is None:
            return None
        return Weighing(
            self.metric, self.model_weight, self.scales, self.nbest, self.normalisation, self.grammars, self.options
        )  # fmt: skip

    def _variants(self, hypothesis: Candidate) -> Iterator[Input]:
        """What has to be scored for one item: everything it holds; then the decoder's choice and what is left by each
        beam, or the first n entries."""
        if isinstance(hypothesis, NBest):
            apart = self.metric.window > 1 or self.normalisation.needs_sentences
            for n in (None, *_sizes(len(hypothesis.entries))):
                yield Alternatives(hypothesis.entries[:n]) if apart else hypothesis.lattice(n)
        elif isinstance(hypothesis, Lattice) or (isinstance(hypothesis, Network) and hypothesis.has_costs):
            yield hypothesis
            if not self.sweep:
                is_lattice = isinstance(hypothesis, Lattice)
                best = hypothesis.one_best if is_lattice else hypothesis.best_path  # type: ignore[union-attr]
                yield best(self.scales).words
            if isinstance(hypothesis, Lattice):
                yield from (hypothesis.pruned(beam, self.scales) for beam in self.beams)
        else:
            yield hypothesis

    def _over_lattice(
        self, hypothesis: Candidate, best: Result, variants: list[Input], others: list[Result]
    ) -> dict[str, Any]:
        """Beams and depth. A text, which stands in for a lattice that is missing, has nothing to prune."""
        if isinstance(hypothesis, Lattice):
            lattices = [variant.num_arcs for variant in variants if isinstance(variant, Lattice)][1:]
            pruned = zip(self.beams, lattices, others[1:], strict=True)
            depth = hypothesis.depth if self.depth else None
            return {"beams": tuple(Pruned(*each) for each in pruned), "depth": depth}
        if (self.beams or self.depth) and isinstance(hypothesis, NBest | Network):
            raise FstmetricsError("beams and depth are for lattices, not for n-best lists or networks")
        alone = replace(best, nbest=())
        return {"beams": tuple(Pruned(beam, alone.totals.hypothesis_length, alone) for beam in self.beams)}

    def _weights(self, hypothesis: Candidate) -> Weights | None:
        """What the decoder's own path was found with; None where nothing is weighed."""
        if not isinstance(hypothesis, Lattice | Network):
            return None
        if isinstance(hypothesis, Network) and not hypothesis.has_costs:
            return None
        scales, costs = scales_of(self.scales, hypothesis.scales), kinds_of_costs(hypothesis)
        forest = isinstance(hypothesis, Network)
        return Weights(scales.lm, scales.acoustic, scales.word_penalty, *costs, forest=forest)


@by_name(SETTINGS)
def oracle(
    lattice: Lattice | NBest | Network | str | Sequence[str],
    reference: Input,
    metric: str | Metric = "wer",
    *,
    scales: Scales | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    beams: float | Sequence[float] = (),
    model_weight: float | None = None,
    depth: bool = False,
    lm_scales: Sequence[float] = (),
    word_penalties: Sequence[float] = (),
) -> OracleResult:
    """The best path of `lattice` for `reference` under a metric [C08 §4.3], beside the decoder's own.

    Args:
        lattice: the decoder's lattice, its n-best list, or its forest: a network, whose cards may carry costs. One
            sentence, a string or words, is a lattice of one path, its own 1-best.
        reference: a string, several, or a network. A list of single words is one reference; `Alternatives` says that
            they are several.
        metric: a name or a metric object.
        scales: weights of the lattice's costs for the 1-best; by default those that its file names, or 1.
        nbest: how many distinct best paths to find.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.
        beams: find the oracle of the lattice pruned to each of these, too, or to the one (`Lattice.pruned`).
        model_weight: find hope and fear, too, a natural log of model cost weighing this much against 1 of the metric
            (`fstmetrics.lattices.hope_and_fear`).
        depth: count the arcs side by side over time, too (`Lattice.depth`).
        lm_scales, word_penalties: a sweep: score the decoder's own path under each of these weights of graph costs
            with each of these penalties, instead of the one 1-best (`OracleResult.sweep`; `Weighting` has the units).

    Raises:
        SearchError: the search cannot be done as asked, or reached a limit.
        FstmetricsError: an input that cannot be scored, or several sentences, of which none is the 1-best.

    >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
    >>> result = oracle(lattice, "the cat")
    >>> result.hypothesis, result.edits, result.one_best.edits, result.density
    (('the', 'cat'), 0, 1, 1.5)
    >>> [(row.weighting.lm_scale, row.result.edits) for row in oracle(lattice, "the cat", lm_scales=[7, 8]).sweep]
    [(7, 1), (8, 1)]
    """
    is_usual = (
        scales is None
        and model_weight is None
        and nbest is ONE
        and normalisation is PLAIN
        and options is DEFAULT
        and grammars is NOTHING
        and beams is NOTHING
        and lm_scales is NOTHING
        and word_penalties is NOTHING
        and depth is False
    )
    is_wer = type(metric) is str and metric == "wer"
    if is_usual and is_wer and type(lattice) is Lattice and type(reference) is str and not lattice.numbered:
        check_text(reference, "the reference")
        return USUAL_SEARCH.of_one(lattice, reference)
    if not (isinstance(lattice, Lattice | NBest | Network) or is_sentence(lattice)):
        several = (
            "; Lattice.from_strings() makes a lattice of several sentences"
            if isinstance(lattice, list | tuple)
            else ""
        )
        raise FstmetricsError(
            f"oracle() takes a Lattice, an NBest, a Network or one sentence, not {described(lattice)}{several}"
        )
    check_pair(lattice, reference)
    expect(options, SearchOptions, "options")
    FLAG.check(depth, "depth")
    widths = (beams,) if NUMBER.holds(beams) else tuple(items_of(beams, "beams"))
    for width in widths:
        if not NUMBER.holds(width) or not width >= 0:
            raise FstmetricsError(f"a beam is a number from 0 up, not {width!r:.80}")
    sweep = weightings(items_of(lm_scales, "lm_scales"), items_of(word_penalties, "word_penalties"))
    wider = all_grammars(grammars, normalisation)
    found = as_metric(metric)
    if found.unit is not None:
        units_of([found], normalisation.unit)
        normalisation = found.normalisation(normalisation)
    if isinstance(lattice, NBest):
        if isinstance(scales, Scales) and model_weight is None:
            raise FstmetricsError(
                "scales would change nothing of n-best lists, whose first entry is the 1-best; they weigh the scores "
                "for hope and fear, which model_weight finds"
            )
        if model_weight is not None:
            warn_of_order(lattice, scales)
    search = OracleSearch(
        found, scales, nbest, normalisation, wider, options, widths, model_weight, depth, sweep
    )
    return search.batch([(None, lattice, reference)])[0]


# What `oracle` asks by default, and the search that this is.
ONE = 1
NOTHING: tuple[()] = ()
USUAL_SEARCH = OracleSearch(as_metric("wer"))


def _weighed(item: _Item, best: Result, weighing: Weighing) -> dict[str, Any]:
    """Hope and fear. A text is both, and costs the model nothing."""
    id, hypothesis, reference = item
    if isinstance(hypothesis, Lattice | NBest | Network):
        hope, fear = (find(hypothesis, reference, id) for find in (weighing.hope, weighing.fear))
        return {"hope": hope, "fear": fear}
    alone = replace(best, nbest=())
    return {"hope": (Weighed(alone, 0.0, best.cost),), "fear": (Weighed(alone, 0.0, -best.cost),)}


def _twice(values: Sequence[Any]) -> Sequence[Any]:
    """Each value, and again."""
    if isinstance(values, TextColumn):
        return values.taken(np.repeat(np.arange(len(values)), 2))
    return [value for value in values for _ in "ab"]


def _side_of(choice: OneBest) -> Side:
    """A 1-best as the engine takes it."""
    return as_side(choice.words, PLAIN) if choice.text is None else choice.text


def _weights_of(choice: OneBest) -> Weights:
    """What a 1-best was found with."""
    scales = choice.scales
    costs = choice.graph_costs, choice.acoustic_costs
    return Weights(scales.lm, scales.acoustic, scales.word_penalty, *costs, forest=False)


def _all_weights(sides: OracleSides) -> list[Weights]:
    """What the 1-bests of a column were found with."""
    known: dict[tuple[float, ...], Weights] = {}
    found: list[Weights] = []
    rows = sides.weights()
    is_one = len(rows) > 0 and bool((rows == rows[0]).all())
    for row in map(tuple, (rows[:1] if is_one else rows).tolist()):
        if row not in known:
            lm, acoustic, penalty, graph_costs, acoustic_costs = row
            known[row] = Weights(lm, acoustic, penalty, bool(graph_costs), bool(acoustic_costs), forest=False)
        found.append(known[row])
    return found * len(rows) if is_one else found


def _sizes(entries: int) -> list[int]:
    """1, 2, 5, 10, 20, 50, ... below the number of entries, and that number."""
    steps = (lead * 10**power for power in count() for lead in (1, 2, 5))
    return [*takewhile(lambda n: n < entries, steps), entries]


def _is_usual(item: _Item) -> bool:
    """Whether it is a lattice of words and a text."""
    _, hypothesis, reference = item
    return type(hypothesis) is Lattice and not hypothesis.numbered and type(reference) is str


def _assembled(hypothesis: Candidate, best: Result, others: list[Result], **more: Any) -> OracleResult:
    own, arcs = others[0] if others else None, arcs_of(hypothesis)
    if arcs is None:
        arcs, own = best.totals.hypothesis_length, replace(best, nbest=())
    elif isinstance(hypothesis, NBest):
        more["after"] = tuple(zip(_sizes(arcs), others, strict=True))
    row = best._row
    return OracleResult.of_row(OracleRow(row.batch, row.item, arcs, None, {"one_best": own, **more}))
