"""How sure a lattice is of each word of its best path: `word_posteriors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.scales import Scales, scales_of
from fstmetrics.data.times import Durations, Times
from fstmetrics.lattices.posteriors import check_scale
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]


class WordPosterior(NamedTuple):
    """A word of a best path.

    Attributes:
        word: the word.
        posterior: how much of the probability of all paths goes through this word at the middle of its time.
        begin, end: when, in the lattice's unit of time.
    """

    word: str
    posterior: float
    begin: float
    end: float


def word_posteriors(
    lattice: Lattice, scale: float = 1.0, scales: Scales | None = None
) -> list[WordPosterior]:
    """The words of the best path, each with the posterior of that word at the middle of its time.

    The posterior of an arc is the sum of exp(-scale * cost) over the paths through it, divided by that over all paths
    (forward-backward). That of a word adds up all arcs with the word that are there at the middle of its time [Wessel
    et al. 2001, C_med]. At most one of them is on a path, so it is a probability.

    Args:
        lattice: the lattice; it needs times.
        scale: a factor of the costs: 1 / LMWT where `scales` multiply graph costs by LMWT.
        scales: weights of the costs; by default the lattice's own.

    Raises:
        FstmetricsError: no times where a word of the best path is, a cycle, no path, or a cost that is not a number.

    >>> from fstmetrics.data.times import Times
    >>> lattice = Lattice.from_arrays(
    ...     [0, 0, 0], [1, 1, 2], ["a", "the", "a"], finals=[1, 2], costs=[(0, 0), (0, 0), (0, 0)],
    ...     times=Times(np.array([0.0, 1.0, 2.0]), "seconds"))
    >>> [(each.word, round(each.posterior, 3)) for each in word_posteriors(lattice)]
    [('a', 0.667)]
    """
    check_scale(scale)
    weights = scales_of(scales, lattice.scales)
    automaton, what = lattice.automaton, f"lattice {lattice.id or '(no id)'}"
    spans = None if lattice.times is None else _spans(lattice, lattice.times)
    try:
        best = automaton.word_posteriors(
            lattice.prepared, (weights.lm, weights.acoustic, weights.word_penalty), lattice.silent_labels, scale,
            *(spans or (None, None)),
        )  # fmt: skip
    except ValueError as error:
        raise FstmetricsError(f"{what}: {error}") from None
    if not best:
        return []
    if spans is None:
        raise FstmetricsError(
            f"{what} has no times, so its words have no posteriors: which arcs are the same word is told by time"
        )
    begins, ends = (span[[arc for arc, _ in best]].tolist() for span in spans)
    labels, found = automaton.labels, []
    for (arc, posterior), begin, end in zip(best, begins, ends, strict=True):
        word = lattice.symbols.words[labels[arc]]
        if not begin <= end:
            raise FstmetricsError(
                f"{what}: the word {word!r} has no time, so its posterior cannot be told from that of the same word "
                "elsewhere"
            )
        found.append(WordPosterior(word, posterior, begin, end))
    return found


def _spans(lattice: Lattice, times: Times | Durations) -> tuple[Numbers, Numbers]:
    """When each arc begins and ends; nan where that is not known, and for arcs on no path."""
    automaton = lattice.automaton
    if isinstance(times, Times):
        return times.of_state[automaton.sources], times.of_state[automaton.destinations]
    useful: Any = lattice.prepared
    longest = useful.longest_before(times.of_arc).astype(np.float64)
    begins = np.full(automaton.num_arcs, np.nan)
    begins[useful.origins] = longest[useful.sources]
    return begins, begins + times.of_arc
