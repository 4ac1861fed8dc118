"""Signs of life on standard error while it is a terminal: `bar` over items, `spinner` around one long step."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
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


def spinner(title: str) -> AbstractContextManager[Any]:
    """A spinner that vanishes at the end."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(title))
