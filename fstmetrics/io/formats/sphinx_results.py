"""Results of Sphinx: `words (id score)` lines, -hyp; or segments, -hypseg, in which fillers are no words.

A line of segments is `id S scale T total A acoustic L language`, then begin, acoustic score, language score and word of
each segment, and the last frame. Source: pocketsphinx, batch.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source

# What the decoder says between words, which native/formats/sphinx.cc leaves out of lattices, too; and a word with the
# number of its pronunciation.
FILLER = re.compile(r"<sil>|\[[^\]]*+\]|\+\+.*\+\+")
PRONUNCIATION = re.compile(r"(.+)\(\d+\)", re.ASCII | re.DOTALL)
RESULT = re.compile(r"(?P<words>.*)\((?P<id>[^()\s]+) -?\d+\)\s*")
SEGMENTS = re.compile(
    r"(?P<id>\S+) S -?\d+ T -?\d+ A -?\d+ L -?\d+(?P<words>(?: -?\d+ -?\d+ -?\d+ \S+)*) -?\d+\s*"
)
# Fields of a segment, of which the last is the word.
FIELDS = 4


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences with their ids.

    Raises:
        InputError: a line of another form, or an id that was there before.
    """
    source.refuse_empty()
    seen: dict[str, int] = {}
    for number, line in source.lines():
        if not line.strip():
            continue
        segments = SEGMENTS.fullmatch(line)
        match = segments or RESULT.fullmatch(line)
        if match is None:
            raise source.error(
                f"expected `words (id score)`, or segments `id S ... T ... A ... L ...`, found {shown(line)}",
                number,
            )
        id, words = match["id"], match["words"].split()
        take_id(source, id, number, seen)
        if segments:
            words = list(_spoken(words[FIELDS - 1 :: FIELDS]))
        yield Item(id, None, " ".join(words))


def _spoken(labels: list[str]) -> Iterator[str]:
    """The words of segments, without fillers and numbers of pronunciations."""
    for label in labels:
        if label not in SENTENCE_MARKERS and not FILLER.fullmatch(label):
            match = PRONUNCIATION.fullmatch(label)
            yield match[1] if match else label


FORMAT = Format(
    "sphinx-results", "results of Sphinx, `words (id score)` lines or segments", read, by_lines=True
)
