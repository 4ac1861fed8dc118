"""Grammars never make a wrong number right: signs and groups count, and what is written is not joined to others."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import fstmetrics as fm
from fstmetrics import Normalisation

BARE = Normalisation(lowercase=True, remove_punctuation=True)
PLAIN = Normalisation(lowercase=True)
# The language, what it says for % and for the decimal mark, the mark itself, and a sentence with a place.
LANGUAGES = {
    "en": ("percent", "point", ".", "it is {} there"),
    "de": ("prozent", "komma", ",", "es sind {} dort"),
    "es": ("por ciento", "coma", ",", "aquí hay {} allí"),
    "fr": ("pour cent", "virgule", ",", "on voit {} ici"),
}


def edits(reference: str, hypothesis: str, normalisation: Normalisation, grammar: str | None = None) -> int:
    grammars = {"grammars": grammar} if grammar else {}
    return fm.align(hypothesis, reference, normalisation=normalisation, **grammars).edits


def written_and_said(language: str, count: int) -> Iterator[tuple[str, str, list[str]]]:
    """Numbers as they are written, in words as num2words says them, and words for other numbers."""
    num2words = pytest.importorskip("num2words").num2words
    draw = random.Random(language)
    percent, point, mark, _ = LANGUAGES[language]
    thousands = {"en": ","}.get(language, ".")

    def said(value: int) -> str:
        return str(num2words(value, lang=language)).lower().replace(",", "")

    for _ in range(count):
        n = draw.randrange(2, 10 ** draw.choice([1, 2, 3]))
        lead, group = draw.randrange(2, 100), draw.randrange(100, 1000)
        digit, large = draw.randrange(2, 10), 1000 * lead + group
        near = [said(n + 1), said(10 * n), said(n + 10)]
        yield f"{n}%", f"{said(n)} {percent}", [*near, said(n), f"{said(n + 1)} {percent}"]
        yield f"{n} %", f"{said(n)} {percent}", [*near, said(n), f"{said(n + 1)} {percent}"]
        yield f"({n}%)", f"{said(n)} {percent}", [*near, said(n)]
        yield f"({n}),", said(n), near
        for sign in ("-", "\u2013", "#", "\u00a7", "- ", "# "):
            yield f"{sign}{n}", "", [*near, said(n)]
        yield f"{n}\u2030", "", [*near, said(n)]
        yield f"{mark}{digit}", "", [said(digit), said(10 * digit)]
        yield f"{n}{mark}{digit}", f"{said(n)} {point} {said(digit)}", [
            said(10 * n + digit), said(n), f"{said(n)} {said(digit)}", f"{said(n)} {point} {said(digit - 1)}",
        ]  # fmt: skip
        parts = [f"{said(lead)} {said(group)}", said(lead), said(group), said(large + 1), said(10 * large)]
        yield f"{lead}{thousands}{group}", "" if language == "fr" else said(large), parts
        for space in (" ", "\u00a0", "\u202f"):
            yield f"{lead}{space}{group}", "" if language == "en" else said(large), parts
        yield f"{lead}, {group}", "", [said(large), f"{lead}{group}"]
        yield f"{n} {lead} 000", "", [said(1000 * lead + n), said(n)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_for_another_number_are_right(language: str) -> None:
    sentence, grammar = LANGUAGES[language][-1], f"{language}.speech"
    for written, right, wrong in written_and_said(language, 8):
        reference = sentence.format(written)
        for hypothesis in map(sentence.format, wrong):
            for normalisation in (BARE, PLAIN):
                assert edits(reference, hypothesis, normalisation, grammar), (reference, hypothesis)
        if right:
            assert edits(reference, sentence.format(right), BARE, grammar) == 0, (reference, right)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_for_another_number_are_right_under_profiles_of_sentences(language: str) -> None:
    pytest.importorskip("whisper_normalizer")
    sentence, name = LANGUAGES[language][-1], "whisper-en" if language == "en" else "whisper-basic"
    plain, widened = fm.profile(name), fm.profile(f"{name}+{language}.speech")
    for written, _, wrong in written_and_said(language, 5):
        reference = sentence.format(written)
        for hypothesis in map(sentence.format, wrong):
            if edits(reference, hypothesis, plain):
                assert edits(reference, hypothesis, widened), (reference, hypothesis)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("it was $25.50 today", "it was twenty five hundred fifty today"),
        ("$3.50", "350"),
        ("at 5:30 today", "at five hundred thirty today"),
        ("call 9 1 1 now", "call nine hundred and eleven now"),
        ("on pages 60 5 and 7", "on pages 65 and 7"),
        ("I have 12, 34 of them", "I have 1234 of them"),
        ("20, 5", "25"),
        ("19 1", "one hundred ninety one"),
        ("3 4 5", "three hundred forty five"),
        ("$4.25", "four hundred twenty five"),
        ("at 7:45", "at seven hundred and forty five"),
    ],
)
def test_a_profile_joins_no_words_that_rules_write(reference: str, hypothesis: str) -> None:
    pytest.importorskip("whisper_normalizer")
    assert edits(reference, hypothesis, fm.profile("whisper-en+en.speech")) > 0


@pytest.mark.parametrize(
    ("reference", "hypothesis", "grammar"),
    [
        ("am 3. Mai", "am drei Mai", "de.speech"),
        ("der 12. Tag", "der zwölf Tag", "de.speech"),
        ("am 3.5.2020", "drei fünf", "de.speech"),
        ("um 5.30 Uhr", "um fünfhundertdreißig Uhr", "de.speech"),
        ("5,50 €", "fünf Euro fünfzehn", "de.speech"),
        ("5,50 €", "quinientos cincuenta €", "es.speech"),
        ("5,50 €", "cinco euros quince", "es.speech"),
        ("1 200,50 €", "deux cents euros cinquante", "fr.speech"),
        ("1 200 300", "mille deux cents trois cents", "fr.speech"),
        ("twenty, five of them", "25 of them", "en.speech"),
        ("he saw twenty. Five left", "he saw 25 left", "en.speech"),
        ("it grew twenty there", "it grew 20% there", "en.speech"),
        ("it is ten there", "it is -10 there", "en.speech"),
        ("5-10", "five hundred ten", "en.speech"),
        ("5-10", "five one zero", "en.speech"),
        ("at 5.30 now", "at five thirty now", "en.speech"),
        ("3.5.2020", "three point five", "en.speech"),
        ("1/2", "one two", "en.speech"),
        ("-$5", "five dollars", "en.speech"),
        ("1, 200 of them", "one thousand two hundred of them", "en.speech"),
        ("1, 200 of them", "mille deux cents of them", "fr.speech"),
    ],
)
def test_words_for_another_number_stay_wrong(reference: str, hypothesis: str, grammar: str) -> None:
    assert edits(reference, hypothesis, BARE, grammar) > 0


@pytest.mark.parametrize(
    ("reference", "hypothesis", "grammar"),
    [
        ("es sind 3.", "es sind drei", "de.speech"),
        ("(25) Leute", "fünfundzwanzig Leute", "de.speech"),
        ("5,50 €", "cinco euros cincuenta", "es.speech"),
        ("cinco euros cincuenta", "5,50 €", "es.speech"),
        ("12 500 000 gens", "douze millions cinq cent mille gens", "fr.speech"),
        ("mille deux cents", "1 200", "fr.speech"),
        ("1 200 €", "mille deux cents euros", "fr.speech"),
        ('It was 25. "Then"', "it was twenty five then", "en.speech"),
        ("5, 10 and (15)", "five ten and fifteen", "en.speech"),
        ("F. B. I.", "fbi", "en.speech"),
        ("twenty", "(20).", "en.speech"),
        ("call 9 1 1 now", "call nine one one now", "en.speech"),
    ],
)
def test_right_numbers_stay_right(reference: str, hypothesis: str, grammar: str) -> None:
    assert edits(reference, hypothesis, BARE, grammar) == 0
