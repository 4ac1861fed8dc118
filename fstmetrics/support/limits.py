"""How large an input and a search may be: `Limits`, those that hold (`limits()`), and `limited`: others for a while.

What is beyond a limit is refused with an error that names the limit, what was found and how to raise it. Limits never
change a result. The defaults follow the memory that the process may have (`memory_there_is`). They guard the memory and
time of a process, so they hold for all of it, threads included, as `sys.setrecursionlimit` does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from threading import RLock

from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import as_changed

OPTION = "--max"
# Beyond it nothing is limited; sums of it and a file's sizes stay within 64 bits.
MOST = 2**62
# What may be asked for; more is a slip of the keyboard, or would not end.
MOST_PATHS = 1_000_000  # best paths of an item: a kilobyte each
MOST_EVIDENCE = 100_000  # word sequences that stand for a lattice, each compared with each candidate
MOST_SAMPLES = 1_000_000  # resamples: sums for every system and metric each, and p values down to a millionth


def memory_there_is() -> int:
    """Bytes of memory that the process may have: the machine's, or what a container or the shell allows it.

    >>> memory_there_is() > 2**20
    True
    """
    found = [MOST]
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(ImportError, OSError, ValueError):
        import resource

        if (most := resource.getrlimit(resource.RLIMIT_AS)[0]) != resource.RLIM_INFINITY:
            found.append(most)
    for path in _control_groups():
        with suppress(OSError, ValueError):  # "max": no limit
            found.append(int(_content(path)))
    return min(size for size in found if size > 0)


def _content(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _control_groups(root: str = "/sys/fs/cgroup") -> Iterator[str]:
    """Where Linux says what control groups of the process, of version 2 or 1, may use; containers are in some."""
    yield from (f"{root}/memory.max", f"{root}/memory/memory.limit_in_bytes")
    with suppress(OSError, ValueError):
        for line in _content("/proc/self/cgroup").splitlines():
            _, controllers, name = line.split(":", 2)
            if controllers in ("", "memory"):
                file = "memory.limit_in_bytes" if controllers else "memory.max"
                folder = os.path.join(root, controllers, name.lstrip("/")).rstrip("/")
                while folder.startswith(root):
                    yield f"{folder}/{file}"
                    folder = os.path.dirname(folder)


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest input that is taken, and the largest search; each is an integer of at least 1.

    Attributes:
        bytes: of a file once it is unpacked, where it is held whole.
        ratio: bytes that a byte of gzip may become, once they are more than 128 MiB in all.
        states: states of one lattice, network or transcript, those of all cards together.
        arcs: arcs of one, likewise; words of a sentence or of an n-best list.
        nesting: how deep cards may call cards, and choices stand within choices.
        label: bytes of a word or id, in UTF-8.
        expansion: arcs of a network or of permutations written out; beyond, they are searched lazily where that
            is possible, and refused where not. In a search `SearchOptions` may set another one, as with the next two.
        cells: cells of the tables of the topological and chart routes, 8 or 16 bytes each; docs/routes.md.
        nodes: product states that the best-first route may meet, about 100 bytes each.
    """

    bytes: int = 4 * 2**30
    ratio: int = 100
    states: int = 100_000_000
    arcs: int = 100_000_000
    nesting: int = 10_000
    label: int = 65_536
    expansion: int = 20_000_000
    cells: int = 400_000_000
    nodes: int = 30_000_000

    def __repr__(self) -> str:
        return as_changed(self)

    def __post_init__(self) -> None:
        for name in NAMES:
            limit = getattr(self, name)
            if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MOST:
                raise FstmetricsError(
                    f"the limit {name} is {limit!r}, expected a whole number of at least 1 and at most 2^62"
                )

    @classmethod
    def fitting(cls, memory: int) -> Limits:
        """The defaults for a machine with so many bytes of memory: those of the class, or less where they do not fit.

        >>> Limits.fitting(2**31).arcs, Limits.fitting(2**40).arcs
        (10737418, 100000000)
        """
        most = cls()
        return cls(**{name: min(getattr(most, name), max(memory // size, 1)) for name, size in SIZES.items()})

    def check(self, name: str, found: int, what: str, unit: str, path: object = None) -> None:
        """Whether something is within a limit.

        Args:
            name: which limit.
            found: how much there is.
            what: of what, before the number: "lattice 'u1' has".
            unit: what follows the number: "arcs".
            path: the file, for the message.

        Raises:
            InputError: it is not.

        >>> Limits(arcs=3).check("arcs", 4, "u1 has", "arcs", "u1.slf")
        Traceback (most recent call last):
        fstmetrics.support.errors.InputError: u1.slf: u1 has 4 arcs, the limit is 3; --max arcs=N changes it
        """
        if found > getattr(self, name):
            raise self.error(name, f"{what} {found} {unit}", path)

    def error(self, name: str, what: str, path: object = None) -> InputError:
        """An error that says what is too large and how to raise the limit."""
        limit = getattr(self, name)
        return InputError(f"{what}, the limit is {limit}; {OPTION} {name}=N changes it", path)


# Bytes of memory that one takes, about; of a file, its bytes and what is made of them.
SIZES = {"bytes": 2, "states": 64, "arcs": 200, "expansion": 400, "cells": 32, "nodes": 200}
NAMES = tuple(field.name for field in fields(Limits))

# Those outside of every `limited`, the changes of those that run, in the order in which they began, and what holds.
# The changes are swapped under the lock; what holds is one object, so that reading it needs none.
_outside = DEFAULTS = Limits.fitting(memory_there_is())
_running: list[dict[str, int]] = []
_current = _outside
_CHANGING = RLock()


def limits() -> Limits:
    """The limits that hold."""
    return _current


def item_limits() -> tuple[int, int, int]:
    """The limits of states, arcs and bytes of a word, as native readers take them."""
    return _current.states, _current.arcs, _current.label


def check_size(size: int, path: object) -> None:
    """Hold a file to the limit of bytes; InputError."""
    if size > _current.bytes:
        raise _current.error("bytes", f"holds {size} bytes or more", path)


@contextmanager
def limited(**changes: int) -> Iterator[Limits]:
    """Other limits while a `with` block runs, for every thread.

    Of blocks that run at the same time, in one thread or in several, the one that began last decides, limit by limit.
    They may end in any order: each takes back its own changes only, and after the last all is as before.

    Raises:
        FstmetricsError: a limit of less than 1, or no limit of that name.

    >>> with limited(arcs=1_000) as inside:
    ...     inside.arcs, inside.label
    (1000, 65536)
    """
    if unknown := sorted(changes.keys() - set(NAMES)):
        raise FstmetricsError(f"no limit is called {unknown[0]!r}; there are {', '.join(NAMES)}")
    replace(_outside, **changes)  # or refuse them
    try:
        with _CHANGING:
            _running.append(changes)
            _hold()
        yield limits()
    finally:
        with _CHANGING:
            _running[:] = [other for other in _running if other is not changes]
            _hold()


def _hold() -> None:
    global _current
    merged = {name: value for changes in _running for name, value in changes.items()}
    _current = replace(_outside, **merged)


def parsed_limit(text: str) -> tuple[str, int]:
    """A limit as the command line has it, `NAME=NUMBER`.

    Raises:
        FstmetricsError: no limit of that name, or no whole number of at least 1.

    >>> parsed_limit("arcs=5e7")
    ('arcs', 50000000)
    """
    name, _, number = text.partition("=")
    if name not in NAMES:
        raise FstmetricsError(f"{OPTION} takes NAME=NUMBER, NAME one of {', '.join(NAMES)}, not {text!r}")
    is_number = re.fullmatch(r"[0-9]{1,19}|[0-9]+(\.[0-9]+)?e[0-9]{1,2}", number, re.ASCII | re.IGNORECASE)
    value = Decimal(number) if is_number else Decimal(0)
    if not 1 <= value <= MOST or value != int(value):
        raise FstmetricsError(
            f"{OPTION} {name}= takes a whole number from 1 to 2^62, such as 5000000 or 5e6, not {number!r}"
        )
    return name, int(value)
