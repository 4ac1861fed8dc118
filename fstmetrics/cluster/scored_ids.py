"""Ids that a folder of results has already, and `Unscored`, which leaves them out, so that a run goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fstmetrics.batches import Scorer
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.optional import need

if TYPE_CHECKING:
    import pyarrow as pa


def ids_of(scorer: Scorer) -> str:
    """The column of ids.

    Raises:
        FstmetricsError: there is none.
    """
    if scorer.inputs.id is None:
        raise FstmetricsError("resume leaves out the ids that the output has; the scorer reads no ids")
    return scorer.inputs.id


def scored_ids(output: str) -> pa.Array:
    """The ids in the Parquet files of a folder; none where there is no folder.

    Raises:
        FstmetricsError: a file is damaged.
    """
    need("pyarrow", "reading results", "tables")
    import pyarrow as pa
    import pyarrow.dataset as ds
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(output) if "://" in output else (fs.LocalFileSystem(), output)
    if system.get_file_info(path).type == fs.FileType.NotFound:
        return pa.array([], pa.string())
    selector = fs.FileSelector(path, recursive=True)
    names = [file.path for file in system.get_file_info(selector) if file.path.endswith(".parquet")]
    parts = []
    for name in names:
        try:
            parts += ds.dataset(name, filesystem=system).to_table(["id"])["id"].chunks
        except (pa.ArrowInvalid, KeyError) as error:
            raise FstmetricsError(
                f"{name}: no whole file of results: {error}; delete it, and its items are scored again"
            ) from None
    return pa.chunked_array(parts, pa.string()).combine_chunks()


@dataclass(frozen=True)
class Unscored:
    """A function of tables, called with those of their rows that a folder has no results of.

    Args:
        function: of a table; it can be pickled.
        column: of the ids.
        ids: of the results, as text.
    """

    function: Callable[[pa.Table], pa.Table]
    column: str
    ids: pa.Array

    def __call__(self, table: pa.Table) -> pa.Table:
        """What the function makes of the rest."""
        import pyarrow as pa
        import pyarrow.compute as pc

        ids = pc.cast(table[self.column], pa.string())
        return self.function(table.filter(pc.invert(pc.is_in(ids, self.ids))))
