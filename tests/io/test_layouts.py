"""What toolkits write: data folders of Kaldi; results of icefall, ESPnet, Whisper and sherpa-onnx; n-best lists."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written
from error_cases import content, error_cases

from fstmetrics.io import Items, Source, read_items
from fstmetrics.io.column_roles import SideName, TableOptions


def side(path: Path | Source, name: SideName) -> Items:
    return read_items(path, table=TableOptions(name))


def texts(items: Items) -> dict[str | None, str | None]:
    return {item.id: item.text for item in items.items}


# -- Kaldi's data folder

FOLDER = {
    "text": "ann-1 a b c\nann-2\nbob-1 d e\n",
    "utt2spk": "ann-1 ann\nann-2 ann\nbob-1 bob\n",
    "spk2gender": "ann f\nbob m\n",
    "segments": "ann-1 r1 0 1.5\nann-2 r1 1.5 1.9\nbob-1 r2 10.1 13.3\n",
    "utt2dur": "ann-1 1.52\n",
    "utt2lang": "ann-1 en\nbob-1 de\n",
    "wav.scp": "r1 a.wav\nr2 b.wav\n",
}


def folder(path: Path, files: dict[str, str]) -> Path:
    path.mkdir()
    for name, text in files.items():
        written(path / name, text)
    return path


def test_a_data_folder_of_kaldi_has_texts_and_fields(tmp_path: Path) -> None:
    items = read_items(folder(tmp_path / "test", FOLDER))
    assert items.formats == ("kaldi-data",)
    assert texts(items) == {"ann-1": "a b c", "ann-2": "", "bob-1": "d e"}
    ann, bob = {"speaker": "ann", "gender": "f"}, {"speaker": "bob", "gender": "m"}
    assert [item.fields for item in items.items] == [
        {**ann, "file": "r1", "start": 0, "end": 1.5, "duration": 1.52, "language": "en"},
        {**ann, "file": "r1", "start": 1.5, "end": 1.9, "duration": 0.4},
        {**bob, "file": "r2", "start": 10.1, "end": 13.3, "duration": 3.2, "language": "de"},
    ]


def test_a_data_folder_is_scored_by_speaker(tmp_path: Path) -> None:
    folder(tmp_path / "test", FOLDER)
    hypotheses = written(tmp_path / "hyp", "bob-1 d x\nann-1 a b c\nann-2\n")
    found = fstmetrics("score", tmp_path / "test", hypotheses, "--by", "speaker", "--json").summary
    rows = {row["value"]: (row["items"], row["edits"], row["path_length"]) for row in found["by"]["speaker"]}
    assert rows == {"ann": (2, 0, 3), "bob": (1, 1, 2)}


CHANNELS = "r1 call A\nr2\tcall  B\n"
WORDS = [("r1", 0.1, "a"), ("r1", 0.6, "x"), ("r1", 1.6, "c"), ("r2", 10.2, "d"), ("r2", 11, "e")]


def ctm(path: Path, names: dict[str, str]) -> Path:
    """The words, of files and channels that are called so."""
    return written(path, "".join(f"{names[home]} {begin} 0.3 {word}\n" for home, begin, word in WORDS))


@pytest.mark.parametrize("channels", [CHANNELS, None], ids=["of a call", "a file each"])
@pytest.mark.parametrize("names", [{"r1": "r1 1", "r2": "r2 1"}, {"r1": "CALL A", "r2": "call b"}])
def test_words_with_times_pair_with_the_segments_of_a_data_folder(
    channels: str | None, names: dict[str, str], tmp_path: Path
) -> None:
    """By recording, or as `get_ctm.sh` names files and channels; with the same segments in stm, it is the same."""
    data = folder(tmp_path / "test", {**FOLDER, "reco2file_and_channel": channels} if channels else FOLDER)
    words = ctm(tmp_path / "words.ctm", names)
    if names["r1"] != "r1 1" and not channels:
        assert "no segment for the words of file CALL" in fstmetrics("score", data, words).err
        return
    found = fstmetrics("score", data, words, "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (3, 3, 5)
    assert "paired by time" in fstmetrics("score", data, words).out
    stm = tmp_path / "test.stm"
    assert fstmetrics("convert", data, stm, "--lossy").status == 0
    assert stm.read_text().splitlines()[0] == "r1 1 ann 0.00 1.50 a b c"
    recordings = ctm(tmp_path / "recordings.ctm", {"r1": "r1 1", "r2": "r2 1"})
    same = fstmetrics("score", stm, recordings, "--json").summary
    assert {name: same[name] for name in ("items", "edits", "score")} == {
        name: found[name] for name in ("items", "edits", "score")
    }
    fields = read_items(data).items[0].fields
    assert (fields["file"], fields.get("file_and_channel")) == ("r1", "call A" if channels else None)


def test_words_of_utterances_pair_by_id_with_a_data_folder(tmp_path: Path) -> None:
    """Also where segments say when they were said: times are from the begin of each utterance."""
    data = folder(tmp_path / "test", {**FOLDER, "reco2file_and_channel": CHANNELS})
    words = "ann-1 1 0.1 0.3 a\nann-1 1 0.6 0.3 x\nann-2 1 0.1 0.2 c\nbob-1 1 0.2 0.3 d\nbob-1 1 0.8 0.3 e\n"
    found = fstmetrics("score", data, written(tmp_path / "words.ctm", words), "--json").summary
    assert (found["edits"], found["path_length"]) == (3, 5)


def test_recordings_of_whisper_pair_with_the_segments_of_a_data_folder(tmp_path: Path) -> None:
    data = folder(tmp_path / "test", {**FOLDER, "reco2file_and_channel": CHANNELS})
    (tmp_path / "json").mkdir()
    for home in ("r1", "r2"):
        words = [
            {"word": f" {word}", "start": begin, "end": begin + 0.3}
            for own, begin, word in WORDS
            if own == home
        ]
        text = "".join(str(word["word"]) for word in words)
        segments = [{"start": words[0]["start"], "end": words[-1]["end"], "text": text, "words": words}]
        written(tmp_path / "json" / f"{home}.json", json.dumps({"text": text, "segments": segments}))
    found = fstmetrics("score", data, tmp_path / "json", "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (3, 3, 5)


def test_text_alone_makes_no_data_folder(tmp_path: Path) -> None:
    assert read_items(folder(tmp_path / "test", {"text": "u-1 a b\nu-2 c\n"})).formats == ("kaldi-text",)


# -- icefall


def recogs(pairs: dict[str, tuple[list[str], list[str]]]) -> str:
    """As icefall's `store_transcripts` writes them."""
    return "".join(f"{id}:\tref={ref}\n{id}:\thyp={hyp}\n" for id, (ref, hyp) in pairs.items())


def errs(pairs: dict[str, tuple[list[str], list[str]]]) -> str:
    """As icefall's `write_error_stats` writes them; errors in a row are one, words beside nothing are `*`."""
    lines, ins, dels, subs, hits = [], 0, 0, 0, 0
    for id, (ref, hyp) in pairs.items():
        alignment = pytest.importorskip("kaldialign").align(ref, hyp, "*")
        ins += sum(r == "*" for r, _ in alignment)
        dels += sum(h == "*" for _, h in alignment)
        subs += sum(r != h and "*" not in (r, h) for r, h in alignment)
        hits += sum(r == h for r, h in alignment)
        groups = [([r], [h]) for r, h in alignment]
        for first, second in pairwise(groups):
            if first[0] != first[1] and second[0] != second[1]:
                second[0][:0], second[1][:0] = first[0], first[1]
                first[0].clear(), first[1].clear()
        words = []
        for group in groups:
            old, new = (" ".join(word for word in part if word != "*") or "*" for part in group)
            if group != ([], []):
                words.append(old if old == new else f"({old}->{new})")
        lines.append(f"{id}:\t{' '.join(words)}\n")
    return (
        f"%WER = {100 * (ins + dels + subs) / max(1, dels + subs + hits):.2f}\nErrors: {ins} insertions, {dels} "
        f"deletions, {subs} substitutions, over {dels + subs + hits} reference words ({hits} correct)\nSearch below "
        "for sections starting with PER-UTT DETAILS:, SUBSTITUTIONS:, DELETIONS:, INSERTIONS:, PER-WORD STATS:\n\n"
        f"PER-UTT DETAILS: corr or (ref->hyp)  \n{''.join(lines)}\nSUBSTITUTIONS: count ref -> hyp\n1   a -> b\n"
    )


@pytest.mark.parametrize("write", [recogs, errs])
@pytest.mark.parametrize("seed", range(20))
def test_icefall_s_files_hold_both_sides(
    write: Callable[[dict[str, tuple[list[str], list[str]]]], str], seed: int
) -> None:
    numbers = random.Random(seed)

    def sentence() -> list[str]:
        return numbers.choices(["a", "b", "don't", 'say"', "ä", "d"], k=numbers.randint(0, 8))

    pairs = {f"u-{n}": (sentence(), sentence()) for n in range(6)}
    source = Source("f.txt", write(pairs).encode())
    for place, name in enumerate(("reference", "hypothesis")):
        expected = {id: " ".join(words[place]) for id, words in pairs.items()}
        assert texts(side(source, name)) == expected  # type: ignore[arg-type]


def test_one_file_of_icefall_is_scored(tmp_path: Path) -> None:
    path = written(
        tmp_path / "recogs-test.txt", recogs({"u1": (["a", "b"], ["a", "c"]), "u2": (["d"], ["d"])})
    )
    found = fstmetrics("score", path, "--json").summary
    assert (found["edits"], found["path_length"], found["items"]) == (1, 3, 2)
    assert "has both sides: its references are read" in fstmetrics("convert", path, tmp_path / "r.trn").err


# -- n-best lists


def test_n_best_folders_of_espnet_are_one_list(tmp_path: Path) -> None:
    for part in (10, 1, 2):
        for rank, (word, score) in enumerate(
            (("x", "tensor(-1.5)"), ("e", "tensor(-2.5, device='cuda:0')")), 1
        ):
            at = tmp_path / "logdir" / f"output.{part}" / f"{rank}best_recog"
            at.mkdir(parents=True)
            if rank == 1 or part != 2:
                written(at / "text", f"u{part} d {word}\n")
                written(at / "score", f"u{part} {score}\n")
    items = read_items(tmp_path / "logdir")
    assert items.formats == ("espnet-nbest",)
    found = [(item.id, item.value.texts, item.value.scores) for item in items.items]
    both = ("d x", "d e"), (-1.5, -2.5)
    assert found == [("u1", *both), ("u2", ("d x",), (-1.5,)), ("u10", *both)]
    assert [item.id for item in read_items(tmp_path / "logdir" / "output.10").items] == ["u10"]


LISTS = [
    ({"id": "u1", "text": "a c", "beams": [{"text": "a b", "score": -1}, {"text": "a c", "score": -2.5}]}, (-1, -2.5)),
    ({"id": "u1", "reference": "a c", "nbest": ["a b", "a c"]}, None),
    ({"audio_filepath": "u1", "text": "a c", "pred_text": ["a b", "a c"]}, None),
    ({"id": "u1", "output": "a c", "input": ["a b", "a c"]}, None),
]  # fmt: skip


@pytest.mark.parametrize(("row", "scores"), LISTS)
def test_rows_of_json_may_hold_lists(
    tmp_path: Path, row: dict[str, Any], scores: tuple[float, ...] | None
) -> None:
    path = written(tmp_path / "rows.jsonl", json.dumps({**row, "speaker": "ann"}) + "\n")
    (item,) = side(path, "hypothesis").items
    assert (item.id, item.value.texts, item.value.scores) == ("u1", ("a b", "a c"), scores)
    assert texts(side(path, "reference")) == {"u1": "a c"}
    found = fstmetrics("oracle", path, "--by", "speaker", "--json").summary
    assert (found["edits"], found["one_best"]["edits"], found["by"]["speaker"][0]["value"]) == (0, 1, "ann")
    assert "|refs:1|" in found["signature"]


# -- Whisper and sherpa-onnx

WHISPER = [
    (
        {"text": " A b. ", "segments": [{"id": 0, "text": " A b."}], "language": "en"},
        "A b.",
        {"language": "en"},
    ),
    ({"segments": [{"text": " A b"}, {"text": " c."}], "duration": 2.5}, "A b c.", {"duration": 2.5}),
    ({"text": "a b", "chunks": [{"text": "a b", "timestamp": [0, 1]}]}, "a b", {}),
    ({"text": "", "segments": []}, "", {}),
]


@pytest.mark.parametrize(("document", "text", "fields"), WHISPER)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_of_whisper_is_one_text(
    tmp_path: Path, document: dict[str, Any], text: str, fields: dict[str, Any], indent: int | None
) -> None:
    items = read_items(written(tmp_path / "u1.json", json.dumps(document, indent=indent)))
    assert items.formats == ("whisper",)
    assert [(item.id, item.text, item.fields) for item in items.items] == [("u1", text, fields)]


SHERPA = """Creating recognizer ...
Started
Done!

./waves/u1.wav
{"lang": "en", "emotion": "", "text": " a b", "timestamps": [0.1], "tokens": ["a", "b"]}
----
./waves/u2.wav
{"text": ""}
----
num threads: 2
"""


def test_what_sherpa_prints_is_read() -> None:
    items = read_items(Source("log", SHERPA.encode()))
    assert items.formats == ("sherpa",)
    assert [(i.id, i.text, i.fields) for i in items.items] == [
        ("u1", "a b", {"language": "en"}),
        ("u2", "", {}),
    ]


CASES = error_cases("layouts")["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["message"] for case in CASES])
def test_bad_files_are_refused_in_one_line(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("file", "other"):
        if file in case:
            path = tmp_path / case[file]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content(case) if file == "file" else case["other_content"].encode())
    written(tmp_path / "ref", "u1 a b\nu2 c\n")
    outcome = fstmetrics(*case["command"].split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert case["message"] in outcome.err
