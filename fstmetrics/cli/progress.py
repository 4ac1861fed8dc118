"""Signs of life on standard error while it is a terminal.

`bar` over items, `ticks` over as many as come, `spinner` around one long step, `counter` for work that tells how
much it has done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def bar(items: Iterable[Kind], total: int, title: str) -> Iterator[Kind]:
    """Pass items on, with a bar that vanishes at the end."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, title, total, console=Console(stderr=True), transient=True)


def ticks(items: Iterable[Kind], title: str) -> Iterator[Kind]:
    """Pass items on, of which nobody knows how many there are; a line that counts them vanishes at the end."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed} items"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=None)
        for item in items:
            yield item
            shown.advance(task)


def spinner(title: str) -> AbstractContextManager[Any]:
    """A spinner that vanishes at the end."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(title))


@contextmanager
def stages() -> Iterator[Callable[[str, int, int | None], None]]:
    """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many."""
    if not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)
        yield lambda what, done, of: shown.update(task, description=what, completed=done, total=of)


@contextmanager
def counter(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A function to be told how many more items are done."""
    done = 0
    with stages() as show:

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(title, done, total)

        yield count
