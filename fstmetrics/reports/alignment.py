"""Alignments as three rows, hypothesis over reference over operations, in colour where there is colour.

A hypothesis that was reordered is shown above them as it was given; the row `ORD` then has its words as reordered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fstmetrics.engine.oracle_results import OracleResult, Part
from fstmetrics.engine.results import AlignedPair, CorpusResult, Result, called
from fstmetrics.scoring.score import references_remark
from fstmetrics.support.printable import cells_of, counted, in_full, printable
from fstmetrics.support.styled import Styled

# Colours of operations in a terminal, and of words that are taken out of turn; notebooks have `TINTS`.
STYLES = {"=": "", "S": "yellow", "I": "cyan", "D": "red", "*": "dim"}
MOVED = "magenta"
# What stands where a side has no word, as wide as the other side's word.
GAP = "*"
# What stands for the space between two words where characters are compared.
SPACE = "␣"
# What stands for a wildcard on the reference side, under each word it takes.
WILDCARD = "<*>"
LEGEND = "S substitution, I insertion, D deletion"
EDITS = "The alignments show the fewest word edits (WER) to the closest reference, not what {metric} counts."
MOVES = "ORD the hypothesis as reordered, < reordering move"
LABELS = ("HYP", "REF", "   ")
# Of the hypothesis where it was reordered.
ORDERED = "ORD"
# Rows never get narrower than this, however narrow the terminal.
MIN_WIDTH = 20


def has_error(alignment: Iterable[AlignedPair], op: str | None, word: str | None) -> bool:
    """Whether an alignment has an error of an operation, on a word; None is any."""
    return any(
        pair.op in "SID" and op in (None, pair.op) and word in (None, pair.hypothesis, pair.reference)
        for pair in alignment
    )


def alignment_text(alignment: Sequence[AlignedPair], width: int = 100) -> Styled:
    """The alignment as styled text, wrapped to a width in terminal cells; wide characters count as two."""
    text = Styled()
    moved = any(pair.moves for pair in alignment)
    if moved:
        _add_given(text, alignment, max(width, MIN_WIDTH))
    for block in _blocks(alignment, max(width, MIN_WIDTH) - len(LABELS[0])):
        for row, label in enumerate(LABELS):
            line = Styled().append(ORDERED if moved and row == 0 else label, style="dim")
            for pair, cells, is_moved in block:
                cell = _cell(pair, row)
                style = MOVED if is_moved and (row == 0 or pair.op == "=") else STYLES[pair.op]
                line.append(" ")
                line.append(cell + " " * (cells - cells_of(cell)), style=style or None)
            line.rstrip()
            if line.plain:
                text.append_text(line).append("\n")
    return text


def one_best_text(
    one_best: Sequence[str], parts: Iterable[Part], space: str = " ", width: int = 100
) -> Styled:
    """The words of a 1-best, and in brackets where the oracle has others, wrapped to a width: `was [en -> in] such`.

    >>> one_best_text(["a", "cat"], [Part(0, ("the",), ("a",))]).plain
    '1-best: [a -> the] cat'
    """
    pieces = pieces_of(one_best, parts)
    tokens: list[tuple[str, str, str]] = []  # what stands before, the word, its style
    for same, part in pieces:
        tokens += [(space, printable(word), "") for word in same]
        if part:
            first, *rest = f"[{printable(part.text(space))}]".split(" ")
            tokens += [(space, first, STYLES["S"]), *((" ", word, STYLES["S"]) for word in rest)]
    if not any(part for _, part in pieces):
        tokens += [
            (" ", word, "dim") for word in ("(the same words)" if one_best else "(no words)").split(" ")
        ]
    text, used, first_of_line = Styled().append(ONE_BEST, style="dim"), len(ONE_BEST), True
    for gap, word, style in tokens:
        if not first_of_line and used + len(gap) + cells_of(word) > max(width, MIN_WIDTH):
            text.append("\n" + " " * len(ONE_BEST))
            used, first_of_line = len(ONE_BEST), True
        gap = "" if first_of_line else gap
        text.append(gap + word, style=style or None)
        used, first_of_line = used + len(gap) + cells_of(word), False
    return text


ONE_BEST = "1-best: "


def pieces_of(one_best: Sequence[str], parts: Iterable[Part]) -> list[tuple[Sequence[str], Part | None]]:
    """The words of a 1-best as stretches that the oracle has, too, each with the part behind it."""
    found: list[tuple[Sequence[str], Part | None]] = []
    own = oracle = 0
    for part in parts:
        same = part.at - oracle
        found.append((one_best[own : own + same], part))
        own, oracle = own + same + len(part.one_best), part.at + len(part.oracle)
    if own < len(one_best) or not found:
        found.append((one_best[own:], None))
    return found


def as_given(alignment: Sequence[AlignedPair]) -> list[AlignedPair]:
    """The operations that have a word of the hypothesis, in the order in which its words were given."""
    pairs = [pair for pair in alignment if pair.hypothesis is not None]
    if any(pair.moves for pair in pairs):
        pairs.sort(key=lambda pair: pair.position or 0)
    return pairs


def _add_given(text: Styled, alignment: Sequence[AlignedPair], width: int) -> None:
    """The hypothesis before it was reordered, wrapped to a width."""
    moved = {
        pair.position for pair, is_moved in zip(alignment, out_of_turn(alignment), strict=True) if is_moved
    }
    used = width
    for pair in as_given(alignment):
        cell = _cell(pair, 0)
        if used + cells_of(cell) + 1 > width:
            text.append("\n" if text else "").append(LABELS[0], style="dim")
            used = len(LABELS[0])
        text.append(" ").append(cell, style=MOVED if pair.position in moved else None)
        used += cells_of(cell) + 1
    text.append("\n")


def legend(results: Sequence[Result]) -> str:
    """One line on the letters under alignments, for the results that follow."""
    moved = any(result.metric.window > 1 for result in results)
    return f"{LEGEND}, {MOVES}" if moved else LEGEND


def out_of_turn(alignment: Sequence[AlignedPair]) -> list[bool]:
    """Of every operation, whether its hypothesis word is taken while one to the left of it is not taken yet.

    All are False where nothing is reordered: positions are then numbers of arcs.
    """
    if not any(pair.moves for pair in alignment):
        return [False] * len(alignment)
    leftmost, taken, found = 0, set[int](), []
    for pair in alignment:
        found.append(pair.position is not None and pair.position > leftmost)
        if pair.position is not None:
            taken.add(pair.position)
        while leftmost in taken:
            leftmost += 1
    return found


def title(result: Result, number: int = 1) -> str:
    """One line over an alignment: id, or the item's number where there is none, score and counts; the decoder's own
    choice, beside an oracle."""
    best = result.one_best if isinstance(result, OracleResult) else None
    beside = "" if best is None else f"  1-best {best.score:.4f}"
    return f"{printable(result.id or '') or f'item {number}'}  {counts_line(result)}{beside}"


def corpus_title(corpus: CorpusResult) -> str:
    """One line on a corpus: score and counts, and how many items and references there are."""
    items = counted(len(corpus), "item")
    several = references_remark(corpus.conditions)
    return f"{counts_line(corpus)}  {items}, mean {corpus.mean_score:.4f}{', ' * bool(several)}{several}"


def counts_line(result: Result | CorpusResult) -> str:
    """Score and counts of an item or a corpus."""
    gain = f", gain {in_full(result.gain)} of {result.max_gain}" if result.gain is not None else ""
    moves = f", {counted(result.moves, 'move')}" if result.metric.window > 1 else ""
    return (
        f"{called(result)} {result.score:.4f}  "
        f"({result.substitutions} sub, {result.insertions} ins, {result.deletions} del{moves}; "
        f"{result.path_length} reference words{gain})"
    )


def _cell(pair: AlignedPair, row: int) -> str:
    if row == 2:
        return ("" if pair.op in "=*" else pair.op) + "<" * pair.moves
    words = (pair.hypothesis, pair.reference)
    here, other = (SPACE if word == " " else printable(word or "") for word in (words[row], words[1 - row]))
    return here or (WILDCARD if pair.op == "*" else GAP * cells_of(other or ""))


def _blocks(alignment: Sequence[AlignedPair], width: int) -> Iterator[list[tuple[AlignedPair, int, bool]]]:
    """Columns with their widths and whether they are out of turn, as many in a block as fit."""
    block: list[tuple[AlignedPair, int, bool]] = []
    used = 0
    for pair, is_moved in zip(alignment, out_of_turn(alignment), strict=True):
        cells = max(cells_of(_cell(pair, row)) for row in range(3))
        if block and used + cells + 1 > width:
            yield block
            block, used = [], 0
        block.append((pair, cells, is_moved))
        used += cells + 1
    if block:
        yield block
