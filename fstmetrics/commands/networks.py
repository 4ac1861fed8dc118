"""The commands `network build`, `union`, `spu`, `normalise`, `convert` and `draw`, and their calls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import (
    REQUEST,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    several_paths,
    under,
)
from fstmetrics.cli.terminal import say, show, show_json, tell
from fstmetrics.convert.fitting import options_of_words
from fstmetrics.convert.network_files import (
    ENDINGS,
    Missing,
    file_names,
    named_format,
    read_network,
    read_networks,
    rows_by_id,
    wants_folder,
    write_folder,
    write_network,
    write_networks,
)
from fstmetrics.data.network import Network
from fstmetrics.data.transcripts import NOTATIONS, Notation, Texts, Transcript
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.reading import check_paths
from fstmetrics.io.word_alignments import Links, read_alignments
from fstmetrics.networks import network_info, normal_form
from fstmetrics.networks import spu as spu_of
from fstmetrics.networks import union as union_of
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.networks.building import Built, from_references
from fstmetrics.networks.drawing import MAX_ARCS as MAX_DRAWN_ARCS
from fstmetrics.networks.drawing import draw, render
from fstmetrics.networks.svg import draw_svg
from fstmetrics.networks.unions import joined_apart
from fstmetrics.reports.network_tables import (
    added_lines,
    built_lines,
    size_lines,
)
from fstmetrics.scoring.opened_sides import read_source, read_texts
from fstmetrics.scoring.pairing import BY_ORDER
from fstmetrics.scoring.piece_marks import choices_unread, unmarked
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import blank_remarks, id_remarks
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.support.options import ARCS, FLAG, PATH, ROWS, TEXT, Option, many, one_of, written_file
from fstmetrics.support.output import whole_folder, write_whole
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import Normalisation

# Formats that have no place for how words were cut.
MACHINES = ("far", "openfst", "att")

# What a drawing may be.
DRAWINGS = ("dot", "svg", "png", "pdf")

# How networks are read.
READING = under(
    "",
    format=Option(FORMAT, "Format read. Default: recognised."),
    symbols=Option(
        PATH, "Symbol table (lines `word integer`) where machines hold numbers for words.", metavar="FILE",
    ),
    root=Option(
        TEXT, "The root of an archive (FAR) of cards. Default: the card that no other card calls.", metavar="NAME",
    ),
    item=Option(TEXT, "Only the network with this id, of a folder or an archive.", metavar="ID"),
)  # fmt: skip
# Where networks go, and in which format.
WRITING = under(
    "",
    output=Option(
        written_file(),
        "File to write; for several networks a new folder, which gets one file each; - is standard output. "
        "Default: -.", metavar="OUT",
    ),
    to=Option(one_of(*ENDINGS), "Format written. Default: by the ending of OUT; JSON to standard output."),
    max_arcs=Option(ARCS, "Largest size of an expansion, which a single OpenFst machine holds.", MAX_ARCS),
)  # fmt: skip
BUILDING: Options = {
    **under(
        "",
        merge=Option(
            FLAG,
            "Join references where they have the same words before and after. The network then has more sentences than "
            "were written; they are counted and listed.",
        ),
        align=Option(
            many(PATH),
            "Word alignments of a REF with the source, lines of 0-0 1-2 (source word, word of REF; from 0). One for "
            "each REF, in the same order. Cards get the source words that they translate.",
            metavar="FILE", field="alignments",
        ),
        source=Option(PATH, "The source sentences, which networks then hold.", metavar="FILE"),
        tokenize=REQUEST["tokenize"]._replace(
            help="Cut the references with a tokenizer of sacrebleu, as 13a or intl. The networks say so, and hyter "
            "cuts translations alike.",
        ),
        lowercase=REQUEST["lowercase"]._replace(
            help="Make the references lower case. The networks say so, and hyter ignores case.",
        ),
        allow_download=REQUEST["allow_download"],
        added=Option(
            ROWS, "List at most N of the sentences that --merge added, over all networks.", 10, printed=True,
        ),
        json=REQUEST["json"]._replace(
            help="Print one JSON object about what was built, with the sentences that --merge added."
        ),
        format=Option(FORMAT, "Format read. Default: recognised."),
        alternations=Option(
            one_of(*NOTATIONS), "How plain and Kaldi text write choices; fstmetrics score --help explains them.",
        ),
    ),
    **under("", REQUEST, "fields"),
    **WRITING,
}  # fmt: skip
COMBINING: Options = {
    **under(
        "",
        id=Option(TEXT, "Id of the result. Default: the id that all have in common.", metavar="ID"),
        missing=Option(
            one_of("error", "skip", "without"),
            "A sentence that a file lacks: stop, leave it out, or combine it without that file.", "error",
        ),
    ),
    **WRITING,
}  # fmt: skip
CONVERTING: Options = {**WRITING, **READING}
DRAWING: Options = {
    **under(
        "",
        card=Option(
            many(TEXT), "Draw this card with its calls instead of the whole network. Repeatable.",
            metavar="NAME", field="cards",
        ),
        all=Option(
            FLAG, "Draw every card with its calls, of every network. Several networks need -o FOLDER.", field="every",
        ),
        output=Option(written_file(), "File to write; - is standard output. Default: -.", metavar="OUT"),
        to=Option(one_of(*DRAWINGS), "Format written. Default: by the ending of OUT; DOT to standard output."),
        max_arcs=Option(ARCS, "Largest size of a drawing.", MAX_DRAWN_ARCS),
    ),
    **READING,
}  # fmt: skip


class BuiltFiles(NamedTuple):
    """Networks that were built of references.

    Attributes:
        output: where they were written; None: nowhere.
        networks: what was built.
        in_folder: whether that is a folder.
        remarks: how files were read, and what the format that was written has no place for.
    """

    output: str | None
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

    def summary(self, added: int = 10) -> dict[str, Any]:
        """What the command prints with `--json`, with so many sentences that merging added."""
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
                    "joins": [
                        {"card": card.name, "phrases": card.phrases and list(card.phrases)}
                        for card in one.joins()
                    ],
                }
                for one, sentences in self.added(added)
            ],
        }


def network_build_files(references: PathLike | Iterable[PathLike], **options: Any) -> BuiltFiles:
    """Make networks of plain references, one a sentence, as `fstmetrics network build` does.

    Args:
        references: a file, or several of the same sentences.
        options: those of the command, with `_` for `-`: `merge=True`, `tokenize="13a"`, `align=["a.align"]`. With
            `output`, the networks are written, too.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> references = files("fstmetrics") / "examples" / "references"
    >>> found = fm.network_build_files([references / "one.txt", references / "two.txt"], tokenize="13a")
    >>> found.networks[0].network.tokenize, found.summary()["references"]
    ('13a', 2)
    """
    name = "network_build_files"
    return build_networks(
        several_paths(name, references, "references"), **fields_of_options(name, BUILDING, options)
    )


def build_networks(
    references: Sequence[str],
    output: str | None,
    to: str | None,
    max_arcs: int,
    *,
    merge: bool = False,
    alignments: Sequence[str] = (),
    source: str | None = None,
    format: str | None = None,
    alternations: Notation | None = None,
    fields: Sequence[str] = (),
    tokenize: str | None = None,
    lowercase: bool = False,
    allow_download: bool = False,
) -> BuiltFiles:
    """The same by the fields of `BUILDING`; without `output` nothing is written.

    Raises:
        FstmetricsError: files that do not pair, or as of `from_references` and `write_networks`.
    """
    words = Normalisation(tokenize, lowercase, allow_download=allow_download)
    words.words("")  # fails here, before anything is read, if there is no such tokenizer
    check_paths([*references, *alignments, source], output)
    if alignments and len(alignments) != len(references):
        raise FstmetricsError(
            f"{len(alignments)} files of word alignments for {len(references)} references; give --align once for each"
        )
    texts = read_texts(references, format, alternations, fields)
    sources = [] if source is None else [read_source(source, format, fields)]
    if len(texts) > 1:
        texts = unmarked(texts, Request(alternations=alternations, tokenize=tokenize, lowercase=lowercase))
    sides = [_texts_of(side) for side in texts]
    remarks = [*id_remarks([*texts, *sources]), *choices_unread(texts), *blank_remarks(texts)]
    for side, path in zip(sides, alignments, strict=False):
        _align(side, path)
    sides += map(_texts_of, sources)
    if "id=" in fields:  # of lines, too
        sides = [[(None, value) for _, value in side] for side in sides]
    paths = [*references, *([] if source is None else [source])]
    to_folder = output is not None and wants_folder(output)
    # A single sentence without an id gets that of its file, in a folder its number.
    rows = [(id or "0" * to_folder, row) for id, row in rows_by_id(paths, sides, by_order=BY_ORDER)]
    built = [_built(id, row, merge, bool(alignments), source is not None, words) for id, row in rows]
    in_folder = to_folder or len(built) > 1
    if output is None:
        pass
    elif in_folder:
        write_folder([one.network for one in built], output, to, max_arcs)
    else:
        write_network(built[0].network, output, to, max_arcs)
    remarks += _format_remarks([one.network for one in built], output, to)
    return BuiltFiles(output, built, in_folder, remarks)


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

    def check(self, source: Sequence[str] | None, normalisation: Normalisation) -> None:
        """Raise an InputError for a link of a word that there is not."""
        is_text = isinstance(self.text, str | list | tuple)
        sides = (("source", source), ("reference", normalisation.words(self.text) if is_text else None))
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


def _built(
    id: str, row: Sequence[Any], merge: bool, is_aligned: bool, has_source: bool, words: Normalisation
) -> Built:
    source: Sequence[str] | None = None
    if has_source:
        *row, last = row
        source = last.split() if isinstance(last, str) else last
    alignments = [one.links for one in row] if is_aligned else None
    texts = [one.text for one in row] if is_aligned else row
    for one in row if is_aligned else ():
        one.check(source if isinstance(source, list | tuple) else None, words)
    try:
        if has_source and not isinstance(source, list | tuple):
            raise FstmetricsError("the source sentence leaves a choice")
        if is_aligned and any(isinstance(text, Texts) for text in texts):
            raise FstmetricsError("several references of one file cannot be aligned; give a file for each")
        every = [each for text in texts for each in (text.texts if isinstance(text, Texts) else [text])]
        built = from_references(
            every, id, merge, alignments, source, words.tokenize, words.lowercase, words.allow_download
        )
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}" if id else str(error)) from None
    # A blank line beside words counts as no reference.
    is_beside = built.references > 1 and any(isinstance(each, str) and not each.strip() for each in every)
    return replace(built, references=built.references - is_beside)


class Combined(NamedTuple):
    """Networks of several files combined.

    Attributes:
        sides: the networks of each file.
        made: what became of them.
        by_id: whether those of each id were combined, into a folder.
        lacking: ids that some file lacks; they were left out, or combined without that file.
        lost: what the format that was written has no place for, where scores depend on it; and cards that were not
            merged, as something was joined to their calls.
    """

    sides: Sequence[Sequence[Network]]
    made: Sequence[Network]
    by_id: bool
    lacking: Sequence[str] = ()
    lost: Sequence[str] = ()

    @property
    def read(self) -> list[Network]:
        """All networks that were read."""
        return [network for side in self.sides for network in side]

    def remarks(self, missing: Missing) -> list[str]:
        """What is said of ids that some file lacks, and of what was lost."""
        done = "left out" if missing == "skip" else "combined without a file that lacks them"
        return [*([f"{done}: {listed(list(self.lacking))}"] if self.lacking else []), *self.lost]


def network_union_files(networks: PathLike | Iterable[PathLike], **options: Any) -> Combined:
    """Combine networks of the same sentences: all paths of all of them, as `fstmetrics network union` does.

    Args:
        networks: files, folders or archives; those of the same id are combined.
        options: those of the command: `missing="without"`, `id="both"`. With `output`, what is made is written, too.

    Raises:
        TypeError, FstmetricsError: as of `network_build_files`.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> folder = files("fstmetrics") / "examples" / "networks"
    >>> found = fm.network_union_files([folder / "annotator-1.cards", folder / "annotator-2.cards"])
    >>> fm.networks.info(found.made[0]).paths
    8
    """
    return _combined_files("network_union_files", union_of, networks, options)


def network_spu_files(networks: PathLike | Iterable[PathLike], **options: Any) -> Combined:
    """The same by the source-phrase-level union, as `fstmetrics network spu` does; as of `network_union_files`."""
    return _combined_files("network_spu_files", spu_of, networks, options)


def _combined_files(
    name: str,
    combined: Callable[..., Network],
    networks: PathLike | Iterable[PathLike],
    options: Mapping[str, Any],
) -> Combined:
    paths = several_paths(name, networks, "networks")
    return combine_networks(combined, paths, **fields_of_options(name, COMBINING, options))


def combine_networks(
    combined: Callable[..., Network],
    paths: Sequence[str],
    id: str | None,
    missing: Missing,
    output: str | None,
    to: str | None,
    max_arcs: int,
) -> Combined:
    """The same by the fields of `COMBINING`, with what makes one network of several.

    Raises:
        FstmetricsError: networks that do not pair or cannot be combined, or as of `write_networks`.
    """
    check_paths(paths, output)
    sides = [read_networks(path) for path in paths]
    are_folders = output is not None and wants_folder(output) and all(map(os.path.isdir, paths))
    if any(len(side) > 1 for side in sides) or (are_folders and id is None):
        if id is not None:
            raise FstmetricsError("--id is for one network; these have ids of their own")
        rows = rows_by_id(paths, [[(network.id, network) for network in side] for side in sides], missing)
        made = [combined(*row).changed(id=id) for id, row in rows]
        if output is not None:
            write_folder(made, output, to, max_arcs)
        ids = dict.fromkeys(network.id for side in sides for network in side)
        lacking = [id for id in ids if not all(any(each.id == id for each in side) for side in sides)]
        apart = [remark for _, row in rows for remark in _of_joined(combined, row)]
        return Combined(sides, made, True, lacking, [*apart, *_format_remarks(made, output, to)])
    result = combined(*(network for side in sides for network in side))
    result = result if id is None else result.changed(id=id)
    if output is not None:
        write_network(result, output, to, max_arcs)
    read = [network for side in sides for network in side]
    lost = [*_of_joined(combined, read), *_format_remarks([result], output, to)]
    return Combined(sides, [result], False, lost=lost)


def _of_joined(combined: Callable[..., Network], networks: Sequence[Network]) -> list[str]:
    """What there is to say of cards that were not merged, as something was joined to their calls."""
    return [
        f"{networks[0].id or 'network'}: {name!r} is [{base}] with something joined to it, and not merged with "
        f"{base} of another network: a space in between calls {base} itself"
        for name, base in (joined_apart(networks) if combined is spu_of else ())
    ]


class Rewritten(NamedTuple):
    """Networks that were read, and what became of them.

    Attributes:
        before, after: the networks.
        in_folder: whether they were written into a folder.
        remarks: what the format that was written has no place for, where scores depend on it.
    """

    before: Sequence[Network]
    after: Sequence[Network]
    in_folder: bool
    remarks: Sequence[str] = ()


def network_normalise_files(networks: PathLike, **options: Any) -> Rewritten:
    """Networks with the same strings and fewer cards, states and arcs, as `fstmetrics network normalise` makes them.

    Args:
        networks: a file or folder.
        options: those of the command. With `output`, what is made is written, too.

    Raises:
        TypeError, FstmetricsError: as of `network_build_files`.
    """
    name = "network_normalise_files"
    return rewrite_networks(
        path_of(name, networks), normal_network, **fields_of_options(name, CONVERTING, options)
    )


def network_convert_files(networks: PathLike, **options: Any) -> Rewritten:
    """Networks in another format, as `fstmetrics network convert` writes them.

    Args:
        networks: a file or folder.
        options: those of the command: `output="station.cards"`, `to="cards"`. Without `output` they are only read.

    Raises:
        TypeError, FstmetricsError: as of `network_build_files`.
    """
    name = "network_convert_files"
    return rewrite_networks(
        path_of(name, networks), lambda network: network, **fields_of_options(name, CONVERTING, options)
    )


def rewrite_networks(
    path: str,
    change: Callable[[Network], Network],
    output: str | None,
    to: str | None,
    max_arcs: int,
    **reading: Any,
) -> Rewritten:
    """Both by the fields of `CONVERTING`, with what is done to each network."""
    check_paths((path, reading["symbols"]), output)
    before = read_networks(path, **reading)
    after = [change(network) for network in before]
    in_folder = output is not None and write_networks(after, path, output, to, max_arcs)
    return Rewritten(before, after, in_folder, _format_remarks(after, output, to))


def _format_remarks(networks: Sequence[Network], output: str | None, to: str | None) -> list[str]:
    """What the format that was written has no place for, where scores depend on it; networks that are not read."""
    format = to or named_format(output or "") or "json"
    if output is None or format not in MACHINES:
        return []
    lost = {option: None for network in networks for option in options_of_words(network)}
    remarks = [f"{format} has no place for how words were cut: score with {' '.join(lost)}"] if lost else []
    if format == "far" and len(networks) > 1:
        remarks.append(
            f"where sentences are scored, each card of {output} is an item, and no network; network info, paths and "
            "convert read archives one by one; --to cards, json or openfst is a network everywhere"
        )
    return remarks


def normal_network(network: Network) -> Network:
    """The normal form; an error names the network."""
    try:
        return normal_form(network)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None


def network_draw_files(networks: PathLike, output: PathLike, **options: Any) -> int:
    """Draw a network, or cards of it, as `fstmetrics network draw` does.

    Args:
        networks: the file or folder.
        output: the file, or a new folder for drawings of several networks.
        options: those of the command: `card=["PM"]`, `all=True`, `to="svg"`.

    Returns:
        How many drawings went to a folder; 0 where one went to a file.

    Raises:
        TypeError, FstmetricsError: as of `network_build_files`.
    """
    name = "network_draw_files"
    given = fields_of_options(name, DRAWING, {**options, "output": path_of(name, output)})
    return draw_networks(path_of(name, networks), **given)


def draw_networks(
    path: str, cards: Sequence[str], every: bool, output: str, to: str | None, max_arcs: int, **reading: Any
) -> int:
    """The same by the fields of `DRAWING`.

    Raises:
        FstmetricsError: a format that there is not, a network that is too large, or Graphviz is missing.
    """
    if every and cards:
        raise FstmetricsError("--all draws every card, --card NAME one: give one or the other")
    check_paths((path, reading["symbols"]), output)
    if not every:
        kind = _kind(output, to)
        write_whole(output, _drawing(read_network(path, **reading), cards, kind, max_arcs))
        return 0
    networks = read_networks(path, **reading)
    if len(networks) == 1 and not wants_folder(output, DRAWINGS):
        kind = _kind(output, to)
        write_whole(output, _all_cards(networks[0], kind, max_arcs))
        return 0
    if not wants_folder(output, DRAWINGS):
        where = "" if output == "-" else f"{output}: "
        raise FstmetricsError(f"{where}{len(networks)} drawings need a folder: -o FOLDER")
    kind = to or "svg"
    drawings = {name: _all_cards(one, kind, max_arcs) for name, one in file_names(networks).items()}
    with whole_folder(output) as folder:
        for name, drawing in drawings.items():
            write_whole(str(folder / f"{name}.{kind}"), drawing)
    return len(drawings)


def _kind(output: str, to: str | None) -> str:
    kind = to or ("dot" if output == "-" else output.rpartition(".")[2])
    if kind not in DRAWINGS:
        raise FstmetricsError(f"{output}: a drawing ends in .{', .'.join(DRAWINGS)}; or give --to")
    return kind


def _all_cards(network: Network, kind: str, max_arcs: int) -> str | bytes:
    try:
        return _drawing(network, list(network.cards), kind, max_arcs)
    except FstmetricsError as error:
        raise FstmetricsError(f"network {network.id}: {error}" if network.id else str(error)) from None


def _drawing(network: Network, cards: Sequence[str], kind: str, max_arcs: int) -> str | bytes:
    if kind == "svg":
        return draw_svg(network, cards, max_arcs)
    dot = draw(network, cards, max_arcs)
    return dot if kind == "dot" else render(dot, kind)


@command(usual=("--output", "--merge", "--tokenize", "--lowercase", "--align", "--source"))
@click.argument("references", metavar="REF...", nargs=-1, required=True)
@options_of(BUILDING)
def build_command(
    references: Sequence[str], added: int, as_json: bool, output: str | None, **options: Any
) -> None:
    """Make networks of plain references, one network per sentence.

    \b
    Example:  fstmetrics network build ref1.txt ref2.txt -o networks/

    What references of a sentence have in common becomes cards that they share. Sentences pair by id where the files
    have ids, otherwise by order; then they are numbered from 0, as in n-best lists. OUT is a new folder, which gets one
    file per sentence; for a single sentence it can be a file with an ending such as .json or .cards, or standard
    output.
    """
    output = output or "-"
    if as_json and output == "-":
        raise FstmetricsError(
            "--json and the network both want standard output; give the network a file: -o OUT"
        )
    built = build_networks(references, output, **options)
    if as_json:
        show_json(built.summary(added))
    elif output != "-":
        show(*built_lines(output, built.networks, built.in_folder))
    if options["merge"] and not as_json:
        (tell if output == "-" else show)(*added_lines(built.networks, built.added(added)))
    say(*built.remarks)


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(DRAWING)
def draw_command(network: str, output: str | None, **options: Any) -> None:
    """Draw a network, or cards of it.

    \b
    Example:  fstmetrics network draw station.json -o station.svg

    The whole network is drawn with every call replaced by the card that it calls. SVG and DOT, the language of
    Graphviz, need no other program; PNG and PDF need Graphviz's program dot. --item ID draws one network of a folder or
    an archive, --all draws all of them, each into a file of OUT, which is then a new folder.
    """
    if drawn := draw_networks(network, output=output or "-", **options):
        show(f"{output}: {counted(drawn, 'drawing')}")


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
def union_command(networks: Sequence[str], output: str | None, **options: Any) -> None:
    """Combine networks for one sentence: all paths of all of them (the standard union).

    \b
    Example:  fstmetrics network union anna.json ben.json -o both.json

    In folders and archives, the networks with the same id are combined; OUT is then a folder.
    """
    output = output or "-"
    found = combine_networks(union_of, networks, output=output, **options)
    _show_combined(networks, found, output, options["missing"])


@command()
@click.argument("networks", metavar="NETWORK...", nargs=-1, required=True)
@options_of(COMBINING)
def spu_command(networks: Sequence[str], output: str | None, **options: Any) -> None:
    """Combine networks for one sentence by the source-phrase-level union.

    \b
    Example:  fstmetrics network spu anna.json ben.json -o both.json

    Cards of different networks become one card if they translate the same source words and have a string in common. So
    a path can begin in one network and continue in another. In folders and archives, the networks with the same id are
    combined; OUT is then a folder.
    """
    output = output or "-"
    found = combine_networks(spu_of, networks, output=output, **options)
    _show_combined(networks, found, output, options["missing"])
    if not any(card.span for network in found.read for card in network.cards.values()):
        say("no card has a span, so this is the plain union")


def _show_combined(paths: Sequence[str], found: Combined, output: str, missing: Missing) -> None:
    """The sizes, if the result is not what is printed."""
    if found.by_id:
        each = f"up to {len(paths)}" if missing == "without" and found.lacking else len(paths)
        show(f"{output}: {counted(len(found.made), 'network')} of {each} each")
    elif output != "-":
        show(*size_lines(list(zip([*paths, output], [*found.read, *found.made], strict=True))))
    say(*found.remarks(missing))


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(CONVERTING)
def normalise_command(network: str, output: str | None, **options: Any) -> None:
    """Write networks with the same strings and fewer cards, states and arcs.

    \b
    Example:  fstmetrics network normalise station.json -o small.json

    NETWORKS: a file or a folder. Every card becomes deterministic and minimal, and equal cards become one. The
    sizes before and after are printed, unless the network itself is.
    """
    output = output or "-"
    found = rewrite_networks(network, normal_network, output, **options)
    if found.in_folder:
        show(
            f"{output}: {counted(len(found.after), 'network')}, {arcs_before_and_after(found.before, found.after)}"
        )
    elif output != "-":
        show(*size_lines([(network, found.before[0]), (output, found.after[0])]))
    say(*found.remarks)


@command()
@click.argument("network", metavar="NETWORKS")
@options_of(CONVERTING)
def convert_command(network: str, output: str | None, **options: Any) -> None:
    """Convert networks to another format.

    \b
    Example:  fstmetrics network convert networks/ -o station.cards

    NETWORKS: a file or a folder, in one of these formats or in any lattice format (without its costs). json and cards
    (the annotators' text form) hold networks as they are. openfst (binary) and att (text) hold one machine, the
    expansion. far holds one machine per card; calls are labels `[NAME]`.
    """
    output = output or "-"
    found = rewrite_networks(network, lambda one: one, output, **options)
    if found.in_folder:
        show(f"{output}: {counted(len(found.after), 'network')}")
    say(*found.remarks)


def arcs_before_and_after(before: Sequence[Network], after: Sequence[Network]) -> str:
    """How many arcs networks had, and have."""
    arcs = [sum(network_info(one, max_states=0).arcs for one in side) for side in (before, after)]
    return f"{counted(arcs[0], 'arc')} before, {arcs[1]} now"
