"""A metric of torchmetrics: `PathScore`. Its state is integers, so sums over batches and processes are exact.

>>> metric = PathScore("wer")
>>> metric(["a cat", "oh"], ["the cat", ""])
tensor(1., dtype=torch.float64)
>>> metric.update(["the dog"], [["a dog", "the dog"]])
>>> metric.compute(), metric.totals().edits
(tensor(0.5000, dtype=torch.float64), 2)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from fstmetrics import Metric, Normalisation, SearchOptions, score
from fstmetrics.metrics import as_metric
from fstmetrics.metrics.path_metric import Totals, score_of
from fstmetrics.support.errors import need
from fstmetrics.text.normalisation import PLAIN

torch = need("torch", "a metric of torchmetrics", "torchmetrics")
_torchmetrics = need("torchmetrics", "a metric of torchmetrics", "torchmetrics")

DEFAULT = SearchOptions()


class PathScore(_torchmetrics.Metric):  # type: ignore[misc,name-defined]
    """A finite-state metric over all items of all batches and processes: WER, CER, GRR, HyTER and others.

    Args:
        metric: a name (`wer`, `grr`, `hyter`, ...) or a metric object; BLEU and other metrics of strings are refused.
        counts: `compute` gives a dictionary of the score and the counts in place of the score.
        normalisation, grammars, options: as of `fstmetrics.score`.
        settings: further ones of `torchmetrics.Metric`, as `sync_on_compute`.

    Attributes:
        counts_state: int64 sums, in the order of `Totals`; reduced by `sum`.
        items_state: how many items.
        sum_of: the metric.

    Raises:
        FstmetricsError: torchmetrics is not installed, or it is no finite-state metric.

    `compute` is a float64 tensor (float32 on devices without it): nan without items, inf where the references are
    empty and the hypotheses are not.
    """

    is_differentiable = False
    full_state_update = False
    counts_state: Any
    items_state: Any

    def __init__(
        self,
        metric: str | Metric = "wer",
        *,
        counts: bool = False,
        normalisation: Normalisation = PLAIN,
        grammars: Any = (),
        options: SearchOptions = DEFAULT,
        **settings: Any,
    ) -> None:
        super().__init__(**settings)
        self.sum_of = as_metric(metric)
        self._counts = counts
        self._settings: dict[str, Any] = {
            "normalisation": normalisation, "grammars": grammars, "options": options,
        }  # fmt: skip
        zeros = torch.zeros(len(Totals._fields), dtype=torch.int64)
        self.add_state("counts_state", zeros, dist_reduce_fx="sum")
        self.add_state("items_state", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """Whether it is a recognition rate."""
        return self.sum_of.recognition

    def update(self, preds: Any, target: Any) -> None:
        """Add items.

        Args:
            preds: a text, or one an item; also lattices and n-best lists, whose best path is scored.
            target: a reference, or one an item; a list of texts is several references of an item.

        Raises:
            FstmetricsError: different numbers of items, or one that cannot be scored; nothing is added then.
        """
        hypotheses, references = _items(preds), _items(target)
        if not len(hypotheses) and not len(references):
            return
        found = score(hypotheses, references, self.sum_of, **self._settings)
        counts = self.counts_state + torch.tensor(
            found.totals, dtype=torch.int64, device=self.counts_state.device
        )
        items = self.items_state + len(found)
        self.counts_state, self.items_state = counts, items

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Add items, and the score of these alone; errors as of `update`.

        torchmetrics puts its sums aside meanwhile, and loses them where a batch is refused or stopped; here they stay.
        """
        before = dict(self.__dict__)
        try:
            return super().forward(*args, **kwargs)
        except BaseException:
            self.__dict__.update(before)
            raise

    def totals(self) -> Totals:
        """The sums in this process; of all processes inside `sync_context`."""
        return Totals(*self.counts_state.tolist())

    def compute(self) -> Any:
        """The score, or with `counts` a dictionary of `score`, `edits`, `matches` and so on, and `items`."""
        totals = self.totals()
        items = int(self.items_state)
        value = score_of(self.sum_of, totals) if items else math.nan
        device = self.counts_state.device
        score = torch.tensor(
            value, dtype=torch.float32 if device.type == "mps" else torch.float64, device=device
        )
        if not self._counts:
            return score
        numbers = {
            **totals._asdict(),
            "edits": totals.edits,
            "path_length": totals.path_length,
            "items": items,
        }
        return {"score": score, **{k: torch.tensor(n, device=device) for k, n in numbers.items()}}


def _items(side: Any) -> Sequence[Any]:
    return [side] if isinstance(side, str) else side
