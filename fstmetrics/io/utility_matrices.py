"""Files of utilities, for minimum Bayes risk under any other program's metric: `read_utilities`.

- `.npz` of numpy: a matrix an n-best list, by its id. `.npy`: one array of shape [lists, entries, entries] of lists
  whose ids are 0, 1, ..., as Moses numbers them.
- Tables (Parquet, Arrow, CSV, TSV, JSON Lines): columns `id`, `candidate`, `evidence` and `utility`; entries are
  numbered from 0 in the order of the list.

A row is a candidate, a column what may be right; higher is better.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.formats_and_refusals import is_kind
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.formats import columnar, delimited, json_rows
from fstmetrics.io.rows import Rows, is_id
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

# A matrix of more entries would have 800 megabytes.
MOST_ENTRIES = 10_000
COLUMNS = ("id", "candidate", "evidence", "utility")


def read_utilities(path: str) -> Mapping[str, Matrix]:
    """The matrix of each n-best list, by its id; shape [entries, entries].

    Raises:
        InputError: a file that is neither, a table without these columns, an entry that is no number from 0 up, or a
            pair with no utility or two.
    """
    if path.endswith((".npz", ".npy")):
        return _of_numpy(path)
    source = Source.open(path)
    if is_columnar(source):
        return _of_table(columnar.read_rows(source))
    if is_kind("jsonl", source):
        return _of_table(json_rows.table_of(source))
    _, first = next(source.lines(), (0, ""))
    return _of_table(delimited.read_rows(source, "\t" if "\t" in first else ","))


def _of_numpy(path: str) -> Mapping[str, Matrix]:
    if not Path(path).is_file():
        raise InputError("there is no such file", path)
    try:
        found = np.load(path, allow_pickle=False)
        arrays = {id: found[id] for id in found.files} if path.endswith(".npz") else found
        if isinstance(arrays, dict):
            return {id: np.asarray(array, dtype=np.float64) for id, array in arrays.items()}
        if arrays.ndim != 3:
            raise InputError(
                f"holds an array of shape {list(arrays.shape)}; expected [lists, entries, entries], or an .npz file "
                "with a matrix for each id",
                path,
            )
        return {str(number): np.asarray(matrix, dtype=np.float64) for number, matrix in enumerate(arrays)}
    except (OSError, ValueError, TypeError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            f"is no file of numpy that holds numbers: {' '.join(str(error).split())}", path
        ) from None


def _of_table(table: Rows) -> Mapping[str, Matrix]:
    names = table.names or (list(table.rows[0]) if table.rows else ())
    if lacking := [name for name in COLUMNS if name not in names]:
        raise table.source.error(
            f"no column is called {lacking[0]}; expected {', '.join(COLUMNS)}, found {', '.join(map(str, names))}"
        )
    cells: dict[str, dict[tuple[int, int], float]] = {}
    for number, row in enumerate(table.rows):
        if not is_id(given := row.get("id")):
            raise table.error(number, f"'id' is no id, but {shown(str(given)) or 'empty'}")
        id = str(given)
        pair = _entry(table, number, "candidate"), _entry(table, number, "evidence")
        known = cells.setdefault(id, {})
        if pair in known:
            raise table.error(number, f"list {id!r}, candidate {pair[0]}, evidence {pair[1]} is there twice")
        known[pair] = _utility(table, number)
    return {id: _matrix(table, id, pairs) for id, pairs in cells.items()}


def _matrix(table: Rows, id: str, pairs: Mapping[tuple[int, int], float]) -> Matrix:
    size = max(map(max, pairs)) + 1
    matrix = np.full((size, size), math.nan)
    for pair, utility in pairs.items():
        matrix[pair] = utility
    if len(pairs) < matrix.size:
        candidate, evidence = np.argwhere(np.isnan(matrix))[0].tolist()
        raise table.source.error(
            f"list {id!r} has no utility of candidate {candidate} with evidence {evidence}; expected all pairs of its "
            "entries, which are numbered from 0"
        )
    return matrix


def _entry(table: Rows, number: int, column: str) -> int:
    value = str(table.rows[number].get(column))
    if not (value.isascii() and value.isdigit() and int(value) < MOST_ENTRIES):
        raise table.error(
            number, f"{column} is {value!r:.80}, not the number of an entry, from 0 to {MOST_ENTRIES - 1}"
        )
    return int(value)


def _utility(table: Rows, number: int) -> float:
    value = table.rows[number].get("utility")
    try:
        found = math.nan if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise table.error(number, f"utility is {value!r:.80}, not a finite number")
    return found
