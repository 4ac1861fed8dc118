"""`python -m bench`: measure, print the table, write JSON. Options: `--help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench import table
from bench.curves import draw_growth
from bench.rows import ROWS, rows_named
from bench.run import run


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="fstmetrics and its peers, side by side"
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="NAME",
        help="rows whose name contains NAME; or those of a group: whole, library, kernels, inner",
    )
    parser.add_argument("--list", action="store_true", help="the rows, and the question that each answers")
    parser.add_argument(
        "--growth", type=Path, metavar="FILE.svg", help="only measure how whole commands grow, and draw it"
    )
    parser.add_argument(
        "--size", choices=["tiny", "full"], default="full", help="tiny: seconds, to keep it alive"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write everything measured as JSON")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table as bench/README.md has it"
    )
    options = parser.parse_args()
    if options.list:
        for name in rows_named(options.only):
            print(f"{ROWS[name].group:8} {name:16} {ROWS[name].question}")
        return
    if options.growth:
        draw_growth(options.growth, options.size == "tiny", _tell)
        return
    lines, source = run(options.only, options.size, _tell)
    table.show(lines)
    if options.output:
        table.write(options.output, lines, options.size, source)
    if options.markdown:
        options.markdown.write_text(table.markdown(lines))


if __name__ == "__main__":
    main()
