"""Many items at once: pairs of texts against the referee and the general routes; results made when looked at."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import random
import signal
import sys
import time
from itertools import pairwise, product

import brute_force as bf
import pytest
from command import ORACLE, fstmetrics, started

import fstmetrics as fm
from fstmetrics.engine import search as batching
from fstmetrics.engine.search import BATCH_SECONDS, LARGEST_BATCH, search_items, workers
from fstmetrics.engine.sides import graph_of
from fstmetrics.metrics.path_metric import Totals

GENERAL = fm.SearchOptions(route="topological")

# Metrics by which only edits tell alignments of two strings apart, and what the referee knows them as.
UNIT_METRICS: list[tuple[fm.Metric, bf.Metric | None]] = [
    (fm.WER(), bf.levenshtein()),
    (fm.HyTER(), bf.levenshtein()),
    (fm.WRR(), bf.wrr()),
    (fm.GRR(1), bf.grr(1)),
    (fm.GRR(1, "0.3", "0.7"), bf.grr(1, "0.3", "0.7")),
    (fm.EditMetric(match=1, substitution=3, insertion=1, deletion=4), None),
]


def random_texts(rng: random.Random, count: int, longest: int, words: str) -> list[str]:
    return [" ".join(rng.choices(words, k=rng.randint(0, longest))) for _ in range(count)]


def corrupted(rng: random.Random, text: str, words: str) -> str:
    """The text with a word in four changed, left out or doubled: most begin and end alike."""
    kept = [rng.choice([[w], [w], [w], [rng.choice(words)], [], [w, w]]) for w in text.split()]
    return " ".join(word for some in kept for word in some)


def valid(result: fm.Result) -> bool:
    """Whether the alignment spells out both sides and its counts are the totals'."""
    hypothesis = tuple(p.hypothesis for p in result.alignment if p.op != "D")
    closest = tuple(p.reference for p in result.alignment if p.op != "I")
    ops = [p.op for p in result.alignment]
    counts = (result.matches, result.substitutions, result.insertions, result.deletions)
    return (
        (hypothesis, closest) == (result.hypothesis, result.closest)
        and tuple(map(ops.count, "=SID")) == counts
        and all((p.op == "=") == (p.hypothesis == p.reference) for p in result.alignment)
        and [p.position for p in result.alignment if p.op != "D"] == list(range(len(hypothesis)))
    )


@pytest.mark.parametrize(("metric", "referee"), UNIT_METRICS)
def test_pairs_of_texts_equal_the_referee(metric: fm.Metric, referee: bf.Metric | None) -> None:
    rng = random.Random(1)
    hypotheses, references = (random_texts(rng, 500, 5, "abc") for _ in range(2))
    for h, r, result in zip(hypotheses, references, fm.score(hypotheses, references, metric), strict=True):
        assert result.totals == fm.align(h, r, metric, options=GENERAL).totals
        assert result.stats is not None
        assert result.stats.route == "bit-parallel"
        assert valid(result)
        assert (result.hypothesis, result.closest) == (tuple(h.split()), tuple(r.split()))
        if referee:
            best = bf.best_of_pair(tuple(h.split()), tuple(r.split()), referee, 1, "moves")
            t = result.totals
            found = bf.Totals(
                best.cost, t.matches, t.substitutions, t.insertions, t.deletions, 0, t.path_length
            )
            assert found == best
            assert t.units == best.cost * metric.table.scale


@pytest.mark.parametrize(("metric", "_"), UNIT_METRICS)
def test_pairs_of_longer_texts_equal_the_general_route(metric: fm.Metric, _: object) -> None:
    """Up to and beyond the 63 words of a machine word, alike and not alike."""
    rng = random.Random(2)
    references = random_texts(rng, 150, 90, "abcdefgh")
    hypotheses = [
        corrupted(rng, r, "abcdefgh") if rng.random() < 0.7 else rng.choice(references) for r in references
    ]
    quick = fm.score(hypotheses, references, metric)
    counts = fm.score(hypotheses, references, metric, options=fm.SearchOptions(alignment=False))
    general = fm.score(hypotheses, references, metric, options=GENERAL)
    for a, b, c in zip(quick, counts, general, strict=True):
        assert a.totals == b.totals == c.totals
        assert valid(a)
        assert b.alignment == b.hypothesis == b.closest == ()
    assert quick.totals == general.totals
    assert quick.mean_score == general.mean_score
    assert len({r.stats.route for r in quick if r.stats}) == 2


def test_of_equally_good_alignments_a_deletion_comes_first_then_a_substitution() -> None:
    """Any choice would do, but it must always be the same."""
    for hypothesis, reference, ops in [
        ("z", "x y", "DS"),
        ("x y", "z", "SI"),
        ("a z", "a x y", "=DS"),
        ("b", "b b", "=D"),
    ]:
        assert "".join(pair.op for pair in fm.align(hypothesis, reference).alignment) == ops


SPACES = [chr(c) for c in range(0x110000) if chr(c).isspace()]


def test_texts_are_split_as_python_splits_them() -> None:
    rng = random.Random(3)
    others = [
        "a",
        "ab",
        "é",
        "ж",
        "中",
        "😀",
        "\u200b",
        "\u2060",
        "\ufeff",
        "\x00",
        "\u1681",
        "\u2030",
        "\u3001",
        "\xa1",
    ]
    for _ in range(3000):
        parts = rng.choices([*SPACES, *others * 3], k=rng.randint(0, 40))
        text = "".join(parts)
        assert fm.align(text, "").hypothesis == tuple(text.split())
    for space, before, after in product(SPACES, range(9), range(2)):
        text = "x" * before + space + "y" * after
        assert fm.align("", text).closest == tuple(text.split()), ascii(text)


ALIKE = [
    *("a" * n for n in range(1, 30)),
    *("a" * n + "b" for n in range(20)),
    *("a" * n + "b" + "a" * (20 - n) for n in range(20)),
    "a\x00", "\x00", "\x00\x00", "\x00a", "é", "e\u0301", "中文", "中" * 20, "\x01", "\x01" * 8,
]  # fmt: skip


def test_words_are_equal_only_if_they_are() -> None:
    """Short ones are compared as numbers, long ones by a hash and then letter by letter."""
    lattice = fm.Lattice.from_arcs([(0, 1, word) for word in ALIKE], finals=[1])
    words = sorted(set(ALIKE))
    pairs = list(product(words, words))
    for (a, b), result in zip(pairs, fm.score(*zip(*pairs, strict=True)), strict=True):
        assert result.edits == (a != b), (a, b)
    assert all(fm.wer(lattice, word) == 0 for word in words)
    assert fm.wer(lattice, "a" * 30) == 1


def test_lone_surrogates_are_words_like_others() -> None:
    assert fm.wer("a \ud800 b", "a \ud800 b") == 0
    assert fm.wer("a \ud800 b", "a \udfff b") == 1 / 3
    assert fm.align("\ud800", "x").alignment[0].hypothesis == "\ud800"
    network = fm.Network([fm.Card.from_phrases("S", ["a \ud800"])], "S")
    assert fm.hyter("a \ud800", network) == 0


def test_sentence_markers_do_not_count_in_texts_of_any_kind() -> None:
    marked, plain = "<s> a !b </s>", "a !b <unk>"
    assert fm.align(marked, plain).hypothesis == ("a", "!b")
    assert fm.align(marked.split(), plain.split()).hypothesis == ("a", "!b")
    assert fm.align("!SENT_START a !SENT_END", "a").edits == 0
    assert fm.align("!ENTER a !EXIT", "a").edits == fm.align("a", ["!ENTER", "a", "!EXIT"]).edits == 0


def test_lists_of_words_and_normalised_texts_equal_texts() -> None:
    rng = random.Random(4)
    references = random_texts(rng, 100, 12, "abcAB")
    hypotheses = [corrupted(rng, r, "abcAB") for r in references]
    texts = fm.score(hypotheses, references)
    lists = fm.score([h.split() for h in hypotheses], [r.split() for r in references])
    assert lists == texts
    folded = fm.Normalisation(lowercase=True, ignore=frozenset("c"))
    lower = (
        [text.lower().replace("c", "") for text in hypotheses],
        [r.lower().replace("c", "") for r in references],
    )
    normalised = fm.score(hypotheses, references, normalisation=folded)
    assert normalised.items == fm.score(*lower).items


def test_items_of_every_kind_in_one_corpus() -> None:
    """Each scored as it is alone."""
    lattice = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b"), (1, 2, "c")], finals=[2])
    network = fm.Network([fm.Card.from_phrases("S", ["a [X]"]), fm.Card.from_phrases("X", ["c", "d e"])], "S")
    hypotheses = ["a c", ["a", "c"], lattice, "x", network, "", "a c " * 40]
    references = ["a", "b c", "b c", ["x", "y"], lattice, network, "c a " * 40]
    for metric in ("wer", "wrr", "grr", "sclite"):
        corpus = fm.score(hypotheses, references, metric)  # type: ignore[arg-type]
        alone = [fm.align(h, r, metric) for h, r in zip(hypotheses, references, strict=True)]  # type: ignore[arg-type]
        assert list(corpus) == alone
        assert corpus.totals == sum((each.totals for each in alone), Totals())


def test_sums_beyond_64_bits_are_exact() -> None:
    metric = fm.EditMetric(match=0, substitution=10**17, insertion=10**17, deletion=10**17)
    corpus = fm.score(["a"] * 200, ["b"] * 200, metric)
    assert corpus.totals.units == 200 * 10**17
    assert corpus.score == 1e17


def test_results_made_when_looked_at_are_results() -> None:
    corpus = fm.score(["a b", "c", "c"], ["a x", "c", "d c"], ids=["u", "v", "w"])
    items = tuple(corpus)
    assert corpus.items == items
    assert items == corpus.items
    assert corpus.items != items[:2]
    assert corpus.items[1:] == items[1:]
    assert corpus.items[-1] == items[2]
    assert [item.id for item in corpus] == ["u", "v", "w"]
    with pytest.raises(IndexError):
        corpus.items[3]
    with pytest.raises(AttributeError):
        items[0].id = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="no attribute 'words'"):
        items[0].words  # type: ignore[attr-defined]  # noqa: B018
    first = items[0]
    same = fm.Result(
        first.metric, first.totals, "u", first.hypothesis, first.closest, first.alignment, stats=first.stats
    )
    assert first == same
    assert hash(first) == hash(same)
    assert repr(first) == repr(same)
    for again in (pickle.loads(pickle.dumps(corpus)), copy.deepcopy(corpus)):
        assert again == corpus
        assert again.mean_score == corpus.mean_score
    assert corpus.items_with_errors == 2
    assert (
        fm.CorpusResult.of(items, normalisation=corpus.normalisation, conditions=corpus.conditions) == corpus
    )


def test_batches_grow_and_shrink_with_the_time_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    def next_size(size: int, seconds: float, threads: int) -> int:
        clock = iter([0.0, seconds])
        monkeypatch.setattr(batching, "monotonic", lambda: next(clock))
        pace = batching.Pace(threads)
        pace.took(size)
        return pace.size

    assert workers(1) == 1
    assert workers(1024) == workers(512) <= 2 * (os.cpu_count() or 1)
    assert next_size(16, BATCH_SECONDS / 100, 1) == 128
    assert next_size(16, BATCH_SECONDS / 4, 1) == 32
    assert next_size(LARGEST_BATCH, BATCH_SECONDS / 100, 1) == LARGEST_BATCH
    assert next_size(16, BATCH_SECONDS, 1) == 16
    assert next_size(16, BATCH_SECONDS * 10, 1) == 8
    assert next_size(16, BATCH_SECONDS * 10, 4) == 16
    assert next_size(1, BATCH_SECONDS * 10, 1) == 1
    monkeypatch.undo()
    items = [(f"u{i}", "a " * (i % 5), "a b") for i in range(100)]
    one_by_one = [result for batch in batching.batches(items) for result in search_items(batch, fm.WER())]
    ids, hypotheses, references = zip(*items, strict=True)
    assert one_by_one == list(fm.score(hypotheses, references, ids=ids))


@pytest.mark.parametrize(("threads", "sizes"), [(1, [1, 1, 1, 1]), (2, [8, 8])])
def test_what_takes_long_goes_item_by_item(
    threads: int, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is stopped loses the batch it is at: minutes an item must not mean sixteen of them."""
    clock = iter(range(0, 6000, 60))
    monkeypatch.setattr(batching, "monotonic", lambda: next(clock))
    assert [len(batch) for batch in batching.batches(range(sum(sizes)), threads)] == sizes


@pytest.mark.parametrize("threads", [1, 3])
def test_items_that_share_graphs_come_back_in_their_order(threads: int) -> None:
    form = {"format": "fstmetrics-network/1", "root": "S"}
    networks = [
        fm.Network.from_dict(form | {"cards": {"S": {"phrases": [f"a {word} c", f"b {word} {word}"]}}})
        for word in "xyz"
    ]
    texts = ["a x c", "b y y", "c", "a z", "b x b y"]
    pairs = [(text, network) for text in texts for network in networks]
    hypotheses, references = map(list, zip(*pairs, strict=True))
    options = fm.SearchOptions(threads=threads)
    for metric in (fm.HyTER(window=1), fm.HyTER(window=3, reordering="jumps")):
        found = fm.score(hypotheses, references, metric, options=options)
        assert [item.cost for item in found] == [fm.align(h, r, metric).cost for h, r in pairs]
        assert [item.closest for item in found] == [fm.align(h, r, metric).closest for h, r in pairs]


@pytest.mark.parametrize("threads", [1, 3])
def test_of_items_that_share_graphs_the_first_that_fails_is_named(threads: int) -> None:
    good = fm.Lattice.from_arcs([(0, 1, "a")], finals=[1])
    cycle = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1])
    other = fm.Lattice.from_arcs([(0, 1, "c"), (1, 0, "b")], finals=[1])
    hypotheses = [good, good, cycle, other, good, other, cycle, good] * 5
    with pytest.raises(fm.SearchError, match=r"^item 2 \(from 0\): .*cycle"):
        fm.score(hypotheses, ["a"] * len(hypotheses), options=fm.SearchOptions(threads=threads))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_item_that_fails_is_named(threads: int) -> None:
    cyclic = fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1])
    hypotheses = ["a"] * 40 + [cyclic] + ["a"] * 40 + [cyclic] * 3  # type: ignore[operator]
    ids = [f"u{i}" for i in range(len(hypotheses))]
    with pytest.raises(fm.SearchError, match=r"^item u40: .*cycle"):
        fm.score(hypotheses, ["a"] * len(ids), ids=ids, options=fm.SearchOptions(threads=threads))


class Alarm(Exception):
    """What the signal handler of a test raises."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_is_heard_within_a_batch(threads: int) -> None:
    def ring(*_: object) -> None:
        raise Alarm

    text = " ".join("ab"[i % 2] for i in range(120))
    options = fm.SearchOptions(route="topological", alignment=False, threads=threads)
    before = signal.signal(signal.SIGPROF, ring)
    begin = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, 0.2)  # of the processor: it rings within the search on any machine
    try:
        with pytest.raises(Alarm):
            fm.score([text] * 100_000, [text[::-1]] * 100_000, options=options)  # minutes
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert time.process_time() - begin < 10


def _edits(_: int) -> int:
    return fm.score(["a b"] * 9, ["a c"] * 9, options=fm.SearchOptions(threads=3)).edits


@pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="no fork here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    assert _edits(0) == 9
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_edits, range(4)).get(timeout=600) == [9] * 4
    assert _edits(0) == 9


def test_graphs_are_made_once_for_each_normalisation() -> None:
    network = fm.Network([fm.Card.from_phrases("S", ["A b"])], "S")
    graphs = [
        graph_of(network),
        graph_of(network, fm.Normalisation()),
        graph_of(network, fm.Normalisation(lowercase=True)),
    ]
    assert [a is b for a, b in pairwise(graphs)] == [True, False]
    assert graph_of(network, fm.Normalisation(lowercase=True)) is graphs[2]
    assert graphs[2].words == ("", "a", "b")


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="sanitizers take more address space than there is")
@pytest.mark.parametrize("command", ["oracle", "mbr"])
def test_as_many_jobs_as_can_be_asked_for_with_little_memory(command: str) -> None:
    """Threads that no processor is there for took stacks, and read items to work on."""
    inputs = ORACLE if command == "oracle" else ORACLE[1:]
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (600 * 2**20,) * 2); "
        "from fstmetrics.__main__ import main; main()"
    )
    process = started(command, *inputs, "--jobs", 1024, program=("-c", script), stdout=-1, stderr=-1)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out.decode()) == (0, fstmetrics(command, *inputs).out), err
