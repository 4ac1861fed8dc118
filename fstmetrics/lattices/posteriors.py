"""What a decoder believes: word sequences with their posterior probabilities, of n-best lists, lattices and forests.

How sure a lattice is of each word of its best path: `word_posteriors`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.data.lattice import Lattice, Scales, scales_of
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.times import Durations, Times
from fstmetrics.lattices.best_paths import best_of
from fstmetrics.lattices.weighted import weighed
from fstmetrics.support.arguments import NUMBER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

Words = tuple[str, ...]


@dataclass(frozen=True)
class Posteriors:
    """Distinct word sequences and what they are believed in.

    Attributes:
        words: the sequences as they are compared, in the decoder's order: entries of a list as they come, paths of a
            lattice from the best.
        probabilities: of each, among all that the list or lattice holds; they add up to `mass`.
        mass: how much of all probability they have: 1 for a whole list; for a lattice or forest, by sums over all its
            paths or derivations.
        given: of each, the words of the first entry of the list that becomes it, without sentence markers; of a lattice
            or forest the same as `words`, but of characters with spaces the words that they spell.
    """

    words: tuple[Words, ...]
    probabilities: tuple[float, ...]
    mass: float = 1.0
    given: tuple[Words, ...] = ()

    def first(self, n: int) -> Posteriors:
        """The first n of them; their mass is what they have themselves."""
        if n >= len(self.words):
            return self
        shares = self.probabilities[:n]
        return Posteriors(self.words[:n], shares, min(math.fsum(shares), 1.0), self.given[:n])


def check_scale(scale: float) -> None:
    """Raise an FstmetricsError unless a scale of log probabilities is a finite number from 0 up."""
    if not (NUMBER.holds(scale) and math.isfinite(scale) and scale >= 0):
        raise FstmetricsError(f"the scale of a posterior is a number from 0 up, not {scale!r}")


def of_nbest(nbest: NBest, scale: float, normalisation: Normalisation, merged: bool = True) -> Posteriors:
    """Entries by exp(scale * score), divided by the sum; those with the same words add up if they are `merged`.

    Without scores, every entry counts the same.

    Raises:
        FstmetricsError: a score that is not a number, or of plus infinity; or none above minus infinity.
    """
    check_scale(scale)
    logs = [0.0] * len(nbest.entries) if nbest.scores is None else [score * scale for score in nbest.scores]
    if scale == 0 and nbest.scores is not None:
        logs = [-math.inf if score == -math.inf else 0.0 for score in nbest.scores]
    normalisation = normalisation.of_hypotheses
    best = max(logs)
    if not (math.isfinite(best) and all(log <= best for log in logs)):
        raise FstmetricsError(f"n-best list {nbest.id!r}: its scores have no largest finite number")
    given = [tuple(PLAIN.words(entry)) for entry in nbest.entries]
    words = given if normalisation.is_plain else [tuple(normalisation.words(text)) for text in nbest.texts]
    single = [math.exp(log - best) for log in logs]
    total = math.fsum(single)
    if not merged:
        return Posteriors(tuple(words), tuple(share / total for share in single), given=tuple(given))
    same: dict[Words, tuple[Words, list[float]]] = {}
    for entry, written, share in zip(words, given, single, strict=True):
        same.setdefault(entry, (written, []))[1].append(share)
    firsts, shares = zip(*same.values(), strict=True)
    return Posteriors(tuple(same), tuple(math.fsum(each) / total for each in shares), given=firsts)


def of_lattice(
    lattice: Lattice | Network, n: int, scale: float, scales: Scales | None, normalisation: Normalisation
) -> Posteriors:
    """The n best word sequences of a lattice, each by exp(-scale * cost) summed over all paths with its words, divided
    by the sum over all paths of the lattice. Of a forest, the same over derivations, by the inside algorithm.

    Raises:
        FstmetricsError: a cost that is not a number, a cycle, no path, or n less than 1.
    """
    check_scale(scale)
    whole = weighed(lattice, scales, normalisation)
    words = [path.words for path in best_of(whole, n)]
    shares = whole.shares(words, scale)
    return Posteriors(
        tuple(words), tuple(shares), min(math.fsum(shares), 1.0), tuple(spelled_words(words, normalisation))
    )


def spelled_words(sequences: Sequence[Words], normalisation: Normalisation) -> Sequence[Words]:
    """Sequences of what is compared as words: those that characters with spaces among them spell."""
    if normalisation.unit != "char":
        return sequences
    return [tuple("".join(characters).split()) for characters in sequences]


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
