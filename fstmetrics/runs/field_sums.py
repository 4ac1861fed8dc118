"""What the items of a run add up to by the values of their fields: `FieldSums`, of which tables are made.

For every value the sums of each of its speakers are kept, for intervals that resample speakers; the items are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fstmetrics.runs.sums import Series, Sum, Terms
from fstmetrics.scoring.breakdown import SPEAKER, Breakdown, Group, sums_by
from fstmetrics.scoring.resampling import Resampling
from fstmetrics.scoring.results import CorpusResult
from fstmetrics.values.fields import Fields
from fstmetrics.values.groupings import Grouping, Key, refuse_unknown

# The sum of each speaker of each value.
Cells = dict[tuple[Key, Any], Sum]


class FieldSums:
    """The sums of one series by the values of fields.

    Args:
        groupings: what puts items into groups; there is a table of each.
        series: what is added up.

    >>> import fstmetrics as fm
    >>> from fstmetrics.runs.oracle_sums import BEST, terms
    >>> corpus = fm.score(["a", "b c", "d"], ["a", "b d", "d e"])
    >>> sums = FieldSums([Grouping(("domain",))], BEST)
    >>> for result, domain in zip(corpus, ["news", "talk", "talk"]):
    ...     sums.add({"domain": domain}, terms(result))
    >>> [table] = sums.breakdowns(corpus, Resampling(100))
    >>> {domain: found.score for domain, found in table.items()}
    {'news': 0.0, 'talk': 0.5}
    """

    def __init__(self, groupings: Sequence[Grouping], series: Series) -> None:
        self.names: set[str] = set()
        self._series = series
        self._groupings = groupings
        self._cells: list[Cells] = [{} for _ in groupings]
        self._all_speak = True

    def add(self, fields: Fields, terms: Terms, id: str | None = None) -> None:
        """Add one more item.

        Raises:
            FstmetricsError: a field that has bins is no number; it has the item's id.
        """
        self.names.update(fields)
        speaker = fields.get(SPEAKER)
        if speaker is None or speaker == "":
            self._all_speak = False
        for grouping, cells in zip(self._groupings, self._cells, strict=True):
            place = grouping.key(fields, id), speaker
            if place not in cells:
                cells[place] = Sum()
            for series, totals, numbers in terms:
                if series == self._series:
                    cells[place].add(totals, numbers)

    def breakdowns(self, whole: CorpusResult, resampling: Resampling) -> list[Breakdown]:
        """The table of each grouping.

        Args:
            whole: the result of all items.
            resampling: how intervals are found.

        Raises:
            FstmetricsError: no item has such a field.
        """
        for grouping in self._groupings:
            refuse_unknown(grouping, self.names)
        return [
            self._breakdown(grouping, cells, whole, resampling)
            for grouping, cells in zip(self._groupings, self._cells, strict=True)
        ]

    def _breakdown(
        self, grouping: Grouping, cells: Cells, whole: CorpusResult, resampling: Resampling
    ) -> Breakdown:
        places: dict[Key, list[tuple[Key, Any]]] = {}
        for place in cells:
            places.setdefault(place[0], []).append(place)
        groups = {key: self._group(cells, places[key], whole) for key in grouping.ordered(places)}
        speakers = self._speakers(cells, list(cells), whole)
        return Breakdown(grouping, groups, Group(whole, speakers), resampling)

    def _group(self, cells: Cells, places: list[tuple[Key, Any]], whole: CorpusResult) -> Group:
        found = Sum()
        for place in places:
            found.update(cells[place])
        settings = {name: getattr(whole, name) for name in SETTINGS}
        return Group(found.corpus(whole.metric, **settings), self._speakers(cells, places, whole))

    def _speakers(self, cells: Cells, places: list[tuple[Key, Any]], whole: CorpusResult) -> Any:
        if not self._all_speak:
            return None
        rows = [whole.metric.statistics(cells[place].sum()) for place in places]
        return sums_by([speaker for _, speaker in places], np.array(rows, dtype=np.float64))


# What the results of groups have in common with the whole.
SETTINGS = ("normalisation", "grammars", "alternations", "conditions")
