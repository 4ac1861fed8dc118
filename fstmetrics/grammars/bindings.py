"""Sides with open words: `bindings`, what they stand for in a text; `spelt`, how such a side is written then."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product

from fstmetrics.grammars.model import REFERENCE, Side
from fstmetrics.grammars.open_words import Open

Opens = Mapping[str, Open]
# The values of open words, by name.
Bound = dict[str, Hashable]
# Of a word: a literal piece, or the name and column of an open word.
Piece = tuple[str, str, int]
_Ways = Iterator[tuple[int, Bound, tuple[str, ...]]]


def word_pattern(word: str, opens: Opens) -> str:
    """A regular expression that matches every word that a word with open words in it stands for."""
    return "".join(
        f"(?:{opens[name].beside_others[column - 1]})" if name else re.escape(literal)
        for literal, name, column in _pieces(word)
    )


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def bindings(side: Side, words: Sequence[str], opens: Opens) -> Iterator[tuple[Bound, tuple[str, ...]]]:
    """What the open words of a side stand for, given words that the engine has found to fit the side.

    Yields:
        The values, and the words as the rule has them.
    """
    if not side:
        if not words:
            yield {}, ()
        return
    written: list[tuple[str, ...]] = []
    stack: list[tuple[_Ways, int, Bound]] = [(_ways(side[0], words, 0, opens), 0, {})]
    while stack:
        ways, at, known = stack[-1]
        del written[len(stack) - 1 :]
        if (way := next(ways, None)) is None:
            stack.pop()
            continue
        taken, bound, found = way
        if any(known.get(name, value) != value for name, value in bound.items()):
            continue
        written.append(found)
        at, known = at + taken, known | bound
        if len(stack) < len(side):
            stack.append((_ways(side[len(stack)], words, at, opens), at, known))
        elif at == len(words):
            yield known, tuple(chain.from_iterable(written))


def _ways(word: str, words: Sequence[str], at: int, opens: Opens) -> _Ways:
    """The ways to read one word of a side: how many words it takes, what is bound, the words as the rule has them."""
    references = REFERENCE.findall(word)
    if references and opens[references[0][0]].in_words(int(references[0][1])):
        return _phrases(references[0][0], words[at:], opens)
    if at == len(words):
        return iter(())
    return _word(word, words[at], opens) if references else iter([(1, {}, (word,))])


def _phrases(name: str, words: Sequence[str], opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """Beginnings of the words that are a number."""
    read = opens[name].read_words
    assert read is not None
    lowered = tuple(word.lower() for word in words)
    for taken in range(1, len(words) + 1):
        value = read(lowered[:taken])
        if value is not None:
            yield taken, {name: value}, lowered[:taken]


def _word(word: str, found: str, opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """A word with open words in it, taken apart in every way."""
    for bound, written in _parts(_pieces(word), found, opens):
        yield 1, bound, (written,)


def _parts(pieces: Sequence[Piece], found: str, opens: Opens) -> Iterator[tuple[Bound, str]]:
    """What the open words stand for in what is left of a word, and that as the rule has it."""
    if not pieces:
        if not found:
            yield {}, ""
        return
    literal, name, column = pieces[0]
    if name:
        ends = range(len(found) + 1) if len(pieces) > 1 else (len(found),)
        first = ((end, _value(opens[name], column, found[:end]), found[:end]) for end in ends)
    else:
        fits = found[: len(literal)].lower() == literal.lower()
        first = (whole for whole in [(len(literal), None, literal)] if fits)
    for end, value, written in first:
        if name and value is None:
            continue
        for others, rest in _parts(pieces[1:], found[end:], opens):
            if not name or others.get(name, value) == value:
                yield (others | {name: value} if name else others), written + rest


def _value(kind: Open, column: int, found: str) -> Hashable | None:
    return kind.read(found, column) if _compiled(kind.patterns[column - 1]).fullmatch(found) else None


@lru_cache(maxsize=4096)
def _pieces(word: str) -> tuple[Piece, ...]:
    """A word as literal pieces and references: (literal, "", 0) or ("", name, column)."""
    pieces: list[Piece] = []
    last = 0
    for found in REFERENCE.finditer(word):
        pieces += [(word[last : found.start()], "", 0), ("", found[1], int(found[2]))]
        last = found.end()
    return tuple(piece for piece in (*pieces, (word[last:], "", 0)) if any(piece))


def spelt(side: Side, bound: Bound, opens: Opens) -> Iterator[tuple[str, ...]]:
    """The ways to write a side, given what its open words stand for."""
    for words in product(*(_written(word, bound, opens) for word in side)):
        yield tuple(part for word in words for part in word.split())


def _written(word: str, bound: Bound, opens: Opens) -> list[str]:
    forms = [""]
    for literal, name, column in _pieces(word):
        texts = opens[name].write(bound[name], column) if name else (literal,)
        forms = [form + text for form in forms for text in texts]
    return forms
