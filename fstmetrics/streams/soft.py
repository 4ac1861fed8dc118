"""Soft re-segmentation: `soft_cuts` cuts a stream of words where it is most like the segments of the references.

SoftSegmenter's criterion (Polák et al. 2025, "Better Late Than Never", arXiv 2509.17349): the pieces of both sides
(`soft_tokens`) are aligned so that the sum of similarities is the largest. Two pieces gain the Jaccard similarity of
their sets of characters; a punctuation mark and a piece that is none are never aligned; what stays alone costs nothing.
A piece of the hypothesis that stays alone belongs to the reference piece before it, until one of its neighbours is more
like the reference piece behind; and a word goes where its first piece goes. Of equally good alignments the one is taken
whose last difference aligns two pieces; if none does, the one that leaves a reference piece alone. Sums are those of
double precision from the beginning on, so that the cuts are the same everywhere, and those of OmniSTEval.

`soft_tokens` are the pieces of a word, cut as the Moses tokenizer cuts them. A word is brought into Unicode's form NFKC
and into small letters. Then punctuation is cut off it, words are parted at hyphens, and in English at the apostrophe.
Source: tokenizer.perl of Moses, version 1.1, with the options -a and -no-escape, as OmniSTEval calls it, a word at a
time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import category, normalize

import numpy as np

from fstmetrics import _native
from fstmetrics.support.errors import FstmetricsError, need

if TYPE_CHECKING:
    import numpy.typing as npt

    Row = npt.NDArray[np.float64]
    Steps = npt.NDArray[np.uint8]
    Numbers = npt.NDArray[np.int32]

# Whose rules are those of this module; other languages have theirs, and lists of abbreviations, in sacremoses.
BUILT_IN = "en"
# Languages whose words nothing is cut off, as in OmniSTEval; and what is said of others that want the same.
UNCUT = ("none", "zh", "ja")
# English abbreviations whose full stop belongs to them, of those in small letters; `i.e` and such have one inside.
ABBREVIATIONS = frozenset({"v", "vs", "rev"})
# A hyphen between letters or digits.
HYPHEN = "@-@"
# What is not cut off at once, beside letters, digits, and marks: what belongs to the letter before it, as an accent.
KEPT = ".'`,-"

_DOTS = re.compile(r"\.{2,}")
_ALNUM, _ALPHA, _OTHER = r"[^\W_]", r"[^\W\d_]", r"[\W\d_]"
_HYPHEN = re.compile(rf"({_ALNUM})-(?={_ALNUM})")
_COMMA = re.compile(r"(?<=\D),|,(?=\D)")
# Where an apostrophe is cut off on both sides, and where it goes with what follows it.
_APART = re.compile(rf"(?<={_OTHER})'(?={_OTHER})|(?<=[\W_])'(?={_ALPHA})|(?<={_ALPHA})'(?={_OTHER})")
_CLITIC = re.compile(rf"(?<={_ALPHA})'(?={_ALPHA})|(?<=\d)'(?=s)")
Tokens = Callable[[str], Sequence[str]]


def soft_tokens(language: str = BUILT_IN) -> Tokens:
    """The function from a word, as it is written, to its pieces.

    Args:
        language: whose rules cut: `en`, which is built in; another one of Moses, which needs the package sacremoses;
            or `none`, `zh` or `ja`, under which a word is one piece.

    Raises:
        FstmetricsError: Moses has no rules for the language, or sacremoses is not installed.

    >>> soft_tokens()("Crowd-Funding,"), soft_tokens()("don't"), soft_tokens("zh")("Ｗort.")
    (['crowd', '@-@', 'funding', ','], ['don', "'t"], ['wort.'])
    """
    if language in UNCUT:
        cut: Tokens = _whole
    elif language == BUILT_IN:
        cut = _english
    else:
        cut = _moses(language)
    return lru_cache(maxsize=1 << 16)(lambda word: cut(normalize("NFKC", word).lower()))


def _whole(word: str) -> Sequence[str]:
    return [word]


def _moses(language: str) -> Tokens:
    corpus = need("sacremoses.corpus", f"the language {language!r}", "moses")
    known = set(corpus.NonbreakingPrefixes().available_langs.values())
    if language not in known:
        raise FstmetricsError(
            f"Moses has no rules for the language {language!r}; there are {', '.join(sorted({*known, *UNCUT}))}"
        )
    tokenizer = need("sacremoses", f"the language {language!r}", "moses").MosesTokenizer(lang=language)

    def cut(word: str) -> Sequence[str]:
        found: Sequence[str] = tokenizer.tokenize(word, aggressive_dash_splits=True, escape=False)
        return found

    return cut


def _english(word: str) -> Sequence[str]:
    """Pieces of a word in small letters, by the rules for English.

    >>> _english("(usw.)"), _english("3,5%,"), _english("z.b."), _english("und..."), _english("'s")
    (['(', 'usw', '.', ')'], ['3,5', '%', ','], ['z.b.'], ['und', '...'], ["'s"])
    """
    text = "".join(
        c if c.isalnum() or c in KEPT or category(c)[0] == "M" else f" {c} " for c in word if c >= " "
    )
    text = _HYPHEN.sub(rf"\1 {HYPHEN} ", text.strip())
    text = _DOTS.sub(lambda dots: f" {dots[0]} ", text)
    text = _COMMA.sub(" , ", text)
    pieces = _CLITIC.sub(" '", _APART.sub(" ' ", text)).split()
    found: list[str] = []
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        stem = piece[:-1]
        if stem and piece.endswith(".") and not stem.endswith(".") and not _keeps_stop(stem, after):
            found += [stem, "."]
        else:
            found.append(piece)
    return found


def _keeps_stop(stem: str, after: str) -> bool:
    """Whether the full stop behind belongs to the piece: of an abbreviation, or where a small letter follows."""
    has_dots = "." in stem and any(map(str.isalpha, stem))
    return has_dots or stem in ABBREVIATIONS or after[:1].islower()


# Marks that are not aligned with words.
PUNCTUATION = frozenset(".!?,;:-()。！？，；：—（）ー")
# Steps that are held at once, a byte each; rows before them are found again from every so many.
HELD = 1 << 26
# Similarities that are held at once, eight bytes each.
AT_ONCE = 1 << 22
# What a cell of the table is reached by: the two pieces, a reference piece alone, a piece of the hypothesis alone.
PAIR, REFERENCE, HYPOTHESIS = range(3)


def soft_cuts(
    references: Sequence[Sequence[str]], hypothesis: Sequence[str], language: str = BUILT_IN
) -> list[int]:
    """Cut a hypothesis without segment ends where it is most like the segments of the references.

    Takes time by the product of the numbers of words.

    Args:
        references: the words of each segment of one document, in order, as they are written.
        hypothesis: the words of the document, as they are written.
        language: whose rules cut punctuation off words, as of `soft_tokens`.

    Returns:
        Where segments begin and end: one number more than there are segments, from 0 to the number of words; segment k
        has the words from cut k to cut k + 1. Where no reference has a word, all words are in the first segment.

    Raises:
        FstmetricsError: there is no segment, or as of `soft_tokens`.

    >>> soft_cuts([["a", "cat", "sat."], ["It", "slept."]], ["The", "cats", "sat", ".", "it", "sleeps", "."])
    [0, 4, 7]
    """
    if not references:
        raise FstmetricsError(
            "there is no segment to cut the words for: expected references of one segment or more"
        )
    tokens = soft_tokens(language)
    segments, pieces = _pieces(references, tokens)
    words, spoken = _pieces([[word] for word in hypothesis], tokens)
    found = np.zeros(len(hypothesis), dtype=np.intp)  # the segment of each word
    if pieces:
        for word, owner in zip(reversed(words), reversed(_owners(pieces, spoken)), strict=True):
            found[word] = segments[owner]
    inner = np.searchsorted(np.maximum.accumulate(found), np.arange(1, len(references)))
    return [0, *inner.tolist(), len(hypothesis)]


def _pieces(texts: Sequence[Sequence[str]], tokens: Tokens) -> tuple[list[int], list[str]]:
    """The pieces of all words, and the number of the text of each."""
    found = [(number, piece) for number, text in enumerate(texts) for word in text for piece in tokens(word)]
    return [number for number, _ in found], [piece for _, piece in found]


def _owners(references: Sequence[str], hypothesis: Sequence[str]) -> list[int]:
    """The place of the reference piece that each piece of the hypothesis belongs to, which never goes back."""
    owners: list[int] = []
    alone: list[int] = []  # places of pieces that nothing is aligned with, since the last reference piece
    before = -1
    for step, row, column in _aligned(references, hypothesis):
        if step == HYPOTHESIS:
            alone.append(column)
            continue
        owners += _shared_out(references, hypothesis, alone, before, row)
        alone, before = [], row
        if step == PAIR:
            owners.append(row)
    return owners + [before] * len(alone)


def _shared_out(
    references: Sequence[str], hypothesis: Sequence[str], alone: Sequence[int], before: int, behind: int
) -> list[int]:
    """The owners of pieces that stand alone between two pieces of the references.

    Args:
        references, hypothesis: all pieces.
        alone: places in the hypothesis.
        before, behind: places in the references; before is -1 at the beginning.
    """
    if before < 0:
        return [behind] * len(alone)
    for number, place in enumerate(alone):
        piece = hypothesis[place]
        if similarity(piece, references[behind]) > similarity(piece, references[before]):
            return [before] * number + [behind] * (len(alone) - number)
    return [before] * len(alone)


def similarity(one: str, other: str) -> float:
    """The Jaccard similarity of the sets of characters of two pieces; -inf where one of them alone is punctuation.

    >>> similarity("sat", "sits"), similarity("cat", ".")
    (0.5, -inf)
    """
    if (one in PUNCTUATION) != (other in PUNCTUATION):
        return -math.inf
    left, right = set(one), set(other)
    return len(left & right) / (len(left | right) or 1)


def _aligned(references: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The best alignment from its beginning: what each step is, and the places of its pieces."""
    found: list[tuple[int, int, int]] = []
    row, column = len(references), len(hypothesis)
    for first, steps in _step_tables(references, hypothesis):
        while row > first:
            step = steps[row - first - 1, column - 1] if column else REFERENCE
            row -= step != HYPOTHESIS
            column -= step != REFERENCE
            found.append((int(step), row, column))
    found += [(HYPOTHESIS, 0, place) for place in range(column - 1, -1, -1)]
    return reversed(found)


def _step_tables(references: Sequence[str], hypothesis: Sequence[str]) -> Iterator[tuple[int, Steps]]:
    """The steps of some rows, the last rows first, with the number of the rows above; shape [rows, len(hypothesis)].

    A first pass keeps the sums above each of these tables.
    """
    table = _Table(references, hypothesis)
    size = max(1, HELD // max(1, len(hypothesis)))
    starts = range(0, len(references), size)
    sums = [np.zeros(len(hypothesis) + 1)]
    for start in starts[:-1]:
        sums.append(sums[-1].copy())
        table.fill(references[start : start + size], sums[-1], None)
    for start, above in zip(reversed(starts), reversed(sums), strict=True):
        some = references[start : start + size]
        steps = np.empty((len(some), len(hypothesis)), dtype=np.uint8)
        table.fill(some, above, steps)
        yield start, steps


class _Table:
    """The table over the pieces of both sides."""

    def __init__(self, references: Sequence[str], hypothesis: Sequence[str]) -> None:
        self._characters = {
            c: number for number, c in enumerate(sorted(set().union(*references, *hypothesis)))
        }
        self._hypothesis = self._numbered(hypothesis)
        self._rows_at_once = max(1, AT_ONCE // max(1, len(self._hypothesis[2])))

    def fill(self, pieces: Sequence[str], sums: Row, steps: Steps | None) -> None:
        """The rows of some pieces of the references.

        Args:
            pieces: of the references.
            sums: the row above, which becomes the last one.
            steps: gets the steps, a row a piece.
        """
        for start in range(0, len(pieces), self._rows_at_once):
            some = pieces[start : start + self._rows_at_once]
            own = None if steps is None else steps[start : start + len(some)]
            _native.soft_rows(*self._numbered(some), *self._hypothesis, len(self._characters), sums, own)

    def _numbered(self, pieces: Sequence[str]) -> tuple[Numbers, Numbers, Steps, Numbers]:
        """Where the characters of different pieces begin, these, and which are marks; then which piece each one is."""
        numbers: dict[str, int] = {}
        places = [numbers.setdefault(piece, len(numbers)) for piece in pieces]
        sets = [[self._characters[c] for c in set(piece)] for piece in numbers]
        offsets = np.cumsum([0, *map(len, sets)], dtype=np.int32)
        characters = np.array([c for each in sets for c in each], dtype=np.int32)
        are_marks = np.array([piece in PUNCTUATION for piece in numbers], dtype=np.uint8)
        return offsets, characters, are_marks, np.array(places, dtype=np.int32)
