"""`--output`, and `-o`: the file for what a command makes, in all commands alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command import EXAMPLES, all_params, fstmetrics

from fstmetrics.cli import cli


def options(group: click.Group = cli, *names: str) -> Iterator[tuple[str, click.Option]]:
    """Every option of every command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from options(command, *names, name)
        elif command is not None:
            for param in all_params(command):
                if isinstance(param, click.Option):
                    yield " ".join((*names, name)), param


ALL = list(options())
OUTPUTS = {command: option for command, option in ALL if {"-o", "--output"} & set(option.opts)}


def test_the_letter_is_that_of_output_alone() -> None:
    for command, option in ALL:
        assert ("-o" in option.opts) == ("--output" in option.opts), (command, option.opts)
    assert len(OUTPUTS) > 15


@pytest.mark.parametrize("command", OUTPUTS)
def test_it_takes_one_file(command: str) -> None:
    option = OUTPUTS[command]
    assert (option.is_flag, option.multiple, option.nargs) == (False, False, 1)
    assert option.metavar in ("FILE", "OUT")
    assert option.help is not None
    assert not option.help.startswith("Print")


SPEECH = EXAMPLES / "speakers"
WRITING = {
    "score": ("score", SPEECH / "ref.stm", SPEECH / "ref.stm"),
    "speakers": ("speakers", SPEECH / "ref.stm", SPEECH / "hyp.stm"),
    "show": ("show", EXAMPLES / "records" / "hyter.jsonl"),
    "segment": ("segment", EXAMPLES / "segment" / "ref.txt", EXAMPLES / "segment" / "hyp.txt"),
}


@pytest.mark.parametrize("command", [name for name in WRITING if all(map(Path.exists, WRITING[name][1:]))])  # type: ignore[arg-type]
def test_both_names_write_the_same_file(command: str, tmp_path: Path) -> None:
    call = [str(each) for each in WRITING[command]]
    ending = ".jsonl" if command in ("score", "speakers") else ".txt"
    files = [tmp_path / f"{number}{ending}" for number in (1, 2)]
    for name, file in zip(("-o", "--output"), files, strict=True):
        assert fstmetrics(*call, name, str(file)).status == 0
    assert files[0].read_bytes() == files[1].read_bytes() != b""


@pytest.mark.parametrize(
    ("name", "own"),
    [("sum", "--report sys"), ("rsum", "--report raw"), ("dtl", "--report dtl"), ("pra", "--alignment")],
)
def test_reports_of_sclite_are_no_files(
    name: str, own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for options in ((), ("--report", "sys")):
        outcome = fstmetrics(*WRITING["score"], "-o", name, *options)
        assert (outcome.status, outcome.out, list(tmp_path.iterdir())) == (2, "", [])
        assert f"--output {name}: what sclite prints with -o {name} is {own} here" in outcome.err
    assert fstmetrics(*WRITING["score"], "-o", f"./{name}").status == 0
    assert fstmetrics(*WRITING["score"], "-o", "records").status == 0
