"""A folder of WMT's metrics data, as mt-metrics-eval keeps it: `score_folder`, one language pair of it.

`human-scores/LP.NAME.LEVEL.score`, `metric-scores/LP/METRIC-REF.LEVEL.score` and `documents/LP.docs`, of which only the
first must be there. All scores: higher is better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fstmetrics.io.scores.score_cells import ScoreFile
from fstmetrics.io.scores.score_files import HUMAN_NAMES, SCORE_NAME, read_documents, read_scores
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.source import file_name

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
