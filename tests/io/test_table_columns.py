"""Tables that are read as native columns give what the reader of rows gives: items, remarks, scores, records."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command import fstmetrics
from texts_in_files import in_file, leave_in_files

from fstmetrics.data.fields import coded, merged, merged_columns, names_of
from fstmetrics.io.column_roles import TableOptions, given_fields
from fstmetrics.io.formats import json_rows
from fstmetrics.io.formats.delimited import CSV, TSV
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

WORDS = (
    "a",
    "the",
    "cat",
    "Katze",
    "größe",
    "\u2028",
    "\u00a0",
    "1",
    '"',
    "\\",
    "/",
    "\t",
    "\U0001f600",
    "\x1f",
    "nan",
)
ODD = (
    None, True, 0, -0.0, 1e22, 1.50, 12345678901234567890123, "", "nan", "NaN", [], ["a b", "c"], {}, {"b": {"c": 1}},
    [{"x": 1}], "\ud800", 1e-7, {"a": "x", "": None},
)  # fmt: skip
DAMAGE = (
    b"\x00",
    b"\xff",
    b'"',
    b"\\",
    b"{",
    b"}",
    b",",
    b"\n",
    b"\r",
    b"1",
    b"NaN",
    b"Infinity",
    b"\\u12",
    b" ",
    b"[",
)
KEYS = (
    "speaker",
    "duration",
    "offset",
    "x.b",
    "x",
    "recording_id",
    "custom",
    "supervisions",
    "tracks",
    "lang",
    "é",
)


def text(rng: random.Random) -> str:
    """Some words."""
    return " ".join(rng.choices(WORDS, k=rng.choice([0, 1, 2, 5])))


def row(rng: random.Random, number: int, layout: str, names: list[str]) -> dict[str, object]:
    """A row of a manifest or another table."""
    found: dict[str, object] = {}
    if layout == "nemo":
        found = {"audio_filepath": f"/a/{number // 2}.wav", "offset": number % 2, "duration": number / 4}
        found |= {"text": text(rng), "pred_text": text(rng)}
    elif layout == "cut":
        one = {
            "id": f"s{number}",
            "text": text(rng),
            "speaker": "ann",
            "custom": {"pred_text": text(rng), "b": 1},
        }
        found = {
            "id": f"c{number}",
            "duration": 1.5,
            "supervisions": [one],
            "recording": {"id": "r"},
            "custom": {"b": 2},
        }
        if number % 2:
            found |= {"start": number / 2, "duration": 2.0}
            one |= {"start": 0.25 if rng.random() < 0.002 else rng.choice([0, 0.0]), "duration": 2.0}
    elif layout == "supervision":
        found = {"id": f"s{number}", "recording_id": "r", "duration": 2, "text": text(rng)}
        found["custom"] = {"pred_text": text(rng), "id": 7}
    else:
        found = {"id": rng.choice([f"u{number}", number]), "ref": text(rng), "hyp": text(rng)}
    for name in names:
        found[name] = (
            rng.choice([*ODD, f"v{rng.randrange(3)}", "w", 3]) if rng.random() < 0.7 else f"v{number % 3}"
        )
    if rng.random() < 0.02:
        found[rng.choice([*found])] = rng.choice(ODD)
    if rng.random() < 0.02:
        del found[rng.choice([*found])]
    return found


def manifest(rng: random.Random) -> bytes:
    """A file of rows; something may be odd or wrong."""
    layout = rng.choice(["nemo", "cut", "supervision", "other"])
    names = rng.sample(KEYS[:6] if rng.random() < 0.8 else KEYS, rng.choice([0, 0, 1, 2]))
    rows = [row(rng, number, layout, names) for number in range(rng.choice([1, 3, 60]))]
    if rng.random() < 0.1:
        rows.append(rng.choice(rows))
    if rng.random() < 0.2:
        rng.shuffle(rows)
    ascii = rng.random() < 0.5
    lines = [json.dumps(each, ensure_ascii=ascii) for each in rows]
    if rng.random() < 0.1:
        lines.insert(rng.randrange(len(lines)), rng.choice(["", "  ", '{"id": 1, "id": 2}', "[]", "{}"]))
    data = rng.choice(["\n"] * 4 + ["\r\n"]).join(lines).encode(
        "utf-8", "surrogatepass"
    ) + b"\n" * rng.choice([0, 1, 1, 2])
    if rng.random() < 0.3:
        place = rng.randrange(len(data))
        data = data[:place] + rng.choice(DAMAGE) + data[place + rng.randrange(2) :]
    return b"\xef\xbb\xbf" * (rng.random() < 0.1) + data


def asked(rng: random.Random) -> TableOptions:
    """A side, and columns."""
    given = rng.choice(
        [
            "",
            "",
            "",
            "id=",
            "id=speaker",
            "ref=text",
            "hyp=pred_text,who=speaker",
            "speaker=duration",
            "hyp=x.b",
        ]
    )
    return TableOptions(
        rng.choice(["reference", "hypothesis"]), rng.random() < 0.5, given_fields([given]) if given else {}
    )


Read = Callable[[ReadOptions], "list[Item] | None"]


def told(read: Read, table: TableOptions) -> tuple[list[Item] | None, list[str], str]:
    """The items, the remarks, and the error."""
    remarks: list[str] = []
    options = ReadOptions(table=table, remark=remarks.append, tell_left_out=True)
    try:
        return read(options), remarks, ""
    except FstmetricsError as error:
        return None, remarks, str(error)


def in_rows(format: Format, source: Source) -> Read:
    """Reads the rows."""
    return lambda options: list(format.read(source, options))


def in_columns(format: Format, source: Source) -> Read:
    """Reads the columns, if there are any."""

    def read(options: ReadOptions) -> list[Item] | None:
        assert format.block is not None
        block = format.block(source, options)
        return None if block is None else list(block)

    return read


@pytest.mark.parametrize("seed", range(40))
def test_columns_of_objects_are_the_items_of_rows(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(random.Random(seed), json_rows.FORMAT, manifest, tmp_path / "a.jsonl", monkeypatch)


CELLS = (
    "a",
    "the cat",
    "",
    " ",
    "x,y",
    '"',
    '""',
    "it's",
    "größe",
    "nan",
    "NaN",
    "None",
    "<NA>",
    "#YES!",
    "{ a / b }",
    "\u2028",
    "\x1f",
    "1.50",
    " b",
    "b ",
)
# What no text is.
WRITTEN = ("['a', 'b']", "['a']", "b'a'", '{"a": 1}', " {'a': 1}", "#N/A", "text")
MARKS = (b'"', b",", b"\t", b"\n", b"\r", b"\x00", b"\xff", b" ", b'""', b'"\n"', b"\xc3")


def delimited(rng: random.Random, delimiter: str) -> bytes:
    """A table of text; something may be odd or wrong."""
    names = ["id", "text", "pred_text", *rng.sample(["speaker", "", "duration", "é"], rng.randrange(4))]
    rng.shuffle(names)
    cells = CELLS if rng.random() < 0.5 else CELLS[:4]
    rows = []
    for number in range(rng.choice([1, 3, 70])):
        values = {name: rng.choice(cells) for name in names} | {"id": f"u{number}"}
        rows.append([values[name] for name in names])
    if rng.random() < 0.1:
        rows.append(rng.choice(rows))
    if rng.random() < 0.2:
        rng.choice(rows)[names.index("text")] = rng.choice(WRITTEN)
    spaced = delimiter == "," and rng.random() < 0.2
    quoted = delimiter == "," or rng.random() < 0.2
    lines = [
        (delimiter + " " * spaced).join(written(rng, cell, delimiter, quoted) for cell in row)
        for row in [names, *rows]
    ]
    if rng.random() < 0.1:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(["", "  ", '""', "\t", lines[0]]))
    data = rng.choice(["\n"] * 4 + ["\r\n"]).join(lines).encode() + b"\n" * rng.choice([0, 1, 1, 2])
    if rng.random() < 0.3:
        place = rng.randrange(len(data))
        data = data[:place] + rng.choice(MARKS) + data[place + rng.randrange(2) :]
    return b"\xef\xbb\xbf" * (rng.random() < 0.1) + data


def written(rng: random.Random, cell: str, delimiter: str, quoted: bool) -> str:
    """A cell as it stands in the file."""
    if quoted and (delimiter in cell or '"' in cell or rng.random() < 0.1):
        return '"' + cell.replace('"', '""') + '"'
    return cell.replace(delimiter, ";")


@pytest.mark.parametrize("seed", range(40))
def test_columns_of_cells_are_the_items_of_rows(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    format, delimiter = ((CSV, ","), (TSV, "\t"))[seed % 2]
    check(random.Random(seed), format, lambda rng: delimited(rng, delimiter), tmp_path / "a", monkeypatch)


def check(
    rng: random.Random,
    format: Format,
    made: Callable[[random.Random], bytes],
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compare both ways of reading, from memory and from the file; some files have columns."""
    leave_in_files(monkeypatch, window=64, ahead=7)
    columns = 0
    for _ in range(25):
        data, table = made(rng), asked(rng)
        path.write_bytes(data)
        expected = told(in_rows(format, Source(str(path), data)), table)
        for source in (Source(str(path), data), in_file(path)):
            found = told(in_columns(format, source), table)
            if found[0] is not None:
                assert found == expected
                columns += 1
            else:
                assert found == (None, [], "")
    assert columns > 3


@pytest.fixture
def by_rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """Has tables read row by row, or in columns, from files that stay where they are."""
    formats = (json_rows.FORMAT, CSV, TSV)
    kept = [format.block for format in formats]
    leave_in_files(monkeypatch, window=256, ahead=5)

    def choose(are_rows: bool) -> None:
        for format, block in zip(formats, kept, strict=True):
            object.__setattr__(format, "block", None if are_rows else block)

    yield choose
    choose(False)


COMMANDS = (
    ("score", "both.jsonl"),
    ("score", "both.jsonl", "--output", "out", "--alignment"),
    ("score", "both.jsonl", "--by", "speaker,duration:5,10"),
    ("score", "both.jsonl", "--by", "speaker+lang", "--output", "out", "--threads", "2"),
    ("score", "both.jsonl", "--by", "speaker:1"),
    ("score", "both.jsonl", "--by", "nobody"),
    ("score", "ref.jsonl", "hyp.jsonl", "--output", "out", "--by", "lang"),
    ("score", "ref.jsonl", "other.jsonl", "--output", "out", "--by", "speaker"),
    ("score", "ref.jsonl", "other.jsonl", "--metric", "bleu", "--output", "out"),
    ("score", "ref.jsonl", "fewer.jsonl"),
    ("score", "ref.jsonl", "fewer.jsonl", "--missing", "skip", "--by", "speaker"),
    ("score", "ref.jsonl", "twice.jsonl"),
    ("score", "text.jsonl", "text.jsonl"),
    ("score", "text.jsonl", "texts.jsonl"),
    ("score", "ref.jsonl", "text.jsonl"),
    ("score", "ref.trn", "hyp.jsonl", "--output", "out"),
    ("score", "ref.jsonl", "hyp.jsonl", "--fields", "id=,who=speaker", "--by", "who"),
    ("score", "ref.jsonl", "hyp.jsonl", "--lowercase", "--by", "speaker"),
    ("compare", "hyp.jsonl", "other.jsonl", "--ref", "ref.jsonl", "--metric", "wer", "--by", "lang", "--samples", "50"),
    ("compare", "hyp.jsonl", "other.jsonl", "--ref", "ref.jsonl", "--metric", "wer", "--blocks", "speaker"),
    ("compare", "hyp.jsonl", "other.jsonl", "--ref", "ref.jsonl", "--metric", "wer", "--test", "sign"),
    ("compare", "hyp.jsonl", "fewer.jsonl", "--ref", "ref.jsonl", "--metric", "wer", "--missing", "skip"),
    ("compare", "both.jsonl", "--fields", "hyp=hyp,hyp=ref", "--metric", "wer", "--samples", "50"),
    ("errors", "both.jsonl"),
    ("score", "both.csv", "--by", "speaker,lang", "--output", "out"),
    ("score", "both.tsv", "--by", "duration:5,10", "--output", "out"),
    ("score", "ref.jsonl", "hyp.tsv", "--output", "out", "--by", "speaker"),
    ("score", "ref.csv", "other.csv", "--output", "out"),
    ("score", "ref.csv", "fewer.tsv", "--missing", "skip"),
    ("score", "ref.trn", "hyp.csv", "--fields", "id=,who=speaker", "--by", "who"),
    ("compare", "hyp.csv", "other.tsv", "--ref", "ref.csv", "--metric", "wer", "--by", "lang", "--samples", "50"),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command))
def test_commands_say_of_columns_what_they_say_of_rows(
    command: tuple[str, ...], by_rows: Callable[[bool], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_corpus(random.Random(1))
    outcomes = []
    for are_rows in (True, False):
        by_rows(are_rows)
        said = fstmetrics(*command)
        output = Path("out")
        outcomes.append((said, output.read_bytes() if output.exists() else b""))
        output.unlink(missing_ok=True)
    assert outcomes[0] == outcomes[1]


def write_corpus(rng: random.Random) -> None:
    """A manifest of both sides, and one of each."""
    rows = []
    for number in range(60):
        reference = rng.choices(["a", "the", "cat", "größe", "sat"], k=rng.randrange(1, 7))
        hypothesis = [word if rng.random() < 0.8 else "uh" for word in reference]
        rows.append(
            {
                "id": f"u{number:03}", "duration": rng.choice([1, 5.5, 12.0, 1e-7]), "ref": " ".join(reference),
                "hyp": " ".join(hypothesis), "speaker": rng.choice(["ann", "bob", ""]),
                "lang": rng.choice(["é", None, 1, True]),
            }
        )  # fmt: skip
    hypotheses = [{name: value for name, value in row.items() if name != "ref"} for row in rows]
    other = [{"id": row["id"], "hyp": row["ref"], "lang": "x"} for row in rows]
    rng.shuffle(other)
    files = {
        "both": rows, "ref": [{name: value for name, value in row.items() if name != "hyp"} for row in rows],
        "hyp": hypotheses, "other": other, "fewer": other[:-3], "twice": [*hypotheses[:-1], hypotheses[0]],
    }  # fmt: skip
    own = [{"id": row["id"], "recording_id": "r", "duration": 1, "text": row["hyp"]} for row in rows]
    files |= {"text": own, "texts": rng.sample(own, len(own))}
    for name, some in files.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
        names = [*some[0]]
        for ending, delimiter in (("csv", ","), ("tsv", "\t")):
            cells = [
                names,
                *(["" if row[name] is None else str(row[name]) for name in names] for row in some),
            ]
            Path(f"{name}.{ending}").write_text("".join(delimiter.join(row) + "\n" for row in cells))
    Path("ref.trn").write_text("".join(f"{row['ref']} ({row['id']})\n" for row in rows))


def test_fields_in_columns_are_those_of_rows() -> None:
    rng = random.Random(3)
    form = json_rows.JsonRowForm([], "t", ["t"], [], True)
    for _ in range(200):
        size = rng.randrange(1, 6)
        sides = []
        for _ in range(rng.randrange(1, 4)):
            rows = [{n: rng.choice(["", "x", None, 1, 1.0, True, "1"]) for n in rng.sample("abcd", rng.randrange(4))}
                    for _ in range(size)]  # fmt: skip
            part = form.part("".join(json.dumps({"t": "", **row}) + "\n" for row in rows).encode())
            assert part is not None
            assert part[2] is not None
            sides.append((rows, part[2]))
        expected = [merged(list(each)) for each in zip(*(rows for rows, _ in sides), strict=True)]
        found = merged_columns([column for _, column in sides])
        assert list(map(list, map(dict.items, expected))) == list(map(list, map(dict.items, found)))  # type: ignore[arg-type]
        assert list(found[1:]) == expected[1:]
        assert found[0] == expected[0]
        assert set(names_of(found)) >= set(names_of(expected))
        for name in "abcd":
            codes, values = coded(found[:], name)
            assert [(type(values[code]), values[code]) for code in codes.tolist()] == [
                (type(value), value) for value in (row.get(name) for row in expected)
            ]


def test_a_second_look_at_options_changes_nothing() -> None:
    source = Source("a.jsonl", b'{"id": 1, "text": "a b"}\n{"id": 2, "text": "c"}\n')
    options = ReadOptions(table=TableOptions("reference"))
    assert json_rows.FORMAT.block is not None
    block = json_rows.FORMAT.block(source, options)
    assert block is not None
    assert block.is_native
    assert [item.id for item in block] == ["1", "2"]
    assert json_rows.FORMAT.block(source, replace(options, alternations="sclite")) is None
