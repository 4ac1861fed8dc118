"""Scores by the values of fields as tables: `field_lines`, all of them; `breakdown_rows`, one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fstmetrics.data.groupings import Key, keyed, labels
from fstmetrics.engine.breakdown import Breakdown, Group
from fstmetrics.engine.resampling import CONFIDENCE
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.word_classes import CLASSES, rate
from fstmetrics.reports.summary import Row, folded_lines
from fstmetrics.support.printable import counted, have, number

# Values of a field that a terminal shows; of more, those with the most errors, or words.
MOST_VALUES = 50


def breakdown_text(breakdown: Breakdown) -> str:
    """The table, as `print` shows it."""
    lines = folded_lines(breakdown_rows(breakdown, list(breakdown)), None)
    return "\n".join([*lines, *interval_lines([breakdown])])


def field_lines(tables: Sequence[Breakdown], width: int | None = None) -> Iterator[str]:
    """The tables by field, folded to a width, behind an empty line each, and what their intervals are."""
    for table in tables:
        yield ""
        yield from breakdown_lines(table, width)
    yield from interval_lines(tables)


def breakdown_lines(breakdown: Breakdown, width: int | None = None) -> Iterator[str]:
    """The table folded to a width, with no more than `MOST_VALUES` values; a line says what it leaves out."""
    shown = most_errors(breakdown)
    yield from folded_lines(breakdown_rows(breakdown, shown), width)
    if rest := len(breakdown) - len(shown):
        items = sum(len(scores) for value, scores in breakdown.items() if value not in set(shown))
        what = "with fewer errors" if isinstance(breakdown.whole.scores, CorpusResult) else "with fewer items"
        yield f"and {counted(rest, 'more value')} {what} ({counted(items, 'item')}); --json has all"
    yield from breakdown.grouping.bins_remark({value: len(scores) for value, scores in breakdown.items()})


def most_errors(breakdown: Breakdown) -> list[Key]:
    """The values that a terminal shows, in order."""
    if len(breakdown) <= MOST_VALUES:
        return list(breakdown)

    def weight(value: Key) -> int:
        scores = breakdown[value]
        return scores.edits + scores.moves if isinstance(scores, CorpusResult) else len(scores)

    shown = set(sorted(breakdown, key=weight, reverse=True)[:MOST_VALUES])
    return [value for value in breakdown if value in shown]


def interval_lines(breakdowns: Sequence[Breakdown]) -> Iterator[str]:
    """How the intervals of tables were found, for the foot of them all; nothing where there is none."""
    drawn = {
        group.resampled
        for found in breakdowns
        for group in (*found.groups.values(), found.whole)
        if group.resampled
    }
    if not drawn:
        return
    for found in breakdowns:
        if gap := found.gap:
            scores = found.whole.scores
            one, two = labels(list(map(keyed, gap.values)))
            ends = (gap.delta, gap.low, gap.high)
            delta, low, high = (f"{'+' * (end >= 0)}{number(end, scores.metric.percent)}" for end in ends)
            yield f"{found.name}: {scores.name} of {two} minus that of {one}: {delta}, from {low} to {high}"
    resampling = breakdowns[0].resampling
    yield (
        f"low, high: {CONFIDENCE:.0%} bootstrap intervals; {resampling.samples} resamples of {max(drawn)}, seed "
        f"{resampling.seed}"
    )
    if len(drawn) > 1:
        yield "where a row has one speaker, its items are resampled"
    if (lacking := breakdowns[0].without_speaker) and drawn == {"items"}:
        yield f"items are resampled, and not speakers: {counted(lacking, 'item')} {have(lacking)} no speaker"


# The row of all items.
ALL = "all"


def breakdown_rows(breakdown: Breakdown, values: Sequence[Key]) -> list[Row]:
    """The table: a head, a row for each of some values, and one for all items."""
    whole = breakdown.whole
    with_speakers = whole.speakers is not None and breakdown.grouping.fields != ("speaker",)
    head = [breakdown.name, "items", *(["speakers"] if with_speakers else [])]
    if isinstance(whole.scores, CorpusResult):
        head.append("chars" if whole.scores.unit.startswith("char") else "words")
    head += [whole.scores.name, *_beside(whole), "low", "high"]
    if isinstance(whole.scores, CorpusResult):
        head += [
            "share",
            "edits",
            "sub",
            "ins",
            "del",
            *(["moves"] if whole.scores.metric.window > 1 else []),
        ]
    rows: list[Row] = [tuple(head)]
    every = [
        (name, breakdown.groups[keyed(value)], breakdown.interval(value))
        for name, value in zip(labels(list(map(keyed, values)), [ALL]), values, strict=True)
    ]
    for name, group, interval in [*every, (ALL, whole, breakdown.whole_interval)]:
        rows.append(_row(name, group, interval, whole, with_speakers))
    return rows


def _beside(whole: Group) -> dict[str, str]:
    """The columns of what is counted beside, by their heads."""
    heads = {"1-best": "one_best", **{f"{name}-wer": name for name in CLASSES}}
    return {head: name for head, name in heads.items() if whole.beside.get(name)}


def _row(
    name: str, group: Group, interval: tuple[float, float] | None, whole: Group, with_speakers: bool
) -> Row:
    scores, percent = group.scores, group.scores.metric.percent
    row = [name, str(len(scores))]
    if with_speakers:
        row.append("" if group.speakers is None else str(len(group.speakers)))
    if isinstance(scores, CorpusResult):
        row.append(str(scores.path_length))
    row.append(number(scores.score, percent))
    for each in _beside(whole).values():
        own = group.beside.get(each)
        score = None if own is None else rate(own.totals) if each in CLASSES else own.score
        row.append("" if score is None else number(score))
    row += [number(end, percent) for end in interval] if interval else ["", ""]
    if isinstance(scores, CorpusResult):
        assert isinstance(whole.scores, CorpusResult)
        moves = [scores.moves] if scores.metric.window > 1 else []
        counts = [scores.edits, scores.substitutions, scores.insertions, scores.deletions, *moves]
        row += ["" if group is whole else _share(scores, whole.scores), *map(str, counts)]
    return tuple(row)


def _share(scores: CorpusResult, whole: CorpusResult) -> str:
    """The part of all errors."""
    errors = whole.edits + whole.moves
    return f"{(scores.edits + scores.moves) / errors:.2%}" if errors else "-"
