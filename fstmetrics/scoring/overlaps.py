"""Segments whose times differ a little on either side, and so their ids: `paired_by_overlap`.

Formats such as stm and SegLST make an id of a segment's times. Where another program wrote the times, those of the same
segment are not equal. Segments of the same recording, channel and speaker are partners if they overlap by half of the
shorter one or more, and no other segment does. What has no partner keeps its id, so that it is missing; where there are
two, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fstmetrics.data.segments import FILE_AND_CHANNEL, Segment, SharedTime, TimedWords, times_in
from fstmetrics.data.sessions import same_name
from fstmetrics.io import FORMATS, Item, Items
from fstmetrics.io.file_names import name_of
from fstmetrics.io.items import Deferred
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    from fstmetrics.scoring.run_sides import Side

# The share of the shorter segment that partners have in common, at least.
LEAST_SHARE = 0.5
# The field that says how much of the shorter segment a pair has in common.
OVERLAP = "overlap"


Times = np.ndarray[tuple[int], np.dtype[np.float64]]


class Stretch(NamedTuple):
    """When an item was said."""

    item: Item
    session: str
    channel: str | None
    speaker: str | None
    begin: float
    end: float


class Overlapping(NamedTuple):
    """Items with the ids of the references that they overlap, and a remark about them."""

    items: Items
    remark: str


def paired_by_overlap(hypotheses: Items, references: Items) -> Overlapping | None:
    """The hypotheses with the references' ids, where ids are made of times and are not the same on both sides.

    Returns:
        None where ids decide: all are the same, or the files do not make ids of times.

    Raises:
        InputError: a segment that overlaps several of the other side by half or more.
    """
    if not (hypotheses.items and references.items):
        return None
    if not all(FORMATS[name].ids_from_times for side in (hypotheses, references) for name in side.formats):
        return None
    known = {item.id for item in references.items}
    given = {item.id for item in hypotheses.items}
    if known == given:
        return None
    hyps = [stretch for item in hypotheses.items if item.id not in known for stretch in _stretch(item)]
    refs = [stretch for item in references.items if item.id not in given for stretch in _stretch(item)]
    partners = _partners(refs, hyps, hypotheses.path, references.path)
    if not partners:
        return None
    renamed = tuple(
        replace(item, id=partners[item.id][0], fields={**item.fields, OVERLAP: partners[item.id][1]})
        if item.id in partners
        else item
        for item in hypotheses.items
    )
    share, id = min((share, id) for id, share in partners.values())
    begin = "begins or ends" if len(partners) == 1 else "begin or end"
    remark = (
        f"paired by time: {counted(len(partners), 'segment')} of {hypotheses.path} {begin} at other times than in "
        f"{references.path}; each has the one that it overlaps, by {share:.0%} of the shorter or more ({id})"
    )
    return Overlapping(replace(hypotheses, items=renamed), remark)


def _stretch(item: Item) -> Iterator[Stretch]:
    """When an item was said, if it says so."""
    fields = item.fields
    begin, end = fields.get("start"), fields.get("end")
    session = fields.get("session", fields.get("file"))
    if item.id is None or session is None or not isinstance(begin, float) or not isinstance(end, float):
        return
    channel, speaker = (
        None if fields.get(name) is None else str(fields[name]) for name in ("channel", "speaker")
    )
    yield Stretch(item, str(session).casefold(), channel, speaker, begin, end)


def _partners(
    refs: Sequence[Stretch], hyps: Sequence[Stretch], path: str, other: str
) -> dict[str | None, tuple[str, float]]:
    """The id of the reference, and the share in common, by the id of the hypothesis."""
    home = _home(refs, hyps)
    found: dict[str | None, tuple[str, float]] = {}
    taken: dict[str, str] = {}
    of_home: dict[tuple[str, ...], list[Stretch]] = {}
    for ref in refs:
        of_home.setdefault(home(ref), []).append(ref)
    times = {key: np.array([(ref.begin, ref.end) for ref in own]).T for key, own in of_home.items()}
    for hyp in hyps:
        key = home(hyp)
        if key not in times:
            continue
        shares = _shares(hyp, *times[key])
        near = np.flatnonzero(shares >= LEAST_SHARE)
        if len(near) > 1:
            raise _ambiguous(str(hyp.item.id), path, (str(of_home[key][i].item.id) for i in near), other)
        for i in near:
            id = str(of_home[key][i].item.id)
            if id in taken:
                raise _ambiguous(id, other, [taken[id], str(hyp.item.id)], path)
            taken[id] = str(hyp.item.id)
            found[hyp.item.id] = (id, round(float(shares[i]), 3))
    return found


def _shares(hyp: Stretch, begins: Times, ends: Times) -> Times:
    """What each reference has in common with a hypothesis, of the shorter of both; of a point, 1 if it is inside."""
    common = np.minimum(ends, hyp.end) - np.maximum(begins, hyp.begin)
    shorter = np.minimum(ends - begins, hyp.end - hyp.begin)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(shorter > 0, common / shorter, np.where(common >= 0, 1.0, -1.0))


def _home(refs: Sequence[Stretch], hyps: Sequence[Stretch]) -> Callable[[Stretch], tuple[str, ...]]:
    """What segments have to have in common: the recording; the channel, where there are several; and the speaker, where
    both sides call speakers alike."""
    both = [*refs, *hyps]
    channels = all(s.channel is not None for s in both) and any(
        len({s.channel for s in side if s.session == session}) > 1
        for side in (refs, hyps)
        for session in {s.session for s in side}
    )
    said, heard = ({s.speaker for s in side} for side in (refs, hyps))
    speakers = None not in said | heard and (said <= heard or heard <= said)

    def home(stretch: Stretch) -> tuple[str, ...]:
        channel = (str(stretch.channel).casefold(),) if channels else ()
        return (stretch.session, *channel, *((str(stretch.speaker),) if speakers else ()))

    return home


def _ambiguous(id: str, path: str, others: Iterable[str], other: str) -> InputError:
    named = " and ".join(list(others)[:2])
    return InputError(
        f"segment {id} overlaps {named} of {other} by half or more, so that times do not pair them: score words with "
        "times (ctm), or take fstmetrics speakers, which puts the words of each speaker in a row",
        path,
    )


def by_segments(sides: Sequence[Side], hypotheses: int) -> list[Side]:
    """Sides whose hypotheses are recordings with times of words, as words with times, where the first references are
    segments with times and the ids do not pair them.

    Raises:
        InputError: a recording with segments of several channels, of which the words could be; one without times; two
            recordings of one name.
    """
    found = list(sides)
    references = sides[hypotheses].items
    segments = _segments(references, sides[:hypotheses])
    if not segments or None in segments:
        return found
    known = {item.id for item in references}
    homes: dict[str, set[tuple[str, str]]] = {}
    for segment in segments:
        assert segment is not None
        homes.setdefault(segment.file.casefold(), set()).add((segment.file, segment.channel))
    for place, side in enumerate(sides[:hypotheses]):
        items = _loaded(side)
        if all(item.id in known for item in items) or None in map(_words_of, items):
            continue
        if any(isinstance(item.given, TimedWords) for item in items) and all(i.segment for i in references):
            continue  # pair as they are
        _refuse_same_names(references)
        channels = [_channel(item, homes, side.path) for item in items]
        _refuse_same_words(items, channels, side.path)
        words = [word for item in channels for word in item.given.texts]
        shared = sum(isinstance(word, SharedTime) for word in words)
        remark = (
            f"{side.path}: {counted(shared, 'word')} of {len(words)} without times of their own: the letters share the "
            "time of the segment, or what is left between neighbours; --resegment cuts at the fewest edits instead"
        )
        remarks = [*side.remarks, *([remark] if shared else [])]
        found[place] = replace(
            side, items=Items(tuple(channels), side.formats, side.path, remarks), stream=None
        )
    if any(new is not old for new, old in zip(found, sides, strict=True)):
        own = zip(references, segments, strict=True)
        timed = tuple(replace(item, segment=segment) for item, segment in own)
        found[hypotheses] = replace(sides[hypotheses], items=replace(references, items=timed))
    return found


def with_times_of_words(sides: Sequence[Side]) -> list[Side]:
    """Sides whose recordings are words with times, where their format has such.

    Raises:
        InputError: a word without a time of its own, which would be an estimate.
    """
    return [_with_times(side) if side.kinds and side.kinds[0].has_times else side for side in sides]


def _with_times(side: Side) -> Side:
    items = _loaded(side)
    if not items or any(isinstance(item.given, TimedWords) or item.timed is None for item in items):
        return side
    for item in items:
        if isinstance(item.timed, TimedWords):
            bare = [word for word in item.timed.texts if isinstance(word, SharedTime)]
            lacking = f"{bare[0].word!r:.80} has no time of its own" if bare else ""
        else:
            lacking = str(item.timed)
        if lacking:
            raise InputError(
                f"--times: item {item.id}: {lacking}; expected begin and end of each word: Whisper writes them with "
                "--word_timestamps True",
                side.path,
            )
    timed = tuple(replace(item, given=item.timed, text=None) for item in items)
    return replace(side, items=Items(timed, side.formats, side.path, side.remarks), stream=None)


def _loaded(side: Side) -> list[Item]:
    """The items of a side, each read; with the ids that a folder gives them."""
    items = chain.from_iterable(side.stream.blocks()) if side.stream else side.items.items
    return [
        replace(item.given.item(), id=item.id) if isinstance(item.given, Deferred) else item for item in items
    ]


def _recording(item: Item) -> str | None:
    """The recording that the fields of an item name, as written."""
    file = item.fields.get("session", item.fields.get("audio_filepath", item.fields.get("file")))
    return None if file is None else str(file)


def _refuse_same_names(references: Items) -> None:
    """Refuse references of two recordings that differ in their folders, endings or case alone."""
    files: dict[str, str] = {}
    for item in references:
        file = None if item.segment else _recording(item)
        if file is not None and (fault := same_name(files, name_of(file), file)):
            raise InputError(
                f"{fault}, and words pair with recordings by name: score one at a time, or give them names of their "
                "own",
                references.path,
            )


def _refuse_same_words(items: Sequence[Item], channels: Sequence[Item], path: str) -> None:
    """Refuse two items that are of one recording."""
    taken: dict[tuple[str, str], str | None] = {}
    for item, channel in zip(items, channels, strict=True):
        key = channel.given.home
        if key in taken:
            raise InputError(
                f"two recordings are called {str(taken[key])!r} and {str(item.id)!r}, which is one name: expected one "
                "file of words for each recording of the references",
                path,
            )
        taken[key] = item.id


def _segments(references: Items, hypotheses: Sequence[Side]) -> list[Segment | None]:
    """The segment of each; of Kaldi's data folders by file and channel where words of the hypotheses are called so."""
    segments = [_segment(item) for item in references]
    named = [item.fields.get(FILE_AND_CHANNEL) for item in references]
    if None in segments or None in named:
        return segments
    called = [(file, channel or "1") for file, _, channel in (str(name).partition(" ") for name in named)]
    homes = {(file.casefold(), channel.casefold()) for file, channel in called}
    words = [_words_of(item) for side in hypotheses for item in _loaded(side)]
    if homes.isdisjoint(each.home for each in words if isinstance(each, TimedWords)):
        return segments
    return [
        segment and replace(segment, file=file, channel=channel)
        for segment, (file, channel) in zip(segments, called, strict=True)
    ]


def _segment(item: Item) -> Segment | None:
    """When and in which recording an item was said, as its fields say; of a manifest, as its id of file and offset."""
    if item.segment is not None:
        return item.segment
    file = _recording(item)
    try:
        begin, end = times_in(item.fields, item.id)
    except FstmetricsError:
        return None
    if file is None or begin is None or end is None:
        return None
    return Segment(name_of(file), str(item.fields.get("channel", "1")), begin, end)


def _words_of(item: Item) -> TimedWords | str | None:
    """The words of a recording with their times, or what lacks them; None where no format of the file has times."""
    return item.given if isinstance(item.given, TimedWords) else item.timed


def _channel(item: Item, homes: Mapping[str, set[tuple[str, str]]], path: str) -> Item:
    """A recording as words with times, in the channel that its segments have; its own, if it says which."""
    words = _words_of(item)
    if not isinstance(words, TimedWords):
        raise InputError(
            f"words of {item.id} have no times to pair them by: {words}; give times, or --resegment, which cuts at the "
            "fewest edits",
            path,
        )
    own = homes.get(name_of(words.file).casefold(), {(words.file, words.channel)})
    if isinstance(item.given, TimedWords):
        file = next(iter(own))[0]
        return replace(item, given=replace(words, file=file))
    if len(own) > 1:
        raise InputError(
            f"has no channels, and the references have segments of channels {', '.join(sorted(c for _, c in own))}: "
            "give words with times and channels (ctm)",
            path,
        )
    ((file, channel),) = own
    return replace(item, id=f"{file}_{channel}", given=replace(words, file=file, channel=channel), text=None)
