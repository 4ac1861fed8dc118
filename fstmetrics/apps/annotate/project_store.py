"""The project's folder: `Project`, one SQLite file, in which an append-only log of events is what counts.

What was imported (documents, sentences, references, outputs) is in tables that do not change. All that people do is an
event: changes of cards, undo, redo, judgements, rejections, time. The table `states` holds the cards as the last event
of each annotator and sentence left them, written in the same transaction, so that nothing has to be replayed to open a
project; undo and redo replay the events of their sentence. `sentence_marks` are what annotators say of sentences as a
whole; `visible` and `sees_others`, what an annotator sees.

The file is in WAL mode with `synchronous=FULL`: a change that was answered is on the disk, also if the machine loses
power. One process writes; it holds a lock on the folder.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics.apps.annotate.change_history import ChangeHistory, Kind, Mark
from fstmetrics.apps.annotate.project_file import (
    FILE,
    UnsavedError,
    connected,
    copied,
    is_free,
    is_project,
    locked,
    migrate,
    no_project,
    private,
    refuse_emptied,
    told,
    unlock,
)
from fstmetrics.apps.annotate.sentence_cards import Cards, Effect, TypedCard, first_cards
from fstmetrics.apps.annotate.target_units import refuse_other
from fstmetrics.text.normalisation import PLAIN
from fstmetrics.text.normalisation import Unit as WordUnit

Unit = Literal["word", "character"]
TextKind = Literal["reference", "system"]
# The settings that say how words are cut; one that is missing is off.
TARGET_UNIT, TOKENIZER, LOWERCASE = "target unit", "tokenizer", "lowercase"
# Files that an export has beside the folders of annotators.
EXPORTED = ("progress.csv", "annotators.csv")
# What annotators see [H12 §2.2]: how many references; None is all, with the outputs and what others wrote.
PROTOCOLS: dict[str, int | None] = {"source": 0, "best": 1, "references": 4, "all": None}


class ConflictError(FstmetricsError):
    """A change of something that has changed meanwhile.

    Attributes:
        history: as it is now.
        normalisation: of the project.
    """

    def __init__(self, message: str, history: ChangeHistory, normalisation: Normalisation) -> None:
        super().__init__(message)
        self.history, self.normalisation = history, normalisation


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of the project.

    Attributes:
        id: its number in the project.
        document: the name of its document.
        key: the id that outputs pair with.
        unit: what the source is cut into: words, or characters in scripts without spaces.
        source: these words or characters.
    """

    id: int
    document: str
    key: str
    unit: Unit
    source: tuple[str, ...]


class ProjectText(NamedTuple):
    """A reference or an output of a sentence; `links` are pairs of a source word and a word of it, or None."""

    kind: TextKind
    name: str
    words: tuple[str, ...]
    links: tuple[tuple[int, int], ...] | None = None


class Annotator(NamedTuple):
    """Somebody who annotates; `protocol` is what they see (`PROTOCOLS`)."""

    id: int
    name: str
    protocol: str


class LoggedEvent(NamedTuple):
    """An event of the log that changes no cards."""

    seq: int
    time: float
    annotator: str
    sentence: int | None
    kind: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewSentence:
    """A sentence on its way into the project; `networks` are cards by the name of their annotator."""

    key: str
    source: tuple[str, ...]
    unit: Unit = "word"
    texts: tuple[ProjectText, ...] = ()
    networks: Mapping[str, Cards] = field(default_factory=dict)


class Project:
    """An open project. `Project.open` opens or makes one; close it, or use it in a `with`.

    It may be used from several threads.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: Any) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock  # None where the project is only read
        self._one = threading.RLock()
        self._histories: dict[tuple[int, int], ChangeHistory] = {}
        self._sentences: dict[int, SourceSentence] | None = None
        self._normalisation: Normalisation | None = None
        self._texts: dict[int, tuple[ProjectText, ...]] = {}
        # Cards by sentence and annotator, and their revision.
        self._read: dict[tuple[int, int], tuple[int, Cards]] = {}

    @classmethod
    def open(cls, path: str | Path, create: bool = False) -> Project:
        """Open a project to change it, one of an older version is brought up to date.

        Args:
            path: the folder.
            create: whether to make it where there is none.

        Raises:
            InputError: no project, or damaged, or of a newer version.
            UnsavedError: it cannot be written, or another process has it open.
        """
        folder = Path(path)
        if not is_project(folder) and not (create and is_free(folder)):
            raise no_project(path)
        refuse_emptied(path)
        with told(path):
            folder.mkdir(parents=True, exist_ok=True)
            lock = locked(folder)
            try:
                private(folder)
                connection = connected(folder / FILE)
            except BaseException:
                unlock(lock)
                raise
        try:
            with told(path):
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                migrate(connection, path)
        except BaseException:
            connection.close()
            unlock(lock)
            raise
        return cls(folder, connection, lock)

    @classmethod
    def read(cls, path: str | Path) -> Project:
        """Open a project to look at it, also while another process changes it, and in a folder that is read-only.

        Raises:
            InputError: no project, or of another version.
        """
        if not is_project(path):
            raise no_project(path)
        refuse_emptied(path)
        with told(path):
            connection = copied(Path(path))
            migrate(connection, path)
        return cls(Path(path), connection, None)

    def close(self) -> None:
        """Put the log in order, and let others open the project."""
        with self._one:
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
            unlock(self._lock)

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def normalisation(self) -> Normalisation:
        """What is done to references, outputs and cards: a tokenizer, lower case, and a unit."""
        if self._normalisation is None:
            kept = dict(self._rows("SELECT name, value FROM settings"))
            unit = cast(WordUnit, kept.get(TARGET_UNIT, "word"))
            self._normalisation = Normalisation(kept.get(TOKENIZER), LOWERCASE in kept, unit=unit)
        return self._normalisation

    def sentences(self) -> list[SourceSentence]:
        """The sentences, in the order in which they were imported."""
        return list(self._by_id().values())

    def sentence(self, id: int) -> SourceSentence:
        """A sentence.

        Raises:
            KeyError: there is none of this number.
        """
        return self._by_id()[id]

    def _by_id(self) -> dict[int, SourceSentence]:
        if self._sentences is None:
            rows = self._rows(
                "SELECT s.id, d.name, s.key, s.unit, s.source FROM sentences s JOIN documents d ON d.id = s.document "
                "ORDER BY s.id"
            )
            self._sentences = {
                row[0]: SourceSentence(row[0], row[1], row[2], row[3], tuple(json.loads(row[4])))
                for row in rows
            }
        return self._sentences

    def texts(self, sentence: int) -> tuple[ProjectText, ...]:
        """The references of a sentence, then the outputs of systems."""
        if sentence not in self._texts:
            rows = self._rows(
                "SELECT kind, name, words, links FROM texts WHERE sentence = ? ORDER BY kind, position",
                sentence,
            )
            self._texts[sentence] = tuple(
                ProjectText(
                    kind, name, tuple(json.loads(words)),
                    None if links is None else tuple((a, b) for a, b in json.loads(links)),
                )
                for kind, name, words, links in rows
            )  # fmt: skip
        return self._texts[sentence]

    def annotators(self) -> list[Annotator]:
        """Who annotates, in the order in which they came."""
        return [
            Annotator(*row) for row in self._rows("SELECT id, name, protocol FROM annotators ORDER BY id")
        ]

    def annotator(self, name: str) -> Annotator:
        """An annotator.

        Raises:
            KeyError: there is none of this name.
        """
        rows = self._rows("SELECT id, name, protocol FROM annotators WHERE name = ?", name)
        if not rows:
            raise KeyError(name)
        return Annotator(*rows[0])

    def add_annotator(self, name: str, protocol: str | None = None) -> Annotator:
        """Somebody who annotates, or may now see something else; without a protocol, who is there stays as they are."""
        if protocol is not None and protocol not in PROTOCOLS:
            raise FstmetricsError(f"the protocol {protocol!r} is not one of {', '.join(PROTOCOLS)}")
        with self._writing() as connection:
            _add_annotator(connection, name, protocol)
        return self.annotator(name)

    def add(
        self,
        document: str,
        sentences: Iterable[NewSentence],
        protocol: str | None = None,
        normalisation: Normalisation = PLAIN,
    ) -> int:
        """Import sentences of a document, all or none; returns how many.

        Args:
            document: its name.
            sentences: what is imported.
            protocol: of annotators who come with networks.
            normalisation: what was done to texts and networks; a project has one, that of its first document.

        Raises:
            FstmetricsError: a sentence that is there already, or another normalisation.
        """
        if self._by_id():
            refuse_other(self.path, self.normalisation, normalisation)
        if not document or not document.isprintable() or len(document) > 200:
            raise FstmetricsError(
                f"the name of the document {document!r:.80} cannot be shown; give --document NAME"
            )
        count = 0
        with self._writing() as connection:
            settings = {
                TARGET_UNIT: normalisation.unit,
                TOKENIZER: normalisation.tokenize,
                LOWERCASE: "yes" * normalisation.lowercase,
            }
            rows = [(name, value) for name, value in settings.items() if value]
            connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)
            connection.execute("INSERT OR IGNORE INTO documents (name) VALUES (?)", (document,))
            ((number,),) = connection.execute("SELECT id FROM documents WHERE name = ?", (document,))
            for one in sentences:
                try:
                    cursor = connection.execute(
                        "INSERT INTO sentences (document, key, unit, source) VALUES (?, ?, ?, ?)",
                        (number, one.key, one.unit, _json(one.source)),
                    )
                except sqlite3.IntegrityError:
                    raise FstmetricsError(
                        f"there is a sentence {one.key!r} in the project already; ids are of one sentence each"
                    ) from None
                id = cursor.lastrowid
                assert id is not None
                _add_texts(connection, id, one.texts)
                for name, cards in one.networks.items():
                    annotator = _add_annotator(connection, name, protocol)
                    effect = Effect(tuple(cards.values()))
                    data = {"op": {"op": "import"}, **effect.as_dict()}
                    _append(connection, annotator, id, "change", 1, data)
                    _keep_state(connection, id, annotator, ChangeHistory(cards, 1))
                count += 1
        self._sentences = self._normalisation = None
        return count

    def add_texts(self, texts: Mapping[int, Sequence[ProjectText]]) -> None:
        """Add references and outputs to sentences, all or none; they come behind those that are there.

        Args:
            texts: by the number of the sentence; of names that the sentence does not have yet.

        Raises:
            UnsavedError: they could not be written.
        """
        with self._writing() as connection:
            for sentence, added in texts.items():
                _add_texts(connection, sentence, added, len(self.texts(sentence)))
        self._texts.clear()

    def history(self, sentence: int, annotator: Annotator) -> ChangeHistory:
        """Where an annotator is with a sentence, with all that can be undone.

        Raises:
            KeyError: no such sentence.
        """
        with self._one:
            key = (sentence, annotator.id)
            if key not in self._histories:
                history = ChangeHistory(first_cards(len(self.sentence(sentence).source)))
                rows = self._rows(
                    "SELECT kind, data FROM events WHERE sentence = ? AND annotator = ? AND revision IS NOT NULL "
                    "ORDER BY revision", sentence, annotator.id,
                )  # fmt: skip
                for kind, data in rows:
                    history = history.after(kind, json.loads(data))
                self._histories[key] = history
            return self._histories[key]

    def cards(self, sentence: int, annotator: Annotator) -> Cards:
        """The cards of an annotator for a sentence, without what can be undone."""
        known = self._histories.get((sentence, annotator.id))
        if known is not None:
            return known.cards
        rows = self._rows(
            "SELECT cards FROM states WHERE sentence = ? AND annotator = ?", sentence, annotator.id
        )
        return _cards(rows[0][0]) if rows else first_cards(len(self.sentence(sentence).source))

    def annotated(self, sentence: int) -> dict[Annotator, Cards]:
        """The cards of all annotators who have changed a sentence."""
        rows = self._rows("SELECT annotator, cards FROM states WHERE sentence = ?", sentence)
        by_id = {annotator.id: annotator for annotator in self.annotators()}
        found = {id: _cards(cards) for id, cards in rows}
        return {annotator: found[id] for id, annotator in by_id.items() if id in found}

    def all_cards(self) -> Iterator[tuple[Annotator, int, Cards]]:
        """The cards of everybody: annotator, sentence and cards."""
        by_id = {annotator.id: annotator for annotator in self.annotators()}
        rows = self._rows("SELECT annotator, sentence, revision FROM states ORDER BY sentence, annotator")
        for annotator, sentence, revision in rows:
            key = (sentence, annotator)
            if key not in self._read or self._read[key][0] != revision:
                self._read[key] = (revision, self.cards(sentence, by_id[annotator]))
            yield by_id[annotator], sentence, self._read[key][1]

    def revisions(self) -> dict[tuple[int, int], int]:
        """By sentence and annotator, how many changes there were."""
        return {(s, a): r for s, a, r in self._rows("SELECT sentence, annotator, revision FROM states")}

    def change(
        self,
        sentence: int,
        annotator: Annotator,
        revision: int | None,
        kind: Kind,
        effect: Effect | None = None,
        op: Mapping[str, Any] | None = None,
        continues: bool = False,
        marks: Sequence[Mark] = (),
    ) -> ChangeHistory:
        """Save a change, an undo or a redo; when this returns, it is on the disk.

        Args:
            sentence, annotator: whose cards of what.
            revision: that the change is of; None for any, where it changes no cards.
            kind: what it is.
            effect: of a change.
            op: the request, for those who read the log.
            continues: whether a change is undone together with the one before it, of the same card.
            marks: what a change says of phrases and paths; each is an event of its own kind, too, and an undo or redo
                logs it again.

        Raises:
            ConflictError: the cards are of another revision by now.
            ChangeRefusedError: nothing to undo, or to redo.
            UnsavedError: it could not be written.
        """
        with self._one:
            history = self.history(sentence, annotator)
            if revision is not None and history.revision != revision:
                raise ConflictError(
                    f"the sentence has changed meanwhile: this is a change of revision {revision}, and "
                    f"{history.revision} is there",
                    history,
                    self.normalisation,
                )
            data: dict[str, Any] = {}
            if effect is not None:
                data = {"op": dict(op or {}), "card": effect.card, "continues": continues, **effect.as_dict()}
            if marks:
                data["marks"] = [mark._asdict() for mark in marks]
            after = history.after(kind, data)
            with self._writing() as connection:
                _append(connection, annotator.id, sentence, kind, after.revision, data)
                for name, mark in after.marks:
                    _append(connection, annotator.id, sentence, name, None, mark)
                if after.cards == history.cards:  # who only judges has no cards
                    connection.execute(
                        "UPDATE states SET revision = ? WHERE sentence = ? AND annotator = ?",
                        (after.revision, sentence, annotator.id),
                    )
                else:
                    _keep_state(connection, sentence, annotator.id, after)
            self._histories[sentence, annotator.id] = after
            return after

    def log(self, annotator: Annotator, sentence: int | None, kind: str, data: Mapping[str, Any]) -> None:
        """Save an event that changes no cards.

        Raises:
            UnsavedError: it could not be written.
        """
        with self._writing() as connection:
            _append(connection, annotator.id, sentence, kind, None, data)

    def events(self, kind: str, sentence: int | None = None) -> list[LoggedEvent]:
        """The events of a kind that change no cards, of one sentence or of all."""
        where, values = ("", ()) if sentence is None else ("AND e.sentence = ?", (sentence,))
        rows = self._rows(
            "SELECT e.seq, e.time, a.name, e.sentence, e.kind, e.data FROM events e JOIN annotators a "
            f"ON a.id = e.annotator WHERE e.kind = ? AND e.revision IS NULL {where} ORDER BY e.seq", kind, *values,
        )  # fmt: skip
        return [LoggedEvent(a, b, c, d, e, json.loads(data)) for a, b, c, d, e, data in rows]

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._one, told(self.path):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it, or nothing."""
        with self._one, told(self.path):
            if self._lock is None:
                raise UnsavedError(f"{self.path}: is open for reading")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise


def _add_texts(
    connection: sqlite3.Connection, sentence: int, texts: Sequence[ProjectText], first: int = 0
) -> None:
    for position, (kind, name, words, links) in enumerate(texts, first):
        connection.execute(
            "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)",
            (sentence, kind, name, position, _json(words), None if links is None else _json(links)),
        )


def _add_annotator(connection: sqlite3.Connection, name: str, protocol: str | None) -> int:
    _check_annotator(name)
    connection.execute(
        "INSERT OR IGNORE INTO annotators (name, protocol) VALUES (?, ?)", (name, protocol or "all")
    )
    if protocol is not None:
        connection.execute("UPDATE annotators SET protocol = ? WHERE name = ?", (protocol, name))
    ((number,),) = connection.execute("SELECT id FROM annotators WHERE name = ?", (name,))
    return int(number)


def _check_annotator(name: str) -> None:
    """Names are part of file names and of links."""
    fine = 0 < len(name) <= 60 and all(c.isalnum() or c in "._-" for c in name) and name[0].isalnum()
    if not fine:
        raise FstmetricsError(
            f"the annotator's name {name!r:.80} is not made of at most 60 letters, digits and . _ -, a letter or digit "
            "first"
        )
    if name.casefold() in EXPORTED:
        raise FstmetricsError(f"the annotator's name {name!r} is that of a file of an export; give another")


def _append(
    connection: sqlite3.Connection,
    annotator: int,
    sentence: int | None,
    kind: str,
    revision: int | None,
    data: Any,
) -> None:
    connection.execute(
        "INSERT INTO events (time, annotator, sentence, kind, revision, data) VALUES (?, ?, ?, ?, ?, ?)",
        (time.time(), annotator, sentence, kind, revision, _json(data)),
    )


def _keep_state(
    connection: sqlite3.Connection, sentence: int, annotator: int, history: ChangeHistory
) -> None:
    cards = [card.as_dict() for card in history.cards.values()]
    connection.execute(
        "INSERT OR REPLACE INTO states VALUES (?, ?, ?, ?)",
        (sentence, annotator, history.revision, _json(cards)),
    )


def _cards(text: str) -> dict[str, TypedCard]:
    return {card["id"]: TypedCard.of_dict(card) for card in json.loads(text)}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def visible(texts: Sequence[ProjectText], protocol: str) -> list[ProjectText]:
    """The references, then the outputs, that somebody sees."""
    references = [text for text in texts if text.kind == "reference"]
    systems = [text for text in texts if text.kind == "system"]
    return [*references, *systems] if protocol == "all" else references[: PROTOCOLS[protocol]]


def sees_others(protocol: str) -> bool:
    """Whether somebody sees what other annotators wrote, and what depends on outputs of systems."""
    return protocol == "all"


DONE, NOTE = "done", "note"
# Characters of a note.
MOST_NOTE = 2_000


class SentenceMarks(NamedTuple):
    """What an annotator says of a sentence.

    Attributes:
        done: that it is done; it counts while the whole sentence has a path.
        cannot_translate: that they cannot translate it.
        note: to whoever leads the project.
    """

    done: bool = False
    cannot_translate: bool = False
    note: str = ""


def sentence_marks(project: Project, sentence: int | None = None) -> dict[tuple[str, int], SentenceMarks]:
    """What annotators say, by annotator and sentence, of one sentence or of all."""
    found: dict[tuple[str, int], SentenceMarks] = {}
    for kind in (DONE, NOTE):
        for event in project.events(kind, sentence):
            key = (event.annotator, event.sentence or 0)
            found[key] = found.get(key, SentenceMarks())._replace(**event.data)
    return found
