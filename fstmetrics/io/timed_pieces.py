"""Words of a text with times that a file gives to pieces of it: words, parts of words, or whole segments.

The text says where words end. Pieces are put beside it by their letters: a word has the time from its first piece to
its last. Words of one piece share its time by their characters. Pieces without times lie between their neighbours.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise, product
from typing import Any, NamedTuple

from fstmetrics.data.segments import SharedTime, TimedWord, junctions, plain_word
from fstmetrics.io.arcs import shown

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
