"""The order of references and hypotheses where options name them: `in_order`.

REF comes first, HYP second. `--references REF --hypotheses HYP` says which is which in any order, and `--ref REF HYP`
is the order of `compare`.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

REFERENCES = ("--references", "--reference")
HYPOTHESES = ("--hypotheses", "--hypothesis", "--hyp")
MORE = "--ref"
# Where a context keeps that `--ref REF` leads a file that may be a table of both sides: only its reader can tell.
LEADS = "fstmetrics.ref_leads"


def in_order(command: click.Command, context: click.Context, args: list[str]) -> list[str]:
    """The arguments as REF HYP, which the command takes; as they are where no option says which is which."""
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    hypotheses, rest = _taken(args, HYPOTHESES)
    has_more = any(MORE in param.opts for param in command.params)
    references, rest = _taken(rest, REFERENCES if has_more and not hypotheses else (*REFERENCES, MORE))
    alone = _arguments(command, context, rest)
    if not (references or alone):
        return args
    if hypotheses or references:
        lead = references[: 0 if hypotheses and alone else 1]
        more = [each for path in references[len(lead) :] for each in (MORE, path)]
        return [*lead, *more, *rest, *hypotheses]
    if len(alone) != 1 or not _leads(args, alone[0]):
        return args
    if arguments[0].name == "references" and not arguments[1].required and "--resegment" not in args:
        context.meta[LEADS] = True
        return args
    references, rest = _taken(args, (MORE,))
    return [references[0], *(each for path in references[1:] for each in (MORE, path)), *rest]


def _taken(args: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The values of options of some names, and the other arguments."""
    found: list[str] = []
    others: list[str] = []
    left = iter(args)
    for each in left:
        name, is_joined, value = each.partition("=")
        following = value if is_joined else next(left, None) if name in names else None
        if name in names and following is not None:
            found.append(following)
        else:
            others.append(each)
    return found, others


def _arguments(command: click.Command, context: click.Context, args: Sequence[str]) -> list[str]:
    """What is no option, nor the value of one; nothing where options are wrong, of which click tells."""
    try:
        found, more, _ = command.make_parser(context).parse_args(list(args))
    except click.UsageError:
        return []
    names = [param.name for param in command.params if isinstance(param, click.Argument)]
    return [value for name in names if isinstance(value := found.get(name), str)] + more


def _leads(args: Sequence[str], path: str) -> bool:
    """Whether `--ref` stands before a path."""
    names = [each.partition("=")[0] for each in args]
    return MORE in names and path not in args[: names.index(MORE)]
