"""An option is declared once, on the field that has its value. Tables choose among these, and say what they replace."""

from __future__ import annotations

from dataclasses import fields

import pytest

from fstmetrics.apps.calibration.confidence_command import JUDGING, ConfidenceOptions
from fstmetrics.apps.calibration.variants_command import VARYING
from fstmetrics.apps.metaeval.correlate_command import CORRELATING, CorrelateOptions
from fstmetrics.apps.metaeval.rankings_command import RANKING, RankingOptions
from fstmetrics.apps.pages.report_command import PAGE, PageOptions
from fstmetrics.apps.tuning.tune_command import TUNING, TuneOptions
from fstmetrics.cli.option_tables import ORACLE, SCORING, Options
from fstmetrics.commands.best import BEST
from fstmetrics.commands.combine import COMBINING, CombineOptions
from fstmetrics.commands.compare import COMPARING, CompareOptions
from fstmetrics.commands.compile import COMPILING
from fstmetrics.commands.grammar import SAVING
from fstmetrics.commands.latency import STREAMED, LatencyOptions
from fstmetrics.commands.mbr import DECODING
from fstmetrics.commands.merge import MERGING
from fstmetrics.commands.proposals import PROPOSING, ProposeOptions
from fstmetrics.commands.segment import SEGMENTING
from fstmetrics.commands.speakers import SPEAKING, SpeakerOptions
from fstmetrics.scoring.request import LatticeOptions, Request
from fstmetrics.support.options import Option, options_of_fields

LATTICES = (LatticeOptions, Request)
OTHER = {"help", "kind"}
ONE_WEIGHT = {"lm_scale": OTHER, "word_penalty": OTHER}
# Of each command its table, the dataclasses that have its options, and what the table says otherwise of which of them.
TABLES: dict[str, tuple[Options, tuple[type, ...], dict[str, set[str]]]] = {
    "score": (SCORING, LATTICES, {}),
    "oracle": (ORACLE, LATTICES, {}),
    "speakers": (SPEAKING, (SpeakerOptions, Request), {"missing": {"help"}, "unit": OTHER}),
    "latency": (STREAMED, (LatencyOptions, Request), {"ref_format": {"help", "metavar"}}),
    "segment": (SEGMENTING, (Request,), {"documents": {"help"}, "criterion": {"help"}, "output": OTHER}),
    "best": (BEST, (LatticeOptions,), ONE_WEIGHT),
    "mbr": (
        DECODING, LATTICES, {**ONE_WEIGHT, "nbest": {"help", "metavar"}, "output": {"help"}, "json": {"help"}},
    ),
    "combine": (COMBINING, (CombineOptions, Request), {"format": {"help"}, "missing": {"help"}}),
    "tune": (TUNING, (TuneOptions, Request), {"ref": {"help"}, "output": {*OTHER, "metavar"}}),
    "merge": (MERGING, (Request,), {"output": {"help"}, "json": {"help"}}),
    "compare": (COMPARING, (CompareOptions, Request), {"missing": OTHER, "output": OTHER}),
    "correlate": (CORRELATING, (CorrelateOptions, Request), {"missing": OTHER}),
    "rankings": (RANKING, (RankingOptions, Request), {}),
    "confidence": (JUDGING, (ConfidenceOptions, *LATTICES), {**ONE_WEIGHT, "unit": OTHER}),
    "report": (PAGE, (PageOptions, Request), {"missing": OTHER}),
    "network propose": (PROPOSING, (ProposeOptions, Request), {"json": {"help"}}),
    "compile": (COMPILING, (Request,), {}),
    "grammar savings": (SAVING, (Request,), {}),
    "variants": (VARYING, (Request,), {"format": {"help"}, "lowercase": {"help"}, "tokenize": {"help"}}),
}  # fmt: skip


def replaced(row: Option, declared: Option) -> set[str]:
    """What a row of a table has that is not the very object that is declared."""
    return {
        name
        for name in Option._fields
        if name != "heading" and getattr(row, name) is not getattr(declared, name)
    }


@pytest.mark.parametrize("command", TABLES)
def test_a_row_is_the_option_that_its_field_declares(command: str) -> None:
    table, kinds, others = TABLES[command]
    # Of two dataclasses the first takes a field.
    fields_taken = {field.name for kind in kinds for field in fields(kind)}
    declared = {
        option.field: (name, option)
        for kind in reversed(kinds)
        for name, option in options_of_fields(kind).items()
    }
    rows = {name: row for name, row in table.items() if row.field in fields_taken}
    assert {name: declared[row.field][0] for name, row in rows.items()} == {name: name for name in rows}
    found = {name: replaced(row, declared[row.field][1]) for name, row in rows.items()}
    assert {name: what for name, what in found.items() if what} == others
