"""What came of scoring files: `Score`, which commands print and Python calls return; and its summary as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from fstmetrics.engine.oracle_results import density
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.engine.several import Scores as SeveralScores
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.sums import BEST, OracleSums, Sums
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.tables import Tabular
from fstmetrics.text.normalisation import Unit

if TYPE_CHECKING:
    from fstmetrics.engine.breakdown import Breakdown
    from fstmetrics.engine.time_differences import TimesOfWords
    from fstmetrics.lattices.corpus_oracles import CorpusOracle
    from fstmetrics.metrics.path_metric import Totals
    from fstmetrics.scoring.path_scoring import PathScoring


class LeftOut(NamedTuple):
    """How many items are not in the sums: those without a partner, and those that could not be read or scored."""

    skipped: int = 0
    faults: int = 0


@dataclass(frozen=True)
class Shown:
    """What the command shows of a score beside its numbers.

    Attributes:
        items: items with their results, where `alignment` or `nbest` ask for them and no `output` has them.
        scoring: what makes records of them.
        chosen: records of entries that together score best, where no `output` has them.
        notes: remarks on options.
        is_oracle: whether best paths of lattices or n-best lists were scored.
        weights_asked: whether weights of costs were asked for.
        lacks: what left out items lack, where that is no id.
        part: the line of a shard.
        files: the names of the reports' files.
    """

    items: tuple[tuple[Result, Pair], ...] = ()
    scoring: PathScoring | None = None
    chosen: Sequence[dict[str, Any]] | None = None
    notes: tuple[str, ...] = ()
    is_oracle: bool = False
    weights_asked: bool = True
    lacks: str = ""
    part: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score(Tabular):
    """What came of scoring files.

    Attributes:
        corpus: sums and scores of all items: a `CorpusResult` of a finite-state metric, `Statistics` of a metric of
            strings such as BLEU. It has the items themselves with `alignment`, and without an `output`; else sums
            alone, of a finite-state metric. None of a shard, whose items are not all there are.
        sums: what the items add up to, with what stands beside oracles: the 1-best, beams, sweeps.
        settings: what was computed, and how.
        left_out: how many items are not in the sums: `skipped`, since one side lacks them, and `faults`, since they
            cannot be read or scored.
        faults: what is wrong with the latter, a line each; only with `keep_going` are there any.
        breakdowns: a table for each of `by`.
        remarks: what was guessed about the files, and what is odd about them.
        reports: sclite's reports, by the endings of their files.
        oracle: of a metric of strings, the entries of n-best lists that together score best.
        status: the exit status of the command: 1 if items were left out because something is wrong with them.
        shown: what the command shows beside.
        classes: with `biasing`, the counts of words of the lists, and of all others.
        scripts: under the unit `mixed`, the counts of the units of each script.
        times: with `times`, how far the times of matched words differ.
    """

    corpus: CorpusResult | Statistics | None
    sums: Sums
    settings: Mapping[str, Any]
    left_out: LeftOut = LeftOut()  # noqa: RUF009 (frozen)
    faults: tuple[str, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    remarks: tuple[str, ...] = ()
    reports: Mapping[str, str] | None = None
    oracle: CorpusOracle | None = None
    status: int = 0
    shown: Shown = Shown()
    classes: tuple[Totals, Totals] | None = None
    scripts: Mapping[str, Totals] = field(default_factory=dict)
    times: TimesOfWords | None = None

    def __repr__(self) -> str:
        return f"Score({self.shown.part if self.corpus is None else self.corpus!r})"

    def __str__(self) -> str:
        if self.corpus is None or not (self.oracle or oracles_of(self)):
            return repr(self) if self.corpus is None else str(self.corpus)
        from fstmetrics.reports.summary import score_parts, text_lines

        return "\n".join(text_lines(score_parts(self)))

    def __len__(self) -> int:
        """How many items were scored."""
        return len(self.sums if self.oracle is None else self.oracle.ids)

    def _whole(self) -> CorpusResult | Statistics:
        """The corpus.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        if self.corpus is None:
            raise FstmetricsError(
                f"a shard is a part of a run and has no score: {self.shown.part.partition('; ')[2]}"
            )
        return self.corpus

    @property
    def score(self) -> float:
        """The score of all items.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        return float(self._whole().score)

    @property
    def name(self) -> str:
        """What the score is called: `wer`, `cer`, `bleu`.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        return self._whole().name

    @property
    def signature(self) -> str:
        """All that the score depends on."""
        return self._whole().signature

    @property
    def results(self) -> list[Result]:
        """Those of the items, where `alignment` or `nbest` ask for them and no `output` has them; else none."""
        return [result for result, _ in self.shown.items]

    def columns(self) -> dict[str, Any]:
        """A row an item: `columns` of the results, where they are kept, or of the corpus.

        Raises:
            FstmetricsError: items are not kept, as those of a finite-state metric without `alignment`; or this is a
                part of a run.
        """
        return (CorpusResult.of(self.results) if self.results else self._whole()).columns()

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`, as docs/records.md explains it.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        corpus = self._whole()
        found = {"metric": corpus.name, "items": len(corpus)} | self.left_out._asdict() | corpus.as_dict()
        if isinstance(corpus, CorpusResult):
            if self.shown.is_oracle:
                found["oracle"] = True
            if self.classes:
                from fstmetrics.engine.word_classes import class_numbers

                found |= class_numbers(*self.classes)
            if self.scripts:
                from fstmetrics.engine.word_classes import script_numbers

                found["scripts"] = script_numbers(self.scripts)
            if self.times:
                found["times"] = self.times.as_dict()
            if oracles := oracles_of(self):
                found |= _oracle_summary(corpus, oracles)
            if self.shown.scoring and self.shown.items:
                found["records"] = [self.shown.scoring.signed(*each) for each in self.shown.items]
        else:
            found |= corpus.detail_values
        found |= {"settings": dict(self.settings), "signature": corpus.signature}
        if isinstance(corpus, Statistics):
            if (sacrebleu := corpus.sacrebleu_signature) and not any(self.left_out):
                found["sacrebleu_signature"] = sacrebleu
            found |= dict(self._of_lists())
        return {**found, **by_field(self.breakdowns), "remarks": list(self.remarks)}

    def _of_lists(self) -> Iterator[tuple[str, Any]]:
        """What is said of entries that together score best."""
        if self.oracle is None:
            return
        bound = self.oracle.bound
        yield "one_best", {"score": finite(self.oracle.one_best)}
        yield "bound", None if bound is None else finite(bound)
        yield "exact", self.oracle.exact
        for name, side in (("hope", self.oracle.hope), ("fear", self.oracle.fear)):
            if side:
                yield name, side.costs | {"score": finite(side.score)}
        if self.shown.chosen is not None:
            yield "records", list(self.shown.chosen)


def oracles_of(score: Score) -> OracleSums | None:
    """What oracles among the items add up to; None where there are none."""
    if isinstance(score.corpus, CorpusResult) and score.sums.of(BEST).numbers:
        return OracleSums(score.sums, score.corpus.metric)
    return None


class Scores(SeveralScores[Score]):
    """What came of scoring files under several metrics: a `Score` of each, by its name, in the order asked for.

    Args:
        each: the scores.

    Attributes:
        status: the exit status of the command, as of `Score`.
    """

    # There is none under several metrics.
    reports = times = None
    shown = Shown()

    def __init__(self, each: Iterable[Score]) -> None:
        super().__init__(each)
        self.status = max(score.status for score in self.values())

    @property
    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The tables by field, metric by metric."""
        return tuple(table for score in self.values() for table in score.breakdowns)

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`: the scores by name, and the summary of each metric."""
        return {**self.as_dict(), "metrics": [score.summary() for score in self.values()]}


def statistics_record(
    metric: CorpusMetric, id: str | None, score: float, values: Sequence[float], unit: Unit = "word"
) -> dict[str, Any]:
    """An item of a metric of strings as a JSON object: id, metric, score, and the statistics that add up.

    Args:
        metric: the metric.
        id: the item's.
        score: the item's; nan where the metric has none of items.
        values: the statistics.
        unit: what was compared.
    """
    statistics = dict(zip(metric.columns, values, strict=True))
    return {"id": id, "metric": name_of(metric.name, unit), "score": finite(score), "statistics": statistics}


def references_remark(conditions: Iterable[str]) -> str:
    """How many references an item has, where there are several; empty otherwise.

    >>> references_remark(["refs:3", "ids:yes"]), references_remark(["refs:1"]), references_remark(["refs:2+network"])
    ('3 references per item', '', '2 references and a network per item')
    """
    found = "".join([part.removeprefix("refs:") for part in conditions if part.startswith("refs:")])
    number, _, kind = found.partition("+")
    if not number.isdecimal() or found == "1":
        return ""
    count = f"{number} reference{'' if number == '1' else 's'}"
    others = f" and {'choices' if kind == 'choices' else f'a {kind}'}" if kind else ""
    return f"{count}{others} per item"


def part(name: str, value: object) -> str:
    """A setting as signatures have it.

    >>> part("scales", {"lm": 16, "acoustic": 1}), part("scales", "as the files say")
    ('scales:lm=16,acoustic=1', 'scales:as-the-files-say')
    """
    if isinstance(value, dict):
        value = ",".join(f"{key}={each}" for key, each in value.items())
    return f"{name}:{str(value).replace(' ', '-')}"


def _oracle_summary(corpus: CorpusResult, oracles: OracleSums) -> dict[str, Any]:
    found: dict[str, Any] = {
        "arcs": oracles.arcs,
        "density": finite(density(oracles.arcs, corpus.path_length)),
    }
    found["one_best"] = oracles.one_best.numbers() if oracles.one_best else None
    if oracles.sweep:
        found["sweep"] = [row.as_dict() for row in oracles.sweep]
    if curve := oracles.curve():
        found["after"] = [{"entries": n} | among.numbers() for n, among in curve]
    if beams := oracles.beams():
        found["beams"] = [
            {"beam": finite(beam), "arcs": arcs, "density": finite(density(arcs, pruned.path_length))}
            | pruned.numbers()
            for beam, arcs, pruned in beams
        ]
    for name, weighed, costs in oracles.hope_and_fear():
        found[name] = {"combined": costs[0], "model_cost": costs[1], "cost": weighed.cost} | weighed.numbers()
    if depths := oracles.depths():
        found["depth"] = depths
    return found


def by_field(tables: Sequence[Breakdown]) -> dict[str, Any]:
    """The tables for the JSON summary, and how their intervals were found; nothing where there is none.

    >>> by_field([])
    {}
    """
    if not tables:
        return {}
    from fstmetrics.engine.resampling import CONFIDENCE

    resampling = tables[0].resampling
    found = {name: rows for table in tables for name, rows in table.as_dict().items()}
    intervals = {"confidence": CONFIDENCE, "samples": resampling.samples, "seed": resampling.seed}
    if tables[0].without_speaker:
        intervals["without_speaker"] = tables[0].without_speaker
    gaps = {table.name: gap._asdict() for table in tables if (gap := table.gap)}
    return {"by": found, "by_intervals": intervals, **({"by_gaps": gaps} if gaps else {})}
