"""sclite's trn: `w1 { w2 / w3 / @ } (id)` lines; `;;` begins a comment. Source: SCTK, infmts.htm.

A choice is written `{ other / @ }`, a word that references may leave out `(word)`, a stretch that may be anything
`<*>`; characters with a meaning have a backslash before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from fstmetrics import _native
from fstmetrics._native import TextColumn
from fstmetrics.data.lattice import word_arcs
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.data.transcripts import OPEN_STRETCH, Transcript, TranscriptColumn
from fstmetrics.io.arcs import take_id
from fstmetrics.io.blocks import Block
from fstmetrics.io.formats.plain import has_escapes, nist_sentence, transcript_lines
from fstmetrics.io.items import Format, Item, ReadOptions, remark_on_open
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.io.written_words import check_word, checked_id
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

# Lines of this form.
TRN = _native.TrnForm()
# Alternatives of one choice, written out; sclite reads a line into 100 kilobytes at most.
MAX_ALTERNATIVES = 1000
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "{};/\\"})


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line an item.

    Raises:
        FstmetricsError: a word or an id that the format cannot hold, or a choice of more than `MAX_ALTERNATIVES`.
    """
    return encoded(f"{written_text(item)} ({_id(item)})\n".lstrip() for item in items)


def _id(item: Item) -> str:
    id = checked_id(item)
    if "(" in id or ")" in id:
        raise FstmetricsError(
            f"the id {id!r} has parentheses in it, and trn has ids in parentheses; kaldi-text has room for it"
        )
    return id


def written_text(item: Item) -> str:
    """A sentence in sclite's notation; raises as of `write`."""
    if isinstance(item.value, Transcript):
        return " ".join(_pieces(item.value))
    return " ".join(map(written, item.value))


def written(word: str) -> str:
    r"""A word in sclite's notation, as the reader of trn takes it back.

    Raises:
        FstmetricsError: a word with white space in it, or with what no text file holds.

    >>> written("{a}"), written("and/or"), written("@"), written("(uh)")
    ('\\{a\\}', 'and\\/or', '\\@', '\\(uh)')
    """
    check_word(word)
    text = word.translate(_SPECIAL)
    if word[0] not in "@(<":
        return text
    # As a whole, `@` is no word, `(uh)` one that may be left out, and `<*>` an open stretch.
    is_plain = Transcript.parse(text, "sclite", tags=True).words == (word,)
    return text if is_plain else f"\\{text}"


def _pieces(transcript: Transcript) -> Iterator[str]:
    """Words and choices, in order."""
    lattice = transcript.lattice
    leaving = _leaving(transcript)
    skips = {(before, end) for before, _, end in transcript.optional}
    ends = {c.start: c.end for c in transcript.choices if (c.start, c.end) not in skips}
    state, last = lattice.automaton.start, int(lattice.automaton.finals[0])
    while state != last:
        if state in ends:
            yield _choice(leaving, state, ends[state])
            state = ends[state]
        else:
            ((state, word),) = leaving[state]
            if word:
                yield word


def _leaving(transcript: Transcript) -> dict[int, list[tuple[int, str]]]:
    """Of each state, the destinations and words of its arcs, as they are written; an open stretch, which is a loop, is
    the way to it."""
    lattice = transcript.lattice
    optional = {(before, behind) for before, behind, _ in transcript.optional}
    skips = {(before, end) for before, _, end in transcript.optional}
    leaving: dict[int, list[tuple[int, str]]] = {}
    arcs = list(word_arcs(lattice))
    loops = {source for source, _, word in arcs if word == WILDCARD}
    for source, destination, word in arcs:
        if word != WILDCARD and (source, destination) not in skips:
            spelled = OPEN_STRETCH if destination in loops else word and written(word)
            is_optional = (source, destination) in optional
            leaving.setdefault(source, []).append((destination, f"({spelled})" if is_optional else spelled))
    return leaving


def _choice(leaving: dict[int, list[tuple[int, str]]], start: int, end: int) -> str:
    """The paths between two states as alternatives, nested choices written out."""
    paths = dict.fromkeys(islice(_paths(leaving, start, end), MAX_ALTERNATIVES + 1))
    if len(paths) > MAX_ALTERNATIVES:
        raise FstmetricsError(
            f"a choice has more than {MAX_ALTERNATIVES} alternatives; a lattice format holds them"
        )
    return f"{{ {' / '.join(' '.join(path) or '@' for path in paths)} }}"


def _paths(leaving: dict[int, list[tuple[int, str]]], start: int, end: int) -> Iterator[tuple[str, ...]]:
    pending: list[tuple[int, tuple[str, ...]]] = [(start, ())]
    while pending:
        state, said = pending.pop()
        if state == end:
            yield said
        else:
            arcs = reversed(leaving[state])
            pending += [(after, (*said, word) if word else said) for after, word in arcs]


WRITER = Writer("trn", (".trn",), Carries("text", several=True, ids=True, choices=True), write)


_LINE = re.compile(r"(?P<text>.*)\((?P<id>[^()]*)\)\s*")


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids. Those that leave a choice are Transcripts.

    Raises:
        InputError: a line without an id, an id that was there before, or as of `nist_sentence`.
    """
    seen: dict[str, int] = {}
    for number, line in transcript_lines(source):
        match = _LINE.fullmatch(line)
        if not match or not (id := match["id"].strip()):
            raise source.error("expected `word word ... (id)`, found no id in parentheses at the end", number)
        take_id(source, id, number, seen)
        yield nist_sentence(source, number, id, match["text"])


def block(source: Source, options: ReadOptions) -> Block | None:
    """The same as columns, where nothing is wrong with the lines.

    Raises:
        InputError: the file is not UTF-8.
    """
    columns = _plain_columns(source) or (None if has_escapes(source.utf8) else _columns_with_choices(source))
    if columns is None:
        return None
    remark_on_open(source, options)
    return Block(*columns)


def _plain_columns(source: Source) -> tuple[TextColumn, TextColumn] | None:
    """Ids and texts, where no text has a character with a meaning."""
    if source.is_text and not source.survey(TRN).is_plain:
        return None
    lines = source.stored_lines(TRN) if source.have_different_ids(TRN) else None
    return _native.trn_lines(source.utf8) if lines is None else (lines.ids, lines.texts)


def _columns_with_choices(source: Source) -> tuple[TextColumn, TranscriptColumn] | None:
    """The same of texts that leave choices."""
    columns = _native.marked_trn_lines(source.utf8)
    if columns is None:
        return None
    ids, texts = columns
    values = TranscriptColumn.of(texts, "sclite", True, ids)
    return None if values is None else (ids, values)


FORMAT = Format(
    "trn", "sclite trn, `word word ... (id)` lines with choices `{ a / b / @ }`", read,
    block=block, writers=(WRITER,), by_lines=True,
)  # fmt: skip
