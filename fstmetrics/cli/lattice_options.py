"""Options of commands that weigh the costs of lattices, and what they mean for lattices and n-best lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from fstmetrics.cli.numbers import WEIGHT
from fstmetrics.lattice import Lattice
from fstmetrics.nbest import NBest
from fstmetrics.network import Network
from fstmetrics.scales import Scales

Function = TypeVar("Function", bound=Callable[..., Any])


def scale_options(function: Function) -> Function:
    """Weights of costs."""
    for option in reversed(
        [
            click.option("--lm-scale", type=WEIGHT,
                         help="Weight of graph costs, for n-best lists of scores; by default the file's own, or 1."),
            click.option("--acoustic-scale", type=WEIGHT,
                         help="Weight of acoustic costs; by default 1."),
            click.option("--word-penalty", type=WEIGHT,
                         help="Cost added for every word; by default the file's own, or 0."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def asked_scales(
    lm_scale: float | None, acoustic_scale: float | None, word_penalty: float | None
) -> dict[str, float]:
    """Those that were given, by their names in `Scales`."""
    scales = {"lm": lm_scale, "acoustic": acoustic_scale, "word_penalty": word_penalty}
    return {name: value for name, value in scales.items() if value is not None}


def scaled(hypothesis: Any, asked: dict[str, float]) -> Any:
    """A lattice or forest under the scales that were asked for; others stay as its file says. An n-best list's total
    scores count as graph costs; what is none of them stays as it is."""
    if not asked:
        return hypothesis
    if isinstance(hypothesis, Lattice | Network):
        return hypothesis.weighed(replace(hypothesis.scales, **asked))
    if isinstance(hypothesis, NBest):
        return hypothesis.weighed(Scales(**asked))
    return hypothesis
