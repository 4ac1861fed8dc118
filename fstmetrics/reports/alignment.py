"""Alignments as three rows, hypothesis over reference over operations, in colour where there is colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fstmetrics.results import AlignedPair, Result

if TYPE_CHECKING:
    from rich.text import Text

STYLES = {"=": "", "S": "yellow", "I": "cyan", "D": "red"}
# What stands where a side has no word.
GAP = "***"
LABELS = ("HYP", "REF", "   ")


def alignment_text(result: Result, width: int = 100) -> Text:
    """The alignment as styled text, wrapped to a width in terminal cells; wide characters count as two."""
    from rich.text import Text

    text = Text()
    for block in _blocks(result.alignment, width - len(LABELS[0]) - 1):
        for row, label in enumerate(LABELS):
            text.append(label, style="dim")
            for pair, cells in block:
                cell = _cell(pair, row)
                text.append(" ")
                text.append(cell + " " * (cells - _cells(cell)), style=STYLES[pair.op] or None)
            text.rstrip()
            text.append("\n")
    return text


def title(result: Result) -> str:
    """One line over an alignment: id, score and counts."""
    moves = f", {result.moves} moves" if result.moves else ""
    return (
        f"{result.id or '-'}  {result.metric.name} {result.score:.4f}  "
        f"({result.substitutions} sub, {result.insertions} ins, {result.deletions} del{moves}; "
        f"{result.path_length} reference words)"
    )


def _cell(pair: AlignedPair, row: int) -> str:
    if row == 2:
        operation = " " if pair.op == "=" else pair.op
        return operation + ("<" * pair.moves)
    return (pair.hypothesis, pair.reference)[row] or GAP


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _blocks(alignment: Sequence[AlignedPair], width: int) -> Iterator[list[tuple[AlignedPair, int]]]:
    """Columns with their widths, as many in a block as fit."""
    block: list[tuple[AlignedPair, int]] = []
    used = 0
    for pair in alignment:
        cells = max(_cells(_cell(pair, row)) for row in range(3))
        if block and used + cells + 1 > width:
            yield block
            block, used = [], 0
        block.append((pair, cells))
        used += cells + 1
    if block:
        yield block
