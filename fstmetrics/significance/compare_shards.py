"""`compare --shard`: `write_shard` writes the sums of a shard, `merged_shards` reads those of all.

`shard_sums` of each shard add up, `compare_sums` tests the whole. Sums are of whole numbers, and the weights of
resamples are those of the Poisson bootstrap, which depend on an item's place alone
(`fstmetrics.engine.resampling.poisson_sums`): the shards may be any, and in any order.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.fields import NO_FIELDS
from fstmetrics.engine.resampling import Resampling, poisson_sums
from fstmetrics.engine.search import all_grammars
from fstmetrics.engine.statistics import Statistics, looks_tokenized, texts_remark
from fstmetrics.io.items import has_mark
from fstmetrics.metrics import CorpusMetric, Metric, TextMetric
from fstmetrics.metrics.compared_rates import MeanOfRuns
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.journal import differences
from fstmetrics.scoring.pair_blocks import PairBlock
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_files import fingerprints, refuse_other_inputs
from fstmetrics.scoring.shards import Shard, as_written, refuse_incomplete
from fstmetrics.significance.block_statistics import (
    BlockFound,
    BlockStatistics,
    Runner,
    SystemStatistics,
    is_searched,
)
from fstmetrics.significance.compare_statistics import compare_statistics
from fstmetrics.significance.compare_texts import Runs, as_one, run_names
from fstmetrics.significance.comparison import Comparison, Design, Progress
from fstmetrics.significance.system_outputs import Columns
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.version import __version__
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.engine.sides import Corpus

FORMAT = "fstmetrics-comparison-shard/2"
# The test whose resamples add up.
TEST = "poisson-bootstrap"


@dataclass(frozen=True)
class ComparisonShard:
    """What a shard of a comparison writes.

    Attributes:
        path: of the file.
        shard: which it is.
        arguments: of the command.
        settings: what is the same in all shards of a run.
        files: as of `ShardFile`.
        items: of all shards together.
        metrics: names of the metrics.
        told: what summaries say of the inputs.
        systems: `SystemSums` by system and metric.
    """

    path: str
    shard: Shard
    arguments: list[str]
    settings: dict[str, Any]
    files: list[Any]
    items: int
    metrics: list[str]
    told: dict[str, Any]
    systems: Mapping[str, Mapping[str, Mapping[str, Any]]]

    @classmethod
    def is_one(cls, path: str) -> bool:
        """Whether a file is one; what cannot be read is none."""
        try:
            with open(path, "rb") as stream:
                return f'"format": "{FORMAT.partition("/")[0]}/'.encode() in stream.read(80)
        except OSError:
            return False

    def write(self) -> None:
        """Write it.

        Raises:
            FstmetricsError: it cannot be written.
        """
        told = {name: value for name, value in asdict(self).items() if name != "path"}
        line = json.dumps({"format": FORMAT, **told}) + "\n"
        with whole_file(self.path) as stream:
            stream.write(f"{zlib.crc32(line.encode())} {line}")

    @classmethod
    def read(cls, path: str) -> ComparisonShard:
        """A file that was written.

        Raises:
            InputError: it is none, is damaged or of another version.
        """
        if not cls.is_one(path):
            raise InputError("is no file of compare --shard, as the others are", path)
        with open(path, "rb") as stream:
            found = json.loads(as_written(stream.read(), path))
        if found.pop("format") != FORMAT:
            raise InputError(f"is of another version of fstmetrics; expected format {FORMAT}", path)
        return cls(path, Shard(*found.pop("shard")), **found)


def refuse_unfit(request: Request, given: Mapping[str, object]) -> None:
    """Refuse what cannot be said of a shard.

    Args:
        request: which has a shard.
        given: options that a shard cannot have, by their names, as they are given; and the test.

    Raises:
        FstmetricsError: one of them is.
    """
    if given["--test"] != TEST:
        raise FstmetricsError(
            f"--shard adds sums of resamples up, which those of --test {given['--test']} do not: give --test {TEST}"
        )
    for name, value in given.items():
        if value and name != "--test":
            raise FstmetricsError(
                f"{name} needs all items, and --shard has a part of them; leave one of them out"
            )
    if request.normalisation.drops:
        raise FstmetricsError(f"the profile {request.profile} leaves items out, which --shard does not do")


def write_shard(
    request: Request,
    arguments: Sequence[str],
    systems: Mapping[str, Any],
    columns: Columns,
    metrics: Sequence[CorpusMetric],
    design: Design,
    run: Runner,
    progress: Progress,
) -> str:
    """Write the sums of the items of a shard.

    Args:
        request: which has the shard and the file.
        arguments: of the command.
        systems: the outputs of each.
        columns: what was read.
        metrics: what is computed.
        design: what is to be tested.
        run: what has statistics found.
        progress: as of `compare`.

    Returns:
        What is printed.

    Raises:
        FstmetricsError: as of `shard_sums`.
    """
    assert request.shard is not None
    assert request.output is not None
    grammars = all_grammars(request.grammars, request.normalisation)
    if grammars and not any(map(is_searched, metrics)):
        raise FstmetricsError(f"grammars are for best paths; {metrics[0].name} takes none")
    against = columns.references or columns.networks or []
    work = SystemStatistics(
        against, columns.networks, metrics, request.normalisation, request.search, grammars, run=run
    )
    files = list(fingerprints([*columns.formats, *request.beside]))
    sums = shard_sums(request.shard, systems, work, design.resampling, progress)
    items = len(against)
    settings = {
        **design.settings(),
        "version": __version__,
        "metrics": [metric.signature() for metric in metrics],
        "normalisation": request.normalisation.settings(),
        "grammars": request.grammar_signature if grammars else "",
        "systems": list(systems),
        "items": items,
    }
    told = {name: getattr(columns, name) for name in TOLD}
    written = {system: {name: each.as_json() for name, each in own.items()} for system, own in sums.items()}
    names = [metric.name for metric in metrics]
    json_settings = json.loads(json.dumps(settings))
    ComparisonShard(
        request.output, request.shard, list(arguments), json_settings, files, items, names, told, written
    ).write()
    return (
        f"shard {request.shard}: {counted(len(request.shard.places(items)), 'item')}; fstmetrics merge puts "
        f"{request.output} and the other shards together"
    )


TOLD = ("formats", "remarks", "pairing", "conditions", "are_sentences")


def merged_shards(paths: Sequence[str]) -> list[ComparisonShard]:
    """The shards of one comparison, in order.

    Raises:
        FstmetricsError: a shard is missing or there twice, or is of another run.
    """
    shards = sorted(map(ComparisonShard.read, paths), key=lambda shard: shard.shard)
    first = shards[0]
    for shard in shards:
        found = {**shard.settings, "shards": shard.shard.of}
        expected = {**first.settings, "shards": first.shard.of}
        if differing := differences(expected, found, first.path, shard.path):
            raise FstmetricsError(f"shards of different runs: {differing[0]}")
        refuse_other_inputs(first.files, shard.files, (first.shard, shard.shard))
    refuse_incomplete([(shard.path, shard.shard) for shard in shards])
    return shards


def compare_shards(
    shards: Sequence[ComparisonShard], metrics: Sequence[CorpusMetric], request: Request, design: Design
) -> tuple[Comparison, Columns]:
    """The comparison of all items, and what there is to say of the inputs.

    Args:
        shards: all of them.
        metrics: those that were computed.
        request: that of the run without `--shard`.
        design: what is tested.

    Raises:
        FstmetricsError: as of `compare_sums`.
    """
    of_results = [
        request.in_grammar_units(metric) if request.grammars and isinstance(metric, Metric) else metric
        for metric in metrics
    ]
    sums = [
        {
            system: {
                name: SystemSums.of_json(given, metric, request.normalisation)
                for metric, (name, given) in zip(of_results, own.items(), strict=True)
            }
            for system, own in shard.systems.items()
        }
        for shard in shards
    ]
    first = shards[0]
    comparison = compare_sums(sums, design, first.items)
    signature = request.grammar_signature if first.settings["grammars"] else ""
    told = first.told
    columns = Columns(
        {}, [], None, told["formats"], tuple(told["remarks"]), told["pairing"], [], tuple(told["conditions"]),
        Repeated(NO_FIELDS, 0), told["are_sentences"], has_mark(told["remarks"]),
    )  # fmt: skip
    return replace(comparison, grammars=signature), columns


@dataclass(frozen=True, eq=False)
class SystemSums:
    """One system under one metric.

    Attributes:
        statistics: of its items together: their sums are its only row.
        resampled: the sums on each resample, shape [samples, columns].
    """

    statistics: Statistics
    resampled: npt.NDArray[np.int64]

    def __add__(self, other: SystemSums) -> SystemSums:
        one, two = self.statistics, other.statistics
        totals = None if one.totals is None or two.totals is None else one.totals + two.totals
        statistics = replace(
            one,
            rows=one.values + two.values,
            totals=totals,
            as_given=one.as_given and two.as_given,
            grammars=one.grammars or two.grammars,  # a shard without items has none
        )
        return SystemSums(statistics, self.resampled + other.resampled)

    def as_json(self) -> dict[str, Any]:
        """What `of_json` reads."""
        own = self.statistics
        changes = own.normalisation
        return {
            "runs": own.metric.runs if isinstance(own.metric, MeanOfRuns) else 1,
            "sums": own.sums.astype(np.int64).tolist(),
            "totals": own.totals,
            "remark": own.remark,
            "conditions": own.conditions,
            "grammars": own.grammars,
            "as_given": own.as_given,
            "changes": None
            if changes is None
            else {"tokenize": changes.tokenize, "lowercase": changes.lowercase, "unit": changes.unit},
            "resampled": self.resampled.tolist(),
        }

    @classmethod
    def of_json(
        cls, given: Mapping[str, Any], metric: CorpusMetric, normalisation: Normalisation
    ) -> SystemSums:
        """The same again, of a metric, with what is done to words for all metrics."""
        whole = metric if given["runs"] == 1 else MeanOfRuns(metric, given["runs"])
        statistics = Statistics(
            whole,
            np.array([given["sums"]], dtype=np.float64),
            None,
            None if given["changes"] is None else replace(normalisation, **given["changes"]),
            remark=given["remark"],
            conditions=tuple(given["conditions"]),
            totals=None if given["totals"] is None else Totals._make(given["totals"]),
            grammars=given["grammars"],
            as_given=given["as_given"],
        )
        return cls(statistics, np.array(given["resampled"], dtype=np.int64))


# By system and metric.
Sums = Mapping[str, Mapping[str, SystemSums]]


def shard_sums(
    shard: Shard,
    systems: Mapping[str, Corpus | Runs],
    work: SystemStatistics,
    resampling: Resampling,
    progress: Progress,
) -> Sums:
    """The sums of the items of a shard.

    Args:
        shard: which items, by their places.
        systems: the outputs of all items, by system, in the order of the references.
        work: what is computed.
        resampling: how many resamples, and the seed.
        progress: as of `compare`.

    Raises:
        FstmetricsError: statistics that are no whole numbers, or as of `compare`.
    """
    part = replace(work, run=_of_shard(shard, work.run))
    spread = {name: run_names(name, outputs) for name, outputs in systems.items()}
    texts: dict[str, Any] = {name: outputs for runs in spread.values() for name, outputs in runs.items()}

    def scoring(what: str, done: int, steps: int) -> None:
        progress(what, done * shard.of, steps)

    found = {
        name: {metric: _with_remark(each, texts[name], work.references or ()) for metric, each in own.items()}
        for name, own in part.of_systems(texts, scoring).items()
    }
    every = {name: as_one([found[key] for key in runs]) for name, runs in spread.items()}
    tables = {(system, name): own.table for system, each in every.items() for name, own in each.items()}
    for (_, name), table in tables.items():
        if not table.extent.is_whole:
            raise FstmetricsError(
                f"--shard adds whole numbers up, and the statistics of {name} are none; compare without --shard"
            )
    done = 0

    def resampled(more: int) -> None:
        nonlocal done
        done += more
        progress("resampling", done, resampling.samples)

    items = len(work.references or work.networks or ())
    places = shard.places(items)
    found_sums = poisson_sums(list(tables.values()), resampling, resampled, places, items)
    sums = dict(zip(tables, found_sums, strict=True))
    return {
        system: {
            name: SystemSums(
                replace(own, rows=own.sums[None], paths=None), sums[system, name].astype(np.int64)
            )
            for name, own in each.items()
        }
        for system, each in every.items()
    }


def _with_remark(statistics: Statistics, outputs: Any, references: Any) -> Statistics:
    """What is said of the texts of all items, not only of those of the shard."""
    if not isinstance(statistics.metric, TextMetric) or statistics.normalisation is None:
        return statistics
    metric, own = statistics.metric, statistics.normalisation
    said = looks_tokenized(own, outputs, references) or texts_remark(metric, outputs, references, own)
    return replace(statistics, remark=said)


def _of_shard(shard: Shard, run: Runner) -> Runner:
    def of_shard(work: BlockStatistics, pairs: PairBlock) -> Iterator[tuple[int, list[BlockFound]]]:
        for part in shard.blocks([pairs]):
            yield from run(work, part)

    return of_shard


def compare_sums(shards: Sequence[Sums], design: Design, items: int) -> Comparison:
    """The comparison of all items, from the sums of shards in any order.

    Args:
        shards: of the same systems and metrics.
        design: what to test: by the Poisson bootstrap, with as many resamples.
        items: how many there are in all shards.

    Raises:
        FstmetricsError: resamples that have nothing to divide by.
    """
    whole: dict[str, dict[str, SystemSums]] = {system: dict(each) for system, each in shards[0].items()}
    for shard in shards[1:]:
        for system, each in shard.items():
            for name, sums in each.items():
                whole[system][name] += sums
    statistics = {
        system: {name: sums.statistics for name, sums in each.items()} for system, each in whole.items()
    }
    resampled = {
        (system, name): sums.resampled.astype(np.float64)
        for system, each in whole.items()
        for name, sums in each.items()
    }
    return compare_statistics(statistics, design, sums=resampled, items=items)
