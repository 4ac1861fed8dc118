"""`fstmetrics speakers`: what it reads, prints and refuses."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, fstmetrics, written
from other_programs import client

REF, HYP = (str(EXAMPLES / "speakers" / name) for name in ("ref.stm", "hyp.stm"))
METRICS = ("cpwer", "tcpwer", "orcwer", "dicpwer")


@pytest.mark.parametrize("metric", METRICS)
def test_sessions_add_up_and_assignments_do(metric: str) -> None:
    found = fstmetrics("speakers", REF, HYP, "--metric", metric, "--collar", "5", "--json").summary
    assert found["sessions"] == ["meeting", "interview"]
    for count in ("edits", "substitutions", "insertions", "deletions", "path_length"):
        assert found[count] == sum(session[count] for session in found["per_session"])
    assert found["score"] == found["edits"] / found["path_length"]
    assert found["assignment"][0]["session"] == "meeting"
    if metric in ("cpwer", "tcpwer"):
        assert found["edits"] == sum(pair["edits"] for pair in found["assignment"])
        cleo = next(pair for pair in found["assignment"] if pair["reference"] == "cleo")
        assert (cleo["hypothesis"], cleo["deletions"]) == (None, 6)
    else:
        assert len(found["assignment"]) == 6


def segments(seed: int, prefix: str) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    found = []
    for session in ("s1", "s2"):
        for speaker in range(rng.randint(1, 3)):
            begin = Decimal(0)
            for _ in range(rng.randint(1, 4)):
                begin += Decimal(rng.randint(1, 60)) / 10
                words = " ".join(rng.choice("abcd") * rng.randint(1, 3) for _ in range(rng.randint(1, 5)))
                end = begin + Decimal(rng.randint(1, 40)) / 10
                segment = {"session_id": session, "speaker": f"{prefix}{speaker}", "words": words}
                found.append({**segment, "start_time": float(begin), "end_time": float(end)})
    return found


def as_stm(found: list[dict[str, Any]]) -> str:
    lines = (
        f"{s['session_id']} 1 {s['speaker']} {s['start_time']} {s['end_time']} {s['words']}\n" for s in found
    )
    return "".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_files_give_what_meeteval_gives_for_them(seed: int, tmp_path: Path) -> None:
    meeteval = client("meeteval")
    refs, hyps = segments(seed, "r"), segments(seed + 100, "h")
    ref, hyp = written(tmp_path / "ref.stm", as_stm(refs)), written(tmp_path / "hyp.stm", as_stm(hyps))
    seglst = [written(tmp_path / f"{n}.seglst.json", json.dumps(s)) for n, s in (("r", refs), ("h", hyps))]
    collar = ["0.5", "1", "5"][seed % 3]
    theirs = {
        "cpwer": meeteval.wer.cpwer(str(ref), str(hyp)),
        "tcpwer": meeteval.wer.tcpwer(str(ref), str(hyp), collar=Decimal(collar)),
        "orcwer": meeteval.wer.orcwer(str(ref), str(hyp)),
    }
    for metric, sessions in theirs.items():
        for files in ((ref, hyp), seglst):
            ours = fstmetrics(
                "speakers", *map(str, files), "--metric", metric, "--collar", collar, "--json"
            ).summary
            found = {one["session"]: (one["edits"], one["path_length"]) for one in ours["per_session"]}
            assert found == {name: (rate.errors, rate.length) for name, rate in sessions.items()}, metric


def test_the_table_lines_up() -> None:
    lines = fstmetrics("speakers", REF, HYP).out.splitlines()
    assert len({len(line) for line in lines[:3]}) == 1
    assert "meeting    cleo       -           1.0000" in lines[8]


def test_words_and_turns_in_two_files(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.stm", "f 1 ann 0 2 a b\nf 1 bob 3 5 c d\n")
    turns = written(
        tmp_path / "t.rttm", "SPEAKER f 1 0 2 <NA> <NA> x <NA> <NA>\nSPEAKER f 1 3 2 <NA> <NA> y <NA>\n"
    )
    ctm = written(tmp_path / "h.ctm", "f 1 0.1 0.5 a\nf 1 1.0 0.5 b\nf 1 2.4 0.5 c\nf 1 4.0 0.5 d\n")
    text = written(tmp_path / "h.txt", "a b\nc d\n")
    apart = fstmetrics("speakers", str(ref), str(ctm), "--json").summary
    assert (apart["edits"], len(apart["remarks"])) == (4, 1)  # one channel: half the words are nobody's
    for words in (ctm, text):
        found = fstmetrics("speakers", str(ref), str(words), "--turns", str(turns), "--json").summary
        assert (found["edits"], found["path_length"]) == (0, 4)
        assert [(p["reference"], p["hypothesis"]) for p in found["assignment"]] == [
            ("ann", "x"),
            ("bob", "y"),
        ]
    assert "1 word in no turn" in fstmetrics("speakers", str(ref), str(ctm), "--turns", str(turns)).out


@pytest.mark.parametrize("metric", METRICS)
def test_lattices_as_turns_have_the_edits_of_their_oracles(metric: str) -> None:
    """Six edits of 90 words, as `fstmetrics oracle` finds in the same lattices."""
    speakers = EXAMPLES / "speakers"
    lattices = EXAMPLES / "oracle" / "lattices"
    files = (str(speakers / "holmes.stm"), str(lattices), "--turns", str(speakers / "holmes.rttm"))
    found = fstmetrics("speakers", *files, "--metric", metric, "--json").summary
    assert (found["edits"], found["path_length"]) == (6, 90)
    assert any("the best paths are scored" in remark for remark in found["remarks"])


def test_rows_of_a_table(tmp_path: Path) -> None:
    said = [
        {"id": "1", "session": "m", "speaker": "ann", "start": 0.0, "end": 2.0, "text": "a b c"},
        {"id": "2", "session": "m", "speaker": "bob", "start": 1.0, "duration": 2.5, "text": "d e"},
    ]
    heard = [{**row, "id": f"h{row['id']}", "speaker": str(i)} for i, row in enumerate(said)]
    files = [
        str(written(tmp_path / name, "".join(json.dumps(row) + "\n" for row in rows)))
        for name, rows in (("r.jsonl", said), ("h.jsonl", heard))
    ]
    found = fstmetrics("speakers", *files, "--metric", "tcpwer", "--json").summary
    assert (found["edits"], found["path_length"], found["sessions"]) == (0, 5, ["m"])


def test_rttm_with_words(tmp_path: Path) -> None:
    rttm = (
        "SPEAKER f 1 0 2 <NA> <NA> x <NA> <NA>\nLEXEME f 1 0.1 0.5 a lex x <NA> <NA>\n"
        "LEXEME f 1 1.1 0.5 b lex x <NA> <NA>\nSPEAKER f 1 1 2 <NA> <NA> y <NA> <NA>\n"
        "LEXEME f 1 1.2 0.5 c lex y <NA> <NA>\n"
    )
    ref = written(tmp_path / "ref.stm", "f 1 ann 0 2 a b\nf 1 bob 1 3 c\n")
    found = fstmetrics("speakers", str(ref), str(written(tmp_path / "h.rttm", rttm)), "--json").summary
    assert (found["edits"], found["path_length"]) == (0, 3)


def test_speakers_who_begin_and_end_together(tmp_path: Path) -> None:
    both = written(tmp_path / "a.stm", "f 1 ann 0 2 a b\nf 1 bob 0 2 c\n")
    assert fstmetrics("speakers", str(both), str(both), "--json").summary["edits"] == 0
    assert fstmetrics("score", str(both), str(both), "--json").summary["items"] == 2


def test_sessions_that_one_side_lacks(tmp_path: Path) -> None:
    one = written(tmp_path / "one.stm", "f 1 ann 0 2 a b\n")
    two = written(tmp_path / "two.stm", "f 1 ann 0 2 a b\ng 1 ann 0 2 c\n")
    refused = fstmetrics("speakers", str(two), str(one))
    assert (refused.status, refused.out) == (2, "")
    assert "no hypothesis for the session g in" in refused.err
    assert (
        fstmetrics("speakers", str(two), str(one), "--missing", "empty", "--json").summary["deletions"] == 1
    )
    skipped = fstmetrics("speakers", str(two), str(one), "--missing", "skip", "--json").summary
    assert (skipped["edits"], skipped["skipped"]) == (0, 1)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("a b\n", (), "does not say who speaks"),
        ("f 1 x 0 2 IGNORE_TIME_SEGMENT_IN_SCORING\n", (), "is not to be scored"),
        ("f 1 x 0 2 a\n", ("--unit", "char"), "speakers compares words"),
        ("f 1 x 0 2 a\n", ("--metric", "wer"), "'wer' is not one of"),
        ("f 1 x 0 2 a\n", ("--collar", "-1"), "-1"),
        ("f 1 x 0 2 a\nf 1 x 0 2 a\n", (), "the same segment is already in line 1"),
        ("SPEAKER f 1 0 2 <NA> <NA> x <NA> <NA>\n", (), "has no words"),
        (
            "SPEAKER f 1 0 2 <NA> <NA> x <NA> <NA>\nLEXEME f 1 8 1 a lex x <NA>\n",
            (),
            "is in no turn of its speaker",
        ),
        ("SPEAKER f 1 0 -2 <NA> <NA> x <NA> <NA>\n", (), "the duration is -2, below 0"),
        ("SPEAKER f 1 0 2 x\n", (), "expected `SPEAKER file channel begin duration"),
        (
            '[{"session_id": "f", "speaker": 5, "words": "a"}, {"session_id": "f", "speaker": "5", "words": "b"}]',
            (),
            "the speaker '5' is a number in one of segments 0 and 1 and a text in the other",
        ),
        ("a\nb\n", ("--turns", "{turns}"), "has 2 items and there are 1 turn"),
        ("f 1 x 0 2 a\n", ("--turns", "{here}"), "no type of RTTM line"),
    ],
)
def test_what_is_refused(content: str, options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.stm", "f 1 ann 0 2 a b\n")
    turns = written(tmp_path / "t.rttm", "SPEAKER f 1 0 2 <NA> <NA> x <NA> <NA>\n")
    hyp = written(tmp_path / "hyp", content)
    given = [option.format(turns=turns, here=hyp) for option in options]
    outcome = fstmetrics("speakers", str(ref), str(hyp), *given)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


@pytest.mark.parametrize(
    "options",
    [
        ("--metric", "orcwer"),
        ("--metric", "tcpwer", "--collar", "0"),
        ("--lowercase",),
        ("--remove-punctuation",),
        ("--ignore", "uh"),
        ("--ignore-ref", "sir"),
        ("--ignore-hyp", "uh"),
        ("--grammar", "en.contractions"),
        ("--missing", "skip"),
        ("--profile", "whisper-en"),
    ],
    ids=" ".join,
)
def test_an_option_that_changes_numbers_changes_the_signature(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    if "whisper-en" in options:
        client("whisper_normalizer")
    ref = written(
        tmp_path / "r.stm", "f 1 ann 0 1 Yes please, sir\nf 1 bob 50 51 i don't know\ng 1 ann 0 1 x\n"
    )
    hyp = written(
        tmp_path / "h.stm", "f 1 1 0 1 yes please sir uh\nf 1 1 30 31 i do not know\nf 1 2 40 41 know\n"
    )
    before = ["--missing", "empty"]
    plain = fstmetrics("speakers", str(ref), str(hyp), *before, "--json").summary
    other = fstmetrics("speakers", str(ref), str(hyp), *before, *options, "--json").summary
    counts = ("edits", "substitutions", "insertions", "deletions", "path_length")
    assert [plain[count] for count in counts] != [other[count] for count in counts]
    assert plain["signature"] != other["signature"]


def test_metrics_have_the_names_that_people_write() -> None:
    for name in ("cpWER", "tcpWER", "ORCWER"):
        found = fstmetrics("speakers", REF, HYP, "--metric", name, "--json").summary
        assert found == fstmetrics("speakers", REF, HYP, "--metric", name.lower(), "--json").summary
