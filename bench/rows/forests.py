"""Oracles of shared forests: the chart against writing the forest out, and on one that cannot be written out."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import generate
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line, cpu_ms, cpu_ms_cold, explored, ratio_line

CHART = fm.SearchOptions(route="chart", alignment=False)
AUTO = fm.SearchOptions(alignment=False)
# Share of the reference's words that the forest does not have.
RATE = 0.2


def forests(inputs: Inputs) -> Iterator[Line]:
    """A forest that both can do, by either; a large one by the chart alone, one best and five."""
    for metric in ("wer", "grr"):
        for words in (5, 6) if inputs.tiny else (9, 12, 14):
            yield from _small(metric, words)
    words = 12 if inputs.tiny else 38
    network, reference = _problem(words, seed=1)
    derivations = fm.network_info(network).paths
    for metric in ("wer", "grr"):
        one = fm.align(network, reference, metric, options=CHART)
        work = f"{metric} oracle of a forest of {derivations:.0e} derivations, {words} words"
        ms = cpu_ms(partial(fm.align, network, reference, metric, options=CHART))
        yield Line(work, "(time)", ms, explored=explored(one))
        five = cpu_ms(partial(fm.align, network, reference, metric, nbest=5, options=CHART))
        yield cost_line(f"{work}, 5 best", "ours, the best alone", [five], [ms])


def _problem(words: int, seed: int) -> tuple[fm.Network, str]:
    data = generate.forest(seed, words)
    rng = random.Random(seed)
    hidden = generate.sampled_path(rng, data)
    reference = " ".join(generate.corrupted(rng, hidden, RATE, generate.Zipf(rng)))
    return fm.Network.from_json(json.dumps(data)), reference


def _small(metric: str, words: int) -> Iterator[Line]:
    problems = [_problem(words, seed) for seed in range(3)]
    chart, written, chart_anew, written_anew = [], [], [], []
    for network, reference in problems:
        ours = fm.align(network, reference, metric, options=CHART)
        theirs = fm.align(network, reference, metric, options=AUTO)
        agree(f"forest of {words} words", ours.cost, theirs.cost, "written out")
        text = network.to_json()
        chart.append(cpu_ms(partial(fm.align, network, reference, metric, options=CHART)))
        written.append(cpu_ms(partial(fm.align, network, reference, metric, options=AUTO)))
        chart_anew.append(cpu_ms_cold(partial(_anew, text, reference, metric, CHART)))
        written_anew.append(cpu_ms_cold(partial(_anew, text, reference, metric, AUTO)))
    work = f"{metric} oracle of a forest of {words} words"
    yield ratio_line(f"{work}, from JSON", "ours, written out", chart_anew, written_anew)
    yield ratio_line(f"{work}, again", "ours, written out before", chart, written)


def _anew(text: str, reference: str, metric: str, options: fm.SearchOptions) -> fm.Result:
    return fm.align(fm.Network.from_json(text), reference, metric, options=options)
