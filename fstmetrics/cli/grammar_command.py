"""`fstmetrics grammar`: list, show, try and test grammars, and measure what they save."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from fstmetrics.cli import HelpfulGroup
from fstmetrics.cli.option_types import ROWS
from fstmetrics.cli.options import GRAMMARS, Command, group, input_options, option, word_options
from fstmetrics.cli.terminal import show
from fstmetrics.grammars.compiled import compiled
from fstmetrics.grammars.library import resolve
from fstmetrics.grammars.model import REFERENCE, Grammar, Rule
from fstmetrics.reports.summary import number, table_lines
from fstmetrics.runs.inputs import read_inputs
from fstmetrics.runs.request import Request
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.shipped_grammars import names
from fstmetrics.values.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.analysis.savings import Used


@click.group(cls=HelpfulGroup)
def grammar() -> None:
    """Rewrite rules that widen references: list, show, try and test them, and measure what they save.

    \b
    Example:  fstmetrics grammar list
              fstmetrics grammar try en "I don't like the colour"

    GRAMMAR: the name of a grammar that comes with the package (en.spelling; en is all that suit written text, en.speech
    all that suit transcripts of speech), or a file: in the notation of docs/grammars.md, a NIST GLM file, or synonyms
    (LHS | RHS1 ; RHS2).
    """


@grammar.command("list", cls=Command, short_help="The grammars that come with the package.")
def list_grammars() -> None:
    """List the grammars that come with the package, what they suit, and how many rules they have.

    \b
    Example:  fstmetrics grammar list

    Plain rules are the rules after every choice from a list is written out. Open words, such as numbers, count once.
    """
    rows: list[tuple[str, ...]] = [("grammar", "suits", "rules", "plain rules", "examples")]
    titles = ["what it covers"]
    for one in resolve(names()):
        plain = len(compiled(one, Normalisation()).rules)
        rows.append((one.name, ", ".join(one.suits), str(len(one.rules)), str(plain), str(len(one.examples))))
        titles.append(one.title)
    for line, title in zip(table_lines(rows, 2), titles, strict=True):
        show(f"{line}  {title}")
    show("", "en: all en. that suit text; en.speech: all en. that suit speech")


@grammar.command("show", cls=Command, several="", short_help="The rules of a grammar.")
@click.argument("grammar_name", metavar="GRAMMAR")
@click.option("--plain", is_flag=True, help="Plain rules: one rule for each choice from a list.")
@click.option("--word", metavar="WORD", help="Only plain rules with this word.")
def show_rules(grammar_name: str, plain: bool, word: str | None) -> None:
    """Show the rules of a grammar, and the lines of its file that could not be read as rules.

    \b
    Example:  fstmetrics grammar show en.spelling --word colour
    """
    for one in resolve(grammar_name):
        show(f"# {one.name}: {one.title}")
        show(*(_plain(one, word) if plain or word else _written(one)))
        for note in one.notes:
            show(f"# {note}")


def _written(one: Grammar) -> Iterable[str]:
    for rule in one.rules:
        yield f"{rule.line:>5}  {rule.text if rule.sides else f'compounds: {rule.text}'}"


def _plain(one: Grammar, word: str | None) -> Iterable[str]:
    if word is None:
        yield from (f"{rule.line:>5}  compounds: {rule.text}" for rule in one.rules if not rule.sides)
    for rule, sides in compiled(one, Normalisation()).rules:
        if word is None or any(word in side for side in sides):
            yield f"{rule.line:>5}  {_rule_text(rule, sides)}"


def _rule_text(rule: Rule, sides: Sequence[Sequence[str]]) -> str:
    texts = [REFERENCE.sub(r"{\1.\2}", " ".join(side)) or "~" for side in sides]
    if rule.kind == "any":
        return " = ".join(texts)
    return texts[0] + (" -> " if rule.kind == "to" else " <-> ") + " ; ".join(texts[1:])


@grammar.command("try", cls=Command, short_help="Where rules apply in a text, and what they allow there.")
@click.argument("grammar_names", metavar="GRAMMARS")
@click.argument("text", nargs=-1, required=True)
@word_options
def try_text(grammar_names: str, text: Sequence[str], **common: Any) -> None:
    """Show where rules apply in a TEXT, and which other words they allow there.

    \b
    Example:  fstmetrics grammar try en "I don't like the colour"
    """
    request = Request(**common)
    normalisation = request.normalisation.of_references
    words = normalisation.words(" ".join(text))
    chosen = resolve(grammar_names)
    for one, before, after, rule in _applied(chosen, words, normalisation):
        show(f"{' '.join(before)} -> {' '.join(after) or '~'}   ({one.name}:{rule.line})")
    for one in chosen:
        if any(not rule.sides for rule in one.rules):
            show(f"{one.name}: what it allows depends on the words of the hypothesis")


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


@grammar.command(cls=Command, short_help="Check the examples in grammar files.")
@click.argument("grammar_names", metavar="[GRAMMARS]...", nargs=-1)
def test(grammar_names: Sequence[str]) -> int:
    """Check the examples in grammar files. The exit status is 1 if one is wrong.

    \b
    Example:  fstmetrics grammar test my.grammar

    Without GRAMMARS, all grammars of the package are checked.
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


@grammar.command(
    cls=Command,
    usual=("--grammar", "--examples", "--lowercase", "--ref"),
    short_help="How many edits each grammar saves.",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@group(
    "Output",
    option(
        "--examples",
        type=ROWS,
        default=5,
        show_default=True,
        metavar="N",
        help="Show the N most used rewrites of each grammar, in items that have fewer edits with it; 0: none.",
    ),
)
@input_options
@word_options
@group("Words", GRAMMARS)
def savings(references: str, hypotheses: str, examples: int, **common: Any) -> None:
    """Count the edits without grammars, with each grammar alone, and with all together.

    \b
    Example:  fstmetrics grammar savings ref.txt hyp.txt --grammar en.spelling

    Without --grammar, the grammars of en are used. The column "confirmed" counts the rewrites that are in HYP with
    every word, in items that have fewer edits with the grammar; "only length" those to more or fewer words in items
    with the same edits: they changed nothing but the length of the reference.
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
        (
            "grammar",
            "plain rules",
            "edits",
            "saved",
            "saved %",
            "wer",
            "items gained",
            "confirmed",
            "only length",
        )
    ]
    for row in rows:
        share = f"{100 * row.saved / base:.2f}" if base else "0.00"
        counts = (row.rules, row.corpus.edits, row.saved)
        found = sum(row.used.values())
        only_length = sum(row.only_length.values())
        table.append(
            (
                row.name,
                *map(str, counts),
                share,
                number(row.corpus.score),
                str(row.items),
                str(found),
                str(only_length),
            )
        )
    show(*table_lines(table))
    show("", "confirmed: rewrites of which HYP has every word, in items with fewer edits")
    show("only length: rewrites to more or fewer words in items with the same edits", *inputs.remarks)
    for row in rows[1:] if examples else ():
        for title, used in ((row.name, row.used), (f"{row.name}, only length", row.only_length)):
            if used:
                show("", title, *_most_used(used, examples))


def _most_used(used: Counter[Used], limit: int) -> Iterable[str]:
    for (_, before, after), count in used.most_common(limit):
        yield f"{count:>6}  {' '.join(before)} → {' '.join(after) or '(nothing)'}"
