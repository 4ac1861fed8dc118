"""What `--times` asks for: the times of matched words, gathered item by item: `GatheredTimes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fstmetrics.data.groupings import Key, plain
from fstmetrics.data.segments import TimedWords
from fstmetrics.engine.results import Result
from fstmetrics.engine.time_differences import (
    LENGTHS,
    LONG,
    POSITIONS,
    SaidWord,
    SaidWords,
    TimesOfWords,
    WordTimes,
    length_of,
    matched,
    position_of,
)
from fstmetrics.metrics import CorpusMetric
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_sides import Side
from fstmetrics.support.errors import FstmetricsError, InputError

METRICS = ("wer", "sclite")
# Milliseconds that no recogniser is off by.
FAR_APART = 10_000
TIMED = (
    "times of words are in ctm, lines `file channel begin duration word`, and in JSON of Whisper, WhisperX, OpenAI or "
    "Vosk that has `start` and `end` of each word: give both sides so"
)


def refuse_times(request: Request, metric: CorpusMetric, inputs: Inputs) -> None:
    """Raise an FstmetricsError, before anything is scored, for what has no times of words to compare."""
    normalisation = request.normalisation
    if metric.name not in METRICS:
        raise FstmetricsError(f"--times is for {' and '.join(METRICS)}, not for {metric.name}")
    if normalisation.unit != "word":
        raise FstmetricsError(f"--times is of words, and --unit {normalisation.unit} compares something else")
    refused = {
        "--resegment": request.resegment,
        "--grammar": bool(request.grammars),
        "--tokenize": normalisation.tokenize not in (None, "none"),
        f"--profile {request.profile}": normalisation.needs_sentences,
    }
    if changed := next((name for name, given in refused.items() if given), None):
        raise FstmetricsError(f"--times needs the words as the files have them, and {changed} changes them")
    if request.on != "local":
        raise FstmetricsError(f"--times is counted on this machine, and --on {request.on} scores elsewhere")
    hypotheses, *references = inputs.sides
    if len(references) > 1:
        raise FstmetricsError(f"--times compares two sides, and there are {len(references)} references")
    for side, what in ((hypotheses, "hypotheses"), (references[0], "references")):
        _refuse_side(side, what, request)


def _refuse_side(side: Side, what: str, request: Request) -> None:
    native = side.stream is not None or side.items.native is not None
    items = () if native else side.items.items
    if native or not all(isinstance(item.given, TimedWords) for item in items):
        found = "" if side.is_empty else f", read as {', '.join(side.formats)}," if side.formats else ""
        raise InputError(f"--times: these {what}{found} have no times of words; {TIMED}", side.path)
    gathered = GatheredTimes(request)
    for item in items:
        try:
            gathered.words(item.given, what == "references")
        except FstmetricsError as error:
            raise InputError(f"item {item.id}: {error}", side.path) from None


class GatheredTimes:
    """The times of matched words of a run.

    Args:
        request: what was asked for.
    """

    def __init__(self, request: Request) -> None:
        normalisation = request.normalisation
        self._hypotheses = SaidWords(normalisation.of_hypotheses, is_reference=False)
        self._references = SaidWords(normalisation.of_references, is_reference=True)
        self._groupings = request.by
        self._every = WordTimes()
        self._by_length = {name: WordTimes() for name in (*(name for _, name in LENGTHS), LONG)}
        self._by_position = {name: WordTimes() for name in POSITIONS}
        self._by: list[dict[Key, WordTimes]] = [{} for _ in request.by]

    def words(self, value: Any, is_reference: bool) -> Sequence[SaidWord]:
        """The words of a side as they are compared; an item that a side lacks has none."""
        if not isinstance(value, TimedWords):
            return ()
        return list((self._references if is_reference else self._hypotheses).of(value))

    def add(self, pair: Pair, result: Result) -> None:
        """Add the matched words of an item.

        Raises:
            FstmetricsError: the words that were compared are others than those that have times.
        """
        hypothesis, reference = self.words(pair.hypothesis, False), self.words(pair.reference, True)
        for said, compared in ((hypothesis, result.hypothesis), (reference, result.closest)):
            if tuple(each.word for each in said) != compared:
                raise FstmetricsError(
                    f"item {pair.id}: the words are joined or split by what is done to words, so their times are not "
                    "known; leave out --times, or what changes words"
                )
        groups = [self._every]
        for grouping, found in zip(self._groupings, self._by, strict=True):
            groups.append(found.setdefault(grouping.key(pair.fields, pair.id), WordTimes()))
        for place, other in matched(result.alignment):
            word = reference[place]
            length, position = length_of(word.word), position_of(place, len(reference))
            for times in (*groups, self._by_length[length], self._by_position[position]):
                times.add(word, hypothesis[other])

    def remarks(self) -> list[str]:
        """What is said of times that have nothing to do with each other."""
        distance = self._every.of("onset").median_absolute or 0.0
        if distance <= FAR_APART:
            return []
        return [
            f"half of the matched words begin {distance / 1000:.1f} s or more apart: are the times of both sides in "
            "seconds, from the same beginning?"
        ]

    def made(self) -> TimesOfWords:
        """Those of all items."""
        by = {
            grouping.name: [(plain(key), found[key]) for key in grouping.ordered(found)]
            for grouping, found in zip(self._groupings, self._by, strict=True)
        }
        return TimesOfWords(self._every, self._by_length, self._by_position, by)
