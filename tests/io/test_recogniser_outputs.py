"""What recognisers write as text: results of Sphinx, printed times, HTK's label files, letters, lists of wav2letter."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.io import Source, read_items
from fstmetrics.support.errors import InputError

Texts = list[tuple[str | None, str | None]]


def texts(content: str, name: str = "r.txt", format: str | None = None) -> tuple[str, Texts]:
    found = read_items(Source(name, content.encode()), format=format)
    return found.formats[0], [(item.id, item.text) for item in found.items]


HYP = "go forward ten meters (goforward -7716)\n (silence -312)\nhello (world-1 0)\n"
# pocketsphinx_batch -hypseg.
HYPSEG = (
    "goforward S 0 T -7716 A -7400 L -316 0 0 0 <s> 46 -2500 -90 go 64 -3000 -100 forward(2) 116 -900 -60 <sil> "
    "152 -1000 -66 ++NOISE++ 211 0 0 </s> 260\n"
    "silence S 0 T -312 A -300 L -12 0 -300 -12 <s> 100\n"
)


def test_results_of_sphinx_have_ids_in_parentheses_with_scores() -> None:
    said = [("goforward", "go forward ten meters"), ("silence", ""), ("world-1", "hello")]
    assert texts(HYP) == ("sphinx-results", said)
    assert texts(HYPSEG) == ("sphinx-results", [("goforward", "go forward"), ("silence", "")])


def test_results_of_sphinx_with_other_scores_have_ids_that_look_so() -> None:
    assert texts("the cat (u1 12)\na dog (u2 0)\n") == (
        "sphinx-results",
        [("u1", "the cat"), ("u2", "a dog")],
    )


def test_results_of_sphinx_pair_by_their_ids(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "the cat (u1)\na dog (u2)\n")
    hyp = written(tmp_path / "hyp", "a dog (u2 -77)\nthe hat (u1 -120)\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 1


WHISPER = (
    "Detecting language using up to the first 30 seconds. Use `--language` to specify the language\n"
    "Detected language: English\n"
    "[00:00.000 --> 00:01.500]  The cat sat\n"
    "[00:01.500 --> 00:03.000]  on a mat.\n"
    "[59:58.000 --> 01:00:03.000]  Bye.\n"
)
CPP = "\n[00:00:00.000 --> 00:00:01.500]   The cat sat\n[00:00:01.500 --> 00:00:03.000]   on a mat.\n\n"
FASTER = "Detected language 'en' with probability 0.99\n[0.00s -> 1.50s]  The cat sat\n[1.50s -> 3.00s]  on a mat.\n"
MINUTES = "(00:00) The cat sat\n(00:01) on a mat.\n"
BRACKETS = "[0:00] The cat sat\n[0:01]\n[0:02] on a mat.\n"
LRC = "[by:whisper.cpp]\n[00:00.00] The cat sat\n[00:02.00] on a mat.\n"
ONE = "[00:00.000 --> 00:03.000]  The cat sat on a mat.\n"


@pytest.mark.parametrize("content", [WHISPER, CPP, FASTER, MINUTES, BRACKETS, LRC, ONE])
def test_printed_times_are_no_words(content: str) -> None:
    bye = " Bye." if content is WHISPER else ""
    assert texts(content) == ("timed-lines", [("r", f"The cat sat on a mat.{bye}")])
    assert texts(content.replace("\n", "\r\n"))[1] == [("r", f"The cat sat on a mat.{bye}")]


def test_a_line_without_its_time_is_refused() -> None:
    late = "[00:00.000 --> 00:01.500]  a\n" * 150 + "b c\n"
    with pytest.raises(InputError, match=":151: expected a time in brackets"):
        texts(late)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[00:00.000 --> 00:01.500] [SPEAKER_00]: a b\n", "looks like a printed transcript with the names"),
        ("[00:00:01] Anna: a b\n[00:00:04] Bob: c\n", "looks like a printed transcript with the names"),
        ("(12:30) we meet\n", "looks like a text whose lines begin with times in brackets"),
        ("(12:30) we meet\n(09:00) we leave\n", "looks like a text whose lines begin with times in brackets"),
    ],
)
def test_other_times_are_refused(content: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        texts(content)
    assert "if it is text, use --format plain" in str(caught.value)
    assert texts(content, format="plain")[1][0] == (None, content.splitlines()[0])


# -- The table that Whisper (.tsv) and whisper.cpp (.csv) write of a recording

TABLE = 'start\tend\ttext\n0\t1500\tThe "cat" sat\n1500\t1500\t\n1500\t3000\ton a mat, twice.\n'
CPP_TABLE = 'start,end,text\n0,1500," The ""cat"" sat"\n1500,1500,""\n1500,3000," on a mat, twice."\n'


@pytest.mark.parametrize(
    ("name", "content"), [("talk.tsv", TABLE), ("talk.csv", CPP_TABLE), ("talk.txt", TABLE)]
)
def test_the_table_of_whisper_is_one_recording(name: str, content: str) -> None:
    said = ("timed-lines", [("talk", 'The "cat" sat on a mat, twice.')])
    for written_so in (content, content.replace("\n", "\r\n"), f"\ufeff{content}"):
        assert texts(written_so, name) == said
    kind = "csv" if "," in content[:8] else "tsv"
    assert [id for id, _ in texts(content, name, kind)[1]] == [None, None, None]


@pytest.mark.parametrize(
    ("ending", "content", "silence"),
    [
        ("txt", "the cat\n", ""),
        ("tsv", "start\tend\ttext\n0\t1500\tthe cat\n", "start\tend\ttext\n"),
        ("csv", "start,end,text\n0,1500,the cat\n", "start,end,text\n"),
        ("srt", "1\n00:00:00,000 --> 00:00:01,500\nthe cat\n\n", ""),
        ("vtt", "WEBVTT\n\n00:00.000 --> 00:01.500\nthe cat\n\n", "WEBVTT\n\n"),
    ],
)
def test_a_silent_recording_in_a_folder_is_an_empty_text(
    ending: str, content: str, silence: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    written(folder / f"talk.{ending}", content)
    written(folder / f"quiet.{ending}", silence)
    found = {item.id: item.text for item in read_items(folder).items}
    assert found == {"talk": "the cat", "quiet": ""}


@pytest.mark.parametrize(
    "content",
    [
        "id\tstart\tend\ttext\n0\t0\t1500\tthe cat\n",
        "start\tend\ttext\n0.0\t1.5\tthe cat\n1.5\t3.0\ta dog\n",
        "start\tend\ttext\n0\t5\tthe cat sat\n5\t9\ta dog\n",  # seconds
        "start\tend\ttext\n1500\t3000\tthe cat\n0\t1500\ta dog\n",
        "start\tend\ttext\n1500\t0\tthe cat\n",
        "begin\tend\ttext\n0\t1500\tthe cat\n",
        "start\ttext\tend\n0\tthe cat\t1500\n",
    ],
)
def test_other_tables_with_times_have_items_for_rows(content: str) -> None:
    format, found = texts(content, "talk.tsv")
    assert (format, len(found)) == ("tsv", content.count("\n") - 1)


def test_a_row_of_whisper_that_goes_back_is_refused_and_the_advice_works() -> None:
    late = "start\tend\ttext\n" + "".join(f"{n}00\t{n}90\ta b\n" for n in range(150)) + "0\t90\tc\n"
    with pytest.raises(
        InputError, match=r":152: its time is before .*; --format tsv reads its rows as items"
    ):
        texts(late, "talk.tsv")
    assert len(texts(late, "talk.tsv", "tsv")[1]) == 151
    seconds = late.replace("\n0\t90\t", "\n15000.5\t15001\t")
    with pytest.raises(
        InputError, match=r":152: expected whole milliseconds, as Whisper .* '15000\.5 15001'; "
    ):
        texts(seconds, "talk.tsv")


# -- HTK

MLF = """#!MLF!#
"*/u1.lab"
the
cat
.
"data/u2.rec"
0 1200000 a -123.4
1200000 3000000 dog -99.5
.
"*/u3.lab"
.
"*/u4.rec"
100 "it's"
caf\\303\\251
\\'twas
.
"""


def test_master_label_files_have_a_label_a_line() -> None:
    found, items = texts(MLF, "r.mlf")
    assert found == "mlf"
    assert items == [("u1", "the cat"), ("u2", "a dog"), ("u3", ""), ("u4", "it's caf\u00e9 'twas")]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('"*/u1.lab"\nthe\n', ":2: no dot behind the labels of 'u1'"),
        ('"*/u1.lab"\nthe\n///\na\n.\n', ":4: alternatives"),
        ('"*/u1.lab"\n0 5 ax -1.0 a -3.0\n.\n', ":3: expected `.begin .end.. word .score.`"),
        ("the\n.\n", ":2: expected the name of a file in quotes"),
        ('"*/u1.lab"\n.\n"b/u1.rec"\n.\n', ":4: id 'u1' is already in line 2"),
        ('"*/u1.lab" -> "dir"\n', ":2: expected the name of a file in quotes"),
    ],
)
def test_bad_label_files_are_refused(body: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        texts(f"#!MLF!#\n{body}")


def test_two_label_files_pair(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.mlf", MLF)
    hyp = written(tmp_path / "hyp.mlf", MLF.replace("dog", "hog").replace("*/", "exp/"))
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 1


# -- fairseq, wav2letter

LETTERS = "T H E | C A T |\n\nI T ' S |\n"


def test_letters_make_words() -> None:
    assert texts(LETTERS) == ("letters", [(None, "THE CAT"), (None, ""), (None, "IT'S")])
    results = "T H E | C A T | (None-1)\n| (None-2)\nA | (None-0)\n"
    assert texts(results) == ("letters", [("None-1", "THE CAT"), ("None-2", ""), ("None-0", "A")])
    assert texts("क ि त |\n")[1] == [(None, "कित")]


LIST = (
    "train001 /tmp/a/000000000.flac 100.03 this is sparta\n"
    "train002 /tmp/a/000000001.flac 360.57 coca cola\n"
    "train003 /tmp/a/000000002.flac 123.53\n"
)


def test_lists_of_wav2letter_have_paths_and_durations() -> None:
    found = read_items(Source("r.lst", LIST.encode()))
    assert found.formats == ("wav2letter",)
    assert [(item.id, item.text) for item in found.items] == [
        ("train001", "this is sparta"), ("train002", "coca cola"), ("train003", ""),
    ]  # fmt: skip
    assert found.items[0].fields == {"file": "/tmp/a/000000000.flac", "duration": 100.03}


TWICE = [
    ("a (u1 -5)\nb (u1 -7)\n", ":2: id 'u1' is already in line 1"),
    ("A | (u-1)\nB | (u-1)\n", ":2: id 'u-1' is already in line 1"),
    ("u1 a.wav 1.0 a\nu1 b.wav 1.0 b\n", ":2: id 'u1' is already in line 1"),
    ("a (u1 -5)\n" * 1 + "".join(f"b (v{n} -7)\n" for n in range(120)) + "c\n", ":122: expected `words"),
    ("A |\n" * 120 + "cat\n", ":121: expected letters"),
    (
        "u1 a.wav 1.0 a\n" + "".join(f"v{n} b.wav 1.0 b\n" for n in range(120)) + "c\n",
        ":122: expected `id path",
    ),
]


@pytest.mark.parametrize(("content", "message"), TWICE)
def test_what_is_wrong_is_refused_with_its_line(content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        texts(content)


@pytest.mark.parametrize(
    "content",
    [
        "see the picture (fig 3)\n",
        "[laughter] the cat\n[noise]\n",
        "a | b\n",
        "I |\nyou said it |\n",
        "(applause) thank you\n",
        "(3:16) says John\nand so on\n",
        "MLF is a file\n",
    ],
)
def test_text_is_text(content: str) -> None:
    assert texts(content)[0] in ("plain", "kaldi-text")
