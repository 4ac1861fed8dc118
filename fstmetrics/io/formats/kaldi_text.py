"""Kaldi text: `id w1 w2 ...` lines. Whether a text is this or plain text, no content settles: `io.ids` has the rule."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics import _native
from fstmetrics._native import TextColumn
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.io.arcs import INTEGER, misfit, take_id
from fstmetrics.io.blocks import Block
from fstmetrics.io.formats import plain
from fstmetrics.io.formats.plain import sentence
from fstmetrics.io.ids import KnownIds, Lines, settle
from fstmetrics.io.items import Format, Item, ReadOptions, remark_on_open
from fstmetrics.io.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.io.written_words import checked_id, checked_line, read_symbols
from fstmetrics.support.source import Source


def choose_text_format(source: Source, options: ReadOptions) -> Format:
    """Whether the lines of a text begin with ids, as far as the file and the ids of the other side tell.

    Raises:
        InputError: the file is not UTF-8, or neither ids nor words is certain.
    """
    (has_ids,), _ = settle([Lines(source, options.format_option)], KnownIds([options.known_ids]))
    return FORMAT if has_ids else plain.FORMAT


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids; an id alone is an empty sentence.

    Raises:
        InputError: a blank line before the end, an id that was there before, an integer that the symbol table lacks,
            words among integers where there is a table, or a choice that is not closed.
    """
    names = None if options.symbols is None else read_symbols(options.symbols)
    integers: bool | None = None  # as of the first label
    seen: dict[str, int] = {}
    for number, line in source.lines_of_items():
        fields = line.split(None, 1)
        if not fields:
            raise source.error(
                "blank line; expected `id word word ...`, and of an empty sentence the id alone", number
            )
        id, text = fields[0], fields[1] if len(fields) > 1 else ""
        take_id(source, id, number, seen)
        if names is not None:
            labels = text.split()
            if integers is None and labels:
                integers = INTEGER.fullmatch(labels[0]) is not None
            try:
                text = " ".join(_words(labels, bool(integers), names))
            except ValueError as error:
                raise source.error(str(error), number) from None
        yield sentence(source, number, id, text.rstrip(), options)


def block(source: Source, options: ReadOptions) -> Block | None:
    """The same as columns, where lines are words as they are and nothing is wrong with ids and choices.

    Raises:
        InputError: the file is not UTF-8.
    """
    if options.symbols is not None:
        return None
    lines = source.stored_lines(has_ids=True) if source.have_different_ids() else None
    columns = _native.id_lines(source.utf8) if lines is None else (lines.ids, lines.texts)
    if columns is None:
        return None
    ids, texts = columns
    values = (
        texts if options.alternations is None else TranscriptColumn.of(texts, options.alternations, ids=ids)
    )
    if values is None:
        return None
    remark_on_open(source, options)
    return Block(ids, values)


def _words(labels: list[str], integers: bool, names: dict[int, str]) -> list[str]:
    """Words of integer labels, as Kaldi's .tra files have them; words that are words already stay, or ValueError."""
    for label in labels:
        if message := misfit(label, integers):
            raise ValueError(message)
        if integers and (int(label) < 0 or int(label) not in names):
            problem = "is negative" if int(label) < 0 else "is not in the symbol table"
            raise ValueError(f"label {label} {problem}")
    return [names[int(label)] for label in labels if int(label) != 0] if integers else labels


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """An `id word word ...` line an item.

    Raises:
        FstmetricsError: an id or a word with white space in it.
    """
    return encoded(f"{checked_id(i)} {checked_line(i.value, i.text)}".rstrip() + "\n" for i in items)


def write_blocks(blocks: Iterator[Block]) -> Iterator[bytes]:
    """The same of blocks. Of a block of native columns ids and words are known to be writable."""
    for block in blocks:
        ids, texts = block.ids, block.values
        if isinstance(ids, TextColumn) and isinstance(texts, TextColumn):
            yield _native.id_text_lines(ids, texts)
        else:
            yield from write(iter(block), WriteOptions())


WRITER = Writer("kaldi-text", (), Carries("text", several=True, ids=True), write, write_blocks)
FORMAT = Format(
    "kaldi-text", "Kaldi text, `id word word ...` lines", read, sniff=lambda source: source.is_text,
    block=block, writers=(WRITER,), by_lines=True, takes_symbols=True,
)  # fmt: skip
