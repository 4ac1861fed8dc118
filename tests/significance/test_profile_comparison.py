"""Systems under several profiles: the scores are those of `score`, and the words add up to the difference in edits."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, with_options
from hypothesis import given, settings
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.significance.profile_comparison import ProfileComparison

pytest.importorskip("whisper_normalizer", reason="whisper-normalizer is not installed")

WORDS = (
    "Twenty", "five", "25", "uh", "The", "the", "can't", "can", "not", "Mr.", "mister", "colour", "color", "wi", "fi",
    "wifi", "U.S.", "us", "U", "S", "[noise]", "dollars", "$25", "cat", "Cat,", "你好", "好",
)  # fmt: skip
NAMES = (
    "none",
    "whisper-en",
    "open-asr",
    "open-asr+compounds",
    "whisper-basic",
    "chinese-cer",
    "mixed",
    "nemo",
)


def add_up(found: ProfileComparison) -> None:
    """What has to hold of any comparison."""
    base = found.base
    for profile in found.profiles[1:]:
        for system in found.systems:
            difference = found.scores[system, profile].edits - found.scores[system, base].edits
            assert sum(change.edits[system] for change in found.changes[profile]) == difference
        for gap in found.gaps(profile):
            assert gap.by_errors + gap.by_length == pytest.approx(gap.owed)
            own = found.scores[gap.second, profile].score - found.scores[gap.first, profile].score
            assert gap.other == pytest.approx(own)


sentences = st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), min_size=3, max_size=3)


@settings(max_examples=30, deadline=None)
@given(a=sentences, b=sentences, references=sentences, pair=st.permutations(NAMES))
def test_words_add_up_to_the_difference_in_edits(
    a: list[str], b: list[str], references: list[str], pair: list[str]
) -> None:
    references = [f"{line} cat" for line in references]
    found = fm.compare_profiles({"a": a, "b": b}, references, pair[:2])
    add_up(found)
    for name in pair[:2]:
        corpus = fm.score(a, references, normalisation=fm.profile(name))
        assert isinstance(corpus, fm.CorpusResult)
        own = found.scores["a", name]
        assert (own.edits, own.words) == (corpus.edits, corpus.path_length)


def noisy(line: str, choose: random.Random) -> str:
    """A line with other words in some places, and one compound in two."""
    words = [word if choose.random() > 0.2 else choose.choice(WORDS) for word in line.split()]
    return " ".join(words).replace("wifi", choose.choice(["wi fi", "wifi"]))


def test_words_add_up_on_noisy_copies() -> None:
    choose = random.Random(3)
    references = [" ".join(choose.choices(WORDS, k=choose.randint(1, 12))) for _ in range(300)]
    systems = {name: [noisy(line, choose) for line in references] for name in ("a", "b", "c")}
    found = fm.compare_profiles(systems, references, "open-asr,whisper-en,none,open-asr+compounds")
    add_up(found)
    assert found.changes["none"]
    assert found.changes["open-asr+compounds"]


def words(found: ProfileComparison, profile: str) -> dict[tuple[str, str], int]:
    return {(change.reference, change.hypothesis): change.total for change in found.changes[profile]}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("twenty five dollars", "$25", {("twenty five dollars", "$25"): 3}),
        ("Uh a Cat b", "a cat b", {("Uh", ""): 1, ("Cat", "cat"): 1}),
        ("The Cat sat", "the hat sat", {("The", "the"): 1}),  # an error under both, whatever the case of its words
        ("a cat", "a dog", {}),
        ("I can't go", "I can not go", {("can't", "can not"): 2}),
        ("a x B y c", "a p b q c", {("B", "b"): 1}),  # what the rules explain is cut out of a longer stretch
    ],
)  # fmt: skip
def test_which_words_are_responsible(
    reference: str, hypothesis: str, expected: dict[tuple[str, str], int]
) -> None:
    texts = {"a": [hypothesis]}
    assert words(fm.compare_profiles(texts, [reference], "whisper-en,none"), "none") == expected
    # The other way round the same words save as much.
    reverse = words(fm.compare_profiles(texts, [reference], "none,whisper-en"), "whisper-en")
    assert reverse == {pair: -edits for pair, edits in expected.items()}


def test_items_that_a_profile_leaves_out_count_under_the_others() -> None:
    found = fm.compare_profiles({"a": ["x", "a"]}, ["[noise]", "a"], "open-asr,none")
    assert (found.scores["a", "open-asr"].items, found.scores["a", "none"].items) == (1, 2)
    assert words(found, "none") == {("[noise]", "x"): 1}


def test_equal_scores_have_equal_ranks() -> None:
    found = fm.compare_profiles(
        {"a": ["A b", "c"], "b": ["a b", "d"], "c": ["x y", "z"]}, ["a b", "c"], "none,whisper-en"
    )
    assert [found.scores[system, "none"].rank for system in "abc"] == [1, 1, 3]
    assert found.rank_changes("whisper-en") == {"b": (1, 2)}


PROFILES = ("compare", "--profiles", "open-asr,none", "--ref", EXAMPLES / "profiles" / "ref.txt", "--systems")
SYSTEMS = [EXAMPLES / "profiles" / f"{name}.txt" for name in ("north", "river", "sunny")]


def test_the_command_prints_tables_of_at_most_100_columns() -> None:
    out = fstmetrics(*PROFILES, *SYSTEMS).out
    table = out.split("\n10 items\n")[0]
    assert max(map(len, table.splitlines())) <= 100
    assert "twenty five dollars.         $25.        none" in table
    assert "30 more (--top 0 shows all)" in fstmetrics(*PROFILES, *SYSTEMS, "--top", "6").out


def test_the_command_gives_what_python_gives() -> None:
    summary = fstmetrics(*PROFILES, *SYSTEMS, "--json").summary
    texts = {
        path.stem: {line.split()[0]: line.partition(" ")[2] for line in path.read_text().splitlines()}
        for path in [*SYSTEMS, EXAMPLES / "profiles" / "ref.txt"]
    }
    references = texts.pop("ref")
    found = json.loads(json.dumps(fm.compare_profiles(texts, references, ["open-asr", "none"]).as_dict()))
    assert {name: summary[name] for name in found} == found
    assert [name.split("|")[2].partition("@")[0] for name in summary["signatures"]] == [
        "profile:open-asr",
        "unit:word",
    ]


def test_print_shows_the_tables_of_the_command(tmp_path: Path) -> None:
    texts = {"ref": "It's five.", "a": "it's 5", "b": "it is five"}
    paths = [tmp_path / f"{name}.txt" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text + "\n")
    found = fm.compare_profiles({n: [texts[n]] for n in "ab"}, [texts["ref"]], "whisper-en,none")
    shown = fstmetrics("compare", "--profiles", "whisper-en,none", "--ref", *paths).out
    assert shown.startswith(f"{found}\n\n1 item\n")
    assert repr(found) == "ProfileComparison(systems=['a', 'b'], profiles=['whisper-en', 'none'])"


@pytest.mark.parametrize("profiles", ["none,whisper-en", "whisper-en,none"])
def test_references_without_words_under_one_profile_are_refused(profiles: str) -> None:
    """One system inserts words; the other says nothing under that profile."""
    for texts in (["color"], ["[laugh]"]):
        with pytest.raises(fm.FstmetricsError, match="no reference has words under whisper-en"):
            fm.compare_profiles({"a": texts}, ["[laugh]"], profiles)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--test", "sign"], "--test does not go with --profiles"),
        (["--profile", "nemo"], "--profile does not go with --profiles"),
        (["--metric", "bleu"], "--profiles compares word error rates; leave --metric out"),
        (["--profiles", "none"], "profiles are compared with one another: give two or more, not 1"),
        (["--profiles", "none,none"], "the profile 'none' comes twice"),
    ],
)  # fmt: skip
def test_what_does_not_go_with_profiles(options: list[str], message: str, tmp_path: Path) -> None:
    command = list(map(str, [*PROFILES, *SYSTEMS]))
    assert fstmetrics(*with_options(command, options)).err == f"fstmetrics: {message}\n"


def test_outputs_are_the_same_items_as_the_references() -> None:
    pandas = pytest.importorskip("pandas")
    references = pandas.Series(["a b", "c"])
    with pytest.raises(fm.FstmetricsError, match=r"different labels \(index\)"):
        fm.compare_profiles({"x": references[::-1]}, references, "kaldi,none")
    with pytest.raises(fm.FstmetricsError, match="there is no item to score"):
        fm.compare_profiles({"x": []}, [], "kaldi,none")


RULES = {
    "base": fm.Normalisation(),
    "other": fm.Normalisation(lowercase=True, remove_punctuation=True, ignore={"uh"}),
}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        # Without the hit `uh`, one of `c d` stands for `a`: an edit less.
        ("uh a z", "c d uh z", [("", "c d", "base", -1)]),
        # The same three errors, of which another word is the hit.
        ("c a b. b z", "A a z", []),
        ("d z", "uh uh, b b z", [("", "uh", "base", -1), ("", "uh,", "base", -1)]),
        ("A a z", "d d A z", [("", "d d", "base", -1)]),
    ],
)
def test_an_error_under_both_profiles_is_told_of_none(
    reference: str, hypothesis: str, expected: list[tuple[str, str, str, int]]
) -> None:
    found = fm.compare_profiles({"s": [hypothesis]}, [reference], RULES)
    told = [(c.reference, c.hypothesis, c.under, c.total) for c in found.changes["other"]]
    assert sorted(told) == sorted(expected)


@pytest.mark.parametrize("order", [("base", "other"), ("other", "base")])
def test_no_word_is_an_error_under_both_profiles(order: tuple[str, str]) -> None:
    """Of an item no word that one of the rules makes the same stands under both, and all add up."""
    draw = random.Random(3)
    words = ("a", "A", "a,", "b", "B", "b.", "c", "uh", "uh,", "d")
    rules = {name: RULES[name] for name in order}
    told = 0
    for _ in range(1000):
        reference, hypothesis = (" ".join(draw.choices(words, k=draw.randint(1, 4))) + " z" for _ in range(2))
        found = fm.compare_profiles({"s": [hypothesis]}, [reference], rules)
        changes = found.changes[order[1]]
        edits = [found.scores["s", name].edits for name in order]
        assert sum(change.total for change in changes) == edits[1] - edits[0]
        for side in ("reference", "hypothesis"):
            under = {
                name: [
                    {tuple(each.words(word)) for each in rules.values()} - {()}
                    for change in changes
                    if change.under == name
                    for word in getattr(change, side).split()
                ]
                for name in order
            }
            told += sum(map(len, under.values()))
            for one in under[order[0]]:
                assert all(one.isdisjoint(other) for other in under[order[1]]), (reference, hypothesis)
    assert told > 500
