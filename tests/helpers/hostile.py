"""Small files in every format of the registry, and damage done to them."""

from __future__ import annotations

import ast
import random
import signal
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from command import EXAMPLES
from faulty_files import CASES
from places import DATA, HELPERS, TESTS

from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.io.file_format import recognise
from fstmetrics.support.errors import InputError

# Of a longer file the beginning is enough.
LONGEST = 2000
# What upsets parsers: numbers at the edge of their types, marks of one format or another, white space of all kinds.
PIECES = [
    *(b"\n", b"\r\n", b" ", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc2\x85", b"\xe2\x80\xa8", b"\xed\xa0\x80"),
    *(b"-1", b"0", b"nan", b"inf", b"-inf", b"1e400", b"2147483647", b"2147483648", b"9" * 19, b"9" * 30),
    *(b"{", b"}", b"/", b"@", b"[", b"]", b"\\", b"|||", b'"', b"'", b",", b"(", b")", b"((", b"=", b"#", b";", b";;"),
    *(b"<ALT_BEGIN>", b"<ALT>", b"<ALT_END>", b"null", b"{}", b"[]", b"\\ud800", b"\\u0000", b"\xc2\xb2"),
    *(b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", bytes(8)),
]  # fmt: skip


def samples() -> dict[str, list[bytes]]:
    """Small good and bad files by format; every format has at least an empty one."""
    found: dict[str, list[bytes]] = defaultdict(list)
    for folder in (EXAMPLES, DATA):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            source = Source.open(path)
            try:
                found[recognise(source, ReadOptions()).name].append(source.data[:LONGEST])
            except InputError:
                continue
    for name, data, _ in CASES:
        found[name].append(data)
    for data in written_in_tests():
        for name in FORMATS:
            if _reads(name, data):
                found[name].insert(0, data)
    others = sorted({data for pool in found.values() for data in pool[:2]})
    return {name: [b"", *found[name][:40], *others] for name in FORMATS}


def written_in_tests() -> list[bytes]:
    """What the tests of readers hold as strings: a format that is tested is fuzzed."""
    found: dict[bytes, None] = {}
    modules = [
        *(TESTS / "io").glob("test_reader*.py"),
        HELPERS / "small_files.py",
        HELPERS / "faulty_files.py",
    ]
    for path in sorted(modules):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            data = value.encode("utf-8", "replace") if isinstance(value, str) else value
            if isinstance(data, bytes) and (b"\n" in data or len(data) > 30):
                found[data[:LONGEST]] = None
    return list(found)


def _reads(format: str, data: bytes) -> bool:
    try:
        return any(True for _ in FORMATS[format].read(Source("x", data), ReadOptions()))
    except InputError:
        return False


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The content with one to four things done to it."""
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        data = chance.choice(
            [
                data[:at] + chance.choice(PIECES) + data[at:],  # something put in
                data[:at] + chance.choice(PIECES) + data[to:],  # or in the place of something else
                data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :],
                data[:at] + data[to:],
                data[:at] + data[at:to][:200] * 2 + data[to:],
                data[:to],
                _lines_swapped(data, chance),
            ]
        )
    return data


def _lines_swapped(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = (chance.randrange(len(lines)) for _ in range(2))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Some bytes changed, cut out, doubled or replaced by numbers that are likely to hurt."""
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5])):
        at = dice.randrange(len(changed) + 1)
        end = min(len(changed), at + dice.choice([1, 2, 8, 40]))
        kind = dice.randrange(5)
        if kind == 0:
            changed[at:end] = bytes(dice.randrange(256) for _ in range(end - at))
        elif kind == 1:
            changed[at:] = b""
        elif kind == 2:
            changed[at:end] = changed[at:end] * 2
        elif kind == 3:
            changed[at:end] = dice.choice(
                [b"", b" ", b"\n", b"99999999999", b"-1", b"nan", b"=", b"\xff\xff\xff\x7f"]
            )
        elif at < len(changed):
            changed[at] ^= 1 << dice.randrange(8)
    return bytes(changed)


CRASHERS = sorted((DATA / "crashers").iterdir())


SECONDS = 10


cached_samples = cache(samples)


@contextmanager
def in_time() -> Iterator[None]:
    """Stops what takes too long, in time of the processor, which does not pass while other programs run."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"took more than {SECONDS} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
