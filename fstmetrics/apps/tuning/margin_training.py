"""Hope-fear MIRA over n-best lists: `mira`, updates from what the metric hopes for to what it fears.

As batch MIRA (Cherry and Foster, "Batch Tuning Strategies for Statistical Machine Translation", NAACL 2012), with hope
and fear of Chiang (JMLR 13, 2012). Of an item, hope is the hypothesis with the best sum of model score and gain, fear
the one with the best difference. The gain of a hypothesis is what it changes of the corpus score, were it the item's
part of it: the score of background sums with its statistics in them, minus that without, times how many items the
background stands for. So metrics that are no means of item scores, such as BLEU, are tuned as they are. The background
is the sums of the model's own choices so far, which fade with time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import FstmetricsError
from fstmetrics.apps.tuning.candidates import Candidates
from fstmetrics.apps.tuning.tuned_weights import Model, Progress, Tuned, over_best_lists, unheard
from fstmetrics.support.arguments import NUMBER, whole_number

if TYPE_CHECKING:
    from fstmetrics.apps.tuning.candidates import Doubles, Longs
    from fstmetrics.metrics.corpus_metric import Table

EPOCHS = 60
MOST_EPOCHS = 100_000
# The largest step of an update.
AGGRESSIVENESS = 0.01
# What is left of the background from one item to the next.
DECAY = 0.999


def mira(
    candidates: Candidates,
    weights: Mapping[str, float],
    *,
    tuned: Iterable[str] | None = None,
    epochs: int = EPOCHS,
    aggressiveness: float = AGGRESSIVENESS,
    seed: int = 1,
    progress: Progress = unheard,
) -> Tuned:
    """Weights by hope-fear MIRA: the average of an epoch with the best score on the candidates.

    Inside, weights are divided by the sum of their absolute values at the start, so that `aggressiveness` means the
    same for weights of any size.

    Args:
        candidates: n-best lists, and the metric; of lattices and forests, lists are made, see `over_best_lists`.
        weights: where to begin, for every feature of a hypothesis.
        tuned: the features whose weights may change; by default all.
        epochs: how often to go over all items, in random order.
        aggressiveness: the largest step of an update.
        seed: of the order.
        progress: told what was found so far, after each epoch.

    Raises:
        FstmetricsError: a feature without a weight, or nothing to tune.
    """
    whole_number(epochs, "epochs", 1, MOST_EPOCHS)
    if not NUMBER.holds(aggressiveness) or not 0 < aggressiveness < np.inf:
        raise FstmetricsError(f"aggressiveness is a number above 0, not {aggressiveness!r}")
    if not candidates.all_lists:
        return over_best_lists(
            mira,
            candidates,
            weights,
            tuned=tuned,
            seed=seed,
            progress=progress,
            epochs=epochs,
            aggressiveness=aggressiveness,
        )
    rows = candidates.row_of_edge
    model = Model(candidates, weights, tuned)
    random = np.random.default_rng(seed)
    items = [_Item(model, begin, end, rows) for begin, end in candidates.item_rows]
    # Where weights add up to 1 in size, differences of model scores are about as large as gains are.
    size = float(np.abs(model.start).sum()) or 1.0

    def averages() -> Iterator[tuple[Doubles, float]]:
        vector, background = model.start / size, _Background(candidates, model.start)
        for _ in range(epochs):
            total = np.zeros_like(vector)
            for number in random.permutation(len(items)):
                vector = items[number].updated(vector, background, aggressiveness, model.free)
                total += vector
            average = model.scaled(size * total / len(items))
            yield average, candidates.score(average)

    return model.best_of(averages(), epochs, progress)


class _Background:
    """Sums of statistics of what the model chose, and how many items they stand for."""

    def __init__(self, candidates: Candidates, weights: Doubles) -> None:
        self._metric, self._sign = candidates.metric, candidates.sign
        self._size = 0.01 if self._metric.percent else 1.0
        self._sums, self._items = candidates.sums(weights), float(len(candidates))

    def gains(self, statistics: Table) -> Doubles:
        """What each row of statistics gains, turned so that more is better, on a scale of 0 to 1."""
        with_one = self._metric.corpus_score(self._sums + statistics)
        change = (with_one - self._metric.corpus_score(self._sums)) * (self._items + 1)
        return np.nan_to_num(self._sign * self._size * change, nan=0.0)

    def add(self, statistics: Table) -> None:
        """One more item, before which all others fade."""
        self._sums = DECAY * self._sums + statistics
        self._items = DECAY * self._items + 1


class _Item:
    """The list of one item."""

    def __init__(self, model: Model, begin: int, end: int, rows: Longs) -> None:
        self._features = model.candidates.features.vectors(np.arange(begin, end))
        self._statistics = model.candidates.statistics[rows[begin:end]]

    def updated(
        self,
        vector: Doubles,
        background: _Background,
        aggressiveness: float,
        free: Longs,
    ) -> Doubles:
        """The weights after a step from fear to hope, if the model's margin is below what they differ by."""
        model, gains = self._features @ vector, background.gains(self._statistics)
        hope, fear = int(np.argmax(model + gains)), int(np.argmax(model - gains))
        background.add(self._statistics[int(np.argmax(model))])
        difference = np.zeros_like(vector)
        difference[free] = (self._features[hope] - self._features[fear])[free]
        loss = (gains[hope] - gains[fear]) - (model[hope] - model[fear])
        size = float(difference @ difference)
        if loss <= 0 or size == 0:
            return vector
        moved: Doubles = vector + min(aggressiveness, loss / size) * difference
        return moved
