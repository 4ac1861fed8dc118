"""HTK's master label files: `#!MLF!#`, and of each file its name in quotes, a label a line, and a dot.

A label may have times before it and a score behind. The id is the name of the file, without folder and extension.
Source: The HTK Book, 6.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.io.arcs import NUMBER, shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source, stem

HEAD = "#!MLF!#"
NAME = re.compile(r'"([^"]+)"')
QUOTED = re.compile(r"""(["'])(.+)\1""")
# A character by its bytes in octal digits, as HTK writes those that are not ASCII; or one that would mean something.
ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
TIME = re.compile(r"\d+", re.ASCII)
END, ALTERNATIVES = ".", "///"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The labels of each file, in order.

    Raises:
        InputError: no `#!MLF!#`; a line of another form; several levels of labels; alternatives; a name that comes
            twice; or a file without its dot.
    """
    lines = ((number, line.strip()) for number, line in source.lines() if line.strip())
    number, first = next(lines, (1, ""))
    if first != HEAD:
        raise source.error(f"expected {HEAD}, found {shown(first)}", number)
    seen: dict[str, int] = {}
    id, begun, words, left_out = "", 0, list[str](), set[str]()
    for number, line in lines:
        if not begun:
            match = NAME.fullmatch(line)
            if match is None:
                raise source.error(
                    f'expected the name of a file in quotes, as "*/a.lab", found {shown(line)}', number
                )
            id, begun, words, left_out = stem(match[1].rpartition("/")[2]), number, [], set()
            take_id(source, id, number, seen)
        elif line == END:
            yield Item(id, None, " ".join(words), left_out=tuple(sorted(left_out)))
            begun = 0
        else:
            word, beside = _label(source, number, line)
            words.append(word)
            left_out |= beside
    if begun:
        raise source.error(f"no dot behind the labels of {shown(id)}: is the file cut off?", begun)


def _label(source: Source, number: int, line: str) -> tuple[str, set[str]]:
    """The word of a line, `[begin [end]] word [score]`, and what it has beside."""
    if line == ALTERNATIVES:
        raise source.error("alternatives (///) are not read: write the best labels of each file", number)
    fields = line.split()
    timed = fields[:-1][:2]
    while timed and not all(map(TIME.fullmatch, timed)):
        timed.pop()
    word, *rest = fields[len(timed) :]
    if len(rest) > 1 or (rest and not NUMBER.fullmatch(rest[0])):
        raise source.error(
            f"expected `[begin [end]] word [score]`, found {shown(line)}; of labels of several levels write one",
            number,
        )
    match = QUOTED.fullmatch(word)
    try:
        beside = {*["scores of words"][: len(rest)], *["times"][: len(timed)]}
        return ESCAPED.sub(_unescaped, (match[2] if match else word).encode()).decode(), beside
    except UnicodeDecodeError:
        raise source.error(f"the bytes of {shown(word)} are no UTF-8", number) from None


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 8) & 255]) if len(match[1]) == 3 else match[1]


FORMAT = Format("mlf", "HTK master label file", read, by_lines=True)
