"""What a shell offers behind a command: names of a kind (`offered`), or files where any text may stand (`Text`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Text(click.types.StringParamType):
    """Any text. Most are names of files, so a shell offers those."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """One item that asks the shell for files."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def offered(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Those of some names that begin so."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
