"""What stands at an end of every text of one side, and of no text of another: a mark of the end, a language, a score.

Nothing is known of such words, so they are scored, and `constant_ends` says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from shlex import quote

from fstmetrics.io.marks import Texts
from fstmetrics.support.names import listed

# Fewer texts tell nothing.
LEAST = 3
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
    ...     return Texts(path, True, "", texts, lambda: iter(texts))
    >>> texts = ["a cat", "the dog", "it sat"]
    >>> list(constant_ends([side("hyp", *(f"{text} <eos>" for text in texts)), side("ref", *texts)], str))
    ["every text of hyp ends with <eos>, which no text of ref has: if it is no word, --ignore '<eos>' leaves it out"]
    """
    texts = [side for side in sides if side.is_text]
    for verb, end in ENDS.items():
        alike = [_alike(side, end, rewritten) for side in texts]
        for side, found in zip(texts, alike, strict=True) if len({*alike}) > 1 else ():
            others = [other for other, its in zip(texts, alike, strict=True) if its != found]
            if found and all(_lacks(other, found, end, rewritten) for other in others):
                yield _remark(side.path, verb, found, [other.path for other in others])


def _at(end: int, texts: Iterable[str], rewritten: Callable[[str], str]) -> Iterator[str]:
    """The word at an end of each text that is not blank."""
    return (words[end] for text in texts if (words := rewritten(text).split()))


def _alike(side: Texts, end: int, rewritten: Callable[[str], str]) -> str:
    """The word that all texts of a side have at an end, or `NUMBER`; empty where there is none."""
    first = list(islice(_at(end, side.first, rewritten), LEAST))
    if len(first) < LEAST:
        return ""
    found = first[0] if first.count(first[0]) == LEAST else NUMBER
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
