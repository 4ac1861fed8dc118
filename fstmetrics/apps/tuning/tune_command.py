"""`fstmetrics tune`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.tuning.tune_files import TUNING, tune_from
from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.reports.summary import shortened


@command(usual=("--ref", "--metric", "--weights", "--output", "--algorithm", "--starts"))
@click.argument("hypotheses", metavar="NBEST...", nargs=-1, required=True)
@options_of(TUNING)
def tune(hypotheses: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Tune the weights of a translation model or recogniser towards a metric.

    \b
    Example:  fstmetrics tune a.nbest --ref ref.txt --weights w.txt -o tuned.txt
              fstmetrics tune a.nbest b.nbest --ref ref.txt --weights moses.ini
              fstmetrics tune forests/ --ref ref.txt --metric grr --weights w.txt

    NBEST: n-best lists with features (Moses, cdec, Joshua), hypergraphs with features (a file or a folder), or
    lattices, whose costs are the features lm, acoustic and word_penalty. Several files are the lists of one decoder
    after the other, and count together.
    """
    refuse_shared_output(form, options["output"])
    found = tune_from(hypotheses, options)
    show_report(found.parts(), found.summary, form, beside=options["output"])
    tell(*shortened(found.remarks))
