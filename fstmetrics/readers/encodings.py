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
