"""`fstmetrics merge`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.options import command
from fstmetrics.cli.path_checks import check_paths
from fstmetrics.runs.shards import MergedShards, shard_path
from fstmetrics.support.errors import FstmetricsError


@command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@click.option(
    "--output",
    metavar="FILE",
    required=True,
    help="Write the records of all shards to FILE; - is standard output.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object.")
@click.pass_context
def merge(context: click.Context, shards: tuple[str, ...], output: str, as_json: bool) -> int:
    """Put the shards of a run together: the records, and the summary of all items.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --shard 1/2 --output a.jsonl
              fstmetrics score ref.txt hyp.txt --shard 2/2 --output b.jsonl
              fstmetrics merge a.jsonl b.jsonl --output all.jsonl

    SHARD: the --output of each shard, in any order; what --shard writes beside it (a.jsonl.shard) is read, too. Records
    and summary are those of the run without --shard, byte for byte. No item is scored again. Shards of different runs,
    one that is missing and one that has changed are refused.
    """
    if twice := next((path for path in shards if shards.count(path) > 1), None):
        raise FstmetricsError(f"{twice} is given twice; give each shard once")
    check_paths([*shards, *map(shard_path, shards)], output)
    merged = MergedShards(shards)
    first = merged.files[0]
    group = context.find_root()
    assert isinstance(group.command, click.Group)
    called = group.command.get_command(group, first.command)
    if called is None or called.callback is None:
        raise FstmetricsError(f"{first.path} is of fstmetrics {first.command}, which there is not")
    with called.make_context(first.command, list(first.arguments), parent=group) as own:
        options: dict[str, Any] = own.params | {"output": output, "as_json": as_json, "shard": None}
        return int(called.callback(**options | {"resume": False, "merged": merged}))
