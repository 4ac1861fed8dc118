"""Distances of outputs to a network: `aligned` finds the closest paths, `distance` counts edits and moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from fstmetrics.data.network import Network
from fstmetrics.engine.network_words import adopted, left_for
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import SearchOptions, search_items
from fstmetrics.metrics import Metric
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

Kind = Literal["system", "reference"]
Outputs = Mapping[str, str | Sequence[str]]


def distance_metric(metric: object) -> Metric:
    """The metric of distances, by default HyTER; raises FstmetricsError for one that is no error rate."""
    if metric is None:
        return HyTER()
    if not isinstance(metric, Metric) or metric.recognition:
        raise FstmetricsError(
            f"{getattr(metric, 'name', metric)} counts no edits to a closest path: hyter, wer and sclite do"
        )
    return metric


def by_words(network: Network, normalisation: Normalisation) -> tuple[Network, Normalisation]:
    """A network and what is left to be done, for outputs that are cut already (`outputs_of`) as its words are.

    Raises:
        FstmetricsError: as of `left_for`.
    """
    if network.tokenize is None and not network.lowercase:
        return network, normalisation
    left = left_for(network, adopted(network, normalisation))
    return network.changed(tokenize=None, lowercase=False), left


class Output(NamedTuple):
    """A sentence that is compared with a network, and what it is of."""

    name: str
    kind: Kind
    text: str | Sequence[str]


def outputs_of(systems: Outputs, references: Outputs, network: Network) -> list[Output]:
    """Systems and references in one list, cut as the words of a network are that says how.

    Raises:
        FstmetricsError: two of the same name.
    """
    if twice := [name for name in references if name in systems]:
        raise FstmetricsError(f"a system and a reference are both called {twice[0]!r}")
    own = Normalisation(network.tokenize, network.lowercase, unit=network.unit or "word")
    says = network.unit is not None or own != PLAIN
    cut = own.words if says else lambda text: text
    return [
        *(Output(name, "system", cut(text)) for name, text in systems.items()),
        *(Output(name, "reference", cut(text)) for name, text in references.items()),
    ]


def aligned(
    network: Network,
    outputs: Sequence[Output],
    metric: Metric,
    normalisation: Normalisation,
    options: SearchOptions,
) -> list[Result]:
    """The closest path of each output."""
    if not outputs:
        return []
    if network.unit is not None:
        normalisation = replace(normalisation, unit=network.unit)
    items = [(network.id or None, output.text, network) for output in outputs]
    return list(search_items(items, metric, 1, normalisation, options))


def distance(result: Result) -> float:
    """Edits and moves to the closest path, by the metric's costs; a whole number where they are."""
    found = result.metric.numerator(result.totals)
    return found.numerator if found.denominator == 1 else float(found)
