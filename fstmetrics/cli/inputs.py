"""Reading what a command was given: `read_inputs`, which opens every file once and pairs the items."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import spinner
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.lattice import Lattice
from fstmetrics.pairing import Pair, has_ids, pair
from fstmetrics.readers import Items, read_items
from fstmetrics.readers.base import Source
from fstmetrics.transcripts import Notation, Transcript

TEXT = frozenset({"plain", "kaldi-text", "trn", "stm", "ctm"})
NETWORKS = frozenset({"network", "cards"})
NOTHING = Items((), ())


@dataclass(frozen=True)
class Inputs:
    """Both sides, paired.

    Attributes:
        pairs: what to score.
        skipped: how many items had no partner and were left out on request.
        formats: how each path was read.
        remarks: what was guessed, for the summary.
    """

    pairs: list[Pair]
    skipped: int
    formats: dict[str, str]
    remarks: tuple[str, ...]

    @property
    def has_choices(self) -> bool:
        """Whether a text leaves a choice."""
        sides = (side for pair in self.pairs for side in (pair.hypothesis, *pair.references))
        return any(isinstance(side, Transcript) and side.choices for side in sides)


@dataclass(frozen=True)
class _Side:
    """One path, and what was in it.

    Attributes:
        source: the path of a folder; otherwise the bytes, as a pipe gives them only once.
        option: what names its format on the command line.
    """

    path: str
    source: str | Source
    option: str
    format: str | None
    symbols: str | None
    alternations: Notation | None
    items: Items = NOTHING

    def read(self, known: frozenset[str] = frozenset()) -> _Side:
        items = read_items(
            self.source,
            format=self.format,
            symbols=self.symbols,
            known_ids=known,
            alternations=self.alternations,
            format_option=self.option,
        )
        return replace(self, items=items)

    @property
    def is_text(self) -> bool:
        return TEXT.issuperset(self.items.formats)

    @property
    def holds_networks(self) -> bool:
        return not NETWORKS.isdisjoint(self.items.formats)

    @property
    def is_guessed(self) -> bool:
        return self.format is None and "kaldi-text" in self.items.formats

    @property
    def ids(self) -> set[str]:
        return {item.id for item in self.items.items if item.id is not None}


def read_inputs(
    request: Request, references: str, hypotheses: str, text: bool = True, networks_first: bool = False
) -> Inputs:
    """Read and pair both sides.

    Args:
        request: how to read and pair.
        references: the path of the first references; the request has the others.
        hypotheses: the path of the hypotheses.
        text: whether hypotheses may be taken for text; a damaged lattice looks like text, too.
        networks_first: whether networks are references only: against text, they were given in the wrong order.

    Raises:
        FstmetricsError: a file that cannot be read, or items that do not pair.
    """
    paths = [hypotheses, references, *request.more_references]
    sides = _sides(request, paths, 1)
    if not text and sides[0].is_text and not request.format:
        raise InputError(
            "looks like text, not like lattices or n-best lists; --format says otherwise", hypotheses
        )
    if networks_first and sides[0].holds_networks and all(side.is_text for side in sides[1:]):
        raise InputError(
            "holds networks where hypotheses are expected: NETWORKS come first, HYP second", hypotheses
        )
    every = [side.items for side in sides]
    pairs, skipped = pair(every[0], every[1:], request.missing, _hint(sides))
    return Inputs(pairs, skipped, _formats(sides), tuple(_remarks(sides)))


@dataclass(frozen=True)
class Columns:
    """Several systems and several references, item by item.

    Attributes:
        systems: outputs of each system, by its name.
        references: references of each item.
        networks: the network of each item, or None.
        formats: how each path was read.
        remarks: what was guessed, for the summary.
        ids: of the items, or None.
    """

    systems: dict[str, list[Any]]
    references: list[Any]
    networks: list[Any] | None
    formats: dict[str, str]
    remarks: tuple[str, ...]
    ids: list[str | None]


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
        pair(side.items, others, "error", _hint([side, *sides[len(systems) :]]))[0] for side in hypotheses
    ]
    count = len(references)
    return Columns(
        {name: [p.hypothesis for p in pairs] for name, pairs in zip(names, paired, strict=True)},
        [replace(p, references=p.references[:count]).reference for p in paired[0]] if count else [],
        [p.references[-1] for p in paired[0]] if networks else None,
        _formats(sides),
        tuple(_remarks(sides)),
        [p.id for p in paired[0]],
    )


def named_path(argument: str) -> tuple[str | None, str]:
    """The name and path of NAME=FILE; None and the path where there is no name."""
    name, _, path = argument.partition("=")
    return (name, path) if name and path and not os.path.exists(argument) else (None, argument)


def _names(arguments: Sequence[str]) -> list[str]:
    """The systems' names: as given by NAME=FILE, else the stems of their files."""
    names: dict[str, str] = {}
    for argument in arguments:
        given, path = named_path(argument)
        name = given or Source(path, b"").stem
        if name in names:
            raise FstmetricsError(
                f"two systems are called {name!r}: {names[name]} and {path}; name them otherwise by NAME=FILE"
            )
        names[name] = path
    return list(names)


def _sides(request: Request, paths: Sequence[str], hypotheses: int) -> list[_Side]:
    """Every path read once, the first ones as hypotheses; with ids where they have any."""
    _refuse_clashes(paths, request.output)
    return _with_ids([_read(request, path, i < hypotheses) for i, path in enumerate(paths)])


def _formats(sides: Sequence[_Side]) -> dict[str, str]:
    return {side.path: ",".join(side.items.formats) for side in sides}


def _refuse_clashes(paths: Sequence[str], output: str | None) -> None:
    if "" in paths:
        raise FstmetricsError("a file's name is empty")
    if paths.count("-") > 1:
        raise FstmetricsError("standard input (-) can be read only once")
    if output is None or output == "-" or not os.path.isfile(output):
        return
    for path in paths:
        if path != "-" and os.path.exists(path) and os.path.samefile(path, output):
            raise FstmetricsError(f"{output}: --output would overwrite this input")


def _read(request: Request, path: str, is_hypothesis: bool) -> _Side:
    with spinner(f"reading {path}"):
        source = path if path != "-" and Path(path).is_dir() else Source.open(path)
        if is_hypothesis:
            return _Side(path, source, "--format", request.format, request.symbols, None).read()
        return _Side(path, source, "--ref-format", request.ref_format, None, request.alternations).read()


def _with_ids(sides: list[_Side]) -> list[_Side]:
    """Sides without ids once more, now that the ids of the others are known.

    A text file does not say whether its lines begin with ids, nor an n-best list whether its numbers are ids or an
    order; the names of lattices and networks say it best, the ids of other texts second best.
    """
    known = frozenset().union(*(side.ids for side in sides if not side.is_text))
    known = known or frozenset().union(*(side.ids for side in sides))
    return [side if not known or has_ids(side.items) else side.read(known) for side in sides]


def _guessed(sides: Sequence[_Side]) -> tuple[str, str]:
    """Paths that were taken to begin their lines with ids, and the options that say otherwise."""
    found = [side for side in sides if side.is_guessed]
    paths, options = (dict.fromkeys(getattr(side, name) for side in found) for name in ("path", "option"))
    return ", ".join(paths), " ".join(f"{option} plain" for option in options)


def _hint(sides: Sequence[_Side]) -> str:
    paths, options = _guessed(sides)
    return f"; {paths} read as lines that begin with ids: {options} to change that" if paths else ""


def _remarks(sides: Sequence[_Side]) -> list[str]:
    remarks = []
    paths, options = _guessed(sides)
    if paths and not any(side.ids for side in sides if not side.is_text):
        remarks.append(
            f"{paths} read as kaldi-text (the first word of a line is its id); {options} to change that"
        )
    lacking = [side.path for side in sides if not has_ids(side.items)]
    if lacking and len(lacking) < len(sides):
        remarks.append(f"paired by order: no ids in {', '.join(dict.fromkeys(lacking))}")
    if sides[0].symbols is None and _is_numbers(sides[0]) and not any(map(_is_numbers, sides[1:])):
        remarks.append(f"all words of {sides[0].path} are numbers: does it need --symbols?")
    return remarks


def _is_numbers(side: _Side) -> bool:
    """Whether the first item's words are all integers, as in lattices that leave words to a symbol table."""
    value = side.items.items[0].value
    words = [
        word
        for word in (
            value.symbols.words if isinstance(value, Lattice) else value if isinstance(value, tuple) else ()
        )
        if word
    ]
    return bool(words) and all(map(str.isdecimal, words))
