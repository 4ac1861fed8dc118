"""The rows of the table. A row takes the inputs and yields lines; `ROWS` has them by name, in the table's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bench.inputs import Inputs
from bench.measure import Line
from bench.rows import (
    alignment,
    branching,
    corpus,
    eager,
    forests,
    growth,
    hyter,
    inflating,
    metric_tests,
    networks,
    ngrams,
    oracle,
    process,
    reading,
    routes,
    significance,
    speakers,
    strings,
    texts,
    tuning,
)

ROWS: dict[str, Callable[[Inputs], Iterable[Line]]] = {
    "hyter-single": hyter.single,
    "hyter-combined": hyter.combined,
    "hyter-large": hyter.large,
    "oracle": oracle.edits,
    "oracle-call": oracle.call,
    "eager": eager.eager,
    "hope": eager.hope,
    "alignment": alignment.alignment,
    "moves": alignment.moves,
    "4-grr": ngrams.oracle,
    "branching": branching.branching,
    "forests": forests.forests,
    "routes": routes.routes,
    "corpus": corpus.corpus,
    "files": texts.files,
    "columns": texts.columns,
    "long-pair": corpus.long_pair,
    "significance": significance.significance,
    "metric-tests": metric_tests.metric_tests,
    "tie-calibration": metric_tests.tie_calibration,
    "tercom": strings.ter,
    "chrf": strings.chrf,
    "tuning": tuning.tuning,
    "speakers": speakers.speakers,
    "preparation": process.preparation,
    "networks": networks.networks,
    "reading": reading.reading,
    "batches": reading.batches,
    "gzip": inflating.inflating,
    "threads": process.threads,
    "import": process.start,
    "start": process.commands,
    "growth": growth.growth,
    "memory": process.memory,
    "limit": growth.limit,
}
