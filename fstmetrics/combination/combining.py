"""`combine`: one output of those of several systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from fstmetrics.combination.median import MOST_STEPS, STEPS, median
from fstmetrics.combination.outputs import Output, output_of
from fstmetrics.combination.slots import ALIGNMENTS, Alignment, Candidate, Slot, Vote, slots_of
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.segments import TimedWord
from fstmetrics.engine.sides import LISTED_ITEMS, refuse_listed_hypothesis
from fstmetrics.support.arguments import items_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

Method = Literal["freq", "median", "meth1", "maxconf", "maxconfa", "avgconf", "oracle", "putat"]
METHODS: tuple[Method, ...] = get_args(Method)
# Those that choose no word, but show all of a slot.
SHOWING = ("oracle", "putat")
# Those that count no confidences.
COUNTING = ("freq", "median")
# Digits of means of times and confidences, as rover writes them.
TIME_DIGITS, CONFIDENCE_DIGITS = 3, 6


@dataclass(frozen=True)
class Combination:
    """What several systems say together.

    Attributes:
        words: the words.
        timed: the same with times in seconds and confidences, the means of the systems that have the word there; None
            where a system has no times.
        slots: what was voted on; under `median` the words of systems beside those of the median.
        outputs: what each system says, its words as they were compared; of a lattice the path closest to the median.
        edits: under `median`, all edits to the outputs.
        least: under `median`, how many edits any string has at least: as many, unless the search stopped.
    """

    words: tuple[str, ...]
    timed: tuple[TimedWord, ...] | None
    slots: tuple[Slot, ...]
    outputs: tuple[Output, ...]
    edits: int | None = None
    least: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether it is what was asked for: under `median`, whether no string has fewer edits."""
        return self.edits == self.least


def combine(
    outputs: Iterable[Any],
    method: Method = "freq",
    *,
    alpha: float = 1.0,
    null_confidence: float = 0.0,
    align: Alignment = "words",
    steps: int = STEPS,
    normalisation: Normalisation = PLAIN,
) -> Combination:
    """Combine what several systems say of one item.

    Args:
        outputs: of each system a string, a sequence of words, or `TimedWords` (a channel of ctm), in the order in which
            they are aligned: the best system first. Under `median`, also lattices and n-best lists.
        method: `median`: the string with the least total edits to the outputs, whatever their order. Others choose word
            by word, as SCTK's rover: `freq`: by how many systems have it; `meth1`, `maxconf`,
            `avgconf`: by that and its confidences, their mean, the largest, or their share. `oracle` and `putat` choose
            as `meth1`; the slots have all words.
        alpha: from 0 to 1, what the number of systems weighs against confidences.
        null_confidence: from 0 to 1, the confidence of no word.
        align: whether words are aligned by what they are (`words`) or by their `times`.
        steps: under `median`, after how many steps the search stops; `Combination.is_exact` says whether it did.
        normalisation: what is done to words before; the result has them so.

    Raises:
        FstmetricsError: fewer than two systems, an output that leaves a choice or is a list of several texts, or
            confidences or times that are needed and missing.

    >>> combine(["a cat sat", "the cat sat", "the cat sat down"]).words
    ('the', 'cat', 'sat')
    >>> found = combine(["a b c", "b c d", "a c d"], "median")
    >>> found.words, found.edits, found.is_exact
    (('a', 'b', 'c', 'd'), 3, True)
    """
    if isinstance(outputs, str):
        raise FstmetricsError("combine() takes a list of outputs, one a system, not a string")
    if isinstance(outputs, Mapping):
        raise FstmetricsError(
            "combine() takes a list of outputs, one a system: of a dict list(outputs.values())"
        )
    given = items_of(outputs, "outputs")
    for each in given:
        refuse_listed_hypothesis(each, LISTED_ITEMS)
    check_options(len(given), method, alpha, null_confidence, align, steps)
    ready = [output_of(each, normalisation, method == "median") for each in given]
    return combined(ready, method, alpha, null_confidence, align, steps, normalisation)


def combined(
    outputs: Sequence[Output | Lattice],
    method: Method,
    alpha: float,
    null_confidence: float,
    align: Alignment,
    steps: int,
    normalisation: Normalisation,
) -> Combination:
    """The same of outputs whose words are ready, but for those of lattices.

    Raises:
        FstmetricsError: as of `combine`.
    """
    edits: int | None = None
    least: int | None = None
    if method == "median":
        edits, least, slots, said = median(outputs, steps, normalisation)
    else:
        vote: Vote = "meth1" if method in SHOWING else method  # type: ignore[assignment]
        said = tuple(output for output in outputs if isinstance(output, Output))
        slots = tuple(slots_of(said, vote, alpha, null_confidence, align))
    chosen = [best for slot in slots if (best := slot.candidates[slot.best]).word is not None]
    has_times = all(output.times is not None for output in said)
    return Combination(
        tuple(each.word for each in chosen if each.word is not None),
        tuple(_timed(chosen)) if has_times else None,
        slots,
        said,
        edits,
        least,
    )


def _timed(chosen: Iterable[Candidate]) -> Iterator[TimedWord]:
    """The words with their times; one that no system has there stands at the end of the one before it."""
    end = 0.0
    for each in chosen:
        begin = end if each.begin is None else each.begin
        duration = each.duration or 0.0
        end = begin + duration
        yield timed_word(each.word or "", begin, duration, each.confidence)


def check_options(
    systems: int, method: str, alpha: float, null_confidence: float, align: str, steps: int
) -> None:
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
    if not 1 <= steps <= MOST_STEPS:
        raise FstmetricsError(f"steps is {steps}, expected a number from 1 to {MOST_STEPS}")
    if steps != STEPS and method != "median":
        raise FstmetricsError(f"{method} searches for nothing; steps are of median")
    if method == "median" and align != "words":
        raise FstmetricsError("median aligns words by what they are; align is of rover's methods")
    if method in COUNTING and (alpha != 1 or null_confidence != 0):
        raise FstmetricsError(
            f"{method} counts systems alone; alpha and null_confidence are of meth1, maxconf and avgconf"
        )


def timed_word(word: str, begin: float, duration: float, confidence: float | None) -> TimedWord:
    """A word with times and confidence as rover rounds them."""
    said = "" if confidence is None else f"{confidence:.{CONFIDENCE_DIGITS}f}"
    return TimedWord(word, round(begin, TIME_DIGITS), round(duration, TIME_DIGITS), said)
