"""N-grams of what a decoder believes: how often they are expected, and how likely they are there at all.

Over all paths of a lattice or all derivations of a forest, not over a list of the best: `ngram_posteriors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import _native
from fstmetrics.decoding.posteriors import Words, check_scale, of_nbest
from fstmetrics.decoding.weighted import WeightedLattice, refuse_other_than_weighed, weighted
from fstmetrics.networks.automata import within_the_limit
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.limits import limits
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network
from fstmetrics.values.normalisation import PLAIN, Normalisation
from fstmetrics.values.scales import Scales, scales_of

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

# Longer n-grams than anybody counts; every further word splits the states of a lattice again.
MOST_ORDER = 9


@dataclass(frozen=True, eq=False)
class NgramPosteriors:
    """The n-grams of a lattice, forest or n-best list.

    Attributes:
        ngrams: all of them, the shorter ones before those that they begin; no order is promised beyond that.
        expected_counts: how often each is expected; shape [ngrams].
        posteriors: the probability that it is there at least once; shape [ngrams].
    """

    ngrams: tuple[Words, ...]
    expected_counts: Numbers
    posteriors: Numbers

    @cached_property
    def _numbers(self) -> dict[Words, int]:
        return {ngram: number for number, ngram in enumerate(self.ngrams)}

    def posterior(self, ngram: Sequence[str]) -> float:
        """That of one n-gram; 0 of one that is nowhere."""
        number = self._numbers.get(tuple(ngram))
        return 0.0 if number is None else float(self.posteriors[number])

    def __repr__(self) -> str:
        return f"NgramPosteriors({len(self.ngrams)} n-grams)"


class NgramLattice:
    """A lattice whose states are split by the words before them, so that an arc ends the same n-grams on every path.

    Attributes:
        lattice: what it is made of.
        graph: its states, split.
        costs: natural logs, one an arc of the graph.
    """

    def __init__(self, lattice: WeightedLattice, order: int, scale: float) -> None:
        most = limits().expansion
        found = _native.ngram_graph(lattice.machine, order, most)
        if found is None:
            raise limits().error(
                "expansion",
                f"lattice {lattice.id or '(no id)'}: n-grams of up to {order} words take more than {most} arcs; "
                "prune it",
            )
        self.lattice, self.graph, self.order = lattice, found, order
        self.costs: Numbers = lattice.costs[found.origins] * scale
        self.lengths, self.suffixes, self.longest = found.lengths, found.suffixes, found.longest

    @cached_property
    def probabilities(self) -> Numbers:
        """By n-gram, that it is there at least once; the first is the empty one."""
        return self.graph.probabilities(self.costs)

    @cached_property
    def expected_counts(self) -> Numbers:
        """By n-gram, how often it is expected; 0 of the empty one."""
        return self.graph.expected_counts(self.costs)

    def with_gains(self, of_word: float, of_ngrams: Numbers) -> WeightedLattice:
        """The lattice whose paths cost minus what their words and n-grams gain.

        Args:
            of_word: the gain of a word, whichever it is.
            of_ngrams: the gain of each n-gram of the graph, wherever it ends.
        """
        ending = np.zeros(len(self.lengths))  # what an arc gains that ends an n-gram and all the shorter ones
        for length in range(1, self.order + 1):
            chosen = self.lengths == length
            ending[chosen] = of_ngrams[chosen] + ending[self.suffixes[chosen]]
        gains = np.where(self.longest > 0, of_word + ending[self.longest], 0.0)
        return WeightedLattice(self.graph.machine, self.lattice.words, -gains, self.lattice.id)

    def ngrams(self) -> tuple[Words, ...]:
        """The words of each n-gram but the empty one."""
        found: list[Words] = [()]
        words = self.lattice.words
        for prefix, label in zip(
            self.graph.prefixes.tolist()[1:], self.graph.words.tolist()[1:], strict=True
        ):
            found.append((*found[prefix], words[label]))
        return tuple(found[1:])


def ngram_lattice(
    hypotheses: Lattice | Network,
    order: int,
    scale: float,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> NgramLattice:
    """The n-grams of a lattice, or of a forest, which is written out for it.

    Raises:
        FstmetricsError: a cost that is not a number, a cycle, or no path.
        InputError: more arcs than the limit on expansion.
    """
    check_scale(scale)
    if isinstance(hypotheses, Network):
        scales = scales_of(scales, hypotheses.scales)
        hypotheses = within_the_limit(hypotheses, "for n-grams of its derivations")
    return NgramLattice(weighted(hypotheses, scales, normalisation), order, scale)


def ngram_posteriors(
    hypotheses: Lattice | NBest | Network,
    order: int = 4,
    scale: float = 1.0,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> NgramPosteriors:
    """The n-grams of all paths, with expected counts and posteriors [Tromble et al. 2008, §4; Kumar et al. 2009, §5].

    Both are exact: sums over all paths of an acyclic lattice, all derivations of a forest, or all entries of a list. A
    path that has an n-gram twice adds to its count twice, and to its posterior once.

    Args:
        hypotheses: a lattice, forest or n-best list.
        order: n-grams of up to so many words, 1 to 9.
        scale: log probabilities are multiplied by this; below 1 posteriors are flatter.
        scales: weights of the costs; by default those of the lattice.
        normalisation: changes to the words.

    Raises:
        FstmetricsError: scores or costs that are no numbers, a cycle, or no path.
        InputError: the lattice, its states split by the words before them, has more arcs than the limit on expansion.

    >>> lattice = Lattice.from_strings([["a", "b", "a"], ["a", "c"]], costs=[0.0, 0.0])
    >>> found = ngram_posteriors(lattice, order=2)
    >>> found.posterior(["a"]), found.posterior(["b", "a"]), found.posterior(["b", "c"])
    (1.0, 0.5, 0.0)
    >>> round(float(found.expected_counts[found.ngrams.index(("a",))]), 12)
    1.5
    """
    refuse_other_than_weighed(hypotheses, "posteriors of n-grams are")
    whole_number(order, "order", 1, MOST_ORDER)
    if isinstance(hypotheses, NBest):
        return _of_list(hypotheses.weighed(scales) if scales else hypotheses, order, scale, normalisation)
    found = ngram_lattice(hypotheses, order, scale, scales, normalisation)
    return NgramPosteriors(found.ngrams(), found.expected_counts[1:], found.probabilities[1:])


def _of_list(nbest: NBest, order: int, scale: float, normalisation: Normalisation) -> NgramPosteriors:
    belief = of_nbest(nbest, scale, normalisation)
    counts: dict[Words, float] = {}
    present: dict[Words, float] = {}
    for words, probability in zip(belief.words, belief.probabilities, strict=True):
        here = [ngram for n in range(1, order + 1) for ngram in ngrams_of(words, n)]
        for ngram in here:
            counts[ngram] = counts.get(ngram, 0.0) + probability
        for ngram in dict.fromkeys(here):
            present[ngram] = present.get(ngram, 0.0) + probability
    posteriors = np.minimum(np.array(list(present.values())), 1.0)
    return NgramPosteriors(tuple(counts), np.array(list(counts.values())), posteriors)


def ngrams_of(words: Words, n: int) -> list[Words]:
    """The n-grams of some words, in their order.

    >>> ngrams_of(("a", "b", "c"), 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [words[i : i + n] for i in range(len(words) - n + 1)]
