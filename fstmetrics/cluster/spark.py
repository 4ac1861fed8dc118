"""Data frames of Spark: `score_frame`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fstmetrics.batches import Scorer
from fstmetrics.cluster.scored_ids import ids_of
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa


def score_frame(frame: Any, scorer: Scorer, output: str | None = None, *, resume: bool = False) -> Any:
    """Score the rows of a data frame, batch by batch.

    Args:
        frame: of Spark; its columns are those that the scorer reads, docs/batches.md.
        scorer: of `fstmetrics.batches.scorer`.
        output: a folder or URL for Parquet files of the results; None: they are computed as they are asked for.
        resume: leave out the rows whose ids are in the output already.

    Returns:
        The results as a data frame; of an output, all that is in its files.

    Raises:
        FstmetricsError: pyspark is not installed, or a column is missing.
    """
    types = need("pyspark.sql.pandas.types", "scoring on Spark", "spark")
    errors = need("pyspark.errors", "scoring on Spark", "spark")
    found = scorer.schema(types.to_arrow_schema(frame.schema))  # fails here, before anything runs
    read = frame.sparkSession.read
    if resume and output is not None:
        column = ids_of(scorer)
        try:
            done = read.parquet(output).select("id")
        except errors.AnalysisException:
            pass  # there is none yet
        else:
            frame = frame.join(done, frame[column].cast("string") == done["id"], "left_anti")

    def score(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(scorer, batches)

    results = frame.mapInArrow(score, types.from_arrow_schema(found))
    if output is None:
        return results
    results.write.mode("append").parquet(output)
    return read.parquet(output)
