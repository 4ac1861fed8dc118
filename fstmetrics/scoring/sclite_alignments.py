"""Alignments of pairs of strings as NIST's sclite shows them: `errors_of_pairs`, `sclite_operations`.

Several alignments may be the cheapest under sclite's weights. From the end of both strings backwards, sclite takes a
pair of words if that is one of the cheapest ways, otherwise an insertion, otherwise a deletion (SCTK, net_dp.c). The
counts are as a rule the same whichever is shown; where the errors stand is not, and tests that cut a sentence at its
errors depend on it. The tables of many pairs are filled together, row by row.

O(words of the reference * words of the hypothesis) time and bytes a pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Bytes = npt.NDArray[np.uint8]

# What sclite's weights are: a substitution, an insertion or a deletion.
SUBSTITUTION, GAP = 4, 3
# Cells of the tables that are filled together, a byte each.
TOGETHER = 4_000_000
# The steps into a cell: a pair of words, an insertion, a deletion.
PAIR, INSERTION, DELETION = 0, 1, 2

Words = Sequence[str]


class Errors(NamedTuple):
    """Errors of several pairs of strings, in order; all shape [errors].

    Attributes:
        items: which pair.
        places: where: 2 i at the word i of the reference, 2 i - 1 before it, for insertions.
        operations: PAIR for a substitution, INSERTION or DELETION.
    """

    items: Integers
    places: Integers
    operations: Integers


def errors_of_pairs(hypotheses: Sequence[Words], references: Sequence[Words]) -> Errors:
    """The errors of sclite's alignment of each hypothesis with its reference.

    Raises:
        FstmetricsError: a pair too long for the limit `cells`.

    >>> errors_of_pairs(["a b".split(), "x c c".split()], ["a b".split(), "x c".split()])[:2]
    (array([1]), array([1]))
    """
    found = [
        _traced(items, *_tables(items, hypotheses, references)) for items in _batches(hypotheses, references)
    ]
    if not found:
        empty = np.zeros(0, dtype=np.int64)
        return Errors(empty, empty, empty)
    items, places, operations = (np.concatenate(column) for column in zip(*found, strict=True))
    # Errors of one place were found from the last to the first.
    order = np.lexsort((np.arange(len(items))[::-1], places, items))
    return Errors(items[order], places[order], operations[order])


def sclite_operations(hypothesis: Words, reference: Words) -> str:
    """One alignment as a string of `=`, `S`, `I` and `D`.

    >>> sclite_operations("a x x c".split(), "a b c".split())
    '=IS='
    """
    _, places, operations = errors_of_pairs([hypothesis], [reference])
    shown, word = "", 0
    for place, operation in zip(places.tolist(), operations.tolist(), strict=True):
        shown += "=" * ((place + 1) // 2 - word)
        shown += "SID"[operation]
        word = (place + 1) // 2 + (operation != INSERTION)
    return shown + "=" * (len(reference) - word)


def _batches(hypotheses: Sequence[Words], references: Sequence[Words]) -> Iterator[list[int]]:
    """Pairs that differ, those of like length together."""
    sizes = [
        (len(reference), len(hypothesis), item)
        for item, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True))
        if tuple(hypothesis) != tuple(reference)
    ]
    sizes.sort()
    batch: list[int] = []
    longest = 0
    for words, spoken, item in sizes:
        if words * spoken > limits().cells:
            raise FstmetricsError(
                f"item {item} (from 0): aligning {words} and {spoken} words as sclite does takes "
                f"{words * spoken} cells, more than the limit of {limits().cells}; cut it into shorter segments"
            )
        longest = max(longest, spoken)
        if batch and (len(batch) + 1) * (words + 1) * (longest + 1) > TOGETHER:
            yield batch
            batch, longest = [], spoken
        batch.append(item)
    if batch:
        yield batch


def _tables(
    items: Sequence[int], hypotheses: Sequence[Words], references: Sequence[Words]
) -> tuple[Bytes, Integers, Integers, Integers, Integers]:
    """Steps into every cell, shape [items, reference, hypothesis + 1]; words of both sides as numbers; and lengths."""
    numbers: dict[str, int] = {}
    ref, ref_lengths = _numbered([references[i] for i in items], numbers, -1)
    hyp, hyp_lengths = _numbered([hypotheses[i] for i in items], numbers, -2)
    rows, columns = ref.shape[1], hyp.shape[1]
    steps = np.empty((len(items), rows, columns + 1), dtype=np.uint8)
    ramp = np.arange(columns + 1, dtype=np.int64) * GAP
    above = np.broadcast_to(ramp, (len(items), columns + 1))
    for row in range(rows):
        pair = above[:, :-1] + np.where(ref[:, row, None] == hyp, 0, SUBSTITUTION)
        cheapest = above + GAP
        np.minimum(cheapest[:, 1:], pair, out=cheapest[:, 1:])
        # The least over all cells to the left, with insertions from there.
        here = np.minimum.accumulate(cheapest - ramp, axis=1) + ramp
        step = steps[:, row]
        step[:, 0] = DELETION
        inserted = here[:, :-1] + GAP == here[:, 1:]
        step[:, 1:] = np.where(here[:, 1:] == pair, PAIR, np.where(inserted, INSERTION, DELETION))
        above = here
    return steps, ref, hyp, ref_lengths, hyp_lengths


def _numbered(texts: Sequence[Words], numbers: dict[str, int], pad: int) -> tuple[Integers, Integers]:
    lengths = np.array([len(words) for words in texts], dtype=np.int64)
    table = np.full((len(texts), int(lengths.max(initial=0))), pad, dtype=np.int64)
    for row, words in zip(table, texts, strict=True):
        row[: len(words)] = [numbers.setdefault(word, len(numbers)) for word in words]
    return table, lengths


def _traced(
    items: Sequence[int], steps: Bytes, ref: Integers, hyp: Integers, rows: Integers, columns: Integers
) -> tuple[Integers, Integers, Integers]:
    """The errors on the way back from the end of every pair."""
    names = np.array(items, dtype=np.int64)
    pairs = np.arange(len(items))
    found: list[tuple[Integers, Integers, Integers]] = []
    i, j = rows.copy(), columns.copy()
    while len(pairs):
        step = np.full(len(pairs), INSERTION, dtype=np.int64)
        inside = i > 0
        step[inside] = steps[pairs[inside], i[inside] - 1, j[inside]]
        is_pair = step == PAIR
        same = np.zeros(len(pairs), dtype=np.bool_)
        same[is_pair] = ref[pairs[is_pair], i[is_pair] - 1] == hyp[pairs[is_pair], j[is_pair] - 1]
        wrong = ~same
        place = np.where(step == INSERTION, 2 * i - 1, 2 * i - 2)
        found.append((names[pairs[wrong]], place[wrong], step[wrong]))
        i = i - (step != INSERTION)
        j = j - (step != DELETION)
        going = (i > 0) | (j > 0)
        pairs, i, j = pairs[going], i[going], j[going]
    one, two, three = (np.concatenate(column) for column in zip(*found, strict=True))
    return one, two, three
