"""Items of a stream in native blocks are paired as the same items one by one."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command import written
from texts_in_files import in_file, leave_in_files

from fstmetrics._native import TextColumn
from fstmetrics.io import FORMATS
from fstmetrics.io.blocks import Block, Item
from fstmetrics.io.items import Items, ReadOptions
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.pairing import Missing, Pairs
from fstmetrics.support.errors import FstmetricsError, InputError


@dataclass
class Streamed:
    """Blocks in the place of a stream."""

    parts: Sequence[Block]
    path: str = "stream"
    has_ids: bool = True

    def blocks(self) -> Iterator[Block]:
        return iter(self.parts)

    @property
    def first_ids(self) -> frozenset[str]:
        return frozenset(item.id for block in self.parts for item in block if item.id is not None)


def native(ids: Sequence[str], what: str) -> Block:
    return Block(TextColumn(list(ids)), TextColumn([f"{what} of {id}" for id in ids]))


def one_by_one(block: Block) -> list[Block]:
    return [Block.of([Item(item.id, None, item.text)]) for item in block]


def outcome(sides: Sequence[Any], missing: Missing) -> tuple[list[Pair], int, str]:
    """The pairs up to an error, how many items were left out, and the error."""
    pairs, found = Pairs(sides[0], sides[1:], missing), []
    try:
        for pair in pairs:
            found.append(pair)
    except FstmetricsError as error:
        return found, pairs.skipped, str(error)
    return found, pairs.skipped, ""


@pytest.mark.parametrize("seed", range(300))
def test_blocks_are_paired_as_items(seed: int) -> None:
    choose = random.Random(seed)
    first = choose.choice([0, 1, 100])
    names = [f"{n}" if first < 100 else f"u{n}" for n in range(first, first + choose.randint(2, 8))]
    others = [choose.sample(names, len(names)) for _ in range(choose.choice([1, 1, 2]))]
    if choose.random() < 0.3:
        others[-1] = others[-1][1:] or others[-1]
    came = choose.sample(names, choose.randint(1, len(names)) if choose.random() < 0.5 else len(names))
    if choose.random() < 0.3:
        came.insert(choose.randrange(len(came)), choose.choice(["stranger", came[0], came[0].upper()]))
    if choose.random() < 0.2:
        came = [str(int(id) + 1) if id.isdigit() else id for id in came]
    ends = sorted(choose.randint(0, len(came)) for _ in range(2))
    parts = [part for part in (came[: ends[0]], came[ends[0] : ends[1]], came[ends[1] :]) if part]
    blocks = [native(part, "stream") for part in parts]
    missing = choose.choice(("error", "skip", "empty"))
    columns: list[Any] = [Items(native(ids, f"side {n}"), ("x",), f"p{n}") for n, ids in enumerate(others)]
    items: list[Any] = [Items(tuple(side.items), ("x",), side.path) for side in columns]
    place = choose.randrange(len(others) + 1)
    columns.insert(place, Streamed(blocks))
    items.insert(place, Streamed([alone for block in blocks for alone in one_by_one(block)]))
    assert outcome(columns, missing) == outcome(items, missing)


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_texts_that_stay_in_their_file_are_paired_as_texts_in_memory(
    seed: int, compressed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of the stream, in another one, and with items that it lacks."""
    leave_in_files(monkeypatch, ahead=7)
    choose = random.Random(seed)
    names = [f"u{n}" for n in range(60)]
    ours = names if seed % 2 else choose.sample(names, len(names))
    came = names if seed % 3 else names[choose.randrange(3) : choose.randrange(30, 60)]
    text = "".join(f"{id} text of {id}\n" for id in ours).encode()
    path = written(tmp_path / "ref", gzip.compress(text) if compressed else text)
    stored = FORMATS["kaldi-text"].block(in_file(path), ReadOptions())  # type: ignore[misc]
    parts, at = [], 0
    while at < len(came):
        size = choose.randint(1, 12)
        parts.append(native(came[at : at + size], "stream"))
        at += size
    missing = choose.choice(("error", "skip", "empty"))
    found = outcome([Streamed(parts), Items(stored, ("x",), "ref")], missing)
    in_memory = Items(tuple(Item(id, None, f"text of {id}") for id in ours), ("x",), "ref")
    assert found == outcome([Streamed(parts), in_memory], missing)


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_in_files(monkeypatch)
    path = written(tmp_path / "ref", "u1 a\nu2 b\n")
    stored = FORMATS["kaldi-text"].block(in_file(path), ReadOptions())  # type: ignore[misc]
    pairs = Pairs(Streamed([native(["u1", "u2"], "stream")]), [Items(stored, ("x",), str(path))])  # type: ignore[arg-type]
    path.write_text("u9 a\nu2 b\n")
    with pytest.raises(InputError, match="ref"):
        list(pairs)
