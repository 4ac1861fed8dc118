"""`fstmetrics compare` of recognisers: the default metric, tests on speakers, blocks, oracles."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from command import EXAMPLES, fstmetrics, written

import fstmetrics as fm
from fstmetrics.engine.resampling import Resampling, bootstrap_sums

HERE = Path(fm.__file__).parent / "examples"
SPEECH = [HERE / "speech" / f"{name}.trn" for name in ("ref", "old", "new")]
LATTICES = HERE / "oracle"


def compare(*arguments: object) -> dict[str, object]:
    return fstmetrics("compare", "--ref", *arguments, "--samples", 200, "--json").summary


def the_test(*arguments: object) -> dict[str, object]:
    (test,) = compare(*arguments)["tests"]  # type: ignore[misc]
    return dict(test)


@pytest.mark.parametrize(
    ("lines", "metric"),
    [(["a b c (x-1)", "d (x-2)"], "wer"), (["x1 a b c", "x2 d"], "wer"), (["a b c", "d"], "bleu")],
)
def test_transcripts_get_wer_and_plain_text_gets_bleu(lines: list[str], metric: str, tmp_path: Path) -> None:
    ref, hyp = (written(tmp_path / name, "\n".join(lines) + "\n") for name in ("ref", "hyp"))
    (scores,) = compare(ref, hyp)["systems"].values()  # type: ignore[attr-defined]
    assert list(scores) == [metric]
    assert ("substitutions" in scores[metric]) == (metric == "wer")


def test_tests_of_speech_are_of_wer_also_on_plain_text() -> None:
    folder = HERE / "sign-test"
    files = [folder / f"{name}.txt" for name in ("ref", "long", "short")]
    assert the_test(*files, "--test", "mcnemar")["metric"] == "wer"
    assert the_test(*files, "--test", "McNemar")["test"] == "mcnemar"
    assert the_test(*files)["metric"] == "bleu"
    found = fm.compare({"a": ["x y"], "b": ["x z"]}, ["x y"], test="mapsswe", samples=10)
    assert list(found.metrics) == ["wer"]
    assert list(fm.compare({"a": ["x y"], "b": ["x z"]}, ["x y"], samples=10).metrics) == ["wer"]


def test_counts_of_transcripts_add_up() -> None:
    for name, scores in compare(*SPEECH)["systems"].items():  # type: ignore[attr-defined]
        wer = scores["wer"]
        assert wer["edits"] == wer["substitutions"] + wer["insertions"] + wer["deletions"]
        assert wer["score"] == wer["edits"] / wer["path_length"]
        corpus = fstmetrics("score", SPEECH[0], HERE / "speech" / f"{name}.trn", "--json").summary
        assert {name: corpus[name] for name in wer if name in corpus} == {
            n: v for n, v in wer.items() if n in corpus
        }


def test_speakers_come_from_rules_files_and_fields(tmp_path: Path) -> None:
    wanted = the_test(*SPEECH, "--test", "wilcoxon")
    assert the_test(*SPEECH, "--test", "wilcoxon", "--blocks", "speaker") == wanted
    assert the_test(*SPEECH, "--test", "wilcoxon", "--speakers", "spu_id") == wanted
    ids = [line.split("(")[1].rstrip(")\n") for line in SPEECH[0].read_text().splitlines()]
    table = written(tmp_path / "utt2spk", "".join(f"{id} {id[:2]}\n" for id in ids))
    assert the_test(*SPEECH, "--test", "wilcoxon", "--speakers", table) == wanted
    segments, words = [], []
    for file in SPEECH:
        lines = [line.rstrip(")\n").rpartition("(") for line in file.read_text().splitlines()]
        segments.append([
            {"session_id": id, "speaker": id[:3], "start_time": 0, "end_time": 1, "words": text.strip()}
            for text, _, id in lines
        ])  # fmt: skip
        words.append(written(tmp_path / f"{file.stem}.json", json.dumps(segments[-1])))
    assert the_test(*words, "--test", "wilcoxon") == wanted
    assert the_test(*words, "--test", "sign") == the_test(*SPEECH, "--test", "sign")


NOBODY = {"null": None, "empty": "", "nan": float("nan"), "absent": ...}


@pytest.mark.parametrize("nobody", NOBODY)
@pytest.mark.parametrize("options", ["--test sign", "--test wilcoxon", "--blocks speaker", "--blocks part"])
def test_items_without_a_speaker_among_others_make_no_block(
    nobody: str, options: str, tmp_path: Path
) -> None:
    """They are no speaker of their own, and make no other test."""
    rows: list[dict[str, object]] = [
        {"id": n, "text": "a b c", "pred_text": "a b", "speaker": f"s{n % 4}", "part": f"p{n % 4}"}
        for n in range(12)
    ]
    paths = []
    for name in ("one", "two"):
        for n in (7, 9):
            rows[n] = {**rows[n], "speaker": NOBODY[nobody], "part": NOBODY[nobody]}
        found = [{name: value for name, value in row.items() if value is not ...} for row in rows]
        paths.append(written(tmp_path / f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in found)))
    field = options.split()[-1] if options.endswith("part") else "speaker"
    refused = fstmetrics("compare", *paths, *options.split())
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert (
        f"2 of 12 items have no {field}, by which blocks are made, the first 7: write it into the files"
        in refused.err
    )
    assert fstmetrics("compare", *paths, "--test", "sign", "--blocks", "item").status == 0
    if nobody != "absent" and field == "speaker":
        labels = [row["speaker"] for row in rows]
        with pytest.raises(
            fm.FstmetricsError, match=r"blocks\[7\] must be the name .* 2 of 12 items have none"
        ):
            fm.compare({"a": ["x"] * 12, "b": ["y"] * 12}, ["x"] * 12, "wer", blocks=labels)  # type: ignore[arg-type]


def test_the_sign_test_compares_items_where_nobody_is_known(tmp_path: Path) -> None:
    by_item = the_test(*SPEECH, "--test", "sign", "--blocks", "item")
    assert sum(int(by_item[name]) for name in ("better", "worse", "equal")) == 54  # type: ignore[call-overload]
    plain = [
        written(
            tmp_path / path.name, "".join(line.split("(")[0] + "\n" for line in path.read_text().splitlines())
        )
        for path in SPEECH
    ]
    unknown = the_test(
        *plain, "--test", "sign", "--metric", "wer", "--format", "plain", "--ref-format", "plain"
    )
    assert {name: unknown[name] for name in ("better", "worse", "equal", "p")} == {
        name: by_item[name] for name in ("better", "worse", "equal", "p")
    }


def test_blocks_are_resampled_as_sums_of_their_items() -> None:
    texts = [[line.rsplit(" ", 1)[0] for line in path.read_text().splitlines()] for path in SPEECH]
    speakers = [line.split("(")[1].split("_")[0] for line in SPEECH[0].read_text().splitlines()]
    found = fm.compare({"old": texts[1], "new": texts[2]}, texts[0], "wer", samples=300, blocks=speakers)
    assert found.design.settings()["blocks"] == {"by": "block", "number": 9}
    # By the definition, from the same draws: a row a speaker.
    statistics = {
        name: np.array([[item.edits, item.path_length] for item in fm.score(texts[1 + n], texts[0])])
        for n, name in enumerate(("old", "new"))
    }
    sums = {
        name: np.array(
            [rows[[who == speaker for who in speakers]].sum(axis=0) for speaker in dict.fromkeys(speakers)]
        )
        for name, rows in statistics.items()
    }
    drawn = bootstrap_sums([sums["old"].astype(float)], Resampling(300, 1))[0]
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
    score = found.systems["old"]["wer"]
    assert (score.low, score.high) == (pytest.approx(low), pytest.approx(high))
    items = fm.compare({"old": texts[1], "new": texts[2]}, texts[0], "wer", samples=300)
    assert score.score == items.systems["old"]["wer"].score


def test_blocks_by_id_are_those_of_the_items() -> None:
    references = {"u1": "a b", "u2": "c d", "u3": "e f"}
    systems = {"one": {"u3": "e f", "u2": "c x", "u1": "a b"}, "two": {"u1": "a x", "u2": "c d", "u3": "e f"}}
    blocks = {"u2": "ben", "u1": "ada", "u3": "ben"}
    by_id = fm.compare(systems, references, "wer", test="wilcoxon", samples=10, blocks=blocks)
    lists = {name: [outputs[id] for id in references] for name, outputs in systems.items()}
    by_order = fm.compare(lists, list(references.values()), "wer", test="wilcoxon", samples=10,
                          blocks=["ada", "ben", "ben"])  # fmt: skip
    assert by_id.tests == by_order.tests


def test_oracles_are_compared_with_the_tests_of_speech(tmp_path: Path) -> None:
    """The 1-best of lattices against their oracle, as text and as lattices."""
    oracle = fstmetrics(
        "oracle", LATTICES / "ref.txt", LATTICES / "lattices", "--output", tmp_path / "o.jsonl"
    )
    assert oracle.status == 0
    records = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    lines = {
        "best": "".join(f"{r['id']} {' '.join(r['one_best']['hypothesis'])}\n" for r in records),
        "oracle": "".join(f"{r['id']} {' '.join(r['hypothesis'])}\n" for r in records),
    }
    files = {name: written(tmp_path / f"{name}.txt", text) for name, text in lines.items()}
    of_lattices = the_test(LATTICES / "ref.txt", files["best"], LATTICES / "lattices", "--test", "mapsswe")
    of_texts = the_test(LATTICES / "ref.txt", files["best"], files["oracle"], "--test", "mapsswe")
    names = ("p", "statistic", "segments", "mean", "baseline_errors", "system_errors")
    assert {name: of_lattices[name] for name in names} == {name: of_texts[name] for name in names}
    assert of_lattices["system_errors"] == 6


def test_references_with_choices_are_compared(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.trn", "i { um / @ } live here for { twenty five / 25 } years (a-1)\n")
    one = written(tmp_path / "one.trn", "i live here for 25 years (a-1)\n")
    two = written(tmp_path / "two.trn", "i um live hear for twenty five ears (a-1)\n")
    found = the_test(ref, one, two, "--test", "mapsswe")
    # "here for years": of the words that both paths have, no two stand together between the errors.
    assert (found["segments"], found["baseline_errors"], found["system_errors"]) == (1, 0, 2)


def test_several_tests_at_once() -> None:
    """Each is as it is alone; the table has p and the winner of each, as sc_stats' unified table."""
    names = ["bootstrap", "mapsswe", "mcnemar", "sign", "wilcoxon"]
    files = ("--ref", *(EXAMPLES / "speech" / f"{name}.trn" for name in ("ref", "old", "new")))
    command = ("compare", *files, "--samples", "200")
    summary = fstmetrics(*command, "--test", ",".join(names), "--json").summary
    together, settings = summary["tests"], summary["settings"]
    assert {settings["test"], *(other["test"] for other in settings["other_tests"])} == {*names}
    alone = [fstmetrics(*command, "--test", name, "--json").summary["tests"][0] for name in names]
    assert sorted(together, key=lambda test: names.index(test["test"])) == alone
    for form in ((), ("--markdown",), ("--latex",)):
        out = fstmetrics(*command, "--test", ",".join(reversed(names)), *form).out
        row = next(line for line in out.splitlines() if "same" in line)
        assert all(f"{test['p']:.4f} same" in row for test in alone)
    found = list(csv.DictReader(io.StringIO(fstmetrics(*command, "--test", "sign,mapsswe", "--csv").out)))
    assert [(row["test"], row["p"]) for row in found if row["p"]] == [
        (test["test"], str(test["p"])) for test in (alone[1], alone[3])
    ]
    refused = fstmetrics(*command, "--test", "sign,nonesuch")
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "'nonesuch' is not one of" in refused.err


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        ("mcnemar", ["for this test"]),
        ("mapsswe,mcnemar,sign,wilcoxon", ["for mcnemar"]),
        ("mcnemar,bootstrap", ["for mcnemar"]),
        ("sign,mapsswe", []),
    ],
)
def test_where_sc_stats_prints_another_p_is_remarked_on_of_any_test(tests: str, said: list[str]) -> None:
    ref, old, new = SPEECH
    found = fstmetrics("compare", "--ref", ref, old, new, "--test", tests).out
    remarks = [line for line in found.splitlines() if line.startswith("new: sc_stats 2.4.10 prints p 0.002 ")]
    assert [each.partition(" 0.002 ")[2].partition(";")[0] for each in remarks] == said


@pytest.mark.parametrize("pairs", ["baseline", "all"])
def test_several_tests_at_once_are_all_in_the_tables_by_field(pairs: str) -> None:
    """Each is as it is alone, of the items with each value."""
    names = ["bootstrap", "randomization", "mapsswe", "mcnemar"]
    files = ("--ref", *SPEECH, f"third={SPEECH[2]}")
    command = (
        "compare",
        *files,
        "--samples",
        "200",
        "--by",
        "speaker",
        "--pairs",
        pairs,
        "--correction",
        "holm",
    )
    together = fstmetrics(*command, "--test", ",".join(names), "--json").summary["by"]["speaker"]
    alone = [fstmetrics(*command, "--test", name, "--json").summary["by"]["speaker"] for name in names]
    for group, *others in zip(together, *alone, strict=True):
        expected = [test for other in others for test in other["tests"]]
        assert sorted(group["tests"], key=lambda test: names.index(test["test"])) == expected
    for form in ((), ("--markdown",), ("--latex",)):
        lines = fstmetrics(*command, "--test", ",".join(reversed(names)), *form).out.splitlines()
        start = next(place for place, line in enumerate(lines) if "wer by speaker: p by test" in line)
        for value, *others in zip((group["value"] for group in together), *alone, strict=True):
            row = next(line for line in lines[start:] if value in line and "new against old" in line)
            tests = [test for other in others for test in other["tests"]]
            decisive = [
                test["p_holm"] for test in tests if test["system"] == "new" and test["baseline"] == "old"
            ]
            assert all(f"{p:.4f}" in row for p in decisive if p is not None)
            assert len(decisive) == len(names)
        assert not any("third against new" in line for line in lines[start:])
