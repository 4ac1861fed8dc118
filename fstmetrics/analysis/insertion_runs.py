"""Loops and long runs of insertions, as a recogniser makes them that has lost itself: `insertion_runs`, of records.

A run is all insertions in a row of an item. It is listed where an n-gram of up to `LONGEST` words stands in it at least
`TIMES` times in a row, a loop, or where it has more than so many words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.io.formats.records import aligns_itself, unit_of, word_edits
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import numpy.typing as npt

# Words of a loop, and how often they are there in a row.
LONGEST, TIMES = 10, 3
# A run of more insertions is listed, unless another number is given.
LONG = 10


class Loop(NamedTuple):
    """Words that stand in a run several times in a row."""

    words: tuple[str, ...]
    times: int


class Run(NamedTuple):
    """A run of insertions.

    Attributes:
        id: of the item.
        hypothesis: the place of its first word in the hypothesis, from 1.
        reference: how many words of the closest path stand before it.
        words: the inserted words.
        loop: of a loop what is repeated; of several the one that covers the most words, then the shortest, then the
            first.
    """

    id: str
    hypothesis: int
    reference: int
    words: tuple[str, ...]
    loop: Loop | None


@dataclass(frozen=True)
class InsertionRuns:
    """The loops and long runs of a run.

    Attributes:
        runs: the longest first, equal ones in the order of the items.
        items: how many there are.
        insertions, errors, words: of all items; errors are edits and what rewrites cost, words those of closest paths.
        most: a run of more insertions is long.
        rate: what the error rate is called, `wer` or `cer`.
        signature: of the scores.
    """

    runs: tuple[Run, ...]
    items: int
    insertions: int
    errors: float
    words: int
    most: int
    rate: str
    signature: str

    @property
    def inserted(self) -> int:
        """Insertions of the runs."""
        return sum(len(run.words) for run in self.runs)

    @property
    def share(self) -> float | None:
        """The part of all insertions that they make; None where there is no insertion."""
        return self.inserted / self.insertions if self.insertions else None

    @property
    def score(self) -> float | None:
        """The error rate; None where there is no word to divide by."""
        return self.errors / self.words if self.words else None

    @property
    def score_of_runs(self) -> float | None:
        """The same with each of the runs as one error."""
        errors = self.errors - self.inserted + len(self.runs)
        return errors / self.words if self.words else None

    def as_dict(self) -> dict[str, Any]:
        """All of it, for programs."""
        return {
            "items": self.items,
            "insertions": self.insertions,
            "insertions_in_runs": self.inserted,
            "share": self.share,
            self.rate: self.score,
            f"{self.rate}_runs_as_one": self.score_of_runs,
            "more_than": self.most,
            "runs": [_as_dict(run) for run in self.runs],
            "signature": self.signature,
        }


def _as_dict(run: Run) -> dict[str, Any]:
    loop = None if run.loop is None else {"words": list(run.loop.words), "times": run.loop.times}
    return {
        "id": run.id, "hypothesis": run.hypothesis, "reference": run.reference, "length": len(run.words),
        "words": list(run.words), "loop": loop,
    }  # fmt: skip


def insertion_runs(table: RecordTable, most: int = LONG) -> InsertionRuns:
    """The loops and long runs of records.

    Args:
        table: records of a word error rate, or of a metric of strings with word edits beside.
        most: a run of more insertions is long.

    Raises:
        FstmetricsError: records of another metric.

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.result_table import table_of_results
    >>> found = insertion_runs(table_of_results(fm.score(["so thank you so thank you so thank you"], ["so"])))
    >>> [(run.reference, len(run.words), run.loop) for run in found.runs]
    []
    >>> found = insertion_runs(table_of_results(fm.score(["bye " + "thank you " * 4], ["bye"])))
    >>> [(run.reference, len(run.words), run.loop) for run in found.runs], found.score, found.score_of_runs
    ([(1, 8, Loop(words=('thank', 'you'), times=4))], 8.0, 1.0)
    """
    if aligns_itself(table.metric) and word_edits(table.metric) is None:
        raise FstmetricsError(
            f"--loops counts edits of a word error rate, and these records are of {table.metric}: score with wer"
        )
    words = list(table.words)
    inserted, spoken = table.has("I"), table.hypothesis
    begins, ends = _stretches(inserted, table.starts)
    of_reference, of_hypothesis = (
        np.concatenate([[0], np.cumsum(table.has(letters))]) for letters in ("=SD", "=SI*")
    )
    found = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        numbers = spoken[begin:end]
        loop = _loop(numbers)
        if loop is None and end - begin <= most:
            continue
        item = int(np.searchsorted(table.starts, begin, side="right")) - 1
        first = int(table.starts[item])
        found.append(
            Run(
                table.ids[item],
                int(of_hypothesis[begin] - of_hypothesis[first]) + 1,
                int(of_reference[begin] - of_reference[first]),
                tuple(words[n] for n in numbers.tolist()),
                loop and Loop(tuple(words[n] for n in loop[0]), loop[1]),
            )
        )
    insertions, length = (int(table.counts[name].sum()) for name in ("insertions", "path_length"))
    rate = name_of("wer", "char" if unit_of(table.metric) == "character" else "word")
    return InsertionRuns(
        tuple(sorted(found, key=lambda run: -len(run.words))), len(table), insertions, float(table.numerators.sum()),
        length, most, rate, table.signature,
    )  # fmt: skip


def _stretches(
    inserted: npt.NDArray[np.bool_], starts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where runs of insertions begin and end, within an item each."""
    first = np.zeros(len(inserted) + 1, dtype=np.bool_)
    first[starts] = True
    before = np.concatenate([[False], inserted[:-1]]) if len(inserted) else inserted
    begins = np.flatnonzero(inserted & (~before | first[:-1]))
    after = np.concatenate([inserted[1:], [False]]) if len(inserted) else inserted
    return begins, np.flatnonzero(inserted & (~after | first[1:])) + 1


def _loop(words: Sequence[int] | npt.NDArray[np.int32]) -> tuple[list[int], int] | None:
    """What is repeated in a run, and how often; None where nothing is."""
    numbers = np.asarray(words)
    best: tuple[int, list[int], int] | None = None
    for n in range(1, min(LONGEST, len(numbers) // TIMES) + 1):
        same = numbers[n:] == numbers[:-n]
        edges = np.flatnonzero(np.diff(np.concatenate([[0], same.view(np.int8), [0]])))
        lengths = edges[1::2] - edges[::2]
        if not len(lengths):
            continue
        repeated = (lengths + n) // n
        most = int(repeated.argmax())
        times = int(repeated[most])
        if times >= TIMES and (best is None or times * n > best[0]):
            at = int(edges[2 * most])
            best = times * n, numbers[at : at + n].tolist(), times
    return best and (best[1], best[2])
