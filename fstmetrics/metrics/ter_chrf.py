"""TER, and chrF, whose statistics sacrebleu finds; sums are scored here, for many resamples at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.metrics.bounds import MOST_CHRF
from fstmetrics.metrics.corpus import TextMetric, Words, ratio
from fstmetrics.metrics.tercom import ShiftedAlignment, shift_alignments, shift_edits, tercom_words
from fstmetrics.support.arguments import FLAG
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus import Table

    Ints = npt.NDArray[np.int32]

# What eps smoothing has for a precision or recall without n-grams, and for an F without matches, as chrF++.py.
EPS = 1e-16


def _yes(value: bool) -> str:
    """A flag as sacrebleu's signatures have it."""
    return "yes" if value else "no"


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
class TER(TextMetric):
    """Translation edit rate, 0 to 100 and beyond, 0 is perfect: edits and block moves over the references' mean length.

    Snover et al. 2006, by Tercom's greedy search for moves with the conventions, options and defaults of sacrebleu: the
    numbers are the same. Like Tercom it folds case unless told otherwise. Of several references the one with the fewest
    edits counts.

    Args:
        case_sensitive: whether case counts.
        normalized: whether tercom's own tokenizer cuts punctuation off; of references twice, as by sacrebleu.
        no_punct: whether punctuation is taken out.
        asian_support: whether the two above know Asian characters, too.
    """

    case_sensitive: bool = False
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False

    name = "ter"
    percent = True
    recognition = False
    decomposable = "always"  # the average length of the references is the same for all systems
    columns = ("edits", "reference_length")

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Unless it is told otherwise."""
        return not self.case_sensitive

    @property
    def as_written(self) -> bool:  # type: ignore[override]
        """Where tercom's tokenizer cuts: it joins words that a line's end divides."""
        return self.normalized

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its TER, which has no tokenizer beside tercom's."""
        if tokenizer != "none":
            return None
        flags = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian_support}
        named = {name: _yes(flag) for name, flag in flags.items()}
        return "TER", {"case": "lc" if lowercase else "mixed", "tok": "tercom", **named}

    def settings(self) -> dict[str, object]:
        """sacrebleu's options."""
        return {
            "case_sensitive": self.case_sensitive,
            "normalized": self.normalized,
            "no_punct": self.no_punct,
            "asian_support": self.asian_support,
        }

    def words(self, text: Words) -> list[str]:
        """What is compared of a text's words: they are joined by spaces and split again."""
        return tercom_words(
            " ".join(text), self.case_sensitive, self.normalized, self.no_punct, self.asian_support
        )

    def reference_words(self, text: Words) -> list[str]:
        """The same of a reference, which sacrebleu tokenizes twice: `..5` is `. .5` and then `. . 5`."""
        words = self.words(text)
        return self.words(words) if self.normalized else words

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The edits to the best reference, and the mean length of all."""
        sides = _Sides.of(self, hypotheses, references)
        if not len(hypotheses):
            return np.empty((0, 2))
        edits = np.minimum.reduceat(shift_edits(*sides.pairs), sides.firsts)
        lengths = np.array([np.mean([len(words) for words in refs]) for refs in sides.by_item])
        return np.column_stack([edits, lengths]).astype(np.float64)

    def pair_statistics(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> Table:
        """The statistics of every hypothesis with every reference alone, shape [hypotheses, references, columns].

        >>> words = [text.split() for text in ("a b c", "c a b", "a b")]
        >>> TER().pair_statistics(words, words)[..., 0].astype(int).tolist()
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
        """
        hyps, refs = (
            [self.words(text) for text in hypotheses],
            [self.reference_words(text) for text in references],
        )
        of_hypothesis = np.repeat(np.arange(len(hyps), dtype=np.int32), len(refs))
        of_reference = np.tile(np.arange(len(refs), dtype=np.int32), len(hyps))
        edits = shift_edits(hyps, refs, of_hypothesis, of_reference).reshape(len(hyps), len(refs))
        lengths = np.broadcast_to([len(words) for words in refs], edits.shape)
        return np.stack([edits, lengths], axis=-1).astype(np.float64)

    def alignments(
        self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]
    ) -> list[ShiftedAlignment]:
        """The moves and edits of each item, to the reference that has the fewest; arguments as of `statistics`.

        >>> (found,) = TER().alignments(["to the mat the cat went".split()], [["the cat went to the mat".split()]])
        >>> found.shifts, " ".join(found.moved), found.order, found.edits
        ((Shift(start=0, length=3, to=3),), 'the cat went to the mat', (3, 4, 5, 0, 1, 2), 1)
        """
        sides = _Sides.of(self, hypotheses, references)
        found = shift_alignments(*sides.pairs)
        best = []
        for first, refs in zip(sides.firsts, sides.by_item, strict=True):
            nearest = min(found[first : first + len(refs)], key=lambda alignment: alignment.edits)
            best.append(replace(nearest, number=nearest.number - int(first)))
        return best

    def corpus_score(self, sums: Table) -> Table:
        """Edits over reference length; 100 for words where the references have none, as sacrebleu."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)


@dataclass(frozen=True)
class _Sides:
    """Words of both sides as they are compared; each item's hypothesis is paired with all its references."""

    hypotheses: list[list[str]]
    by_item: list[list[list[str]]]

    @classmethod
    def of(cls, metric: TER, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> _Sides:
        by_item = [[metric.reference_words(text) for text in refs] for refs in references]
        return cls([metric.words(text) for text in hypotheses], by_item)

    @cached_property
    def counts(self) -> list[int]:
        """How many references each item has."""
        return [len(refs) for refs in self.by_item]

    @property
    def firsts(self) -> npt.NDArray[np.int64]:
        """Where the pairs of each item begin."""
        return np.cumsum([0, *self.counts[:-1]])[: len(self.counts)]

    @property
    def pairs(self) -> tuple[list[list[str]], list[list[str]], Ints, Ints]:
        """Hypotheses, references, and the numbers of both in each pair."""
        references = [words for refs in self.by_item for words in refs]
        items = np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts)
        return self.hypotheses, references, items, np.arange(len(references), dtype=np.int32)


@dataclass(frozen=True)
class ChrF(_FromSacrebleu):
    """chrF, 0 to 100: F of n-grams of characters, and of words for chrF++. By sacrebleu, with its defaults.

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

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    whitespace: bool = False
    lowercase: bool = False
    eps_smoothing: bool = False

    name = "chrf"
    untokenized = True

    def __post_init__(self) -> None:
        for name, least in (("char_order", 1), ("word_order", 0), ("beta", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= MOST_CHRF:
                raise FstmetricsError(f"{name} of chrF is {least} to {MOST_CHRF}, not {value!r}")
        for name in ("whitespace", "lowercase", "eps_smoothing"):
            FLAG.check(getattr(self, name), name)

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Where it is told to."""
        return self.lowercase

    @property
    def as_written(self) -> bool:  # type: ignore[override]
        """Where white space counts."""
        return self.whitespace

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its chrF, whose name holds beta and the order of words."""
        case, orders = "lc" if lowercase else "mixed", {"nc": self.char_order, "nw": self.word_order}
        eff, space = _yes(not self.eps_smoothing), _yes(self.whitespace)
        name = f"chrF{self.beta}{'+' * self.word_order}"
        return name, {"case": case, "eff": eff, **orders, "space": space}

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
            **({"lowercase": True} if self.lowercase else {}),
            **({"eps_smoothing": True} if self.eps_smoothing else {}),
        }

    def corpus_score(self, sums: Table) -> Table:
        """F of the averaged precisions and recalls, over the orders that both sides have; or by eps smoothing."""
        hypothesis, reference, matches = (sums[..., i::3] for i in range(3))
        if self.eps_smoothing:
            return self._smoothed(hypothesis, reference, matches)
        there = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(there.sum(axis=-1), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(there, matches / hypothesis, 0).sum(axis=-1) / orders
            recall = np.where(there, matches / reference, 0).sum(axis=-1) / orders
        factor = self.beta**2
        return 100 * ratio((1 + factor) * precision * recall, factor * precision + recall, empty=0.0)

    def _smoothed(self, hypothesis: Table, reference: Table, matches: Table) -> Table:
        """The mean of the F of all orders, as chrF++.py has it."""
        factor = self.beta**2
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(hypothesis > 0, matches / hypothesis, EPS)
            recall = np.where(reference > 0, matches / reference, EPS)
            divisor = factor * precision + recall
            orders = np.where(divisor > 0, (1 + factor) * precision * recall / divisor, EPS)
        found: Table = 100 * orders.mean(axis=-1)
        return found


@dataclass(frozen=True)
class ChrFPlusPlus(ChrF):
    """chrF++: chrF with n-grams of one and two words, too. By sacrebleu, with its defaults; arguments as of `ChrF`."""

    word_order: int = 2

    name = "chrf++"
