"""Rows of named values to items of one side: `items_of_rows`, whatever file the rows come from.

A row is a dict by columns. Objects within it are flattened: `{"audio": {"path": "a.wav"}}` has the column
`audio.path`. Which columns are the id and the text, `column_roles` says; every other one that holds a text, a number or
a truth value is a field of the item. Lists and bytes are left out.

Tables whose rows are lines, as columns: `table_block`; no Python object is made of a row before somebody looks. The
native parser takes a row only if its columns are as those of the first rows, with one id and one text. Of a file with
any other row, and of one with something wrong in it, the reader of rows tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from fstmetrics._native import LineSurvey, TableForm, TextColumn, TextIndex
from fstmetrics.data.fields import Field, Fields
from fstmetrics.data.nbest import NBest
from fstmetrics.data.sessions import OF_TURN
from fstmetrics.data.symbols import NOTHING
from fstmetrics.data.transcripts import Notation, Texts, Transcript
from fstmetrics.io.arcs import shown
from fstmetrics.io.blocks import Block, StoredFields
from fstmetrics.io.column_roles import (
    EITHER,
    ID,
    OPTION,
    TRANSLATIONS,
    Chosen,
    TableOptions,
    choose,
    choose_id,
    id_among,
    layout_of,
    may_be_translation,
    plain_name,
    refuse_unread,
    without_sound,
)
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import OpenBytes
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source

Row = Mapping[str, Any]
# So many rows tell which columns are texts.
FIRST = 50
SCALARS = frozenset({str, int, float, bool, type(None)})
MISSING = object()
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
# What no text is, by what is written so: `['the', 'cat']` as Python prints a list of texts, or an array of them;
# `{'text': 'the cat'}`, also of JSON; `b'the cat'`; what spreadsheets show where a formula failed.
WRITTEN = {
    "a list as Python writes it": re.compile(rf"\[\s*{_QUOTED}(?:\s*,?\s*{_QUOTED})+\s*,?\s*\]", re.DOTALL),
    "an object": re.compile(rf"\{{\s*{_QUOTED}\s*:.*\}}", re.DOTALL),
    "bytes as Python writes them": re.compile(rf"b{_QUOTED}", re.DOTALL),
    "an error of a spreadsheet": re.compile(r"#(?:N/A|VALUE!|REF!|NAME\?|DIV/0!|NUM!|NULL!)"),
}
# What makes texts of it.
ADVICE = {
    "a list as Python writes it": "write ' '.join(words)",
    "an object": "write its text",
    "bytes as Python writes them": "write text.decode()",
    "an error of a spreadsheet": "write what was said, or leave the cell empty where nothing was",
}
# What all of these begin with.
BEGINNINGS = ("[", "{", "b'", 'b"', "#")
# A list of one text, or of none; in brackets and quotation marks a text may be, too.
SHORT_LIST = re.compile(rf"\s*\[\s*{_QUOTED}?\s*\]\s*", re.DOTALL)


@dataclass(frozen=True)
class Rows:
    """The rows of a file.

    Attributes:
        source: the file.
        rows: one dict a row.
        lines: the line of each row; None where rows have none, and are counted from 1.
        names: the columns, in their order; None: those of the first row, and of others as far as they are needed.
        has_nulls: whether it tells an empty text from what is not there. CSV does not.
        unread: columns that are not read, with their types.
        nameless: what a column without a name is called, which is no field.
    """

    source: Source
    rows: Sequence[Row]
    lines: Sequence[int] | None = None
    names: Sequence[str] | None = None
    has_nulls: bool = True
    unread: Mapping[str, str] = field(default_factory=dict)
    nameless: str = ""

    def error(self, row: int, message: str) -> InputError:
        """An error in a row, counted from 0."""
        if self.lines is not None:
            return self.source.error(message, self.lines[row])
        return self.source.error(f"row {row + 1}: {message}")

    def place(self, row: int) -> str:
        """Where a row is, for messages."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"


def parsed_once(source: Source, format: str, parse: Callable[[Source], Rows]) -> Rows:
    """The rows of a file in a format, parsed when they are first asked for; errors as of parsing.

    Of a table that holds both sides, the rows are wanted twice. They live as long as the source.
    """
    parsed: dict[str, Rows] = vars(source).setdefault("parsed", {})
    if format not in parsed:
        parsed[format] = parse(source)
    return parsed[format]


# A number as tables have it.
_NUMBER = re.compile(r"[-+]?\.?\d[\d.,]*(?:[eE][-+]?\d+)?%?")
# What makes an n-best list of a cell: of table, row, column and cell, the texts, and their scores if there are any.
Entries = Callable[[Rows, int, str, Any], "tuple[tuple[str, ...], tuple[float, ...] | None]"]


def items_of_rows(table: Rows, options: ReadOptions, entries: Entries | None = None) -> Iterator[Item]:
    """The items of a side, in the order of the rows. How the columns were read is told.

    Where cells are n-best lists, `entries` reads one.

    Raises:
        InputError: columns that are not clear; a row that lacks one; an id or a text that is none; an id that comes
            twice.
    """
    if not table.rows:
        return
    names = list(table.rows[0]) if table.names is None else table.names
    names = [name for name in names if not _are_timed_words(table, name)]
    try:
        refuse_unread(names, table.unread, options.table)
        chosen = choose(names, options.table, text_columns(table, names))
    except FstmetricsError as error:
        line = table.lines[0] if table.lines and table.names is None else None
        raise table.source.error(str(error), line) from None
    every = names if table.names else list(dict.fromkeys(chain.from_iterable(table.rows)))
    if not chosen.id and (late := id_among(every, options.table)):
        row = next(row for row, cells in enumerate(table.rows) if late not in cells)
        raise table.error(
            row, f"no {late!r} here, and other rows have one; {OPTION} id= if order pairs the rows"
        )
    if chosen.counted:
        _refuse_index(table, chosen.counted)
    options.tell_columns(
        chosen.without_texts([name for name in (*every, *table.unread) if name != table.nameless])
    )
    ids, columns = _ids(table, chosen)
    nulls = _nulls(table, chosen, columns, options) if entries is None else {}
    if nulls:
        table = replace(table, rows=[{**row, **nulls.get(at, {})} for at, row in enumerate(table.rows)])
    texts: Sequence[str | Texts | NBest]
    if entries is None:
        texts = _texts(table, chosen, options.table.side == "reference")
    else:
        texts = _lists(table, chosen, ids, entries)
    empty = [] if table.has_nulls else _noted(table, chosen, lambda cell: not cell.strip())
    if nulls and options.missing == "empty":
        empty = [Noted(chosen.texts[0], len(nulls), list(map(table.place, nulls)), "null")]
    nothing = _noted(table, chosen, lambda cell: isinstance(cell, str) and cell in NOTHING)
    tell_remarks(table, chosen, columns, options, empty, nothing)
    # A table of both sides gives its fields once.
    is_second = options.table.both and options.table.side == "hypothesis"
    all_fields: Iterator[Fields] | None = (
        None if is_second else map(_field_maker(table, chosen, columns), table.rows)
    )
    for number, (id, text) in enumerate(zip(ids, texts, strict=True)):
        fields = None if all_fields is None else next(all_fields)
        if number in nulls and options.missing == "skip":
            continue
        if not isinstance(text, str):
            item = Item(id, text)
        elif options.alternations is None:
            item = Item(id, None, text)
        else:
            item = _with_choices(table, number, id, text, options.alternations)
        yield item if fields is None else Item(item.id, item.given, item.text, fields=fields)


def _nulls(table: Rows, chosen: Chosen, id: Sequence[str], options: ReadOptions) -> dict[int, Row]:
    """The rows without a hypothesis, with the empty text instead, where it may be missing.

    Raises:
        InputError: they are to be left out, and have no ids.
    """
    if options.missing == "error" or options.table.side != "hypothesis" or len(chosen.texts) != 1:
        return {}
    (name,) = chosen.texts
    found = [row for row, cells in enumerate(table.rows) if _is_null(cells.get(name, MISSING))]
    if found and options.missing == "skip" and not id:
        raise table.error(
            found[0],
            f"{name!r} is null, and rows without ids, which order pairs, cannot be left out: give ids, "
            f'{OPTION} {ID}=COLUMN; where nothing was said, it is "" (score --missing empty)',
        )
    return {row: {name: ""} for row in found}


def _is_null(cell: Any) -> bool:
    """Whether it is null or no number (nan), as tables write what is not there."""
    return cell is None or cell != cell


def _refuse_index(table: Rows, name: str) -> None:
    """Raise an InputError for an index that does not count the rows from 0: order may pair rows that it does not."""
    for row, cells in enumerate(table.rows):
        if str(cells.get(name)) != str(row):
            if "delays" in cells:
                raise table.error(
                    row,
                    f"{name!r} is {shown(str(cells.get(name)))} in line {row} of a log of SimulEval, counted from 0: "
                    f"jq -s -c 'sort_by(.{name})[] | del(.{name})' FILE puts the lines in their order",
                )
            raise table.error(
                row,
                f"{name!r} looks like an index, and is {shown(str(cells.get(name)))} in row {row}, counted from 0: the "
                f"rows may be in another order than those of other files. If it says which row is which, {OPTION} "
                f"'{ID}={name}' where all files have it, or write each by reset_index(names='id'); if the order of the "
                f"rows does, {OPTION} {ID}=, or write without it: index=False",
            )


def _are_timed_words(table: Rows, name: str) -> bool:
    """Whether a column beside that of the text has its words with their times, a list of objects in each row."""
    values = [row.get(name) for row in table.rows[:FIRST]] if name == "words" else []
    return bool(values) and all(
        isinstance(value, list) and all(isinstance(word, dict) and "word" in word for word in value)
        for value in values
    )


def text_columns(table: Rows, names: Sequence[str]) -> dict[str, bool]:
    """Which columns are texts by their first values: True; and which are numbers: False. Others are not in it.

    Most texts have several words, or the column is called as translations, and most are different. Those of which
    `translation` is all of the name may be alike, and those that are the same as a text of either side are none.
    """
    columns = {name: [row.get(name) for row in table.rows[:FIRST]] for name in names}
    found = {}
    for name, values in columns.items():
        filled = [str(value).strip() for value in values if value is not None and value != ""]
        if filled and all(map(_NUMBER.fullmatch, filled)):
            found[name] = False
            continue
        texts = [value for value in values if isinstance(value, str)]
        is_called, plain = may_be_translation(name), plain_name(name)
        if is_called and any(columns[one] == values for one in names if plain_name(one) in EITHER):
            continue
        spaced = sum(
            " " in text or (is_called and bool(text) and (plain in TRANSLATIONS or not text.isascii()))
            for text in texts
        )
        different = len(values) if plain == "translation" else len(set(texts))
        if 2 * spaced > len(values) < 2 * different:
            found[name] = True
    return found


def _tell_left_out(table: Rows, chosen: Chosen, id: Sequence[str], options: ReadOptions) -> None:
    """Say which columns are neither id nor text, for who wants the items without their fields."""
    fields = {name: chosen.renamed.get(name, name) for name in table.names or table.rows[0]}
    wanted = OF_TURN if options.in_turns else ()
    kept = {next(filter([*fields.values()].__contains__, names), None) for names in wanted}
    used = {*id, *chosen.texts}
    if rest := [name for name, field in fields.items() if name not in used and field not in kept]:
        options.remark(f"{table.source.path}: left out: {', '.join(rest)}")


class Noted(NamedTuple):
    """Texts of a column that are worth a remark.

    Attributes:
        column: its name.
        number: how many they are.
        places: the lines or rows of the first ones, as messages have them.
        text: the first one.
    """

    column: str
    number: int
    places: Sequence[str]
    text: str


def tell_remarks(
    table: Rows,
    chosen: Chosen,
    id: Sequence[str],
    options: ReadOptions,
    empty: Sequence[Noted],
    nan: Sequence[Noted],
) -> None:
    """Say how a table was read.

    Args:
        table: the rows, or the first ones.
        chosen, id: its columns.
        options: whoever hears it.
        empty: empty cells of texts, where they may mean that nothing was said, or that nobody knows.
        nan: texts that are the word that Python makes of a number that is missing.
    """
    path = table.source.path
    options.remark(f"{path} {chosen.remark(id)}")
    for name, count, places, text in empty:
        have, kind = "row has" if count == 1 else "rows have", places[0].partition(" ")[0]
        found = listed([place.removeprefix(f"{kind} ") for place in places], count=count)
        where = f"{kind}{'s' * (count > 1)} {found}"
        what = f"a {text}" if text.strip() else "an empty"
        options.remark(f"{count} {have} {what} {name} in {path}: nothing said ({where})")
    for name, count, places, text in nan:
        what = "row has" if count == 1 else "rows have"
        options.remark(
            f"{count} {what} the {name} {text!r} in {path}: scored as a word; leave the text empty where it is missing "
            f"({listed(places, count=count)})"
        )
    if options.tell_left_out:
        _tell_left_out(table, chosen, id, options)


def _noted(table: Rows, chosen: Chosen, is_noted: Callable[[Any], bool]) -> list[Noted]:
    """The texts of each column of which that is so, where there are any."""
    found = []
    for name in chosen.texts:
        rows = [row for row, cells in enumerate(table.rows) if is_noted(cells.get(name))]
        if rows:
            found.append(Noted(name, len(rows), list(map(table.place, rows)), table.rows[rows[0]][name]))
    return found


def _with_choices(table: Rows, number: int, id: str | None, text: str, notation: Notation) -> Item:
    """An item of a text in which choices are written."""
    try:
        transcript = Transcript.parse(text, notation, id=id or "")
    except FstmetricsError as error:
        raise table.error(number, str(error)) from None
    return Item(id, transcript) if transcript.words is None else Item(id, None, " ".join(transcript.words))


def _field_maker(table: Rows, chosen: Chosen, id: Sequence[str]) -> Callable[[Row], Fields]:
    """What makes the fields of a row: texts without spaces at the ends; None of what is no number (nan), and of empty
    cells that may be nulls."""
    nothing = () if table.has_nulls else ("",)
    left_out = chosen.others | ({*without_sound(id), table.nameless} - set(chosen.renamed))
    renamed = chosen.renamed

    def fields(row: Row) -> dict[str, Field]:
        return {
            renamed.get(name, name): None if value != value or value in nothing else value
            for name, given in row.items()
            if name not in left_out and type(given) in SCALARS
            for value in (given.strip() if isinstance(given, str) else given,)
        }

    return fields


def _texts(table: Rows, chosen: Chosen, several: bool) -> list[str | Texts]:
    """The text of each row, or its references where there may be several."""
    if not chosen.texts:
        return [""] * len(table.rows)
    columns = [_values(table, chosen, name) for name in chosen.texts]
    for name, values in zip(chosen.texts, columns, strict=True):
        refuse_written(table, name, values)
    if len(columns) == 1 and set(map(type, columns[0])) <= {str}:
        return columns[0]
    lists = [[_strings(table, row, name, value, several) for row, value in enumerate(values)]
             for name, values in zip(chosen.texts, columns, strict=True)]  # fmt: skip
    _refuse_words(table, chosen, columns)
    every = (tuple(chain(*row)) for row in zip(*lists, strict=True))
    return [texts[0] if len(texts) == 1 else Texts(texts) for texts in every]


def refuse_written(table: Rows, name: str, values: Sequence[Any]) -> None:
    """Raise an InputError for a text that is the written form of another value, as pandas writes lists into CSV."""
    for row, value in enumerate(values):
        texts = (value,) if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
        for text in texts:
            if isinstance(text, str) and (found := what_is_written(text)):
                raise table.error(row, f"{name!r} is {found}, {shown(text.strip())}: {ADVICE[found]}")
    first = [value for value in values[:FIRST] if value]
    if all(isinstance(value, str) and SHORT_LIST.fullmatch(value) for value in first) and any(first):
        found = "a list as Python writes it"
        raise table.error(values.index(first[0]), f"{name!r} is {found}, {shown(first[0])}: {ADVICE[found]}")


def what_is_written(text: str) -> str:
    """Of what kind of value a text is the written form; empty if it is a text.

    >>> what_is_written("b'the cat'"), what_is_written("#N/A"), what_is_written("{ um / uh } #1")
    ('bytes as Python writes them', 'an error of a spreadsheet', '')
    """
    text = text.strip()
    if not text.startswith(BEGINNINGS):
        return ""
    return next((kind for kind, pattern in WRITTEN.items() if pattern.fullmatch(text)), "")


def _lists(table: Rows, chosen: Chosen, ids: Sequence[str | None], entries: Entries) -> list[NBest]:
    """The n-best list of each row."""
    (name,) = chosen.texts
    found = []
    for row, (id, value) in enumerate(zip(ids, _values(table, chosen, name), strict=True)):
        texts, scores = entries(table, row, name, value)
        found.append(NBest(id or "", tuple(tuple(text.split()) for text in texts), texts, scores))
    return found


def _refuse_words(table: Rows, chosen: Chosen, columns: Sequence[Sequence[Any]]) -> None:
    """Raise an InputError for lists of which none has a text of several words: they may be sentences, word by word."""
    for name, values in zip(chosen.texts, columns, strict=True):
        lists = [(row, value) for row, value in enumerate(values) if isinstance(value, list | tuple)]
        if any(len(value) > 1 for _, value in lists) and not any(
            " " in text for _, value in lists for text in value
        ):
            row = next(row for row, value in lists if len(value) > 1)
            raise table.error(
                row,
                f"{name!r} has lists of single words: join the words of a sentence; a list is several references",
            )


def _values(table: Rows, chosen: Chosen, name: str) -> list[Any]:
    """A column; every row must have it."""
    values = [row.get(name, MISSING) for row in table.rows]
    if MISSING in values:
        raise _lacking(table, chosen, values.index(MISSING), name)
    return values


def _lacking(table: Rows, chosen: Chosen, row: int, name: str) -> InputError:
    """An error of a row without a column: it may be of another layout."""
    found = table.rows[row]
    other = layout_of(found)
    if other is not None and other.called != chosen.called:
        return table.error(row, f"two layouts in one file: {chosen.called} before, {other.called} here")
    return table.error(row, f"no {name!r} here; the row has {', '.join(map(str, found)) or 'nothing'}")


def _strings(table: Rows, row: int, name: str, value: Any, several: bool) -> tuple[str, ...]:
    """The text or texts of a cell."""
    if isinstance(value, str):
        return (value,)
    if several and isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value):
        return tuple(value)
    if _is_null(value):
        found = f'{"null" if value is None else "NaN"}; where nothing was said it is ""'
        if not several:
            found += '; score --missing empty takes such rows for "", --missing skip leaves them out'
    elif isinstance(value, list | tuple):
        found = "a list" if value else "a list of nothing"
        if not several and (not value or any(" " in str(each) for each in value)):
            found += "; n-best lists are read from JSON, by --format nbest-json"
    else:
        found = str(value) if isinstance(value, int | float) else shown(str(value))
    raise table.error(row, f"{name!r} is no text, but {found}")


def ids_of_rows(table: Rows, options: TableOptions) -> list[str] | None:
    """The id of each row of a table without texts; None where it has no column of ids.

    Raises:
        InputError: a column that was given is not there; an id that is none, or comes twice.
    """
    try:
        chosen = choose_id(list(table.rows[0]) if table.names is None else table.names, options)
    except FstmetricsError as error:
        raise table.source.error(str(error)) from None
    ids, columns = _ids(table, chosen)
    return [str(id) for id in ids] if columns else None


def _ids(table: Rows, chosen: Chosen) -> tuple[list[str | None], tuple[str, ...]]:
    """The id of each row, and the columns that make it."""
    if not chosen.id:
        return [None] * len(table.rows), ()
    columns = chosen.id
    ids = _joined(table, chosen, columns)
    for part in chosen.parts:
        if len(set(ids)) == len(ids) or not all(part in row for row in table.rows):
            break
        columns = (*columns, part)
        ids = _joined(table, chosen, columns)
    if len(set(ids)) < len(ids):
        _refuse_twice(table, ids, columns, chosen)
    return list(ids), columns


def _joined(table: Rows, chosen: Chosen, names: Sequence[str]) -> list[str]:
    columns = [_id_column(table, chosen, name) for name in names]
    return columns[0] if len(columns) == 1 else list(map("_".join, zip(*columns, strict=True)))


def _id_column(table: Rows, chosen: Chosen, name: str) -> list[str]:
    """Texts, or numbers as they are written; nan is none."""
    values = _values(table, chosen, name)
    for row, value in enumerate(values):
        if not is_id(value):
            raise table.error(row, f"{name!r} is no id, but {shown(str(value)) or 'empty'}")
    return list(map(written_id, values))


def written_id(value: object) -> str:
    """An id as text; equal numbers alike, 0 and 0.0, as in native/formats/table_rows.cc."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        value = int(value)
    return str(value)


def is_id(value: object) -> bool:
    """Whether it is a text or a number, and says something.

    >>> list(map(is_id, ("u1", 7, 2.5, "", None, float("nan"), True)))
    [True, True, True, False, False, False, False]
    """
    return type(value) in (str, int, float) and value != "" and value == value


def _refuse_twice(table: Rows, ids: Sequence[str], columns: Sequence[str], chosen: Chosen) -> None:
    seen: dict[str, int] = {}
    for row, id in enumerate(ids):
        if seen.setdefault(id, row) != row:
            raise table.error(
                row,
                f"id {shown(id)} ({'+'.join(columns)}) is already in {table.place(seen[id])}; "
                + (
                    _list_advice(table, ids, columns, chosen)
                    or f"{OPTION} id=COLUMN names another column of ids, and {OPTION} id=A+B makes an id of two columns"
                ),
            )


def _list_advice(table: Rows, ids: Sequence[str], columns: Sequence[str], chosen: Chosen) -> str:
    """What makes n-best lists of a table whose rows a column counts in each id, as ranks; "" where none does."""
    counts: Counter[str] = Counter()
    places = []
    for id in ids:
        places.append(counts[id])
        counts[id] += 1
    for name in table.rows[0]:
        numbers = [written_id(row.get(name)) for row in table.rows]
        if any(numbers == [str(place + first) for place in places] for first in (0, 1)):
            wanted = [*columns, *(chosen.texts or ("TEXT",))[:1]]
            return (
                f"{name!r} counts the rows of each id: if they are segments, {OPTION} id={'+'.join([*columns, name])} "
                f"makes ids of both; if they are n-best lists, {_nbest_command(table, wanted)} of the columns "
                f"{' and '.join(wanted)}, which --format nbest reads"
            )
    return ""


def _nbest_command(table: Rows, wanted: Sequence[str]) -> str:
    names, first = [*(table.names or ())], table.source.text.partition("\n")[0].rstrip("\r")
    mark = next((mark for mark in "\t,;" if len(names) > 1 and mark.join(names) == first), "")
    if not mark or len(wanted) > 2 or not {*wanted} <= {*names} or '"' in table.source.text:
        return "write `id ||| words` lines"
    id, text = (names.index(name) + 1 for name in wanted)
    shown_mark = "\\t" if mark == "\t" else mark
    return f"awk -F'{shown_mark}' 'NR > 1 {{print ${id} \" ||| \" ${text}}}' FILE writes `id ||| words` lines"


# So many ids are looked at together.
PART = 1 << 14
# The columns of the id and of the text, those that are no fields, names of others as fields, whether fields are wanted.
FormOf = Callable[[Sequence[str], str, Sequence[str], Sequence[tuple[str, str]], bool], TableForm]


def first_lines(source: Source, wanted: int) -> Source | None:
    """The lines from the beginning among which so many have something in them; None where that is no text."""
    size = 1 << 16
    while True:
        data = source.content[:size]
        lines = data.split(b"\n")
        is_all = len(data) >= len(source.content)
        filled = sum(not line.isspace() and bool(line) for line in lines[: None if is_all else -1])
        if is_all or filled >= wanted:
            head = Source(source.path, data if is_all else data[: data.rindex(b"\n") + 1])
            return head if head.is_text else None
        size *= 4


def table_block(source: Source, options: ReadOptions, head: Rows, form_of: FormOf) -> Block | None:
    """The items of a side in columns, and how they were read is told; None where the reader of rows tells.

    Args:
        source: the file.
        options: what the caller says about it.
        head: the first rows, as many as tell what the columns are, or all.
        form_of: how a line is a row.
    """
    names = list(head.rows[0]) if head.names is None else head.names
    try:
        chosen = choose(names, options.table, text_columns(head, names))
        (text,) = chosen.texts
        refuse_written(head, text, [row.get(text) for row in head.rows])
    except (FstmetricsError, ValueError):
        return None
    columns, parts = chosen.id or ((chosen.counted,) if chosen.counted else ()), list(chosen.parts)
    while True:
        try:
            form = _form(form_of, chosen, columns, text, options)
        except (TypeError, ValueError):  # a name that is no UTF-8
            return None
        is_stored = isinstance(source.content, OpenBytes)
        found = _stored(source, form) if is_stored else _at_once(source, form)
        if found is None:
            return None
        block, survey = found
        if not chosen.id or (block.ids and _are_different(block.ids, source if is_stored else None, form)):
            break
        if not parts:
            return None
        columns = (*columns, parts.pop(0))
    if chosen.counted:
        if block.ids is None or not _count_rows(block.ids):
            return None
        block, columns = Block(None, block.values, block.fields), ()
    every = [*names, *survey.fields]
    if not columns and id_among(every, options.table):
        return None  # rows before it have no id
    options.tell_columns(chosen.without_texts([name for name in every if name != head.nameless]))
    tell_remarks(
        head, chosen, columns, options, _noted_lines(text, survey.empty), _noted_lines(text, survey.missing)
    )
    return block


def _count_rows(ids: Sequence[str | None]) -> bool:
    """Whether they are 0, 1, 2, ..."""
    parts = (range(at, min(at + PART, len(ids))) for at in range(0, len(ids), PART))
    return all(ids[part.start : part.stop] == TextColumn(list(map(str, part))) for part in parts)


def _noted_lines(column: str, found: tuple[int, list[int], str]) -> list[Noted]:
    count, lines, text = found
    return [Noted(column, count, [f"line {number}" for number in lines], text)] if count else []


def _form(form_of: FormOf, chosen: Chosen, id: Sequence[str], text: str, options: ReadOptions) -> TableForm:
    left_out = chosen.others | (without_sound(id) - set(chosen.renamed))
    # A table of both sides gives its fields once.
    is_second = options.table.both and options.table.side == "hypothesis"
    return form_of(list(id), text, sorted(left_out), list(chosen.renamed.items()), not is_second)


def _are_different(ids: Sequence[str | None], stored: Source | None, form: TableForm) -> bool:
    """Whether no id comes twice."""
    if stored is not None:
        return stored.have_different_ids(form)
    assert isinstance(ids, TextColumn)
    return len(TextIndex(ids)) == len(ids)


def _stored(source: Source, form: TableForm) -> tuple[Block, LineSurvey] | None:
    """A file that stays where it is."""
    survey, lines = source.survey(form), source.stored_lines(form)
    if lines is None or not (survey.is_text and survey.lines):
        return None
    fields = StoredFields(lines, survey.fields) if survey.fields else None
    return Block(lines.ids if survey.filled == survey.lines else None, lines.texts, fields), survey


def _at_once(source: Source, form: TableForm) -> tuple[Block, LineSurvey] | None:
    """The same of one that is in memory."""
    try:
        text = source.utf8[form.head_bytes :]
    except InputError:
        return None
    survey = LineSurvey(text, 0, form)
    part = form.part(text) if survey.is_text and survey.is_plain and survey.lines else None
    if part is None:
        return None
    ids, texts, fields = part
    return Block(ids, texts, fields if survey.fields else None), survey
