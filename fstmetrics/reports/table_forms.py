"""Tables to paste: Markdown, LaTeX with booktabs, CSV and TSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from fstmetrics.support.printable import Best

# How tables may be printed, and what help pages say of it.
Form = Literal["markdown", "latex", "csv", "tsv"]
FORMS: dict[Form, str] = {
    "markdown": "Markdown tables",
    "latex": "LaTeX tables",
    "csv": "one table as CSV, with numbers in full",
    "tsv": "the same with tabs",
}


def markdown(text: str) -> str:
    """Text in a cell or a line of Markdown."""
    shown = "".join("\\" + c if c in r"\`*_{}[]<>|" else c for c in text)
    return f"**{shown.strip()}**" if isinstance(text, Best) else shown


def latex(text: str) -> str:
    """Text in a cell of LaTeX."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
    special |= {"[": "{[}"}  # at the beginning of a row it would be an option of the \\ before it
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    shown = "".join(special.get(c, c) for c in text)
    return rf"\textbf{{{shown}}}" if isinstance(text, Best) else shown


def markdown_lines(head: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> Iterator[str]:
    """A table of Markdown.

    Args:
        head: of the columns, as text.
        rows: of cells that are Markdown already.
        names: how many columns stand to the left.
    """
    yield "| " + " | ".join(map(markdown, head)) + " |"
    yield "|---" * names + "|---:" * (len(head) - names) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def latex_lines(head: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> Iterator[str]:
    """A table of LaTeX; `rows` of cells that are LaTeX already."""
    yield rf"\begin{{tabular}}{{{'l' * names}{'r' * (len(head) - names)}}}"
    yield r"\toprule"
    yield " & ".join(map(latex, head)) + r" \\"
    yield r"\midrule"
    for row in rows:
        yield " & ".join(row) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def separated_lines(rows: Sequence[Mapping[str, object]], form: Form) -> Iterator[str]:
    """Rows as CSV or TSV, one head for all: what a row lacks, or has no number for, is an empty cell.

    The columns depend on what is asked for, not on the numbers: those that are empty in all rows stay. Numbers are
    written in full.

    >>> list(separated_lines([{"a": 1, "b": None}, {"a": 0.5, "c": "x,y"}], "csv"))
    ['a,b,c', '1,,', '0.5,,"x,y"']
    """
    columns = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="," if form == "csv" else "\t", lineterminator="\n")
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
