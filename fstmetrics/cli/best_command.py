"""`fstmetrics best`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.commands.best import BEST, best_from, best_words


@command(usual=("--nbest", "--to", "--symbols", "--lm-scale", "--word-penalty", "--output"))
@click.argument("lattices", metavar="LATTICES")
@options_of(BEST)
def best(lattices: str, form: FormOfTables, **options: Any) -> int:
    """Write the decoder's best word sequences of lattices, forests or n-best lists.

    \b
    Example:  fstmetrics best lat.1.gz --symbols words.txt --lm-scale 12
              fstmetrics best lattices/ --nbest 10 --to nbest

    LATTICES: a file, a folder or a pattern in quotes, 'lat.*.gz'. The best path is the one of least weighted cost, the
    1-best of oracle. Nothing is pruned; the K best are different word sequences, found by costs to 2^-24. N-best lists
    stay in their own order, unless --lm-scale or --word-penalty orders them by their scores.
    """
    if form:
        found = best_words(lattices, options)
        show_report(found.parts(), found.summary, form)
        return 1 if found.done.faults else 0
    done = best_from(lattices, options)
    tell(*done.lines())
    return 1 if done.faults else 0
