"""`fstmetrics verify`: are records true, and is no path better. The check is `openfst/independent_proof.py`."""

from __future__ import annotations

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.terminal import show, show_report
from fstmetrics.commands.verify import VERIFIED, verify_from


@command()
@click.argument("records", metavar="RECORDS")
@click.argument("reference", metavar="REF")
@click.argument("hypothesis", metavar="HYP")
@options_of(VERIFIED)
def verify(records: str, reference: str, hypothesis: str, max_states: int, form: FormOfTables) -> int:
    """Prove records of score, oracle and hyter, without the engine.

    \b
    Example:  fstmetrics hyter networks/ hyp.txt --alignment --output hyter.jsonl
              fstmetrics verify hyter.jsonl networks/ hyp.txt

    Of each record it replays path, alignment and order on the input, counts again, and proves that no path is better.
    The check is one file of plain Python, fstmetrics/openfst/independent_proof.py, for people to read. Exit status: 0
    if every record is proved, 1 if not, 2 if something cannot be read.

    RECORDS: what --alignment --output wrote. REF, HYP: the files that were scored: text, or lattices and networks that
    end in .slf, .fst.txt, .att (AT&T), .json or .cards, or folders of these. All may be gzipped.
    """
    found = verify_from(records, reference, hypothesis, max_states, str if form else show)
    if form:
        show_report(found.parts(), found.summary, form)
    else:
        show(*found.remarks)
    return int(found.proved < found.records)
