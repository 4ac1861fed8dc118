"""Items that are paired by order, and match others better than their own."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

import fstmetrics as fm
from fstmetrics.support.errors import FstmetricsError

NOTE = " fit the references of items "


def texts(name: str) -> list[str]:
    """The lines of an example without their ids."""
    lines = (EXAMPLES / "speech" / name).read_text("utf-8").split("\n")
    return [line.partition("(")[0].strip() for line in lines if line]


LINE = re.compile(
    r"hypotheses (\d+) to (\d+) fit the references of items (\d+) to (\d+), (\d+) errors in place of (\d+): "
    r"is a hypothesis (missing|too many) before (\d+)\?"
)
REFERENCES, HYPOTHESES = texts("ref.trn"), texts("old.trn")


def scored(folder: Path, hypotheses: list[str], references: list[str], *options: str) -> list[str]:
    for name, side in (("ref", references), ("hyp", hypotheses)):
        written(folder / name, "".join(f"{text}\n" for text in side))
    plain = ("--format", "plain", "--ref-format", "plain")
    outcome = fstmetrics("score", f"{folder}/ref", f"{folder}/hyp", *plain, *options)
    assert outcome.status == 0, outcome.err
    return outcome.out.split("\n")


@pytest.mark.parametrize("place", [0, 8, 27])
@pytest.mark.parametrize("side", ["hyp", "ref"])
def test_a_line_is_lost(side: str, place: int, tmp_path: Path) -> None:
    def cut(lines: list[str]) -> list[str]:
        return [*lines[:place], *lines[place + 1 :], ""]

    sides = (cut(HYPOTHESES), REFERENCES) if side == "hyp" else (HYPOTHESES, cut(REFERENCES))
    shift, what = (1, "missing") if side == "hyp" else (-1, "too many")
    (line,) = (line for line in scored(tmp_path, *sides) if NOTE in line)
    told = LINE.fullmatch(line)
    assert told is not None
    first, last, begin, end, after, before = map(int, told.groups()[:6])
    assert abs(first - place - 1) <= 2
    assert (begin - first, end - last, told[7], int(told[8])) == (shift, shift, what, first)
    # The counts are those of these items.
    for errors, step in ((before, 0), (after, shift)):
        places = range(first - 1, last)
        again = scored(tmp_path, [sides[0][n] for n in places], [sides[1][n + step] for n in places])
        assert f"[ {errors} /" in again[0]


def test_a_line_of_translations_is_lost(tmp_path: Path) -> None:
    """Which have more than half of the errors with their own references, too."""
    drawn = random.Random(3)
    words = [f"w{number}" for number in range(300)]
    references = [" ".join(drawn.choices(words, k=12)) for _ in range(60)]
    hypotheses = [
        " ".join(w if drawn.random() < 0.4 else drawn.choice(words) for w in r.split()) for r in references
    ]
    assert not [line for line in scored(tmp_path, hypotheses, references) if NOTE in line]
    for metric in ("wer", "bleu", "chrf"):
        said = scored(tmp_path, [*hypotheses[1:], ""], references, "--metric", metric)
        (line,) = (line for line in said if NOTE in line)
        assert "is a hypothesis missing before 1?" in line


def test_empty_hypotheses(tmp_path: Path) -> None:
    said = "14 of 54 hypotheses are empty where references have words: did the system finish?"
    broken = [*HYPOTHESES[:40], *[""] * 14]
    assert said in scored(tmp_path, broken, REFERENCES)
    assert not [line for line in scored(tmp_path, HYPOTHESES, REFERENCES) if "are empty" in line]
    other = written(tmp_path / "b", "\n".join(broken) + "\n")
    outcome = fstmetrics("compare", "--ref", f"{tmp_path}/ref", f"{tmp_path}/hyp", other, "--samples", "10")
    assert f"b: {said}" in outcome.out.split("\n")


def test_another_order(tmp_path: Path) -> None:
    references = [f"{text} {number}" for number, text in enumerate(REFERENCES)]
    hypotheses = sorted([*references[:40], *HYPOTHESES[40:]])
    own = sum(h == r for h, r in zip(hypotheses, references, strict=True))
    for metric in ("wer", "cer", "bleu"):
        said = scored(tmp_path, hypotheses, references, "--metric", metric)
        (line,) = (line for line in said if "word for word" in line)
        assert line.startswith(
            f"{40 - own} hypotheses are word for word the reference of another item, and {own} that of their own"
        )


def test_no_remark(tmp_path: Path) -> None:
    """Where all is well; of few errors; of a bad system; and of commands that come many times."""
    drawn = random.Random(1)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    bad = [" ".join(drawn.choices(words, k=6)) for _ in REFERENCES]
    commands = [drawn.choice(words) for _ in range(200)]
    for hypotheses, references in (
        (HYPOTHESES, REFERENCES),
        (["x", "y", "z"], ["w", "x", "y"]),
        (bad, REFERENCES),
        ([drawn.choice(words) for _ in commands], commands),
    ):
        said = scored(tmp_path, hypotheses, references)
        assert not [line for line in said if NOTE in line or "word for word" in line]


def test_of_systems(tmp_path: Path) -> None:
    for name, side in (("ref", REFERENCES), ("a", HYPOTHESES), ("b", [*HYPOTHESES[1:], ""])):
        written(tmp_path / name, "".join(f"{text}\n" for text in side))
    paths = [f"{tmp_path}/{name}" for name in ("ref", "a", "b")]
    outcome = fstmetrics(
        "compare", "--ref", *paths, "--samples", "10", "--format", "plain", "--ref-format", "plain"
    )
    assert outcome.status == 0, outcome.err
    assert [line.split(":")[0] for line in outcome.out.split("\n") if NOTE in line] == ["b"]


# Rows with the references that they belong to, in the order of other references and in another.
SENTENCES = [f"the {letter} {letter * 2} {letter * 3} {letter * 4}" for letter in "bcdfghjk"]
# A way to write rows of references and hypotheses, the name of the references in them, what else a command is given.
TABLES = {
    "csv": ("table.csv", "ref", "hyp", ""),
    "nemo": ("manifest.jsonl", "text", "pred_text", ""),
    "named": ("table.csv", "ref", "output", "--fields hyp=output"),
    "parquet": ("table.parquet", "ref", "hyp", ""),
}


def table(path: Path, columns: dict[str, list[str]]) -> str:
    if path.suffix == ".parquet":
        pq = pytest.importorskip("pyarrow.parquet")
        pq.write_table(pytest.importorskip("pyarrow").table(columns), path)
        return str(path)
    rows = list(zip(*columns.values(), strict=True))
    if path.suffix == ".csv":
        return written(path, "".join(f"{','.join(row)}\n" for row in (columns, *rows)))
    return written(path, "".join(f"{json.dumps(dict(zip(columns, row, strict=True)))}\n" for row in rows))


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_has_its_own_references_in_another_order(kind: str, tmp_path: Path) -> None:
    name, ref, hyp, options = TABLES[kind]
    again = {ref: SENTENCES[::-1], hyp: SENTENCES[::-1]}
    path, plain = table(tmp_path / name, again), written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n")
    in_order = table(tmp_path / f"a-{name}", {ref: SENTENCES, hyp: SENTENCES})
    said = f"{path}: has the reference '{SENTENCES[-1]}' in row 1, and {{}} in row 8, so order would pair other rows"
    for command, other in {
        f"score {plain} {path}": plain,
        f"score {in_order} {path}": in_order,
        f"score {path} --ref {plain}": plain,
        f"compare --ref {plain} {in_order} {path}": plain,
        f"compare --ref {in_order} {in_order} {path}": in_order,
        f"compare {in_order} {path}": in_order,
        f"mbr {in_order} {path}": in_order,
        f"errors {plain} {path}": plain,
    }.items():
        assert said.format(other) in fstmetrics(*command.split(), *options.split()).err, command
    advised = f"score {path}"
    assert f"fstmetrics {advised}" in fstmetrics("score", plain, path, *options.split()).err
    assert "%WER 0.00" in fstmetrics(*advised.split(), *options.split()).out
    assert "%WER 0.00" in fstmetrics("score", plain, in_order, *options.split()).out


@pytest.mark.parametrize("several", [False, True])
def test_records_without_ids_were_scored_by_references_in_another_order(
    several: bool, tmp_path: Path
) -> None:
    """As those of a run that were sorted, read as its hypotheses."""
    ref = written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n")
    hyp = written(tmp_path / "hyp.txt", "\n".join(f"{text} x" for text in SENTENCES) + "\n")
    more = ["--ref", written(tmp_path / "more.txt", "\n".join(f"{s} y" for s in SENTENCES) + "\n")] * several
    records = tmp_path / "records.jsonl"
    first = fstmetrics("score", ref, hyp, *more, "--output", records)
    lines = records.read_text().splitlines(True)
    moved = written(tmp_path / "moved.jsonl", "".join(reversed(lines)))
    said = (
        f"{moved}: row 1 was scored by the reference that {ref} has in row 8, so order would pair other rows"
    )
    for command in (
        ("score", ref, moved, *more),
        ("errors", ref, moved, *more),
        ("compare", "--ref", ref, *more, records, moved, "--metric", "wer"),
        ("compare", "--ref", ref, *more, hyp, moved, "--metric", "bleu"),
    ):
        outcome = fstmetrics(*command)
        assert (outcome.status, said in outcome.err) == (2, True), command
    assert first.out.split("\n")[0] in fstmetrics("score", ref, records, *more).out
    # Of other references, and with ids, nothing is said of the order.
    other = written(tmp_path / "other.txt", "\n".join(f"{text} z" for text in SENTENCES[::-1]) + "\n")
    assert fstmetrics("score", other, moved).status == 0
    trn = [
        written(tmp_path / f"{name}.trn", "".join(f"{t}{end} (u-{n})\n" for n, t in enumerate(SENTENCES)))
        for name, end in (("ref", ""), ("hyp", " x"))
    ]
    fstmetrics("score", *trn, "--output", records)
    written(records, "".join(reversed(records.read_text().splitlines(True))))
    assert "%WER 20.00" in fstmetrics("score", trn[0], records).out


def test_ids_are_numbers_of_rows_whose_references_are_in_another_order(tmp_path: Path) -> None:
    numbers = list(map(str, range(8)))
    ref = table(tmp_path / "ref.csv", {"id": numbers, "ref": SENTENCES})
    hyp = table(tmp_path / "hyp.csv", {"id": numbers, "ref": SENTENCES[::-1], "hyp": SENTENCES[::-1]})
    assert "in id 0, and" in fstmetrics("score", ref, hyp).err
    hyp = table(tmp_path / "hyp.csv", {"id": numbers[::-1], "ref": SENTENCES[::-1], "hyp": SENTENCES[::-1]})
    assert "%WER 0.00" in fstmetrics("score", ref, hyp).out


def numbered(folder: Path, own: list[str], order: list[int] | None = None) -> tuple[str, str]:
    """A table of references with whole numbers as ids, and one of hypotheses with references of its own."""
    numbers = list(map(str, order or range(8)))
    ref = table(folder / "ref.csv", {"id": numbers, "ref": [SENTENCES[int(number)] for number in numbers]})
    return ref, table(folder / "hyp.csv", {"id": list(map(str, range(8))), "ref": own, "hyp": own})


@pytest.mark.parametrize("rest", [SENTENCES[2:], [*SENTENCES[2:7], "corrected"]])
@pytest.mark.parametrize("order", [None, list(reversed(range(8)))])
def test_ids_pair_though_few_of_them_have_the_references_of_others(
    order: list[int] | None, rest: list[str], tmp_path: Path
) -> None:
    """As where labels that were exchanged were repaired; lines without ids are refused then."""
    own = [SENTENCES[1], SENTENCES[0], *rest]
    outcome = fstmetrics("score", *numbered(tmp_path, own, order))
    assert outcome.status == 0, outcome.err
    assert "2 own references are those of other rows" in outcome.out
    ref = written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n")
    hyp = table(tmp_path / "plain.csv", {"ref": own, "hyp": own})
    assert fstmetrics("score", ref, hyp).status == (2 if rest == SENTENCES[2:] else 0)


def test_ids_that_are_named_are_obeyed(tmp_path: Path) -> None:
    sides = numbered(tmp_path, SENTENCES[::-1])
    said = fstmetrics("score", *sides).err
    assert "say which column has the ids, be it these, --fields id=COLUMN" in said
    for fields in ("id=id", "id=id,ref=ref,hyp=hyp"):
        outcome = fstmetrics("score", *sides, "--fields", fields)
        assert "%WER" in outcome.out, outcome.err
        assert "8 own references are those of other rows" in outcome.out
    ref = written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n")
    for options in ((), ("--fields", "id=id")):
        assert (
            f"give {ref} ids, too, or put the rows in one" in fstmetrics("score", ref, sides[1], *options).err
        )


@pytest.mark.parametrize(
    "own",
    [
        [text.upper() + "." for text in SENTENCES],
        [*SENTENCES[:-1], "corrected"],
        [f"sentence {number}" for number in range(8)],
    ],
)
def test_own_references_that_differ_say_nothing_of_the_order(own: list[str], tmp_path: Path) -> None:
    path = table(tmp_path / "table.csv", {"ref": own, "hyp": SENTENCES})
    outcome = fstmetrics("score", written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n"), path)
    assert "%WER 0.00" in outcome.out
    assert "other rows" not in outcome.out


def test_few_rows_have_the_references_of_others(tmp_path: Path) -> None:
    own = [SENTENCES[1], SENTENCES[0], *SENTENCES[2:7], "corrected"]
    path = table(tmp_path / "table.csv", {"ref": own, "hyp": SENTENCES})
    outcome = fstmetrics("score", written(tmp_path / "ref.txt", "\n".join(SENTENCES) + "\n"), path)
    assert "2 own references are those of other rows" in outcome.out


@pytest.mark.parametrize("own", ["ref", "text"])
def test_rows_in_python_have_their_own_references_in_another_order(own: str) -> None:
    rows = [{own: text, "hyp": text} for text in reversed(SENTENCES)]
    references = [{"text": text} for text in SENTENCES]
    names = {"hypothesis": "hyp", "reference": "text"}
    with pytest.raises(FstmetricsError, match=f"as {own} in row 0, and references in row 7"):
        fm.score(rows, references, **names)
    assert fm.score(rows, hypothesis="hyp", reference=own).edits == 0
    assert fm.score(rows[::-1], references, **names).edits == 0


def of_rows(own: list[str], texts: list[str], called: str, ids: bool) -> tuple[list[dict[str, object]], ...]:
    """Rows with own references, and rows of references, with whole numbers as ids or without."""
    numbers: list[dict[str, object]] = [{"id": row} if ids else {} for row in range(len(texts))]
    rows = [{**number, "text": text, "hyp": text} for number, text in zip(numbers, own, strict=True)]
    return rows, [{**number, called: text} for number, text in zip(numbers, texts, strict=True)]


@pytest.mark.parametrize("called", ["text", "reference"])
def test_ids_in_python_are_numbers_of_rows_whose_references_are_in_another_order(called: str) -> None:
    names = {"hypothesis": "hyp", "reference": called}
    rows, references = of_rows(SENTENCES[::-1], SENTENCES, called, True)
    with pytest.raises(
        FstmetricsError, match=r"as text in id 0, and references in id 7, so these ids .* id='id'"
    ):
        fm.score(rows, references, **names)
    with pytest.warns(UserWarning, match="8 rows have references of other rows"):
        fm.score(rows, references, id="id", **names)
    assert fm.score(rows, hypothesis="hyp", reference="text").edits == 0
    exchanged = [SENTENCES[1], SENTENCES[0], *SENTENCES[2:]]
    with pytest.warns(UserWarning, match="2 rows have references of other rows"):
        fm.score(*of_rows(exchanged, SENTENCES, called, True), **names)
    with pytest.raises(FstmetricsError, match="so position would pair other rows"):
        fm.score(*of_rows(exchanged, SENTENCES, called, False), **names)
    named = [{**row, "id": f"u{row['id']}"} for row in rows]
    fm.score(named, [{**row, "id": f"u{row['id']}"} for row in references], **names)


@pytest.mark.parametrize("called", ["text", "reference"])
def test_rows_in_python_have_a_text_several_times(called: str) -> None:
    own = [*SENTENCES[::-1], "yes", "yes"]
    rows, references = of_rows(own, [*SENTENCES, "yes", "yes"], called, False)
    with pytest.raises(FstmetricsError, match="as text in row 0, and references in row 7") as refused:
        fm.score(rows, references, hypothesis="hyp", reference=called)
    assert "give lists of the texts in place of tables" in str(refused.value)
    assert fm.score(own, [row[called] for row in references]).edits > 0
    # Few texts of another column, as of a system, tell nothing.
    rows = [{"hyp": text, "other": f"{text} not"} for text in SENTENCES]
    rows[0]["other"] = SENTENCES[1]
    assert fm.score(rows, references[:8], hypothesis="hyp", reference=called).edits == 0


def test_every_command_of_systems_and_references_looks_at_the_order(tmp_path: Path) -> None:
    sides = {"ref": SENTENCES, "a": SENTENCES, "b": SENTENCES[::-1]}
    ref, a, b = (written(tmp_path / f"{name}.txt", "\n".join(texts) + "\n") for name, texts in sides.items())
    human = [f"{name}\t{row}\t{row}.{len(name)}" for name in ("a", "b") for row in range(1, 9)]
    people = written(tmp_path / "human.tsv", "\n".join(["system\tsegment\thuman", *human, ""]))
    said = "b: 8 hypotheses are word for word the reference of another item, and 0 that of their own"
    page = str(tmp_path / "page.html")
    for command in (
        f"compare --ref {ref} {a} {b}",
        f"correlate {people} {a} {b} --ref {ref}",
        f"report {a} {b} --ref {ref} --output {page}",
    ):
        outcome = fstmetrics(*command.split())
        assert said in outcome.out + outcome.err, command
        assert said not in fstmetrics(*command.replace(str(b), f"b={a}").split()).out, command
    (remark,) = (
        r for r in fm.report_files(systems=[a, b], references=[ref], output=page).remarks if "word" in r
    )
    assert remark.startswith(said)


def test_tuning_looks_at_the_order(tmp_path: Path) -> None:
    lists = [
        f"{number} ||| {text}{end} ||| lm= -{number}.{len(end)} ||| -{number}.{len(end)}"
        for number, text in enumerate(SENTENCES)
        for end in (" on it", "", " and sat")
    ]
    nbest = written(tmp_path / "nbest.txt", "\n".join(lists) + "\n")
    weights = written(tmp_path / "start.weights", "lm= 0.5\n")
    for order, count in ((1, 0), (-1, 1)):
        ref = written(tmp_path / f"ref{order}.txt", "\n".join(SENTENCES[::order]) + "\n")
        outcome = fstmetrics("tune", nbest, "--ref", ref, "--metric", "bleu", "--weights", weights)
        assert outcome.status == 0, outcome.err
        assert (outcome.out + outcome.err).count("8 hypotheses are word for word the reference") == count
