"""Who spoke when, by the times of utterances: `diarization` of a session, DER and JER.

- **DER** (diarization error rate): speaker time that is missed, falsely found, or of the wrong speaker, divided by the
  speaker time of the references. Source: NIST's md-eval, version 22. Speakers are mapped so that they share the most
  time, collars and all; of equally good mappings it is the one that shares most of what is scored. A collar on either
  side of every begin and end of a reference is not scored.
- **JER** (Jaccard error rate): the mean over speakers of the references of 1 - intersection / union of their time and
  that of their partner; 1 without one. The pairs are those with the least sum. No collar. Source: Ryant et al., "The
  Second DIHARD Diarization Challenge", Interspeech 2019, and its scorer dscore.

Times are whole microseconds, so that sums are exact. All time from the first begin to the last end of either side is
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fstmetrics.data.sessions import Session, Utterance, by_speaker
from fstmetrics.speakers.assignment import cheapest_assignment
from fstmetrics.support.errors import FstmetricsError

MICROSECONDS = 1_000_000
# A quotient is compared in so many bits.
_QUOTIENT = 80


@dataclass(frozen=True)
class Diarization:
    """Who spoke when, in a session or in several.

    Attributes:
        scored: speaker time of the references, in seconds; two who speak at once count twice.
        missed, false_alarm, confusion: speaker time in error.
        jaccard: the error of each speaker of the references, from 0 to 1.
        mapping: speakers of the references, and whom of the hypotheses each was taken for in DER.
    """

    scored: float
    missed: float
    false_alarm: float
    confusion: float
    jaccard: tuple[float, ...]
    mapping: tuple[tuple[str, str], ...] = ()

    @property
    def der(self) -> float:
        """The diarization error rate; inf where references have no time and hypotheses have."""
        errors = self.missed + self.false_alarm + self.confusion
        return errors / self.scored if self.scored else float("inf") if errors else 0.0

    @property
    def jer(self) -> float:
        """The Jaccard error rate; inf where references have no speaker and hypotheses have."""
        if not self.jaccard:
            return float("inf") if self.false_alarm else 0.0
        return sum(self.jaccard) / len(self.jaccard)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, by the names that `--json` has for them."""
        times = {name: getattr(self, name) for name in ("scored", "missed", "false_alarm", "confusion")}
        rates = {name: rate if np.isfinite(rate := getattr(self, name)) else None for name in ("der", "jer")}
        return {**rates, **times}

    @classmethod
    def total(cls, sessions: Iterable[Diarization]) -> Diarization:
        """Of all sessions: sums of time, and all speakers."""
        each = list(sessions)
        return cls(
            sum(one.scored for one in each),
            sum(one.missed for one in each),
            sum(one.false_alarm for one in each),
            sum(one.confusion for one in each),
            tuple(error for one in each for error in one.jaccard),
        )


def diarization(session: Session, collar: float = 0.0) -> Diarization:
    """DER and JER of a session.

    Args:
        session: all of its utterances have times; what they say does not matter.
        collar: seconds on either side of each begin and end of the references that DER leaves out.

    Raises:
        FstmetricsError: an utterance without times.

    >>> from fstmetrics.data.sessions import Session, Utterance
    >>> said = [Utterance("", "ann", 0, 6), Utterance("", "bob", 6, 10)]
    >>> heard = [Utterance("", "1", 0, 8), Utterance("", "2", 8, 10)]
    >>> found = diarization(Session.of(said, heard))
    >>> found.der, found.confusion, found.jer
    (0.2, 2.0, 0.375)
    """
    sides = [
        {who: spans for who, said in by_speaker(side).items() if (spans := _spans(said))}
        for side in (session.references, session.hypotheses)
    ]
    own = [span for spans in sides[0].values() for span in spans]
    around = round(collar * MICROSECONDS)
    zones = [(time - around, time + around) for span in own for time in span] if around else []
    edges = np.unique(
        [time for side in sides for spans in side.values() for span in spans for time in span]
        + [time for zone in zones for time in zone]
    ).astype(np.int64)
    lengths = np.diff(edges)
    references, hypotheses = ([_active(spans, edges) for spans in side.values()] for side in sides)
    r, h = (
        np.array(side, dtype=np.int64).reshape(len(side), len(lengths)) for side in (references, hypotheses)
    )
    shared = (r * lengths) @ h.T
    names = [[*side] for side in sides]
    scored = lengths * ~_active(zones, edges)
    # Of mappings that share equally much, the one that shares most of what is scored.
    gains = shared.astype(object) * (int(lengths.sum()) + 1) * min(shared.shape) + (r * scored) @ h.T
    pairs = [(one, other) for one, other in _pairs(-gains) if shared[one, other]]
    speaking, heard = r.sum(axis=0), h.sum(axis=0)
    right = sum((r[one] * h[other] for one, other in pairs), np.zeros(len(lengths), dtype=np.int64))
    times = (
        speaking,
        np.maximum(speaking - heard, 0),
        np.maximum(heard - speaking, 0),
        np.minimum(speaking, heard) - right,
    )
    speech, missed, false_alarm, confusion = (int(scored @ time) / MICROSECONDS for time in times)
    mapping = tuple((names[0][one], names[1][other]) for one, other in pairs)
    jaccard = tuple(_jaccard(shared, r @ lengths, h @ lengths))
    return Diarization(speech, missed, false_alarm, confusion, jaccard, mapping)


def _spans(utterances: Sequence[Utterance]) -> list[tuple[int, int]]:
    """Begins and ends in microseconds; what takes no time is left out."""
    found = []
    for utterance in utterances:
        if utterance.begin is None or utterance.end is None:
            if utterance.is_silent:
                continue
            raise FstmetricsError(f"{utterance.name} has no times, which say who spoke when: leave --der out")
        begin, end = (round(time * MICROSECONDS) for time in (utterance.begin, utterance.end))
        if begin < end:
            found.append((begin, end))
    return found


def _active(spans: Sequence[tuple[int, int]], edges: Any) -> Any:
    """For each stretch between two edges whether it is in a span."""
    changes = np.zeros(max(len(edges), 1), dtype=np.int64)
    for begin, end in np.searchsorted(edges, spans) if spans else ():
        changes[begin] += 1
        changes[end] -= 1
    return np.cumsum(changes)[:-1] > 0


def _pairs(costs: Any) -> list[tuple[int, int]]:
    """Rows and columns with the least sum of costs, of which none is above 0; as many pairs as the smaller has."""
    rows, columns = costs.shape
    size = max(rows, columns)
    square = [[0] * size for _ in range(size)]
    for row in range(rows):
        square[row][:columns] = [int(cost) for cost in costs[row]]
    chosen = cheapest_assignment(square)
    return [(row, chosen[row]) for row in range(rows) if chosen[row] < columns]


def _jaccard(shared: Any, references: Any, hypotheses: Any) -> list[float]:
    """The errors of speakers of the references, paired so that their sum is least."""
    together = references[:, None] + hypotheses[None, :] - shared
    gains = [
        [-(int(both) << _QUOTIENT) // int(all_of) for both, all_of in zip(*rows, strict=True)]
        for rows in zip(shared, together, strict=True)
    ]
    errors = [1.0] * len(references)
    costs = np.array(gains, dtype=object).reshape(shared.shape)
    for one, other in _pairs(costs):
        errors[one] = (int(together[one, other]) - int(shared[one, other])) / int(together[one, other])
    return errors
