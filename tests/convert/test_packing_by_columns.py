"""Packed files are the same bytes, with the same remarks, whether lattices stay in columns or are made one by one."""

from __future__ import annotations

import gzip
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import written

from fstmetrics.convert import Conversion, convert, files
from fstmetrics.io.formats.packed_lattices import WRITER
from fstmetrics.support.errors import FstmetricsError

ONE_BY_ONE = {**files.WRITERS, "packed": replace(WRITER, write_blocks=None)}


def compact(id: str, words: list[str], ids: str = "3_4") -> str:
    arcs = [f"{n}\t{n + 1}\t{word}\t{n}.5,1.25,{ids}\n" for n, word in enumerate(words)]
    return f"{id} \n{''.join(arcs)}{len(words)}\t0.0,0.5,\n\n"


def archive(count: int = 60, **others: str) -> str:
    """Lattices `u0`, `u1`, ...; `others` has what stands instead of some."""
    chance = random.Random(7)
    drawn = ["".join(chance.choices("ab", k=3)) for _ in range(40)]
    return "".join(
        others.get(f"u{n}")
        or compact(f"u{n}", chance.choices(drawn, k=chance.randrange(1, 9)), "3_4" * (n % 2))
        for n in range(count)
    )


def done(source: Path, target: Path, **options: Any) -> tuple[Any, ...]:
    """What was said, and the bytes."""
    target.unlink(missing_ok=True)
    told: list[str] = []
    if options.pop("keep_going", False):
        options["faulty"] = lambda error: told.append(str(error))
    try:
        found: Conversion | str = convert(str(source), str(target), to="packed", **options)
    except FstmetricsError as error:
        found = str(error)
    if isinstance(found, Conversion):
        found.remarks = list(found.remarks)
    return found, told, target.read_bytes() if target.exists() else None


CONTENTS = {
    "good": archive(),
    "damaged": archive(u5="u5 \n0 1 a 1,2,\nx 1 b 1,2,\n1 0,0,\n\n"),
    "an id twice": archive(u50=compact("u3", ["a"])),
    "a word that is none": archive(u9="u9 \n0 1 a\udcff 1,2,\n1 0,0,\n\n"),
    "cut off": archive()[:-30],
    "a zero byte": archive(u7=compact("u7", ["a\0"])),
    "without transition ids": "".join(compact(f"v{n}", ["a"], "") for n in range(5)),
}


@pytest.mark.parametrize("keep_going", [False, True])
@pytest.mark.parametrize("lossy", [False, True])
@pytest.mark.parametrize("content", CONTENTS)
def test_text_archives(
    content: str, lossy: bool, keep_going: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "a.ark", CONTENTS[content].encode(errors="surrogateescape"))
    check(source, tmp_path, monkeypatch, lossy=lossy, keep_going=keep_going)


def check(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> tuple[Any, ...]:
    """Both ways give the same."""
    in_columns = done(source, tmp_path / "columns" / "o.packed", **options)
    monkeypatch.setattr(files, "WRITERS", ONE_BY_ONE)
    one_by_one = done(source, tmp_path / "alone" / "o.packed", **options)
    monkeypatch.undo()
    pair = (("columns", in_columns), ("alone", one_by_one))
    texts = [repr(found).replace(f"{tmp_path}/{name}", "") for name, found in pair]
    assert texts[0] == texts[1]
    return in_columns


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in ("columns", "alone"):
        (tmp_path / name).mkdir()


@pytest.mark.parametrize("to", ["kaldi-lattice", "packed", "far"])
@pytest.mark.parametrize("cut", [0, 9, 400])
def test_binary_archives(to: str, cut: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, symbols = written(tmp_path / "a.ark", archive(60)), tmp_path / "words.txt"
    source = tmp_path / "a.bin"
    named = {"write_symbols": str(symbols)} if to == "kaldi-lattice" else {}
    convert(str(text), str(source), to=to, lossy=True, **named)
    data = source.read_bytes()
    source.write_bytes(data[: len(data) - cut])
    table = {"symbols": str(symbols)} if to == "kaldi-lattice" else {}
    found, _, content = check(source, tmp_path, monkeypatch, lossy=True, **table)
    assert (content is None) == (cut > 0), found
    check(source, tmp_path, monkeypatch, lossy=True, keep_going=True, **table)


def test_calls_between_machines_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = "".join(compact(f"u{n}", ["a", "[u1]" if n % 3 == 0 else "b"]) for n in range(9))
    archive = tmp_path / "a.far"
    convert(str(written(tmp_path / "a.ark", texts)), str(archive), lossy=True)
    found, _, content = check(archive, tmp_path, monkeypatch)
    assert "calls machine 'u1'" in found
    assert content is None
    found, _, content = check(archive, tmp_path, monkeypatch, lossy=True)
    assert found.lost["calls between machines"] == 3
    assert content is not None


def test_folders_and_gzip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "lattices"
    folder.mkdir()
    for name in ("one", "two"):
        text = archive(50).replace("u", f"{name}-u").encode()
        written(folder / f"{name}.ark.gz", gzip.compress(text))
    found, _, _ = check(folder, tmp_path, monkeypatch, lossy=True)
    assert found.items == 100
    written(folder / "two.ark.gz", gzip.compress(archive(50).replace("u", "one-u").encode()))
    found, _, content = check(folder, tmp_path, monkeypatch, lossy=True)
    assert "two.ark.gz: the id 'one-u0' comes twice" in found
    assert content is None


def test_lattices_stay_in_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path / "a.ark", archive())

    def never(*_: Any) -> None:
        raise AssertionError("a lattice was made")

    monkeypatch.setattr("fstmetrics.data.lattice.Lattice.of_column", never)
    assert done(source, tmp_path / "o.packed", lossy=True)[0].items == 60
