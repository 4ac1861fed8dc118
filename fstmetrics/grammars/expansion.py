"""From rules with lists to plain rules: `plain_rules`, one for each choice of rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Literal, NamedTuple

from fstmetrics.grammars.model import BEGIN, REFERENCE, Grammar, Rule, Side
from fstmetrics.values.normalisation import Normalisation, is_punctuation

# Where taking out punctuation would make another number: 5:30, 2.5, 1/2.
BETWEEN_DIGITS = re.compile(r"\d[^\w\s$€£¥+<>=^`|~]\d")
# Rewrites a text that has references to lists, given a row for each list.
_Filler = Callable[[tuple[tuple[str, ...], ...]], str]


class PlainRule(NamedTuple):
    """A rule in which only open words are left, and its sides with their words normalised."""

    rule: Rule
    sides: tuple[Side, ...]


def plain_rules(grammar: Grammar, normalisation: Normalisation) -> Iterator[PlainRule]:
    """All plain rules of a grammar, under a normalisation.

    Rules that rest on case are left out where case is folded, and so are rules that say nothing once their words are
    normalised: a side to be looked for has vanished, or all sides are the same. A side that means something else once
    its words are normalised (`_Words.keeps_meaning`) is left out of its rule, and the rule with it if it is the left
    one of an arrow.
    """
    words = _Words(normalisation, grammar.homographs)
    for rule in grammar.rules:
        if not rule.sides or (rule.exact_case and normalisation.lowercase):
            continue
        for texts in _filled(rule, grammar):
            kept = [i for i, text in enumerate(texts) if words.keeps_meaning(text, rule.matches(i))]
            if len(kept) < 2 or (rule.kind != "any" and kept[0] != 0):
                continue
            shorter = (
                rule if len(kept) == len(texts) else replace(rule, sides=tuple(rule.sides[i] for i in kept))
            )
            sides = tuple(words.of(texts[i]) for i in kept)
            looked_for = all(side for i, side in enumerate(sides) if shorter.matches(i))
            says_something = len(set(sides)) > 1 or any(BEGIN in texts[i] for i in kept)
            if looked_for and says_something:
                yield PlainRule(shorter, sides)


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
        self._normalisation = normalisation
        self._homographs = homographs
        self._known: dict[str, Side] = {}
        self._losses: dict[str, Literal["", "word", "meaning"]] = {}

    def of(self, text: str) -> Side:
        words = text.split()
        if self._normalisation.is_plain:
            return tuple(words)
        return tuple(part for word in words for part in self._parts(word))

    def keeps_meaning(self, text: str, looked_for: bool) -> bool:
        """Whether a side still says what it says once its words are normalised.

        It does not where it has become one of the grammar's homographs ("we're" is "were"), and where taking out
        punctuation has taken a word that it is told by ("accordingly ,"), has joined an open word to what stands
        beside it ("{A}-{B}") or digits to digits (5:30).
        """
        if self._normalisation.is_plain:
            return True
        if self._homographs:
            changed = self.of(text)
            if len(changed) == 1 and (one := changed[0].lower()) in self._homographs and one != text.lower():
                return False
        if not self._normalisation.remove_punctuation or not text:
            return True
        losses = [self._loss(word) for word in text.split()]
        return "meaning" not in losses and not (looked_for and "word" in losses)

    def _loss(self, word: str) -> Literal["", "word", "meaning"]:
        """What is lost with a word's punctuation: all of it, or its meaning."""
        if word not in self._losses:
            literal = REFERENCE.sub("", word)
            marks = sum(map(is_punctuation, literal))
            joins = BETWEEN_DIGITS.search(word) or (marks and literal != word)
            self._losses[word] = "word" if marks == len(word) else "meaning" if joins else ""
        return self._losses[word]

    def _parts(self, word: str) -> Side:
        if word not in self._known:
            # A tokenizer would not know an open word; what it stands for is normalised when that is known.
            self._known[word] = (word,) if BEGIN in word else tuple(self._normalisation.arc_words(word))
        return self._known[word]
