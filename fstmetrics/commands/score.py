"""`score_files`, `oracle_files` and `hyter_files`: what the commands `score`, `oracle` and `hyter` do."""

from __future__ import annotations

from typing import Any

from fstmetrics.metrics import Metric
from fstmetrics.runs.inputs import Inputs
from fstmetrics.runs.request import Request
from fstmetrics.runs.score import Score
from fstmetrics.runs.score_files import Reports, score_files
from fstmetrics.runs.task import Elsewhere


def score_from(references: str, hypotheses: str | None, options: dict[str, Any], **kind: bool) -> Score:
    """The score of files by the options of a command, with engines and sclite's reports; `kind` as of `score_files`."""
    return score_files(references, hypotheses, options, **kind, elsewhere=_engine, reports=_reports)


def _engine(name: str, jobs: int) -> Elsewhere:
    from fstmetrics.cluster.engines import elsewhere

    return elsewhere(name, jobs)


def _reports(request: Request, metric: Metric, inputs: Inputs) -> Reports:
    from fstmetrics.reports.sclite_files import ScliteReports

    return ScliteReports(request, metric, inputs)
