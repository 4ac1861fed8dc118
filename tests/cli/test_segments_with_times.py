"""Transcripts of recordings whose segments have times, against segments with times: words pair by time."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics

from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.io import read_items

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
    "list/t.json": json.dumps(PARTS),
    "own/t.json": json.dumps([{"id": n, "seek": 0, **part} for n, part in enumerate(PARTS)]),
    "printed/t.txt": "[0.00s -> 0.90s] the hat uh\n[00:00.900 --> 00:02.000]  sat; down\n",
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
    assert any("5 words of 5 without times of their own" in remark for remark in found["remarks"])
    # As one text, it is compared with one text.
    plain = written("whole.txt", "the hat uh sat; down\n")
    told = (
        ("--format", "whisper") if name == "list/t.json" else ()
    )  # beside a line without an id, it is a table
    assert fstmetrics("score", plain, hyp, "--json", *told).summary["edits"] == 0
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


def test_a_list_of_segments_is_a_recording_beside_ids_alone() -> None:
    ref, lines = written("ref.stm", STM), written("ref.txt", "the cat\nsat down\n")
    both = {
        "t": PARTS,
        "u": [{"start": 0, "end": 1, "text": "hello", "words": [{"word": "hello", "start": 0, "end": 1}]}],
    }
    for name, parts in both.items():
        written(f"asr/{name}.json", json.dumps(parts))
    more = written("more.stm", STM + "u 1 b 0 1 hello\n")
    found = fstmetrics("score", more, "asr", "--json").summary
    assert (found["edits"], found["path_length"], found["settings"]["pairing"]["by"]) == (3, 5, "time")
    # Beside lines without ids, and where columns are named, it is a table.
    for options in ((), ("--fields", "hyp=text")):
        found = fstmetrics("score", lines, "asr/t.json", "--json", *options).summary
        assert (found["items"], found["edits"], found["settings"]["pairing"]["by"]) == (2, 3, "order")
    # First words that may be ids make no recording of it.
    one = written("one.txt", "talk_1 the cat\n")
    assert (
        "numbers of items differ: 2 in asr/t.json, 1 in one.txt" in fstmetrics("score", one, "asr/t.json").err
    )
    # Rows with ids are rows.
    rows = written("rows/t.json", json.dumps([{"id": f"r{n}", **part} for n, part in enumerate(PARTS)]))
    assert "no hypothesis for t_1_0_1" in fstmetrics("score", ref, rows).err
    (item,) = read_items("asr/t.json", format="whisper").items
    assert (item.id, item.text) == ("t", "the hat uh sat; down")


def test_labels_are_read_where_a_caller_says_so() -> None:
    labels = written("t.txt", "0.000000\t0.900000\tthe hat uh\n0.9\t2\tsat; down\n")
    ref = written("ref.stm", STM)
    assert fstmetrics("score", ref, labels, "--format", "timed-lines", "--json").summary["edits"] == 3
    assert "table of tab-separated columns" in fstmetrics("score", ref, labels).err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.json", json.dumps(PARTS[::-1]), "part 2 begins at 0 s, before the one above it, at 0.9 s"),
        ("t.json", json.dumps([{**PARTS[0], "end": -1}]), "'the hat uh' goes from 0 to -1 s"),
        ("t.json", json.dumps([{**PARTS[0], "end": None}]), "'the hat uh' has no time of its end"),
        ("x.json", json.dumps(PARTS), "no segment for the words of file x, channel 1"),
        ("t.txt", "(00:00) the hat\n(00:01) uh\n", "'uh' has no time of its end"),
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("if x<y and y>z", "if x<y and y>z"),
        ("a <3 of all> b", "a <3 of all> b"),
        ("see <p. 7> or <br>", "see <p. 7> or <br>"),
        ("x<b and y>z", "x<b and y>z"),
        ("<i>the</i> <B>cat</B> <u>sat</u> <s>up</s>", "the cat sat up"),
        ('<font color="#fff" size=2>the</font> <FONT FACE=Arial>cat</FONT>', "the cat"),
        ("<v Ann Lee>the</v> <v.loud Bob>cat", "the cat"),
        ("<c>the</c> <c.yellow.big>cat</c> <lang en-GB>sat</lang>", "the cat sat"),
        ("<ruby>the<rt> cat</rt></ruby> {\\an8}{\\i1}sat", "the cat sat"),
        ("<00:00:00.500>the<00:00.900> cat", "the cat"),
    ],
)
@pytest.mark.parametrize("name", ["t.srt", "t.vtt"])
def test_tags_that_are_known_are_no_words(name: str, text: str, said: str) -> None:
    head = "WEBVTT\n\n00:00.000 --> 00:01.000\n" if name == "t.vtt" else "1\n00:00:00,000 --> 00:00:01,000\n"
    hypothesis = written(name, f"{head}{text}\n")
    (item,) = read_items(hypothesis).items
    assert item.text == said
    ref = written("ref.stm", f"t 1 a 0 2 {said.replace('<', chr(92) + '<')}\n")
    for options in ((), ("--resegment",)):
        assert fstmetrics("score", ref, hypothesis, *options, "--json").summary["edits"] == 0


# -- Labels of Audacity


def test_the_format_that_the_message_names_reads_labels() -> None:
    ref = written("ref.stm", "t 1 a 0 2 the cat\nt 1 a 2 4 sat down\n")
    labels = written("t.txt", "0.000000\t2.000000\tthe cat\n2.000000\t4.000000\tsat down\n")
    for options in ((), ("--resegment",)):
        refused = fstmetrics("score", ref, labels, *options)
        assert (refused.status, "--format timed-lines reads them" in refused.err) == (2, True), refused
        found = fstmetrics("score", ref, labels, *options, "--format", "timed-lines", "--json")
        assert found.summary["edits"] == 0
    numbers = written("numbers.txt", "0.5\tthe\t1\n0.7\tcat\t2\n")
    assert "timed-lines" not in fstmetrics("score", ref, numbers).err


# -- Words that a file has in pieces

SAID = " Well-known: 50% of $1,000. Ça va"
WHOLE = [("Well-known:", 0.0, 0.4), ("50%", 0.6, 0.9), ("of", 1.1, 1.2), ("$1,000.", 1.2, 1.6), ("Ça", 1.6, 1.8),
         ("va", 1.8, 2.0)]  # fmt: skip
SPLIT = [(" Well", 0.0, 0.2), ("-known:", 0.2, 0.4), (" 50", 0.6, 0.8), ("%", 0.8, 0.9), (" of", 1.1, 1.2),
         (" $1", 1.2, 1.3), (",000.", 1.3, 1.6), (" Ça", 1.6, 1.8), (" va", 1.8, 2.0)]  # fmt: skip
BARE = [(piece.strip(), begin, end) for piece, begin, end in SPLIT]
NAKED = [("well", 0.0, 0.2), ("known", 0.2, 0.4), ("50", 0.6, 0.9), ("of", 1.1, 1.2), ("1000", 1.2, 1.6),
         ("ça", 1.6, 1.8), ("va", 1.8, 2.0)]  # fmt: skip


def timed(pieces: list[tuple[str, float, float]], key: str = "word") -> list[dict[str, Any]]:
    return [{key: text, "start": begin, "end": end} for text, begin, end in pieces]


def one_segment(pieces: list[tuple[str, float, float]]) -> dict[str, Any]:
    return {"start": 0.0, "end": 2.0, "text": SAID, "words": timed(pieces)}


@pytest.mark.parametrize(
    "document",
    [
        {"text": SAID, "segments": [one_segment(SPLIT)]},  # whisper
        {"segments": [one_segment(SPLIT)], "language": "fr"},  # faster-whisper
        {"segments": [one_segment(BARE)], "language": "fr"},
        {"segments": [one_segment(WHOLE)], "word_segments": timed(WHOLE)},  # WhisperX
        {"segments": [one_segment(NAKED)]},
        {"text": SAID, "words": timed(NAKED), "duration": 2.0},  # OpenAI
        {"text": SAID, "words": timed(NAKED), "segments": [{"start": 0, "end": 2, "text": SAID}]},
        {"text": SAID, "chunks": [chunk(piece) for piece in timed(SPLIT, "text")]},  # transformers
        {"text": SAID, "chunks": [chunk(piece) for piece in timed(BARE, "text")]},
        {"transcription": [cpp(piece) for piece in timed(SPLIT, "text")]},  # whisper.cpp -ml 1
    ],
)
def test_words_are_those_of_the_text(document: dict[str, Any]) -> None:
    """Joined from pieces, with the times from the first to the last."""
    (item,) = read_items(written("t.json", json.dumps(document))).items
    assert not isinstance(item.timed, str)
    assert item.timed is not None
    words = [word for word in item.timed.texts if isinstance(word, TimedWord)]
    assert [word.word for word in words] == [word for word, _, _ in WHOLE]
    assert [word.begin for word in words] == pytest.approx([begin for _, begin, _ in WHOLE])
    assert [word.begin + word.duration for word in words] == pytest.approx([end for *_, end in WHOLE])
    assert {type(word) for word in words} == {TimedWord}
    ref = written("ref.stm", "t 1 a 0 1 Well-known: 50%\nt 1 a 1 2 of $1,000. Ça va\n")
    assert fstmetrics("score", ref, "t.json", "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    "text", ["Hello there.", "Hello, there.", "Hello there", "Hello there ...", '"hello there!"']
)
@pytest.mark.parametrize(
    "words", [("Hello", "there"), ("Hello", "there."), ("hello,", "there"), ("Hello the", "re")]
)
def test_words_and_text_may_have_other_punctuation(text: str, words: tuple[str, str]) -> None:
    """Whether signs are missing within or only behind the last word."""
    document = {"text": text, "words": timed([(words[0], 0.0, 0.5), (words[1], 0.6, 1.0)])}
    hyp = written("t.json", json.dumps(document))
    for name, reference in (
        ("ref.stm", "t 1 a 0 2 hello there\n"),
        ("ref.ctm", "t 1 0 .5 hello\nt 1 .6 .4 there\n"),
    ):
        found = fstmetrics(
            "score", written(name, reference), hyp, "--lowercase", "--remove-punctuation", "--json"
        )
        assert found.summary["edits"] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("caf\u00e9 is", ("cafe\u0301", "is")),
        ("cafe\u0301 is", ("caf\u00e9", "is")),
        ("\uff21\uff22 x", ("AB", "x")),
    ],
)
def test_words_and_text_may_have_other_forms_of_unicode(text: str, words: tuple[str, str]) -> None:
    """The text is scored as it is written, and by times the words are."""
    pieces = timed([(words[0], 0.0, 0.5), (words[1], 0.6, 1.0)])
    hyp = written("t.json", json.dumps({"text": text, "words": pieces}))
    stm = written("ref.stm", f"t 1 a 0 2 {' '.join(words)}\n")
    assert fstmetrics("score", written("ref.txt", f"t {text}\n"), hyp, "--json").summary["edits"] == 0
    assert fstmetrics("score", stm, hyp, "--json").summary["edits"] == 0


OTHER_WORDS = [
    {
        "text": "it costs $25",
        "result": timed([("it", 0, 1), ("costs", 1, 2), ("twenty", 2, 2.5), ("five", 2.5, 3)]),
    },
    {
        "text": "it costs $25",
        "words": timed([(" it", 0, 1), (" costs", 1, 2), (" twen", 2, 2.5), ("ty", 2.5, 3)]),
    },
    {"text": "hello their", "result": timed([("hello", 0, 1), ("there", 1, 2)])},
    {"text": "hello", "words": timed([("hello", 0, 1), ("there", 1, 2)], "text")},
    {"text": "की", "words": timed([("कि", 0, 1)])},
]


@pytest.mark.skipif(shutil.which("jq") is None, reason="needs jq")
def test_what_is_advised_of_objects_that_vosk_prints_is_read() -> None:
    pieces = [("it costs", ("it", "pays")), ("ok", ("ok",))]
    objects = [
        {"text": text, "result": timed([(word, n, n + 0.5) for n, word in enumerate(words)])}
        for text, words in pieces
    ]
    hyp = written("t.json", "".join(json.dumps(each) + "\n" for each in objects))
    ref = written("ref.txt", "t it costs ok\n")
    programs = re.findall(r"jq '([^']+)' FILE", fstmetrics("score", ref, hyp).err)
    Path("new").mkdir()
    for program, edits in zip(programs, (0, 1), strict=True):
        made = subprocess.run(["jq", program, hyp], capture_output=True, text=True, check=True).stdout
        found = fstmetrics("score", ref, written("new/t.json", made), "--json").summary
        assert found["edits"] == edits


@pytest.mark.parametrize("document", OTHER_WORDS)
def test_words_that_say_something_else_are_refused(document: dict[str, Any]) -> None:
    """By all commands, with what makes either of them right."""
    hyp = written("t.json", json.dumps(document))
    name = next(key for key in document if key != "text")
    pieces = [word.get("word", word.get("text")) for word in document[name]]
    said = "".join(pieces) if pieces[0][0] == " " else " ".join(pieces)
    ref, stm = written("ref.txt", f"t {said}\n"), written("ref.stm", f"t 1 a 0 9 {said}\n")
    for call in (("score", ref, hyp), ("combine", hyp, hyp, hyp), ("convert", hyp, "-", "--to", "ctm")):
        outcome = fstmetrics(*call)
        assert (outcome.status, f"`text` and `{name}` say different things" in outcome.err) == (2, True), (
            outcome
        )
    if shutil.which("jq") is None:
        return
    Path("new").mkdir()
    for program, is_right in zip(re.findall(r"jq '([^']+)' FILE", outcome.err), (False, True), strict=True):
        made = subprocess.run(["jq", program, hyp], capture_output=True, text=True, check=True).stdout
        found = fstmetrics("score", ref, written("new/t.json", made), "--json").summary
        assert (found["edits"] == 0) is is_right
    assert fstmetrics("score", stm, "new/t.json", "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    "document",
    [
        {"text": "It's: $25, 'Ça va'?", "words": timed([("its", 0, 1), ("25", 2, 3), ("ça", 3, 4), ("va", 4, 5)])},
        {"text": "well-known", "result": timed([("well", 0, 1), ("known", 1, 2)])},
        {"text": "a b", "words": timed([("a", 0, 1)])},
        {"text": "a b", "words": [{"value": "x"}]},
        {"text": "हिन्दी में।", "words": timed([("हिन्दी", 0, 1), ("में", 1, 2)])},
        {"text": " a b", "segments": [{"start": 0, "end": 2, "text": " a b"}], "words": timed([("x", 1, 2)])},
    ],
)  # fmt: skip
def test_words_may_differ_in_signs_and_pieces(document: dict[str, Any]) -> None:
    """Or end before the text, or lie beside segments that have the times."""
    hyp, ref = written("t.json", json.dumps(document)), written("ref.txt", f"t {document['text']}\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0


@pytest.mark.parametrize("text", ["今天天气很好。", "今天，天气很好。", "今天天气很好"])
def test_words_without_the_last_mark_of_chinese(text: str) -> None:
    document = {"text": text, "words": timed([("今天", 0.0, 0.5), ("天气", 0.6, 1.0), ("很好", 1.0, 1.5)])}
    ref, hyp = (
        written("ref.stm", "t 1 a 0 0.55 今天\nt 1 a 0.55 2 天气很好\n"),
        written("t.json", json.dumps(document)),
    )
    options = ("--unit", "char", "--remove-punctuation", "--json")
    assert fstmetrics("score", ref, hyp, *options).summary["edits"] == 0


@pytest.mark.parametrize("seed", range(20))
def test_pieces_of_words_in_any_way(seed: int) -> None:
    rng = random.Random(seed)
    pieces: list[tuple[str, float, float]] = []
    expected = []
    for number in range(rng.randint(1, 9)):
        word = "".join(rng.choice("abé'-,ß") for _ in range(rng.randint(1, 6)))
        ends = sorted({*rng.sample(range(1, len(word) + 1), rng.randint(1, len(word))), len(word)})
        for first, end in zip([0, *ends], ends, strict=False):
            blank = " " if first == 0 else ""
            pieces.append((blank + word[first:end], number + first / 10, number + end / 10))
        expected.append((word, number, len(word) / 10))
    text = "".join(piece for piece, _, _ in pieces)
    part = {"start": 0, "end": 10, "text": text, "words": timed(pieces)}
    (item,) = read_items(written("t.json", json.dumps({"segments": [part]}))).items
    assert item.timed == TimedWords(
        "t", "1", tuple(TimedWord(w, b, pytest.approx(d)) for w, b, d in expected)
    )


HAN = [("我们", 0.0, 0.8), ("去", 0.8, 1.0), ("北京", 1.0, 1.5), ("。今天", 1.5, 2.0)]


@pytest.mark.parametrize("kind", ["words", "words and text", "chunks", "segment", "srt", "letters"])
def test_scripts_without_blanks(kind: str) -> None:
    """Nothing parts the words that the text does not part, and each goes to the segment of its own time."""
    text = "".join(piece for piece, _, _ in HAN)
    segment: dict[str, Any] = {"start": 0.0, "end": 2.0, "text": text}
    letters = [(letter, n / 4, n / 4 + 0.25) for n, letter in enumerate("我们去北京。今天")]
    document = {
        "words": {"segments": [{**segment, "words": timed(HAN)}], "text": text},
        "words and text": {"text": text, "words": timed(HAN)},
        "chunks": {"text": text, "chunks": [chunk(piece) for piece in timed(HAN, "text")]},
        "segment": {"text": text, "segments": [segment]},
        "letters": {"segments": [{**segment, "words": timed(letters)}]},
        "srt": {},
    }[kind]
    hyp = (
        written("t.srt", f"1\n00:00:00,000 --> 00:00:02,000\n{text}\n")
        if kind == "srt"
        else written("t.json", json.dumps(document))
    )
    whole = written("whole.stm", f"t 1 a 0 2 {text}\n")
    found = fstmetrics("score", whole, hyp, "--unit", "word", "--json", "--alignment").summary
    assert found["records"][0]["hypothesis"] == [text]
    parts = ("我们去北", "京。今天") if kind in ("segment", "srt", "letters") else ("我们去", "北京。今天")
    ref = written("ref.stm", "".join(f"t 1 a {n} {n + 1} {part}\n" for n, part in enumerate(parts)))
    assert fstmetrics("score", ref, hyp, "--unit", "char", "--json").summary["edits"] == 0


# -- Times that are missing


@pytest.mark.parametrize("kind", ["segment", "words", "vosk"])
@pytest.mark.parametrize("lacking", [{}, {"start": None, "end": None}, {"score": 0.5}])
def test_only_words_without_times_are_estimated(lacking: dict[str, Any], kind: str) -> None:
    """Between their neighbours' times, or to the end of the segment."""
    words: list[dict[str, Any]] = timed([(word, n / 5, n / 5 + 0.2) for n, word in enumerate("abcdef")])
    middle = {"word": "17", **lacking}
    words[3:3] = [middle, {**middle, "word": "1"}]  # between .6 and .6
    words += timed([("42", 1.2, 6.0)]) if kind != "segment" else [{"word": "42", **lacking}]
    text = "a b c 17 1 d e f 42"
    document: dict[str, Any] = {
        "segment": {"segments": [{"start": 0.0, "end": 6.0, "text": text, "words": words}]},
        "words": {"text": text, "words": words},
        "vosk": {"text": text, "result": words},
    }[kind]
    ref = written("ref.stm", "t 1 a 0 2 a b c 17 1 d e f\nt 1 a 2 6 42\n")
    found = fstmetrics("score", ref, written("t.json", json.dumps(document)), "--json").summary
    assert found["edits"] == 0
    without = 3 if kind == "segment" else 2
    assert any(f"{without} words of 9 without times of their own" in remark for remark in found["remarks"])


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            {
                "text": " a b",
                "chunks": [{"timestamp": [0, 1.5], "text": " a"}, {"timestamp": [1.5, None], "text": " b"}],
            },
            "'b' has no time of its end",
        ),
        ({"text": "a b", "segments": [{"text": "a b"}]}, "'a b' has no time of its begin"),
        ({"text": "a b", "segments": []}, "'a b' has no time of its begin"),
        ({"text": "a b c", "words": timed([("a", 0, 1), ("b", 1, 2)])}, "no word has the times of 'c'"),
        (
            {"text": "a b", "result": [{"word": "a", "start": 0, "end": 1}, {"word": "b"}]},
            "'b' has no time of its end",
        ),
        ({"segments": [{"start": 3, "end": 2, "text": "a b"}]}, "'a b' goes from 3 to 2 s"),
        ({"segments": [{"start": "0", "end": "2", "text": "a b"}]}, "'a b' has the times '0' and '2'"),
    ],
)
def test_recordings_without_times_are_refused(document: dict[str, Any], message: str) -> None:
    """And what is told to do instead needs no times."""
    ref, hyp = written("ref.stm", "t 1 a 0 1 a\nt 1 a 1 2 b c\n"), written("t.json", json.dumps(document))
    outcome = fstmetrics("score", ref, hyp)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1), outcome
    assert f"t.json: words of t have no times to pair them by: {message}" in outcome.err
    text = " ".join((document.get("text") or "a b").split())
    edits = fstmetrics("score", ref, hyp, "--resegment", "--json").summary["edits"]
    assert edits == 3 - len(text.split())


def test_several_results_of_vosk() -> None:
    parts = [("a b c", 0.0), ("d e", 2.0), ("", 0.0), ("f g", 5.5)]
    lines = []
    for text, begin in parts:
        words = timed([(word, begin + n / 4, begin + n / 4 + 0.2) for n, word in enumerate(text.split())])
        lines.append({"result": words, "text": text} if words else {"text": ""})
    lines.insert(1, {"partial": "d"})
    hyp = written("t.json", "".join(json.dumps(line, indent=2) + "\n" for line in lines))
    ref = written("ref.stm", "t 1 a 0 2 a b c\nt 1 a 2 4 d e\nt 1 a 5 7 f g\n")
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["edits"], found["settings"]["pairing"]["by"]) == (0, "time")


@pytest.mark.parametrize("hypothesis", ["t.srt", "t.ctm"])
@pytest.mark.parametrize("reference", [*REFERENCES])
def test_segments_in_any_order(reference: str, hypothesis: str) -> None:
    """As manifests sorted by duration have them; each has its words, and its place in the file."""
    text = REFERENCES[reference]
    rows = json.loads(text) if reference.endswith(".json") else text.splitlines(keepends=True)
    backwards = json.dumps(rows[::-1]) if reference.endswith(".json") else "".join(rows[::-1])
    words = "t 1 0 .4 the\nt 1 .4 .3 hat\nt 1 .7 .2 uh\nt 1 1 .5 sat\nt 1 1.5 .5 down\n"
    hyp = written(hypothesis, SRT.replace(";", "") if hypothesis == "t.srt" else words)
    found = fstmetrics("score", written(reference, backwards), hyp, "--json", "--alignment").summary
    assert [record["hypothesis"] for record in found["records"]] == [["sat", "down"], ["the", "hat", "uh"]]
    assert not any("begin before" in remark for remark in found["remarks"])


@pytest.mark.parametrize("names", [("en/t.wav", "de/t.wav"), ("t.wav", "T.wav"), ("t.wav", "t.flac")])
@pytest.mark.parametrize("kind", ["manifest", "seglst"])
def test_recordings_of_one_name_are_refused(kind: str, names: tuple[str, str]) -> None:
    """By name alone, their words could not be told apart."""
    manifest = [
        {"audio_filepath": name, "offset": at, "duration": 1.0, "text": "the hat"}
        for name in names
        for at in (0.0, 1.0)
    ]
    seglst = [
        {"session_id": name, "speaker": "a", "words": "the hat", "start_time": at, "end_time": at + 1}
        for name in names
        for at in (0, 1)
    ]
    ref = (
        written("ref.jsonl", "".join(json.dumps(row) + "\n" for row in manifest))
        if kind == "manifest"
        else written("ref.json", json.dumps(seglst))
    )
    outcome = fstmetrics("score", ref, written("t.srt", SRT))
    assert (outcome.status, outcome.err.count("\n")) == (2, 1), outcome
    assert f"two recordings are called {Path(names[1]).stem!r}: {names[0]} and {names[1]}" in outcome.err


def test_two_files_of_one_recording_are_refused() -> None:
    written("asr/t.srt", SRT)
    written("asr/T.srt", SRT)
    outcome = fstmetrics("score", written("ref.jsonl", REFERENCES["ref.jsonl"]), "asr")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1), outcome
    assert "two recordings are called 'T' and 't', which is one name" in outcome.err


# -- Blank lines and lines that roll up in subtitles

ROLLING = [
    (0.0, 2.0, [" ", "the<00:00:00.500><c> cat</c><00:00:01.000><c> sat</c>"]),
    (2.0, 2.01, ["the cat sat", " "]),
    (2.01, 3.0, ["the cat sat", "on"]),
    (3.0, 3.01, ["on", " "]),
    (3.01, 4.0, ["on", "on"]),  # said twice
    (4.0, 4.01, ["on", " "]),
    (4.01, 6.0, ["on", "a<00:00:05.000><c> mat</c>"]),
]


def clock(seconds: float, mark: str) -> str:
    return f"00:00:{seconds:06.3f}".replace(".", mark)


def subtitles(name: str, cues: list[tuple[float, float, list[str]]]) -> str:
    """A file of them, of which SubRip has no times of words."""
    is_srt = name.endswith("srt")
    blocks = [] if is_srt else ["WEBVTT\nKind: captions\nLanguage: en\n"]
    for number, (begin, end, lines) in enumerate(cues, 1):
        head = f"{number}\n" if is_srt else ""
        shown = [re.sub("<.*?>", "", line) if is_srt else line for line in lines]
        mark = "," if is_srt else "."
        blocks.append("\n".join([f"{head}{clock(begin, mark)} --> {clock(end, mark)}", *shown]) + "\n")
    return written(name, "\n".join(blocks))


@pytest.mark.parametrize("name", ["t.vtt", "t.srt"])
def test_lines_that_roll_up_count_once(name: str) -> None:
    """As YouTube writes captions: a line of one space is no end of a subtitle."""
    hyp = subtitles(name, ROLLING)
    (item,) = read_items(hyp).items
    assert item.text == "the cat sat on on a mat"
    ref = written("ref.stm", "t 1 a 0 2 the cat sat\nt 1 a 2 4 on on\nt 1 a 4 6 a mat\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0
    # Times of words tell the same, without what stands there for a moment.
    longer = subtitles("t.vtt", [*(cue for cue in ROLLING if cue[1] - cue[0] > 0.05)])
    assert read_items(longer).items[0].text == "the cat sat on on a mat"
    many = subtitles(name, [(n, n + 1, [f"line {n - 1}", f"line {n}"]) for n in range(9)])
    outcome = fstmetrics("score", ref, many)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1), outcome
    assert "8 subtitles begin with the last line of the one before" in outcome.err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.vtt", "WEBVTT\n\n00:00.0 --> 00:01.0\n \na\n \nb\n\n00:01.0 --> 00:02.0\nc\n"),
        ("t.vtt", "WEBVTT\n\n00:00.0 --> 00:01.0\na b\n \n00:01.0 --> 00:02.0\nc\n"),
        ("t.vtt", "WEBVTT\n\nx\n00:00.0 --> 00:01.0\na b\n\t\ny\n00:01.0 --> 00:02.0\nc\n"),
        ("t.vtt", "WEBVTT\n00:00.0 --> 00:01.0\na b\n00:01.0 --> 00:02.0\nc\n"),
        ("t.vtt", "WEBVTT\n\nNOTE x\n \n00:00.0 --> 00:01.0\na b\n\n00:01.0 --> 00:02.0\n\n00:01.0 --> 00:02.0\nc\n"),
        ("t.vtt", "WEBVTT\n\n00:00.0 --> 00:01.0\n00:00.0 --> 00:01.0\na b\n\n00:01.0 --> 00:02.0\nc\n"),
        ("t.srt", "1\n00:00:00,0 --> 00:00:01,0\n \na b\n \n2\n00:00:01,0 --> 00:00:02,0\nc\n \n"),
        ("t.srt", "1\n00:00:00,0 --> 00:00:01,0\na b\n2\n00:00:01,0 --> 00:00:02,0\nc\n"),
        ("t.srt", "1\n00:00:00,0 --> 00:00:01,0\n2\n00:00:00,0 --> 00:00:01,0\na b\n3\n00:00:01,0 --> 00:00:02,0\nc\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_ends_a_subtitle(name: str, text: str, end: str) -> None:
    (item,) = read_items(written(name, text.replace("\n", end))).items
    assert item.text == "a b c"
    assert not isinstance(item.timed, str)
    assert item.timed is not None
    assert [isinstance(word, TimedWord) and word.begin for word in item.timed.texts] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("reference", REFERENCES)
def test_ctm_pairs_with_segments_of_all_formats(reference: str) -> None:
    words = "t 1 0 .4 the\nt 1 .4 .3 hat\nt 1 .7 .2 uh\nt 1 1 .5 sat\nt 1 1.5 .5 down\n"
    ref = written(reference, REFERENCES[reference])
    found = fstmetrics("score", ref, written("t.ctm", words), "--json", "--alignment").summary
    assert [record["hypothesis"] for record in found["records"]] == [["the", "hat", "uh"], ["sat", "down"]]
    assert found["settings"]["pairing"]["by"] == "time"
    for other in ("t 2 0 .4 the\n", "x 1 0 .4 the\n"):  # another channel, another recording
        outcome = fstmetrics("score", ref, written("t.ctm", words + other))
        assert (outcome.status, "no segment for the words of file" in outcome.err) == (2, True), outcome


def test_words_from_standard_input_have_no_recording() -> None:
    outcome = fstmetrics("score", written("ref.stm", STM), "-", stdin=SRT.encode())
    assert outcome.status == 2
    assert "standard input names no recording: give words as a file of its name" in outcome.err
