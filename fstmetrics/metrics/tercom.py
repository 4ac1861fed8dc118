"""Tercom's words and its search for moved blocks: `tercom_words`, `shift_edits` and `shift_alignments`.

The conventions are those of Tercom (Snover et al. 2006) as sacrebleu has them, with the same numbers; the search itself
is native (`native/search/strings/shift_search.h`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics.metrics.path_metric import Op

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Words

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
