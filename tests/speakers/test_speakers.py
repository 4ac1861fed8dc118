"""Error rates of several speakers: against MeetEval, and against definitions where it has no answer."""

from __future__ import annotations

import json
import random
import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from other_programs import client
from scipy.optimize import linear_sum_assignment
from slow_meetings import combined, permuted, timed

import fstmetrics as fm
from fstmetrics.data.segments import TimedChoice, TimedWord, TimedWords
from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.speakers import assignment, meetings
from fstmetrics.speakers.assignment import cheapest_assignment
from fstmetrics.speakers.meetings import meeting_wer
from fstmetrics.support.errors import SearchError

WORDS = ("a", "bb", "ccc", "d")


@pytest.fixture(scope="module")
def meeteval() -> Any:
    return client("meeteval")


def rows(rng: random.Random, speakers: int, utterances: int, words: int) -> list[dict[str, Any]]:
    """Segments as SegLST has them; times in tenths, so that many touch."""
    found = []
    for _ in range(rng.randint(1, utterances)):
        begin, duration = Decimal(rng.randint(0, 300)) / 10, Decimal(rng.randint(0, 60)) / 10
        said = " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, words)))
        speaker = f"s{rng.randrange(speakers)}"
        found.append(
            {
                "session_id": "x",
                "speaker": speaker,
                "start_time": begin,
                "end_time": begin + duration,
                "words": said,
            }
        )
    return found


def utterances(given: list[dict[str, Any]]) -> list[Utterance]:
    return [
        Utterance(row["words"], row["speaker"], float(row["start_time"]), float(row["end_time"]))
        for row in given
    ]


@pytest.mark.parametrize("seed", range(60))
def test_equal_to_meeteval_on_random_sessions(meeteval: Any, seed: int) -> None:
    rng = random.Random(seed)
    refs, hyps = rows(rng, 4, 8, 5), rows(rng, 4, 8, 5)
    session = Session.of(utterances(refs), utterances(hyps))
    r, h = meeteval.io.SegLST(refs), meeteval.io.SegLST(hyps)
    wer = meeteval.wer.wer
    collar = rng.choice([Decimal("0.5"), Decimal(2), Decimal(5)])
    expected = {
        "cpwer": wer.cp.cp_word_error_rate(r, h),
        "tcpwer": wer.time_constrained.tcp_word_error_rate(r, h, collar=collar),
    }
    # MeetEval's search fails where a stream has no words.
    spoken = [meeteval.io.SegLST([row for row in side if row["words"]]) for side in (refs, hyps)]
    if all(map(len, spoken)):
        expected["orcwer"] = wer.orc.orc_word_error_rate(*spoken)
    for metric, theirs in expected.items():
        ours = meeting_wer(session, metric, collar=float(collar))  # type: ignore[arg-type]
        assert (ours.edits, ours.path_length) == (theirs.errors, theirs.length), metric
    # Where times touch, MeetEval's are off by an error of rounding, and words overlap or do not.
    apart = [
        [dict(row, end_time=row["end_time"] + Decimal("0.0137") * rng.randint(1, 9)) for row in side]
        for side in (refs, hyps)
    ]
    constrained = wer.time_constrained_orc.time_constrained_orc_wer(
        *map(meeteval.io.SegLST, apart), collar=collar
    )
    own = meeting_wer(Session.of(*map(utterances, apart)), "tcorcwer", collar=float(collar))
    assert (own.edits, own.path_length) == (constrained.errors, constrained.length)
    assert len(meeting_wer(session, "cpwer").pairs) == len(expected["cpwer"].assignment)
    greedy = wer.di_cp.greedy_di_cp_word_error_rate(r, h)
    exact = meeting_wer(session, "dicpwer")
    assert exact.path_length == greedy.length
    assert exact.edits <= greedy.errors


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("unit", "letters"),
    [("char-no-space", str), ("mixed", {"a": "天", "bb": "今天", "ccc": "ok天", "d": "ok"}.get)],
)
def test_units_count_as_words_that_are_cut_into_them_before(seed: int, unit: Any, letters: Any) -> None:
    rng = random.Random(seed)
    rules = fm.Normalisation(unit=unit)
    whole, cut = [], []
    for given in (rows(rng, 3, 6, 4), rows(rng, 3, 6, 4)):
        for row in given:
            row["words"] = " ".join(map(letters, row["words"].split()))
        whole.append(utterances(given))
        cut.append(utterances([row | {"words": " ".join(rules.words(row["words"]))} for row in given]))
    for metric in meetings.METRICS:
        found = meeting_wer(Session.of(*whole), metric, normalisation=rules, collar=0.5, aligned=True)
        expected = meeting_wer(Session.of(*cut), metric, collar=0.5, aligned=True)
        assert (found.totals, found.words) == (expected.totals, expected.words)
        assert found.assignment == expected.assignment
        assert found.name == (metric.replace("wer", "cer") if unit == "char-no-space" else metric)


# Examples in the docstrings of MeetEval 0.4.3 (MIT), wer/wer/cp.py and orc.py.
CP_EXAMPLES = [
    ({"0": "a b c", "1": "d e f"}, {"0": "a b c", "1": "d e f"}, 0, 6, (("0", "0"), ("1", "1"))),
    ({"0": "a b", "1": "c d"}, {"0": "a b", "1": "c d", "2": "e f"}, 2, 4, (("0", "0"), ("1", "1"), (None, "2"))),
    ({"r0": "a", "r1": "b", "r2": "c d"}, {"h0": "a", "h1": "b"}, 2, 4, (("r0", "h0"), ("r1", "h1"), ("r2", None))),
    (
        {"r0": "a", "r1": "b", "r2": "c"}, {"h0": "b", "h1": "c", "h2": "d", "h3": "a"}, 1, 3,
        (("r0", "h3"), ("r1", "h0"), ("r2", "h1"), (None, "h2")),
    ),
    ({"r0": "a b"}, {"h0": "z", "h1": "a e f"}, 3, 2, (("r0", "h1"), (None, "h0"))),
    ({"r0": "a b", "r1": "k"}, {"h0": " ", "h1": "a e f"}, 3, 3, (("r0", "h1"), ("r1", "h0"))),
]  # fmt: skip
ORC_EXAMPLES = [
    (["a b", "c d", "e f"], {"A": "a b c d e f"}, 0, 6, ("A", "A", "A")),
    (["a b", "c d", "e f"], {"A": "a b", "B": "c d e f"}, 0, 6, ("A", "B", "B")),
    (["a", "c d", "e"], {"A": "a c", "B": "d e"}, 2, 4, ("A", "A", "B")),
]


@pytest.mark.parametrize(("refs", "hyps", "edits", "length", "assignment"), CP_EXAMPLES)
def test_cpwer_of_meetevals_examples(refs: Any, hyps: Any, edits: int, length: int, assignment: Any) -> None:
    result = fm.cpwer(hyps, refs)
    assert (result.edits, result.path_length, result.assignment) == (edits, length, assignment)
    assert result.score == edits / length


@pytest.mark.parametrize(("refs", "hyps", "edits", "length", "assignment"), ORC_EXAMPLES)
def test_orcwer_of_meetevals_examples(refs: Any, hyps: Any, edits: int, length: int, assignment: Any) -> None:
    result = fm.orcwer(hyps, refs)
    assert (result.edits, result.path_length, result.assignment) == (edits, length, assignment)


def with_choices(rng: random.Random, speakers: int, most: int) -> list[Utterance]:
    """Utterances of which some leave a choice between several texts."""
    found = []
    for number in range(rng.randint(0, most)):
        texts = [
            " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, 3)))
            for _ in range(rng.choice([1, 1, 2, 3]))
        ]
        begin = rng.randint(0, 60) / 10
        said: Any = texts[0] if len(texts) == 1 else fm.Alternatives(texts).items
        found.append(
            Utterance(
                said, f"s{rng.randrange(speakers)}", begin, begin + rng.randint(0, 30) / 10, str(number)
            )
        )
    return found


def as_given(utterance: Utterance) -> Utterance:
    said = utterance.words
    words = said if isinstance(said, str) else fm.Alternatives(said)
    return Utterance(words, utterance.speaker, utterance.begin, utterance.end, utterance.id)


def counts(result: Any) -> tuple[int, int, int, int]:
    """As of `slow_meetings.Best`."""
    return result.edits, -result.path_length, -result.matches, result.deletions


@pytest.mark.parametrize("seed", range(120))
def test_exact_where_both_sides_leave_choices(seed: int) -> None:
    rng = random.Random(seed)
    refs, hyps = with_choices(rng, 2, 4), with_choices(rng, 3, 4)
    session = Session.of(map(as_given, refs), map(as_given, hyps))
    refs.sort(key=lambda u: u.begin or 0)
    hyps.sort(key=lambda u: u.begin or 0)
    collar = rng.choice([0.0, 0.3, 1.0])
    expected = {
        "cpwer": permuted(refs, hyps),
        "tcpwer": permuted(refs, hyps, collar),
        "orcwer": combined(refs, hyps),
        "tcorcwer": combined(refs, hyps, collar=collar),
        "dicpwer": combined(refs, hyps, swapped=True),
    }
    for metric, best in expected.items():
        found = meeting_wer(session, metric, collar=collar)  # type: ignore[arg-type]
        assert counts(found) == best, metric
        assert found.edits == found.substitutions + found.insertions + found.deletions


def test_equally_good_assignments_have_the_fewest_deletions() -> None:
    choice = fm.Network.from_dict(
        {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["b b", "b b a"]}}}
    )
    found = fm.orcwer({"H0": ["a"], "H1": ["b", choice]}, ["a a"])
    assert (found.edits, found.substitutions, found.deletions) == (4, 1, 0)
    # The other way about it is as good by edits, words and matches.
    assert counts(found) < (4, -2, -1, 1)


def lattice_of(texts: list[str]) -> fm.Lattice:
    return fm.Lattice.from_strings([text.split() for text in texts])


@pytest.mark.parametrize("seed", range(200))
def test_ties_of_combinations_with_choices_of_two_words(seed: int) -> None:
    """Few words make many ties; hypotheses are lattices, networks and lists."""
    rng = random.Random(seed)

    def said(speakers: int, most: int, choices: int) -> list[Utterance]:
        found = []
        for number in range(rng.randint(1, most)):
            texts = [" ".join(rng.choices("ab", k=rng.randint(0, 3))) for _ in range(rng.randint(1, choices))]
            words: Any = texts[0] if len(texts) == 1 else fm.Alternatives(texts).items
            found.append(Utterance(words, f"s{rng.randrange(speakers)}", number, number + 1, str(number)))
        return found

    refs, hyps = said(2, 3, 2), said(2, 3, 3)

    def given(utterance: Utterance) -> Utterance:
        if isinstance(utterance.words, str) or rng.random() < 0.4 or not all(utterance.words):  # type: ignore[arg-type]
            return as_given(utterance)
        return replace(utterance, words=lattice_of([*utterance.words]))  # type: ignore[misc]

    session = Session.of(map(as_given, refs), map(given, hyps))
    assert counts(meeting_wer(session, "orcwer")) == combined(refs, hyps)
    assert counts(meeting_wer(session, "dicpwer")) == combined(refs, hyps, swapped=True)


@pytest.mark.parametrize("seed", range(12))
def test_what_does_not_fit_the_limit_of_cells_is_refused_and_the_rest_is_right(seed: int) -> None:
    """Also what one utterance takes against one stream, of strings and of lattices."""
    rng = random.Random(seed)

    def said(many: int) -> list[Any]:
        texts = [[" ".join(rng.choices("abc", k=rng.randint(1, 9))) for _ in range(2)] for _ in range(many)]
        return [lattice_of(each) if rng.random() < seed % 2 else each[0] for each in texts]

    references, hypotheses = said(4), {"1": said(3), "2": said(2)}
    calls = [
        lambda: fm.orcwer(hypotheses, references),
        lambda: fm.dicpwer(references, hypotheses),
    ]
    for call in calls:
        expected, refused = call(), []
        for exponent in range(2, 22):
            with fm.limited(cells=2**exponent):
                try:
                    found = call()
                except fm.SearchError as error:
                    refused.append(str(error))
                else:
                    assert counts(found) == counts(expected)
        assert 2 < len(refused) < 20
        assert all("cell" in message for message in refused)


def test_one_long_utterance_against_one_long_stream_keeps_to_the_limit() -> None:
    words = " ".join(f"w{number}" for number in range(2000))
    lattice = lattice_of([words, "x"])
    for references, hypotheses in (
        ([words], {"1": words}),
        ([words], {"1": lattice}),
        ([lattice], {"1": words}),
    ):
        assert fm.orcwer(hypotheses, references).edits == 0
        with fm.limited(cells=1_000_000), pytest.raises(fm.SearchError, match="cells"):
            fm.orcwer(hypotheses, references)


def test_longer_sessions_with_choices_than_sums_have_room_for_are_refused() -> None:
    words = " ".join(["w"] * 33_000)
    with pytest.raises(
        fm.SearchError, match="33000 words of references and 33000 of hypotheses, which leave choices"
    ):
        fm.orcwer({"1": lattice_of([words, "x"])}, [words])


def test_many_speakers_are_paired_within_the_limit_of_cells() -> None:
    refs, hyps = ({f"{side}{n}": f"w{n} x y" for n in range(40)} for side in "rh")
    assert fm.cpwer(hyps, refs).edits == 0
    for metric, times in ((fm.cpwer, ()), (fm.tcpwer, (0, 1))):
        sides = [
            {who: [(*times, said)] if times else said for who, said in side.items()} for side in (refs, hyps)
        ]
        with fm.limited(cells=4 * 40 * 40):
            assert metric(*sides).edits == 0
        with (
            fm.limited(cells=4 * 40 * 40 - 1),
            pytest.raises(
                fm.SearchError, match=r"pairing 40 speakers .* with 40 .* needs 6400 cells, the limit is"
            ),
        ):
            metric(*sides)


def test_pairs_are_searched_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    refs, hyps = (
        {f"{side}{n}": " ".join(rng.choices(WORDS, k=rng.randint(0, 6))) for n in range(count)}
        for side, count in (("r", 5), ("h", 7))
    )
    whole = fm.cpwer(hyps, refs)
    sizes = []
    search = meetings._Meeting._searched

    def counted(self: Any, pairs: Any) -> Any:
        sizes.append(len(pairs))
        return search(self, pairs)

    monkeypatch.setattr(meetings._Meeting, "_searched", counted)
    monkeypatch.setattr(meetings, "BLOCK", 250)
    assert fm.cpwer(hyps, refs) == whole
    assert max(sizes) <= 3
    assert sum(sizes) == 6 * 7  # five speakers and one who said nothing


def paired(chance: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """Speakers of whom several say nearly the same, so that many ways to pair them are equally good."""
    words = [f"w{number}" for number in range(chance.choice([1, 3, 50]))]
    base = [chance.choices(words, k=chance.randint(0, 30)) for _ in range(3)]

    def said() -> str:
        text = list(chance.choice(base))
        for _ in range(chance.choice([0, 1, 5])):
            text.insert(chance.randint(0, len(text)), chance.choice(words))
        return " ".join(text[chance.choice([0, 0, 3]) :])

    references: dict[str, Any] = {f"r{number}": said() for number in range(chance.randint(0, 5))}
    if chance.random() < 0.2:
        references["either"] = fm.Alternatives([said() + " a", said()])
    return references, {f"h{number}": said() for number in range(chance.randint(0, 5))}


@pytest.mark.parametrize("seed", range(200))
def test_pairs_found_by_bounds_are_those_found_by_counts(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    references, hypotheses = paired(random.Random(seed))
    whole = fm.cpwer(hypotheses, references)
    monkeypatch.setattr(assignment, "LONG", 0)
    found = fm.cpwer(hypotheses, references)
    assert (found.totals, found.assignment[: len(references)]) == (
        whole.totals,
        whole.assignment[: len(references)],
    )
    assert set(found.pairs) == set(whole.pairs)


def test_long_texts_of_different_speakers_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(0)
    words = [f"w{number}" for number in range(500)]
    texts = [chance.choices(words, k=3000) for _ in range(4)]
    said = {f"r{number}": " ".join(text) for number, text in enumerate(texts)}
    heard = {f"h{number}": " ".join(text[:700] + text[900:]) for number, text in enumerate(texts[::-1])}
    sizes = []
    search = meetings._Meeting._searched

    def counted(self: Any, pairs: Any) -> Any:
        sizes.append(len(pairs))
        return search(self, pairs)

    monkeypatch.setattr(meetings._Meeting, "_searched", counted)
    result = fm.cpwer(heard, said)
    assert (result.edits, result.deletions) == (800, 800)
    assert result.assignment == (("r0", "h3"), ("r1", "h2"), ("r2", "h1"), ("r3", "h0"))
    assert sum(sizes) == 4


def test_references_may_be_transcripts_networks_and_hypotheses_lattices() -> None:
    cards = {"S": {"phrases": ["yes", "yes sir"]}}
    network = fm.Network.from_dict({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    said = {
        "ann": [fm.Transcript.parse("well { um / uh / @ } right", "sclite"), "so"],
        "bob": network,
    }
    lattice = fm.Lattice.from_arcs([(0, 1, "yes"), (1, 2, "sir"), (1, 2, "sire")], finals=[1, 2])
    result = fm.cpwer({"1": lattice, "2": "well right so"}, said)
    assert (result.edits, result.path_length) == (0, 5)
    assert result.assignment == (("ann", "2"), ("bob", "1"))


def test_a_speaker_without_partner_takes_the_path_with_the_fewest_words() -> None:
    result = fm.cpwer({}, {"ann": fm.Alternatives(["a b", "a b c"])})
    assert (result.deletions, result.path_length, result.assignment) == (2, 2, (("ann", None),))


@pytest.mark.filterwarnings("ignore:most errors are of times")
def test_the_time_of_a_word_follows_the_path_it_is_on() -> None:
    """`b` is said from 1 to 2 after `a`, and from 6/7 to 1 after `aaaaaa`."""
    said = {"ann": [(0, 2, fm.Alternatives(["a b", "aaaaaaaaa b"]))]}
    assert fm.tcpwer({"1": [(1.5, 1.5, "b")]}, said, collar=0.1).edits == 1
    assert fm.tcpwer({"1": [(1.95, 1.95, "b")]}, said, collar=0.1).edits == 1
    assert fm.tcpwer({"1": [(0, 1.5, "aaaaaaaaa"), (1.5, 1.5, "b")]}, said, collar=0.1).substitutions == 1


@pytest.mark.filterwarnings("ignore:most errors are of times")
def test_times_that_touch_do_not_overlap() -> None:
    said = {"ann": [(0.1, 0.3, "a")]}
    assert fm.tcpwer({"1": [(0.4, 0.4, "a")]}, said, collar=0.1).matches == 0
    assert fm.tcpwer({"1": [(0.4, 0.4, "a")]}, said, collar=0.10001).matches == 1


def test_words_of_a_ctm_are_utterances_with_their_own_times() -> None:
    words = TimedWords(
        "f", "1", (TimedWord("a", 0, 1), TimedChoice(((TimedWord("um", 1, 1),), ())), TimedWord("b", 9, 1))
    )
    result = fm.tcpwer({"1": words}, {"ann": [(0, 2, "a"), (9, 10, "b")]}, collar=0.5)
    assert (result.edits, result.matches) == (0, 2)


@pytest.mark.parametrize("score", [fm.tcpwer, fm.tcorcwer])
@pytest.mark.parametrize("unit", [1, 1000])
def test_times_in_another_unit_are_warned_of(score: Any, unit: int) -> None:
    said = {who: [(at, at + 1, "a b"), (at + 9, at + 11, "c d")] for who, at in (("x", 60), ("y", 90))}
    heard = {
        who: [(unit * begin, unit * end, words) for begin, end, words in each] for who, each in said.items()
    }
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = score(heard, said)
    if unit == 1:
        assert not found
        assert result.edits == 0
        return
    (one,) = found
    assert str(one.message).startswith("most errors are of times: without these, ")
    assert "are the times of both sides in seconds" in str(one.message)
    assert one.filename == __file__


def test_the_warning_of_times_needs_no_more_cells_than_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: Any, **__: Any) -> Any:
        raise SearchError("too many cells")

    session = Session.of([Utterance("a", "x", 0, 1)], [Utterance("a", "1", 5000, 5001)])
    result = meeting_wer(session, "tcorcwer")
    assert meetings.owed_to_times(session, result)
    monkeypatch.setattr(meetings, "meeting_wer", no_room)
    assert meetings.owed_to_times(session, result) is None


def test_a_speaker_without_utterances_needs_no_times() -> None:
    one, more = {"a": [(0, 1, "x")]}, {"1": [(0, 1, "x")], "2": []}
    for references, hypotheses in ((one, more), (more, one), ({"a": []}, {"b": []}), ({"a": []}, {})):
        for metric in (fm.cpwer, fm.tcpwer, fm.orcwer, fm.dicpwer):
            assert metric(references, hypotheses).edits == 0
    assert fm.tcpwer(more, one).assignment == (("a", "1"), (None, "2"))
    assert fm.orcwer({"1": [(0, 1, "x")]}, {"a": [], "b": [(1, 2, "x")]}).assignment == ("1", None)


def row(speaker: object, session: str, words: str) -> dict[str, Any]:
    return {"speaker": speaker, "session_id": session, "start_time": 0, "end_time": 1, "words": words}


def test_rows_of_one_session_and_its_results_add_up() -> None:
    found = [
        fm.cpwer([row(speaker, session, words)], [row(5, session, words)])
        for session, speaker, words in (("A", "1", "x"), ("B", "2", "y"))
    ]
    assert sum(found).edits == 0


def test_a_list_of_words_may_begin_with_numbers() -> None:
    assert fm.cpwer({"1": "0 1 x"}, {"a": [["0", "1", "x"]]}).edits == 0


def test_order_is_by_begin_where_there_are_times() -> None:
    assert fm.cpwer({"1": "a b"}, {"ann": [(5, 6, "b"), (0, 1, "a")]}).edits == 0
    assert fm.orcwer({"1": "a b"}, {"ann": [(5, 6, "b")], "bob": [(0, 1, "a")]}).edits == 0


def test_results_add_up() -> None:
    one, other = fm.cpwer({"1": "x"}, {"a": "x y"}), fm.cpwer({"1": "z"}, {"a": "z"})
    total = one + other
    assert (total.edits, total.path_length, len(total)) == (1, 3, 2)
    assert sum([one, other]) == total
    assert total.as_dict()["per_session"][0]["assignment"][0]["reference"] == "a"
    with pytest.raises(fm.FstmetricsError, match="all are of one metric"):
        one + fm.orcwer({"1": "x"}, ["x"])


def test_normalisation_and_grammars() -> None:
    assert fm.cpwer({"1": "yes"}, {"a": "Yes"}, normalisation=fm.Normalisation(lowercase=True)).edits == 0
    assert fm.orcwer({"1": "i do not"}, ["i don't"], grammars="en.contractions").edits == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fm.cpwer({"1": "a"}, "a"), "references are a dict from speakers"),
        (lambda: fm.cpwer({}, {"a": [(2, 1, "x")]}), "ends at 1, before it begins at 2"),
        (lambda: fm.cpwer({}, {"a": [(1, 2, "x"), "y"]}), "has no times, and 1 other utterances have"),
        (lambda: fm.tcpwer({"1": "x"}, {"a": "x"}), "speaker a has no times, and tcpwer needs them"),
        (lambda: fm.tcpwer({}, {"a": [(0, 1, "x")]}, collar=-1), "collar must be a finite number"),
        (lambda: fm.orcwer({"1": "a"}, [fm.Transcript.parse("a <*>", "wildcards")]), "leaves a stretch open"),
        (lambda: fm.cpwer({"1": "a"}, {"a": 3}), "speaker a"),
        # Of MeetEval's cpWER, a list has a text a speaker; here it has an utterance an entry.
        (lambda: fm.cpwer(["the cat", "a dog"], {"a": "b"}), "hypotheses are a list, in which an utterance does"),
        (lambda: fm.cpwer({"a": "b"}, ["the cat", "a dog"]), "references are a list, .* 'the cat': give a dict from"),
        (lambda: fm.cpwer({}, [fm.Utterance("a", "ann"), fm.Utterance("b", id="7")]), "in which utterance 7 does not"),
        (lambda: fm.tcpwer([(0, 1, "a"), (1, 2, "b")], {}), "hypotheses are a list"),
        (lambda: fm.orcwer(["the cat", "a dog"], ["a dog", "the cat"]), "hypotheses are a list"),
        (lambda: fm.tcorcwer([(0, 1, "a"), (1, 2, "b")], [(0, 1, "a"), (1, 2, "b")]), "hypotheses are a list"),
        (lambda: fm.dicpwer(["the cat", "a dog"], ["a dog", "the cat"]), "references are a list"),
        (lambda: fm.cpwer({}, {1: "a b", "1": "c"}), "^references: two speakers are called '1': 1 and '1'"),
        (lambda: fm.cpwer({1: "a b", "1": "c"}, {}), "^hypotheses: two speakers are called '1'"),
        (lambda: fm.cpwer({}, {"1": "a b", "1 ": "c"}), "two speakers are called '1': '1' and '1 '"),
        (lambda: fm.cpwer({}, [row(5, "A", "x"), row("5", "A", "y")]), "two speakers are called '5'"),
        (lambda: fm.cpwer({}, {"a": [row(5, "A", "x"), row("5", "A", "y")]}), "two speakers are called '5'"),
        (lambda: fm.cpwer({}, [row("a", "A", "x"), row("a", "B", "y")]), "expected one session, found A and B:"),
        (lambda: fm.cpwer([row("1", "B", "x")], {"a": row("a", "A", "x")}), "expected one session, found A and B:"),
        (lambda: fm.cpwer({}, [row("a", name, "x") for name in "ABC"]), "found A, B and 1 more"),
        (lambda: fm.cpwer({}, {"a": [("0", "1", "x")]}), "of speaker a has the times '0' and '1': times are numbers"),
        (lambda: fm.cpwer({}, {"a": ("0", "1.5", "x")}), "has the times '0' and '1.5'"),
        (lambda: fm.cpwer({}, [{"words": "x", "start": "soon", "end": 1}]), "start is 'soon', no number of seconds"),
        (lambda: fm.orcwer({}, [(0, "1", "x")]), "has the times 0 and '1'"),
        (lambda: fm.tcpwer({}, {"a": [(0, 1, "x"), "y"]}), "has no times, and 1 other utterances have"),
        (lambda: fm.cpwer({"1": "b"}, {"a": "b"}, normalisation=fm.Normalisation(unit="char")), "counts no spaces"),
    ],
)  # fmt: skip
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        call()


@pytest.mark.parametrize("seed", range(30))
def test_assignment_is_as_cheap_as_scipys(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 12)
    costs = [[rng.randint(-5, 9) for _ in range(n)] for _ in range(n)]
    found = cheapest_assignment(costs)
    assert sorted(found) == list(range(n))
    rows, columns = linear_sum_assignment(np.array(costs))
    assert sum(costs[row][column] for row, column in enumerate(found)) == np.array(costs)[rows, columns].sum()


def said_by(result: Any, side: str, number: int) -> str:
    """The words that an alignment has of an utterance."""
    own = [word for word in result.words if getattr(word, f"{side}_utterance") == number]
    return " ".join(getattr(word, side) for word in own)


@pytest.mark.parametrize("seed", range(60))
def test_alignments_have_the_words_of_every_utterance(seed: int) -> None:
    rng = random.Random(seed)
    refs, hyps = with_choices(rng, 2, 4), with_choices(rng, 3, 4)
    session = Session.of(map(as_given, refs), map(as_given, hyps))
    for metric in meetings.METRICS:
        found = meeting_wer(session, metric, collar=1.0, aligned=True)
        assert [word.op for word in found.words].count("S") == found.substitutions
        for side, own in (("reference", session.references), ("hypothesis", session.hypotheses)):
            for number, utterance in enumerate(own):
                texts = [utterance.words] if isinstance(utterance.words, str) else [*utterance.words.items]
                assert said_by(found, side, number) in (
                    *map(str.strip, texts),
                    *([""] if not any(texts) else ()),
                )
        for word in found.words:
            assert (word.op == "=") == (word.hypothesis == word.reference)
            if word.reference_utterance is not None:
                assert session.references[word.reference_utterance].speaker == word.reference_speaker


@pytest.mark.parametrize("seed", range(40))
def test_words_of_a_timed_alignment_overlap(seed: int) -> None:
    """Of utterances that leave choices the words of the path that was scored, with the times that they have on it."""
    rng = random.Random(seed)
    refs, hyps = rows(rng, 2, 6, 5), rows(rng, 2, 6, 5)
    sides = (
        (with_choices(rng, 2, 4), with_choices(rng, 2, 4))
        if seed % 2
        else (utterances(refs), utterances(hyps))
    )
    session, collar = Session.of(*(map(as_given, side) for side in sides)), 1.0
    for metric in ("tcpwer", "tcorcwer"):
        found = meeting_wer(session, metric, collar=collar, aligned=True)  # type: ignore[arg-type]
        seen: dict[tuple[str, int], int] = {}
        for word in found.words:
            times = []
            for side, own in (("reference", session.references), ("hypothesis", session.hypotheses)):
                number = getattr(word, f"{side}_utterance")
                if number is None:
                    continue
                place = seen[side, number] = seen.get((side, number), -1) + 1
                around = None if side == "reference" else Fraction(str(collar))
                words = said_by(found, side, number).split()
                times.append(timed(words, own[number], around)[place])
            if word.op in "=S":
                (_, begin, end), (_, first, last) = times
                assert begin < last
                assert end > first


@pytest.mark.parametrize(
    ("apart", "whole"),
    [
        ({"1": list("text")}, {"1": "text"}),
        ({"1": list("some text")}, {"1": "some text"}),
        ({"1": list("so"), "2": ["a"]}, {"A": "so", "B": ["a", "long one"]}),
        ([{"speaker": "1", "words": list("text")}], {"1": "text"}),
        ({"1": tuple("text")}, [{"speaker": "1", "words": "text", "start_time": 0, "end_time": 1}]),
    ],
)
def test_strings_taken_apart_are_refused(apart: Any, whole: Any) -> None:
    for sides, side in (((apart, whole), "hypotheses"), ((whole, apart), "references")):
        with pytest.raises(
            fm.FstmetricsError,
            match=f"have longer words, and what speaker 1 says in {side} is a list of single char",
        ):
            fm.cpwer(*sides)
    with pytest.raises(fm.FstmetricsError, match=r"what speaker 1 says in .* is a list of single characters"):
        fm.cpwer({"1": list("a b")}, {"1": list("a b")})
    assert fm.cpwer({"1": ["a", "b"], "2": "c"}, {"x": "a b", "y": ["c"]}).edits == 0
    assert fm.cpwer({"1": ["I", "am"]}, {"1": "I am"}).edits == 0
    words = [
        {"speaker": "1", "words": word, "start_time": at, "end_time": at + 1} for at, word in enumerate("aI")
    ]
    assert fm.cpwer(words, {"1": "a I am"}).edits == 1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["json", "stm"])
def test_segments_of_the_same_times_are_in_the_order_of_the_file(
    seed: int, kind: str, meeteval: Any, tmp_path: Path
) -> None:
    rng, sides = random.Random(seed), []
    for name in ("ref", "hyp"):
        given = [
            {
                "session_id": "x", "speaker": rng.choice("AB"), "start_time": (begin := rng.choice([0, 1.5, 3])),
                "end_time": begin + rng.choice([1, 2]), "words": f"w{at} " + " ".join(rng.choices(WORDS, k=3)),
            }
            for at in range(8)
        ]  # fmt: skip
        lines = [f"x 1 {r['speaker']} {r['start_time']} {r['end_time']} {r['words']}\n" for r in given]
        path = tmp_path / f"{name}.{kind}"
        path.write_text(json.dumps(given) if kind == "json" else "".join(lines))
        sides.append((str(path), meeteval.io.SegLST(given)))
    (ref, said), (hyp, heard) = sides
    for metric, options in (("cpwer", {}), ("orcwer", {}), ("tcpwer", {"collar": 5})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = getattr(meeteval.wer, metric)(said, heard, **options)["x"]
        found = fm.speakers_files(references=ref, hypotheses=hyp, metric=metric, **options).summary()
        assert (found["edits"], found["path_length"]) == (wanted.errors, wanted.length)


@pytest.mark.parametrize("kind", ["json", "stm"])
def test_the_same_segment_twice_is_refused(kind: str, tmp_path: Path) -> None:
    def file(words: list[str]) -> str:
        given = [
            {"session_id": "x", "speaker": "A", "start_time": 0, "end_time": 2, "words": w} for w in words
        ]
        path = tmp_path / f"said.{kind}"
        path.write_text(json.dumps(given) if kind == "json" else "".join(f"x 1 A 0 2 {w}\n" for w in words))
        return str(path)

    two, alike = file(["a b", "c d"]), ["a b", "c d", "a b"]
    assert fm.speakers_files(references=two, hypotheses=two, metric="cpwer").summary()["path_length"] == 4
    for path in (file(alike), file(alike[1:] + alike[1:2])):
        with pytest.raises(
            fm.FstmetricsError, match=r"and so has segment 0|the same segment is already in line 1"
        ):
            fm.speakers_files(references=path, hypotheses=path, metric="cpwer")
    two = file(["a b", "c d"])
    with pytest.raises(
        fm.FstmetricsError, match=r"and so has segment 0|the same segment is already in line 1"
    ):
        fm.score_files(references=two, hypotheses=two)


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ({"1": list("text"), "2": ""}, {"1": "text", "2": ""}),
        ({"1": list("text"), "2": []}, {"1": "text", "2": []}),
        ({"1": list("text"), "2": "more of it"}, {"1": "text", "2": "more of it"}),
        (
            [{"speaker": "1", "words": list("text"), "begin": 0, "end": 1}],
            [{"speaker": "1", "words": "text", "begin": 0, "end": 1}],
        ),
    ],
    ids=["beside silence", "beside nothing", "beside another", "with times"],
)
def test_one_speaker_whose_text_is_taken_apart_is_refused(heard: Any, said: Any) -> None:
    with pytest.raises(fm.FstmetricsError, match="list of single characters"):
        fm.cpwer(heard, said)
    with pytest.raises(fm.FstmetricsError, match="list of single characters"):
        fm.cpwer(said, heard)


def test_speakers_may_say_letters() -> None:
    spelled = {"1": list("abc"), "2": "more of it"}
    assert fm.cpwer(spelled, spelled).score == 0
    assert fm.cpwer({"1": list("abc")}, {"1": "a b c"}).score == 0
