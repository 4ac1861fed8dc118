"""Commands over files of many items: bad items, damaged files, pipes; docs/long-runs.md."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest
from command import fstmetrics, written
from long_runs import archive, references
from time_limits import joined
from written import Drawn, far, kaldi_binary, machines

IDS = [f"u-{i}" for i in range(6)]


def kaldi(damaged: bool) -> bytes:
    text = archive(IDS, 1)
    return (text.replace("\nu-3\n", "\nu-3\n0 1 a x,2,\n") if damaged else text).encode()


def nbest(damaged: bool) -> bytes:
    lines = [f"{id} ||| the {word}" for id in IDS for word in ("cat", "hat")]
    if damaged:
        lines[6] = "u-3 | the cat"
    return ("\n".join(lines) + "\n").encode()


def plf(damaged: bool) -> bytes:
    lines = ["((('the',-1,1),),(('cat',-2,1),),)"] * 6
    if damaged:
        lines[3] = "((('the',-1,1),),(('cat'"
    return ("\n".join(lines) + "\n").encode()


def moses_graph(damaged: bool) -> bytes:
    arc = "hyp=1 stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=-2 covered=0-0 out=the cat\n"
    text = "".join(f"{i} hyp=0 stack=0\n{i} {arc}" for i in range(6))
    return (text.replace("3 hyp=1", "3 hyp=x") if damaged else text).encode()


def moses_cn(damaged: bool) -> bytes:
    sentences = ["the|D 0.5 a|D 0.5\ncat|N 1.0\n\n"] * 6
    if damaged:
        sentences[3] = "the|D 0.5 a\n\n"
    return "".join(sentences).encode()


def machines_archive(damaged: bool) -> bytes:
    entries = machines(6)
    if damaged:
        entries[3] = (entries[3][0], entries[3][1].replace(b"vector", b"vectur"))
    return far("sttable", entries)


FILES = {
    "lat.ark": kaldi,
    "x.nbest.txt": nbest,
    "x.plf": plf,
    "x.osg": moses_graph,
    "x.cn": moses_cn,
    "x.far": machines_archive,
}
PLACES = {
    "lat.ark": ":40",
    "x.nbest.txt": ":7",
    "x.plf": ":4",
    "x.osg": ":8",
    "x.cn": ":10",
    "x.far": ": byte ",
}


def reference(tmp_path: Path, name: str) -> Path:
    plain = name in ("x.plf", "x.osg", "x.cn")
    return written(tmp_path / "ref", "the cat\n" * 6 if plain else references(IDS, 1))


@pytest.mark.parametrize("name", FILES)
def test_bad_items_are_reported_and_left_out(name: str, tmp_path: Path) -> None:
    ref = reference(tmp_path, name)
    path = written(tmp_path / name, FILES[name](True))
    stopped = fstmetrics("oracle", ref, path)
    assert (stopped.status, stopped.out, stopped.err.count("\n")) == (2, "", 1)
    outcome = fstmetrics("oracle", ref, path, "--keep-going", "--json")
    assert outcome.status == 1
    assert outcome.err == stopped.err
    assert outcome.err.startswith(f"fstmetrics: {path}{PLACES[name]}"), outcome.err
    assert '"items": 5, "skipped": 0, "faults": 1,' in outcome.out
    whole = fstmetrics("oracle", ref, written(tmp_path / name, FILES[name](False)), "--json")
    assert '"items": 6, "skipped": 0, "faults": 0,' in whole.out


@pytest.mark.parametrize("name", [name for name in FILES if name != "x.far"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_of_a_gzip_file_that_is_cut_off_the_items_before_are_scored(
    name: str, share: float, tmp_path: Path
) -> None:
    """Whole items before the cut, and no others; what is lost is told once."""
    ref = reference(tmp_path, name)
    content = FILES[name](False)
    blocks = [gzip.compress(content[i : i + 40]) for i in range(0, len(content), 40)]
    data = b"".join(blocks)
    path = written(tmp_path / f"{name}.gz", data[: int(share * len(data))])
    stopped = fstmetrics("oracle", ref, path)
    assert (stopped.status, stopped.out) == (2, "")
    assert f"{path}: damaged gzip: " in stopped.err
    outcome = fstmetrics("oracle", ref, path, "--keep-going", "--output", tmp_path / "o", "--json")
    if outcome.status == 2:  # no item is whole
        assert share == 0.2
        assert outcome.err == stopped.err
        return
    assert outcome.status == 1
    assert (outcome.err.count("damaged gzip"), outcome.err.count("is lost")) == (1, 1)
    records = (tmp_path / "o").read_text()
    fstmetrics("oracle", ref, written(tmp_path / name, content), "--output", tmp_path / "whole")
    assert 0 < records.count("\n") <= 6
    assert (tmp_path / "whole").read_text().startswith(records)
    assert f'"skipped": {6 - records.count(chr(10))}, "faults": 1,' in outcome.out


def test_cut_archives_of_machines(tmp_path: Path) -> None:
    """A list has no table at its end: what comes before the cut can be read."""
    ref = reference(tmp_path, "x.far")
    path = written(tmp_path / "x.far", far("stlist", machines(6))[:-100])
    assert fstmetrics("oracle", ref, path).status == 2
    outcome = fstmetrics("oracle", ref, path, "--keep-going", "--json")
    assert (outcome.status, '"items": 5, "skipped": 1, "faults": 1,' in outcome.out) == (1, True)


def test_bad_entries_of_scripts(tmp_path: Path) -> None:
    """A missing file, an offset that is wrong, and a line without a file."""
    data, lines = b"", []
    for id in IDS:
        data += f"{id} ".encode()
        lines.append(f"{id} {tmp_path}/lat.ark:{len(data)}")
        data += kaldi_binary("", Drawn([(0, 1, "a", 1, 2)], {1: (0, 0)}), {"a": 7, "": 0})[1:]
    written(tmp_path / "lat.ark", data)
    lines[1] = f"u-1 {tmp_path}/nowhere.ark:4"
    lines[3] = lines[3] + "0000"
    ref = written(tmp_path / "ref", references(IDS, 1))
    script = written(tmp_path / "lat.scp", "\n".join(lines) + "\n")
    words = written(tmp_path / "words.txt", "<eps> 0\na 7\n")
    command = ("oracle", ref, f"scp:{script}", "--symbols", words)
    assert fstmetrics(*command).err.startswith(
        f"fstmetrics: {script}:2: {tmp_path}/nowhere.ark: cannot be read"
    )
    outcome = fstmetrics(*command, "--keep-going", "--json")
    assert (outcome.status, '"items": 4, "skipped": 0, "faults": 2,' in outcome.out) == (1, True)
    first, second = outcome.err.splitlines()
    assert ":2: " in first
    assert f":4: 'u-3': {tmp_path}/lat.ark: offset" in second
    written(script, "\n".join([*lines, "u-9"]) + "\n")
    assert (
        fstmetrics(*command).err
        == f"fstmetrics: {script}:7: expected `key file` or `key file:offset`, found 'u-9'\n"
    )
    outcome = fstmetrics(*command, "--keep-going", "--json")
    assert (outcome.status, '"items": 4, "skipped": 0, "faults": 3,' in outcome.out) == (1, True)


def test_folders_of_damaged_archives(tmp_path: Path) -> None:
    """What follows the damage in one file is lost; the next file is read."""
    folder = tmp_path / "lattices"
    folder.mkdir()
    for number, ids in enumerate((IDS[:3], IDS[3:])):
        lists = "".join(f"{id} ||| the cat\n" for id in ids).encode()
        packed = b"".join(gzip.compress(line + b"\n") for line in lists.splitlines())
        written(folder / f"{number}.gz", packed[: -5 if number == 0 else None])
    ref = written(tmp_path / "ref", references(IDS, 1))
    assert fstmetrics("oracle", ref, folder).status == 2
    outcome = fstmetrics("oracle", ref, folder, "--keep-going", "--json")
    assert (outcome.status, '"items": 5, "skipped": 1, "faults": 1,' in outcome.out) == (1, True)


def piped(data: bytes) -> tuple[str, threading.Thread]:
    """The path of a pipe, and who fills it, in small pieces."""
    read, write = os.pipe()

    def fill() -> None:
        with os.fdopen(write, "wb", buffering=0) as stream:
            for at in range(0, len(data), 1000):
                stream.write(data[at : at + 1000])

    thread = threading.Thread(target=fill, daemon=True)
    thread.start()
    return f"/dev/fd/{read}", thread


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("name", [*FILES, "binary", "list.far", "one.att"])
def test_a_pipe_is_scored_as_its_file(name: str, compressed: bool, tmp_path: Path) -> None:
    drawn = Drawn([(0, 1, "a", 1, 2)], {1: (0, 0)})
    content = {
        "binary": lambda: b"".join(kaldi_binary(id, drawn, {"a": 7, "": 0}) for id in IDS),
        "list.far": lambda: far("stlist", machines(6)),
        "one.att": lambda: b"0 1 a\n1\n",
    }.get(name, lambda: FILES[name](False))()
    ref = written(tmp_path / "ref", "a\n") if name == "one.att" else reference(tmp_path, name)
    data = gzip.compress(content) if compressed else content
    path = written(tmp_path / "x", data)
    words = written(tmp_path / "words.txt", "<eps> 0\na 7\n")
    options = {"x.cn": ("--format", "moses-cn"), "binary": ("--symbols", words)}.get(name, ())
    further = (*options, "--keep-going")
    expected = fstmetrics("oracle", ref, path, *further, "--output", "-").out
    assert expected.count("\n") >= 1
    found = fstmetrics("oracle", ref, "-", *further, "--output", "-", stdin=data).out
    if name == "one.att":  # whose id is the name of the file
        found = found.replace('"id": null', '"id": "x"').replace("|ids:no|", "|ids:one-side|")
    assert found == expected
    fifo, thread = piped(data)
    outcome = fstmetrics("oracle", ref, fifo, *further, "--output", "-")
    joined(thread)
    if name != "one.att":  # whose id is the name of the file
        assert outcome.out == expected
