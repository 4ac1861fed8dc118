"""Kaldi text: `id w1 w2 ...` lines. Also the choice between this and plain text, which no content settles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.readers.arcs import INTEGER, misfit, shown
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.checks import checked_id, checked_line
from fstmetrics.readers.formats import plain
from fstmetrics.readers.sentences import sentence
from fstmetrics.readers.symbols_file import read_symbols
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded

# The name that Kaldi gives to its transcript files.
KALDI_NAME = "text"
# weather001_001, utt-12, AMI-3E05, 0001. A hyphen at the end is a word broken off ("this- is it").
LOOKS_LIKE_ID = re.compile(r"(?=.*[\d_-])[^\W_](?:\S*[^\W_])?")


def choose_text_format(source: Source, options: ReadOptions) -> Format:
    """Whether the lines of a text file begin with ids.

    They do if the caller knows ids (those of the other side) and a line begins with one of them; where
    those are plain numbers, with which sentences may well begin, too, if most of the lines do. Where no
    ids are known, they do if the lines' first words are all different and all look like ids: they
    contain a digit, an underscore or a hyphen, and begin and end with a letter or digit. A file with
    Kaldi's name `text` has ids if the first words are different. All other files are plain.

    Raises:
        InputError: the file is not UTF-8.
    """
    firsts = [(line.split(None, 1) or [""])[0] for _, line in source.lines()]
    known = sum(first in options.known_ids for first in firsts)
    if known and (2 * known > len(firsts) or not all(map(str.isdecimal, options.known_ids))):
        return FORMAT
    if not firsts or not all(firsts) or len(set(firsts)) < len(firsts):
        return plain.FORMAT
    if source.name == KALDI_NAME:
        return FORMAT
    looks = not options.known_ids and all(LOOKS_LIKE_ID.fullmatch(first) for first in firsts)
    return FORMAT if looks else plain.FORMAT


def sniff(source: Source) -> bool:
    """Whether the lines of a text file begin with ids, as far as the file itself tells."""
    return plain.looks_like_text(source) and choose_text_format(source, ReadOptions()) is FORMAT


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids; an id alone is an empty sentence.

    Raises:
        InputError: a blank line, an id that was there before, an integer that the symbol table lacks, words among
            integers where there is a table, or a choice that is not closed.
    """
    names = None if options.symbols is None else read_symbols(options.symbols)
    integers: bool | None = None  # as of the first label
    seen: dict[str, int] = {}
    for number, line in source.lines():
        fields = line.split(None, 1)
        if not fields:
            raise source.error("blank line; expected `id word word ...`", number)
        id, text = fields[0], fields[1] if len(fields) > 1 else ""
        if id in seen:
            raise source.error(f"id {shown(id)} is already in line {seen[id]}", number)
        seen[id] = number
        if names is not None:
            labels = text.split()
            if integers is None and labels:
                integers = INTEGER.fullmatch(labels[0]) is not None
            try:
                text = " ".join(_words(labels, bool(integers), names))
            except ValueError as error:
                raise source.error(str(error), number) from None
        yield sentence(source, number, id, text.rstrip(), options)


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


WRITER = Writer("kaldi-text", (), Carries("text", several=True, ids=True), write)
FORMAT = Format("kaldi-text", "Kaldi text, `id word word ...` lines", (), sniff, read, (WRITER,))
