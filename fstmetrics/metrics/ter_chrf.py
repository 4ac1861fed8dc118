"""TER and chrF, whose statistics sacrebleu finds; their sums are scored here, for many resamples at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.metrics.corpus import TextMetric, Words, ratio
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus import Table

# Largest order or beta of chrF: anything beyond is a slip of the keyboard.
MOST = 100


class _FromSacrebleu(TextMetric):
    """A metric whose items sacrebleu counts."""

    percent = True
    packages = ("sacrebleu",)

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

    By sacrebleu, with its options and defaults; like tercom it folds case unless told otherwise.

    Args:
        case_sensitive: whether case counts.
        normalized: whether tercom's own tokenizer cuts punctuation off.
        no_punct: whether punctuation is taken out.
        asian_support: whether the two above know Asian characters, too.
    """

    case_sensitive: bool = False
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False

    name = "ter"
    recognition = False
    decomposable = "always"  # the average length of the references is the same for all systems
    columns = ("edits", "reference_length")

    @cached_property
    def peer(self) -> Any:
        """sacrebleu's TER."""
        return need("sacrebleu.metrics", "TER").TER(**self.settings())

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Unless it is told otherwise."""
        return not self.case_sensitive

    def settings(self) -> dict[str, object]:
        """sacrebleu's options."""
        return {
            "case_sensitive": self.case_sensitive,
            "normalized": self.normalized,
            "no_punct": self.no_punct,
            "asian_support": self.asian_support,
        }

    def corpus_score(self, sums: Table) -> Table:
        """Edits over reference length; 100 for words where the references have none, as sacrebleu."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)


@dataclass(frozen=True)
class ChrF(_FromSacrebleu):
    """chrF, 0 to 100: F of n-grams of characters, and of words for chrF++. By sacrebleu, with its defaults.

    It takes the text as written: tokenizers are not for it. Not decomposable: precision divides by the output's length.

    Args:
        char_order: n-grams of up to so many characters.
        word_order: n-grams of up to so many words; 2 is chrF++.
        beta: how many times as important as precision recall is.
        whitespace: whether spaces are characters.
    """

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    whitespace: bool = False

    name = "chrf"
    untokenized = True

    def __post_init__(self) -> None:
        for name, least in (("char_order", 1), ("word_order", 0), ("beta", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= MOST:
                raise FstmetricsError(f"{name} of chrF is {least} to {MOST}, not {value!r}")

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Three for each order, of characters and then of words."""
        orders = [str(n) for n in range(1, self.char_order + 1)]
        orders += [f"words_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{kind}_{n}" for n in orders for kind in ("hypothesis", "reference", "matches"))

    @cached_property
    def peer(self) -> Any:
        """sacrebleu's chrF."""
        return need("sacrebleu.metrics", "chrF").CHRF(**self.settings())

    def settings(self) -> dict[str, object]:
        """sacrebleu's options."""
        return {
            "char_order": self.char_order,
            "word_order": self.word_order,
            "beta": self.beta,
            "whitespace": self.whitespace,
        }

    def corpus_score(self, sums: Table) -> Table:
        """F of the averaged precisions and recalls, over the orders that both sides have."""
        hypothesis, reference, matches = (sums[..., i::3] for i in range(3))
        there = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(there.sum(axis=-1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(there, matches / hypothesis, 0).sum(axis=-1) / orders
            recall = np.where(there, matches / reference, 0).sum(axis=-1) / orders
        factor = self.beta**2
        return 100 * ratio((1 + factor) * precision * recall, factor * precision + recall, empty=0.0)


@dataclass(frozen=True)
class ChrFPlusPlus(ChrF):
    """chrF++: chrF with n-grams of one and two words, too. By sacrebleu, with its defaults; arguments as of `ChrF`."""

    word_order: int = 2

    name = "chrf++"
