"""Items of files as sessions of several speakers: `sessions_of`.

An item says by its fields who said it, in which recording and when: `speaker`, `session` or `file`, `start` and `end`.
Words of a ctm are utterances of their own, and a channel is a speaker, unless there are turns (RTTM) beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fstmetrics.data.fields import Fields, first_given
from fstmetrics.data.segments import MANIFEST, TimedWords, spoken_times
from fstmetrics.data.sessions import (
    OF_UTTERANCES,
    SESSION,
    SPEAKER,
    Session,
    Turn,
    Utterance,
    by_speaker,
    same_name,
)
from fstmetrics.io import Item, Items
from fstmetrics.io.formats.whisper import spoken_segments
from fstmetrics.scoring.pairing import ADVICE, Missing
from fstmetrics.speakers.given_sessions import refuse_alike, utterances_in
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, stem

# What NIST's names for stretches in which nobody speaks end in, and its name for one that is not scored, as its
# stm2rttm.pl has them.
GAPS = ("inter_segment_gap", "intersegment_gap")
EXCLUDED = "excluded_region"


@dataclass(frozen=True)
class SpokenSide:
    """One side of all sessions.

    Attributes:
        sessions: the utterances of each session, in the order of the file.
        path: where they come from.
        remarks: what was assumed.
        fields: of each session, the fields that all of its items have alike.
        uneven: fields that differ within a session, and the first such session of each.
        turns: of each session, who spoke when, where that is told apart from the times of words.
        channels: of each session, speakers and the channels that they are on, where these are known.
    """

    sessions: Mapping[str, Sequence[Utterance]]
    path: str
    remarks: tuple[str, ...] = ()
    fields: Mapping[str, Fields] = field(default_factory=dict)
    uneven: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[str, Sequence[Turn]] = field(default_factory=dict)
    channels: Mapping[str, Collection[tuple[str, str]]] = field(default_factory=dict)

    def spoken_when(self, session: str | None, utterances: Sequence[Utterance]) -> Sequence[Utterance]:
        """The turns of a session as utterances; where there are none, its utterances as they are."""
        turns = self.turns.get(session or "")
        return utterances if turns is None else [Utterance("", t.speaker, t.begin, t.end) for t in turns]

    def refuse_channels(self) -> None:
        """Raise an InputError for a speaker on several channels of a session, who would be one."""
        for session, places in self.channels.items():
            who: dict[str, str] = {}
            for speaker, channel in places:
                if who.setdefault(speaker, channel) != channel:
                    raise InputError(
                        f"{speaker} speaks on the channels {who[speaker]} and {channel} of {session}, and would be one "
                        "speaker of both: name the speakers of channels apart, as awk '{$8 = $3 \"-\" $8} 1' FILE does "
                        "in RTTM",
                        self.path,
                    )


def spoken_side(items: Items, turns: Sequence[Turn] | None = None, needs_speakers: bool = True) -> SpokenSide:
    """The utterances of a file.

    Args:
        items: what was read.
        turns: who spoke when, where the items do not say.
        needs_speakers: whether an item has to say who speaks.

    Raises:
        FstmetricsError: an item that does not say what is needed; it is named.
    """
    places: dict[str, dict[tuple[str, str], None]] = {}
    if turns is not None:
        for turn in turns:
            places.setdefault(turn.session, {})[turn.speaker, turn.channel] = None
        return replace(_in_turns(items, turns), channels=places)
    if items.formats == ("whisper",):
        return _of_recordings(items, needs_speakers)
    found: dict[str, list[Utterance]] = {}
    fields: dict[str, dict[str, Any]] = {}
    uneven: dict[str, str] = {}
    recordings: dict[str, str] = {}
    channels = 0
    for number, item in enumerate(items.items):
        if isinstance(item.given, TimedWords):
            channels += 1
            said = Utterance(item.given, item.given.channel)
            found.setdefault(item.given.file, []).extend(utterances_in(said))
            continue
        utterance = _utterance(item, items.path, number, needs_speakers)
        name, recording = first_given(item.fields, SESSION), item.fields.get(MANIFEST)
        session = "" if name is None else str(name)
        if name is None and isinstance(recording, str):
            session = stem(recording)
            if fault := same_name(recordings, session, recording):
                raise InputError(f"{fault}: name the sessions apart by a field `session`", items.path)
        found.setdefault(session, [])
        if utterance.is_silent and utterance.speaker.casefold().endswith(GAPS):
            continue
        found[session].append(utterance)
        if item.segment is not None:
            places.setdefault(session, {})[utterance.speaker, item.segment.channel] = None
        own = fields.setdefault(session, {k: v for k, v in item.fields.items() if k not in OF_UTTERANCES})
        for name in [name for name in own if item.fields.get(name) != own[name]]:
            del own[name]
            uneven.setdefault(name, session)
    refuse_alike(dict.fromkeys(said.speaker for each in found.values() for said in each), items.path)
    remarks = [f"{items.path}: a ctm names no speakers; each channel is taken for one"] * bool(
        channels and needs_speakers
    )
    if len(unnamed := found.get("", ())) > 1:
        remarks.append(
            f"{items.path}: {counted(len(unnamed), 'item')} without a field for the session ({', '.join(SESSION)}): "
            "all are taken for one session; of a table --fields session=COLUMN names it"
        )
    return SpokenSide(found, items.path, tuple(remarks), fields, uneven, channels=places)


def _of_recordings(items: Items, needs_speakers: bool) -> SpokenSide:
    """Recordings of WhisperX, a file each, whose name is the session."""
    if items.path == "-":
        raise InputError(
            "a recording is a session by its file's name: give a file, not standard input", items.path
        )
    files = files_of(items.path) if is_several(items.path) else [items.path]
    sources = [Source.open(str(file)) for file in files]
    return SpokenSide({each.stem: spoken_segments(each, needs_speakers) for each in sources}, items.path)


def _utterance(item: Item, path: str, number: int, needs_speakers: bool) -> Utterance:
    what = f"item {item.id}" if item.id is not None else f"item {number} (from 0)"
    speaker = first_given(item.fields, SPEAKER)
    if (item.segment is not None and item.segment.ignored) or str(speaker).casefold().endswith(EXCLUDED):
        raise InputError(
            f"{what} is not to be scored (IGNORE_TIME_SEGMENT_IN_SCORING or {EXCLUDED}); speakers leaves no stretch "
            "out: remove the line, and what the hypotheses say there",
            path,
        )
    if speaker is None and needs_speakers:
        raise InputError(
            f"{what} does not say who speaks: give stm, SegLST, RTTM with words, or rows with a field `speaker` "
            "(--fields speaker=COLUMN); or --turns with who spoke when",
            path,
        )
    words = item.value if item.text is None else item.text
    try:
        begin, end = spoken_times(item.fields, item.id)
    except FstmetricsError as error:
        raise InputError(f"{what}: {error}", path) from None
    try:
        return Utterance(words, "" if speaker is None else str(speaker), begin, end, item.id)
    except FstmetricsError as error:
        raise InputError(str(error), path) from None


def _in_turns(items: Items, turns: Sequence[Turn]) -> SpokenSide:
    """Words with times go to the turn that they overlap most; lines of text are the turns, in order."""
    timed = [item.given for item in items.items if isinstance(item.given, TimedWords)]
    if timed and len(timed) < len(items.items):
        raise InputError("holds words with times and other items; turns take one or the other", items.path)
    spoken = [turn for turn in turns if not turn.speaker.casefold().endswith(GAPS)]
    return _words_in_turns(timed, spoken, items.path) if timed else _lines_as_turns(items, spoken)


def _of_channel(
    of_session: Mapping[str, list[Turn]], words: TimedWords, heard: Sequence[str], path: str
) -> list[Turn]:
    """The turns of the channel of words; all turns of the file, where one side has one channel, of another name."""
    turns = of_session[words.file]
    if found := [turn for turn in turns if turn.channel.casefold() == words.home[1]]:
        return found
    channels = [{turn.channel.casefold() for turn in own} for own in of_session.values()]
    has_several = len(heard) > 1, any(len(own) > 1 for own in channels)
    if all(has_several) or (any(has_several) and any(words.home[1] in own for own in channels)):
        raise InputError(
            f"channel {words.channel} of file {words.file} has words, and no turns; words are of the channels "
            f"{listed(heard)}, turns of {listed([*dict.fromkeys(turn.channel for turn in turns)])}: name them alike, "
            "add its turns, or give one channel to all turns, so that words go to turns of any channel",
            path,
        )
    return turns


def _words_in_turns(channels: Sequence[TimedWords], turns: Sequence[Turn], path: str) -> SpokenSide:
    of_session: dict[str, list[Turn]] = {}
    for turn in turns:
        of_session.setdefault(turn.session, []).append(turn)
    found: dict[str, list[Utterance]] = {name: [] for name in of_session}
    outside = several = 0
    for channel in channels:
        if channel.file not in of_session:
            raise InputError(f"file {channel.file} has words, and no turn says who speaks in it", path)
        heard = [other.channel for other in channels if other.file == channel.file]
        own = _of_channel(of_session, channel, heard, path)
        begins, ends = np.array([(turn.begin, turn.end) for turn in own]).T
        for word in utterances_in(Utterance(channel)):
            begin, end = word.begin or 0.0, word.end or 0.0  # words of a ctm have times
            overlap = np.minimum(ends, end) - np.maximum(begins, begin)
            nearest = own[int(overlap.argmax())]
            outside += bool(overlap.max() < 0)
            several += any(own[i].speaker != nearest.speaker for i in np.flatnonzero(overlap > 0))
            found[channel.file].append(replace(word, speaker=nearest.speaker))
    spans = {name: (span_of(found[name]), span_of(own)) for name, own in of_session.items()}
    unlike = tuple(f"{path}: {remark}" for remark in span_remarks(spans, "words", "turns"))
    for name, own in of_session.items():
        speaking = {utterance.speaker for utterance in found[name]}
        silent = {turn.speaker: turn for turn in own if turn.speaker not in speaking}
        found[name] += [Utterance("", turn.speaker, turn.begin, turn.end) for turn in silent.values()]
    said = [
        (outside, "in no turn: taken into the nearest one"),
        (several, "in turns of several speakers: taken into the turn that it overlaps most"),
    ]
    remarks = tuple(f"{path}: {counted(n, 'word')} {what}" for n, what in said if n)
    return SpokenSide(found, path, remarks + unlike, turns=of_session)


def _lines_as_turns(items: Items, turns: Sequence[Turn]) -> SpokenSide:
    if len(items.items) != len(turns):
        raise InputError(
            f"has {counted(len(items.items), 'item')} and there are {counted(len(turns), 'turn')}; items without times "
            "are the turns in their order, words with times (ctm) find their turns",
            items.path,
        )
    if unproven := _unproven_order([item.id for item in items.items], turns):
        raise InputError(
            f"{unproven} would be the turn of its place, which its id does not prove: items are the turns in their "
            "order if they have no ids, whole numbers from 0 or 1, the session and a number that grows as time does, "
            "or session, speaker, begin and end of the turn; give stm, SegLST, or rows with session, speaker, start "
            "and end; or bring the lines into the order of the turns and take their ids off",
            items.path,
        )
    found: dict[str, list[Utterance]] = {}
    for item, turn in zip(items.items, turns, strict=True):
        words = item.value if item.text is None else item.text
        found.setdefault(turn.session, []).append(
            Utterance(words, turn.speaker, turn.begin, turn.end, item.id)
        )
    return SpokenSide(found, items.path, (f"{items.path}: its items are the turns, in their order",))


def _unproven_order(ids: Sequence[str | None], turns: Sequence[Turn]) -> str:
    """The first id that does not prove that items are in the order of the turns; empty if there is none."""
    numbers = [int(id) for id in ids if id is not None and id.isdecimal()]
    if numbers in ([*range(len(ids))], [*range(1, len(ids) + 1)]) or all(map(_names_turn, ids, turns)):
        return ""
    # Of each session what its ids begin with, the last number, and when that turn began.
    before: dict[str, tuple[str, int, float]] = {}
    for id, turn in zip(ids, turns, strict=True):
        if id is None:
            continue
        stem = id.rstrip("0123456789")
        number = int(id[len(stem) :] or -1)
        above = before.get(turn.session, (stem, -1, turn.begin))
        if turn.session not in stem or above[0] != stem or number <= above[1] or turn.begin < above[2]:
            return id
        before[turn.session] = stem, number, turn.begin
    return ""


# The begin and the end of a segment in Kaldi's ids.
_TIMES = re.compile(r"[-_](\d+(?:\.\d+)?)[-_](\d+(?:\.\d+)?)$")


def _names_turn(id: str | None, turn: Turn) -> bool:
    """Whether an id has session, speaker, begin and end of a turn in it: seconds, hundredths or thousandths."""
    found = _TIMES.search(id or "")
    if id is None or not found or turn.session not in id or turn.speaker not in id:
        return False
    times = [*map(float, found.groups())]
    return any(
        np.allclose(times, [turn.begin * unit, turn.end * unit], 0, unit / 90) for unit in (1, 100, 1000)
    )


# From when to when something is said, in seconds.
Span = tuple[float, float]


def span_of(said: Iterable[Utterance | Turn]) -> Span | None:
    """From the first begin to the last end; None without times."""
    times = [(each.begin, each.end) for each in said if each.begin is not None and each.end is not None]
    return (min(begin for begin, _ in times), max(end for _, end in times)) if times else None


def span_remarks(spans: Mapping[str, tuple[Span | None, Span | None]], one: str, other: str) -> Iterator[str]:
    """Whether less than half of the time of sessions is in both spans, as where one is in other units, or begins
    otherwise; the first is named."""
    unlike = [
        (session, left, right)
        for session, (left, right) in spans.items()
        if left and right
        if 2 * (min(left[1], right[1]) - max(left[0], right[0]))
        < max(left[1], right[1]) - min(left[0], right[0])
    ]
    if unlike:
        session, left, right = unlike[0]
        yield (
            f"{one} and {other} of {counted(len(unlike), 'session')} share less than half of their time, first: {one} "
            f"from {left[0]:g} to {left[1]:g}, {other} from {right[0]:g} to {right[1]:g}"
            + f" of {session}" * bool(session)
            + "; are the times of both in seconds, from the same beginning?"
        )


def overlap_remarks(side: SpokenSide) -> Iterator[str]:
    """Whether utterances of one speaker overlap, which words in a row cannot show; the first is named."""
    number, first = 0, ""
    for session, utterances in side.sessions.items():
        for who, said in by_speaker(utterances).items():
            timed = [(u.begin, u.end, u.name) for u in said if u.begin is not None and u.end is not None]
            latest, before = float("-inf"), ""
            for begin, end, name in sorted(timed):
                if begin < latest:
                    number += 1
                    first = first or f"{before} and {name}, speaker {who}" + f" of {session}" * bool(session)
                if end > latest:
                    latest, before = end, name
    if number:
        yield (
            f"{side.path}: {counted(number, 'utterance')} begin{'s' * (number == 1)} before another one of the same "
            f"speaker ends, first: {first}; words are taken in the order of the begins"
        )


def sessions_of(
    references: SpokenSide, hypotheses: SpokenSide, missing: Missing = "error", advice: str = ADVICE
) -> tuple[list[Session], dict[str, set[str]]]:
    """The sessions, in the order of the references; and of those left out, the ones that each file lacks.

    Raises:
        FstmetricsError: a session that one side lacks, where that is an error; or none at all.
    """
    if not references.sessions:
        raise FstmetricsError(f"{references.path} holds no item: there is nothing to score")
    lacking = list(_lacking(references, hypotheses))
    names = list(dict.fromkeys([*references.sessions, *hypotheses.sessions]))
    both = [name for name in names if name in references.sessions and name in hypotheses.sessions]
    if lacking and missing == "error":
        raise FstmetricsError("; ".join(lacking) + (advice if both else ""))
    if not both and (hypotheses.sessions or missing != "empty"):
        raise FstmetricsError("there is nothing to score: no session is on both sides")
    kept = both if missing == "skip" else names
    absent = {*names} - {*kept}
    sessions = []
    for name in kept:
        try:
            said, found = (side.sessions.get(name, ()) for side in (references, hypotheses))
            sessions.append(Session.of(said, found, name))
        except FstmetricsError as error:
            raise FstmetricsError(f"session {name}: {error}") from None
    return sessions, {side.path: absent - side.sessions.keys() for side in (references, hypotheses)}


def _lacking(references: SpokenSide, hypotheses: SpokenSide) -> Iterator[str]:
    sides = ((references, hypotheses, "hypothesis"), (hypotheses, references, "reference"))
    for side, other, what in sides:
        names = [name for name in side.sessions if name not in other.sessions]
        if names:
            yield f"no {what} for the session{'s' if len(names) > 1 else ''} {listed(names)} in {other.path}"
