"""gzip with the fastest inflater, one member or several, against Python's own module."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fstmetrics.support import file_bytes
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import Gunzipped, gunzipped
from fstmetrics.support.source import File

WORDS = [f"w{number}" for number in range(300)]


def text(random_numbers: random.Random, lines: int) -> bytes:
    """Lines that shrink to about a third."""
    return "".join(" ".join(random_numbers.choices(WORDS, k=12)) + "\n" for _ in range(lines)).encode()


def packed(content: bytes, members: int) -> bytes:
    """gzip of some members of like size."""
    size = -(-len(content) // members)
    return b"".join(gzip.compress(content[at : at + size], 6, mtime=0) for at in range(0, len(content), size))


def by_python(data: bytes) -> bytes | str:
    """What Python's module makes of gzip: its content, or what is wrong."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read()
    except file_bytes.DAMAGE as error:
        return str(error)


def streamed(data: bytes) -> bytes | str:
    """What `Gunzipped` makes of it, of all that comes before the damage too."""
    with Gunzipped(io.BufferedReader(io.BytesIO(data)), "x.gz") as stream:  # type: ignore[arg-type]
        try:
            return b"".join(iter(lambda: stream.read1(5000), b""))
        except file_bytes.DAMAGE as error:
            return str(error)


def at_once(data: bytes) -> bytes | str:
    try:
        return gunzipped(data)
    except InputError as error:
        return str(error)


@pytest.fixture(params=["isal", "zlib"])
def inflater(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reader of gzip in turn."""
    if request.param == "isal":
        pytest.importorskip("isal", reason="python-isal has no wheel here")
    else:
        monkeypatch.setattr(file_bytes, "quick_reader", lambda: (gzip.GzipFile, zlib.error))


def files() -> Iterator[tuple[str, bytes]]:
    numbers = random.Random(7)
    content = text(numbers, 6000)
    for members in (1, 2, 30, 700):
        yield f"{members} members", packed(content, members)
    yield "members of zeros", packed(content, 5) + bytes(700)
    yield "zeros between", packed(content[:9000], 3) + bytes(60) + packed(content, 3)
    yield "gzip of gzip", gzip.compress(packed(content, 40), 1) + packed(content, 4)
    yield "small, then large", packed(content[:9000], 9) + packed(content, 1) + packed(content[:9000], 9)
    yield "nothing", gzip.compress(b"")
    yield "nothing at the end", packed(content, 12) + gzip.compress(b"")
    yield "stored", gzip.compress(numbers.randbytes(50_000), 0)


FILES = dict(files())


@pytest.mark.usefixtures("inflater")
@pytest.mark.parametrize("read", [at_once, streamed])
@pytest.mark.parametrize("name", FILES)
def test_content_is_that_of_python(name: str, read: Callable[[bytes], bytes | str]) -> None:
    assert read(FILES[name]) == gzip.decompress(FILES[name])


@pytest.mark.usefixtures("inflater")
def test_damage_is_what_python_finds() -> None:
    """Cut off, followed by something else, or with bytes changed: content or message as of Python's modules."""
    numbers = random.Random(3)
    for case in range(150):
        data = bytearray(FILES[numbers.choice(["1 members", "30 members", "700 members", "stored"])])
        kind = case % 3
        if kind == 0:
            del data[numbers.randrange(len(data)) :]
        elif kind == 1:
            data += numbers.choice([b"left over", b"\x1f\x8b", b"\x1f\x8b\x08\x00", bytes(9) + b"x"])
        else:
            data[numbers.randrange(len(data))] ^= 1 << numbers.randrange(8)
        expected = by_python(bytes(data))
        assert streamed(bytes(data)) == expected
        assert at_once(bytes(data)) == told(expected)


@pytest.mark.usefixtures("inflater")
@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("name", ["nothing at the end", "2 members"])
def test_flags_of_headers_are_as_python_has_them(name: str, bit: int) -> None:
    """Of the first member and of the last."""
    for begin in (0, FILES[name].rindex(b"\x1f\x8b\x08")):
        data = bytearray(FILES[name])
        data[begin + 3] ^= 1 << bit
        assert at_once(bytes(data)) == told(by_python(bytes(data)))
        assert streamed(bytes(data)) == by_python(bytes(data))


def told(found: bytes | str) -> bytes | str:
    """Content, or damage as a file is refused for it."""
    return f"damaged gzip: {found}" if isinstance(found, str) else found


@pytest.mark.usefixtures("inflater")
def test_places_in_a_file(tmp_path: Path) -> None:
    """Any place may be read, forwards and backwards."""
    content = gzip.decompress(FILES["small, then large"])
    path = tmp_path / "x.gz"
    path.write_bytes(FILES["small, then large"])
    numbers = random.Random(5)
    with File(str(path)).opened() as stream:
        assert isinstance(stream, Gunzipped)
        for _ in range(20):
            begin, size = numbers.randrange(len(content)), numbers.randrange(20_000)
            stream.seek(begin)
            assert stream.tell() == begin
            assert stream.read(size) == content[begin : begin + size]
        assert stream.seek(0, 2) == len(content)
        assert stream.read1(10) == b""


@pytest.mark.usefixtures("inflater")
def test_a_stream_is_left_and_gone_back_in(tmp_path: Path) -> None:
    """At any place of one member of several pieces."""
    content = text(random.Random(1), 40_000)
    path = tmp_path / "x.gz"
    path.write_bytes(packed(content, 1))
    for read in (10_000, 1 << 20, 2 << 20):
        with File(str(path)).opened() as stream:
            assert stream.read(read) == content[:read]
            stream.seek(0)
            assert stream.read(read) == content[:read]
            assert stream.read(50) == content[read : read + 50]
