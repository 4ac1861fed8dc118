"""Data frames of Spark: `score_frame`."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.distributed.engine_faults import raised, said_by_java
from fstmetrics.apps.distributed.scored_ids import (
    absolute,
    check_results,
    ids_of,
    refuse_other_rows,
    refuse_results,
)
from fstmetrics.batches import Scorer
from fstmetrics.batches.result_columns import result_metadata
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import pyarrow as pa


def score_frame(
    frame: Any, scorer: Scorer, output: str | os.PathLike[str] | None = None, *, resume: bool = False
) -> Any:
    """Score the rows of a data frame, batch by batch.

    Args:
        frame: of Spark; its columns are those that the scorer reads, docs/batches.md.
        scorer: of `fstmetrics.batches.scorer`.
        output: a folder or URL for Parquet files of the results; None: they are computed as they are asked for. Without
            `resume` it must not have results.
        resume: leave out the rows whose ids are in the output already, which must be of the same score and columns, and
            of these rows: that their texts are the same is not looked at.

    Returns:
        The results as a data frame; of an output, all that is in its files.

    Raises:
        FstmetricsError: pyspark is not installed, a column is missing, or the output has results: without `resume` any,
            with it those of another score, with other columns or of other ids; or Spark fails while it writes them.
    """
    types = need("pyspark.sql.pandas.types", "scoring on Spark", "spark")
    if not hasattr(frame, "mapInArrow"):
        raise FstmetricsError(
            f"expected a data frame of Spark, not {type(frame).__module__.partition('.')[0]} "
            f"{type(frame).__name__}; of pandas give spark.createDataFrame(frame)"
        )
    errors = need("pyspark.errors", "scoring on Spark", "spark")
    java = importlib.import_module("py4j.protocol")  # pyspark brings it
    found = scorer.schema(types.to_arrow_schema(frame.schema))  # fails here, before anything runs
    read = frame.sparkSession.read
    if output is not None:
        output = _located(frame, output)
        column = ids_of(scorer) if resume else None
        try:
            done = read.parquet(output)
        except errors.AnalysisException:
            pass  # there is none yet
        else:
            if column is None:
                refuse_results(output)
            told = done.schema["fault"].metadata if "fault" in done.columns else {}
            check_results(output, told, done.columns, found)
            ids = done.select("id")
            own = frame.select(frame[column].cast("string").alias("own"))
            for row in ids.join(own, ids["id"].eqNullSafe(own["own"]), "left_anti").take(1):
                refuse_other_rows(output, row["id"])
            # A row without an id has a fault, once.
            frame = frame.join(ids, frame[column].cast("string").eqNullSafe(ids["id"]), "left_anti")

    def score(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(scorer, batches)

    results = frame.mapInArrow(score, types.from_arrow_schema(found))
    results = results.withMetadata("fault", result_metadata(found))  # Spark keeps none of the schema
    if output is None:
        return results
    try:
        results.write.mode("append").parquet(output)
    except errors.PythonException as error:
        raise FstmetricsError(raised(error)) from error
    except (errors.PySparkException, java.Py4JError) as error:
        raise FstmetricsError(f"Spark has failed: {said_by_java(error)}") from error
    return read.parquet(output)


def _located(frame: Any, output: str | os.PathLike[str]) -> str:
    """A folder as Spark's own processes know it, which are in folders of their own; where Spark's files are elsewhere,
    as on HDFS, a path without a scheme is one there."""
    path = os.fspath(output)
    session = frame.sparkSession
    context = getattr(session, "_jsparkSession", None)  # Spark Connect has none
    if "://" in path or context is None:
        return path
    files = str(session.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS"))
    return absolute(path) if files.startswith("file:") else path
