"""The report: one HTML page of runs on the same items that opens without a network, `write_page`.

`page.html`, `page.css` and the scripts are the page; the data goes into it packed (`packed_pieces`). Words never become
markup: the scripts only ever set text. `shown` has what a page is made of, `compared` what it says of several systems.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from fstmetrics import FstmetricsError, __version__
from fstmetrics.analysis.error_counts import Errors, total
from fstmetrics.analysis.oracle_scores import one_best, one_best_parts
from fstmetrics.analysis.read_records import Record
from fstmetrics.analysis.record_table import RecordTable, parts_of
from fstmetrics.analysis.side_by_side import kinds_of, places
from fstmetrics.apps.pages.compared import comparison_data, item_columns
from fstmetrics.apps.pages.item_fields import ItemField, item_fields, without_folders
from fstmetrics.apps.pages.packed import narrowed, packed_pieces
from fstmetrics.apps.pages.shown import Branch, Drawing, Drawings, Shown, System, statistics_of
from fstmetrics.engine.word_classes import class_text
from fstmetrics.io.formats.records import quotient_of, unit_of
from fstmetrics.metrics.corpus_metric import metric_of
from fstmetrics.reports.alignment import out_of_turn, pieces_of
from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    from fstmetrics.apps.pages.packed import Column

__all__ = ["Branch", "Drawing", "Drawings", "Shown", "System", "page_data", "write_page"]

# The scripts, in their order: what later ones use comes first.
SCRIPTS = ("data.js", "rows.js", "charts.js", "views.js", "compared.js", "item_view.js", "page.js")


def write_page(systems: Mapping[str, System], stream: TextIO, shown: Shown) -> None:
    """Write the page of one system, or of several on the same items.

    Args:
        systems: their runs by their names; all have one vocabulary.
        stream: where the page goes.
        shown: what it shows of them.

    Raises:
        FstmetricsError: they were not scored on the same items, or under different metrics.
    """
    pieces = packed_pieces(*page_data(systems, shown))
    script = f'"use strict";\n(async () => {{\n{"".join(map(_asset, SCRIPTS))}}})();\n'
    page = _asset("page.html")
    # The browser runs this one script, and none that words could bring in.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    for mark, content in (
        ("SCRIPT-HASH", f"sha256-{digest}"),
        ("/*CSS*/", _asset("colours.css", "reports") + _asset("page.css")),
        ("/*JS*/", script),
    ):
        page = page.replace(mark, content)
    before, after = page.split("/*DATA*/")
    stream.write(before.replace("<!--TITLE-->", escape(shown.title, quote=False)))
    for piece in pieces:
        stream.write(piece)
    stream.write(after)


def page_data(systems: Mapping[str, System], shown: Shown) -> tuple[dict[str, Any], dict[str, Column]]:
    """What the scripts of the page read: JSON, and columns of numbers; words are numbers in `vocabulary`.

    Names of columns begin with the system's number (`0.edits`), `errors`, `words` or `field`. Of each system there are
    the counts of each item and the letters of all operations; then, one item after the other, the words of the closest
    paths (of systems after the first only of items where they have another one than the first, as `1.own` says) and
    those of the hypotheses where they differ.
    """
    names = list(systems)
    runs = _same_items(names, list(systems.values()))
    tables = [run.table for run in runs]
    first = tables[0]
    metric = metric_of(first.metric)
    made = statistics_of(first)
    kept = {name: values for name, values in _fields(tables).items() if name != shown.audio_field}
    if not shown.full_paths:
        kept = {name: without_folders(values) for name, values in kept.items()}
    order = [*(name for name in shown.groupings if name in kept), *kept]
    fields = item_fields({name: kept[name] for name in order}, shown.groupings)
    errors = [total(table, max_order=0) for table in tables]
    # Before the columns are made, as it takes most memory.
    more, further, by_length = comparison_data(runs, errors, fields, shown.word_counts, shown.groupings)
    columns: dict[str, Column] = {}
    special = [_special(table, shown.drawings) for table in tables]  # with words of further paths
    with_own: dict[str, Column] = {}
    for number, table in enumerate(tables):
        of_system = _columns(table)
        if number:
            with_own[f"{number}.own"], of_system["closest"] = _other_references(first, table)
        columns |= {f"{number}.{name}": narrowed(column) for name, column in of_system.items()}
    columns |= with_own
    for number, run in enumerate(runs):
        if run.closest is not None:
            columns[f"{number}.reference"] = run.closest
    columns |= _kinds(errors, tables) | item_columns(runs)
    columns |= further
    for i, field in enumerate([*fields, by_length]):
        columns[f"field{i}.groups"] = field.groups
        if field.numbers is not None:
            columns[f"field{i}.numbers"] = field.numbers
    metrics = list(runs[0].scores)
    data: dict[str, Any] = {
        "title": shown.title,
        "version": __version__,
        "metric": first.metric,
        "recognition": bool(made and made.metric.recognition),
        "has_score": made is not None and (first.metric in metrics or not metrics),
        "rate": metric if quotient_of(metric) == "counts" else "",
        "words": f"reference {unit_of(first.metric)}s",
        "names": names,
        "signatures": _signatures(runs),
        "oracle": [bool(found.scores.items) for found in errors],
        "one_best": [found.scores.one_best for found in errors],
        "scores": [_score(table) for table in tables],
        "totals": [{name: int(column.sum()) for name, column in table.counts.items()} for table in tables],
        "ids": iter(first.ids if shown.full_paths else without_folders(first.ids)),
        "vocabulary": list(first.words),
        "fields": [*map(_as_dict, fields), _as_dict(by_length) | {"derived": True}],
        "asked": [f.name for f in fields if f.name in shown.groupings],
        "sounds": shown.sounds.links if shown.sounds else [],
        "sources": list(shown.sources),
        "references": [list(texts) for texts in shown.references],
        "reference_names": list(shown.reference_names),
        "aligned_by": shown.aligned_by,
        "remarks": [*_paths_remark(errors), *_class_remarks(names, errors), *shown.remarks],
        "note": shown.note,
        "speakers": _speakers(first),
        "special": special,
        **_taken(errors),
        **more,
    }
    return data, columns


def _paths_remark(errors: Sequence[Errors]) -> Iterator[str]:
    most = max(found.paths for found in errors)
    if most > 1:
        yield f"Records hold up to {most} best paths an item: scores and tables are of the best one, items show all."


def _class_remarks(names: Sequence[str], errors: Sequence[Errors]) -> Iterator[str]:
    """Errors on words of lists and on all others, of each system that was scored with `--biasing`."""
    for name, found in zip(names, errors, strict=True):
        if found.classes:
            yield f"{name}: {class_text(*found.classes)}" if len(names) > 1 else class_text(*found.classes)


def _as_dict(field: ItemField) -> dict[str, Any]:
    return {"name": field.name, "kind": field.kind, "values": field.values}


def _signatures(runs: Sequence[System]) -> list[list[str]]:
    """By metric, that of every system; of records whose score nobody knows, that of their metric."""
    metrics = list(runs[0].scores)
    if not metrics:
        return [[run.table.signature for run in runs]]
    return [[run.signatures.get(name, "") for run in runs] for name in metrics]


def _speakers(table: RecordTable) -> int:
    """How many speakers there are; 0 where records do not tell that of each item."""
    speakers = set(table.fields.get("speaker", (None,)))
    return 0 if None in speakers else len(speakers)


def _same_items(names: Sequence[str], runs: Sequence[System]) -> list[System]:
    """The runs with their items in the order of the first."""
    first = runs[0].table
    found = [runs[0]]
    for name, run in zip(names[1:], runs[1:], strict=True):
        if first.metric != run.table.metric:
            raise FstmetricsError(
                f"{names[0]} was scored by {first.metric} and {name} by {run.table.metric}; a page compares runs "
                "under one metric"
            )
        place = places(first, run.table, names[0], name)
        found.append(run if (place == np.arange(len(place))).all() else run.chosen(place))
    return found


def _fields(tables: Sequence[RecordTable]) -> dict[str, Sequence[Any]]:
    """Fields of the items; where several systems have one, the first's."""
    found: dict[str, Sequence[Any]] = {}
    for table in tables:
        for name, values in table.fields.items():
            found.setdefault(name, values)
    return found


def _score(table: RecordTable) -> float | None:
    """The score of the whole run; None where records do not tell, or nothing is to be divided by."""
    found = statistics_of(table)
    if found is None or not found.sums.any():
        return None
    return finite(found.score)


def _columns(table: RecordTable) -> dict[str, Column]:
    """A system's own columns."""
    counts = table.counts
    counted = ("substitutions", "insertions", "deletions", "matches")
    found: dict[str, Column] = {name: counts[name] for name in counted}
    found |= {
        "moves": counts["moves"],
        "wildcards": np.diff(table.starts) - sum(found.values()),
        "letters": table.letters,
        "closest": table.closest,
        "others": table.others,
    }
    quotient, numerators = quotient_of(table.metric), table.numerators
    if quotient == "gain":
        found |= {"above": table.gain, "below": table.max_gain}
    elif quotient == "errors" and (numerators != table.errors).any():
        found |= {"above": numerators, "below": counts["path_length"]}
    if quotient != "errors" or "above" in found:
        found["score"] = table.score
    if table.special and any(map(one_best, table.special.values())):
        # nan: there is none; minus one, which no score of an error rate is: infinite.
        best = np.full(len(table), np.nan)
        for item, record in table.special.items():
            if other := one_best(record):
                best[item] = np.inf if other["score"] is None else other["score"]
        found["one_best"] = best
    return found


def _other_references(first: RecordTable, second: RecordTable) -> tuple[Column, Column]:
    """Of every item whether another system has another closest path than the first, and the words of these paths."""
    own, words = zip(*(_own_paths(*pair) for pair in parts_of(first, second)), strict=True)
    return np.concatenate(own), np.concatenate(words)


def _own_paths(first: RecordTable, second: RecordTable) -> tuple[Column, Column]:
    lengths = [table.counts["path_length"] for table in (first, second)]
    own = lengths[0] != lengths[1]
    words = [table.closest for table in (first, second)]
    # Both sides' words of items as long as each other, side by side.
    items = [np.repeat(np.arange(len(own)), length) for length in lengths]
    alike = [side[~own[item]] for side, item in zip(words, items, strict=True)]
    own[items[0][~own[items[0]]][alike[0] != alike[1]]] = True
    return own.astype(np.uint8), words[1][own[items[1]]]


def _kinds(errors: Sequence[Errors], tables: Sequence[RecordTable]) -> dict[str, Column]:
    """Kinds of errors: words from 1, where 0 is none; how often in each system, and of how many occurrences."""
    reference, hypothesis, often = kinds_of(tables)
    found = {"errors.reference": narrowed(reference + 1), "errors.hypothesis": narrowed(hypothesis + 1)}
    for number, (counts, sums) in enumerate(zip(often, errors, strict=True)):
        found[f"errors.count{number}"] = narrowed(counts)
        found[f"errors.of{number}"] = narrowed(
            np.where(reference < 0, sums.hypotheses[hypothesis], sums.references[reference])
        )
    return found


def _special(table: RecordTable, drawings: Drawings | None) -> dict[str, Any]:
    """What single items have beside counts and words, by their number."""
    found = {str(i): more for i, record in table.special.items() if (more := _more(record, table))}
    if drawings:
        for i, id in enumerate(table.ids):
            drawing = drawings(id, *table.sides(i))
            found.setdefault(str(i), {})["drawing"] = [
                [list(branch) for branch in drawing.branches],
                drawing.of_hypothesis,
                drawing.why,
            ]
    return found


def _more(record: Record, table: RecordTable) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if record.aligned.positions:
        found["given"] = [-1 if at is None else at for at in record.aligned.positions]
    if moved := _moved(record):
        found["moved"] = moved
    if cards := record.fields.get("cards"):
        found["cards"] = cards
    if one_best_pieces := _one_best_pieces(record):
        found["pieces"] = one_best_pieces
    if record.nbest:
        found["paths"] = [
            {
                "score": path.score,
                "edits": path.edits,
                "moves": path.moves,
                "length": path.path_length,
                "letters": path.aligned.operations,
                "hypothesis": table.words.numbers(path.aligned.hypothesis).tolist(),
                "reference": table.words.numbers(path.aligned.reference).tolist(),
                **_more(path, table),
            }
            for path in record.nbest
        ]
    return found


def _one_best_pieces(record: Record) -> list[list[str]]:
    """The words of the decoder's own choice: stretches that the oracle has, too, and what either has behind each."""
    best, parts = one_best(record), one_best_parts(record)
    if best is None or parts is None:
        return []
    space = "" if unit_of(record.metric) == "character" else " "
    return [
        [space.join(words) for words in (same, part.one_best if part else (), part.oracle if part else ())]
        for same, part in pieces_of(best["hypothesis"], parts)
    ]


def _moved(record: Record) -> str:
    """For each operation `<` where a move is paid for, `-` where a word is out of turn with it; "" without moves."""
    if not record.moves:
        return ""
    marks = zip(record.alignment, out_of_turn(record.alignment), strict=True)
    return "".join("<" if pair.moves else "-" if moved else " " for pair, moved in marks)


def _taken(errors: Sequence[Errors]) -> dict[str, list[list[Any]]]:
    """What the closest paths took, and what was moved: names, and how often in each system."""
    found = {}
    for name in ("alternatives", "cards", "rules", "moved"):
        counters: list[Counter[Any]] = [getattr(sums, name) for sums in errors]
        keys = sum(counters, Counter[Any]())
        found[name] = [
            [*(key if isinstance(key, tuple) else (key,)), *(counter[key] for counter in counters)]
            for key, _ in keys.most_common()
        ]
    return found


def _asset(name: str, room: str = "apps.pages") -> str:
    return (files(f"fstmetrics.{room}") / name).read_text(encoding="utf-8")
