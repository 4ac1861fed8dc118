"""Whether lines of text begin with ids: the rule of docs/formats.md as a table, on the command line and by itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.readers.line_ids import KnownIds, Lines, settle
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

# References, hypotheses, and what they are: with ids, words, refused, or ids on one side that order pairs.
CASES: dict[str, tuple[str, str, str]] = {
    "ids that look like ids": ("u-1 a\nu-2 b\n", "u-2 b\nu-1 a\n", "ids"),
    "numbers": ("1 a b\n2 c\n", "1 a\n2 c\n", "ids"),
    "numbers with zeros before numbers": ("0001 1 2\n0002 5\n", "0001 1 2\n0002 5\n", "ids"),
    "digits, as words": ("1 2 3\n4 5 6\n", "1 2 3\n4 5 5\n", "words"),
    "an id twice in both": ("u-1 a\nu-2 b\nu-2 c\n", "u-1 a\nu-2 b\nu-2 c\n", "refused: u-2. is already in line 2"),
    "an id twice in one": ("u-1 a\nu-2 b\nu-3 c\n", "u-1 a\nu-2 b\nu-2 c\n", "refused: u-2. is already in line 2"),
    "an id twice in all, letters": (sentences([*MANY, MANY[0]], 1), sentences([*MANY, MANY[0]], 2), "refused: already"),
    "an id that is missing": ("u-1 a\nu-2 b\n", "u-1 a\nu-3 b\n", "refused: no hypothesis for u-2"),
    "a line without an id": ("u-1 a\nodd b\n", "u-1 a\nu-2 b\n", "refused: no hypothesis for odd"),
    "a blank line in the middle": ("u-1 a\nu-2 b\n", "u-1 a\n\nu-2 b\n", "refused: 2: blank line"),
    "a blank line at the end": ("u-1 a\nu-2 b\n", "u-1 a\nu-2 b\n\n", "ids"),
    "ids on one side, in order": ("u-1 a b\nu-2 c d\n", "a b\nc x\n", "order"),
    "ids on one side, else nothing alike": ("u-1 a b\nu-2 c d\n", "x b\ny x\n", "refused: begin otherwise"),
    "references that begin like ids": (
        "A1 is here\nB2 is there\nC3 is far\n",
        "a one is here\nbe two is there\nsee three is far\n",
        "refused: --ref-format kaldi-text if they are ids, --ref-format plain if they are words",
    ),
    "numbers on one side": ("2 men walk\n3 cats run\n", "two men walk\nthree cats run\n", "refused: begin otherwise"),
    "letters, other words": (sentences(LETTERS, 1), sentences(LETTERS, 2), "ids"),
    "letters, another order": (sentences(LETTERS, 1), sentences(LETTERS[::-1], 2), "ids"),
    "letters, a few in another order": ("al he is\nbo a dog\neve it is\n", "eve it was\nal he is\nbo a dog\n", "ids"),
    "letters, all words right": (sentences(LETTERS, 1), sentences(LETTERS, 1), "refused: if they are ids"),
    "letters, many": (sentences(MANY, 1), sentences(MANY, 1), "ids"),
    "letters, many, some missing": (sentences(MANY, 1), sentences([*MANY[:-1], "zzz"], 1), "refused: no hypothesis"),
    "letters on one side": ("al the cat\nbo a dog\neve it is\n", "the cat\na dog\nit was\n", "refused: if it is an id"),
    "one pair of sentences": ("the cat sat\n", "the cat sits\n", "words"),
    "two pairs of sentences": ("the cat sat\na dog\n", "the cat sits\na dog\n", "words"),
    "sentences in another order": ("the cat\na dog\n", "a cat\nthe dog\n", "words"),
    "sentences whose first words come again": (
        "hello you\nhow are you\nyou see hello\ngood day\nso how\n",
        "hello you\nhow are you\nyou see hello\ngood day\nso how\n",
        "words",
    ),
    "sentences with capitals": (
        "Hello world\nHow is it\nGood day\nThank him\nSee that\n",
        "Hello world\nHow is it\nGood day\nThank him\nSee this\n",
        "words",
    ),
    "sentences, some first words wrong": (sentences(LETTERS, 1), sentences(["x", *LETTERS[1:]], 1), "words"),
    "a word a line": (lines(*MANY), lines(*MANY), "words"),
    "no space between words": ("今天天气很好\n你好\n", "今天天气很好\n您好\n", "words"),
    "hyphens alone": ("x-ray here\ne-mail it\n", "x-ray there\ne-mail it\n", "words"),
    "names of files": ("abc.wav the cat\ndef.wav a dog\n", "abc.wav the bat\ndef.wav a dog\n", "ids"),
    "names of files, in folders": ("./w/abc.FLAC a\n/w/déf.flac b\n", "./w/abc.FLAC a\n/w/déf.flac c\n", "ids"),
    "names of files, one is missing": ("abc.wav a\ndef.wav b\n", "def.wav b\n", "refused: no hypothesis for abc.wav"),
    "names of files on one side, in order": ("abc.wav a b\ndef.wav c d\n", "a b\nc x\n", "order"),
    "names of files, and ids without extension": (
        "abc.wav a b\ndef.wav c d\n", "abc a b\ndef c d\n", "refused: begin otherwise"
    ),
    "names of files in another case": ("ABC.wav a b\nDEF.wav c d\n", "def.wav c\nabc.wav a\n", "ids"),
    "what only begins as a name": (".wav a b\n.wav c\n", ".wav a\n.wav c\n", "words"),
    "a name of a site": ("node.js is it\nweb.de is he\n", "node.js is it\nweb.de is she\n", "words"),
    "letters with colons, another order": (
        "al:x he is\nbo:y a dog\neve:z it is\n", "eve:z it\nal:x he is\nbo:y a dog\n", "ids"
    ),
    "letters with colons, all words right": (
        sentences([f"a:{word}" for word in LETTERS], 1), sentences([f"a:{word}" for word in LETTERS], 1),
        "refused: if they are ids",
    ),
    "letters in another case": (sentences(LETTERS, 1), sentences(LETTERS, 2).upper(), "ids"),
    "letters in another case, another order": (
        "al he is\nbo a dog\neve it is\n", "EVE it was\nAL he is\nBO a dog\n", "ids"
    ),
    "sentences with capitals on one side": (
        "Hello world\nHow is it\nGood day\nThank him\nSee that\n",
        "hello world\nhow is it\ngood day\nthank him\nsee this\n",
        "words",
    ),
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
        "plain" if expected == "words" else "kaldi-text",
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
    ref, hyp = written(tmp_path / "r.trn", "a b (u-1)\n"), written(tmp_path / "h", "u-1 a b\n")
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


def test_a_few_sentences_with_the_same_first_words_are_words_and_the_summary_says_so(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r", "the cat sat\na dog\n"), written(tmp_path / "h", "the bat\na god\n")
    said = "the first word of each line counts as a word; if it is an id, --format kaldi-text --ref-format kaldi-text\n"
    assert said in fstmetrics("score", ref, hyp).out
    assert said not in fstmetrics("score", ref, hyp, "--format", "plain").out
    for text in ("the cat sits\na god\n", "the cat sat\na dog\n"):
        written(hyp, text)
        assert said in fstmetrics("score", ref, hyp).out
        assert said.strip() in fstmetrics("score", ref, hyp, "--json").summary["remarks"]
        assert (
            said
            in fstmetrics("compare", "--ref", ref, hyp, f"b={hyp}", "--metric", "wer", "--samples", "9").out
        )
    written(hyp, "a cat sat\na dog\n")
    assert said not in fstmetrics("score", ref, hyp).out


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


def test_numbers_are_ids_where_a_stream_has_them(tmp_path: Path) -> None:
    """Only the first 100 ids of an archive are known beforehand."""
    folder = tmp_path / "lattices"
    folder.mkdir()
    for number in range(250):
        written(folder / f"{number}.slf", "N=2 L=1\nJ=0 S=0 E=1 W=a\n")
    ref = written(tmp_path / "r", lines(*(f"{number} a" for number in range(250))))
    assert fstmetrics("oracle", ref, folder, "--json").summary["edits"] == 0


def test_ids_are_settled_over_all_references_of_a_network(tmp_path: Path) -> None:
    one, two = written(tmp_path / "r", sentences(LETTERS, 1)), written(tmp_path / "s", sentences(LETTERS, 2))
    outcome = fstmetrics("network", "build", one, two, "-o", tmp_path / "out")
    assert outcome.status == 0
    assert "read as kaldi-text" in outcome.err
    assert {path.stem for path in (tmp_path / "out").iterdir()} == set(LETTERS)


def test_more_than_two_texts(tmp_path: Path) -> None:
    """What one of three lacks is refused, and what all have are ids."""
    ref, hyp = written(tmp_path / "r", "u-1 a b\nu-2 c d\n"), written(tmp_path / "h", "u-1 a b\nu-2 c d\n")
    odd = written(tmp_path / "s", "x y\nz z\n")
    assert "begin otherwise" in fstmetrics("score", ref, hyp, "--ref", odd).err
    assert fstmetrics("score", ref, hyp, "--ref", hyp, "--json").summary["path_length"] == 4


def verdict(*texts: str, known: frozenset[str] = frozenset(), others: tuple[str, ...] = ()) -> list[bool]:
    found = [Lines(Source(f"f{i}", text.encode())) for i, text in enumerate(texts)]
    return settle(found, KnownIds([known]), others=others)[0]


def test_ids_known_from_the_other_file_decide() -> None:
    assert verdict("one a\nutt1 b\n", known=frozenset({"utt1"})) == [True]
    assert verdict("one a\ntwo b\n", known=frozenset({"utt1"})) == [False]
    assert verdict("2 men\na cat\nno dog\n", known=frozenset({"0", "1", "2"})) == [False]
    assert verdict("2 men\n1 cat\n0 dog\n", known=frozenset({"0", "1", "2"})) == [True]
    with pytest.raises(
        FstmetricsError, match=r"\(utt-1, \.\.\.\), but other files have other ids \(lat1, \.\.\.\)"
    ):
        verdict("utt-1 a\n", known=frozenset({"lat1"}))
    with pytest.raises(FstmetricsError, match=r"and f\.plf has no ids"):
        verdict("utt-1 a\n", others=("f.plf",))
    assert verdict("the cat\n", others=("f.plf",)) == [False]


def test_one_text_alone() -> None:
    assert verdict("u-1 a\nu-2 b\n") == [True]
    assert verdict(sentences(MANY, 1)) == [False]
    assert verdict("") == [False]


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
