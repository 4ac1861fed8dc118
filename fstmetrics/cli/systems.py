"""Several systems, for `compare` and `correlate`: `read_columns` reads their outputs, `asked_metrics` has metrics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fstmetrics.cli.input_sides import (
    by_overlap,
    choice_remarks,
    conditions_of,
    file_remarks,
    formats_of,
    hint_of,
    open_sides,
    pairing_of,
    pairing_remarks,
)
from fstmetrics.cli.request import MetricParameters, Request
from fstmetrics.evaluation.significance.texts import is_hyter
from fstmetrics.metrics import CorpusMetric, HyTER, Mean
from fstmetrics.runs.pairing import Pairs
from fstmetrics.scoring.sides import Alternatives
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import stem
from fstmetrics.values.fields import Fields, merged


@dataclass(frozen=True)
class Columns:
    """Several systems and several references, item by item.

    Attributes:
        systems: outputs of each system, by its name.
        references: references of each item.
        networks: the network of each item, or None.
        formats: how each path was read.
        remarks: what was guessed, for the summary.
        pairing: as of `Inputs`.
        ids: of the items, or None.
        ids_read: whether ids were read, as signatures have it.
        fields: what the files say of each item.
        are_sentences: whether all is plain text, of a translator as likely as of a recogniser.
    """

    systems: dict[str, list[Any]]
    references: list[Any]
    networks: list[Any] | None
    formats: dict[str, str]
    remarks: tuple[str, ...]
    pairing: dict[str, Any]
    ids: list[str | None]
    ids_read: str
    fields: list[Fields]
    are_sentences: bool


def read_columns(
    request: Request, systems: Sequence[str], references: Sequence[str], networks: str | None
) -> Columns:
    """Read and pair systems, references and networks.

    Args:
        request: how to read.
        systems: files, or NAME=FILE; without a name, a system is called by its file's stem.
        references: files.
        networks: a file or folder, or None.

    Raises:
        FstmetricsError: a file that cannot be read, items that do not pair, or two systems of the same name.
    """
    names = names_of(systems)
    systems = [named_path(argument)[1] for argument in systems]
    paths = [*systems, *references, *([networks] if networks else [])]
    sides = by_overlap(open_sides(request, paths, len(systems)), len(systems))
    hypotheses, others = sides[: len(systems)], [side.items for side in sides[len(systems) :]]
    # Each system by itself against the references, whose order all of them get.
    paired = [
        list(Pairs(side.items, others, None, hint_of([side, *sides[len(systems) :]]), side.is_empty))
        for side in hypotheses
    ]
    count = len(references)
    return Columns(
        {name: [p.hypothesis for p in pairs] for name, pairs in zip(names, paired, strict=True)},
        [replace(p, references=p.references[:count]).reference for p in paired[0]] if count else [],
        [p.references[-1] for p in paired[0]] if networks else None,
        formats_of(sides),
        (*pairing_remarks(sides), *choice_remarks(hypotheses, False), *file_remarks(sides)),
        pairing_of(sides),
        [p.id for p in paired[0]],
        conditions_of(hypotheses, sides[len(systems) :])[1],
        [merged([p.fields for p in pairs]) for pairs in zip(*paired, strict=True)],
        all(set(side.formats) <= {"plain"} for side in sides[: len(sides) - bool(networks)]),
    )


def named_path(argument: str) -> tuple[str | None, str]:
    """The name and path of NAME=FILE; None and the path where there is no name."""
    name, _, path = argument.partition("=")
    return (name, path) if name and path and not os.path.exists(argument) else (None, argument)


def names_of(arguments: Sequence[str]) -> list[str]:
    """The systems' names: as given by NAME=FILE, else the stems of their files."""
    names: dict[str, str] = {}
    for argument in arguments:
        given, path = named_path(argument)
        name = given or stem(path)
        if name in names:
            raise FstmetricsError(
                f"two systems are called {name!r}: {names[name]} and {path}; name them otherwise by NAME=FILE"
            )
        names[name] = path
    return list(names)


def asked_metrics(
    names: Iterable[str], parameters: MetricParameters, references: Sequence[str], networks: str | None
) -> list[CorpusMetric]:
    """The metrics of comma-separated names, each once, which must have something to compare with.

    Raises:
        FstmetricsError: no such metric, a metric without references, or networks without HyTER.
    """
    metrics = parameters.metrics(names)
    if networks is not None and not any(map(is_hyter, metrics)):
        raise FstmetricsError("--networks is for the metric hyter, which was not asked for")
    if not references:
        for metric in metrics:
            if networks is None or not is_hyter(metric):
                raise FstmetricsError(f"{metric.name} needs references: --ref FILE")
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
