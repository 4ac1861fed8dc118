"""Profiles: equal to the packages and programs whose rules they are, on both sides, or refused."""

from __future__ import annotations

import gzip
import pickle
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics
from hypothesis import given
from hypothesis import strategies as st
from other_programs import client, program
from places import CASE_FILES, SHARED, needs_data

import fstmetrics as fm
from fstmetrics.text import text_normalisers
from fstmetrics.text.profiles import PROFILES, profile_names

pytest.importorskip("whisper_normalizer", reason="whisper-normalizer is not installed")

SENTENCES = tomllib.loads((CASE_FILES / "profiles" / "whisper_sentences.toml").read_text())["sentences"]
BY_WORDS = ("whisper-basic", "open-asr-multilingual", "nemo", "kaldi", "chinese-cer", "mixed")


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_whisper_en_is_the_package_on_whispers_own_sentences(text: str, expected: str) -> None:
    from whisper_normalizer.english import EnglishTextNormalizer

    assert " ".join(fm.profile("whisper-en").words(text)) == expected == EnglishTextNormalizer()(text).strip()


def real_lines() -> Iterator[str]:
    for pattern in ("mt-compare-mt/*eng.gz", "asr-fisher-callhome/*.en.?.gz"):
        for path in sorted(SHARED.glob(pattern)):
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                yield from stream


@needs_data
@pytest.mark.parametrize(("name", "which"), [("whisper-en", "english"), ("whisper-basic", "basic")])
def test_whisper_profiles_are_the_package_on_real_lines(name: str, which: str) -> None:
    from whisper_normalizer.basic import BasicTextNormalizer
    from whisper_normalizer.english import EnglishTextNormalizer

    made = {"english": EnglishTextNormalizer, "basic": BasicTextNormalizer}[which]()
    lines = list(dict.fromkeys(real_lines()))[::8]
    assert len(lines) > 2000
    rules = fm.profile(name)
    for line in lines:
        assert rules.words(line) == made(line).split()


def test_open_asr_joins_abbreviations_and_drops_dots() -> None:
    rules = fm.profile("open-asr")
    text = "The U.S.A. and U.K.... A. B. C.of Ph.D. students, A. B. of"
    # The letters with spaces between are joined where a word follows the last dot at once, as on the leaderboard.
    assert " ".join(rules.words(text)) == "the usa and uk abcof ph d students a b of"
    # Words that whisper-normalizer changes, and neither Whisper nor the leaderboard.
    assert rules.words("kinda cause") == ["kinda", "cause"]
    assert fm.profile("whisper-en").words("kinda cause") == ["kind", "of", "because"]


def test_open_asr_of_a_clone_runs_the_code_of_the_clone(tmp_path: Path) -> None:
    folder = tmp_path / "clone" / "normalizer"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('its start loads data sets')")
    (folder / "english_abbreviations.py").write_text("words = {'colour': 'color'}")
    (folder / "normalizer.py").write_text(
        "from .english_abbreviations import words\n"
        "class EnglishTextNormalizer:\n"
        "    def __call__(self, s):\n"
        "        return ' '.join(words.get(w, w) for w in s.lower().split())\n"
    )
    rules = fm.profile(f"open-asr:{folder.parent}")
    assert rules.words("The Colour") == ["the", "color"]
    assert re.search(r"profile:open-asr@1\+open_asr_leaderboard-[0-9a-f]{12}\|", rules.signature())
    with pytest.raises(fm.FstmetricsError, match=r"no clone of the Open ASR Leaderboard.*git clone"):
        fm.profile(f"open-asr:{tmp_path}")


@pytest.mark.parametrize("name", BY_WORDS)
@given(words=st.lists(st.text("aΣé<[(>])。.，,-'你好\u0301Ａ½²", min_size=1, max_size=5), max_size=5))
def test_what_works_word_by_word_gives_the_words_of_the_sentence(name: str, words: list[str]) -> None:
    """The licence to normalise the words of lattices one by one."""
    rules = fm.profile(name)
    try:
        alone = list(chain.from_iterable(map(rules.arc_words, words)))
    except fm.FstmetricsError:
        assert any(set(word) & set("<[(") for word in words)
        return
    assert alone == rules.words(" ".join(words))


def test_lattices_under_rules_of_sentences_are_refused_and_under_rules_of_words_exact() -> None:
    lattice = fm.Lattice.from_strings([["Mr.", "Smith's"], ["mister", "Smith"]])
    with pytest.raises(fm.FstmetricsError, match=r"whisper-en.*rewrites whole sentences.*one by one"):
        fm.oracle(lattice, "mr smith", normalisation=fm.profile("whisper-en"))
    found = fm.oracle(lattice, "MR SMITH S.", normalisation=fm.profile("whisper-basic"))
    assert (found.edits, found.hypothesis) == (0, ("mr", "smith", "s"))


def test_an_open_bracket_in_a_lattice_is_refused() -> None:
    lattice = fm.Lattice.from_strings([["(uh", "huh)"]])
    with pytest.raises(fm.FstmetricsError, match=r"the word '\(uh' opens one that it does not close"):
        fm.oracle(lattice, "uh", normalisation=fm.profile("whisper-basic"))


def test_choices_are_kept_under_rules_of_sentences() -> None:
    reference = fm.Transcript.parse("it costs { twenty / thirty } { five / @ } dollars", "sclite")
    rules = fm.profile("whisper-en")
    for said, edits in (("$25", 0), ("$30", 0), ("$35", 0), ("$20", 0), ("$40", 1)):
        assert fm.align(f"it costs {said}", reference, normalisation=rules).edits == edits


def test_nbest_lists_and_alternatives_are_rewritten_entry_by_entry() -> None:
    rules = fm.profile("whisper-en")
    nbest = fm.NBest("u", (("twenty", "four"), ("twenty", "five")), ("twenty four", "twenty five"))
    found = fm.oracle(nbest, "25", normalisation=rules)
    assert (found.edits, found.one_best.edits) == (0, 1)
    assert fm.align("25", fm.Alternatives(["twenty four", "twenty five"]), normalisation=rules).edits == 0


def test_items_with_nothing_to_say_are_left_out_as_on_the_leaderboard() -> None:
    hypotheses, references = ["a", "b", "c d"], ["[noise]", "ignore time segment in scoring", "c d."]
    corpus = fm.score(hypotheses, references, ids=["1", "2", "3"], normalisation=fm.profile("open-asr"))
    assert (corpus.edits, len(corpus), corpus.skipped, corpus[0].id) == (0, 1, 2, "3")
    kept = fm.score(hypotheses, references, normalisation=fm.profile("whisper-en"))
    assert (kept.edits, len(kept)) == (6, 3)
    compared = fm.compare(
        {"a": hypotheses}, references, ["wer"], samples=10, normalisation=fm.profile("open-asr")
    )
    assert compared.items == 1
    with pytest.raises(fm.FstmetricsError, match="leaves all out"):
        fm.score(["a"], [""], normalisation=fm.profile("open-asr"))


def test_chinese_characters_without_spaces() -> None:
    reference, hypothesis = "今天 天气 很好 吧", "今天天气 很 好 吗"
    assert fm.score([hypothesis], [reference], normalisation=fm.profile("chinese-cer")).score == 1 / 7
    assert fm.score([hypothesis], [reference], normalisation=fm.Normalisation(unit="char")).score == 3 / 10
    assert fm.score([hypothesis], [reference], normalisation=fm.profile("chinese-cer")).name == "cer"


def test_mixed_is_characters_of_han_and_words_of_others() -> None:
    rules = fm.profile("mixed")
    assert rules.words("我用 Windows系统, ok") == ["我", "用", "windows", "系", "统", "ok"]
    lattice = fm.Lattice.from_strings([["我用", "windows系统"]])
    assert fm.oracle(lattice, "我 用 Windows 系 统", normalisation=rules).edits == 0
    assert fm.score(["我用x"], ["我用 x"], normalisation=rules).name == "wer"


MARKS_IN_MIXED = {
    "支持iOS、Android、Windows。": "支 持 ios android windows",
    "我用Windows，Linux和Mac。OK，好的": "我 用 windows linux 和 mac ok 好 的",
    "版本是3.5，2020年": "版 本 是 35 2020 年",
    "“Yes”“No”…OK（Mac）Linux": "yes no ok mac linux",
    "iOS［a］b｛c｝d": "ios a b c d",
    "a,b;c!d?e:f": "a b c d e f",
    "don't 1,000 10:30 10：30 １０：３０ U.S. AT&T wi-fi": "dont 1000 1030 1030 1030 us att wifi",
}


@pytest.mark.parametrize(("text", "expected"), MARKS_IN_MIXED.items())
def test_mixed_is_cut_at_punctuation_that_parts_words(text: str, expected: str) -> None:
    rules, units = fm.profile("mixed"), expected.split()
    assert rules.words(text) == rules.words(text.split()) == units
    assert [unit for word in text.split() for unit in rules.arc_words(word)] == units
    bare = fm.Normalisation(unit="mixed", lowercase=True, remove_punctuation=True)
    assert bare.words(text.translate(str.maketrans("０１３", "013"))) == units
    for grammars in ((), ("en.spelling",)):
        assert fm.score([expected], [text], normalisation=rules, grammars=grammars).edits == 0


def test_other_units_and_kept_punctuation_are_not_cut_at_it() -> None:
    rules = fm.profile("mixed")
    assert replace(rules, unit="word").words("iOS、Android") == ["iosandroid"]
    assert "".join(replace(rules, unit="char").words("iOS、Android")) == "iosandroid"
    assert fm.Normalisation(unit="mixed").words("iOS、Android") == ["iOS、Android"]


HAN_AND_LATIN = ("今天", "天气", "很", "好", "吗", "ok", "windows", "系统", "人", "a", "我们", "tv")


@pytest.mark.parametrize(("name", "option"), [("chinese-cer", ["-c"]), ("mixed", ["-c", "NOASCII"])])
def test_counts_of_characters_are_sclites(name: str, option: list[str], tmp_path: Path) -> None:
    choose = random.Random(5)
    references, hypotheses = (
        [
            "".join(w + choose.choice(["", " "]) for w in choose.choices(HAN_AND_LATIN, k=length))
            for length in lengths
        ]
        for lengths in (range(1, 40), [max(1, n + choose.randint(-2, 2)) for n in range(1, 40)])
    )
    for side, lines in (("ref.trn", references), ("hyp.trn", hypotheses)):
        text = "".join(f"{line} (s_{number:03d})\n" for number, line in enumerate(lines))
        (tmp_path / side).write_text(text, encoding="utf-8")
    command = [*program("sclite", "sctk"), "-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id"]
    command += ["-e", "utf-8", *option, "-o", "rsum", "stdout"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    found = fm.score(hypotheses, references, "sclite", normalisation=fm.profile(name))
    (total,) = re.findall(r"Sum .*\|(.*)\|$", shown, re.MULTILINE)
    matches, substitutions, deletions, insertions = map(int, total.split()[:4])
    # Of alignments with equal weight it may show another.
    weight = 4 * found.substitutions + 3 * (found.deletions + found.insertions)
    assert weight == 4 * substitutions + 3 * (deletions + insertions)
    assert found.path_length == matches + substitutions + deletions


# Beside Han and ASCII, sclite cuts every character; `mixed` leaves together what blanks and Han characters part.
SCRIPTS = (
    "\u3072\u3089\u304c\u306a", "\u30ab\u30bf\u30ab\u30ca\u30fc", "\ud55c\uad6d\uc5b4", "\u0e44\u0e17\u0e22",
    "\u1019\u103c\u1014\u103a", "\u1781\u17d2\u1798\u17c2\u179a", "\u043c\u043e\u0441\u043a\u0432\u0430",
    "na\u00efve", "\uff11\uff12",
)  # fmt: skip


@pytest.mark.parametrize(
    "text", [*SCRIPTS, "\u6211\u4eec ok", "\u6211abc\u4eec", "\u3005\u3007", "don't \u4e2d's", "100\u4e2d"]
)
def test_units_beside_those_of_sclite(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.trn").write_text(f"{text} (u-1)\n", encoding="utf-8")
    command = [
        *program("sclite", "sctk"),
        "-r",
        "a.trn",
        "trn",
        "-h",
        "a.trn",
        "trn",
        "-i",
        "rm",
        "-e",
        "utf-8",
    ]
    units = {}
    for options in (("-c",), ("-c", "NOASCII")):
        shown = subprocess.run(
            [*command, *options, "-o", "pralign", "stdout"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        (line,) = re.findall(r"^REF: +(.*?) *$", shown, re.MULTILINE)
        units[options] = line.split()
    assert fm.Normalisation(unit="char-no-space").words(text) == units["-c",]
    mixed = fm.Normalisation(unit="mixed").words(text)
    if text in SCRIPTS:
        assert mixed == [text]
        assert len(units["-c", "NOASCII"]) > 1
    else:
        assert mixed == units["-c", "NOASCII"]


@pytest.mark.parametrize("system", ["north", "river", "sunny"])
def test_open_asr_with_compounds_has_the_edits_of_the_leaderboards_aligner(system: str) -> None:
    kaldialign = client("kaldialign")
    if not hasattr(kaldialign, "batch_error_rate"):
        pytest.skip("this kaldialign has no batch_error_rate")
    references, hypotheses = (
        [line.partition(" ")[2] for line in (EXAMPLES / "profiles" / f"{name}.txt").read_text().splitlines()]
        for name in ("ref", system)
    )
    words = fm.profile("open-asr").words
    for merges, name in ((False, "open-asr"), (True, "open-asr+compounds")):
        expected = kaldialign.batch_error_rate(
            [tuple(words(line)) for line in references],
            [tuple(words(line)) for line in hypotheses],
            merge_compounds=merges,
        )
        found = fm.score(hypotheses, references, normalisation=fm.profile(name))
        assert found.edits == expected["total"]


def test_grammars_widen_references_in_units_of_a_profile() -> None:
    for unit in ("word", "char", "char-no-space", "mixed"):
        normalisation = fm.Normalisation(unit=unit)
        found = fm.align("we are", "we're", grammars="en.contractions", normalisation=normalisation)
        assert (found.edits, unit) == (0, unit)


def test_nist_glm_brings_its_map_and_kaldi_what_does_not_count(tmp_path: Path) -> None:
    glm = tmp_path / "x.glm"
    glm.write_text("* name \"x\"\n* case_sensitive = 'F'\nCOLOUR => COLOR / [ ] __ [ ]\n")
    rules = fm.profile(f"nist-glm:{glm}")
    assert fm.score(["The Color"], ["the colour"], normalisation=rules).edits == 0
    assert re.match(r"profile:nist-glm@1\+x\.glm-[0-9a-f]{12}\|", rules.signature())
    assert fm.align("The Color", "the colour", normalisation=rules).edits == 0
    assert fm.profile("kaldi").words("[NOISE] Yes <unk> [laughter] yes") == ["Yes", "yes"]


def test_refusals() -> None:
    for wrong, message in (
        ({"profile": "nemo"}, r"has no argument 'profile'; give normalisation=fstmetrics.profile\(NAME\)"),
        ({"normalisation": "nemo"}, r"normalisation=fstmetrics.profile\(NAME\), not 'nemo'"),
    ):
        for function, sides in ((fm.score, (["a"], ["a"])), (fm.align, ("a", "a")), (fm.oracle, ("a", "a"))):
            with pytest.raises(fm.FstmetricsError, match=message):
                function(*sides, **wrong)  # type: ignore[operator]
    with pytest.raises(
        fm.FstmetricsError, match=r"there is no profile 'x'; profiles are none, open-asr\[:CLONE\]"
    ):
        fm.profile("x")
    with pytest.raises(fm.FstmetricsError, match="the profile kaldi is written kaldi, not 'kaldi:x'"):
        fm.profile("kaldi:x")
    with pytest.raises(fm.FstmetricsError, match="the profile nist-glm needs a file: nist-glm:FILE"):
        fm.profile("nist-glm")
    with pytest.raises(fm.FstmetricsError, match=r"needs a global mapping file: 'no.glm' is none"):
        fm.profile("nist-glm:no.glm")


def test_a_missing_package_is_one_line_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "whisper_normalizer.english", None)
    monkeypatch.setitem(sys.modules, "whisper_normalizer", None)
    text_normalisers.whisper_english.cache_clear()
    outcome = fstmetrics("score", "ref.txt", "hyp.txt", "--profile", "whisper-en")
    assert (outcome.status, outcome.err) == (
        2,
        "fstmetrics: the profile whisper-en needs whisper_normalizer, which is not installed: "
        "pip install 'fstmetrics[profiles]'\n",
    )


def test_commands_take_profiles(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("u1 Mr. Smith can't pay $25\nu2 [noise]\nu3 the colour of it\n")
    (tmp_path / "hyp.txt").write_text(
        "u1 mister smith can not pay twenty five dollars\nu2 a\nu3 the color of it\n"
    )
    given = (str(tmp_path / "ref.txt"), str(tmp_path / "hyp.txt"))
    found = fstmetrics("score", *given, "--profile", "open-asr", "--json").summary
    assert (found["edits"], found["items"], found["skipped"]) == (0, 2, 0)
    assert "profile:open-asr@1+whisper-normalizer-" in found["signature"]
    assert "left out: 1 item whose reference has no words under open-asr@1" in found["remarks"][-1]
    (tmp_path / "hyp.txt").write_text("u1 mister smith can not pay twenty five dollars\nu3 the color of it\n")
    (tmp_path / "ref.txt").write_text("u1 Mr. Smith can't pay $25\nu3 the colour at it\n")
    compared = fstmetrics(
        "compare", "--ref", given[0], given[1], "--metric", "wer", "--profile", "whisper-en", "--json"
    )
    assert compared.summary["systems"]["hyp"]["wer"]["score"] == 0.1
    both = fstmetrics("score", *given, "--profile", "chinese-cer", "--unit", "char")
    assert (
        both.err
        == "fstmetrics: the profile chinese-cer has the unit char-no-space, not char; leave one of them out\n"
    )
    refused = fstmetrics("mbr", given[1], "--profile", "open-asr")
    assert refused.err == "fstmetrics: the profile open-asr leaves items out, which mbr does not do\n"


@pytest.mark.parametrize(
    ("command", "profile", "what"),
    [
        ("mbr nbest.txt", "open-asr", "leaves items out"),
        ("mbr nbest.txt", "none+en.spelling", "widens references"),
        ("speakers ref.stm hyp.stm", "open-asr", "leaves items out"),
        ("confidence ref.stm hyp.ctm", "open-asr-multilingual", "leaves items out"),
        ("correlate human hyp --ref ref", "open-asr", "leaves items out"),
    ],
)
def test_commands_refuse_rules_that_they_do_not_have(
    command: str, profile: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *files = command.split()
    for file in files:
        (tmp_path / file).write_text("")
    outcome = fstmetrics(name, *files, "--profile", profile)
    assert (outcome.status, outcome.err) == (
        2,
        f"fstmetrics: the profile {profile} {what}, which {name} does not do\n",
    )


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "nist-glm"])
def test_results_under_profiles_can_be_pickled(name: str) -> None:
    corpus = fm.score(["a B."], ["a c"], normalisation=fm.profile(name))
    again = pickle.loads(pickle.dumps(corpus))
    assert again == corpus
    assert again.normalisation.words("It's 5.") == corpus.normalisation.words("It's 5.")  # type: ignore[union-attr]


def test_rules_of_another_version_are_not_taken_for_those_that_were_pickled() -> None:
    old = text_normalisers._made_again("whisper-en", "whisper-normalizer-0.0.1", "")
    assert old.label == "whisper-en@1+whisper-normalizer-0.0.1"
    with pytest.raises(fm.FstmetricsError, match=r"are of whisper-normalizer-0\.0\.1, which is not here now"):
        old.of_text("a")


def test_help_lists_all_profiles() -> None:
    shown = "".join(fstmetrics("score", "--help", "words").out.split())
    assert all(name in shown for name in profile_names())
    assert set(PROFILES) == {name.partition(":")[0].partition("[")[0] for name in profile_names()}
