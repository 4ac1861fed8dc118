"""Files and folders converted: `convert`, item by item, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from fstmetrics.conversion.fitting import Fitting
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.lattice import Scales
from fstmetrics.networks.convert import MAX_ARCS, from_machines
from fstmetrics.output import whole_bytes, whole_folder, write_whole
from fstmetrics.phrases import Call, parse_phrase
from fstmetrics.readers import FORMATS
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.deferred import Deferred
from fstmetrics.readers.recognise import by_head, by_name, recognise
from fstmetrics.readers.registry import folder_plan
from fstmetrics.readers.specifier import resolve
from fstmetrics.readers.symbols_file import read_symbols
from fstmetrics.readers.writing import Numbering, WriteOptions, Writer
from fstmetrics.transcripts import Notation

WRITERS: Mapping[str, Writer] = {w.name: w for format in FORMATS.values() for w in format.writers}
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
    """

    formats: tuple[str, ...]
    to: str
    items: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    numbered: str = ""


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
        progress: told of every item, by passing them on.

    Returns:
        What was done. Where it raises, nothing is written.

    Raises:
        FstmetricsError: something that cannot be read, cannot be written, or would be lost.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = (Path(folder) / "hyp.txt").write_text("the cat\\n")
    >>> convert(f"{folder}/hyp.txt", f"{folder}/hyp.trn").numbered
    'hyp-000001'
    >>> (Path(folder) / "hyp.trn").read_text()
    'the cat (hyp-000001)\\n'
    """
    into_folder = target.endswith("/") or os.path.isdir(target)
    writer = _writer(target, to)
    _refuse_overwriting(source, target, write_symbols)
    options = ReadOptions(symbols, alternations=alternations, weights=weights, tell_left_out=True)
    formats, items = _items(source, format, options)
    numbering = _numbering(writer, symbols, write_symbols)
    fitting = Fitting(writer.carries, WriteOptions(numbering, max_arcs), scales, lossy)
    done = Conversion(formats, writer.name)
    if writer.carries.content == "network" and "far" in formats:
        items = _networks(items, _stem(source))
    fitted = _fitted(progress(items), fitting, done, source, into_folder)
    with ExitStack() as stack:
        if into_folder:
            folder = stack.enter_context(whole_folder(target.rstrip("/") or "/"))
            _write_folder(fitted, folder, writer, fitting.options)
        else:
            if not writer.carries.several:
                fitted = _only(fitted, writer.name, target)
            stream = stack.enter_context(whole_bytes(target))
            for piece in writer.pieces(fitted, fitting.options):
                stream.write(piece)
        if write_symbols is not None and numbering is not None:
            write_whole(write_symbols, numbering.text())
    return done


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


def _items(path: str, format: str | None, options: ReadOptions) -> tuple[tuple[str, ...], Iterator[Item]]:
    """The formats, and the items as they are read: one file in memory at a time, of an archive one item."""
    path, format = resolve(path, format)
    chosen = None if format is None else by_name(format)
    if path != "-" and os.path.isdir(path):
        plan = folder_plan(Path(path), chosen, options)
        return tuple(dict.fromkeys(f.name for _, f in plan)), _of_files(plan, options)
    streamed = (chosen or by_head(Path(path))) if path != "-" and os.path.isfile(path) else None
    if streamed is not None and streamed.stream is not None:
        return (streamed.name,), _read_now(streamed.stream(Path(path), options))
    source = Source.open(path)
    chosen = chosen or recognise(source, options)
    items = chosen.read(source, options)
    if path == "-":  # has no name that could be an id
        items = (replace(item, id=None) if item.id == source.stem else item for item in items)
    return (chosen.name,), items


def _of_files(plan: list[tuple[Path, Format]], options: ReadOptions) -> Iterator[Item]:
    for path, format in plan:
        if format.stream is not None:
            yield from _read_now(format.stream(path, options))
        else:
            yield from format.read(Source.open(path), options)


def _read_now(items: Iterator[Item]) -> Iterator[Item]:
    return (item.given.item() if isinstance(item.given, Deferred) else item for item in items)


def _stem(path: str) -> str:
    return "item" if path == "-" else Source(path.rstrip("/"), b"").stem


def _networks(machines: Iterator[Item], stem: str) -> Iterator[Item]:
    """An archive whose machines call one another is one network, any other as many as it has machines."""
    items = list(machines)
    if any(isinstance(token, Call) for item in items for token in _tokens(item)):
        network = from_machines({item.value.id: item.value for item in items}, id=stem)
        return iter([Item(stem, network)])
    return iter(items)


def _tokens(item: Item) -> Iterator[object]:
    for word in item.value.symbols.words[1:]:
        if word.startswith("["):
            yield from parse_phrase(word)


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
    items: Iterator[Item], fitting: Fitting, done: Conversion, source: str, into_folder: bool
) -> Iterator[Item]:
    """Items as they are to be written, with ids where the format wants them; keeps the accounts."""
    carries, ids = fitting.carries, set[str]()
    wants_id = carries.ids or into_folder
    for number, item in enumerate(items, 1):
        if item.id is None and wants_id:
            is_ranked = carries.content == "n-best" and carries.scores
            # Lists without ids are numbered as decoders do it.
            item = replace(item, id=str(number - 1) if is_ranked else f"{_stem(source)}-{number:06}")
            done.numbered = done.numbered or (item.id or "")
        name = "" if item.id is None else item.id
        if wants_id and name in ids:
            raise InputError(f"the id {name!r} comes twice", source)
        ids.add(name)
        try:
            fitted, lost = fitting.fit(
                _without_id(item, carries.ids or into_folder, carries.several), done.to
            )
        except InputError:
            raise
        except FstmetricsError as error:
            raise InputError(f"item {name or number}: {error}", source) from None
        done.items = number
        for what in lost:
            done.lost[what] = done.lost.get(what, 0) + 1
        yield fitted


def _without_id(item: Item, has_ids: bool, several: bool) -> Item:
    """An id is lost where a file holds several items without; where it holds one, its name is the id."""
    if item.id is None or has_ids or not several:
        return item
    return replace(item, id=None, left_out=(*item.left_out, "ids"))


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


def _write_folder(items: Iterator[Item], folder: Path, writer: Writer, options: WriteOptions) -> None:
    ending = writer.extensions[0] if writer.extensions else f".{writer.name}"
    for item in items:
        with (folder / _file_name(item.id or "", ending)).open("xb") as stream:
            for piece in writer.pieces(iter([item]), options):
                stream.write(piece)


def _file_name(id: str, ending: str) -> str:
    """The name of an item's file. Ids come from files, and must not lead anywhere else."""
    if (
        not id
        or id.startswith(".")
        or "/" in id
        or "\\" in id
        or not id.isprintable()
        or len(id.encode()) > MAX_NAME
    ):
        raise FstmetricsError(f"the id {id!r} is no name for a file; an archive may hold it")
    return id + ending
