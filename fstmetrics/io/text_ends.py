"""What texts of one side have at their ends, and those of another have not.

- `names_before`: names of speakers. The others are remarks, as nobody knows more of it:
- `constant_ends`: a word at the beginning or the end of all texts.
- `headings`: a first text with `#`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from shlex import quote
from typing import NamedTuple

from fstmetrics.io.marks import FEWEST, Texts
from fstmetrics.support.names import listed
from fstmetrics.text.normalisation import is_punctuation

# Stands for numbers, which differ from text to text; a word has no space.
NUMBER = "a number"
ENDS = {"begins": 0, "ends": -1}
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?")


def constant_ends(sides: Sequence[Texts], rewritten: Callable[[str], str]) -> Iterator[str]:
    """What to say of sides whose texts all begin, or end, with a word that another side lacks, or with a number.

    Args:
        sides: of texts, two or more, with `FEWEST` texts or more.
        rewritten: what normalisation makes of a text, which may take words out.

    >>> def side(path, *texts):
    ...     return Texts(path, True, "", False, False, texts, lambda: iter(texts))
    >>> texts = ["a cat", "the dog", "it sat"]
    >>> list(constant_ends([side("hyp", *(f"{text} <eos>" for text in texts)), side("ref", *texts)], str))
    ["every text of hyp ends with <eos>, which no text of ref has: if it is no word, --ignore '<eos>' leaves it out"]
    >>> list(constant_ends([side("hyp", *(f"Here it is: {text}" for text in texts)), side("ref", *texts)], str))
    ["every text of hyp begins with 'Here it is:', which no text of ref does: if these are no words, take them out"]
    """
    for verb, end in ENDS.items():
        alike = [_alike(side, end, rewritten) for side in sides]
        for side, found in zip(sides, alike, strict=True) if len({*alike}) > 1 else ():
            others = [other for other, its in zip(sides, alike, strict=True) if its != found]
            # Where all sides have such a word, one is spoken of as another; signs are those of sentences.
            if not found or "" not in alike or (found != NUMBER and all(map(is_punctuation, found))):
                continue
            phrase = found if found == NUMBER else _phrase(side, end, rewritten)
            if all(_lacks(other, phrase, end, rewritten) for other in others):
                yield _remark(side.path, verb, phrase, [other.path for other in others])


def _at(end: int, texts: Iterable[str], rewritten: Callable[[str], str]) -> Iterator[str]:
    """The word at an end of each text that is not blank."""
    return (words[end] for text in texts if (words := rewritten(text).split()))


def _alike(side: Texts, end: int, rewritten: Callable[[str], str]) -> str:
    """The word that all texts of a side have at an end, or `NUMBER`; empty where there is none."""
    first = list(islice(_at(end, side.first, rewritten), FEWEST))
    if len(first) < FEWEST:
        return ""
    found = first[0] if first.count(first[0]) == FEWEST else NUMBER
    return found if all(_is(found, word) for word in _at(end, side.all(), rewritten)) else ""


def _phrase(side: Texts, end: int, rewritten: Callable[[str], str]) -> str:
    """The words that all texts of a side have at an end, some of each left."""
    texts = [words for text in side.all() if (words := rewritten(text).split())]
    step = 1 if end == 0 else -1
    alike = takewhile(lambda words: len({*words}) == 1, zip(*(text[::step] for text in texts), strict=False))
    return " ".join([words[0] for words in alike][::step])


def _is(found: str, word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None if found == NUMBER else word == found


def _lacks(side: Texts, found: str, end: int, rewritten: Callable[[str], str]) -> bool:
    """Whether no text of a side has the words anywhere, or a number at that end."""
    if found == NUMBER:
        return not any(_is(found, word) for word in _at(end, side.all(), rewritten))
    return not any(f" {found} " in f" {' '.join(rewritten(text).split())} " for text in side.all())


def headings(sides: Iterable[Texts], rewritten: Callable[[str], str]) -> Iterator[str]:
    """What to say of sides whose first text begins with `#` and no other does, as a comment or a heading.

    Args:
        sides: of texts, with `FEWEST` texts or more.
        rewritten: what normalisation makes of a text, which may take signs out.

    >>> texts = ["# model A", "a cat", "the dog"]
    >>> list(headings([Texts("hyp", True, "", False, False, texts, lambda: iter(texts))], str))
    ['the first text of hyp begins with #, as no other does: if it is no text, take it out']
    """
    for side in sides:
        first, *others = [rewritten(text).startswith("#") for text in side.first]
        if first and not any(others):
            yield f"the first text of {side.path} begins with #, as no other does: if it is no text, take it out"


def _remark(path: str, verb: str, found: str, lacking: Sequence[str]) -> str:
    others = "the other side" if path in lacking else listed(lacking)
    if found == NUMBER:
        return (
            f"every text of {path} {verb} with a number, and none of {others} does: if these are no words, as scores "
            "or times, take them out"
        )
    if " " in found:
        shown, has, advice = repr(found), "does", "these are no words, take them out"
    else:
        shown, has, advice = found, "has", f"it is no word, --ignore {quote(found)} leaves it out"
    return f"every text of {path} {verb} with {shown}, which no text of {others} {has}: if {advice}"


# A name before a text, with a colon, as `**John Smith:** the cat`, or alone, as `John Smith:`; alone with a time, as
# `John Smith (00:03):`; and in brackets, without a small letter at its beginning, as other words in brackets have one.
_NAME = r"[^\W\d_](?:[^:\uff1a\[\](){}<>*\n]{0,38}[^\s:\uff1a\[\](){}<>*])?"
_CLOCK = r"[\[(]?(?:\d+:)?\d{1,2}:\d\d(?:[.,]\d+)?[\])]?"
_MARK = r"[*_#>\[({<]{0,3}"
_NAMED = re.compile(
    rf"(?P<name>{_MARK}{_NAME}[*_\])}}>]{{0,3}}\s?(?::[*_]{{0,3}}(?!\S)|\uff1a))\s*(?P<text>.*)"
    rf"|(?P<timed>{_MARK}{_NAME})[*_\]]{{0,3}}[\s,|-]*\s{_CLOCK}\s?:?[*_]{{0,3}}"
    rf"|(?P<enclosed>(?=.(?P<first>.))(?:\[{_NAME}\]|\({_NAME}\)))\s+\S.*",
    re.DOTALL,
)
# Names are certain before nine of ten texts that are ten times as many, likely before one of four. So many are listed.
MOST, MANY, SOME, LISTED = 9, 10, 4, 20
# Formats whose texts are lines.
OF_LINES = {"plain", "kaldi-text", "srt", "vtt"}


class _Names(NamedTuple):
    """The names before texts, as they are written: in the line of a text, on lines of their own, and there with a time.

    `covered` is how many of the `number` of texts have one before them, or are such a line.
    """

    before: Sequence[str]
    alone: Sequence[str]
    timed: Sequence[str]
    covered: int
    number: int

    @property
    def all(self) -> list[str]:
        """All of them."""
        return list(dict.fromkeys([*self.before, *self.alone, *self.timed]))

    @property
    def are_certain(self) -> bool:
        """Whether they are few, two or with times, and before nearly all texts. Words may be in brackets."""
        are_several, are_few = len(self.all) > 1 or self.timed, len(self.all) * MANY <= self.number
        are_enclosed = any(name[-1] in "])" for name in self.before)
        return bool(are_several and are_few and self.covered * 10 >= self.number * MOST and not are_enclosed)

    def command(self, ids: bool) -> str:
        """The command that takes them out of lines, which may begin with ids."""
        begin, kept = ("([^[:space:]]+[[:space:]]+)", r"\1") if ids else (" *", "")
        script = [
            *([f"/^({_either(self.alone)})[[:space:]]*$/d"] if self.alone else ()),
            *([f"/^({_either(self.timed)})[^[:alnum:]]+[0-9:.,]+[^[:alnum:]]*$/d"] if self.timed else ()),
            *([f"s/^{begin}({_either(self.before)}) */{kept}/"] if self.before else ()),
        ]
        return f"sed -E {quote('; '.join(script))}"


def _either(names: Sequence[str]) -> str:
    return "|".join(re.sub(r"[][\\/.*+?(){}|^$]", r"\\\g<0>", name) for name in names)


def names_before(
    sides: Sequence[Texts], rewritten: Callable[[str], str]
) -> Iterator[tuple[Texts, str, bool]]:
    """The sides whose texts have names of speakers before them, as hardly any of another has; what to say of these, and
    whether they are certain. One beginning of all texts, which `constant_ends` tells, is none.

    Args:
        sides: of texts, two or more.
        rewritten: what normalisation makes of a text, which may take names out.

    >>> def side(path, *texts):
    ...     return Texts(path, True, "", False, False, texts, lambda: iter(texts))
    >>> texts = ["a cat", "the dog", "it sat"] * 10
    >>> named = side("hyp", *(f"{('Ann Lee', 'Bo')[n % 2]}: {text}" for n, text in enumerate(texts)))
    >>> [(message, are_certain) for _, message, are_certain in names_before([named, side("ref", *texts)], str)]
    [("has names of speakers (Ann Lee:, Bo:) before texts, and ref has none: sed -E 's/^ *(Ann Lee:|Bo:) *//' FILE\
 takes them out", True)]
    >>> list(names_before([named, named], str))
    []
    """
    for side in sides:
        if not _names(side.first, rewritten).all:
            continue
        found = _names(list(side.all()), rewritten)
        are_constant = len(found.before) == len(found.all) == 1 and found.covered == found.number
        if found.covered * SOME < found.number or (are_constant and not side.is_by_words):
            continue
        lacking = [other for other in sides if other is not side and _has_none(other, found)]
        if lacking and found.number >= FEWEST:
            yield side, _message(side, lacking[0], found), found.are_certain


def _names(texts: Sequence[str], rewritten: Callable[[str], str]) -> _Names:
    """The names that come twice, as others may be words, and that normalisation leaves."""
    texts = [text.strip() for text in texts if text.strip()]
    found = [_NAMED.fullmatch(text) for text in texts]
    keys = [next(filter(None, each.group("name", "timed", "enclosed"))) if each else "" for each in found]
    counts = Counter(keys)
    names: dict[str, set[str]] = {"before": set(), "alone": set(), "timed": set()}
    covered, is_below = 0, False
    for each, key in zip(found, keys, strict=True):
        if each and counts[key] > 1 and not (each["first"] or "").islower() and rewritten(key).split():
            kind = "timed" if each["timed"] else "before" if each["enclosed"] or each["text"] else "alone"
            names[kind].add(key)
            covered, is_below = covered + 1, kind != "before"
        else:
            covered, is_below = covered + is_below, False
    before, alone, timed = map(sorted, names.values())
    return _Names(before, alone, timed, covered, len(texts))


def _has_none(side: Texts, found: _Names) -> bool:
    """Whether hardly a text begins with a name, or the words of these; of few texts, whether these are hardly there."""
    names = [_bare(name) for name in found.all]
    texts = [text.strip() for text in side.all() if text.strip()]
    if len(texts) < FEWEST:
        return sum(_bare(text).count(name) for text in texts for name in names) * MANY < found.covered
    begin = [_NAMED.fullmatch(text) or _bare(text).startswith(tuple(names)) for text in texts]
    return sum(map(bool, begin)) * MANY < len(texts)


def _bare(text: str) -> str:
    """The words alone, a space around each."""
    return re.sub(r"\W+", " ", f" {text.casefold()} ")


def _message(side: Texts, other: Texts, found: _Names) -> str:
    names = listed(found.all)
    said = f"has names of speakers ({names}) before texts, and {other.path} has none"
    if side.path == other.path:
        said = f"has names of speakers ({names}) before its {side.side}, and none before its {other.side}"
    if len(found.all) > LISTED:
        return f"{said}: take them out of the texts"
    command = found.command(side.formats == ("kaldi-text",))
    if {*side.formats} <= OF_LINES:
        return f"{said}: {command} FILE takes them out"
    of = ", ".join(side.formats)
    return f"{said}: take them out of each text (not in the lines of {of}) as of a line: {command}"
