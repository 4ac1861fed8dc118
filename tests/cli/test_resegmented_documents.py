"""`--resegment`: what is left out of documents that one side lacks, and names of recordings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import fstmetrics

import fstmetrics as fm

SEGMENTS = {"t1_001": "the cat", "t1_002": "sat down", "t2_001": "a dog", "t2_002": "ran off"}
IDS = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
SKIP = ("--resegment", "--missing", "skip")


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ids("ref", SEGMENTS)
    ids("one", {"t1": "the cat sat up down"})
    ids("both", {"t1": "the cat sat down", "t2": "a dog ran"})
    ids("other", {"t1": "the hat sat down", "t3": "who is it", "T3_b": "nobody"})
    ids("segments", {"t1_001": "the cat", "t1_002": "sat up down"})


def ids(name: str, lines: dict[str, str]) -> None:
    Path(name).write_text("".join(f"{id} {line}\n" for id, line in lines.items()))


def test_what_is_left_out_is_told_as_of_segments() -> None:
    cut = fstmetrics("score", "ref", "one", *SKIP, *IDS)
    whole = fstmetrics("score", "ref", "segments", "--missing", "skip", *IDS)
    for found in (cut, whole):
        assert "[PARTIAL]" in found.out
        assert "2 items; 2 left out: " in found.out
    for command, *options in (
        ("score",),
        ("score", "--metric", "bleu"),
        ("hyter",),
        ("score", "--unit", "mixed"),
    ):
        ours = fstmetrics(command, "ref", "one", *SKIP, *IDS, *options, "--json").summary
        theirs = fstmetrics(command, "ref", "segments", "--missing", "skip", *IDS, *options, "--json").summary
        assert (ours["items"], ours["skipped"]) == (theirs["items"], theirs["skipped"]) == (2, 2)
        assert ours["score"] == theirs["score"]
    score = fm.score_files(
        references="ref", hypotheses="one", resegment=True, missing="skip", format="kaldi-text"
    )
    assert score.left_out.skipped == 2
    kept = fstmetrics("score", "ref", "one", "--resegment", "--keep-going", *IDS)
    assert (kept.status, "2 left out" in kept.out) == (1, True), kept
    assert fstmetrics("score", "ref", "both", *SKIP, *IDS, "--json").summary["skipped"] == 0


def test_segment_tells_it() -> None:
    found = fstmetrics("segment", "ref", "one", "--missing", "skip", *IDS)
    assert found.out == "t1_001 the cat\nt1_002 sat up down\n"
    assert "[PARTIAL]\n2 left out: one of the files does not have their documents\n" in found.err
    assert "PARTIAL" not in fstmetrics("segment", "ref", "both", "--missing", "skip", *IDS).err
    summary = fstmetrics("segment", "ref", "one", "--missing", "skip", *IDS, "--json").summary
    assert (summary["documents"], summary["items"], summary["skipped"]) == (1, 2, 2)
    assert (
        fm.segment_files(references="ref", hypotheses="one", missing="skip", format="kaldi-text").skipped == 2
    )


def test_documents_of_hypotheses_alone_are_left_out_with_skip_only() -> None:
    for command in (("segment",), ("score", "--resegment")):
        found = fstmetrics(*command, "ref", "other", *IDS)
        assert "other: has t3, T3_b, of which the references have no segment" in found.err
        assert "(--missing skip leaves them out)" in found.err
    summary = fstmetrics("score", "ref", "other", *SKIP, *IDS, "--json").summary
    assert (summary["items"], summary["skipped"], summary["edits"]) == (2, 4, 1)
    ids("stranger", {"t8": "a"})
    found = fstmetrics("segment", "ref", "stranger", *IDS)
    assert "--missing skip" not in found.err
    Path("talk.stm").write_text(STM)
    found = fstmetrics("segment", "talk.stm", "stranger", "--missing", "skip", "--format", "kaldi-text")
    assert (found.status, "nothing to cut" in found.err) == (2, True), found


@pytest.mark.parametrize("documents", [False, True])
def test_folders_and_told_documents(documents: bool) -> None:
    Path("hyps").mkdir()
    Path("hyps/t1.txt").write_text("the cat sat down")
    Path("hyps/t9.txt").write_text("hello")
    if documents:
        Path("plain.txt").write_text("".join(f"{line}\n" for line in SEGMENTS.values()))
        Path("docs.txt").write_text("t1\nt1\nt2\nt2\n")
        given = ["plain.txt", "hyps", "--documents", "docs.txt"]
    else:
        Path("refs").mkdir()
        Path("refs/t1.txt").write_text("the cat\nsat down\n")
        Path("refs/t2.txt").write_text("a dog\nran off\n")
        given = ["refs", "hyps"]
    summary = fstmetrics("score", *given, *SKIP, "--json").summary
    assert (summary["items"], summary["skipped"], summary["edits"]) == (2, 3, 0)


@pytest.mark.parametrize("other", ["both", "other"])
def test_several_systems_are_compared_on_the_documents_of_all(other: str) -> None:
    left = 2 if other == "both" else 4
    found = fstmetrics("compare", "--ref", "ref", "one", other, *SKIP, *IDS, "--metric", "wer")
    assert f"{left} items left out: a file has nothing for their ids" in found.out, found
    assert "\n2 items\n" in found.out
    summary = fstmetrics(
        "compare", "--ref", "ref", other, "one", *SKIP, *IDS, "--metric", "wer", "--json"
    ).summary
    assert summary["systems"]["one"]["wer"]["score"] == 1 / 4
    alone = fm.compare_files(
        ["one", other], references="ref", metric="wer", resegment=True, missing="skip", format="kaldi-text"
    )
    assert any("left out" in remark for remark in alone.remarks)
    page = fstmetrics("report", "--ref", "ref", "one", other, *SKIP, *IDS, "-o", "page.html")
    assert page.status == 0, page


def test_advice_of_compare_works() -> None:
    found = fstmetrics("compare", "--ref", "ref", "one", "both", "--resegment", *IDS)
    assert "one: has nothing of t2" in found.err
    assert "(--missing skip leaves such items out)" in found.err
    assert "empty" not in found.err
    assert "empty" in fstmetrics("score", "ref", "one", "--resegment", *IDS).err


def test_segments_of_no_document_are_no_documents() -> None:
    found = fstmetrics("segment", "ref", "one", "--missing", "empty", *IDS, "--json").summary
    assert (found["documents"], found["items"], found["skipped"]) == (1, 4, 0)
    assert [each.get("document") for each in found["segments"]] == ["t1", "t1", None, None]
    assert found["remarks"][:2] == [
        "one: 1 document cut into 2 segments by the fewest edits",
        "one has nothing of t2_001, t2_002: 2 segments without words, by --missing empty",
    ]
    Path("docs").write_text("t1\nt1\nt2\nt2\n")
    said = ["one: 1 document cut into 2 segments by the fewest edits",
            "one has nothing of t2: 2 segments without words, by --missing empty"]  # fmt: skip
    told = ("--resegment", "--missing", "empty", "--documents", "docs", *IDS[:2])
    assert [
        line for line in fstmetrics("score", "ref", "one", *told).out.splitlines() if line in said
    ] == said
    both = fstmetrics("score", "ref", "both", *told)
    assert ("--missing" in both.out, "2 documents cut into 4 segments" in both.out) == (False, True), both


STM = "talk 1 sp 0.0 2.0 the cat\ntalk 1 sp 2.0 4.0 sat down\n"
WRITTEN = {
    "srt": "1\n00:00:00,000 --> 00:00:04,000\nthe cat sat down\n\n",
    "vtt": "WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nthe cat sat down\n",
    "tsv": "start\tend\ttext\n0\t1000\tthe\n1000\t2000\tcat\n2000\t4000\tsat down\n",
    "csv": 'start,end,text\n0,1500," the"\n1500,4000," cat sat down"\n',
    "json": json.dumps(
        {"text": "the cat sat down", "language": "en",
         "segments": [{"id": 0, "start": 0.0, "end": 4.0, "text": "the cat sat down"}]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_file_of_another_recording_is_refused_and_the_advice_works(ending: str) -> None:
    Path("ref.stm").write_text(STM)
    name = f"other.{ending}"
    Path(name).write_text(WRITTEN[ending])
    for arguments in (
        ("segment", "ref.stm", name),
        ("score", "ref.stm", name, "--resegment"),
        ("score", "ref.stm", name),
        ("compare", "--ref", "ref.stm", name, "--resegment"),
    ):
        found = fstmetrics(*arguments)
        assert (found.status, found.err.count("\n")) == (2, 1), found
        assert f"if it is of talk, rename it to talk.{ending}" in found.err, found
    Path(name).rename(f"talk.{ending}")
    for options in ((), ("--resegment",)):
        assert fstmetrics("score", "ref.stm", f"talk.{ending}", *options, "--json").summary["edits"] == 0
    Path("docs.txt").write_text("other\nother\n")  # what the segments are of may be told
    Path("plain.txt").write_text("the cat\nsat down\n")
    Path(name).write_text(WRITTEN[ending])
    assert fstmetrics("segment", "plain.txt", name, "--documents", "docs.txt").status == 0
    Path("words.txt").write_text("the cat sat down\n")  # a text names no recording
    for hypothesis in ("words.txt", name):
        assert fstmetrics("segment", "plain.txt", hypothesis).status == 0
    assert fstmetrics("segment", "ref.stm", "words.txt").status == 0


@pytest.mark.parametrize("ending", WRITTEN)
def test_a_recording_with_times_pairs_with_no_lines_and_the_advice_works(ending: str) -> None:
    Path("ref.txt").write_text("the cat\nsat down\n")
    Path(f"talk.{ending}").write_text(WRITTEN[ending])
    refused = fstmetrics("score", "ref.txt", f"talk.{ending}")
    assert (refused.status, "score --resegment cuts its words" in refused.err) == (2, True), refused
    assert fstmetrics("score", "ref.txt", f"talk.{ending}", "--resegment", "--json").summary["edits"] == 0
    by_order = fstmetrics("score", "ref.txt", f"talk.{ending}", "--fields", "id=")
    assert (by_order.status, "score --resegment cuts its words" in by_order.err) == (2, True), by_order


def test_a_folder_of_other_recordings_is_refused() -> None:
    Path("ref.stm").write_text(STM)
    Path("subtitles").mkdir()
    for name in ("a", "b"):
        Path("subtitles", f"{name}.srt").write_text(WRITTEN["srt"])
    for options in ((), ("--resegment",)):
        found = fstmetrics("score", "ref.stm", "subtitles", *options)
        assert (found.status, "a file is called as its recording: rename those" in found.err) == (2, True), (
            found
        )


@pytest.mark.parametrize("names", [("talk",), ("talk", "walk"), ("t1", "t2")])
def test_first_words_are_ids_where_the_other_side_has_all_of_them(names: tuple[str, ...]) -> None:
    Path("words.ctm").write_text("".join(f"{n} 1 0.0 0.5 the\n{n} 1 0.5 0.5 cat\n" for n in names))
    ids("r", dict.fromkeys(names, "the cat"))
    for options in ((), ("--resegment",)):
        summary = fstmetrics("score", "r", "words.ctm", *options, "--json").summary
        assert (summary["edits"], summary["path_length"]) == (0, 2 * len(names))
    assert fstmetrics("segment", "r", "words.ctm").out == "".join(f"{name} the cat\n" for name in names)
    ids("h", dict.fromkeys(names, "the cat"))
    Path("r.trn").write_text("".join(f"the cat ({name})\n" for name in names))
    for options in ((), ("--resegment",)):
        assert fstmetrics("score", "r.trn", "h", *options, "--json").summary["edits"] == 0


def test_a_number_that_begins_a_single_line_is_a_word() -> None:
    Path("words.ctm").write_text("1 1 0.0 0.5 1\n1 1 0.5 0.5 cat\n")
    Path("r").write_text("1 cat\n")
    for options in ((), ("--resegment",)):
        summary = fstmetrics("score", "r", "words.ctm", *options, "--json").summary
        assert (summary["edits"], summary["path_length"]) == (0, 2)


def test_further_references_pair_by_id() -> None:
    order = list(SEGMENTS)[::-1]
    ids("more", {id: SEGMENTS[id].replace("the", "a") for id in order})
    ids("h", {"t1": "a cat sat down", "t2": "a dog ran off"})
    for command in (("score", "--resegment"), ("segment",)):
        assert fstmetrics(*command, "ref", "h", "--ref", "more", *IDS, "--json").summary["edits"] == 0
    ids("short", dict(list(SEGMENTS.items())[:3]))
    found = fstmetrics("segment", "ref", "h", "--ref", "short", *IDS)
    assert "short: lacks t2_002, which ref has" in found.err
    ids("long", {**SEGMENTS, "t2_003": "x"})
    assert "ref: lacks t2_003, which long has" in fstmetrics("segment", "ref", "h", "--ref", "long", *IDS).err


def test_compare_says_that_segments_of_documents_are_resampled_by_item() -> None:
    hint = "resamples are of items; --blocks document resamples the 2 documents"
    call = ("compare", "both", "also", "--ref", "ref", "--metric", "wer", "--resegment", *IDS)
    ids("also", {"t1": "the cat sat up down", "t2": "a dog ran"})
    assert hint in fstmetrics(*call).out
    for options in (("--blocks", "document"), ("--blocks", "item")):
        found = fstmetrics(*call, *options)
        assert (found.status, hint in found.out) == (0, False), found
    assert "resamples the" not in fstmetrics(
        "compare", "segments", "segments", "--ref", "ref", "--missing", "skip", "--metric", "wer", *IDS
    ).out  # fmt: skip


def kaldi(name: str, text: dict[str, str], segments: str) -> None:
    """A data folder, whose segments are of the speaker `s`."""
    Path(name).mkdir()
    ids(f"{name}/text", text)
    Path(name, "segments").write_text(segments)
    Path(name, "utt2spk").write_text("".join(f"{id} s\n" for id in text))


def test_data_folders_of_kaldi_are_no_folders_of_documents() -> None:
    times = "u1 rec 10 12\nu2 rec 0 2\n"
    kaldi("k1", {"u1": "c d", "u2": "a b"}, times)
    kaldi("k2", {"u1": "c d", "u2": "a x"}, times)
    kaldi("k3", {"u1": "c d", "u2": "e x"}, times)
    ids("text", {"rec": "a x c d"})
    Path("hyp.txt").write_text("a x c d\n")
    for hyp in ("k2", "text", "hyp.txt"):
        for options in ((), ("--ref-format", "kaldi-data")):
            found = fstmetrics("score", "k1", hyp, "--resegment", *options, "--json").summary
            assert (found["edits"], found["path_length"], found["items"]) == (1, 4, 2)
        assert fstmetrics("segment", "k1", hyp).out == "u1 c d\nu2 a x\n"
    found = fstmetrics("compare", "k2", "k3", "--ref", "k1", "--resegment", "--metric", "wer")
    assert all(score in found.out for score in ("0.2500", "0.5000"))


def test_segments_of_several_recordings_of_kaldi_stay_in_their_recording() -> None:
    kaldi("k", {"u1": "a b", "u2": "c d", "u3": "e f"}, "u1 one 0 1\nu2 one 5 6\nu3 two 3 4\n")
    ids("text", {"one": "a b c d", "two": "e f"})
    assert fstmetrics("score", "k", "text", "--resegment", "--json").summary["edits"] == 0
    Path("hyp.txt").write_text("a b c d e f\n")
    assert "there are 2 documents" in fstmetrics("score", "k", "hyp.txt", "--resegment").err


def test_numbers_that_go_back_are_in_doubt_where_lines_have_the_order() -> None:
    """As Kaldi sorts: talk_1, talk_10, talk_2."""
    lines = {f"talk_{n}": f"w{n} x{n}" for n in sorted(range(1, 13), key=str)}
    ids("sorted", {**lines, "b_1": "v"})
    ids("whole", {"talk": " ".join(f"w{n} x{n}" for n in range(1, 13)), "b": "v"})
    for command in (("score", "--resegment"), ("segment",)):
        found = fstmetrics(*command, "sorted", "whole", *IDS)
        assert "sorted: has talk_2 behind talk_12, and" in found.err
    told = {
        "ids": "".join(f"{id} {id.partition('_')[0]}\n" for id in (*lines, "b_1")),
        "lines": "talk\n" * 12 + "b\n",
    }
    for name, text in told.items():
        Path(name).write_text(text)
    call = ("score", "sorted", "whole", "--resegment", *IDS, "--documents")
    assert "has talk_2 behind talk_12" in fstmetrics(*call, "ids").err
    assert fstmetrics(*call, "lines", "--json").summary["items"] == 13
    ids("right", {f"talk_{n}": f"w{n} x{n}" for n in range(1, 13)} | {"b_1": "v"})
    assert fstmetrics("score", "right", "whole", "--resegment", *IDS, "--json").summary["edits"] == 0
    found = fstmetrics("score", "right", "sorted", "--resegment", "--documents", "lines", *IDS)
    assert "sorted: has talk_2 behind talk_12" in found.err  # pieces of a document


def test_numbers_that_go_back_are_nothing_beside_times_or_speakers() -> None:
    row = {"document": "talk", "session": "talk"}
    rows = [{**row, "id": f"talk_{n}", "text": f"w{n}", "start": n} for n in (1, 10, 2)]
    Path("r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ids("whole", {"talk": "w1 w2 w10"})
    assert fstmetrics("score", "r.jsonl", "whole", "--resegment", "--json").summary["edits"] == 0
    ids("r", {"talk_s2_1": "a b", "talk_s1_1": "c d", "talk_s2_2": "e f"})
    ids("whole", {"talk": "a b c d e f"})
    assert fstmetrics("score", "r", "whole", "--resegment", *IDS, "--json").summary["edits"] == 0


TALKS = {
    "d0": ["it rained all night", "and the river rose", "so we left the house"],
    "d1": ["bees find their way home", "by the sun", "even where clouds hide it"],
    "d2": ["who pays for the bridge", "nobody knows yet"],
}
OTHER_ORDER = "whose documents pair by order: d0, d1 have the words of the references of d1, d0"


def talks(order: list[str], change: str = "") -> None:
    """A line a document in some order; `change` stands in place of the first word of each."""
    Path("lines").write_text("".join(f"{line}\n" for own in TALKS.values() for line in own))
    Path("docs").write_text("".join(f"{name}\n" for name, own in TALKS.items() for _ in own))
    said = {name: " ".join(own).split() for name, own in TALKS.items()}
    rows = [[*([change] if change else said[name][:1]), *said[name][1:]] for name in order]
    Path("hyp").write_text("".join(" ".join(row) + "\n" for row in rows))
    Path("named").write_text(
        "".join(f"{name} {' '.join(row)}\n" for name, row in zip(order, rows, strict=True))
    )


@pytest.mark.parametrize("change", ["", "uh"])
def test_documents_in_another_order_than_their_segments_are_remarked_on(change: str) -> None:
    talks(["d1", "d0", "d2"], change)
    cut = ("--documents", "docs")
    for command in (("score", "--resegment"), ("hyter", "--resegment"), ("segment",)):
        found = fstmetrics(*command, "lines", "hyp", *cut)
        assert OTHER_ORDER in found.out + found.err
        assert f"{2 * bool(change)} errors in place of" in found.out + found.err
    Path("twice").write_text("".join(f"{line}\n" for own in TALKS.values() for line in own[::-1]))
    more = fstmetrics("score", "lines", "hyp", "--ref", "twice", "--resegment", *cut)
    assert OTHER_ORDER in more.out
    named = fstmetrics(
        "score", "lines", "named", "--resegment", *cut, "--format", "kaldi-text", "--json"
    ).summary
    assert named["edits"] == (3 if change else 0)
    assert not any(OTHER_ORDER[:30] in remark for remark in named["remarks"])
    named_lines = Path("named").read_text().splitlines()
    rows = [dict(zip(("document", "text"), line.split(" ", 1), strict=True)) for line in named_lines]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = fstmetrics("score", "lines", "rows.jsonl", "--resegment", *cut, "--json").summary
    assert again["edits"] == named["edits"]


def test_documents_in_order_are_not_remarked_on() -> None:
    talks(list(TALKS), "uh")
    right = Path("hyp").read_text().splitlines()
    poor = [" ".join(line.split()[::3]) for line in right]  # most words are lacking
    loop = [*right[:2], " ".join([right[0], right[1]] * 4)]
    for lines in (right, poor, loop, ["", *right[1:]], [right[0], right[0], right[2]], ["yes"] * 3):
        Path("hyp").write_text("".join(f"{line}\n" for line in lines))
        found = fstmetrics("score", "lines", "hyp", "--resegment", "--documents", "docs")
        assert (found.status, "errors in place of" in found.out) == (0, False), found.out


# What was said, a line a segment, and ids in whose order as strings the segments are not those of the time.
SAID = [
    "so good morning everybody",
    "we are going to talk today",
    "what is a lattice",
    "a lattice is a graph",
]
REFS = {
    "csv": lambda ids: "id,text\n" + "".join(f"{id},{text}\n" for id, text in ids),
    "trn": lambda ids: "".join(f"{text} ({id})\n" for id, text in ids),
    "txt": lambda ids: "".join(f"{id} {text}\n" for id, text in ids),
}


@pytest.mark.parametrize("ending", REFS)
@pytest.mark.parametrize("begin", ["talk1_", "", "a-talk1-utt"])
def test_numbers_that_go_back_are_in_doubt_without_the_name_of_the_document(ending: str, begin: str) -> None:
    numbers = dict(zip((8, 9, 10, 11), SAID, strict=True))
    options = ("--ref-format", "kaldi-text") if ending == "txt" else ()
    for name, order in (("sorted", sorted(numbers, key=str)), ("right", [*numbers])):
        Path(f"{name}.{ending}").write_text(REFS[ending]([(f"{begin}{n}", numbers[n]) for n in order]))
    Path("doc.txt").write_text(" ".join(SAID) + "\n")
    Path("other.json").write_text(json.dumps({"text": " ".join(SAID), "segments": [], "language": "en"}))
    Path("lines").write_text("talk\n" * 4)
    for hyp in ("doc.txt", "other.json"):
        for command in (("score", "--resegment"), ("segment",)):
            found = fstmetrics(*command, f"sorted.{ending}", hyp, *options)
            message = (
                f"sorted.{ending}: has {begin}8 behind {begin}11, and what the document says is taken in"
            )
            assert (found.status, message in found.err) == (2, True), found
        right = fstmetrics("score", f"right.{ending}", hyp, "--resegment", *options, "--json").summary
        assert right["edits"] == 0
    told = ("--resegment", *options, "--documents", "lines", "--json")
    assert fstmetrics("score", f"sorted.{ending}", "doc.txt", *told).summary["items"] == 4


@pytest.mark.parametrize(
    ("names", "is_remarked"),
    [
        (("ann-talk1-01", "ann-talk1-04", "bob-talk1-02", "bob-talk1-03"), True),
        (("talk1_s1_1", "talk1_s1_4", "talk1_s2_2", "talk1_s2_3"), True),
        (("ann-talk1-01", "bob-talk1-02", "bob-talk1-03", "ann-talk1-04"), False),
        (("lec_a-1", "lec_a-2", "lec_b-1", "lec_b-2"), False),
        (("a1-x", "a2-y", "a3-z", "a4-v"), False),
    ],
)
def test_ids_that_begin_with_speakers_are_no_order_of_the_time(
    names: tuple[str, ...], is_remarked: bool
) -> None:
    times = [0, 3, 1, 2] if is_remarked else range(4)
    ids("refs", {id: SAID[time] for id, time in zip(names, times, strict=True)})
    ids("talk1.txt", {"talk1": " ".join(SAID)})
    Path("doc.txt").write_text(" ".join(SAID) + "\n")
    remark = f"refs: in the order of the numbers of their ids ({names[0]}, {names[2]}, {names[3]}, ...)"
    for hyp, options in (("doc.txt", IDS[2:]), ("talk1.txt", IDS)):
        if hyp == "talk1.txt" and not names[0].startswith("talk1_"):
            continue
        for command in (("score", "--resegment"), ("segment",)):
            found = fstmetrics(*command, "refs", hyp, *options, "--json").summary
            assert (found["edits"] > 9) == is_remarked
            told = [each for each in found["remarks"] if "of their ids (" in each]
            assert [each[: len(remark)] for each in told] == [remark] * is_remarked


def test_as_many_lines_without_ids_as_ids_name_documents_are_remarked_on() -> None:
    segments = {f"talk{1 + n // 2}_00{n % 2}": text for n, text in enumerate(SAID)}
    ids("refs", segments)
    Path("refs.trn").write_text(REFS["trn"](segments.items()))
    Path("docs.txt").write_text("".join(f"{id} {id[:5]}\n" for id in segments))
    whole = [" ".join(SAID[:2]), " ".join(SAID[2:])]
    remark = (
        "hyp.txt has 2 items without ids, which are taken for one document in a row, and the ids of {} begin with as "
        "many names (talk1, talk2): if each item is one of these documents, in their order, --documents FILE with `ID "
        "DOCUMENT` of each segment says so"
    )
    for lines in (whole, whole[::-1]):
        Path("hyp.txt").write_text("".join(f"{line}\n" for line in lines))
        for ref, options in (("refs.trn", ()), ("refs", IDS[2:])):
            found = fstmetrics("score", ref, "hyp.txt", "--resegment", *options, "--json").summary
            assert remark.format(ref) in found["remarks"]
            told = ("--resegment", "--documents", "docs.txt", *options, "--json")
            remarks = fstmetrics("score", ref, "hyp.txt", *told).summary["remarks"]
            assert not any("without ids" in each for each in remarks)
            assert any("have the words of the references of" in each for each in remarks) == (lines != whole)
    for lines in (SAID, [" ".join(SAID)], [*whole, "yes"]):
        Path("hyp.txt").write_text("".join(f"{line}\n" for line in lines))
        found = fstmetrics("score", "refs.trn", "hyp.txt", "--resegment", "--json").summary
        assert not any("without ids" in each for each in found["remarks"])


def test_bare_numbers_that_go_back_are_in_doubt_by_errors_alone() -> None:
    """Ids of a table may be any numbers; only what is sorted as strings is in no order of time."""
    Path("doc.txt").write_text(" ".join(SAID) + "\n")
    remark = "ref.csv: in the order of the numbers of their ids"
    for texts, is_remarked in ((SAID, False), ([SAID[2], SAID[0], SAID[3], SAID[1]], True)):
        Path("ref.csv").write_text(REFS["csv"](zip((31, 7, 405, 12), texts, strict=True)))
        found = fstmetrics("score", "ref.csv", "doc.txt", "--resegment", "--json").summary
        assert any(each.startswith(remark) for each in found["remarks"]) == is_remarked
        assert (found["edits"] > 9) == is_remarked


def test_recordings_of_a_log_pair_by_the_names_that_it_has() -> None:
    said = {"a": "the cat sat down", "b": "a dog runs"}
    rows = [
        {"prediction": text, "delays": [*range(len(text.split()))], "source": [f"/x/{name}.wav", "samplerate: 16000"],
         "source_length": 9}
        for name, text in said.items()
    ]  # fmt: skip
    Path("out.log").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for names in ("ab", "ba"):
        Path("ref.stm").write_text("".join(f"{name} 1 x 0 3 {said[name]}\n" for name in names))
        ids("refs", {f"{name}_{n}": said[name] for name in names for n in (1,)})
        Path("plain").write_text("".join(f"{said[name]}\n" for name in names))
        Path("docs").write_text("".join(f"{name}\n" for name in names))
        for options in (("ref.stm",), ("refs", *IDS[2:]), ("plain", "--documents", "docs")):
            ref, *more = options
            found = fstmetrics("score", ref, "out.log", "--resegment", *more, "--json").summary
            assert (found["edits"], found["path_length"]) == (0, 7), (names, options)
    Path("other.stm").write_text("a 1 x 0 3 the cat sat down\nc 1 x 0 3 a dog runs\n")
    found = fstmetrics("score", "other.stm", "out.log", "--resegment")
    assert (found.status, "out.log: has b, of which the references have no segment" in found.err) == (2, True)
    Path("docs").write_text("0\n1\n")  # other names than the log's: in the order of the lines
    Path("plain").write_text("".join(f"{text}\n" for text in said.values()))
    found = fstmetrics("score", "plain", "out.log", "--resegment", "--documents", "docs", "--json")
    assert found.summary["edits"] == 0
    assert fstmetrics("score", "plain", "out.log", "--resegment", "--json").summary["edits"] == 0


@pytest.mark.parametrize("start", [0, 1])
def test_a_table_whose_ids_number_its_rows_is_advised_on(start: int) -> None:
    rows = [f"{start + n},{n},{n + 1},{text}\n" for n, text in enumerate(("the cat sat", "down"))]
    Path("h.csv").write_text("id,start,end,text\n" + "".join(rows))
    Path("plain").write_text("the cat\nsat down\n")
    Path("docs").write_text("talk\ntalk\n")
    advice = "if the ids of h.csv number rows that stand in a row, --fields id= takes them so"
    for more in ((), ("--documents", "docs")):
        for command in (("score", "--resegment"), ("segment",)):
            found = fstmetrics(*command, "plain", "h.csv", *more)
            assert (found.status, advice in found.err) == (2, True), found
            assert (
                fstmetrics(*command, "plain", "h.csv", *more, "--fields", "id=", "--json").summary["edits"]
                == 0
            )
    Path("h.csv").write_text("id,text\nt1,the cat\nt2,sat down\n")
    assert "--fields id=" not in fstmetrics("segment", "plain", "h.csv").err


def test_ids_of_any_numbers_are_in_no_order() -> None:
    """Of those that are not sorted as strings nobody says that their numbers are an order."""
    Path("doc.txt").write_text(" ".join(SAID) + "\n")
    for numbers in ((753, 133, 920, 8), (2330, 2345, 0, 15)):
        Path("ref.trn").write_text(
            "".join(f"{text} (seg{n})\n" for text, n in zip(SAID, numbers, strict=True))
        )
        assert fstmetrics("score", "ref.trn", "doc.txt", "--resegment", "--json").summary["edits"] == 0
