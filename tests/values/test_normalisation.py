"""Words of whole texts at once are those found word by word."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.values.normalisation import Normalisation
from fstmetrics.values.symbols import SENTENCE_MARKERS

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
