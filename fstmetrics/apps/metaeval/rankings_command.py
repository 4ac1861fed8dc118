"""The command `rankings`, and `rankings_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np

from fstmetrics import FstmetricsError, SearchOptions, TeslaF
from fstmetrics.apps.metaeval.judgments import kappa
from fstmetrics.apps.metaeval.preferences import Preferences, agreeing_judgments, preferences
from fstmetrics.apps.metaeval.ranking_files import Rankings, read_rankings
from fstmetrics.apps.metaeval.ranking_weights import FOLDS, learn_weights, share_held_out, share_in_order
from fstmetrics.cli.click_options import FormOfTables, command, options_of, options_of_line, single_option
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    of_metrics,
    path_of,
    some,
    systems_of,
    under,
    with_metrics,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics.tesla_f import EQUAL, FEATURES, LM, TeslaFFeatures
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.scoring.request import Request, fields_of, refuse_unready
from fstmetrics.significance.block_statistics import SystemStatistics
from fstmetrics.significance.system_outputs import read_columns
from fstmetrics.support.json_text import finite
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    FLAG,
    JOINED,
    PATH,
    TEXT,
    dashed,
    many,
    option,
    options_of_fields,
    real,
    written_file,
)
from fstmetrics.support.output import write_whole
from fstmetrics.support.printable import counted, marked
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path


@dataclass(frozen=True)
class LearnedWeights:
    """Weights that were learned from rankings.

    Attributes:
        weights: by feature.
        share: of the pairs that they were learned from, the share that they order as people do; equal scores do not.
        held_out: the same of pairs that weights were not learned from, by folds of segments; None of too few segments.
        equal: the same of the mean of the six F.
        pairs: how many pairs there are.
        folds: how many folds.
    """

    weights: Mapping[str, float]
    share: float
    held_out: float | None
    equal: float
    pairs: int
    folds: int


def _in_percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _judgments(found: Rankings) -> str:
    line = counted(len(found.segments), "judgment")
    if all(found.segments):
        line += f" of {counted(len(set(found.segments)), 'segment')}"
    if all(found.judges):
        people = len(set(found.judges))
        line += f" by {people} {'person' if people == 1 else 'people'}"
    return line


def _weight_parts(learned: LearnedWeights) -> Iterator[Part]:
    rows = [("feature", "weight"), *((name, f"{value:.6g}") for name, value in learned.weights.items())]
    yield Table(rows)
    title = f"{counted(learned.pairs, 'pair')} of different ranks"
    rows = [(title, "in the order of people")]
    rows.append(("learned weights, on the pairs they were learned from", f"{100 * learned.share:.1f}%"))
    if learned.held_out is not None:
        rows.append(
            (
                f"learned weights, on segments held out ({learned.folds} folds)",
                f"{100 * learned.held_out:.1f}%",
            )
        )
    rows.append(("the mean of the six F", f"{100 * learned.equal:.1f}%"))
    yield Table(rows)


@dataclass(frozen=True)
class RankingOptions:
    """Options of `rankings` beside those of every run. `higher` is --higher and --lower."""

    column: str | None = option(
        None,
        TEXT,
        "Of a table with a line a system: the column of ranks. Default: rank.",
        "COLUMN",
        name="ranks",
    )
    higher: bool | None = option(
        None,
        FLAG,
        "Higher numbers are better, as of scores, or rank 1 is best. Default: rank 1; numbers above the number "
        "of systems are refused.",
    )
    pair: str | None = option(
        None,
        TEXT,
        "Of WMT's tables of several language pairs: which, such as cze-eng.",
        "LP",
        name="language_pair",
    )
    systems: str | None = option(
        None, JOINED, "Only these systems, separated by commas. Default: all.", "NAMES"
    )
    weights: str | None = option(
        None,
        written_file(),
        "Learn weights of TESLA-F from the rankings of SYSTEM, and write them for --tesla-f-weights.",
        "FILE",
        name="learn_weights",
    )
    references: Sequence[str] = option(
        (), many(PATH), "References of SYSTEM. Repeatable.", "FILE", name="ref"
    )
    regularisation: float = option(
        1.0,
        real(0, 1e9, without_least=True),
        "What each pair in the wrong order costs the support vector machine.",
        "C",
    )


ASKED = options_of_fields(RankingOptions)
# Options of outputs, from which weights are learned.
LEARNING: Options = {
    **under("Weights of tesla-f", ASKED, "learn_weights", "ref"),
    **under("Weights of tesla-f", of_metrics("tesla-m", "tesla-f", without=["tesla_f_weights"])),
    **under("Weights of tesla-f", ASKED, "regularisation"),
    **under("Outputs", REQUEST, "format", "ref_format", "fields"),
    **WORDS,
}
RANKING = {
    **under("Input", ASKED, "ranks", "higher", "language_pair", "systems"),
    **LEARNING,
    **FORMS_PRINTED,
}


@dataclass(frozen=True, eq=False)
class FilesRankings(Printed):
    """Which systems people prefer, of rankings in a file.

    Attributes:
        rankings: as they were read.
        preferences: how often each system is best, and each pair of systems.
        agreeing: pairs of systems that two judgments of a segment order alike, and all such pairs.
        learned: weights of TESLA-F; None where none were asked for.
    """

    rankings: Rankings
    preferences: Preferences
    agreeing: tuple[int, int]
    learned: LearnedWeights | None = None

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        found, learned = self.rankings, self.learned
        agreeing, pairs = self.agreeing
        ranked = (~np.isnan(found.ranks)).sum(axis=0).tolist()
        summary: dict[str, Any] = {
            "judgments": self.preferences.judgments,
            "higher_is_better": found.higher,
            "segments": len(set(found.segments)) if all(found.segments) else None,
            "judges": len(set(found.judges)) if all(found.judges) else None,
            "systems": [
                {"system": name, "ranked": number, "best": best}
                for (name, best), number in zip(self.preferences.best.items(), ranked, strict=True)
            ],
            "pairs": self.preferences.rows(),
            "agreement": None
            if not pairs
            else {
                "agreeing": agreeing,
                "pairs": pairs,
                "share": agreeing / pairs,
                "kappa": kappa(agreeing / pairs),
            },
            "remarks": list(found.remarks),
        }
        if learned is not None:
            summary["learned"] = {
                "weights": dict(learned.weights),
                "pairs": learned.pairs,
                "in_order": finite(learned.share),
                "in_order_held_out": None if learned.held_out is None else finite(learned.held_out),
                "folds": learned.folds,
                "in_order_equal_weights": finite(learned.equal),
            }
        return summary

    def parts(self) -> Iterator[Part]:
        """What the command prints: who is preferred, pair by pair, and the weights that were learned."""
        found = self.rankings
        ranked = (~np.isnan(found.ranks)).sum(axis=0)
        best = [("", "ranked", "best", "%")]
        shares = list(self.preferences.best.values())
        shown = marked([_in_percent(share) for share in shares], shares, True, _in_percent)
        best += [
            (name, str(number), str(round(share * self.preferences.judgments)), cell)
            for (name, share), number, cell in zip(self.preferences.best.items(), ranked, shown, strict=True)
        ]
        yield Table(best)
        pairs = [("A", "B", "A preferred", "%", "B preferred", "%", "equal", "p")]
        pairs += [
            (
                row["a"],
                row["b"],
                str(row["better"]),
                f"{100 * row['a_preferred']:.1f}",
                str(row["worse"]),
                f"{100 * row['b_preferred']:.1f}",
                str(row["equal"]),
                f"{row['p']:.4f}",
            )
            for row in self.preferences.rows()
        ]
        yield Table(pairs, 2)
        yield _judgments(found)
        yield from found.remarks
        yield "higher numbers are better" if found.higher else "lower numbers are better: rank 1 is best"
        yield "best: no system in the judgment has a better rank; ties count for each"
        yield "%: of all judgments; p: two-sided sign test without ties"
        if self.agreeing[1]:
            share = self.agreeing[0] / self.agreeing[1]
            agree = f"two judgments of a segment agree on {_in_percent(share)}% of pairs of systems"
            yield f"{agree}: kappa {kappa(share):.3f}"
            yield "judgments of one segment are not independent, which the sign test assumes: p is too small"
        if self.learned is not None:
            yield from ["", *_weight_parts(self.learned)]


def rankings_files(
    rankings: PathLike, outputs: Iterable[PathLike] | Mapping[str, PathLike] = (), **options: Any
) -> FilesRankings:
    """Count which systems people prefer, from rankings in a file, as `fstmetrics rankings` does.

    Arguments are paths. Nothing is printed.

    Args:
        rankings: a table of a line a judgment, of a line a judgment and system, or WMT's.
        outputs: with `learn_weights`, the systems' outputs, or a dict of them by system.
        options: those of the command, with `_` for `-`, as of `score_files`: `ranks="human"`, `higher=True`,
            `systems=["A", "B"]`, `learn_weights="w.txt"`, `ref=["ref.txt"]`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "ranks.tsv"
    >>> _ = file.write_text("segment\\tA\\tB\\n1\\t1\\t2\\n2\\t1\\t1\\n")
    >>> fm.rankings_files(file).preferences.best
    {'A': 1.0, 'B': 0.5}
    """
    found = fields_of_options("rankings_files", RANKING, options)
    if found["weights"] == "-":
        raise FstmetricsError(
            "learn_weights: expected a file; what is printed is printed by the command only"
        )
    found["higher"] = options.get("higher")
    file = path_of("rankings_files", rankings)
    return rankings_from(file, systems_of("rankings_files", outputs), found, given_options(RANKING, options))


def rankings_from(
    file: str, outputs: Sequence[str], options: dict[str, Any], given: Collection[str]
) -> FilesRankings:
    """What people prefer, by fields of `RankingOptions` and `Request`, and `parameters`.

    Args:
        file, outputs: paths.
        options: the fields.
        given: the options that were given, by their names in Python.

    Raises:
        FstmetricsError: as of `rankings_files`.
    """
    asked = fields_of(RankingOptions, options)
    of_outputs = [*(dashed(name) for name in given if name in with_metrics(LEARNING)), *outputs]
    if asked.weights is None and of_outputs:
        raise FstmetricsError(
            f"{of_outputs[0]} is for --learn-weights FILE; without it RANKINGS alone are counted"
        )
    paths = [named_path(each)[1] for each in outputs]
    check_paths([file, *paths, *asked.references, *options["parameters"].files], asked.weights)
    found = _only(read_rankings(file, asked.column, asked.higher, asked.pair), asked.systems)
    learned = None if asked.weights is None else _learned(found, outputs, asked, options)
    counted = preferences(found.by_system)
    agreeing = agreeing_judgments(found.ranks, found.segments) if all(found.segments) else (0, 0)
    if learned is not None and asked.weights is not None:
        lines = (f"{name} {value!r}\n" for name, value in learned.weights.items())
        write_whole(asked.weights, "".join(lines))
    return FilesRankings(found, counted, agreeing, learned)


def _only(found: Rankings, names: str | None) -> Rankings:
    """Some of the systems, in the order in which they were asked for."""
    if names is None:
        return found
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if strange := [name for name in wanted if name not in found.systems]:
        raise FstmetricsError(
            f"--systems: nobody ranked {strange[0]}; ranked are {listed(list(found.systems), 8)}"
        )
    ranks = found.ranks[:, [found.systems.index(name) for name in wanted]]
    kept = [not np.isnan(row).all() for row in ranks]

    def of_kept(values: Sequence[str]) -> tuple[str, ...]:
        return tuple(value for value, keep in zip(values, kept, strict=True) if keep)

    return replace(
        found,
        systems=tuple(wanted),
        segments=of_kept(found.segments),
        judges=of_kept(found.judges),
        ranks=ranks[np.array(kept, dtype=bool)],
    )


def _learned(
    found: Rankings, outputs: Sequence[str], asked: RankingOptions, options: dict[str, Any]
) -> LearnedWeights:
    """Weights of TESLA-F's features."""
    references, regularisation = asked.references, asked.regularisation
    if len(outputs) < 2 or not references:
        raise FstmetricsError(
            "--learn-weights needs the outputs of two systems or more, NAME=FILE NAME=FILE --ref REF"
        )
    if not all(found.segments):
        raise FstmetricsError(
            f"{found.path}: no column segment, so that nobody knows which output was ranked"
        )
    metric = options.pop("parameters").metric("tesla-f")
    assert isinstance(metric, TeslaF)
    request = Request(**options)
    request.refuse_rules("rankings")
    refuse_unready([metric], request.normalisation)
    read = read_columns(request, outputs, references, None)
    places = _places(found, [id or str(number) for number, id in enumerate(read.ids, 1)])
    work = SystemStatistics(
        read.references, None, [TeslaFFeatures(metric)], request.normalisation, SearchOptions(), ()
    )
    features = np.zeros((len(found.segments), len(found.systems), len(FEATURES)))
    if strange := [name for name in read.systems if name not in found.systems]:
        raise FstmetricsError(
            f"nobody ranked {strange[0]}; ranked are {listed(list(found.systems), 8)}: NAME=FILE says whose output "
            "a file is"
        )
    with listener.get().stages() as progress:
        for name, found_of in work.of_systems(read.systems, progress).items():
            (statistics,) = found_of.values()
            features[:, found.systems.index(name)] = statistics.values[places]
    ranks = np.where([name in read.systems for name in found.systems], found.ranks, np.nan)
    learned = learn_weights(features, ranks, regularisation)
    equal = np.array([EQUAL[name] for name in FEATURES])
    return LearnedWeights(
        {
            name: float(value)
            for name, value in zip(FEATURES, learned, strict=True)
            if name != LM or metric.language_model
        },
        share_in_order(features @ learned, ranks),
        share_held_out(features, ranks, found.segments, regularisation),
        share_in_order(features @ equal, ranks),
        int((ranks[:, :, None] < ranks[:, None, :]).sum()),
        FOLDS,
    )


def _places(found: Rankings, ids: Sequence[str]) -> list[int]:
    """Where the outputs of each judgment's segment are."""
    known = {id: place for place, id in enumerate(ids)}
    if strange := [segment for segment in found.segments if segment not in known]:
        raise FstmetricsError(
            f"{found.path}: segment {strange[0]} is no line of the outputs, which have {listed(list(ids), 3)}"
        )
    return [known[segment] for segment in found.segments]


@command(usual=("--systems", "--learn-weights", "--ref", "--pivot-table", "--json"))
@click.argument("file", metavar="RANKINGS")
@click.argument("outputs", metavar="[SYSTEM...]", nargs=-1)
@options_of(some(RANKING, "ranks"))
@single_option("Input", "--higher/--lower", default=None, help=RANKING["higher"].help)
@options_of({name: each for name, each in RANKING.items() if name not in ("ranks", "higher")})
def rankings_command(file: str, outputs: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Count which systems people prefer, from rankings of their outputs [L11 §4].

    \b
    Example:  fstmetrics rankings ranks.tsv
              fstmetrics rankings scores.tsv --ranks human --higher
              fstmetrics rankings r.tsv A.txt B.txt --ref r.txt --learn-weights w

    RANKINGS: a table of a line a judgment with a column a system, of a line a judgment and system (columns segment,
    system, rank, and judge), or WMT's (system1Id, system1rank, ...). How often each system is best, and each pair of
    systems with the sign test.

    SYSTEM: with --learn-weights, the systems' outputs, NAME=FILE; without NAME the system is called as the file is. The
    segments of RANKINGS are ids of the outputs, or numbers of their lines.
    """
    found = rankings_from(file, outputs, options, options_of_line())
    show_report(found.parts(), found.summary, form)
