"""`fstmetrics compare --profiles`: several systems under several profiles."""

from __future__ import annotations

from collections.abc import Sequence

import click
from click.core import ParameterSource

from fstmetrics.cli.option_types import ROWS
from fstmetrics.cli.options import group, option
from fstmetrics.cli.terminal import show, show_json, stages, width
from fstmetrics.evaluation.profile_comparison import compare_profiles, names_of
from fstmetrics.evaluation.systems import read_columns
from fstmetrics.reports.profile_tables import left_out_lines, profile_lines, profile_signatures
from fstmetrics.reports.summary import items_lines
from fstmetrics.runs.request import Request
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import Normalisation
from fstmetrics.values.profiles import added, profile

profiles_options = group(
    "Profiles",
    option("--profiles", metavar="NAMES",
           help="Instead of a test: the word error rate of every system under several profiles, separated by commas, "
                "and what the rules alone change. The first is compared with the others."),
    option("--top", type=ROWS, default=10, show_default=True,
           help="Rows of words for each profile; 0 is all."),
    option("--systems", "are_systems", is_flag=True,
           help="May stand before the systems: --systems A=FILE B=FILE."),
)  # fmt: skip

# Options of `compare` that go with --profiles.
TAKEN = frozenset(
    {
        "systems", "are_systems", "fields", "references", "profiles", "top", "json", "format", "ref_format", "symbols",
        "alternations", "lowercase", "remove_punctuation", "ignore", "ignore_reference", "ignore_hypothesis",
        "normalise_unicode", "unit", "grammars", "metric_names",
    }
)  # fmt: skip


def show_profiles(
    names: str, request: Request, systems: Sequence[str], references: Sequence[str], top: int, as_json: bool
) -> None:
    """Read the systems, score them under every profile and print what differs.

    Raises:
        FstmetricsError: other options of `compare`, which do not go with profiles; or as of `compare_profiles`.
    """
    refuse_others()
    rules = profiles_asked(names, request.normalisation)
    columns = read_columns(request, systems, references, None)
    with stages() as progress:
        found = compare_profiles(
            columns.systems, columns.references, rules, grammars=request.grammars, progress=progress
        )
    conditions = [
        *found.conditions,
        *columns.conditions,
        *([f"alternations:{request.alternations}"] if request.alternations else []),
    ]
    if as_json:
        signatures = list(profile_signatures(found, conditions))
        show_json(
            {**found.as_dict(), "items": len(columns.references), "remarks": list(columns.remarks),
             "signatures": signatures}
        )  # fmt: skip
        return
    show(
        *profile_lines(found, top or None, width()),
        *items_lines(len(columns.references)),
        *left_out_lines(found, len(columns.references)),
        *columns.remarks,
        *profile_signatures(found, conditions),
    )


def profiles_asked(names: str, asked: Normalisation) -> dict[str, Normalisation]:
    """The rules of comma-separated profiles by name, each with what is asked for beside."""
    return {name: added(profile(name), asked) for name in names_of(names)}


def refuse_others() -> None:
    """Raise an FstmetricsError for an option that --profiles has no use for."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if given and parameter.name not in TAKEN:
            raise FstmetricsError(f"{parameter.opts[0]} does not go with --profiles")
    if any(name != "wer" for name in context.params.get("metric_names") or ()) and (
        context.get_parameter_source("metric_names") == ParameterSource.COMMANDLINE
    ):
        raise FstmetricsError("--profiles compares word error rates; leave --metric out")
