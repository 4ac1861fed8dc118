"""The command `errors`, and `errors_files`, the same as a call: errors of records, or of files scored first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from tempfile import TemporaryDirectory
from typing import Any

import click

from fstmetrics.analysis.error_counts import Errors, added_up
from fstmetrics.analysis.insertion_runs import LONG, InsertionRuns, insertion_runs
from fstmetrics.analysis.record_table import Vocabulary, read_parts, read_table
from fstmetrics.analysis.side_by_side import Beside, beside, unlike_remark
from fstmetrics.analysis.terms import (
    ListedTerms,
    TermCounts,
    listed_terms,
    normalised_terms,
    read_terms,
    refuse_lists_of_items,
    span_counts,
    spans_of,
    term_counts,
)
from fstmetrics.cli.click_options import FormOfTables, command, options_of, options_of_line
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    PERCENT,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.commands.scored_records import (
    SCORED,
    SIMILAR,
    most_similar,
    records_or_sides,
    scored_first,
    scoring_of,
    word_of_texts,
)
from fstmetrics.io.reading import check_paths
from fstmetrics.io.word_lists import read_word_lists
from fstmetrics.reports.error_tables import (
    NAMES,
    Rows,
    beside_parts,
    error_parts,
    errors_dict,
    listed_term_parts,
    run_parts,
    term_parts,
)
from fstmetrics.reports.summary import Part, Printed, shortened, text_lines
from fstmetrics.significance.system_outputs import names_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import FLAG, PATH, ROWS, TEXT, Option, dashed, one_of, whole
from fstmetrics.support.printable import in_percent
from fstmetrics.support.progress import listener
from fstmetrics.support.source import named_path
from fstmetrics.text.normalisation import Normalisation

COUNTING: Options = under(
    "Errors",
    against=Option(
        PATH,
        "Records, or the HYP, of a second system: show what only one of the two gets right. NAME=FILE names a system, "
        "here and before it.",
        metavar="FILE",
    ),
    terms=Option(
        PATH, "Terms, one a line, of one word or several: show recall, precision and error rate of each. COLUMN=FILE "
        "has a list for each item, of terms that are required or forbidden: show whether hypotheses have them.",
        metavar="FILE",
    ),
    spans=Option(
        PATH,
        "fstalign's NLP file of the references, or a folder with one for each id: show the error rate by tag.",
        metavar="NLP",
    ),
    loops=Option(
        FLAG,
        "Loops (an n-gram of up to 10 words, at least 3 times in a row) and long runs of insertions: where they are, "
        "their share of all insertions, and the error rate with each as one error.",
    ),
    longer_than=Option(
        whole(0, 2**31 - 1), f"With --loops: runs of more than K insertions. Default: {LONG}.", metavar="K"
    ),
    prefer_similar=SIMILAR,
    op=Option(one_of(*NAMES), "Only substitutions, insertions or deletions."),
    word=Option(TEXT, "Only errors with this word.", metavar="WORD"),
    min_count=Option(whole(1, 2**31 - 1), "Only what happens at least N times.", 1),
    top=Option(ROWS, "Rows per table; 0 is all.", 20, printed=True),
)  # fmt: skip
COUNTED: Options = {**COUNTING, **FORMS_PRINTED, **PERCENT, **SCORED}


@dataclass(frozen=True)
class FilesErrors(Printed):
    """What goes wrong in the records of a run, or of two.

    Attributes:
        found: the counts: of one run; of two beside each other; of terms or tagged spans; loops and long runs.
        remarks: of references and hypotheses, what was guessed about them, and what is odd.
    """

    found: Errors | Beside | TermCounts | ListedTerms | InsertionRuns
    _summary: Callable[[Rows], dict[str, Any]]
    _parts: Callable[[int | None], Iterator[Part]]
    remarks: tuple[str, ...] = ()

    def summary(self, rows: Rows = list) -> dict[str, Any]:
        """What the command prints with `--json`.

        Args:
            rows: makes a table that may be long of its rows; `iter`: they are made as they are asked for.
        """
        return self._summary(rows) | ({"remarks": list(self.remarks)} if self.remarks else {})

    def parts(self, top: int | None = 20) -> list[Part]:
        """What the command prints, of tables with so many rows; None: all."""
        return [*self._parts(top), *shortened(self.remarks)]

    def lines(self, top: int | None = 20) -> list[str]:
        """The same as text."""
        return list(text_lines(self.parts(top)))


@sides_by_name
def errors_files(
    records: PathLike | None = None,
    *,
    references: PathLike | None = None,
    hypotheses: PathLike | None = None,
    **options: Any,
) -> FilesErrors:
    """Count the errors of records, or of `hypotheses=` against `references=`, as `fstmetrics errors` does.

    Args:
        records: what `score`, `oracle` or `hyter` writes with `alignment` and `output`.
        references, hypotheses: files in place of records; they are scored first.
        options: those of the command, with `_` for `-`, as of `score_files`: `against="b.jsonl"`,
            `terms="terms.txt"`, `op="S"`, `min_count=2`; of references and hypotheses also `metric="sclite"`,
            `lowercase=True`, `resegment=True` and the like. Rows of a table are asked for by `lines`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> (ref, _), (hyp, _) = [(folder / t, (folder / t).write_text(t)) for t in ("the cat", "a cat")]
    >>> fm.errors_files(references=ref, hypotheses=hyp).summary()["errors"][0]["hypothesis"]
    'a'
    """
    found = fields_of_options("errors_files", COUNTED, options)
    sides = records_or_sides("errors_files", records, references, hypotheses)
    return errors_from(*sides, found, given_options(COUNTED, options))


def errors_from(
    records: str, hypotheses: str | None, options: dict[str, Any], given: Sequence[str]
) -> FilesErrors:
    """The errors by the options of `COUNTED`, of which some are `given`; as of `errors_files`."""
    scoring = scoring_of(options, hypotheses, given)
    against, terms = options["against"], options["terms"]
    named = [named_path(each)[1] for each in (records, hypotheses, against) if each is not None]
    check_paths([*named, None if terms is None else named_path(terms)[1], options["spans"]])
    with TemporaryDirectory() as folder:
        remarks: list[str] = []
        normalisation = None
        if scoring is not None:
            both = (hypotheses or records, against)
            first, second = (
                (records, named_path(hypotheses)[1]) if hypotheses else (named_path(records)[1], None)
            )
            others = [named_path(against)[1]] if against else []
            paths, remarks, normalisation = scored_first(first, [second, *others], scoring, folder)
            records = paths[0]
            if against:
                names = _names(both)
                records, options["against"] = (f"{n}={path}" for n, path in zip(names, paths, strict=True))
        if options["prefer_similar"]:
            if against:
                both = (records, options["against"])
                paths = [
                    most_similar(named_path(each)[1], f"{folder}/similar{n}") for n, each in enumerate(both)
                ]
                records, options["against"] = (f"{n}={p}" for n, p in zip(_names(both), paths, strict=True))
            else:
                records = most_similar(records, f"{folder}/similar")
        found = _errors(records, options, normalisation)
        return replace(found, remarks=(*remarks, *_unlike_terms(found.found, scoring is None)))


def _errors(records: str, options: dict[str, Any], normalisation: Normalisation | None) -> FilesErrors:
    """The errors of records; terms, and a word, are normalised as their words were, where that is known."""
    against, terms, spans = (options[name] for name in ("against", "terms", "spans"))
    only = options["op"], word_of_texts(options["word"], normalisation), options["min_count"]
    is_filtered = only[0] or only[1] or only[2] > 1
    most = options["longer_than"]
    if options["loops"]:
        if is_filtered or against or terms is not None or spans is not None:
            raise FstmetricsError("--loops stands alone, but for --longer-than, --top and the form of output")
        with listener.get().stages(f"reading {records}"):
            runs = insertion_runs(read_table(records), LONG if most is None else most)
        return FilesErrors(runs, lambda _: runs.as_dict(), partial(run_parts, runs))
    if most is not None:
        raise FstmetricsError("--longer-than is for --loops; give that, too")
    if terms is not None or spans is not None:
        if is_filtered or against or (terms and spans):
            raise FstmetricsError("--terms and --spans stand alone, but for --top and the form of output")
        with listener.get().stages(f"reading {records}"):
            if terms is not None and named_path(terms)[0] is not None:
                table = read_table(records)
                lists = read_word_lists(terms, option="--terms")
                by_item = listed_terms(table, lists.by_id or {}, lists.path, normalisation)
                about = {"items": len(table), **by_item.as_dict(), "signature": table.signature}
                return FilesErrors(
                    by_item,
                    lambda _: about.copy(),
                    lambda limit: chain(listed_term_parts(by_item, limit), [table.signature]),
                )
            if terms is not None:
                written = read_terms(terms)
                parts = refuse_lists_of_items(written, read_parts(records), terms)
                wanted = normalised_terms(written, normalisation, terms)
                (listed, items, signature), title = term_counts(parts, wanted), "term"
            else:
                table = read_table(records)
                listed, items, signature = (
                    span_counts(table, spans_of(table, spans)),
                    len(table),
                    table.signature,
                )
                title = "label"
        return FilesErrors(
            listed,
            lambda rows: {"items": items, **listed.as_dict(rows), "signature": signature},
            lambda limit: chain(term_parts(listed, title, limit), [signature]),
        )
    if against is not None:
        if is_filtered:
            raise FstmetricsError(
                "--against adds up all errors: --op, --word and --min-count are for one system"
            )
        given = (records, against)
        with listener.get().stages("reading"):
            words = Vocabulary()
            one, two = (read_table(named_path(each)[1], words) for each in given)
            both = beside(one, two)
        systems = dict(zip(_names(given), (one, two), strict=True))
        remark = unlike_remark(systems)
        about = {"remarks": [remark]} if remark else {}
        return FilesErrors(both, lambda _: asdict(both) | about, partial(beside_parts, both, systems))
    with listener.get().stages(f"reading {records}"):
        found = added_up(read_parts(records))
    return FilesErrors(found, partial(errors_dict, found, *only), partial(error_parts, found, *only))


def _unlike_terms(found: Any, of_records: bool) -> Iterator[str]:
    """What is said of terms that are not counted, since words differ in case or punctuation."""
    if isinstance(found, TermCounts | ListedTerms) and found.unlike:
        options = " ".join(map(dashed, found.unlike.rules))
        yield found.unlike.remark(f"score with {options} and --alignment" if of_records else options)


def _names(given: tuple[str, str]) -> Sequence[str]:
    """The names of two systems; `first` and `second` where the files have the same."""
    try:
        return names_of(given)
    except FstmetricsError:
        return "first", "second"


@command(
    usual=("--against", "--terms", "--loops", "--top", "--lowercase", "--json"),
    several="of two systems: fstmetrics errors REF HYP --against HYP, or of records",
)
@click.argument("records", metavar="REF|RECORDS")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(COUNTED)
def errors_command(
    records: str, hypotheses: str | None, top: int, form: FormOfTables, percent: bool, **options: Any
) -> None:
    """Count the errors of a run: which words go wrong most.

    \b
    Example:  fstmetrics errors ref.txt hyp.txt
              fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics errors records.jsonl

    REF and HYP are scored first, by the fewest word edits or another --metric. RECORDS: what `score`, `oracle` or
    `hyter` writes with --alignment --output RECORDS. The tables show substitutions,
    insertions and deletions with counts and rates, errors by position and by sentence length, missing n-grams, and
    which alternatives, cards and rules the closest paths use.
    """
    found = errors_from(records, hypotheses, options, options_of_line())
    if percent:
        click.get_current_context().with_resource(in_percent())
    parts = () if form == "json" else found.parts(top or None)
    show_report(parts, partial(found.summary, iter if form == "json" else list), form)
