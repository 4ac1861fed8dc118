"""Data frames of Spark: `score_frame`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fstmetrics.batches import Scorer
from fstmetrics.batches.result_columns import result_metadata
from fstmetrics.cluster.engine_faults import raised, said_by_java
from fstmetrics.cluster.scored_ids import check_results, ids_of, refuse_results
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa


def score_frame(frame: Any, scorer: Scorer, output: str | None = None, *, resume: bool = False) -> Any:
    """Score the rows of a data frame, batch by batch.

    Args:
        frame: of Spark; its columns are those that the scorer reads, docs/batches.md.
        scorer: of `fstmetrics.batches.scorer`.
        output: a folder or URL for Parquet files of the results; None: they are computed as they are asked for. Without
            `resume` it must not have results.
        resume: leave out the rows whose ids are in the output already, which must be of the same score and columns.

    Returns:
        The results as a data frame; of an output, all that is in its files.

    Raises:
        FstmetricsError: pyspark is not installed, a column is missing, or the output has results: without `resume` any,
            with it those of another score or with other columns; or Spark fails while it writes them.
    """
    types = need("pyspark.sql.pandas.types", "scoring on Spark", "spark")
    errors = need("pyspark.errors", "scoring on Spark", "spark")
    java = importlib.import_module("py4j.protocol")  # pyspark brings it
    found = scorer.schema(types.to_arrow_schema(frame.schema))  # fails here, before anything runs
    read = frame.sparkSession.read
    if output is not None:
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
            frame = frame.join(ids, frame[column].cast("string") == ids["id"], "left_anti")

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
