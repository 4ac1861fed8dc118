"""What texts of one side have alike at their ends, and those of another have not: remarks, as nobody knows more of it.

- `constant_ends`: a word at the beginning or the end of all texts.
- `apart_signs`: signs at the ends of sentences that stand apart.
- `headings`: a first text with `#`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from shlex import quote

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


# Fewer texts that end in a sign tell nothing.
SIGNED = 10
_APART = re.compile(r"(?:^|\s)[.!?\u3002]\s*$")
_ATTACHED = re.compile(r"\w[.!?\u3002]\s*$")


def apart_signs(sides: Sequence[Texts], rewritten: Callable[[str], str]) -> Iterator[str]:
    """What to say where the signs at ends of sentences stand apart on one side, and never so on another.

    Args:
        sides: of texts, two or more, with `FEWEST` texts or more.
        rewritten: what normalisation makes of a text, which may take signs out, or apart.

    >>> def side(path, *texts):
    ...     return Texts(path, True, "", False, False, texts, lambda: iter(texts))
    >>> list(apart_signs([side("hyp", *["it is ."] * 10), side("ref", *["it is."] * 10)], str))
    ['the sentences of hyp end with a sign that stands apart ("word ."), those of ref never do ("word."): tokenize both\
 alike (--tokenize 13a), or neither']
    """
    counts = []
    for side in sides:
        texts = [rewritten(text) for text in side.first]
        apart, attached = (sum(map(bool, map(form.search, texts))) for form in (_APART, _ATTACHED))
        counts.append((side.path, apart, attached))
    tokenized = [path for path, apart, attached in counts if apart >= SIGNED and not attached]
    plain = [path for path, apart, attached in counts if attached >= SIGNED and not apart]
    if tokenized and plain:
        yield (
            f'the sentences of {listed(tokenized)} end with a sign that stands apart ("word ."), those of '
            f'{listed(plain)} never do ("word."): tokenize both alike (--tokenize 13a), or neither'
        )


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
