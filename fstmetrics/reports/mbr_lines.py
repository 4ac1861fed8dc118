"""What `mbr` found, summed up: `risk_lines` for people, `risk_summary` for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fstmetrics.data.nbest import order_remark
from fstmetrics.engine.signatures import signature_of
from fstmetrics.lattices.minimum_risk import UNLOGGED
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.reports.summary import PARTIAL, items_lines
from fstmetrics.scoring.mbr_decoding import MOST, RISK
from fstmetrics.scoring.score import LeftOut
from fstmetrics.scoring.sums import Sum, Sums
from fstmetrics.support.printable import counted, have
from fstmetrics.text.normalisation import Normalisation


def risk_lines(sums: Sums, metric: CorpusMetric, normalisation: Normalisation, faults: int) -> Iterator[str]:
    """The summary, line by line; `[PARTIAL]` where items were left out."""
    risk = sums.of(RISK)
    unscored_forests = risk.number("unscored_forest").total
    yield from items_lines(len(risk), LeftOut(0, faults))
    ranked = len(risk) > unscored_forests  # a forest without scores has no 1-best
    line = _sums(risk, metric, normalisation, ranked)
    yield f"{line} {PARTIAL}" if faults else line
    if ranked:
        yield f"{risk.number('differs').total} different from the 1-best"
    mass = risk.number("mass")
    if mass.items:
        yield (
            f"the evidence of {_lattices(risk, mass.items)} has {mass.total / mass.items:.4g} of the probability on "
            f"average, {mass.least:.4g} at least"
        )
    yield from risk_remarks(sums)


def risk_remarks(sums: Sums) -> Iterator[str]:
    """What is odd about scores and probabilities."""
    risk = sums.of(RISK)
    unscored, unscored_forests = (risk.number(name).total for name in ("unscored", "unscored_forest"))
    if little := risk.number("little").total:
        yield (
            f"in {_lattices(risk, little)} it has less than {MOST:g}: the expected losses are over this part only; for "
            "more of the probability give more --evidence and --candidates"
        )
    if lists := unscored - unscored_forests:
        yield f"{_have(lists, 'list')} no scores: every entry counts the same"
    if outscored := risk.number("outscored").total:
        yield order_remark(int(outscored), bool(risk.number("costs").total))
    if unlogged := risk.number("unlogged").total:
        yield f"{_have(unlogged, 'list')} {UNLOGGED}"
    if unscored_forests:
        yield (
            f"{_have(unscored_forests, 'forest')} no scores: every derivation counts the same; --weights FILE "
            "gives hypergraphs the weights of their features"
        )


def _sums(risk: Sum, metric: CorpusMetric, normalisation: Normalisation, ranked: bool) -> str:
    """What is expected of what was chosen and, if there is one, of the 1-best; gains where more of them is better."""
    sign, what = (-1, "gains") if metric.recognition else (1, "losses")
    name = name_of(metric.name, normalisation.unit)
    chosen, one_best = (
        f"{sign * loss:.4f} ({sign * loss / len(risk):.4f} per item)" for loss in _losses(risk)
    )
    return f"sum of expected {name} {what} {chosen}" + (f", of the 1-best {one_best}" if ranked else "")


def risk_summary(
    sums: Sums,
    metric: CorpusMetric,
    normalisation: Normalisation,
    settings: dict[str, Any],
    faults: int,
    records: Sequence[dict[str, Any]] | None,
    conditions: Sequence[str] = (),
) -> dict[str, Any]:
    """The same as a JSON object: sums of expected losses, and means and least of masses; records if they are given."""
    risk = sums.of(RISK)
    loss, one_best = _losses(risk)
    mass = risk.number("mass")
    found: dict[str, Any] = {
        "metric": name_of(metric.name, normalisation.unit),
        "items": len(risk),
        **LeftOut(0, faults)._asdict(),
        "expected_loss": loss,
        "one_best_expected_loss": one_best,
        "chosen_otherwise": risk.number("differs").total,
        "lattices": mass.items,
        "mean_mass": mass.total / mass.items if mass.items else None,
        "least_mass": mass.least if mass.items else None,
        "without_scores": risk.number("unscored").total,
    }
    if records is not None:
        found["records"] = records
    return found | {
        "settings": settings,
        "signature": signature_of(metric, normalisation, conditions, "mbr"),
    }


def _losses(risk: Sum) -> tuple[float, float]:
    return risk.number("loss").total, risk.number("one_best_loss").total


def _lattices(risk: Sum, number: float) -> str:
    forests = risk.number("forest").total
    if 0 < forests < risk.number("mass").items:
        return f"{number} lattices and forests"
    return f"{counted(int(number), 'forest' if forests else 'lattice')}"


def _have(number: float, what: str) -> str:
    return f"{counted(int(number), what)} {have(number)}"
