"""Networks of cards from plain references: their strings by enumeration, their spans from the definition."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
import random_cases as rc
from command import fstmetrics, written
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.data.lattice import word_automaton
from fstmetrics.networks.building import cards_of_lattice, from_references
from fstmetrics.networks.merging import merged

sentences = st.lists(st.lists(st.sampled_from(["a", "b", "c"]), max_size=7), min_size=1, max_size=4)


def strings(network: fm.Network) -> set[tuple[str, ...]]:
    return set(fm.Paths(network))


def random_lattice(rng: random.Random) -> fm.Lattice:
    """Arcs from lower to higher states, of which all paths end in the last; some have no word."""
    states = rng.randint(2, 7)
    arcs = {(s, rng.randint(s + 1, states - 1), rng.choice(["a", "b", "c", ""])) for s in range(states - 1)}
    for _ in range(rng.randint(0, 8)):
        one, other = sorted(rng.sample(range(states), 2))
        arcs.add((one, other, rng.choice(["a", "b", "c", ""])))
    automaton, symbols = word_automaton(sorted(arcs), states, 0, [states - 1])
    return fm.Lattice(automaton, symbols, id="x")


@pytest.mark.parametrize("seed", range(150))
def test_cards_of_a_lattice_have_its_sentences(seed: int) -> None:
    lattice = random_lattice(random.Random(seed))
    expected = set(fm.Paths(fm.networks.union(_as_network(lattice))))
    assert strings(cards_of_lattice(lattice)) == expected


def _as_network(lattice: fm.Lattice) -> fm.Network:
    from fstmetrics.networks.automata import from_lattice

    return from_lattice(lattice)


def test_nested_choices_and_what_is_not_in_series_and_parallel() -> None:
    built = from_references(["x a b c y", "x a d c y", "x e f y"], merge=True)
    assert {name: card.phrases for name, card in built.network.cards.items()} == {
        "B": ("b", "d"), "A-C": ("a [B] c", "e f"), "S": ("x [A-C] y",),
    }  # fmt: skip
    bridge = [(0, 2, "a"), (0, 3, "b"), (2, 3, "c"), (2, 1, "d"), (3, 1, "e")]
    automaton, symbols = word_automaton(bridge, 4, 0, [1])
    network = cards_of_lattice(fm.Lattice(automaton, symbols))
    assert network.cards["S"].phrases == ("a c e", "a d", "b e")
    assert strings(network) == {("a", "d"), ("a", "c", "e"), ("b", "e")}


def test_what_has_too_many_ways_is_a_card_given_by_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    bridge = [(0, 2, "a"), (0, 3, "b"), (2, 3, "c"), (2, 1, "d"), (3, 1, "e")]
    automaton, symbols = word_automaton(bridge, 4, 0, [1])
    monkeypatch.setattr("fstmetrics.networks.building.MAX_ROWS", 2)
    network = cards_of_lattice(fm.Lattice(automaton, symbols))
    assert network.cards["S"].phrases is None
    assert strings(network) == {("a", "d"), ("a", "c", "e"), ("b", "e")}


def test_choices_in_the_middle_become_a_card() -> None:
    built = from_references(["x a b y z", "x a c y z", "x d c y z", "x a y z"], merge=True)
    assert {name: card.phrases for name, card in built.network.cards.items()} == {
        "B": ("b", ""), "A-C": ("a c", "a [B]", "d c"), "Y-Z": ("y z",), "S": ("x [A-C] [Y-Z]",),
    }  # fmt: skip


@given(sentences)
def test_every_word_is_as_often_in_a_merged_sentence_as_in_references(references: list[list[str]]) -> None:
    """Between the reference that has it least often and the one that has it most often."""
    result = from_references(references, merge=True)
    counts = [Counter(one) for one in references]
    for sentence in strings(result.network):
        found = Counter(sentence)
        for word in "abc":
            assert min(one[word] for one in counts) <= found[word] <= max(one[word] for one in counts)
    assert {tuple(one) for one in references} <= strings(result.network)


@pytest.mark.parametrize(
    ("references", "added"),
    [
        (["slower growth worries investors .", "investors are worried by slower growth ."], []),
        (["yesterday he came to town", "he came to town yesterday"], []),
        (["he came to town , he said", "he said he came to town"], []),
        (
            ["he came to town quickly", "then he came to town"],
            ["he came to town", "then he came to town quickly"],
        ),
    ],
)
def test_what_moves_is_neither_said_twice_nor_left_out(references: list[str], added: list[str]) -> None:
    assert sorted(" ".join(words) for words in merged(references).added(10)) == added


@given(sentences, st.randoms(use_true_random=False))
def test_without_merging_there_are_the_references_alone(
    references: list[list[str]], rng: random.Random
) -> None:
    links = [
        [(rng.randrange(4), rng.randrange(len(one))) for _ in range(rng.randrange(6))] if one else []
        for one in references
    ]
    given = {tuple(one) for one in references}
    for alignments in (None, links):
        assert strings(from_references(references, alignments=alignments).network) == given


def aligned(references: list[str], *links: str, merge: bool = False) -> dict[str, object]:
    """The cards with their spans."""
    pairs = [[tuple(map(int, pair.split("-"))) for pair in one.split()] for one in links]
    built = from_references(references, merge=merge, alignments=pairs, source=["a", "b", "c", "d", "e", "f"])
    return {name: (card.span, card.phrases) for name, card in built.network.cards.items()}


MINISTER = ["the prime minister spoke to us yesterday", "the head of government spoke to us last night"]
LINKS = "0-0 1-1 1-2 2-3 3-4 4-5 5-6", "0-0 1-1 1-2 1-3 2-4 3-5 4-6 5-7 5-8"


def test_cards_have_the_source_words_that_they_translate() -> None:
    assert aligned(MINISTER, *LINKS) == {
        "THE": ((0, 1), ("the",)),
        "PRIME-MINISTER": ((1, 2), ("prime minister",)),
        "HEAD-OF-GOVERNMENT": ((1, 2), ("head of government",)),
        "SPOKE": ((2, 3), ("spoke",)),
        "TO": ((3, 4), ("to",)),
        "US": ((4, 5), ("us",)),
        "SPOKE-TO-US": ((2, 5), ("[SPOKE] [TO] [US]",)),
        "YESTERDAY": ((5, 6), ("yesterday",)),
        "LAST-NIGHT": ((5, 6), ("last night",)),
        "S": ((0, 6), (
            "[THE] [PRIME-MINISTER] [SPOKE-TO-US] [YESTERDAY]", "[THE] [HEAD-OF-GOVERNMENT] [SPOKE-TO-US] [LAST-NIGHT]",
        )),
    }  # fmt: skip
    assert aligned(MINISTER, *LINKS, merge=True) == {
        "PRIME-MINISTER": ((1, 2), ("prime minister", "head of government")),
        "SPOKE-TO-US": ((2, 5), ("spoke to us",)),
        "YESTERDAY": ((5, 6), ("yesterday", "last night")),
        "S": ((0, 6), ("the [PRIME-MINISTER] [SPOKE-TO-US] [YESTERDAY]",)),
    }


def test_networks_of_single_references_join_by_their_spans() -> None:
    """What `spu` does with them: cards of one span that have a string in common become one."""
    parts = [
        from_references(
            [text], alignments=[[tuple(map(int, pair.split("-"))) for pair in links.split()]]
        ).network
        for text, links in zip(MINISTER, LINKS, strict=True)
    ]
    links = [[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1), (1, 2), (2, 3)]]
    wider = from_references(
        ["the PM spoke", "the prime minister spoke"], merge=True, alignments=links
    ).network
    assert wider.cards["PM"].span == (1, 2)
    both = fm.networks.spu(*parts, wider)
    assert ("the", "PM", "spoke", "to", "us", "yesterday") in strings(both)
    assert ("the", "PM", "spoke", "to", "us", "yesterday") not in strings(fm.networks.union(*parts, wider))


def test_words_for_other_source_words_are_not_shared() -> None:
    both = ["x a b y", "z a b w"]
    assert "A-B" in aligned(both, "1-1 2-2", "1-1 2-2")
    assert "A-B" not in aligned(both, "1-1 2-2", "3-1 4-2")
    assert aligned(both, "1-1 2-2 2-3", "1-1 2-2")["A-B"] == (None, ("a b",))  # 2 is linked outside, too


@pytest.mark.parametrize("seed", range(60))
def test_spans_hold_for_every_reference_that_takes_a_card(seed: int) -> None:
    rng = random.Random(seed)
    given = dict.fromkeys(rc.random_string(rng, 6) for _ in range(3))
    links = {one: {(rng.randrange(4), i) for i in range(len(one)) if rng.random() < 0.8} for one in given}
    for merge in (False, True):
        network = from_references(list(given), merge=merge, alignments=list(links.values())).network
        for one, pairs in links.items():
            for card, _, start, end in fm.networks.cards_taken(network, one):
                span = network.cards[card].span
                if card != network.root and span is not None:
                    inside = {source for source, word in pairs if start <= word < end}
                    assert (min(inside), max(inside) + 1) == span
                    assert all(start <= word < end for source, word in pairs if source in range(*span))


def test_the_command_reads_alignments_and_sources(tmp_path: Path) -> None:
    refs = [written(tmp_path / f"{n}.txt", one + "\n") for n, one in zip("ab", MINISTER, strict=True)]
    links = [written(tmp_path / f"{n}.align", one + "\n") for n, one in zip("ab", LINKS, strict=True)]
    source = written(tmp_path / "src", "der ministerpräsident sprach zu uns gestern\n")
    arguments = ("network", "build", *refs, "--align", links[0], "--align", links[1], "--to", "cards")
    done = fstmetrics(*arguments, "--source", source, "--merge")
    assert done.status == 0, done.err
    assert "source: der ministerpräsident sprach zu uns gestern\n" in done.out
    assert "[PRIME-MINISTER] 1-2: prime minister; head of government\n" in done.out
    assert "  choice [YESTERDAY]: yesterday; last night\n" in done.err
    out = tmp_path / "n.json"
    told = fstmetrics(*arguments[:-2], "--merge", "-o", out, "--json").summary
    assert told["added"][0]["joins"] == [
        {"card": "PRIME-MINISTER", "phrases": ["prime minister", "head of government"]},
        {"card": "YESTERDAY", "phrases": ["yesterday", "last night"]},
    ]
    assert fm.Network.read(out).cards["S"].span == (0, 6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "src: looks like a text with a word in parentheses at the end of each line"),
        ("--format plain", ""),
        ("--format trn", "ref:1: expected `word word ... (id)`"),
        ("--format jsonl", "src: looks like a text with"),  # of the references alone
    ],
)
def test_sources_are_read_as_their_references_where_these_are_lines(
    options: str, said: str, tmp_path: Path
) -> None:
    content = '{"ref": "a b"}\n{"ref": "c"}\n' if "jsonl" in options else "a b\nc\n"
    ref, source = written(tmp_path / "ref", content), written(tmp_path / "src", "Hallo (a)\nTag (b)\n")
    done = fstmetrics("network", "build", ref, "--source", source, *options.split(), "-o", tmp_path / "out")
    assert (done.status == 2) == bool(said), done.err
    assert said in done.err
    if not said:
        assert fm.Network.read(tmp_path / "out" / "0.json").source == ("Hallo", "(a)")


def test_alignments_that_do_not_fit_are_one_line(tmp_path: Path) -> None:
    refs = [written(tmp_path / f"{n}.txt", "a b\nc\n") for n in "xy"]
    good, short = written(tmp_path / "good", "0-0 1-1\n0-0\n"), written(tmp_path / "short", "0-0\n")
    wide, bad = written(tmp_path / "wide", "0-0 1-2\n0-0\n"), written(tmp_path / "bad", "0-0\n0:1\n")
    source = written(tmp_path / "src", "s\nt\n")
    before = sorted(tmp_path.iterdir())
    for arguments, message in (
        (("--align", good), "1 files of word alignments for 2 references"),
        (("--align", good, "--align", short), "holds 1 word alignment for 2 sentences"),
        (
            ("--align", good, "--align", wide),
            "wide:1: the word alignment has 1-2, and the reference has 2 words",
        ),
        (("--align", good, "--align", bad), "bad:2: expected a word alignment, pairs such as 0-0 1-2"),
        (
            ("--align", good, "--align", good, "--source", source),
            "good:1: the word alignment has 1-1, and the source has 1 word ",
        ),
    ):
        done = fstmetrics("network", "build", *refs, "-o", tmp_path / "out", *arguments)
        assert (done.status, done.err.count("\n")) == (2, 1), done
        assert message in done.err
    assert sorted(tmp_path.iterdir()) == before
