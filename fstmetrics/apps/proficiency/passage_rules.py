"""Levels of examinations from the labels of their passages, by rules that users write: `PassageRules`.

In [H12 §5] graders label each passage SM, MM, IM, HM or NT, and over 100 rules, which are not published, make a level
of the three labels. Here the rules are a file, so that those who have such rules can use them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fstmetrics import FstmetricsError
from fstmetrics.support.source import Source

# Fits every label.
ANY = "*"


def parted(text: str, mark: str) -> tuple[str, ...]:
    """The parts between marks, without white space around them.

    >>> parted("SM, MM ,*", ",")
    ('SM', 'MM', '*')
    """
    return tuple(part.strip() for part in text.split(mark))


def levels_of(text: str) -> frozenset[str]:
    """Levels with bars between them; whole numbers as such, as tables have 2.0 for 2.

    >>> sorted(levels_of("1+ | 2.0"))
    ['1+', '2']
    """
    return frozenset(re.sub(r"^(\d+)\.0+$", r"\1", level) for level in parted(text, "|"))


@dataclass(frozen=True)
class PassageRules:
    """Rules in order: labels of the passages, `*` for any, and the levels that an examination with such labels has.

    >>> rules = PassageRules(((("HM", "HM"), frozenset({"3"})), (("*", "HM"), frozenset({"2", "2+"}))))
    >>> sorted(rules.levels(["MM", "HM"]))
    ['2', '2+']
    """

    rules: tuple[tuple[tuple[str, ...], frozenset[str]], ...]

    @classmethod
    def read(cls, path: str | Path) -> PassageRules:
        """Read lines of labels, a tab, and levels: `SM,MM,*<tab>1|1+`; empty lines and comments (#) are none.

        Raises:
            InputError: a line without a tab, an empty label or level, or another number of passages than in the first.
        """
        source = Source.open(path)
        rules: list[tuple[tuple[str, ...], frozenset[str]]] = []
        for number, line in source.lines():
            if not line.strip() or line.startswith("#"):
                continue
            labels, tab, levels = line.partition("\t")
            rule = parted(labels, ","), levels_of(levels)
            if not tab or "" in rule[0] or "" in rule[1]:
                raise source.error("expected labels, a tab and levels, such as SM,MM,*<tab>1|1+", number)
            if rules and len(rule[0]) != len(rules[0][0]):
                raise source.error(
                    f"expected labels of {len(rules[0][0])} passages as in the first rule, found {len(rule[0])}",
                    number,
                )
            rules.append(rule)
        if not rules:
            raise source.error(
                "there is no rule; a line is labels, a tab and levels, such as SM,MM,*<tab>1|1+"
            )
        return cls(tuple(rules))

    def levels(self, labels: Sequence[str]) -> frozenset[str]:
        """The levels by the first rule that fits.

        Raises:
            FstmetricsError: no rule fits the labels.
        """
        for wanted, levels in self.rules:
            if len(wanted) == len(labels) and all(
                rule in (ANY, label) for rule, label in zip(wanted, labels, strict=True)
            ):
                return levels
        raise FstmetricsError(f"no rule fits the labels {','.join(labels)}")
