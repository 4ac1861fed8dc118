"""Progress on standard error, while it is a terminal.

`bar` over items, `ticks` over as many as come, `spinner` around one long step, `counter` for work that tells how
much it has done. Standard output is never touched: rich would take it to the terminal, too, wherever it goes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from fstmetrics.cli.terminal import console
from fstmetrics.reports.printable import printable

if TYPE_CHECKING:
    from rich.progress import Progress

Kind = TypeVar("Kind")


def bar(items: Iterable[Kind], total: int, title: str) -> Iterator[Kind]:
    """Pass items on, with a bar that vanishes at the end."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    with _progress() as shown:
        yield from shown.track(items, total, description=title)


def ticks(items: Iterable[Kind], title: str, printing: bool = False) -> Iterator[Kind]:
    """Pass items on, of which nobody knows how many there are; a line that counts them vanishes at the end.

    Args:
        items: what to count.
        title: what is done with them.
        printing: whether standard output is written to meanwhile; on a terminal that is progress enough.
    """
    if not _is_shown(printing):
        yield from items
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed} items"), TimeElapsedColumn())
    with _progress(*columns) as shown:
        task = shown.add_task(title, total=None)
        for item in items:
            yield item
            shown.advance(task)


def spinner(title: str) -> AbstractContextManager[Any]:
    """A spinner that vanishes at the end."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.text import Text

    return console(stderr=True).status(Text(printable(title)))


@contextmanager
def stages(printing: bool = False) -> Iterator[Callable[[str, int, int | None], None]]:
    """A function to be told what is being done and how far it is: done of all, None where nobody knows of how many.

    Args:
        printing: as of `ticks`.
    """
    if not _is_shown(printing):
        yield lambda what, done, of: None
        return
    from rich.markup import escape

    with _progress() as shown:
        task = shown.add_task("", total=None)
        yield lambda what, done, of: shown.update(
            task, description=escape(printable(what)), completed=done, total=of
        )


@contextmanager
def counter(title: str, total: int | None, printing: bool = False) -> Iterator[Callable[[int], None]]:
    """A function to be told how many more items are done; `printing` as of `ticks`."""
    done = 0
    with stages(printing) as show:

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(title, done, total)

        yield count


def _is_shown(printing: bool) -> bool:
    return sys.stderr.isatty() and not (printing and sys.stdout.isatty())


def _progress(*columns: Any) -> Progress:
    from rich.progress import Progress

    return Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False)
