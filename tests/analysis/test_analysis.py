"""Records read back, errors added up, two systems side by side; each table against counting by hand."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections import Counter
from pathlib import Path
from unittest import mock

import pytest
from command import EXAMPLES, HYTER, ORACLE, fstmetrics
from hypothesis import given
from hypothesis import strategies as st
from slow_errors import SlowErrors, slow_beside
from texts_in_files import leave_in_files, never_whole

import fstmetrics as fm
from fstmetrics.analysis import missing_ngrams, record_table
from fstmetrics.analysis.error_counts import added_up, total
from fstmetrics.analysis.missing_ngrams import MAX_ORDER
from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.analysis.record_table import RecordTable, Vocabulary, empty_table, read_table, table_of
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.analysis.side_by_side import beside
from fstmetrics.io.formats import records as record_files
from fstmetrics.io.formats.records import aligned_of
from fstmetrics.reports.alignment import out_of_turn
from fstmetrics.reports.error_tables import errors_dict
from fstmetrics.support.json_text import json_pieces, written_json
from fstmetrics.support.source import Source

REFERENCES = ["the cat sat on the mat", "a b c d", "", "x y"]
FIRST = ["the hat sat on mat", "a b c d", "noise", "x y"]
SECOND = ["the cat sat the mat", "b c d e", "", "y x"]


def written(folder: Path, name: str, hypotheses: list[str], *more: str) -> str:
    """Records of a system, as the command writes them."""
    (folder / "ref.txt").write_text("\n".join(REFERENCES) + "\n")
    (folder / f"{name}.txt").write_text("\n".join(hypotheses) + "\n")
    out = folder / f"{name}.jsonl"
    done = fstmetrics(
        "score",
        str(folder / "ref.txt"),
        str(folder / f"{name}.txt"),
        "--alignment",
        "--output",
        str(out),
        *more,
    )
    assert done.status == 0, done.err
    return str(out)


def records_of(references: list[list[str]], hypotheses: list[list[str]]) -> list[Record]:
    results = [fm.align(h, fm.Alternatives([r])) for h, r in zip(hypotheses, references, strict=True)]
    found = []
    for number, result in enumerate(results):
        fields = result.as_dict()
        found.append(Record(str(number), fields, aligned_of(fields)))
    return found


def table(records: list[Record], words: Vocabulary | None = None) -> RecordTable:
    """The table of records that are written, and read again."""
    lines = [json.dumps({**record.fields, "id": record.id}) for record in records]
    return table_of(Source("records", "\n".join(lines).encode()), words)


words = st.lists(st.sampled_from("abc"), max_size=7)


@given(st.lists(st.tuples(words, words), max_size=5))
def test_sums_agree_with_the_results(pairs: list[tuple[list[str], list[str]]]) -> None:
    records = records_of([r for r, _ in pairs], [h for _, h in pairs])
    errors = total(table(records)) if records else added_up([])
    for op, name in (("S", "substitutions"), ("I", "insertions"), ("D", "deletions")):
        assert sum(row.count for row in errors.rows(op)) == sum(r.fields[name] for r in records)
    assert sum(p.words for p in errors.by_position()) == sum(r.path_length for r in records)
    assert sum(p.errors for p in errors.by_position()) == sum(r.edits for r in records if r.path_length)
    assert sum(p.items for p in errors.by_length()) == len(records)
    assert sum(p.errors for p in errors.by_length()) == sum(r.edits for r in records)
    assert all(0 < row.rate <= 1 for row in errors.rows())
    lacking = Counter()
    for reference, hypothesis in pairs:
        for order in range(1, 5):
            grams = [
                Counter(tuple(side[i : i + order]) for i in range(len(side) - order + 1))
                for side in (reference, hypothesis)
            ]
            lacking.update(grams[0] - grams[1])
    found = (gram for order in range(1, 5) for gram in errors.missing_ngrams(order))
    assert dict(found) == lacking


ROUTES = (
    lambda h, r: fm.align(h, fm.Alternatives([r])),
    lambda h, r: fm.align(h, fm.Alternatives([r]), fm.HyTER(3)),
    lambda h, r: fm.align(h, fm.Alternatives([r]), fm.HyTER(4, "jumps")),
    lambda h, r: fm.align(h, fm.Transcript.parse(" ".join(["<*>", *r]), "wildcards")),
)


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=6), st.sampled_from(range(len(ROUTES))))
def test_columns_give_what_counters_do(texts: list[tuple[list[str], ...]], route: int) -> None:
    """Also with words in another order, and under wildcards."""
    systems = []
    for side in (0, 1):
        records = []
        for number, (*hypotheses, reference) in enumerate(texts):
            fields = ROUTES[route](hypotheses[side], reference).as_dict()
            records.append(Record(str(number), fields, aligned_of(fields)))
        systems.append(records)
    vocabulary = Vocabulary()
    for n, records in enumerate(systems * 2):
        # All at once, then in parts, as of a file.
        parts = [records] if n < 2 else [[record] for record in records]
        with mock.patch.object(missing_ngrams, "FEW", 0):
            fast = added_up(table(part, vocabulary) for part in parts)
        slow = SlowErrors()
        for record in records:
            slow.take(record)
        for op, word, least in ((None, None, 1), ("S", None, 1), (None, "a", 1), (None, None, 2)):
            assert fast.rows(op, word, least) == slow.rows(op, word, least)
        assert (fast.by_position(), fast.by_length()) == (slow.by_position(), slow.by_length())
        for order in range(1, MAX_ORDER + 1):
            assert fast.missing_ngrams(order) == slow.missing_ngrams(order)
        assert (fast.moves, fast.items_with_moves, fast.moved) == (
            slow.moves, slow.items_with_moves, slow.moved
        )  # fmt: skip
    first, second = (table(records, vocabulary) for records in systems)
    by_id = [{record.id: record for record in records} for records in systems]
    assert beside(first, second) == slow_beside(*by_id)
    with mock.patch.object(record_table, "TOGETHER", 1):
        assert beside(first, second) == slow_beside(*by_id)


def test_ngrams_of_many_words_have_keys_of_their_own() -> None:
    """Where four numbers of words no longer go into one integer."""
    words = [f"w{i}" for i in range(70_000)]
    errors = total(table(records_of([words], [[*words[:-4], "x"]])))
    ends = words[-7:]
    for order in range(1, 5):
        lacking = [(tuple(ends[i : i + order]), 1) for i in range(4 - order, 8 - order) if i + order <= 7]
        assert errors.missing_ngrams(order) == [gram for gram in lacking if gram[0][-1] >= "w69996"]


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("more", ["", "\n\n", "{first}\n", "{}\n", "\ufffe"], ids=repr)
@pytest.mark.parametrize("size", [1, 400, 5000])
def test_records_are_read_in_pieces(
    size: int, more: str, is_packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are read at once, and never all of them; of ids that come twice the lines are found."""
    words = random.Random(1).choices(["a", "b", "ä", "e", "d"], k=400)
    runs = [(words[n : n + 9], words[n + 1 : n + 1 + n % 9]) for n in range(60)]
    text = "\n".join(
        json.dumps({**fm.align(hyp, ref).as_dict(), "id": f"u{n}"}, ensure_ascii=n % 2 == 0)
        for n, (hyp, ref) in enumerate(runs)
    )
    data = (text + "\n" + more.replace("{first}", text.split("\n")[0])).encode("utf-8", "surrogatepass")
    if more == "\ufffe":
        data += b"\xff"
    path = tmp_path / "records.jsonl"
    path.write_bytes(gzip.compress(data) if is_packed else data)
    monkeypatch.setattr(record_files, "BATCH", 7)
    commands = [["errors", path, "--json"], ["errors", path, "--against", path], ["show", path]]
    expected = [fstmetrics(*command) for command in commands]
    assert {found.status for found in expected} == {0 if more in ("", "\n\n") else 2}
    leave_in_files(monkeypatch, least=size)
    monkeypatch.setattr(record_table, "TOGETHER", 2)
    if more != "\ufffe":
        never_whole(monkeypatch)
    assert [fstmetrics(*command) for command in commands] == expected


def test_rows_filter_and_sort(tmp_path: Path) -> None:
    errors = total(read_table(written(tmp_path, "first", FIRST)))
    assert [(r.op, r.reference, r.hypothesis, r.count, r.of) for r in errors.rows()] == [
        ("S", "cat", "hat", 1, 1),
        ("I", None, "noise", 1, 1),
        ("D", "the", None, 1, 2),
    ]
    assert [r.op for r in errors.rows(op="D")] == ["D"]
    assert [r.op for r in errors.rows(word="hat")] == ["S"]
    assert errors.rows(min_count=2) == []


def test_two_systems_are_compared_word_by_word(tmp_path: Path) -> None:
    words = Vocabulary()
    systems = (("first", FIRST), ("second", SECOND))
    first, second = (read_table(written(tmp_path, *system), words) for system in systems)
    both = beside(first, second)
    assert (both.better, both.worse, both.equal) == (2, 2, 0)
    assert {(w.word, w.first, w.second) for w in both.words} == {
        ("cat", 0, 1), ("the", 0, 1), ("on", 1, 0), ("a", 1, 0), ("x", 1, 0)
    }  # fmt: skip
    assert next(w.instead for w in both.words if w.word == "cat") == "hat"
    second = table([r for r in read_records(tmp_path / "second.jsonl") if r.id != "2"], words)
    with pytest.raises(
        fm.FstmetricsError, match="the second system has no record for 2; both must be scored"
    ):
        beside(first, second)


def test_errors_prints_kinds_counts_and_filters(tmp_path: Path) -> None:
    first, second = written(tmp_path, "first", FIRST), written(tmp_path, "second", SECOND)
    text = fstmetrics("errors", first)
    assert "substitutions: 1 of 1 kind\n" in text.out
    assert "cat        hat" in text.out
    found = json.loads(fstmetrics("errors", first, "--json").out)
    assert found["items"] == 4
    assert {row["op"] for row in found["errors"]} == {"S", "I", "D"}
    assert "first better in 2 items, second in 2" in fstmetrics("errors", first, "--against", second).out
    assert "no errors that fit the filters" in fstmetrics("errors", first, "--word", "zzz").out


def test_numbers_stand_to_the_right(tmp_path: Path) -> None:
    lines = fstmetrics("errors", written(tmp_path, "first", FIRST)).out.splitlines()
    head, row, *_ = lines[lines.index("by reference length") + 1 :]
    assert (head.split()[0], row.split()[:2]) == ("items", ["0-5", "3"])
    assert row[head.index("items") :].index("3") == len("items") - 1


def test_what_the_other_has_is_counted(tmp_path: Path) -> None:
    """At equal counts a word goes before nothing."""
    words = {"=": "yes", "D": None, "S": "zes"}
    counts = {"metric": "wer", "insertions": 0, "moves": 0, "path_length": 1, "gain": None, "max_gain": None}
    for name, ops in (("first", "===="), ("second", "DSDS")):
        with (tmp_path / name).open("w") as stream:
            for number, op in enumerate(ops):
                edits = int(op != "=")
                fields = {"id": str(number), "score": float(edits), "edits": edits, "closest": ["yes"],
                          "hypothesis": [words[op]] if words[op] else [],
                          "alignment": [[op, words[op], "yes"]]}  # fmt: skip
                of_op = {
                    "matches": int(op == "="),
                    "substitutions": int(op == "S"),
                    "deletions": int(op == "D"),
                }
                stream.write(json.dumps(counts | fields | of_op) + "\n")
    shown = fstmetrics("errors", tmp_path / "first", "--against", tmp_path / "second").out
    assert "  yes       4       0          zes 2\n" in shown
    assert shown.startswith("first better in 4 items, second in 0, equal in 0\n")
    named = fstmetrics("errors", f"old={tmp_path / 'first'}", "--against", f"new={tmp_path / 'second'}").out
    assert named.startswith("old better in 4 items, new in 0, equal in 0\n")
    assert "  word  old  new  the other has\n" in named
    (tmp_path / "new").mkdir()
    again = (tmp_path / "new" / "first").write_text(
        (tmp_path / "second").read_text()
    ) and tmp_path / "new" / "first"
    assert fstmetrics("errors", tmp_path / "first", "--against", again).out == shown


def test_records_of_oracles_say_so(tmp_path: Path) -> None:
    out = tmp_path / "oracle.jsonl"
    fstmetrics("oracle", *ORACLE, "--alignment", "--output", out)
    shown = fstmetrics("show", out, "--limit", "1").out.splitlines()
    assert shown[0].startswith("oracles: the best path of each lattice")
    assert shown[1] == "S substitution, I insertion, D deletion"  # no moves, where there is no window
    assert shown[3] == "holmes01  oracle wer 0.1429  (2 sub, 1 ins, 0 del; 21 reference words)  1-best 0.4286"
    said = "oracle wer 0.0667, 1-best 0.3778"  # as the command's own summary, in the README
    assert fstmetrics("errors", out).out.startswith(said + ": the errors are those of the oracle's paths")
    assert fstmetrics("errors", out, "--against", out).out.splitlines()[:2] == [
        f"first: {said}",
        f"second: {said}",
    ]
    summary = json.loads(
        fstmetrics("oracle", *ORACLE, "--metric", "grr", "--json", "--alignment", "--output", out).out
    )
    found = json.loads(fstmetrics("errors", out, "--json").out)["oracle"]
    assert found == {"score": summary["score"], "one_best": summary["one_best"]["score"]}
    system = written(tmp_path, "first", FIRST)
    assert json.loads(fstmetrics("errors", system, "--json").out)["oracle"] is None
    assert "oracle" not in fstmetrics("show", system).out + fstmetrics("errors", system).out


def test_show_sorts_by_the_worst_and_filters(tmp_path: Path) -> None:
    first = written(tmp_path, "first", FIRST)
    shown = fstmetrics("show", first, "--limit", "1").out
    assert "HYP noise" in shown  # infinitely bad
    lines = fstmetrics("show", first, "--style", "jsonl", "--limit", "0").out.splitlines()
    assert [json.loads(line)["edits"] for line in lines] == [1, 2, 0, 0]
    rows = list(csv.DictReader(io.StringIO(fstmetrics("show", first, "--style", "csv", "--op", "S").out)))
    assert [(r["op"], r["hypothesis"], r["reference"]) for r in rows if r["op"] != "="] == [
        ("S", "hat", "cat"), ("D", "", "the")
    ]  # fmt: skip
    out = tmp_path / "shown.txt"
    assert fstmetrics("show", first, "--id", "2", "--output", str(out)).status == 0
    assert "HYP a b c d" in out.read_text()
    absent = fstmetrics("show", first, "--id", "2", "--id", "22")
    assert (absent.status, absent.out) == (2, "")
    assert absent.err == f"fstmetrics: {first} has no item '22'; it has 2\n"
    several = fstmetrics("show", first, *(part for id in range(90, 95) for part in ("--id", id)))
    assert f"{first} has no items '90', '91', '92' and 2 more; it has " in several.err


def test_show_prints_every_path(tmp_path: Path) -> None:
    best = written(tmp_path, "first", FIRST, "--nbest", "2", "--ref", str(tmp_path / "ref.txt"))
    assert "  1. " in fstmetrics("show", best).out


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("1", "expected a JSON object, found int"),
        ("{", "no record: not JSON: Expecting property name"),
        ("hello there", "no record: the line is not JSON; score, hyter and oracle write records with"),
        (
            '{"id": 1}',
            "the record has no alignment; score, hyter and oracle write records with --alignment --output",
        ),
        ('{"id": 1, "expected_loss": 0.5}', "mbr has no alignment, as there was no reference"),
        ('{"id": 1, "metric": "bleu", "statistics": {}}', "bleu aligns no words; score with wer"),
        (
            '{"alignment": [], "edits": 1, "id": null, "metric": "wer"}',
            "not a record of fstmetrics: no field 'matches'",
        ),
        ('{"alignment": [["=", "a", null]]}', "not a record of fstmetrics: no field 'id'"),
        (
            '{"metric": "grr", "score": 1, "edits": 0, "matches": 0, "substitutions": 0, "insertions": 0, '
            '"deletions": 0, "moves": 0, "path_length": 0, "alignment": [], "gain": [1], "max_gain": 0, "id": "a"}',
            "not a record of fstmetrics: gain: expected a number, found [1]; the record was damaged or edited",
        ),
    ],
)
def test_what_is_no_record_is_named_with_its_line(line: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n" + line + "\n")
    done = fstmetrics("errors", str(path))
    assert done.status == 2
    assert f"{path}:2: " in done.err
    assert what in done.err


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "command", [["errors"], ["show"], ["score", "ref.txt"], ["report", "--output", "page.html"]]
)
def test_records_in_a_list_are_told_how_to_part_them(
    command: list[str], indent: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = Path(written(tmp_path, "first", FIRST, "--ref", "ref.txt")).read_text().splitlines()
    Path("list.json").write_text(json.dumps([json.loads(line) for line in lines], indent=indent))
    done = fstmetrics(*command, "list.json")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "list.json: no record: a JSON list" in done.err
    assert "as jq -c '.[]' FILE writes them" in done.err


def test_tables_of_wide_letters_line_up(tmp_path: Path) -> None:
    """Every letter of Chinese takes two columns."""
    (tmp_path / "ref").write_text("今天气 y\n好\n")
    (tmp_path / "hyp").write_text("今天 x\n好\n")
    path = str(tmp_path / "zh.jsonl")
    fstmetrics("score", str(tmp_path / "ref"), str(tmp_path / "hyp"), "--alignment", "--output", path)
    rows = fstmetrics("errors", path, "--op", "S").out.splitlines()[1:4]
    assert rows == [
        "  reference  hypothesis  count  of    rate",
        "  y          x               1   1  100.0%",
        "  今天气     今天            1   1  100.0%",
    ]
    same = fstmetrics("errors", path, "--against", path).out
    assert "words only one gets right\n  none\n" in same


def test_errors_of_nothing() -> None:
    errors = added_up([])
    assert errors.rows() == errors.missing_ngrams(2) == []
    assert all(part.rate is None for part in errors.by_position())


def test_the_records_among_the_examples_are_those_of_the_command(tmp_path: Path) -> None:
    out = tmp_path / "hyter.jsonl"
    fstmetrics("hyter", *HYTER, "--window", "3", "--alignment", "--output", str(out))
    assert (EXAMPLES / "records" / "hyter.jsonl").read_text() == out.read_text()


def test_moves_are_marked(tmp_path: Path) -> None:
    """A block of two words goes to the front: one move, or two jumps; both words are out of turn."""
    for reordering, paid, blocks in (("moves", 1, [("c a", "b")]), ("jumps", 2, [("c", "b"), ("a", "b")])):
        result = fm.align("b c a d", "c a b d", fm.HyTER(3, reordering))  # type: ignore[arg-type]
        fields = result.as_dict() | {"id": "u"}
        path = tmp_path / f"{reordering}.jsonl"
        path.write_text(json.dumps(fields) + "\n")
        (read,) = read_records(path)
        assert [pair.moves for pair in read.alignment] == [pair.moves for pair in result.alignment]
        assert [pair.position for pair in read.alignment] == [1, 2, 0, 3]
        assert out_of_turn(read.alignment) == [True, True, False, False]
        assert sum(pair.moves for pair in read.alignment) == paid == result.moves
        assert sorted(total(table([read])).moved.elements()) == sorted(blocks)
        assert "words moved" in fstmetrics("errors", str(path)).out
        shown = fstmetrics("show", str(path)).out.splitlines()
        assert shown[0].endswith("< reordering move")
        assert shown[-2].split() == ["<"] * result.moves
        assert shown[-2].index("<") == shown[-4].index("c")
        assert [line.split()[0] for line in shown[-5:-2]] == ["HYP", "ORD", "REF"]
        assert shown[-5] == "HYP b c a d"
        assert str(result).splitlines()[1] == "HYP b c a d"


def test_an_order_that_is_none_is_refused(tmp_path: Path) -> None:
    fields = fm.align("b a", "a b", fm.HyTER(2)).as_dict()
    for change, what in (
        ({"order": [0, 0]}, "expected an order of the 2 words"),
        ({"order": ["x", 1]}, "not a record"),
        ({"order": 7}, "not a record"),
        ({"moves": 2, "score": 1.0}, "does not take 2 moves"),
    ):
        path = tmp_path / "r.jsonl"
        path.write_text(json.dumps(fields | change) + "\n")
        done = fstmetrics("show", str(path))
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert what in done.err
        assert "r.jsonl: line 1" in done.err or "r.jsonl:1" in done.err


def test_words_under_wildcards_are_no_errors(tmp_path: Path) -> None:
    result = fm.align("we met uh him x", fm.Transcript.parse("we met <*> him", "wildcards"))
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(result.as_dict()) + "\n")
    (read,) = read_records(path)
    assert ["*", "uh", None] in result.as_dict()["alignment"]
    assert read.hypothesis == ["we", "met", "him", "x"]
    rows = total(table([read])).rows()
    assert [(row.op, row.hypothesis) for row in rows] == [("I", "x")]
    assert sum(part.errors for part in total(table([read])).by_position()) == 1
    assert "<*>" in fstmetrics("show", str(path)).out
    assert "u" not in fstmetrics("show", str(path), "--word", "uh").out.partition("\n")[2]


@pytest.mark.parametrize("together", [1, 7, 100])
def test_tables_are_added_up_in_parts_as_at_once(monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    rng = random.Random(5)
    texts = [[" ".join(rng.choices("abcd", k=rng.randint(0, 9))) for _ in range(50)] for _ in range(2)]
    table = table_of_results(fm.score(*texts))
    whole = added_up([table])
    monkeypatch.setattr(record_table, "TOGETHER", together)
    parts = list(table.parts())
    assert [id for part in parts for id in part.ids] == table.ids
    assert [part.sides(n) for part in parts for n in range(len(part))] == list(map(table.sides, range(50)))
    for found in (total(table), added_up(parts)):
        assert errors_dict(found, None, None, 1) == errors_dict(whole, None, None, 1)
        streamed = errors_dict(found, None, None, 1, iter)
        assert "".join(json_pieces(streamed)) == written_json(errors_dict(whole, None, None, 1))
    assert [len(part) for part in empty_table().parts()] == [0]
