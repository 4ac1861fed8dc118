"""Damaged files read item by item, in pieces cut at any byte, against the same files read at once.

What is read at once is read the same in pieces, and what is refused is refused, by an InputError that names the file
and comes soon. The formats are those that `open_stream` takes for a file or a folder of files; one that learns it is
fuzzed.
"""

from __future__ import annotations

import gzip
import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import written
from hostile import CRASHERS, cached_samples, damaged, in_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_paths import same

import fstmetrics as fm
from fstmetrics.io import FORMATS, Deferred, Item, ReadOptions, open_stream, read_items, window

RUNS = int(os.environ.get("FSTMETRICS_FUZZ", "60"))
BLOCKS = (1, 2, 3, 7, 64, 1000, 1 << 20)
# Damage makes large numbers.
LIMITS = {"states": 10_000, "arcs": 10_000, "nesting": 100}


def streamed(path: Path, format: str | None, symbols: str | None) -> list[Item] | None:
    """The items of a file or folder, each read when its turn comes; None where it is read at once."""
    stream = open_stream(str(path), format, ReadOptions(symbols))
    if stream is None:
        return None
    items = [
        replace(item.value.item(), id=item.id) if isinstance(item.value, Deferred) else item
        for item in stream
    ]
    ids = [item.id for item in items if item.id is not None]
    if len(set(ids)) < len(ids):  # said where items are paired
        raise fm.InputError("an id comes twice", str(path))
    return items


def outcome(read: Callable[[], Any]) -> tuple[Any, str | None]:
    """What is read, or what an InputError says."""
    try:
        return read(), None
    except fm.InputError as error:
        return None, str(error)


def check(path: Path, format: str | None, block: int, symbols: str | None = None) -> bool:
    """Whether the path was streamed; nothing but an InputError comes out of it, and nothing else than read at once."""
    before = window.BLOCK
    window.BLOCK = block
    try:
        with in_time(), fm.limited(**LIMITS):
            items, said = outcome(lambda: streamed(path, format, symbols))
            if items is None and said is None:
                return False
            at_once, refused = outcome(lambda: read_items(path, format=format, symbols=symbols).items)
    finally:
        window.BLOCK = before
    assert said is None or said.startswith((str(path), str(symbols))), said
    assert len(said or "") < 2000
    assert (said is None) == (refused is None), (said, refused)
    if items is not None:
        assert [item.id for item in items] == [item.id for item in at_once]
        assert all(map(same, items, at_once))
    return True


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("symbols") / "words.txt"
    path.write_text("<eps> 0\n" + "".join(f"w{i} {i}\n" for i in range(1, 50)))
    return str(path)


def attempt(data: bytes, format: str, folder: Path, chance: random.Random, symbols: str) -> bool:
    """One file, packed or not, alone or in a folder."""
    name = f"x{FORMATS[format].extensions[0] if FORMATS[format].extensions else '.txt'}"
    packed = chance.random() < 0.1
    path = written(folder / (name + ".gz" * packed), gzip.compress(data) if packed else data)
    block = chance.choice(BLOCKS) if len(data) < 5000 else 1 << 20
    try:
        return check(
            folder if chance.random() < 0.3 else path,
            format,
            block,
            symbols if chance.random() < 0.2 else None,
        )
    except BaseException:
        print(f"{format}, pieces of {block}: {data!r}", file=sys.stderr)
        raise
    finally:
        path.unlink()


@pytest.mark.parametrize("format", list(FORMATS))
def test_damaged_files_are_read_in_pieces_as_at_once(format: str, symbols: str, tmp_path: Path) -> None:
    chance = random.Random(f"stream {format}")
    pool = cached_samples()[format]
    for _ in range(RUNS):
        attempt(damaged(chance.choice(pool), chance), format, tmp_path, chance, symbols)


@pytest.mark.parametrize("format", list(FORMATS))
def test_good_files_one_after_the_other_are_read_in_pieces_as_at_once(
    format: str, symbols: str, tmp_path: Path
) -> None:
    """Whole samples, and such one after the other, as archives are."""
    chance = random.Random(f"several {format}")
    pool = cached_samples()[format]
    tried = 0
    for _ in range(max(RUNS // 3, 20)):
        data = b"".join(chance.choice(pool) for _ in range(chance.randint(1, 3)))
        tried += attempt(data, format, tmp_path, chance, symbols)
    assert tried or FORMATS[format].find is None


@pytest.mark.parametrize("format", list(FORMATS))
@given(data=st.binary(max_size=300), seed=st.integers(0, 2**30))
@settings(max_examples=max(RUNS // 10, 1), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_read_in_pieces_as_at_once(
    format: str, data: bytes, seed: int, symbols: str, tmp_path: Path
) -> None:
    attempt(data, format, tmp_path, random.Random(seed), symbols)


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.name)
def test_past_crashers_are_read_in_pieces_as_at_once(path: Path, symbols: str, tmp_path: Path) -> None:
    data = path.read_bytes()
    for format in FORMATS:
        attempt(data, format, tmp_path, random.Random(format), symbols)
