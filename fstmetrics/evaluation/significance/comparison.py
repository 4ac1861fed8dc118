"""What a comparison is made of: `Design`, what to test; `SystemScore`, `TestResult`; and `Comparison`, all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from fstmetrics.evaluation.significance.p_values import SignCounts, as_test
from fstmetrics.metrics import CorpusMetric
from fstmetrics.scoring.resampling import Resampling
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.arguments import FLAG, NUMBER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line
from fstmetrics.support.tables import as_arrow, as_frame
from fstmetrics.values import doors
from fstmetrics.values.normalisation import Normalisation

if TYPE_CHECKING:
    import pandas
    import pyarrow

Correction = Literal["none", "holm"]
# Told what is being done, and how far it is: done of all.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system's score under one metric, and its bootstrap interval; None where a metric has no statistics."""

    score: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """One system against a baseline under one metric.

    Attributes:
        baseline, system: names.
        metric: its name.
        test: its name.
        delta: the system's score minus the baseline's, in the metric's units.
        p: the p value as the test has it.
        p_holm: corrected by Holm's method over the systems that were compared with the same baseline under the
            same metric.
        signs: the counts of a sign test.
    """

    baseline: str
    system: str
    metric: str
    test: str
    delta: float
    p: float
    p_holm: float
    signs: SignCounts | None = None


@dataclass(frozen=True)
class Design:
    """What is to be tested, and how.

    Attributes:
        test: its name.
        resampling: number and seed of resamples.
        one_sided: for `bootstrap` and `randomization`: ask about the side on which the difference lies.
        both_ways: test the baseline against each system, too.
        correction: `holm`: what is significant, and the one p of tables of one row a system, goes by the corrected p.
        confidence: of the intervals.
    """

    test: str = "bootstrap"
    resampling: Resampling = Resampling()  # noqa: RUF009 (frozen)
    one_sided: bool = False
    both_ways: bool = False
    correction: Correction = "none"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        sides = as_test(self.test).sides
        FLAG.check(self.one_sided, "one_sided")
        FLAG.check(self.both_ways, "both_ways")
        NUMBER.check(self.confidence, "confidence")
        if not isinstance(self.correction, str) or self.correction not in get_args(Correction):
            raise FstmetricsError(
                f"correction is one of {', '.join(get_args(Correction))}, not {self.correction!r:.80}"
            )
        if self.one_sided and sides == "two":
            raise FstmetricsError(f"the test {self.test} is two-sided")
        if not 0 < self.confidence < 1:
            raise FstmetricsError(f"a confidence lies between 0 and 1, not at {self.confidence}")

    def settings(self) -> dict[str, object]:
        """For the JSON summary."""
        kind = as_test(self.test)
        sided = self.one_sided or kind.sides == "one"
        return {
            "test": self.test,
            "samples": self.resampling.samples,
            "seed": self.resampling.seed,
            "generator": "PCG64",
            "sides": 1 if sided else 2,
            "p": "(c + 1) / (samples + 1)" if kind.draws else "binomial",
            "correction": self.correction,
            "confidence": self.confidence,
        }


@dataclass(frozen=True)
class Comparison:
    """Scores and tests.

    Attributes:
        systems: scores by system and metric, the baseline first.
        tests: in the order of the systems, metric by metric.
        metrics: by name.
        design: what was tested.
        items: how many there were.
        normalisations: what was done to the words, by metric.
        conditions: what else scores depend on, by metric: parts of signatures.
        statistics: what was tested, by system and metric.
        grammars: what widened the references of finite-state metrics, as signatures have it.
    """

    systems: dict[str, dict[str, SystemScore]]
    tests: tuple[TestResult, ...]
    metrics: dict[str, CorpusMetric]
    design: Design
    items: int
    normalisations: Mapping[str, Normalisation | None] = field(default_factory=dict)
    statistics: Mapping[str, Mapping[str, Statistics]] = field(
        default_factory=dict, repr=False, compare=False
    )
    grammars: str = ""
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(doors.text_lines(self))

    def __repr__(self) -> str:
        return in_a_line(self, systems=list(self.systems), metrics=list(self.metrics), items=self.items)

    def _repr_html_(self) -> str:
        return doors.comparison_html(self)

    def as_dict(self) -> dict[str, Any]:
        """Scores, tests and settings as plain values, by the names that `compare --json` has for them."""
        return doors.comparison_dict(self)

    def columns(self) -> dict[str, list[Any]]:
        """A row a system and metric: its score and interval, and the test against the baseline; then all other tests.

        What there is not, as a test of the baseline itself, is None.

        >>> import fstmetrics as fm
        >>> found = fm.compare({"a": ["x y"], "b": ["x"]}, ["x y"], [fm.WER()], samples=100).columns()
        >>> found["system"], found["score"], found["baseline"], found["delta"]
        (['a', 'b'], [0.0, 0.5], [None, 'a'], [None, 0.5])
        """
        first = next(iter(self.systems))
        against = {(t.system, t.metric): t for t in self.tests if t.baseline == first}
        rows: list[tuple[str, str, TestResult | None]] = [
            (system, metric, against.get((system, metric)))
            for metric in self.metrics
            for system in self.systems
        ]
        rows += [(test.system, test.metric, test) for test in self.tests if test.baseline != first]
        found: dict[str, list[Any]] = {"metric": [], "system": []}
        for system, metric, test in rows:
            found["metric"].append(metric)
            found["system"].append(system)
            for name in ("score", "low", "high"):
                found.setdefault(name, []).append(getattr(self.systems[system][metric], name))
            for name in ("baseline", "test", "delta", "p", "p_holm"):
                found.setdefault(name, []).append(getattr(test, name, None))
            if any(each.signs for each in self.tests):
                for name in ("better", "worse", "equal"):
                    found.setdefault(name, []).append(getattr(test and test.signs, name, None))
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """A frame of pandas; see `columns`.

        Raises:
            FstmetricsError: pandas is not installed.
        """
        return as_frame(self.columns())

    def to_arrow(self) -> pyarrow.Table:
        """A table of Apache Arrow; see `columns`.

        Raises:
            FstmetricsError: pyarrow is not installed.
        """
        return as_arrow(self.columns())

    def decisive(self, result: TestResult) -> float:
        """The p that says whether a difference is significant: corrected where that was asked for."""
        return result.p_holm if self.design.correction == "holm" else result.p

    def test(self, system: str, metric: str, baseline: str | None = None) -> TestResult:
        """The test of a system, against the first system unless another baseline is named.

        Raises:
            KeyError: there is none.
        """
        name = next(iter(self.systems)) if baseline is None else baseline
        for result in self.tests:
            if (result.baseline, result.system, result.metric) == (name, system, metric):
                return result
        raise KeyError((name, system, metric))
