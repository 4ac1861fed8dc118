"""How a `Calibration` is shown: `calibration_parts`."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.apps.calibration.calibration import Calibration
from fstmetrics.reports.summary import Part, Table
from fstmetrics.support.printable import number


def _difference(mean: float, accuracy: float) -> str:
    """With its sign; what rounds to zero is no -0.0000."""
    return f"{round(mean - accuracy, 4) + 0.0:+.4f}"


def calibration_parts(found: Calibration) -> Iterator[Part]:
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
    yield Table([*rows, ("all", *whole)])
