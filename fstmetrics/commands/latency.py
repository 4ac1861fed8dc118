"""The command `latency`, and `latency_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    Options,
    PathLike,
    fields_of_options,
    systems_of,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.engine.misplaced_items import exchanged_remark
from fstmetrics.engine.resampling import CONFIDENCE, Resampling
from fstmetrics.engine.unlike_sides import FEW_TEXTS, unspaced_remark
from fstmetrics.io.file_format import recognised
from fstmetrics.io.ids import KALDI_NAME, look_like_ids
from fstmetrics.io.items import ReadOptions
from fstmetrics.io.reading import check_paths, read_items
from fstmetrics.io.stream_logs import StreamSegment, Unit, read_log, read_segments
from fstmetrics.metrics import CorpusMetric, as_corpus_metric
from fstmetrics.metrics.registry import SHIPPED
from fstmetrics.reports.plots import check_pictures
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.scoring.request import refuse_unready
from fstmetrics.scoring.stream_scores import (
    COMPUTED,
    Elapsed,
    SegmentOutput,
    StreamScores,
    elapsed_of,
    letters_of_words,
    stream_scores,
    stream_segments,
)
from fstmetrics.significance.system_outputs import names_of
from fstmetrics.streams.latency import MEASURES
from fstmetrics.streams.soft import BUILT_IN
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.limits import MOST_SAMPLES
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    JOINED,
    PATH,
    RECORDS,
    SEED,
    TEXT,
    one_of,
    option,
    options_of_fields,
    whole,
)
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted, have, marked, number
from fstmetrics.support.source import Source, file_name, named_path
from fstmetrics.support.version import __version__
from fstmetrics.text.normalisation import Normalisation

# Instead of metrics: no quality.
NO_METRIC = "none"
# The quality where nobody says which.
BY_DEFAULT = ("bleu", "chrf")
# What references are, and the option that says so.
PLAIN_TEXT, REF_FORMAT = "plain", "--ref-format"


@dataclass(frozen=True)
class LatencyOptions:
    """The options of `latency`; the first ones are those of every run."""

    ref_format: str | None
    lowercase: bool
    tokenize: str | None
    allow_download: bool
    segments: str | None = option(
        None,
        PATH,
        "Where the segments of the recordings lie: YAML of MuST-C and IWSLT, lines `- {wav: a.wav, offset: 0.5, "
        "duration: 2}`, in seconds. Without it each instance of LOG is a segment.",
        "YAML",
    )
    references: str | None = option(
        None, PATH, "References, a line a segment. Default: those of the log.", "FILE", name="ref"
    )
    unit: Unit = option(
        "word",
        one_of("word", "char"),
        "What has a delay each in the log: a word, or a character that is no space.",
    )
    elapsed: Elapsed | None = option(
        None,
        one_of("total", "own"),
        "What `elapsed` of SimulEval's log adds to the delay of a word: all computing up to it, of which only its "
        "own then counts, or its own already. Default: total with --segments, otherwise own.",
    )
    language: str = option(
        BUILT_IN,
        TEXT,
        "Whose rules cut punctuation off words before recordings are cut into segments: en, none, or another "
        "language of Moses, such as de, which needs the package sacremoses.",
        "LANG",
    )
    output: str | None = option(
        None,
        RECORDS,
        "Write the words of each segment and their delays, as OmniSTEval writes them. Of one LOG.",
        "FILE",
    )
    metric_names: str | None = option(
        None,
        JOINED,
        "Metrics of the quality, joined by commas; none leaves them out. Default: bleu,chrf; chrf alone where "
        "sacrebleu, whose tokenizer BLEU needs, is not installed.",
        "NAMES",
        name="metric",
    )
    samples: int = option(
        10_000, whole(0, MOST_SAMPLES), "Resamples of documents, of the intervals; 0: none.", "B"
    )
    seed: int = option(1, SEED, "Seed of the random numbers.")
    plot: str | None = option(None, PATH, "Draw quality against latency: PNG, SVG or PDF.", "FILE")


ASKED = options_of_fields(LatencyOptions)
STREAMED: Options = {
    **under("Input", ASKED, "segments", "ref"),
    **under(
        "Input",
        ref_format=REQUEST["ref_format"]._replace(
            help="Format of the references: plain, where they look like something else.", metavar="FORMAT"
        ),
    ),
    **under("Input", ASKED, "unit", "elapsed"),
    **under("Segments", ASKED, "language", "output"),
    **under("Quality", ASKED, "metric"),
    **under("Quality", REQUEST, "lowercase", "tokenize", "allow_download"),
    **under("Output", ASKED, "samples", "seed", "plot"),
    **FORMS_PRINTED,
}


@dataclass(frozen=True)
class FilesLatency(Printed):
    """The latency and quality of systems, from their logs.

    Attributes:
        systems: a system each, in order.
        metrics: of the quality.
        remarks: what is odd about the files.
        signature: all that the numbers depend on.
    """

    systems: Sequence[StreamScores]
    metrics: Sequence[CorpusMetric]
    remarks: tuple[str, ...]
    signature: str

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`: of one system, its numbers; of several, a list of them."""
        ending = {"remarks": list(self.remarks), "signature": self.signature}
        found = [system.as_dict() for system in self.systems]
        return (found[0] if len(found) == 1 else {"systems": found}) | ending

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        first = self.systems[0]
        yield Table(list(_rows(self.systems, "", self.metrics)))
        if any(system.computed is not None for system in self.systems):
            yield Table(list(_rows(self.systems, COMPUTED, [])))
        whole = [counted(len(first.segments), "segment")]
        whole += [counted(first.documents, "document")] if first.form == "long" else []
        yield from (", ".join(whole), *self.remarks, self.signature)


def latency_files(
    logs: PathLike | Iterable[PathLike] | Mapping[str, PathLike], **options: Any
) -> FilesLatency:
    """The latency and quality of systems that translate a stream, as `fstmetrics latency` finds them.

    Args:
        logs: the log of a system, or of several, or a dict of them by the systems' names.
        options: those of the command, with `_` for `-`: `segments="talks.yaml"`, `ref="ref.txt"`, `language="de"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> log = Path(tempfile.mkdtemp()) / "instances.log"
    >>> _ = log.write_text('{"prediction": "a b", "delays": [500, 1000], "source_length": 1000, "reference": "a b"}')
    >>> fm.latency_files(log, metric="none").systems[0].latency.laal
    500.0
    """
    systems = systems_of("latency_files", logs, "logs")
    return latency_from(systems, fields_of_options("latency_files", STREAMED, options))


def latency_from(logs: Sequence[str], options: dict[str, Any]) -> FilesLatency:
    """The scores by the fields of `LatencyOptions`; as of `latency_files`."""
    asked = LatencyOptions(**options)
    names, paths = names_of(logs), [named_path(each)[1] for each in logs]
    check_paths([*paths, asked.segments, asked.references], asked.output, asked.plot)
    check_pictures(asked.plot)
    _refuse_without_effect(asked, len(paths))
    metrics, lacking = _metrics(asked)
    normalisation = Normalisation(
        lowercase=asked.lowercase, tokenize=asked.tokenize, allow_download=asked.allow_download
    )
    refuse_unready(metrics, normalisation)
    references = None if asked.references is None else _references(asked.references, asked.ref_format)
    segments = None if asked.segments is None else _segments(asked.segments, asked.references, references)
    resampling = Resampling(asked.samples, asked.seed) if asked.samples else None
    found: list[StreamScores] = []
    kinds: dict[str, str] = {}
    counted_times: dict[Elapsed, None] = {}
    left_out: list[str] = []
    for name, path in zip(names, paths, strict=True):
        log = read_log(path, asked.unit)
        left_out += log.remarks
        elapsed = elapsed_of(log, segments is not None, asked.elapsed)
        counted_times[elapsed] = None
        outputs = stream_segments(log, segments, references, asked.unit, asked.language, elapsed)
        if asked.unit == "char" and asked.tokenize is None:
            _refuse_spaces(metrics, outputs)
        is_long = segments is not None or log.kind == "segments"
        kinds.setdefault("long" if is_long else "short", path)
        if found and len(found[0].segments) != len(outputs):
            raise InputError(
                f"has {counted(len(outputs), 'segment')}, and {paths[0]} {len(found[0].segments)}; expected logs of "
                "the same segments",
                path,
            )
        found.append(stream_scores(name, outputs, is_long, metrics, normalisation, resampling))
    if len(kinds) > 1:
        raise FstmetricsError(
            f"{kinds['long']} is of longer recordings, and {kinds['short']} of segments alone: their latencies cannot "
            "be compared; give one kind"
        )
    if asked.plot:
        from fstmetrics.reports.plots import latency_plot

        latency_plot(_points(found), asked.plot)
    if asked.output:
        with whole_file(asked.output) as stream:
            stream.writelines(_segment_line(number, each) for number, each in enumerate(found[0].segments))
    unspaced = () if asked.unit == "char" else _unspaced(found[0].segments)
    told = (*_remarks(found), *_exchanged(found, asked), *_unlike_lengths(found))
    remarks = (*lacking, *left_out, *unspaced, *told)
    return FilesLatency(found, metrics, remarks, _signature(asked, found[0], counted_times))


def _refuse_without_effect(asked: LatencyOptions, logs: int) -> None:
    if asked.output and logs > 1:
        raise FstmetricsError(f"--output is of one LOG, and there are {logs}: give one")
    if asked.plot and asked.metric_names == NO_METRIC:
        raise FstmetricsError(
            "--plot draws quality against latency, and --metric none leaves the quality out"
        )
    if asked.ref_format is not None and asked.references is None:
        raise FstmetricsError(f"{REF_FORMAT} is of --ref: give --ref, or leave it out")
    if asked.segments is None and asked.language != BUILT_IN:
        raise FstmetricsError("--language is of re-segmentation: give --segments, or leave it out")
    if asked.unit == "char" and asked.language != BUILT_IN:
        raise FstmetricsError("--language is of words, and --unit char has none: leave one of them out")


def _metrics(asked: LatencyOptions) -> tuple[list[CorpusMetric], list[str]]:
    """The metrics, and what is said of those that nobody asked for, where they lack a package or a tokenizer.

    Raises:
        FstmetricsError: no metric, or one of words that was asked for beside units of characters, without a tokenizer.
    """
    names = ",".join(BY_DEFAULT) if asked.metric_names is None else asked.metric_names
    given = list(dict.fromkeys(name.strip() for name in names.split(",")))
    found = [] if given == [NO_METRIC] else [as_corpus_metric(name) for name in given]
    uncut = {
        metric.name: f"--unit char does not say what the words are that {metric.name} counts: --tokenize zh, "
        "ja-mecab, ko-mecab or char says it; cer, without --tokenize, counts characters"
        for metric in found
        if asked.unit == "char" and asked.tokenize is None and _counts_words(metric.underlying)
    }
    if asked.metric_names is not None or asked.tokenize is not None:
        if uncut:
            raise FstmetricsError(next(iter(uncut.values())))
        return found, []
    ready, lacking = [], []
    for metric in found:
        try:
            refuse_unready([metric], Normalisation())
            if metric.name in uncut:
                lacking.append(f"no {metric.name}: {uncut[metric.name]}")
            else:
                ready.append(metric)
        except FstmetricsError as error:
            lacking.append(f"no {metric.name}: {error}")
    return ready, lacking


def _counts_words(metric: CorpusMetric) -> bool:
    """Whether it is one of ours, of words that stand apart: neither of characters nor of texts as they are written."""
    is_of_texts = any(getattr(metric, name, False) for name in ("untokenized", "as_written"))
    return metric.name in SHIPPED and metric.unit is None and not is_of_texts


def _refuse_spaces(metrics: Iterable[CorpusMetric], outputs: Sequence[SegmentOutput]) -> None:
    """Raise an FstmetricsError for a metric that counts spaces, where references have some and outputs cannot."""
    names = ["cer" if metric.underlying.unit == "char" else metric.name for metric in metrics]
    counting = next((name for name in names if name in ("cer", "chrf++")), "")
    spaced = next((n for n, part in enumerate(outputs) if " " in part.reference.strip()), None)
    if counting and spaced is not None:
        raise FstmetricsError(
            f"{counting} counts spaces, which --unit char leaves out of outputs, and the reference of segment {spaced} "
            "(from 0) has some: take them out of the references; chrf does not count them"
        )


def _references(path: str, format: str | None) -> list[str]:
    """The lines of the references."""
    source = Source.open(path)
    if format is None:
        found = recognised(source, ReadOptions(format_option=REF_FORMAT))
        if found is not None and found.name != PLAIN_TEXT:
            raise source.error(
                f"looks like {found.name}; expected plain text, a reference a line in the order of the segments; if it "
                f"is that, {REF_FORMAT} {PLAIN_TEXT} says so"
            )
    elif format != PLAIN_TEXT:
        raise FstmetricsError(f"{REF_FORMAT} {format}: references are plain text here, a line a segment")
    lines = [item.text or "" for item in read_items(source, format=PLAIN_TEXT).items]
    if format is None:
        _refuse_ids(source, lines)
    return lines


def _refuse_ids(source: Source, lines: Sequence[str]) -> None:
    """Refuse lines that seem to begin with ids, which would count as words."""
    firsts = [line.split(maxsplit=1)[0] for line in lines if line.strip()]
    if firsts and file_name(source.path) == KALDI_NAME:
        what = f"a file called {KALDI_NAME} begins its lines with ids"
    elif look_like_ids(firsts):
        what = "the first words of all lines look like ids"
    else:
        return
    raise source.error(
        f"{what} ({listed(firsts)}); expected references alone, in the order of the segments: if they are ids, "
        f"cut -d' ' -f2- FILE leaves them out, if words, {REF_FORMAT} {PLAIN_TEXT} says so"
    )


def _segments(path: str, ref: str | None, references: Sequence[str] | None) -> list[StreamSegment]:
    found = read_segments(path)
    if references is None:
        raise FstmetricsError(f"{path}: the segments need references: --ref FILE, a line a segment")
    if len(found) != len(references):
        raise FstmetricsError(
            f"numbers of segments differ: {len(found)} in {path}, {len(references)} in {ref}; expected a line of "
            "references for each segment"
        )
    return found


def _rows(
    systems: Sequence[StreamScores], ending: str, quality: Sequence[CorpusMetric]
) -> Iterable[tuple[str, ...]]:
    """A row a system, and its interval below.

    Args:
        systems: the systems.
        ending: of the names of the latencies.
        quality: the metrics before these.
    """
    metrics = list(systems[0].quality)[: len(quality)]
    names = [*metrics, *(measure + ending for measure in MEASURES)]
    percent = [*(metric.percent for metric in quality), *MEASURES.values()]
    heads = [*metrics, *(measure.upper() for measure in MEASURES)]
    yield "with computing" if ending else "", *heads
    higher = [*(metric.recognition for metric in quality), *(False for _ in MEASURES)]
    columns = []
    for name, is_percent, is_higher in zip(names, percent, higher, strict=True):
        own, shown = [system.as_dict()[name] for system in systems], partial(_cell, percent=is_percent)
        columns.append(marked(list(map(shown, own)), own, is_higher, shown))
    for system, cells in zip(systems, zip(*columns, strict=True), strict=True):
        intervals = system.intervals
        yield system.system, *cells
        if any(name in intervals for name in names):
            ends = [intervals.get(name, (None, None)) for name in names]
            for word, side in (("from", 0), ("to", 1)):
                yield f"  {CONFIDENCE:.0%} {word}", *map(_cell, (each[side] for each in ends), percent)


def _cell(value: float | None, percent: bool | None) -> str:
    return "-" if value is None else number(value, percent)


def _points(systems: Sequence[StreamScores]) -> list[Any]:
    """Latency and quality of each system, with their intervals."""
    from fstmetrics.reports.plots import LatencyPoint

    name = next(iter(systems[0].quality))
    found = []
    for system in systems:
        values = system.as_dict()
        for measure in ("yaal", "yaal_ca"):
            if values[measure] is not None:
                found.append(
                    LatencyPoint(
                        system.system, measure, values[measure], name, values[name],
                        system.intervals.get(measure), system.intervals.get(name),
                    )
                )  # fmt: skip
    return found


def _segment_line(number: int, segment: SegmentOutput) -> str:
    """A line as OmniSTEval writes it."""
    values: dict[str, Any] = {
        "index": number, "docid": segment.document, "prediction": segment.text, "reference": segment.reference,
        "source_length": segment.source_length,
    }  # fmt: skip
    if segment.delays:
        values["emission_cu"] = segment.delays
        values |= {} if segment.elapsed is None else {"emission_ca": segment.elapsed}
        values["time_to_recording_end"] = segment.recording_end
    return written_json(values) + "\n"


# Where all delays are below this part of the source in all segments, or the last ones above as many times the source,
# they may be in another unit.
EARLY = 10
# Sources of the same segments that differ so many times may be in other units, and so may segments of one log.
UNLIKE = 100
# Milliseconds by which segments may go on when a recording has ended.
PAST_END = 1000


def _unspaced(segments: Sequence[SegmentOutput]) -> list[str]:
    """What is said of references that count as one word each, since nothing parts their words."""
    texts = [each.reference for each in segments[:FEW_TEXTS]]
    advice = (
        "write the references with spaces between words, as the log has them, for YAAL, LAAL, AL, AP and metrics "
        "of words"
    )
    return [f"references: {remark}" for remark in unspaced_remark(texts, Normalisation(), advice)]


def _remarks(systems: Sequence[StreamScores]) -> Iterable[str]:
    for system in systems:
        yield from (f"{system.system}: {look}" for look in system.looks)
        if empty := sum(not segment.text for segment in system.segments):
            yield f"{system.system}: {counted(empty, 'segment')} {have(empty)} no word, and no latency"
        if system.segments and not any(segment.reference.split() for segment in system.segments):
            yield (
                f"{system.system}: no segment has a word in its reference, so that scores of quality say nothing: "
                "--ref FILE gives references"
            )
        spoken = [segment for segment in system.segments if segment.delays]
        if spoken and all(EARLY * max(segment.delays) < segment.source_length for segment in spoken):
            yield (
                f"{system.system}: all words of every segment come in the first {EARLY}th of its source: are the "
                "delays and source_length in one unit, milliseconds?"
            )
        ends = [s.source_length if s.recording_end is None else s.recording_end for s in spoken]
        if spoken and all(max(s.delays) > EARLY * end for s, end in zip(spoken, ends, strict=True)):
            yield (
                f"{system.system}: words of every segment come {EARLY} times as late as its source ends: are the "
                "delays and source_length in one unit, milliseconds?"
            )
        over = [s.source_length - s.recording_end for s in system.segments if s.recording_end is not None]
        if (most := max(over, default=0)) > PAST_END:
            yield (
                f"{system.system}: a segment goes on for {most / 1000:g} s when its recording has ended by the log: "
                "are the segments of this recording, and in seconds?"
            )
        yield from _unlike_units(system.system, spoken)
        if late := sum(bool(s.text) and s.latency.yaal is None for s in system.segments):
            yield f"{system.system}: {counted(late, 'segment')} without YAAL, as no word comes before the end"
    if systems[0].documents < 2:
        what = "document" if systems[0].form == "long" else "segment"
        yield f"there is one {what}, so there are no intervals"


def _unlike_units(name: str, segments: Sequence[SegmentOutput]) -> Iterator[str]:
    """What is said of a log whose lines may be in several units: so far are some from all others."""
    for what, values in (
        ("source_length of {:g} a word", [each.source_length / len(each.delays) for each in segments]),
        (
            "a last delay of {:g} of their source_length",
            [each.delays[-1] / each.source_length for each in segments],
        ),
    ):
        ordered = sorted(value for value in values if value > 0)
        for one, other in pairwise(ordered):
            if UNLIKE * one < other:
                yield (
                    f"{name}: some segments have {what.format(one)}, and others {other:g}, with none between: are all "
                    "lines in one unit, milliseconds?"
                )
                return


def _exchanged(systems: Sequence[StreamScores], asked: LatencyOptions) -> Iterable[str]:
    """What is said where recordings have the words of the references of others, so that the lines of --ref may be in
    another order than --segments."""
    for system in systems if asked.segments is not None else ():
        names = list(dict.fromkeys(segment.document for segment in system.segments))
        texts: dict[str, tuple[list[str], list[str]]] = {name: ([], []) for name in names}
        for segment in system.segments:
            for side, text in zip(texts[segment.document], (segment.text, segment.reference), strict=True):
                side += letters_of_words(text, asked.unit)
        if remark := exchanged_remark(names, *zip(*texts.values(), strict=True)):
            yield (
                f"{system.system}: {remark}: are the lines of --ref in the order of --segments? Line N of --ref is the "
                "reference of segment N"
            )


def _unlike_lengths(systems: Sequence[StreamScores]) -> Iterable[str]:
    """What is said of systems of which the same segments are much longer, as in another unit."""
    first, *others = ((each.system, sum(part.source_length for part in each.segments)) for each in systems)
    for other in others:
        (short, least), (long, most) = sorted((first, other), key=itemgetter(1))
        if 0 < UNLIKE * least < most:
            yield (
                f"the sources of {long} are {most / least:.0f} times as long as those of {short}, of the same "
                "segments: are both logs in one unit, milliseconds?"
            )


def _signature(asked: LatencyOptions, found: StreamScores, elapsed: Iterable[Elapsed]) -> str:
    """What the numbers depend on."""
    parts = ["fstmetrics", "latency", f"form:{found.form}", f"unit:{asked.unit}"]
    if asked.segments is not None:
        parts += ["criterion:soft"] + ([f"language:{asked.language}"] if asked.unit == "word" else [])
    parts.append(f"elapsed:{','.join(elapsed)}")
    parts += [f"metrics:{','.join(found.quality)}"] if found.quality else []
    parts += [f"tokenize:{asked.tokenize}"] if asked.tokenize else []
    parts += ["lowercase:yes"] if asked.lowercase else []
    return "|".join([*parts, f"version:{__version__}"])


@command(usual=("--segments", "--ref", "--language", "--unit", "--plot", "--json"))
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@options_of(STREAMED)
def latency_command(logs: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Latency and quality of simultaneous translation: YAAL, LAAL, AL, DAL, AP, with and without computing.

    \b
    Example:  fstmetrics latency instances.log --segments talks.yaml --ref ref.txt
              fstmetrics latency instances.log
              fstmetrics latency a=a.log b=b.log --plot plot.svg

    LOG: SimulEval's instances.log, SimulStream's log, or the re-segmented instances of OmniSTEval. NAME=FILE gives
    the system a name. With --segments the words of each recording are cut into its segments, where they are most like
    the references, and latency counts from the beginning of each segment (long form). Without it each instance is
    a segment. Latencies are in the unit of the log, milliseconds as a rule; AP has none.
    """
    refuse_shared_output(form, options["output"])
    found = latency_from(logs, options)
    show_report(found.parts(), found.summary, form, beside=options["output"])
