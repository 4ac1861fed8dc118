"""Who hears what long work is doing: `listener`. Nobody, as a rule; of commands their terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Protocol, TypeVar


class Listener(Protocol):
    """What is told."""

    def stages(self, title: str = "") -> AbstractContextManager[Callable[[str, int, int | None], None]]:
        """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many.

        Args:
            title: what is done first, or all the while.
        """
        return nullcontext(lambda what, done, of: None)

    def counter(
        self, title: str, total: int | None, printing: bool = False
    ) -> AbstractContextManager[Callable[[int], None]]:
        """A function to be told how many more items are done."""
        return nullcontext(lambda more: None)

    def say(self, *messages: str) -> None:
        """Something is left out."""


class Nobody(Listener):
    """A listener that does not listen."""

    def say(self, *messages: str) -> None:
        """Nothing is shown."""


# That of this thread; in threads that it starts nobody listens.
listener: ContextVar[Listener] = ContextVar("listener", default=Nobody())  # noqa: B039 (it has no state)

Kind = TypeVar("Kind")


def ticks(
    items: Iterable[Kind],
    title: str,
    total: int | None = None,
    printing: bool = False,
    size: Callable[[Kind], int] = lambda _: 1,
) -> Iterator[Kind]:
    """Pass items on; who listens hears how many.

    Args:
        items: what to count.
        title: what is done with them.
        total: how many there are; None where nobody knows.
        printing: whether standard output is written to meanwhile.
        size: how many one counts for.
    """
    with listener.get().counter(title, total, printing) as count:
        for item in items:
            yield item
            count(size(item))
