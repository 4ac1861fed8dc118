"""Damaged and wrong files: every one of them gives an InputError that names the place."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest
from command import written
from error_cases import Message, says
from faulty_files import BINARY, CASES, LATTICE4
from hostile import mutated

from fstmetrics.io import FORMATS, ReadOptions, Source, Stream, open_stream, read_items
from fstmetrics.io.file_format import recognise
from fstmetrics.io.written_words import read_symbols
from fstmetrics.support.errors import InputError


@pytest.mark.parametrize(
    ("format", "data", "message"), CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)]
)
def test_a_damaged_file_is_refused_with_the_place(format: str, data: bytes, message: Message) -> None:
    with pytest.raises(InputError) as caught:
        list(FORMATS[format].read(Source("f", data), ReadOptions()))
    assert says(str(caught.value), message)
    assert str(caught.value).startswith("f:")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("kaldi-lattice", "k\n0 1 8\n1\n\n"),
        ("kaldi-lattice", BINARY),
        ("att", "0 1 8\n1\n"),
        ("openfst", LATTICE4[2:]),
    ],
)
def test_a_label_that_the_symbol_table_lacks_is_refused(
    format: str, data: bytes | str, tmp_path: Path
) -> None:
    table = tmp_path / "words.txt"
    table.write_text("<eps> 0\nx 1\n")
    raw = data.encode() if isinstance(data, str) else data
    with pytest.raises(InputError, match=r"f:.*label [78] is not in the symbol table .*words\.txt"):
        list(FORMATS[format].read(Source("f", raw), ReadOptions(symbols=str(table))))


@pytest.mark.parametrize(
    ("format", "data", "message"),
    [
        ("att", "0 1 1\n1 2 -5\n2\n", "f:2: label -5 is negative"),
        ("att", "0 1 1\n1 2 x\n2\n", "f:2: label 'x' is a word, but the first of the file is an integer"),
        ("att", "0 1 x\n1 2 1\n2\n", "f:2: label '1' is an integer, but the first of the file is a word"),
        ("kaldi-lattice", "k\n0 1 1\n1 2 -5\n2\n\n", "f:3: label -5 is negative"),
        ("kaldi-lattice", "k\n0 1 1\n1 2 foo 1,2,\n2\n\n", "f:3: label 'foo' is a word"),
        ("kaldi-lattice", "e\n\nk\n0 1 1\n1\n\nm\n0 1 foo\n1\n\n", "f:8: label 'foo' is a word"),
        ("kaldi-lattice", "k\n0 1 x\n1\n\nm\n0 1 -1\n1\n\n", "f:6: label '-1' is an integer"),
        ("kaldi-text", "u1\nu2 1\nu3 1 -5\n", "f:3: label -5 is negative"),
        ("kaldi-text", "u1 1 x\n", "f:1: label 'x' is a word"),
        ("kaldi-text", "u1 x\nu2 1\n", "f:2: label '1' is an integer"),
    ],
)
def test_integers_are_looked_up_or_refused(format: str, data: str, message: str, tmp_path: Path) -> None:
    """No label is a word by the way, because another one is; the same where lattices are read one by one."""
    table = written(tmp_path / "words.txt", "<eps> 0\nx 1\n")
    with pytest.raises(InputError) as caught:
        list(FORMATS[format].read(Source("f", data.encode()), ReadOptions(symbols=str(table))))
    assert str(caught.value).startswith(message)
    path = written(tmp_path / "f", data)
    stream = open_stream(str(path), format, ReadOptions(str(table)))
    assert isinstance(stream, Stream) == (format == "kaldi-lattice")
    if isinstance(stream, Stream):
        with pytest.raises(InputError, match=re.escape(message)):
            _ = [item.value.item() for item in stream]


@pytest.mark.parametrize(
    ("format", "data"), [("att", "0 1 5\n1 2 -5\n2\n"), ("kaldi-lattice", "k\n0 1 5\n1 2 -5\n2\n\n")]
)
def test_negative_labels_are_refused_without_a_table_too(format: str, data: str) -> None:
    with pytest.raises(InputError, match=r"f:[23]: label -5 is negative"):
        list(FORMATS[format].read(Source("f", data.encode()), ReadOptions()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<eps> 0\na one\n", ":2: 'one' is not an integer"),
        ("<eps> 0\na 1\nb 1\n", ":3: integer 1 is given twice, first in line 2"),
        ("<eps> 0\na b 1\n", ":2: a symbol table line is `word integer`"),
    ],
)
def test_a_damaged_symbol_table_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_symbols(path)
    assert message in str(caught.value)
    path.write_text("<eps> 0\r\na 1\n\nb 2\n")
    assert read_symbols(path) == {0: "<eps>", 1: "a", 2: "b"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "a.bin",
            bytes(range(256)),
            "byte 0: neither text (byte 0x00) nor a format that is recognised; convert it, or say with",
        ),
        ("a.txt", b"caf\xe9\n", "byte 3: not UTF-8"),
        ("a.slf", b"", "is empty"),
        ("a.ark", b"", "is empty"),
        ("a.json", b"", "is empty"),
        ("a.fst", b"", "is empty"),
        (
            "a.lat",
            b"# getcwd: .\n# -logbase 1.0001e+00\n#\nFrames 195\n#\n",
            "no line `Edges",
        ),
        ("lat.scp", b"u1 /data/lat.1.ark:12\n", "Kaldi script file: it names other files"),
        ("a.gz", b"\x1f\x8b\x08\x00", "damaged gzip"),
    ],
)
def test_a_file_of_no_known_content_is_named(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_items(tmp_path / name)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_files_and_formats_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_items(tmp_path / "none")
    (tmp_path / "a.att").write_text("0 1 1\n1\n")
    with pytest.raises(InputError, match="none: cannot be read"):
        read_items(tmp_path, symbols="none")
    with pytest.raises(InputError, match="unknown format 'fst'; did you mean openfst"):
        read_items(tmp_path, format="fst")


def small_files(shared: Path) -> list[tuple[str, bytes]]:
    """Real files, the long ones cut to a size that can be read a thousand times."""

    def content(path: str, size: int | None = None) -> bytes:
        data = (shared / path).read_bytes()
        return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data)[:size]

    binary = content("asr-kaldi-weather/mono/lat.1.gz")
    text = content("asr-kaldi-weather/mono/lat.txt.gz").split(b"\n\n")
    return [
        ("slf", content("asr-theanolm/lattice.slf")),
        ("slf", content("asr-pocketsphinx/cards-005.slf.gz")),
        ("kaldi-lattice", content("asr-theanolm/lattice.lat") + b"\n"),
        ("kaldi-lattice", b"\n\n".join(text[:2]) + b"\n\n"),
        ("kaldi-lattice", binary[: binary.index(b"weather001_003")]),
        ("openfst", content("expected-fstalign/oracle_1.hyp.fst")),
        ("openfst", LATTICE4[2:]),
        ("att", b"0 1 a 1\n0 1 b 2.5\n1 2 1 3e2\n2 0.5\n"),
        ("nbest", content("mt-moses/mert.extractor-txt/nbest.1.gz", 3000)),
        ("network", content("synthetic-networks/networks/single-000.json.gz", 20000)),
        ("kaldi-text", content("asr-pocketsphinx/ref.txt")),
    ]


def test_a_changed_file_is_read_or_refused(shared: Path) -> None:
    dice = random.Random(20)
    options = ReadOptions()
    read = failed = 0
    for format, data in small_files(shared):
        for _ in range(250):
            source = Source("f", mutated(data, dice))
            for chosen in (FORMATS[format], None):
                try:
                    read += sum(1 for _ in (chosen or recognise(source, options)).read(source, options))
                except InputError:
                    failed += 1
    # Both must happen often, or the loop tests nothing.
    assert read > 1000
    assert failed > 1000
