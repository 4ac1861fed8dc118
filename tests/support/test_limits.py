"""Limits on inputs: each refuses with its name, what was found and the option, and each can be raised."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written
from time_limits import joined
from written import Drawn, kaldi_binary

import fstmetrics as fm
from fstmetrics.io import FORMATS, Stream, open_stream, read_items
from fstmetrics.io.items import read_within_limits
from fstmetrics.support.limits import DEFAULTS, NAMES, SIZES, Limits, limits, memory_there_is, parsed_limit

LATTICE = "u1\n0 1 a 1,2,\n1 2 b 1,2,\n2\n\n"
NETWORK = {"S": {"phrases": ["a [A]", "b"]}, "A": {"phrases": ["c [B]"]}, "B": {"phrases": ["d"]}}


def network_file(cards: dict[str, object], root: str = "S") -> str:
    return json.dumps({"format": "fstmetrics-network/1", "root": root, "cards": cards})


# A file, its content, the limit it is beyond, and what the message says of it.
BEYOND: list[tuple[str, bytes | str, str, int, str]] = [
    ("x.ark", LATTICE, "arcs", 1, "lattice 'u1' has 2 arcs"),
    ("x.ark", LATTICE, "states", 2, "lattice 'u1' has 3 states"),
    ("x.ark", LATTICE, "bytes", 10, f"holds {len(LATTICE)} bytes or more"),
    ("x.ark", LATTICE, "label", 1, "an id has 2 bytes ('u1'...)"),
    ("x.ark", LATTICE.replace("u1", "u").replace("a", "é"), "label", 1, "a word of lattice 'u' has 2 bytes ('é'...)"),
    ("x.ark", kaldi_binary("u1", Drawn([(0, 1, "a", 1.0, 2.0)], {1: (0.0, 0.0)}), {"a": 7, "": 0}), "states", 1,
     "lattice 'u1' has 2 states"),
    ("x.slf", "N=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n", "states", 1, "lattice 'x' has 2 states"),
    ("x.fst.txt", "0 1 a\n0 1 b\n1\n", "arcs", 1, "lattice 'x' has 2 arcs"),
    ("x.json", network_file(NETWORK), "nesting", 2, "network 'x' has cards that call one another 3 deep"),
    ("x.json", network_file(NETWORK), "arcs", 5, "network 'x' has 6 arcs"),
    ("x.json", network_file(NETWORK), "states", 7, "network 'x' has 8 states"),
    ("x.cards", "[S]: a [A]\n[A]: [B] c\n[B]: d\n", "nesting", 2, "cards that call one another 3 deep"),
    ("x.trn", "{ a / { b / { c / @ } } } (id-1)\n", "nesting", 2, "sentence 'id-1' has choices nested 3 deep"),
    ("x.trn", "{ a / b } (id-1)\n", "arcs", 3, "sentence 'id-1' has 4 arcs"),
    ("x.trn", "a b (id-1)\n", "arcs", 1, "sentence 'id-1' has 2 words"),
    ("x.txt", "a b c\n", "arcs", 2, "sentence has 3 words"),
    ("x.ark", LATTICE.replace("u1", "u{"), "arcs", 1, "lattice 'u{' has 2 arcs"),
    ("x.ark", LATTICE.replace("u1", "{}"), "label", 1, "an id has 2 bytes ('{}'...)"),
    ("x.txt", "a bcde\n", "label", 3, "has 4 bytes ('bcde'...)"),
    ("x.nbest", "a b\nc\n", "arcs", 2, "n-best list 'x' has 3 words"),
    ("x.nbest", "a bcd\nc\n", "label", 2, "a word of n-best list 'x' has 3 bytes ('bcd'...)"),
    ("x.ctm", "f 1 0.0 0.5 abc\nf 1 0.5 0.5 b\n", "arcs", 1, "channel 'f' has 2 words"),
    ("x.ctm", "f 1 0.0 0.5 abcd\n", "label", 3, "a word of channel 'f' has 4 bytes ('abcd'...)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "limit", "value", "said"), BEYOND)
def test_beyond_a_limit(
    name: str, content: bytes | str, limit: str, value: int, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path / name, content)
    read_items(path)
    with fm.limited(**{limit: value}), pytest.raises(fm.InputError) as caught:
        read_items(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert f"{said}, the limit is {value}; --max {limit}=N changes it" in str(caught.value)
    read_items(path)  # the old limits are back


def test_every_limit_is_tested() -> None:
    assert {limit for _, _, limit, _, _ in BEYOND} | {"expansion", "ratio", *SEARCHES} == set(NAMES)


# Of a search, by the limit: a route that has it.
SEARCHES = {"cells": "topological", "nodes": "best-first"}


@pytest.mark.parametrize("limit", SEARCHES)
def test_a_search_beyond_its_limit_names_what_raises_it(limit: str, tmp_path: Path) -> None:
    """Their messages name what raises the limit on the command line and in Python, and it does."""
    ref, hyp, route = written(tmp_path / "r", "a b c\n"), written(tmp_path / "h", "x y z\n"), SEARCHES[limit]
    command = ("hyter", str(ref), str(hyp), "--route", route)
    refused = fstmetrics(*command, "--max", f"{limit}=3")
    assert refused.status == 2
    assert f"raise max_{limit} (--max {limit}=N, or SearchOptions in Python)" in refused.err
    assert fstmetrics(*command, "--max", f"{limit}=2e9").out == fstmetrics(*command).out
    with fm.limited(**{limit: 3}):
        with pytest.raises(fm.SearchError, match=rf"3.* raise max_{limit} "):
            fm.align("x y z", "a b c", options=fm.SearchOptions(route=route))
        asked = fm.SearchOptions(route, **{f"max_{limit}": 10**30})  # beyond what the engine counts in
        assert fm.align("x y z", "a b c", options=asked).edits == 3


@pytest.mark.parametrize(
    "command", ["oracle", "score", "compare", "convert", "network info", "grammar try", "demo"]
)
def test_help_has_the_names_and_defaults(command: str) -> None:
    said = " ".join(fstmetrics(*command.split(), "--help", "all").out.split())
    assert ", ".join(f"{name}={getattr(DEFAULTS, name)}" for name in NAMES) in said


def test_at_a_limit_is_within(tmp_path: Path) -> None:
    path = written(tmp_path / "x.ark", LATTICE)
    with fm.limited(arcs=2, states=3, bytes=len(LATTICE), label=2):
        assert len(read_items(path).items) == 1


def test_expansion() -> None:
    cards = {"S": {"phrases": ["[A] [A]"]}, "A": {"phrases": ["a b", "c"]}}
    network = fm.Network.from_json(network_file(cards))
    characters = fm.Normalisation(unit="char")
    with (
        fm.limited(expansion=3),
        pytest.raises(fm.InputError, match=r"arcs written out, the limit is 3; --max expansion=N"),
    ):
        fm.align("a b c", network, normalisation=characters)
    assert fm.align("a b c", network, normalisation=characters).edits == 0
    with fm.limited(expansion=3):  # searched lazily instead, with the same answer
        assert fm.align("a b c", network).edits == 0
        with pytest.raises(fm.SearchError, match=r"max_expanded_arcs"):
            fm.align("a b c", network, options=fm.SearchOptions(route="topological"))


def test_limits_hold_for_threads() -> None:
    seen: list[Limits] = []
    with fm.limited(arcs=7):
        thread = threading.Thread(target=lambda: seen.append(limits()))
        thread.start()
        joined(thread)
    assert seen[0].arcs == 7
    assert limits() == DEFAULTS


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_blocks_of_limits_end_in_any_order(order: tuple[str, ...]) -> None:
    changes = {"a": {"arcs": 7, "states": 70}, "b": {"arcs": 8, "label": 80}, "c": {"arcs": 9}}
    blocks = {name: fm.limited(**change) for name, change in changes.items()}
    for block in blocks.values():
        block.__enter__()
    for ended in order:
        blocks.pop(ended).__exit__(None, None, None)
        expected = DEFAULTS
        for name in blocks:  # the later decides, limit by limit
            expected = replace(expected, **changes[name])
        assert limits() == expected


def test_limits_of_threads_that_overlap_do_not_stay() -> None:
    def work(number: int) -> None:
        for step in range(200):
            with (
                fm.limited(arcs=1000 * number + step + 1),
                pytest.raises(fm.FstmetricsError),
                fm.limited(arcs=0),
            ):
                pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert limits() == DEFAULTS


@pytest.mark.parametrize("value", [0, -1, 1.5, "7", None, True, 2**62 + 1, math.nan])
def test_a_limit_is_a_whole_number(value: object) -> None:
    with pytest.raises(fm.FstmetricsError, match="the limit arcs is"), fm.limited(arcs=value):  # type: ignore[arg-type]
        pass


def test_a_small_file_that_unpacks_to_a_large_one(tmp_path: Path) -> None:
    bomb = written(tmp_path / "bomb.gz", gzip.compress(bytes(60_000_000)))
    assert bomb.stat().st_size < 100_000
    tracemalloc.start()
    with fm.limited(bytes=1_000_000), pytest.raises(fm.InputError, match=r"holds 1000001 bytes or more"):
        read_items(bomb)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Kaldi archive of 0.3 MB that is 256 MiB large."""
    path = tmp_path_factory.mktemp("bomb") / "bomb.ark.gz"
    spaces = gzip.compress(b" " * (16 << 20))
    return written(path, gzip.compress(LATTICE.encode()) + spaces * 16)


def read_one_by_one(path: Path) -> None:
    stream = open_stream(str(path))
    assert isinstance(stream, Stream)
    for item in stream:
        item.value.item()


@pytest.mark.parametrize("read", [read_items, read_one_by_one])
def test_gzip_that_is_too_dense(read: Callable[[Path], object], bomb: Path) -> None:
    tracemalloc.start()
    with pytest.raises(fm.InputError) as caught:
        read(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert str(caught.value).startswith(
        f"{bomb}: gzip of {bomb.stat().st_size} bytes unpacks to more than 100 times as many, the limit is 100; "
        "--max ratio=N changes it"
    )
    assert peak < 400 << 20  # the 128 MiB that are harmless, put together from their parts twice


def test_a_dense_file_that_is_wanted(bomb: Path) -> None:
    with fm.limited(ratio=1100):
        assert [item.id for item in read_items(bomb).items] == ["u1"]


def test_too_dense_through_a_pipe(bomb: Path) -> None:
    with bomb.open("rb") as stream:
        command = [sys.executable, "-m", "fstmetrics", "score", "-", str(bomb)]
        ran = subprocess.run(command, stdin=stream, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "unpacks to more than 100 times as many" in ran.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts memory as Linux does")
def test_a_file_beyond_the_memory_is_named(bomb: Path) -> None:
    program = f"""if True:
        import resource, fstmetrics as fm
        from fstmetrics.io import read_items
        pages = int(open("/proc/self/statm").read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (100 << 20),) * 2)
        try:
            with fm.limited(ratio=1100):
                read_items({str(bomb)!r})
        except fm.InputError as error:
            print(error)
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == (
        f"{bomb}: does not fit into the memory that is left; --max bytes=N refuses such files at once\n"
    )


def test_gzip_in_several_members(tmp_path: Path) -> None:
    path = written(
        tmp_path / "x.txt.gz", gzip.compress(b"a\n" * 900) + gzip.compress(b"b\n" * 900) + bytes(512)
    )
    assert [item.value for item in read_items(path).items] == [("a",)] * 900 + [("b",)] * 900
    with fm.limited(bytes=2000), pytest.raises(fm.InputError, match="holds 2001 bytes or more"):
        read_items(path)
    written(path, gzip.compress(b"a\n") + b"left over")
    with pytest.raises(fm.InputError, match="damaged gzip"):
        read_items(path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /dev/zero")
def test_a_device_without_end() -> None:
    with (
        fm.limited(bytes=3_000_000),
        pytest.raises(fm.InputError, match=r"/dev/zero: holds \d+ bytes or more"),
    ):
        read_items("/dev/zero")


def test_on_the_command_line(tmp_path: Path) -> None:
    path, reference = written(tmp_path / "x.ark", LATTICE), written(tmp_path / "ref.txt", "u1 a\n")
    command = ("oracle", str(reference), str(path))
    assert fstmetrics(*command, "--max", "arcs=2", "--max", "states=3e0").status == 0
    refused = fstmetrics(*command, "--max", "arcs=1")
    assert refused.status == 2
    assert "2 arcs, the limit is 1; --max arcs=N changes it" in refused.err
    assert fstmetrics(*command).status == 0
    assert "--max NAME=NUMBER" in fstmetrics("score", "--help", "limits").out


@pytest.mark.parametrize(
    "value", ["arcs", "arcs=", "arcs=0", "arcs=-1", "arcs=1.5", "arcs=nan", "arcs=1e99", "x=3", "arcs=²"]
)
def test_limits_that_are_none(value: str) -> None:
    with pytest.raises(fm.FstmetricsError):
        parsed_limit(value)
    outcome = fstmetrics("demo", "--max", value)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "--max" in outcome.err


def test_limits_of_no_use() -> None:
    with pytest.raises(fm.FstmetricsError, match="the limit arcs is 0"):
        fm.Limits(arcs=0)
    with pytest.raises(fm.FstmetricsError, match="no limit is called 'colour'"), fm.limited(colour=3):
        pass


def test_every_format_is_read_within_limits() -> None:
    """Formats cannot be made without the check."""
    assert all(format.read.func is read_within_limits for format in FORMATS.values())  # type: ignore[attr-defined]


def test_a_large_lattice_within_the_limits(tmp_path: Path) -> None:
    size = 50_000
    words = [f"w{i % 1000}" for i in range(size)]
    states = np.arange(size)
    lattice = fm.Lattice.from_arrays(states, states + 1, words, finals=[size], id="x")
    text = "".join(f"{i} {i + 1} {word}\n" for i, word in enumerate(words)) + f"{size}\n"
    read = fm.Lattice.read(written(tmp_path / "x.att", text))
    assert (read.num_arcs, read.best_path().words) == (lattice.num_arcs, lattice.best_path().words)


def test_defaults_follow_the_memory() -> None:
    assert Limits.fitting(2**40) == Limits()
    small = Limits.fitting(2**30)
    assert (small.states, small.arcs, small.cells, small.nesting) == (2**24, 2**30 // 200, 2**25, 10_000)
    assert Limits.fitting(1) == replace(small, **dict.fromkeys(SIZES, 1))


def test_the_memory_is_what_the_process_may_have() -> None:
    """A limit of the shell stands in for one of a container, which only its administrator can set."""
    script = "import fstmetrics as fm; from fstmetrics.support.limits import *; print(memory_there_is(), limits().arcs)"
    most = 3 * 2**30
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most})); {script}"
    found = subprocess.run([sys.executable, "-c", limit], capture_output=True, text=True, check=True).stdout
    assert found.split() == [str(most), str(most // 200)]
    assert memory_there_is() > 2**20
