"""The command `merge`, and `merge_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import (
    REQUEST,
    TABLE_FORMS,
    Options,
    PathLike,
    fields_of_options,
    scoring,
    several_paths,
    under,
    with_metrics,
)
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.compare import (
    COMPARING,
    FilesComparison,
    compare_prepared,
    prepared,
    show_comparison,
)
from fstmetrics.commands.mbr import DECODING, FilesMBR, mbr_from, show_mbr, show_words
from fstmetrics.commands.score import score_from
from fstmetrics.io.reading import check_paths
from fstmetrics.reports.table_forms import FORMS, Form
from fstmetrics.scoring.mbr_decoding import Show
from fstmetrics.scoring.score import Score
from fstmetrics.scoring.shards import MergedShards, shard_path
from fstmetrics.significance.compare_shards import ComparisonShard, merged_shards
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.limits import limited, parsed_limit
from fstmetrics.support.options import FLAG, SHORT
from fstmetrics.support.printable import in_percent

MERGING: Options = under(
    "",
    TABLE_FORMS,
    output=REQUEST["output"]._replace(
        help="Write the records of all shards to FILE; - is standard output. Shards of compare have no records."
    ),
    json=REQUEST["json"]._replace(help="Print the summary as one JSON object."),
)
# The options of commands that have shards, and how `score_from` calls those that score.
COMMANDS: dict[str, tuple[Options, dict[str, bool]]] = {
    "score": (scoring("wer"), {}),
    "oracle": (scoring("wer"), {"one_best": True, "text": False}),
    "hyter": (scoring("hyter"), {"networks_first": True}),
    "mbr": (DECODING, {}),
    "compare": (COMPARING, {}),
}


def merge_files(
    shards: Iterable[PathLike], *, output: PathLike | None = None
) -> Score | FilesComparison | FilesMBR:
    """Put the shards of a run together, as `fstmetrics merge` does.

    No item is scored again: records and sums are those of the run that was not cut. Nothing is printed.

    Args:
        shards: the `output` of each, in any order.
        output: the file for the records of all items; shards of `compare` have none.

    Returns:
        What the call of the run gives: a `Score` of `score`, `oracle` and `hyter`, a `FilesComparison` of `compare`, a
        `FilesMBR` of `mbr`. Its `summary()` is what the command prints with `--json`.

    Raises:
        FstmetricsError: shards of different runs, one that is missing, or one that has changed.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> text = folder / "text.txt"
    >>> _ = text.write_text("good morning\\nhello\\nbye\\n")
    >>> parts = [folder / f"{n}.jsonl" for n in (1, 2)]
    >>> for n, part in enumerate(parts, 1):
    ...     _ = fm.score_files(references=text, hypotheses=text, shard=f"{n}/2", output=part)
    >>> len(fm.merge_files(parts, output=folder / "all.jsonl"))
    3
    """
    found = fields_of_options("merge_files", MERGING, {"output": output})
    return merge_from(several_paths("merge_files", shards, "shards"), found["output"], True)[0]


def merge_from(
    shards: Sequence[str], output: str | None, as_json: bool, show: Show | None = None
) -> tuple[Score | FilesComparison | FilesMBR, dict[str, Any]]:
    """What the shards are of, and the options of their run by their fields and, if only printed by, their names.

    Args:
        shards, output: paths.
        as_json: whether nothing but the summary is printed.
        show: as of `mbr_from`.

    Raises:
        FstmetricsError: as of `merge_files`.
    """
    if twice := next((path for path in shards if shards.count(path) > 1), None):
        raise FstmetricsError(f"{twice} is given twice; give each shard once")
    of_compare = [path for path in shards if ComparisonShard.is_one(path)]
    if of_compare and len(of_compare) < len(shards):
        other = next(path for path in shards if path not in of_compare)
        raise InputError("is no file of compare --shard, as the others are: shards of two kinds", other)
    merged: Any
    if of_compare:
        if output is not None:
            raise FstmetricsError("shards of compare have no records; leave --output out")
        merged = merged_shards(shards)
        command, arguments = "compare", merged[0].arguments
    else:
        check_paths([*shards, *map(shard_path, shards)], *([] if output is None else [output]))
        merged = MergedShards(shards)
        if output is None:
            raise FstmetricsError(
                "the records of all items need a file: give --output FILE (output='FILE' in Python)"
            )
        command, arguments = merged.files[0].command, merged.files[0].arguments
    if command not in COMMANDS:
        raise FstmetricsError(f"the shards are of fstmetrics {command}, which there is not")
    known, kind = COMMANDS[command]
    paths, given, others = read_line(with_metrics(known), arguments)
    kept = {name: value for name, value in given.items() if name not in ("output", "shard", "resume")}
    options = fields_of_options(f"{command}_files", known, kept)
    options |= {"merged": merged, "output": output, **({} if of_compare else {"as_json": as_json})}
    with ExitStack() as stack:
        if limits := others.pop("max", None):
            stack.enter_context(limited(**dict(map(parsed_limit, limits))))
        asked = {**options, **others}
        if of_compare:
            return compare_prepared(prepared(paths, options, ())), asked
        if command == "mbr":
            return mbr_from(paths[:1], {**options, "text": others.get("text")}, show), asked
        found = score_from(paths[0], paths[1] if len(paths) > 1 else None, options, **kind)
        assert isinstance(found, Score)  # a shard is of one metric
        return found, asked


def read_line(known: Options, arguments: Sequence[str]) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    """The arguments of a command that it has taken once: what `options.written` is made of.

    Args:
        known: the options of the command.
        arguments: as they were given.

    Returns:
        Paths; options by their names in Python; and those that Python does not have.

    >>> read_line(scoring("wer"), ["a.txt", "--ref", "b.txt", "--beam=8", "--lowercase", "--json", "c.txt"])
    (['a.txt', 'c.txt'], {'ref': ['b.txt'], 'beam': '8', 'lowercase': True}, {'json': True})
    >>> read_line(scoring("wer"), ["a.txt", "-m", "sclite", "-ofile"])
    (['a.txt'], {'metric': 'sclite', 'output': 'file'}, {})
    """
    paths: list[str] = []
    found: dict[str, Any] = {}
    rest = iter(arguments)
    of_short = {option.short or SHORT.get(name): name for name, option in known.items()}
    for each in rest:
        if each[:2] in of_short:  # of a value, as no flag has one
            each = f"--{of_short[each[:2]]}={each[2:] or next(rest)}"
        if each == "--":
            paths += rest
        elif not each.startswith("--"):
            paths.append(each)
        else:
            written, equals, value = each.removeprefix("--").partition("=")
            name = written.replace("-", "_")
            option = known.get(name)
            if name != "max" and (option is None or option.kind is FLAG):
                found[name] = True
                continue
            value = value if equals else next(rest)
            is_repeated = option is None or option.kind.repeated
            found[name] = [*found.get(name, ()), value] if is_repeated else value
    others = {name: found.pop(name) for name in list(found) if name not in known or known[name].printed}
    return paths, found, others


@command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@options_of(MERGING)
def merge_command(shards: tuple[str, ...], output: str | None, as_json: bool, form: Form | None) -> int:
    """Put the shards of a run together: the records, and the summary of all items.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --shard 1/2 --output a.jsonl
              fstmetrics score ref.txt hyp.txt --shard 2/2 --output b.jsonl
              fstmetrics merge a.jsonl b.jsonl --output all.jsonl

    Shards of compare (--test poisson-bootstrap) give the table of all items: fstmetrics merge a.sums b.sums

    SHARD: the --output of each shard, in any order; what --shard writes beside it (a.jsonl.shard) is read, too. Records
    and summary are those of the run without --shard, byte for byte. No item is scored again. Shards of different runs,
    one that is missing and one that has changed are refused.
    """
    found, options = merge_from(shards, output, as_json, None if form else show_words)
    if options.get("percent"):
        click.get_current_context().with_resource(in_percent())
    if isinstance(found, Score):
        return show_score(found, options, form)
    if isinstance(found, FilesComparison):
        form = form or next((each for each in FORMS if each in options), None)
        return show_comparison(found, "json" if as_json or "json" in options else form)
    return show_mbr(found, "json" if as_json else form)
