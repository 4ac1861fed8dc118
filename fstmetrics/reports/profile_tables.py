"""Systems under several profiles as text: scores and ranks, gaps, and the words whose errors the rules change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fstmetrics.engine.signatures import signature_of
from fstmetrics.metrics.wer import WER
from fstmetrics.reports.summary import Part, Row, Table, text_lines
from fstmetrics.significance.profile_comparison import Gap, ProfileComparison, WordChange
from fstmetrics.support.printable import counted, marked

# Characters of words that a table shows on a terminal of so many columns; and systems that have a column of their own
# beside words: where there are many, those on top.
PHRASE, WIDTH, COLUMNS = 28, 100, 4
# Rows of words that `print` shows.
ROWS = 10
# Gaps that are shown: those that the rules change most.
GAPS = 10


def profile_parts(
    comparison: ProfileComparison, top: int | None, width: int | None, more: str = "--top 0 shows all"
) -> Iterator[Part]:
    """All tables.

    Args:
        comparison: the systems.
        top: rows of words for each profile; None for all.
        width: of the terminal; None for any.
        more: where the other words are.
    """
    yield Table(score_rows(comparison))
    for profile in comparison.profiles[1:]:
        yield from _against_base(comparison, profile, top, width, more)


def profile_text(comparison: ProfileComparison) -> str:
    """What `print` shows in Python: all tables, with the first words of each."""
    return "\n".join(text_lines(profile_parts(comparison, ROWS, None, "changes has all"))).rstrip()


def score_rows(comparison: ProfileComparison) -> list[Row]:
    """A row a system: its score in percent and its rank under each profile, and the base's rank where it differs."""
    columns = [("%", *comparison.systems)]
    for profile in comparison.profiles:
        cells = []
        for system in comparison.systems:
            found, own = comparison.scores[system, profile], comparison.scores[system, comparison.base].rank
            changed = "" if found.rank == own else f", was {own}"
            cells.append((f"{found.rank}{changed}", _points(found.score)))
        longest = max(len(rank) for rank in ["rank", *(rank for rank, _ in cells)])
        scores = [comparison.scores[system, profile].score for system in comparison.systems]
        shown = [f"{score}  {rank.ljust(longest)}" for rank, score in cells]
        head = f"{profile} {comparison.metric_name(profile)}  {'rank'.ljust(longest)}"
        columns.append((head, *marked(shown, scores, False, _points)))
    return list(zip(*columns, strict=True))


def _against_base(
    comparison: ProfileComparison, profile: str, top: int | None, width: int | None, more: str
) -> Iterator[Part]:
    yield f"{profile} compared with {comparison.base}"
    yield ""
    gaps = comparison.gaps(profile)
    if gaps:
        yield Table(gap_rows(comparison.base, profile, gaps))
    changes = comparison.changes[profile]
    if not changes:
        yield "no word has errors under one of them only"
        yield ""
        return
    yield Table(kind_rows(comparison, changes))
    yield Table(word_rows(comparison, changes, top, more, width), 3)


def gap_rows(base: str, profile: str, gaps: Iterable[Gap]) -> list[Row]:
    """A row for every two systems whose gap the rules change most: the gaps in points, and what the rules add."""
    chosen = sorted(gaps, key=lambda gap: -abs(gap.owed))[:GAPS]
    rows: list[Row] = [("gap in points", base, profile, "owed to rules", "by errors", "by length")]
    for gap in chosen:
        values = (gap.base, gap.other, gap.owed, gap.by_errors, gap.by_length)
        rows.append((f"{gap.second} - {gap.first}", *(_points(value, "+") for value in values)))
    return rows


def kind_rows(comparison: ProfileComparison, changes: Iterable[WordChange]) -> list[Row]:
    """How the words differ, and the edits that each kind adds."""
    kinds: dict[str, list[WordChange]] = {}
    for change in changes:
        kinds.setdefault(change.kind, []).append(change)
    rows: list[Row] = [("edits added by", *comparison.systems[:COLUMNS], "all")]
    for kind, some in sorted(kinds.items(), key=lambda pair: -abs(sum(change.total for change in pair[1]))):
        rows.append((kind, *_sums(comparison, some)))
    return [*rows, ("all", *_sums(comparison, [change for some in kinds.values() for change in some]))]


def word_rows(
    comparison: ProfileComparison,
    changes: Sequence[WordChange],
    top: int | None,
    more: str,
    width: int | None,
) -> list[Row]:
    """The words, the most frequent first, with the edits that they add to each system; shorter on narrow terminals."""
    most = max(PHRASE - max(WIDTH - (width or WIDTH), 0) // 2, PHRASE // 2)
    rows: list[Row] = [("reference", "hypothesis", "under", "times", *comparison.systems[:COLUMNS], "all")]
    for change in changes[:top]:
        words = (
            _cut(change.reference, most) or "~",
            _cut(change.hypothesis, most) or "~",
            change.under,
            str(change.times),
        )
        rows.append((*words, *_sums(comparison, [change])))
    rest = changes[len(rows) - 1 :]
    if rest:
        rows.append(
            (
                f"{len(rest)} more ({more})",
                "",
                "",
                str(sum(change.times for change in rest)),
                *_sums(comparison, rest),
            )
        )
    return rows


def left_out_lines(comparison: ProfileComparison, items: int) -> Iterator[str]:
    """How many items each profile leaves out."""
    for profile in comparison.profiles:
        if left := items - comparison.scores[comparison.systems[0], profile].items:
            yield f"{profile} leaves out {counted(left, 'item')}: no words in the reference"


def profile_signatures(comparison: ProfileComparison, conditions: Sequence[str] = ()) -> Iterator[str]:
    """What was computed, a line a profile."""
    from fstmetrics.grammars.library import signature

    for profile in comparison.profiles:
        rules = comparison.normalisations[profile]
        grammars = comparison.grammars_of(profile)
        wider = [f"grammars:{signature(grammars)}"] if grammars else []
        yield signature_of(WER(), rules, [*conditions, *wider])


def _sums(comparison: ProfileComparison, changes: Sequence[WordChange]) -> list[str]:
    columns = [sum(change.edits[system] for change in changes) for system in comparison.systems[:COLUMNS]]
    return [
        f"{number:+d}" if number else "0" for number in (*columns, sum(change.total for change in changes))
    ]


def _points(value: float, sign: str = "") -> str:
    """A rate in percent; what is nothing has no sign."""
    text = f"{100 * value:{sign}.2f}"
    return "0.00" if float(text) == 0 else text


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
