"""Columns of Arrow as sides: `ArrowSide`, which reads what a column holds, row by row or without a copy.

A column is text, lists of texts, packed lattices, the text of one item in any format, or places in archives;
docs/batches.md has the types. pyarrow is imported where a batch comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import TextColumn, Vocabulary
from fstmetrics.data.nbest import NBest
from fstmetrics.io import FORMATS, archive_index
from fstmetrics.io.formats import packed_lattices
from fstmetrics.io.items import IndexedPlace, Item, ReadOptions, check_item
from fstmetrics.io.packed_file import FIELDS, NAME, VERSION, Field
from fstmetrics.scoring.pair_blocks import scored_value
from fstmetrics.support.arguments import beginning, row_of_words
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.names import listed

if TYPE_CHECKING:
    import pyarrow as pa

# Values of rows, and what is wrong with rows by their number; what values have there is not looked at.
Values = tuple[Sequence[Any], Mapping[int, str]]


class ArrowSide:
    """The hypotheses or the references of a batch.

    Args:
        name: of the column.
        type: of its values.
        is_hypothesis: whether lists of texts are n-best lists; those of references are several references.
        symbols: a symbol table, for lattices whose labels are numbers.

    Attributes:
        references: how many there are, as signatures have it.
        has_lists: whether a value is a list of texts.
        is_text: whether a value is a text.

    Raises:
        FstmetricsError: a type that is none of a side.
    """

    def __init__(self, name: str, type: pa.DataType, is_hypothesis: bool, symbols: str | None = None) -> None:
        self.name, self._is_hypothesis, self._options = name, is_hypothesis, ReadOptions(symbols)
        self.references = "1"
        self.has_lists = False
        self._read = self._reader(type)
        self.is_text = self._read is texts

    def _reader(self, type: pa.DataType) -> Callable[[pa.Array], Values]:
        pa = need("pyarrow", "scoring batches", "tables")
        if pa.types.is_dictionary(type):
            type = type.value_type
        if is_text(type) or (self._is_hypothesis and pa.types.is_null(type)):
            return texts
        if is_list(type) and is_text(type.value_type):
            fixed = pa.types.is_fixed_size_list(type)
            self.references = str(type.list_size) if fixed else "var"
            self.has_lists = True
            return self._lists
        if pa.types.is_struct(type):
            return self._reader_of_structures({type.field(n).name for n in range(type.num_fields)})
        raise self._unknown(str(type))

    def _reader_of_structures(self, names: set[str]) -> Callable[[pa.Array], Values]:
        self.references = "lattice"
        if {"states", "words"} <= names:
            if strange := sorted(names ^ {field.name for field in FIELDS}):
                raise FstmetricsError(
                    f"column {self.name!r}: packed lattices of version {VERSION} have other "
                    f"fields: {listed(strange)}; install a later version of fstmetrics, or pack the lattices again"
                )
            return packed
        if {"path", "offset", "length"} <= names <= set(archive_index.COLUMNS):
            return self._places
        if names == {"format", "data"}:
            self.references = "network"
            return self._pieces
        raise self._unknown(f"a structure of {listed(sorted(names))}")

    def _unknown(self, found: str) -> FstmetricsError:
        return FstmetricsError(
            f"column {self.name!r}: expected text, lists of texts, packed lattices, or structures of path, offset and "
            f"length or of format and data, found {found}; docs/batches.md has the types"
        )

    def read(self, column: pa.Array) -> Values:
        """The values of rows; a null is a fault."""
        values, faults = self._read(column)
        if column.null_count:
            nulls = np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False)).tolist()
            faults = {**faults, **dict.fromkeys(nulls, f"{self.name} is null")}
        return values, faults

    def _places(self, column: pa.Array) -> Values:
        """Items of archives."""
        return self._items(
            column, lambda row: archive_index.read_place(IndexedPlace(**{"id": None, **row}), self._options)
        )

    def _pieces(self, column: pa.Array) -> Values:
        """Items in the bytes of their files."""

        def read(row: dict[str, Any]) -> Item:
            if (
                not self._is_hypothesis
                and row["format"] in FORMATS
                and FORMATS[row["format"]].holds != "network"
            ):
                raise FstmetricsError(
                    f"{self.name} is {row['format']}, and expected is a network: lattices as references are a column "
                    "of packed lattices or of places in archives, texts one of texts"
                )
            data = row["data"].encode() if isinstance(row["data"], str) else row["data"]
            place = IndexedPlace(None, self.name, 0, len(data), format=row["format"])
            return archive_index.item_of(data, place, self._options)

        return self._items(column, read)

    def _items(self, column: pa.Array, read: Callable[[dict[str, Any]], Item]) -> Values:
        """The value of the item of each row; what cannot be read is a fault."""
        made: list[Any] = []
        faults: dict[int, str] = {}
        for place, row in enumerate(column.to_pylist()):
            made.append(None)
            needed = ("format", "data") if row and "data" in row else ("path", "offset", "length")
            if row is None or (lacking := next((name for name in needed if row[name] is None), None)):
                faults[place] = f"{self.name} is null" if row is None else f"{lacking} of {self.name} is null"
                continue
            try:
                item = read(row)
                check_item(item, row.get("path") or self.name)
                made[place] = scored_value(item.scored)
            except FstmetricsError as error:
                faults[place] = str(error)
        return made, faults

    def _lists(self, column: pa.Array) -> Values:
        made: list[Any] = []
        faults: dict[int, str] = {}
        for row, several in enumerate(column.to_pylist()):
            made.append(several)
            if several is None:
                continue
            if not several:
                faults[row] = f"{self.name} is an empty list; one empty text is ['']"
            elif None in several:
                faults[row] = f"{self.name} has a null among its texts"
            elif self._is_hypothesis:
                made[row] = NBest("", tuple(tuple(text.split()) for text in several), tuple(several))
            else:
                made[row] = tuple(several)
        return made, faults


def refuse_words(sides: Sequence[ArrowSide], values: Sequence[Sequence[Any]]) -> None:
    """Refuse lists that may have the words of one text, as tokenised columns do, in place of texts: none has more.

    As many references of a word each in all rows may be alternatives, as in lists of Python.

    Args:
        sides: both.
        values: of each row, for either side.

    Raises:
        FstmetricsError: there are such lists; the message has the first.
    """
    for side, own in zip(sides, values, strict=True):
        lists = list(map(_strings, own)) if side.has_lists else []
        found = next((row for row, texts in enumerate(lists) if len(texts) > 1), None)
        if found is not None and all(len(text.split()) < 2 for texts in lists for text in texts):
            several = list(filter(None, lists))
            beside = list(compress(values[0], lists))
            if sides[0].is_text and len({*map(len, several)}) == 1 and row_of_words(beside, several) is None:
                continue
            other = (
                "an n-best list or a network"
                if side is sides[0]
                else "a network (of format cards: '[S]: yes; yeah')"
            )
            raise FstmetricsError(
                f"{side.name} of row {found} (from 0) is a list of texts of one word each, "
                f"{beginning(lists[found])}, as all in this batch: if these are the words of one text, give "
                f"' '.join(list); if they are alternatives, give {other} as a structure of format and data, "
                "docs/batches.md"
            )


def _strings(value: object) -> Sequence[str]:
    """The texts of a row; none where it has something else."""
    if isinstance(value, NBest):
        return value.texts or ()
    texts = (value,) if isinstance(value, str) else value
    return texts if isinstance(texts, tuple) and all(isinstance(text, str) for text in texts) else ()


def is_text(type: pa.DataType) -> bool:
    """Whether values are strings."""
    pa = need("pyarrow", "scoring batches", "tables")
    views = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type) or views(type))


def is_list(type: pa.DataType) -> bool:
    """Whether values are lists."""
    pa = need("pyarrow", "scoring batches", "tables")
    return bool(pa.types.is_list(type) or pa.types.is_large_list(type) or pa.types.is_fixed_size_list(type))


def texts(column: pa.Array) -> tuple[TextColumn, Mapping[int, str]]:
    """Strings where they are in memory; nulls are empty."""
    pa = need("pyarrow", "scoring batches", "tables")
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        column = column.cast(pa.large_string())
    _, offsets, data = column.buffers()
    if not len(column) or offsets is None:
        return TextColumn([]), {}
    part = slice(column.offset, column.offset + len(column) + 1)
    content = np.frombuffer(data, np.uint8) if data else EMPTY
    if pa.types.is_string(column.type):
        return TextColumn.of_buffers(np.frombuffer(offsets, np.int32)[part], content), {}
    return TextColumn.of_buffers(np.frombuffer(offsets, np.int64)[part], content), {}


def refuse_version(metadata: Mapping[bytes, bytes] | None, name: str) -> None:
    """Raise an FstmetricsError where the metadata of a column say that packed lattices are of another version."""
    found = (metadata or {}).get(NAME.encode())
    if found is not None and found != str(VERSION).encode():
        raise FstmetricsError(
            f"column {name!r}: packed lattices of version {found.decode(errors='replace')}, and {VERSION} is "
            "known; install a later version of fstmetrics"
        )


def packed(column: pa.StructArray) -> Values:
    """Packed lattices, of which no Python object is made unless something is wrong with one."""
    arrays: dict[str, Any] = {}
    nulls = column.is_null().to_numpy(zero_copy_only=False)
    kept = column.drop_null() if column.null_count else column
    for name, child in zip([field.name for field in kept.type], kept.flatten(), strict=True):
        field = next(field for field in FIELDS if field.name == name)
        _add(arrays, name, child, field)
    values, faults = packed_lattices.lattices_of(arrays, Vocabulary())
    if not nulls.any():
        return values, faults
    places = np.flatnonzero(~nulls).tolist()
    spread: list[Any] = [None] * len(column)
    for row, place in enumerate(places):
        spread[place] = None if row in faults else values[row]
    return spread, {places[row]: fault for row, fault in faults.items()}


def _add(arrays: dict[str, Any], path: str, column: pa.Array, field: Field) -> None:
    """The arrays of a column, as files of packed lattices have them.

    Raises:
        FstmetricsError: another type, or a null.
    """
    pa = need("pyarrow", "scoring batches", "tables")
    if column.null_count:
        raise FstmetricsError(f"packed lattices: a value of {path} is null, and none may be")
    try:
        if field.in_dictionary:
            _add_words(arrays, path, column)
        elif field.type == "list":
            column = column.cast(pa.list_(column.type.value_type))
            offsets = column.offsets.to_numpy()
            arrays[f"{path}.offsets"] = np.ascontiguousarray(offsets - offsets[0], dtype=np.int32)
            values = column.values.slice(offsets[0], offsets[-1] - offsets[0])
            _add(arrays, f"{path}.{field.children[0].name}", values, field.children[0])
        elif field.type == "fixed":
            _add(arrays, f"{path}.{field.children[0].name}", column.flatten(), field.children[0])
        elif field.type == "structure":
            for child in field.children:
                place = column.type.get_field_index(child.name)
                _add(arrays, f"{path}.{child.name}", column.flatten()[place], child)
        elif field.type == "string":
            ends, content = texts(column)[0].joined()
            arrays[f"{path}.offsets"], arrays[f"{path}.bytes"] = ends.astype(np.int32), content
        else:
            kind = np.dtype(np.uint8 if field.type == "bool" else field.type)
            numbers = column.cast(pa.uint8()) if field.type == "bool" else column
            if field.type != "bool" and str(column.type).replace("double", "float64") != field.type:
                raise TypeError(f"expected {field.type}, found {column.type}")
            arrays[path] = np.ascontiguousarray(numbers.to_numpy(zero_copy_only=False), dtype=kind)
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise FstmetricsError(f"packed lattices: {path} is of another type: {error}") from None


def _add_words(arrays: dict[str, Any], path: str, column: pa.Array) -> None:
    """Words in a dictionary of which the first is no word; libraries may have left the dictionary out."""
    pa = need("pyarrow", "scoring batches", "tables")
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    words = column.dictionary.to_pylist()
    order = {word: number for number, word in enumerate(dict.fromkeys(["", *words]))}
    renamed = np.array([order[word] for word in words], dtype=np.int32)
    indices = column.indices.to_numpy()
    arrays[path] = renamed[indices] if len(renamed) else indices.astype(np.int32)
    ends, content = TextColumn(list(order)).joined()
    arrays["entries.offsets"], arrays["entries.bytes"] = ends.astype(np.int32), content


EMPTY = np.zeros(0, np.uint8)
