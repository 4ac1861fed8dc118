"""`python -m bench`: measure, print the table, write JSON. Options: `--help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench import table
from bench.run import run


def main() -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="fstmetrics and its peers, side by side"
    )
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose name contains NAME")
    parser.add_argument(
        "--size", choices=["tiny", "full"], default="full", help="tiny: seconds, to keep it alive"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write everything measured as JSON")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the table as bench/README.md has it"
    )
    options = parser.parse_args()
    lines, source = run(options.only, options.size, lambda text: print(text, file=sys.stderr, flush=True))
    table.show(lines)
    if options.output:
        table.write(options.output, lines, options.size, source)
    if options.markdown:
        options.markdown.write_text(table.markdown(lines))


if __name__ == "__main__":
    main()
