"""The slots and votes of SCTK's rover [Fiscus 1997]: outputs aligned one after another, and each slot voted on.

The order of systems matters: each is aligned with the slots of those before it, and of words with equal votes that of
the earlier system wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from fstmetrics import _native
from fstmetrics.combination.outputs import Output
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limits

# freq: how many systems have the word. The others weigh that by alpha, and the rest is, of its confidences: their mean
# (meth1), the largest (maxconf; rover's maxconfa is the same), or their share in all of the slot (avgconf).
Vote = Literal["freq", "meth1", "maxconf", "maxconfa", "avgconf"]
Alignment = Literal["words", "times"]
ALIGNMENTS: tuple[Alignment, ...] = get_args(Alignment)


class Candidate(NamedTuple):
    """A word of a slot, or no word.

    Attributes:
        word: the word; None: no word.
        systems: the numbers of the systems that have it, from 0.
        score: what it was voted by.
        begin, duration: the means of its times in seconds; None where these are not known, and of no word.
        confidence: the mean of its confidences; None where a word has none.
    """

    word: str | None
    systems: tuple[int, ...]
    score: float
    begin: float | None = None
    duration: float | None = None
    confidence: float | None = None


class Slot(NamedTuple):
    """Words of several systems that stand for one another.

    Attributes:
        places: of each system which of its words is here, from 0; -1: none.
        candidates: the words, in rover's order.
        best: which of them has the highest score, the first of equals.
    """

    places: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    best: int

    @property
    def order(self) -> list[int]:
        """The systems in rover's order: the one whose word made the slot comes before those that have none."""
        return _order(self.places)


def slots_of(
    outputs: Sequence[Output],
    vote: Vote = "freq",
    alpha: float = 1.0,
    null_confidence: float = 0.0,
    alignment: Alignment = "words",
) -> list[Slot]:
    """The slots of several outputs, voted on.

    Args:
        outputs: at least two, in the order in which they are aligned.
        vote: how words are scored.
        alpha: what the share of systems weighs against confidences.
        null_confidence: the confidence of no word.
        alignment: whether words are aligned by what they are, or by their times.

    Raises:
        FstmetricsError: confidences or times that are needed, and missing.
    """
    check_inputs(outputs, vote, alpha, alignment)
    numbers: dict[str, int] = {}
    words = [
        np.array([numbers.setdefault(word, len(numbers)) for word in output.words], dtype=np.int32)
        for output in outputs
    ]
    times = [output.times for output in outputs if output.times is not None]
    begins, ends = (
        [np.array([row[column] for row in rows], dtype=np.float64) for rows in times]
        if len(times) == len(outputs)
        else []
        for column in (0, 1)
    )
    bounds = limits()
    table, cells = _native.word_slots(words, begins, ends, alignment == "times", bounds.cells)
    bounds.check("cells", cells, "aligning these outputs needs", "cells")
    rule = _Rule(vote, alpha, null_confidence)
    # rover keeps confidences as 32-bit floats.
    confidences = [
        None
        if output.confidences is None
        else np.array(output.confidences, np.float32).astype(float).tolist()
        for output in outputs
    ]
    return [_slot(tuple(row), outputs, confidences, rule) for row in table.tolist()]


def check_inputs(outputs: Sequence[Output], vote: Vote, alpha: float, alignment: Alignment) -> None:
    """Whether there is what a vote needs.

    Raises:
        FstmetricsError: a system has no confidences, or no times.
    """
    if vote != "freq" and alpha < 1 and (lacking := without_confidence(outputs)):
        number, word = lacking
        raise FstmetricsError(
            f"{vote} needs a confidence of every word, and the word {word!r} of system {number + 1} has none; "
            "freq needs none"
        )
    if alignment == "times":
        for number, output in enumerate(outputs, 1):
            if output.times is None and output.words:
                raise FstmetricsError(
                    f"words are to be aligned by their times, and those of system {number} have none; give ctm, or "
                    "align by words"
                )


def without_confidence(outputs: Sequence[Output]) -> tuple[int, str] | None:
    """The number of the first output that has a word without a confidence, from 0, and the word; None if none has."""
    for number, output in enumerate(outputs):
        confidences = [math.nan] * len(output.words) if output.confidences is None else output.confidences
        for word, confidence in zip(output.words, confidences, strict=True):
            if math.isnan(confidence):
                return number, word
    return None


class _Rule(NamedTuple):
    vote: Vote
    alpha: float
    null_confidence: float

    def score(self, share: float, confidences: Sequence[float], all_of_slot: float) -> float:
        """Of a candidate; sums are in rover's order, as equal scores are told by their last digit."""
        if self.vote == "freq" or self.alpha == 1:
            return share
        if self.vote == "avgconf":
            if all_of_slot == 0:
                raise FstmetricsError(
                    "avgconf shares out the confidences of a slot, and here all are 0; maxconf and meth1 do without"
                )
            # rover multiplies first.
            return self.alpha * share + (1 - self.alpha) * sum(confidences) / all_of_slot
        if self.vote == "meth1":
            return self.alpha * share + (1 - self.alpha) * (sum(confidences) / len(confidences))
        return self.alpha * share + (1 - self.alpha) * max(0.0, *confidences)


def _order(places: Sequence[int]) -> list[int]:
    maker = next(system for system, place in enumerate(places) if place >= 0)
    return [maker, *(system for system in range(len(places)) if system != maker)]


def _slot(
    row: tuple[int, ...],
    outputs: Sequence[Output],
    confidences: Sequence[Sequence[float] | None],
    rule: _Rule,
) -> Slot:
    systems: dict[str | None, list[int]] = {}
    order = _order(row)
    for system in order:
        place = row[system]
        systems.setdefault(outputs[system].words[place] if place >= 0 else None, []).append(system)

    def confidence(system: int) -> float:
        place, known = row[system], confidences[system]
        if place < 0:
            return rule.null_confidence
        return math.nan if known is None else known[place]

    all_of_slot = sum(map(confidence, order))
    candidates: list[Candidate] = []
    best, most = -1, -1.0
    for word, having in systems.items():
        share = len(having) / len(row)
        of_word = [confidence(system) for system in having]
        score = rule.score(share, of_word, all_of_slot)
        if score > most:
            best, most = len(candidates), score
        candidates.append(_candidate(word, having, score, of_word, row, outputs))
    return Slot(row, tuple(candidates), best)


def _candidate(
    word: str | None,
    systems: Sequence[int],
    score: float,
    confidences: Sequence[float],
    row: Sequence[int],
    outputs: Sequence[Output],
) -> Candidate:
    if word is None:
        return Candidate(None, tuple(systems), score)
    mean = sum(confidences) / len(confidences)
    spans = [times[row[system]] for system in systems if (times := outputs[system].times) is not None]
    begin = duration = None
    if len(spans) == len(systems):
        begin_sum, end_sum = sum(span[0] for span in spans), sum(span[1] for span in spans)
        begin, duration = begin_sum / len(spans), (end_sum - begin_sum) / len(spans)
    return Candidate(word, tuple(systems), score, begin, duration, None if math.isnan(mean) else mean)
