"""Files of packed lattices: batches of columns in the layout of an Arrow file, with a checksum of every part.

- `Field`: a column, or what it is made of. There are no nulls: an empty list stands for what is absent.
- `Columns`: the arrays of a batch, by path: "arcs.item.label" has the labels, "arcs.offsets" where lists begin.
- `PackedFileWriter`, `PackedFile`: batches to the parts of a file, and back.

Layout as in "Arrow Columnar Format" 1.5, "IPC File Format", little-endian, uncompressed. One field is strings of a
dictionary; every batch adds to it the strings that are new. As all files have the same columns, the heads of their
parts are the same bytes but for a few numbers: no FlatBuffers are built or read here. The footer's metadata hold, in
hexadecimal digits, the XXH64 of every dictionary and batch, head and body, in the order of the file (`checksums`), and
that of the footer itself with zeros for these digits (`footer-checksum`).
"""

from __future__ import annotations

import re
import struct
import zlib
from base64 import b85decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from fstmetrics import _native

Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
Type = Literal["string", "int32", "int64", "float64", "bool", "list", "structure", "fixed"]

NUMBERS: Mapping[str, str] = {"int32": "<i4", "int64": "<i8", "float64": "<f8", "bool": "u1"}


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


def _list(name: str, item: Field) -> Field:
    return Field(name, "list", (item,))


_PAIR = Field("item", "fixed", (Field("item", "float64"),), 2)
_ARC = Field("item", "structure", tuple(Field(name, "int32") for name in ("source", "destination", "label")))
# The version is in metadata, which Spark drops, and of which Ray and pyarrow keep those of the first of several files.
# So each version has another name for the column `arcs`: whoever looks for that of another one finds none, or nulls.
NAME, VERSION = "fstmetrics.lattices", 1
FIELDS = (
    Field("id", "string"),
    Field("states", "int32"),
    Field("start", "int32"),
    _list("words", Field("item", "string", in_dictionary=True)),
    _list("arcs", _ARC),
    _list("arc_costs", _PAIR),
    _list("finals", Field("item", "int32")),
    _list("final_costs", _PAIR),
    _list("state_times", Field("item", "float64")),
    _list("arc_durations", Field("item", "int64")),
    Field("time_unit", "string"),
    Field("scales", "fixed", (Field("item", "float64"),), 3),
    Field("numbered", "bool"),
)
ENTRIES = Field("entries", "string")
# The schema of these fields as Arrow's FlatBuffers have it, which every file begins and ends with.
_SCHEMA = zlib.decompress(b85decode(
    b"c-qxfJx{|h5WO}bq>xGh3SwYjU|>K<Y>XWl7&<Z_l{9gMrL?JHNBj{6Mn--BBR_?KAHm4Lv-3fVlBTFtB^<pfwXb*g-d)c`Y"
    b"Hg8&Pm^rC5nTf|rK<rr`n#jg)qdyK`30~C422vq8FOEphn|$&XM)<;f7~Rx0=_JwOW@5U`Y;d&m^6vr;iL<E!uBrn@6s;fxw"
    b"NArId~&F0S>c#$f9DI`bn3v9w(y#i&;PwekNHQCp9Q|)Wy}DjXbJ_$JA*wbq+*avXR=ivwfqmBoe+CLXLV~8|A!OfaD|APsU"
    b"u%;dP(;aq4-UP4jBz`n8HWceCHq48NbeRBgT3?*~cjNgj<wMVxS2Z)eqd&+4?Tw3eP^eWjKt_5TXI{2`xkP5n~GYskl5*!Lq"
    b"L#ailrTvLB5&#9uX|D(>Wtfy0z%j4c4sa|7oUL73TxqUmeH!^+Z&AZbD>!U_S=nYu7f;y`{3z(27tNKeX?N86XD2aVGt8<zD"
    b"W~#lYn%mF7Q)NFLz`jHK`lfQV{VmV~j!I^$4O<&lHq9=Vs`=FAuiQUGaUfPuPt34bF6qb0XW<g}j&jd&lYRqOYI6h"
))  # fmt: skip

MAGIC, HEAD_MARK = b"ARROW1", b"\xff\xff\xff\xff"
SCHEMA, DICTIONARY, BATCH = 1, 2, 3  # kinds of messages
BLOCK, PAIR = "<qi4xq", "<qq"  # where a part begins, bytes of its head, bytes of its body; entries, nulls
# Tables of FlatBuffers up to their first number that is not the same everywhere.
_MESSAGE = bytes.fromhex("10000000 0c001700 14001600 10000800 0c000000 00000000")
_ROWS = bytes.fromhex("0a001800 08001000 14000a00 00000000 0000")
_WORDS = bytes.fromhex("0a001500 08001000 14000a00 00000000 00000000 00000000 00001000 0000")
_FOOTER = bytes.fromhex("18000000 00000000 00000e00 16001400 04000800 0c001000 0e000000")
_METADATA = bytes.fromhex(
    "0c000000 04000000 00000000 02000000 50000000 0c000000 08000c00 04000800 08000000 20000000 04000000 10000000"
)
_OTHER_KEY = bytes.fromhex("08000c00 04000800 08000000")
CHECKSUM, CHECKSUMS = b"footer-checksum", b"checksums"
DIGITS = 16
# Where in a footer are its own checksum, and how many digits those of the parts have.
_OWN = slice(88, 88 + DIGITS)
_SIZE = 148
HEXADECIMAL = re.compile(rb"[0-9a-f]*")
# The version of the columns, as the schema's metadata have it.
_VERSION = re.compile(rb"(\d+)\x00+%b%b\x00" % (struct.pack("<I", len(NAME)), NAME.encode()))


def strings(texts: Sequence[str], path: str) -> dict[str, Array]:
    """The arrays of a column of strings. Raises UnicodeEncodeError for half a surrogate pair."""
    encoded = [text.encode() for text in texts]
    offsets = np.concatenate([[0], np.cumsum([len(data) for data in encoded], dtype=np.int64)])
    return {
        f"{path}.offsets": offsets,
        f"{path}.bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8),
    }


class _Layout:
    """The arrays of a batch in the order of the file: lengths of nodes, and bytes."""

    def __init__(self) -> None:
        self.nodes: list[int] = []
        self.buffers: list[bytes | memoryview] = []

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

    def parts(self, length: int) -> tuple[bytes, bytes]:
        """What a head says of so many rows, and the body: the arrays, each from a multiple of 8 on."""
        places, at, pieces = [], 0, []
        for data in self.buffers:
            places.append((at, len(data)))
            padding = -len(data) % 8
            pieces += [data, bytes(padding)]
            at += len(data) + padding
        head = struct.pack("<qIIII", length, 20 + 16 * len(places), 8, 0, len(places))
        nodes = struct.pack("<II", 0, len(self.nodes)) + _packed(PAIR, [(node, 0) for node in self.nodes])
        return _ROWS + head + _packed(PAIR, places) + nodes, b"".join(pieces)


def _packed(layout: str, rows: Sequence[tuple[int, ...]]) -> bytes:
    return b"".join(struct.pack(layout, *row) for row in rows)


class PackedFileWriter:
    """The parts of a file, in order."""

    def __init__(self) -> None:
        self._size = 0
        self._dictionaries: list[tuple[int, int, int]] = []
        self._batches: list[tuple[int, int, int]] = []
        self._checksums: list[int] = []

    def begin(self) -> bytes:
        """What comes first."""
        return self._passed(MAGIC + bytes(2) + _framed(SCHEMA, _SCHEMA, 0))

    def words(self, texts: Sequence[str]) -> bytes:
        """Further strings of the dictionary; of the first ones, all that the next batch names."""
        layout = _Layout()
        layout.add(strings(texts, "entries"), ENTRIES, "entries", len(texts))
        rows, body = layout.parts(len(texts))
        is_more = bytes([bool(self._dictionaries), 0])
        return self._part(
            _framed(DICTIONARY, bytes(6) + _WORDS + is_more + rows, len(body)), body, self._dictionaries
        )

    def batch(self, columns: Columns, length: int) -> bytes:
        """A batch of so many rows."""
        layout = _Layout()
        for each in FIELDS:
            layout.add(columns, each, each.name, length)
        rows, body = layout.parts(length)
        return self._part(_framed(BATCH, bytes(6) + rows, len(body)), body, self._batches)

    def end(self) -> bytes:
        """What comes last."""
        checksums = "".join(f"{number:0{DIGITS}x}" for number in self._checksums).encode()
        batches = _OWN.start + 84 + len(checksums)
        words = batches + 8 + struct.calcsize(BLOCK) * len(self._batches)
        schema = words + 4 + struct.calcsize(BLOCK) * len(self._dictionaries) + 16
        data = b"".join(
            [
                _FOOTER, struct.pack("<III", schema - 28, words - 32, batches - 36), _METADATA, b"0" * DIGITS, bytes(4),
                _string(CHECKSUM), _OTHER_KEY, struct.pack("<II", 16 + len(checksums), 4), _string(checksums), bytes(3),
                _string(CHECKSUMS), bytes(2), struct.pack("<I", len(self._batches)), _packed(BLOCK, self._batches),
                struct.pack("<II", 0, len(self._dictionaries)), _packed(BLOCK, self._dictionaries), _SCHEMA,
            ]
        )  # fmt: skip
        data = data[: _OWN.start] + f"{_sum(data):0{DIGITS}x}".encode() + data[_OWN.stop :]
        return HEAD_MARK + bytes(4) + data + struct.pack("<i", len(data)) + MAGIC

    def _part(self, head: bytes, body: bytes, blocks: list[tuple[int, int, int]]) -> bytes:
        part = head + body
        blocks.append((self._size, len(head), len(body)))
        self._checksums.append(_sum(part))
        return self._passed(part)

    def _passed(self, part: bytes) -> bytes:
        self._size += len(part)
        return part


def _string(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text + b"\0"


# Bytes between the last part and the footer.
END_MARK = len(HEAD_MARK) + 4


def _sum(data: bytes | memoryview) -> int:
    return _native.xxh64(np.frombuffer(data, dtype=np.uint8))


def _framed(kind: int, content: bytes, size: int) -> bytes:
    """The head of a part with a body of so many bytes."""
    head = _MESSAGE + struct.pack("<qIHBx", size, 24, 4, kind) + content
    return HEAD_MARK + struct.pack("<i", len(head)) + head


class Content(Protocol):
    """Bytes of which parts are looked at."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> memoryview: ...


class PackedFile:
    """A file of packed lattices.

    Args:
        data: all of it, in memory or mapped, or read where it is looked at.

    Attributes:
        checksum: of its footer, which has the checksums of all else.

    Raises:
        DamagedError: cut off, damaged, or of another version.
    """

    def __init__(self, data: Content) -> None:
        self._data = data
        self.checksum = ""
        try:
            self._blocks = self._footer()
        except struct.error:
            raise DamagedError("its footer is damaged") from None

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
        own = content[_OWN]
        blank = content[: _OWN.start] + b"0" * DIGITS + content[_OWN.stop :]
        if len(own) != DIGITS or f"{_sum(blank):0{DIGITS}x}".encode() != own:
            raise DamagedError("the checksum of its footer is wrong")
        self.checksum = own.decode()
        [digits] = struct.unpack_from("<I", content, _SIZE)
        checksums = content[_SIZE + 4 : _SIZE + 4 + digits]
        batches, at = _blocks(content, _SIZE + 24 + digits)
        words, at = _blocks(content, at + 4)
        _check_schema(content[at:])
        parts = _parts(words, batches, checksums, begin)
        if parts and max(sum(place) for _, place, _ in parts) + END_MARK != begin:
            raise DamagedError(
                "it has more than its footer says: are several files joined? Read them one by one, or from a folder"
            )
        return parts

    def sizes(self) -> dict[int, int]:
        """How many bytes each batch has, by where it begins."""
        return {begin: head + body for is_words, (begin, head, body), _ in self._blocks if not is_words}

    def parts(self, only: int | None = None) -> Iterator[tuple[int, Columns]]:
        """The batches: where each begins, and its arrays; "entries" are strings new with it.

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
                columns = _columns(bytes(part[8:head]), part[head:], is_words)
            except (ValueError, struct.error) as error:
                raise DamagedError(f"the part at byte {begin} is not as it should be: {error}") from None
            if is_words:
                words.append(columns)
            else:
                yield begin, {**columns, **_joined(words)}
                words = []


def _check_schema(schema: bytes) -> None:
    match = _VERSION.search(schema)
    if match is None or int(match[1]) < 1:
        raise DamagedError(f"it has no version of {NAME}")
    if int(match[1]) > VERSION:
        raise DamagedError(
            f"it has version {int(match[1])} of {NAME}, and this program reads up to version {VERSION}; "
            "install a later one"
        )
    if schema != _SCHEMA:
        raise DamagedError("its footer is damaged")


def _columns(head: bytes, body: memoryview, is_words: bool) -> Columns:
    at = len(_MESSAGE) + 16 + 6 + (len(_WORDS) + 2 if is_words else 0)
    if head[at : at + len(_ROWS)] != _ROWS:
        raise ValueError("its head")
    at += len(_ROWS)
    length, _, _, _, buffers = struct.unpack_from("<qIIII", head, at)
    places = _pairs(head, at + 24, buffers)
    at += 24 + 16 * buffers + 8
    [count] = struct.unpack_from("<I", head, at - 4)
    reader = _Reader(body, [node for node, _ in _pairs(head, at, count)], places)
    for each in (ENTRIES,) if is_words else FIELDS:
        reader.read(each, each.name, length)
    return reader.columns


def _pairs(head: bytes, at: int, count: int) -> list[tuple[int, ...]]:
    if count > (len(head) - at) // struct.calcsize(PAIR):
        raise ValueError("its head is cut off")
    return list(struct.iter_unpack(PAIR, head[at : at + struct.calcsize(PAIR) * count]))


def _blocks(footer: bytes, at: int) -> tuple[list[tuple[int, ...]], int]:
    """A vector of places, and where it ends."""
    [count] = struct.unpack_from("<I", footer, at)
    end = at + 4 + struct.calcsize(BLOCK) * count
    if end > len(footer):
        raise DamagedError("its footer is damaged")
    return list(struct.iter_unpack(BLOCK, footer[at + 4 : end])), end


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


def _parts(
    words: Sequence[tuple[int, ...]], batches: Sequence[tuple[int, ...]], checksums: bytes, end: int
) -> list[tuple[bool, tuple[int, ...], int]]:
    blocks = [(True, block) for block in words]
    blocks += [(False, block) for block in batches]
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
