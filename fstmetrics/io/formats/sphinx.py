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

from fstmetrics._native import LatticeColumn, read_sphinx
from fstmetrics.io.items import Format
from fstmetrics.io.lattice_batches import readers
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source, stem


def _add(source: Source, column: LatticeColumn) -> None:
    """Add the one lattice of a file; wrong are a line that is not expected where it stands, no such node, no base, or
    no `End`."""
    read_sphinx(source.utf8, item_limits(), source.stem, column)


read, _files = readers(lambda options: _add)
FORMAT = Format("sphinx", "Sphinx-3 and pocketsphinx lattice", read, id_of=stem, files=_files)
