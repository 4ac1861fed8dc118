"""`segment` and `--resegment`: documents, formats, commands, metrics."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command import Outcome, fstmetrics
from other_programs import program
from places import SHARED

import fstmetrics as fm

REF = "the cat\nsat down\nin the sun\n"
HYP = "the hat uh sat down in sun\n"
CUT = ["the hat", "uh sat down", "in sun"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text(REF)
    Path("hyp.txt").write_text(HYP)


def lines(*arguments: object, stdin: bytes = b"") -> list[str]:
    found = fstmetrics("segment", *arguments, stdin=stdin)
    assert found.status == 0, found.err
    return found.out.splitlines()


def edits(*arguments: object) -> int:
    found: int = fstmetrics("score", *arguments, "--resegment", "--json").summary["edits"]
    return found


def test_a_line_a_segment() -> None:
    assert lines("ref.txt", "hyp.txt") == CUT
    found = fstmetrics("segment", "ref.txt", "hyp.txt", "-o", "out.txt")
    assert "1 document, 3 segments: 3 edits of 7 reference words, 42.86%" in found.out
    assert Path("out.txt").read_text().splitlines() == CUT
    assert edits("ref.txt", "hyp.txt") == 3
    assert fstmetrics("score", "ref.txt", "out.txt", "--json").summary["edits"] == 3
    assert (
        fm.segment_files(references="ref.txt", hypotheses="hyp.txt").summary()
        == fstmetrics("segment", "ref.txt", "hyp.txt", "--json").summary
    )


def piped(text: str) -> str:
    """The path of a pipe, as the shell's `<(...)` gives it, which has the text once."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    return f"/dev/fd/{read}"


def test_a_pipe_is_read_once() -> None:
    assert lines("ref.txt", piped(HYP)) == CUT
    assert edits("ref.txt", piped(HYP)) == edits(piped(REF), "hyp.txt") == 3
    found = fstmetrics(
        "compare", "--ref", "ref.txt", piped(HYP), "hyp.txt", "--resegment", "--metric", "wer", "--json"
    )
    systems = found.summary["systems"].values()
    assert [system["wer"]["score"] for system in systems] == [3 / 7] * 2


def test_lines_of_other_segments_are_one_document() -> None:
    Path("lines.txt").write_text("the hat uh\r\nsat\r\ndown in sun\r\n")
    assert lines("ref.txt", "lines.txt") == CUT
    Path("ref.txt.gz").write_bytes(gzip.compress(REF.encode()))
    assert lines("ref.txt.gz", "-", stdin=HYP.encode()) == CUT


@pytest.mark.parametrize(
    "documents",
    ["x\nx\ny\n", "docid=x,segid=0\ndocid=x,segid=1\ndocid=y,segid=0\n"],
)
def test_documents_of_a_file(documents: str) -> None:
    Path("docs.txt").write_text(documents)
    Path("two.txt").write_text("the hat uh sat down in\nsun\n")
    assert lines("ref.txt", "two.txt", "--documents", "docs.txt") == ["the hat", "uh sat down in", "sun"]
    Path("ids.txt").write_text("y sun\nx the hat uh sat down in\n")
    assert lines("ref.txt", "ids.txt", "--documents", "docs.txt") == ["the hat", "uh sat down in", "sun"]
    assert edits("ref.txt", "two.txt", "--documents", "docs.txt") == 5


@pytest.mark.parametrize("ids", [("utt-1", "utt-2", "utt-3"), ("a", "b", "c")])
@pytest.mark.parametrize("hypothesis", ["x the hat uh sat down in\ny sun\n", "the hat uh sat down in\nsun\n"])
@pytest.mark.parametrize("options", [(), ("--ref-format", "kaldi-text")])
def test_documents_of_a_file_by_the_ids_of_segments(
    ids: tuple[str, ...], hypothesis: str, options: tuple[str, ...]
) -> None:
    Path("docs.txt").write_text(f"{ids[2]} y\n{ids[0]} x\n{ids[1]} x\n")
    Path("kref.txt").write_text(
        "".join(f"{id} {line}\n" for id, line in zip(ids, REF.splitlines(), strict=True))
    )
    Path("two.txt").write_text(hypothesis)
    expected = [f"{id} {line}" for id, line in zip(ids, ["the hat", "uh sat down in", "sun"], strict=True)]
    assert lines("kref.txt", "two.txt", "--documents", "docs.txt", *options) == expected
    found = fstmetrics("score", "kref.txt", "two.txt", "--resegment", "--documents", "docs.txt", "--json")
    assert found.summary["edits"] == 5
    assert "|ids:yes|" in found.summary["signature"]


def test_documents_by_id() -> None:
    Path("kref.txt").write_text("talk1_001 the cat\ntalk1_002 sat down\ntalk2_001 in the sun\n")
    Path("khyp.txt").write_text("talk2 in sun\ntalk1 the hat uh sat down\n")
    expected = ["talk1_001 the hat", "talk1_002 uh sat down", "talk2_001 in sun"]
    assert lines("kref.txt", "khyp.txt") == expected
    assert "khyp.txt, kref.txt read as kaldi-text" in fstmetrics("segment", "kref.txt", "khyp.txt").err
    assert edits("kref.txt", "khyp.txt") == 3
    # One of them is lacking: that is no text of one document.
    Path("khyp.txt").write_text("talk1 the hat uh sat down\n")
    assert fstmetrics("segment", "kref.txt", "khyp.txt").status == 2
    assert lines("kref.txt", "khyp.txt", "--missing", "empty") == [*expected[:2], "talk2_001 "]
    assert lines("kref.txt", "khyp.txt", "--missing", "skip") == expected[:2]
    assert edits("kref.txt", "khyp.txt", "--missing", "skip") == 2
    assert edits("kref.txt", "khyp.txt", "--missing", "empty") == 5


@pytest.mark.parametrize("first", ["the", "and"])
def test_a_word_that_ids_begin_with_is_a_word_or_refused(first: str) -> None:
    Path("kref.txt").write_text("the_1 the cat sat\nthe_2 a dog ran\n")
    Path("khyp.txt").write_text(f"{first} cat sat a dog ran\n")
    read = ("--ref-format", "kaldi-text")
    expected = [f"the_1 {first} cat sat", "the_2 a dog ran"]
    assert lines("kref.txt", "khyp.txt", *read, "--format", "plain") == expected
    found = fstmetrics("segment", "kref.txt", "khyp.txt", *read)
    assert found.status == (2 if first == "the" else 0), found
    # Two documents, and no others, are no words.
    Path("kref.txt").write_text("the_1 the cat sat\na_2 a dog ran\n")
    Path("khyp.txt").write_text("a a dog ran\nthe the cat sat\n")
    assert lines("kref.txt", "khyp.txt") == ["the_1 the cat sat", "a_2 a dog ran"]


def test_documents_by_file_and_by_field() -> None:
    for folder, texts in {
        "refs": ("the cat\nsat down\n", "in the sun\n"),
        "hyps": ("the hat uh\nsat down\n", "in sun"),
    }.items():
        Path(folder).mkdir()
        for name, text in zip("ab", texts, strict=True):
            Path(folder, f"{name}.txt").write_text(text)
    assert lines("refs", "hyps") == CUT
    assert lines("refs/*.txt", "hyps/*.txt") == CUT
    rows = [{"talk": talk, "text": text} for talk, text in zip("xxy", REF.splitlines(), strict=True)]
    Path("ref.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("hyp.jsonl").write_text(
        '{"id": "y", "pred_text": "in sun"}\n{"id": "x", "pred_text": "the hat uh sat down"}\n'
    )
    assert lines("ref.jsonl", "hyp.jsonl", "--fields", "document=talk") == CUT
    assert edits("ref.jsonl", "hyp.jsonl", "--fields", "document=talk") == 3


def rows(path: str, given: list[dict[str, object]]) -> None:
    Path(path).write_text("".join(f"{json.dumps(row)}\n" for row in given))


TALKS = [("A", 0, "the cat"), ("A", 2.5, "sat down"), ("B", 0, "in the sun"), ("B", 10, "at noon")]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 2, 0), (1, 3, 0, 2)])
@pytest.mark.parametrize("named", [{}, {"id": "u"}])
def test_recordings_of_a_manifest_are_documents_in_the_order_of_time(
    order: tuple[int, ...], named: dict[str, str]
) -> None:
    given = [
        {"audio_filepath": f"/d/talk{name}.wav", "offset": begin, "duration": 2, "text": text}
        | {key: f"{value}{place}" for key, value in named.items()}
        for place, (name, begin, text) in enumerate(TALKS)
    ]
    rows("ref.jsonl", [given[place] for place in order])
    expected = [("the hat", "sat uh down", "in sun", "at noon")[place] for place in order]
    texts = {"talkB": "in sun at noon", "talkA": "the hat sat uh down"}
    Path("ids.txt").write_text("".join(f"{name} {text}\n" for name, text in texts.items()))
    rows(
        "hyp.jsonl", [{"audio_filepath": f"x/{name}.wav", "pred_text": text} for name, text in texts.items()]
    )
    Path("hyps").mkdir()
    for name, text in texts.items():
        Path("hyps", f"{name}.txt").write_text(f"{text}\n")
    for hypothesis in ("ids.txt", "hyp.jsonl", "hyps"):
        assert [line.split(" ", 1)[1] for line in lines("ref.jsonl", hypothesis)] == expected, hypothesis
        assert edits("ref.jsonl", hypothesis) == 3


def test_two_recordings_of_one_name_are_refused_and_documents_part_them() -> None:
    given = [
        ("/en/talk.wav", 0, "the cat"),
        ("/en/talk.wav", 2, "sat down"),
        ("/de/talk.wav", 0, "in the sun"),
    ]
    rows(
        "ref.jsonl",
        [
            {"audio_filepath": file, "offset": begin, "duration": 2, "text": text}
            for file, begin, text in given
        ],
    )
    found = fstmetrics("segment", "ref.jsonl", "hyp.txt")
    assert (found.status, "two recordings are called 'talk'" in found.err) == (2, True), found
    Path("docs.txt").write_text("x\nx\ny\n")
    Path("two.txt").write_text("the hat uh sat down\nin sun\n")
    cut = lines("ref.jsonl", "two.txt", "--documents", "docs.txt")
    assert [line.split(" ", 1)[1] for line in cut] == CUT


def test_rows_of_several_recordings_are_not_in_an_order_of_time() -> None:
    texts = zip("abc", (9, 5, 0), REF.splitlines(), strict=True)
    rows(
        "ref.jsonl",
        [{"audio_filepath": f"{n}.wav", "offset": begin, "text": text} for n, begin, text in texts],
    )
    assert [line.split(" ", 1)[1] for line in lines("ref.jsonl", "hyp.txt")] == CUT


@pytest.mark.parametrize("name", ["start", "offset", "start_time"])
@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_rows_of_a_document_are_in_the_order_of_time(name: str, kind: str) -> None:
    given = [("x", 10, "uh sat down"), ("x", 9.5, "the hat"), ("y", 0, "in sun")]
    refs = zip("xxy", REF.splitlines(), strict=True)
    rows("ref.jsonl", [{"document": document, "text": text} for document, text in refs])
    if kind == "jsonl":
        rows("h.jsonl", [{"document": one, name: begin, "text": text} for one, begin, text in given])
    else:
        table = [("document", name, "text"), *given]
        Path("h.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in table))
    assert lines("ref.jsonl", f"h.{kind}") == CUT


def test_words_keep_their_times() -> None:
    # Segments of the file are not in the order of time.
    Path("r.stm").write_text(
        "t 1 a 1 2 sat down\nt 1 a 0 1 the cat\nt 1 a 2 3 ignore_time_segment_in_scoring\n"
    )
    times = [(0.1, "the"), (0.4, "hat"), (0.7, "uh"), (1.2, "sat"), (1.5, "down"), (2.1, "sun")]
    Path("h.ctm").write_text("".join(f"t 1 {begin} 0.2 {word}\n" for begin, word in times))
    assert lines("r.stm", "h.ctm") == ["t_1_1_2 uh sat down", "t_1_0_1 the hat", "t_1_2_3 sun"]
    assert edits("r.stm", "h.ctm") == 2
    fstmetrics("segment", "r.stm", "h.ctm", "-o", "out.jsonl")
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert found[1]["words"] == [
        {"word": "the", "start": 0.1, "end": 0.3}, {"word": "hat", "start": 0.4, "end": 0.6},
    ]  # fmt: skip
    assert [len(each["words"]) for each in found] == [3, 2, 1]


LOG = [{"prediction": HYP, "delays": [9, 10, 20, 30, 45, 50, 60], "elapsed": [9, 11, 21, 31, 46, 51, 61]}]
STEPS = [
    {"id": 0, "metadata": {"wav_name": "a/t.wav"}},
    {"id": 0, "total_audio_processed": 1, "computation_time": 0.5, "generated_tokens": ["the", "hat"],
     "deleted_tokens": []},
    {"id": 0, "total_audio_processed": 2, "computation_time": 0, "generated_tokens": ["in"], "deleted_tokens": ["hat"]},
]  # fmt: skip


def test_words_of_a_log_keep_their_delays() -> None:
    rows("instances.log", LOG)
    plain = lines("ref.txt", "hyp.txt")
    assert lines("ref.txt", "instances.log") == plain
    fstmetrics("segment", "ref.txt", "instances.log", "-o", "out.jsonl")
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [each["text"] for each in found] == plain
    for name in ("delays", "elapsed"):
        assert [len(each[name]) for each in found] == [len(text.split()) for text in plain]
        assert [time for each in found for time in each[name]] == LOG[0][name]
    # Of SimulStream, whose lines are steps, a word came when it last changed; the recording has a name.
    rows("steps.log", STEPS)
    Path("t.stm").write_text("t 1 a 0 1 the\nt 1 a 1 2 in\n")
    found = fstmetrics("segment", "t.stm", "steps.log", "--json").summary["segments"]
    assert [(each["text"], each["delays"], each["elapsed"]) for each in found] == [
        ("the", [1000], [1500]), ("in", [2000], [2000]),
    ]  # fmt: skip
    assert fstmetrics("score", "t.stm", "steps.log", "--resegment", "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delays": [1, 2]}, "instances.log:1: prediction has 7 words, and delays 2 numbers"),
        ({"delays": [9, 8, 20, 30, 45, 50, 60]}, "instances.log:1: delays goes back from 9 to 8 at word 2"),
    ],
)
def test_logs_that_are_refused(change: dict[str, Any], message: str) -> None:
    rows("instances.log", [LOG[0] | change])
    outcome = fstmetrics("segment", "ref.txt", "instances.log", "-o", "out.jsonl")
    assert (outcome.status, outcome.err.count("\n"), message in outcome.err) == (2, 1, True), outcome
    assert not Path("out.jsonl").exists()


RECORDINGS = [
    {"index": 0, "prediction": "the cat sat", "delays": [1, 2, 3], "source": ["wavs/a.wav"]},
    {"index": 1, "prediction": "a dog", "delays": [1, 2], "source": ["wavs/b.wav"]},
]
OF_RECORDINGS = {
    "r.stm": ("b 1 x 0 2 a dog\n", "a 1 x 0 2 the cat\na 1 x 2 3 sat\n"),
    "r.trn": ("a dog (b_1)\n", "the cat (a_1)\nsat (a_2)\n"),
}


@pytest.mark.parametrize("parts", [slice(None), slice(None, None, -1)])
@pytest.mark.parametrize("name", OF_RECORDINGS)
def test_recordings_of_a_log_pair_by_their_names(name: str, parts: slice) -> None:
    rows("instances.log", RECORDINGS)
    Path(name).write_text("".join(OF_RECORDINGS[name][parts]))
    assert edits(name, "instances.log") == 0
    assert sorted(line.split(" ", 1)[1] for line in lines(name, "instances.log")) == [
        "a dog",
        "sat",
        "the cat",
    ]


def test_recordings_of_a_log_pair_by_order_with_documents_of_other_names() -> None:
    rows("instances.log", RECORDINGS)
    Path("r.txt").write_text("the cat\nsat\na dog\n")
    Path("documents").write_text("0\n0\n1\n")
    assert edits("r.txt", "instances.log", "--documents", "documents") == 0


def test_recordings_of_a_log_of_which_some_are_documents_are_refused() -> None:
    rows("instances.log", RECORDINGS)
    Path("r.stm").write_text("c 1 x 0 2 the cat sat\nb 1 x 0 2 a dog\n")
    outcome = fstmetrics("score", "r.stm", "instances.log", "--resegment")
    said = "instances.log: has a, of which the references have no segment: their documents are c, b"
    assert (outcome.status, said in outcome.err) == (2, True)


@pytest.mark.parametrize(("numbers", "options"), [((1, 0), ["--resegment"]), ((1, 0), []), ((10, 11), [])])
def test_lines_of_a_log_that_their_index_does_not_count(
    numbers: Sequence[int], options: Sequence[str]
) -> None:
    rows("instances.log", [{**each, "index": n} for each, n in zip(RECORDINGS, numbers, strict=True)])
    Path("r.stm").write_text("".join(OF_RECORDINGS["r.stm"]))
    outcome = fstmetrics("score", "r.stm", "instances.log", *options)
    said = "jq -s -c 'sort_by(.index)[] | del(.index)' FILE puts the lines in their order"
    assert (outcome.status, said in outcome.err) == (2, True)


@pytest.mark.parametrize("words", ["t 1 0.1 0.2 the\nt 1 1.2 0.2 sit\n", "t 1 1.2 0.2 sat\n", ""])
def test_what_is_written_is_scored_alike(words: str) -> None:
    Path("r.stm").write_text("t 1 a 0 1 the cat\nt 1 a 1 2 sat down\n")
    Path("h.ctm").write_text(words)
    Path("docs.txt").write_text("x\nx\ny\n")
    Path("two.txt").write_text("the hat uh sat down\nin sun\n")
    for reference, hypothesis, *options in (
        ("r.stm", "h.ctm", "--missing", "empty"),
        ("ref.txt", "hyp.txt"),
        ("ref.txt", "two.txt", "--documents", "docs.txt"),
    ):
        for name in ("out.jsonl", "out.txt"):
            fstmetrics("segment", reference, hypothesis, *options, "-o", name)
            found = fstmetrics("score", reference, name, "--json").summary
            assert found["edits"] == edits(reference, hypothesis, *options), (reference, name)
    assert not any("null" in line for line in Path("out.jsonl").read_text().splitlines())


def test_several_references_choices_and_lattices() -> None:
    Path("more.txt").write_text("the hat uh\nsat down\nin the sun\n")
    assert lines("ref.txt", "hyp.txt", "--ref", "more.txt") == ["the hat uh", "sat down", "in sun"]
    assert edits("ref.txt", "hyp.txt", "--ref", "more.txt") == 1
    Path("choices.txt").write_text("the { cat / hat uh }\nsat (down)\nin <*> sun\n")
    assert lines("choices.txt", "hyp.txt", "--alternations", "sclite") == ["the hat uh", "sat down", "in sun"]
    arcs = "".join(f"{n} {n + 1} {word} 0,0,\n" for n, word in enumerate(HYP.split()))
    Path("lat.txt").write_text(f"talk\n{arcs}0 1 a 0,0,\n6 7 moon 0,0,\n7 0,0,\n\n")
    assert lines("ref.txt", "lat.txt", "--format", "kaldi-lattice") == CUT
    assert edits("ref.txt", "lat.txt", "--format", "kaldi-lattice") == 3


def test_a_document_without_a_word_in_common_is_a_remark() -> None:
    Path("other.txt").write_text("foo bar\n")
    assert "other.txt: no word is in its references" in fstmetrics("segment", "ref.txt", "other.txt").err
    Path("empty.txt").write_text("")
    for empty in ("", "\n"):
        Path("empty.txt").write_text(empty)
        found = fstmetrics("score", "ref.txt", "empty.txt", "--resegment")
        assert (found.status, "empty.txt has no word: all segments are empty" in found.out) == (0, True), (
            found
        )


@pytest.mark.parametrize("metric", ["wer", "bleu", "chrf", "ter", "hyter", "mer"])
def test_any_metric_scores_the_segments(metric: str) -> None:
    fstmetrics("segment", "ref.txt", "hyp.txt", "-o", "out.txt")
    cut = fstmetrics("score", "ref.txt", "out.txt", "--metric", metric, "--json").summary
    found = fstmetrics("score", "ref.txt", "hyp.txt", "--metric", metric, "--resegment", "--json").summary
    assert found["score"] == cut["score"]
    assert found["settings"]["resegmented"] == "edits"
    assert "|resegmented:edits|" in found["signature"]


@pytest.mark.parametrize("criterion", ["edits", "soft"])
@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("the cat sat on\nmat today\n", "thecat sat onmat today\n"),
        ("我们去北京\n今天天气好\n", "我们去北京今天天汽好\n"),
    ],
)
@pytest.mark.parametrize("unit", ["word", "mixed", "char-no-space"])
def test_cuts_are_the_same_whatever_the_metrics(
    unit: str, reference: str, hypothesis: str, criterion: str
) -> None:
    Path("ref.txt").write_text(reference)
    Path("hyp.txt").write_text(hypothesis)
    own = ("--unit", unit, "--criterion", criterion)
    fstmetrics("segment", "ref.txt", "hyp.txt", *own, "-o", "cut.txt")
    compared_unit = ("--unit", unit) if unit == "char-no-space" else ()
    scored = fstmetrics("score", "ref.txt", "cut.txt", "--metric", "cer", *compared_unit, "--json")
    expected = scored.summary["score"]
    options = (*own, "--resegment", "--json")
    alone, several = (
        fstmetrics("score", "ref.txt", "hyp.txt", "--metric", metrics, *options).summary
        for metrics in ("cer", "mer,cer")
    )
    assert several["scores"]["cer"] == alone["score"] == expected
    assert several["metrics"][1] == alone
    compared = fstmetrics("compare", "--ref", "ref.txt", "hyp.txt", "--metric", "cer", *options).summary
    assert compared["systems"]["hyp"]["cer"]["score"] == expected
    told = f"|resegmented:{criterion}|" if compared_unit else f"|resegmented:{criterion}/{unit}|"
    assert told in alone["signature"]
    assert f"|resegmented:{criterion}|" in several["metrics"][0]["signature"]
    text = fstmetrics("compare", "--ref", "ref.txt", "hyp.txt", "--metric", "cer", *options[:-1]).out
    assert told in text


def test_other_commands() -> None:
    Path("docs.txt").write_text("x\nx\ny\n")
    Path("two.txt").write_text("the cat sat\nin the sun\n")
    Path("b.txt").write_text("the hat uh sat down\nin sun\n")
    options = ("--resegment", "--documents", "docs.txt")
    found = fstmetrics(
        "compare", "two.txt", "b.txt", "--ref", "ref.txt", *options, "--metric", "wer", "--json"
    ).summary
    assert [system["wer"]["score"] for system in found["systems"].values()] == [1 / 7, 3 / 7]
    for command in (("score", "ref.txt", "b.txt"), ("hyter", "ref.txt", "b.txt", "--window", "1")):
        assert fstmetrics(*command, *options, "--json").summary["edits"] == 3
    rows = fstmetrics("score", "ref.txt", "b.txt", *options, "--by", "document", "--json").summary["by"]
    assert rows
    assert (
        fstmetrics("report", "two.txt", "b.txt", "--ref", "ref.txt", *options, "-o", "page.html").status == 0
    )
    assert Path("page.html").exists()
    recorded = ("--alignment", "--output", "records.jsonl")
    assert fstmetrics("score", "ref.txt", "b.txt", *options, *recorded).status == 0
    assert fstmetrics("errors", "records.jsonl", "--json").summary["items"] == 3


def test_without_either_times_or_ids_a_message_names_the_option() -> None:
    found = fstmetrics("score", "ref.txt", "hyp.txt")
    assert (found.status, "--resegment" in found.err) == (2, True), found


def omnisteval(name: str) -> str:
    path = SHARED / "st-omnisteval" / f"{name}.gz"
    if not path.exists():
        pytest.skip("no data of OmniSTEval here")
    return gzip.decompress(path.read_bytes()).decode()


@pytest.fixture
def _talks() -> None:
    Path("talks.txt").write_text(omnisteval("text.hypotheses.txt"))
    Path("refs.txt").write_text(omnisteval("speech.references.txt"))
    Path("docs.txt").write_text(omnisteval("text.text_segmentation.txt"))


@pytest.mark.usefixtures("_talks")
def test_talks_of_omnisteval() -> None:
    texts = lines("refs.txt", "talks.txt", "--documents", "docs.txt")
    assert len(texts) == 468
    assert " ".join(" ".join(texts).split()) == " ".join(Path("talks.txt").read_text().split())
    soft = lines("refs.txt", "talks.txt", "--documents", "docs.txt", "--criterion", "soft")
    expected = [json.loads(line) for line in omnisteval("text.expected.resegmented.jsonl").splitlines()]
    assert [text.split() for text in soft] == [each["prediction"].split() for each in expected]
    # mweralign 1.4.1 -m none, which ignores case.
    assert edits("refs.txt", "talks.txt", "--documents", "docs.txt", "--lowercase") == 5244


@pytest.mark.usefixtures("_talks")
def test_mweralign_finds_as_few_edits() -> None:
    command = program("mweralign")
    ids = [line.split(",")[0] for line in Path("docs.txt").read_text().splitlines()]
    Path("ids.txt").write_text("".join(f"{id}\n" for id in ids))
    given = ["-r", "refs.txt", "-t", "talks.txt", "-d", "ids.txt", "-m", "none", "-o", "theirs.txt"]
    subprocess.run([*command, *given], check=True, capture_output=True)
    theirs: Outcome = fstmetrics("score", "refs.txt", "theirs.txt", "--lowercase", "--json")
    assert theirs.summary["edits"] == edits("refs.txt", "talks.txt", "--documents", "docs.txt", "--lowercase")
