"""SRILM's n-best lists and SegLST."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics as command
from command import written
from small_files import SCORED

import fstmetrics as fm
from fstmetrics.io import FORMATS, ReadOptions, Source, read_items
from fstmetrics.support.errors import InputError

TIMED = (
    "NBestList2.0\n"
    "(-1000) we ( st: 0 et: 0.3 g: -10 a: -400 ) w ( st: 0 et: 0.1 g: 0 a: -1 ) iy ( st: 0.1 et: 0.3 g: 0 a: -1 ) "
    "w-2 ( st: 0.35 et: 0.4 g: 0 a: -1 ) know ( st: 0.4 et: 0.5 g: -8 a: -582 )\n"
)
PLAIN = "-310.5 -12.25 2 we know\n-311 -13 0\n"


def nbest(text: str) -> fm.NBest:
    (item,) = FORMATS["nbest-srilm"].read(Source("u1.score.gz", text.encode()), ReadOptions())
    assert item.id == item.value.id == "u1"
    return item.value


def test_srilm_lists() -> None:
    scored = nbest(SCORED)
    assert scored.entries == (("we", "know"), ("we",), ())
    # A bytelog is log base 1.0001, divided by 1024.
    assert scored.scores == pytest.approx(
        [-1000 / 10000.5 * 1024, -2000 / 10000.5 * 1024, -3000 / 10000.5 * 1024]
    )
    timed = nbest(TIMED)
    assert timed.entries == (("we", "know"),)  # without phones, and without the misplaced state w-2
    assert timed.scores == pytest.approx([-1000 / 10000.5 * 1024])
    plain = nbest(PLAIN)
    assert (plain.entries, plain.scores) == ((("we", "know"), ()), None)


def test_srilm_lists_in_a_folder(tmp_path: Path) -> None:
    for name, text in (("u1", SCORED), ("u2", TIMED), ("u10", PLAIN)):
        (tmp_path / f"{name}.score").write_text(text)
    items = read_items(tmp_path)
    assert (items.formats, [item.id for item in items.items]) == (("nbest-srilm",), ["u1", "u2", "u10"])
    # Without the ending, the two layouts with a first line of their own are still known.
    assert read_items(Source("a.txt", SCORED.encode())).formats == ("nbest-srilm",)


NLP = "token|speaker|ts|endTs|punctuation|case|tags\nIt|1|0.07||,|UC|[]\ncosts|1||||LC|[]\n\n$10|1||||LC|['0:MONEY']\n"


def test_nlp_tokens_are_words(tmp_path: Path) -> None:
    (item,) = FORMATS["nlp"].read(Source("f", NLP.encode()), ReadOptions())
    assert (item.id, item.value) == (None, ("It", "costs", "$10"))
    assert item.left_out == ("speakers", "times", "punctuation", "tags")
    for name in ("a.nlp", "a.txt", "a"):
        assert read_items(Source(name, NLP.encode())).formats == ("nlp",)
    (tmp_path / "r.nlp").write_text(NLP)
    (tmp_path / "h.txt").write_text("It cost $10\n")
    found = command("score", tmp_path / "r.nlp", tmp_path / "h.txt", "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (1, 1, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": is empty"),
        ("word|speaker\na|1\n", ":1: expected the head `token.speaker"),
        ("token|speaker|ts\na|1\n", ":2: expected 3 columns parted by bars, as the head has, found 2"),
        ("token|speaker\n|||1\n", ":2: expected 2 columns parted by bars, as the head has, found 4"),
    ],
)
def test_damaged_nlp(text: str, message: str) -> None:
    with pytest.raises(InputError, match=r"^f" + message):
        list(FORMATS["nlp"].read(Source("f", text.encode()), ReadOptions()))


def test_files_of_fstalign(shared: Path) -> None:
    """Its own count of align_1, and the words of its references; its ctm has times in whole seconds."""
    folder = shared / "expected-fstalign"
    sides = (folder / "align_1.ref.nlp", folder / "align_1.hyp.ctm")
    found = command(
        "score", *sides, "--lowercase", "--grammar", folder / "synonyms.rules.txt", "--json"
    ).summary
    counts = [found[name] for name in ("items", "path_length", "insertions", "deletions", "substitutions")]
    assert counts == [1, 12, 0, 1, 0]
    found = command(
        "score", folder / "short.ref.nlp", folder / "short.hyp.nlp", "--lowercase", "--json"
    ).summary
    assert (found["items"], found["path_length"]) == (1, 32)


@pytest.mark.parametrize(
    ("case", "hypothesis", "rules", "counts"),
    [
        ("syn_7", "hyp.txt", "syn_7.synonym.rules.txt", [20, 1, 0, 0]),
        ("syn_7", "hyp2.txt", "syn_7.synonym.rules.txt", [20, 1, 1, 0]),
        ("syn_7", "hyp3.txt", "syn_7.synonym.rules.txt", [19, 1, 0, 0]),
        ("align_1", "hyp.ctm", "synonyms.rules.txt", [12, 0, 1, 0]),
        ("align_2", "hyp.ctm", None, [10, 0, 1, 1]),
    ],
)
def test_candidates_of_tags_as_fstalign_counts(
    shared: Path, case: str, hypothesis: str, rules: str | None, counts: list[int]
) -> None:
    """Its expected words of the reference, insertions, deletions and substitutions; cut-off words by `fragments`."""
    folder = shared / "expected-fstalign"
    grammars = ["--grammar", f"fragments,{folder / rules}"] if rules else []
    found = command(
        "score", folder / f"{case}.ref.nlp", folder / f"{case}.{hypothesis}", "--lowercase", *grammars,
        "--tag-candidates", folder / f"{case}.norm.json", "--json",
    ).summary  # fmt: skip
    names = ("path_length", "insertions", "deletions", "substitutions")
    assert [found[name] for name in names] == counts


TAGGED = """token|speaker|tags
it|1|[]
costs|1|[]
$10|1|['0:MONEY']
{m}/@|1|['0:MONEY', '3:NOUN']
<*>|1|['1:NOISE']
(no)|1|['2:NAME']
"""
CANDIDATES = """{"0": {"class": "MONEY", "candidates": [
    {"probability": 0.5, "verbalization": ["ten million", "dollars"]}, {"verbalization": []}]},
  "1": {"candidates": [{"verbalization": ["@"]}, {"verbalization": ["<*>"]}]}, "9": {"candidates": []}}"""


def candidates_of(tmp_path: Path, candidates: str) -> object:
    path = written(tmp_path / "r.nlp", TAGGED)
    (item,) = read_items(path, tag_candidates=written(tmp_path / "norm.json", candidates)).items
    return item.value


def test_candidates_of_tags_are_alternatives(tmp_path: Path) -> None:
    """Marks of choices in words are letters. What has no candidates stays as it is."""
    reference = candidates_of(tmp_path, CANDIDATES)
    assert isinstance(reference, fm.Transcript)
    for said in ("$10 {m}/@ <*>", "ten million dollars @", "@", "<*>"):
        assert fm.align(f"it costs {said} (no)", reference).edits == 0
    assert fm.align("it costs $10 dollars x (no)", reference).edits == 2
    assert fm.align("it costs <*>", reference).edits == 1
    assert not reference.has_wildcards


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ("[]", r"norm.json: expected fstalign's .*, found '\[\]'"),
        ("{", "norm.json: expected fstalign's .*; this is not JSON: "),
        ('{"0": {}}', "norm.json: tag '0': expected fstalign's "),
        ('{"0": {"candidates": [{"verbalization": "ten"}]}}', "norm.json: tag '0': expected fstalign's "),
        ('{"0": {"candidates": [{}]}}', "norm.json: tag '0': expected fstalign's "),
        (
            '{"8": {"candidates": []}}',
            r"norm.json: has no candidates for a tag of .*r.nlp \(there: '0:MONEY, ",
        ),
    ],
)
def test_candidates_that_cannot_be_read(tmp_path: Path, candidates: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        candidates_of(tmp_path, candidates)


def test_candidates_need_tagged_references(tmp_path: Path) -> None:
    text = written(tmp_path / "t.txt", "a b\n")
    candidates = written(tmp_path / "norm.json", CANDIDATES)
    done = command("score", text, text, "--tag-candidates", candidates)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "norm.json: gives candidates for the tags of references in fstalign's NLP format" in done.err


def test_times_in_whole_seconds() -> None:
    (item,) = FORMATS["ctm"].read(Source("f", b"f 1 1 1 a\nf 1 3 1 b\n"), ReadOptions())
    assert [(text.begin, text.duration) for text in item.value.texts] == [(1, 1), (3, 1)]
    # Without a name or a point in a time, it may be text.
    assert read_items(Source("f", b"f 1 1 1 a\nf 1 3 1 b\n")).formats != ("ctm",)


def test_beams_of_nemo_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "preds_out_width16_alpha1.0_beta0.0.tsv"
    path.write_text("the cat\t-3.2\nthe cap\t-3.5\n")
    with pytest.raises(InputError, match="looks like a file of NeMo's beam search: it does not say where"):
        read_items(path)


SEGMENTS = [
    {"session_id": "m1", "speaker": "a", "start_time": 0.5, "end_time": 1, "words": "good  morning"},
    {"session_id": "m1", "speaker": "b", "start_time": 1.50, "end_time": 2, "words": ""},
]


def segments(text: str) -> list[tuple[str | None, object]]:
    items = FORMATS["seglst"].read(Source("f", text.encode()), ReadOptions())
    return [(item.id, item.value) for item in items]


def test_segments_have_ids_of_their_own(tmp_path: Path) -> None:
    assert segments(json.dumps(SEGMENTS)) == [("m1_a_0.5_1", ("good", "morning")), ("m1_b_1.5_2", ())]
    alone = [SEGMENTS[0], SEGMENTS[1] | {"session_id": "m2"}]
    assert [id for id, _ in segments(json.dumps(alone))] == ["m1", "m2"]
    (tmp_path / "a.json").write_text(json.dumps(alone, indent=1))
    assert read_items(tmp_path / "a.json").formats == ("seglst",)


def test_segments_keep_what_else_the_file_says() -> None:
    text = json.dumps(
        [*SEGMENTS, {"session_id": "m2", "words": "a", "end_time": "late", "age": 31, "snr": 1.5, "tags": []}]
    )
    found = [item.fields for item in FORMATS["seglst"].read(Source("f", text.encode()), ReadOptions())]
    assert found == [
        {"session": "m1", "speaker": "a", "start": 0.5, "end": 1.0, "duration": 0.5},
        {"session": "m1", "speaker": "b", "start": 1.5, "end": 2.0, "duration": 0.5},
        {"session": "m2", "end": "late", "age": 31, "snr": 1.5},
    ]
    (item,) = FORMATS["stm"].read(Source("f", b"f1 A ann 0.1 0.3 <o,f0> good morning\n"), ReadOptions())
    assert item.fields == {
        "file": "f1", "channel": "A", "speaker": "ann", "start": 0.1, "end": 0.3, "duration": 0.2,
        "label1": "o", "label2": "f0",
    }  # fmt: skip


def test_labels_of_stm_are_called_as_its_comments_say() -> None:
    text = """;; CATEGORY "0" "" ""
;; CATEGORY "2" "Speaker Sex" ""
;; CATEGORY "1" "Hub4 Focus//Conditions" ""
;; LABEL "F0" "Baseline" "Clean"
f 1 ann 0 1 <o,f0,female> good morning
f 1 ann 1 2 <o,,female> <*> morning
f 1 ann 2 3 <*> good
;; LABEL "Female" "Female" ""
"""
    items = list(FORMATS["stm"].read(Source("f", text.encode()), ReadOptions()))
    columns = {"file", "channel", "speaker", "start", "end", "duration"}
    found = [{name: value for name, value in item.fields.items() if name not in columns} for item in items]
    sex = {"label1": "o", "speaker_sex": "Female"}
    assert found == [sex | {"hub4_focus_conditions": "F0"}, sex, {}]
    titled = b';; CATEGORY "0" "Speaker" ""\nf 1 ann 0 1 <x> good\n'
    (item,) = FORMATS["stm"].read(Source("f", titled), ReadOptions())
    assert (item.fields["speaker"], item.fields["label_speaker"]) == ("ann", "x")


def test_seglst_on_the_command_line(tmp_path: Path) -> None:
    said = [segment | {"words": "good evening"} for segment in SEGMENTS]
    for name, segments in (("ref.json", SEGMENTS), ("hyp.json", said)):
        (tmp_path / name).write_text(json.dumps(segments))
    found = command("score", tmp_path / "ref.json", tmp_path / "hyp.json", "--json").summary
    assert (found["items"], found["edits"], found["path_length"]) == (2, 3, 2)
    refused = command("oracle", tmp_path / "ref.json", tmp_path / "hyp.json")
    assert refused.status == 2
    assert "looks like text" in refused.err


def test_plain_sentences_are_what_the_notation_makes_of_them(tmp_path: Path) -> None:
    r"""Sentences without a mark are not parsed; one with a mark that means nothing, `\a`, is."""
    draw = random.Random(4)
    texts = [
        " ".join(draw.choices(["a", "b-", "c*", "d>", "é", "|x|", "[y]", ")"], k=draw.randint(0, 6)))
        for _ in range(60)
    ]
    texts += ["  a \t b\u2003c ", "a\x1cb"]
    lines = [f"{text} (p-{n})\n{text} \\z (q-{n})\n" for n, text in enumerate(texts)]
    items = {item.id: item for item in read_items(str(written(tmp_path / "x.trn", "".join(lines)))).items}
    for n in range(len(texts)):
        assert (*items[f"p-{n}"].value, "z") == items[f"q-{n}"].value
