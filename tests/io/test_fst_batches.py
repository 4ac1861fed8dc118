"""OpenFst archives of all kinds and single machines in native batches, against a slow reader of one after the other."""

from __future__ import annotations

import gzip
import random
import struct
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written
from slow_machines import Cursor, Tables, far_entry, far_list, read_fst, single
from written import far

import fstmetrics as fm
from fstmetrics.io import Source, read_items
from fstmetrics.io.blocks import Deferred
from fstmetrics.io.formats import far as far_format
from fstmetrics.io.formats import openfst_binary
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.window import Piece
from fstmetrics.support.source import File

MAGIC = struct.pack("<i", 2125659606)
WEIGHTS = {"standard": "f", "log": "f", "log64": "d"}
ALIGNED = 4


def string(text: str) -> bytes:
    return struct.pack("<i", len(text.encode())) + text.encode()


def symbols(words: dict[int, str]) -> bytes:
    head = struct.pack("<i", 2125658996) + string("words") + struct.pack("<qq", len(words), len(words))
    return head + b"".join(string(word) + struct.pack("<q", key) for key, word in words.items())


WORDS = {0: "<eps>", 1: "naïve", 2: "b", 3: "a", 4: "!NULL", 5: "a", 6: "c"}


def machine(chance: random.Random, origin: int = 0) -> bytes:
    """A machine at a place of a file: vector or const, aligned or not, with symbol tables of its own or without."""
    kind, arc_type = chance.choice(["vector", "const"]), chance.choice(list(WEIGHTS))
    code, states, tables = WEIGHTS[arc_type], chance.randrange(6), chance.randrange(4)
    flags = tables | (ALIGNED if kind == "const" and chance.random() < 0.5 else 0)
    arcs = [[arc(chance, states, code) for _ in range(chance.randrange(4))] for _ in range(states)]
    finals = [chance.choice([float("inf"), 0.0, 1.5]) for _ in range(states)]
    count, start = sum(map(len, arcs)), chance.randrange(-1, states)
    data = MAGIC + string(kind) + string(arc_type)
    data += struct.pack("<iiQqqq", 2, flags, 3, start, states, count)
    for flag in (1, 2):
        if flags & flag:
            words = {} if chance.random() < 0.1 else dict(list(WORDS.items())[: chance.choice([7, 7, 7, 4])])
            data += symbols(words)
    if kind == "vector":
        for final, leaving in zip(finals, arcs, strict=True):
            data += struct.pack(f"<{code}q", final, len(leaving)) + b"".join(leaving)
        return data
    data = padded(data, origin, flags)
    first = 0
    for final, leaving in zip(finals, arcs, strict=True):
        data += struct.pack(f"<{code}4I", final, first, len(leaving), 0, 0)
        first += len(leaving)
    data = padded(data, origin, flags)
    return data + b"".join(each + bytes(4 * (code == "d")) for leaving in arcs for each in leaving)


def arc(chance: random.Random, states: int, code: str) -> bytes:
    label = chance.randrange(7)
    return struct.pack(
        f"<ii{code}i", chance.choice([label, 0]), label, 0.25 * label, chance.randrange(states)
    )


def padded(data: bytes, origin: int, flags: int) -> bytes:
    return data + bytes(-(origin + len(data)) % 16 if flags & ALIGNED else 0)


def archive(seed: int, kind: str, count: int = 12) -> bytes:
    chance, entries, place = random.Random(seed), [], 8
    for number in range(count):
        key = string(f"ké{number:02}" if chance.random() < 0.1 else f"k{number:02}")
        content = machine(chance, place + len(key))
        entries.append((key, content))
        place += len(key) + len(content)
    return far(kind, entries)


def parts(item: Item) -> dict[str, Any]:
    """All that an item has."""
    automaton, names = item.value.automaton, ("sources", "destinations", "labels", "arc_costs", "final_costs")
    return {name: getattr(automaton, name).tobytes() for name in (*names, "finals")} | {
        "states": automaton.num_states, "start": automaton.start, "words": item.value.symbols.words, "id": item.id,
        "numbered": item.value.numbered, "left out": item.left_out,
    }  # fmt: skip


def outcome(items: Iterator[Item]) -> list[Any]:
    """What comes out, or what is wrong with it."""
    found: list[Any] = []
    try:
        for item in items:
            try:
                loaded = item.given.item() if not isinstance(item.given, fm.Lattice) else item
            except fm.InputError as error:
                found.append((item.id, item.is_rest, str(error)))
            else:
                found.append(parts(loaded))
    except fm.InputError as error:
        found.append((None, True, str(error)))  # what `Format.each` makes of it
    return found


def in_blocks(path: Path, options: ReadOptions) -> Iterator[Item]:
    blocks = far_format.FORMAT.blocks
    assert blocks is not None
    for block in blocks(File(str(path)), options) or ():
        yield from block


@pytest.fixture
def table(tables: str, tmp_path: Path) -> str | None:
    """A symbol table that has the words of the machines' own, or others; None: no table."""
    words = WORDS if tables == "same" else {n: f"w{n}" for n in WORDS}
    lines = "".join(f"{word} {n}\n" for n, word in words.items())
    return None if tables == "own" else str(written(tmp_path / "words.txt", lines))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("tables", ["own", "same", "other"])
@pytest.mark.parametrize("kind", ["sttable", "stlist"])
def test_archives(kind: str, tables: str, packed: bool, table: str | None, tmp_path: Path) -> None:
    """Whole ones and damaged ones, by their table and in blocks."""
    chance, faults, read = random.Random(kind), 0, 0
    for case in range(36):
        data = bytearray(archive(case, kind))
        if case % 3 == 1:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif case % 3 == 2:
            del data[chance.randrange(len(data)) :]
        path = written(tmp_path / "x.far", gzip.compress(data) if packed else bytes(data))
        found = all_ways(path, table)
        assert found == [outcome(slowly(path, ReadOptions(table)))] * 2
        faults += any(not isinstance(each, dict) for each in found[0])
        read += len(found[0])
    assert faults > 12
    assert read > (40 if tables == "other" else 100)  # a list ends with its first fault


def slowly(path: Path, options: ReadOptions) -> Iterator[Item]:
    """The entries, each read alone."""
    file = File(str(path))
    source = file.source()
    far_format._check_head(source)
    if not source.data.startswith(far_format.MAGICS[0]):
        yield from far_list(source, options)
        return
    places, last = far_format._places(file)
    tables = Tables(lru_cache(lambda: first_table(source, places[1] if places[1:] else last)))
    for number, (begin, end) in enumerate(pairwise([*places, last])):
        key = far_format._key_at(file, begin)
        given = Deferred(
            partial(entry, source, options, tables, number, begin, end, places), is_rest=key is None
        )
        yield Item(key, given)


def first_table(source: Source, end: int) -> dict[int, str] | None:
    cursor = Cursor(Piece(source.path, source.data[8:end], byte=8))
    try:
        cursor.string("a key")
        return Tables().of(read_fst(cursor), cursor.source)
    except fm.InputError:
        return None


def entry(
    source: Source, options: ReadOptions, tables: Tables, number: int, begin: int, end: int, places: list[int]
) -> Item:
    cursor = Cursor(Piece(source.path, source.data[begin:end], byte=begin))
    item, found = far_entry(cursor, options, tables), begin + cursor.at
    if found == end:
        return item
    if number == len(places) - 1:
        raise cursor.error(f"expected a table of {len(places)} places at byte {end}")
    place = len(source.data) - 8 * (len(places) - number)
    raise fm.InputError(f"the table puts an entry at byte {end}, expected {found}", source.path, byte=place)


def all_ways(path: Path, table: str | None) -> list[list[Any]]:
    found = []
    for way in (far_format.FORMAT.each, lambda *a: in_blocks(path, a[1])):
        try:
            found.append(outcome(way(File(str(path)), ReadOptions(table))))
        except fm.InputError as error:
            found.append([(None, True, str(error))])
    return found


def test_blocks_are_native_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "x.far", archive(1, "sttable", 400))
    blocks = list(far_format.FORMAT.blocks(File(str(path)), ReadOptions()) or ())  # type: ignore[misc]
    assert sum(map(len, blocks)) == 400
    assert sum(len(block) for block in blocks if block.is_native) > 300


@pytest.mark.parametrize("tables", ["own", "same", "other"])
def test_single_machines(tables: str, table: str | None, tmp_path: Path) -> None:
    chance, faults = random.Random(2), 0
    for case in range(150):
        data = bytearray(machine(chance))
        if case % 3 == 1:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif case % 3 == 2:
            data = data[: chance.randrange(len(data))] if case % 2 else data + b"x"
        path = written(tmp_path / "ü.fst", bytes(data))
        found = one(path, table)
        source = Source(str(path), bytes(data))
        slow = Item("ü", Deferred(partial(single, source, ReadOptions(table, tell_left_out=True))))
        assert found == outcome(iter([slow]))
        faults += isinstance(found[0], tuple)
    assert 50 < faults < 140


def one(path: Path, table: str | None) -> list[Any]:
    options = ReadOptions(table, tell_left_out=True)
    try:
        return outcome(iter(openfst_binary.FORMAT.items(File(str(path)), options).items))  # type: ignore[union-attr]
    except fm.InputError as error:
        return [str(error)]


def lattices(count: int) -> list[fm.Lattice]:
    chance = random.Random(3)
    return [
        fm.Lattice.from_arrays(
            [0, 0, 1, 1], [1, 1, 2, 2], chance.choices(["the", "a", "cat", "hat"], k=4), finals=[2],
            costs=[(chance.random(), 0.0) for _ in range(4)],
        )
        for _ in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("form", ["far", "folder"])
@pytest.mark.parametrize("damaged", [False, True])
def test_records_are_the_same(
    form: str, damaged: bool, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a whole command, in the order of the references, which is not that of the archive."""
    count = 50
    source = tmp_path / ("x.far" if form == "far" else "x/")
    text = written(
        tmp_path / "x.ark", "".join(kaldi(f"u{n}", each) for n, each in enumerate(lattices(count)))
    )
    given = f"{source}/" if form == "folder" else source
    assert (
        fstmetrics("convert", text, given, "--lossy", "--to", "far" if form == "far" else "openfst").status
        == 0
    )
    if damaged:
        place = source if form == "far" else source / "u7.fst"
        data = bytearray(place.read_bytes())
        data[data.index(b"standard", len(data) // 3 if form == "far" else 0)] ^= 1
        place.write_bytes(bytes(data))
    order = random.Random(1).sample(range(count), count)
    references = written(tmp_path / "ref.txt", "".join(f"u{n} the cat\n" for n in order))
    run = ("oracle", references, source, "--jobs", jobs, "--keep-going", "--output")
    fast = fstmetrics(*run, tmp_path / "fast.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr("fstmetrics.scoring.pair_blocks.lattices_of", lambda values: None)
        slow = fstmetrics(*run, tmp_path / "slow.jsonl")
    assert (fast.status, fast.out) == (slow.status, slow.out)
    assert fast.err.replace("fast.jsonl", "") == slow.err.replace("slow.jsonl", "")
    assert fast.status == (1 if damaged else 0)
    assert (tmp_path / "fast.jsonl").read_bytes() == (tmp_path / "slow.jsonl").read_bytes()


def kaldi(id: str, lattice: fm.Lattice) -> str:
    automaton, words = lattice.automaton, lattice.symbols.words
    rows = zip(automaton.sources, automaton.destinations, automaton.labels, automaton.arc_costs, strict=True)
    arcs = "".join(f"{a} {b} {words[label]} {cost[0]},0,\n" for a, b, label, cost in rows)
    return f"{id} \n{arcs}2 0,0,\n\n"


@pytest.mark.parametrize("form", ["far", "openfst"])
def test_a_table_with_other_words_than_that_of_a_machine_is_refused(form: str, tmp_path: Path) -> None:
    text = written(tmp_path / "x.ark", "".join(kaldi(f"u{n}", each) for n, each in enumerate(lattices(9))))
    machines = f"{tmp_path}/x.far" if form == "far" else f"{tmp_path}/x/"
    assert fstmetrics("convert", text, machines, "--lossy", "--to", form).status == 0
    references = written(tmp_path / "ref.txt", "".join(f"u{n} the cat\n" for n in range(9)))
    table = written(tmp_path / "words.txt", "".join(f"w{n} {n}\n" for n in range(1, 9)))
    assert fstmetrics("oracle", references, machines).status == 0
    outcome = fstmetrics("oracle", references, machines, "--symbols", table)
    assert outcome.status == 2
    assert f"in the file's own symbol table and 'w1' in {table}" in outcome.err


def test_no_lattice_becomes_an_object(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(tmp_path / "x.ark", "".join(kaldi(f"u{n}", each) for n, each in enumerate(lattices(30))))
    assert fstmetrics("convert", text, tmp_path / "x.far", "--lossy").status == 0
    references = written(tmp_path / "ref.txt", "".join(f"u{n} the cat\n" for n in range(30)))
    made: list[int] = []
    whole = fm.Lattice.of_column
    monkeypatch.setattr(fm.Lattice, "of_column", lambda column, row: made.append(row) or whole(column, row))
    assert fstmetrics("oracle", references, tmp_path / "x.far", "--output", tmp_path / "o.jsonl").status == 0
    assert len(made) <= 1  # whether its words are numbers, and have marks
    assert len(read_items(tmp_path / "x.far").items) == 30
