"""The summary that the command line prints: a table that lines up, Kaldi's lines for WER, and the signature."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from fstmetrics.reports.records import beam_curve, corpus_depths, oracle_curve, signature, weighed_totals
from fstmetrics.results import CorpusResult, OracleResult
from fstmetrics.statistics import Statistics

# Rows of a table: a name, and a cell for every column.
Row = tuple[str, ...]


def summary_lines(corpus: CorpusResult, remarks: Sequence[str] = ()) -> Iterator[str]:
    """The whole summary, line by line; further remarks stand before the signature."""
    oracles = [item for item in corpus.items if isinstance(item, OracleResult)]
    if corpus.metric.name == "wer":
        for name, result in _named(corpus, oracles) if oracles else [("", corpus)]:
            yield from kaldi_lines(result, name)
        yield ""
    yield from table_lines(_rows(corpus, oracles))
    yield ""
    yield from _remarks(corpus, oracles)
    yield from remarks
    yield signature(corpus)


def statistics_lines(statistics: Statistics, skipped: int, remarks: Sequence[str] = ()) -> Iterator[str]:
    """The summary of a metric of strings."""
    name, percent = statistics.metric.name, statistics.metric.percent
    mean = number(statistics.mean_score, percent) if statistics.metric.columns else "-"
    yield from table_lines([("", name, "mean"), (name, number(statistics.score, percent), mean)])
    yield ""
    yield items_line(len(statistics), skipped)
    yield from remarks
    yield signature(statistics)


def kaldi_lines(corpus: CorpusResult, name: str = "") -> Iterator[str]:
    """The lines that users of Kaldi's compute-wer parse: percentages, words and sentences in error.

    A name says whose they are, where that is not the system's: they end with it.
    """
    ending = f" {name}" if name else ""
    wrong, items = corpus.items_with_errors, len(corpus)
    yield (
        f"%WER {_percent(corpus.edits, corpus.path_length)} [ {corpus.edits} / {corpus.path_length}, "
        f"{corpus.insertions} ins, {corpus.deletions} del, {corpus.substitutions} sub ]"
        + (" [PARTIAL]" if corpus.skipped else "")
        + ending
    )
    yield f"%SER {_percent(wrong, items)} [ {wrong} / {items} ]{ending}"


def _percent(part: int, whole: int) -> str:
    """As Kaldi's compute-wer.cc prints it: in single precision, which decides how ties are rounded."""
    if not whole:
        return "inf" if part else "0.00"
    (single,) = struct.unpack("f", struct.pack("f", 100 * part / whole))
    return f"{single:.2f}"


def table_lines(rows: Sequence[Row], names: int = 1) -> Iterator[str]:
    """Rows with their columns lined up: the first `names` columns to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if i < names else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def number(value: float, percent: bool = False) -> str:
    """A score with four decimals, or two where it is 0 to 100; inf and nan as words."""
    return f"{value:.{2 if percent else 4}f}" if math.isfinite(value) else str(value)


def items_line(items: int, skipped: int) -> str:
    """How many items there are."""
    return f"{items} item{'' if items == 1 else 's'}" + (
        f", {skipped} skipped for want of a partner" if skipped else ""
    )


def _named(corpus: CorpusResult, oracles: Sequence[OracleResult]) -> list[tuple[str, CorpusResult]]:
    """The oracle, and the 1-best where every item has one."""
    shown = [("oracle", corpus)]
    if all(item.one_best for item in oracles):
        shown.append(("1-best", CorpusResult.of(item.one_best for item in oracles if item.one_best)))
    return shown


def _rows(corpus: CorpusResult, oracles: Sequence[OracleResult]) -> list[Row]:
    name = corpus.metric.name
    shown = _named(corpus, oracles) if oracles else [(name, corpus)]
    if oracles:
        shown += [(f"oracle of first {n}", among) for n, among in oracle_curve(oracles)]
        shown += [(f"oracle at beam {beam:g}", found) for beam, _, found in beam_curve(oracles)]
        shown += [(name, found) for name, found, _ in weighed_totals(oracles)]
    head = ["", name, "mean", "edits", "sub", "ins", "del", "match", "ref words"]
    if corpus.metric.window > 1:
        head.append("moves")
    if corpus.metric.recognition:
        head += ["gain", "of"]
    return [tuple(head), *(_row(title, result) for title, result in shown)]


def _row(title: str, result: CorpusResult) -> Row:
    counts = [
        result.edits,
        result.substitutions,
        result.insertions,
        result.deletions,
        result.matches,
        result.path_length,
    ]
    row = [title, number(result.score), number(result.mean_score), *map(str, counts)]
    if result.metric.window > 1:
        row.append(str(result.moves))
    if result.metric.recognition:
        row += [f"{result.gain:g}", str(result.max_gain)]
    return tuple(row)


def _remarks(corpus: CorpusResult, oracles: Sequence[OracleResult]) -> Iterator[str]:
    yield items_line(len(corpus), corpus.skipped)
    if corpus.infinite:
        what = "item has" if corpus.infinite == 1 else "items have"
        yield f"{corpus.infinite} {what} nothing to divide by; in the sums, not in the mean"
    if oracles:
        arcs, words = sum(item.arcs for item in oracles), corpus.path_length
        what = "entries" if any(item.after for item in oracles) else "arcs"
        density = f"{arcs / words:.2f} {what} per reference word" if words else "no reference words"
        yield f"density {density} ({arcs} {what})"
        yield from _beside(oracles)


def _beside(oracles: Sequence[OracleResult]) -> Iterator[str]:
    """What beams leave, what hope and fear cost, how deep lattices are."""
    for beam, arcs, found in beam_curve(oracles):
        words = found.path_length
        density = f"{arcs / words:.2f} arcs per reference word" if words else "no reference words"
        yield f"at beam {beam:g} density {density} ({arcs} arcs)"
    for name, found, (combined, model) in weighed_totals(oracles):
        yield f"{name}: model cost {model:g}, metric's cost {found.cost:g}, combined {combined:g}"
    for depth in corpus_depths(oracles):
        yield f"depth {depth['mean']:.2f} arcs over {depth['time']:g} {depth['unit']}, {depth['max']} at most"
