"""Damaged files through every reader of the registry: only an InputError comes out, soon, and it names the file.

What reads is scored, on either side, where only an FstmetricsError may come out. Longer runs: tests/fuzz/README.md.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from command import EXAMPLES
from hostile import CRASHERS, cached_samples, damaged, in_time
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.analysis.read_records import read_records
from fstmetrics.analysis.scored_runs import read_run
from fstmetrics.apps.proficiency.passage_features import read_labelled
from fstmetrics.grammars import library as grammar_files
from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.io.file_format import recognise
from fstmetrics.io.scores.score_files import read_scores
from fstmetrics.io.written_words import read_symbols

# Damaged files a format; FSTMETRICS_FUZZ=100000 is a long run.
RUNS = int(os.environ.get("FSTMETRICS_FUZZ", "60"))
NOTATIONS = (None, "sclite", "braces", "brackets")


def check(format: str, data: bytes, symbols: Path | None = None, alternations: str | None = None) -> None:
    """Read, recognise and score; anything that is not an FstmetricsError comes out."""
    source = Source(f"dir/x.{format}", data)
    options = ReadOptions(None if symbols is None else str(symbols), alternations=alternations)  # type: ignore[arg-type]
    with in_time():
        for read in (lambda: recognise(source, options), lambda: score(format, source, options)):
            message = refusal(read)
            assert message is None or message.startswith((source.path, str(symbols)))
            assert len(message or "") < 2000


def refusal(read: Callable[[], object]) -> str | None:
    """What an InputError says; None if there was none."""
    try:
        read()
    except fm.InputError as error:
        return str(error)
    return None


def score(format: str, source: Source, options: ReadOptions) -> None:
    for item in list(FORMATS[format].read(source, options))[:2]:
        for pair in (("a b", item.value), (item.value, "a b")):
            with suppress(fm.FstmetricsError):
                fm.align(*pair)


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("symbols") / "words.txt"
    path.write_text("<eps> 0\n" + "".join(f"w{i} {i}\n" for i in range(1, 50)))
    return path


@pytest.mark.parametrize("format", list(FORMATS))
def test_a_damaged_file_is_read_or_refused_by_name(format: str, symbols: Path) -> None:
    chance = random.Random(format)
    for number in range(RUNS):
        data = damaged(chance.choice(cached_samples()[format]), chance)
        try:
            check(format, data, symbols if number % 5 == 0 else None, NOTATIONS[number % 4])
        except BaseException:
            print(f"{format}: {data!r}", file=sys.stderr)
            raise


@pytest.mark.parametrize("format", list(FORMATS))
@given(
    data=st.binary(max_size=300)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@settings(max_examples=max(RUNS // 5, 1), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_read_or_refused_by_name(format: str, data: bytes) -> None:
    check(format, data)


GRAMMAR = b"title: t\nopen n: cardinal\nopen w: /[a-z]+/\nx {n} {w}! -> {w}{n} @ 0.5\na = b = c\n"
GLM = b';; comment\n* name "x"\n[can\'t] => [can not] / [ ] __ [ ]\na => b / [ ] __ [ ]\n'
RECORDS = (EXAMPLES / "records" / "hyter.jsonl").read_bytes()[:4000]
SCORES = b"".join((EXAMPLES / "correlate" / "scores.tsv").read_bytes().splitlines(keepends=True)[:20])
BLOCKS = b"A\t0.5\nA\tNone\nB\t-1\nB\t1e-3\n"
COMET = b'{"a.txt": [{"src": "x", "mt": "y", "COMET": 0.5}], "b.txt": [{"mt": "z", "COMET": 0.25}]}'
# What else is read from files: a function of a path, and a good file.
OTHERS: dict[str, tuple[Callable[[Path], object], bytes]] = {
    "symbols": (read_symbols, b"<eps> 0\na 1\nb -2\n"),
    "grammar": (grammar_files.read, GRAMMAR),
    "glm": (grammar_files.read, GLM),
    "synonyms": (grammar_files.read, b"car | auto\nbig | large thing\n"),
    "records": (lambda path: list(read_records(path)), RECORDS),
    "runs": (lambda path: read_run(Source.open(path), "s"), RECORDS),
    "scores": (lambda path: read_scores(str(path)), SCORES),
    "blocks": (lambda path: read_scores(str(path)), BLOCKS),
    "comet": (lambda path: read_scores(str(path)), COMET),
    "labelled": (read_labelled, b"id\tx\ty\tlevel\na\t0.5\t2\t1\nb\t1e3\t7\t2\n"),
}


@pytest.mark.parametrize("name", list(OTHERS))
def test_damaged_files_of_other_kinds(name: str, tmp_path: Path) -> None:
    """Symbol tables, grammars, records and tables of scores."""
    read, good = OTHERS[name]
    chance = random.Random(name)
    path = tmp_path / "x.txt"
    path.write_bytes(good)
    assert refusal(lambda: read(path)) is None
    for number in range(RUNS):
        data = damaged(good, chance)
        path = tmp_path / f"{number}.txt"
        path.write_bytes(data)
        try:
            with in_time(), suppress(fm.FstmetricsError):
                read(path)
        except BaseException:
            print(f"{name}: {data!r}", file=sys.stderr)
            raise


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.name)
def test_no_format_crashes_on_past_crashers(path: Path) -> None:
    """Inputs that once crashed a parser, each in every format."""
    data = path.read_bytes()
    for format in FORMATS:
        check(format, data)
    fm.align(data.decode("utf-8", "surrogateescape"), "a b")
