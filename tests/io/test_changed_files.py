"""Files that change while they are read: refused, also where the size and the time of writing are as before."""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from changed_files import STEP, Change, changed_later, overwritten, replaced, touched
from command import fstmetrics, written
from long_runs import archive, references
from texts_in_files import in_file, leave_in_files

import fstmetrics as fm
from fstmetrics.io import Deferred, open_stream, window
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import FileState, Watched, state_of
from fstmetrics.support.source import File, Source

IDS = [f"u{n:04}" for n in range(3000)]
# Of gzip more is read at a time.
MANY = [f"u{n:05}" for n in range(30000)]
WAYS = [touched, overwritten, replaced]


def check(change: Change, path: Path, read_on: Callable[[], object]) -> None:
    before = path.stat()
    changed_later(change, path)
    after = path.stat()
    assert after.st_size == before.st_size
    assert (after.st_mtime_ns == before.st_mtime_ns) == (change is not touched)
    with pytest.raises(InputError, match=f"^{path}: has changed while it was being read; "):
        read_on()


def nbest(folder: Path) -> Path:
    lines = (
        f"{n} ||| {' '.join(IDS[n : n + 20])} ||| 0 ||| -{n}.{k}\n" for n in range(2000) for k in range(3)
    )
    return written(folder / "list.nbest", "".join(lines))


def packed(folder: Path) -> Path:
    ark = written(folder / "l.ark", archive(IDS * 1, 3))
    assert fstmetrics("pack", ark, folder / "l.packed").status == 0
    return folder / "l.packed"


ITEMS: dict[str, Callable[[Path], Path]] = {
    "archive": lambda folder: written(folder / "l.ark", archive(IDS, 3)),
    "gzip": lambda folder: written(folder / "l.ark.gz", gzip.compress(archive(MANY, 3).encode(), 0)),
    "n-best lists": nbest,
    "packed lattices": packed,
}


@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("change", WAYS)
def test_items_of_a_file_that_changes(
    change: Change, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", 1 << 12)
    path = ITEMS[kind](tmp_path)
    stream = open_stream(str(path))
    assert stream is not None
    items = iter(stream)
    first = next(items).value
    assert first.item().value if isinstance(first, Deferred) else first

    def read_on() -> None:
        for item in items:
            if isinstance(item.value, Deferred):
                item.value.item()

    check(change, path, read_on)


@pytest.mark.parametrize("change", WAYS)
def test_a_file_that_is_opened_again(change: Change, tmp_path: Path) -> None:
    """As one is whose items lie where another file says."""
    path = written(tmp_path / "l.ark", archive(IDS[:9], 3))
    file = File(str(path))
    assert file.read(0, 4) == b"u000"
    file._close()
    check(change, path, lambda: file.read(4, 8))


@pytest.mark.parametrize("change", WAYS)
def test_a_text_of_which_pieces_are_read(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_in_files(monkeypatch)
    path = written(tmp_path / "t", references(IDS[:99], 3))
    lines = in_file(path).stored_lines(has_ids=True)
    assert lines is not None
    assert lines.texts[0]
    check(change, path, lambda: lines.texts[50])


@pytest.mark.parametrize("change", WAYS)
def test_bytes_of_a_file(change: Change, tmp_path: Path) -> None:
    path = written(tmp_path / "f", b"0123456789" * 9)
    with Watched(path) as file:
        assert file.read(4) == b"0123"
        check(change, path, lambda: file.read(4))
    with Watched(path) as file:
        check(change, path, file.readall)
    with Watched(path) as file:
        check(change, path, lambda: file.readinto(bytearray(4)))
    state = FileState.of(path)
    assert Watched(path, state).read() == path.read_bytes()
    check(change, path, lambda: Watched(path, state))


def test_what_is_no_file_does_not_change(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert state_of(tmp_path / "pipe") is state_of(tmp_path / "none") is state_of("memory://x") is None
    with Watched("/dev/zero") as file:
        assert file.read(4) == file.read(4) == bytes(4)
    assert not Source.open("/dev/null").data


@pytest.mark.parametrize("change", [overwritten, replaced])
def test_what_is_kept_of_a_file_is_of_that_file(change: Change, tmp_path: Path) -> None:
    """Grammars, symbol tables and weights are kept in a process; a file that has changed is read again."""
    grammar = written(tmp_path / "g.grammar", "hat -> cap\n")
    symbols = written(tmp_path / "words", "<eps> 0\nhat 1\n")
    lattice = written(tmp_path / "l.fst.txt", "0 1 1 1 0\n1\n")

    def read() -> tuple[int, str]:
        best = fstmetrics("best", lattice, "--symbols", symbols)
        return fm.align("a cap", "a hat", grammars=[str(grammar)]).edits, best.out

    before = read()
    time.sleep(STEP)
    for path in (grammar, symbols):
        change(path, path.read_bytes().replace(b"hat", b"mat"))
    after = read()
    assert (before[0], after[0]) == (0, 1)
    assert "hat" in before[1]
    assert "mat" in after[1]
