"""A comparison of systems as text: `text_lines`; the rows of its tables are in `comparison_tables`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from fstmetrics.data.groupings import keyed, labels
from fstmetrics.engine.resampling import FEWEST_RESAMPLED
from fstmetrics.engine.signatures import signature_of
from fstmetrics.reports.comparison_tables import RANKS, decisive_heading, field_rows, shown_values, tables
from fstmetrics.reports.summary import Row, folded_lines, items_lines, shortened, table_lines
from fstmetrics.reports.table_forms import flat
from fstmetrics.significance.block_statistics import is_searched
from fstmetrics.significance.compare_statistics import drawn_without, unscored_remarks
from fstmetrics.significance.comparison import LEVEL, ByValue, Comparison, Design, TestResult
from fstmetrics.significance.p_values import CORRECTIONS, TESTS
from fstmetrics.significance.sc_stats import LEFT_OUT, TABLED
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted

# Resamples below which a summary warns: fewer give intervals and p values that change with the seed.
ENOUGH = 1000
# Items below which it warns, by the usual rule of thumb: resamples of a handful hardly differ.
MANY = 30
# p values that differ by more are printed otherwise by sc_stats.
PRINTED = 0.005
# Systems whose details are a line each, and columns of a table of those of more.
FEW_REMARKS = 3
FEW_SYSTEMS, MOST_DETAILS = 2, 12
# Speakers below which it warns: sc_stats' normal distribution of ranks wants as many.
FEW_BLOCKS = 8


def without_prefix(comparison: Comparison, prefix: str) -> Comparison:
    """The same with shorter names of the systems, which all begin with a prefix."""

    def cut(name: str) -> str:
        return name.removeprefix(prefix)

    def cut_tests(tests: Iterable[TestResult]) -> tuple[TestResult, ...]:
        return tuple(
            replace(
                test,
                baseline=cut(test.baseline),
                system=cut(test.system),
                favours=None if test.favours is None else cut(test.favours),
            )
            for test in tests
        )

    return replace(
        comparison,
        systems={cut(name): found for name, found in comparison.systems.items()},
        statistics={cut(name): found for name, found in comparison.statistics.items()},
        tests=cut_tests(comparison.tests),
        by={
            field: groups.changed(lambda _, group: without_prefix(group, prefix))
            for field, groups in comparison.by.items()
        },
        others=tuple(without_prefix(other, prefix) for other in comparison.others),
    )


def text_lines(
    comparison: Comparison, remarks: Sequence[str] = (), width: int | None = None
) -> Iterator[str]:
    """A table a metric, folded to a width, what was tested, and the signature of each metric."""
    for rows in tables(comparison):
        yield from folded_lines(rows, width)
        yield ""
    if len(comparison.systems) > FEW_SYSTEMS:
        yield from _detail_tables(comparison)
    else:
        yield from details(comparison)
    yield from items_lines(comparison.items)
    yield from filter(None, [describe(comparison)])
    for other in comparison.others:
        yield from (f"{other.design.test}: {said}" for said in filter(None, [describe(other, beside=True)]))
    told = [*warnings(comparison), *notes(comparison), *remarks]
    if len(told) > FEW_REMARKS:
        told = shortened(told)
    yield from told
    yield from signature_lines(comparison)


def values_text(groups: ByValue) -> str:
    """The tables of the values of a field, one a metric, as `print` shows them."""
    metrics = next(iter(groups.values())).metrics.items()
    tables = [field_rows(groups, list(groups), name, metric) for name, metric in metrics if metric.columns]
    return "\n\n".join("\n".join(table_lines(rows)) for rows in tables)


def details(comparison: Comparison) -> Iterator[str]:
    """What scores of metrics of strings come from, as BLEU's precisions and brevity penalty: a line a system."""
    said: dict[tuple[str, str], list[str]] = {}
    for name in comparison.metrics:
        for system, found in comparison.statistics.items():
            if text := found[name].details:
                said.setdefault((system, text), []).append(name)
    for (system, text), names in said.items():
        yield f"{', '.join(names)} of {system}: {text}"


def _detail_tables(comparison: Comparison) -> Iterator[str]:
    """The same of many systems: a table a metric, if there are only numbers, a row a system."""
    said: dict[str, tuple[dict[str, dict[str, object]], list[str]]] = {}
    for name in comparison.metrics:
        values = {system: found[name].detail_values for system, found in comparison.statistics.items()}
        said.setdefault(repr(values), (values, []))[1].append(name)
    for values, names in said.values():
        title = ", ".join(names)
        rows = {system: dict(flat({"details": own})) for system, own in values.items() if own}
        heads = list(dict.fromkeys(head for row in rows.values() for head in row))
        if not rows or len(heads) > MOST_DETAILS:
            yield from (
                f"{title} of {system}: {found[names[0]].details}"
                for system, found in comparison.statistics.items()
                if rows
            )
            continue
        table: list[Row] = [(f"{title}, details", *(head.replace("_", " ") for head in heads))]
        table += [(system, *(_detail(row.get(head)) for head in heads)) for system, row in rows.items()]
        yield from (*table_lines(table), "")


def _detail(value: float | None) -> str:
    """A count, a share of 100, or a share of 1."""
    if value is None:
        return "-"
    return f"{value:.0f}" if float(value).is_integer() and value > 1 else f"{value:.{2 if value > 2 else 4}f}"


def notes(comparison: Comparison) -> Iterator[str]:
    """What tables do not say: which metrics are not tested, what runs and clusters are."""
    for name, metric in comparison.metrics.items():
        if not metric.columns:
            yield f"{name}: scores of whole systems; there is nothing to resample, so it is not tested"
    yield from cautions(comparison)
    for field, groups in comparison.by.items():
        if rest := len(groups) - len(shown_values(groups)):
            yield f"by {field}: and {counted(rest, 'more value')} with fewer items; --json has all"
    for grouping in comparison.design.by:
        sizes = {value: group.items for value, group in comparison.by[grouping.name].items()}
        yield from grouping.bins_remark(sizes)
    found = [score for scores in comparison.systems.values() for score in scores.values()]
    if runs := max([len(score.runs) for score in found], default=0):
        yield (
            f"score: mean of {runs} runs; s_sel: standard deviation under resampling, mean of the runs; s_opt: "
            "standard deviation between runs"
        )
    if comparison.design.pairs == "all" and comparison.tests:
        by = decisive_heading(comparison, comparison.tests)
        yield f"cluster: each system is better than all of later clusters with {by} < {LEVEL:g}"


def cautions(comparison: Comparison) -> Iterator[str]:
    """What must be known of the numbers: what they leave out, and which of them do not mean what they seem to."""
    for name in comparison.metrics if comparison.statistics else ():
        systems = {system: found[name] for system, found in comparison.statistics.items()}
        yield from unscored_remarks(name, systems)
    yield from _without_intervals(comparison)
    for each in (comparison, *comparison.others):
        yield from _surprises(each)
        yield from _without_p(each) if comparison.items > 1 else ()
    if comparison.by:
        yield from _untested_values(comparison)


def _without_intervals(comparison: Comparison) -> Iterator[str]:
    """Which scores have no interval, and no p of the bootstrap, as some resamples have no score."""
    samples = comparison.design.resampling.samples
    draws = comparison.tests and TESTS[comparison.design.test].draws not in ("", "exchange")
    what, advice = ("interval and no p", "; --test randomization needs none") if draws else ("interval", "")
    for name, metric in comparison.metrics.items():
        for system, scores in comparison.systems.items():
            if number := scores[name].undefined:
                yield (
                    f"{name} of {system}: no {what}, as {number} of {samples} resamples drew only "
                    f"{drawn_without(metric, comparison.design)}{advice}"
                )


def _surprises(comparison: Comparison) -> Iterator[str]:
    """Tests that find for the system with the worse score, that have no p, or that have one for equal outputs."""
    samples = comparison.design.resampling.samples
    for t in comparison.tests:
        of = f"{t.metric}, {t.system} against {t.baseline}"
        if comparison.contradicts(t) and comparison.decisive(t) < LEVEL:
            other = t.baseline if t.favours == t.system else t.system
            yield f"{of}: the score of {other} is better, but the test finds for {t.favours}: {_counted_for(t)}"
        if t.test == "mapsswe" and math.isnan(t.p):
            number = int(t.details["segments"])
            differ = (
                "the only segment with errors differs" if number == 1 else f"all {number} segments differ"
            )
            yield (
                f"{of}: {differ} by {abs(t.details['mean']):g}, so there is no standard deviation to compare with, and "
                "no Z and no p; --test randomization has one"
            )
        if TESTS[t.test].draws == "exchange" and math.isnan(t.p):
            without = drawn_without(comparison.metrics[t.metric], comparison.design)
            yield f"{of}: no p, as some exchanges leave a system only {without}"
        if left_out := int(t.details.get(LEFT_OUT, 0)):
            blocks = comparison.design.blocks.name if comparison.design.blocks else "item"
            yield f"{of}: {counted(left_out, blocks)} without a word in the references, and left out of the test"
        if t.test == "sacrebleu-bootstrap" and t.favours is None and not math.isnan(t.p):
            yield (
                f"{of}: the scores do not differ; p by sacrebleu's rule is then 1 / ({samples} + 1), or near it, and "
                "says nothing"
            )


def _without_p(comparison: Comparison) -> Iterator[str]:
    """That items or blocks are too few for a p of the bootstrap: all of them, or those of values of a field."""
    test, advice = comparison.design.test, "--test randomization tests so few"
    if _has_too_few(comparison):
        yield f"no p of {test} for fewer than {FEWEST_RESAMPLED} {_units(comparison)}; {advice}"
    for field, groups in comparison.by.items():
        if few := list(filter(_has_too_few, groups.values())):
            units = " or ".join(dict.fromkeys(map(_units, few)))
            of = f"{len(few)} of {counted(len(groups), 'value')}, of fewer than {FEWEST_RESAMPLED} {units}"
            yield f"by {field}: no p of {test} for {of}; {advice}"


def _units(comparison: Comparison) -> str:
    """What is resampled, several of them."""
    return f"{comparison.design.blocks.name}s" if comparison.design.blocks else "items"


def _has_too_few(comparison: Comparison) -> bool:
    """Whether there are intervals of resamples, and no p of them."""
    has_p = TESTS[comparison.design.test].draws in ("", "exchange")
    return not has_p and any(math.isnan(test.p) and test.low is not None for test in comparison.tests)


def _untested_values(comparison: Comparison) -> Iterator[str]:
    """Which values of fields have several items, and neither an interval nor a test under a metric."""
    blocks = comparison.design.blocks if comparison.design.compares == "blocks" else None
    units = f"{blocks.name}s" if blocks else "items"
    names = dict.fromkeys(test.metric for test in comparison.tests)
    for (field, groups), name in product(comparison.by.items(), names):
        titles = zip(labels(list(map(keyed, groups))), groups.values(), strict=True)
        named = [title for title, group in titles if group.items > 1 and _has_scores_only(group, name)]
        if named:
            yield (
                f"{name} by {field}: scores only of {listed(named)}: too few {units}, or resamples of them have "
                "nothing to divide by, which --test randomization does not need"
            )


def _has_scores_only(comparison: Comparison, name: str) -> bool:
    lacks = any(scores[name].low is None for scores in comparison.systems.values())
    return lacks and all(math.isnan(test.p) for test in comparison.tests if test.metric == name)


def _counted_for(test: TestResult) -> str:
    """What a test counts that does not go by the scores."""
    if test.signs:
        return f"{test.signs.better} better and {test.signs.worse} worse"
    if RANKS[0] in test.details:
        return f"ranks of {test.details[RANKS[0]]:g} for and {test.details[RANKS[1]]:g} against {test.system}"
    return "by what it compares"


def describe(comparison: Comparison, beside: bool = False) -> str:
    """The test, if it found a p, and the intervals, if there are any, in one line; empty where there are neither.

    Args:
        comparison: by one test.
        beside: whether its p stand beside another test's table, which has the intervals.
    """
    design = comparison.design
    samples, seed = design.resampling.samples, design.resampling.seed
    resampled = f" of {counted(len(design.blocks), design.blocks.name) if design.blocks else 'items'}"
    kind = "Poisson bootstrap" if TESTS[design.test].draws == "poisson" else "bootstrap"
    intervals = (
        f"intervals: {100 * design.confidence:g}% of {samples} {kind} resamples{resampled}, seed {seed}"
    )
    told = [intervals] if has_intervals(comparison) and (TESTS[design.test].draws or not beside) else []
    groups = [group for each in comparison.by.values() for group in each.values()]
    if all(math.isnan(result.p) for each in (comparison, *groups) for result in each.tests):
        return "".join(told)
    test, settings = TESTS[design.test], design.settings()
    sides = "one-sided" if settings["sides"] == 1 else "two-sided"
    exact = "p is exact" if test.distribution == "binomial" else "p by the normal distribution"
    p = f"p = (c + 1) / ({samples} + 1)" if test.draws else exact
    correction = _correction(comparison) if design.correction in CORRECTIONS else ""
    if design.blocks and any(group.tests and not group.design.blocks for group in groups):
        told.append(f"where a row has one {design.blocks.name}, its items are resampled")
    return "; ".join([f"p: {_described(design)}, {sides}, {p}{correction}", *told])


def has_intervals(comparison: Comparison) -> bool:
    """Whether there is an interval of a score or of a difference, of all items or by a field."""
    lows = [test.low for test in comparison.tests]
    lows += [score.low for scores in comparison.systems.values() for score in scores.values()]
    groups = [group for each in comparison.by.values() for group in each.values()]
    return lows.count(None) < len(lows) or any(map(has_intervals, groups))


def _correction(comparison: Comparison) -> str:
    """What p is corrected over, and how."""
    over = "all pairs" if comparison.design.pairs == "all" else "the systems"
    found = [
        f"over {family} tests, {over} of a metric" if name == "all" else
        f"by {name} over {family} tests, all its values of a metric"
        for name, family in families(comparison).items() if family > 1
    ]  # fmt: skip
    if not found:
        return "; one test of a metric, nothing to correct"
    _, heading, method = CORRECTIONS[comparison.design.correction]
    return f"; {heading} decides, corrected by {method} {', '.join(found)}"


def families(comparison: Comparison) -> dict[str, int]:
    """How many tests of a metric p is corrected over: of all items, and by each field of all its values."""
    found = {"all": comparison.tests}
    for field, groups in comparison.by.items():
        found[field] = tuple(test for group in groups.values() for test in group.tests)
    return {name: max((test.family for test in tests), default=1) for name, tests in found.items()}


def _described(design: Design) -> str:
    """The test, and what it compares or resamples."""
    description = TESTS[design.test].description
    if design.blocks is None:
        return description
    blocks = counted(len(design.blocks), design.blocks.name)
    if design.test == "sign":
        return f"sign test of {blocks}"
    return f"{description}, of {blocks}" if design.compares in ("items", "blocks") else description


def warnings(comparison: Comparison) -> Iterator[str]:
    """Where texts look tokenized; where resamples are too few to say much, or items too few to be resampled; exact
    tests need no resamples."""
    for system, found in comparison.statistics.items():
        yield from dict.fromkeys(
            [f"{system}: {remark}" for each in found.values() for remark in each.remarks]
        )
    design, items = comparison.design, comparison.items
    samples = design.resampling.samples
    draws = TESTS[design.test].draws and any(not math.isnan(test.p) for test in comparison.tests)
    if samples < ENOUGH and items > 1:
        least = f"no p can be below {1 / (samples + 1):.2g}, and " if draws else ""
        yield f"few resamples: {least}intervals are rough; --samples {ENOUGH} or more are usual"
    compared = [
        (each.design.test, result) for each in (comparison, *comparison.others) for result in each.tests
    ]
    for test, result in compared:
        if result.signs and abs(result.details.get(TABLED, result.p) - result.p) > PRINTED:
            name = test if comparison.others else "this test"
            yield (
                f"{result.system}: sc_stats 2.4.10 prints p {result.details[TABLED]:.3f} for {name}; beyond 20 "
                "counts its formula is wrong, and p above is the exact one"
            )
        few = result.details.get("segments", MANY)
        if few < MANY:
            yield (
                f"few segments: {result.system} and {result.baseline} differ in {few}, and the normal distribution of "
                f"MAPSSWE wants {MANY} or more"
            )
    if design.blocks and len(design.blocks) < FEW_BLOCKS:
        yield (
            f"few {design.blocks.name}s: {len(design.blocks)} are a small sample of all there could be; "
            f"{FEW_BLOCKS} or more are usual"
        )
    elif items == 1:
        yield "one item: all its resamples are that item, so there are no intervals and no p of them"
    elif 0 < items < MANY:  # scores of whole systems have none
        what = "p values and intervals" if draws else "intervals"
        yield f"few items: {what} take {items} as a sample of all there could be; {MANY} or more are usual"
    if comparison.by:
        yield from _small_values(comparison)


def _small_values(comparison: Comparison) -> Iterator[str]:
    """How many values of a field have few items, or blocks, to resample, where all of them together are not few."""

    def usual(part: Comparison) -> int:
        found, most = (len(part.design.blocks), FEW_BLOCKS) if part.design.blocks else (part.items, MANY)
        return most if found < most else 0

    for field, groups in comparison.by.items() if not usual(comparison) else ():
        if small := [group for group in groups.values() if has_intervals(group) and usual(group)]:
            fewer = " or ".join(dict.fromkeys(f"{usual(group)} {_units(group)}" for group in small))
            number = f"{len(small)} of {counted(len(groups), 'value')}"
            units = " or ".join(dict.fromkeys(map(_units, small)))
            yield f"by {field}: few {units}: intervals and p of {number} take fewer than {fewer} as a sample of all"


def signatures(comparison: Comparison) -> Iterator[str]:
    """What was computed, a line a metric."""
    for name, metric in comparison.metrics.items():
        normalisation = comparison.normalisations.get(name)
        wider = [f"grammars:{comparison.grammars}"] if comparison.grammars and is_searched(metric) else []
        yield signature_of(metric, normalisation, [*comparison.conditions.get(name, ()), *wider])


def sacrebleu_signatures(comparison: Comparison) -> dict[str, str]:
    """sacrebleu's signatures of the metrics whose scores it has, too, of all systems; by metric."""
    found = {
        name: {system[name].sacrebleu_signature for system in comparison.statistics.values()}
        for name in comparison.metrics
    }
    return {name: one for name, several in found.items() if len(several) == 1 for one in several if one}


def signature_lines(comparison: Comparison) -> Iterator[str]:
    """sacrebleu's signatures and ours."""
    for signature in sacrebleu_signatures(comparison).values():
        yield f"sacrebleu: {signature}"
    yield from signatures(comparison)
