"""The file of a project: how it is opened, brought up to date, locked, and read where it cannot be written.

`STEPS` is the schema: what leads from each version of the file to the next.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from fstmetrics import FstmetricsError, InputError
from fstmetrics.support.names import did_you_mean

FILE, LOCK = "project.sqlite", "lock"
# "fstm" as a number: what `file` and we tell the file by.
APPLICATION = 0x6673746D

# What leads from each version of the file to the next; a new one goes through all of them.
STEPS = (
    """
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE documents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE sentences (
        id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents (id), key TEXT NOT NULL UNIQUE,
        unit TEXT NOT NULL, source TEXT NOT NULL);
    CREATE TABLE texts (
        sentence INTEGER NOT NULL REFERENCES sentences (id), kind TEXT NOT NULL, name TEXT NOT NULL,
        position INTEGER NOT NULL, words TEXT NOT NULL, links TEXT, PRIMARY KEY (sentence, kind, name));
    CREATE TABLE annotators (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, protocol TEXT NOT NULL);
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL,
        annotator INTEGER NOT NULL REFERENCES annotators (id),
        sentence INTEGER REFERENCES sentences (id), kind TEXT NOT NULL, revision INTEGER, data TEXT NOT NULL);
    CREATE UNIQUE INDEX revisions ON events (sentence, annotator, revision) WHERE revision IS NOT NULL;
    CREATE INDEX kinds ON events (kind, sentence, annotator);
    CREATE TABLE states (
        sentence INTEGER NOT NULL, annotator INTEGER NOT NULL, revision INTEGER NOT NULL, cards TEXT NOT NULL,
        PRIMARY KEY (sentence, annotator));
    """,
)
VERSION = len(STEPS)


class UnsavedError(FstmetricsError):
    """What could not be written; what was there before still is."""


def is_project(path: str | Path) -> bool:
    """Whether a path is the folder of a project."""
    return (Path(path) / FILE).is_file()


def is_free(folder: Path) -> bool:
    """Whether a folder for a new project is not there yet, or empty."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def no_project(path: str | Path, advice: str = "") -> InputError:
    """That a path is no project, with advice, and the name of a project beside it that may be meant."""
    folder = Path(path)
    if not is_free(folder):
        return InputError("is no annotation project, and not empty; give a new or empty folder", path)
    beside: list[str] = []
    with suppress(OSError):
        beside = [str(each) for each in folder.parent.iterdir() if is_project(each)]
    found = [f"is no annotation project: there is no {FILE} in it", advice, did_you_mean(str(folder), beside)]
    return InputError("; ".join(filter(None, found)), path)


def connected(file: Path) -> sqlite3.Connection:
    """The file, opened to be changed; transactions begin and end by statements."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=5)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def private(folder: Path) -> None:
    """Make the file of a new project, and give what SQLite has beside it the rights that the file has.

    SQLite makes its other files with the rights of the file itself. So nobody else may read a new project at any time.
    """
    file = folder / FILE
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for beside in (f"{FILE}-wal", f"{FILE}-shm"):  # of a process that was killed
        with suppress(OSError):
            os.chmod(folder / beside, stat.S_IMODE(file.stat().st_mode))


def copied(folder: Path) -> sqlite3.Connection:
    """The file as it is now, in memory."""
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        place = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(place, uri=True, timeout=5)) as connection:
            connection.backup(memory)
        return memory
    except (
        sqlite3.OperationalError
    ):  # in WAL mode, a file is read in place only where its folder can be written
        with tempfile.TemporaryDirectory(prefix="fstmetrics-") as copy:
            for name in (FILE, f"{FILE}-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(folder / name, Path(copy) / name)
            with closing(sqlite3.connect(Path(copy) / FILE)) as connection:
                connection.backup(memory)
        return memory


def refuse_emptied(path: str | Path) -> None:
    """Raise an InputError for a project whose file has no byte any more: it would be read as a new one."""
    file = Path(path) / FILE
    if file.is_file() and not file.stat().st_size:
        raise InputError(
            f"the file {FILE} is empty, so that nothing is left of the project: put a copy of it there, or remove it "
            "and begin a new project",
            path,
        )


@contextmanager
def told(path: str | Path) -> Iterator[None]:
    """Errors of files and of SQLite as ours, in one line."""
    try:
        yield
    except OSError as error:
        raise UnsavedError(f"{path}: cannot be opened: {error.strerror}") from None
    except sqlite3.OperationalError as error:
        name = str(getattr(error, "sqlite_errorname", ""))
        if name.startswith("SQLITE_FULL"):
            why = "the disk is full, so the change was not saved; nothing that was saved before is lost"
        elif name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            why = "cannot be written; check the rights of the folder and of the files in it"
        else:
            why = f"was not saved: {error}"
        raise UnsavedError(f"{path}: {why}") from None
    except sqlite3.DatabaseError as error:
        raise InputError(f"the file {FILE} is damaged, or no project: {error}", path) from None


def migrate(connection: sqlite3.Connection, path: str | Path) -> None:
    """Bring a file up to this version, step by step, all in one transaction."""
    ((version,),) = connection.execute("PRAGMA user_version")
    ((application,),) = connection.execute("PRAGMA application_id")
    if version and application != APPLICATION:
        raise InputError(f"the file {FILE} is a database of another program", path)
    if version > VERSION:
        raise InputError(
            f"the project has version {version}, and this fstmetrics knows versions up to {VERSION}; use a newer one",
            path,
        )
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[version:]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def locked(folder: Path) -> Any:
    """A lock on the folder, which the system gives back when the process ends, in whatever way."""
    # Who can open it can also lock the project's owner out.
    file = open(os.open(folder / LOCK, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "a")  # noqa: SIM115
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise UnsavedError(f"{folder}: another process has this project open") from None
    return file


def unlock(lock: Any) -> None:
    """Give a lock back."""
    if lock is not None:
        lock.close()
