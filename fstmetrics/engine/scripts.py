"""Errors by script where Han characters stand among words of other scripts (the unit `mixed`): `script_totals`.

Code switching between Chinese and English is scored so: Han characters and words together, and each of them apart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fstmetrics.engine.biasing import class_counts, rate, totals_by
from fstmetrics.metrics.path_metric import Totals

if TYPE_CHECKING:
    from fstmetrics.engine.results import AlignedPair

# Scripts by the first word of their characters' names in Unicode; Japanese has both forms of kana.
NAMES = {
    "CJK": "Han", "IDEOGRAPHIC": "Han", "KANGXI": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana",
    "KATAKANA-HIRAGANA": "Kana", "HALFWIDTH": "Kana",
}  # fmt: skip
# Digits, marks and what else has no script.
OTHER = "other"


@lru_cache(maxsize=2**16)
def script_of(unit: str) -> str:
    """The script of a character or word: that of its first letter.

    >>> [script_of(unit) for unit in ("我", "iPhone", "カメラ", "です", "3G", "42", "서울", "５G")]
    ['Han', 'Latin', 'Kana', 'Kana', 'Latin', 'other', 'Hangul', 'Latin']
    """
    for character in unit:
        if character.isalpha() or character == "〇":
            name = unicodedata.name(unicodedata.normalize("NFKC", character)[0], OTHER).split()[0]
            return NAMES.get(name, name.capitalize())
    return OTHER


def script_totals(alignment: Sequence[AlignedPair]) -> dict[str, Totals]:
    """What happened to the units of each script; together they are all edits and units of the alignment.

    Substitutions and deletions count where their reference unit belongs, insertions where the inserted unit does.

    >>> from fstmetrics import Normalisation, score
    >>> [result] = score(["我买phone"], ["我要买iPhone"], normalisation=Normalisation(unit="mixed"))
    >>> {name: (each.edits, each.path_length) for name, each in script_totals(result.alignment).items()}
    {'Han': (1, 3), 'Latin': (1, 1)}
    """
    return totals_by(alignment, script_of)


def script_numbers(scripts: Mapping[str, Totals]) -> dict[str, Any]:
    """Rates and counts of each script, as the JSON summary has them."""
    return {name: {"score": rate(each), **class_counts(each)} for name, each in scripts.items()}
