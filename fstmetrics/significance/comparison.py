"""What a comparison is made of: `Design`, what to test; `SystemScore`, `TestResult`; and `Comparison`, all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fstmetrics.data.fields import Field, columns_of, present
from fstmetrics.data.groupings import Grouping, Key, keyed, plain
from fstmetrics.engine.item_tables import ItemTable
from fstmetrics.engine.resampling import Resampling
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.significance.p_values import CORRECTIONS, TESTS, CorrectionName, SignCounts, as_test
from fstmetrics.support.arguments import FLAG, NUMBER, shortened
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted, have, in_a_line
from fstmetrics.support.tables import Tabular
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

Pairs = Literal["baseline", "all"]
# Below this p a difference separates clusters of systems.
LEVEL = 0.05
# The value of a field, or of several; None of items that lack it.
Value = Field | tuple[Field, ...]
# Told what is being done, and how far it is: done of all.
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system's score under one metric, and its bootstrap interval; None where a metric has no statistics.

    There is no interval either where the score of a resample is not defined, as where nothing but items with empty
    references was drawn; `undefined` has the number of such resamples.

    `totals` has the counts of errors, of a finite-state metric. Of a system with several runs, `score` is the mean of
    `runs`; `s_sel` is the standard deviation under resampling of the items, averaged over the runs, and `s_opt` the
    standard deviation between the runs (Clark et al. 2011).
    """

    score: float
    low: float | None = None
    high: float | None = None
    totals: Totals | None = None
    runs: tuple[float, ...] = ()
    s_sel: float | None = None
    s_opt: float | None = None
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class Blocks:
    """Items that belong together, as those of a speaker or of a session: they are resampled and ranked together.

    Attributes:
        name: what a block is: `speaker`.
        labels: which one each item is in.

    Raises:
        FstmetricsError: fewer than two blocks.
    """

    name: str
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.labels)) < 2:
            only = f", {shortened(self.labels[0])}" if self.labels else ""
            raise FstmetricsError(
                f"all items are of one {self.name}{only}: a test by {self.name} needs two or more"
            )

    def __len__(self) -> int:
        return len(set(self.labels))

    def at(self, places: npt.NDArray[np.int64]) -> Blocks:
        """The blocks of some of the items.

        Raises:
            FstmetricsError: fewer than two blocks.
        """
        return Blocks(self.name, tuple(self.labels[place] for place in places.tolist()))

    def sums(self, table: ItemTable) -> ItemTable:
        """Statistics of the blocks, in the order in which they come; shape [items, columns] to [blocks, columns]."""
        numbers = {label: number for number, label in enumerate(dict.fromkeys(self.labels))}
        found = np.zeros((len(numbers), table.width))
        labels = iter(self.labels)
        for part in table.parts():
            np.add.at(found, [numbers[label] for label in islice(labels, len(part))], part)
        return ItemTable(found)


def checked_labels(given: Sequence[object]) -> tuple[str, ...]:
    """The block of each item as text.

    Raises:
        FstmetricsError: an item has none, or something that is no name.
    """
    wrong = [
        item
        for item, label in enumerate(given)
        if not isinstance(label, str | int | float) or present(label) is None
    ]
    if wrong:
        lacking = sum(given[item] is None or isinstance(given[item], str | float) for item in wrong)
        count = f"; {lacking} of {counted(len(given), 'item')} {have(lacking)} none" if lacking else ""
        raise FstmetricsError(
            f"blocks[{wrong[0]}] must be the name of a speaker or session, not {given[wrong[0]]!r:.80}{count}"
        )
    return tuple(map(str, given))


def blocks_for(test: str, name: str, labels: Sequence[str]) -> Blocks | None:
    """The blocks of items; None of a single one, if the test is of sentences or segments, whoever speaks.

    Raises:
        FstmetricsError: a single block for another test.

    >>> blocks_for("mcnemar", "speaker", ["ann", "ann"]), blocks_for("mcnemar", "speaker", ["ann", "bob"])
    (None, Blocks(name='speaker', labels=('ann', 'bob')))
    """
    if len(set(labels)) == 1 and as_test(test).compares in ("sentences", "segments"):
        return None
    return Blocks(name, tuple(labels))


@dataclass(frozen=True, slots=True)
class TestResult:
    """One system against a baseline under one metric.

    Attributes:
        baseline, system: names.
        metric: its name.
        test: its name.
        delta: the system's score minus the baseline's, in the metric's units.
        low, high: the interval of the difference, percentiles of the same resamples of both [Bisani and Ney 2004]; None
            where a resample has no score, and of a single item, whose resamples are all alike.
        relative: the difference as a part of the baseline's score, of a negative one without its sign: of a word error
            rate, the relative reduction is its negative. None where the baseline's score is 0 or no number.
        p: the p value as the test has it; nan where it has none, as MAPSSWE where all segments differ by the same
            amount, and the bootstrap of fewer than `FEWEST_RESAMPLED` items or blocks, or of resamples without a score.
        corrected: by each of `CORRECTIONS`, over `family` tests.
        signs: the counts of a sign test, and of McNemar's.
        statistic: what the tests of sc_stats compare with a distribution (`sc_stats.Verdict`); None of other tests.
        details: what they counted, by name.
        favours: the name of the system for which the test finds, which need not be the one with the better score: the
            sign tests, McNemar's and Wilcoxon's do not compare scores. None: neither.
        family: how many tests p is corrected over: those with a p of one metric against the same baseline, or of all
            pairs; of a comparison by a field, those of all of its values together. 1: nothing is corrected.
    """

    baseline: str
    system: str
    metric: str
    test: str
    delta: float
    p: float
    corrected: Mapping[str, float]
    signs: SignCounts | None = None
    statistic: float | None = None
    details: Mapping[str, float] = field(default_factory=dict)
    favours: str | None = None
    family: int = 1
    low: float | None = None
    high: float | None = None
    relative: float | None = None

    @property
    def p_holm(self) -> float:
        """Corrected by Holm's method."""
        return self.corrected["holm"]

    @property
    def goes_by_counts(self) -> bool:
        """Whether the test compares counts or ranks, not scores: it may find for the system with the worse score."""
        return self.signs is not None or self.statistic is not None


@dataclass(frozen=True)
class Design:
    """What is to be tested, and how.

    Attributes:
        test: its name.
        resampling: number and seed of resamples.
        one_sided: for `bootstrap` and `randomization`: ask about the side on which the difference lies.
        both_ways: test the baseline against each system, too.
        correction: of `CORRECTIONS`: what is significant, and the one p of tables of one row a system, goes by the
            corrected p.
        confidence: of the intervals.
        blocks: what is resampled and compared instead of items: speakers, sessions. The sign test is then sc_stats' on
            speakers. None: items.
        pairs: `baseline`: every system is tested against the first; `all`: against every other. Corrections are over
            all pairs that are tested.
        by: fields by whose values all is repeated, with the items that have a value.
        compares: what is tested: items, sentences, segments or blocks; the sign test takes blocks where there are any.
    """

    test: str = "bootstrap"
    resampling: Resampling = Resampling()  # noqa: RUF009 (frozen)
    one_sided: bool = False
    both_ways: bool = False
    correction: CorrectionName = "none"
    confidence: float = 0.95
    blocks: Blocks | None = None
    pairs: Pairs = "baseline"
    by: tuple[Grouping, ...] = ()
    compares: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        test = as_test(self.test)
        compares = "blocks" if self.test == "sign" and self.blocks is not None else test.compares
        object.__setattr__(self, "compares", compares)
        sides = test.sides
        FLAG.check(self.one_sided, "one_sided")
        FLAG.check(self.both_ways, "both_ways")
        NUMBER.check(self.confidence, "confidence")
        corrections = ("none", *CORRECTIONS)
        if not isinstance(self.correction, str) or self.correction not in corrections:
            raise FstmetricsError(
                f"correction is one of {', '.join(corrections)}, not {self.correction!r:.80}"
            )
        if not isinstance(self.pairs, str) or self.pairs not in get_args(Pairs):
            raise FstmetricsError(f"pairs is one of {', '.join(get_args(Pairs))}, not {self.pairs!r:.80}")
        if self.both_ways and self.pairs == "all":
            raise FstmetricsError(
                "all pairs are tested one way, and both_ways is for a baseline; give one of them"
            )
        if self.one_sided and sides == "two":
            raise FstmetricsError(f"the test {self.test} is two-sided")
        if not 0 < self.confidence < 1:
            raise FstmetricsError(f"a confidence lies between 0 and 1, not at {self.confidence}")
        if test.compares == "blocks" and self.blocks is None:
            raise FstmetricsError(
                f"the test {self.test} compares speakers, and nothing says who speaks: give blocks, a label an item"
            )
        if self.test == "plain-sign" and self.blocks is not None:
            raise FstmetricsError(f"the test plain-sign is of items; sign compares {self.blocks.name}s")

    def settings(self) -> dict[str, object]:
        """For the JSON summary."""
        kind = TESTS[self.test]
        sided = self.one_sided or kind.sides == "one"
        return {
            "test": self.test,
            "samples": self.resampling.samples,
            "seed": self.resampling.seed,
            "generator": "Philox4x32-10" if kind.draws == "poisson" else "PCG64",
            "sides": 1 if sided else 2,
            "p": "(c + 1) / (samples + 1)" if kind.draws else kind.distribution,
            "correction": self.correction,
            "confidence": self.confidence,
            **({"blocks": {"by": self.blocks.name, "number": len(self.blocks)}} if self.blocks else {}),
            **({"pairs": "all"} if self.pairs == "all" else {}),
        }


@dataclass(frozen=True)
class Comparison(Tabular):
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
        shows_counts: whether tables and `as_dict` have the counts of errors: of transcripts.
        by: of each field that was asked for, the comparison of the items with each of its values. A value has scores
            only, without intervals and tests, if it has a single item, or too few to resample.
        others: the same systems by further tests, where several are asked for.
        remarks: what there is to say of the outputs: that best paths of lattices and n-best lists were scored.
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
    shows_counts: bool = False
    by: Mapping[str, ByValue] = field(default_factory=dict)
    others: tuple[Comparison, ...] = ()
    remarks: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Mapping[str, SystemScore]:
        """The scores of a system by metric, as `systems` has them.

        Raises:
            FstmetricsError: no system is called so.
        """
        if name not in self.systems:
            raise FstmetricsError(f"no system is called {name!r}; these are: {', '.join(self.systems)}")
        return self.systems[name]

    def __str__(self) -> str:
        from fstmetrics.reports.comparison_report import text_lines

        return "\n".join(text_lines(self, self.remarks))

    def __repr__(self) -> str:
        return in_a_line(self, systems=list(self.systems), metrics=list(self.metrics), items=self.items)

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import comparison_html

        return comparison_html(self)

    def as_dict(self) -> dict[str, Any]:
        """Scores, tests and settings as plain values, by the names that `compare --json` has for them."""
        from fstmetrics.reports.formed_comparisons import comparison_dict

        return comparison_dict(self)

    def columns(self) -> dict[str, list[Any]]:
        """A row a system and metric: its score and interval, and the test against the baseline; then all other tests.

        What there is not, as a test of the baseline itself, is None.

        >>> import fstmetrics as fm
        >>> found = fm.compare({"a": ["x y"], "b": ["x"]}, ["x y"], [fm.WER()], samples=100).columns()
        >>> found["system"], found["score"], found["baseline"], found["delta"]
        (['a', 'b'], [0.0, 0.5], [None, 'a'], [None, 0.5])
        """
        from fstmetrics.reports.formed_comparisons import frame_columns

        return frame_columns(self)

    def decisive(self, result: TestResult) -> float:
        """The p that says whether a difference is significant: corrected where that was asked for."""
        return result.corrected[self.design.correction] if self.is_corrected(result) else result.p

    def is_corrected(self, result: TestResult) -> bool:
        """Whether the corrected p decides: where that was asked for, and there are several tests."""
        return self.design.correction in CORRECTIONS and result.family > 1

    def contradicts(self, result: TestResult) -> bool:
        """Whether a test finds for the system that has the worse score."""
        gain = result.delta if self.metrics[result.metric].recognition else -result.delta
        return result.favours == (result.baseline if gain > 0 else result.system) and gain != 0

    def ranking(self, metric: str) -> list[str]:
        """The systems, the best first."""
        sign = -1 if self.metrics[metric].recognition else 1
        return sorted(self.systems, key=lambda system: sign * self.systems[system][metric].score)

    def clusters(self, metric: str, level: float = LEVEL) -> list[list[str]]:
        """Clusters of systems, the best first: each system is significantly better than all below its own cluster.

        So the news tasks of WMT rank systems (Bojar et al. 2013). A difference counts by the corrected p where that was
        asked for, and if the test finds for the system that has the better score.

        Args:
            metric: its name.
            level: below which p is significant.

        Raises:
            FstmetricsError: not all pairs were tested.
        """
        if self.design.pairs != "all":
            raise FstmetricsError("clusters are of the tests of all pairs: ask for pairs='all'")
        results = [result for result in self.tests if result.metric == metric]
        beaten = {
            (r.favours, r.system if r.favours == r.baseline else r.baseline)
            for r in results
            if r.favours is not None and r.delta != 0 and self.decisive(r) < level
        }
        clusters: list[list[str]] = []
        ranking = self.ranking(metric)
        for place, system in enumerate(ranking):
            above, below = ranking[:place], ranking[place:]
            apart = all(pair in beaten for pair in product(above, below))
            if apart or not clusters:
                clusters.append([])
            clusters[-1].append(system)
        return clusters

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


class ByValue(Tabular, Mapping[Any, Comparison]):
    """The comparison of the items with each value of a field, by value; a dict would take True for 1.

    Args:
        grouping: what put the items into groups.
        groups: by key, in the order of a table.

    >>> import fstmetrics as fm
    >>> outputs = {"a": ["x y", "x"], "b": ["x", "x"]}
    >>> found = fm.compare(outputs, ["x y", "x"], "wer", samples=100, fields={"n": [1, True]}, by="n").by["n"]
    >>> list(found), found[1].systems["b"]["wer"].score, found[True].systems["b"]["wer"].score
    ([1, True], 0.5, 0.0)
    """

    def __init__(self, grouping: Grouping, groups: Mapping[Key, Comparison]) -> None:
        self.grouping, self._groups = grouping, dict(groups)

    def __getitem__(self, value: Key) -> Comparison:
        return self._groups[keyed(value)]

    def __iter__(self) -> Iterator[Any]:
        return map(plain, self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.grouping.name}: {listed([repr(value) for value in self], 8)})"

    def __str__(self) -> str:
        from fstmetrics.reports.comparison_report import values_text

        return values_text(self)

    def changed(self, change: Callable[[Key, Comparison], Comparison]) -> ByValue:
        """The same with another comparison of each value."""
        return ByValue(self.grouping, {key: change(key, group) for key, group in self._groups.items()})

    def columns(self) -> dict[str, list[Any]]:
        """The columns of each comparison, one below the other, behind the field, or fields, that they are by."""
        tables = [group.columns() for group in self.values()]
        found = {
            name: [cell for table in tables for cell in table.get(name, [None] * len(table["system"]))]
            for name in dict.fromkeys(name for table in tables for name in table)
        }
        keys = [value if len(self.grouping.fields) > 1 else (value,) for value in self]
        fields = [dict(zip(self.grouping.fields, key, strict=True)) for key in keys]
        rows = [row for row, table in zip(fields, tables, strict=True) for _ in table["system"]]
        return columns_of(rows, found) | found
