"""Segments whose times, and so whose ids, differ a little on either side."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.data.segments import Segment, TimedWord, TimedWords, outside

REF = "m 1 ann 0.00 3.20 uh shall we\nm 1 bob 2.90 5.10 yes please\nm 1 ann 5.30 8.00 we have\n"


def shifted(seconds: float, text: str = REF) -> str:
    lines = []
    for line in text.splitlines():
        file, channel, speaker, begin, end, words = line.split(None, 5)
        lines.append(
            f"{file} {channel} {speaker} {float(begin) + seconds:.2f} {float(end) + seconds:.2f} {words}\n"
        )
    return "".join(lines)


def as_seglst(stm: str) -> str:
    names = ("session_id", "channel", "speaker", "start_time", "end_time", "words")
    return json.dumps([dict(zip(names, line.split(None, 5), strict=True)) for line in stm.splitlines()])


@pytest.mark.parametrize("seconds", [0.13, -0.4, 0.01])
def test_a_shift_changes_no_number_and_is_told(seconds: float, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r.stm", REF), written(tmp_path / "h.stm", shifted(max(seconds, 0)))
    if seconds < 0:
        ref = written(tmp_path / "r.stm", shifted(-seconds))
    found = fstmetrics("score", str(ref), str(hyp), "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (3, 0, 7)
    assert found["settings"]["pairing"]["by"] == "time"
    assert any(remark.startswith("paired by time: 3 segments of ") for remark in found["remarks"])


def test_seglst_and_stm_pair_too_and_records_say_how_much_overlaps(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.seglst.json", as_seglst(REF))
    hyp = written(tmp_path / "h.stm", shifted(0.13))
    out = tmp_path / "out.jsonl"
    assert fstmetrics("score", str(ref), str(hyp), "--output", str(out)).status == 0
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["edits"] for record in records] == [0, 0, 0]
    assert records[0]["fields"]["overlap"] == pytest.approx((3.2 - 0.13) / 3.2, abs=1e-3)


def test_names_of_speakers_may_differ(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", REF)
    hyp = written(tmp_path / "h.stm", shifted(0.13).replace("ann", "x").replace("bob", "y"))
    assert fstmetrics("score", str(ref), str(hyp), "--json").summary["edits"] == 0


def test_speakers_who_talk_at_once_are_told_apart_by_name(tmp_path: Path) -> None:
    both = "m 1 ann 0 3 a b\nm 1 bob 0.5 3.5 c\n"
    ref, hyp = written(tmp_path / "r.stm", both), written(tmp_path / "h.stm", shifted(0.25, both))
    assert fstmetrics("score", str(ref), str(hyp), "--json").summary["edits"] == 0
    other = written(tmp_path / "o.stm", shifted(0.25, both).replace("ann", "x").replace("bob", "y"))
    refused = fstmetrics("score", str(ref), str(other))
    assert (refused.status, refused.out) == (2, "")
    assert "overlaps m_1_0_3 and m_1_0.5_3.5" in refused.err


def test_two_segments_in_one_are_refused(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", REF)
    whole = written(tmp_path / "h.stm", "m 1 x 0.1 8.1 uh shall we yes please we have\n")
    for sides in ((ref, whole), (whole, ref)):
        refused = fstmetrics("score", *map(str, sides), "--missing", "skip")
        assert (refused.status, refused.out) == (2, "")
        assert "by half or more, so that times do not pair them" in refused.err


def test_what_overlaps_nothing_is_missing(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", REF)
    hyp = written(tmp_path / "h.stm", shifted(0.13) + "m 1 ann 20 21 more\n")
    assert "no reference for m_1_20_21" in fstmetrics("score", str(ref), str(hyp)).err
    found = fstmetrics("score", str(ref), str(hyp), "--missing", "empty", "--json").summary
    assert (found["items"], found["edits"]) == (4, 1)


def test_equal_ids_are_never_paired_otherwise(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", "m 1 a 0 4 x\nm 1 a 4 8 y\n")
    hyp = written(tmp_path / "h.stm", "m 1 a 0 4 x\nm 1 a 3.9 7.9 y\n")
    assert fstmetrics("score", str(ref), str(hyp), "--json").summary["edits"] == 0
    doubled = written(tmp_path / "d.stm", "m 1 a 0 4 x\nm 1 a 0.5 3.5 y\n")
    assert "no hypothesis for m_1_4_8" in fstmetrics("score", str(ref), str(doubled)).err


def test_random_shifts_below_half_a_segment_pair_rightly(tmp_path: Path) -> None:
    rng = random.Random(3)
    said, heard, begin = [], [], 0.0
    for number in range(200):
        end = begin + rng.uniform(2, 6)
        moved = [begin + rng.uniform(-0.4, 0.4), end + rng.uniform(-0.4, 0.4)]
        said.append(f"m 1 s {begin:.3f} {end:.3f} w{number}\n")
        heard.append(f"m 1 s {max(moved[0], 0):.3f} {moved[1]:.3f} w{number}\n")
        begin = end + rng.uniform(0, 1)
    rng.shuffle(heard)
    ref, hyp = written(tmp_path / "r.stm", "".join(said)), written(tmp_path / "h.stm", "".join(heard))
    found = fstmetrics("score", str(ref), str(hyp), "--json").summary
    assert (found["items"], found["edits"]) == (200, 0)


def test_systems_that_are_compared_pair_by_time(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", REF)
    systems = [str(written(tmp_path / f"{n}.stm", shifted(n / 10))) for n in (1, 2)]
    found = fstmetrics(
        "compare", "--ref", str(ref), *systems, "--metric", "wer", "--samples", "9", "--json"
    ).summary
    assert found["settings"]["pairing"]["by"] == "time"


def test_words_of_a_ctm_in_segments_that_overlap_are_told(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", REF)
    ctm = written(tmp_path / "h.ctm", "m 1 0.1 0.5 uh\nm 1 1.1 0.5 shall\nm 1 3.1 0.5 yes\n")
    assert "1 segment of" in fstmetrics("score", str(ref), str(ctm)).out


STM = "f 1 s 5 8 the cat sat\nf 1 s 20 23 a dog ran\n"
INSIDE = "5.1 the, 5.5 cat, 6.5 sat, 20.1 a, 20.5 dog, 21.1 ran"
# Words of a ctm, how many errors sclite 2.10 counts of them, and what is said of those outside all segments.
FAR_WORDS = {
    "all inside": (INSIDE, 0, None),
    "a little late": (INSIDE + ", 23.3 so", 1, None),
    "before the first": ("1.0 so, " + INSIDE, 1, "1 word of h.ctm lies outside all segments of the channel, "
        "its middle 3.9 s"),
    "between and after": (
        INSIDE.replace("20.1 a", "12.0 mid, 15.0 late, 20.1 a") + ", 90.1 after",
        3,
        "3 words of h.ctm lie outside all segments of the channel, the farthest 67.2 s",
    ),
    "all after": (
        ", ".join(f"{100 + n} {word}" for n, word in enumerate(["the", "cat", "sat", "a", "dog", "ran"])),
        6,
        "6 words of h.ctm lie outside all segments of the channel, the farthest 82.1 s",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAR_WORDS)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_words_far_from_all_segments_count_as_in_sclite_and_are_told(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, edits, said = FAR_WORDS[name]
    written(tmp_path / "r.stm", STM)
    timed = (word.split() for word in words.split(", "))
    written(tmp_path / "h.ctm", "".join(f"f 1 {begin} 0.2 {word}\n" for begin, word in timed))
    written(
        tmp_path / "same.ctm",
        "".join(f"f 1 {begin} 0.2 {word}\n" for begin, word in map(str.split, INSIDE.split(", "))),
    )
    if command == "score":
        found = fstmetrics("score", "r.stm", "h.ctm", "--json").summary
        assert found["edits"] == edits
    else:
        given = ("--ref", "r.stm", "h.ctm", "o=same.ctm", "--metric", "wer", "--samples", "9")
        found = fstmetrics("compare", *given, "--json").summary
    remarks = [remark for remark in found["remarks"] if "outside all segments" in remark]
    assert found["settings"]["pairing"]["by"] == "time"
    assert len(remarks) == (said is not None)
    assert all(remark.startswith(str(said)) for remark in remarks)


def test_distances_from_segments_are_those_of_the_nearest() -> None:
    rng = random.Random(5)
    for _ in range(200):
        begins = [rng.randrange(0, 50) for _ in range(rng.randrange(1, 6))]
        segments = [Segment("f", "1", begin, begin + rng.randrange(0, 9)) for begin in begins]
        words = tuple(TimedWord("a", rng.randrange(-10, 70) / 2, 0.5) for _ in range(9))
        far = [min(max(s.begin - w.middle, w.middle - s.end) for s in segments) for w in words]
        expected = sum(distance > 0 for distance in far), max(0.0, *far)
        assert outside([TimedWords("F", "1", words), TimedWords("g", "1", words)], segments) == expected
