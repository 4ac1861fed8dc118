"""What a folder of results has already: results of other scores are refused, `Unscored` leaves out the ids of the rest,
so that a run goes on.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from fstmetrics import FstmetricsError
from fstmetrics.batches import Scorer
from fstmetrics.batches.result_columns import SIGNATURE_NAME, result_metadata
from fstmetrics.support.errors import need
from fstmetrics.support.output import unwritable

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


def refuse_results(output: str) -> NoReturn:
    """Refuse a folder that has results already: others would be added to them, and count twice.

    Raises:
        FstmetricsError: always.
    """
    raise FstmetricsError(f"{output}: has results already; give resume=True, or another folder")


def refuse_other_rows(output: str, id: object) -> NoReturn:
    """Refuse a folder that has results of an item that is not scored: those of other rows would count, too.

    Raises:
        FstmetricsError: always.
    """
    raise FstmetricsError(f"{output}: has results of the id {id!r}, which the rows lack; use another folder")


def check_results(
    where: str, metadata: Mapping[str, str], columns: Sequence[str], expected: pa.Schema
) -> None:
    """Refuse results that the scorer would not have made.

    Args:
        where: they are.
        metadata, columns: theirs, as of `result_metadata`.
        expected: the schema of the results of the scorer.

    Raises:
        FstmetricsError: they are of another score, or have other columns.
    """
    wanted = result_metadata(expected)
    advice = "use another folder"
    if SIGNATURE_NAME not in metadata:
        raise FstmetricsError(f"{where}: these results do not say how they were scored; {advice}")
    for name, value in wanted.items():
        there, here = metadata.get(name, "").split("|"), value.split("|")
        if there != here:
            was = "|".join(part for part in there if part not in here) or "less"
            now = "|".join(part for part in here if part not in there) or "less"
            what = "signature" if name == SIGNATURE_NAME else "version of the columns"
            raise FstmetricsError(
                f"{where}: these results have another {what}: {was}, the scorer has {now}; {advice}"
            )
    missing = [name for name in expected.names if name not in columns]
    more = [name for name in columns if name not in expected.names]
    if missing or more:
        told = [f"no {', '.join(missing)}"] if missing else []
        told += [f"{', '.join(more)}, which this run has not"] if more else []
        raise FstmetricsError(f"{where}: these results have other columns: {'; '.join(told)}; {advice}")


def scored_ids(output: str, expected: pa.Schema) -> pa.Array:
    """The ids in the Parquet files of a folder; none where there is no folder.

    Args:
        output: the folder.
        expected: the schema of the results of the scorer.

    Raises:
        FstmetricsError: a file is damaged, or has results that the scorer would not have made.
    """
    pa = need("pyarrow", "reading results", "tables")
    import pyarrow.dataset as ds

    system, names = _files(output)
    parts = []
    for name in names:
        try:
            file = ds.dataset(name, filesystem=system)
            check_results(name, result_metadata(file.schema), file.schema.names, expected)
            parts += file.to_table(["id"])["id"].chunks
        except (pa.ArrowInvalid, KeyError) as error:
            raise FstmetricsError(
                f"{name}: no whole file of results: {error}; delete it, and its items are scored again"
            ) from None
    return pa.chunked_array(parts, pa.string()).combine_chunks()


def absolute(output: str | os.PathLike[str]) -> str:
    """A folder of results as all processes know it, whichever folder they are in; a URL as it is."""
    path = os.fspath(output)
    return path if "://" in path else os.path.abspath(path)


def has_results(output: str) -> bool:
    """Whether there are Parquet files in a folder."""
    return bool(_files(output)[1])


def write_nothing(output: str, schema: pa.Schema) -> None:
    """Write a Parquet file without rows."""
    from pyarrow import fs, parquet

    system, path = fs.FileSystem.from_uri(output) if "://" in output else (fs.LocalFileSystem(), output)
    system.create_dir(path, recursive=True)
    parquet.write_table(schema.empty_table(), f"{path}/empty.parquet", filesystem=system)


def _files(output: str) -> tuple[Any, list[str]]:
    """The file system of a folder, and its Parquet files."""
    need("pyarrow", "reading results", "tables")
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(output) if "://" in output else (fs.LocalFileSystem(), output)
    if system.get_file_info(path).type == fs.FileType.NotFound:
        return system, []
    found = system.get_file_info(fs.FileSelector(path, recursive=True))
    return system, [file.path for file in found if file.path.endswith(".parquet")]


@dataclass(frozen=True)
class There:
    """A function of tables, called where a folder is that of the machine that asked for it.

    Args:
        function: of a table; it can be pickled.
        output: the folder.
        mark: a file in it.
    """

    function: Callable[[pa.Table], pa.Table]
    output: str
    mark: str

    def __call__(self, table: pa.Table) -> pa.Table:
        """What the function makes of a table.

        Raises:
            FstmetricsError: the folder is another one.
        """
        if not os.path.exists(os.path.join(self.output, self.mark)):
            raise FstmetricsError(
                f"{self.output}: the worker on {socket.gethostname()} does not see this folder, so its results would "
                "be lost; give a folder that all machines share, or a URL"
            )
        return self.function(table)


@contextmanager
def marked(output: str) -> Iterator[str | None]:
    """A file in a folder, by which workers know that it is the same; None of a URL.

    Raises:
        FstmetricsError: it cannot be written.
    """
    if "://" in output:
        yield None
        return
    mark = f".{os.urandom(8).hex()}.unfinished"
    try:
        os.makedirs(output, exist_ok=True)
        with open(os.path.join(output, mark), "xb"):
            pass
    except OSError as error:
        raise unwritable(output, error) from None
    try:
        yield mark
    finally:
        with suppress(OSError):
            os.unlink(os.path.join(output, mark))


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
