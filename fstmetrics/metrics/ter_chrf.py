"""TER and chrF, whose statistics sacrebleu finds; their sums are scored here, for many resamples at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.metrics.corpus import TextMetric, Words, name_of, ratio
from fstmetrics.optional import need

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table
    from fstmetrics.normalisation import Unit

CHARACTER_ORDER = 6
BETA = 2


class _FromSacrebleu(TextMetric):
    """A metric whose items sacrebleu counts."""

    percent = True

    @cached_property
    def peer(self) -> Any:
        """sacrebleu's metric.

        Raises:
            FstmetricsError: sacrebleu is not installed.
        """
        raise NotImplementedError

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """What sacrebleu's own significance tests resample."""
        most = max(map(len, references))
        streams = [[" ".join(refs[j]) if j < len(refs) else None for refs in references] for j in range(most)]
        found = self.peer._extract_corpus_statistics([" ".join(words) for words in hypotheses], streams)
        return np.array(found, dtype=np.float64).reshape(len(hypotheses), len(self.columns))


@dataclass(frozen=True)
class TER(_FromSacrebleu):
    """Translation edit rate, 0 to 100 and beyond, 0 is perfect: edits and block moves over the references' mean length.

    By sacrebleu, with its defaults; like tercom it folds case unless told otherwise.

    Args:
        case_sensitive: whether case counts.
    """

    case_sensitive: bool = False

    name = "ter"
    recognition = False
    decomposable = "always"  # the average length of the references is the same for all systems
    columns = ("edits", "reference_length")

    @cached_property
    def peer(self) -> Any:
        """sacrebleu's TER."""
        return need("sacrebleu.metrics", "TER").TER(case_sensitive=self.case_sensitive)

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Unless it is told otherwise."""
        return not self.case_sensitive

    def settings(self) -> dict[str, object]:
        """Whether case counts."""
        return {"case_sensitive": self.case_sensitive}

    def signature(self, unit: Unit = "word") -> str:
        """Its name: whether case counts is among what was done to the words."""
        return f"metric:{name_of(self.name, unit)}"

    def corpus_score(self, sums: Table) -> Table:
        """Edits over reference length; 100 for words where the references have none, as sacrebleu."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)


@dataclass(frozen=True)
class ChrF(_FromSacrebleu):
    """chrF2, 0 to 100: character n-grams of orders 1 to 6, recall twice as important. By sacrebleu, with its defaults.

    It takes the text as written: tokenizers are not for it. Not decomposable: precision divides by the output's length.
    """

    name = "chrf"
    untokenized = True
    columns = tuple(
        f"{kind}_{n}"
        for n in range(1, CHARACTER_ORDER + 1)
        for kind in ("hypothesis", "reference", "matches")
    )

    @cached_property
    def peer(self) -> Any:
        """sacrebleu's chrF."""
        return need("sacrebleu.metrics", "chrF").CHRF(char_order=CHARACTER_ORDER, beta=BETA)

    def corpus_score(self, sums: Table) -> Table:
        """F of the averaged precisions and recalls, over the orders that both sides have."""
        hypothesis, reference, matches = (sums[..., i::3] for i in range(3))
        there = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(there.sum(axis=-1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(there, matches / hypothesis, 0).sum(axis=-1) / orders
            recall = np.where(there, matches / reference, 0).sum(axis=-1) / orders
        factor = BETA**2
        return 100 * ratio((1 + factor) * precision * recall, factor * precision + recall, empty=0.0)
