"""Whether a file that was written will be taken for what it is: `Beginning`."""

from __future__ import annotations

from fstmetrics.errors import InputError
from fstmetrics.readers.base import Format, ReadOptions, Source
from fstmetrics.readers.recognise import by_beginning, recognise

# Of larger files only what the beginning is enough to tell is looked at.
MAX_KEPT = 1 << 22


class Beginning:
    """What a file begins with, as it is written.

    >>> beginning = Beginning("out.txt")
    >>> beginning.take(b"utt-1 said\\nutt-2 heard\\n")
    >>> from fstmetrics.readers import FORMATS
    >>> beginning.is_taken_for(FORMATS["plain"]), beginning.is_taken_for(FORMATS["kaldi-text"])
    (False, True)
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._data = bytearray()
        self._is_whole = True

    def take(self, piece: bytes) -> None:
        """The next piece of the file."""
        self._is_whole = self._is_whole and len(self._data) + len(piece) <= MAX_KEPT
        self._data += piece[: MAX_KEPT - len(self._data)]

    def is_taken_for(self, format: Format) -> bool:
        """Whether a reader that is not told recognises this format, as far as can be seen."""
        source = Source(self._path, bytes(self._data))
        if not source.data:
            return True
        try:
            found = recognise(source, ReadOptions()) if self._is_whole else by_beginning(source)
        except InputError:
            return False
        return found is None or found is format
