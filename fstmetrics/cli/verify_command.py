"""`fstmetrics verify`: are records true, and is no path better. The check is `openfst/verify.py`."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from typing import Any

import click

from fstmetrics.cli.option_types import Whole
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import bar, show
from fstmetrics.openfst.verify import by_id, check, read
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.printable import counted, printable

# What an input or a record that is not as it should be may raise.
WRONG = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
COUNTS = ("edits", "moves", "path_length")
# Endings of what is read, text among it.
ENDINGS = frozenset({"", ".txt", ".text", ".slf", ".fst", ".att", ".json", ".cards", ".hyp", ".ref"})
TEXT = "fstmetrics convert IN OUT.txt --to kaldi-text"
READS = (
    f"it reads text, and .slf, .fst.txt, .att, .json and .cards; {TEXT} makes text, and convert IN FOLDER/ --to att "
    "--lossy a folder of lattices (docs/verify.md)"
)


@command()
@click.argument("records", metavar="RECORDS")
@click.argument("reference", metavar="REF")
@click.argument("hypothesis", metavar="HYP")
@click.option("--max-states", type=Whole(1, 10**9), default=1_000_000, show_default=True, metavar="N",
              help="States that the proof of an item may take, and arcs that a side may have.")  # fmt: skip
def verify(records: str, reference: str, hypothesis: str, max_states: int) -> int:
    """Prove records of score, oracle and hyter, without the engine.

    \b
    Example:  fstmetrics hyter networks/ hyp.txt --alignment --output hyter.jsonl
              fstmetrics verify hyter.jsonl networks/ hyp.txt

    Of each record it replays path, alignment and order on the input, counts again, and proves that no path is better.
    The check is one file of plain Python, fstmetrics/openfst/verify.py, for people to read. Exit status: 0 if every
    record is proved, 1 if not, 2 if something cannot be read.

    RECORDS: what --alignment --output wrote. REF, HYP: the files that were scored: text, or lattices and networks that
    end in .slf, .fst.txt, .att (AT&T), .json or .cards, or folders of these. All may be gzipped.
    """
    claims = _claims(records)
    hyp, ref = _side(hypothesis), _side(reference)
    lines: dict[Any, int] = {}
    sums, proved = dict.fromkeys(COUNTS, 0), 0
    for number, record in enumerate(bar(claims, len(claims), "proving")):
        try:
            id = record["id"]
            if id is not None and lines.setdefault(id, number) != number:
                raise FstmetricsError(f"line {lines[id] + 1} has its id, too")
            if "alignment" not in record:
                raise FstmetricsError("it has no alignment; write the records with --alignment")
            check(record, number, hyp, ref, max_states)
            sums = {name: sums[name] + record[name] for name in COUNTS}
            proved += 1
        except WRONG as error:
            show(f"{records}:{number + 1}: not proved: {_named(record)}{_said(error)}")
    show(f"{proved} of {counted(len(claims), 'record')} proved: {counted(sums['edits'], 'edit')}, "
         f"{counted(sums['moves'], 'move')}, {counted(sums['path_length'], 'reference word')}")  # fmt: skip
    if (more := len(ref[0]) - len(claims)) > 0:
        show(f"{reference} has {counted(more, 'item')} without a record")
    return int(proved < len(claims))


def _claims(path: str) -> list[Any]:
    """The records of a file."""
    claims = []
    text = Path(path).read_bytes().decode("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            claims.append(json.loads(line))
        except WRONG as error:
            raise InputError(f"expected a record, a JSON object a line: {error}", path, number) from None
    return claims


def _side(path: str) -> tuple[list[Any], dict[str, Any]]:
    """The items of a file, or of the files of a folder in the order of their names, `lat.2` before `lat.10`."""
    place = Path(path)
    files = [file for file in place.iterdir() if file.name[0] != "."] if place.is_dir() else [place]
    items: list[Any] = []
    for file in sorted(files, key=lambda file: [each.zfill(20) for each in re.split(r"(\d+)", file.name)]):
        ending = Path(file.name.removesuffix(".gz")).suffix
        if ending not in ENDINGS and ending[1:2].isalpha():
            raise InputError(f"verify does not read {ending} files; {READS}", file)
        try:
            items += read(file)
        except UnicodeDecodeError:
            raise InputError(f"is no text (UTF-8); {READS}", file) from None
        except (*WRONG, EOFError, OSError, zlib.error) as error:
            raise InputError(f"cannot be read: {_said(error)}", file) from None
        if place.is_dir() and items[-1][0] is None:
            raise InputError(
                "is text in a folder; expected .slf, .fst.txt, .att, .json or .cards, or one file of text, which "
                f"{TEXT} makes of a folder",
                file,
            )
    return items, by_id(items)


def _named(record: Any) -> str:
    id = record.get("id") if isinstance(record, dict) else None
    return f"{printable(str(id))}: " if id is not None else ""


def _said(error: BaseException) -> str:
    """An error in words; one of a dictionary or list has only what was looked for."""
    if isinstance(error, LookupError):
        return f"it lacks {error}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if type(error) in (ValueError, FstmetricsError) else f"it is damaged: {error}"
