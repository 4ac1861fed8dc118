"""Marks that are no part of words, of pieces of words, escapes, markup, choices: `MARKS`, the table, and `one_sided`.

Where one side has such a mark and another has none, words differ that were said alike, so nothing is scored. What all
sides have is words as they are: their numbers are of pieces then. Of words that stand at an end of every text of one
side alone, which may be a mark of the end, a language or a score, nothing is known: `constant_ends` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from shlex import quote
from typing import NamedTuple

from fstmetrics.support.names import listed

# So many texts of a side are looked at; where these have a mark, all of the other sides.
FIRST = 1000
# What a file may begin with, and its lines where files were joined.
BYTE_ORDER = "\ufeff"


class Mark(NamedTuple):
    """A mark.

    Attributes:
        called: what a text with it has.
        signs: one of these is in every text that has it.
        is_in: whether a text has it; None where it cannot tell.
        advice: what takes it out.
        in_all: whether all texts have it that can tell; else one is enough.
        is_of_pieces: whether words are in pieces.
        is_of_choices: whether references leave a choice by it, which an option reads; only hypotheses lack it then.
        is_shown: whether a text shows that its side may have some of it, too; only texts are looked at then. None where
            `is_in` tells.
    """

    called: str
    signs: tuple[str, ...]
    is_in: Callable[[str], bool | None]
    advice: str
    in_all: bool = False
    is_of_pieces: bool = False
    is_of_choices: bool = False
    is_shown: Callable[[str], bool] | None = None

    def lacks(self, side: Texts) -> bool:
        """Whether a side has none."""
        if self.is_of_choices and side.is_reference:
            return False
        if self.is_shown is not None:
            return side.is_text and not any(map(self.is_shown, side.all()))
        return not self.has(islice(side.all(), FIRST) if self.in_all else side.all())

    def has(self, texts: Iterable[str]) -> bool:
        """Whether texts have it.

        >>> MARKS[0].has(["the cat", "a d@@ og"]), MARKS[0].has(["me @@ home"])
        (True, False)
        """
        if not self.in_all:
            return any(self.is_in(text) for text in texts if any(map(text.__contains__, self.signs)))
        told = [answer for answer in map(self.is_in, texts) if answer is not None]
        return bool(told) and all(told)


def _found(expression: str) -> Callable[[str], bool | None]:
    compiled = re.compile(expression)
    return lambda text: compiled.search(text) is not None


def _whole(expression: str) -> Callable[[str], bool | None]:
    """A pattern of a text that is not blank."""
    compiled = re.compile(expression)
    return lambda text: compiled.fullmatch(text.strip()) is not None if text.strip() else None


def _is_of_gpt(text: str) -> bool | None:
    """Whether a word begins with a space as GPT-2 writes it, a letter of Maltese; of one word None, which has none."""
    words = text.split()
    return any(word.startswith("\u0120") for word in words) if len(words) > 1 else None


_ESCAPE = re.compile(r"&(?:apos|quot|amp|lt|gt|#\d{1,3});")
_BARE = re.compile(r"[\"'<>\[\]|]|&(?!\w+;|#\d+;)")


def _is_escaped(text: str) -> bool | None:
    """Whether the characters that Moses escapes are escaped; None where there is none. sacreBLEU unescapes some."""
    if _BARE.search(text):
        return False
    return True if _ESCAPE.search(text) else None


def _is_of_numbers(text: str) -> bool | None:
    """Whether all words are whole numbers; None where there is none."""
    words = text.split()
    return all(map(str.isdecimal, words)) if words else None


def _has_number(text: str) -> bool:
    return any(map(str.isdecimal, text.split()))


_WITHOUT_IDS = "of lines without ids"
# Of commands that do not read choices of plain text.
_ELSE = " (commands without that option read those of trn)"
MARKS: tuple[Mark, ...] = (
    Mark("pieces of words, marked @@", ("@@",), _found(r"\S@@(?:\s|$)"), "sed -E 's/@@( |$)//g'", is_of_pieces=True),
    Mark(
        "pieces of words, marked \u2581", ("\u2581",), _found("(?:^|\\s)\u2581"),
        "sed 's/ //g; s/\u2581/ /g; s/^ //'", is_of_pieces=True,
    ),
    Mark("pieces of words, marked ##", ("##",), _found(r"(?:^|\s)##\w"), "sed 's/ ##//g'", is_of_pieces=True),
    Mark(
        "pieces of words, marked </w>", ("</w>",), _found(r"\S</w>(?:\s|$)"),
        "sed 's/ //g; s/<.w>/ /g' (without ids)", is_of_pieces=True,
    ),
    Mark(
        "pieces of words, marked \uffed", ("\uffed",), _found("(?:^|\\s)\uffed|\uffed(?:\\s|$)"),
        "sed -E 's/ ?\uffed ?//g'", is_of_pieces=True,
    ),
    Mark(
        "pieces of words, with <space> between words", ("<sp", "<SP"), _found(r"(?:^|\s)<(?:space|sp|SPACE)>(?:\s|$)"),
        "sed -E 's/ //g; s/<(space|sp|SPACE)>/ /g' (without ids)", is_of_pieces=True,
    ),
    Mark(
        "pieces of words, marked \u0120", ("\u0120",), _is_of_gpt, "sed 's/ //g; s/\u0120/ /g' (without ids)",
        in_all=True, is_of_pieces=True,
    ),
    Mark(
        "pieces of words, marked _", ("_",), _whole(r"_[^\W_].*"), "sed 's/ //g; s/_/ /g; s/^ //' (without ids)",
        in_all=True, is_of_pieces=True,
    ),
    Mark("byte order marks", (BYTE_ORDER,), _found(BYTE_ORDER), "sed 's/\\xEF\\xBB\\xBF//g'"),
    Mark(
        "escaped characters, as Moses writes them (&apos;, &quot;, &amp;)", ("&",),
        _is_escaped,
        "python3 -c 'import html, sys; sys.stdout.write(html.unescape(sys.stdin.read()))' (Moses' detokenizer.perl "
        "undoes its tokenization, too)", in_all=True,
    ),
    Mark(
        "characters written as \\u and four digits", ("\\u",), _found(r"\\u[0-9a-fA-F]{4}"),
        r"""python3 -c 'import json, re, sys; sys.stdout.write(re.sub(r"(\\u[0-9a-fA-F]{4})+", """
        r"""lambda found: json.loads("\x22%s\x22" % found[0]), sys.stdin.read()))'""",
    ),
    Mark(
        "numbers of pronunciations behind words, as in the(2)", tuple(f"({n})" for n in range(2, 10)),
        _found(r"[^\s()]\([2-9]\)(?:\s|$)"), r"sed -E 's/([^ ()])\([2-9]\)( |$)/\1\2/g'",
    ),
    Mark(
        "markup around each line", ("<",), _whole(r"<(\w+)(?:\s[^<>]*)?>.*</\1>|<p>.*"), "sed -E 's/<[^>]*>//g'",
        in_all=True,
    ),
    Mark(
        "quotation marks around each line", ('"', "\u201c", "\u00ab"),
        _whole('"[^"]*(?:""[^"]*)*",?|\u201c[^\u201c]*\u201d,?|\u00ab[^\u00ab]*\u00bb,?'),
        "sed -E 's/^([^ ]* )? *[\"\u201c\u00ab](.*)[\"\u201d\u00bb],? *$/\\1\\2/'", in_all=True,
    ),
    Mark(
        "signs of a list before each line", ("-", "*", ">", "<", "\u2022"), _whole(r"[-*<>\u2022]\s.*"),
        "sed -E 's/^([^ ]+ )?[-*<>\u2022] /\\1/'", in_all=True,
    ),
    Mark(
        "numbers in place of words", tuple("0123456789"), _is_of_numbers,
        "--symbols TABLE --format kaldi-text, where lines have ids", in_all=True, is_shown=_has_number,
    ),
    Mark(
        "choices as of sclite, { a / b }", ("{",), _found(r"\{[^{}]*/[^{}]*\}"),
        f"--alternations sclite reads them{_ELSE}", is_of_choices=True,
    ),
    Mark(
        "choices in braces, {a|b}", ("{",), _found(r"\{[^{}]*\|[^{}]*\}"), f"--alternations braces reads them{_ELSE}",
        is_of_choices=True,
    ),
    Mark(
        "choices in brackets, [a|b]", ("[",), _found(r"\[[^][]*\|[^][]*\]"),
        f"--alternations brackets reads them{_ELSE}", is_of_choices=True,
    ),
    Mark(
        "choices in parentheses, (a|b)", ("(",), _found(r"\([^()]*\|[^()]*\)"),
        "sed -E 's/\\(([^()]*[|][^()]*)\\)/[\\1]/g' puts them into brackets, which --alternations brackets reads"
        f"{_ELSE}", is_of_choices=True,
    ),
)  # fmt: skip


class Texts(NamedTuple):
    """The texts of one side.

    Attributes:
        path: where they are from.
        is_text: whether they are text; else they are of the first lattice or n-best list.
        advice: how its user says that its words are words as they are; empty where he has said so.
        is_reference: whether it is a reference.
        may_choose: whether an option would read the choices that it leaves.
        first: the first ones; none of networks, whose cards are read when they are asked for.
        all: all of them, from the first one on.
    """

    path: str
    is_text: bool
    advice: str
    is_reference: bool
    may_choose: bool
    first: Sequence[str]
    all: Callable[[], Iterator[str]]


class Found(NamedTuple):
    """A mark that only some sides have: the first of those that have it, and of those that have none."""

    mark: Mark
    having: Texts
    lacking: Texts

    @property
    def message(self) -> str:
        """What to say of it, and what to do, behind the path."""
        advice = self.mark.advice if self.mark.is_of_choices else f"make words of them, {self.mark.advice}"
        return f"has {self.mark.called}, and {self.lacking.path} has none: {advice}"


def one_sided(sides: Sequence[Texts], rewritten: Callable[[str], str]) -> Iterator[Found]:
    """The marks that only some sides have.

    Args:
        sides: two or more.
        rewritten: what normalisation makes of a text, which may take marks out.
    """
    beginnings = ["\n".join(side.first) for side in sides]
    for mark in MARKS:
        having = [
            side
            for side, beginning in zip(sides, beginnings, strict=True)
            if (side.is_text or mark.is_shown is None)
            and any(map(beginning.__contains__, mark.signs))
            and mark.has(side.first)
            and (side.may_choose if mark.is_of_choices else mark.has(map(rewritten, side.first)))
        ]
        for side in sides if having else ():
            if side not in having and mark.lacks(side):
                yield Found(mark, having[0], side)
                break


def shared_pieces(sides: Sequence[Texts]) -> Iterator[Mark]:
    """The marks of pieces that all sides have."""
    return (mark for mark in MARKS if mark.is_of_pieces and all(mark.has(side.first) for side in sides))


# Fewer texts tell nothing.
FEWEST = 3
# Stands for numbers, which differ from text to text; a word has no space.
NUMBER = "a number"
ENDS = {"begins": 0, "ends": -1}
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?")


def constant_ends(sides: Sequence[Texts], rewritten: Callable[[str], str]) -> Iterator[str]:
    """What to say of sides whose texts all begin, or end, with a word that another side lacks, or with a number.

    Args:
        sides: two or more.
        rewritten: what normalisation makes of a text, which may take words out.

    >>> def side(path, *texts):
    ...     return Texts(path, True, "", False, False, texts, lambda: iter(texts))
    >>> texts = ["a cat", "the dog", "it sat"]
    >>> list(constant_ends([side("hyp", *(f"{text} <eos>" for text in texts)), side("ref", *texts)], str))
    ["every text of hyp ends with <eos>, which no text of ref has: if it is no word, --ignore '<eos>' leaves it out"]
    """
    texts = [side for side in sides if side.is_text]
    for verb, end in ENDS.items():
        alike = [_alike(side, end, rewritten) for side in texts]
        for side, found in zip(texts, alike, strict=True) if len({*alike}) > 1 else ():
            others = [other for other, its in zip(texts, alike, strict=True) if its != found]
            # Where all sides have such a word, one is spoken of as another.
            if found and "" in alike and all(_lacks(other, found, end, rewritten) for other in others):
                yield _remark(side.path, verb, found, [other.path for other in others])


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


def _is(found: str, word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None if found == NUMBER else word == found


def _lacks(side: Texts, found: str, end: int, rewritten: Callable[[str], str]) -> bool:
    """Whether no text of a side has the word anywhere, or a number at that end."""
    if found == NUMBER:
        return not any(_is(found, word) for word in _at(end, side.all(), rewritten))
    return not any(found in rewritten(text).split() for text in side.all())


def _remark(path: str, verb: str, found: str, lacking: Sequence[str]) -> str:
    others = "the other side" if path in lacking else listed(lacking)
    if found == NUMBER:
        return (
            f"every text of {path} {verb} with a number, and none of {others} does: if these are no words, as scores "
            "or times, take them out"
        )
    return (
        f"every text of {path} {verb} with {found}, which no text of {others} has: if it is no word, --ignore "
        f"{quote(found)} leaves it out"
    )
