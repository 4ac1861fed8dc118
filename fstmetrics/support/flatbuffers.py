"""FlatBuffers, as far as the heads of Arrow files need them: `Builder` writes tables, `Table` reads them.

Layout as in Google's description (flatbuffers.dev, "FlatBuffer Internals"): a table begins with the distance to its
vtable, which says where in the table each field is; a string, a vector or another table is a distance to it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Tables and structures begin at multiples of it, so that no field needs more.
ALIGNMENT = 8


@dataclass(frozen=True, slots=True)
class Ref:
    """Something that has been built: how many bytes there are from where it begins to the end of the buffer."""

    from_end: int


# A field of a table: a struct code and a number, or a reference.
Value = tuple[str, int] | Ref


class Builder:
    """A buffer that grows to the front, so that what is referred to is built before what refers to it."""

    def __init__(self) -> None:
        self._data = b""

    def _add(self, content: bytes, alignment: int, before: int = 0) -> Ref:
        """Put bytes in front, so that what begins behind `before` of them is aligned."""
        padding = -(len(self._data) + len(content) - before) % alignment
        self._data = content + bytes(padding) + self._data
        return Ref(len(self._data))

    def string(self, text: str) -> Ref:
        """A string."""
        data = text.encode()
        return self._add(struct.pack("<I", len(data)) + data + b"\0", 4)

    def structures(self, layout: str, rows: Sequence[tuple[int, ...]]) -> Ref:
        """A vector of structures of a layout, whose size is a multiple of 8."""
        content = b"".join(struct.pack(layout, *row) for row in rows)
        return self._add(struct.pack("<I", len(rows)) + content, ALIGNMENT, before=4)

    def vector(self, items: Sequence[Ref]) -> Ref:
        """A vector of strings or tables."""
        size = 4 * len(items)
        end = len(self._data) + -len(self._data) % 4
        places = [end + size - 4 * place - item.from_end for place, item in enumerate(items)]
        return self._add(struct.pack(f"<I{len(items)}I", len(items), *places), 4)

    def table(self, fields: Mapping[int, Value]) -> Ref:
        """A table; fields by number."""
        sizes = {n: 4 if isinstance(value, Ref) else struct.calcsize(value[0]) for n, value in fields.items()}
        places: dict[int, int] = {}
        size = 4
        for number in sorted(fields, key=lambda n: -sizes[n]):
            size += -size % sizes[number]
            places[number] = size
            size += sizes[number]
        content = bytearray(size)
        begin = len(self._data) + size
        begin += -begin % ALIGNMENT
        for number, value in fields.items():
            if isinstance(value, Ref):
                struct.pack_into("<I", content, places[number], begin - places[number] - value.from_end)
            else:
                struct.pack_into(f"<{value[0]}", content, places[number], value[1])
        slots = [places.get(number, 0) for number in range(max(fields, default=-1) + 1)]
        vtable = struct.pack(f"<HH{len(slots)}H", 4 + 2 * len(slots), size, *slots)
        struct.pack_into("<i", content, 0, len(vtable))
        table = self._add(bytes(content), ALIGNMENT)
        self._add(vtable, 1)
        return table

    def finished(self, root: Ref) -> bytes:
        """The buffer of a table and all that it refers to; its size is a multiple of 8."""
        size = len(self._data) + 4
        size += -size % ALIGNMENT
        return struct.pack("<I", size - root.from_end).ljust(size - len(self._data), b"\0") + self._data


class Table:
    """A table of a buffer.

    Methods raise ValueError or struct.error where the buffer is damaged.
    """

    def __init__(self, data: bytes, place: int) -> None:
        self._data = data
        self._place = place
        self._vtable = place - _number(data, "i", place)
        self._slots = (_number(data, "H", self._vtable) - 4) // 2

    @classmethod
    def root(cls, data: bytes) -> Table:
        """The table that a buffer is about."""
        return cls(data, _number(data, "I", 0))

    def _field(self, number: int) -> int:
        """Where a field is; 0 if it is left out."""
        offset = _number(self._data, "H", self._vtable + 4 + 2 * number) if number < self._slots else 0
        return self._place + offset if offset else 0

    def number(self, field: int, code: str, default: int = 0) -> int:
        """A number of a struct code."""
        place = self._field(field)
        return _number(self._data, code, place) if place else default

    def _target(self, field: int) -> int:
        if not (place := self._field(field)):
            raise ValueError("a field is missing")
        return place + _number(self._data, "I", place)

    def table(self, field: int) -> Table:
        """A table."""
        return Table(self._data, self._target(field))

    def string(self, field: int) -> str:
        """A string."""
        place = self._target(field)
        size = _number(self._data, "I", place)
        if place + 4 + size > len(self._data):
            raise ValueError("a string is cut off")
        return self._data[place + 4 : place + 4 + size].decode()

    def tables(self, field: int) -> list[Table]:
        """A vector of tables; none where it is left out."""
        if not self._field(field):
            return []
        place = self._target(field)
        begins = range(place + 4, place + 4 + 4 * self._count(place, 4), 4)
        return [Table(self._data, begin + _number(self._data, "I", begin)) for begin in begins]

    def structures(self, field: int, layout: str) -> list[tuple[int, ...]]:
        """A vector of structures of a layout; none where it is left out."""
        if not self._field(field):
            return []
        place, size = self._target(field), struct.calcsize(layout)
        end = place + 4 + size * self._count(place, size)
        return list(struct.iter_unpack(layout, self._data[place + 4 : end]))

    def _count(self, place: int, size: int) -> int:
        count = _number(self._data, "I", place)
        if count > (len(self._data) - place) // size:
            raise ValueError("a vector is cut off")
        return count


def _number(data: bytes, code: str, place: int) -> int:
    if place < 0:
        raise ValueError("a place before the beginning")
    return int(struct.unpack_from(f"<{code}", data, place)[0])
