"""Tables of scores read as columns say the same as row by row, to the last bit; what is wrong, only rows tell."""

import csv
import gzip
import io
import json
import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texts_in_files import in_file

from fstmetrics.data.ratings import Ratings, means_by_cell, standardised_by
from fstmetrics.io.scores import score_files
from fstmetrics.io.scores.score_cells import ScoreFile
from fstmetrics.io.scores.score_files import read_scores
from fstmetrics.io.scores.score_tables import scores_in_columns
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source, open_text

SEEDS = range(40)
NUMBERS = (
    "0",
    "-0",
    "0.0",
    "1",
    "+2.50",
    "-1e-3",
    "3.",
    ".5",
    "12345678901234567890",
    "1e20",
    "0.1",
    "7e-9",
)
MISSING = ("", "None", "NA")


def same(one: ScoreFile, other: ScoreFile) -> bool:
    """Whether two files say the same to the last bit."""
    return all(_plain(getattr(one, each.name)) == _plain(getattr(other, each.name)) for each in fields(one))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(name, _plain(each)) for name, each in value.items()]
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype, np.ascontiguousarray(value).tobytes()
    return value


def by_rows(monkeypatch: pytest.MonkeyPatch, source: Source, **options: Any) -> ScoreFile:
    """What the reader of rows finds."""
    with monkeypatch.context() as patch:
        patch.setattr(score_files, "scores_in_columns", lambda *given: None)
        return read_scores(source, **options)


def random_rows(chance: random.Random) -> tuple[list[str], list[list[str]]]:
    """A head and rows: systems and segments, of which some are not there, and whatever else a table may have."""
    head = ["system", "segment"] if chance.random() < 0.7 else ["SYS", "SID"]
    has_assessors, has_documents, has_human = (chance.random() < 0.5 for _ in range(3))
    head += ["assessor"] * has_assessors + ["document", "domain"] * has_documents + ["human"] * has_human
    head += chance.sample(["comet", "wer", "N", "src", "Z.SCR"], chance.randint(1, 4))
    systems = [f"S{i}.{i}" for i in range(chance.randint(1, 4))]
    segments = [chance.choice(("", "seg ", "é", '"')) + str(i) for i in range(chance.randint(1, 6))]
    rows = []
    scores: dict[Any, str] = {}
    for system in systems:
        for segment in segments:
            for assessor in (
                chance.sample(("ann", "bob", "eva"), chance.randint(0, 3)) if has_assessors else [""]
            ):
                if chance.random() < 0.15:
                    continue
                known = {"assessor": assessor, head[0]: system, head[1]: segment}
                known |= {"document": f"d{len(segment)}", "domain": "news", "src": "a b"}
                row = []
                for name in head:
                    if name not in known:
                        value = chance.choice(NUMBERS if chance.random() < 0.8 else MISSING)
                        if name != "human" and name != "Z.SCR":
                            value = scores.setdefault((system, segment, name), value)
                        row.append(value)
                    else:
                        row.append(known[name])
                rows.append(row)
    if chance.random() < 0.5:
        chance.shuffle(rows)
    columns = list(range(len(head)))
    if chance.random() < 0.3:
        chance.shuffle(columns)
    return [head[i] for i in columns], [[row[i] for i in columns] for row in rows]


def written(kind: str, head: list[str], rows: list[list[str]], chance: random.Random) -> str:
    """The table as text of a kind."""
    end = chance.choice(("\n", "\r\n"))
    if kind == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator=end).writerows([head, *rows])
        return stream.getvalue()
    if kind == "jsonl":
        return "".join(
            json.dumps({n: _value(n, v) for n, v in zip(head, row, strict=True)}) + end for row in rows
        )
    blank = chance.choice(("", end))
    if kind == "spaces":
        cells = [[cell.replace(" ", "_") or "NA" for cell in row] for row in rows]
        return "".join(" ".join(row) + end + blank for row in [head, *cells])
    return "".join("\t".join(row) + end + blank for row in [head, *rows])


def _value(name: str, value: str) -> Any:
    """A cell in JSON."""
    if name in ("comet", "wer", "human", "Z.SCR", "N"):
        return None if value in MISSING else float(value) if "." in value or "e" in value else int(value)
    return int(value) if value.isdigit() else value


@pytest.mark.parametrize("kind", ["tsv", "csv", "spaces", "jsonl"])
@pytest.mark.parametrize("seed", SEEDS)
def test_columns_say_what_rows_say(monkeypatch: pytest.MonkeyPatch, kind: str, seed: int) -> None:
    chance = random.Random(f"{kind} {seed}")
    head, rows = random_rows(chance)
    text = written(kind, head, rows, chance)
    source = Source(
        "x.txt", chance.choice((b"", b"\xef\xbb\xbf") if kind != "jsonl" else (b"",)) + text.encode()
    )
    standardise = chance.random() < 0.5
    try:
        expected = by_rows(monkeypatch, source, standardise=standardise)
    except InputError:
        assert scores_in_columns(source, None, standardise) is None
        return
    found = read_scores(source, standardise=standardise)
    assert same(found, expected)
    if len(rows) > 1 and kind != "spaces":
        assert scores_in_columns(source, None, standardise) is not None


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    lines = ["system\tsegment\thuman\twer"]
    lines += [f"S{i}\tseg{j}\t{(i * j) % 7}\t{i / (j + 1):.17g}" for i in range(10) for j in range(5000)]
    data = ("\n".join(lines) + "\n").encode()
    path = tmp_path / "x.tsv"
    path.write_bytes(gzip.compress(data) if packed else data * 1)
    found = read_scores(open_text(path) if packed else in_file(path))
    assert same(found, by_rows(monkeypatch, Source(str(path), data)))


WRONG = [
    "A\t1\t0.5\nA\t1\t0.5\n",
    "A\t1\t0.5\nA\t\t0.5\n",
    "A\t1\tnan\n",
    "A\t1\t1_000\n",
    "A\t1\t1e400\n",
    "A\t1\t0.5\t0.5\n",
    "A\t1\n",
    "A\t1\t0.5\n\t\t\n",
    "A\t1\tyes\n",
]


@pytest.mark.parametrize("rows", WRONG)
@pytest.mark.parametrize("parted_by", ["\t", ","])
def test_what_is_wrong_is_told_by_rows(rows: str, parted_by: str) -> None:
    source = Source("x.txt", ("system\tsegment\twer\n" + rows).replace("\t", parted_by).encode())
    assert scores_in_columns(source, None, True) is None
    with pytest.raises(InputError):
        read_scores(source)


@pytest.mark.parametrize(
    "line",
    [
        '{"system": "A", "segment": 2, "wer": true}',
        '{"system": "A", "segment": 2, "wer": [1]}',
        '{"system": "A", "segment": 2, "wer": NaN}',
        '{"system": "A", "segment": 1, "wer": 1}',
    ],
)
def test_objects_that_are_wrong_are_told_by_rows(line: str) -> None:
    source = Source("x.txt", ('{"system": "A", "segment": 1, "wer": 1}\n' + line + "\n").encode())
    assert scores_in_columns(source, None, True) is None
    with pytest.raises(InputError):
        read_scores(source)


@pytest.mark.parametrize(
    "value", ["[1]", "[]", '["a"]', "[{}]", '{"a": [1]}', '{"a": {"b": []}}', '[1], "comet": 2']
)
@pytest.mark.parametrize("known", ["", '"extra": 1, '])
def test_lists_that_only_some_objects_have_are_refused(value: str, known: str) -> None:
    first = f'{{"system": "A", "segment": 1, {known}"wer": 1}}\n'
    text = first + f'{{"system": "A", "segment": 2, "wer": 1, "extra": {value}}}\n'
    source = Source("x.txt", text.encode())
    assert scores_in_columns(source, None, True) is None
    with pytest.raises(InputError, match=r"^x.txt:2: extra\S* is .*, not a number"):
        read_scores(source)


@pytest.mark.parametrize("name", ["src", "errors", "N"])
def test_lists_that_are_no_scores_are_left_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    lines = [
        '{"system": "A", "segment": 1, "wer": 1}',
        f'{{"system": "A", "segment": 2, "wer": 1, "{name}": [1]}}',
    ]
    source = Source("x.txt", "\n".join(lines).encode())
    found = scores_in_columns(source, None, True)
    assert found is not None
    assert same(found, by_rows(monkeypatch, source))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_before_objects_does_not_count(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    lines = [f'{{"system": "A", "segment": {i}, "wer": {i}}}{end}' for i in range(3)]
    plain = Source("x.txt", "".join(lines).encode())
    marked = Source("x.txt", b"\xef\xbb\xbf" + plain.data)
    assert same(read_scores(marked), read_scores(plain))
    assert same(by_rows(monkeypatch, marked), read_scores(plain))


def test_two_documents_of_a_segment_are_told_by_rows() -> None:
    text = "system\tsegment\tdocument\twer\nA\t1\tx\t0.5\nB\t1\ty\t0.5\n"
    assert scores_in_columns(Source("x.txt", text.encode()), None, True) is None


def test_means_of_ratings_are_those_of_each_cell_to_the_last_bit() -> None:
    random = np.random.default_rng(1)
    cells = np.repeat(np.arange(60), np.arange(60) % 23 + 1)
    random.shuffle(cells)
    scores = random.normal(size=len(cells)) * 10.0 ** random.integers(-5, 5, size=len(cells))
    found, means = means_by_cell(cells, scores)
    ratings = Ratings(["a"] * len(cells), [("s", str(cell)) for cell in cells], scores.tolist())
    expected = ratings.means()
    assert [expected["s", str(cell)] for cell in found] == means.tolist()
    assessors = random.integers(5, size=len(cells))
    again = standardised_by(assessors, scores)
    for one in range(5):
        own = scores[assessors == one]
        centred = own - own.mean()
        spread = np.sqrt((centred**2).sum() / (len(own) - 1))
        assert again[assessors == one] == pytest.approx(centred / spread, rel=1e-12, abs=1e-12)
