"""Bad input, from the command line: one line that says where, exit status 2, nothing left behind."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from written import Drawn, kaldi_binary

SLF = gzip.decompress((EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz").read_bytes())
BINARY = kaldi_binary("u1", Drawn([(0, 1, "a", 1.0, 2.0)], {1: (0.0, 0.0)}), {"a": 7, "": 0})
LATTICE = "u1\n0 1 a 1,2,\n1\n\n"


def network(cards: str, root: str = "S") -> str:
    """A network file."""
    return '{"format": "fstmetrics-network/1", "root": "%s", "cards": {%s}}' % (root, cards)  # noqa: UP031


# Name of the bad file, its content, the command with {} for the file, and what the line must say.
FILES: list[tuple[str, bytes | str, str, str]] = [
    ("cut.slf.gz", gzip.compress(SLF)[:-200], "oracle ref.txt {}", "{}: damaged gzip"),
    ("flip.slf.gz", gzip.compress(SLF).replace(b"1", b"2"), "oracle ref.txt {}", "{}: damaged"),
    ("cut.slf", SLF[: len(SLF) // 2], "oracle ref.txt {}", "{}: "),
    ("cut.lat", BINARY[:-3], "oracle ref.txt {}", "{}: byte "),
    ("lat.txt", "u1\n0 1 a x,2,\n1\n\n", "oracle ref.txt {} --format kaldi-lattice", "{}:2: a cost is a number"),
    ("lat.txt", "u1\n0 1 a x,2,\n1\n\n", "oracle ref.txt {}", "{}: looks like text, not like lattices"),
    ("noend.txt", "u1\n0 1 a 1,2,\n", "oracle ref.txt {}", "{}:1: lattice 'u1' has no final state"),
    ("dangling.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=7 W=a\n", "oracle ref.txt {}", "{}:4: state 7"),
    ("words.txt", "<eps> 0\nb 1\n", "oracle ref.txt lat.bin --symbols {}", "lat.bin: "),
    ("badwords.txt", "<eps> 0\nb one\n", "oracle ref.txt lat.bin --symbols {}", "{}:2: "),
    ("n.json", network('"S": {"phrases": ["[A]"]}, "A": {"phrases": ["x [S]"]}'), "hyter {} hyp.txt", "{}: "),
    ("self.json", network('"S": {"phrases": ["a [S]"]}'), "hyter {} hyp.txt", "{}: "),
    ("missing.json", network('"S": {"phrases": ["a [B]"]}'), "hyter {} hyp.txt", "{}: "),
    ("nopath.json", network('"S": {"phrases": []}'), "hyter {} hyp.txt", "{}: "),
    ("noroot.json", network('"S": {"phrases": ["a"]}', "T"), "hyter {} hyp.txt", "{}: "),
    ("final.json", network('"S": {"start": 0, "arcs": [[0, 1, "a"]], "final": [1, 2]}'), "hyter {} hyp.txt", "{}: "),
    ("syntax.json", '{"format": "fstmetrics-network/1",\n oops}', "hyter {} hyp.txt", "{}:2: "),
    ("cut.json", network('"S": {"phrases": ["a"]}')[:-9], "hyter {} hyp.txt", "{}:1: "),
    ("ids.txt", "u-1 a\nu-9 b\n", "score ids2.txt {}", "no hypothesis for u-2 in {}; no reference for u-9 in ids2.txt"),
    ("twice.txt", "u-1 a\nu-1 b\n", "score ids2.txt {} --format kaldi-text", "{}:2: id 'u-1' is already in line 1"),
    ("blank.txt", "u-1 a\n\n", "score ids2.txt {} --format kaldi-text", "{}:2: blank line"),
    ("three.txt", "a\nb\nc\n", "score two.txt {}", "numbers of items differ: 3 in {}, 2 in two.txt"),
    ("more.txt", "a\nb\nc\n", "score two.txt two.txt --ref {}", "2 in two.txt, 2 in two.txt, 3 in {}"),
    ("empty.txt", "", "score two.txt {}", "{} holds no item"),
    ("empty.txt", "", "score {} two.txt", "{} holds no item"),
    ("empty.slf", "", "oracle ref.txt {}", "{}: is empty"),
    ("empty.gz", gzip.compress(b"", mtime=0), "score two.txt {}", "{} holds no item"),
    ("empty.json", "", "hyter {} hyp.txt", "{}: "),
    ("noise", bytes(range(256)) * 9, "score two.txt {}", "{}: format not recognised"),
    ("noise", bytes(range(256)) * 9, "oracle ref.txt {}", "{}: format not recognised; convert it, or say with --f"),
    ("noise", bytes(range(256)) * 9, "score {} two.txt", "{}: format not recognised; convert it, or say with --ref-f"),
    ("mesh", "name x\nnumaligns 2\n", "score {} two.txt", "{}: numaligns says 2 columns, but 0 are there"),
    ("net.json", network('"S": {"phrases": ["a"]}'), "hyter two.txt {}", "{}: holds networks where hypotheses are"),
    ("noise.slf", bytes(range(256)) * 9, "oracle ref.txt {}", "{}: "),
    ("noise.json", bytes(range(256)) * 9, "hyter {} hyp.txt", "{}: "),
    ("utf16.txt", "a b\nc\n".encode("utf-16"), "score two.txt {}", "{}: byte 0: looks like UTF-16"),
    ("utf16.txt", "a b\nc\n".encode("utf-16-le"), "score two.txt {} --format plain", "{}: byte 1: not UTF-8"),
    ("latin1.txt", "caf\u00e9 x\nb\n".encode("latin-1"), "score two.txt {}", "{}: byte 3: not UTF-8"),
    ("latin1.txt", "caf\u00e9 x\nb\n".encode("latin-1"), "score {} two.txt", "{}: byte 3: not UTF-8"),
    ("cycle.txt", "0 1 a\n1 0 b\n1\n", "oracle ref.txt {}", "cycle: the lattice has a cycle"),
    ("cycle.txt", "0 1 a\n1 0 b\n1\n", "score ref.txt {}", "cycle"),
    ("lat.txt", LATTICE, "hyter ref.txt {} --window 3", "reordering in a window needs a plain string"),
    ("gap.txt", "0 ||| a\n2 ||| b\n", "oracle two.txt {}", "{}: sentence 1 has no hypothesis"),
    ("bar.txt", "0 ||| a\nb\n", "oracle two.txt {}", "{}:2: expected `id ||| hypothesis"),
]  # fmt: skip

COMMANDS: list[tuple[str, str]] = [
    ("score two.txt nowhere.txt", "nowhere.txt: cannot be read: No such file"),
    ("score nowhere.txt two.txt", "nowhere.txt: cannot be read: No such file"),
    ("score two.txt two.txt --ref nowhere.txt", "nowhere.txt: cannot be read: No such file"),
    ("oracle ref.txt lat.bin --symbols nowhere.txt", "nowhere.txt: cannot be read: No such file"),
    ("score two.txt " + "x" * 300, "File name too long"),
    ("oracle ref.txt folder", "folder: this folder has no file to read"),
    ("oracle ref.txt folder --format slf", "folder: no file in this folder looks like format slf"),
    ("score two.txt two.txt --json --output -", "--json and --output - both want standard output"),
    ("score two.txt two.txt --json --alignment", "give --output a file"),
    ("score two.txt two.txt --json --nbest 2", "give --output a file"),
    ("score two.txt two.txt --tokenize nosuch", "nosuch"),
    ("score two.txt two.txt --unit letter", "'letter' is not one of"),
    ("score two.txt two.txt --format nosuch", "'nosuch' is not one of"),
    ("score two.txt two.txt --metric nosuch", "'nosuch' is not one of"),
    ("score two.txt two.txt --metric grr --order 0", "0 is not in the range"),
    ("score two.txt two.txt --metric grr --alpha much", "--alpha"),
    ("score two.txt two.txt --metric grr --beta inf", "--beta"),
    ("score two.txt two.txt --alpha 0.1234567890123456789012", "--alpha"),
    ("score two.txt two.txt --nbest 0", "0 is not in the range"),
    ("hyter two.txt two.txt --window -1", "-1 is not in the range"),
    ("hyter two.txt two.txt --window 65", "65 is not in the range"),
    ("hyter two.txt two.txt --window x", "'x' is not a valid"),
    ("oracle ref.txt lat.bin --lm-scale nan", "--lm-scale"),
    ("oracle ref.txt lat.bin --acoustic-scale -inf", "--acoustic-scale"),
    ("score two.txt", "Missing argument 'HYP'"),
    ("score two.txt two.txt two.txt", "unexpected extra argument"),
    ("score two.txt two.txt --nosuch", "No such option"),
    ("nosuch", "No such command 'nosuch'"),
    ("score - -", "standard input (-) can be read only once"),
    ("score two.txt two.txt --output two.txt", "two.txt: --output would overwrite this input"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with good files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    written(tmp_path / "ref.txt", "a\n")
    written(tmp_path / "two.txt", "a b\nc\n")
    written(tmp_path / "ids2.txt", "u-1 a\nu-2 b\n")
    written(tmp_path / "hyp.txt", "a\n")
    written(tmp_path / "lat.bin", BINARY)
    return tmp_path


def check(arguments: list[str], said: str, here: Path) -> None:
    """One line, status 2, and the same files as before, with or without --output."""
    before = {path: path.stat().st_size for path in here.rglob("*")}
    output = [] if "--output" in arguments or "--json" in arguments else ["--output", str(here / "o.jsonl")]
    for further in ([], output):
        outcome = fstmetrics(*arguments, *further)
        assert outcome.status == 2, outcome
        assert outcome.err.startswith("fstmetrics: ")
        assert outcome.err.count("\n") == 1
        assert said in outcome.err
        assert outcome.out == ""
        assert len(outcome.err) < 700
        assert {path: path.stat().st_size for path in here.rglob("*")} == before


@pytest.mark.parametrize(("name", "data", "command", "said"), FILES)
def test_bad_files(name: str, data: bytes | str, command: str, said: str, here: Path) -> None:
    written(here / name, data)
    check([argument.format(name) for argument in command.split()], said.format(name), here)


@pytest.mark.parametrize(("command", "said"), COMMANDS)
def test_bad_commands(command: str, said: str, here: Path) -> None:
    check(command.split(), said, here)


def test_a_damaged_network_among_good_ones(here: Path) -> None:
    for name in ("n1", "n3"):
        written(here / "folder" / f"{name}.json", network('"S": {"phrases": ["a"]}'))
    written(here / "folder" / "n2.json", network('"S": {"phrases": ["a [B]"]}'))
    written(here / "hyps.txt", "n1 a\nn2 a\nn3 a\n")
    check(["hyter", "folder", "hyps.txt"], "folder/n2.json: ", here)


def test_empty_names(here: Path) -> None:
    check(["score", "", "two.txt"], "a file's name is empty", here)
    check(["score", "two.txt", "two.txt", "--output", ""], "--output needs a file's name", here)


@pytest.mark.parametrize("output", ["nowhere/o.jsonl", "folder", "two.txt/o", "x" * 300])
def test_output_that_cannot_be_written(output: str, here: Path) -> None:
    check(["score", "ids2.txt", "ids2.txt", "--output", output], f"{output}: cannot be written: ", here)


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
    check(arrange(here), said, here)


def test_an_old_output_stays_when_the_new_one_fails(here: Path) -> None:
    old = written(here / "o.jsonl", "old\n")
    assert fstmetrics(*second_is_cyclic(here), "--output", "o.jsonl").status == 2
    assert old.read_text() == "old\n"


def test_strange_names_stay_on_one_line(here: Path) -> None:
    check(["score", "two.txt", "no\nsuch\x1b[31m\udc80"], "no\\nsuch\\x1b[31m\\udc80: cannot be read", here)


@pytest.mark.parametrize("command", [("oracle", *ORACLE), ("hyter", *HYTER)])
def test_an_unreadable_folder_or_file_is_named(command: tuple[str, ...], here: Path) -> None:
    name = "here/" * 60 + "x" * 300
    check([command[0], name, command[2]], f"{name}: ", here)
