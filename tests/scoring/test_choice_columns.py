"""Columns of texts that leave choices, against the same items one by one."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics as command

import fstmetrics as fm
from fstmetrics._native import TextColumn
from fstmetrics.batches.parcels import carried, pairs_of
from fstmetrics.data.transcripts import NOTATIONS, Notation, Transcript, TranscriptColumn
from fstmetrics.engine.search import SearchOptions, search
from fstmetrics.io import FORMATS
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import ReadOptions
from fstmetrics.metrics.registry import as_metric
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.support.json_text import written_json
from fstmetrics.support.source import File

MARKS = {"sclite": "{/}", "braces": "{|}", "brackets": "[|]", "wildcards": "{/}"}
WORDS = [
    "a", "b", "c", "A", "B", "d-e", "f,", "\u00e9", "\u00c9", "<s>", "<S>", "<eps>", "NULL", "!NULL", "(q)", "(r", "uh",
    "\u0391\u03a3", "...", "\u4e2d\u6587",
]  # fmt: skip
OTHERS = ["\\{", "\\@", "\\/", "<*>", "(w)", "(W,)", "@", "\\<*>"]


def reference(rng: random.Random, marks: str, depth: int) -> str:
    """A text with choices within choices."""
    parts = []
    for _ in range(rng.randint(0, 5)):
        if depth and rng.random() < 0.3:
            ways = [reference(rng, marks, depth - 1) for _ in range(rng.randint(1, 3))]
            parts.append(f"{marks[0]} {f' {marks[1]} '.join(ways)} {marks[2]}")
        else:
            parts.append(rng.choice(WORDS + OTHERS))
    return rng.choice([" ", " ", "  ", "\u00a0"]).join(parts)


def references(rng: random.Random, notation: Notation, count: int) -> list[str]:
    """Texts of which some leave no choice."""
    return [reference(rng, MARKS[notation], rng.choice([0, 1, 3])) for _ in range(count)]


def column_of(texts: list[str], notation: Notation, tags: bool = False) -> TranscriptColumn:
    ids = TextColumn([f"u{n}" for n in range(len(texts))])
    column = TranscriptColumn.of(TextColumn(texts), notation, tags, ids)
    assert column is not None
    return column


def parsed(text: str, notation: Notation, tags: bool, id: str) -> Transcript | str:
    transcript = Transcript.parse(text, notation, tags=tags, id=id)
    return transcript if transcript.words is None else " ".join(transcript.words)


def same(value: object, other: object) -> bool:
    """Whether two values are equal texts or transcripts."""
    if isinstance(value, str) or not isinstance(other, Transcript):
        return value == other
    assert isinstance(value, Transcript)
    first, second = value.lattice, other.lattice
    return (
        (value.choices, value.depth, value.optional) == (other.choices, other.depth, other.optional)
        and (first.id, first.symbols.words) == (second.id, second.symbols.words)
        and pickle.dumps(first.automaton) == pickle.dumps(second.automaton)
    )


@pytest.mark.parametrize("notation", NOTATIONS)
def test_items_are_those_of_the_texts(notation: Notation) -> None:
    rng = random.Random(5)
    texts = references(rng, notation, 300)
    tags = notation == "sclite"
    column = column_of(texts, notation, tags)
    wanted = [parsed(text, notation, tags, f"u{n}") for n, text in enumerate(texts)]
    assert len(column) == len(wanted)
    assert all(map(same, column, wanted))
    assert all(map(same, column[100:50:-3], wanted[100:50:-3]))
    numbers = np.array([7, 3, -1, 7], dtype=np.int64)
    assert all(map(same, column.taken(numbers), [wanted[7], wanted[3], "", wanted[7]]))
    assert all(map(same, pickle.loads(pickle.dumps(column)), wanted))
    assert list(column.plain()) == [value for value in wanted if isinstance(value, str)]
    assert column.leaves_choices() == any(isinstance(value, Transcript) for value in wanted)
    assert [t.lattice.id for t in column.with_optional()] == [
        value.lattice.id for value in wanted if isinstance(value, Transcript) and value.optional
    ]


NORMALISATIONS = [
    fm.Normalisation(),
    fm.Normalisation(lowercase=True),
    fm.Normalisation(lowercase=True, remove_punctuation=True),
    fm.Normalisation(ignore=frozenset({"uh", "a"})),
    fm.Normalisation(tokenize="13a", unicode="nfkc"),
    fm.Normalisation(optional_words="word", lowercase=True),
    fm.Normalisation(optional_words="word"),
    fm.Normalisation(unit="char"),
    fm.Normalisation(unit="char-no-space", lowercase=True),
    fm.Normalisation(unit="mixed", optional_words="word"),
]


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("metric", ["wer", "sclite"])
def test_paths_are_those_of_the_items(notation: Notation, metric: str) -> None:
    rng = random.Random(6)
    for normalisation in NORMALISATIONS:
        if (metric, notation, normalisation.optional_words) == ("sclite", "sclite", "free"):
            continue  # refused: sclite has no such words
        texts = references(rng, notation, 150)
        if rng.random() < 0.5:
            texts = [text.replace("<*>", "a") for text in texts]
        column = column_of(texts, notation)
        said = [" ".join(rng.choices(WORDS, k=rng.randint(0, 6))) for _ in range(len(column))]
        has_wildcards = any("<*>" in text for text in column.texts)
        for nbest in (1,) if has_wildcards else (1, 3):
            of_column, of_items = (
                search(None, said, given, as_metric(metric), nbest, normalisation, SearchOptions())
                for given in (column, list(column))
            )
            assert [result.as_dict(True) for result in of_column] == [r.as_dict(True) for r in of_items]


def test_paths_of_hypotheses_are_those_of_the_items() -> None:
    rng = random.Random(10)
    for normalisation in NORMALISATIONS:
        column = column_of(
            [text.replace("\\<*>", "").replace("<*>", "") for text in references(rng, "sclite", 150)],
            "sclite",
        )
        right = [" ".join(rng.choices(WORDS, k=rng.randint(0, 6))) for _ in range(len(column))]
        of_column, of_items = (
            search(None, given, right, as_metric("wer"), 1, normalisation) for given in (column, list(column))
        )
        assert [result.as_dict(True) for result in of_column] == [r.as_dict(True) for r in of_items]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_records_are_those_of_the_items(notation: Notation) -> None:
    rng = random.Random(11)
    native = 0
    for normalisation in NORMALISATIONS:
        column = column_of(references(rng, notation, 200), notation)
        said = [" ".join(rng.choices(WORDS, k=rng.randint(0, 6))) for _ in range(len(column))]
        pairs = PairBlock(column.ids, TextColumn(said), (column,))
        scoring = PathScoring(as_metric("wer"), normalisation=normalisation, alignment=True, signature="s")
        results = scoring.results(pairs)
        written = scoring.written(results, pairs)
        assert (written is None) == (normalisation.unit == "char")
        if written is not None:
            records = map(scoring.signed, results, pairs)
            assert written[0].decode() == "".join(f"{written_json(record)}\n" for record in records)
            native += 1
    assert native


def test_workers_of_an_engine_get_the_same_column() -> None:
    column = column_of(["a { b / @ } (c)", "d"], "sclite")
    (given,) = pairs_of(carried(PairBlock(column.ids, TextColumn(["a b", "d"]), (column,)))).references
    assert isinstance(given, TranscriptColumn)
    assert all(map(same, given, column))
    assert given.ids == column.ids


def test_a_long_text_of_words_that_may_be_left_out_has_its_record() -> None:
    text = "{ a / @ } " * 1500
    column = column_of([text], "sclite")
    scoring = PathScoring(as_metric("wer"), signature="s")
    pairs = PairBlock(column.ids, TextColumn(["a " * 700]), (column,))
    results = scoring.results(pairs)
    written = scoring.written(results, pairs)
    assert written is not None
    assert written[0].decode() == written_json(scoring.signed(results[0], pairs[0])) + "\n"


def test_words_that_are_left_out_are_counted_as_of_the_items() -> None:
    rng = random.Random(7)
    texts = [text.replace("(q)", "q").replace("(r", "r") for text in references(rng, "sclite", 200)]
    column = column_of(texts, "sclite")
    said = [" ".join(rng.choices("abcd", k=rng.randint(0, 6))) for _ in texts]
    asked = fm.Normalisation(optional_words="correct")
    found = [search(None, said, given, as_metric("sclite"), 1, asked) for given in (column, list(column))]
    assert found[0].table().tolist() == found[1].table().tolist()


def written_lines(texts: list[str], format: str) -> str:
    if format == "trn":
        return ";; c\n\n" + "".join(f"{text} (u-{n})\n" for n, text in enumerate(texts))
    if format == "kaldi-text":
        return "".join(f"u-{n} {text}\n" for n, text in enumerate(texts))
    return "".join(f"{text}\n" for text in texts)


@pytest.mark.parametrize("format", ["plain", "kaldi-text", "trn"])
def test_files_are_read_as_line_by_line(format: str, tmp_path: Path) -> None:
    rng = random.Random(8)
    path = tmp_path / "ref"
    path.write_text(written_lines(references(rng, "sclite", 200), format))
    options = ReadOptions(alternations="sclite")
    kind = FORMATS[format]
    assert kind.block is not None
    block = kind.block(File(str(path)).source(), options)
    assert isinstance(block, Block)
    assert isinstance(block.values, TranscriptColumn)
    assert block.is_in_columns == (format != "plain")
    items = list(kind.read(File(str(path)).source(), options))
    assert [(item.id, item.text) for item in block] == [(item.id, item.text) for item in items]
    assert all(map(same, (item.given for item in block), (item.given for item in items)))


@pytest.mark.parametrize("format", ["plain", "kaldi-text", "trn"])
@pytest.mark.parametrize("wrong", ["a { b", "a } b", "a{ b / c }", "a\\ b { c / d }", "\\ "])
def test_what_no_column_holds_is_read_line_by_line(format: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "ref"
    path.write_text(written_lines(["a { b / @ }", f"{wrong} ", "c"], format))
    kind = FORMATS[format]
    assert kind.block is not None
    block = kind.block(File(str(path)).source(), ReadOptions(alternations="sclite"))
    # At the end of a line white space is none of the text, also behind a backslash, but in front of an id it is.
    assert (block is None) == (wrong != "\\ " or format == "trn")


def test_hypotheses_in_another_order_and_with_choices(tmp_path: Path) -> None:
    rng = random.Random(9)
    texts = references(rng, "sclite", 100)
    said = [" ".join(rng.choices(WORDS, k=rng.randint(0, 6))).replace("{", "") for _ in texts]
    lines = [f"{text} (u-{n})\n" for n, text in enumerate(said)]
    lines[3] = "a { b / c } (uh) (u-3)\n"
    (tmp_path / "ref.trn").write_text(written_lines(texts, "trn"))
    (tmp_path / "hyp.trn").write_text("".join(lines))
    rng.shuffle(lines)
    (tmp_path / "other.trn").write_text("".join(lines))
    found = []
    for name in ("hyp.trn", "other.trn"):
        out = tmp_path / f"{name}.jsonl"
        done = command(
            "score", tmp_path / "ref.trn", tmp_path / name, "--lowercase", "--alignment", "--output", out
        )
        assert "leaves choices: the best are scored" in done.out
        assert "words in parentheses" in done.out
        found.append(out.read_text())
    assert found[0] == found[1]
