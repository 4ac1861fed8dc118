"""A stage of NeMo Curator: `ScoreStage`, over tasks of one audio entry or batches of documents."""

from __future__ import annotations

from typing import Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.adapters.added_columns import columns_scored, with_results
from fstmetrics.batches import Scorer
from fstmetrics.support.errors import need
from fstmetrics.support.names import did_you_mean

_base = need("nemo_curator.stages.base", "a stage of NeMo Curator", "nemo-curator")
_tasks = need("nemo_curator.tasks", "a stage of NeMo Curator", "nemo-curator")


class ScoreStage(_base.ProcessingStage):  # type: ignore[misc,name-defined]
    """Add results to each entry: counts, score, and `fault` where an item cannot be scored.

    Args:
        scorer: of `fstmetrics.batches.scorer`; it names the keys of entries, or columns of documents, that are read.
        prefix: what the names of results begin with.
        batch_size: tasks that are scored at once.

    An empty reference is no fault: its words are counted, and its own score is None. Entries that a profile leaves out
    are filtered out.
    """

    name = "FstmetricsScore"

    def __init__(self, scorer: Scorer, prefix: str = "", batch_size: int = 1000) -> None:
        self.scorer, self.prefix, self.batch_size = scorer, prefix, batch_size

    def inputs(self) -> dict[type, tuple[list[str], list[str]]]:
        """What each kind of task has to have."""
        names = self.scorer.inputs.names
        return {_tasks.AudioTask: (["data"], names), _tasks.DocumentBatch: (["data"], names)}

    def outputs(self) -> tuple[list[str], list[str]]:
        """What is added, as far as it is the same of all scorers."""
        return ["data"], [self.prefix + name for name in ("score", "edits", "path_length", "fault")]

    def process(self, task: Any) -> Any:
        """One task; None where a profile leaves it out. Errors as of `process_batch`."""
        return self.process_batch([task])[0]

    def process_batch(self, tasks: list[Any]) -> list[Any]:
        """Tasks with their results; audio entries are scored at once.

        Raises:
            FstmetricsError: a key or column that is missing, or is there already under the name of a result.
        """
        found: list[Any] = [None] * len(tasks)
        entries = [place for place, task in enumerate(tasks) if isinstance(task, _tasks.AudioTask)]
        for place in sorted(set(range(len(tasks))) - set(entries)):
            found[place] = self._document(tasks[place])
        if not entries:
            return found
        columns = {
            name: [_value(tasks[place], name) for place in entries] for name in self.scorer.inputs.names
        }
        results, rows = columns_scored(columns, self.scorer, self.prefix)
        for number, row in enumerate(rows):
            task = found[entries[row]] = tasks[entries[row]]
            new = {name: values[number] for name, values in results.items()}
            if taken := next((name for name in new if name in task.data), None):
                raise FstmetricsError(
                    f"the entry has {taken!r} already, and so have the results; rename it, or give a prefix"
                )
            task.data.update(new)
        return found

    def _document(self, task: Any) -> Any:
        table = with_results(task.to_pyarrow(), self.scorer, self.prefix)
        pandas = need("pandas", "a stage of NeMo Curator", "tables")
        as_frame = isinstance(task.data, pandas.DataFrame)
        task.data = table.to_pandas() if as_frame else table
        return task


def _value(task: Any, name: str) -> Any:
    try:
        return task.data[name]
    except KeyError:
        guess = did_you_mean(name, list(task.data))
        raise FstmetricsError(
            f"the entry has no {name!r}; it has {', '.join(task.data) or 'nothing'}{'; ' + guess if guess else ''}"
        ) from None
