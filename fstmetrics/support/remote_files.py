"""Files by URL, as `s3://` and `memory://`, which fsspec reads where it is installed.

- `read_remote`, `read_range`: all of a file, or some bytes.
- `opened_remote`: a file to be read piece by piece.
- `remote_files`: the files that a pattern means, each a `RemoteFile`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from typing import Any

from fstmetrics.support.errors import InputError, need

# `?` begins the query of a URL.
PATTERN = re.compile(r"\*|\[[^\]]+\]")
# Bytes that are asked for at first, and at most: files are looked at by their beginning before they are read.
FIRST, LARGEST = 1 << 16, 1 << 24


class RemoteFile(os.PathLike[str]):
    """A file by its URL, where others have a Path.

    >>> file = RemoteFile("s3://bucket/part.1.jsonl")
    >>> str(file), file.name, file.suffix
    ('s3://bucket/part.1.jsonl', 'part.1.jsonl', '.jsonl')
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def __str__(self) -> str:
        return self.url

    __fspath__ = __str__

    def __hash__(self) -> int:
        return hash(self.url)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RemoteFile) and self.url == other.url

    @property
    def name(self) -> str:
        """What stands behind the last `/`."""
        return self.url.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The extension of the name."""
        return os.path.splitext(self.name)[1]

    def is_dir(self) -> bool:
        """It is not."""
        return False


def read_remote(url: str) -> bytes:
    """All of a file; errors as of `read_range`."""
    return read_range(url, 0, None)


def read_range(url: str, offset: int, length: int | None) -> bytes:
    """Some bytes of a file, or all from a place on.

    Raises:
        FstmetricsError: fsspec, or what it needs for such URLs, is not installed; or the file cannot be read.
    """
    with _found(url) as (files, path):
        return bytes(files.cat_file(path, start=offset, end=None if length is None else offset + length))


def size_of(url: str) -> int:
    """The bytes of a file, as it is stored; -1 where nobody says that. Errors as of `read_range`."""
    with _found(url) as (files, path):
        size = files.size(path)
        return -1 if size is None else int(size)


def mark_of(url: str) -> str:
    """What changes when a file does: its file system makes it of size, time or checksum. Errors as of `read_range`."""
    with _found(url) as (files, path):
        return str(files.ukey(path))


def opened_remote(url: str) -> BufferedReader:
    """A file from its beginning, of which pieces are read as they are asked for; errors as of `read_range`, also later.

    Where nobody says how long it is, all of it is read.
    """
    return BufferedReader(_Remote(url, size_of(url)), FIRST)


def remote_files(url: str) -> list[RemoteFile]:
    """The files that a pattern means (`*`, `**`, signs in brackets), but for hidden ones; errors as of `read_range`."""
    if "::" in url:
        raise InputError("a pattern of a chain of URLs (::); name the files in a list, @FILE", url)
    with _found(url) as (files, path):
        found = files.glob(path, detail=True)
        urls = [str(files.unstrip_protocol(name)) for name, told in found.items() if told["type"] == "file"]
        return [file for file in map(RemoteFile, urls) if not file.name.startswith(".")]


def is_pattern(url: str) -> bool:
    """Whether a URL means several files: it looks like a pattern, and no file is called just so."""
    if not PATTERN.search(url):
        return False
    with _found(url) as (files, path):
        return not files.isfile(path)


@contextmanager
def _found(url: str) -> Iterator[tuple[Any, str]]:
    """The file system of a URL, and its path there; what goes wrong is an InputError that names it."""
    fsspec: Any = need("fsspec", url, "remote")
    try:
        yield fsspec.core.url_to_fs(url)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"cannot be read: there is no such file ({error})", url) from None
    except ImportError as error:
        raise InputError(f"cannot be read without a further package: {error}", url) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "no answer"
        raise InputError(f"cannot be read: {reason}", url) from None


class _Remote(RawIOBase):
    """The bytes of a file, asked for in larger and larger pieces."""

    def __init__(self, url: str, size: int) -> None:
        self._url = url
        self._begin, self._data = 0, b"" if size >= 0 else read_remote(url)
        self._size = size if size >= 0 else len(self._data)
        self._at, self._wanted = 0, FIRST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._at >= self._size:
            return 0
        if not self._begin <= self._at < self._begin + len(self._data):
            self._fetch()
        begin = self._at - self._begin
        piece = self._data[begin : begin + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def _fetch(self) -> None:
        wanted = min(self._wanted, self._size - self._at)
        self._begin, self._data = self._at, read_range(self._url, self._at, wanted)
        self._wanted = min(2 * self._wanted, LARGEST)
        if len(self._data) != wanted:
            raise InputError(
                f"cannot be read: {len(self._data)} bytes came where {wanted} were asked for, from byte {self._at}",
                self._url,
            )
