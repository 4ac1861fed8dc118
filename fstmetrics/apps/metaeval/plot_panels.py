"""What `correlate --plot` draws of a table: `panels`."""

from __future__ import annotations

import numpy as np

from fstmetrics.apps.metaeval.coefficients import pearson
from fstmetrics.apps.metaeval.table import ScoreTable
from fstmetrics.reports.plots import Points


def panels(table: ScoreTable, level: str = "system") -> list[Points]:
    """Panels for `human_plot`: every metric of a table, with Pearson's r, as `correlate` has it.

    Scores are drawn as they are. Where lower is better on one of the two sides, r is turned round, and that is said.

    Args:
        table: scores.
        level: `system` or `segment`.
    """
    found = []
    for name, scored in table.metrics.items():
        x, y = (
            (scored.whole(), table.human.whole()) if level == "system" else (scored.items, table.human.items)
        )
        there = np.isfinite(x) & np.isfinite(y)
        r = pearson(scored.sign * x[there], table.human.sign * y[there])
        names = [table.systems[i] for i in np.flatnonzero(there)] if level == "system" else None
        turned = "" if scored.sign == table.human.sign else ", turned round"
        remark = f"Pearson's r = {r:.3f}{turned}"
        titles = [f"{side}{'' if sign > 0 else ' (lower is better)'}"
                  for side, sign in ((name, scored.sign), ("human score", table.human.sign))]  # fmt: skip
        found.append(Points(titles[0], x[there], y[there], names, remark, titles[1]))
    return found
