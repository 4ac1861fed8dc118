"""sclite's reports: equal to those of the real program, on its own tests, on real decodes and on random texts."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics
from other_programs import program
from places import SHARED, needs_data

import fstmetrics as fm
from fstmetrics.reports.run_reports import sclite_alignment

WEATHER, NIST = SHARED / "asr-kaldi-weather", SHARED / "expected-sclite"
SCLITE = ("--metric", "sclite", "--lowercase")


def written(
    folder: Path, reference: object, hypothesis: object, names: str, *options: object
) -> dict[str, str]:
    """The reports that a run writes, by their endings."""
    output = folder / "ours.jsonl"
    outcome = fstmetrics(
        "score", reference, hypothesis, *SCLITE, "--report", names, "--output", output, *options
    )
    assert outcome.status == 0, outcome.err
    return {
        path.name.removeprefix("ours."): path.read_text() for path in folder.glob("ours.*") if path != output
    }


def sclites(folder: Path, reference: str, hypothesis: str, *options: str) -> dict[str, str]:
    """Those of the real program."""
    sclite = program("sclite", "sctk")
    given = [
        "-r",
        *reference.split(),
        "-h",
        *hypothesis.split(),
        *options,
        "-f",
        "0",
        "-O",
        str(folder),
        "-n",
        "theirs",
    ]
    run = [[*given, "-o", "lur"]] if reference.endswith("stm") else []
    for arguments in ([*given, "-o", "sum", "rsum", "dtl", "spk"], *run):
        subprocess.run([*sclite, *arguments], cwd=folder, capture_output=True, check=False)
    found = {path.name.removeprefix("theirs."): path.read_text() for path in folder.glob("theirs.*")}
    return {
        name: text.replace("substitions  ", "substitutions") for name, text in found.items()
    }  # 2.4.10's spelling


def texts(seed: int, items: int) -> tuple[list[list[str]], list[list[str]]]:
    """References, and hypotheses near them."""
    chance = random.Random(seed)
    references = [chance.choices("abcdef", k=chance.randrange(1, 9)) for _ in range(items)]
    hypotheses = [
        [
            chance.choice("abcdef") if chance.random() < 0.3 else word
            for word in words
            if chance.random() < 0.85
        ]
        + chance.choices("ab", k=chance.randrange(2))
        for words in references
    ]
    return references, hypotheses


def trn(path: Path, ids: Sequence[str], sentences: Sequence[Sequence[str]]) -> None:
    path.write_text("".join(f"{' '.join(words)} ({id})\n" for id, words in zip(ids, sentences, strict=True)))


def test_reports_of_trn_are_sclites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [f"{speaker}_{number}" for speaker in ("ann", "bob", "cy", "longspeaker") for number in range(25)]
    references, hypotheses = texts(1, len(ids))
    trn(tmp_path / "ref.trn", ids, references)
    trn(tmp_path / "hyp.trn", ids, hypotheses)
    monkeypatch.chdir(tmp_path)
    theirs = sclites(tmp_path, "ref.trn trn", "hyp.trn trn", "-i", "spu_id")
    assert len(theirs) == 3 + 4
    assert written(tmp_path, "ref.trn", "hyp.trn", "sys,raw,dtl,spk") == theirs


def test_sums_without_a_word_of_the_references_are_sclites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = ["ann_1", "ann_2", "bob_1", "bob_2"]
    trn(tmp_path / "ref.trn", ids, [[], [], [], []])
    trn(tmp_path / "hyp.trn", ids, [["x"], [], [], []])
    monkeypatch.chdir(tmp_path)
    theirs = sclites(tmp_path, "ref.trn trn", "hyp.trn trn", "-i", "spu_id")
    ours = written(tmp_path, "ref.trn", "hyp.trn", "sys,raw")
    assert ours == {name: theirs[name] for name in ours}


def test_reports_of_stm_are_sclites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ref.stm").write_text(
        """;; CATEGORY "0" "" ""
;; LABEL "O" "Overall" "All of it"
;; CATEGORY "1" "Focus//Conditions" ""
;; LABEL "F0" "Baseline//Broadcast//Speech" "Clean"
;; LABEL "F1" "Spontaneous" "Free"
;; CATEGORY "2" "Sex" ""
;; LABEL "male" "Male" "Men"
;; LABEL "female" "Female" "Women of the set that have a long name"
f 1 bob 0 1 <o,f0,male> b b b c
f 1 ann 1 2 <o,f1,female> a b
f 1 cid 2 3 <o,f1,male> d e f
f 1 bob 3 4 <o,f1,male> x y
f 1 nil 4 5 <o,f0,>
"""
    )
    spoken = {
        0.1: "b",
        0.2: "b",
        0.3: "c",
        1.1: "a",
        1.2: "z",
        2.1: "D",
        2.2: "e",
        2.3: "f",
        3.3: "x",
        4.3: "huh",
    }
    (tmp_path / "hyp.ctm").write_text("".join(f"f 1 {at} 0.1 {word}\n" for at, word in spoken.items()))
    monkeypatch.chdir(tmp_path)
    theirs = sclites(tmp_path, "ref.stm stm", "hyp.ctm ctm")
    assert len(theirs) == 4 + 4
    assert written(tmp_path, "ref.stm", "hyp.ctm", "sys,raw,dtl,spk,lur") == theirs


@needs_data
@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_real_decodes_have_sclites_tables(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ref.trn", f"{system}.trn"):
        shutil.copy(WEATHER / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    ours = written(tmp_path, "ref.trn", f"{system}.trn", "sys,raw")
    assert ours == {name: (WEATHER / f"sclite_{system}.{name}").read_text() for name in ("sys", "raw")}


@needs_data
def test_sclites_own_tests_have_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("csrnab.ref", "csrnab.hyp"):
        shutil.copy(NIST / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    ours = written(tmp_path, "./csrnab.ref", "./csrnab.hyp", "dtl,sys,spk", "--speakers", "wsj")
    assert ours["dtl"] == (NIST / "base" / "test1.dtl").read_text()
    assert ours["sys"].split("\n")[11:] == (NIST / "base" / "test1.sys").read_text().split("\n")[11:]
    assert ours["spk.4t0"] == (NIST / "base" / "test1.spk.4t0").read_text()


@needs_data
@pytest.mark.parametrize(("reference", "test"), [("lvc_ref.stm", "test3"), ("lvc_refe.stm", "test3a")])
def test_sclites_own_labels_have_its_tables(reference: str, test: str, tmp_path: Path) -> None:
    ours = written(tmp_path, NIST / reference, NIST / "lvc_hyp.ctm", "lur")["lur"]

    def cells(text: str) -> list[list[str]]:  # columns are wider where sclite has made other reports before
        rows = [re.split(r"[|+ ]+", line) for line in text.split("\n") if line.strip().startswith("|")]
        return [[cell for cell in row if re.search(r"\w", cell)] for row in rows if "System:" not in row]

    assert cells(ours) == cells((NIST / "base" / f"{test}.lur").read_text())


def test_alignments_have_the_words_and_the_counts_of_the_results() -> None:
    references, hypotheses = texts(2, 500)
    for result in fm.score(hypotheses, references, "sclite"):
        found = sclite_alignment(result)
        assert tuple(pair.hypothesis for pair in found if pair.hypothesis is not None) == result.hypothesis
        assert tuple(pair.reference for pair in found if pair.reference is not None) == result.closest
        assert Counter(pair.op for pair in found) == Counter(pair.op for pair in result.alignment)


def test_reports_are_printed_where_there_is_no_output() -> None:
    fields = EXAMPLES / "fields"
    outcome = fstmetrics("score", fields / "ref.stm", fields / "hyp.trn", "--report", "sys,lur")
    assert outcome.status == 0
    assert re.search(r"Sum/Avg *\| +8 +58 *\| +87.9 +6.9 +5.2 +1.7 +13.8 +50.0 *\|", outcome.out)
    assert "(alignments of wer)" in outcome.out
    assert re.search(r"Set Sum/Avg \| \[58\]\s+13.8 \|\| \[32\]\s+6.3 \| \[26\]\s+23.1", outcome.out)


def test_reports_of_some_of_the_items_say_so(tmp_path: Path) -> None:
    fields = EXAMPLES / "fields"
    fewer = (fields / "hyp.trn").read_text().split("\n", 2)[2]
    (tmp_path / "fewer.trn").write_text(fewer)
    found = written(tmp_path, fields / "ref.stm", tmp_path / "fewer.trn", "sys", "--missing", "skip")
    assert "fewer.trn [PARTIAL]" in found["sys"]
    assert re.search(r"Sum/Avg *\| +6 ", found["sys"])


def test_a_resumed_run_has_the_same_tables(tmp_path: Path) -> None:
    fields = EXAMPLES / "fields"
    whole = written(tmp_path, fields / "ref.stm", fields / "hyp.trn", "sys,lur")
    assert written(tmp_path, fields / "ref.stm", fields / "hyp.trn", "sys,lur", "--resume") == whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "sum"], "expected dtl, lur, raw, spk, sys, joined by commas, not 'sum'"),
        (["--report", "sys", "--json"], "--report and --json both want standard output"),
        (["--report", "sys", "--output", "-"], "--report and --output - both want standard output"),
        (["--report", "sys", "--metric", "chrf"], "chrf has none"),
        (["--report", "sys", "--metric", "hyter", "--window", "2"], "--report counts no moves"),
        (["--report", "dtl", "--output", "o.jsonl", "--resume"], "--report dtl needs the words of all items"),
    ],
)
def test_what_cannot_be_reported_is_one_clear_line(
    options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = fstmetrics("score", EXAMPLES / "fields" / "ref.stm", EXAMPLES / "fields" / "hyp.trn", *options)
    assert (outcome.status, len(outcome.err.splitlines())) == (2, 1)
    assert message in outcome.err


def test_labels_that_are_not_declared_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hyp.trn").write_text("a (f_1_0_1)\n")
    for header, message in [
        ("", "--report lur needs labels, declared as"),
        (';; LABEL "O" "All" ""\n', "the label 'x' is not declared"),
    ]:
        (tmp_path / "ref.stm").write_text(f"{header}f 1 ann 0 1 <o,x> a\n")
        outcome = fstmetrics("score", tmp_path / "ref.stm", tmp_path / "hyp.trn", "--report", "lur")
        assert (outcome.status, len(outcome.err.splitlines())) == (2, 1)
        assert message in outcome.err
    (tmp_path / "ref.txt").write_text("f_1_0_1 a\n")
    outcome = fstmetrics(
        "score", tmp_path / "ref.txt", tmp_path / "hyp.trn", "--report", "lur", "--speakers", "wsj"
    )
    assert (outcome.status, "--report lur needs references in stm" in outcome.err) == (2, True)
