"""Error rates of sessions from their definitions: every choice, every assignment, one edit distance each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations, product

from fstmetrics.data.sessions import Utterance

# A word, and when it begins and ends; None where times do not matter.
Word = tuple[str, Fraction, Fraction] | tuple[str, None, None]
# Edits, reference words, matches and deletions, the middle two negative: the least is the best, by the order of ties.
Best = tuple[int, int, int, int]


def sentences(utterance: Utterance) -> list[tuple[str, ...]]:
    """All that may have been said: of a text, it; of a list, each of its texts."""
    said = utterance.words
    texts: Iterable[str] = [said] if isinstance(said, str) else said
    return [tuple(text.split()) for text in texts]


def timed(words: Sequence[str], utterance: Utterance, collar: Fraction | None) -> list[Word]:
    """MeetEval's times: by characters; of hypotheses the middle, with a collar."""
    begin, end = Fraction(str(utterance.begin)), Fraction(str(utterance.end))
    total, before, found = sum(map(len, words)), 0, []
    for word in words:
        share = [begin + (end - begin) * Fraction(at, total) for at in (before, before + len(word))]
        middle = sum(share) / 2
        found.append((word, *share) if collar is None else (word, middle - collar, middle + collar))
        before += len(word)
    return found


def added(*parts: Best) -> Best:
    """Counts added up."""
    edits, length, matches, deletions = map(sum, zip((0, 0, 0, 0), *parts, strict=True))
    return edits, length, matches, deletions


def best_alignment(reference: Sequence[Word], hypothesis: Sequence[Word]) -> Best:
    """Of all alignments, where words may be aligned if their times overlap."""
    insertion, deletion = (1, 0, 0, 0), (1, -1, 0, 1)
    row: list[Best] = [(column, 0, 0, 0) for column in range(len(hypothesis) + 1)]
    for word, begin, end in reference:
        before, row = row, [added(row[0], deletion)]
        for column, (other, first, last) in enumerate(hypothesis):
            best = min(added(before[column + 1], deletion), added(row[column], insertion))
            if begin is None or (begin < last and end > first):
                step = (0, -1, -1, 0) if word == other else (1, -1, 0, 0)
                best = min(best, added(before[column], step))
            row.append(best)
    return row[-1]


def wordings(utterances: Sequence[Utterance], side: str | None, collar: float) -> list[list[Word]]:
    """All that a speaker may have said, utterance after utterance."""
    around = Fraction(str(collar)) if side == "hypothesis" else None
    return [
        [
            word
            for utterance, words in zip(utterances, chosen, strict=True)
            for word in (timed(words, utterance, around) if side else [(word, None, None) for word in words])
        ]
        for chosen in product(*map(sentences, utterances))
    ]


def best_pair(references: Sequence[Utterance], hypotheses: Sequence[Utterance], collar: float | None) -> Best:
    """The best of all that two speakers may have said."""
    sides = ("reference", "hypothesis") if collar is not None else (None, None)
    refs = wordings(references, sides[0], collar or 0.0)
    hyps = wordings(hypotheses, sides[1], collar or 0.0)
    return min(best_alignment(r, h) for r, h in product(refs, hyps))


def grouped(utterances: Sequence[Utterance]) -> list[list[Utterance]]:
    """By speaker."""
    speakers = list(dict.fromkeys(utterance.speaker for utterance in utterances))
    return [[u for u in utterances if u.speaker == speaker] for speaker in speakers]


def permuted(
    references: Sequence[Utterance], hypotheses: Sequence[Utterance], collar: float | None = None
) -> Best:
    """cpWER; with a collar, tcpWER."""
    refs, hyps = grouped(references), grouped(hypotheses)
    size = max(len(refs), len(hyps))
    refs += [[]] * (size - len(refs))
    hyps += [[]] * (size - len(hyps))
    table = [[best_pair(r, h, collar) for h in hyps] for r in refs]
    return min(added(*(table[r][h] for r, h in enumerate(order))) for order in permutations(range(size)))


def combined(
    references: Sequence[Utterance],
    hypotheses: Sequence[Utterance],
    swapped: bool = False,
    collar: float | None = None,
) -> Best:
    """ORC-WER; with a collar, tcORC-WER; with sides exchanged, DI-cpWER."""
    utterances, others = (hypotheses, references) if swapped else (references, hypotheses)
    streams = grouped(others) or [[]]
    found = []
    for to in product(range(len(streams)), repeat=len(utterances)):
        taken = [[u for u, t in zip(utterances, to, strict=True) if t == s] for s in range(len(streams))]
        pairs = zip(streams, taken, strict=True) if swapped else zip(taken, streams, strict=True)
        found.append(added(*(best_pair(r, h, collar) for r, h in pairs)))
    return min(found)
