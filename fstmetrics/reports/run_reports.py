"""What `--report` asks for: reports of a run, in files beside its records or as texts: `RunReports`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain

from fstmetrics.data.fields import SPEAKER, present
from fstmetrics.engine.program_alignments import operations_of
from fstmetrics.engine.results import AlignedPair, Result
from fstmetrics.metrics import Metric
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.reports.summary import PARTIAL
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.reports import REPORTS, CountsBySpeaker
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.speaker_fields import ADVICE
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.output import refuse_overwriting, whole_file


class RunReports:
    """The reports of a run.

    Args:
        request: what was asked for.
        metric: whose alignments they are of.
        inputs: the items, with speakers.

    Raises:
        FstmetricsError: a report that cannot be made of these, where that is known before items are scored.
    """

    def __init__(self, request: Request, metric: Metric, inputs: Inputs) -> None:
        self._request, self._metric = request, metric
        self._counts = CountsBySpeaker()
        kinds = {name: REPORTS[name] for name in request.reports}
        if metric.window > 1:
            raise FstmetricsError(
                "--report counts no moves: it is for metrics without a window, as sclite or wer"
            )
        of_words = next((name for name, kind in kinds.items() if kind.needs_words), None)
        if of_words and request.resume:
            raise FstmetricsError(
                f"--report {of_words} needs the words of all items, and --resume has the counts of those that are "
                "finished; leave one out"
            )
        self._needs_words = of_words is not None
        self._needs_speakers = any(kind.needs_speakers for kind in kinds.values())
        hypotheses, references = inputs.sides[:2]
        self._hypotheses, format = hypotheses.path, inputs.formats.get(references.path, "")
        self._reports = [kind(references.path, format) for kind in kinds.values()]
        for pair in inputs.source.known or ():
            if not pair.is_deferred:
                self._speaker(pair)
                self._labels(pair)

    def add(self, pair: Pair, totals: Totals) -> None:
        """Add an item.

        Raises:
            FstmetricsError: it has no speaker, or a label that the references do not declare.
        """
        self._counts.add(self._speaker(pair), totals, labels=self._labels(pair))

    def add_words(self, pair: Pair, result: Result) -> None:
        """Add the words in error of an item."""
        if self._needs_words:
            own = self._metric.name == "sclite"
            self._counts.add_words(self._speaker(pair), sclite_alignment(result) if own else result.alignment)

    def _speaker(self, pair: Pair) -> str:
        speaker = present(pair.fields.get(SPEAKER))
        if speaker is None:
            if self._needs_speakers:
                raise FstmetricsError(
                    f"item {pair.id}: it has no speaker, which --report needs; give {ADVICE}"
                )
            return ""
        return str(speaker).lower() if self._request.lowercase else str(speaker)  # as sclite

    def _labels(self, pair: Pair) -> list[str]:
        """The subsets that an item is counted in."""
        return [label for report in self._reports for label in report.labels(pair.id, pair.fields)]

    def made(self, partial: bool = False) -> dict[str, str]:
        """The reports by the endings of their files.

        Args:
            partial: whether items were left out; the titles say so.

        Raises:
            FstmetricsError: a speaker who is no name of a file.
        """
        title = self._hypotheses
        if self._metric.name != "sclite":
            title += f" (alignments of {self._metric.name})"
        title += f" {PARTIAL}" if partial else ""
        unit = self._request.normalisation.unit
        return dict(chain.from_iterable(r.files(self._counts, title, unit) for r in self._reports))

    def write(self, made: Mapping[str, str]) -> tuple[str, ...]:
        """Write reports beside the records, where there are any.

        Returns:
            The names of the files.

        Raises:
            FstmetricsError: a file cannot be written.
        """
        output = self._request.output
        if output is None:
            return ()
        stem = os.path.splitext(output)[0]
        files = {f"{stem}.{ending}": text for ending, text in made.items()}
        refuse_overwriting(list(files), [self._hypotheses])
        for name, text in files.items():
            with whole_file(name) as file:
                file.write(text)
        return tuple(files)


def sclite_alignment(result: Result) -> Sequence[AlignedPair]:
    """The words of a result, aligned as sclite shows them; those with wildcards as they were.

    >>> import fstmetrics as fm
    >>> shown = sclite_alignment(fm.align("northeast wind", "north east wind", "sclite"))
    >>> [(pair.op, pair.reference, pair.hypothesis) for pair in shown]
    [('D', 'north', None), ('S', 'east', 'northeast'), ('=', 'wind', 'wind')]
    """
    if not result.totals.edits or any(pair.op == "*" for pair in result.alignment):
        return result.alignment
    hypothesis, reference = iter(result.hypothesis), iter(result.closest)
    return [
        AlignedPair(op, None if op == "D" else next(hypothesis), None if op == "I" else next(reference))
        for op in operations_of(result.hypothesis, result.closest)
    ]
