"""Scores of systems by segment, from metrics and from people: `Scored`, one kind of score, and `ScoreTable`, all.

Every kind is kept as statistics that add up (`CorpusMetric`), so that the score of a system, of a document or of a
resample is that of a corpus; scores without statistics have their sums and numbers, whose quotient is the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics import CorpusMetric, FstmetricsError, Statistics
from fstmetrics.apps.metaeval.coefficients import refuse_other_segments
from fstmetrics.data.exact_means import SAME, Means, exact_sums, means, refuse_large, with_ties
from fstmetrics.metrics.corpus_metric import summands
from fstmetrics.metrics.given_scores import Directions, GivenScores
from fstmetrics.support.arguments import STRINGS, instance, items_of, numbers_of
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Integers = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scored:
    """One kind of score of all systems.

    Attributes:
        metric: how statistics become a score, and whether higher is better.
        values: statistics, shape [systems, segments, columns]; zeros where there is no score. Whole numbers may be
            integers of any size. Of scores that are given, these alone: shape [systems, segments], nan where there is
            none.
        present: where there is one, shape [systems, segments].
        systems: scores of whole systems where they are given, as WMT's `.sys.score`, shape [systems]; or None.
    """

    metric: CorpusMetric
    values: Table
    present: Mask
    systems: Table | None = None

    @classmethod
    def given(cls, name: str, scores: Table, higher_is_better: bool = True) -> Scored:
        """From scores, shape [systems, segments], nan where there is none.

        Raises:
            FstmetricsError: scores too large to be added up.
        """
        scores = np.asarray(scores, dtype=np.float64)
        refuse_large(name, scores)
        present = np.isfinite(scores)
        if np.isinf(scores).any():
            scores = np.where(present, scores, np.nan)
        return cls(GivenScores(name, higher_is_better), scores, present)

    @property
    def sign(self) -> int:
        """1 where higher is better, else -1: times the scores, they agree when the coefficient is positive."""
        return 1 if self.metric.recognition else -1

    @cached_property
    def items(self) -> Table:
        """Scores of single segments, shape [systems, segments]; nan where there is none, or an infinite one."""
        if self.values.ndim == 2:
            return self.values
        found = np.empty(self.present.shape)
        for system, own in enumerate(found):
            own[:] = self.metric.scores_of_items(self.rows(system))
            own[~self.present[system] | ~np.isfinite(own)] = np.nan
        return found

    def rows(self, system: int, segments: Integers | slice = slice(None)) -> Table:
        """One system's statistics of some segments, shape [segments, columns]."""
        own = self.values[system, segments]
        rows = summands(own) if self.values.ndim == 2 else own
        return np.ascontiguousarray(rows, dtype=np.float64)

    def scores(self, weights: Table) -> Table:
        """Scores of sets of segments; those that are equal but for the rounding of segments' scores are one number.

        Args:
            weights: how often a segment is in each set, shape [sets, segments].

        Returns:
            Shape [systems, sets]; nan for a system that has no score in a set.
        """
        return with_ties(self.means(weights))

    def means(self, weights: Table) -> Means:
        """The same before ties are made, shape [systems, sets]: for sets that are scored a few at a time."""
        found = [self._means(system, weights) for system in range(len(self.present))]
        values, slack = (np.array(side).reshape(len(found), -1) for side in zip(*found, strict=True))
        return Means(values, slack)

    def _means(self, system: int, weights: Table) -> Means:
        taken = self.present[system]
        if self.values.ndim == 2:
            return means(weights, np.where(taken, self.values[system], np.nan))
        rows = self.rows(system)
        sums = exact_sums(weights, rows if taken.all() else rows * taken[:, None])
        scores = np.where(weights @ taken.astype(float) > 0, self.metric.corpus_score(sums), np.nan)
        return Means(scores, SAME * np.abs(scores))

    def whole(self) -> Table:
        """Scores of the systems, as given or each over all its segments, shape [systems]."""
        if self.systems is not None:
            return self.systems
        return self.scores(np.ones((1, self.present.shape[1])))[:, 0]

    def of(self, system: int, segments: Integers | slice = slice(None)) -> Statistics:
        """One system's statistics of some segments."""
        return Statistics(self.metric, self.rows(system, segments))

    def only(self, systems: Sequence[int]) -> Scored:
        """Of some systems, by index."""
        chosen = list(systems)
        whole = None if self.systems is None else self.systems[chosen]
        return replace(self, values=self.values[chosen], present=self.present[chosen], systems=whole)

    def at(self, segments: Sequence[int]) -> Scored:
        """Of some segments, by index; scores that are given for whole systems are not of these."""
        return replace(self, values=self.values[:, segments], present=self.present[:, segments], systems=None)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """What metrics and people say of the same systems and segments.

    Attributes:
        systems, segments: names.
        human: people's scores.
        metrics: those of metrics, by name.
        documents, domains: the document and the domain of each segment, or None.

    Raises:
        FstmetricsError: scores of another number of systems or segments.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    human: Scored
    metrics: dict[str, Scored]
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.segments))
        for name, scored in ({"human": self.human} | self.metrics).items():
            if scored.present.shape != shape:
                found = " x ".join(map(str, scored.present.shape))
                raise FstmetricsError(
                    f"{name} has {found} scores, but there are {shape[0]} systems x {shape[1]} segments"
                )

    def __repr__(self) -> str:
        return in_a_line(
            self, systems=len(self.systems), segments=len(self.segments), metrics=list(self.metrics)
        )

    @classmethod
    def of(
        cls,
        systems: Sequence[str],
        metrics: dict[str, Table],
        human: Table,
        lower: str | Sequence[str] = (),
        higher: str | Sequence[str] = (),
    ) -> ScoreTable:
        """From scores.

        Args:
            systems: names.
            metrics: scores by name, shape [systems, segments], nan where there is none.
            human: the same.
            lower: names of metrics of which the lower score is better, or one; `human` for people's. Error rates
                are known by their names.
            higher: the same of those of which the higher score is better.

        Raises:
            FstmetricsError: scores that are no rows of numbers, of another number of systems or segments; a name in
                `lower` or `higher` that no metric has; or one that does not tell which scores are better.

        >>> table = ScoreTable.of(["a", "b"], {"wer": [[0.1, 0.3], [0.2, 0.5]]}, [[3, 2], [2, 1]], lower=["wer"])
        >>> table.metrics["wer"].whole().tolist()
        [0.2, 0.35]
        """
        instance(Mapping).check(metrics, "metrics")
        systems, directions = items_of(systems, "systems"), Directions.given(lower, higher)
        STRINGS.check(systems, "systems")
        directions.check([*metrics, "human"], "")
        refuse_other_segments(
            {"human": human, **{f"metrics[{name!r}]": each for name, each in metrics.items()}}
        )
        human = numbers_of(human, "human", 2)
        scores = {
            name: numbers_of(values, f"the scores of {name!r:.80}", 2) for name, values in metrics.items()
        }
        scored = {
            name: Scored.given(name, values, directions.higher_is_better(str(name), [values]))
            for name, values in scores.items()
        }
        segments = tuple(map(str, range(1, human.shape[-1] + 1)))
        return cls(
            tuple(systems),
            segments,
            Scored.given("human", human, directions.told("human") is not False),
            scored,
        )

    def parts(self, field: str) -> dict[str, ScoreTable]:
        """A table for each domain or document, by its name; scores of whole systems are those of its segments.

        Raises:
            FstmetricsError: the scores do not have this field.
        """
        names = {"domain": self.domains, "document": self.documents}[field]
        if names is None:
            raise FstmetricsError(
                f"the scores do not say which {field} a segment is in (a column {field} does)"
            )
        places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            places.setdefault(name, []).append(place)
        found = {}
        for name, where in places.items():
            found[name] = replace(
                self,
                segments=tuple(self.segments[i] for i in where),
                human=self.human.at(where),
                metrics={metric: scored.at(where) for metric, scored in self.metrics.items()},
                documents=self.documents and tuple(self.documents[i] for i in where),
                domains=self.domains and tuple(self.domains[i] for i in where),
            )
        return found

    def without(self, systems: Sequence[str]) -> ScoreTable:
        """Without some systems.

        Raises:
            FstmetricsError: a system that is not here.
        """
        for name in systems:
            if name not in self.systems:
                raise FstmetricsError(f"there is no system {name!r}; there are {', '.join(self.systems)}")
        if not systems:
            return self
        kept = [i for i, name in enumerate(self.systems) if name not in systems]
        return replace(
            self,
            systems=tuple(self.systems[i] for i in kept),
            human=self.human.only(kept),
            metrics={name: scored.only(kept) for name, scored in self.metrics.items()},
        )
