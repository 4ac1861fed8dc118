"""Files of scores by system and segment: `read_scores` reads one, of any of these kinds, into a `ScoreFile`.

- WMT's metrics data (mt-metrics-eval): lines `SYSTEM<TAB>score`, a block of lines a system, in `NAME.seg.score`,
  `.doc.score` and `.sys.score`; `DOMAIN<TAB>SYSTEM<TAB>score` in `.domain.score`. `None` is a missing score.
- Tables with a head (tabs, commas, white space, Parquet, Arrow, JSON Lines): columns `system` and `segment` (WMT's
  `SYS`, `seg_id`, `SID`) say of what a line is, `document` and `domain` of which; one called `human` (or
  `mqm_avg_score`, `Z.SCR`, `RAW.SCR`) is what people say; all others are metrics. With a column `assessor`
  (`annotator`, `rater`) there is a line a system, segment and assessor. Without a segment, a line a whole system.
- MQM as Google distributes it, a line an error (`mqm_files`), and ratings that Appraise exports (`appraise_files`).
- COMET's JSON (`comet-score --to_json`): a list of segments for each system's file. Segments that are not named are
  those of their places; JSON Lines with `system` and `segment` name them.
- One score a line.

`score_folder` reads one language pair of a folder of WMT's metrics data, as mt-metrics-eval keeps it:
`human-scores/LP.NAME.LEVEL.score`, `metric-scores/LP/METRIC-REF.LEVEL.score` and `documents/LP.docs`, of which only the
first must be there. All scores: higher is better.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.ratings import Cell
from fstmetrics.io.detection.head import values_in
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.rows import Rows
from fstmetrics.io.scores.appraise_files import is_appraise, scores_of_appraise
from fstmetrics.io.scores.mqm_files import MqmErrors, is_json, is_mqm
from fstmetrics.io.scores.score_cells import (
    ASSESSOR,
    BLANK,
    DOCUMENT,
    DOMAIN,
    HUMAN,
    NO_SCORES,
    SEGMENT,
    SYSTEM,
    TEXTS,
    Level,
    ScoreFile,
    cell_text,
    columnar_rows,
    first_line,
    grid,
    has_commas,
    headed_rows,
    is_named,
    is_number,
    json_lines,
    line_score,
    places,
    segment_advice,
    split_head,
)
from fstmetrics.io.scores.score_tables import scores_in_columns, scores_of_rows, scores_of_systems
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.row_columns import flat
from fstmetrics.support.source import Source, file_name, stem

if TYPE_CHECKING:
    from fstmetrics.io.scores.score_cells import Floats

# What people's scores are called in the names of WMT's files; where a folder has several, the first is taken, that of
# the tasks since 2021.
HUMAN_NAMES = ("mqm", "esa", "da-sqm", "wmt-z", "wmt-appraise-z", "wmt", "wmt-raw", "wmt-appraise")
# Of WMT's folders: en-de.mqm.seg.score, BLEU-refA.sys.score.
SCORE_NAME = re.compile(
    r"(?:(?P<pair>[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?)\.)?(?P<name>.+)\.(?P<level>seg|doc|domain|sys)\.score"
)
# A line of what COMET prints.
PRINTED = re.compile(r"(.*\t)?Segment \d+\tscore: .*")
# So many different scores of each of several systems, or more that have as many orders, are in the order of their size
# only where they were sorted, and the last of so many is as near to the mean of those before, in parts of their range,
# only where it is that.
FEWEST_SORTED, NEAR_MEAN = 10, 1 / 2000
LEVELS: dict[str, Level] = {"seg": "segment", "doc": "document", "domain": "domain", "sys": "system"}


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
    if PRINTED.fullmatch(first_line(source)):
        raise source.error(
            "what comet-score prints, with rounded scores: give what it writes with --to_json FILE", 1
        )
    if is_mqm(source):
        return MqmErrors.read(source).score_file()
    if is_appraise(source):
        return scores_of_appraise(source, standardise)
    if not is_columnar(source) and _is_of_systems(source):
        return scores_of_systems(columnar_rows(source) or headed_rows(source), human)
    called, of_objects = SCORE_NAME.fullmatch(source.name), is_json(source)
    is_blocks, is_lines = called or _is_blocks(source), is_number(first_line(source))
    if (has_commas(source) or of_objects or not (is_blocks or is_lines)) and not is_columnar(source):
        table = scores_in_columns(source, human, standardise)
        if table is not None:
            return table
    if (rows := columnar_rows(source)) is not None:
        return scores_of_rows(rows, human, standardise)
    if of_objects:
        return _of_json(source, human, standardise)
    title = name or (called["name"] if called else stem(source.path))
    if is_blocks:
        found = _of_blocks(source, title, LEVELS[called["level"]] if called else None)
        return found.as_human() if title in ([human] if human else HUMAN_NAMES) else found
    if is_lines:
        return _of_lines(source, title)
    return scores_of_rows(headed_rows(source), human, standardise)


def is_scores(source: Source) -> bool:
    """Whether a file is one of scores of systems: one of WMT's, or a table whose head names system and segment.

    A sentence may well speak of systems and segments, but has no tabs.
    """
    if (
        SCORE_NAME.fullmatch(source.name)
        or is_columnar(source)
        or is_mqm(source)
        or is_appraise(source)
        or _is_of_systems(source)
        or _is_blocks(source)
        or PRINTED.fullmatch(first_line(source))
    ):
        return True
    first = first_line(source)
    head = split_head(first)
    if not is_named(head, SYSTEM) or not is_named(head, SEGMENT):
        # Of the first objects, some may have no score.
        return _is_comet(source) or (is_json(source) and any(map(_has_score, islice(values_in(source), 100))))
    return "\t" in first or "," in first or head[0] in (*SYSTEM, *SEGMENT)


def _is_of_systems(source: Source) -> bool:
    """Whether it is a table of whole systems, as WMT's `da.sys-scores.csv`: a line each, with what people say.

    A sentence may well speak of people and systems, but no numbers are below its words.
    """
    head, (_, second) = split_head(first_line(source)), next(islice(source.lines(), 1, None), (0, ""))
    if not is_named(head, SYSTEM) or is_named(head, (*SEGMENT, *ASSESSOR, *DOCUMENT, *DOMAIN)):
        return False
    row = dict(zip(head, split_head(second), strict=False))
    return is_named(head, HUMAN) and all(is_number(row.get(name, "-")) for name in head if name in HUMAN)


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
            raise source.error(f"{counted(len(cells), 'word')}, and lines are DOMAIN DOCUMENT", number)
        pairs.append(cells)
    return [domain for domain, _ in pairs], [document for _, document in pairs]


# Blocks of lines without a head.


def _is_blocks(source: Source) -> bool:
    """Whether the first line is a name, a tab and a score."""
    cells = first_line(source).split("\t")
    return len(cells) == 2 and bool(cells[0].strip()) and is_number(cells[1])


def _of_blocks(source: Source, name: str, level: Level | None) -> ScoreFile:
    if level == "domain":
        return _of_domains(source, name)
    scores: dict[str, array[float]] = {}
    ends: dict[str, int] = {}
    for number, line in source.lines_of_items():
        cells = line.split("\t") if line.count("\t") == 1 else line.split()
        if len(cells) != 2:
            raise source.error(f"{counted(len(cells), 'word')}, and lines are SYSTEM<TAB>score", number)
        system = cells[0].strip()
        if system in scores and ends[system] != number - 1:
            raise source.error(
                f"{system} once more, whose scores ended in line {ends[system]}: the lines of a system stand together",
                number,
            )
        scores.setdefault(system, array("d")).append(
            line_score(source, number, f"the score of {system}", cells[1])
        )
        ends[system] = number
    if not scores:
        raise source.error("no scores in it")
    _check_even(source, {system: len(values) for system, values in scores.items()}, ends)
    values = np.array([np.frombuffer(each) for each in scores.values()])
    refuse_other_lines(values, source.path)
    found = level or ("system" if values.shape[1] == 1 else "segment")
    if found == "system" and values.shape[1] > 1:
        raise source.error(
            f"{values.shape[1]} scores of {next(iter(scores))}, and a file of whole systems (.sys.score) has one"
        )
    return ScoreFile(
        source.path, name, found, tuple(scores), None, {name: values}, None, np.ones(values.shape, dtype=bool)
    )


def _check_even(source: Source, counts: Mapping[str, int], ends: Mapping[str, int | None]) -> None:
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


def refuse_other_lines(scores: Iterable[Floats], path: str) -> None:
    """Raise an InputError for scores of segments in the order of their size, or with their mean behind them.

    Args:
        scores: of each system, in the order of the lines; what is so of one system alone may be by chance.
        path: the file, or one of them.
    """
    rows = [row[~np.isnan(row)] for row in scores]
    if len(rows) < 2 or not all(map(len, rows)):
        return
    counts = [np.unique(row, return_counts=True)[1].tolist() for row in rows]
    if min(map(_log_orders, counts)) >= _log_orders([1] * FEWEST_SORTED) and all(map(_is_sorted, rows)):
        raise InputError(
            "the scores of each system are in the order of their size, as sort leaves them, and not in that of "
            "segments: give them as they were written (of lines SYSTEM<TAB>score, sort -s -k1,1 keeps their order)",
            path,
        )
    decimals = max(len(str(row[-1]).partition(".")[2]) for row in rows)
    are_finer = all(any(round(score, decimals + 1) != score for score in row.tolist()) for row in rows)
    rounding = 0.5001 * 10.0**-decimals if are_finer else 0.0
    if min(map(len, counts)) >= FEWEST_SORTED and all(_ends_with_mean(row, rounding) for row in rows):
        raise InputError(
            "the last score of each system is the mean of those before, and of no segment: leave it out; if it is one "
            "of a segment, give a table with columns system, segment and score",
            path,
        )


def _ends_with_mean(scores: Floats, rounding: float) -> bool:
    """Whether the last score is the mean of those before, which may be written with fewer decimals than they are."""
    near = float(np.ptp(scores)) * NEAR_MEAN
    return bool(abs(scores[:-1].mean() - scores[-1]) <= (rounding if near < rounding <= 20 * near else near))


def _log_orders(counts: Sequence[int]) -> float:
    """The logarithm of how many orders scores have, of which so many each are equal."""
    return math.lgamma(sum(counts) + 1) - sum(math.lgamma(count + 1) for count in counts)


def _is_sorted(scores: Floats) -> bool:
    """Whether they never fall, or never rise: as numbers, or as they are written."""
    return any(
        row == sorted(row) or row[::-1] == sorted(row) for row in (scores.tolist(), [*map(str, scores)])
    )


def _of_domains(source: Source, name: str) -> ScoreFile:
    cells: dict[Cell, float] = {}
    for number, line in source.lines_of_items():
        words = line.split()
        if len(words) != 3:
            raise source.error(f"{counted(len(words), 'word')}, and lines are DOMAIN SYSTEM score", number)
        cell = (words[1], words[0])
        if cell in cells:
            raise source.error(f"{cell[0]} in the domain {cell[1]} once more", number)
        cells[cell] = line_score(source, number, f"the score of {cell[0]}", words[2])
    if not cells:
        raise source.error("no scores in it")
    systems, domains = places(system for system, _ in cells), places(domain for _, domain in cells)
    values = grid(cells, systems, domains)
    listed = grid(dict.fromkeys(cells, 1.0), systems, domains) == 1
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
    values = np.fromiter(
        (line_score(source, number, "the score", line) for number, line in source.lines_of_items()),
        np.float64,
    )[None]
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


def _is_comet(source: Source) -> bool:
    """Whether it is an object of lists of objects."""
    return (
        re.match(rb'[\s\xef\xbb\xbf]*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\{', source.content[:4096]) is not None
    )


def _has_score(value: object) -> bool:
    """Whether it is an object with the columns system and segment, and a number, or null, in another one."""
    each = flat(value) if isinstance(value, dict) else {}
    if not is_named(each, SYSTEM) or not is_named(each, SEGMENT) or "metric" in each:  # records name a metric
        return False
    known = {*SYSTEM, *SEGMENT, *NO_SCORES, *TEXTS}
    return any(type(value) in (int, float, type(None)) for name, value in each.items() if name not in known)


def _of_json(source: Source, human: str | None, standardise: bool) -> ScoreFile:
    """COMET's object of a list a system, a list of objects, or an object a line."""
    try:
        whole = json.loads(source.text) if not _is_lines(source) else None
    except (ValueError, RecursionError) as error:
        raise source.error(f"no JSON: {error}") from None
    if isinstance(whole, dict) and whole and all(isinstance(each, list) for each in whole.values()):
        _check_even(source, {key: len(each) for key, each in whole.items()}, dict.fromkeys(whole))
        rows = [each for units in whole.values() for each in units]
        # COMET names a system by its file.
        objects = [
            {"system": stem(key) or key, **_object(source, each)} for key in whole for each in whole[key]
        ]
        places = [number for units in whole.values() for number in range(1, len(units) + 1)]
        lines = None
    elif isinstance(whole, list):
        rows = whole
        objects, lines, places = [_object(source, each) for each in whole], None, None
    else:
        pairs = list(json_lines(source))
        rows, lines = [row for _, row in pairs], [number for number, _ in pairs]
        objects, places = [_object(source, row, number) for number, row in pairs], None
    if not objects:
        raise source.error("no scores in it")
    for each in objects:
        if not is_named(each, SYSTEM):
            each["system"] = source.stem
    by_place = not any(is_named(each, SEGMENT) for each in objects)
    if by_place and (advice := segment_advice(list(objects[0]))):
        raise source.error(f"no object names its segment{advice}")
    translations: dict[str, list[object]] = {}
    if by_place:
        _number(source, objects, places)
        for row, each in zip(rows, objects, strict=True):
            if isinstance(row, dict):
                translations.setdefault(_system(each), []).append(row.get("mt"))
    # Where rows lack some, the names alone say in which order they come.
    names = list(objects[0])
    if any(each.keys() != objects[0].keys() for each in objects):
        names = sorted({name for each in objects for name in each})
    found = scores_of_rows(Rows(source, objects, lines, names), human, standardise)
    return replace(found, by_place=by_place, translations=translations)


def _system(each: Mapping[str, Any]) -> str:
    return cell_text(next(each[name] for name in SYSTEM if name in each))


def _number(source: Source, objects: Sequence[dict[str, Any]], places: Sequence[int] | None) -> None:
    """Name segments by their places: those that are given, or those among the objects of each system.

    Raises:
        InputError: systems of different numbers of segments.
    """
    counts: Counter[str] = Counter()
    for index, each in enumerate(objects):
        system = _system(each)
        counts[system] += 1
        each["segment"] = str(counts[system] if places is None else places[index])
    _check_even(source, counts, dict.fromkeys(counts))


def _is_lines(source: Source) -> bool:
    """Whether the first line is an object by itself, and more follow."""
    first, _, more = source.data.lstrip(BLANK).rstrip().partition(b"\n")
    return first.startswith(b"{") and first.rstrip().endswith(b"}") and bool(more.strip())


def _object(source: Source, each: object, line: int | None = None) -> dict[str, Any]:
    if isinstance(each, dict):
        return {name: value for name, value in flat(each).items() if name not in TEXTS}
    if isinstance(each, int | float) or each is None:
        return {source.stem: each}
    raise source.error(f"{each!r:.40} stands where an object with a score is expected", line)


HUMAN_FOLDER, METRIC_FOLDER, DOCUMENT_FOLDER = "human-scores", "metric-scores", "documents"
# Of metrics that look at no reference.
NO_REFERENCE = "src"


@dataclass(frozen=True)
class ScoreFolder:
    """The scores of one language pair.

    Attributes:
        path: of the folder.
        pair: such as en-de.
        human: what people's scores are called.
        references: which references the metrics had, as the names of their files say.
        files: people's scores, then those of metrics, of segments and of whole systems; of the systems that people and
            all metrics have scored. Metrics are called by their names without the reference.
        left_out: the other systems.
    """

    path: str
    pair: str
    human: str
    references: str | None
    files: list[ScoreFile]
    left_out: tuple[str, ...]


def is_score_folder(path: str) -> bool:
    """Whether it is a folder with people's scores as WMT has them."""
    return (Path(path) / HUMAN_FOLDER).is_dir()


def language_pairs(path: str) -> list[str]:
    """The language pairs of a folder that have human scores, in order."""
    return sorted({found["pair"] for _, found in _files(Path(path) / HUMAN_FOLDER) if found["pair"]})


def score_folder(
    path: str, pair: str | None = None, human: str | None = None, references: str | None = None
) -> ScoreFolder:
    """Read a language pair.

    Args:
        path: of the folder, such as wmt21.news.
        pair: such as en-de; None if there is one only.
        human: which scores of people, such as mqm; None for the usual one, or the only one.
        references: which references the metrics had, such as refA; None for the only ones, or the first in order.
            Metrics without a reference (`src`) are read with any.

    Raises:
        InputError: no such pair or scores, with those that there are; or as of `read_scores`.
    """
    root = Path(path)
    judged = _files(root / HUMAN_FOLDER)
    pair = _chosen(
        path, "language pair", sorted({found["pair"] for _, found in judged if found["pair"]}), pair
    )
    names = sorted({found["name"] for _, found in judged if found["pair"] == pair})
    usual = [name for name in HUMAN_NAMES if name in names]
    human = _chosen(path, f"human score of {pair}", usual[:1] if usual and human is None else names, human)
    of_people = [
        file for file, found in judged
        if found["pair"] == pair and found["name"] == human and found["level"] in ("seg", "sys")
    ]  # fmt: skip
    files = [read_scores(str(file)).as_human() for file in of_people]
    scored = _files(root / METRIC_FOLDER / pair)
    sets = sorted({of for _, found in scored if (of := _parted(found["name"])[1]) != NO_REFERENCE})
    if references is None and sets:
        references = sets[0]
    elif references is not None:
        _chosen(path, "set of references", sets, references)
    for file, found in scored:
        name, of = _parted(found["name"])
        if of in (references, NO_REFERENCE) and found["level"] in ("seg", "sys"):
            files.append(read_scores(str(file), name=name))
    common, left_out = _common(files)
    return ScoreFolder(path, pair, human, references, _with_documents(root, pair, common), left_out)


def _common(files: Sequence[ScoreFile]) -> tuple[list[ScoreFile], tuple[str, ...]]:
    """The files with the systems that all have, and the others. A reference has no scores of metrics that used it."""
    have = [set(file.scored_systems) for file in files]
    every = dict.fromkeys(name for file in files for name in file.systems)
    common = [name for name in every if all(name in names for names in have)]
    return [file.only(common) for file in files], tuple(name for name in every if name not in common)


def _files(folder: Path) -> list[tuple[Path, dict[str, str]]]:
    """Files of scores with the parts of their names, in order."""
    if not folder.is_dir():
        return []
    matches = [(file, SCORE_NAME.fullmatch(file_name(file))) for file in sorted(folder.iterdir())]
    return [(file, match.groupdict()) for file, match in matches if match]


def _parted(name: str) -> tuple[str, str]:
    """A metric and its references.

    >>> _parted("COMET-22-refA"), _parted("chrF")
    (('COMET-22', 'refA'), ('chrF', ''))
    """
    metric, dash, references = name.rpartition("-")
    return (metric, references) if dash else (name, "")


def _chosen(path: str, what: str, names: Sequence[str], asked: str | None) -> str:
    if not names:
        raise InputError(f"no {what} in {HUMAN_FOLDER}: its files are LANGUAGES.NAME.seg.score", path)
    if asked is not None:
        if asked not in names:
            raise InputError(f"no {what} {asked}; there are {listed(names)}", path)
        return asked
    if len(names) > 1:
        raise InputError(f"{len(names)} {what}s, {listed(names)}: say which", path)
    return names[0]


def _with_documents(root: Path, pair: str, files: list[ScoreFile]) -> list[ScoreFile]:
    docs = next((path for path in (root / DOCUMENT_FOLDER).glob(f"{pair}.docs*")), None)
    if docs is None:
        return files
    domains, documents = read_documents(str(docs))
    return [
        file.with_documents(domains, documents, str(docs)) if file.level == "segment" else file
        for file in files
    ]
