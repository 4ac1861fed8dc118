"""Characters of texts, which the engine finds: as Python's, however the texts are changed before."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics import _native
from fstmetrics.engine.search import search_items
from fstmetrics.text.normalisation import Normalisation, Unit

# White space of several kinds, sentence markers, characters of one to four bytes, a combining accent, a lone surrogate.
PIECES = [
    "a", "b", "ab ", " ", "\u00a0", "\u3000", "\t", "<s>", " <s> ", "</s> ", "é", "e\u0301", "漢字", "😀", "\ud800",
    "!", "<S> ",
]  # fmt: skip


def texts(seed: int, items: int, most: int) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices(PIECES, k=draw.randint(0, most))) for _ in range(items)]


COUNTS = fm.SearchOptions(alignment=False)
NORMALISATIONS = [
    Normalisation(unit="char"),
    Normalisation(unit="char", lowercase=True),
    Normalisation(unit="char", remove_punctuation=True, ignore=frozenset({"ab"})),
    Normalisation(unit="char", unicode="nfkc"),
]


@pytest.mark.parametrize("metric", ["wer", "wrr"])
@pytest.mark.parametrize("normalisation", NORMALISATIONS, ids=repr)
@pytest.mark.parametrize("most", [3, 20, 80, 400])
def test_counts_without_alignments_are_those_with_them(
    normalisation: Normalisation, most: int, metric: str
) -> None:
    draw = random.Random(most)
    references = texts(most, 40, most)
    hypotheses = texts(most + 1, 10, most)
    for text in references[10:]:
        place = draw.randint(0, len(text))
        hypotheses.append(text[:place] + draw.choice(PIECES) + text[place + draw.randint(0, 3) :])
    for first, second in ((hypotheses, references), (references, hypotheses)):
        kept = fm.score(first, second, metric, normalisation=normalisation)
        counted = fm.score(first, second, metric, normalisation=normalisation, options=COUNTS)
        assert [result.totals for result in counted] == [result.totals for result in kept]


@pytest.mark.parametrize("normalisation", NORMALISATIONS, ids=repr)
@pytest.mark.parametrize("most", [6, 60, 200])
def test_texts_by_characters_are_scored_as_lists_of_their_characters(
    normalisation: Normalisation, most: int
) -> None:
    hypotheses, references = texts(most, 40, most), texts(most + 1, 40, most)
    found = fm.score(hypotheses, references, normalisation=normalisation)
    lists = [[normalisation.words(text) for text in side] for side in (hypotheses, references)]
    expected = [fm.align(fm.Alternatives([h]), fm.Alternatives([r])) for h, r in zip(*lists, strict=True)]
    assert [item.totals for item in found] == [item.totals for item in expected]
    assert [item.alignment for item in found] == [item.alignment for item in expected]
    assert [item.hypothesis for item in found] == [tuple(words) for words in lists[0]]


def counts_by_definition(hypothesis: str, reference: str) -> tuple[int, int]:
    """The fewest edits, and the most matches among alignments with so few: Levenshtein's table, cell by cell."""
    row = [(edits, 0) for edits in range(len(reference) + 1)]
    for place, mine in enumerate(hypothesis, 1):
        before, row = row, [(place, 0)]
        for column, theirs in enumerate(reference):
            same = mine == theirs
            edits, matches = before[column]
            steps = [(edits + (not same), matches - same)]
            steps += [(edits + 1, matches) for edits, matches in (before[column + 1], row[column])]
            row.append(min(steps))
    edits, matches = row[-1]
    return edits, -matches


LETTERS = {
    "two": "ab",
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "bytes": "abc!<ü",
    "marks": "e\u0301\u0300",
    "ideographs": "".join(map(chr, range(0x4E00, 0x4E00 + 600))),
}


@pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)
@pytest.mark.parametrize("edits", [1, 12, 59, 63, 140])
def test_counts_of_texts_near_and_far_are_those_of_the_definition(letters: str, edits: int) -> None:
    draw = random.Random(edits)
    sides: tuple[list[str], list[str]] = ([], [])
    for item in range(6):
        reference = draw.choices(letters, k=draw.randint(40, 260))
        hypothesis = list(reference)
        for _ in range(edits):
            place = draw.randrange(len(hypothesis) + 1)
            # Some pieces of a hypothesis are only longer, or only shorter.
            kept = draw.choice([0, 1, 1]) if item % 3 == 0 else item % 3 == 1
            hypothesis[place : place + kept] = draw.choices(letters, k=draw.choice([0, 1]) if kept else 1)
        sides[item % 2].append("".join(hypothesis))
        sides[1 - item % 2].append("".join(reference))
    for options in (fm.SearchOptions(), COUNTS):
        found = fm.score(*sides, "cer", options=options)
        assert [(item.edits, item.matches) for item in found] == [
            counts_by_definition(*pair) for pair in zip(*sides, strict=True)
        ]


@pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)
@pytest.mark.parametrize("edits", [30, 65, 130, 240, 260, 700, 1100])
def test_counts_of_long_texts_are_those_of_characters_as_words(letters: str, edits: int) -> None:
    draw = random.Random(edits)
    hypotheses, references = [], []
    for length in (300, 500, 900, 1200, 1700, 2100):
        reference = draw.choices(letters, k=length)
        hypothesis = list(reference)
        for _ in range(edits):
            place = draw.randrange(len(hypothesis) + 1)
            hypothesis[place : place + draw.choice([0, 1])] = draw.choices(letters, k=draw.choice([0, 1, 1]))
        hypotheses += [hypothesis, reference[draw.randrange(200) :]]
        references += [reference, hypothesis]
    by_words = fm.score(*(list(map(" ".join, side)) for side in (hypotheses, references)), options=COUNTS)
    for options in (fm.SearchOptions(), COUNTS):
        found = fm.score(
            *(list(map("".join, side)) for side in (hypotheses, references)), "cer", options=options
        )
        assert [item.totals for item in found] == [item.totals for item in by_words]


@pytest.mark.parametrize("most", [3, 20, 80, 400])
@pytest.mark.parametrize("threads", [1, 3])
def test_alignments_looked_at_later_are_those_worked_out_at_once(most: int, threads: int) -> None:
    draw = random.Random(most)
    references = texts(most, 60, most)
    hypotheses = [text[: draw.randint(0, len(text))] + draw.choice(PIECES) + text[3:] for text in references]
    options = fm.SearchOptions(threads=threads)
    by_characters = Normalisation(unit="char")
    later = fm.score(hypotheses, references, normalisation=by_characters, options=options)
    items = zip([None] * 60, hypotheses, references, strict=True)
    at_once = search_items(list(items), fm.WER(), normalisation=by_characters)
    assert [item.alignment for item in later] == [item.alignment for item in at_once]
    columns = later.alignment_columns()
    assert all(
        map(np.array_equal, columns.values(), fm.CorpusResult.of(at_once).alignment_columns().values())
    )


def test_white_space_parts_words_wherever_python_has_it() -> None:
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    like = ["\u200b", "\u180e", "\u2060", "\x00", "\x1b"]
    for inside in (f"long enough for vectors{space}and more" for space in spaces + like):
        for text in (inside, inside + "漢", inside.replace("for", "<s>"), f"{inside} ", f"!{inside}"):
            found = fm.score([text], ["x"], "cer")
            assert found[0].hypothesis == tuple(Normalisation(unit="char").words(text))
            counted = fm.score(
                [text], [" ".join(Normalisation(unit="word").words(text))], "cer", options=COUNTS
            )
            assert counted.edits == 0
            assert counted.path_length == len(found[0].hypothesis)


@pytest.mark.parametrize("normalisation", NORMALISATIONS, ids=repr)
def test_a_column_of_characters_has_those_of_every_text(normalisation: Normalisation) -> None:
    given = texts(7, 200, 9)
    plain = _native.CharacterColumn(_native.TextColumn(given), as_they_are=False)
    assert list(plain) == [tuple(Normalisation(unit="char").words(text)) for text in given]
    joined = [normalisation.joined(text) for text in given]
    changed = _native.CharacterColumn(_native.TextColumn(joined), as_they_are=True)
    assert list(changed) == [tuple(normalisation.words(text)) for text in given]
    assert len(plain) == 200
    assert plain[-1] == plain[199]
    with pytest.raises(IndexError):
        plain[200]


def test_characters_against_alternatives_and_lattices() -> None:
    by_characters = Normalisation(unit="char")
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (1, 2, "cat"), (1, 2, "hat")], finals=[2])
    found = fm.score(["a cap", "the hat"], [["the cap", "a  cap"], lattice], normalisation=by_characters)
    assert [item.edits for item in found] == [0, 3]
    assert fm.score([lattice], ["a hut"], normalisation=by_characters)[0].edits == 1


JOINED = (
    '"".join(list) if it was taken apart, " ".join(list) if these are words; if they are alternatives, say'
)
TAKEN_APART = [
    ("你好世界", list("你好世界"), "['你', '好', '世', ...] (4)"),
    (list("abc"), "abc", "['a', 'b', 'c']"),
    ("你好", np.array(["你", "好"]), "['你', '好']"),
    ("你好", [["你", "好"], ["您", "好"]], "['你', '好']"),
    ("你好", fm.Alternatives([["您", "好"], "你好"]), "['您', '好']"),
]


@pytest.mark.parametrize(("hypothesis", "reference", "shown"), TAKEN_APART, ids=repr)
def test_a_string_taken_apart_is_refused_where_characters_are_compared(
    hypothesis: Any, reference: Any, shown: str
) -> None:
    with pytest.raises(fm.FstmetricsError, match="a list of single characters") as refused:
        fm.cer(hypothesis, reference)
    assert f"{shown}: give one string, {JOINED}" in str(refused.value)
    side = "hypothesis" if isinstance(reference, str) else "reference"
    for call in (fm.score, lambda hyps, refs, metric: fm.compare({"a": hyps}, refs, metric)):
        with pytest.raises(fm.FstmetricsError, match=rf"item 1 \(from 0\), {side}: characters"):
            call(["ok", hypothesis], ["ok", reference], "cer")


@pytest.mark.parametrize("unit", ["char-no-space", "mixed"])
def test_single_characters_are_words_or_alternatives_without_spaces(unit: Any) -> None:
    normalisation = Normalisation(unit=unit)
    assert fm.align(list("你好"), list("你们"), normalisation=normalisation).edits == 1
    with pytest.raises(fm.FstmetricsError, match="a list of single characters"):
        fm.align("你好", list("你好"), normalisation=normalisation)
    assert fm.align("你", fm.Alternatives(["你", "您"]), normalisation=normalisation).edits == 0
    assert fm.cer("你", fm.Alternatives(["你", "您"])) == fm.cer("你", ["你"]) == 0


@pytest.mark.parametrize("unit", ["mixed", "char", "char-no-space", "word"])
@pytest.mark.parametrize(
    "call",
    [
        lambda words: fm.score(["今天 天气"], ["今天天气"], "cer", normalisation=words).score,
        lambda words: fm.score(["今天 天气"], ["今天天气"], ["cer"], normalisation=words)["cer"].score,
        lambda words: fm.align("今天 天气", "今天天气", "cer", normalisation=words).score,
        lambda words: (
            fm.compare({"a": ["今天 天气"]}, ["今天天气"], "cer", normalisation=words)
            .systems["a"]["cer"]
            .score
        ),
        lambda words: fm.oracle(fm.NBest("u", ["今天 天气"]), "今天天气", "cer", normalisation=words).score,
    ],
    ids=["score", "score of a list", "align", "compare", "oracle"],
)
def test_cer_refuses_a_unit_that_is_none_of_characters(call: Callable[..., float], unit: Unit) -> None:
    words = Normalisation(unit=unit)
    if unit == "mixed":
        with pytest.raises(
            fm.FstmetricsError, match="the unit mixed does not fit cer: characters are compared"
        ):
            call(words)
    else:
        assert call(words) == (0 if unit == "char-no-space" else 0.25)


@pytest.mark.parametrize(
    "call",
    [
        lambda metric, words: fm.mbr(["今天 天气", "今天天气"], metric, normalisation=words),
        lambda metric, words: fm.report({"a": ["今天 天气"]}, ["今天天气"], metric, normalisation=words),
    ],
    ids=["mbr", "report"],
)
def test_cer_refuses_such_a_unit_where_no_score_is_asked_for(call: Callable[..., object]) -> None:
    mixed = Normalisation(unit="mixed")
    call("wer", mixed)
    for metric in ("cer", fm.CER()):
        call(metric, Normalisation(unit="char-no-space"))
        with pytest.raises(fm.FstmetricsError, match="the unit mixed does not fit cer"):
            call(metric, mixed)


def test_of_several_metrics_each_compares_what_it_compares() -> None:
    found = fm.score(["今天 天气"], ["今天天气"], ["wer", "cer"], normalisation=Normalisation(unit="mixed"))
    assert [found["wer"].score, found["cer"].score] == [0, 0.25]
