"""Files that are no text of sentences are refused by name; text that looks a little like them is not."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import shutil
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from command import HYTER, ORACLE, fstmetrics, written
from error_cases import Message, content, error_cases, says

from fstmetrics.io import ReadOptions, Source, read_items
from fstmetrics.io.file_format import recognise
from fstmetrics.support.errors import InputError

WHISPER = '{"text": " The cat sat.", "segments": [], "language": "en"}\n' * 2
NEMO = (
    '{"audio_filepath": "a.wav", "duration": 1.5, "text": "the cat sat", "pred_text": "the cat"}\n'
    '{"audio_filepath": "b.wav", "duration": 0.5, "text": "a dog", "pred_text": "a dog"}\n'
)


def zipped(name: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "the cat")
    return packed.getvalue()


CASES = error_cases("foreign_files")
PACKED: list[tuple[str, bytes, Message]] = [
    ("a.txt", bz2.compress(b"the cat\n"), "looks like a bzip2 file: bunzip2 it first"),
    ("a.txt", lzma.compress(b"the cat\n"), "looks like an xz file: unxz it first"),
    ("a.txt.gz", gzip.compress(gzip.compress(b"the cat\n")), "looks like a file that is gzipped twice"),
    ("a.txt", zipped("ref.txt"), "looks like a zip archive"),
    ("a.docx", zipped("word/document.xml"), "looks like a Word or Excel document"),
]
FOREIGN = [(case["file"], content(case), case["message"]) for case in CASES["case"]] + PACKED


@pytest.mark.parametrize(
    ("name", "data", "message"), FOREIGN, ids=[f"{i}-{case[0]}" for i, case in enumerate(FOREIGN)]
)
def test_files_of_other_kinds_are_refused_by_name(name: str, data: bytes, message: Message) -> None:
    if name.endswith(".gz"):
        data = gzip.decompress(data)
    for given in (name, "-"):
        if given == "-" and ".scp" in name:
            continue
        with pytest.raises(InputError) as caught:
            recognise(Source(given, data), ReadOptions())
        assert str(caught.value).startswith(f"{given}: looks like ")
        assert says(str(caught.value), message)


@pytest.mark.parametrize("text", CASES["texts"])
def test_text_that_looks_a_little_like_them_goes_through(text: str) -> None:
    assert recognise(Source("a.txt", text.encode()), ReadOptions()).name in ("plain", "kaldi-text")
    assert len(read_items(Source("a.txt", text.encode()), format="plain").items) == text.count("\n")


@pytest.mark.parametrize("word", ["a1-" + "x" * 80_000, "x" * 80_000 + "1"])
def test_long_lines_without_spaces_are_recognised_at_once(word: str) -> None:
    """Looked at in as many steps as they have letters, not in their square."""
    start = time.process_time()
    assert recognise(Source("a.txt", f"{word}\n".encode() * 3), ReadOptions()).name == "plain"
    assert time.process_time() - start < 5


def test_ids_and_one_tab_are_text_with_ids() -> None:
    assert read_items(Source("a.tsv", b"utt1\tthe cat\nutt2\ta dog\n")).formats == ("kaldi-text",)


# What is no text in these sets: tables, results, lists, symbols, one file of segments in SGML.
NO_TEXTS = (
    r".*(\.md|\.weights|\.sys|\.raw|\.ini|results\.txt|expected_table\.txt|scorestat\.run\d\.txt|\.tsv|\.json"
    r"|-scores\.csv|\.pra|\.wav|\.dtl|\.glm|\.seg\.score|example\.test\.in)(\.gz)?|wer_\d+|words\.txt"
)


def test_no_text_of_real_sets_is_taken_for_something_else(shared: Path) -> None:
    seen = 0
    folders = ("asr-fisher-callhome", "asr-kaldi-weather", "mt-compare-mt", "mt-joshua", "mt-moses", "mt-multeval",
               "mt-wmt", "expected-sclite", "refs-alternations")  # fmt: skip
    for path in (path for folder in folders for path in (shared / folder).rglob("*")):
        is_text = path.is_file() and path.parent.name != "base" and not re.fullmatch(NO_TEXTS, path.name)
        if is_text and path.stat().st_size < 300_000:
            recognise(Source.open(path), ReadOptions())
            seen += 1
    assert seen > 80


COMMANDS = (
    "score {} ref.txt", "score ref.txt {}", "score ref.txt ref.txt --ref {}", "hyter {} ref.txt", "hyter ref.txt {}",
    "compare --ref {} ref.txt", "compare --ref ref.txt {}", "correlate --ref {} ref.txt", "correlate --ref ref.txt {}",
    "oracle {} LATTICES", "mbr {}", "network build {} -o out", "network info {}", "variants {} --ref ref.txt",
    "variants ref.txt --ref {}", "features NETWORKS {}", "grammar savings {} ref.txt", "grammar savings ref.txt {}",
    "convert {} out.trn", "convert {} out.txt",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("name", "content"), [("w.json", WHISPER), ("t.csv", "a-1,b c\nb-1,d\n")])
def test_every_way_in_refuses_them(
    command: str, name: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "the cat sat\na dog\n")
    written(tmp_path / name, content)
    written(tmp_path / f"{name}.gz", gzip.compress(content.encode()))
    words = command.replace("LATTICES", ORACLE[1]).replace("NETWORKS", HYTER[0])
    for given, stdin in ((name, b""), (f"{name}.gz", b""), ("-", content.encode())):
        if given == "-" and command == "correlate --ref ref.txt {}":
            continue  # outputs come from files there
        outcome = fstmetrics(*words.format(given).split(), stdin=stdin)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1), (given, outcome)
        kind = "a Whisper transcript" if content is WHISPER else "a table of comma-separated columns"
        assert f"{given}: looks like {kind}" in outcome.err
    assert not (tmp_path / "out").exists()


def test_who_asks_for_plain_text_gets_it_with_a_remark(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", NEMO), written(tmp_path / "h", NEMO)
    outcome = fstmetrics("score", ref, hyp, "--format", "plain", "--ref-format", "plain")
    assert outcome.status == 0
    for path in (ref, hyp):
        said = f"{path} looks like format jsonl, and is read as plain, as was asked for\n"
        assert said in outcome.out


def test_the_message_names_the_side_s_option(tmp_path: Path) -> None:
    text, table = written(tmp_path / "r", "a b\n"), written(tmp_path / "t", "a-1,b c\nb-1,d\n")
    assert "if it is text, use --format plain\n" in fstmetrics("score", text, table).err
    assert "if it is text, use --ref-format plain\n" in fstmetrics("score", table, text).err


def test_a_name_that_decides_is_named(tmp_path: Path) -> None:
    """`.hg` is cdec's, and a reference may be called so."""
    ref, hyp = written(tmp_path / "r.hg", "the cat\n"), written(tmp_path / "h", "the dog\n")
    assert fstmetrics("score", ref, hyp).err == (
        f"fstmetrics: {ref}:1: not JSON: Expecting value (column 1); read as cdec because of its name alone: "
        "--ref-format says what it is\n"
    )
    assert fstmetrics("score", ref, hyp, "--ref-format", "plain", "--json").summary["edits"] == 1
    assert "because of its name" not in fstmetrics("score", ref, hyp, "--ref-format", "cdec").err


def test_lists_beside_lattices_are_left_out(tmp_path: Path) -> None:
    for name in ("manifest.jsonl", "utt2spk", "a.sbv"):
        content = next(content for given, content, _ in FOREIGN if given in (name, "s.sbv"))
        written(tmp_path / name, content)
    written(tmp_path / "u1.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    assert [item.id for item in read_items(tmp_path).items] == ["u1"]


@pytest.mark.parametrize("format", [None, "att"])
@pytest.mark.parametrize("pattern", ["", "/*"])
def test_files_left_out_that_are_called_like_lattices_are_named(
    format: str | None, pattern: str, tmp_path: Path
) -> None:
    """They may be damaged; other files, such as notes, are left out without a word."""
    folder = tmp_path / "lattices"
    folder.mkdir()
    for name in ("u1.txt", "u2.txt"):
        written(folder / name, "0 1 a\n0 1 b\n1\n")
    asked = ["--format", format] if format else []
    notes = written(folder / "README", "words and more words\n")
    assert "left out" not in fstmetrics("mbr", f"{folder}{pattern}", *asked).err
    for name in ("u3.txt", "u4.txt", "u5.txt", "u10.txt"):
        written(folder / name, Path(notes).read_text())
    outcome = fstmetrics("mbr", f"{folder}{pattern}", *asked)
    said = f"{folder}{pattern}: 4 files left out, unlike the others in content: u3.txt, u4.txt, u5.txt, ...\n"
    assert (outcome.status, said in outcome.err, "2 items" in outcome.err) == (0, True, True)


@pytest.mark.parametrize("content", ['{"root": "S", "cards": {}}', '{\n "root": "S",\n "cards": {}\n}\n'])
def test_an_object_that_is_called_like_a_network_is_told_what_it_lacks(content: str, tmp_path: Path) -> None:
    hyp = written(tmp_path / "h", "a\n")
    outcome = fstmetrics("hyter", written(tmp_path / "n.json", content), hyp)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert (
        '"format" is None, expected "fstmetrics-network/1"; read as network because of its name'
        in outcome.err
    )


@pytest.mark.parametrize("content", ['[[{"generated_text": "a b"}]]\n', '[["a b", "c"]]\n'])
def test_a_json_list_of_other_things_is_not_told_how_to_write_its_texts(content: str) -> None:
    with pytest.raises(InputError, match="looks like a JSON list of lists: expected a sentence a line"):
        recognise(Source("h.json", content.encode()), ReadOptions())


def test_a_long_json_list_of_sentences_is_told_to_be_text(tmp_path: Path) -> None:
    """So long that its first bytes are no whole JSON, and called like a network."""
    listed = written(tmp_path / "h.json", json.dumps(["a sentence of some words"] * 5000))
    outcome = fstmetrics("score", written(tmp_path / "r.txt", "a\n"), listed)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "looks like a JSON list of texts: expected a sentence a line" in outcome.err


NAMES = (
    "README.md", "notes.rst", "t.yaml", "t.yml", "t.toml", "t.ini", "de.po", "c.diff", "c.patch", "t.tex", "t.xml",
    "t.sgm", "t.eaf", "t.csv", "t.tsv",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_other_files_are_no_text_s(name: str) -> None:
    """Their content may look like text; asked for, it is."""
    with pytest.raises(InputError, match=f"{name}: looks like .*; if it is text, use --format plain"):
        recognise(Source(name, b"the cat\na dog\n"), ReadOptions())
    assert len(read_items(Source(name, b"the cat\na dog\n"), format="plain").items) == 2


@pytest.mark.parametrize("format", [None, "plain"])
def test_notes_in_a_folder_of_transcripts_are_no_items(format: str | None, tmp_path: Path) -> None:
    for name in ("u1.txt", "u2.txt"):
        written(tmp_path / name, "the cat\n")
    for name in ("README.md", "README", "LICENSE.txt", "notes.md"):
        written(tmp_path / name, "these are words\nand more\n")
    found = read_items(tmp_path, format=format)
    assert [item.text for item in found.items] == ["the cat", "the cat"]
    assert found.remarks == (f"{tmp_path}: left out as notes: LICENSE.txt, README, README.md, ...",)


def test_recordings_beside_transcripts_are_left_out(tmp_path: Path) -> None:
    written(tmp_path / "a.txt", "the cat\n")
    for name in ("a.wav", "b.FLAC"):
        (tmp_path / name).write_bytes(b"RIFF\0\0\0\0WAVE")
    found = read_items(tmp_path)
    assert [(item.id, item.value) for item in found.items] == [("a", ("the", "cat"))]
    assert found.remarks == (f"{tmp_path}: 2 recordings left out",)
    (tmp_path / "a.txt").unlink()
    with pytest.raises(InputError, match="sound"):
        read_items(tmp_path)


def test_a_folder_of_folders_is_told_with_a_pattern(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    written(tmp_path / "1" / "a.txt", "the cat\n")
    with pytest.raises(InputError, match=r"no file to read, only folders: .* as '.*/\*/\*'"):
        read_items(tmp_path)
    assert [item.id for item in read_items(f"{tmp_path}/*/*").items] == ["a"]


def test_a_folder_of_notes_alone_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "README.md", "these are words\n")
    with pytest.raises(InputError, match="looks like a Markdown"):
        read_items(tmp_path)


# What is refused, the command that the refusal gives, and the texts that it writes.
SCORES = r"sed -E 's/[[:space:]]+-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?([[:space:]]|$)/\2/g'"
SCORES_IN_BRACKETS = r"sed -E 's/[[:space:]]*[[(]-?[0-9]*\.[0-9]+s?[])]//g'"
ADVICE = [
    ("S-1\tx\nH-1\t-0.3\ta dog\nS-0\ty\nH-0\t-0.5\tthe cat\n", "grep '^H-' FILE | sort -V | cut -f3"),
    ("0\nthe cat\n\n1\na dog\n", "awk 'NF && ++n % 2 == 0' FILE"),
    ("# [x]\nid,text\n1,the cat\n2,a dog\n", "tail -n +2 FILE"),
    ("the cat\n0:01\na dog\n0:02\n", "awk 'NF && ++n % 2 == 1' FILE"),
    ("the |0-0| cat |1-2|\na |0-0| dog |1-1,wa=0-0 1-1 ,total=-1.5|\n", r"sed -E 's/ ?\|[0-9]+-[0-9]+[^|]*\|//g'"),
    ("the|DT cat|NN\na|DT dog|NN\n", r"sed -E 's/\|[^ ]*//g'"),
    ("the/DT cat/NN\na/DT dog/NN\n", r"sed -E 's/[/][^ /]*( |$)/\1/g'"),
    ("the_DT cat_NN\na_DT dog_NN\n", r"sed -E 's/_[^ _]*( |$)/\1/g'"),
    ("the cat -7716\na dog -7800\n", "sed -E 's/ -[0-9]+$//'"),
    ("\x1b[31mthe\x1b[0m cat\n\x1b[32ma\x1b[m dog\n", r"sed 's/\x1b\[[0-9;]*m//g'"),
    ("<|en|>the cat<|endoftext|>\n<|en|>a dog\n", r"sed -E 's/<\|[^|]*\|>//g'"),
    ("<00:00.50> the cat\n<00:00.50> a dog\n", r"sed -E 's/<[0-9:.,]+>|<\/?c[^<>]*>//g'"),
    ("the(0.91) cat(0.82)\na(1.0) dog(0.5)\n", SCORES_IN_BRACKETS),
    ("the [0.0s] cat [0.4s]\na [0.1s] dog [0.9s]\n", SCORES_IN_BRACKETS),
    ("u1 the [0.41] cat [-.82]\nu2 a [0.5] dog [1.0]\n", SCORES_IN_BRACKETS),
    ("u1 the 0.91 cat 0.55\nu2 a 0.88 dog 0.97\n", SCORES),
    ("the -4.2100 cat -0.33e-05\na 1.0 dog -12.0\n", SCORES),
    ("the 0.91 cat 0.55\na 0.88 dog 0.97\n", SCORES),
    ("1. the cat\n2. a dog\n", r"sed -E 's/^[^0-9]*([0-9]+)[.):] */\1\t/' FILE"),
    ("Text 1: the cat\nText 2: a dog\n", r"sed -E 's/^[^0-9]*([0-9]+)[.):] */\1\t/' FILE"),
    ("al: the cat\nbo: a dog\n", r"sed -E 's/^ *([^ ]+) *[:] +/\1\t/' FILE"),
    ("al : the cat\nbo : a dog\n", r"sed -E 's/^ *([^ ]+) *[:] +/\1\t/' FILE"),
    ("al -> the cat\nbo -> a dog\n", r"sed -E 's/^ *([^ ]+) *-> +/\1\t/' FILE"),
    ("al | the cat\nbo | a dog\n", r"sed -E 's/^ *([^ ]+) *[|] +/\1\t/' FILE"),
    ("the cat [u1]\na dog [u2]\n", r"sed -E 's/^(.*) [[<{]([^ ]+)[]>}] *$/\2\t\1/' FILE"),
    ("H-0\t-0.5\tth@@ e cat\nD-0\t-0.5\tthe cat\n", "grep '^D-' FILE | sort -V | cut -f3"),
    ("D-1\t-0.5\ta dog\nD-0\t-0.5\tthe cat\n", "grep '^D-' FILE | sort -V | cut -f3"),
    ("hypothesis: the cat\nhypothesis: a dog\n".replace("\nhypothesis: a dog", ""), "cut -d: -f2- FILE"),
    ("(12:30) the cat\n(09:00) a dog\n", "sed 's/^[[(][^])]*[])] *//' FILE"),
    ('["the cat", "a dog"]\n', "jq -r '.[]'"),
    ('[["u-1", "the cat"],\n ["u-2", "a dog"]]\n', """jq -r '.[] | join("\\t")'"""),
    ("-23.5 the cat\n-3.25 a dog\n", r"sed -E 's/^\s*\S+\s+//' FILE"),
    ("the cat -23.5\na dog -3.25\n", r"sed -E 's/\s+\S+\s*$//' FILE"),
    ("-1.5 the cat 0.125\n-3.25 a dog 0.250\n", r"sed -E 's/^\s*\S+\s+//; s/\s+\S+\s*$//' FILE"),
    ('{"predictions": ["the cat", "a dog"]}\n', "jq -r '.predictions[]'"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "command"), ADVICE, ids=[command for _, command in ADVICE])
def test_advice_that_is_followed_leads_to_the_texts(content: str, command: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        recognise(Source("h.txt", content.encode()), ReadOptions())
    assert command in str(caught.value)
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not here")
    given = written(tmp_path / "h.txt", content)
    run = command.replace("FILE", str(given)) if "FILE" in command else f"{command} {given}"
    made = subprocess.run(run, shell=True, capture_output=True, check=True, text=True).stdout
    found = [
        item.text.strip() for item in read_items(Source("made", made.encode())).items if item.text is not None
    ]
    assert found == ["the cat", "a dog"][: len(found)]
    assert len(found) == content.count("\n") or "[" in content or "-0\t" in content or "awk" in command


GOOGLE = '.results[] | select(.type != "punctuation") | .alternatives[0] | .transcript // .content // empty'
# What services write of a recording.
PARTS = [{"alternatives": [{"transcript": part}]} for part in ("the cat", "a dog")]
WORDS = ("the", "cat", "a", "dog")
SERVICES: list[tuple[dict[str, Any], str]] = [
    ({"results": {"transcripts": [{"transcript": "the cat a dog"}]}}, ".results.transcripts[].transcript"),
    (
        {"results": {"channels": [{"alternatives": [{"transcript": "the cat a dog"}]}]}},
        ".results.channels[].alternatives[0].transcript // empty",
    ),
    # Two who speak in turn, a channel each.
    (
        {
            "results": {
                "channels": [
                    {
                        "alternatives": [
                            {
                                "transcript": "the a",
                                "words": [{"word": "the", "start": 0}, {"word": "a", "start": 2.5}],
                            }
                        ]
                    },
                    {
                        "alternatives": [
                            {
                                "words": [
                                    {"word": "cat", "start": 1},
                                    {"word": "g", "punctuated_word": "dog", "start": 3},
                                ]
                            }
                        ]
                    },
                ]
            }
        },
        "[.results.channels[].alternatives[0].words[]] | sort_by(.start)[] | .punctuated_word // .word",
    ),
    (
        {
            "combinedRecognizedPhrases": [{"lexical": "the a"}, {"lexical": "cat dog"}],
            "recognizedPhrases": [
                {"offsetInTicks": ticks, "nBest": [{"lexical": word}]}
                for word, ticks in zip(("the", "a", "cat", "dog"), (1, 30, 2, 100), strict=True)
            ],
        },
        ".recognizedPhrases | sort_by(.offsetInTicks)[] | .nBest[0].lexical // empty",
    ),
    ({"combinedPhrases": [{"text": "the cat a dog"}], "phrases": []}, ".combinedPhrases[].text // empty"),
    (
        {
            "combinedPhrases": [{"channel": 0, "text": "a dog"}, {"channel": 1, "text": "the cat"}],
            "phrases": [
                {"offsetMilliseconds": 9, "text": "a dog"},
                {"offsetMilliseconds": 1, "text": "the cat"},
            ],
        },
        ".phrases | sort_by(.offsetMilliseconds)[] | .text // empty",
    ),
    ({"results": PARTS}, GOOGLE),
    ({"results": [PARTS[0], {"channelTag": 2, "resultEndTime": "3s"}, PARTS[1]]}, GOOGLE),
    (
        {"results": [{"alternatives": [{"content": word}]} for word in WORDS]},
        GOOGLE,
    ),
    (
        {"combinedRecognizedPhrases": [{"lexical": "the cat a dog"}]},
        ".combinedRecognizedPhrases[].lexical // empty",
    ),
    ({"NBest": [{"Lexical": "the cat a dog"}, {"Lexical": "a dog"}]}, ".NBest[0].Lexical // empty"),
    (
        {"monologues": [{"elements": [{"type": "text", "value": word} for word in WORDS]}]},
        '.monologues[].elements[] | select(.type == "text") | .value',
    ),
]


@pytest.mark.parametrize(("document", "command"), SERVICES)
def test_transcripts_of_services_are_refused_with_what_writes_their_words(
    document: dict[str, Any], command: str, tmp_path: Path
) -> None:
    given = written(tmp_path / "h.json", json.dumps({**document, "status": "done"}))
    with pytest.raises(InputError) as caught:
        recognise(Source.open(given), ReadOptions())
    run = f"jq -r '{command}' FILE | paste -sd ' '"
    assert run in str(caught.value)
    if shutil.which("jq") is None:
        pytest.skip("jq is not here")
    run = run.replace("FILE", str(given))
    assert subprocess.run(run, shell=True, capture_output=True, check=True, text=True).stdout.split() == list(
        WORDS
    )
