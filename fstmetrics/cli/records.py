"""Runs with records on the side, which go on where they were stopped: `scored`, `run_settings`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, TextIO

from fstmetrics.cli.batches import Outcome, outcomes
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.messages import say
from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import counter
from fstmetrics.cli.work import Added, Made, Work
from fstmetrics.errors import FstmetricsError
from fstmetrics.json_text import written_json
from fstmetrics.metrics import CorpusMetric
from fstmetrics.output import is_plain, whole_file
from fstmetrics.pairing import Pair
from fstmetrics.runs.entry import Entry
from fstmetrics.runs.unfinished import Unfinished
from fstmetrics.stopping import Stopped
from fstmetrics.version import __version__


def scored(request: Request, inputs: Inputs, work: Work[Made, Added], settings: dict[str, Any]) -> int:
    """Work on all items, and write their records if they are asked for.

    Args:
        request: what was asked for.
        inputs: the items.
        work: what becomes of them; its tally has their sums afterwards.
        settings: what has to be the same for the run to go on later.

    Returns:
        How many items were left out because something is wrong with them.

    Raises:
        FstmetricsError: something is wrong with an item or with the pairs, or the records cannot be written.
    """
    if request.output is None or not is_plain(request.output):
        with ExitStack() as stack:
            stream = stack.enter_context(whole_file(request.output)) if request.output else None
            return _score(request, inputs, work, stream)
    with Unfinished(request.output, settings, request.resume, work.restored) as unfinished:
        try:
            faults = _score(request, inputs, work, unfinished)
            unfinished.complete()
        except FstmetricsError as error:
            remark = f"; {unfinished.remark_on_error(request.keep_going)}" if unfinished.finished else ""
            raise FstmetricsError(f"{error}{remark}") from None
        except Stopped as stopped:
            stopped.remark = unfinished.remark
            raise
    return faults


def _score(
    request: Request, inputs: Inputs, work: Work[Made, Added], to: TextIO | Unfinished[Added] | None
) -> int:
    faults = 0
    with counter(work.title, inputs.expected, work.prints or request.output == "-") as progress:
        pairs = iter(inputs.source)
        if isinstance(to, Unfinished):
            faults += _passed_over(to.entries(), pairs, work)
            progress(to.finished)
        for some in outcomes(pairs, work.results, request.jobs, request.keep_going):
            items = [_item(outcome, work, to is not None) for outcome in some]
            if isinstance(to, Unfinished):
                to.write(items)
            elif to:
                to.writelines(line for line, _ in items)
            for outcome, (_, entry) in zip(some, items, strict=True):
                if outcome.result is None or entry.counts is None:
                    faults += 1
                    say(outcome.fault)
                else:
                    work.tally.add(entry.counts)
                    work.shown(outcome.result, outcome.pair)
            progress(len(some))
    if not len(work.tally):
        raise FstmetricsError("there is no item to score")
    return faults


def _passed_over(entries: Iterable[Entry[Added]], pairs: Iterator[Pair], work: Work[Made, Added]) -> int:
    """Count the items that are finished; returns how many of them were left out."""
    faults = 0
    for entry in entries:
        pair = _next(entry, pairs)
        if entry.counts is None:
            faults += 1
        else:
            work.tally.add(entry.counts)
            work.passed(pair)
    return faults


def _next(entry: Entry[Added], pairs: Iterator[Pair]) -> Pair:
    """The pair of an item that is finished."""
    pair = next(pairs, None)
    if pair is None or pair.id != entry.id:
        found = "there is none" if pair is None else f"now it is {pair.id!r}"
        raise FstmetricsError(
            f"the inputs or --missing have changed since the run was stopped: item {entry.id!r} was next, {found}; "
            "without --resume the run starts anew"
        )
    return pair


def _item(outcome: Outcome[Made], work: Work[Made, Added], recorded: bool) -> tuple[str, Entry[Added]]:
    """The record of an item, and what is said of it in the journal."""
    result, pair = outcome.result, outcome.pair
    if result is None:
        return "", Entry(pair.id, fault=outcome.fault)
    line = written_json(work.signed(result, pair)) + "\n" if recorded else ""
    return line, Entry(pair.id, work.counts(result, pair))


def run_settings(
    request: Request, inputs: Inputs, metric: CorpusMetric, shown: dict[str, Any]
) -> dict[str, Any]:
    """What has to be the same for a run to go on: whatever a record depends on.

    Which items there are (`--missing`) is seen from their ids.

    Args:
        request: what was asked for.
        inputs: what is read.
        metric: what is computed.
        shown: the settings that the summary shows.
    """
    names = [*inputs.formats, *filter(None, (request.symbols, request.weights)), *request.grammar_files]
    found = {name: value for name, value in shown.items() if name not in ("route", "missing")}
    found |= {"metric": metric.signature(), "nbest": request.nbest, "alignment": request.alignment}
    found |= {"alternations": request.alternations, "version": __version__}
    return found | {
        "inputs": [[name, _state(name)] for name in names]
    }  # in order: which side each is on matters


def _state(path: str) -> Sequence[int] | str:
    """Size and time of a file; a folder may have files repaired, and its ids are compared."""
    if path == "-" or not os.path.isfile(path):
        return ""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
