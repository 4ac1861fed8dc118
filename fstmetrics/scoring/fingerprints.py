"""Which files the shards of a run have read: `Fingerprint`, by content, as jobs on several machines have copies.

Names and times are not compared, sizes and checksums are. Of a folder a shard may read its own items only, so
that names and sizes of its files are compared, and no content. Of a URL its name is compared, and what its file
system tells of it: size, and time or checksum. Of a pipe it is compared that it is one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fstmetrics.io.reading import resolve
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_bytes import readable
from fstmetrics.support.file_sets import files_in, files_of, is_several

# Bytes that are looked at at a time: as many as stay in a cache.
PIECE = 1 << 18


class Fingerprint(NamedTuple):
    """A file or folder that a run reads.

    Attributes:
        name: as messages have it: without the folder it is in; a URL is whole. A folder's ends with `/`.
        size: in bytes, as it is stored; of a folder its files; -1 where it is neither.
        checksum: the CRC-32 of these bytes, or of the names and sizes of the files; of a URL that of what its file
            system tells; 0 of a pipe.
    """

    name: str
    size: int = -1
    checksum: int = 0

    @classmethod
    def of(cls, path: str) -> Fingerprint:
        """That of a file, which is read to its end, or of a URL, which is not.

        Raises:
            InputError: it cannot be read.
        """
        if "://" in path:
            from fstmetrics.support.remote_files import mark_of  # few files are remote

            return cls(path, checksum=zlib.crc32(mark_of(path).encode()))
        if not os.path.isfile(path):
            return cls("a pipe")
        size = checksum = 0
        piece = memoryview(bytearray(PIECE))
        with readable(path), open(path, "rb", buffering=0) as stream:
            while count := stream.readinto(piece):
                size, checksum = size + count, zlib.crc32(piece[:count], checksum)
        return cls(os.path.basename(path), size, checksum)

    @classmethod
    def of_folder(cls, path: str) -> Fingerprint:
        """That of a folder, of which no file is read.

        Raises:
            InputError: it cannot be read.
        """
        checksum = size = 0
        with readable(path):
            for file in files_in(path):
                line = f"{file.name} {file.stat().st_size}\n"
                size, checksum = size + 1, zlib.crc32(os.fsencode(line), checksum)
        return cls(os.path.basename(os.path.abspath(path)) + "/", size, checksum)

    def differs(self, other: Fingerprint) -> str:
        """What differs between the content of two, in words; empty if nothing does."""
        is_folder = self.name.endswith("/")
        if -1 in (self.size, other.size) or is_folder != other.name.endswith("/"):
            if self.name != other.name:
                return f"it is {self.name}, not {other.name}"
            return "" if self == other else "it has changed"
        if self.size != other.size:
            return f"it has {self.size} {'files' if is_folder else 'bytes'}, not {other.size}"
        if self.checksum == other.checksum:
            return ""
        return "its files have other names or sizes" if is_folder else "it has as many bytes, and others"


def fingerprints(paths: Iterable[str]) -> list[Fingerprint]:
    """The fingerprints of all that paths mean, in order: of patterns and lists each file, of a folder one.

    Raises:
        InputError: one cannot be read.
    """
    found: list[Fingerprint] = []
    for path in paths:
        file, _ = resolve(path, None)
        if os.path.isdir(file):
            found.append(Fingerprint.of_folder(file))
        else:
            found += map(Fingerprint.of, map(str, files_of(file)) if is_several(file) else [file])
    return found


def refuse_other_inputs(
    first: Sequence[Sequence[object]], found: Sequence[Sequence[object]], shards: tuple[object, object]
) -> None:
    """Refuse shards that have read other files.

    Args:
        first, found: the fingerprints of two shards, as JSON has them.
        shards: the two.

    Raises:
        FstmetricsError: a file differs, or there are more.

    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("copy.txt", 5, 77)], ("1/3", "3/3"))
    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("ref.txt", 6, 78)], ("1/3", "3/3"))
    Traceback (most recent call last):
    fstmetrics.support.errors.FstmetricsError: ref.txt of shard 3/3 is not that of shard 1/3: it has 6 bytes, not 5
    """
    if len(first) != len(found):
        raise FstmetricsError(
            f"shards of different inputs: shard {shards[0]} has read {len(first)} files, and shard {shards[1]} "
            f"{len(found)}"
        )
    for one, other in zip(first, found, strict=True):
        before, now = Fingerprint(*one), Fingerprint(*other)  # type: ignore[arg-type]
        if what := now.differs(before):
            raise FstmetricsError(f"{now.name} of shard {shards[1]} is not that of shard {shards[0]}: {what}")
