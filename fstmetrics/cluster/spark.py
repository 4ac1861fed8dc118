"""Runs on Spark: `score_frame`, over a data frame, and `SparkEngine`, for runs of commands.

Spark calls a task again when its worker dies, as often as `spark.task.maxFailures` says; results do not depend on it.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any

from fstmetrics.batches import Scorer
from fstmetrics.cluster.scored_ids import ids_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa

# Batches of a job for each worker, and jobs that are under way.
BATCHES_A_WORKER, JOBS = 2, 2
# How often a task of a Spark that is started here may fail.
FAILURES = 4
# Where somebody has said which Spark there is.
CHOSEN = ("PYSPARK_SUBMIT_ARGS", "PYSPARK_GATEWAY_PORT", "SPARK_REMOTE", "SPARK_CONF_DIR", "SPARK_HOME")


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


class SparkEngine:
    """Spark, as `fstmetrics.cluster.batch_work.Engine`: the session there is, or one that is started here.

    Args:
        workers: how many a Spark has that is started here; None: one for each CPU.

    Attributes:
        session: of Spark.

    Raises:
        FstmetricsError: pyspark is not installed, or Spark does not start.
    """

    def __init__(self, workers: int | None = None) -> None:
        sql = need("pyspark.sql", "--on spark", "spark")
        self._errors = need("pyspark.errors", "--on spark", "spark")
        self._java = importlib.import_module("py4j.protocol")
        self._is_own = sql.SparkSession.getActiveSession() is None
        builder = sql.SparkSession.builder.appName("fstmetrics")
        if self._is_own and not any(name in os.environ for name in CHOSEN):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            builder = builder.master(f"local[{workers or '*'},{FAILURES}]").config(
                "spark.ui.enabled", "false"
            )
            builder = builder.config("spark.ui.showConsoleProgress", "false").config(
                "spark.log.level", "ERROR"
            )
        try:
            self.session = builder.getOrCreate()
        except self._errors.PySparkRuntimeError as error:
            raise FstmetricsError(f"Spark does not start: {error}; it needs Java 17 or later") from None
        self._workers = int(self.session.conf.get("spark.default.parallelism", "0")) or _workers(self.session)

    def map(self, work: Callable[[bytes], bytes], given: Iterable[bytes]) -> Iterator[bytes | None]:
        """As of `Engine`: jobs of a few batches, the next one while one is asked for."""
        rest = iter(given)
        under_way: list[Future[list[bytes | None]]] = []
        with ThreadPoolExecutor(JOBS) as pool:
            while some := list(islice(rest, BATCHES_A_WORKER * self._workers)):
                under_way.append(pool.submit(self._answers, work, some))
                if len(under_way) == JOBS:
                    yield from under_way.pop(0).result()
            for job in under_way:
                yield from job.result()

    def _answers(self, work: Callable[[bytes], bytes], given: list[bytes]) -> list[bytes | None]:
        """Of one job; if it fails, of one for each batch."""
        try:
            return self._job(work, given)
        except (self._errors.PySparkException, self._java.Py4JJavaError):
            if len(given) == 1:
                return [None]
        except (self._java.Py4JNetworkError, OSError) as error:
            raise FstmetricsError(f"Spark has stopped: {error}; --resume continues the run") from None
        return [answer for each in given for answer in self._answers(work, [each])]

    def _job(self, work: Callable[[bytes], bytes], given: list[bytes]) -> list[bytes | None]:
        import pyarrow as pa

        def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                made = [work(each) for each in batch.column("batch").to_pylist()]
                yield pa.record_batch(
                    [batch.column("number"), pa.array(made, pa.binary())], names=batch.schema.names
                )

        columns = {"number": pa.array(range(len(given))), "batch": pa.array(given, pa.binary())}
        frame = self.session.createDataFrame(pa.table(columns))
        table = frame.mapInArrow(run, frame.schema).toArrow().sort_by("number")
        answers: list[bytes | None] = table["batch"].to_pylist()
        return answers

    def close(self) -> None:
        """As of `Engine`."""
        if self._is_own:
            self.session.stop()


def _workers(session: Any) -> int:
    """How many tasks run at the same time; Spark Connect does not say."""
    try:
        return int(session.sparkContext.defaultParallelism)
    except Exception:
        return os.cpu_count() or 1
