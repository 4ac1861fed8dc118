"""BLEU, BLEU-SBP [C08 §4.2], and the mean of smoothed sentence BLEU.

The plain one equals sacrebleu's to the last digit; the reference lengths of [C08 §2] and the smoothing are options.

Clipped matches are those of whole corpora at once: `ngram_matches`, in numpy. N-grams are numbered exactly, order by
order: an n-gram is the pair of its (n-1)-gram and its last word. No hashing, no collisions. A test compares with
counting in dictionaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics.metrics.corpus_metric import Mean, TextMetric, Words
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import one_of, option

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Ints = npt.NDArray[np.int64]

ReferenceLength = Literal["closest", "shortest", "average"]
Smoothing = Literal["exp", "plus-one", "none"]

# What sacrebleu's signatures call the smoothings.
SACREBLEU_SMOOTHING: dict[Smoothing, str] = {"exp": "exp", "plus-one": "add-k[1.00]", "none": "none"}

ORDER = 4
MATCHES, TOTALS = slice(0, ORDER), slice(ORDER, 2 * ORDER)
LENGTH, CLIPPED, REFERENCE = 2 * ORDER, 2 * ORDER + 1, 2 * ORDER + 2


@dataclass(frozen=True)
class BLEU(TextMetric):
    """BLEU, 0 to 100: the geometric mean of clipped n-gram precisions, n = 1..4, times the brevity penalty.

    The penalty is exp(1 - r / c) where the corpus has c words, fewer than its effective reference length r.

    Args:
        ref_length: what a sentence with several references adds to r: the length `closest` to the hypothesis,
            the shorter one of two that are equally close, as sacrebleu; the `shortest` (NIST's, and the
            paper's); or the `average`.
        smoothing: what is done about precisions of zero. `exp`: the j-th order without a match counts 2^-j
            matches, as sacrebleu by default; `plus-one`: one is added to matches and totals of orders 2 to 4 (Lin
            and Och 2004), sacrebleu's `add-k`; `none`.

    Equal to sacrebleu's default for strings, which are tokenized by `13a` unless a `Normalisation` says otherwise;
    lists of words are taken as they are.

    A corpus without any match scores 0. Never decomposable: a better sentence may be a shorter one.

    The score of an item is that of sacrebleu's `sentence_bleu`: of orders that the sentence is too short for, nothing
    is asked (sacrebleu's effective order). As a corpus of its own a sentence of fewer than four words would score 0.
    """

    ref_length: ReferenceLength = option(
        "closest", one_of("closest", "shortest", "average"),
        "bleu, bleu-sbp: the length that counts where there are several references.",
    )  # fmt: skip
    smoothing: Smoothing = option(
        "exp", one_of("exp", "plus-one", "none"),
        "bleu, bleu-sbp, sentence-bleu: smoothing where an n-gram order has no match; exp is sacrebleu's.",
    )  # fmt: skip

    name = "bleu"
    percent = True
    tokenizer = "13a"
    columns = (
        *(f"matches_{n}" for n in range(1, ORDER + 1)),
        *(f"totals_{n}" for n in range(1, ORDER + 1)),
        "length",
        "clipped_length",
        "reference_length",
    )

    def __post_init__(self) -> None:
        for value, known in (
            (self.ref_length, ("closest", "shortest", "average")),
            (self.smoothing, ("exp", "plus-one", "none")),
        ):
            if value not in known:
                raise FstmetricsError(f"{value!r} is not one of {', '.join(known)}")

    @property
    def source(self) -> object:
        """All that counts n-grams with the same reference length shares its statistics."""
        return BLEU, self.ref_length

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its BLEU, which knows the closest reference length only."""
        if self.ref_length != "closest" and not one_reference:
            return None
        case, smooth = "lc" if lowercase else "mixed", SACREBLEU_SMOOTHING[self.smoothing]
        return "BLEU", {"case": case, "eff": "no", "tok": tokenizer, "smooth": smooth}

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """Matches and totals of each order, length, length clipped at the reference's, reference length."""
        matches, totals = ngram_matches(hypotheses, references, ORDER)
        lengths = np.array([len(h) for h in hypotheses], dtype=np.float64)
        effective = np.array(
            [
                len(refs[0])
                if len(refs) == 1
                else effective_length(len(h), [len(r) for r in refs], self.ref_length)
                for h, refs in zip(hypotheses, references, strict=True)
            ],
            dtype=np.float64,
        )
        return np.column_stack([matches, totals, lengths, np.minimum(lengths, effective), effective])

    def pair_statistics(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> Table:
        """The same of all pairs, whose n-grams are numbered once."""
        table = np.zeros((len(hypotheses), len(references), len(self.columns)))
        lengths = np.array([len(words) for words in hypotheses], dtype=np.float64)
        table[..., MATCHES] = pair_matches(hypotheses, references, ORDER)
        table[..., TOTALS] = np.maximum(lengths[:, None] - np.arange(ORDER), 0)[:, None]
        table[..., LENGTH] = lengths[:, None]
        table[..., REFERENCE] = [len(words) for words in references]
        table[..., CLIPPED] = np.minimum(table[..., LENGTH], table[..., REFERENCE])
        return table

    def corpus_score(self, sums: Table) -> Table:
        """Precisions and brevity penalty of the sums."""
        precision = smoothed_precision(sums[..., MATCHES], sums[..., TOTALS], self.smoothing)
        return 100 * precision * self.brevity_penalty(sums)

    def scores_of_items(self, rows: Table) -> Table:
        """The same over the orders that an item is long enough for."""
        precision = smoothed_precision(rows[..., MATCHES], rows[..., TOTALS], self.smoothing, effective=True)
        return 100 * precision * self.brevity_penalty(rows)

    def details(self, sums: Table) -> str:
        """Precisions before they are smoothed, the brevity penalty, and the lengths that it comes from and their ratio.

        >>> metric = BLEU()
        >>> metric.details(metric.statistics([["a", "b", "c"]], [[["a", "b", "d", "e"]]]).sum(axis=0))
        'precisions 66.67 / 50.00 / 0.00 / -, brevity penalty 0.7165, 3 words, 4 in the references, length ratio 0.7500'
        """
        pairs = zip(sums[MATCHES].tolist(), sums[TOTALS].tolist(), strict=True)
        shares = " / ".join(f"{100 * matches / total:.2f}" if total else "-" for matches, total in pairs)
        penalty = float(self.brevity_penalty(sums))
        lengths = f"{sums[LENGTH]:.12g} words, {sums[REFERENCE]:.12g} in the references"
        if sums[REFERENCE]:
            lengths += f", length ratio {sums[LENGTH] / sums[REFERENCE]:.4f}"
        return f"precisions {shares}, brevity penalty {penalty:.4f}, {lengths}"

    def detail_values(self, sums: Table) -> dict[str, object]:
        """The same for programs, precisions as shares from 0 to 100; None where there are no n-grams or words.

        >>> metric = BLEU()
        >>> found = metric.detail_values(metric.statistics([["a", "b", "c"]], [[["a", "b", "d"]]]).sum(axis=0))
        >>> found["precisions"][1:], found["brevity_penalty"], found["length_ratio"]
        ([50.0, 0.0, None], 1.0, 1.0)
        """
        pairs = zip(sums[MATCHES].tolist(), sums[TOTALS].tolist(), strict=True)
        length, reference = float(sums[LENGTH]), float(sums[REFERENCE])
        return {
            "precisions": [100 * matches / total if total else None for matches, total in pairs],
            "brevity_penalty": float(self.brevity_penalty(sums)),
            "hypothesis_length": length,
            "reference_length": reference,
            "length_ratio": length / reference if reference else None,
        }

    def brevity_penalty(self, sums: Table) -> Table:
        """1 where the corpus is long enough, exp(1 - r / c) otherwise."""
        return _penalty(np.minimum(sums[..., LENGTH], sums[..., REFERENCE]), sums[..., REFERENCE])


@dataclass(frozen=True)
class BLEUSBP(BLEU):
    """BLEU with the strict brevity penalty [C08 eq. 4]: words beyond the reference's do not make up for missing ones.

    The penalty is exp(1 - r / c) with c the sum of min(|c_i|, |r_i|), clipped sentence by sentence. With several
    references |r_i| is the same effective length as BLEU's, the closest one by default. Not decomposable either,
    but less badly so.
    """

    name = "bleu-sbp"

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """sacrebleu does not have it."""
        return None

    def brevity_penalty(self, sums: Table) -> Table:
        """exp(1 - r / c), c clipped sentence by sentence."""
        return _penalty(sums[..., CLIPPED], sums[..., REFERENCE])


class SentenceBLEU(Mean):
    """The mean of sentence BLEU, 0 to 100. Always decomposable.

    The score of an item is that of sacrebleu's `sentence_bleu` (WMT's sentBLEU): exp smoothing, effective order.
    `smoothing="plus-one"` is that of Lin and Och (2004), which [C08] and [H12] have.
    """

    name = "sentence-bleu"
    _options_of = BLEU

    def __init__(self, ref_length: ReferenceLength = "closest", smoothing: Smoothing = "exp") -> None:
        super().__init__(BLEU(ref_length, smoothing))


def effective_length(length: int, references: Sequence[int], kind: ReferenceLength) -> float:
    """The reference length that a hypothesis of some length is held against [C08 §2].

    >>> [effective_length(10, [8, 12, 16], kind) for kind in ("closest", "shortest", "average")]
    [8, 8, 12.0]
    """
    if kind == "closest":
        return min(references, key=lambda r: (abs(r - length), r))
    return min(references) if kind == "shortest" else sum(references) / len(references)


def smoothed_precision(matches: Table, totals: Table, smoothing: Smoothing, effective: bool = False) -> Table:
    """The geometric mean of precisions, shape [..., orders] to [...]; 0 where there is no match at all.

    With `effective`, orders without any n-gram are left out of the mean; otherwise they make the whole 0.

    >>> smoothed_precision(np.array([2, 1, 0, 0]), np.array([2, 1, 0, 0]), "exp", effective=True).tolist()
    1.0
    """
    any_match = matches.any(axis=-1)
    if smoothing == "plus-one":
        beyond_words = np.arange(matches.shape[-1]) > 0
        matches, totals = matches + beyond_words, totals + beyond_words
    if smoothing == "exp":
        missing = (matches == 0) & (totals > 0)
        matches = np.where(missing, 0.5 ** np.cumsum(missing, axis=-1), matches)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.log(matches / totals)
        if effective:
            there = totals > 0
            mean = np.exp(np.where(there, logarithms, 0.0).sum(axis=-1) / there.sum(axis=-1))
        else:
            mean = np.exp(logarithms.mean(axis=-1))
    # An order without any n-gram makes the whole 0, as an order without a match does.
    return np.where(any_match & np.isfinite(mean), mean, 0.0)


def _penalty(length: Table, reference: Table) -> Table:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(length == 0, (reference == 0) * 1.0, np.exp(1 - reference / length))


def ngram_matches(
    hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], order: int = 4
) -> tuple[Table, Table]:
    """Matches and totals of n-grams, n = 1..order.

    A hypothesis' n-gram matches at most as often as it occurs in the reference that has most of it: the bag of the
    hypothesis is intersected with the union of the references' bags [C08 §2].

    Returns:
        Two arrays of shape [items, order].
    """
    count = len(hypotheses)
    items = np.repeat(np.arange(count), [len(refs) for refs in references])  # of references
    matches, totals = np.zeros((count, order)), np.zeros((count, order))
    for n, (segments, grams) in enumerate(_ngrams([*hypotheses, *chain.from_iterable(references)], order)):
        # One bag for every segment: (segment, n-gram) and how often.
        distinct = int(grams.max(initial=-1)) + 1
        keys, counts = np.unique(segments * distinct + grams, return_counts=True)
        bags = keys // max(distinct, 1), keys % max(distinct, 1)
        here = bags[0] < count
        hypothesis_items, own = bags[0][here], counts[here]
        wanted = hypothesis_items * distinct + bags[1][here]
        keys = items[bags[0][~here] - count] * distinct + bags[1][~here]
        clipped = np.minimum(own, _largest(wanted, keys, counts[~here]))
        matches[:, n] = np.bincount(hypothesis_items, clipped, minlength=count)
        totals[:, n] = np.bincount(hypothesis_items, own, minlength=count)
    return matches, totals


# N-grams whose counts in all texts are laid side by side at once.
WIDTH = 4096


def pair_matches(hypotheses: Sequence[Words], references: Sequence[Words], order: int = 4) -> Table:
    """Matches of each hypothesis with each reference alone, shape [hypotheses, references, order].

    The smaller of two counts is the number of levels that both reach; so each level is one product of matrices.
    """
    count = len(hypotheses)
    texts = [*hypotheses, *references]
    found = np.zeros((count, len(references), order))
    for n, (segments, grams) in enumerate(_ngrams(texts, order)):
        here = segments < count
        shared = _only_shared(grams, here)
        segments, grams = segments[shared >= 0], shared[shared >= 0]
        for begin in range(0, int(grams.max(initial=-1)) + 1, WIDTH):
            chosen = (grams >= begin) & (grams < begin + WIDTH)
            counts = np.zeros((len(texts), min(WIDTH, int(grams.max()) + 1 - begin)), dtype=np.float32)
            np.add.at(counts, (segments[chosen], grams[chosen] - begin), 1)
            for level in range(1, int(min(counts[:count].max(), counts[count:].max())) + 1):
                reached = (counts >= level).astype(np.float32)
                found[:, :, n] += reached[:count] @ reached[count:].T
    return found


def _only_shared(grams: Ints, here: npt.NDArray[np.bool_]) -> Ints:
    """The n-grams that are on both sides, numbered anew from 0; -1 for the others."""
    both = np.intersect1d(grams[here], grams[~here])
    place = np.minimum(np.searchsorted(both, grams), max(len(both) - 1, 0))
    same = both[place] == grams if len(both) else np.zeros(len(grams), dtype=bool)
    return np.where(same, place, -1)


def _ngrams(texts: Sequence[Words], order: int) -> list[tuple[Ints, Ints]]:
    """For n = 1..order: the text and the number of every n-gram, by its first word."""
    index: dict[str, int] = {}
    words = np.array([index.setdefault(word, len(index)) for text in texts for word in text], dtype=np.int64)
    segments = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    grams, starts = words, np.arange(len(words))
    found = [(segments, grams)]
    for n in range(1, order):
        inside = starts + n < len(words)
        grams, starts = grams[inside], starts[inside]
        same = segments[starts] == segments[starts + n]
        grams, starts = grams[same], starts[same]
        _, grams = np.unique(grams * len(index) + words[starts + n], return_inverse=True)
        found.append((segments[starts], grams))
    return found


def _largest(wanted: Ints, keys: Ints, counts: Ints) -> Ints:
    """The largest count of every key that is wanted; 0 where it is absent."""
    if not len(keys):
        return np.zeros_like(wanted)
    order = np.lexsort((-counts, keys))
    distinct, first = np.unique(keys[order], return_index=True)
    place = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
    return np.where(distinct[place] == wanted, counts[order][first][place], 0)
