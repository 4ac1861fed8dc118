"""`fstmetrics annotate`: the annotation tool."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import click

from fstmetrics.annotate.project_export import write_combined, write_networks
from fstmetrics.annotate.project_file import is_project
from fstmetrics.annotate.project_import import Links, new_sentence
from fstmetrics.annotate.project_store import PROTOCOLS, NewSentence, Project
from fstmetrics.annotate.target_units import TARGET_UNITS, TargetUnit, target_unit_of
from fstmetrics.cli.input_sides import Side, id_remarks, read_texts
from fstmetrics.cli.network_command.network_options import read_networks
from fstmetrics.cli.network_command.network_rows import rows_by_id
from fstmetrics.cli.option_types import FORMAT, Whole
from fstmetrics.cli.options import command, group, option, together
from fstmetrics.cli.path_checks import check_paths
from fstmetrics.cli.systems import named_path
from fstmetrics.cli.terminal import say, show
from fstmetrics.readers.word_alignments import read_alignments
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import counted
from fstmetrics.support.source import stem
from fstmetrics.values.network import Network

Named = list[tuple[str, str]]


@command(usual=("--import", "--ref", "--system", "--export", "--port"))
@click.argument("project", metavar="PROJECT")
@together(
    group(
        "Import",
        option("--import", "sources", metavar="FILE",
               help="Source sentences of a document, to be added to the project. More documents: run it again."),
        option("--ref", "references", multiple=True, metavar="[NAME=]FILE",
               help="References of these sentences. Repeatable; the first is the best one."),
        option("--system", "systems", multiple=True, metavar="NAME=FILE", help="Outputs of a system. Repeatable."),
        option("--networks", "networks", multiple=True, metavar="[ANNOTATOR=]FOLDER",
               help="Networks of an annotator, who goes on with them. Repeatable."),
        option("--align", "alignments", multiple=True, metavar="NAME=FILE",
               help="Word alignment of the source with the reference or system NAME: lines of 0-0 1-2. Repeatable."),
        option("--document", metavar="NAME", help="Name of the document. Default: that of the file of sources."),
        option("--source-unit", type=click.Choice(["auto", "word", "character"]), default="auto", show_default=True,
               help="What a span of the source is made of: words, or characters in scripts without spaces."),
        option("--target-unit", type=click.Choice(["auto", *TARGET_UNITS]), default="auto", show_default=True,
               help="What words of references, outputs and cards are cut into, as --unit of hyter; of the project's "
                    "first document. auto: characters where references and outputs have no spaces."),
        option("--format", type=FORMAT, help="Format of the sources, references and outputs. Default: recognised."),
    ),
    group(
        "Annotators",
        option("--annotator", "annotators", multiple=True, metavar="NAME[=PROTOCOL]",
               help="Somebody who annotates; the first is the one of links without a name. PROTOCOL is what they see: "
                    "source (the source only), best (the first reference, too), references (four) or all (all, the "
                    "outputs, and what others wrote). Default: your user name, all. Repeatable."),
    ),
    group(
        "Output",
        option("--export", metavar="FOLDER",
               help="Write the networks into a new folder, which gets a folder for each annotator, and do not serve."),
        option("--combine", type=click.Choice(["spu", "union"]),
               help="With --export: write one network a sentence, of all annotators together, by the source-phrase-"
                    "level union or the plain one."),
        option("--to", type=click.Choice(["json", "cards"]), default="json", show_default=True,
               help="With --export: networks as JSON, or as text that people read."),
    ),
    group(
        "Server",
        option("--port", type=Whole(0, 65535), default=8765, show_default=True, help="Port; 0 takes a free one."),
        option("--host", metavar="HOST",
               help="Listen on this name or address of the machine, so that others can reach the tool. Everybody gets "
                    "a link of their own. Default: this machine only."),
        option("--browser/--no-browser", default=True, help="Open a browser, or only print the address."),
    ),
)  # fmt: skip
def annotate(
    project: str, sources: str | None, references: Sequence[str], systems: Sequence[str], networks: Sequence[str],
    alignments: Sequence[str], document: str | None, source_unit: Literal["auto", "word", "character"],
    target_unit: str, format: str | None, annotators: Sequence[str], export: str | None,
    combine: Literal["spu", "union"] | None, to: Literal["json", "cards"], port: int, host: str | None, browser: bool,
) -> None:  # fmt: skip
    """Write reference networks in a browser.

    \b
    Example:  fstmetrics annotate project/ --import source.txt --ref ref.txt
              fstmetrics annotate project/
              fstmetrics annotate project/ --export networks/

    PROJECT is a folder, which is made where there is none. It holds all that people write, and another machine can open
    it. The tool serves the project until Ctrl-C. Everything is saved when it is typed. docs/annotation.md explains how
    to work with it.
    """
    given = [*references, *systems, *networks, *alignments]
    if sources is None and (given or document):
        raise FstmetricsError("--ref, --system, --networks, --align and --document are for --import FILE")
    if combine and not export:
        raise FstmetricsError("--combine is for --export FOLDER")
    if export and sources is None and not annotators:
        with Project.read(project) as opened:
            _export(opened, export, combine, to)
        return
    people = [_person(each) for each in annotators]
    sentences: list[NewSentence] = []
    target: TargetUnit = "word"
    if sources is not None:
        paths = [named_path(each)[1] for each in (*references, *systems, *alignments)]
        check_paths([sources, *paths, *(path for _, path in _optional(networks))], export)
        document = document or stem(sources)
        before = _before(project, document)
        first = people[0][0] if people else before.annotator
        target, sentences = _sentences(
            sources,
            references,
            systems,
            networks,
            alignments,
            source_unit,
            format,
            first,
            before,
            target_unit,
        )
    with Project.open(project, create=True) as opened:
        for name, protocol in people:
            opened.add_annotator(name, protocol)
        if sources is not None and document is not None:
            added = opened.add(document, sentences, target=target)
            say(f"{project}: {counted(added, 'sentence')} imported from {sources}")
        if not opened.annotators():
            opened.add_annotator(_user())
        if export:
            _export(opened, export, combine, to)
            return
        first = people[0][0] if people else opened.annotators()[0].name
        _serve(opened, first, host, port, browser)


def _export(project: Project, path: str, combine: Any, to: Any) -> None:
    written = write_combined(project, path, combine, to) if combine else write_networks(project, path, to)
    show(f"{path}: {counted(written, 'network')}")


def _serve(project: Project, annotator: str, host: str | None, port: int, browser: bool) -> None:
    from fstmetrics.annotate.project_server import Address, serve

    def ready(address: Address) -> None:
        show(f"{address.url}  Ctrl-C stops")
        for name, link in address.links.items():
            say(f"link of {name}: {link}")
        if browser:
            import webbrowser

            with suppress(webbrowser.Error):
                webbrowser.open(address.links.get(annotator, address.url))

    serve(project, annotator, host, port, ready)


def _person(text: str) -> tuple[str, str | None]:
    name, equals, protocol = text.partition("=")
    if equals and protocol not in PROTOCOLS:
        raise FstmetricsError(f"--annotator {text}: the protocol is one of {', '.join(PROTOCOLS)}")
    return name, protocol or None


def _user() -> str:
    with suppress(Exception):  # no user of that number, no such variable
        name = "".join(c for c in getpass.getuser() if c.isalnum() or c in "._-")
        if name and name[0].isalnum():
            return name[:60]
    return "annotator"


class _Before(NamedTuple):
    """What a project has before an import.

    Attributes:
        annotator: whose the networks are that are imported, where nobody is named.
        numbers: the ids of sentences that come without any; none where the document is there already.
        target: what words are cut into; None where there is no sentence yet.
    """

    annotator: str
    numbers: Iterable[str]
    target: TargetUnit | None = None


def _before(project: str, document: str) -> _Before:
    if not is_project(project):
        return _Before(_user(), map(str, count()))
    with Project.read(project) as opened:
        names = [annotator.name for annotator in opened.annotators()]
        there, target = opened.sentences(), opened.target_unit
    is_there = any(sentence.document == document for sentence in there)
    numbers = () if is_there else map(str, count(len(there)))
    return _Before(names[0] if names else _user(), numbers, target if there else None)


def _sentences(
    sources: str, references: Sequence[str], systems: Sequence[str], networks: Sequence[str],
    alignments: Sequence[str], unit: Literal["auto", "word", "character"], format: str | None, annotator: str,
    before: _Before, target_unit: str,
) -> tuple[TargetUnit, list[NewSentence]]:  # fmt: skip
    """The unit of words, and the sentences of a document with all that the files say of them."""
    refs = _named(references, "--ref", own_names=True)
    outs = _named(systems, "--system")
    if len({name for name, _ in (*refs, *outs)}) < len(refs) + len(outs):
        raise FstmetricsError("two references or systems have one name; give others: NAME=FILE")
    paths = [sources, *(path for _, path in (*refs, *outs))]
    links = dict(_aligned(value, [name for name, _ in (*refs, *outs)]) for value in alignments)
    texts = _texts(paths, format)
    for remark in id_remarks(texts):
        say(remark)
    sides: list[list[tuple[str | None, Any]]] = [_side(side) for side in texts]
    for name, path in links.items():
        found = read_alignments(path)
        number = [each for each, _ in (*refs, *outs)].index(name) + 1
        if len(found) != len(sides[number]):
            raise InputError(f"has {len(found)} lines for {counted(len(sides[number]), 'sentence')}", path)
        sides.append([(id, each) for (id, _), each in zip(sides[number], found, strict=True)])
        paths.append(path)
    target = cast(TargetUnit, target_unit)
    if target_unit == "auto":
        target = before.target or target_unit_of(text for side in sides[1 : len(texts)] for _, text in side)
    held = [(name or annotator, _by_id(path)) for name, path in _optional(networks)]
    made: list[NewSentence] = []
    rows = rows_by_id(paths, sides)
    have_ids = all(id is not None for side in sides for id, _ in side)
    keys = [id for id, _ in rows] if have_ids else [key for key, _ in zip(before.numbers, rows, strict=False)]
    if not keys:
        raise FstmetricsError(
            f"{sources}: the project has a document of this name, and the sentences have no ids; --document NAME "
            "gives another"
        )
    for key, (_, row) in zip(keys, rows, strict=True):
        source, *rest = row
        words = [text.split() for text in rest[: len(refs) + len(outs)]]
        aligned: dict[str, Links] = dict(zip(links, rest[len(words) :], strict=True))
        made.append(
            new_sentence(
                key, source, unit,
                {name: text for (name, _), text in zip(refs, words, strict=False)},
                {name: text for (name, _), text in zip(outs, words[len(refs) :], strict=True)},
                aligned, {name: by_id[key] for name, by_id in held if key in by_id},
                target,
            )
        )  # fmt: skip
    _refuse_strangers(networks, held, {one.key for one in made})
    return target, made


def _side(side: Side) -> list[tuple[str | None, str]]:
    """Ids and sentences of a file."""
    found: list[tuple[str | None, str]] = []
    for item in side.items.items:
        text = item.value if item.text is None else item.text
        text = " ".join(text) if isinstance(text, tuple) else text
        if not isinstance(text, str):
            raise InputError(f"expected text, found format {', '.join(side.items.formats)}", side.path)
        found.append((item.id, text))
    if not found:
        raise InputError("holds no sentence", side.path)
    return found


def _named(values: Sequence[str], option: str, own_names: bool = False) -> Named:
    """Names and paths; where no name is given, that of the file."""
    found: Named = []
    for value in values:
        name, path = named_path(value)
        if not own_names and "=" not in value:
            raise FstmetricsError(f"{option} {value}: expected NAME=FILE")
        found.append((name or stem(path), path))
    return found


def _aligned(value: str, names: Sequence[str]) -> tuple[str, str]:
    """The name and path of NAME=FILE; either may have a = in it."""
    found = [name for name in names if value.startswith(f"{name}=")]
    if not found:
        name = value.partition("=")[0]
        raise FstmetricsError(f"--align {name}=...: there is no --ref or --system of that name")
    name = max(found, key=len)
    return name, value[len(name) + 1 :]


def _texts(paths: Sequence[str], format: str | None) -> list[Side]:
    """What files hold. A number that begins the only line of each is a word: a single sentence needs no id."""
    sides = read_texts(paths, format, None)
    alone = all(len(side.items.items) == 1 for side in sides)
    if alone and all(id.isdecimal() for side in sides if side.is_guessed for id in side.ids):
        return read_texts(paths, "plain", None) if any(side.is_guessed for side in sides) else sides
    return sides


def _optional(values: Sequence[str]) -> Iterable[tuple[str, str]]:
    for value in values:
        name, equals, path = value.partition("=")
        yield ("", value) if not equals or Path(value).exists() else (name, path)


def _by_id(path: str) -> dict[str, Network]:
    """The networks of a folder or file by their ids; those that ids lack are numbered from 0."""
    found = read_networks(path)
    if len({network.id for network in found}) < len(found):
        raise InputError("two networks have one id", path)
    return {network.id or str(number): network for number, network in enumerate(found)}


def _refuse_strangers(
    paths: Sequence[str], held: Sequence[tuple[str, dict[str, Network]]], keys: set[str]
) -> None:
    for path, (_, by_id) in zip(paths, held, strict=True):
        if strange := [id for id in by_id if id not in keys]:
            raise FstmetricsError(f"{path}: the network {strange[0]!r} is of no sentence that is imported")
