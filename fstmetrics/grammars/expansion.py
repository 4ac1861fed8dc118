"""From rules with lists to plain rules: `plain_rules`, one for each choice of rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal, NamedTuple

from fstmetrics.grammars.glm import CASE_COUNTS
from fstmetrics.grammars.model import BEGIN, REFERENCE, Grammar, Rule, Side
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation, is_punctuation

# Where taking out punctuation would make another number: 5:30, 2.5, 1/2, 20%, #1.
MARKED_NUMBER = re.compile(r"\d[^\w\s$€£¥+<>=^`|~]\d|\d[%‰]|#\d")
# Rewrites a text that has references to lists, given a row for each list.
_Filler = Callable[[tuple[tuple[str, ...], ...]], str]


class PlainRule(NamedTuple):
    """A rule in which only open words are left.

    Attributes:
        rule: which rule.
        sides: its sides, their words as those of a text are when rules see them (`Normalisation.written`).
        bare: for each side what it is without punctuation, where a text that has none may be looked through for that.
        joins: for each side whether taking out its punctuation joins an open word to what stands beside it.
    """

    rule: Rule
    sides: tuple[Side, ...]
    bare: tuple[Side | None, ...]
    joins: tuple[bool, ...]


def plain_rules(grammar: Grammar, normalisation: Normalisation) -> Iterator[PlainRule]:
    """All plain rules of a grammar, under a normalisation.

    Rules that rest on case are left out where case is folded, and so are rules that say nothing once their words are
    written as those of a text are: a side to be looked for has vanished, or all sides are the same.

    Raises:
        FstmetricsError: case is folded, and a GLM file does not say that its rules hold in any case.
    """
    if normalisation.folds_case and CASE_COUNTS in grammar.notes:
        raise FstmetricsError(
            f"grammar {grammar.name}: no rule of a GLM file applies where case is folded, unless it says at its top: * "
            "case_sensitive = 'F'"
        )
    words = _Words(normalisation, grammar.homographs)
    for rule in grammar.rules:
        if not rule.sides or (rule.exact_case and normalisation.folds_case):
            continue
        for texts in _filled(rule, grammar):
            sides = tuple(map(words.of, texts))
            looked_for = all(side for i, side in enumerate(sides) if rule.matches(i))
            says_something = len(set(sides)) > 1 or any(BEGIN in text for text in texts)
            if looked_for and says_something:
                bare = tuple(words.bare(text) if rule.matches(i) else None for i, text in enumerate(texts))
                yield PlainRule(rule, sides, bare, tuple(map(words.joins, texts)))


def _filled(rule: Rule, grammar: Grammar) -> Iterator[tuple[str, ...]]:
    """The sides as texts, once for each choice of rows of the lists they name."""
    texts = [" ".join(side) for side in rule.sides]
    names = dict.fromkeys(
        name for text in texts for name, _ in REFERENCE.findall(text) if name in grammar.lists
    )
    if not names:
        yield tuple(texts)
        return
    fillers = [_filler(text, list(names)) for text in texts]
    for rows in product(*(grammar.lists[name] for name in names)):
        yield tuple(fill(rows) for fill in fillers)


def _filler(text: str, names: list[str]) -> _Filler:
    pattern, last = "", 0
    for found in REFERENCE.finditer(text):
        pattern += _literal(text[last : found.start()])
        name, column = found[1], int(found[2])
        pattern += f"{{{names.index(name)}[{column - 1}]}}" if name in names else found[0]
        last = found.end()
    pattern += _literal(text[last:])
    return lambda rows: pattern.format(*rows)


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


class _Words:
    """Words under a normalisation, each worked out once."""

    def __init__(self, normalisation: Normalisation, homographs: frozenset[str]) -> None:
        self._written = normalisation.written
        takes_out = normalisation.remove_punctuation and normalisation.normaliser is None
        self._after = normalisation.after_rules if takes_out else None
        self._homographs = homographs
        self._known: dict[str, Side] = {}
        self._losses: dict[str, Literal["", "word", "meaning"]] = {}

    def of(self, text: str) -> Side:
        words = text.split()
        if self._written.is_plain:
            return tuple(words)
        return tuple(part for word in words for part in self._parts(word))

    def joins(self, text: str) -> bool:
        """Whether taking out punctuation joins an open word to what stands beside it: `{A}-{B}`."""
        return self._after is not None and any(
            self._loss(word) == "meaning" for word in text.split() if BEGIN in word
        )

    def bare(self, text: str) -> Side | None:
        """A side without its punctuation; None where it has none, or says something else without it.

        It does where it becomes one of the grammar's homographs ("we're" is "were"), and where taking out punctuation
        takes a word that it is told by ("accordingly ,"), or joins an open word to what stands beside it ("{A}-{B}") or
        digits to digits (5:30), or what is left is another number (20%).
        """
        if self._after is None or any(map(self._loss, text.split())):
            return None
        side = self.of(text)
        changed = tuple(
            part for word in side for part in ([word] if BEGIN in word else self._after.arc_words(word))
        )
        return None if changed == side or is_homograph(side, changed, self._homographs) else changed

    def _loss(self, word: str) -> Literal["", "word", "meaning"]:
        """What is lost with a word's punctuation: all of it, or its meaning."""
        if word not in self._losses:
            literal = REFERENCE.sub("", word)
            marks = sum(map(is_punctuation, literal))
            joins = MARKED_NUMBER.search(word) or (marks and literal != word)
            self._losses[word] = "word" if marks == len(word) else "meaning" if joins else ""
        return self._losses[word]

    def _parts(self, word: str) -> Side:
        if word not in self._known:
            # A tokenizer would not know an open word; what it stands for is normalised when that is known.
            self._known[word] = (word,) if BEGIN in word else tuple(self._written.arc_words(word))
        return self._known[word]


def is_homograph(written: Side, changed: Side, homographs: frozenset[str]) -> bool:
    """Whether a word has become another one, that means something else, without its punctuation."""
    return (
        len(changed) == 1 and (one := changed[0].lower()) in homographs and one != " ".join(written).lower()
    )
