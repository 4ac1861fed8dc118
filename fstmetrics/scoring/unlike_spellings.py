"""Whether case, or forms of Unicode, make most substitutions of a run: `spelling_remarks`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fstmetrics.metrics import Metric
from fstmetrics.scoring.search import COUNTS_ONLY, search
from fstmetrics.values.normalisation import Normalisation

# Items that are looked at: the first ones. Fewer substitutions than this are no ground for a remark.
SAMPLE, LEAST = 500, 10


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
