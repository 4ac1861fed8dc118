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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fstmetrics._native import LatticeColumn, read_sphinx
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.lattice_batches import column_of_files, only_lattice
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import File, Source, stem


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem.

    Raises:
        InputError: a line that is not expected where it stands, no such node, no base, or no `End`.
    """
    yield only_lattice(source, options, _add)


def _add(source: Source, column: LatticeColumn) -> None:
    read_sphinx(source.utf8, item_limits(), source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The lattices of files in one column; None where something is wrong with one."""
    return column_of_files(files, options, _add)


FORMAT = Format(
    "sphinx", "Sphinx-3 and pocketsphinx lattice", read, id_of=stem, files=read_files,
)  # fmt: skip
