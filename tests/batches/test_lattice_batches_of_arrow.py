"""Lattices, networks and n-best lists in batches: packed, in bytes, or by their places in archives."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from command import HYTER, ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.batches import merge, scorer
from fstmetrics.io.archive_index import places_of, read_place
from fstmetrics.io.items import ReadOptions
from fstmetrics.support.errors import FstmetricsError, InputError

pa = pytest.importorskip("pyarrow")

TEXT = "u1\n0 1 a 1,2,\n0 1 b 2,1,\n1 2 c 0,1,\n2 0,0,\n\nu2\n0 1 2 1,2,\n1 2 0 0,0,\n2 0,0,\n\n"


@pytest.fixture(scope="module")
def references() -> dict[str, str]:
    lines = Path(ORACLE[0]).read_text().splitlines()
    return {id: text for id, _, text in (line.partition(" ") for line in lines)}


@pytest.fixture
def packed(tmp_path: Path) -> Any:
    """A table of the packed lattices of the examples."""
    assert fstmetrics("pack", ORACLE[1], tmp_path / "lattices.packed").status == 0
    return pa.ipc.open_file(str(tmp_path / "lattices.packed")).read_all()


def structures(table: Any) -> Any:
    """The lattices of a packed file as one column."""
    return table.to_struct_array().combine_chunks()


def with_references(column: Any, ids: list[str], references: dict[str, str]) -> Any:
    texts = [references.get(id) for id in ids]
    return pa.record_batch([pa.array(ids), column, pa.array(texts)], names=["id", "hypothesis", "reference"])


def records_of_oracle(tmp_path: Path, *options: str) -> list[str]:
    out = tmp_path / "records.jsonl"
    outcome = fstmetrics("oracle", *ORACLE, "--output", out, *options)
    assert outcome.status == 0, outcome.err
    return out.read_text().splitlines()


def test_packed_lattices_have_the_records_of_the_command(
    tmp_path: Path, packed: Any, references: dict[str, str]
) -> None:
    ids = packed["id"].to_pylist()
    given = with_references(structures(packed), ids, references)
    expected = records_of_oracle(tmp_path, "--alignment")
    found = scorer(oracle=True, words=True, records=True)(given)
    by_id = dict(zip(ids, found.column("record").to_pylist(), strict=True))
    assert [by_id[json.loads(line)["id"]] for line in expected] == expected
    for row, line in zip(found.to_pylist(), map(json.loads, (by_id[id] for id in ids)), strict=True):
        assert (row["edits"], row["arcs"]) == (line["edits"], line["arcs"])
        assert row["one_best_edits"] == line["one_best"]["edits"]
        assert row["one_best_hypothesis"] == line["one_best"]["hypothesis"]


def test_slices_nulls_and_words_without_a_dictionary_are_the_same_lattices(
    packed: Any, references: dict[str, str]
) -> None:
    ids = packed["id"].to_pylist()
    given = with_references(structures(packed), ids, references)
    expected = scorer(words=True)(given)
    for begin in range(len(ids)):
        assert scorer(words=True)(given.slice(begin, 2)).equals(expected.slice(begin, 2))
    plain = packed.set_column(
        packed.schema.get_field_index("words"),
        "words",
        pa.chunked_array([packed["words"].combine_chunks().cast(pa.list_(pa.string()))]),
    )
    assert scorer(words=True)(with_references(structures(plain), ids, references)).equals(expected)
    column = structures(packed).take(pa.array([0, None, 2]))
    found = scorer(words=True)(with_references(column, ids[:3], references)).to_pylist()
    assert found[1]["fault"] == "hypothesis is null"
    assert [found[0], found[2]] == [expected.to_pylist()[0], expected.to_pylist()[2]]


def test_a_damaged_lattice_is_a_fault_and_a_later_version_is_refused(
    packed: Any, references: dict[str, str]
) -> None:
    ids = packed["id"].to_pylist()
    expected = scorer()(with_references(structures(packed), ids, references)).to_pylist()
    starts = [-5, *packed["start"].to_pylist()[1:]]
    place = packed.schema.get_field_index("start")
    damaged = packed.set_column(place, "start", pa.array(starts, pa.int32()))
    found = scorer()(with_references(structures(damaged), ids, references)).to_pylist()
    assert "packed lattices that cannot be read" in found[0]["fault"]
    assert found[1:] == expected[1:]
    later = packed.append_column("colour", pa.array(["red"] * len(ids)))
    with pytest.raises(FstmetricsError, match="packed lattices of version 1 have other fields: colour"):
        scorer()(with_references(structures(later), ids, references))
    given = with_references(structures(packed), ids, references)
    for metadata in ({"fstmetrics.lattices": "2"}, {"fstmetrics.lattices": "x"}):
        with pytest.raises(FstmetricsError, match="packed lattices of version"):
            scorer()(given.replace_schema_metadata(metadata))


def index_of(*paths: Path) -> list[dict[str, Any]]:
    """What the command writes."""
    outcome = fstmetrics("index", *paths)
    assert outcome.status == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]


def test_an_index_leads_to_every_lattice_of_text_and_binary_archives(tmp_path: Path) -> None:
    lattices = fm.Lattice.read_all(ORACLE[1])
    for kind, symbols in (("kaldi-lattice-text", False), ("kaldi-lattice", True)):
        archive, table = tmp_path / f"{kind}.ark", tmp_path / f"{kind}.words"
        options = ["--write-symbols", str(table)] if symbols else []
        outcome = fstmetrics("convert", ORACLE[1], archive, "--to", kind, "--lossy", *options)
        assert outcome.status == 0, outcome.err
        rows = index_of(archive)
        assert [row["id"] for row in rows] == [lattice.id for lattice in lattices]
        begin = 0
        for row in rows:  # nothing lies between them
            assert row["offset"] == begin
            begin += row["length"]
        assert begin == archive.stat().st_size
        whole = fm.Lattice.read_all(archive, symbols=table if symbols else None)
        read = ReadOptions(str(table) if symbols else None)
        for row, lattice in zip(places_of(str(archive)), whole, strict=True):
            found = read_place(row, read).value
            assert (found.num_states, found.num_arcs) == (lattice.num_states, lattice.num_arcs)
            assert found.one_best().words == lattice.one_best().words


def test_references_into_archives_are_scored_as_the_archive_is(
    tmp_path: Path, references: dict[str, str]
) -> None:
    archive = tmp_path / "lattices.ark"
    outcome = fstmetrics("convert", ORACLE[1], archive, "--to", "kaldi-lattice-text", "--lossy")
    assert outcome.status == 0, outcome.err
    rows = index_of(archive)
    ids = [row["id"] for row in rows]
    out = tmp_path / "records.jsonl"
    assert fstmetrics("oracle", ORACLE[0], archive, "--output", out).status == 0
    expected = {json.loads(line)["id"]: line for line in out.read_text().splitlines()}
    for kept in (list(rows[0]), ["path", "offset", "length"]):
        column = pa.array([{name: row[name] for name in kept} for row in rows])
        found = scorer(oracle=True, records=True)(with_references(column, ids, references))
        assert dict(zip(ids, found.column("record").to_pylist(), strict=True)) == expected


def test_an_archive_that_has_changed_is_a_fault_of_the_rows_that_changed(tmp_path: Path) -> None:
    archive = written(tmp_path / "lattices.txt", TEXT)
    rows = index_of(archive)
    column = pa.array(rows)
    given = with_references(column, ["u1", "u2"], {"u1": "a c", "u2": "2"})
    assert [row["edits"] for row in scorer()(given).to_pylist()] == [0, 1]
    archive.write_text(TEXT.replace("a 1,2", "x 1,2", 1))
    changed, same = scorer()(given).to_pylist()
    assert "has changed: the checksum of the item at offset 0 differs" in changed["fault"]
    assert same["edits"] == 1
    archive.write_text(TEXT[:-20])
    same, changed = scorer()(given).to_pylist()
    assert same["edits"] == 0
    assert "has changed: " in changed["fault"]
    archive.unlink()
    assert all("cannot be read" in row["fault"] for row in scorer()(given).to_pylist())


def test_labels_of_a_lattice_are_read_as_those_of_its_archive(tmp_path: Path) -> None:
    """Alone, the second lattice would look as if its labels were integers, of which 0 is no word."""
    archive = written(tmp_path / "lattices.txt", TEXT)
    words = [lattice.one_best().words for lattice in fm.Lattice.read_all(archive)]
    assert words[1] == ("2", "0")
    assert [read_place(place).value.one_best().words for place in places_of(str(archive))] == words


def test_n_best_lists_have_an_index(tmp_path: Path) -> None:
    text = "u1 ||| a b ||| -1\nu1 ||| a ||| -2\nu2 ||| c ||| -1\n"
    archive = written(tmp_path / "lists.txt", text)
    rows = index_of(archive)
    assert [(row["id"], row["offset"], row["length"]) for row in rows] == [("u1", 0, 34), ("u2", 34, 16)]
    given = with_references(pa.array(rows), ["u1", "u2"], {"u1": "a", "u2": "c"})
    found = scorer(oracle=True)(given).to_pylist()
    assert [(row["edits"], row["one_best_edits"]) for row in found] == [(0, 1), (0, 0)]
    archive.write_text(text + "u1 ||| d ||| -3\n")
    outcome = fstmetrics("index", archive)
    assert outcome.status == 2
    assert "'u1' again, and not in one place" in outcome.err


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"a b c\n", "this is text or unknown"), (b"", "this is text or unknown"), (b"#JSGF", "an index is of")],
)
def test_what_has_no_index_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    outcome = fstmetrics("index", path)
    assert outcome.status == 2
    assert message in outcome.err


def test_a_compressed_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lattices.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    outcome = fstmetrics("index", path)
    assert (outcome.status, "is compressed" in outcome.err) == (2, True)
    given = with_references(pa.array([{"path": str(path), "offset": 0, "length": 9}]), ["u1"], {"u1": "a"})
    (row,) = scorer()(given).to_pylist()
    assert "is compressed" in row["fault"]


def test_an_id_that_comes_twice_has_no_index(tmp_path: Path) -> None:
    path = written(tmp_path / "lattices.txt", TEXT.replace("u2", "u1"))
    with pytest.raises(InputError, match="id 'u1' comes twice"):
        list(places_of(str(path)))


def test_archives_by_url(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    archive = written(tmp_path / "lattices.txt", TEXT)
    rows = index_of(archive)
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/batches/lattices.txt", TEXT.encode())
    for url in (f"file://{archive}", "memory://batches/lattices.txt"):
        column = pa.array([{**row, "path": url} for row in rows])
        found = scorer()(with_references(column, ["u1", "u2"], {"u1": "a c", "u2": "2 0"})).to_pylist()
        assert [(row["edits"], row["fault"]) for row in found] == [(0, None), (0, None)]
    gone = pa.array([{**rows[0], "path": "memory://batches/none"}])
    (row,) = scorer()(with_references(gone, ["u1"], {"u1": "a"})).to_pylist()
    assert "memory://batches/none: cannot be read" in row["fault"]


def test_networks_in_bytes_are_references(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    folder, texts = map(Path, HYTER)
    assert fstmetrics("hyter", folder, texts, "--window", "3", "--output", out).status == 0
    expected = [json.loads(line) for line in out.read_text().splitlines()]
    said = dict(line.split(None, 1) for line in texts.read_text().splitlines())
    networks = {path.stem: path.read_bytes() for path in sorted(folder.iterdir())}
    assert set(networks) == set(said)
    ids = list(networks)
    column = pa.array([{"format": "network", "data": networks[id]} for id in ids])
    given = pa.record_batch(
        [pa.array(ids), pa.array([said[id] for id in ids]), column], names=["id", "hypothesis", "reference"]
    )
    results = scorer(fm.HyTER(window=3), records=True)(given)
    found = {row["id"]: row for row in results.to_pylist()}
    for record in expected:
        row = found[record["id"]]
        assert (row["edits"], row["moves"], row["fault"]) == (record["edits"], record["moves"], None)
        assert json.loads(row["record"])["signature"] == record["signature"]
    assert "|refs:network|" in results.schema.metadata[b"fstmetrics.signature"].decode()


SLF = b"VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n"


@pytest.mark.parametrize(
    "row",
    [
        {"format": "slf", "data": SLF},
        {"format": "kaldi-text", "data": b"u1 a\n"},
        {"format": "nbest", "data": b"u ||| a\n"},
    ],
)
def test_references_in_bytes_are_networks(row: dict[str, Any]) -> None:
    """Of others the signature would say what they are not."""
    columns = [pa.array(["u1"]), pa.array(["a"]), pa.array([row])]
    (found,) = scorer()(pa.record_batch(columns, ["id", "hypothesis", "reference"])).to_pylist()
    assert found["fault"].startswith(f"reference is {row['format']}, and expected is a network: lattices")
    assert found["edits"] is None


@pytest.mark.parametrize("kind", ["kaldi-lattice", "packed"])
def test_places_as_references_have_the_signature_of_the_command(
    kind: str, tmp_path: Path, references: dict[str, str]
) -> None:
    archive, out, index = tmp_path / "l", tmp_path / "out", tmp_path / "index"
    if kind == "packed":
        assert fstmetrics("pack", ORACLE[1], archive).status == 0
    else:
        assert fstmetrics("convert", ORACLE[1], archive, "--to", "kaldi-lattice-text", "--lossy").status == 0
    assert fstmetrics("score", archive, ORACLE[0], "--output", out).status == 0
    assert fstmetrics("index", archive, "--output", index).status == 0
    places = [json.loads(line) for line in index.read_text().splitlines()]
    ids = [place.pop("id") for place in places]
    columns = [pa.array(ids), pa.array([references[id] for id in ids]), pa.array(places)]
    given = pa.record_batch(columns, ["id", "hypothesis", "reference"])
    expected = {record["id"]: record for record in map(json.loads, out.read_text().splitlines())}
    for row in scorer(records=True)(given).to_pylist():
        assert json.loads(row["record"]) == expected[row["id"]]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"format": "slf", "data": b"VERSION=1.0\nN="}, "hypothesis"),
        ({"format": "nonsense", "data": b"a"}, "nonsense"),
        ({"format": "k2", "data": b""}, "is empty"),
        ({"format": "k2", "data": b" \n"}, "is empty"),
        ({"format": "nlp", "data": b""}, "expected the head"),
        ({"path": "a\0b", "offset": 0, "length": 3}, "a path has no null byte"),
        ({"format": "slf", "data": None}, "data of hypothesis is null"),
        ({"format": "nbest", "data": b"a ||| x\nb ||| y\n"}, "expected one item, found 2"),
    ],
)
def test_bytes_that_are_no_item_are_a_fault(row: dict[str, Any], fault: str) -> None:
    given = with_references(pa.array([row]), ["u1"], {"u1": "a"})
    (found,) = scorer()(given).to_pylist()
    assert fault in found["fault"]
    assert found["edits"] is None


def test_another_structure_is_refused() -> None:
    given = with_references(pa.array([{"colour": "red"}]), ["u1"], {"u1": "a"})
    with pytest.raises(FstmetricsError, match="found a structure of colour"):
        scorer()(given)


def test_sums_of_lattices_are_the_same_in_any_order(packed: Any, references: dict[str, str]) -> None:
    ids = packed["id"].to_pylist()
    given = with_references(structures(packed), ids, references)
    score = scorer(oracle=True, records=True)
    expected = merge([score(given)]).to_bytes()
    parts = [score(given.take(pa.array([n]))) for n in (2, 0, 3, 1)]
    assert merge(parts).to_bytes() == expected


def test_packed_lattices_that_were_in_parquet_are_the_same(
    tmp_path: Path, packed: Any, references: dict[str, str]
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    given = with_references(structures(packed), packed["id"].to_pylist(), references)
    parquet.write_table(pa.Table.from_batches([given]), tmp_path / "lattices.parquet")
    again = parquet.read_table(tmp_path / "lattices.parquet")
    assert scorer(words=True)(again).equals(scorer(words=True)(given))
