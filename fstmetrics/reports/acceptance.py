"""How sentences that networks are to accept or reject are shown: `acceptance_texts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fstmetrics.networks.acceptance import Judged
from fstmetrics.reports.alignment import LEGEND, alignment_text
from fstmetrics.support.printable import counted, printable
from fstmetrics.support.styled import Styled


def acceptance_texts(
    sentences: Sequence[Judged], places: Sequence[str], width: int = 100
) -> Iterator[Styled]:
    """Each sentence that is not as wanted, with the closest path and what would have to change, and how many there are.

    Args:
        sentences: all of them.
        places: of each, the file and the line.
        width: of a line of an alignment.
    """
    missed = sum(one.accept and not one.as_wanted for one in sentences)
    passed = sum(not one.accept and not one.as_wanted for one in sentences)
    if missed:
        yield Styled(f"HYP: the sentence, REF: the closest path; {LEGEND}\n", "dim")
    for place, one in zip(places, sentences, strict=True):
        if one.as_wanted:
            continue
        named = f"  network {one.network}" if one.network else ""
        what = "not accepted" if one.accept else "accepted, and should be rejected"
        edits = f", {counted(one.result.edits, 'edit')} away" if one.accept else ""
        yield Styled(printable(f"{place}{named}  {what}{edits}"), "bold")
        if one.accept:
            yield alignment_text(one.result.alignment, width)
            for line in _missing(one):
                yield Styled(f"     {printable(line)}", "dim")
        else:
            yield Styled(f"     {printable(one.sentence)}")
            for card in one.taken:
                yield Styled(f"     {printable(f'[{card.card}]: {card.phrase or NOTHING}')}", "dim")
            yield Styled("     without one of these phrases this path is gone", "dim")
        yield Styled("")
    said = f"{counted(len(sentences), 'sentence')}, {len(sentences) - missed - passed} as wanted"
    said += f"; {missed} not accepted" if missed else ""
    yield Styled(said + (f"; {passed} not rejected" if passed else ""))


NOTHING = "(no words)"


def _missing(one: Judged) -> Iterator[str]:
    """Phrases that would bring the sentence closest."""
    if one.phrases:
        done = "would be accepted with" if one.completes else "would be closer with"
        which = " or ".join(f"[{each.card}]: {each.phrase or NOTHING}" for each in one.phrases)
        yield f"{done} {which}"
