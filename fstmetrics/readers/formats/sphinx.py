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

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from fstmetrics._native import LatticeColumn, read_sphinx, read_sphinx_edges
from fstmetrics.readers.arcs import (
    ArcTable,
    count,
    fields_of,
    item_limits,
    note_errors,
    real,
    refuse_empty,
    shown,
)
from fstmetrics.readers.bytes import File
from fstmetrics.readers.items import Format, Item, ReadOptions
from fstmetrics.readers.lattice_batches import column_of_files
from fstmetrics.support.source import Source, stem
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.symbols import SENTENCE_MARKERS
from fstmetrics.values.times import Times

FILLER = re.compile(r"<sil>|\[[^\]]*+\]|\+\+.*\+\+")
PRONUNCIATION = re.compile(r"(.+)\(\d+\)", re.ASCII | re.DOTALL)
# Words of which the one on the final node needs no arc of its own: none is ever counted.
SILENT = SENTENCE_MARKERS | {""}
Edges = npt.NDArray[np.int64]
EDGES = "Edges (FROM-NODEID TO-NODEID ASCORE)"


@dataclass(slots=True)
class _Head:
    """What stands before the edges."""

    base: float | None = None
    declared: int = -1
    ends: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)  # in which each word starts
    place: int = 0  # the line of `Nodes`


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one lattice of a file; its id is the file's stem.

    The native parser has it, but for what is wrong: that `_read_lines` says.

    Raises:
        InputError: a line that is not expected where it stands, no such node, no base, or no `End`.
    """
    refuse_empty(source)
    column = LatticeColumn(options.vocabulary)
    if _add(source, column):
        note_errors(column, lambda _: source)
        lattice = column[0]
    else:
        lattice = _read_lines(source, source.utf8, options)
    yield Item(source.stem, lattice, left_out=("end frames",))


def _add(source: Source, column: LatticeColumn) -> bool:
    """Append the lattice of a file; false, and nothing, where something is wrong."""
    return read_sphinx(source.utf8, item_limits(), source.stem, column)


def read_files(files: Sequence[File], options: ReadOptions) -> LatticeColumn | None:
    """The lattices of files in one column; None where one has to be read line by line."""
    return column_of_files(files, options, _add)


def _read_lines(source: Source, text: bytes, options: ReadOptions) -> Lattice:
    """The same line by line, slowly."""
    at = text.find(b"\n" + EDGES.encode())
    head = _head(source, (text if at < 0 else text[: at + 1]).decode())
    if at < 0:
        raise source.error(f"no line `{EDGES}`: is the file cut off?")
    begin = text.find(b"\n", at + 1) + 1
    edges = _edges(source, text, begin)
    base = head.base
    if base is None:
        raise source.error("no remark `# -logbase BASE`, without which the scores mean nothing")
    for name in ("Initial", "Final"):
        if head.ends.get(name, head.declared) >= head.declared:
            raise source.error(f"{name} must name one of the {head.declared} nodes")
    table = _table(head, base, edges, text.count(b"\n", 0, begin) + 1)
    table.check_states(source)
    table = _with_last_word(table, head)
    # When a state is that was added for the last word, the file does not say.
    frames = [*head.frames, math.nan][: table.num_states]
    times = Times(np.array(frames, dtype=np.float64), "frames")
    return table.lattice(source, head.words, id=source.stem, times=times, vocabulary=options.vocabulary)


def _head(source: Source, text: str) -> _Head:
    head = _Head()
    skipped = 0
    for number, line in enumerate(text.split("\n"), 1):
        fields = fields_of(line.removesuffix("\r"))
        try:
            if len(head.words) < head.declared and not line.startswith("#"):
                _add_node(head, fields)
            elif line.startswith("#"):
                if fields[1:2] == ["-logbase"] and len(fields) == 3:
                    head.base = _base(fields[2])
            elif skipped:
                skipped -= 1
            elif fields[:1] == ["Nodes"]:
                head.declared, head.place = (
                    count(fields[1] if len(fields) > 1 else "", "a number of nodes"),
                    number,
                )
            elif len(fields) == 2 and fields[0] in ("Initial", "Final"):
                head.ends[fields[0]] = count(fields[1], "the number of a node")
            elif fields[:1] == ["BestSegAscr"] and len(fields) > 1:
                skipped = count(fields[1], "a number of scores")  # of words, which the edges have, too
            elif fields and fields[0] != "Frames":
                raise ValueError(
                    f"expected Frames, Nodes, Initial, Final, BestSegAscr or `{EDGES}`, found {shown(line)}"
                )
        except ValueError as error:
            raise source.error(str(error), number) from None
    if len(head.words) < head.declared:
        raise source.error(
            f"found {len(head.words)} nodes, but `Nodes` says {head.declared}: is the file cut off?"
        )
    return head


def _base(text: str) -> float:
    base = real(text)
    if base <= 0 or base == 1:
        raise ValueError(f"a base of logarithms is positive and not 1, as {shown(text)} is not")
    return base


def _add_node(head: _Head, fields: list[str]) -> None:
    expected = len(head.words)
    if len(fields) < 5 or count(fields[0], "the number of a node") != expected:
        raise ValueError(
            f"expected node {expected}, `{expected} WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME`"
        )
    word = fields[1]
    if FILLER.fullmatch(word):
        word = ""
    elif match := PRONUNCIATION.fullmatch(word):
        word = match[1]
    head.words.append(word)
    head.frames.append(count(fields[2], "the frame in which a word starts"))


def _edges(source: Source, text: bytes, begin: int) -> Edges:
    edges, end = read_sphinx_edges(text, begin)
    rest = text[end:].split(b"\n", 1)[0].decode().strip()
    if rest != "End":
        line = 1 + text.count(b"\n", 0, end)
        raise source.error(
            f"expected an edge `FROM TO ASCORE`, or `End`, found {shown(rest)}: is the file cut off?", line
        )
    return edges


def _table(head: _Head, base: float, edges: Edges, line: int) -> ArcTable:
    """An arc an edge, labelled by the node that it leaves; `line` is that of the first."""
    acoustic = 0.0 - edges[:, 2] * math.log(base)
    return ArcTable(
        edges[:, 0], edges[:, 1], edges[:, 0].astype(np.int32),
        np.stack([np.zeros(len(edges)), acoustic], axis=1), np.arange(line, line + len(edges)),
        np.array([head.ends["Final"]]), np.zeros((1, 2)), np.array([head.place]),
        head.ends["Initial"], head.declared,
    )  # fmt: skip


def _with_last_word(table: ArcTable, head: _Head) -> ArcTable:
    """The same table with an arc for the word of the final node, which no edge leaves, if it is a word."""
    final = head.ends["Final"]
    if head.words[final] in SILENT:
        return table
    return replace(
        table, sources=np.append(table.sources, final), destinations=np.append(table.destinations, head.declared),
        labels=np.append(table.labels, np.int32(final)), costs=np.append(table.costs, np.zeros((1, 2)), axis=0),
        places=np.append(table.places, head.place), finals=np.array([head.declared]), num_states=head.declared + 1,
    )  # fmt: skip


FORMAT = Format(
    "sphinx", "Sphinx-3 and pocketsphinx lattice", read, id_of=stem, files=read_files,
)  # fmt: skip
