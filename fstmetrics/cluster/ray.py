"""Data sets of Ray Data: `score_dataset`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fstmetrics.batches import Scorer
from fstmetrics.cluster.scored_ids import Unscored, ids_of, scored_ids
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa


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
