"""A module of Hugging Face's evaluate: `PathScore`; `evaluate.load` of this file gives it, too.

>>> module = PathScore("wer")
>>> found = module.compute(predictions=["a cat", "oh"], references=["the cat", ""])
>>> found["wer"], found["edits"], found["path_length"], found["items"]
(1.0, 2, 2, 2)
"""

from __future__ import annotations

from typing import Any

from fstmetrics import Metric, Normalisation, score
from fstmetrics.metrics import as_metric
from fstmetrics.metrics.path_metric import COUNTS
from fstmetrics.support.arguments import refuse_other_labels
from fstmetrics.support.errors import need
from fstmetrics.text.normalisation import PLAIN

_evaluate = need("evaluate", "a module of evaluate", "evaluate")
_datasets = need("datasets", "a module of evaluate", "evaluate")

DESCRIPTION = (
    """Score of finite-state metrics: WER, CER, GRR, HyTER and others, exact for several references."""
)
INPUTS = """
Args:
    predictions: texts.
    references: a text each, or a list of texts, which are several references.
Returns:
    the score under its name (`cer`: the WER of characters), the counts (edits, matches, substitutions, insertions,
    deletions, moves, path_length), items, and signature.
"""
CITATION = ""


class PathScore(_evaluate.Metric):  # type: ignore[misc,name-defined]
    """A finite-state metric over all items that were added, in one or several processes.

    Args:
        config_name: the metric: a name (`wer`, `grr`, `hyter`, ...); evaluate calls it so.
        metric: a metric object in its place.
        normalisation, grammars: as of `fstmetrics.score`.
        settings: further ones of evaluate, as `num_process`, `process_id` and `experiment_id`.

    Raises:
        FstmetricsError: evaluate is not installed, or it is no finite-state metric.

    evaluate keeps the texts of each process in files, and the process 0 scores them all.
    """

    def __init__(
        self,
        config_name: str | None = None,
        *,
        metric: Metric | None = None,
        normalisation: Normalisation = PLAIN,
        grammars: Any = (),
        **settings: Any,
    ) -> None:
        name = "wer" if config_name in (None, "default") else config_name
        self._sum_of = as_metric(metric if metric is not None else name)
        self._scoring: dict[str, Any] = {"normalisation": normalisation, "grammars": grammars}
        super().__init__(config_name=self._sum_of.name, **settings)

    def _info(self) -> Any:
        text = _datasets.Value("string")
        return _evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                _datasets.Features({"predictions": text, "references": _datasets.Sequence(text)}),
                _datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def add_batch(self, *, predictions: Any = None, references: Any = None, **further: Any) -> None:
        """As of evaluate; columns of pandas whose rows have other labels are refused, as by `fstmetrics.score`."""
        refuse_other_labels({"predictions": predictions, "references": references})
        super().add_batch(predictions=predictions, references=references, **further)

    def _compute(self, predictions: Any, references: Any) -> dict[str, Any]:
        found = score(list(predictions), list(references), self._sum_of, **self._scoring)
        counts = {name: getattr(found, name) for name in COUNTS}
        return {
            found.name: found.score, **counts, "items": len(found), "signature": found.signature,
        }  # fmt: skip
