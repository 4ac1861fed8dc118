"""Files that are no text, by their first bytes: `binary`."""

from __future__ import annotations

import re

from fstmetrics.io.detection.head import Head
from fstmetrics.io.detection.text_signs import Refused

# What to do.
_UNPACK = "unpack it first"
_DOCUMENT = "save its text as plain text (UTF-8), a sentence a line"
_TABLE = "write its column of text to a file, a sentence a line"
_SOUND = "here texts or lattices are expected"
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "file that is gzipped twice", "gunzip it once"),
    (b"BZh", "bzip2 file", "bunzip2 it first; gzip is read as it is"),
    (b"\xfd7zXZ\x00", "xz file", "unxz it first; gzip is read as it is"),
    (b"\x28\xb5\x2f\xfd", "zstd file", "unzstd it first; gzip is read as it is"),
    (b"\x04\x22\x4d\x18", "lz4 file", "unpack it first; gzip is read as it is"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "rar archive", _UNPACK),
    (b"%PDF-", "PDF document", _DOCUMENT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Word or Excel document", _DOCUMENT),
    (b"PAR1", "Parquet table", _TABLE),
    (b"ARROW1", "Arrow table", _TABLE),
    (b"SQLite format 3\x00", "SQLite database", _TABLE),
    (b"\x89HDF\r\n", "HDF5 file", _TABLE),
    (b"\x93NUMPY", "NumPy array", _SOUND),
    (b"RIFF", "sound file (WAV)", _SOUND),
    (b"fLaC", "sound file (FLAC)", _SOUND),
    (b"OggS", "sound file (Ogg)", _SOUND),
    (b"ID3", "sound file (MP3)", _SOUND),
    (b"NIST_1A", "sound file (SPHERE)", _SOUND),
    (b"\x89PNG\r\n", "picture (PNG)", _SOUND),
    (b"\xff\xd8\xff", "picture (JPEG)", _SOUND),
)
# Letters that a text may begin with are a signature only where bytes follow that no text has.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a]")
# Each of these files has one of these bytes at least.
NEEDS = bytes([*range(9), *range(0x0E, 0x1B)]) + b"\x1c\x1f\x89\x93\xfd\xff%_"


def binary(head: Head) -> Refused | None:
    """What a file is that is an archive, a document, a table, sound or a picture; None for all others.

    >>> from fstmetrics.support.source import Source
    >>> binary(Head(Source("a", b"PAR1\\x15\\x04\\x15"))).name, binary(Head(Source("a", b"RIFF is a word")))
    ('Parquet table', None)
    """
    data = head.data
    for signature, name, advice in _SIGNATURES:
        if data.startswith(signature):
            is_sure = not signature.isalnum() or _CONTROL.search(data)
            return Refused(name, advice, may_be_text=False) if is_sure else None
    if data.startswith(b"PK\x03\x04"):
        document = b"word/" in data[:4096] or b"xl/" in data[:4096] or b"[Content_Types]" in data[:4096]
        name, advice = ("Word or Excel document", _DOCUMENT) if document else ("zip archive", _UNPACK)
        return Refused(name, advice, may_be_text=False)
    if data[257:262] == b"ustar":
        return Refused("tar archive", _UNPACK, may_be_text=False)
    return None
