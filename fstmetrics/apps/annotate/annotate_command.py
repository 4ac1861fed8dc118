"""`fstmetrics annotate`: the annotation tool."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from typing import Any

import click

from fstmetrics.apps.annotate.annotation_runs import annotate as run
from fstmetrics.apps.annotate.project_server import Address
from fstmetrics.apps.annotate.target_units import TARGET_UNITS
from fstmetrics.cli.click_options import command, options_of, single_option, together
from fstmetrics.cli.option_tables import REQUEST, under
from fstmetrics.cli.terminal import say, show
from fstmetrics.support.options import PATH, TEXT, Option, many, one_of, whole


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

    if exported := run(project, ready, **options):
        show(exported)
