"""Minimum Bayes risk decoding: the hypothesis of least expected loss under what the decoder believes.

    argmin over candidates h of  sum over evidence e of  p(e) loss(h, e)

[Goel & Byrne 2000; Kumar & Byrne 2004]. The loss is the metric's cost with e as the reference: edits for WER, minus the
gain M - I for WRR and minus that of [C08 eq. 6] for N-GRR. An n-best list is candidates and evidence, and then the
answer is exact. A lattice or forest has too many paths for that: candidates and evidence are its best distinct word
sequences, and the result says how much of the probability of all its paths or derivations the evidence holds. Linear
BLEU needs no such list: all paths are candidates and evidence [Tromble et al. 2008]. Its gains, doubles, are added up
in whole units as fine as 64 bits allow for the longest path, 2^-52 at best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from fstmetrics.data.lattice import Lattice, Scales, scales_of
from fstmetrics.data.nbest import NBest, warn_of_order
from fstmetrics.data.network import Network
from fstmetrics.engine.search import MOST_THREADS, SETTINGS
from fstmetrics.engine.sides import LISTED_ITEMS, refuse_listed_hypothesis
from fstmetrics.lattices.best_paths import best_of
from fstmetrics.lattices.expected_losses import Utilities, belief_normalisation, expected_losses
from fstmetrics.lattices.linear_bleu import LinearBLEU, most_gain
from fstmetrics.lattices.ngram_posteriors import NgramSearch, ngram_search
from fstmetrics.lattices.posteriors import Words, of_lattice, of_nbest, spelled_words
from fstmetrics.lattices.weighted import refuse_other_than_weighed
from fstmetrics.metrics import CorpusMetric, Metric, TextMetric, as_corpus_metric
from fstmetrics.metrics.corpus_metric import name_of, units_of
from fstmetrics.support.arguments import (
    by_name,
    check_text,
    column,
    expect,
    items_of,
    sentences_of,
    shortened,
    whole_number,
)
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.limits import MOST_EVIDENCE, MOST_PATHS
from fstmetrics.text.normalisation import PLAIN, Normalisation

# Candidates and pieces of evidence taken from a lattice where nobody says how many.
FROM_LATTICE = 100


class Candidate(NamedTuple):
    """A hypothesis that could be chosen.

    Attributes:
        words: what it says; of an entry of a list its words as they were given.
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
        candidates: how many distinct ones there were; None of all paths of a lattice.
        evidence: how many distinct pieces; None likewise.
        mass: what share of all probability the evidence holds; expected losses are means over the evidence alone.
        exact: whether every hypothesis was a candidate and evidence, as of an n-best list, or under linear BLEU; then
            the choice is the best but for the rounding of doubles.
    """

    id: str
    metric: CorpusMetric
    best: tuple[Candidate, ...]
    one_best: Candidate
    candidates: int | None
    evidence: int | None
    mass: float
    exact: bool

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import risk_html

        return risk_html(self)

    def __repr__(self) -> str:
        words = shortened(" ".join(self.words))
        loss = self.best[0].expected_loss
        name = name_of(self.metric.name, self.metric.unit or "word")
        return f"MBR({shortened(self.id)}, {name}, {words}, expected loss {loss:.4f})"

    @property
    def words(self) -> Words:
        """The choice."""
        return self.best[0].words


@by_name(SETTINGS)
def mbr(
    hypotheses: Lattice | NBest | Network | Sequence[str | Sequence[str]],
    metric: str | CorpusMetric = "wer",
    *,
    utilities: Any = None,
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
        hypotheses: an n-best list, an acyclic lattice, or a forest: a network of acyclic cards. Or a list of texts:
            samples, of which each counts the same, and one that comes twice counts twice.
        metric: a name or a metric: a finite-state metric without a window; a metric of strings with scores of items
            (`bleu`, `chrf`, `ter`, ...); or `linear-bleu` (`LinearBLEU`), under which all paths of a lattice or forest
            are candidates and evidence.
        utilities: instead of a metric, for an n-best list: shape [entries, entries], of each entry (a row) if each
            entry (a column) is right, higher is better. So that any metric of another program can be used.
        scale: log probabilities are multiplied by this; below 1 posteriors are flatter.
        scales: weights of the costs of a lattice or forest; by default its own. A score of an n-best list is one cost,
            which `lm` weighs, beside the word penalty.
        nbest: how many of the best candidates to give.
        candidates: how many of the best word sequences of a lattice or forest can be chosen.
        evidence: how many of them stand for what may be right.
        normalisation: changes to the words before they are compared; sequences that are the same afterwards are one.
            Of an n-best list or samples the words that are given back stay as they were: of such a sequence those of
            its first entry.
        threads: pairs compared at the same time.

    Raises:
        FstmetricsError: what has no posteriors (scores or costs that are no numbers), a lattice or card with a cycle,
            a lattice without a path, or a metric with a window; utilities of another shape, or with a metric.
        InputError: under linear BLEU, a lattice with more n-grams than the limit on expansion.

    >>> nbest = NBest("x", entries=(("a", "b", "c"), ("a", "x"), ("a", "b")), texts=("a b c", "a x", "a b"),
    ...               scores=(-1.0, -1.1, -1.2))
    >>> found = mbr(nbest)
    >>> found.words, found.one_best.words
    (('a', 'b'), ('a', 'b', 'c'))
    >>> mbr(["a b c", "a x", "a b c", "a b"], "chrf").words
    ('a', 'b', 'c')
    """
    if scales is not None and not isinstance(hypotheses, Lattice | Network):
        are_texts = not isinstance(hypotheses, NBest)
        idle = [name for name in ("lm", "acoustic")[not are_texts :] if getattr(scales, name, 1) != 1]
        if idle:
            lists = "texts, which have no scores" if are_texts else "n-best lists, whose scores lm multiplies"
            raise FstmetricsError(f"{' and '.join(idle)} of scales would change nothing of {lists}")
    found = decode(
        hypotheses, metric, utilities=utilities, scale=scale, scales=scales, nbest=nbest, candidates=candidates,
        evidence=evidence, normalisation=normalisation, threads=threads,
    )  # fmt: skip
    if isinstance(hypotheses, NBest):
        warn_of_order(hypotheses, scales)
        if are_unlogged(hypotheses):
            warn(f"n-best list {hypotheses.id!r} has {UNLOGGED}")
    return found


# What is said where `are_unlogged`.
UNLOGGED = (
    "scores between 0 and 1, which are read as natural logarithms of probabilities; if they are probabilities, "
    "write their logarithms"
)


def are_unlogged(nbest: NBest) -> bool:
    """Whether the scores of a list lie between 0 and 1, and not all are 0."""
    return any(nbest.scores or ()) and all(0 <= score <= 1 for score in nbest.scores or ())


def decode(
    hypotheses: Lattice | NBest | Network | Sequence[str | Sequence[str]],
    metric: str | CorpusMetric = "wer",
    *,
    utilities: Any = None,
    scale: float = 1.0,
    scales: Scales | None = None,
    nbest: int = 1,
    candidates: int = FROM_LATTICE,
    evidence: int = FROM_LATTICE,
    normalisation: Normalisation = PLAIN,
    threads: int = 1,
) -> MBR:
    """As of `mbr`, without warnings."""
    if isinstance(hypotheses, list | tuple) or column(hypotheses) is not None:
        hypotheses = _of_samples(hypotheses)
    refuse_other_than_weighed(hypotheses, "minimum Bayes risk is")
    assert isinstance(hypotheses, Lattice | NBest | Network)
    loss = _loss(metric, utilities, hypotheses)
    scales_of(scales)  # wrong ones are refused, whatever is decoded
    expect(normalisation, Normalisation, "normalisation")
    for name, number, most in (
        ("nbest", nbest, MOST_PATHS), ("candidates", candidates, MOST_EVIDENCE), ("evidence", evidence, MOST_EVIDENCE)
    ):  # fmt: skip
        whole_number(number, name, 1, most)
    whole_number(threads, "threads", 1, MOST_THREADS)
    units_of([loss], normalisation.unit)
    compared = loss.normalisation(normalisation)
    if isinstance(hypotheses, NBest):
        merged = not isinstance(loss, Utilities)
        belief = of_nbest(hypotheses.weighed(scales) if scales else hypotheses, scale, compared, merged)
        choice, kept, exact = belief, belief, True
    elif isinstance(loss, LinearBLEU):
        return _of_all_paths(ngram_search(hypotheses, scale, scales, compared), loss, nbest, scale, compared)
    else:
        before = belief_normalisation(loss, normalisation)
        belief = of_lattice(hypotheses, max(candidates, evidence), scale, scales, before)
        if isinstance(loss, TextMetric):
            cut = compared.of_hypotheses.words
            belief = replace(belief, words=tuple(tuple(cut(" ".join(words))) for words in belief.words))
        choice, kept, exact = belief.first(candidates), belief.first(evidence), False
    losses = expected_losses(choice.words, kept, loss, threads)
    found = [Candidate(*each) for each in zip(choice.given, losses, choice.probabilities, strict=True)]
    order = _ordered(found)
    return MBR(
        hypotheses.id, loss, tuple(order[:nbest]), found[0], len(found), len(kept.words), kept.mass, exact
    )  # fmt: skip


def _of_samples(given: object) -> NBest:
    """Samples of a model as an n-best list without scores.

    Raises:
        FstmetricsError: one is no text, or a list of several texts, or there is none.
    """
    for sample in items_of(given, "samples"):
        refuse_listed_hypothesis(sample, LISTED_ITEMS)
    entries = sentences_of(given, "samples")
    if not entries:
        raise FstmetricsError("there is no sample to choose from")
    texts = [text if isinstance(text, str) else " ".join(text) for text in items_of(given, "samples")]
    for text in texts:
        check_text(text, "a sample")
    return NBest("", tuple(map(tuple, entries)), tuple(texts))


def _ordered(found: list[Candidate]) -> list[Candidate]:
    """By expected loss, then probability, then the order they are in; of the same words only the best."""
    order = sorted(found, key=lambda candidate: (candidate.expected_loss, -candidate.posterior))
    best: dict[Words, Candidate] = {}
    for candidate in order:
        best.setdefault(candidate.words, candidate)
    return list(best.values())


def _loss(metric: str | CorpusMetric, utilities: Any, hypotheses: Lattice | NBest | Network) -> CorpusMetric:
    """What is expected.

    Raises:
        FstmetricsError: a metric that has no loss of pairs, or utilities that do not fit.
    """
    if utilities is not None:
        if not (isinstance(metric, str) and metric == "wer"):
            raise FstmetricsError("utilities take the place of a metric: give one of the two")
        if not isinstance(hypotheses, NBest):
            raise FstmetricsError("utilities are of the entries of an n-best list")
        given, entries = Utilities(utilities), len(hypotheses.entries)
        if len(given.matrix) != entries:
            raise FstmetricsError(
                f"n-best list {hypotheses.id!r} has {entries} entries, and its utilities {len(given.matrix)} rows"
            )
        return given
    linear = isinstance(metric, str) and metric == LinearBLEU.name
    loss = LinearBLEU() if linear else as_corpus_metric(metric)
    if isinstance(loss, Metric) and loss.divisor.__func__ is not Metric.divisor:  # type: ignore[attr-defined]
        raise FstmetricsError(
            f"{loss.name} is a rate of a whole alignment, which is no expected loss; use wer"
        )
    if isinstance(loss, Metric) and loss.window > 1:
        raise FstmetricsError("expected losses are not for reordering in a window; use window 1")
    return loss


def _of_all_paths(
    ngrams: NgramSearch, metric: LinearBLEU, nbest: int, scale: float, normalisation: Normalisation
) -> MBR:
    """The paths of most expected gain, and that of the 1-best; nothing is left out of the evidence."""
    whole = ngrams.hypotheses
    likeliest = [path.words for path in best_of(whole, nbest)]
    best = most_gain(ngrams, metric, nbest, likeliest)
    sequences = [*best, likeliest[0]]
    *found, first = (
        Candidate(shown, -metric.expected_gain(words, ngrams.probability), share)
        for shown, words, share in zip(
            spelled_words(sequences, normalisation), sequences, whole.shares(sequences, scale), strict=True
        )
    )
    return MBR(whole.id, metric, tuple(_ordered(found)), first, None, None, 1.0, True)
