"""Files that become sentences of an annotation project, or references and outputs of sentences that it has:
`ImportFiles`, and `Before`, what the project has already.

`new_sentence` puts together what files say of a sentence, `cut` cuts its source, and `project_text` the words of a
reference or output.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, count
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from fstmetrics import FstmetricsError, InputError, Network, Normalisation
from fstmetrics.apps.annotate.project_file import is_project
from fstmetrics.apps.annotate.project_store import NewSentence, Project, ProjectText, TextKind, Unit
from fstmetrics.apps.annotate.sentence_cards import ROOT_NAME, Cards, Compiled, cards_of, compiled, storable
from fstmetrics.apps.annotate.target_units import (
    TargetUnit,
    card_tokenizer,
    refuse_other,
    target_unit_of,
    units,
)
from fstmetrics.convert.network_files import read_networks, rows_by_id
from fstmetrics.engine.network_words import left_for
from fstmetrics.io.word_alignments import read_alignments
from fstmetrics.scoring.opened_sides import read_alike, side_of, texts_by_id
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import id_remarks
from fstmetrics.support.limits import limits
from fstmetrics.support.names import may_name_file, unknown
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path, stem
from fstmetrics.text.normalisation import PLAIN, is_unspaced, runs_on

# Words of a source sentence: a page is drawn with all of them.
MOST_WORDS = 2_000

Links = Collection[tuple[int, int]]


def unit_of(text: str) -> Unit:
    """What a source is cut into: characters where most of it is in a script without spaces, and runs on.

    >>> unit_of("意大利总理贝卢斯科尼"), unit_of("意大利 总理 贝卢斯科尼")
    ('character', 'word')
    """
    return "character" if runs_on(text) else "word"


def cut(text: str, unit: Unit) -> tuple[str, ...]:
    """The words of a source, or its characters; words of other scripts stay whole among characters.

    >>> cut("意大利总理 Silvio B.", "character")
    ('意', '大', '利', '总', '理', 'Silvio', 'B.')
    """
    if unit == "word":
        return tuple(text.split())
    found: list[str] = []
    for word in text.split():
        apart = True
        for character in word:
            marks = unicodedata.category(character).startswith("M")
            single = is_unspaced(character) or not (character.isascii() or character.isalnum() or marks)
            if found and not apart and (marks or not single):
                found[-1] += character
            else:
                found.append(character)
            apart = single and not marks
    return tuple(found)


def new_sentence(
    key: str,
    source: str,
    unit: Literal["word", "character", "auto"] = "auto",
    references: Mapping[str, Sequence[str]] | None = None,
    systems: Mapping[str, Sequence[str]] | None = None,
    links: Mapping[str, Links] | None = None,
    networks: Mapping[str, Network] | None = None,
    normalisation: Normalisation = PLAIN,
) -> NewSentence:
    """A sentence and all that files say of it.

    Args:
        key: its id, which becomes the name of a file when it is written.
        source: the sentence.
        unit: what to cut it into; `auto`: characters where it is in a script without spaces, and runs on.
        references: words by name.
        systems: likewise, outputs of systems.
        links: word alignments by the name of a reference or system.
        networks: by the name of an annotator, what they have already.
        normalisation: what is done to references, outputs and networks; sources stay as they are.

    Raises:
        FstmetricsError: an id that can be no file's name; a sentence that is empty, or too long; a link of a word that
            there is not; a network of another source.
    """
    if not may_name_file(key):
        raise FstmetricsError(f"the id {key!r:.80} cannot be a file's name")
    try:
        chosen = unit_of(source) if unit == "auto" else unit
        words = cut(storable(source), chosen)
        if not words:
            raise FstmetricsError("the source is empty")
        if len(words) > MOST_WORDS:
            raise FstmetricsError(
                f"the source has {len(words)} words or characters; the most is {MOST_WORDS}"
            )
        given: dict[TextKind, Mapping[str, Sequence[str]] | None]
        given = {"reference": references, "system": systems}
        texts = [
            project_text(kind, name, text, words, (links or {}).get(name), normalisation)
            for kind, of_kind in given.items()
            for name, text in (of_kind or {}).items()
        ]
        cards = {name: _cards(network, words, normalisation) for name, network in (networks or {}).items()}
    except FstmetricsError as error:
        raise FstmetricsError(f"sentence {key!r}: {error}") from None
    return NewSentence(key, words, chosen, tuple(texts), cards)


def project_text(
    kind: TextKind,
    name: str,
    text: Sequence[str],
    source: Sequence[str],
    own: Links | None,
    normalisation: Normalisation,
) -> ProjectText:
    """A reference or output with its words cut, and its links to the source, where there are any.

    Links are of words as a tokenizer makes them, before these are cut into units.

    Raises:
        FstmetricsError: a link of a word that there is not.
    """
    text = [storable(word) for word in text]
    if not normalisation.is_plain_but_for_unit:
        text = replace(normalisation, unit="word").words(text)
    limits().check("arcs", len(text), f"{name} has", "words")
    for one, other in sorted(own or ()):
        for what, held, place in (("source", source, one), (name, text, other)):
            if place >= len(held):
                raise FstmetricsError(
                    f"the word alignment of {name} has {one}-{other}, and the {what} has {len(held)} words (from 0)"
                )
    cut_words = [units(word, normalisation.unit) for word in text]
    starts = list(accumulate(map(len, cut_words), initial=0))
    words = tuple(unit for pieces in cut_words for unit in pieces)
    linked = (
        None
        if own is None
        else tuple(sorted((one, at) for one, other in own for at in range(starts[other], starts[other + 1])))
    )
    return ProjectText(kind, name, words, linked)


def _cards(network: Network, source: Sequence[str], normalisation: Normalisation) -> Cards:
    if network.source is not None and "".join(network.source) != "".join(source):
        raise FstmetricsError(
            f"the network {network.id!r} is of another source: {' '.join(network.source)!r:.80}"
        )
    if network.unit not in (None, normalisation.unit):
        raise FstmetricsError(
            f"the words of the network {network.id!r} were cut by the unit {network.unit}, and those of the project by "
            f"{normalisation.unit}: give --target-unit {network.unit}"
        )
    left_for(network, normalisation)
    cards = cards_of(network, normalisation.unit)
    made = compiled(cards, normalisation)
    _check_words(network, made)
    if ROOT_NAME in made.wordless:
        raise FstmetricsError(
            f"the network {network.id!r} has a path without words, which no whole sentence is; take it out"
        )
    for card in cards.values():
        storable(card.text + card.name)
        if card.span is not None and not 0 <= card.span[0] < card.span[1] <= len(source):
            raise FstmetricsError(
                f"card {card.name!r} has the span {card.span}, and the source has {len(source)} words"
            )
    return cards


def _check_words(network: Network, made: Compiled) -> None:
    """Refuse a network whose words would be others, or none, when they are typed."""
    for name, phrases in made.phrases.items():
        if unread := next((one for one in phrases if one.row is None), None):
            raise FstmetricsError(
                f"the network {network.id!r}, card {name!r}: {unread.text!r:.80} cannot be read: {unread.error}"
            )
    if network.tokenize is None and not network.lowercase:
        return
    own = Normalisation(network.tokenize, network.lowercase)
    for word in filter(None, network.symbols.words):
        if (tokens := own.words(word)) != [word]:
            how = f"tokenized by {own.tokenize}" if own.tokenize else "in lower case"
            raise FstmetricsError(
                f"the network {network.id!r} has the word {word!r}, which is {' '.join(tokens)!r} when {how}, as it "
                "says of its words; `fstmetrics network validate` shows all of these"
            )


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
        columns = self._texts(paths, words, len(outs))
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
        columns = self._texts(paths, words, len(outs), own)
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

    def _texts(
        self, paths: Sequence[str], words: Normalisation, outputs: int, own: Sequence[Side] = ()
    ) -> list[Column]:
        """What files hold, the last ones outputs, beside the texts that a project has; errors as of `read_alike`."""
        sides: list[Literal["source", "reference", "hypothesis"]] = ["reference"] * len(paths)
        sides[len(paths) - outputs :] = ["hypothesis"] * outputs
        sides[: int(self.sources is not None)] = ["source"] * int(self.sources is not None)
        called: list[str | None] = [named_path(each)[0] or "" for each in (*self.references, *self.systems)]
        called[:0] = [None] * (len(paths) - len(called))
        found = read_alike(paths, self.format, words, own, sides, called)
        for remark in id_remarks(found):
            listener.get().say(remark)
        return [texts_by_id(side) for side in found]

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
