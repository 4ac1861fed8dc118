"""Tables as sclite draws them: `Layout`, rows of cells in boxes of `|`, `-` and `=`.

A row has a form: a letter for each cell (`l` left, `c` centred, `r` right, `a` part of the cell before it), and between
letters `|` or `=` (a double line) where a line divides them. Columns of rows with equally many letters have the same
widths; narrower rows are spread to the width of the table. `//` in a cell ends a line. The layout is that of the
report generator of SCTK 2.4, so that people and programs read it as they read sclite's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LETTERS = "lcra"
END_OF_LINE = "//"


@dataclass(frozen=True)
class Form:
    """The form of a row.

    Attributes:
        letters: how each cell is aligned.
        divisions: what is between a cell and the next: ` `, `|` or `=`.
    """

    letters: str
    divisions: str

    @classmethod
    def of(cls, text: str) -> Form:
        """A form as it is written: `l|cc`."""
        letters, divisions = "", ""
        for char, after in zip(text, f"{text[1:]} ", strict=True):
            if char in LETTERS:
                letters += char
                divisions += after if after in "|=" else " "
        return cls(letters, divisions)

    def cells(self) -> Iterator[tuple[int, int]]:
        """Places of cells, and how many letters each spans beyond its own."""
        for place, letter in enumerate(self.letters):
            if letter != "a":
                rest = self.letters[place + 1 :]
                yield place, len(rest) - len(rest.lstrip("a"))


@dataclass
class Row:
    """A row.

    Attributes:
        form: its form.
        cells: by place.
        before: lines of one character that stand before it.
        after: those that stand behind it.
    """

    form: Form
    cells: dict[int, list[str]]
    before: str = ""
    after: str = ""


class Layout:
    """A table.

    Args:
        padding: spaces on either side of a cell.
        page: columns of the page in which it is centred; 0: at the left edge.

    >>> table = Layout(padding=1)
    >>> table.row("c", "system")
    >>> table.row("l|r", "ann", "1", before="-")
    >>> table.row("l|r", "bob", "12", before="-")
    >>> print("\\n".join(table.lines()))
    ,----------.
    |  system  |
    |----------|
    | ann |  1 |
    |-----+----|
    | bob | 12 |
    `----------'
    """

    def __init__(self, padding: int = 0, page: int = 0) -> None:
        self._padding = padding
        self._page = page
        self._rows: list[Row] = []

    def row(self, form: str, *cells: str, before: str = "", after: str = "") -> None:
        """Add a row; cells for the letters that are not `a`."""
        parsed = Form.of(form)
        places = (place for place, _ in parsed.cells())
        texts = {place: cell.split(END_OF_LINE) for place, cell in zip(places, cells, strict=False)}
        self._rows.append(Row(parsed, texts, before, after))

    def lines(self) -> Iterator[str]:
        """The table, line by line."""
        widths = self._widths()
        natural = {row.form: self._natural(row.form, widths) for row in self._rows}
        width = max(natural.values())
        margin = " " * max(0, (self._page - width) // 2)
        yield f"{margin},{'-' * (width - 2)}."
        before: Form | None = None
        for row in self._rows:
            shares = self._shares(row.form, widths[len(row.form.letters)], width - natural[row.form])
            for char in row.before:
                yield margin + self._rule(char, row.form, shares, before)
            for line in self._texts(row, shares):
                yield margin + line
            for char in row.after:
                yield margin + self._rule(char, row.form, shares, None)
            before = row.form
        yield f"{margin}`{'-' * (width - 2)}'"

    def _widths(self) -> dict[int, list[int]]:
        """The widths of columns, by how many letters a row has: of single cells, then of what spans several."""
        widths = {len(row.form.letters): [0] * len(row.form.letters) for row in self._rows}
        for row in self._rows:
            own = widths[len(row.form.letters)]
            for place, spanned in row.form.cells():
                if not spanned:
                    own[place] = max(own[place], _longest(row, place))
        for row in self._rows:
            own = widths[len(row.form.letters)]
            for place, spanned in row.form.cells():
                if spanned:
                    self._widen(own, place, place + spanned, _longest(row, place))
        return widths

    def _widen(self, widths: list[int], first: int, last: int, needed: int) -> None:
        """Widen columns evenly, if what spans them is wider."""
        there = sum(widths[first : last + 1]) + (last - first) * (1 + 2 * self._padding)
        columns = last - first + 1
        for place in range(first, last + 1):
            if needed <= there and place == first:
                return
            more = needed - there if place == last else int((needed - there) / columns + 0.5)
            widths[place] += more
            there += more

    def _natural(self, form: Form, widths: dict[int, list[int]]) -> int:
        """How wide a row is if nothing is spread."""
        letters = len(form.letters)
        cells = sum(widths[letters]) + 2 * self._padding * letters
        return 2 + cells + form.divisions.count("=") + letters - 1

    def _shares(self, form: Form, widths: list[int], spare: int) -> dict[int, tuple[int, int]]:
        """For each cell the columns of its text, and those of it all, which the spare columns are spread over."""
        letters, given = len(form.letters), 0
        found = {}
        for place, spanned in form.cells():
            text = widths[place]
            whole = text + 2 * self._padding
            last = place == letters - 1
            for more in range(spanned + 1):
                share = spare - given if last else int(spare / letters * (place + spanned + 1) + 0.5) - given
                given += share
                whole += share
                if more:
                    text += widths[place + more] + 2 * self._padding + 1
                    whole += widths[place + more] + 2 * self._padding + 1
            found[place] = text, whole
        return found

    def _rule(self, char: str, form: Form, shares: dict[int, tuple[int, int]], above: Form | None) -> str:
        """A line of one character, with crossings where lines between cells go on."""
        parts = []
        for place, spanned in form.cells():
            parts.append(char * shares[place][1])
            end = place + spanned
            if end < len(form.letters) - 1:
                division = form.divisions[end]
                lined = above is not None and above.divisions[end : end + 1] in ("|", "=")
                if division == " ":
                    parts.append(char)
                elif char == " ":
                    parts.append("||" if division == "=" else division)
                else:
                    crossing = "+" if char == "-" and lined else char
                    parts.append(crossing * (2 if division == "=" else 1))
        return f"|{''.join(parts)}|"

    def _texts(self, row: Row, shares: dict[int, tuple[int, int]]) -> Iterator[str]:
        """The lines of the cells."""
        for number in range(max((len(texts) for texts in row.cells.values()), default=1)):
            parts = []
            for place, spanned in row.form.cells():
                text, whole = shares[place]
                lines = row.cells.get(place, [""])
                cell = _aligned(lines[number] if number < len(lines) else "", row.form.letters[place], text)
                left = (whole - text) // 2
                parts.append(f"{' ' * left}{cell}{' ' * (whole - text - left)}")
                if place + spanned < len(row.form.letters) - 1:
                    division = row.form.divisions[place + spanned]
                    parts.append("||" if division == "=" else division)
            yield f"|{''.join(parts)}|"


def _longest(row: Row, place: int) -> int:
    return max(map(len, row.cells.get(place, [""])))


def _aligned(text: str, letter: str, width: int) -> str:
    if letter == "l":
        return text.ljust(width)
    if letter == "r":
        return text.rjust(width)
    left = (width - len(text)) // 2
    return f"{' ' * left}{text}".ljust(width)


def centred(text: str, width: int) -> str:
    """A line in the middle of a page, as sclite pads it.

    >>> centred("abc", 8)
    '  abc   '
    """
    return _aligned(text, "c", width)
