"""The words of a session beside each other, with who said them: `AlignedWord`, `beside`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fstmetrics._native import Graph
from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.data.symbols import labelled_arcs, leaving
from fstmetrics.engine.sides import Side, written_out
from fstmetrics.text.normalisation import PLAIN

# An utterance, its number in its side of the session, and its words.
Said = tuple[int, Utterance, Sequence[str]]


class AlignedWord(NamedTuple):
    """One operation of the alignment of a session.

    Attributes:
        op: `=` match, `S` substitution, `I` insertion, `D` deletion.
        hypothesis, reference: the words; None where a side has none.
        hypothesis_speaker, reference_speaker: who said them.
        hypothesis_utterance, reference_utterance: in which utterance of their side of the `Session`, from 0.
    """

    op: str
    hypothesis: str | None
    reference: str | None
    hypothesis_speaker: str | None = None
    reference_speaker: str | None = None
    hypothesis_utterance: int | None = None
    reference_utterance: int | None = None


def beside(letters: str, references: Sequence[Said], hypotheses: Sequence[Said]) -> Iterator[AlignedWord]:
    """Utterances in a row, word by word, by the letters of an alignment."""
    sides = [
        [(word, utterance.speaker, number) for number, utterance, words in side for word in words]
        for side in (hypotheses, references)
    ]
    hypothesis, reference = map(iter, sides)
    nothing = (None, None, None)
    for letter in letters:
        word, who, number = next(hypothesis) if letter != "D" else nothing
        said, speaker, place = next(reference) if letter != "I" else nothing
        yield AlignedWord(letter, word, said, who, speaker, number, place)


def divided(words: Sequence[str], sides: Sequence[Side]) -> list[list[str]]:
    """The words of a path through utterances in a row, utterance by utterance.

    Args:
        words: of a path through all of them.
        sides: the utterances; where some leave choices, and the words could be cut in several ways, the earlier ones
            take the fewest words.
    """
    after: list[set[int]] = [{0}]  # how many words may be before each utterance
    ways: list[dict[int, int]] = []  # of each utterance, from the words behind it to those before it
    for side in sides:
        way: dict[int, int] = {}
        for before in sorted(after[-1]):
            for end in _ends(words, before, side):
                way.setdefault(end, before)
        ways.append(way)
        after.append(set(way))
    found: list[list[str]] = []
    end = len(words)
    for way in reversed(ways):
        before = way[end]
        found.append([*words[before:end]])
        end = before
    return found[::-1]


def _ends(words: Sequence[str], before: int, side: Side) -> set[int]:
    """Where an utterance may end that begins after so many words."""
    if not isinstance(side, Graph):
        own = PLAIN.words(side)
        return {before + len(own)} if [*words[before : before + len(own)]] == [*own] else set()
    machine, symbols = written_out(side)
    machine = machine.prepared()
    by_state = leaving(labelled_arcs(machine, symbols.words))
    reached = {(0, before)}
    waiting = [*reached]
    while waiting:
        state, place = waiting.pop()
        for destination, word in by_state.get(state, ()):
            if word and (place == len(words) or words[place] != word):
                continue
            there = (destination, place + bool(word))
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    finals = set(machine.finals.tolist())
    return {place for state, place in reached if state in finals}


class Passage(NamedTuple):
    """Words that stand together: those of an utterance of the references, and what was inserted beside them.

    Attributes:
        reference: the number of the utterance; None where all words are inserted.
        hypothesis: the number of the first utterance of the hypotheses; None where all words are deleted.
        words: in their order.
    """

    reference: int | None
    hypothesis: int | None
    words: tuple[AlignedWord, ...]


def passages(words: Sequence[AlignedWord], session: Session) -> Iterator[Passage]:
    """The alignment of a session in pieces that can be read.

    An inserted word stands where the word before it in its own utterance does, else where the one behind it does. An
    utterance of which all words are inserted, as each word of a ctm is one, stands in that of the references before or
    behind it in the alignment during which it was said, and else is a passage of its own.
    """
    at: list[int | None] = [word.reference_utterance for word in words]
    for order in (range(len(words)), reversed(range(len(words)))):
        last: dict[int | None, int] = {}  # of each utterance of the hypotheses, where its last word stands
        for place in order:
            heard, where = words[place].hypothesis_utterance, at[place]
            if where is None:
                at[place] = last.get(heard)
            elif heard is not None:
                last[heard] = where
    pairs = {(word.hypothesis_speaker, word.reference_speaker) for word in words if word.op in "=S"}
    during: dict[int | None, int] = {}  # of each utterance of the hypotheses that stands nowhere yet
    for order in (range(len(words)), reversed(range(len(words)))):
        said = None
        for place in order:
            word = words[place]
            if word.reference_utterance is not None:
                said = word.reference_utterance
            elif at[place] is None and said is not None and word.hypothesis_utterance is not None:
                one, other = session.hypotheses[word.hypothesis_utterance], session.references[said]
                if (one.speaker, other.speaker) in pairs and _is_during(one, other):
                    during.setdefault(word.hypothesis_utterance, said)
    found: dict[tuple[int | None, int | None], list[AlignedWord]] = {}
    for word, own in zip(words, at, strict=True):
        where = during.get(word.hypothesis_utterance) if own is None else own
        found.setdefault((where, word.hypothesis_utterance if where is None else None), []).append(word)
    for (said, _), those in found.items():
        heard = next((w.hypothesis_utterance for w in those if w.hypothesis_utterance is not None), None)
        yield Passage(said, heard, tuple(those))


def _is_during(one: Utterance, other: Utterance) -> bool:
    """Whether the middle of an utterance is in another one."""
    if one.begin is None or one.end is None or other.begin is None or other.end is None:
        return False
    return other.begin <= (one.begin + one.end) / 2 <= other.end


def in_order(words: Sequence[AlignedWord], session: Session) -> list[Passage]:
    """The passages of a session as they begin; without times in their order."""

    def begin(passage: Passage) -> float:
        said, heard = utterances_of(passage, session)
        main = said or heard
        return main.begin if main and main.begin is not None else 0.0

    return sorted(passages(words, session), key=begin)


def utterances_of(passage: Passage, session: Session) -> tuple[Utterance | None, Utterance | None]:
    """The utterance of the references that a passage is of, and the first of the hypotheses."""
    said = None if passage.reference is None else session.references[passage.reference]
    heard = None if passage.hypothesis is None else session.hypotheses[passage.hypothesis]
    return said, heard
