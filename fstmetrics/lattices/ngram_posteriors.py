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
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.lattices.posteriors import Words, check_scale, of_nbest
from fstmetrics.lattices.weighted import WeightedForest, WeightedLattice, refuse_other_than_weighed, weighed
from fstmetrics.support.arguments import whole_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import PLAIN, Normalisation

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
        order: the words of the longest that were looked for.
    """

    ngrams: tuple[Words, ...]
    expected_counts: Numbers
    posteriors: Numbers
    order: int = MOST_ORDER

    @cached_property
    def _numbers(self) -> dict[Words, int]:
        return {ngram: number for number, ngram in enumerate(self.ngrams)}

    def posterior(self, ngram: str | Sequence[str]) -> float:
        """That of one n-gram; 0 of one that is nowhere.

        Args:
            ngram: its words, or a string that white space parts into words.

        Raises:
            FstmetricsError: no word, or more words than n-grams were looked for with.
        """
        words = tuple(ngram.split() if isinstance(ngram, str) else ngram)
        if not 1 <= len(words) <= self.order:
            raise FstmetricsError(
                f"an n-gram of {counted(len(words), 'word')}; these are of 1 to {self.order} words"
            )
        number = self._numbers.get(words)
        return 0.0 if number is None else float(self.posteriors[number])

    def __repr__(self) -> str:
        return f"NgramPosteriors({len(self.ngrams)} n-grams)"


class NgramSearch:
    """N-grams of a lattice or forest; only of what may be wanted are states split by the words before them.

    Attributes:
        hypotheses: with one cost an arc.
        core: the engine's.
    """

    def __init__(self, hypotheses: WeightedLattice | WeightedForest, scale: float) -> None:
        self.hypotheses = hypotheses
        rtn, costs = hypotheses.machine, hypotheses.costs * scale
        if isinstance(rtn, _native.Automaton):
            costs = costs[rtn.origins]
            rtn = _native.Rtn([rtn], 0)
        self.core = _native.NgramSearch(rtn, costs)
        self._label = {word: number for number, word in enumerate(hypotheses.words)}

    def split(self, words: int) -> None:
        """Split the states by one word more, so that they know so many.

        Raises:
            InputError: more arcs than the limit on expansion.
        """
        most = limits().expansion
        if self.core.split(most):
            return
        is_lattice = isinstance(self.hypotheses, WeightedLattice)
        what, advice = ("lattice", "; prune it") if is_lattice else ("network", "")
        raise limits().error(
            "expansion",
            f"{what} {self.hypotheses.id or '(no id)'}: n-grams of {words + 1} words take more than {most} "
            f"arcs{advice}",
        )

    def probability(self, ngram: Words) -> float:
        """That some words, of those in the lattice, follow one another at least once."""
        return self.core.probability([self._label[word] for word in ngram])

    def best(self, thetas: Sequence[float]) -> Words:
        """The words that could gain most; thetas as of `upper_bounds`."""
        return tuple(self.hypotheses.words[label] for label in self.core.best(thetas))

    def upper_bounds(self, thetas: Sequence[float]) -> WeightedLattice | WeightedForest:
        """What is left, its costs minus the most that arcs can gain.

        Args:
            thetas: the gain of any word; then, by n, that of an n-gram which is certain.
        """
        rtn, gains = self.core.upper_bounds(thetas)
        words, id = self.hypotheses.words, self.hypotheses.id
        if isinstance(self.hypotheses, WeightedLattice):
            return WeightedLattice(rtn.cards[0], words, -gains, id)
        return WeightedForest(rtn, words, -gains, id)

    def ngrams(self) -> tuple[Words, ...]:
        """The words of each n-gram but the empty one."""
        found: list[Words] = [()]
        words = self.hypotheses.words
        for prefix, label in zip(self.core.prefixes.tolist()[1:], self.core.words.tolist()[1:], strict=True):
            found.append((*found[prefix], words[label]))
        return tuple(found[1:])


def ngram_search(
    hypotheses: Lattice | Network,
    scale: float,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
) -> NgramSearch:
    """The n-grams of a lattice or forest.

    Raises:
        FstmetricsError: a cost that is not a number, a cycle, or no path.
    """
    check_scale(scale)
    return NgramSearch(weighed(hypotheses, scales, normalisation), scale)


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
        InputError: the lattice or forest, split by the words before each state, has more arcs than the limit on
            expansion.

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
    found = ngram_search(hypotheses, scale, scales, normalisation)
    for words in range(1, order):
        found.split(words)
    return NgramPosteriors(
        found.ngrams(), found.core.expected_counts()[1:], found.core.probabilities()[1:], order
    )


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
    return NgramPosteriors(tuple(counts), np.array(list(counts.values())), posteriors, order)


def ngrams_of(words: Words, n: int) -> list[Words]:
    """The n-grams of some words, in their order.

    >>> ngrams_of(("a", "b", "c"), 2)
    [('a', 'b'), ('b', 'c')]
    """
    return [words[i : i + n] for i in range(len(words) - n + 1)]
