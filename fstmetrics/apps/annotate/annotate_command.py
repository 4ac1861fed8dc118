"""The command `annotate`: it imports files into a project, exports its networks, or serves it."""

from __future__ import annotations

import getpass
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, Literal

import click

from fstmetrics import FstmetricsError
from fstmetrics.apps.annotate.annotation_import import Before, ImportFiles
from fstmetrics.apps.annotate.project_export import write_combined, write_networks
from fstmetrics.apps.annotate.project_file import is_project, no_project
from fstmetrics.apps.annotate.project_server import Address, listening, serve
from fstmetrics.apps.annotate.project_store import PROTOCOLS, NewSentence, Project, ProjectText
from fstmetrics.apps.annotate.request_guard import kept_secret
from fstmetrics.apps.annotate.target_units import TARGET_UNITS
from fstmetrics.cli.click_options import command, options_of, single_option, together
from fstmetrics.cli.option_tables import REQUEST, under
from fstmetrics.cli.terminal import say, show
from fstmetrics.io.reading import check_paths
from fstmetrics.support.options import PATH, TEXT, Option, many, one_of, whole
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener as hearer
from fstmetrics.support.source import stem
from fstmetrics.text.normalisation import PLAIN


def annotate(
    project: str,
    ready: Callable[[Address, str], None],
    *,
    sources: str | None = None,
    references: Sequence[str] = (),
    systems: Sequence[str] = (),
    networks: Sequence[str] = (),
    alignments: Sequence[str] = (),
    document: str | None = None,
    source_unit: Literal["auto", "word", "character"] = "auto",
    target_unit: str = "auto",
    tokenize: str | None = None,
    lowercase: bool = False,
    format: str | None = None,
    annotators: Sequence[str] = (),
    export: str | None = None,
    combine: Literal["spu", "union"] | None = None,
    to: Literal["json", "cards"] = "json",
    port: int = 8765,
    host: str | None = None,
) -> str:
    """Import files into a project, if there are any, and export its networks, or serve it until Ctrl-C.

    Args:
        project: the folder; with `sources`, it is made where there is none.
        ready: told where the project is served, and who is the first annotator.
        sources, references, systems, networks, alignments, source_unit, target_unit, tokenize, lowercase, format: as
            of `ImportFiles`.
        document: its name; by default that of the file of sources. Without sources, references and outputs are of its
            sentences; by default of all.
        annotators: `NAME` or `NAME=PROTOCOL`.
        export: a new folder for networks; None to serve.
        combine: how to make one network a sentence of all annotators'; None for a folder each.
        to: the form of the networks.
        port, host: where to serve.

    Returns:
        What was exported, in a line; empty of a project that was served.

    Raises:
        FstmetricsError: options that do not go together, files that cannot be read or do not pair, a project that
            another process has open, or a port that is taken.
    """
    texts = [*references, *systems, *alignments]
    if sources is None and (networks or source_unit != "auto" or target_unit != "auto"):
        raise FstmetricsError("--networks and units are for --import FILE")
    if sources is None and not texts and (document or format or tokenize or lowercase):
        raise FstmetricsError(
            "--document, --format, --tokenize and --lowercase are for --import FILE, --ref and --system"
        )
    if combine and not export:
        raise FstmetricsError("--combine is for --export FOLDER")
    if export and sources is None and not annotators and not texts:
        with Project.read(project) as opened:
            return _export(opened, export, combine, to)
    if sources is None and not is_project(project):
        also = ", and without a project --ref and --system are for --import" if texts else ""
        raise no_project(project, f"a new one begins with --import FILE{also}")
    people = [_person(each) for each in annotators]
    sentences: list[NewSentence] = []
    words = PLAIN
    more: dict[int, list[ProjectText]] = {}
    files = ImportFiles(
        sources,
        references,
        systems,
        networks,
        alignments,
        format,
        source_unit,
        target_unit,
        tokenize,
        lowercase,
    )
    check_paths(files.paths, export)
    if sources is not None:
        document = document or stem(sources)
        before = Before.of(project, document)
        first = people[0][0] if people else before.annotator or _user()
        words, sentences = files.sentences(first, before)
        before.check(document, sentences)
    elif texts:
        with Project.read(project) as there:
            more = files.texts(there, document)
    # A server that could not start is refused before anything is imported.
    listener = None if export else _listening(project, host, port)
    with listener or nullcontext(), Project.open(project, create=sources is not None) as opened:
        for name, protocol in people:
            opened.add_annotator(name, protocol)
        if sources is not None and document is not None:
            added = opened.add(document, sentences, normalisation=words)
            hearer.get().say(
                f"{project}: {counted(added, 'sentence')} imported from {sources}, in the unit {words.unit}"
            )
        elif more:
            opened.add_texts(more)
            names = ", ".join(text.name for text in next(iter(more.values())))
            hearer.get().say(f"{project}: {names} added to {counted(len(more), 'sentence')}")
        if not opened.annotators():
            opened.add_annotator(_user())
        if export:
            return _export(opened, export, combine, to)
        first = people[0][0] if people else opened.annotators()[0].name
        serve(opened, first, host, listener, lambda address: ready(address, first))
    return ""


def _export(
    project: Project, path: str, combine: Literal["spu", "union"] | None, to: Literal["json", "cards"]
) -> str:
    written, remarks = (
        write_combined(project, path, combine, to) if combine else write_networks(project, path, to)
    )
    say = hearer.get().say
    for remark in remarks:
        say(remark)
    unit = "" if project.normalisation.unit == "word" else f" --unit {project.normalisation.unit}"
    say(f"{project.path} can also be scored as it is: fstmetrics hyter {project.path} hyp.txt{unit}")
    return f"{path}: {counted(written, 'network')}"


def _listening(project: str, host: str | None, port: int) -> socket.socket:
    if host:
        kept_secret(Path(project))
    try:
        return listening(host, port)
    except FstmetricsError:
        if is_project(project):  # where a server of this project has the port, that is said
            Project.open(project).close()
        raise


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


@command(usual=("--import", "--ref", "--system", "--export", "--port"), several="")
@click.argument("project", metavar="PROJECT")
@together(
    options_of(under(
        "Import",
        {
            "import": Option(
                PATH, "Source sentences of a document, to be added to the project. More documents: run it again.",
                metavar="FILE", field="sources",
            ),
            "ref": Option(
                many(PATH),
                "References of these sentences, or, without --import, of those that the project has. Repeatable; the "
                "first is the best one.",
                metavar="[NAME=]FILE", field="references",
            ),
            "system": Option(
                many(PATH), "Outputs of a system, likewise. Repeatable.", metavar="NAME=FILE", field="systems",
            ),
            "networks": Option(
                many(PATH), "Networks of an annotator, who goes on with them. Repeatable.",
                metavar="[ANNOTATOR=]FOLDER",
            ),
            "align": Option(
                many(PATH),
                "Word alignment of the source with the reference or system NAME: lines of 0-0 1-2. Repeatable.",
                metavar="NAME=FILE", field="alignments",
            ),
            "document": Option(
                TEXT,
                "Name of the document. Default: that of the file of sources; without --import, all documents.",
                metavar="NAME",
            ),
            "source_unit": Option(
                one_of("auto", "word", "character"),
                "What a span of the source is made of: words, or characters in scripts without spaces.", "auto",
            ),
            "target_unit": Option(
                one_of("auto", *TARGET_UNITS),
                "What words of references, outputs and cards are cut into, as --unit of hyter; of the project's "
                "first document. auto: characters where references and outputs have no spaces.", "auto",
            ),
            "tokenize": REQUEST["tokenize"]._replace(
                help="Cut references, outputs and cards with a tokenizer of sacrebleu: 13a or char. Networks "
                "say so, and hyter cuts translations alike. Default: that of the project, or none.",
            ),
            "lowercase": REQUEST["lowercase"]._replace(
                help="Make references, outputs and the words of cards lower case. Networks say so, and hyter ignores "
                "case. Default: as in the project.",
            ),
            "format": REQUEST["format"]._replace(
                help="Format of the sources, references and outputs. Default: recognised."
            ),
        },
    )),
    options_of(under(
        "Annotators",
        annotator=Option(
            many(TEXT),
            "Somebody who annotates; the first is the one of links without a name. PROTOCOL is what they see: "
            "source (the source only), best (the first reference, too), references (four) or all (all, the "
            "outputs, and what others wrote). Default: your user name, all. Repeatable.",
            metavar="NAME[=PROTOCOL]", field="annotators",
        ),
    )),
    options_of(under(
        "Output",
        export=Option(
            PATH, "Write the networks into a new folder, which gets a folder for each annotator, and do not serve.",
            metavar="FOLDER",
        ),
        combine=Option(
            one_of("spu", "union"),
            "With --export: write one network a sentence, of all annotators together, by the source-phrase-level "
            "union or the plain one.",
        ),
        to=Option(one_of("json", "cards"), "With --export: networks as JSON, or as text that people read.", "json"),
    )),
    options_of(under(
        "Server",
        port=Option(whole(0, 65535), "Port; 0 takes a free one.", 8765),
        host=Option(
            TEXT,
            "Listen on this name or address of the machine, so that others can reach the tool. Everybody gets a "
            "link of their own. Default: this machine only.", metavar="HOST",
        ),
    )),
    single_option("Server", "--browser/--no-browser", default=True, help="Open a browser, or only print the address."),
)  # fmt: skip
def annotate_command(project: str, browser: bool, **options: Any) -> None:
    """Write reference networks in a browser.

    \b
    Example:  fstmetrics annotate project/ --import source.txt --ref ref.txt
              fstmetrics annotate project/
              fstmetrics annotate project/ --system B=b.txt
              fstmetrics annotate project/ --export networks/

    PROJECT is a folder, which --import makes where there is none. It holds all that people write, and another machine
    can open it. The tool serves the project until Ctrl-C. Everything is saved when it is typed. docs/annotation.md
    explains how to work with it.
    """

    def ready(address: Address, annotator: str) -> None:
        show(f"{address.url}  Ctrl-C stops")
        for name, link in address.links.items():
            say(f"link of {name}: {link}")
        if browser:
            with suppress(webbrowser.Error):
                webbrowser.open(address.links.get(annotator, address.url))

    if exported := annotate(project, ready, **options):
        show(exported)
