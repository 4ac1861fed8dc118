"""Who hears what long work is doing: nobody, as a rule; commands hear of it while `heard_by` has their terminal.

Work says so by `spinner` around one long step, by `counter` and `stages` for what tells how much is done, and by `say`
for what is left out on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Protocol


class Listener(Protocol):
    """What is told."""

    def spinner(self, title: str) -> AbstractContextManager[None]:
        """Something is being done while a `with` block runs."""

    def stages(
        self, printing: bool = False
    ) -> AbstractContextManager[Callable[[str, int, int | None], None]]:
        """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many.

        Args:
            printing: whether standard output is written to meanwhile.
        """

    def say(self, message: str) -> None:
        """Something is left out."""


class Nobody:
    """A listener that does not listen."""

    def spinner(self, title: str) -> AbstractContextManager[None]:
        """Nothing is shown."""
        return nullcontext()

    def stages(
        self, printing: bool = False
    ) -> AbstractContextManager[Callable[[str, int, int | None], None]]:
        """Nothing is shown."""
        return nullcontext(lambda what, done, of: None)

    def say(self, message: str) -> None:
        """Nothing is shown."""


_listener: ContextVar[Listener] = ContextVar("listener", default=Nobody())  # noqa: B039 (it has no state)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """While a `with` block runs, a listener is told; in other threads nobody is."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def spinner(title: str) -> AbstractContextManager[None]:
    """As of `Listener`."""
    return _listener.get().spinner(title)


def stages(printing: bool = False) -> AbstractContextManager[Callable[[str, int, int | None], None]]:
    """As of `Listener`."""
    return _listener.get().stages(printing)


def say(message: str) -> None:
    """As of `Listener`."""
    _listener.get().say(message)


@contextmanager
def counter(title: str, total: int | None, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to be told how many more items are done; `printing` as of `stages`.

    >>> with counter("scoring", 2) as count:
    ...     count(2)
    """
    done = 0
    with stages(printing) as show:

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(title, done, total)

        yield count
