"""Which files the shards of a run have read: `InputMark`, by content, as jobs on several machines have copies.

Names and times are not compared, sizes and checksums are. What is no file on this machine has no content that could be
looked at: of a URL its name is compared, of a pipe that it is one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fstmetrics.readers.reading import resolve
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.source import readable

# Bytes that are looked at at a time: as many as stay in a cache.
PIECE = 1 << 18


class InputMark(NamedTuple):
    """A file that a run reads.

    Attributes:
        name: as messages have it: without the folder; a URL is whole.
        size: in bytes, as it is stored; -1 where it is no file.
        checksum: the CRC-32 of these bytes; 0 where it is no file.
    """

    name: str
    size: int = -1
    checksum: int = 0

    @classmethod
    def of(cls, path: str) -> InputMark:
        """That of a file, which is read to its end.

        Raises:
            InputError: it cannot be read.
        """
        if "://" in path:
            return cls(path)
        if not os.path.isfile(path):
            return cls("a pipe")
        size = checksum = 0
        piece = memoryview(bytearray(PIECE))
        with readable(path), open(path, "rb", buffering=0) as stream:
            while count := stream.readinto(piece):
                size, checksum = size + count, zlib.crc32(piece[:count], checksum)
        return cls(os.path.basename(path), size, checksum)

    def differs(self, other: InputMark) -> str:
        """What differs between the content of two, in words; empty if nothing does."""
        if -1 in (self.size, other.size):
            is_same = self == other
            return "" if is_same else f"it is {self.name}, not {other.name}"
        if self.size != other.size:
            return f"it has {self.size} bytes, not {other.size}"
        return "" if self.checksum == other.checksum else "it has as many bytes, and others"


def input_marks(paths: Iterable[str]) -> list[InputMark]:
    """The marks of all files that paths mean, in order: of folders, patterns and lists each file.

    Raises:
        InputError: one cannot be read.
    """
    marks: list[InputMark] = []
    for path in paths:
        file, _ = resolve(path, None)
        marks += map(InputMark.of, map(str, files_of(file)) if is_several(file) else [file])
    return marks


def refuse_other_inputs(
    first: Sequence[Sequence[object]], found: Sequence[Sequence[object]], shards: tuple[object, object]
) -> None:
    """Refuse shards that have read other files.

    Args:
        first, found: the marks of two shards, as JSON has them.
        shards: the two.

    Raises:
        FstmetricsError: a file differs, or there are more.

    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("copy.txt", 5, 77)], ("1/3", "3/3"))
    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("ref.txt", 6, 78)], ("1/3", "3/3"))
    Traceback (most recent call last):
    fstmetrics.support.errors.FstmetricsError: ref.txt of shard 3/3 is another file than that of shard 1/3: it has 6 \
bytes, not 5
    """
    if len(first) != len(found):
        raise FstmetricsError(
            f"shards of different inputs: shard {shards[0]} has read {len(first)} files, and shard {shards[1]} "
            f"{len(found)}"
        )
    for one, other in zip(first, found, strict=True):
        before, now = InputMark(*one), InputMark(*other)  # type: ignore[arg-type]
        if what := now.differs(before):
            raise FstmetricsError(
                f"{now.name} of shard {shards[1]} is another file than that of shard {shards[0]}: {what}"
            )
