"""`combine`: one output of those of several systems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from fstmetrics.combination.outputs import Output, output_of
from fstmetrics.combination.slots import ALIGNMENTS, Alignment, Slot, Vote, slots_of
from fstmetrics.support.arguments import items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import PLAIN, Normalisation
from fstmetrics.values.segments import TimedWord

Method = Literal["freq", "meth1", "maxconf", "maxconfa", "avgconf", "oracle", "putat"]
METHODS: tuple[Method, ...] = get_args(Method)
# Those that choose no word, but show all of a slot.
SHOWING = ("oracle", "putat")
# Digits of means of times and confidences, as rover writes them.
TIME_DIGITS, CONFIDENCE_DIGITS = 3, 6


@dataclass(frozen=True)
class Combination:
    """What several systems say together.

    Attributes:
        words: the words.
        timed: the same with times in seconds and confidences, the means of the systems that have the word there; None
            where a system has no times.
        slots: what was voted on.
        outputs: what each system says, its words as they were compared.
    """

    words: tuple[str, ...]
    timed: tuple[TimedWord, ...] | None
    slots: tuple[Slot, ...]
    outputs: tuple[Output, ...]


def combine(
    outputs: Iterable[Any],
    method: Method = "freq",
    *,
    alpha: float = 1.0,
    null_confidence: float = 0.0,
    align: Alignment = "words",
    normalisation: Normalisation = PLAIN,
) -> Combination:
    """Combine what several systems say of one item.

    Args:
        outputs: of each system a string, a sequence of words, or `TimedWords` (a channel of ctm), in the order in which
            they are aligned: the best system first.
        method: how a word is chosen, as in SCTK's rover: `freq`: by how many systems have it; `meth1`, `maxconf`,
            `avgconf`: by that and its confidences, their mean, the largest, or their share. `oracle` and `putat` choose
            as `meth1`; the slots have all words.
        alpha: from 0 to 1, what the number of systems weighs against confidences.
        null_confidence: from 0 to 1, the confidence of no word.
        align: whether words are aligned by what they are (`words`) or by their `times`.
        normalisation: what is done to words before; the result has them so.

    Raises:
        FstmetricsError: fewer than two systems, an output that leaves a choice, or confidences or times that are needed
            and missing.

    >>> combine(["a cat sat", "the cat sat", "the cat sat down"]).words
    ('the', 'cat', 'sat')
    """
    if isinstance(outputs, str):
        raise FstmetricsError("combine() takes a list of outputs, one a system, not a string")
    given = items_of(outputs, "outputs")
    return combined([output_of(each, normalisation) for each in given], method, alpha, null_confidence, align)


def combined(
    outputs: list[Output], method: Method, alpha: float, null_confidence: float, align: Alignment
) -> Combination:
    """The same of outputs whose words are ready.

    Raises:
        FstmetricsError: as of `combine`.
    """
    check_options(len(outputs), method, alpha, null_confidence, align)
    vote: Vote = "meth1" if method in SHOWING else method  # type: ignore[assignment]
    slots = slots_of(outputs, vote, alpha, null_confidence, align)
    chosen = [best for slot in slots if (best := slot.candidates[slot.best]).word is not None]
    has_times = all(output.times is not None for output in outputs)
    timed = [
        timed_word(each.word, each.begin, each.duration, each.confidence)
        for each in chosen
        if each.word is not None and each.begin is not None and each.duration is not None
    ]
    return Combination(
        tuple(each.word for each in chosen if each.word is not None),
        tuple(timed) if has_times else None,
        tuple(slots),
        tuple(outputs),
    )


def check_options(systems: int, method: str, alpha: float, null_confidence: float, align: str) -> None:
    """Whether a combination is asked for that there is.

    Raises:
        FstmetricsError: it says what is expected.
    """
    if systems < 2:
        raise FstmetricsError("there is one system, and nothing to combine it with; give two or more")
    if method not in METHODS:
        raise FstmetricsError(f"no method {method!r}; there are {', '.join(METHODS)}")
    if align not in ALIGNMENTS:
        raise FstmetricsError(f"align is {align!r}, expected {' or '.join(ALIGNMENTS)}")
    for name, value in (("alpha", alpha), ("null_confidence", null_confidence)):
        if not 0 <= value <= 1:
            raise FstmetricsError(f"{name} is {value}, expected a number from 0 to 1")
    if method == "freq" and (alpha != 1 or null_confidence != 0):
        raise FstmetricsError(
            "freq counts systems alone; alpha and null_confidence are of meth1, maxconf and avgconf"
        )


def timed_word(word: str, begin: float, duration: float, confidence: float | None) -> TimedWord:
    """A word with times and confidence as rover rounds them."""
    said = "" if confidence is None else f"{confidence:.{CONFIDENCE_DIGITS}f}"
    return TimedWord(word, round(begin, TIME_DIGITS), round(duration, TIME_DIGITS), said)
