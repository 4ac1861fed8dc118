"""What a run depends on: `run_settings` and `input_states` are what has to stay the same for it to go on.

`conditions` and `shown_settings` are what signatures and summaries say of it; `status` is its exit status.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fstmetrics.metrics import CorpusMetric
from fstmetrics.runs import on_request
from fstmetrics.runs.inputs import Inputs
from fstmetrics.runs.request import Request
from fstmetrics.runs.score import part
from fstmetrics.support.version import __version__

if TYPE_CHECKING:
    from fstmetrics.runs.input_states import InputStates

# What commands set that changes numbers, by the names of their settings.
CONDITIONS = ("scales", "beam", "model_weight", "scale", "candidates", "evidence")


def conditions(request: Request, inputs: Inputs, settings: dict[str, Any]) -> tuple[str, ...]:
    """What scores depend on beside the metric and what was done to words, as signatures have it."""
    found = [part(name, settings[name]) for name in CONDITIONS if settings.get(name) is not None]
    missing = [f"missing:{request.missing}"] if request.missing != "error" else []
    files = {
        "symbols": request.symbols,
        "weights": request.weights,
        "tag-candidates": request.tag_candidates,
    }
    named = [part(name, os.path.basename(path)) for name, path in files.items() if path]
    return (*inputs.conditions, *missing, *named, *found)


def of_items(parts: Iterable[str]) -> tuple[str, ...]:
    """Those of them that the score of a single item depends on: whether others are skipped is all the same to it."""
    return tuple(part for part in parts if not part.startswith("missing:"))


def status(request: Request, inputs: Inputs, faults: int) -> int:
    """The exit status: 1 if items were left out because something is wrong with them."""
    return 1 if faults or (request.keep_going and inputs.skipped and request.missing == "error") else 0


def shown_settings(request: Request, metric: CorpusMetric, inputs: Inputs) -> dict[str, Any]:
    """What the summary says of what was computed, whatever the command."""
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        **({"grammars": request.grammar_signature} if request.grammars else {}),
        "formats": inputs.formats,
        "pairing": inputs.pairing,
    }


def run_settings(
    request: Request, inputs: Inputs, metric: CorpusMetric, shown: dict[str, Any]
) -> dict[str, Any]:
    """What has to be the same for a run to go on: whatever a record depends on beside what is read.

    Which items there are (`--missing`) is seen from their ids.

    Args:
        request: what was asked for.
        inputs: what is read.
        metric: what is computed.
        shown: the settings that the summary shows.
    """
    found = {name: value for name, value in shown.items() if name not in ("route", "missing")}
    found |= {"metric": metric.signature(), "nbest": request.nbest, "alignment": request.alignment}
    found |= {"alternations": request.alternations, "speakers": request.speakers, "version": __version__}
    found |= {"fields": list(request.fields)} if request.fields else {}
    return found


def input_states(request: Request, inputs: Inputs) -> InputStates:
    """What a run reads, as it was before it was read."""
    names = [*inputs.formats, *request.beside]
    states = {**on_request.states_of(names), **(inputs.states or {})}
    return on_request.InputStates({name: states[name] for name in names}, files_read(request, inputs))


def files_read(request: Request, inputs: Inputs) -> list[str]:
    """The paths of all that a run reads, in order: which side each is on matters."""
    return [*(side.path for side in inputs.sides), *request.beside]
