"""`fstmetrics annotate` without its server: what is imported, refused and exported."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import pytest
from command import HYTER, fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.sentence_cards import changed, network_of


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sources, references and outputs of two sentences, and a network of an annotator for one."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "src.txt", "el gato negro\nhola\n")
    written(tmp_path / "ref.txt", "the black cat\nhello\n")
    written(tmp_path / "a.txt", "a black cat\nhello\n")
    written(tmp_path / "links", "0-0 1-2 2-1\n0-0\n")
    cards = [
        fm.Card.from_phrases("ROOT", ["the [CAT]"], (0, 3)),
        fm.Card.from_phrases("CAT", ["cat", "tomcat"], (1, 2)),
    ]
    (tmp_path / "nets").mkdir()
    written(tmp_path / "nets" / "0.json", fm.Network(cards, "ROOT", id="0").to_json())
    return tmp_path


IMPORT = "annotate p --import src.txt --ref ref.txt --system a=a.txt --networks ben=nets --align ref=links --export out"


def test_files_become_a_project_and_networks_again(files: Path) -> None:
    outcome = fstmetrics(*IMPORT.split())
    assert outcome.status == 0, outcome.err
    assert "p: 2 sentences imported from src.txt" in outcome.err
    assert outcome.out == "out: 1 network\n"
    with Project.open(files / "p") as project:
        assert [(s.key, s.document, s.source) for s in project.sentences()] == [
            ("0", "src", ("el", "gato", "negro")), ("1", "src", ("hola",))]  # fmt: skip
        reference, output = project.texts(1)
        assert (reference.name, reference.words, reference.links) == (
            "ref",
            ("the", "black", "cat"),
            ((0, 0), (1, 2), (2, 1)),
        )
        assert (output.kind, output.name, output.words, output.links) == (
            "system",
            "a",
            ("a", "black", "cat"),
            None,
        )
        ben = project.annotator("ben")
        assert network_of(project.history(1, ben).cards) is not None
        assert project.history(1, ben).revision == 1  # which can be undone
    network = fm.Network.read(files / "out" / "ben" / "0.json")
    assert (network.source, network.cards["CAT"].span) == (("el", "gato", "negro"), (1, 2))
    assert set(fm.Paths(network)) == {("the", "cat"), ("the", "tomcat")}


def test_documents_are_added_one_after_the_other(files: Path) -> None:
    assert fstmetrics(*IMPORT.split()).status == 0
    again = fstmetrics("annotate", "p", "--import", "src.txt", "--export", "x")
    assert (again.status, "has a document of this name" in again.err) == (2, True)
    assert "to go on with it, run `fstmetrics annotate p` without --import" in again.err
    other = fstmetrics("annotate", "p", "--import", "src.txt", "--document", "copy", "--export", "x")
    assert other.status == 0, other.err
    written(files / "more.txt", "m1 buenos días\nm2 adiós\n")
    outcome = fstmetrics(
        *[
            "annotate",
            "p",
            "--import",
            "more.txt",
            "--document",
            "second",
            "--format",
            "kaldi-text",
            "--annotator",
            "ann=source",
            "--export",
            "y",
        ]
    )
    assert outcome.status == 0, outcome.err
    ids = "annotate p --import more.txt --document second --format kaldi-text --export z"
    again = fstmetrics(*ids.split())
    assert again.status == 2
    assert "p has the document second already, with the sentence 'm1'; to go on" in again.err
    with Project.open(files / "p") as project:
        assert [(s.key, s.document) for s in project.sentences()][2:] == [
            ("2", "copy"), ("3", "copy"), ("m1", "second"), ("m2", "second"),
        ]  # fmt: skip
        assert [tuple(each)[1:] for each in project.annotators()] == [("ben", "all"), ("ann", "source")]


def test_references_and_outputs_are_added_to_a_project(files: Path) -> None:
    assert fstmetrics(*IMPORT.split()).status == 0
    written(files / "b.txt", "the black cat\nhi\n")
    line = "annotate p --system b=b.txt --ref more=a.txt --align b=links --export x"
    outcome = fstmetrics(*line.split())
    assert outcome.status == 0, outcome.err
    assert "p: more, b added to 2 sentences\n" in outcome.err
    with Project.read(files / "p") as project:
        texts = project.texts(1)
        assert [(text.kind, text.name) for text in texts] == [
            ("reference", "ref"), ("reference", "more"), ("system", "a"), ("system", "b"),
        ]  # fmt: skip
        assert (texts[3].words, texts[3].links) == (("the", "black", "cat"), ((0, 0), (1, 2), (2, 1)))
        assert project.texts(2)[3].words == ("hi",)
        ben = project.annotator("ben")
        assert project.history(1, ben).revision == 1  # what people did is as it was
    # A second document: of all sentences in their order, by id, or of one document.
    written(files / "more.txt", "m1 buenos días\nm2 adiós\n")
    ids = "annotate p --import more.txt --document second --format kaldi-text --export y"
    assert fstmetrics(*ids.split()).status == 0
    written(files / "all.txt", "w\nx\ny\nz\n")
    written(files / "by-id", "m2 bye\nm1 good day\n")
    for line in (
        "annotate p --system c=all.txt --export y2",
        "annotate p --system d=by-id --format kaldi-text --document second --export y3",
        "annotate p --system e=b.txt --document second --export y4",
    ):
        outcome = fstmetrics(*line.split())
        assert outcome.status == 0, outcome.err
    with Project.read(files / "p") as project:
        last = {text.name: text.words for text in project.texts(4)}
        assert last == {"c": ("z",), "d": ("bye",), "e": ("hi",)}
        assert [text.name for text in project.texts(1)][3:] == ["b", "c"]


# A test set in one file.
TABLES = {
    "csv": "id,source,reference,hyp\nd:1,el gato,the cat,a cat\nd:2,hola,hello,hi\n",
    "jsonl": '{"id": "d:1", "src": "el gato", "ref": "the cat", "mt": "a cat"}\n'
    '{"id": "d:2", "src": "hola", "ref": "hello", "mt": "hi"}\n',
    "xml": "<dataset id='n'><doc id='d'>"
    "<src lang='es'><p><seg id='1'>el gato</seg><seg id='2'>hola</seg></p></src>"
    "<ref lang='en' translator='A'><p><seg id='1'>the cat</seg><seg id='2'>hello</seg></p></ref>"
    "<hyp system='X' language='en'><p><seg id='1'>a cat</seg><seg id='2'>hi</seg></p></hyp></doc></dataset>\n",
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_has_sources_references_and_outputs(kind: str, files: Path) -> None:
    """Each is its own column; also of what is added to a project later, and of `network build --source`."""
    written(files / "t", TABLES[kind])
    cards = [fm.Card.from_phrases("ROOT", ["the cat"], (0, 2))]
    written(files / "nets" / "0.json", fm.Network(cards, "ROOT", id="d:1").to_json())
    for line in (
        "annotate p --import t --ref r=t --system a=t --networks ben=nets --export x",
        "annotate p --system b=t --export y",
    ):
        outcome = fstmetrics(*line.split())
        assert outcome.status == 0, outcome.err
    with Project.read(files / "p") as project:
        sources = [sentence.source for sentence in project.sentences()]
        assert sources == [("el", "gato"), ("hola",)]
        assert [(text.name, text.words) for text in project.texts(1)] == [
            ("r", ("the", "cat")), ("a", ("a", "cat")), ("b", ("a", "cat")),
        ]  # fmt: skip
    written(files / "kr", "d:1 the cat\nd:2 hello\n")
    for references in ("t", "kr"):
        built = fstmetrics("network", "build", references, "--source", "t", "-o", f"nets-{references}")
        assert built.status == 0, built.err
        assert [net.source for net in fm.Network.read_all(files / f"nets-{references}")] == sources


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_texts_of_tables_may_have_columns_of_their_names(form: str, files: Path) -> None:
    """A file without a name takes the usual column, whatever it is called itself."""
    rows = [
        ["id", "source", "ref", "hyp", "A", "c"],
        ["d:1", "el gato", "the cat", "cat", "no cat", "a cat"],
    ]
    content = "".join(",".join(row) + "\n" for row in rows)
    written(files / "A", content if form == "csv" else json.dumps(dict(zip(*rows, strict=True))) + "\n")
    cards = [fm.Card.from_phrases("ROOT", ["the cat"], (0, 2))]
    written(files / "nets" / "0.json", fm.Network(cards, "ROOT", id="d:1").to_json())
    for line in (
        "annotate p --import A --ref A --ref r2=A --system c=A --networks ben=nets --export x",
        "annotate p --system b=A --system hyp=A --export y",
    ):
        outcome = fstmetrics(*line.split())
        assert outcome.status == 0, outcome.err
    with Project.read(files / "p") as project:
        assert [(text.name, " ".join(text.words)) for text in project.texts(1)] == [
            ("A", "the cat"), ("r2", "the cat"), ("c", "a cat"), ("b", "cat"), ("hyp", "cat"),
        ]  # fmt: skip
    written(files / "t.csv", "id,source,ref1,ref2,B\nd:1,el gato,a,b,c\n")
    for given, side in (("--ref t.csv", "reference"), ("--system C=t.csv", "hypothesis")):
        refused = fstmetrics(*f"annotate q --import src.txt {given} --export z".split())
        assert refused.status == 2
        assert f"known to be the {side}: say which column it is, COLUMN=FILE, or call" in refused.err


def test_columns_of_tables_that_are_not_known_are_to_be_called_so(files: Path) -> None:
    written(files / "t.csv", "id,spanish,english\nd:1,el gato,the cat\n")
    for line, name in (
        ("annotate p --import t.csv --export x", "source"),
        ("annotate p --import src.txt --system a=t.csv --export x", "hyp"),
        ("network build ref.txt --source t.csv -o n", "source"),
    ):
        outcome = fstmetrics(*line.split())
        assert outcome.status == 2
        assert f"call one column {name}; the columns are id, spanish, english" in outcome.err
    written(files / "kr", "d:1 the cat\n")
    written(files / "t.csv", "id,source,english\nd:1,el gato,the cat\n")
    assert fstmetrics("network", "build", "kr", "--source", "t.csv", "-o", "n").status == 0
    written(files / "s", "d:1 el gato\n")  # a text beside a table with `--fields`
    given = ("network", "build", "t.csv", "--fields", "ref=english", "--source", "s", "-o", "m")
    assert fstmetrics(*given).status == 0


MARKED = {
    "it &apos;s {} he said": "has escaped characters, as Moses writes them",
    "it 's {} he sa@@ id": "has pieces of words, marked @@",
    '"it \'s {} he said"': "has quotation marks around each line",
}


@pytest.mark.parametrize("form", MARKED)
def test_marks_that_only_some_texts_have_are_refused(files: Path, form: str) -> None:
    """As by `network propose`; also beside the texts that a project has. Sources are of another language."""
    for name, each in (("src.txt", form), ("ref.txt", "it 's {} he said"), ("b.txt", form)):
        written(files / name, "".join(f"{each.format(number)}\n" for number in range(8)))
    imported = ("annotate", "p", "--export", "x", "--import", "src.txt")
    added = ("annotate", "p", "--export", "x", "--system", "b=b.txt")
    refused = fstmetrics(*imported, "--ref", "ref.txt", "--system", "b=b.txt")
    assert (refused.status, f"b.txt: {MARKED[form]}" in refused.err) == (2, True), refused
    assert "and ref.txt has none: make words of them" in refused.err
    assert "p: 8 sentences imported from src.txt" in fstmetrics(*imported, "--ref", "ref.txt").err
    refused = fstmetrics(*added)
    assert (refused.status, "p has none: make words of them" in refused.err) == (2, True), refused
    said = fstmetrics(*added, "--format", "plain").err
    assert (f"b.txt {MARKED[form]}" in said, "p: b added to 8 sentences" in said) == (True, True), said
    alike = ("annotate", "q", "--export", "x", "--import", "src.txt", "--ref", "b.txt", "--system", "c=b.txt")
    assert "q: 8 sentences imported from src.txt" in fstmetrics(*alike).err


ADDED_AND_REFUSED = {
    "--system a=ref.txt": "a reference or system 'a' already; give another name: NAME=FILE",
    "--ref a=ref.txt": "a reference or system 'a' already; give another name: NAME=FILE",
    "--system ref=a.txt": "a reference or system 'ref' already; give another name: NAME=FILE",
    "--system b=one.txt": "numbers of items differ: 2 in p, 1 in one.txt",
    "--system b=by-id --format kaldi-text": "p: nothing for 7, which others have",
    "--system b=a.txt --document other": "unknown document 'other'; known are src",
    "--system b=a.txt --align b=far": "sentence '0': the word alignment of b has 0-9",
    "--system b=a.txt --networks nets": "--networks and units are for --import FILE",
    "--system b=a.txt --target-unit mixed": "--networks and units are for --import FILE",
    "--align a=links": "there is no --ref or --system of that name",
    "--document src": "--document, --format, --tokenize and --lowercase are for --import FILE, --ref and --system",
}


@pytest.mark.parametrize("given", ADDED_AND_REFUSED)
def test_what_cannot_be_added_to_a_project_changes_nothing(files: Path, given: str) -> None:
    assert fstmetrics(*IMPORT.split()).status == 0
    written(files / "one.txt", "hello\n")
    written(files / "by-id", "0 a cat\n7 hello\n")
    written(files / "far", "0-9\n0-0\n")
    outcome = fstmetrics("annotate", "p", *given.split(), "--annotator", "new", "--export", "x")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert ADDED_AND_REFUSED[given] in outcome.err
    with Project.read(files / "p") as project:
        assert [text.name for text in project.texts(1)] == ["ref", "a"]
        assert [each.name for each in project.annotators()] == ["ben"]


def test_networks_are_the_users_own_where_nobody_is_named(files: Path) -> None:
    line = "annotate p --import src.txt --networks nets --annotator zoe --export out --to cards"
    assert fstmetrics(*line.split()).status == 0
    assert "[CAT] 1-2: cat; tomcat" in (files / "out" / "zoe" / "0.cards").read_text()


def test_names_and_files_may_have_an_equals_sign(files: Path) -> None:
    written(files / "r=1", "the black cat\nhello\n")
    written(files / "l=1", "0-0\n0-0\n")
    line = "annotate p --import src.txt --ref r=1 --system a=r=1 --align r=1=l=1 --export out"
    fstmetrics(*line.split())
    with Project.read(files / "p") as project:
        assert [(text.name, text.links) for text in project.texts(1)] == [("r=1", ((0, 0),)), ("a", None)]


@pytest.mark.parametrize(
    ("first", "key", "source"),
    [
        ("2008", "0", ("2008", "el", "gato")),
        ("u1", "0", ("u1", "el", "gato")),
        ("Berlusconi", "0", ("Berlusconi", "el", "gato")),
    ],
)
def test_a_number_that_begins_a_single_line_is_a_word(
    first: str, key: str, source: tuple[str, ...], files: Path
) -> None:
    written(files / "one", f"{first} el gato\n")
    written(files / "ref", f"{first} the cat\n")
    fstmetrics("annotate", "p", "--import", "one", "--ref", "ref", "--export", "out")
    with Project.read(files / "p") as project:
        assert [(sentence.key, sentence.source) for sentence in project.sentences()] == [(key, source)]


REFUSED = {
    "annotate p --ref ref.txt": "are for --import",
    "annotate p --combine spu": "--combine is for --export",
    "annotate nothing --export out": "is no annotation project",
    "annotate p --import src.txt --system a.txt": "expected NAME=FILE",
    "annotate p --import src.txt --ref ref.txt --align x=links": "no --ref or --system of that name",
    "annotate p --import src.txt --ref ref.txt --system ref=a.txt": "have one name",
    "annotate p --import src.txt --ref one.txt": "numbers of items differ",
    "annotate p --import src.txt --ref ref.txt --align ref=one": "1 line",
    "annotate p --import src.txt --ref ref.txt --align ref=far": "has 0-9",
    "annotate p --import src.txt --networks strange": "of no sentence",
    "annotate p --import blank.txt": "empty",
    "annotate p --import nowhere.txt": "nowhere.txt",
    "annotate p --import bytes.txt": "UTF-8",
    "annotate p --import src.txt --annotator ../x": "annotator's name",
    "annotate p --import src.txt --annotator ann=everything": "protocol is one of",
    "annotate p --import src.txt --networks wild": "surrogate",
    "annotate p --import slash --format kaldi-text": "cannot be a file's name",
    "annotate nets": "is no annotation project, and not empty",
    "annotate p": "a new one begins with --import FILE\n",
    "annotate p --annotator ben": "a new one begins with --import FILE\n",
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_wrong_is_one_line_and_no_project(files: Path, line: str) -> None:
    if line in ("annotate p --import src.txt --annotator ../x", "annotate nets"):  # once it would serve
        pytest.importorskip("starlette")
    written(files / "one.txt", "hello\n")
    written(files / "one", "0-0\n")
    written(files / "far", "0-9\n0-0\n")
    written(files / "blank.txt", "a\n\nb\n")
    written(files / "bytes.txt", b"a\xff\n")
    written(files / "slash", "a/b hola\n")
    (files / "strange").mkdir()
    written(
        files / "strange" / "x.json",
        (files / "nets" / "0.json").read_text().replace('"id": "0"', '"id": "x"'),
    )
    (files / "wild").mkdir()
    wild = {
        "format": "fstmetrics-network/1",
        "id": "0",
        "root": "S",
        "cards": {"S": {"phrases": ["a\ud800"]}},
    }
    written(files / "wild" / "0.json", json.dumps(wild))
    outcome = fstmetrics(*line.split(), "--no-browser", "--port", 0)
    assert outcome.status == 2, outcome.out
    assert outcome.err.count("\n") == 1
    assert REFUSED[line] in outcome.err
    sentences = 0
    if (files / "p" / "project.sqlite").is_file():
        with Project.open(files / "p") as project:
            sentences = len(project.sentences())
    assert sentences == 0


def test_a_name_with_a_typo_is_no_new_project(files: Path) -> None:
    (files / "in").mkdir()
    for name in ("project", "in/news"):
        assert (
            "sentences imported" in fstmetrics("annotate", name, "--import", "src.txt", "--export", "x").err
        )
    for typed, meant in (("projct", "project"), ("in/new/", "in/news"), ("./prject", "project")):
        for more in ("", "--annotator ben", "--export out"):
            outcome = fstmetrics("annotate", typed, *more.split(), "--no-browser", "--port", 0)
            assert (outcome.status, outcome.err.count("\n")) == (2, 1)
            assert outcome.err.endswith(f"; did you mean {meant}?\n")
    assert not any((files / name).exists() for name in ("projct", "in/new", "prject", "out"))


def test_chinese_is_cut_into_characters_and_the_option_says_otherwise(files: Path) -> None:
    written(files / "zh.txt", "意大利总理贝卢斯科尼\n")
    for unit, words in (("auto", 10), ("word", 1), ("character", 10)):
        line = f"annotate {unit} --import zh.txt --source-unit {unit} --export out"
        assert "no sentence has a network yet" in fstmetrics(*line.split()).err
        with Project.open(files / unit) as project:
            assert len(project.sentences()[0].source) == words


def test_networks_of_the_examples_go_in_and_come_out(files: Path) -> None:
    networks = {network.id: network for network in fm.Network.read_all(HYTER[0])}
    written(files / "s", "".join(f"{id} a b c d e f g h i j k\n" for id in networks))
    line = f"annotate p --import s --format kaldi-text --networks ann={HYTER[0]} --export out"
    outcome = fstmetrics(*line.split())
    if outcome.status:  # one has another source, which is said
        assert "another source" in outcome.err or "has the span" in outcome.err
        written(
            files / "s", "".join(f"{id} {' '.join(n.source or ['x'] * 30)}\n" for id, n in networks.items())
        )
        outcome = fstmetrics(*line.split())
    assert outcome.status == 0, outcome.err
    for id, network in networks.items():
        assert set(fm.Paths(fm.Network.read(files / "out" / "ann" / f"{id}.json"))) == set(fm.Paths(network))


def test_without_the_extra_it_says_what_to_install(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    outcome = fstmetrics("annotate", "p", "--import", "src.txt", "--no-browser")
    assert outcome.status == 2
    assert "pip install 'fstmetrics[annotate]'" in outcome.err


@pytest.mark.parametrize(
    ("unit", "phrases", "hypothesis"),
    [
        ("mixed", ["意 大 利 [总 理]", "[ 总 理 ] 来 了"], "意大利总理"),
        ("mixed", ["カナ カ 意 [总 理]"], "カナ カ 意总理"),
        ("mixed", ["ไทย ไทย 意 [总 理]"], "ไทย ไทย意总理"),
        ("char-no-space", ["カ ナ カ 意 [总 理]"], "カナカ意总理"),
        ("char-no-space", ["ไทย ไ G P S [总 理]"], "ไทยไGPS总理"),
        ("word", ["カナ カ 意 [总 理]"], "カナ カ 意 总 理"),
    ],
)
def test_import_export_and_score_agree_in_every_unit(
    unit: str, phrases: list[str], hypothesis: str, files: Path
) -> None:
    """Networks, the project of them, and what it exports have the same strings, with names as they are."""
    cards = [fm.Card.from_phrases("S", phrases), fm.Card.from_phrases("总 理", ["总 理", "首 相"])]
    if "[ 总 理 ]" in " ".join(phrases):
        cards.append(fm.Card.from_phrases(" 总 理 ", ["他"]))
    (files / "zh").mkdir()
    written(files / "zh" / "0.json", fm.Network(cards, "S", id="0").to_json())
    written(files / "one", "the\n")
    written(files / "hyp", f"{hypothesis}\n")
    line = f"annotate p --import one --networks ann=zh --target-unit {unit} --export out"
    assert fstmetrics(*line.split()).status == 0
    scores = {
        networks: fstmetrics("hyter", networks, "hyp", "--unit", unit, "--json").summary["score"]
        for networks in ("zh", "p", "out/ann")
    }
    assert set(scores.values()) == {0.0}, scores
    paths = [set(fm.Paths(fm.Network.read(files / folder / "0.json"))) for folder in ("zh", "out/ann")]
    assert ["".join(words) for words in sorted(paths[0])] == ["".join(words) for words in sorted(paths[1])]


@pytest.mark.parametrize("phrases", [["", "a"], ["[X]"], ["[X] [X]", "b"]])
def test_networks_with_a_path_without_words_are_refused(phrases: list[str], files: Path) -> None:
    cards = [fm.Card.from_phrases("S", phrases), fm.Card.from_phrases("X", ["", "x"])]
    (files / "empty").mkdir()
    written(files / "empty" / "0.json", fm.Network(cards, "S", id="0").to_json())
    outcome = fstmetrics("annotate", "p", "--import", "src.txt", "--networks", "empty", "--export", "out")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "sentence '0': the network '0' has a path without words" in outcome.err


def test_an_export_says_what_it_lacks(files: Path) -> None:
    outcome = fstmetrics(*IMPORT.split())
    assert "p: 1 of 2 sentences has no network yet\n" in outcome.err
    assert "unfinished" not in outcome.err
    assert "p can also be scored as it is: fstmetrics hyter p hyp.txt" in outcome.err
    with Project.open(files / "p") as project:
        ben = project.annotator("ben")
        cards = project.cards(1, ben)
        op = {"op": "text", "card": "c1", "text": "cat; (big|great cat; [tom"}
        project.change(1, ben, 1, "change", changed(cards, op, 3), op)
    outcome = fstmetrics("annotate", "p", "--export", "y")
    assert outcome.out == "y: 1 network\n"
    wanted = "p: 2 unfinished phrases left out; the first is sentence 0, card CAT of ben: (big|great cat: ( has no )\n"
    assert wanted in outcome.err


@pytest.fixture
def chinese(files: Path) -> Path:
    """A project of a sentence in the unit `mixed`, and its networks in both forms."""
    cards = [fm.Card.from_phrases("S", ["意 大 利 [PM]"]), fm.Card.from_phrases("PM", ["总 理"])]
    (files / "zh").mkdir()
    written(files / "zh" / "0.json", fm.Network(cards, "S", id="0").to_json())
    written(files / "one", "the\n")
    written(files / "ref", "意大利总理\n")
    written(files / "hyp", "意大利总理\n")
    line = "annotate p --import one --ref ref --networks ann=zh --export out"
    assert "fstmetrics hyter p hyp.txt --unit mixed\n" in fstmetrics(*line.split()).err
    assert fstmetrics(*["annotate", "p", "--export", "text", "--to", "cards"]).status == 0
    return files


@pytest.mark.parametrize("networks", ["p", "out/ann", "text/ann"])
@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("--unit mixed", 0),
        ("", 2),
        ("--unit char", 2),
        ("--unit char-no-space", 2),
        ("--tokenize zh", 2),
        ("--unit word", 2),
    ],
)
def test_networks_are_scored_in_the_unit_of_their_words_only(
    networks: str, given: str, status: int, chinese: Path
) -> None:
    for line in (f"hyter {networks} hyp", f"compare A=hyp B=hyp --networks {networks} --metric hyter"):
        outcome = fstmetrics(*line.split(), *given.split(), "--json")
        assert outcome.status == status, outcome.err
        if status:
            assert "give --unit mixed" in outcome.err
            assert outcome.err.count("\n") == 1
    if not status:
        scored = fstmetrics("hyter", networks, "hyp", *given.split(), "--json").summary
        assert scored["score"] == 0.0


def test_exported_networks_keep_their_unit(chinese: Path) -> None:
    for line in (
        "network convert out/ann -o a --to cards",
        "network normalise a -o b",
        "network spu b text/ann -o c.json",
        "annotate q --import one --networks c.json --export d",
    ):
        assert fstmetrics(*line.split()).status == 0, line
    with Project.read(chinese / "q") as project:
        assert project.normalisation.unit == "mixed"
        (ann,) = project.annotators()
    network = fm.Network.read(chinese / "d" / ann.name / "0.json")
    assert network.unit == "mixed"
    assert pickle.loads(pickle.dumps(network)) == network
    refused = fstmetrics(
        *[
            "annotate",
            "r",
            "--import",
            "one",
            "--networks",
            "c.json",
            "--target-unit",
            "word",
            "--export",
            "e",
        ]
    )
    assert (refused.status, "give --target-unit mixed" in refused.err) == (2, True)


@pytest.mark.parametrize("networks", ["out/ann/0.json", "text/ann/0.cards", "p"])
def test_proposals_for_networks_of_units_are_in_units(networks: str, chinese: Path) -> None:
    written(chinese / "outputs", "意大利首相\n")
    outcome = fstmetrics("network", "propose", networks, "--system", "A=outputs", "--json")
    assert outcome.status == 0, outcome.err
    (one,) = json.loads(outcome.out)["proposals"]
    assert (one["card"], one["phrase"], one["saved"]) == ("PM", "首 相", 2)
