"""`fstmetrics mbr`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, called, command, options_of, refuse_shared_output
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.commands.mbr import DECODING, FilesMBR, mbr_from
from fstmetrics.reports.table_forms import Form, is_pasted
from fstmetrics.support.output import whole_file


@command(usual=("--metric", "--scale", "--lm-scale", "--nbest", "--text", "--output"))
@click.argument("hypotheses", metavar="LATTICES|FORESTS|NBEST|SAMPLES...", nargs=-1, required=True)
@options_of(DECODING)
def mbr(hypotheses: tuple[str, ...], form: Form | None, **options: Any) -> int:
    """Choose the hypothesis with the least expected loss (minimum Bayes risk), and print its words.

    \b
    Example:  fstmetrics mbr nbest.txt --scale 0.1
              fstmetrics mbr sample1.txt sample2.txt sample3.txt --metric chrf

    Input: n-best lists, lattices or forests, in a file, a folder, or files by a pattern in quotes, 'lat.*.gz'.
    Or samples of a model: several texts, each with one sample of every item, or columns of a table, --fields
    hyp=COLUMN several times. Posteriors are exp(scale x score), normalised to 1. For an n-best list the choice is
    exact. For a lattice or forest the best word sequences are used; the summary on standard error says how much of the
    probability they have. With linear-bleu all paths are used. Hypergraphs, and n-best lists with features, get
    scores from --weights.
    """
    refuse_shared_output(form, options["output"])
    shown: FormOfTables = "json" if options["as_json"] else form
    options["as_json"] = shown is not None
    if options["shard"]:
        options["called"] = called()
    return show_mbr(mbr_from(hypotheses, options, show_words), shown)


def show_mbr(found: FilesMBR, form: FormOfTables) -> int:
    """What is printed beside words; the exit status."""
    if form and not found.shard:
        show_report(found.parts(), found.summary if form == "json" else found.rows, form)
    if not is_pasted(form) or found.shard:
        tell(*found.lines())
    return found.status


def show_words(lines: Iterable[str]) -> None:
    """Words on standard output, as other programs read them."""
    with whole_file("-") as stream:
        stream.writelines(lines)
