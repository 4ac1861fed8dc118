"""The alignment that sclite shows among those of least weight: `sclite_alignment`."""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics.scoring.program_alignments import operations_of
from fstmetrics.scoring.results import AlignedPair, Result


def sclite_alignment(result: Result) -> Sequence[AlignedPair]:
    """The words of a result, aligned as sclite shows them; those with wildcards as they were.

    >>> import fstmetrics as fm
    >>> shown = sclite_alignment(fm.align("northeast wind", "north east wind", "sclite"))
    >>> [(pair.op, pair.reference, pair.hypothesis) for pair in shown]
    [('D', 'north', None), ('S', 'east', 'northeast'), ('=', 'wind', 'wind')]
    """
    if not result.totals.edits or any(pair.op == "*" for pair in result.alignment):
        return result.alignment
    hypothesis, reference = iter(result.hypothesis), iter(result.closest)
    return [
        AlignedPair(op, None if op == "D" else next(hypothesis), None if op == "I" else next(reference))
        for op in operations_of(result.hypothesis, result.closest)
    ]
