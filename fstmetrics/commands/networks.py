"""What the commands `network build`, `union`, `spu`, `normalise`, `draw` and `validate` do."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from fstmetrics.convert.network_files import (
    file_names,
    read_network,
    read_networks,
    rows_by_id,
    wants_folder,
    with_id,
    write_folder,
    write_network,
)
from fstmetrics.networks import normal_form
from fstmetrics.networks.building import Built, from_references
from fstmetrics.networks.drawing import draw, render
from fstmetrics.networks.text_form import parse_text_form
from fstmetrics.networks.validation import Fault, card_remarks, network_faults, network_remarks
from fstmetrics.readers.formats import cards_text
from fstmetrics.readers.reading import check_paths
from fstmetrics.readers.word_alignments import Links, read_alignments
from fstmetrics.runs.input_sides import id_remarks, read_texts
from fstmetrics.runs.sides import Side
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import parsed_json
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source
from fstmetrics.values.cards import Card, card_from_json
from fstmetrics.values.network import Network
from fstmetrics.values.transcripts import Notation, Texts, Transcript

# What a drawing may be.
DRAWINGS = ("dot", "svg", "png", "pdf")
NAMED = 5


class BuiltFiles(NamedTuple):
    """Networks that were built of references, and written.

    Attributes:
        output: where they were written.
        networks: what was built.
        in_folder: whether that is a folder.
        remarks: how files were read.
    """

    output: str
    networks: Sequence[Built]
    in_folder: bool
    remarks: Sequence[str]

    def added(self, limit: int) -> list[tuple[Built, list[str]]]:
        """Sentences that merging added, of every network that has some, at most so many in all."""
        found: list[tuple[Built, list[str]]] = []
        for one in self.networks:
            if one.extra and limit:
                words = one.added(limit)
                found.append((one, [" ".join(sentence) for sentence in words]))
                limit -= len(words)
        return found

    def summary(self, found: Sequence[tuple[Built, list[str]]]) -> dict[str, Any]:
        """What was built, as JSON has it, with sentences that merging added."""
        return {
            "output": self.output,
            "networks": len(self.networks),
            "references": sum(one.references for one in self.networks),
            "extra": sum(one.extra for one in self.networks),
            "added": [
                {
                    "id": one.network.id,
                    "extra": one.extra,
                    "sentences": sentences,
                    "joins": [{"card": card.name, "phrases": card.phrases} for card in one.joins()],
                }
                for one, sentences in found
            ],
        }


def build_networks(
    references: Sequence[str],
    output: str,
    to: str | None,
    max_arcs: int,
    *,
    merge: bool = False,
    alignments: Sequence[str] = (),
    source: str | None = None,
    format: str | None = None,
    alternations: Notation | None = None,
    fields: Sequence[str] = (),
) -> BuiltFiles:
    """Make networks of the references in files, one a sentence, and write them.

    Args:
        references: the files.
        output, to, max_arcs: as of `write_networks`.
        merge: whether references join where they have the same words before and after.
        alignments: files of word alignments with the source, one for each of the references.
        source: the file of source sentences.
        format, alternations, fields: how files are read.

    Raises:
        FstmetricsError: files that do not pair, or as of `from_references` and `write_networks`.
    """
    check_paths([*references, *alignments, source], output)
    if alignments and len(alignments) != len(references):
        raise FstmetricsError(
            f"{len(alignments)} files of word alignments for {len(references)} references; give --align once for each"
        )
    texts = read_texts(references, format, alternations, fields)
    sides = [_texts_of(side) for side in texts]
    for side, path in zip(sides, alignments, strict=False):
        _align(side, path)
    paths = list(references)
    if source is not None:
        (sources,) = read_texts([source], None, None, fields)
        sides.append(_texts_of(sources))
        paths.append(source)
    to_folder = wants_folder(output)
    # A single sentence without an id gets that of its file, in a folder its number.
    rows = [(id or "0" * to_folder, row) for id, row in rows_by_id(paths, sides)]
    built = [_built(id, row, merge, bool(alignments), source is not None) for id, row in rows]
    in_folder = to_folder or len(built) > 1
    if in_folder:
        write_folder([one.network for one in built], output, to, max_arcs)
    else:
        write_network(built[0].network, output, to, max_arcs)
    return BuiltFiles(output, built, in_folder, id_remarks(texts))


def _texts_of(side: Side) -> list[tuple[str | None, Any]]:
    items = side.items
    if not items.items:
        raise InputError("holds no sentence", side.path)
    values = [item.value if item.text is None else item.text for item in items.items]
    if not all(isinstance(value, str | tuple | Transcript | Texts) for value in values):
        raise InputError(f"expected text, found format {', '.join(items.formats)}", side.path)
    return [(item.id, value) for item, value in zip(items.items, values, strict=True)]


class _Aligned(NamedTuple):
    """A sentence and its word alignment, from a line of a file."""

    text: Any
    links: Links
    path: str
    line: int

    def check(self, source: Sequence[str] | None) -> None:
        """Raise an InputError for a link of a word that there is not."""
        words = self.text.split() if isinstance(self.text, str) else self.text
        sides = (("source", source), ("reference", words if isinstance(words, list | tuple) else None))
        for link in sorted(self.links):
            for (what, held), place in zip(sides, link, strict=True):
                if held is not None and place >= len(held):
                    raise InputError(
                        f"the word alignment has {link[0]}-{link[1]}, and the {what} has "
                        f"{counted(len(held), 'word')} (from 0)",
                        self.path,
                        self.line,
                    )


def _align(side: list[tuple[str | None, Any]], path: str) -> None:
    """Give every sentence of a side its word alignment."""
    links = read_alignments(path)
    if len(links) != len(side):
        raise InputError(
            f"holds {counted(len(links), 'word alignment')} for {counted(len(side), 'sentence')}", path
        )
    side[:] = [
        (id, _Aligned(text, one, path, line))
        for line, ((id, text), one) in enumerate(zip(side, links, strict=True), 1)
    ]


def _built(id: str, row: Sequence[Any], merge: bool, is_aligned: bool, has_source: bool) -> Built:
    source: Sequence[str] | None = None
    if has_source:
        *row, last = row
        source = last.split() if isinstance(last, str) else last
    alignments = [one.links for one in row] if is_aligned else None
    texts = [one.text for one in row] if is_aligned else row
    for one in row if is_aligned else ():
        one.check(source if isinstance(source, list | tuple) else None)
    try:
        if has_source and not isinstance(source, list | tuple):
            raise FstmetricsError("the source sentence leaves a choice")
        if is_aligned and any(isinstance(text, Texts) for text in texts):
            raise FstmetricsError("several references of one file cannot be aligned; give a file for each")
        every = [each for text in texts for each in (text.texts if isinstance(text, Texts) else [text])]
        return from_references(every, id, merge, alignments, source)
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}" if id else str(error)) from None


class Combined(NamedTuple):
    """Networks of several files combined.

    Attributes:
        sides: the networks of each file.
        made: what became of them.
        by_id: whether those of each id were combined, into a folder.
    """

    sides: Sequence[Sequence[Network]]
    made: Sequence[Network]
    by_id: bool

    @property
    def read(self) -> list[Network]:
        """All networks that were read."""
        return [network for side in self.sides for network in side]


def combine_networks(
    combined: Callable[..., Network],
    paths: Sequence[str],
    id: str | None,
    output: str,
    to: str | None,
    max_arcs: int,
) -> Combined:
    """Combine the networks of files, and write what comes of it.

    Args:
        combined: makes one network of several.
        paths: the files.
        id: of the result; None for the id that all have in common.
        output, to, max_arcs: as of `write_networks`.

    Raises:
        FstmetricsError: networks that do not pair or cannot be combined, or as of `write_networks`.
    """
    check_paths(paths, output)
    sides = [read_networks(path) for path in paths]
    if any(len(side) > 1 for side in sides):
        if id is not None:
            raise FstmetricsError("--id is for one network; these have ids of their own")
        rows = rows_by_id(paths, [[(network.id, network) for network in side] for side in sides])
        made = [with_id(combined(*row), id) for id, row in rows]
        write_folder(made, output, to, max_arcs)
        return Combined(sides, made, True)
    result = combined(*(network for side in sides for network in side))
    result = result if id is None else with_id(result, id)
    write_network(result, output, to, max_arcs)
    return Combined(sides, [result], False)


def normal_network(network: Network) -> Network:
    """The normal form; an error names the network."""
    try:
        return normal_form(network)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None


def draw_networks(
    path: str, cards: Sequence[str], every: bool, output: str, to: str | None, max_arcs: int, **reading: Any
) -> int:
    """Draw the network of a file, cards of it, or every card of every network.

    Args:
        path: the file or folder.
        cards: which; none for the whole network.
        every: whether to draw every card of every network.
        output: a file, or a new folder for several networks.
        to: the format; None for what the file's ending says.
        max_arcs: the largest size of a drawing.
        reading: as of `read_networks`.

    Returns:
        How many drawings went to a folder; 0 where one went to a file.

    Raises:
        FstmetricsError: a format that there is not, a network that is too large, or Graphviz is missing.
    """
    if every and cards:
        raise FstmetricsError("--all draws every card, --card NAME one: give one or the other")
    check_paths((path, reading["symbols"]), output)
    if not every:
        kind = _kind(output, to)
        _write(draw(read_network(path, **reading), cards, max_arcs), output, kind)
        return 0
    networks = read_networks(path, **reading)
    if len(networks) == 1 and not wants_folder(output, DRAWINGS):
        kind = _kind(output, to)
        _write(_all_cards(networks[0], max_arcs), output, kind)
        return 0
    if not wants_folder(output, DRAWINGS):
        where = "" if output == "-" else f"{output}: "
        raise FstmetricsError(f"{where}{len(networks)} drawings need a folder: -o FOLDER")
    kind = to or "svg"
    drawings = {name: _all_cards(one, max_arcs) for name, one in file_names(networks).items()}
    with whole_folder(output) as folder:
        for name, dot in drawings.items():
            _write(dot, str(folder / f"{name}.{kind}"), kind)
    return len(drawings)


def _kind(output: str, to: str | None) -> str:
    kind = to or ("dot" if output == "-" else output.rpartition(".")[2])
    if kind not in DRAWINGS:
        raise FstmetricsError(f"{output}: a drawing ends in .{', .'.join(DRAWINGS)}; or give --to")
    return kind


def _all_cards(network: Network, max_arcs: int) -> str:
    try:
        return draw(network, list(network.cards), max_arcs)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None


def _write(dot: str, path: str, kind: str) -> None:
    write_whole(path, dot if kind == "dot" else render(dot, kind))


def files_of(paths: Sequence[str]) -> list[str]:
    """Files, and those of folders.

    Raises:
        InputError: a folder that has none.
    """
    return [file for path in paths for file in _files(path)]


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = sorted(str(file) for file in Path(path).iterdir() if file.is_file() and file.name[0] != ".")
    if not found:
        raise InputError("this folder has no file to read", path)
    return found


def faults_of(path: str) -> tuple[list[str], list[str]]:
    """What is wrong with the network of a file, and remarks, a line each."""
    source = Source.open(path)
    unread: list[InputError] = []
    try:
        data = _data(source, unread)
    except InputError as error:
        return [str(error)], []
    faults = [*map(str, unread), *(f"{source.path}: {fault}" for fault in network_faults(data))]
    remarks = _sound_remarks(data) if faults else network_remarks(Network.from_dict(data))
    return faults, [f"{source.path}: remark: {remark}" for remark in remarks]


def _sound_remarks(data: Any) -> list[Fault]:
    """Remarks on those cards of a faulty network that are sound themselves."""
    given = data.get("cards") if isinstance(data, dict) else None
    cards: dict[str, Card] = {}
    for name, card in given.items() if isinstance(given, dict) else ():
        with suppress(FstmetricsError):
            cards[name] = card_from_json(name, card)
    source = data.get("source") if cards else None
    words = source if isinstance(source, list) else None
    return [remark for card in cards.values() for remark in card_remarks(card, cards, words)]


def _data(source: Source, unread: list[InputError]) -> Any:
    """The JSON form's object; what is wrong with the text itself goes into `unread`.

    Raises:
        InputError: there is no such object.
    """
    if cards_text.FORMAT.fits(source) or source.name.endswith(cards_text.FORMAT.extensions):
        data = parse_text_form(source.text, source.path, unread)
        data.setdefault(
            "root", next(iter(data["cards"]), None)
        )  # that there is no way to tell is said already
        return data

    if source.text.lstrip()[:1] not in ("{", ""):
        raise source.error(
            "no network: neither JSON (docs/hyter.md), which begins with {, nor the text form (docs/networks.md), "
            "whose files begin with # fstmetrics-cards/1 or end in .cards; plain references: fstmetrics network build"
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = Counter(key for key, _ in pairs)
        twice = [key for key, count in keys.items() if count > 1]
        unread.extend(source.error(f"the key {key!r} is twice in one object") for key in twice)
        return dict(pairs)

    try:
        return parsed_json(source.text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg} (column {error.colno})", error.lineno) from None
    except FstmetricsError:
        raise
    except ValueError as error:
        raise source.error(f"not a network: {error}") from None
