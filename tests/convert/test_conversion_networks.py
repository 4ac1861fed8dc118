"""Networks of cards in formats of automata that have a way to call: SLF's sub-lattices, PFSG's categories."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics
from conversions import read, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import RANDOM_CASES
from round_trips import apart, network_paths, networks

import fstmetrics as fm
from fstmetrics.convert.files import WRITERS
from fstmetrics.data.cards import Call, Card
from fstmetrics.io import Item
from fstmetrics.networks.automata import expanded

# A cost in PFSG is a whole number of ten thousandths.
ROUNDING = 0.5 / 10000
EXAMPLES = max(20, RANDOM_CASES // 100)
CALLING = [name for name, writer in WRITERS.items() if writer.carries.calls]


def paths_of(value: Any) -> Counter[tuple[tuple[str, ...], tuple[tuple[float, float], ...]]]:
    return network_paths(value) if isinstance(value, fm.Network) else apart(value)


def through(name: str, network: fm.Network, folder: Path, **fitting: Any) -> Any:
    """What comes back."""
    (item,) = read(name, written(name, [Item("n", network)], **fitting), folder)
    assert item.left_out == (("speakers",) if name == "stm" else ())
    return item.value


@settings(max_examples=EXAMPLES, deadline=None)
@given(network=networks())
def test_the_referee_and_the_expansion_agree(network: fm.Network) -> None:
    assert apart(expanded(network)) == network_paths(network)


@settings(max_examples=EXAMPLES, deadline=None)
@given(network=networks())
def test_sub_lattices_come_back(network: fm.Network, tmp_path_factory: pytest.TempPathFactory) -> None:
    found = through("slf", network, tmp_path_factory.getbasetemp())
    assert paths_of(found) == network_paths(network)


def test_costs_whose_sum_is_no_number_come_back(tmp_path: Path) -> None:
    """They are no costs of an arc that is not there."""
    arcs = ((0, 1, Call("X")), (1, 2, "a"))
    main = Card("main lattice", arcs, frozenset({2}), costs=((0.0, 0.0), (1e308, 1e308)))
    network = fm.Network([main, Card("X", ((0, 1, "b"),), frozenset({1}))], "main lattice", id="n")
    assert network_paths(through("slf", network, tmp_path)) == network_paths(network)


@settings(max_examples=EXAMPLES, deadline=None)
@given(network=networks(st.floats(-1e6, 1e6), False))
def test_categories_come_back(network: fm.Network, tmp_path_factory: pytest.TempPathFactory) -> None:
    found, expected = (
        paths_of(through("pfsg", network, tmp_path_factory.getbasetemp())),
        network_paths(network),
    )
    sums = [
        sorted((said, sum(g for g, _ in costs)) for said, costs in some.elements())
        for some in (found, expected)
    ]
    assert [said for said, _ in sums[0]] == [said for said, _ in sums[1]]
    tolerance = ROUNDING * max(len(costs) for _, costs in expected) + 1e-6
    for (_, one), (_, other) in zip(*sums, strict=True):
        assert one == pytest.approx(other, abs=tolerance, rel=1e-12)


def forest(cards: int) -> fm.Network:
    """A word twice, that twice, and so on: 2 ** cards words on a path, and a cost on one of two of them."""
    leaf = Card("C0", ((0, 1, "a"), (0, 1, "b")), frozenset({1}), costs=((0.5, 1.0), (0.0, 0.0)))
    rest = [
        Card(f"C{i}", ((0, 1, Call(f"C{i - 1}")), (1, 2, Call(f"C{i - 1}"))), frozenset({2}))
        for i in range(1, cards)
    ]
    return fm.Network([leaf, *rest], f"C{cards - 1}", id="n")


@pytest.mark.parametrize("name", CALLING)
def test_nothing_is_written_out(name: str, tmp_path: Path) -> None:
    """Sixty cards whose expansion would have 2 ** 60 arcs take a few kilobytes."""
    data = written(name, [Item("n", forest(60))], lossy=True)
    assert len(data) < 20_000
    (item,) = read(name, data, tmp_path)
    assert len(item.value.cards) == 60
    assert item.value.rtn.expanded_arcs > 2**60


def test_costs_of_cards_are_scaled_and_added_up(tmp_path: Path) -> None:
    network = forest(2)
    with pytest.raises(
        fm.FstmetricsError, match=r"would lose acoustic costs apart from graph costs;.*--scale"
    ):
        written("pfsg", [Item("n", network)])
    scales = fm.Scales(4.0, 2.0, 0.25)
    found = paths_of(through("slf", network, tmp_path, scales=scales))
    a, b = (2.25, 2.0), (0.25, 0.0)
    assert found == Counter(
        [(("a", "a"), (a, a)), (("a", "b"), (a, b)), (("b", "a"), (b, a)), (("b", "b"), (b, b))]
    )
    found = paths_of(through("pfsg", network, tmp_path, scales=scales))
    assert {said: round(sum(g for g, _ in costs), 3) for said, costs in found} == {
        ("a", "a"): 8.5, ("a", "b"): 4.5, ("b", "a"): 4.5, ("b", "b"): 0.5,
    }  # fmt: skip


def test_scales_of_networks_stay_or_are_multiplied_in(tmp_path: Path) -> None:
    network = forest(2).weighed(fm.Scales(12.0, 1.0, -0.5))
    found = through("slf", network, tmp_path)
    assert (found.scales, network_paths(found)) == (network.scales, network_paths(network))
    for name in ("network", "pfsg"):
        with pytest.raises(
            fm.FstmetricsError, match=r"the file's own scales \(lm=12,acoustic=1,word-penalty=-0.5\)"
        ):
            written(name, [Item("n", network)])
    found = through("network", network, tmp_path, lossy=True)
    assert found.best_path().cost == network.best_path().cost
    assert found.scales == fm.Scales()


def test_source_spans_have_no_room(tmp_path: Path) -> None:
    cards = [Card.from_phrases("S", ["a [X]"]), Card.from_phrases("X", ["b", "c d"], (0, 1))]
    for name in CALLING:
        with pytest.raises(fm.FstmetricsError, match=f"writing {name} would lose source spans;"):
            written(name, [Item("n", fm.Network(cards, "S"))])


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ({"tokenize": "13a"}, "--tokenize 13a"),
        ({"lowercase": True}, "--lowercase"),
        ({"unit": "mixed"}, "--unit mixed"),
        ({"tokenize": "13a", "lowercase": True}, "--tokenize 13a --lowercase"),
    ],
)
def test_how_words_were_cut_has_room_in_networks_only(
    words: dict[str, Any], options: str, tmp_path: Path
) -> None:
    network = fm.Network([Card.from_phrases("S", ["a b"])], "S", id="n", **words)
    for name, writer in WRITERS.items():
        if name in ("network", "cards"):
            assert through(name, network, tmp_path) == network
        elif writer.carries.content != "timed":
            with pytest.raises(
                fm.FstmetricsError, match=rf"lose (ids, )?how words were cut \(score with {options}\);"
            ):
                written(name, [Item("n", network)])
    (tmp_path / "n.json").write_text(network.to_json())
    outcome = fstmetrics("convert", tmp_path / "n.json", tmp_path / "n.slf")
    assert (outcome.status, (tmp_path / "n.slf").exists()) == (2, False)
    outcome = fstmetrics("convert", tmp_path / "n.json", tmp_path / "n.slf", "--lossy")
    assert outcome.err == f"written without how words were cut (score with {options}) (1 of 1 item)\n"


def test_sub_lattices_by_hand(tmp_path: Path) -> None:
    """As HTK's book has them: each before its use, ended by a period, and the main lattice last."""
    cards = [Card.from_phrases("S", ["the [X]"]), Card.from_phrases("X", ["cat"])]
    (tmp_path / "n.json").write_text(fm.Network(cards, "S", id="n").to_json())
    outcome = fstmetrics("convert", tmp_path / "n.json", tmp_path / "n.slf")
    assert (outcome.status, outcome.err) == (0, "")
    assert (tmp_path / "n.slf").read_text().splitlines() == [
        "VERSION=1.0", "SUBLAT=X", "start=0 end=3", "N=4 L=3",
        "I=0 W=!NULL", "I=1 W=!NULL", "I=2 W=cat", "I=3 W=!NULL",
        "J=0 S=0 E=2", "J=1 S=2 E=1", "J=2 S=1 E=3",
        ".",
        "VERSION=1.0", "start=0 end=5", "N=6 L=5",
        "I=0 W=!NULL", "I=1 W=!NULL", "I=2 W=!NULL", "I=3 W=the", "I=4 L=X", "I=5 W=!NULL",
        "J=0 S=0 E=3", "J=1 S=3 E=2", "J=2 S=2 E=4", "J=3 S=4 E=1", "J=4 S=1 E=5",
    ]  # fmt: skip
    outcome = fstmetrics("convert", tmp_path / "n.slf", tmp_path / "n.pfsg")
    assert (outcome.status, outcome.err) == (0, "")
    assert network_paths(fm.Network.read(tmp_path / "n.pfsg")) == Counter({(("the", "cat"), ()): 1})


@pytest.mark.parametrize(
    "command", [("convert", "--to", "far"), ("convert", "--to", "far-cards"), ("network", "convert", "-o")]
)
@pytest.mark.parametrize("word", ["back\\slash", "[X]", "\\[X\\]", "a;b", "[noise]", "[q", "plain"])
def test_an_archive_of_one_card_keeps_its_words(word: str, command: tuple[str, ...], tmp_path: Path) -> None:
    """Words of cards are written as in phrases, and without a call nothing says that machines are cards."""
    network = fm.Network([Card("S", ((0, 1, word),), frozenset({1}))], "S", id="n")
    source, archive, back = (tmp_path / f"n.{end}" for end in ("json", "far", "back.json"))
    source.write_text(network.to_json())
    made = fstmetrics(*command, *([archive, source] if "-o" in command else [source, archive]))
    assert (made.status, made.err) == (0, "")
    assert fstmetrics("convert", archive, back).err == ""
    assert network_paths(fm.Network.read(back)) == {((word,), ()): 1}
    assert fstmetrics("network", "paths", archive).out == f"{word}\n"


def test_a_word_that_calls_its_own_card_in_an_archive_is_refused(tmp_path: Path) -> None:
    network = fm.Network([Card("S", ((0, 1, "[S]"),), frozenset({1}))], "S", id="n")
    (tmp_path / "n.json").write_text(network.to_json())
    outcome = fstmetrics("convert", tmp_path / "n.json", tmp_path / "n.far", "--to", "far-cards")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "the word '[S]' would be read as a call of its own card" in outcome.err


@pytest.mark.parametrize("name", ["kaldi-lattice-text", "kaldi-text", "att/"])
def test_calls_between_the_machines_of_an_archive_are_not_lost_silently(name: str, tmp_path: Path) -> None:
    called = Card("X", ((0, 1, "cat"),), frozenset({1}))
    network = fm.Network(
        [Card("S", ((0, 1, "[the]"), (1, 2, Call("X"))), frozenset({2})), called], "S", id="n"
    )
    (tmp_path / "n.json").write_text(network.to_json())
    archive, to, folder = tmp_path / "n.far", name.rstrip("/"), "/" * name.endswith("/")
    assert fstmetrics("convert", tmp_path / "n.json", archive, "--to", "far-cards").err == ""
    command = ["convert", archive, f"{tmp_path}/out{folder}", "--to", to]
    outcome = fstmetrics(*command)
    assert (outcome.status, outcome.err.count("\n"), (tmp_path / "out").exists()) == (2, 1, False)
    assert "n.far: machine 'S' calls machine 'X' by the label '[X]'" in outcome.err
    assert "written without calls between machines (1 of 2 items)" in fstmetrics(*command, "--lossy").err
    assert fstmetrics("convert", archive, tmp_path / "other.far").err == ""


SENTENCES = [name for name, writer in WRITERS.items() if writer.carries.content in ("text", "n-best")]


def sentence_of(name: str, network: fm.Network, folder: Path, **fitting: Any) -> tuple[str, ...]:
    value = through(name, network, folder, lossy=True, **fitting)
    return value if isinstance(value, tuple) else value.entries[0]


@pytest.mark.parametrize("name", SENTENCES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(network=networks(st.floats(-100, 100)), scales=st.sampled_from([None, fm.Scales(2.0, 0.5, 1.5)]))
def test_the_best_path_of_a_network_is_that_of_its_expansion(
    name: str, network: fm.Network, scales: fm.Scales | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """By enumeration; of a tie it may be either."""
    try:
        found = sentence_of(name, network, tmp_path_factory.getbasetemp(), scales=scales)
    except fm.FstmetricsError as error:
        assert "word" in str(error)  # noqa: PT017
        return
    scales = scales or fm.Scales()
    best: dict[tuple[str, ...], float] = {}
    for said, costs in network_paths(network):
        words = tuple(word for word in said if word != "<s>")
        total = sum(scales.lm * g + scales.acoustic * a for g, a in costs) + scales.word_penalty * len(words)
        best[words] = min(total, best.get(words, total))
    assert best[found] == pytest.approx(min(best.values()), abs=1e-9)


@pytest.mark.parametrize("name", SENTENCES)
def test_a_forest_is_not_written_out_for_its_best_path(name: str, tmp_path: Path) -> None:
    """Sixty choices one after the other, which are 2 ** 60 paths."""
    cards = [Card("C0", ((0, 1, ""),), frozenset({1}))]
    for i in range(1, 61):
        arcs = ((0, 1, "a"), (0, 2, "b"), (1, 3, Call(f"C{i - 1}")), (2, 3, Call(f"C{i - 1}")))
        first = (1.0 if i % 3 else 0.5, 0.0)
        cards.append(Card(f"C{i}", arcs, frozenset({3}), costs=(first, (0.75, 0.0), (0.0, 0.0), (0.0, 0.0))))
    network = fm.Network(cards, "C60", id="n")
    assert sentence_of(name, network, tmp_path) == tuple("b" if i % 3 else "a" for i in range(60, 0, -1))
    with pytest.raises(
        fm.FstmetricsError, match=r"lose (ids, )?cards and their calls, all paths but the best, costs"
    ):
        written(name, [Item("n", network)])


@pytest.mark.parametrize("name", SENTENCES)
def test_cards_with_one_path_have_no_other(name: str, tmp_path: Path) -> None:
    cards = [
        Card.from_phrases("S", ["the [X]"]),
        Card.from_phrases("X", ["cat"]),
        Card.from_phrases("Y", ["a", "b"]),
    ]
    with pytest.raises(fm.FstmetricsError, match="would lose cards and their calls;"):
        written(name, [Item("n", fm.Network(cards, "S"))])
    assert sentence_of(name, fm.Network(cards, "S"), tmp_path) == ("the", "cat")
