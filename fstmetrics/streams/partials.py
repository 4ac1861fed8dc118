"""Partial results of recognisers: `partials` says how far they change, and how late words stay as they are.

A word is shown when it first stands in a partial result. It is changed when the next one lacks it or has another in its
place. Of two results the words that are the same at the beginning are the same words, then those at the end; the words
between them are aligned with the fewest edits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fstmetrics.engine.api import score
from fstmetrics.support.arguments import NUMBER, STRING
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

Words = Sequence[str]
# Shares of words that come no later than a percentile.
PERCENTILES = (50, 90)


class Partial(NamedTuple):
    """A partial result.

    Attributes:
        time: when it was shown, in seconds.
        text: what it says.
    """

    time: float
    text: str


class EndOfWord(NamedTuple):
    """A word of a reference.

    Attributes:
        word: as it is written; it may become several words, or none, by a normalisation.
        end: when it has been spoken, in seconds.
    """

    word: str
    end: float


@dataclass(frozen=True)
class Stability:
    """The partial results of an utterance.

    Attributes:
        id: of the utterance.
        partials: how many there are, the final one among them.
        words: of the final one.
        shown: words that were ever shown; those of the final result and those that were changed.
        first: words of the first result.
        edits: between each result and the next.
        delays: of the words of the final result that the reference has, in order: from the end of the word in the
            reference to the first result from which on it stayed, in seconds; below 0 if it was guessed before. None
            without a reference.
    """

    id: str
    partials: int
    words: int
    shown: int
    first: int
    edits: int
    delays: tuple[float, ...] | None

    @property
    def changed(self) -> int:
        """Words that were shown and did not stay."""
        return self.shown - self.words

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        found = {
            "id": self.id,
            "partials": self.partials,
            "words": self.words,
            "shown": self.shown,
            "changed": self.changed,
            "edits": self.edits,
        }
        return found if self.delays is None else found | {"delays": list(self.delays)}


@dataclass(frozen=True)
class PartialScores:
    """The partial results of many utterances together.

    Attributes:
        items: an utterance each.
    """

    items: tuple[Stability, ...]

    @property
    def words(self) -> int:
        """Of the final results."""
        return sum(item.words for item in self.items)

    @property
    def unstable_word_ratio(self) -> float | None:
        """The share of words shown that were changed later; None where nothing was shown."""
        shown = sum(item.shown for item in self.items)
        return sum(item.changed for item in self.items) / shown if shown else None

    @property
    def edit_overhead(self) -> float | None:
        """Edits between successive results, per final word; None where there is none."""
        return sum(item.edits for item in self.items) / self.words if self.words else None

    @property
    def unneeded_edits(self) -> float | None:
        """The share of edits, the words of the first results among them, beyond one a final word [Baumann et al. 2009].

        None where there is no edit.
        """
        edits = sum(item.edits + item.first for item in self.items)
        return (edits - self.words) / edits if edits else None

    @property
    def delays(self) -> tuple[float, ...]:
        """Of all words that references have."""
        return tuple(delay for item in self.items for delay in item.delays or ())

    def as_dict(self) -> dict[str, Any]:
        """All of it, for programs; seconds."""
        delays = self.delays
        found: dict[str, Any] = {
            "utterances": len(self.items),
            "partials": sum(item.partials for item in self.items),
            "words": self.words,
            "unstable_word_ratio": self.unstable_word_ratio,
            "edit_overhead": self.edit_overhead,
            "unneeded_edits": self.unneeded_edits,
        }
        if any(item.delays is not None for item in self.items):
            found |= {
                "matched_words": len(delays),
                "latency": math.fsum(delays) / len(delays) if delays else None,
            }
            for percentile in PERCENTILES:
                found[f"latency_p{percentile}"] = float(np.percentile(delays, percentile)) if delays else None
        return found | {"items": [item.as_dict() for item in self.items]}


def partials(
    results: Mapping[str, Sequence[tuple[float, str]]],
    references: Mapping[str, Sequence[tuple[str, float]]] | None = None,
    normalisation: Normalisation = PLAIN,
) -> PartialScores:
    """How far partial `results` of a recogniser change, and how late words stay by the times of `references`.

    Args:
        results: of each utterance, by its id, when a result was shown (seconds) and what it says, in order of time; the
            last one is final.
        references: of each utterance, by the same ids, words and when they end (seconds), in order.
        normalisation: changes to the words of both.

    Raises:
        FstmetricsError: an utterance without a result, times that go back or are not finite, or other ids.

    >>> shown = [(0.4, "a"), (0.8, "the cat"), (1.5, "the cat sat")]
    >>> found = partials({"u": shown}, {"u": [("the", 0.3), ("cat", 0.7)]})
    >>> found.unstable_word_ratio, found.edit_overhead, [round(delay, 6) for delay in found.delays]
    (0.25, 1.0, [0.5, 0.1])
    """
    if not isinstance(results, Mapping) or not isinstance(references or {}, Mapping):
        raise FstmetricsError(
            "results, and references, are dicts by the ids of utterances: {id: [(seconds, words)]}"
        )
    for id, shown in results.items():
        if not shown:
            raise FstmetricsError(
                f"the utterance {str(id)!r} has no result; expected one or more, the last one final"
            )
        _check(f"the utterance {str(id)!r} has a result", shown, 0)
    for id, words in (references or {}).items():
        _check(f"the reference of {str(id)!r} has a word", words, 1)
    return partial_scores(
        {str(id): [Partial(*each) for each in shown] for id, shown in results.items()},
        None
        if references is None
        else {str(id): [EndOfWord(*w) for w in each] for id, each in references.items()},
        normalisation,
    )


def partial_scores(
    checked: Mapping[str, Sequence[Partial]],
    ends: Mapping[str, Sequence[EndOfWord]] | None,
    normalisation: Normalisation,
) -> PartialScores:
    """The same of results and references by readers of files, which check times.

    Raises:
        FstmetricsError: other ids.
    """
    if ends is not None and (unlike := sorted(set(ends) ^ set(checked))):
        side = "results" if unlike[0] in ends else "reference"
        raise FstmetricsError(
            f"the utterance {unlike[0]!r} has no {side}; expected the same utterances on both sides"
        )
    texts = {id: [list(normalisation.words(each.text)) for each in given] for id, given in checked.items()}
    steps = _aligned([pair for each in texts.values() for pair in pairwise(each)])
    spoken = {
        id: [EndOfWord(each, end) for word, end in words for each in normalisation.words(word)]
        for id, words in (ends or {}).items()
    }
    matches = _aligned([(texts[id][-1], [word for word, _ in words]) for id, words in spoken.items()])
    return PartialScores(
        tuple(
            _stability(id, [each.time for each in given], texts[id], steps, spoken.get(id), matches)
            for id, given in checked.items()
        )
    )


def _check(what: str, pairs: Sequence[Any], time: int) -> None:
    """Refuse what is no pair of a text and a finite number, or goes back.

    Args:
        what: has the pairs, for messages.
        pairs: of an utterance.
        time: the place of the time in a pair.
    """
    last = -math.inf
    for pair in pairs:
        is_pair = isinstance(pair, list | tuple) and len(pair) == 2
        if not (is_pair and NUMBER.holds(pair[time]) and STRING.holds(pair[1 - time])):
            expected = "a word and its end" if time else "a time and a text"
            raise FstmetricsError(f"{what} that is {pair!r:.80}; expected {expected}, in seconds")
        if not math.isfinite(pair[time]) or pair[time] < last:
            raise FstmetricsError(f"{what} at {pair[time]:g} after {last:g}; expected times in order")
        last = pair[time]


def _stability(
    id: str,
    times: Sequence[float],
    texts: Sequence[Words],
    steps: Iterator[list[tuple[int, int]]],
    spoken: Sequence[EndOfWord] | None,
    matches: Iterator[list[tuple[int, int]]],
) -> Stability:
    """Of one utterance, whose alignments come next.

    Args:
        id: of the utterance.
        times, texts: of its results.
        steps: places of words that stay, of each result and the next.
        spoken: the words of the reference.
        matches: places in the final result and in the reference.
    """
    since = [times[0]] * len(texts[0])
    shown, edits = len(texts[0]), 0
    for before, now, time in zip(texts, texts[1:], times[1:], strict=False):
        kept = next(steps)
        known, since = since, [time] * len(now)
        for old, new in kept:
            since[new] = known[old]
        shown += len(now) - len(kept)
        edits += _edits(len(before), len(now), kept)
    delays = None
    if spoken is not None:
        delays = tuple(since[place] - spoken[other].end for place, other in next(matches))
    return Stability(id, len(texts), len(texts[-1]), shown, len(texts[0]), edits, delays)


def _edits(before: int, now: int, kept: Sequence[tuple[int, int]]) -> int:
    """The fewest edits: between two words that stay, as many as there are on the longer side."""
    edits, last = 0, (-1, -1)
    for place in [*kept, (before, now)]:
        edits += max(place[0] - last[0], place[1] - last[1]) - 1
        last = place
    return edits


def _aligned(pairs: Sequence[tuple[Words, Words]]) -> Iterator[list[tuple[int, int]]]:
    """The places of the words that are the same in each pair of texts."""
    ends = [_equal_ends(one, other) for one, other in pairs]
    inner = [
        (one[begin : len(one) - end], other[begin : len(other) - end])
        for (one, other), (begin, end) in zip(pairs, ends, strict=True)
    ]
    asked = [number for number, (one, other) in enumerate(inner) if one and other]
    found = score([inner[n][1] for n in asked], [inner[n][0] for n in asked], "wer").items if asked else ()
    alignments = dict(zip(asked, found, strict=True))
    for number, ((one, other), (begin, end)) in enumerate(zip(pairs, ends, strict=True)):
        places = [(place, place) for place in range(begin)]
        if number in alignments:
            places += _matches(alignments[number].alignment, begin)
        yield places + [(len(one) - back, len(other) - back) for back in range(end, 0, -1)]


def _matches(alignment: Sequence[Any], begin: int) -> Iterator[tuple[int, int]]:
    old = new = begin
    for op, hypothesis, reference, *_ in alignment:
        if op == "=":
            yield old, new
        old += reference is not None
        new += hypothesis is not None


def _equal_ends(one: Words, other: Words) -> tuple[int, int]:
    """How many words are the same at the beginning, and behind these at the end."""
    most = min(len(one), len(other))
    begin = next((place for place in range(most) if one[place] != other[place]), most)
    end = next((place for place in range(most - begin) if one[-1 - place] != other[-1 - place]), most - begin)
    return begin, end
