"""Remarks as a command prints them: those that say the same of several files or systems are one, `shortened`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fstmetrics.support.names import listed
from fstmetrics.support.printable import ARE_SHORT

# Fewer remarks are shown as they are.
FEW = 3
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def shortened(remarks: Iterable[str]) -> list[str]:
    """Remarks, of each kind the first, and whom else it is of; all of them with `--verbose`, and in Python.

    Those of a kind differ in nothing but numbers and what is in front of the first colon.

    >>> from fstmetrics.support.printable import ARE_SHORT
    >>> before = ARE_SHORT.set(True)
    >>> for line in shortened([*(f"{name}: {n} words are odd" for n, name in enumerate("abcd")), "paired by id"]):
    ...     print(line)
    a: 0 words are odd
      the same, with other numbers, of b, c, d (--verbose shows each)
    paired by id
    >>> ARE_SHORT.reset(before)
    """
    told = list(dict.fromkeys(remarks))
    if len(told) <= FEW or not ARE_SHORT.get():
        return told
    kinds: dict[str, list[str]] = {}
    for remark in told:
        whose, colon, said = remark.partition(": ")
        kinds.setdefault(NUMBER.sub("#", said if colon else remark), []).append(remark)
    found: list[str] = []
    for kind in kinds.values():
        if len(kind) < FEW:
            found += kind
            continue
        first, *others = (remark.partition(": ") for remark in kind)
        numbers = "" if all(other[2] == first[2] for other in others) else ", with other numbers,"
        whose = f" of {listed([other[0] for other in others])}" if first[1] else f" {len(others)} more times"
        found += [kind[0], f"  the same{numbers}{whose} (--verbose shows each)"]
    return found
