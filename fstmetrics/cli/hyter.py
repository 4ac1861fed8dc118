"""`fstmetrics hyter`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.options import Request, grammar_option, input_options, output_options, word_options
from fstmetrics.cli.run import run
from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics import HyTER
from fstmetrics.network import Network
from fstmetrics.scoring import iter_results


@click.command()
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@click.option("--window", type=click.IntRange(1, 64), default=1, show_default=True, metavar="K",
              help="Local reordering window in words; 1 is no reordering.")  # fmt: skip
@click.option("--reordering", type=click.Choice(["moves", "jumps"]), default="moves", show_default=True,
              help="How reordering is counted: a block that moves, or every word out of turn.")  # fmt: skip
@input_options
@word_options
@grammar_option
@output_options
def hyter(networks: str, hypotheses: str, window: int, reordering: Any, **common: Any) -> None:
    """Score HYP against the reference networks in NETWORKS (a file or a folder), by id.

    The score is the fewest edits and reordering moves to any path of the network, divided by the words of the
    closest path. NETWORKS may also be plain references.
    """
    request = Request(**common)
    metric = HyTER(window, reordering)
    inputs = read_inputs(request, networks, hypotheses, networks_first=True)
    if any(isinstance(p.hypothesis, Network) for p in inputs.pairs):
        raise FstmetricsError(
            f"{hypotheses} holds networks where hypotheses are expected: NETWORKS come first, HYP second"
        )
    items = ((p.id, p.hypothesis, p.reference) for p in inputs.pairs)
    results = iter_results(
        items, metric, request.nbest, request.normalisation, request.search, request.grammars
    )
    run(request, metric, results, inputs)
