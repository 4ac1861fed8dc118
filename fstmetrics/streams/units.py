"""A text as units that are compared, each with its place in the text as it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import HAN, Normalisation
from fstmetrics.text.tokenizers import KNOWN, OTHER

WRITTEN = re.compile(r"\S+")
HAN_OR_OTHER = re.compile(f"[{HAN}]|[^{HAN}]+")
# What stands on both sides of a line end where no space is to come between: Han, kana, and their punctuation.
UNSPACED = re.compile(f"[{HAN}\u3000-\u30ff\uff00-\uffef]")


def for_cuts(normalisation: Normalisation) -> Normalisation:
    """What is done to words before a document is cut: each is changed by itself, and nothing is tokenized.

    A normaliser of whole sentences leaves no trace of words; in its place case and punctuation are left out.

    Raises:
        FstmetricsError: characters with the spaces between words: a space is of no segment where two segments meet.
    """
    if normalisation.unit == "char":
        raise FstmetricsError(
            "--unit char counts the spaces between words, and where segments meet there is none: documents are cut by "
            "--unit char-no-space"
        )
    unit = KNOWN.get(normalisation.tokenize, OTHER).unit or normalisation.unit
    found = replace(normalisation, unit=unit, tokenize=None)
    if found.needs_sentences:
        found = replace(found, normaliser=None, lowercase=True, remove_punctuation=True)
    return found


@dataclass(frozen=True)
class Units:
    """What is compared of a text.

    Attributes:
        text: as it was written.
        places: begin and end of each piece that may not be cut: words, or characters.
        ends: how many units the pieces up to each have; some have none, others several.
        words: the units.
    """

    text: str
    places: Sequence[tuple[int, int]]
    ends: Sequence[int]
    words: Sequence[str]

    def pieces_before(self, cuts: Sequence[int]) -> list[int]:
        """Cuts between pieces, of those between units: a piece goes where its first unit goes, one without units where
        the piece before it goes."""
        found, piece = [0], 0
        for cut in cuts[1:-1]:
            while piece < len(self.ends) and cut and self._first(piece) < cut:
                piece += 1
            found.append(piece)
        return [*found, len(self.ends)]

    def _first(self, piece: int) -> int:
        """The first unit of a piece, or the last one before it."""
        before = self.ends[piece - 1] if piece else 0
        return before if self.ends[piece] > before else before - 1

    def parts(self, cuts: Sequence[int]) -> list[str]:
        """The texts of segments, by cuts between pieces."""
        places = self.places
        return [self.text[places[a][0] : places[b - 1][1]] if a < b else "" for a, b in pairwise(cuts)]


def units_of(text: str, normalisation: Normalisation) -> Units:
    """The units of a text.

    Args:
        text: as it was written.
        normalisation: as of `for_cuts`.

    >>> found = units_of("Well -- the cat", for_cuts(Normalisation(lowercase=True, remove_punctuation=True)))
    >>> found.words, found.parts(found.pieces_before([0, 1, 3]))
    (['well', 'the', 'cat'], ['Well --', 'the cat'])
    """
    places: list[tuple[int, int]] = []
    counts: list[int] = []
    words: list[str] = []
    known: dict[str, list[tuple[int, int, Sequence[str]]]] = {}
    for match in WRITTEN.finditer(text):
        begin, word = match.start(), match[0]
        if (pieces := known.get(word)) is None:
            pieces = known[word] = _pieces(word, normalisation)
        for first, last, units in pieces:
            places.append((begin + first, begin + last))
            counts.append(len(units))
            words += units
    return Units(text, places, list(accumulate(counts)), words)


def _pieces(word: str, normalisation: Normalisation) -> list[tuple[int, int, Sequence[str]]]:
    """The pieces of a word, with their units: characters where each has its own, else the word."""
    whole = normalisation.words([word])
    if normalisation.unit == "word":
        return [(0, len(word), whole)]
    cut = HAN_OR_OTHER.finditer(word) if normalisation.unit == "mixed" else re.finditer(".", word, re.DOTALL)
    alone = replace(normalisation, ignore=frozenset())
    pieces: list[tuple[int, int, Sequence[str]]] = [
        (match.start(), match.end(), alone.words([match[0]])) for match in cut
    ]
    if [unit for *_, units in pieces for unit in units] != whole:
        return [(0, len(word), whole)]
    return pieces


def joined(texts: Sequence[str], normalisation: Normalisation) -> str:
    """Texts in a row; a space comes between, unless units are characters of a script that has none."""
    found = ""
    for text in filter(None, map(str.strip, texts)):
        unspaced = normalisation.unit != "word" and UNSPACED.match(text) and UNSPACED.match(found[-1:])
        found += text if unspaced or not found else f" {text}"
    return found
