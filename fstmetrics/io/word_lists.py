"""Words that are looked at apart, as those that a recogniser was biased towards: `read_word_lists`.

A list for every item: the biasing lists of LibriSpeech (lines of id, reference and a JSON list, parted by tabs) [Le et
al. 2021], a table with a column of lists, or a JSON object of lists by id. One list for all: a word a line, or a JSON
list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.column_roles import ID, KNOWN, OPTION, TableOptions, given_fields, id_among
from fstmetrics.io.detection.head import Head
from fstmetrics.io.detection.table_signs import headed
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.formats import columnar, delimited, json_rows
from fstmetrics.io.rows import Rows, ids_of_rows
from fstmetrics.support.arguments import shortened
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source, named_path, open_text

TAB = "\t"
EXPECTED = (
    "expected a word a line, or lines `id<tab>reference<tab>[list of words]`, or a table with a column of lists "
    "(docs/biasing.md)"
)


@dataclass(frozen=True)
class WordLists:
    """Lists of words, as they are written.

    Attributes:
        path: the file.
        by_id: the list of each item, which may be empty; None where there is one for all.
        words: the list for all.
    """

    path: str
    by_id: Mapping[str, Sequence[str]] | None = None
    words: Sequence[str] = ()


def read_word_lists(argument: str, fields: Sequence[str] = (), option: str = "--biasing") -> WordLists:
    """The lists of a file.

    Args:
        argument: the file, or COLUMN=FILE of a table with several columns of lists.
        fields: what `--fields` says, of which the id counts.
        option: what names the file, for messages.

    Raises:
        InputError: the file cannot be read, or its layout is unknown; an id that comes twice; no word at all.
    """
    column, path = named_path(argument)
    source = open_text(path)
    if is_columnar(source):
        return _of_rows(columnar.read_rows(source), column, fields, option)
    text = source.text.lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        by_id = _by_id(source, fields) if column is None else None
        return (
            WordLists(path, by_id)
            if by_id is not None
            else _of_rows(json_rows.table_of(source), column, fields, option)
        )
    if text.startswith("["):
        return _of_list(source, column, fields, option)
    lines = [(number, line.rstrip("\r")) for number, line in source.lines() if line.strip()]
    if not lines:
        raise source.error(f"no word in it: {EXPECTED}")
    cells = lines[0][1].split(TAB)
    if column is None and len(cells) > 2 and cells[2].lstrip().startswith("["):
        return WordLists(path, dict(_of_librispeech(source, lines)))
    head = headed(Head(source, known=KNOWN, columns=frozenset({column} if column else ())))
    if head or column is not None:
        delimiter = head[0] if head else TAB if TAB in lines[0][1] else ","
        return _of_rows(delimited.read_rows(source, delimiter), column, fields, option)
    if TAB in lines[0][1]:
        raise source.error(
            f"columns parted by tabs, without a head and without a JSON list: {EXPECTED}", lines[0][0]
        )
    words = [
        _word(source, number, line)
        for number, line in lines
        if not (line.startswith("# ") or line.strip() == "#")
    ]
    if not words:
        raise source.error(f"no word in it: {EXPECTED}")
    return WordLists(path, None, words)


def _word(source: Source, number: int, line: str) -> str:
    """The word of a line."""
    words = line.split()
    if len(words) > 1:
        raise source.error(
            f"{shown(line.strip())} is {len(words)} words: {EXPECTED}; errors --terms takes terms of several words",
            number,
        )
    return words[0]


def _of_librispeech(source: Source, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[str, Sequence[str]]]:
    """The lists of lines of id, reference, list, and further columns, as distractors."""
    known: dict[str, int] = {}
    for number, line in lines:
        cells = line.split(TAB)
        if len(cells) < 3:
            raise source.error(
                f"{len(cells)} columns parted by tabs, and the first line has more: expected id, reference, and a JSON "
                "list of words, which may be []",
                number,
            )
        id = cells[0].strip()
        if not id:
            raise source.error("the id is empty", number)
        take_id(source, id, number, known)
        try:
            words = _texts(json_rows.decoded(cells[2]))
        except (ValueError, RecursionError) as error:
            raise source.error(
                f"column 3 is no JSON list of words, but {shown(cells[2])}: {_reason(error)}", number
            ) from None
        yield id, words


def _reason(error: BaseException) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error) or "nested too deeply"


def _texts(value: Any) -> Sequence[str]:
    """A list of texts; ValueError for anything else."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("expected a list of texts")
    return value


def _by_id(source: Source, fields: Sequence[str]) -> Mapping[str, Sequence[str]] | None:
    """Lists by id, of a file that is one object; None for rows, or a table by columns, which have ids of their own."""
    try:
        found = json_rows.decoded(source.text)
    except json.JSONDecodeError:
        return None  # several objects, or what the reader of rows refuses with its place
    except (ValueError, RecursionError) as error:
        raise source.error(_reason(error)) from None
    if id_among(found, TableOptions()) or ID in given_fields(fields):
        return None
    for id, value in found.items():
        try:
            _texts(value)
        except ValueError:
            hint = (
                ""
                if isinstance(value, list)
                else f"; if this is a row of a table, {OPTION} id=COLUMN names its id"
            )
            written = shortened(json.dumps(value, ensure_ascii=False))
            raise source.error(
                f"{shown(id)} has no list of words, but {written}; an empty list is []{hint}"
            ) from None
    return found  # type: ignore[no-any-return]


def _of_list(source: Source, column: str | None, fields: Sequence[str], option: str) -> WordLists:
    """One JSON list: of words for all, or of rows."""
    try:
        found = json_rows.decoded(source.text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise source.error(f"no JSON list: {_reason(error)}; {EXPECTED}", line) from None
    if found and all(isinstance(each, dict) for each in found):
        return _of_rows(json_rows.table_of(source), column, fields, option)
    try:
        words = _texts(found)
    except ValueError as error:
        raise source.error(str(error)) from None
    if not words:
        raise source.error(f"no word in it: {EXPECTED}")
    for word in words:
        _word(source, 1, word or " ")
    return WordLists(source.path, None, words)


def _of_rows(table: Rows, column: str | None, fields: Sequence[str], option: str) -> WordLists:
    """The lists of a column of a table."""
    source = table.source
    if not table.rows:
        raise source.error("no row in it")
    ids = ids_of_rows(
        table, TableOptions(given={ID: given[ID]} if ID in (given := given_fields(fields)) else {})
    )
    if ids is None:
        raise source.error(
            f"no column of ids is known; {OPTION} id=COLUMN names it, and the items need the same ids"
        )
    names = list(dict.fromkeys(name for row in table.rows for name in row))
    if column is None:
        lists = [name for name in names if any(_list_of(row.get(name)) is not None for row in table.rows)]
        if len(lists) != 1:
            found = (
                f"{listed(lists)} are columns of lists"
                if lists
                else f"no column of {listed(names)} has lists"
            )
            raise source.error(f"{found}; {option} COLUMN={source.path} names the one with the words")
        (column,) = lists
    elif column not in names:
        raise source.error(f"no column {column!r}, which {option} names; there are {listed(names)}")
    by_id: dict[str, Sequence[str]] = {}
    for number, (id, row) in enumerate(zip(ids, table.rows, strict=True)):
        words = _list_of(row.get(column))
        if words is None:
            value = row.get(column)
            raise table.error(
                number, f"{column!r} is no list of words, but {'null' if value is None else shown(str(value))}; an "
                "empty list is []"
            )  # fmt: skip
        by_id[id] = words
    return WordLists(source.path, by_id)


def _list_of(value: Any) -> Sequence[str] | None:
    """The words of a cell: a list, or a text that is a list in JSON; None for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json_rows.decoded(value)
        except (ValueError, RecursionError):
            return None
    try:
        return _texts(value)
    except ValueError:
        return None
