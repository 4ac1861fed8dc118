"""Scores of other programs, for `compare --scores`: `GivenFiles`, what the files say."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.fields import NO_FIELDS, Fields
from fstmetrics.engine.misplaced_items import letters
from fstmetrics.io.ids import is_numbering
from fstmetrics.io.scores.score_cells import ScoreFile, known_systems
from fstmetrics.io.scores.score_files import read_scores, refuse_other_lines
from fstmetrics.significance.external_scores import StandardisedScores
from fstmetrics.significance.system_outputs import names_of
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import folded_id, listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]


# What WMT calls people's scores, standardised by assessor and as they are.
Z_SCORES, RAW_SCORES = "Z.SCR", "RAW.SCR"
# Where only scores are there.
NO_OUTPUTS: Mapping[str, Sequence[Any]] = {}


@dataclass(frozen=True)
class _Given:
    """One file: the name of its scores, the system that it was said to be of, and which systems it calls otherwise."""

    name: str
    system: str | None
    file: ScoreFile
    renamed: tuple[str, ...] = ()

    @property
    def is_standardised(self) -> bool:
        """Whether they are people's ratings, standardised by assessor."""
        return self.name not in self.file.columns and (
            self.file.standardised or self.file.human_name == Z_SCORES
        )

    def called(self, names: Sequence[str]) -> _Given:
        """The same with systems called as these outputs."""
        known = self.file.systems if self.system is None else (self.system,)
        of_output = {other: name for name, other in known_systems(names, known).items()}
        return replace(
            self,
            system=self.system and of_output.get(self.system, self.system),
            file=self.file.renamed(of_output),
            renamed=tuple(f"{other} is {name}" for other, name in of_output.items() if name != other),
        )

    def values(self, system: str) -> Floats | None:
        """The scores of a system, in the order of the file; None where it has none.

        Raises:
            InputError: several columns of scores, and none has the name.
        """
        values = self.file.column(self.name)
        if self.system is not None:
            if system != self.system:
                return None
            if system in self.file.systems or len(self.file.systems) > 1:
                return self.file.of(system)
            return values[0]  # type: ignore[no-any-return]
        if system not in self.file.systems:
            return None
        return values[self.file.systems.index(system)]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class GivenFiles:
    """What the files of `--scores` say."""

    given: tuple[_Given, ...]

    @classmethod
    def read(cls, arguments: Sequence[str]) -> GivenFiles:
        """The files of NAME=FILE, NAME:SYSTEM=FILE, or FILE, whose scores have their names from it.

        Raises:
            InputError: no file of scores, or scores of documents.
        """
        return cls(tuple(chain.from_iterable(map(_read, arguments))))

    def called(self, names: Sequence[str]) -> GivenFiles:
        """The same with systems called as these outputs, as far as the names of files tell whose outputs they are."""
        return GivenFiles(tuple(each.called(names) for each in self.given))

    @property
    def systems(self) -> list[str]:
        """The systems that the first scores are of."""
        first = [each for each in self.given if each.name == self.given[0].name]
        return list(dict.fromkeys(self._names(first)))

    @property
    def segments(self) -> tuple[int, tuple[str, ...] | None]:
        """Of the first file with scores of segments: their number, and their ids; of whole systems only, 0."""
        for each in self.given:
            if each.file.level == "segment":
                return each.file.listed.shape[1], each.file.segments
        return 0, None

    def scores(
        self,
        systems: Collection[str],
        ids: Sequence[str | None],
        outputs: Mapping[str, Sequence[Any]] = NO_OUTPUTS,
        lines: Mapping[str, Sequence[str]] = NO_OUTPUTS,
    ) -> dict[str, dict[str, Any]]:
        """By name and system a score an item, or one of the whole system.

        Args:
            systems: whose scores are wanted.
            ids: of the items, or None for each.
            outputs: of the systems, in the order of the items; those that are no texts are not looked at.
            lines: the ids of the lines of an output, where these are not those of the items in their order.

        Raises:
            InputError: a system, or an item, without a score; or scores of other items, or of other translations.
        """
        found: dict[str, dict[str, Any]] = {}
        for each in self.given:
            of_systems = found.setdefault(each.name, StandardisedScores() if each.is_standardised else {})
            of_segments = each.file.level == "segment"
            by_id = _by_id(each.file, ids, lines) if of_segments else None
            for system in systems:
                values = each.values(system)
                if values is None:
                    continue
                if system in of_systems:
                    raise InputError(f"{each.name} of {system} was given before, too", each.file.path)
                order = (by_id or _by_line(each.file, ids, system, lines, outputs)) if of_segments else None
                if order is not None:
                    values = values[order]
                    refuse_others(each.file, each.name, system, order, outputs.get(system, ()))
                if order is None and not np.isfinite(values[0]):
                    raise InputError(f"no score of {system}", each.file.path)
                of_systems[system] = values.tolist() if order is not None else float(values[0])
        for name, by_system in found.items():
            files = [each for each in self.given if each.name == name]
            self._refuse_uneven(name, by_system, ids)
            if all(each.file.segments is None and each.file.level == "segment" for each in files):
                refuse_other_lines([*map(np.array, by_system.values())], files[-1].file.path)
            lacking = [system for system in systems if system not in by_system]
            if lacking:
                names = self._names(files)
                there = [each for each in names if each not in by_system] or names
                called = "SYSTEM=FILE calls an output as there; " if len(names) > 1 else ""
                raise InputError(
                    f"has no scores of {listed(lacking)}; it has those of {listed(there, 8)}; {called}"
                    f"{name}:SYSTEM=FILE gives those of one system",
                    files[-1].file.path,
                )
        return found

    def remarks(self, lines: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """What is said of systems' names, of scores of people, and of those without ids; `lines` as of `scores`."""
        for each in (each for each in self.given if each.renamed):
            yield f"{each.file.path}: systems are called as the outputs: {listed([*each.renamed])}"
        for each in (each for each in self.given if each.is_standardised):
            told = f"{Z_SCORES}, standardised by assessor; --scores {RAW_SCORES}=FILE takes them as they are"
            if number := each.file.assessors:
                told = f"{counted(number, 'assessor')}, standardised by assessor"
            yield f"{each.name}: scores of {told}"
        systems = {
            system: each.name
            for each in self.given
            if each.file.is_numbered and each.file.level == "segment"
            for system in ([each.system] if each.system else each.file.systems)
            if system in lines
        }
        if systems:
            yield (
                f"{listed([*dict.fromkeys(systems.values())])}: scores of {listed([*systems])} are those of the lines "
                "of the output, which are not those of the references in their order"
            )

    def _refuse_uneven(self, name: str, by_system: Mapping[str, Any], ids: Sequence[str | None]) -> None:
        """Raise an InputError for a segment that only some systems have a score of."""
        rows = {system: np.isnan(values) for system, values in by_system.items() if isinstance(values, list)}
        some = np.logical_or.reduce([*rows.values()]) if rows else np.zeros(0, dtype=bool)
        for system, missing in rows.items():
            there = np.flatnonzero(some & ~missing)
            if len(there):
                item = int(there[0])
                lacking = next(other for other, row in rows.items() if row[item])
                place = str(item + 1) if ids[item] is None else ids[item]
                raise InputError(
                    f"no score of {lacking} for segment {place}, and one of {system}: only segments that have a score "
                    "of all systems, or of none, can be compared",
                    next(each.file.path for each in self.given if each.name == name),
                )

    @staticmethod
    def _names(files: Sequence[_Given]) -> list[str]:
        return [name for each in files for name in ([each.system] if each.system else each.file.systems)]

    def fields(
        self,
        ids: Sequence[str | None],
        outputs: Mapping[str, Sequence[Any]] = NO_OUTPUTS,
        lines: Mapping[str, Sequence[str]] = NO_OUTPUTS,
    ) -> Sequence[Fields]:
        """The domain and the document of each item, where a file tells them; arguments as of `scores`."""
        found: dict[str, Sequence[str]] = {}
        for each in self.given:
            for field, values in (("domain", each.file.domains), ("document", each.file.documents)):
                if values is not None and each.file.level == "segment":
                    system = each.system or each.file.systems[0]
                    order = _by_id(each.file, ids, lines) or _by_line(each.file, ids, system, lines, outputs)
                    found.setdefault(field, [values[place] for place in order])
        if not found:
            return Repeated(NO_FIELDS, len(ids))
        return [dict(zip(found, values, strict=True)) for values in zip(*found.values(), strict=True)]


def _read(argument: str) -> Iterator[_Given]:
    called, _, path = argument.partition("=")
    if os.path.exists(argument) or not path:
        file = read_scores(argument)
        _refuse_documents(file)
        for name in file.columns if file.columns else [file.name]:
            yield _Given(name, None, file)
        return
    name, _, system = called.partition(":")
    if not name:
        raise FstmetricsError(f"--scores is NAME=FILE, as comet=comet.seg.score, not {argument!r:.80}")
    file = read_scores(Source.open(path), name=name, human=name if name in (Z_SCORES, RAW_SCORES) else None)
    _refuse_documents(file)
    file.column(name)  # fails here where it has several and none of the name
    yield _Given(name, system or None, file)


def _refuse_documents(file: ScoreFile) -> None:
    if file.level in ("document", "domain"):
        raise InputError(
            f"scores of {file.level}s; compare takes scores of segments, or of whole systems", file.path
        )


def refuse_others(
    file: ScoreFile, name: str, system: str, order: Sequence[int], outputs: Sequence[Any]
) -> None:
    """Raise an InputError where a file has the translations that it scores, and they are not the outputs.

    Letters and digits make a text: case, punctuation and tokens are not looked at.

    Args:
        file: the file.
        name: what its scores are called.
        system: whose they are.
        order: the place of each item in the file.
        outputs: those of each item.
    """
    rows = file.translations.get(system if system in file.systems else file.systems[0])
    if rows is None:
        return
    told = [rows[int(file.ids[place]) - 1] for place in order]
    for place, text, output in zip(order, told, outputs, strict=False):
        if text == output or not (isinstance(text, str) and isinstance(output, str)):
            continue
        if letters(text) != letters(output):
            advice = (
                "the same texts are there in another order: bring both into one"
                if sorted(map(str, told)) == sorted(map(str, outputs))
                else "score these outputs, or, if the texts differ only in how they are written, give the scores "
                f"without texts, one a line: {name}:{system}=FILE"
            )
            raise InputError(
                f"its score {file.ids[place]} of {system} is of the translation {text!r:.80}, and the output there "
                f"is {output!r:.80}; {advice}",
                file.path,
            )


def _by_id(
    file: ScoreFile, ids: Sequence[str | None], lines: Mapping[str, Sequence[str]]
) -> list[int] | None:
    """The place of each item in a file that names its segments; None where it does not.

    Raises:
        InputError: another number of segments, or others.
    """
    if file.is_numbered:
        return None
    _check_number(file, len(ids))
    own, told = [*file.ids], [*map(str, ids)]
    if set(own) != set(told):
        own, told = [*map(folded_id, own)], [*map(folded_id, told)]
    places = {segment: place for place, segment in enumerate(own)}
    if len(places) == len(own) and set(places) == set(told):
        return [places[id] for id in told]
    if (first := is_numbering(own)) is None:
        raise InputError(
            f"its segments are {listed(file.ids)}; expected are the ids of the items, or numbers from 1 to {len(ids)}",
            file.path,
        )
    if lines:
        raise InputError(
            f"its segments are numbers, and the lines of {listed([*lines])} are not those of the references in their "
            "order, so that a number may be of either: give the ids of the items as segments, or a score a line, "
            "NAME:SYSTEM=FILE, in the order of the output",
            file.path,
        )
    numbers = _numbers(told)
    return [places[str(first + number)] for number in numbers]


def _by_line(
    file: ScoreFile,
    ids: Sequence[str | None],
    system: str,
    lines: Mapping[str, Sequence[str]],
    outputs: Mapping[str, Sequence[Any]],
) -> list[int]:
    """The place of each item in a file whose scores are those of the lines of a system's output.

    Raises:
        InputError: another number of lines.
    """
    if (own := lines.get(system)) is None:
        _check_number(file, len(ids))
        return list(range(len(ids))) if outputs else _numbers(list(map(str, ids)))
    _check_number(file, len(own), f"lines in the output of {system}")
    places = {id: place for place, id in enumerate(own)}
    return [places[str(id)] for id in ids]


def _numbers(ids: Sequence[str]) -> list[int]:
    """The numbers of items, from 0: those that their ids are, or those of their places."""
    first = is_numbering(ids)
    return list(range(len(ids))) if first is None else [int(id) - first for id in ids]


def _check_number(file: ScoreFile, expected: int, what: str = "items") -> None:
    if (units := file.listed.shape[1]) != expected:
        raise InputError(
            f"{counted(units, 'score')} of each system, but there are {expected} {what}: scores of another test set?",
            file.path,
        )


def named_systems(arguments: Sequence[str], known: Sequence[str]) -> list[str]:
    """The systems of arguments where only scores are compared, not outputs: names, or files that are called so.

    Args:
        arguments: as they are given; none: all systems.
        known: those that have scores.

    Raises:
        FstmetricsError: a name that has no scores.
    """
    files = [name for name in arguments if name not in known and os.path.exists(name)]
    called = dict(zip(files, names_of(files), strict=True))
    names = [called.get(name, name) for name in arguments]
    for name in names:
        if name not in known:
            raise FstmetricsError(
                f"{name}: no such file, and no system of --scores; these are {listed(list(known), 8)}"
            )
    return names or list(known)
