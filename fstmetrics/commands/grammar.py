"""The commands of `grammar`, and `savings_files`, one of them as a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from fstmetrics.analysis.savings import Saving, Used, failures, savings
from fstmetrics.cli import HelpfulGroup
from fstmetrics.cli.click_options import Command, FormOfTables, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    INPUT,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show, show_report
from fstmetrics.engine.widened_sides import widened_side
from fstmetrics.grammars.compiled import compiled
from fstmetrics.grammars.library import resolve, widening_of
from fstmetrics.grammars.model import REFERENCE, Grammar, Rule
from fstmetrics.reports.summary import Part, Printed, Row, Table, text_lines
from fstmetrics.scoring.inputs import read_inputs
from fstmetrics.scoring.request import Request
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.options import ROWS, Option
from fstmetrics.support.printable import number
from fstmetrics.support.shipped_grammars import names
from fstmetrics.text.normalisation import Normalisation

SAVING: Options = {
    **under(
        "Output",
        examples=Option(
            ROWS,
            "Show the N most used rewrites of each grammar, in items that have fewer edits with it; 0: none.", 5,
            "N", printed=True,
        ),
    ),
    **INPUT,
    **WORDS,
    **GRAMMAR,
    **FORMS_PRINTED,
}  # fmt: skip
SAVED = (
    "grammar", "plain rules", "edits", "saved", "saved %", "wer", "items gained", "confirmed", "only length"
)  # fmt: skip


@dataclass(frozen=True)
class FilesSavings(Printed):
    """What grammars save on the items of files.

    Attributes:
        rows: the corpus without grammars, with each alone, and with all together.
        remarks: what was guessed about the files, and what is odd about them.
    """

    rows: Sequence[Saving]
    remarks: Sequence[str]

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`: a row a grammar, and a row a rewrite."""
        return {
            "grammars": [
                {
                    "grammar": row.name, "plain_rules": row.rules, "edits": row.corpus.edits, "saved": row.saved,
                    "wer": finite(row.corpus.score), "items_gained": row.items,
                    "confirmed": row.used.total(), "only_length": row.only_length.total(),
                }
                for row in self.rows
            ],
            "rewrites": [
                {
                    "grammar": row.name, "counted": counted, "rule": rule, "written": " ".join(before),
                    "as": " ".join(after), "count": count,
                }
                for row in self.rows
                for counted, used in (("confirmed", row.used), ("only length", row.only_length))
                for (rule, before, after), count in used.most_common()
            ],
            "remarks": list(self.remarks),
        }  # fmt: skip

    def parts(self, examples: int = 5) -> Iterator[Part]:
        """What the command prints, with so many rewrites of each grammar."""
        base = self.rows[0].corpus.edits
        table: list[tuple[str, ...]] = [SAVED]
        for row in self.rows:
            share = f"{100 * row.saved / base:.2f}" if base else "0.00"
            counts = map(str, (row.rules, row.corpus.edits, row.saved))
            uses = (str(sum(used.values())) for used in (row.used, row.only_length))
            table.append((row.name, *counts, share, number(row.corpus.score), str(row.items), *uses))
        yield Table(table)
        yield "confirmed: rewrites of which HYP has every word, in items with fewer edits"
        yield "only length: rewrites to more or fewer words in items with the same edits"
        yield from self.remarks
        for row in self.rows[1:] if examples else ():
            for title, used in ((row.name, row.used), (f"{row.name}, only length", row.only_length)):
                if used:
                    yield ""
                    yield Table(_most_used(used, examples), 2, title)

    def lines(self, examples: int = 5) -> list[str]:
        """The same as text."""
        return list(text_lines(self.parts(examples)))


@sides_by_name
def savings_files(*, references: PathLike, hypotheses: PathLike, **options: Any) -> FilesSavings:
    """Edits of `hypotheses=` to `references=` without, with each and with all grammars: `fstmetrics grammar savings`.

    Args:
        references, hypotheses: the files.
        options: those of the command, as of `score_files`: `grammar=["en.spelling"]`; without, those of en.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "ref").write_text("the colour"), (folder / "hyp").write_text("the color")
    >>> found = fm.savings_files(references=folder / "ref", hypotheses=folder / "hyp", grammar="en.spelling")
    >>> [row.saved for row in found.rows]
    [0, 1]
    """
    found = fields_of_options("savings_files", SAVING, options)
    paths = path_of("savings_files", references), path_of("savings_files", hypotheses)
    return savings_from(*paths, found)


def savings_from(references: str, hypotheses: str, options: dict[str, Any]) -> FilesSavings:
    """What is saved, by the options of `SAVING`; as of `savings_files`."""
    request = Request(**options)
    inputs = read_inputs(request, references, hypotheses, advice="")
    pairs = inputs.pairs
    if not pairs:
        raise FstmetricsError("there is no item to score")
    rows = savings(
        [pair.hypothesis for pair in pairs],
        [pair.reference for pair in pairs],
        request.grammars or "en",
        normalisation=request.normalisation,
    )
    return FilesSavings(rows, inputs.remarks)


def _most_used(used: Counter[Used], limit: int) -> list[Row]:
    rows = used.most_common(limit)
    head: Row = ("written", "as", "count")
    return [head, *((" ".join(a), " ".join(b) or "(nothing)", str(n)) for (_, a, b), n in rows)]


def listed_grammars() -> dict[str, Any]:
    """The grammars that come with the package, what they suit, and how many rules they have."""
    return {
        "grammars": [
            {
                "grammar": one.name, "suits": list(one.suits), "covers": one.title, "rules": len(one.rules),
                "plain_rules": len(compiled(one, Normalisation()).rules), "examples": len(one.examples),
            }
            for one in resolve(names())
        ]
    }  # fmt: skip


def list_parts(listed: Mapping[str, Any]) -> Iterator[Part]:
    """The same as the command prints it."""
    rows: list[Row] = [("grammar", "suits", "what it covers", "rules", "plain rules", "examples")]
    for each in listed["grammars"]:
        counts = map(str, (each["rules"], each["plain_rules"], each["examples"]))
        rows.append((each["grammar"], ", ".join(each["suits"]), each["covers"], *counts))
    yield Table(rows, 3)
    yield "en: all en. that suit text; en.speech: all en. that suit speech; so de, es and fr"


def rules_of(grammar: str, plain: bool, word: str | None) -> Iterator[str]:
    """The rules of a grammar, and the lines of its file that could not be read as rules.

    Args:
        grammar: its name, or a file.
        plain: one rule for each choice from a list.
        word: only plain rules with this word.
    """
    for one in resolve(grammar):
        yield f"# {one.name}: {one.title}"
        yield from (_plain(one, word) if plain or word else _written(one))
        for note in one.notes:
            yield f"# {note}"


def _written(one: Grammar) -> Iterable[str]:
    for rule in one.rules:
        yield f"{rule.line:>5}  {rule.text if rule.sides else f'compounds: {rule.text}'}"


def _plain(one: Grammar, word: str | None) -> Iterable[str]:
    if word is None:
        yield from (f"{rule.line:>5}  compounds: {rule.text}" for rule in one.rules if not rule.sides)
    for rule, sides, *_ in compiled(one, Normalisation()).rules:
        if word is None or any(word in side for side in sides):
            yield f"{rule.line:>5}  {_rule_text(rule, sides)}"


def _rule_text(rule: Rule, sides: Sequence[Sequence[str]]) -> str:
    texts = [REFERENCE.sub(r"{\1.\2}", " ".join(side)) or "~" for side in sides]
    if rule.kind == "any":
        return " = ".join(texts)
    return texts[0] + (" -> " if rule.kind == "to" else " <-> ") + " ; ".join(texts[1:])


def applied(grammars: str, text: str, options: dict[str, Any]) -> Iterator[str]:
    """Where rules apply in a text, and which other words they allow there; `options` are those of `WORDS`."""
    rules = Request(**options).normalisation.of_references
    chosen = resolve(grammars)
    for one in chosen:
        _, wider = widened_side(text, rules, None, widening_of([one], rules), 1)
        for choice in wider.choices if wider else ():
            before, after = " ".join(choice.before), " ".join(choice.after) or "~"
            yield f"{before} -> {after}   ({one.name}:{choice.rule.line})"
    for one in chosen:
        if any(not rule.sides for rule in one.rules):
            yield f"{one.name}: what it allows depends on the words of the hypothesis"


def tested(grammars: Sequence[str]) -> tuple[list[str], int]:
    """What is said of the examples of grammars, by default of all of the package, and how many are wrong."""
    found, wrong = [], 0
    for one in resolve(grammars or names()):
        accepted = sum(example.accepted for example in one.examples)
        failed = failures(one)
        wrong += len(failed)
        verdict = f"{len(failed)} WRONG" if failed else "ok"
        found.append(f"{one.name}: {accepted} to accept, {len(one.examples) - accepted} to reject: {verdict}")
        for example, result in failed:
            what = "accept" if example.accepted else "reject"
            found.append(
                f"  line {example.line}: {what}: {example.reference} == {example.hypothesis}; "
                f"closest: {' '.join(result.closest)}"
            )
    return found, wrong


@click.group("grammar", cls=HelpfulGroup)
def grammar_command() -> None:
    """Rewrite rules that widen references: list, show, try and test them, and measure what they save.

    \b
    Example:  fstmetrics grammar list
              fstmetrics grammar try en "I don't like the colour"

    GRAMMAR: the name of a grammar that comes with the package (en.spelling; en is all that suit written text, en.speech
    all that suit transcripts of speech), or a file: in the notation of docs/grammar-rules.md, a NIST GLM file, or
    synonyms (LHS | RHS1 ; RHS2).
    """


@grammar_command.command("list", cls=Command, short_help="The grammars that come with the package.")
@options_of(FORMS_PRINTED)
def list_grammars(form: FormOfTables) -> None:
    """List the grammars that come with the package, what they suit, and how many rules they have.

    \b
    Example:  fstmetrics grammar list

    Plain rules are the rules after every choice from a list is written out. Open words, such as numbers, count once.
    """
    found = listed_grammars()
    show_report(list_parts(found), lambda: found, form)


@grammar_command.command("show", cls=Command, several="", short_help="The rules of a grammar.")
@click.argument("grammar_name", metavar="GRAMMAR")
@click.option("--plain", is_flag=True, help="Plain rules: one rule for each choice from a list.")
@click.option("--word", metavar="WORD", help="Only plain rules with this word.")
def show_rules(grammar_name: str, plain: bool, word: str | None) -> None:
    """Show the rules of a grammar, and the lines of its file that could not be read as rules.

    \b
    Example:  fstmetrics grammar show en.spelling --word colour
    """
    show(*rules_of(grammar_name, plain, word))


@grammar_command.command(
    "try", cls=Command, short_help="Where rules apply in a text, and what they allow there."
)
@click.argument("grammar_names", metavar="GRAMMARS")
@click.argument("text", nargs=-1, required=True)
@options_of(WORDS)
def try_text(grammar_names: str, text: Sequence[str], **common: Any) -> None:
    """Show where rules apply in a TEXT, and which other words they allow there.

    \b
    Example:  fstmetrics grammar try en "I don't like the colour"
    """
    show(*applied(grammar_names, " ".join(text), common))


@grammar_command.command("test", cls=Command, short_help="Check the examples in grammar files.")
@click.argument("grammar_names", metavar="[GRAMMARS]...", nargs=-1)
def run_tests(grammar_names: Sequence[str]) -> int:
    """Check the examples in grammar files. The exit status is 1 if one is wrong.

    \b
    Example:  fstmetrics grammar test my.grammar

    Without GRAMMARS, all grammars of the package are checked.
    """
    lines, wrong = tested(grammar_names)
    show(*lines)
    return 1 if wrong else 0


@grammar_command.command(
    "savings",
    cls=Command,
    usual=("--grammar", "--examples", "--lowercase", "--ref"),
    short_help="How many edits each grammar saves.",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SAVING)
def show_savings(references: str, hypotheses: str, examples: int, form: FormOfTables, **options: Any) -> None:
    """Count the edits without grammars, with each grammar alone, and with all together.

    \b
    Example:  fstmetrics grammar savings ref.txt hyp.txt --grammar en.spelling

    Without --grammar, the grammars of en are used. The column "confirmed" counts the rewrites that are in HYP with
    every word, in items that have fewer edits with the grammar; "only length" those to more or fewer words in items
    with the same edits: they changed nothing but the length of the reference.
    """
    found = savings_from(references, hypotheses, options)
    show_report(found.parts(examples), found.summary, form)
