"""Columns as tables of other libraries, which are loaded only here: `as_frame` for pandas, `as_arrow` for pyarrow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pandas
    import pyarrow

# A column a name: arrays of numpy or lists, all of one length; None is a missing value.
Columns = Mapping[str, Any]


def as_frame(columns: Columns) -> pandas.DataFrame:
    """A frame of pandas.

    Raises:
        FstmetricsError: pandas is not installed.
    """
    return need("pandas", "to_pandas", "tables").DataFrame(dict(columns))


def as_arrow(columns: Columns) -> pyarrow.Table:
    """A table of Apache Arrow, which polars, DuckDB and Parquet take.

    Raises:
        FstmetricsError: pyarrow is not installed.
    """
    return need("pyarrow", "to_arrow", "tables").table(dict(columns))
