r"""Words as they can be shown: control characters, which a terminal would obey, are written as `\x1b`."""

from __future__ import annotations

import unicodedata

# Beside the control characters: marks that turn the direction of what follows, and the separators of lines.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")


def printable(text: str) -> str:
    r"""The text with control characters, lone surrogates and marks of direction as escapes.

    Joiners and other marks that scripts need stay. Line ends are escaped, too: a word has none.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(c.encode("unicode_escape").decode() if _is_unsafe(c) else c for c in text)


def _is_unsafe(character: str) -> bool:
    return character in TURNING or unicodedata.category(character) in ("Cc", "Cs")
