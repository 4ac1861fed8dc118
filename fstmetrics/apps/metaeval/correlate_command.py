"""`fstmetrics correlate`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.metaeval.correlate_files import CORRELATING, correlate_from
from fstmetrics.cli.click_options import (
    FormOfTables,
    command,
    given_options,
    options_of,
    refuse_shared_output,
)
from fstmetrics.cli.terminal import show_report, width


@command(usual=("--human", "--level", "--ref", "--metric", "--test", "--plot"))
@click.argument("files", metavar="SCORES...", nargs=-1, required=True)
@options_of(CORRELATING)
def correlate(files: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Correlate metrics with human scores.

    \b
    Example:  fstmetrics correlate scores.tsv
              fstmetrics correlate human.tsv --ref ref.txt A.txt B.txt

    SCORES: tables (the first line names the columns: system, segment, human, and metrics), WMT's files of human
    scores, records of `score --output` (one file per system), and, with --ref, outputs of systems. NAME=FILE says
    which system a file is of. Without NAME it is the judged system whose name is between dots in the file's name
    (hyp.Online-W.de.gz), otherwise the file's name without ending. METRIC:SYSTEM=FILE has scores of one system, one a
    line.
    """
    output = options["output"]
    refuse_shared_output(form, output)
    found = correlate_from(files, options, given_options())
    show_report(found.parts(), found.summary, form, width(), beside=output)
