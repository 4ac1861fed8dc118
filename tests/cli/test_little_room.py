"""A command that has too little memory, or whose folder has been removed: one line that says so, or it works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import ORACLE, written

from fstmetrics.cli import REMOVED

pytest.importorskip("resource")  # of systems that have such limits


def limited(kind: str, kilobytes: int, *command: object) -> subprocess.CompletedProcess[str]:
    """A command under a limit of memory, of a kind that ulimit has."""
    limit = ["sh", "-c", f'ulimit {kind} {kilobytes} && exec "$@"', "sh"]
    line = [*limit, sys.executable, "-m", "fstmetrics", *map(str, command)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ["-v", "-d"])
@pytest.mark.parametrize("command", [["--version"], ["oracle", *ORACLE]], ids=lambda words: words[0])
def test_too_little_memory_to_start(kind: str, command: list[str]) -> None:
    done = limited(kind, 100_000, *command)
    assert (done.returncode, done.stdout) == (2, "")
    said = (
        "fstmetrics: out of memory: the limit is 100000 kB (ulimit -v or -d), and the smallest command takes "
    )
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("kilobytes", [150_000, 170_000, 180_000, 200_000])
def test_little_memory(kilobytes: int, tmp_path: Path) -> None:
    """It suffices, or one line says that it does not; how much that takes depends on the libraries."""
    text = written(tmp_path / "r", "a b\n" * 9)
    for command in (
        ["score", text, text],
        ["oracle", *ORACLE],
        ["compare", "--ref", text, f"x={text}", text],
    ):
        done = limited("-v", kilobytes, *command)
        if done.returncode:
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
            assert "out of memory" in done.stderr or "memory that is left" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "score r r",
        "score {0} {0} --output o",
        "convert {0} o --to trn",
        "network build {0} -o o",
        "report o.jsonl",
        "hyter nets/* {0}",
        "best lat",
    ],
)
def test_a_folder_that_has_been_removed(command: str, tmp_path: Path) -> None:
    text = written(tmp_path / "r", "a b\n")
    done = in_a_removed_folder(tmp_path / "folder", *command.format(text).split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.endswith(f"; {REMOVED}\n")


def test_absolute_paths_need_no_folder(tmp_path: Path) -> None:
    text = written(tmp_path / "r", "a b\n")
    done = in_a_removed_folder(tmp_path / "folder", "score", text, text, "--output", tmp_path / "o")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert (tmp_path / "o").read_text().count("\n") == 1


def in_a_removed_folder(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """A command in a folder that is there no more."""
    script = (
        "import os\n"
        f"os.mkdir({str(folder)!r}); os.chdir({str(folder)!r}); os.rmdir({str(folder)!r})\n"
        "from fstmetrics.__main__ import main; main()"
    )
    line = [sys.executable, "-c", script, *map(str, command)]
    return subprocess.run(line, capture_output=True, text=True, check=False)
