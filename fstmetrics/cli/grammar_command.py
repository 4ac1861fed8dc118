"""`fstmetrics grammar`: list, show, try and test grammars, and measure what they save."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from fstmetrics.cli import HelpfulGroup
from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.numbers import ROWS
from fstmetrics.cli.options import Request, grammar_option, input_options, word_options
from fstmetrics.cli.terminal import show
from fstmetrics.grammars.compiled import compiled
from fstmetrics.grammars.library import names, resolve
from fstmetrics.grammars.model import REFERENCE, Grammar, Rule
from fstmetrics.reports.summary import number, table_lines
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import Normalisation


@click.group(cls=HelpfulGroup)
def grammar() -> None:
    """Rewrite rules that widen references: list, show, try and test them, and measure what they save.

    A GRAMMAR is the name of one that ships (en.spelling; en is all of them) or a file: the notation of
    docs/grammars.md, a NIST GLM file, or synonyms (LHS | RHS1 ; RHS2).
    """


@grammar.command("list", short_help="The grammars that ship, and how many rules they have.")
def list_grammars() -> None:
    """List the grammars that ship, with their plain rules (open words, such as numbers, count once)."""
    rows: list[tuple[str, ...]] = [("grammar", "rules", "plain rules", "examples")]
    titles = ["what it covers"]
    for one in resolve(names()):
        plain = len(compiled(one, Normalisation()).rules)
        rows.append((one.name, str(len(one.rules)), str(plain), str(len(one.examples))))
        titles.append(one.title)
    for line, title in zip(table_lines(rows), titles, strict=True):
        show(f"{line}  {title}")


@grammar.command("show", short_help="The rules of a grammar.")
@click.argument("grammar_name", metavar="GRAMMAR")
@click.option("--plain", is_flag=True, help="Plain rules: one for each choice from the lists.")
@click.option("--word", metavar="WORD", help="Only rules with this word; implies --plain.")
def show_rules(grammar_name: str, plain: bool, word: str | None) -> None:
    """Show the rules of a grammar, and what of its file could not be read as rules."""
    for one in resolve(grammar_name):
        show(f"# {one.name}: {one.title}")
        show(*(_plain(one, word) if plain or word else _written(one)))
        for note in one.notes:
            show(f"# {note}")


def _written(one: Grammar) -> Iterable[str]:
    for rule in one.rules:
        yield f"{rule.line:>5}  {rule.text}"


def _plain(one: Grammar, word: str | None) -> Iterable[str]:
    for rule, sides in compiled(one, Normalisation()).rules:
        if word is None or any(word in side for side in sides):
            yield f"{rule.line:>5}  {_rule_text(rule, sides)}"


def _rule_text(rule: Rule, sides: Sequence[Sequence[str]]) -> str:
    texts = [REFERENCE.sub(r"{\1.\2}", " ".join(side)) or "~" for side in sides]
    if rule.kind == "any":
        return " = ".join(texts)
    return texts[0] + (" -> " if rule.kind == "to" else " <-> ") + " ; ".join(texts[1:])


@grammar.command("try", short_help="Where rules apply in a text, and what else can be said there.")
@click.argument("grammar_names", metavar="GRAMMARS")
@click.argument("text", nargs=-1, required=True)
@word_options
def try_text(grammar_names: str, text: Sequence[str], **common: Any) -> None:
    """Show where rules apply in a TEXT, and what else can be said there."""
    request = Request(**common)
    normalisation = request.normalisation.of_references
    words = normalisation.words(" ".join(text))
    for one, before, after, rule in _applied(resolve(grammar_names), words, normalisation):
        show(f"{' '.join(before)} -> {' '.join(after) or '~'}   ({one.name}:{rule.line})")


def _applied(
    grammars: Sequence[Grammar], words: Sequence[str], normalisation: Normalisation
) -> Iterable[tuple[Grammar, tuple[str, ...], tuple[str, ...], Rule]]:
    from fstmetrics.grammars.widening import Widening
    from fstmetrics.scoring.sides import written_out

    line = written_out(words)
    for one in grammars:
        wider = Widening.of((one,), normalisation)(*line)
        for choice in wider.choices if wider else ():
            yield one, choice.before, choice.after, choice.rule


@grammar.command(short_help="Whether the examples in grammar files come out as they say.")
@click.argument("grammar_names", metavar="[GRAMMARS]...", nargs=-1)
def test(grammar_names: Sequence[str]) -> int:
    """Check that the examples in grammar files come out as they say; status 1 if one does not.

    Without GRAMMARS, all that ship.
    """
    from fstmetrics.analysis.savings import failures

    wrong = 0
    for one in resolve(grammar_names or names()):
        accepted = sum(example.accepted for example in one.examples)
        failed = failures(one)
        wrong += len(failed)
        verdict = f"{len(failed)} WRONG" if failed else "ok"
        show(f"{one.name}: {accepted} to accept, {len(one.examples) - accepted} to reject: {verdict}")
        for example, result in failed:
            what = "accept" if example.accepted else "reject"
            closest = " ".join(result.closest)
            show(
                f"  line {example.line}: {what}: {example.reference} == {example.hypothesis}; closest: {closest}"
            )
    return 1 if wrong else 0


@grammar.command(short_help="The edits without grammars, with each alone, and with all.")
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@click.option("--examples", type=ROWS, default=0, show_default=True, metavar="N",
              help="The N rewrites of each grammar that were used most, in items that gained.")  # fmt: skip
@input_options
@word_options
@grammar_option
def savings(references: str, hypotheses: str, examples: int, **common: Any) -> None:
    """Print the edits of HYP against REF without grammars, with each alone, and with all together.

    --grammar names them; by default all that ship. The column "confirmed" counts the rewrites that paid: in items with
    fewer edits than without grammars, those whose words HYP has, every one.
    """
    from fstmetrics.analysis.savings import savings as measured

    request = Request(**common)
    inputs = read_inputs(request, references, hypotheses)
    pairs = inputs.pairs
    if not pairs:
        raise FstmetricsError("there is no item to score")
    rows = measured(
        [pair.hypothesis for pair in pairs],
        [pair.reference for pair in pairs],
        request.grammars or "en",
        normalisation=request.normalisation,
    )
    base = rows[0].corpus.edits
    table: list[tuple[str, ...]] = [
        ("grammar", "plain rules", "edits", "saved", "saved %", "wer", "items gained", "confirmed")
    ]
    for row in rows:
        share = f"{100 * row.saved / base:.2f}" if base else "0.00"
        counts = (row.rules, row.corpus.edits, row.saved)
        found = sum(row.used.values())
        table.append(
            (row.name, *map(str, counts), share, number(row.corpus.score), str(row.items), str(found))
        )
    show(*table_lines(table))
    show("", "confirmed: rewrites in the items gained of which HYP has every word", *inputs.remarks)
    for row in rows[1:] if examples else ():
        show("", row.name)
        for (_, before, after), count in row.used.most_common(examples):
            show(f"{count:>6}  {' '.join(before)} -> {' '.join(after) or '~'}")
