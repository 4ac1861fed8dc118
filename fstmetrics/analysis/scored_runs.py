"""One system's scores under one metric: `Run`, from the records of `--output`, or as they are computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.engine.reference_digests import other_digest
from fstmetrics.engine.signatures import rules_of_one
from fstmetrics.io.formats.records import rate_numerator, record_columns, refuse_shard
from fstmetrics.io.scores.score_cells import first_filled_line
from fstmetrics.metrics import CorpusMetric, as_corpus_metric
from fstmetrics.metrics.corpus_metric import MEAN, metric_of, ratio, reference_columns, summands
from fstmetrics.metrics.given_scores import GivenScores, higher_is_better
from fstmetrics.support.arguments import shortened
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.metrics.corpus_metric import Table

# Records have scores as they were computed: the same statistics give them again but for rounding.
SAME = 1e-9


@dataclass(frozen=True)
class Quotient(CorpusMetric):
    """A metric of the engine, from the numerators and denominators that its records have."""

    name: str  # type: ignore[misc]
    recognition: bool  # type: ignore[misc]

    columns = ("numerator", "denominator")

    def corpus_score(self, sums: Table) -> Table:
        """Quotients of sums."""
        return ratio(sums[..., 0], sums[..., 1], empty=float(self.recognition))


@dataclass(frozen=True, eq=False)
class Run:
    """One system under one metric.

    Attributes:
        path: the file of the records or of the system's output.
        system: its name.
        name: what its scores are called: the metric's name, `cer` for the WER of characters.
        metric: how statistics become scores.
        ids: of the segments; their numbers, from 1, where they have none.
        values: statistics, shape [segments, columns]; whole numbers may be integers of any size.
        present: which have a score, shape [segments].
        signature: all that the scores depend on; empty where nobody knows.
        references: of each segment the words of the only reference; None where there may be others.
        digests: of the references of each segment, as records have them; None where they have none.
        is_numbered: whether segments are known by their places only, as of a `ScoreFile`.
    """

    path: str
    system: str
    name: str
    metric: CorpusMetric
    ids: tuple[str, ...]
    values: Table
    present: Any
    signature: str = ""
    references: Sequence[Sequence[str]] | None = None
    digests: Table | None = None
    is_numbered: bool = False

    def told(self, place: int, as_text: bool) -> str:
        """What is known of the only reference of a segment: its words, or what statistics say of it."""
        if as_text and self.references is not None:
            return " ".join(self.references[place])
        columns = self.metric.columns
        return ", ".join(f"{columns[c]} {self.values[place, c]:g}" for c in reference_columns(columns)[:1])


def refuse_unlike(one: Run, other: Run) -> None:
    """Raise an FstmetricsError for runs of the same segments that were scored by other rules, or against other
    references, as far as records tell.
    """
    if one is other or not (one.signature and other.signature):
        return
    if _rules(one.signature) != _rules(other.signature):
        raise FstmetricsError(
            f"{one.path} and {other.path} were scored by other rules: {one.signature} and {other.signature}; score "
            f"them alike, or {one.name} is no one metric"
        )
    are_texts = one.references is not None and other.references is not None
    places = {id: place for place, id in enumerate(other.ids)}
    for place, id in enumerate(one.ids) if "|refs:1|" in one.signature else ():
        found, its = (run.told(row, are_texts) for run, row in ((one, place), (other, places[id])))
        if found != its and one.metric.columns == other.metric.columns:
            raise FstmetricsError(
                f"the reference of segment {id} is not the same in {one.path} and {other.path} ({shortened(found)} and "
                f"{shortened(its)}): score all against the same references; without ids, in the same order"
            )
    if one.digests is None or other.digests is None:
        return
    if (at := other_digest(one.digests, other.digests[[places[id] for id in one.ids]])) is not None:
        raise FstmetricsError(
            f"the references of segment {one.ids[at]} have other words in {one.path} than in {other.path}: score all "
            "against the same references; without ids, in the same order"
        )


def _rules(signature: str) -> list[str]:
    """What a signature says of how scores are computed."""
    return [part for part in signature.split("|") if not part.startswith(("ids:", "version:"))]


def numbered(ids: Sequence[str | None], path: str) -> tuple[str, ...]:
    """The ids, or numbers from 1 where there are none.

    Raises:
        FstmetricsError: only some have one, or two have the same.
    """
    if all(id is None for id in ids):
        return tuple(str(i) for i in range(1, len(ids) + 1))
    names = tuple(id for id in ids if id is not None)
    if len(names) < len(ids) or len(set(names)) < len(names):
        raise FstmetricsError(f"{path}: ids must be given for all segments, and only once each")
    return names


def is_records(source: Source) -> bool:
    """Whether it begins with a JSON object that names a metric."""
    first = first_filled_line(source)
    return first.startswith(b"{") and b'"metric"' in first


def read_run(source: Source, system: str) -> Run:
    """Read records of `--output`, or objects of `id`, `metric` and `score` of any program.

    Raises:
        InputError: not JSON, no record of scores, or records of different metrics or kinds.
    """
    records: list[Mapping[str, Any]] = []
    kinds: list[tuple[str, int]] = []
    digests = []
    for columns, objects, fault in record_columns(source):
        digests.append(columns.measures["reference_digest"])
        for number, kind, record in zip(columns.lines.tolist(), columns.kinds.tolist(), objects, strict=True):
            if "score" not in record:
                raise source.error(f"a record of {record['metric']} without a score; mbr writes such", number)
            kinds = [*kinds[:1], (record["metric"], kind)]
            if kinds[0] != kinds[-1]:
                raise source.error(f"a record of {kinds[-1][0]} after those of {kinds[0][0]}", number)
            records.append(record)
        if fault:
            raise fault[0]
    given = [None if record["id"] is None else str(record["id"]) for record in records]
    ids = numbered(given, source.path)
    metric, values = statistics_of_objects(records)
    present = np.ones(len(values), dtype=bool)
    if isinstance(metric, GivenScores):
        present = values[:, 1] > 0
    signatures = {str(record.get("signature") or "") for record in records}
    for each in signatures:
        refuse_shard(source.path, each)
    if len(signatures) > 1:
        raise source.error(f"records that were scored by different rules: {' and '.join(sorted(signatures))}")
    (signature,) = signatures
    references = None
    if rules_of_one(signature) and all("closest" in record for record in records):
        references = [record["closest"] for record in records]
    name = str(records[0]["metric"])
    found = np.concatenate(digests)[: len(records)]
    told = (signature, references, found, None in given)
    return Run(source.path, system, name, metric, ids, values, present, *told)


def statistics_of_objects(records: Sequence[Mapping[str, Any]]) -> tuple[CorpusMetric, Table]:
    """The statistics of records, and what makes scores of them; scores alone where they do not give them again."""
    name, first = records[0]["metric"], records[0]
    scores = np.array([np.nan if r["score"] is None else r["score"] for r in records], dtype=np.float64)
    alone = GivenScores(name, higher_is_better(name)), summands(scores)
    metric: CorpusMetric
    if "path_length" in first and "statistics" not in first:
        rate = first["gain"] is not None
        metric = Quotient(name, rate)
        values = [
            [r["gain"], r["max_gain"]] if rate else [rate_numerator(r), r["path_length"]] for r in records
        ]
    elif "statistics" in first:
        metric = as_corpus_metric(f"{MEAN if name.startswith(MEAN) else ''}{metric_of(name)}")
        if not all(r["statistics"].keys() >= set(metric.columns) for r in records):  # of another order
            return alone
        values = [[r["statistics"][column] for column in metric.columns] for r in records]
    else:
        return alone
    table = np.array(values, dtype=np.float64).reshape(len(records), -1)
    again = metric.scores_of_items(table) if metric.columns else np.full(len(scores), np.inf)
    there = np.isfinite(scores)
    same = np.allclose(again[there], scores[there], rtol=SAME, atol=SAME)
    return (metric, table) if same else alone
