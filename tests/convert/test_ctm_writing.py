"""ctm, written: from ctm as it was, from lattices the best path with its times; sclite reads it and counts the same."""

from __future__ import annotations

import gzip
import json
import math
import re
import subprocess
import wave
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written
from conversions import SAID, read
from conversions import written as content
from hypothesis import given, settings
from hypothesis import strategies as st
from other_programs import client, program

import fstmetrics as fm
from fstmetrics.data.segments import TimedChoice, TimedWord, TimedWords
from fstmetrics.data.times import Durations, Times
from fstmetrics.io import Item

CTM = (
    "f A 0.05 0.24 THEY 0.9\nf A * * <ALT_BEGIN>\nf A 1.00 0.20 UH 1\nf A * * <ALT>\nf A 1.00 0.125 @\n"
    "f A * * <ALT_END>\ng B 11.24 0.00 A\\;S;tag1\n"
)


def test_words_keep_their_times_and_confidences(tmp_path: Path) -> None:
    source = written(tmp_path / "a.ctm", f";; made by hand\n\n{CTM}")
    assert fstmetrics("convert", source, tmp_path / "b.ctm").err == ""
    assert (tmp_path / "b.ctm").read_text() == CTM
    outcome = fstmetrics("convert", source, "-", "--to", "trn")
    assert (outcome.status, "would lose times, confidences; --lossy" in outcome.err) == (2, True)
    for lossy in ((), ("--lossy",)):  # which is not advised where it does not help
        outcome = fstmetrics("convert", source, "-", "--to", "stm", *lossy)
        assert (outcome.status, "stm has a speaker of each segment" in outcome.err) == (2, True)


TIMES = st.floats(0, 1e6) | st.sampled_from([1e-9, 0.1, 1e16, 0.0])
WORDS = st.builds(
    TimedWord,
    SAID.map(lambda word: "x" + re.sub(r"[\\{}/]", "", word)),
    TIMES,
    TIMES,
    st.sampled_from(["", "1", "0.25"]),
)
TEXTS = WORDS | st.lists(st.lists(WORDS, max_size=2).map(tuple), min_size=1, max_size=3).map(tuple).map(
    TimedChoice
)


def in_time(
    texts: Iterable[TimedWord | TimedChoice], begin: float = 0.0
) -> Iterator[TimedWord | TimedChoice]:
    """The same, each word so much later than the one before as it began before."""
    for text in texts:
        if isinstance(text, TimedChoice):
            alternatives = [tuple(in_time(words, begin)) for words in text.alternatives]
            begin = min((words[0].begin for words in alternatives if words), default=begin)
            yield TimedChoice(tuple(alternatives))
        else:
            begin += text.begin
            yield replace(text, begin=begin)


@given(texts=st.lists(TEXTS, min_size=1, max_size=4).map(tuple))
@settings(max_examples=100, deadline=None)
def test_channels_come_back(texts: tuple, tmp_path_factory: pytest.TempPathFactory) -> None:
    channels = [TimedWords("f", channel, tuple(in_time(texts))) for channel in "AB"]
    items = [Item(f"f_{channel.channel}", channel) for channel in channels]
    assert read("ctm", content("ctm", items), tmp_path_factory.getbasetemp()) == items


ODD = st.sampled_from(["<ALT>", "<alt_begin>", "<eps>x", "*"])


@given(words=st.lists(SAID | ODD, min_size=1, max_size=4), data=st.data())
@settings(max_examples=150, deadline=None)
def test_words_of_a_lattice_come_back(
    words: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever they are, with the times of the states between which they stand."""
    hundredths = data.draw(st.lists(st.integers(0, 300), min_size=len(words) + 1, max_size=len(words) + 1))
    of_state = np.cumsum(hundredths) / 100
    lattice = fm.Lattice.from_arcs([(i, i + 1, w) for i, w in enumerate(words)], finals=[len(words)], id="u")
    lattice = fm.Lattice(lattice.automaton, lattice.symbols, id="u", times=Times(of_state, "seconds"))
    data_written = content("ctm", [Item("u", lattice)])
    (item,) = read("ctm", data_written, tmp_path_factory.getbasetemp())
    assert item.value.transcript().words == tuple(words)
    assert (item.value.file, item.value.channel) == ("u", "1")
    for text, begin, end in zip(item.value.texts, of_state[:-1], of_state[1:], strict=True):
        assert (text.begin, text.duration) == pytest.approx((begin, end - begin), abs=1e-9)
        assert len(data_written.splitlines()) == len(words)


SLF = (
    "VERSION=1.0\nN=4 L=4\nI=0 t=0.0\nI=1 t=0.5\nI=2 t=0.75\nI=3 t=1.5\n"
    "J=0 S=0 E=1 W=<s> a=-1\nJ=1 S=1 E=2 W=one a=-1\nJ=2 S=1 E=2 W=won a=-9\nJ=3 S=2 E=3 W=two a=-1\n"
)


def test_the_best_path_of_a_lattice_has_the_times_of_its_states(tmp_path: Path) -> None:
    source, out = written(tmp_path / "u1.slf", SLF), tmp_path / "a.ctm"
    outcome = fstmetrics("convert", source, out)
    assert outcome.status == 2
    assert "writing ctm would lose all paths but the best, costs, sentence markers; --lossy" in outcome.err
    outcome = fstmetrics("convert", source, out, "--lossy")
    assert [line.partition(" (")[0] for line in outcome.err.splitlines()] == [
        "written without all paths but the best", "written without costs", "written without sentence markers",
    ]  # fmt: skip
    assert out.read_text() == "u1 1 0.50 0.25 one\nu1 1 0.75 0.75 two\n"
    assert fstmetrics("convert", source, "-", "--to", "ctm", "--lossy", "--scale", "acoustic=-1").out == (
        "u1 1 0.50 0.25 won\nu1 1 0.75 0.75 two\n"
    )


KALDI = (
    "u1\n0 1 a 0,0,1_1_1\n0 2 b 0,9,1_1\n1 3 <eps> 0,0,2\n2 3 c 0,0,5_5_5_5_5\n3 4 d 0,0,3_3\n4 0,0,4_4\n\n"
)


def test_words_of_kaldi_begin_after_the_frames_before_them(tmp_path: Path) -> None:
    """Those on the path itself, though another is longer; silence moves what follows."""
    source, out = written(tmp_path / "a.ark.txt", KALDI), tmp_path / "a.ctm"
    outcome = fstmetrics("convert", source, out, "--lossy")
    assert (outcome.status, "and here they are in frames; --frame-length 0.01 says" in outcome.err) == (
        2,
        True,
    )
    assert fstmetrics("convert", source, out, "--lossy", "--frame-length", 0.03).status == 0
    assert out.read_text() == "u1 1 0.00 0.09 a\nu1 1 0.12 0.06 d\n"


def timed(arcs: list[tuple[int, int, str]], times: Times | Durations | None) -> Item:
    lattice = fm.Lattice.from_arcs(arcs, finals=[arcs[-1][1]], id="u")
    return Item("u", fm.Lattice(lattice.automaton, lattice.symbols, id="u", times=times))


NO_TIMES = (
    "ctm holds words with the times at which they were said, and here are none; trn holds words without"
)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (Item("u", ("a",)), NO_TIMES),
        (Item("u", fm.Transcript.parse("{ a / b }", "sclite")), NO_TIMES),
        (Item("u", fm.NBest("u", (("a",),), ("a",))), NO_TIMES),
        (Item("u", fm.Network([fm.Card.from_phrases("S", ["a"])], "S")), NO_TIMES),
        (timed([(0, 1, "a")], None), NO_TIMES),
        (timed([(0, 1, "a")], Times(np.array([math.nan, math.nan]), "seconds")), NO_TIMES),
        (timed([(0, 1, "a")], Durations(np.array([0]), "frames")), NO_TIMES),
        (timed([(0, 1, "a")], Times(np.array([0.0, math.nan]), "seconds")), "'a' is with a beginning or an end"),
        (timed([(0, 1, "a")], Times(np.array([2.0, 1.5]), "seconds")), "'a' is between 2 and 1.5 seconds"),
        (timed([(0, 1, "")], Times(np.array([0.0, 1.5]), "seconds")), "writing ctm would lose items without words;"),
    ],
)  # fmt: skip
def test_what_has_no_times_is_refused(item: Item, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        content("ctm", [item])
    if "lose" not in message:
        with pytest.raises(fm.FstmetricsError, match=message):
            content("ctm", [item], lossy=True)


def test_a_name_that_would_begin_a_comment_is_refused() -> None:
    item = timed([(0, 1, "a")], Times(np.array([0.0, 1.5]), "seconds"))
    with pytest.raises(fm.FstmetricsError, match=";;u' begins with ;;, which begins a comment"):
        content("ctm", [Item(";;u", item.value)])


# --- sclite -----------------------------------------------------------------------------------------------


def sclite(stm: Path, ctm: Path) -> list[int]:
    """Words of the reference, right ones, substitutions, deletions, insertions."""
    command = [*program("sclite", "sctk"), "-r", stm, "stm", "-h", ctm, "ctm", "-o", "rsum", "stdout"]
    out = subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")
    (row,) = [line for line in out.splitlines() if re.match(r"\s*\|\s*Sum\s", line)]
    return [int(field) for field in re.findall(r"\d+", row)][1:6]


def ours(stm: Path, ctm: Path) -> list[int]:
    found = fstmetrics("score", stm, ctm, "--metric", "sclite", "--lowercase", "--json").summary
    return [found[n] for n in ("path_length", "matches", "substitutions", "deletions", "insertions")]


def test_sclite_counts_the_same_of_pocketsphinx(shared: Path, tmp_path: Path) -> None:
    """The best paths of its SLF: counts as ours, and as of the same words in trn."""
    folder, lattices = shared / "asr-pocketsphinx", tmp_path / "slf"
    lattices.mkdir()
    for path in folder.glob("*.slf.gz"):
        (lattices / path.name).write_bytes(path.read_bytes())
    # A segment an utterance, longer than any; sclite wants both files in one order.
    said = sorted(line.split(" ", 1) for line in (folder / "ref.txt").read_text().splitlines())
    stm = written(tmp_path / "ref.stm", "".join(f"{id} 1 spk 0.00 1000.00 {text}\n" for id, text in said))
    ctm, trn = tmp_path / "hyp.ctm", tmp_path / "hyp.trn"
    for to in (ctm, trn):
        assert fstmetrics("convert", lattices, to, "--lossy").status == 0
    assert sclite(stm, ctm) == ours(stm, ctm) == ours(folder / "ref.txt", trn)


def test_both_lattices_of_pocketsphinx_have_words_at_the_same_times(shared: Path, tmp_path: Path) -> None:
    """As its own best hypothesis would have them: each word begins where the one before it ends."""
    for path in sorted((shared / "asr-pocketsphinx").glob("holmes*.lat.gz"))[:5]:
        plain = tmp_path / path.name.removesuffix(".gz")
        plain.write_bytes(gzip.decompress(path.read_bytes()))
        slf = path.with_name(f"{plain.stem}.slf.gz")
        options = ("-", "--to", "ctm", "--lossy", "--frame-length", 0.01)
        one, other = (fstmetrics("convert", source, *options).out.splitlines() for source in (plain, slf))
        assert [line.split()[4] for line in one] == [line.split()[4] for line in other]
        assert [line.split()[2:4] for line in one] == [line.split()[2:4] for line in other]


def test_words_are_said_when_the_decoder_says(shared: Path, tmp_path: Path) -> None:
    """Without a language model the best path is another one than the decoder's, but has many of its words."""
    decoder = client("pocketsphinx").Decoder(loglevel="FATAL", samprate=16000)
    both = 0
    for path in sorted((shared / "asr-pocketsphinx" / "wav").glob("*.wav"))[:2]:
        with wave.open(str(path)) as sound:
            samples = sound.readframes(sound.getnframes())
        decoder.start_utt()
        decoder.process_raw(samples, full_utt=True)
        decoder.end_utt()
        # The last frame is part of the word.
        own = {(re.sub(r"\(\d+\)$", "", s.word), s.start_frame, s.end_frame + 1) for s in decoder.seg()}
        decoder.get_lattice().write_htk(str(tmp_path / "u.slf"))
        out = fstmetrics("convert", tmp_path / "u.slf", "-", "--to", "ctm", "--lossy").out
        for _, _, begin, duration, word in map(str.split, out.splitlines()):
            ends = (float(begin), float(begin) + float(duration))
            both += (word, *(round(100 * end) for end in ends)) in own
    assert both >= 8


@pytest.mark.parametrize(("stm", "ctm"), [("lvc_ref", "lvc_hyp"), ("lvc_refe", "lvc_hyp"), ("mand_ref", "mand_hyp"),
                                          ("test.cantonese", "test.cantonese")])  # fmt: skip
def test_sclites_own_files_count_the_same_when_written_again(
    stm: str, ctm: str, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "expected-sclite"
    source, out = folder / f"{ctm}.ctm", tmp_path / "out.ctm"
    outcome = fstmetrics("convert", source, out)
    if ctm == "mand_hyp":  # GB, which is not read
        assert (outcome.status, "not UTF-8" in outcome.err) == (2, True)
        return
    assert (outcome.status, outcome.err) == (0, "")
    assert sclite(folder / f"{stm}.stm", out) == sclite(folder / f"{stm}.stm", source)


def test_words_of_whisper_and_vosk_have_their_times(tmp_path: Path) -> None:
    """Times of segments are none of words; confidences are kept."""
    words = [{"word": "a", "start": 0, "end": 1, "conf": 0.5}, {"word": "b", "start": 1, "end": 2.5}]
    vosk = written(tmp_path / "u1.json", json.dumps({"result": words, "text": "a b"}))
    assert fstmetrics("convert", vosk, tmp_path / "o.ctm").status == 0
    assert (tmp_path / "o.ctm").read_text() == "u1 1 0.00 1.00 a 0.5\nu1 1 1.00 1.50 b\n"
    segment = {"segments": [{"start": 0, "end": 3, "text": " a b"}], "text": " a b"}
    whisper = written(tmp_path / "u2.json", json.dumps(segment))
    refused = fstmetrics("convert", whisper, "-", "--to", "ctm")
    assert (refused.status, "and here not every word has its own; trn" in refused.err) == (2, True)


def in_pieces(text: str, *pieces: str, step: float = 0.2) -> str:
    """JSON as Whisper writes it, of pieces of a text, with times of one digit."""
    words = [
        {"word": piece, "start": round(n * step, 1), "end": round((n + 1) * step, 1)}
        for n, piece in enumerate(pieces)
    ]
    return json.dumps({"text": text, "segments": [{"start": 0, "end": 9, "text": text, "words": words}]})


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (["\u4eca\u5929", "\u5929", "\u6c14"], True),  # Chinese
        ([" ok", " \u4eca\u5929", "\u5929"], True),
        (["\u0e27\u0e31\u0e19", "\u0e19\u0e35\u0e49"], True),  # Thai
        (
            [" A", " well", "-known", " 5", ",000"],
            False,
        ),  # each a word, or a part of one that is written whole
        ([" \u4eca\u5929", " \u5929"], False),  # spaces in the text
    ],
)
def test_words_that_no_spaces_part_are_remarked_on(pieces: list[str], told: bool, tmp_path: Path) -> None:
    hyp = written(tmp_path / "u1.json", in_pieces("".join(pieces), *pieces))
    done = fstmetrics("convert", hyp, tmp_path / "o.ctm")
    remark = "ctm has a word for each piece of a text without spaces (1 of 1 item): score it with --unit char-no-space"
    assert (done.status, done.err) == (0, f"{remark}\n" if told else "")
    ref = written(tmp_path / "ref", f"u1 {''.join(pieces).strip()}\n")
    options = ["--format", "ctm", "--ref-format", "kaldi-text", "--unit", "char-no-space", "--json"]
    assert fstmetrics("score", ref, tmp_path / "o.ctm", *options).summary["edits"] == 0
    as_text = fstmetrics("convert", hyp, "-", "--to", "kaldi-text", "--lossy")
    assert as_text.err == "written without times (1 of 1 item)\n"


def test_durations_have_no_more_digits_than_times(tmp_path: Path) -> None:
    """What was read of ctm stays as it is."""
    words = [f" w{n}" for n in range(30)]
    hyp = written(tmp_path / "u1.json", in_pieces("".join(words), *words, step=0.1))
    assert fstmetrics("convert", hyp, tmp_path / "o.ctm").status == 0
    assert {line.split()[3] for line in (tmp_path / "o.ctm").read_text().splitlines()} == {"0.10"}
    exact = json.loads(in_pieces(" a b", " a", " b"))
    exact["segments"][0]["words"][1] |= {"start": 0.123456789012, "end": 0.623456789012345}
    hyp = written(tmp_path / "u1.json", json.dumps(exact))
    assert fstmetrics("convert", hyp, tmp_path / "o.ctm").status == 0
    assert "u1 1 0.123456789012 0.500000000000345 b\n" in (tmp_path / "o.ctm").read_text()
    given = written(tmp_path / "i.ctm", "u1 1 0.10 0.30000000000000004 a\n")
    assert fstmetrics("convert", given, tmp_path / "o.ctm").status == 0
    assert (tmp_path / "o.ctm").read_text() == given.read_text()
