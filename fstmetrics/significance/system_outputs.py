"""Several systems, for `compare` and `correlate`: `read_columns` reads their outputs, `asked_metrics` has metrics."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from fstmetrics.data.fields import NO_FIELDS, Fields, merged_columns
from fstmetrics.engine.misplaced_items import misplaced_remark
from fstmetrics.engine.sides import Alternatives
from fstmetrics.engine.signatures import cut_condition
from fstmetrics.engine.unlike_sides import FEWEST_ITEMS
from fstmetrics.io.column_roles import HYPOTHESIS, OPTION
from fstmetrics.io.ids import ENDINGS
from fstmetrics.io.items import has_mark
from fstmetrics.metrics import CorpusMetric, Mean
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.registry import MetricParameters
from fstmetrics.scoring.opened_sides import (
    by_overlap,
    checked_order,
    open_sides,
    read_side,
    read_table,
    refuse_two_hypotheses,
    settled,
)
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.pairing import ADVICE_OF_SYSTEMS, Pairs
from fstmetrics.scoring.piece_marks import unmarked
from fstmetrics.scoring.request import Request, check_run_paths
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import (
    choice_remarks,
    conditions_of,
    file_remarks,
    formats_of,
    hint_of,
    left_out_remark,
    pairing_of,
    pairing_remarks,
)
from fstmetrics.scoring.why_unpaired import refuse_different_ids
from fstmetrics.significance.block_statistics import is_hyter, is_searched
from fstmetrics.support.equal_rows import Numerals, Repeated
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import ONCE
from fstmetrics.support.names import folded_id, listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import file_name, named_path


@dataclass(frozen=True)
class Columns:
    """Several systems and several references, item by item.

    Attributes:
        systems: outputs of each system, by its name; where `read_columns` is asked for columns, texts may be some.
        references: references of each item, likewise.
        networks: the network of each item, or None.
        formats: how each path was read.
        remarks: what was guessed, for the summary.
        pairing: as of `Inputs`.
        ids: of the items, or None.
        conditions: whether ids were read, and items left out, as signatures have it.
        fields: what the files say of each item.
        are_sentences: whether all is plain text, of a translator as likely as of a recogniser.
        has_mark: whether a text begins with a byte order mark, which is left out.
        sides: the outputs as they were read, in the order of `systems`.
    """

    systems: dict[str, Sequence[Any]]
    references: Sequence[Any]
    networks: Sequence[Any] | None
    formats: dict[str, str]
    remarks: tuple[str, ...]
    pairing: dict[str, Any]
    ids: Sequence[str | None]
    conditions: tuple[str, ...]
    fields: Sequence[Fields]
    are_sentences: bool
    has_mark: bool = False
    sides: Sequence[Side] = ()

    def numbered_ids(self) -> Sequence[str]:
        """The ids; of an item that has none its number, from 1."""
        numbers = Numerals(range(1, 1 + len(self.ids)))
        if isinstance(self.ids, Repeated) and self.ids.item is None:
            return numbers
        return [number if id is None else id for number, id in zip(numbers, self.ids, strict=True)]

    def lines(self) -> dict[str, list[str]]:
        """Of each system whose output has other lines than the items, or in another order: the ids of its lines.

        Not where an output has no lines, as the words of a recording have none.
        """
        known = {str(id) for id in self.ids}
        spelled = {folded_id(id): id for id in known}
        found = {}
        for name, side in zip(self.systems, self.sides, strict=False):
            own = [str(item.id) for item in side.items.items] if side.has_ids else []
            own = [id if id in known else spelled.get(folded_id(id), id) for id in own]
            if own != list(map(str, self.ids)) and known.issubset(own):
                found[name] = own
        return found


@dataclass(frozen=True)
class _System:
    """The outputs of one system: its name, its file, and their column where `--fields` has several."""

    name: str
    path: str
    column: str = ""


def read_columns(
    request: Request,
    arguments: Sequence[str],
    references: Sequence[str],
    networks: str | None,
    why: Callable[[Sequence[str]], str] = lambda told: "wer",
    in_columns: bool = False,
) -> Columns:
    """Read and pair systems, references and networks.

    Args:
        request: how to read.
        arguments: files, or NAME=FILE; without a name, a system is called as its file, as of `names_of`. A table may
            have several systems, a column each.
        references: files; none where the systems' files are tables that have the references, too.
        networks: a file or folder, or None.
        why: what references are for, of the files that are no plain text: said of a file that has none.

    Raises:
        FstmetricsError: a file that cannot be read, items that do not pair, or two systems of the same name.
    """
    systems = _systems(request, arguments)
    if request.resegment and (systems[0].column or not (references or networks)):
        raise FstmetricsError(
            "--resegment takes references in a file of their own, --ref FILE, and a file a system: a row of a table of "
            "both is a segment already"
        )
    if references or networks:
        paths = [*references, *([networks] if networks else [])]
        sides = _opened(request, systems, paths, in_columns)
    else:
        sides = _with_references(request, systems, why)
    if [side for side in sides[: len(systems)] if side.items.remarks]:
        refuse_two_hypotheses(sides[: len(systems)])
    sides = by_overlap(sides, len(systems))
    names = [system.name for system in systems]
    hypotheses, others = sides[: len(systems)], [side.items for side in sides[len(systems) :]]
    # Each system by itself against the references, whose order all of them get.
    pairs = [
        Pairs(side.items, others, request.missing, partial(hint_of, [side, *sides[len(systems) :]]), side.is_empty,
              ADVICE_OF_SYSTEMS, side.is_by_order)
        for side in hypotheses
    ]  # fmt: skip
    paired = [next(each.blocks()) for each in pairs]
    if [block for block in paired if block.ids is not None]:
        _refuse_different_ids(paired, hypotheses, sides[len(systems) :])
    paired, left_out = _in_all(paired, sides) if request.missing == "skip" else (paired, _NONE)
    left_out = left_out._replace(absent=left_out.absent + sides[len(systems)].left_out)
    count = len(sides) - len(systems) - bool(networks)
    first = paired[0]
    said = file_remarks(sides)
    pairing = pairing_of(sides, len(systems))
    are_sentences = {name for side in sides[: len(sides) - bool(networks)] for name in side.formats} <= {
        "plain"
    }
    outputs = {name: block.hypotheses for name, block in zip(names, paired, strict=True)}
    against = _references(first, count) if count else []
    by_order = are_sentences and pairing.get("by") == "order" and len(against) >= FEWEST_ITEMS
    misplaced = _misplaced(request, outputs, against) if by_order else ()
    if not in_columns:
        outputs, against = {name: list(texts) for name, texts in outputs.items()}, list(against)
    return Columns(
        outputs,
        against,
        [pair.references[-1] for pair in first] if networks else None,
        formats_of(sides),
        (
            *misplaced,
            *_left_out_remarks(left_out),
            *pairing_remarks(sides, len(systems)),
            *choice_remarks(hypotheses, False),
            *said,
            *dict.fromkeys(chain.from_iterable(each.remarks for each in pairs)),
        ),
        pairing,
        Repeated(None, len(first)) if first.ids is None else first.ids,
        (
            conditions_of(hypotheses, sides[len(systems) :])[1],
            *(
                [cut_condition(request.criterion, request.normalisation.unit, request.bare_cuts)]
                if request.resegment
                else []
            ),
            *(["missing:skip"] if request.missing == "skip" else []),
            *request.named_files,
        ),
        _fields(paired),
        are_sentences,
        has_mark=has_mark(said),
        sides=hypotheses,
    )


def _misplaced(
    request: Request, outputs: Mapping[str, Sequence[Any]], references: Sequence[Any]
) -> Iterator[str]:
    """What is said of systems whose texts match references of other items better than their own."""
    for name, texts in outputs.items():
        if remark := misplaced_remark(texts, references, request.normalisation):
            yield f"{name}: {remark}"


def _references(pairs: PairBlock, count: int) -> Sequence[Any]:
    """Those of each item, of which the first so many are texts or graphs and not the networks."""
    if pairs.is_native:
        return PairBlock(None, pairs.hypotheses, pairs.references[:count]).reference
    return [replace(pair, references=pair.references[:count]).reference for pair in pairs]


def _fields(paired: Sequence[PairBlock]) -> Sequence[Fields]:
    """The fields of each item, of all systems."""
    told = [block.fields for block in paired if block.fields is not None]
    if not told:
        return Repeated(NO_FIELDS, len(paired[0]))
    return merged_columns(told)


def _in_all(paired: Sequence[PairBlock], sides: Sequence[Side]) -> tuple[list[PairBlock], _LeftOut]:
    """The items that all systems have, and how many others there are in any file."""
    if not all(side.has_ids for side in sides):
        _refuse_different_numbers(paired, sides)
        return list(paired), _NONE
    shared = set.intersection(*({pair.id for pair in pairs} for pairs in paired))
    if not shared:
        raise FstmetricsError("there is nothing to score: no id is in all files")
    there = {folded_id(str(item.id)) for side in sides for item in side.items}
    kept = [PairBlock.of([pair for pair in pairs if pair.id in shared]) for pairs in paired]
    lacking = there - {folded_id(str(id)) for id in shared}
    sentences = {folded_id(id) for side in sides for id in side.sentences}
    networks = {folded_id(str(item.id)) for side in sides if side.sentences for item in side.items}
    without = lacking & (sentences - networks)
    absent = lacking - without
    of_files = {side.path: absent - {folded_id(str(item.id)) for item in side.items} for side in sides}
    return kept, _LeftOut(
        len(without), len(absent), {path: len(ids) for path, ids in of_files.items() if ids}
    )


def _refuse_different_ids(
    paired: Sequence[PairBlock], hypotheses: Sequence[Side], references: Sequence[Side]
) -> None:
    """Raise an FstmetricsError where references without ids pair with systems by order, and the systems' ids differ."""
    without = next((side.path for side in references if not side.has_ids), None)
    told = [
        (side.path, block.ids)
        for side, block in zip(hypotheses, paired, strict=True)
        if block.ids is not None
    ]
    if without is None or all(ids is told[0][1] or ids == told[0][1] for _, ids in told):
        return
    paths = [path for path, _ in told]
    for place, ids in enumerate(zip(*(ids for _, ids in told), strict=False)):
        refuse_different_ids(place, dict(zip(paths, ids, strict=True)), without)


def _refuse_different_numbers(paired: Sequence[PairBlock], sides: Sequence[Side]) -> None:
    """Raise a FstmetricsError if one system has another number of items than the others."""
    counts = list(map(len, paired))
    if len(set(counts)) > 1:
        found = ", ".join(f"{count} in {side.path}" for count, side in zip(counts, sides, strict=False))
        raise FstmetricsError(f"numbers of items differ: {found}; not all have ids to pair them by")


class _LeftOut(NamedTuple):
    """Items that are left out: of sentences of a project that have no network yet, and others that some file lacks; how
    many ids of these each file lacks, by its path."""

    unwritten: int
    absent: int
    lacking: Mapping[str, int] = MappingProxyType({})


_NONE = _LeftOut(0, 0)
# So many paths are shown in a command that an error proposes.
SHOWN = 4


def _left_out_remarks(left_out: _LeftOut) -> Iterator[str]:
    if count := left_out.unwritten:
        yield f"{counted(count, 'item')} left out: no network yet"
    if count := left_out.absent:
        yield left_out_remark(count, left_out.lacking)


def _systems(request: Request, arguments: Sequence[str]) -> list[_System]:
    """The systems: of each file one, or as many as `--fields` has columns of hypotheses."""
    names, paths = names_of(arguments), [named_path(argument)[1] for argument in arguments]
    columns = request.columns.get(HYPOTHESIS, ())
    if len(columns) < 2:
        return [_System(name, path) for name, path in zip(names, paths, strict=True)]
    if len(set(columns)) < len(columns):
        raise FstmetricsError(f"{OPTION}: a column is given twice as hyp")
    alone = len(names) == 1
    return [
        _System(column if alone else f"{name}:{column}", path, column)
        for name, path in zip(names, paths, strict=True)
        for column in columns
    ]


def _opened(
    request: Request, systems: Sequence[_System], others: Sequence[str], in_columns: bool
) -> list[Side]:
    """The sides of systems, references and networks."""
    if not systems[0].column:
        paths = [system.path for system in systems] + [*others]
        if request.resegment:
            from fstmetrics.scoring.resegmenting import resegmented

            return resegmented(request, paths, len(systems), advice=ADVICE_OF_SYSTEMS)
        return open_sides(request, paths, len(systems), stored=in_columns)
    columns = dict.fromkeys(system.path for system in systems)
    check_run_paths(request, [*columns, *others])
    opened = {path: read_side(request, path, True, False, column=systems[0].column) for path in columns}
    sides = [opened[system.path].of_column(system.column) for system in systems]
    return unmarked(settled([*sides, *(read_side(request, path, False, False) for path in others)]), request)


def _with_references(
    request: Request, systems: Sequence[_System], why: Callable[[Sequence[str]], str]
) -> list[Side]:
    """The sides of systems in tables, and of the references in the first of them; all have the same.

    Raises:
        FstmetricsError: a file has no references; or one has others than the first.
    """
    paths = list(dict.fromkeys(system.path for system in systems))
    check_run_paths(request, paths)
    outputs = {path: read_table(request, path, systems[0].column) for path in paths}
    told = [each for each, other in outputs.items() if not (other.lines or other.is_empty)]
    if not any(side.is_table for side in outputs.values()):
        if len(paths) > 1 and all(side.formats == ("records",) for side in outputs.values()):
            raise FstmetricsError(
                f"no references: all files are records; `fstmetrics report {' '.join(paths)}` compares them as they "
                "are, and --ref FILE scores their hypotheses again"
            )
        raise FstmetricsError(
            f"no references: all files are taken as systems; give --ref FILE, for {why(told)}"
            + (f"; if {paths[0]} has them: --ref {' '.join(paths)}" if 1 < len(paths) <= SHOWN else "")
        )
    for path, side in outputs.items():
        if not side.is_table:
            raise InputError(f"has no references: --ref FILE gives them, for {why(told)}", path)
    opened = {path: (side, side.references_beside(request.alternations)) for path, side in outputs.items()}
    first = opened[paths[0]][1]
    for path in paths[1:]:
        _refuse_other_references(opened[path][1], first)
    sides = [opened[system.path][0] for system in systems]
    if systems[0].column:
        sides = [side.of_column(system.column) for side, system in zip(sides, systems, strict=True)]
    return unmarked(settled([*sides, first]), request)


def _refuse_other_references(side: Side, first: Side) -> None:
    """Raise an InputError if items of a table have other references than in the first one."""
    checked_order(side, first)
    advice = f"those of {first.path}; give one of them by --ref"
    if not (side.has_ids and first.has_ids):
        if [item.value for item in side.items] != [item.value for item in first.items]:
            raise InputError(f"its references are not {advice}", side.path)
        return
    expected = {item.id: item.value for item in first.items}
    others = [str(item.id) for item in side.items if expected.get(item.id, item.value) != item.value]
    if others:
        raise InputError(f"the references of {listed(others)} are not {advice}", side.path)


def runs_of(arguments: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Arguments of `read_columns`, where NAME=FILE,FILE are several runs of one system; and whose run each of these is.

    >>> runs_of(["a.txt", "new=run1.txt,run2.txt"])
    (['a.txt', 'new (run 1)=run1.txt', 'new (run 2)=run2.txt'], {'new (run 1)': 'new', 'new (run 2)': 'new'})
    """
    found: list[str] = []
    systems: dict[str, str] = {}
    for argument in arguments:
        name, path = named_path(argument)
        paths = path.split(",")
        if name is None or len(paths) < 2 or os.path.exists(path):
            found.append(argument)
            continue
        if "" in paths:
            raise FstmetricsError(
                f"{argument}: commas separate the files of several runs of a system, and one of the names is empty; "
                "remove the comma, or give a file"
            )
        if twice := next((path for path in paths if paths.count(path) > 1), None):
            raise FstmetricsError(
                f"{argument}: {twice} is given twice; runs of a system are outputs of their own, a file each"
            )
        if name in systems.values():
            raise FstmetricsError(f"two systems are called {name!r}; name them otherwise by NAME=FILE,FILE")
        runs = {f"{name} (run {number})": each for number, each in enumerate(paths, 1)}
        found += [f"{run}={each}" for run, each in runs.items()]
        systems |= dict.fromkeys(runs, name)
    return found, systems


def names_of(arguments: Sequence[str]) -> list[str]:
    """The systems' names: as given by NAME=FILE, else those of their files, without an ending that is one of files, or
    that all of them have.

    Files whose names differ in nothing but the ending keep it.

    >>> names_of(["a/set1.out.0.gz", "a/set1.out.1.gz", "new=b.txt", "c.txt", "hyp.UEdin"])
    ['set1.out.0', 'set1.out.1', 'new', 'c', 'hyp.UEdin']
    >>> names_of(["old.de.gz", "new.de.gz"])
    ['old', 'new']
    """
    named = [*map(named_path, arguments)]
    unnamed = [file_name(path) for given, path in named if given is None]
    are_alike = len({Path(file).suffix for file in unnamed}) == 1
    short = {
        file: Path(file).stem if are_alike or Path(file).suffix[1:].lower() in ENDINGS else file
        for file in unnamed
    }
    times = Counter(map(short.__getitem__, dict.fromkeys(unnamed)))
    names: dict[str, str] = {}
    for given, path in named:
        file = file_name(path)
        name = given or (file if times[short[file]] > 1 else short[file])
        if name in names:
            if names[name] == path == "-":
                raise FstmetricsError(ONCE)
            raise FstmetricsError(
                f"two systems are called {name!r}: {names[name]} and {path}; name them otherwise by NAME=FILE"
            )
        names[name] = path
    return list(names)


def asked_metrics(
    names: Iterable[str],
    parameters: MetricParameters,
    references: Sequence[str],
    networks: str | None,
    tables: bool = False,
) -> list[CorpusMetric]:
    """The metrics of comma-separated names, each once, which must have something to compare with.

    Args:
        names: of the metrics.
        parameters: theirs.
        references, networks: as of `read_columns`.
        tables: whether the systems' files may have the references.

    Raises:
        FstmetricsError: no such metric, a metric without references, or networks without a finite-state metric.
    """
    metrics = parameters.metrics(names)
    if networks is not None and not any(map(is_searched, metrics)):
        raise FstmetricsError(
            "--networks is for finite-state metrics (wer, hyter, ...); none of them was asked for, as -m hyter does"
        )
    if not references and not (tables and networks is None):
        for metric in metrics:
            if networks is None:
                raise FstmetricsError(f"{metric.name} needs references: --ref FILE")
            if not is_searched(metric):
                raise FstmetricsError(
                    f"{metric.name} compares strings, not networks: give it references by --ref FILE"
                )
    return metrics


def refuse_plain_hyter(metrics: Iterable[CorpusMetric], against: Sequence[Any], request: Request) -> None:
    """Raise an FstmetricsError for a HyTER that would be nothing but the word error rate.

    Args:
        metrics: what was asked for.
        against: the references that HyTER is given.
        request: which has the grammars that widen them.
    """
    for metric in filter(is_hyter, metrics):
        inner = metric.metric if isinstance(metric, Mean) else metric
        assert isinstance(inner, HyTER)
        if inner.window == 1 and not request.grammars and all(map(_is_plain, against)):
            raise FstmetricsError(
                f"{metric.name} of plain references without a window is the word error rate: give --networks "
                "NETWORKS or --window K, or ask for wer"
            )


def _is_plain(reference: Any) -> bool:
    """Whether a reference is one sentence or several, and leaves no other choice."""
    if isinstance(reference, Alternatives | list | tuple):
        items = reference.items if isinstance(reference, Alternatives) else reference
        return all(map(_is_plain, items))
    return isinstance(reference, str)
