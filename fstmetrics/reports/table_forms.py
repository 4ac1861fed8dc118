"""Tables to paste: Markdown, LaTeX with booktabs, CSV and TSV. A form is a name of `Form` and a row of `FORMS`.

A report in a form is `formed_lines`, its summary as rows of data `summary_rows`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeGuard

from fstmetrics.support.printable import Best

if TYPE_CHECKING:
    from fstmetrics.reports.summary import Part, Table

# How tables may be printed.
Form = Literal["markdown", "latex", "csv", "tsv"]
# Members of a summary that say how its numbers came about, and those of rows that are as long as the data.
ABOUT = ("settings", "formats", "pairing", "signature")
LONG = ("delays", "scores")
# What lines of signatures begin with.
SIGNATURES = ("fstmetrics|", "sacrebleu: ")


class Cell(str):
    """A number, stars behind it, and what stands behind these; a number that is `Best` is bold."""

    __slots__ = ("mark", "number", "rest")
    mark: str
    number: str
    rest: str

    def __new__(cls, number: str = "", mark: str = "", rest: str = "") -> Cell:
        """Of the three parts."""
        found = super().__new__(cls, f"{number}{mark}{rest}")
        found.number, found.mark, found.rest = number, mark, rest
        return found


def markdown(text: str) -> str:
    """Text in a cell or a line of Markdown."""
    if isinstance(text, Cell):
        return markdown(text.number) + markdown(text.mark + text.rest)
    shown = "".join("\\" + c if c in r"\`*_{}[]<>|" else c for c in text)
    return f"**{shown.strip()}**" if isinstance(text, Best) else shown


def latex(text: str) -> str:
    """Text in a cell of LaTeX."""
    if isinstance(text, Cell):
        mark, rest = f"^{{{text.mark}}}" if text.mark else "", text.rest.replace("%", r"\%")
        if text.number[:1] in ("-", "+"):
            return f"${text.number}{mark}${rest}"
        return latex(text.number) + (f"${mark}$" if mark else "") + rest
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
    special |= {"[": "{[}"}  # at the beginning of a row it would be an option of the \\ before it
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    shown = "".join(special.get(c, c) for c in text)
    return rf"\textbf{{{shown}}}" if isinstance(text, Best) else shown


def markdown_lines(parts: Iterable[Table | str]) -> Iterator[str]:
    """Tables, and what is said of them, in Markdown, an empty line between any two."""
    for number, part in enumerate(parts):
        yield from [""] if number else []
        if isinstance(part, str):
            yield f"`{part}`" if part.startswith(SIGNATURES) else markdown(part)
            continue
        yield from [markdown(part.title), ""] if part.title else []
        head, names = part.rows[0], max(part.names, 1)
        yield "| " + " | ".join(map(markdown, head)) + " |"
        yield "|---" * names + "|---:" * (len(head) - names) + "|"
        for row in part.rows[1:]:
            yield "| " + " | ".join(map(markdown, row)) + " |"
        for note in part.notes:
            yield from ["", markdown(note)]


def latex_lines(parts: Iterable[Table | str]) -> Iterator[str]:
    """The same in LaTeX, in which what is said are comments."""
    yield r"% \usepackage{booktabs}"
    for part in parts:
        if isinstance(part, str):
            yield f"% {part}"
            continue
        yield from [f"% {part.title}"] if part.title else []
        head, names = part.rows[0], max(part.names, 1)
        yield rf"\begin{{tabular}}{{{'l' * names}{'r' * (len(head) - names)}}}"
        yield r"\toprule"
        yield " & ".join(map(latex, head)) + r" \\"
        yield r"\midrule"
        for row in part.rows[1:]:
            yield " & ".join(map(latex, row)) + r" \\"
        yield r"\bottomrule"
        yield r"\end{tabular}"
        yield from (f"% {note}" for note in part.notes)


class TableForm(NamedTuple):
    """A form of tables.

    Attributes:
        help: what help pages say that is printed.
        pasted: lines of tables and of what is said of them; None of a form of one table of data.
        delimiter: what stands between the cells of that.
    """

    help: str
    pasted: Callable[[Iterable[Table | str]], Iterator[str]] | None = None
    delimiter: str = ""


# All of them: each is an option of the commands that print tables.
FORMS: dict[Form, TableForm] = {
    "markdown": TableForm("Markdown tables", markdown_lines),
    "latex": TableForm("LaTeX tables", latex_lines),
    "csv": TableForm("one table as CSV, with numbers in full", delimiter=","),
    "tsv": TableForm("the same with tabs", delimiter="\t"),
}


def is_pasted(form: Form | Literal["json"] | None) -> bool:
    """Whether a form is of tables to paste, which have what is said of them beside them, and is no data."""
    return form in FORMS and FORMS[form].pasted is not None


def separated_lines(rows: Sequence[Mapping[str, object]], delimiter: str) -> Iterator[str]:
    """Rows as CSV or the like, one head for all: what a row lacks, or has no number for, is an empty cell.

    The columns depend on what is asked for, not on the numbers: those that are empty in all rows stay. Numbers are
    written in full.

    >>> list(separated_lines([{"a": 1, "b": None}, {"a": 0.5, "c": "x,y"}], ","))
    ['a,b,c', '1,,', '0.5,,"x,y"']
    """
    columns = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[row.get(name) for name in columns] for row in rows])
    yield from text.getvalue().splitlines()


def flat(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and texts as cells of a row.

    Those of a mapping stand in columns of their own, of a list or a mapping within it with its name in front. A value
    of several fields is one text; other lists, as of the scores of runs, are left out.

    >>> flat({"score": 1, "details": {"ratio": 2, "of": [3, 4], "marks": {".": {"per": 5}}}, "runs": [6]})
    {'score': 1, 'ratio': 2, 'of_1': 3, 'of_2': 4, 'marks_._per': 5}
    """
    found: dict[str, Any] = {}
    for name, value in numbers.items():
        if isinstance(value, Mapping):
            found |= {key: cell for each, inner in value.items() for key, cell in cells(each, inner)}
        elif name == "value" and isinstance(value, list | tuple):  # of several fields together
            found[name] = ", ".join(map(str, value))
        elif not isinstance(value, list | tuple):
            found[name] = value
    return found


def cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The columns of a member of a row: those of a mapping or a list have its name in front, and words are one text.

    >>> list(cells("words", ["a", "b"])), list(cells("of", [3, 4])), list(cells("best", {"score": 1}))
    ([('words', 'a b')], [('of_1', 3), ('of_2', 4)], [('best_score', 1)])
    """
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        value = " ".join(value)
    elif isinstance(value, list | tuple):
        value = dict(enumerate(value, 1))
    if not isinstance(value, Mapping):
        yield name, value
        return
    for key, inner in value.items():
        yield from cells(f"{name}_{key}", inner)


def formed_lines(
    parts: Iterable[Part], rows: Callable[[], Iterable[Mapping[str, Any]]], form: Form
) -> Iterator[str]:
    """What is printed in a form.

    Args:
        parts: for tables to paste, in their order; blocks for other programs are left out.
        rows: makes the rows of one table of data.
        form: which of `FORMS`.
    """
    _, pasted, delimiter = FORMS[form]
    if pasted is None:
        return separated_lines(list(rows()), delimiter)
    return pasted(part for part in parts if part and type(part) is not tuple)  # type: ignore[misc]


def summary_rows(summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The JSON object of a report as rows: a row of what it has by itself, then those of each list of objects in it.

    The column `table` says which: `all`, or the name of the list. What the numbers depend on, and remarks, stand in
    JSON only, and so do lists in rows of lists.

    >>> found = {"items": 2, "errors": [{"op": "I", "count": 1}], "moves": {"moves": 0, "words": []}, "settings": {}}
    >>> list(summary_rows(found))
    [{'table': 'all', 'items': 2, 'moves_moves': 0}, {'table': 'errors', 'op': 'I', 'count': 1}]
    """
    own: dict[str, Any] = {}
    tables: dict[str, Sequence[Mapping[str, Any]]] = {}
    for name, value in summary.items():
        if name in ABOUT:
            continue
        for key, inner in value.items() if isinstance(value, Mapping) else [("", value)]:
            title = f"{name}_{key}" if key else name
            if _is_table(inner):
                tables[title] = inner
            elif not isinstance(inner, list | tuple):  # of names or remarks, or a table without rows
                own |= cells(title, inner)
    if own:
        yield {"table": "all"} | own
    for title, rows in tables.items():
        for row in rows:
            members = (
                cells(name, value)
                for name, value in row.items()
                if not (_is_table(value) or (name in LONG and isinstance(value, list | tuple)))
            )
            yield {"table": title} | {name: cell for each in members for name, cell in each}


def _is_table(value: Any) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    are_rows = isinstance(value, list | tuple) and bool(value)
    return are_rows and all(isinstance(row, Mapping) for row in value)
