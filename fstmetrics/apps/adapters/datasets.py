"""Datasets of Hugging Face: `score_dataset`, and `MapFunction` for `Dataset.map`.

>>> import datasets
>>> from fstmetrics.batches import scorer
>>> data = datasets.Dataset.from_dict({"text": ["the cat", ""], "pred_text": ["a cat", "oh"]})
>>> found = score_dataset(data, scorer("wer", id=None, hypothesis="pred_text", reference="text"))
>>> found["edits"], found["path_length"]
(Column([1, 1]), Column([2, 0]))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fstmetrics import FstmetricsError, __version__
from fstmetrics.apps.adapters.added_columns import result_names, with_results
from fstmetrics.batches import Scorer
from fstmetrics.support.errors import need

_datasets = need("datasets", "scoring datasets of Hugging Face", "datasets")


class MapFunction:
    """A function for `dataset.with_format("arrow").map(..., batched=True)`: tables with the columns of their results.

    Args:
        scorer: of `fstmetrics.batches.scorer`; it names the columns that are read.
        prefix: what the names of results begin with.

    It can be pickled, for `num_proc`. `datasets` keeps what a function has made; another version of fstmetrics is
    another function, and so is another content of the symbol table or of grammars. Of archives that rows name it
    knows the names alone: give `load_from_cache_file=False`.
    """

    def __init__(self, scorer: Scorer, prefix: str = "") -> None:
        self._scorer, self._prefix, self._version = scorer, prefix, __version__
        self._files = scorer.files()

    def __call__(self, batch: Any) -> Any:
        """A table of Arrow, or a frame of pandas or polars, as a table with the columns of results.

        Raises:
            FstmetricsError: as of `score_dataset`; also for columns in lists, which say nothing of types where all
                values are None.
        """
        if isinstance(batch, Mapping):
            raise FstmetricsError(
                "expected batches of Arrow: dataset.with_format('arrow').map(..., batched=True), or score_dataset"
            )
        table = need("pyarrow", "scoring datasets of Hugging Face", "tables").table(batch)
        return with_results(table, self._scorer, self._prefix)


def score_dataset(dataset: Any, scorer: Scorer, prefix: str = "", **options: Any) -> Any:
    """Score the rows of a dataset.

    Args:
        dataset: a Dataset, an IterableDataset, or a dictionary of either.
        scorer: of `fstmetrics.batches.scorer`; it names the columns that are read.
        prefix: what the names of results begin with.
        options: further ones of `map`, as `batch_size` or `num_proc`.

    Returns:
        The same dataset with the columns of results, docs/batches.md, after its own. Rows that a profile leaves out are
        not in it.

    Raises:
        FstmetricsError: datasets is not installed; a column is missing, of another type, or called like one of results.
    """
    if isinstance(dataset, dict):
        return type(dataset)(
            {k: score_dataset(part, scorer, prefix, **options) for k, part in dataset.items()}
        )
    if dataset.features is not None:
        schema = dataset.features.arrow_schema
        result_names(scorer, schema, prefix)  # fails here, before anything runs
        if isinstance(dataset, _datasets.Dataset) and scorer.names_archives(schema):
            options = {"load_from_cache_file": False, **options}  # archives may have changed
    found = dataset.with_format("arrow").map(MapFunction(scorer, prefix), **{"batched": True, **options})
    if isinstance(dataset, _datasets.Dataset):
        kept = dataset.format
        every = set(kept["columns"]) == set(dataset.column_names)
        columns = None if every else kept["columns"]
        return found.with_format(kept["type"], columns=columns, **kept["format_kwargs"])
    return found.with_format(None)
