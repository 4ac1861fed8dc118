"""The summary of sessions with several speakers: `speaker_parts` and `speaker_dict`; `session_records`, their records,
which `show` and `errors` read where they have alignments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fstmetrics.data.fields import Fields
from fstmetrics.data.sessions import Session
from fstmetrics.engine.results import AlignedPair
from fstmetrics.engine.signatures import TIE_RULE
from fstmetrics.metrics.corpus_metric import metric_of, name_of
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.reports.alignment import LEGEND, alignment_text
from fstmetrics.reports.summary import (
    COLUMNS,
    LENGTHS,
    Part,
    Row,
    Table,
    infinite_line,
    shortened,
    shown_counts,
)
from fstmetrics.speakers.aligned_words import in_order, utterances_of
from fstmetrics.speakers.diarization import Diarization
from fstmetrics.speakers.speaker_results import SpeakerResult, SpeakerScores
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import counted, number, printable
from fstmetrics.support.styled import Styled
from fstmetrics.support.version import __version__
from fstmetrics.text.normalisation import Normalisation, Unit

# Stands for a speaker without a partner, and for no session.
NOBODY = "-"
NO_TABLES: Mapping[str, Any] = MappingProxyType({})


def speaker_signature(
    scores: SpeakerScores, normalisation: Normalisation, grammars: str = "", read: Sequence[str] = ()
) -> str:
    """All that the number depends on; `read` says what of that was decided when files were read."""
    parts = [f"metric:{scores.name}"]
    if scores.collar is not None:
        parts += [f"collar:{scores.collar:g}", "word-times:characters"]
    parts += [normalisation.signature()]
    if grammars:
        parts.append(f"grammars:{grammars}")
    return "|".join(["fstmetrics", *parts, *read, f"ties:{TIE_RULE}", f"version:{__version__}"])


def diarization_signature(collar: float, read: Sequence[str]) -> str:
    """What DER and JER alone depend on: `collar` is of DER, in seconds; `read` is as above."""
    return "|".join(["fstmetrics", "metric:der", f"collar:{collar:g}", *read, f"version:{__version__}"])


def speaker_parts(
    scores: SpeakerScores | None,
    signature: str,
    skipped: int,
    remarks: Sequence[str],
    tables: Mapping[str, Mapping[str, Sequence[Totals]]] = NO_TABLES,
    diarizations: Mapping[str, Diarization] = NO_TABLES,
) -> Iterator[Part]:
    """A row a session and one for all; who was paired with whom; what was assumed.

    Args:
        scores: of all sessions; None where only times were looked at.
        signature, skipped, remarks: as of `FilesOfSpeakers`.
        tables: the counts of pairs by the values of fields, by the fields' names.
        diarizations: DER and JER of each session.
    """
    if scores is not None:
        yield Table([*_session_rows(scores)])
    if diarizations:
        yield Table([*_diarization_rows(diarizations)])
    if scores is not None:
        yield from _pair_tables(scores, tables)
    left = f"; {skipped} left out: one of the files does not have {'it' if skipped == 1 else 'them'}"
    yield counted(len(scores or diarizations), "session") + left * bool(skipped)
    if scores is not None and len(scores) > 1 and scores.infinite:
        yield infinite_line(scores.infinite, "session")
    yield from shortened(remarks)
    yield signature


def _session_rows(scores: SpeakerScores) -> Iterator[Row]:
    _, *counts = count_heads(scores)
    yield ("", scores.name, *counts, "speakers", "hyp speakers")
    for session in scores:
        yield (session.id or NOBODY, *count_cells(session), *map(str, session.speakers))
    if len(scores) > 1:
        yield ("all", *count_cells(scores), "", "")
        yield ("mean", number(scores.mean_score), *[""] * (len(COLUMNS) + 2))


def _pair_tables(
    scores: SpeakerScores, tables: Mapping[str, Mapping[str, Sequence[Totals]]]
) -> Iterator[Table]:
    """One a field, and one of all pairs."""
    rate, *counts = count_heads(scores)
    for name, groups in tables.items():
        of = [("all", [pair.totals for session in scores for pair in session.pairs])]
        cells = [
            (value, str(len(each)), *count_cells(SpeakerResult(scores.name, sum(each, Totals()), ())))
            for value, each in [*groups.items(), *of]
        ]
        yield Table([(name, "pairs", scores.name, *counts), *cells])
    yield Table([("session", "reference", "hypothesis", rate, *counts), *_pairs(scores)], 3)


def meeting_texts(scores: SpeakerScores, sessions: Sequence[Session], width: int) -> Iterator[Styled]:
    """The words of sessions beside each other, utterance by utterance as they begin."""
    yield Styled(LEGEND + "\n", "dim")
    for result, session in zip(scores, sessions, strict=True):
        of = f"{session.id}, " if session.id else ""
        for passage in in_order(result.words, session):
            said, heard = utterances_of(passage, session)
            main = said or heard
            when = "" if main is None or main.begin is None else f"{main.begin:.2f}-{main.end:.2f}, "
            who = [NOBODY if side is None else side.speaker for side in (said, heard)]
            yield Styled(printable(f"{of}{when}REF {who[0]}, HYP {who[1]}"), "bold")
            pairs = [AlignedPair(word.op, word.hypothesis, word.reference) for word in passage.words]
            yield alignment_text(pairs, width)


def _diarization_rows(diarizations: Mapping[str, Diarization]) -> Iterator[Row]:
    yield ("", "der", "jer", "speaker s", "missed", "false alarm", "confusion")
    rows = list(diarizations.items())
    if len(rows) > 1:
        rows.append(("all", Diarization.total(diarizations.values())))
    for name, each in rows:
        times = (each.scored, each.missed, each.false_alarm, each.confusion)
        yield (name or NOBODY, number(each.der), number(each.jer), *(f"{time:.2f}" for time in times))


def count_heads(numbers: SpeakerResult | SpeakerScores) -> tuple[str, ...]:
    """What `count_cells` are of a pair of speakers."""
    unit: Unit = "word" if metric_of(numbers.name) == numbers.name else "char"
    return (name_of("wer", unit), *COLUMNS[:-1], LENGTHS[unit])


def count_cells(numbers: SpeakerResult | SpeakerScores) -> tuple[str, ...]:
    """The score and `COLUMNS`."""
    return (number(numbers.score), *shown_counts(numbers.totals))


def _pairs(scores: SpeakerScores) -> Iterator[Row]:
    for session in scores:
        for pair in session.pairs:
            alone = SpeakerResult(scores.name, pair.totals, ())
            names = [NOBODY if name is None else name for name in (session.id, *_sides(session, pair))]
            yield (*names, *count_cells(alone))


def _sides(session: SpeakerResult, pair: Any) -> tuple[str | None, str | None]:
    """The names of a pair; where utterances of any speaker may go to a stream, how many went."""
    if not session.assigns:
        return pair.reference, pair.hypothesis
    to = pair.reference if session.assigns_hypotheses else pair.hypothesis
    went = counted(sum(utterance.to == to for utterance in session.utterances if to is not None), "utterance")
    return (to, went) if session.assigns_hypotheses else (went, to)


def speaker_dict(
    scores: SpeakerScores | None,
    skipped: int,
    tables: Mapping[str, Mapping[str, Sequence[Totals]]] = NO_TABLES,
    diarizations: Mapping[str, Diarization] = NO_TABLES,
    **settings: Any,
) -> dict[str, Any]:
    """What `--json` prints; `settings` are added. Other arguments are as of `speaker_parts`."""
    total = Diarization.total(diarizations.values())
    alone = {"metric": "der", "score": finite(total.der)}
    found: dict[str, Any] = {**(alone if scores is None else scores.as_dict()), "skipped": skipped}
    if scores is not None and tables:
        found["by"] = {
            name: [
                {
                    "value": value,
                    "pairs": len(each),
                    **SpeakerResult(scores.name, sum(each, Totals()), ()).counts(),
                }
                for value, each in groups.items()
            ]
            for name, groups in tables.items()
        }
    if diarizations:
        sessions = [{"session": name or None, **each.as_dict()} for name, each in diarizations.items()]
        found["diarization"] = {**total.as_dict(), "per_session": sessions}
    return {**found, **settings}


def session_records(
    scores: SpeakerScores, fields: Mapping[str, Fields], signature: str
) -> Iterator[dict[str, Any]]:
    """A record a session: counts as of any record, who was paired with whom, and the alignment where there is one.

    Args:
        scores: of all sessions.
        fields: of each session, by its id.
        signature: all that the scores depend on.
    """
    for session in scores:
        said = session.as_dict()
        words: dict[str, Any] = {
            "hypothesis": [word.hypothesis for word in session.words if word.hypothesis is not None],
            "closest": [word.reference for word in session.words if word.reference is not None],
            "gain": None,
            "max_gain": None,
        }
        alignment: dict[str, Any] = {
            name: said.pop(name) for name in ("alignment", "speakers") if name in said
        }
        own = fields.get(session.id or "", {})
        yield {
            "id": said.pop("session"),
            "metric": session.name,
            **{name: said.pop(name) for name in [*session.counts()]},
            "moves": 0,
            **({**words, **alignment} if alignment else {}),
            **({"fields": dict(own)} if own else {}),
            **said,
            "signature": signature,
        }
