"""`fstmetrics merge`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.option_types import RECORDS
from fstmetrics.cli.options import command
from fstmetrics.evaluation.compare_shards import ComparisonShard, merged_shards
from fstmetrics.readers.reading import check_paths
from fstmetrics.runs.shards import MergedShards, shard_path
from fstmetrics.support.errors import FstmetricsError, InputError


@command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@click.option(
    "--output",
    type=RECORDS,
    metavar="FILE",
    help="Write the records of all shards to FILE; - is standard output. Shards of compare have no records.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@click.pass_context
def merge(context: click.Context, shards: tuple[str, ...], output: str | None, as_json: bool) -> int:
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
    if twice := next((path for path in shards if shards.count(path) > 1), None):
        raise FstmetricsError(f"{twice} is given twice; give each shard once")
    of_compare = [path for path in shards if ComparisonShard.is_one(path)]
    if of_compare and len(of_compare) < len(shards):
        other = next(path for path in shards if path not in of_compare)
        raise InputError("is no file of compare --shard, as the others are: shards of two kinds", other)
    if of_compare:
        if output is not None:
            raise FstmetricsError("shards of compare have no records; leave --output out")
        comparison = merged_shards(shards)
        return _run(context, "compare", comparison[0].arguments, as_json, {"merged": comparison}) or 0
    check_paths([*shards, *map(shard_path, shards)], *([] if output is None else [output]))
    merged = MergedShards(shards)
    if output is None:
        raise click.MissingParameter(param_hint="'--output'", param_type="option")
    first = merged.files[0]
    more = {"resume": False, "merged": merged, "as_json": as_json}
    return int(_run(context, first.command, first.arguments, False, more | {"output": output}))


def _run(
    context: click.Context, command: str, arguments: Sequence[str], as_json: bool, more: dict[str, Any]
) -> Any:
    """Call the command of shards with its own arguments and others.

    Args:
        context: of this command.
        command, arguments: of the shards.
        as_json: whether it is to print JSON in place of a table.
        more: what it is given instead.

    Raises:
        FstmetricsError: there is no such command.
    """
    group = context.find_root()
    assert isinstance(group.command, click.Group)
    called = group.command.get_command(group, command)
    if called is None or called.callback is None:
        raise FstmetricsError(f"the shards are of fstmetrics {command}, which there is not")
    with called.make_context(command, list(arguments), parent=group) as own:
        if as_json:
            own.meta["layout"] = "json"
        return called.callback(**own.params | {"output": None, "shard": None} | more)
