"""Grammars: the notation, case, numbers, and the grammars that ship with their examples."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from error_cases import Message, error_cases, says

import fstmetrics as fm
from fstmetrics.analysis.savings import failures
from fstmetrics.grammars import numerals
from fstmetrics.grammars import numerals as number_phrases
from fstmetrics.grammars.compiled import compiled
from fstmetrics.grammars.library import load, names, resolve, shipped_folder, widening_of
from fstmetrics.grammars.model import Grammar
from fstmetrics.grammars.numerals import WORD_CLASSES
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.text.normalisation import Normalisation

PHENOMENA = {
    "abbreviations", "contractions", "dates", "digits", "equivalents", "fillers", "hyphenation", "letters", "names",
    "numbers", "optional", "spelling",
}  # fmt: skip


def edits(grammar: str, reference: str, hypothesis: str, **settings: object) -> int:
    return fm.align(hypothesis.split(), reference.split(), grammars=Grammar.parse(grammar), **settings).edits  # type: ignore[arg-type]


# The notation.


@pytest.mark.parametrize(
    ("rule", "reference", "hypothesis", "expected"),
    [
        ("a b -> c", "a b", "c", 0),
        ("a b -> c", "c", "a b", 2),
        ("a b <-> c ; d", "d", "a b", 0),
        ("a b <-> c ; d", "c", "d", 1),
        ("a = b = c d", "c d", "b", 0),
        ("a ->", "x a", "x", 0),
        ("a -> ~ ; b", "a", "b", 0),
        (r"\= -> equals", "=", "equals", 0),
        (r"\; = ,", ";", ",", 0),
        (r"\{ -> (", "{", "(", 0),
        ("list X: a b\n{X}s -> {X}", "as bs", "a b", 0),
        ("list X: a/c b/d\n{X.1} -> {X.2}", "a b", "c d", 0),
        ("list X: a/c b/d\n{X.1} -> {X.2}", "a", "d", 1),
        ("list X: a\n    b\n    c\n{X} -> z", "c", "z", 0),
        ("list X: new_york/ny\n{X.1} = {X.2}", "ny", "new york", 0),
        (r"list X: 1\/2/half a\_b/c" + "\n{X.1} = {X.2}", "half c", "1/2 a_b", 0),
        ("list E: ~ s\ncolour{E} = color{E}", "colour colours", "color colors", 0),
        ("open W: /[a-z]+/\nnon-{W} -> non {W}", "non-x", "non x", 0),
        ("open W: /[a-z]+/\nnon-{W} -> non {W}", "non-7", "non 7", 2),
        ("open A: /.+/\nopen B: /.+/\n{A}-{B} -> {A} {B}", "a-b-c", "a b-c", 0),
        ("open A: /.+/\nopen B: /.+/\n{A}-{B} -> {A} {B}", "a-b-c", "a-b c", 0),
        ("open A: /.+/\n{A} {A} -> {A}", "x x", "x", 0),
        ("open A: /.+/\n{A} {A} -> {A}", "x y", "x", 1),
        ("a -> b # a comment\n# another", "a", "b", 0),
        ("# -> x\na -> b", "a", "b", 0),
        ("case: exact\nUS -> U.S.", "US", "U.S.", 0),
        ("case: exact\nUS -> U.S.", "us", "u.s.", 1),
        ("case: exact\nUS -> U.S.", "TELL US", "TELL U.S.", 0),
        ("case: mixed\nUS -> U.S.", "tell US", "tell U.S.", 0),
        ("case: mixed\nUS -> U.S.", "TELL US", "TELL U.S.", 1),
        ("case: mixed\nUS -> U.S.", "tell us", "tell u.s.", 1),
    ],
)
def test_rules_of_every_form(rule: str, reference: str, hypothesis: str, expected: int) -> None:
    assert edits(rule, reference, hypothesis) == expected


# Texts too long for a table.
LARGE = [
    (f"open A: /{'(' * 2000}a{')' * 2000}/\n{{A}} -> b", ["mine:1: ", "nest 2000 deep; the limit is 50"]),
    (
        f"list A: {'a ' * 1001}\nlist B: {'b ' * 1001}\n{{A}} -> {{B}}",
        ["mine:3: ", "1002001 plain rules", "limit is 1000000"],
    ),
    (f"list A: a\n{{A.{'9' * 5000}}} -> b", ["mine:2: ", "A has 1 column"]),
]


@pytest.mark.parametrize(
    ("text", "message"),
    [(case["content"], case["message"]) for case in error_cases("grammars")["case"]] + LARGE,
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, message: Message) -> None:
    with pytest.raises(InputError) as caught:
        Grammar.parse(text, "mine")
    assert says(str(caught.value), message)


def test_damaged_grammars_are_read_or_refused() -> None:
    """Nothing but an InputError, whatever the file holds."""
    import random

    rng = random.Random(5)
    lines = [
        line
        for name in names()
        for line in (shipped_folder() / f"{name.replace('.', '/')}.grammar").read_text().splitlines()
    ]
    for _ in range(300):
        text = "\n".join(rng.choices(lines, k=12))
        at = rng.randrange(len(text))
        damaged = (
            text[:at]
            + rng.choice(["{", "}", "\\", "=", "->", " ; ", "~", "\n", "@", "", ":"])
            + text[at + 1 :]
        )
        try:
            compiled(Grammar.parse(damaged), Normalisation())
        except InputError:
            continue


@pytest.mark.parametrize(
    ("expressions", "reference", "hypothesis", "expected"),
    [
        (("(?P<x>a+)", "(?P<x>b+)"), "aabb", "bbaa", 0),
        ((r"(a)\1", r"(b)\1"), "aabb", "bbaa", 0),
        ((r"(a)\1", r"(b)\1"), "ab", "ba", 1),
        ((r"(a)\1", r"[b]"), "aab", "baa", 0),
        (("(?i:a)", "b"), "Ab", "bA", 0),
        (("a", "b"), "Ab", "bA", 1),
    ],
)
def test_groups_of_an_expression_are_its_own(
    expressions: tuple[str, str], reference: str, hypothesis: str, expected: int
) -> None:
    """Two open words in a word: the names and numbers of their groups do not meet."""
    a, b = expressions
    assert edits(f"open A: /{a}/\nopen B: /{b}/\n{{A}}{{B}} -> {{B}}{{A}}", reference, hypothesis) == expected


def test_reading_takes_time_in_proportion_to_the_file() -> None:
    """A list of many lines, and spaces, hashes and slashes in a row."""
    many = "list X: a\n" + "    b\n" * 20_000 + "x -> y" + " # c" * 20_000 + " " * 50_000
    assert len(Grammar.parse(many).lists["X"]) == 20_001


def test_costs_of_files_rules_and_callers() -> None:
    grammar = Grammar.parse("a -> b\ncost: 0.5\nc -> d\ne -> f @ 2")
    assert [float(rule.cost) for rule in grammar.rules] == [0, 0.5, 2]
    assert {rule.cost for rule in grammar.at_cost("0.1").rules} == {fm.metrics.path_metric.exact("0.1", "")}
    assert fm.align("b d", "a c", grammars=grammar).cost == 0.5
    assert [float(r.cost) for r in load("en.spelling@0.25").rules[:2]] == [0.25, 0.25]
    with pytest.raises(FstmetricsError, match="less than nothing"):
        grammar.at_cost(-1)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("It's on", "It is on"),
        ("IT'S ON", "IT IS ON"),
        ("it's on", "it is on"),
        ("I am", "I'm"),
        ("July 8", "8 July"),
        ("july 8", "8 july"),
        ("Non-EU", "NonEU"),
        ("Twenty-one", "21"),
    ],
)
def test_case_follows_the_text(reference: str, hypothesis: str) -> None:
    rules = "it's = it is\nI'm = I am\nJuly 8 = 8 July\nopen W: /.+/\nnon-{W} = non{W}\nopen N: cardinal\n{N} = {N.3}"
    assert edits(rules, reference, hypothesis) == 0


# Normalisation comes first, and rules go through it.


@pytest.mark.parametrize(
    ("settings", "reference", "hypothesis"),
    [
        ({"lowercase": True}, "It's", "IT is"),
        ({"remove_punctuation": True}, "it's", "it is"),
        ({"remove_punctuation": True}, "its", "it is"),
        ({"tokenize": "13a"}, "at 5:30 .", "at half past five."),
        ({"ignore": frozenset({"uh"})}, "it uh is", "it's"),
    ],
)
def test_rules_are_normalised_as_texts_are(
    settings: dict[str, object], reference: str, hypothesis: str
) -> None:
    grammar = Grammar.parse("it's = it is\nhalf past five = 5:30\n, ->")
    normal = Normalisation(**settings)  # type: ignore[arg-type]
    assert fm.align(hypothesis, reference, normalisation=normal, grammars=grammar).edits == 0


def test_rules_that_rest_on_case_are_off_where_case_is_folded() -> None:
    grammar = Grammar.parse("case: exact\nUS = United States")
    folded = Normalisation(lowercase=True)
    assert fm.align("united states", "US", grammars=grammar).edits == 2
    assert fm.align("United States", "US", grammars=grammar).edits == 0
    assert fm.align("let united states go", "let us go", normalisation=folded, grammars=grammar).edits == 2


@pytest.mark.parametrize(
    ("rule", "reference", "hypothesis", "expected"),
    [
        ("homographs: were\nwe're = we are", "they were late", "they we are late", 2),
        ("homographs: were\nwe're = we are = we re", "we are late", "we re late", 0),
        ("homographs: were\nwe're <-> we are", "they were late", "they we are late", 2),
        ("we're = we are", "were late", "we are late", 0),
        ("homographs: were\n    us\nU.S. = america", "tell us", "tell america", 1),
        ("open A: /\\w+/\nopen B: /\\w+/\n{A} - {B} -> {A}-{B}", "two words", "twowords", 2),
        ("so , = thus ,", "so big", "thus big", 1),
        ("percent = % = pct", "5 percent", "5 pct", 0),
        ("5:30 = half past five", "at 530", "at half past five", 3),
    ],
)
def test_sides_that_lose_their_meaning_without_punctuation_are_left_out(
    rule: str, reference: str, hypothesis: str, expected: int
) -> None:
    form = Normalisation(remove_punctuation=True)
    assert fm.align(hypothesis, reference, normalisation=form, grammars=Grammar.parse(rule)).edits == expected


# Numbers.


def phrase_texts(kind: str, limit: int) -> set[str]:
    """Some word sequences of a phrase automaton, from its definition."""
    import random

    rng, arcs = random.Random(3), number_phrases.PHRASES[kind]
    end = max(target for *_, target in arcs)
    found = set()
    for _ in range(limit):
        state, words = 0, []
        while state != end:
            _, word, state = rng.choice([arc for arc in arcs if arc[0] == state])
            words.append(rng.choice(sorted(number_phrases.WORD_CLASSES.get(word, {word}))))
        found.add(" ".join(words))
    return found


def accepts(kind: str, text: str) -> bool:
    states = {0}
    for word in text.split():
        fits = {word} | {name for name, members in number_phrases.WORD_CLASSES.items() if word in members}
        states = {
            target
            for source, label, target in number_phrases.PHRASES[kind]
            if source in states and label in fits
        }
    return max(target for *_, target in number_phrases.PHRASES[kind]) in states


NUMBERS = [
    *range(1, 130),
    200,
    210,
    999,
    1000,
    1001,
    1100,
    2021,
    12_345,
    100_000,
    999_999,
    10**6,
    10**9 + 7,
    10**12 - 1,
]


@pytest.mark.parametrize(
    ("kind", "values", "forms", "value"),
    [
        ("cardinal", [0, *NUMBERS], numerals.cardinal_forms, numerals.cardinal_value),
        ("ordinal", [1, *range(3, 1000)], numerals.ordinal_forms, numerals.ordinal_value),
        ("year", range(1300, 2100), numerals.year_forms, numerals.year_value),
        ("decimal", ["0.5", "2.05", "10.25", "100.1"], numerals.decimal_forms, numerals.decimal_value),
    ],
)
def test_numbers_in_words_come_back(kind: str, values: list[object], forms: object, value: object) -> None:
    seen: dict[str, object] = {}
    for n in values:
        written = forms(n)  # type: ignore[operator]
        assert written, n
        for text in written:
            assert value(text.split()) == n, text  # type: ignore[operator]
            assert accepts(kind, text), text
            assert seen.setdefault(text, n) == n


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("cardinal", numerals.cardinal_value),
        ("ordinal", numerals.ordinal_value),
        ("year", numerals.year_value),
    ],
)
def test_what_phrase_automata_accept_mostly_has_a_value(kind: str, value: object) -> None:
    texts = phrase_texts(kind, 300)
    known = [text for text in texts if value(text.split()) is not None]  # type: ignore[operator]
    assert len(known) > 0.7 * len(texts), sorted(texts - set(known))[:20]


@pytest.mark.parametrize("words", ["eleven fifteen", "twelve thirty", "twelve oh five"])
def test_a_time_of_day_is_no_year_and_a_second_no_ordinal(words: str) -> None:
    assert numerals.year_value(words.split()) is None
    assert numerals.ordinal_value(["second"]) is None
    assert numerals.ordinal_value(["twenty-second"]) == 22


@pytest.mark.parametrize(
    "words",
    [
        "one one",
        "hundred",
        "twenty ten",
        "two hundred and",
        "and five",
        "one thousand million five thousand",
        "five point",
    ],
)
def test_what_is_no_number(words: str) -> None:
    for value in (numerals.cardinal_value, numerals.ordinal_value, numerals.decimal_value):
        assert value(words.split()) is None


# What ships.


def test_there_is_a_grammar_for_every_phenomenon() -> None:
    assert set(names()) == {
        "compounds",
        "fragments",
        "de.numbers",
        "es.numbers",
        "fr.numbers",
        *(f"en.{name}" for name in PHENOMENA),
    }
    suits = {load(name).name: load(name).suits for name in names() if name.startswith("en.")}
    for group in ("text", "speech"):
        expected = [name for name, groups in suits.items() if group in groups]
        assert [grammar.name for grammar in resolve(f"en.{group}")] == expected
    assert resolve("en") == resolve("en.text")
    assert len(resolve("en")) == 9


@pytest.mark.parametrize("name", names())
def test_a_shipped_grammar_does_what_its_examples_say(name: str) -> None:
    grammar = load(name)
    assert sum(example.accepted for example in grammar.examples) >= 10
    assert sum(not example.accepted for example in grammar.examples) >= 8
    assert failures(grammar) == []
    assert grammar.title


RAW = Normalisation()
NORMALISATIONS = [Normalisation(lowercase=True), Normalisation(lowercase=True, remove_punctuation=True)]


@pytest.mark.parametrize("name", names())
def test_what_is_not_equal_is_not_equal_in_other_forms_of_the_text_either(name: str) -> None:
    """Folded case, no punctuation, all capitals: as speech recognition has its texts. Where the two are one text then,
    no grammar is needed."""
    grammar = load(name)
    for example in (e for e in grammar.examples if not e.accepted):
        pairs = [(example.reference, example.hypothesis, form) for form in NORMALISATIONS]
        pairs.append((example.reference.upper(), example.hypothesis.upper(), RAW))
        for reference, hypothesis, form in pairs:
            if form.words(reference) != form.words(hypothesis):
                result = fm.align(hypothesis.split(), reference.split(), normalisation=form, grammars=grammar)
                assert result.edits, (example, form, result.rewrites)


@pytest.mark.parametrize(
    ("reference", "short", "other"),
    [
        ("Mulholland Drive", "Mulholland Dr.", "Mulholland Doctor"),
        ("5 million", "5m", "5 meters"),
        ("5 meters", "5 m", "5 million"),
        ("Congressman Smith", "Rep. Smith", "Congresswoman Smith"),
        ("doctor", "dr", "drive"),
        ("July 8 , 2007", "7/8/2007", "7 August 2007"),
        ("5 pounds", "5 lb", "£5"),
        ("the united states", "the us", "us"),
        ("the 1920s", "the 20s", "the 2020s"),
        ("10 a.m.", "10 am", "10:00"),
    ],
)
def test_two_rewrites_in_a_row_do_not_join_what_is_not_equal(reference: str, short: str, other: str) -> None:
    """What is short stands for both; a reference becomes it, and nothing becomes the other through it."""
    assert fm.align(short.split(), reference.split(), grammars="en").edits == 0
    assert fm.align(other.split(), reference.split(), grammars="en").edits > 0


@pytest.mark.parametrize(
    ("grammar", "reference", "hypothesis", "lowercase"),
    [
        ("en.abbreviations", "U.S. troops", "us troops", True),
        ("en.abbreviations", "tell us", "tell united states", True),
        ("en.contractions", "we're late", "were late", False),
        ("en.contractions", "they were late", "they we are late", False),
        ("en.contractions", "the bring", "the brin", False),
        ("en.dates", "they sat", "they saturday", True),
        ("en.dates", "at 530", "at five thirty", True),
        ("en.hyphenation", "any two words", "anytwo words", False),
        ("en.numbers", "two point five", "25", False),
        ("en.numbers", "25 percent", "25", False),
        ("en.abbreviations", "no number", "no no", True),
    ],
)
def test_without_punctuation_a_rule_does_not_find_other_words(
    grammar: str, reference: str, hypothesis: str, lowercase: bool
) -> None:
    form = Normalisation(lowercase=lowercase, remove_punctuation=True)
    assert form.words(reference) == form.words(hypothesis) or (
        fm.align(hypothesis, reference, normalisation=form, grammars=grammar).edits > 0
    )


@pytest.mark.parametrize("name", [f"en.{name}" for name in sorted(PHENOMENA - {"fillers"})])
def test_a_shipped_grammar_covers_its_phenomenon(name: str) -> None:
    assert len(compiled(load(name), Normalisation()).rules) >= 100


def test_rules_of_hits_alone_are_used_where_every_word_is_a_hit() -> None:
    rules = "don't = do not\nlot of = lotta"
    free, hits = Grammar.parse(rules), Grammar.parse(f"only: hits\n{rules}")
    pair = "he has many", "he has a lot of"
    assert fm.align(*pair, grammars=free).edits == 2
    assert fm.align(*pair, grammars=hits).edits == 3
    assert fm.align("i do not", "i don't", grammars=hits).edits == 0
    assert (free.of_hits().signature(), hits.signature(), free.signature()) == (
        "grammar@hits", "grammar@hits", "grammar",
    )  # fmt: skip
    assert resolve("en.contractions@hits@0.5")[0].signature() == "en.contractions@hits@0.5"
    assert all(grammar.signature().endswith("@hits") for grammar in resolve("en.speech"))
    with pytest.raises(FstmetricsError, match="not of characters"):
        fm.align(*pair, grammars=hits, normalisation=Normalisation(unit="char"))


def test_rules_of_hits_alone_find_the_best_rewriting_of_hits() -> None:
    """Of all rewritings by the definition, those of whose new words all are hits in some best alignment."""
    import random

    rng = random.Random(12)
    rules = "a = b c\nb -> d ; a a\nc d -> e\ne ->\n"
    free, hits = Grammar.parse(rules), Grammar.parse(f"only: hits\n{rules}")
    used = 0
    for _ in range(300):
        reference, hypothesis = (rng.choices("abcde", k=rng.randint(0, 5)) for _ in range(2))
        plain = fm.align(hypothesis, reference).edits
        best, of_hits = (fm.align(hypothesis, reference, grammars=g) for g in (free, hits))
        assert best.edits <= of_hits.edits <= plain
        matched = [pair.op == "=" for pair in of_hits.alignment if pair.reference is not None]
        for rewrite in of_hits.rewrites:
            assert all(matched[rewrite.position : rewrite.position + len(rewrite.after)])
        free_matched = [pair.op == "=" for pair in best.alignment if pair.reference is not None]
        if all(all(free_matched[r.position : r.position + len(r.after)]) for r in best.rewrites):
            assert of_hits.totals == best.totals
        used += of_hits.edits < plain
    assert used > 50


@pytest.mark.parametrize(
    ("reference", "hypothesis", "edits"),
    [
        ("call nine one one", "call 911", 0),
        ("double oh seven", "007", 0),
        ("the n b a", "the nba", 0),
        ("at five p m", "at five pm", 0),
        ("uh mm-hmm", "mhm", 0),
        ("i am here", "i a m here", 2),
        ("tell us", "tell america", 1),
        ("yes", "yeah", 1),
        ("a television", "a tv", 1),
        ("however", "but", 1),
        ("the dog", "dog", 1),
    ],
)
def test_speech_is_equal_where_the_same_is_spoken(reference: str, hypothesis: str, edits: int) -> None:
    assert fm.align(hypothesis, reference, grammars="en.speech").edits == edits


def test_accepted_examples_need_the_grammar() -> None:
    """An example that is accepted without any grammar would show nothing."""
    for grammar in resolve("en"):
        for example in grammar.examples:
            if example.accepted:
                assert fm.align(example.hypothesis.split(), example.reference.split()).edits > 0, example


def test_a_grammar_whose_compiling_was_stopped_is_whole_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (shipped_folder() / "en" / "numbers.grammar").read_text(encoding="utf-8")
    hypothesis, reference = "25", "twenty five"
    told = []
    expected = fm.score([hypothesis], [reference], grammars=Grammar.parse(text)).edits
    for name in WORD_CLASSES:
        stopped = False

        class Stopping(tuple):  # type: ignore[type-arg]
            def __iter__(self) -> Iterator[str]:
                nonlocal stopped
                yield self[0]
                stopped = True
                raise KeyboardInterrupt

        grammar = Grammar.parse(f"{text}\n# {name}\n")
        with monkeypatch.context() as patch:
            patch.setitem(WORD_CLASSES, name, Stopping(WORD_CLASSES[name]))  # type: ignore[arg-type]
            with suppress(KeyboardInterrupt):
                fm.score([hypothesis], [reference], grammars=grammar)
        if stopped:
            assert fm.score([hypothesis], [reference], grammars=grammar).edits == expected
            told.append(name)
    assert told


def test_every_grammar_is_compiled_in_two_seconds_and_kept() -> None:
    """In a fresh process, so that nothing is kept from before; where Python adds up three million squares in an eighth
    of a second, and on other machines, or busy ones, in as much more."""
    code = (
        "import time\n"
        "from fstmetrics.grammars.library import resolve\n"
        "from fstmetrics.grammars.compiled import compiled\n"
        "from fstmetrics.text.normalisation import Normalisation\n"
        "begin = time.process_time()\n"
        "sum(i * i for i in range(3_000_000))\n"
        "eighth = time.process_time() - begin\n"
        "begin = time.process_time()\n"
        "for grammar in resolve('en'): compiled(grammar, Normalisation()).patterns\n"
        "first = time.process_time() - begin\n"
        "begin = time.process_time()\n"
        "for grammar in resolve('en'): compiled(grammar, Normalisation()).patterns\n"
        "print(eighth, first, time.process_time() - begin)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    eighth, first, second = map(float, shown.stdout.split())
    assert first < 2 * 8 * eighth
    assert second < first / 20


def test_nothing_of_grammars_is_loaded_without_them() -> None:
    code = (
        "import fstmetrics as f, sys; f.align('a', 'b'); print(*[m for m in sys.modules if 'grammars' in m])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == []


# By name, by path, as objects.


def test_grammars_are_found_by_name_path_and_object(tmp_path: Path) -> None:
    path = tmp_path / "mine.grammar"
    path.write_text("a -> b\n")
    first = load(str(path))
    assert load(str(path)) is first
    assert widening_of([first], Normalisation()) is widening_of(str(path), Normalisation())
    path.write_text("a -> b\nc -> d\n")
    assert len(load(str(path)).rules) == 2
    both = fm.score(["b it is"], ["a it's"], grammars=["en.contractions", str(path), Grammar.parse("x -> y")])
    assert both.edits == 0
    assert both.grammars == "en.contractions,mine,grammar"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("en.speling", "those that ship are compounds, de.numbers"),
        ("", "name is empty"),
        ("en.spelling,,en.names", "name is empty"),
        ("en.spelling@x", "finite number"),
        ("./missing.grammar", "cannot be read"),
    ],
)
def test_unknown_grammars_are_named(name: str, message: str) -> None:
    with pytest.raises(FstmetricsError, match=message):
        fm.align("a", "b", grammars=[name])


def test_rewrites_say_which_rule_was_used() -> None:
    result = fm.align(
        "I do not like the colour grey", "I don't like the color gray", grammars="en.contractions,en.spelling"
    )
    assert [(r.grammar, r.before, r.after, r.position) for r in result.rewrites] == [
        ("en.contractions", ("don't",), ("do", "not"), 1),
        ("en.spelling", ("color",), ("colour",), 5),
        ("en.spelling", ("gray",), ("grey",), 6),
    ]
    assert fm.align("a", "a", grammars="en").rewrites == ()
