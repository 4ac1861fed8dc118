"""Files and folders converted: `convert`, item by item, whole or not at all.

Whether a file that was written will be taken for what it is: `Beginning`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import BinaryIO

from fstmetrics.convert.accounts import (
    Conversion,
    Each,
    Faults,
    Fitted,
    Told,
    file_name,
    told_items,
)
from fstmetrics.convert.fitting import Fitting
from fstmetrics.convert.sources import Place, apart, networks
from fstmetrics.data.lattice import Scales
from fstmetrics.data.transcripts import Notation
from fstmetrics.io import FORMATS
from fstmetrics.io.blocks import Block
from fstmetrics.io.column_roles import NO_TABLE, TableOptions, given_fields
from fstmetrics.io.detection.formats_and_refusals import FORMS, is_by_form
from fstmetrics.io.file_format import by_beginning, recognise
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.reading import (
    each_block,
    refuse_unused_symbols,
    refuse_unused_weights,
    remark_on_table,
)
from fstmetrics.io.weights_file import OPTIONS_OF_SCALES
from fstmetrics.io.writing import ByteOrderMark, WriteOptions, Writer
from fstmetrics.io.written_words import Numbering, read_symbols
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.output import refuse_overwriting, whole_bytes, whole_folder, write_whole
from fstmetrics.support.source import Source
from fstmetrics.support.source import file_name as path_name

# Told of blocks of items, by passing them on.
Progress = Callable[[Iterator[Block]], Iterator[Block]]


def unseen(blocks: Iterator[Block]) -> Iterator[Block]:
    """The same; nobody is told."""
    return blocks


WRITERS: Mapping[str, Writer] = {w.name: w for format in FORMATS.values() for w in format.writers}
# The formats of the files that writers write.
READ_AS: Mapping[str, Format] = {w.name: format for format in FORMATS.values() for w in format.writers}

# How `convert` takes scales.
_SCALE = "--scale lm={lm!r},acoustic={acoustic!r},word-penalty={word_penalty!r}"


def convert(
    source: str,
    target: str,
    *,
    format: str | None = None,
    to: str | None = None,
    symbols: str | None = None,
    write_symbols: str | None = None,
    scales: Scales | None = None,
    alternations: Notation | None = None,
    weights: str | None = None,
    lossy: bool = False,
    max_arcs: int = MAX_ARCS,
    frame_length: float | None = None,
    progress: Progress = unseen,
    faulty: Told | None = None,
    each: Each | None = None,
    only_lattices: bool = False,
    fields: Sequence[str] = (),
) -> Conversion:
    """Write what is in a file or folder in another format.

    Args:
        source: a file, a folder, or "-" for standard input.
        target: a file, "-" for standard output; or, where it ends with a slash or is a folder, a folder that gets a
            file an item. The ending `.gz` packs it.
        format: what to read; by default it is recognised.
        to: a name of `WRITERS`; by default what the target's ending says.
        symbols: a symbol table file: the words of numbers read, and the numbers of words where numbers are written.
        write_symbols: a symbol table file to be written; words are then written as its numbers.
        scales: what costs are multiplied by before they are written.
        alternations: how plain and Kaldi text write choices.
        weights: a file of feature weights, by which hypergraphs have costs.
        lossy: whether what the format has no room for may be left out.
        max_arcs: how large the expansion of a network may become.
        frame_length: seconds a frame, where times in frames are to be written in seconds.
        progress: told of all items, in blocks, by passing them on.
        faulty: told of every item that cannot be read or written, which is then left out; without it, the first one is
            raised. Where the format has no ids, and an order is all that tells items apart, it is raised in any case.
        each: what is written of an item instead of it; None: the item.
        only_lattices: whether anything but a lattice is an item that cannot be written.
        fields: which columns of a table are the id and the text, `id=...,ref=...` or `id=...,hyp=...`.

    Returns:
        What was done. Where it raises, nothing is written.

    Raises:
        FstmetricsError: something that cannot be read, cannot be written, or would be lost; or that is all there is.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp.txt").write_text("the cat\\n")
    >>> convert(f"{folder}/hyp.txt", f"{folder}/hyp.trn").numbered
    'hyp-000001'
    >>> (folder / "hyp.trn").read_text()
    'the cat (hyp-000001)\\n'
    """
    if frame_length is not None and not 0 < frame_length < math.inf:
        raise FstmetricsError(f"the frame length is {frame_length:g} seconds, expected a number above 0")
    into_folder = target.endswith("/") or os.path.isdir(target)
    writer = _writer(target, to)
    refuse_overwriting((target, write_symbols), (source, symbols, weights))
    told: dict[str, None] = {}
    options = ReadOptions(
        symbols,
        alternations=alternations,
        weights=weights,
        tell_left_out=True,
        in_turns=writer.carries.turns,
        remark=told.setdefault,
        table=TableOptions(given=given_fields(fields)),
    )
    if options.symbols is not None:
        remark_on_table(options.symbols, options.remark)
    place = Place(source)
    are_columns = writer.write_blocks is not None and writer.carries.content == "lattice" and scales is None
    in_blocks = (are_columns or (each is not None and writer.carries.several)) and not into_folder
    formats, blocks = each_block(source, format, options, place.enter)
    if fields and not any(FORMATS[name].has_sides for name in formats):
        raise InputError(NO_TABLE, source)
    refuse_unused_weights(weights, formats, _SCALE if each is None else OPTIONS_OF_SCALES)
    numbering = _numbering(writer, symbols, write_symbols)
    if numbering is None:
        refuse_unused_symbols(symbols, [(source, formats)])
    fitting = Fitting(writer.carries, WriteOptions(numbering, max_arcs), scales, lossy, frame_length)
    done = Conversion(formats, writer.name, format=READ_AS[writer.name].name)
    done.remarks = told.keys()
    if format is None and "kaldi-text" in formats:
        options.remark(
            f"{source} read as kaldi-text (the first word of a line is its id); --format plain to change that"
        )
    if (
        format is None
        and len(formats) == 1
        and is_by_form(formats[0], path_name(source))
        and not os.path.isdir(source)
    ):
        options.remark(
            f"{source} read as {formats[0]} ({FORMS[formats[0]]}); --format plain to change that, if these are words"
        )
    done.rounding = writer.carries.rounding.name if writer.carries.rounding else ""
    holds_calls = writer.carries.content == "network" or (writer.carries.calls and not into_folder)
    if holds_calls and "far" in formats:
        blocks = networks(chain.from_iterable(map(told_items, blocks)), source)
        place.file = source  # all have been read
    elif "far" in formats and writer.name != "far":
        blocks = apart(blocks, source, done.lost, lossy)
    ordered = writer.carries.several and not writer.carries.ids and not into_folder
    faults = Faults(faulty, writer.name if ordered else "")
    fitter = Fitted(fitting, writer, done, place, into_folder, faults, each, only_lattices)
    blocks = progress(blocks)
    with ExitStack() as stack:
        if into_folder:
            folder = stack.enter_context(whole_folder(target.rstrip("/") or "/"))
            for item in fitter.items(blocks):
                name = file_name(item.id or "", writer, place)
                with (folder / name).open("xb") as file:
                    pieces = _placed(writer.pieces(iter([item]), fitting.options), place)
                    _write(file, pieces, os.path.join(target, name), done)
        elif in_blocks:
            stream = stack.enter_context(whole_bytes(target))
            pieces = _placed(writer.block_pieces(fitter.blocks(blocks), fitting.options), place)
            _write(stream, pieces, target, done)
        else:
            fitted = fitter.items(blocks)
            if not writer.carries.several:
                fitted = _only(fitted, writer.name, target)
            stream = stack.enter_context(whole_bytes(target))
            _write(stream, _placed(writer.pieces(fitted, fitting.options), place), target, done)
        if faults.count and not done.items:
            raise FstmetricsError(f"{source}: no item can be written, so {target} is not")
        if write_symbols is not None and numbering is not None:
            write_whole(write_symbols, numbering.text())
    return done


def _placed(pieces: Iterator[bytes], place: Place) -> Iterator[bytes]:
    try:
        yield from pieces
    except ByteOrderMark as error:  # found when later items have been read
        raise InputError(str(error), place.file) from None
    except FstmetricsError as error:
        raise place.fault(error) from None


def _writer(target: str, to: str | None) -> Writer:
    if to is not None:
        if to not in WRITERS:
            raise FstmetricsError(f"format {to!r} is not written; those that are: {', '.join(WRITERS)}")
        return WRITERS[to]
    name = target.removesuffix(".gz")
    found = [(end, w) for w in WRITERS.values() for end in w.extensions if name.endswith(end)]
    if not found:
        known = ", ".join(f"{w.extensions[0]} ({w.name})" for w in WRITERS.values() if w.extensions)
        raise FstmetricsError(
            f"{target}: the ending names no format that is written; give --to, or one of {known}"
        )
    return max(found, key=lambda pair: len(pair[0]))[1]


def _numbering(writer: Writer, symbols: str | None, write_symbols: str | None) -> Numbering | None:
    if write_symbols is not None:
        if writer.carries.numbers == "never":
            raise FstmetricsError(
                f"--write-symbols is for formats that can hold numbers; {writer.name} holds words"
            )
        return Numbering()
    if symbols is not None and writer.carries.numbers == "always":
        return Numbering.of_table(read_symbols(symbols), symbols)
    return None


def _only(items: Iterator[Item], format: str, target: str) -> Iterator[Item]:
    """The one item there is.

    Raises:
        FstmetricsError: there is none, or more than one.
    """
    first = next(items, None)
    if first is None:
        raise FstmetricsError(f"{target}: there is nothing to write, and {format} holds one item a file")
    if (second := next(items, None)) is not None:
        folder = "FOLDER" if target == "-" else target.rstrip("/")
        raise FstmetricsError(
            f"{target}: more than one item ({first.id or 'the first'}, {second.id or 'the second'}, ...) in a format "
            f"that holds one a file, {format}; a folder gets a file an item: {folder}/ with --to {format}"
        )
    return iter([first])


def _write(stream: BinaryIO, pieces: Iterator[bytes], path: str, done: Conversion) -> None:
    beginning = Beginning(path)
    for piece in pieces:
        stream.write(piece)
        beginning.take(piece)
    if path != "-" and not done.misleading and not beginning.is_taken_for(READ_AS[done.to]):
        done.misleading = path


# Of larger files only what the beginning is enough to tell is looked at.
MAX_KEPT = 1 << 22


class Beginning:
    """What a file begins with, as it is written.

    >>> beginning = Beginning("out.txt")
    >>> beginning.take(b"utt-1 said\\nutt-2 heard\\n")
    >>> from fstmetrics.io import FORMATS
    >>> beginning.is_taken_for(FORMATS["plain"]), beginning.is_taken_for(FORMATS["kaldi-text"])
    (False, True)
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._data = bytearray()
        self._is_whole = True

    def take(self, piece: bytes) -> None:
        """The next piece of the file."""
        self._is_whole = self._is_whole and len(self._data) + len(piece) <= MAX_KEPT
        self._data += piece[: MAX_KEPT - len(self._data)]

    def is_taken_for(self, format: Format) -> bool:
        """Whether a reader that is not told recognises this format, as far as can be seen."""
        source = Source(self._path, bytes(self._data))
        if not source.data:
            return True
        try:
            found = recognise(source, ReadOptions()) if self._is_whole else by_beginning(source)
        except InputError:
            return False
        return found is None or found is format
