"""What encoding a file may be in that is not UTF-8: `advice`, the end of an error."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from contextlib import suppress

# As many bytes as a guess is made from.
SAMPLE = 1 << 16
# Of 16-bit text that is mostly ASCII, every other byte is zero; this share of a half is enough.
MOSTLY = 0.7
_HIGH = re.compile(rb"[\x80-\xff]+")


def advice(data: bytes, fault: int) -> str:
    """How to make UTF-8 of a file, with the encoding named if its bytes suggest one.

    Args:
        data: the file.
        fault: where it ceases to be UTF-8.

    >>> advice("caf\u00e9 au lait".encode("latin-1"), 3)
    'it looks like iso-8859-1; iconv -f iso-8859-1 -t utf-8 converts it'
    """
    if not data[:fault].isascii():
        return "what stands before is UTF-8, so the file is damaged, or parts of it are in another encoding"
    name = likely_encoding(data[:SAMPLE])
    if name is None:
        return "convert it with iconv -f ENCODING -t utf-8"
    return f"it looks like {name}; iconv -f {name} -t utf-8 converts it"


def likely_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32, one of the encodings of Chinese, or that of Western Europe; None if the bytes suggest none.

    >>> likely_encoding("a b".encode("utf-16-le")), likely_encoding("\u8bed\u97f3".encode("gb2312"))
    ('utf-16le', 'gb18030')
    """
    # The wider ones first, as one of their marks begins with one of the others.
    if sample.startswith((BOM_UTF32_LE, BOM_UTF32_BE)):
        return "utf-32"
    if sample.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for name, half in (("utf-16le", sample[1::2]), ("utf-16be", sample[::2])):
        if half.count(0) > MOSTLY * len(half) > 0:
            return name
    runs = _HIGH.findall(sample)
    if b"\0" in sample or not runs:
        return None
    if sum(len(run) == 1 for run in runs) * 2 > len(runs):
        # Windows has quotation marks and dashes where the standard has control characters.
        return "windows-1252" if re.search(rb"[\x80-\x9f]", sample) else "iso-8859-1"
    for name in ("gb18030", "big5"):
        with suppress(UnicodeDecodeError):
            if all("\u3000" <= c < "\ua000" or c >= "\uff00" for c in b"".join(runs).decode(name)):
                return name
    return None


# Files that are no text, by their first bytes: what they are, and what to do.
_UNPACK = "unpack it first"
_DOCUMENT = "save its text as plain text (UTF-8), a sentence a line"
_TABLE = "write its column of text to a file, a sentence a line"
_SOUND = "here texts or lattices are expected"
_PACKED: tuple[tuple[bytes, str, str], ...] = (
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


def packed_kind(data: bytes) -> tuple[str, str] | None:
    """What a file is that is an archive, a document, a table or sound, and what to do; None for all others.

    >>> packed_kind(b"PAR1\\x15\\x04\\x15"), packed_kind(b"RIFF is a word")
    (('Parquet table', 'write its column of text to a file, a sentence a line'), None)
    """
    for signature, name, advice in _PACKED:
        if data.startswith(signature):
            is_sure = not signature.isalnum() or _CONTROL.search(data[:SAMPLE])
            return (name, advice) if is_sure else None
    if data.startswith(b"PK\x03\x04"):
        document = b"word/" in data[:4096] or b"xl/" in data[:4096] or b"[Content_Types]" in data[:4096]
        return ("Word or Excel document", _DOCUMENT) if document else ("zip archive", _UNPACK)
    if data[257:262] == b"ustar":
        return "tar archive", _UNPACK
    return None
