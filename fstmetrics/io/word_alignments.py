"""Word alignments as aligners of translations write them: lines of `0-0 1-2`, a sentence a line (`read_alignments`).

The first number of a pair is a word of the source, the second one of the translation, both from 0: the form of Pharaoh,
Moses' symmetrised GIZA++, fast_align and eflomal.
"""

from __future__ import annotations

import re

from fstmetrics.support.source import Source

Links = frozenset[tuple[int, int]]
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def read_alignments(path: str) -> list[Links]:
    """The links of every line, which may be empty.

    Raises:
        InputError: the file cannot be read, or a line is no alignment.
    """
    source = Source.open(path)
    found: list[Links] = []
    for number, line in source.lines():
        links = [_LINK.fullmatch(pair) for pair in line.split()]
        if wrong := [pair for pair, link in zip(line.split(), links, strict=True) if link is None]:
            raise source.error(
                f"expected a word alignment, pairs such as 0-0 1-2 (source word, word; from 0), not {wrong[0]!r:.40}",
                number,
            )
        found.append(frozenset((int(link[1]), int(link[2])) for link in links if link))
    return found
