"""What `tune` reads: `TuningInputs`, hypotheses with features of one file or several, paired with references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fstmetrics import InputError, Lattice, NBest
from fstmetrics.apps.tuning.candidates import Hypotheses, merged
from fstmetrics.data.feature_forest import LATTICE_FEATURES, FeatureForest
from fstmetrics.scoring.opened_sides import by_overlap, open_sides
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.pairing import Pairs
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.side_remarks import (
    file_remarks,
    hint_of,
    misplaced_lists,
    pairing_of,
    pairing_remarks,
)
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted

# By how much a total may differ from the weighted sum of features, which files round, relative to it.
ROUNDED = 0.01


@dataclass(frozen=True)
class TuningInputs:
    """What was read, item by item.

    Attributes:
        hypotheses: of each item, one value a file.
        references: of each item; none without `--ref`.
        networks: of each item, likewise.
        remarks: what was guessed of files.
        files: the files of hypotheses.
    """

    hypotheses: list[list[Hypotheses]]
    references: list[Any]
    networks: list[Any]
    remarks: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def are_lists(self) -> bool:
        """Whether every item has nothing but n-best lists."""
        return all(isinstance(value, NBest) for values in self.hypotheses for value in values)

    @property
    def counts(self) -> str:
        """How much there is."""
        items = counted(len(self.hypotheses), "item")
        lists = [value for values in self.hypotheses for value in values if isinstance(value, NBest)]
        return (
            f"{items}, {counted(sum(len(nbest.entries) for nbest in lists), 'hypothesis')}"
            if self.are_lists
            else items
        )

    @property
    def names(self) -> frozenset[str]:
        """The features that some hypothesis has."""
        found: set[str] = set()
        for values in self.hypotheses:
            for value in values:
                if isinstance(value, Lattice):
                    found |= set(LATTICE_FEATURES)
                elif value.features is not None:
                    found |= set(value.features.names)
        return frozenset(found)

    def all_remarks(self, place: str | None, weights: Mapping[str, float]) -> list[str]:
        """What is odd about the hypotheses and the weights that tuning begins at.

        Args:
            place: the file of the weights; None where it has none, or there is none.
            weights: the weights.
        """
        names, remarks = self.names, list(self.remarks)
        if unused := [name for name in weights if name not in names]:
            remarks.append(
                f"{place} has weights of features that no hypothesis has, and they stay: {listed(unused)}"
            )
        if len(self.files) > 1 and self.are_lists:
            both = ((merged(values), merged(values[:-1])) for values in self.hypotheses)
            new = sum(every.num_edges - before.num_edges for every, before in both)
            told = f"{new} new hypotheses" if new else "no new hypothesis: tuning has converged"
            remarks.append(f"{self.files[-1]} brings {told}")
        return remarks + (self._total_remark(place, weights) if place else [])

    def _total_remark(self, place: str, weights: Mapping[str, float]) -> list[str]:
        """A remark where the totals of the last file are not the weighted sums of its features."""
        for values in self.hypotheses:
            value = values[-1]
            if isinstance(value, NBest) and value.scores is not None and value.features is not None:
                sums, totals = value.features.dot(weights), np.array(value.scores)
                if (bad := np.flatnonzero(np.abs(sums - totals) > ROUNDED * (1 + np.abs(totals)))).size:
                    return [
                        f"{self.files[-1]}: its totals are not the weighted sums of features under {place} (list "
                        f"{value.id}: {totals[bad[0]]:g}, not {sums[bad[0]]:g}): is that what it was decoded with?"
                    ]
        return []


def read_tuning_inputs(request: Request, hypotheses: Sequence[str], networks: str | None) -> TuningInputs:
    """Read and pair hypotheses, references and networks.

    Raises:
        FstmetricsError: a file that cannot be read, items that do not pair, or hypotheses without features.
    """
    others = [*request.more_references, *([networks] if networks else [])]
    unwritten = replace(request, output=None)  # weights, which are no records
    sides = by_overlap(open_sides(unwritten, [*hypotheses, *others], len(hypotheses)), len(hypotheses))
    against = sides[len(hypotheses) :]
    paired = []
    for path, side in zip(hypotheses, sides, strict=False):
        pairs = Pairs(
            side.items,
            [other.items for other in against],
            request.partnerless,
            partial(hint_of, [side, *against]),
            advice="",
            by_order=side.is_by_order,
        )
        paired.append([pair.loaded() for pair in pairs])
        for pair in paired[-1]:
            _refuse_without_features(path, pair.id, pair.hypothesis)
    for path, pairs_of_file in zip(hypotheses, paired, strict=True):
        _refuse_others(path, pairs_of_file, hypotheses[0], paired[0])
    count = len(request.more_references)
    first = paired[0]
    references = (
        [replace(pair, references=pair.references[:count]).reference for pair in first] if count else []
    )
    misplaced = ""
    if references and pairing_of(sides, len(hypotheses)).get("by") == "order":
        misplaced = misplaced_lists([pair.hypothesis for pair in first], references, request.normalisation)
    return TuningInputs(
        [[pair.hypothesis for pair in pairs] for pairs in zip(*paired, strict=True)],
        references,
        [pair.references[-1] for pair in first] if networks else [],
        (*filter(None, [misplaced]), *pairing_remarks(sides, len(hypotheses)), *file_remarks(sides)),
        tuple(hypotheses),
    )


def _refuse_others(path: str, pairs: Sequence[Pair], first: str, firsts: Sequence[Pair]) -> None:
    """Raise an InputError if a file does not have the items of the first one."""
    if len(pairs) != len(firsts):
        raise InputError(f"has {counted(len(pairs), 'item')}, and {first} has {len(firsts)}", path)
    for number, (pair, other) in enumerate(zip(pairs, firsts, strict=True), 1):
        one, two = pair.hypothesis, other.hypothesis
        if isinstance(one, NBest) and isinstance(two, NBest) and one.id != two.id:
            raise InputError(f"item {number} is list {one.id!r}, and in {first} it is list {two.id!r}", path)


def _refuse_without_features(path: str, id: str | None, value: Any) -> None:
    item = f"item {id}: " if id is not None else ""
    if isinstance(value, NBest) and value.features is None:
        raise InputError(f"{item}this n-best list has no features, so there is nothing to tune", path)
    if not isinstance(value, NBest | Lattice | FeatureForest):
        raise InputError(
            f"{item}expected n-best lists, lattices or hypergraphs with features; if it is one of these, give "
            "--format",
            path,
        )
