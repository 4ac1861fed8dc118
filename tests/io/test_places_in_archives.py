"""Items of packed lattices and of FARs by their places: what the whole file has, or one line where it has changed."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
import written as written_files
from command import ORACLE, fstmetrics, written
from written import far, machines

import fstmetrics as fm
from fstmetrics.data.lattice import Lattice
from fstmetrics.io import reading
from fstmetrics.io.archive_index import places_of, read_place
from fstmetrics.io.formats import packed_lattices
from fstmetrics.io.formats.openfst_binary import machine
from fstmetrics.io.items import IndexedPlace, ReadOptions
from fstmetrics.io.writing import Numbering, WriteOptions
from fstmetrics.support.errors import InputError


def same(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices have the same id, arcs, words and costs."""
    first, second = (
        (each.id, each.num_states, each.one_best().words, sorted(written_files.rows(each)[1]))
        for each in (one, other)
    )
    return first == second


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several batches, each with words of its own."""
    monkeypatch.setattr(packed_lattices, "BATCH_SIZE", 1)
    path = tmp_path / "lattices.packed"
    assert fstmetrics("convert", ORACLE[1], path, "--lossy").status == 0
    return path


def assert_as_whole(path: Path, symbols: str | None = None) -> list[IndexedPlace]:
    """Every item by its place, in any order, is that of the whole file; gives the places."""
    whole = reading.read_items(path, symbols=symbols).items
    places = list(places_of(str(path), symbols=symbols))
    assert [place.id for place in places] == [item.id for item in whole]
    order = list(zip(places, whole, strict=True))
    random.Random(2).shuffle(order)
    for place, item in order:
        assert same(read_place(place, ReadOptions(symbols)).value, item.value)
    return places


def test_packed_lattices_are_found_in_files_of_many_batches(packed: Path) -> None:
    places = assert_as_whole(packed)
    assert len({place.offset for place in places}) == len(places)


def test_packed_lattices_of_one_batch_lie_in_one_place(tmp_path: Path) -> None:
    path = tmp_path / "lattices.packed"
    assert fstmetrics("pack", ORACLE[1], path).status == 0
    places = assert_as_whole(path)
    assert len({(place.offset, place.length, place.checksum) for place in places}) == 1


@pytest.mark.parametrize("kind", ["sttable", "stlist"])
@pytest.mark.parametrize("count", [1, 2, 9])
def test_machines_of_archives_are_found(tmp_path: Path, kind: str, count: int) -> None:
    path = tmp_path / "a.far"
    path.write_bytes(far(kind, machines(count)))
    assert_as_whole(path)


@pytest.mark.parametrize("kind", ["sttable", "stlist"])
def test_the_symbol_table_of_the_first_machine_names_the_words_of_all(tmp_path: Path, kind: str) -> None:
    """Alone, the second machine has only numbers."""
    numbers = Numbering({"<eps>": 0, "a": 1, "b0": 2})
    lattice = fm.Lattice.from_arcs([(0, 1, "b0"), (1, 2, "a")], finals=[2])
    without = machine(lattice, WriteOptions(numbers))
    path = tmp_path / "a.far"
    path.write_bytes(far(kind, [*machines(1), (b"\x01\0\0\0v", without)]))
    [_, place] = assert_as_whole(path)
    assert read_place(place).value.one_best().words == ("b0", "a")
    with pytest.raises(InputError, match="items of far need the column `settled`"):
        read_place(replace(place, settled=None))
    table = written(tmp_path / "words.txt", "<eps> 0\na 1\nb0 2\n")
    assert read_place(place, ReadOptions(str(table))).value.one_best().words == ("b0", "a")
    other = written(tmp_path / "other.txt", "<eps> 0\nx 1\ny 2\n")
    with pytest.raises(InputError, match="label 1 is 'a' in the file's own symbol table and 'x' in "):
        read_place(place, ReadOptions(str(other)))
    # Another first machine, of the same size: its words are others.
    path.write_bytes(path.read_bytes().replace(b"b0", b"c0"))
    with pytest.raises(InputError, match="has changed: the checksum"):
        read_place(place)


def test_packed_lattices_that_changed_are_told(packed: Path) -> None:
    first, *_, last = places_of(str(packed))
    data = packed.read_bytes()
    assert read_place(last).id == last.id
    with pytest.raises(InputError, match="expected the item 'other' at offset"):
        read_place(replace(last, id="other"))
    with pytest.raises(InputError, match="has no row 7 in the batch"):
        read_place(replace(last, settled=str(last.settled).replace("row 0", "row 7")))
    with pytest.raises(InputError, match="has changed: the batch at offset"):
        read_place(replace(last, checksum="0" * 16))
    with pytest.raises(InputError, match="has changed: its footer differs"):
        read_place(replace(last, offset=last.offset + 8))
    for settled in ("integers", "row -1 of 3 bytes, footer 0"):
        with pytest.raises(InputError, match="`settled` is not that of an index"):
            read_place(replace(last, settled=settled))
    damaged = bytearray(data)
    damaged[last.offset + last.length - 9] ^= 1
    packed.write_bytes(bytes(damaged))
    assert read_place(first).id == first.id
    with pytest.raises(InputError, match="checksum of the part"):
        read_place(last)
    packed.write_bytes(data + b" ")
    with pytest.raises(InputError, match="has changed: it has"):
        read_place(last)
    packed.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        read_place(last)


def test_words_that_another_lattice_brought_are_checked(packed: Path) -> None:
    """A file with the same batch and other words before it is another file, which its footer tells."""
    *_, last = places_of(str(packed))
    lattices = fm.Lattice.read_all(packed)
    words = lattices[0].symbols.words
    longest = max(words, key=len)
    data = packed.read_bytes().replace(longest.encode(), longest.swapcase().encode())
    assert len(data) == packed.stat().st_size
    packed.write_bytes(data)
    with pytest.raises(InputError, match="checksum of the part"):
        read_place(last)


@pytest.mark.parametrize("kind", ["packed", "sttable", "stlist"])
def test_damaged_archives_are_refused_or_have_the_same_items(tmp_path: Path, packed: Path, kind: str) -> None:
    draw = random.Random(7)
    whole = packed.read_bytes() if kind == "packed" else far(kind, machines(3))
    path = tmp_path / f"x.{'packed' if kind == 'packed' else 'far'}"
    refused, format = 0, kind if kind == "packed" else "far"
    for _ in range(60):
        data = bytearray(whole)
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(bytes(data))
        try:
            found = [read_place(place).value for place in places_of(str(path), format)]
            expected = [item.value for item in reading.read_items(path, format=format).items]
        except InputError:
            refused += 1
            continue
        assert len(found) == len(expected)
        assert all(map(same, found, expected))
    assert refused > 20


def test_packed_lattices_and_machines_by_url(packed: Path, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    archive = tmp_path / "a.far"
    archive.write_bytes(far("sttable", machines(3)))
    for path in (packed, archive):
        fsspec.filesystem("memory").pipe_file(f"/places/{path.name}", path.read_bytes())
        for url in (f"memory://places/{path.name}", f"file://{path}"):
            for place in places_of(str(path)):
                assert same(read_place(replace(place, path=url)).value, read_place(place).value)


def test_lattices_of_places_are_scored_as_the_archive_is(packed: Path, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from fstmetrics.batches import scorer

    outcome = fstmetrics("index", packed)
    assert outcome.status == 0, outcome.err
    rows = outcome.records
    out = tmp_path / "records.jsonl"
    assert fstmetrics("oracle", ORACLE[0], packed, "--output", out).status == 0
    texts = dict(line.split(None, 1) for line in Path(ORACLE[0]).read_text().splitlines())
    ids = [row["id"] for row in rows]
    batch = pa.record_batch(
        [pa.array(ids), pa.array(rows), pa.array([texts[id] for id in ids])],
        names=["id", "hypothesis", "reference"],
    )
    found = scorer(oracle=True, records=True)(batch)
    assert sorted(found.column("record").to_pylist()) == sorted(out.read_text().splitlines())
