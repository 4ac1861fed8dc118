"""Remarks on errors that are owed to case or to forms of Unicode alone, and on sides that hardly match."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from command import fstmetrics, written
from places import SHARED, needs_data

import fstmetrics as fm
from fstmetrics.engine import unlike_sides
from fstmetrics.engine.look_alikes import FOLDS
from fstmetrics.engine.search import search
from fstmetrics.engine.unlike_sides import spelling_remarks
from fstmetrics.metrics.wer import WER
from fstmetrics.text.normalisation import Normalisation

WORDS = "Élan naïf the Café opens Monday in Zürich with José and Zoë"
CASE = "most substitutions are of case: {}, and {} with --lowercase"
UNICODE = "most substitutions are of forms of Unicode: {}, and 0 with --normalise-unicode nfc"


def remarks(tmp_path: Path, ref: str, hyp: str, *options: str) -> list[str]:
    paths = [written(tmp_path / name, text) for name, text in (("ref.txt", ref), ("hyp.txt", hyp))]
    found = fstmetrics("score", *paths, *options, "--json").summary
    assert isinstance(found["remarks"], list)
    return [remark for remark in found["remarks"] if remark.startswith("most substitutions")]


def test_case_alone(tmp_path: Path) -> None:
    ref = f"{WORDS}\n" * 3
    hyp = ref.upper().replace("THE", "a", 2)
    assert remarks(tmp_path, ref, hyp) == [CASE.format(36, 2)]
    assert CASE.format(36, 2) in fstmetrics("score", tmp_path / "ref.txt", tmp_path / "hyp.txt").out
    assert remarks(tmp_path, ref, hyp, "--lowercase") == []
    assert remarks(tmp_path, ref, ref) == []


def test_forms_of_unicode_alone(tmp_path: Path) -> None:
    ref = f"{WORDS}\n" * 3
    hyp = unicodedata.normalize("NFD", ref)
    assert hyp != ref
    assert remarks(tmp_path, ref, hyp) == [UNICODE.format(18)]
    assert remarks(tmp_path, ref, hyp, "--normalise-unicode", "nfc") == []


@pytest.mark.parametrize(("wrong", "said"), [(5, True), (6, False)])
def test_more_than_half_of_the_substitutions(wrong: int, said: bool, tmp_path: Path) -> None:
    ref = " ".join(["Yes"] * 12)
    hyp = " ".join(["no"] * wrong + ["yes"] * (12 - wrong))
    assert remarks(tmp_path, ref, hyp) == ([CASE.format(12, wrong)] if said else [])


def test_a_few_substitutions_are_no_ground(tmp_path: Path) -> None:
    assert remarks(tmp_path, "Yes " * 9, "yes " * 9) == []
    assert remarks(tmp_path, "Yes " * 10, "yes " * 10) == [CASE.format(10, 0)]


def test_the_first_items_are_looked_at(tmp_path: Path) -> None:
    (said,) = remarks(tmp_path, "a Yes b\n" * 501, "a yes b\n" * 501)
    assert said == CASE.format("500 in the first 500 items", 0)


@pytest.mark.parametrize("command", ["score", "hyter"])
def test_networks_and_several_references(command: str, tmp_path: Path) -> None:
    """They are looked at as single references are, a tenth as many."""
    texts = [f"{WORDS} {number}" for number in range(60)]
    ref = written(tmp_path / "ref.txt", "".join(f"{text}\n" for text in texts))
    hyp = written(tmp_path / "hyp.txt", "".join(f"{text.lower()}\n" for text in texts))
    other = written(tmp_path / "other.txt", "So it is not\n" * 60)
    assert fstmetrics("network", "build", ref, other, "-o", tmp_path / "nets").status == 0
    words = sum(word != word.lower() for word in WORDS.split())
    for references, items in (
        ((ref, hyp), ""),
        ((ref, hyp, "--ref", other), " in the first 50 items"),
        ((tmp_path / "nets", hyp), " in the first 50 items"),
    ):
        found = fstmetrics(command, *references, "--json").summary["remarks"]
        assert CASE.format(f"{words * (50 if items else 60)}{items}", 0) in found
        assert not [
            each
            for each in fstmetrics(command, *references, "--lowercase", "--json").summary["remarks"]
            if each.startswith("most ")
        ]
    compared = fstmetrics("compare", "--networks", tmp_path / "nets", "--metric", "hyter", hyp, ref, "--json")
    said = CASE.format(f"{words * 50} in the first 50 items", 0)
    assert [each for each in compared.summary["remarks"] if "most " in each] == [f"hyp: {said}"]


def few(tmp_path: Path, *given: object) -> list[str]:
    """The remark on words that do not match, if there is one."""
    found = fstmetrics(*map(str, given), "--json").summary["remarks"]
    return [remark for remark in found if remark.startswith("only ")]


# Matches among 24 words of 3 references, and what else there is; whether it is told.
@pytest.mark.parametrize(
    ("matches", "items", "words", "options", "told"),
    [
        (4, 3, 8, (), True),
        (5, 3, 8, (), False),
        (0, 3, 8, ("--unit", "char"), False),
        (0, 2, 12, (), False),
        (0, 3, 6, (), False),
        (0, 3, 8, ("--metric", "grr"), False),
        (4, 3, 8, ("--metric", "mer"), True),
        (4, 3, 8, ("--metric", "hyter", "--window", "3"), True),
    ],
)
def test_hardly_a_word_matches(
    matches: int, items: int, words: int, options: tuple[str, ...], told: bool, tmp_path: Path
) -> None:
    right = [f"w{number}" for number in range(items * words)]
    wrong = [*right[:matches], *(f"x{number}" for number in range(matches, items * words))]
    paths = []
    for name, side in (("ref", right), ("hyp", wrong)):
        rows = (" ".join(side[at : at + words]) for at in range(0, len(side), words))
        paths.append(written(tmp_path / name, "".join(f"{row}\n" for row in rows)))
    said = f"only {matches} of {items * words} words match: do both sides have the same items in the same order, "
    plain = ("--format", "plain", "--ref-format", "plain")
    found = few(tmp_path, "score", *paths, *plain, *options)
    assert found == [f"{said}in one language and one case (--lowercase ignores it)?"] * told
    found = few(tmp_path, "score", *paths, *plain, *options, "--lowercase")
    assert found == [f"{said}in one language?"] * told


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "per", "cer", "grr"])
def test_hardly_a_word_matches_of_texts_whose_words_are_not_counted(metric: str, tmp_path: Path) -> None:
    """In any case of letters, of the first items, of words that are not spelt otherwise, and that spaces part."""
    texts = [f"in {n} days we shall see them go to Rome" for n in range(600)]
    others = [f"nobody knows why {n} dogs bark at night" for n in range(600)]
    unspaced = [f"\u4eca\u5929{chr(0x4E00 + n)}\u5929\u6c14\u5f88\u597d" for n in range(20)]
    sides = {
        "ref": texts, "same": [text.upper() for text in texts], "other": others,
        "spelt": [re.sub("[aeo]", "x", text) for text in texts],
        "zh": unspaced, "zh2": [text[1:] for text in unspaced],
    }  # fmt: skip
    paths = {name: written(tmp_path / name, "\n".join(side) + "\n") for name, side in sides.items()}
    plain = ("--metric", metric, "--format", "plain", "--ref-format", "plain")
    (said,) = few(tmp_path, "score", paths["ref"], paths["other"], *plain)
    same = "words match in the first 500 items: do both sides have the same items in the same order, in one language?"
    assert said.endswith(same)
    for ref, hyp in (("ref", "same"), ("ref", "spelt"), ("zh", "zh2")):
        assert few(tmp_path, "score", paths[ref], paths[hyp], *plain) == []
    if metric not in ("cer", "grr"):
        systems = (paths["same"], paths["other"], "--samples", 9)
        compared = fstmetrics("compare", "--ref", paths["ref"], *systems, *plain, "--json")
        assert [each for each in compared.summary["remarks"] if " only " in each] == [f"other: {said}"]


def test_hypotheses_with_few_words_may_all_match(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "so it is what we have said of it here\n" * 9)
    hyp = written(tmp_path / "hyp", "so it is\n" * 9)
    assert few(tmp_path, "score", ref, hyp) == []


def test_text_without_spaces_that_hardly_matches(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "".join(f"今天天气{chr(0x4E00 + n)}\n" for n in range(20)))
    hyp = written(tmp_path / "hyp", "".join(f"今天天気{chr(0x4E00 + n)}\n" for n in range(20)))
    (found,) = few(tmp_path, "score", ref, hyp)
    assert found.endswith("; are there spaces between words (if not, --unit char-no-space)?")


def test_lattices_that_hardly_match(tmp_path: Path) -> None:
    """The oracle may match by chance; the 1-best tells."""
    words = [f"w{n}" for n in range(8)]
    arcs = [f"J={n} S={n} E={n + 1} W=x a=-1" for n in range(8)] + [
        f"J={n + 8} S={n} E={n + 1} W={word} a=-9" for n, word in enumerate(words)
    ]
    (tmp_path / "lats").mkdir()
    for item in range(3):
        written(tmp_path / "lats" / f"u{item}.slf", "\n".join([f"N=9 L={len(arcs)}", *arcs, ""]))
    ref = written(tmp_path / "ref", "".join(f"u{item} {' '.join(words)}\n" for item in range(3)))
    (found,) = few(tmp_path, "oracle", ref, tmp_path / "lats")
    assert found.startswith("only 0 of 24 words match")
    assert found.endswith(", and do the lattices need other --symbols?")


REAL = (
    ("asr-kaldi-weather/ref.trn", "asr-kaldi-weather/mono.trn"),
    ("asr-pocketsphinx/ref.txt", "asr-pocketsphinx/hyp.txt"),
    ("asr-fisher-callhome/fisher_dev.en.0.gz", "asr-fisher-callhome/fisher_dev.en.1.gz"),
    ("refs-wmt19-paraphrased/wmt19-ende-ar.ref.gz", "refs-wmt19-paraphrased/wmt19-ende-arp.ref.gz"),
    ("refs-wmt19-paraphrased/wmt19-ende-hqr.ref.gz", "refs-wmt19-paraphrased/wmt19-ende-wmtp.ref.gz"),
    ("expected-wmt17-significance/ref.de.gz", "expected-wmt17-significance/sys.online-G.0.de.gz"),
)


@needs_data
@pytest.mark.parametrize(("ref", "hyp"), REAL)
def test_no_real_pair_of_files_is_told_and_every_shifted_one_is(ref: str, hyp: str, tmp_path: Path) -> None:
    assert few(tmp_path, "score", SHARED / ref, SHARED / hyp) == []
    pairs = fstmetrics("score", SHARED / ref, SHARED / hyp, "--output", tmp_path / "o.jsonl")
    assert pairs.status == 0
    texts = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    sides = {
        name: [" ".join(record[name]) for record in texts if name in record]
        for name in ("hypothesis", "closest")
    }
    shifted = [*sides["hypothesis"][1:], sides["hypothesis"][0]]
    paths = [
        written(tmp_path / name, "".join(f"{text}\n" for text in side))
        for name, side in (("r", sides["closest"]), ("h", shifted))
    ]
    assert few(tmp_path, "score", *paths, "--format", "plain", "--ref-format", "plain") != []


def told(tmp_path: Path, ref: str, hyp: str, *options: str) -> list[str]:
    """What is said of spellings: of columns, and item by item, which say the same."""
    paths = [written(tmp_path / name, f"{text}\n" * 12) for name, text in (("r.txt", ref), ("h.txt", hyp))]
    plain = ("--format", "plain", "--ref-format", "plain")
    found = []
    for route in ((), ("--alignment",), ("--output", tmp_path / "o.jsonl"), ("--metric", "sclite")):
        summary = fstmetrics("score", *paths, *plain, *options, *route, "--json").summary
        assert isinstance(summary["remarks"], list)
        found.append([remark for remark in summary["remarks"] if remark.startswith("most ")])
    assert all(each == found[0] for each in found)
    return found[0]


MARKS = "apostrophes, quotation marks, hyphens or dots that look alike"
LETTERS = "letters of different alphabets that look alike"
APART = "where they are the same; no option does that: write them"


# References, hypotheses; what is said of 12 such items; and options that remove the difference.
@pytest.mark.parametrize(
    ("ref", "hyp", "said", "options"),
    [
        ("Well, yes.", "Well yes", "punctuation: 24, and 0 with --remove-punctuation", "--remove-punctuation"),
        ("well , yes .", "well yes", "punctuation: 24, and 0 with --remove-punctuation", "--remove-punctuation"),
        ("Well, yes.", "well yes", "case and punctuation: 24, and 0 with --lowercase --remove-punctuation",
         "--lowercase --remove-punctuation"),
        ("don't go", "don\u2019t go", f"{MARKS} (U+2019 RIGHT SINGLE QUOTATION MARK): 12, and 0 with "
         "--remove-punctuation", "--remove-punctuation"),
        ("a \u2013 b", "a - b", f"{MARKS} (U+2013 EN DASH): 12, and 0 with --remove-punctuation",
         "--remove-punctuation"),
        ("don't go", "don\u02bct go", f"{MARKS} (U+02BC MODIFIER LETTER APOSTROPHE): 12, and 0 {APART} alike in both "
         "files", ""),
        ("don't go", "don`t go", f"{MARKS} (U+0060 GRAVE ACCENT): 12, and 0 {APART} alike in both files", ""),
        ("cat dog", "c\u0430t d\u043eg", f"{LETTERS} (U+0430 CYRILLIC SMALL LETTER A, U+043E CYRILLIC SMALL LETTER O): "
         f"24, and 0 {APART} in one alphabet in both files", ""),
        ("\u0431\u0430\u043a \u0442\u043e\u043a", "\u0431ak \u0442o\u043a", f"{LETTERS} ", ""),
        ("zwei", "zw\u00adei", "invisible characters (U+00AD SOFT HYPHEN): 12, and 0 without them; no option "
         "takes them out: delete them in the files", ""),
        ("zwei", "zw\u200dei", "invisible characters (U+200D ZERO WIDTH JOINER): 12", ""),
        ("zwei drei", "zwei \ufeffdrei", "invisible characters (U+FEFF ZERO WIDTH NO-BREAK SPACE): 12", ""),
        ("zwei drei", "zwei drei\u200b", "invisible characters (U+200B ZERO WIDTH SPACE): 12", ""),
        ("ok \u2764", "ok \u2764\ufe0f", "invisible characters (U+FE0F VARIATION SELECTOR-16): 12", ""),
        ("fine x", "\ufb01ne x", "compatibility forms of Unicode: 12, and 0 with --normalise-unicode nfkc",
         "--normalise-unicode nfkc"),
        ("AB x", "\uff21\uff22 x", "compatibility forms of Unicode: 12, and 0 with --normalise-unicode nfkc",
         "--normalise-unicode nfkc"),
        ("\u00c9t\u00e9, oui.", "e\u0301te\u0301 oui", "case, forms of Unicode and punctuation: 24, and 0 with "
         "--lowercase --normalise-unicode nfc --remove-punctuation",
         "--lowercase --normalise-unicode nfc --remove-punctuation"),
    ],
)  # fmt: skip
def test_sides_that_differ_in_little(ref: str, hyp: str, said: str, options: str, tmp_path: Path) -> None:
    (remark,) = told(tmp_path, ref, hyp)
    kind = "substitutions" if said.startswith("compatibility") else "errors"
    assert remark.startswith(f"most {kind} are of {said}")
    if options:
        assert told(tmp_path, ref, hyp, *options.split()) == []
        paths = ("--format", "plain", "--ref-format", "plain", *options.split())
        assert (
            fstmetrics("score", tmp_path / "r.txt", tmp_path / "h.txt", *paths, "--json").summary["edits"]
            == 0
        )


@pytest.mark.parametrize(
    ("ref", "hyp"),
    [
        ("don\u2019t go, \u0430 b.", "don\u2019t go, \u0430 c."),  # the same marks on both sides
        ("Yes, it is.", "No, it was."),
        ("a b c", "x y z"),
        ("zwei\u00a0drei", "zwei drei"),  # a space, which separates words
    ],
)
def test_nothing_is_said_where_spelling_is_not_the_cause(ref: str, hyp: str, tmp_path: Path) -> None:
    assert told(tmp_path, ref, hyp) == []


def test_long_items_are_not_scored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("Yes, no. " * 100, "yes no " * 100)] * 20
    assert len(list(spelling_remarks(pairs, WER(), Normalisation()))) == 1
    sizes = []

    def counted(ids: object, hypotheses: list[str], *rest: object, **named: object) -> object:
        sizes.append(sum(map(len, hypotheses)))
        return search(ids, hypotheses, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(unlike_sides, "search", counted)
    monkeypatch.setattr(unlike_sides, "CHARACTERS", 5000)
    (said,) = spelling_remarks(pairs, WER(), Normalisation())
    assert " in the first 3 items" in said
    assert 0 < max(sizes) < 5000
    assert len(sizes) < 10
    monkeypatch.setattr(unlike_sides, "CHARACTERS", 100)
    sizes.clear()
    assert list(spelling_remarks(pairs, WER(), Normalisation())) == []
    assert sizes == []


def test_folds_change_only_characters_that_look_alike() -> None:
    every = [character for fold in FOLDS for character in fold.to]
    assert len(set(every)) == len(every)
    for fold in FOLDS:
        assert not any(character.isascii() and character.isalnum() for character in fold.to)
        assert all(fold.of(plain) == plain for plain in fold.to.values())


CHINESE = ["今天", "天气", "不错", "我们", "去", "公园", "吃", "苹果", "很", "高兴"]


@pytest.mark.parametrize("command", ["score", "hyter", "compare"])
@pytest.mark.parametrize("joined", [9, 3])
def test_words_that_are_cut_otherwise(command: str, joined: int, tmp_path: Path) -> None:
    """Errors are of spaces alone; the one option that is named gives the number without them."""
    lines = [[CHINESE[(7 * line + 3 * place) % 10] for place in range(9)] for line in range(30)]
    ref = written(tmp_path / "ref", "".join(" ".join(line) + "\n" for line in lines))
    hyp = written(
        tmp_path / "hyp", "".join("".join(x[:joined]) + " " + " ".join(x[joined:]) + "\n" for x in lines)
    )
    more = []
    if command == "hyter":
        assert fstmetrics("network", "build", ref, "-o", tmp_path / "cards").status == 0
        ref = tmp_path / "cards"
    if command == "compare":
        command, more = "compare", [tmp_path / "hyp2", "--metric", "wer", "--ref", ref]
        written(tmp_path / "hyp2", hyp.read_text())
    files = [hyp, *more] if more else [ref, hyp]
    found = fstmetrics(command, *files)
    told = found.out + found.err
    assert "most errors are of spaces: " in told
    assert ", and 0 with --unit char-no-space" in told
    assert "--unit char)" not in told
    mended = fstmetrics(command, *files, "--unit", "char-no-space")
    assert "most errors are" not in mended.out


@needs_data
def test_a_remark_on_spaces_does_not_reorder_characters() -> None:
    """Their orders took some hundred times as long as the score, by the minute; a second is usual."""
    folder = SHARED / "synthetic-networks"
    files = folder / "networks" / "combined-*.json.gz", folder / "hyp-combined-0.txt"
    command = [sys.executable, "-m", "fstmetrics", "hyter", *map(str, files), "--window", "5", "--json"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["items"] == 12


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("the cat sat on a mat", "the hat sits at my mat"),  # as many letters as words
        (
            "an ice cream in the long and hot afternoon of a day in May",
            "an icecream in the long and hot afternoon of a day in May",
        ),  # few
        ("今天 天气 不错", "明日 天気 不好"),
    ],
)
def test_errors_that_are_not_of_spaces(reference: str, hypothesis: str, tmp_path: Path) -> None:
    ref, hyp = (written(tmp_path / n, f"{t}\n" * 30) for n, t in (("ref", reference), ("hyp", hypothesis)))
    assert "of spaces" not in fstmetrics("score", ref, hyp).out


# Kinds of files whose words have times, made of words.
TIMED: dict[str, Callable[[list[str]], str]] = {
    "ctm": lambda words: "".join(f"F 1 {n} 0.5 {word}\n" for n, word in enumerate(words)),
    "stm": lambda words: f"F 1 ann 0 {len(words)} {' '.join(words)}\n",
    "srt": lambda words: f"1\n00:00:00,000 --> 00:00:{len(words):02},000\n{' '.join(words)}\n",
    "json": lambda words: json.dumps(
        {"text": " ".join(words), "segments": [{"start": 0, "end": len(words), "text": " ".join(words)}]}
    ),
}


def timed(folder: Path, kind: str, texts: list[list[str]]) -> Path:
    """A file of all, or a folder with one for each."""
    (folder / kind).mkdir(parents=True, exist_ok=True)
    if kind in ("ctm", "stm"):
        lines = (re.sub("^F", f"r{n}", TIMED[kind](text), flags=re.MULTILINE) for n, text in enumerate(texts))
        return written(folder / kind / f"file.{kind}", "".join(lines))
    for n, text in enumerate(texts):
        written(folder / kind / f"r{n}.{kind}", TIMED[kind](text))
    return folder / kind


@pytest.mark.parametrize("kind", ["ctm", "srt", "json"])
@pytest.mark.parametrize("references", ["text", "stm", "ctm"])
@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_words_with_times_are_looked_at_as_texts(
    kind: str, references: str, metric: str, tmp_path: Path
) -> None:
    pieces = [[CHINESE[(7 * line + 3 * place) % 10] for place in range(6)] for line in range(4)]
    joined, cased = [["".join(line)] for line in pieces], [["The", "CAT", "Sat"]] * 4
    for n, (said, heard, remark) in enumerate(
        [
            (joined, pieces, "most errors are of spaces: "),
            (cased, [[word.lower() for word in line] for line in cased], "most substitutions are of case: "),
        ]
    ):
        folder = tmp_path / str(n)
        lines = "".join(f"r{n} {' '.join(text)}\n" for n, text in enumerate(said))
        hyp = timed(folder / "hyp", kind, heard)
        ref = written(folder / "ref", lines) if references == "text" else timed(folder, references, said)
        told = fstmetrics("score", ref, hyp, "--metric", metric).out
        assert remark in told
        (option,) = re.findall(r"and 0 with (--[-a-z ]*[a-z])$", told, re.MULTILINE)
        mended = fstmetrics("score", ref, hyp, "--metric", metric, *option.split(), "--json").summary
        assert (mended["edits"], [each for each in mended["remarks"] if "most" in each]) == (0, [])
        compared = fstmetrics("compare", hyp, f"b={hyp}", "--ref", ref, "--metric", metric)
        assert remark in compared.out + compared.err


def test_merged_parts_of_words_with_times_are_looked_at(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "r0 The CAT Sat\nr1 On A Mat\nr2 It DID\nr3 NOW All LEFT\n")
    hyp = timed(tmp_path, "ctm", [line.lower().split()[1:] for line in ref.read_text().splitlines()])
    parts = [tmp_path / f"part{n}" for n in (1, 2)]
    for n, part in enumerate(parts, 1):
        assert fstmetrics("score", ref, hyp, "--shard", f"{n}/2", "-o", part).status == 0
    merged = fstmetrics("merge", *parts, "-o", tmp_path / "all")
    assert "most substitutions are of case: 11, and 0 with --lowercase" in merged.out + merged.err


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("the cat sat on a mat", ["f 1 0 .5 a", "f 1 1 .5 hat", "f 1 2 .5 sits", "f 1 3 .5 at"]),
        ("{ THE / THAT } CAT", ["f 1 0 .5 the", "f 1 1 .5 cat"]),
        ("THE CAT", ["f 1 * * <ALT_BEGIN>", "f 1 0 .5 the", "f 1 * * <ALT>", "f 1 * * <ALT_END>", "f 1 1 .5 cat"]),
    ],
    ids=["words", "reference", "hypothesis"],
)  # fmt: skip
def test_nothing_is_said_of_words_with_times(reference: str, hypothesis: list[str], tmp_path: Path) -> None:
    """Other words; and choices, which are left out."""
    ref = written(tmp_path / "ref.stm", "".join(f"f{n} 1 s 0 9 {reference}\n" for n in range(12)))
    lines = [line.replace("f", f"f{n}", 1) for n in range(12) for line in hypothesis]
    hyp = written(tmp_path / "hyp.ctm", "\n".join(lines) + "\n")
    told = fstmetrics("score", ref, hyp)
    assert told.status == 0
    assert "most errors are" not in told.out
    assert "most substitutions are" not in told.out


def lattices(folder: Path, words: list[list[str]], suffix: str) -> Path:
    """Lattices of one path each."""
    folder.mkdir()
    for number, said in enumerate(words):
        lines = ["VERSION=1.0", f"N={len(said) + 1} L={len(said)}"]
        if suffix == "slf":
            lines += [f"I={place}" for place in range(len(said) + 1)]
            lines += [f"J={place} S={place} E={place + 1} W={word}" for place, word in enumerate(said)]
        else:
            lines = [f"{place} {place + 1} {word}" for place, word in enumerate(said)] + [str(len(said))]
        written(folder / f"u{number}.{suffix}", "\n".join(lines) + "\n")
    return folder


SAID = [
    f"{word} cat sat on it {place}".split()
    for place, word in enumerate(["a", "the", "no", "so", "my", "his", "her", "an", "one", "two"])
]
REFERENCES = "".join(f"u{place} {' '.join(words)}\n" for place, words in enumerate(SAID))


@pytest.mark.parametrize("suffix", ["slf", "fst.txt"])
@pytest.mark.parametrize(
    ("first", "between", "last", "ignored"),
    [
        ("!S", "", "!E", "'!E !S'"), ("sil", "", "sil", "sil"), ("<SIL>", "<SIL>", "<SIL>", "'<SIL>'"),
        ("", "-", "", "-"), ("[sil]", "sp", "[sil]", "'[sil] sp'"),
    ],
)  # fmt: skip
def test_labels_of_silence_are_told_with_what_leaves_them_out(
    first: str, between: str, last: str, ignored: str, suffix: str, tmp_path: Path
) -> None:
    words = [[first, *(part for word in said for part in (word, between)), last] for said in SAID]
    folder = lattices(tmp_path / "lats", [[word for word in said if word] for said in words], suffix)
    ref = written(tmp_path / "ref", REFERENCES)
    for command in ("oracle", "score"):
        found = fstmetrics(command, ref, folder, "--json").summary
        (told,) = [remark for remark in found["remarks"] if remark.startswith("most insertions are of ")]
        assert told.endswith(
            f", which no reference has and may be no word: {found['insertions']}, and 0 with --ignore-hyp {ignored}"
        )
        option = shlex.split(told.partition("and 0 with ")[2])
        mended = fstmetrics(command, ref, folder, *option, "--json").summary
        assert (mended["edits"], [each for each in mended["remarks"] if "insertions" in each]) == (0, [])


def test_labels_of_silence_in_texts_are_told(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", REFERENCES)
    hyp = written(
        tmp_path / "hyp", "".join(f"{line.replace(' sat', ' sil sat')}\n" for line in REFERENCES.splitlines())
    )
    told = "most insertions are of sil, which no reference has and may be no word: 10, and 0 with --ignore-hyp sil"
    assert told in fstmetrics("score", ref, hyp).out
    assert told in fstmetrics("compare", hyp, f"b={hyp}", "--ref", ref).out


def test_what_is_ignored_at_the_ends_of_texts_is_not_told(tmp_path: Path) -> None:
    texts = [f"{a} had a dog and {b}" for a in "abcdefg" for b in "stuvwxy"]
    ref = written(tmp_path / "ref", "".join(f"{text}\n" for text in texts))
    hyp = written(tmp_path / "hyp", "".join(f"{text} sil\n" for text in texts))
    assert "every text of" in fstmetrics("score", ref, hyp).out
    for option in ("--ignore-hyp", "--ignore"):
        assert "every text of" not in fstmetrics("score", ref, hyp, option, "sil").out


@pytest.mark.parametrize("word", ["the", "sil"])
def test_inserted_words_of_some_items_or_of_references_are_words(word: str, tmp_path: Path) -> None:
    """`the` is a word of a reference; others are in few hypotheses."""
    words = [
        [*said, *[word] * (5 if place in (1, 5) else int(word == "the"))] for place, said in enumerate(SAID)
    ]
    folder = lattices(tmp_path / "lats", words, "slf")
    found = fstmetrics("oracle", written(tmp_path / "ref", REFERENCES), folder, "--json").summary
    assert found["insertions"] >= 10
    assert not [remark for remark in found["remarks"] if "insertions are of" in remark]


def test_names_of_sentence_ends_in_lattices_are_no_words(tmp_path: Path) -> None:
    words = [["SENT-START", *said, "SENT-END"] for said in SAID]
    ref = written(tmp_path / "ref", REFERENCES)
    for suffix in ("slf", "fst.txt"):
        folder = lattices(tmp_path / suffix, words, suffix)
        assert fstmetrics("oracle", ref, folder, "--json").summary["edits"] == 0
    assert fstmetrics("best", tmp_path / "slf", "--to", "kaldi-text").out == REFERENCES


def translated(case: Callable[[str], str], own: str = "rom") -> list[str]:
    """Sentences of which most words are others in each `own`, as translations have them."""
    words = " ".join(f"{own}{letter}" for letter in "abcdefgh")
    return [case(f"{words} nahe Berg{n % 7} und Tal{n % 5}, \u201eHaus{n % 3}\u201c {n}") for n in range(40)]


def apart(text: str) -> str:
    return re.sub("([,.\u201e\u201c])", r" \1 ", text)


TRANSLATED = {
    "ref": translated(str),
    "good": translated(str, "ort"),
    "small": translated(str.lower, "ort"),
    "large": translated(str.upper, "ort"),
    "apart": translated(apart, "ort"),
    # a few words are as they are there
    "usa": [f"{text} USA" if n < 3 else text for n, text in enumerate(translated(str.lower, "ort"))],
}
SMALL = "hypotheses have small letters, references capital and small letters: case counts, and --lowercase"
LARGE = SMALL.replace("hypotheses have small", "hypotheses have capital")
APART_SIGNS = "signs stand apart from words in hypotheses ({!r}), and in references they do not: "
OF_TRANSLATIONS = [
    *(("small", metric, SMALL) for metric in ("wer", "grr", "wrr", "sclite", "hyter", "cer", "mer", "bleu", "chrf")),
    *(("usa", metric, SMALL) for metric in ("wer", "bleu")),
    *(("large", metric, LARGE) for metric in ("wer", "bleu")),
    *(("small", metric, "") for metric in ("ter", "per")),
    ("small", "ter --ter-case-sensitive", SMALL), ("small", "bleu --lowercase", ""), ("small", "wer --lowercase", ""),
    *(("apart", metric, f"{APART_SIGNS.format(',')}tokenize both alike") for metric in ("wer", "ter")),
    ("apart", "cer", f"{APART_SIGNS.format(',')}--unit char-no-space compares both without spaces"),
    ("apart", "bleu", APART_SIGNS.format("\u201c") + "13a leaves them so"),
    ("apart", "wer --tokenize 13a", APART_SIGNS.format("\u201c") + "13a leaves them so"),
    *(("apart", metric, "") for metric in ("chrf", "wer --unit char-no-space", "wer --remove-punctuation")),
    *(("good", metric, "") for metric in ("wer", "cer", "bleu", "chrf", "ter", "ter --ter-case-sensitive", "per")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "metric", "said"), OF_TRANSLATIONS)
def test_translations_in_another_case_or_with_signs_apart(
    name: str, metric: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which have most errors of their own: by all commands, of several references, too, and in Python."""
    monkeypatch.chdir(tmp_path)
    for each, texts in TRANSLATED.items():
        written(tmp_path / each, "".join(f"{text}\n" for text in texts))
    asked = ("-m", *metric.split(), "--json")
    calls = [("score", "ref", name), ("score", "ref", name, "--ref", "ref")]
    if metric == "hyter":
        assert fstmetrics("network", "build", "ref", "-o", "nets").status == 0
        calls += [("hyter", "nets", name), ("compare", "--networks", "nets", "first=good", name)]
    else:
        calls.append(("compare", "--ref", "ref", "first=good", name))
    for call in calls:
        more = ("--samples", "9") if call[0] == "compare" else ()
        found = fstmetrics(*call, *(asked if call[0] != "hyter" else asked[2:]), *more)
        told = [each.removeprefix(f"{name}: ") for each in found.summary["remarks"]]
        told = [each for each in told if re.search("case counts|signs stand|are of case", each)]
        assert [each.startswith(said) for each in told] == [True] * bool(said), told
    if " " not in metric:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fm.score(TRANSLATED[name], TRANSLATED["ref"], metric)
        assert [str(each.message).startswith(said.partition("--")[0]) for each in caught] == [True] * bool(
            said
        )


@pytest.mark.parametrize("texts", [["今天 天气 GPS", "我们 去 公园"], ["Yes", "No"], ["ok", "so"]])
def test_nothing_is_said_of_scripts_without_case_or_single_words(texts: list[str], tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "".join(f"{text}\n" for text in texts * 20))
    hyp = written(tmp_path / "hyp", "".join(f"{text}\n" for text in texts[::-1] * 20))
    for metric in ("wer", "bleu", "chrf"):
        assert "case counts" not in fstmetrics("score", ref, hyp, "-m", metric).out


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("bleu", ": --tokenize zh"),
        ("ter", "or --ter-normalized --ter-asian-support"),
        ("wer", "are of spaces: 1.., and 0 with --unit char-no-space"),
        *((f"wer --unit {unit}", "") for unit in ("char-no-space", "mixed", "char-no-space --tokenize 13a")),
        *((metric, "") for metric in ("chrf", "bleu --tokenize zh", "ter --ter-normalized --ter-asian-support")),
    ],
)  # fmt: skip
def test_spaces_on_one_side_alone(metric: str, said: str, tmp_path: Path) -> None:
    """Of which either may be the one."""
    lines = [
        "".join(CHINESE[(7 * line + 3 * place) % 10] + " " for place in range(7)) + "。" for line in range(20)
    ]
    spaced = written(tmp_path / "a", "\n".join(lines) + "\n")
    bare = written(tmp_path / "b", spaced.read_text().replace(" ", ""))
    for sides in ((spaced, bare), (bare, spaced)):
        found = fstmetrics(
            "score", *sides, "-m", *metric.split(), "--format", "plain", "--ref-format", "plain", "--json"
        )
        told = [each for each in found.summary["remarks"] if "paired" not in each]
        assert [bool(re.search(said, each)) for each in told] == [True] * bool(said), told


@pytest.mark.parametrize("metric", ["wer", "bleu", "chrf", "ter"])
def test_empty_hypotheses_and_invisible_characters_under_any_metric(metric: str, tmp_path: Path) -> None:
    texts = [f"the cat sat on the mat {n} times" for n in range(12)]
    ref = written(tmp_path / "ref", "".join(f"{text}\n" for text in texts))
    empty = [text if n % 3 else "" for n, text in enumerate(texts)]
    unseen = [text.replace(" ", "\u200b ") for text in texts]
    for hypotheses, said in (
        (empty, "4 of 12 hypotheses are empty where references have words: did the system finish?"),
        (unseen, "most errors are of invisible characters (U+200B ZERO WIDTH SPACE): "),
    ):
        hyp = written(tmp_path / "hyp", "".join(f"{text}\n" for text in hypotheses))
        assert (
            said
            in fstmetrics("score", ref, hyp, "-m", metric, "--format", "plain", "--ref-format", "plain").out
        )
        with pytest.warns(UserWarning, match=re.escape(said)):
            fm.score(hypotheses, texts, metric)


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_lists_whose_first_entries_are_in_another_case(metric: str, tmp_path: Path) -> None:
    entries = [
        f"{n} ||| {text} ||| lm= -{k} ||| -{k}" for n, text in enumerate(TRANSLATED["small"]) for k in (1, 2)
    ]
    nbest = written(tmp_path / "nbest", "\n".join(entries) + "\n")
    ref = written(tmp_path / "ref", "".join(f"{text}\n" for text in TRANSLATED["ref"]))
    weights = written(tmp_path / "w", "lm= 1\n")
    for call in (("oracle", ref, nbest), ("tune", nbest, "--ref", ref, "--weights", weights)):
        for option in ((), ("--lowercase",)):
            found = fstmetrics(*call, "-m", metric, *option)
            assert (SMALL in found.out + found.err) == (not option)


@pytest.mark.parametrize(
    ("change", "said"), [(str.upper, CASE.format("140{}", 0)), (str, "40{}, and 0 with --ignore-hyp sil")]
)
def test_scores_of_lists_name_the_entries_of_remarks(
    change: Callable[[str], str], said: str, tmp_path: Path
) -> None:
    """`score` shows oracles alone, `oracle` the first entries, too."""
    texts = [f"We saw Ann and Bob on day {n}" for n in range(20)]
    ends = (" sil", " so") if change is str.upper else (" sil sil", " sil")
    lists = [f"{n} ||| {change(text)}{end} ||| 0 ||| 0" for n, text in enumerate(texts) for end in ends]
    ref, nbest = (
        written(tmp_path / name, "".join(f"{line}\n" for line in lines))
        for name, lines in (("ref", texts), ("nbest", lists))
    )
    for command, where in (("score", " in the first entries"), ("oracle", "")):
        assert said.format(where) in fstmetrics(command, ref, nbest).out


def test_words_that_stand_for_none_and_tokens_of_models_in_python() -> None:
    texts = [f"the cat sat w{n}" for n in range(20)]
    with pytest.warns(UserWarning, match="^3 of hypotheses are 'nan': scored as a word"):
        fm.score(["nan"] * 3 + texts[3:], texts)
    for before, behind in (("", " <pad> <pad>"), ("[CLS] ", " [SEP] [PAD]"), ("[CLS] ", "")):
        marked = [f"{before}{text}{behind}" for text in texts]
        with pytest.warns(UserWarning, match="^all sides have tokens of a decoder"):
            fm.score(marked, marked)


SIGNS_BY_LANGUAGE = {
    "Chinese": ("昨天 天气 真 好 {}{}。", "今天 天气 很 好 {}。", "'。'"),
    "Hindi": ("वह एक बड़ी अच्छी पुस्तक है {}{}।", "यह एक बहुत अच्छी किताब है {}।", "'।'"),
    "Arabic": ("هل رأيت القطة {}{}؟", "هل رأينا قطة {}؟", "'؟'"),
    "English": ("it{}'s the players' bike no {}", "it's the players' car no {}", '"\'"'),
}


@pytest.mark.parametrize("metric", ["wer", "bleu", "ter"])
@pytest.mark.parametrize("language", SIGNS_BY_LANGUAGE)
def test_signs_that_stand_apart_on_one_side(language: str, metric: str, tmp_path: Path) -> None:
    """Nothing is said where they do not, and nowhere that the sign is no word."""
    hypothesis, reference, sign = SIGNS_BY_LANGUAGE[language]
    ref = written(tmp_path / "ref", "".join(f"{reference.format(n)}\n" for n in range(12)))
    for between in (" ", ""):
        parts = (between, "{}") if language == "English" else ("{}", between)
        texts = [hypothesis.format(*parts).format(n) for n in range(12)]
        hyp = written(tmp_path / "hyp", "".join(f"{text}\n" for text in texts))
        out = fstmetrics("score", ref, hyp, "--metric", metric).out
        assert (f"signs stand apart from words in hypotheses ({sign})" in out) == bool(between), out
        assert "may be no word" not in out


def test_signs_apart_in_characters_have_an_advice_that_is_taken(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "".join(f"so, it was {n}\n" for n in range(12)))
    hyp = written(tmp_path / "hyp", "".join(f"so , he was {n}\n" for n in range(12)))
    out = fstmetrics("score", ref, hyp, "--metric", "cer").out
    assert "--unit char-no-space compares both without spaces" in out
    assert "--tokenize" not in out
    assert "signs stand apart" not in fstmetrics("score", ref, hyp, "--unit", "char-no-space").out


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_several_references_are_looked_at_in_python(metric: str) -> None:
    references = [(f"We saw Ann and Bob {n}", f"We met Ann and Tim {n}") for n in range(12)]
    said = [first for first, _ in references]
    for texts, told in (
        ([text.upper() for text in said], "of case"),
        (["" if n % 2 else text for n, text in enumerate(said)], "6 of 12 hypotheses are empty"),
        (said, ""),
    ):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            fm.score(texts, references, metric)
        remarks = [str(each.message) for each in found]
        assert (len(remarks) == 1 and told in remarks[0]) if told else not remarks


def test_empty_hypotheses_beside_several_references_are_told_by_compare(tmp_path: Path) -> None:
    one, two = ("".join(f"we {word} ann {n}\n" for n in range(12)) for word in ("saw", "met"))
    paths = [written(tmp_path / name, text) for name, text in (("one", one), ("two", two))]
    empty = written(tmp_path / "empty", "".join(f"we saw ann {n}\n" * (n < 6) or "\n" for n in range(12)))
    out = fstmetrics("compare", "--ref", paths[0], "--ref", paths[1], paths[0], empty, "--samples", 50).out
    assert "empty: 6 of 12 hypotheses are empty" in out
