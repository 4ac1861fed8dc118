"""Data sets of Ray Data: `score_dataset`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.distributed.scored_ids import (
    There,
    Unscored,
    absolute,
    has_results,
    ids_of,
    marked,
    refuse_other_rows,
    refuse_results,
    scored_ids,
    write_nothing,
)
from fstmetrics.batches import Scorer
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import pyarrow as pa


# What a worker says that it has raised.
RAISED = re.compile(r"fstmetrics\.support\.errors\.\w+: (.+)")


def score_dataset(
    dataset: Any,
    scorer: Scorer,
    output: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    **options: Any,
) -> Any:
    """Score the rows of a data set, batch by batch.

    Args:
        dataset: of Ray Data; its columns are those that the scorer reads, docs/batches.md.
        scorer: of `fstmetrics.batches.scorer`.
        output: a folder or URL for Parquet files of the results; None: they are computed as they are asked for. Without
            `resume` it must not have results.
        resume: leave out the rows whose ids are in the output already, which must be of the same score and columns, and
            of these rows: that their texts are the same is not looked at.
        options: further ones of `Dataset.map_batches`, as `batch_size` or `concurrency`.

    Returns:
        The results as a data set; of an output, all that is in its files.

    Raises:
        FstmetricsError: ray is not installed, a column is missing, there is an output and the data set has neither rows
            nor columns, or the output has results: without `resume` any, with it those of another score or with other
            columns or of other ids, or a file that is damaged; or a worker does not see the folder of the output.
    """
    data = need("ray.data", "scoring on Ray", "ray")
    if not hasattr(dataset, "map_batches"):
        raise FstmetricsError(
            f"expected a data set of Ray, not {type(dataset).__name__}; of pandas give ray.data.from_pandas(frame)"
        )
    schema = dataset.schema(fetch_if_missing=True)
    expected = None if schema is None else scorer.schema(schema.base_schema)  # fails before anything runs
    function: Callable[[pa.Table], pa.Table] = _TableScorer(scorer)
    options = {"batch_format": "pyarrow", "zero_copy_batch": True, **options}
    if output is None:
        return dataset.map_batches(function, **options)
    if expected is None:
        raise FstmetricsError("the data set has no rows to score")
    output = absolute(output)  # workers are in folders of their own
    if resume:
        column, done = ids_of(scorer), scored_ids(output, expected)
        if len(done):
            _refuse_other_rows(dataset, column, output, done)
        function = Unscored(function, column, done)
    elif has_results(output):
        refuse_results(output)
    with marked(output) as mark:
        if mark is not None:
            function = There(function, output, mark)
        _write(dataset.map_batches(function, **options), output)
    if not has_results(output):  # Ray writes none of no rows, and knows no schema of them
        if not scorer.scoring.normalisation.drops and dataset.count():
            raise FstmetricsError(
                f"{output}: Ray has written results, and none are there: give a folder that all machines share, or a "
                "URL"
            )
        write_nothing(output, expected)
    return data.read_parquet(output)


def _refuse_other_rows(dataset: Any, column: str, output: str, done: pa.Array) -> None:
    """Raise an FstmetricsError for results of ids that a data set lacks."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for batch in dataset.select_columns([column]).iter_batches(batch_format="pyarrow"):
        done = done.filter(pc.invert(pc.is_in(done, pc.cast(batch[column], pa.string()))))
    for id in done[:1]:
        refuse_other_rows(output, id.as_py())


def _write(found: Any, output: str) -> None:
    """Compute results and write them.

    Raises:
        FstmetricsError: a worker has raised one.
    """
    try:
        found.write_parquet(output)
    except Exception as error:  # Ray hands on what was raised as text
        told = RAISED.search(str(error))
        if told is None:
            raise
        raise FstmetricsError(told[1]) from error


class _TableScorer:
    """The scorer, for tables: what Ray has as batches."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer

    def __call__(self, table: pa.Table) -> pa.Table:
        pyarrow = need("pyarrow", "scoring batches", "tables")
        return pyarrow.Table.from_batches([self._scorer(table)])
