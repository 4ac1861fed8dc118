"""NIST's stm: a timed segment a line, `file channel speaker begin end [<labels>] words`. Source: SCTK, infmts.htm.

Subsets of the segments, as comments declare them: `SubsetLabels`. `;; CATEGORY "1" "Gender" "..."` names what stands at
a position of a segment's labels `<O,F>`, counted from 0; `;; LABEL "F" "Female" "..."` a value. Source: the same,
"Using stm format for labeled utterance reports".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fstmetrics.data.fields import Fields
from fstmetrics.data.segments import ONLY, Segment, seconds
from fstmetrics.data.sessions import TurnFields
from fstmetrics.data.transcripts import OPEN_STRETCH
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats.plain import COMMENT, nist_sentence, transcript_lines
from fstmetrics.io.formats.trn import written_text
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS, Carries, WriteOptions, Writer, encoded, written_time
from fstmetrics.io.written_words import check_characters
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

# sclite leaves such segments out, and the words that fall into them.
IGNORED_WORD = "IGNORE_TIME_SEGMENT_IN_SCORING"
IGNORED = IGNORED_WORD.replace("_", "")
CARRIES = Carries("text", several=True, ids=True, choices=True, turns=True, unscored=True)


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
        left_out = (OF_TURNS[0], *(["labels"] if labels and any(labels) else []))
        segment = Segment(fields[0], fields[1], begin, end, IGNORED in text.upper().replace("_", ""))
        item = Item(id, None, "") if segment.ignored else nist_sentence(source, number, id, text)
        subsets = known.fields(labels) if labels else {}
        own = {**segment.fields(fields[2]), **subsets}
        yield replace(item, segment=segment, fields=own, left_out=left_out)


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


DECLARED = re.compile(r';;\s*(LABEL|CATEGORY)\s+"([^"]*)"\s*"([^"]*)"\s*"([^"]*)"')
# What a segment's own columns are called.
COLUMNS = ("file", "channel", "speaker", "start", "end", "duration")


class Declared(NamedTuple):
    """A label or a category.

    Attributes:
        id: of a label, what segments have; of a category, its position.
        title: for the head of a column; `//` is a line end.
        description: in full.
    """

    id: str
    title: str
    description: str


@dataclass
class SubsetLabels:
    """The labels and categories of a file, in its order.

    >>> known = SubsetLabels()
    >>> for line in [';; CATEGORY "0" "" ""', ';; CATEGORY "1" "Gender" "of the speaker"', ';; LABEL "F" "Female" ""']:
    ...     known.hear(line)
    >>> known.fields(["O", "f"])
    {'label1': 'O', 'gender': 'F'}
    """

    labels: list[Declared] = field(default_factory=list)
    categories: list[Declared] = field(default_factory=list)

    def hear(self, comment: str) -> None:
        """Take in a line of comment, which may declare something; what was declared before stays."""
        if found := DECLARED.match(comment):
            kind, *texts = found.groups()
            known = self.labels if kind == "LABEL" else self.categories
            if (declared := Declared(*texts)) not in known:
                known.append(declared)

    def fields(self, labels: Sequence[str]) -> Fields:
        """The labels of a segment by the titles of their categories, in small letters with `_` for spaces.

        A position without a title is `label1`, `label2`, ...; a title that is a column's name already is
        `label_NAME`. A label that differs from a declared one in case only is written as declared.
        """
        spelled = {label.id.casefold(): label.id for label in reversed(self.labels)}
        found = {}
        for position, label in enumerate(labels):
            if label:
                found[self._name(position)] = spelled.get(label.casefold(), label)
        return found

    def names(self, positions: int) -> list[str]:
        """What the fields of so many positions are called."""
        return list(map(self._name, range(positions)))

    def _name(self, position: int) -> str:
        titles = {category.id: category.title for category in self.categories}
        in_order = self.categories[position].title if position < len(self.categories) else ""
        title = titles.get(str(position), in_order)
        name = "_".join(title.replace("//", " ").casefold().split())
        if not name:
            return f"label{position + 1}"
        return f"label_{name}" if name in COLUMNS else name


def labels_in(text: str) -> list[str] | None:
    """The labels that a segment's text begins with; None where it begins with none.

    >>> labels_in("<O,f0,> good morning"), labels_in("good morning"), labels_in("<*> good")
    (['O', 'f0', ''], None, None)
    """
    first, _, _ = text.partition(" ")
    if not (first.startswith("<") and first.endswith(">")) or first == OPEN_STRETCH:
        return None
    return [label.strip() for label in first[1:-1].split(",")]


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a segment, by what its fields say of recording, speaker and times; the channel is 1 where they do not.

    Raises:
        FstmetricsError: an item without one of these, a name that is not one word; as of trn and `Turns`.
    """
    return encoded(options.turns.written(item, _line(item, options.turns.turn_of(item))) for item in items)


def _line(item: Item, turn: TurnFields) -> str:
    session, channel, speaker, begin, end = turn
    for what, name in (("recording", session), ("channel", channel or ONLY), ("speaker", speaker)):
        if name is None or name.split() != [name] or (what == "recording" and name.startswith(COMMENT)):
            found = "none" if name is None else shown(name)
            raise FstmetricsError(f"stm has a {what} of each segment, one word, and here is {found}")
        check_characters(what, name)
    if begin is None or end is None:
        raise FstmetricsError("stm has the begin and the end of each segment, and here are none")
    text = IGNORED_WORD if item.segment and item.segment.ignored else written_text(item)
    text = f"<> {text}" if labels_in(text) is not None else text  # no label, where a word looks like some
    times = f"{written_time(begin)} {written_time(end)}"
    return f"{session} {channel or ONLY} {speaker} {times} {text}".rstrip(" ") + "\n"


FORMAT = Format(
    "stm", "NIST stm, segments with times; scores ctm by time", read,
    writers=(Writer("stm", (".stm",), CARRIES, write),), by_lines=True, ids_from_times=True,
)  # fmt: skip
