"""Archives of binary machines: many in one native call, against a slow reader of one machine after the other."""

from __future__ import annotations

import io
import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import written
from slow_machines import far_list, kaldi
from written import far

import fstmetrics as fm
from fstmetrics._native import FstArchiveReader, LatticeColumn
from fstmetrics.io import FORMATS, Source, window
from fstmetrics.io.formats.openfst_binary import machine_columns, vector_bytes
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.lattice_batches import items_of, text_labels
from fstmetrics.io.window import Window
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import File

MAGIC = struct.pack("<i", 2125659606)


def machine(chance: random.Random, arc_type: str, labels: int = 9) -> bytes:
    """A vector machine of an arc type, transition ids, absent arcs and no start among what it may have."""
    states = chance.randrange(6)
    weight = {"standard": "f", "log": "f", "log64": "d", "lattice4": "ff", "compactlattice44": "ff"}[arc_type]

    def cost() -> bytes:
        values = [
            chance.choice([0.0, 1.5, -2.25, float("inf") if chance.random() < 0.3 else 7.0]) for _ in weight
        ]
        ids = [chance.randrange(9) for _ in range(chance.choice([0, 0, 3]))]
        string = struct.pack(f"<i{len(ids)}i", len(ids), *ids) if arc_type == "compactlattice44" else b""
        return struct.pack(f"<{weight}", *values) + string

    body = b""
    for _ in range(states):
        body += (cost() if chance.random() < 0.6 else none_of(weight, arc_type)) + struct.pack(
            "<q", arcs := chance.randrange(5)
        )
        for _ in range(arcs):
            label = chance.randrange(labels)
            body += struct.pack("<ii", chance.choice([label, 0]), label) + cost()
            body += struct.pack("<i", chance.randrange(states))
    start = chance.randrange(-1, states)
    head = b"".join(struct.pack("<i", len(name)) + name for name in (b"vector", arc_type.encode()))
    return MAGIC + head + struct.pack("<iiQqqq", 2, 0, 3, start, states, 0) + body


def none_of(weight: str, arc_type: str) -> bytes:
    """The weight of a state that is not final."""
    numbers = struct.pack(f"<{weight}", *[float("inf") for _ in weight])
    return numbers + (struct.pack("<i", 0) if arc_type == "compactlattice44" else b"")


TYPES = ("standard", "log", "log64", "lattice4", "compactlattice44")


def archive(seed: int, count: int = 30, types: tuple[str, ...] = TYPES) -> bytes:
    chance = random.Random(seed)
    return b"".join(b"utt-%03d " % n + machine(chance, chance.choice(types)) for n in range(count))


def parts(item: Item) -> dict[str, Any]:
    """All that an item has."""
    lattice = item.value
    automaton, times = lattice.automaton, lattice.times
    names = ("sources", "destinations", "labels", "finals", "arc_costs", "final_costs")
    return {name: getattr(automaton, name).tobytes() for name in names} | {
        "states": automaton.num_states, "start": automaton.start, "words": lattice.symbols.words, "id": item.id,
        "times": None if times is None else (times.unit, times.of_arc.tolist()), "numbered": lattice.numbered,
        "scales": lattice.scales, "left out": item.left_out,
    }  # fmt: skip


def outcome(items: Iterator[Item]) -> tuple[list[dict[str, Any]], str]:
    """What comes out, and what is wrong with the rest."""
    found = []
    try:
        for item in items:
            found.append(parts(item))
    except fm.InputError as error:
        return found, str(error)
    return found, ""


def of_window(data: bytes, options: ReadOptions) -> Iterator[Item]:
    reader = FstArchiveReader(text_labels(options, True), item_limits(), "word")
    stream = Window("x.ark", io.BytesIO(data))  # type: ignore[arg-type]
    for column in machine_columns(stream, reader, options):
        yield from items_of(column, options)


def both(data: bytes, options: ReadOptions) -> tuple[Any, Any]:
    """The archive by native calls, and machine by machine."""
    return outcome(of_window(data, options)), outcome(kaldi(Source("x.ark", data), options))


@pytest.fixture
def symbols(tmp_path: Path) -> str:
    words = ["<eps>", "a", "b", "a", "!NULL", "c", "d", "e", "f", "g"]
    return str(written(tmp_path / "words.txt", "".join(f"{word} {n}\n" for n, word in enumerate(words))))


@pytest.mark.parametrize("block", [1, 700, 1 << 20])
@pytest.mark.parametrize("seed", range(5))
def test_many_machines_are_those_read_one_by_one(
    seed: int, block: int, symbols: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a symbol table and without, in windows smaller than a machine and larger than all."""
    monkeypatch.setattr(window, "BLOCK", block)
    for options in (ReadOptions(tell_left_out=True), ReadOptions(symbols, tell_left_out=True)):
        fast, slow = both(archive(seed), options)
        assert fast == slow
        assert (len(slow[0]), slow[1]) == (30, "")


def test_most_machines_are_read_natively() -> None:
    data, options = archive(3), ReadOptions()
    reader, column = (
        FstArchiveReader(text_labels(options, True), item_limits(), "word"),
        LatticeColumn(options.vocabulary),
    )
    assert reader.read(data, 0, column) == len(data)
    assert (len(column), column.damaged) == (30, [])
    assert [column.place(row)[1] for row in range(30)] == [
        data.index(b"utt-%03d " % row) for row in range(30)
    ]


def test_damage_is_told_as_machine_by_machine(symbols: str) -> None:
    """Bytes changed, and archives cut off: the same items, and the same line with the same byte."""
    chance, faults = random.Random(5), 0
    for case in range(400):
        data = bytearray(archive(case % 7, 6))
        if case % 3:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        else:
            del data[chance.randrange(len(data)) :]
        fast, slow = both(bytes(data), ReadOptions(symbols if case % 2 else None))
        assert fast == slow
        faults += bool(slow[1])
    assert faults > 150


def test_rare_machines_may_stand_between() -> None:
    """A machine with a symbol table, a key that is not ASCII; and at the end large labels, or damage."""
    chance = random.Random(1)
    good = [machine(chance, "lattice4") for _ in range(6)]
    lattice = fm.Lattice.from_arcs([(0, 1, "the")], finals=[1])
    named = vector_bytes(lattice.automaton, symbols=lattice.symbols)
    data = b"a " + good[0] + b"b " + named + "é ".encode() + good[1] + b"c " + good[2]
    fast, slow = both(data, ReadOptions())
    assert fast == slow
    assert [item["id"] for item in slow[0]] == ["a", "b", "é", "c"]
    for tail in (machine(chance, "standard", labels=1 << 30), b"", good[3][:-1], b"no machine"):
        fast, slow = both(data + b"d " + tail, ReadOptions())
        assert fast == slow


def test_the_limits_hold_in_native_calls() -> None:
    chance = random.Random(2)
    data = b"".join(b"u%d " % n + machine(chance, "standard") for n in range(20))
    with fm.limited(arcs=5, states=4):
        fast, slow = both(data, ReadOptions())
    assert [item["id"] for item in fast[0]] == [item["id"] for item in slow[0]]


@pytest.mark.parametrize("with_table", [True, False])
def test_lists_of_openfst(with_table: bool, symbols: str, tmp_path: Path) -> None:
    """An archive of the type stlist."""
    chance = random.Random(4)
    entries = [(struct.pack("<i", 3) + b"k%02d" % n, machine(chance, "standard")) for n in range(12)]
    path = tmp_path / "x.far"
    path.write_bytes(far("stlist", entries))
    options = ReadOptions(symbols if with_table else None, tell_left_out=True)
    fast = outcome(item.loaded() for item in FORMATS["far"].each(File(str(path)), options))
    assert fast == outcome(far_list(Source(str(path), path.read_bytes()), options))
    assert len(fast[0]) == 12


def test_costs_stay_as_they_are() -> None:
    """32-bit costs come as they are written, doubles as doubles."""
    for arc_type, value in (("standard", np.float32(0.1)), ("log64", np.float64(0.1))):
        weight = "d" if arc_type == "log64" else "f"
        body = struct.pack(f"<{weight}q", float("inf"), 1) + struct.pack(f"<ii{weight}i", 1, 1, value, 1)
        body += struct.pack(f"<{weight}q", value, 0)
        head = b"".join(struct.pack("<i", len(name)) + name for name in (b"vector", arc_type.encode()))
        data = b"u " + MAGIC + head + struct.pack("<iiQqqq", 2, 0, 3, 0, 2, 1) + body
        (item,) = of_window(data, ReadOptions())
        fast, slow = both(data, ReadOptions())
        assert fast == slow
        assert item.value.automaton.arc_costs[0, 0] == float(value)
