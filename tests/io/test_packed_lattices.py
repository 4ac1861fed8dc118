"""Packed lattices: what is written comes back, pyarrow reads it, and no damage makes another lattice of it."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written
from hostile import damaged, in_time
from places import SHARED, needs_data
from slow_packing import slowly_packed

import fstmetrics as fm
from fstmetrics import _native
from fstmetrics.convert.accounts import Fitted
from fstmetrics.data.lattice import Scales, word_automaton
from fstmetrics.data.times import Durations, Times
from fstmetrics.io import open_stream, packed_file
from fstmetrics.io.formats import packed_lattices as packed
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.packed_file import FIELDS, NAME, VERSION, Columns, Field, PackedFileWriter
from fstmetrics.io.writing import WriteOptions
from fstmetrics.support.limits import limits

# What each version calls the column of arcs: readers of another one find none, where the number of the version is lost.
ARCS_OF_VERSIONS = {1: "arcs"}

# Damaged files; FSTMETRICS_FUZZ=100000 is a long run.
RUNS = int(os.environ.get("FSTMETRICS_FUZZ", "300"))


def lattices(seed: int, count: int) -> Iterator[fm.Lattice]:
    """Random ones, cyclic and without a path among them, with all that a lattice may have."""
    chance, words = random.Random(seed), ["a", "b b", "é", "語", "", "w" * 70]
    for number in range(count):
        states, arcs, finals = chance.randrange(1, 9), chance.randrange(12), chance.randrange(4)
        costs = [[chance.uniform(-5, 9), chance.choice([0.1, 1e300])] for _ in range(arcs)]
        sources = sorted(chance.randrange(states) for _ in range(arcs))
        times: Times | Durations | None = None
        if number % 3 == 1:
            times = Times(np.array([chance.choice([0.5, np.nan]) for _ in range(states)]), "seconds")
        elif number % 3 == 2:
            times = Durations(np.array([chance.randrange(9) for _ in range(arcs)], dtype=np.int64), "frames")
        yield fm.Lattice.from_arrays(
            sources,
            [chance.randrange(states) for _ in range(arcs)],
            [chance.choice(words) for _ in range(arcs)],
            finals=sorted(chance.sample(range(states), min(finals, states))),
            start=chance.randrange(states),
            num_states=states,
            costs=costs if number % 2 and arcs else None,
            id=f"u-{number} é",
            scales=Scales(12.5, 0.1, -1) if number % 5 == 0 else None,
            times=times,
        )


def file_of(each: Iterator[fm.Lattice] | list[fm.Lattice]) -> bytes:
    return b"".join(packed.write((Item(lattice.id, lattice) for lattice in each), WriteOptions()))


def parts(lattice: fm.Lattice) -> dict[str, Any]:
    """All that a lattice has."""
    automaton = lattice.automaton
    names = ("sources", "destinations", "labels", "finals", "arc_costs", "final_costs")
    of = {name: getattr(automaton, name).tobytes() for name in names}
    times = lattice.times
    shown = None if times is None else (type(times), times.unit, times[0].dtype, times[0].tobytes())
    return of | {
        "states": automaton.num_states, "start": automaton.start, "has costs": automaton.has_costs,
        "words": lattice.symbols.words, "id": lattice.id, "scales": lattice.scales, "times": shown,
        "numbered": lattice.numbered,
    }  # fmt: skip


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> list[fm.Lattice]:
    """Lattices that fill several batches, of which some are read in parts."""
    monkeypatch.setattr(packed, "BATCH_ROWS", 7)
    monkeypatch.setattr(packed, "PART_SIZE", 20)
    found = list(lattices(3, 40))
    found[4].numbered = True
    return found


def test_versions_differ_in_a_name() -> None:
    assert len(set(ARCS_OF_VERSIONS.values())) == len(ARCS_OF_VERSIONS)
    assert ARCS_OF_VERSIONS[VERSION] in {field.name for field in FIELDS}


def test_everything_comes_back(many: list[fm.Lattice], tmp_path: Path) -> None:
    path = tmp_path / "x.packed"
    path.write_bytes(file_of(many))
    back = fm.Lattice.read_all(path)
    assert list(map(parts, back)) == list(map(parts, many))


def test_batches_are_read_in_parts(many: list[fm.Lattice]) -> None:
    columns = [column for column, _ in packed._columns(memoryview(file_of(many)), "x", ReadOptions())]
    assert len(columns) > len(many) / 7 + 1
    assert [parts(lattice) for column in columns for lattice in column] == list(map(parts, many))


def test_lattices_and_their_columns_are_written_as_one_by_one(many: list[fm.Lattice]) -> None:
    expected = slowly_packed((lattice.id, lattice) for lattice in many)
    assert file_of(many) == expected
    writer = packed.PackedWriter()
    pieces = [writer.begin()]
    for column, _ in packed._columns(memoryview(expected), "x", ReadOptions()):
        for some in (column[:2], column[2:]):  # batches do not depend on how columns are cut
            pieces += writer.add_column(some)
    assert b"".join([*pieces, writer.end()]) == expected


def test_a_column_is_written_under_other_ids() -> None:
    some = list(lattices(5, 9))
    ((column, _),) = packed._columns(memoryview(file_of(some)), "x", ReadOptions())
    writer = packed.PackedWriter()
    names = [f"other-{n}" for n in range(9)]
    found = b"".join([writer.begin(), *writer.add_column(column, names), writer.end()])
    assert found == slowly_packed(zip(names, some, strict=True))
    with pytest.raises(fm.FstmetricsError, match="has a character in it that no text file holds"):
        list(packed.PackedWriter().add_column(column, ["a\0"] * 9))


@pytest.mark.parametrize("name", ["lat.1.gz", "lat.txt.gz"])
def test_columns_of_a_real_archive_are_written_as_one_by_one(name: str, shared: Path) -> None:
    """Two vocabularies, so that numbers of words are looked up again."""
    folder = shared / "asr-kaldi-weather"
    writer = packed.PackedWriter()
    pieces, each = [writer.begin()], []
    for _ in range(2):
        stream = open_stream(str(folder / "mono" / name), None, ReadOptions(str(folder / "words.txt")))
        assert stream is not None
        for block in stream.blocks():
            assert isinstance(block.values, _native.LatticeColumn)
            pieces += writer.add_column(block.values)
            each += [(lattice.id, lattice) for lattice in block.values]
    assert b"".join([*pieces, writer.end()]) == slowly_packed(each)


def test_arrays_of_a_column_make_the_same_column(many: list[fm.Lattice]) -> None:
    for column, _ in packed._columns(memoryview(file_of(many)), "x", ReadOptions()):
        back = packed.column_of(packed.packed_columns(column))
        assert list(map(parts, back)) == list(map(parts, column))


def test_a_damaged_lattice_is_not_written(tmp_path: Path) -> None:
    column = _native.LatticeColumn(_native.Vocabulary())
    labels = _native.Labels(column.vocabulary, "words")
    _native.KaldiTextReader(labels, (99, 99, 99)).read(
        b"u-1\n0 1 a 1,2,\n1\n\nu-2\n0 x a\n\n", 0, True, 0, column
    )
    assert column.damaged == [1]
    with pytest.raises(ValueError, match="damaged"):
        list(packed.PackedWriter().add_column(column))


def test_batches_are_made_natively_and_as_one_by_one(many: list[fm.Lattice]) -> None:
    """Each lattice of a native column is what the slow reader makes of the same row."""
    rows = 0
    for column, slow in packed._columns(memoryview(file_of(many)), "x", ReadOptions()):
        assert column.damaged == []
        assert [parts(lattice) for lattice in column] == [
            parts(slow.lattice(row)) for row in range(len(column))
        ]
        rows += len(column)
    assert rows == len(many)


def test_what_columns_have_no_room_for_is_read_one_by_one(tmp_path: Path) -> None:
    """Times in frames, durations in seconds or beyond 32 bits, and words that mean no word elsewhere."""
    automaton, symbols = word_automaton([(0, 1, "<eps>"), (1, 2, "a")], 3, 0, [2])
    times = [
        Times(np.arange(3.0), "frames"),
        Durations(np.arange(2), "seconds"),
        Durations(np.array([1, 2**40]), "frames"),
        None,
    ]
    each = [fm.Lattice(automaton, symbols, id=f"u{n}", times=when) for n, when in enumerate(times)]
    path = tmp_path / "x.packed"
    path.write_bytes(file_of(each))
    assert list(map(parts, fm.Lattice.read_all(path))) == list(map(parts, each))


def test_a_long_word_is_beyond_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.packed"
    path.write_bytes(
        file_of([fm.Lattice.from_strings(["a"], id="u1"), fm.Lattice.from_strings(["b" * 99], id="u2")])
    )
    with fm.limited(label=50), pytest.raises(fm.InputError, match="a word of lattice 'u2' has 99 bytes"):
        fm.Lattice.read_all(path)


def test_states_beyond_the_limit_take_no_memory(tmp_path: Path) -> None:
    lattice = fm.Lattice.from_arrays([0], [1], ["a"], finals=[1], num_states=5000, id="u1")
    path = tmp_path / "x.packed"
    path.write_bytes(file_of([lattice]))
    with (
        fm.limited(states=4999),
        pytest.raises(fm.InputError, match="lattice 'u1' has 5000 states, the limit is 4999"),
    ):
        fm.Lattice.read_all(path)


def test_no_lattice_is_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "x.packed"
    path.write_bytes(file_of([]))
    assert fm.Lattice.read_all(path) == []


def test_the_schema_is_that_of_the_fields() -> None:
    """It is written as bytes that are the same in every file."""
    arrow = pytest.importorskip("pyarrow")

    def made(field: Field) -> Any:
        children = [made(child) for child in field.children]
        if field.in_dictionary:
            kind = arrow.dictionary(arrow.int32(), arrow.string())
        elif field.type == "list":
            kind = arrow.list_(*children)
        elif field.type == "fixed":
            kind = arrow.list_(*children, field.size)
        elif field.type == "structure":
            kind = arrow.struct(children)
        else:
            kind = getattr(arrow, {"bool": "bool_"}.get(field.type, field.type))()
        return arrow.field(field.name, kind, nullable=False)

    found = arrow.ipc.open_file(io.BytesIO(file_of([]))).schema
    assert found.equals(arrow.schema(map(made, FIELDS), {NAME: str(VERSION)}), check_metadata=True)


def test_pyarrow_reads_the_same(many: list[fm.Lattice]) -> None:
    arrow = pytest.importorskip("pyarrow")
    with arrow.ipc.open_file(arrow.BufferReader(file_of(many))) as file:
        assert file.schema.metadata == {b"fstmetrics.lattices": b"1"}
        assert file.num_record_batches == 6
        table = file.read_all()
    table.validate(full=True)
    assert table.column_names == [field.name for field in FIELDS]
    for row, lattice in zip(table.to_pylist(), many, strict=True):
        automaton = lattice.automaton
        assert (row["id"], row["states"], row["start"]) == (lattice.id, automaton.num_states, automaton.start)
        assert tuple(row["words"]) == lattice.symbols.words
        arcs = [(arc["source"], arc["destination"], arc["label"]) for arc in row["arcs"]]
        assert arcs == list(zip(automaton.sources, automaton.destinations, automaton.labels, strict=True))
        assert row["arc_costs"] == (automaton.arc_costs.tolist() if automaton.has_costs else [])
        assert row["finals"] == automaton.finals.tolist()
        assert row["scales"] == [lattice.scales.lm, lattice.scales.acoustic, lattice.scales.word_penalty]
        assert row["numbered"] is lattice.numbered
        assert row["time_unit"] == ("" if lattice.times is None else lattice.times.unit)


def test_any_changed_byte_is_found_or_means_nothing(many: list[fm.Lattice], tmp_path: Path) -> None:
    """A file with a byte changed, or cut off anywhere, is refused by one line; of the first few bytes none is read."""
    data, chance = file_of(many), random.Random(1)
    expected = list(map(parts, many))
    said: list[str] = []
    for case in range(200):
        changed = bytearray(data)
        if case % 4:
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        else:
            del changed[chance.randrange(len(data)) :]
        path = tmp_path / f"{case}.packed"
        path.write_bytes(changed)
        try:
            found = fm.Lattice.read_all(path, format="packed")
        except fm.InputError as error:
            said.append(str(error).removeprefix(f"{path}: "))
        else:  # a byte of the marks before the first part, or of its padding
            assert case % 4
            assert list(map(parts, found)) == expected
    assert len(said) > 160
    assert all(line.startswith("packed lattices that cannot be read: ") for line in said)
    assert all(line.endswith(packed.AGAIN) and len(line) < 200 for line in said)


def test_damage_behind_right_checksums_is_refused(
    many: list[fm.Lattice], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no checksum holds it back, damage reaches the parser: only an InputError comes out, or lattices."""
    monkeypatch.setattr(packed_file, "_sum", lambda data: 0)
    chance, data, refused = random.Random(2), file_of(many[:8]), 0
    path = tmp_path / "x.packed"
    for _ in range(RUNS):
        path.write_bytes(damaged(data, chance))
        try:
            with in_time():
                fm.Lattice.read_all(path, format="packed")
        except fm.InputError:
            refused += 1
    assert refused > RUNS / 3


def test_files_that_are_joined_are_refused(many: list[fm.Lattice], tmp_path: Path) -> None:
    """The footer of the last one speaks of places in that one alone."""
    one = file_of(many[:3])
    for joined in (one + one, file_of(many[3:5]) + one, one[:-6] + one):
        path = written(tmp_path / "joined.packed", joined)
        with pytest.raises(fm.InputError, match=r"are several files joined|damaged|checksum"):
            fm.Lattice.read_all(path)
    with pytest.raises(fm.InputError, match="several files joined"):
        fm.Lattice.read_all(written(tmp_path / "twice.packed", one + one))


def test_a_later_version_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.packed"
    data = file_of([])
    begin = len(data) - 10 - int.from_bytes(data[-10:-6], "little")
    place, own = data.rindex(b"1\0\0\0\x13\0\0\0fstmetrics.lattices"), slice(begin + 88, begin + 104)
    changed = bytearray(data)
    changed[place : place + 1], changed[own] = b"2", b"0" * 16
    changed[own] = f"{_native.xxh64(np.frombuffer(changed[begin:-10], np.uint8)):016x}".encode()
    path.write_bytes(changed)
    with pytest.raises(
        fm.InputError, match=r"it has version 2 of fstmetrics\.lattices.*install a later one$"
    ):
        fm.Lattice.read_all(path)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("arcs.item.label", 99, "an arc has label 99"),
        ("arcs.item.label", -1, "arcs out of order"),
        ("arcs.item.destination", 99, "99"),
        ("arcs.item.source", 99, "99"),
        ("words.item", 5000, "a word without a number"),
        ("finals.item", -1, "-1"),
        ("states", -1, "-1"),
        ("start", 99, "99"),
        ("scales.item", np.nan, "finite number"),
        ("arc_costs.item.item", np.nan, "costs that are no numbers"),
        ("final_costs.item.item", -np.inf, "costs that are no numbers"),
    ],
)
def test_what_no_lattice_has_is_refused(
    name: str, value: float, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the checksums are right, as another program may have written the file."""
    batch = PackedFileWriter.batch

    def changed(writer: PackedFileWriter, columns: Columns, length: int) -> bytes:
        found = columns[name].copy()
        found[0] = value
        return batch(writer, {**columns, name: found}, length)

    monkeypatch.setattr(PackedFileWriter, "batch", changed)
    path = tmp_path / "x.packed"
    good = fm.Lattice.from_arrays([0, 1], [1, 2], ["a", "b"], finals=[2], costs=[(1, 2), (3, 4)], id="u")
    path.write_bytes(file_of([good]))
    with pytest.raises(fm.InputError) as caught:
        fm.Lattice.read_all(path)
    assert str(caught.value).startswith(f"{path}: packed lattices that cannot be read: lattice 'u': ")
    assert said in str(caught.value)


def test_the_checksum_is_xxh64() -> None:
    """Values of `xxhsum -H64` and of the specification's sanity checks."""
    expected = {
        b"": 0xEF46DB3751D8E999,
        b"abc": 0x44BC2CF5AD770999,
        b"Nobody inspects the spammish repetition": 0xFBCEA83C8A378BF1,
    }
    for data, number in expected.items():
        assert _native.xxh64(np.frombuffer(data, dtype=np.uint8)) == number


ARCHIVE = "u1\n0 1 the 1,2,3_4\n1 2 cat 0.5,1,\n1 2 hat 0.25,1,\n2 0,0,\n\nu2\n0 1 dog 1,2,\n1 0,0,\n\n"


def test_commands_read_what_pack_writes(tmp_path: Path) -> None:
    """What they print of packed lattices is what they print of the archive, from a file and through a pipe."""
    archive, ref = (
        written(tmp_path / "a.lats", ARCHIVE),
        written(tmp_path / "ref.txt", "u1 the cat\nu2 a dog\n"),
    )
    out = tmp_path / "a.packed"
    packing = fstmetrics("pack", str(archive), str(out))
    assert (packing.status, packing.out) == (0, "")
    assert packing.err == f"{out}: 2 lattices\nwritten without transition ids (1 of 2 items)\n"
    for command in (("oracle", str(ref)), ("score", str(ref)), ("best",), ("mbr",)):
        first, second = (fstmetrics(*command, str(path)) for path in (archive, out))
        assert first.status == 0
        assert second.out.replace("a.packed", "a.lats") == first.out
    with out.open("rb") as stream:
        piped = subprocess.run(
            [sys.executable, "-m", "fstmetrics", "best", "-"],
            stdin=stream,
            capture_output=True,
            text=True,
            check=True,
        )
    assert piped.stdout == fstmetrics("best", str(archive)).out


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("to", ["kaldi-lattice-text", "kaldi-lattice", "far", "packed"])
def test_what_comes_through_a_pipe_is_packed_in_columns(
    to: str, compressed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes and messages as of a file, and hardly an item of its own for a lattice."""
    archive, count = tmp_path / "a", 300
    text = "".join(ARCHIVE.replace("u1", f"a{n}").replace("u2", f"b{n}") for n in range(count // 2))
    table = tmp_path / "words.txt"
    numbering = ("--write-symbols", table) if to == "kaldi-lattice" else ()
    source = written(tmp_path / "a.lats", text)
    assert fstmetrics("convert", source, archive, "--to", to, "--lossy", *numbering).status == 0
    data, named = archive.read_bytes(), ("--symbols", table) if numbering else ()
    if compressed:
        data = gzip.compress(data)
        archive.write_bytes(data)
    of_file = fstmetrics("pack", archive, tmp_path / "1.packed", *named)
    alone, fitted = [], Fitted._fitted
    monkeypatch.setattr(
        Fitted, "_fitted", lambda self, item, number: alone.append(item) or fitted(self, item, number)
    )
    of_pipe = fstmetrics("pack", "-", tmp_path / "2.packed", *named, stdin=data)
    assert len(alone) < count / 5
    assert (of_file.status, of_file.err.replace("1.packed", "2.packed")) == (of_pipe.status, of_pipe.err)
    assert (tmp_path / "1.packed").read_bytes() == (tmp_path / "2.packed").read_bytes()


def test_a_shard_is_packed_through_a_pipe_as_from_its_file(tmp_path: Path) -> None:
    shard = tmp_path / "a.tar"
    with tarfile.open(shard, "w") as tar:
        for number in range(3):
            lattice = f"VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=w{number}\n".encode()
            info = tarfile.TarInfo(f"u{number}.slf")
            info.size = len(lattice)
            tar.addfile(info, io.BytesIO(lattice))
    of_file = fstmetrics("pack", shard, tmp_path / "1.packed")
    of_pipe = fstmetrics("pack", "-", tmp_path / "2.packed", stdin=shard.read_bytes())
    assert (of_file.status, of_pipe.status) == (0, 0)
    assert (tmp_path / "1.packed").read_bytes() == (tmp_path / "2.packed").read_bytes()
    reference = written(tmp_path / "ref.txt", "u0 w0\nu1 w2\nu2 w2\n")
    scored = fstmetrics("oracle", reference, "-", stdin=shard.read_bytes())
    assert scored.out == fstmetrics("oracle", reference, shard).out
    assert scored.status == 0


def test_pack_is_whole_or_not_at_all(tmp_path: Path) -> None:
    damaged = written(tmp_path / "a.lats", ARCHIVE.replace("0 1 dog", "0 x dog"))
    out = tmp_path / "a.packed"
    outcome = fstmetrics("pack", str(damaged), str(out))
    assert (outcome.status, out.exists()) == (2, False)
    assert outcome.err.count("\n") == 1
    outcome = fstmetrics("pack", str(damaged), str(out), "--keep-going")
    assert outcome.status == 1
    assert [lattice.id for lattice in fm.Lattice.read_all(out)] == ["u1"]


def test_pack_takes_lattices_only(tmp_path: Path) -> None:
    text, out = written(tmp_path / "a.txt", "u1 the cat\nu2 a\n"), tmp_path / "a.packed"
    outcome = fstmetrics("pack", str(text), str(out))
    assert (outcome.status, out.exists()) == (2, False)
    assert "item u1: expected a lattice" in outcome.err


def test_there_and_back_through_convert(tmp_path: Path) -> None:
    archive, again = written(tmp_path / "a.lats", ARCHIVE.replace("3_4", "")), tmp_path / "b.lats"
    assert fstmetrics("convert", str(archive), str(tmp_path / "a.packed")).status == 0
    assert fstmetrics("convert", str(tmp_path / "a.packed"), str(again)).status == 0
    first, second = (fm.Lattice.read_all(path) for path in (archive, again))
    assert list(map(parts, first)) == list(map(parts, second))


@needs_data
def test_real_lattices_come_back(tmp_path: Path) -> None:
    folder = SHARED / "asr-kaldi-weather"
    for archive in (
        folder / "tri1" / "lat.1.gz",
        SHARED / "asr-htk-ami",
        SHARED / "asr-pocketsphinx" / "holmes23.slf.gz",
    ):
        symbols = folder / "words.txt" if "kaldi" in str(archive) else None
        out = tmp_path / "x.packed"
        options = () if symbols is None else ("--symbols", str(symbols))
        assert fstmetrics("pack", str(archive), str(out), *options).status == 0
        expected = fm.Lattice.read_all(archive, symbols=symbols)
        assert list(map(parts, fm.Lattice.read_all(out))) == list(map(parts, expected))


# Labels 2 and 5 are the same word, 4 is none, and 0 on an arc of its own is none, either.
NUMBERS = "u1\n0 1 3 1,2,\n0 1 4 3,4,\n1 2 5 0.5,1,\n1 2 2 0.25,1,\n1 2 0 0.25,1,\n2 0,0,\n\nu2\n0 1 7 1,2,\n1 0,0,\n\n"
TABLE = "<eps> 0\ncat 2\nthe 3\n!NULL 4\ncat 5\ndog 7\n"


@pytest.fixture
def numbers(tmp_path: Path) -> tuple[Path, Path, Path]:
    """An archive of numbers, the same packed without their words, and the table of these."""
    archive, table = written(tmp_path / "a.lats", NUMBERS), written(tmp_path / "words.txt", TABLE)
    packing = fstmetrics("pack", archive, tmp_path / "numbers.packed")
    told = "labels are integers without a symbol table; give --symbols FILE to store words\n"
    assert (packing.status, packing.err) == (0, f"{tmp_path}/numbers.packed: 2 lattices\n{told}")
    return archive, tmp_path / "numbers.packed", table


@pytest.mark.parametrize("one_by_one", [False, True])
def test_a_symbol_table_names_packed_numbers(
    one_by_one: bool, numbers: tuple[Path, Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it names those of the archive: the same bytes packed, and the same output; in columns and one by one."""
    archive, file, table = numbers
    if one_by_one:
        monkeypatch.setattr(packed, "WIDEST", limits().label)  # as if words might be beyond the limit
    first, second, piped = (tmp_path / f"{name}.packed" for name in ("first", "second", "piped"))
    assert fstmetrics("pack", archive, first, "--symbols", table).status == 0
    again = fstmetrics("pack", file, second, "--symbols", table)
    assert (again.status, again.err) == (0, f"{second}: 2 lattices\n")
    assert fstmetrics("pack", "-", piped, "--symbols", table, stdin=file.read_bytes()).status == 0
    assert first.read_bytes() == second.read_bytes() == piped.read_bytes() != file.read_bytes()
    ref = written(tmp_path / "ref.txt", "u1 the cat\nu2 a dog\n")
    for command in (("oracle", ref), ("score", ref), ("best",), ("mbr",)):
        wanted, found = (fstmetrics(*command, path, "--symbols", table) for path in (archive, file))
        assert wanted.status == 0
        assert found.out.replace(file.name, archive.name) == wanted.out
        assert "cat" in wanted.out or command[0] in ("oracle", "score")


def test_packed_numbers_that_a_symbol_table_lacks(numbers: tuple[Path, Path, Path], tmp_path: Path) -> None:
    _, file, table = numbers
    table.write_text(TABLE.replace("dog 7\n", "dog 8\n"))
    refused = fstmetrics("best", file, "--symbols", table)
    assert refused.status == 2
    assert f"{file}: lattice 'u2': label 7 is not in the symbol table {table}\n" in refused.err


def test_packed_words_leave_no_room_for_a_symbol_table(
    numbers: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    archive, _, table = numbers
    words = tmp_path / "words.packed"
    assert fstmetrics("pack", archive, words, "--symbols", table).status == 0
    for command in (("pack", words, tmp_path / "o.packed"), ("best", words)):
        refused = fstmetrics(*command, "--symbols", table)
        told = "names words by numbers, and the format packed has its words in the file; leave --symbols out"
        assert (refused.status, refused.err) == (2, f"fstmetrics: {table}: {told}\n")
    # Numbers of words that are written.
    numbered = fstmetrics("convert", words, tmp_path / "o.ark", "--to", "kaldi-lattice", "--symbols", table)
    assert numbered.status == 0
