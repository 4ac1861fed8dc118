"""What Whisper, its relatives and Vosk write of a recording: a JSON object with its `text`, or with parts of it; or
the list of its segments alone.

OpenAI's whisper, faster-whisper and WhisperX have `segments`, the pipelines of transformers `chunks`, whisper.cpp (-oj)
`transcription`; each is a list of objects with a `text`. Where there is no `text` of the whole, those are joined.
OpenAI's `verbose_json` may have `words` instead, Vosk has `result`. Vosk prints an object for each piece of a
recording, and some of what it has heard so far (`partial`), which is left out. The id is the file's name.

Where there are both, the parts have to say what the `text` says, but for white space, and words but for punctuation
and case, too: else one of them is damaged, or was changed without the other.

Words get the times that a file gives to pieces of the text: words, parts of words, or whole segments. The text says
where words end. Pieces are put beside it by their letters: a word has the time from its first piece to its last. Words
of one piece share its time by their characters. Pieces without times lie between their neighbours.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise, product
from typing import Any, NamedTuple
from unicodedata import normalize

from fstmetrics.data.fields import Field, Fields
from fstmetrics.data.segments import SharedTime, TimedWord, junctions, plain_word, timed_of
from fstmetrics.data.sessions import Utterance
from fstmetrics.io.arcs import shown
from fstmetrics.io.detection.json_signs import PARTS, WORDS, is_segment, parts_of
from fstmetrics.io.formats.json_rows import json_values
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import OF_TURNS
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, stem

# What Whisper and its relatives, and Vosk, call the confidence of a word.
CONFIDENCES = ("probability", "conf")


class Piece(NamedTuple):
    """A piece of a text.

    Attributes:
        text: with the blanks that it has in the file.
        begin, end: its time in seconds, or one within which it lies; None where nothing is known.
        is_timed: whether the time is its own.
        is_phrase: whether it is a segment, not a word or a part of one.
        part: the number of the document and of its segment; None where it is of none.
        fault: what is wrong with its times; "" if nothing is.
        confidence: how sure the recogniser is of it, as a number is written; "" where that is not said.
    """

    text: str
    begin: float | None
    end: float | None
    is_timed: bool
    is_phrase: bool = False
    part: tuple[int, int] | None = None
    fault: str = ""
    confidence: str = ""


class Sign(NamedTuple):
    """A letter of a piece: the number of the piece, and its place among the letters of it."""

    piece: int
    place: int


class Unit(NamedTuple):
    """A word of a text, or a part of one that goes on with the part before it, and its first and last sign."""

    text: str
    goes_on: bool
    first: Sign | None
    last: Sign | None


class Fitted(NamedTuple):
    """The words of a text, the pieces that have their times, and how many signs each piece has."""

    units: Sequence[Unit]
    pieces: Sequence[Piece]
    signs: Sequence[int]


def piece_of(part: Mapping[str, Any], text: str, whole: Piece | None = None) -> Piece:
    """A piece with the times of an object: `start` and `end`, `timestamp`, or whisper.cpp's `offsets` in milliseconds.

    Args:
        part: the object.
        text: what it says.
        whole: the segment that it is of.
    """
    times: list[Any] = [part.get("start"), part.get("end")]
    unit = 1
    if isinstance(both := part.get("timestamp"), list) and len(both) == 2:
        times = both
    elif isinstance(offsets := part.get("offsets"), dict):
        times, unit = [offsets.get("from"), offsets.get("to")], 1000
    fault = ""
    if any(time is not None and not _is_number(time) for time in times):
        fault = f"has the times {shown(str(times[0]))} and {shown(str(times[1]))}"
    begin, end = (time / unit if _is_number(time) else None for time in times)
    if begin is not None and end is not None and end < begin:
        fault = f"goes from {begin:g} to {end:g} s"
    is_timed = begin is not None and end is not None
    sure = next((part[name] for name in CONFIDENCES if _is_number(part.get(name))), None)
    confidence = "" if sure is None else repr(sure)
    if whole is None:
        return Piece(text, begin, end, is_timed, fault=fault, confidence=confidence)
    begin, end = whole.begin if begin is None else begin, whole.end if end is None else end
    return Piece(text, begin, end, is_timed, False, whole.part, fault, confidence)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _signs_of(text: str) -> str:
    return "".join(text.casefold().split())


def _letters_of(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum() or unicodedata.category(sign)[0] == "M")


# What is compared: all signs, or letters with their marks and digits alone, as words may have no punctuation.
COMPARED: tuple[Callable[[str], str], ...] = (_signs_of, _letters_of)


def spell(pieces: Sequence[Piece], text: str) -> bool:
    """Whether pieces have the letters of a text, all of them."""
    said = "".join(piece.text for piece in pieces)
    return any(compared(said) == compared(text) for compared in COMPARED)


def fitted_to(text: str, pieces: Sequence[Piece]) -> Fitted | None:
    """The words of a text, each with its pieces, which may end before it; None where they have other letters."""
    # All signs first, then letters alone; where neither are those of the whole text, its first ones.
    for is_all, compared in product((True, False), COMPARED):
        said = [compared(piece.text) for piece in pieces]
        whole, letters = "".join(said), compared(text)
        if letters.startswith(whole) and (letters == whole or (whole and not is_all)):
            signs = [Sign(number, place) for number, each in enumerate(said) for place, _ in enumerate(each)]
            return Fitted(list(_units(text, signs, pieces, compared)), pieces, list(map(len, said)))
    return None


def _units(
    text: str, signs: Sequence[Sign], pieces: Sequence[Piece], compared: Callable[[str], str]
) -> Iterator[Unit]:
    at = 0
    for word in text.split():
        places = junctions(word)
        ends = [
            0,
            *(_ends(word, places, signs[at : at + len(compared(word))], pieces, compared) if places else ()),
            len(word),
        ]
        for first, last in pairwise(ends):
            count = len(compared(word[first:last]))
            own = signs[at : at + count]
            at += count
            is_whole = 0 < count == len(own)  # otherwise it has no letter, or the pieces end before
            yield Unit(
                word[first:last], first > 0, own[0] if is_whole else None, own[-1] if is_whole else None
            )


def _ends(
    word: str,
    places: Sequence[int],
    signs: Sequence[Sign],
    pieces: Sequence[Piece],
    compared: Callable[[str], str],
) -> Iterator[int]:
    """The places within a word where another piece begins, or of a segment, which has nothing smaller, all.

    Args:
        word: the word.
        places: where it may be parted.
        signs: those of the word.
        pieces: what has them.
        compared: what is compared.
    """
    count = 0
    for before, place in pairwise([0, *places]):
        count += len(compared(word[before:place]))
        if 0 < count < len(signs):
            last, first = signs[count - 1].piece, signs[count].piece
            if last != first or pieces[first].is_phrase:
                yield place


def timed_text(texts: Sequence[Fitted]) -> list[TimedWord] | str:
    """The words of texts, one after the other, with their times; or what lacks times, so that there are none."""
    pieces = [piece for text in texts for piece in text.pieces]
    counts = [count for text in texts for count in text.signs]
    faulty = next((piece for piece in pieces if piece.fault), None)
    if faulty is not None:
        return f"{shown(faulty.text.strip())} {faulty.fault}"
    times = _filled([piece for piece, count in zip(pieces, counts, strict=True) if count])
    if isinstance(times, str):
        return times
    left = iter(times)
    placed = [next(left) if count else (0.0, 0.0) for count in counts]
    found: list[TimedWord] = []
    alone: set[int] = set()  # places of words without a letter
    offset = 0
    for text in texts:
        for unit in text.units:
            if unit.first is None or unit.last is None:
                if any(map(str.isalnum, unit.text)):
                    return f"no word has the times of {shown(unit.text)}"
                alone.add(len(found))
                found.append(SharedTime(plain_word(unit.text), 0.0, 0.0, goes_on=unit.goes_on))
                continue
            first, last = unit.first.piece + offset, unit.last.piece + offset
            begin, end = placed[first][0], placed[last][1]
            is_whole = unit.first.place == 0 and unit.last.place == counts[last] - 1
            if unit.first.place:
                begin += (placed[first][1] - begin) * unit.first.place / counts[first]
            if unit.last.place < counts[last] - 1:
                end = placed[last][0] + (end - placed[last][0]) * (unit.last.place + 1) / counts[last]
            is_own = is_whole and all(pieces[place].is_timed for place in (first, last))
            kind = TimedWord if is_own else SharedTime
            own = [
                piece for piece, count in zip(pieces[first : last + 1], counts[first:], strict=False) if count
            ]
            sure = _least_sure(own) if is_own or not any(piece.is_phrase for piece in own) else ""
            found.append(kind(plain_word(unit.text), begin, _between(begin, end), sure, unit.goes_on))
        offset += len(text.pieces)
    return _beside(found, alone)


def _between(begin: float, end: float) -> float:
    """Seconds as their decimals say: 0.2 from 0.4 to 0.6, not 0.19999999999999996."""
    return max(0.0, float(Decimal(repr(end)) - Decimal(repr(begin))))


def _least_sure(pieces: Sequence[Piece]) -> str:
    """The least confidence of the pieces of a word, or one that is none; "" if a piece has none."""
    values = [piece.confidence for piece in pieces]
    return min(values, key=lambda value: (0 <= float(value) <= 1, float(value))) if all(values) else ""


def _beside(words: list[TimedWord], alone: Collection[int]) -> list[TimedWord] | str:
    """Words of which some have no letter: those have the time of the word before them, or of the first one."""
    other = next((word for place, word in enumerate(words) if place not in alone), None)
    if alone and other is None:
        return f"no word has the times of {shown(words[0].word)}"
    found = []
    for place, word in enumerate(words):
        if place in alone:
            assert other is not None
            word = replace(word, begin=other.begin, duration=other.duration)
        else:
            other = word
        found.append(word)
    return found


def _filled(pieces: Sequence[Piece]) -> list[tuple[float, float]] | str:
    """The time of each piece; those without one share what their neighbours leave them, within their segment."""
    found: list[tuple[float, float]] = []
    while len(found) < len(pieces):
        place = len(found)
        first = pieces[place]
        if first.is_timed:
            assert first.begin is not None
            assert first.end is not None
            found.append((first.begin, first.end))
            continue
        end = place + 1
        while end < len(pieces) and not pieces[end].is_timed and pieces[end].part == first.part:
            end += 1
        lower, upper = first.begin, pieces[end - 1].end
        if place and (lower is None or pieces[place - 1].part == first.part):
            lower = found[-1][1] if lower is None else max(lower, found[-1][1])
        begin = pieces[end].begin if end < len(pieces) else None
        if begin is not None and (upper is None or pieces[end].part == first.part):
            upper = begin if upper is None else min(upper, begin)
        if lower is None or upper is None:
            what = "begin" if lower is None else "end"
            return f"{shown(first.text.strip())} has no time of its {what}"
        upper = max(upper, lower)
        letters = [max(1, len("".join(piece.text.split()))) for piece in pieces[place:end]]
        each = (upper - lower) / sum(letters)
        at = lower
        for count in letters:
            found.append((at, at + each * count))
            at += each * count
    return found


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
