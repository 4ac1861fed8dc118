"""The rows of the table. A row takes the inputs and yields lines; `ROWS` has them by name, in the table's order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bench.inputs import Inputs
from bench.measure import Line
from bench.rows import (
    alignment,
    branching,
    combining,
    compiled,
    corpus,
    eager,
    engines,
    files,
    forests,
    growth,
    hyter,
    inflating,
    latency,
    metric_tests,
    ngrams,
    one_call,
    oracle,
    oracle_command,
    pairs,
    process,
    reading,
    routes,
    segments,
    significance,
    speakers,
    strings,
    tables,
    texts,
    tuning,
    whole,
)

# Groups, in the order of bench/README.md. What is inner is measured only where it is asked for: no user waits for it.
WHOLE, LIBRARY, KERNELS, INNER = "whole", "library", "kernels", "inner"


class Row(NamedTuple):
    """A row of the bench: its group, the question that it answers, and what measures it."""

    group: str
    question: str
    lines: Callable[[Inputs], Iterable[Line]]


ROWS: dict[str, Row] = {
    "whole-commands": Row(WHOLE, "How long do I wait, beside the program that I use today?", whole.whole),
    "files": Row(WHOLE, "How long does the WER of a million lines take?", texts.files),
    "tables": Row(
        WHOLE,
        "And of a million rows of a table, and in how much memory?",
        tables.tables,
    ),
    "oracle-command": Row(
        WHOLE,
        "What do 20,000 oracles take beyond reading the lattices?",
        oracle_command.command,
    ),
    "segments": Row(WHOLE, "How long does it take to cut a talk into segments?", segments.segments),
    "latency": Row(WHOLE, "How long does the latency of a test set take?", latency.latency),
    "rover": Row(WHOLE, "How long do the votes of five systems take?", combining.votes),
    "cluster": Row(WHOLE, "What do Ray and Spark cost where one machine is enough?", engines.engines),
    "start": Row(WHOLE, "How long does a command take that has nothing to do?", process.commands),
    "import": Row(WHOLE, "What does the import cost a program?", process.start),
    "memory": Row(WHOLE, "Does a lattice of a million arcs fit into memory?", process.memory),
    "corpus": Row(LIBRARY, "How fast is the WER of a test set in Python?", corpus.corpus),
    "pairs": Row(LIBRARY, "Is any package faster at edits of many pairs?", pairs.pairs),
    "columns": Row(LIBRARY, "How fast are the alignments of 100,000 pairs in Python?", texts.columns),
    "long-pair": Row(LIBRARY, "How long does one talk without segments take?", corpus.long_pair),
    "hyter-single": Row(LIBRARY, "How fast is HyTER against what one annotator wrote?", hyter.single),
    "hyter-combined": Row(LIBRARY, "And against networks of several annotators?", hyter.combined),
    "hyter-large": Row(
        LIBRARY, "And against networks of 10^5 states, each read for nine translations?", hyter.large
    ),
    "hyter-one-call": Row(LIBRARY, "What does an item take in a call of many?", one_call.hyter),
    "oracle": Row(LIBRARY, "How fast is the oracle of a lattice?", oracle.edits),
    "oracle-call": Row(LIBRARY, "What does the 1-best beside the oracle cost?", oracle.call),
    "oracle-one-call": Row(LIBRARY, "What does a lattice take in a call of many?", one_call.oracle),
    "eager": Row(LIBRARY, "How much faster is it than composition in Python?", eager.eager),
    "compiled": Row(LIBRARY, "How much faster is it than OpenFst on the same machines?", compiled.compiled),
    "hope": Row(LIBRARY, "How fast is the path that a tuner hopes for?", eager.hope),
    "4-grr": Row(LIBRARY, "How fast is the N-gram recognition rate of a lattice?", ngrams.oracle),
    "branching": Row(LIBRARY, "Can both sides be graphs?", branching.branching),
    "significance": Row(LIBRARY, "How long do tests of ten systems take?", significance.significance),
    "metric-tests": Row(LIBRARY, "How long do tests between 20 metrics take?", metric_tests.metric_tests),
    "tie-calibration": Row(
        LIBRARY, "How long does acc-eq with its best epsilon take?", metric_tests.tie_calibration
    ),
    "tercom": Row(LIBRARY, "How fast is TER?", strings.ter),
    "chrf": Row(LIBRARY, "How fast is chrF?", strings.chrf),
    "tuning": Row(LIBRARY, "How long does a line search of MERT take?", tuning.tuning),
    "speakers": Row(LIBRARY, "How long does a meeting take?", speakers.speakers),
    "median": Row(LIBRARY, "How long does the exact median of outputs take?", combining.median),
    "threads": Row(LIBRARY, "Do two cores halve the time?", process.threads),
    "alignment": Row(KERNELS, "What do the operations cost beside the score?", alignment.alignment),
    "moves": Row(KERNELS, "What does counting blocks cost beside counting words?", alignment.moves),
    "preparation": Row(KERNELS, "How long until a network can be searched?", process.preparation),
    "reading": Row(KERNELS, "How fast is a lattice read from a file?", reading.reading),
    "batches": Row(KERNELS, "How fast are archives of text read?", reading.batches),
    "files-binary": Row(KERNELS, "How fast are archives of machines read?", files.binary),
    "files-packed": Row(KERNELS, "Is reading ever what one waits for?", files.packed),
    "gzip": Row(KERNELS, "Is there a faster gunzip?", inflating.inflating),
    "routes": Row(KERNELS, "Does `auto` take the fastest route?", routes.routes),
    "growth": Row(KERNELS, "Does time grow no faster than what is given?", growth.growth),
    "forests": Row(INNER, "Is the chart of a forest faster than writing the forest out?", forests.forests),
}


def rows_named(only: str) -> list[str]:
    """The rows whose names contain a text, or whose group it is; of no text, all but those of the inner group."""
    return [
        name
        for name, row in ROWS.items()
        if (only in name or only == row.group) and (only or row.group != INNER)
    ]
