"""`fstmetrics confidence`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from fstmetrics._native import LatticeColumn
from fstmetrics.cli.option_types import Real, Whole
from fstmetrics.cli.options import (
    command,
    grammar_option,
    group,
    input_options,
    option,
    scale_options,
    word_options,
)
from fstmetrics.cli.terminal import counter, show, show_json
from fstmetrics.evaluation.calibration import (
    BINS,
    MOST_BINS,
    Calibration,
    Said,
    SaidWords,
    calibration,
    judged,
    said,
    said_by_lattices,
)
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.reports.plots import check_pictures
from fstmetrics.reports.summary import items_lines, number, table_lines
from fstmetrics.runs.inputs import read_inputs
from fstmetrics.runs.option_values import MOST_WEIGHT
from fstmetrics.runs.pair_blocks import Pair, PairBlock, in_batches, numbered
from fstmetrics.runs.request import LatticeOptions, Request, fields_of
from fstmetrics.runs.run import conditions, shown_settings
from fstmetrics.runs.score import LeftOut
from fstmetrics.runs.work import of_item
from fstmetrics.scoring.search import placed_at
from fstmetrics.scoring.signatures import path_conditions, signature_of
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt


@command(usual=("--bins", "--plot", "--scale", "--lm-scale", "--symbols", "--json"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP.ctm|LATTICES")
@group(
    "Metric",
    option(
        "--metric",
        "metric_name",
        type=click.Choice(["wer", "sclite"]),
        default="wer",
        show_default=True,
        help="Whose alignment says which words are correct.",
    ),
    option(
        "--bins",
        type=Whole(1, MOST_BINS),
        default=BINS,
        show_default=True,
        metavar="N",
        help="Bins of equal width, of the table and the expected calibration error.",
    ),
)
@group(
    "Posteriors",
    option(
        "--scale",
        type=Real(0, MOST_WEIGHT),
        default=1.0,
        show_default=True,
        help="Lattices: factor of the log probabilities; 1/LMWT where --lm-scale is LMWT.",
    ),
)
@scale_options
@input_options
@word_options
@grammar_option
@group(
    "Output",
    option("--plot", metavar="FILE", help="Draw a reliability plot: .png, .pdf or .svg."),
    option("--json", "as_json", is_flag=True, help="Print the result as one JSON object."),
)  # fmt: skip
def confidence(
    references: str, hypotheses: str, metric_name: str, bins: int, scale: float, plot: str | None, **options: Any
) -> int:  # fmt: skip
    """Say whether the confidences of words are right: NCE, ECE and a table of reliability.

    \b
    Example:  fstmetrics confidence ref.stm hyp.ctm
              fstmetrics confidence text lat.1.gz --lm-scale 12 --scale 0.083

    REF: the references. HYP.ctm: words with times and confidences. LATTICES: the words of the best paths have their
    posteriors as confidences; the lattices need times. A word is correct if the best alignment makes it a hit.
    """
    lattices = fields_of(LatticeOptions, options)
    request, metric = Request(**options), as_metric(metric_name)
    request.refuse_rules("confidence", widening=True)
    check_pictures(plot)
    inputs = read_inputs(request, references, hypotheses, one_best=True)
    confidences, correct = [np.zeros(0)], [np.zeros(0, dtype=bool)]
    items = 0
    with counter("scoring", inputs.expected, False) as progress:
        for batch in in_batches(numbered(inputs.source.blocks())):
            pairs, fault = batch.readable()
            if len(pairs):
                values, hits = _judged(pairs, request, metric, lattices, scale)
                confidences.append(values)
                correct.append(hits)
            if fault:
                raise fault
            items += len(pairs)
            progress(len(pairs))
    if not items:
        raise FstmetricsError("there is no item to score")
    of_words = np.concatenate(confidences)
    if not of_words.size:
        raise FstmetricsError(f"{hypotheses} has no word with a confidence, so there is nothing to judge")
    found = calibration(of_words, np.concatenate(correct), bins)
    if plot:
        from fstmetrics.reports.plots import reliability_plot

        reliability_plot(found, plot)
    own = {"scales": lattices.scales or None, "scale": scale if scale != 1 else None}
    # Also without a choice, the notation reads backslashes.
    alternations = request.alternations or ("sclite" if inputs.has_choices else "")
    parts = path_conditions(conditions(request, inputs, own), alternations, request.grammar_signature)
    parts = (*parts, f"bins:{bins}")
    signature = signature_of(metric, request.normalisation, parts, "confidence")
    if request.as_json:
        settings = own | {"bins": bins} | shown_settings(request, metric, inputs)
        head = {"metric": metric.name, "items": items, "skipped": inputs.skipped}
        show_json(
            head
            | found.as_dict()
            | {"settings": settings, "signature": signature, "remarks": list(inputs.remarks)}
        )
    else:
        show(*_lines(found), *items_lines(items, LeftOut(inputs.skipped)), *inputs.remarks, signature)
    return 0


def _judged(
    pairs: PairBlock, request: Request, metric: Metric, lattices: LatticeOptions, scale: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Confidences and hits of some items; an error names its item."""
    column = pairs.hypotheses
    found = None
    if isinstance(column, LatticeColumn):
        found = said_by_lattices(column, scale, lattices.scales)
        if isinstance(found, int):
            _said(pairs[found], lattices, scale)  # says what is wrong with it
    if not isinstance(found, SaidWords):
        found = SaidWords.of([_said(pair, lattices, scale) for pair in pairs])
    with placed_at(pairs.places):
        return judged(
            pairs.ids, found, pairs.reference, metric, request.normalisation, grammars=request.grammars
        )


def _said(pair: Pair, lattices: LatticeOptions, scale: float) -> Said:
    try:
        return said(lattices.scaled(pair.hypothesis), scale)
    except FstmetricsError as error:
        raise of_item([pair], error) from None


def _difference(mean: float, accuracy: float) -> str:
    """With its sign; what rounds to zero is no -0.0000."""
    return f"{round(mean - accuracy, 4) + 0.0:+.4f}"


def _lines(found: Calibration) -> Iterator[str]:
    """Two numbers, and a row for each bin that has words."""
    yield f"NCE {number(found.nce)}"
    yield f"ECE {number(found.ece)}"
    yield ""
    rows = [("confidence", "words", "correct", "accuracy", "mean", "difference")]
    for low, high, words, correct, mean, accuracy in found.bins:
        if words:
            name = f"{low:.4g} to {high:.4g}"
            rows.append(
                (
                    name,
                    str(words),
                    str(correct),
                    number(accuracy),
                    number(mean),
                    _difference(mean, accuracy),
                )
            )
    mean, accuracy = found.mean_confidence, found.accuracy
    whole = (
        str(found.words),
        str(found.correct),
        number(accuracy),
        number(mean),
        _difference(mean, accuracy),
    )
    yield from table_lines([*rows, ("all", *whole)])
    yield ""
