"""Are a recogniser's confidences right: normalised cross entropy, expected calibration error, a reliability table.

- `confidence`: of words with confidences, or of lattices, against references.
- `calibration`: of confidences that are known to be of correct or of wrong words.
- `judged`: which words of hypotheses are correct, by the best alignment.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from numbers import Real
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics import FstmetricsError, Lattice, Metric, Normalisation, Scales, SearchOptions, Transcript
from fstmetrics._native import BestPathSides
from fstmetrics.data.segments import TimedWords
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.search import DEFAULT, search, search_items
from fstmetrics.engine.sides import Input
from fstmetrics.lattices.posteriors import check_scale, word_posteriors
from fstmetrics.metrics import as_metric
from fstmetrics.support.arguments import described, items_of, refuse_other_labels, whole_number
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import PLAIN

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics._native import LatticeColumn
    from fstmetrics.grammars.library import Grammars

# Logarithms are of probabilities within these, as in sclite: a confidence of 0 or 1 that is wrong costs 23 bits.
LEAST, MOST = 1e-7, 1 - 1e-7
BINS, MOST_BINS = 10, 10_000
# A confidence so little above the end of a bin is in it: posteriors are sums.
EDGE = 1e-12


class Bin(NamedTuple):
    """Words whose confidence is above `low` and at most `high`; those with confidence 0 are in the first.

    Attributes:
        low, high: the ends.
        words: how many words.
        correct: how many of them are correct.
        confidence: their mean confidence; nan without words.
        accuracy: the share that is correct; nan without words.
    """

    low: float
    high: float
    words: int
    correct: int
    confidence: float
    accuracy: float

    def as_dict(self) -> dict[str, Any]:
        """By name, null for what is not defined."""
        return {name: finite(value) for name, value in self._asdict().items()}


@dataclass(frozen=True)
class Calibration:
    """How far confidences are right.

    Attributes:
        words: hypothesis words: hits, substitutions and insertions.
        correct: hits.
        mean_confidence: the mean of all; nan without words.
        nce: normalised cross entropy: 1 is perfect, 0 no better than the same confidence for all words, below 0 worse.
            nan where all words are correct, or none.
        ece: expected calibration error: the mean distance of confidence and accuracy of a bin, weighted by its words.
        bins: of equal width.
    """

    words: int
    correct: int
    mean_confidence: float
    nce: float
    ece: float
    bins: tuple[Bin, ...]

    @property
    def accuracy(self) -> float:
        """The share of correct words; nan without words."""
        return self.correct / self.words if self.words else math.nan

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it, null for what is not defined."""
        return {
            "words": self.words, "correct": self.correct, "accuracy": finite(self.accuracy),
            "mean_confidence": finite(self.mean_confidence), "nce": finite(self.nce), "ece": finite(self.ece),
            "bins": [each.as_dict() for each in self.bins],
        }  # fmt: skip

    def __str__(self) -> str:
        return (
            f"NCE {self.nce:.3f}, ECE {self.ece:.4f}: {self.words} words, {self.accuracy:.4f} correct, mean confidence "
            f"{self.mean_confidence:.4f}"
        )


def calibration(confidences: npt.ArrayLike, correct: npt.ArrayLike, bins: int = BINS) -> Calibration:
    """How far confidences are right.

    NCE = (H + L) / H, where H is the entropy of knowing only how many words are correct and L the log probability that
    the confidences give to what is correct and what is not; confidences are kept within 1e-7 of 0 and 1 for it [NIST,
    SCTK; Siu, Gish and Richardson 1997]. ECE is as of Naeini et al. 2015 and Guo et al. 2017.

    Args:
        confidences: from 0 to 1, shape [words].
        correct: whether each word is, shape [words].
        bins: how many, of equal width.

    Raises:
        FstmetricsError: different numbers of them, a confidence that is no number or out of range, something that is
            neither correct nor not (True, False, 1, 0), or fewer than one bin.

    >>> found = calibration([0.9, 0.8, 0.4], [True, True, False], bins=2)
    >>> round(found.nce, 3), round(found.ece, 3), [each.words for each in found.bins]
    (0.56, 0.233, [1, 2])
    """
    whole_number(bins, "bins", 1, MOST_BINS)
    refuse_other_labels({"confidences": confidences, "correct": correct})
    values, hits = _numbers(confidences), _booleans(correct)
    if values.shape != hits.shape or values.ndim != 1:
        raise FstmetricsError(
            f"expected as many confidences as words that are correct or not, not {list(values.shape)} and "
            f"{list(hits.shape)}"
        )
    if bad := values[~((values >= 0) & (values <= 1))].tolist():
        raise FstmetricsError(f"a confidence is a number from 0 to 1, not {bad[0]}")
    ends = np.arange(1, bins + 1) / bins
    place = np.minimum(np.searchsorted(ends + EDGE, values), bins - 1)
    rows = []
    for number in range(bins):
        inside = place == number
        n, right = int(inside.sum()), int(hits[inside].sum())
        mean = math.fsum(values[inside].tolist()) / n if n else math.nan
        rows.append(Bin(number / bins, (number + 1) / bins, n, right, mean, right / n if n else math.nan))
    distances = (each.words * abs(each.accuracy - each.confidence) for each in rows if each.words)
    n = len(values)
    return Calibration(
        n, int(hits.sum()), math.fsum(values.tolist()) / n if n else math.nan, _nce(values, hits),
        math.fsum(distances) / n if n else math.nan, tuple(rows),
    )  # fmt: skip


def _numbers(confidences: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Confidences as numbers; texts and other values are not made numbers."""
    if isinstance(confidences, np.ndarray) and confidences.dtype == np.float64:
        return confidences
    for value in np.asarray(confidences, dtype=object).ravel():
        if not isinstance(value, Real | Decimal):
            raise FstmetricsError(f"a confidence is a number from 0 to 1, not {value!r}")
    return np.asarray(confidences, dtype=np.float64)


def _booleans(correct: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    if isinstance(correct, np.ndarray) and correct.dtype == np.bool_:
        return correct
    for value in np.asarray(correct, dtype=object).ravel():
        if not (isinstance(value, bool | np.bool_) or (isinstance(value, Real) and value in (0, 1))):
            raise FstmetricsError(f"a word is correct (True) or not (False), not {value!r}")
    return np.asarray(correct, dtype=bool)


def _nce(values: npt.NDArray[np.float64], hits: npt.NDArray[np.bool_]) -> float:
    n, right = len(values), int(hits.sum())
    if right in (0, n):
        return math.nan
    share = right / n
    entropy = -(right * math.log2(share) + (n - right) * math.log2(1 - share))
    values = np.clip(values, LEAST, MOST)
    found = math.fsum(np.log2(np.where(hits, values, 1 - values)).tolist())
    return (entropy + found) / entropy


# The pieces of a word that are not parted by blanks, each with its confidence.
Pieces = tuple[tuple[str, float], ...]


class Said(NamedTuple):
    """The words of a hypothesis, each with a confidence; of words of several pieces these, by their places."""

    words: tuple[str, ...]
    confidences: tuple[float, ...]
    pieces: Mapping[int, Pieces] = MappingProxyType({})


class SaidWords(NamedTuple):
    """The words of many hypotheses, and the confidences and pieces of all, one hypothesis behind the other."""

    words: Sequence[tuple[str, ...]]
    confidences: npt.NDArray[np.float64]
    pieces: Mapping[int, Pieces] = MappingProxyType({})

    @classmethod
    def of(cls, items: Sequence[Said]) -> SaidWords:
        """Those of each."""
        values: list[float] = []
        pieces: dict[int, Pieces] = {}
        for each in items:
            pieces |= {len(values) + place: own for place, own in each.pieces.items()}
            values += each.confidences
        return cls([each.words for each in items], np.array(values, dtype=np.float64), pieces)


def said_by_lattices(
    column: LatticeColumn, scale: float = 1.0, scales: Mapping[str, float] | None = None, threads: int = 1
) -> SaidWords | int:
    """The same of many lattices; or the number of the first of which `said` says what is wrong.

    Args:
        column: the lattices.
        scale: as of `word_posteriors`.
        scales: weights of costs, by their names in `Scales`; others are as each lattice's file says.
        threads: how many work at the same time.
    """
    check_scale(scale)
    lm, acoustic, word_penalty = map((scales or {}).get, ("lm", "acoustic", "word_penalty"))
    sides = BestPathSides(column, lm, acoustic, word_penalty, scale, threads)
    return SaidWords(sides, sides.posteriors()) if sides.failure is None else sides.failure


def said(value: Any, scale: float = 1.0, scales: Scales | None = None) -> Said:
    """The words and confidences of a lattice, or of a ctm's words.

    Raises:
        FstmetricsError: it has none.
    """
    if isinstance(value, Lattice):
        found = word_posteriors(value, scale, scales)
        return Said(tuple(each.word for each in found), tuple(each.posterior for each in found))
    if isinstance(value, TimedWords):
        return _said(value.transcript())
    if isinstance(value, Transcript):
        return _said(value)
    if isinstance(value, str | tuple) and not value:
        return Said((), ())
    raise FstmetricsError(
        "expected words with confidences (ctm, which fstmetrics convert makes of JSON of Whisper or Vosk) or a lattice "
        "with times, not " + (f"the text {value!r:.80}" if isinstance(value, str) else described(value))
    )


def _said(transcript: Transcript) -> Said:
    if transcript.words is None:
        raise FstmetricsError(
            "the hypothesis leaves a choice, and which confidence counts is not defined for choices"
        )
    if not transcript.words:
        return Said((), ())
    if not transcript.confidences:
        raise FstmetricsError(
            "the words have no confidences: the sixth field of a line of ctm, `probability` or `conf` in JSON"
        )
    if len(transcript.confidences) != len(transcript.words):
        raise FstmetricsError(
            f"{counted(len(transcript.words), 'word')} and confidences of {len(transcript.confidences)}, so that it is "
            "not known which word has which"
        )
    confidences, pieces = [], dict[int, Pieces]()
    for place, own in enumerate(transcript.confidences):
        values = [_confidence(text, place + 1) for _, text in own]
        confidences.append(min(values))
        if len(own) > 1:
            names = (Transcript.parse(written, "sclite").words or () for written, _ in own)
            pieces[place] = tuple(zip(map(" ".join, names), values, strict=True))
    return Said(transcript.words, tuple(confidences), pieces)


def _confidence(text: str, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        found = f"{text!r} as" if text else "no"
        raise FstmetricsError(f"word {number} has {found} confidence; expected a number from 0 to 1")
    return value


def judged(
    ids: Sequence[str | None] | None,
    hypotheses: SaidWords,
    references: Sequence[Input],
    metric: Metric,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """The confidence of each hypothesis word, and whether it is correct: a hit of the best alignment.

    Words that normalisation removes do not count, nor do those that an open stretch (`<*>`) of the reference takes.
    Each part of a word that it splits has the word's confidence, or the least of the pieces that it is of.

    Raises:
        FstmetricsError: characters are compared, words are reordered, or normalisation changes more than single words.
    """
    if normalisation.unit == "char":
        raise FstmetricsError("confidences are of words; --unit char compares characters")
    if metric.window > 1:
        raise FstmetricsError(f"confidences are of words in their order; {metric.name} reorders them")
    words = hypotheses.words
    results = search(ids, words, references, metric, 1, normalisation, options, grammars)
    marks = _marks(results) if metric.name != "sclite" else _marks_of_sclite(results, metric)
    if isinstance(words, BestPathSides) and normalisation.of_hypotheses.is_plain:
        confidences = hypotheses.confidences  # sentence markers are not among the words
    else:
        confidences = _confidences_of_kept(results, hypotheses, normalisation)
    counts = marks != TAKEN
    return confidences[counts], marks[counts] == HIT


def _confidences_of_kept(
    results: Batch, hypotheses: SaidWords, normalisation: Normalisation
) -> npt.NDArray[np.float64]:
    """Those of the words that were compared, which is checked."""
    confidences: list[float] = []
    values = enumerate(hypotheses.confidences.tolist())
    changed = normalisation.of_hypotheses.words
    for result, words in zip(results, hypotheses.words, strict=True):
        kept: list[tuple[str, float]] = []
        for given, (place, value) in zip(words, values, strict=False):
            found, pieces = changed((given,)), hypotheses.pieces.get(place)
            if pieces is None or len(found) == 1:
                kept += [(word, value) for word in found]
            else:
                kept += _of_pieces(found, [(changed((piece,)), own) for piece, own in pieces])
        if result.hypothesis != tuple(word for word, _ in kept):
            item = "" if result.id is None else f"item {result.id}: "
            raise FstmetricsError(
                f"{item}the words are joined or split by what is done to words, so their confidences are not known; "
                "leave these options out"
            )
        confidences += [value for _, value in kept]
    return np.array(confidences, dtype=np.float64)


def _of_pieces(
    words: Sequence[str], pieces: Sequence[tuple[Sequence[str], float]]
) -> Iterator[tuple[str, float]]:
    """The parts of a word, each with the least confidence of the pieces that it is of; none where they differ."""
    signs = [(sign, value) for own, value in pieces for word in own for sign in word]
    if "".join(words) == "".join(sign for sign, _ in signs):
        values = iter(signs)
        yield from ((word, min(value for _, value in islice(values, len(word)))) for word in words)


# What a hypothesis word is in the best alignment: a hit, wrong, or taken by an open stretch of the reference.
WRONG, HIT, TAKEN = 0, 1, 2
_MARKS = np.full(256, WRONG, dtype=np.int8)
_MARKS[ord("=")], _MARKS[ord("*")] = HIT, TAKEN


def _marks(results: Batch) -> npt.NDArray[np.int8]:
    """Of each hypothesis word of each result what it is."""
    _, letters, of_hypothesis, _ = results.operations()
    marks: npt.NDArray[np.int8] = _MARKS[letters[of_hypothesis >= 0]]
    return marks


def _marks_of_sclite(results: Batch, metric: Metric) -> npt.NDArray[np.int8]:
    """The same by the one of equally good alignments that sclite shows: of `a a` against `a` the last word is the hit.

    sclite follows an alignment from its end, and takes an insertion before a deletion. So sides that are turned round
    and change places have its alignment in the order of ours.
    """
    every = list(results)
    marks = np.split(_marks(results), np.cumsum([len(result.hypothesis) for result in every])[:-1])
    plain = [n for n, result in enumerate(every) if result.hypothesis and TAKEN not in marks[n]]
    if plain:
        turned = [(None, every[n].closest[::-1], every[n].hypothesis[::-1]) for n in plain]
        for n, result in zip(plain, search_items(turned, metric), strict=True):
            turned_back = [pair.op == "=" for pair in result.alignment if pair.reference is not None]
            marks[n] = np.array(turned_back[::-1], dtype=np.int8)
    return np.concatenate(marks)


def confidence(
    hypotheses: Iterable[Any],
    references: Iterable[Input],
    confidences: Iterable[Sequence[float]] | None = None,
    *,
    bins: int = BINS,
    metric: str | Metric = "wer",
    scale: float = 1.0,
    scales: Scales | None = None,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> Calibration:
    """How far the confidences of words of `hypotheses` are right, by the best alignment with `references`.

    Args:
        hypotheses: one an item: words (a string or a list) with `confidences`; or, without these, lattices with times,
            whose best paths have the posteriors of `fstmetrics.lattices.posteriors`.
        references: one an item, as of `score`.
        confidences: for each item a number from 0 to 1 for each word.
        bins: how many bins of equal width the expected calibration error has.
        metric: whose alignment says which words are correct: `wer` or `sclite`.
        scale: of lattices: a factor of the costs, such as 1 / LMWT.
        scales: of lattices: weights of the costs.
        normalisation: changes to the words of both sides.
        grammars: what widens the references.
        options: route and limits of the search.

    Raises:
        FstmetricsError: different numbers of items or words, or words without confidences.

    >>> found = confidence(["the cat sat"], ["the hat sat"], [[0.9, 0.4, 0.8]], bins=2)
    >>> found.words, found.correct, round(found.nce, 3), round(found.ece, 3)
    (3, 2, 0.56, 0.233)
    """
    refuse_other_labels({"hypotheses": hypotheses, "references": references, "confidences": confidences})
    hyps, refs = items_of(hypotheses, "hypotheses"), items_of(references, "references")
    numbers = None if confidences is None else items_of(confidences, "confidences")
    for what, others in (("references", refs), ("lists of confidences", numbers)):
        if others is not None and len(others) != len(hyps):
            raise FstmetricsError(f"{len(hyps)} hypotheses and {len(others)} {what}")
    found = []
    for item, hypothesis in enumerate(hyps):
        try:
            each = said(hypothesis, scale, scales) if numbers is None else _given(hypothesis, numbers[item])
        except FstmetricsError as error:
            raise type(error)(f"item {item} (from 0): {error}") from None
        found.append(each)
    hits = judged(None, SaidWords.of(found), refs, as_metric(metric), normalisation, options, grammars)
    return calibration(*hits, bins)


def _given(hypothesis: Any, confidences: Sequence[float]) -> Said:
    words = tuple(hypothesis.split()) if isinstance(hypothesis, str) else tuple(items_of(hypothesis, "words"))
    values = tuple(items_of(confidences, "confidences"))
    if len(words) != len(values):
        raise FstmetricsError(f"{len(words)} words and {len(values)} confidences")
    return Said(words, values)
