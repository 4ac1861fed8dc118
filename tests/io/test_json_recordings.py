"""JSON of recognisers: in any order of keys, over several lines; and lists of words, which are no n-best lists."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

from fstmetrics.io import Items, read_items
from fstmetrics.support.errors import InputError

SAID = "the cat sat on a mat"
WORDS = [{"word": word, "start": 0.1, "end": 0.2} for word in SAID.split()]
SEGMENTS = [
    {"id": 0, "seek": 0, "start": 0.0, "end": 1.5, "text": " the cat sat", "no_speech_prob": 0.1},
    {"id": 1, "seek": 0, "start": 1.5, "end": 3.0, "text": " on a mat", "no_speech_prob": 0.1},
]
WHISPER_CPP = {
    "systeminfo": "AVX = 1 | AVX2 = 1",
    "model": {"type": "base", "multilingual": False},
    "params": {"model": "models/ggml-base.en.bin", "language": "en", "translate": False},
    "result": {"language": "en"},
    "transcription": [
        {
            "timestamps": {"from": "00:00:00,000", "to": "00:00:01,500"},
            "offsets": {"from": 0, "to": 1500},
            "text": part["text"],
        }
        for part in SEGMENTS
    ],
}
# As -ml 1 writes it: pieces of words, in which a space begins a word.
PIECES = {
    "result": {"language": "en"},
    "transcription": [{"text": text} for text in ("", " the", " c", "at", " sat", " on a", " mat")],
}
VERBOSE = {"task": "transcribe", "language": "english", "duration": 3.0, "text": SAID, "segments": SEGMENTS}
VERBOSE_WORDS = {"task": "transcribe", "language": "english", "duration": 3.0, "text": SAID, "words": WORDS}
FASTER = {"language": "en", "language_probability": 0.98, "duration": 3.0, "segments": SEGMENTS}
VOSK = {
    "result": [{"conf": 1.0, "end": 0.2, "start": 0.1, "word": word} for word in SAID.split()],
    "text": SAID,
}
RECORDINGS = [WHISPER_CPP, PIECES, VERBOSE, VERBOSE_WORDS, FASTER, VOSK]


def texts(items: Items) -> list[tuple[str | None, str | None]]:
    return [(item.id, item.text) for item in items.items]


@pytest.mark.parametrize("document", RECORDINGS)
@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_recording_is_read_whatever_the_order_of_its_keys(
    document: dict[str, Any], indent: Any, tmp_path: Path
) -> None:
    for order in list(permutations(document))[:24]:
        path = written(tmp_path / "rec1.json", json.dumps({k: document[k] for k in order}, indent=indent))
        found = read_items(path)
        assert (found.formats, texts(found)) == (("whisper",), [("rec1", SAID)])


def test_a_large_recording_is_read(tmp_path: Path) -> None:
    """Its first bytes are no whole object."""
    parts = [{"start": n, "end": n + 1, "text": " the cat sat"} for n in range(5000)]
    path = written(tmp_path / "r.json", json.dumps({"segments": parts, "language": "en"}))
    assert texts(read_items(path)) == [("r", " ".join(["the cat sat"] * 5000))]


def test_what_vosk_prints_is_one_recording(tmp_path: Path) -> None:
    """An object for each piece, over several lines, and some of what is not final."""
    printed = [
        {"partial": ""},
        {"partial": "the"},
        {"result": [{"conf": 1.0, "end": 1.1, "start": 0.8, "word": "the"}], "text": "the cat sat"},
        {"text": ""},
        {"text": "on a mat"},
    ]
    path = written(tmp_path / "r.txt", "\n".join(json.dumps(each, indent=2) for each in printed))
    assert texts(read_items(path)) == [("r", SAID)]


def test_rows_over_several_lines_are_rows(tmp_path: Path) -> None:
    rows = [{"id": "u1", "text": "the cat", "x": {"y": 1}}, {"id": "u2", "text": "a dog", "x": {"y": 2}}]
    for given in (rows, rows[:1]):
        one_a_line = written(tmp_path / "a.jsonl", "\n".join(map(json.dumps, given)))
        several = written(tmp_path / "b.jsonl", "\n".join(json.dumps(row, indent=2) for row in given))
        assert read_items(one_a_line).items == read_items(several).items
        assert len(read_items(several).items) == len(given)
    damaged = written(tmp_path / "c.jsonl", '{\n "id": "u1",\n "text" "the cat"\n}\n')
    with pytest.raises(InputError, match=":3: not JSON"):
        read_items(damaged)


# -- Records of fstmetrics


def test_records_given_back_are_their_hypotheses(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u_1 the cat sat\nu_2 a dog\nu_3 it is\n")
    hyp = written(tmp_path / "hyp", "u_1 the hat sat\nu_2 dog\nu_3\n")
    records = tmp_path / "records.jsonl"
    first = fstmetrics("score", ref, hyp, "--output", records, "--json").summary
    again = fstmetrics("score", ref, records, "--json").summary
    counts = ("edits", "matches", "path_length", "items")
    assert [first[name] for name in counts] == [again[name] for name in counts]
    assert first["edits"] == 4


def test_what_mbr_wrote_is_scored_as_its_hypotheses(tmp_path: Path) -> None:
    lists = written(
        tmp_path / "n", "u_1 ||| the cat ||| ||| -1\nu_1 ||| a cat ||| ||| -2\nu_2 ||| dog ||| ||| 0\n"
    )
    records = tmp_path / "mbr.jsonl"
    assert fstmetrics("mbr", lists, "--output", records).status == 0
    ref = written(tmp_path / "ref", "u_1 the cat\nu_2 dog\n")
    assert fstmetrics("score", ref, records, "--json").summary["edits"] == 0


@pytest.mark.parametrize("options", [("--metric", "bleu"), ("--unit", "char")])
def test_records_without_words_are_refused(options: tuple[str, ...], tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "the cat sat\n"), written(tmp_path / "hyp", "the hat sat\n")
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, hyp, "--output", records, *options).status == 0
    outcome = fstmetrics("score", ref, records)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert f"{records}:1: " in outcome.err


# -- Lists of words


@pytest.mark.parametrize("column", ["hyp", "hypothesis", "pred_text", "predictions", "hyps", "alternatives"])
def test_a_list_of_words_is_no_nbest_list(column: str, tmp_path: Path) -> None:
    """Refused, with two ways out; each leads to what it says."""
    rows = [{"id": "u1", column: ["the", "cat"]}, {"id": "u2", column: []}, {"id": "u3", column: ["a"]}]
    table = written(tmp_path / "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match="has lists of single words") as caught:
        read_items(table)
    assert f"""jq -c '.{column} |= join(" ")'""" in str(caught.value)
    joined = written(
        tmp_path / "j.jsonl",
        "".join(json.dumps({**row, column: " ".join(row[column])}) + "\n" for row in rows),
    )
    fields = f"hyp={column}"
    ref = written(tmp_path / "ref", "u1 the cat\nu2\nu3 a\n")
    assert fstmetrics("score", ref, joined, "--fields", fields, "--json").summary["edits"] == 0
    lists = read_items(table, format="nbest-json")
    assert [item.value.texts for item in lists.items] == [("the", "cat"), ("",), ("a",)]


@pytest.mark.parametrize(
    "rows",
    [
        [{"id": "u1", "hyp": ["yes"]}, {"id": "u2", "hyp": ["oh no", "no"]}],
        [{"id": "u1", "hyp": []}, {"id": "u2", "hyp": ["oh no", "no"]}],
        [{"id": "u1", "nbest": ["yes", "yeah"]}],
        [{"id": "u1", "hyps": [{"text": "yes", "score": -1.0}, {"text": "yeah", "score": -2}]}],
        [{"id": "u1", "hyps": []}, {"id": "u2", "hyps": [{"text": "yes", "score": -1.0}]}],
        [{"id": "u1", "hyp": ["yes"]}],
    ],
)
def test_lists_of_texts_are_nbest_lists(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    for indent in (None, 1):
        content = "".join(json.dumps(row, indent=indent) + "\n" for row in rows)
        found = read_items(written(tmp_path / "t.jsonl", content))
        assert found.formats == ("nbest-json",)
        assert [item.id for item in found.items] == [row["id"] for row in rows]


def test_an_empty_list_says_nothing(tmp_path: Path) -> None:
    rows = [{"id": "u_1", "nbest": []}, {"id": "u_2", "nbest": [{"text": "a dog", "score": -1.0}]}]
    lists = written(tmp_path / "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    ref = written(tmp_path / "ref", "u_1 the cat\nu_2 a dog\n")
    outcome = fstmetrics("oracle", ref, lists)
    assert (outcome.status, "%WER 50.00 [ 2 / 4, 0 ins, 2 del, 0 sub ] oracle" in outcome.out) == (0, True)
    assert "1 n-best list of" in outcome.out
    assert fstmetrics("mbr", lists, "--scale", "1").status == 0
