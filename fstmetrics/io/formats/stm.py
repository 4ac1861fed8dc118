"""NIST's stm: a timed segment a line, `file channel speaker begin end [<labels>] words`. Source: SCTK, infmts.htm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fstmetrics.data.segments import Segment, seconds
from fstmetrics.io.formats.plain import COMMENT, nist_sentence, transcript_lines
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.subset_labels import SubsetLabels, labels_in
from fstmetrics.support.source import Source

# sclite leaves such segments out, and the words that fall into them.
IGNORED = "IGNORETIMESEGMENTINSCORING"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The segments, with an id of file, channel, begin and end, all as written; and of the speaker, where several speak
    at exactly the same time; and of the line, where sessions are read and a speaker has two segments of the same times.

    Raises:
        InputError: a line without times, the same segment twice, a segment that ends before it begins, or a choice that
            is not closed.
    """
    seen: dict[str, int] = {}
    lines: set[str] = set()
    known = subset_labels(source)
    together = _spoken_together(source)
    for number, line in transcript_lines(source):
        fields = line.split(None, 5)
        begin, end = (seconds(field) for field in (fields[3:5] if len(fields) > 4 else ("", "")))
        if begin is None or end is None:
            raise source.error(
                "expected `file channel speaker begin end [<labels>] words`, times in seconds", number
            )
        if end < begin:
            raise source.error(f"the segment ends at {end:g}, before it begins at {begin:g}", number)
        text = fields[5] if len(fields) > 5 else ""
        if (labels := labels_in(text)) is not None:
            text = text.partition(" ")[2]
        id = "_".join((*fields[:2], *fields[3:5]))
        if id in together:
            id = f"{id}_{fields[2]}"
        if id in seen:
            if not options.in_sessions or line in lines:
                raise source.error(f"the same segment is already in line {seen[id]}", number)
            id = f"{id}_{number}"
        seen[id] = number
        lines.add(line)
        segment = Segment(fields[0], fields[1], begin, end, IGNORED in text.upper().replace("_", ""))
        item = Item(id, None, "") if segment.ignored else nist_sentence(source, number, id, text)
        subsets = known.fields(labels) if labels else {}
        yield replace(item, segment=segment, fields={**segment.fields(fields[2]), **subsets})


def _spoken_together(source: Source) -> set[str]:
    """Ids that segments of several speakers would have."""
    speaker_of: dict[str, str] = {}
    found: set[str] = set()
    for _, line in transcript_lines(source):
        fields = line.split(None, 5)
        if len(fields) > 4:
            id = "_".join((*fields[:2], *fields[3:5]))
            if speaker_of.setdefault(id, fields[2]) != fields[2]:
                found.add(id)
    return found


def subset_labels(source: Source) -> SubsetLabels:
    """What the comments of a file declare, wherever they stand, as for sclite."""
    known = SubsetLabels()
    for _, line in source.lines():
        if line.lstrip().startswith(COMMENT):
            known.hear(line.strip())
    return known


FORMAT = Format(
    "stm", "NIST stm, segments with times; scores ctm by time", read,
    by_lines=True, ids_from_times=True,
)  # fmt: skip
