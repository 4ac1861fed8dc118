"""What users give as the sides of a session: `session_of`, `utterances_of`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

from fstmetrics.data.fields import first_given
from fstmetrics.data.segments import TimedText, TimedWord, TimedWords, spoken_times
from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.data.transcripts import Transcript
from fstmetrics.support.arguments import are_characters, are_single, check_text, described, taken_apart
from fstmetrics.support.errors import FstmetricsError

# Fields of an utterance that is a row, as SegLST and our own fields have them.
WORDS = ("words", "text")
# What may mean something in sclite's notation.
MARKS = frozenset("{}()/\\;@<>")
SESSION = ("session_id", "session")


def session_of(references: object, hypotheses: object, unnamed: str = "") -> Session:
    """The session of what users of `cpwer` and its siblings give.

    Args:
        references, hypotheses: the sides.
        unnamed: which of these need not say who speaks.

    Raises:
        FstmetricsError: something that is no session, a list that does not say who speaks, or rows of several sessions;
            says which side.
    """
    sides = {"references": references, "hypotheses": hypotheses}
    said, heard = (utterances_of(given, side, side != unnamed) for side, given in sides.items())
    _refuse_taken_apart("references", said, "hypotheses", heard)
    _refuse_taken_apart("hypotheses", heard, "references", said)
    session = Session.of(said, heard)
    rows = [*_rows(references), *_rows(hypotheses)]
    found = dict.fromkeys(str(name) for row in rows if (name := first_given(row, SESSION)) is not None)
    if len(found) > 1:
        names = [*found]
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        raise FstmetricsError(
            f"expected one session, found {names[0]}{',' if more else ' and'} {names[1]}{more}: "
            "score each alone and add the results"
        )
    return session


def utterances_of(given: object, side: str, needs_speakers: bool) -> list[Utterance]:
    """The utterances of one side: by speaker, or in order.

    Raises:
        FstmetricsError: neither a dict by speaker nor a list of utterances; one of several that does not say who
            speaks, where it must; or two speakers whose names are the same text, such as 1 and "1".
    """
    named = [*given] if isinstance(given, Mapping) else []
    refuse_alike([*named, *(row["speaker"] for row in _rows(given) if "speaker" in row)], side)
    if isinstance(given, Mapping):
        return [utterance for who, said in given.items() for utterance in _of_speaker(str(who), said)]
    if isinstance(given, str) or not isinstance(given, Sequence):
        of_frame = f"{type(given).__name__}; of a frame of pandas give frame.to_dict('records')"
        kind = of_frame if hasattr(given, "to_dict") else described(given)
        raise FstmetricsError(
            f"{side} are a dict from speakers to what they said, or a list of utterances, not {kind}"
        )
    found = [_utterance("", each) for each in given]
    if needs_speakers and len(found) > 1 and (one := next((u for u in found if not u.speaker), None)):
        raise FstmetricsError(
            f"{side} are a list, in which {one.name} does not say who speaks, {described(one.words)}: give a dict from "
            "speakers to what they said, such as {'1': ..., '2': ...}, or rows with 'speaker'"
        )
    return found


def _refuse_taken_apart(
    side: str, utterances: Sequence[Utterance], other: str, others: Sequence[Utterance]
) -> None:
    """Refuse strings taken apart: what speakers of a side say are single characters without times, where the other side
    has longer words, or there is white space among them; and of any speaker who has the characters of a word there.
    """
    said: dict[str, list[str]] = {}
    are_all = True
    for utterance in utterances:
        words = _words_of(utterance)
        if words is not None and not any(words):
            continue
        if words is None or not are_single(words) or (utterance.begin is not None and len(words) == 1):
            are_all = False
        else:
            said.setdefault(utterance.speaker, []).extend(words)
    told = {word for each in others for text in _words_of(each) or () for word in text.split()}
    has_longer = any(len(word) > 1 for word in told)
    apart = {who: words for who, words in said.items() if len(words) > 1}
    if not (are_all and (has_longer or any(map(are_characters, apart.values())))):
        apart = {who: words for who, words in apart.items() if "".join(words) in told}
    if apart:
        who, longest = max(apart.items(), key=lambda item: len(item[1]))
        named = f"speaker {who}" if who else "a speaker"
        beside = f"{other} have longer words, and " if has_longer else ""
        raise FstmetricsError(f"{beside}what {named} says in {side} is {taken_apart(longest)}")


def _words_of(utterance: Utterance) -> Sequence[str] | None:
    """A text, or words; None of anything else."""
    words = utterance.words
    if isinstance(words, str):
        return [words]
    return words if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words) else None


def _rows(given: object) -> Iterator[Mapping[Any, Any]]:
    """The utterances of one side that are rows."""
    sides = given.values() if isinstance(given, Mapping) else [given]
    for said in sides:
        each = said if isinstance(said, list | tuple) else [said]
        yield from (row for row in each if isinstance(row, Mapping))


def refuse_alike(names: Iterable[object], side: str) -> None:
    """Refuse names of speakers that are written alike, but for white space at their ends.

    Raises:
        FstmetricsError: two are.
    """
    first: dict[str, object] = {}
    for name in names:
        written = str(name).strip()
        other = first.setdefault(written, name)
        if other is not name and other != name:
            raise FstmetricsError(
                f"{side}: two speakers are called {written!r}: {other!r} and {name!r}; give one of them another name"
            )


def _of_speaker(speaker: str, said: object) -> list[Utterance]:
    if isinstance(said, str):
        check_text(said, f"speaker {speaker}")
    if isinstance(said, list | tuple) and not _is_timed(said):
        _refuse_times_as_text(speaker, said)
        return [utterance for each in said for utterance in utterances_in(_utterance(speaker, each))] or [
            Utterance("", speaker)
        ]
    return [*utterances_in(_utterance(speaker, said))]


def utterances_in(utterance: Utterance) -> list[Utterance]:
    """The words of a ctm file one by one, as each has times; anything else as it is."""
    words = utterance.words
    if not isinstance(words, TimedWords):
        return [utterance]
    return [
        _timed(text, utterance.speaker, f"{words.id}:{number}") for number, text in enumerate(words.texts, 1)
    ]


def _timed(text: TimedText, speaker: str, id: str) -> Utterance:
    """A word, or a choice, which takes the time from its first word to its last."""
    words = [text] if isinstance(text, TimedWord) else [word for words in text.alternatives for word in words]
    begin = min((word.begin for word in words), default=0.0)
    end = max((word.begin + word.duration for word in words), default=0.0)
    is_plain = isinstance(text, TimedWord) and MARKS.isdisjoint(text.word)
    said = text.word if is_plain else Transcript.parse(text.text, "sclite", tags=True)  # type: ignore[union-attr]
    return Utterance(said, speaker, begin, max(begin, end), id)


def _is_timed(said: Sequence[Any]) -> bool:
    """Whether it is (begin, end, words)."""
    return len(said) == 3 and all(isinstance(time, Real) and not isinstance(time, bool) for time in said[:2])


def _refuse_times_as_text(speaker: str, said: object) -> None:
    """Refuse ("0", "1", words), which would be three words; a list of words may begin with two numbers."""
    if isinstance(said, tuple) and len(said) == 3 and all(map(_looks_like_time, said[:2])):
        who = f" of speaker {speaker}" if speaker else ""
        raise FstmetricsError(
            f"an utterance{who} has the times {said[0]!r} and {said[1]!r}: times are numbers of seconds, not texts; "
            "three words are given as one text"
        )


def _looks_like_time(value: object) -> bool:
    if not isinstance(value, str | Real):
        return False
    try:
        return math.isfinite(float(value))
    except ValueError:
        return False


def _utterance(speaker: str, said: Any) -> Utterance:
    if isinstance(said, Utterance):
        return Utterance(said.words, said.speaker or speaker, said.begin, said.end, said.id)
    if isinstance(said, list | tuple) and _is_timed(said):
        begin, end, words = said
        return Utterance(words, speaker, float(begin), float(end))
    if isinstance(said, Mapping):
        words = first_given(said, WORDS)
        if words is None:
            raise FstmetricsError(
                f"an utterance is a dict without {WORDS[0]!r}: it has {', '.join(map(str, said))}"
            )
        return Utterance(words, str(said.get("speaker", speaker)), *spoken_times(said))
    _refuse_times_as_text(speaker, said)
    return Utterance(said, speaker)
