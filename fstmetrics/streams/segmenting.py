"""A document cut into segments: `segment`, which takes values; `Units`, what is compared of a text.

A criterion says where. It takes the references of the segments as lists of words, and the words of the hypothesis, and
gives K + 1 cuts `0 = c[0] <= ... <= c[K] = N`: segment k has the words from `c[k - 1]` to `c[k]`. `edit_cuts` has the
fewest edits in all; `graph_cuts` is the same where references leave a choice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Literal

import numpy as np

from fstmetrics._native import Graph, cuts_of_graphs, cuts_of_strings
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.data.transcripts import said
from fstmetrics.engine.search import DEFAULT, search
from fstmetrics.engine.sides import (
    Input,
    Side,
    are_unclear,
    as_side,
    concatenated,
    hypothesis_side,
    labelled_words,
    written_out,
)
from fstmetrics.metrics.wer import WER
from fstmetrics.support.arguments import beginning, column
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import HAN, PLAIN, Normalisation
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


Criterion = Literal["edits", "soft"]
# The label of any word, in a segment's graph.
ANY_WORD = -1


@dataclass(frozen=True)
class Segmented:
    """A document in segments.

    Attributes:
        texts: of each segment its part of the hypothesis, as it was written.
        cuts: how many words, or characters, of the hypothesis come before each segment, and how many there are.
        is_alike: whether the hypothesis has a word that is in a reference; also where one has no words.
    """

    texts: Sequence[str]
    cuts: Sequence[int]
    is_alike: bool


def segment(
    hypothesis: Input,
    references: Sequence[Input],
    *,
    normalisation: Normalisation = PLAIN,
    criterion: Criterion = "edits",
) -> list[str]:
    """Cut the words of `hypothesis` into segments, so that their edits to `references` are the fewest.

    Args:
        hypothesis: what the system said, without segment ends: a text, or a lattice, of which the best path is taken.
        references: one a segment, in order: a text, a network, a transcript with choices, or a list of those, which are
            alternatives.
        normalisation: changes to words before they are compared.
        criterion: `edits`, or `soft`: the most similar pairs of words (Polák et al. 2025).

    Returns:
        The words of each segment, as they were written. Of equally good cuts the earliest. Source: Matusov et al. 2005.

    Raises:
        FstmetricsError: no reference, or one in words; a list of texts as hypothesis; characters with spaces (unit
            `char`), or something that cannot be scored.

    >>> segment("the hat uh sat down", ["the cat", "sat down"])
    ['the hat', 'uh sat down']
    """
    return list(segmented(hypothesis, references, normalisation, criterion).texts)


def segmented(
    hypothesis: Any, references: Sequence[Any], normalisation: Normalisation, criterion: Criterion
) -> Segmented:
    """As `segment`, with the cuts."""
    if isinstance(references, str) or not isinstance(references, Sequence) or not references:
        raise FstmetricsError("a document is cut against a list of references, one a segment")
    for number, reference in enumerate(references):
        if are_unclear(
            items := reference if isinstance(reference, list | tuple) else column(reference) or ()
        ):
            raise FstmetricsError(
                f"references[{number}] is a list of words, {beginning(items)}: give the text of the segment as one "
                "string; if they are alternatives, say Alternatives([...])"
            )
    own = for_cuts(normalisation)
    sides = [reference_side(reference, own) for reference in references]
    text = said(hypothesis)
    if not isinstance(text, str):
        text = best_text(text, sides, own)
    return cut_units(units_of(text, own.of_hypotheses), sides, criterion)


def reference_side(reference: Any, normalisation: Normalisation) -> Side:
    """A reference as lists of words or a graph."""
    side = as_side(reference, normalisation.of_references, "")
    return side if isinstance(side, Graph) else PLAIN.words(side)


def best_text(hypothesis: Any, references: Sequence[Side], normalisation: Normalisation) -> str:
    """The words of a hypothesis that leaves a choice, as it is best against all references in a row."""
    side = hypothesis_side(hypothesis, normalisation.of_hypotheses)
    if not isinstance(side, Graph):
        return " ".join(PLAIN.words(side))
    (found,) = search(None, [side], [concatenated(references)], WER(), 1, PLAIN, DEFAULT)
    return " ".join(found.hypothesis)


def cut_units(units: Units, references: Sequence[Side], criterion: Criterion) -> Segmented:
    """The segments of a text, by its units.

    Raises:
        FstmetricsError: a reference that cannot be cut against, or choices under another criterion than edits.
    """
    if not any(isinstance(reference, Graph) for reference in references):
        words = [list(reference) for reference in references]  # type: ignore[arg-type]
        if criterion == "soft":
            from fstmetrics.streams.soft import soft_cuts

            cuts = soft_cuts(words, units.words)
        else:
            cuts = edit_cuts(words, units.words)
    elif criterion == "edits":
        cuts = graph_cuts(references, units.words)
    else:
        raise FstmetricsError(
            f"the criterion {criterion} is for one text a segment, and a reference leaves a choice; take edits"
        )
    pieces = units.pieces_before(cuts)
    known = {word for reference in references for word in labelled_words(reference)}
    is_alike = not units.words or known <= {""} or WILDCARD in known or not known.isdisjoint(units.words)
    return Segmented(units.parts(pieces), pieces, is_alike)


def edit_cuts(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> list[int]:
    """The cuts with the fewest edits between segments and their references; of equal ones the earliest.

    The first cut is as early as it can be in any best segmentation, the second as early as it can be beside that one,
    and so on. Source: Matusov et al. 2005.

    >>> edit_cuts([["the", "cat"], ["sat", "down"]], ["the", "hat", "uh", "sat", "down"])
    [0, 2, 5]
    """
    cuts, _ = cuts_of_strings(list(map(list, references)), [list(hypothesis)])
    return list(map(int, cuts))


def graph_cuts(references: Sequence[Side], hypothesis: Sequence[str]) -> list[int]:
    """As `edit_cuts`, with the closest path of each reference.

    Raises:
        FstmetricsError: a reference that is cyclic, or a network that is too large.
    """
    labels: dict[str, int] = {"": 0, WILDCARD: ANY_WORD}
    firsts, starts = [0], []
    columns: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[], [], []]
    for reference in references:
        automaton, symbols = written_out(reference)
        begin = firsts[-1]
        end = begin + automaton.num_states
        new = np.array([labels.setdefault(word, len(labels)) for word in symbols.words], dtype=np.int32)
        finals = automaton.finals + np.int32(begin)
        columns[0] += [automaton.sources + np.int32(begin), finals]
        columns[1] += [new[automaton.labels], np.zeros(len(finals), dtype=np.int32)]
        columns[2] += [automaton.destinations + np.int32(begin), np.full(len(finals), end, dtype=np.int32)]
        starts.append(begin + automaton.start)
        firsts.append(end + 1)
    words = [labels.setdefault(word, len(labels)) for word in hypothesis]
    first_states, begins, heard = (np.array(each, dtype=np.int32) for each in (firsts, starts, words))
    sources, arc_labels, destinations = map(np.concatenate, columns)
    try:
        cuts, _ = cuts_of_graphs(first_states, begins, sources, arc_labels, destinations, heard)
    except ValueError as error:
        raise FstmetricsError(f"a document cannot be cut: {error}") from None
    return list(map(int, cuts))
