"""Minimum Bayes risk decoding: the hypothesis of least expected loss under what the decoder believes.

    argmin over candidates h of  sum over evidence e of  p(e) loss(h, e)

[Goel & Byrne 2000; Kumar & Byrne 2004]. The loss is the metric's cost with e as the reference: edits for WER, minus the
gain M - I for WRR and minus that of [C08 eq. 6] for N-GRR. An n-best list is candidates and evidence, and then the
answer is exact. A lattice or forest has too many paths for that: candidates and evidence are its best distinct word
sequences, and the result says how much of the probability of all its paths or derivations the evidence holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fstmetrics._native import are_words
from fstmetrics.decoding.posteriors import Posteriors, Words, of_lattice, of_nbest
from fstmetrics.decoding.weighted import refuse_other_than_weighed
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.scoring.search import COUNTS_ONLY, MOST_THREADS, SETTINGS, searched
from fstmetrics.scoring.sides import Side
from fstmetrics.support.arguments import by_name, expect, shortened, whole_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_EVIDENCE, MOST_PATHS
from fstmetrics.values import doors
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network
from fstmetrics.values.normalisation import PLAIN, Normalisation
from fstmetrics.values.scales import Scales, scales_of

# Pairs of a candidate and a piece of evidence that go to the engine at once: some tens of megabytes.
PAIRS = 100_000
# Candidates and pieces of evidence taken from a lattice where nobody says how many.
FROM_LATTICE = 100


class Candidate(NamedTuple):
    """A hypothesis that could be chosen.

    Attributes:
        words: what it says.
        expected_loss: the mean of the metric's cost against the evidence, each piece weighing its share.
        posterior: its own probability, among all that the list or lattice holds.
    """

    words: Words
    expected_loss: float
    posterior: float


@dataclass(frozen=True)
class MBR:
    """What was chosen, beside the decoder's first choice.

    Attributes:
        id: of the item.
        metric: whose loss is expected.
        best: the candidates of least expected loss, best first; of equals the likelier, then the earlier.
        one_best: the decoder's first choice: the first entry of a list, the best path of a lattice or forest.
        candidates: how many distinct ones there were.
        evidence: how many distinct pieces.
        mass: what share of all probability the evidence holds; expected losses are means over the evidence alone.
        exact: whether every hypothesis was a candidate and evidence, as of an n-best list.
    """

    id: str
    metric: Metric
    best: tuple[Candidate, ...]
    one_best: Candidate
    candidates: int
    evidence: int
    mass: float
    exact: bool

    def _repr_html_(self) -> str:
        return doors.risk_html(self)

    def __repr__(self) -> str:
        words = shortened(" ".join(self.words))
        loss = self.best[0].expected_loss
        return f"MBR({shortened(self.id)}, {self.metric.name}, {words}, expected loss {loss:.4f})"

    @property
    def words(self) -> Words:
        """The choice."""
        return self.best[0].words


@by_name(SETTINGS)
def mbr(
    hypotheses: Lattice | NBest | Network,
    metric: str | Metric = "wer",
    *,
    scale: float = 1.0,
    scales: Scales | None = None,
    nbest: int = 1,
    candidates: int = FROM_LATTICE,
    evidence: int = FROM_LATTICE,
    normalisation: Normalisation = PLAIN,
    threads: int = 1,
) -> MBR:
    """The hypothesis of least expected loss.

    Args:
        hypotheses: an n-best list, an acyclic lattice, or a forest: a network of acyclic cards.
        metric: a name or a finite-state metric without a window.
        scale: log probabilities are multiplied by this; below 1 posteriors are flatter.
        scales: weights of the costs of a lattice or forest; by default its own. A score of an n-best list is one cost,
            which `lm` weighs, beside the word penalty.
        nbest: how many of the best candidates to give.
        candidates: how many of the best word sequences of a lattice or forest can be chosen.
        evidence: how many of them stand for what may be right.
        normalisation: changes to the words; sequences that are the same afterwards are one.
        threads: pairs compared at the same time.

    Raises:
        FstmetricsError: what has no posteriors (scores or costs that are no numbers), a lattice or card with a cycle,
            a lattice without a path, or a metric with a window.

    >>> nbest = NBest("x", entries=(("a", "b", "c"), ("a", "x"), ("a", "b")), texts=("a b c", "a x", "a b"),
    ...               scores=(-1.0, -1.1, -1.2))
    >>> found = mbr(nbest)
    >>> found.words, found.one_best.words
    (('a', 'b'), ('a', 'b', 'c'))
    """
    refuse_other_than_weighed(hypotheses, "minimum Bayes risk is")
    metric = as_metric(metric)
    scales_of(scales, Scales())  # wrong ones are refused, whatever is decoded
    expect(normalisation, Normalisation, "normalisation")
    if metric.divisor.__func__ is not Metric.divisor:  # type: ignore[attr-defined]
        raise FstmetricsError(
            f"{metric.name} is a rate of a whole alignment, which is no expected loss; use wer"
        )
    if metric.window > 1:
        raise FstmetricsError("expected losses are not for reordering in a window; use window 1")
    for name, number, most in (
        ("nbest", nbest, MOST_PATHS), ("candidates", candidates, MOST_EVIDENCE), ("evidence", evidence, MOST_EVIDENCE)
    ):  # fmt: skip
        whole_number(number, name, 1, most)
    whole_number(threads, "threads", 1, MOST_THREADS)
    if isinstance(hypotheses, NBest):
        belief = of_nbest(hypotheses.weighed(scales) if scales else hypotheses, scale, normalisation)
        choice, kept, exact = belief, belief, True
    else:
        belief = of_lattice(hypotheses, max(candidates, evidence), scale, scales, normalisation)
        choice, kept, exact = _first(belief, candidates), _first(belief, evidence), False
    losses = expected_losses(choice.words, kept, metric, threads)
    found = [Candidate(*each) for each in zip(choice.words, losses, choice.probabilities, strict=True)]
    # Sorting keeps the order of equals.
    order = sorted(found, key=lambda candidate: (candidate.expected_loss, -candidate.posterior))
    return MBR(
        hypotheses.id, metric, tuple(order[:nbest]), found[0], len(found), len(kept.words), kept.mass, exact
    )  # fmt: skip


def _first(belief: Posteriors, n: int) -> Posteriors:
    """The first n of them; their mass is what they have themselves."""
    if n >= len(belief.words):
        return belief
    shares = belief.probabilities[:n]
    return Posteriors(belief.words[:n], shares, min(math.fsum(shares), 1.0))


def expected_losses(
    candidates: Sequence[Words], evidence: Posteriors, metric: Metric, threads: int = 1
) -> list[float]:
    """The mean of the metric's cost of each candidate against the evidence, weighed by probability.

    Raises:
        FstmetricsError: the evidence has no probability that a double can hold.
    """
    total = math.fsum(evidence.probabilities)
    if not total > 0:
        raise FstmetricsError(
            "the evidence has no probability to speak of; take more of it, or a larger scale"
        )
    shares = [probability / total for probability in evidence.probabilities]
    costs = _costs(candidates, evidence.words, metric, threads)
    return [math.fsum(share * cost for share, cost in zip(shares, row, strict=True)) for row in costs]


def _costs(
    candidates: Sequence[Words], references: Sequence[Words], metric: Metric, threads: int
) -> Iterator[list[float]]:
    """The metric's cost of every pair, a row a candidate, as many rows at once as make a good batch."""
    rows = max(1, PAIRS // len(references))
    options = COUNTS_ONLY if threads == 1 else type(COUNTS_ONLY)(alignment=False, threads=threads)
    ends = list(map(_side, references))
    for begin in range(0, len(candidates), rows):
        batch = list(map(_side, candidates[begin : begin + rows]))
        hypotheses = [words for words in batch for _ in ends]
        found = searched(None, hypotheses, ends * len(batch), metric, 1, options)
        units = found.all_counts()[:, 0].reshape(len(batch), len(ends))
        yield from (units / metric.table.scale).tolist()


def _side(words: Words) -> Side:
    """Words as the engine takes them fastest, in one string; with spaces in words they stay apart."""
    return " ".join(words) if are_words(words) else list(words)
