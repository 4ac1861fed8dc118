"""cpWER and its kin: `cpwer`, `tcpwer`, `orcwer`, `tcorcwer`, `dicpwer`, and `meeting_wer` of a `Session`.

All put the words of several speakers in order and count edits; they differ in what may be paired with what.

- **cpWER**: each speaker of the references with one of the hypotheses, all words of each in a row, so that the edits of
  all pairs are fewest [Watanabe et al., "CHiME-6 Challenge", 2020].
- **tcpWER**: the same, where words are aligned only if their times overlap, give or take a collar [von Neumann et al.,
  "MeetEval", CHiME 2023].
- **ORC-WER**: each utterance of the references with any stream of the hypotheses, in order, so that edits are fewest
  [Sklyar et al., ICASSP 2022]. Speakers of the references do not matter.
- **tcORC-WER**: the same, where words are aligned only if their times overlap, as of tcpWER.
- **DI-cpWER**: the same with sides exchanged; speakers of the hypotheses do not matter [von Neumann et al., "Word error
  rate definitions and algorithms for long-form multi-talker speech recognition", 2024].

References may leave choices or be networks, hypotheses may be lattices: then paths are chosen, too. The best is what
has, over the whole session, the fewest edits; of those, the longest reference paths; then the most matches; then the
fewest deletions (the project's rule of ties). Every answer is exact; there is no greedy search.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fstmetrics import _native
from fstmetrics._native import are_words
from fstmetrics.data.sessions import Session, Utterance, by_speaker
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.search import COUNTS_ONLY, SETTINGS, check_grammars, searched
from fstmetrics.engine.sides import Input, Side, as_side, check_numbers, concatenated, hypothesis_side
from fstmetrics.engine.widened_sides import widened_side
from fstmetrics.metrics.corpus_metric import COLLAR, metric_of, name_of
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.speakers.aligned_words import AlignedWord, beside, divided
from fstmetrics.speakers.assignment import cheapest_pairs
from fstmetrics.speakers.chains import Chain, Clock, Timed, Vocabulary
from fstmetrics.speakers.given_sessions import session_of
from fstmetrics.speakers.speaker_results import Assigned, SpeakerPair, SpeakerResult
from fstmetrics.support.arguments import NUMBER, by_name, expect
from fstmetrics.support.errors import FstmetricsError, SearchError, warn
from fstmetrics.support.limits import limits
from fstmetrics.support.names import unknown
from fstmetrics.support.printable import number
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.speakers.assignment import Counts

SpeakerMetric = Literal["cpwer", "orcwer", "dicpwer", "tcpwer", "tcorcwer"]
# Those that need times, and what they are without.
UNTIMED: Mapping[str, SpeakerMetric] = {"tcpwer": "cpwer", "tcorcwer": "orcwer"}
METRICS: tuple[SpeakerMetric, ...] = get_args(SpeakerMetric)
_WER = WER()
# Errors of how many words in a hundred are a ground to look at what they are without times; what is asked then.
MANY = 30
SAME_TIMES = "are the times of both sides in seconds, from the same beginning?"
# What is kept of a pair of speakers, as cells of a table: four counts.
CELLS_OF_PAIR = 4
# Characters of the texts that are searched at once, and what a pair takes beside its own.
BLOCK, OF_A_PAIR = 4_000_000, 100


@by_name(SETTINGS)
def cpwer(
    hypotheses: object, references: object, *, normalisation: Normalisation = PLAIN, grammars: Grammars = ()
) -> SpeakerResult:
    """Concatenated minimum-permutation word error rate (cpWER) of `hypotheses` against `references`, of a session.

    Args:
        hypotheses: what the system says was said, by its own speakers or output channels; their names do not matter.
        references: what was said, by speaker: a text, a `Transcript`, a `Network` or anything else that `align` takes;
            or a list of utterances. Each may be `(begin, end, words)`, with seconds; they are put in order of begin
            then. An empty list is a speaker who said nothing. Rows (dicts) are of one session.
        normalisation: changes to the words of both sides.
        grammars: what widens the references.

    Returns:
        Score, counts, and `assignment`: pairs of speakers, None for one without a partner.

    Raises:
        FstmetricsError: an input that cannot be scored, with the speaker.

    >>> result = cpwer({"1": "d e", "2": "a x c"}, {"ann": "a b c", "bob": "d e"})
    >>> result.score, result.assignment
    (0.2, (('ann', '2'), ('bob', '1')))
    """
    session = session_of(references, hypotheses)
    return meeting_wer(session, "cpwer", normalisation=normalisation, grammars=grammars)


@by_name(SETTINGS)
def tcpwer(
    hypotheses: object,
    references: object,
    *,
    collar: float = COLLAR,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
) -> SpeakerResult:
    """Time-constrained cpWER (tcpWER) of `hypotheses` against `references`, of a session.

    Args:
        hypotheses, references: as of `cpwer`; every utterance is `(begin, end, words)`, in seconds.
        collar: seconds that a hypothesis word may be off.
        normalisation, grammars: as of `cpwer`.

    Words of an utterance share its time by their characters; on the side of the hypotheses the middle of a word's time
    counts, and the collar is added on either side of it. Both are what MeetEval does by default.

    Raises:
        FstmetricsError: as `cpwer`; an utterance without times, or a network with cycles.

    >>> said = {"ann": [(0, 2, "a b c d e f"), (20, 21, "g")]}
    >>> tcpwer({"1": [(0, 2, "a b c d e f"), (40, 41, "g")]}, said, collar=5).edits
    2
    """
    session = session_of(references, hypotheses)
    return _warned(session, "tcpwer", collar, normalisation, grammars)


@by_name(SETTINGS)
def orcwer(
    hypotheses: object, references: object, *, normalisation: Normalisation = PLAIN, grammars: Grammars = ()
) -> SpeakerResult:
    """Optimal reference combination word error rate (ORC-WER) of `hypotheses` against `references`, of a session.

    Args:
        hypotheses: by stream, as of `cpwer`.
        references: a list of utterances, in order; or by speaker, as of `cpwer`. Utterances with times are put in order
            of begin; without, speakers come one after the other.
        normalisation, grammars: as of `cpwer`.

    Returns:
        Score, counts, and `assignment`: the stream of each utterance.

    Raises:
        FstmetricsError: as `cpwer`; a network with cycles.
        SearchError: more streams or words than the limit `cells` allows: tables have a cell for every tuple of places,
            one in each stream.

    >>> result = orcwer({"A": "a c", "B": "d e"}, ["a", "c d", "e"])
    >>> result.score, result.assignment
    (0.5, ('A', 'A', 'B'))
    """
    session = session_of(references, hypotheses, "references")
    return meeting_wer(session, "orcwer", normalisation=normalisation, grammars=grammars)


@by_name(SETTINGS)
def tcorcwer(
    hypotheses: object,
    references: object,
    *,
    collar: float = COLLAR,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
) -> SpeakerResult:
    """Time-constrained optimal reference combination word error rate (tcORC-WER) of `hypotheses` against `references`.

    Args:
        hypotheses, references: as of `orcwer`, of a session; every utterance is `(begin, end, words)`, in seconds.
        collar: seconds that a hypothesis word may be off, as of `tcpwer`.
        normalisation, grammars: as of `cpwer`.

    Raises:
        FstmetricsError, SearchError: as `orcwer`; an utterance without times.

    >>> said = [(0, 2, "a b c d e f"), (20, 21, "g")]
    >>> result = tcorcwer({"A": [(0, 2, "a b c d e f")], "B": [(40, 41, "g")]}, said, collar=5)
    >>> result.edits, result.assignment
    (2, ('A', 'A'))
    """
    session = session_of(references, hypotheses, "references")
    return _warned(session, "tcorcwer", collar, normalisation, grammars)


@by_name(SETTINGS)
def dicpwer(
    hypotheses: object, references: object, *, normalisation: Normalisation = PLAIN, grammars: Grammars = ()
) -> SpeakerResult:
    """Diarization-invariant cpWER (DI-cpWER) of `hypotheses` against `references`, of a session.

    Utterances of the hypotheses go to any reference speaker.

    Args:
        hypotheses: a list of utterances, in order; or by speaker, as the references of `orcwer`.
        references: by speaker, as of `cpwer`.
        normalisation, grammars: as of `cpwer`.

    Returns:
        Score, counts, and `assignment`: the reference speaker of each utterance.

    Raises:
        FstmetricsError, SearchError: as `orcwer`.

    MeetEval 0.4.3 computes this with a greedy search, whose result may be higher; this one is exact.

    >>> result = dicpwer({"1": ["a", "c d"], "2": ["b"]}, {"A": "a b", "B": "c d"})
    >>> result.score, result.assignment
    (0.0, ('A', 'B', 'A'))
    """
    session = session_of(references, hypotheses, "hypotheses")
    return meeting_wer(session, "dicpwer", normalisation=normalisation, grammars=grammars)


def meeting_wer(
    session: Session,
    metric: SpeakerMetric = "cpwer",
    *,
    collar: float = COLLAR,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    aligned: bool = False,
) -> SpeakerResult:
    """One of the five error rates of a session; `aligned`: with the words of both sides beside each other.

    Raises:
        FstmetricsError, SearchError: as the function of that name, with the session; the unit `char`.
    """
    if metric not in METRICS:
        raise FstmetricsError(unknown("metric", str(metric), METRICS))
    NUMBER.check(collar, "collar")
    if not 0 <= collar < float("inf"):
        raise FstmetricsError(f"collar must be a finite number of seconds of at least 0, not {collar!r}")
    expect(normalisation, Normalisation, "normalisation")
    normalisation.refuse_optional_words()
    check_grammars(grammars)
    if normalisation.unit == "char":
        raise FstmetricsError(
            f"{metric} counts no spaces between words, and --unit char does: give --unit char-no-space"
        )
    try:
        meeting = _Meeting(session, metric, normalisation, grammars)
        if metric == "tcpwer":
            result = meeting.time_constrained(float(collar))
        elif metric == "cpwer":
            result = meeting.permuted()
        else:
            result = meeting.combined(float(collar) if metric in UNTIMED else None)
        return replace(result, words=tuple(meeting.aligned(result))) if aligned else result
    except FstmetricsError as error:
        if session.id is None:
            raise
        raise type(error)(f"session {session.id}: {error}") from None


def owed_to_times(
    session: Session, result: SpeakerResult, *, normalisation: Normalisation = PLAIN, grammars: Grammars = ()
) -> SpeakerResult | None:
    """The result without times where most errors are owed to these, as where the sides have other units or beginnings.

    None where most are not, there are few, or that is more than the limits allow.

    Args:
        session: what was scored.
        result: of a metric with times, or another one.
        normalisation, grammars: as it was scored.
    """
    metric = UNTIMED.get(metric_of(result.name))
    if metric is None or 100 * result.edits <= MANY * result.path_length:
        return None
    try:
        untimed = meeting_wer(session, metric, normalisation=normalisation, grammars=grammars)
    except SearchError:  # times spare cells
        return None
    return untimed if 2 * untimed.edits < result.edits else None


def _warned(
    session: Session, metric: SpeakerMetric, collar: float, normalisation: Normalisation, grammars: Grammars
) -> SpeakerResult:
    """The result of a metric with times, with a warning for the caller of its function where `owed_to_times`."""
    result = meeting_wer(session, metric, collar=collar, normalisation=normalisation, grammars=grammars)
    if untimed := owed_to_times(session, result, normalisation=normalisation, grammars=grammars):
        warn(
            f"most errors are of times: without these, {untimed.name} is {number(untimed.score)}; {SAME_TIMES}"
        )
    return result


# What is compared, reference first; None is a speaker who said nothing.
Pairs = Sequence[tuple[Any, Any]]


def _in_one(side: Side) -> Side:
    """Words as the engine takes them fastest, in one string; with spaces in words they stay apart."""
    return " ".join(side) if isinstance(side, list) and are_words(side) else side


def _blocks(pairs: Iterable[tuple[Any, Any]]) -> Iterator[Pairs]:
    """Pairs in blocks of a few megabytes, as a search has the words of all its pairs at once."""
    block: list[tuple[Any, Any]] = []
    size = 0
    for pair in pairs:
        block.append(pair)
        size += OF_A_PAIR + sum(len(side) for side in pair if isinstance(side, str | list))
        if size > BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


class _Meeting:
    """A session whose utterances are as the engine wants them."""

    def __init__(
        self, session: Session, metric: SpeakerMetric, normalisation: Normalisation, grammars: Grammars
    ) -> None:
        self.session, self.metric, self._name = session, metric, name_of(metric, normalisation.unit)
        _check_numbers(session, normalisation)
        self._sides: dict[int, Side] = {}
        of_reference = _widening(grammars, normalisation)
        for utterance in session.references:
            self._take(utterance, of_reference)
        of_hypothesis = normalisation.of_hypotheses
        for utterance in session.hypotheses:
            self._take(utterance, lambda value: hypothesis_side(value, of_hypothesis))

    def _take(self, utterance: Utterance, convert: Callable[[Input], Side]) -> None:
        try:
            self._sides[id(utterance)] = convert(utterance.words)
        except FstmetricsError as error:
            raise type(error)(f"{utterance.name}: {error}") from None

    def permuted(self) -> SpeakerResult:
        """cpWER."""
        references, hypotheses = (
            [(who, _in_one(side)) for who, side in self._voices(utterances)]
            for utterances in (self.session.references, self.session.hypotheses)
        )
        return self._assigned(references, hypotheses, self._searched)

    def time_constrained(self, collar: float) -> SpeakerResult:
        """tcpWER."""
        vocabulary: Vocabulary = {"": 0}
        references, hypotheses = (
            [(who, self._timed(said, vocabulary, around)) for who, said in by_speaker(side).items()]
            for side, around in ((self.session.references, None), (self.session.hypotheses, collar))
        )
        return self._assigned(
            references, hypotheses, lambda pairs: self._constrained(pairs, vocabulary), collar
        )

    def _timed(self, utterances: Sequence[Utterance], vocabulary: Vocabulary, collar: float | None) -> Timed:
        """Utterances in a row, with the times of their words if the metric needs them."""
        return self._timed_apart(utterances, vocabulary, collar)[0]

    def _timed_apart(
        self, utterances: Sequence[Utterance], vocabulary: Vocabulary, collar: float | None
    ) -> tuple[Timed, list[int]]:
        """The same, and how many arcs there are behind each of them."""
        chain, is_timed = Chain(vocabulary, self.metric), self.metric in UNTIMED
        ends = []
        for utterance in utterances:
            if not (is_timed and utterance.is_silent):
                clock = _clock(utterance, collar, self.metric) if is_timed else None
                chain.add(self._sides[id(utterance)], utterance.name, clock)
            ends.append(len(chain))
        return chain.timed(), ends

    def _constrained(self, pairs: Pairs, vocabulary: Vocabulary) -> Counts:
        nothing = Chain(vocabulary, self.metric).timed()
        refs, hyps = (
            [nothing if side is None else side for side in column] for column in zip(*pairs, strict=True)
        )
        counts: Counts = _told(lambda: _native.time_constrained(refs, hyps, limits().cells))
        return counts

    def _assigned(
        self,
        references: Sequence[tuple[str, Any]],
        hypotheses: Sequence[tuple[str, Any]],
        searched: Callable[[Pairs], Counts],
        collar: float | None = None,
    ) -> SpeakerResult:
        """The cheapest pairs of speakers. Beside the smaller side stand speakers who said nothing.

        No pair is worse than both of it alone, so as many speakers as the larger side has are enough. Of each pair
        its counts are kept, and nothing else.

        Raises:
            SearchError: more pairs than the limit `cells` allows.
        """
        size = max(len(references), len(hypotheses))
        if CELLS_OF_PAIR * size * size > limits().cells:
            what = (
                f"pairing {len(references)} speakers of references with {len(hypotheses)} of hypotheses needs"
            )
            raise SearchError(str(limits().error("cells", f"{what} {CELLS_OF_PAIR * size * size} cells")))
        nobody: list[tuple[str | None, Any]] = [(None, None)]
        r, h = ([*side, *nobody * (len(side) < size)] for side in (references, hypotheses))

        def counts_of(pairs: Pairs) -> Counts:
            return np.concatenate([np.zeros((0, 4), dtype=np.int64), *map(searched, _blocks(pairs))])

        rows, columns, counts = cheapest_pairs(
            [said for _, said in r], [said for _, said in h], size, counts_of
        )
        pairs = tuple(
            SpeakerPair(r[row][0], h[column][0], _totals(*counts[row, column].tolist()))
            for row, column in zip(rows, columns, strict=True)
        )
        return self._result(pairs, collar=collar)

    def combined(self, collar: float | None = None) -> SpeakerResult:
        """ORC-WER; tcORC-WER, with a collar; or DI-cpWER: the same with the sides exchanged."""
        is_orc = self.metric != "dicpwer"
        sides = self.session.references, self.session.hypotheses
        utterances, others = sides if is_orc else sides[::-1]
        vocabulary: Vocabulary = {"": 0}
        streams = by_speaker(others)
        chains = [self._timed([utterance], vocabulary, None) for utterance in utterances]
        spoken = [number for number, (chain, _, _) in enumerate(chains) if chain.num_arcs]
        lines = [self._timed(said, vocabulary, collar) for said in streams.values()]
        lines = lines or [Chain(vocabulary, self.metric).timed()]
        found: Any = [[chains[u] for u in spoken], lines]
        combine: Any = _native.combine_in_time
        if collar is None:
            found = [[automaton for automaton, _, _ in side] for side in found]
            combine = _native.combine
        counts, to = _told(lambda: combine(*found, is_orc, limits().cells))
        names: list[str | None] = [*streams] or [None]
        stream_of = dict(zip(spoken, to, strict=True))
        taken = [[utterances[u] for u in spoken if stream_of[u] == number] for number in range(len(names))]
        if collar is not None:
            lots = [self._timed(said, vocabulary, None) for said in taken]
            counts_of_streams = self._constrained([*zip(lots, lines, strict=True)], vocabulary)
        else:
            voices: list[Side] = [side for _, side in self._voices(others)] or [""]
            parts = [concatenated([self._sides[id(u)] for u in said]) for said in taken]
            counts_of_streams = self._searched(
                [*zip(parts, voices, strict=True)] if is_orc else [*zip(voices, parts, strict=True)]
            )
        pairs = tuple(
            SpeakerPair(None, name, each) if is_orc else SpeakerPair(name, None, each)
            for name, each in zip(names, (_totals(*row) for row in counts_of_streams.tolist()), strict=True)
        )
        result = self._result(
            pairs,
            [None if u not in stream_of else names[stream_of[u]] for u in range(len(utterances))],
            collar,
        )
        if (own := [result.edits, result.path_length, result.matches, result.deletions]) != counts:
            raise AssertionError(
                f"{self.metric}: the assignment was found at {counts}, its alignment has {own}"
            )
        return result

    def aligned(self, result: SpeakerResult) -> Iterator[AlignedWord]:
        """The words of all pairs beside each other, pair by pair.

        Raises:
            FstmetricsError: a reference leaves a stretch open.
        """
        to = [utterance.to for utterance in result.utterances]
        is_di = self.metric == "dicpwer"
        for pair in result.pairs:
            sides = [
                [
                    (number, utterance)
                    for number, utterance in enumerate(side)
                    if (
                        to[number] == other
                        if result.assigns and is_di == is_heard
                        else utterance.speaker == own
                    )
                ]
                for side, own, other, is_heard in (
                    (self.session.references, pair.reference, pair.hypothesis, False),
                    (self.session.hypotheses, pair.hypothesis, pair.reference, True),
                )
            ]
            references, hypotheses = ([utterance for _, utterance in side] for side in sides)
            letters, *words = self._aligned_pair(references, hypotheses, result.collar)
            totals = pair.totals
            counted = (totals.matches, totals.substitutions, totals.insertions, totals.deletions)
            if tuple(map(letters.count, "=SID")) != counted:
                raise AssertionError(f"{self.metric}: an alignment {letters} of {counted}")
            said, heard = (
                [(number, utterance, own) for (number, utterance), own in zip(side, each, strict=True)]
                for side, each in zip(sides, words, strict=True)
            )
            yield from beside(letters, said, heard)

    def _aligned_pair(
        self, references: Sequence[Utterance], hypotheses: Sequence[Utterance], collar: float | None
    ) -> tuple[str, list[list[str]], list[list[str]]]:
        """The operations of the best alignment of utterances in a row, and the words of each of both sides."""
        if collar is not None:
            vocabulary: Vocabulary = {"": 0}
            said, of_references = self._timed_apart(references, vocabulary, None)
            heard, of_hypotheses = self._timed_apart(hypotheses, vocabulary, collar)
            letters, *paths = _told(lambda: _native.time_constrained_alignment(said, heard, limits().cells))
            words, apart = [*vocabulary], list[list[list[str]]]()
            for ends, path in ((of_references, paths[0]), (of_hypotheses, paths[1])):
                apart.append([[] for _ in ends])
                for arc, label in path:
                    apart[-1][bisect_right(ends, arc)].append(words[label])
            return letters, apart[0], apart[1]
        r, h = ([self._sides[id(utterance)] for utterance in side] for side in (references, hypotheses))
        found = searched(None, [_in_one(concatenated(h))], [_in_one(concatenated(r))], _WER)
        result = Batch(found, _WER, None)[0]
        letters = "".join(pair.op for pair in result.alignment)
        if "*" in letters:
            raise FstmetricsError(
                f"a reference leaves a stretch open, {WILDCARD}, whose words are no speaker's; leave --alignment and "
                "--report out"
            )
        return letters, divided(result.closest, r), divided(result.hypothesis, h)

    def _voices(self, utterances: Sequence[Utterance]) -> list[tuple[str, Side]]:
        """The words of each speaker in a row."""
        said = by_speaker(utterances)
        return [(who, concatenated([self._sides[id(u)] for u in all_of])) for who, all_of in said.items()]

    def _searched(self, pairs: Pairs) -> Counts:
        refs, hyps = zip(*[["" if side is None else side for side in pair] for pair in pairs], strict=True)
        counts = searched(None, hyps, refs, _WER, 1, COUNTS_ONLY).all_counts()
        _, matches, substitutions, insertions, deletions, _, length = counts.T
        return np.stack([substitutions + insertions + deletions, length, matches, deletions], axis=1)

    def _result(
        self, pairs: tuple[SpeakerPair, ...], to: Sequence[str | None] = (), collar: float | None = None
    ) -> SpeakerResult:
        totals = sum((pair.totals for pair in pairs), Totals())
        said = self.session.hypotheses if self.metric == "dicpwer" else self.session.references
        moved = [
            Assigned(u.speaker, stream, u.id, u.begin, u.end) for u, stream in zip(said, to, strict=False)
        ]
        speakers = (len(by_speaker(self.session.references)), len(by_speaker(self.session.hypotheses)))
        return SpeakerResult(self._name, totals, pairs, tuple(moved), self.session.id, collar, speakers)


def _check_numbers(session: Session, normalisation: Normalisation) -> None:
    """Refuse lattices of integers beside words; texts cannot be meant."""
    sides = ([u.words for u in session.hypotheses], [u.words for u in session.references])
    graphs = [[value for value in side if not isinstance(value, str | tuple)] for side in sides]
    for hypothesis, reference in chain(product(graphs[0], sides[1]), product(sides[0], graphs[1])):
        check_numbers(hypothesis, reference, normalisation)


def _widening(grammars: Grammars, normalisation: Normalisation) -> Callable[[Input], Side]:
    of_reference = normalisation.of_references
    if not grammars:
        return lambda value: as_side(value, of_reference)
    from fstmetrics.grammars.library import widening_of

    widening = widening_of(grammars, of_reference)
    if widening.has_costs:
        raise FstmetricsError("grammars whose rules have a cost are not for sessions of several speakers")
    return lambda value: widened_side(value, of_reference, None, widening, 1)[0]


def _clock(utterance: Utterance, collar: float | None, metric: str) -> Clock:
    if utterance.begin is None or utterance.end is None:
        raise FstmetricsError(
            f"{utterance.name} has no times, and {metric} needs them: give (begin, end, words), or take "
            f"{UNTIMED[metric]}"
        )
    return Clock(utterance.begin, utterance.end, collar)


def _told(call: Callable[[], Any]) -> Any:
    """What a call of the engine gives; what it refuses is a SearchError."""
    try:
        return call()
    except RuntimeError as error:
        raise SearchError(str(error)) from None


def _totals(edits: int, length: int, matches: int, deletions: int) -> Totals:
    substitutions = length - matches - deletions
    return Totals(edits, matches, substitutions, edits - substitutions - deletions, deletions, 0, length)
