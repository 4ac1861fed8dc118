"""How objects look in a notebook: `_repr_html_` of results, corpora, comparisons, k-best lists and sizes of networks.

Everything is HTML that stands alone: styles are in it, there is no script, and nothing is fetched. Colours are tints
over the page's own background, so that both light and dark pages can be read. All text is escaped. Long things are
cut, and say how much more there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.engine.oracle_results import OracleResult
from fstmetrics.engine.results import AlignedPair, CorpusResult, Result, ResultRows
from fstmetrics.reports import comparison_report, comparison_tables
from fstmetrics.reports.alignment import GAP, SPACE, WILDCARD, as_given, counts_line, out_of_turn, title
from fstmetrics.reports.field_tables import breakdown_rows, interval_lines
from fstmetrics.reports.oracle_lines import further_rows
from fstmetrics.reports.summary import Row, items_lines, score_rows, statistics_rows
from fstmetrics.scoring.score import LeftOut, Score, oracles_of
from fstmetrics.scoring.sums import sums_of
from fstmetrics.support.printable import counted, in_full, magnitude, number, printable

if TYPE_CHECKING:
    from fstmetrics.analysis.error_counts import Errors
    from fstmetrics.data.nbest import NBest
    from fstmetrics.engine.breakdown import Breakdown
    from fstmetrics.engine.statistics import Statistics
    from fstmetrics.lattices.minimum_risk import MBR
    from fstmetrics.networks.sizes import NetworkInfo
    from fstmetrics.significance.comparison import Comparison

# Operations of an alignment, rows of a table, and items of a corpus that are shown.
MOST_PAIRS, MOST_ROWS, MOST_ITEMS = 200, 20, 5
# Characters of a word or id.
MOST_LETTERS = 200

# Colours of errors, which cells of notebooks have as styles of their own; those of pages are in `colours.css`.
TINTS = {"S": "rgba(240,170,0,.32)", "I": "rgba(0,150,220,.3)", "D": "rgba(230,60,50,.32)"}
NAMES = {"S": "substitution", "I": "insertion", "D": "deletion", "*": "under a wildcard"}
LINE = "1px solid rgba(128,128,128,.35)"
TABLE = "border-collapse:collapse;border:none;margin:.4em 0;font-variant-numeric:tabular-nums"
CELL = f"padding:.15em .6em;border:none;border-bottom:{LINE};background:none;color:inherit"
SOFT = "opacity:.75;font-size:90%;overflow-wrap:anywhere"
PAIR = "display:inline-block;vertical-align:top;text-align:center;margin:.1em;padding:.1em .3em;border-radius:4px"
ROW = "display:block;min-height:1.3em;white-space:pre-wrap"
MOVED = ";text-decoration:underline dotted 2px;text-underline-offset:3px"


def result_html(result: Result) -> str:
    """An item: its counts and alignment; beside an oracle the 1-best, and the k best paths where there are several."""
    parts = [_line(title(result)), alignment_html(result.alignment), _soft(_legend(result.alignment))]
    if result.rewrites:
        rows: list[Row] = [("rule", "of grammar", "before", "after")]
        rows += [(r.rule, r.grammar, " ".join(r.before), " ".join(r.after)) for r in result.rewrites]
        parts.append(table_html(rows, names=4))
    if isinstance(result, OracleResult) and result.one_best is not None:
        parts.append(
            _folded("1-best: " + counts_line(result.one_best), alignment_html(result.one_best.alignment))
        )
    if result.nbest:
        parts.append(_folded(f"{len(result.nbest)} best paths", _paths_html(result.nbest)))
    return _block(parts)


def corpus_html(corpus: CorpusResult) -> str:
    """The numbers, and the items with the worst scores, each with its alignment."""
    # The engine's own items are no oracles.
    oracles = () if isinstance(corpus.items, ResultRows) else corpus.items
    beside = oracles_of(Score(corpus, sums_of(oracles), {}))
    shown = [("oracle" if beside else corpus.name, corpus), *(further_rows(beside) if beside else ())]
    parts = [
        table_html(score_rows(shown)),
        _soft("; ".join(items_lines(len(corpus), LeftOut(corpus.skipped)))),
    ]
    if worst := _worst(corpus):
        parts.append(_line("The worst items"))
        for place in worst:
            item = corpus[place]
            parts.append(_folded(title(item, place + 1), alignment_html(item.alignment)))
        more = corpus.items_with_errors - len(worst)
        parts.append(_soft(f"… and {more} more with errors") if more else "")
    return _block([*parts, _soft(corpus.signature)])


def items_html(results: Sequence[Result], places: Sequence[int], found: int) -> str:
    """Items one below the other, each with its alignment; `found` is how many there were to choose from."""
    parts = []
    for result, place in zip(results, places, strict=True):
        parts += [_line(title(result, place)), alignment_html(result.alignment)]
    more = found - len(results)
    return _block([*parts, _soft(f"… and {counted(more, 'more item')}" if more else "")])


def errors_html(errors: Errors) -> str:
    """The most frequent errors of each kind, with how often their word occurs."""
    parts = [_line(f"{counted(len(errors.rows()), 'kind')} of errors in {counted(errors.items, 'item')}")]
    for op, name in NAMES.items():
        if found := errors.rows(op) if op in TINTS else []:
            rows: list[Row] = [("reference", "hypothesis", "count", "of", "rate")]
            rows += [
                (
                    each.reference or GAP,
                    each.hypothesis or GAP,
                    str(each.count),
                    str(each.of),
                    f"{each.rate:.1%}",
                )
                for each in found
            ]
            parts += [_line(f"{name}s"), table_html(rows, names=2)]
    return _block([*parts, _soft(errors.signature)])


def statistics_html(statistics: Statistics) -> str:
    """The score of a metric of strings."""
    parts = [table_html(statistics_rows(statistics)), _soft(counted(len(statistics), "item"))]
    return _block([*parts, _soft(statistics.signature), _soft(statistics.sacrebleu_signature)])


def scores_html(scores: Iterable[Any]) -> str:
    """The scores of several metrics, of texts or of files, a row each."""
    every = [getattr(each, "corpus", each) for each in scores]
    rows: list[Row] = [("", "score", "mean")]
    rows += [
        (each.name, *(number(score, each.metric.percent) for score in (each.score, each.mean_score)))
        for each in every
    ]
    said = dict.fromkeys(
        text for each in every for text in (each.signature, getattr(each, "sacrebleu_signature", ""))
    )
    return _block([table_html(rows), _soft(counted(len(every[0]), "item")), *map(_soft, said)])


def breakdown_html(breakdown: Breakdown) -> str:
    """The table by the values of a field."""
    rows = breakdown_rows(breakdown, list(breakdown))
    return _block([table_html(rows, most=len(rows)), *map(_soft, interval_lines([breakdown]))])


def comparison_html(comparison: Comparison) -> str:
    """A table a metric: scores, intervals, differences and their p values; then what was tested."""
    tables = [table_html(rows, most=100) for rows in comparison_tables.tables(comparison)]
    notes = [
        *filter(None, [comparison_report.describe(comparison)]),
        *comparison_report.warnings(comparison),
        *comparison_report.notes(comparison),
        *comparison.remarks,
    ]
    return _block([*tables, *map(_soft, [*items_lines(comparison.items), *notes])])


def risk_html(mbr: MBR) -> str:
    """The hypothesis of least expected loss, the 1-best, and the other candidates that were asked for."""
    rows: list[Row] = [("", "expected loss", "posterior", "words")]
    candidates = [*((str(n), each) for n, each in enumerate(mbr.best, 1)), ("1-best", mbr.one_best)]
    for name, each in candidates:
        rows.append((name, f"{each.expected_loss:.4f}", f"{each.posterior:.4g}", " ".join(each.words)))
    held = "" if mbr.exact else f", which holds {mbr.mass:.4g} of the probability"
    if mbr.candidates is None or mbr.evidence is None:
        found = "all paths against all paths"
    else:
        pieces = counted(mbr.evidence, "piece")
        found = f"{counted(mbr.candidates, 'candidate')} against {pieces} of evidence{held}"
    return _block([_line(f"{mbr.id}  {mbr.metric.name}"), table_html(rows, words=1), _soft(found)])


def nbest_html(nbest: NBest) -> str:
    """The entries of an n-best list, with their scores where it has them."""
    scores = [""] * len(nbest.entries) if nbest.scores is None else [in_full(score) for score in nbest.scores]
    rows: list[Row] = [("", "" if nbest.scores is None else "score", "entry")]
    rows += [(str(rank), *each) for rank, each in enumerate(zip(scores, nbest.texts, strict=True), 1)]
    return _block([_line(nbest.id), table_html(rows, words=1)])


def sizes_html(info: NetworkInfo) -> str:
    """The sizes of a network, a row each."""
    facts = info.to_dict()
    del facts["id"]
    needless = {name for name in ("shared_states", "shared_arcs") if facts[name] is None}
    rows = [(name.replace("_", " "), _fact(name, facts[name])) for name in facts if name not in needless]
    return _block([_line(f"network {info.id}"), table_html(rows, head=False, most=len(rows))])


def alignment_html(alignment: Sequence[AlignedPair]) -> str:
    """An alignment in colour: hypothesis over reference over the letter of the operation."""
    if not alignment:
        return ""
    marks = list(zip(alignment, out_of_turn(alignment), strict=True))
    shown = "".join(_pair_html(pair, moved) for pair, moved in marks[:MOST_PAIRS])
    more = len(alignment) - MOST_PAIRS
    rest = _soft(f"… and {counted(more, 'more operation')}") if more > 0 else ""
    given = ""
    if any(pair.moves for pair in alignment):
        moved = {pair.position for pair, is_moved in marks if is_moved}
        words = (_word(pair.hypothesis, pair.position in moved) for pair in as_given(alignment)[:MOST_PAIRS])
        given = f'<div><span style="{SOFT}">as given: </span>{" ".join(words)}</div>'
    return f'{given}<div style="line-height:1.3;margin:.3em 0">{shown}</div>{rest}'


def _legend(alignment: Sequence[AlignedPair]) -> str:
    """What the letters under an alignment mean that are there."""
    there = {pair.op for pair in alignment}
    meanings = [f"{op} {name}" for op, name in NAMES.items() if op in TINTS and op in there]
    if any(pair.moves for pair in alignment):
        meanings.append("< reordering move, of words underlined")
    return ", ".join(meanings)


def table_html(
    rows: Sequence[Row], names: int = 1, head: bool = True, words: int = 0, most: int = MOST_ROWS
) -> str:
    """A table of text: the first `names` columns, and the last `words`, to the left, numbers to the right."""
    body = rows[1:] if head else rows
    lines = [_row_html("th", rows[0], names, words)] if head else []
    lines += [_row_html("td", row, names, words) for row in islice(body, most)]
    more = len(body) - most
    rest = _soft(f"… and {counted(more, 'more row')}") if more > 0 else ""
    return f'<table style="{TABLE}">{"".join(lines)}</table>{rest}'


def _row_html(kind: str, row: Row, names: int, words: int) -> str:
    def cell(place: int, text: str) -> str:
        side = "left" if place < names or place >= len(row) - words else "right"
        wrap = "" if side == "left" and place else ";white-space:nowrap"
        return f'<{kind} style="{CELL};text-align:{side}{wrap}">{_text(text, 10 * MOST_LETTERS)}</{kind}>'

    return f"<tr>{''.join(cell(place, text) for place, text in enumerate(row))}</tr>"


def _paths_html(paths: Sequence[Result]) -> str:
    rows: list[Row] = [("", paths[0].name, "edits", "hypothesis", "closest")]
    for rank, path in enumerate(paths, 1):
        words = (" ".join(path.hypothesis), " ".join(path.closest))
        rows.append((str(rank), number(path.score), str(path.edits), *words))
    return table_html(rows, words=2)


def _pair_html(pair: AlignedPair, moved: bool) -> str:
    other = pair.op != "="
    tint = f";background:{TINTS[pair.op]}" if pair.op in TINTS else ""
    about = f' title="{NAMES[pair.op]}"' if other else ""
    fade = ";opacity:.6" if pair.op in "=*" else ""
    below = WILDCARD if pair.op == "*" else pair.reference
    letter = (pair.op if pair.op in TINTS else "") + "<" * pair.moves
    return (
        f'<span style="{PAIR}{tint}"{about}><span style="{ROW}">{_word(pair.hypothesis, moved)}</span>'
        f'<span style="{ROW}{fade}">{_word(below)}</span>'
        + (f'<b style="{ROW};font-size:75%">{escape(letter)}</b>' if letter else "")
        + "</span>"
    )


def _word(word: str | None, moved: bool = False) -> str:
    text = _text(SPACE if word == " " else GAP if word is None else word)
    return f'<span style="{MOVED[1:]}">{text}</span>' if moved else text


def _worst(corpus: CorpusResult) -> list[int]:
    """The places of the items with errors that have the worst scores; of equal scores those with more errors."""
    columns = corpus.columns()
    errors = columns["edits"] + columns["moves"]
    badness = columns["score"] * (-1 if corpus.metric.recognition else 1)
    wrong = np.flatnonzero(errors)
    worst = np.lexsort((-errors[wrong], -badness[wrong]))[:MOST_ITEMS]
    return [int(place) for place in wrong[worst]]


def _fact(name: str, fact: object) -> str:
    if fact is None:
        return "infinitely many" if name in ("paths", "longest", "mean_length") else "beyond the limit"
    return magnitude(fact) if isinstance(fact, int) else f"{fact:.4g}"


def _text(text: str, most: int = MOST_LETTERS) -> str:
    return escape(printable(text if len(text) <= most else f"{text[:most]}…"))


def _line(text: str) -> str:
    return f"<div><b>{_text(text, 10 * MOST_LETTERS)}</b></div>"


def _soft(text: str) -> str:
    return text and f'<div style="{SOFT}">{_text(text, 10 * MOST_LETTERS)}</div>'


def _folded(text: str, inside: str) -> str:
    return f'<details><summary style="cursor:pointer">{_text(text, 10 * MOST_LETTERS)}</summary>{inside}</details>'


def _block(parts: Iterable[str]) -> str:
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'
