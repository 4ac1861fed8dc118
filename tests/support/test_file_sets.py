"""Several files under one path: folders, patterns and lists are the same items; URLs are read by fsspec."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command import ORACLE, fstmetrics, written
from long_runs import archive, references

from fstmetrics.support import remote_files
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import files_of, is_several


@pytest.fixture
def shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three shards of a manifest in the folder `shards`, one of them gzipped; the work is done beside it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "shards"
    folder.mkdir()
    for shard in (2, 9, 10):
        rows = [
            {"audio_filepath": f"{shard}-{n}.wav", "text": "a b c", "pred_text": "a b d" if n else "a"}
            for n in range(shard)
        ]
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        name = f"part.{shard}.jsonl"
        if shard == 9:
            (folder / f"{name}.gz").write_bytes(gzip.compress(data))
        else:
            (folder / name).write_bytes(data)
    return folder


def summary(*arguments: object) -> dict[str, Any]:
    """Without what names the files."""
    found = fstmetrics("score", *arguments, "--json").summary
    remarks = [
        remark.replace(f"every text of {arguments[0]} ", "every text of FILES ")
        for remark in found["remarks"]
    ]
    return {name: value for name, value in found.items() if name != "settings"} | {"remarks": remarks}


def test_a_folder_a_pattern_and_a_list_are_the_same_items(shards: Path) -> None:
    names = ["shards/part.2.jsonl", "shards/part.9.jsonl.gz", "shards/part.10.jsonl"]
    written(shards.parent / "list.txt", "\n".join(names) + "\n\n")
    expected = summary("shards")
    assert expected["items"] == 21
    assert summary("shards/*.jsonl*") == expected
    assert summary("**/part*") == expected
    assert summary("@list.txt") == expected
    assert (
        [str(path) for path in files_of("shards/*")] == names == [str(path) for path in files_of("@list.txt")]
    )
    assert summary("shards/*.jsonl")["items"] == 12


def test_lattices_by_a_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ORACLE[1], tmp_path / "lattices")
    monkeypatch.chdir(tmp_path)
    expected = fstmetrics("oracle", ORACLE[0], "lattices", "--output", "-")
    found = fstmetrics("oracle", ORACLE[0], "lattices/*", "--output", "-")
    assert (found.out, found.status) == (expected.out, 0)


def test_a_file_that_is_called_like_a_pattern_is_that_file(shards: Path) -> None:
    for name in ("what?.jsonl", "@files.jsonl"):
        shutil.copy(shards / "part.2.jsonl", name)
        assert not is_several(name)
        assert summary(name)["items"] == 2


def test_what_means_no_file_is_refused(shards: Path) -> None:
    written(shards.parent / "twice.txt", "shards/part.2.jsonl\nshards/part.2.jsonl\n")
    written(shards.parent / "empty.txt", "\n")
    for path, message in (
        ("shards/*.txt", "no file fits this pattern"),
        ("@none.txt", "none.txt: a list of files, one a line; cannot be read"),
        ("@twice.txt", "twice.txt:2: shards/part.2.jsonl is already in line 1"),
        ("@empty.txt", "empty.txt: lists no file"),
    ):
        outcome = fstmetrics("score", path)
        assert outcome.status == 2
        assert message in outcome.err
        with pytest.raises(InputError, match="|".join(("fits", "list", "already", "lists"))):
            files_of(path)


def test_an_item_in_two_files_is_refused(shards: Path) -> None:
    shutil.copy(shards / "part.2.jsonl", shards / "part.3.jsonl")
    outcome = fstmetrics("score", "shards/*")
    assert outcome.status == 2
    assert "2-0.wav" in outcome.err


def test_an_output_that_a_pattern_means_is_refused(shards: Path) -> None:
    before = (shards / "part.2.jsonl").read_bytes()
    outcome = fstmetrics("score", "shards/*.jsonl", "--output", "shards/part.2.jsonl")
    assert outcome.status == 2
    assert "would overwrite the input" in outcome.err
    assert (shards / "part.2.jsonl").read_bytes() == before


def test_a_run_goes_on_only_with_the_same_files(shards: Path) -> None:
    """As of shards of runs: the files are part of the settings."""
    for number in (1, 2):
        outcome = fstmetrics("score", "shards/*.jsonl", "--shard", f"{number}/2", "--output", f"{number}.out")
        assert outcome.status == 0
        with (shards / "part.2.jsonl").open("a") as stream:
            stream.write(json.dumps({"audio_filepath": "new.wav", "text": "a", "pred_text": "a"}) + "\n")
    outcome = fstmetrics("merge", "1.out", "2.out", "--output", "all.out")
    assert outcome.status == 2
    assert "part.2.jsonl of shard 2/2 is not that of shard 1/2" in outcome.err


def test_files_by_url(shards: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for path in shards.iterdir():
        memory.pipe_file(f"/sets/{path.name}", path.read_bytes())
        expected = summary(path)
        for url in (f"memory://sets/{path.name}", f"file://{path}"):
            found = summary(url)
            assert (found["edits"], found["items"]) == (expected["edits"], expected["items"])
    for url in ("memory://sets/none", "nothing://sets/none"):
        outcome = fstmetrics("score", url)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert f"{url}: cannot be read: " in outcome.err


def test_tables_in_parquet_by_a_pattern(shards: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    for shard in (2, 10):
        rows = [json.loads(line) for line in (shards / f"part.{shard}.jsonl").read_text().splitlines()]
        parquet.write_table(pa.Table.from_pylist(rows), f"{shard}.parquet")
    assert summary("*.parquet")["edits"] == summary("shards/*.jsonl")["edits"]


@pytest.mark.parametrize("name", ["part.7.jsonl", "part.7.jsonl.gz", "part.7.csv", "part.7.tar"])
@pytest.mark.parametrize("path", ["shards", "shards/*", "@list"])
def test_a_file_without_a_byte_among_others_is_refused(shards: Path, name: str, path: str) -> None:
    if name.endswith((".csv", ".tar")):
        shutil.rmtree(shards)
        shards.mkdir()
        rows = {".csv": "id,ref,hyp\nu1,a b,a c\n", ".tar": ""}[Path(name).suffix]
        written(shards / f"part.1{Path(name).suffix}", rows)
    (shards / name).touch()
    written(shards.parent / "list", "".join(f"{file}\n" for file in files_of("shards")))
    for more in ((), ("--keep-going",)):
        outcome = fstmetrics("score", path, *more)
        assert outcome.status == 2
        assert name.replace("part.7.tar", "part.1.tar") in outcome.err
        assert "is empty" in outcome.err


def test_gzip_of_nothing_is_no_rows(shards: Path) -> None:
    expected = summary("shards")["items"]
    (shards / "part.7.jsonl.gz").write_bytes(gzip.compress(b""))
    assert summary("shards")["items"] == expected


def test_gzip_without_a_byte_among_lattices_is_a_fault(tmp_path: Path) -> None:
    shutil.copytree(ORACLE[1], tmp_path / "lattices")
    damaged = sorted((tmp_path / "lattices").iterdir())[0]
    assert damaged.suffix == ".gz"
    damaged.write_bytes(b"")
    run = ("oracle", ORACLE[0], tmp_path / "lattices")
    assert fstmetrics(*run).status == 2
    outcome = fstmetrics(*run, "--keep-going")
    assert outcome.status == 1
    assert f"{damaged.name}: is empty" in outcome.err


@pytest.fixture
def remote(shards: Path) -> str:
    """The same shards in fsspec's file system in memory."""
    memory = pytest.importorskip("fsspec", reason="fsspec is not installed").filesystem("memory")
    memory.rm("/sets", recursive=True) if memory.exists("/sets") else None
    for path in shards.iterdir():
        memory.pipe_file(f"/sets/{path.name}", path.read_bytes())
    memory.pipe_file("/sets/.hidden.jsonl", b"{")
    return "memory://sets"


def test_patterns_and_lists_of_urls_are_the_same_items(shards: Path, remote: str) -> None:
    fsspec = pytest.importorskip("fsspec")
    names = ["part.2.jsonl", "part.9.jsonl.gz", "part.10.jsonl"]
    written(
        shards.parent / "mixed.txt", f"{remote}/{names[0]}\nshards/{names[1]}\nfile://{shards}/{names[2]}\n"
    )
    fsspec.filesystem("memory").pipe_file(
        "/lists/all", "".join(f"{remote}/{name}\n" for name in names).encode()
    )
    expected = summary("shards") | {"remarks": None}  # which name the files
    for path in (
        f"{remote}/*.jsonl*",
        f"{remote}/part.[0-9]*",
        f"file://{shards}/*",
        "@mixed.txt",
        "@memory://lists/all",
    ):
        assert summary(path) | {"remarks": None} == expected, path
    assert [file.name for file in files_of(f"{remote}/*")] == names
    assert summary(f"{remote}/*.jsonl")["items"] == 12


def test_records_of_urls_are_those_of_files(shards: Path, remote: str) -> None:
    expected = fstmetrics("score", "shards", "--output", "here.jsonl")
    found = fstmetrics("score", f"{remote}/*", "--output", "there.jsonl")
    shown = found.out.replace(f"every text of {remote}/* ", "every text of shards ")
    assert (found.status, shown.replace("memory:///sets/", "shards/")) == (expected.status, expected.out)
    assert Path("there.jsonl").read_bytes() == Path("here.jsonl").read_bytes()


@pytest.mark.parametrize("pattern", ["ref", "re*"])
def test_a_url_whose_file_has_changed_is_not_resumed(pattern: str, tmp_path: Path) -> None:
    """What its file system tells of it is compared, as size and time of files here are."""
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    ids = ["u1", "u2", "u3"]
    reference = written(tmp_path / "ref", references(ids, 1))
    lattices = written(tmp_path / "lat.ark", archive(ids, 1, damaged={"u3"}))
    command = ["oracle", f"file://{tmp_path}/{pattern}", lattices, "--output", tmp_path / "o.jsonl"]
    command += ["--ref-format", "kaldi-text"]
    assert fstmetrics(*command).status == 2
    assert (tmp_path / "o.jsonl.partial").exists()
    assert "lat.ark:" in fstmetrics(*command, "--resume").err
    written(reference, references(ids, 2))
    refused = fstmetrics(*command, "--resume")
    assert (refused.status, refused.out) == (2, "")
    assert "changed; to start anew, remove " in refused.err


def test_lattices_by_a_pattern_of_urls(tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    expected = fstmetrics("oracle", ORACLE[0], ORACLE[1], "--output", "-")
    found = fstmetrics("oracle", ORACLE[0], f"file://{Path(ORACLE[1]).resolve()}/*", "--output", "-")
    assert (found.out, found.status) == (expected.out, 0)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("memory://sets/*.txt", "memory://sets/*.txt: no file fits this pattern"),
        ("simplecache::memory://sets/*", "a pattern of a chain of URLs (::); name the files in a list, @FILE"),
        ("@memory://sets/none", "memory://sets/none: cannot be read: there is no such file"),
        ("nothing://sets/*", "nothing://sets/*: cannot be read: Protocol not known: nothing"),
        ("memory://sets/p*", "memory:///sets/part.7.jsonl: is empty, and would be read as a part of memory://sets/p*"),
    ],
)  # fmt: skip
def test_urls_that_mean_no_file_are_one_line(remote: str, path: str, message: str) -> None:
    pytest.importorskip("fsspec").filesystem("memory").pipe_file("/sets/part.7.jsonl", b"")
    outcome = fstmetrics("score", path)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert message in outcome.err


def test_a_url_that_is_called_like_a_pattern_is_that_file(remote: str) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe_file("/sets/part[2].jsonl", memory.cat_file("/sets/part.2.jsonl"))
    assert not is_several(f"{remote}/part[2].jsonl")
    assert summary(f"{remote}/part[2].jsonl")["items"] == 2
    assert is_several(f"{remote}/part.[2].jsonl")


def test_pieces_of_a_remote_file_are_its_bytes(remote: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody says how long it is; a server that gives other bytes than those asked for is refused."""
    memory = pytest.importorskip("fsspec").filesystem("memory")
    data = bytes(range(256)) * 1000
    memory.pipe_file("/sets/bytes", data)
    with remote_files.opened_remote(f"{remote}/bytes") as stream:
        assert stream.read() == data
        stream.seek(70_000)
        assert stream.read(10) == data[70_000:70_010]
        assert stream.seek(-5, 2) == len(data) - 5
        assert stream.read() == data[-5:]
    with monkeypatch.context() as patch:
        patch.setattr(remote_files, "size_of", lambda url: -1)
        with remote_files.opened_remote(f"{remote}/bytes") as stream:
            assert stream.read() == data
    monkeypatch.setattr(remote_files, "read_range", lambda url, offset, length: data)
    with (
        remote_files.opened_remote(f"{remote}/bytes") as stream,
        pytest.raises(InputError, match="256000 bytes came where"),
    ):
        stream.read()
