"""The command `confidence`, and `confidence_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from fstmetrics import FstmetricsError, Metric
from fstmetrics._native import LatticeColumn
from fstmetrics.apps.calibration.calibration import (
    BINS,
    MOST_BINS,
    Bin,
    Calibration,
    Said,
    SaidWords,
    calibration,
    judged,
    said,
    said_by_lattices,
)
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    INPUT,
    SCALES,
    UNSPACED,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.engine.search import placed_at
from fstmetrics.engine.signatures import path_conditions, signature_of
from fstmetrics.engine.unlike_sides import SAMPLE, WITH_TEXT, spelling_remarks
from fstmetrics.metrics import as_metric
from fstmetrics.reports.plots import check_pictures
from fstmetrics.reports.summary import Part, Printed, Table, items_lines
from fstmetrics.scoring.inputs import read_inputs
from fstmetrics.scoring.pair_blocks import Pair, PairBlock, in_batches, numbered
from fstmetrics.scoring.request import LatticeOptions, Request, fields_of
from fstmetrics.scoring.run import conditions, shown_settings
from fstmetrics.scoring.score import LeftOut
from fstmetrics.scoring.work import of_item
from fstmetrics.support.options import MOST_WEIGHT, PATH, one_of, option, options_of_fields, real, whole
from fstmetrics.support.printable import number
from fstmetrics.support.progress import listener


@dataclass(frozen=True)
class ConfidenceOptions:
    """Options of `confidence` beside those of every run."""

    metric_name: str = option(
        "wer", one_of("wer", "sclite"), "Whose alignment says which words are correct.", name="metric"
    )
    bins: int = option(
        BINS, whole(1, MOST_BINS), "Bins of equal width, of the table and the expected calibration error."
    )
    scale: float = option(
        1.0,
        real(0, MOST_WEIGHT),
        "Lattices: factor of the log probabilities; 1/LMWT where --lm-scale is LMWT.",
    )
    plot: str | None = option(None, PATH, "Draw a reliability plot: .png, .pdf or .svg.", "FILE")


ASKED = options_of_fields(ConfidenceOptions)
JUDGING: Options = {
    **under("Metric", ASKED, "metric", "bins"),
    **under("Posteriors", ASKED, "scale"),
    **SCALES,
    **INPUT,
    **UNSPACED,
    **GRAMMAR,
    **under("Output", ASKED, "plot"),
    **FORMS_PRINTED,
}


@dataclass(frozen=True)
class FilesCalibration(Printed):
    """How far the confidences of words in files are right.

    Attributes:
        calibration: the figures.
        items: how many items were judged.
        skipped: how many were left out, since one side lacks them.
        metric: whose alignment says which words are correct.
        settings: what was asked for.
        signature: all that the figures depend on.
        remarks: what was guessed about the files, and what is odd about them.
    """

    calibration: Calibration
    items: int
    skipped: int
    metric: str
    settings: Mapping[str, Any]
    signature: str
    remarks: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        head = {"metric": self.metric, "items": self.items, "skipped": self.skipped}
        told = {"settings": self.settings, "signature": self.signature, "remarks": list(self.remarks)}
        return head | self.calibration.as_dict() | told

    def parts(self) -> Iterator[Part]:
        """What the command prints: the figures, which items were judged, remarks and the signature."""
        yield from calibration_parts(self.calibration)
        yield from items_lines(self.items, LeftOut(self.skipped))
        yield from self.remarks
        yield self.signature


@sides_by_name
def confidence_files(*, references: PathLike, hypotheses: PathLike, **options: Any) -> FilesCalibration:
    """Say how far confidences in `hypotheses=` are right by `references=`, as `fstmetrics confidence` does.

    Both are paths. Nothing is printed.

    Args:
        references: text, stm or another format.
        hypotheses: words with times and confidences (ctm), or lattices with times, whose words have posteriors.
        options: those of the command, with `_` for `-`, as of `score_files`: `bins=20`, `scale=0.083`, `lm_scale=12`,
            `plot="reliability.svg"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "ref.stm").write_text("a 1 ann 0 2 good morning\\n")
    >>> _ = (folder / "hyp.ctm").write_text("a 1 0.1 0.2 good 0.9\\na 1 0.5 0.2 evening 0.1\\n")
    >>> found = fm.confidence_files(references=folder / "ref.stm", hypotheses=folder / "hyp.ctm", bins=2).calibration
    >>> found.words, found.correct, round(found.ece, 6)
    (2, 1, 0.1)
    """
    found = fields_of_options("confidence_files", JUDGING, options)
    paths = path_of("confidence_files", references), path_of("confidence_files", hypotheses)
    return confidence_from(*paths, found)


def confidence_from(references: str, hypotheses: str, options: dict[str, Any]) -> FilesCalibration:
    """The figures by fields of `ConfidenceOptions`, `LatticeOptions` and `Request`.

    Raises:
        FstmetricsError: as of `confidence_files`.
    """
    asked, lattices = fields_of(ConfidenceOptions, options), fields_of(LatticeOptions, options)
    request, metric = Request(**options), as_metric(asked.metric_name)
    request.refuse_rules("confidence", widening=True)
    check_pictures(asked.plot)
    inputs = read_inputs(request, references, hypotheses, one_best=True)
    inputs.refuse_for_text([*["--scale"][: asked.scale != 1], *lattices.given], hypotheses)
    confidences, correct = [np.zeros(0)], [np.zeros(0, dtype=bool)]
    texts: list[tuple[str, Any]] = []
    items = 0
    with listener.get().counter("scoring", inputs.source.expected) as progress:
        for batch in in_batches(numbered(inputs.source.blocks())):
            pairs, faults = batch.readable()
            if len(pairs):
                values, hits = _judged(pairs, request, metric, lattices, asked.scale, texts)
                confidences.append(values)
                correct.append(hits)
            for fault in faults.values():
                raise fault
            items += len(pairs)
            progress(len(pairs))
    if not items:
        raise FstmetricsError("there is no item to score")
    of_words = np.concatenate(confidences)
    if not of_words.size:
        raise FstmetricsError(f"{hypotheses} has no word with a confidence, so there is nothing to judge")
    found = calibration(of_words, np.concatenate(correct), asked.bins)
    spelled = () if request.grammars else spelling_remarks(texts, metric, request.normalisation)
    remarks = [*spelled, *inputs.remarks]
    is_too_sure = found.nce < 0 and found.mean_confidence > found.accuracy
    if is_too_sure and inputs.are_oracles and asked.scale == 1:
        remarks.append(
            "NCE below 0: posteriors under --scale 1 are too sure; --scale 0.1, or 1/LMWT, flattens them"
        )
    if asked.plot:
        from fstmetrics.reports.plots import reliability_plot

        reliability_plot(found, asked.plot)
    own = {"scales": lattices.scales or None, "scale": asked.scale if asked.scale != 1 else None}
    # Also without a choice, the notation reads backslashes.
    alternations = request.alternations or ("sclite" if inputs.has_choices else "")
    parts = path_conditions(conditions(request, inputs, own), alternations, request.grammar_signature)
    parts = (*parts, f"bins:{asked.bins}")
    signature = signature_of(metric, request.normalisation, parts, "confidence")
    settings = own | {"bins": asked.bins} | shown_settings(request, metric, inputs)
    return FilesCalibration(found, items, inputs.skipped, metric.name, settings, signature, tuple(remarks))


def _judged(
    pairs: PairBlock,
    request: Request,
    metric: Metric,
    lattices: LatticeOptions,
    scale: float,
    texts: list[tuple[str, Any]],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Confidences and hits of some items, the first texts of which go to `texts`; an error names its item."""
    column = pairs.hypotheses
    found = None
    if isinstance(column, LatticeColumn):
        found = said_by_lattices(column, scale, lattices.scales)
        if isinstance(found, int):
            _said(pairs[found], lattices, scale)  # says what is wrong with it
    if not isinstance(found, SaidWords):
        found = SaidWords.of([_said(pair, lattices, scale) for pair in pairs])
    sides = zip(found.words, pairs.reference, strict=True)
    spoken = ((" ".join(words), given) for words, given in sides if type(given) in WITH_TEXT)
    texts += islice(spoken, SAMPLE - len(texts))
    with placed_at(pairs.places):
        return judged(
            pairs.ids, found, pairs.reference, metric, request.normalisation, grammars=request.grammars
        )


def _said(pair: Pair, lattices: LatticeOptions, scale: float) -> Said:
    try:
        return said(lattices.scaled(pair.hypothesis), scale)
    except FstmetricsError as error:
        raise of_item([pair], error) from None


def calibration_parts(found: Calibration) -> Iterator[Part]:
    """Two numbers, and a row for each bin that has words."""
    yield f"NCE {number(found.nce)}"
    yield f"ECE {number(found.ece)}"
    yield ""
    parts: list[tuple[str, Bin | Calibration, float]] = [
        (f"{each.low:.4g} to {each.high:.4g}", each, each.confidence) for each in found.bins if each.words
    ]
    rows = [("confidence", "words", "correct", "accuracy", "mean", "difference")]
    for name, each, mean in [*parts, ("all", found, found.mean_confidence)]:
        difference = round(mean - each.accuracy, 4) + 0.0  # what rounds to zero is no -0.0000
        counts = str(each.words), str(each.correct)
        rows.append((name, *counts, number(each.accuracy), number(mean), f"{difference:+.4f}"))
    yield Table(rows)


@command(usual=("--bins", "--plot", "--scale", "--lm-scale", "--symbols", "--json"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP.ctm|LATTICES")
@options_of(JUDGING)
def confidence_command(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Say whether the confidences of words are right: NCE, ECE and a table of reliability.

    \b
    Example:  fstmetrics confidence ref.stm hyp.ctm
              fstmetrics confidence text lat.1.gz --lm-scale 12 --scale 0.083

    REF: the references. HYP.ctm: words with times and confidences. LATTICES: the words of the best paths have their
    posteriors as confidences; the lattices need times. A word is correct if the best alignment makes it a hit.
    """
    found = confidence_from(references, hypotheses, options)
    show_report(found.parts(), found.summary, form)
