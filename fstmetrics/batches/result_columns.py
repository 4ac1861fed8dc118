"""Results of batches as columns of Arrow: `ResultColumns`, whose schema has a version (docs/batches.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.engine.batch import Batch
from fstmetrics.engine.oracle_results import OracleResult
from fstmetrics.engine.results import Result
from fstmetrics.metrics.path_metric import COUNTS, Totals
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.sums import terms
from fstmetrics.support.errors import need
from fstmetrics.support.json_text import finite, written_json

if TYPE_CHECKING:
    import pyarrow as pa

    from fstmetrics.engine.results import Integers

# The version of the columns, in the schema's metadata.
VERSION_NAME, VERSION = "fstmetrics.results", "1"
SIGNATURE_NAME = "fstmetrics.signature"
# Where Spark keeps the metadata of columns: in Arrow of each column, in Parquet of all.
SPARK_COLUMN, SPARK_TABLE = b"SPARK::metadata::json", "org.apache.spark.sql.parquet.row.metadata"
# Integers of a path, as records and `Totals` name them.
WHOLE = (*COUNTS, "units", "denominator")
ONE_BEST = "one_best_"


class ResultColumns:
    """Columns of results.

    Args:
        scoring: what is computed.
        words: whether there are the words of either side and the operations.
        records: whether there are records, as commands write them, and what items add to sums.
    """

    def __init__(self, scoring: PathScoring, words: bool, records: bool) -> None:
        self._scoring, self._words, self._records = scoring, words, records

    def fields(self) -> list[tuple[str, pa.DataType]]:
        """Names and types, the fault last."""
        pa = need("pyarrow", "scoring batches", "tables")
        found = [("score", pa.float64()), *((name, pa.int64()) for name in WHOLE)]
        sentence = pa.list_(pa.string())
        if self._words:
            found += [("hypothesis", sentence), ("closest", sentence), ("operations", pa.string())]
        if self._scoring.oracles:
            found += [("arcs", pa.int64()), (f"{ONE_BEST}score", pa.float64())]
            found += [(ONE_BEST + name, pa.int64()) for name in WHOLE]
            if self._words:
                found.append((f"{ONE_BEST}hypothesis", sentence))
        if self._records:
            found += [("record", pa.string()), ("terms", pa.string())]
        return [*found, ("fault", pa.string())]

    def columns(self, results: Sequence[Result], pairs: PairBlock) -> Mapping[str, Sequence[Any]]:
        """Values of all columns but the fault, an item each."""
        found: dict[str, Sequence[Any]] = _counts(results)
        if self._words:
            found["hypothesis"] = [result.hypothesis for result in results]
            found["closest"] = [result.closest for result in results]
            found["operations"] = ["".join(pair.op for pair in result.alignment) for result in results]
        if self._scoring.oracles:
            found |= self._of_oracles(results)
        if self._records:
            found |= self._written(results, pairs)
        return found

    def _of_oracles(self, results: Sequence[Result]) -> dict[str, Sequence[Any]]:
        bests = [result.one_best if isinstance(result, OracleResult) else None for result in results]
        rows = [None if best is None else [finite(best.score), *_row(best.totals)] for best in bests]
        names = ("score", *WHOLE)
        found: dict[str, Sequence[Any]] = {
            "arcs": [result.arcs if isinstance(result, OracleResult) else None for result in results]
        }
        found |= {ONE_BEST + name: [row and row[at] for row in rows] for at, name in enumerate(names)}
        if self._words:
            found[f"{ONE_BEST}hypothesis"] = [best and best.hypothesis for best in bests]
        return found

    def _written(self, results: Sequence[Result], pairs: PairBlock) -> dict[str, Sequence[Any]]:
        """Records as they are in files, each without the end of its line, and terms as journals have them."""
        if at_once := self._scoring.written(results, pairs):
            return {"record": at_once[0].decode().split("\n")[:-1], "terms": _terms(results)}
        signed = (self._scoring.signed(result, pair) for result, pair in zip(results, pairs, strict=True))
        return {"record": [written_json(record) for record in signed], "terms": _terms(results)}


def _terms(results: Sequence[Result]) -> Sequence[str]:
    """What results add to sums, as journals have it; of results that are totals alone, once for all with the same."""
    if not isinstance(results, Batch):
        return [json.dumps(terms(result)) for result in results]
    kinds, totals = _kinds(results)
    written = [json.dumps(terms(Result(results.metric, each))) for each in totals]
    return list(map(written.__getitem__, kinds.tolist()))


def _kinds(results: Sequence[Result]) -> tuple[Integers, Sequence[Totals]]:
    """The different totals of results, and which of them each has."""
    if isinstance(results, Batch) and not results.is_credited:
        return results.kinds()
    numbers: dict[Totals, int] = {}
    kinds = [numbers.setdefault(result.totals, len(numbers)) for result in results]
    return np.array(kinds, dtype=np.int64), list(numbers)


def _counts(results: Sequence[Result]) -> dict[str, Any]:
    """Scores and integers of each."""
    kinds, totals = _kinds(results)
    metric = results[0].metric
    scores = np.array([Result(metric, each).score for each in totals])
    table = np.array([_row(each) for each in totals], dtype=np.int64)[kinds]
    of_items = np.ma.masked_invalid(scores)[kinds]
    return {"score": of_items, **dict(zip(WHOLE, np.ascontiguousarray(table.T), strict=True))}


def _row(totals: Totals) -> list[int]:
    return [getattr(totals, name) for name in WHOLE]


def result_metadata(schema: pa.Schema) -> dict[str, str]:
    """The version of the columns and the signature; empty where a schema has none.

    Spark keeps metadata of columns only, so they are those of `fault` there: `apps.distributed.spark`. In Parquet and
    Arrow it has them as JSON.

    >>> import pyarrow as pa
    >>> result_metadata(pa.schema([], {"fstmetrics.results": "1", "other": "x"}))
    {'fstmetrics.results': '1'}
    """
    told = {key.decode(): value for key, value in (schema.metadata or {}).items()}
    if VERSION_NAME not in told and "fault" in schema.names:
        column = (schema.field("fault").metadata or {}).get(SPARK_COLUMN)
        if column is not None:
            told = json.loads(column)
        elif SPARK_TABLE in told:
            columns = json.loads(told[SPARK_TABLE])["fields"]
            told = next((each["metadata"] for each in columns if each["name"] == "fault"), {})
    found = {name: told[name] for name in (VERSION_NAME, SIGNATURE_NAME) if name in told}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in found.items()}
