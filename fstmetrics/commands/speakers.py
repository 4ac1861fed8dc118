"""The command `speakers`, and `speakers_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import click

from fstmetrics.cli.click_options import FormOfTables, check_form, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    REQUEST,
    UNSPACED,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import Console, show_report
from fstmetrics.data.fields import Fields
from fstmetrics.data.groupings import GROUPINGS, Grouping, labels
from fstmetrics.data.sessions import Session
from fstmetrics.engine.unlike_sides import (
    FEW_TEXTS,
    NO_SPACES,
    SAMPLE,
    match_remark,
    spelling_remarks,
    unspaced_remark,
)
from fstmetrics.io.formats.rttm import read_turns
from fstmetrics.io.items import SPOKEN_TIMES, SPOKEN_WORDS
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics.corpus_metric import COLLAR, MOST_COLLAR, metric_of
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.metrics.wer import WER
from fstmetrics.reports.speaker_tables import (
    diarization_signature,
    meeting_texts,
    session_records,
    speaker_dict,
    speaker_parts,
    speaker_signature,
)
from fstmetrics.reports.summary import Part, Printed
from fstmetrics.scoring.opened_sides import open_sides
from fstmetrics.scoring.pairing import ADVICE
from fstmetrics.scoring.request import OfSessions, Request, fields_of
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.session_items import (
    SpokenSide,
    overlap_remarks,
    sessions_of,
    span_of,
    span_remarks,
    spoken_side,
)
from fstmetrics.scoring.side_remarks import choice_remarks, file_remarks, formats_of
from fstmetrics.speakers.diarization import Diarization, diarization
from fstmetrics.speakers.meetings import (
    METRICS,
    SAME_TIMES,
    UNTIMED,
    SpeakerMetric,
    meeting_wer,
    owed_to_times,
)
from fstmetrics.speakers.speaker_results import SpeakerResult, SpeakerScores
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    FLAG,
    PATH,
    RECORDS,
    one_of,
    option,
    options_of_fields,
    real,
    written_file,
)
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted, number
from fstmetrics.support.progress import ticks
from fstmetrics.support.source import Source, file_name

DER: Final = "der"
_NAMES = one_of(*METRICS, DER, of_any_case=True)


def _metric(given: Any) -> Any:
    """The name of a metric; a ValueError of one of characters says what it is of words."""
    name = str(given).lower()
    if (rate := metric_of(name)) in METRICS and rate != name:
        raise ValueError(f"{name} is {rate} of characters: --metric {rate} --unit char-no-space")
    return _NAMES(given)


@dataclass(frozen=True)
class SpeakerOptions(OfSessions):
    """Options of `speakers` beside those of every run."""

    metric: SpeakerMetric | Literal["der"] = option(
        "cpwer",
        replace(_NAMES, read=_metric),
        "cpwer: speakers in pairs. orcwer: each utterance of REF to any speaker of HYP. tcpwer, tcorcwer: the "
        "same, words near one another in time. dicpwer: each utterance of HYP to any speaker of REF. der: who spoke "
        "when, without words.",
    )
    der: bool = option(False, FLAG, "Also print DER and JER: who spoke when, by the times of utterances.")
    der_collar: float = option(
        0.0, real(0, MOST_COLLAR), "DER: how far around each begin and end of REF is not scored.", "SECONDS"
    )
    turns: str | None = option(
        None,
        PATH,
        "RTTM: who spoke when, for a HYP of words with times (ctm), or of a line for each turn.",
        "FILE",
    )
    ref_turns: str | None = option(None, PATH, "The same for REF.", "FILE")
    alignment: bool = option(
        False, FLAG, "Print the words of both sides beside each other, or write them into the records."
    )
    output: str | None = option(
        None,
        RECORDS,
        "Write one JSON record a session to FILE; - is standard output. With --alignment, show and errors can read "
        "them.",
        "FILE",
    )
    report: str | None = option(
        None,
        written_file("an HTML page", ".html", ".htm"),
        "Write an HTML page: who spoke when on a time line, every error in its place.",
        "FILE",
    )
    by: Sequence[Grouping] = option(
        (),
        GROUPINGS,
        "Also print a table by a field of the sessions, by session, or by speaker (of REF). Repeatable.",
        "FIELDS",
    )


ASKED = options_of_fields(SpeakerOptions)
# Those that show or count words.
OF_WORDS = ("alignment", "output", "report", "by")
SPEAKING: Options = {
    **under("Metric", ASKED, "metric", "collar", "der", "der_collar"),
    **under("Input", ASKED, "turns", "ref_turns"),
    **under("Input", REQUEST, "format", "ref_format", "fields", "alternations", "symbols"),
    **under(
        "Input",
        missing=REQUEST["missing"]._replace(
            help="A session that one side lacks: stop, skip it, or score it against nothing."
        ),
    ),
    **UNSPACED,
    **GRAMMAR,
    **under("Output", ASKED, "alignment", "output", "report", "by"),
    **FORMS_PRINTED,
}


@dataclass(frozen=True)
class FilesOfSpeakers(Printed):
    """Recordings with several speakers, scored.

    Attributes:
        scored: of all sessions; None where the metric is `der`.
        skipped: how many sessions were left out, since one side lacks them.
        formats: how each path was read.
        remarks: what was guessed about the files, and what is odd about them.
        signature: all that the scores depend on.
        sessions: what was scored.
        by: the counts of pairs by the values of fields, by the fields' names.
        diarizations: DER and JER of each session, where they were asked for.
        fields: of each session, what all of its references have alike.
        lacking: of the sessions left out, those that each file lacks, by its path.
    """

    scored: SpeakerScores | None
    skipped: int
    formats: Mapping[str, str]
    remarks: tuple[str, ...]
    signature: str
    sessions: tuple[Session, ...] = ()
    by: Mapping[str, Mapping[str, Sequence[Totals]]] = field(default_factory=dict)
    diarizations: Mapping[str, Diarization] = field(default_factory=dict)
    fields: Mapping[str, Fields] = field(default_factory=dict)
    lacking: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def scores(self) -> SpeakerScores:
        """Of the words of all sessions.

        Raises:
            FstmetricsError: the metric is `der`, and no word was looked at.
        """
        if self.scored is None:
            raise FstmetricsError("der alone scores no words: see diarizations, whose sum is diarization")
        return self.scored

    @property
    def diarization(self) -> Diarization:
        """DER and JER of all sessions.

        Raises:
            FstmetricsError: nobody asked for them.
        """
        if not self.diarizations:
            raise FstmetricsError(
                "times were not scored: ask for metric='der', or der=True beside another metric"
            )
        return Diarization.total(self.diarizations.values())

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        told = {"formats": dict(self.formats), "remarks": list(self.remarks), "signature": self.signature}
        return speaker_dict(self.scored, self.skipped, self.by, self.diarizations, **told)

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        told = self.signature, self.skipped, self.remarks
        return speaker_parts(self.scored, *told, self.by, self.diarizations)


@sides_by_name
def speakers_files(
    *,
    references: PathLike,
    hypotheses: PathLike,
    metric: SpeakerMetric | Literal["der"] = "cpwer",
    **options: Any,
) -> FilesOfSpeakers:
    """Score `hypotheses=` against `references=`, files with several speakers, as `fstmetrics speakers` does.

    Nothing is printed.

    Args:
        references, hypotheses: who said what, and when: stm, SegLST, ctm, RTTM with words, or rows with fields.
        metric: `cpwer`, `tcpwer`, `orcwer`, `tcorcwer`, `dicpwer`, or `der`, for which they need no words.
        options: those of the command, with `_` for `-`, as of `score_files`: `collar=5`, `turns="hyp.rttm"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "talk.stm"
    >>> _ = file.write_text("talk 1 ann 0 1 good morning\\ntalk 1 bob 1 2 hello\\n")
    >>> fm.speakers_files(references=file, hypotheses=file, metric="tcpwer").summary()["score"]
    0.0
    """
    found = fields_of_options("speakers_files", SPEAKING, {"metric": metric, **options})
    paths = path_of("speakers_files", references), path_of("speakers_files", hypotheses)
    return speakers_from(*paths, found)


def speakers_from(references: str, hypotheses: str, options: dict[str, Any]) -> FilesOfSpeakers:
    """The scores by fields of `SpeakerOptions` and `Request`.

    Raises:
        FstmetricsError: as of `speakers_files`.
    """
    asked = fields_of(SpeakerOptions, options)
    check_paths((references, hypotheses, asked.turns, asked.ref_turns), asked.output, asked.report)
    files = scored_sessions(references, hypotheses, asked, Request(**options))
    if asked.output:
        with whole_file(asked.output) as stream:
            for record in session_records(files.scores, files.fields, files.signature):
                stream.write(written_json(record) + "\n")
    if asked.report:
        from fstmetrics.reports.meeting import write_meeting_page

        title = f"{file_name(hypotheses)} against {file_name(references)}"
        with whole_file(asked.report) as stream:
            write_meeting_page(files.scores, files.sessions, title, files.signature, stream)
    return files


def scored_sessions(
    references: str, hypotheses: str, asked: SpeakerOptions, request: Request, advice: str = ADVICE
) -> FilesOfSpeakers:
    """The scores, without anything that is written into files; `advice` is as of `read_inputs`.

    Raises:
        FstmetricsError: as of `speakers_files`.
    """
    request.refuse_rules("speakers", widening=True)
    metric = asked.metric
    _refuse_unfit(asked)
    scored = (*([SPOKEN_WORDS] * (metric != DER)), *([SPOKEN_TIMES] * (asked.der or metric == DER)))
    sides = open_sides(replace(request, in_sessions=scored), [hypotheses, references], 1)
    heard = _spoken(sides[0], asked.turns, metric != "dicpwer")
    said = _spoken(sides[1], asked.ref_turns, metric not in ("orcwer", "tcorcwer"))
    sessions, lacking = sessions_of(said, heard, request.missing, advice)
    skipped = sum(map(len, lacking.values()))  # each is in one of the two files
    times, of_times = _diarized(said, heard, sessions, asked) if SPOKEN_TIMES in scored else ({}, ())
    read = conditions_of(request)
    if metric == DER:
        return FilesOfSpeakers(
            None,
            skipped,
            formats_of(sides),
            (*said.remarks, *heard.remarks, *of_times, *file_remarks(sides)),
            diarization_signature(asked.der_collar, read),
            tuple(sessions),
            diarizations=times,
            fields=said.fields,
            lacking=lacking,
        )
    found = [
        meeting_wer(
            session,
            metric,
            collar=asked.collar,
            normalisation=request.normalisation,
            grammars=request.grammars,
            aligned=asked.alignment or asked.report is not None,
        )
        for session in ticks(sessions, "scoring", len(sessions))
    ]
    scores = SpeakerScores.of(found)
    for name in (name for grouping in asked.by for name in grouping.fields if name in said.uneven):
        raise InputError(
            f"{name} differs within a session{said.uneven[name] and ' ' + said.uneven[name]}, and --by is by fields "
            "that all utterances of a session have alike",
            said.path,
        )
    by = {
        grouping.name: dict(zip(labels([*groups]), groups.values(), strict=True))
        for grouping in asked.by
        for groups in [scores.by(grouping, said.fields)]
    }
    remarks = (
        *said.remarks,
        *overlap_remarks(said),
        *heard.remarks,
        *_time_remarks(sessions, found, request),
        *(f"{heard.path} beside {said.path}, {each}" for each in _spelling_remarks(sessions, found, request)),
        *of_times,
        *choice_remarks(sides[:1], False),
        *file_remarks(sides),
    )
    return FilesOfSpeakers(
        scores,
        skipped,
        formats_of(sides),
        remarks,
        speaker_signature(scores, request.normalisation, request.grammar_signature, read),
        tuple(sessions),
        by,
        times,
        said.fields,
        lacking,
    )


def _refuse_unfit(asked: SpeakerOptions) -> None:
    """Raise an FstmetricsError for options that the metric has no use for, and that may be meant for another."""
    is_alone = asked.metric == DER
    if is_alone and (of_words := [f"--{name}" for name in OF_WORDS if getattr(asked, name)]):
        raise FstmetricsError(
            f"{of_words[0]} is of words, which {DER} alone does not look at: give a metric of words and --der"
        )
    if not (asked.der or is_alone):
        if asked.der_collar:
            raise FstmetricsError("--der-collar is of DER, which --der adds, or --metric der prints alone")
    elif asked.metric not in UNTIMED and asked.collar != COLLAR:
        raise FstmetricsError(
            f"--collar is for {listed([*UNTIMED])}; of DER it is --der-collar {asked.collar:g}"
        )


def _diarized(
    said: SpokenSide, heard: SpokenSide, sessions: Sequence[Session], asked: SpeakerOptions
) -> tuple[dict[str, Diarization], Sequence[str]]:
    """DER and JER of each session, and what is said of their times.

    Raises:
        FstmetricsError: a speaker on several channels of a session, as each is scored alone; or a collar that leaves
            nothing.
    """
    for side in (said, heard):
        side.refuse_channels()
    timed = [
        Session.of(
            said.spoken_when(each.id, each.references), heard.spoken_when(each.id, each.hypotheses), each.id
        )
        for each in sessions
    ]
    times = {session.id or "": diarization(session, asked.der_collar) for session in timed}
    spans = {
        session.id or "": (span_of(session.references), span_of(session.hypotheses)) for session in timed
    }
    if (
        asked.der_collar
        and not any(each.scored for each in times.values())
        and any(one for one, _ in spans.values())
    ):
        raise FstmetricsError(
            f"--der-collar {asked.der_collar:g} leaves no time of the references to score; it is in seconds"
        )
    return times, [*span_remarks(spans, "references", "hypotheses")]


def conditions_of(request: Request) -> list[str]:
    """How sessions were read, as signatures have it."""
    read = [f"alternations:{request.alternations}"] if request.alternations else []
    read += [f"missing:{request.missing}"] if request.missing != "error" else []
    return [*read, *request.named_files]


def _time_remarks(
    sessions: Sequence[Session], results: Sequence[SpeakerResult], request: Request
) -> Iterator[str]:
    """Sessions most of whose errors are owed to times, as where these are in other units, or begin otherwise."""
    owed: dict[str | None, SpeakerResult] = {}
    for session, result in zip(sessions, results, strict=True):
        untimed = owed_to_times(
            session, result, normalisation=request.normalisation, grammars=request.grammars
        )
        if untimed:
            owed[session.id] = untimed
    if owed:
        first = next(iter(owed.values()))
        which = f" ({listed([*filter(None, owed)])})" if any(owed) else ""
        yield (
            f"most errors of {counted(len(owed), 'session')}{which} are of times: without these, {first.name} is "
            f"{number(first.score)}; {SAME_TIMES}"
        )


def _spelling_remarks(
    sessions: Sequence[Session], results: Sequence[SpeakerResult], request: Request
) -> Iterator[str]:
    """What is said where most errors are owed to how words are written; speakers are not kept apart."""
    sides = [(session.hypotheses, session.references) for session in sessions[:SAMPLE]]
    texts = [[[each.words for each in side] for side in pair] for pair in sides]
    pairs = [
        (" ".join(hypotheses), " ".join(references))
        for hypotheses, references in texts
        if all(isinstance(words, str) for words in (*hypotheses, *references))
    ]
    rules = request.normalisation
    found = [] if request.grammars else [*spelling_remarks(pairs, WER(), rules)]
    found = [f"the words of a session in their order: {remark}" for remark in found]
    totals = sum((each.totals for each in results), Totals())
    spoken = sum(len(session.references) for session in sessions)
    found = found or [*filter(None, [match_remark(totals, spoken, WER(), rules, False)])]
    yield from found
    if NO_SPACES not in "".join(found):
        said = [words for _, references in texts for words in references if isinstance(words, str)]
        yield from unspaced_remark(said[:FEW_TEXTS], rules, f"{NO_SPACES}, or mixed for Han characters")


def _spoken(side: Side, turns: str | None, needs_speakers: bool) -> SpokenSide:
    """The utterances of a side, by session."""
    remarks: list[str] = []
    are_scored = SPOKEN_TIMES in side.options.in_sessions
    spoken = read_turns(Source.open(turns), remarks.append, are_scored) if turns else None
    found = spoken_side(side.items, spoken, needs_speakers)
    return replace(found, remarks=(*remarks, *found.remarks))


@command(
    usual=("--metric", "--collar", "--turns", "--alignment", "--report", "--json"),
    several="several systems: fstmetrics compare --ref REF SYSTEM... --metric cpwer",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SPEAKING)
def speakers_command(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Score recordings with several speakers: cpWER, tcpWER, ORC-WER, DER.

    \b
    Example:  fstmetrics speakers ref.stm hyp.stm --metric tcpwer --collar 5
              fstmetrics speakers ref.stm hyp.stm --der --report meeting.html
              fstmetrics speakers ref.rttm hyp.rttm --metric der

    REF and HYP say who said what, and when: stm, SegLST, ctm (a channel is a speaker), RTTM with words, or rows with
    fields for speaker, session and times. For der stm, RTTM and SegLST need no words. A file may hold several sessions
    (recordings). docs/speakers.md compares with MeetEval.
    """
    alignment, output = options["alignment"], options["output"]
    if form and (form != "json" or output == "-"):
        check_form(form, options)
    found = speakers_from(references, hypotheses, options)
    if output == "-":  # the records are there
        return
    if alignment and not output and not form:
        console = Console()
        for text in meeting_texts(found.scores, found.sessions, console.width):
            console.print(text)
    show_report(found.parts(), found.summary, form)
