"""Systems that translate a stream: `stream_segments` gives their words to segments, `stream_scores` judges them.

Long recordings are cut into the segments of the references (`soft_cuts`); what was written of segments is judged as it
is. Latency is of `streams.latency`, quality of any metric, and intervals are of resamples of documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Literal
from warnings import catch_warnings, simplefilter

import numpy as np

from fstmetrics.engine.api import check_looks, scored
from fstmetrics.engine.misplaced_items import moved_rows
from fstmetrics.engine.resampling import Resampling, bootstrap_sums, interval_of
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.statistics import Statistics
from fstmetrics.io.stream_logs import Output, StreamLog, StreamSegment, Unit, words_counted, words_of
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus_metric import ratio
from fstmetrics.streams.latency import Latency, latency_of, mean_latency
from fstmetrics.streams.soft import soft_cuts
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import Normalisation

# What `elapsed` adds to the delay of a word: all computing up to it, or its own.
Elapsed = Literal["total", "own"]
# What is said of a measure that counts the time of computing.
COMPUTED = "_ca"


@dataclass(frozen=True)
class SegmentOutput:
    """What a system wrote of a segment, and when.

    Attributes:
        document: which segments belong together.
        text: what was written.
        reference: what should have been.
        delays: of the words, from the beginning of the segment on.
        latency: of the delays.
        elapsed: the delays with the time of computing; None where nobody knows.
        computed: the latency with the time of computing; None where nobody knows.
        source_length, recording_end: of the segment, and of its recording, from the segment's beginning on.
    """

    document: str
    text: str
    reference: str
    delays: tuple[float, ...]
    latency: Latency
    elapsed: tuple[float, ...] | None
    computed: Latency | None
    source_length: float
    recording_end: float | None


@dataclass(frozen=True)
class StreamScores:
    """The latency and quality of a system.

    Attributes:
        system: what it is called.
        segments: what it wrote of each segment.
        form: `long` where the segments are of longer recordings, otherwise `short`.
        latency: the means over the segments that have a value.
        computed: the same with the time of computing; None where nobody knows.
        quality: the scores of metrics, by their names.
        intervals: of 95 % of the resampled scores, by the names of `as_dict`; none of a single document.
        looks: what there is to say of texts that look like no sentences.
    """

    system: str
    segments: Sequence[SegmentOutput]
    form: Literal["long", "short"]
    latency: Latency
    computed: Latency | None
    quality: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    looks: Sequence[str] = ()

    @property
    def documents(self) -> int:
        """How many documents there are; of short forms, segments."""
        return len({segment.document for segment in self.segments})

    def as_dict(self) -> dict[str, Any]:
        """All of it, for programs: `al`, `al_ca` and so on, `bleu`, `chrf`."""
        computed = self.computed or Latency()
        return {
            "system": self.system,
            "form": self.form,
            "segments": len(self.segments),
            "documents": self.documents,
            **self.quality,
            **self.latency._asdict(),
            **{name + COMPUTED: value for name, value in computed._asdict().items()},
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
        }


def elapsed_of(log: StreamLog, is_cut: bool, asked: Elapsed | None) -> Elapsed:
    """What `elapsed` of a log adds to a delay.

    Args:
        log: the log.
        is_cut: whether it is of long recordings, which are cut into segments.
        asked: what its user says; None: `total` of long recordings of SimulEval, otherwise `own`, as other programs
            print them.

    Raises:
        InputError: the total is asked for, and the log has the time of each word alone.
    """
    if log.kind != "SimulEval" and asked == "total":
        raise InputError("has the computing of each word alone; leave --elapsed total out", log.path)
    return asked or ("total" if is_cut and log.kind == "SimulEval" else "own")


def stream_segments(
    log: StreamLog,
    segments: Sequence[StreamSegment] | None,
    references: Sequence[str] | None,
    unit: Unit,
    language: str,
    elapsed: Elapsed,
) -> list[SegmentOutput]:
    """What a system wrote of each segment.

    Args:
        log: its log.
        segments: where the segments of long recordings lie; None: the log has segments.
        references: one a segment; None: the log has them.
        unit: what has a delay each.
        language: whose rules cut punctuation off words, to re-segment.
        elapsed: what the log's `elapsed` adds to a delay, as of `elapsed_of`.

    Raises:
        InputError: recordings without segments, segments without a recording, other numbers of segments and references,
            or a log that lacks something.
    """
    if segments is None:
        return list(_as_they_are(log, references, unit, elapsed))
    if log.kind == "segments":
        raise InputError("is cut into segments already; leave --segments and --ref out", log.path)
    if references is None:
        raise InputError("needs a reference for each segment of --segments: --ref FILE", log.path)
    return list(_cut(log, segments, references, unit, language, elapsed))


def _as_they_are(
    log: StreamLog, references: Sequence[str] | None, unit: Unit, elapsed: Elapsed
) -> Iterator[SegmentOutput]:
    if log.kind == "SimulStream":
        raise InputError(
            "SimulStream's log is of recordings: give their segments by --segments, and --ref", log.path
        )
    if log.kind == "segments" and references is not None:
        raise InputError("has references itself; leave --ref out", log.path)
    if references is not None and len(references) != len(log.outputs):
        raise InputError(
            f"has {counted(len(log.outputs), 'instance')}, and --ref {counted(len(references), 'line')}; expected a "
            "reference for each, or --segments, which says where the segments of recordings lie",
            log.path,
        )
    if references is not None:
        _refuse_moved(log, references)
    for number, output in enumerate(log.outputs):
        reference = output.reference if references is None else references[number]
        if reference is None:
            raise InputError(
                "there is no reference; give --ref FILE, a line an instance", log.path, output.line
            )
        if output.source_length is None:
            raise InputError("there is no 'source_length', which latency depends on", log.path, output.line)
        times = _own(output) if elapsed == "total" else output.elapsed
        document = output.recording if log.kind == "segments" else str(number)
        yield _segment(
            document,
            output.words,
            reference,
            output.delays,
            times,
            output.source_length,
            output.recording_end,
            unit,
        )


def _refuse_moved(log: StreamLog, references: Sequence[str]) -> None:
    """Raise an InputError for instances whose own references are lines of `--ref` in another order."""
    own = [output.reference for output in log.outputs if output.reference is not None]
    moved = moved_rows(own, references) if len(own) == len(references) else None
    if moved and moved.is_order:
        place, line = moved.first
        raise InputError(
            f"instance {place + 1} has the reference of line {line + 1} of --ref, not that of line {place + 1}: they "
            "are in another order; leave --ref out, which takes the log's own references, or put its lines in the "
            "order of the log",
            log.path,
            log.outputs[place].line,
        )


def _refuse_other_order(
    log: StreamLog, paired: Sequence[tuple[Output, Sequence[int]]], references: Sequence[str], unit: Unit
) -> None:
    """Raise an InputError where the log's own references of recordings have the words of `--ref` in another order."""
    own = [letters_of_words(output.reference or "", unit) for output, _ in paired]
    given = [letters_of_words(" ".join(references[number] for number in each), unit) for _, each in paired]
    if own == given or Counter(chain.from_iterable(own)) != Counter(chain.from_iterable(given)):
        return
    output = next(output for place, (output, _) in enumerate(paired) if own[place] != given[place])
    raise InputError(
        f"its own reference of {output.recording!r} has words in another order than its lines of --ref, and all of "
        "--ref has the same words: put the lines of --ref in the order of --segments",
        log.path,
        output.line,
    )


def letters_of_words(text: str, unit: Unit) -> list[str]:
    """The letters and digits of each word, or the characters that are one; in lower case."""
    words = ("".join(filter(str.isalnum, word)) for word in words_of(text.casefold(), unit))
    return [*filter(None, words)]


def _cut(
    log: StreamLog,
    segments: Sequence[StreamSegment],
    references: Sequence[str],
    unit: Unit,
    language: str,
    elapsed: Elapsed,
) -> Iterator[SegmentOutput]:
    """The segments of each recording, in the order of the references."""
    found: list[SegmentOutput | None] = [None] * len(segments)
    paired = list(_paired(log, segments))
    _refuse_other_order(log, paired, references, unit)
    for output, numbers in paired:
        if output.source_length is None:
            raise InputError(
                "there is no 'source_length', which says where the recording ends", log.path, output.line
            )
        if log.kind == "SimulEval":
            _refuse_late(log, output, segments, numbers)
        texts = [words_of(references[number], unit) for number in numbers]
        cuts = soft_cuts(texts, output.words, "none" if unit == "char" else language)
        times = _own(output) if elapsed == "total" else output.elapsed
        for number, (begin, end) in zip(numbers, pairwise(cuts), strict=True):
            at = segments[number].offset
            found[number] = _segment(
                output.recording,
                output.words[begin:end],
                references[number],
                tuple(delay - at for delay in output.delays[begin:end]),
                None if times is None else tuple(time - at for time in times[begin:end]),
                segments[number].duration,
                output.source_length - at,
                unit,
            )
    yield from filter(None, found)


def _refuse_late(
    log: StreamLog, output: Output, segments: Sequence[StreamSegment], numbers: Sequence[int]
) -> None:
    """Raise an InputError for a segment that begins when the recording has ended, by its log."""
    length = output.source_length or 0
    if late := [number for number in numbers if segments[number].offset > length]:
        raise InputError(
            f"segment {late[0] + 1} of --segments begins at {segments[late[0]].offset / 1000:g} s of the recording "
            f"{output.recording!r}, which ends at {length / 1000:g} s here: expected segments in seconds, and the log "
            "in milliseconds, of the same recording",
            log.path,
            output.line,
        )


def _paired(log: StreamLog, segments: Sequence[StreamSegment]) -> Iterator[tuple[Output, list[int]]]:
    """Each recording, and the numbers of its segments."""
    numbers: dict[str, list[int]] = {}
    for number, segment in enumerate(segments):
        numbers.setdefault(segment.recording, []).append(number)
    outputs: dict[str, Output] = {}
    for output in log.outputs:
        if not output.recording:
            raise InputError(
                "there is no source, which says what the recording is called", log.path, output.line
            )
        if output.recording in outputs:
            line = outputs[output.recording].line
            raise InputError(
                f"the recording {output.recording!r} is also in line {line}; expected each once",
                log.path,
                output.line,
            )
        if output.recording not in numbers:
            raise InputError(
                f"the recording {output.recording!r} has no segment in --segments, which has {listed(list(numbers))}",
                log.path,
                output.line,
            )
        outputs[output.recording] = output
    if lacking := [name for name in numbers if name not in outputs]:
        raise InputError(
            f"there is nothing of {listed(lacking)}, which --segments has segments of; expected all of its recordings",
            log.path,
        )
    yield from ((outputs[name], found) for name, found in numbers.items())


def _own(output: Output) -> tuple[float, ...] | None:
    """The times with the computing of each word alone, from those with all computing up to it, as SimulEval has them.

    What the word before it cost is taken off again; but no word comes before the one before it.
    """
    if output.elapsed is None:
        return None
    found: list[float] = list(output.elapsed[:1])
    for place in range(1, len(output.elapsed)):
        own = output.elapsed[place] - output.elapsed[place - 1] + output.delays[place - 1]
        found.append(max(own, found[-1]))
    return tuple(found)


def _segment(
    document: str,
    words: Sequence[str],
    reference: str,
    delays: tuple[float, ...],
    elapsed: tuple[float, ...] | None,
    length: float,
    end: float | None,
    unit: Unit,
) -> SegmentOutput:
    size = words_counted(reference, unit)
    text = (" " if unit == "word" else "").join(words)
    computed = None if elapsed is None else latency_of(elapsed, length, size, end)
    found = latency_of(delays, length, size, end)
    return SegmentOutput(document, text, reference, delays, found, elapsed, computed, length, end)


def stream_scores(
    system: str,
    segments: Sequence[SegmentOutput],
    is_long: bool,
    metrics: Sequence[CorpusMetric],
    normalisation: Normalisation,
    resampling: Resampling | None,
) -> StreamScores:
    """The latency and quality of a system.

    Args:
        system: what it is called.
        segments: what it wrote.
        is_long: whether they are of longer recordings.
        metrics: of the quality.
        normalisation: changes to the words, for these.
        resampling: for the intervals; None: there are none.
    """
    texts, references = ([getattr(each, side) for each in segments] for side in ("text", "reference"))
    with catch_warnings(record=True) as looks:
        simplefilter("always")
        check_looks({"hypotheses": texts}, references, normalisation, (), may_be_sets=False)
    statistics = [_statistics(texts, references, metric, normalisation) for metric in metrics]
    columns = {
        name + ending: [None if found is None else found[place] for found in of_segments]
        for ending, of_segments in (
            ("", [segment.latency for segment in segments]),
            (COMPUTED, [segment.computed for segment in segments]),
        )
        for place, name in enumerate(Latency._fields)
    }
    computed = [segment.computed for segment in segments if segment.computed is not None]
    return StreamScores(
        system,
        segments,
        "long" if is_long else "short",
        mean_latency([segment.latency for segment in segments]),
        mean_latency(computed) if any(segment.elapsed for segment in segments) else None,
        {found.name: found.score for found in statistics},
        {} if resampling is None else _intervals(segments, columns, statistics, resampling),
        [str(look.message) for look in looks],
    )


def _statistics(
    texts: Sequence[str], references: Sequence[str], metric: CorpusMetric, normalisation: Normalisation
) -> Statistics:
    found = scored(texts, references, metric, normalisation=normalisation)
    if isinstance(found, CorpusResult):
        return Statistics.of(found)
    assert isinstance(found, Statistics)
    return found


def _intervals(
    segments: Sequence[SegmentOutput],
    columns: Mapping[str, Sequence[float | None]],
    statistics: Sequence[Statistics],
    resampling: Resampling,
) -> dict[str, tuple[float, float]]:
    """Of resamples of documents; of a single one, none."""
    numbers: dict[str, int] = {}
    places = [numbers.setdefault(segment.document, len(numbers)) for segment in segments]
    if len(numbers) < 2:
        return {}
    rows = {
        name: np.array([[0.0 if value is None else value, value is not None] for value in values])
        for name, values in columns.items()
        if any(value is not None for value in values)
    }
    tables = [*rows.values(), *(each.values for each in statistics)]
    sums = bootstrap_sums([_by_document(table, places, len(numbers)) for table in tables], resampling)
    scores = {
        name: ratio(table[:, 0], table[:, 1], empty=np.nan) for name, table in zip(rows, sums, strict=False)
    }
    for each, table in zip(statistics, sums[len(rows) :], strict=True):
        scores[each.name] = each.metric.corpus_score(table)
    found = {name: interval_of(resampled) for name, resampled in scores.items()}
    return {name: ends for name, ends in found.items() if ends is not None}


def _by_document(table: Any, places: Sequence[int], documents: int) -> Any:
    """The sums of the rows of each document."""
    found = np.zeros((documents, table.shape[1]))
    np.add.at(found, places, table)
    return found
