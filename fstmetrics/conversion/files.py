"""Files and folders converted: `convert`, item by item, whole or not at all."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from fstmetrics.conversion.fitting import Fitting
from fstmetrics.conversion.inputs import Place, items_of, machines_apart, networks, stem_of
from fstmetrics.conversion.numbered import Counted, id_of
from fstmetrics.conversion.read_back import Beginning
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.lattice import Scales
from fstmetrics.networks.convert import MAX_ARCS
from fstmetrics.output import whole_bytes, whole_folder, write_whole
from fstmetrics.readers import FORMATS
from fstmetrics.readers.base import Format, Item, ReadOptions
from fstmetrics.readers.symbols_file import read_symbols
from fstmetrics.readers.writing import ByteOrderMark, Numbering, WriteOptions, Writer
from fstmetrics.transcripts import Notation

WRITERS: Mapping[str, Writer] = {w.name: w for format in FORMATS.values() for w in format.writers}
# The formats of the files that writers write.
READ_AS: Mapping[str, Format] = {w.name: format for format in FORMATS.values() for w in format.writers}
# No file system takes longer names; the rest is for endings.
MAX_NAME = 200


@dataclass
class Conversion:
    """What was done.

    Attributes:
        formats: names of the formats read.
        to: the name of the format written.
        items: how many items were written.
        lost: what was left out, and of how many items.
        numbered: the id given to the first item, where items had none and the format wants some.
        counted: the id of the first item, where ids that only count items were left out.
        format: the name of the format that the files written are read as.
        misleading: the first file written that is taken for another format by a reader that is not told.
    """

    formats: tuple[str, ...]
    to: str
    items: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    numbered: str = ""
    counted: str = ""
    format: str = ""
    misleading: str = ""


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
    progress: Callable[[Iterator[Item]], Iterator[Item]] = lambda items: items,
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
        progress: told of every item, by passing them on.

    Returns:
        What was done. Where it raises, nothing is written.

    Raises:
        FstmetricsError: something that cannot be read, cannot be written, or would be lost.

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
    _refuse_overwriting(source, target, write_symbols)
    options = ReadOptions(symbols, alternations=alternations, weights=weights, tell_left_out=True)
    place = Place(source)
    formats, items = items_of(source, format, options, place)
    numbering = _numbering(writer, symbols, write_symbols)
    fitting = Fitting(writer.carries, WriteOptions(numbering, max_arcs), scales, lossy, frame_length)
    done = Conversion(formats, writer.name, format=READ_AS[writer.name].name)
    holds_calls = writer.carries.content == "network" or (writer.carries.calls and not into_folder)
    if holds_calls and "far" in formats:
        items = networks(items, source)
        place.file = source  # all have been read
    elif "far" in formats and writer.name != "far":
        items = machines_apart(items, source, done.lost, lossy)
    fitted = _fitted(progress(items), fitting, done, place, into_folder)
    with ExitStack() as stack:
        if into_folder:
            folder = stack.enter_context(whole_folder(target.rstrip("/") or "/"))
            for item in fitted:
                name = _file_name(item.id or "", writer, place)
                with (folder / name).open("xb") as file:
                    pieces = _pieces(writer, iter([item]), fitting.options, place)
                    _write(file, pieces, os.path.join(target, name), done)
        else:
            if not writer.carries.several:
                fitted = _only(fitted, writer.name, target)
            stream = stack.enter_context(whole_bytes(target))
            _write(stream, _pieces(writer, fitted, fitting.options, place), target, done)
        if write_symbols is not None and numbering is not None:
            write_whole(write_symbols, numbering.text())
    return done


def _pieces(writer: Writer, items: Iterator[Item], options: WriteOptions, place: Place) -> Iterator[bytes]:
    try:
        yield from writer.pieces(items, options)
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


def _refuse_overwriting(source: str, *targets: str | None) -> None:
    for target in targets:
        if target == "":
            raise FstmetricsError("a file's name is empty")
        there = target not in (None, "-") and source != "-" and os.path.exists(source)
        if there and target is not None and os.path.exists(target) and os.path.samefile(source, target):
            raise FstmetricsError(f"{target}: would overwrite the input")


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


def _fitted(
    items: Iterator[Item], fitting: Fitting, done: Conversion, place: Place, into_folder: bool
) -> Iterator[Item]:
    """Items as they are to be written, with ids where the format wants them; keeps the accounts."""
    carries, ids, counted = fitting.carries, set[str](), Counted()
    wants_id, source = carries.ids or into_folder, place.file
    for number, item in enumerate(items, 1):
        if item.id is None and wants_id:
            is_ranked = carries.content == "n-best" and carries.scores
            # Lists without ids are numbered as decoders do it.
            item = replace(item, id=str(number - 1) if is_ranked else id_of(stem_of(source), number))
            done.numbered = done.numbered or (item.id or "")
        name = "" if item.id is None else item.id
        place.item = name or str(number)
        if wants_id and name in ids:
            raise InputError(
                f"the id {name!r} comes twice, and in {done.to} ids tell items apart; convert the files one by one",
                place.file,
            )
        ids.add(name)
        if item.id is not None and not wants_id and carries.several:
            # An id is lost where a file holds several items without; where it holds one, its name is the id.
            left_out = () if counted.takes(item.id, number) else ("ids",)
            item = replace(item, id=None, left_out=(*item.left_out, *left_out))
            done.counted = counted.first
        try:
            fitted, lost = fitting.fit(item, done.to)
        except FstmetricsError as error:
            raise place.fault(error) from None
        done.items = number
        for what in lost:
            done.lost[what] = done.lost.get(what, 0) + 1
        yield fitted


def _only(items: Iterator[Item], format: str, target: str) -> Iterator[Item]:
    """The one item there is.

    Raises:
        FstmetricsError: there is none, or more than one.
    """
    first = next(items, None)
    if first is None:
        raise FstmetricsError(f"{target}: there is nothing to write, and {format} holds one item a file")
    if (second := next(items, None)) is not None:
        raise FstmetricsError(
            f"{target}: more than one item ({first.id or 'the first'}, {second.id or 'the second'}, ...) in a format "
            f"that holds one a file, {format}; a folder gets a file an item: {target.rstrip('/')}/ with --to {format}"
        )
    return iter([first])


def _write(stream: BinaryIO, pieces: Iterator[bytes], path: str, done: Conversion) -> None:
    beginning = Beginning(path)
    for piece in pieces:
        stream.write(piece)
        beginning.take(piece)
    if path != "-" and not done.misleading and not beginning.is_taken_for(READ_AS[done.to]):
        done.misleading = path


def _file_name(id: str, writer: Writer, place: Place) -> str:
    """The name of an item's file. Ids come from files, and must not lead anywhere else."""
    ending = writer.extensions[0] if writer.extensions else f".{writer.name}"
    if (
        not id
        or id.startswith(".")
        or "/" in id
        or "\\" in id
        or not id.isprintable()
        or len(id.encode()) > MAX_NAME
    ):
        raise InputError(f"the id {id!r} is no name for a file; an archive may hold it", place.file)
    return id + ending
