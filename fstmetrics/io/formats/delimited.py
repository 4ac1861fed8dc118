"""Tables of text with a head: columns parted by commas, semicolons or bars (`csv`), or by tabs (`tsv`).

Quotes in CSV are as of RFC 4180. In TSV a quote is a character like any other, unless the whole file shows that it is
written as spreadsheets write it: then cells in quotes are read as in CSV.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from fstmetrics._native import DelimitedRowForm, TableForm
from fstmetrics.io.arcs import shown
from fstmetrics.io.blocks import Block
from fstmetrics.io.column_roles import KNOWN, UNNAMED
from fstmetrics.io.detection.head import LINES, Head
from fstmetrics.io.detection.table_signs import headed, is_spaced
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.rows import FIRST, Row, Rows, first_lines, items_of_rows, parsed_once, table_block
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

TAB = "\t"
PARTED_BY = {",": "commas", ";": "semicolons", "|": "bars"}
# The name of a column that has none.
NAMELESS = ""
EMPTY = re.compile(rb'^""\r?$', re.MULTILINE)
BLANK = re.compile(rb"^[ \t\r]*\n", re.MULTILINE)
# No cell is longer; the limits hold texts to less.
LONGEST_CELL = 1 << 30


def read_csv(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The items of one side, in the order of the rows.

    Raises:
        InputError: no head; a quote that is not closed; a row of more or fewer cells than the head; the head once
            more; or as of `items_of_rows`.
    """
    found = _headed(source, options)
    delimiter = found[0] if found else _likely(source)
    yield from items_of_rows(
        parsed_once(source, "csv", partial(read_rows, delimiter=delimiter, index=UNNAMED)), options
    )


def read_tsv(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The same of columns that tabs part."""
    yield from items_of_rows(
        parsed_once(source, "tsv", partial(read_rows, delimiter=TAB, index=UNNAMED)), options
    )


def block_of_csv(source: Source, options: ReadOptions) -> Block | None:
    """The same as columns, where each line is a row with an id and one text, and nothing is wrong with any.

    Raises:
        InputError: the file cannot be read.
    """
    found = _headed(source, options)
    head = first_lines(source, FIRST + LINES)
    if head is None or (found is None and not head.text.strip()):
        return None
    return _block(source, options, head, found[0] if found else _likely(head))


def block_of_tsv(source: Source, options: ReadOptions) -> Block | None:
    """The same of columns that tabs part; where there are quotes, all of a file tells whether it is quoted."""
    head = None if source.has(b'"') else first_lines(source, FIRST + LINES)
    return None if head is None else _block(source, options, head, TAB)


def _block(source: Source, options: ReadOptions, first: Source, delimiter: str) -> Block | None:
    head = None if options.alternations is not None else table_head(first, delimiter, UNNAMED)
    if head is None or (len(head.names) == 1 and _blank_line(source)):
        return None
    written = {UNNAMED: NAMELESS} if UNNAMED not in head.names else {}

    def form_of(
        id: Sequence[str],
        text: str,
        left_out: Sequence[str],
        renamed: Sequence[tuple[str, str]],
        has_fields: bool,
    ) -> TableForm:
        id, left_out = [written.get(name, name) for name in id], [*left_out, NAMELESS]
        return DelimitedRowForm(
            id, text, left_out, renamed, has_fields, head.names, head.bytes, head.lines, delimiter, head.is_spaced
        )  # fmt: skip

    return table_block(source, options, head.first, form_of)


class TableHead(NamedTuple):
    """The head of a table.

    Attributes:
        names: the columns, those without a name among them.
        bytes, lines: how long it is.
        is_spaced: whether spaces behind delimiters count for nothing.
        first: the first rows.
    """

    names: list[str]
    bytes: int
    lines: int
    is_spaced: bool
    first: Rows


def table_head(first: Source, delimiter: str, index: str = NAMELESS) -> TableHead | None:
    """The head of a table, from its first lines; None where only the reader tells. `index` is as of `read_rows`."""
    lines = first.utf8.split(b"\n")
    above = next((number for number, line in enumerate(lines) if line.strip()), len(lines)) + 1
    head = Source(first.path, b"".join(line + b"\n" for line in lines[:above]))
    if b"\r" in head.data.replace(b"\r\n", b"\n"):  # ends a row in CSV
        return None
    try:
        rows = read_rows(first, delimiter, index)
        if not rows.rows or read_rows(head, delimiter, index).names != rows.names:
            return None
        cells = next(_cells(head, delimiter))[1]
    except InputError:
        return None
    spaced = delimiter != TAB and is_spaced(first.text.splitlines()[:LINES], delimiter)
    return TableHead([name.strip() for name in cells], len(head.data), above, spaced, rows)


def _headed(source: Source, options: ReadOptions) -> tuple[str, list[str]] | None:
    """What parts the columns of a table, and their names, where the first line is a head."""
    return headed(Head(source, known=KNOWN, columns=options.table.columns))


def _likely(source: Source) -> str:
    """What parts the columns of the first line."""
    first = source.text.lstrip().partition("\n")[0]
    return max(PARTED_BY, key=first.count)


def read_rows(source: Source, delimiter: str, index: str = NAMELESS) -> Rows:
    """The rows of a table of text, without meaning; errors as of `read_csv`.

    Args:
        source: the file.
        delimiter: what parts the columns.
        index: what a first column without a name is called. Columns without a name are left out.
    """
    found = _cells(source, delimiter)
    first = next(found, None)
    if first is None:
        return Rows(source, (), (), ())
    head = [name.strip() for name in first[1]]
    if (twice := next((name for name in head if head.count(name) > 1), None)) is not None:
        raise source.error(f"two columns are called {shown(twice)}", first[0])
    if len(head) == 1 and (blank := _blank_line(source)):
        raise source.error('a blank line in a table of one column: write "" where nothing was said', blank)
    names = [index, *head[1:]] if head[0] == NAMELESS and index not in head else head
    rows: list[Row] = []
    lines: list[int] = []
    for line, cells in found:
        if cells == [""] and len(head) > 1:
            continue
        if len(cells) != len(head):
            raise source.error(f"{len(cells)} cells, and the head has {len(head)}: {', '.join(head)}", line)
        _refuse_second_head(source, line, cells, head)
        lines.append(line)
        row = dict(zip(names, cells, strict=True))
        row.pop(NAMELESS, None)
        rows.append(row)
    return Rows(
        source,
        rows,
        lines,
        [name for name in names if name != NAMELESS],
        has_nulls=False,
        nameless="" if names is head else index,
    )


def _blank_line(source: Source) -> int | None:
    """The number of the first blank line between others; None where there is none, or an empty text is written \"\"."""
    if any(map(EMPTY.search, source.pieces())):
        return None
    line, blank, begin = 1, None, None
    for piece in source.pieces():
        filled = piece.rstrip()
        if blank is not None and filled:
            return blank
        begin = len(piece) - len(piece.lstrip()) if begin is None else 0
        if match := BLANK.search(piece, begin):
            blank = line + piece.count(b"\n", 0, match.start())
            if match.start() < len(filled):
                return blank
        line += piece.count(b"\n")
    return None


def _cells(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the lines on which they begin, the head first, without blank ones."""
    has_quotes = delimiter != TAB or _is_quoted(source.text)
    return _quoted_rows(source, delimiter) if has_quotes else _plain_rows(source)


def _refuse_second_head(source: Source, line: int, cells: Sequence[str], head: Sequence[str]) -> None:
    """Raise an InputError for a row that is the head once more, in this order or another."""
    if cells[0].lstrip("\ufeff").strip() not in head:
        return
    names = [cell.lstrip("\ufeff").strip() for cell in cells]
    if sorted(names) != sorted(head):
        return
    files = "give their files one by one, by a pattern in quotes or @LIST"
    if names == list(head):
        said, advice = "repeats the head", f"take this line out, or {files}"
    else:
        said, advice = "has the names of the head in another order", files
    raise source.error(f"the row {said} ({', '.join(names)}): if tables were joined, {advice}", line)


def _quoted_rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the lines on which they begin, without blank ones."""
    csv.field_size_limit(LONGEST_CELL)
    spaced = is_spaced(source.text.splitlines()[:LINES], delimiter)
    reader = csv.reader(
        io.StringIO(source.text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=spaced
    )
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        said = str(error)
        if "unexpected end" in said:
            raise source.error("a quote in this row is not closed", line) from None
        raise source.error(f"quotes are not as CSV has them: {said}", line) from None


def _plain_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in source.lines():
        if line.strip():
            yield number, line.split(TAB)


def _is_quoted(text: str) -> bool:
    """Whether cells of a file of tabs are in quotes, as in CSV.

    Cells that begin with a quote all end with one, inner quotes come in pairs, and something needs it: the head is in
    quotes, too, or so is each cell that has a quote in it.
    """
    if '"' not in text:
        return False
    lines = [line.split(TAB) for line in text.splitlines() if line.strip()]
    if lines[0][0].startswith('"'):
        return True
    if any(cell.startswith('"') and not cell.endswith('"') for cells in lines for cell in cells):
        # A tab or line end within quotes, or quotes that are characters of the text.
        return any(len(cells) != len(lines[0]) for cells in lines)
    cells = [cell for line in lines for cell in line if '"' in cell]
    return all(_needs_quotes(cell) for cell in cells)


def _needs_quotes(cell: str) -> bool:
    if cell == '""':  # an empty line of one column
        return True
    inner = cell[1:-1]
    is_closed = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return is_closed and '"' in inner and '"' not in inner.replace('""', "")


PARTED = "table with a head, columns parted by"
CSV = Format("csv", f"{PARTED} commas, semicolons or bars", read_csv, block=block_of_csv, has_sides=True)
TSV = Format("tsv", f"{PARTED} tabs", read_tsv, block=block_of_tsv, has_sides=True)
