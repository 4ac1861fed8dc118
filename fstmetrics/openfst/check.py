"""Items of a run solved again by OpenFst: `Check`, and `DisagreementError` where the answers differ."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, ClassVar

from fstmetrics.engine.results import Result
from fstmetrics.engine.search import named
from fstmetrics.metrics import Metric
from fstmetrics.openfst.folder import folder_of_item, write_machines
from fstmetrics.openfst.referee import Refereed, judged
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.sides import Input
    from fstmetrics.grammars.library import Grammars

# Where machines of answers that differ are written.
CHECK_FOLDER = "fstmetrics-check"
# The folders of items, and where this process has written them.
_WRITTEN: dict[str, str] = {}


class DisagreementError(FstmetricsError):
    """OpenFst has another answer to an item than the engine."""

    exit_status: ClassVar[int] = 1


@dataclass(frozen=True)
class Check:
    """Every so-manyth item of a run is solved again by OpenFst.

    Args:
        every: 1 is every item, 10 the first of ten.
        folder: where machines of an item are written whose answers differ, in a folder of their own.
    """

    every: int = 1
    folder: str = CHECK_FOLDER

    def results(
        self,
        results: Sequence[Result],
        places: Sequence[int],
        ids: Sequence[str | None] | None,
        sides: Callable[[int], tuple[Input, Input]],
        metric: Metric,
        normalisation: Normalisation = PLAIN,
        grammars: Grammars = (),
    ) -> None:
        """Solve those again that it is the turn of.

        Args:
            results: of some items.
            places: of each among the items of the run, from 0.
            ids: of each.
            sides: the hypothesis and reference of each, by its number among these.
            metric, normalisation, grammars: what the results were found with.

        Raises:
            DisagreementError: an answer differs; the machines are in the folder that it names.
            FstmetricsError: an item too large for OpenFst, or other machines that cannot be built, by its name.
        """
        for number, place in enumerate(places):
            if place % self.every:
                continue
            id = ids[number] if ids else None
            try:
                found = judged(results[number], *sides(number), metric, normalisation, grammars)
            except FstmetricsError as error:
                raise type(error)(f"{named([id], 0, 1)}--check openfst: {error}") from None
            if found.agree:
                continue
            it = f"item {id}" if id else f"item {place} (from 0)"
            told = self._kept(found, folder_of_item(self.folder, id, place), f"{it}, {metric.signature()}")
            raise DisagreementError(f"{it}: OpenFst has another answer: {found}; {told}")

    def _kept(self, found: Refereed, folder: str, what: str) -> str:
        """Write the machines of an item, once in a run: a batch that fails is scored again, item by item."""
        where = _WRITTEN.get(folder)
        if where is None:
            free = (f"{folder}-{number}" if number > 1 else folder for number in count(1))
            where = next(path for path in free if not os.path.lexists(path))
            try:
                os.makedirs(self.folder, exist_ok=True)
                write_machines(found.machines, where, what)
            except (FstmetricsError, OSError) as error:
                return f"its machines are not written: {error}"
            _WRITTEN[folder] = where
        return f"the machines are in {where}"
