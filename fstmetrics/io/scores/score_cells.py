"""What readers of scores share: `ScoreFile`, which they make, and the names of columns, cells and numbers of tables."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fstmetrics.data.ratings import Cell
from fstmetrics.io.arcs import real
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.formats import columnar, delimited
from fstmetrics.io.rows import Rows
from fstmetrics.support.errors import InputError
from fstmetrics.support.printable import counted
from fstmetrics.support.source import HEAD, Source

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]

Level = Literal["segment", "document", "domain", "system"]

ASSESSOR = ("assessor", "annotator", "rater")
# Who judged, in tables of nothing but judgments; others have scores of these names.
JUDGE = (
    "judge", "judgeId", "judge_id", "assessor_id", "annotator_id", "rater_id", "user", "user_id", "username", "login",
    "worker", "worker_id", "participant", "participant_id", "evaluator", "evaluator_id",
)  # fmt: skip
SYSTEM, SEGMENT = ("system", "SYS", "system_id"), ("segment", "seg_id", "SID", "segment_id")
DOCUMENT, DOMAIN = ("document", "doc_id"), ("domain",)
# What people's scores are called; the first that is there is taken.
HUMAN = ("human", "mqm_avg_score", "Z.SCR", "RAW.SCR")
IN_DOCUMENTS = "where each document counts its own segments, call them otherwise in each, as d0:0"


def _bare(name: str) -> str:
    """A name in small letters, without what parts words in it."""
    return re.sub("[-_ ]", "", name.lower())


# What other columns of texts, or of whole numbers, may be, and what to do with them.
COLUMN_ADVICE = {
    **dict.fromkeys(
        [
            _bare(name)
            for name in (*JUDGE, "reviewer", "reviewer_id", "coder", "coder_id", "crowdworker", "prolific_id")
        ],
        "call it assessor if it says who gave people's scores, and otherwise if it has scores",
    ),
    **dict.fromkeys(
        ("doc", "docid", "documents", "docname", "documentid"),
        f"call it document, and, {IN_DOCUMENTS}",
    ),
    **dict.fromkeys(
        ("lp", "languagepair", "langpair", "pair"), "give each language pair in a file of its own"
    ),
}
# The columns of Appraise's tables that count.
APPRAISE = ("username", "systemID", "segmentID", "itemType", "score", "documentID", "isCompleteDocument")
# So many of them may lack, and it is still clear what a table is.
MOST_LACKING = 2
# How pandas calls a first column without a name.
UNNAMED = "Unnamed: 0"
# What names rows; and columns that are no scores: WMT's numbers of ratings, what rows are called or when they were
# written, and the texts that neural metrics write with their scores.
ROW_IDS = (*SEGMENT, "id", "ID", "Id", "idx", "row_id", "row", "Row", "index", UNNAMED, "Unnamed: 0.1")
# What may name a system, and a segment, in any letters; who wrote it knows.
MAY_BE_SYSTEM = (*SYSTEM, "system_name", "sys_id", "sys_name", "mt_system", "model", "model_id", "model_name")
MAY_BE_SEGMENT = (
    *SEGMENT, "seg", "segment_number", "sentence_id", "sent_id", "item", "item_id", "line", "line_id", "line_number",
    "id", "idx", "row_id", "row", "index",
)  # fmt: skip
NO_SCORES = ("N", "N.ALL", "timestamp", "Timestamp", *SYSTEM, *ROW_IDS)
TEXTS = ("src", "mt", "ref", "source", "hypothesis", "reference", "errors")
MISSING = frozenset({"", "None", "NA"})
SEMICOLONS = (
    "its columns are parted by semicolons: write tabs, and decimal commas, if there are some, as points"
)
# A decimal comma, or a comma between thousands, which looks like it where three digits are behind it.
COMMA = re.compile(r"[+-]?\d+,\d+")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


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
        by_place: whether `segments` are numbers of places, from 1, as the file does not name them.
        translations: of COMET's JSON, in the order of the rows of each system, the translation that was scored, or
            None.
        human_name: what people's scores are called.
        human_others: columns beside it that are called as people's scores are, and were not taken.
        ratings: their scores before they were standardised; None where they are as `human` has them.
        texts: columns without any number, which are no scores where the column of people's scores was named.
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
    by_place: bool = False
    texts: tuple[str, ...] = ()
    translations: Mapping[str, Sequence[object]] = field(default_factory=dict)
    human_name: str = "human"
    human_others: tuple[str, ...] = ()
    ratings: Floats | None = None

    @property
    def is_numbered(self) -> bool:
        """Whether units are known by their places only, so that all of a test set must be there."""
        return self.segments is None or self.by_place

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

    def of_segments(self, ids: Collection[str | None]) -> ScoreFile:
        """The same with those of its segments that have one of these ids; all, where it does not name them."""
        if self.level != "segment" or self.segments is None or self.by_place:
            return self
        kept = [place for place, id in enumerate(self.segments) if id in ids]
        return replace(
            self,
            segments=tuple(self.segments[place] for place in kept),
            columns={name: values[:, kept] for name, values in self.columns.items()},
            human=None if self.human is None else self.human[:, kept],
            listed=self.listed[:, kept],
            documents=self.documents and tuple(self.documents[place] for place in kept),
            domains=self.domains and tuple(self.domains[place] for place in kept),
        )

    def column(self, name: str | None) -> Floats:
        """The scores called so; if the file has one kind of scores only, these, whatever the name.

        Raises:
            InputError: there are several, and none is called so.
        """
        there = self.columns if self.human is None else {**self.columns, "human": self.human}
        if name in there:
            return there[str(name)]
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
        return replace(self, columns={}, human=self.scores, human_name=self.name)

    def only(self, systems: Sequence[str]) -> ScoreFile:
        """The same of some of its systems, in this order."""
        rows = [self.systems.index(name) for name in systems]
        columns = {name: values[rows] for name, values in self.columns.items()}
        human = None if self.human is None else self.human[rows]
        return replace(self, systems=tuple(systems), columns=columns, human=human, listed=self.listed[rows])

    def renamed(self, names: Mapping[str, str]) -> ScoreFile:
        """The same with other names of some systems.

        Raises:
            InputError: two systems of one name.
        """
        systems = tuple(names.get(system, system) for system in self.systems)
        if twice := next((name for name in systems if systems.count(name) > 1), None):
            raise InputError(f"two systems would be called {twice}", self.path)
        texts = {names.get(system, system): rows for system, rows in self.translations.items()}
        return replace(self, systems=systems, translations=texts)

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


def known_systems(names: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """Names of systems, or the stems of their files, and the known systems that they are of.

    A name that is not known is of the known one between dots in it, of the longest where others are parts of that;
    unless another name is of it, too.

    >>> known_systems(["hyp.Online-W.de", "mine"], ["Online-W", "B"]), known_systems(["hyp.W", "W"], ["W"])
    ({'hyp.Online-W.de': 'Online-W'}, {'W': 'W'})
    """
    found = {}
    for name in names:
        within = [other for other in known if f".{other}." in f".{name}."]
        longest = name if name in known else max(within, key=len, default="")
        if within and all(f".{other}." in f".{longest}." for other in within):
            found[name] = longest
    times = Counter(found.values())
    return {name: other for name, other in found.items() if name == other or times[other] == 1}


# What may be before the first line that has something in it.
BLANK = b"\xef\xbb\xbf \t\r\n"


def first_line(source: Source) -> str:
    """The first line, however it is encoded."""
    return _before_line_end(source, b"").decode("utf-8", "replace").strip("\ufeff\r")


def first_filled_line(source: Source) -> bytes:
    """The first line that has something in it, without what is before it."""
    return _before_line_end(source, BLANK)


def _before_line_end(source: Source, left_out: bytes) -> bytes:
    """What is before the first line end, and behind some bytes; a large file is not read for it."""
    data = source.content[:HEAD]
    line, end, _ = data.lstrip(left_out).partition(b"\n") if left_out else data.partition(b"\n")
    if end or len(source.content) <= len(data):
        return line
    return (source.data.lstrip(left_out) if left_out else source.data).partition(b"\n")[0]


# Tables with a head.


def has_commas(source: Source) -> bool:
    """Whether the first line is a head that commas part."""
    first = first_line(source)
    return "," in first and "\t" not in first and not first.lstrip().startswith(("{", "["))


def columnar_rows(source: Source) -> Rows | None:
    """The rows of Parquet, Arrow and CSV; None of anything else."""
    if is_columnar(source):
        return columnar.read_rows(source)
    return delimited.read_rows(source, ",") if has_commas(source) else None


def headed_rows(source: Source) -> Rows:
    """The rows of a table whose columns tabs or, in the first line and so in all, white space part.

    Raises:
        InputError: two columns of one name, or a line of another number of columns.
    """
    lines = source.lines()
    _, first = next(lines, (0, ""))
    head = split_head(first)
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
    return Rows(source, rows, numbers, head)


def json_lines(source: Source) -> Iterator[tuple[int, Any]]:
    """The values of JSON Lines, each with its line; blank lines are passed over.

    Raises:
        InputError: a line that is no JSON.
    """
    for number, line in source.lines():
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise source.error(f"no JSON: {error}", number) from None


def split_head(head: str) -> list[str]:
    """The names of columns in the first line."""
    parted = "\t" if "\t" in head else "," if "," in head else None
    return [name.strip().strip('"') for name in head.split(parted)] if parted else head.split()


def head_advice(source: Source) -> str:
    """What to do with a first line that names system and segment otherwise than tables of scores do, or not both; else
    "".
    """
    line = first_line(source)
    head = [name or UNNAMED for name in split_head(line)]
    if advice := appraise_advice(head):
        return f"; {advice}"
    names = {name.strip().strip('"').lower() for name in re.split("[;,\t]", line)}
    if names & {*SYSTEM} and names & {*SEGMENT}:
        small = f"the names are {', '.join(head)}: write them in small letters"
        return f"; {SEMICOLONS if ';' in line else small}"
    mark = next((mark for mark in "\t,;" if mark in line), None)
    if mark is None:
        return ""
    _, second = next(islice(source.lines(), 1, None), (0, ""))
    row = second.split(";") if mark == ";" else split_head(second)
    if len(row) != line.count(mark) + 1 or not is_number(row[-1].replace(",", ".")):
        return ""
    if mark == ";":
        return f"; {SEMICOLONS}"
    system, is_usual = _named(head, MAY_BE_SYSTEM), _named(head, SYSTEM) is not None
    if system and not is_usual and is_number(row[head.index(system)]):
        system = None  # the scores of one that is called so
    if system and (not is_usual or _named(head, MAY_BE_SEGMENT)):
        called = "" if system in SYSTEM else f"; if {system} is the system of a row, call it system"
        return called + segment_advice(head)
    return f"; {_lengthened(source, line, head, system)}"


def segment_advice(head: Sequence[str]) -> str:
    """What to do with a column that may name segments, under another name than those known; "" where none may."""
    column = _named(head, MAY_BE_SEGMENT)
    if column is None or column in SEGMENT:
        return ""
    return f"; if {column} is the segment of a row, call it segment, and leave it out if it is not"


def _lengthened(source: Source, line: str, head: Sequence[str], system: str | None) -> str:
    """How a table that does not name both systems and segments becomes one that does."""
    read = f"d = pd.read_csv({source.path!r}, dtype=str" + (r", sep='\t')" if "\t" in line else ")")
    to = "to_csv('long.csv', index=False)"
    if system:
        numbered = f"d.assign(segment=d.groupby('system').cumcount() + 1).{to}"
        return (
            'if rows of a system are its segments in their order: python3 -c "import pandas as pd; '
            f'{read}{_renamed(system, "system")}; {numbered}" numbers them; '
            "scores of whole systems are lines SYSTEM<TAB>score without a head"
        )
    segment = _named(head, ROW_IDS)
    if (
        segment == UNNAMED
    ):  # of a frame of pandas, whose rows are called by their places unless they were moved
        called = [split_head(row)[head.index(segment)] for _, row in source.lines() if row.strip()][1:]
        segment = None if called == [*map(str, range(len(called)))] else segment
    if segment is None and (number := next(filter(is_number, head), None)):
        return f"{number} in its first line is a number and no name: write a line of names before it"
    others = [
        name for name in head if name != segment and (name in NO_SCORES + TEXTS or _named([name], ROW_IDS))
    ]
    kept = f".drop(columns={others})" if others else ""
    named = _renamed(segment, "segment") if segment else "; d = d.assign(segment=range(1, len(d) + 1))"
    melted = f"d.melt('segment', var_name='system', value_name='score').{to}"
    in_order = "" if segment else "rows are segments in their order, and "
    return (
        f'if {in_order}each other column is of a system: python3 -c "import pandas as pd; {read}{kept}{named}; '
        f'{melted}" writes a row a system and segment; if they are metrics of one system, add a column system'
    )


def _named(head: Sequence[str], names: Sequence[str]) -> str | None:
    """As `one_of`, in any letters."""
    small = {_bare(name): name for name in reversed(head)}
    return one_of(head, names) or next((small[_bare(name)] for name in names if _bare(name) in small), None)


def _renamed(column: str, name: str) -> str:
    return "" if column == name else f".rename(columns={{{column!r}: {name!r}}})"


def appraise_advice(head: Sequence[str]) -> str:
    """Which columns are missing in a table of Appraise's; "" of any other, and where none is."""
    lacking = [name for name in APPRAISE if name not in head]
    if not 0 < len(lacking) <= MOST_LACKING:
        return ""
    return f"as a table of Appraise's it lacks {counted(len(lacking), 'column')}: {', '.join(lacking)}"


def names_rows(column: str) -> bool:
    """Whether a column may name the system or the segment of a row, and is no metric."""
    return _named([column], (*MAY_BE_SYSTEM, *MAY_BE_SEGMENT)) is not None


def is_named(head: Iterable[str], names: Sequence[str]) -> bool:
    """Whether a column has one of the names."""
    return any(name in head for name in names)


def one_of(head: Sequence[str], names: Sequence[str]) -> str | None:
    """The first of the names that a column has."""
    return next((name for name in names if name in head), None)


def places(names: Iterable[str]) -> dict[str, int]:
    """Each name once, with its place."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def grid(cells: dict[Cell, float], systems: dict[str, int], units: dict[str, int]) -> Floats:
    """Scores by system and unit as an array of that shape; nan where there is none."""
    values = np.full((len(systems), len(units)), np.nan)
    for (system, unit), score in cells.items():
        values[systems[system], units[unit]] = score
    return values


# Numbers.


def cell_text(value: object) -> str:
    """A name or number as text; 3.0 is 3."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def is_missing(value: object) -> bool:
    """Whether a cell says that there is nothing."""
    return value is None or (isinstance(value, str) and value.strip() in MISSING)


def is_number(text: str) -> bool:
    """Whether it is a score, or says that there is none."""
    try:
        float(text)
    except ValueError:
        return text.strip() in ("None", "NA")
    return True


def cell_number(table: Rows, row: int, column: str, value: Any) -> float:
    """The number in a cell.

    Raises:
        InputError: it is none.
    """
    try:
        number = real(value.strip()) if isinstance(value, str) else float(value)
    except (ValueError, TypeError):
        number = math.nan
    if not math.isfinite(number) or isinstance(value, bool):
        advice = comma_advice(value) or column_advice(column) or "leave it empty where there is none"
        raise table.error(row, f"{column} is {value!r:.40}, not a number; {advice}")
    return number


def comma_advice(value: object) -> str:
    """What to do with a number that has a comma in it; "" of anything else."""
    if not isinstance(value, str) or not COMMA.fullmatch(text := value.strip()):
        return ""
    if THOUSANDS.fullmatch(text):
        return f"write {text.replace(',', '.')} if the comma is decimal, {text.replace(',', '')} if it is not"
    return f"write {text.replace(',', '.')}"


def column_advice(column: str) -> str:
    """What to do with a column that may have no scores; mostly nothing."""
    return COLUMN_ADVICE.get(_bare(column), "")


def line_score(source: Source, line: int, what: str, text: str) -> float:
    """One score of a file without a head."""
    text = text.strip()
    if text in MISSING - {""}:
        return math.nan
    try:
        return real(text)
    except ValueError:
        advice = comma_advice(text) or "None where there is none"
        raise source.error(f"{what} is {text!r:.40}, not a number; {advice}", line) from None
