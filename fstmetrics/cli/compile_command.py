"""`fstmetrics compile`: an item, or a grammar, as machines of OpenFst."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, given_options, options_of, ref_leads
from fstmetrics.cli.terminal import show
from fstmetrics.commands.compile import COMPILING, compile_from
from fstmetrics.commands.option_tables import metric_table


@command(
    usual=("--item", "--to", "--metric", "--window", "--grammar"),
    ending=metric_table,
    several="one item at a time; for several files of one side give a pattern in quotes, such as 'lat.*.gz'",
)
@click.argument("references", metavar="[REF]", required=False)
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(COMPILING)
def compile(references: str | None, hypotheses: str | None, **options: Any) -> None:
    """Write an item's machines for OpenFst: H, T and R, whose composition has the answer.

    \b
    Example:  fstmetrics compile ref.txt hyp.txt --item u1 --to u1
              sh u1/run.sh
              fstmetrics compile --grammar en.spelling --to spelling

    run.sh gets the cost by OpenFst's own programs. Weights are whole numbers. Without REF and HYP the rules of
    --grammar are written, each grammar as a transducer. docs/compile.md explains all machines. Needs pynini.
    """
    options["ref_leads"] = ref_leads()
    show(*compile_from(references, hypotheses, options, given_options()))
