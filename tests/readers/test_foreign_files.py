"""Files that are no text of sentences are refused by name; text that looks a little like them is not."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from command import HYTER, ORACLE, fstmetrics, written

from fstmetrics.readers import ReadOptions, Source, read_items
from fstmetrics.readers.recognise import recognise
from fstmetrics.support.errors import InputError

NEMO = (
    '{"audio_filepath": "a.wav", "duration": 1.5, "text": "the cat sat", "pred_text": "the cat"}\n'
    '{"audio_filepath": "b.wav", "duration": 0.5, "text": "a dog", "pred_text": "a dog"}\n'
)


def zipped(name: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "the cat")
    return packed.getvalue()


def tarred() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("ref.txt"), io.BytesIO())
    return packed.getvalue()


# What a user may hand over for text: layouts of NeMo, Lhotse, icefall, Hugging Face, WMT, Praat, NIST, Kaldi, YouTube.
FOREIGN: list[tuple[str, str | bytes, str]] = [
    ("manifest.jsonl", NEMO, "a NeMo manifest (JSON Lines): .* jq -r .text and jq -r .pred_text"),
    ("ref.txt", NEMO, "a NeMo manifest (JSON Lines)"),
    ("ref.txt", "\ufeff" + NEMO, "a NeMo manifest (JSON Lines)"),
    ("ref.txt", NEMO.splitlines()[0], "a NeMo manifest (JSON)"),
    ("ref.txt", "\n\n" + NEMO[: len(NEMO) - 40], "a NeMo manifest (JSON Lines)"),
    ("cuts.jsonl", '{"id": "c1", "recording_id": "r", "duration": 2, "text": "a b"}\n' * 2, "a Lhotse manifest"),
    ("hyp.jsonl", '{"id": 1, "prediction": "a b"}\n' * 3, "a JSON Lines file: .* jq -r .prediction writes"),
    ("hyp.txt", "utt-1: the cat\nutt-2: a dog\n", "a list of texts with ':' behind their first words"),
    ("hyp.txt", "utt-1, the cat\nutt-2, a dog\n", "a list of texts with ','"),
    ("hyp.txt", "anna | the cat\nbert | a dog\n", "a list of texts with '|'"),
    ("hyp.txt", "the cat ||| -1.0\na dog ||| -2.0\n", "a table of bar-separated columns"),
    ("hyp.txt", "-1.0\tthe cat\n-2.5\ta dog\n", "a table of tab-separated columns"),
    ("hyp.csv", "anna,the cat sat\nbert,a dog\ncarl,it is\n", "a table of comma-separated columns"),
    ("ref.txt", "a b (u1)\nc d (u1)\n", "a sclite trn file with ids that come twice"),
    ("ref.txt", "a b (u1)\nc d (u2)\ne f\n", "a sclite trn file with lines without an id"),
    ("hyp.txt", 'utt1 {"text": "a b"}\nutt2 {"text": "c"}\n', "a JSON Lines file"),
    ("hyp.txt", '{"session_id": "m", "words": "a b"}\n' * 2, "a file of SegLST segments, one a line: .* jq -s"),
    ("hyp.txt", '{"id": "u", "metric": "wer", "score": 0.5, "edits": 1}\n', "a file of records of fstmetrics"),
    ("hyp.txt", '[{"text": "a b"}, {"text": "c"}]', "a JSON file: .* jq -r '.\\[\\].text' writes"),
    ("hyp.txt", '[\n {\n  "text": "a b"\n },\n {\n  "text": "c"\n }\n]\n', "a JSON file"),
    ("hyp.txt", '{\n "text": "a b",\n "segments": []\n}\n', "a JSON file"),
    ("hyp.txt", '["the", "cat"]\n["a", "dog"]\n', "a file of JSON lists"),
    ("hyp.txt", "['the', 'cat']\n['a', \"dog's\"]\n", "a file of Python lists"),
    ("hyp.txt", "utt1 ['the', 'cat']\nutt2 ['a']\n", "a file of Python lists"),
    ("hyp.txt", "{'text': 'the cat'}\n", "a file of Python lists"),
    ("recogs-test.txt", "u1:\tref=['a', 'b']\nu1:\thyp=['a']\n", "an icefall recogs file"),
    ("errs-test.txt", "%WER = 12.5\nErrors: 1 insertions, 0 deletions\n", "an icefall errs file"),
    ("wer_10", "compute-wer --text ark:a\n%WER 5.00 [ 1 / 20, 0 ins ]\n", "a file of error rates"),
    ("per_utt", "u1 ref a b\nu1 hyp a c\nu1 op C S\nu1 #csid 1 1 0 0\n", "a file of results"),
    ("hyp.pra", "SENTENCES\n\nid: (u1)\nScores: (#C #S #D #I) 1 0 0 0\n", "a file of results"),
    ("t.csv", "path,sentence\na.wav,the cat sat\nb.wav,a dog\n", "a table of comma-separated .* path, sentence"),
    ("t.csv", 'id,text\n1,"the cat, it sat"\n2,"a dog, too"\n', "a table of comma-separated .* the column text"),
    ("t.csv", '"id","text"\n"1","the cat"\n', "a table of comma-separated"),
    ("t.csv", "id,text\n", "a table of comma-separated"),
    ("t.csv", "a,b,c\n1,2,3\n4,5,6\n7,8,9\n", "a table of comma-separated columns with the head a, b, c"),
    ("t.csv", "id;text\n1;the cat\n", "a table of semicolon-separated"),
    ("t.tsv", "id\ttext\nutt1\tthe cat\nutt2\ta dog\n", "a table of tab-separated columns with the head id, text"),
    ("t.tsv", "the cat\tdie Katze\na dog\tein Hund\n", "a table of tab-separated columns: "),
    ("t.tsv", "u1\ta.wav\tthe cat\nu2\tb.wav\ta dog\n", "a table of tab-separated columns: "),
    ("metadata.csv", "LJ001-0001|Printing, in|Printing, in\nLJ001-0002|in|in\n", "a table of bar-separated columns: "),
    ("t.csv", "utt1,the cat sat\nutt2,a dog\n", "a table of comma-separated columns: "),
    ("s.srt", "1\n00:00:01,000 --> 00:00:02,500\nthe cat\n\n2\n", "a subtitle file (SubRip"),
    ("s.txt", "\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\nthe cat\r\n", "a subtitle file (SubRip"),
    ("s.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nthe cat\n", "a subtitle file (WebVTT"),
    ("s.sbv", "0:00:00.599,0:00:04.160\nthe cat\n", "a subtitle file (SBV"),
    ("s.ass", "[Script Info]\nTitle: x\n", "a subtitle file (ASS"),
    ("a.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n', "a Praat TextGrid"),
    ("a.TextGrid", 'File type = "ooTextFile"\nObject class = "TextGrid"\n'.encode("utf-16"), "a Praat TextGrid"),
    ("a.rttm", "SPEAKER f 1 0.00 1.20 <NA> <NA> s1 <NA> <NA>\n", "an RTTM file"),
    ("a.sgm", '<srcset setid="x" srclang="any">\n<doc docid="1">\n', "an HTML, XML or SGML file"),
    ("a.sgm", '<refset trglang="en">\n', "an HTML, XML or SGML file"),
    ("a.txt", '<seg id="1">the cat</seg>\n<seg id="2">a dog</seg>\n', "an HTML, XML or SGML file"),
    ("a.xml", '<?xml version="1.0"?>\n<dataset>\n', "an HTML, XML or SGML file"),
    ("a.txt", "<!DOCTYPE html>\n<html>\n", "an HTML, XML or SGML file"),
    ("a.txt", '<doc id="a" lang="en">\n<p>\n', "an HTML, XML or SGML file"),
    ("wav.scp", "u1 /data/a.wav\nu2 /data/b.wav\n", "a list of recordings"),
    ("a.txt", "u1 sph2pipe -f wav a.sph |\nu2 sph2pipe -f wav b.sph |\n", "a list of recordings"),
    ("segments", "u1 rec1 0.00 1.50\nu2 rec1 1.50 3.20\n", "a list of segments"),
    ("utt2dur", "u1 1.50\nu2 3.20\n", "a list of numbers"),
    ("utt2spk", "s1-u1 s1\ns1-u2 s1\n", "a list of utterances' speakers"),
    ("spk2utt", "s1 s1-u1 s1-u2\ns2 s2-u1\n", "a list of speakers' utterances"),
    ("words.txt", "<eps> 0\na 1\nthe 2\n", "a symbol table"),
    ("a.rtf", "{\\rtf1\\ansi the cat}\n", "an RTF document"),
    ("a.txt", bz2.compress(b"the cat\n"), "a bzip2 file: bunzip2 it first"),
    ("a.txt", lzma.compress(b"the cat\n"), "an xz file: unxz it first"),
    ("a.txt", b"\x28\xb5\x2f\xfd\x04\x00", "a zstd file"),
    ("a.txt.gz", gzip.compress(gzip.compress(b"the cat\n")), "a file that is gzipped twice"),
    ("a.txt", zipped("ref.txt"), "a zip archive"),
    ("a.docx", zipped("word/document.xml"), "a Word or Excel document"),
    ("a.txt", tarred(), "a tar archive"),
    ("a.txt", b"PAR1\x15\x04\x15\x00", "a Parquet table"),
    ("a.txt", b"%PDF-1.5\n%\xd0\xd4\n", "a PDF document"),
    ("a.txt", b"RIFF\x24\x00\x00\x00WAVEfmt ", "a sound file"),
    ("a.txt", b"\x93NUMPY\x01\x00", "a NumPy array"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "called"), FOREIGN, ids=[each[2][:40] for each in FOREIGN])
def test_files_of_other_kinds_are_refused_by_name(name: str, content: str | bytes, called: str) -> None:
    data = content.encode() if isinstance(content, str) else content
    if name.endswith(".gz"):
        data = gzip.decompress(data)
    called = called.replace("(", r"\(").replace(")", r"\)")
    for given in (name, "-"):
        if given == "-" and ".scp" in name:
            continue
        with pytest.raises(InputError, match=f"^{given}: looks like {called}"):
            recognise(Source(given, data), ReadOptions())


PLAIN = [
    "well , yes , it is\nno , it is not\nhm , perhaps\n",
    "Yes,no\n",
    "Hello, world\nGood bye, moon\nSo it is, friend\nThat, too\nAnd, this\n",
    "{ a / b / @ } cat\n{ uh / @ } dog\n",
    "{a|b|} cat\n[a|b] dog\n",
    "[noise] the cat\n[laughter]\n[1]\n",
    "{}\n[]\n",
    "<s> the cat </s>\n<unk> dog\n<noise>\n",
    "<p> the cat\n<b>a</b> dog\n",
    '<a href="x">the cat</a> sat\na dog\n',
    '"the cat sat"\n"a dog"\n',
    "\"'the' cat\", he said.\n",
    "1 . the cat\n2 . a dog\n",
    "12:30 is noon , 00:00 is midnight\n",
    "2,000 people came\n1,500 went\n",
    "path , sentence\na , b\n",
    "id text\n1 the\n",
    "the file is a.wav\nand the next one is not\n",
    "WEBVTTX is a word\n",
    "SPEAKER is a word\n",
    "a b\n",
    "utt1 utt\n",
    "PAR1 is a word\n",
    "RIFF raff\n",
    "BZh is no word\n",
    "|||| bars | here\nno bars\n",
    "今天，天气\n很好，是\n",
    "a , b | c ; d\te\nf\n",
]


@pytest.mark.parametrize("text", PLAIN)
def test_text_that_looks_a_little_like_them_goes_through(text: str) -> None:
    assert recognise(Source("a.txt", text.encode()), ReadOptions()).name in ("plain", "kaldi-text")
    assert len(read_items(Source("a.txt", text.encode()), format="plain").items) == text.count("\n")


def test_ids_and_one_tab_are_text_with_ids() -> None:
    assert read_items(Source("a.tsv", b"utt1\tthe cat\nutt2\ta dog\n")).formats == ("kaldi-text",)


# What is no text in these sets: tables, results, lists, symbols, one file of segments in SGML.
NO_TEXTS = (
    r".*(\.tsv|\.json|\.pra|\.wav|\.dtl|\.glm|\.seg\.score|example\.test\.in)(\.gz)?|wer_\d+|words\.txt"
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
@pytest.mark.parametrize(
    ("name", "content"), [("m.jsonl", NEMO), ("t.csv", "path,text\na.wav,b c\nb.wav,d\n")]
)
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
        kind = "a NeMo manifest" if content is NEMO else "a table of comma-separated columns"
        assert f"{given}: looks like {kind}" in outcome.err
    assert not (tmp_path / "out").exists()


def test_who_asks_for_plain_text_gets_it_with_a_remark(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", NEMO), written(tmp_path / "h", NEMO)
    outcome = fstmetrics("score", ref, hyp, "--format", "plain", "--ref-format", "plain")
    assert outcome.status == 0
    for path in (ref, hyp):
        said = f"{path} looks like a NeMo manifest (JSON Lines), and is read as plain, as was asked for\n"
        assert said in outcome.out


def test_the_message_names_the_side_s_option(tmp_path: Path) -> None:
    text, table = written(tmp_path / "r", "a b\n"), written(tmp_path / "t", "id,text\n1,a b\n")
    assert "if it is text all the same, --format plain\n" in fstmetrics("score", text, table).err
    assert "if it is text all the same, --ref-format plain\n" in fstmetrics("score", table, text).err


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
    for name in ("manifest.jsonl", "utt2spk", "a.srt"):
        content = next(content for given, content, _ in FOREIGN if given in (name, "s.srt"))
        written(tmp_path / name, content)
    written(tmp_path / "u1.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    assert [item.id for item in read_items(tmp_path).items] == ["u1"]


@pytest.mark.parametrize("content", ['{"root": "S", "cards": {}}', '{\n "root": "S",\n "cards": {}\n}\n'])
def test_an_object_that_is_called_like_a_network_is_told_what_it_lacks(content: str, tmp_path: Path) -> None:
    hyp = written(tmp_path / "h", "a\n")
    outcome = fstmetrics("hyter", written(tmp_path / "n.json", content), hyp)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert (
        '"format" is None, expected "fstmetrics-network/1"; read as network because of its name'
        in outcome.err
    )
    manifest = written(tmp_path / "m.json", NEMO)
    assert "looks like a NeMo manifest" in fstmetrics("hyter", manifest, hyp).err
