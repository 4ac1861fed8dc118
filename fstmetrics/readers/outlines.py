"""What tells a format without importing its module: `Outline`. The modules of all formats take longer than a small run.

`known_formats.py` has the outlines of the formats that ship; `list_formats` writes it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import NamedTuple

from fstmetrics.readers.items import Format, Holds, Recognised
from fstmetrics.support.source import Source

PACKAGE = "fstmetrics.readers.formats"


class Outline(NamedTuple):
    """A format of a module of `formats`. Attributes not listed are those of the `Format`.

    Attributes:
        module: the module's name in the folder.
        signature: the pattern of the format's signature; None where it has none.
        flags: the flags of that pattern.
        has_folder: whether whole folders are in this format.
        literal: bytes that all content with the signature has; to look for them is quicker than the pattern.
    """

    name: str
    module: str
    holds: Holds
    recognised: Recognised
    extensions: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    signature: bytes | None = None
    flags: int = 0
    has_folder: bool = False
    literal: bytes = b""

    @classmethod
    def of(cls, format: Format, module: str) -> Outline:
        """The outline of a format of a module."""
        signature = format.signature
        return cls(
            format.name,
            module,
            format.holds,
            format.recognised,
            format.extensions,
            format.before,
            signature.pattern if signature else None,
            signature.flags if signature else 0,
            format.folder is not None,
        )

    @property
    def format(self) -> Format:
        """The format itself; its module is imported."""
        return next(format for format in formats_of(self.module) if format.name == self.name)

    def begins(self, source: Source) -> bool:
        """Whether content has the signature, if the format has any."""
        if self.signature is None:
            return True
        if self.literal not in source.beginning:
            return False
        return _compiled(self.signature, self.flags).match(source.beginning) is not None

    def fits(self, source: Source) -> bool:
        """Whether content looks like this format; its module is imported only where the signature is there."""
        return self.begins(source) and self.format.fits(source)


@cache  # `re` has room for fewer, and takes longer to find one
def _compiled(signature: bytes, flags: int) -> re.Pattern[bytes]:
    return re.compile(signature, flags)


def formats_of(module: str) -> list[Format]:
    """The formats of a module of the folder."""
    found = vars(import_module(f"{PACKAGE}.{module}")).values()
    return [value for value in found if isinstance(value, Format)]
