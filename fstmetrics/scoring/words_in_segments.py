"""Recordings whose words have times, as ctm and Whisper's JSON, beside references in segments: `by_segments`.

The words of each segment are found by their times later, in the recording and channel that its segments name.
`with_times_of_words` is for calls that compare the times themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from fstmetrics.data.segments import FILE_AND_CHANNEL, Segment, SharedTime, TimedWords, times_in
from fstmetrics.data.sessions import same_name
from fstmetrics.io import Item, Items
from fstmetrics.io.ids import name_of
from fstmetrics.io.items import Deferred
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    from fstmetrics.scoring.run_sides import Side


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
