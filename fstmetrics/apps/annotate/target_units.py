"""What texts and cards are cut into: by a tokenizer, and into units where a language has no spaces between words.

A project has one `Normalisation` of references, outputs and cards. Its unit is as `--unit` of `hyter` has it: `word`,
what white space parts; `mixed`, Han characters and words of other scripts; `char-no-space`, all characters. Everything
is counted in what `target_words` gives, and exported so, so that `hyter PROJECT HYP --unit UNIT` scores what the tool
shows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics.text.normalisation import Unit, is_unspaced, other_words, runs_on

TargetUnit = Literal["word", "mixed", "char-no-space"]
TARGET_UNITS: tuple[str, ...] = get_args(TargetUnit)
HAN = ("CJK UNIFIED", "CJK COMPAT")
CHINESE_OR_JAPANESE = (*HAN, "HIRAGANA", "KATAKANA")
# So many signs may be one word of texts in words.
FEW_SIGNS = 3
UNSPACED_ADVICE = "where a language has none, import with --target-unit mixed or char-no-space"


def _is_sign(character: str) -> bool:
    return unicodedata.name(character, "").startswith(CHINESE_OR_JAPANESE)


def _has_more_signs(text: str) -> bool:
    return sum(map(_is_sign, text)) > other_words(text)


def _are_words_parted(text: str) -> bool:
    """Whether a space stands between two signs, or before a mark.

    >>> _are_words_parted("他 买了"), _are_words_parted("来了 。"), _are_words_parted("买了 iPhone 15， 他也买了。")
    (True, True, False)
    """
    sides = [(text[at - 1], text[at + 1]) for at in range(1, len(text) - 1) if text[at].isspace()]
    return any(_closes(after) or (_is_sign(before) and _is_sign(after)) for before, after in sides)


def _closes(character: str) -> bool:
    """Whether a character is a mark of these scripts, as a comma, and none that opens."""
    kind = unicodedata.category(character)
    return unicodedata.east_asian_width(character) in "WF" and kind in ("Po", "Pe", "Pf", "Pd")


def _check_spaces(texts: Sequence[str]) -> bool:
    """Whether texts in Chinese or Japanese have no spaces between words; False where there are none, too.

    Raises:
        FstmetricsError: it is not clear whether spaces part their words.
    """
    written = [text for text in texts if _has_more_signs(text)]
    parted = [text for text in written if _are_words_parted(text)]
    others = [text for text in written if not _are_words_parted(text)]
    run_on = [text for text in others if any(sum(map(_is_sign, word)) > FEW_SIGNS for word in text.split())]
    unclear = [text for text in others if len(text.split()) > 1]
    if parted and run_on:
        found = (
            f"spaces part words of some references and outputs, {parted[0]!r}, and not of all, {run_on[0]!r}"
        )
    elif unclear and not (parted or run_on):
        found = f"references and outputs such as {unclear[0]!r} do not tell whether spaces part their words"
    else:
        return bool(run_on)
    raise FstmetricsError(
        f"{found}: say what is counted by --target-unit, with mixed (Han characters, and words of other "
        "scripts), char-no-space (all characters) or word (what spaces part)"
    )


def target_unit_of(texts: Iterable[str]) -> TargetUnit:
    """The unit of texts that nobody has said it of: by characters where most of them run on.

    Raises:
        FstmetricsError: it is not clear whether spaces part words of texts in Chinese or Japanese.

    >>> target_unit_of(["意大利总理贝卢斯科尼"]), target_unit_of(["イタリアの首相"]), target_unit_of(["a b"])
    ('mixed', 'char-no-space', 'word')
    """
    # One sign tells nothing.
    texts = [text for text in texts if len(text.strip()) > 1]
    has_no_spaces = _check_spaces(texts)
    running = [text for text in texts if runs_on(text) or (has_no_spaces and _has_more_signs(text))]
    if 2 * len(running) <= len(texts):
        return "word"
    signs = [sign for text in running for sign in text if is_unspaced(sign)]
    only_han = all(unicodedata.name(sign, "").startswith(HAN) for sign in signs)
    return "mixed" if only_han else "char-no-space"


def are_parted_by_spaces(words: Normalisation) -> bool:
    """Whether it is spaces that part words, in any script."""
    return words.unit == "word" and words.tokenize != "char"


def card_tokenizer(name: str) -> str | None:
    """The tokenizer of a project by its name; None for `none`.

    Raises:
        FstmetricsError: one that cuts words by what stands around them, so that a card cannot be cut by itself.
    """
    if Normalisation(tokenize=name).cuts_by_place:
        raise FstmetricsError(
            f"--tokenize {name}: here the tokenizer is 13a, char or none, which cut a card as they cut a sentence that "
            "it is part of; give texts in tokens instead"
        )
    return None if name == "none" else name


def refuse_other(project: str | Path, own: Normalisation, other: Normalisation) -> None:
    """Refuse texts or networks that are cut otherwise than those of a project.

    Raises:
        FstmetricsError: another tokenizer, case or unit; it names both.
    """
    if own.tokenize != other.tokenize:
        said = [each.tokenize or "none" for each in (own, other)]
        how = f"were cut by the tokenizer {said[0]}, not {said[1]}"
    elif own.lowercase != other.lowercase:
        how = "are in lower case" if own.lowercase else "are not in lower case"
    elif own.unit != other.unit:
        how = f"are in the unit {own.unit}, not {other.unit}"
    else:
        return
    raise FstmetricsError(f"{project}: its words {how}; leave the option out, or make another project")


@lru_cache(maxsize=65536)
def units(word: str, unit: Unit) -> tuple[str, ...]:
    """What a word is cut into.

    >>> units("GPS公司", "mixed"), units("GPS公司", "word")
    (('GPS', '公', '司'), ('GPS公司',))
    """
    return (word,) if unit == "word" else tuple(_cutting(unit).arc_words(word))


@lru_cache(maxsize=65536)
def target_words(text: str, normalisation: Normalisation) -> tuple[str, ...]:
    """What words in a row are cut into, wherever they stand in a sentence.

    >>> target_words("Rome, Italy", Normalisation(tokenize="13a", lowercase=True))
    ('rome', ',', 'italy')
    """
    return tuple(normalisation.words(text))


@lru_cache
def _cutting(unit: Unit) -> Normalisation:
    return Normalisation(unit=unit)


def written_together(before: str, after: str, unit: Unit) -> bool:
    """Whether two words are written without a space between them: of scripts that have none, and cut apart again.

    >>> written_together("意", "大", "mixed"), written_together("GPS", "公", "mixed")
    (True, False)
    >>> written_together("カ", "ナ", "char-no-space"), written_together("カ", "ナ", "mixed")
    (True, False)
    """
    if unit == "word" or not (is_unspaced(before[-1:] or "a") and is_unspaced(after[:1] or "a")):
        return False
    return units(before + after, unit) == units(before, unit) + units(after, unit)


def as_written(words: Iterable[str], unit: Unit) -> str:
    """Words as people write them.

    >>> as_written(["意", "大", "利", "GPS"], "mixed")
    '意大利 GPS'
    """
    text, before = "", ""
    for word in words:
        text += word if not text or written_together(before, word, unit) else f" {word}"
        before = word
    return text
