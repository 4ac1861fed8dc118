"""Synonym lists, `LHS | RHS1 ; RHS2`: what the reference says on the left may be said as on the right (fstalign)."""

from __future__ import annotations

from collections.abc import Iterator

from fstmetrics.grammars.model import Grammar, Rule
from fstmetrics.grammars.notation import OPERATORS
from fstmetrics.support.source import Source


def looks_like(source: Source) -> bool:
    """Whether every line has one bar, and none an operator of the notation."""
    lines = [line for _, line in _lines(source)]
    return bool(lines) and all(
        line.count("|") == 1 and not OPERATORS.keys() & {*line.replace("|", " ").split()} for line in lines
    )


def read(source: Source) -> Grammar:
    """Read a synonym list.

    Raises:
        InputError: a line without a left side.
    """
    rules = []
    for number, line in _lines(source):
        left, _, right = line.partition("|")
        sides = [tuple(side.split()) for side in (left, *right.split(";"))]
        if not sides[0]:
            raise source.error("there is nothing left of |; expected LHS | RHS1 ; RHS2", number)
        rules.append(Rule(tuple(sides), "to", line.strip(), number))
    return Grammar(source.stem, tuple(rules), f"synonyms of {source.name}")


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in source.lines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line
