"""Both sides of `score` where one, or both, are columns of tables: `Named` says which, `sides_of_tables` gets them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.fields import Fields, fields_by_id, fields_of_items
from fstmetrics.support.arguments import described, ids_of, paired, refuse_other_labels
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.row_columns import (
    columns_of,
    frame_columns,
    key_columns,
    lasting,
    text_columns,
)

# Hypotheses, references, ids and fields of the same items in the same order.
Sides = tuple[list[Any], list[Any], list[str] | None, list[Fields] | None]
EXAMPLE = 'score(rows, hypothesis="pred_text", reference="text")'
# What to do with several columns of a side.
SEVERAL = {
    "hypothesis": "; fm.compare({'a': table['a'], 'b': table['b']}, table['text']) compares several",
    "reference": "; several are list(zip(table['a'], table['b']))",
}
# The column of a table that has the ids where none is named.
ID = "id"


@dataclass(frozen=True)
class Named:
    """Names of columns: of the hypotheses, the references and the ids; None where there is none."""

    hypothesis: str | None = None
    reference: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (value is None or isinstance(value, str)):
                several = SEVERAL.get(name, "") if isinstance(value, list | tuple) else ""
                raise FstmetricsError(
                    f"{name} is the name of a column, a string, not {described(value)}{several}"
                )
        if self.id is not None and self.hypothesis is None and self.reference is None:
            raise FstmetricsError(f"id names a column of a table; name those of the texts, too: {EXAMPLE}")

    def labelled(self, *tables: Any) -> list[Any]:
        """What has the labels of the rows of hypotheses and references: of columns in a dict the one that is named."""
        names = (self.hypothesis, self.reference)
        return [
            table.get(name) if name is not None and isinstance(table, Mapping) else table
            for table, name in zip(tables, names, strict=True)
        ]


@dataclass(frozen=True)
class _Side:
    """One side: its values, its ids if they are known, and the fields of its rows."""

    values: Any
    ids: list[str] | None = None
    fields: list[Fields] | None = None

    @property
    def has_ids(self) -> bool:
        """Whether a column, or a dict, says the ids."""
        return self.ids is not None or isinstance(self.values, Mapping)

    @property
    def by_id(self) -> Any:
        """A dict by id where the ids are known."""
        return self.values if self.ids is None else dict(zip(self.ids, self.values, strict=True))


def sides_of_tables(
    hypotheses: object, references: object, named: Named, ids: object, fields: object
) -> Sides:
    """What `score` is given, where columns are named.

    Args:
        hypotheses: a table, or the hypotheses where only the references are a column.
        references: None where one table has both sides; a table, or the references.
        named: the columns.
        ids: names of the items, where no column has them.
        fields: names of columns, of two tables those of the references'; or as of `score`. None: all columns that a
            frame of pandas or polars has beside those named.

    Raises:
        FstmetricsError: a column that is not there, or sides that do not pair.
    """
    if named.id is not None and ids is not None:
        raise FstmetricsError("ids and id are two ways to say the same; give one of them")
    sides = dict(zip(("hypotheses", "references"), named.labelled(hypotheses, references), strict=True))
    for side, rows in sides.items():
        refuse_other_labels({side: rows, "ids": ids})
    hypotheses, references = lasting(hypotheses, named.hypothesis), lasting(references, named.reference)
    names = _names_of_fields(fields)
    brings = fields is None
    taken = (*vars(named).values(), *([ID] if ids is None and named.id is None else [])) if brings else ()
    if isinstance(fields, list | tuple) and not fields:
        fields = None
    if references is None:
        if named.hypothesis is None or named.reference is None:
            lacking = "reference" if named.reference is None else "hypothesis"
            raise FstmetricsError(f"{lacking} is missing: it names a column of the table, as in {EXAMPLE}")
        columns, own = _columns(
            hypotheses, [named.hypothesis, named.reference], named.id, names, "the table", ids
        )
        hyps, refs, found = paired(columns[named.hypothesis], columns[named.reference], own)
        if brings:
            fields = frame_columns(hypotheses, taken) or None
        return hyps, refs, found, _fields(columns, names, fields, len(hyps))
    texts = (named.hypothesis, named.reference)
    are_tables = None not in texts
    # Of two tables, the references' has the fields.
    of_left, of_right = (names, ()) if named.reference is None else ((), names)
    right = _side(references, named.reference, named.id, of_right, "references", taken, ids)
    left = _side(
        hypotheses, named.hypothesis, named.id, of_left, "hypotheses", () if right.fields else taken, ids
    )
    if left.has_ids and right.has_ids:
        if are_tables and named.id is None:
            _refuse_contradicted(left, key_columns(hypotheses, texts), right, key_columns(references, texts))
        hyps, refs, found = paired(left.by_id, right.by_id, ids)
        if are_tables:
            _refuse_moved(hypotheses, named, refs, left.ids, found)
        if fields is not None and not names:
            return hyps, refs, found, fields_by_id(fields, found or ())
    else:
        refuse_other_labels(sides, 'id="COLUMN" to pair them by id')
        if are_tables and ids is None:
            _refuse_other_rows(key_columns(hypotheses, texts), key_columns(references, texts))
        hyps, refs, found = paired(left.values, right.values, left.ids or right.ids or ids)
        if are_tables:
            _refuse_moved(hypotheses, named, refs)
    if names or left.fields or right.fields:
        return hyps, refs, found, _in_order(right if right.fields else left, found)
    return hyps, refs, found, None if fields is None else fields_of_items(fields, len(hyps))


BY_POSITION = "where row N belongs to row N, give lists of the texts in place of tables"


def _refuse_other_rows(ours: Mapping[str, list[Any]], others: Mapping[str, list[Any]]) -> None:
    """Refuse two tables that would pair by position, where a column that may have ids has them in other rows.

    Args:
        ours, others: columns of the hypotheses and the references whose values are all different.

    Raises:
        FstmetricsError: a column of one name, or one with the same values, that is not the same in both.
    """
    for name, values in ours.items():
        for other, theirs in others.items():
            if len(values) != len(theirs) or values == theirs:
                continue
            if name == other:
                raise FstmetricsError(
                    f"hypotheses and references would pair by position, and {name!r} differs in the same rows, "
                    f"{_first_unlike(values, theirs)}: say which column has the ids, id={name!r}; {BY_POSITION}"
                )
            if not {*values}.isdisjoint(theirs):
                raise FstmetricsError(
                    f"hypotheses and references would pair by position, and {name!r} has values of {other!r} in other "
                    f"rows, {_first_unlike(values, theirs)}: if they are ids, give both columns one name and say id=; "
                    f"{BY_POSITION}"
                )


def _refuse_moved(
    hypotheses: object,
    named: Named,
    references: Sequence[Any],
    own_ids: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
) -> None:
    """Refuse a table of hypotheses paired with references which a column of its own has in other rows.

    Position pairs the rows, or ids that are whole numbers and may be no more than those of rows. The column of own
    references is the one that is called like those of the others; where there is none, any of texts half of which, or
    more, are among them.

    Args:
        hypotheses: the table.
        named: the columns; an id that is named is obeyed, with a warning.
        references: texts of the others, in the order of the items.
        own_ids, ids: those of the table's rows, and of the items; None where position pairs.

    Raises:
        FstmetricsError: the rows are in another order; of ids, most rows are.
    """
    if not all(type(value) is str for value in references) or (ids and not ids[0].isdecimal()):
        return
    from fstmetrics.engine.misplaced_items import moved_rows  # tables only

    columns = text_columns(hypotheses, [named.hypothesis])
    if named.reference in columns:
        columns = {named.reference: columns[named.reference]}
    for name, texts in columns.items():
        of_id = dict(zip(own_ids or (), texts, strict=bool(own_ids)))
        values = [of_id[id] for id in ids] if own_ids and ids else texts
        moved = moved_rows(values, references)
        if moved is None or (name != named.reference and 2 * moved.told < len(values)):
            continue
        row, place = moved.first
        is_refused = moved.are_most and named.id is None if own_ids else moved.is_order
        here, there = (
            (f"id {ids[row]}", f"id {ids[place]}") if ids else (f"row {row}", f"row {place} (from 0)")
        )
        found = f"hypotheses have {values[row]!r:.80} as {name} in {here}, and references in {there}"
        if is_refused:
            pairs, way = ("these ids", f"id={ID!r} obeys these") if own_ids else ("position", BY_POSITION)
            raise FstmetricsError(
                f'{found}, so {pairs} would pair other rows: say which column has the ids, id="COLUMN", or put the '
                f"rows in one order; {way}; without other references, reference={name!r} takes those of the "
                "hypotheses' table"
            )
        warn(f"{found}: {moved.rows} rows have references of other rows")


def _first_unlike(values: Sequence[Any], others: Sequence[Any]) -> str:
    row = next(row for row, pair in enumerate(zip(values, others, strict=True)) if pair[0] != pair[1])
    return f"{values[row]!r:.80} and {others[row]!r:.80} in row {row} (from 0)"


def _refuse_contradicted(
    left: _Side, ours: Mapping[str, list[Any]], right: _Side, others: Mapping[str, list[Any]]
) -> None:
    """Refuse two tables whose ids are whole numbers, where a column of texts, all different, pairs other rows.

    Raises:
        FstmetricsError: the numbers may be no more than those of rows.
    """
    if left.ids is None or right.ids is None or not all(id.isdecimal() for id in (*left.ids, *right.ids)):
        return
    for name in ours.keys() & others.keys() - {ID}:
        values, theirs = (
            dict(zip(side.ids or (), columns[name], strict=True))
            for side, columns in ((left, ours), (right, others))
        )
        known = {*values.values()} & {*theirs.values()}
        for id, value in values.items():
            its = theirs.get(id, value)
            if its != value and type(value) is str and not known.isdisjoint((value, its)):
                raise FstmetricsError(
                    f"the id {id} has the {name} {value!r:.80} in hypotheses, and {its!r:.80} in references: say "
                    f"which column has the ids, id={name!r} or id={ID!r}"
                )


def _in_order(side: _Side, ids: list[str] | None) -> list[Fields] | None:
    """The fields of a table's rows in the order of the items."""
    if side.fields is None or side.ids is None or ids is None or side.ids == ids:
        return side.fields
    of_id = dict(zip(side.ids, side.fields, strict=True))
    return [of_id[id] for id in ids]


def _side(
    given: object,
    column: str | None,
    id: str | None,
    names: Sequence[str],
    name: str,
    taken: Collection[str | None],
    given_ids: object,
) -> _Side:
    """One side; a frame brings the columns that are not taken as fields, where some are."""
    if column is None:
        return _Side(given)
    columns, ids = _columns(given, [column], id, names, name, given_ids)
    values = columns[column]
    fields = _fields(columns, names, (frame_columns(given, taken) or None) if taken else None, len(values))
    return _Side(values, None if ids is given_ids else ids, fields)


def _columns(
    table: object, texts: Sequence[str], id: str | None, fields: Sequence[str], name: str, ids: Any
) -> tuple[dict[str, list[Any]], Any]:
    """The columns, and the ids: those of the column `id`, by default of one of this name, else what is given."""
    wanted = dict.fromkeys([*texts, *([] if id is None else [id]), *fields])
    optional = [field for field in fields if field not in (*texts, id)]
    usual = ID if id is None and ids is None and ID not in texts else None
    columns = columns_of(table, list(wanted), name, optional, usual)
    for text in texts:
        _refuse_no_text(columns[text], text, name)
    if id is not None:
        return columns, _ids(columns, id)
    if usual is None or usual not in columns:
        return columns, ids
    try:
        return columns, _ids(columns, usual)
    except FstmetricsError as error:
        raise FstmetricsError(
            f'{name}: the column {usual!r} has the ids, and {error}; id="COLUMN" names another column, ids=[...] '
            "gives ids"
        ) from None


def _refuse_no_text(values: list[Any], column: str, name: str) -> None:
    """Raise an FstmetricsError for a cell that is empty or a number, as a text that is missing is in many tables; or an
    object.
    """
    kinds = {type(None), int, float, bool, dict}
    if kinds.isdisjoint(map(type, values)):
        return
    row = next(number for number, value in enumerate(values) if type(value) in kinds)
    inner = [f"{column}.{name}" for name in values[row]] if type(values[row]) is dict else []
    what = f"an object; name a column of it: {', '.join(inner)}" if inner else described(values[row])
    raise FstmetricsError(f"{name}[{row}]: {column!r} is no text, but {what}")


def _ids(columns: Mapping[str, list[Any]], id: str) -> list[str]:
    """Ids as strings; numbers as they are written."""
    values = [str(value) if type(value) is int else value for value in columns[id]]
    return ids_of(values, len(values))


def _names_of_fields(fields: object) -> Sequence[str]:
    """The names of columns, if `fields` is that."""
    if isinstance(fields, str):
        return [fields]
    if isinstance(fields, list | tuple) and fields and all(isinstance(name, str) for name in fields):
        return fields
    return ()


def _fields(
    columns: Mapping[str, list[Any]], names: Sequence[str], given: object, items: int
) -> list[Fields] | None:
    if names:
        return fields_of_items({name: columns[name] for name in names}, items)
    return None if given is None else fields_of_items(given, items)
