"""`fstmetrics convert --keep-going`: bad items told, counted and left out, and nothing else changed."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from command import EXAMPLES, Outcome, fstmetrics, written

import fstmetrics as fm
from fstmetrics.convert import convert
from fstmetrics.io import read_items


def lattice(id: str, word: str, end: str = "1\t0.0,0.0,\n") -> str:
    return f"{id}\n0\t1\t{word}\t0.5,1.5,\n{end}\n"


GOOD = [lattice("u1", "a"), lattice("u3", "c"), lattice("u4", "d")]
ARCHIVE = GOOD[0] + lattice("u2", "b", end="") + "".join(GOOD[1:])


def going(*arguments: object) -> Outcome:
    return fstmetrics("convert", *arguments, "--keep-going")


def check(outcome: Outcome, faults: list[str], items: int) -> None:
    """Each fault in a line, then how many there were."""
    *told, last = outcome.err.splitlines()
    assert (outcome.status, outcome.out) == (1, "")
    counted = "1 item" if items == 1 else f"{items} items"
    assert last == f"{counted}; {len(faults)} left out: not readable, or not written because of an error"
    told = [line for line in told if line.startswith("fstmetrics: ")]
    assert len(told) == len(faults), outcome.err
    for line, fault in zip(told, faults, strict=True):
        assert fault in line


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("options", [("--to", "kaldi-lattice-text"), ("--to", "far", "--lossy")])
def test_what_is_left_is_what_the_good_items_give(
    packed: bool, options: tuple[str, ...], tmp_path: Path
) -> None:
    bad, good = ((gzip.compress if packed else bytes)(t.encode()) for t in (ARCHIVE, "".join(GOOD)))
    bad_file, good_file = written(tmp_path / "bad.ark", bad), written(tmp_path / "good.ark", good)
    stopped = fstmetrics("convert", bad_file, tmp_path / "o", *options)
    assert (stopped.status, stopped.err.count("\n")) == (2, 1)
    assert sorted(os.listdir(tmp_path)) == ["bad.ark", "good.ark"]
    check(going(bad_file, tmp_path / "o", *options), ["lattice 'u2' has no final state"], 3)
    assert fstmetrics("convert", good_file, tmp_path / "p", *options).status == 0
    assert (tmp_path / "o").read_bytes() == (tmp_path / "p").read_bytes()


def test_without_bad_items_nothing_differs(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark", "".join(GOOD))
    outcome = going(archive, tmp_path / "o.txt", "--to", "kaldi-lattice-text")
    assert (outcome.status, outcome.err) == (0, "")
    assert (tmp_path / "o.txt").read_text() == "".join(GOOD)


def test_a_damaged_file_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for path in (EXAMPLES / "oracle" / "lattices").iterdir():
        data = path.read_bytes()
        written(folder / path.name, data[: len(data) // 2] if "23" in path.name else data)
    outcome = going(folder, tmp_path / "out.ark", "--to", "kaldi-lattice-text", "--lossy")
    check(outcome, [f"{folder}/holmes23.slf.gz"], 3)
    assert {item.id for item in read_items(tmp_path / "out.ark").items} == {
        "holmes01",
        "holmes21",
        "holmes37",
    }


def test_an_archive_that_is_cut_off(tmp_path: Path) -> None:
    packed = gzip.compress("".join(lattice(f"u{i}", f"w{i * 7919}") for i in range(4000)).encode())
    source = written(tmp_path / "a.ark.gz", packed[:-2000])
    outcome = going(source, tmp_path / "o", "--to", "kaldi-lattice-text")
    items = len(read_items(tmp_path / "o").items)
    assert 1000 < items < 4000
    check(outcome, ["gzip"], items)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """An item fails in the middle of the file, and its half is not in it."""
    text = written(tmp_path / "t", "u-1 a b\nu(2) c d\nu(3) e\nu-4 f\n")
    outcome = going(text, tmp_path / "o.trn", "--format", "kaldi-text")
    check(outcome, [f"item u({i}): the id 'u({i})' has parentheses" for i in (2, 3)], 2)
    assert (tmp_path / "o.trn").read_text() == "a b (u-1)\nf (u-4)\n"


def test_what_would_be_lost(tmp_path: Path) -> None:
    """Options decide what may be lost; an item that would lose more is a bad one."""
    text = written(tmp_path / "t.trn", "a (u1)\na { b / c } (u2)\nd (u3)\n")
    check(going(text, tmp_path / "o", "--to", "kaldi-text"), ["item u2: writing kaldi-text would lose"], 2)
    assert (tmp_path / "o").read_text() == "u1 a\nu3 d\n"


def test_items_are_numbered_as_they_were(tmp_path: Path) -> None:
    text = written(tmp_path / "hyp.txt", "a\nb <eps>\nc\n")
    outcome = going(text, tmp_path / "o.ark", "--to", "kaldi-lattice-text")
    check(outcome, ["item hyp-000002: the word '<eps>'"], 2)
    assert [item.id for item in read_items(tmp_path / "o.ark").items] == ["hyp-000001", "hyp-000003"]


def test_where_order_is_all_there_is_nothing_is_left_out(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark", ARCHIVE)
    outcome = going(archive, tmp_path / "o.txt", "--lossy")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "'u2' has no final state" in outcome.err
    assert "it cannot be left out, as plain has no ids and those behind it would move up" in outcome.err
    assert os.listdir(tmp_path) == ["a.ark"]


def test_numbers_that_nobody_knows(tmp_path: Path) -> None:
    """The first file breaks off, so it cannot be said how many sentences it had."""
    folder = tmp_path / "in"
    folder.mkdir()
    lines = "".join(f"((('w{i * 7919}',0.0,1),),)\n" for i in range(5000))
    written(folder / "a.plf.gz", gzip.compress(lines.encode())[:-1000])
    written(folder / "b.plf", "((('b',0.0,1),),)\n")
    outcome = going(folder, tmp_path / "o", "--to", "kaldi-lattice-text", "--format", "plf")
    assert outcome.status == 2
    assert "their numbers are not known; convert the files one by one" in outcome.err.splitlines()[-1]
    assert os.listdir(tmp_path) == ["in"]


def test_no_item_is_left(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark", lattice("u1", "a", end="") + lattice("u2", "b", end=""))
    for target in ("o", "folder/"):
        to = "att" if target.endswith("/") else "kaldi-lattice-text"
        outcome = going(archive, f"{tmp_path}/{target}", "--to", to, "--lossy")
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 3)
        assert outcome.err.endswith(f"{archive}: no item can be written, so {tmp_path}/{target} is not\n")
        assert os.listdir(tmp_path) == ["a.ark"]


def test_a_folder_gets_no_file_of_a_bad_item(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark", GOOD[0] + lattice("u/2", "b") + lattice(".u", "b") + GOOD[1])
    outcome = going(archive, f"{tmp_path}/out/", "--to", "att", "--lossy")
    check(outcome, ["the id 'u/2' is no name for a file", "the id '.u' is no name for a file"], 2)
    assert sorted(os.listdir(tmp_path / "out")) == ["u1.fst.txt", "u3.fst.txt"]


def test_words_of_bad_items_get_no_numbers(tmp_path: Path) -> None:
    """1e39 is no 32-bit float, which is only seen when the words have numbers."""
    large = lattice("u2", "b").replace("0.5", "1e39")
    archive = written(tmp_path / "a.ark", GOOD[0] + large + GOOD[1])
    outcome = going(
        archive, tmp_path / "o.ark", "--to", "kaldi-lattice", "--write-symbols", tmp_path / "words"
    )
    check(outcome, ["item u2"], 2)
    assert (tmp_path / "words").read_text() == "<eps>\t0\na\t1\nc\t2\n"


def test_an_id_that_comes_twice(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    written(folder / "a.ark", GOOD[0] + GOOD[1])
    written(folder / "b.ark", GOOD[0] + GOOD[2])
    check(going(folder, tmp_path / "o", "--to", "kaldi-lattice-text"), ["the id 'u1' comes twice"], 3)


def test_a_first_word_that_is_read_as_a_mark(tmp_path: Path) -> None:
    text = written(tmp_path / "t.trn", b"\\a (u1)\n" + "x \ufeffy (u2)\n".encode() + b"z (u3)\n")
    outcome = going(text, tmp_path / "o", "--to", "trn")
    assert (outcome.status, outcome.err) == (0, "")


def test_python_gets_the_faults_one_by_one(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark", ARCHIVE)
    faults: list[fm.FstmetricsError] = []
    done = convert(str(archive), f"{tmp_path}/o", to="kaldi-lattice-text", faulty=faults.append)
    assert (done.items, done.faults, len(faults)) == (3, 1, 1)
    assert isinstance(faults[0], fm.InputError)


def test_a_file_that_is_nothing_known_is_no_bad_item(tmp_path: Path) -> None:
    for content in (b"\xff\xfe", b"a\xffb\n"):
        source = written(tmp_path / "x", content)
        outcome = going(source, tmp_path / "o.trn")
        assert (outcome.status, outcome.out) == (2, "")
        assert os.listdir(tmp_path) == ["x"]
