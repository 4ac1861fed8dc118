"""Transcripts with choices, and the formats that hold them; sclite's own expected counts among it."""

from __future__ import annotations

import json
import pickle
import random
import re
import tracemalloc
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics as command
from hypothesis import given
from hypothesis import strategies as st
from slow_transcripts import parsed

import fstmetrics as fm
from fstmetrics.data.segments import Segment, TimedWord, TimedWords, cut, lonely
from fstmetrics.data.transcripts import NOTATIONS, Transcript, WrittenTranscript, escaped, written_transcript
from fstmetrics.io import read_items
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source

MARKS = {"sclite": ("{", "/", "}"), "braces": ("{", "|", "}"), "brackets": ("[", "|", "]")}

# A sentence is a list of words and choices, a choice a tuple of sentences.
words = st.sampled_from(["a", "b", "c-d", "e'"])
sentences = st.recursive(
    st.lists(words, max_size=3),
    lambda inner: st.lists(words | st.lists(inner, min_size=2, max_size=3).map(tuple), max_size=3),
    max_leaves=6,
)


def written(sentence: list, notation: str) -> str:
    """The sentence in a notation."""
    opening, bar, closing = MARKS[notation]
    nothing = "@" if notation == "sclite" else ""
    parts = [
        part
        if isinstance(part, str)
        else f"{opening} {f' {bar} '.join(written(p, notation) or nothing for p in part)} {closing}"
        for part in sentence
    ]
    return " ".join(parts)


def spelled_out(sentence: list) -> set[tuple[str, ...]]:
    """All word sequences, one by one."""
    parts = [{(p,)} if isinstance(p, str) else set().union(*map(spelled_out, p)) for p in sentence]
    return {sum(choice, ()) for choice in product(*parts)}


def strings(lattice: fm.Lattice) -> set[tuple[str, ...]]:
    a = lattice.automaton
    arcs = list(zip(a.sources.tolist(), a.destinations.tolist(), a.labels.tolist(), strict=True))
    finals = set(a.finals.tolist())

    def after(state: int) -> set[tuple[str, ...]]:
        found = {()} if state in finals else set()
        for source, destination, label in arcs:
            if source == state:
                word = lattice.symbols.words[label]
                found |= {((word,) if word else ()) + rest for rest in after(destination)}
        return found

    return after(a.start)


@given(sentences, st.sampled_from(sorted(MARKS)))
def test_the_automaton_holds_all_alternatives_and_nothing_else(sentence: list, notation: str) -> None:
    transcript = Transcript.parse(written(sentence, notation), notation)
    assert strings(transcript.lattice) == spelled_out(sentence)


@given(sentences, st.lists(words, max_size=5))
def test_the_best_alternatives_count_and_are_named(sentence: list, hypothesis: list[str]) -> None:
    transcript = Transcript.parse(written(sentence, "sclite"), "sclite")
    result = fm.align(hypothesis, transcript)
    every = [fm.align(hypothesis, list(s)) for s in spelled_out(sentence)]
    assert result.edits == min(r.edits for r in every)
    taken = transcript.taken(result.closest)
    assert len(taken) == len(transcript.choices)
    rebuilt, rest = [], iter(taken)
    for part in sentence:
        rebuilt += [part] if isinstance(part, str) else next(rest).split()
    assert tuple(rebuilt) == result.closest


def test_what_is_not_a_choice_stays_a_word() -> None:
    assert Transcript.parse("LOW ( ) - / < > (a b)", "sclite").words == (
        "LOW",
        "(",
        ")",
        "-",
        "/",
        "<",
        ">",
        "(a",
        "b)",
    )
    assert Transcript.parse("[noise] / {x} {a", "brackets").words == ("[noise]", "/", "{x}", "{a")
    assert Transcript.parse(r"\{ a \/ b \} \@x", "sclite").words == ("{", "a", "/", "b", "}", "@x")


def test_optional_word_and_nothing() -> None:
    assert strings(Transcript.parse("b (c) @ d", "sclite").lattice) == {("b", "c", "d"), ("b", "d")}
    assert Transcript.parse(r"b \(c) \(d\) \@", "sclite").words == ("b", "(c)", "(d)", "@")
    assert strings(Transcript.parse("{um|uh|} x", "braces").lattice) == {("um", "x"), ("uh", "x"), ("x",)}


def test_deep_nesting_does_not_recurse() -> None:
    depth = 20_000
    transcript = Transcript.parse("{ a / " * depth + "b" + " }" * depth, "sclite")
    assert fm.wer("b", transcript) == 0.0


@pytest.mark.parametrize(
    ("text", "notation", "what"),
    [
        ("a { b / c", "sclite", "'{' is not closed.*character 3"),
        ("a b }", "sclite", "'}' closes nothing.*character 5"),
        ("x [a|b", "brackets", r"'\[' is not closed.*character 3"),
        ("colo{u|}r", "braces", "write white space around it.*character 5"),
        ("a", "slashes", "unknown notation 'slashes'; choose one of: sclite, braces, brackets"),
    ],
)
def test_faults_are_named(text: str, notation: str, what: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=what):
        Transcript.parse(text, notation)  # type: ignore[arg-type]


def test_tags_and_escapes_of_nist_files() -> None:
    assert Transcript.parse(r"b\;x;tag1;tag\;2 c;;t", "sclite", tags=True).words == ("b;x", "c")
    assert Transcript.parse("b;x", "sclite").words == ("b;x",)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=5))
def test_an_escaped_word_is_one_word(word: str) -> None:
    if word not in ("@",) and not (word[0] == "(" and word[-1] == ")") and "\\" not in word:
        assert Transcript.parse(escaped(word), "sclite").words == (word,)


def test_what_is_escaped_already_stays() -> None:
    assert Transcript.parse(escaped(r"\{a"), "sclite").words == ("{a",)
    assert Transcript.parse(escaped("a/b", "{/}"), "sclite").words == ("a/b",)


def test_normalisation_reaches_alternatives() -> None:
    transcript = Transcript.parse("{ The / A } Cat", "sclite")
    assert fm.align("the cat", transcript).edits == 2
    result = fm.align("the cat", transcript, normalisation=fm.Normalisation(lowercase=True))
    assert result.edits == 0
    lowered = {word: (word.lower(),) for word in ("The", "A", "Cat")}
    assert transcript.taken(result.closest, lowered) == ("the",)


def source(text: str, name: str) -> Source:
    return Source(name, text.encode())


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("ref.txt", ";; c\na { b / c } (spk-1)\n(spk-2)\n", "trn"),
        ("ref", "f A s 0.1 2.5 <O> a { b / @ }\nf A s 2.5 3.0\n", "stm"),
        (
            "hyp",
            "f A 0.10 0.20 a 0.5\nf A * * <ALT_BEGIN>\nf A 0.5 0.1 b\nf A * * <ALT>\nf A * * <ALT_END>\n",
            "ctm",
        ),
        ("plain.txt", "a b (see 1)\nc d\n", "plain"),
    ],
)
def test_formats_are_recognised_by_content(name: str, text: str, format: str) -> None:
    assert read_items(source(text, name)).formats == (format,)


def test_times_of_ctm_may_be_whole() -> None:
    (words,) = read_items(source("f A 1 2 a\nf A 3 1.5 b\n", "x.ctm"), format="ctm").items
    assert [text.middle for text in words.value.texts] == [2.0, 3.75]
    assert read_items(source("f A 1 2 a\nf A 3 1.5 b\n", "x")).formats == ("ctm",)
    assert read_items(source("f A 1 2 a\nf A 3 4 b\n", "x")).formats == ("plain",)


def test_a_slash_in_a_word_of_ctm_parts_no_alternatives() -> None:
    lines = "f A * * <ALT_BEGIN>\nf A 1.0 0.1 and/or\nf A * * <ALT>\nf A 1.0 0.1 @\nf A * * <ALT_END>\n"
    (item,) = read_items(source(lines, "x.ctm")).items
    assert fm.align(item.value.transcript(), "and/or").edits == 0
    assert fm.align(item.value.transcript(), "or").edits == 1


def test_an_open_stretch_is_no_label_of_stm() -> None:
    items = read_items(source("f A s 0.0 1.0 <*> a\nf A s 1.0 2.0 <o,f0> <*> a\n", "x.stm")).items
    assert [fm.align("b c a", item.value).edits for item in items] == [0, 0]


def test_words_fall_into_the_segment_that_ends_after_their_middle() -> None:
    segments = [Segment("f", "A", 0.0, 1.0), Segment("F", "a", 1.0, 2.0)]
    texts = [TimedWord("a", 0.25, 0.5), TimedWord("b", 1.0, 0.0), TimedWord("c", 9.0, 0.0)]
    assert [t.words for t in cut([TimedWords("f", "A", tuple(texts))], segments)] == [("a",), ("b", "c")]
    assert lonely([TimedWords("g", "A", ())], segments) == (
        "no segment for the words of file g, channel A: the segments are of f A, F a"
    )
    assert lonely([], segments) == ("no words for the segments of file f, channel A: there are no words")
    assert [t.words for t in cut([], segments)] == [(), ()]


# sclite's own test suite: test, reference, hypothesis; the counts are in base/TEST.raw.
SCLITE = [
    ("test1", "csrnab.ref", "csrnab.hyp"),
    ("test3", "lvc_ref.stm", "lvc_hyp.ctm"),
    ("test3a", "lvc_refe.stm", "lvc_hyp.ctm"),
    ("test15_c", "test.turkish.ref", "test.turkish.hyp"),
    ("test17", "test.vietnamese.ref.trn", "test.vietnamese.hyp.trn"),
]


def row(report: Path, name: str) -> list[int]:
    """A row of a .raw report: sentences, words, correct, substitutions, deletions, insertions."""
    line = next(line for line in report.read_text().splitlines() if re.match(rf"\s*\| {name} ", line))
    return [int(field) for field in re.findall(r"\d+", line.split("|", 2)[2])][:6]


def counts(lines: list[dict]) -> list[int]:
    names = ("path_length", "matches", "substitutions", "deletions", "insertions")
    return [len(lines), *(sum(line[name] for line in lines) for name in names)]


def scored(shared: Path, reference: str, hypothesis: str) -> list[dict]:
    folder = shared / "expected-sclite"
    done = command(
        "score",
        str(folder / reference),
        str(folder / hypothesis),
        "--metric",
        "sclite",
        "--lowercase",
        "--optional-words",
        "word",
        "--output",
        "-",
    )
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize(("test", "reference", "hypothesis"), SCLITE, ids=[test for test, *_ in SCLITE])
def test_counts_of_sclites_own_tests(shared: Path, test: str, reference: str, hypothesis: str) -> None:
    assert counts(scored(shared, reference, hypothesis)) == row(
        shared / "expected-sclite" / "base" / f"{test}.raw", "Sum"
    )


def test_counts_of_sclites_alternations_by_speaker(shared: Path) -> None:
    """test7 has options for fragments and for optional words counted as correct; these speakers have neither."""
    lines = scored(shared, "tests.ref", "tests.hyp")
    for speaker in ("f", "g", "h", "empty", "alt", "tags"):
        own = [line for line in lines if re.split("[-_]", line["id"])[0] == speaker]
        assert counts(own) == row(shared / "expected-sclite" / "base" / "test7.raw", speaker), speaker


def test_records_name_the_alternatives_and_the_signature_the_notation(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("The {um|uh|} cat [x]\na b\n")
    (tmp_path / "hyp").write_text("the uh cat [x]\na b\n")
    common = (str(tmp_path / "ref"), str(tmp_path / "hyp"), "--lowercase")
    out = tmp_path / "r.jsonl"
    done = command("score", *common, "--alternations", "braces", "--output", str(out))
    first, second = map(json.loads, out.read_text().splitlines())
    assert (first["edits"], first["alternatives"]) == (0, [{"written": "{um|uh|}", "taken": "uh"}])
    assert "alternatives" not in second
    assert "|alternations:braces|" in done.out
    plain = command("score", *common, "--ref-format", "plain")
    assert "|alternations:" not in plain.out  # nothing is a choice unless somebody says so
    assert " 2 / " in plain.out or " 1 / " in plain.out
    errors = json.loads(command("errors", str(_with_alignment(common, tmp_path)), "--json").out)
    assert errors["alternatives"] == [{"written": "{um|uh|}", "taken": "uh", "count": 1}]


def _with_alignment(common: tuple[str, ...], folder: Path) -> Path:
    path = folder / "aligned.jsonl"
    command("score", *common, "--alternations", "braces", "--alignment", "--output", str(path))
    return path


def test_the_terminal_says_which_alternative_was_taken(tmp_path: Path) -> None:
    ref, hyp = tmp_path / "r.trn", tmp_path / "h.trn"
    ref.write_text("i { um / uh / @ } see (u1)\nyes { well / @ } ok (u2)\nplain (u3)\n")
    hyp.write_text("i uh see (u1)\nyes ok (u2)\nplain (u3)\n")
    shown = command("score", str(ref), str(hyp), "--alignment")
    lines = [line.strip() for line in shown.out.splitlines() if "chosen: " in line]
    assert lines == ["chosen: { um / uh / @ } as uh", "chosen: { well / @ } as nothing"]
    assert "--alignment prints the chosen words" in command("score", str(ref), str(hyp)).out


def test_who_leaves_choices_is_said(tmp_path: Path) -> None:
    choosing, plain = tmp_path / "c.trn", tmp_path / "p.trn"
    choosing.write_text("a { b / c } (u1)\n")
    plain.write_text("a b (u1)\n")
    of_references = "references leave choices: --alignment prints the chosen words"
    assert of_references in command("score", choosing, plain).out
    other = command("score", plain, choosing).out
    assert of_references not in other
    assert f"{choosing} leaves choices: the best are scored" in other


PARTS = [
    "{", "}", "/", "@", "<*>", "a", "bb", "(c)", "()", "|", "[", "]", "and/or", "x;y", "\\{", "{a", "}b", ";",
    "a\u00a0b", "\x1c", "[a|b]", "{x|y|}", "\\", "\\\\", "(\u00e9)", "\u2003", "\U0001f600", "\ud800",
    "\\\u3000", "\\ ", "(a\\)", "@;t", "<eps>", "!NULL", "<s>", "<*>;", "\\<*>", "(", "| |",
]  # fmt: skip


def read_by(call: Callable[[], Any]) -> Any:
    """What a call gives, or what it refuses with."""
    try:
        return call()
    except FstmetricsError as error:
        return str(error)


def some_text(rng: random.Random, notation: str) -> str:
    """Marks and words in any order, or choices within choices."""

    def choices(depth: int) -> str:
        found = []
        for _ in range(rng.randint(0, 4)):
            if depth and rng.random() < 0.4:
                opening, bar, closing = MARKS.get(notation, ("{", "/", "}"))
                ways = [choices(depth - 1) for _ in range(rng.randint(1, 4))]
                spaces = rng.choices(["", " "], k=4)
                found.append(
                    opening + spaces[0] + f"{spaces[1]}{bar}{spaces[2]}".join(ways) + spaces[3] + closing
                )
            else:
                found.append(rng.choice(PARTS[3:9] + PARTS[24:]))
        return " ".join(found)

    if rng.random() < 0.5:
        return choices(rng.randint(1, 5))
    parts = PARTS[: rng.choice([8, 20, len(PARTS)])]
    return rng.choice([" ", "", "  ", "\t"]).join(rng.choices(parts, k=rng.randint(0, 12)))


def test_texts_are_read_as_sign_by_sign() -> None:
    rng = random.Random(3)
    read = 0
    for number in range(3000):
        notation, tags = rng.choice(NOTATIONS), rng.random() < 0.5
        text = some_text(rng, notation)
        if number % 500 == 0:
            text = " ".join([text] * 50)
        quick = read_by(lambda text=text, n=notation, t=tags: Transcript.parse(text, n, tags=t))
        slow = read_by(lambda text=text, n=notation, t=tags: parsed(text, n, t))
        if isinstance(slow, str) or isinstance(quick, str):
            assert quick == slow, text
            continue
        read += 1
        lattice = slow.lattice()
        assert quick.lattice.symbols.words == lattice.symbols.words, text
        assert pickle.dumps(quick.lattice.automaton) == pickle.dumps(lattice.automaton), text
        assert (quick.choices, quick.depth, quick.optional) == (
            tuple(slow.choices), slow.depth, tuple(slow.optional)
        ), text  # fmt: skip
    assert 2000 < read < 2950


def test_a_transcript_of_a_file_is_that_of_its_text() -> None:
    text = "i've { um / { uh / @ } well } lived (here) { 25 / twenty five } years"
    parsed = Transcript.parse(text, "sclite", tags=True, id="u1")
    written = written_transcript(text, "sclite", True, "u1")
    assert isinstance(written, WrittenTranscript)
    for name in ("choices", "depth", "optional", "words", "confidences", "has_wildcards"):
        assert getattr(written, name) == getattr(parsed, name)
    copied = pickle.loads(pickle.dumps(written))
    assert (copied, hash(copied)) == (written, hash(written))
    assert copied.taken(["i've", "well", "lived", "25", "years"]) == ("well", "", "25")
    for how in ("word", "correct"):
        assert fm.wer("i've lived here 25 years", written.with_optional_words(how)) == fm.wer(
            "i've lived here 25 years", parsed.with_optional_words(how)
        )
    assert not isinstance(written_transcript("a (b) c/d", "sclite", True, ""), WrittenTranscript)


def test_references_with_choices_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "ref.trn"
    path.write_text("".join(f"the {{ cat / dog }} sat on the mat {n} (u{n})\n" for n in range(3000)))
    tracemalloc.start()
    items = read_items(Source.open(path)).items
    assert tracemalloc.get_traced_memory()[0] < 3000 * 1000
    tracemalloc.stop()
    assert len(items) == 3000


def test_limits_hold_for_transcripts_of_files(tmp_path: Path) -> None:
    path = tmp_path / "ref.trn"
    path.write_text("a { bbb / { c / d } } (u1)\n")
    for limit in ("nesting", "states", "arcs", "label"):
        with (
            fm.limited(**{limit: 1 if limit != "label" else 2}),
            pytest.raises(InputError, match=f"--max {limit}=N"),
        ):
            read_items(Source.open(path))
