"""What Python may hand to the engine: wild columns, labels without words, costs that are no numbers; and pickles."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from other_processes import edits_of

import fstmetrics as fm
from fstmetrics._native import Automaton, EditAutomaton, Graph, Rtn, WordCosts, search
from fstmetrics.data.cards import Call, Card
from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.data.transcripts import Transcript
from fstmetrics.support.limits import limited

INTS = np.int32


def ints(*values: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(values, dtype=INTS)


def automaton(label: int = 1) -> Automaton:
    """One arc."""
    return Automaton(2, 0, ints(0), ints(label), ints(1), ints(1))


wild = st.one_of(st.integers(-3, 5), st.sampled_from([2**31 - 1, -(2**31), 2**31 - 2, 10**9]))
columns = st.lists(wild, max_size=5)
real = st.one_of(
    st.floats(-5, 5), st.sampled_from([float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324])
)
costs = st.none() | st.lists(st.tuples(real, real), max_size=5)


@given(wild.filter(lambda n: n < 10**6), wild, columns, columns, columns, columns, costs, costs)
@settings(max_examples=200, deadline=None)
def test_wild_automata_are_refused_or_usable(
    states: int, start: int, sources: list[int], labels: list[int], ends: list[int], finals: list[int],
    arc_costs: list[tuple[float, float]] | None, final_costs: list[tuple[float, float]] | None,
) -> None:  # fmt: skip
    def pairs(rows: list[tuple[float, float]] | None) -> Any:
        return None if rows is None else np.array(rows, dtype=np.float64).reshape(-1, 2)

    try:
        made = Automaton(
            states, start, ints(*sources), ints(*labels), ints(*ends), ints(*finals), pairs(arc_costs),
            pairs(final_costs),
        )  # fmt: skip
    except ValueError:
        return
    assert np.isfinite(made.arc_costs).all()
    assert np.isfinite(made.final_costs).all()
    use(made)


# Small numbers, so that most of what is drawn is an automaton.
@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 4), st.integers(0, 3)), max_size=8),
)
@settings(max_examples=150, deadline=None)
def test_labels_out_of_range_are_refused_or_usable(states: int, arcs: list[tuple[int, int, int]]) -> None:
    arcs = [arc for arc in arcs if max(arc[0], arc[2]) < states]
    columns = [ints(*(arc[i] for arc in arcs)) for i in range(3)]
    made = Automaton(states, 0, *columns, ints(states - 1))
    use(made)
    try:
        rtn = Rtn([made, automaton()], 0)
    except ValueError:
        return
    pickle.loads(pickle.dumps(rtn))
    try:
        graph = Graph(rtn, ("", "a", "b"))
    except ValueError:
        assert rtn_labels(rtn) > 2
        return
    fm.align("a b", graph)


def rtn_labels(rtn: Rtn) -> int:
    return max(card.max_label for card in rtn.cards)


def use(made: Automaton) -> None:
    """Everything that is done with an automaton, without a crash: it works, or it is refused."""
    symbols = fm.SymbolTable(["a", "b"])
    fits = made.min_label >= 0 and made.max_label <= 2
    ready = made.prepared()
    assert ready.num_states <= made.num_states
    pickle.loads(pickle.dumps(ready))
    for prepared in (ready, made):
        try:
            ((cost, _, _),) = made.best_paths(prepared, [(1, 1, 0)], [0, 7, -7])
        except ValueError:
            continue
        assert cost == cost  # no NaN
    try:
        lattice = fm.Lattice(made, symbols)
    except fm.FstmetricsError:
        assert not fits
        with pytest.raises(ValueError, match=r"label|calls a card"):
            Graph(ready if ready.min_label < 0 or ready.max_label > 2 else made, symbols.words)
        return
    assert fits
    for metric in (fm.WER(), fm.GRR()):
        try:
            fm.align(lattice, "a b a", metric)
        except fm.FstmetricsError as error:
            assert "no path" in str(error) or "cycl" in str(error)  # noqa: PT017


def test_labels_without_words_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="label 7, and there are words for labels 1 to 1"):
        fm.Lattice(automaton(7), fm.SymbolTable(["a"]))
    with pytest.raises(fm.FstmetricsError, match="label -1"):
        fm.Lattice(automaton(-1), fm.SymbolTable(["a"]))
    for machine in (automaton(7), Rtn([automaton(7)], 0)):
        with pytest.raises(ValueError, match="label 7"):
            Graph(machine, ("", "a"))
    with pytest.raises(ValueError, match="calls a card"):
        Graph(automaton(-1), ("", "a"))


ONE = {"sources": [0], "destinations": [1], "words": ["a"], "finals": [1]}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"finals": [1.5]}, "finals is a list of integers"),
        ({"finals": None}, "finals is a list of integers"),
        ({"finals": 1}, "finals is a list of integers"),
        ({"sources": [True]}, "sources is a list of integers"),
        ({"sources": [[0]]}, "sources is a list of integers"),
        ({"destinations": ["1"]}, "destinations is a list of integers"),
        ({"destinations": [2**32 + 1]}, "beyond 32 bits"),
        ({"destinations": np.array([2**33], dtype=np.uint64)}, "beyond 32 bits"),
        ({"destinations": [2**80]}, "destinations is a list of integers"),
        ({"destinations": [-1]}, "arc 0 names state -1"),
        ({"destinations": [10**9]}, "1000000001 states, the limit is"),
        ({"num_states": 10**9}, "1000000000 states, the limit is"),
        ({"num_states": 10**30}, "the limit is"),
        ({"num_states": 0}, "1 to 2147483646 states, not 0"),
        ({"num_states": -1}, "1 to 2147483646 states, not -1"),
        ({"num_states": 1}, "arc 0 names state 1"),
        ({"start": 5, "num_states": 2}, "the start is state 5"),
        ({"start": -1}, "the start is state -1"),
        ({"start": "0"}, "start must be a whole number"),
        ({"words": [1]}, "a word is a string, not 1"),
        ({"words": [None]}, "a word is a string, not None"),
        ({"words": ["a", "b"]}, "must have the same length"),
        ({"costs": [(float("nan"), 0)]}, "arc 0 costs nan"),
        ({"costs": [(0, float("inf"))]}, "costs are finite numbers"),
        ({"final_costs": [(-float("inf"), 0)]}, "final state 0 costs -inf"),
        ({"costs": [1, 2]}, "costs are pairs"),
        ({"costs": [(1, 2), (3, 4)]}, "2 arc costs for 1 arcs"),
        ({"costs": [("x", 2)]}, "could not convert"),
    ],
)
def test_columns_that_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=said.replace("(", r"\(")):
        fm.Lattice.from_arrays(**ONE | changes)


def test_neither_arcs_nor_final_states() -> None:
    with pytest.raises(fm.FstmetricsError, match="neither an arc nor a final state"):
        fm.Lattice.from_arcs([], finals=[])
    assert fm.wer(fm.Lattice.from_arcs([], finals=[0]), "a b") == 1  # the empty sentence


def test_labels_are_indices_of_words() -> None:
    for label in (2, -1):
        with pytest.raises(fm.FstmetricsError, match="for 2 words"):
            fm.Lattice.from_labels([0], [1], np.array([label]), ["a", "b"], finals=[1])


def test_states_of_python_are_held_to_the_limit() -> None:
    with limited(states=10), pytest.raises(fm.FstmetricsError, match="11 states, the limit is 10"):
        fm.Lattice.from_arcs([(0, 10, "a")], finals=[10])


def test_other_native_arguments() -> None:
    with pytest.raises(TypeError, match="card"):
        Rtn([None], 0)  # type: ignore[list-item]
    for root in (-1, 1):
        with pytest.raises(ValueError, match="root"):
            Rtn([automaton()], root)
    with pytest.raises(ValueError, match="calls card 2147483647"):
        Rtn([automaton(-(2**31))], 0)
    rtn = Rtn([automaton()], 0)
    for pair in ((0, 1), (-1, 0)):
        with pytest.raises(ValueError, match="no card"):
            rtn.share_string(*pair, 10)
    metric = fm.WER().table.native
    ask: tuple[Any, ...] = (1, "moves", None, "auto", 1, True, 10**6, 10**6, 10**6, 1)
    with pytest.raises(TypeError):
        search(("a",), ("a",), None, *ask)  # type: ignore[arg-type]
    for place in (4, 9):
        with pytest.raises(ValueError, match="at least 1"):
            search(("a",), ("a",), metric, *ask[:place], 0, *ask[place + 1 :])
    longs = np.zeros(1, dtype=np.int64)
    few = [WordCosts(longs, np.zeros((1, 1), dtype=np.int64), longs, longs)]
    found = search(("a b",), ("a c",), metric, 1, "moves", few, *ask[3:])
    assert found.failure is not None
    assert "must cover all words" in found.failure[1]
    table = np.zeros((2, 4), dtype=np.int64)
    with pytest.raises(ValueError, match="leads to memory"):
        EditAutomaton(table + 2, table, 0, True)


# What may be sent to another process, with what tells whether it came back.
LATTICE = fm.Lattice.from_arrays(
    [0, 1, 0], [1, 2, 2], ["a", "b", ""], finals=[2], costs=[(1, 2), (3, 4), (0.5, 0)],
    final_costs=[(0.25, 0)], id="u", scales=fm.Scales(2, 0.5),
)  # fmt: skip
JSON = """{"format": "fstmetrics-network/1", "root": "S", "cards": {
"S": {"phrases": ["a [X]"]}, "X": {"phrases": ["b", "c"]}}}"""
FOREST = fm.Network(
    [
        Card("S", ((0, 1, "a"), (1, 2, Call("X"))), frozenset({2})),
        Card("X", ((0, 1, "b"), (0, 1, "c")), frozenset({1}), costs=((2.0, 0.0), (0.5, 0.25))),
    ],
    "S", id="f", scales=fm.Scales(3),
)  # fmt: skip
VALUES = {
    "lattice": LATTICE,
    "no path": fm.Lattice.from_arcs([(0, 1, "a")], finals=[2]),
    "network": fm.Network.from_json(JSON),
    "forest": FOREST,
    "n-best": fm.NBest("n", (("a", "b"), ("a", "c")), ("a b", "a c"), (-1.0, -2.0)),
    "transcript": Transcript.parse("a { b / c }", "sclite"),
    "channel": TimedWords("f", "1", (TimedWord("a", 0.0, 0.5), TimedWord("b", 0.5, 0.5))),
    "symbols": fm.SymbolTable(["a", "b"]),
}


def seen(value: Any) -> Any:
    """What a value is, as far as anybody can tell."""
    if isinstance(value, fm.Lattice):
        costs = value.automaton.arc_costs.tolist(), value.automaton.final_costs.tolist()
        path = value.best_path() if value.prepared.has_path else None
        return value.id, value.scales, value.symbols.words, value.numbered, costs, path
    if isinstance(value, fm.Network):
        return value.id, value.scales, value.to_dict(), value.best_path(), fm.wer("a b", value)
    if isinstance(value, fm.SymbolTable):
        return value.words, dict(value.index)
    return fm.align(value, "a c").alignment


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("used", [False, True])
def test_values_are_copied_and_pickled(name: str, used: bool) -> None:
    value = VALUES[name]
    if used:  # what is kept for later searches must not stand in the way
        seen(value)
        if not isinstance(value, fm.SymbolTable) and name != "no path":
            fm.align(value, "a b")
    ways = [copy.copy, copy.deepcopy]
    ways += [lambda v, p=p: pickle.loads(pickle.dumps(v, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for way in ways:
        assert seen(way(value)) == seen(value)


def test_what_is_prepared_is_not_pickled() -> None:
    fresh = fm.Lattice.from_strings([["a", "b"], ["c"]])
    size = len(pickle.dumps(fresh))
    fm.oracle(fresh, "a b", depth=True)
    assert len(pickle.dumps(fresh)) == size


def test_changed_copies_leave_the_original_alone() -> None:
    other = copy.deepcopy(LATTICE)
    other.id = "v"
    assert LATTICE.id == "u"


def test_values_go_to_other_processes() -> None:
    pairs = [(value, "a c") for value in (LATTICE, VALUES["network"], FOREST, VALUES["n-best"])]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(edits_of, pairs) == [edits_of(pair) for pair in pairs]


def test_a_function_of_costs_counts_beside_small_numbers() -> None:
    """Two strings went a quick way that knew the numbers alone."""
    metric = fm.EditMetric(
        substitution=0.001, insertion=0.001, deletion=0.001, cost=lambda op, *_: 0 if op == "match" else 5
    )
    lattice = fm.Lattice.from_strings([["a", "b"]])
    assert fm.align("a b", "c b", metric).cost == fm.align(lattice, "c b", metric).cost == 5.001


def test_n_best_lists_of_strings() -> None:
    expected = fm.NBest("u", (("a", "x"), ("a", "b")), ("a x", " a  b"))
    assert fm.NBest("u", ["a x", " a  b"]) == expected
    assert fm.NBest("u", (("a", "x"),)).texts == ("a x",)
    assert fm.oracle(fm.NBest("u", ["a x", "a b"]), "a b").edits == 0
    with pytest.raises(fm.FstmetricsError, match="has an id before its entries: NBest"):
        fm.NBest(["a x", "a b"])  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="n-best list 'u' has no entry"):
        fm.NBest("u")
    with pytest.raises(fm.FstmetricsError, match="a score is a number, and not nan"):
        fm.NBest("u", ["a x", "a b"], scores=(float("nan"), 1.0))
