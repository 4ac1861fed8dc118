"""What `oracle` does under a metric of strings: the entries of n-best lists that together score best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fstmetrics.data.nbest import NBest
from fstmetrics.engine.signatures import signature_of
from fstmetrics.engine.statistics import Statistics
from fstmetrics.engine.unlike_sides import unlike_remarks
from fstmetrics.metrics import TextMetric
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run import conditions, shown_settings
from fstmetrics.scoring.score import LeftOut, Score, Shown, statistics_record
from fstmetrics.scoring.sums import Sums
from fstmetrics.support.arguments import described
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file
from fstmetrics.support.progress import listener

if TYPE_CHECKING:
    from fstmetrics.lattices.corpus_oracles import CorpusOracle


def oracle_of_lists(
    request: Request, metric: TextMetric, inputs: Inputs, model_weight: float | None
) -> Score:
    """Find the entries, and write their records.

    Args:
        request: what was asked for.
        metric: what the entries together are to score best under.
        inputs: n-best lists and their references.
        model_weight: of hope and fear; None where they are not asked for.

    Raises:
        FstmetricsError: an option for items one by one, or hypotheses that are no n-best lists.
    """
    from fstmetrics.lattices.corpus_oracles import corpus_oracle  # most runs are of texts

    for given, option in (
        (request.resume, "--resume"),
        (request.keep_going, "--keep-going"),
        (request.by, "--by"),
        (request.on != "local", "--on"),
    ):
        if given:
            raise FstmetricsError(
                f"{option} is for items that are scored one by one; {metric.name} is of all n-best lists together"
            )
    pairs = inputs.pairs
    lists = [_list_of(pair, metric) for pair in pairs]
    with listener.get().counter("comparing entries", len(lists), request.output == "-") as progress:
        found = corpus_oracle(
            lists,
            [pair.reference for pair in pairs],
            metric,
            normalisation=request.normalisation,
            model_weight=model_weight,
            progress=progress,
        )
    asked = {} if model_weight is None else {"model_weight": model_weight}
    parts, own = ((*conditions(request, inputs, asked, of), "oracle:n-best") for of in (False, True))
    statistics = Statistics(
        metric, found.values, tuple(pair.id for pair in pairs), found.normalisation, conditions=parts
    )
    signed = signature_of(metric, found.normalisation, own)
    records = list(_records(found, statistics, pairs, signed, request))
    if request.output:
        with whole_file(request.output) as stream:
            stream.writelines(written_json(record) + "\n" for record in records)
    return Score(
        statistics,
        Sums(),
        {
            "missing": request.missing,
            **asked,
            **shown_settings(request, metric, inputs),
            **found.normalisation.settings(),
        },
        LeftOut(inputs.skipped, 0),
        remarks=(
            *unlike_remarks(
                ((pair.hypothesis, pair.reference) for pair in pairs),
                len(pairs),
                metric,
                found.normalisation,
            ),
            *inputs.remarks,
        ),
        oracle=found,
        shown=Shown(chosen=None if request.output else records),
    )


def _list_of(pair: Pair, metric: TextMetric) -> NBest:
    if isinstance(pair.hypothesis, NBest):
        return pair.hypothesis
    raise FstmetricsError(
        f"item {pair.id}: oracles under {metric.name} are of n-best lists, not of {described(pair.hypothesis)}; `best "
        "--nbest K --to nbest` makes lists of lattices; score has the score of texts"
    )


def _records(
    found: CorpusOracle, statistics: Statistics, pairs: Sequence[Pair], signed: str, request: Request
) -> Iterator[dict[str, Any]]:
    rows = zip(pairs, found.hypotheses, found.ranks, statistics.item_scores, found.values, strict=True)
    sides = {"hope": found.hope, "fear": found.fear}
    for item, (pair, text, rank, score, values) in enumerate(rows):
        record = statistics_record(found.metric, pair.id, float(score), values.tolist(), request.unit)
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        record |= {"hypothesis": text.split(), "rank": rank}
        record |= {name: [side.entries[item].as_dict()] for name, side in sides.items() if side}
        yield record | fields | {"signature": signed}
