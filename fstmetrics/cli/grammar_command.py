"""`fstmetrics grammar`: list, show, try and test grammars, and measure what they save."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli import HelpfulGroup
from fstmetrics.cli.click_options import Command, FormOfTables, options_of
from fstmetrics.cli.terminal import show, show_report
from fstmetrics.commands.grammar import (
    SAVING,
    applied,
    list_parts,
    listed_grammars,
    rules_of,
    savings_from,
    tested,
)
from fstmetrics.commands.option_tables import FORMS_PRINTED, WORDS


@click.group(cls=HelpfulGroup)
def grammar() -> None:
    """Rewrite rules that widen references: list, show, try and test them, and measure what they save.

    \b
    Example:  fstmetrics grammar list
              fstmetrics grammar try en "I don't like the colour"

    GRAMMAR: the name of a grammar that comes with the package (en.spelling; en is all that suit written text, en.speech
    all that suit transcripts of speech), or a file: in the notation of docs/grammar-rules.md, a NIST GLM file, or
    synonyms (LHS | RHS1 ; RHS2).
    """


@grammar.command("list", cls=Command, short_help="The grammars that come with the package.")
@options_of(FORMS_PRINTED)
def list_grammars(form: FormOfTables) -> None:
    """List the grammars that come with the package, what they suit, and how many rules they have.

    \b
    Example:  fstmetrics grammar list

    Plain rules are the rules after every choice from a list is written out. Open words, such as numbers, count once.
    """
    found = listed_grammars()
    show_report(list_parts(found), lambda: found, form)


@grammar.command("show", cls=Command, several="", short_help="The rules of a grammar.")
@click.argument("grammar_name", metavar="GRAMMAR")
@click.option("--plain", is_flag=True, help="Plain rules: one rule for each choice from a list.")
@click.option("--word", metavar="WORD", help="Only plain rules with this word.")
def show_rules(grammar_name: str, plain: bool, word: str | None) -> None:
    """Show the rules of a grammar, and the lines of its file that could not be read as rules.

    \b
    Example:  fstmetrics grammar show en.spelling --word colour
    """
    show(*rules_of(grammar_name, plain, word))


@grammar.command("try", cls=Command, short_help="Where rules apply in a text, and what they allow there.")
@click.argument("grammar_names", metavar="GRAMMARS")
@click.argument("text", nargs=-1, required=True)
@options_of(WORDS)
def try_text(grammar_names: str, text: Sequence[str], **common: Any) -> None:
    """Show where rules apply in a TEXT, and which other words they allow there.

    \b
    Example:  fstmetrics grammar try en "I don't like the colour"
    """
    show(*applied(grammar_names, " ".join(text), common))


@grammar.command(cls=Command, short_help="Check the examples in grammar files.")
@click.argument("grammar_names", metavar="[GRAMMARS]...", nargs=-1)
def test(grammar_names: Sequence[str]) -> int:
    """Check the examples in grammar files. The exit status is 1 if one is wrong.

    \b
    Example:  fstmetrics grammar test my.grammar

    Without GRAMMARS, all grammars of the package are checked.
    """
    lines, wrong = tested(grammar_names)
    show(*lines)
    return 1 if wrong else 0


@grammar.command(
    cls=Command,
    usual=("--grammar", "--examples", "--lowercase", "--ref"),
    short_help="How many edits each grammar saves.",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SAVING)
def savings(references: str, hypotheses: str, examples: int, form: FormOfTables, **options: Any) -> None:
    """Count the edits without grammars, with each grammar alone, and with all together.

    \b
    Example:  fstmetrics grammar savings ref.txt hyp.txt --grammar en.spelling

    Without --grammar, the grammars of en are used. The column "confirmed" counts the rewrites that are in HYP with
    every word, in items that have fewer edits with the grammar; "only length" those to more or fewer words in items
    with the same edits: they changed nothing but the length of the reference.
    """
    found = savings_from(references, hypotheses, options)
    show_report(found.parts(examples), found.summary, form)
