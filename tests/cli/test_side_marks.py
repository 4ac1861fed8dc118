"""Marks of pieces, escapes and markup that only one side has are refused; the advice, followed, is right."""

from __future__ import annotations

import csv
import itertools
import json
import os
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm

WITHOUT = " (without ids)"
SPACED = "sed -E 's/ //g; s/<(space|sp|SPACE)>/ /g'" + WITHOUT
LETTERS = "t h e <space> c a t <space> s i t t i n g\na <space> ' d o g ' <space> & <space> I\n"
UNESCAPE = "python3 -c 'import html, sys; sys.stdout.write(html.unescape(sys.stdin.read()))'"
UNQUOTE = "sed -E 's/^ *("
LISTED = "sed -E 's/^([-*<>]|\u2022) //'"
REF = "the cat is sitting\na 'dog' & I\n"

# What a recogniser writes of the references with one word left out, its mark, and the command that takes it out.
MARKED = [
    ("the c@@ at sit@@ ting\na 'dog' & I\n", "marked @@", "sed -E 's/@@( |$)//g'"),
    (
        "\u2581the \u2581c at \u2581sit ting\n\u2581a \u2581'dog' \u2581& \u2581I\n",
        "marked \u2581", "sed 's/ //g; s/\u2581/ /g; s/^ //'",
    ),
    ("the c ##at sit ##ting\na 'dog' & I\n", "marked ##", "sed 's/ ##//g'"),
    (
        "the</w> c at</w> sit ting</w>\na</w> 'dog'</w> &</w> I</w>\n",
        "marked </w>", "sed 's/ //g; s/<.w>/ /g'" + WITHOUT,
    ),
    ("the cat sit \uffedting\na '\uffed dog \uffed' & I\n", "marked \uffed", "sed -E 's/ ?\uffed ?//g'"),
    (LETTERS, "with <space>", SPACED),
    (LETTERS.replace("<space>", "<sp>"), "with <space>", SPACED),
    (
        "the \u0120c at \u0120sit ting\na \u0120'dog' \u0120& \u0120I\n",
        "marked \u0120", "sed 's/ //g; s/\u0120/ /g'" + WITHOUT,
    ),
    ("_the _c at _sit ting\n_a _'dog' _& _I\n", "marked _", "sed 's/ //g; s/_/ /g; s/^ //'" + WITHOUT),
    ("the cat sitting\na &apos;dog&apos; &amp; I\n", "escaped characters", UNESCAPE),
    ("<p>the cat sitting</p>\n<p> a 'dog' & I </p>\n", "markup", r"sed -E 's/^<[[:alnum:]_]+("),
    ("<p> the cat sitting\n<p> a 'dog' & I\n", "markup", r"sed -E 's/^<[[:alnum:]_]+("),
    ('"the cat sitting"\n"a \'dog\' & I"\n', "quotation marks", UNQUOTE),
    ('"the cat sitting",\n"a \'dog\' & I"\n', "quotation marks", UNQUOTE),
    ("\u201ethe cat sitting\u201c\n\u201ea 'dog' & I\u201c\n", "quotation marks", UNQUOTE),
    ("\u00bbthe cat sitting\u00ab\n\u203aa 'dog' & I\u2039\n", "quotation marks", UNQUOTE),
    ("\u201athe cat sitting\u2018\n\u2018a 'dog' & I\u2019\n", "quotation marks", UNQUOTE),
    ("\u05f4the cat sitting\u05f4\n\u300aa 'dog' & I\u300b\uff0c\n", "quotation marks", UNQUOTE),
    ("\u300cthe cat sitting\u300d\n\u300ca 'dog' & I\u300d\n", "quotation marks", UNQUOTE),
    ("the(2) cat sitting(3)\na 'dog' & I\n", "as in the(2)", "sed -E \"s/([^[:space:][:digit:][:punct:]][.']?)"),
    ("the c\\u0061t sitting\na 'dog\\u0027 & I\n", "characters written as", "python3 -c 'import json, re, sys"),
    ("the cat sitting\\n\na 'dog' & I\\n\n", "ends of lines written as", r"sed -E 's/(\\r)?\\n/ /g'"),
    ("the cat&nbsp;sitting\na &#39;dog&#39; & I\n", "as HTML writes them", UNESCAPE),
    ("<b>the</b> cat sitting\na <i class='x'>'dog'</i> & I\n", "tags of HTML", "sed -E 's/<br"),
    ("the cat<br>sitting\na 'dog'<br/>& I\n", "tags of HTML", "sed -E 's/<br"),
    ("<c>the</c> <c.colorE5E5E5>cat</c> sitting\na 'dog' & I\n", "tags of HTML", "sed -E 's/<br"),
    ("the cat sitting</s>\na 'dog' & I</s>\n", "tokens of a decoder", "sed -E"),
    ("<pad>the cat sitting</s>\na 'dog' & I <pad> <pad>\n", "tokens of a decoder", "sed -E"),
    (">> the cat sitting\na 'dog' >>> & I\n", "change of speakers", "sed -E 's/>>+ ?//g'"),
    ("\u266a the cat sitting \u266a\na 'dog' & I\n", "signs of music", "sed -E 's/"),
    ("the cat sitting|UNK|UNK|UNK\na 'dog' & I\n", "unknown words as Moses writes them", "sed 's/|UNK"),
    ("[Speaker 1] the cat sitting\na 'dog' & I\n", "names of speakers", "sed -E"),
    ("Speaker 1: the cat sitting\nSPEAKER_01> a 'dog' & I\n", "names of speakers", "sed -E"),
    ("the|cat|sitting\na|'dog'|&|I\n", "| in place of spaces", "tr '|' ' '"),
    ("the,cat,sitting\na,'dog',&,I\n", ", in place of spaces", "tr ',' ' '"),
    ("- the cat sitting\n- a 'dog' & I\n", "signs of a list", LISTED),
    ("> the cat sitting\n> a 'dog' & I\n", "signs of a list", LISTED),
]  # fmt: skip


# The same of references with letters that are not ASCII.
ACCENTED = REF.replace("cat", "caf\u00e9").replace("dog", "\u00e9t\u00e9")
HEARD = ACCENTED.replace(" is", "")
MISREAD = [
    (HEARD.encode().decode("cp1252"), "another encoding", "iconv -f utf-8 -t windows-1252"),
    (HEARD.encode().decode("latin-1"), "another encoding", "iconv -f utf-8 -t windows-1252"),
    (HEARD.replace("\u00e9", "&eacute;"), "as HTML writes them", UNESCAPE),
    (HEARD.replace("\u00e9", "&#xe9;"), "as HTML writes them", UNESCAPE),
    (HEARD.replace("\u00e9", "%C3%A9"), "bytes written as", "python3 -c 'import sys, urllib.parse"),
    (HEARD.replace("\u00e9", "\\xe9"), "characters written as", "python3 -c 'import re, sys"),
]  # fmt: skip


def with_ids(text: str) -> str:
    return "".join(f"utt_{number} {line}\n" for number, line in enumerate(text.splitlines()))


def refused(*arguments: object, message: str) -> str:
    outcome = fstmetrics("score", *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    assert message in outcome.err
    return outcome.err


@pytest.mark.parametrize(
    ("reference", "marked", "called", "command"),
    [*((REF, *row) for row in MARKED), *((ACCENTED, *row) for row in MISREAD)],
    ids=[called for _, called, _ in [*MARKED, *MISREAD]],
)
def test_marks_of_one_side_are_refused_and_the_advice_is_right(
    reference: str, marked: str, called: str, command: str, tmp_path: Path
) -> None:
    ref, hyp = written(tmp_path / "ref", reference), written(tmp_path / "hyp", marked)
    said = refused(ref, hyp, message=called)
    assert f"make words of them, {command}" in said
    refused(hyp, ref, message=called)
    made = run(advised(said), hyp, tmp_path)
    assert fstmetrics("score", ref, made, "--json").summary["deletions"] == 1
    assert fstmetrics("score", ref, made, "--json").summary["edits"] == 1
    if called == "signs of a list" or "without ids" in command:
        return  # behind ids, signs of a list are marks of the ids
    ref, hyp = written(tmp_path / "ref2", with_ids(reference)), written(tmp_path / "hyp2", with_ids(marked))
    command = advised(refused(ref, hyp, message=called))
    assert fstmetrics("score", ref, run(command, hyp, tmp_path), "--json").summary["edits"] == 1


def advised(said: str) -> str:
    """The command that a message advises."""
    command = said.partition("make words of them, ")[2].partition("; if they are words")[0]
    return command.partition(" (Moses")[0].partition(" (or -t iso")[0].partition(", which")[0]


# What stands before and behind each text, and a text that begins like the mark, or like the mark behind an id.
LIKE_MARKS = [
    ("2.10 4.00 ", "3.5 million", ""),
    ("0.00 1.50 ", "2.5 men", ""),
    ("\u201c", "I \u2018love\u2019 it", "\u201d"),
    ("\u00ab", "a \u201cb\u201d c", "\u00bb"),
    ("\u2022 ", "a - caf\u00e9", ""),
    ("Speaker 1: ", "a Speaker 2", ""),
    ("\u266a ", "caf\u00e9 la m\u00eame", ""),
    ("the(2) ", "la caf\u00e9", "(2)"),
    ("<p>", "a < b and c > 3", "</p>"),
    ('<seg id="1">', "a < b", "</seg>"),
    ("<p>", "a <unk> cat <noise>", "</p>"),
    ('<s id="1">', "x 3 2 y", "</s>"),
    ("\u201c", "good day", "\u201d\r"),
]


@pytest.mark.parametrize("ids", ["", "u_{} ", "u_{}\t"])
@pytest.mark.parametrize(("before", "text", "behind"), LIKE_MARKS)
def test_texts_that_begin_like_marks_keep_their_words(
    before: str, text: str, behind: str, ids: str, tmp_path: Path
) -> None:
    texts = [text, "it is", "a dog"]
    ref, hyp = (
        written(tmp_path / name, "".join(f"{ids.format(n)}{form.format(t)}\n" for n, t in enumerate(texts)))
        for name, form in (("ref", "{}"), ("hyp", f"{before}{{}}{behind}"))
    )
    said = fstmetrics("score", ref, hyp, "--format", "kaldi-text" if ids else "plain").out
    command = said.partition("make words of them, ")[2].partition("\n")[0]
    for locale in ("C", "C.UTF-8"):
        made = run(command, hyp, tmp_path, locale).read_text()
        words = [line.replace("the ", "").split() for line in made.splitlines()]
        assert words == [line.split() for line in ref.read_text().splitlines()]


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ('"he said ""hi"" twice"\n""\n"""so"" it is"\n', 'he said "hi" twice\n\n"so" it is\n'),
        (
            "Speaker 1: hello all\nSpeaker Pelosi said no\nSPEAKER_01 so\n",
            "hello all\nSpeaker Pelosi said no\nso\n",
        ),
    ],
)
def test_what_is_no_mark_is_left(marked: str, text: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", text), written(tmp_path / "hyp", marked)
    command = advised(refused(ref, hyp, message="has "))
    assert run(command, hyp, tmp_path).read_text() == text


def test_times_before_texts_of_trn_are_taken_out(tmp_path: Path) -> None:
    """Its lines begin as texts do."""
    ref = written(tmp_path / "r.trn", "good morning (a_1)\n3.5 million people (a_2)\nthey left (a_3)\n")
    times = ("0.50 2.10", "2.10 4.00", "4.00 5.50")
    lines = zip(times, ref.read_text().splitlines(), strict=True)
    hyp = written(tmp_path / "h.trn", "".join(f"{time} {line}\n" for time, line in lines))
    said = refused(ref, hyp, message="has times before texts")
    command = said[said.index("sed ") :].partition("; if")[0]
    made = written(tmp_path / "made.trn", run(command, hyp, tmp_path).read_text())
    assert fstmetrics("score", ref, made, "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    "quotes", ["'{}'", '"{}"', "\u201e{}\u201c", "\u00bb{}\u00ab.", "\u300c{}\u300d\u3002"]
)
def test_quotation_marks_are_taken_out_in_any_locale(quotes: str, tmp_path: Path) -> None:
    texts = ["don't go", "caf\u00e9", "it's"]
    ref = written(tmp_path / "ref", "".join(f"{text}{quotes[4:]}\n" for text in texts))
    hyp = written(tmp_path / "hyp", "".join(f"{quotes.format(text)}\n" for text in texts))
    command = advised(refused(ref, hyp, message="quotation marks"))
    for locale in ("C", "C.UTF-8"):
        assert fstmetrics("score", ref, run(command, hyp, tmp_path, locale), "--json").summary["edits"] == 0


@pytest.mark.parametrize("text", ["'tis the season we were goin'", "\u2018tis the season we were goin\u2019"])
def test_shortened_words_at_both_ends_are_no_quotation(text: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "it is the season we were going\n")
    hyp = written(tmp_path / "hyp", f"{text}\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 3


def run(command: str, given: Path, folder: Path, locale: str = "C.UTF-8") -> Path:
    """The file that a command of a message writes."""
    command = command.removesuffix(WITHOUT)
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not here")
    environment = {**os.environ, "LC_ALL": locale}
    made = subprocess.run(
        f"{command} < {given}", shell=True, capture_output=True, check=True, env=environment
    )
    return written(folder / "made", made.stdout)


@pytest.mark.parametrize(("marked", "called", "command"), MARKED, ids=[called for _, called, _ in MARKED])
def test_marks_of_both_sides_are_words(marked: str, called: str, command: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", marked), written(tmp_path / "hyp", marked)
    summary = fstmetrics("score", ref, hyp, "--json").summary
    assert summary["edits"] == 0
    assert summary["matches"] == len(marked.split())
    assert ("count as words" in fstmetrics("score", ref, hyp).out) == (
        "marked" in called or "<space>" in called or "tokens of a decoder" in called
    )


def test_who_says_the_format_is_told_and_gets_a_number(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "the cat\n"), written(tmp_path / "hyp", "the c@@ at\n")
    outcome = fstmetrics("score", ref, hyp, "--format", "plain")
    assert outcome.status == 0
    assert "has pieces of words, marked @@" in outcome.out
    assert fstmetrics("score", ref, hyp, "--format", "plain", "--json").summary["edits"] == 2


def test_marks_that_normalisation_takes_out_are_none(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "the cat\n"), written(tmp_path / "hyp", '"the cat"\n')
    refused(ref, hyp, message="quotation marks")
    assert fstmetrics("score", ref, hyp, "--remove-punctuation", "--json").summary["edits"] == 0
    sentences = written(tmp_path / "marked", "<s> the cat </s>\n")
    assert fstmetrics("score", ref, sentences, "--json").summary["edits"] == 0


@pytest.mark.parametrize("quotes", ['"{}"', "\u201e{}\u201c", '"{}".'])
def test_quotation_marks_on_both_sides_are_words(quotes: str, tmp_path: Path) -> None:
    texts = ["the cat, sitting", "a dog, too"]
    sides = '"{}"', quotes
    files = [
        written(tmp_path / str(n), "".join(f"{side.format(text)}\n" for text in texts))
        for n, side in enumerate(sides)
    ]
    found = fstmetrics("score", *files, "--json").summary
    assert found["path_length"] == 6
    assert not any("quotation" in remark for remark in found["remarks"])


def test_a_mark_in_a_few_lines_of_the_other_side_is_enough(tmp_path: Path) -> None:
    many = 3000 * ["the cat"]
    ref = written(tmp_path / "ref", "\n".join([*many, "black @@ white c@@ at"]) + "\n")
    hyp = written(tmp_path / "hyp", "\n".join(["the c@@ at", *many[1:], "black @@ white c@@ at"]) + "\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 2


def test_a_side_that_escapes_only_some_characters_is_as_people_wrote_it(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "black &amp; white\nit's\n")
    hyp = written(tmp_path / "hyp", "black & white\nit's\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 1


# As Moses writes texts, and as people do.
ESCAPED, RAW = ("".join(f"it {s} the dog {n} he said\n" for n in range(40)) for s in ("&apos;s", "'s"))


@pytest.mark.parametrize(
    "other", ["a <unk> house", "a [UNK] <s> house", "he '' said", 'a " house', "| [ house"]
)
@pytest.mark.parametrize(
    "options", [(), ("--tokenize", "13a"), ("--metric", "bleu"), ("--remove-punctuation",)]
)
def test_a_line_without_escapes_does_not_hide_those_of_others(
    other: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    hyp = written(tmp_path / "hyp", f"{ESCAPED}{other}\n")
    ref = written(tmp_path / "ref", f"{RAW}a small house\n")
    said = refused(ref, hyp, *options, message=f"{hyp}: has escaped characters")
    refused(hyp, ref, *options, message=f"{hyp}: has escaped characters")
    mended = run(said[said.index("python3") :].partition(" (Moses")[0], hyp, tmp_path)
    assert fstmetrics("score", ref, mended, "--json").summary["edits"] <= 3
    one = written(tmp_path / "one", f"{RAW}write &amp; here\n")
    assert f"{one} has few: " in refused(one, hyp, *options, message="has escaped characters")


def test_escapes_of_both_sides_and_few_of_one_are_words(tmp_path: Path) -> None:
    escaped = written(tmp_path / "escaped", f"{ESCAPED}a small house\n")
    other = written(tmp_path / "other", f"{ESCAPED}a '' <unk> \" house\n")
    raw = written(tmp_path / "raw", f"{RAW}write & here\n")
    some = written(tmp_path / "some", f"{RAW}write &amp; here\n")
    for ref, hyp, remarks in ((escaped, other, 0), (other, escaped, 0), (raw, some, 1), (some, raw, 1)):
        outcome = fstmetrics("score", ref, hyp)
        assert (outcome.status, outcome.out.count(", beside bare ones, and ")) == (0, remarks)
    in_13a = fstmetrics("score", raw, some, "--tokenize", "13a")
    assert (in_13a.status, "has escaped" in in_13a.out) == (0, False)  # which unescapes &amp;


@pytest.mark.parametrize("text", ["a { b / c }", "a {b|c}", "a [b|c]", "a (b|c)", "a \ufeffb"])
def test_one_mark_that_is_never_a_word_is_refused_in_many_texts(text: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", f"{MANY}{text}\n"), written(tmp_path / "hyp", f"{MANY}a b\n")
    refused(ref, hyp, message=f"{ref}: has ")


MANY = "".join(f"some words {number}\n" for number in range(60))


@pytest.mark.parametrize(
    "text",
    [
        "press <space> to jump", "with ##Product1# and FOLFO@@ y", "\u266a la la", "a\\n", "caf\u00c3\u00a9", "a<br>b",
        "he wrote &nbsp; there", "log(x) the(2)", ">>> print", "<pad> x", "\ufffd",
    ],
)  # fmt: skip
def test_a_mark_in_few_texts_is_remarked_and_counts_as_words(text: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", f"{MANY}x\n"), written(tmp_path / "hyp", f"{MANY}{text}\n")
    outcome = fstmetrics("score", ref, hyp)
    assert outcome.status == 0, outcome.err
    assert f"{hyp} has " in outcome.out
    assert f", in few texts, and {ref} has none: they count as words" in outcome.out
    one = written(tmp_path / "one", "x\n")
    refused(one, written(tmp_path / "two", f"{text}\n"), message=f"and {one} has none: ")


def test_words_that_look_a_little_like_marks_are_words(tmp_path: Path) -> None:
    hyp = 'me @ home & away\n# nothing\n- dash it\n\u0120urnata tajba\n"so" he\n<unk> the <noise>\n1 2 3\n'
    ref = hyp.replace("\u0120", "g").replace('"', "")
    paths = written(tmp_path / "ref", ref), written(tmp_path / "hyp", hyp)
    assert fstmetrics("score", *paths, "--json").summary["edits"] == 2


def test_numbers_in_place_of_words_need_their_table(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u_1 the cat\nu_2 a dog\n")
    hyp = written(tmp_path / "10.tra", "u_1 3 4\nu_2 5 6\n")
    table = written(tmp_path / "words.txt", "<eps> 0\nthe 3\ncat 4\na 5\ndog 6\n")
    refused(ref, hyp, message="numbers in place of words")
    named = fstmetrics("score", ref, hyp, "--symbols", table, "--format", "kaldi-text", "--json")
    assert named.summary["edits"] == 0
    digits = "u_1 3 4\nu_2 5 6\n", "u_1 3 for\nu_2 five six\n"
    paths = [written(tmp_path / name, text) for name, text in zip("ab", digits, strict=True)]
    assert fstmetrics("score", *paths, "--json").summary["edits"] == 3


# Texts, and each with numbers around it that are no words of it.
SPOKEN = ["the cat sat", "a dog", "", "3 men ran off", "the end"]
BESIDE_TEXTS = {
    "times before texts": ["1.50 2.70 {}", "2.70 4.00 {}", "9.9 10.1 {}", "10.10 12.50 {}", "0.00 0.85 {}"],
    "scores behind texts": ["{} 0.91", "{} 1.00", "{} 0.85", "{} 0.00", "{} 0.973"],
}


@pytest.mark.parametrize("parted", [" ", "\t"])
@pytest.mark.parametrize("name", BESIDE_TEXTS)
def test_times_and_scores_beside_texts_are_no_words(name: str, parted: str, tmp_path: Path) -> None:
    def kaldi(path: Path, texts: list[str]) -> Path:
        return written(path, "".join(f"u{n}{parted}{text}\n" for n, text in enumerate(texts)))

    texts = [form.format(text) for form, text in zip(BESIDE_TEXTS[name], SPOKEN, strict=True)]
    ref, hyp = kaldi(tmp_path / "ref", SPOKEN), kaldi(tmp_path / "hyp", texts)
    said = refused(ref, hyp, message=f"has {name}, and ")
    refused(hyp, ref, message=f"has {name}, and ")
    for options in (["--remove-punctuation"], ["--profile", "whisper-basic"], ["--metric", "cer"]):
        refused(ref, hyp, *options, message=f"has {name}, and ")
    mended = run(said[said.index("sed ") :].partition("; if")[0], hyp, tmp_path)
    assert fstmetrics("score", ref, mended, "--json").summary["edits"] == 0
    assert fstmetrics("score", hyp, hyp, "--json").summary["edits"] == 0
    assert f"{hyp} has {name}" in fstmetrics("score", ref, hyp, "--format", "kaldi-text").out
    table = [
        {"id": n, "ref": ref, "hyp": hyp} for n, (ref, hyp) in enumerate(zip(SPOKEN, texts, strict=True))
    ]
    lines = written(tmp_path / "t.jsonl", "".join(f"{json.dumps(row)}\n" for row in table))
    refused(lines, message=f"has {name} in its hypotheses, and none in its references")


@pytest.mark.parametrize("name", BESIDE_TEXTS)
def test_a_reference_that_begins_or_ends_so_does_not_hide_them(name: str, tmp_path: Path) -> None:
    def kaldi(name: str, texts: list[str]) -> Path:
        return written(tmp_path / name, "".join(f"u_{n} {text}\n" for n, text in enumerate(texts)))

    forms, texts = BESIDE_TEXTS[name], [f"{text} it is" for text in 12 * SPOKEN]
    hyp = kaldi("hyp", [forms[n % 5].format(text) for n, text in enumerate(texts)])
    ref = kaldi("ref", [forms[0].format("now"), *texts[1:]])
    assert f"{ref} has few: " in refused(ref, hyp, message=f"has {name}, and ")
    alike = kaldi("alike", [forms[0].format(text) for text in texts])
    assert f" has {name}" not in fstmetrics("score", alike, hyp).out


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        # Few texts; one without; numbers that fall; of one decimal; above 1; and the other side has the like.
        (["1.50 2.70 a", "0.20 0.30 b"], ["one fifty a", "b"]),
        (["1.50 2.70 a", "2.70 4.00 b", "so"], ["a", "b", "so"]),
        (["2.50 1.70 a", "2.70 4.00 b", "3.50 4.00 c"], ["a", "b", "c"]),
        (["1 2 a", "2 4 b", "3 4 c"], ["one two a", "b", "c"]),
        (["a 0.5", "b 0.7", "c 0.9"], ["a point five", "b point seven", "c"]),
        (["a 2.50", "b 0.70", "c 0.91"], ["a two fifty", "b", "c"]),
        (["a 0.50", "b 0.70", "c 0.91"], ["a 0.50", "b seventy", "c"]),
        (["1.50 2.70 a", "2.70 4.00 b", "3.50 4.00 c"], ["1.50 2.70 a", "b", "c"]),
    ],
)
def test_numbers_at_ends_that_may_be_said_are_words(
    hypotheses: list[str], references: list[str], tmp_path: Path
) -> None:
    paths = [
        written(tmp_path / name, "".join(f"u_{n} {text}\n" for n, text in enumerate(texts)))
        for name, texts in (("ref", references), ("hyp", hypotheses))
    ]
    outcome = fstmetrics("score", *paths)
    assert (outcome.status, " has times" in outcome.out or " has scores" in outcome.out) == (0, False)


def test_every_system_of_compare_is_looked_at(tmp_path: Path) -> None:
    ref, good = written(tmp_path / "ref", 3 * "the cat\n"), written(tmp_path / "a", 3 * "the cat\n")
    bad = written(tmp_path / "b", 3 * "the c@@ at\n")
    outcome = fstmetrics("compare", good, bad, "--ref", ref)
    assert outcome.status == 2
    assert "has pieces of words, marked @@" in outcome.err


def test_a_table_of_both_sides_is_looked_at(tmp_path: Path) -> None:
    table = written(tmp_path / "t.tsv", "id\treference\thypothesis\nu1\tthe cat\tthe c@@ at\n")
    refused(table, message="has pieces of words, marked @@")


def test_lattices_have_words(tmp_path: Path) -> None:
    ref = written(tmp_path / "u.ref", "the c@@ at\n")
    lattice = written(tmp_path / "u.fst.txt", "0 1 the\n1 2 cat\n2\n")
    outcome = fstmetrics("oracle", ref, lattice)
    assert outcome.status == 2
    assert "has pieces of words, marked @@" in outcome.err


def test_lines_that_look_like_comments_are_sentences(tmp_path: Path) -> None:
    """Without ids a comment would be an item more, of which the numbers of items tell."""
    ref, hyp = (
        written(tmp_path / "ref", "number one\nof people\n"),
        written(tmp_path / "hyp", "# one\n% of people\n"),
    )
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 2
    more = written(tmp_path / "more", "# of system 1\nnumber one\nof people\n")
    assert "numbers of items differ" in fstmetrics("score", ref, more).err


# References, the option that reads their choices, and what it makes right.
CHOICES = [
    ("it was { gonna / going to } be\n", "sclite"),
    ("it was {gonna|going to} be\n", "braces"),
    ("it was [gonna|going to] be\n", "brackets"),
    ("it was (gonna|going to) be\n", "brackets"),
]


@pytest.mark.parametrize("choice", ["{%s|%s}", "[%s|%s]", "(%s|%s)"])
def test_bars_of_choices_in_all_lines_part_no_columns(choice: str, tmp_path: Path) -> None:
    choices = choice % ("um", "uh"), choice % ("a", "the")
    ref = written(tmp_path / "ref", "".join(f"see {each} house\nat {each} home\n" for each in choices))
    hyp = written(tmp_path / "hyp", "see uh house\nat um home\nsee a house\nat the home\n")
    notation = "braces" if "{" in choice else "brackets"
    said = refused(ref, hyp, message="has choices ")
    assert f"--alternations {notation} reads" in said
    given = ref if "(" not in choice else run(said[said.index("sed ") :].partition(" puts")[0], ref, tmp_path)
    assert fstmetrics("score", given, hyp, "--alternations", notation, "--json").summary["edits"] == 0
    rows = written(tmp_path / "rows", "see it | a house\nat it | at home\n")
    refused(rows, hyp, message="looks like a table of bar-separated columns")


@pytest.mark.parametrize(("text", "notation"), CHOICES, ids=[text for text, _ in CHOICES])
def test_choices_of_references_that_nobody_has_said_how_to_read_are_refused(
    text: str, notation: str, tmp_path: Path
) -> None:
    ref, hyp = written(tmp_path / "ref", text), written(tmp_path / "hyp", "it was going to be\n")
    asked = ("--alternations", notation)
    said = refused(ref, hyp, message="has choices ")
    assert "--ref-format plain says so" in said
    assert f"--alternations {notation} reads" in said
    given = run(said[said.index("sed ") :].partition(" puts")[0], ref, tmp_path) if "sed " in said else ref
    assert fstmetrics("score", given, hyp, *asked, "--json").summary["edits"] == 0
    refused(ref, hyp, "--remove-punctuation", message="has choices ")
    outcome = fstmetrics("score", ref, hyp, "--ref-format", "plain")
    assert "has choices " in outcome.out
    assert fstmetrics("score", ref, ref, "--json").summary["edits"] == 0
    assert fstmetrics("score", hyp, ref, "--json").summary["edits"] > 0
    table = written(
        tmp_path / "t.tsv", f"id\treference\thypothesis\nu1\t{text.strip()}\tit was going to be\n"
    )
    refused(table, message="has choices ")
    assert "has choices " in fstmetrics("compare", "--ref", ref, hyp).err
    # Networks of references are made without hypotheses.
    build = ("network", "build", ref, "-o", tmp_path / "n.json")
    built = fstmetrics(*build)
    assert (built.status, (tmp_path / "n.json").exists()) == (2, False)
    assert f"--alternations {notation} reads" in built.err
    assert "--format plain says so" in built.err
    as_words = fstmetrics(*build, "--format", "plain")
    assert (as_words.status, "has choices " in as_words.err) == (0, True)
    assert fstmetrics("hyter", tmp_path / "n.json", ref, "--json").summary["edits"] == 0
    asked_for = fstmetrics("network", "build", given, "-o", tmp_path / "n.json", *asked)
    assert (asked_for.status, asked_for.err) == (0, "")
    assert fstmetrics("hyter", tmp_path / "n.json", hyp, "--json").summary["edits"] == 0


def test_wildcards_that_nobody_has_said_how_to_read_are_told(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "the <*> heard\n"), written(tmp_path / "hyp", "the old cat heard\n")
    said, asked = "has the word <*>", ("--alternations", "wildcards")
    assert " ".join(asked) in fstmetrics("score", ref, hyp).out
    for command in ("score", "hyter"):
        assert said in fstmetrics(command, ref, hyp).out
        outcome = fstmetrics(command, ref, hyp, *asked, "--json")
        assert (outcome.summary["edits"], said in str(outcome.summary["remarks"])) == (0, False)
    built = fstmetrics("network", "build", ref, "-o", tmp_path / "n.json")
    assert (built.status, said in built.err, " ".join(asked) in built.err) == (0, True, True)
    # Networks hold none, and it is said what does.
    assert "score against the text" in fstmetrics("network", "build", ref, *asked).err
    assert said not in fstmetrics("score", ref, ref).out
    assert said not in fstmetrics("score", hyp, ref).out


def test_choices_that_are_not_found_are_told(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "it {is/was}\n"), written(tmp_path / "hyp", "it is\n")
    said = "--alternations braces finds no choice in "
    assert said in fstmetrics("score", ref, hyp, "--alternations", "braces").out
    assert said not in fstmetrics("score", ref, hyp, "--alternations", "sclite").out


@pytest.mark.parametrize(
    ("ref", "hyp", "message"),
    [
        ("well-known men\n", "well @-@ known men\n", "as Moses writes them (@-@)"),
        ("a b c\nd e\n", "a <eps> c\nd e\n", "--ignore '<eps>' leaves them out"),
        ("a b c\nd e\n", "a a ; b <eps> ; c c ;\nd d ; e e ;\n", "as align-text of Kaldi writes them"),
        ("caf\u00e9\nx\n", "caf\ufffd\nx\n", "characters that were lost"),
    ],
)
def test_other_marks_of_one_side_are_refused(ref: str, hyp: str, message: str, tmp_path: Path) -> None:
    refused(written(tmp_path / "ref", ref), written(tmp_path / "hyp", hyp), message=message)
    refused(written(tmp_path / "hyp", hyp), written(tmp_path / "ref", ref), message=message)
    assert fstmetrics("score", tmp_path / "hyp", tmp_path / "hyp", "--json").summary["edits"] == 0


def test_words_ignored_that_stand_for_none_are_left_out(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "a b c\n"), written(tmp_path / "hyp", "a <eps> c\n")
    assert fstmetrics("score", ref, hyp, "--ignore", "<eps>", "--json").summary["edits"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "NA\u00c3O S\u00c3O \u00c3 MA\u00c7\u00c3\u201d \u00ab\u00c2ge\u00bb \u00c2\u201c",
        "Spa\u00df\u201c Stra\u00dfe\u2026 f\u00fcr\u201d \u00dc\u201c CAF\u00c9\u00bb, \u00e0\u2014l\u00e0",
        "$\\alpha \\rho \\nabla$ C:\\new R&D; AT&T; 100% <unk> a < b > c <noise> x<y",
        "AMANH\u00c3\u2026 he said << so >> 3(2) CO(2. a <b> c a<b and b>c",
        "http://x.de/%C3%A9t%C3%A9 C:\\temp\\notes.txt \\\\s\\nas",
        "Speaker 1 said >5 and 2>1 semi;colon, and;so a_b_c x|y tokens like %C3 or 50%A",
    ],
)  # fmt: skip
def test_words_that_look_a_little_like_other_marks_are_words(text: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "a b\n" * 3), written(tmp_path / "hyp", f"{text}\n" + "a b\n" * 2)
    assert fstmetrics("score", ref, hyp).status == 0


def test_words_before_all_texts_of_one_side_are_named_together(tmp_path: Path) -> None:
    texts = ["the cat sat", "Here we are", "a dog is it:"]
    ref = written(tmp_path / "ref", "\n".join(texts))
    hyp = written(tmp_path / "hyp", "\n".join(f"Here it is: {text}" for text in texts))
    remark = f"every text of {hyp} begins with 'Here it is:', which no text of {ref} does: if these are no words, take"
    outcome = fstmetrics("score", ref, hyp)
    assert remark in outcome.out
    assert "--ignore" not in outcome.out


def test_sentences_tokenized_on_one_side_are_remarked(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain", "".join(f"a cat, {number} dogs.\n" for number in range(10)))
    apart = written(tmp_path / "apart", "".join(f"a cat , {number} dogs .\n" for number in range(10)))
    for ref, hyp in ((plain, apart), (apart, plain)):
        remark = f"signs stand apart from words in {'hypotheses' if hyp is apart else 'references'} ("
        again = written(tmp_path / "again", hyp.read_text().replace("cat", "dog"))
        compare = ("compare", "--ref", ref, f"a={hyp}", f"b={again}")
        assert remark in fstmetrics("score", ref, hyp).out
        assert remark in fstmetrics("score", ref, hyp, "-m", "ter").out
        tokenized = fstmetrics("score", ref, hyp, "--tokenize", "13a")
        assert remark not in tokenized.out
        assert tokenized.out.startswith("%WER 0.00")
        for asked in (("-m", "bleu"), ("-m", "ter", "--tokenize", "13a"), ("-m", "chrf")):
            for command in (("score", ref, hyp), compare):
                assert (
                    "stand apart" not in fstmetrics(*command, *asked).out
                )  # nothing is left to be tokenized
        assert remark in fstmetrics("score", ref, hyp, "-m", "bleu", "--tokenize", "none").out
        assert "stand apart" in fstmetrics(*compare, "-m", "bleu,wer").out
    assert "stand apart" not in fstmetrics("score", plain, plain).out + fstmetrics("score", apart, apart).out


def test_sides_of_unlike_case_are_remarked_under_metrics_of_strings(tmp_path: Path) -> None:
    texts = "".join(f"A cat and {number} dogs of Ann\n" for number in range(10))
    sides = {name: written(tmp_path / name, text) for name, text in (
        ("mixed", texts), ("small", texts.lower()), ("large", texts.upper()), ("none", "1 2 3\n" * 10),
    )}  # fmt: skip
    for ref, hyp in itertools.product(["mixed", "small", "large"], repeat=2):
        remark = "most substitutions are of case: "
        for metric in ("bleu", "chrf"):
            call = ("score", sides[ref], sides[hyp], "-m", metric)
            found = fstmetrics(*call, "--json").summary["remarks"]
            assert any(remark in each for each in found) == (ref != hyp)
            assert "are of case" not in fstmetrics(*call, "--lowercase").out
        parts = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
        for number, part in enumerate(parts, 1):
            call = ("score", sides[ref], sides[hyp], "-m", "bleu", "--shard", f"{number}/2", "--output", part)
            assert fstmetrics(*call).status == 0
        assert (remark in fstmetrics("merge", *parts, "--output", tmp_path / "all.jsonl").out) == (ref != hyp)
    assert "are of case" not in fstmetrics("score", sides["mixed"], sides["none"], "-m", "bleu").out
    assert "are of case" not in fstmetrics("score", sides["mixed"], sides["small"], "-m", "ter").out


@pytest.mark.parametrize(
    "text", ["\u00e9l\u00e8ve \u00e0 l'\u00e9cole\n", "\uac00\ub098 \ub2e4\n", "\u304c \u3071\n"]
)
def test_accents_apart_on_one_side_are_remarked_under_any_metric(text: str, tmp_path: Path) -> None:
    whole = written(tmp_path / "whole", text * 2)
    apart = written(tmp_path / "apart", unicodedata.normalize("NFD", text * 2))
    bare = written(tmp_path / "bare", "eleve a l'ecole\n" * 2)
    remark = (
        f"{apart} has accents apart from their letters (NFD), and {whole} has none: --normalise-unicode nfc"
    )
    for sides in ((whole, apart), (apart, whole)):
        for metric, best in (("wer", 0), ("chrf", 100)):
            call = ("score", *sides, "-m", metric, "--json")
            assert any(remark in each for each in fstmetrics(*call).summary["remarks"])
            followed = fstmetrics(*call, "--normalise-unicode", "nfc").summary
            assert not any("NFD" in each for each in followed["remarks"])
            assert followed["score"] == best
    for sides in ((whole, whole), (apart, apart), (bare, apart), (bare, whole)):
        assert "(NFD)" not in fstmetrics("score", *sides, "-m", "chrf").out


def test_sentence_markers_that_are_left_out_are_remarked(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "a cat sat\nso it is\n")
    hyp = written(tmp_path / "hyp", "<s> a cat sat </s>\n<s> so it is </s>\n")
    remark = f"{hyp}: sentence markers (</s> <s>) are left out; sacrebleu and others count them as words"
    for metric in ("wer", "bleu"):
        assert remark in fstmetrics("score", ref, hyp, "-m", metric).out
        assert remark in fstmetrics("score", ref, hyp, "-m", metric, "--json").summary["remarks"]
        compared = fstmetrics("compare", "--ref", ref, f"x={hyp}", "-m", metric, "--samples", 9)
        assert "sentence markers" in compared.out
    words = written(tmp_path / "words", "a<s>cat sat\nso it is\n")
    assert "sentence markers" not in fstmetrics("score", ref, words).out


def test_a_heading_of_a_file_is_remarked(tmp_path: Path) -> None:
    texts = "a b\nc d\n"
    ref, hyp = written(tmp_path / "ref", f"# gold\n{texts}"), written(tmp_path / "hyp", f"# model A\n{texts}")
    outcome = fstmetrics("score", ref, hyp)
    for path in (ref, hyp):
        assert f"the first text of {path} begins with #, as no other does" in outcome.out
    tags = written(tmp_path / "tags", "#one a\n#two b\nc\n")
    assert "begins with #" not in fstmetrics("score", tags, tags).out


TIMED = ("marked", "<space>", "as in the(2)", "tags of HTML", "tokens of a decoder", "signs of music")


@pytest.mark.parametrize(
    ("marked", "called"),
    [
        *((marked, called) for marked, called, _ in MARKED if called.startswith(TIMED) and "class=" not in marked),
        ("the <eps> cat sitting\na 'dog' & I\n", "words that stand for none"),
    ],
)  # fmt: skip
def test_words_with_times_are_looked_at(marked: str, called: str, tmp_path: Path) -> None:
    lines = enumerate(REF.splitlines())
    ref = written(
        tmp_path / "ref.stm", "".join(f"f 1 s {9 * at}.0 {9 * at + 9}.0 {line}\n" for at, line in lines)
    )
    words = [
        f"f 1 {9 * at + 0.1 * place:.2f} 0.1 {word}\n"
        for at, line in enumerate(marked.splitlines())
        for place, word in enumerate(line.split(), 1)
    ]
    hyp = written(tmp_path / "hyp.ctm", "".join(words))
    refused(ref, hyp, message=called)
    outcome = fstmetrics("score", ref, hyp, "--format", "ctm")
    assert outcome.status == 0
    assert called in outcome.out


IDS = ("u1", "u2")


def in_jsonl(path: Path, texts: list[str]) -> Path:
    return written(
        path.with_suffix(".jsonl"),
        "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in zip(IDS, texts, strict=True)),
    )


def in_csv(path: Path, texts: list[str]) -> Path:
    with open(path.with_suffix(".csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "text"), *zip(IDS, texts, strict=True)])
    return path.with_suffix(".csv")


def in_seglst(path: Path, texts: list[str]) -> Path:
    segments = [
        {"session_id": id, "speaker": "s", "start_time": 0, "end_time": 1, "words": text}
        for id, text in zip(IDS, texts, strict=True)
    ]
    return written(path.with_suffix(".seglst.json"), json.dumps(segments))


def in_nbest(path: Path, texts: list[str]) -> Path:
    lists = [{"id": id, "nbest": [{"text": text}]} for id, text in zip(IDS, texts, strict=True)]
    return written(path.with_suffix(".nbest.jsonl"), "".join(f"{json.dumps(each)}\n" for each in lists))


def in_kaldi(path: Path, texts: list[str]) -> Path:
    return written(
        path / "text" if path.is_dir() else path,
        "".join(f"{id} {text}\n" for id, text in zip(IDS, texts, strict=True)),
    )


def in_lines(path: Path, ending: str, form: str, texts: list[str]) -> Path:
    lines = [form.format(id=id, text=text) for id, text in zip(IDS, texts, strict=True)]
    return written(path.with_suffix(ending), "".join(f"{line}\n" for line in lines))


def in_trn(path: Path, texts: list[str]) -> Path:
    return in_lines(path, ".trn", "{text} ({id})", texts)


def in_stm(path: Path, texts: list[str]) -> Path:
    return in_lines(path, ".stm", "{id} 1 s 0.0 5.0 {text}", texts)


def in_ctm(path: Path, texts: list[str]) -> Path:
    words = [
        f"{id} 1 {at}.0 0.5 {word}\n"
        for id, text in zip(IDS, texts, strict=True)
        for at, word in enumerate(text.split())
    ]
    return written(path.with_suffix(".ctm"), "".join(words))


def in_nbest_of_moses(path: Path, texts: list[str]) -> Path:
    return in_lines(path, ".nbest", "{id} ||| {text} ||| -1.5", texts)


CONTAINERS = [in_jsonl, in_csv, in_seglst, in_nbest, in_kaldi, in_trn, in_stm, in_ctm, in_nbest_of_moses]
OF_LISTS = (in_nbest, in_nbest_of_moses)


@pytest.mark.parametrize("holding", [in_jsonl, in_csv, in_seglst, in_nbest, in_kaldi])
@pytest.mark.parametrize(("marked", "called", "command"), MARKED, ids=[called for _, called, _ in MARKED])
def test_advice_is_right_for_texts_in_any_container(
    holding: Callable[[Path, list[str]], Path], marked: str, called: str, command: str, tmp_path: Path
) -> None:
    """What the command makes of each text, written again in the same format, is scored right."""
    if holding is in_kaldi and called == "signs of a list":
        return  # behind ids, they are marks of the ids
    ref = (in_jsonl if holding is in_nbest else holding)(tmp_path / "ref", REF.splitlines())
    said = refused(ref, holding(tmp_path / "hyp", marked.splitlines()), message=called)
    _, is_of_texts, command = said.partition(" as of a line: ")
    if not is_of_texts:
        assert holding is in_kaldi
        assert WITHOUT not in said
        return
    command = command.partition("; if they are words")[0].partition(" (Moses")[0]
    made = [
        run(command, written(tmp_path / "text", f"{text}\n"), tmp_path).read_text("utf-8")
        for text in marked.splitlines()
    ]
    again = holding(tmp_path / "again", [text.rstrip("\n") for text in made])
    assert fstmetrics("score", ref, again, "--json").summary["edits"] == 1


def test_advice_for_words_that_are_apart_has_no_command(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u the cat\n")
    lattice = written(tmp_path / "u.fst.txt", "0 1 the\n1 2 c@@\n2 3 at\n3\n")
    outcome = fstmetrics("oracle", ref, lattice)
    assert "make words of them where the att is written" in outcome.err
    assert "sed" not in outcome.err


def test_both_sides_of_one_table_are_named(tmp_path: Path) -> None:
    table = written(tmp_path / "t.tsv", "id\treference\thypothesis\nu1\tthe cat\tthe c@@ at\n")
    refused(
        table,
        message="marked @@ in its hypotheses, and none in its references: make words of them in each text",
    )


# What no line of text may look like, all of them, and what is said of it.
LOOKS = [
    (("the cat sat (u_1)", "a dog (u_2)"), "texts of trn"),
    (("the cat sat [u_1]", "a dog [u_2]"), "a word in brackets at the end"),
    (("1. the cat sat", "2. a dog"), "a numbered list"),
    (("<|en|><|NEUTRAL|>the cat sat", "a dog"), "the tokens of Whisper"),
    (("<00:01.50>the cat sat", "a dog"), "a text with times"),
    (("[00:01.50] the cat sat", "[00:02.50] a dog"), "texts of timed-lines"),
    (("(0.00,3.10) the cat sat", "(3.10,4.00) a dog"), "lines begin with times in brackets"),
    (("[0.0 - 3.1] the cat sat", "[3.1 - 4.0] a dog"), "whose lines begin with times in brackets"),
    (("A: the cat sat", "B: a dog"), "':' behind their first words"),
    (("the cat sat -1.2345", "a dog -2.3456"), "texts with scores"),
]


@pytest.mark.parametrize("holding", [in_jsonl, in_csv, in_seglst, *OF_LISTS])
@pytest.mark.parametrize(("texts", "called"), LOOKS, ids=[called for _, called in LOOKS])
def test_texts_in_any_container_are_looked_at_as_lines_of_text(
    holding: Callable[[Path, list[str]], Path], texts: tuple[str, str], called: str, tmp_path: Path
) -> None:
    ref = (in_jsonl if holding in OF_LISTS else holding)(tmp_path / "ref", ["the cat sat", "a dog"])
    hyp = holding(tmp_path / "hyp", [*texts])
    said = refused(ref, hyp, message="its hypotheses look like ")
    assert called in said
    format = said.partition("--format ")[2].partition(" ")[0]
    asked = fstmetrics("score", ref, hyp, "--format", format)
    assert asked.status == 0
    assert f"{hyp}: its hypotheses look like " in asked.out
    lines = written(tmp_path / "lines", "".join(f"{text}\n" for text in texts))
    assert fstmetrics("score", written(tmp_path / "plain", "the cat sat\na dog\n"), lines).status == 2
    if holding not in OF_LISTS:
        assert "its references look like " in fstmetrics("score", hyp, ref).err


def test_first_entries_of_lists_are_looked_at_and_not_those_behind_them(tmp_path: Path) -> None:
    ref = in_jsonl(tmp_path / "ref", ["the cat sat", "a dog"])
    lines = (
        "u1 ||| 1. the cat sat ||| -1\nu1 ||| 1. a cat ||| -2\nu2 ||| {}a dog ||| -1\nu2 ||| 2. dog ||| -2\n"
    )
    refused(ref, written(tmp_path / "a.nbest", lines.format("2. ")), message="look like a numbered list")
    assert fstmetrics("score", ref, written(tmp_path / "b.nbest", lines.format(""))).status == 0


@pytest.mark.parametrize("holding", CONTAINERS)
def test_texts_that_begin_with_their_own_ids_are_refused(
    holding: Callable[[Path, list[str]], Path], tmp_path: Path
) -> None:
    texts = ["the cat sat", "a dog"]
    ref = (in_jsonl if holding in OF_LISTS else holding)(tmp_path / "ref", texts)
    hyp = holding(tmp_path / "hyp", [f"{id} {text}" for id, text in zip(IDS, texts, strict=True)])
    said = refused(ref, hyp, message="its hypotheses begin with their own ids: take these out of the texts")
    format = said.partition("--format ")[2].partition(" ")[0]
    asked = fstmetrics("score", ref, hyp, "--format", format)
    assert (asked.status, f"{hyp}: its hypotheses begin with" in asked.out) == (0, True)
    behind = holding(tmp_path / "behind", [f"{text} {id}" for id, text in zip(IDS, texts, strict=True)])
    refused(ref, behind, message="its hypotheses end with their own ids: take these out of the texts")
    for others in (
        ["u1 the cat sat", "a dog"],
        ["u2 the cat sat", "u1 a dog"],
        ["the cat sat u1", "a dog u1"],
    ):
        assert fstmetrics("score", ref, holding(tmp_path / "other", others)).status == 0


def test_ids_in_texts_that_are_left_out_or_all_that_is_said_are_words(tmp_path: Path) -> None:
    ref = in_jsonl(tmp_path / "ref", ["the cat sat", "a dog"])
    hyp = in_jsonl(tmp_path / "hyp", ["u1\tthe cat sat", "u2\ta dog"])
    refused(ref, hyp, message="its hypotheses begin with their own ids")
    refused(hyp, ref, message="its references begin with their own ids")
    assert fstmetrics("score", ref, hyp, "--ignore", "u1 u2", "--json").summary["edits"] == 0
    digits = in_jsonl(tmp_path / "digits", [*IDS])
    assert fstmetrics("score", digits, digits, "--json").summary["edits"] == 0


@pytest.mark.parametrize("holding", [in_seglst, *OF_LISTS, in_trn, in_stm, in_ctm])
@pytest.mark.parametrize(
    "texts",
    [["b'the cat sat'", "b'a dog'"], ["['the', 'cat', 'sat']", "['a', 'dog']"]],
    ids=["bytes", "lists"],
)
def test_what_python_prints_is_no_text_in_any_container(
    holding: Callable[[Path, list[str]], Path], texts: list[str], tmp_path: Path
) -> None:
    ref = (in_jsonl if holding in OF_LISTS else holding)(tmp_path / "ref", ["the cat sat", "a dog"])
    refused(
        ref, holding(tmp_path / "hyp", texts), message="look like a list, or bytes, as Python writes them"
    )
    quoted = holding(tmp_path / "said", ["'the cat' sat", "b 'a' [dog]"])
    assert fstmetrics("score", ref, quoted).status == 0


@pytest.mark.parametrize("holding", [each for each in CONTAINERS if each is not in_kaldi])
@pytest.mark.parametrize("tag", ["/NN", "_VBZ", "|it|NN", "\uffe8N"])
def test_factors_of_one_side_are_refused_in_any_container(
    holding: Callable[[Path, list[str]], Path], tag: str, tmp_path: Path
) -> None:
    """Where both sides have them they are words, as TESLA takes them."""
    ref = (in_jsonl if holding in OF_LISTS else holding)(tmp_path / "ref", ["the cat sat", "a big dog"])
    tagged = [" ".join(f"{word}{tag}" for word in text.split()) for text in ("the cat sat", "a big hog")]
    hyp = holding(tmp_path / "hyp", tagged)
    said = refused(ref, hyp, message=f"has factors or tags behind {tag[0]!r}")
    if holding is not in_ctm:
        command = said.partition(" as of a line: ")[2].partition("; if they are words")[0]
        made = run(command, written(tmp_path / "lines", "".join(f"{text}\n" for text in tagged)), tmp_path)
        again = holding(tmp_path / "again", made.read_text("utf-8").splitlines())
        assert fstmetrics("score", ref, again, "--json").summary["edits"] == 1
    if holding not in OF_LISTS:
        assert fstmetrics("score", hyp, hyp, "--json").summary["edits"] == 0
    some = holding(tmp_path / "some", ["the/DT cat sat", "AC/DC N/A"])
    assert fstmetrics("score", ref, some).status == 0


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["1. the cat sat on mat", "2. a dog"], "look like a numbered list"),
        (["A: the cat sat on mat", "B: a dog"], "':' behind their first words"),
        (["the+cat+sat+on+mat", "a+dog+ran+to"], "has + in place of spaces"),
        (['"the cat sat on mat"', '"a dog"'], "has quotation marks around each line"),
        (["['the', 'cat']", "['a', 'dog']"], "look like a list, or bytes, as Python writes them"),
    ],
)
def test_words_with_times_are_looked_at_by_segment(texts: list[str], message: str, tmp_path: Path) -> None:
    """A recording's words are one text in ctm; what begins each sentence begins the words of each segment."""
    ref = written(tmp_path / "ref.stm", "f 1 s 0.0 5.0 the cat sat on mat\nf 1 s 5.0 9.0 a dog ran to\n")
    words = [
        f"f 1 {5 * n + at / 2} 0.4 {word}\n"
        for n, text in enumerate(texts)
        for at, word in enumerate(text.split())
    ]
    hyp = written(tmp_path / "hyp.ctm", "".join(words))
    refused(ref, hyp, message=message)
    assert fstmetrics("score", ref, hyp, "--format", "ctm").status == 0


def test_what_a_profile_takes_out_of_texts_is_no_look_of_them(tmp_path: Path) -> None:
    ref = in_jsonl(tmp_path / "ref", ["the cat sat", "a dog"])
    hyp = in_jsonl(tmp_path / "hyp", ["<|en|>the cat sat", "a dog"])
    assert fstmetrics("score", ref, hyp, "--profile", "whisper-en", "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    ("name", "line"),
    [("trn", "it{} a cat (u1)"), ("stm", "f 1 s 0.0 5.0 it{} a cat"), ("ctm", "f 1 0.1 0.2 it{}")],
)
def test_escapes_whose_semicolon_would_begin_a_tag_are_refused(name: str, line: str, tmp_path: Path) -> None:
    """sclite's tags, `word;tag`, do not count: it&apos;m would be it&apos;s."""
    ref, hyp = (written(tmp_path / f"{end}.{name}", line.format(f"&apos;{end}") + "\n") for end in "sm")
    said = refused(ref, hyp, message=f".{name}:1: has characters as HTML writes them")
    command = said.partition("count: ")[2].partition(" writes characters")[0]
    right = written(tmp_path / "right.stm", "f 1 s 0.0 5.0 it's a cat\n")
    if name == "ctm":
        made = run(command, hyp, tmp_path).rename(tmp_path / f"made.{name}")
        assert fstmetrics("score", right, made, "--json").summary["substitutions"] == 1
        return
    made = [run(command, path, tmp_path).rename(tmp_path / f"{path.stem}2.{name}") for path in (ref, hyp)]
    assert fstmetrics("score", *made, "--json").summary["edits"] == 1
    words = [written(tmp_path / f"{end}3.{name}", line.format(f"&apos\\;{end}") + "\n") for end in "sm"]
    assert fstmetrics("score", *words, "--json").summary["edits"] == 1


@pytest.mark.parametrize("holding", [in_trn, in_stm, in_ctm])
def test_characters_whose_backslash_would_not_count_are_refused(
    holding: Callable[[Path, list[str]], Path], tmp_path: Path
) -> None:
    ref = holding(tmp_path / "ref", ["the cat sat", "a dog"])
    for end in (r"\n", r"\r\n", r"\n\n"):
        hyp = holding(tmp_path / "hyp", [f"the cat sat{end}", f"a hog{end}"])
        said = refused(ref, hyp, message=f"has {end[:2]}, and a backslash does not count here: ")
        command = said.partition("count here: ")[2].partition(" takes ends")[0]
        made = run(command, hyp, tmp_path)
        again = made.rename(made.with_suffix(hyp.suffix))
        assert fstmetrics("score", ref, again, "--json").summary["edits"] == 1
    for character in (r"\u00e9", r"\xe9"):
        refused(
            ref, holding(tmp_path / "a", ["the cat", f"caf{character}"]), message=f"has {character}, and a"
        )
        words = holding(tmp_path / "b", ["the cat", f"caf\\{character}"])
        assert fstmetrics("score", words, words, "--json").summary["edits"] == 0
    slash = holding(tmp_path / "c", [r"and\/or n", r"a\;b \{"])
    assert fstmetrics("score", slash, slash, "--json").summary["edits"] == 0


def test_tags_of_sclite_do_not_count(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.trn", "the cat;noun of AT&T;org { x / y;z } (u1)\n")
    hyp = written(tmp_path / "hyp.trn", "the cat;verb of AT&T y (u1)\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0


def as_csv(path: Path, texts: Sequence[str]) -> Path:
    return written(
        path.with_suffix(".csv"), "".join(["id,text\n", *(f"{n},{text}\n" for n, text in enumerate(texts))])
    )


def as_lines(path: Path, texts: Sequence[str]) -> Path:
    return written(path, "".join(f"{text}\n" for text in texts))


@pytest.mark.parametrize("holding", [as_lines, as_csv])
@pytest.mark.parametrize("sign", ["_", "%20"])
def test_signs_in_place_of_all_spaces_are_refused(
    sign: str, holding: Callable[[Path, Sequence[str]], Path], tmp_path: Path
) -> None:
    texts = ["yes", "turn it on", "", "turn off"]
    other = holding(tmp_path / "other", texts)
    joined = holding(tmp_path / "joined", [text.replace(" ", sign) for text in texts])
    for sides in ((other, joined), (joined, other)):
        refused(*sides, message=f"has {sign} in place of spaces, and {other} has none")
    assert fstmetrics("score", joined, joined, "--json").summary["edits"] == 0
    told = fstmetrics("score", other, joined, "--format", "csv" if holding is as_csv else "plain")
    assert told.status == 0
    assert f"has {sign} in place of spaces" in told.out
    # A word with the sign among others, labels of one word on both sides, and letters that need no spaces.
    for mine, its in (
        (["yes", f"a{sign}b", "turn it on"], ["yes", "a b", "turn it on"]),
        ([f"on{sign}off", "off"], ["on", "onoff"]),
        (["\u6211\u4eec\u53bb", f"a{sign}b"], ["\u6211 \u4eec \u53bb", "a b"]),
        ([f"play{sign}music", "other"], [f"play{sign}music", "out of scope"]),
    ):
        kept = [holding(tmp_path / name, side) for name, side in (("mine", mine), ("its", its))]
        assert "in place of spaces" not in (found := fstmetrics("score", *kept)).out
        assert found.status == 0


@pytest.mark.parametrize("mark", [":", " :", " -", " ->", " |"])
@pytest.mark.parametrize("names", [("A", "A"), ("Ann", "Bob"), ("A", "B", "A")])
def test_names_of_speakers_before_lines_are_taken_out_by_the_advice(
    names: Sequence[str], mark: str, tmp_path: Path
) -> None:
    texts = ["the cat sat", "yes", "a dog ran"][: len(names)]
    plain = as_lines(tmp_path / "plain", texts)
    named = as_lines(tmp_path / "named", [f"{n}{mark} {t}" for n, t in zip(names, texts, strict=True)])
    for sides in ((plain, named), (named, plain)):
        said = refused(*sides, message="behind their first words")
        assert ("if the first words are ids" in said) == (len({*names}) == len(names))
        command = said.partition("if they are names of speakers, ")[2].partition(" FILE takes them out")[0]
        assert run(command, named, tmp_path).read_text() == plain.read_text()


# Phrases of networks as nobody says them, by the number of the network, and what is said of them.
PHRASES = {
    "escapes": (["the &quot;{0}&quot; is &amp; was"], "escaped characters"),
    "numbers": (["1. the cat {0}", "2. a cat {0}"], "look like a numbered list"),
    "ids": (["n{0} the cat {0}", "n{0} a cat {0}"], "begin with their own ids"),
    "quotes": (['"the cat {0}"', '"a cat {0}"'], "quotation marks"),
    "pieces": (["the c@@ at {0}"], "pieces of words"),
    "braces": (["the {{big|large}} cat {0}"], "choices in braces"),
    "sclite": (["the {{ big / large }} cat {0}"], "choices as of sclite"),
    "parentheses": (["the (big|large) cat {0}", "a cat"], "choices in parentheses"),
}


def network_files(folder: Path, phrases: list[str], form: str) -> Path:
    """Four networks of these phrases, as cards, or as JSON of phrases or of arcs."""
    folder.mkdir()
    for number in range(4):
        said = [phrase.format(number) for phrase in phrases]
        if form == "cards":
            written(
                folder / f"n{number}.cards", "[S]: " + "; ".join(each.replace(";", "\\;") for each in said)
            )
            continue
        first, rest = said[0].split(" ", 1)
        arcs = [[0, 1, first], [1, 2, rest]]
        card = {"phrases": said} if form == "json" else {"arcs": arcs, "final": [2]}
        network = {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": card}}
        written(folder / f"n{number}.json", json.dumps(network))
    return folder


@pytest.mark.parametrize("form", ["json", "cards", "arcs"])
@pytest.mark.parametrize("name", PHRASES)
def test_what_phrases_of_networks_have_is_refused(name: str, form: str, tmp_path: Path) -> None:
    phrases, message = PHRASES[name]
    if (name, form) == ("numbers", "arcs"):
        return  # which are of one phrase
    folder, format = (
        network_files(tmp_path / "nets", phrases, form),
        "cards" if form == "cards" else "network",
    )
    hyp, other = (
        written(tmp_path / name, "".join(f"n{n} the big cat {n}\n" for n in range(4))) for name in ("a", "b")
    )
    for call in (
        ("hyter", folder, hyp),
        ("score", folder, hyp),
        ("compare", hyp, other, "--networks", folder, "-m", "hyter"),
    ):
        outcome = fstmetrics(*call)
        assert (outcome.status, message in outcome.err) == (2, True), outcome
        assert outcome.err.endswith(f"; if they are words, --ref-format {format} says so\n")
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.hyter_files(networks=folder, hypotheses=hyp)
    told = fstmetrics("hyter", folder, hyp, "--ref-format", format)
    assert (told.status, message in told.out) == (0, True)
    checked = fstmetrics("network", "validate", next(folder.iterdir()))
    are_told = form != "arcs" or not message.startswith("choices")
    assert (checked.status, "remark: " in checked.out + checked.err) == (0, are_told)


def test_phrases_like_hypotheses_are_words(tmp_path: Path) -> None:
    phrases = ['it \'s 1 - "{0}" (or [X]) & a/b', "[X]"]
    folder = tmp_path / "nets"
    folder.mkdir()
    for n in range(4):
        text = "; ".join(phrases).format(n)
        written(folder / f"n{n}.cards", f"[S]: {text}\n[X]: so; 1. so\n".replace("(or [X])", "( or [X] )"))
    hyp = written(tmp_path / "hyp", "".join(f'n{n} it \'s 1 - "{n}" ( or so ) & a/b\n' for n in range(4)))
    outcome = fstmetrics("hyter", folder, hyp, "--json")
    assert (outcome.status, outcome.summary["edits"]) == (0, 0)
    assert outcome.summary["remarks"] == ["paired by id: the first word of each line of " + str(hyp)]
    two = written(tmp_path / "n.cards", "[S]: the cat; a cat\n")
    assert fstmetrics("network", "validate", two).out == "1 network, none with faults\n"


def test_references_of_networks_are_compared_with_one_another(tmp_path: Path) -> None:
    raw, escaped = written(tmp_path / "raw", RAW), written(tmp_path / "escaped", ESCAPED)
    outcome = fstmetrics("network", "build", raw, escaped, "-o", tmp_path / "nets")
    assert (outcome.status, f"{escaped}: has escaped characters" in outcome.err) == (2, True)
    assert fstmetrics("network", "build", escaped, "-o", tmp_path / "nets").status == 0
    outcome = fstmetrics("hyter", tmp_path / "nets", raw)
    assert (outcome.status, "has escaped characters" in outcome.err) == (2, True)
    assert fstmetrics("hyter", tmp_path / "nets", escaped, "--json").summary["edits"] == 0
