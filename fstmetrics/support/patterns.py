"""Regular expressions that are compiled when they are first used: `pattern`, for `re.compile` of a module's own.

A tenth of a millisecond each; a text that is read goes through modules with fifty, of which it needs a few.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Pattern:
    """What stands for a compiled expression, and has its attributes."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._given = expression, flags

    def __getattr__(self, name: str) -> Any:
        # Python comes here for what is not there yet.
        value = self.__dict__[name] = getattr(re.compile(*self._given), name)
        return value


def pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The same as `re.compile`, later.

    >>> pattern("a+").fullmatch("aa")
    <re.Match object; span=(0, 2), match='aa'>
    """
    return cast("re.Pattern[AnyStr]", _Pattern(expression, flags))
