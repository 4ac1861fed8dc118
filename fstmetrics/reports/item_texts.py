"""Items one by one, as `--alignment` and `--nbest` print those of a score, `item_texts`; records: `record_texts`."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import Any, TextIO

from fstmetrics.analysis.oracle_scores import is_oracle, one_best, one_best_parts
from fstmetrics.analysis.read_records import Record
from fstmetrics.engine.oracle_results import OracleResult
from fstmetrics.engine.results import Result
from fstmetrics.engine.word_classes import class_text, totals_of_record
from fstmetrics.io.formats.records import aligns_itself, unit_of
from fstmetrics.reports.alignment import (
    EDITS,
    LEGEND,
    MOVES,
    ORDERED,
    alignment_text,
    as_given,
    legend,
    one_best_text,
    title,
)
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.path_scoring import choices_taken
from fstmetrics.scoring.score import Score
from fstmetrics.support.json_text import written_json
from fstmetrics.support.printable import counted, printable
from fstmetrics.support.styled import Styled
from fstmetrics.text.normalisation import PLAIN


def item_texts(score: Score, alignment: bool, width: int) -> Iterator[Styled]:
    """Each item, or each of its best paths, with its alignment or its words.

    Args:
        score: has the items.
        alignment: whether alignments are wanted.
        width: of a line of an alignment.
    """
    if alignment:
        yield Styled(legend(score.results) + "\n", "dim")
    for number, (result, pair) in enumerate(score.shown.items, 1):
        for name, path in _shown_paths(result):
            yield Styled(name + title(path, number), "bold")
            for line in _rewrites_and_choices(path, pair, score):
                yield Styled(f"     {printable(line)}", "dim")
            if alignment:
                text = alignment_text(path.alignment, width)
                is_first = path is (result.nbest or (result,))[0]
                if is_first and isinstance(result, OracleResult) and result.one_best:
                    space = "" if result.unit == "char" else " "
                    text.append_text(one_best_text(result.one_best.hypothesis, result.parts, space, width))
                    text.append("\n")
                yield text
            else:
                for label, words in _rows(path).items():
                    yield Styled(f"     {label} {printable(' '.join(words))}")
        if result.nbest and not alignment:
            yield Styled("")


def _shown_paths(result: Result) -> Iterator[tuple[str, Result]]:
    """The best path or paths of an item, and hope and fear, each with what it is."""
    for rank, path in enumerate(result.nbest or (result,), 1):
        yield (f"{rank:>3}. " if result.nbest else ""), path
    if isinstance(result, OracleResult):
        for name in ("hope", "fear"):
            for rank, weighed in enumerate(getattr(result, name), 1):
                yield f"{name} {rank}. ", weighed.result


def _rewrites_and_choices(path: Result, pair: Pair, score: Score) -> Iterator[str]:
    """What rewrite rules changed in the reference, and what the path uses of each choice that it leaves."""
    for rewrite in path.rewrites:
        after = " ".join(rewrite.after) or "~"
        yield f"rewritten: {' '.join(rewrite.before)} -> {after}  ({rewrite.grammar}:{rewrite.line})"
    normalisation = (score.corpus and score.corpus.normalisation) or PLAIN
    for choice in choices_taken(path.closest, pair.reference, normalisation).get("alternatives", ()):
        yield f"chosen: {choice['written']} as {choice['taken'] or 'nothing'}"


def _rows(path: Result) -> dict[str, Sequence[str]]:
    """The words of both sides, and of the hypothesis as it was reordered."""
    given = [str(pair.hypothesis) for pair in as_given(path.alignment)]
    return {"HYP": given, **({ORDERED: path.hypothesis} if path.moves else {}), "REF": path.closest}


# What is said of records of oracles.
ORACLES = "oracles: the best path of each lattice or list; 1-best: the path that the decoder chose"
HEADER = ("id", "rank", "position", "op", "hypothesis", "reference", "given", "moves")


def record_texts(records: Iterable[Record], width: int = 100) -> Iterator[Styled]:
    """Records with their alignments, in lines of that width; what stands over all comes first."""
    records = iter(records)
    first = list(islice(records, 1))
    yield Styled(_head(first), "dim")
    for record in chain(first, records):
        for rank, path in enumerate(record.nbest or (record,), 1):
            yield Styled((f"{rank:>3}. " if record.nbest else "") + _title(record, path), "bold")
            text = alignment_text(path.alignment, width)
            if rank == 1 and (own := _one_best(record, width)):
                text.append_text(own).append("\n")
            yield text


def _write_texts(records: Iterable[Record], stream: TextIO) -> None:
    for text in record_texts(records):
        stream.write(text.plain + "\n")


def _head(first: Sequence[Record]) -> str:
    """What stands over all items, as the first tells: only with a window have records an order of words."""
    moves = f", {MOVES}" if any("order" in record.fields for record in first) else ""
    edits = "".join(f"{EDITS.format(metric=r.metric)}\n" for r in first if not aligns_itself(r.metric))
    return edits + (f"{ORACLES}\n" if any(map(is_oracle, first)) else "") + f"{LEGEND}{moves}\n"


def _one_best(record: Record, width: int) -> Styled | None:
    """The words of the 1-best, and where the oracle has others, where a record says so."""
    best, parts = one_best(record), one_best_parts(record)
    if best is None or parts is None:
        return None
    return one_best_text(
        best["hypothesis"], parts, "" if unit_of(record.metric) == "character" else " ", width
    )


def record_score(fields: Mapping[str, Any]) -> float:
    """The score, also where it is infinite: the sign is then that of what is divided."""
    if fields["score"] is not None:
        return float(fields["score"])
    return math.copysign(math.inf, 1 if fields["gain"] is None else fields["gain"])


def _title(record: Record, path: Record) -> str:
    moves = f", {counted(path.moves, 'move')}" if path.moves else ""
    oracle = "oracle " if is_oracle(record) else ""
    beside, classes = one_best(record), totals_of_record(path.fields)
    return (
        f"{printable(record.id)}  {oracle}{path.metric} {record_score(path.fields):.4f}  ({path.substitutions} sub, "
        f"{path.insertions} ins, {path.deletions} del{moves}; {path.path_length} reference {unit_of(path.metric)}s)"
        + ("" if beside is None else f"  1-best {record_score(beside):.4f}")
        + ("" if classes is None else f"  {class_text(*classes)}")
    )


def _write_rows(records: Iterable[Record], stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    for record in records:
        for rank, path in enumerate(record.nbest or (record,), 1):
            given = count()
            for position, pair in enumerate(path.alignment, 1):
                at = (
                    "" if pair.hypothesis is None else next(given) if pair.position is None else pair.position
                )
                words = pair.hypothesis or "", pair.reference or ""
                place = at if at == "" else int(at) + 1
                writer.writerow((record.id, rank, position, pair.op, *words, place, pair.moves))


def _write_json(records: Iterable[Record], stream: TextIO) -> None:
    for record in records:
        stream.write(written_json(dict(record.fields)) + "\n")


# What records are written as, and what a file of it is called.
STYLES: Mapping[str, tuple[Callable[[Iterable[Record], TextIO], None], tuple[str, str]]] = {
    "text": (_write_texts, ("text", ".txt")),
    "csv": (_write_rows, ("CSV", ".csv")),
    "jsonl": (_write_json, ("JSON Lines", ".jsonl")),
}
