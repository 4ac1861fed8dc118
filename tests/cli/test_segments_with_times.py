"""Transcripts of recordings whose segments have times, against segments with times: words pair by time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics

from fstmetrics.readers import read_items

STM = "t 1 a 0 1 the cat\nt 1 a 1 2 sat down\n"
PARTS = [{"start": 0.0, "end": 0.9, "text": " the hat uh"}, {"start": 0.9, "end": 2.0, "text": " sat; down"}]
SRT = (
    "1\n00:00:00,000 --> 00:00:00,900\nthe hat\nuh\n\n"
    "2\n00:00:00,900 --> 00:00:02,000 X1:0\n<i>sat;</i> {\\an8}down\n"
)
VTT = (
    "WEBVTT - a talk\n\nNOTE no words\nare here\n\nSTYLE\n::cue {}\n\n"
    "00:00.000 --> 00:00.900\n<v Ann>the hat uh\n\nb\n00:00.900 --> 00:02.000 align:start\nsat; <00:01.5><c>down</c>\n"
)


def whisper(**more: Any) -> str:
    return json.dumps({"text": " the hat uh sat; down", "language": "en", **more})


def chunk(part: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": [part["start"], part["end"]], "text": part["text"]}


def cpp(part: dict[str, Any]) -> dict[str, Any]:
    return {"offsets": {"from": part["start"] * 1000, "to": part["end"] * 1000}, "text": part["text"]}


FILES = {
    "t.json": whisper(segments=PARTS),
    "chunks/t.json": whisper(chunks=list(map(chunk, PARTS))),
    "cpp/t.json": json.dumps({"result": {"language": "en"}, "transcription": list(map(cpp, PARTS))}),
    "t.srt": SRT,
    "crlf/t.srt": SRT.replace("\n", "\r\n"),
    "t.vtt": VTT,
}
REFERENCES = {
    "ref.stm": STM,
    "ref.json": json.dumps(
        [
            {"session_id": "t", "speaker": "a", "words": "the cat", "start_time": 0, "end_time": 1},
            {"session_id": "t", "speaker": "a", "words": "sat down", "start_time": 1, "end_time": 2},
        ]
    ),
    "ref.jsonl": "".join(
        json.dumps({"audio_filepath": "a/t.wav", "offset": at, "duration": 1.0, "text": text}) + "\n"
        for at, text in ((0.0, "the cat"), (1.0, "sat down"))
    ),
}


def written(name: str, text: str) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_bytes(text.encode())
    return name


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("name", FILES)
def test_segments_pair_by_time(name: str, reference: str) -> None:
    ref, hyp = written(reference, REFERENCES[reference]), written(name, FILES[name])
    found = fstmetrics("score", ref, hyp, "--json", "--alignment").summary
    assert [record["hypothesis"] for record in found["records"]] == [["the", "hat", "uh"], ["sat;", "down"]]
    assert (found["edits"], found["settings"]["pairing"]["by"]) == (3, "time")
    assert any("5 words of 5 have no times of their own" in remark for remark in found["remarks"])
    # As one text, it is compared with one text.
    plain = written("whole.txt", "the hat uh sat; down\n")
    assert fstmetrics("score", plain, hyp, "--json").summary["edits"] == 0
    # And may be cut at the fewest edits.
    assert fstmetrics("score", ref, hyp, "--resegment", "--json").summary["edits"] == 3


def test_words_have_their_own_times() -> None:
    words = [("the", 0.0, 0.3), ("hat", 0.3, 0.6), ("uh", 1.6, 1.7)]
    part = {
        "start": 0.0, "end": 1.9, "text": " the hat uh",
        "words": [{"word": f" {word}", "start": begin, "end": end} for word, begin, end in words],
    }  # fmt: skip
    written("t.json", json.dumps({"text": " the hat uh", "segments": [part]}))
    found = fstmetrics("score", written("ref.stm", STM), "t.json", "--json", "--alignment").summary
    assert [record["hypothesis"] for record in found["records"]] == [["the", "hat"], ["uh"]]
    assert not any("no times of their own" in remark for remark in found["remarks"])


def test_a_folder_of_recordings_and_several_systems() -> None:
    ref = written("ref.stm", STM + "u 1 b 0 1 hello\n")
    written("asr/t.srt", SRT)
    written("asr/u.srt", "1\n00:00:00,000 --> 00:00:01,000\nhello\n")
    assert fstmetrics("score", ref, "asr", "--json").summary["edits"] == 3
    ctm = written("b.ctm", "t 1 0 1 the\nt 1 1.2 .1 sat\nu 1 0 .5 hello\n")
    found = fstmetrics("compare", ctm, "asr", "--ref", ref, "--metric", "wer", "--json").summary
    assert [system["wer"]["score"] for system in found["systems"].values()] == [2 / 5, 3 / 5]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.srt", SRT, "no segment for the words of file x, channel 1"),
        (
            "t.srt",
            SRT + "\n3\n00:00:00,500 --> 00:00:01,000\nno\n",
            "t.srt:11: times go back: 0.5 to 1 s, after 0.9 s",
        ),
        ("t.srt", "1\n00:00:02,000 --> 00:00:01,000\nno\n", "t.srt:2: times go back: 2 to 1 s"),
        (
            "t.srt",
            SRT + "\nno times\n",
            "t.srt:10: expected times, as 00:00:01,000 --> 00:00:02,500, before words",
        ),
        ("t.vtt", "WEBVTT\n\nno times\n", "t.vtt:3: expected times"),
    ],
)
def test_what_is_refused(name: str, content: str, message: str) -> None:
    outcome = fstmetrics("score", written("ref.stm", STM), written(name, content))
    assert (outcome.status, outcome.err.count("\n")) == (2, 1), outcome
    assert message in outcome.err


def test_several_channels_are_refused() -> None:
    ref = written("ref.stm", STM + "t 2 b 0 1 hello\n")
    outcome = fstmetrics("score", ref, written("t.srt", SRT))
    assert (outcome.status, "segments of channels 1, 2" in outcome.err) == (2, True), outcome


def test_an_empty_recording_and_signs_of_other_notations() -> None:
    (item,) = read_items(written("t.vtt", "WEBVTT\n")).items
    assert (item.id, item.text) == ("t", "")
    (item,) = read_items(written("t.vtt", "WEBVTT\n\n00:00.0 --> 00:01.0\nno (uh) R&amp;B {x} @ a/b\n")).items
    assert item.text == "no (uh) R&B {x} @ a/b"
    ref = written("ref.stm", "t 1 a 0 2 uh\n")
    found = fstmetrics("score", ref, "t.vtt", "--json", "--alignment").summary
    assert found["records"][0]["hypothesis"] == ["no", "(uh)", "R&B", "{x}", "@", "a/b"]
