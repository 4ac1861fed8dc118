"""Every route against the referee, on many small random evaluations; and the laws of the design.

The number of random cases is FSTMETRICS_CASES (default 1,000).
"""

from __future__ import annotations

import math
from collections import Counter

import brute_force as bf
import pytest
import random_cases as rc
from places import RANDOM_CASES
from random_cases import check_path, totals_of

import fstmetrics as fm

CASES = RANDOM_CASES
BLOCKS = 20
SURVEYED = 1000  # cases whose kinds are counted
# Metrics for which a match is never worse than a substitution, by the beginnings of their names.
ROWS = ("wer", "wrr", "sclite", "hyter", "grr")
# Metrics of one memory among them.
GRAPHS = ("wer", "wrr", "sclite", "hyter", "grr 1 ", "match as dear")


def routes(case: rc.Case, nbest: int = 1) -> list[str]:
    """The routes that can do a case."""
    found = (
        ["topological", "auto"] if case.pair.negative else ["topological", "best-first", "dijkstra", "auto"]
    )
    has_string = "string" in (case.hypothesis.kind, case.reference.kind)
    if nbest == 1 and has_string and case.pair.name in ("wer", "hyter"):
        found.append("bit-parallel")
    if nbest == 1 and has_string and case.pair.metric.window == 1 and case.pair.name.startswith(ROWS):
        found.append("rows")
        if case.pair.name in ("wer", "hyter"):
            found.append("unit-rows")
            found += ["string-pair"] * (case.hypothesis.kind == case.reference.kind == "string")
    if nbest == 1 and case.pair.metric.window == 1 and case.pair.name.startswith(GRAPHS):
        found.append("graphs")
    if "network" in (case.hypothesis.kind, case.reference.kind):
        found.append("chart")
    return found


def check(case: rc.Case, expected: bf.Totals) -> fm.Result:
    """Every route gives the expected totals, a valid path, and the same without an alignment."""
    for route in routes(case):
        options = fm.SearchOptions(route=route)
        result = fm.align(case.hypothesis.value, case.reference.value, case.pair.metric, options=options)
        assert totals_of(result) == expected, (route, case)
        check_path(case, result)
    quick = fm.align(
        case.hypothesis.value,
        case.reference.value,
        case.pair.metric,
        options=fm.SearchOptions(alignment=False),
    )
    assert quick.totals == result.totals
    assert quick.alignment == ()
    if case.pair.score:
        assert result.score == float(bf.score(expected, case.pair.referee, case.pair.score))
    return result


def survey(case: rc.Case, pairs: list[bf.Totals], best: bf.Totals) -> Counter[str]:
    """What kind of case this was, to know that the random cases are worth their number."""
    words = best.matches + best.edits
    return Counter(
        {
            "cases": 1,
            "epsilons": case.hypothesis.has_epsilons or case.reference.has_epsilons,
            "ties": sum(totals.cost == best.cost for totals in pairs) > 1,
            "negative costs": case.pair.negative,
            "both sides branch": min(len(case.hypothesis.strings), len(case.reference.strings)) > 1,
            "reordered": best.moves > 0,
            "empty string chosen": best.reference_words == 0
            or best.matches + best.substitutions + best.insertions == 0,
            "operations": words,
            "matches": best.matches,
        }
    )


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_route_equals_the_referee(block: int) -> None:
    for seed in range(block, CASES, BLOCKS):
        case = rc.random_case(seed)
        pairs = case.pairs()
        best = min(pairs, key=lambda totals: bf.rank(totals, case.pair.referee))
        check(case, best)


def test_random_cases_are_worth_their_number(remarks: list[str]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(SURVEYED):
        case = rc.random_case(seed)
        pairs = case.pairs()
        seen.update(survey(case, pairs, min(pairs, key=lambda totals: bf.rank(totals, case.pair.referee))))
    shares = {
        name: n / seen["cases"] for name, n in seen.items() if name not in ("cases", "matches", "operations")
    }
    shares["matches"] = seen["matches"] / seen["operations"]
    listed = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    remarks.append(f"{CASES} random evaluations on every route; of the first {seen['cases']}: {listed}")
    assert shares["matches"] >= 0.3
    for name in ("epsilons", "ties", "negative costs", "both sides branch"):
        assert shares[name] >= 0.2, name
    assert shares["reordered"] >= 0.02
    assert shares["empty string chosen"] >= 0.05


@pytest.mark.parametrize("seed", range(0, max(CASES, 20), 20))
def test_nbest_equals_the_referee(seed: int) -> None:
    case = rc.random_case(seed + 1_000_000)
    pairs = sorted(bf.rank(t, case.pair.referee) for t in case.pairs())
    for route in routes(case, nbest=4):
        result = fm.align(
            case.hypothesis.value,
            case.reference.value,
            case.pair.metric,
            nbest=4,
            options=fm.SearchOptions(route=route),
        )
        assert [bf.rank(totals_of(r), case.pair.referee) for r in result.nbest] == pairs[:4]
        for path in result.nbest:
            check_path(case, path)
        chosen = {(r.hypothesis if case.pair.metric.window == 1 else (), r.closest) for r in result.nbest}
        assert len(chosen) == len(result.nbest)


# Laws


@pytest.mark.parametrize("seed", range(300))
def test_numerator_never_rises_with_more_references_or_a_wider_window(seed: int) -> None:
    rng = rc.random.Random(seed)
    words = rc.random_string(rng, 6)
    network, other = rc.network_side(rng), rc.network_side(rng)
    more = fm.Alternatives([network.value, other.value])  # type: ignore[list-item]
    for reordering in ("moves", "jumps"):
        numerators = []
        for window in (1, 2, 3, 4):
            metric = fm.HyTER(window, reordering)  # type: ignore[arg-type]
            result = fm.align(" ".join(words), network.value, metric)  # type: ignore[arg-type]
            wider = fm.align(" ".join(words), more, metric)
            assert wider.numerator <= result.numerator
            numerators.append(result.numerator)
        assert numerators == sorted(numerators, reverse=True)


@pytest.mark.parametrize("seed", range(300))
def test_laws_of_one_reference(seed: int) -> None:
    rng = rc.random.Random(seed)
    reference = " ".join(rc.random_string(rng, 6)) or "a"
    hypothesis = " ".join(rc.random_string(rng, 6))
    assert fm.wrr(hypothesis, reference) == pytest.approx(1 - fm.wer(hypothesis, reference))
    assert fm.grr(hypothesis, reference, order=1) == fm.wrr(hypothesis, reference)
    for alpha, beta in ((1, 0), (-0.9, 1), (0.5, -0.5)):
        assert fm.grr(reference, reference, alpha=alpha, beta=beta) == 1
    lattice = rc.machine_side(rng)
    oracle = fm.align(lattice.value, reference)  # type: ignore[arg-type]
    for words in lattice.strings:
        assert oracle.edits <= fm.align(" ".join(words), reference).edits


@pytest.mark.parametrize("seed", range(100))
def test_decomposability_with_one_reference(seed: int) -> None:
    """With one reference a sentence, improving a sentence never worsens the corpus (design, Scores)."""
    rng = rc.random.Random(seed)
    references = [" ".join(rc.random_string(rng, 5)) or "b" for _ in range(4)]
    before = [" ".join(rc.random_string(rng, 5)) for _ in range(4)]
    for metric in (fm.WER(), fm.GRR(), fm.GRR(2, -0.9, 1)):
        corpus = fm.score(before, references, metric)
        for i in range(4):
            candidate = " ".join(rc.random_string(rng, 5))
            changed = fm.score([*before[:i], candidate, *before[i + 1 :]], references, metric)
            better = changed.items[i].numerator - corpus.items[i].numerator
            assert (
                math.copysign(1, better or 0) == math.copysign(1, changed.score - corpus.score) or not better
            )
            if not better:
                assert changed.score == corpus.score


def test_alternatives_are_not_decomposable() -> None:
    """The design's counter-example: 1/10 and 5/10 make .30; the first becomes 0/2, the corpus 5/12."""
    long, short = "a b c d e f g h i j", "x y"
    second = ("k l m n o p q r s t", "k l m n o z z z z z")
    before = fm.score(["a b c d e f g h i z", second[1]], [[long, short], second[0]])
    after = fm.score(["x y", second[1]], [[long, short], second[0]])
    assert (before.score, after.score) == (0.3, pytest.approx(5 / 12))
    assert after.items[0].score < before.items[0].score
    assert after.mean_score < before.mean_score


def test_rows_where_the_window_or_a_path_worsens_the_score_but_not_the_numerator() -> None:
    """A path that is shorter may cost less and score worse: the divisor is the chosen path's length."""
    narrow = fm.align("a", ["a b c d"], fm.HyTER())
    wide = fm.align("a", ["a b c d", "x"], fm.HyTER())
    assert (narrow.numerator, wide.numerator) == (3, 1)
    assert wide.score > narrow.score
