"""Alignments of pairs of strings as other programs show them, ties included: `errors_of_pairs`, `operations_of`.

Several alignments may have the least cost. The counts of errors, or at least where the errors stand, depend on which is
shown; so do tests that cut sentences at their errors, and rates of matches. The programs' rules:

- `sclite`: weights 4, 3, 3. From the end of both strings backwards, a pair of words if that is one of the cheapest
  ways, otherwise an insertion, otherwise a deletion (SCTK, net_dp.c).
- `rapidfuzz`, which jiwer uses: edits. Words that both strings begin or end with are paired. Backwards through the
  rest, a deletion if that is one of the cheapest ways, otherwise an insertion if it leads to a cheaper cell than the
  pair does, otherwise a pair (rapidfuzz-cpp, Levenshtein, `recover_alignment`). Pairs of more than 4,000 words it
  cuts, so that other alignments may be shown.

O(n m) time and bytes a pair for `sclite`; for `rapidfuzz` the 64th of that, and the fourth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from fstmetrics import _native
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

# Operations of errors.
PAIR, INSERTION, DELETION = 0, 1, 2

# So many pairs of words take 8 bytes.
PAIRS_A_CELL = {"sclite": 8, "rapidfuzz": 32}

Words = Sequence[str]
Program = Literal["sclite", "rapidfuzz"]


class Errors(NamedTuple):
    """Errors of several pairs of strings, in the order of the words; all shape [errors].

    Attributes:
        items: which pair.
        places: where: 2 i at the word i of the reference, 2 i - 1 before it, for insertions.
        operations: PAIR for a substitution, INSERTION or DELETION.
        words: how many the references have, shape [].
    """

    items: Integers
    places: Integers
    operations: Integers
    words: int = 0


def errors_of_pairs(
    hypotheses: Sequence[Words], references: Sequence[Words], program: Program = "sclite"
) -> Errors:
    """The errors of the alignment of each hypothesis with its reference.

    A sentence is a sequence of words, or a string without markers of sentences (`<s>`), which is split at white space.

    Raises:
        FstmetricsError: a pair too long for the limit `cells`.

    >>> errors = errors_of_pairs(["a b".split(), "x c c".split()], ["a b".split(), "x c".split()])
    >>> errors.items.tolist(), errors.places.tolist()
    ([1], [1])
    """
    for item, words in too_long(hypotheses, references, program).items():
        raise alignment_error(item, *words, program)
    return errors_within_limits(hypotheses, references, program)


def errors_within_limits(
    hypotheses: Sequence[Words], references: Sequence[Words], program: Program = "sclite"
) -> Errors:
    """The same of pairs of which none is too long."""
    return Errors(*_native.program_errors(list(hypotheses), list(references), program == "rapidfuzz"))


def too_long(
    hypotheses: Sequence[Words], references: Sequence[Words], program: Program = "sclite"
) -> dict[int, tuple[int, int]]:
    """Pairs too long for the limit `cells`, and how many words the reference and the hypothesis have."""
    most = limits().cells * PAIRS_A_CELL[program]
    found = {}
    for item, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        if len(hypothesis) * len(reference) > most:  # of characters, where they are strings
            one, two = (len(s.split()) if isinstance(s, str) else len(s) for s in (reference, hypothesis))
            if one * two > most:
                found[item] = (one, two)
    return found


def alignment_error(item: int, one: int, two: int, program: Program = "sclite") -> FstmetricsError:
    """What is wrong with a pair that is too long."""
    cells = one * two // PAIRS_A_CELL[program]
    return FstmetricsError(
        f"item {item} (from 0): to align {one} and {two} words as {program} does takes {cells} cells of 8 bytes, more "
        f"than the limit of {limits().cells}; cut it into shorter segments"
    )


def operations_of(hypothesis: Words, reference: Words, program: Program = "sclite") -> str:
    """One alignment as a string of `=`, `S`, `I` and `D`.

    >>> operations_of("a x x c".split(), "a b c".split()), operations_of("c".split(), "a c".split(), "rapidfuzz")
    ('=IS=', 'D=')
    """
    _, places, operations, _ = errors_of_pairs([hypothesis], [reference], program)
    shown, word = "", 0
    for place, operation in zip(places.tolist(), operations.tolist(), strict=True):
        shown += "=" * ((place + 1) // 2 - word)
        shown += "SID"[operation]
        word = (place + 1) // 2 + (operation != INSERTION)
    return shown + "=" * (len(reference) - word)
