"""Rules see texts as they are written: punctuation is taken out, and profiles rewrite, after them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

import fstmetrics as fm
from fstmetrics import Grammar, Lattice, Normalisation
from fstmetrics.engine.sides import Alternatives
from fstmetrics.text.text_normalisers import TextNormaliser

BARE = Normalisation(lowercase=True, remove_punctuation=True)
RULES = {"it's": ["it is"], "it is": ["it's"], "$2.50": ["two fifty", "$ two point five"], "25%": ["25 percent"],
         "25 percent": ["25%"], "forty-five": ["45"], "45": ["forty five"], "b": ["c - d"]}  # fmt: skip
GRAMMAR = Grammar.parse("".join(f"{left} -> {' ; '.join(right)}\n" for left, right in RULES.items()))
WORDS = ["it's", "it", "is", "$2.50", "25%", "25", "percent", "forty-five", "45", "b", "-", "a"]


def _joining(text: str) -> str:
    """A normaliser that works on sentences: numbers in digits beside each other become one."""
    kept = "".join(c for c in text.lower() if c.isalnum() or c in " $").split()
    joined: list[str] = []
    for word in kept:
        if joined and joined[-1].isdigit() and word.isdigit():
            joined[-1] += word
        else:
            joined.append(word)
    return " ".join(joined)


SENTENCES = Normalisation(normaliser=TextNormaliser("joining", "", _joining))


def rewritten(
    words: Sequence[str], compared: Callable[[Sequence[str]], list[str]], most: int = 9
) -> Iterator[list[str]]:
    """All that at most so many rewrites make of words, whose punctuation at the ends does not count."""
    if not words or not most:
        yield list(words)
        return
    for rest in rewritten(words[1:], compared, most):
        yield [words[0], *rest]
    for length in range(1, len(words) + 1):
        if not compared([words[0]]) or not compared([words[length - 1]]):
            continue
        stretch = [word for word in words[:length] if compared([word])]
        readings = [dict.fromkeys([word, word.rstrip(".,")]) for word in stretch]
        for reading in product(*readings):
            for right in RULES.get(" ".join(reading), ()):
                if right == "25%" and compared == BARE.words:  # 25 without its mark: only for who says it so
                    continue
                for rest in rewritten(words[length:], compared, most - 1):
                    yield [*right.split(), *rest]


def test_all_wordings_of_a_reference_are_those_that_rules_write_before_punctuation_goes() -> None:
    draw = random.Random(5)
    for _ in range(400):
        words = [draw.choice(WORDS) + draw.choice(["", "", ".", ","]) for _ in range(draw.randrange(1, 5))]
        said = [draw.choice(["it", "is", "its", "two", "fifty", "25", "percent", "45", "forty", "five", "c", "d", "a"])
                for _ in range(draw.randrange(1, 5))]  # fmt: skip
        text = " ".join(said)  # of words that are all one letter, as ["a", "c"] may be, too
        best = min(fm.align(said, BARE.words(wording)).edits for wording in rewritten(words, BARE.words))
        found = fm.align(text, " ".join(words), normalisation=BARE, grammars=GRAMMAR)
        assert found.edits == best, (words, said, found)
        lattice = Lattice.from_arcs([(i, i + 1, word) for i, word in enumerate(words)], finals=[len(words)])
        assert fm.align(text, lattice, normalisation=BARE, grammars=GRAMMAR).edits == best


def kept_apart(words: Sequence[str], said: Sequence[str]) -> Iterator[list[str]]:
    """What single rewrites make of a sentence, where the normaliser joins nothing of them to other words or numbers."""
    of = SENTENCES.words
    for begin in range(len(words)):
        for end in range(begin + 1, len(words) + 1):
            left, there, right = words[:begin], words[begin:end], words[end:]
            for reading in product(*(dict.fromkeys([word, word.rstrip(".,")]) for word in there)):
                for written in RULES.get(" ".join(reading), ()):
                    now, was = of(written), of(" ".join(there))
                    numbers = [[word for word in side if word.isdigit()] for side in (was, now)]
                    joined = now != [part for word in written.split() for part in of(word)]
                    apart = of(" ".join(left)) + was + of(" ".join(right)) == of(" ".join(words)) and of(
                        " ".join([*left, written, *right])
                    ) == of(" ".join(left)) + now + of(" ".join(right))
                    signed = "25" in written.split() and "25%" in said and "25" not in said
                    if apart and not signed and not (joined and all(numbers) and numbers[0] != numbers[1]):
                        yield of(" ".join([*left, written, *right]))


def test_a_rewrite_is_what_it_makes_of_the_sentence_that_a_profile_rewrites() -> None:
    draw = random.Random(6)
    for _ in range(300):
        words = [draw.choice(WORDS) + draw.choice(["", "", ".", ","]) for _ in range(draw.randrange(1, 5))]
        said = " ".join(draw.choice(WORDS) for _ in range(draw.randrange(1, 5)))
        found = fm.align(said, " ".join(words), normalisation=SENTENCES, grammars=GRAMMAR)
        plain = SENTENCES.words(said)
        singles = [SENTENCES.words(" ".join(words)), *kept_apart(words, said.split())]
        assert found.edits <= min(fm.align(plain, wording).edits for wording in singles)
        if len(found.rewrites) < 2:
            assert list(found.closest) in singles
        beside = Alternatives(["z z z z z z z z", " ".join(words)])
        assert fm.align(said, beside, normalisation=SENTENCES, grammars=GRAMMAR).edits <= found.edits


@pytest.mark.parametrize(
    ("reference", "hypothesis", "edits"),
    [
        ("I'd say.", "i would say", 0),
        ("I would say.", "I'd say", 0),
        ("I would say.", "id say", 2),
        ("About 20%, of (forty-five).", "about twenty percent of forty five", 0),
        ("About twenty percent.", "about 20%", 0),
        ("About twenty percent.", "about 20", 1),
        ("We're here.", "were here", 0),
        ("They were here.", "they we are here", 2),
        ("At 5:30!", "at five thirty", 0),
        ("At five thirty.", "at 5:30", 0),
        ("At five thirty.", "at 513", 2),
        ("Mr. Smith's, U.S.A.", "mister smiths u s a", 0),
        ('"Gonna" go', "going to go", 0),
        ("Well, I'm (uh) fine.", "well I am fine", 0),
    ],
)
def test_speech_with_punctuation(reference: str, hypothesis: str, edits: int) -> None:
    found = fm.align(hypothesis, reference, normalisation=BARE, grammars="en.speech")
    assert found.edits == edits, found.rewrites


def test_a_network_is_widened_as_its_only_sentence() -> None:
    said, written = "i would say twenty percent", "I'd say 20%."
    network = fm.Network.from_dict(
        {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": [written]}}}
    )
    assert fm.align(said, network, normalisation=BARE, grammars="en.speech@hits").edits == 0
    assert fm.align(said, ["x", written], normalisation=BARE, grammars="en.speech").edits == 0


def test_a_profile_of_sentences_takes_grammars() -> None:
    pytest.importorskip("whisper_normalizer")
    rules = fm.profile("whisper-en+en.speech")
    pairs = [("At 5:30.", "at five thirty"), ("call n b a", "Call NBA!"), ("I would say", "I'd say")]
    hypotheses, references = zip(*pairs, strict=True)
    assert fm.score(list(hypotheses), list(references), normalisation=rules).edits == 0
    beside = fm.score(
        list(hypotheses), list(references), normalisation=fm.profile("whisper-en"), grammars="en.speech"
    )
    assert beside.edits == 0
    assert fm.score(list(hypotheses), list(references), normalisation=fm.profile("whisper-en")).edits == 5
