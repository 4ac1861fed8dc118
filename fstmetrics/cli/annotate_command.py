"""`fstmetrics annotate`: the annotation tool."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Literal

import click

from fstmetrics.annotate.annotation_import import Before, ImportFiles
from fstmetrics.annotate.project_export import lacking, write_combined, write_networks
from fstmetrics.annotate.project_file import is_project
from fstmetrics.annotate.project_store import PROTOCOLS, NewSentence, Project
from fstmetrics.annotate.target_units import TARGET_UNITS, TargetUnit
from fstmetrics.cli.option_types import FORMAT, Whole
from fstmetrics.cli.options import command, group, option, together
from fstmetrics.cli.terminal import say, show
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.support.source import stem


@command(usual=("--import", "--ref", "--system", "--export", "--port"), several="")
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
    given = [*references, *systems, *networks, *alignments, document, format]
    if sources is None and (any(given) or source_unit != "auto" or target_unit != "auto"):
        raise FstmetricsError(
            "--ref, --system, --networks, --align, --document, --format and units are for --import FILE"
        )
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
        files = ImportFiles(
            sources, references, systems, networks, alignments, format, source_unit, target_unit
        )
        check_paths(files.paths, export)
        document = document or stem(sources)
        before = Before.of(project, document)
        first = people[0][0] if people else before.annotator or _user()
        target, sentences = files.sentences(first, before)
        before.check(document, sentences)
    # A server that could not start is refused before anything is imported.
    listener = None if export else _listening(project, host, port)
    with listener or nullcontext(), Project.open(project, create=True) as opened:
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
        _serve(opened, first, host, listener, browser)


def _export(project: Project, path: str, combine: Any, to: Any) -> None:
    written = write_combined(project, path, combine, to) if combine else write_networks(project, path, to)
    show(f"{path}: {counted(written, 'network')}")
    without, unread = lacking(project)
    if without:
        verb = "has" if without == 1 else "have"
        total = counted(len(project.sentences()), "sentence")
        say(f"{project.path}: {without} of {total} {verb} no network yet")
    if unread:
        first = "" if len(unread) == 1 else "the first is "
        say(f"{project.path}: {counted(len(unread), 'unfinished phrase')} left out; {first}{unread[0]}")
    unit = "" if project.target_unit == "word" else f" --unit {project.target_unit}"
    say(f"{project.path} can also be scored as it is: fstmetrics hyter {project.path} hyp.txt{unit}")


def _listening(project: str, host: str | None, port: int) -> socket.socket:
    from fstmetrics.annotate.project_server import listening
    from fstmetrics.annotate.request_guard import kept_secret

    if host:
        kept_secret(Path(project))
    try:
        return listening(host, port)
    except FstmetricsError:
        if is_project(project):  # where a server of this project has the port, that is said
            Project.open(project).close()
        raise


def _serve(
    project: Project, annotator: str, host: str | None, listener: socket.socket | None, browser: bool
) -> None:
    from fstmetrics.annotate.project_server import Address, serve

    def ready(address: Address) -> None:
        show(f"{address.url}  Ctrl-C stops")
        for name, link in address.links.items():
            say(f"link of {name}: {link}")
        if browser:
            import webbrowser

            with suppress(webbrowser.Error):
                webbrowser.open(address.links.get(annotator, address.url))

    serve(project, annotator, host, listener, ready)


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
