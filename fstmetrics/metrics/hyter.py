"""HyTER [H12]: edits and reordering moves from a hypothesis to a network of references."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fstmetrics.metrics.path_metric import EditTable, Metric, Reordering
from fstmetrics.support.arguments import WHOLE
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import one_of, option, whole

# Words of a reordering window, one bit each.
MOST_WINDOW = 64


@dataclass(frozen=True)
class HyTER(Metric):
    """(edits + moves) / words of the closest path [H12 §3, eq. 1]; 0 is perfect.

    Args:
        window: k of the local reordering window; 1 is no reordering.
        reordering: how moves are counted. `moves`: a word taken costs one unless it is the leftmost not yet
            taken or the right neighbour of the word taken just before, so moving a block costs 1. `jumps`:
            every word taken that is not the leftmost not yet taken costs one.
    """

    window: int = option(
        1, whole(1, MOST_WINDOW), "hyter: words may be reordered within K words; 1 is no reordering.", "K"
    )
    reordering: Reordering = option(
        "moves", one_of("moves", "jumps"),
        "hyter: count each block that moves, or each word that is out of order (jumps).",
    )  # fmt: skip

    name = "hyter"
    quotient = "errors"

    def __post_init__(self) -> None:
        if not WHOLE.holds(self.window) or not 1 <= self.window <= MOST_WINDOW:
            raise FstmetricsError(f"a reordering window is 1 to {MOST_WINDOW} words, not {self.window!r}")
        object.__setattr__(self, "window", int(self.window))
        if not isinstance(self.reordering, str) or self.reordering not in ("moves", "jumps"):
            raise FstmetricsError(f"reordering is 'moves' or 'jumps', not {self.reordering!r}")

    @cached_property
    def table(self) -> EditTable:
        """Levenshtein, and 1 for a move."""
        return EditTable(next=((0, 0, 0, 0),), cost=((0, 1, 1, 1),), move_cost=1)
