"""Networks that say their tokenizer and case: hypotheses are cut alike, and the network's words are not cut again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.networks.text_form import read_text_form, write_text_form
from fstmetrics.text.normalisation import Normalisation

pytest.importorskip("sacrebleu", reason="needs sacrebleu: pip install 'fstmetrics[mt]'")

REFERENCES = ['The PM said, "No." It costs $5.', 'The premier (60) said: "No way." It\'s 5$.']
OTHERS = ["So the PM said no.", 'He said, "Yes"; it\'s $5,000.50!', 'The PM said , " No . " It costs $ 5 .']


def tokenized(text: str, name: str, lowercase: bool = False) -> str:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize=name).tokenizer((text.lower() if lowercase else text).rstrip())  # type: ignore[no-any-return]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(REFERENCES):
        written(tmp_path / f"r{number}", f"{text}\n{OTHERS[number]}\n")
    written(tmp_path / "hyp", f"{OTHERS[0]}\n{OTHERS[1]}\n")
    return tmp_path


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char"])
def test_hyter_counts_what_it_counts_of_tokens_written_by_sacrebleu(
    name: str, lowercase: bool, files: Path
) -> None:
    options = ["--tokenize", name, *["--lowercase"] * lowercase]
    assert fstmetrics("network", "build", "r0", "r1", "--format", "plain", "-o", "nets", *options).status == 0
    for side in ("r0", "r1", "hyp"):
        lines = (files / side).read_text().splitlines()
        written(files / f"{side}.tok", "".join(f"{tokenized(line, name, lowercase)}\n" for line in lines))
    assert fstmetrics("network", "build", "r0.tok", "r1.tok", "--format", "plain", "-o", "plain").status == 0
    found = fm.hyter_files(networks="nets", hypotheses="hyp", format="plain", window=3)
    wanted = fm.hyter_files(networks="plain", hypotheses="hyp.tok", format="plain", window=3)
    assert found.corpus is not None
    assert wanted.corpus is not None
    assert found.corpus.totals == wanted.corpus.totals
    told = fstmetrics("hyter", "nets", "hyp", "--format", "plain", "--window", 3)
    assert f"|case:{'lower' if lowercase else 'mixed'}|" in told.out
    assert f"|tok:{name}|" in told.out
    assert f"hypotheses are tokenized by {name}" in told.out
    # The same by saying it.
    given = fm.hyter_files(
        networks="nets", hypotheses="hyp", format="plain", window=3, tokenize=name, lowercase=lowercase
    )
    assert given.signature == found.signature


def test_a_network_of_tokens_is_its_own_best_path(files: Path) -> None:
    """Also of tokens that the tokenizer would cut again."""
    text = "it is ..5 %"  # which 13a makes `. .5` of, and `. . 5` of this
    net = fm.networks.from_references([text], tokenize="13a").network
    assert tokenized(tokenized(text, "13a"), "13a") != tokenized(text, "13a")
    assert fm.align(text, net, normalisation=fm.Normalisation(tokenize="13a")).score == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["--tokenize", "intl"],
            "made by the tokenizer 13a, and the tokenizer here is intl; give --tokenize 13a",
        ),
        (
            ["--tokenize", "none"],
            "made by the tokenizer 13a, and the tokenizer here is none; give --tokenize 13a",
        ),
        (["--normalise-unicode", "nfkc"], "leave --normalise-unicode out"),
        (["--ignore", "a b.c, uh"], "which cuts 'c,', so that it cannot be ignored"),
        (["--profile", "whisper-en"], "rewrites texts before they are cut"),
    ],
)
def test_other_words_are_refused(given: list[str], message: str, files: Path) -> None:
    fstmetrics("network", "build", "r0", "r1", "--format", "plain", "-o", "nets", "--tokenize", "13a")
    if given[0] == "--profile":
        given = ["--profile", next(n for n in ("open-asr", "whisper", "whisper-en") if n in profiles())]
    if given[0] == "--ignore":
        given, message = ["--ignore", "uh c,"], "which cuts 'c,', so that it cannot be ignored"
    told = fstmetrics("hyter", "nets", "hyp", "--format", "plain", *given)
    assert (told.status, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert message in told.err


def profiles() -> list[str]:
    from fstmetrics.text.profiles import profile_names

    return list(profile_names())


def test_python_is_told_what_to_say() -> None:
    net = fm.networks.from_references(REFERENCES, tokenize="13a", lowercase=True).network
    with pytest.raises(fm.FstmetricsError, match="its words are in lower case, and here case counts"):
        fm.hyter(REFERENCES[0], net)
    with pytest.raises(fm.FstmetricsError, match="the tokenizer here is none"):
        fm.align(REFERENCES[0], net, fm.HyTER(), normalisation=fm.Normalisation(lowercase=True))
    words = fm.Normalisation(tokenize="13a", lowercase=True)
    assert fm.align(REFERENCES[0], net, fm.HyTER(), normalisation=words).score == 0


@pytest.mark.parametrize("to", ["json", "cards"])
def test_files_say_the_tokenizer_and_the_case(to: str, files: Path) -> None:
    fstmetrics(
        "network",
        "build",
        "r0",
        "r1",
        "--format",
        "plain",
        "-o",
        "nets",
        "--tokenize",
        "13a",
        "--lowercase",
        "--to",
        to,
    )
    assert [(n.tokenize, n.lowercase) for n in fm.Network.read_all("nets")] == 2 * [("13a", True)]
    (one, *_) = fm.Network.read_all("nets")
    assert read_text_form(write_text_form(one)) == one
    assert fm.Network.from_json(one.to_json()) == one
    assert fm.networks.normal_form(one).tokenize == "13a"
    assert fstmetrics("network", "validate", "nets").out == "2 networks, none with faults\n"
    done = fstmetrics("network", "convert", "nets", "-o", "machines", "--to", "att")
    assert "att has no place for how words were cut: score with --tokenize 13a --lowercase" in done.err


@pytest.mark.parametrize("format", ["att", "openfst", "far"])
def test_making_machines_says_how_to_score_them(format: str, files: Path) -> None:
    said = f"{format} has no place for how words were cut: score with --tokenize 13a --lowercase"
    build = ("network", "build", "r0", "r1", "--format", "plain", "--tokenize", "13a", "--lowercase", "-o")
    assert fstmetrics(*build, "built", "--to", format).err.count(said) == 1
    assert "no place" not in fstmetrics(*build, "nets").err
    for name in ("union", "spu", "normalise"):
        sides = ("nets",) if name == "normalise" else ("nets", "nets")
        assert fstmetrics("network", name, *sides, "-o", name, "--to", format).err.count(said) == 1
        assert "no place" not in fstmetrics("network", name, *sides, "-o", f"{name}-json").err
    one = fstmetrics("network", "union", "nets/0.json", "nets/0.json", "-o", "one", "--to", format)
    assert (one.status, one.err.count(said)) == (0, 1)


def test_words_that_are_no_tokens_are_remarked_on(files: Path) -> None:
    written(files / "n.cards", "tokenize: 13a\nlowercase: yes\n[S]: He said, no .\n")
    out = fstmetrics("network", "validate", "n.cards").out
    assert "'He'" not in out, "case is folded on both sides"
    assert "the word 'said,' is 'said ,' when tokenized by 13a, so hardly a hypothesis has it" in out
    for line in (("hyter", "n.cards", "hyp"), ("network", "info", "n.cards")):
        refused = fstmetrics(*line)
        assert refused.status == 2
        assert (
            "n.cards: network n, card 'S': 'said,' is no token of 13a, which cuts it into 'said ,'"
            in refused.err
        )
    card = '"cards": {"A": {"phrases": ["no ."]}, "S": {"phrases": ["He said, [A]"]}}'
    written(files / "n.json", f'{{"format": "fstmetrics-network/1", "root": "S", "tokenize": "13a", {card}}}')
    for line in (("hyter", "n.json", "hyp"), ("score", "n.json", "hyp"), ("network", "info", "n.json")):
        refused = fstmetrics(*line)
        assert refused.status == 2
        assert (
            "n.json: network n, card 'S': 'said,' is no token of 13a, which cuts it into 'said ,'"
            in refused.err
        )
    with pytest.raises(fm.FstmetricsError, match="'said,' is no token of 13a"):
        fm.hyter_files(networks="n.json", hypotheses="hyp")
    written(files / "bad.json", '{"format": "fstmetrics-network/1", "root": "S", "tokenize": 3, "lowercase": "x", '
            '"cards": {"S": {"phrases": ["a"]}}}')  # fmt: skip
    out = fstmetrics("network", "validate", "bad.json").out
    assert '"tokenize" must be the name of a tokenizer' in out
    assert '"lowercase" must be true or false' in out
    assert (
        '"tokenize" is 3, expected the name of a tokenizer' in fstmetrics("network", "info", "bad.json").err
    )


def test_networks_of_other_words_are_not_combined() -> None:
    def of(**words: object) -> fm.Network:
        return fm.networks.from_references(REFERENCES, **words).network  # type: ignore[arg-type]

    assert fm.networks.union(of(tokenize="13a"), of(tokenize="13a")).tokenize == "13a"
    with pytest.raises(fm.FstmetricsError, match="made by different tokenizers: 13a and none"):
        fm.networks.spu(of(tokenize="13a"), of())
    with pytest.raises(fm.FstmetricsError, match="one is in lower case"):
        fm.networks.union(of(lowercase=True), of())


def test_proposals_are_tokens(files: Path) -> None:
    net = fm.networks.from_references(["The PM said, no."], tokenize="13a", lowercase=True).network
    phrases = [one.phrase.phrase for one in fm.networks.propose(net, {"a": "The premier said, no."})]
    assert phrases == ["the premier said , no ."]
    wider = fm.networks.accept(net, [fm.networks.Phrase("", "S", phrases[0])])
    assert fm.networks.held_back(net, wider, [], {"b": "the premier said, NO."})["b"].after == 0


def test_choices_are_cut_word_by_word(files: Path) -> None:
    written(files / "c", "He { said, / says } no.\n")
    fstmetrics("network", "build", "c", "--alternations", "sclite", "--tokenize", "13a", "-o", "c.json")
    assert {" ".join(words) for words in fm.networks.Paths(fm.Network.read("c.json"))} == {
        "He said , no .", "He says no ."
    }  # fmt: skip


def test_shards_are_put_together_alike(files: Path) -> None:
    fstmetrics("network", "build", "r0", "r1", "--format", "plain", "-o", "nets", "--tokenize", "13a")
    whole = fstmetrics("hyter", "nets", "hyp", "--format", "plain", "--json").summary
    for part in (1, 2):
        done = fstmetrics(
            "hyter", "nets", "hyp", "--format", "plain", "--shard", f"{part}/2", "--output", f"{part}.jsonl"
        )
        assert done.status == 0, done.err
    told = fstmetrics("merge", "1.jsonl", "2.jsonl", "--output", "m.jsonl", "--json")
    assert told.status == 0, told.err
    assert told.summary["signature"] == whole["signature"]
    assert told.summary["edits"] == whole["edits"]


@pytest.mark.parametrize("seed", range(10))
def test_merged_references_are_cards_with_the_same_sentences(seed: int) -> None:
    """Also where they are not made of series and parallel parts."""
    from fstmetrics.networks.merging import merged

    rng = random.Random(seed)
    words = [rng.choice("abcd") for _ in range(12)]
    references = [" ".join(w if rng.random() < 0.8 else rng.choice("xyz") for w in words) for _ in range(5)]
    lattice = merged(references).lattice
    network = fm.networks.from_references(references, merge=True).network
    assert all(card.phrases is not None for card in network.cards.values())
    expected = {
        " ".join(words) for words in fm.networks.Paths(fm.networks.from_references(references).network)
    }
    found = {" ".join(words) for words in fm.networks.Paths(network)}
    assert expected <= found
    from fstmetrics.networks.automata import from_lattice

    assert found == {" ".join(words) for words in fm.networks.Paths(from_lattice(lattice))}


def test_a_word_that_is_cut_by_what_stands_beside_it_is_refused_where_words_are_cut_one_by_one(
    files: Path,
) -> None:
    """intl and zh leave the sign at an end of a sentence, as of `1998,` alone, and part it from the word within one."""
    written(files / "h", "In 1998, he won\n")
    written(files / "by", "by 1998, he won\n")
    written(files / "choice.trn", "In 1998, { he / she } won (u-1)\n")
    written(files / "h.trn", "In 1998, he won (u-1)\n")
    assert fstmetrics("network", "build", "h", "by", "-o", "nets").status == 0
    for name in ("intl", "zh"):
        for line in (
            ("hyter", "nets", "h"),
            ("network", "accepts", "nets", "h"),
            ("network", "build", "choice.trn", "-o", "other"),
            ("score", "choice.trn", "h.trn"),
        ):
            done = fstmetrics(*line, "--tokenize", name)
            assert done.status == 2
            assert f"the tokenizer {name} cuts '1998,' otherwise beside other words than alone" in done.err
    assert not (files / "other").exists()
    for line in (("hyter", "nets", "h"), ("score", "choice.trn", "h.trn")):
        assert fstmetrics(*line, "--tokenize", "13a", "--json").summary["edits"] == 0
    # Sentences without a choice are cut whole, and their tokens are the network's.
    assert fstmetrics("network", "build", "h", "by", "-o", "tokens", "--tokenize", "intl").status == 0
    assert fstmetrics("hyter", "tokens", "h", "--json").summary["edits"] == 0
    written(files / "n.cards", "tokenize: intl\n[S]: In 1998, he won in 1998.\n")
    out = fstmetrics("network", "validate", "n.cards").out
    assert (
        "the word '1998,' is '1998 ,' between words when tokenized by intl, so only ends of hypotheses have it"
        in out
    )


@pytest.mark.parametrize("name", ["13a", "char"])
def test_words_are_cut_alike_wherever_they_stand(name: str) -> None:
    """What `BY_WORDS` says of these tokenizers."""
    random_numbers = random.Random(5)
    words = Normalisation(tokenize=name)
    for _ in range(3000):
        drawn = [
            "".join(random_numbers.choices("a1A.,;'\"-&%$/é東<>~^", k=random_numbers.randint(1, 5)))
            for _ in range(3)
        ]
        assert words.words(" ".join(drawn)) == [token for word in drawn for token in words.words(word)]


def test_marks_of_networks(files: Path) -> None:
    """Escapes that some network has are words; what a tokenizer made of them is not known."""
    for name, text in (
        ("a", "it is\nit &apos;s here\n"),
        ("b", "is it\nit is here\n"),
        ("h", "it is\nit &apos;s here\n"),
    ):
        written(files / name, text)
    for options in ((), ("--tokenize", "13a")):
        folder = f"nets{len(options)}"
        build = ("network", "build", "a", "b", "-o", folder, *options)
        assert fstmetrics(*build, "--format", "plain").status == 0
        assert fstmetrics("hyter", folder, "h", "--json").summary["edits"] == 0
    assert fstmetrics("network", "build", "b", "-o", "plain").status == 0
    assert "h: has escaped characters" in fstmetrics("hyter", "plain", "h").err


@pytest.mark.parametrize("name", ["13a", "char"])
def test_tokens_are_read_back_whatever_they_are(name: str) -> None:
    """Of 200 sentences each: of `.,1` 13a makes a token that it would cut again."""
    random_numbers = random.Random(6)
    for _ in range(200):
        texts = ["".join(random_numbers.choices("a1A.,'-&%$/é東<>~^ ", k=9)) for _ in range(30)]
        texts = [text for text in texts if text.split() and "&" not in text]
        network = fm.networks.from_references([" ".join(texts)], tokenize=name).network
        assert read_text_form(write_text_form(network)) == network
