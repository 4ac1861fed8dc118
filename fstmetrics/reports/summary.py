"""Reports are made of parts, `Part`: how they look as text, `text_lines`, and those of a score, `score_parts`.

Remarks that say the same of several files or systems are one there, `shortened`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.path_metric import Totals, score_of
from fstmetrics.reports.oracle_lines import (
    further_rows,
    one_best_lines,
    oracle_lines,
    sweep_rows,
    weighed_line,
)
from fstmetrics.scoring.score import LeftOut, Score, Scores, oracles_of, references_remark
from fstmetrics.support.names import listed
from fstmetrics.support.printable import (
    ARE_SHORT,
    IN_PERCENT,
    Best,
    BoldLine,
    cells_of,
    counted,
    have,
    in_full,
    number,
    printable,
)

if TYPE_CHECKING:
    from fstmetrics.lattices.corpus_oracles import CorpusOracle

# Rows of a table: a name, and a cell for every column.
Row = tuple[str, ...]
# Heads of counts.
COLUMNS = ("edits", "sub", "ins", "del", "match", "ref words")
# How the last one is called, by units.
LENGTHS = {"word": COLUMNS[-1], "mixed": COLUMNS[-1], "char": "ref chars", "char-no-space": "ref chars"}
# Fewer remarks are shown as they are.
FEW = 3
NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Kaldi's word for numbers that are not of all items.
PARTIAL = "[PARTIAL]"


class Table(NamedTuple):
    """A table of a report.

    Attributes:
        rows: a head, and rows.
        names: how many columns are names, which stand to the left.
        title: what stands above it.
        notes: what stands right below it, as of rows that it leaves out.
    """

    rows: Sequence[Row]
    names: int = 1
    title: str = ""
    notes: Sequence[str] = ()


# Of what a report is made: tables, lines, and blocks of lines that other programs read.
Part = Table | str | tuple[str, ...]


class Printed:
    """What a command prints in parts."""

    def parts(self) -> Iterable[Part]:
        """What the command prints."""
        raise NotImplementedError

    def lines(self) -> list[str]:
        """The same as text."""
        return list(text_lines(self.parts()))

    def __str__(self) -> str:
        return "\n".join(text_lines(self.parts()))


def text_lines(parts: Iterable[Part], width: int | None = None) -> Iterator[str]:
    """Parts as text, an empty line between a table and what follows; those with a column of names fold to a width."""
    after = False
    for part in parts:
        if after:
            yield ""
        after = not isinstance(part, str)
        if isinstance(part, str):
            yield part
            continue
        if not isinstance(part, Table):
            yield from part
        elif part.title:
            yield part.title
            lines = table_lines(part.rows, part.names) if len(part.rows) > 1 else ("none",)
            yield from (f"  {line}" for line in lines)
        elif width is None or part.names > 1:
            yield from table_lines(part.rows, part.names)
        else:
            yield from folded_lines(part.rows, width)
        if isinstance(part, Table):
            yield from part.notes


def score_parts(score: Score | Scores) -> Iterator[Part]:
    """The summary, without items and tables by field. `[PARTIAL]` stands wherever numbers are not of all items.

    Where best paths of lattices or n-best lists were scored, all lines say so.
    """
    if isinstance(score, Scores):
        yield from _parts_of_several(score)
        return
    corpus = score.corpus
    assert corpus is not None  # a shard has a line of its own
    if not isinstance(corpus, CorpusResult):
        yield from _parts_of_texts(score, corpus)
        return
    oracles, called = oracles_of(score), corpus.name
    partial = PARTIAL if any(score.left_out) else ""
    whose = "oracle" if oracles or score.shown.is_oracle else ""
    further = further_rows(oracles) if oracles else []
    if corpus.metric.name in ("wer", "sclite"):
        rate = "WER" if called == corpus.metric.name else "CER"
        lines: list[str] = []
        for name, result in [(whose, corpus), *[each for each in further if each[0] == "1-best"]]:
            lines += kaldi_lines(result, name, bool(partial), rate)
        yield tuple(lines)
    yield Table(score_rows([(whose or called, corpus), *further], partial))
    if score.classes:
        yield Table(class_rows(*score.classes, partial, f"{whose} " if whose else ""))
    if score.scripts:
        yield Table(count_rows(score.scripts, partial))
    if oracles and oracles.sweep:
        yield Table(sweep_rows(called, LENGTHS[corpus.unit], oracles, partial), 0)
    yield from items_lines(len(corpus), score.left_out, score.shown.lacks)
    if references := references_remark(corpus.conditions):
        yield references
    ending = f" {partial}" if partial else ""
    if corpus.infinite:
        yield _infinite_line(corpus) + ending
    if oracles:
        for line in oracle_lines(corpus, oracles):
            yield line + ending
        yield from one_best_lines(oracles, score.shown.weights_asked)
    yield from score.shown.notes
    yield from score.remarks if len(score.remarks) < FEW else shortened(score.remarks)
    yield corpus.signature


def shortened(remarks: Iterable[str]) -> list[str]:
    """Remarks, of each kind the first, and whom else it is of; all of them with `--verbose`, and in Python.

    Those of a kind differ in nothing but numbers and what is in front of the first colon.

    >>> before = ARE_SHORT.set(True)
    >>> for line in shortened([*(f"{name}: {n} words are odd" for n, name in enumerate("abcd")), "paired by id"]):
    ...     print(line)
    a: 0 words are odd
      the same, with other numbers, of b, c, d (--verbose shows each)
    paired by id
    >>> ARE_SHORT.reset(before)
    """
    told = list(dict.fromkeys(remarks))
    if len(told) <= FEW or not ARE_SHORT.get():
        return told
    kinds: dict[str, list[str]] = {}
    for remark in told:
        whose, colon, said = remark.partition(": ")
        kinds.setdefault(NUMBER.sub("#", said if colon else remark), []).append(remark)
    found: list[str] = []
    for kind in kinds.values():
        if len(kind) < FEW:
            found += kind
            continue
        first, *others = (remark.partition(": ") for remark in kind)
        numbers = "" if all(other[2] == first[2] for other in others) else ", with other numbers,"
        whose = f" of {listed([other[0] for other in others])}" if first[1] else f" {len(others)} more times"
        found += [kind[0], f"  the same{numbers}{whose} (--verbose shows each)"]
    return found


def infinite_line(count: int, noun: str = "item", why: str = "nothing to divide by") -> str:
    """How many items have a score that no mean can have."""
    return f"{counted(count, noun)} {have(count)} {why}: counted in the sums, not in the mean"


def _infinite_line(corpus: CorpusResult | Statistics) -> str:
    whose = "its" if corpus.infinite == 1 else "their"
    why = f"no score of {whose} own"
    if isinstance(corpus, CorpusResult):
        found = [each for each in corpus.tally() if not isfinite(score_of(corpus.metric, each))]
        are_empty = all(each.path_length == 0 and each.insertions for each in found)
        why = "an empty reference and a hypothesis that is not" if are_empty else "nothing to divide by"
    return infinite_line(corpus.infinite, why=why)


def _parts_of_several(scores: Scores) -> Iterator[Part]:
    """Several metrics: a row each, then what is said of each, and their signatures."""
    each = list(scores.values())
    rows = [row for score in each for row in _named_rows(score)]
    if len(lengths := {name for row in rows for name in row if name.startswith("ref ")}) > 1:
        rows = [{"ref length" if key in lengths else key: cell for key, cell in row.items()} for row in rows]
    head = list(dict.fromkeys(column for row in rows for column in row))
    corner = PARTIAL if any(any(score.left_out) for score in each) else ""
    yield Table([(corner, *head[1:]), *(tuple(row.get(name, "") for name in head) for row in rows)])
    swept = [
        (name, score.corpus, score.shown, found)
        for name, score in scores.items()
        if isinstance(score.corpus, CorpusResult) and (found := oracles_of(score)) and found.sweep
    ]
    for name, corpus, _, found in swept:
        yield Table(sweep_rows(name, LENGTHS[corpus.unit], found, corner), 0)
    yield from items_lines(len(each[0]), each[0].left_out, each[0].shown.lacks)
    details: dict[str, list[str]] = {}
    for name, score in scores.items():
        if isinstance(score.corpus, Statistics) and score.corpus.details:
            details.setdefault(score.corpus.details, []).append(name)
    said = dict.fromkeys(f"{', '.join(names)}: {text}" for text, names in details.items())
    for name, score in scores.items():
        if score.corpus is not None and score.corpus.infinite:
            said[f"{name}: {_infinite_line(score.corpus)}"] = None
    for name, _, shown, found in swept:
        for line in one_best_lines(found, shown.weights_asked):
            said[f"{name}: {line}"] = None
    for score in each:
        said |= dict.fromkeys([*score.shown.notes, *score.remarks])
    yield from shortened(said)
    for score in each:
        yield from _signatures(score)


def _named_rows(score: Score) -> Iterator[dict[str, str]]:
    """The rows of one metric among several, by the names of the columns."""
    corpus = score.corpus
    if isinstance(corpus, CorpusResult):
        oracles = oracles_of(score)
        further = further_rows(oracles) if oracles else []
        whose = f"{corpus.name} oracle" if oracles or score.shown.is_oracle else corpus.name
        rows = score_rows([(whose, corpus), *((f"{corpus.name} {title}", found) for title, found in further)])
    else:
        assert corpus is not None  # a shard is of one metric
        rows = statistics_rows(corpus) if score.oracle is None else _rows_of_lists(score.oracle, corpus)
        rows[1:] = [
            (row[0] if score.oracle is None else f"{corpus.name} {row[0]}", *row[1:]) for row in rows[1:]
        ]
    for row in rows[1:]:
        yield dict(zip(("", "score", *rows[0][2:]), row, strict=True))
    parts = class_rows(*score.classes) if score.classes else count_rows(score.scripts)
    for row in parts[1:]:
        yield dict(zip(("", "score", *parts[0][2:]), row, strict=True))


def _rows_of_lists(found: CorpusOracle, statistics: Statistics) -> list[Row]:
    """The scores of the entries that together score best, of the first ones, and what no choice exceeds."""
    percent = found.metric.percent
    rows: list[Row] = [("", statistics.name), ("oracle", number(found.score, percent))]
    return rows + [(name, number(value, percent)) for name, value in found.further()]


def _parts_of_texts(score: Score, statistics: Statistics) -> Iterator[Part]:
    """A metric of strings."""
    found = score.oracle
    if found is None:
        yield Table(statistics_rows(statistics, PARTIAL if any(score.left_out) else ""))
        yield from items_lines(len(statistics), score.left_out, score.shown.lacks)
        yield from filter(None, [references_remark(statistics.conditions), statistics.details])
        if statistics.infinite:
            yield _infinite_line(statistics)
        yield from score.shown.notes
        yield from score.remarks if len(score.remarks) < FEW else shortened(score.remarks)
        yield from _signatures(score)
        return
    yield Table(_rows_of_lists(found, statistics))
    yield from items_lines(len(statistics), score.left_out, score.shown.lacks)
    best = sum(rank == 1 for rank in found.ranks)
    yield f"the first entry is chosen in {best} of {counted(len(found.ranks), 'item')}"
    if found.exact:
        yield "this choice is proven best"
    elif found.bound is not None:
        side = "above" if found.metric.recognition else "below"
        yield f"found by local search, not proven best; no choice scores {side} the bound"
    else:
        yield "found by local search, not proven best; another choice may score better"
    for name, entries in (("hope", found.hope), ("fear", found.fear)):
        if entries:
            yield weighed_line(name, **entries.costs)
    yield from filter(None, [statistics.details])
    yield from shortened(score.remarks)
    yield statistics.signature


def _signatures(score: Score) -> Iterator[str]:
    """sacrebleu's, where it has the same score of all items, and ours."""
    sacrebleu = score.corpus.sacrebleu_signature if isinstance(score.corpus, Statistics) else ""
    yield from [f"sacrebleu: {sacrebleu}"] if sacrebleu and not any(score.left_out) else []
    yield score.signature


def statistics_rows(statistics: Statistics, corner: str = "") -> list[Row]:
    """The score of a metric of strings, and its mean over items."""
    name, percent = statistics.name, statistics.metric.percent
    mean = number(statistics.mean_score, percent) if statistics.metric.columns else "-"
    return [(corner, name, "mean"), (name, number(statistics.score, percent), mean)]


def kaldi_lines(
    corpus: CorpusResult, name: str = "", partial: bool = False, rate: str = "WER"
) -> Iterator[str]:
    """The lines that users of Kaldi's compute-wer parse: percentages, words and sentences in error.

    A name says whose they are, where that is not the system's: they end with it. Kaldi has `[PARTIAL]` on the first,
    and no lines of characters, whose error rate is `%CER` here. Where rewrites cost something, a line says that.
    """
    ending = " ".join(["", *filter(None, (PARTIAL if partial else "", name))])
    wrong, items, totals = corpus.items_with_errors, len(corpus), corpus.totals
    edits, words = totals.edits, totals.path_length
    if corpus.metric.name == "wer" and totals.units != edits * corpus.metric.table.scale:
        yield f"{corpus.name} has what rewrites cost beside the edits: Kaldi's lines, of edits, are left out{ending}"
        return
    yield (
        f"%{rate} {_percent(edits, words)} [ {edits} / {words}, "
        f"{totals.insertions} ins, {totals.deletions} del, {totals.substitutions} sub ]{ending}"
    )
    yield f"%SER {_percent(wrong, items)} [ {wrong} / {items} ]{ending}"


def _percent(part: int, whole: int) -> str:
    """As Kaldi's compute-wer.cc prints it: in single precision, which decides how ties are rounded."""
    if not whole:
        return "inf" if part else "0.00"
    (single,) = struct.unpack("f", struct.pack("f", 100 * part / whole))
    return f"{single:.2f}"


def table_lines(rows: Sequence[Row], names: int = 1) -> Iterator[str]:
    """Rows with their columns lined up: the first `names` columns to the left, numbers to the right.

    All tables are laid out here.
    """
    given, rows = rows, [tuple(map(printable, row)) for row in rows]
    sizes = [[cells_of(cell) for cell in row] for row in rows]
    widths = [max(column) for column in zip(*sizes, strict=True)]
    for row, size, cells in zip(rows, sizes, given, strict=True):
        gaps = [" " * (width - own) for width, own in zip(widths, size, strict=True)]
        left = [cell + gap for cell, gap in zip(row[:names], gaps, strict=False)]
        right = [gap + cell for cell, gap in zip(row[names:], gaps[names:], strict=True)]
        bold = [isinstance(cell, Best) for cell in cells]
        yield BoldLine([*left, *right], bold) if any(bold) else "  ".join([*left, *right]).rstrip()


def folded_lines(rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """A table in blocks of columns that fit a width, each with the first column; None is any width.

    >>> list(folded_lines([("", "ab", "cd"), ("x", "1", "2")], 5))
    ['   ab', 'x   1', '   cd', 'x   2']
    """
    if width is None:
        yield from table_lines(rows)
        return
    widths = [max(cells_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    blocks: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        used = widths[0] + sum(2 + widths[i] for i in (*blocks[-1], column))
        if used > width and blocks[-1]:
            blocks.append([])
        blocks[-1].append(column)
    for block in blocks:
        yield from table_lines([tuple(row[i] for i in (0, *block)) for row in rows])


def items_lines(
    items: int,
    left_out: LeftOut = LeftOut(),  # noqa: B008 (immutable)
    lacks: str = "",
) -> Iterator[str]:
    """How many items there are, whether rates are shown in percent, and how many items were left out and why: for want
    of an id, or of what `lacks` says."""
    line = counted(items, "item") + ", rates in percent" * IN_PERCENT.get()
    if skipped := left_out.skipped:
        ids = "its id" if skipped == 1 else "their ids"
        line += f"; {skipped} left out: {lacks or f'one of the files does not have {ids}'}"
    yield line
    if left_out.faults:
        yield f"{left_out.faults} left out: not readable, or not scored because of an error"


def score_rows(shown: Sequence[tuple[str, CorpusResult]], corner: str = "") -> list[Row]:
    """A row of scores and counts of each result, by its name; those of one metric."""
    titles, results = zip(*shown, strict=True)
    first: CorpusResult = results[0]
    counted_as = [*COLUMNS[:-1], LENGTHS[first.unit]]
    head = [corner, first.name, "mean", *counted_as]
    scores, means = [result.score for result in results], [result.mean_score for result in results]
    counts = [shown_counts(result.totals) for result in results]
    columns = [titles, map(number, scores), map(number, means), *zip(*counts, strict=True)]
    if first.metric.window > 1:
        head.append("moves")
        columns.append([str(result.moves) for result in results])
    if first.gain is not None:
        head += ["gain", "of"]
        columns += [in_full(result.gain) for result in results], [str(result.max_gain) for result in results]
    return [tuple(head), *zip(*columns, strict=True)]


def class_rows(listed: Totals, others: Totals, corner: str = "", whose: str = "") -> list[Row]:
    """Rates and counts of words of the lists, and of all others; `-` where there is no word to divide by.

    Args:
        listed, others: the counts.
        corner: the head of the names.
        whose: what names begin with.
    """
    return count_rows({f"{whose}B-WER": listed, f"{whose}U-WER": others}, corner)


def count_rows(parts: Mapping[str, Totals], corner: str = "") -> list[Row]:
    """Rates and counts of the parts of a corpus, by their names; `-` where there is no word to divide by."""
    from fstmetrics.engine.word_classes import rate

    rows: list[Row] = [(corner, "rate", *COLUMNS)]
    for name, each in parts.items():
        found = rate(each)
        rows.append((name, "-" if found is None else number(found), *shown_counts(each)))
    return rows


def shown_counts(totals: Totals) -> Iterator[str]:
    """Cells of `COLUMNS`."""
    _, matches, substitutions, insertions, deletions, *_ = totals
    return map(str, (totals.edits, substitutions, insertions, deletions, matches, totals.path_length))
