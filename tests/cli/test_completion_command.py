"""Completion: what shells are offered, scripts that bash runs, and an installation that changes as little as it can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import fstmetrics

from fstmetrics.cli import cli
from fstmetrics.metrics import METRICS


def offers(*words: str) -> list[str]:
    """What bash is offered behind these words, of which the last is not finished."""
    environment = {
        **os.environ,
        "_FSTMETRICS_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("fstmetrics", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "fstmetrics"], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([""], [f"plain,{name}" for name in cli.MODULES]),  # type: ignore[attr-defined]
        (["netw"], ["plain,network"]),
        (["network", "norm"], ["plain,normalise"]),
        (["score", "--normalise-"], ["plain,--normalise-unicode"]),
        (["score", "--unit", "wo"], ["plain,word"]),
        (["score", "--metric", "b"], [f"plain,{name}" for name in METRICS if name.startswith("b")]),
        (["oracle", "--format", "kaldi-l"], ["plain,kaldi-lattice"]),
        (["score", "ref"], ["file,ref"]),
        (["score", "ref.txt", "hyp.txt", "--output", "o"], ["file,o"]),
    ],
)
def test_what_is_offered(words: list[str], expected: list[str]) -> None:
    assert offers(*words) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_printed_and_understood_by_their_shell(shell: str, tmp_path: Path) -> None:
    script = fstmetrics("completion", shell).out
    assert f"_FSTMETRICS_COMPLETE={shell}_complete" in script
    if (program := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(script)
    subprocess.run([program, "-n", str(path)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    program = tmp_path / "fstmetrics"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m fstmetrics "$@"\n')
    program.chmod(0o755)
    script = fstmetrics("completion", "bash").out
    code = f'{script}\nCOMP_WORDS=(fstmetrics hy); COMP_CWORD=1; _fstmetrics_completion "$0"; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", code, str(program)], capture_output=True, text=True, check=True)
    assert done.stdout == "hyter\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_install_adds_one_line_once(home: Path, shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    start = home / f".{shell}rc"
    start.write_bytes(b"alias x='\xff'")  # no line end, no UTF-8
    first = fstmetrics("completion", "--install")
    assert first.status == 0, first.err
    script = home / ".local" / "share" / "fstmetrics" / f"completion.{shell}"
    assert script.read_text() == fstmetrics("completion", shell).out
    lines = start.read_bytes().splitlines()
    assert lines == [b"alias x='\xff'", f"[ ! -f {script} ] || . {script}  # fstmetrics completion".encode()]
    assert first.out.count("\n") == 3
    fstmetrics("completion", "--install")
    assert start.read_bytes().splitlines() == lines


def test_install_for_fish_needs_no_line(home: Path) -> None:
    assert fstmetrics("completion", "fish", "--install").status == 0
    assert [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()] == [
        ".config/fish/completions/fstmetrics.fish"
    ]


def test_another_shell_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/csh")
    outcome = fstmetrics("completion", "--install")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "fstmetrics: the variable SHELL is 'csh', and completion is for bash, zsh, fish: name one of them\n"
    )
