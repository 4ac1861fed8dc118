"""`fstmetrics segment`: documents in the segments of references."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import show, show_report, tell
from fstmetrics.commands.segment import SEGMENTING, segment_from
from fstmetrics.support.output import whole_file


@command(usual=("--documents", "--lowercase", "--remove-punctuation", "--unit", "--output", "--criterion"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SEGMENTING)
def segment(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Cut documents without segment ends into the segments of REF, at the fewest edits, and print a line a segment.

    \b
    Example:  fstmetrics segment ref.txt hyp.txt --lowercase -o segments.txt

    HYP has a line a document, if --documents says which segments are of which; else all of it is one document. Words
    are compared as the options say, and printed as they were written. Lines begin with ids where REF has ids. score,
    hyter, compare, report, errors and show cut so with --resegment.
    """
    refuse_shared_output(form, options["output"])
    found = segment_from(references, hypotheses, options)
    if form:
        show_report(found.parts(), found.summary, form)
    elif found.output == "-":
        tell(*found.lines())
    elif found.output is not None:
        show(*found.lines())
    else:
        with whole_file("-") as stream:
            stream.writelines(f"{line}\n" for line in found.texts())
        tell(*found.lines())
