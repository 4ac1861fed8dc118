"""Files written whole or not at all: whatever is planted beside them, whoever else writes, and whatever goes wrong."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from time_limits import joined

import fstmetrics as fm
from fstmetrics.support.output import refuse_overwriting, whole_bytes, whole_file, whole_folder, write_whole


def in_a_file(path: str) -> None:
    with whole_file(path) as stream:
        stream.write("new\n")


def in_bytes(path: str) -> None:
    with whole_bytes(path) as stream:
        stream.write(b"new\n")


def at_once(path: str) -> None:
    write_whole(path, b"new\n")


def in_a_folder(path: str) -> None:
    with whole_folder(path) as folder:
        (folder / "x").write_text("new\n")


FILES = [in_a_file, in_bytes, at_once]
Write = Callable[[str], None]


@pytest.mark.parametrize("write", [*FILES, in_a_folder])
@pytest.mark.parametrize("kind", ["link", "dangling", "file", "folder"])
def test_what_is_planted_where_a_file_is_made(
    kind: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is made up; whoever guesses it all the same has nothing written through it, and nothing taken away."""
    monkeypatch.setattr(os, "urandom", bytes)
    victim = written(tmp_path / "victim", "precious\n")
    place = tmp_path / ".o.0000000000000000.unfinished"
    if kind == "folder":
        written(tmp_path / "victim", "precious\n")
        place.mkdir()
        written(place / "x", "precious\n")
    elif kind == "file":
        written(place, "precious\n")
    else:
        place.symlink_to(victim if kind == "link" else tmp_path / "missing")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(fm.FstmetricsError, match="o: cannot be written: File exists"):
        write(str(tmp_path / "o"))
    assert sorted(tmp_path.rglob("*")) == before
    assert victim.read_text() == "precious\n"


@pytest.mark.parametrize("write", FILES)
def test_many_write_the_same_file(write: Write, tmp_path: Path) -> None:
    """Threads of one process, too: whoever is last has the file, whole, and nobody fails."""
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(25):
                write(str(tmp_path / "o"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        joined(thread)
    assert not errors
    assert os.listdir(tmp_path) == ["o"]
    assert (tmp_path / "o").read_text() == "new\n"


@pytest.mark.parametrize("write", FILES)
def test_a_link_stays_a_link(write: Write, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link, target = tmp_path / "link", tmp_path / "real" / "target"
    link.symlink_to(target)
    for _ in range(2):  # it leads nowhere at first
        write(str(link))
        assert link.is_symlink()
        assert target.read_text() == "new\n"
    assert os.listdir(tmp_path / "real") == ["target"]


@pytest.mark.parametrize("write", FILES)
def test_a_link_to_itself(write: Write, tmp_path: Path) -> None:
    link = tmp_path / "o"
    link.symlink_to("o")
    with pytest.raises(fm.FstmetricsError, match="o: cannot be written: Too many levels of symbolic links"):
        write(str(link))
    assert link.is_symlink()
    assert os.listdir(tmp_path) == ["o"]


def test_a_run_does_not_write_to_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "o").symlink_to("o")
    outcome = fstmetrics("oracle", *ORACLE, "--output", tmp_path / "o")
    assert outcome.err == f"fstmetrics: {tmp_path}/o: cannot be written: Too many levels of symbolic links\n"
    assert os.listdir(tmp_path) == ["o"]


@pytest.mark.parametrize("write", FILES)
def test_who_may_read_a_file_stays_as_it_was(write: Write, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        path = tmp_path / "o"
        write(str(path))
        assert stat.S_IMODE(path.stat().st_mode) == 0o644
        path.chmod(0o600)
        write(str(path))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_who_may_read_records_stays_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path / "o", "")
    path.chmod(0o640)
    assert fstmetrics("oracle", *ORACLE, "--output", path).status == 0
    assert path.read_text().count("\n") == 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("write", FILES)
def test_a_file_that_may_not_be_written(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That its folder may be written to is no permission to replace it."""
    path = written(tmp_path / "o", "precious\n")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda place, how: how != os.W_OK)  # as it is for all but root
    with pytest.raises(fm.FstmetricsError, match="o: cannot be written: Permission denied"):
        write(str(path))
    assert path.read_text() == "precious\n"
    assert os.listdir(tmp_path) == ["o"]


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127, "new\nline", "-o", os.fsdecode(b"\xff")])
def test_names_that_a_file_system_takes(name: str, tmp_path: Path) -> None:
    write_whole(str(tmp_path / name), "new\n")
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("write", FILES)
def test_what_goes_wrong_leaves_the_old_file(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "o", "precious\n")

    def failing(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(KeyboardInterrupt):
        write(str(path))
    assert path.read_text() == "precious\n"
    assert os.listdir(tmp_path) == ["o"]


def test_an_output_that_is_an_input_is_refused_by_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    a, b = written(folder / "a", ""), written(tmp_path / "b", "")
    (tmp_path / "link").symlink_to(a)
    os.link(b, tmp_path / "hard")
    for output, given in [
        (a, a), (tmp_path / "link", a), (a, tmp_path / "link"), (tmp_path / "hard", b), (a, folder),
        (folder / ".." / "b", b), (folder, folder),
    ]:  # fmt: skip
        with pytest.raises(fm.FstmetricsError, match=f"^{output}: would overwrite the input {given}; "):
            refuse_overwriting([None, str(output)], [None, "-", str(given)])
    for one, other in [(a, a), (b, tmp_path / "hard"), (tmp_path / "new", folder / ".." / "new")]:
        with pytest.raises(fm.FstmetricsError, match="two outputs would be one file"):
            refuse_overwriting([str(one), str(other)], [])
    (tmp_path / "to").symlink_to(folder / "new")
    for output in (folder / "new", folder / ".." / "in" / "new", tmp_path / "to"):
        with pytest.raises(
            fm.FstmetricsError, match=f"^{output}: would be in the folder {folder}, which is read; "
        ):
            refuse_overwriting([str(output)], [str(folder)])
    within = [str(folder / "sub" / "new"), f"{folder}/sub/"]
    refuse_overwriting([str(b), *within, "-", "-", "/dev/null", "/dev/null"], [str(folder), "/dev/null"])


RECORDS = '{{"id": "u", "metric": "wer", "score": 0.0, "alignment": [["=", "a", "a"]]}}\n'


@pytest.mark.parametrize(
    "command",
    [
        "score {ref} {hyp} --output {ref}",
        "score {ref} {hyp} --ref {more} --output {more}",
        "score {ref} {hyp} --symbols {sym} --output {sym}",
        "score {ref} {hyp} --grammar {grammar}@0.5 --output {grammar}",
        "score {partial} {hyp} --output {x}",
        "score {ref} {journal} --output {x}",
        "oracle {lattice_ref} {lattices} --output {lattice}",
        "mbr {lattices} --output {lattice}",
        "mbr ark:{ark} --output {ark}",
        "oracle {lattice_ref} {lattices} --output {lattices}/new",
        "convert {lattices} {lattices}/new.ark",
        "convert {ark} {lattices}/new.ark --symbols {lattices} --write-symbols new",
        "network convert {lattices} -o {lattices}/new.far",
        "report {lattices} -o {lattices}/new.html",
        "convert {hyp} {hyp} --to trn",
        "convert {ark} out.far --symbols {sym} --write-symbols {sym}",
        "convert {ark} new.ark --write-symbols new.ark",
        "features {net} {hyp} --output {hyp}",
        "features {net} {hyp} --passages {passages} --output {passages}",
        "show {records} --output {records} --style jsonl",
        "report {records} -o {records}",
        "network union {net} {net} -o {net}",
        "network build {ref} -o {ref} --to json",
        "network convert {net} -o {net}",
        "network draw {net} -o {net} --to dot",
        "compare --ref {ref} {hyp} x={picture} --plot {picture}",
        "variants {hyp} --ref {picture} --plot {picture}",
        "correlate {scores} --output {scores}",
        "correlate {scores} --output new.tsv --plot new.tsv",
    ],
)
def test_no_command_writes_over_its_inputs_or_other_outputs(command: str, tmp_path: Path) -> None:
    names = {name: tmp_path / name for name in ("ref", "hyp", "more", "x", "new.ark", "new.tsv", "out.far")}
    names |= {"partial": tmp_path / "x.partial", "journal": tmp_path / "x.journal"}
    contents = {
        "ref": "a b\n", "hyp": "a b\n", "more": "a c\n", "sym": "<eps> 0\na 1\n", "grammar": "a -> b\n",
        "x.partial": "a b\n", "x.journal": "a b\n", "l.ark": "u\n0 1 a 1,2,\n1\n\n", "passages": "1 p\n",
        "r.jsonl": RECORDS.format(), "p.png": "a b\n", "scores": "system\thuman\tbleu\na\t1\t2\nb\t2\t3\n",
        "n.json": Path(HYTER[0], "station.json").read_text(),
    }  # fmt: skip
    for name, content in contents.items():
        names[name] = written(tmp_path / name, content)
    names |= {
        "ark": names["l.ark"],
        "records": names["r.jsonl"],
        "net": names["n.json"],
        "picture": names["p.png"],
    }
    lattices = tmp_path / "lattices"
    lattices.mkdir()
    for path in (EXAMPLES / "oracle" / "lattices").iterdir():
        written(lattices / path.name, path.read_bytes())
    names |= {"lattices": lattices, "lattice": lattices / "holmes01.slf.gz", "lattice_ref": Path(ORACLE[0])}
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    words = [word.format(**names) for word in command.split()]
    outcome = fstmetrics(*(str(names.get(word, word)) for word in words))
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert re.search(
        "would overwrite the input|would be in the folder|two outputs would be one file", outcome.err
    )
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "command", ["compare --ref {0} {0} x={0} --plot {1}", "variants {0} --ref {0} --plot {1}"]
)
def test_a_picture_of_no_kind_is_told_before_anything_is_read(command: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    outcome = fstmetrics(*command.format(tmp_path / "missing", tmp_path / "picture.xyz").split())
    assert outcome.err == (
        f"fstmetrics: {tmp_path}/picture.xyz: a picture's extension says its format: .png, .pdf or .svg\n"
    )
