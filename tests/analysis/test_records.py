"""Records: every command's satisfy the schema, and damaged ones are refused with file and line, whoever reads them."""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import COUNTS, EXAMPLES, HYTER, ORACLE, fstmetrics, written
from page_data import unpacked
from slow_records import check

import fstmetrics as fm
from fstmetrics.analysis.error_counts import total
from fstmetrics.analysis.read_records import read_records
from fstmetrics.analysis.record_table import Vocabulary, read_table
from fstmetrics.analysis.scored_runs import read_run
from fstmetrics.analysis.side_by_side import beside
from fstmetrics.apps.pages import Shown, System, page_data
from fstmetrics.io.formats import records as record_files
from fstmetrics.io.formats.records import MAKE, aligned_batches, read_objects, record_columns
from fstmetrics.reports.error_tables import errors_dict
from fstmetrics.scoring.journal import Entry, Unfinished
from fstmetrics.scoring.sums import Series, Term
from fstmetrics.support.json_text import json_pieces, parsed_json, written_json
from fstmetrics.support.source import Source

TEXTS = {
    "ref": "the cat sat on the mat\nwe don't know\na b c d\nx y\n",
    "other": "a cat sat on a mat\nwe do not know\na b d\ny x\n",
    "hyp": "the hat sat on mat\nwe do not know\na b c d e\ny z x\n",
    "choices": "the { cat / dog / @ } sat\nwe [did|do] know\nx\ny\n",
    "wild": "the <*> mat\nwe know\na <*>\nx y\n",
    "dont": "0 we don't know\n",
    "do": "0 ||| we do not ||| ||| -1\n0 ||| we do not know ||| ||| -2\n",
    "one": "0 the cat sat on the mat\n",
    "list": "0 ||| the hat sat on mat ||| ||| -1\n0 ||| the cat sat ||| ||| -2\n0 ||| a ||| ||| -3\n",
}
SCORE = ("score", "ref", "hyp")
# Every kind of record that a command writes: what it is called, and the command.
COMMANDS: dict[str, tuple[str, ...]] = {
    "wer": SCORE,
    "aligned": (*SCORE, "--alignment"),
    "characters": (*SCORE, "--tokenize", "char", "--alignment"),
    "sclite": (*SCORE, "--metric", "sclite", "--alignment"),
    "wrr": (*SCORE, "--metric", "wrr", "--alignment"),
    "mer": (*SCORE, "--metric", "mer", "--alignment"),
    "wil": (*SCORE, "--metric", "wil", "--alignment"),
    "wip": (*SCORE, "--metric", "wip", "--alignment"),
    "grr": (*SCORE, "--metric", "grr", "--alpha", "-0.9", "--beta", "1", "--alignment"),
    "references": (*SCORE, "--ref", "other", "--nbest", "3", "--alignment"),
    "grammar": (*SCORE, "--grammar", "en.contractions", "--alignment", "--nbest", "2"),
    "costs": (*SCORE, "--grammar", "en.contractions@0.5", "--alignment", "--nbest", "2"),
    "gains": (*SCORE, "--grammar", "en.contractions@0.3", "--metric", "wrr", "--alignment"),
    "kept": ("oracle", "dont", "do", "--grammar", "en.contractions@0.5", "--format", "nbest", "--alignment"),
    "choices": ("score", "choices", "hyp", "--alternations", "sclite", "--alignment"),
    "wildcards": ("score", "wild", "hyp", "--alternations", "wildcards", "--alignment"),
    "hyter": ("hyter", *HYTER, "--alignment", "--nbest", "3"),
    "moves": ("hyter", *HYTER, "--window", "3", "--alignment"),
    "jumps": ("hyter", "ref", "hyp", "--window", "3", "--reordering", "jumps", "--alignment"),
    "oracle": ("oracle", *ORACLE, "--alignment", "--nbest", "2", "--depth", "--beam", "2,8,inf"),
    "hope": ("oracle", *ORACLE, "--alignment", "--model-weight", "0.5", "--metric", "grr"),
    "lists": ("oracle", "one", "list", "--format", "nbest", "--alignment"),
    "bleu": (*SCORE, "--metric", "bleu"),
    "bleu-sbp": (*SCORE, "--metric", "bleu-sbp"),
    "chrf": (*SCORE, "--metric", "chrf"),
    "ter": (*SCORE, "--metric", "ter"),
    "mbr": ("mbr", ORACLE[1], "--nbest", "2", "--candidates", "20", "--evidence", "20"),
}
# What every one of these lacks is an alignment.
UNALIGNED = {"wer", "bleu", "bleu-sbp", "chrf", "ter", "mbr"}
# Values that a field may not have, whatever it is. Numbers of the last line are no JSON, or too large for it.
WRONG = [
    None, True, False, -1, 0, 7, 2**63, 10**400, -0.5, 0.25, "", "x", "1", "\ud800", [], [None], [[]], [1, "a"],
    [["S", "a"]], [["=", "a", "b"]], {}, {"a": 1}, [{}], [{"written": 1}], [["c", "p", 5, 2]], [["c", "p", 0, 99]],
    float("nan"), float("inf"), float("-inf"), 1e308,
]  # fmt: skip
# A best path's own fields: nothing but what was written is right.
BOUND = {"score", *COUNTS, "hypothesis", "closest", "gain", "max_gain", "alignment"}
# How many damaged records are tried; more in long runs.
CASES = int(os.environ.get("FSTMETRICS_FUZZ", "600"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines that each command writes."""
    folder = tmp_path_factory.mktemp("records")
    paths = {name: str(written(folder / f"{name}.txt", text)) for name, text in TEXTS.items()}
    found = {}
    for name, command in COMMANDS.items():
        out = folder / f"{name}.jsonl"
        done = fstmetrics(*(paths.get(word, word) for word in command), "--output", out)
        assert done.status == 0, done.err
        found[name] = out.read_text().splitlines()
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_record_satisfies_the_schema(runs: dict[str, list[str]], name: str) -> None:
    source = Source(name, "\n".join(runs[name]).encode())
    checked = [check(source, *each) for each in read_objects(source)]
    assert len(checked) == len(runs[name]) > 0
    assert [aligned is None for aligned in checked] == [name in UNALIGNED] * len(checked)
    (part,) = record_columns(source)
    assert (part.fault, len(part.objects)) == (None, len(checked))
    assert part.columns.aligned.tolist() == [name not in UNALIGNED] * len(checked)
    if name not in UNALIGNED:
        (batch,) = aligned_batches(source)
        assert list(batch.aligned()) == checked


@pytest.mark.parametrize("name", COMMANDS)
def test_readers_take_or_refuse_every_kind(runs: dict[str, list[str]], name: str, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", "\n".join(runs[name]) + "\n")
    for command in (("errors", path), ("show", path), ("report", path), ("errors", path, "--against", path)):
        done = fstmetrics(*command)
        assert (done.status, "Traceback" in done.err) == (2 if name in UNALIGNED else 0, False), done.err
        if name in UNALIGNED:
            assert done.err.startswith(f"fstmetrics: {path}:1: ")
            assert done.err.count("\n") == 1


def use(path: Path) -> None:
    """All that reads records with alignments, in this process."""
    records = list(read_records(path))
    words = Vocabulary()
    table = read_table(path, words)
    assert list(table.ids) == [record.id for record in records]
    written_json(errors_dict(total(table), None, None, 1))
    beside(table, read_table(path, words))
    data, _ = page_data({"page": System.of_records(table)}, Shown("page"))
    parsed_json("".join(json_pieces(data)))  # as strict as a browser
    read_run(Source.open(path), "system")


def refusal(path: Path) -> str | None:
    """What is said of a damaged file; None where it can be used."""
    try:
        use(path)
    except fm.InputError as error:
        return str(error)
    return None


def one_by_one(path: Path) -> str | None:
    """What is said where records are checked one by one, and not in columns."""
    source = Source.open(path)
    try:
        for number, record in read_objects(source):
            if "alignment" not in record:
                return str(source.error(f"the record has no alignment; {MAKE}", number))
            check(source, number, record)
    except fm.InputError as error:
        return str(error)
    return None


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a record something may be damaged."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*at, key)
        yield from places(part, (*at, key))


def damaged(record: dict[str, Any], at: tuple[Any, ...], how: Any) -> tuple[dict[str, Any], Any]:
    """The record with another value at a place, or without that place where `how` is ..., and the value before."""
    changed = copy.deepcopy(record)
    inner = changed
    for key in at[:-1]:
        inner = inner[key]
    before = inner[at[-1]]
    if how is ...:
        del inner[at[-1]]
    else:
        inner[at[-1]] = how
    return changed, before


def test_damaged_records_are_refused_or_right(runs: dict[str, list[str]], tmp_path: Path) -> None:
    """Field by field; those that say what was scored are refused whenever they change."""
    path = tmp_path / "r.jsonl"
    records = [json.loads(line) for name in COMMANDS if name not in UNALIGNED for line in runs[name][:3]]
    cases = [(record, at) for record in records for at in places(record)]
    chosen = random.Random(7)
    for _ in range(CASES):
        (record, at), how = chosen.choice(cases), chosen.choice((*WRONG, ...))
        changed, before = damaged(record, at, how)
        same = how is not ... and type(how) is type(before) and how == before
        path.write_text(json.dumps(changed) + "\n")
        error = refusal(path)
        assert error == one_by_one(path)
        if error is None:
            assert same or at[0] not in BOUND or how == before, (record, at, how)
            continue
        assert not same
        assert error.startswith(f"{path}:1: ")
        assert "\n" not in error
        assert len(error) < 500 + len(str(path))


# More values, which are written in unusual ways or hardly ever.
RARE = [10**30, 1e-400, 'a"b', [["=", "a", "a"]], -0.0, "\u00e9", {"alignment": []}]


def test_damaged_records_of_any_kind_are_refused_alike(runs: dict[str, list[str]]) -> None:
    """In columns and one by one: the same is said, also of lines that are no JSON any more."""
    records = [json.loads(line) for name in COMMANDS for line in runs[name][:3]]
    cases = [(record, at) for record in records for at in places(record)]
    chosen = random.Random(8)
    refused = 0
    for _ in range(CASES):
        (record, at), how = chosen.choice(cases), chosen.choice((*WRONG, *RARE, ...))
        if at == ("metric",) and how == "\ud800":  # which no message can show
            continue
        data = bytearray(json.dumps(damaged(record, at, how)[0]).encode())
        if chosen.random() < 0.1:
            data[chosen.randrange(len(data))] = chosen.choice(b'{}[]",:\\x0 9.-e\n\t')
        source = Source("r.jsonl", bytes(data))
        expected = None
        try:
            for each in read_objects(source):
                check(source, *each)
        except fm.InputError as error:
            expected = str(error)
        faults = [str(part.fault[0]) for part in record_columns(source) if part.fault]
        assert faults[:1] == ([] if expected is None else [expected]), (at, how)
        refused += expected is not None
    assert refused > CASES // 2


@pytest.mark.parametrize("field", sorted(BOUND))
@pytest.mark.parametrize("name", ["aligned", "grr", "moves", "mer", "wil", "costs", "gains"])
def test_every_field_of_a_path_is_bound(runs: dict[str, list[str]], name: str, field: str) -> None:
    """No other value of a field goes unseen."""
    for line in runs[name]:
        record = json.loads(line)
        for how in (*WRONG, ...):
            changed, before = damaged(record, (field,), how)
            if how == before or (field == "alignment" and how is ...):  # which is not always there
                continue
            source = Source("r.jsonl", json.dumps(changed).encode())
            with pytest.raises(fm.InputError, match=r"r\.jsonl:1: "):
                [check(source, *each) for each in read_objects(source)]
            with pytest.raises(fm.InputError, match=r"r\.jsonl:1: "):
                list(aligned_batches(source))


# Other ways to write a line of JSON: what a line becomes, and whether it is still one that is read.
WRITINGS = {
    "escapes": lambda line: re.sub(r'"([a-z])([a-z]*)"(?!:)', lambda m: f'"\\u{ord(m[1]):04x}{m[2]}"', line),
    "one escape": lambda line: line.replace('"the"', '"t\\u0068e"', 1),
    "white space": lambda line: "\t" + line.replace(", ", " ,\r ").replace(": ", "\t:") + " \r",
    "no spaces": lambda line: json.dumps(json.loads(line), separators=(",", ":")),
    "backwards": lambda line: json.dumps(dict(reversed(json.loads(line).items()))),
    "escaped name": lambda line: line.replace('"edits"', '"\\u0065dits"'),
    "a field twice": lambda line: line[:-1] + ', "edits": 99, ' + line[1:],
    "a field of one's own": lambda line: line[:-1] + ', "note": [{"a": "]}"}, []]}',
    "fields": lambda line: line[:-1] + ', "fields": {"speaker": "ann", "age": 7, "far": null}}',
    "minus zero": lambda line: line.replace('"moves": 0', '"moves": -0'),
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_lines_may_be_written_in_other_ways(
    runs: dict[str, list[str]], writing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read in batches as they are one by one, also where batches end between them."""
    lines = [f" {line}\n\n\u00a0" for line in map(WRITINGS[writing], runs["aligned"])]
    assert len({*lines}) > 1
    source = Source.open(written(tmp_path / "r.jsonl", "\n".join(lines)))
    objects = [record for _, record in read_objects(source)]
    aligned = [check(source, *each) for each in read_objects(source)]
    for size in (1, 3, 1000):
        monkeypatch.setattr(record_files, "BATCH", size)
        batches = list(aligned_batches(source))
        assert [len(batch.ids) for batch in batches] == [min(size, 4 - at) for at in range(0, 4, size)]
        assert [record for batch in batches for record in batch.objects] == objects
        assert [each for batch in batches for each in batch.aligned()] == aligned
        assert [id for batch in batches for id in batch.ids] == ["1", "4", "7", "10"]


@pytest.mark.parametrize("line", ["[1]", "x", '{"id": "a"', "\v{}", "null"])
def test_what_is_wrong_first_is_said(runs: dict[str, list[str]], line: str, tmp_path: Path) -> None:
    """Lines before one that is no record are checked before it."""
    first, second = runs["aligned"][:2]
    wrong = second.replace('"edits": ', '"edits": 1')
    for lines, number in (([first, line, wrong], 2), ([wrong, line], 1), ([first, second, line], 3)):
        path = written(tmp_path / "r.jsonl", "\n".join(lines))
        error = refusal(path)
        assert error == one_by_one(path)
        assert error is not None
        assert f"{path}:{number}: " in error


@pytest.mark.parametrize("command", ["errors", "show", "report", "correlate"])
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_has_not(
    runs: dict[str, list[str]], command: str, number: str, tmp_path: Path
) -> None:
    """Also in fields that nothing reads."""
    line = runs["aligned"][0][:-1] + f', "speed": {number}}}'
    path = written(tmp_path / "r.jsonl", "\n" + line + "\n")
    done = fstmetrics(command, path)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert f"{path}:2: no record: not JSON: " in done.err


def test_fields_of_ones_own_are_kept(runs: dict[str, list[str]], tmp_path: Path) -> None:
    record = json.loads(runs["aligned"][0]) | {"speaker": {"name": "ann", "age": 7}}
    path = written(tmp_path / "r.jsonl", json.dumps(record) + "\n")
    assert fstmetrics("show", path, "--style", "jsonl").records == [record]


def test_one_file_has_one_run(runs: dict[str, list[str]], tmp_path: Path) -> None:
    mixed = written(tmp_path / "mixed.jsonl", f"{runs['aligned'][0]}\n{runs['grr'][1]}\n")
    assert f"{mixed}:2: a record of a score by grr (fstmetrics|metric:grr|" in fstmetrics("errors", mixed).err
    line = runs["oracle"][0]
    twice = written(tmp_path / "twice.jsonl", f"{line}\n{line}\n")
    assert f"{twice}:2: id 'holmes01' comes twice, first in line 1" in fstmetrics("report", twice).err


def test_the_examples_of_the_docs_are_records() -> None:
    (aligned, *_) = [r.aligned for r in read_records(EXAMPLES / "records" / "hyter.jsonl")]
    assert aligned.positions == (0, 1, 2, 3, 4, 6, 5)


@pytest.mark.parametrize(
    "name", ["aligned", "characters", "references", "grammar", "choices", "hope", "bleu", "mbr"]
)
def test_records_have_the_signature_of_the_summary(name: str, tmp_path: Path) -> None:
    paths = {each: str(written(tmp_path / f"{each}.txt", text)) for each, text in TEXTS.items()}
    out = tmp_path / "r.jsonl"
    done = fstmetrics(*(paths.get(word, word) for word in COMMANDS[name]), "--json", "--output", out)
    signatures = {json.loads(line)["signature"] for line in out.read_text().splitlines()}
    assert signatures == {done.summary["signature"]}


def test_two_signatures_are_not_one_run_and_not_alike(runs: dict[str, list[str]], tmp_path: Path) -> None:
    first = json.loads(runs["aligned"][0])
    other = first | {"id": "2", "signature": first["signature"] + "|case:lower"}
    mixed = written(tmp_path / "mixed.jsonl", f"{json.dumps(first)}\n{json.dumps(other)}\n")
    assert f"{mixed}:2: a record of a score by wer (fstmetrics|metric:wer" in fstmetrics("errors", mixed).err
    one, two = (
        written(tmp_path / f"{name}.jsonl", json.dumps(record) + "\n")
        for name, record in (("one", first), ("two", other | {"id": first["id"]}))
    )
    shown = fstmetrics("errors", one, "--against", two).out.splitlines()
    assert shown[:3] == [
        "the two were not scored alike:",
        f"  one: {first['signature']}",
        f"  two: {other['signature']}",
    ]
    remark = f"the two were not scored alike: one: {first['signature']}; two: {other['signature']}"
    assert fstmetrics("errors", one, "--against", two, "--json").summary["remarks"] == [remark]
    assert "remarks" not in fstmetrics("errors", one, "--against", f"same={one}", "--json").summary
    page = str(tmp_path / "page.html")
    assert fstmetrics("report", one, two, "-o", page).err == f"{remark}\n"
    assert fstmetrics("report", one, f"same={one}", "-o", page).err == ""
    assert fstmetrics("errors", one).out.rstrip().endswith(first["signature"])


def test_deep_brackets_in_a_journal_end_what_is_finished(tmp_path: Path) -> None:
    """The line of a batch that was damaged: what lies before it is taken, the rest is done again."""
    out = tmp_path / "o.jsonl"
    with Unfinished(str(out), {}, False) as run:
        run.write([("{}\n", Entry("a", [Term(Series("best"), numbers={"score": 1.0})]))])
    with (tmp_path / "o.jsonl.journal").open("a") as journal:
        journal.write("[" * 100_000 + "\n")
    with Unfinished(str(out), {}, True) as run:
        assert [entry.id for entry in run.entries()] == ["a"]


def test_words_ids_and_cards_never_become_markup(tmp_path: Path) -> None:
    """What ends a script, opens a comment, quotes, turns the direction of text, or rings the bell."""
    evil = "</script><!--\"'&amp;<img src=x>\u202e\x07\x1b[31m"
    result = fm.align(f"{evil} a", f"{evil} b")
    fields = result.as_dict() | {"id": evil, "cards": [[evil, evil, 0, 1]]}
    path = written(tmp_path / "</r>&amp;.jsonl".replace("/", ""), json.dumps(fields) + "\n")
    assert fstmetrics("report", path, "-o", tmp_path / "page.html").status == 0
    page = (tmp_path / "page.html").read_text()
    assert (page.count("</script>"), page.count("<!--"), "<img" in page) == (2, 0, False)
    data, _ = unpacked(page.partition('id="data">')[2].partition("</script>")[0])
    assert (data["ids"][0], data["cards"][0][0], data["title"]) == (evil, evil, path.name)
