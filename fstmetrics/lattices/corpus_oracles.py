"""Oracles of n-best lists under metrics of whole corpora: the entry of each list that together score best.

Such a metric (BLEU, chrF) is no sum over items, so the best entries cannot be found list by list. They are found by
local search: from the best item scores and from the first entries, one list after another takes the entry that is best
beside those of the others, until none changes. What no choice can exceed is computed beside it: `upper_bound`.

Each list also has a hope and a fear [Chiang 2012] under item scores, as sentence BLEU: the entries of least weight x
model cost plus, or minus, the metric's cost. fstmetrics/lattices/hope_and_fear.py has those of the engine's metrics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.nbest import NBest
from fstmetrics.engine.sides import Input
from fstmetrics.engine.statistics import text_rows
from fstmetrics.metrics import Mean, TextMetric, as_corpus_metric
from fstmetrics.metrics.bleu import BLEU, BLEUSBP, CLIPPED, LENGTH, MATCHES, ORDER, REFERENCE
from fstmetrics.metrics.chrf import ChrF
from fstmetrics.metrics.corpus_metric import ItemMean
from fstmetrics.support.arguments import NUMBER, expect
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.statistics import Progress
    from fstmetrics.metrics.corpus_metric import Table

# Rounds over all lists; the search stops by itself after about five.
MOST_ROUNDS = 100
# How often the range of lengths is halved for a bound of BLEU, and how often a multiplier.
MOST_SPLITS, MOST_HALVINGS = 200, 40
# What is left between two bounds, as a share, that is not worth another split.
CLOSE = 1e-4


class WeighedEntry(NamedTuple):
    """An entry of an n-best list that a model and a metric weigh together.

    Attributes:
        rank: its place in the list, from 1.
        hypothesis: its text.
        score: of the item.
        combined: what was minimised: weight x model cost + cost (hope), or - cost (fear).
        model_cost: minus the list's score.
        cost: minus the score where more is better, else the score.
    """

    rank: int
    hypothesis: str
    score: float
    combined: float
    model_cost: float
    cost: float

    def as_dict(self) -> dict[str, Any]:
        """For records."""
        return self._asdict() | {"hypothesis": self.hypothesis.split()}


class WeighedEntries(NamedTuple):
    """The hope, or the fear, of each list.

    Attributes:
        entries: one a list.
        score: of all of them together.
    """

    entries: tuple[WeighedEntry, ...]
    score: float

    @property
    def costs(self) -> dict[str, float]:
        """Sums over the lists: combined, model cost and cost."""
        names = ("combined", "model_cost", "cost")
        return {name: math.fsum(getattr(entry, name) for entry in self.entries) for name in names}


@dataclass(frozen=True, eq=False)
class CorpusOracle:
    """The best entries that were found.

    Attributes:
        metric: under which.
        ids: of the lists.
        ranks: the entry of each list, from 1.
        hypotheses: their texts.
        score: of all of them together.
        one_best: the score of all first entries.
        bound: no choice of entries scores better; None where the metric has no bound.
        values: the statistics of the entries, shape [lists, columns].
        normalisation: what was done to the words.
        hope, fear: an entry of each list, where a model weight was given.
    """

    metric: TextMetric
    ids: tuple[str, ...]
    ranks: tuple[int, ...]
    hypotheses: tuple[str, ...]
    score: float
    one_best: float
    bound: float | None
    values: Table
    normalisation: Normalisation
    hope: WeighedEntries | None = None
    fear: WeighedEntries | None = None

    @property
    def exact(self) -> bool:
        """Whether no choice of entries scores better."""
        return self.bound is not None and abs(self.bound - self.score) <= 1e-9 * max(1.0, abs(self.score))

    def further(self) -> list[tuple[str, float]]:
        """Names and scores of what stands beside it: first entries, a bound that is not reached, hope and fear."""
        found = [("1-best", self.one_best)]
        if self.bound is not None and not self.exact:
            found.append(("bound", self.bound))
        return found + [
            (name, side.score) for name, side in (("hope", self.hope), ("fear", self.fear)) if side
        ]

    def __repr__(self) -> str:
        bound = "" if self.bound is None else f", bound {self.bound:.4f}"
        name = self.metric.name
        lists = counted(len(self.ids), "list")
        return f"CorpusOracle({name} {self.score:.4f}, 1-best {self.one_best:.4f}{bound}, {lists})"


def corpus_oracle(
    lists: Sequence[NBest],
    references: Sequence[Input],
    metric: str | TextMetric = "bleu",
    *,
    normalisation: Normalisation = PLAIN,
    model_weight: float | None = None,
    progress: Progress = lambda items: None,
) -> CorpusOracle:
    """The entries of n-best lists that together score best under a metric of strings.

    Args:
        lists: the n-best lists.
        references: one or several strings a list, in the same order.
        metric: a name or a metric of strings: `bleu`, `chrf`, `ter`, ...
        normalisation: changes to the words of both sides.
        model_weight: find hope and fear of each list, too, by item scores (of `bleu`, sentence BLEU). A natural log of
            model cost weighs this much against 1 of the score, which goes to 100 where it is a percentage.
        progress: told of each list whose entries have been compared.

    Raises:
        FstmetricsError: a finite-state metric, whose oracles are `oracle`'s; a metric without scores of items; another
            number of references; or, with a model weight, scores that are missing or not finite.

    >>> nbest = NBest("x", (("a", "b"), ("a", "c", "d", "e")), ("a b", "a c d e"))
    >>> found = corpus_oracle([nbest], ["a c d e"], "bleu")
    >>> found.ranks, round(found.score, 2), round(found.one_best, 2), round(found.bound, 2)
    ((2,), 100.0, 0.0, 100.0)
    >>> from fstmetrics.data.lattice import Scales
    >>> found = corpus_oracle([nbest.weighed(Scales(word_penalty=3))], ["a c d e"], "sentence-bleu", model_weight=10)
    >>> found.hope.entries[0].rank, found.fear.entries[0].rank
    (2, 1)
    """
    found = as_corpus_metric(metric)
    if not isinstance(found, TextMetric) or (
        isinstance(found, Mean) and not isinstance(found.metric, TextMetric)
    ):
        raise FstmetricsError(f"{found.name} has oracles list by list, of lattices, too: use oracle()")
    if not found.columns:
        raise FstmetricsError(f"{found.name} has no scores of items, so entries cannot be compared")
    expect(normalisation, Normalisation, "normalisation")
    if not (model_weight is None or (NUMBER.holds(model_weight) and 0 <= model_weight < math.inf)):
        raise FstmetricsError(f"the model's weight is a number from 0 up, not {model_weight!r}")
    for each in lists:
        expect(each, NBest, "n-best lists")
    if not lists:
        raise FstmetricsError("no n-best lists")
    if len(lists) != len(references):
        raise FstmetricsError(f"{len(lists)} n-best lists, but {len(references)} references")
    kept = found.normalisation(normalisation)
    tables = []
    for nbest, reference in zip(lists, references, strict=True):
        tables.append(text_rows(found, nbest.texts, [reference] * len(nbest.texts), kept))
        progress(1)
    chosen = best_entries(found, lists, tables, kept)
    if model_weight is None:
        return chosen
    losses = []
    for nbest, table in zip(lists, tables, strict=True):
        scores = found.scores_of_items(table)
        for values, what in (
            (nbest.model_costs, "score of the model"),
            (scores, f"score under {found.name}"),
        ):
            if bad := np.flatnonzero(~np.isfinite(values)).tolist():
                raise FstmetricsError(f"n-best list {nbest.id!r}: entry {bad[0] + 1} has no finite {what}")
        losses.append(0.0 - scores if found.recognition else scores)
    hope, fear = (_weighed(found, lists, tables, losses, model_weight, sign) for sign in (1, -1))
    return replace(chosen, hope=hope, fear=fear)


def _weighed(
    metric: TextMetric,
    lists: Sequence[NBest],
    tables: Sequence[Table],
    losses: Sequence[Table],
    weight: float,
    sign: int,
) -> WeighedEntries:
    """The entries of least weight x model cost + sign x loss; of equals the first."""
    found, chosen = [], []
    for nbest, loss in zip(lists, losses, strict=True):
        costs = np.array(nbest.model_costs)
        combined = weight * costs + sign * loss
        best = int(np.argmin(combined))
        score = -loss[best] if metric.recognition else loss[best]
        numbers = map(float, (score, combined[best], costs[best], loss[best]))
        found.append(WeighedEntry(best + 1, nbest.texts[best], *numbers))
        chosen.append(best)
    return WeighedEntries(tuple(found), _score(metric, tables, chosen))


def best_entries(
    metric: TextMetric, lists: Sequence[NBest], tables: Sequence[Table], normalisation: Normalisation
) -> CorpusOracle:
    """The same, given the statistics of the entries, shape [entries, columns] a list."""
    first = [0] * len(tables)
    by_item = _best_of_each(metric, tables)
    if metric.decomposable == "always":
        chosen = by_item
    else:
        found = [_local_search(metric, tables, start) for start in (by_item, first)]
        scores = np.array([_score(metric, tables, choice) for choice in found])
        chosen = found[_best(metric, scores)]
    score = _score(metric, tables, chosen)
    return CorpusOracle(
        metric,
        tuple(nbest.id for nbest in lists),
        tuple(entry + 1 for entry in chosen),
        tuple(nbest.texts[entry] for nbest, entry in zip(lists, chosen, strict=True)),
        score,
        _score(metric, tables, first),
        upper_bound(metric, tables, chosen),
        _rows(tables, chosen),
        normalisation,
    )


def _best(metric: TextMetric, scores: Table) -> int:
    """The best of some scores, the first of equals; what is no number is worst."""
    worst = -math.inf if metric.recognition else math.inf
    scores = np.where(np.isnan(scores), worst, scores)
    return int(np.argmax(scores) if metric.recognition else np.argmin(scores))


def _best_of_each(metric: TextMetric, tables: Sequence[Table]) -> list[int]:
    """The entries of the best item scores; under a metric that is no mean of them, of equals the best in the corpus.

    An item's TER is 100 for any words where its references have none; in a corpus each of them is an edit.
    """
    chosen = [_best(metric, metric.scores_of_items(table)) for table in tables]
    sums_up = metric.decomposable == "always" and not isinstance(metric, ItemMean)
    return _local_search(metric, tables, chosen) if sums_up else chosen


def _rows(tables: Sequence[Table], chosen: Sequence[int]) -> Table:
    return np.stack([table[entry] for table, entry in zip(tables, chosen, strict=True)])


def _score(metric: TextMetric, tables: Sequence[Table], chosen: Sequence[int]) -> float:
    return float(metric.corpus_score(_rows(tables, chosen).sum(axis=0)))


def _local_search(metric: TextMetric, tables: Sequence[Table], start: Sequence[int]) -> list[int]:
    """No entry of one list alone makes what it ends with any better."""
    chosen = list(start)
    for _ in range(MOST_ROUNDS):
        sums = _rows(tables, chosen).sum(axis=0)  # added up anew, so that no error of rounding grows
        changed = False
        for item, table in enumerate(tables):
            others = sums - table[chosen[item]]
            scores = metric.corpus_score(others + table)
            entry = _best(metric, scores)
            if entry != chosen[item] and scores[entry] != scores[chosen[item]]:
                chosen[item], changed = entry, True
                sums = others + table[entry]
        if not changed:
            break
    return chosen


def upper_bound(metric: TextMetric, tables: Sequence[Table], chosen: Sequence[int]) -> float | None:
    """What no choice of entries exceeds (what none goes below, of error rates); None where nothing is known.

    Exact for metrics that are a mean of item scores, and for TER. For BLEU and BLEU-SBP, the bound of a relaxation: the
    logarithm of the matches of each order lies below its tangent at `chosen`, which is linear, and the corpus length is
    split into ranges, in each of which one Lagrange multiplier keeps it. For chrF, the F of the largest precision and
    the largest recall, each the mean of the largest of each order, which Dinkelbach's algorithm finds exactly.

    Args:
        metric: of which.
        tables: statistics of the entries, shape [entries, columns] a list.
        chosen: an entry of each list; the nearer to the best, the nearer the bound.
    """
    if metric.decomposable == "always":
        return _score(metric, tables, _best_of_each(metric, tables))
    if isinstance(metric, BLEU):
        # The words of a corpus are at least as many as the clipped ones, which BLEU-SBP's penalty is of.
        columns = (LENGTH, CLIPPED) if isinstance(metric, BLEUSBP) else (LENGTH,)
        bound = min(_bound_of_bleu(metric, tables, chosen, column) for column in columns)
        return max(bound, _score(metric, tables, chosen))
    if isinstance(metric, ChrF):
        return max(_bound_of_chrf(metric, tables), _score(metric, tables, chosen))
    return None


def _bound_of_bleu(metric: BLEU, tables: Sequence[Table], chosen: Sequence[int], column: int) -> float:
    """Of log BLEU = 1/4 sum of log matches_n - 1/4 sum of log totals_n + min(0, 1 - r / c), c in `column`.

    A smoothed order without a match counts 1/2 at most, which is below the tangent.
    """
    # e/2 and more matches: there the tangent at 0 is log(m) - 1, which is above log(1/2).
    at = np.maximum(_rows(tables, chosen).sum(axis=0)[MATCHES], math.e / 2)
    added = (np.arange(ORDER) > 0) * (metric.smoothing == "plus-one")
    offset = (np.log(at + added) - at / (at + added)).sum() / ORDER
    begins = np.cumsum([0, *(len(table) for table in tables)])[:-1]
    rows = np.concatenate(tables)
    gains, references = rows[:, MATCHES] @ (1 / (at + added)) / ORDER, rows[:, REFERENCE]
    lengths = rows[:, column]
    shortest, longest = (each.reduceat(lengths, begins).sum() for each in (np.minimum, np.maximum))
    # No sum of whole numbers lies between the ranges; averages of reference lengths have fractions.
    gap = 1.0 if (lengths == np.floor(lengths)).all() else 0.0
    items = len(tables)

    def largest(values: Table) -> float:
        return float(np.maximum.reduceat(values, begins).sum())

    def of_range(low: float, high: float) -> float:
        """Of corpora of that length."""
        # Smoothed totals are 1 at least, also of an order that no entry is long enough for.
        totals = np.maximum(low - items * np.arange(ORDER) + added, 1.0)
        base = offset - np.log(totals).sum() / ORDER

        def at_share(share: float) -> float:
            # min(0, x) is below share * x, for any share from 0 to 1.
            penalised = gains - share * references / max(high, 1.0)
            return share + _least(
                lambda price: largest(penalised + price * lengths) - price * (low if price > 0 else high)
            )

        return min(0.0, float(base) + min(map(at_share, (0.0, 0.25, 0.5, 0.75, 1.0))))

    ranges = [(of_range(shortest, longest), shortest, longest)]
    for _ in range(MOST_SPLITS):
        bound, low, high = max(ranges)
        middle = (low + high) // 2 if gap else (low + high) / 2
        if high - low < 1:
            break
        parts = [(low, middle), (middle + gap, high)]
        split = [(min(bound, of_range(*part)), *part) for part in parts]
        ranges.remove((bound, low, high))
        ranges += split
        if high - low <= CLOSE * high:
            break
    return 100 * math.exp(max(ranges)[0])


def _least(convex: Callable[[float], float]) -> float:
    """A value of a convex function near its least, by golden section; every value is a bound, the least is the best."""
    low, high = -1.0, 1.0
    golden = (math.sqrt(5) - 1) / 2
    places = [high - golden * (high - low), low + golden * (high - low)]
    values = [convex(place) for place in places]
    best = min(*values, convex(0.0))
    for _ in range(MOST_HALVINGS):
        if values[0] <= values[1]:
            high = places[1]
            places = [high - golden * (high - low), places[0]]
            values = [convex(places[0]), values[0]]
        else:
            low = places[0]
            places = [places[1], low + golden * (high - low)]
            values = [values[1], convex(places[1])]
        best = min(best, *values)
    return best


def _bound_of_chrf(metric: ChrF, tables: Sequence[Table]) -> float:
    begins = np.cumsum([0, *(len(table) for table in tables)])[:-1]
    rows = np.concatenate(tables)
    orders = range(len(metric.columns) // 3)
    hypothesis, reference, matches = (rows[:, place::3] for place in range(3))
    precision, recall = (
        [_largest_ratio(matches[:, n], totals[:, n], begins) for n in orders]
        for totals in (hypothesis, reference)
    )
    # An order that one side lacks is left out of the mean: at worst all but the best are.
    there = [n for n in orders if hypothesis[:, n].any() and reference[:, n].any()]
    if not there:
        return 0.0
    always = all(
        np.minimum.reduceat(each[:, n], begins).sum() > 0 for n in there for each in (hypothesis, reference)
    )
    mean: Any = np.mean if always else np.max
    p, r = (float(mean([ratios[n] for n in there])) for ratios in (precision, recall))
    factor = metric.beta**2
    f: float = (1 + factor) * p * r / (factor * p + r) if p and r else 0.0
    return 100 * f


def _largest_ratio(numerators: Table, denominators: Table, begins: Any) -> float:
    """The largest sum of numerators over sum of denominators, of one row from each part (Dinkelbach 1967)."""
    ratio = 0.0
    while True:
        gains = numerators - ratio * denominators
        best = np.maximum.reduceat(gains, begins)
        rows = np.flatnonzero(gains == np.repeat(best, np.diff([*begins, len(gains)])))
        parts = np.searchsorted(begins, rows, side="right") - 1
        _, first = np.unique(parts, return_index=True)
        total = denominators[rows[first]].sum()
        better = numerators[rows[first]].sum() / total if total > 0 else ratio
        if not better > ratio:
            return ratio
        ratio = float(better)
