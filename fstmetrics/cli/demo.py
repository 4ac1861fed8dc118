"""`fstmetrics demo`: oracle and HyTER on the examples in the package."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path

import click

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.run import print_items
from fstmetrics.metrics import WER, HyTER
from fstmetrics.oracles import iter_oracles
from fstmetrics.pairing import Pair
from fstmetrics.reports.summary import summary_lines
from fstmetrics.results import CorpusResult, Result
from fstmetrics.scoring import iter_results


@click.command()
def demo() -> None:
    """Find oracles in four speech lattices and score three translations against networks, with alignments."""
    with as_file(files("fstmetrics") / "examples") as folder:
        pairs = _pairs(folder / "oracle" / "ref.txt", folder / "oracle" / "lattices")
        click.echo("Best paths of four speech lattices:")
        click.echo("$ fstmetrics oracle ref.txt lattices --alignment\n")
        _show(iter_oracles(((p.id, p.hypothesis, p.reference) for p in pairs), WER()))

        pairs = _pairs(folder / "hyter" / "networks", folder / "hyter" / "hyp.txt")
        click.echo("\nThree translations against networks of references:")
        click.echo("$ fstmetrics hyter networks hyp.txt --window 3 --alignment\n")
        _show(iter_results(((p.id, p.hypothesis, p.reference) for p in pairs), HyTER(window=3)))


def _pairs(references: Path, hypotheses: Path) -> list[Pair]:
    return read_inputs(Request(), str(references), str(hypotheses)).pairs


def _show(results: Iterable[Result]) -> None:
    corpus = CorpusResult.of(results, normalisation=Request().normalisation)
    print_items(corpus.items, alignment=True)
    for line in summary_lines(corpus):
        click.echo(line)
