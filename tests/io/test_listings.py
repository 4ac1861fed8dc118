"""Files whose items are found first and read later: the same items, and the same errors, as of files read at once."""

from __future__ import annotations

import gzip
import random
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from command import written
from small_paths import same
from written import far, machines

import fstmetrics as fm
from fstmetrics.io import Deferred, Item, Items, Stream, open_stream, read_items, window
from fstmetrics.io.formats.openfst_binary import machine
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering
from fstmetrics.support.errors import FstmetricsError

WORDS = ["a", "b", "the", "naïve", "x|y", "a\u00a0b", "'"]
Random = random.Random


def words(draw: Random, least: int = 0) -> str:
    return " ".join(draw.choices(WORDS, k=draw.randint(least, 4)))


def nbest(draw: Random) -> list[str]:
    """Lists by number or name, in any order, sometimes with their lines apart, or with spaces about the id."""
    ids = draw.choice(
        [["0", "1", "2", "3"], ["2", "0", "1"], ["u 1", "u", "u|2", "ü"], ["7", "0"], ["1", "x"]]
    )
    lines = []
    for id in ids:
        for _ in range(draw.randint(1, 4)):
            pad = " " * (draw.random() < 0.1)
            lines.append(f"{pad}{id}{pad} ||| {words(draw)} ||| f=1 ||| {draw.randint(-9, 0)}")
    if draw.random() < 0.1:
        draw.shuffle(lines)
    return lines


def nbest_kaldi(draw: Random) -> list[str]:
    ids = draw.sample(["u", "u1", "u10", "ü", "u-1"], 3)
    return [f"{id} {words(draw)}".rstrip() for id in ids for _ in range(draw.randint(1, 3))]


def plf(draw: Random) -> list[str]:
    scale: Callable[[], float] = draw.choice([lambda: -draw.random(), draw.random, lambda: 0])
    lines = []
    for _ in range(draw.randint(1, 6)):
        nodes = (
            "".join(f"('{draw.choice('abc')}',{scale()!r},1)," for _ in range(draw.randint(1, 3)))
            for _ in range(draw.randint(1, 3))
        )
        lines.append("" if draw.random() < 0.1 else "(" + "".join(f"({node})," for node in nodes) + ")")
    return lines


def moses_graph(draw: Random) -> list[str]:
    ids = draw.choice([["0", "1", "2"], ["1", "0"], ["5", "7"], ["10", "1", "0"]])
    lines = []
    for id in ids:
        lines.append(f"{id} hyp=0 stack=0")
        for hypothesis in range(1, draw.randint(2, 4)):
            lines.append(
                f"{id} hyp={hypothesis} stack=1 back=0 score=-1 transition=-{draw.randint(1, 9)} "
                f"forward=-1 fscore=-2 covered=0-0 out={words(draw, 1)}"
            )
    return lines


def moses_cn(draw: Random) -> list[str]:
    lines = []
    for _ in range(draw.randint(1, 4)):
        lines += [f"a|N 0.{draw.randint(1, 9)} *EPS* 0.5" for _ in range(draw.randint(1, 3))]
        lines.append(draw.choice(["", "", " \t"]))
    return lines


FORMATS = {
    "nbest": nbest,
    "nbest-kaldi": nbest_kaldi,
    "plf": plf,
    "plf-unscored": plf,
    "moses-graph": moses_graph,
    "moses-cn": moses_cn,
}


def damaged(draw: Random, lines: list[str]) -> list[str]:
    """The same with one line spoilt, doubled, left out or emptied."""
    at = draw.randrange(len(lines))
    line = lines[at]
    cut = draw.randint(0, len(line))
    instead = draw.choice(
        [[line[:cut] + "\ud800" + line[cut:]], [line[:cut]], [line, line], [], [""], ["?"], ["7 7"]]
    )
    return [*lines[:at], *instead, *lines[at + 1 :]]


def found(path: Path, format: str | None, known: frozenset[str], listed: bool) -> list[Item] | str:
    """The items, or the error."""
    try:
        stream = open_stream(str(path), format) if listed else None
        if stream is None:  # to be read at once, as it is
            return list(read_items(path, format=format, known_ids=known).items)
        items = stream.knowing(known).items if isinstance(stream, Items) else stream
        return [read(item) for item in items]
    except FstmetricsError as error:
        return str(error)


def read(item: Item) -> Item:
    return item.value.item() if isinstance(item.value, Deferred) else item


def check(path: Path, format: str | None, known: frozenset[str] = frozenset()) -> bool:
    """Whether the file can be read; if so, both ways are the same."""
    at_once, listed = found(path, format, known, False), found(path, format, known, True)
    if isinstance(at_once, str) or isinstance(listed, str):
        # Advice on other encodings looks at more of a file than a piece has.
        assert str(at_once).partition("); ")[0] == str(listed).partition("); ")[0]
        return False
    assert len(at_once) == len(listed)
    assert all(map(same, at_once, listed))
    return True


@pytest.mark.parametrize("format", FORMATS)
def test_items_are_those_of_files_read_at_once(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = Random(format)
    good = 0
    for number in range(150):
        lines = FORMATS[format](draw)
        if number % 3 == 0:
            lines = damaged(draw, lines)
        text = draw.choice(["\n", "\n", "\r\n"]).join(lines) + "\n"
        if number % 7 == 1 and number % 3:  # of two faults, the ways may find another one first
            text = text[:-1]
        data = draw.choice([b"", b"", b"\xef\xbb\xbf"]) + text.encode(errors="surrogatepass")
        path = written(tmp_path / "x", gzip.compress(data) if number % 5 == 0 else data)
        monkeypatch.setattr(window, "BLOCK", draw.choice([1, 7, 64, 1 << 20]))
        known = draw.choice([frozenset[str](), frozenset({"0", "u"})])
        good += check(path, format, known)
    assert 80 < good < 150


def test_totals_of_a_list_read_later(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "a ||| q ||| ||| -1\nb ||| q ||| ||| -2\nb ||| r ||| ||| \n")
    assert not check(path, None)
    assert "x:3: this hypothesis of 'b' has no total" in str(found(path, None, frozenset(), True))


def test_a_file_that_changes_meanwhile(tmp_path: Path) -> None:
    path = written(tmp_path / "x", "u ||| a\nu ||| b\nv ||| a\n")
    stream = open_stream(str(path))
    assert stream is not None
    first, second = stream
    path.write_text("u ||| a\n")
    for item in (first, second):
        with pytest.raises(FstmetricsError, match="x: has changed while it was being read"):
            read(item)


@pytest.mark.parametrize("block", [1, 50, 1 << 20])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("kind", ["sttable", "stlist"])
def test_archives_of_machines(
    kind: str, compressed: bool, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", block)
    for count in (0, 1, 7):
        data = far(kind, machines(count))
        path = written(tmp_path / "x.far", gzip.compress(data) if compressed else data)
        assert check(path, None)
        assert isinstance(open_stream(str(path)), Items if kind == "sttable" else Stream)


@pytest.mark.parametrize("kind", ["sttable", "stlist"])
def test_the_table_of_the_first_machine_serves_for_all(kind: str, tmp_path: Path) -> None:
    """Whichever is read first: a run that is gone on with does not begin at the beginning."""
    (key, with_table), *_ = machines(1)
    without = machine(
        fm.Lattice.from_arcs([(0, 1, "b0"), (1, 2, "a")], finals=[2]),
        WriteOptions(Numbering({"<eps>": 0, "a": 1, "b0": 2})),
    )
    other = struct.pack("<i", 1) + b"v"
    path = written(tmp_path / "x.far", far(kind, [(key, with_table), (other, without)]))
    assert check(path, None)
    stream = open_stream(str(path))
    assert stream is not None
    *_, last = stream
    assert set(read(last).value.symbols.words) == {"", "a", "b0"}


def test_damaged_archives_of_machines(tmp_path: Path) -> None:
    """Whatever is damaged, at once and item by item it is refused, or both give the same."""
    draw = Random(5)
    refused = 0
    for _ in range(300):
        data = bytearray(far(draw.choice(["sttable", "stlist"]), machines(3)))
        if draw.random() < 0.3:
            del data[draw.randrange(len(data)) :]
        else:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path = written(tmp_path / "x.far", bytes(data))
        at_once, listed = (found(path, "far", frozenset(), way) for way in (False, True))
        assert isinstance(at_once, str) == isinstance(listed, str), (at_once, listed)
        if not isinstance(at_once, str):
            assert all(map(same, at_once, listed))
        refused += isinstance(at_once, str)
    assert 50 < refused < 290


@pytest.mark.parametrize(
    "name",
    [
        "mt-joshua/example.nbest.out.srilm.gz",
        "mt-moses/mert.extractor-txt/nbest.1.gz",
        "mt-moses/mert.extractor-txt/nbest.2.gz",
        "mt-cdec/compound-split.examples.de.out.plf",
        "mt-joshua/test.plf",
        "mt-moses/phrase.lattice.mem/to-translate.txt",
        "mt-moses/phrase.lattice-surface/to-translate.txt",
        "mt-moses/phrase.confusionNet-surface-only.mem/to-translate.txt",
    ],
)
@pytest.mark.parametrize("block", [100, 1 << 20])
def test_real_lists_read_later_are_those_read_at_once(
    name: str, block: int, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window, "BLOCK", block)
    format = "moses-cn" if "confusionNet" in name else None
    assert isinstance(open_stream(str(shared / name), format), Items)
    assert check(shared / name, format)


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Before Python 3.11.5 `(?:ab?c)*+` matches all of "aca"; `(?>(?:ab?c)*)` does not (CPython issue 106052)."""
    assert re.match("(?>(?:ab?c)*)", "aca")[0] == "ac"  # type: ignore[index]
    for path in Path(fm.__file__).parent.rglob("*.py"):
        assert not re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", path.read_text("utf-8")), path
