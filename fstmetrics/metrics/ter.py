"""TER: edits and moved blocks, with Tercom's search and sacrebleu's numbers.

Tercom's words are `tercom_words`, its search for moved blocks `shift_edits` and `shift_alignments`. Conventions are
those of Tercom (Snover et al. 2006) as sacrebleu has them, with the same numbers; the search itself is native
(`native/search/strings/shift_search.h`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics.metrics.corpus_metric import TextMetric, Words, ratio, yes_or_no
from fstmetrics.metrics.path_metric import Op
from fstmetrics.support.options import FLAG, option

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Ints = npt.NDArray[np.int32]
    Edits = npt.NDArray[np.int64]

# Tercom's tokenizer: what becomes what, in this order. First lines are joined and entities read.
_JOINED = (("\n-", ""), ("\n", " "), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_CUT = (
    (r"([{-~[-` -&(-+:-@/])", r" \1 "),  # ASCII punctuation but for ' , - .
    (r"'s ", " 's "),
    (r"'s$", " 's"),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "),
)
_ASIAN_MARKS = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
_WIDE_MARKS = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"
# Ideographs by themselves. Marks in two of the ranges are cut off twice, which white space does not show. Enclosed
# letters reach to 3f22 in sacrebleu (to 32ff in Unicode), so that ideographs of extension A are among them.
_ASIAN_CUT = tuple(
    (pattern, r" \1 ")
    for pattern in (
        r"([\u4e00-\u9fff\u3400-\u4dbf])",
        r"([\u31c0-\u31ef\u2e80-\u2eff])",
        r"([\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])",
        r"([\u3200-\u3f22])",
        _ASIAN_MARKS,
        _WIDE_MARKS,
    )
)
_MARKS = ((r"[.,?:;!\"()]", ""),)
_MORE_MARKS = ((f"{_ASIAN_MARKS}|{_WIDE_MARKS}", ""),)


def tercom_words(
    text: str,
    case_sensitive: bool = False,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
) -> list[str]:
    """The words of a text as Tercom's tokenizer has them.

    Args:
        text: as it is written.
        case_sensitive: whether case counts.
        normalized: whether punctuation is cut off.
        no_punct: whether punctuation is taken out.
        asian_support: whether the two above know Asian characters, too.

    >>> tercom_words("The cat's hat, said Ann."), tercom_words("The cat's hat, said Ann.", normalized=True)
    (['the', "cat's", 'hat,', 'said', 'ann.'], ['the', 'cat', "'s", 'hat', ',', 'said', 'ann', '.'])
    """
    if not case_sensitive:
        text = text.lower()
    if normalized and (text := text.rstrip()):
        for before, after in _JOINED:
            text = text.replace(before, after)
        text = _rewritten(f" {text} ", _CUT)
        if asian_support:
            text = _rewritten(text, _ASIAN_CUT)
    if no_punct:
        text = _rewritten(text, _MARKS)
        if asian_support:
            text = _rewritten(text, _MORE_MARKS)
    return text.split()


def _rewritten(text: str, rules: tuple[tuple[str, str], ...]) -> str:
    for pattern, becomes in _compiled(rules):
        text = pattern.sub(becomes, text)
    return text


@cache
def _compiled(rules: tuple[tuple[str, str], ...]) -> list[tuple[re.Pattern[str], str]]:
    """Rules as they are applied; made when they are needed, as the ranges of Asian characters take long."""
    return [(re.compile(pattern), becomes) for pattern, becomes in rules]


class Shift(NamedTuple):
    """A move: `length` words from `start` on are taken out, and put where the first is then word number `to`."""

    start: int
    length: int
    to: int


@dataclass(frozen=True)
class ShiftedAlignment:
    """How TER makes a reference of a hypothesis.

    Attributes:
        hypothesis: the words of the hypothesis, as they are compared, before the moves.
        reference: those of the reference.
        number: which of the references this is: the first of those with the fewest edits.
        shifts: the moves, one after the other.
        order: where each word of the moved hypothesis stood at first.
        ops: the alignment of the moved hypothesis with the reference, in order.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    number: int
    shifts: tuple[Shift, ...]
    order: tuple[int, ...]
    ops: tuple[Op, ...]

    @property
    def edits(self) -> int:
        """Moves, and operations that are no matches."""
        return len(self.shifts) + sum(op is not Op.MATCH for op in self.ops)

    @property
    def moved(self) -> tuple[str, ...]:
        """The words of the hypothesis after the moves."""
        return tuple(self.hypothesis[i] for i in self.order)


def shift_edits(
    hypotheses: Sequence[Words], references: Sequence[Words], of_hypothesis: Ints, of_reference: Ints
) -> Edits:
    """Edits, moves among them, of many pairs in one call, on all processors.

    Args:
        hypotheses, references: words of sentences.
        of_hypothesis, of_reference: for each pair, the numbers of its two sentences.
    """
    sides = [list(words) for words in hypotheses], [list(words) for words in references]
    return _native.shift_edits(*sides, of_hypothesis, of_reference, os.cpu_count() or 1)


def shift_alignments(
    hypotheses: Sequence[Words], references: Sequence[Words], of_hypothesis: Ints, of_reference: Ints
) -> list[ShiftedAlignment]:
    """The same with the moves and the alignment; arguments as of `shift_edits`. `number` is that of the reference."""
    sides = [list(words) for words in hypotheses], [list(words) for words in references]
    found = _native.shift_alignments(*sides, of_hypothesis, of_reference, os.cpu_count() or 1)
    return [
        ShiftedAlignment(
            hypothesis=tuple(hypotheses[i]),
            reference=tuple(references[j]),
            number=j,
            shifts=tuple(Shift(*row) for row in shifts.tolist()),
            order=tuple(order.tolist()),
            ops=tuple(map(Op, steps.tolist())),
        )
        for i, j, (shifts, order, steps) in zip(
            of_hypothesis.tolist(), of_reference.tolist(), found, strict=True
        )
    ]


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

    case_sensitive: bool = option(False, FLAG, "ter: case counts.", name="ter_case_sensitive")
    normalized: bool = option(
        False, FLAG, "ter: cut punctuation off words, as tercom does.", name="ter_normalized"
    )
    no_punct: bool = option(False, FLAG, "ter: remove punctuation.", name="ter_no_punct")
    asian_support: bool = option(
        False, FLAG, "ter: the two options above know Asian characters, too.", name="ter_asian_support"
    )

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

    @property
    def ways_to_cut(self) -> str:
        """Tokenizers, and tercom's own."""
        cuts = self.normalized and self.asian_support
        return "" if cuts else f"{super().ways_to_cut}, or --ter-normalized --ter-asian-support"

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its TER, which has no tokenizer beside tercom's."""
        if tokenizer != "none":
            return None
        flags = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian_support}
        named = {name: yes_or_no(flag) for name, flag in flags.items()}
        return "TER", {"case": "lc" if lowercase else "mixed", "tok": "tercom", **named}

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
        if not len(hypotheses):
            return np.empty((0, 2))
        by_item, firsts, pairs = self._paired(hypotheses, references)
        edits = np.minimum.reduceat(shift_edits(*pairs), firsts)
        lengths = np.array([np.mean([len(words) for words in refs]) for refs in by_item])
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
        by_item, firsts, pairs = self._paired(hypotheses, references)
        found = shift_alignments(*pairs)
        best = []
        for first, refs in zip(firsts, by_item, strict=True):
            nearest = min(found[first : first + len(refs)], key=lambda alignment: alignment.edits)
            best.append(replace(nearest, number=nearest.number - first))
        return best

    def _paired(
        self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]
    ) -> tuple[list[list[list[str]]], list[int], tuple[list[list[str]], list[list[str]], Ints, Ints]]:
        """The references of each item as they are compared; where the pairs of each item begin, which are of its
        hypothesis with all of them; hypotheses, references, and the numbers of both in each pair.
        """
        by_item = [[self.reference_words(text) for text in refs] for refs in references]
        counts = list(map(len, by_item))
        texts = list(chain.from_iterable(by_item))
        items = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        pairs = [self.words(text) for text in hypotheses], texts, items, np.arange(len(texts), dtype=np.int32)
        return by_item, list(accumulate(counts, initial=0))[:-1], pairs

    def corpus_score(self, sums: Table) -> Table:
        """Edits over reference length; 100 for words where the references have none, as sacrebleu."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)
