"""Scoring with records on the side, and going on where a run was stopped: `scored`, `run_settings`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TextIO

from fstmetrics.cli.batches import Outcome, Score, outcomes
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.messages import say
from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import counter
from fstmetrics.cli.taken import full_record
from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics import Metric
from fstmetrics.output import whole_file
from fstmetrics.pairing import Pair
from fstmetrics.results import Result
from fstmetrics.runs.tallies import Counts, RunTally
from fstmetrics.runs.unfinished import Entry, Unfinished
from fstmetrics.version import __version__


@dataclass
class Done:
    """What a run has found so far.

    Attributes:
        tally: sums of the items.
        faults: how many items were left out because something is wrong with them.
        kept: results that are to be shown, with what they are of.
    """

    tally: RunTally = field(default_factory=RunTally)
    faults: int = 0
    kept: list[tuple[Result, Pair]] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Count a finished item."""
        if entry.counts:
            self.tally.add(entry.counts)
        else:
            self.faults += 1


def scored(request: Request, inputs: Inputs, score: Score, settings: dict[str, Any]) -> Done:
    """Score all pairs, and write their records if they are asked for.

    Args:
        request: what was asked for.
        inputs: the pairs.
        score: results of some pairs.
        settings: what has to be the same for the run to go on later.

    Raises:
        FstmetricsError: something is wrong with an item or with the pairs, or the records cannot be written.
    """
    done = Done()
    if request.output is None or not _is_plain(request.output):
        with ExitStack() as stack:
            stream = stack.enter_context(whole_file(request.output)) if request.output else None
            _score(request, inputs, score, done, stream)
    else:
        with Unfinished(request.output, settings, request.resume) as unfinished:
            try:
                _score(request, inputs, score, done, unfinished)
                unfinished.complete()
            except FstmetricsError as error:
                raise FstmetricsError("; ".join(filter(None, [str(error), unfinished.remark]))) from None
            except (KeyboardInterrupt, SystemExit):
                say(f"stopped; {unfinished.remark}" if unfinished.remark else "stopped; nothing was finished")
                raise
    return done


def _is_plain(path: str) -> bool:
    """Whether a path is, or will be, a plain file: no device, no pipe, not standard output."""
    return path != "-" and (os.path.isfile(path) or not os.path.exists(path))


def _score(
    request: Request, inputs: Inputs, score: Score, done: Done, to: TextIO | Unfinished | None
) -> None:
    with counter("scoring", inputs.expected) as progress:
        pairs = iter(inputs.source)
        if isinstance(to, Unfinished):
            for entry in to.entries():
                _pass_over(entry, pairs)
                done.add(entry)
            progress(to.finished)
        for some in outcomes(pairs, score, request.jobs, request.keep_going):
            items = [_item(outcome, request, to is not None) for outcome in some]
            if isinstance(to, Unfinished):
                to.write(items)
            elif to:
                to.writelines(line for line, _ in items)
            for outcome, (_, entry) in zip(some, items, strict=True):
                done.add(entry)
                if outcome.fault:
                    say(outcome.fault)
                elif request.shows_items and outcome.result:
                    done.kept.append((outcome.result, outcome.pair))
            progress(len(some))
    if not len(done.tally):
        raise FstmetricsError("there is no item to score")


def _pass_over(entry: Entry, pairs: Iterator[Pair]) -> None:
    """Move on by an item that is finished."""
    pair = next(pairs, None)
    if pair is None or pair.id != entry.id:
        found = "there is none" if pair is None else f"now it is {pair.id!r}"
        raise FstmetricsError(
            f"the inputs or --missing have changed since the run was stopped: item {entry.id!r} was next, {found}; "
            "without --resume the run starts anew"
        )


def _item(outcome: Outcome, request: Request, recorded: bool) -> tuple[str, Entry]:
    """The record of an item, and what is said of it in the journal."""
    result, pair = outcome.result, outcome.pair
    if result is None:
        return "", Entry(pair.id, fault=outcome.fault)
    line = ""
    if recorded:
        line = json_line(full_record(result, pair, request))
    return line, Entry(pair.id, Counts.of(result))


def json_line(value: dict[str, Any]) -> str:
    """An object as a line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def run_settings(request: Request, inputs: Inputs, metric: Metric, shown: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same for a run to go on: whatever a record depends on.

    Which items there are (`--missing`) is seen from their ids.

    Args:
        request: what was asked for.
        inputs: what is read.
        metric: what is computed.
        shown: the settings that the summary shows.
    """
    names = [*inputs.formats, *filter(None, (request.symbols, request.weights))]
    found = {name: value for name, value in shown.items() if name not in ("route", "missing")}
    found |= {"metric": metric.signature(), "nbest": request.nbest, "alignment": request.alignment}
    found |= {"alternations": request.alternations, "version": __version__}
    return found | {"inputs": {name: _state(name) for name in names}}


def _state(path: str) -> Sequence[int] | str:
    """Size and time of a file; a folder may have files repaired, and its ids are compared."""
    if path == "-" or not os.path.isfile(path):
        return ""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
