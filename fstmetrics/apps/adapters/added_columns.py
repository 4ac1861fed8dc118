"""Rows of another library with the columns of their results: `with_results` of a table, `columns_scored` of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fstmetrics import FstmetricsError
from fstmetrics.batches import Scorer
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import pyarrow as pa

ID = "id"


def result_names(scorer: Scorer, schema: pa.Schema, prefix: str) -> dict[str, str]:
    """What each column of results is called beside the columns of a schema.

    Raises:
        FstmetricsError: a column that the scorer reads is missing or of another type, or a name is there already.
    """
    own = scorer.inputs.names
    if not set(own) <= set(schema.names):
        scorer.schema(schema)  # says which
    read = schema.empty_table().select(own).schema
    names = {name: prefix + name for name in scorer.schema(read).names if name != ID}
    if taken := next((name for name in names.values() if name in schema.names), None):
        raise FstmetricsError(
            f"column {taken!r} is there already, and the results have one of that name; rename it, or give a prefix"
        )
    return names


def with_results(table: pa.Table, scorer: Scorer, prefix: str = "") -> pa.Table:
    """A table with the columns of results after its own.

    Args:
        table: has the columns that the scorer reads, and any others.
        scorer: of `fstmetrics.batches.scorer`.
        prefix: what the names of results begin with.

    Raises:
        FstmetricsError: as of `result_names`.

    Rows that a profile leaves out are not in it.

    >>> import pyarrow as pa
    >>> from fstmetrics.batches import scorer
    >>> rows = pa.table({"text": ["the cat"], "pred_text": ["a cat"], "speaker": ["ann"]})
    >>> found = with_results(rows, scorer("wer", id=None, hypothesis="pred_text", reference="text"), "wer_")
    >>> found.select(["speaker", "wer_edits", "wer_path_length"]).to_pylist()
    [{'speaker': 'ann', 'wer_edits': 1, 'wer_path_length': 2}]
    """
    names = result_names(scorer, table.schema, prefix)
    results, rows = scorer.placed(table.select(scorer.inputs.names))
    if len(rows) < table.num_rows:
        table = table.take(list(rows))
    for name, shown in names.items():
        table = table.append_column(shown, results.column(name))
    return table


def columns_scored(
    columns: Mapping[str, Sequence[Any]], scorer: Scorer, prefix: str = ""
) -> tuple[dict[str, list[Any]], Sequence[int]]:
    """The results of rows in lists, column by column, and the row that each result is of.

    Args:
        columns: those that the scorer reads, by name; others are left alone.
        scorer, prefix: as of `with_results`; errors too.

    >>> from fstmetrics.batches import scorer
    >>> found, rows = columns_scored({"hypothesis": ["a", None], "reference": ["b", "c"]}, scorer("wer", id=None))
    >>> found["edits"], found["fault"], list(rows)
    ([1, None], [None, 'hypothesis is null'], [0, 1])
    """
    pyarrow = need("pyarrow", "scoring batches", "tables")
    read = [name for name in columns if name in scorer.inputs.names]
    table = pyarrow.table({name: _column(pyarrow, columns[name]) for name in read})
    names = result_names(scorer, table.schema, prefix)
    results, rows = scorer.placed(table)
    return {shown: results.column(name).to_pylist() for name, shown in names.items()}, rows


def _column(pyarrow: Any, values: Sequence[Any]) -> Any:
    """Values as Arrow has them; those that are all missing are texts that are missing."""
    column = pyarrow.array(values)
    return column.cast(pyarrow.string()) if pyarrow.types.is_null(column.type) else column
