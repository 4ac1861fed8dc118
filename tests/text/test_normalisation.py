"""Words of whole texts at once are those found word by word."""

import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.text.normalisation import Normalisation, Unit
from fstmetrics.text.text_normalisers import TextNormaliser

WORDS = st.sampled_from(
    ["the", "The", "cat,", "it's", "...", "—", "“x”", "ΑΣ", "ΑΣ,", "Σ", "İ", "ẞ", "<S>", "a-b", "¿qué?", "日本。",
     "e\u0301", "x\u00ady", "<*>", "@", "1,000", *sorted(SENTENCE_MARKERS)]
)  # fmt: skip
SPACES = st.sampled_from([" ", "  ", "\t", "\n", "\r", "\x1f", "\x85", "\u00a0", "\u2003", "\u3000"])
TEXTS = st.lists(st.tuples(WORDS | st.text(max_size=3), SPACES)).map(lambda some: "".join(map("".join, some)))
RULES = [
    Normalisation(lowercase=True),
    Normalisation(remove_punctuation=True),
    Normalisation(lowercase=True, remove_punctuation=True),
]


def word_by_word(text: str, rules: Normalisation) -> list[str]:
    """What counts of a text: each word is looked at by itself."""
    found = []
    for word in text.split():
        changed = word.lower() if rules.lowercase else word
        if rules.remove_punctuation:
            changed = "".join(c for c in changed if unicodedata.category(c)[0] != "P")
        if word not in SENTENCE_MARKERS and changed:
            found.append(changed)
    return found


@pytest.mark.parametrize("rules", RULES, ids=str)
@given(TEXTS)
@example("ΑΣ\x85Α")  # a sigma is a final one where its word ends, whatever space is behind it
def test_words_of_a_text_are_those_found_word_by_word(rules: Normalisation, text: str) -> None:
    assert rules.words(text) == word_by_word(text, rules)


@pytest.mark.parametrize("rules", RULES, ids=str)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
@example([("<S> a", "<s> a"), ("b", "b")])
def test_texts_score_as_lists_of_their_words(rules: Normalisation, pairs: list[tuple[str, str]]) -> None:
    texts, lists = (
        fm.score([change(h) for h, _ in pairs], [change(r) for _, r in pairs], "wer", normalisation=rules)
        for change in (str, str.split)
    )
    assert [(each.alignment, each.edits) for each in texts] == [
        (each.alignment, each.edits) for each in lists
    ]


@pytest.mark.parametrize("unit", ["char-no-space", "mixed"])
@pytest.mark.parametrize(
    ("ignored", "text", "other", "left"),
    [
        ("嗯 啊", "嗯 我们 去 啊 吧", "嗯我们去啊吧", "我们去吧"),
        ("えー えーと", "えーと 今日 は", "えーと今日は", "今日は"),
        ("嗯 um", "嗯 um 我们 yum", "嗯我们 um yum", "我们yum"),
    ],
)
def test_words_of_scripts_without_spaces_are_ignored_within_others_where_characters_count(
    ignored: str, text: str, other: str, left: str, unit: Unit
) -> None:
    rules = Normalisation(unit=unit, ignore=frozenset(ignored.split()))
    assert "".join(rules.words(text)) == "".join(rules.words(other)) == left
    for hypothesis in (text, other, other.split(), fm.Lattice.from_strings([other.split()])):
        found = [fm.score([hypothesis], [reference], normalisation=rules) for reference in (text, other)]
        assert [each.edits for each in found] == [0, 0]  # type: ignore[union-attr]
    widened = fm.score([f"{text} gray"], [f"{other} grey"], normalisation=rules, grammars="en.spelling")
    assert widened.edits == 0  # type: ignore[union-attr]


def test_words_that_are_compared_stay_whole() -> None:
    assert Normalisation(ignore=frozenset({"嗯"})).words("嗯 嗯我们 去") == ["嗯我们", "去"]
    assert Normalisation(ignore=frozenset({"um"}), unit="char").words("um yum") == ["y", "u", "m"]


# Of words that do not count; what is done beside; a text, and what is left of it.
@pytest.mark.parametrize(
    ("ignored", "changes", "text", "left"),
    [
        ("[noise]", {"lowercase": True, "remove_punctuation": True}, "a [Noise] b", "a b"),
        ("[NOISE]", {"lowercase": True, "remove_punctuation": True}, "a [noise] b", "a b"),
        ("[Noise]", {"lowercase": True}, "a [nOISE] b", "a b"),
        (
            "[noise]",
            {"lowercase": True, "remove_punctuation": True},
            'a [NOISE], "[Noise]" ([noise]) b.',
            "a b",
        ),
        ("[noise]", {"remove_punctuation": True}, "[noise]. noise, [noisey], [noise", "noise noisey noise"),
        ("[noise]", {"lowercase": True}, "a [Noise], b", "a [noise], b"),
        ("...", {"remove_punctuation": True}, "a ... b", "a b"),
        ("[noise]", {"remove_punctuation": True}, "a [noise] noise", "a noise"),
        ("[noise]", {"remove_punctuation": True}, "a [Noise] b", "a Noise b"),
        ("[noise]", {}, "a [Noise] b", "a [Noise] b"),
        ("UH", {"lowercase": True, "remove_punctuation": True}, "Uh, well", "well"),
        ("uh-huh", {"lowercase": True, "remove_punctuation": True}, "Uh-Huh yes", "yes"),
        ("[noise]", {"unicode": "nfkc", "lowercase": True, "remove_punctuation": True}, "［Noise］ b", "b"),
        ("[noise]", {"tokenize": "13a", "lowercase": True}, "a [Noise], b", "a [ noise ] , b"),
        ("[noise]", {"tokenize": "13a", "lowercase": True}, "a [Noise] b", "a b"),
    ],
)
def test_ignored_words_are_told_before_punctuation_goes_and_whatever_their_case(
    ignored: str, changes: dict[str, object], text: str, left: str
) -> None:
    rules = Normalisation(ignore=frozenset({ignored}), **changes)  # type: ignore[arg-type]
    assert " ".join(rules.words(text)) == left
    if not changes.get("tokenize"):
        lattice = fm.Lattice.from_strings([text.split()])
        for hypothesis in (text, text.split(), lattice, fm.Alternatives([text, text])):
            assert fm.score([hypothesis], [left], normalisation=replace(rules, tokenize=None)).edits == 0
    one_sided = Normalisation(ignore_hypothesis=frozenset({ignored}), **changes)  # type: ignore[arg-type]
    assert " ".join(one_sided.of_hypotheses.words(text)) == left


def test_spaces_of_a_tokenizer_are_no_characters() -> None:
    """They would all be matches: 2 of 6 characters become 2 of 11."""
    texts = ["\u610f\u5927\u5229\u4eba\u4eca\u5929"], ["\u610f\u5927\u5229\u5230\u4eca\u65e5"]
    refused = "--tokenize zh, or that of networks, parts words by spaces, which cer and"
    with pytest.raises(fm.FstmetricsError, match=refused):
        fm.Normalisation(tokenize="zh", unit="char")
    for metric in ("cer", ["wer", "cer"]):
        with pytest.raises(fm.FstmetricsError, match=refused):
            fm.score(*texts, metric, normalisation=fm.Normalisation(tokenize="zh"))
    for rules in (fm.Normalisation(unit="char"), fm.Normalisation(tokenize="zh", unit="char-no-space"),
                  fm.Normalisation(tokenize="none", unit="char")):  # fmt: skip
        assert fm.score(*texts, "wer", normalisation=rules).score == 2 / 6  # type: ignore[union-attr]


def test_a_profile_without_case_ignores_words_in_any_case() -> None:
    shout = TextNormaliser("quiet", "", str.lower, lambda word: True)
    rules = Normalisation(ignore=frozenset({"Okay"}), normaliser=shout)
    assert rules.words("OKAY okay then") == ["then"]
    assert rules.arc_words("oKay") == []
    loud = TextNormaliser("as-it-is", "", str.strip, lambda word: True)
    assert Normalisation(ignore=frozenset({"Okay"}), normaliser=loud).words("okay Okay") == ["okay"]
    cer = replace(fm.profile("chinese-cer"), ignore=frozenset({"[noise]"}))
    assert cer.words("你[Noise] [Noise] 好") == [*"你noise好"]


@pytest.mark.parametrize("text", ["嗯那个我们走", "嗯 那个 我们 走", "嗯 那 个 我 们 走", "嗯那 个我们走"])
def test_ignored_words_of_characters_do_not_depend_on_spaces(text: str) -> None:
    for unit in ("char-no-space", "mixed"):
        rules = Normalisation(unit=unit, ignore=frozenset({"那个", "嗯"}))  # type: ignore[arg-type]
        assert rules.words(text) == ["我", "们", "走"]
        assert rules.words(text.split()) == ["我", "们", "走"]


@pytest.mark.parametrize("words", [{"uh", "you know"}, ["uh "], {""}])
@pytest.mark.parametrize("name", ["ignore", "ignore_hypothesis", "ignore_reference"])
def test_ignored_words_that_no_word_can_be_are_refused(name: str, words: Any) -> None:
    with pytest.raises(fm.FstmetricsError, match=f"{name} is a set of words without white space"):
        Normalisation(**{name: words})


@pytest.mark.parametrize("unicode", ["as-is", "nfkc"])
@pytest.mark.parametrize(
    ("ignored", "text", "words"),
    [
        ("<a:b>", "见 <a:b> 好", ["见", "好"]),
        ("[笑：大]", "见 [笑：大] 好", ["见", "好"]),
        ("嗯", "嗯，我 嗯", ["我"]),
        ("嗯,um", "嗯 um", ["嗯", "um"]),
        ("b", "a:b c", ["a", "c"]),
    ],
)
def test_what_does_not_count_is_taken_out_before_texts_are_cut_at_marks(
    unicode: str, ignored: str, text: str, words: list[str]
) -> None:
    rules = Normalisation(
        unit="mixed",
        remove_punctuation=True,
        unicode=unicode,
        ignore=frozenset({ignored}),  # type: ignore[arg-type]
    )
    assert rules.words(text) == words
    assert [piece for word in text.split() for piece in rules.arc_words(word)] == words
