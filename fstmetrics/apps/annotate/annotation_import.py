"""Files that become sentences of an annotation project, or references and outputs of sentences that it has:
`ImportFiles`, and `Before`, what the project has already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from fstmetrics import FstmetricsError, InputError, Network, Normalisation
from fstmetrics.apps.annotate.project_file import is_project
from fstmetrics.apps.annotate.project_import import Links, new_sentence, project_text
from fstmetrics.apps.annotate.project_store import NewSentence, Project, ProjectText, TextKind
from fstmetrics.apps.annotate.target_units import TargetUnit, card_tokenizer, refuse_other, target_unit_of
from fstmetrics.convert.network_files import read_networks, rows_by_id
from fstmetrics.io.word_alignments import read_alignments
from fstmetrics.scoring.opened_sides import read_alike, side_of
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import id_remarks
from fstmetrics.support.names import unknown
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path, stem
from fstmetrics.text.normalisation import PLAIN

Named = list[tuple[str, str]]
# Ids and sentences, or links, of a file.
Column = list[tuple["str | None", Any]]


class Before(NamedTuple):
    """What a project has before an import.

    Attributes:
        project: its path.
        annotator: the first one; None where there is none yet.
        numbers: the ids of sentences that come without any; none where the document is there already.
        normalisation: of the project; None where there is no sentence yet.
        keys: the ids of the document's sentences.
    """

    project: str
    annotator: str | None
    numbers: Iterable[str]
    normalisation: Normalisation | None
    keys: frozenset[str] = frozenset()

    @classmethod
    def of(cls, project: str, document: str) -> Before:
        """What a project has, which may not be there yet, before a document is imported."""
        if not is_project(project):
            return cls(project, None, map(str, count()), None)
        with Project.read(project) as opened:
            annotator = next((each.name for each in opened.annotators()), None)
            there, normalisation = opened.sentences(), opened.normalisation
        keys = frozenset(sentence.key for sentence in there if sentence.document == document)
        numbers = () if keys else map(str, count(len(there)))
        return cls(project, annotator, numbers, normalisation if there else None, keys)

    def refusal(self, what: str) -> FstmetricsError:
        """Of a document that was imported before."""
        return FstmetricsError(
            f"{what}; to go on with it, run `fstmetrics annotate {self.project}` without --import, and to import "
            "another document of this name, give it one by --document NAME"
        )

    def check(self, document: str, sentences: Iterable[NewSentence]) -> None:
        """Refuse a document whose sentences were imported before.

        Raises:
            FstmetricsError: one of its ids is there already.
        """
        again = next((one.key for one in sentences if one.key in self.keys), None)
        if again is not None:
            raise self.refusal(
                f"{self.project} has the document {document} already, with the sentence {again!r}"
            )


@dataclass(frozen=True)
class ImportFiles:
    """What `annotate` imports: paths, or NAME=PATH, as on the command line.

    Attributes:
        sources: the file of source sentences; None where the others are of sentences that the project has.
        references, systems, networks, alignments: of these sentences.
        format: of the sources, references and outputs; None where it is recognised.
        source_unit: what sources are cut into.
        target_unit: what words of references and outputs are cut into.
        tokenize: the tokenizer of references and outputs; None for that of the project.
        lowercase: whether they become lower case, as they do where the project's do.
    """

    sources: str | None
    references: Sequence[str]
    systems: Sequence[str]
    networks: Sequence[str]
    alignments: Sequence[str]
    format: str | None
    source_unit: Literal["auto", "word", "character"]
    target_unit: str
    tokenize: str | None = None
    lowercase: bool = False

    @property
    def paths(self) -> list[str]:
        """All of them."""
        named = (named_path(each)[1] for each in (*self.references, *self.systems, *self.alignments))
        sources = [] if self.sources is None else [self.sources]
        return [*sources, *named, *(path for _, path in _optional(self.networks))]

    def sentences(self, annotator: str, before: Before) -> tuple[Normalisation, list[NewSentence]]:
        """How words are cut, and the sentences of a document with all that the files say of them.

        Args:
            annotator: whose the networks are where nobody is named.
            before: what the project has.

        Raises:
            FstmetricsError: a file that cannot be read, items that do not pair, a tokenizer that is not the project's,
                or what `new_sentence` refuses.
        """
        assert self.sources is not None
        words = self._words(before.project, before.normalisation)
        refs, outs, links = self._named_texts()
        names = [name for name, _ in (*refs, *outs)]
        paths = [self.sources, *(path for _, path in (*refs, *outs))]
        columns = self._texts(paths, words)
        held = [(name or annotator, _by_id(path)) for name, path in _optional(self.networks)]
        unit = cast(TargetUnit, self.target_unit)
        if self.target_unit == "auto":
            own = before.normalisation and cast(TargetUnit, before.normalisation.unit)
            texts = (" ".join(words.words(text)) for column in columns[1:] for _, text in column)
            unit = own or _unit_of(held) or target_unit_of(texts)
        words = replace(words, unit=unit)
        if before.normalisation is not None:
            refuse_other(before.project, before.normalisation, words)
        columns += [_links(path, columns[names.index(name) + 1]) for name, path in links.items()]
        made: list[NewSentence] = []
        for key, (source, *rest) in self._rows([*paths, *links.values()], columns, before):
            given = {name: text.split() for name, text in zip(names, rest, strict=False)}
            made.append(
                new_sentence(
                    key,
                    source,
                    self.source_unit,
                    {name: given[name] for name, _ in refs},
                    {name: given[name] for name, _ in outs},
                    cast(dict[str, Links], dict(zip(links, rest[len(names) :], strict=True))),
                    {name: by_id[key] for name, by_id in held if key in by_id},
                    words,
                )
            )
        _refuse_strangers(self.networks, held, {one.key for one in made})
        return words, made

    def texts(self, project: Project, document: str | None) -> dict[int, list[ProjectText]]:
        """The references and outputs that files have of sentences of a project, by the number of the sentence.

        Args:
            project: open; what it has stays as it is.
            document: whose sentences; None for all of the project.

        Raises:
            FstmetricsError: no such document, or a tokenizer that is not the project's; a file that cannot be read, or
                that lacks a sentence or has a further one; a name that a reference or system has already.
        """
        words = self._words(project.path, project.normalisation)
        refs, outs, links = self._named_texts()
        kinds: dict[str, TextKind] = dict.fromkeys((name for name, _ in refs), "reference")
        kinds |= dict.fromkeys((name for name, _ in outs), "system")
        sentences = [each for each in project.sentences() if document in (None, each.document)]
        if not sentences:
            documents = dict.fromkeys(each.document for each in project.sentences())
            raise FstmetricsError(f"{project.path}: {unknown('document', str(document), list(documents))}")
        taken = {text.name for sentence in sentences for text in project.texts(sentence.id)}
        if again := next((name for name in kinds if name in taken), None):
            raise FstmetricsError(
                f"{project.path}: there is a reference or system {again!r} already; give another name: NAME=FILE"
            )
        paths = [path for _, path in (*refs, *outs)]
        said = [" ".join(text.words) for each in sentences for text in project.texts(each.id)]
        # A tokenizer may have made other words of marks.
        own = [side_of(str(project.path), said, "plain")] if said and words.tokenize is None else []
        columns = self._texts(paths, words, own)
        with_ids = any(id is not None for column in columns for id, _ in column)
        keys: Column = [(each.key if with_ids else None, each) for each in sentences]
        columns += [_links(path, columns[list(kinds).index(name)]) for name, path in links.items()]
        found: dict[int, list[ProjectText]] = {}
        for _, (sentence, *rest) in rows_by_id(
            [str(project.path), *paths, *links.values()], [keys, *columns]
        ):
            linked = dict(zip(links, rest[len(kinds) :], strict=True))
            try:
                found[sentence.id] = [
                    project_text(kind, name, text.split(), sentence.source, linked.get(name), words)
                    for (name, kind), text in zip(kinds.items(), rest, strict=False)
                ]
            except FstmetricsError as error:
                raise FstmetricsError(f"sentence {sentence.key!r}: {error}") from None
        return found

    def _words(self, project: str | Path, own: Normalisation | None) -> Normalisation:
        """What is done to words, beside a unit that is asked for: as in the project, where there is one.

        Raises:
            FstmetricsError: another tokenizer or case than the project's, or a tokenizer that a project cannot have.
        """
        there = own or PLAIN
        tokenize = there.tokenize if self.tokenize is None else card_tokenizer(self.tokenize)
        words = replace(there, tokenize=tokenize, lowercase=self.lowercase or there.lowercase)
        if own is not None:
            refuse_other(project, own, words)
        words.words("")  # fails here, before anything is read, if sacrebleu is not there
        return words

    def _named_texts(self) -> tuple[Named, Named, dict[str, str]]:
        """Names and paths of references, of outputs, and of the word alignments of these."""
        refs, outs = _named(self.references, "--ref", own_names=True), _named(self.systems, "--system")
        names = [name for name, _ in (*refs, *outs)]
        if len(set(names)) < len(names):
            raise FstmetricsError("two references or systems have one name; give others: NAME=FILE")
        return refs, outs, dict(_aligned(value, names) for value in self.alignments)

    def _texts(self, paths: Sequence[str], words: Normalisation, own: Sequence[Side] = ()) -> list[Column]:
        """What files hold, beside the texts that a project has; errors as of `read_alike`."""
        sides = read_alike(paths, self.format, words, own, others=int(self.sources is not None))
        for remark in id_remarks(sides):
            listener.get().say(remark)
        return [_column(side) for side in sides]

    def _rows(
        self, paths: Sequence[str], columns: Sequence[Column], before: Before
    ) -> Iterator[tuple[str, list[Any]]]:
        """The id of each sentence, and what every file has of it."""
        rows = rows_by_id(paths, columns)
        if all(id is not None for id, _ in chain(*columns)):
            yield from rows
            return
        keys = [key for key, _ in zip(before.numbers, rows, strict=False)]
        if not keys:
            raise before.refusal(
                f"{self.sources}: the project has a document of this name, and the sentences have no ids"
            )
        yield from zip(keys, (row for _, row in rows), strict=True)


def _column(side: Side) -> Column:
    """Ids and sentences of a file."""
    found: Column = []
    for item in side.items.items:
        text = item.value if item.text is None else item.text
        text = " ".join(text) if isinstance(text, tuple) else text
        if not isinstance(text, str):
            raise InputError(f"expected text, found format {', '.join(side.items.formats)}", side.path)
        found.append((item.id, text))
    if not found:
        raise InputError("holds no sentence", side.path)
    return found


def _named(values: Sequence[str], option: str, own_names: bool = False) -> Named:
    """Names and paths; where no name is given, that of the file."""
    found: Named = []
    for value in values:
        name, path = named_path(value)
        if not own_names and "=" not in value:
            raise FstmetricsError(f"{option} {value}: expected NAME=FILE")
        found.append((name or stem(path), path))
    return found


def _links(path: str, texts: Column) -> Column:
    """The word alignments of a file, with the ids of the texts that they are of."""
    found = read_alignments(path)
    if len(found) != len(texts):
        raise InputError(f"has {counted(len(found), 'line')} for {counted(len(texts), 'sentence')}", path)
    return [(id, each) for (id, _), each in zip(texts, found, strict=True)]


def _aligned(value: str, names: Sequence[str]) -> tuple[str, str]:
    """The name and path of NAME=FILE; either may have a = in it."""
    found = [name for name in names if value.startswith(f"{name}=")]
    if not found:
        name = value.partition("=")[0]
        raise FstmetricsError(f"--align {name}=...: there is no --ref or --system of that name")
    name = max(found, key=len)
    return name, value[len(name) + 1 :]


def _optional(values: Sequence[str]) -> Iterable[tuple[str, str]]:
    for value in values:
        name, equals, path = value.partition("=")
        yield ("", value) if not equals or Path(value).exists() else (name, path)


def _by_id(path: str) -> dict[str, Network]:
    """The networks of a folder or file by their ids; those that ids lack are numbered from 0."""
    found = read_networks(path)
    if len({network.id for network in found}) < len(found):
        raise InputError("two networks have one id", path)
    return {network.id or str(number): network for number, network in enumerate(found)}


def _unit_of(held: Sequence[tuple[str, dict[str, Network]]]) -> TargetUnit | None:
    """The unit that networks say their words were cut into; None where none of them says it."""
    units = (network.unit for _, by_id in held for network in by_id.values())
    return cast("TargetUnit | None", next(filter(None, units), None))


def _refuse_strangers(
    paths: Sequence[str], held: Sequence[tuple[str, dict[str, Network]]], keys: set[str]
) -> None:
    for path, (_, by_id) in zip(paths, held, strict=True):
        if strange := [id for id in by_id if id not in keys]:
            raise FstmetricsError(f"{path}: the network {strange[0]!r} is of no sentence that is imported")
