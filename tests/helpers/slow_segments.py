"""Cuts of a document by the definition: every way to cut it is tried, edits of each segment are Levenshtein's.

`all_cuts` enumerates; `table_cuts` does the same for longer documents with a table of segments and positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement

Words = tuple[str, ...]


@cache
def edits(hypothesis: Words, reference: Words) -> int:
    """Levenshtein's distance."""
    row = list(range(len(reference) + 1))
    for i, word in enumerate(hypothesis, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(reference, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def of_segment(hypothesis: Words, references: Iterable[Words]) -> int:
    """The edits to the closest of the references of a segment."""
    return min(edits(hypothesis, reference) for reference in references)


def all_cuts(hypothesis: Words, segments: Sequence[Sequence[Words]]) -> tuple[list[int], int]:
    """The earliest of the best cuts, and their edits: ways to cut come in order of their first cut, then the second."""
    found = []
    for inner in combinations_with_replacement(range(len(hypothesis) + 1), len(segments) - 1):
        cuts = [0, *inner, len(hypothesis)]
        pairs = zip(cuts, cuts[1:], segments, strict=False)
        found.append((sum(of_segment(hypothesis[a:b], own) for a, b, own in pairs), cuts))
    edits_of_best, cuts = min(found)
    return cuts, edits_of_best


def table_cuts(hypothesis: Words, segments: Sequence[Sequence[Words]]) -> tuple[list[int], int]:
    """The same by the fewest edits of the last segments from each position on."""
    size = len(hypothesis)
    rest = [[0 if i == size else size * 9 for i in range(size + 1)]]
    for own in reversed(segments):
        rest.append(
            [
                min(of_segment(hypothesis[i:j], own) + rest[-1][j] for j in range(i, size + 1))
                for i in range(size + 1)
            ]
        )
    rest.reverse()
    cuts = [0]
    for k, own in enumerate(segments):
        at = cuts[-1]
        cuts.append(
            next(
                j
                for j in range(at, size + 1)
                if of_segment(hypothesis[at:j], own) + rest[k + 1][j] == rest[k][at]
            )
        )
    return cuts, rest[0][0]
