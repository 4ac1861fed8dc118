"""What `--report` asks for: sclite's reports of a run, in files beside its records or as texts: `ScliteReports`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from fstmetrics.analysis.speaker_counts import CountsBySpeaker
from fstmetrics.data.fields import SPEAKER, present
from fstmetrics.engine.program_alignments import operations_of
from fstmetrics.engine.results import AlignedPair, Result
from fstmetrics.io.formats.stm import subset_labels
from fstmetrics.io.subset_labels import SubsetLabels
from fstmetrics.metrics import Metric
from fstmetrics.metrics.base import Totals
from fstmetrics.reports.sclite_reports import (
    detailed_report,
    label_report,
    overall_heading,
    speaker_heading,
    speaker_report,
)
from fstmetrics.reports.summary import PARTIAL
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.request import REPORTS_OF_SPEAKERS, REPORTS_OF_WORDS, Request
from fstmetrics.scoring.speaker_fields import ADVICE
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.output import is_plain, refuse_overwriting, whole_file
from fstmetrics.support.source import Source

# Labels of a segment that are looked for behind those that categories name.
MORE_LABELS = 16


class ScliteReports:
    """The reports of a run.

    Args:
        request: what was asked for.
        metric: whose alignments they are of.
        inputs: the items, with speakers.

    Raises:
        FstmetricsError: a report that cannot be made of these, where that is known before items are scored.
    """

    def __init__(self, request: Request, metric: Metric, inputs: Inputs) -> None:
        self._names = request.reports
        self._request, self._metric = request, metric
        self._counts = CountsBySpeaker()
        self._needs_speakers = any(name in REPORTS_OF_SPEAKERS for name in self._names)
        self._refuse()
        self._hypotheses = inputs.sides[0].path
        self._places: dict[str, int] = {}
        self._known = _labels_of(inputs) if "lur" in self._names else SubsetLabels()
        self._positions = self._known.names(len(self._known.categories) + MORE_LABELS)
        for pair in inputs.source.known or ():
            if not pair.is_deferred:
                self._speaker(pair)
                self._labels(pair)

    def _refuse(self) -> None:
        if self._metric.window > 1:
            raise FstmetricsError(
                "--report counts no moves: it is for metrics without a window, as sclite or wer"
            )
        words = next((name for name in self._names if name in REPORTS_OF_WORDS), None)
        if words and self._request.resume:
            raise FstmetricsError(
                f"--report {words} needs the words of all items, and --resume has the counts of those that are "
                "finished; leave one out"
            )

    def add(self, pair: Pair, totals: Totals) -> None:
        """Add an item.

        Raises:
            FstmetricsError: it has no speaker, or a label that the references do not declare.
        """
        self._counts.add(self._speaker(pair), totals, labels=self._labels(pair))

    def add_words(self, pair: Pair, result: Result) -> None:
        """Add the words in error of an item."""
        if any(name in REPORTS_OF_WORDS for name in self._names):
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
        """The labels of a segment, as they are declared, each at the place of the first one met."""
        if "lur" not in self._names:
            return []
        found = []
        declared = {label.id for label in self._known.labels}
        for place, name in enumerate(self._positions):
            if (value := pair.fields.get(name)) is None:
                continue
            if value not in declared:
                raise FstmetricsError(
                    f"item {pair.id}: the label {value!r:.80} is not declared; --report lur needs a line "
                    f';; LABEL "{value!s:.80}" "TITLE" "DESCRIPTION" in the references'
                )
            if self._places.setdefault(str(value), place) != place:
                raise FstmetricsError(
                    f"item {pair.id}: the label {value!r:.80} is at place {place + 1}, and elsewhere at "
                    f"{self._places[str(value)] + 1}; --report lur needs one place for each label"
                )
            found.append(str(value))
        return found

    def made(self, partial: bool = False) -> dict[str, str]:
        """The reports by the endings of their files.

        Args:
            partial: whether items were left out; the titles say so.

        Raises:
            FstmetricsError: a speaker who is no name of a file.
        """
        return dict(self._made(partial))

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

    def _made(self, partial: bool) -> Iterator[tuple[str, str]]:
        """Each report with the ending of its file."""
        title = self._hypotheses
        if self._metric.name != "sclite":
            title += f" (alignments of {self._metric.name})"
        title += f" {PARTIAL}" if partial else ""
        unit = self._request.normalisation.unit
        for name in self._names:
            if name in ("sys", "raw"):
                yield name, speaker_report(self._counts, title, name == "raw", unit)
            elif name == "lur":
                yield name, label_report(self._counts, title, self._known, self._places)
            elif name == "dtl":
                yield name, detailed_report(self._counts.whole(""), overall_heading(title))
            else:
                for speaker in self._counts.speakers:
                    yield (
                        f"spk.{_in_name(speaker.name)}",
                        detailed_report(speaker, speaker_heading(title, speaker.name)),
                    )


def _in_name(speaker: str) -> str:
    if "/" in speaker or "\0" in speaker:
        raise FstmetricsError(
            f"--report spk writes a file for each speaker, and {speaker!r:.80} is no name of a file"
        )
    return speaker


def _labels_of(inputs: Inputs) -> SubsetLabels:
    """The labels that the references declare."""
    path = inputs.sides[1].path
    if inputs.formats.get(path) != "stm" or not is_plain(path):
        raise InputError("--report lur needs references in stm, with labels such as <O,F>", path)
    known = subset_labels(Source.open(path))
    if not known.labels:
        raise InputError(
            '--report lur needs labels, declared as ;; LABEL "F" "Female" "Women"; there are none', path
        )
    return known


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
