"""Sentences that networks are to accept or to reject, by enumeration; files of them; what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written
from random_networks import as_network, random_network, strings

import fstmetrics as fm

NETWORKS = EXAMPLES / "hyter" / "networks"


@pytest.mark.parametrize("seed", range(25))
def test_a_network_accepts_its_strings_and_no_others(seed: int) -> None:
    rng = random.Random(seed)
    cards = random_network(rng)
    network, own = as_network(cards), {" ".join(words) for words in strings(cards)}
    texts = sorted({*own, *(" ".join(rng.choices("abc", k=rng.randint(0, 4))) for _ in range(10))})
    split = rng.randint(0, len(texts))
    rng.shuffle(texts)
    found = fm.network_accepts(network, texts[:split], texts[split:])
    assert [one.sentence for one in found] == texts
    for one in found:
        assert one.accepted == (one.sentence in own)
        assert one.as_wanted == (one.accepted == one.accept)
        if one.accept and not one.accepted:
            assert " ".join(one.result.closest) in own
            nearest = min(fm.align(one.sentence, text).edits for text in own)
            assert one.result.edits == nearest
            for phrase in one.phrases:
                wider = fm.networks.accept(network, [phrase])
                (again,) = fm.network_accepts(wider, [one.sentence])
                assert again.result.edits < one.result.edits
                assert again.accepted == one.completes
        if not one.accept and one.accepted:
            assert one.taken[0].card == network.root


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "pm.cards", "[S]: the [PM] spoke\n[PM]: premier; head of government\n")
    written(tmp_path / "good.txt", "the premier spoke\nthe head of government spoke\n")
    written(tmp_path / "bad.txt", "the head spoke\n")
    written(tmp_path / "more.txt", "the premier spoke\nthe chancellor spoke\n")
    written(
        tmp_path / "both.txt",
        "# fstmetrics-sentences/1\n\n# the first\nid: approval\n+ the approval rate was practically zero\n"
        "- zero was the rate\nid: station\n+ where is the train station\n",
    )
    return tmp_path


def test_status_is_0_where_all_is_as_wanted(here: Path) -> None:
    done = fstmetrics("network", "accepts", "pm.cards", "good.txt", "--reject", "bad.txt")
    assert (done.status, done.out, done.err) == (0, "3 sentences, 3 as wanted\n", "")
    done = fstmetrics("network", "accepts", "pm.cards", "good.txt", "--reject", "bad.txt", "--json")
    assert done.summary == {
        "sentences": 3, "as_wanted": 3, "not_accepted": 0, "not_rejected": 0, "wrong": []
    }  # fmt: skip


def test_what_is_wrong_is_shown_with_what_would_have_to_change(here: Path) -> None:
    done = fstmetrics("network", "accepts", "pm.cards", "more.txt", "--reject", "good.txt", "--item", "pm")
    assert (done.status, done.err) == (2, "fstmetrics: network pm: the sentence 'the premier spoke' is both to be "
                                          "accepted and to be rejected\n")  # fmt: skip
    written(here / "bad.txt", "the head of government spoke\n")
    done = fstmetrics("network", "accepts", "pm.cards", "more.txt", "--reject", "bad.txt")
    assert done.status == 1
    assert "more.txt:2  network pm  not accepted, 1 edit away\n" in done.out
    assert "HYP the chancellor spoke\nREF the premier    spoke\n        S" in done.out
    assert "would be accepted with [PM]: chancellor\n" in done.out
    assert "bad.txt:1  network pm  accepted, and should be rejected\n" in done.out
    assert "[S]: the [PM] spoke\n     [PM]: head of government\n" in done.out
    assert done.out.endswith("3 sentences, 1 as wanted; 1 not accepted; 1 not rejected\n")
    wider = fm.networks.accept(fm.Network.read("pm.cards"), [fm.networks.Phrase("pm", "PM", "chancellor")])
    written(here / "wider.json", wider.to_json())
    assert fstmetrics("network", "accepts", "wider.json", "more.txt").status == 0


NO_SENTENCES = {
    "the premier spoke (u1)\nthe cat spoke (u2)\n": "look like texts of trn: take out what is no word",
    "1. the premier spoke\n2. the cat spoke\n3. a dog\n": "look like a numbered list: take out",
    '"the premier spoke"\n"the cat spoke"\n"a dog"\n': "has quotation marks around each line, and pm.cards has none",
    "THE PREMIER SPOKE\nTHE CAT\n": "sentences that would be accepted with --lowercase: 1 of 2",
    "The premier spoke\nThe dog\n": "sentences that would be accepted with --lowercase: 1 of 2",
}


@pytest.mark.parametrize("content", NO_SENTENCES)
def test_lines_that_are_rejected_for_how_they_are_written_are_remarked_on(here: Path, content: str) -> None:
    written(here / "bad.txt", content)
    done = fstmetrics("network", "accepts", "pm.cards", "good.txt", "--reject", "bad.txt")
    assert (done.status, NO_SENTENCES[content] in done.err, done.err.count("\n")) == (0, True, 1), done
    done = fstmetrics("network", "accepts", "pm.cards", "bad.txt")
    assert (done.status, NO_SENTENCES[content] in done.err) == (1, True), done


@pytest.mark.parametrize(
    "content",
    [
        "the dog spoke\nan Premier\n",
        "The dog spoke\nA cat\n",
        "the dog (he) spoke\n",
        "# fstmetrics-sentences/1\n- the\n+ the premier spoke\n- The premier spoke\n",
    ],
)
def test_other_sentences_that_are_rejected_have_no_remark(here: Path, content: str) -> None:
    options = () if content[0] == "#" else ("--reject", "bad.txt")
    written(here / "bad.txt", content)
    done = fstmetrics("network", "accepts", "pm.cards", "good.txt" if options else "bad.txt", *options)
    assert (done.status, done.err) == (0, ""), done


def test_a_file_of_trn_has_ids_behind_its_sentences(here: Path) -> None:
    written(here / "bad.trn", ";; a comment\nthe premier spoke (u1)\nthe cat spoke (u2)\n")
    done = fstmetrics("network", "accepts", "pm.cards", "bad.txt", "--reject", "bad.trn")
    assert (done.status, "bad.trn:2  network pm  accepted, and should be rejected" in done.out) == (
        1,
        True,
    ), done
    lines = "the approval rate was practically zero (approval)\nwhere is the train station (station)\n"
    written(here / "good.trn", lines)
    assert fstmetrics("network", "accepts", NETWORKS, "good.trn").status == 0
    for content, said in (
        (lines.replace("station)", "other)"), "good.trn:2: there is no network 'other'; there are approval"),
        (
            "the { a / b } (approval)\n",
            "good.trn:1: leaves a choice: write each sentence on a line of its own",
        ),
        ("the cat\n", "good.trn:1: expected `word word ... (id)`"),
    ):
        written(here / "good.trn", content)
        done = fstmetrics("network", "accepts", NETWORKS, "good.trn")
        assert (done.status, said in done.err) == (2, True), done


def test_a_file_of_both_and_of_several_networks(here: Path) -> None:
    assert fstmetrics("network", "accepts", NETWORKS, "both.txt").status == 0
    written(
        here / "ids.txt",
        "approval the approval rate was practically zero\nstation where is the train station\n",
    )
    assert fstmetrics("network", "accepts", NETWORKS, "ids.txt").status == 0
    assert fstmetrics("network", "accepts", NETWORKS, "ids.txt", "--lowercase").status == 0
    done = fstmetrics("network", "accepts", NETWORKS, "both.txt", "--reject", "ids.txt")
    assert (done.status, done.err.count("both to be accepted and to be rejected")) == (2, 1)


ID_AND_SENTENCE = "u7 the cat sat\n"


@pytest.mark.parametrize(
    ("id", "phrases", "sentences", "status", "said"),
    [
        (
            "u7",
            "the cat sat; a cat sat",
            ID_AND_SENTENCE,
            0,
            "paired by id: the first word of each line of g\n",
        ),
        (
            "u7",
            "the cat sat; a cat sat",
            "u7 the cat sat\nu7 a cat sat\n",
            0,
            "paired by id: the first word of ",
        ),
        ("u7", "the cat sat", "u7\tthe cat\n", 1, "paired by id"),
        ("u7", "the u7 sat; u7 the cat sat", "u7 u7 the cat sat\n", 0, "paired by id"),
        ("u7", "the cat sat; u7 the cat sat", "u7 the cat sat\nthe cat sat\n", 0, ""),
        (
            "u7",
            "the u7 sat",
            ID_AND_SENTENCE,
            2,
            "g:1: begins with u7, the network's id, which may be a",
        ),
        ("7", "the cat sat", "7 the cat sat\n", 0, "paired by id"),
        ("7", "the 7 cats sat; 7 cats", "7 cats\n", 2, "g:1: begins with 7, the network's id"),
        (
            "0",
            "the cat sat",
            "0 the cat sat\n0 the cat\n",
            2,
            "g:1: begins with 0, the network's id",
        ),
        ("0", "0 cats; the cat", "0 cats\n", 0, ""),
        ("u7", "the cat sat", "# fstmetrics-sentences/1\n+ u7 the cat sat\n- u7 a cat\n", 0, "paired by id"),
        ("u7", "u7 sat", "# fstmetrics-sentences/1\nid: u7\n+ u7 sat\n", 0, ""),
        ("the", "a cat", "the cat\n- cat\n", 1, ""),
    ],
)
@pytest.mark.parametrize("is_folder", [False, True])
def test_lines_of_one_network_may_begin_with_its_id(
    is_folder: bool, id: str, phrases: str, sentences: str, status: int, said: str, here: Path
) -> None:
    (here / "nets").mkdir()
    network = written(here / "nets" / f"{id}.cards", f"[S]: {phrases}\n")
    written(here / "g", sentences)
    done = fstmetrics("network", "accepts", "nets" if is_folder else network, "g")
    assert (done.status, done.err.removeprefix("fstmetrics: ")[: len(said) or None]) == (status, said)
    if status == 2:  # what it says is done either way
        line = sentences.splitlines()[0]
        for text in (line, line.removeprefix(f"{id} ")):
            written(here / "g", f"# fstmetrics-sentences/1\nid: {id}\n+ {text}\n")
            expected = int(text not in phrases.split("; "))
            assert fstmetrics("network", "accepts", network, "g").status == expected


def test_the_only_network_and_hyter_take_the_same_first_words_for_its_id(here: Path) -> None:
    for id, phrases in (("u7", "a cat"), ("u7", "a u7"), ("0", "a cat"), ("0", "a 0; 0 cat"), ("7", "a cat")):
        network = written(here / f"{id}.cards", f"[S]: {phrases}\n")
        written(here / "g", f"{id} a cat\n")
        scored, tested = fstmetrics("hyter", network, "g"), fstmetrics("network", "accepts", network, "g")
        assert (scored.status == 2, "paired by id" in scored.out) == (
            tested.status == 2,
            "paired" in tested.err,
        )


def test_lines_are_those_of_numbered_networks_in_order(here: Path) -> None:
    written(here / "r", "a b\nc d\n")
    fstmetrics("network", "build", "r", "--format", "plain", "-o", "nets")
    assert fstmetrics("network", "accepts", "nets", "r").status == 0
    written(here / "other", "c d\na b\n")
    done = fstmetrics("network", "accepts", "nets", "other", "--json")
    assert (done.status, json.loads(done.out)["not_accepted"]) == (1, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "x.txt: holds no sentence"),
        ("# fstmetrics-sentences/1\n", "x.txt: holds no sentence"),
        ("a b\n\nc\n", "x.txt:2: a blank line; the empty sentence is written `+`"),
        (
            "# fstmetrics-sentences/1\nid: nobody\n+ a\n",
            "x.txt:3: there is no network 'nobody'; there are approval,",
        ),
        (
            "# fstmetrics-sentences/1\na\n",
            "x.txt:2: expected `+ sentence`, `- sentence`, `id: NETWORK` or a comment",
        ),
        ("approval a\nthe b\n", "x.txt:2: there are 3 networks (approval, orejuela, station), and this line"),
    ],
)
def test_sentences_that_cannot_be_used_are_refused(content: str, message: str, here: Path) -> None:
    written(here / "x.txt", content)
    done = fstmetrics("network", "accepts", NETWORKS, "x.txt")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"fstmetrics: {message}")


def test_a_file_of_both_is_none_of_sentences_to_reject(here: Path) -> None:
    done = fstmetrics("network", "accepts", NETWORKS, "both.txt", "--reject", "both.txt")
    assert (done.status, done.err) == (
        2, "fstmetrics: both.txt:1: says itself what is to be accepted and rejected; give it as SENTENCES\n"
    )  # fmt: skip


def test_the_words_are_those_of_the_network(here: Path) -> None:
    pytest.importorskip("sacrebleu", reason="needs sacrebleu: pip install 'fstmetrics[mt]'")
    written(here / "r", 'He said, "No."\n')
    fstmetrics(
        "network", "build", "r", "--format", "plain", "-o", "n.json", "--tokenize", "13a", "--lowercase"
    )
    assert fstmetrics("network", "accepts", "n.json", "r").status == 0
    done = fstmetrics("network", "accepts", "n.json", "r", "--tokenize", "intl")
    assert (done.status, done.err.count("made by the tokenizer 13a, and the tokenizer here is intl")) == (
        2,
        1,
    )


def test_signs_without_a_header_are_no_words(tmp_path: Path) -> None:
    network = written(tmp_path / "n.cards", "# fstmetrics-cards/1\n[S] 0-1: a; - c\n")
    sentences = written(tmp_path / "sentences.txt", "+ a\n- c\n")
    outcome = fstmetrics("network", "accepts", network, sentences)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "if these are signs, # fstmetrics-sentences/1 is to be the first line" in outcome.err
    header = "# fstmetrics-sentences/1\n"
    for content in (f"{header}+ a\n- c\n", f"{header}+ a\n+ - c\n"):
        assert fstmetrics("network", "accepts", network, written(tmp_path / "s.txt", content)).status == 0


def test_calls_without_a_space_between_are_refused_with_what_to_write() -> None:
    for joined in ("[A][B]", "x [A][B] y", "[A][B]c"):
        with pytest.raises(fm.FstmetricsError, match=r"two calls cannot be joined, \[A\]\[B\]: put a space"):
            fm.Card.from_phrases("S", [joined])
