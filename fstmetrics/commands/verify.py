"""The command `verify`, and `verify_files`, the same as a call. The proof is `openfst/independent_proof`."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show, show_report
from fstmetrics.io.file_format import project_reader
from fstmetrics.io.reading import check_paths
from fstmetrics.openfst.independent_proof import by_id, check, read
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import read_bytes
from fstmetrics.support.options import Option, whole
from fstmetrics.support.printable import counted, printable
from fstmetrics.support.progress import ticks
from fstmetrics.support.source import file_name

VERIFYING: Options = under(
    "",
    max_states=Option(
        whole(1, 10**9),
        "States that the proof of an item may take, and arcs that a side may have.",
        1_000_000,
    ),
)
VERIFIED: Options = {**VERIFYING, **FORMS_PRINTED}
# What an input or a record that is not as it should be may raise.
WRONG = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
# What is summed of records that are verified.
SUMMED = ("edits", "moves", "path_length")
# Endings of what is read, text among it.
ENDINGS = frozenset({"", ".txt", ".text", ".slf", ".fst", ".att", ".json", ".cards", ".hyp", ".ref"})
AS_TEXT = "fstmetrics convert IN OUT.txt --to kaldi-text"
READS = (
    f"it reads text, and .slf, .fst.txt, .att, .json and .cards; {AS_TEXT} makes text, and convert IN FOLDER/ --to att "
    "--lossy a folder of lattices (docs/verify.md)"
)


@dataclass(frozen=True)
class Verified(Printed):
    """What was proved of records.

    Attributes:
        records: how many there are.
        proved: how many are proved.
        faults: why others are not, a line each.
        remarks: the sums of those that are, and how many items have no record.
        sums: edits, moves and reference words of those that are proved, by their names in records.
    """

    records: int
    proved: int
    faults: Sequence[str]
    remarks: Sequence[str]
    sums: Mapping[str, int] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        counts = {"records": self.records, "proved": self.proved, **self.sums}
        return counts | {"faults": [{"fault": fault} for fault in self.faults], "remarks": list(self.remarks)}

    def parts(self) -> list[Part]:
        """What the command prints as tables: the sums, and why records are not proved."""
        sums = [(name.replace("_", " "), str(count)) for name, count in self.sums.items()]
        head, row = zip(("records", str(self.records)), ("proved", str(self.proved)), *sums, strict=True)
        faults = Table([("not proved",), *((fault,) for fault in self.faults)])
        return [Table([head, row], 0), *([faults] if self.faults else []), *self.remarks[1:]]


@sides_by_name
def verify_files(
    records: PathLike, *, references: PathLike, hypotheses: PathLike, **options: Any
) -> Verified:
    """Prove records of `hypotheses=` and `references=` without the engine, as `fstmetrics verify` does.

    Args:
        records: what `score`, `oracle` or `hyter` writes with `alignment` and `output`.
        references, hypotheses: the files that were scored.
        options: `max_states`: states that the proof of an item may take, and arcs that a side may have.

    Raises:
        TypeError: an option that there is not.
        FstmetricsError: a file that cannot be read.
    """
    found = fields_of_options("verify_files", VERIFYING, options)
    paths = [path_of("verify_files", each) for each in (records, references, hypotheses)]
    return verify_from(paths[0], paths[1], paths[2], found["max_states"])


def verify_from(
    records: str, reference: str, hypothesis: str, max_states: int, tell: Callable[[str], object] = str
) -> Verified:
    """The proofs; as of `verify_files`. `tell` hears of a fault when it is found."""
    check_paths((records, reference, hypothesis))
    claims = _claims(records)
    hyp, ref = _side(hypothesis), _side(reference)
    lines: dict[Any, int] = {}
    sums, proved, faults = dict.fromkeys(SUMMED, 0), 0, []
    for number, record in enumerate(ticks(claims, "proving", len(claims))):
        try:
            id = record["id"]
            if id is not None and lines.setdefault(id, number) != number:
                raise FstmetricsError(f"line {lines[id] + 1} has its id, too")
            if "alignment" not in record:
                raise FstmetricsError("it has no alignment; write the records with --alignment")
            check(record, number, hyp, ref, max_states)
            sums = {name: sums[name] + record[name] for name in SUMMED}
            proved += 1
        except WRONG as error:
            faults.append(f"{records}:{number + 1}: not proved: {_id_of(record)}{_said(error)}")
            tell(faults[-1])
    remarks = [
        f"{proved} of {counted(len(claims), 'record')} proved: {counted(sums['edits'], 'edit')}, "
        f"{counted(sums['moves'], 'move')}, {counted(sums['path_length'], 'reference word')}"
    ]
    if (more := len(ref[0]) - len(claims)) > 0:
        remarks.append(f"{reference} has {counted(more, 'item')} without a record")
    return Verified(len(claims), proved, faults, remarks, sums)


def _claims(path: str) -> list[Any]:
    """The records of a file."""
    claims = []
    text = read_bytes(path).decode("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            claims.append(json.loads(line))
        except WRONG as error:
            raise InputError(f"expected a record, a JSON object a line: {error}", path, number) from None
    return claims


def _side(path: str) -> tuple[list[Any], dict[str, Any]]:
    """The items of a file, or of the files of a folder in the order of their names, `lat.2` before `lat.10`."""
    if path == "-":
        with TemporaryDirectory() as folder:
            kept = Path(folder) / "-"
            kept.write_bytes(read_bytes("-"))
            return _items(kept)
    return _items(Path(path))


def _items(place: Path) -> tuple[list[Any], dict[str, Any]]:
    if place.is_dir() and project_reader(str(place)):
        raise InputError(
            f"is a project of annotate; fstmetrics annotate {place} --export FOLDER --combine spu writes its networks, "
            "which verify reads",
            place,
        )
    files = [file for file in place.iterdir() if file.name[0] != "."] if place.is_dir() else [place]
    items: list[Any] = []
    for file in sorted(files, key=lambda file: [each.zfill(20) for each in re.split(r"(\d+)", file.name)]):
        ending = Path(file_name(file)).suffix
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
                f"{AS_TEXT} makes of a folder",
                file,
            )
    return items, by_id(items)


def _id_of(record: Any) -> str:
    id = record.get("id") if isinstance(record, dict) else None
    return f"{printable(str(id))}: " if id is not None else ""


def _said(error: BaseException) -> str:
    """An error in words; one of a dictionary or list has only what was looked for."""
    if isinstance(error, LookupError):
        return f"it lacks {error}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if type(error) in (ValueError, FstmetricsError) else f"it is damaged: {error}"


@command()
@click.argument("records", metavar="RECORDS")
@click.argument("reference", metavar="REF")
@click.argument("hypothesis", metavar="HYP")
@options_of(VERIFIED)
def verify_command(records: str, reference: str, hypothesis: str, max_states: int, form: FormOfTables) -> int:
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
