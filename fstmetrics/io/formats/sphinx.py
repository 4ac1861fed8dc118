"""Lattices of Sphinx-3 and pocketsphinx: words on nodes, acoustic scores on edges. Source: pocketsphinx's ps_lattice.c.

    # -logbase 1.000100e+00
    Frames 349
    Nodes 2 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
    0 </s> 325 348 348 ; 0
    1 <s> 0 2 20 ; 0
    Initial 1
    Final 0
    BestSegAscr 0 (NODEID ENDFRAME ASCORE)
    Edges (FROM-NODEID TO-NODEID ASCORE)
    1 0 -346112
    End

A node is where its word begins, which ends where the next one begins: an edge stands for the word of the node that it
leaves, as its score does. Scores are integer logs to the base that the head names; the acoustic cost is a score's
negative natural log.
`word(2)`, another pronunciation, is the same word. Fillers are no words, as in the SLF of the same decoder: `<sil>`,
`[NOISE]` and `++NOISE++` and all others in such brackets; `<s>` and `</s>` are sentence markers.

Its results are `words (id score)` lines, -hyp; or segments, -hypseg, in which fillers are no words. A line of segments
is `id S scale T total A acoustic L language`, then begin, acoustic score, language score and word of each segment, and
the last frame. Source: pocketsphinx, batch.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics._native import LatticeColumn, read_sphinx
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import readers
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source, stem


def _add(source: Source, column: LatticeColumn) -> None:
    """Add the one lattice of a file; wrong are a line that is not expected where it stands, no such node, no base, or
    no `End`."""
    read_sphinx(source.utf8, item_limits(), source.stem, column)


read, _files = readers(lambda options: _add)
FORMAT = Format("sphinx", "Sphinx-3 and pocketsphinx lattice", read, id_of=stem, files=_files)


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


def read_results(source: Source, options: ReadOptions) -> Iterator[Item]:
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


RESULTS = Format(
    "sphinx-results", "results of Sphinx, `words (id score)` lines or segments", read_results, by_lines=True
)
