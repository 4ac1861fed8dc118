"""Which coefficients are found at which level: `Wanted`, from names such as `spa` and `kendall-b:item` (`wanted`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics import FstmetricsError
from fstmetrics.apps.metaeval.coefficients import WMT_VARIANTS, pairwise_accuracy
from fstmetrics.apps.metaeval.segment_coefficients import NAMES, Group, correlation
from fstmetrics.apps.metaeval.tie_calibration import AccEq, acc_eq
from fstmetrics.support.names import unknown

if TYPE_CHECKING:
    from fstmetrics.apps.metaeval.coefficients import Floats

# Names of earlier versions, which tables have; what `correlation` calls them.
OLD: dict[str, str] = {"kendall": "kendall-b", **{n: n.replace("wmt", "kendall-") for n in WMT_VARIANTS}}
OF_SYSTEMS, OF_SEGMENTS = ("spa", "accuracy"), ("acc-eq",)
# Translations of one segment are compared, unless another grouping is asked for.
BY_ITEM = ("acc-eq", "kendall-12", "kendall-13", "kendall-14", "kendall-like", *WMT_VARIANTS)
KNOWN = (*OF_SYSTEMS, *OF_SEGMENTS, *NAMES, *OLD)
WORDS: dict[str, Group] = {"item": "item", "system": "system", "sys": "system", "none": None}


@dataclass(frozen=True)
class Wanted:
    """A coefficient in a grouping.

    Attributes:
        name: one of `KNOWN`.
        group: of segments; None for all together.
    """

    name: str
    group: Group = None

    @property
    def shown(self) -> str:
        """For tables; what is compared by item is known by its name."""
        is_usual = self.group is None or (self.group == "item" and self.name in BY_ITEM)
        return self.name if is_usual else f"{self.name}:{self.group}"

    def is_at(self, level: str) -> bool:
        """Whether there is such a coefficient of systems, documents or segments."""
        if level == "system":
            return self.name not in OF_SEGMENTS and (self.group is None or self.name in BY_ITEM)
        return self.name not in OF_SYSTEMS and (level == "segment" or self.name not in OF_SEGMENTS)

    def of_systems(self, x: Floats, y: Floats) -> float:
        """Of scores of systems, shape [systems] each."""
        if self.name == "accuracy":
            return pairwise_accuracy(x, y)
        return correlation(x[None], y[None], OLD.get(self.name, self.name))

    def of_segments(self, x: Floats, y: Floats, threshold: float) -> AccEq:
        """Of scores of segments, shape [systems, segments]; with epsilon, which is nan of all but acc-eq."""
        if self.name == "acc-eq":
            return acc_eq(x, y, self.group)
        name = OLD.get(self.name, self.name)
        return AccEq(correlation(x, y, name, self.group, threshold or None), math.nan)


# What is found where nothing is asked for, beside Pearson, Spearman and tau-b of all, accuracy, and the taus of WMT.
USUAL = (Wanted("spa"), Wanted("acc-eq", "item"))


def wanted(names: Sequence[str]) -> tuple[Wanted, ...]:
    """Coefficients by name, `NAME` or `NAME:GROUP`; a group is item, system (sys) or none.

    Raises:
        FstmetricsError: an unknown name or group.

    >>> wanted(["acc-eq", "pearson:system"])
    (Wanted(name='acc-eq', group='item'), Wanted(name='pearson', group='system'))
    """
    found: dict[Wanted, None] = {}
    for given in names:
        name, colon, group = given.partition(":")
        if name not in KNOWN:
            raise FstmetricsError(unknown("coefficient", name, KNOWN))
        if colon and group not in WORDS:
            raise FstmetricsError(f"unknown group {group!r} of {name}; known are item, system, none")
        found[Wanted(name, WORDS[group] if colon else "item" if name in BY_ITEM else None)] = None
    return tuple(found)
