"""Options of `compare`, of which `report` has some: `label_options`, `score_options`, `block_options`."""

from __future__ import annotations

from fstmetrics.cli.option_types import Groupings
from fstmetrics.cli.options import SPEAKERS, group, joined, option

label_options = group(
    "Output",
    option("--by", multiple=True, metavar="FIELDS", type=Groupings(), callback=joined,
           help="Also compare the items with each value of a field: domain; domain,speaker are two tables, "
                "domain+speaker one; duration:5,10 has bins. Repeatable."),
    option("--labels", multiple=True, metavar="FIELD=FILE",
           help="A field of the items: a file with one value a line, in the order of the items. Repeatable."),
    option("--documents", metavar="FILE",
           help="The fields domain and document: WMT's documents/LP.docs, lines `DOMAIN DOCUMENT`."),
)  # fmt: skip
score_options = group(
    "Scores",
    option("--scores", multiple=True, metavar="NAME=FILE",
           help="Scores of another program, as of COMET, for all systems: WMT's .seg.score and .sys.score, tables with "
                "columns system and segment, JSON of comet-score. NAME:SYSTEM=FILE: scores of one system, as one a "
                "line. Repeatable."),
    option("--lower", default="", metavar="NAMES", help="Those of --scores where lower is better."),
)  # fmt: skip
block_options = group(
    "Significance",
    option("--blocks", metavar="FIELD",
           help="Resample, and rank, all items of a speaker or session together: speaker, or another field of the "
                "files. item: do not; wilcoxon then ranks items."),
    SPEAKERS,
)  # fmt: skip
