"""`fstmetrics speakers`: what it reads, prints and refuses."""

from __future__ import annotations

import contextlib
import csv
import json
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import EXAMPLES, fstmetrics, with_options, written
from other_programs import client, program

import fstmetrics as fm
from fstmetrics.engine.resampling import Resampling
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics.compared_rates import SessionRate
from fstmetrics.significance.compare_statistics import compare_statistics
from fstmetrics.significance.comparison import Design
from fstmetrics.support.errors import FstmetricsError

REF, HYP = (str(EXAMPLES / "speakers" / name) for name in ("ref.stm", "hyp.stm"))
METRICS = ("cpwer", "tcpwer", "orcwer", "tcorcwer", "dicpwer")


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
    assert "meeting    cleo       -           1.0000" in lines[9]


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
@pytest.mark.parametrize(
    ("heard", "spoken", "edits"),
    [
        ("1 2", "1 2", 0),
        ("A B", "a b", 0),
        ("1 2", "1 1", None),
        ("A A", "1 2", None),
        ("A B", "1 2", "refused"),
    ],
)
def test_words_go_to_turns_of_their_channel(
    heard: str, spoken: str, edits: int | str | None, metric: str, tmp_path: Path
) -> None:
    one, two = heard.split()
    ref = written(tmp_path / "r.stm", "m 1 ann 0 2 hello there\nm 2 bob 0 2 good morning\n")
    times = [(one, 0.1, "hello"), (two, 0.2, "good"), (one, 0.8, "there"), (two, 0.9, "morning")]
    lines = [f"m {channel} {begin} 0.5 {word}\n" for channel, begin, word in times]
    ctm = written(tmp_path / "h.ctm", "".join(lines if one == two else sorted(lines)))
    who = zip(spoken.split(), ("A", "B"), strict=True)
    turns = "".join(f"SPEAKER m {channel} 0 2 <NA> <NA> {name} <NA>\n" for channel, name in who)
    rttm = written(tmp_path / "t.rttm", turns)
    found = fstmetrics("speakers", ref, ctm, "--turns", rttm, "-m", metric, "--collar", "5", "--json")
    other = fstmetrics("speakers", ctm, ref, "--ref-turns", rttm, "-m", metric, "--collar", "5", "--json")
    if edits == "refused":
        said = "words are of the channels A, B, turns of 1, 2"
        assert (said in found.err, said in other.err) == (True, True)
    elif edits is None:
        remark = "4 words in turns of several speakers: taken into the turn that it overlaps most"
        assert all(any(remark in each for each in files.summary["remarks"]) for files in (found, other))
    else:
        assert (found.summary["edits"], other.summary["edits"]) == (edits, edits)
        assert not any("several speakers" in each for each in found.summary["remarks"])


@pytest.mark.parametrize(
    ("turns", "heard", "refused"),
    [
        ("m1 m2 n1 n2", "12", ""),
        ("m1 m2 n1", "12", "channel 2 of file n has words"),
        ("m1 m2 n1", "2", "channel 2 of file n has words"),
        ("m1 n2", "12", "channel 1 of file n has words"),
        ("m1 n1", "12", ""),
        ("m1 m2 n1", "A", ""),
        ("m1 m2 n1", "AB", "channel A of file n has words"),
    ],
)
def test_words_of_a_channel_without_turns_go_to_no_other_channel_that_counts(
    turns: str, heard: str, refused: str, tmp_path: Path
) -> None:
    rows = [
        f"SPEAKER {file} {channel} 0 2 <NA> <NA> s{channel} <NA> <NA>\n" for file, channel in turns.split()
    ]
    rttm = written(tmp_path / "t.rttm", "".join(rows))
    ref = written(tmp_path / "r.stm", "m 1 ann 0 2 hi\nn 1 ann 0 2 hi\n")
    words = [f"{file} {channel} .1 .5 hi\n" for file, channel in ["m1", *(f"n{one}" for one in heard)]]
    found = fstmetrics("speakers", ref, written(tmp_path / "h.ctm", "".join(words)), "--turns", rttm)
    assert (found.status, refused in found.err) == (2 if refused else 0, True), found.err


@pytest.mark.parametrize(
    ("ids", "times", "refused"),
    [
        (["m-a-1", "m-a-2", "m-a-10"], "123", ""),
        (["0", "1", "2"], "123", ""),
        (["1", "2", "3"], "213", ""),
        (["m01", "m21", "m37"], "123", ""),
        (["01", "02", "03"], "123", ""),
        (["m-A-0000100-0000200", "m-A-0000200-0000300", "m-A-0000300-0000400"], "123", ""),
        (["A_m_1000_2000", "A-m-2000-3000", "A-m-3.0-4.0"], "123", ""),
        (["m-A-0000100-0000200", "n-A-0000200-0000300", "m-A-0000300-0000400"], "123", "n-A-0000200-0000300"),
        (["m-A-100-200", "m-A-300-400", "m-A-200-300"], "123", "m-A-300-400"),
        (["02", "03", "04"], "123", "02"),
        (["2", "3", "4"], "123", "2"),
        (["m-1", "m-10", "m-2"], "123", "m-2"),
        (["m-1", "m-2", "m-3"], "132", "m-3"),
        (["S0-m-001", "S1-m-002", "S1-m-003"], "123", "S1-m-002"),
        (["m-a", "m-b", "m-c"], "123", "m-a"),
        (["x-1", "x-2", "x-3"], "123", "x-1"),
    ],
)
def test_items_with_ids_are_turns_where_the_ids_prove_it(
    ids: list[str], times: str, refused: str, tmp_path: Path
) -> None:
    turns = "".join(f"SPEAKER m 1 {begin} 1 <NA> <NA> A <NA>\n" for begin in times)
    rttm = written(tmp_path / "t.rttm", turns)
    ref = written(
        tmp_path / "r.stm", "".join(f"m 1 ann {begin} {int(begin) + 1} w{begin}\n" for begin in times)
    )
    text = written(tmp_path / "text", "".join(f"{id} w{n}\n" for id, n in zip(ids, times, strict=True)))
    found = fstmetrics("speakers", ref, text, "--turns", rttm, "--format", "kaldi-text", "--json")
    if refused:
        assert (found.status, f"{refused} would be the turn of its place" in found.err) == (2, True)
    else:
        assert found.summary["edits"] == 0


@pytest.mark.parametrize("metric", METRICS)
def test_lattices_as_turns_have_the_edits_of_their_oracles(metric: str, tmp_path: Path) -> None:
    """As `fstmetrics oracle` finds them; tcORC-WER in the two small lattices, as the large take a minute."""
    speakers = EXAMPLES / "speakers"
    lattices = sorted((EXAMPLES / "oracle" / "lattices").iterdir())
    said = (EXAMPLES / "oracle" / "ref.txt").read_text().splitlines(keepends=True)
    turns = {
        name: (speakers / f"holmes.{name}").read_text().splitlines(keepends=True) for name in ("stm", "rttm")
    }
    kept = slice(2, None) if metric == "tcorcwer" else slice(None)
    (tmp_path / "lattices").mkdir()
    for path in lattices[kept]:
        shutil.copy(path, tmp_path / "lattices")
    stm, rttm = (written(tmp_path / f"h.{name}", "".join(turns[name][kept])) for name in turns)
    ref = written(tmp_path / "ref.txt", "".join(said[kept]))
    oracle = fstmetrics("oracle", str(ref), str(tmp_path / "lattices"), "--json").summary
    files = (str(stm), str(tmp_path / "lattices"), "--turns", str(rttm))
    found = fstmetrics("speakers", *files, "--metric", metric, "--json").summary
    assert (found["edits"], found["path_length"]) == (oracle["edits"], oracle["path_length"])
    assert oracle["edits"] > 0
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


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
@pytest.mark.parametrize(
    "names", [("start_time", "end_time"), ("start", "end"), ("begin", "end"), ("offset", "duration")]
)
def test_times_of_rows_by_the_names_that_others_have(
    names: tuple[str, str], suffix: str, tmp_path: Path
) -> None:
    """Lines are grouped by speaker: only times have the order in which all was said."""
    told = [("A", 0, "a b"), ("A", 2, "e f"), ("B", 1, "c d")]
    rows = [
        {"id": f"r{n}", "session": "s", "speaker": who, "text": said}
        | dict(zip(names, (begin, 1 if names[1] == "duration" else begin + 1), strict=True))
        for n, (who, begin, said) in enumerate(told)
    ]
    lines = (
        [json.dumps(row) for row in rows]
        if suffix == "jsonl"
        else [",".join(map(str, row)) for row in ([*rows[0]], *(row.values() for row in rows))]
    )
    ref = written(tmp_path / f"r.{suffix}", "".join(line + "\n" for line in lines))
    hyp = written(tmp_path / "h.stm", "s 1 x 0 3 a b c d e f\n")
    for metric in ("orcwer", "tcorcwer"):
        assert fstmetrics("speakers", str(ref), str(hyp), "--metric", metric, "--json").summary["edits"] == 0


def test_times_of_a_manifest_whose_ids_have_them(tmp_path: Path) -> None:
    row = {"audio_filepath": "a.wav", "session": "s", "speaker": "A", "duration": 1}
    rows = [{**row, "text": "c d", "offset": 10}, {**row, "text": "a b", "offset": 9.5}]
    ref = written(tmp_path / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    hyp = written(tmp_path / "h.stm", "s 1 x 9 11 a b c d\n")
    assert fstmetrics("speakers", str(ref), str(hyp), "--metric", "tcpwer", "--json").summary["edits"] == 0


def test_rows_without_a_session_are_said_to_be_one(tmp_path: Path) -> None:
    def files(session: str) -> list[str]:
        rows = [
            {"id": f"r{n}", session: f"m{n // 2}", "speaker": f"{n}", "text": said}
            for n, said in enumerate(("a b", "c d", "e f", "g h"))
        ]
        heard = [{**row, "speaker": str(n % 2), "confidence": 1} for n, row in enumerate(rows)]
        return [
            str(written(tmp_path / name, "".join(json.dumps(row) + "\n" for row in side)))
            for name, side in (("r.jsonl", rows), ("h.jsonl", heard))
        ]

    found = fstmetrics("speakers", *files("meeting"), "--json").summary
    assert (found["sessions"], found["edits"]) == (["m0", "m1"], 0)
    assert not [remark for remark in found["remarks"] if "without a field" in remark]
    found = fstmetrics("speakers", *files("talk"), "--json").summary
    assert found["sessions"] == [""]
    said = [
        remark for remark in found["remarks"] if "4 items without a field for the session (session," in remark
    ]
    assert len(said) == 2  # of either file


def test_recordings_of_manifests_are_sessions(tmp_path: Path) -> None:
    """As `convert` writes them as turns: words of another recording are no match."""

    def manifest(name: str, text: str, said: Sequence[tuple[str, str, str]]) -> str:
        rows = [
            {"audio_filepath": f"{path}.wav", "offset": n, "duration": 1, "speaker": speaker, text: words}
            for n, (path, speaker, words) in enumerate(said)
        ]
        return str(written(tmp_path / name, "".join(json.dumps(row) + "\n" for row in rows)))

    ref = manifest("r.jsonl", "text", [("d/a", "s", "x y"), ("./d/a", "t", "u"), ("d/b", "t", "z w")])
    hyp = manifest("h.jsonl", "pred_text", [("d/a", "p", "z w"), ("d/a", "q", "u"), ("d/b", "q", "x y")])
    found = fstmetrics("speakers", ref, hyp, "--json").summary
    assert (found["sessions"], found["edits"], found["path_length"]) == (["a", "b"], 4, 5)
    turns = [str(tmp_path / f"{n}.stm") for n in range(2)]
    for source, target in zip((ref, hyp), turns, strict=True):
        assert fstmetrics("convert", source, target, "--lossy").status == 0
    assert fstmetrics("speakers", *turns, "--json").summary["edits"] == 4
    assert fstmetrics("speakers", ref, turns[1], "--json").summary["edits"] == 4
    other = manifest("o.jsonl", "text", [("d/a", "s", "x y"), ("e/a", "t", "z w")])
    assert "two recordings are called 'a': d/a.wav and e/a.wav: name the sessions apart" in (
        fstmetrics("speakers", other, hyp).err
    )


def test_columns_of_rows_are_named_by_fields(tmp_path: Path) -> None:
    row = {"talk": "m1", "who": "A", "text": "a b", "from": 1, "to": 2, "start_time": 50, "end_time": 51}
    rows = [{**row, "text": "c d", "from": 2, "to": 3}, row, {**row, "talk": "m2"}]
    ref = written(tmp_path / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    hyp = written(tmp_path / "h.stm", "m1 1 x 1 3 a b c d\nm2 1 x 1 2 a b\n")
    fields = "session=talk,speaker=who,start=from,end=to"
    found = fstmetrics(
        "speakers", str(ref), str(hyp), "--metric", "tcpwer", "--fields", fields, "--json"
    ).summary
    assert (found["edits"], found["sessions"]) == (0, ["m1", "m2"])


def test_rows_need_no_ids(tmp_path: Path) -> None:
    row = {"session": "s", "speaker": "A", "text": "c d", "start": 10, "end": 11}
    rows = [row, {**row, "text": "a b", "start": 9, "end": 10}]
    ref = written(tmp_path / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    hyp = written(tmp_path / "h.jsonl", json.dumps({**row, "text": "a b c d", "start": 9}) + "\n")
    for metric in METRICS:
        assert fstmetrics("speakers", str(ref), str(hyp), "--metric", metric, "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    ("duration", "agrees"), [("3", False), ("1.5", False), ("2", True), ("2.1", True), ("", True)]
)
def test_an_end_and_a_duration_that_contradict_are_refused(
    duration: str, agrees: bool, tmp_path: Path
) -> None:
    row = {"session": "m", "speaker": "A", "start": 0, "end": 2, "duration": duration, "text": "hello there"}
    file = written(
        tmp_path / "h.csv", "".join(",".join(map(str, each)) + "\n" for each in (row, row.values()))
    )
    ref = written(tmp_path / "r.stm", "m 1 ann 0 2 hello there\n")
    found = fstmetrics("speakers", ref, file, "--der", "--json")
    said = f"item 0 (from 0): it begins at 0 and ends at 2, and its duration is {duration}: leave out"
    assert (found.status == 0, said in found.err) == (agrees, not agrees)
    rows = {"m": [{**row, "duration": float(duration or 2)}]}
    with contextlib.nullcontext() if agrees else pytest.raises(FstmetricsError, match="its duration is"):
        fm.cpwer(hypotheses=rows, references=rows)


@pytest.mark.parametrize(
    ("columns", "one", "other", "agrees"),
    [
        ("end,end_time", "3", "2", False),
        ("end,end_time", "2", "2.1", True),
        ("end,end_time", "2", "", True),
        ("start,start_time", "0", "1", False),
        ("begin,start", "1", "0", False),
        ("start,start_time", "0", "0.0", True),
        ("start,start_time", "0", "10:30:01", True),
        ("start,offset", "0", "7", True),
    ],
)
def test_two_columns_of_one_time_that_contradict_are_refused(
    columns: str, one: str, other: str, agrees: bool, tmp_path: Path
) -> None:
    end = "" if "end" in columns else ",end"
    file = written(
        tmp_path / "h.csv",
        f"session,speaker,text,{columns}{end or ',start'}\nm,A,hello,{one},{other},{2 if end else 0}\n",
    )
    ref = written(tmp_path / "r.stm", "m 1 ann 0 2 hello\n")
    found = fstmetrics("speakers", ref, file, "--der")
    for name in columns.split(",") * (not agrees):
        given = fstmetrics("speakers", ref, file, "--der", "--fields", f"{columns[:5].split(',')[0]}={name}")
        assert (given.status, "leave out the column" in given.err) == (0, False), given.err
    assert (found.status, "leave out the column that is not" in found.err) == (
        (0, False) if agrees else (2, True)
    )


def test_gaps_of_nist_are_no_turns(tmp_path: Path) -> None:
    turns = [("ann", 0, 2), ("inter_segment_gap", 2, 3), ("bob", 5, 2)]
    rows = [f"SPEAKER m 1 {begin} {length} <NA> <NA> {who} <NA> <NA>\n" for who, begin, length in turns]
    rttm = written(tmp_path / "t.rttm", "".join(rows))
    ref = written(tmp_path / "r.stm", "m 1 ann 0 2 hello\nm 1 bob 5 7 morning\n")
    for name, words in (("h.ctm", "m 1 .1 .3 hello\nm 1 5.5 .3 morning\n"), ("two", "hello\nmorning\n")):
        found = fstmetrics(
            "speakers", ref, written(tmp_path / name, words), "--turns", rttm, "--der", "--json"
        )
        assert (found.summary["edits"], found.summary["diarization"]["der"]) == (0, 0)


def test_numbers_behind_the_name_of_a_session_are_no_times(tmp_path: Path) -> None:
    row = {"session": "s", "speaker": "A"}
    rows = [{**row, "id": "s_2", "text": "a b"}, {**row, "id": "s_1", "text": "c d"}]
    file = written(tmp_path / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    hyp = written(tmp_path / "h.stm", "s 1 x 9 11 a b c d\n")
    assert fstmetrics("speakers", str(file), str(hyp), "--json").summary["edits"] == 0
    assert "has no times" in fstmetrics("speakers", str(file), str(hyp), "--metric", "tcpwer").err


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


@pytest.mark.parametrize(
    ("gap", "speakers"), [("inter_segment_gap", 1), ("m_1_Inter_Segment_Gap", 1), ("bob", 2)]
)
def test_gaps_of_nist_are_no_speakers(gap: str, speakers: int, tmp_path: Path) -> None:
    said = "m 1 ann 0 2 <o,f0,male> hello there\nm 1 ann 4 6 <o,f0,male> how are you\n"
    hyp = written(tmp_path / "h.stm", "m 1 A 0 2 hello there\nm 1 A 4 6 how are you\n")
    silent = f"m 1 {gap} 2 4 <o,f0,unknown>\nn 1 {gap} 0 4 <o,f0,unknown>\n"
    ref = written(tmp_path / "r.stm", said + silent)
    found = fstmetrics("speakers", ref, hyp, "--der", "--missing", "empty", "--json").summary
    assert (found["edits"], found["sessions"]) == (0, ["m", "n"])
    assert (found["diarization"]["der"] == 0, found["diarization"]["jer"] == 0) == (speakers == 1,) * 2
    worded = written(tmp_path / "w.stm", said + f"m 1 {gap} 2 4 <o,f0,unknown> yes\n")
    assert fstmetrics("speakers", worded, hyp, "--json").summary["deletions"] == 1


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


def test_the_advice_on_spaces_is_one_that_speakers_takes(tmp_path: Path) -> None:
    turns = [f"f 1 x {second} {second + 1} 今天天气很好\n" for second in range(6)]
    ref = written(tmp_path / "ref.stm", "".join(turns))
    hyp = written(tmp_path / "hyp.stm", "".join(turns).replace("天气", " 天气 "))
    found = fstmetrics("speakers", ref, hyp, "--json").summary
    assert any(
        "errors are of spaces: 18, and 0 with --unit char-no-space" in each for each in found["remarks"]
    )
    assert fstmetrics("speakers", ref, hyp, "--unit", "char-no-space", "--json").summary["edits"] == 0


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("options", "names", "edits", "length"),
    [
        (("--unit", "mixed"), ("wer", "wer", "ref words"), 2, 10),
        (("--profile", "mixed"), ("wer", "wer", "ref words"), 2, 10),
        (("--unit", "char-no-space"), ("cer", "cer", "ref chars"), 2, 19),
        (("--profile", "chinese-cer"), ("cer", "cer", "ref chars"), 2, 19),
    ],
)
def test_meetings_are_scored_in_characters(
    metric: str, options: tuple[str, ...], names: tuple[str, ...], edits: int, length: int, tmp_path: Path
) -> None:
    said = "m 1 A 0 2.5 今天 天气 很好\nm 1 B 2 4 good morning 是的\n"
    heard = "m 1 1 0 2.5 今天天气很 好啊\nm 1 2 2 4 good morning 是\n"
    files = written(tmp_path / "ref.stm", said), written(tmp_path / "hyp.stm", heard)
    name, rate, counted = metric.replace("wer", names[0]), *names[1:]
    records, page = tmp_path / "r.jsonl", tmp_path / "m.html"
    run = ("speakers", *files, "--metric", metric, *options)
    found = fstmetrics(*run, "--alignment", "--json", "-o", records, "--report", page).summary
    assert (found["metric"], found["edits"], found["path_length"]) == (name, edits, length)
    assert json.loads(records.read_text())["metric"] == name
    assert found["signature"].startswith(f"fstmetrics|metric:{name}|")
    assert (
        f"; {length} reference {'words' if rate == 'wer' else 'characters'})"
        in fstmetrics("show", records).out
    )
    head, pairs = (fstmetrics(*run).out.split("\n")[place].split("  ") for place in (0, 3))
    assert (name in map(str.strip, head), rate in map(str.strip, pairs)) == (True, True)
    assert counted in map(str.strip, head)
    assert f">{rate}</th>" in page.read_text(encoding="utf-8")
    if not options[0].startswith("--profile"):
        compared = fstmetrics(
            "compare", "--metric", metric, "--ref", *files, files[0], *options, "--json"
        ).summary
        assert compared["systems"]["hyp"] == {name: {"score": edits / length, "low": None, "high": None}}


def test_spaces_between_words_are_counted_by_no_metric_of_speakers(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r.stm", "m 1 A 0 2 a b\n"), written(tmp_path / "h.stm", "m 1 1 0 2 ab\n")
    assert "[word|char-no-space|mixed]" in fstmetrics("speakers", "--help", "words").out
    told = fstmetrics("compare", "--metric", "cpwer", "--unit", "char", "--ref", ref, hyp, ref)
    assert (told.status, told.out) == (2, "")
    assert "cpwer counts no spaces between words, and --unit char does: give --unit char-no-space" in told.err
    told = fstmetrics("score", ref, hyp, "--metric", "cpcer")
    assert "fstmetrics speakers REF HYP --metric cpwer --unit char-no-space" in told.err
    told = fstmetrics("compare", ref, hyp, "--ref", ref, "--metric", "cpcer")
    assert "compare has it by --metric cpwer --unit char-no-space" in told.err
    for options in ((), ("--unit", "char-no-space")):
        told = fstmetrics("speakers", ref, hyp, "--metric", "tcpCER", *options)
        assert (told.status, told.out) == (2, "")
        assert "tcpcer is tcpwer of characters: --metric tcpwer --unit char-no-space" in told.err
    told = fstmetrics("speakers", ref, hyp, "--metric", "cpwr")
    assert "did you mean cpwer" in told.err
    assert fstmetrics("speakers", ref, hyp, "--metric", "CPWER").status == 0


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("a b\n", (), "does not say who speaks"),
        ("f 1 x 0 2 IGNORE_TIME_SEGMENT_IN_SCORING\n", (), "is not to be scored"),
        ("f 1 excluded_region 0 2 <o,f0,unknown>\n", (), "is not to be scored"),
        ("f 1 x 0 2 a\n", ("--unit", "char"), "cpwer counts no spaces between words"),
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
    other = fstmetrics("speakers", str(ref), str(hyp), *with_options(before, options), "--json").summary
    counts = ("edits", "substitutions", "insertions", "deletions", "path_length")
    assert [plain[count] for count in counts] != [other[count] for count in counts]
    assert plain["signature"] != other["signature"]


def test_metrics_have_the_names_that_people_write() -> None:
    for name in ("cpWER", "tcpWER", "ORCWER"):
        found = fstmetrics("speakers", REF, HYP, "--metric", name, "--json").summary
        assert found == fstmetrics("speakers", REF, HYP, "--metric", name.lower(), "--json").summary


TALK = "t 1 ann 0 2 a b c\nt 1 bob 1 4 d e\nu 1 ann 0 2 f g\n"
HEARD = "t 1 0 0 2 a x c\nt 1 1 1 4 d\nu 1 0 0 2 f g h\n"


@pytest.fixture
def talk(tmp_path: Path) -> tuple[str, str]:
    return str(written(tmp_path / "ref.stm", TALK)), str(written(tmp_path / "hyp.stm", HEARD))


@pytest.mark.parametrize("metric", METRICS)
def test_records_are_read_by_show_and_errors(metric: str, talk: tuple[str, str], tmp_path: Path) -> None:
    file = str(tmp_path / "talk.jsonl")
    fstmetrics("speakers", *talk, "-m", metric, "--alignment", "-o", file)
    records = [json.loads(line) for line in Path(file).read_text().splitlines()]
    assert [(record["id"], record["metric"], record["edits"]) for record in records] == [
        ("t", metric, 2), ("u", metric, 1),
    ]  # fmt: skip
    assert all(len(record["alignment"]) == len(record["speakers"]) for record in records)
    assert "x" in fstmetrics("show", file).out
    assert "substitutions: 1" in fstmetrics("errors", file).out


def test_records_without_an_alignment_have_the_counts(talk: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    printed = fstmetrics("speakers", *talk, "--output", str(file)).out
    assert printed == fstmetrics("speakers", *talk).out
    record = json.loads(file.read_text().splitlines()[0])
    assert "alignment" not in record
    assert record["assignment"][0]["reference"] == "ann"
    assert fstmetrics("speakers", *talk, "-o", "-").out == file.read_text()
    assert fstmetrics("errors", str(file)).status == 2


def test_the_mean_of_sessions_and_tables_by_field(talk: tuple[str, str]) -> None:
    found = fstmetrics("speakers", *talk, "--by", "speaker", "--by", "session", "--json").summary
    assert found["mean_score"] == pytest.approx((2 / 5 + 1 / 2) / 2)
    rows = {table: {row["value"]: row["edits"] for row in groups} for table, groups in found["by"].items()}
    assert rows == {"speaker": {"ann": 2, "bob": 1}, "session": {"t": 2, "u": 1}}
    refused = fstmetrics("speakers", *talk, "--by", "speaker", "-m", "orcwer")
    assert refused.status == 2
    assert "cpwer and tcpwer" in refused.err
    assert "no item has a field" in fstmetrics("speakers", *talk, "--by", "topic").err


def test_fields_that_a_session_has(tmp_path: Path) -> None:
    both = []
    for name in ("r", "h"):
        rows = [
            {
                "session_id": s,
                "speaker": "a",
                "words": "a" * (1 + (name == "h")),
                "start_time": 0,
                "end_time": 1,
                "room": r,
            }
            for s, r in (("s", "big"), ("t", "small"), ("u", "big"))
        ]
        both.append(str(written(tmp_path / f"{name}.seglst.json", json.dumps(rows))))
    found = fstmetrics("speakers", *both, "--by", "room", "--json").summary
    assert [(row["value"], row["edits"]) for row in found["by"]["room"]] == [("big", 2), ("small", 1)]


def test_a_field_that_differs_within_a_session_is_named(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{session}{n}",
            "session": session,
            "speaker": "A",
            "text": "a b",
            "room": f"{session == 'm2' and n}",
        }
        for session in ("m1", "m2")
        for n in range(2)
    ]
    ref = written(tmp_path / "r.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    hyp = written(tmp_path / "h.stm", "m1 1 x 0 9 a b a b\nm2 1 x 0 9 a b a b\n")
    outcome = fstmetrics("speakers", str(ref), str(hyp), "--by", "room")
    assert (outcome.status, "room differs within a session m2, and --by is by" in outcome.err) == (2, True)


def test_der_and_jer_beside_the_words(talk: tuple[str, str]) -> None:
    found = fstmetrics("speakers", *talk, "--der", "--json").summary
    assert (found["diarization"]["der"], found["diarization"]["jer"]) == (0, 0)
    assert "false alarm" in fstmetrics("speakers", *talk, "--der", "--der-collar", "0.25").out


def rttm(*turns: tuple[str, float, float, str]) -> str:
    """Lines of who spoke when: file, begin, duration, speaker."""
    return "".join(f"SPEAKER {f} 1 {b:.2f} {d:.2f} <NA> <NA> {s} <NA> <NA>\n" for f, b, d, s in turns)


@pytest.fixture
def turns(tmp_path: Path) -> tuple[Path, Path]:
    """Who spoke when in two recordings, without words."""
    said = rttm(("m", 0, 4, "ann"), ("m", 4, 3, "bob"), ("n", 0, 4, "ann"))
    heard = rttm(("m", 0, 3.5, "0"), ("m", 3.5, 3.5, "1"), ("n", 0, 4.5, "1"))
    return written(tmp_path / "ref.rttm", said), written(tmp_path / "hyp.rttm", heard)


def test_der_alone_needs_no_words(turns: tuple[Path, Path], tmp_path: Path) -> None:
    found = fstmetrics("speakers", *turns, "-m", "der", "--json").summary
    each = found["diarization"]
    assert (found["metric"], each["scored"], each["false_alarm"], each["confusion"]) == ("der", 11, 0.5, 0.5)
    assert [one["session"] for one in each["per_session"]] == ["m", "n"]
    assert found["signature"].startswith("fstmetrics|metric:der|collar:0|")
    shown = fstmetrics("speakers", *turns, "-m", "der", "--der-collar", "0.25")
    assert (shown.status, "cpwer" in shown.out, "0.0526" in shown.out) == (0, False, True)
    assert "|collar:0.25|" in shown.out
    in_python = fm.speakers_files(references=turns[0], hypotheses=turns[1], metric="der")
    assert (in_python.diarizations["n"].der, in_python.diarization.der) == (0.125, found["score"])
    with pytest.raises(FstmetricsError, match="der alone scores no words"):
        _ = in_python.scores
    of_words = fm.speakers_files(references=REF, hypotheses=HYP)
    with pytest.raises(FstmetricsError, match="times were not scored"):
        _ = of_words.diarization
    # Files with words have the same times, and the order of a speaker's words is nobody's concern.
    words = written(tmp_path / "ref.stm", "m 1 ann 0 4 a\nm 1 bob 4 7 b\nn 1 ann 0 4 c\n")
    assert fstmetrics("speakers", words, turns[1], "-m", "der", "--json").summary["diarization"] == each
    overlapping = written(
        tmp_path / "over.stm", "m 1 ann 0 4 a\nm 1 ann 1 2 a\nm 1 bob 4 7 b\nn 1 ann 0 4 c\n"
    )
    found = fstmetrics("speakers", overlapping, turns[1], "-m", "der", "--json").summary
    assert (found["diarization"], found["remarks"]) == (each, [])


@pytest.mark.parametrize("by_lines", [False, True])
def test_der_of_segments_without_words(by_lines: bool, turns: tuple[Path, Path], tmp_path: Path) -> None:
    """As MeetEval's users have them."""
    said = (("m", "ann", 0, 4), ("m", "bob", 4, 7), ("n", "ann", 0, 4))
    keys = ("session_id", "speaker", "start_time", "end_time")
    rows = [json.dumps(dict(zip(keys, row, strict=True))) for row in said]
    text = "".join(f"{row}\n" for row in rows) if by_lines else f"[{', '.join(rows)}]"
    ref = written(tmp_path / f"ref.json{'l' * by_lines}", text)
    expected = fstmetrics("speakers", *turns, "-m", "der", "--json").summary["diarization"]
    assert fstmetrics("speakers", ref, turns[1], "-m", "der", "--json").summary["diarization"] == expected
    for options in ((), ("--der",)):
        refused = fstmetrics("speakers", ref, ref, *options)
        assert (refused.status, 'segment 0 has no text "words"' in refused.err) == (2, True)


@pytest.mark.parametrize("seed", range(4))
def test_der_of_turns_is_that_of_md_eval(seed: int, tmp_path: Path) -> None:
    """Within the time of the references, as md-eval takes it without UEM."""
    command = [*program("sctk", "md-eval.pl")[:1], "md-eval.pl"]
    rng = random.Random(seed)
    files = []
    for side in "rh":
        spoken = [("m", 0, 20, f"{side}0")]
        for _ in range(12):
            begin = rng.randrange(0, 1800) / 100
            spoken.append(("m", begin, rng.randrange(10, 200) / 100, f"{side}{rng.randrange(1, 4)}"))
        files.append(written(tmp_path / f"{side}.rttm", rttm(*spoken)))
    for collar in ("0", "0.25"):
        theirs = subprocess.run(
            [*command, "-r", files[0], "-s", files[1], "-c", collar],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        rate = re.search(r"OVERALL SPEAKER DIARIZATION ERROR = ([\d.]+) percent", theirs)
        assert rate is not None, theirs
        ours = fstmetrics("speakers", *files, "-m", "der", "--der-collar", collar, "--json").summary
        assert 100 * ours["diarization"]["der"] == pytest.approx(float(rate[1]), abs=0.0051)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            "NOSCORE m 1 1 2 <NA> <NA> <NA> <NA> <NA>\n",
            "ref.rttm:4: a stretch that is not to be scored (NOSCORE)",
        ),
        (
            "NON-LEX m 1 1 2 <NA> laugh ann <NA> <NA>\n",
            "ref.rttm:4: a stretch that is not to be scored (NON-LEX)",
        ),
        (rttm(("m", 8, 1, "ann")).replace(" 1 8", " 2 8"), "ann speaks on the channels 1 and 2 of m"),
    ],
)
def test_what_md_eval_scores_otherwise(more: str, told: str, turns: tuple[Path, Path]) -> None:
    (ref, hyp), said = turns, turns[0].read_text()
    ref.write_text(said + more)
    refused = fstmetrics("speakers", ref, hyp, "-m", "der")
    assert (refused.status, told in refused.err) == (2, True), refused.err
    # The words of both sides, and who spoke when beside them
    words = written(hyp.parent / "ref.stm", "m 1 ann 0 4 a\nm 1 bob 4 7 b\nn 1 ann 0 4 c\n")
    ctm = written(hyp.parent / "h.ctm", "m 1 1 1 a\nm 1 5 1 b\nn 1 1 1 c\n")
    refused = fstmetrics("speakers", words, ctm, "--turns", ref, "--der")
    assert (refused.status, told in refused.err) == (2, True), refused.err
    if "NOSCORE" not in more:  # of words alone
        assert fstmetrics("speakers", words, ctm, "--turns", ref).status == 0


def test_turns_without_words_are_refused_file_by_file(tmp_path: Path) -> None:
    lexeme = "LEXEME m 1 1 1 hello lex x <NA> <NA>\n"
    for name, text in (
        ("ref/m.stm", "m 1 A 0 10 hello\n"), ("ref/q.stm", "q 1 A 0 10 good day\n"),
        ("hyp/m.rttm", rttm(("m", 0, 10, "x")) + lexeme), ("hyp/q.rttm", rttm(("q", 0, 10, "x"))),
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path / name, text)
    refused = fstmetrics("speakers", tmp_path / "ref", tmp_path / "hyp")
    assert (refused.status, "q.rttm: says who spoke when, and has no words" in refused.err) == (2, True)
    together = written(tmp_path / "h.rttm", rttm(("m", 0, 10, "x"), ("q", 0, 10, "x")) + lexeme)
    found = fstmetrics("speakers", tmp_path / "ref", together, "--json").summary
    assert f"{together}: has turns and no words (LEXEME) of q: nothing said" in found["remarks"]
    assert found["deletions"] == 2


ROWS = [("m", "A", 0, 10), ("m", "B", 10, 20)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "session,speaker,start,end\n" + "".join("{},{},{},{}\n".format(*row) for row in ROWS)),
        (
            "a.tsv",
            "session\tspeaker\tstart\tend\n" + "".join("{}\t{}\t{}\t{}\n".format(*row) for row in ROWS),
        ),
        (
            "a.csv",
            "session,speaker,start,end,text\n" + "".join("{},{},{},{},\n".format(*row) for row in ROWS),
        ),
        (
            "a.jsonl",
            "".join(
                json.dumps(dict(zip(("session", "speaker", "start", "end"), row, strict=True))) + "\n"
                for row in ROWS
            ),
        ),
    ],
)
def test_rows_without_words_say_who_spoke_when(name: str, text: str, tmp_path: Path) -> None:
    rows = written(tmp_path / name, text)
    turns = written(tmp_path / "b.rttm", rttm(("m", 0, 8, "x"), ("m", 8, 12, "y")))
    for sides in ((rows, turns), (turns, rows)):
        for missing in ("error", "skip"):
            found = fstmetrics("speakers", *sides, "-m", "der", "--missing", missing, "--json").summary
            assert found["diarization"]["der"] == pytest.approx(0.1)
    if "text" not in text:
        refused = fstmetrics("speakers", rows, rows)
        assert (refused.status, "no column is known to be the " in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "has no words (no LEXEME line): fstmetrics speakers --metric der scores it"),
        (("--der",), "has no words (no LEXEME line): fstmetrics speakers --metric der scores it"),
        (("-m", "tcpwer"), "has no words (no LEXEME line)"),
        (("-m", "der", "--collar", "0.25"), "of DER it is --der-collar 0.25"),
        (("-m", "der", "--report", "x.html"), "--report is of words"),
        (("-m", "der", "--der-collar", "20"), "--der-collar 20 leaves no time of the references to score"),
        (("-m", "der", "--by", "session"), "--by is of words"),
        (("-m", "der", "--alignment"), "--alignment is of words"),
    ],
)
def test_what_turns_without_words_cannot_give(
    options: tuple[str, ...], told: str, turns: tuple[Path, Path]
) -> None:
    outcome = fstmetrics("speakers", *turns, *options)
    assert (outcome.status, outcome.err.count("\n"), told in outcome.err) == (2, 1, True), outcome.err


def test_the_collar_of_words_is_not_that_of_der(talk: tuple[str, str]) -> None:
    refused = fstmetrics("speakers", *talk, "--der", "--collar", "0.25")
    assert (refused.status, "of DER it is --der-collar 0.25" in refused.err) == (2, True)
    refused = fstmetrics("speakers", *talk, "--der-collar", "0.25")
    assert (refused.status, "--der-collar is of DER" in refused.err) == (2, True)
    for options in (
        ("-m", "tcpwer", "--der", "--collar", "0.25"),
        ("--collar", "0.25"),
        ("--der", "--collar", "5"),
    ):
        assert fstmetrics("speakers", *talk, *options).status == 0


@pytest.mark.parametrize("command", [("score",), ("compare", "--ref")])
def test_other_commands_lead_to_turns(command: tuple[str, ...], turns: tuple[Path, Path]) -> None:
    refused = fstmetrics(*command, *turns)
    assert (refused.status, "fstmetrics speakers --metric der scores it" in refused.err) == (2, True)
    for metric in ("der", "cpwer"):
        refused = fstmetrics("score", *turns, "-m", metric)
        assert (refused.status, f"fstmetrics speakers REF HYP --metric {metric}" in refused.err) == (2, True)


def test_texts_without_spaces_are_told(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.stm", "m 1 A 0 2 今天天气很好\nm 1 B 2 4 我们去吃饭\nm 1 A 4 6 明天再去\n")
    hyp = written(tmp_path / "hyp.stm", "m 1 x 0 2 今天天气好\nm 1 y 2 4 我们吃饭\nm 1 x 4 6 明天去\n")
    said = "no spaces part the words of most texts, as of '今天天气很好'"
    for call in (("speakers", ref, hyp), ("compare", "--ref", ref, hyp, f"two={hyp}", "-m", "cpwer")):
        assert said in fstmetrics(*call).out
        assert said not in fstmetrics(*call, "--unit", "char-no-space").out


def test_der_is_of_turns_and_not_of_the_words_in_them(tmp_path: Path) -> None:
    said = "m 1 A 0 2 a b\nm 1 B 2 4 c d\nm 1 C 4 9\n"
    ref = str(written(tmp_path / "ref.stm", said))
    words = str(written(tmp_path / "w.ctm", "m 1 0.1 0.5 a\nm 1 1.1 0.5 b\nm 1 2.1 0.5 c\nm 1 3.1 0.5 d\n"))
    lines = "".join(
        f"SPEAKER m 1 {b} {d} <NA> <NA> {s} <NA> <NA>\n"
        for b, d, s in ((0, 2, "x"), (2, 2, "y"), (4, 5, "z"))
    )
    turns = str(written(tmp_path / "t.rttm", lines))
    for call in ((ref, words, "--turns", turns), (words, ref, "--ref-turns", turns)):
        found = fstmetrics("speakers", *call, "--der", "--json").summary
        assert (found["edits"], found["diarization"]["der"], found["diarization"]["jer"]) == (0, 0, 0)


def test_utterances_of_one_speaker_that_overlap_are_remarked(tmp_path: Path) -> None:
    ref = str(
        written(tmp_path / "ref.stm", "t 1 ann 0 3 a b\nt 1 ann 2 4 c\nt 1 bob 0 9 d\nt 1 bob 9 10 e\n")
    )
    out = fstmetrics("speakers", ref, ref).out
    assert "1 utterance begins before another one of the same speaker ends" in out
    assert "speaker ann" in out


class Page(HTMLParser):
    """The words of a page by their marks, and what it refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.marked: dict[str, list[str]] = {}
        self.links: set[str] = set()
        self.ids: set[str] = set()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.add(found.get("id") or "")
        self.links.add(found.get("href") or "#")
        assert not {"src", "onclick"} & set(found)
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open[-1:] in (["del"], ["ins"]):
            self.marked.setdefault(self._open[-1], []).append(data)
        self._open.append("")


def test_the_page_has_every_error(talk: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "talk.html"
    fstmetrics("speakers", *talk, "--report", str(file))
    page = Page()
    page.feed(file.read_text())
    assert page.marked["del"][2:] == ["b", "e"]
    assert page.marked["ins"][2:] == ["x", "h"]
    assert {link.removeprefix("#") for link in page.links} - {""} <= page.ids
    assert "://" not in file.read_text()


def test_an_inserted_word_of_a_ctm_stands_in_the_utterance_that_was_said_then(tmp_path: Path) -> None:
    """By itself where nobody said anything, or somebody else did; all times have one form."""
    ref = str(written(tmp_path / "ref.stm", "m A ann 0 10 a b\nm A ann 20 70.5 c d\n"))
    words = [
        (1, "a"),
        (5, "in"),
        (8, "b"),
        (15, "between"),
        (21, "early"),
        (30, "c"),
        (60, "d"),
        (65, "late"),
    ]
    lines = [f"m A {at} 1 {word}" for at, word in words] + ["m C 45 1 another"]
    hyp = str(written(tmp_path / "hyp.ctm", "".join(line + "\n" for line in lines)))
    file = tmp_path / "page.html"
    done = fstmetrics("speakers", ref, hyp, "--report", str(file), "--alignment")
    assert done.status == 0, done.err
    rows = re.findall(r"<time>(.*?)</time>.*?<p>(.*?)</p>", file.read_text())
    assert [(time, re.sub("<.*?>", "", said)) for time, said in rows] == [
        ("0:00.00-0:10.00", "a in b"),
        ("0:15.00-0:16.00", "between"),
        ("0:20.00-1:10.50", "early c d late"),
        ("0:45.00-0:46.00", "another"),
    ]


@pytest.mark.parametrize("metric", ["cpwer", "orcwer", "tcpwer", "tcorcwer"])
def test_a_page_has_the_paths_that_were_scored(tmp_path: Path, metric: str) -> None:
    """Where references and outputs leave choices: of each its own path, as near as the other side's."""
    ref = str(written(tmp_path / "ref.stm", "m A ann 0 4 { um / uh } so { far / } { it is / it's } x\n"))
    lines = ["m A * * <ALT_BEGIN>", "m A 0.2 0.5 um", "m A * * <ALT>", "m A 0.2 0.5 uh", "m A * * <ALT_END>"]
    lines += [f"m A {at} 0.5 {word}" for at, word in ((1, "so"), (2.2, "it"), (3, "was"), (3.5, "x"))]
    hyp = str(written(tmp_path / "hyp.ctm", "".join(line + "\n" for line in lines)))
    file = tmp_path / "page.html"
    done = fstmetrics("speakers", ref, hyp, "--metric", metric, "--report", str(file), "--json")
    assert done.status == 0, done.err
    assert done.summary["edits"] == 1
    page = Page()
    page.feed(file.read_text())
    assert (page.marked["del"][2:], page.marked["ins"][2:]) == (["is"], ["was"])


def test_words_on_the_page_are_no_markup(tmp_path: Path) -> None:
    ref = str(written(tmp_path / "ref.stm", "<b> 1 <i>ann 0 2 x <script> &amp\n"))
    hyp = str(written(tmp_path / "hyp.stm", "<b> 1 <i>x 0 2 x <img> &amp\n"))
    file = tmp_path / "page.html"
    fstmetrics("speakers", ref, hyp, "--report", str(file))
    text = file.read_text()
    assert "&lt;script&gt;" in text
    assert text.count("<script>") == 1
    assert "<img>" not in text
    assert "&amp;amp" in text


def test_a_page_is_called_so(talk: tuple[str, str]) -> None:
    refused = fstmetrics("speakers", *talk, "--report", "page.pdf")
    assert refused.status == 2


SEGMENTS = [
    {"session_id": "m", "speaker": "ann", "start_time": 0, "end_time": 2.5, "words": "hello there"},
    {"session_id": "m", "speaker": 1, "start_time": 2, "end_time": 4, "words": "hi"},
]


def test_segments_one_a_line_are_those_of_a_list(tmp_path: Path) -> None:
    a_list = str(written(tmp_path / "list.json", json.dumps(SEGMENTS)))
    lines = str(written(tmp_path / "lines.jsonl", "".join(json.dumps(each) + "\n" for each in SEGMENTS)))
    found = fstmetrics("speakers", a_list, lines, "-m", "tcpwer", "--json").summary
    assert (found["edits"], found["path_length"]) == (0, 3)
    assert set(found["formats"].values()) == {"seglst"}
    broken = written(tmp_path / "broken.jsonl", json.dumps(SEGMENTS[0]) + "\n{\n")
    assert "broken.jsonl:2: not JSON" in fstmetrics("speakers", str(broken), lines).err


def whisperx(speaker: str) -> dict[str, Any]:
    words = [{"word": "hello", "start": 0.0, "end": 1.0}, {"word": "there"}]
    segments = [
        {"start": 0.0, "end": 2.5, "text": " hello there", "words": words, "speaker": "SPEAKER_00"},
        {"start": 2.0, "end": 4.0, "text": " hi", "words": [], "speaker": speaker},
    ]
    return {"segments": segments, "word_segments": words, "language": "en"}


def test_whisperx_with_speakers(tmp_path: Path) -> None:
    ref = str(written(tmp_path / "ref.jsonl", "".join(json.dumps(each) + "\n" for each in SEGMENTS)))
    folder = tmp_path / "out"
    folder.mkdir()
    hyp = written(folder / "m.json", json.dumps(whisperx("SPEAKER_01")))
    for given in (hyp, folder):
        found = fstmetrics("speakers", ref, str(given), "-m", "tcpwer", "--json").summary
        assert (found["edits"], found["path_length"], found["sessions"]) == (0, 3, ["m"])
    one = written(folder / "m.json", json.dumps(whisperx("SPEAKER_00")))
    assert fstmetrics("speakers", ref, str(one), "--json").summary["edits"] == 2
    without = whisperx("")  # an empty name is none
    for advice in ('"unknown" makes one more speaker of them', "whisperx --diarize"):
        refused = fstmetrics("speakers", ref, str(written(folder / "m.json", json.dumps(without))))
        number, first = (1, 2) if "unknown" in advice else (2, 1)
        assert (refused.status, refused.out) == (2, "")
        assert f"no speaker in {number} of 2 segments, first in segment {first}: " in refused.err
        assert advice in refused.err
        without["segments"][0].pop("speaker", None)
    unknown = str(written(folder / "m.json", json.dumps(whisperx("unknown"))))
    assert fstmetrics("speakers", ref, unknown, "--json").summary["edits"] == 0


@pytest.fixture
def systems(tmp_path: Path) -> list[str]:
    rng = random.Random(5)
    files = []
    for name, wrong in (("ref", 0.0), ("old", 0.4), ("new", 0.1)):
        lines = []
        for session in range(12):
            own = random.Random(session)
            for turn in range(6):
                words = [own.choice("abcdef") for _ in range(5)]
                said = [rng.choice("xyz") if rng.random() < wrong else word for word in words]
                lines.append(f"s{session} 1 {'ab'[turn % 2]} {turn} {turn + 1} {' '.join(said)}\n")
        files.append(str(written(tmp_path / f"{name}.stm", "".join(lines))))
    return files


@pytest.mark.parametrize("metric", METRICS)
def test_systems_compared_by_sessions(metric: str, systems: list[str]) -> None:
    ref, *others = systems
    found = fstmetrics(
        "compare", "--metric", metric, "--ref", ref, *others, "--samples", "200", "--json"
    ).summary
    for name, file in zip(("old", "new"), others, strict=True):
        alone = fstmetrics("speakers", ref, file, "--metric", metric, "--json").summary
        assert found["systems"][name][metric]["score"] == alone["score"]
    (test,) = found["tests"]
    assert found["settings"]["items"] == 12
    assert test["p"] < 0.05


@pytest.mark.parametrize("grammar", [(), ("--grammar", "en.contractions,en.spelling")])
@pytest.mark.parametrize("options", [(), ("--collar", "0", "--lowercase"), ("--missing", "skip")])
def test_compare_has_the_signature_of_speakers(
    options: tuple[str, ...], grammar: tuple[str, ...], systems: list[str]
) -> None:
    ref, *others = systems
    options = ("--metric", "tcpwer", *options, *grammar, "--json")
    alone = fstmetrics("speakers", *systems[:2], *options).summary
    settings = fstmetrics("compare", "--ref", ref, *others, *options, "--samples", "50").summary["settings"]
    assert settings["signatures"] == [alone["signature"]]
    assert settings.get("grammars") == (grammar[1] if grammar else None)


def test_a_test_of_sessions_is_that_of_their_counts(systems: list[str]) -> None:
    ref, *others = systems
    metric = SessionRate("cpwer")
    statistics = {}
    for file in others:
        sessions = fstmetrics("speakers", ref, file, "--json").summary["per_session"]
        rows = np.array([[each["edits"], each["path_length"]] for each in sessions], dtype=float)
        statistics[file] = {"cpwer": Statistics(metric, rows)}
    expected = compare_statistics(statistics, Design("randomization", Resampling(500, 7))).tests[0]
    found = fstmetrics(
        "compare", "--metric", "cpwer", "--ref", ref, *others, "--test", "randomization", "--samples", "500",
        "--seed", "7", "--json",
    ).summary["tests"][0]  # fmt: skip
    assert found["p"] == expected.p


def test_what_compare_refuses_of_sessions(systems: list[str], tmp_path: Path) -> None:
    ref, old, new = systems
    for options, why in (
        (["--metric", "cpwer,wer"], "wer is of segments and cpwer of sessions"),
        (["--metric", "cpwer", "--by", "speaker"], "does not go with --by"),
        (["--metric", "cpwer", "--ref", ref], "--ref FILE, once, not 2"),
        (["--metric", "cpwer", "--test", "mapsswe"], "mapsswe counts word errors"),
    ):
        refused = fstmetrics("compare", "--ref", ref, old, new, *options)
        assert refused.status == 2
        assert why in refused.err, options
    fewer = written(tmp_path / "fewer.stm", "".join(Path(old).read_text().splitlines(True)[:12]))
    lacking = fstmetrics("compare", "--metric", "cpwer", "--ref", ref, old, str(fewer))
    assert lacking.status == 2
    assert "--missing empty" not in lacking.err
    skipped = fstmetrics(
        "compare", "--metric", "cpwer", "--ref", ref, old, str(fewer), "--missing", "skip", "--json"
    )
    assert skipped.summary["settings"]["items"] == 2
    (remark,) = [each for each in skipped.summary["remarks"] if "left out" in each]
    assert re.fullmatch(r"\d+ sessions left out: fewer.stm has nothing for their ids", remark)
    both = fstmetrics("compare", "--metric", "cpwer", "--ref", ref, old, new, "--missing", "skip", "--json")
    assert not [each for each in both.summary["remarks"] if "left out" in each]


def test_sessions_that_systems_and_references_lack_are_told(tmp_path: Path) -> None:
    lines = [f"m{n} 1 ann 0 2 hello there you\n" for n in range(6)]
    ref, one = (written(tmp_path / name, "".join(lines)) for name in ("z.stm", "a.stm"))
    two = written(tmp_path / "b.stm", "".join([*lines[:3], "m9 1 X 0 2 bla\n"]))
    call = ("--ref", ref, one, two, "--missing", "skip", "--json")
    for metric, what in (("cpwer", "sessions"), ("orcwer", "sessions"), ("wer", "items")):
        refused = fstmetrics("compare", "-m", metric, *call[:4])
        assert refused.err.endswith(
            ("(--missing skip leaves such items out)\n", "leaves such sessions out\n")
        )
        (remark,) = (
            each for each in fstmetrics("compare", "-m", metric, *call).summary["remarks"] if "left" in each
        )
        assert remark.startswith(f"4 {what} left out: ")
        lacking = {"z.stm has nothing for 1 of their ids", "a.stm has nothing for 1 of their ids"}
        assert {*remark.partition(": ")[2].split(", and ")} == {
            *lacking,
            "b.stm has nothing for 3 of their ids",
        }


def test_optional_words_in_compare(tmp_path: Path) -> None:
    ref = str(written(tmp_path / "ref.stm", "t 1 ann 0 2 a (b) c\nt 1 ann 2 4 a (b) c\n"))
    hyp = str(written(tmp_path / "hyp.stm", "t 1 ann 0 2 a c\nt 1 ann 2 4 a c\n"))
    call = ("compare", "--ref", ref, hyp, "--samples", "50", "--json")
    for metric, options, score in (
        ("wer", [], 0),
        ("wer", ["--optional-words", "word"], 1 / 3),
        ("cpwer", [], 0),
    ):
        found = fstmetrics(*call, "--metric", metric, *options).summary
        assert found["systems"]["hyp"][metric]["score"] == pytest.approx(score)
    refused = fstmetrics(*call, "--metric", "cpwer", "--optional-words", "word")
    assert refused.status == 2
    assert "--optional-words" in refused.err


def test_forms_have_the_tables_of_fields_and_of_der_and_stand_alone() -> None:
    given = ("speakers", EXAMPLES / "speakers" / "ref.stm", EXAMPLES / "speakers" / "hyp.stm")
    asked = ("--der", "--by", "session")
    told = fstmetrics(*given, *asked, "--json").summary
    rows = [*csv.DictReader(fstmetrics(*given, *asked, "--csv").out.splitlines())]
    for title, wanted in (
        ("by_session", told["by"]["session"]),
        ("diarization_per_session", told["diarization"]["per_session"]),
    ):
        found = [row for row in rows if row["table"] == title]
        assert [{name: row[name] for name in wanted[0]} for row in found] == [
            {name: str(value) for name, value in one.items()} for one in wanted
        ]
    text = fstmetrics(*given, *asked).out.split()
    pasted = fstmetrics(*given, *asked, "--markdown").out.replace("|", " ").split()
    assert [cell for cell in text if cell[0].isdigit()] == [cell for cell in pasted if cell[0].isdigit()]
    refused = fstmetrics(*given, "--alignment", "--csv")
    assert refused.status == 2
    assert "--alignment" in refused.err


def test_sessions_without_reference_words_are_said_to_be_out_of_the_mean(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.stm", "s 1 ann 0 1 a b\nt 1 ann 0 1\n")
    said = "1 session has nothing to divide by: counted in the sums, not in the mean"
    for words, infinite in (("x", 1), ("", 0)):
        hyp = written(tmp_path / "hyp.stm", f"s 1 ann 0 1 a c\nt 1 ann 0 1 {words}\n")
        assert (said in fstmetrics("speakers", ref, hyp).out) == bool(infinite)
        found = fstmetrics("speakers", ref, hyp, "--json").summary
        scores = [each["score"] for each in found["per_session"] if each["score"] is not None]
        assert found["infinite_scores"] == infinite == 2 - len(scores)
        assert found["mean_score"] == sum(scores) / len(scores)


@pytest.mark.parametrize(("name", "text"), [("hyp.stm", ""), ("hyp.seglst.json", "[]\n")])
def test_hypotheses_without_a_session_are_scored_as_silence_where_that_is_asked_for(
    tmp_path: Path, name: str, text: str
) -> None:
    ref, hyp = written(tmp_path / "ref.stm", "s 1 ann 0 1 a b\n"), written(tmp_path / name, text)
    found = fstmetrics("speakers", ref, hyp, "--missing", "empty", "--json").summary
    assert (found["score"], found["deletions"], found["sessions"]) == (1.0, 2, ["s"])
    assert fstmetrics("speakers", ref, hyp).status == 2
    other = written(tmp_path / "other.stm", "t 1 ann 0 1 a b\n")
    outcome = fstmetrics("speakers", ref, other, "--missing", "empty")
    assert (outcome.status, "no session is on both sides" in outcome.err) == (2, True)


@pytest.mark.parametrize(("times", "shown"), [("%d000", "0 to 6000"), ("10%d", "100 to 106")])
def test_times_that_hardly_meet_are_remarked_on_wherever_they_count(
    tmp_path: Path, times: str, shown: str
) -> None:
    def rows(name: str, time: str) -> str:
        said = [("x", "a b", 0), ("y", "c d", 2), ("x", "e f", 4)]
        found = [
            {
                "session_id": "s",
                "speaker": who,
                "words": words,
                "start_time": int(time % at),
                "end_time": int(time % (at + 2)),
            }
            for who, words, at in said
        ]
        return str(written(tmp_path / f"{name}.json", json.dumps(found)))

    seconds, others = rows("r", "%d"), rows("h", times)
    remark = f"first: references from 0 to 6, hypotheses from {shown} of s; are the times"
    assert remark in fstmetrics("speakers", seconds, others, "--der").out
    for arguments in ((others,), (seconds, "--der")):
        assert "are the times" not in fstmetrics("speakers", seconds, *arguments).out
    words = "".join(f"s 1 {at} 0.5 {word}\n" for at, word in zip((0, 1, 2, 3, 4, 5), "abcdef", strict=True))
    ctm = written(tmp_path / "h.ctm", words)
    for name, time in (("turns", times), ("own", "%d")):
        turns = "".join(
            f"SPEAKER s 1 {time % at} {2000 if time == '%d000' else 2} <NA> <NA> {who} <NA>\n"
            for who, at in (("x", 0), ("y", 2), ("x", 4))
        )
        out = fstmetrics("speakers", seconds, ctm, "--turns", written(tmp_path / f"{name}.rttm", turns)).out
        assert (f"words from 0 to 5.5, turns from {shown} of s" in out) == (name == "turns")


@pytest.mark.parametrize(
    ("turns", "verdict"),
    [
        ([("x", 0, 2), ("x", 2, 4), ("x", 4, 6)], "refused"),  # a speaker overlaps with themselves
        ([("x", 0, 3), ("y", 2, 4), ("x", 3, 6), ("y", 5, 8)], "refused"),
        ([("x", 0, 2), ("y", 2, 4), ("x", 4, 6)], "remark"),  # speakers may overlap
        ([("x", 0.5, 2.6), ("y", 3, 3.2), ("x", 5.9, 6.2)], "remark"),
        ([("x", 0, 2), ("y", 2, 2), ("x", 4, 2)], ""),
        ([("x", 0, 5), ("y", 1, 5), ("z", 2, 5)], ""),
        ([("x", 0, 2), ("y", 1, 3)], ""),
    ],
)
def test_what_may_be_ends_of_turns_in_the_place_of_durations(
    tmp_path: Path, turns: list[tuple[str, float, float]], verdict: str
) -> None:
    lines = "".join(f"SPEAKER s 1 {begin} {last} <NA> <NA> {who} <NA>\n" for who, begin, last in turns)
    words = "".join(f"LEXEME s 1 {begin} 0.5 a lex {who} 0.5\n" for who, begin, _ in turns)
    ref = written(tmp_path / "r.rttm", lines + words)
    text = written(tmp_path / "hyp.ctm", "".join(f"s 1 {begin} 0.5 a\n" for _, begin, _ in turns))
    alone = written(tmp_path / "turns.rttm", lines)
    for command in (("speakers", ref, ref), ("speakers", ref, text, "--turns", alone)):
        outcome = fstmetrics(*command)
        assert ("these are ends, and RTTM has durations" in outcome.err) == (verdict == "refused")
        assert ("if they are ends, awk " in outcome.out) == (verdict == "remark")
        assert outcome.status == (2 if verdict == "refused" else 0), outcome.err


def test_times_in_another_unit_are_remarked_on(tmp_path: Path) -> None:
    def spoken(name: str, times: str) -> str:
        rows = [
            f'{{"session_id": "s", "speaker": "{who}", "words": "a b", {times % at}}}'
            for who, at in (("x", (60, 61)), ("y", (70, 71)))
        ]
        return str(written(tmp_path / f"{name}.json", f"[{', '.join(rows)}]"))

    seconds = spoken("r", '"start_time": %d, "end_time": %d')
    milliseconds = spoken("h", '"start_time": %d000, "end_time": %d000')
    said = "most errors of 1 session (s) are of times: without these, cpwer is 0.0000; are the times of both sides"
    assert said in fstmetrics("speakers", seconds, milliseconds, "-m", "tcpwer").out
    (remark,) = fstmetrics("speakers", seconds, milliseconds, "-m", "tcorcwer", "--json").summary["remarks"]
    assert remark.startswith(said.partition(":")[0])
    assert said not in fstmetrics("speakers", seconds, milliseconds).out
    assert said not in fstmetrics("speakers", seconds, seconds, "-m", "tcpwer").out
    later = spoken("l", '"start_time": 1%d, "end_time": 1%d')
    assert said in fstmetrics("speakers", seconds, later, "-m", "tcpwer").out
    assert said not in fstmetrics("speakers", seconds, later, "-m", "tcpwer", "--collar", "101").out


@pytest.mark.parametrize("metric", ["cpwer", "tcpwer", "orcwer", "dicpwer"])
def test_words_that_differ_in_case_and_punctuation_alone(metric: str, tmp_path: Path) -> None:
    turns = [(f"m 1 s{n % 2} {n}", n + 1, "we are here now") for n in range(6)]
    ref = written(tmp_path / "ref.stm", "".join(f"{who} {end} {text}\n" for who, end, text in turns))
    hyp = written(tmp_path / "hyp.stm", "".join(f"{who} {end} {text.title()}.\n" for who, end, text in turns))
    what = f"{hyp} beside {ref}, the words of a session in their order: "
    said = f"{what}most errors are of case and punctuation: 24, and 0 with --lowercase --remove-punctuation"
    assert said in fstmetrics("speakers", ref, hyp, "-m", metric, "--json").summary["remarks"]
    for other, options in ((hyp, ("--lowercase", "--remove-punctuation")), (ref, ())):
        assert "of case" not in fstmetrics("speakers", ref, other, "-m", metric, *options).out
    compared = fstmetrics("compare", "--ref", ref, ref, hyp, "-m", metric, "--samples", "9")
    assert said in compared.out.splitlines()


def test_sides_that_hardly_match_are_remarked(tmp_path: Path) -> None:
    texts = [f"m 1 a {n} {n + 1} the {{ cat / dog }} sat on mat {n}\n" for n in range(6)]
    ref = written(tmp_path / "r.stm", "".join(texts))
    hyp = written(tmp_path / "h.stm", "".join(f"m 1 x {n} {n + 1} THE CAT SAT ON MAT ES\n" for n in range(6)))
    remark = "words match: do both sides have the same items in the same order, in one language and one case"
    assert remark in fstmetrics("speakers", ref, hyp).out
    assert "words match" not in fstmetrics("speakers", ref, hyp, "--lowercase").out
    assert "words match" not in fstmetrics("speakers", ref, ref).out
