"""Projects of the annotation tool where a command takes networks, also while some sentences have none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from command import fstmetrics

from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.progress_tables import annotator_rows, progress_rows
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.sentence_cards import changed

NETWORKS = {"0": "one two; one to", "2": "five six"}  # of three sentences
OUTPUTS = {"A": ["one two", "three for", "five six"], "B": ["one to", "three for", "five sick"]}
COMPARED = ("--networks", "project", "--metric", "hyter")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of which the second of three sentences has no network, and outputs of two systems."""
    monkeypatch.chdir(tmp_path)
    with Project.open("project", create=True) as project:
        ann = project.add_annotator("ann")
        project.add("news", [new_sentence(str(number), "a b") for number in range(3)])
        for sentence in project.sentences():
            if text := NETWORKS.get(sentence.key):
                history = project.history(sentence.id, ann)
                effect = changed(history.cards, {"op": "text", "card": "root", "text": text}, 2)
                project.change(sentence.id, ann, 0, "change", effect)
    for name, lines in OUTPUTS.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        numbered = "".join(f"{number} {line}\n" for number, line in enumerate(lines))
        (tmp_path / f"{name}.ids").write_text(numbered)
    rows = [f"{name}\t{n}\t{n + len(lines[n])}" for name, lines in OUTPUTS.items() for n in range(3)]
    (tmp_path / "human").write_text("\n".join(["system\tsegment\thuman", *rows]) + "\n")
    return tmp_path


@pytest.mark.parametrize("ending", ["", ".ids"])
@pytest.mark.parametrize(
    "command",
    [
        ["hyter", "project", "A{}"],
        ["compare", "A{}", "B{}", *COMPARED],
        ["report", "A{}", "B{}", *COMPARED, "-o", "page.html"],
        ["correlate", "human", "A=A{}", "B=B{}", *COMPARED],
    ],
    ids=lambda command: command[0],
)
def test_sentences_without_a_network_are_refused_or_left_out(
    command: list[str], ending: str, here: Path
) -> None:
    given = [part.format(ending) for part in command]
    refused = fstmetrics(*given)
    assert refused.status == 2
    assert refused.err.startswith("fstmetrics: no reference for 1 in project (--missing skip leaves")
    assert "--missing empty" not in refused.err
    assert refused.err.endswith("project: 1 of 3 sentences has no network yet\n")
    assert refused.err.count("\n") == 1
    assert fstmetrics(*given, "--missing", "skip").status == 0


def test_lines_without_ids_are_left_out_for_want_of_a_network(here: Path) -> None:
    outcome = fstmetrics("hyter", "project", "A", "--missing", "skip")
    assert "\n2 items; 1 left out: no network yet\n" in outcome.out


def test_the_sentences_that_are_there_are_paired_as_written(here: Path) -> None:
    by_order, by_id = (
        fstmetrics("compare", f"A{end}", f"B{end}", *COMPARED, "--missing", "skip", "--json").summary
        for end in ("", ".ids")
    )
    scores = [system["hyter"]["score"] for system in by_order["systems"].values()]
    assert scores == [0.0, 0.25]
    assert [system["hyter"]["score"] for system in by_id["systems"].values()] == scores
    assert by_order["remarks"] == [
        "no p of bootstrap for fewer than 6 items; --test randomization tests so few",
        "1 item left out: no network yet",
        "paired by order: A, B with the sentences of project",
        "project: 1 of 3 sentences has no network yet",
    ]
    assert "missing:skip" in by_order["settings"]["signatures"][0]
    assert by_order["settings"]["pairing"]["by"] == "order"
    assert by_id["settings"]["pairing"]["by"] == "id"


def test_what_one_system_lacks_is_left_out_for_all(here: Path) -> None:
    (here / "C.ids").write_text("2 five six\n")
    summary = fstmetrics("compare", "A.ids", "C.ids", *COMPARED, "--missing", "skip", "--json").summary
    assert summary["settings"]["items"] == 1
    assert summary["remarks"][:2] == [
        "1 item left out: no network yet",
        "1 item left out: C.ids has nothing for its id",
    ]
    (here / "C.ids").write_text("7 five six\n")
    given = [*COMPARED, "--format", "kaldi-text", "--missing", "skip"]
    refused = fstmetrics("compare", "A.ids", "C.ids", *given)
    assert refused.status == 2
    assert "no id" in refused.err


@pytest.mark.parametrize("lines", [["one two", "five six"], ["one two", "five six", "seven", "nine"]])
def test_another_number_of_lines_is_refused(lines: list[str], here: Path) -> None:
    """Also as many as there are networks: nobody knows which sentences they are of."""
    (here / "A").write_text("".join(f"{line}\n" for line in lines))
    refused = fstmetrics("hyter", "project", "A", "--missing", "skip")
    assert refused.status == 2
    assert f"A: has {len(lines)} items without ids, and project 3 sentences" in refused.err


def test_judged_segments_without_a_network_are_left_out(here: Path) -> None:
    outcome = fstmetrics("correlate", "human", "A", "B", *COMPARED, "--missing", "skip", "--output", "table")
    assert outcome.status == 0
    assert [line.split()[:2] for line in (here / "table").read_text().splitlines()[1:]] == [
        ["A", "0"], ["A", "2"], ["B", "0"], ["B", "2"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [
        ["hyter", "project", "A"],
        ["compare", "A", "B", *COMPARED],
        ["network", "info", "project"],
        ["network", "validate", "project"],
        ["annotate", "project", "--export", "out"],
    ],
    ids=lambda command: "-".join(command[:2]),
)
@pytest.mark.parametrize("phrase", ["two (or|and three", "red | blue"])
def test_unfinished_phrases_are_told(phrase: str, command: list[str], here: Path) -> None:
    """By all that reads a project; a network without any has no such line."""
    for key, text in (("0", f"one two; {phrase}"), ("1", "three for")):
        _typed(key, text)
    told = fstmetrics(*command)
    assert told.status == 0
    line = f"project: 1 unfinished phrase left out; sentence 0, card S of ann: {phrase}"
    assert line in told.out + told.err
    _typed("0", "one two")
    assert "unfinished" not in fstmetrics(*command).out + told.out.replace(line, "")


LEFT_OUT = [
    ("one two; [X] two", "[X] two: waits for [X]"),
    ("one two; (the|a) [X]'s ([Y]|)", "(the|a) [X]'s ([Y]|): waits for [X], [Y]"),
    ("one two; (one)", "(one): a whole sentence has words, and here all of them can be left out"),
    ("one two; ()", "(): a whole sentence has words, and here all of them can be left out"),
]


@pytest.mark.parametrize(("text", "said"), LEFT_OUT)
def test_phrases_that_wait_or_have_no_words_are_told_as_left_out(text: str, said: str, here: Path) -> None:
    _typed("0", text)
    for command in (
        ["hyter", "project", "A", "--missing", "skip"],
        ["annotate", "project", "--export", "out"],
    ):
        told = fstmetrics(*command)
        line = f"project: 1 unfinished phrase left out; sentence 0, card S of ann: {said}"
        assert (told.status, line in told.out + told.err) == (0, True), told


def test_all_phrases_that_are_left_out_are_counted(here: Path) -> None:
    """Also those of a card that calls an empty one, and those that call it."""
    _typed("0", "one two; (one; [X] two; three [Y]; (one)")
    _typed("0", "[Z]; two", card="Y")  # finished in part: what calls it does not wait
    said = fstmetrics("annotate", "project", "--export", "out").err
    assert "project: 4 unfinished phrases left out; the first is sentence 0, card " in said
    _typed("0", "[Z]", card="Y")
    again = fstmetrics("annotate", "project", "--export", "again").err
    assert "project: 5 unfinished phrases left out; " in again
    for card in "XZ":
        _typed("0", "x", card=card)
    assert "2 unfinished phrases left out" in fstmetrics("annotate", "project", "--export", "third").err


@pytest.mark.parametrize(
    ("texts", "median"),
    [
        (
            ["a; b; c", "[X]; d"],
            "2",
        ),  # a card without a phrase is no path; those of the sentence alone count, too
        (["a; b; c; d", "a; b; c"], "3.5"),
        (["a; b", "", "a"], "1.5"),
        (["", "[X]"], ""),
    ],
)
def test_the_median_of_paths_is_of_all_networks(texts: list[str], median: str, here: Path) -> None:
    for key in "012":
        _typed(key, "")
    for key, text in enumerate(texts):
        _typed(str(key), text)
    outcome = fstmetrics("annotate", "project", "--export", "out")
    if not median:
        assert "no sentence has a network yet" in outcome.err
        with Project.open("project") as project:
            (row,) = annotator_rows(progress_rows(project))
        assert row["median_paths"] is None
        return
    (row,) = csv.DictReader((here / "out" / "annotators.csv").read_text().splitlines())
    assert row["median_paths"] == median


def _typed(key: str, text: str, card: str = "S") -> None:
    with Project.open("project") as project:
        ann = project.annotators()[0]
        (sentence,) = [each for each in project.sentences() if each.key == key]
        history = project.history(sentence.id, ann)
        (id,) = [each.id for each in history.cards.values() if each.name == card]
        effect = changed(history.cards, {"op": "text", "card": id, "text": text}, 2)
        project.change(sentence.id, ann, history.revision, "change", effect)


def test_cards_that_nothing_calls_join_those_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a project as in files of networks, and as in what is exported."""
    monkeypatch.chdir(tmp_path)
    for name, cards in (("an", "[A] 0-2: x; y\n[S] 0-3: [A] z"), ("bn", "[B] 0-2: y; w\n[S] 0-3: one z")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0.cards").write_text(f"id: 0\nroot: S\nsource: uno dos tres\n{cards}\n")
    (tmp_path / "src").write_text("uno dos tres\n")
    (tmp_path / "hyp").write_text("w z\n")
    made = ["annotate", "project", "--import", "src", "--networks", "anna=an", "--networks", "ben=bn"]
    assert fstmetrics(*made, "--export", "ex").status == 0
    assert fstmetrics("annotate", "project", "--export", "joined", "--combine", "spu").status == 0
    assert fstmetrics("network", "spu", "ex/anna", "ex/ben", "-o", "both", "--to", "json").status == 0
    for networks in ("project", "joined", "both"):
        assert fstmetrics("hyter", networks, "hyp").out.splitlines()[1].split()[1] == "0.0000"
    assert fstmetrics("annotate", "project", "--export", "all", "--combine", "union").status == 0
    assert fstmetrics("hyter", "all", "hyp").out.splitlines()[1].split()[1] == "0.5000"


def test_the_networks_of_a_project_are_checked(here: Path) -> None:
    found = fstmetrics("network", "validate", "project")
    assert (found.status, found.out) == (0, "2 networks, none with faults\n")
    assert found.err == "fstmetrics: project: 1 of 3 sentences has no network yet\n"


def test_verify_names_the_way_from_a_project_to_its_networks(here: Path) -> None:
    (here / "A.ids").rename("A.txt")
    given = ("--missing", "skip", "--alignment", "-o", "records")
    assert fstmetrics("hyter", "project", "A.txt", *given).status == 0
    refused = fstmetrics("verify", "records", "project", "A.txt")
    assert "fstmetrics annotate project --export FOLDER --combine spu writes its networks" in refused.err
    assert fstmetrics("annotate", "project", "--export", "out", "--combine", "spu").status == 0
    assert fstmetrics("verify", "records", "out", "A.txt").out.startswith("2 of 2 records proved")


def test_a_project_without_a_byte_is_no_new_one(here: Path) -> None:
    (here / "project" / "project.sqlite").write_bytes(b"")
    for command in (("hyter", "project", "A"), ("annotate", "project", "--export", "out")):
        refused = fstmetrics(*command)
        assert refused.status == 2
        assert (
            "project: the file project.sqlite is empty, so that nothing is left of the project" in refused.err
        )
