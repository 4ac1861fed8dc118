"""`fstmetrics mbr`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from fstmetrics.cli.decoding import Decoding, Text, records_of, refusal, write_text
from fstmetrics.cli.inputs import read_alone
from fstmetrics.cli.lattice_options import asked_scales, scale_options
from fstmetrics.cli.metric_options import MetricOptions, path_metric_options
from fstmetrics.cli.numbers import MOST_WEIGHT, Real, Whole
from fstmetrics.cli.options import FORMAT, Request, run_options, word_options
from fstmetrics.cli.run import conditions, of_items, print_json, run_settings, scored, shown_settings, status
from fstmetrics.cli.terminal import tell
from fstmetrics.decoding.minimum_risk import FROM_LATTICE
from fstmetrics.decoding.minimum_risk import mbr as decode
from fstmetrics.metrics import Metric
from fstmetrics.reports.json_records import signature_of
from fstmetrics.reports.risk import risk_lines, risk_summary
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_EVIDENCE, MOST_PATHS
from fstmetrics.support.output import is_plain


@click.command()
@click.argument("hypotheses", metavar="LATTICES|FORESTS|NBEST")
@path_metric_options("Whose loss is expected: edits, or minus the gain.")
@click.option(
    "--scale",
    type=Real(0, MOST_WEIGHT),
    default=1.0,
    show_default=True,
    help="Factor of log probabilities; below 1 posteriors are flatter.",
)
@scale_options
@click.option(
    "--candidates",
    type=Whole(1, MOST_EVIDENCE),
    default=FROM_LATTICE,
    show_default=True,
    help="Best word sequences of a lattice or forest to choose among.",
)
@click.option(
    "--evidence",
    type=Whole(1, MOST_EVIDENCE),
    default=FROM_LATTICE,
    show_default=True,
    help="Best word sequences of a lattice or forest that stand for what may be right.",
)
@click.option(
    "--nbest",
    type=Whole(1, MOST_PATHS),
    default=1,
    show_default=True,
    metavar="N",
    help="Candidates an item, best first; text lines then repeat the id.",
)
@click.option(
    "--text",
    type=click.Choice(["kaldi", "trn", "plain"]),
    help="What is printed: `id words`, `words (id)` or `words`; by default the first where there are ids.",
)
@click.option("--format", "format", type=FORMAT, help="Format of the input; recognised by default.")
@click.option(
    "--symbols", metavar="FILE", help="Symbol table (`word integer` lines) of lattices that hold numbers."
)
@click.option(
    "--weights",
    metavar="FILE",
    help="Feature weights (`name value` or `name= value ...` lines) of hypergraphs.",
)
@word_options
@click.option(
    "--output", metavar="FILE", help="Write one JSON record an item to this file; - is standard output."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object instead of text; without --output, with all records.",
)
@run_options
def mbr(
    hypotheses: str, metric_name: str, order: int, alpha: str, beta: str, scale: float, lm_scale: float | None,
    acoustic_scale: float | None, word_penalty: float | None, candidates: int, evidence: int, text: Text | None,
    **common: Any,
) -> int:  # fmt: skip
    """Choose the hypothesis of least expected loss of every n-best list, lattice or forest, and print its words.

    Posteriors are exp(scale x score) over their sum. Over an n-best list the choice is exact. Of a lattice or forest
    the best word sequences are taken; the summary, on standard error, says what share of the probability they hold.
    Hypergraphs have scores by --weights.
    """
    request = Request(**common)
    metric = MetricOptions(order, alpha, beta).metric(metric_name)
    assert isinstance(metric, Metric)
    asked = asked_scales(lm_scale, acoustic_scale, word_penalty)
    inputs, has_ids = read_alone(request, hypotheses, refusal)
    chosen = _layout(text, has_ids)
    own: dict[str, Any] = {"scale": scale, "candidates": candidates, "evidence": evidence}
    search = partial(decode, metric=metric, nbest=request.nbest, normalisation=request.normalisation, **own)
    settings = own | {"scales": asked or "as the files say"} | shown_settings(request, metric, inputs)
    written = request.output not in (None, "-") and is_plain(str(request.output))
    prints = not request.as_json and request.output != "-"
    parts = conditions(request, inputs, settings)
    with Decoding(request, search, asked, chosen if prints else None, at_once=not written) as work:
        work.signature = signature_of(metric, request.normalisation, of_items(parts), "mbr")
        faults = scored(request, inputs, work, run_settings(request, inputs, metric, settings))
    if request.as_json:
        records = work.kept if request.output is None else None
        print_json(
            risk_summary(
                work.tally,
                metric,
                request.normalisation,
                settings,
                faults,
                records,
                parts,
            )
        )
    elif prints and written:
        # Of a run that went on, some of it was found before.
        write_text(chosen, records_of(str(request.output)))
    tell(*risk_lines(work.tally, metric, request.normalisation, faults), *inputs.remarks)
    return status(request, inputs, faults)


def _layout(text: Text | None, has_ids: bool) -> Text:
    if text in ("kaldi", "trn") and not has_ids:
        raise FstmetricsError(f"not every item has an id, which --text {text} needs; use --text plain")
    return text or ("kaldi" if has_ids else "plain")
