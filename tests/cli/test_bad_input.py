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
    ("cut.slf", SLF[: len(SLF) // 2], "oracle ref.txt {}", "{}:"),
    ("cut.lat", BINARY[:-3], "oracle ref.txt {}", "{}: byte "),
    ("lat.txt", "u1\n0 1 a x,2,\n1\n\n", "oracle ref.txt {} --format kaldi-lattice", "{}:2: a cost is a number"),
    ("lat.txt", "u1\n0 1 a x,2,\n1\n\n", "oracle ref.txt {}", "{}: looks like text, not lattices"),
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
    ("blank.txt", "u-1 a\n\nu-2 b\n", "score ids2.txt {} --format kaldi-text", "{}:2: blank line"),
    ("three.txt", "a\nb\nc\n", "score two.txt {}", "numbers of items differ: 3 in {}, 2 in two.txt"),
    ("more.txt", "a\nb\nc\n", "score two.txt two.txt --ref {}", "2 in two.txt, 2 in two.txt, 3 in {}"),
    *(
        ("empty.txt", "", command, "{}: is empty")
        for command in (
            "oracle ref.txt {}", "oracle {} lat.bin", "mbr {}", "hyter {} hyp.txt", "score {} two.txt",
            "score two.txt two.txt --ref {}", "show {}", "report {}",
        )
    ),
    ("swapped.txt", "u1 a\n", "oracle lat.bin {}", "{}: looks like text, not lattices or n-best lists; REF comes"),
    ("blank.txt", "\n\n", "oracle ref.txt {}", "{}: holds blank lines only, not lattices or n-best lists"),
    ("blank.txt", "\n \n\n", "show {}", "{}: is empty"),
    ("empty.slf", "", "oracle ref.txt {}", "{}: is empty"),
    ("empty.gz", gzip.compress(b"", mtime=0), "score {} two.txt", "{}: is empty"),
    ("empty.trn", "", "score {} two.txt", "{} holds no item"),
    ("empty.txt", "", "score two.txt {} --missing skip", "{} holds no item"),
    ("empty.json", "", "hyter {} hyp.txt", "{}: "),
    ("noise", bytes(range(256)) * 9, "score two.txt {}", "{}: byte 0: neither text (byte 0x00) nor a format"),
    ("zero.txt", "a b\0c\n", "score two.txt {}", "{}: byte 3: neither text (byte 0x00) nor a format"),
    ("noise", bytes(range(256)) * 9, "oracle ref.txt {}", "that is recognised; convert it, or say with --format"),
    ("noise", bytes(range(256)) * 9, "score {} two.txt", "that is recognised; convert it, or say with --ref-format"),
    ("mesh", "name x\nnumaligns 2\n", "score {} two.txt", "{}: numaligns says 2 columns, but 0 are there"),
    ("net.json", network('"S": {"phrases": ["a"]}'), "hyter two.txt {}", "{}: holds networks where hypotheses are"),
    ("noise.slf", bytes(range(256)) * 9, "oracle ref.txt {}", "{}: "),
    ("noise.json", bytes(range(256)) * 9, "hyter {} hyp.txt", "{}: "),
    ("utf16.txt", "a b\nc\n".encode("utf-16"), "score two.txt {}", "{}: byte 0: not UTF-8 text; it looks like utf-16;"),
    ("utf32.txt", "a b\nc\n".encode("utf-32"), "score two.txt {}", "{}: byte 0: not UTF-8 text; it looks like utf-32;"),
    ("utf16.txt", "a b\nc\n".encode("utf-16-le"), "score two.txt {} --format plain", "{}: byte 1: not UTF-8"),
    ("utf16.txt", "a b\nc\n".encode("utf-16-be"), "score two.txt {} --format plain", "iconv -f utf-16be"),
    ("latin1.txt", "caf\u00e9 x\nb\n".encode("latin-1"), "score two.txt {}", "{}: byte 3: not UTF-8"),
    ("latin1.txt", "caf\u00e9 x\nb\n".encode("latin-1"), "score {} two.txt", "looks like iso-8859-1; iconv -f"),
    ("windows.txt", "it\u2019s x\nb\n".encode("cp1252"), "score {} two.txt", "looks like windows-1252; iconv -f"),
    ("gb.txt", "\u4eca \u5929\u5929\u6c14\n\u597d\n".encode("gb2312"), "score {} two.txt", "looks like gb18030;"),
    ("big5.txt", "\u4eca \u5929\u5929\u6c23\n\u597d\n".encode("big5"), "score {} two.txt", "not UTF-8 text"),
    ("koi8.txt", "\u043f\u0440\u0438\u0432\u0435\u0442\u044b\nb\n".encode("koi8-r"), "score {} two.txt",
     "convert it with iconv -f ENCODING -t utf-8"),
    ("cut.txt", "caf\u00e9 x\n".encode() + b"b\xc3\n", "score {} two.txt", "what stands before is UTF-8"),
    ("cycle.txt", "0 1 a\n1 0 b\n1\n", "oracle ref.txt {}",
     "cycle: the lattice has a cycle, and hypotheses must be acyclic"),
    ("cycle.txt", "0 1 a\n1 0 b\n1\n", "score ref.txt {}", "cycle"),
    ("lat.txt", LATTICE, "hyter ref.txt {} --window 3", "reordering in a window is for strings"),
    ("gap.txt", "0 ||| a\n2 ||| b\n", "oracle two.txt {}", "{}: sentence 1 has no hypothesis"),
    ("one.txt", "1 ||| a\n2 ||| b\n", "oracle two.txt {}", "{}: sentence 0 has no hypothesis"),
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
    ("score two.txt two.txt --tokenize nosuch", "nosuch"),
    ("score two.txt two.txt --unit letter", "'letter' is not one of"),
    ("score two.txt two.txt --format nosuch", "unknown format 'nosuch'; known are plain,"),
    ("score two.txt two.txt --metric nosuch", "'nosuch' is not one of"),
    ("score two.txt two.txt --metric grr --order 0", "0 is not in the range"),
    ("score two.txt two.txt --metric grr --alpha much", "--alpha"),
    ("score two.txt two.txt --metric grr --beta inf", "--beta"),
    ("score two.txt two.txt --alpha 0.1234567890123456789012", "--alpha"),
    ("score two.txt two.txt --nbest 0", "0 is not in the range"),
    ("hyter two.txt two.txt --window -1", "-1 is not in the range"),
    ("hyter two.txt two.txt --window 65", "65 is not in the range"),
    ("hyter two.txt two.txt --window x", "expected a whole number, 1<=x<=64, not 'x'"),
    ("oracle ref.txt lat.bin --lm-scale nan", "--lm-scale"),
    ("oracle ref.txt lat.bin --acoustic-scale -inf", "--acoustic-scale"),
    ("score two.txt", "Missing argument 'HYP'"),
    ("score two.txt two.txt two.txt", "unexpected extra argument"),
    ("score two.txt two.txt --nosuch", "no such option"),
    ("nosuch", "No such command 'nosuch'"),
    ("score two.txt two.txt --jobs 9999999999999999999999999", "is not in the range 1<=x<=1024"),
    ("mbr lat.bin --jobs 1025", "is not in the range 1<=x<=1024"),
    ("score two.txt - --symbols -", "standard input (-) can be read only once"),
    ("score ark:- -", "standard input (-) can be read only once"),
    ("score - -", "standard input (-) can be read only once"),
    (
        "score two.txt two.txt --output two.txt",
        "two.txt: would overwrite the input two.txt; write to another file",
    ),
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
    written(tmp_path / "ref.txt", "a\n")
    written(tmp_path / "two.txt", "a b\nc\n")
    written(tmp_path / "ids2.txt", "u-1 a\nu-2 b\n")
    written(tmp_path / "hyp.txt", "a\n")
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
def test_empty_files(command: str, here: Path) -> None:
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
    check(["hyter", "folder", "hyps.txt"], "folder/n2.json: ", here, finished=1)


def test_empty_names(here: Path) -> None:
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
