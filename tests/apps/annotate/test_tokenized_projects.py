"""Projects of raw text: what a tokenizer and lower case make of references, outputs and cards, and of networks."""

from __future__ import annotations

import json
import random
from itertools import chain, product
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.annotation_service import AnnotationService
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.sentence_cards import Cards, changed, compiled, first_cards, network_of
from fstmetrics.apps.annotate.typed_alternatives import typed_token
from fstmetrics.text.normalisation import Normalisation

RAW = Normalisation("13a", lowercase=True)
IMPORT = "annotate p --import src.txt --ref ref.txt --system a=a.txt --annotator ann --export out"
NONE_YET = "no sentence has a network yet"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sources, references and outputs of two sentences, as people write them."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "src.txt", "El primer ministro, en Roma.\nHola.\n")
    written(tmp_path / "ref.txt", "The prime minister, in Rome.\nHello!\n")
    written(tmp_path / "a.txt", "The Prime Minister (in Rome).\nHello.\n")
    return tmp_path


def imported(*options: str) -> None:
    """A project of the files, which has no network yet."""
    assert NONE_YET in fstmetrics(*IMPORT.split(), *options).err


def annotated(texts: dict[str, str], words: int = 5) -> Cards:
    """Cards of some names and texts, that of the whole sentence under `S`."""
    cards: Cards = first_cards(words)
    for name, text in texts.items():
        whole = {"op": "text", "card": "root", "text": text}
        own = {"op": "create", "name": name, "text": text}
        cards = changed(cards, whole if name == "S" else own, words).on(cards)
    return cards


def write_cards(project: str, texts: dict[str, str], sentence: int = 1) -> None:
    """Let the first annotator of a project type cards."""
    with Project.open(project) as opened:
        (ann, *_) = opened.annotators()
        service = AnnotationService(opened)
        for name, text in texts.items():
            whole = {"op": "text", "card": "root", "text": text}
            change = whole if name == "S" else {"op": "create", "name": name, "text": text}
            revision = opened.history(sentence, ann).revision
            service.change(ann, sentence, {"revision": revision, "change": change})


@pytest.mark.parametrize("tokenizer", ["13a", "char"])
@pytest.mark.parametrize("lowercase", [False, True])
def test_a_network_has_the_tokens_of_the_sentences_that_were_meant(tokenizer: str, lowercase: bool) -> None:
    """Cards are cut one by one, and what comes out is as if each sentence had been written out and then cut."""
    rng = random.Random(f"{tokenizer} {lowercase}")
    rules = Normalisation(tokenizer, lowercase)
    words = [
        "Rome,",
        "1998",
        "1998,",
        ".5",
        "U.S.",
        "it's",
        "(a",
        "b)",
        "3-4",
        "A-B",
        "€5",
        "&amp;",
        "意大利",
        "Is.",
    ]
    for _ in range(100):
        parts = [[" ".join(rng.choices(words, k=rng.randint(1, 3))) for _ in range(2)] for _ in range(2)]
        ends = [" ".join(rng.choices(words, k=rng.randint(0, 2))) for _ in range(3)]
        typed = {each: " ".join(map(typed_token, each.split())) for each in [*chain(*parts), *ends]}
        x, y = ("; ".join(typed[each] for each in part) for part in parts)
        whole = f"{typed[ends[0]]} [X] {typed[ends[1]]} [Y] {typed[ends[2]]}"
        cards = annotated({"X": x, "Y": y, "S": whole})
        network = network_of(cards, normalisation=rules)
        made = compiled(cards, rules)
        assert network is not None
        assert not any(made.unread(card.name) for card in cards.values())
        meant = {
            tuple(rules.words(f"{ends[0]} {x} {ends[1]} {y} {ends[2]}"))
            for x, y in product(parts[0], parts[1])
        }
        assert set(fm.Paths(network)) == meant
        assert (network.tokenize, network.lowercase) == (tokenizer, lowercase)


def test_texts_cards_and_networks_of_a_project_are_cut_alike(files: Path) -> None:
    imported("--tokenize", "13a", "--lowercase")
    with Project.read("p") as project:
        assert project.normalisation == RAW
        assert project.sentence(1).source == ("El", "primer", "ministro,", "en", "Roma.")
        assert [text.words for text in project.texts(1)] == [
            tuple(RAW.words(text.splitlines()[0]))
            for text in (Path("ref.txt").read_text(), Path("a.txt").read_text())
        ]
    write_cards("p", {"PM": "Prime Minister", "S": "The [PM] , in Rome."})
    write_cards("p", {"S": "Hello! ; hello."}, sentence=2)
    with Project.open("p") as project:
        look = AnnotationService(project).look(project.annotator("ann"), 1, {"samples": 1})
    assert look["samples"] == [["the", "prime", "minister", ",", "in", "rome", "."]]
    assert {row["name"]: row["distance"] for row in look["distances"]} == {"ref": 0, "a": 2}
    assert fstmetrics("annotate", "p", "--export", "nets", "--to", "cards").status == 0
    text = (files / "nets" / "ann" / "0.cards").read_text()
    assert "tokenize: 13a\nlowercase: yes\n" in text
    assert fstmetrics("network", "validate", "nets/ann").status == 0
    for networks in ("p", "nets/ann"):  # as it is, and exported
        scored = fstmetrics("hyter", networks, "a.txt", "--json").summary
        assert "case:lower" in scored["signature"]
        assert "tok:13a" in scored["signature"]
        assert (scored["edits"], scored["score"]) == (2, 2 / 9)
        refused = fstmetrics("hyter", networks, "a.txt", "--tokenize", "intl")
        assert (refused.status, refused.err.count("\n")) == (2, 1)
        assert "the tokenizer 13a" in refused.err
        assert "the tokenizer here is intl" in refused.err
        tested = fstmetrics("network", "accepts", networks, "ref.txt")
        assert tested.status == 0, tested.out


def test_what_is_added_later_is_cut_as_the_project_is(files: Path) -> None:
    imported("--tokenize", "13a", "--lowercase")
    written(files / "b.txt", "THE P.M., in Rome.\nHi!\n")
    written(files / "links", "0-0 2-4\n0-1\n")
    assert (
        "b added to 2 sentences"
        in fstmetrics(
            *[
                "annotate",
                "p",
                "--system",
                "b=b.txt",
                "--align",
                "b=links",
                "--tokenize",
                "13a",
                "--export",
                "x",
            ]
        ).err
    )
    assert (
        "2 sentences imported"
        in fstmetrics(
            *["annotate", "p", "--import", "src.txt", "--document", "more", "--ref", "b.txt", "--export", "x"]
        ).err
    )
    with Project.read("p") as project:
        b = project.texts(1)[-1]
        assert b.words == ("the", "p", ".", "m", ".", ",", "in", "rome", ".")
        assert b.links == ((0, 0), (2, 4)), "links are of what the tokenizer makes"
        assert project.texts(3)[0].words == b.words


@pytest.mark.parametrize(
    ("first", "later", "said"),
    [
        ("--tokenize 13a", "--tokenize char", "p: its words were cut by the tokenizer 13a, not char"),
        ("--tokenize 13a", "--tokenize none", "p: its words were cut by the tokenizer 13a, not none"),
        ("", "--tokenize 13a", "p: its words were cut by the tokenizer none, not 13a"),
        ("--tokenize 13a", "--lowercase", "p: its words are not in lower case"),
        ("", "--tokenize intl", "--tokenize intl: here the tokenizer is 13a, char or none"),
        ("", "--tokenize ja-mecab", "--tokenize ja-mecab: here the tokenizer is 13a, char or none"),
        ("", "--tokenize nosuch", "--tokenize nosuch: here the tokenizer is 13a"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("what", ["--system b=a.txt", "--import src.txt --document more"])
def test_another_tokenizer_is_refused_by_name(
    first: str, later: str, said: str, what: str, files: Path
) -> None:
    imported(*first.split())
    outcome = fstmetrics(*f"annotate p {what} {later} --annotator new --export x".split())
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert said in outcome.err
    with Project.read("p") as project:
        assert len(project.sentences()) == 2
        assert [text.name for text in project.texts(1)] == ["ref", "a"]
        assert [each.name for each in project.annotators()] == ["ann"]


def test_networks_that_say_how_they_were_cut_go_on(files: Path) -> None:
    built = "network build ref.txt a.txt -o nets --tokenize 13a --lowercase"
    assert fstmetrics(*built.split()).status == 0
    given = "annotate q --import src.txt --networks ann=nets --export out"
    refused = fstmetrics(*given.split())
    assert (refused.status, "give --lowercase" in refused.err) == (2, True)
    refused = fstmetrics(*given.split(), "--lowercase")
    assert (refused.status, "give --tokenize 13a" in refused.err) == (2, True)
    assert not Path("q").exists()
    assert fstmetrics(*given.split(), "--tokenize", "13a", "--lowercase").status == 0
    for name in ("0", "1"):
        one, other = (fm.Network.read(f"{folder}/{name}.json") for folder in ("nets", "out/ann"))
        assert set(fm.Paths(one)) == set(fm.Paths(other))
        assert (other.tokenize, other.lowercase) == ("13a", True)


def test_networks_of_words_as_people_write_them_are_cut(files: Path) -> None:
    assert fstmetrics(*["network", "build", "ref.txt", "-o", "nets"]).status == 0
    given = "annotate q --import src.txt --networks ann=nets --tokenize 13a --export out"
    assert fstmetrics(*given.split()).status == 0
    paths = set(fm.Paths(fm.Network.read("out/ann/0.json")))
    assert paths == {tuple(Normalisation("13a").words("The prime minister, in Rome."))}


def test_a_network_that_is_not_what_it_says_is_refused(files: Path) -> None:
    network = fm.Network([fm.Card.from_phrases("S", ["hello, you"])], "S", id="1", tokenize="13a")
    Path("nets").mkdir()
    written(files / "nets" / "1.json", network.to_json())
    outcome = fstmetrics(
        *[
            "annotate",
            "q",
            "--import",
            "src.txt",
            "--networks",
            "ann=nets",
            "--tokenize",
            "13a",
            "--export",
            "out",
        ]
    )
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "'hello,' is no token of 13a, which cuts it into 'hello ,'" in outcome.err
    assert not Path("q").exists()


def test_proposals_are_tokens_and_do_what_they_say(tmp_path: Path) -> None:
    reference = "In the end, Novák scored the only goal of the match, in extra time."
    outputs = {"s": reference.replace("the only goal", "a goal"), "t": reference.replace("match", "game")}
    with Project.open(tmp_path / "p", create=True) as project:
        ann = project.add_annotator("ann")
        texts = {name: text.split() for name, text in outputs.items()}
        sentence = new_sentence("0", "x y", "auto", {"r": reference.split()}, texts, normalisation=RAW)
        project.add("news", [sentence], normalisation=RAW)
        service = AnnotationService(project)
        change = {"op": "text", "card": "root", "text": reference}
        service.change(ann, 1, {"revision": 0, "change": change})
        for revision in (1, 2):
            before = sum(row["distance"] for row in service.look(ann, 1, {})["distances"])
            best = service.proposals(ann, 1)["proposals"][0]
            assert best["choice"], "no phrase of fifteen words is written a second time"
            given = {key: best[key] for key in ("card", "phrase", "instead")}
            answer = service.answer_proposal(
                ann, 1, {"revision": revision, "action": "accept", "look": {}, **given}
            )
            after = sum(row["distance"] for row in answer["look"]["distances"])
            assert before - after == best["saved"] > 0
        assert after == 0
        text = next(card["text"] for card in answer["cards"] if card["id"] == "root")
        assert text.startswith("In the end, Novák scored ("), "what people wrote stays as they wrote it"


def test_words_without_a_tokenizer_stay_as_they_are(files: Path) -> None:
    imported()
    with Project.read("p") as project:
        assert project.normalisation == Normalisation()
        assert project.texts(1)[0].words == ("The", "prime", "minister,", "in", "Rome.")
    write_cards("p", {"S": "The prime minister, in Rome."})
    write_cards("p", {"S": "Hello!"}, 2)
    assert fstmetrics("annotate", "p", "--export", "nets").status == 0
    assert not {"tokenize", "lowercase"} & set(json.loads(Path("nets/ann/0.json").read_text()))
    assert "tok:none" in fstmetrics("hyter", "p", "ref.txt", "--json").summary["signature"]


def test_a_tokenizer_and_units_go_together(files: Path) -> None:
    """Text without spaces that `char` has cut needs no unit; what `13a` leaves uncut does."""
    written(files / "zh.txt", "意大利总理贝卢斯科尼说。\n你好！\n")
    for tokenizer, unit in (("char", "word"), ("13a", "mixed")):
        given = f"annotate {tokenizer} --import src.txt --ref zh.txt --tokenize {tokenizer} --export out"
        assert NONE_YET in fstmetrics(*given.split()).err
        with Project.read(tokenizer) as project:
            assert project.normalisation == Normalisation(tokenizer, unit=unit)  # type: ignore[arg-type]
            assert project.texts(2)[0].words == ("你", "好", "！")
    assert compiled(annotated({"S": "你好！"}), Normalisation("char")).cards["S"].phrases == ("你 好 ！",)


PARTED = [
    (
        "苹果公司发布了iPhone 15 手机",
        "苹果公司发布了iPhone 15手机",
        "mixed",
    ),  # no space stands between two signs
    ("我买了手机， 他也买了。", "你买了手机， 他也买了。", "mixed"),
    ("我买了iPhone 15", "你买了iPhone 15", "unclear"),  # a sentence without spaces, or a word
    ("苹果 iPhone 手机", "苹果 iPhone 电脑", "unclear"),
    ("苹果 iPhone 手机 来了", "苹果 iPhone 来了", "word"),
    ("意大利总理到了", "意大利 首相 来了", "refused"),
    ("意大利总理到了", "来了 。", "refused"),
    ("意大利总理到了", "OK 好的", "mixed"),
    ("意大利总理到了", "他说 《好》 ，", "refused"),
    ("意大利总理到了", "他说 《好》", "mixed"),
    ("イタリアの首相", "イタリア の 首相", "refused"),
    ("意大利总理到了", "意大利首相来了", "mixed"),
    ("意大利总理到了", "iPhone公司", "mixed"),
    ("意大利 总理 到了 。", "意大利 首相 来了", "word"),
    ("意大利 总理 到了 。", "来了", "word"),  # a text of one word
    ("the 意大利 premier has come", "he 总理 came", "word"),
    ("a b", "a", "word"),
]


@pytest.mark.parametrize(("reference", "output", "unit"), PARTED)
def test_the_unit_of_an_import_is_clear_or_refused(
    reference: str, output: str, unit: str, files: Path
) -> None:
    for name, text in (("one", "a"), ("ref", reference), ("sys", output)):
        written(files / name, f"{text}\n")
    line = [
        "annotate",
        "p",
        "--import",
        "one",
        "--ref",
        "ref",
        "--system",
        "A=sys",
        "--document",
        "d",
        "--export",
        "out",
    ]
    found = fstmetrics(*line)
    said = {
        "refused": f"spaces part words of some references and outputs, {output!r}, and not of all, {reference!r}: say "
        "what is counted by --target-unit, with mixed",
        "unclear": f"references and outputs such as {reference!r} do not tell whether spaces part their words: say",
    }
    if unit in said:
        assert said[unit] in found.err
        assert not (files / "p").exists()
        unit = "mixed"
        found = fstmetrics(*line, "--target-unit", unit)
    assert f"p: 1 sentence imported from one, in the unit {unit}\n" in found.err


RUN_ON = "我(买|购买)了手机"
IMPORT_RUN_ON = "import with --target-unit mixed or char-no-space"


@pytest.mark.parametrize("typed", [RUN_ON, "我(很)高兴", "我买了[PM]", "ผม(ซื้อ|ได้)รถ", "我 买 (了)手机"])
def test_choices_within_a_word_that_no_space_parts_are_no_words(typed: str, files: Path) -> None:
    """Nothing tells the unit of a project without references and outputs before somebody types."""
    written(files / "hyp", "你买了手机\n")
    for unit in ("auto", "mixed"):
        line = f"annotate {unit} --import hyp --target-unit {unit} --export out"
        assert NONE_YET in fstmetrics(*line.split()).err
        write_cards(unit, {"PM": "手机", "S": typed})
    refused = fstmetrics("hyter", "auto", "hyp")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert (
        "no sentence of this project has a network yet; 1 unfinished phrase left out; sentence" in refused.err
    )
    assert "has no space before what it ends in, and spaces part words; " in refused.err
    assert IMPORT_RUN_ON in refused.err
    found = fstmetrics("hyter", "mixed", "hyp", "--unit", "mixed")
    assert (found.status, IMPORT_RUN_ON in found.out) == (0, False)


@pytest.mark.parametrize(
    ("typed", "has_remark"),
    [
        ("我买了手机", True),
        ("我 买 了 手机", False),
        ("I (have|had) 手机", False),
        ("我 (买|购买) 了 手机", False),
    ],
)
def test_sentences_that_are_typed_as_one_word_have_a_remark(
    typed: str, has_remark: bool, files: Path
) -> None:
    written(files / "hyp", "你买了手机\n")
    assert NONE_YET in fstmetrics("annotate", "p", "--import", "hyp", "--export", "out").err
    write_cards("p", {"S": typed})
    found = fstmetrics("hyter", "p", "hyp")
    assert (found.status, IMPORT_RUN_ON in found.out) == (0, has_remark), found.err


def test_characters_of_a_tokenizer_need_no_spaces(files: Path) -> None:
    written(files / "hyp", "我购买了手机\n")
    assert (
        NONE_YET
        in fstmetrics("annotate", "p", "--import", "hyp", "--tokenize", "char", "--export", "out").err
    )
    write_cards("p", {"S": RUN_ON})
    found = fstmetrics("hyter", "p", "hyp", "--tokenize", "char", "--json")
    assert (found.summary["score"], IMPORT_RUN_ON in found.out + found.err) == (0.0, False)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (
            {"THE-DOCTOR": "the doctor", "S": "[CALLED-ME] [DOCTOR]"},
            "[DOCTOR] in sentence 0, [CALLED-ME] in sentence 0",
        ),
        ({"S": "[A] [B] [C] [D]"}, " and 1 more"),
        ({"S": "hello; hello [A]"}, "[A] in sentence 0"),
        ({"A": "you; me", "S": "hello [A]"}, ""),
        ({"A": "you", "UNUSED": "", "S": "hello"}, ""),
    ],
)
def test_cards_that_are_called_and_not_written_are_named(
    cards: dict[str, str], said: str, files: Path
) -> None:
    imported()
    write_cards("p", cards)
    written(files / "hyp", "hello\nhello\n")
    found = fstmetrics("hyter", "p", "hyp", "--missing", "skip")
    assert (found.status == 2) == ("hello" not in cards["S"])
    told = found.out + found.err
    assert ("cards that are called and not written yet: " in told) == bool(said)
    parts = said.split(", ")
    assert all(part in told for part in parts)
