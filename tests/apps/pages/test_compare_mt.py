"""Words by frequency, n-grams gained and sentences by length are those of compare-mt, on its own example and on small
texts; and those of their definitions."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from places import SHARED, needs_data

import fstmetrics as fm
from fstmetrics.analysis.record_table import RecordTable, Vocabulary
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.apps.pages import compare_mt
from fstmetrics.apps.pages.compare_mt import by_length, by_score, ngram_gains, ngram_matches, word_accuracy

Texts = list[list[str]]


def tables_of(references: Texts, *systems: Texts) -> list[RecordTable]:
    words = Vocabulary()
    return [table_of_results(fm.score(system, references), words) for system in systems]


def random_texts(seed: int, lines: int) -> tuple[Texts, Texts, Texts]:
    chance = random.Random(seed)
    words = [*"abcdefgh", *"aaabb"]
    references = [chance.choices(words, k=chance.randint(1, 9)) for _ in range(lines)]
    systems = [
        [[chance.choice(words) if chance.random() < 0.3 else word for word in line] for line in references]
        for _ in range(2)
    ]
    return references, systems[0], systems[1]


def matched(references: Texts, outputs: Texts, order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of outputs is in the reference of its line, clipped."""
    found: Counter[tuple[str, ...]] = Counter()
    for reference, output in zip(references, outputs, strict=True):
        found += ngrams(reference, order) & ngrams(output, order)
    return found


def matches_of(tables: list[RecordTable]) -> list[dict[tuple[str, ...], int]]:
    """Of each system, how often each n-gram matches that does."""
    found: list[dict[tuple[str, ...], int]] = [{} for _ in tables]
    for part in ngram_matches(tables):
        for own, counts in zip(found, part.counts, strict=True):
            own |= {part.words(g): int(counts[g]) for g in np.flatnonzero(counts)}
    return found


def ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


@pytest.mark.parametrize("seed", range(5))
def test_matches_are_those_of_the_definition(seed: int) -> None:
    references, one, two = random_texts(seed, 30)
    tables = tables_of(references, one, two)
    expected = [sum((matched(references, s, n) for n in range(1, 5)), Counter()) for s in (one, two)]
    assert matches_of(tables) == list(map(dict, expected))
    ((gained, lost),) = ngram_gains(tables, [(0, 1)], 1000)
    ratios = {
        g: (expected[0][g] + 1) / (expected[0][g] + expected[1][g] + 2) for g in expected[0] | expected[1]
    }
    assert {gain.words: gain.ratio for gain in gained} == {
        g: pytest.approx(r) for g, r in ratios.items() if expected[0][g] > expected[1][g]
    }
    assert [gain.ratio for gain in gained] == sorted((gain.ratio for gain in gained), reverse=True)
    assert [gain.ratio for gain in lost] == sorted(gain.ratio for gain in lost)
    assert all(gain.first < gain.second for gain in lost)
    words = word_accuracy(tables)
    assert words.matches.sum(axis=1).tolist() == [sum(matched(references, s, 1).values()) for s in (one, two)]


@pytest.mark.parametrize("seed", range(5))
def test_matches_of_systems_with_closest_paths_of_their_own(seed: int) -> None:
    """As against networks, whose paths differ: each system's matches are with its own path."""
    words = Vocabulary()
    runs = [random_texts(seed, 20)[:2], random_texts(seed + 5, 20)[:2], ([[]] * 20, [["a"]] * 20)]
    tables = [table_of_results(fm.score(output, references), words) for references, output in runs]
    for found, (references, output) in zip(matches_of(tables), runs, strict=True):
        assert found == dict(sum((matched(references, output, n) for n in range(1, 5)), Counter()))
    ranks = {word: number for number, word in enumerate(words)}
    for part in ngram_matches(tables):
        grams = [part.words(g) for g in range(part.counts.shape[1])]
        assert grams == sorted(grams, key=lambda gram: (len(gram), [ranks[word] for word in gram]))


@pytest.mark.parametrize("together", [1, 20, 1000])
def test_ngrams_that_are_counted_apart_are_those_that_are_counted_together(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = tables_of(*random_texts(11, 40))
    whole, pairs = matches_of(tables), [(0, 1)]
    gains = [ngram_gains(tables, pairs, most) for most in (3, 50, 1000)]
    monkeypatch.setattr(compare_mt, "TOGETHER", together)
    assert matches_of(tables) == whole
    assert [ngram_gains(tables, pairs, most) for most in (3, 50, 1000)] == gains


def test_moved_words_count_in_the_order_in_which_they_were_given() -> None:
    references, outputs = [["b", "a", "c"]], [["a", "b", "c"]]
    corpus = fm.score([" ".join(w) for w in outputs], [" ".join(w) for w in references], fm.HyTER(window=3))
    table = table_of_results(corpus)
    assert table.counts["moves"].tolist() == [1]
    assert set(matches_of([table])[0]) == {("a",), ("b",), ("c",)}


def test_frequencies_of_training_data() -> None:
    (table,) = tables_of([["a", "b", "c"]], [["a", "x", "c"]])
    found = word_accuracy([table], {"a": 7, "c": 1}, (1, 5))
    assert found.names == ["0", "1-4", "5 or more"]
    assert found.f1.tolist() == [[0.0, 1.0, 1.0]]


def test_buckets_of_sentences() -> None:
    lengths = by_length(np.array([9, 10, 60, 0]))
    assert [lengths.names[n] for n in lengths.groups] == ["0-9", "10-19", "60 or more", "0-9"]
    assert by_score(np.array([[0.0, 0.95, 3.0, np.inf]]), 1.0).groups.tolist() == [[0, 9, 9, -1]]
    given = by_score(np.array([[-3.0, -2.0], [0.5, np.nan]]), None)
    assert given.groups[0, 0] == 0
    assert given.groups[1].tolist() == [len(given.names) - 1, -1]


def texts(name: str) -> Texts:
    with gzip.open(SHARED / "mt-compare-mt" / name, "rt", encoding="utf-8") as file:
        return [line.split() for line in file.read().split("\n")[:-1]]


@needs_data
def test_numbers_are_those_of_compare_mt() -> None:
    bucketers = pytest.importorskip("compare_mt.bucketers", reason="needs compare-mt and six")
    from compare_mt import ngram_utils, stat_utils

    references, one, two = (texts(f"ted.{name}.eng.gz")[:800] for name in ("ref", "sys1", "sys2"))
    tables = tables_of(references, one, two)
    accuracy = word_accuracy(tables)
    bucketer = bucketers.create_word_bucketer_from_profile("freq", freq_data=references)
    rows, *_ = bucketer.calc_statistics(references, [one, two])
    for system in range(2):
        matches, reference, output, *_, f1 = np.array(rows[system], dtype=np.float64).T
        assert accuracy.matches[system].tolist() == matches.tolist()
        assert accuracy.references[system].tolist() == reference.tolist()
        assert accuracy.hypotheses[system].tolist() == output.tolist()
        assert accuracy.f1[system].tolist() == pytest.approx(f1.tolist(), abs=1e-12)
    theirs = [ngram_utils.compare_ngrams(references, system)[1] for system in (one, two)]
    for found, counts in zip(matches_of(tables), theirs, strict=True):
        assert found == {gram: count for gram, count in counts.items() if count}
    ranked = stat_utils.extract_salient_features(*theirs)
    ((gained, lost),) = ngram_gains(tables, [(0, 1)], 50)
    assert [gain.ratio for gain in gained] == sorted(ranked.values(), reverse=True)[:50]
    assert [gain.ratio for gain in lost] == pytest.approx(sorted(ranked.values())[:50])
    assert all(ranked[gain.words] == pytest.approx(gain.ratio) for gain in (*gained, *lost))
    lengths = bucketers.create_sentence_bucketer_from_profile("length")
    sentences = [len(bucket[0]) for bucket in lengths.create_bucketed_corpus(one, ref=references)]
    mine = by_length(tables[0].counts["path_length"])
    assert np.bincount(mine.groups, minlength=len(mine.names)).tolist() == sentences
