"""What a format is made of: `Format` (how it is recognised, read and written) and `Item` (what comes out).

- `ReadOptions`: what a caller may say about a file.
- `Item`: one hypothesis or reference; `Deferred`: its value, where that is read later. `Items`: those of a path.
- `Listing`: the items of a file, where all are known before any value is read.
- `check_item` holds items to the limits: one check for every format, before anything is done with an item. A parser's
  own memory is bounded by the file's bytes, whatever the format: no count in a file is believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from fstmetrics._native import LatticeColumn, TextColumn, Vocabulary
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.transcripts import (
    Notation,
    Texts,
    Transcript,
    TranscriptColumn,
    WrittenTranscript,
    is_short,
)
from fstmetrics.io.blocks import Block as Block
from fstmetrics.io.blocks import Deferred as Deferred
from fstmetrics.io.blocks import Item as Item
from fstmetrics.io.column_roles import ANY_SIDE, TableOptions
from fstmetrics.io.detection.formats_and_refusals import is_kind
from fstmetrics.io.register import SHIPPED
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import beyond_memory
from fstmetrics.support.limits import Limits, limits
from fstmetrics.support.source import Source, item_name, stem

if TYPE_CHECKING:
    from pathlib import Path

    from fstmetrics.io.writing import Writer
    from fstmetrics.support.source import File


# No character takes more bytes in UTF-8.
WIDEST = 4


@contextmanager
def within_memory(path: object) -> Iterator[None]:
    """Where a file is read or parsed: if memory does not suffice, that is an InputError that names the file."""
    try:
        yield
    except MemoryError:
        raise beyond_memory(path) from None


def read_within_limits(
    read: Callable[[Source, ReadOptions], Iterator[Item]],
    by_lines: bool,
    source: Source,
    options: ReadOptions,
) -> Iterator[Item]:
    """What a format's `read` gives, held to the limits; a file without a final line end is told of.

    Raises:
        InputError: an item is beyond one; it names the item, the limit and the option.
    """

    if by_lines:
        remark_on_open(source, options)
    with _placed(read, source.path):
        for item in read(source, options):
            check_item(item, source.path)
            yield item


@contextmanager
def _placed(read: Callable[..., object], path: str) -> Iterator[None]:
    """Name the file where an error does not, and where the reader of another package has one of its own kind."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise beyond_memory(path) from None
    except FstmetricsError as error:
        raise InputError(str(error), path) from None
    except Exception as error:
        module = getattr(read, "__module__", "")
        if module.partition(".")[0] == "fstmetrics":
            raise
        raise InputError(f"cannot be read by {module}: {type(error).__name__}: {error}", path) from error


def find_within_limits(find: Finder, file: File, options: ReadOptions) -> Listing | Iterator[Item] | None:
    """The same of what a format's `find` gives; deferred values are held when they are read."""
    found = find(file, options)
    if isinstance(found, Listing):
        return replace(found, items=tuple(_checked(item, file.path) for item in found.items))
    return found and (_checked(item, file.path) for item in found)


def _checked(item: Item, path: str) -> Item:
    """The item if it is within the limits; a deferred one looks when it is read."""
    if not isinstance(item.given, Deferred):
        check_item(item, path)
        return item
    if item.given.is_rest:
        return item
    given = item.given
    return replace(item, given=Deferred(partial(_later, given, path), group=given.group, place=given.place))


def blocks_within_limits(
    blocks: Callable[[File, ReadOptions], Iterator[Block]], file: File, options: ReadOptions
) -> Iterator[Block]:
    """The same of what a format's `blocks` gives; lattices of native columns are held to the limits where they are
    read.
    """
    with within_memory(file.path):
        for block in blocks(file, options):
            is_native = not isinstance(block.values, list)
            yield block if is_native else Block.of([_checked(item, file.path) for item in block])


def block_within_limits(
    block: Callable[[Source, ReadOptions], Block | None], source: Source, options: ReadOptions
) -> Block | None:
    """The same of what a format's `block` gives."""
    with within_memory(source.path):
        found = block(source, options)
        if found is not None:
            _check_block(found, source.path)
    return found


def _check_block(block: Block, path: str) -> None:
    """Hold the texts of a native block to the limits: one by one only where one may be beyond them."""
    bounds = limits()
    ids, values = block.ids, block.values
    assert isinstance(values, TextColumn | TranscriptColumn)
    are_short = not isinstance(ids, TextColumn) or ids.longest() <= bounds.label
    if isinstance(values, TranscriptColumn):
        are_short = are_short and values.depth <= bounds.nesting
        are_short = are_short and is_short(values.texts.longest(), min(_few_bytes(bounds), bounds.states))
    else:
        are_short = are_short and values.longest() < _few_bytes(bounds)
    if not are_short:
        for item in block:
            check_item(item, path)


def _few_bytes(bounds: Limits) -> int:
    """A shorter text is within the limits, whatever its words are."""
    return min(bounds.arcs, bounds.label // WIDEST)


def _later(deferred: Deferred, path: str) -> Item:
    with within_memory(path):
        item = deferred.item()
        check_item(item, path)
    return item


def check_item(item: Item, path: str) -> None:
    """Hold one item to the limits; errors as of `read_within_limits`."""
    bounds, value = limits(), item.given
    name = "" if item.id is None else f" {item.id[:40]!r}"
    if item.id is not None:
        _check_words((item.id,), bounds, path, "an id")
    if value is None or isinstance(value, tuple):
        _check_sentence(item, bounds, path, name)
    elif isinstance(value, Texts):
        for text in value.texts:
            _check_sentence(Item(item.id, None, text), bounds, path, name)
    elif isinstance(value, NBest):
        bounds.check("arcs", sum(map(len, value.entries)), f"n-best list{name} has", "words", path)
        for words, text in zip(value.entries, value.texts, strict=True):
            if len(text) * WIDEST > bounds.label:
                _check_words(words, bounds, path, f"a word of n-best list{name}")
    elif isinstance(value, TimedWords):
        bounds.check("arcs", len(value.texts), f"channel{name} has", "words", path)
        _check_words((timed.text for timed in value.texts), bounds, path, f"a word of channel{name}")
    elif isinstance(value, Transcript):
        bounds.check("nesting", value.depth, f"sentence{name} has choices nested", "deep", path)
        if isinstance(value, WrittenTranscript) and value.is_short(min(_few_bytes(bounds), bounds.states)):
            return
        _check_graph(value.lattice, bounds, path, f"sentence{name}")
    elif isinstance(value, Lattice):
        _check_graph(value, bounds, path, f"lattice{name}")
    else:
        _check_network(value, bounds, path, f"network{name}")


def _check_sentence(item: Item, bounds: Limits, path: str, name: str) -> None:
    # A text is cut into words only where it is long enough to be beyond a limit: there may be millions.
    if item.text is not None and len(item.text) < _few_bytes(bounds):
        return
    words = item.value
    bounds.check("arcs", len(words), f"sentence{name} has", "words", path)
    _check_words(words, bounds, path, f"a word of sentence{name}")


def _check_graph(lattice: Lattice, bounds: Limits, path: str, what: str) -> None:
    bounds.check("states", lattice.num_states, f"{what} has", "states", path)
    bounds.check("arcs", lattice.num_arcs, f"{what} has", "arcs", path)
    if not lattice.symbols.is_of_row:  # those have been looked at by their reader
        _check_words(lattice.symbols.words, bounds, path, f"a word of {what}")


def _check_network(value: Any, bounds: Limits, path: str, what: str) -> None:
    from fstmetrics.data.network import Network

    if not isinstance(value, Network):  # what a format of its own brings, it bounds itself
        return
    states, arcs, depth = value.rtn.num_states, value.rtn.num_arcs, value.rtn.depth
    if states > bounds.states or arcs > bounds.arcs or depth > bounds.nesting:
        bounds.check("states", states, f"{what} has", "states", path)
        bounds.check("arcs", arcs, f"{what} has", "arcs", path)
        bounds.check("nesting", depth, f"{what} has cards that call one another", "deep", path)
    _check_words(value.symbols.words, bounds, path, f"a word of {what}")


def _check_words(words: Iterable[str], bounds: Limits, path: str, what: str) -> None:
    for word in words:
        if len(word) * WIDEST > bounds.label:  # only then are its bytes counted
            size = len(word.encode("utf-8", "surrogatepass"))
            bounds.check("label", size, f"{what} has", f"bytes ({word[:20]!r}...)", path)


# What is said of a file that may have been cut off in the middle of a line.
MARK = "begins with a byte order mark, which is left out; sacrebleu takes it for a part of the first word"
JOINED = "begins with a byte order mark, as where files were joined: sed 's/\\xEF\\xBB\\xBF//g' FILE takes them out"
OPEN = "the last line has no line end: make sure that the file is whole"


def _unheard(told: object) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class FeatureOptions:
    """What is wanted of features.

    Attributes:
        known: the features that have a weight; None: any feature will do.
        place: the file of weights, for messages.
        names: what values without names are called, in their order; by default feature_1, feature_2, ...
        otherwise: what else than a weight may be given for a feature that has none, for messages.
    """

    known: frozenset[str] | None = None
    place: str = ""
    names: tuple[str, ...] = ()
    otherwise: str = ""


# What is scored of sessions.
SPOKEN_WORDS, SPOKEN_TIMES = "words", "times"


@dataclass(frozen=True)
class ReadOptions:
    """What a caller may say about a file.

    Attributes:
        symbols: a symbol table file, for formats that hold numbers.
        known_ids: ids of the other side: a text file whose lines begin with some of them has ids.
        alternations: how plain and Kaldi text write choices; None: they have none.
        weights: a file of feature weights, by which hypergraphs have costs, n-best lists scores; None: there are none.
        format_option: what the caller's user would say the format with, for messages.
        tell_left_out: whether items are to say what they leave out of the file, which may take a second look at it.
        in_turns: whether items are written as turns of speakers: each segment of a recording is one, and a table does
            not leave out who speaks, in which recording and when.
        table: of a table, which side is wanted, and which columns have it.
        tag_candidates: a file of other ways to write the tagged words of fstalign's NLP; None: there are none.
        features: what is wanted of features, by which n-best lists have columns and hypergraphs are
            `FeatureForest`s; None: they are left out.
        settled: what the beginning of a file says about all of it, where this is a piece; the format's own.
        tell_columns: told the names of a table's columns that are no texts, also of those that are not read.
        remark: told, in a line that names the file, what is read and yet may not be what its maker meant.
        in_sessions: where items are what speakers say one after the other, what is scored of it, `SPOKEN_WORDS`,
            `SPOKEN_TIMES` or both: two of the same times are in the order of the file. Empty elsewhere.
        missing: what becomes of a row of a table without a hypothesis (null): "error", "skip" or "empty".
        vocabulary: the words of the run, over which batches of lattices are made.
    """

    symbols: str | None = None
    known_ids: frozenset[str] = field(default_factory=frozenset)
    alternations: Notation | None = None
    weights: str | None = None
    format_option: str = "--format"
    tell_left_out: bool = False
    in_turns: bool = False
    table: TableOptions = ANY_SIDE
    tag_candidates: str | None = None
    settled: object = None
    features: FeatureOptions | None = None
    tell_columns: Callable[[Iterable[str]], None] = _unheard
    remark: Callable[[str], None] = _unheard
    in_sessions: tuple[str, ...] = ()
    missing: str = "error"
    vocabulary: Vocabulary = field(default_factory=Vocabulary, compare=False, repr=False)


# How a format finds the items of a file.
Finder = Callable[["File", ReadOptions], "Listing | Iterator[Item] | None"]


class Place(NamedTuple):
    """Where an item of an archive lies: bytes that alone are a file of its format.

    Attributes:
        id: of the item.
        offset, length: the place of its first byte, and how many there are.
        settled: what the rest of the archive says about the item, for `ReadOptions.settled` or `Format.read_place`;
            "": nothing.
    """

    id: str
    offset: int
    length: int
    settled: str = ""


@dataclass(frozen=True)
class IndexedPlace:
    """Where an item lies, and what is there.

    Attributes:
        id: of the item; None where only its place is known.
        path: of the archive.
        offset, length: the place of its first byte, and how many there are.
        checksum: XXH64 of the bytes with seed 0, 16 hexadecimal digits; None: it is not known.
        format: of the archive; None: recognised.
        settled: as of `Place`.
    """

    id: str | None
    path: str
    offset: int
    length: int
    checksum: str | None = None
    format: str | None = None
    settled: str | None = None


# What a file holds: sentences, ranked sentences, networks of references, forests of hypotheses, lattices.
Holds = Literal["text", "n-best", "network", "forest", "lattice"]
# When content is looked at: before names; after them, as other text may look so by chance; or only where a name or a
# caller says that it is this format.
Recognised = Literal["by content", "after names", "only asked"]


@dataclass(frozen=True)
class Format:
    """One file format. That a module of `formats`, or an entry point of another package, has it registers it.

    Attributes:
        name: what `--format` takes.
        description: one line for the help page.
        read: the items of a file, in order, held to the limits. Raises InputError with the line or byte of the fault.
        holds: what a file holds; of a format that ships, what its row of `register.SHIPPED` says.
        extensions: file name endings that suggest it, with the dot, without `.gz`; likewise.
        signature: of a format of another package (`io.detection` has the others): what the content begins with;
            None where `sniff` says all.
        sniff: whether content with that signature is of this format; cheap.
        recognised: of a format of another package: when content is looked at, if nobody says what it is.
        writers: how it is written, the usual way first; none where it is only read.
        id_of: where a file holds one item: its id, by the file's path alone.
        says_id: whether a file holds one item, and its id.
        find: where a file may hold many items: finds them without reading their values. A `Listing` where all are known
            before any value is read, an iterator where they come one after the other; None for a file that has to be
            read at once.
        block: the texts of a file as one block of native columns; None for a file, or options, that it is not for.
            Raises InputError as `read` does.
        blocks: the lattices of a file, which are found one after the other, in blocks of native columns. Raises
            InputError as `read` does; what is wrong with one item may be a fault of its block.
        places: where the items of an archive lie, without reading their values; None where no piece of a file is one.
        files: reads many files of one item each into a column; None where they are read one by one.
        read_place: the item of a place, where its bytes alone are no file of the format: `settled` says what else is
            needed.
        by_lines: whether nothing but a line end closes a file, so that one cut off in the middle of a line may be read;
            readers of such a file are told.
        has_sides: whether a file may hold references and hypotheses, so that `ReadOptions.table` says which is wanted.
        has_features: whether it may hold values of features, which weights make scores or costs of.
        takes_symbols: whether words of a file may be numbers, which `ReadOptions.symbols` names.
        has_numbers: whether a file may have words that are numbers; None where all files of a format may that takes
            symbols.
        ids_from_times: whether ids are made of times, so that another program's ids of the same items may differ.
        has_times: whether items may say when their words were said (`Item.timed`, or `TimedWords`).
        has_turns: whether a file of one recording has turns of speakers, which are its items where they are wanted.
        in_place: whether `read` leaves a large file where it is, and reads no more of it than it needs.
        folder: where a whole folder is in this format: the files of a folder by which its items are read, in order;
            empty for a folder that is not.
    """

    name: str
    description: str
    read: Callable[[Source, ReadOptions], Iterator[Item]]
    holds: Holds = "lattice"
    extensions: tuple[str, ...] = ()
    signature: re.Pattern[bytes] | None = None
    sniff: Callable[[Source], bool] | None = None
    recognised: Recognised = "by content"
    writers: tuple[Writer, ...] = ()
    id_of: Callable[[str], str] | None = None
    says_id: bool = False
    find: Finder | None = None
    block: Callable[[Source, ReadOptions], Block | None] | None = None
    blocks: Callable[[File, ReadOptions], Iterator[Block]] | None = None
    files: Callable[[Sequence[File], ReadOptions], LatticeColumn | None] | None = None
    places: Callable[[File, ReadOptions], Iterator[Place]] | None = None
    read_place: Callable[[IndexedPlace, ReadOptions], Item] | None = None
    by_lines: bool = False
    has_sides: bool = False
    ids_from_times: bool = False
    has_times: bool = False
    has_turns: bool = False
    has_features: bool = False
    takes_symbols: bool = False
    has_numbers: Callable[[File], bool] | None = None
    in_place: bool = False
    folder: Callable[[Path], Sequence[Path]] | None = None

    def __post_init__(self) -> None:
        if (row := SHIPPED.get(self.name)) is not None:
            object.__setattr__(self, "holds", row.holds)
            object.__setattr__(self, "extensions", row.extensions)
        object.__setattr__(self, "read", partial(read_within_limits, self.read, self.by_lines))
        if self.find:
            object.__setattr__(self, "find", partial(find_within_limits, self.find))
        if self.block:
            object.__setattr__(self, "block", partial(block_within_limits, self.block))
        if self.blocks:
            object.__setattr__(self, "blocks", partial(blocks_within_limits, self.blocks))

    def fits(self, source: Source) -> bool:
        """Whether content looks like this format; of one of another package, never where it has neither a signature
        nor `sniff`.
        """
        if (found := is_kind(self.name, source)) is not None:
            return found
        if self.signature is not None and self.signature.match(source.beginning) is None:
            return False
        return self.sniff(source) if self.sniff is not None else self.signature is not None

    def items(self, file: File, options: ReadOptions) -> Listing | Iterator[Item] | None:
        """The items of a file, values deferred: the one way to read item by item, whatever holds the file.

        Returns:
            A Listing where all items are known before any value is read; otherwise they come one after the other. None
            for a file that has to be read at once.

        Raises:
            InputError: the file cannot be read, or its items cannot be told apart; an iterator raises that later.
        """
        if self.id_of is not None and not (options.in_turns and self.has_turns):
            group = None if self.files is None else _Files(self.files, options)
            given = Deferred(partial(self._only, file, options), group=group, place=file)
            return Listing((Item(self.id_of(file.path), given),))
        if self.says_id:
            return self._one(file, options)
        return self.find(file, options) if self.find is not None else None

    def each(self, file: File, options: ReadOptions) -> Iterator[Item]:
        """The items of a file, one by one, with values deferred; what cannot be read, to its end, is one, too."""
        try:
            items = self.items(file, options)
            if items is None:
                yield from list(self.read(self.whole(file), options))
            else:
                yield from items.knowing(frozenset()) if isinstance(items, Listing) else items
        except InputError as error:
            yield Item(None, Deferred.of_rest(error))

    def at_once(self, source: Source, options: ReadOptions) -> Iterable[Item]:
        """The items of a file, a Block where it is one; errors as of `read`."""
        block = self.block(source, options) if self.block else None
        return self.read(source, options) if block is None else block

    def whole(self, file: File) -> Source:
        """All of a file, for `read`."""
        return file.placed() if self.in_place else file.source()

    def _only(self, file: File, options: ReadOptions) -> Item:
        (item,) = self.read(self.whole(file), options)
        return item

    def _one(self, file: File, options: ReadOptions) -> Iterator[Item]:
        """The item of a file that says its id, and is read for it once; what cannot be read has the file's name."""
        if file.id is None:
            try:
                item = self._only(file, options)
            except InputError as error:
                item = Item(stem(file.path), Deferred.raising(error))
            file.id = item.id
            yield item
        else:
            yield Item(file.id, Deferred(partial(self._only, file, options)))


@dataclass(frozen=True)
class _Files:
    """Files of one item each, which are read together."""

    read: Callable[[Sequence[File], ReadOptions], LatticeColumn | None]
    options: ReadOptions

    def column(self, places: Sequence[File]) -> LatticeColumn | None:
        """The lattices of files."""
        return self.read(places, self.options)


def remark_on_mark(source: Source, options: ReadOptions) -> None:
    """Tell of a text file that begins with a byte order mark."""
    if source.is_whole and source.begin:
        options.remark(f"{source.path}: {MARK}")


def has_mark(remarks: Iterable[str]) -> bool:
    """Whether remarks tell of a byte order mark."""
    return any(remark.endswith(MARK) for remark in remarks)


def remark_on_open(source: Source, options: ReadOptions) -> None:
    """Tell of a file without a final line end."""
    if source.is_whole and source.is_open:
        options.remark(f"{source.path}: {OPEN}")


# The numbers of sentences, in their order, if a file's ids are no more than that; given its ids, and known ones.
Order = Callable[[list[str], frozenset[str]], "Iterable[str] | None"]


@dataclass(frozen=True)
class Listing:
    """The items of a file, in its order, with values deferred.

    Attributes:
        items: the items; one without an id whose value is lost stands for what cannot be told apart.
        order: says whether ids are numbers of sentences.
    """

    items: tuple[Item, ...]
    order: Order | None = None

    @classmethod
    def of_rest(cls, error: InputError) -> Listing:
        """Of a file that cannot be read."""
        return cls((Item(None, Deferred.of_rest(error)),))

    @property
    def has_ids(self) -> bool:
        """Whether all items have ids, whatever the other side has."""
        return self.order is None and all(item.id is not None or item.is_rest for item in self.items)

    def knowing(self, known: frozenset[str]) -> tuple[Item, ...]:
        """The items where the other side has these ids: without ids, and in the order of their numbers, if so it is."""
        if self.order is None:
            return self.items
        items: dict[str, Item] = {item.id: item for item in self.items if item.id is not None}
        order = self.order(list(items), known)
        if order is None:
            return self.items
        numbered = (Deferred(partial(_without_id, items[number].given)) for number in order)
        return (*(Item(None, given) for given in numbered), *(item for item in self.items if item.id is None))


def _without_id(given: Deferred) -> Item:
    return replace(given.item(), id=None)


@dataclass(frozen=True)
class Items:
    """The items of a file or folder, in order.

    Attributes:
        items: the items; where there are listings, their values are read when they are asked for.
        formats: names of the formats they were in.
        path: where they come from.
        remarks: what is read and yet may not be what the file's maker meant; more may come as values are read.
        listings: the items of each file with its path, where they were found without reading their values.
        columns: of a table, the names of its columns that are no texts, also of those that are not read.
    """

    items: Sequence[Item]
    formats: tuple[str, ...]
    path: str = ""
    remarks: Sequence[str] = ()
    listings: Sequence[tuple[str, Listing]] = field(default=(), repr=False)
    columns: Sequence[str] = ()

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @cached_property
    def native(self) -> Block | None:
        """The items as one block of native columns, if they are that."""
        return self.items if isinstance(self.items, Block) and self.items.is_native else None

    @cached_property
    def types(self) -> frozenset[type]:
        """The types of what is given of items (`Item.given`); of native columns none, whose own type tells it."""
        return (
            frozenset() if self.native is not None else frozenset([type(item.given) for item in self.items])
        )

    @cached_property
    def has_ids(self) -> bool:
        """Whether all items have ids."""
        if self.native is not None:
            return self.native.has_ids
        return all(item.id is not None or item.is_rest for item in self.items)

    def knowing(self, known: frozenset[str] = frozenset(), side: str | None = None) -> Items:
        """The same where the other side has these ids, which tell what numbers of sentences mean; `side` for errors.

        Raises:
            InputError: an id in two files, or numbers of sentences that are left out.
        """
        if not self.listings:
            return self
        files = (
            (
                path,
                listing.knowing(known) if path == self.path else called_by_file(listing.knowing(known), path),
            )
            for path, listing in self.listings
        )
        items = tuple(all_once(files, side))
        rests = [place for place, item in enumerate(items) if item.is_rest]
        # Where the rest of a file is, no order tells what the items behind it are.
        for place in range(rests[0], len(items)) if rests else ():
            if place not in rests and items[place].id is None:
                items = items[:place]
                break
        return replace(self, items=items)


def called_by_file(items: Iterable[Item], path: str) -> Iterator[Item]:
    """The items of a file of a folder; one without an id that is alone in it has the file's name."""
    each = iter(items)
    first = next(each, None)
    if first is None:
        return
    second = next(each, None)
    if second is None and first.id is None and not first.is_rest:
        first = replace(first, id=item_name(path))
    yield from chain([first], [] if second is None else [second], each)


# What to do with several files that each are a whole side, by which side a folder or pattern was given as.
SEVERAL = {
    "reference": "several sets of references: one --ref each",
    "hypothesis": "several systems or weights: each file is an argument, as of fstmetrics compare; several runs of one "
    "system: NAME=FILE,FILE,FILE",
}


def twice(id: str, path: str, home: str, side: str | None) -> InputError:
    """The error about an id that two files of a side have; None: it may be any side."""
    said = f"{SEVERAL[side]}; " if side in SEVERAL else "the files of a folder or pattern have each id once; "
    return InputError(
        f"id {id!r} is already in {home}; {said}of one lattice or network kept twice, give one, by a pattern in quotes",
        path,
    )


def all_once(files: Iterable[tuple[str, Iterable[Item]]], side: str | None = None) -> Iterator[Item]:
    """The items of all files of a side; InputError: an id in two of them."""
    homes: dict[str, str] = {}
    for path, items in files:
        for item in items:
            if item.id is not None and homes.setdefault(item.id, path) != path:
                raise twice(item.id, path, homes[item.id], side)
            yield item
