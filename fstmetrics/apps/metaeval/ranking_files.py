"""Files of human rankings of systems' outputs: `read_rankings` makes `Rankings` of one, of any of these layouts.

- A line a judgment, a column a system: ranks under the names of systems; what is called as a column of the other
  layouts, or as ids of lines, documents and people usually are, is no system.
- A line a judgment and system: columns `system`, `rank`, `segment` and, where several people judged, `judge`.
- MQM as Google distributes it, a line an error: of a rater and segment the system whose errors cost less is better.
- What Appraise exports, a line a rating: of an assessor and segment the system with the higher score is better.
- WMT's tables of 2010 to 2016: columns `system1Id`, `system1rank` and so on, `srcIndex` or `segmentId`, `judgeId`; -1
  is not ranked. Lines with one `rankingID` are one judgment.

Tabs, commas or white space part columns; Parquet, Arrow and JSON Lines do as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.data.ratings import Cell
from fstmetrics.io.rows import Rows
from fstmetrics.io.scores.appraise_files import is_appraise, ratings_of_appraise
from fstmetrics.io.scores.mqm_files import MqmErrors, is_mqm
from fstmetrics.io.scores.score_cells import (
    ASSESSOR,
    DOCUMENT,
    DOMAIN,
    HUMAN,
    IN_DOCUMENTS,
    JUDGE,
    SEGMENT,
    SEMICOLONS,
    SYSTEM,
    appraise_advice,
    cell_number,
    cell_text,
    columnar_rows,
    first_line,
    headed_rows,
    is_missing,
    json_lines,
    one_of,
    places,
    split_head,
)
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.io.scores.score_cells import Floats

RANK = ("rank",)
PEOPLE = (*JUDGE, *ASSESSOR)
WMT_SEGMENT = ("srcIndex", "segmentId")
ITEM = ("item", "item_id", "sentence", "sentence_id", "sent_id", "seg", "segid")
# Columns beside those of systems that say nothing of a judgment.
OTHERS = (
    "id",
    "index",
    "row",
    "round",
    "doc",
    "docid",
    "session",
    "batch",
    "task",
    "year",
    "time",
    "timestamp",
    "date",
)
WMT_LANGUAGES = ("srclang", "trglang")
WMT_RANKING = ("rankingID",)
WMT_COLUMN = re.compile(r"system(\d+)(Id|rank)")
# WMT's ranks count from 1; this one says that there is none.
NOT_RANKED = -1.0


@dataclass(frozen=True, eq=False)
class Rankings:
    """What people said of systems' outputs, judgment by judgment.

    Attributes:
        path: the file.
        systems: names, in the order of the file.
        segments: of each judgment the id of its segment, or its number; "" where the file does not name it.
        judges: of each judgment who made it; "" where the file does not say.
        ranks: shape [judgments, systems], the lower the better; nan is not ranked.
        higher: whether the file has scores, higher is better; `ranks` are these with the other sign.
    """

    path: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    ranks: Floats
    higher: bool = False

    @property
    def by_system(self) -> dict[str, Floats]:
        """The ranks of each system."""
        return dict(zip(self.systems, self.ranks.T, strict=True))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said of judgments that are there twice."""
        rows = zip(self.segments, self.judges, map(tuple, np.nan_to_num(self.ranks).tolist()), strict=True)
        said = [row for row in rows if row[0] and row[1]]
        if not (copies := len(said) - len(set(said))):
            return ()
        which = "is that of another" if copies == 1 else "are those of others"
        return (
            f"{counted(copies, 'judgment')} {which} once more, the same ranks by the same judge of the same segment, "
            "and counted: were files put together that share lines?",
        )


@dataclass(frozen=True)
class _Said:
    """One rank, and where it stands."""

    row: int
    judgment: tuple[str, ...]
    segment: str
    judge: str
    system: str
    rank: float
    column: str


def read_rankings(
    file: str | Source, column: str | None = None, higher: bool | None = None, pair: str | None = None
) -> Rankings:
    """Read a file of rankings.

    Args:
        file: its path, or its content.
        column: of a table with a line a system, the column of ranks; None is `rank`.
        higher: whether higher numbers are better, as of scores. Otherwise they are ranks: whole numbers from 1, of
            which 1 is best. None is False, and a rank above the number of systems is refused, as it may be a score; so
            are ranks of which none is 1.
        pair: of WMT's tables of several language pairs, which: SOURCE-TARGET, as the table writes them.

    Raises:
        InputError: no such table; a rank that is no number, no rank, or given twice; a language pair that is not there.

    >>> found = read_rankings(Source("ranks.tsv", b"segment\\tjudge\\tA\\tB\\n1\\tx\\t1\\t2\\n1\\ty\\t1\\t1\\n"))
    >>> found.systems, found.ranks.tolist(), found.judges
    (('A', 'B'), [[1.0, 2.0], [1.0, 1.0]], ('x', 'y'))
    """
    source = file if isinstance(file, Source) else Source.open(file)
    if column is None and is_mqm(source):
        return _of_mqm(MqmErrors.read(source))
    if column is None and is_appraise(source):
        return _of_appraise(source)
    table = _table(source)
    head = list(table.names or ())
    if advice := SEMICOLONS if len(head) == 1 and ";" in head[0] else appraise_advice(head):
        raise source.error(f"no table of rankings; {advice}", 1)
    if any(WMT_COLUMN.fullmatch(name) for name in head):
        said = _of_wmt(table, head, pair)
    elif pair is not None:
        raise source.error("--language-pair is for WMT's tables of rankings, and this is another")
    elif one_of(head, SYSTEM) and one_of(head, [column] if column else RANK):
        said = _of_systems(table, head, column)
    elif column is not None:
        raise source.error(f"no columns system and {column}; there are {listed(head, 8)}", 1)
    elif (system := one_of(head, SYSTEM)) and one_of(head, SEGMENT):
        raise source.error(_without_ranks(head, system), 1)
    else:
        said = _of_judgments(table, head)
    return _joined(table, list(said), higher)


def _of_mqm(found: MqmErrors) -> Rankings:
    """What each rater's errors in the systems' translations of a segment cost: the less, the better."""
    costs = {
        (system, segment, rater): float(cost)
        for (system, segment), own in found.raters.items()
        for rater, cost in own.items()
    }
    return _of_raters(found.source, costs)


def _of_appraise(source: Source) -> Rankings:
    """Each assessor's scores of the systems' translations of a segment; of several of one, their mean."""
    ratings, _ = ratings_of_appraise(source)
    said: dict[tuple[str, str, str], list[float]] = {}
    for judge, cell, score in zip(ratings.assessors, ratings.cells, ratings.scores, strict=True):
        said.setdefault((*cell, judge), []).append(score)
    return _of_raters(source, {cell: -mean(scores) for cell, scores in said.items()})


def _of_raters(source: Source, ranks: Mapping[tuple[str, str, str], float]) -> Rankings:
    """Rankings by what each rater said of a system's segment, the lower the better; the file had scores."""
    systems = places(system for system, _, _ in ranks)
    rows: dict[Cell, dict[str, float]] = {}
    for (system, segment, rater), rank in ranks.items():
        rows.setdefault((segment, rater), {})[system] = rank
    table = np.array([[own.get(system, np.nan) for system in systems] for own in rows.values()])
    segments, raters = zip(*rows, strict=True)
    return Rankings(source.path, tuple(systems), segments, raters, table, higher=True)


def _without_ranks(head: Sequence[str], system: str) -> str:
    """What is wrong with a table of systems and segments, and which column may be meant."""
    segment, judge = one_of(head, SEGMENT), one_of(head, PEOPLE)
    others = [name for name in head if name not in (system, segment, judge, *DOCUMENT, *DOMAIN)]
    example = one_of(others, HUMAN) or next(iter(others), "human")
    return (
        f"no column rank; there are {listed(list(head), 8)}; --ranks says which it is, for example --ranks {example} "
        "--higher if higher numbers are better"
    )


def is_rankings(source: Source) -> bool:
    """Whether the first line is the head of a table of rankings: WMT's, or one with the columns system and rank."""
    head = split_head(first_line(source))
    of_wmt = any(WMT_COLUMN.fullmatch(name) for name in head)
    return of_wmt or (one_of(head, SYSTEM) is not None and one_of(head, RANK) is not None)


def _table(source: Source) -> Rows:
    if (rows := columnar_rows(source)) is not None:
        found = rows
    elif source.data.lstrip()[:1] == b"{":
        found = _of_lines(source)
    else:
        found = headed_rows(source)
    if not found.rows:
        raise source.error("a head, and no rankings under it" if found.names else "no rankings in it")
    return found


def _of_lines(source: Source) -> Rows:
    """The rows of JSON Lines."""
    rows, numbers = [], []
    for number, row in json_lines(source):
        if not isinstance(row, dict):
            raise source.error("expected a JSON object", number)
        rows.append(row)
        numbers.append(number)
    return Rows(source, rows, numbers, list(dict.fromkeys(name for row in rows for name in row)))


def _of_judgments(table: Rows, head: Sequence[str]) -> Iterator[_Said]:
    """A line a judgment, a column a system."""
    plain = {name.casefold(): name for name in reversed(head)}
    segment, judge = (
        next((plain[name.casefold()] for name in names if name.casefold() in plain), None)
        for names in ([*SEGMENT, *WMT_SEGMENT, *ITEM], PEOPLE)
    )
    known = (*SEGMENT, *WMT_SEGMENT, *ITEM, *PEOPLE, *DOCUMENT, *DOMAIN, *OTHERS)
    others = {name.casefold() for name in known}
    systems = [name for name in head if name.casefold() not in others]
    if len(systems) < 2:
        raise table.source.error(
            f"no table of rankings; it has the columns {listed(list(head), 8)}, and expected are the names of two "
            "systems or more, or system, segment and rank, or WMT's system1Id, system1rank and so on",
            1,
        )
    for row, values in enumerate(table.rows):
        place = cell_text(values.get(segment)) if segment else ""
        by = cell_text(values.get(judge)) if judge else ""
        for name in systems:
            if not is_missing(value := values.get(name)):
                yield _Said(row, (str(row),), place, by, name, cell_number(table, row, name, value), name)


def _of_systems(table: Rows, head: Sequence[str], column: str | None) -> Iterator[_Said]:
    """A line a judgment and system."""
    system, rank = one_of(head, SYSTEM), one_of(head, [column] if column else RANK)
    segment, judge = one_of(head, [*SEGMENT, *WMT_SEGMENT]), one_of(head, PEOPLE)
    if segment is None:
        raise table.source.error(
            f"no column segment, so that nobody knows what is ranked together; there are {listed(list(head), 8)}",
            1,
        )
    assert system is not None
    assert rank is not None
    for row, values in enumerate(table.rows):
        place, by = cell_text(values.get(segment)), cell_text(values.get(judge)) if judge else ""
        if not is_missing(value := values.get(rank)):
            number = cell_number(table, row, rank, value)
            yield _Said(row, (place, by), place, by, cell_text(values.get(system)), number, rank)


def _of_wmt(table: Rows, head: Sequence[str], pair: str | None) -> Iterator[_Said]:
    """WMT's: up to five systems a line, named within it."""
    numbers = [match[1] for name in head if (match := WMT_COLUMN.fullmatch(name)) and match[2] == "Id"]
    if lacking := [n for n in numbers if f"system{n}rank" not in head]:
        raise table.source.error(f"a column system{lacking[0]}Id, and none system{lacking[0]}rank", 1)
    segment, judge = one_of(head, WMT_SEGMENT), one_of(head, PEOPLE)
    ranking = one_of(head, WMT_RANKING)
    for row in _rows_of_pair(table, head, pair):
        values = table.rows[row]
        place = cell_text(values.get(segment)) if segment else ""
        by = cell_text(values.get(judge)) if judge else ""
        judgment = (cell_text(values.get(ranking)), place, by) if ranking else (str(row),)
        for number in numbers:
            name = cell_text(values.get(f"system{number}Id"))
            value = values.get(f"system{number}rank")
            if not name or is_missing(value):
                continue
            column = f"system{number}rank"
            rank = cell_number(table, row, column, value)
            if rank != NOT_RANKED:
                yield _Said(row, judgment, place, by, name, rank, column)


def _rows_of_pair(table: Rows, head: Sequence[str], pair: str | None) -> list[int]:
    """The rows of one language pair.

    Raises:
        InputError: there are several and none is chosen, or not the one that is.
    """
    if not all(name in head for name in WMT_LANGUAGES):
        if pair is not None:
            raise table.source.error("--language-pair, and no columns srclang and trglang", 1)
        return list(range(len(table.rows)))
    pairs = ["-".join(cell_text(row.get(name)) for name in WMT_LANGUAGES) for row in table.rows]
    known = list(places(pairs))
    if pair is None and len(known) > 1:
        raise InputError(
            f"rankings of {len(known)} language pairs; --language-pair says which: {listed(known, 8)}",
            table.source.path,
        )
    if pair is not None and pair not in known:
        raise InputError(
            f"no rankings of the language pair {pair}; there are {listed(known, 8)}", table.source.path
        )
    return [row for row, each in enumerate(pairs) if pair in (None, each)]


def _joined(table: Rows, said: Sequence[_Said], higher: bool | None) -> Rankings:
    """All ranks as one array.

    A system that is in one ranking twice keeps its rank if both are the same, as in WMT's lines of pairs.
    """
    if any(not each.system for each in said):
        row = next(each.row for each in said if not each.system)
        raise table.error(row, "a line without a system")
    if not higher and (
        no_rank := next((each for each in said if each.rank < 1 or not each.rank.is_integer()), None)
    ):
        raise table.error(
            no_rank.row,
            f"{no_rank.column} is {no_rank.rank:g}, and a rank is a whole number from 1, the best; "
            f"{_rank_advice(no_rank.rank, higher)}",
        )
    systems = places(each.system for each in said)
    judgments = {name: place for place, name in enumerate(dict.fromkeys(each.judgment for each in said))}
    if not said:
        raise table.source.error("no rank in it")
    ranks = np.full((len(judgments), len(systems)), np.nan)
    segments, judges = [""] * len(judgments), [""] * len(judgments)
    for each in said:
        place = (judgments[each.judgment], systems[each.system])
        if not np.isnan(ranks[place]) and ranks[place] != each.rank:
            raise table.error(
                each.row,
                f"{each.system} has the rank {each.rank:g} here, and {ranks[place]:g} before in the same judgment"
                + (
                    f"; a column judge tells judgments of one segment apart; {IN_DOCUMENTS}"
                    if not each.judge
                    else ""
                ),
            )
        ranks[place] = each.rank
        segments[place[0]], judges[place[0]] = each.segment, each.judge
    if higher is None:
        ways = (
            "give --higher (in Python higher=True) if these are scores, or --lower (higher=False) if they are ranks of "
            "more systems"
        )
        if high := next((each for each in said if each.rank > len(systems)), None):
            found = f"{high.column} is {high.rank:g}, and there are {len(systems)} systems"
            raise table.error(high.row, f"{found}; {ways}")
        if not (ranks == 1).any():
            raise table.source.error(f"no judgment has a rank 1, the best; {ways}")
    ranks = -ranks if higher else ranks
    return Rankings(table.source.path, tuple(systems), tuple(segments), tuple(judges), ranks, bool(higher))


def _rank_advice(number: float, higher: bool | None) -> str:
    """What to do about a number that is no rank."""
    ways = []
    if number == NOT_RANKED:
        ways.append("leave the cell empty where a system was not ranked")
    elif number > 1 and (2 * number).is_integer():
        ways.append("systems that are tied have the same whole rank, as 1 and 1, not the mean of their ranks")
    if higher is None:
        ways.append("give --higher (in Python higher=True) if higher numbers are better, as of scores")
    return "; ".join(ways) or "write ranks as whole numbers"
