"""chrF and chrF++: F of n-grams of characters and words, which are counted natively, with sacrebleu's numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import _native
from fstmetrics.metrics.corpus_metric import TextMetric, Words, best_of_each, ratio, yes_or_no
from fstmetrics.support import arguments
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import FLAG, option, whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Ints = npt.NDArray[np.int32]

# What eps smoothing has for a precision or recall without n-grams, and for an F without matches, as chrF++.py.
EPS = 1e-16

# Largest order or beta: anything beyond is a slip of the keyboard.
MOST_CHRF = 100


@dataclass(frozen=True)
class ChrF(TextMetric):
    """chrF, 0 to 100: F of n-grams of characters, and of words for chrF++ (Popović 2015, 2017).

    The conventions, options and defaults are sacrebleu's: the numbers are the same. Of several references the one with
    the best F counts.

    It takes the text as written: tokenizers are not for it. Not decomposable: precision divides by the output's length.

    Args:
        char_order: n-grams of up to so many characters.
        word_order: n-grams of up to so many words; 2 is chrF++.
        beta: how many times as important as precision recall is.
        whitespace: whether spaces are characters; texts that are strings then count with theirs as they are written.
        lowercase: whether case is folded, as by `Normalisation(lowercase=True)`.
        eps_smoothing: whether an order without n-grams counts, with next to nothing, and the score is the mean of the
            orders' F, as in chrF++.py, nltk and Moses; otherwise such orders are left out.
    """

    char_order: int = option(
        6, whole(1, MOST_CHRF), "chrf, chrf++: n-grams of up to N characters.", name="chrf_char_order"
    )
    word_order: int = option(
        0, whole(0, MOST_CHRF), "chrf, chrf++: n-grams of up to N words. Default: none; chrf++: 2.",
        name="chrf_word_order", shown=None,
    )  # fmt: skip
    beta: int = option(
        2, whole(1, MOST_CHRF), "chrf, chrf++: how many times as important as precision recall is.", "B",
        name="chrf_beta",
    )  # fmt: skip
    whitespace: bool = option(False, FLAG, "chrf, chrf++: spaces are characters.", name="chrf_whitespace")
    lowercase: bool = False
    eps_smoothing: bool = option(
        False, FLAG, "chrf, chrf++: smoothing as in chrF++.py, nltk and Moses.", name="chrf_eps_smoothing",
    )  # fmt: skip

    name = "chrf"
    percent = True
    untokenized = True
    as_written = True

    def __post_init__(self) -> None:
        for name, least in (("char_order", 1), ("word_order", 0), ("beta", 1)):
            value = getattr(self, name)
            if not arguments.WHOLE.holds(value) or not least <= value <= MOST_CHRF:
                raise FstmetricsError(f"{name} of chrF is {least} to {MOST_CHRF}, not {value!r}")
            object.__setattr__(self, name, int(value))
        for name in ("whitespace", "lowercase", "eps_smoothing"):
            arguments.FLAG.check(getattr(self, name), name)

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Where it is told to."""
        return self.lowercase

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its chrF, whose name holds beta and the order of words."""
        case, orders = "lc" if lowercase else "mixed", {"nc": self.char_order, "nw": self.word_order}
        eff, space = yes_or_no(not self.eps_smoothing), yes_or_no(self.whitespace)
        name = f"chrF{self.beta}{'+' * self.word_order}"
        return name, {"case": case, "eff": eff, **orders, "space": space}

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """Three for each order, of characters and then of words."""
        orders = [str(n) for n in range(1, self.char_order + 1)]
        orders += [f"words_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{kind}_{n}" for n in orders for kind in ("hypothesis", "reference", "matches"))

    def settings(self) -> dict[str, object]:
        """sacrebleu's options; what is rarely done only where it is."""
        found = super().settings()
        rare = {"lowercase": self.lowercase, "eps_smoothing": found.pop("eps_smoothing")}
        return {**found, **{name: True for name, value in rare.items() if value}}

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The n-grams of each item with its best reference, of several equally good ones the first."""
        if not len(hypotheses):
            return np.empty((0, len(self.columns)))
        counts = [len(refs) for refs in references]
        items = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        texts = [words for refs in references for words in refs]
        rows = self._matches(hypotheses, texts, items, np.arange(len(texts), dtype=np.int32))
        if len(texts) == len(counts):
            return rows
        # sacrebleu adds up the orders one after the other: so of several references the same one is the best.
        scores = self._f(rows, lambda of_orders, axis: np.cumsum(of_orders, axis)[..., -1])
        return best_of_each(rows, scores, counts)

    def pair_statistics(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> Table:
        """The n-grams of every hypothesis with every reference alone, shape [hypotheses, references, columns].

        >>> words = [["ab"], ["abc"]]
        >>> ChrF(char_order=2).pair_statistics(words, words)[..., 2].astype(int).tolist()
        [[2, 2], [2, 3]]
        """
        of_hypothesis = np.repeat(np.arange(len(hypotheses), dtype=np.int32), len(references))
        of_reference = np.tile(np.arange(len(references), dtype=np.int32), len(hypotheses))
        rows = self._matches(hypotheses, references, of_hypothesis, of_reference)
        return rows.reshape(len(hypotheses), len(references), len(self.columns))

    def _matches(
        self,
        hypotheses: Sequence[Words],
        references: Sequence[Words],
        of_hypothesis: Ints,
        of_reference: Ints,
    ) -> Table:
        """The statistics of pairs, shape [pairs, columns]; on all processors."""
        ours, theirs = ([self._text(words) for words in side] for side in (hypotheses, references))
        found = _native.ngram_matches(
            ours, theirs, of_hypothesis, of_reference, self.char_order, self.word_order, self.whitespace,
            os.cpu_count() or 1,
        )  # fmt: skip
        return found.astype(np.float64)

    def _text(self, words: Words) -> str:
        text = " ".join(words)
        return text.lower() if self.lowercase else text

    def corpus_score(self, sums: Table) -> Table:
        """F of the averaged precisions and recalls, over the orders that both sides have; or by eps smoothing the mean
        of the F of all orders, as chrF++.py has it.
        """
        return 100 * self._f(sums, np.mean if self.eps_smoothing else np.sum)

    def _f(self, sums: Table, added: Callable[..., Any]) -> Table:
        """The same from 0 to 1, given how the numbers of all orders are put together."""
        hypothesis, reference, matches = (sums[..., i::3] for i in range(3))
        factor, sides = self.beta**2, (hypothesis, reference)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.eps_smoothing:
                precision, recall = (np.where(side > 0, matches / side, EPS) for side in sides)
                divisor = factor * precision + recall
                scores = np.where(divisor > 0, (1 + factor) * precision * recall / divisor, EPS)
                return added(scores, axis=-1)  # type: ignore[no-any-return]
            there = (hypothesis > 0) & (reference > 0)
            orders = np.maximum(there.sum(axis=-1), 1)
            precision, recall = (
                added(np.where(there, matches / side, 0), axis=-1) / orders for side in sides
            )
        return ratio((1 + factor) * precision * recall, factor * precision + recall, empty=0.0)


@dataclass(frozen=True)
class ChrFPlusPlus(ChrF):
    """chrF++: chrF with n-grams of one and two words, too. With sacrebleu's defaults; arguments as of `ChrF`."""

    word_order: int = 2

    name = "chrf++"
