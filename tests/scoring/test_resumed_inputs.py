"""A run goes on with what it began with, whatever sizes and times say; with a copy of it, too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from changed_files import Change, changed_later, copied, overwritten, replaced, touched
from command import fstmetrics, written
from long_runs import archive, is_killed, references

from fstmetrics.scoring import run_files
from fstmetrics.scoring.journal import MARKS, Unfinished
from fstmetrics.scoring.run_files import Fingerprint

IDS = [f"spk{n % 7}-{n:03}" for n in range(120)]


def lines(seed: int) -> list[str]:
    return references(IDS, seed).splitlines()


def tables(folder: Path) -> None:
    for name, seed in (("r.jsonl", 1), ("h.jsonl", 2)):
        rows = (
            json.dumps(dict(zip(("id", "text"), line.split(" ", 1), strict=True))) for line in lines(seed)
        )
        written(folder / name, "".join(f"{row}\n" for row in rows))


def files(folder: Path) -> None:
    """All that the commands read."""
    for name, seed in (("r", 1), ("h", 2)):
        written(folder / name, references(IDS, seed))
        plain = [line.split(" ", 1)[1] + "\n" for line in lines(seed)]
        (folder / f"{name}.parts").mkdir()
        for part in range(40):
            written(folder / f"{name}.parts" / f"p{part}", "".join(plain[3 * part : 3 * part + 3]))
    tables(folder)
    written(folder / "lat.ark", archive(IDS, 3))
    written(folder / "g.grammar", f"{'hat -> cap':40}\n{'mat -> cap':40}\n")
    written(folder / "speakers", "".join(f"{id} {id[:4]}\n" for id in IDS))


OUTPUT = ["--output", "o"]
# Commands, and a file of each.
RUNS = {
    "texts": (["score", "r", "h", *OUTPUT], "h"),
    "references": (["score", "r", "h", *OUTPUT], "r"),
    "further references": (["score", "r", "h", "--ref", "r.jsonl", *OUTPUT], "r.jsonl"),
    "a grammar": (["score", "r", "h", "--grammar", "./g.grammar", *OUTPUT], "g.grammar"),
    "speakers": (["score", "r", "h", "--by", "speaker", "--speakers", "speakers", *OUTPUT], "speakers"),
    "tables": (["score", "r.jsonl", "h.jsonl", *OUTPUT], "h.jsonl"),
    "several files": (["score", "r.parts/p*", "h.parts/p*", "--format", "plain", *OUTPUT], "h.parts/p1"),
    "lattices": (["oracle", "r", "lat.ark", *OUTPUT], "lat.ark"),
    "lattices alone": (["mbr", "lat.ark", *OUTPUT], "lat.ark"),
    "a shard": (["score", "r", "h", "--shard", "2/3", *OUTPUT], "h"),
    "a metric of strings": (["score", "r", "h", "--metric", "chrf", *OUTPUT], "h"),
}


@pytest.fixture(params=[True, False], ids=["checksums", "no checksums"])
def has_marks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a run knows what its inputs hold, or has not run long enough for that."""
    monkeypatch.setattr(run_files, "BYTES_A_SECOND", 1e15 if request.param else 1e-9)
    return bool(request.param)


def stopped(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Path, bytes, str]:
    """A command that was killed, the file that is to change, and what the command writes and prints."""
    monkeypatch.chdir(folder)
    files(folder)
    command, name = RUNS[kind]
    whole = fstmetrics(*command)
    assert whole.status == 0, whole.err
    records = (folder / "o").read_bytes()
    (folder / "o").unlink()
    assert is_killed(command, len(records) // 2)
    return command, folder / name, records, whole.out


@pytest.mark.parametrize("change", [overwritten, replaced])
@pytest.mark.parametrize("kind", RUNS)
def test_other_content_is_refused(
    kind: str, change: Change, has_marks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Size and time of writing are as before."""
    command, path, *_ = stopped(kind, tmp_path, monkeypatch)
    before = path.stat()
    changed_later(change, path)
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    left = {name: (tmp_path / name).read_bytes() for name in ("o.partial", "o.journal")}
    outcome = fstmetrics(*command, "--resume")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    said = (
        "(is not what it was: it has as many bytes, and others;|1 of)"
        if has_marks
        else "(was changed or replaced on|1 of)"
    )
    assert re.search(said, outcome.err), outcome.err
    assert f"; to start anew, remove {tmp_path}/o.partial and {tmp_path}/o.journal, or give" in outcome.err
    assert {name: (tmp_path / name).read_bytes() for name in left} == left


@pytest.mark.parametrize("change", [copied, touched])
@pytest.mark.parametrize("kind", RUNS)
def test_a_copy_is_as_good_once_its_content_is_known(
    kind: str, change: Change, has_marks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, path, records, printed = stopped(kind, tmp_path, monkeypatch)
    changed_later(change, path)
    outcome = fstmetrics(*command, "--resume")
    if has_marks:
        assert (outcome.status, outcome.out) == (0, printed), outcome.err
        assert (tmp_path / "o").read_bytes() == records
    else:
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert "is of a run with other settings: " in outcome.err


def test_a_run_is_stopped_and_copied_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_files, "BYTES_A_SECOND", 1e15)
    command, path, records, printed = stopped("lattices", tmp_path, monkeypatch)
    for share in (5, 6):
        changed_later(copied, path)
        assert is_killed([*command, "--resume"], len(records) // share)
    changed_later(overwritten, path)
    assert "as many bytes, and others" in fstmetrics(*command, "--resume").err
    overwritten(path, path.read_bytes().replace(b"bat", b"hat"))
    assert fstmetrics(*command, "--resume").out == printed
    assert (tmp_path / "o").read_bytes() == records


@pytest.mark.parametrize("flip", [0, 1, 30, 60, -3])
def test_damaged_checksums_are_none(flip: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the inputs held is not known then."""
    monkeypatch.setattr(run_files, "BYTES_A_SECOND", 1e15)
    command, path, *_ = stopped("texts", tmp_path, monkeypatch)
    journal = tmp_path / "o.journal"
    data = journal.read_bytes().splitlines(keepends=True)
    (number,) = [n for n, line in enumerate(data) if MARKS.encode() in line]
    line = bytearray(data[number])
    line[flip] ^= 1
    journal.write_bytes(b"".join([*data[:number], bytes(line), *data[number + 1 :]]))
    changed_later(copied, path)
    assert "h was of " in fstmetrics(*command, "--resume").err


def test_a_file_that_changes_before_the_run_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in memory then: the run goes by what it was before it was read."""
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    enter = Unfinished.__enter__

    def late(self: Unfinished) -> Unfinished:
        changed_later(overwritten, tmp_path / "h")
        return enter(self)

    monkeypatch.setattr(Unfinished, "__enter__", late)
    assert is_killed(RUNS["texts"][0], 8000)
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    outcome = fstmetrics(*RUNS["texts"][0], "--resume")
    assert (outcome.status, outcome.out) == (2, "")
    assert "h was changed or replaced on " in outcome.err


def test_a_shard_of_a_file_that_changes_before_the_run_has_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its checksum would be of what was not read."""
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    of = Fingerprint.of

    def late(path: str) -> Fingerprint:
        changed_later(overwritten, tmp_path / "h")
        return of(path)

    monkeypatch.setattr(Fingerprint, "of", late)
    outcome = fstmetrics(*RUNS["a shard"][0])
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        "fstmetrics: h: has changed while it was being read; run the command again when nothing writes to it\n"
    )
    assert not list(tmp_path.glob("o*"))


LATTICE, OTHER = "0 1 the\n1 2 cat\n2\n", "0 1 the\n1 2 dog\n2\n"
CARD, OTHER_CARD = "id: {}\n[S]: the cat\n", "id: {}\n[S]: the dog\n"
# Commands of several files, how a file of them is written, and another way.
SEVERAL = {
    "a folder of lattices": (["oracle", "texts", "l", *OUTPUT], LATTICE, OTHER),
    "a pattern": (["oracle", "texts", "l/*", *OUTPUT], LATTICE, OTHER),
    "a list": (["oracle", "texts", "@list", *OUTPUT], LATTICE, OTHER),
    "lattices alone": (["mbr", "l", *OUTPUT], LATTICE, OTHER),
    "networks": (["hyter", "l", "texts", *OUTPUT], CARD, OTHER_CARD),
    "a pattern of networks": (["hyter", "l/*", "texts", *OUTPUT], CARD, OTHER_CARD),
}


@pytest.mark.parametrize("changed", [[], ["u1"]], ids=["repaired", "finished"])
@pytest.mark.parametrize("kind", SEVERAL)
def test_a_repaired_file_among_several(
    kind: str, changed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that has changed is allowed where no item of it is finished."""
    monkeypatch.chdir(tmp_path)
    command, content, other = SEVERAL[kind]
    (tmp_path / "l").mkdir()
    names = {id: tmp_path / "l" / f"{id}.{'cards' if 'S' in content else 'att'}" for id in ("u1", "u2", "u3")}
    written(tmp_path / "list", "".join(f"l/{path.name}\n" for path in names.values()))
    written(tmp_path / "texts", "".join(f"{id} the cat\n" for id in names))
    for id, path in names.items():
        written(path, "[broken" if id == "u3" else other.format(id))
    assert "2 finished items are in o.partial" in fstmetrics(*command).err
    for id in [*changed, "u3"]:
        written(names[id], content.format(id))
    left = {name: (tmp_path / name).read_bytes() for name in ("o.partial", "o.journal")}
    resumed = fstmetrics(*command, "--resume")
    if changed:
        assert (resumed.status, resumed.out) == (2, "")
        assert (
            f": l/{names['u1'].name}, of {command[1 + (command[1] == 'texts')]}, has changed, and"
            in resumed.err
        )
        assert {name: (tmp_path / name).read_bytes() for name in left} == left
        return
    records = (tmp_path / "o").read_bytes()
    assert resumed.status == 0, resumed.err
    (tmp_path / "o").unlink()
    assert fstmetrics(*command).out == resumed.out
    assert (tmp_path / "o").read_bytes() == records


def linked(path: Path) -> None:
    """A second name, as of a backup."""
    path.with_name(f".{path.name}").hardlink_to(path)


def given_rights(path: Path) -> None:
    path.chmod(0o660)


@pytest.mark.parametrize("change", [touched, copied, linked, given_rights])
@pytest.mark.parametrize("kind", SEVERAL)
def test_files_among_several_with_the_same_bytes(
    kind: str, change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are what they were; a finished one with as many other bytes is not, and is named."""
    monkeypatch.chdir(tmp_path)
    command, content, _ = SEVERAL[kind]
    (tmp_path / "l").mkdir()
    names = {id: tmp_path / "l" / f"{id}.{'cards' if 'S' in content else 'att'}" for id in ("u1", "u2", "u3")}
    written(tmp_path / "list", "".join(f"l/{path.name}\n" for path in names.values()))
    written(tmp_path / "texts", "".join(f"{id} the cat\n" for id in names))
    for id, path in names.items():
        written(path, "[broken" if id == "u3" else content.format(id))
    assert "2 finished items are in o.partial" in fstmetrics(*command).err
    for id in ("u1", "u2"):
        changed_later(change, names[id])
    # It goes on, and stops again where nothing was repaired; what was read is known from then on, too.
    assert "2 finished items are in o.partial" in fstmetrics(*command, "--resume").err
    changed_later(replaced, names["u1"])
    assert f": l/{names['u1'].name}, of " in fstmetrics(*command, "--resume").err
    replaced(names["u1"], content.format("u1").encode())
    written(names["u3"], content.format("u3"))
    resumed = fstmetrics(*command, "--resume")
    assert resumed.status == 0, resumed.err
    records = (tmp_path / "o").read_bytes()
    (tmp_path / "o").unlink()
    assert fstmetrics(*command).out == resumed.out
    assert (tmp_path / "o").read_bytes() == records


@pytest.mark.parametrize("lattices", ["l", "l/*"])
def test_what_a_file_held_before_it_was_repaired_is_not_what_was_read(
    lattices: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "l").mkdir()
    written(tmp_path / "texts", "".join(f"u{n} the cat\n" for n in range(4)))
    command = ["oracle", "texts", lattices, *OUTPUT]
    for id, text in (("u0", LATTICE), ("u1", "[broken"), ("u2", OTHER), ("u3", "[broken")):
        written(tmp_path / "l" / f"{id}.att", text)
    assert "1 finished item is in o.partial" in fstmetrics(*command).err
    for id in ("u1", "u2"):
        written(tmp_path / "l" / f"{id}.att", LATTICE)
    monkeypatch.setattr(run_files, "BYTES_A_SECOND", 1e-9)
    assert "3 finished items are in o.partial" in fstmetrics(*command, "--resume").err
    written(tmp_path / "l" / "u2.att", OTHER)
    assert f": l/u2.att, of {lattices}, has changed, and" in fstmetrics(*command, "--resume").err


@pytest.mark.parametrize("lattices", ["l", "l/*"])
def test_files_are_repaired_one_after_the_other(
    lattices: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was repaired is finished then, and is what it was when the run went on with it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "l").mkdir()
    ids = [f"u{n}" for n in range(5)]
    written(tmp_path / "texts", "".join(f"{id} the cat\n" for id in ids))
    for id in ids:
        written(tmp_path / "l" / f"{id}.att", OTHER if id in ("u0", "u3") else "[broken")
    command = ["oracle", "texts", lattices, *OUTPUT]
    assert "1 finished item is in o.partial" in fstmetrics(*command).err
    for id, finished in (("u1", "2 finished items"), ("u2", "4 finished items")):
        written(tmp_path / "l" / f"{id}.att", LATTICE)
        assert f"{finished} are in o.partial" in fstmetrics(*command, "--resume").err
    left = {name: (tmp_path / name).read_bytes() for name in ("o.partial", "o.journal")}
    written(tmp_path / "l" / "u4.att", LATTICE)
    written(tmp_path / "l" / "u1.att", f"{OTHER}\n")
    refused = fstmetrics(*command, "--resume")
    assert f": l/u1.att, of {lattices}, has changed, and" in refused.err
    assert {name: (tmp_path / name).read_bytes() for name in left} == left
