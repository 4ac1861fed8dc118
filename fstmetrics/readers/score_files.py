"""Files of scores by system and segment: `read_scores` reads one, of any of these kinds, into a `ScoreFile`.

- WMT's metrics data (mt-metrics-eval): lines `SYSTEM<TAB>score`, a block of lines a system, in `NAME.seg.score`,
  `.doc.score` and `.sys.score`; `DOMAIN<TAB>SYSTEM<TAB>score` in `.domain.score`. `None` is a missing score.
- Tables with a head (tabs, commas, white space, Parquet, Arrow, JSON Lines): columns `system` and `segment` (WMT's
  `SYS`, `seg_id`, `SID`) say of what a line is, `document` and `domain` of which; one called `human` (or
  `mqm_avg_score`, `Z.SCR`, `RAW.SCR`) is what people say; all others are metrics. With a column `assessor`
  (`annotator`, `rater`) there is a line a system, segment and assessor.
- COMET's JSON (`comet-score --to_json`): a list of segments for each system's file.
- One score a line.

`score_folder` reads a whole folder of WMT's.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fstmetrics.readers.arcs import real
from fstmetrics.readers.formats import columnar, delimited
from fstmetrics.readers.rows import Rows, flat
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, stem
from fstmetrics.values.ratings import Cell, Ratings

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

Level = Literal["segment", "document", "domain", "system"]

ASSESSOR = ("assessor", "annotator", "rater")
SYSTEM, SEGMENT = ("system", "SYS", "system_id"), ("segment", "seg_id", "SID", "segment_id")
DOCUMENT, DOMAIN = ("document", "doc_id"), ("domain",)
# What people's scores are called; the first that is there is taken.
HUMAN = ("human", "mqm_avg_score", "Z.SCR", "RAW.SCR")
# The same of WMT's files of scores; where a folder has several, the first is taken, that of the tasks since 2021.
HUMAN_NAMES = ("mqm", "esa", "da-sqm", "wmt-z", "wmt-appraise-z", "wmt", "wmt-raw", "wmt-appraise")
# Columns that are no scores: WMT's number of ratings, and the texts that neural metrics write with their scores.
NO_SCORES = ("N",)
TEXTS = ("src", "mt", "ref", "source", "hypothesis", "reference", "errors")
MISSING = frozenset({"", "None", "NA"})
# WMT's direct assessments number their systems: Facebook-AI.7.
NUMBERED = re.compile(r"\.\d+$")
# Of WMT's folders: en-de.mqm.seg.score, BLEU-refA.sys.score.
SCORE_NAME = re.compile(
    r"(?:(?P<pair>[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?)\.)?(?P<name>.+)\.(?P<level>seg|doc|domain|sys)\.score"
)
LEVELS: dict[str, Level] = {"seg": "segment", "doc": "document", "domain": "domain", "sys": "system"}


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """What one file says.

    Attributes:
        path: the file.
        name: what its scores are called: of `BLEU-refA.seg.score`, BLEU-refA; else the file's name without its ending.
        level: what has a score. A *unit* is a segment, a document or a domain; of whole systems there is one unit.
        systems: names, in the order of the file. Where it names none, the one system is called as the file is.
        segments: ids of the units; None where the file does not name them: they are those of these numbers, from 1.
        columns: scores of metrics by name, shape [systems, units]; nan where the file says None or has no line.
        human: what people say, of the same shape; None if the file does not say that it holds it.
        listed: of which systems and units it has a line, also where the score is missing.
        documents, domains: the document and the domain of each unit, or None.
        assessors: how many people's ratings `human` was made of; 0 where the file does not tell them apart.
        standardised: whether these ratings were standardised.
    """

    path: str
    name: str
    level: Level
    systems: tuple[str, ...]
    segments: tuple[str, ...] | None
    columns: dict[str, Floats]
    human: Floats | None
    listed: Mask
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    assessors: int = 0
    standardised: bool = False

    @property
    def scores(self) -> Floats:
        """The scores, shape [systems, units].

        Raises:
            InputError: the file has several columns of scores.
        """
        return self.column(None)

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the units, or their numbers."""
        return self.segments or tuple(map(str, range(1, self.listed.shape[1] + 1)))

    @property
    def scored_systems(self) -> tuple[str, ...]:
        """The systems that have a score of any kind."""
        columns = [*self.columns.values(), *([] if self.human is None else [self.human])]
        there = [~np.isnan(values).all(axis=1) for values in columns]
        return tuple(name for i, name in enumerate(self.systems) if any(rows[i] for rows in there))

    def column(self, name: str | None) -> Floats:
        """The scores called so; if the file has one kind of scores only, these, whatever the name.

        Raises:
            InputError: there are several, and none is called so.
        """
        there = self.columns if self.human is None else {**self.columns, "human": self.human}
        if name in self.columns:
            return self.columns[str(name)]
        if len(there) != 1:
            called = f", and none is called {name}" if name is not None else ""
            raise InputError(f"has several columns of scores: {', '.join(there)}{called}", self.path)
        return next(iter(there.values()))

    def of(self, system: str) -> Floats:
        """The scores of one system, shape [units]; those of the only one, whatever it is called.

        Raises:
            InputError: there are several systems, and none is called so; or several columns.
        """
        if system in self.systems:
            return self.scores[self.systems.index(system)]  # type: ignore[no-any-return]
        if len(self.systems) == 1:
            return self.scores[0]  # type: ignore[no-any-return]
        raise InputError(
            f"has no scores of the system {system}; it has those of {', '.join(self.systems)}", self.path
        )

    def as_human(self) -> ScoreFile:
        """The same, with its only column as what people say."""
        if self.human is not None:
            return self
        return replace(self, columns={}, human=self.scores)

    def only(self, systems: Sequence[str]) -> ScoreFile:
        """The same of some of its systems, in this order."""
        rows = [self.systems.index(name) for name in systems]
        columns = {name: values[rows] for name, values in self.columns.items()}
        human = None if self.human is None else self.human[rows]
        return replace(self, systems=tuple(systems), columns=columns, human=human, listed=self.listed[rows])

    def with_documents(self, domains: Sequence[str], documents: Sequence[str], path: str) -> ScoreFile:
        """The same, with what `read_documents` has found.

        Raises:
            InputError: of another number of segments.
        """
        if len(documents) != self.listed.shape[1]:
            raise InputError(
                f"{self.listed.shape[1]} segments of each system, but {len(documents)} lines in {path}: scores of "
                "another test set?",
                self.path,
            )
        return replace(self, documents=tuple(documents), domains=tuple(domains))


def read_scores(
    file: str | Source, *, human: str | None = None, standardise: bool = True, name: str | None = None
) -> ScoreFile:
    """Read a file of scores.

    Args:
        file: its path, or its content.
        human: the column of people's scores, or the name of WMT's file of them, if it is not called by one of the known
            names.
        standardise: whether ratings, where a column tells the assessors apart, are standardised before their mean is
            taken.
        name: what the scores are called, where the file names no columns; None for the file's own name.

    Raises:
        InputError: no file of scores, a line that does not fit, something that is no number, a line given twice, or
            systems of different numbers of segments; with file and line.
    """
    source = file if isinstance(file, Source) else Source.open(file)
    if (rows := _rows(source)) is not None:
        return _of_rows(rows, human, standardise)
    if _is_json(source):
        return _of_json(source, human, standardise)
    called = SCORE_NAME.fullmatch(source.name)
    title = name or (called["name"] if called else stem(source.path))
    if called or _is_blocks(source):
        found = _of_blocks(source, title, LEVELS[called["level"]] if called else None)
        return found.as_human() if title in ([human] if human else HUMAN_NAMES) else found
    if is_number(first_line(source)):
        return _of_lines(source, title)
    return _of_table(source, human, standardise)


def is_scores(source: Source) -> bool:
    """Whether a file is one of scores of systems: one of WMT's, or a table whose head names system and segment.

    A sentence may well speak of systems and segments, but has no tabs.
    """
    if SCORE_NAME.fullmatch(source.name) or _is_columnar(source) or _is_blocks(source):
        return True
    first = first_line(source)
    head = _split(first)
    if not _named(head, SYSTEM) or not _named(head, SEGMENT):
        return _is_comet(source)
    return "\t" in first or "," in first or head[0] in (*SYSTEM, *SEGMENT)


def refuse_systems_only(source: Source) -> None:
    """Raise an InputError for people's scores of whole systems, as WMT's `da.sys-scores.csv`: it is no output."""
    head = _split(first_line(source))
    if _named(head, SYSTEM) and _named(head, HUMAN):
        raise source.error(
            f"scores of whole systems: the columns are {', '.join(head)}, and none is called segment, seg_id or SID; "
            "give people's scores of segments (of WMT: da.seg-scores.csv), from which those of systems are made",
            1,
        )


def read_documents(path: str) -> tuple[list[str], list[str]]:
    """The domain and the document of each segment, of WMT's `documents/LP.docs`: lines `DOMAIN<TAB>DOCUMENT`.

    Raises:
        InputError: a line of another number of words.
    """
    source = Source.open(path)
    pairs = []
    for number, line in source.lines():
        cells = line.split()
        if len(cells) != 2:
            raise source.error(f"{len(cells)} words, and lines are DOMAIN DOCUMENT", number)
        pairs.append(cells)
    return [domain for domain, _ in pairs], [document for _, document in pairs]


def first_line(source: Source) -> str:
    """The first line, however it is encoded."""
    return source.data.split(b"\n", 1)[0].decode("utf-8", "replace").strip("\ufeff\r")


# Blocks of lines without a head.


def _is_blocks(source: Source) -> bool:
    """Whether the first line is a name, a tab and a score."""
    cells = first_line(source).split("\t")
    return len(cells) == 2 and bool(cells[0].strip()) and is_number(cells[1])


def _of_blocks(source: Source, name: str, level: Level | None) -> ScoreFile:
    if level == "domain":
        return _of_domains(source, name)
    scores: dict[str, list[float]] = {}
    ends: dict[str, int] = {}
    for number, line in source.lines_of_items():
        cells = line.split("\t") if line.count("\t") == 1 else line.split()
        if len(cells) != 2:
            raise source.error(f"{len(cells)} words, and lines are SYSTEM<TAB>score", number)
        system = cells[0].strip()
        if system in scores and ends[system] != number - 1:
            raise source.error(
                f"{system} once more, whose scores ended in line {ends[system]}: the lines of a system stand together",
                number,
            )
        scores.setdefault(system, []).append(_score(source, number, f"the score of {system}", cells[1]))
        ends[system] = number
    if not scores:
        raise source.error("no scores in it")
    _check_even(source, {system: len(values) for system, values in scores.items()}, ends)
    values = np.array(list(scores.values()))
    found = level or ("system" if values.shape[1] == 1 else "segment")
    if found == "system" and values.shape[1] > 1:
        raise source.error(
            f"{values.shape[1]} scores of {next(iter(scores))}, and a file of whole systems (.sys.score) has one"
        )
    return ScoreFile(
        source.path, name, found, tuple(scores), None, {name: values}, None, np.ones(values.shape, dtype=bool)
    )


def _check_even(source: Source, counts: dict[str, int], ends: dict[str, int]) -> None:
    """Raise an InputError for the first system of another number of scores than most have."""
    usual = Counter(counts.values()).most_common(1)[0][0]
    like = next(system for system, count in counts.items() if count == usual)
    for system, count in counts.items():
        if count != usual:
            raise source.error(
                f"{count} scores of {system}, but {usual} of {like}: every system has one a segment (None where it is "
                "missing)",
                ends[system],
            )


def _of_domains(source: Source, name: str) -> ScoreFile:
    cells: dict[Cell, float] = {}
    for number, line in source.lines_of_items():
        words = line.split()
        if len(words) != 3:
            raise source.error(f"{len(words)} words, and lines are DOMAIN SYSTEM score", number)
        cell = (words[1], words[0])
        if cell in cells:
            raise source.error(f"{cell[0]} in the domain {cell[1]} once more", number)
        cells[cell] = _score(source, number, f"the score of {cell[0]}", words[2])
    if not cells:
        raise source.error("no scores in it")
    systems, domains = _places(system for system, _ in cells), _places(domain for _, domain in cells)
    values = _grid(cells, systems, domains)
    listed = _grid(dict.fromkeys(cells, 1.0), systems, domains) == 1
    return ScoreFile(
        source.path,
        name,
        "domain",
        tuple(systems),
        tuple(domains),
        {name: values},
        None,
        listed,
        None,
        tuple(domains),
    )


def _of_lines(source: Source, name: str) -> ScoreFile:
    """One score a line: of the one system that is called as the file is."""
    values = np.array(
        [[_score(source, number, "the score", line) for number, line in source.lines_of_items()]]
    )
    return ScoreFile(
        source.path,
        name,
        "segment",
        (stem(source.path),),
        None,
        {name: values},
        None,
        np.ones(values.shape, dtype=bool),
    )


# JSON.


def _is_json(source: Source) -> bool:
    return source.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def _is_comet(source: Source) -> bool:
    """Whether it is an object of lists of objects."""
    return re.match(rb'[\s\xef\xbb\xbf]*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\{', source.data[:4096]) is not None


def _of_json(source: Source, human: str | None, standardise: bool) -> ScoreFile:
    """COMET's object of a list a system, a list of objects, or an object a line."""
    try:
        whole = json.loads(source.text) if not _is_lines(source) else None
    except (ValueError, RecursionError) as error:
        raise source.error(f"no JSON: {error}") from None
    if isinstance(whole, dict) and whole and all(isinstance(each, list) for each in whole.values()):
        _check_even(source, {key: len(each) for key, each in whole.items()}, dict.fromkeys(whole))  # type: ignore[arg-type]
        objects = [
            {"system": _system_of(key), "segment": str(number), **_object(source, each)}
            for key, units in whole.items()
            for number, each in enumerate(units, 1)
        ]
        lines = None
    elif isinstance(whole, list):
        objects, lines = [_object(source, each) for each in whole], None
    else:
        pairs = [(number, line) for number, line in source.lines() if line.strip()]
        objects, lines = (
            [_object(source, _loaded(source, *pair), pair[0]) for pair in pairs],
            [n for n, _ in pairs],
        )
    if not objects:
        raise source.error("no scores in it")
    for number, each in enumerate(objects, 1):
        if not _named(each, SYSTEM):
            each["system"] = source.stem
        if not _named(each, SEGMENT):
            each["segment"] = str(number)
    names = list(dict.fromkeys(name for each in objects for name in each))
    return _of_rows(Rows(source, objects, lines, names), human, standardise)


def _is_lines(source: Source) -> bool:
    """Whether the first line is an object by itself, and more follow."""
    first, _, more = source.data.strip().partition(b"\n")
    return first.startswith(b"{") and first.rstrip().endswith(b"}") and bool(more.strip())


def _loaded(source: Source, number: int, line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise source.error(f"no JSON: {error}", number) from None


def _object(source: Source, each: object, line: int | None = None) -> dict[str, Any]:
    if isinstance(each, dict):
        return {name: value for name, value in flat(each).items() if name not in TEXTS}
    if isinstance(each, int | float) or each is None:
        return {source.stem: each}
    raise source.error(f"{each!r:.40} stands where an object with a score is expected", line)


def _system_of(key: str) -> str:
    """COMET names a system by its file."""
    return stem(key) or key


# Tables with a head.


def _is_columnar(source: Source) -> bool:
    return any(pattern.match(source.data) is not None for pattern in (columnar.PARQUET, columnar.ARROW))


def _rows(source: Source) -> Rows | None:
    """The rows of Parquet, Arrow and CSV."""
    if _is_columnar(source):
        return columnar.read_rows(source)
    first = first_line(source)
    if "," in first and "\t" not in first and not first.lstrip().startswith(("{", "[")):
        return delimited.read_rows(source, ",")
    return None


def _of_table(source: Source, human: str | None, standardise: bool) -> ScoreFile:
    lines = source.lines()
    _, first = next(lines, (0, ""))
    head = _split(first)
    if len(set(head)) < len(head):
        raise source.error(f"two columns have the same name: {' '.join(head)}", 1)
    rows, numbers = [], []
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in first else line.split()
        if not cells or cells == [""]:
            continue
        if len(cells) != len(head):
            raise source.error(
                f"{len(cells)} columns, but the head has {len(head)}: {' '.join(head)}", number
            )
        rows.append(dict(zip(head, cells, strict=True)))
        numbers.append(number)
    return _of_rows(Rows(source, rows, numbers, head), human, standardise)


@dataclass(frozen=True)
class _Columns:
    """Which column is what."""

    system: str
    segment: str
    assessor: str | None
    document: str | None
    domain: str | None
    human: str | None
    metrics: list[str]

    @classmethod
    def of(cls, source: Source, head: Sequence[str], human: str | None) -> _Columns:
        system, segment = _one_of(head, SYSTEM), _one_of(head, SEGMENT)
        if system is None or segment is None:
            raise source.error("the head must name the columns system and segment, and those of scores", 1)
        said = _one_of(head, [human] if human else HUMAN)
        assessor, document, domain = (_one_of(head, names) for names in (ASSESSOR, DOCUMENT, DOMAIN))
        taken = {*HUMAN, *NO_SCORES, *TEXTS, system, segment, assessor, document, domain, said}
        metrics = [name for name in head if name not in taken]
        return cls(system, segment, assessor, document, domain, said, metrics)


class _Cells:
    """What the rows of a table say, cell by cell; a cell is a system and a segment."""

    def __init__(self, table: Rows, columns: _Columns) -> None:
        self.table, self.columns = table, columns
        self.rows: dict[tuple[str, str, str], int] = {}
        self.metrics: dict[str, dict[Cell, float]] = {name: {} for name in columns.metrics}
        self.human: dict[Cell, float] = {}
        self.ratings = Ratings()
        self.documents: dict[str, str] = {}
        self.domains: dict[str, str] = {}

    def add(self, row: int) -> None:
        """One row.

        Raises:
            InputError: no system or segment, a cell once more, or a segment in two documents.
        """
        values, columns, table = self.table.rows[row], self.columns, self.table
        cell = (_text(values.get(columns.system)), _text(values.get(columns.segment)))
        if columns.system == "SYS":
            cell = (NUMBERED.sub("", cell[0]), cell[1])
        if "" in cell:
            raise table.error(row, "a line without a system or a segment")
        assessor = "" if columns.assessor is None else _text(values.get(columns.assessor))
        before = self.rows.setdefault((*cell, assessor), row)
        if before != row:
            by = f" by {assessor}" if assessor else ""
            raise table.error(
                row, f"segment {cell[1]} of {cell[0]}{by} once more, after {table.place(before)}"
            )
        self._place(row, "document", columns.document, cell[1], self.documents)
        self._place(row, "domain", columns.domain, cell[1], self.domains)
        self._scores(row, cell, assessor)

    def _place(self, row: int, what: str, column: str | None, segment: str, known: dict[str, str]) -> None:
        if column is None:
            return
        given = _text(self.table.rows[row].get(column))
        if known.setdefault(segment, given) != given:
            raise self.table.error(row, f"segment {segment} is in two {what}s, {known[segment]} and {given}")

    def _scores(self, row: int, cell: Cell, assessor: str) -> None:
        values = self.table.rows[row]
        for name, found in self.metrics.items():
            value = values.get(name)
            if not _is_missing(value):
                score = _number(self.table, row, name, value)
                if found.setdefault(cell, score) != score:
                    said = f"{name} of segment {cell[1]} of {cell[0]} is {value} here, and was another"
                    raise self.table.error(row, said)
        if self.columns.human is not None and not _is_missing(value := values.get(self.columns.human)):
            score = _number(self.table, row, self.columns.human, value)
            if self.columns.assessor is None:
                self.human[cell] = score
            else:
                self.ratings.add(assessor, cell, score)


def _of_rows(table: Rows, human: str | None, standardise: bool) -> ScoreFile:
    columns = _Columns.of(table.source, table.names or (), human)
    if not table.rows:
        raise table.source.error("a head, and no scores under it")
    cells = _Cells(table, columns)
    for row in range(len(table.rows)):
        cells.add(row)
    told_apart = columns.assessor is not None and columns.human is not None
    if told_apart:
        cells.human = cells.ratings.standardised() if standardise else cells.ratings.means()
    systems, segments = _places(key[0] for key in cells.rows), _places(key[1] for key in cells.rows)
    there = dict.fromkeys(((key[0], key[1]) for key in cells.rows), 1.0)
    return ScoreFile(
        table.source.path,
        table.source.stem,
        "segment",
        tuple(systems),
        tuple(segments),
        {name: _grid(found, systems, segments) for name, found in cells.metrics.items()},
        None if columns.human is None else _grid(cells.human, systems, segments),
        _grid(there, systems, segments) == 1,
        None if columns.document is None else tuple(cells.documents[name] for name in segments),
        None if columns.domain is None else tuple(cells.domains[name] for name in segments),
        len(set(cells.ratings.assessors)),
        told_apart and standardise,
    )


def _split(head: str) -> list[str]:
    parted = "\t" if "\t" in head else "," if "," in head else None
    return [name.strip().strip('"') for name in head.split(parted)] if parted else head.split()


def _named(head: Iterable[str], names: Sequence[str]) -> bool:
    return any(name in head for name in names)


def _one_of(head: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in head), None)


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _grid(cells: dict[Cell, float], systems: dict[str, int], units: dict[str, int]) -> Floats:
    values = np.full((len(systems), len(units)), np.nan)
    for (system, unit), score in cells.items():
        values[systems[system], units[unit]] = score
    return values


# Numbers.


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in MISSING)


def is_number(text: str) -> bool:
    """Whether it is a score, or says that there is none."""
    try:
        float(text)
    except ValueError:
        return text.strip() in ("None", "NA")
    return True


def _number(table: Rows, row: int, column: str, value: Any) -> float:
    try:
        number = real(value.strip()) if isinstance(value, str) else float(value)
    except (ValueError, TypeError):
        number = math.nan
    if not math.isfinite(number) or isinstance(value, bool):
        raise table.error(row, f"{column} is {value!r:.40}, not a number; leave it empty where there is none")
    return number


def _score(source: Source, line: int, what: str, text: str) -> float:
    """One score of a file without a head."""
    text = text.strip()
    if text in MISSING - {""}:
        return math.nan
    try:
        return real(text)
    except ValueError:
        raise source.error(f"{what} is {text!r:.40}, not a number; None where there is none", line) from None


__all__ = [
    "HUMAN",
    "HUMAN_NAMES",
    "SCORE_NAME",
    "Level",
    "ScoreFile",
    "is_scores",
    "read_documents",
    "read_scores",
    "refuse_systems_only",
]
