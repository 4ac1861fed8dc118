"""How `rankings` shows what people prefer: `ranking_parts`, `ranking_summary` for JSON, `weights_text` for files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fstmetrics.apps.metaeval.judgments import kappa
from fstmetrics.apps.metaeval.preferences import Preferences
from fstmetrics.io.scores.ranking_files import Rankings
from fstmetrics.reports.summary import Part, Table
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import counted, marked


@dataclass(frozen=True)
class LearnedWeights:
    """Weights that were learned from rankings.

    Attributes:
        weights: by feature.
        share: of the pairs that they were learned from, the share that they order as people do; equal scores do not.
        held_out: the same of pairs that weights were not learned from, by folds of segments; None of too few segments.
        equal: the same of the mean of the six F.
        pairs: how many pairs there are.
        folds: how many folds.
    """

    weights: Mapping[str, float]
    share: float
    held_out: float | None
    equal: float
    pairs: int
    folds: int


def ranking_parts(
    found: Rankings, preferred: Preferences, agreeing: tuple[int, int], learned: LearnedWeights | None
) -> Iterator[Part]:
    """The tables of best systems and of pairs [L11 tables 6, 7], and what is known of judges and of weights."""
    ranked = (~np.isnan(found.ranks)).sum(axis=0)
    best = [("", "ranked", "best", "%")]
    shares = list(preferred.best.values())
    shown = marked([_in_percent(share) for share in shares], shares, True, _in_percent)
    best += [
        (name, str(number), str(round(share * preferred.judgments)), cell)
        for (name, share), number, cell in zip(preferred.best.items(), ranked, shown, strict=True)
    ]
    yield Table(best)
    pairs = [("A", "B", "A preferred", "%", "B preferred", "%", "equal", "p")]
    pairs += [
        (
            row["a"],
            row["b"],
            str(row["better"]),
            f"{100 * row['a_preferred']:.1f}",
            str(row["worse"]),
            f"{100 * row['b_preferred']:.1f}",
            str(row["equal"]),
            f"{row['p']:.4f}",
        )
        for row in preferred.rows()
    ]
    yield Table(pairs, 2)
    yield _judgments(found)
    yield from found.remarks
    yield "higher numbers are better" if found.higher else "lower numbers are better: rank 1 is best"
    yield "best: no system in the judgment has a better rank; ties count for each"
    yield "%: of all judgments; p: two-sided sign test without ties"
    if agreeing[1]:
        share = agreeing[0] / agreeing[1]
        yield f"two judgments of a segment agree on {100 * share:.1f}% of pairs of systems: kappa {kappa(share):.3f}"
        yield "judgments of one segment are not independent, which the sign test assumes: p is too small"
    if learned is not None:
        yield from ["", *_weight_parts(learned)]


def _in_percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _judgments(found: Rankings) -> str:
    line = counted(len(found.segments), "judgment")
    if all(found.segments):
        line += f" of {counted(len(set(found.segments)), 'segment')}"
    if all(found.judges):
        people = len(set(found.judges))
        line += f" by {people} {'person' if people == 1 else 'people'}"
    return line


def _weight_parts(learned: LearnedWeights) -> Iterator[Part]:
    rows = [("feature", "weight"), *((name, f"{value:.6g}") for name, value in learned.weights.items())]
    yield Table(rows)
    title = f"{counted(learned.pairs, 'pair')} of different ranks"
    rows = [(title, "in the order of people")]
    rows.append(("learned weights, on the pairs they were learned from", f"{100 * learned.share:.1f}%"))
    if learned.held_out is not None:
        rows.append(
            (
                f"learned weights, on segments held out ({learned.folds} folds)",
                f"{100 * learned.held_out:.1f}%",
            )
        )
    rows.append(("the mean of the six F", f"{100 * learned.equal:.1f}%"))
    yield Table(rows)


def weights_text(learned: LearnedWeights) -> str:
    """Lines `feature weight`, as `--tesla-f-weights` reads them."""
    return "".join(f"{name} {value!r}\n" for name, value in learned.weights.items())


def ranking_summary(
    found: Rankings, preferred: Preferences, agreeing: tuple[int, int], learned: LearnedWeights | None
) -> dict[str, Any]:
    """The object of `--json`."""
    share = agreeing[0] / agreeing[1] if agreeing[1] else math.nan
    ranked = (~np.isnan(found.ranks)).sum(axis=0).tolist()
    summary: dict[str, Any] = {
        "judgments": preferred.judgments,
        "higher_is_better": found.higher,
        "segments": len(set(found.segments)) if all(found.segments) else None,
        "judges": len(set(found.judges)) if all(found.judges) else None,
        "systems": [
            {"system": name, "ranked": number, "best": best}
            for (name, best), number in zip(preferred.best.items(), ranked, strict=True)
        ],
        "pairs": preferred.rows(),
        "agreement": None
        if not agreeing[1]
        else {"agreeing": agreeing[0], "pairs": agreeing[1], "share": share, "kappa": kappa(share)},
    }
    summary["remarks"] = list(found.remarks)
    if learned is not None:
        summary["learned"] = {
            "weights": dict(learned.weights),
            "pairs": learned.pairs,
            "in_order": finite(learned.share),
            "in_order_held_out": None if learned.held_out is None else finite(learned.held_out),
            "folds": learned.folds,
            "in_order_equal_weights": finite(learned.equal),
        }
    return summary
