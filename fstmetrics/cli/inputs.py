"""Reading what a command was given: `read_inputs`, which opens every file once and pairs the items.

Inputs that stand against nothing: `read_alone`, for commands without references.

The paths of a command's inputs: `Side`, `read_side`, which opens one, and `settled`, which gives all their ids.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from fstmetrics.cli.options import Request
from fstmetrics.cli.path_checks import refuse_clashes_of_run
from fstmetrics.cli.terminal import spinner
from fstmetrics.readers import FORMATS, Items, Listed, Stream, open_stream, read_items
from fstmetrics.readers.items import Deferred, ReadOptions
from fstmetrics.readers.line_ids import Lines, settle
from fstmetrics.readers.reading import resolve
from fstmetrics.readers.recognise import recognised
from fstmetrics.runs.pairing import Pair, Pairs, StreamedPairs, by_time, has_ids, pair
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source, stem
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.transcripts import Notation, Transcript

# So many remarks about files are shown.
MOST = 5


@dataclass(frozen=True)
class Inputs:
    """Both sides, paired.

    Attributes:
        source: what to score, in order; values may be deferred, and pairs be made as they are asked for.
        left_out: how many items of sides that are in memory had no partner and were left out on request.
        formats: how each path was read.
        assumed: what was guessed, for the summary.
        sides: what was read.
        has_choices: whether a text leaves a choice, or a stretch open.
        references_choose: whether a text of the references does.
        references_are_text: whether all references are text.
        conditions: what scores depend on by the files, as signatures have it: how many references, whether ids were
            read.
    """

    source: list[Pair] | Pairs
    left_out: int
    formats: dict[str, str]
    assumed: tuple[str, ...]
    sides: tuple[Side, ...]
    has_choices: bool
    references_choose: bool
    references_are_text: bool
    conditions: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was guessed, and what is odd about files as far as they have been read."""
        return (*self.assumed, *remarks_of(self.sides))

    @property
    def pairing(self) -> dict[str, Any]:
        """How items were paired, and where the ids of each path are, for the JSON summary."""
        return pairing_of(self.sides)

    @property
    def expected(self) -> int | None:
        """About how many pairs there are; None where nobody knows."""
        return len(self.source) if isinstance(self.source, list) else self.source.expected

    @property
    def skipped(self) -> int:
        """How many items had no partner and were left out on request, as far as is known."""
        return self.left_out if isinstance(self.source, list) else self.source.skipped

    @cached_property
    def pairs(self) -> list[Pair]:
        """All pairs, read."""
        return [pair.loaded() for pair in self.source]


def read_inputs(
    request: Request, references: str, hypotheses: str, text: bool = True, networks_first: bool = False
) -> Inputs:
    """Read and pair both sides.

    Args:
        request: how to read and pair.
        references: the path of the first references; the request has the others.
        hypotheses: the path of the hypotheses.
        text: whether hypotheses may be taken for text; a damaged lattice looks like text, too.
        networks_first: whether networks of references are nothing but references: elsewhere, the order is wrong.

    Raises:
        FstmetricsError: a file that cannot be read, or items that do not pair.
    """
    paths = [hypotheses, references, *request.more_references]
    sides = _sides(request, paths, 1, streams=True, text=text)
    if not text and sides[0].is_text and (not request.format or not sides[0].items.items):
        found = _found_nothing(sides[0]) if sides[0].is_empty else "looks like text"
        order = "--format says otherwise" if sides[1].is_text else "REF comes first, LATTICES second"
        raise InputError(f"{found}, not lattices or n-best lists; {order}", hypotheses)
    if networks_first and sides[0].holds_networks:
        raise InputError(
            "holds networks where hypotheses are expected: NETWORKS come first, HYP second", hypotheses
        )
    remarks = [*_remarks(sides), *(_unchosen(sides[:1]) if text else [])]
    chosen = _have_choices(sides), _have_choices(sides[1:]), all(side.is_text for side in sides[1:])
    every = tuple(sides)
    return Inputs(
        *_paired(request, sides),
        _formats(sides),
        tuple(remarks),
        every,
        *chosen,
        _conditions(sides[:1], sides[1:]),
    )


def _paired(request: Request, sides: Sequence[Side]) -> tuple[list[Pair] | StreamedPairs, int]:
    """The pairs, and how many items were left out."""
    streamed = next((i for i, side in enumerate(sides) if side.stream), None)
    if streamed is None:
        every = [side.items for side in sides]
        return pair(every[0], every[1:], request.partnerless, _hint(sides), sides[0].is_empty)
    stream = sides[streamed].stream
    assert stream is not None
    others = [side.items for i, side in enumerate(sides) if i != streamed]
    is_empty = sides[0].is_empty
    for side in others[is_empty:]:
        if not side.items:
            raise FstmetricsError(f"{side.path} holds no item: there is nothing to score")
    return StreamedPairs(stream, others, streamed == 0, request.partnerless, _hint(sides), is_empty), 0


def _conditions(hypotheses: Sequence[Side], references: Sequence[Side]) -> tuple[str, ...]:
    """The parts of signatures that files decide: how many references of which kinds, and which sides have ids."""
    texts = sum(side.is_text for side in references)
    kinds = ["network" if side.holds_networks else "lattice" for side in references if not side.is_text]
    told = [side for side in hypotheses if not side.is_empty] or references
    with_ids = [all(side.has_ids for side in sides) for sides in (told, references)]
    ids = {(True, True): "yes", (False, False): "no"}.get((with_ids[0], with_ids[1]), "one-side")
    return ("refs:" + "+".join([*([str(texts)] if texts else []), *sorted(set(kinds))]), f"ids:{ids}")


def _have_choices(sides: Sequence[Side]) -> bool:
    return any(side.has_choices for side in sides)


@dataclass(frozen=True)
class Columns:
    """Several systems and several references, item by item.

    Attributes:
        systems: outputs of each system, by its name.
        references: references of each item.
        networks: the network of each item, or None.
        formats: how each path was read.
        remarks: what was guessed, for the summary.
        pairing: as of `Inputs`.
        ids: of the items, or None.
        ids_read: whether ids were read, as signatures have it.
    """

    systems: dict[str, list[Any]]
    references: list[Any]
    networks: list[Any] | None
    formats: dict[str, str]
    remarks: tuple[str, ...]
    pairing: dict[str, Any]
    ids: list[str | None]
    ids_read: str


def read_columns(
    request: Request, systems: Sequence[str], references: Sequence[str], networks: str | None
) -> Columns:
    """Read and pair systems, references and networks.

    Args:
        request: how to read.
        systems: files, or NAME=FILE; without a name, a system is called by its file's stem.
        references: files.
        networks: a file or folder, or None.

    Raises:
        FstmetricsError: a file that cannot be read, items that do not pair, or two systems of the same name.
    """
    names = _names(systems)
    systems = [named_path(argument)[1] for argument in systems]
    paths = [*systems, *references, *([networks] if networks else [])]
    sides = _sides(request, paths, len(systems))
    hypotheses, others = sides[: len(systems)], [side.items for side in sides[len(systems) :]]
    # Each system by itself against the references, whose order all of them get.
    paired = [
        pair(side.items, others, None, _hint([side, *sides[len(systems) :]]), side.is_empty)[0]
        for side in hypotheses
    ]
    count = len(references)
    return Columns(
        {name: [p.hypothesis for p in pairs] for name, pairs in zip(names, paired, strict=True)},
        [replace(p, references=p.references[:count]).reference for p in paired[0]] if count else [],
        [p.references[-1] for p in paired[0]] if networks else None,
        _formats(sides),
        (*_remarks(sides), *_unchosen(hypotheses), *remarks_of(sides)),
        pairing_of(sides),
        [p.id for p in paired[0]],
        _conditions(hypotheses, sides[len(systems) :])[1],
    )


def read_texts(paths: Sequence[str], format: str | None, alternations: Notation | None) -> list[Side]:
    """References alone, all in what `--format` says.

    Raises:
        FstmetricsError: a file that cannot be read, or nobody knows whether its lines begin with ids.
    """
    request = Request(ref_format=format, alternations=alternations)
    return settled([read_side(request, path, False, False, "--format") for path in paths])


def said_of_ids(sides: Sequence[Side]) -> list[str]:
    """What was assumed about ids, and what is odd about files."""
    return [*filter(None, [_said_of_guess(sides)]), *remarks_of(sides)]


def named_path(argument: str) -> tuple[str | None, str]:
    """The name and path of NAME=FILE; None and the path where there is no name."""
    name, _, path = argument.partition("=")
    return (name, path) if name and path and not os.path.exists(argument) else (None, argument)


def _names(arguments: Sequence[str]) -> list[str]:
    """The systems' names: as given by NAME=FILE, else the stems of their files."""
    names: dict[str, str] = {}
    for argument in arguments:
        given, path = named_path(argument)
        name = given or stem(path)
        if name in names:
            raise FstmetricsError(
                f"two systems are called {name!r}: {names[name]} and {path}; name them otherwise by NAME=FILE"
            )
        names[name] = path
    return list(names)


def _sides(
    request: Request, paths: Sequence[str], hypotheses: int, streams: bool = False, text: bool = True
) -> list[Side]:
    """Every path opened once, the first ones as hypotheses; with ids where they have any.

    One side may be read item by item: the hypotheses, otherwise the first references. Where the first may be no text
    and is, it is not asked for ids.
    """
    refuse_clashes_of_run(request, paths)
    sides: list[Side] = []
    for i, path in enumerate(paths):
        may_stream = streams and i < 2 and not any(side.stream for side in sides)
        sides.append(read_side(request, path, i < hypotheses, may_stream))
    if not text and sides[0].lines:
        sides[0] = sides[0].read_lines(False)
        return sides
    return settled(sides)


def _formats(sides: Sequence[Side]) -> dict[str, str]:
    return {side.path: ",".join(side.formats) for side in sides}


def _guessed(sides: Sequence[Side]) -> tuple[str, str]:
    """Paths that were taken to begin their lines with ids, and the options that say otherwise."""
    found = [side for side in sides if side.is_guessed]
    paths, options = (dict.fromkeys(getattr(side, name) for side in found) for name in ("path", "option"))
    return ", ".join(paths), " ".join(f"{option} plain" for option in options)


def _hint(sides: Sequence[Side]) -> str:
    paths, options = _guessed(sides)
    return f"; {paths} read as lines that begin with ids: {options} to change that" if paths else ""


def _unchosen(hypotheses: Sequence[Side]) -> list[str]:
    """What is said of hypotheses among which no decoder has chosen: it is easily forgotten that the reference does."""
    paths = ", ".join(side.path for side in hypotheses if not side.is_text)
    said = f"of {paths} the best paths count (oracles); fstmetrics oracle shows the 1-best, too"
    choosing = ", ".join(side.path for side in hypotheses if side.has_choices)
    both = f"{choosing} leaves choices, of which the best count, as they do in references"
    return [said] * bool(paths) + [both] * bool(choosing)


def _remarks(sides: Sequence[Side]) -> list[str]:
    remarks = [_said_of_nothing(side) for side in sides if side.is_empty]
    # Ids that are plain numbers may be how sentences begin.
    others = [id for side in sides if not side.is_text for id in side.ids]
    if all(map(str.isdecimal, others)) and (read := _said_of_guess(sides)):
        remarks.append(read)
    remarks.append(_said_of_pairing(sides))
    if sides[0].symbols is None and sides[0].is_numbers and not any(side.is_numbers for side in sides[1:]):
        remarks.append(f"all words of {sides[0].path} are numbers: does it need --symbols?")
    return remarks


def _said_of_guess(sides: Sequence[Side]) -> str:
    paths, options = _guessed(sides)
    said = f"{paths} read as kaldi-text (the first word of a line is its id); {options} to change that"
    return said if paths else ""


def _said_of_nothing(side: Side) -> str:
    return f"{side.path} {_found_nothing(side)}: the items of other files are scored against nothing"


def _found_nothing(side: Side) -> str:
    return "holds blank lines only" if side.items.items else "is empty"


def _said_of_pairing(sides: Sequence[Side]) -> str:
    """By what items are paired, and what that makes of the first words of lines."""
    if _by_time(sides):
        return "paired by time: words with the segments of their channel"
    told = [side for side in sides if not side.is_empty]
    if lacking := dict.fromkeys(side.path for side in told if not side.has_ids):
        return f"paired by order: no ids in {', '.join(lacking)}"
    first = dict.fromkeys(side.path for side in told if "kaldi-text" in side.formats)
    return f"paired by id: the first word of each line of {', '.join(first)}" if first else "paired by id"


def remarks_of(sides: Sequence[Side]) -> list[str]:
    """What is odd about files, the first few of many."""
    found = list(dict.fromkeys(remark for side in sides for remark in side.remarks))
    return (
        found if len(found) <= MOST else [*found[:MOST], f"and {len(found) - MOST} more remarks of this kind"]
    )


def pairing_of(sides: Sequence[Side]) -> dict[str, Any]:
    """How items were paired, and where the ids of each path are."""
    by_id = all(side.has_ids for side in sides if not side.is_empty)
    by = "time" if _by_time(sides) else "id" if by_id else "order"
    return {"by": by, "ids": {side.path: _home_of_ids(side) for side in sides}}


def _by_time(sides: Sequence[Side]) -> bool:
    return len(sides) > 1 and by_time(sides[0].items, [side.items for side in sides[1:]])


def _home_of_ids(side: Side) -> str:
    if not side.has_ids or side.is_empty:
        return "none"
    if "kaldi-text" not in side.formats:
        return "file"
    return "first word, guessed" if side.is_guessed else "first word"


class Alone:
    """The items of a side, in order, as `Pairs` without references; of a stream, read as they are asked for."""

    def __init__(self, side: Side) -> None:
        self.skipped = 0
        self._side = side

    @property
    def expected(self) -> int | None:
        """How many there are; None where that is not known before the end."""
        return None if self._side.stream else len(self._side.items.items)

    def __iter__(self) -> Iterator[Pair]:
        for item in self._side.stream.once() if self._side.stream else self._side.items.items:
            yield Pair(item.id, item.value, ())


def read_alone(request: Request, path: str, refusal: Callable[[object], str]) -> tuple[Inputs, bool]:
    """Read one side, folders and archives item by item.

    Args:
        request: how to read.
        path: a file or folder.
        refusal: what to say of a value that the command is not for; empty for others. The first item is looked at.

    Returns:
        The inputs, and whether all items have ids.

    Raises:
        FstmetricsError: what cannot be read, holds nothing, or is not what the command is for.
    """
    refuse_clashes_of_run(request, [path])
    (side,) = settled([read_side(request, path, True, True)])
    if not (side.stream or side.items.items):
        raise InputError("is empty: there is nothing to decode", side.path)
    first = side.first()
    if first is not None and (message := refusal(first)):
        raise InputError(message, side.path)
    formats = {side.path: ",".join(side.formats)}
    return Inputs(Alone(side), 0, formats, (), (side,), False, False, False), side.has_ids


NOTHING = Items((), ())


@dataclass(frozen=True)
class Side:
    """One path, and what was in it.

    Attributes:
        path: the file or folder.
        source: the path of a folder; the bytes of a file, as a pipe gives them only once; or its items, listed.
        option: what names its format on the command line.
        format, symbols, weights, alternations: as of `read_items`.
        items: what was read, or in a folder is to be read.
        stream: what is to be read item by item, instead of items.
        doubt: what to say where its ids are not certain.
        lines: a text of which other sides tell whether its lines begin with ids, until `settled` has asked them.
    """

    path: str
    source: str | Source | Listed
    option: str
    format: str | None
    symbols: str | None
    weights: str | None
    alternations: Notation | None
    items: Items = NOTHING
    stream: Stream | None = None
    lines: Lines | None = None
    doubt: str = ""

    def read(self, known: frozenset[str] = frozenset()) -> Side:
        """The side, read at once, now that ids of other sides are known."""
        if self.stream:
            return self
        if isinstance(self.source, Listed):
            return replace(self, items=self.source.items(known))
        return self._read(self.format, known)

    def read_lines(self, have_ids: bool) -> Side:
        """The text, now that it is settled whether its lines begin with ids.

        Raises:
            InputError: as of reading; it says what was assumed.
        """
        try:
            return replace(self._read("kaldi-text" if have_ids else "plain"), lines=None)
        except InputError as error:
            if not have_ids:
                raise
            raise InputError(
                f"{error}; read as lines that begin with ids: {self.option} plain to change that"
            ) from None

    def _read(self, format: str | None, known: frozenset[str] = frozenset()) -> Side:
        items = read_items(
            self.source,  # type: ignore[arg-type]
            format=format,
            symbols=self.symbols,
            weights=self.weights,
            known_ids=known,
            alternations=self.alternations,
            format_option=self.option,
        )
        return replace(self, items=items)

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats that were found."""
        return (self.stream or self.items).formats

    @property
    def is_text(self) -> bool:
        """Whether it holds plain sentences."""
        return all(FORMATS[name].holds == "text" for name in self.formats)

    @property
    def is_empty(self) -> bool:
        """Whether it is a file of text without items, or of blank lines."""
        return self.is_text and self.lines is None and (not self.items.items or self.is_blank)

    @property
    def remarks(self) -> Sequence[str]:
        """What is read and yet may not be what its maker meant."""
        listed = self.source.remarks if isinstance(self.source, Listed) else ()
        return (*listed, *self.items.remarks, *filter(None, [self.doubt]))

    @property
    def holds_networks(self) -> bool:
        """Whether it holds networks of references."""
        return any(FORMATS[name].holds == "network" for name in self.formats)

    @property
    def is_guessed(self) -> bool:
        """Whether its lines were taken to begin with ids."""
        return self.format is None and "kaldi-text" in self.formats

    @property
    def has_ids(self) -> bool:
        """Whether all items have ids."""
        return self.stream is not None or has_ids(self.items)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Those that tell whether another side has any: of a stream, the first ones."""
        if self.stream:
            return self.stream.first_ids()
        return frozenset(item.id for item in self.items.items if item.id is not None)

    @property
    def has_choices(self) -> bool:
        """Whether a text leaves a choice, or a stretch open."""
        return any(
            isinstance(item.given, Transcript) and item.given.words is None for item in self.items.items
        )

    @property
    def is_blank(self) -> bool:
        """Whether it is a file of text without a word."""
        return self.is_text and isinstance(self.source, Source) and not self.source.data.strip()

    @property
    def is_numbers(self) -> bool:
        """Whether the first item's words are all integers, as in lattices that leave words to a symbol table."""
        value = self.first()
        words = (
            value.symbols.words if isinstance(value, Lattice) else value if isinstance(value, tuple) else ()
        )
        written = [word for word in words if word]
        return bool(written) and all(map(str.isdecimal, written))

    def first(self) -> Any:
        """The first value; None if it cannot be read."""
        for item in islice(self.stream or self.items.items, 1):
            try:
                return item.value.item().value if isinstance(item.value, Deferred) else item.value
            except InputError:
                return None
        return None


def read_side(
    request: Request, path: str, is_hypothesis: bool, may_stream: bool, name: str = "--ref-format"
) -> Side:
    """Open a path: read it, or find that it is to be read item by item, or when others are known.

    Args:
        request: how to read.
        path: a file or folder.
        is_hypothesis: which side it is on.
        may_stream: whether it may be read item by item.
        name: the option that names the format of references.

    Raises:
        FstmetricsError: it cannot be read.
    """
    option, format, symbols, weights, alternations = (
        ("--format", request.format, request.symbols, request.weights, None)
        if is_hypothesis
        else (name, request.ref_format, None, None, request.alternations)
    )
    path, format = resolve(path, format)
    with spinner(f"reading {path}"):
        stream = open_stream(path, format, symbols, weights) if may_stream else None
        if isinstance(stream, Stream):
            return Side(path, path, option, format, symbols, weights, alternations, stream=stream)
        source = stream or (path if path != "-" and Path(path).is_dir() else Source.open(path))
        side = Side(path, source, option, format, symbols, weights, alternations)
        options = ReadOptions(format_option=option)
        if format is not None or not isinstance(source, Source) or recognised(source, options):
            return side.read()
        if not source.data.isspace() and source.utf8:
            return replace(side, lines=Lines(source, option))
        if not is_hypothesis and not source.data:
            raise source.error("is empty")
        return side.read_lines(False)


def settled(sides: Sequence[Side]) -> list[Side]:
    """Sides that are read, with ids where they have any.

    A text does not say whether its lines begin with ids, nor an n-best list whether its numbers are ids or an order;
    the names of lattices and networks say it best, the ids of other texts second best.

    Raises:
        FstmetricsError: it cannot be settled, or a text cannot be read.
    """
    sure = [side for side in sides if side.lines is None and side.has_ids and not side.is_empty]
    telling = [side for side in sure if not side.is_text] or sure
    known = frozenset().union(*(side.ids for side in telling))
    texts = [side.lines for side in sides if side.lines]
    guessed = known or frozenset().union(*(lines.ids for lines in texts if lines.look_like_ids))
    found = [side if side.lines or side.has_ids or not guessed else side.read(guessed) for side in sides]
    others = [side.path for side in found if not (side.lines or side.has_ids or side.is_empty)]
    partial = any(side.stream for side in telling)
    have, doubt = settle(texts, known, partial, others)
    verdicts = iter(have)
    return [replace(side.read_lines(next(verdicts)), doubt=doubt) if side.lines else side for side in found]
