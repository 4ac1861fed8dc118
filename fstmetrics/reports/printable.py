r"""Words as they can be shown: control characters, which a terminal would obey, are written as `\x1b`.

- `printable`: a text as it can be shown. `cells_of`: how wide it is then.
"""

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


def cells_of(text: str) -> int:
    """How many columns of a terminal a text takes: letters of East Asian scripts take two, combining marks none.

    >>> cells_of("day"), cells_of("天气"), cells_of("é")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _is_unsafe(character: str) -> bool:
    return character in TURNING or unicodedata.category(character) in ("Cc", "Cs")
