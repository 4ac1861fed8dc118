"""A comparison of systems as one table to paste, a column a metric: `markdown_lines`, `latex_lines`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fstmetrics.reports.comparison import describe, p_text, signatures, warnings
from fstmetrics.reports.summary import number
from fstmetrics.significance.comparison import Comparison, TestResult

# Levels that tables mark, strictest first.
LEVELS = ((0.01, "**"), (0.05, "*"))


@dataclass(frozen=True)
class _Cell:
    """What a system, or a test, has under a metric: its number, the stars behind it, and what stands behind these."""

    number: str = ""
    mark: str = ""
    rest: str = ""


def markdown_lines(comparison: Comparison) -> Iterator[str]:
    """One table of scores; stars mark differences from the first system."""
    header, rows = _grid(comparison)
    yield "| " + " | ".join(map(_markdown, header)) + " |"
    yield "|---" + "|---:" * (len(header) - 1) + "|"
    for name, cells in rows:
        shown = [_markdown(cell.number + cell.mark + cell.rest) for cell in cells]
        yield "| " + " | ".join([_markdown(name), *shown]) + " |"
    yield ""
    yield _markdown(_note(comparison))
    for line in (*warnings(comparison), *(f"`{line}`" for line in signatures(comparison))):
        yield from ("", line)


def latex_lines(comparison: Comparison) -> Iterator[str]:
    """The same table for LaTeX with booktabs; what the caption should say stands below it, as comments."""
    header, rows = _grid(comparison)
    yield r"% \usepackage{booktabs}"
    yield rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}"
    yield r"\toprule"
    yield " & ".join(map(_latex, header)) + r" \\"
    yield r"\midrule"
    for name, cells in rows:
        yield " & ".join([_latex(name), *map(_latex_cell, cells)]) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    for line in (_note(comparison), *warnings(comparison), *signatures(comparison)):
        yield f"% {line}"


def _grid(comparison: Comparison) -> tuple[list[str], list[tuple[str, list[_Cell]]]]:
    """Header; a row a system; and a row a test of the first system against another, if there are some."""
    names = comparison.metrics
    header = ["system", *(f"{name} {'↑' if m.recognition else '↓'}" for name, m in names.items())]
    baseline = next(iter(comparison.systems))
    rows = [
        (system, [_score_cell(comparison, system, name) for name in names]) for system in comparison.systems
    ]
    for other in dict.fromkeys(t.baseline for t in comparison.tests if t.baseline != baseline):
        for system in dict.fromkeys(t.system for t in comparison.tests if t.baseline == other):
            cells = [_test_cell(comparison, other, system, name) for name in names]
            rows.append((f"{system} against {other}", cells))
    return header, rows


def _score_cell(comparison: Comparison, system: str, metric: str) -> _Cell:
    """The score, its interval, and p of the difference from the first system."""
    found, percent = comparison.systems[system][metric], comparison.metrics[metric].percent
    interval = ""
    if found.low is not None and found.high is not None:
        interval = f" [{number(found.low, percent)}, {number(found.high, percent)}]"
    test = _test(comparison, next(iter(comparison.systems)), system, metric)
    mark, p = _marked(comparison, test) if test else ("", "")
    return _Cell(number(found.score, percent), mark, interval + p)


def _test_cell(comparison: Comparison, baseline: str, system: str, metric: str) -> _Cell:
    """The difference and its p; nothing where there is no test."""
    test = _test(comparison, baseline, system, metric)
    if test is None:
        return _Cell()
    delta = number(test.delta, comparison.metrics[metric].percent)
    return _Cell(delta if delta.startswith("-") else f"+{delta}", *_marked(comparison, test))


def _test(comparison: Comparison, baseline: str, system: str, metric: str) -> TestResult | None:
    of = (baseline, system, metric)
    return next((t for t in comparison.tests if (t.baseline, t.system, t.metric) == of), None)


def _marked(comparison: Comparison, test: TestResult) -> tuple[str, str]:
    """Stars, and the p that they go by; where it is corrected, the plain one stands before it."""
    p = comparison.decisive(test)
    plain = f"p {p_text(test.p)}, " if comparison.design.correction == "holm" else ""
    name = "p Holm" if plain else "p"
    return next((mark for level, mark in LEVELS if p < level), ""), f" ({plain}{name} {p_text(p)})"


def _note(comparison: Comparison) -> str:
    """What the table shows."""
    cell = f"score [{100 * comparison.design.confidence:g}% interval]"
    if not comparison.tests:
        return f"{cell}; {describe(comparison)}"
    baseline = next(iter(comparison.systems))
    levels = ", ".join(f"{mark} p < {level:g}" for level, mark in reversed(LEVELS))
    reverse = any(test.baseline != baseline for test in comparison.tests)
    rows = "; rows `A against B`: difference A minus B (its p)" if reverse else ""
    return f"{cell} (p of the difference from {baseline}), {levels}{rows}; {describe(comparison)}"


def _markdown(text: str) -> str:
    return "".join("\\" + c if c in r"\`*_{}[]<>|" else c for c in text)


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
    special |= {"[": "{[}"}  # at the beginning of a row it would be an option of the \\ before it
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
    return "".join(special.get(c, c) for c in text)


def _latex_cell(cell: _Cell) -> str:
    mark = f"^{{{cell.mark}}}" if cell.mark else ""
    if cell.number[:1] in ("-", "+"):
        return f"${cell.number}{mark}${cell.rest}"
    return cell.number + (f"${mark}$" if mark else "") + cell.rest
