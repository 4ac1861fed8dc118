"""`Styled`: text whose pieces have styles, for terminals with colour and for files without."""

from __future__ import annotations

from collections.abc import Callable

# What a terminal is told; `NONE` ends every style.
CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "magenta": "35", "cyan": "36"}
NONE = "\x1b[0m"


class Styled:
    """Pieces of text, each with the name of a style or none.

    >>> text = Styled().append("HYP", style="dim").append(" a")
    >>> text.plain, text.coloured
    ('HYP a', '\\x1b[2mHYP\\x1b[0m a')
    """

    def __init__(self, text: str = "", style: str | None = None) -> None:
        self._pieces: list[tuple[str, str | None]] = []
        self.append(text, style)

    def __bool__(self) -> bool:
        return any(text for text, _ in self._pieces)

    def append(self, text: str, style: str | None = None) -> Styled:
        """Add a piece at the end; the same object is returned."""
        if text:
            self._pieces.append((text, style))
        return self

    def append_text(self, other: Styled) -> Styled:
        """Add the pieces of another text at the end; the same object is returned."""
        self._pieces += other._pieces
        return self

    def rstrip(self) -> None:
        """Remove white space at the end."""
        while self._pieces:
            text, style = self._pieces.pop()
            if kept := text.rstrip():
                self._pieces.append((kept, style))
                return

    def mapped(self, change: Callable[[str], str]) -> Styled:
        """The same with every piece changed."""
        changed = Styled()
        for text, style in self._pieces:
            changed.append(change(text), style)
        return changed

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self._pieces)

    @property
    def coloured(self) -> str:
        """The text with a terminal's codes; no style goes on over the end of a line."""
        return "".join(
            text if style is None else "\n".join(_coded(line, CODES[style]) for line in text.split("\n"))
            for text, style in self._pieces
        )


def _coded(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}{NONE}" if text else ""
