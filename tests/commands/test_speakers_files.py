"""`fm.speakers_files` beside the command: the same numbers and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from command import called, fstmetrics, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.commands.speakers import SPEAKING
from fstmetrics.support.errors import FstmetricsError

OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"metric": "tcpwer", "collar": 0.5}, ["--metric", "tcpwer", "--collar", "0.5"]),
    ({"metric": "orcwer", "lowercase": True}, ["--metric", "orcwer", "--lowercase"]),
    ({"metric": "dicpwer", "ignore": "uh"}, ["--metric", "dicpwer", "--ignore", "uh"]),
]
REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"unit": "char"}, ["--unit", "char"]),
    ({"turns": "nowhere.rttm"}, ["--turns", "nowhere.rttm"]),
    ({"format": "plain"}, ["--format", "plain"]),
    ({"missing": "none"}, ["--missing", "none"]),
    ({"collar": -1}, ["--collar", "-1"]),
]


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    said = "talk 1 ann 0 1 good Morning uh\ntalk 1 bob 1 2 hello there\ntalk 1 ann 2.5 3 bye\n"
    heard = "talk 1 s1 0 1 good morning\ntalk 1 s2 1.1 2 hello bear\ntalk 1 s2 2.4 3 bye\n"
    return written(tmp_path / "ref.stm", said), written(tmp_path / "hyp.stm", heard)


@pytest.mark.parametrize(("given", "options"), OPTIONS, ids=lambda value: " ".join(value))
def test_summaries_are_what_the_command_prints(
    given: dict[str, Any],
    options: list[str],
    sides: tuple[Path, Path],
    capfd: pytest.CaptureFixture[str],
) -> None:
    found = called(fm.speakers_files, *sides, **given)
    assert capfd.readouterr() == ("", "")
    expected = fstmetrics("speakers", *sides, "--json", *options).summary
    assert json.loads(json.dumps(found.summary())) == expected
    assert expected["edits"] > 0


@pytest.mark.parametrize(("given", "options"), REFUSED, ids=lambda value: " ".join(value))
def test_what_the_command_refuses_is_refused(
    given: dict[str, Any], options: list[str], sides: tuple[Path, Path]
) -> None:
    told = fstmetrics("speakers", *sides, *options)
    assert told.status == 2
    with pytest.raises(FstmetricsError) as refused:
        called(fm.speakers_files, *sides, **given)
    name = next(iter(given))
    assert told.err == f"fstmetrics: {refused.value}\n" or str(refused.value).startswith(f"{name}: ")


def test_options_are_those_of_the_command(sides: tuple[Path, Path]) -> None:
    command = cli.get_command(click.Context(cli), "speakers")
    assert command is not None
    own = {
        option.removeprefix("--").replace("-", "_"): param.name
        for param in command.params
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--")
    }
    assert own.keys() - SPEAKING.keys() == {"max", "verbose"}
    assert {name: option.field for name, option in SPEAKING.items()}.items() <= own.items()
    with pytest.raises(TypeError, match=r"speakers_files\(\) has no option 'colar'; did you mean collar\?"):
        called(fm.speakers_files, *sides, colar=3)
    with pytest.raises(FstmetricsError, match=r"speakers_files\(\) takes paths: expected a path, not 3"):
        fm.speakers_files(references=3, hypotheses=sides[1])  # type: ignore[arg-type]
