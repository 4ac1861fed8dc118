"""Which format a file is in: by content where a format has a signature, then by name, then as text."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from types import MappingProxyType

from fstmetrics.errors import InputError
from fstmetrics.readers import (
    att,
    cards,
    ctm,
    far,
    kaldi_lattice,
    kaldi_text,
    nbest,
    network,
    openfst,
    plain,
    slf,
    stm,
    trn,
)
from fstmetrics.readers.base import Format, ReadOptions, Source
from fstmetrics.readers.kaldi_text import choose_text_format

# In the order of the help page.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        format.name: format
        for format in (
            plain.FORMAT,
            kaldi_text.FORMAT,
            trn.FORMAT,
            stm.FORMAT,
            ctm.FORMAT,
            nbest.FORMAT,
            nbest.LINES_FORMAT,
            nbest.KALDI_FORMAT,
            network.FORMAT,
            cards.FORMAT,
            slf.FORMAT,
            kaldi_lattice.FORMAT,
            openfst.FORMAT,
            far.FORMAT,
            att.FORMAT,
        )
    }
)
# Formats of plain sentences; a folder's other files are lattices, networks and n-best lists.
TEXT_FORMATS = (plain.FORMAT, kaldi_text.FORMAT, trn.FORMAT, stm.FORMAT, ctm.FORMAT)
# What a text is if it is nothing else.
LAST = (plain.FORMAT, kaldi_text.FORMAT)
# Content that can hardly be anything else, whatever the file is called; the surest first.
BY_CONTENT = (
    openfst.FORMAT,
    far.FORMAT,
    network.FORMAT,
    kaldi_lattice.FORMAT,
    cards.FORMAT,
    slf.FORMAT,
    nbest.FORMAT,
)
# Well-known formats that are not read: read as plain text they would give numbers that mean nothing.
UNSUPPORTED = {
    "Sphinx lattice": re.compile(rb"(?:#[^\n]*\n)*Frames \d+\s"),
    "SRILM word mesh": re.compile(rb"name [^\n]*\nnumaligns \d"),
    "SRILM word lattice": re.compile(rb"version 2\s*\nname "),
    "PFSG": re.compile(rb"name [^\n]*\nnodes \d"),
    "python lattice (PLF)": re.compile(rb"\(\(\('"),
    "Kaldi script file": re.compile(rb"\S+ [^\n]*\.(?:ark|gz|lats):\d+\r?(?:\n|$)"),
}
UNSUPPORTED_EXTENSIONS = {
    ".scp": "Kaldi script file",
}


class UnsupportedError(InputError):
    """A file in a format that is known by name only.

    Attributes:
        name: the format's name.
        is_text: whether it holds transcripts, and so counts as text among lattices.
    """

    def __init__(self, source: Source, name: str, options: ReadOptions, is_text: bool = False) -> None:
        self.name = name
        self.is_text = is_text
        super().__init__(
            f"looks like the format {name}, which is not supported yet; {_choose(options)}", source.path
        )


def recognise(source: Source, options: ReadOptions) -> Format:
    """The format of a file.

    Raises:
        InputError: it is none of the formats, or one that is known but not supported.
    """
    for format in BY_CONTENT:
        if format.sniff(source):
            return format
    for name, signature in UNSUPPORTED.items():
        if signature.match(source.data):
            raise UnsupportedError(source, name, options)
    for format in FORMATS.values():
        if format not in LAST and has_extension(source, format):
            return format
    for extension, name in UNSUPPORTED_EXTENSIONS.items():
        if source.name.endswith(extension):
            raise UnsupportedError(source, name, options, is_text=True)
    for format in (att.FORMAT, stm.FORMAT, ctm.FORMAT, trn.FORMAT):
        if format.sniff(source):
            return format
    if source.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise source.error("looks like UTF-16 text; convert it to UTF-8", byte=0)
    if looks_binary(source):
        raise source.error(f"format not recognised; {_choose(options)}")
    return choose_text_format(source, options)


def has_extension(source: Source, format: Format) -> bool:
    """Whether the file's name suggests the format."""
    return source.name.endswith(format.extensions)


def looks_binary(source: Source) -> bool:
    """Whether a file is no text of any encoding that is a superset of ASCII."""
    return not plain.looks_like_text(source) and any(byte < 9 for byte in source.data[:65536])


def by_name(name: str) -> Format:
    """The format of a name.

    Raises:
        InputError: there is none of that name.
    """
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}; choose one of: {', '.join(FORMATS)}")
    return FORMATS[name]


def _choose(options: ReadOptions) -> str:
    return f"convert it, or say with {options.format_option} what it is (docs/formats.md)"
