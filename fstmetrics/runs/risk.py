"""What choices of minimum Bayes risk decoding add to the sums of a run: `risk_terms`."""

from __future__ import annotations

from fstmetrics.decoding.minimum_risk import MBR
from fstmetrics.runs.sums import Series, Term, Terms

RISK = Series("risk")
# Evidence that holds less than this share of a lattice's probability says little of the lattice.
MOST = 0.5


def risk_terms(result: MBR, scored: bool, forest: bool) -> Terms:
    """What one choice adds.

    Args:
        result: the choice.
        scored: whether there were scores or costs at all.
        forest: whether it is of a forest.

    The numbers are `loss` and `one_best_loss`, expected of the choice and of the decoder's first; `differs`, whether
    these are not the same; `forest`, `unscored` and `unscored_forest`; where the evidence is a part of what there is,
    its `mass`, and whether that is `little`.
    """
    numbers = {
        "loss": float(result.best[0].expected_loss),
        "one_best_loss": float(result.one_best.expected_loss),
        "differs": result.words != result.one_best.words,
        "forest": forest,
        "unscored": not scored,
        "unscored_forest": forest and not scored,
    }
    if not result.exact:
        numbers |= {"mass": float(result.mass), "little": result.mass < MOST}
    return [Term(RISK, numbers=numbers)]
