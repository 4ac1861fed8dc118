"""What a page is made of: `System`, one run; `Shown`, how its items are shown; `Drawing`, what is drawn of an item;
`sounds`, links from the page to sound files that can be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from fstmetrics import Statistics
from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.analysis.scored_runs import Quotient, statistics_of_objects
from fstmetrics.io.formats.records import aligns_itself, quotient_of
from fstmetrics.metrics import as_corpus_metric
from fstmetrics.metrics.corpus_metric import metric_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics import CorpusMetric


@dataclass(frozen=True)
class Sounds:
    """Links to sound files.

    Attributes:
        links: of every item; "" where there is none.
        missing: how many items name a file that cannot be read.
        far: how many name one that shares no folder with the page: a relative link would show its whole path.
    """

    links: Sequence[str]
    missing: int = 0
    far: int = 0


def sounds(paths: Iterable[object], page: Path, folders: Sequence[Path], full_paths: bool = False) -> Sounds:
    """Links of a page to the sound files of its items.

    Args:
        paths: of every item, as the manifest has them.
        page: the page's file.
        folders: where relative paths may begin; the first in which the file is counts.
        full_paths: whether links are absolute.
    """
    here = os.path.abspath(page.parent)
    links, missing, far = [], 0, 0
    for path in paths:
        link = ""
        if isinstance(path, str) and path:
            found = next((p for p in (os.path.join(f, path) for f in folders) if _is_readable(p)), None)
            if found is None:
                missing += 1
            elif full_paths:
                link = Path(os.path.abspath(found)).as_uri()
            elif link := _relative(os.path.abspath(found), here):
                pass
            else:
                far += 1
        links.append(link)
    return Sounds(links, missing, far)


def _is_readable(path: str) -> bool:
    try:
        return os.path.isfile(path) and os.access(path, os.R_OK)
    except ValueError:  # a zero byte
        return False


def _relative(file: str, folder: str) -> str:
    """The link; "" where nothing but the root is shared. A colon is escaped, so that no link has a scheme."""
    try:
        shared = os.path.commonpath((file, folder))
    except ValueError:  # on different drives
        return ""
    if shared == os.path.dirname(shared):
        return ""
    return quote(Path(os.path.relpath(file, folder)).as_posix(), errors="surrogateescape")


# A branch beside a path: the positions on the path between which it lies, and its words.
Branch = tuple[int, int, str]


@dataclass(frozen=True)
class Drawing:
    """What is drawn of an item.

    Attributes:
        branches: what lies beside the path.
        of_hypothesis: whether the path is the hypothesis, not the closest path.
        why: what is said where there is no branch.
    """

    branches: Sequence[Branch] = ()
    of_hypothesis: bool = False
    why: str = ""


# Of an item, by its id, the words of its closest path, and those of its hypothesis as given.
Drawings = Callable[[str, Sequence[str], Sequence[str]], Drawing]


@dataclass(frozen=True, eq=False)
class System:
    """One system's run.

    Attributes:
        table: the best path of each item under the metric whose alignments are shown.
        scores: what the scores of the run are made of, by metric, in the order of `table`.
        signatures: all that each of these scores depends on, by metric.
        closest: of each item, which of its references the closest path is, from 1; 0: none of them as it is written.
            None where there are not several references.
    """

    table: RecordTable
    scores: Mapping[str, Statistics] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    closest: npt.NDArray[np.int64] | None = None

    @classmethod
    def of_records(cls, table: RecordTable) -> System:
        """A run of which there are records under one metric."""
        found = statistics_of(table) or _of_strings(table)
        if found is None:
            return cls(table)
        return cls(table, {table.metric: found}, {table.metric: table.signature})

    def chosen(self, items: npt.NDArray[np.int64]) -> System:
        """Its items in another order."""
        scores = {
            name: replace(found, rows=found.values[items], ids=None, fields=None, paths=None, references=None)
            if found.metric.columns
            else found
            for name, found in self.scores.items()
        }
        closest = None if self.closest is None else self.closest[items]
        return System(self.table.chosen(items), scores, self.signatures, closest)


@dataclass(frozen=True)
class Shown:
    """What a page shows of its runs.

    Attributes:
        title: of the page.
        drawings: of an item; None: there are none.
        sounds: links to sound files; None: there are none.
        audio_field: the field that names them, which is not shown as a field.
        full_paths: whether absolute paths, as ids or in fields, are shown whole.
        sources: the source text of each item; none: there are none.
        references: the references of each item as they are written, where the alignments do not have them all.
        reference_names: what these are called, as their files; none: by their numbers.
        word_counts: how often words are in the training data; None: they are counted in the references.
        remarks: what is said of how the files were read.
        groupings: fields whose tables come first, all at once.
        note: what is said below alignments: what they are, where not all metrics of the page count them.
        aligned_by: the metric of the page whose alignments are shown; empty: none, they are the fewest word edits.
    """

    title: str
    drawings: Drawings | None = None
    sounds: Sounds | None = None
    audio_field: str = ""
    full_paths: bool = False
    sources: Sequence[str] = ()
    references: Sequence[Sequence[str]] = ()
    reference_names: Sequence[str] = ()
    word_counts: Mapping[str, int] | None = None
    remarks: Sequence[str] = ()
    groupings: Sequence[str] = ()
    note: str = ""
    aligned_by: str = ""


def listed_names(names: Sequence[str]) -> str:
    """Names in a title.

    >>> listed_names(["a", "b"]), listed_names(["a", "b", "c"])
    ('a and b', 'a, b and c')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def statistics_of(table: RecordTable) -> Statistics | None:
    """What the score of each item is made of, and how; None where records do not tell."""
    metric, quotient, counts = metric_of(table.metric), quotient_of(table.metric), table.counts
    edits, matches, length = counts["edits"], counts["matches"], counts["path_length"]
    if quotient == "gain":
        return _statistics(Quotient(table.metric, True), table.gain, table.max_gain)
    if quotient == "errors":
        return _statistics(Quotient(table.metric, False), table.numerators, length)
    if metric == "mer":
        return _statistics(Quotient(table.metric, False), edits, edits + matches)
    if quotient == "counts":
        spoken = matches + counts["substitutions"] + counts["insertions"]
        return _statistics(as_corpus_metric(metric), matches, length, spoken)
    return None


def _of_strings(table: RecordTable) -> Statistics | None:
    """Of records under a metric of strings, the statistics that they have."""
    if aligns_itself(table.metric):
        return None
    metric, values = statistics_of_objects([table.special[i].fields for i in range(len(table))])
    return Statistics(metric, values)


def _statistics(metric: CorpusMetric, *columns: npt.NDArray[np.generic]) -> Statistics:
    return Statistics(metric, np.stack(columns, axis=1).astype(np.float64))
