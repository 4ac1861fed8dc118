"""SRILM's word meshes, or confusion networks: columns of words with posteriors. Source: wlat-format(5).

    name utterance                  optional
    numaligns 2
    posterior 0.95                  mass of all hypotheses; not used
    align 0 we 0.9 *DELETE* 0.05    column, then words and posteriors; *DELETE* is no word
    align 1 know 0.95

A posterior p is the graph cost -ln p. Columns need not come in order, but each must be there. What else SRILM writes
of a column (its own posterior, transposterior, reference, hyps, info, time) is left out; other lines are errors, as
for SRILM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fstmetrics.readers.arc_list import ArcList, count, log_cost
from fstmetrics.readers.arcs import refuse_cut, refuse_empty, shown
from fstmetrics.readers.base import Format, Item, ReadOptions, Source
from fstmetrics.readers.formats.mesh_writing import SRILM_WRITER
from fstmetrics.readers.names import stem

SIGNATURE = re.compile(rb"(?:\xef\xbb\xbf)?(?:name [^\n]*\n)?numaligns[ \t]+\d")
LEFT_OUT = re.compile(rb"^(?:reference|hyps|info|time) ", re.M)
IGNORED = frozenset({"name", "posterior", "transposterior", "reference", "hyps", "info", "time"})


def sniff(source: Source) -> bool:
    """Whether the first line, or the second after a name, says how many columns there are."""
    return SIGNATURE.match(source.data) is not None


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """Read the one mesh of a file; its id is the file's stem.

    Raises:
        InputError: a line of another kind, a column twice, without a word or missing, or a posterior that is none.
    """
    refuse_empty(source)
    arcs: ArcList | None = None
    columns: dict[int, int] = {}
    for number, line in source.lines():
        fields = line.split()
        if not fields or fields[0] in IGNORED:
            continue
        try:
            if fields[0] == "numaligns" and arcs is None:
                arcs = ArcList(1 + count(" ".join(fields[1:]), "a number of columns"))
            elif fields[0] == "align" and arcs is not None:
                _add_column(arcs, fields, number, columns)
            else:
                again = " a second time" if fields[0] == "numaligns" else ""
                raise ValueError(
                    f"expected `numaligns N`, then `align COLUMN word posterior ...`, found {shown(line)}{again}"
                )
        except ValueError as error:
            raise source.error(str(error), number) from None
    if arcs is None:
        raise source.error("no `numaligns` line; is this a word mesh?")
    _refuse_gaps(source, columns, arcs.states - 1)
    refuse_cut(source)
    arcs.finals = {arcs.states - 1: 1}
    left_out = ("times, references and hypotheses of words",) if LEFT_OUT.search(source.data) else ()
    yield Item(source.stem, arcs.lattice(source, id=source.stem), left_out=left_out)


def _add_column(arcs: ArcList, fields: list[str], number: int, columns: dict[int, int]) -> None:
    column = count(fields[1] if len(fields) > 1 else "", "the number of a column")
    if column >= arcs.states - 1:
        raise ValueError(f"column {column} is out of range: numaligns says {arcs.states - 1}")
    if columns.setdefault(column, number) != number:
        raise ValueError(f"column {column} is already in line {columns[column]}")
    if len(fields) < 4 or len(fields) % 2:
        raise ValueError(f"expected words and posteriors in turn, found {shown(' '.join(fields[2:]))}")
    for word, posterior in zip(fields[2::2], fields[3::2], strict=True):
        arcs.add(column, column + 1, word, log_cost(posterior), number)


def _refuse_gaps(source: Source, columns: dict[int, int], expected: int) -> None:
    if len(columns) < expected:
        missing = next(column for column in range(expected) if column not in columns)
        raise source.error(
            f"numaligns says {expected} columns, but {len(columns)} are there; column {missing} is not: is it cut off?"
        )


FORMAT = Format(
    "srilm-mesh",
    "SRILM word mesh (confusion network)",
    (".mesh",),
    sniff,
    read,
    (SRILM_WRITER,),
    id_of=stem,
)
