"""Error rates of sessions: `SpeakerResult` of one, `SpeakerScores` of many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from math import isfinite, nan
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics._native import noted
from fstmetrics.data.groupings import refuse_unknown
from fstmetrics.metrics.corpus_metric import metric_of
from fstmetrics.metrics.path_metric import COUNTS, PathNumbers, Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.speakers.aligned_words import AlignedWord
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from fstmetrics.data.fields import Fields
    from fstmetrics.data.groupings import Grouping, Key

# What records and `--json` have of a session and of all, in this order.
COUNTED = tuple(name for name in COUNTS if name != "moves")
_WER = WER()


class SpeakerPair(NamedTuple):
    """What was compared with what.

    Attributes:
        reference: a speaker of the references; None where a speaker of the hypotheses has no partner. With ORC-WER
            None, as utterances of any speaker go to a stream.
        hypothesis: a speaker of the hypotheses, or None. With DI-cpWER None, likewise.
        totals: counts of the best alignment.
    """

    reference: str | None
    hypothesis: str | None
    totals: Totals


class Assigned(NamedTuple):
    """Where an utterance went.

    Attributes:
        speaker: who said it; of a hypothesis (DI-cpWER), its stream.
        to: the stream of hypotheses (ORC-WER) or the speaker of the references (DI-cpWER) that it was assigned to; None
            where there is no stream, and of an utterance without words.
        id: its name, or None.
        begin, end: in seconds, or None.
    """

    speaker: str
    to: str | None
    id: str | None = None
    begin: float | None = None
    end: float | None = None


class _Numbers(PathNumbers):
    __slots__ = ()

    metric = _WER
    name: str

    def counts(self) -> dict[str, Any]:
        """The score and what it is made of, by the names that records have for them."""
        numbers = self.numbers()
        return {"score": numbers["score"], **{name: numbers[name] for name in COUNTED}}

    def __str__(self) -> str:
        units = "words" if metric_of(self.name) == self.name else "characters"
        return (
            f"{self.name} {self.score:.4f}, {self.edits} edits of {self.path_length} reference {units}: "
            f"{self.substitutions} substitutions, {self.insertions} insertions, {self.deletions} deletions"
        )


@dataclass(frozen=True)
class SpeakerResult(_Numbers):
    """The error rate of a session.

    Attributes:
        name: what was computed: `cpwer`, `tcpwer`, `orcwer`, `tcorcwer` or `dicpwer`; of characters `cpcer` etc.
        totals: cost and counts of all pairs.
        pairs: what was compared with what.
        utterances: of ORC-WER, tcORC-WER and DI-cpWER, where each utterance went, in the order in which they
            were given.
        id: of the session, or None.
        collar: of tcpWER and tcORC-WER, in seconds.
        speakers: how many speakers the references and the hypotheses have.
        words: the words of all pairs beside each other, pair by pair, where they were asked for.

    Two add up to a `SpeakerScores`.
    """

    name: str
    totals: Totals
    pairs: tuple[SpeakerPair, ...]
    utterances: tuple[Assigned, ...] = ()
    id: str | None = None
    collar: float | None = None
    speakers: tuple[int, int] = (0, 0)
    words: tuple[AlignedWord, ...] = ()

    @property
    def assigns(self) -> bool:
        """Whether utterances are assigned to streams or speakers, one by one."""
        return metric_of(self.name) in ("orcwer", "tcorcwer", "dicpwer")

    @property
    def assigns_hypotheses(self) -> bool:
        """Whether those are utterances of the hypotheses (DI-cpWER)."""
        return metric_of(self.name) == "dicpwer"

    @property
    def assignment(self) -> tuple[Any, ...]:
        """Pairs of a reference speaker and a hypothesis speaker; of ORC-WER and DI-cpWER, where each utterance went."""
        if self.assigns:
            return tuple(utterance.to for utterance in self.utterances)
        return tuple((pair.reference, pair.hypothesis) for pair in self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Plain values by the names that `--json` has for them."""
        if self.assigns:
            to = "reference" if self.assigns_hypotheses else "hypothesis"
            assignment = [
                {"id": u.id, "speaker": u.speaker, "start": u.begin, "end": u.end, to: u.to}
                for u in self.utterances
            ]
        else:
            assignment = [self._pair_dict(pair) for pair in self.pairs]
        of = dict(zip(("reference_speakers", "hypothesis_speakers"), self.speakers, strict=True))
        words = {
            "alignment": noted(self.words),
            "speakers": [[word.hypothesis_speaker, word.reference_speaker] for word in self.words],
        }  # fmt: skip
        return {
            "session": self.id, **self.counts(), **of, "assignment": assignment, **(words if self.words else {}),
        }  # fmt: skip

    def _pair_dict(self, pair: SpeakerPair) -> dict[str, Any]:
        counts = SpeakerResult(self.name, pair.totals, ()).counts()
        return {"reference": pair.reference, "hypothesis": pair.hypothesis, **counts}

    def __add__(self, other: SpeakerResult | SpeakerScores) -> SpeakerScores:
        return SpeakerScores.of([self]) + other

    def __radd__(self, other: object) -> SpeakerScores:
        return SpeakerScores.of([self]).__radd__(other)


@dataclass(frozen=True)
class SpeakerScores(_Numbers):
    """The error rate of several sessions: edits of all, divided by reference words of all.

    Attributes:
        name: what was computed.
        sessions: the results of the sessions.
    """

    name: str
    sessions: tuple[SpeakerResult, ...]

    @classmethod
    def of(cls, sessions: Iterable[SpeakerResult]) -> SpeakerScores:
        """Of the results of sessions.

        Raises:
            FstmetricsError: none at all, or of different metrics.
        """
        found = tuple(sessions)
        if len(names := {(session.name, session.collar) for session in found}) != 1:
            said = ", ".join(sorted(name for name, _ in names)) or "none"
            raise FstmetricsError(
                f"results of sessions add up where all are of one metric; there are: {said}"
            )
        return cls(found[0].name, found)

    @property
    def totals(self) -> Totals:  # type: ignore[override]
        """Cost and counts of all sessions."""
        return reduce(add, (session.totals for session in self.sessions), Totals())

    @property
    def mean_score(self) -> float:
        """Mean of the sessions' finite scores, each session as one; nan where there is none."""
        finite = [session.score for session in self.sessions if isfinite(session.score)]
        return sum(finite) / len(finite) if finite else nan

    @property
    def infinite(self) -> int:
        """How many sessions have an infinite score, which is not in the mean: no reference words and some edits."""
        return sum(not isfinite(session.score) for session in self.sessions)

    def by(self, grouping: Grouping, fields: Mapping[str, Fields]) -> dict[Key, list[Totals]]:
        """The counts of the pairs of speakers by the values of a field: of a session, `session`, or `speaker`.

        Args:
            grouping: which field, or fields.
            fields: of each session, by its id. `speaker` is the speaker of the references of a pair.

        Raises:
            FstmetricsError: there is no such field, or no pair has one speaker of the references.
        """
        if "speaker" in grouping.fields and any(session.assigns for session in self.sessions):
            raise FstmetricsError(
                f"{self.name} assigns utterances, and has no pairs of speakers; --by speaker is for cpwer and tcpwer"
            )
        of_session: dict[str | None, dict[str, Any]] = {
            session.id: {**fields.get(session.id or "", {}), "session": session.id}
            for session in self.sessions
        }
        refuse_unknown(grouping, ["speaker", *(name for own in of_session.values() for name in own)])
        found: dict[Key, list[Totals]] = {}
        for session in self.sessions:
            for pair in session.pairs:
                key = grouping.key({**of_session[session.id], "speaker": pair.reference}, session.id)
                found.setdefault(key, []).append(pair.totals)
        return {key: found[key] for key in grouping.ordered(found)}

    @property
    def collar(self) -> float | None:
        """Of tcpWER and tcORC-WER, in seconds."""
        return self.sessions[0].collar

    def as_dict(self) -> dict[str, Any]:
        """Plain values by the names that `--json` has for them."""
        mean = self.mean_score
        found: dict[str, Any] = {
            "metric": self.name, **self.counts(), "mean_score": mean if isfinite(mean) else None,
            "infinite_scores": self.infinite,
        }  # fmt: skip
        if self.collar is not None:
            found["collar"] = self.collar
        sessions = [session.as_dict() for session in self.sessions]
        found["sessions"] = [session.id for session in self.sessions]
        found["assignment"] = [
            {"session": session["session"], **each} for session in sessions for each in session["assignment"]
        ]
        return found | {"per_session": sessions}

    def __len__(self) -> int:
        return len(self.sessions)

    def __iter__(self) -> Iterator[SpeakerResult]:
        return iter(self.sessions)

    def __getitem__(self, session: str | int) -> SpeakerResult:
        """The result of a session, by its id or number."""
        if isinstance(session, int):
            return self.sessions[session]
        for result in self.sessions:
            if result.id == session:
                return result
        raise KeyError(session)

    def __add__(self, other: SpeakerResult | SpeakerScores) -> SpeakerScores:
        if not isinstance(other, SpeakerResult | SpeakerScores):
            return NotImplemented
        return self.of([*self, *(other if isinstance(other, SpeakerScores) else [other])])

    def __radd__(self, other: object) -> SpeakerScores:
        return self if other == 0 else NotImplemented  # sum() begins with 0
