"""Runs on Ray: `score_dataset`, over a data set of Ray Data, and `RayEngine`, for runs of commands.

Ray calls a task again when its worker dies, so that a run survives the loss of workers; results do not depend on it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fstmetrics.batches import Scorer
from fstmetrics.cluster.scored_ids import Unscored, ids_of, scored_ids
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa

# Batches for each worker: one that it works on, and one that waits.
BATCHES_A_WORKER = 2


def score_dataset(
    dataset: Any, scorer: Scorer, output: str | None = None, *, resume: bool = False, **options: Any
) -> Any:
    """Score the rows of a data set, batch by batch.

    Args:
        dataset: of Ray Data; its columns are those that the scorer reads, docs/batches.md.
        scorer: of `fstmetrics.batches.scorer`.
        output: a folder or URL for Parquet files of the results; None: they are computed as they are asked for.
        resume: leave out the rows whose ids are in the output already.
        options: further ones of `Dataset.map_batches`, as `batch_size` or `concurrency`.

    Returns:
        The results as a data set; of an output, all that is in its files.

    Raises:
        FstmetricsError: ray is not installed, a column is missing, or a file of the output is damaged.
    """
    data = need("ray.data", "scoring on Ray", "ray")
    schema = dataset.schema(fetch_if_missing=True)
    if schema is not None:
        scorer.schema(schema.base_schema)  # fails here, before anything runs
    function: Callable[[pa.Table], pa.Table] = _TableScorer(scorer)
    if resume and output is not None:
        function = Unscored(function, ids_of(scorer), scored_ids(output))
    found = dataset.map_batches(function, **{"batch_format": "pyarrow", "zero_copy_batch": True, **options})
    if output is None:
        return found
    found.write_parquet(output)
    return data.read_parquet(output)


class _TableScorer:
    """The scorer, for tables: what Ray has as batches."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def __call__(self, table: pa.Table) -> pa.Table:
        pyarrow = need("pyarrow", "scoring batches", "tables")
        return pyarrow.Table.from_batches([self._scorer(table)])


class RayEngine:
    """Ray, as `fstmetrics.cluster.batch_work.Engine`: connected to, or started here.

    Args:
        workers: how many CPUs a Ray has that is started here; None: all.

    Raises:
        FstmetricsError: ray is not installed.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._ray = need("ray", "--on ray", "ray")
        self._is_own = not self._ray.is_initialized()
        if self._is_own:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
            if "RAY_ADDRESS" not in os.environ:
                options |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
            self._ray.init(**options)
        self._workers = int(self._ray.cluster_resources().get("CPU", 1))

    def map(self, work: Callable[[bytes], bytes], given: Iterable[bytes]) -> Iterator[bytes | None]:
        """As of `Engine`."""
        task = self._ray.remote(max_retries=3)(_call)
        shared = self._ray.put(work)
        under_way: deque[Any] = deque()
        for each in given:
            under_way.append(task.remote(shared, each))
            if len(under_way) >= BATCHES_A_WORKER * self._workers:
                yield self._answer(under_way.popleft())
        while under_way:
            yield self._answer(under_way.popleft())

    def _answer(self, reference: Any) -> bytes | None:
        errors = self._ray.exceptions
        try:
            found: bytes = self._ray.get(reference)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError):
            return None
        return found

    def close(self) -> None:
        """As of `Engine`."""
        if self._is_own:
            self._ray.shutdown()


def _call(work: Callable[[bytes], bytes], given: bytes) -> bytes:
    return work(given)
