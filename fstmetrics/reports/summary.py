"""The summary that the command line prints, `score_lines`: a table, Kaldi's lines for WER, the signature."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from fstmetrics.metrics.corpus import name_of
from fstmetrics.runs.oracle_sums import OracleSums
from fstmetrics.runs.score import LeftOut, Score, references_remark
from fstmetrics.runs.sums import Sums
from fstmetrics.scoring.results import CorpusResult
from fstmetrics.scoring.statistics import Statistics
from fstmetrics.support.printable import cells_of, counted, in_full, printable

# Rows of a table: a name, and a cell for every column.
Row = tuple[str, ...]
# Kaldi's word for numbers that are not of all items.
PARTIAL = "[PARTIAL]"


def score_lines(score: Score) -> Iterator[str]:
    """The summary, without items and tables by field."""
    corpus = score.corpus
    if isinstance(corpus, CorpusResult):
        return summary_lines(
            corpus, score.sums, [*score.shown.notes, *score.remarks], score.left_out.faults, score.shown.lacks,
            score.shown.weights_asked, score.shown.is_oracle,
        )  # fmt: skip
    assert corpus is not None  # a shard has a line of its own
    if score.oracle is None:
        return statistics_lines(corpus, score.left_out, [*score.shown.notes, *score.remarks])
    return _lines_of_lists(score, corpus)


def _lines_of_lists(score: Score, statistics: Statistics) -> Iterator[str]:
    """The summary of the entries that together score best."""
    found = score.oracle
    assert found is not None
    percent = found.metric.percent
    rows: list[Row] = [("", statistics.name), ("oracle", number(found.score, percent))]
    rows.append(("1-best", number(found.one_best, percent)))
    if found.bound is not None and not found.exact:
        rows.append(("bound", number(found.bound, percent)))
    yield from table_lines(rows)
    yield ""
    yield from items_lines(len(statistics), score.left_out)
    best = sum(rank == 1 for rank in found.ranks)
    yield f"the first entry is chosen in {best} of {counted(len(found.ranks), 'item')}"
    if found.exact:
        yield "this choice is proven best"
    elif found.bound is not None:
        side = "above" if found.metric.recognition else "below"
        yield f"found by local search, not proven best; no choice scores {side} the bound"
    else:
        yield "found by local search, not proven best; another choice may score better"
    if details := statistics.details:
        yield details
    yield from score.remarks
    yield statistics.signature


def summary_lines(
    corpus: CorpusResult,
    sums: Sums,
    remarks: Sequence[str] = (),
    faults: int = 0,
    lacks: str = "",
    weights_asked: bool = True,
    is_oracle: bool = False,
) -> Iterator[str]:
    """The whole summary, line by line; further remarks stand before the signature.

    `sums` are those of the corpus's items, with what stands beside oracles.
    `[PARTIAL]` stands wherever numbers are not of all items: `faults` of them could not be read or scored, or some had
    no partner. `lacks` is as of `items_lines`, `weights_asked` as of `one_best_lines`.
    `is_oracle`: the best paths of lattices or n-best lists were scored, and all lines say so.
    """
    oracles, left_out = OracleSums(sums, corpus.metric), LeftOut(corpus.skipped, faults)
    if corpus.metric.name in ("wer", "sclite"):
        rate = "WER" if name_of("wer", corpus.unit) == "wer" else "CER"
        for name, result in _named(corpus, oracles) if oracles.items or is_oracle else [("", corpus)]:
            yield from kaldi_lines(result, name, any(left_out), rate)
        yield ""
    yield from table_lines(score_rows(corpus, oracles, PARTIAL if any(left_out) else "", is_oracle))
    yield ""
    if oracles.sweep:
        yield from table_lines(sweep_rows(corpus.name, oracles, PARTIAL if any(left_out) else ""), 0)
        yield ""
    yield from items_lines(len(corpus), left_out, lacks)
    yield from filter(None, [references_remark(corpus.conditions)])
    ending = f" {PARTIAL}" if any(left_out) else ""
    yield from (line + ending for line in _remarks(corpus, oracles))
    yield from one_best_lines(oracles, weights_asked)
    yield from remarks
    yield corpus.signature


def statistics_lines(statistics: Statistics, left_out: LeftOut, remarks: Sequence[str] = ()) -> Iterator[str]:
    """The summary of a metric of strings; `[PARTIAL]` as of `summary_lines`."""
    yield from table_lines(statistics_rows(statistics, PARTIAL if any(left_out) else ""))
    yield ""
    yield from items_lines(len(statistics), left_out)
    yield from filter(None, [references_remark(statistics.conditions)])
    if details := statistics.details:
        yield details
    yield from remarks
    sacrebleu = "" if any(left_out) else statistics.sacrebleu_signature
    yield from [f"sacrebleu: {sacrebleu}"] if sacrebleu else []
    yield statistics.signature


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
    and no lines of characters, whose error rate is `%CER` here.
    """
    ending = "".join(f" {part}" for part in (PARTIAL if partial else "", name) if part)
    wrong, items = corpus.items_with_errors, len(corpus)
    yield (
        f"%{rate} {_percent(corpus.edits, corpus.path_length)} [ {corpus.edits} / {corpus.path_length}, "
        f"{corpus.insertions} ins, {corpus.deletions} del, {corpus.substitutions} sub ]{ending}"
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
    rows = [tuple(map(printable, row)) for row in rows]
    widths = [max(cells_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = []
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cells_of(cell))
            cells.append(cell + gap if i < names else gap + cell)
        yield "  ".join(cells).rstrip()


def folded_lines(rows: Sequence[Row], width: int | None) -> Iterator[str]:
    """A table in blocks of columns that fit a width, each with the first column; None is any width.

    >>> list(folded_lines([("", "ab", "cd"), ("x", "1", "2")], 5))
    ['   ab', 'x   1', '   cd', 'x   2']
    """
    widths = [max(cells_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    blocks: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        used = widths[0] + sum(2 + widths[i] for i in (*blocks[-1], column))
        if width is not None and used > width and blocks[-1]:
            blocks.append([])
        blocks[-1].append(column)
    for block in blocks:
        yield from table_lines([tuple(row[i] for i in (0, *block)) for row in rows])


def number(value: float, percent: bool = False) -> str:
    """A score with four decimals, or two where it is 0 to 100; inf and nan as words."""
    return f"{value:.{2 if percent else 4}f}" if math.isfinite(value) else str(value)


def items_lines(
    items: int,
    left_out: LeftOut = LeftOut(),  # noqa: B008 (immutable)
    lacks: str = "",
) -> Iterator[str]:
    """How many items there are, and how many were left out and why: for want of an id, or of what `lacks` says."""
    line = counted(items, "item")
    if skipped := left_out.skipped:
        ids = "its id" if skipped == 1 else "their ids"
        line += f"; {skipped} left out: {lacks or f'one of the files does not have {ids}'}"
    yield line
    if left_out.faults:
        yield f"{left_out.faults} left out: not readable, or not scored because of an error"


def _named(corpus: CorpusResult, oracles: OracleSums) -> list[tuple[str, CorpusResult]]:
    """The oracle, and the 1-best where every item has one."""
    shown = [("oracle", corpus)]
    if oracles.one_best:
        shown.append(("1-best", oracles.one_best))
    return shown


def score_rows(
    corpus: CorpusResult, oracles: OracleSums, corner: str = "", is_oracle: bool = False
) -> list[Row]:
    """A row of scores and counts; beside oracles, one of the 1-best and of all else that was asked for."""
    name = corpus.name
    shown = _named(corpus, oracles) if oracles.items or is_oracle else [(name, corpus)]
    shown += [(f"oracle of first {n}", among) for n, among in oracles.curve()]
    shown += [(f"oracle at beam {beam:g}", found) for beam, _, found in oracles.beams()]
    shown += [(side, found) for side, found, _ in oracles.hope_and_fear()]
    head = [corner, name, "mean", "edits", "sub", "ins", "del", "match", "ref words"]
    if corpus.metric.window > 1:
        head.append("moves")
    if corpus.gain is not None:
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
    if result.gain is not None:
        row += [in_full(result.gain), str(result.max_gain)]
    return tuple(row)


def sweep_rows(name: str, oracles: OracleSums, corner: str = "") -> list[Row]:
    """A row for each scale and word penalty of a sweep, the best marked."""
    rows: list[Row] = [("lm scale", "word penalty", name, "edits", "sub", "ins", "del", "ref words", corner)]
    for (lm, penalty), scales, found, best in oracles.sweep:
        own = (scales.lm if scales else None, scales.word_penalty if scales else None)
        weights = [
            "file's" if weight is None else f"{weight:.10g}"
            for weight in (own[0] if lm is None else lm, own[1] if penalty is None else penalty)
        ]
        counts = (found.edits, found.substitutions, found.insertions, found.deletions, found.path_length)
        rows.append((*weights, number(found.score), *map(str, counts), "best" if best else ""))
    return rows


def _sweep_line(oracles: OracleSums) -> str:
    """The options by which other commands find the paths of the best row."""
    best = next(row for row in oracles.sweep if row.best)
    said = f"1-best: the best of {counted(len(oracles.sweep), 'row')}"
    if best.scales is None:
        return said
    given = best.weighting.word_penalty is not None
    penalty = f" --word-penalty {best.scales.word_penalty:.10g}" if given else ""
    return f"{said}; alone it is --lm-scale {best.scales.lm:.10g}{penalty}"


def _remarks(corpus: CorpusResult, oracles: OracleSums) -> Iterator[str]:
    if corpus.infinite:
        what = "item has" if corpus.infinite == 1 else "items have"
        yield f"{corpus.infinite} {what} nothing to divide by: counted in the sums, not in the mean"
    if oracles.items:
        arcs, words = oracles.arcs, corpus.path_length
        what = "entries" if oracles.has_lists else "arcs"
        density = f"{arcs / words:.2f} {what} per reference word" if words else "no reference words"
        yield f"density {density} ({arcs} {what})"
        yield from _beside(corpus, oracles)


def _beside(corpus: CorpusResult, oracles: OracleSums) -> Iterator[str]:
    """What beams leave, what hope and fear cost, how deep lattices are."""
    for beam, arcs, found in oracles.beams():
        words = found.path_length
        density = f"{arcs / words:.2f} arcs per reference word" if words else "no reference words"
        yield f"at beam {beam:g} density {density} ({arcs} arcs)"
    for name, found, (combined, model) in oracles.hope_and_fear():
        costs = [in_full(cost) for cost in (model, found.cost, combined)]
        yield "{}: model cost {}, metric's cost {}, combined {}".format(name, *costs)
    for depth in oracles.depths():
        yield f"depth {depth['mean']:.2f} arcs over {in_full(depth['time'])} {depth['unit']}, {depth['max']} at most"


# By (graph costs, acoustic costs), of any lattice or forest.
COSTS = {
    (True, True): "",
    (True, False): "the lattices have graph scores only",
    (False, True): "the lattices have acoustic scores only",
    (False, False): "the lattices have no scores, so the 1-best is any path",
}
# A forest's scores are the decoder's, weighted: that there are no others goes without saying.
FOREST_COSTS = COSTS | {(True, False): ""}
UNWEIGHTED = "lm 1, acoustic 1, word penalty 0"
NO_WEIGHTS = "the files name no other weights: --lm-scale 7:17 tries some"
NO_FOREST_COSTS = (
    "no 1-best: the forests have no scores; --weights FILE gives hypergraphs the weights of their features"
)


def one_best_lines(oracles: OracleSums, weights_asked: bool = True) -> Iterator[str]:
    """A line on what was weighed, another if there were forests without scores; none if there was none.

    Args:
        oracles: what was found.
        weights_asked: whether weights were asked for. If not, and no file has others than 1, the line says how to try
            some: decoders that write both costs of a lattice, as Kaldi, weigh them.
    """
    if oracles.sweep:
        yield _sweep_line(oracles)
        if any(row.weighting.word_penalty for row in oracles.sweep):
            yield "word penalties of a sweep count in graph costs, as in Kaldi's score.sh: the lm scale multiplies them"
    if oracles.weight("forest").items:
        named = ", ".join(_scale(oracles, name) for name in ("lm", "acoustic", "word_penalty"))
        costs = FOREST_COSTS if oracles.weight("forest").least else COSTS
        graph, acoustic = (bool(oracles.weight(name).most) for name in ("graph_costs", "acoustic_costs"))
        found = costs[graph, acoustic]
        if (
            not (weights_asked or oracles.weight("forest").most)
            and graph
            and acoustic
            and named == UNWEIGHTED
        ):
            found = NO_WEIGHTS
        yield "; ".join(filter(None, (f"1-best with {named}", found)))
    if oracles.lacks_one_best:
        yield NO_FOREST_COSTS


def _scale(oracles: OracleSums, name: str) -> str:
    """A scale, or its least and greatest value."""
    least, most = oracles.weight(name).least, oracles.weight(name).most
    shown = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    return f"{name.replace('_', ' ')} {shown}"
