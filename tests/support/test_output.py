"""Files written whole or not at all: whatever is planted beside them, whoever else writes, and whatever goes wrong."""

from __future__ import annotations

import gzip
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics, written
from time_limits import joined

import fstmetrics as fm
from fstmetrics.support.output import (
    descriptor_of,
    is_plain,
    named_output,
    refuse_overwriting,
    whole_bytes,
    whole_file,
    whole_folder,
    write_whole,
)


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


@pytest.mark.parametrize("write", FILES)
def test_the_ending_says_whether_a_file_is_packed(write: Write, tmp_path: Path) -> None:
    for name, read in (("a.gz", gzip.decompress), ("a.gz.txt", bytes)):
        write(str(tmp_path / name))
        assert read((tmp_path / name).read_bytes()) == b"new\n"


def test_records_of_a_run_are_not_packed(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "a b\n")
    refused = fstmetrics("score", ref, ref, "--output", tmp_path / "x.jsonl.gz")
    assert (refused.status, refused.err.count("\n"), [*tmp_path.iterdir()]) == (2, 1, [ref])
    assert "and not packed: give a name without .gz" in refused.err
    cut = fstmetrics("segment", ref, ref, "--output", tmp_path / "cut.gz")
    assert cut.status == 0, cut.err
    assert gzip.decompress((tmp_path / "cut.gz").read_bytes()) == b"a b\n"


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
@pytest.mark.parametrize("name", ["/dev/fd/{0}", "/proc/self/fd/{0}", "/proc/{1}/fd/{0}", "link"])
def test_an_open_file_is_written_to_where_it_is(name: str, write: Write, tmp_path: Path) -> None:
    """What is in it stays, and so does the file; it is still open afterwards."""
    with (tmp_path / "o").open("wb", buffering=0) as file:
        file.write(b"before\n")
        path = name.format(file.fileno(), os.getpid())
        if not path.startswith("/dev") and not os.path.exists("/proc/self/fd"):
            pytest.skip("no /proc here")
        if name == "link":
            (tmp_path / "one").symlink_to(f"/dev/fd/{file.fileno()}")
            (tmp_path / "link").symlink_to("one")
            path = str(tmp_path / "link")
        before = os.stat(tmp_path / "o").st_ino
        assert not is_plain(path)
        assert descriptor_of(path) == file.fileno()
        assert named_output(path) == path
        write(path)
        write(path)
        file.write(b"after\n")
    assert (tmp_path / "o").read_bytes() == b"before\nnew\nnew\nafter\n"
    assert os.stat(tmp_path / "o").st_ino == before


@pytest.mark.parametrize("write", FILES)
def test_an_open_file_that_is_only_read(write: Write, tmp_path: Path) -> None:
    with written(tmp_path / "o", "precious\n").open("rb") as file:
        path = f"/dev/fd/{file.fileno()}"
        with pytest.raises(fm.FstmetricsError, match=f"^{path}: cannot be written: Bad file descriptor"):
            write(path)
    with pytest.raises(
        fm.FstmetricsError, match=f"^{path}: cannot be written: no file of that number is open"
    ):
        named_output(path)
    assert os.listdir(tmp_path) == ["o"]
    assert (tmp_path / "o").read_bytes() == b"precious\n"


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no /proc here")
def test_an_open_file_of_another_process(tmp_path: Path) -> None:
    """Nobody can write where that process is, and its file is not replaced."""
    path = f"/proc/{os.getpid()}/fd/1"
    with written(tmp_path / "o", "precious\n").open("ab") as file:
        done = subprocess.run(
            [sys.executable, "-m", "fstmetrics", "score", *TEXTS, "--output", path.replace("/1", f"/{file.fileno()}")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot be written: it is open in another process; /dev/fd/" in done.stderr
    assert (tmp_path / "o").read_bytes() == b"precious\n"


TEXTS = (str(EXAMPLES / "oracle" / "ref.txt"), str(EXAMPLES / "oracle" / "ref.txt"))
LATTICE = str(EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz")
NETWORK = str(Path(HYTER[0], "station.json"))


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout here")
@pytest.mark.parametrize(
    "command",
    [
        ["score", *TEXTS, "--output", "-"],
        ["oracle", *ORACLE, "--output", "-"],
        ["mbr", LATTICE, "--output", "-"],
        ["best", LATTICE, "--output", "-"],
        ["convert", LATTICE, "-", "--to", "kaldi-lattice-text", "--lossy"],
        ["pack", LATTICE, "-"],
        ["index", "{ark}", "--output", "-"],
        ["show", "{records}", "--output", "-", "--style", "csv"],
        ["report", "{records}", "--output", "-"],
        ["network", "convert", NETWORK, "-o", "-"],
        ["network", "draw", NETWORK, "-o", "-"],
        ["network", "union", NETWORK, NETWORK, "-o", "-"],
        ["correlate", "{scores}", "--samples", "20", "--output", "-"],
    ],
    ids=" ".join,
)
def test_standard_output_by_its_other_names(command: list[str], tmp_path: Path) -> None:
    """Into a file what was there stays; into a pipe, and with /dev/fd/1, it is the same."""
    ark, records = tmp_path / "l.ark", tmp_path / "r.jsonl"
    written(ark, "u\n0 1 a 1,2,\n1\n\n")
    assert fstmetrics("score", *TEXTS, "--alignment", "--output", records).status == 0
    rows = "".join(f"{system}\t{n}\t{n + len(system)}\t{3 - n}\n" for system in "ab" for n in range(3))
    scores = written(tmp_path / "scores", f"system\tsegment\thuman\tbleu\n{rows}")
    words = [word.format(ark=ark, records=records, scores=scores) for word in command]
    program = [sys.executable, "-m", "fstmetrics"]
    here = fstmetrics(*words)
    assert (here.status, bool(here.out)) == (0, True), here.err
    expected = here.out.encode(errors="surrogateescape")
    by_name = ["/dev/stdout" if word == "-" else word for word in words]
    piped = subprocess.run([*program, *by_name], capture_output=True, check=False)
    assert (piped.returncode, piped.stdout) == (0, expected)
    with (tmp_path / "o").open("wb", buffering=0) as file:
        file.write(b"before\n")
        by_number = ["/dev/fd/1" if word == "-" else word for word in words]
        done = subprocess.run([*program, *by_number], stdout=file, stderr=subprocess.PIPE, check=False)
        file.write(b"after\n")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "o").read_bytes() == b"before\n" + expected + b"after\n"


@pytest.mark.skipif(not os.path.exists("/dev/stderr"), reason="no /dev/stderr here")
@pytest.mark.parametrize("name", ["/dev/stderr", "/dev/fd/2"])
def test_records_on_standard_error(name: str, tmp_path: Path) -> None:
    with (tmp_path / "o").open("wb", buffering=0) as file:
        file.write(b"before\n")
        command = [sys.executable, "-m", "fstmetrics", "oracle", *ORACLE, "--output", name]
        done = subprocess.run(command, stderr=file, stdout=subprocess.PIPE, check=False)
    assert b"%WER" in done.stdout
    assert (tmp_path / "o").read_text().startswith('before\n{"id": ')
    assert (tmp_path / "o").read_text().count("\n") == 5


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/dev/fd/2"])
def test_what_an_open_file_cannot_do(name: str) -> None:
    """A run is continued in a file that it has for itself; a shard is put together from one."""
    for option, said in (
        ("--resume", "--resume continues the records of"),
        ("--shard", "--shard writes the records"),
    ):
        given = [option, "1/2"] if option == "--shard" else [option]
        outcome = fstmetrics("score", *TEXTS, "--output", name, *given)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err


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
