"""`fstmetrics annotate`: the annotation tool."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from typing import Any

import click

from fstmetrics.annotate.annotation_runs import annotate as run
from fstmetrics.annotate.project_server import Address
from fstmetrics.annotate.target_units import TARGET_UNITS
from fstmetrics.cli.option_types import FORMAT, Whole
from fstmetrics.cli.options import command, group, option, together
from fstmetrics.cli.terminal import say, show


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
def annotate(project: str, browser: bool, **options: Any) -> None:
    """Write reference networks in a browser.

    \b
    Example:  fstmetrics annotate project/ --import source.txt --ref ref.txt
              fstmetrics annotate project/
              fstmetrics annotate project/ --export networks/

    PROJECT is a folder, which is made where there is none. It holds all that people write, and another machine can open
    it. The tool serves the project until Ctrl-C. Everything is saved when it is typed. docs/annotation.md explains how
    to work with it.
    """

    def ready(address: Address, annotator: str) -> None:
        show(f"{address.url}  Ctrl-C stops")
        for name, link in address.links.items():
            say(f"link of {name}: {link}")
        if browser:
            with suppress(webbrowser.Error):
                webbrowser.open(address.links.get(annotator, address.url))

    if exported := run(project, ready, **options):
        show(exported)
