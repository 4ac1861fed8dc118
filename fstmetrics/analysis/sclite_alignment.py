"""The alignment that sclite shows among those of least weight: `sclite_alignment`.

Of equally good alignments sclite takes the one that its way back from the end of both finds first: at each step a pair
of words before an inserted word, and that before a deleted one. The engine shows the first found from the beginning,
a pair before a deleted word before an inserted one: so both sides are reversed, and exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics.metrics import Sclite
from fstmetrics.scoring.results import AlignedPair, Result
from fstmetrics.scoring.search import search

# Weights of sclite: of a pair of different words, and of a word alone.
PAIR, ALONE = 4, 3


def sclite_alignment(result: Result) -> Sequence[AlignedPair]:
    """The words of a result under sclite's weights, aligned as sclite shows them; with wildcards as they were."""
    if not result.totals.edits or any(pair.op == "*" for pair in result.alignment):
        return result.alignment
    hypothesis, reference = result.hypothesis, result.closest
    found = search(None, [reference[::-1]], [hypothesis[::-1]], Sclite())[0]
    counts = result.totals
    same = (found.totals.matches, found.totals.insertions) == (counts.matches, counts.deletions)
    return list(map(_exchanged, reversed(found.alignment))) if same else traced(hypothesis, reference)


def _exchanged(pair: AlignedPair) -> AlignedPair:
    """The same with the sides exchanged."""
    op = {"I": "D", "D": "I"}.get(pair.op, pair.op)
    return AlignedPair(op, pair.reference, pair.hypothesis)


def traced(hypothesis: Sequence[str], reference: Sequence[str]) -> list[AlignedPair]:
    """The same by sclite's own way: a table of all pairs of beginnings, and back from its end.

    >>> "".join(pair.op for pair in traced("northeast".split(), "north east".split()))
    'DS'
    >>> "".join(pair.op for pair in traced("b c a".split(), "a b".split()))
    'D=II'
    """
    costs = [[ALONE * (i + j) for j in range(len(hypothesis) + 1)] for i in range(len(reference) + 1)]
    for i, expected in enumerate(reference, 1):
        for j, said in enumerate(hypothesis, 1):
            pair = costs[i - 1][j - 1] + PAIR * (expected != said)
            costs[i][j] = min(pair, costs[i - 1][j] + ALONE, costs[i][j - 1] + ALONE)
    i, j = len(reference), len(hypothesis)
    found = []
    while i or j:
        different = bool(i and j) and reference[i - 1] != hypothesis[j - 1]
        if i and j and costs[i][j] == costs[i - 1][j - 1] + PAIR * different:
            i, j = i - 1, j - 1
            found.append(AlignedPair("S" if different else "=", hypothesis[j], reference[i]))
        elif j and costs[i][j] == costs[i][j - 1] + ALONE:
            j -= 1
            found.append(AlignedPair("I", hypothesis[j], None))
        else:
            i -= 1
            found.append(AlignedPair("D", None, reference[i]))
    return found[::-1]
