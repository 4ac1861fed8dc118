"""Paths to items: `read_items`, all at once; `open_stream`, item by item; `read_one`, the one object of a file;
`read_text`, texts as calls of Python take them.

What a path holds is opened as a `Stream`, whose items come one after the other and can be read again from the
beginning, also where they come through a pipe, until `once` is asked for; or as `Items` with listings, where it is
known beforehand which items there are, and each is read when its turn comes. Both ask `Format.items`, whatever holds a
file. What only all of a file can tell, as text whether its lines begin with ids, is read at once.

Paths may be Kaldi's specifiers (`resolve`): `ark:FILE`, `ark,t:FILE`, `ark:-`, `scp:FILE`. `ark` says no more than its
file does: what it holds is recognised. `scp` means a script file. Options that only say how a table is gone through
(t, b, o, s, cs and their opposites) change nothing here. Commands, `ark:gunzip -c x.gz |`, are never run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from fstmetrics.data.transcripts import Notation, Transcript
from fstmetrics.io.blocks import Block, read_ahead, together
from fstmetrics.io.column_roles import ANY_SIDE, TableOptions
from fstmetrics.io.file_format import by_beginning, by_name, folder_plan, items_of_file
from fstmetrics.io.formats import FORMATS, kaldi_text, plain
from fstmetrics.io.items import (
    Deferred,
    FeatureOptions,
    Format,
    Item,
    Items,
    Listing,
    ReadOptions,
    all_once,
    called_by_file,
    twice,
)
from fstmetrics.io.written_words import read_symbols
from fstmetrics.support.arguments import PATH, STRING, takes
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import ONCE
from fstmetrics.support.file_sets import files_of, is_several, place_of
from fstmetrics.support.limits import check_size
from fstmetrics.support.output import refuse_overwriting
from fstmetrics.support.source import File, Pipe, Source, open_text

__all__ = ["read_all", "read_items", "read_one"]

Kind = TypeVar("Kind")


def read_items(
    path: str | Path | Source,
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    known_ids: frozenset[str] = frozenset(),
    alternations: Notation | None = None,
    weights: str | Path | None = None,
    format_option: str = "--format",
    table: TableOptions = ANY_SIDE,
    tag_candidates: str | None = None,
    features: FeatureOptions | None = None,
) -> Items:
    """Everything in a file, or in the files of a folder in the order of their names, lat.2 before lat.10.

    A pattern (`lat.*.gz`) and a list of files (`@files.txt`) are as a folder.

    Of a folder, hidden files and subfolders are left out. Without `format`, so are text files beside
    lattices, networks or n-best lists; with it, so are the files that are not in that format.

    Args:
        path: a file, a folder, "-" for standard input, or one of Kaldi's specifiers, `ark:FILE` or `scp:FILE`; gzip is
            transparent. A Source where the bytes are here.
        format: a name of `FORMATS`; by default each file's format is recognised.
        symbols: a symbol table file, for formats that hold numbers.
        known_ids: ids of the other side, which tell text with ids from plain text.
        alternations: how plain and Kaldi text write choices, one of `transcripts.NOTATIONS`; None: they have none.
        weights: a file of feature weights, for hypergraphs.
        format_option: what messages tell a user to say the format with.
        table: of a table, which side is wanted, and which columns have it.
        tag_candidates: a file of other ways to write the tagged words of fstalign's NLP.
        features: what is wanted of the features of a decoder's model; None: they are left out.

    Raises:
        InputError: an unknown format name, a file that cannot be read, or that is empty and not called like any
            format, a folder without a file to read or with one lattice in several formats, or an id in two files.
    """
    files = (None if file is None else str(file) for file in (symbols, weights))
    options = ReadOptions(
        next(files), known_ids, alternations, weights=next(files), format_option=format_option,
        table=table, tag_candidates=tag_candidates, features=features,
    )  # fmt: skip
    return read_with(path, format, options)


def read_with(path: str | Path | Source, format: str | None, options: ReadOptions) -> Items:
    """The same by options; what they are to be told is kept with the items."""
    if not isinstance(path, Source):
        path, format = resolve(str(path), format)
    chosen = None if format is None else by_name(format)
    remarks: dict[str, None] = {}
    columns: list[str] = []
    options = replace(options, remark=remarks.setdefault, tell_columns=columns.extend)
    if options.symbols is not None:
        remark_on_table(options.symbols, options.remark)
    if not isinstance(path, Source) and is_several(str(path)):
        folder = place_of(str(path))
        plan = folder_plan(folder, chosen, options)
        files = ((file.path, _items_in_folder(file, format, options)) for file, format in plan)
        each = tuple(all_once(files, options.table.side))
        refuse_unused_weights(options.weights, _names(plan))
        return Items(each, _names(plan), str(folder), tuple(remarks), columns=tuple(dict.fromkeys(columns)))
    source = path if isinstance(path, Source) else _opened(str(path), chosen)
    found, items = _of_source(source, chosen, options)
    refuse_unused_weights(options.weights, [found.name])
    every = items if isinstance(items, Block) else tuple(items)
    return Items(every, (found.name,), source.path, tuple(remarks), columns=tuple(dict.fromkeys(columns)))


def read_sentences(source: Source, have_ids: bool, options: ReadOptions) -> Items:
    """The sentences of a text, of which it is settled that nothing else is in it, and whether its lines begin with ids.

    Raises:
        InputError: it cannot be read so.
    """
    format = kaldi_text.FORMAT if have_ids else plain.FORMAT
    remarks: dict[str, None] = {}
    items = format.at_once(source, replace(options, remark=remarks.setdefault))
    return Items(
        items if isinstance(items, Block) else tuple(items), (format.name,), source.path, tuple(remarks)
    )


# How programs call what is no word: in brackets or with signs, or by one of these.
_NO_WORD = re.compile(r"(?![\w'-]+\Z).*|-|0|_+|(?i:eps|epsilon|null|blank|blk|pad)|[\u03b5\u03f5]", re.DOTALL)


def remark_on_table(symbols: str, remark: Callable[[str], None]) -> None:
    """Tell of a symbol table in which 0, which is no word, has the name of a real one."""
    with suppress(InputError):  # raised where a format asks for the table
        word = read_symbols(symbols).get(0, "")
        if word and not _NO_WORD.fullmatch(word):
            remark(
                f"{symbols}: 0 is {word!r} there, but label 0 is no word in lattices: is the table made for "
                "something else?"
            )


def refuse_unused_weights(weights: str | None, formats: Iterable[str], scales: str | None = None) -> None:
    """Raise an InputError for weights of features where files of these formats have none.

    Args:
        weights: the file of weights, if there is one.
        formats: those of the files.
        scales: as of `as_scales`, how the caller takes scales of lattices, which `tune` finds as weights.
    """
    names = [*dict.fromkeys(formats)]
    if weights is None or any(FORMATS[name].has_features for name in names):
        return
    from fstmetrics.io.weights_file import OPTIONS_OF_SCALES, as_scales, read_weights  # few runs have weights

    are_lattices = {FORMATS[name].holds for name in names} == {"lattice"}
    advice = as_scales(read_weights(weights), scales or OPTIONS_OF_SCALES) if are_lattices else ""
    raise InputError(
        "gives weights of features, which hypergraphs, PLF and n-best lists in Moses' form have; here is none of "
        f"these ({', '.join(names) or 'text'})" + (advice and f"; as scales of lattices they are {advice}"),
        weights,
    )


def refuse_unused_symbols(symbols: str | None, found: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise an InputError for a symbol table where none of these files has numbers that it could name.

    Args:
        symbols: the table, if there is one.
        found: paths, and the names of the formats of the files there.
    """
    formats = [name for _, names in found for name in names]
    if symbols is None or not formats:
        return
    if not any(_takes_symbols(path, FORMATS[name]) for path, names in found for name in names):
        raise InputError(
            f"names words by numbers, and the format {', '.join(dict.fromkeys(formats))} has its words in the file; "
            "leave --symbols out",
            symbols,
        )


def _takes_symbols(path: str, format: Format) -> bool:
    """Whether a symbol table may name what is there; of a folder or pipe, as far as its format tells."""
    if format.has_numbers is None or not os.path.isfile(path):
        return format.takes_symbols
    return format.has_numbers(File(path))


def _opened(path: str, chosen: Format | None) -> Source:
    """A file, left where it is if its format reads it there."""
    if not os.path.isfile(path):
        return Source.open(path)
    file = File(path)
    found = chosen or by_beginning(file.head())
    return file.source() if found is None else found.whole(file)


def _of_source(source: Source, chosen: Format | None, options: ReadOptions) -> tuple[Format, Iterable[Item]]:
    format, items = items_of_file(source, chosen, options)
    if source.path == "-" and not isinstance(items, Block):  # has no name that could be an id
        items = (replace(item, id=None) if item.id == source.stem else item for item in items)
    return format, items


@takes(path=PATH, format=STRING.or_none(), symbols=PATH.or_none(), weights=PATH.or_none())
def read_one(
    path: str | Path,
    kind: type[Kind],
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    weights: str | Path | None = None,
) -> Kind:
    """The one object of a file.

    Args:
        path: the file, or "-" for standard input.
        kind: what is expected: Lattice, Network or NBest.
        format: a name of `FORMATS`; by default it is recognised.
        symbols: a symbol table file, for formats that hold numbers.
        weights: a file of feature weights, for hypergraphs.

    Raises:
        InputError: the file cannot be read, or does not hold exactly one object of that kind.
    """
    items = read_items(path, format=format, symbols=symbols, weights=weights)
    found = ", ".join(items.formats)
    if len(items.items) != 1:
        raise InputError(
            f"expected one {kind.__name__}, found {len(items.items)} items ({found}); "
            f"{kind.__name__}.read_all() reads them all",
            path,
        )
    value = items.items[0].value
    if not isinstance(value, kind):
        kind_found = "a sentence" if isinstance(value, tuple) else f"a {type(value).__name__}"
        raise InputError(f"expected a {kind.__name__}, found {kind_found} (format {found})", path)
    return value


@takes(path=PATH, format=STRING.or_none(), symbols=PATH.or_none(), weights=PATH.or_none())
def read_all(
    path: str | Path,
    kind: type[Kind],
    *,
    format: str | None = None,
    symbols: str | Path | None = None,
    weights: str | Path | None = None,
    features: bool = False,
) -> list[Kind]:
    """Every object of a file or folder; their `id` says which is which. Arguments as of `read_one`.

    With `features`, n-best lists have the values of the decoder's features.

    Raises:
        InputError: a file cannot be read, or holds something else.
    """
    wanted = FeatureOptions() if features else None
    items = read_items(path, format=format, symbols=symbols, weights=weights, features=wanted)
    for item in items.items:
        if not isinstance(item.value, kind):
            raise InputError(
                f"expected {kind.__name__} objects, found format {', '.join(items.formats)}", path
            )
    return [item.value for item in items.items]


def _items_in_folder(file: File, format: Format, options: ReadOptions) -> Iterable[Item]:
    """The items of a file of a folder: a text is one, unless order pairs; what is alone in its file has its name."""
    if format is plain.FORMAT and not options.table.is_by_order:
        return [plain.document(file.source(), options)]
    items = format.read(format.whole(file), options)
    return items if options.table.is_by_order else called_by_file(items, file.path)


# Ids of the first items tell whether lines of text on the other side begin with ids.
FIRST_IDS = 100


@dataclass(frozen=True)
class Stream:
    """The items of a folder or archive, in order, read when they are asked for.

    Attributes:
        path: the folder, file or pipe.
        plan: its files and their formats.
        options: what the caller says about them.
        remarks: what was said when the files were found.
    """

    path: str
    plan: list[tuple[File, Format]] = field(repr=False)
    options: ReadOptions
    remarks: Sequence[str] = ()

    @cached_property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats."""
        return _names(self.plan)

    @cached_property
    def first(self) -> Item | None:
        """The first item, which is kept; None if there is none."""
        return next(iter(self), None)

    @cached_property
    def first_ids(self) -> frozenset[str]:
        """Ids of the first items."""
        items = [self.first, *islice(self, 1, FIRST_IDS)]
        return frozenset([item.id for item in items if item and item.id is not None])

    def __iter__(self) -> Iterator[Item]:
        """The items, with values deferred; what cannot be read, to the end of its file, is an item without an id.

        Raises:
            InputError: an id in two files.
        """
        files = ((file.path, format.each(file, self.options)) for file, format in self.plan)
        return all_once(files, self.options.table.side)

    def blocks(self) -> Iterator[Block]:
        """The same in blocks, for the last time: what comes through a pipe is not kept any more.

        What no block of its format tells comes one by one.

        Raises:
            InputError: an id in two files.
        """
        homes: dict[str, str] = {}
        for file, format in self.plan:
            if isinstance(file, Pipe):
                file.is_last = True
            for block in _file_blocks(file, format, self.options):
                for id in (block.ids or ()) if len(self.plan) > 1 else ():
                    if id is not None and homes.setdefault(id, file.path) != file.path:
                        raise twice(id, file.path, homes[id], self.options.table.side)
                yield block


def _file_blocks(file: File, format: Format, options: ReadOptions) -> Iterator[Block]:
    """The items of one file in blocks; what cannot be read is a block of one."""
    try:
        if format.blocks is not None:
            yield from read_ahead(together(format.blocks(file, options)))
            return
    except InputError as error:
        yield Block.of([Item(None, Deferred.of_rest(error))])
        return
    yield from _one_by_one(format.each(file, options))


def open_stream(
    path: str, format: str | None = None, options: ReadOptions | None = None
) -> Stream | Items | Source | None:
    """What a path holds, to be read item by item.

    Args:
        path: a file, a folder, a pipe, or "-" for standard input.
        format: as of `read_items`.
        options: what the caller says about it; what they are to be told is kept with what is returned.

    Returns:
        None if it is something to be read at once: text, or one lattice. If that came through a pipe, or is short, its
        bytes.

    Raises:
        InputError: as of `read_items`, of what can be seen from names and beginnings.
    """
    chosen = None if format is None else by_name(format)
    remarks: list[str] = []
    options = replace(options or ReadOptions(), remark=remarks.append)
    if options.symbols is not None:
        remark_on_table(options.symbols, options.remark)
    is_file = path != "-" and os.path.isfile(path)
    if not is_file and is_several(path):
        return _open_folder(path, chosen, options, remarks)
    if not is_file and not _is_pipe(path):
        return None
    file = File(path) if is_file else Pipe(path)
    head = None if chosen else file.head()
    found = by_beginning(head) if head else chosen
    items = found.find(file, options) if found is not None and found.find is not None else None
    if found is None or items is None:
        if not is_file:
            return file.placed() if found is None else file.source()
        if head is None or not file.is_short:
            return None
        check_size(len(head.content), path)
        return head
    if isinstance(items, Listing):
        return Items((), (found.name,), path, remarks, [(path, items)]).knowing()
    return Stream(path, [(file, found)], options, remarks)


def _is_pipe(path: str) -> bool:
    """Whether a path that is no folder is a pipe, a device or standard input."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def _open_folder(
    path: str, chosen: Format | None, options: ReadOptions, remarks: Sequence[str]
) -> Stream | Items | None:
    """A folder. Where one file has to be read at once, or has ids only as the other side says, all have.

    Few small files that are to be read for the ids of their items are read once: nothing is left for later.
    """
    plan = folder_plan(place_of(path), chosen, options)
    are_few = len(plan) <= FIRST_IDS
    found: list[tuple[str, Listing]] = []
    listed = True
    for file, format in plan:
        try:
            items = format.items(file, options)
        except InputError as error:
            items = Listing.of_rest(error)
        if items is None:
            return None
        if isinstance(items, Listing):
            found.append((file.path, items))
        elif are_few and format.says_id and file.kept is not None:
            found.append((file.path, Listing(tuple(items))))
        else:
            listed = False
    if listed:
        return Items((), _names(plan), path, remarks, found).knowing(side=options.table.side)
    return Stream(path, plan, options, remarks) if all(items.has_ids for _, items in found) else None


def _names(plan: Plan) -> tuple[str, ...]:
    return tuple(dict.fromkeys(format.name for _, format in plan))


Plan = list[tuple[File, Format]]


def each_block(
    path: str, format: str | None, options: ReadOptions, entering: Callable[[str], None]
) -> tuple[tuple[str, ...], Iterator[Block]]:
    """The formats of a path, and its items once through, in blocks, with values that are read when they are asked for.

    In memory is a file of one item at a time, of others one item or block. What cannot be read to the end of its file
    is an item, too, without an id. Blocks of native columns do not say what their items leave out, the columns do. Ids
    of a block of text are different from those of all others.

    Args:
        path: a file, a folder, "-" for standard input, or a specifier.
        format: a name of `FORMATS`; by default each file's format is recognised.
        options: what the caller says about it.
        entering: told of each file of a folder, before its items.

    Raises:
        InputError: as of `read_items`.
    """
    path, format = resolve(path, format)
    chosen = None if format is None else by_name(format)
    plan = _planned(path, chosen, options)
    if isinstance(plan, Source):
        found, items = _of_source(plan, chosen, options)
        if isinstance(items, Block):
            return (found.name,), (items[at : at + TOGETHER] for at in range(0, len(items), TOGETHER))
        return (found.name,), _one_by_one(items)
    return _names(plan), chain.from_iterable(
        _blocks_in(path, file, format, options, entering) for file, format in plan
    )


# So many texts are a block.
TOGETHER = 1 << 10


def _planned(path: str, chosen: Format | None, options: ReadOptions) -> Plan | Source:
    """The files of a path that are read item by item, or one that is read at once."""
    if is_several(path):
        return folder_plan(place_of(path), chosen, options)
    if _is_pipe(path):
        pipe = Pipe(path)
        piped = chosen or by_beginning(pipe.head())
        if piped and piped.find and (listed := piped.find(pipe, options)) is not None:
            pipe.is_last = not isinstance(listed, Listing)  # whose items are pieces of it
            return [(pipe, piped)]
        return pipe.placed() if piped is None else pipe.source()
    file = File(path)
    found = (chosen or by_beginning(file.head())) if os.path.isfile(path) else None
    if found is not None and found.find is not None:
        return [(file, found)]
    return file.placed() if found is not None and found.in_place else open_text(path)


def _blocks_in(
    path: str, file: File, format: Format, options: ReadOptions, entering: Callable[[str], None]
) -> Iterator[Block]:
    """The items of a file; of a folder, it is told which one comes, and texts are as `_items_in_folder` has them."""
    if file.path != path:
        entering(file.path)
        if format.holds == "text":
            yield from _one_by_one(_items_in_folder(file, format, options))
            return
    yield from _file_blocks(file, format, options)


def _one_by_one(items: Iterable[Item]) -> Iterator[Block]:
    """Blocks of one item; what cannot be read is one, too."""
    try:
        for item in items:
            yield Block.of([item])
    except InputError as error:
        yield Block.of([Item(None, Deferred.of_rest(error))])


SPECIFIER = re.compile(r"(ark|scp)((?:,[a-z]+)*):(.*)", re.DOTALL)
# p, "permissive", is not among them: leaving out what is damaged is what --keep-going and --missing are for.
OPTIONS = frozenset({"t", "b", "o", "no", "s", "ns", "cs", "ncs", "np"})
SCRIPT_FORMAT = "scp"


def resolve(path: str, format: str | None) -> tuple[str, str | None]:
    """The file that a path means, and its format if the specifier says it.

    Args:
        path: a path or a specifier; where a file of just that name exists, it is that file.
        format: the format that a caller named, or None.

    Raises:
        InputError: a command, an option that is not known, or a format that contradicts the specifier.

    >>> resolve("ark,t:lat.1", None), resolve("scp:lat.scp", None), resolve("ark:-", None), resolve("lat.1", "slf")
    (('lat.1', None), ('lat.scp', 'scp'), ('-', None), ('lat.1', 'slf'))
    """
    match = SPECIFIER.fullmatch(path)
    if match is None or os.path.exists(path):
        return path, format
    kind, options, rest = match[1], match[2].split(",")[1:], match[3].strip()
    if rest.endswith("|") or rest.startswith("|"):
        raise InputError(
            "is a command, and those are never run; write `COMMAND | fstmetrics ...` and - for the path",
            path,
        )
    if unknown := [option for option in options if option not in OPTIONS]:
        raise InputError(
            f"the option {unknown[0]!r} is not read; known are {', '.join(sorted(OPTIONS))}", path
        )
    if not rest:
        raise InputError(f"names no file; expected {kind}:FILE", path)
    if kind == "ark":
        return rest, format
    if format not in (None, SCRIPT_FORMAT):
        raise InputError(f"is a script file, which --format {format} is not", path)
    return rest, SCRIPT_FORMAT


def check_paths(inputs: Iterable[str | None], *outputs: str | None) -> None:
    """Raise an FstmetricsError for inputs that cannot be read together, or an output that is one of them, or another.

    Args:
        inputs: paths or Kaldi's specifiers; None for what was not given.
        outputs: paths, likewise.
    """
    given = [path for path in inputs if path is not None]
    if "" in given or "" in outputs:
        raise FstmetricsError("a file's name is empty")
    files = [resolve(path, None)[0] for path in given]
    if files.count("-") > 1:
        raise FstmetricsError(ONCE)
    if not any(outputs):
        return
    several = [file for file in files if is_several(file) and not os.path.isdir(file)]
    refuse_overwriting(outputs, [*files, *(str(file) for path in several for file in files_of(path))])


Text = str | Transcript
# What reads other files.
OTHER_READERS = "Lattice.read_all, NBest.read_all and Network.read_all read those"


def read_text(
    path: str | Path, format: str | None = None, *, alternations: Notation | None = None
) -> list[Text] | dict[str, Text]:
    """The texts of a file, as `score` takes them: a list, or a dict by id where the file has ids.

    Args:
        path: lines of text, with ids or without, or trn; gzip is transparent. Files with times (stm, ctm) and tables
            are for `score_files`, which knows what they leave out and how they pair.
        format: as of the commands' `--format`; by default it is recognised.
        alternations: how plain text writes choices, as of `--alternations`.

    Returns:
        A text an item; one with choices is a `Transcript`.

    Raises:
        InputError: a file that cannot be read, that has other things than texts, or an id twice.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "hyp.trn"
    >>> _ = file.write_text("the cat sat (u1)\\na dog (u2)\\n")
    >>> read_text(file)
    {'u1': 'the cat sat', 'u2': 'a dog'}
    """
    PATH.check(path, "path")
    try:
        found = read_items(str(path), format=format, alternations=alternations, format_option="format=")
    except InputError as error:
        if "--fields" not in str(error):
            raise
        raise InputError("is a table: give score() its columns, or score_files() the file", path) from None
    texts: list[Text] = []
    ids: list[str | None] = []
    for item in found.items:
        value, names = item.scored, " and ".join(found.formats)
        if item.segment is not None or FORMATS[found.formats[0]].has_times:
            raise InputError(f"is {names}, which has times; score_files() reads it", path)
        if not isinstance(value, str | Transcript):
            raise InputError(f"is {names}, no texts; {OTHER_READERS}", path)
        texts.append(value)
        ids.append(item.id)
    if None in ids:
        return texts
    named = dict(zip(map(str, ids), texts, strict=True))
    if len(named) < len(texts):
        twice = next(id for id in named if ids.count(id) > 1)
        raise InputError(f"has two items with the id {twice}", path)
    return named
