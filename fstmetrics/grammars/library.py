"""Grammars by name: those that ship with the package, and files given by path. What is loaded is kept.

A name is `en.contractions`; `en` and `en.text` are the English grammars that suit written text, `en.speech` those
that suit transcripts of speech (their line `suits:`), `@hits`. `NAME@0.5` sets what each rewrite costs; with
`NAME@hits` it is used only where every word that it writes is a hit. Where a name
has a slash or is a file, it is a path.

Grammar files of all kinds: the notation, NIST GLM and synonym lists, recognised by what they hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fstmetrics.grammars import glm
from fstmetrics.grammars.model import Grammar, Rule
from fstmetrics.grammars.rule_notation import OPERATORS, parse
from fstmetrics.grammars.widening import Widening
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_bytes import state_of
from fstmetrics.support.shipped_grammars import SUFFIX, names, shipped_folder
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation

# One grammar or several: names, several of them with commas between, or objects.
Grammars = str | Grammar | Sequence[str | Grammar]


def load(name: str) -> Grammar:
    """One grammar by name or path; `NAME@COST` sets its cost.

    Raises:
        FstmetricsError: no such grammar, or a name that stands for several.
        InputError: a file that cannot be read.
    """
    found = resolve(name)
    if len(found) != 1:
        raise FstmetricsError(f"{name!r} names {len(found)} grammars, and one is wanted")
    return found[0]


def resolve(grammars: Grammars) -> tuple[Grammar, ...]:
    """The grammars that a caller names, in order, each once.

    Raises:
        FstmetricsError, InputError: as of `load`.
    """
    if isinstance(grammars, str | Grammar):
        grammars = [grammars]
    found: dict[Grammar, None] = {}
    for item in grammars:
        if not isinstance(item, str | Grammar):
            raise FstmetricsError(f"a grammar is a name, a path or a Grammar, not {type(item).__name__}")
        found |= dict.fromkeys([item] if isinstance(item, Grammar) else _named(item))
    return tuple(found)


def signature(grammars: Grammars) -> str:
    """Names and costs, for a score's signature."""
    return ",".join(grammar.signature() for grammar in resolve(grammars))


def widening_of(grammars: Grammars, normalisation: Normalisation) -> Widening:
    """The grammars compiled for words under a normalisation, kept for the next time."""
    return Widening.of(resolve(grammars), replace(normalisation, unit="word"))


def _named(text: str) -> Iterator[Grammar]:
    for name in text.split(","):
        if not (name := name.strip()):
            raise FstmetricsError(f"a grammar's name is empty in {text!r}")
        base, at, cost = name.rpartition("@")
        if at and not os.path.exists(name):
            yield from (_hits(one) if cost == "hits" else _priced(one, cost) for one in _named(base))
        else:
            yield from _plain(name)


def _plain(name: str) -> list[Grammar]:
    if "/" in name or os.sep in name or os.path.isfile(name):
        return [_from_file(name, state_of(name))]
    if name == "-":
        raise FstmetricsError("a grammar is a name or a file, and is not read from standard input (-)")
    known = names()
    if name in known:
        return [_shipped(name)]
    language, _, suited = name.partition(".")
    family = [_shipped(other) for other in known if other.startswith(language + ".")]
    if found := [grammar for grammar in family if (suited or "text") in grammar.suits]:
        return list(map(_hits, found)) if suited == "speech" else found
    raise FstmetricsError(
        f"there is no grammar {name!r}: it is no file, and those that ship are {', '.join(known) or 'none'}; "
        "en is all for written text, en.speech all for speech"
    )


@lru_cache(maxsize=64)
def _priced(grammar: Grammar, cost: str) -> Grammar:
    return grammar.at_cost(cost)


@lru_cache(maxsize=64)
def _hits(grammar: Grammar) -> Grammar:
    return grammar.of_hits()


@lru_cache(maxsize=64)
def _shipped(name: str) -> Grammar:
    path = shipped_folder().joinpath(*name.split(".")).with_suffix(SUFFIX)
    return replace(read(path), name=name)


@lru_cache(maxsize=64)
def _from_file(path: str, version: object) -> Grammar:
    """A file as it was at some time: a changed file is read again."""
    return read(path)


def read(path: str | Path) -> Grammar:
    """Read a grammar file; gzip is transparent. Its name is the file's stem.

    Raises:
        InputError: it cannot be read; the message has the line.
    """
    source = Source.open(path)
    if glm.looks_like(legacy := glm.decoded(source)):
        return glm.read(legacy)
    if _is_synonym_list(source):
        return _synonyms(source)
    return parse(source.text, source.stem, source.path)


def _is_synonym_list(source: Source) -> bool:
    """Whether every line has one bar, and none an operator of the notation."""
    lines = [line for _, line in _filled_lines(source)]
    return bool(lines) and all(
        line.count("|") == 1 and not OPERATORS.keys() & {*line.replace("|", " ").split()} for line in lines
    )


def _synonyms(source: Source) -> Grammar:
    """A synonym list, `LHS | RHS1 ; RHS2`: what the reference says on the left may be said as on the right (fstalign).

    Raises:
        InputError: a line without a left side.
    """
    rules = []
    for number, line in _filled_lines(source):
        left, _, right = line.partition("|")
        sides = [tuple(side.split()) for side in (left, *right.split(";"))]
        if not sides[0]:
            raise source.error("there is nothing left of |; expected LHS | RHS1 ; RHS2", number)
        rules.append(Rule(tuple(sides), "to", line.strip(), number))
    return Grammar(source.stem, tuple(rules), f"synonyms of {source.name}")


def _filled_lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in source.lines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
