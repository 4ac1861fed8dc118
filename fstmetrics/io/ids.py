"""Whether the lines of texts begin with ids, which no text says of itself: `settle`, for all texts of a command.

The rules, of which the first that applies decides (for users: docs/recognition.md). `--format` comes before all.

1. A file called `text`, Kaldi's name, begins its lines with ids.
2. Other sides have ids (lattices, networks, trn, ...): lines begin with ids where all first words are among them, or
   where all look like ids and some are among them.
3. No other side has: where all first words of all texts look like ids, and there are two lines or more, they are ids.
   What may as well be words is refused, and so is a text that looks so beside one that does not. Where no line of any
   text goes on behind its first word, nothing but these can be meant to be scored: they are words. Where most do not,
   only what is no word of any language is an id.
4. First words are words.

What stays open between ids and words is refused: either guess may give a wrong number.

Texts are looked at piece by piece, and of ids that stay in their files no more than numbers are in memory (`KnownIds`).

Ids that are names of files: `name_of`, without folder and endings; `shared_names`, of sides that differ in those;
`recording_name`, of recordings, without the ending of a sound file alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from itertools import chain, groupby, islice, repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fstmetrics import _native
from fstmetrics._native import IdLooks, TextColumn, TextIndex
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import folded_id
from fstmetrics.support.source import Source

# Endings of the names of files that hold sound, what was said in it, or what a recogniser made of it.
ENDINGS = frozenset({
    "wav", "wave", "flac", "mp3", "m4a", "ogg", "oga", "opus", "spx", "aac", "ac3", "aif", "aiff", "amr",
    "caf", "wma", "sph", "pcm", "raw", "webm", "mp4", "mkv", "mov", "avi", "mpg", "mpeg", "3gp", "gz", "txt",
    "lab", "json", "jsonl", "trn", "stm", "ctm", "mlf", "rec", "nlp", "srt", "vtt", "tsv", "csv", "xml",
    "textgrid", "npy", "pt", "slf", "lat", "htk", "fst",
})  # fmt: skip


def name_of(id: str) -> str:
    """The name of a file without its folder and its endings, as far as these are usual; another id as it is.

    >>> name_of("/data/clips/cv_1.mp3"), name_of("u1.mp3.json"), name_of("node.js"), name_of("u.1")
    ('cv_1', 'u1', 'node.js', 'u.1')
    """
    name = id.replace("\\", "/").rpartition("/")[2] or id
    while True:
        before, dot, ending = name.rpartition(".")
        if not (before and dot and ending.lower() in ENDINGS):
            return name
        name = before


def shared_names(sides: Sequence[Sequence[str] | None]) -> list[list[str] | None]:
    """The names of files for the ids of sides, where these pair what folders or endings part.

    Args:
        sides: the ids of each; None where a side has none.

    Returns:
        Of each side its new ids; None where it keeps its own.

    >>> shared_names([["u1"], ["/data/u1.wav"]])
    [None, ['u1']]
    """
    names = [None if own is None else file_names(own) for own in sides]
    exact = [frozenset(own) for own in sides if own is not None]
    changed = [
        frozenset(own if new is None else new)
        for own, new in zip(sides, names, strict=True)
        if own is not None
    ]
    if not any(names) or len(exact) < 2 or len(_shared(changed)) <= len(_shared(exact)):
        return [None] * len(sides)
    return names


def file_names(ids: Sequence[str]) -> list[str] | None:
    """The names of files, if all ids are such and no two have the same."""
    if not ids or name_of(ids[0]) == ids[0]:
        return None
    names = list(map(name_of, ids))
    are_files = all(name != id for name, id in zip(names, ids, strict=True))
    return names if are_files and len(set(names)) == len(names) else None


def _shared(sides: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(map(folded_id, own)) for own in sides))


# Endings of files of recordings.
SOUND_ENDINGS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".mp4", ".webm", ".aac", ".sph")


def recording_name(path: str) -> str:
    """What a recording is called, without folders and the ending of a sound file.

    >>> recording_name("/data/2022.acl-long.268.wav"), recording_name("2022.acl-long.268")
    ('2022.acl-long.268', '2022.acl-long.268')
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    ending = next((ending for ending in SOUND_ENDINGS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)]


# weather001_001, utt-12, AMI-3E05, 0001: a digit, a hyphen, an underscore or a slash, and a letter or digit at both
# ends. A hyphen at the end is a word broken off ("this- is it").
LOOKS_LIKE_ID = re.compile(r"(?=.*[\d_/\\-])[^\W_](?:\S*[^\W_])?")
# What is left of a word without signs at its ends: u1 of [u1], 10 of 10.
_CORE = re.compile(r"[\W_]*(?P<core>[^\W_](?:\S*[^\W_])?)[\W_]*")
# Markup and noises, as <p>, [laughter] and (laughs).
_TAG = re.compile(r"</?[^\W\d]+/?>|\[[^\W\d]+\]|\([^\W\d]+\)")
# An id, and the rank of a hypothesis behind it.
RANKED = re.compile(r"(.+)-([1-9]\d*)")
# The same where the numbers do not count as ranks do, or stand behind another sign.
_NUMBERED = re.compile(r"(.+)[-_]\d+")
# The format of lists whose ids have ranks behind them, and what to do where the ranks are none.
RANKED_LISTS = "nbest-kaldi"
RANKS_ADVICE = (
    "in nbest-kaldi, numbers behind ids are ranks only where those of each id count 1, 2, 3, ... from line to line, "
    "behind a hyphen; sort -sV -k1,1 FILE | awk '{sub(/[-_][0-9]+$/, \"\", $1)} 1' sorts the lines and takes the "
    "numbers away"
)
# What no word is: with an underscore, or with two hyphens and a digit. native/formats/text_lines.cc has the same of
# words in ASCII, and the endings of names of files, which are no words either.
_CERTAIN = re.compile(r".*_.*|(?=.*\d).*-.*-.*")
_DIGIT = re.compile(r"\d")
# What parts the id of a document from the rest of a segment's.
BEHIND_DOCUMENT = re.compile(r"[_./:#@-]")
# The name that Kaldi gives to its transcript files.
KALDI_NAME = "text"
# In so many lines no sentences begin with words that are all different and all look like ids.
MANY = 20
# In so many lines no sentences begin with the same words, which look like ids, in another order; so many ids are shown.
FEW = 3
# No longer piece of a word is shown.
LONGEST = 40
# What is said where nothing but first words can be scored.
FIRST_WORDS = "no line has a second word, so that the first words count as words"
# So many words are hashed together.
TOGETHER = 1 << 16


def document_of(id: str, documents: Container[str]) -> str | None:
    """The document whose id the id of a segment begins with, the longest; None if there is none.

    >>> document_of("talk_1-003", {"talk", "talk_1"}), document_of("talks", {"talk"})
    ('talk_1', None)
    """
    places = [len(id), *(match.start() for match in reversed(list(BEHIND_DOCUMENT.finditer(id))))]
    return next((id[:place] for place in places if id[:place] in documents), None)


def look_like_ids(firsts: Sequence[str]) -> bool:
    """Whether the first words of all lines look like ids, of two lines or more, and are different."""
    are_different = len(set(firsts)) == len(firsts)
    return len(firsts) > 1 and are_different and all(map(LOOKS_LIKE_ID.fullmatch, firsts))


@dataclass(eq=False)
class Lines:
    """A text of which nobody has said whether its lines begin with ids. Blank lines at its end do not count.

    What no more than a look at all lines tells is told without having all of them in memory.

    Args:
        source: the file.
        option: what names its format on the command line.

    Attributes:
        path: the file's.
        survey: what all lines have in common.
        count: how many lines there are.
        has_blank: whether a line is blank.
        is_kaldi: whether the file has Kaldi's name.
        are_tabbed: whether every line has one tab, which is behind the first word, and none is blank.
        has_single_words: whether no line goes on behind its first word, and not all have a tab there.

    Raises:
        InputError: as of `Source.text`.
    """

    source: Source
    option: str = "--format"

    def __post_init__(self) -> None:
        self.path = self.source.path
        self.survey = self.source.line_survey
        self.count = self.survey.up_to_words
        self.has_blank = self.survey.filled < self.count
        self.is_kaldi = self.source.name == KALDI_NAME
        self.are_tabbed = 0 < self.survey.tabbed == self.count
        self.has_single_words = not (self.survey.seconds or self.are_tabbed)

    def firsts_in_parts(self) -> Iterator[TextColumn]:
        """The first words of the lines of one piece after the other, without blank lines at its end.

        Raises:
            InputError: as of `Source.text`.
        """
        for piece in self.source.pieces():
            yield _native.first_words(piece)[0]

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
        for piece in self.source.pieces():
            words = _native.first_words(piece)[which]
            yield words
            yield repeat("", piece.count(b"\n") + (not piece.endswith(b"\n")) - len(words))

    def index(self) -> TextIndex | None:
        """Where every first word is; None where one comes twice, or nobody knows without reading all."""
        return self.source.index() if self.are_different else None

    @cached_property
    def _different(self) -> TextColumn:
        parts = (part.distinct() for part in self.firsts_in_parts())
        return TextColumn.of_parts([TextColumn.of_buffers(*part.joined()) for part in parts]).distinct()

    def behind(self) -> Iterator[str]:
        """All words but the first ones."""
        for _, line in self.source.lines_of_items():
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
        if survey.is_ascending or self.source.index() is not None:
            return True
        return len(self._different) == self.count

    def shares(self, other: Lines) -> bool:
        """Whether a line of the other text begins with a word that a line of this one begins with."""
        if self.survey.shares(other.survey):
            return True
        known = KnownIds([self])
        return any(known.count(words) for words in other.firsts_in_parts())

    @cached_property
    def _looks(self) -> list[IdLooks]:
        """What first words have in common; in parts, where some have characters beyond ASCII."""
        if not self.survey.has_others:
            return [self.survey.looks]
        parts = []
        for words in self.firsts_in_parts():
            parts.append(_native.id_looks(TextColumn(list(filter(None, words)))))
            if not parts[-1].all_fit:
                break
        return parts

    @cached_property
    def _others(self) -> list[str]:
        """First words with characters beyond ASCII, each once or more often."""
        return list(chain.from_iterable(looks.others for looks in self._looks))

    @cached_property
    def look_like_ids(self) -> bool:
        """Whether every line but blank ones begins with a word that looks like an id: by its form, or by the tab behind
        it.

        In a file with Kaldi's name all words do.
        """
        survey = self.survey
        if self.is_kaldi:
            return survey.filled > 0
        if self.are_tabbed:
            return self.are_different
        if not survey.filled or not survey.looks.all_fit:
            return False
        return all(looks.all_fit for looks in self._looks) and all(map(_looks_like_id, self._others))

    @cached_property
    def are_numbers(self) -> bool:
        """Whether all words are whole numbers, as in transcripts of digits, and no line begins with one that has zeros
        before it, nor all with one that has a tab behind it."""
        if self.are_tabbed:
            return False
        firsts = filter(None, self.firsts)
        return all(word.isdecimal() and str(int(word)) == word for word in firsts) and all(
            map(str.isdecimal, self.behind())
        )

    @cached_property
    def are_no_words(self) -> bool:
        """Whether first words that look like ids are no words of any language, by what they are made of."""
        if self.is_kaldi or self.are_tabbed:
            return True
        return all(part.all_certain for part in self._looks) and all(
            _CERTAIN.fullmatch(_core(word)) for word in self._others
        )

    @cached_property
    def are_certain(self) -> bool:
        """Whether first words that look like ids cannot be words: by what they are made of, or as there are so many."""
        looks, others = self._looks, self._others
        if self.are_no_words:
            return True
        if all(part.all_decimal for part in looks) and all(map(str.isdecimal, others)):
            return self._are_numbering
        if self.count >= MANY and self.are_different:
            return True
        if not (all(part.all_bare for part in looks) and all(word == _core(word) for word in others)):
            return False
        forms = {*(part.form for part in looks), *map(_form, others)} - {""}
        return len(forms) == 1 and all(part.one_form for part in looks) and all(map(_DIGIT.search, others))

    @cached_property
    def _are_numbering(self) -> bool:
        """Whether first words that are numbers count the lines from 0 or 1, in any order, or have zeros before them."""
        words = list(filter(None, self.firsts))
        if len({len(word) for word in words}) == 1 and any(
            word.startswith("0") and len(word) > 1 for word in words
        ):
            return True
        return is_numbering(words) is not None

    def is_sentence(self, known: KnownIds) -> bool:
        """Whether a number that begins the only line is a word, though other sides count their items."""
        return self.count == 1 and not self.is_kaldi and known.are_numbering

    def have(self, known: KnownIds, partial: bool = False) -> bool:
        """Whether the lines begin with ids of other sides: all of them, in any case of letters.

        Where all look like ids, some are enough, and what is missing is said when items are paired.

        Args:
            known: those ids.
            partial: whether there may be more.

        Raises:
            InputError: some lines begin with ids and others do not.
        """
        if self.is_sentence(known):
            return False
        if known.are_of(self):
            return True
        found = sum(map(known.count, self.firsts_in_parts()))
        filled = self.survey.filled
        if found == filled:
            return found > 0
        if not found:
            return self._have_folded(known)
        if self.look_like_ids or (partial and known.all <= self.ids):
            return True
        if known.are_numbering:
            return False  # sentences begin with numbers, too
        raise InputError(
            f"{found} of its {filled} lines begin with ids of the other files ({known.shown()}, ...), and the others "
            f"do not; {self.option} kaldi-text if the first words are ids, {self.option} plain if they are words",
            self.path,
        )

    def _have_folded(self, known: KnownIds) -> bool:
        """Whether all first words, or all names of files that they are, are known ids but for case."""
        words = chain.from_iterable(words.distinct() for words in self.firsts_in_parts())
        ours = _different(_folded_hashes(filter(None, words)))
        if len(ours) and known.folded_among(ours) == len(ours):
            return True
        if not self.look_like_ids and not known.are_names:
            return False
        return bool(self.ids) and frozenset(map(name_of, self.ids)) <= known.names

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


# The ids of a side: some, a column of all, or the first words of a text.
SideIds = frozenset[str] | TextColumn | Lines


@dataclass(eq=False)
class KnownIds:
    """Ids of other sides, of which texts are asked whether their lines begin with them.

    Attributes:
        sides: the ids of each.

    >>> known = KnownIds([frozenset({"u1", "u2"}), TextColumn(["u3"])])
    >>> known.count(TextColumn(["u3", "the", "u1"])), known.shown()
    (2, 'u1, u2, u3')
    """

    sides: Sequence[SideIds] = ()

    def __iter__(self) -> Iterator[str]:
        """All of them, side by side; those of two sides come twice."""
        return chain.from_iterable(_each(side) for side in self.sides)

    @cached_property
    def all(self) -> frozenset[str]:
        """All of them in memory."""
        return frozenset(self)

    @cached_property
    def are_numbering(self) -> bool:
        """Whether they count items from 0 or 1."""
        return is_numbering(self.all) is not None

    @cached_property
    def are_names(self) -> bool:
        """Whether all are names of files: with a folder, or one of the usual endings."""
        return all(name_of(id) != id for id in self)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the files that they are, without folder and endings."""
        return frozenset(map(name_of, self.all))

    def folded_among(self, hashes: Hashes) -> int:
        """How many of some different hashes, in order, are those of ids without regard to case."""
        found = np.zeros(len(hashes), dtype=np.bool_)
        for some in _folded_hashes(self) if len(hashes) else ():
            places = np.searchsorted(hashes[:-1], some)
            found[places[hashes[places] == some]] = True
        return int(found.sum())

    @cached_property
    def _lookups(self) -> list[Lookup]:
        return list(map(_lookup, self.sides))

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
        columns = [side for side in self.sides if isinstance(side, TextColumn)]
        surveys = [side.survey for side in columns if len(side) == text.count == ours.filled]
        return bool(
            [each for each in surveys if each and each.has_digests and each.set_digest == ours.set_digest]
        )

    def shown(self) -> str:
        """The first ones in order, for a message."""
        return _few(dict.fromkeys(nsmallest(FEW * len(self.sides), self)))


def _each(ids: SideIds) -> Iterable[str]:
    return filter(None, ids.firsts) if isinstance(ids, Lines) else ids


def _lookup(ids: SideIds) -> Lookup:
    """What tells which words are among the ids of a side."""
    if isinstance(ids, Lines):
        if (index := ids.index()) is not None:
            return lambda words: index.found(words) >= 0
        ids = ids.ids
    if isinstance(ids, TextColumn):
        numbers = TextIndex(ids)
        return lambda words: numbers.found(words) >= 0
    assert isinstance(ids, frozenset)
    known = ids
    return lambda words: np.fromiter(map(known.__contains__, words), np.bool_, len(words))


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


def _core(word: str) -> str:
    """A word without signs at its ends; empty if it is nothing but signs."""
    match = _CORE.fullmatch(word)
    return match["core"] if match else ""


def _looks_like_id(word: str) -> bool:
    """Whether a word, without signs at its ends, has a digit, a hyphen, an underscore or a slash, and no markup.

    >>> [word for word in ("u1", "#1", "a-b", "(ab)", "this-", "/d/al") if _looks_like_id(word)]
    ['u1', '#1', 'a-b', '/d/al']
    """
    core = _core(word)
    if "<" in core or ">" in core:
        return False
    return any(map(str.isdigit, core)) or LOOKS_LIKE_ID.fullmatch(core) is not None


def _form(word: str) -> str:
    """A word with 0 for its runs of digits and a for those of letters, as `IdLooks.form`."""
    kinds = ("0" if each.isdigit() else "a" if each.isalpha() else each for each in word)
    return "".join(kind if kind in "0a" else "".join(run) for kind, run in groupby(kinds))


def is_numbering(ids: Iterable[str]) -> int | None:
    """0 or 1 where ids are no more than the items counted from there, in any order; None otherwise.

    >>> is_numbering(["2", "1", "3"]), is_numbering(["0"]), is_numbering(["1", "3"])
    (1, 0, None)
    """
    every = list(ids)
    numbers = frozenset(every)
    if len(numbers) < len(every):
        return None
    for start in (0, 1):
        if str(start) in numbers and numbers == {*map(str, range(start, start + len(numbers)))}:
            return start
    return None


def count_in_order(ids: Sequence[str | None]) -> int | None:
    """0 or 1 where ids are 0, 1, 2, ... or 1, 2, 3, ..., so that they are no more than an order; None otherwise."""
    if not ids or ids[0] not in ("0", "1"):
        return None
    first = int(ids[0])
    return first if all(id == str(number) for number, id in enumerate(ids, first)) else None


class WithoutIds(NamedTuple):
    """A side that has no ids.

    Attributes:
        path: where it is from.
        items: how many it has.
        texts: its texts, or those of its first n-best list.
    """

    path: str
    items: int
    texts: Callable[[], Iterator[str]]


def settle(
    texts: Sequence[Lines],
    known: KnownIds,
    partial: bool = False,
    others: Sequence[WithoutIds] = (),
    note: Callable[[], str] = str,
    begins: Callable[[str], bool] = bool,
) -> tuple[list[bool], str]:
    """Whether the lines of each text begin with ids, and what to say where one word may be an id.

    Args:
        texts: those of which it is not known.
        known: ids of other sides.
        partial: whether these may have more.
        others: sides that have no ids.
        note: makes what an error about ids of other sides says of them.
        begins: whether a text of these sides begins with a word; asked where a text of one line begins with their id.

    Raises:
        FstmetricsError: neither ids nor words is certain.
    """
    if any(known.sides):
        found: list[bool] = []
        doubt = ""
        for text in texts:
            if text.count == 1 and not text.is_kaldi:
                _refuse_number(text, known, begins)
            found.append(_has(text, known, partial, note))
            if text.has_single_words and not found[-1] and text.look_like_ids:
                doubt = FIRST_WORDS
        return found, doubt
    told = [text for text in texts if text.survey.filled]  # not of those without a word
    kaldi = [text for text in told if text.is_kaldi]
    if kaldi:
        ids = KnownIds(kaldi)
        return [text in kaldi or (text in told and _has(text, ids, False, note)) for text in texts], ""
    are_ids, doubt = _are_ids(told, others) if told else (False, "")
    return [are_ids and text in told for text in texts], doubt


def may_be_word(first: str, second: str, known: KnownIds, begins: Callable[[str], bool]) -> bool:
    """Whether the first word of a text, an id of the other sides, may be a word as well.

    That is a number of sides that count their items, unless a text of theirs begins with it, and of others their only
    id, if the text does. `begins` is that of `settle`.

    >>> known = KnownIds([frozenset({"7"})])
    >>> may_be_word("7", "cats", known, "7 dogs".startswith), may_be_word("7", "cats", known, "a cat".startswith)
    (True, False)
    """
    if known.are_numbering:
        return not begins(first)
    return len(known.all) == 1 and begins(first) and second != first


def _refuse_number(text: Lines, known: KnownIds, begins: Callable[[str], bool]) -> None:
    """Raise an InputError for the only line of a text that begins with an id of others, which may be a word."""
    if not known.count(next(text.firsts_in_parts())):
        return
    if may_be_word(next(text.firsts), next(text.seconds), known, begins):
        raise InputError(
            f"its only line begins with {text.shown()}, an id of the other side, which may be a word: {text.option} "
            f"kaldi-text if it is the id, {text.option} plain if it is a word",
            text.path,
        )


def _has(text: Lines, known: KnownIds, partial: bool, note: Callable[[], str]) -> bool:
    """Whether a text begins its lines with ids that other sides have."""
    if text.have(known, partial):
        return True
    may_be_ids = text.look_like_ids and not (text.are_numbers or text.is_sentence(known))
    if may_be_ids and not (known.are_numbering and text.has_single_words and not text.are_no_words):
        raise _open(text, f"but other files have other ids ({known.shown()}, ...){note()}", known.all)
    return False


def _are_ids(texts: Sequence[Lines], others: Sequence[WithoutIds]) -> tuple[bool, str]:
    """Whether the first words of texts are ids, where no other side has ids; and a remark on what may be one.

    Raises:
        FstmetricsError: they may be, and may be words.
    """
    looking = [text for text in texts if text.look_like_ids]
    if not [text for text in texts if text.count > 1]:
        return _of_one_line(texts, looking, others) if looking else (False, "")
    if not looking:
        _refuse_shifted(texts)
        # First words that do not look like ids may still be all different, and stand elsewhere in another order.
        if all(text.survey.seconds for text in texts) and _change_places(texts):
            raise _may_be_either(texts)
        return False, ""
    if others:
        raise _open(looking[0], f"and {others[0].path} has no ids")
    for text in texts:
        if text not in looking:
            raise _open(looking[0], f"and the lines of {text.path} begin otherwise")
    if all(text.has_single_words for text in texts):
        return False, FIRST_WORDS
    if all(text.are_numbers for text in texts):  # digits that were said
        if _change_places(texts):
            raise _may_be_either(texts)
        return False, ""
    if not all(_have_common(texts[0], text) for text in texts[1:]):
        raise _open(
            texts[0],
            f"but the lines of {texts[1].path} begin with others ({texts[1].shown()}, ...)",
            texts[1].ids,
        )
    are_known = all(text.are_certain for text in texts) or _are_in_other_order(texts)
    has_words = any(text.are_no_words or 2 * text.survey.seconds >= text.survey.filled for text in texts)
    if are_known and has_words:
        return True, ""
    raise _may_be_either(texts)


def begin_with_ids(sides: Mapping[str, Sequence[str]]) -> bool:
    """Whether the lines of all sides begin with ids, by the same rules, all different and beyond doubt.

    Args:
        sides: the lines of each, by its name.

    >>> begin_with_ids({"hypotheses": ["u1 a cat", "u2 so"], "references": ["u1 the cat", "u2 so"]})
    True
    """
    texts = [Lines(Source(name, "\n".join(map(str.strip, side)).encode())) for name, side in sides.items()]
    try:
        are_ids, _ = _are_ids(texts, ())
    except InputError:
        return False
    return are_ids and all(
        text.are_different and text.count == len(side)
        for text, side in zip(texts, sides.values(), strict=True)
    )


def end_of_own_ids(
    items: Iterable[tuple[Sequence[str | None], Sequence[str]]], rewritten: Callable[[str], str]
) -> str:
    """The end, "begin" or "end", at which the texts of two items or more, all with words, have their item's name: in
    parentheses, parted by a tab, or one that looks like an id; empty where there is none, or where they say no more.

    Args:
        items: what each is called, as by its id, and its texts.
        rewritten: what normalisation makes of a word; empty of one that it leaves out.

    >>> end_of_own_ids([(["u1"], ["u1 a cat"]), (["u2"], ["u2 so"])], str)
    'begin'
    >>> end_of_own_ids([(["al"], ["a cat (al)"]), (["bo"], ["so (bo)"])], str)
    'end'
    """
    ends = {"begin": 0, "end": -1}
    number = longest = 0
    for names, texts in items:
        said = [text.strip() for text in texts if text.strip()]
        for verb, place in list(ends.items()):
            if not all(_is_own(text, place, names) and rewritten(text.split()[place]) for text in said):
                del ends[verb]
        if not ends:
            return ""
        number += bool(said)
        longest = max([longest, *[len(text.split()) for text in said]])
    return next(iter(ends)) if number > 1 and longest > 1 else ""


def _is_own(text: str, place: int, names: Sequence[str | None]) -> bool:
    """Whether the first or the last word of a text is one of its names, and hardly a word, as a number at the end may
    be (chapter 1)."""
    word = text.split()[place]
    if word not in names:
        return word.startswith("(") and word.endswith(")") and word[1:-1] in names
    is_parted = text.endswith(f"\t{word}") if place else text.startswith(f"{word}\t")
    return (
        text == word
        or is_parted
        or (LOOKS_LIKE_ID.fullmatch(word) is not None and not (place and word.isdecimal()))
    )


def _have_common(text: Lines, other: Lines) -> bool:
    """Whether two texts have a first word in common, in any case of letters."""
    return text.shares(other) or not text.folded_ids.isdisjoint(other.folded_ids)


def _of_one_line(
    texts: Sequence[Lines], looking: Sequence[Lines], others: Sequence[WithoutIds]
) -> tuple[bool, str]:
    """The same of one sentence on every side, which needs no ids; some begin with what looks like one."""
    _refuse_shifted(texts)
    for text in looking:
        for other in others:
            if other.items == 1:
                _refuse_shifted_line(text, other)
    if len(looking) == len(texts) and not others:
        words = "the first word of each line counts as a word"
    else:
        paths = ", ".join(dict.fromkeys(text.path for text in looking))
        words = f"the first word of {paths} ({looking[0].shown()}) counts as a word"
    return False, f"{words}; if it is an id, {_as(looking, 'kaldi-text')}"


def _refuse_shifted_line(text: Lines, other: WithoutIds) -> None:
    """Refuse a line that goes on behind its first word as a text of the other side begins, where none has that word."""
    first, second = next(text.firsts).casefold(), next(text.seconds).casefold()
    firsts = {words[0].casefold() for words in map(str.split, other.texts()) if words}
    if second in firsts and first not in firsts:
        raise _shifted(text, other.path)


def _as(texts: Sequence[Lines], format: str) -> str:
    """The options that say what texts are."""
    return " ".join(f"{option} {format}" for option in dict.fromkeys(text.option for text in texts))


def _may_be_either(texts: Sequence[Lines]) -> InputError:
    first, *others = dict.fromkeys(text.path for text in texts)
    also = f", and those of {', '.join(others)}," if others else ""
    is_ranked = len(texts) == 1 and all(map(RANKED.fullmatch, texts[0].ids))
    lists = f"{texts[0].option} {RANKED_LISTS} if they are n-best lists, whose ids have ranks behind them, "
    return InputError(
        f"its lines{also} begin with words that may be ids ({texts[0].shown()}, ...): {lists * is_ranked}"
        f"{_as(texts, 'kaldi-text')} if they are ids, {_as(texts, 'plain')} if they are words",
        first,
    )


def _are_in_other_order(texts: Sequence[Lines]) -> bool:
    """Whether all texts begin their lines with the same words, all different, and not in the same order."""
    first, *others = texts
    same = all(text.are_different for text in texts) and all(
        text.folded_ids == first.folded_ids for text in others
    )
    return same and first.count >= FEW and _change_places(texts)


def _change_places(texts: Sequence[Lines]) -> bool:
    """Whether all first words of each text are different, and a text has those of the first in another order.

    One of the two may lack some. Sentences of two translators may begin with some of the same words in other lines.
    """
    if len(texts) < 2 or not all(text.are_different for text in texts):
        return False
    first, *others = ([word.casefold() for word in text.firsts if word] for text in texts)
    return any(_have_another_order(first, other) for other in others)


def _have_another_order(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether all of one are among the others, and stand there in another order."""
    fewer, more = sorted((words, others), key=len)
    known = frozenset(fewer)
    return known <= frozenset(more) and list(fewer) != [word for word in more if word in known]


def _refuse_shifted(texts: Sequence[Lines]) -> None:
    """Refuse lines that are those of another text behind one more word, most of them: no recogniser is so wrong."""
    for text in texts:
        for other in texts:
            if text is not other and (text.count > 1 or text.look_like_ids) and _follows(text, other):
                raise _shifted(text, other.path)


def _shifted(text: Lines, other: str) -> InputError:
    return InputError(
        f"its lines begin with a word ({text.shown()}, ...) behind which those of {other} begin; {text.option} "
        f"kaldi-text if it is an id, {text.option} plain if it is a word",
        text.path,
    )


def _follows(text: Lines, other: Lines) -> bool:
    """Whether most lines of a text without ids begin as those of the other go on behind their first words."""
    if text.count != other.count or text.shares(other):
        return False
    same = pairs = 0
    for id, second, first in zip(text.firsts, text.seconds, other.firsts, strict=True):
        if second and first and any(map(str.isalnum, id)) and not _TAG.fullmatch(id):
            pairs += 1
            same += second.casefold() == first.casefold()
    return same >= min(2, text.count) and 2 * same > pairs


def _open(text: Lines, problem: str, known: frozenset[str] = frozenset()) -> InputError:
    """The error about first words that may be ids; those of n-best lists may be known ids with ranks behind them."""
    ranked = [match and match[1] for match in map(RANKED.fullmatch, text.ids)]
    ours = set(text.ids)
    if known and text.option == "--format" and all(id in known for id in ranked):
        advice = f"{text.option} nbest-kaldi if they are n-best lists, whose ids have ranks behind them"
    elif known and text.option == "--format" and all(without_rank(id) in known for id in ours):
        advice = (
            f"{text.option} nbest-kaldi if they are n-best lists, once they are written so: {RANKS_ADVICE}"
        )
    elif known and text.option != "--format" and all(without_rank(id) in ours for id in known):
        advice = RANKS_ADVICE
    else:
        advice = f"{text.option} kaldi-text if they are ids, {text.option} plain if they are words"
    return InputError(
        f"its lines begin with what looks like ids ({text.shown()}, ...), {problem}; {advice}", text.path
    )


def without_rank(id: str) -> str | None:
    """What stands before the number behind an id; None where there is none.

    >>> without_rank("utt-0"), without_rank("utt")
    ('utt', None)
    """
    match = _NUMBERED.fullmatch(id)
    return match and match[1]
