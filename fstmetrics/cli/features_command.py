"""`fstmetrics features`: numbers about translations, for learning."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.option_types import FORMAT, OutputFile, Whole
from fstmetrics.cli.options import command, fields_option
from fstmetrics.cli.terminal import bar, say
from fstmetrics.metrics import HyTER
from fstmetrics.metrics.bounds import MOST_WINDOW
from fstmetrics.readers.reading import check_paths
from fstmetrics.runs.inputs import read_inputs
from fstmetrics.runs.request import Request
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import whole_file
from fstmetrics.support.source import Source
from fstmetrics.values.network import Network


@command()
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@click.option(
    "--passages",
    metavar="FILE",
    help="Lines `id passage`. Default: every sentence is a passage.",
)
@click.option(
    "--window",
    type=Whole(1, MOST_WINDOW),
    default=1,
    show_default=True,
    help="Words may be reordered within N words; 1 is no reordering.",
)
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@click.option("--format", type=FORMAT, help="Format of HYP. Default: recognised.")
@fields_option
@click.option(
    "--output",
    type=OutputFile("a table with tabs", ".tsv"),
    default="-",
    metavar="FILE",
    help="Write to FILE instead of standard output.",
)
def features(
    networks: str,
    hypotheses: str,
    passages: str | None,
    window: int,
    lowercase: bool,
    format: str | None,
    fields: tuple[str, ...],
    output: str,
) -> None:
    """Write a table of features of translations, one row per passage [H12 §5.3].

    \b
    Example:  fstmetrics features networks/ hyp.txt --output table.tsv

    The features of HYP against the reference NETWORKS are HyTER; insertions, deletions, substitutions, and insertions
    or deletions, as counts and per word; and n-gram precisions for n = 1 to 20 against all paths. With a last column
    `level` the table is input for `fstmetrics proficiency`.
    """
    check_paths((networks, hypotheses, passages), output)
    from fstmetrics.evaluation.proficiency.passage_features import passage_features, table_lines

    request = Request(lowercase=lowercase, format=format, fields=fields)
    inputs = read_inputs(request, networks, hypotheses)
    pairs = inputs.pairs
    of = _passages(passages) if passages else None
    sentences = [
        (
            _passage(of, str(number) if p.id is None else p.id, passages),
            _words(p.hypothesis),
            _network(p.reference),
        )
        for number, p in enumerate(pairs, 1)
    ]
    table = passage_features(
        bar(sentences, len(sentences), "scoring"), HyTER(window=window), request.normalisation
    )
    for remark in inputs.remarks:
        say(remark)
    with whole_file(output) as stream:
        stream.writelines(f"{line}\n" for line in table_lines(table))


def _passages(path: str) -> dict[str, str]:
    source = Source.open(path)
    found: dict[str, str] = {}
    for number, line in source.lines():
        fields = line.split()
        if len(fields) != 2:
            raise source.error(f"expected `id passage`, found {len(fields)} columns", number)
        found[fields[0]] = fields[1]
    return found


def _passage(of: dict[str, str] | None, id: str, path: str | None) -> str:
    if of is not None and id not in of:
        raise FstmetricsError(f"{path}: no passage for {id}")
    return id if of is None else of[id]


def _words(hypothesis: Any) -> str:
    if not isinstance(hypothesis, str):
        raise FstmetricsError("features are of plain translations, one a line")
    return hypothesis


def _network(reference: Any) -> Network:
    if not isinstance(reference, Network):
        raise FstmetricsError("features need reference networks (fstmetrics-network/1), not other references")
    return reference
