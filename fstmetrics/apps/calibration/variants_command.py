"""`fstmetrics variants`: how much BLEU cannot see."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.apps.calibration.variants_files import VARYING, variants_from
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show_report


@command(usual=("--ref", "--lowercase", "--tokenize", "--seed", "--json"))
@click.argument("hypotheses", metavar="HYP")
@options_of(VARYING)
def variants(hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Count the orders and words of each sentence that BLEU scores the same or better [CB06 §3].

    \b
    Example:  fstmetrics variants hyp.txt --ref ref.txt

    A sentence of HYP is cut where a bigram is in no reference. The pieces can then be in any order without losing a
    match. The table shows the n-gram matches, BLEU, the number of cuts, of orders, and of different strings among the
    orders (- where they are too many to count), and BLEU of one random order. Words that no reference has can be any
    other words that it has not: the table shows how many there are (unmatched), and how many sentences of the words of
    HYP have the same BLEU.
    """
    found = variants_from(hypotheses, options)
    show_report(found.parts(), found.summary, form)
