"""The project's folder: what is saved stays, whatever happens; old files are read, other ones refused."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from annotation_projects import BERLUSCONI, made
from places import DATA

from fstmetrics.apps.annotate import project_file
from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.annotation_service import AnnotationService
from fstmetrics.apps.annotate.change_history import ChangeHistory
from fstmetrics.apps.annotate.progress_tables import progress_rows
from fstmetrics.apps.annotate.project_export import annotated_networks, networks_of
from fstmetrics.apps.annotate.project_file import FILE, UnsavedError
from fstmetrics.apps.annotate.project_store import ConflictError, Project, ProjectText
from fstmetrics.apps.annotate.sentence_cards import ChangeRefusedError, changed
from fstmetrics.support.errors import FstmetricsError, InputError

# Written by `iterdump` of a project of 2026-11.
OLD = DATA / "project_of_version_1.sql"


def build(project: Project, sentence: int = 1, name: str = "ann") -> ChangeHistory:
    annotator = project.annotator(name)
    history = project.history(sentence, annotator)
    for request in BERLUSCONI:
        effect = changed(history.cards, request, 6)
        history = project.change(sentence, annotator, history.revision, "change", effect, request)
    return history


def test_what_was_saved_is_there_again(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        history = project.change(1, project.annotator("ann"), history.revision, "undo")
    with Project.open(tmp_path / "p") as project:
        ann = project.annotator("ann")
        again = project.history(1, ann)
        assert again == history
        assert project.cards(1, ann) == again.cards
        assert project.annotated(1) == {ann: again.cards}
        assert project.texts(1)[0].words[:2] == ("the", "Italian")
        redone = project.change(1, ann, again.revision, "redo")
        assert redone.cards["root"].text == "[PMI] [SILVIO-BERLUSCONI]"
        for _ in BERLUSCONI:
            redone = project.change(1, ann, redone.revision, "undo")
        with pytest.raises(ChangeRefusedError, match="nothing to undo"):
            project.change(1, ann, redone.revision, "undo")


def test_a_project_is_its_owner_s_until_somebody_says_otherwise(tmp_path: Path) -> None:
    file = made(tmp_path / "p") / FILE
    assert oct(file.stat().st_mode)[-3:] == "600"
    file.chmod(0o660)
    Project.open(tmp_path / "p").close()
    assert oct(file.stat().st_mode)[-3:] == "660"


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_nobody_else_may_read_a_project_in_its_first_session(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with Project.open(tmp_path / "p", create=True) as project:
            project.add_annotator("ann")
            modes = {file.name: oct(file.stat().st_mode)[-3:] for file in (tmp_path / "p").iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys([FILE, f"{FILE}-wal", f"{FILE}-shm", "lock"], "600")


def test_what_a_killed_process_left_gets_the_rights_of_the_project(tmp_path: Path) -> None:
    folder = made(tmp_path / "p")
    for rights in (0o600, 0o660):
        (folder / FILE).chmod(rights)
        for beside in ("wal", "shm"):
            (folder / f"{FILE}-{beside}").touch(0o644)
            (folder / f"{FILE}-{beside}").chmod(0o644)
        with Project.open(folder) as project:
            project.add_annotator("ben")
            modes = {oct(each.stat().st_mode)[-3:] for each in folder.glob(f"{FILE}*")}
        assert modes == {oct(rights)[-3:]}


def test_states_are_what_the_log_says(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p", 2)) as project:
        build(project, 1)
        build(project, 2)
    with Project.open(tmp_path / "p") as project:
        for annotator, sentence, cards in project.all_cards():
            assert project.history(sentence, annotator).cards == cards


def test_a_change_of_an_older_revision_is_a_conflict(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        with pytest.raises(ConflictError, match="revision 2") as conflict:
            project.change(1, project.annotator("ann"), 2, "undo")
        assert conflict.value.history == history


def test_one_process_at_a_time_writes_and_others_read(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        build(project)
        with pytest.raises(UnsavedError, match="another process"):
            Project.open(tmp_path / "p")
        with Project.read(tmp_path / "p") as copy:
            assert len(networks_of([*annotated_networks(copy)])) == 1
            with pytest.raises(UnsavedError, match="open for reading"):
                copy.add_annotator("ben")
    Project.open(tmp_path / "p").close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_can_be_read(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        build(project)
    (tmp_path / "p").chmod(0o555)
    try:
        with pytest.raises(UnsavedError, match="Permission denied"):
            Project.open(tmp_path / "p")
        with Project.read(tmp_path / "p") as project:
            assert len(networks_of([*annotated_networks(project)])) == 1
    finally:
        (tmp_path / "p").chmod(0o755)


def test_a_file_that_is_read_only_loses_nothing(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        project._connection.execute("PRAGMA query_only = ON")  # as a file system that was mounted again
        with pytest.raises(UnsavedError, match="cannot be written"):
            project.change(1, project.annotator("ann"), history.revision, "undo")
        assert project.history(1, project.annotator("ann")) == history
        project._connection.execute("PRAGMA query_only = OFF")
        assert project.change(1, project.annotator("ann"), history.revision, "undo").revision == 6


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        ann = project.annotator("ann")
        ((pages,),) = project._connection.execute("PRAGMA page_count")
        project._connection.execute(f"PRAGMA max_page_count = {pages}")
        effect = changed(history.cards, {"op": "create", "text": "long " * 3900}, 6)
        with pytest.raises(UnsavedError, match="the disk is full"):
            project.change(1, ann, history.revision, "change", effect)
        assert project.history(1, ann) == history
    with Project.open(tmp_path / "p") as project:
        assert project.history(1, project.annotator("ann")) == history
        assert (
            project.change(1, project.annotator("ann"), history.revision, "undo").revision
            == history.revision + 1
        )


def test_old_versions_are_brought_up_to_date(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        dump = "\n".join(project._connection.iterdump())
    for version in range(1, project_file.VERSION + 1):
        folder = tmp_path / f"v{version}"
        folder.mkdir()
        old = sqlite3.connect(folder / FILE, isolation_level=None)
        old.executescript(";".join(project_file.STEPS[:version]))
        there = {name for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for line in dump.split("\n"):
            if line.startswith("INSERT INTO") and line.split('"')[1] in there:
                old.execute(line)
        old.execute(f"PRAGMA application_id = {project_file.APPLICATION}")
        old.execute(f"PRAGMA user_version = {version}")
        old.close()
        with Project.read(folder) as project:
            assert len(networks_of([*annotated_networks(project)])) == 1
        with Project.open(folder) as project:
            assert project.history(1, project.annotator("ann")) == history
            ((now,),) = project._connection.execute("PRAGMA user_version")
            assert now == project_file.VERSION


def test_what_is_no_project_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no annotation project: there is no"):
        Project.open(tmp_path)
    with pytest.raises(InputError, match="is no annotation project"):
        Project.read(tmp_path)
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        Project.open(tmp_path, create=True)
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]


@pytest.mark.parametrize(("statement", "message"), [
    ("PRAGMA user_version = 99", "has version 99"), ("PRAGMA application_id = 1", "of another program"),
])  # fmt: skip
def test_files_of_others_are_refused(tmp_path: Path, statement: str, message: str) -> None:
    made(tmp_path / "p")
    file = sqlite3.connect(tmp_path / "p" / FILE)
    file.execute(statement)
    file.close()
    before = (tmp_path / "p" / FILE).read_bytes()
    for opening in (Project.open, Project.read):
        with pytest.raises(InputError, match=message):
            opening(tmp_path / "p")
    assert (tmp_path / "p" / FILE).read_bytes()[96:] == before[96:]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    made(tmp_path / "p")
    (tmp_path / "p" / FILE).write_bytes(b"no database at all, but text of some length" * 100)
    for opening in (Project.open, Project.read):
        with pytest.raises(InputError, match="is damaged, or no project"):
            opening(tmp_path / "p")


def test_a_project_is_one_folder_that_can_be_moved(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        shutil.copytree(tmp_path / "p", tmp_path / "while-open")  # with the log that is not in the file yet
    shutil.move(tmp_path / "p", tmp_path / "q")
    for name in ("q", "while-open"):
        with Project.open(tmp_path / name) as project:
            assert project.history(1, project.annotator("ann")) == history


def test_an_import_is_all_or_nothing(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        rows = [new_sentence("7", "x"), new_sentence("0", "twice")]
        with pytest.raises(FstmetricsError, match="a sentence '0' in the project already"):
            project.add("other", rows)
        assert [each.key for each in project.sentences()] == ["0"]
        assert project.add("other", rows[:1]) == 1
        assert [(each.key, each.document) for each in project.sentences()] == [("0", "news"), ("7", "other")]


@pytest.mark.parametrize("name", ["", "a b", "../x", ".x", "a/b", "x" * 61, "a\n", "-a"])
def test_names_of_annotators_are_names_of_files(tmp_path: Path, name: str) -> None:
    with (
        Project.open(made(tmp_path / "p")) as project,
        pytest.raises(FstmetricsError, match="annotator's name"),
    ):
        project.add_annotator(name)


def test_the_log_only_grows(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        history = build(project)
        before = project._rows("SELECT * FROM events ORDER BY seq")
        project.change(1, project.annotator("ann"), history.revision, "undo")
        after = project._rows("SELECT * FROM events ORDER BY seq")
    assert after[: len(before)] == before
    assert json.loads(before[0][6])["op"] == BERLUSCONI[0]


@pytest.mark.parametrize("name", ["progress.csv", "annotators.csv", "Progress.CSV"])
def test_no_annotator_has_the_name_of_an_exported_file(tmp_path: Path, name: str) -> None:
    with (
        Project.open(made(tmp_path / "p")) as project,
        pytest.raises(FstmetricsError, match="that of a file of an export"),
    ):
        project.add_annotator(name)


def old_project(folder: Path) -> Path:
    """A project that the first version of the tool made, without notes: what its file holds is `OLD`."""
    folder.mkdir()
    with sqlite3.connect(folder / FILE) as file:
        file.executescript(OLD.read_text(encoding="utf-8"))
        file.execute(f"PRAGMA application_id = {project_file.APPLICATION}")
        file.execute("PRAGMA user_version = 1")
    return folder


def test_a_project_of_an_earlier_state_of_the_tool_goes_on(tmp_path: Path) -> None:
    with Project.open(old_project(tmp_path / "p")) as project:
        ann, ben = project.annotators()
        service = AnnotationService(project)
        first, second, third = service.project(ann)["documents"][0]["sentences"]
        assert (first["cards"], first["paths"], first["done"]) == (2, "4", True)
        # An empty sentence was marked as done, which it is not.
        assert (third["done"], third["note"], third["cannot_translate"]) == (False, "", False)
        assert not service.sentence(ann, 3)["done"]
        assert second["paths"] == "0"
        assert service.sentence(ben, 2)["cards"][0]["text"] == "the black cat"
        # Undo goes back to the beginning, and what was rejected and judged is taken back on the way.
        told = []
        while service.sentence(ann, 1)["can_undo"]:
            revision = service.sentence(ann, 1)["revision"]
            told.append(service.undo(ann, 1, {"revision": revision})["what"])
        assert told == [
            "judgement of the prime minister Silvio Berlusconi", "rejection of premier of", "text of S",
            "new card SILVIO-BERLUSCONI", "new card PRIME-MINISTER",
        ]  # fmt: skip
        service.note(ann, 3, {"note": "why?", "cannot_translate": True})
        project.add_texts({2: [ProjectText("system", "B", ("the", "cat"))]})
    with Project.read(tmp_path / "p") as project:
        rows = {(row["sentence"], row["annotator"]): row for row in progress_rows(project)}
        assert (rows["2", "ann"]["cannot_translate"], rows["2", "ann"]["note"]) == (True, "why?")
        assert [text.name for text in project.texts(2)] == ["ref", "A", "B"]
