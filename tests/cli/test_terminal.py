"""The command line among other programs: terminals, pipes that close, and signals."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, started, written

ESCAPE = b"\x1b"
PLAIN = {
    name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
}
TERMINAL = {**PLAIN, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}


def on_a_terminal(*arguments: object, columns: int = 80, stdout: int | None = None) -> bytes:
    """What a terminal shows: standard error, and standard output unless it goes elsewhere."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = started(*arguments, stdin=slave, stdout=stdout or slave, stderr=slave, env=TERMINAL)
    os.close(slave)
    shown = b""
    try:
        while data := os.read(master, 65536):
            shown += data
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(master)
    assert process.wait(600) == 0, shown
    return shown


def test_nothing_but_text_when_not_on_a_terminal(tmp_path: Path) -> None:
    for command in (("oracle", *ORACLE, "--alignment"), ("hyter", *HYTER, "--nbest", "2"), ("demo",)):
        process = started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (0, b"")
        assert ESCAPE not in out
        assert b"\r" not in out


def test_a_bar_on_the_terminal_and_none_in_the_output(tmp_path: Path) -> None:
    output = tmp_path / "summary"
    with output.open("wb") as stream:
        shown = on_a_terminal("oracle", *ORACLE, stdout=stream.fileno())
    assert b"scoring" in shown
    assert b"100%" in shown
    assert b"%WER" not in shown
    assert output.read_bytes().startswith(b"%WER 6.67 [ 6 / 90,")
    assert ESCAPE not in output.read_bytes()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("mbr", ORACLE[1]), b"upon"),
        (("oracle", *ORACLE, "--output", "-"), b"upon"),
        (("convert", ORACLE[0], "-", "--to", "trn"), b"upon"),
    ],
)
def test_what_is_printed_while_a_bar_is_shown_goes_where_output_goes(
    command: tuple[str, ...], words: bytes, tmp_path: Path
) -> None:
    """To the file, not to the terminal, on which the bar is."""
    output = tmp_path / "output"
    with output.open("wb") as stream:
        shown = on_a_terminal(*command, stdout=stream.fileno())
    assert words in output.read_bytes()
    assert words not in shown
    assert output.read_bytes().count(b"\n") == 4
    assert words in on_a_terminal(*command)


@pytest.mark.parametrize("columns", [80, 120])
def test_alignments_fit_the_terminal(columns: int, tmp_path: Path) -> None:
    ref = written(tmp_path / "r", ("天气 weather " * 40) + "\n")
    hyp = written(tmp_path / "h", ("天气 whether " * 40) + "\n")
    shown = on_a_terminal("score", ref, hyp, "--alignment", columns=columns)
    assert b"\x1b[33m" in shown  # substitutions are yellow
    text = b"".join(part.split(b"m", 1)[-1] for part in shown.split(b"\x1b[")).decode()
    rows = [line for line in text.splitlines() if line.startswith(("HYP", "REF"))]
    widths = [len(row) + row.count("天") + row.count("气") for row in rows]
    assert columns - 14 < max(widths) <= columns
    assert len(rows) % 2 == 0


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    text = written(tmp_path / "r", "a b c\n" * 2000)  # more than a pipe holds
    records = tmp_path / "records"
    fstmetrics("score", text, text, "--alignment", "--output", records)
    scoring = ("score", text, text)
    for command in (
        (*scoring, "--output", "-"),
        (*scoring, "--nbest", "2"),
        scoring,
        ("show", records, "--limit", "0"),
    ):
        read, write = os.pipe()
        if len(command) == 3:  # little is written: nobody reads it from the beginning
            os.close(read)
        process = started(*command, stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        if len(command) > 3:
            assert os.read(read, 1)
            os.close(read)
        assert process.communicate(timeout=600) == (None, b"")
        assert process.returncode == 141


def test_any_word_can_be_printed(tmp_path: Path) -> None:
    """Words that the terminal's encoding lacks are escaped; records are UTF-8 all the same."""
    text = written(tmp_path / "r", "天气 é\n")
    env = {**PLAIN, "PYTHONIOENCODING": "ascii"}
    for options, expected in (
        (["--alignment"], b"HYP \\u5929\\u6c14 \\xe9"),
        (["--output", "-"], "天气".encode()),
    ):
        command = [sys.executable, "-m", "fstmetrics", "score", str(text), str(text), *options]
        assert expected in subprocess.run(command, env=env, capture_output=True, check=True).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are UTF-8 here")
def test_names_of_files_that_the_locale_lacks(tmp_path: Path) -> None:
    """A file that names one, in UTF-8, where the system's names are ASCII."""
    ref, script = written(tmp_path / "ref", "u a\n"), written(tmp_path / "lat.scp", "u \u00e9.ark\n")
    env = {**PLAIN, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    process = started("oracle", ref, f"scp:{script}", stderr=subprocess.PIPE, env=env)
    _, err = process.communicate(timeout=600)
    said = f"fstmetrics: {script}:1: \u00e9.ark: cannot be read: names of files have no '\\xe9' in ascii, "
    assert (process.returncode, err.count(b"\n"), err.decode()[: len(said)]) == (2, 1, said)


def test_wide_tables_are_folded() -> None:
    """On a terminal of 80 columns every line fits, and every coefficient is there once."""
    arguments = ("correlate", EXAMPLES / "correlate" / "scores.tsv", "--samples", 20)
    wide = fstmetrics(*arguments).out
    assert max(map(len, wide.splitlines())) > 120
    folded = on_a_terminal(*arguments).decode()
    tables = re.sub("\x1b\\[[0-9]*m", "", folded[folded.index("6 systems") :].replace("\r", ""))
    remark = "systems have scores of unlike segments"
    assert max(len(line) for line in tables.splitlines() if remark not in line) <= 80
    assert sorted(set(tables.split())) == sorted(set(wide.split()))
    assert tables.split().count("wmt13") == 1
    assert tables.count("227 segments") == 3
