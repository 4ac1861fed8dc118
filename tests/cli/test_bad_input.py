"""Bad input, from the command line: one line that says where, exit status 2, nothing left behind."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from error_cases import content, error_cases, label
from written import Drawn, kaldi_binary

SLF = gzip.decompress((EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz").read_bytes())
BINARY = kaldi_binary("u1", Drawn([(0, 1, "a", 1.0, 2.0)], {1: (0.0, 0.0)}), {"a": 7, "": 0})
NOISE = bytes(range(256)) * 9


def network(cards: str, root: str = "S") -> str:
    """A network file."""
    return '{"format": "fstmetrics-network/1", "root": "%s", "cards": {%s}}' % (root, cards)  # noqa: UP031


CASES = error_cases("command_lines")
# Bytes that a text in a table would not show: the name of the bad file, its content, the command with {} for the file,
# and what the line must say.
FILES: list[tuple[str, bytes, str, str]] = [
    ("cut.slf.gz", gzip.compress(SLF, mtime=0)[:-200], "oracle ref.txt {}", "{}: damaged gzip"),
    ("flip.slf.gz", gzip.compress(SLF, mtime=0).replace(b"1", b"2"), "oracle ref.txt {}", "{}: damaged"),
    ("cut.slf", SLF[: len(SLF) // 2], "oracle ref.txt {}", "{}:"),
    ("cut.lat", BINARY[:-3], "oracle ref.txt {}", "{}: byte "),
    ("empty.gz", gzip.compress(b"", mtime=0), "score {} two.txt", "{}: is empty"),
    ("noise", NOISE, "score two.txt {}", "{}: byte 0: neither text (byte 0x00) nor a format"),
    ("noise", NOISE, "oracle ref.txt {}", "that is recognised; convert it, or say with --format"),
    ("noise", NOISE, "score {} two.txt", "that is recognised; convert it, or say with --ref-format"),
    ("noise.slf", NOISE, "oracle ref.txt {}", "{}: "),
    ("noise.json", NOISE, "hyter {} hyp.txt", "{}: "),
    ("cut.txt", "caf\u00e9 x\n".encode() + b"b\xc3\n", "score {} two.txt", "what comes before is UTF-8"),
]

# Commands that have no --output, or write more than records with it.
FURTHER = [
    "compare --ref {} two.txt hyp.txt",
    "features {} hyp.txt",
    "network info {}",
    "errors {}",
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with good files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, text in CASES["files"].items():
        written(tmp_path / name, text)
    written(tmp_path / "lat.bin", BINARY)
    return tmp_path


@pytest.mark.parametrize("command", ["network convert", "network normalise"])
def test_a_file_without_networks(command: str, here: Path) -> None:
    written(here / "empty.stm", "")
    outcome = fstmetrics(*command.split(), "empty.stm", "--format", "stm")
    assert (outcome.status, outcome.out, outcome.err) == (2, "", "fstmetrics: empty.stm: holds no network\n")


@pytest.mark.parametrize("options", ["--op S", "--word a", "--min-count 2"])
def test_options_that_two_systems_do_not_have(options: str, here: Path) -> None:
    command = f"errors two.txt --against ref.txt {options}"
    assert fstmetrics(*command.split()).err == (
        "fstmetrics: --against adds up all errors: --op, --word and --min-count are for one system\n"
    )


@pytest.mark.parametrize("command", FURTHER)
def test_an_empty_file_is_refused_by_every_command(command: str, here: Path) -> None:
    written(here / "empty.txt", "")
    outcome = fstmetrics(*command.format("empty.txt").split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("fstmetrics: empty.txt: is empty")


def check(arguments: list[str], said: str, here: Path, finished: int = 0) -> None:
    """One line, status 2, and the same files as before, with or without --output; but for what items that were
    finished left for --resume."""
    before = {path: path.stat().st_size for path in here.rglob("*")}
    kept = [here / "o.jsonl.partial", here / "o.jsonl.journal"]
    output = [] if "--output" in arguments or "--json" in arguments else ["--output", str(here / "o.jsonl")]
    for further in ([], output):
        outcome = fstmetrics(*arguments, *further)
        assert outcome.status == 2, outcome
        assert outcome.err.startswith("fstmetrics: ")
        assert outcome.err.count("\n") == 1
        assert said in outcome.err
        assert outcome.out == ""
        assert len(outcome.err) < 700
        after = {path: path.stat().st_size for path in here.rglob("*")}
        if further and finished:
            assert kept[0].read_bytes().count(b"\n") == finished
            assert all(after.pop(path) for path in kept)
        assert after == before


@pytest.mark.parametrize(("name", "data", "command", "said"), FILES)
def test_bytes_that_are_no_file_of_a_format_are_refused_in_one_line(
    name: str, data: bytes, command: str, said: str, here: Path
) -> None:
    written(here / name, data)
    check([argument.format(name) for argument in command.split()], said.format(name), here)


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_a_bad_file_or_command_line_is_refused_in_one_line(case: dict[str, str], here: Path) -> None:
    if "file" in case:
        written(here / case["file"], content(case))
    check(case["command"].split(), case["message"], here)


def test_a_name_too_long_is_said_to_be_so(here: Path) -> None:
    check(["score", "two.txt", "x" * 300], "File name too long", here)


def test_a_damaged_network_among_good_ones(here: Path) -> None:
    for name in ("n1", "n3"):
        written(here / "folder" / f"{name}.json", network('"S": {"phrases": ["a"]}'))
    written(here / "folder" / "n2.json", network('"S": {"phrases": ["a [B]"]}'))
    written(here / "hyps.txt", "n1 a\nn2 a\nn3 a\n")
    check(["hyter", "folder", "hyps.txt"], "folder/n2.json: ", here, finished=1)


def test_an_empty_name_is_refused(here: Path) -> None:
    check(["score", "", "two.txt"], "a file's name is empty", here)
    check(["score", "two.txt", "two.txt", "--output", ""], "--output needs a file's name", here)


@pytest.mark.parametrize("output", ["nowhere/o.jsonl", "folder", "two.txt/o", "x" * 300])
def test_output_that_cannot_be_written(output: str, here: Path) -> None:
    check(["score", "ids2.txt", "ids2.txt", "--output", output], f"{output[-60:]}: cannot be written: ", here)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_output_to_a_protected_folder(here: Path) -> None:
    (here / "folder").chmod(0o500)
    check(["score", "ref.txt", "ref.txt", "--output", "folder/o"], "folder/o: cannot be written: ", here)


def second_is_cyclic(here: Path) -> list[str]:
    written(here / "refs.txt", "u-1 a\nu-2 b\n")
    written(here / "two.lat", "u-1\n0 1 a 1,2,\n1\n\nu-2\n0 1 b 1,2,\n1 0 c 1,2,\n1\n\n")
    return ["oracle", "refs.txt", "two.lat"]


def second_is_damaged(here: Path) -> list[str]:
    folder = here / "lattices"
    folder.mkdir()
    written(folder / "u-1.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n")
    written(folder / "u-2.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=9 W=a\n")
    return ["oracle", "ids2.txt", "lattices"]


def second_is_a_lattice(here: Path) -> list[str]:
    folder = here / "mixed"
    folder.mkdir()
    written(folder / "u-1.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n")
    written(folder / "u-2.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=b\n")
    return ["hyter", "ids2.txt", "mixed", "--window", "2"]


@pytest.mark.parametrize(
    ("arrange", "said"),
    [
        (second_is_cyclic, "u-2"),
        (second_is_damaged, "lattices/u-2.slf:4: state 9"),
        (second_is_a_lattice, "reordering in a window"),
    ],
)
def test_a_fault_in_the_second_item_leaves_no_output(
    arrange: Callable[[Path], list[str]], said: str, here: Path
) -> None:
    """But for the first item, if that was finished."""
    check(arrange(here), said, here, finished=int(arrange is not second_is_a_lattice))


def test_an_old_output_stays_when_the_new_one_fails(here: Path) -> None:
    old = written(here / "o.jsonl", "old\n")
    assert fstmetrics(*second_is_cyclic(here), "--output", "o.jsonl").status == 2
    assert old.read_text() == "old\n"


def test_strange_names_stay_on_one_line(here: Path) -> None:
    check(["score", "two.txt", "no\nsuch\x1b[31m\udc80"], "no\\nsuch\\x1b[31m\\udc80: cannot be read", here)


@pytest.mark.parametrize("command", [("oracle", *ORACLE), ("hyter", *HYTER)])
def test_an_unreadable_folder_or_file_is_named(command: tuple[str, ...], here: Path) -> None:
    name = "here/" * 60 + "x" * 300
    check([command[0], name, command[2]], f"{name[-60:]}: ", here)
