"""Whether the lines of texts begin with ids, which no text says of itself: `settle`, for all texts of a command.

The rule, first what is certain (docs/formats.md has it for users):

1. Other sides have ids (lattices, networks, trn, ...). A text whose lines begin with some of them has ids. Ids that are
   numbers must begin most lines, as sentences begin with numbers, too.
2. No other side has. First words that look like ids, in every line, are ids if all texts have them; then a line that
   differs is a fault of its file, and so is an id that comes twice.
3. Nothing looks like ids. They are ids all the same if the texts have the same first words, all different, in so many
   lines, or in such an order, as sentences never have them.

What stays open between ids and words is refused: either guess may give a wrong number.

Texts are looked at piece by piece, and of ids that stay in their files no more than hashes are in memory (`KnownIds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from heapq import nsmallest
from itertools import chain, islice, repeat

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics._native import LineIndex, LineSurvey, TextColumn, TextIndex
from fstmetrics.readers.stored_texts import Stored, StoredColumn, survey_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.patterns import pattern
from fstmetrics.support.source import Source

# weather001_001, utt-12, AMI-3E05, 0001. A hyphen at the end is a word broken off ("this- is it"). Names of files of
# sound and text (abc.wav) look like ids, too; native/formats/text_lines.cc has their endings.
LOOKS_LIKE_ID = pattern(r"(?=.*[\d_-])[^\W_](?:\S*[^\W_])?")
# A hyphen alone is in words, too: e-mail.
_SURE = pattern(r"[\d_]")
# Parts with a dot, colon or slash between them: a:b, x/y. Sentences hardly begin so.
_JOINED = pattern(r"[^\W_]+(?:[.:/][^\W_]+)*")
# The name that Kaldi gives to its transcript files.
KALDI_NAME = "text"
# Of so many sentences some begin with the same word; in texts at hand of 100 lines at most 3 of 4 do not.
MANY = 20
# As many first words are different where a few ids come twice by mistake.
NEARLY_ALL = 0.9
# So many lines tell nothing, as in a first trial; and so many ids are shown.
FEW = 3
# No longer piece of a word is shown.
LONGEST = 40
# First words that are the same with less likelihood are no words.
UNLIKELY = 0.001
# So many words are hashed together.
TOGETHER = 1 << 16


class Lines:
    """A text of which nobody has said whether its lines begin with ids. Blank lines at its end do not count.

    What no more than a look at all lines tells is told without having all of them in memory.

    Args:
        source: the file.
        option: what names its format on the command line.

    Attributes:
        path: the file's.
        option: as given.
    """

    def __init__(self, source: Source, option: str = "--format") -> None:
        self.path, self.option = source.path, option
        self._source = source

    @cached_property
    def survey(self) -> LineSurvey:
        """What all lines have in common."""
        return survey_of(self._source)

    def firsts_in_parts(self) -> Iterator[TextColumn]:
        """The first words of the lines of one piece after the other, without blank lines at its end.

        Raises:
            InputError: as of `Source.text`.
        """
        return (_native.first_words(piece)[0] for piece in self._source.pieces())

    @property
    def firsts(self) -> Iterator[str]:
        """The first word of each line, "" of a blank one; errors as of `Source.text`."""
        return self._words(0)

    @property
    def seconds(self) -> Iterator[str]:
        """The second word of each line, "" where there is none."""
        return self._words(1)

    def _words(self, which: int) -> Iterator[str]:
        return islice(chain.from_iterable(self._words_in_parts(which)), self.count)

    def _words_in_parts(self, which: int) -> Iterator[Iterable[str]]:
        for piece in self._source.pieces():
            words = _native.first_words(piece)[which]
            yield words
            yield repeat("", piece.count(b"\n") + (not piece.endswith(b"\n")) - len(words))

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self.survey.up_to_words

    @property
    def index(self) -> LineIndex | None:
        """Where the line of every first word is; None where one comes twice, or nobody knows without reading all."""
        source = self._source
        if not (isinstance(source, Stored) and source.is_text and self.are_different):
            return None
        return source.index(None)

    @property
    def are_there(self) -> bool:
        """Whether there is a word."""
        return self.survey.filled > 0

    @property
    def has_blank(self) -> bool:
        """Whether a line is blank."""
        return self.survey.filled < self.count

    @property
    def are_ids_alone(self) -> bool:
        """Whether most lines have no second word."""
        return 2 * self.survey.seconds <= self.count

    @cached_property
    def _different(self) -> TextColumn:
        parts = (part.distinct() for part in self.firsts_in_parts())
        return TextColumn.of_parts([TextColumn.of_buffers(*part.joined()) for part in parts]).distinct()

    def behind(self) -> Iterator[str]:
        """All words but the first ones."""
        for _, line in self._source.lines_of_items():
            yield from line.split()[1:]

    @cached_property
    def ids(self) -> frozenset[str]:
        """The first words."""
        return frozenset(self._different) - {""}

    @cached_property
    def folded_ids(self) -> frozenset[str]:
        """The same without regard to case."""
        return frozenset(map(str.casefold, self.ids))

    @cached_property
    def are_different(self) -> bool:
        """Whether no first word comes twice, and no line is blank."""
        survey = self.survey
        if not survey.filled or self.has_blank or survey.repeated:
            return False
        if survey.is_ascending or (isinstance(self._source, Stored) and self._source.have_different_ids()):
            return True
        return len(self._different) == self.count

    @cached_property
    def are_nearly_different(self) -> bool:
        """Whether hardly any first word comes twice."""
        survey, least = self.survey, NEARLY_ALL * self.count
        return survey.filled - survey.repeated >= least and len(self.ids) >= least

    def shares(self, other: Lines) -> bool:
        """Whether a line of the other text begins with a word that a line of this one begins with."""
        if self.survey.shares(other.survey):
            return True
        known = KnownIds([self])
        return any(known.count(words) for words in other.firsts_in_parts())

    @cached_property
    def look_like_ids(self) -> bool:
        """Whether every line begins with what looks like an id.

        Not where all words do, as in transcripts of digits. In a file with Kaldi's name all different words do.
        """
        survey = self.survey
        if not self.count or survey.filled < self.count:
            return False
        if self._source.name == KALDI_NAME and self.are_different:
            return True
        looks = survey.looks
        if not looks.all_fit:
            return False
        any_sure, any_padded, are_numbers = looks.any_sure, looks.any_padded, looks.all_decimal
        for words in self.firsts_in_parts() if survey.has_others else ():
            looks = _native.id_looks(words)
            if not all(map(LOOKS_LIKE_ID.fullmatch, looks.others)):
                return False
            any_sure = any_sure or any(map(_SURE.search, looks.others))
            are_numbers = are_numbers and all(map(str.isdecimal, looks.others))
        if not any_sure:
            return False
        if any_padded:
            return True
        return not are_numbers or not all(map(str.isdecimal, self.behind()))

    def have(self, known: KnownIds, partial: bool = False) -> bool:
        """Whether the lines begin with ids of other sides; where they differ in case, most of them, and not one alone.

        Args:
            known: those ids.
            partial: whether there may be more.
        """
        if known.are_of(self):
            return True
        found = sum(map(known.count, self.firsts_in_parts()))
        if not found:
            words = chain.from_iterable(words.distinct() for words in self.firsts_in_parts())
            ours = _different(_folded_hashes(filter(None, words)))
            common = known.folded_among(ours)
            return common > 1 and (2 * common > len(ours) or 2 * common > known.different_folded)
        if 2 * found > self.count or not known.are_numbers:
            return True
        return partial and 2 * len(self.ids & known.all) > len(known.all)

    def shown(self) -> str:
        """The first ids, for a message."""
        different: dict[str, None] = {}
        for word in filter(None, self.firsts):
            different[word] = None
            if len(different) == FEW:
                break
        return _few(different)


Hashes = npt.NDArray[np.int64]
# Of each of some words, whether it is known.
Lookup = Callable[[TextColumn], npt.NDArray[np.bool_]]
# The ids of a side: some, all in memory, in their file, or the first words of a text.
SideIds = frozenset[str] | TextColumn | StoredColumn | Lines


class KnownIds:
    """Ids of other sides, of which texts are asked whether their lines begin with them.

    Args:
        sides: the ids of each.

    >>> known = KnownIds([frozenset({"u1", "u2"}), TextColumn(["u3"])])
    >>> known.count(TextColumn(["u3", "the", "u1"])), known.shown()
    (2, 'u1, u2, u3')
    """

    def __init__(self, sides: Sequence[SideIds] = ()) -> None:
        self._sides = sides

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __iter__(self) -> Iterator[str]:
        """All of them, side by side; those of two sides come twice."""
        return chain.from_iterable(_each(side) for side in self._sides)

    @cached_property
    def all(self) -> frozenset[str]:
        """All of them in memory."""
        return frozenset(self)

    @cached_property
    def are_numbers(self) -> bool:
        """Whether all are."""
        return all(map(str.isdecimal, self))

    @cached_property
    def are_paths(self) -> bool:
        """Whether all may be paths of files: they have a slash."""
        return all("/" in id for id in self)

    @cached_property
    def different_folded(self) -> int:
        """How many there are without regard to case."""
        return len(_different(_folded_hashes(self)))

    def folded_among(self, hashes: Hashes) -> int:
        """How many of some different hashes, in order, are those of ids without regard to case."""
        found = np.zeros(len(hashes), dtype=np.bool_)
        for some in _folded_hashes(self) if len(hashes) else ():
            places = np.searchsorted(hashes[:-1], some)
            found[places[hashes[places] == some]] = True
        return int(found.sum())

    @cached_property
    def _lookups(self) -> list[Lookup]:
        return list(map(_lookup, self._sides))

    def count(self, words: TextColumn) -> int:
        """How many of some words are known."""
        found = np.zeros(len(words), dtype=np.bool_)
        for lookup in self._lookups:
            found |= lookup(words)
        return int(found.sum())

    def are_of(self, text: Lines) -> bool:
        """Whether the lines of a text begin with all ids of a side, once each; it may be so where that is not certain.

        Ids are compared by numbers made of them.
        """
        ours = text.survey
        if not ours.has_digests or not ours.filled:
            return False
        stored = [side.lines for side in self._sides if isinstance(side, StoredColumn)]
        return any(
            lines.survey.has_digests
            and lines.size == text.count == ours.filled
            and lines.survey.set_digest == ours.set_digest
            for lines in stored
        )

    def shown(self) -> str:
        """The first ones in order, for a message."""
        return _few(dict.fromkeys(nsmallest(FEW * len(self._sides), self)))


def _each(ids: SideIds) -> Iterable[str]:
    return filter(None, ids.firsts) if isinstance(ids, Lines) else ids


def _lookup(ids: SideIds) -> Lookup:
    """What tells which words are among the ids of a side."""
    if isinstance(ids, Lines | StoredColumn):
        index = ids.index if isinstance(ids, Lines) else ids.lines.source.index(ids.lines.form)
        if index is not None:
            return lambda words: index.places(words) >= 0
        ids = ids.ids if isinstance(ids, Lines) else ids[:]
    if isinstance(ids, TextColumn):
        numbers = TextIndex(ids)
        return lambda words: numbers.found(words) >= 0
    return lambda words: np.fromiter(map(ids.__contains__, words), np.bool_, len(words))


def _folded_hashes(words: Iterable[str]) -> Iterator[Hashes]:
    """A hash of each word without regard to case, in parts; in a part, of different ones in order."""
    each = iter(words)
    while some := [hash(word.casefold()) for word in islice(each, TOGETHER)]:
        yield np.unique(np.array(some, dtype=np.int64))


def _different(parts: Iterable[Hashes]) -> Hashes:
    """The different hashes of all parts, in order."""
    return np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))


def _few(ids: Iterable[str]) -> str:
    return ", ".join(id if len(id) <= LONGEST else f"{id[:LONGEST]}..." for id in islice(ids, FEW))


def settle(
    texts: Sequence[Lines],
    known: KnownIds,
    partial: bool = False,
    others: Sequence[str] = (),
    note: str = "",
) -> tuple[list[bool], str]:
    """Whether the lines of each text begin with ids, and what to say if that is not certain.

    Args:
        texts: those of which it is not known.
        known: ids of other sides.
        partial: whether these may have more.
        others: paths of sides that have no ids.
        note: what an error about ids of other sides says of them.

    Raises:
        FstmetricsError: neither ids nor words is certain enough.
    """
    if known:
        for text in texts:
            if text.look_like_ids and not text.have(known, partial):
                raise _open(text, f"but other files have other ids ({known.shown()}, ...){note}")
        return [text.have(known, partial) for text in texts], ""
    told = [text for text in texts if text.are_there]
    looking = [text for text in told if text.look_like_ids]
    sure = any(text.are_different for text in looking) or (len(looking) > 1 and _agree(looking))
    if sure or any(_follows(text, other) for text in looking for other in told):
        rest = [text for text in texts if text not in looking]
        ids = KnownIds(looking if rest else ())
        have = [text in looking or text.have(ids) for text in texts]
        without = [text for text, has in zip(texts, have, strict=True) if not has and text in told]
        for text in looking:
            _refuse_odd(text, without, others)
        return have, ""
    _refuse_shifted(told)
    are_ids, doubt = _are_ids(told) if len(told) > 1 and not others else (False, "")
    return [are_ids and text in told for text in texts], doubt


def _agree(texts: Sequence[Lines]) -> bool:
    """Whether most of the first words of all are the same."""
    return all(2 * len(texts[0].ids & text.ids) > len(text.ids | texts[0].ids) for text in texts[1:])


def _refuse_odd(text: Lines, without: Sequence[Lines], others: Sequence[str]) -> None:
    """Refuse ids on one side only, unless the second words are where another side begins its lines."""
    for other in without:
        if not _follows(text, other):
            raise _open(text, f"and the lines of {other.path} begin otherwise")
    if others and not without:
        raise _open(text, f"and {others[0]} has no ids")


def _refuse_shifted(texts: Sequence[Lines]) -> None:
    """Refuse lines that are those of another text behind one more word, most of them: no recogniser is so wrong."""
    for text in texts:
        for other in texts:
            if text is not other and _follows(text, other) and text.count >= FEW:
                raise InputError(
                    f"its lines begin with a word ({text.shown()}, ...) behind which those of {other.path} begin; "
                    f"{text.option} kaldi-text if it is an id, {text.option} plain if it is a word",
                    text.path,
                )


def _follows(text: Lines, other: Lines) -> bool:
    """Whether most lines of a text without ids begin as those of the other go on behind their first words."""
    if text.count != other.count or text.shares(other):
        return False
    same = pairs = 0
    for second, first in zip(text.seconds, other.firsts, strict=True):
        if second and first:
            pairs += 1
            same += second.casefold() == first.casefold()
    return 2 * same > pairs


def _open(text: Lines, problem: str) -> InputError:
    return InputError(
        f"its lines begin with what looks like ids ({text.shown()}, ...), {problem}; {text.option} kaldi-text if they "
        f"are ids, {text.option} plain if they are words",
        text.path,
    )


def _are_ids(texts: Sequence[Lines]) -> tuple[bool, str]:
    """Whether first words that do not look like ids are ids, and what to say where that may be.

    Raises:
        FstmetricsError: they may be, and a few lines more would tell.
    """
    first, *others = texts
    longest = max(text.count for text in texts)
    if longest == 1 or any(text.are_ids_alone for text in texts):
        return False, ""  # one pair needs no ids, and ids alone are no text
    if len({text.has_blank for text in texts}) > 1:
        return False, ""  # numbers of lines differ, and the error about them tells of blank lines
    different = any(text.are_different for text in texts)
    same = different and all(text.folded_ids == first.folded_ids for text in others)
    nearly = longest >= MANY and all(text.are_nearly_different for text in texts)
    if same and longest >= FEW and any(_folded(text) != _folded(first) for text in others):
        return True, ""  # sentences do not change places
    if not (same or (nearly and _agree(texts))) or _are_words(texts):
        return False, ""
    if longest >= MANY or _likelihood(texts) < UNLIKELY:
        return True, ""
    options = dict.fromkeys(text.option for text in texts)
    ids, words = (" ".join(f"{option} {name}" for option in options) for name in ("kaldi-text", "plain"))
    if longest <= FEW:
        return False, f"the first word of each line counts as a word; if it is an id, {ids}"
    raise FstmetricsError(
        f"{', '.join(dict.fromkeys(text.path for text in texts))}: the lines begin with the same words, all different "
        f"({first.shown()}, ...): {ids} if they are ids, {words} if they are words"
    )


def _folded(text: Lines) -> list[str]:
    """The first words without regard to case, without those of blank lines."""
    return [word.casefold() for word in text.firsts if word]


def _are_words(texts: Sequence[Lines]) -> bool:
    """Whether something about first words shows that they are words.

    They stand elsewhere, too; they have punctuation; or they alone are capitalised.
    """
    firsts = frozenset().union(*(text.folded_ids for text in texts))
    if not all(map(_JOINED.fullmatch, firsts)):
        return True
    elsewhere = firsts & {word.casefold().strip(".,;:!?") for text in texts for word in text.behind()}
    if 10 * len(elsewhere) > (len(firsts) if len(firsts) >= MANY else 0):
        return True
    capital = [text for text in texts if all(first[:1].isupper() for first in text.ids)]
    return bool(capital) and not any(second[:1].isupper() for text in capital for second in text.seconds)


def _likelihood(texts: Sequence[Lines]) -> float:
    """How likely it is that all first words are the same if they are words: second words tell how often words are."""
    first, *others = (
        {f.casefold(): s.casefold() for f, s in zip(text.firsts, text.seconds, strict=True) if f}
        for text in texts
    )
    pairs = [(first[word], other[word]) for other in others for word in first if word in other]
    same = sum(one == two for one, two in pairs)
    return float(((same + 1) / (len(pairs) + 2)) ** len(pairs))
