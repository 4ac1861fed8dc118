"""What is read item by item is what is read at once."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written
from long_runs import archive
from small_paths import same
from written import Drawn, kaldi_binary

import fstmetrics as fm
from fstmetrics.io import Deferred, Item, ReadOptions, open_stream, read_items, window
from fstmetrics.io.formats import kaldi_lattice
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limited


def streamed(path: Path, symbols: Path | None = None) -> list[Item]:
    """All items, read one by one."""
    stream = open_stream(str(path), None, ReadOptions(symbols and str(symbols)))
    assert stream is not None
    return [item.value.item() if isinstance(item.value, Deferred) else item for item in stream]


def check(path: Path, symbols: Path | None = None) -> int:
    at_once = read_items(path, symbols=symbols).items
    one_by_one = streamed(path, symbols)
    assert len(at_once) == len(one_by_one)
    assert all(map(same, at_once, one_by_one))
    return len(at_once)


BLOCKS = [1, 7, 64, 1000, 1 << 20]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("binary", [False, True])
def test_archives_are_read_in_blocks_of_any_size(
    binary: bool, compressed: bool, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", block)
    if binary:
        drawn = Drawn([(0, 1, "a", 1, 2), (1, 2, "b", 3, 4), (0, 2, "", 0, 5)], {2: (0, 1)})
        data = b"".join(kaldi_binary(f"u-{i}", drawn, {"a": 7, "b": i, "": 0}) for i in range(1, 20))
    else:
        text = archive([f"u-{i}" for i in range(20)], 1)
        data = ("\n \n" + text.replace("\n\nu-7", "\n\n\n \t\nu-7").replace("\nu-9\n", "\n  u-9 \n")).encode()
    path = written(tmp_path / "lat", gzip.compress(data) if compressed else data)
    assert check(path) == 19 + (not binary)


@pytest.mark.parametrize("ending", ["\n\n", "\n\r\n", "\n \n", "\n\n\n"])
def test_ends_of_text_archives(ending: str, tmp_path: Path) -> None:
    text = archive(["u-1", "u-2"], 3).rstrip("\n") + ending
    assert check(written(tmp_path / "lat", text)) == 2
    assert check(written(tmp_path / "bom", "\ufeff" + text)) == 2
    assert check(written(tmp_path / "crlf", text.replace("\n", "\r\n"))) == 2


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_last_lattice_that_is_whole_needs_no_blank_line(ending: str, tmp_path: Path) -> None:
    """TheanoLM's archives end so."""
    path = written(tmp_path / "lat", archive(["u-1", "u-2"], 3).rstrip("\n") + ending)
    assert check(path) == 2


def test_a_text_archive_without_its_last_line_end_is_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path / "lat", archive(["u-1", "u-2"], 3).rstrip("\n"))
    stream = open_stream(str(path))
    assert stream is not None
    first, second = stream
    assert first.value.item().id == "u-1"
    with pytest.raises(fm.InputError, match="lat:14: no blank line ends lattice 'u-2'"):
        second.value.item()


def test_folders_are_read_file_by_file() -> None:
    assert check(EXAMPLES / "oracle" / "lattices") == 4
    assert check(EXAMPLES / "hyter" / "networks") == 3


@pytest.mark.parametrize("words", [1, 30_000])
def test_small_networks_of_a_folder_are_read_once(
    words: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their ids are in them; large ones are let go until they are scored."""
    read: list[str] = []
    of_text = fm.Network.of_text

    def counted(text: str, id: str) -> fm.Network:
        read.append(id)
        return of_text(text, id)

    (tmp_path / "nets").mkdir()
    for id in ("a", "b", "c"):
        network = fm.Network([fm.Card.from_phrases("S", ["the " * words + id])], "S", id=id)
        written(tmp_path / "nets" / f"{id}.json", network.to_json())
    hypotheses = written(tmp_path / "hyp", "".join(f"{id} {'the ' * words}{id}\n" for id in "abc"))
    monkeypatch.setattr(fm.Network, "of_text", counted)
    assert fm.hyter_files(networks=tmp_path / "nets", hypotheses=hypotheses, format="kaldi-text").score == 0
    assert sorted(read) == sorted("abc" * (1 if words == 1 else 2))


@pytest.mark.parametrize("name", ["lat.1.gz", "lat.txt.gz"])
def test_real_archives_are_read_item_by_item(name: str, shared: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    assert check(folder / "mono" / name, folder / "words.txt") > 5
    assert check(folder / "mono" / name) > 5


@pytest.mark.parametrize("block", [50, 1 << 20])
@pytest.mark.parametrize("lost", [1, 20, 100, 250, 333, 400])
def test_damaged_archives_are_refused_at_the_same_place(
    lost: int, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", block)
    drawn = Drawn([(0, 1, "a", 1, 2), (1, 2, "b", 3, 4)], {2: (0, 1)})
    binary = b"".join(kaldi_binary(f"u-{i}", drawn, {"a": 7, "b": 8, "": 0}) for i in range(3))
    text = archive(["u-1", "u-2", "u-3"], 3).encode()
    for data in (
        binary[:-lost],
        text[:-lost],
        text[:200] + b"?" + text[200:],
        text.replace(b"a ", b"\xff ", 1),
    ):
        path = written(tmp_path / "lat", data)
        said = []
        for read in (read_items, streamed):
            try:
                read(path)
                said.append("")
            except FstmetricsError as error:
                said.append(str(error))
        assert said[0] == said[1]


def test_integers_and_words_in_one_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the beginning of a file they are words; far behind integers it would be too late, and with a table it is."""
    monkeypatch.setattr(kaldi_lattice, "BLOCK", 200)
    symbols = written(tmp_path / "words.txt", "<eps> 0\nfive 5\n")
    numbers, words = "u-1\n0 1 5 1,2,\n1\n\n", "u-2\n0 1 a 1,2,\n1\n\n"
    assert check(written(tmp_path / "near", numbers + words)) == 2
    with pytest.raises(
        FstmetricsError, match="near:6: label 'a' is a word, but the first of the file is an integer"
    ):
        check(tmp_path / "near", symbols)
    far = "".join(numbers.replace("u-1", f"v-{i}") for i in range(60)) + words
    with pytest.raises(FstmetricsError, match=r"far:241: lattice 'u-2' has words"):
        streamed(written(tmp_path / "far", far))
    with pytest.raises(FstmetricsError, match="far:242: label 'a' is a word"):
        streamed(tmp_path / "far", symbols)


@pytest.mark.parametrize("binary", [False, True])
def test_a_lattice_without_an_end_does_not_fill_the_memory(
    binary: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", 100)
    drawn = Drawn([(0, 1, "a", 1, 2), (1, 2, "b", 3, 4)], {2: (0, 1)})
    data = b"".join(kaldi_binary(f"u-{i}", drawn, {"a": 7, "b": 8, "": 0}) for i in range(100))
    place = data.index(b"u-1 ") - 4  # how many transition ids the last final state has
    damaged = data[:place] + b"\xff\xff\xff\x7f" + data[place + 4 :]
    text = b"u-1\n" + b"0 1 a 1,2,\n" * 5000
    path = written(tmp_path / "lat", damaged if binary else text)
    with limited(bytes=2000), pytest.raises(FstmetricsError) as caught:
        streamed(path)
    assert "an item whose end is not found takes" in str(caught.value)
    assert "--max bytes=N" in str(caught.value)


@pytest.mark.parametrize("kept", [5, 100, 150])
def test_what_cannot_be_read_in_a_folder_is_told(kept: int, tmp_path: Path) -> None:
    """A damaged gzip file, or a link that leads nowhere, is no file that may be left out."""
    machine = "0 1 a\n1\n"
    lattices = tmp_path / "lattices"
    lattices.mkdir()
    for id in ("u1", "u2"):
        (lattices / f"{id}.fst.txt.gz").write_bytes(gzip.compress(machine.encode(), 9, mtime=0))
    (tmp_path / "ref").write_text("u1 a\nu2 a\n")
    damaged = lattices / "u2.fst.txt.gz"
    damaged.write_bytes(gzip.compress(bytes(range(256)) * 40, mtime=0)[:kept])
    command = ("oracle", str(tmp_path / "ref"), str(lattices), "--missing", "skip")
    for further in ((), ("--format", "att")):
        outcome = fstmetrics(*command, *further)
        assert (outcome.status, outcome.out) == (2, "")
        assert outcome.err.startswith(f"fstmetrics: {damaged}: damaged gzip")
    outcome = fstmetrics(*command, "--keep-going")
    assert (outcome.status, "1 left out: not readable, or not scored because of an error" in outcome.out) == (
        1,
        True,
    )
    damaged.unlink()
    damaged.symlink_to(tmp_path / "nowhere")
    outcome = fstmetrics(*command)
    assert (outcome.status, outcome.err) == (
        2,
        f"fstmetrics: {damaged}: cannot be read: No such file or directory\n",
    )
