"""Tables whose rows are lines, as columns: `table_block`; no Python object is made of a row before somebody looks.

The native parser takes a row only if its columns are as those of the first rows, with one id and one text. Of a file
with any other row, and of one with something wrong in it, the reader of rows (`rows`) tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fstmetrics._native import LineSurvey, TableForm, TextColumn, TextIndex
from fstmetrics.io.blocks import Block, StoredFields
from fstmetrics.io.column_roles import Chosen, choose, id_among, without_sound
from fstmetrics.io.items import ReadOptions
from fstmetrics.io.rows import Noted, Rows, refuse_written, tell_remarks, text_columns
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import OpenBytes
from fstmetrics.support.source import Source

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
    tell_remarks(head, chosen, columns, options, _noted(text, survey.empty), _noted(text, survey.missing))
    return block


def _count_rows(ids: Sequence[str | None]) -> bool:
    """Whether they are 0, 1, 2, ..."""
    parts = (range(at, min(at + PART, len(ids))) for at in range(0, len(ids), PART))
    return all(ids[part.start : part.stop] == TextColumn(list(map(str, part))) for part in parts)


def _noted(column: str, found: tuple[int, list[int], str]) -> list[Noted]:
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
