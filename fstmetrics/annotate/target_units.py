"""What words of references, outputs and cards are cut into, where the target language has no spaces between words.

A project has one unit, as `--unit` of `hyter` has it: `word`, what white space parts; `mixed`, Han characters and words
of other scripts; `char-no-space`, all characters. Everything is counted in these units, and exported in them, so that
`hyter PROJECT HYP --unit UNIT` scores what the tool shows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, get_args

from fstmetrics.values.normalisation import Normalisation

TargetUnit = Literal["word", "mixed", "char-no-space"]
TARGET_UNITS: tuple[str, ...] = get_args(TargetUnit)
# Scripts that are written without spaces between words, as names of characters begin.
UNSPACED = ("CJK UNIFIED", "CJK COMPAT", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
HAN = ("CJK UNIFIED", "CJK COMPAT")


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script without spaces between words.

    >>> is_unspaced("总"), is_unspaced("a"), is_unspaced("。")
    (True, False, False)
    """
    return unicodedata.name(character, "").startswith(UNSPACED)


def runs_on(text: str) -> bool:
    """Whether most of a text is in a script without spaces, and nobody has parted its words.

    >>> runs_on("意大利总理贝卢斯科尼"), runs_on("意大利 总理 贝卢斯科尼"), runs_on("el primer ministro")
    (True, False, False)
    """
    runs = [sum(map(is_unspaced, word)) for word in text.split()]
    unspaced = [count for count in runs if count]
    # Words of such a script that somebody has parted have two or three characters on average.
    run_on = sum(unspaced) > 5 * len(unspaced) or (len(runs) == 1 and sum(runs) > 1)
    others = len(re.findall(r"\w+", "".join(" " if is_unspaced(c) else c for c in text)))
    return run_on and sum(unspaced) > others


def target_unit_of(texts: Iterable[str]) -> TargetUnit:
    """The unit of texts that nobody has said it of: by characters where most of them run on.

    >>> target_unit_of(["意大利总理贝卢斯科尼"]), target_unit_of(["イタリアの首相"]), target_unit_of(["a b"])
    ('mixed', 'char-no-space', 'word')
    """
    # One sign tells nothing.
    texts = [text for text in texts if len(text.strip()) > 1]
    running = [text for text in texts if runs_on(text)]
    if 2 * len(running) <= len(texts):
        return "word"
    signs = [sign for text in running for sign in text if is_unspaced(sign)]
    only_han = all(unicodedata.name(sign, "").startswith(HAN) for sign in signs)
    return "mixed" if only_han else "char-no-space"


@lru_cache(maxsize=65536)
def units(word: str, unit: TargetUnit) -> tuple[str, ...]:
    """What a word is cut into.

    >>> units("GPS公司", "mixed"), units("GPS公司", "word")
    (('GPS', '公', '司'), ('GPS公司',))
    """
    return (word,) if unit == "word" else tuple(_cutting(unit).arc_words(word))


@lru_cache
def _cutting(unit: TargetUnit) -> Normalisation:
    return Normalisation(unit=unit)


def written_together(before: str, after: str, unit: TargetUnit) -> bool:
    """Whether two words are written without a space between them: of scripts that have none, and cut apart again.

    >>> written_together("意", "大", "mixed"), written_together("GPS", "公", "mixed")
    (True, False)
    >>> written_together("カ", "ナ", "char-no-space"), written_together("カ", "ナ", "mixed")
    (True, False)
    """
    if unit == "word" or not (is_unspaced(before[-1:] or "a") and is_unspaced(after[:1] or "a")):
        return False
    return units(before + after, unit) == units(before, unit) + units(after, unit)


def as_written(words: Iterable[str], unit: TargetUnit) -> str:
    """Words as people write them.

    >>> as_written(["意", "大", "利", "GPS"], "mixed")
    '意大利 GPS'
    """
    text, before = "", ""
    for word in words:
        text += word if not text or written_together(before, word, unit) else f" {word}"
        before = word
    return text
