"""What Whisper, its relatives and Vosk write of a recording: a JSON object with its `text`, or with parts of it; or
the list of its segments alone.

OpenAI's whisper, faster-whisper and WhisperX have `segments`, the pipelines of transformers `chunks`, whisper.cpp (-oj)
`transcription`; each is a list of objects with a `text`. Where there is no `text` of the whole, those are joined.
OpenAI's `verbose_json` may have `words` instead, Vosk has `result`. Vosk prints an object for each piece of a
recording, and some of what it has heard so far (`partial`), which is left out. The id is the file's name.

Where there are both, the parts have to say what the `text` says, but for white space, and words but for punctuation
and case, too: else one of them is damaged, or was changed without the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from unicodedata import normalize

from fstmetrics.data.fields import Field, Fields
from fstmetrics.data.segments import timed_of
from fstmetrics.data.sessions import Utterance
from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.json_signs import PARTS, WORDS, is_segment, parts_of
from fstmetrics.io.formats.json_rows import json_values
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.timed_pieces import Fitted, Piece, fitted_to, piece_of, spell, timed_text
from fstmetrics.io.writing import OF_TURNS
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, stem

FIELDS = ("language", "duration")
# What jq makes of a file of several objects, one with all texts; one alone stays as it is.
WHOLE_TEXT = 'reduce inputs as $more (.; .text += " " + ($more.text // ""))'


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The one text of a file; where turns are wanted its segments, if they say who speaks or when.

    Raises:
        InputError: not JSON (with the line), an object without a text, or one whose parts have another text.
    """
    source.refuse_empty()
    documents = _documents([value for _, value in json_values(source)])
    texts = [_words(source, document) for document in documents]
    if options.in_turns and (turns := list(_turns(source, documents))):
        yield from turns
        return
    fitted = [_fitted(number, *each) for number, each in enumerate(zip(documents, texts, strict=True))]
    found = timed_text(fitted)
    said = [part["text"] for each in documents for part in _parts(each)]
    timed = found if isinstance(found, str) else timed_of(source.stem, found, said)
    left_out: tuple[str, ...] = ()
    if options.tell_left_out:
        is_spoken = any(part.get("speaker") for each in documents for part in _parts(each))
        has_times = isinstance(timed, str) and any(
            p.begin is not None for each in fitted for p in each.pieces
        )
        left_out = (*OF_TURNS[:1] * is_spoken, *OF_TURNS[1:] * has_times)
    text = " ".join(filter(None, texts))
    yield Item(source.stem, None, text, left_out=left_out, fields=_fields(documents[0]), timed=timed)


def _turns(source: Source, documents: Sequence[Any]) -> Iterator[Item]:
    """The segments as items; none where no segment says who speaks or when."""
    said = _spoken(source, documents, needs_speakers=False)
    if not any(turn.speaker or turn.begin is not None for turn in said):
        return
    parts = [(part, _words_in(part) or _words_in(each)) for each in documents for part in _parts(each)]
    for turn, (part, words) in zip(said, parts, strict=True):
        pieces = [_word(word) for word in words]
        lost = {
            "times of words": any(piece.is_timed for piece in pieces),
            "confidences": any(piece.confidence for piece in pieces),
        }
        left_out = tuple(what for what, is_there in lost.items() if is_there)
        fields = {
            "session": source.stem,
            "speaker": turn.speaker or None,
            "start": turn.begin,
            "end": turn.end,
        }
        yield Item(turn.id, None, part["text"].strip(), left_out=left_out, fields=fields)


def _parts(document: Any) -> list[Any]:
    """The parts of a document; none where it has none."""
    return list((isinstance(document, dict) and parts_of(document)) or ())


def _documents(values: list[Any]) -> list[Any]:
    """The objects of a file; of a list of segments the one that has them."""
    is_list = len(values) == 1 and isinstance(values[0], list) and all(map(is_segment, values[0]))
    return (
        [{"segments": values[0], "text": ""} if not values[0] else {"segments": values[0]}]
        if is_list
        else values
    )


def spoken_segments(source: Source, needs_speakers: bool = True) -> list[Utterance]:
    """The segments of a recording with their speakers and times, as WhisperX writes them with `--diarize`.

    Args:
        source: the file.
        needs_speakers: whether a segment has to say who speaks.

    Raises:
        InputError: as of `read`; a segment without a speaker, or with times that are none.
    """
    return _spoken(source, _documents([value for _, value in json_values(source)]), needs_speakers)


def _spoken(source: Source, documents: Sequence[Any], needs_speakers: bool) -> list[Utterance]:
    found: list[Utterance] = []
    for parts in map(_parts, documents):
        if needs_speakers:
            _refuse_unspoken(source, parts)
        for number, part in enumerate(parts, 1):
            speaker = part.get("speaker")
            begin, end = (_seconds(source, part, number, name) for name in ("start", "end"))
            id = f"{source.stem}:{len(found) + 1}"
            try:
                found.append(Utterance(part["text"].strip(), str(speaker or ""), begin, end, id))
            except FstmetricsError as error:
                raise source.error(str(error)) from None
    return found


def _refuse_unspoken(source: Source, parts: Sequence[Mapping[str, Any]]) -> None:
    """Raise an InputError for segments that do not say who speaks."""
    lacking = [
        n
        for n, part in enumerate(parts, 1)
        if not isinstance(part.get("speaker"), str) or not part["speaker"]
    ]
    if lacking:
        advice = (
            "whisperx --diarize writes that"
            if len(lacking) == len(parts)
            else 'write there who speaks; "speaker": "unknown" makes one more speaker of them'
        )
        raise source.error(
            f"no speaker in {len(lacking)} of {counted(len(parts), 'segment')}, first in segment {lacking[0]}: {advice}"
        )


def _seconds(source: Source, part: Mapping[str, Any], number: int, name: str) -> float | None:
    value = part.get(name)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise source.error(f"segment {number}: {name} is {shown(json.dumps(value))}, no number of seconds")


def _fitted(number: int, document: Mapping[str, Any], text: str) -> Fitted:
    """The words of a document, with the pieces that have their times: its words, or else its segments."""
    parts, words = parts_of(document), _words_in(document)
    if words and not any(map(_words_in, parts or ())):
        said = [_word(word) for word in words]
        if (fitted := fitted_to(text, said)) is not None:
            return fitted
        if parts is None:  # they spell the same in another form of Unicode
            fitted = fitted_to(_joined([piece.text for piece in said]), said)
            assert fitted is not None
            return fitted
    said = []
    for place, part in enumerate(parts or [{"text": text}]):
        whole = piece_of(part, part["text"])._replace(is_phrase=True, part=(number, place))
        own = [_word(word, whole) for word in _words_in(part)]
        said += own if own and spell(own, part["text"]) else [whole]
    fitted = fitted_to(text, said)
    assert fitted is not None
    return fitted


def _word(word: Mapping[str, Any], whole: Piece | None = None) -> Piece:
    return piece_of(word, str(word.get("word", word.get("text", ""))), whole)


def _words_in(part: Mapping[str, Any]) -> list[Any]:
    """The words of a part or document that are objects; none where there is another list."""
    words: list[Any] = next((part[name] for name in WORDS if isinstance(part.get(name), list)), [])
    return words if all(isinstance(word, dict) for word in words) else []


def _words(source: Source, document: Any) -> str:
    if isinstance(document, dict):
        if isinstance(text := document.get("text"), str):
            _refuse_other_parts(source, document, text)
            return text.strip()
        if (parts := parts_of(document)) is not None:
            _refuse_other_order(source, [part.get("start") for part in parts])
            have_words = any(map(_words_in, parts))  # then they are segments, which begin with a word
            return _joined([part["text"].strip() if have_words else part["text"] for part in parts])
        if "partial" in document:
            return ""
    raise source.error(
        f"expected an object with `text` and `segments`, found {shown(json.dumps(document)[:100])}"
    )


def _refuse_other_parts(source: Source, document: Mapping[str, Any], text: str) -> None:
    """Raise an InputError if a `text` is not that of the parts beside it, or of the words where they have the times."""
    for name in (*PARTS, *WORDS):
        parts = document.get(name)
        if not (isinstance(parts, list) and parts and all(isinstance(part, dict) for part in parts)):
            continue
        pieces = [
            _word(part) if name in WORDS else piece_of(part, str(part.get("text", ""))) for part in parts
        ]
        said = _joined([piece.text for piece in pieces])
        if name not in WORDS:
            is_same = "".join(said.split()) == "".join(text.split())
        elif said and text.strip() and not parts_of(document):  # words may be the first ones alone
            is_same = fitted_to(text, pieces) is not None
            if not is_same:  # maybe in another form of Unicode
                alike = [piece._replace(text=normalize("NFKC", piece.text)) for piece in pieces]
                is_same = fitted_to(normalize("NFKC", text), alike) is not None
        else:
            is_same = bool(text.strip() or not said)
        if not is_same:
            glue = "" if any(piece.text[:1].isspace() for piece in pieces[1:]) else " "
            key = "word" if "word" in parts[0] else "text"
            other = (
                f'select(.{name}) |= (.text = ([.{name}[].{key}] | join("{glue}")))'
                if name in WORDS
                else "del(.text)"
            )
            raise source.error(
                f"`text` and `{name}` say different things: {shown(text.strip())} and {shown(said)}; write the one "
                f"that is right to a file of this name elsewhere: jq '{WHOLE_TEXT} | del(.{name}) | .segments = []' "
                "FILE for `text`, "
                f"jq '{other}' FILE for `{name}`"
            )


def _refuse_other_order(source: Source, begins: Sequence[Any]) -> None:
    """Raise an InputError if a part begins before the one above it, where all say when."""
    if not all(isinstance(begin, int | float) for begin in begins):
        return
    for number, (before, begin) in enumerate(pairwise(begins), 2):
        if begin < before:
            raise source.error(
                f"part {number} begins at {begin:g} s, before the one above it, at {before:g} s: expected the parts of "
                "a recording in the order of time"
            )


def _joined(texts: Sequence[str]) -> str:
    """The texts of parts; where some begin with a space, as Whisper has it, others go on with a word."""
    if any(text[:1].isspace() for text in texts[1:]):
        return "".join(texts).strip()
    return " ".join(text.strip() for text in texts).strip()


def _fields(document: Mapping[str, Any]) -> Fields:
    found: dict[str, Field] = {}
    if isinstance(result := document.get("result"), dict):  # of whisper.cpp
        document = {**result, **document}
    for name in FIELDS:
        if isinstance(value := document.get(name), str | int | float):
            found[name] = value
    return found


FORMAT = Format(
    "whisper", "JSON of Whisper, whisper.cpp, OpenAI or Vosk, a recording a file", read,
    id_of=stem, has_times=True, has_turns=True,
)  # fmt: skip
