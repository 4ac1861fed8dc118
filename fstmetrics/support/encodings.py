"""What encoding a file may be in that is not UTF-8, for the end of an error: `advice`."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

# As many bytes as a guess is made from.
SAMPLE = 1 << 16
# Of 16-bit text that is mostly ASCII, every other byte is zero; this share of a half is enough.
MOSTLY = 0.7
UNKNOWN = (
    "; bytes do not tell whether it is windows-1252, windows-1250, windows-1251, gb18030, shift_jis or another: ask "
    "who wrote it"
)


def advice(data: bytes, fault: int) -> str:
    """How to make UTF-8 of a file: UTF-16 and UTF-32 are named, others look alike by their bytes.

    Args:
        data: the file.
        fault: where it ceases to be UTF-8.

    >>> advice("a caf\u00e9".encode("utf-16"), 0)
    'it looks like utf-16; iconv -f utf-16 -t utf-8 converts it'
    """
    if not data[:fault].isascii() and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "what comes before is UTF-8, so the file is damaged, or parts of it are in another encoding"
    name = wide_encoding(data[:SAMPLE])
    if name is None:
        return "convert it with iconv -f ENCODING -t utf-8" + UNKNOWN * (b"\0" not in data[:SAMPLE])
    return f"it looks like {name}; iconv -f {name} -t utf-8 converts it"


def wide_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32; None of other bytes.

    >>> wide_encoding("a b".encode("utf-16-le"))
    'utf-16le'
    """
    # The wider ones first, as one of their marks begins with one of the others.
    if sample.startswith((BOM_UTF32_LE, BOM_UTF32_BE)):
        return "utf-32"
    if sample.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for name, half in (("utf-16le", sample[1::2]), ("utf-16be", sample[::2])):
        if half.count(0) > MOSTLY * len(half) > 0:
            return name
    return None
