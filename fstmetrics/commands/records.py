"""`errors_files`, `show_files` and `verify_files`: what the commands of these names do with records."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from fstmetrics.analysis.error_counts import Errors, added_up
from fstmetrics.analysis.insertion_runs import LONG, InsertionRuns, insertion_runs
from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.analysis.record_table import Vocabulary, read_parts, read_table
from fstmetrics.analysis.side_by_side import Beside, beside, unlike_remark
from fstmetrics.analysis.similar_pairs import similar_records
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
from fstmetrics.commands.option_tables import (
    FORMS_PRINTED,
    GRAMMAR,
    INPUT,
    PERCENT,
    RESEGMENT,
    SCORING,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    of_metrics,
    path_of,
    sides_by_name,
    under,
    with_metrics,
)
from fstmetrics.commands.score import score_from
from fstmetrics.io.folders import project_reader
from fstmetrics.io.reading import check_paths
from fstmetrics.io.record_schema import aligns_itself
from fstmetrics.io.word_lists import read_word_lists
from fstmetrics.metrics.given_scores import higher_is_better
from fstmetrics.metrics.registry import METRIC, PathName
from fstmetrics.openfst.independent_proof import by_id, check, read
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
from fstmetrics.reports.item_texts import record_score
from fstmetrics.reports.remarks import shortened
from fstmetrics.reports.summary import Part, Table, text_lines
from fstmetrics.scoring.score import Score
from fstmetrics.significance.system_outputs import names_of
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import read_bytes
from fstmetrics.support.names import nearest
from fstmetrics.support.options import (
    FLAG,
    PATH,
    ROWS,
    TEXT,
    Option,
    dashed,
    many,
    one_of,
    whole,
    written_file,
)
from fstmetrics.support.printable import counted, printable
from fstmetrics.support.progress import listener, ticks
from fstmetrics.support.source import file_name, named_path
from fstmetrics.text.normalisation import Normalisation

# What files are scored by, where they are no records.
SCORED: Options = {
    "metric": SCORING["metric"]._replace(
        kind=METRIC, help="The metric whose best paths are counted: wer, sclite, hyter, ...", default=None
    ),
    **of_metrics(*get_args(PathName)),
    **INPUT,
    **RESEGMENT,
    **WORDS,
    **GRAMMAR,
}
# Of an alignment, where several are equally cheap.
SIMILAR = Option(
    FLAG,
    "Of equally cheap alignments, take the one whose substituted words are spelled most alike. Counts stay the same "
    "(docs/errors.md).",
)
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
SHOWING: Options = under(
    "Items",
    id=Option(many(TEXT), "Only this item. Repeatable.", metavar="ID"),
    word=Option(TEXT, "Only items with an error on this word.", metavar="WORD"),
    op=Option(
        one_of("S", "I", "D"), "Only items with a substitution, insertion or deletion (of --word, if given)."
    ),
    prefer_similar=SIMILAR,
    sort=Option(
        one_of("file", "worst"),
        "worst: the highest error rate, or the lowest recognition rate, first.", "worst",
    ),
    limit=Option(ROWS, "Items to show; 0 is all.", 10),
    style=Option(
        one_of("text", "csv", "jsonl"),
        "Rows of words per item (text), one line per operation (csv), or the records as they are (jsonl).", "text",
        printed=True,
    ),
    output=Option(
        written_file(), "Write to FILE instead of standard output.", metavar="FILE", printed=True
    ),
)  # fmt: skip
COUNTED: Options = {**COUNTING, **FORMS_PRINTED, **PERCENT, **SCORED}
SHOWN: Options = {**SHOWING, **SCORED}
VERIFYING: Options = under(
    "",
    max_states=Option(
        whole(1, 10**9),
        "States that the proof of an item may take, and arcs that a side may have.",
        1_000_000,
    ),
)
VERIFIED: Options = {**VERIFYING, **FORMS_PRINTED}
# Ids that an error names.
NEAR = 3


@dataclass(frozen=True)
class FilesErrors:
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
    paths = _records_or_sides("errors_files", records, references, hypotheses)
    return errors_from(paths[0], paths[1] if len(paths) > 1 else None, found, given_options(COUNTED, options))


def errors_from(
    records: str, hypotheses: str | None, options: dict[str, Any], given: Sequence[str]
) -> FilesErrors:
    """The errors by the options of `COUNTED`, of which some are `given`; as of `errors_files`."""
    scoring = _scoring(options, hypotheses, given)
    against, terms = options["against"], options["terms"]
    named = [named_path(each)[1] for each in (records, hypotheses, against) if each is not None]
    check_paths([*named, None if terms is None else named_path(terms)[1], options["spans"]])
    with TemporaryDirectory() as folder:
        remarks: list[str] = []
        normalisation = None
        if hypotheses is not None:
            systems = (hypotheses, against) if against else (hypotheses,)
            paths, remarks, normalisation = _scored(
                records, [named_path(each)[1] for each in systems], scoring, folder
            )
            records = paths[0]
            if against:
                names = _names((hypotheses, against))
                records, options["against"] = (f"{n}={path}" for n, path in zip(names, paths, strict=True))
        if options["prefer_similar"]:
            if against:
                both = (records, options["against"])
                paths = [_similar(named_path(each)[1], f"{folder}/similar{n}") for n, each in enumerate(both)]
                records, options["against"] = (f"{n}={p}" for n, p in zip(_names(both), paths, strict=True))
            else:
                records = _similar(records, f"{folder}/similar")
        return replace(_errors(records, options, normalisation), remarks=tuple(remarks))


def _scoring(options: dict[str, Any], hypotheses: str | None, given: Sequence[str]) -> dict[str, Any]:
    """The options of `SCORED`, taken out; records are scored already, so that there may be none beside them.

    Raises:
        FstmetricsError: there is one beside records.
    """
    if hypotheses is None and (beside := [name for name in given if name in with_metrics(SCORED)]):
        raise FstmetricsError(
            f"{dashed(beside[0])} is for REF and HYP, and records are scored already: give it to fstmetrics score"
        )
    return {option.field: options.pop(option.field) for option in SCORED.values()}


def _records_or_sides(
    function: str, records: PathLike | None, references: PathLike | None, hypotheses: PathLike | None
) -> list[str]:
    """The path of records; or those of references and hypotheses.

    Raises:
        FstmetricsError: neither, or more than one of them; or no path.
    """
    sides = (references, hypotheses)
    if (records is None) == (sides == (None, None)) or (records is None and None in sides):
        raise FstmetricsError(f"{function}() takes records, or references= and hypotheses=")
    return [path_of(function, each) for each in (records, *sides) if each is not None]


def _scored(
    references: str, hypotheses: Iterable[str], scoring: Mapping[str, Any], folder: str
) -> tuple[list[str], list[str], Normalisation | None]:
    """The records of hypotheses, written into a folder, the remarks on them, and what was done to words.

    Raises:
        FstmetricsError: as of `score_files`; or a metric without alignments.
    """
    asked = {**fields_of_options("score_files", SCORING, {}), **scoring}
    asked["metric_name"] = scoring["metric_name"] or "wer"
    paths: list[str] = []
    remarks: list[str] = []
    for number, hypothesis in enumerate(hypotheses):
        paths.append(f"{folder}/{number}.jsonl")
        found = score_from(references, hypothesis, {**asked, "alignment": True, "output": paths[-1]})
        assert isinstance(found, Score)
        if found.settings["formats"].get(references) == "records":
            raise InputError(
                "is records of a run, and references are expected beside HYP; of two runs: fstmetrics errors RECORDS "
                "--against RECORDS",
                references,
            )
        assert found.corpus is not None  # which a part of the items would not have
        normalisation = found.corpus.normalisation
        remarks += found.remarks
    return paths, list(dict.fromkeys(remarks)), normalisation


def _similar(records: str, path: str) -> str:
    """The path of a new file that has records with alignments which prefer words that are spelled alike."""
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as stream:
        stream.writelines(similar_records(records))
    return path


def _errors(records: str, options: dict[str, Any], normalisation: Normalisation | None) -> FilesErrors:
    """The errors of records; terms are normalised as their words were, where that is known."""
    against, terms, spans = (options[name] for name in ("against", "terms", "spans"))
    only = options["op"], options["word"], options["min_count"]
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
                    by_item, lambda _: about.copy(), partial(_listed, by_item, table.signature)
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
            partial(_with_signature, listed, title, signature),
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


def _listed(found: ListedTerms, signature: str, limit: int | None) -> Iterator[Part]:
    yield from listed_term_parts(found, limit)
    yield signature


def _with_signature(listed: TermCounts, title: str, signature: str, limit: int | None) -> Iterator[Part]:
    yield from term_parts(listed, title, limit)
    yield signature


def _names(given: tuple[str, str]) -> Sequence[str]:
    """The names of two systems; `first` and `second` where the files have the same."""
    try:
        return names_of(given)
    except FstmetricsError:
        return "first", "second"


@sides_by_name
def show_files(
    records: PathLike | None = None,
    *,
    references: PathLike | None = None,
    hypotheses: PathLike | None = None,
    **options: Any,
) -> list[Record]:
    """Records, or those of `hypotheses=` against `references=`, the worst first, as `fstmetrics show` chooses them.

    Args:
        records: what `score`, `oracle` or `hyter` writes with `alignment` and `output`.
        references, hypotheses: files in place of records; they are scored first.
        options: those of the command that choose: `id=["u1", "u2"]`, `word="cat"`, `op="S"`, `sort="file"`,
            `limit=0` for all; of references and hypotheses also those that score, as of `errors_files`.

    Returns:
        The records: their `fields`, their `alignment`, and with `nbest` those of every path.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    found = fields_of_options("show_files", SHOWN, options)
    paths = _records_or_sides("show_files", records, references, hypotheses)
    second = paths[1] if len(paths) > 1 else None
    return list(show_from(paths[0], second, found, given_options(SHOWN, options)))


def show_from(
    records: str, hypotheses: str | None, options: dict[str, Any], given: Sequence[str]
) -> Iterable[Record]:
    """The records by the options of `SHOWN`, of which some are `given`; as of `show_files`."""
    scoring = _scoring(options, hypotheses, given)
    if hypotheses is None and not options["prefer_similar"]:
        return _chosen(records, options)
    with TemporaryDirectory() as folder:
        path = records
        if hypotheses is not None:
            (path,), _, _ = _scored(records, [hypotheses], scoring, folder)
        if options["prefer_similar"]:
            path = _similar(path, f"{folder}/similar.jsonl")
        return list(_chosen(path, options))


def _chosen(records: str, options: dict[str, Any]) -> Iterable[Record]:
    ids, op, word = options["id"], options["op"], options["word"]
    some = _named(records, ids) if ids else read_records(records)
    chosen, limit = (record for record in some if _has(record, op, word)), options["limit"] or None
    if options["sort"] == "file":
        return islice(chosen, limit)
    return sorted(chosen, key=_badness) if limit is None else nsmallest(limit, chosen, key=_badness)


def _named(path: str, ids: Sequence[str]) -> list[Record]:
    """The records of these ids.

    Raises:
        FstmetricsError: there is none of an id; ids that look like it are named.
    """
    known, found = [], []
    for record in read_records(path):
        known.append(record.id)
        if record.id in ids:
            found.append(record)
    if unknown := [id for id in ids if id not in known]:
        near = nearest(unknown[0], known)[:NEAR] or known[:NEAR]
        some = ", ".join(map(repr, unknown[:NEAR]))
        more = f" and {len(unknown) - NEAR} more" if len(unknown) > NEAR else ""
        raise FstmetricsError(
            f"{path} has no {'item' if len(unknown) == 1 else 'items'} {some}{more}; it has {', '.join(near)}"
        )
    return found


def _has(record: Record, op: str | None, word: str | None) -> bool:
    """Whether a record has an error as asked for."""
    if op is None and word is None:
        return True
    return any(
        p.op in "SID" and op in (None, p.op) and word in (None, p.hypothesis, p.reference)
        for p in record.alignment
    )


def _badness(record: Record) -> tuple[float, int]:
    """Smaller is worse; among equals, more errors."""
    score = record_score(record.fields)
    is_rate = record.fields["gain"] is None
    if not aligns_itself(record.metric):
        is_rate = not higher_is_better(record.metric)
    return (-score if is_rate else score), -(record.edits + record.moves)


# What an input or a record that is not as it should be may raise.
WRONG = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
# What is summed of records that are verified.
SUMMED = ("edits", "moves", "path_length")
# Endings of what is read, text among it.
ENDINGS = frozenset({"", ".txt", ".text", ".slf", ".fst", ".att", ".json", ".cards", ".hyp", ".ref"})
AS_TEXT = "fstmetrics convert IN OUT.txt --to kaldi-text"
READS = (
    f"it reads text, and .slf, .fst.txt, .att, .json and .cards; {AS_TEXT} makes text, and convert IN FOLDER/ --to att "
    "--lossy a folder of lattices (docs/verify.md)"
)


@dataclass(frozen=True)
class Verified:
    """What was proved of records.

    Attributes:
        records: how many there are.
        proved: how many are proved.
        faults: why others are not, a line each.
        remarks: the sums of those that are, and how many items have no record.
        sums: edits, moves and reference words of those that are proved, by their names in records.
    """

    records: int
    proved: int
    faults: Sequence[str]
    remarks: Sequence[str]
    sums: Mapping[str, int] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        counts = {"records": self.records, "proved": self.proved, **self.sums}
        return counts | {"faults": [{"fault": fault} for fault in self.faults], "remarks": list(self.remarks)}

    def parts(self) -> list[Part]:
        """What the command prints as tables: the sums, and why records are not proved."""
        sums = [(name.replace("_", " "), str(count)) for name, count in self.sums.items()]
        head, row = zip(("records", str(self.records)), ("proved", str(self.proved)), *sums, strict=True)
        faults = Table([("not proved",), *((fault,) for fault in self.faults)])
        return [Table([head, row], 0), *([faults] if self.faults else []), *self.remarks[1:]]


@sides_by_name
def verify_files(
    records: PathLike, *, references: PathLike, hypotheses: PathLike, **options: Any
) -> Verified:
    """Prove records of `hypotheses=` and `references=` without the engine, as `fstmetrics verify` does.

    Args:
        records: what `score`, `oracle` or `hyter` writes with `alignment` and `output`.
        references, hypotheses: the files that were scored.
        options: `max_states`: states that the proof of an item may take, and arcs that a side may have.

    Raises:
        TypeError: an option that there is not.
        FstmetricsError: a file that cannot be read.
    """
    found = fields_of_options("verify_files", VERIFYING, options)
    paths = [path_of("verify_files", each) for each in (records, references, hypotheses)]
    return verify_from(paths[0], paths[1], paths[2], found["max_states"])


def verify_from(
    records: str, reference: str, hypothesis: str, max_states: int, tell: Callable[[str], object] = str
) -> Verified:
    """The proofs; as of `verify_files`. `tell` hears of a fault when it is found."""
    check_paths((records, reference, hypothesis))
    claims = _claims(records)
    hyp, ref = _side(hypothesis), _side(reference)
    lines: dict[Any, int] = {}
    sums, proved, faults = dict.fromkeys(SUMMED, 0), 0, []
    for number, record in enumerate(ticks(claims, "proving", len(claims))):
        try:
            id = record["id"]
            if id is not None and lines.setdefault(id, number) != number:
                raise FstmetricsError(f"line {lines[id] + 1} has its id, too")
            if "alignment" not in record:
                raise FstmetricsError("it has no alignment; write the records with --alignment")
            check(record, number, hyp, ref, max_states)
            sums = {name: sums[name] + record[name] for name in SUMMED}
            proved += 1
        except WRONG as error:
            faults.append(f"{records}:{number + 1}: not proved: {_id_of(record)}{_said(error)}")
            tell(faults[-1])
    remarks = [
        f"{proved} of {counted(len(claims), 'record')} proved: {counted(sums['edits'], 'edit')}, "
        f"{counted(sums['moves'], 'move')}, {counted(sums['path_length'], 'reference word')}"
    ]
    if (more := len(ref[0]) - len(claims)) > 0:
        remarks.append(f"{reference} has {counted(more, 'item')} without a record")
    return Verified(len(claims), proved, faults, remarks, sums)


def _claims(path: str) -> list[Any]:
    """The records of a file."""
    claims = []
    text = read_bytes(path).decode("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            claims.append(json.loads(line))
        except WRONG as error:
            raise InputError(f"expected a record, a JSON object a line: {error}", path, number) from None
    return claims


def _side(path: str) -> tuple[list[Any], dict[str, Any]]:
    """The items of a file, or of the files of a folder in the order of their names, `lat.2` before `lat.10`."""
    if path == "-":
        with TemporaryDirectory() as folder:
            kept = Path(folder) / "-"
            kept.write_bytes(read_bytes("-"))
            return _items(kept)
    return _items(Path(path))


def _items(place: Path) -> tuple[list[Any], dict[str, Any]]:
    if place.is_dir() and project_reader(str(place)):
        raise InputError(
            f"is a project of annotate; fstmetrics annotate {place} --export FOLDER --combine spu writes its networks, "
            "which verify reads",
            place,
        )
    files = [file for file in place.iterdir() if file.name[0] != "."] if place.is_dir() else [place]
    items: list[Any] = []
    for file in sorted(files, key=lambda file: [each.zfill(20) for each in re.split(r"(\d+)", file.name)]):
        ending = Path(file_name(file)).suffix
        if ending not in ENDINGS and ending[1:2].isalpha():
            raise InputError(f"verify does not read {ending} files; {READS}", file)
        try:
            items += read(file)
        except UnicodeDecodeError:
            raise InputError(f"is no text (UTF-8); {READS}", file) from None
        except (*WRONG, EOFError, OSError, zlib.error) as error:
            raise InputError(f"cannot be read: {_said(error)}", file) from None
        if place.is_dir() and items[-1][0] is None:
            raise InputError(
                "is text in a folder; expected .slf, .fst.txt, .att, .json or .cards, or one file of text, which "
                f"{AS_TEXT} makes of a folder",
                file,
            )
    return items, by_id(items)


def _id_of(record: Any) -> str:
    id = record.get("id") if isinstance(record, dict) else None
    return f"{printable(str(id))}: " if id is not None else ""


def _said(error: BaseException) -> str:
    """An error in words; one of a dictionary or list has only what was looked for."""
    if isinstance(error, LookupError):
        return f"it lacks {error}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if type(error) in (ValueError, FstmetricsError) else f"it is damaged: {error}"
