"""What is said of a run whose two sides are unlike: case, or forms of Unicode, make most substitutions
(`spelling_remarks`); or hardly a word matches (`match_remark`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.metrics.totals import Totals
from fstmetrics.scoring.search import COUNTS_ONLY, search
from fstmetrics.values.normalisation import Normalisation

# Items that are looked at: the first ones. Fewer substitutions than this are no ground for a remark.
SAMPLE, LEAST = 500, 10
# One word in so many, or fewer, matches where sentences are paired with others: 1 in 6 to 1 in 30 of speech and of
# translations (English, German, Spanish, Tagalog). Of systems at hand the worst has 1 in 3; paraphrases as far from a
# reference as people could write them have 1 in 4. Fewer words, or items, tell nothing.
MATCHING, FEWEST_WORDS, FEWEST_ITEMS = 6, 20, 3
# Metrics whose matches are words of the references.
OF_WORDS = ("wer", "wrr", "mer", "hyter", "sclite")


def spelling_remarks(
    pairs: Sequence[tuple[str, str]], metric: Metric, normalisation: Normalisation
) -> Iterator[str]:
    """What to say where more than half of the substitutions are owed to case or to forms of Unicode.

    The texts are scored again with what an option would do. Nothing is scored where the option would change no text.

    Args:
        pairs: hypotheses and references.
        metric: what they were scored by.
        normalisation: what was done to them.

    >>> from fstmetrics.metrics import WER
    >>> list(spelling_remarks([("A CAT SAT", "a cat sat")] * 4, WER(), Normalisation()))
    ['most substitutions are of case: 12, and 0 with --lowercase']
    """
    texts = [text for pair in pairs for text in pair]
    if not normalisation.lowercase and any(text != text.lower() for text in texts):
        yield from _remark(pairs, metric, normalisation, "case", "--lowercase", lowercase=True)
    if normalisation.unicode == "as-is" and not all(map(str.isascii, texts)):
        option = "--normalise-unicode nfc"
        yield from _remark(pairs, metric, normalisation, "forms of Unicode", option, unicode="nfc")


def match_remark(
    totals: Totals, items: int, metric: CorpusMetric, normalisation: Normalisation, lattices: bool
) -> str:
    """What to say where hardly a word matches; empty where enough do, or there are too few words to tell.

    Args:
        totals: of all items; of lattices, of their 1-best where it was scored, since oracles match by chance, too.
        items: how many there are.
        metric: what they were scored by.
        normalisation: what was done to them.
        lattices: whether the hypotheses are lattices or n-best lists.

    >>> from fstmetrics.metrics import WER
    >>> match_remark(Totals(matches=9, substitutions=91, insertions=40), 20, WER(), Normalisation(), False)
    'only 9 of 100 words match: do both sides have the same items in the same order, in one language and one case \
(--lowercase ignores it)?'
    >>> match_remark(Totals(matches=20, substitutions=80), 20, WER(), Normalisation(), False)
    ''
    """
    if metric.name not in OF_WORDS or normalisation.unit != "word" or items < FEWEST_ITEMS:
        return ""
    words = min(totals.path_length, totals.hypothesis_length)
    if words < FEWEST_WORDS or MATCHING * totals.matches > words:
        return ""
    case = "" if normalisation.lowercase else " and one case (--lowercase ignores it)"
    further = ", and do the lattices need other --symbols" if lattices else ""
    if words < 2 * items:
        further += "; are there spaces between words (if not, --unit char)"
    return (
        f"only {totals.matches} of {words} words match: do both sides have the same items in the same order, in one "
        f"language{case}{further}?"
    )


def _remark(
    pairs: Sequence[tuple[str, str]],
    metric: Metric,
    normalisation: Normalisation,
    what: str,
    option: str,
    **changes: object,
) -> Iterator[str]:
    hypotheses, references = ([pair[side] for pair in pairs] for side in (0, 1))
    before, after = (
        search(None, hypotheses, references, metric, normalisation=each, options=COUNTS_ONLY)
        .sum()
        .substitutions
        for each in (normalisation, replace(normalisation, **changes))  # type: ignore[arg-type]
    )
    if before >= LEAST and 2 * after < before:
        where = f" in the first {len(pairs)} items" if len(pairs) >= SAMPLE else ""
        yield f"most substitutions are of {what}: {before}{where}, and {after} with {option}"
