"""Arrow files of one schema, written and read without pyarrow, which reads them, too; with a checksum of every part.

- `Kind`, `Field`: a schema. There are no nulls: an empty list stands for what is absent.
- `Columns`: the arrays of a batch, by path: "arcs.item.label" has the labels, "arcs.offsets" where lists begin.
- `ArrowWriter`, `ArrowFile`: batches to the parts of a file, and back.

Layout as in "Arrow Columnar Format" 1.5, "IPC File Format", little-endian, uncompressed. One field may be strings of a
dictionary; every batch adds to it the strings that are new. The footer's metadata hold, in hexadecimal digits, the
XXH64 of every dictionary and batch, head and body, in the order of the file (`checksums`), and that of the footer
itself with zeros for these digits (`footer-checksum`). The schema's metadata hold a name and a version.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics.support.flatbuffers import Builder, Ref, Table

Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
Type = Literal["string", "int32", "int64", "float64", "bool", "list", "structure", "fixed"]

MAGIC = b"ARROW1"
HEAD_MARK = b"\xff\xff\xff\xff"
VERSION = 4  # of Arrow's metadata: V5
SCHEMA, DICTIONARY, BATCH = 1, 2, 3  # kinds of messages
DICTIONARY_ID = 0
BLOCK = "<qi4xq"  # where a message begins, bytes of its head, bytes of its body
PAIR = "<qq"
# Numbers of Arrow's types in Schema.fbs, and how each table of one is filled.
TYPES: Mapping[Type, tuple[int, Mapping[int, tuple[str, int]]]] = {
    "string": (5, {}),
    "int32": (2, {0: ("i", 32), 1: ("b", 1)}),
    "int64": (2, {0: ("i", 64), 1: ("b", 1)}),
    "float64": (3, {0: ("h", 2)}),
    "bool": (6, {}),
    "list": (12, {}),
    "structure": (13, {}),
    "fixed": (16, {}),
}
NUMBERS: Mapping[Type, str] = {"int32": "<i4", "int64": "<i8", "float64": "<f8", "bool": "u1"}
CHECKSUM, CHECKSUMS = "footer-checksum", "checksums"
DIGITS = 16
HEXADECIMAL = re.compile(r"[0-9a-f]*")


class DamagedError(ValueError):
    """The file is not as it was written; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column, or what it is made of.

    Attributes:
        name: its name; items of lists are called "item".
        type: its type; a `bool` is in the arrays a byte each.
        children: of a list or fixed list its items, of a structure its fields.
        size: of a fixed list, how many items.
        in_dictionary: whether strings are numbers of the dictionary; the arrays have these.
    """

    name: str
    type: Type
    children: tuple[Field, ...] = ()
    size: int = 0
    in_dictionary: bool = False

    def built(self, builder: Builder) -> Ref:
        """The field in a schema."""
        number, numbers = TYPES[self.type]
        own: dict[int, Any] = dict(numbers)
        if self.type == "fixed":
            own[0] = ("i", self.size)
        fields: dict[int, Any] = {
            0: builder.string(self.name),
            1: ("b", 0),
            2: ("B", number),
            3: builder.table(own),
        }
        if self.in_dictionary:
            index = builder.table(TYPES["int32"][1])
            fields[4] = builder.table({0: ("q", DICTIONARY_ID), 1: index})
        fields[5] = builder.vector([child.built(builder) for child in self.children])
        return builder.table(fields)


def one(name: str, type: Type) -> Field:
    """A column of numbers or strings."""
    return Field(name, type)


def several(name: str, item: Field) -> Field:
    """A column of lists."""
    return Field(name, "list", (item,))


@dataclass(frozen=True, slots=True)
class Schema:
    """Columns, and what is written with them.

    Attributes:
        fields: the columns.
        name: what the file holds, a key of the metadata.
        version: of the schema, its value.
    """

    fields: tuple[Field, ...]
    name: str
    version: int

    def built(self, builder: Builder) -> Ref:
        """The schema in a message or a footer."""
        fields = builder.vector([field.built(builder) for field in self.fields])
        return builder.table({1: fields, 2: _metadata(builder, {self.name: str(self.version)})})


def _metadata(builder: Builder, texts: Mapping[str, str]) -> Ref:
    pairs = [builder.table({0: builder.string(key), 1: builder.string(text)}) for key, text in texts.items()]
    return builder.vector(pairs)


@dataclass(slots=True)
class _Layout:
    """The arrays of a batch in the order of the file: lengths of nodes, and bytes."""

    nodes: list[int] = field(default_factory=list)
    buffers: list[bytes | memoryview] = field(default_factory=list)

    def add(self, columns: Columns, field: Field, path: str, length: int) -> None:
        """Add a column of so many entries."""
        self.nodes.append(length)
        self.buffers.append(b"")  # that nothing is null
        if field.in_dictionary:
            self._numbers(columns[path], "<i4")
        elif field.type in NUMBERS:
            array = np.asarray(columns[path])
            if field.type == "bool":
                array = np.packbits(array.astype(bool), bitorder="little")
            self._numbers(array, NUMBERS[field.type])
        elif field.type in ("list", "string"):
            offsets = columns[f"{path}.offsets"]
            self._numbers(offsets, "<i4")
            length = int(offsets[-1])
            if field.type == "string":
                self._numbers(columns[f"{path}.bytes"], "u1")
        for child in field.children:
            self.add(columns, child, f"{path}.{child.name}", length * (field.size or 1))

    def _numbers(self, array: Array, code: str) -> None:
        self.buffers.append(np.ascontiguousarray(array, dtype=code).reshape(-1).view(np.uint8).data)


def strings(texts: Sequence[str], path: str) -> dict[str, Array]:
    """The arrays of a column of strings. Raises UnicodeEncodeError for half a surrogate pair."""
    encoded = [text.encode() for text in texts]
    offsets = np.concatenate([[0], np.cumsum([len(data) for data in encoded], dtype=np.int64)])
    return {
        f"{path}.offsets": offsets,
        f"{path}.bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8),
    }


ENTRIES = Field("entries", "string")


class ArrowWriter:
    """The parts of a file, in order."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._size = 0
        self._dictionaries: list[tuple[int, int, int]] = []
        self._batches: list[tuple[int, int, int]] = []
        self._checksums: list[int] = []

    def begin(self) -> bytes:
        """What comes first."""
        builder = Builder()
        head = _message(builder, SCHEMA, self._schema.built(builder), 0)
        return self._passed(MAGIC + bytes(2) + _framed(head))

    def words(self, texts: Sequence[str]) -> bytes:
        """Further strings of the dictionary; of the first ones, all that the next batch names."""
        builder, layout = Builder(), _Layout()
        layout.add(strings(texts, "entries"), ENTRIES, "entries", len(texts))
        batch, body = _batch(builder, layout, len(texts))
        fields: dict[int, Any] = {0: ("q", DICTIONARY_ID), 1: batch, 2: ("b", int(bool(self._dictionaries)))}
        return self._part(builder, DICTIONARY, builder.table(fields), body, self._dictionaries)

    def batch(self, columns: Columns, length: int) -> bytes:
        """A batch of so many rows."""
        builder, layout = Builder(), _Layout()
        for each in self._schema.fields:
            layout.add(columns, each, each.name, length)
        batch, body = _batch(builder, layout, length)
        return self._part(builder, BATCH, batch, body, self._batches)

    def end(self) -> bytes:
        """What comes last."""
        checksums = "".join(f"{number:0{DIGITS}x}" for number in self._checksums)
        builder = Builder()
        footer = builder.table(
            {
                0: ("h", VERSION),
                1: self._schema.built(builder),
                2: builder.structures(BLOCK, self._dictionaries),
                3: builder.structures(BLOCK, self._batches),
                4: _metadata(builder, {CHECKSUMS: checksums, CHECKSUM: "0" * DIGITS}),
            }
        )
        data = builder.finished(footer)
        own = f"{_sum(data):0{DIGITS}x}"
        data = data.replace(CHECKSUM_ZEROS, _string(own), 1)
        return HEAD_MARK + bytes(4) + data + struct.pack("<i", len(data)) + MAGIC

    def _part(
        self, builder: Builder, kind: int, header: Ref, body: bytes, blocks: list[tuple[int, int, int]]
    ) -> bytes:
        head = _framed(_message(builder, kind, header, len(body)))
        part = head + body
        blocks.append((self._size, len(head), len(body)))
        self._checksums.append(_sum(part))
        return self._passed(part)

    def _passed(self, part: bytes) -> bytes:
        self._size += len(part)
        return part


def _string(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode()


# Bytes between the last part and the footer.
END_MARK = len(HEAD_MARK) + 4
CHECKSUM_ZEROS = _string("0" * DIGITS)


def _sum(data: bytes | memoryview) -> int:
    return _native.xxh64(np.frombuffer(data, dtype=np.uint8))


def _message(builder: Builder, kind: int, header: Ref, size: int) -> bytes:
    fields: dict[int, Any] = {0: ("h", VERSION), 1: ("B", kind), 2: header, 3: ("q", size)}
    return builder.finished(builder.table(fields))


def _framed(head: bytes) -> bytes:
    return HEAD_MARK + struct.pack("<i", len(head)) + head


def _batch(builder: Builder, layout: _Layout, length: int) -> tuple[Ref, bytes]:
    """The head of a batch, and its body: the arrays, each from a multiple of 8 on."""
    places, at, pieces = [], 0, []
    for data in layout.buffers:
        places.append((at, len(data)))
        padding = -len(data) % 8
        pieces += [data, bytes(padding)]
        at += len(data) + padding
    nodes = builder.structures(PAIR, [(node, 0) for node in layout.nodes])
    fields: dict[int, Any] = {0: ("q", length), 1: nodes, 2: builder.structures(PAIR, places)}
    return builder.table(fields), b"".join(pieces)


class Content(Protocol):
    """Bytes of which parts are looked at."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> memoryview: ...


class ArrowFile:
    """A file of a schema.

    Args:
        data: all of it, in memory or mapped, or read where it is looked at.
        schema: what it should be.

    Attributes:
        checksum: of its footer, which has the checksums of all else.

    Raises:
        DamagedError: cut off, damaged, or of another schema or version.
    """

    def __init__(self, data: Content, schema: Schema) -> None:
        self._data = data
        self._schema = schema
        self.checksum = ""
        try:
            self._blocks = self._footer()
        except (ValueError, struct.error, RecursionError) as error:
            raise (
                error if isinstance(error, DamagedError) else DamagedError("its footer is damaged")
            ) from None

    def _footer(self) -> list[tuple[bool, tuple[int, ...], int]]:
        """Whether each part is of the dictionary, where it is, and its checksum; in the order of the file."""
        data, size = self._data, len(self._data)
        if bytes(data[-len(MAGIC) :]) != MAGIC or size < len(MAGIC) + 4:
            raise DamagedError("it is cut off")
        [length] = struct.unpack("<i", data[size - len(MAGIC) - 4 : size - len(MAGIC)])
        begin = size - len(MAGIC) - 4 - length
        if begin < 0 or length < 0:
            raise DamagedError("its footer is damaged")
        content = bytes(data[begin : begin + length])
        table = Table.root(content)
        metadata = {pair.string(0): pair.string(1) for pair in table.tables(4)}
        own = metadata.get(CHECKSUM, "")
        blank = content.replace(_string(own), CHECKSUM_ZEROS, 1)
        if len(own) != DIGITS or f"{_sum(blank):0{DIGITS}x}" != own:
            raise DamagedError("the checksum of its footer is wrong")
        self.checksum = own
        self._check_schema(table.table(1))
        parts = _parts(table, metadata.get(CHECKSUMS, ""), begin)
        if parts and max(sum(place) for _, place, _ in parts) + END_MARK != begin:
            raise DamagedError(
                "it has more than its footer says: are several files joined? Read them one by one, or from a folder"
            )
        return parts

    def _check_schema(self, table: Table) -> None:
        name, version = self._schema.name, self._schema.version
        found = {pair.string(0): pair.string(1) for pair in table.tables(2)}.get(name, "")
        if not found.isascii() or not found.isdigit() or int(found) < 1:
            raise DamagedError(f"it has no version of {name}")
        if int(found) > version:
            raise DamagedError(
                f"it has version {found} of {name}, and this program reads up to version {version}; install a later one"
            )

    def __len__(self) -> int:
        """How many batches there are."""
        return sum(not is_words for is_words, _, _ in self._blocks)

    def sizes(self) -> dict[int, int]:
        """How many bytes each batch has, by where it begins."""
        return {begin: head + body for is_words, (begin, head, body), _ in self._blocks if not is_words}

    def parts(self, only: int | None = None) -> Iterator[tuple[int, int, Columns]]:
        """The batches: where each begins, how many rows it has, its arrays; "entries" are strings new with it.

        Args:
            only: where the one batch begins that is wanted; "entries" are then all strings up to it.

        Raises:
            DamagedError: a checksum is wrong; what it says is then in no batch.
        """
        words: list[Columns] = []
        for is_words, (begin, head, body), checksum in self._blocks:
            if only is not None and begin != only and not (is_words and begin < only):
                continue
            part = self._data[begin : begin + head + body]
            if _sum(part) != checksum:
                raise DamagedError(
                    f"the checksum of the part from byte {begin} to {begin + head + body} is wrong"
                )
            try:
                length, columns = self._columns(bytes(part[8:head]), part[head:], is_words)
            except (ValueError, struct.error) as error:
                raise DamagedError(f"the part at byte {begin} is not as it should be: {error}") from None
            if is_words:
                words.append(columns)
            else:
                yield begin, length, {**columns, **_joined(words)}
                words = []

    def _columns(self, head: bytes, body: memoryview, is_words: bool) -> tuple[int, Columns]:
        message = Table.root(head)
        batch = message.table(2)
        if is_words:
            batch = batch.table(1)
        length = batch.number(0, "q")
        nodes = [node for node, _ in batch.structures(1, PAIR)]
        reader = _Reader(body, nodes, batch.structures(2, PAIR))
        for each in (ENTRIES,) if is_words else self._schema.fields:
            reader.read(each, each.name, length)
        return length, reader.columns


def _joined(words: Sequence[Columns]) -> Columns:
    """The strings of some parts of a dictionary, which most often are one."""
    if len(words) == 1:
        return words[0]
    offsets, at = [np.zeros(1, dtype=np.int64)], 0
    for columns in words:
        offsets.append(columns["entries.offsets"][1:].astype(np.int64) + at)
        at = int(offsets[-1][-1]) if offsets[-1].size else at
    pieces = [columns["entries.bytes"] for columns in words] or [np.zeros(0, dtype=np.uint8)]
    return {"entries.offsets": np.concatenate(offsets), "entries.bytes": np.concatenate(pieces)}


def _parts(table: Table, checksums: str, end: int) -> list[tuple[bool, tuple[int, ...], int]]:
    blocks = [(True, block) for block in table.structures(2, BLOCK)]
    blocks += [(False, block) for block in table.structures(3, BLOCK)]
    blocks.sort(key=lambda part: part[1])
    if len(checksums) != DIGITS * len(blocks) or not HEXADECIMAL.fullmatch(checksums):
        raise DamagedError("its footer has no checksum of every part")
    parts: list[tuple[bool, tuple[int, ...], int]] = []
    for place, (is_words, (begin, head, body)) in enumerate(blocks):
        if begin < 0 or head < 8 or body < 0 or begin + head + body > end:
            raise DamagedError("its footer is damaged")
        checksum = int(checksums[DIGITS * place : DIGITS * (place + 1)], 16)
        parts.append((is_words, (begin, head, body), checksum))
    return parts


class _Reader:
    """Takes the arrays of a batch apart, in the order of `_Layout`."""

    def __init__(self, body: memoryview, nodes: Sequence[int], places: Sequence[tuple[int, ...]]) -> None:
        self.columns: dict[str, Array] = {}
        self._body = body
        self._nodes = iter(nodes)
        self._places = iter(places)

    def read(self, field: Field, path: str, length: int) -> None:
        """Read a column of so many entries."""
        if next(self._nodes, -1) != length or next(self._places, (0, 1))[1]:
            raise ValueError(f"the column {path}")
        if field.in_dictionary:
            self.columns[path] = self._numbers("<i4", length, path)
        elif field.type == "bool":
            bits = self._numbers("u1", -(-length // 8), path)
            self.columns[path] = np.unpackbits(bits, count=length, bitorder="little")
        elif field.type in NUMBERS:
            self.columns[path] = self._numbers(NUMBERS[field.type], length, path)
        elif field.type in ("list", "string"):
            offsets = self._numbers("<i4", length + 1, path)
            if offsets[0] != 0 or (np.diff(offsets) < 0).any():
                raise ValueError(f"the column {path}")
            self.columns[f"{path}.offsets"] = offsets
            length = int(offsets[-1])
            if field.type == "string":
                self.columns[f"{path}.bytes"] = self._numbers("u1", length, path)
        for child in field.children:
            self.read(child, f"{path}.{child.name}", length * (field.size or 1))

    def _numbers(self, code: str, count: int, path: str) -> Array:
        begin, size = next(self._places, (0, -1))
        if size != np.dtype(code).itemsize * count or begin < 0 or begin + size > len(self._body):
            raise ValueError(f"the column {path}")
        return np.frombuffer(self._body, dtype=code, count=count, offset=begin)
