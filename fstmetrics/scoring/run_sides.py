"""A side of a run: one path of a command, and what was in it (`Side`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fstmetrics._native import TextColumn
from fstmetrics.data.fields import names_of
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.segments import TimedWords, optional_word
from fstmetrics.data.transcripts import Notation, Texts, Transcript, TranscriptColumn, WrittenTranscript, said
from fstmetrics.io import FORMATS, Items, Stream
from fstmetrics.io.blocks import lattices_of
from fstmetrics.io.column_roles import REFERENCE
from fstmetrics.io.detection.formats_and_refusals import TEXT, is_by_form
from fstmetrics.io.ids import Lines, name_of
from fstmetrics.io.items import Item, Listing, ReadOptions, called_by_file
from fstmetrics.io.reading import read_sentences, read_with
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import Source, file_name

NOTHING = Items((), ())
# What may leave choices, or have words in parentheses.
TRANSCRIPTS = (Transcript, WrittenTranscript, TimedWords)


@dataclass(eq=False)
class Side:
    """One path, and what was in it. It is not changed: what is found out later makes another one, by `replace`.

    Attributes:
        path: the file or folder.
        source: the path, of a folder or of items that are found without reading them; or the bytes of a file, as a
            pipe gives them only once.
        format: the name of its format, where a caller says it.
        options: what a caller says about it.
        items: what was read, or in a folder is to be read.
        stream: what is to be read item by item, instead of items.
        doubt: what to say where its ids are not certain.
        overlaps: what to say where times gave it the ids of the references.
        by_file_name: whether its ids are the names of the files that it has as ids.
        sentences: of a project of the annotation tool, the ids of all its sentences, also of those without a network.
        by_sentence: the project whose sentences gave it its ids, by order; or none.
        left_out: of the first references, how many items were left out before: of documents that one side lacks.
        lines: a text of which other sides tell whether its lines begin with ids, until `settled` has asked them.
        formats: names of the formats that were found.
        kinds: these formats.
        is_text: whether it holds plain sentences; references of a table are.
        is_table: whether it is a table that may have both sides.
        has_both: whether it is read from a table that has the other side, too.
        holds_networks: whether it holds networks of references.
        is_guessed: whether its lines were taken to begin with ids.
        is_by_order: whether a caller says that order pairs the items, whatever ids they have.
        has_ids: whether all items have ids that may pair them.
        has_own_ids: whether they are its own, and not those of a project's sentences.
        is_in_notation: whether it is of references in a format in which an option says how choices are written.
        has_transcripts: whether items may leave choices, or have words in parentheses.
        is_blank: whether it is a file of text without a word.
        is_empty: whether it is a file of text without items, or of blank lines.
    """

    path: str
    source: str | Source
    format: str | None
    options: ReadOptions
    items: Items = NOTHING
    stream: Stream | None = None
    lines: Lines | None = None
    doubt: str = ""
    overlaps: str = ""
    by_file_name: bool = False
    sentences: tuple[str, ...] = ()
    by_sentence: str = ""
    left_out: int = 0

    def __post_init__(self) -> None:
        self.formats = (self.stream or self.items).formats
        self.kinds = tuple([FORMATS[name] for name in self.formats])
        table = self.options.table
        tables = [format for format in self.kinds if format.has_sides]
        of_references = table.side in ("reference", "source")
        texts = [each for each in self.kinds if each.holds == "text" or (of_references and each.has_sides)]
        self.is_text = len(texts) == len(self.kinds)
        self.is_table = len(tables) == len(self.kinds) > 0
        self.has_both = table.both
        self.holds_networks = "network" in [format.holds for format in self.kinds]
        self.is_guessed = self.format is None and "kaldi-text" in self.formats
        self.is_by_order = bool(table.given) and table.is_by_order
        self.has_ids = not self.is_by_order and (self.stream is not None or self.items.has_ids)
        self.has_own_ids = self.has_ids and not self.by_sentence
        self.is_in_notation = of_references and (self.is_table or not {*TEXT}.isdisjoint(self.formats))
        native = self.items.native
        self.has_transcripts = (
            isinstance(native.values, TranscriptColumn)
            if native is not None
            else not self.items.types.isdisjoint(TRANSCRIPTS)
        )
        self.is_blank = self.is_text and isinstance(self.source, Source) and self.source.is_blank
        self.is_empty = self.is_text and self.lines is None and (not self.items.items or self.is_blank)

    def read(self, known: frozenset[str] = frozenset()) -> Side:
        """The side, read at once, now that ids of other sides are known."""
        if self.stream:
            return self
        if self.items.listings:
            return replace(self, items=self.items.knowing(known))
        return replace(
            self, items=read_with(self.source, self.format, replace(self.options, known_ids=known))
        )

    def read_lines(self, have_ids: bool, doubt: str = "") -> Side:
        """The text, now that it is settled whether its lines begin with ids, and what to say where that is not certain.

        Raises:
            InputError: as of reading; it says what was assumed.
        """
        assert isinstance(self.source, Source)
        try:
            items = read_sentences(self.source, have_ids, self.options)
        except InputError as error:
            if not have_ids:
                raise
            option = self.options.format_option
            lists = ", or nbest-kaldi if they are n-best lists" if option == "--format" else ""
            raise InputError(
                f"{error}; read as lines that begin with ids; change this with {option} plain{lists}"
            ) from None
        return replace(self, items=items, lines=None, doubt=doubt)

    def ids_of(self, files: Iterable[str]) -> Iterator[Sequence[str | None] | None]:
        """The ids of the items in some of its files, file by file; None where they are not known one by one."""
        if self.stream:
            options, plan = (
                self.stream.options,
                {file.path: (file, format) for file, format in self.stream.plan},
            )
            for path in files:
                file, format = plan.get(path, (None, None))
                items = format.each(file, options) if file and format else ()
                yield [item.id for item in items if not item.is_rest]
            return
        listings = dict(self.items.listings)
        for path in files:
            listing = listings.get(path, Listing(()))
            is_known = listings and listing.order is None
            items = called_by_file(listing.items, path)
            yield [item.id for item in items if not item.is_rest] if is_known else None

    def references_beside(self, alternations: Notation | None) -> Side:
        """The references of a table of both sides."""
        table = replace(self.options.table, side="reference")
        return replace(self, options=replace(self.options, table=table, alternations=alternations)).read()

    def own_references(self, alternations: Notation | None) -> Side | None:
        """The references of a table whose hypotheses are scored against others; None where it has none to be read."""
        from fstmetrics.io.rows import (
            FIRST,
            first_lines,  # tables only
        )

        table, others = self.options.table, {**self.options.table.given}
        others.pop(REFERENCE, None)  # may be a column of the other file
        for given in (table.given, others) if not (self.stream or self.items.listings) else ():
            options = replace(self.options, table=replace(table, both=True, given=given))
            with suppress(FstmetricsError):
                whole = replace(self, options=options)
                if self.items.native is not None and isinstance(self.source, Source):
                    head = first_lines(self.source, FIRST)  # tells, as a rule, that there are none
                    replace(whole, source=head or self.source).references_beside(alternations)
                return whole.references_beside(alternations)
        return None

    @property
    def first_texts(self) -> Sequence[str]:
        """The text of each item, of several the first; nothing of what is no text."""
        native = self.items.native
        if native and isinstance(native.values, TextColumn):
            return native.values
        return [_first_text(item) for item in self.items.items]

    @property
    def form(self) -> str:
        """The format that nothing but the form of its lines gives it; empty where there is none."""
        if self.format is not None or len(self.formats) != 1 or not isinstance(self.source, Source):
            return ""
        (name,) = self.formats
        return name if is_by_form(name, file_name(self.path)) else ""

    @property
    def remarks(self) -> Sequence[str]:
        """What is read and yet may not be what its maker meant."""
        return (*(self.stream or self.items).remarks, *filter(None, [self.doubt]))

    @property
    def is_empty_manifest(self) -> bool:
        """Whether it is a JSON file without a byte in it, as a recogniser leaves that has recognised nothing."""
        return isinstance(self.source, Source) and self.source.name.endswith(".json") and self.source.is_blank

    @cached_property
    def texts(self) -> int | None:
        """How many references an item has, where it holds texts; None where that differs."""
        if self.items.native is not None:
            return 1
        numbers = {len(i.given.texts) if isinstance(i.given, Texts) else 1 for i in self.items.items}
        return numbers.pop() if len(numbers) == 1 else None if numbers else 1

    def of_column(self, column: str) -> Side:
        """The same table, already opened, with the hypotheses of another column."""
        table = replace(self.options.table, hypothesis=column)
        return replace(self, options=replace(self.options, table=table)).read()

    @cached_property
    def ids(self) -> frozenset[str]:
        """Those that tell whether another side has any: of a stream, the first ones."""
        if self.stream:
            return self.stream.first_ids
        return frozenset(item.id for item in self.items.items if item.id is not None)

    @property
    def own_ids(self) -> TextColumn | frozenset[str]:
        """The same, where they are."""
        ids = None if self.items.native is None else self.items.native.ids
        return ids if isinstance(ids, TextColumn) else self.ids

    @property
    def may_be_names(self) -> bool:
        """Whether ids may be names of files: the first one is."""
        ids = self.own_ids
        first = next(iter(ids[:1] if isinstance(ids, TextColumn) else ids), None)
        return first is not None and not first.isalnum() and name_of(first) != first

    @cached_property
    def has_choices(self) -> bool:
        """Whether a text leaves a choice, or a stretch open."""
        native = self.items.native
        if native is not None and isinstance(native.values, TranscriptColumn):
            return native.values.leaves_choices()
        return self.has_transcripts and any(
            isinstance(item.given, Transcript) and item.given.words is None for item in self.items.items
        )

    @property
    def leaves_choices(self) -> bool:
        """The same of hypotheses, in which words in parentheses are words like others."""
        native = self.items.native
        if native is not None and isinstance(native.values, TranscriptColumn):
            return native.values.leaves_choices(optional=False)
        return self.has_choices and any(
            isinstance(item.given, Transcript) and isinstance(said(item.given), Transcript)
            for item in self.items.items
        )

    @property
    def word_in_parentheses(self) -> str:
        """The first word that would be optional in a reference; empty if there is none."""
        native = self.items.native
        given: Iterable[Any] = (item.given for item in self.items.items)
        if native is not None and isinstance(native.values, TranscriptColumn):
            given = native.values.with_optional()
        return next(filter(None, map(optional_word, given)), "")

    @property
    def is_numbers(self) -> bool:
        """Whether the first item's words are all integers, as in lattices that leave words to a symbol table."""
        value = self.first
        words = (
            value.symbols.words if isinstance(value, Lattice) else value if isinstance(value, tuple) else ()
        )
        written = [word for word in words if word]
        return bool(written) and all(map(str.isdecimal, written))

    @cached_property
    def first(self) -> Any:
        """The first value; None if it cannot be read."""
        item = self._first_item
        return None if item is None else item.value

    @cached_property
    def _first_item(self) -> Item | None:
        """The first item, read; None if it cannot be read, or there is none."""
        item = self.stream.first if self.stream else next(iter(self.items.items), None)
        if item and self.items.listings and (column := lattices_of([item.given])) is not None:
            return replace(item, given=column[0])
        with suppress(InputError):
            return item and item.loaded()
        return None

    @property
    def fields(self) -> Sequence[str] | None:
        """The names of its items' fields; None where items are yet to be read that may have some."""
        if not (self.stream or self.items.listings):
            native = self.items.native
            return names_of([item.fields for item in self.items] if native is None else native.fields or ())
        may_be_rows = any(format.has_sides or format.holds == "text" for format in self.kinds)
        first = None if may_be_rows else self._first_item
        return None if first is None or first.fields else ()


def _first_text(item: Item) -> str:
    if item.text is not None:
        return item.text
    if isinstance(item.given, Texts):
        return item.given.texts[0]
    return " ".join(map(str, item.given)) if isinstance(item.given, tuple) else ""
