"""Whether lines of text begin with ids: docs/recognition.md as a table, on the command line and by itself."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.io.ids import KnownIds, Lines, WithoutIds, settle
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

LETTERS = [
    "alpha",
    "bravo",
    "charlie",
    "delta",
    "echo",
    "foxtrot",
    "golf",
    "hotel",
    "india",
    "juliett",
    "kilo",
    "lima",
]
WORDS = ["so", "it", "is", "that", "we", "were", "there", "when", "they", "came", "and", "went"]


def lines(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def sentences(firsts: list[str], seed: int) -> str:
    """A few words behind each of the first ones."""
    draw = random.Random(seed)
    return lines(*(" ".join([first, *draw.choices(WORDS, k=4)]) for first in firsts))


MANY = [f"{a}{b}" for a in "bdfgk" for b in ("aaz", "eez", "iiz", "ooz", "uuz")]

FORMS = ["550e", "a1b2", "0f", "9c-d1", "7"]

# References, hypotheses, and what they are: with ids, words, or refused, and by what message.
CASES: dict[str, tuple[str, str, str]] = {
    "ids that look like ids": ("u-1 a\nu-2 b\n", "u-2 b\nu-1 a\n", "ids"),
    "numbers that count the lines": ("1 a b\n2 c\n", "1 a\n2 c\n", "ids"),
    "the same from 0, in another order": ("0 a b\n1 c\n2 d\n", "2 d\n0 a\n1 c\n", "ids"),
    "other numbers": ("2024 was good\n2025 is better\n", "2024 was bad\n2025 is better\n", "refused: may be ids"),
    "numbers with zeros before them": ("0001 1 2\n0002 5 a\n", "0001 1 2\n0002 5 b\n", "ids"),
    "digits": ("1 2 3\n4 5 6\n", "1 2 3\n4 5 5\n", "words"),
    "digits behind numbers with tabs": ("1\t3\n2\t6\n", "2\t5\n1\t3\n", "ids"),
    "digits, the first ones again": ("1 2 3\n4 5 6\n1 7\n", "1 2 3\n4 5 5\n1 7\n", "words"),
    "an id twice in both": ("u-1 a\nu-2 b\nu-2 c\n", "u-1 a\nu-2 b\nu-2 c\n", "refused: u-2. is already in line 2"),
    "an id twice in one": ("u-1 a\nu-2 b\nu-3 c\n", "u-1 a\nu-2 b\nu-2 c\n", "refused: u-2. is already in line 2"),
    "an id that is missing": ("u-1 a\nu-2 b\n", "u-1 a\nu-3 b\n", "refused: no hypothesis for u-2"),
    "no id on both sides": ("u-1 a\nu-2 b\n", "v-1 a\nv-2 b\n", "refused: begin with others"),
    "a line without an id": ("u-1 a\nodd b\n", "u-1 a\nu-2 b\n", "refused: begin otherwise"),
    "a blank line in the middle": ("u-1 a\nu-2 b\n", "u-1 a\n\nu-2 b\n", "refused: 2: blank line"),
    "a blank line at the end": ("u-1 a\nu-2 b\n", "u-1 a\nu-2 b\n\n", "ids"),
    "ids on one side, the same lines": ("u-1 a b\nu-2 c d\n", "a b\nc x\n", "refused: begin otherwise"),
    "ids on one side, else nothing alike": ("u-1 a b\nu-2 c d\n", "x b\ny x\n", "refused: begin otherwise"),
    "references that begin like ids": (
        "A1 is here\nB2 is there\nC3 is far\n",
        "a one is here\nbe two is there\nsee three is far\n",
        "refused: --ref-format kaldi-text if they are ids, --ref-format plain if they are words",
    ),
    "numbers on one side": ("2 men walk\n3 cats run\n", "two men walk\nthree cats run\n", "refused: begin otherwise"),
    "words of two forms": ("mp3 files are here\n4k video is fine\n", "mp3 files are\n4k video is\n", "refused: may be"),
    "the same in another order": (
        "mp3 files are\n4k video is\n2d is it\n", "2d is it\nmp3 files are\n4k video is\n", "ids"
    ),
    "ids of several forms": (sentences(FORMS, 1), sentences(FORMS, 2), "refused: may be ids"),
    "ids of several forms with underscores": ("Bill_2009P a\nA_1-2 b\n", "Bill_2009P a\nA_1-2 c\n", "ids"),
    "ids of several forms with hyphens": ("84-1-0001 a\n5-a1b-22-z b\n", "84-1-0001 a\n5-a1b-22-z c\n", "ids"),
    "many ids of several forms": (
        sentences([f"{n:x}q{n % 7}" * (n % 3 + 1) for n in range(20)], 1),
        sentences([f"{n:x}q{n % 7}" * (n % 3 + 1) for n in range(20)], 2),
        "ids",
    ),
    "letters, other words": (sentences(LETTERS, 1), sentences(LETTERS, 2), "words"),
    "letters, another order": (sentences(LETTERS, 1), sentences(LETTERS[::-1], 2), "refused: may be ids"),
    "letters, a few in another order": (
        "al he is\nbo a dog\neve it is\n", "eve it was\nal he is\nbo a dog\n", "refused: may be ids"
    ),
    "letters, many": (sentences(MANY, 1), sentences(MANY, 1), "words"),
    "letters on one side": ("al the cat\nbo a dog\neve it is\n", "the cat\na dog\nit was\n", "refused: if it is an id"),
    "one pair of sentences": ("the cat sat\n", "the cat sits\n", "words"),
    "one word with digits": ("covid19 is here\n", "covid19 was here\n", "words"),
    "one number": ("2024 was good\n", "2024 is good\n", "words"),
    "one id on one side, the same line": ("u-1 the cat\n", "the cat\n", "refused: if it is an id"),
    "one word with digits on one side": ("covid19 is here\n", "covid nineteen is here\n", "words"),
    "two pairs of sentences": ("the cat sat\na dog\n", "the cat sits\na dog\n", "words"),
    "first words that change places": ("the cat\na dog\n", "a cat\nthe dog\n", "refused: may be ids"),
    "letters, two lines in another order": ("al he is\nbo a dog\n", "bo a dog\nal he is\n", "refused: may be ids"),
    "letters, some of them in another order": (
        "al he is\nbo a dog\neve it\n", "eve it\nal he is\ndan a dog\n", "words"
    ),
    "letters on one side, two lines": ("al the cat\nbo a dog\n", "the cat\na dog\n", "refused: if it is an id"),
    "letters before tabs": ("al\tthe cat\nbo\ta dog\n", "bo\ta dog\nal\tthe bat\n", "ids"),
    "letters before tabs on one side": (
        "al\tthe cat\nbo\ta dog\n", "al the cat\nbo a dog\n", "refused: begin otherwise"
    ),
    "letters before a tab, one line": ("al\tthe cat\n", "al\tthe bat\n", "words"),
    "tabs between all words": ("al\tthe\tcat\nbo\ta\n", "al\tthe\tbat\nbo\ta\n", "words"),
    "in square brackets": ("[u1] a b\n[u2] c\n", "[u1] a\n[u2] c\n", "refused: may be ids"),
    "in square brackets, another order": (
        "[u1] a b\n[u2] c\n[u3] d\n", "[u3] d\n[u1] a\n[u2] c\n", "ids"
    ),
    "in square brackets with underscores": ("[u_1] a b\n[u_2] c\n", "[u_2] c\n[u_1] a\n", "ids"),
    "behind a sign": ("#1 a b\n#2 c\n", "#2 c\n#1 a\n", "refused: may be ids"),
    "prices": ("$5 is it\n$10 is more\n", "$5 is it\n$10 was more\n", "refused: may be ids"),
    "in parentheses": ("(u1) a b\n(u2) c\n", "(u2) c\n(u1) a\n", "refused: may be ids"),
    "in angles": ("<u1> a b\n<u2> c\n", "<u2> c\n<u1> a\n", "refused: may be ids"),
    "paths": ("/a/u1 a b\n/a/u2 c\n", "/a/u2 c\n/a/u1 a\n", "refused: may be ids"),
    "paths without digits": ("/d/al a b\n/d/bo c\n", "/d/al a\n/d/bo c\n", "refused: may be ids"),
    "numbers with a point": ("30. a b\n10. c\n", "30. a\n10. c\n", "refused: may be ids"),
    "letters in brackets": ("<al> a b\n<bo> c\n", "<al> a b\n<bo> d\n", "words"),
    "letters in brackets, another order": ("<al> a b\n<bo> c\n", "<bo> c\n<al> a\n", "refused: may be ids"),
    "marks of sentences": ("<s> a b </s>\n<s> c </s>\n", "<s> a </s>\n<s> c </s>\n", "words"),
    "one word in brackets": ("[noise] a b\n", "[noise] a\n", "words"),
    "brackets of another script": ("「1」 a b\n「2」 c\n", "「1」 a b\n「2」 d\n", "refused: may be ids"),
    "circled numbers": ("① a b\n② c\n", "② c\n① a\n", "refused: may be ids"),
    "a word broken off": ("this- is\nthat- was\n", "this- is\nthat- is\n", "words"),
    "sentences whose first words come again": (
        "hello you\nhow are you\nyou see hello\ngood day\nso how\n",
        "hello you\nhow are you\nyou see hello\ngood day\nso how\n",
        "words",
    ),
    "sentences, all first words right": (
        "Hello world\nHow is it\nGood day\nThank him\nSee that\n",
        "Hello world\nHow is it\nGood day\nThank him\nSee this\n",
        "words",
    ),
    "sentences, some first words wrong": (sentences(LETTERS, 1), sentences(["x", *LETTERS[1:]], 1), "words"),
    "a word a line": (lines(*MANY), lines(*MANY), "words"),
    "a word with a digit a line": ("BA123\nLH456\n", "LH456\nBA124\n", "words"),
    "many words with digits, one a line": (
        lines(*(f"AB{n}" for n in range(40))), lines(*(f"AB{n}" for n in range(40, 0, -1))), "words"
    ),
    "a number a line": ("1\n2\n3\n", "1\n3\n2\n", "words"),
    "a word with an underscore a line": ("a_1\na_2\n", "a_2\na_1\n", "words"),
    "letters with a tab, and without it": ("bo\t\nal\t\n", "al\nbo\n", "refused: begin otherwise"),
    "a word a line, a tab behind one": ("BA1\t\nLH4\n", "LH4\nBA1\n", "words"),
    "mostly a word with a digit a line": (
        "BA123\nLH456 now\nAF1\n", "BA123\nLH456 then\nAF1\n", "refused: may be ids"
    ),
    "many ids, most of which have nothing behind them": (
        lines("AB0 it", *(f"AB{n}" for n in range(1, 40))), lines("AB0 is", *(f"AB{n}" for n in range(1, 40))),
        "refused: may be ids",
    ),
    "ids with underscores that mostly have nothing behind them": (
        "a_1\na_2 now\na_3\na_4\na_5 so\n", "a_1\na_2 then\na_3\na_4\na_5 so\n", "ids"
    ),
    "ids with nothing behind them on one side": ("u1 yes\nu2 no\n", "u1\nu2\n", "ids"),
    "no space between words": ("今天天气很好\n你好\n", "今天天气很好\n您好\n", "words"),
    "hyphens alone": ("x-ray here\ne-mail it\n", "x-ray there\ne-mail it\n", "refused: may be ids"),
    "names of files": ("abc.wav the cat\ndef.wav a dog\n", "abc.wav the bat\ndef.wav a dog\n", "ids"),
    "names of files, in folders": ("./w/abc.FLAC a\n/w/déf.flac b\n", "./w/abc.FLAC a\n/w/déf.flac c\n", "ids"),
    "names of files, one is missing": ("abc.wav a\ndef.wav b\n", "def.wav b\n", "refused: no hypothesis for abc.wav"),
    "names of files on one side": ("abc.wav a b\ndef.wav c d\n", "a b\nc x\n", "refused: begin otherwise"),
    "names of files, and ids without extension": (
        "abc.wav a b\ndef.wav c d\n", "abc a b\ndef c d\n", "refused: begin otherwise"
    ),
    "names of files in another case": ("ABC.wav a b\nDEF.wav c d\n", "def.wav c\nabc.wav a\n", "ids"),
    "what only begins as a name": (".wav a b\n.wav c\n", ".wav a\n.wav c\n", "words"),
    "a name of a site": ("node.js is it\nweb.de is he\n", "node.js is it\nweb.de is she\n", "words"),
    "ids in another script": ("дом-1 a\nдом-2 b\n", "дом-2 b\nдом-1 c\n", "ids"),
    "words in another script": ("ковид19 a\n4к b\n", "ковид19 a\n4к c\n", "refused: may be ids"),
    "ids in another script with underscores": ("дом_1 a\nдом_2 b\n", "дом_2 b\nдом_1 c\n", "ids"),
    "a blank line among the same sentences": (
        "the cat sat\na dog\ntwo birds\n", "the cat sat\n\na dog\ntwo birds\n", "refused: in plain text a blank line is"
    ),
    "nothing": ("u-1 a\nu-2 b\n", "", "ids"),
    "blank lines": ("u-1 a\nu-2 b\n", "\n\n", "ids"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("command", ["score", "hyter", "compare"])
def test_first_words_are_ids_or_words_as_the_table_says(command: str, name: str, tmp_path: Path) -> None:
    ref, hyp, expected = CASES[name]
    paths = written(tmp_path / "r", ref), written(tmp_path / "h", hyp)
    given = ("--ref", *paths, "--metric", "wer", "--samples", "9") if command == "compare" else paths
    if expected.startswith("refused: "):
        outcome = fstmetrics(command, *given)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert expected.removeprefix("refused: ").replace("u-2. is", "'u-2' is") in outcome.err.replace(
            f"{paths[1]}:", ""
        )
        return
    found = fstmetrics(command, *given, "--json").summary
    formats = (
        "kaldi-text" if expected == "ids" else "plain",
        "kaldi-text" if expected == "ids" and hyp.strip() else "plain",
    )
    assert found["settings"]["formats"] == dict(zip(map(str, paths), formats, strict=True))
    assert found["settings"]["pairing"]["by"] == ("id" if expected == "ids" else "order")
    said = fstmetrics(command, *given).out
    assert ("paired by id" if expected == "ids" else "paired by order") in said
    if expected != "words":
        assert f"{paths[0]} read as kaldi-text" in said or f", {paths[0]} read as kaldi-text" in said


@pytest.mark.parametrize("name", CASES)
def test_formats_that_are_given_settle_all(name: str, tmp_path: Path) -> None:
    ref, hyp, _ = CASES[name]
    paths = written(tmp_path / "r", ref), written(tmp_path / "h", hyp)
    outcome = fstmetrics("score", *paths, "--format", "plain", "--ref-format", "plain", "--json")
    if outcome.status == 0:
        assert set(outcome.summary["settings"]["pairing"]["ids"].values()) == {"none"}
    else:
        assert "numbers of items differ" in outcome.err


def test_the_summary_says_where_ids_are(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / "r.trn", "a b (u-1)\nc (u-2)\n"),
        written(tmp_path / "h", "u-1 a b\nu-2 c\n"),
    )
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert found["settings"]["pairing"] == {
        "by": "id",
        "ids": {str(hyp): "first word, guessed", str(ref): "file"},
    }
    assert f"paired by id: the first word of each line of {hyp}\n" in fstmetrics("score", ref, hyp).out
    found = fstmetrics("score", ref, hyp, "--json", "--format", "kaldi-text").summary
    assert found["settings"]["pairing"]["ids"][str(hyp)] == "first word"
    found = fstmetrics("score", hyp, hyp, "--json", "--metric", "bleu").summary
    assert found["settings"]["pairing"]["by"] == "id"
    assert any("read as kaldi-text" in remark for remark in found["remarks"])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[2].startswith("refused: ")])
def test_advice_leads_to_words_or_ids_or_to_another_refusal(name: str, tmp_path: Path) -> None:
    """What is refused is scored as its user says, and with ids never by order."""
    ref, hyp, _ = CASES[name]
    paths = written(tmp_path / "r", ref), written(tmp_path / "h", hyp)
    both = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    for options in (both, both[:2], both[2:], ("--format", "plain"), ("--ref-format", "plain")):
        outcome = fstmetrics("score", *paths, "--json", *options)
        if outcome.status:
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        else:
            is_one = ref.count("\n") == 1
            assert is_one or len(set(outcome.summary["settings"]["formats"].values())) == 1


@pytest.mark.parametrize("first", ["covid19", "2024", "mp3", "u1"])
def test_one_sentence_needs_no_id_and_the_summary_says_so(first: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", f"{first} is here\n"), written(tmp_path / "h", f"{first} was here\n")
    said = "the first word of each line counts as a word; if it is an id, --format kaldi-text --ref-format kaldi-text"
    for command, given in (
        ("score", (ref, hyp)),
        ("compare", ("--ref", ref, hyp, f"b={hyp}", "--metric", "wer", "--samples", "9")),
    ):
        assert f"{said}\n" in fstmetrics(command, *given).out
        assert said in fstmetrics(command, *given, "--json").summary["remarks"]
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["edits"], found["path_length"]) == (1, 3)
    found = fstmetrics(
        "score", ref, hyp, "--json", "--format", "kaldi-text", "--ref-format", "kaldi-text"
    ).summary
    assert (found["edits"], found["path_length"]) == (1, 2)


def test_thirty_lines_with_numbers_in_another_order(tmp_path: Path) -> None:
    """By id where the references have ids; without, no option that a message names pairs them by order."""
    numbered = [f"{n} word{n} is here" for n in range(1, 31)]
    other = random.Random(3).sample(numbered, 30)
    hyp = written(tmp_path / "h", lines(*other))
    ref = written(tmp_path / "r", lines(*numbered))
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0
    bare = written(tmp_path / "bare", lines(*(line.partition(" ")[2] for line in numbered)))
    plain = written(tmp_path / "plain", lines(*(f"so word{n} is here" for n in range(1, 31))))
    for ref in (bare, plain):
        for options in ((), ("--format", "kaldi-text"), ("--format", "kaldi-text", "--ref-format", "plain")):
            outcome = fstmetrics("score", ref, hyp, *options)
            assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    told = ("--format", "kaldi-text", "--ref-format", "plain", "--fields", "id=")
    assert "paired by order, as --fields id= says" in fstmetrics("score", bare, hyp, *told).out
    # Numbers that stand in their order are no more than the order.
    written(hyp, lines(*numbered))
    assert fstmetrics("score", bare, hyp, "--json", *told[:4]).summary["edits"] == 0


def test_a_file_with_kaldis_name_has_ids(tmp_path: Path) -> None:
    ref, hyp = tmp_path / "text", written(tmp_path / "h", "anna a cat\nbela a dog\n")
    written(ref, "bela a dog\nanna a cat\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["edits"] == 0
    assert "no hypothesis for bela" in fstmetrics("score", ref, written(hyp, "anna a cat\n")).err
    err = fstmetrics("score", ref, written(hyp, "anna a cat\ncarla a dog\n")).err
    assert "1 of its 2 lines begin with ids of the other files" in err


@pytest.mark.parametrize("command", ["score", "hyter"])
def test_lattices_as_references_of_text_are_told(command: str, tmp_path: Path) -> None:
    lattice = written(tmp_path / "u-1.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    text = written(tmp_path / "h", "u-1 a\n")
    said = "the references are lattices: "
    remarks = fstmetrics(command, lattice, text, "--json").summary["remarks"]
    assert sum(remark.startswith(said) for remark in remarks) == 1
    assert said in fstmetrics(command, lattice, text).out
    assert said not in fstmetrics(command, text, lattice).out


def test_ids_that_other_sides_lack_are_no_words(tmp_path: Path) -> None:
    """Lattices with other names: the lines' ids are not counted as words."""
    written(tmp_path / "lat1.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    ref = written(tmp_path / "r", "utt-1 a\n")
    err = fstmetrics("oracle", ref, tmp_path / "lat1.slf").err
    assert (
        "its lines begin with what looks like ids (utt-1, ...), but other files have other ids (lat1, ...)"
        in err
    )


@pytest.mark.parametrize(
    ("reference", "hypothesis", "inserted"),
    [
        ("u_1\t\nu_2\t\n", "u_2\t\nu_1\t\n", 0),
        ("u_1\t\nu_2\t\n", "u_2\t\nu_1\tok\n", 1),
        ("u_1\t\nu_2\t\n", "u_2\nu_1\n", 0),
        ("bo\t\nal\t\n", "al\t\nbo\t\n", 0),
        ("1\t\n2\t\n", "2\t\n1\t\n", 0),
    ],
)
def test_a_tab_with_nothing_behind_it_makes_an_id(
    reference: str, hypothesis: str, inserted: int, tmp_path: Path
) -> None:
    paths = written(tmp_path / "r", reference), written(tmp_path / "h", hypothesis)
    found = fstmetrics("score", *paths, "--json").summary
    assert (found["edits"], found["insertions"], found["path_length"]) == (inserted, inserted, 0)
    assert found["settings"]["pairing"]["by"] == "id"


SINGLE = "mp3\nh264\nusb3\n"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (SINGLE, None),
        ("mp3\n\nusb3\n", None),
        ("mp3\th\nh264\tu\nusb3\tm\n", "but other files have other ids (0, 1, 2, ...)"),
        ("mp3\t\nh264\t\nusb3\t\n", "but other files have other ids (0, 1, 2, ...)"),
        ("mp3 now\nh264\nusb3\n", "but other files have other ids (0, 1, 2, ...)"),
        ("u_1\nu_2\nu_3\n", "but other files have other ids (0, 1, 2, ...)"),
    ],
)
def test_a_word_a_line_is_a_word_beside_items_that_are_counted(
    texts: str, message: str | None, tmp_path: Path
) -> None:
    reference = written(tmp_path / "r", SINGLE)
    networks, lattices = tmp_path / "networks", tmp_path / "lattices"
    assert fstmetrics("network", "build", reference, reference, "-o", networks).status == 0
    lattices.mkdir()
    for number, word in enumerate(SINGLE.split()):
        written(lattices / f"{number}.slf", f"N=2 L=1\nJ=0 S=0 E=1 W={word}\n")
    given = written(tmp_path / "h", texts)
    for call in (("hyter", networks, given), ("score", networks, given), ("oracle", given, lattices)):
        if message:
            outcome = fstmetrics(*call)
            assert (outcome.status, message in outcome.err) == (2, True)
        else:
            found = fstmetrics(*call, "--json").summary
            assert found["edits"] == SINGLE.count("\n") - len(texts.split())
            assert "no line has a second word, so that the first words count as words" in found["remarks"]


def test_numbers_are_ids_where_a_stream_has_them(tmp_path: Path) -> None:
    """Only the first 100 ids of an archive are known beforehand."""
    folder = tmp_path / "lattices"
    folder.mkdir()
    for number in range(250):
        written(folder / f"{number}.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    ref = written(tmp_path / "r", lines(*(f"{number} a" for number in range(250))))
    assert fstmetrics("oracle", ref, folder, "--json").summary["edits"] == 0


def test_ids_are_settled_over_all_references_of_a_network(tmp_path: Path) -> None:
    ids = [f"{name}_1" for name in LETTERS]
    one, two = written(tmp_path / "r", sentences(ids, 1)), written(tmp_path / "s", sentences(ids, 2))
    outcome = fstmetrics("network", "build", one, two, "-o", tmp_path / "out")
    assert outcome.status == 0
    assert "read as kaldi-text" in outcome.err
    assert {path.stem for path in (tmp_path / "out").iterdir()} == set(ids)


def test_more_than_two_texts(tmp_path: Path) -> None:
    """What one of three lacks is refused, and what all have are ids."""
    ref, hyp = written(tmp_path / "r", "u-1 a b\nu-2 c d\n"), written(tmp_path / "h", "u-1 a b\nu-2 c d\n")
    odd = written(tmp_path / "s", "x y\nz z\n")
    assert "begin otherwise" in fstmetrics("score", ref, hyp, "--ref", odd).err
    assert fstmetrics("score", ref, hyp, "--ref", hyp, "--json").summary["path_length"] == 4


def verdict(*texts: str, known: frozenset[str] = frozenset(), others: tuple[str, ...] = ()) -> list[bool]:
    found = [Lines(Source(f"f{i}", text.encode())) for i, text in enumerate(texts)]
    return settle(
        found, KnownIds([known]), others=[WithoutIds(path, 1, lambda: iter(["a b"])) for path in others]
    )[0]


def test_ids_known_from_the_other_file_decide() -> None:
    assert verdict("utt1 a\nutt2 b\n", known=frozenset({"utt1"})) == [True]
    assert verdict("Anna a\nBela b\n", known=frozenset({"anna", "bela", "carla"})) == [True]
    assert verdict("one a\ntwo b\n", known=frozenset({"utt1"})) == [False]
    assert verdict("2 men\na cat\nno dog\n", known=frozenset({"0", "1", "2"})) == [False]
    assert verdict("2 men\n1 cat\n0 dog\n", known=frozenset({"0", "1", "2"})) == [True]
    assert verdict("u1 a\nu2 b\n", known=frozenset({"/data/u1.wav", "/data/u2.wav"})) == [True]
    assert verdict("u1.mp3 a\nu2.mp3 b\n", known=frozenset({"u1", "u2"})) == [True]
    with pytest.raises(FstmetricsError, match="1 of its 2 lines begin with ids of the other files"):
        verdict("one a\nutt1 b\n", known=frozenset({"utt1"}))
    with pytest.raises(
        FstmetricsError, match=r"\(utt-1, \.\.\.\), but other files have other ids \(lat1, \.\.\.\)"
    ):
        verdict("utt-1 a\n", known=frozenset({"lat1"}))
    with pytest.raises(FstmetricsError, match=r"and f\.plf has no ids"):
        verdict("utt-1 a\nutt-2 b\n", others=("f.plf",))
    assert verdict("the cat\n", others=("f.plf",)) == [False]


def test_one_text_alone() -> None:
    assert verdict("u-1 a\nu-2 b\n") == [True]
    assert verdict(sentences(MANY, 1)) == [False]
    assert verdict("") == [False]
    with pytest.raises(FstmetricsError, match="may be ids"):
        verdict("mp3 a\n4k b\n")


def test_real_texts_are_what_they_are(shared: Path) -> None:
    """References against themselves and against systems: plain text stays plain, and Kaldi text has ids."""
    plain = [*(shared / "mt-multeval").glob("*.ref?.gz"), *(shared / "mt-multeval").glob("hyps.lc.*")]
    texts = [Lines(Source.open(path)) for path in plain]
    assert len(texts) > 4
    for text in texts:
        assert settle([text, text], KnownIds()) == ([False, False], "")
    folder = shared / "asr-kaldi-weather"
    ref = Lines(Source.open(folder / "ref.txt"))
    assert settle([ref, ref], KnownIds()) == ([True, True], "")


def test_digits_in_another_order_may_be_ids(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "7 1 2\n5 4\n9 7 8\n"), written(tmp_path / "h", "9 7 8\n7 1 2\n5 4\n")
    assert "may be ids" in fstmetrics("score", ref, hyp).err


def test_a_number_that_begins_the_only_sentence_is_a_word(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / "r", "1 more time\n"),
        written(tmp_path / "h.jsonl", '{"id": 1, "text": "1 more times"}\n'),
    )
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["edits"], found["path_length"]) == (1, 3)


@pytest.mark.parametrize(
    ("row", "line", "refused"),
    [
        ("2 dogs ran", "2 dogs ran", True),
        ("2 dogs ran", "2 dogs run", True),
        ("2 dogs ran", "2 2 dogs ran", False),
        ("dogs ran", "2 dogs ran", False),
        ("2 dogs ran", "two dogs ran", False),
    ],
)
def test_an_only_id_that_both_texts_begin_with_is_asked_for(
    row: str, line: str, refused: bool, tmp_path: Path
) -> None:
    table = written(tmp_path / "r.jsonl", json.dumps({"id": "2", "text": row}) + "\n")
    text = written(tmp_path / "h", line + "\n")
    done = fstmetrics("score", table, text)
    assert ("its only line begins with 2, an id of the other side" in done.err) == refused
    if refused:
        edits = int("run" in line)
        assert fstmetrics("score", table, text, "--format", "plain", "--json").summary["edits"] == edits
    elif line.startswith("2"):
        assert fstmetrics("score", table, text, "--json").summary["edits"] == 0


def test_a_number_that_may_be_the_id_of_the_only_item_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    written(tmp_path / "nets" / "0.cards", "[S]: 0 cats; the cat\n")
    (tmp_path / "other").mkdir()
    written(tmp_path / "other" / "0.cards", "[S]: the cat; a cat\n")
    text = written(tmp_path / "h", "0 the cat\n")
    row = written(tmp_path / "h.jsonl", '{"id": "0", "text": "the cat"}\n')
    for command, option in (
        (("hyter", tmp_path / "other", text), "--format"),
        (("score", row, text), "--format"),
        (("score", text, row), "--ref-format"),
    ):
        said = f"its only line begins with 0, an id of the other side, which may be a word: {option} kaldi-text if"
        refused = fstmetrics(*command)
        assert (refused.status, said in refused.err) == (2, True)
        assert fstmetrics(*command, option, "kaldi-text", "--json").summary["edits"] == 0
        assert fstmetrics(*command, option, "plain", "--json").summary["edits"] == 1
    assert fstmetrics("hyter", tmp_path / "nets", text).status == 0  # which have the word
    other = written(tmp_path / "g", "1 the cat\n")
    assert fstmetrics("hyter", tmp_path / "other", other).status == 0  # no id of theirs


@pytest.mark.parametrize(
    "sentence",
    ["she ran about 3.5 4.5 miles", "it is 2.5 3 meters", "the war ended (1945)", "play song.mp3 2 times"],
)
def test_one_sentence_with_numbers_is_a_sentence(sentence: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", f"{sentence}\n"), written(tmp_path / "h", f"x{sentence}\n")
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert (found["edits"], found["path_length"]) == (1, len(sentence.split()))


@pytest.mark.parametrize(
    "options", [("--lowercase",), ("--ignore", "x"), ("--metric", "hyter", "--window", "3")]
)
def test_records_of_changed_words_are_no_hypotheses(options: tuple[str, ...], tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "u_1 a B c\nu_2 d\n"), written(tmp_path / "h", "u_1 x B a\nu_2 D\n")
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, hyp, "--output", records).status == 0
    expected = fstmetrics("score", ref, hyp, "--json").summary["edits"]
    assert fstmetrics("score", ref, records, "--json").summary["edits"] == expected
    records.unlink()
    for path in tmp_path.glob("records.jsonl*"):
        path.unlink()
    assert fstmetrics("score", ref, hyp, *options, "--output", records).status == 0
    outcome = fstmetrics("score", ref, records)
    assert (outcome.status, outcome.out) == (2, "")
    assert "expected the words as they were given" in outcome.err


@pytest.mark.parametrize("first", ["[u{}]", "#{}", "u_{}", "{}.", "n{}\t"])
def test_lines_with_ids_in_a_folder_are_told(first: str, tmp_path: Path) -> None:
    for side in "rh":
        (tmp_path / side).mkdir()
        written(tmp_path / side / "a.txt", lines(*(f"{first.format(n)} the cat" for n in (2, 7))))
    paths = tmp_path / "r", tmp_path / "h"
    outcome = fstmetrics("score", *paths)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "--format kaldi-text if each line is an item, --format plain if not" in outcome.err
    formats = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    assert fstmetrics("score", *paths, *formats, "--json").summary["path_length"] == 4


def test_words_in_parentheses_at_the_end_may_be_ids(tmp_path: Path) -> None:
    """Letters alone, in a file of any name; one line needs none."""
    texts = "the cat (al)\na dog (bo)\n", "a dog (bo)\nthe cat (al)\n"
    paths = [written(tmp_path / f"{side}.txt", text) for side, text in zip("rh", texts, strict=True)]
    err = fstmetrics("score", *paths).err
    assert "--format trn if these are ids, --format plain if they are words" in err
    formats = ("--format", "trn", "--ref-format", "trn")
    found = fstmetrics("score", *paths, *formats, "--json").summary
    assert (found["edits"], found["path_length"]) == (0, 4)
    one = written(tmp_path / "one.txt", "the cat (meowing)\n")
    assert fstmetrics("score", one, one, "--json").summary["path_length"] == 3


def test_noises_before_sentences_are_no_ids(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "yes it is\nno\nah oh\n")
    hyp = written(tmp_path / "hyp", "[laughter] yes it is\n(laughs) no\n<noise> ah oh\n")
    assert fstmetrics("score", ref, hyp, "--json").summary["insertions"] == 3


def test_a_text_that_is_read_as_trn_is_told_unless_it_is_called_so(tmp_path: Path) -> None:
    hyp = written(tmp_path / "hyp", "see figures\nsee table\n")
    for name, is_told in (("ref", True), ("ref.trn", False)):
        ref = written(tmp_path / name, "see figure (1)\nsee table (2)\n")
        assert (f"{ref} read as trn" in fstmetrics("score", ref, hyp).out) == is_told
    said = fstmetrics("score", tmp_path / "ref", hyp, "--ref-format", "plain", "--json").summary
    assert said["deletions"] == 2


def test_the_option_of_references_is_named_where_a_folder_has_lines_with_ids(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    written(tmp_path / "1" / "84-1.trans.txt", "84-1-0000 A CAT\n84-1-0001 THE DOG\n")
    hyp = written(tmp_path / "hyp", "84-1-0000 A CAT\n84-1-0001 A DOG\n")
    for folder in (tmp_path / "1", f"{tmp_path}/*/*.trans.txt"):
        assert "--ref-format kaldi-text if each line" in fstmetrics("score", folder, hyp).err
        assert fstmetrics("score", folder, hyp, "--ref-format", "kaldi-text", "--json").summary["edits"] == 1
        assert ": --format kaldi-text if each line" in fstmetrics("score", hyp, folder).err


def test_numbers_of_lattices_are_told_beside_references_of_digits(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "u1 2 4 1\nu2 3 3 9\n")
    lattices = written(
        tmp_path / "lat", "u1\n0 1 3 3 1,2\n1 2 5 5 1,2\n2\n\nu2\n0 1 4 4 1,2\n1 2 4 4 1,2\n2\n\n"
    )
    said = (
        f"all words of {lattices} and {ref} are numbers: if those of {ref} are words, and no labels, it needs"
    )
    assert said in fstmetrics("oracle", ref, lattices).out
    symbols = written(tmp_path / "w", "<eps> 0\na 3\nb 5\nc 4\n")
    said = f"all words of {ref} are numbers: if they are labels, as those of {lattices} are without --symbols, leave it"
    assert said in fstmetrics("oracle", ref, lattices, "--symbols", symbols).out
    words = written(tmp_path / "words", "u1 a b\nu2 c c\n")
    assert "are numbers" not in fstmetrics("oracle", words, lattices, "--symbols", symbols).out
    digits = written(tmp_path / "d", "<eps> 0\n2 3\n4 5\n9 4\n")
    assert "are numbers" not in fstmetrics("oracle", ref, lattices, "--symbols", digits).out


def test_symbols_are_of_hypotheses(tmp_path: Path) -> None:
    lattice = written(tmp_path / "lat", "u1\n0 1 3 3 1,2\n1\n\n")
    symbols, words = written(tmp_path / "w", "<eps> 0\nthe 3\n"), written(tmp_path / "h", "u1 the\n")
    for hyp in (words, lattice):
        refused = fstmetrics("score", lattice, hyp, "--symbols", symbols)
        assert "--symbols is of hypotheses; fstmetrics convert REF FOLDER/ --to slf" in refused.err
    made = fstmetrics("convert", lattice, f"{tmp_path}/refs/", "--to", "slf", "--lossy", "--symbols", symbols)
    assert made.status == 0
    assert fstmetrics("score", tmp_path / "refs", words, "--json").summary["edits"] == 0
    assert "give the table of its words, --symbols FILE" in fstmetrics("score", words, lattice).err


@pytest.mark.parametrize("command", ["best", "mbr"])
def test_lists_whose_ids_have_ranks_are_told(command: str, tmp_path: Path) -> None:
    lists = written(tmp_path / "nk", "spk-1 the hat\nspk-2 the cat\nspk2-1 a dog\n")
    assert "--format nbest-kaldi if they are n-best lists" in fstmetrics(command, lists).err
    assert fstmetrics(command, lists, "--format", "nbest-kaldi").out.startswith("spk ")
    ids = written(tmp_path / "ids", "spk-a the hat\nspk-b the cat\nspk2-c a dog\n")
    assert "nbest-kaldi" not in fstmetrics(command, ids).err


def test_a_further_column_of_references_is_not_passed_over(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "id,ref,ref2,hyp\n1,the cat,a cat,a cat\n2,a,b,b\n")
    outcome = fstmetrics("score", table)
    assert outcome.status == 2
    assert "ref, ref2 may be the reference" in outcome.err
    assert fstmetrics("score", table, "--fields", "ref=ref,ref=ref2", "--json").summary["edits"] == 0
    assert fstmetrics("score", table, "--fields", "ref=ref", "--json").summary["edits"] == 2


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("path,sentence,translation,prediction", "sentence, translation"),
        ("id,transcript,translation,hyp", "transcript, translation"),
        ("id,Text,Target,prediction", "Text, Target"),
        ("id,text,tgt_text,prediction", "text, tgt_text"),
        ("audio_filepath,text,translation,pred_text", "text, translation"),
        ("id,text,reference,hyp", ""),
        ("id,src,ref,mt", ""),
        ("id,translation,reference,hyp", ""),
        ("path,sentence,locale,prediction", ""),
        ("audio_filepath,text,target_lang,pred_text", ""),
        ("audio_filepath,text,answer,pred_text", "text, answer"),
        ("id,transcript,reference_translation,prediction", "transcript, reference_translation"),
        ("id,transcript,translation_en,prediction", "transcript, translation_en"),
        ("id,transcript,TargetText,prediction", "transcript, TargetText"),
        ("id,text,label,prediction", "text, label"),
        ("id,text,pred_label,prediction", ""),
        ("id,text,labelled,prediction", ""),
    ],
)
@pytest.mark.parametrize("words", ["the cat sleeps", "\u732b\u7761\u7740"])
def test_a_translation_beside_a_transcript_is_not_passed_over(
    names: str, said: str, words: str, tmp_path: Path
) -> None:
    rows = [["1", "el gato", words, words], ["2", "un dia", words + "s", words + "s"]]
    id, first, second, hypothesis = names.split(",")
    table = written(tmp_path / "t.csv", "".join(",".join(row) + "\n" for row in [names.split(","), *rows]))
    objects = [json.dumps(dict(zip(names.split(","), row, strict=True))) + "\n" for row in rows]
    manifest = written(tmp_path / "t.jsonl", "".join(objects))
    bare = written(tmp_path / "bare.csv", f"{id},{first},{second}\n1,el gato,{words}\n2,un dia,{words}s\n")
    hyp = written(tmp_path / "hyp.csv", f"{id},{hypothesis}\n1,{words}\n2,{words}s\n")
    for command in (("score", table), ("score", manifest), ("compare", table), ("score", bare, hyp)):
        done = fstmetrics(*command)
        refused = f"{said} may be the reference: say which column it is, --fields ref={first} or --fields ref={second}"
        assert (done.status, refused in done.err) == ((2, True) if said else (0, False)), done.err
        if said:
            one = "" if command[-1] == hyp else f",hyp={hypothesis}"
            assert fstmetrics(*command, "--fields", f"ref={second}{one}", "--json").status == 0


@pytest.mark.parametrize(
    "label", ["yes", "background noise", "{i}", "1{i}.5", "the {word}", "{word}", "a.wav"]
)
@pytest.mark.parametrize("name", ["target", "label", "answer", "mt", "words"])
def test_a_column_of_labels_numbers_or_the_text_itself_is_no_translation(
    name: str, label: str, tmp_path: Path
) -> None:
    if (name == "target" and label == "{word}") or (name in ("mt", "words") and "{i}" not in label):
        return  # which may be texts
    rows = "".join(
        f"{i},the {word},{label.format(i=i, word=word)},the {word}\n"
        for i, word in enumerate(("cat", "dog", "cow"))
    )
    table = written(tmp_path / "t.csv", f"id,text,{name},pred_text\n" + rows)
    assert fstmetrics("score", table, "--json").summary["edits"] == 0


def test_equal_translations_are_translations(tmp_path: Path) -> None:
    rows = "".join(f"{i},el gato,cat,cat\n" for i in range(4))
    table = written(tmp_path / "t.csv", "id,text,translation,pred_text\n" + rows)
    assert "text, translation may be the reference" in fstmetrics("score", table).err


@pytest.mark.parametrize(
    ("form", "lines", "words"),
    [
        ("stm", "il y a 1 200 personnes ici\n", "il y a mille deux personnes ici\n"),
        ("stm", "il y a 1 200 personnes\non a b 2 300 jours\n", "un deux\ntrois quatre\n"),
        ("ctm", "a 1 0.5 0.3 word\nb 1 1.5 0.2 word\n", "un deux\ntrois quatre\n"),
    ],
)
def test_texts_with_the_form_of_lines_with_times_are_told(
    tmp_path: Path, form: str, lines: str, words: str
) -> None:
    ref, hyp, text = (
        written(tmp_path / n, t) for n, t in (("ref", lines), ("hyp", lines), ("text.hyp", words))
    )
    named = written(tmp_path / f"ref.{form}", lines)
    said = f"read as {form} ("
    told = fstmetrics("score", ref, hyp).out
    assert f"{ref} {said}" in told
    assert f"{hyp} {said}" in told
    assert said not in fstmetrics("score", named, named).out
    assert said not in fstmetrics("score", ref, hyp, "--ref-format", form, "--format", form).out
    # Lines of text beside it, as many: one of them is something else than it looks like.
    for sides, option in (((ref, text), "--ref-format"), ((text, ref), "--format")):
        outcome = fstmetrics("score", *sides)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert f"lines have the form of {form}" in outcome.err
        assert f"{option} plain if these are words" in outcome.err
        assert fstmetrics("score", *sides, "--ref-format", "plain", "--format", "plain").status == 0
    converted = fstmetrics("convert", ref, tmp_path / "out.txt", "--to", "kaldi-text", "--lossy")
    assert said in converted.out + converted.err


# What one line with an id stands beside, which has no ids, and the command that reads it.
BESIDE = [
    ("h.txt", "hello there world\n", "score"),
    ("h.jsonl", '{"pred_text": "hello there world"}\n', "score"),
    ("h.json", '[{"text": "hello there world"}]\n', "score"),
    ("h.nbest.txt", "0 ||| bye ||| ||| 2\n0 ||| hello there world ||| ||| 1\n", "oracle"),
    ("h.json", '{"alternatives": [{"text": "hello there world"}]}\n', "oracle"),
]


@pytest.mark.parametrize(("name", "content", "command"), BESIDE)
@pytest.mark.parametrize(
    "line", ["u1 hello there world\n", "u1\thello there world\n", "anna\thello there world\n"]
)
def test_one_line_with_an_id_is_refused_beside_one_without(
    name: str, content: str, command: str, line: str, tmp_path: Path
) -> None:
    hyp = written(tmp_path / name, content)
    id = line.split()[0]
    for ref in (
        written(tmp_path / "ref.txt", line),
        written(tmp_path / "ref2.txt", line.replace("hello", "Hello")),
    ):
        outcome = fstmetrics(command, ref, hyp)
        assert (outcome.status, outcome.out) == (2, "")
        assert (
            f"{ref}: its lines begin with a word ({id}, ...) behind which those of {hyp} begin" in outcome.err
        )
        assert "--ref-format kaldi-text if it is an id" in outcome.err
    ref = tmp_path / "ref.txt"
    assert fstmetrics(command, ref, hyp, "--ref-format", "kaldi-text", "--json").summary["score"] == 0


@pytest.mark.parametrize(
    ("ref", "name", "hyp", "said"),
    [
        ("u1\tthe cat\n", "h.txt", "u1\tthe bat\n", "the first word of each line counts as a word; "),
        ("u1 the cat\n", "h.txt", "a bat\n", "r.txt (u1) counts as a word; "),
        ("u1 the cat\n", "h.jsonl", '{"hyp": "a bat"}\n', "r.txt (u1) counts as a word; "),
    ],
)
def test_what_may_be_an_id_of_one_line_is_told(
    ref: str, name: str, hyp: str, said: str, tmp_path: Path
) -> None:
    outcome = fstmetrics("score", written(tmp_path / "r.txt", ref), written(tmp_path / name, hyp))
    assert outcome.status == 0
    assert f"{said}if it is an id, " in outcome.out
