"""Batches of lattices: what comes out of a column is what its items are one by one, however the file is cut."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from command import written
from long_runs import archive
from small_paths import same

import fstmetrics as fm
from fstmetrics import _native
from fstmetrics.io import read_items, window
from fstmetrics.io.blocks import Block, Item
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.formats.openfst_binary import LIST, TABLE_VERSION
from fstmetrics.io.items import Deferred, ReadOptions
from fstmetrics.io.reading import _file_blocks
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering
from fstmetrics.lattices.oracles import OracleSearch
from fstmetrics.metrics import as_metric
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import limited
from fstmetrics.support.source import UNKNOWN_ENCODING, File

KALDI = FORMATS["kaldi-lattice"]
ICONV = "convert it with iconv -f ENCODING -t utf-8"
SIZES = [1, 7, 64, 1000, 1 << 20]


def blocks(path: Path, symbols: Path | None = None) -> list[Block]:
    found = KALDI.blocks and KALDI.blocks(File(str(path)), ReadOptions(symbols=symbols and str(symbols)))
    assert found is not None
    return list(found)


def items(path: Path, symbols: Path | None = None) -> list[Item]:
    return [item for block in blocks(path, symbols) for item in block]


def answers(path: Path) -> list[tuple[str | None, str]]:
    """Ids, and what is wrong with each; "" where nothing is."""
    said = []
    for block in blocks(path):
        for place, id in enumerate(block.ids or ()):
            said.append((id, str(block.faults.get(place, ""))))
    return said


@pytest.mark.parametrize("size", SIZES)
def test_a_column_has_what_is_read_at_once(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows end in the middle of items, and items are larger than windows."""
    monkeypatch.setattr(window, "BLOCK", size)
    path = written(tmp_path / "lat", "\n \n" + archive([f"u-{i}" for i in range(20)], 3))
    found, expected = items(path), read_items(path).items
    assert len(found) == 20
    assert all(map(same, found, expected))


def test_real_archives(shared: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    for symbols in (None, folder / "words.txt"):
        path = folder / "mono" / "lat.txt.gz"
        assert all(map(same, items(path, symbols), read_items(path, symbols=symbols).items))


@pytest.mark.parametrize("size", SIZES)
def test_damaged_items_between_good_ones(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "BLOCK", size)
    lattices = {
        "a": b"0 1 the 1,2,\n1 0,0,\n",
        "state": b"0 x the 1,2,\n1 0,0,\n",
        "cost": b"0 1 the nan,2,\n1 0,0,\n",
        "utf8": b"0 1 \xff 1,2,\n1 0,0,\n",
        "zero": b"0 1 t\0e 1,2,\n1 0,0,\n",
        "open": b"0 1 the 1,2,\n",
        "far": b"0 4000000000 the 1,2,\n1 0,0,\n",
        "z": b"0 1 cat 1,2,\n1 0,0,\n",
    }
    data = b"".join(b"%s\n%s\n" % (key.encode(), lines) for key, lines in lattices.items())
    path = written(tmp_path / "lat", data)
    assert answers(path) == [
        ("a", ""),
        ("state", f"{path}:6: a state is a non-negative integer, not 'x'"),
        ("cost", f"{path}:10: a cost is a number or Infinity, not 'nan'"),
        (
            "utf8",
            f"{path}: byte {data.index(0xFF)}: not UTF-8 text (invalid start byte, byte 0xff); "
            f"{ICONV}{UNKNOWN_ENCODING}",
        ),
        ("zero", f"{path}: byte {data.index(0)}: not UTF-8 text (a zero byte); {ICONV}"),
        ("open", f"{path}:21: lattice 'open' has no final state: is it cut off?"),
        ("far", f"{path}:25: state 4000000000 is out of range: there are 2147483646 states at most"),
        ("z", ""),
    ]  # fmt: skip


def test_limits_name_the_lattice_and_the_option(tmp_path: Path) -> None:
    text = "a\n0 1 the 1,2,\n0 1 thee 1,2,\n1 2 cat 0,0,\n2\n\nlonger\n0 1 the 1,2,\n1\n\n"
    path = written(tmp_path / "lat", text)
    with limited(arcs=2):
        assert answers(path)[0] == (
            "a",
            f"{path}: lattice 'a' has 3 arcs, the limit is 2; --max arcs=N changes it",
        )
    with limited(states=2):
        assert answers(path)[0] == (
            "a",
            f"{path}: lattice 'a' has 3 states, the limit is 2; --max states=N changes it",
        )
    with limited(label=3):
        said = [message for _, message in answers(path)]
    assert (
        said[0]
        == f"{path}: a word of lattice 'a' has 4 bytes ('thee'...), the limit is 3; --max label=N changes it"
    )
    assert said[1] == f"{path}: an id has 6 bytes ('longer'...), the limit is 3; --max label=N changes it"


def test_absent_arcs_epsilons_and_gaps(tmp_path: Path) -> None:
    """What costs infinity is not there, words of none are no words, and wild numbers of states are closed up."""
    arcs = "0 7 only Infinity,0,\n0 1000 <eps> 1,2,\n0 1000 the 0,0,1_1_2\n1000 900000 the 0,0,\n"
    text = f"u\n{arcs}900000\n1000 inf,0,\n\n"
    (lattice,) = fm.Lattice.read_all(written(tmp_path / "lat", text))
    assert lattice.symbols.words == ("", "the")
    automaton = lattice.automaton
    assert (automaton.num_states, automaton.start) == (4, 0)
    assert automaton.sources.tolist() == [0, 0, 2]
    assert automaton.destinations.tolist() == [2, 2, 3]
    assert automaton.labels.tolist() == [0, 1, 1]
    assert automaton.arc_costs.tolist() == [[1, 2], [0, 0], [0, 0]]
    assert automaton.finals.tolist() == [3]
    assert lattice.times is not None
    assert lattice.times[0].tolist() == [0, 3, 0]


def test_one_vocabulary_serves_all_lattices(tmp_path: Path) -> None:
    path = written(tmp_path / "lat", archive(["u-1", "u-2"], 3))
    (block,) = blocks(path)
    column = block.values
    assert isinstance(column, _native.LatticeColumn)
    vocabulary = column.vocabulary
    known = {vocabulary[number] for number in range(len(vocabulary))}
    assert {word for lattice in column for word in lattice.symbols.words} <= known
    part = column[1:]
    assert (len(part), list(part.ids), part.vocabulary is vocabulary) == (1, ["u-2"], True)
    assert column[-1].id == "u-2"
    with pytest.raises(IndexError):
        column[2]


def test_what_is_damaged_is_raised_when_it_is_looked_at(tmp_path: Path) -> None:
    path = written(tmp_path / "lat", "u-1\n0 1 the 1,2,\n1\n\nu-2\n0 ? the 1,2,\n1\n\n")
    (block,) = blocks(path)
    assert block.values[0].num_arcs == 1
    with pytest.raises(InputError, match="lat:6: a state is"):
        block.values[1]
    assert not block.values.is_searchable
    assert block.values[:1].is_searchable


@pytest.mark.parametrize("scales", [{}, {"lm": 12.0}, {"acoustic": 0.1, "word_penalty": 2.0}])
def test_oracles_of_a_column_are_those_of_its_lattices(scales: dict[str, float], tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    words = ["the", "a", "cat", "<s>", "hat", "<eps>"]
    text = ""
    for number in range(40):
        arcs = [
            f"{i} {i + 1} {rng.choice(words)} {rng.random():.3f},{rng.random():.3f},1_2"
            for i in range(6)
            for _ in range(3)
        ]
        text += "\n".join([f"u-{number}", *arcs, "6 0.5,0,", "\n"])
    path = written(tmp_path / "lat", text)
    references = [" ".join(rng.choice(words[:3], 5)) for _ in range(40)]
    (block,) = blocks(path)
    search = OracleSearch(as_metric("wer"))
    found = search.of_columns(None, block.values, references, scales)
    weights = fm.Scales(**scales)
    for lattice, reference, result in zip(block.values, references, found, strict=True):
        alone = fm.oracle(lattice, reference, scales=weights)
        assert result == alone
        assert result.weights == alone.weights
        assert result.one_best is not None
        assert result.one_best.hypothesis == lattice.best_path(weights).words


def test_a_column_is_a_side_of_a_search(tmp_path: Path) -> None:
    path = written(tmp_path / "lat", archive(["u-1", "u-2"], 3))
    (block,) = blocks(path)
    references = ["the cat", "w1"]
    whole = fm.score(list(block.values), references)
    assert fm.score(block.values, references) == whole


def stored(folder: Path, format: str) -> bytes:
    """Lattices with costs, words beyond ASCII, and one without arcs, in a format with many."""
    lattices = [
        fm.Lattice.from_arrays(
            [0, 0, 1], [1, 1, 2], ["the", "naïve", word], finals=[2], costs=[(0.5, 2), (1, 0.25), (0, n)]
        )
        for n, word in enumerate(["cat", "日本", "<s>", "hat"])
    ]
    empty = fm.Lattice.from_arrays([], [], [], finals=[0], num_states=1)
    values = [*lattices[:3], empty, *lattices[3:]]
    path, symbols = folder / "archive", folder / "words.txt"
    words = ["<eps>", "the", "naïve", "cat", "日本", "<s>", "hat"]
    symbols.write_text("".join(f"{word} {n}\n" for n, word in enumerate(words)), encoding="utf-8")
    writer = next(each for each in FORMATS[format].writers if each.name == format)
    numbering = Numbering({word: number for number, word in enumerate(words)})
    pieces = writer.write(
        iter([Item(f"u-{n}", value) for n, value in enumerate(values)]), WriteOptions(numbering=numbering)
    )
    path.write_bytes(b"".join(pieces))
    return path.read_bytes()


def list_of(table: bytes) -> bytes:
    """The archive of type stlist with the entries of an sttable."""
    count = int.from_bytes(table[-8:], "little")
    return struct.pack("<ii", LIST, TABLE_VERSION) + table[8 : -8 * (count + 2)] + struct.pack("<i", 0)


def told(format: str, data: bytes, folder: Path, in_blocks: bool) -> list[tuple[str | None, object]]:
    """Ids with the lattices, or with what is wrong with them, of a file that may be damaged."""
    path = folder / "damaged"
    path.write_bytes(data)
    options = ReadOptions(symbols=None if format == "packed" else str(folder / "words.txt"))
    file = File(str(path))
    if not in_blocks:
        found = FORMATS[format].each(file, options)
    else:
        found = (item for block in _file_blocks(file, FORMATS[format], options) for item in block)
    said: list[tuple[str | None, object]] = []
    for item in found:
        try:
            value = item.given.item().given if isinstance(item.given, Deferred) else item.given
            said.append((item.id, value.as_dict() if hasattr(value, "as_dict") else describe(value)))
        except InputError as error:
            said.append((item.id, str(error)))
    return said


def describe(lattice: fm.Lattice) -> object:
    automaton = lattice.automaton
    columns = (
        automaton.sources,
        automaton.destinations,
        automaton.labels,
        automaton.arc_costs,
        automaton.final_costs,
    )
    return lattice.symbols.words, automaton.num_states, [column.tolist() for column in columns]


@pytest.mark.parametrize("format", ["kaldi-lattice", "far", "packed"])
@pytest.mark.parametrize("size", [7, 1 << 20])
def test_blocks_of_binary_files_are_their_items(
    format: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", size)
    data = stored(tmp_path, format)
    data = list_of(data) if format == "far" else data
    whole = told(format, data, tmp_path, True)
    assert [id for id, _ in whole] == [f"u-{n}" for n in range(5)]
    assert whole == told(format, data, tmp_path, False)
    assert not any(isinstance(value, str) for _, value in whole)
    step = 97 if format == "packed" else 11
    for end in range(1, len(data), step):
        assert told(format, data[:end], tmp_path, True) == told(format, data[:end], tmp_path, False), end
    for place in range(0, len(data), step):
        flipped = bytearray(data)
        flipped[place] ^= 0x41
        assert told(format, bytes(flipped), tmp_path, True) == told(
            format, bytes(flipped), tmp_path, False
        ), place


@pytest.mark.parametrize("format", ["kaldi-lattice", "far", "packed"])
@pytest.mark.parametrize("limit", [{"arcs": 2}, {"states": 2}, {"label": 2}])
def test_blocks_of_binary_files_are_held_to_limits(
    format: str, limit: dict[str, int], tmp_path: Path
) -> None:
    data = stored(tmp_path, format)
    data = list_of(data) if format == "far" else data
    with limited(**limit):
        found = told(format, data, tmp_path, True)
        assert found == told(format, data, tmp_path, False)
    assert any(isinstance(value, str) and "the limit is 2" in value for _, value in found)


def test_binary_archives_give_columns(tmp_path: Path) -> None:
    for format in ("kaldi-lattice", "far", "packed"):
        data = stored(tmp_path, format)
        path = tmp_path / "columns"
        path.write_bytes(list_of(data) if format == "far" else data)
        symbols = None if format == "packed" else str(tmp_path / "words.txt")
        blocks = FORMATS[format].blocks
        assert blocks is not None
        found = blocks(File(str(path)), ReadOptions(symbols=symbols))
        assert found is not None
        assert [(len(block), block.is_native) for block in found] == [(5, True)]


def test_lines_of_a_text_archive_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "BLOCK", 64)
    text = "\n \n" + archive([f"u-{i}" for i in range(9)], 3) + "\n\nlast\n0 x y z\n\n"
    path = written(tmp_path / "lat", text)
    line = text[: text.index("0 x y z")].count("\n") + 1
    assert answers(path)[-1] == ("last", next(said for _, said in answers(path) if said))
    assert f":{line}: " in answers(path)[-1][1]
