"""What many threads find in one object is what one thread finds alone, whether Python has its lock or not."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from places import ROOT
from texts_in_files import in_file, leave_in_files

import fstmetrics as fm
from fstmetrics import jiwer
from fstmetrics._native import Automaton, Labels, LatticeColumn, TextColumn, Vocabulary, read_att
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.metrics.wordnet import synsets, wordnet

EXAMPLES = ROOT / "fstmetrics/examples"
THREADS = 4
ROUNDS = 4

Work = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def quick_switches() -> Iterator[None]:
    """Where there is a lock, it changes hands as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def check(make: Callable[[], Any], works: Sequence[Work], rounds: int = ROUNDS) -> None:
    """Have threads do all of `works` with one object, each in an order of its own, again and again with a new one."""
    expected = [work(make()) for work in works]
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(rounds):
            shared, start = make(), Barrier(THREADS)

            def run(number: int, shared: Any = shared, start: Barrier = start) -> list[Any]:
                order = random.Random(number).sample(range(len(works)), len(works))
                start.wait()
                found = {place: works[place](shared) for place in order}
                return [found[place] for place in range(len(works))]

            for found in pool.map(run, range(THREADS)):
                assert found == expected


def pickled(value: Any) -> Any:
    """What a pickle has of it, whatever has been made of it since."""
    return pickle.loads(pickle.dumps(value)).__getstate__()


def arcs(automaton: Automaton) -> list[list[int]]:
    return [each.tolist() for each in (automaton.sources, automaton.labels, automaton.destinations)]


TEXTS = [f"w{i % 7} w{i % 5} the w{i % 3} cat" for i in range(60)]
OTHERS = [f"w{i % 4} the w{i % 6} w{i % 3} hat sat" for i in range(60)]


@pytest.mark.parametrize(
    "metric",
    [fm.WER, fm.Sclite, fm.GRR, fm.WRR, fm.MER, lambda: fm.HyTER(window=2)],
    ids=["wer", "sclite", "grr", "wrr", "mer", "hyter"],
)
def test_a_metric(metric: Callable[[], fm.Metric]) -> None:
    works: list[Work] = [
        lambda m: fm.score(TEXTS, OTHERS, m).score,
        lambda m: fm.align(TEXTS[0], OTHERS[0], m).as_dict(),
        lambda m: fm.score(TEXTS[:9], [OTHERS[:3]] * 9, m).score,
        pickled,
        repr,
    ]
    check(metric, works)


def test_a_call_of_small_texts() -> None:
    """Nothing is shared but the package."""
    metrics = ("wer", "cer", "mer", "wil", "wip", "sclite")
    works: list[Work] = [lambda _, metric=metric: fm.score(TEXTS, OTHERS, metric).score for metric in metrics]
    works += [lambda _: fm.wer(TEXTS[0], OTHERS[0]), lambda _: fm.align(TEXTS[0], OTHERS[0]).as_dict()]
    check(object, works, 3)


WORDS = ("where is the station", "the approval level was practically zero", "zero was approval")


def test_a_network() -> None:
    rules = fm.Grammar.parse("station = train station\nzero = nothing")
    works: list[Work] = [
        *(
            lambda n, route=route: fm.align(WORDS[0], n, options=fm.SearchOptions(route=route)).cost
            for route in ("best-first", "chart", "topological", "rows")
        ),
        *(lambda n, words=words: fm.hyter(words, n, window=2) for words in WORDS),
        lambda n: fm.score(list(WORDS) * 5, [n] * 15, "hyter").score,
        lambda n: fm.score(list(WORDS), [n] * 3, grammars=rules).score,
        lambda n: arcs(n.rtn.unfolded(1_000_000)),
        lambda n: fm.cards_taken(n, fm.align(WORDS[1], n).closest),
        lambda n: fm.network_info(n),
        lambda n: fm.network_accepts(n, WORDS),
        lambda n: fm.normal_form(n).to_dict(),
        lambda n: fm.union(n, n).to_dict(),
        lambda n: (copy(n) == n, hash(n), n.to_dict()),
        lambda n: pickle.loads(pickle.dumps(n)).to_dict(),
    ]
    for name in ("station", "approval"):
        check(lambda name=name: fm.Network.read(EXAMPLES / f"hyter/networks/{name}.json"), works, 3)  # type: ignore[misc]


def small_lattice() -> fm.Lattice:
    """Three words a place, with costs."""
    places = [(i, i + 1, word, (float(len(word)), float(j))) for i in range(20)
              for j, word in enumerate((f"w{i % 7}", "the", f"cat{i % 2}"))]  # fmt: skip
    sources, destinations, words, costs = zip(*places, strict=True)
    return fm.Lattice.from_arrays(sources, destinations, words, finals=[20], costs=costs, id="one")


def test_a_lattice() -> None:
    rules = fm.Grammar.parse("the = a\nw3 w4 = w7")
    works: list[Work] = [
        lambda a: fm.oracle(a, TEXTS[0]).as_dict(),
        lambda a: fm.oracle(a, TEXTS[0], scales=fm.Scales(lm=3)).as_dict(),
        lambda a: fm.wer(TEXTS[3], a),
        lambda a: fm.align(a, TEXTS[3], "cer").cost,
        lambda a: fm.align(a, TEXTS[2], normalisation=fm.Normalisation(lowercase=True)).cost,
        lambda a: fm.align(TEXTS[2], a, grammars=rules).as_dict(),
        lambda a: fm.score([a] * 10, TEXTS[:10]).score,
        lambda a: a.best_path(),
        lambda a: a.best_paths(5),
        lambda a: a.one_best().words,
        lambda a: a.one_best(fm.Scales(acoustic=2)).words,
        lambda a: a.pruned(3).num_arcs,
        lambda a: arcs(a.prepared),
        lambda a: fm.mbr(a).words,
        lambda a: (copy(a).num_arcs, repr(a)),
        lambda a: pickled(a)["id"],
    ]
    check(small_lattice, works)


def test_lattices_of_files() -> None:
    works: list[Work] = [
        lambda ls: [fm.oracle(each, "the holmes is a").hypothesis for each in ls],
        lambda ls: fm.score(ls, ["the holmes"] * len(ls)).score,
        lambda ls: [each.one_best().words for each in ls],
    ]
    check(lambda: fm.Lattice.read_all(EXAMPLES / "oracle/lattices"), works, 2)


def machine(number: int) -> bytes:
    return (
        b"".join(b"%d %d w%d w%d\n" % (i, i + 1, i * number % 97, i * number % 97) for i in range(60))
        + b"60\n"
    )


def test_a_vocabulary() -> None:
    """Whichever thread names a word first, each has one number, and lattices that name it have the same words."""

    def lattices(vocabulary: Vocabulary) -> LatticeColumn:
        labels, column = Labels(vocabulary, "words"), LatticeColumn(vocabulary)
        for number in range(1, 40):
            read_att(machine(number), False, labels, labels, (1000, 1000, 1000), f"{number}", column)
        return column

    def words(vocabulary: Vocabulary) -> list[str]:
        lattices(vocabulary)
        return sorted(vocabulary[number] for number in range(len(vocabulary)))

    works: list[Work] = [
        words,
        lambda v: [lattice.one_best().words for lattice in lattices(v)],
        lambda v: fm.score(lattices(v), [" ".join(TEXTS[i]) for i in range(39)]).score,
    ]
    check(Vocabulary, works)


def test_columns() -> None:
    """Of lattices, of texts, and of texts with choices."""
    column = LatticeColumn(Vocabulary())
    labels = Labels(column.vocabulary, "words")

    def lattices() -> LatticeColumn:
        made = LatticeColumn(column.vocabulary)
        for number in range(1, 30):
            read_att(machine(number), False, labels, labels, (1000, 1000, 1000), f"{number}", made)
        return made

    references = [f"w0 w{i} w{2 * i} w1" for i in range(29)]
    works: list[Work] = [
        lambda c: fm.score(c, references).score,
        lambda c: fm.score(references, c, fm.HyTER(window=2)).score,
        lambda c: c.prepare(2),
        lambda c: [lattice.one_best().words for lattice in c],
        lambda c: fm.score(c[3:9], references[3:9]).score,
    ]
    check(lattices, works)

    choices = [f"the {{ cat{i % 5} / hat / }} sat w{i % 3}" for i in range(200)]

    def transcripts() -> TranscriptColumn:
        found = TranscriptColumn.of(TextColumn(choices), "sclite")
        assert found is not None
        return found

    hypotheses = [f"the cat{i % 4} sat w{i % 3}" for i in range(200)]
    works = [
        lambda c: fm.score(hypotheses, c).score,
        lambda c: fm.score(hypotheses, c, normalisation=fm.Normalisation(lowercase=True)).score,
        lambda c: [transcript.taken(transcript.lattice.one_best().words) for transcript in c[:50]],
        lambda c: [copy(transcript.lattice).num_arcs for transcript in c],
    ]
    check(transcripts, works)


def test_texts_that_stay_in_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_in_files(monkeypatch)
    path = tmp_path / "ref.txt"
    path.write_text("".join(f"u{i} {text}\n" for i, text in enumerate(TEXTS)), "utf-8")

    def columns() -> tuple[TextColumn, TextColumn]:
        source = in_file(path)
        lines = source.stored_lines(has_ids=True)
        assert lines is not None
        return lines.ids, lines.texts

    works: list[Work] = [
        lambda c: list(c[0]),
        lambda c: list(c[1][7:40]),
        lambda c: list(c[1][::-1]),
        lambda c: fm.score(c[1], OTHERS).score,
        lambda c: [c[1][i] for i in random.Random(1).sample(range(60), 30)],
        lambda c: c[1].longest(),
    ]
    check(columns, works)


def test_a_grammar_and_a_normalisation() -> None:
    text = "don't = do not\ncolour = color"
    normalisations = (
        fm.Normalisation(),
        fm.Normalisation(lowercase=True),
        fm.Normalisation(remove_punctuation=True),
    )
    sentences = ["I do not like that Color.", "Colour, don't!", "colour do not"]
    works: list[Work] = [
        lambda g, n=n: fm.score(sentences, sentences[::-1], normalisation=n, grammars=g).score
        for n in normalisations
    ]
    works.append(lambda g: [r.as_dict() for r in fm.score(sentences, sentences[::-1], grammars=g).items])
    check(lambda: fm.Grammar.parse(text), works)
    for name in ("en.contractions", "en.numbers"):
        check(lambda name=name: fm.Grammar.load(name), works, 1)  # type: ignore[misc]


def test_results() -> None:
    """Words and alignments are made when they are looked at; lone surrogates are copied then."""
    hypotheses = [[f"w\udc80{i % 7}", "the", f"\ud83d{i % 3}"] for i in range(60)]
    references = [[f"w\udc80{i % 5}", "a", "the", f"\ud83d{i % 2}"] for i in range(60)]
    works: list[Work] = [
        lambda r: [result.alignment for result in r.items],
        lambda r: [(result.hypothesis, result.closest) for result in r.items],
        lambda r: [result.as_dict() for result in r.items],
        lambda r: r.score,
        lambda r: r.totals,
        lambda r: [each.alignment for each in pickle.loads(pickle.dumps(r)).items],
    ]
    check(lambda: fm.score(hypotheses, references), works)
    check(lambda: fm.score(TEXTS, OTHERS, "hyter"), works)


def test_outputs_of_jiwer() -> None:
    works: list[Work] = [
        lambda o: o.alignments,
        lambda o: o.references,
        lambda o: o.hypotheses,
        lambda o: pickle.loads(pickle.dumps(o)).alignments,
        repr,
    ]
    check(lambda: jiwer.process_words(TEXTS, OTHERS), works)


def test_wordnet() -> None:
    """Threads would seek in files that they have in common."""
    try:
        wordnet()
    except fm.FstmetricsError as error:
        pytest.skip(str(error))
    words = (
        "cat",
        "dog",
        "house",
        "run",
        "line",
        "head",
        "hand",
        "light",
        "point",
        "set",
        "break",
        "salon",
        "hat",
    )
    works: list[Work] = [
        lambda _, word=word: frozenset(each.name() for each in wordnet().synsets(word)) for word in words
    ]
    works += [lambda _, word=word: synsets(word, "n") for word in words]
    check(object, works)
