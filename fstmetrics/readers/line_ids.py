"""Whether the lines of texts begin with ids, which no text says of itself: `settle`, for all texts of a command.

The rule, first what is certain (docs/formats.md has it for users):

1. Other sides have ids (lattices, networks, trn, ...). A text whose lines begin with some of them has ids. Ids that are
   numbers must begin most lines, as sentences begin with numbers, too.
2. No other side has. First words that look like ids, in every line, are ids if all texts have them; then a line that
   differs is a fault of its file, and so is an id that comes twice.
3. Nothing looks like ids. They are ids all the same if the texts have the same first words, all different, in so many
   lines, or in such an order, as sentences never have them.

What stays open between ids and words is refused: either guess may give a wrong number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from fstmetrics import _native
from fstmetrics._native import LineSurvey, TextColumn
from fstmetrics.readers.stored_texts import Stored, survey_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source

# weather001_001, utt-12, AMI-3E05, 0001. A hyphen at the end is a word broken off ("this- is it"). Names of files of
# sound and text (abc.wav) look like ids, too; native/formats/text_lines.cc has their endings.
LOOKS_LIKE_ID = re.compile(r"(?=.*[\d_-])[^\W_](?:\S*[^\W_])?")
# A hyphen alone is in words, too: e-mail.
_SURE = re.compile(r"[\d_]")
# Parts with a dot, colon or slash between them: a:b, x/y. Sentences hardly begin so.
_JOINED = re.compile(r"[^\W_]+(?:[.:/][^\W_]+)*")
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
    def _survey(self) -> LineSurvey:
        return survey_of(self._source)

    @cached_property
    def _words(self) -> tuple[TextColumn, TextColumn]:
        return _native.first_words(self._source.utf8)

    @property
    def firsts(self) -> TextColumn:
        """The first word of each line, "" of a blank one; errors as of `Source.text`."""
        return self._words[0]

    @property
    def seconds(self) -> TextColumn:
        """The second word of each line, "" where there is none."""
        return self._words[1]

    @property
    def count(self) -> int:
        """How many lines there are."""
        return self._survey.up_to_words

    @property
    def are_there(self) -> bool:
        """Whether there is a word."""
        return self._survey.filled > 0

    @property
    def has_blank(self) -> bool:
        """Whether a line is blank."""
        return self._survey.filled < self.count

    @property
    def are_ids_alone(self) -> bool:
        """Whether most lines have no second word."""
        return 2 * self._survey.seconds <= self.count

    @cached_property
    def _different(self) -> TextColumn:
        return self.firsts.distinct()

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
        survey = self._survey
        if not survey.filled or self.has_blank or survey.repeated:
            return False
        if survey.is_ascending or (isinstance(self._source, Stored) and self._source.have_different_ids()):
            return True
        return len(self._different) == self.count

    @cached_property
    def are_nearly_different(self) -> bool:
        """Whether hardly any first word comes twice."""
        survey, least = self._survey, NEARLY_ALL * self.count
        return survey.filled - survey.repeated >= least and len(self.ids) >= least

    def shares(self, other: Lines) -> bool:
        """Whether a line of the other text begins with a word that a line of this one begins with."""
        return self._survey.shares(other._survey) or not self.ids.isdisjoint(other.ids)

    @cached_property
    def look_like_ids(self) -> bool:
        """Whether every line begins with what looks like an id.

        Not where all words do, as in transcripts of digits. In a file with Kaldi's name all different words do.
        """
        survey = self._survey
        if not self.count or survey.filled < self.count:
            return False
        if self._source.name == KALDI_NAME and self.are_different:
            return True
        looks = survey.looks
        if looks.all_fit and survey.has_others:
            looks = _native.id_looks(self.firsts)
        if not looks.all_fit or not all(map(LOOKS_LIKE_ID.fullmatch, looks.others)):
            return False
        if not looks.any_sure and not any(map(_SURE.search, looks.others)):
            return False
        if looks.any_padded:
            return True
        are_numbers = looks.all_decimal and all(map(str.isdecimal, looks.others))
        return not are_numbers or not all(map(str.isdecimal, self.behind()))

    def have(self, known: frozenset[str], partial: bool = False) -> bool:
        """Whether the lines begin with ids of other sides; where they differ in case, most of them, and not one alone.

        Args:
            known: those ids.
            partial: whether there may be more.
        """
        found = sum(map(known.__contains__, self.firsts))
        if not found:
            folded = frozenset(map(str.casefold, known))
            common = len(self.folded_ids & folded)
            return common > 1 and 2 * common > min(len(folded), len(self.folded_ids))
        if not found or 2 * found > self.count or not all(map(str.isdecimal, known)):
            return found > 0
        return partial and 2 * len(self.ids & known) > len(known)

    def shown(self) -> str:
        """The first ids, for a message."""
        return _few(filter(None, dict.fromkeys(self.firsts)))


def _few(ids: Iterable[str]) -> str:
    return ", ".join(id if len(id) <= LONGEST else f"{id[:LONGEST]}..." for id in islice(ids, FEW))


def settle(
    texts: Sequence[Lines],
    known: frozenset[str],
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
                raise _open(text, f"but other files have other ids ({_few(sorted(known))}, ...){note}")
        return [text.have(known, partial) for text in texts], ""
    told = [text for text in texts if text.are_there]
    looking = [text for text in told if text.look_like_ids]
    sure = any(text.are_different for text in looking) or (len(looking) > 1 and _agree(looking))
    if sure or any(_follows(text, other) for text in looking for other in told):
        rest = [text for text in texts if text not in looking]
        ids = frozenset().union(*(text.ids for text in looking if rest))
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
    pairs = [(s, f) for s, f in zip(text.seconds, other.firsts, strict=True) if s and f]
    same = sum(second.casefold() == first.casefold() for second, first in pairs)
    return 2 * same > len(pairs)


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
