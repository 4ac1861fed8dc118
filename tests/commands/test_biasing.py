"""B-WER and U-WER: against their definition, by every command that has them, and with lists in every layout."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from biasing_by_definition import counts_by_definition
from command import called, fstmetrics, written

import fstmetrics as fm
from fstmetrics.support.errors import FstmetricsError

# The first items with errors of test-clean under a baseline, and what the authors' script counts of them.
REFERENCE = {
    "a-1": "the air and the earth are curiously mated and intermingled",
    "a-2": "thou nymph of the fountain art thou ophelia",
    "b-1": "we met monsieur lachaille at the gate",
    "b-2": "",
}
HYPOTHESIS = {
    "a-1": "the air and earth are curiously made it and intermingled",
    "a-2": "thou nymph of mountain of the fountain art thou ofelia",
    "b-1": "we met the mated monsieur lashay at the gate",
    "b-2": "well",
}
LISTS = {
    "a-1": ["mated", "intermingled"],
    "a-2": ["nymph", "ophelia"],
    "b-1": ["lachaille", "monsieur", "mated"],
    "b-2": [],
}
# By eye: mated is substituted, ophelia, lachaille; mated is inserted where it is in the list.
# The others: `it`, `mountain of`, `the` and `well` are inserted, `the` is deleted.
B = {"edits": 4, "substitutions": 3, "insertions": 1, "deletions": 0, "matches": 3, "path_length": 6}
U = {"edits": 6, "substitutions": 0, "insertions": 5, "deletions": 1, "matches": 18, "path_length": 19}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with both sides and the lists, as the authors' files have them."""
    monkeypatch.chdir(tmp_path)
    for name, side in (("ref.txt", REFERENCE), ("hyp.txt", HYPOTHESIS)):
        (tmp_path / name).write_text("".join(f"{id} {text}\n" for id, text in side.items()))
    (tmp_path / "lists.tsv").write_text(
        "".join(f'{id}\t{REFERENCE[id]}\t{json.dumps(words)}\t["x"]\n' for id, words in LISTS.items())
    )
    return tmp_path


def summary(*options: str, command: str = "score ref.txt hyp.txt") -> dict[str, Any]:
    """What a command prints with --json."""
    return fstmetrics(*command.split(), *options, "--json").summary


def test_errors_are_counted_where_their_words_belong(here: Path) -> None:
    found = summary("--biasing", "lists.tsv")
    assert found["biasing"] == {"b": B, "u": U}
    assert (found["b_wer"], found["u_wer"]) == (4 / 6, 6 / 19)
    for name in ("edits", "matches", "substitutions", "insertions", "deletions", "path_length"):
        assert found[name] == B[name] + U[name]
    plain = summary()
    alike = plain.keys() - {"settings", "signature"}
    assert {name: found[name] for name in alike} == {name: plain[name] for name in alike}
    assert summary("--biasing", "lists.tsv", "--metric", "sclite")["biasing"] == {"b": B, "u": U}


def test_counts_are_those_of_a_cheapest_alignment_and_add_up(tmp_path: Path) -> None:
    rng = random.Random(7)
    sides: list[dict[str, str]] = [
        {f"u-{n}": " ".join(rng.choices("abcd", k=rng.randint(0, 5))) for n in range(300)} for _ in range(2)
    ]
    lists = {id: rng.sample("abcd", rng.randint(0, 4)) for id in sides[0]}
    for name, side in zip(("hyp", "ref"), sides, strict=True):
        (tmp_path / name).write_text("".join(f"{id} {text}\n" for id, text in side.items()))
    (tmp_path / "lists.json").write_text(json.dumps(lists))
    output = tmp_path / "r.jsonl"
    found = fm.score_files(
        references=tmp_path / "ref", hypotheses=tmp_path / "hyp", biasing=tmp_path / "lists.json", alignment=True,
        output=output,
        format="kaldi-text", ref_format="kaldi-text",
    )  # fmt: skip
    sums = [0, 0, 0, 0]
    for line in output.read_text().splitlines():
        record = json.loads(line)
        id = record["id"]
        own = [record["biasing"][name][count] for name in "bu" for count in ("edits", "path_length")]
        assert tuple(own) in counts_by_definition(sides[0][id].split(), sides[1][id].split(), set(lists[id]))
        assert own[0] + own[2] == record["edits"]
        assert record["biasing"]["words"] == sorted(
            set(lists[id]) & {*sides[0][id].split(), *sides[1][id].split()}
        )
        sums = [a + b for a, b in zip(sums, own, strict=True)]
    assert found.classes is not None
    assert sums == [n for each in found.classes for n in (each.edits, each.path_length)]
    assert found.classes[0] + found.classes[1] == found.sums.of(fm_best()).sum()
    assert fm.errors_files(output).summary()["b_wer"] == sums[0] / sums[1] == found.summary()["b_wer"]


def fm_best() -> Any:
    """The series of the best paths."""
    from fstmetrics.scoring.sums import BEST

    return BEST


def test_columns_of_a_table_to_paste_do_not_depend_on_the_numbers(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("id,ref,hyp,field\na,the cat,the cat,x\nb,the dog,the dot,y\n")
    heads = []
    for word, rates in (("dog", ["1.0", "", "1.0"]), ("zebra", ["", "", ""])):
        (tmp_path / "list.txt").write_text(f"{word}\n")
        for form, delimiter in (("--csv", ","), ("--tsv", "\t")):
            out = fstmetrics(
                "score", table, "--biasing", tmp_path / "list.txt", "--by", "field", form
            ).out.splitlines()
            rows = list(csv.DictReader(out, delimiter=delimiter))
            heads.append(out[0].split(delimiter))
            assert [row["b_wer"] for row in rows] == rates
            assert [float(row["u_wer"]) for row in rows] == ([0, 0, 0] if word == "dog" else [0.25, 0, 0.5])
            assert all(int(row["b_edits"]) + int(row["u_edits"]) == int(row["edits"]) for row in rows)
            assert [row["value"] for row in rows] == ["", "x", "y"]
    assert all(head == heads[0] for head in heads)


def test_tables_by_field_records_errors_show_and_page(here: Path) -> None:
    options = ("--biasing", "lists.tsv", "--by", "speaker", "--speakers", "spu_id")
    rows = summary(*options)["by"]["speaker"]
    assert [(row["value"], row["biasing"]["b"]["edits"], row["biasing"]["u"]["edits"]) for row in rows] == [
        ("a", 2, 4), ("b", 2, 2),
    ]  # fmt: skip
    assert [row["b_wer"] for row in rows] == [0.5, 1.0]
    lines = fstmetrics("score", "ref.txt", "hyp.txt", *options).out.splitlines()
    (head,) = [line.split() for line in lines if line.startswith("speaker")]
    (all_,) = [line.split() for line in lines if line.startswith("all")]
    assert all_[head.index("b-wer")] == "0.6667"
    assert all_[head.index("u-wer")] == "0.3158"
    fstmetrics("score", "ref.txt", "hyp.txt", *options, "--alignment", "--output", "r.jsonl")
    line = "B-WER 0.6667 (4 / 6), U-WER 0.3158 (6 / 19)"
    assert fstmetrics("errors", "r.jsonl").out.startswith(line + "\n")
    assert fstmetrics("errors", "r.jsonl", "--json").summary["biasing"] == {"b": B, "u": U}
    assert "B-WER - (0 / 0), U-WER - (1 / 0)" in fstmetrics("show", "r.jsonl").out
    assert fstmetrics("report", "r.jsonl", "-o", "page.html").status == 0
    from fstmetrics.analysis.record_table import read_table
    from fstmetrics.apps.pages import Shown, page_data
    from fstmetrics.apps.pages.shown import System

    data, _ = page_data({"r": System(read_table("r.jsonl"))}, Shown("x"))
    assert data["remarks"] == [line]


def test_shards_threads_and_workers_count_the_same(here: Path) -> None:
    whole = fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv").out
    for n in "12":
        shard = fstmetrics(
            "score",
            "ref.txt",
            "hyp.txt",
            "--biasing",
            "lists.tsv",
            "--shard",
            f"{n}/2",
            "--output",
            f"{n}.jsonl",
        )
        assert shard.status == 0
    assert fstmetrics("merge", "1.jsonl", "2.jsonl", "--output", "m.jsonl").out == whole
    assert fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv", "--jobs", "3").out == whole
    ended = fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv", "--output", "o.jsonl")
    assert ended.out == whole


def test_other_lists_are_another_run(here: Path) -> None:
    command = ("score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv", "--output", "o.jsonl")
    settings = summary("--biasing", "lists.tsv")["settings"]["biasing"]
    assert fstmetrics(*command).status == 0
    text = (here / "lists.tsv").read_text()
    (here / "lists.tsv").write_text(text.replace('ophelia"]', 'fountain"]'))
    assert summary("--biasing", "lists.tsv")["settings"]["biasing"] != settings


LAYOUTS = {
    "lists.json": json.dumps(LISTS),
    "rows.jsonl": "".join(json.dumps({"id": id, "rare": words}) + "\n" for id, words in LISTS.items()),
    "rows.json": json.dumps([{"utt": id, "rare": words} for id, words in LISTS.items()]),
    "windows.tsv": "".join(f"{id}\tx\t{json.dumps(words)}\r\n" for id, words in LISTS.items()),
    "blank.tsv": "\n" + "".join(f"{id}\tx\t{json.dumps(words)}\n\n" for id, words in LISTS.items()),
    "rows.csv": "id,rare\n" + "".join(
        '{},"{}"\n'.format(id, json.dumps(words).replace('"', '""')) for id, words in LISTS.items()
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_lists_in_every_layout(name: str, here: Path) -> None:
    (here / name).write_text(LAYOUTS[name], newline="")
    fields = ("--fields", "id=utt") if name == "rows.json" else ()
    if fields:
        (here / "ref.jsonl").write_text(
            "".join(json.dumps({"utt": id, "text": text}) + "\n" for id, text in REFERENCE.items())
        )
    reference = "ref.jsonl" if fields else "ref.txt"
    found = summary("--biasing", name, *fields, command=f"score {reference} hyp.txt")
    assert found["biasing"] == {"b": B, "u": U}


def test_a_column_of_the_table_that_is_scored(here: Path) -> None:
    rows = [
        {
            "id": id,
            "text": REFERENCE[id],
            "pred_text": HYPOTHESIS[id],
            "rare": LISTS[id],
            "others": ["x", "y"],
        }
        for id in LISTS
    ]
    (here / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = summary("--biasing", "rare=rows.jsonl", command="score rows.jsonl")
    assert found["biasing"] == {"b": B, "u": U}
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(rows), "rows.parquet")
    assert summary("--biasing", "rare=rows.parquet", command="score rows.jsonl")["biasing"] == {
        "b": B,
        "u": U,
    }


def test_one_list_for_all_goes_through_the_normalisation_of_the_texts(here: Path) -> None:
    (here / "words.txt").write_text("# names\nOphelia!\nLACHAILLE\n\n,\n")
    (here / "plain.txt").write_text("ophelia\nlachaille\n")
    options = ("--lowercase", "--remove-punctuation")
    assert summary(*options, "--biasing", "words.txt")["biasing"]["b"]["path_length"] == 2
    assert (
        summary(*options, "--biasing", "words.txt")["biasing"] == summary("--biasing", "plain.txt")["biasing"]
    )
    assert summary("--biasing", "words.txt")["b_wer"] is None
    assert "B-WER       -" in fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "words.txt").out


@pytest.mark.parametrize(
    ("word", "options"),
    [
        ("caf\u00e9", ["--normalise-unicode", "nfc"]),
        ("CAFE\u0301", ["--lowercase"]),
        ("caf\u00e9", ["--profile", "whisper-basic"]),
        ("b", []),
        ("inserted", []),
    ],
)
@pytest.mark.parametrize("by_id", [False, True])
def test_a_list_of_which_no_word_is_there_has_a_remark(
    word: str, options: list[str], by_id: bool, tmp_path: Path
) -> None:
    for name, text in (("ref", "u1 cafe\u0301 a\nu2 b\n"), ("hyp", "u1 cafe\u0301 a inserted\nu2 b\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    content = json.dumps({"u1": [word], "u2": [word]}) if by_id else word + "\n"
    (tmp_path / "list").write_text(content, encoding="utf-8")
    command = ("score", tmp_path / "ref", tmp_path / "hyp", "--biasing", tmp_path / "list")
    said = "list: no word of the list is in any reference or hypothesis"
    plain = fstmetrics(*command).out
    assert (said in plain) == bool(options)
    assert (
        not options
        or f"{said}; if it is written otherwise there, --lowercase or --normalise-unicode nfc" in plain
    )
    there = fstmetrics(*command, *options)
    assert there.status == 0
    assert said not in there.out


def test_entries_of_several_words_are_told(tmp_path: Path) -> None:
    """What the line advises finds them; a comma in a number parts nothing."""
    ref, hyp = written(tmp_path / "ref", "call ophelia\n"), written(tmp_path / "hyp", "call rob\n")
    lists = tmp_path / "list"
    for content, said in (
        ("ophelia,bob\n", "; 'ophelia,bob' counts as one word: list each word in a line of its own\n"),
        ("1,000\n", "; if it is written otherwise there, --lowercase"),
        ("ophelia\nbob\n", ""),
    ):
        written(lists, content)
        found = fstmetrics("score", ref, hyp, "--biasing", lists).out
        assert ("no word of the list is in any reference or hypothesis" in found) == bool(said)
        assert said in found


@pytest.mark.parametrize("by_id", [False, True])
def test_words_of_a_list_in_another_case_have_a_remark(by_id: bool, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u1 the big ophelia saw bill and Bill\nu2 here we go\n")
    hyp = written(tmp_path / "hyp", "u1 the big opheelia saw bill and Bill\nu2 here we GO\n")
    words = ["Ophelia", "Here", "big", "zoo", "Bill"]
    content = json.dumps({"u1": words, "u2": words}) if by_id else "\n".join(words)
    command = ("score", ref, hyp, "--biasing", written(tmp_path / "list", content))
    said = (
        "list: 2 words of the list are in references or hypotheses in another case only, which counts among the "
        "others: Here, Ophelia; --lowercase takes both cases as one"
    )
    assert said in fstmetrics(*command).out
    assert any(remark.endswith(said) for remark in fstmetrics(*command, "--json").summary["remarks"])
    assert "another case" not in fstmetrics(*command, "--lowercase").out
    (tmp_path / "list").write_text(json.dumps({"u1": ["big"], "u2": []}) if by_id else "big\nBill\nzoo\n")
    assert "another case" not in fstmetrics(*command).out


def test_words_of_a_list_beside_punctuation_have_a_remark(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", 'u1 I love New York.\nu2 New York is "big", they say\n')
    words = written(tmp_path / "list", "New\nYork\nbig\n")
    said = (
        "list: 2 words in references or hypotheses are of the list but for punctuation, and count among the others: "
        '"big",, York.; --remove-punctuation takes both as one'
    )
    found = fstmetrics("score", ref, ref, "--biasing", words)
    assert said in found.out
    bare = fstmetrics("score", ref, ref, "--biasing", words, "--remove-punctuation")
    assert "but for punctuation" not in bare.out
    rows = [
        next(line.split() for line in each.out.splitlines() if line[:5] == "B-WER") for each in (found, bare)
    ]
    assert [row[-1] for row in rows] == ["3", "5"]
    written(words, "york\n")
    assert "but for punctuation" not in fstmetrics("score", ref, ref, "--biasing", words).out
    written(words, "York\n")
    only = written(tmp_path / "only", "u1 York.\nu2 in York,\n")
    found = fstmetrics("score", only, only, "--biasing", words)
    assert "no word of the list is in any reference" in found.out
    assert "2 words in references or hypotheses are of the list but for punctuation" in found.out


def test_compare_tests_both_rates(here: Path) -> None:
    (here / "best.txt").write_text((here / "hyp.txt").read_text().replace("ofelia", "ophelia"))
    found = summary("--samples", "99", "--biasing", "lists.tsv", "--metric", "wer,bleu",
                    command="compare --ref ref.txt old=hyp.txt new=best.txt")  # fmt: skip
    scores = {
        name: {metric: each["score"] for metric, each in of.items()} for name, of in _systems(found).items()
    }
    assert scores["old"]["b-wer"] == 4 / 6
    assert scores["new"]["b-wer"] == 3 / 6
    assert scores["old"]["u-wer"] == scores["new"]["u-wer"] == 6 / 19
    default = summary("--samples", "99", "--biasing", "lists.tsv", command="compare --ref ref.txt hyp.txt")
    assert list(next(iter(_systems(default).values()))) == ["wer", "b-wer", "u-wer"]


def _systems(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Scores by system and metric."""
    systems = found["systems"]
    assert systems
    return {name: each.get("scores", each) for name, each in systems.items()}


def test_signatures_tell_lists_apart(here: Path) -> None:
    def named(*call: str) -> list[str]:
        return re.findall(r"\|(biasing:[^|]*)", fstmetrics(*call, "--biasing", "lists.tsv").out)

    score = ("score", "ref.txt", "hyp.txt")
    (before,) = named(*score)
    assert before.startswith("biasing:lists.tsv,")
    compared = named("compare", "hyp.txt", "--ref", "ref.txt", "--metric", "wer", "--samples", "99")
    assert set(compared) == {before}
    assert named(*score, "--metric", "wer,cer") == [before]
    assert "biasing" not in fstmetrics(*score).out
    lists = here / "lists.tsv"
    lists.write_text(lists.read_text().replace("nymph", "thou"))
    (after,) = named(*score)
    assert after != before


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "sign"])
def test_without_a_word_of_the_list_its_rates_are_not_compared(test: str, tmp_path: Path) -> None:
    paths = {name: tmp_path / name for name in ("ref", "hyp", "list")}
    for name, text in (("ref", "a b\nc d\n"), ("hyp", "a b\nc e\n"), ("list", "zebra\n")):
        paths[name].write_text(text)
    command = ("compare", "--ref", paths["ref"], f"one={paths['hyp']}", f"two={paths['ref']}", "--test", test)
    assert fstmetrics(*command).status == 0
    outcome = fstmetrics(*command, "--biasing", paths["list"])
    assert outcome.status == 0
    table = outcome.out.partition("b-wer, lower is better")[2].split("\n\n")[0].splitlines()[1:]
    assert [row.split() for row in table] == [["one", "-"], ["two", "-"]]


def test_lists_of_other_items_are_left_out_when_asked(here: Path) -> None:
    with open(here / "lists.tsv", "a") as stream:
        stream.write('z-9\tx\t["y"]\n')
    refused = fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv")
    assert (refused.status, refused.out) == (2, "")
    assert "has a list for z-9, and there is no such item; --missing skip" in refused.err
    assert summary("--biasing", "lists.tsv", "--missing", "skip")["biasing"] == {"b": B, "u": U}


def test_lists_and_terms_are_told_apart(here: Path) -> None:
    fstmetrics("score", "ref.txt", "hyp.txt", "--alignment", "--output", "r.jsonl")
    (here / "lists.txt").write_text(
        "".join(f"{id} {' '.join(words)}\n" for id, words in LISTS.items() if words)
    )
    for name in (*LAYOUTS, "lists.tsv", "lists.txt"):
        if name in LAYOUTS:
            (here / name).write_text(LAYOUTS[name])
        refused = fstmetrics("errors", "r.jsonl", "--terms", name)
        assert (refused.status, refused.out) == (2, ""), name
        assert "score --biasing FILE" in refused.err, name
    (here / "terms.txt").write_text("the fountain\nophelia\n")
    assert fstmetrics("errors", "r.jsonl", "--terms", "terms.txt").status == 0
    refused = fstmetrics("score", "ref.txt", "hyp.txt", "--biasing", "terms.txt")
    assert refused.status == 2
    assert "errors --terms takes terms of several words" in refused.err


def test_a_score_that_is_no_count_of_edits_is_refused(here: Path) -> None:
    (here / "half.grm").write_text("air => sky\n")
    (here / "hyp.txt").write_text((here / "hyp.txt").read_text().replace("air", "sky"))
    with pytest.raises(FstmetricsError, match="--biasing counts edits of words"):
        fm.score_files(
            references="ref.txt", hypotheses="hyp.txt", biasing="lists.tsv", grammar=["half.grm@0.5"]
        )


def test_beside_other_metrics_the_word_error_rate_has_both(here: Path) -> None:
    found = summary("--biasing", "lists.tsv", "--metric", "bleu,wer,cer")
    by_name = {each["metric"]: each for each in found["metrics"]}
    assert by_name["wer"]["biasing"] == {"b": B, "u": U}
    assert "b_wer" not in by_name["cer"]
    lines = fstmetrics(
        "score", "ref.txt", "hyp.txt", "--biasing", "lists.tsv", "--metric", "bleu,wer,cer"
    ).out
    assert [line.split()[:2] for line in lines.splitlines() if "-WER" in line] == [
        ["B-WER", "0.6667"], ["U-WER", "0.3158"],
    ]  # fmt: skip
    assert list(_systems(summary(
        "--samples", "99", "--biasing", "lists.tsv", "--metric", "cer,wer", command="compare --ref ref.txt hyp.txt",
    ))["hyp"]) == ["cer", "wer", "b-wer", "u-wer"]  # fmt: skip


def test_a_run_goes_on_with_the_counts_of_before(here: Path) -> None:
    command = (
        "score",
        "ref.txt",
        "hyp.txt",
        "--biasing",
        "lists.tsv",
        "--by",
        "speaker",
        "--speakers",
        "spu_id",
    )
    whole = fstmetrics(*command).out
    lists = (here / "lists.tsv").read_text()
    with pytest.raises(FstmetricsError):
        fm.score_files(references="ref.txt", hypotheses="nowhere.txt", biasing="lists.tsv")
    assert fstmetrics(*command, "--output", "o.jsonl").out == whole
    assert fstmetrics(*command, "--output", "o.jsonl", "--resume").out == whole
    (here / "lists.tsv").write_text(lists.replace('ophelia"]', 'fountain"]'))
    assert fstmetrics(*command).out != whole


def test_lattices_that_are_read_one_by_one(here: Path) -> None:
    from command import ORACLE

    (here / "words.txt").write_text("the\n")
    found = called(fm.oracle_files, *ORACLE, biasing="words.txt", alignment=True, output="o.jsonl")
    records = [json.loads(line) for line in Path("o.jsonl").read_text().splitlines()]
    words = sum(record["closest"].count("the") for record in records)
    assert found.classes is not None
    assert (found.classes[0].path_length, words > 0) == (words, True)
    assert found.classes[0] + found.classes[1] == found.sums.of(fm_best()).sum()
    (here / "lists.json").write_text(json.dumps({record["id"]: ["the"] for record in records[1:]}))
    refused = fstmetrics("oracle", *ORACLE, "--biasing", "lists.json")
    assert (refused.status, refused.out) == (2, "")
    assert f"lists.json has no list for item {records[0]['id']}; an empty list is []" in refused.err
