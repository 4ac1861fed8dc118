"""Scores by the values of a field: rows add up to the whole, however they are found."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import ORACLE, fstmetrics
from long_runs import is_killed

import fstmetrics as fm
from fstmetrics.data.groupings import Grouping, groupings_of
from fstmetrics.engine.breakdown import Breakdown, statistics_of

COUNTS = ("items", "edits", "matches", "substitutions", "insertions", "deletions", "path_length")


def random_corpus(seed: int, items: int = 60) -> tuple[list[str], list[str], list[dict[str, Any]]]:
    """Hypotheses, references and fields; some items lack some fields."""
    chance = random.Random(seed)

    def sentence() -> str:
        return " ".join(chance.choices("abc", k=chance.randrange(7)))

    fields: list[dict[str, Any]] = []
    for _ in range(items):
        row = {
            "speaker": chance.choice(["ann", "bob", "cy"]),
            "domain": chance.choice(["news", "talk", None, ""]),
        }
        row["duration"] = chance.choice([1, 5, 7.5, "9", 30, None])
        fields.append(
            {name: value for name, value in row.items() if name == "speaker" or chance.random() < 0.9}
        )
    return [sentence() for _ in range(items)], [sentence() for _ in range(items)], fields


def stm_files(folder: Path, fields: bool = True) -> tuple[str, str]:
    """A reference with five speakers, and hypotheses by id."""
    chance = random.Random(3)
    reference, hypothesis = folder / "ref.stm", folder / "hyp.trn"
    segments, lines = [], []
    for number in range(40):
        words = chance.choices("abcd", k=chance.randrange(1, 6))
        begin = number * 10
        seconds = chance.choice([2, 5, 9])
        segments.append(f"rec 1 s{number % 5} {begin} {begin + seconds} {' '.join(words)}\n")
        lines.append(
            f"{' '.join(word for word in words if chance.random() < 0.7)} (rec_1_{begin}_{begin + seconds})\n"
        )
    reference.write_text("".join(segments))
    hypothesis.write_text("".join(lines))
    return str(reference), str(hypothesis)


@pytest.mark.parametrize("metric", ["wer", "sclite", "hyter", "grr", "mer", "wil", "wip"])
@pytest.mark.parametrize("field", ["speaker", "domain", "domain+speaker", "duration:5,10"])
def test_rows_are_the_scores_of_their_items_and_add_up(metric: str, field: str) -> None:
    hypotheses, references, fields = random_corpus(1)
    corpus = fm.score(hypotheses, references, metric, fields=fields)
    assert isinstance(corpus, fm.CorpusResult)
    found = corpus.by(field, samples=10)
    (grouping,) = groupings_of(field)
    for row, value in zip(found.rows(), found, strict=True):
        own = [i for i, each in enumerate(fields) if grouping.key(each) == value]
        alone = fm.score([hypotheses[i] for i in own], [references[i] for i in own], metric).as_dict()
        assert {name: row[name] for name in (*COUNTS, "score")} == {
            name: alone[name] for name in (*COUNTS, "score")
        }
        assert [item.hypothesis for item in found[value]] == [corpus[i].hypothesis for i in own]  # type: ignore[union-attr]
    whole = corpus.as_dict()
    assert {name: sum(row[name] for row in found.rows()) for name in COUNTS} == {
        name: whole[name] for name in COUNTS
    }
    assert sum(row["share"] for row in found.rows()) == pytest.approx(1)


@pytest.mark.parametrize("metric", ["chrf", "ter", "mean-wer"])
def test_metrics_of_strings_have_rows_too(metric: str) -> None:
    hypotheses, references, fields = random_corpus(2)
    found = fm.score(hypotheses, references, metric, fields=fields).by("speaker", samples=10)  # type: ignore[union-attr]
    for value, scores in found.items():
        own = [i for i, each in enumerate(fields) if each["speaker"] == value]
        alone = fm.score([hypotheses[i] for i in own], [references[i] for i in own], metric)
        assert scores.score == pytest.approx(alone.score, nan_ok=True)
    assert sum(row["items"] for row in found.rows()) == len(hypotheses)


def test_items_without_the_field_are_a_row_of_their_own() -> None:
    found = fm.score(["a", "b", "c"], ["a", "x", "y"], fields={"domain": ["news", None, ""]}).by("domain")
    assert list(found) == ["news", None]
    assert found[None].edits == 2  # type: ignore[union-attr]
    assert "(none)" in str(found)


def test_intervals_are_quantiles_of_resampled_speakers() -> None:
    hypotheses, references, fields = random_corpus(4)
    corpus = fm.score(hypotheses, references, fields=fields)
    found = corpus.by("domain", samples=2000, seed=7)
    for value, row in zip(found, found.rows(), strict=True):
        sums: dict[str, list[int]] = {}
        for item in corpus:
            if (item.fields.get("domain") or None) == value:
                sums.setdefault(str(item.fields["speaker"]), [0, 0])
                sums[str(item.fields["speaker"])][0] += item.edits
                sums[str(item.fields["speaker"])][1] += item.path_length
        table = np.array(list(sums.values()))
        drawn = np.random.default_rng(1).integers(len(table), size=(20_000, len(table)))
        edits, words = table[drawn].sum(axis=1).T
        expected = np.quantile(edits / words, [0.025, 0.975])
        assert row["resampled"] == "speakers"
        assert row["speakers"] == len(table)
        assert [row["low"], row["high"]] == pytest.approx(expected, abs=0.01)


NOBODY = [None, "", float("nan")]


def test_items_without_a_speaker_are_the_same_wherever_they_come_from(tmp_path: Path) -> None:
    """None, nan, an empty text and an absent key: items are resampled, and the foot says why."""
    hyps, refs, _ = random_corpus(9)
    speakers = [f"s{n % 5}" for n in range(len(refs))]
    tables = []
    for nobody in NOBODY:
        fields = {"speaker": [nobody if n == 3 else speaker for n, speaker in enumerate(speakers)]}
        tables.append(fm.score(hyps, refs, fields=fields).by("speaker"))
    rows: list[dict[str, Any]] = [
        {"id": n, "text": ref, "pred": hyp, "speaker": speaker}
        for n, (ref, hyp, speaker) in enumerate(zip(refs, hyps, speakers, strict=True))
    ]
    del rows[3]["speaker"]
    tables.append(fm.score(rows, hypothesis="pred", reference="text", fields=["speaker"]).by("speaker"))
    wanted = tables[0].rows()
    assert wanted[-1]["value"] is None
    assert {row["resampled"] for row in wanted} == {"items", None}
    assert all(table.rows() == wanted for table in tables)
    assert all(
        "items are resampled, and not speakers: 1 item has no speaker" in str(table) for table in tables
    )
    assert "no speaker" not in str(fm.score(hyps, refs, fields=[{}] * 59 + [{"a": 1}]).by("a"))
    for nobody in [*NOBODY, ...]:
        if nobody is not ...:
            rows[3]["speaker"] = nobody
        else:
            del rows[3]["speaker"]
        path = tmp_path / "m.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        found = fstmetrics("score", path, "--by", "speaker", "--json").summary
        assert found["by"]["speaker"] == wanted
        assert found["by_intervals"]["without_speaker"] == 1
    cells = "".join(f"{r['id']},{r['text']},{r['pred']},{r.get('speaker', '')}\n" for r in rows)
    path = tmp_path / "t.csv"
    path.write_text("id,text,pred,speaker\n" + cells)
    assert fstmetrics("score", path, "--by", "speaker", "--json").summary["by"]["speaker"] == wanted
    foot = "items are resampled, and not speakers: 1 item has no speaker\n"
    assert foot in fstmetrics("score", path, "--by", "speaker").out


def test_intervals_of_one_speaker_are_of_its_items_and_depend_on_no_other_row() -> None:
    hypotheses, references, fields = random_corpus(5)
    rows = fm.score(hypotheses, references, fields=fields).by("speaker").rows()
    own = [i for i, each in enumerate(fields) if each["speaker"] == "ann"]
    alone = fm.score(
        [hypotheses[i] for i in reversed(own)],
        [references[i] for i in reversed(own)],
        fields=[fields[i] for i in reversed(own)],
    )
    assert rows[0] == alone.by("speaker").rows()[0] | {"share": rows[0]["share"]}
    assert rows[0]["resampled"] == "items"


def test_one_item_has_no_interval() -> None:
    (row,) = fm.score(["a"], ["b"], fields={"speaker": ["ann"]}).by("speaker").rows()
    assert (row["low"], row["high"], row["resampled"]) == (None, None, None)


@pytest.mark.parametrize("metric", ["wer", "chrf"])
def test_the_command_says_what_python_says(metric: str, tmp_path: Path) -> None:
    reference, hypothesis = stm_files(tmp_path)
    output = tmp_path / "records.jsonl"
    outcome = fstmetrics(
        "score",
        reference,
        hypothesis,
        "--metric",
        metric,
        "--by",
        "speaker,duration:5",
        "--json",
        "--output",
        output,
    )
    assert outcome.status == 0, outcome.err
    summary = json.loads(outcome.out)
    records = [json.loads(line) for line in output.read_text().splitlines()]
    fields = [record["fields"] for record in records]
    assert fields[7] == {"file": "rec", "channel": "1", "speaker": "s2", "start": 70.0} | {
        name: fields[7][name] for name in ("end", "duration")
    }
    spoken = {
        line.rsplit(" ", 1)[1].strip("()"): line.rsplit(" ", 1)[0]
        for line in Path(hypothesis).read_text().splitlines()
    }
    written = [" ".join(line.split()[5:]) for line in Path(reference).read_text().splitlines()]
    corpus = fm.score([spoken[record["id"]] for record in records], written, metric, fields=fields)
    for name, spec in (("speaker", "speaker"), ("duration", "duration:5")):
        table: Breakdown = corpus.by(spec)  # type: ignore[union-attr]
        assert summary["by"][name] == json.loads(json.dumps(table.rows()))
    assert summary["by_intervals"] == {"confidence": 0.95, "samples": 1000, "seed": 1}


def test_a_table_names_the_values_and_what_was_resampled(tmp_path: Path) -> None:
    outcome = fstmetrics("score", *stm_files(tmp_path), "--by", "speaker,duration:5")
    assert "speaker  items  words" in outcome.out
    assert "s4" in outcome.out
    assert outcome.out.rstrip().endswith(
        "low, high: 95% bootstrap intervals; 1000 resamples of speakers, seed 1\n"
        "where a row has one speaker, its items are resampled"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "gender",
            "no item has a field 'gender'; the fields are channel, duration, end, file, speaker, start",
        ),
        ("duration:5,ten", "the bin 'ten' of 'duration:5,ten' is no number"),
        ("duration:5,10+speaker", "is no number; bins are of the last field, as speaker+duration:5,10"),
        ("duration:5,2", "the bins of duration must increase, not 5,2"),
        ("speaker:2", "the field speaker is 's0', not a number, so that it is in none of the bins 2"),
        (",", "expected names of fields, joined by commas"),
    ],
)
def test_what_cannot_make_a_table_is_one_clear_line(given: str, message: str, tmp_path: Path) -> None:
    outcome = fstmetrics("score", *stm_files(tmp_path), "--by", given)
    assert outcome.status == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_nist_has_no_tables(tmp_path: Path) -> None:
    outcome = fstmetrics("score", *stm_files(tmp_path), "--by", "speaker", "--metric", "nist")
    assert (outcome.status, outcome.err) == (
        2,
        "fstmetrics: nist is of all texts at once: it has no scores by field\n",
    )


def test_what_python_cannot_make_a_table_of_is_said() -> None:
    corpus = fm.score(["a"], ["b"], fields={"speaker": ["ann"]})
    with pytest.raises(fm.FstmetricsError, match="no item has a field 'gender'; the fields are speaker"):
        corpus.by("gender")
    with pytest.raises(fm.FstmetricsError, match="the items have no fields"):
        fm.score(["a"], ["b"]).by("gender")
    with pytest.raises(fm.FstmetricsError, match="one table"):
        corpus.by("speaker,gender")
    with pytest.raises(fm.FstmetricsError, match="2 values for 1 item"):
        fm.score(["a"], ["b"], fields={"speaker": ["ann", "bob"]})
    with pytest.raises(fm.FstmetricsError, match="nist is of all texts at once"):
        fm.score(["a b c d e"], ["a b c d e"], "nist", fields={"speaker": ["ann"]}).by("speaker")  # type: ignore[union-attr]


def test_corpora_that_are_added_keep_their_fields() -> None:
    one = fm.score(["a"], ["a"], fields={"speaker": ["ann"]})
    two = fm.score(["b c"], ["b d"], fields={"speaker": ["bob"]})
    assert {value: found.score for value, found in (one + two).by("speaker").items()} == {
        "ann": 0.0,
        "bob": 0.5,
    }
    assert one[0].as_dict()["fields"] == {"speaker": "ann"}


def test_an_edge_belongs_to_the_bin_above_it() -> None:
    by = Grouping(("duration",), (5.0, 10.0))
    keys = [by.key({"duration": value}) for value in (4.999, 5, "7", 10, float("nan"), "")]
    assert keys == ["< 5", "5 to < 10", "5 to < 10", ">= 10", None, None]
    assert by.ordered({None, ">= 10", "5 to < 10", "< 5"}) == ["< 5", "5 to < 10", ">= 10", None]


def test_no_duration_is_infinite(tmp_path: Path) -> None:
    rows = '{{"text": "a", "pred_text": "a", "{0}": 1}}\n{{"text": "a", "pred_text": "a", "{0}": {1}}}\n'
    for name, value, said in (
        (
            "duration",
            "Infinity",
            "the field duration is inf, not a finite number, so that it is in none of the bins 2",
        ),
        ("duration", '"-inf"', "the field duration is '-inf', not a finite number, so that"),
        ("duration", "1e30", ""),
        ("snr", "Infinity", ""),  # a recording without noise has one
    ):
        (tmp_path / "m.jsonl").write_text(rows.format(name, value))
        done = fstmetrics("score", tmp_path / "m.jsonl", "--by", f"{name}:2", "--json")
        assert (done.status, said in done.err) == (2 if said else 0, True)


def trn_files(folder: Path, ids: list[str]) -> tuple[Path, Path]:
    for name, word in (("ref.trn", "a"), ("hyp.trn", "b")):
        (folder / name).write_text("".join(f"{word} c ({id})\n" for id in ids))
    return folder / "ref.trn", folder / "hyp.trn"


def test_speakers_come_from_ids_or_a_file_or_are_refused(tmp_path: Path) -> None:
    files = trn_files(tmp_path, ["ann_1", "ann_2", "bob_1"])
    found = fstmetrics("score", *files, "--by", "speaker", "--json").summary
    assert [(row["value"], row["items"]) for row in found["by"]["speaker"]] == [("ann", 2), ("bob", 1)]
    assert "speakers by the ids: what stands before the first - or _" in found["remarks"]
    table = tmp_path / "utt2spk"
    table.write_text("ann_1 x\nann_2 y\nbob_1 x\n")
    found = fstmetrics("score", *files, "--by", "speaker", "--speakers", table, "--json").summary
    assert [(row["value"], row["items"]) for row in found["by"]["speaker"]] == [("x", 2), ("y", 1)]
    table.write_text("ann_1 x\n")
    refused = fstmetrics("score", *files, "--by", "speaker", "--speakers", table)
    assert (refused.status, "utt2spk: has no speaker for ann_2" in refused.err) == (2, True)
    files = trn_files(tmp_path, ["a1", "a2"])
    refused = fstmetrics("score", *files, "--by", "speaker")
    assert (refused.status, "give --speakers spu_id where ids are" in refused.err) == (2, True)
    refused = fstmetrics("score", *files, "--by", "speaker", "--speakers", "spu-id")
    assert (refused.status, "unknown rule of speakers 'spu-id'" in refused.err) == (2, True)


def test_a_resumed_run_has_the_same_tables_and_records(tmp_path: Path) -> None:
    reference, hypothesis = stm_files(tmp_path)
    output = tmp_path / "o.jsonl"
    command = [
        "score",
        reference,
        hypothesis,
        "--by",
        "speaker,duration:5",
        "--json",
        "--output",
        str(output),
    ]
    whole = fstmetrics(*command)
    expected = output.read_bytes()
    for after in (1, 3000, 7000):
        output.unlink(missing_ok=True)
        assert is_killed([*command, "--resume"], after)
        assert fstmetrics(*command, "--resume").out == whole.out
        assert output.read_bytes() == expected


def test_oracles_have_the_decoders_own_paths_beside_them() -> None:
    outcome = fstmetrics("oracle", *ORACLE, "--by", "speaker", "--speakers", "wsj", "--json").summary
    (row,) = outcome["by"]["speaker"]
    assert (row["value"], row["edits"]) == ("hol", outcome["edits"])
    assert row["one_best"] == outcome["one_best"]
    shown = fstmetrics("oracle", *ORACLE, "--by", "speaker", "--speakers", "wsj").out
    assert "speaker  items  words     wer  1-best" in shown


def test_fields_of_items_that_pair_by_id_are_by_id() -> None:
    texts = {"u1": "a b", "u2": "c"}, {"u2": "c", "u1": "a x"}
    found = fm.score(*texts, fields={"u1": {"speaker": "ann"}, "u2": {"speaker": "bob"}})
    assert {value: scores.score for value, scores in found.by("speaker").items()} == {"ann": 0.5, "bob": 0.0}
    with pytest.raises(fm.FstmetricsError, match="the items pair by id, so their fields are by id"):
        fm.score(*texts, fields={"speaker": ["ann", "bob"]})
    with pytest.raises(fm.FstmetricsError, match="fields are missing for u1"):
        fm.score(*texts, fields={"u2": {"speaker": "bob"}})


def test_fields_are_columns_of_tables() -> None:
    fields = {"speaker": ["ann", "bob"], "score": [3, None]}
    for metric in ("wer", "chrf"):
        found = fm.score(["a", "b"], ["a", "c"], metric, fields=fields).columns()  # type: ignore[union-attr]
        assert (found["speaker"], found["field_score"]) == (["ann", "bob"], [3, None])
        assert found["score"].shape == (2,)


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        (
            "speaker",
            (),
            "--by speaker needs speakers, and the files do not say who speaks; give --speakers spu_id ",
        ),
        ("domain", (), "no item has a field 'domain'; the items have no fields"),
        ("domain", ("--speakers", "wsj"), "no item has a field 'domain'; the fields are speaker"),
    ],
)
@pytest.mark.parametrize("archive", [False, True])
def test_fields_that_lattices_lack_are_refused_before_they_are_scored(
    field: str, given: tuple[str, ...], said: str, archive: bool, tmp_path: Path
) -> None:
    """Of a folder, and of an archive, whose items come one by one."""
    files: tuple[str, ...] = ORACLE
    if archive:
        path, words = str(tmp_path / "lattices.ark"), str(tmp_path / "words.txt")
        into = (path, "--to", "kaldi-lattice", "--write-symbols", words, "--lossy")
        assert fstmetrics("convert", ORACLE[1], *into).status == 0
        files = (ORACLE[0], path, "--symbols", words)
    outcome = fstmetrics("oracle", *files, "--by", field, *given)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"fstmetrics: {said}")
    spoken = fstmetrics("oracle", *files, "--by", "speaker", "--speakers", "wsj", "--json")
    assert [row["value"] for row in spoken.summary["by"]["speaker"]] == ["hol"]


@pytest.mark.parametrize("number", [10, 30, 60])
def test_many_different_numbers_are_better_in_bins(number: int, tmp_path: Path) -> None:
    rows = [
        {"id": n, "text": "a", "pred": "b", "duration": n / 4, "name": f"n{n}", "speaker": n, "level": n // 4}
        for n in range(number)
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    compare = ("compare", path, "--samples", 50, "--fields", "ref=text,hyp=pred,hyp=name")
    for command in (("score", path), compare):
        outcome = fstmetrics(*command, "--by", "duration")
        (line,) = (line for line in outcome.out.splitlines() if "makes bins" in line)
        said, _, advice = line.partition("; ")
        assert said == f"by duration: {number} different numbers"
        binned = advice.removesuffix(" makes bins of them").split()
        assert binned[1].startswith("duration:")
        groups = fstmetrics(*command, *binned, "--json").summary["by"]["duration"]
        assert [group["items"] > number / 5 for group in groups] == [True] * 3
        for by in ("name", "speaker", "duration+name", "duration:5", "level"):
            assert "makes bins" not in fstmetrics(*command, "--by", by).out


def test_truth_values_and_numbers_are_groups_of_their_own(tmp_path: Path) -> None:
    values = [True, 1, 1.0, False, 0, "true"]
    rows = [
        {"id": f"u{n}", "text": "a b", "pred_text": "a", "clean": value} for n, value in enumerate(values)
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = fstmetrics("score", path, "--by", "clean", "--json").summary["by"]["clean"]
    by = fm.score(["a"] * 6, ["a b"] * 6, fields={"clean": values}).by("clean")
    expected = [(0, 1), (False, 1), (1, 2), (True, 1), ("true", 1)]
    for found in (told, by.rows()):
        assert sorted((str(row["value"]).lower(), row["items"]) for row in found) == sorted(
            ((str(value).lower(), items) for value, items in expected)
        )
    assert [len(by[value]) for value, _ in expected] == [items for _, items in expected]
    assert [str(value) for value in by] == [str(value) for value, _ in expected]
    assert "\ntrue " in str(by)
    assert by.interval(True) is None


@pytest.mark.parametrize("digits", [16, 30, 400])
def test_integers_of_any_size_are_values_of_fields(
    digits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    large = int("9" * digits)
    rows = [{"id": f"u{x}", "text": "the cat", "x": x} for x in (large, large - 1, 3)]
    Path("r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows_by = {
        by: fstmetrics("score", "r.jsonl", "r.jsonl", "--by", by, "--json").summary["by"]["x"]
        for by in ("x", "x:5")
    }
    assert [row["value"] for row in rows_by["x"]] == [3, large - 1, large]
    assert [(row["value"], row["items"]) for row in rows_by["x:5"]] == [("< 5", 1), (">= 5", 2)]
    fstmetrics("score", "r.jsonl", "r.jsonl", "--alignment", "--output", "records.jsonl")
    for command in (("show", "records.jsonl"), ("errors", "records.jsonl"), ("report", "records.jsonl"),
                    ("report", "--ref", "r.jsonl", "r.jsonl", "-o", "page.html")):  # fmt: skip
        outcome = fstmetrics(*command)
        assert outcome.status == 0, outcome.err


def test_groups_of_many_fields_are_those_of_each_item() -> None:
    # As digits of one number, six fields of 2048 values fill 64 bits, so that the first of seven is lost.
    rows = [{"a": 0, **dict.fromkeys("bcdefg", place)} for place in range(2048)]
    rows.append({**rows[0], "a": 1})
    codes, keys = Grouping(tuple("abcdefg")).coded(rows)
    assert codes.tolist() == list(range(2049))
    assert keys[0] == (0,) * 7
    assert keys[-1] == (1, *(0,) * 6)


def test_values_of_other_kinds_have_labels_of_their_own(tmp_path: Path) -> None:
    values = [1, "1", True, "true", None, "(none)", "all", 0.1 + 0.2, 0.3, "news", 2.0, 2]
    shown = [
        '"1"',
        '"(none)"',
        '"all"',
        '"true"',
        "(none)",
        "0.3",
        "0.30000000000000004",
        "1",
        "2",
        "news",
        "true",
    ]
    rows = [{"id": f"u{n}", "text": "a b", "pred_text": "a", "kind": kind} for n, kind in enumerate(values)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    printed = fstmetrics("score", path, "--by", "kind").out.split("\n\n")[-1].splitlines()
    labels = [line.split("  ")[0] for line in printed if line and not line.startswith(("kind", "low, high"))]
    assert sorted(label for label in labels if label != "all") == sorted(shown)
    assert labels.count("all") == 1


def test_compare_tells_truth_values_from_numbers_and_texts(tmp_path: Path) -> None:
    values = [1, "1", True, "true", 1, True, False, 0]
    rows = [
        {"id": f"u{n}", "text": "a b", "pred_text": "a b" if kind is True else "a", "kind": kind}
        for n, kind in enumerate(values)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = ("compare", f"A={path}", f"B={path}", "--by", "kind", "--metric", "wer", "--samples", 5)
    by = fstmetrics(*command, "--json").summary["by"]["kind"]  # type: ignore[index, call-overload]
    found = [
        (type(row["value"]), row["value"], row["items"], row["systems"]["A"]["wer"]["score"]) for row in by
    ]
    expected = [(int, 0, 1, 0.5), (bool, False, 1, 0.5), (int, 1, 2, 0.5), (bool, True, 2, 0.0)]
    assert sorted(found[:4], key=str) == sorted(expected, key=str)
    assert found[4:] == [(str, "1", 1, 0.5), (str, "true", 1, 0.5)]
    lines = fstmetrics(*command).out.split("\n\n")[1].splitlines()[1::2]
    assert [line.split("  ")[0] for line in lines] == ["0", "false", "1", "true", '"1"', '"true"']
    assert [line.split()[3] for line in lines] == ["0.5000", "0.5000", "0.5000", "0.0000", "0.5000", "0.5000"]


@pytest.mark.parametrize("two", [(("a, b", "c"), ("a", "b, c")), (("1", 2), (1, 2))])
def test_values_of_two_fields_have_labels_of_their_own(
    two: tuple[tuple[object, object], ...], tmp_path: Path
) -> None:
    rows = [
        {"id": f"u{n}", "text": "a b", "pred_text": "a", "one": one, "other": other}
        for n, (one, other) in enumerate(two)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    printed = fstmetrics("score", path, "--by", "one+other").out.split("\n\n")[-1].splitlines()
    labels = [line.split("  ")[0] for line in printed[1:3]]
    assert len(set(labels)) == len(labels)


def grouped(groups: list[object], speakers: list[object] | None = None, metric: str = "wer") -> Breakdown:
    """Items with an error in every third word, by a field `g`."""
    rng = random.Random(3)
    texts = [" ".join(rng.choices("abc", k=5)) for _ in groups]
    fields = [{"g": value} for value in groups]
    for own, speaker in zip(fields, speakers or (), strict=False):
        own["speaker"] = speaker
    return fm.score([text.replace("a", "x") for text in texts], texts, metric, fields=fields).by("g")  # type: ignore[union-attr, return-value]


@pytest.mark.parametrize("metric", ["wer", "bleu", "chrf"])
@pytest.mark.parametrize("by_speaker", [False, True])
def test_the_difference_of_two_groups_is_resampled_in_both(metric: str, by_speaker: bool) -> None:
    """As by numpy's own draws; of equal groups it is as wide as two independent ones are."""
    speakers: list[object] | None = [place // 4 for place in range(200)] if by_speaker else None
    table = grouped(["f"] * 120 + ["m"] * 80, speakers, metric)
    gap = table.gap
    assert gap is not None
    assert gap.values == ("f", "m")
    assert gap.delta == table["m"].score - table["f"].score
    generator = np.random.default_rng(5)
    drawn = []
    for group in table.groups.values():
        rows = group.speakers if by_speaker else statistics_of(group.scores)
        assert rows is not None
        chosen = generator.integers(0, len(rows), (4000, len(rows)))
        drawn.append(group.scores.metric.corpus_score(rows[chosen].sum(axis=1)))
    low, high = np.quantile(drawn[1] - drawn[0], [0.025, 0.975])
    assert [gap.low, gap.high] == pytest.approx([low, high], abs=0.15 * (high - low))


def test_groups_that_are_equal_are_not_resampled_alike() -> None:
    same = ["a b c d e", "a x c d e", "x x c d e", "a b c d x"] * 20
    fields = [{"g": place % 2} for place in range(160)]
    pairs = [text for text in same for _ in range(2)]
    table = fm.score(pairs, ["a b c d e"] * 160, fields=fields).by("g")
    low, high = table.interval(0)  # type: ignore[union-attr, misc]
    gap = table.gap  # type: ignore[union-attr]
    assert gap.delta == 0  # type: ignore[union-attr]
    assert gap.low < 0 < gap.high  # type: ignore[union-attr]
    assert (gap.high - gap.low) / (high - low) == pytest.approx(2**0.5, abs=0.2)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("groups", "speakers"),
    [
        (["f", "m", "x"] * 4, None),
        (["f", "m", None] * 4, None),
        (["f"] * 8, None),
        (["f"] * 7 + ["m"], None),
        (["f", "m"] * 6, ["s", "s", "t", "t"] * 3),
        (["f"] * 6 + ["m"] * 6, ["s", "t"] * 3 + ["u"] * 6),
        (["f"] * 6 + ["m"] * 6, ["s"] * 6 + ["u"] * 6),
        (["f"] * 5 + ["m"] * 9, None),
        (["f"] * 12 + ["m"] * 12, [place // 2 for place in range(10)] + ["t"] * 2 + ["u", "v", "w", "x"] * 3),
    ],
    ids=[
        "three",
        "lacking",
        "one",
        "single item",
        "speakers of both",
        "single speaker",
        "single speakers",
        "few items",
        "few speakers",
    ],
)
def test_where_groups_have_no_difference_of_two(
    groups: list[object], speakers: list[object] | None, tmp_path: Path
) -> None:
    assert grouped(groups, speakers).gap is None
    assert "minus that of" not in str(grouped(groups, speakers))


def test_six_of_each_group_have_a_difference() -> None:
    assert grouped(["f"] * 6 + ["m"] * 7).gap is not None
    assert grouped(["f"] * 12 + ["m"] * 12, [place // 2 for place in range(24)]).gap is not None


def test_every_form_has_the_difference_of_two_groups(tmp_path: Path) -> None:
    rows = [
        {"id": n, "text": "a b", "pred": "a b" if n % 3 else "a", "g": n % 2 == 0, "h": n % 3}
        for n in range(24)
    ]
    path = tmp_path / "m.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ("score", path, "--fields", "ref=text,hyp=pred", "--by", "g")
    texts = [row["pred"] for row in rows], [row["text"] for row in rows]
    gap = fm.score(*texts, fields=rows).by("g").gap  # type: ignore[union-attr, arg-type]
    assert gap is not None
    summary = fstmetrics(*command, "--json").summary
    assert summary["by_gaps"] == {"g": gap._asdict() | {"values": [False, True]}}
    said = f"g: wer of true minus that of false: {gap.delta:+.4f}, from {gap.low:+.4f} to {gap.high:+.4f}"
    for form in ((), ("--markdown",), ("--latex",)):
        assert said in fstmetrics(*command, *form).out
    assert "by_gaps" not in fstmetrics(*command[:-1], "h", "--json").summary
    percent = fstmetrics(*command, "--percent").out
    assert f": {100 * gap.delta:+.2f}, from" in percent
