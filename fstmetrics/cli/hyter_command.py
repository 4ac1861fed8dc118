"""`fstmetrics hyter`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.numbers import Whole
from fstmetrics.cli.options import (
    Request,
    grammar_option,
    input_options,
    output_options,
    run_options,
    word_options,
)
from fstmetrics.cli.run import run
from fstmetrics.metrics import HyTER
from fstmetrics.metrics.hyter import MOST_WINDOW


@click.command()
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@click.option("--window", type=Whole(1, MOST_WINDOW), default=1, show_default=True, metavar="K",
              help="Local reordering window in words; 1 is no reordering.")  # fmt: skip
@click.option("--reordering", type=click.Choice(["moves", "jumps"]), default="moves", show_default=True,
              help="How reordering is counted: a block that moves, or every word out of turn.")  # fmt: skip
@input_options
@word_options
@grammar_option
@output_options
@run_options
def hyter(networks: str, hypotheses: str, window: int, reordering: Any, **common: Any) -> int:
    """Score HYP against the reference networks in NETWORKS (a file or a folder), by id.

    The score is the fewest edits and reordering moves to any path of the network, divided by the words of the
    closest path. NETWORKS may also be plain references.
    """
    request = Request(**common)
    metric = HyTER(window, reordering)
    inputs = read_inputs(request, networks, hypotheses, networks_first=True)
    plain = inputs.references_are_text and not (inputs.references_choose or request.grammars or window > 1)
    remarks = (
        ["the references are plain text and the window is 1: this HyTER is the word error rate"]
        if plain
        else []
    )
    return run(request, metric, inputs, remarks=lambda tally: remarks)
