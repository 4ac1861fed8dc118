"""Any piece of a file's content, without having all of it in memory: `PlainBytes`, `PackedBytes`.

gzip is unpacked again from the beginning for every pass; where pieces are wanted in another order than they are in, it
is unpacked into a temporary file.
"""

from __future__ import annotations

from io import BufferedReader, FileIO

from fstmetrics.support.errors import InputError
from fstmetrics.support.file_states import FileState, has_changed
from fstmetrics.support.gunzip import PIECE, Gunzipped, check_size
from fstmetrics.support.source import readable

# More bytes than a file has.
NO_END = 1 << 60


class PlainBytes:
    """The bytes of a file, in any order.

    Args:
        path: the file, for messages.
        stream: the same, open.
    """

    def __init__(self, path: str, stream: FileIO) -> None:
        self.path = path
        self._stream = stream
        self._state = FileState.of(stream.fileno())

    @property
    def size(self) -> int:
        """How many there are."""
        return self._state.size

    @property
    def number(self) -> int:
        """The system's number of the open file."""
        return self._stream.fileno()

    def read(self, begin: int, end: int) -> bytes:
        """Some of them.

        Raises:
            InputError: the file cannot be read, or has changed.
        """
        end = min(end, self.size)
        with readable(self.path):
            self._stream.seek(begin)
            data = self._stream.read(end - begin)
            while len(data) < end - begin and (more := self._stream.read(end - begin - len(data))):
                data += more
            self.check()
            if len(data) < end - begin:
                raise self.changed()
        return data

    def check(self) -> None:
        """Raise an InputError if the file has changed."""
        if FileState.of(self.number) != self._state:
            raise self.changed()

    def in_any_order(self) -> PlainBytes:
        """These bytes."""
        return self

    def changed(self) -> InputError:
        """The error of a file that is not what it was."""
        return has_changed(self.path)


class PackedBytes:
    """The content of a file of gzip, forwards; a way back is from the beginning.

    Args:
        packed: the file.

    Attributes:
        path: the file, for messages.
        size: how many bytes of content there are, when all have been read once.
    """

    def __init__(self, packed: PlainBytes, stream: FileIO) -> None:
        self.path, self.size = packed.path, NO_END
        self._packed = packed
        self._content = Gunzipped(BufferedReader(stream, PIECE), packed.path)
        self._begin, self._data = 0, b""  # what was read last
        self._unpacked: PlainBytes | None = None

    def read(self, begin: int, end: int) -> bytes:
        """Some of it; fewer bytes where the content ends.

        Raises:
            InputError: as of `PlainBytes`, damaged gzip, or content beyond the limits.
        """
        if self._unpacked:
            return self._unpacked.read(begin, end)
        end = min(end, self.size)
        known = self._begin + len(self._data)
        if not self._begin <= begin <= known:
            with readable(self.path):
                self._content.seek(begin)
            self._begin, self._data, known = begin, b"", begin
        data = memoryview(self._data)[begin - self._begin : end - self._begin]
        if end > known:
            with readable(self.path):
                more = self._content.read(end - known)
                check_size(self._content.tell(), self.path)
            if len(more) < end - known:
                if self.size != NO_END:
                    raise self._packed.changed()
                self.size = self._content.tell()
            self._begin, self._data = begin, b"".join([data, more])
            self._packed.check()
            return self._data
        return bytes(data)

    def in_any_order(self) -> PlainBytes:
        """The content in a temporary file.

        Raises:
            OSError: there is no room for it.
        """
        if self._unpacked is None:
            temporary = temporary_file()
            for begin in range(0, self.size, PIECE):
                write_all(temporary, self.read(begin, begin + PIECE))
            self._unpacked, self._data = PlainBytes(self.path, temporary), b""
        return self._unpacked


def temporary_file() -> FileIO:
    """A file without a name, of which nothing is left however the command ends."""
    from tempfile import TemporaryFile  # most texts do without

    return TemporaryFile(buffering=0)


def write_all(stream: FileIO, data: bytes) -> None:
    """Write all of it, however much a call takes. Raises OSError where there is no room."""
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) :]
