"""`fstmetrics confidence`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.calibration.confidence_files import JUDGING, confidence_from
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show_report


@command(usual=("--bins", "--plot", "--scale", "--lm-scale", "--symbols", "--json"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP.ctm|LATTICES")
@options_of(JUDGING)
def confidence(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Say whether the confidences of words are right: NCE, ECE and a table of reliability.

    \b
    Example:  fstmetrics confidence ref.stm hyp.ctm
              fstmetrics confidence text lat.1.gz --lm-scale 12 --scale 0.083

    REF: the references. HYP.ctm: words with times and confidences. LATTICES: the words of the best paths have their
    posteriors as confidences; the lattices need times. A word is correct if the best alignment makes it a hit.
    """
    found = confidence_from(references, hypotheses, options)
    show_report(found.parts(), found.summary, form)
