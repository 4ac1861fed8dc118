"""Wildcards `<*>` in references, against enumeration of everything that could lie under them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import brute_force as bf
import pytest
import random_cases as rc
from command import fstmetrics as command

import fstmetrics as fm

WILDCARD = "<*>"
# A sentence with choices: words and wildcards, a choice is a tuple of sentences.
Sentence = list[object]


def random_sentence(rng: random.Random, depth: int = 1) -> Sentence:
    """With at least one wildcard at the top, and often one among alternatives."""
    parts: Sentence = [rng.choice((*rc.WORDS, WILDCARD)) for _ in range(rng.randint(0, 3))]
    if depth and rng.random() < 0.6:
        choice = tuple(random_sentence(rng, 0) for _ in range(2))
        parts.insert(rng.randint(0, len(parts)), choice)
    return parts


def written(sentence: Sentence) -> str:
    """In sclite's notation."""
    parts = (
        f"{{ {' / '.join(written(alternative) or '@' for alternative in part)} }}"
        if isinstance(part, tuple)
        else str(part)
        for part in sentence
    )
    return " ".join(parts)


def spelled_out(sentence: Sentence) -> set[bf.Words]:
    """All word sequences, wildcards among the words."""
    parts = [set().union(*map(spelled_out, p)) if isinstance(p, tuple) else {(str(p),)} for p in sentence]
    return {sum(choice, ()) for choice in product(*parts)}


def split_at_wildcards(reference: bf.Words) -> list[bf.Words]:
    parts: list[list[str]] = [[]]
    for word in reference:
        parts.append([]) if word == WILDCARD else parts[-1].append(word)
    return [tuple(part) for part in parts]


def ways_to_cut(words: bf.Words, wildcards: int) -> Iterator[list[bf.Words]]:
    """What is left of the words beside each choice of stretches that lie under the wildcards."""
    for ends in combinations_with_replacement(range(len(words) + 1), 2 * wildcards):
        places = (0, *ends, len(words))
        yield [words[places[i] : places[i + 1]] for i in range(0, len(places), 2)]


def candidates(
    hyp: bf.Words, ref: bf.Words, metric: bf.Metric, window: int, reordering: bf.Reordering
) -> Iterator[bf.Totals]:
    """Every order of the hypothesis, every stretch under every wildcard, every alignment of the rest.

    The words before, between and after the wildcards are aligned part by part, so that nothing crosses a wildcard;
    what lies under one is taken out, and the metric runs on over it.
    """
    parts = split_at_wildcards(ref)
    rest = tuple(word for word in ref if word != WILDCARD)
    for order in bf.permutations_in_window(hyp, window):
        moves = bf.count_moves(order, reordering)
        for pieces in ways_to_cut(tuple(hyp[i] for i in order), len(parts) - 1):
            kept = sum(pieces, ())
            for ops in product(*(list(bf.alignments(h, r)) for h, r in zip(pieces, parts, strict=True))):
                yield bf.measure(sum(ops, ()), kept, rest, metric, moves)


def best(hyps: set[bf.Words], refs: set[bf.Words], pair: rc.MetricPair) -> bf.Totals:
    metric = pair.metric
    found = [
        totals
        for hyp, ref in product(hyps, refs)
        for totals in candidates(hyp, ref, pair.referee, metric.window, metric.reordering)
    ]
    sign = bf.gain_sign(min(found, key=lambda totals: totals.cost))
    return min(found, key=lambda totals: bf.rank(totals, pair.referee, sign))


def random_evaluation(seed: int) -> tuple[rc.Side, set[bf.Words], object, rc.MetricPair]:
    """A hypothesis of any kind, the strings of a reference with wildcards, the reference, a metric."""
    rng = random.Random(seed)
    sentence = random_sentence(rng)
    refs, value = spelled_out(sentence), fm.Transcript.parse(written(sentence), "sclite")
    if rng.random() < 0.3:
        other = rng.choice((rc.network_side, rc.machine_side))(rng)
        refs, value = refs | other.strings, fm.Alternatives([value, other.value])  # type: ignore[assignment, arg-type]
    if rng.random() < 0.3:
        return rc.string_side(rc.random_string(rng, 4)), refs, value, rng.choice(list(rc.HYTER.values()))
    kinds = (lambda r: rc.string_side(rc.random_string(r, 4)), rc.machine_side, rc.network_side,
             lambda r: rc.alternatives_side(r, 3))  # fmt: skip
    return rng.choice(kinds)(rng), refs, value, rng.choice(rc.METRICS)


def totals_of(result: fm.Result) -> bf.Totals:
    t = result.totals
    cost = Fraction(t.units, result.metric.table.scale)
    return bf.Totals(cost, t.matches, t.substitutions, t.insertions, t.deletions, t.moves, t.path_length)


def check_path(hyp: rc.Side, refs: set[bf.Words], result: fm.Result, pair: rc.MetricPair) -> None:
    """The path is one of the reference's, wildcards left out, and its alignment re-scores to the totals."""
    assert result.closest in {tuple(w for w in ref if w != WILDCARD) for ref in refs}
    if pair.metric.window == 1:
        assert result.hypothesis in hyp.strings
    counted = [p for p in result.alignment if p.op != "*"]
    assert all(p.reference is None and p.hypothesis for p in result.alignment if p.op == "*")
    words = tuple(p.hypothesis for p in counted if p.hypothesis is not None)
    moves = sum(p.moves for p in result.alignment)
    ops = tuple(bf.Op("=SID".index(p.op)) for p in counted)
    assert bf.measure(ops, words, result.closest, pair.referee, moves) == totals_of(result)


def routes(pair: rc.MetricPair) -> list[str]:
    """Those that can do a cyclic reference: a wildcard is a loop."""
    free_deletions = any(row[bf.Op.DELETION] <= 0 for row in pair.referee.cost) and pair.name != "words"
    best_first = [] if pair.negative or free_deletions else ["best-first", "dijkstra"]
    return ["auto", "topological", *best_first]


@pytest.mark.parametrize("block", range(4))
def test_every_route_equals_enumeration(block: int) -> None:
    searches = free = 0
    for seed in range(block * 60, block * 60 + 60):
        hyp, refs, value, pair = random_evaluation(seed)
        if len(hyp.strings) * len(refs) > 40 or max(map(len, refs)) > 6:
            continue
        expected = best(set(hyp.strings), refs, pair)
        for route in routes(pair):
            result = fm.align(hyp.value, value, pair.metric, options=fm.SearchOptions(route=route))  # type: ignore[arg-type]
            assert totals_of(result) == expected, (seed, route)
            check_path(hyp, refs, result, pair)
            searches += 1
            free += any(p.op == "*" for p in result.alignment)
    # The cases are worth their number.
    assert searches > 60
    assert free > 15


def fewest_edits(hyp: Sequence[str], ref: Sequence[str]) -> int:
    """The textbook's table; the row of a wildcard passes on the least of what stands to its left."""
    row = list(range(len(hyp) + 1))
    for word in ref:
        if word == WILDCARD:
            row = [min(row[: i + 1]) for i in range(len(row))]
            continue
        above, row = row, [row[0] + 1]
        for i, own in enumerate(hyp):
            row.append(min(above[i] + (own != word), above[i + 1] + 1, row[i] + 1))
    return row[-1]


@pytest.mark.parametrize("seed", range(20))
def test_longer_strings(seed: int) -> None:
    rng = random.Random(seed)
    words = [rng.choice("abcdefgh") for _ in range(rng.randint(20, 150))]
    ref = [WILDCARD if rng.random() < 0.04 else word for word in words]
    hyp = [rng.choice("abcdefgh") if rng.random() < 0.2 else word for word in words if rng.random() > 0.1]
    for route in ("auto", "topological", "best-first", "dijkstra"):
        result = fm.align(hyp, parse(" ".join(ref)), options=fm.SearchOptions(route=route))
        assert result.edits == fewest_edits(hyp, ref), route
        assert result.hypothesis == tuple(hyp)


def parse(text: str) -> fm.Transcript:
    return fm.Transcript.parse(text, "wildcards")


def free(result: fm.Result) -> list[str | None]:
    return [p.hypothesis for p in result.alignment if p.op == "*"]


def test_by_hand() -> None:
    result = fm.align("we met mister uh smith there", parse("we met <*> there now"))
    assert (result.edits, result.path_length, result.closest) == (1, 4, ("we", "met", "there", "now"))
    assert free(result) == ["mister", "uh", "smith"]
    assert result.hypothesis == ("we", "met", "mister", "uh", "smith", "there")
    assert fm.wer("a b", parse("a <*> b")) == 0
    assert fm.wer("", parse("<*>")) == 0
    assert fm.wer("x y z", parse("<*>")) == 0
    # Nothing crosses a wildcard, and it takes words only where it stands.
    assert fm.align("a x b", parse("<*> a b")).edits == 1
    # The words around it are neighbours to metrics that look at n-grams.
    assert fm.grr("a x y b", parse("a <*> b"), order=2) == 1.0


def test_costs_by_word_never_see_a_wildcard() -> None:
    seen: set[str | None] = set()

    def cost(op: str, hypothesis: str | None, reference: str | None) -> float:
        seen.update((hypothesis, reference))
        return float(op != "match")

    metric = fm.EditMetric(cost=cost)
    assert fm.align("a x b", parse("a <*> b"), metric).cost == 0
    assert fm.align("x", parse("<*>"), metric).cost == 0
    assert fm.align("", parse("<*>"), metric).cost == 0
    assert seen <= {None, "a", "b", "x"}


def test_a_text_has_no_wildcard_unless_asked() -> None:
    assert fm.wer("a x b", "a <*> b") == fm.wer("a x b", "a y b")
    assert fm.wer("a <*> b", "a <*> b") == 0
    assert fm.wer("a x b", fm.Transcript.parse(r"a \<*> b", "sclite")) > 0
    assert fm.wer("a <*> b", fm.Transcript.parse(r"a \<*> b", "sclite")) == 0


def test_characters_and_words_that_are_changed() -> None:
    by_characters = fm.Normalisation(unit="char")
    assert fm.align("ab xyz de", parse("ab <*> de"), normalisation=by_characters).edits == 0
    assert fm.align("xyz de", parse("<*> de"), normalisation=by_characters).edits == 0
    assert fm.align("ab xyz df", parse("ab <*> de"), normalisation=by_characters).edits == 1
    changed = fm.Normalisation(lowercase=True, remove_punctuation=True, tokenize="13a")
    assert fm.align("The, cat.", parse("the <*>"), normalisation=changed).edits == 0
    ignored = fm.Normalisation(ignore=frozenset({"<*>"}))
    assert fm.align("a x b", parse("a <*> b"), normalisation=ignored).edits == 0


def test_grammars_apply_around_wildcards() -> None:
    result = fm.align("it's uh red", parse("it is <*> red"), grammars=["en.contractions"])
    assert result.edits == 0
    assert [r.after for r in result.rewrites] == [("it's",)]


def test_what_cannot_be_is_refused_in_one_line() -> None:
    for call, message in (
        (lambda: fm.align(parse("a <*>"), "a b"), "wildcard <.> in a hypothesis; only references"),
        (lambda: fm.align("a b", parse("a <*>"), nbest=2), "k-best paths cannot be found .* wildcards"),
        (lambda: fm.score(["a"], [parse("a <*>")], "bleu"), "bleu compares strings"),
        (
            lambda: fm.align("a b", parse("a <*>"), options=fm.SearchOptions(route="rows")),
            "route rows cannot",
        ),
    ):
        with pytest.raises(fm.FstmetricsError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "reference", "options", "kind"),
    [
        ("ref.trn", "we <*> there (u1)\n", (), "sclite"),
        ("ref.txt", "we <*> there\n", ("--alternations", "wildcards"), "wildcards"),
        ("ref.txt", "we {go|went|} <*> there\n", ("--alternations", "braces"), "braces"),
    ],
)
def test_wildcards_are_read_from_every_format_that_marks_choices(
    tmp_path: Path, name: str, reference: str, options: Sequence[str], kind: str
) -> None:
    (tmp_path / name).write_text(reference)
    (tmp_path / "hyp.txt").write_text("we are all there\n")
    ref, hyp = str(tmp_path / name), str(tmp_path / "hyp.txt")
    out = command("score", ref, hyp, *options).out
    assert "%WER 0.00 [ 0 / 2" in out
    assert f"alternations:{kind}" in out
    shown = command("score", ref, hyp, *options, "--alignment").out
    assert "*" in shown
    plain = command("score", ref, hyp, "--ref-format", "plain").out
    assert "%WER 0.00" not in plain
    assert "|alternations:" not in plain
