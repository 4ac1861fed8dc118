"""The summary of sessions with several speakers: `speaker_lines` and `speaker_dict`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fstmetrics.reports.summary import Row, table_lines
from fstmetrics.scoring.speakers.speaker_results import SpeakerResult, SpeakerScores
from fstmetrics.support.printable import counted, number
from fstmetrics.support.version import __version__
from fstmetrics.values.normalisation import Normalisation

COUNTED = ("edits", "sub", "ins", "del", "match", "ref words")
# Stands for a speaker without a partner, and for no session.
NOBODY = "-"


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
    return "|".join(["fstmetrics", *parts, *read, "ties:longest-path/1", f"version:{__version__}"])


def speaker_lines(
    scores: SpeakerScores, signature: str, skipped: int, remarks: Sequence[str]
) -> Iterator[str]:
    """A row a session and one for all; who was paired with whom; what was assumed."""
    rows: list[Row] = [("", scores.name, *COUNTED, "speakers", "hyp speakers")]
    for session in scores:
        rows.append((session.id or NOBODY, *_numbers(session), *_speakers(session)))
    if len(scores) > 1:
        rows.append(("all", *_numbers(scores), "", ""))
    yield from table_lines(rows)
    yield ""
    yield from table_lines([("session", "reference", "hypothesis", "wer", *COUNTED), *_pairs(scores)], 3)
    yield ""
    left = f"; {skipped} left out: one of the files does not have {'it' if skipped == 1 else 'them'}"
    yield counted(len(scores), "session") + left * bool(skipped)
    yield from remarks
    yield signature


def _numbers(numbers: SpeakerResult | SpeakerScores) -> Row:
    counts = (
        numbers.edits, numbers.substitutions, numbers.insertions, numbers.deletions, numbers.matches,
        numbers.path_length,
    )  # fmt: skip
    return (number(numbers.score), *map(str, counts))


def _speakers(session: SpeakerResult) -> Row:
    references, hypotheses = session.speakers
    return (str(references), str(hypotheses))


def _pairs(scores: SpeakerScores) -> Iterator[Row]:
    for session in scores:
        for pair in session.pairs:
            alone = SpeakerResult(scores.name, pair.totals, ())
            names = [NOBODY if name is None else name for name in (session.id, *_sides(session, pair))]
            yield (*names, *_numbers(alone))


def _sides(session: SpeakerResult, pair: Any) -> tuple[str | None, str | None]:
    """The names of a pair; where utterances of any speaker may go to a stream, how many went."""
    if not session.assigns:
        return pair.reference, pair.hypothesis
    to = pair.reference if session.name == "dicpwer" else pair.hypothesis
    went = counted(sum(utterance.to == to for utterance in session.utterances if to is not None), "utterance")
    return (to, went) if session.name == "dicpwer" else (went, to)


def speaker_dict(scores: SpeakerScores, skipped: int, **settings: Any) -> dict[str, Any]:
    """What `--json` prints; `settings` are added."""
    return {**scores.as_dict(), "skipped": skipped, **settings}
