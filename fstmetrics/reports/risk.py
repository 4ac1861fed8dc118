"""What `mbr` found, summed up: `risk_lines` for people, `risk_summary` for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fstmetrics.metrics import Metric
from fstmetrics.metrics.corpus import name_of
from fstmetrics.reports.json_records import LeftOut, signature_of
from fstmetrics.reports.summary import PARTIAL, items_lines
from fstmetrics.runs.risk_tally import MOST, RiskTally
from fstmetrics.values.normalisation import Normalisation


def risk_lines(tally: RiskTally, metric: Metric, normalisation: Normalisation, faults: int) -> Iterator[str]:
    """The summary, line by line; `[PARTIAL]` where items were left out."""
    yield from items_lines(tally.items, LeftOut(0, faults))
    ranked = tally.items > tally.unscored_forests  # a forest without scores has no 1-best
    line = _sums(tally, metric, normalisation, ranked)
    yield f"{line} {PARTIAL}" if faults else line
    if ranked:
        yield f"{tally.differing} chosen otherwise than the 1-best"
    if tally.lattices:
        mean = tally.mass.value() / tally.lattices
        yield (
            f"of {_lattices(tally, tally.lattices)} the evidence holds {mean:.4g} of the probability in the mean, "
            f"{tally.least_mass:.4g} at least"
        )
    if tally.little:
        yield (
            f"of {_lattices(tally, tally.little)} it is less than {MOST:g}: expected losses are over what the evidence "
            "holds, and say little of the rest; more --evidence and --candidates hold more of it, or a larger --scale"
        )
    if lists := tally.unscored - tally.unscored_forests:
        yield f"{_have(lists, 'list')} no scores: every entry counts the same"
    if tally.unscored_forests:
        yield (
            f"{_have(tally.unscored_forests, 'forest')} no scores: every derivation counts the same; --weights FILE "
            "says what the features of a hypergraph weigh"
        )


def _sums(tally: RiskTally, metric: Metric, normalisation: Normalisation, ranked: bool) -> str:
    """What is expected of what was chosen and, if there is one, of the 1-best; gains where more of them is better."""
    sign, what = (-1, "gains") if metric.recognition else (1, "losses")
    name = name_of(metric.name, normalisation.unit)
    chosen, one_best = (
        f"{sign * loss:.4f} ({sign * loss / tally.items:.4f} an item)" for loss in _losses(tally)
    )
    return f"sum of expected {name} {what} {chosen}" + (f", of the 1-best {one_best}" if ranked else "")


def risk_summary(
    tally: RiskTally,
    metric: Metric,
    normalisation: Normalisation,
    settings: dict[str, Any],
    faults: int,
    records: Sequence[dict[str, Any]] | None,
    conditions: Sequence[str] = (),
) -> dict[str, Any]:
    """The same as a JSON object: sums of expected losses, and means and least of masses; records if they are given."""
    loss, one_best = _losses(tally)
    found: dict[str, Any] = {
        "metric": name_of(metric.name, normalisation.unit),
        "items": tally.items,
        **LeftOut(0, faults)._asdict(),
        "expected_loss": loss,
        "one_best_expected_loss": one_best,
        "chosen_otherwise": tally.differing,
        "lattices": tally.lattices,
        "mean_mass": tally.mass.value() / tally.lattices if tally.lattices else None,
        "least_mass": tally.least_mass if tally.lattices else None,
        "without_scores": tally.unscored,
    }
    if records is not None:
        found["records"] = records
    return found | {
        "settings": settings,
        "signature": signature_of(metric, normalisation, conditions, "mbr"),
    }


def _losses(tally: RiskTally) -> tuple[float, float]:
    return tally.loss.value(), tally.one_best_loss.value()


def _lattices(tally: RiskTally, number: int) -> str:
    if 0 < tally.forests < tally.lattices:
        return f"{number} lattices and forests"
    return f"{number} {'forest' if tally.forests else 'lattice'}{'' if number == 1 else 's'}"


def _have(number: int, what: str) -> str:
    return f"1 {what} has" if number == 1 else f"{number} {what}s have"
