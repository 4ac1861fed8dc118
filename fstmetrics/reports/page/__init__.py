"""The report: one HTML page that opens without a network, `write_page`.

`page.html`, `page.css` and `page.js` are the page; the data goes into it as one block of JSON. Words never become
markup: the script only ever sets text.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TextIO

from fstmetrics.analysis.error_counts import Errors
from fstmetrics.analysis.oracle_scores import one_best
from fstmetrics.analysis.read_records import Record
from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.record_lines import ERROR_RATES, RECOGNITION_RATES, unit_of
from fstmetrics.reports.alignment import out_of_turn
from fstmetrics.support.json_text import written_json
from fstmetrics.support.version import __version__

# What is added up over all items.
TOTALS = (
    "substitutions", "insertions", "deletions", "matches", "moves", "path_length", "gain", "max_gain"
)  # fmt: skip
# A branch beside a path: the positions on the path between which it lies, and its words.
Branch = tuple[int, int, str]


@dataclass(frozen=True)
class Drawing:
    """What is drawn of an item.

    Attributes:
        branches: what lies beside the path.
        of_hypothesis: whether the path is the hypothesis, not the closest path.
        why: what is said where there is no branch.
    """

    branches: Sequence[Branch] = ()
    of_hypothesis: bool = False
    why: str = ""


def write_page(
    records: Iterable[Record],
    stream: TextIO,
    title: str,
    drawings: Callable[[Record], Drawing] | None = None,
) -> None:
    """Write the page of these records.

    Args:
        records: the items.
        stream: where the page goes.
        title: its title.
        drawings: of an item; None: there are none.
    """
    data = written_json(page_data(records, title, drawings), compact=True)
    # Nothing in a script block of HTML may look like a tag, whatever the words are.
    safe = data.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    page, style, script = map(_asset, ("page.html", "page.css", "page.js"))
    # The browser runs this one script, and none that words could bring in.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    for mark, content in (("SCRIPT-HASH", f"sha256-{digest}"), ("/*CSS*/", style), ("/*JS*/", script)):
        page = page.replace(mark, content)
    before, after = page.split("/*DATA*/")
    stream.write(before.replace("<!--TITLE-->", _text(title)))
    stream.write(safe.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
    stream.write(after)


def page_data(
    records: Iterable[Record], title: str, drawings: Callable[[Record], Drawing] | None = None
) -> dict[str, Any]:
    """What the script of the page reads; words stand once, in `vocabulary`, and elsewhere as their numbers."""
    errors = Errors()
    numbers: dict[str, int] = {}
    items = []
    metric = ""
    recognition = False
    totals = [0, 0, 0, 0, 0, 0, 0, 0]
    for record in records:
        errors.take(record)
        metric = record.metric
        recognition = record.fields["gain"] is not None
        totals = [a + (record.fields[name] or 0) for a, name in zip(totals, TOTALS, strict=True)]
        items.append(_item(record, numbers, drawings(record) if drawings else Drawing()))
    return {
        "title": title,
        "version": __version__,
        "signature": errors.signature,
        "metric": metric,
        "recognition": recognition,
        "has_score": metric_of(metric) in ERROR_RATES | RECOGNITION_RATES,
        "words": f"reference {unit_of(metric)}s",
        "totals": totals,
        "oracle": bool(errors.scores.items),
        "one_best": errors.scores.one_best,
        "items": items,
        "vocabulary": list(numbers),
        "errors": [[r.op, r.reference, r.hypothesis, r.count, r.of] for r in errors.rows()],
        "alternatives": [[*key, count] for key, count in errors.alternatives.most_common()],
        "cards": [[*key, count] for key, count in errors.cards.most_common()],
        "rules": [[rule, count] for rule, count in errors.rules.most_common()],
        "moved": [[*key, count] for key, count in errors.moved.most_common()],
    }


def _item(record: Record, numbers: dict[str, int], drawing: Drawing) -> list[Any]:
    """Id, score, edits, moves, reference words, operations, word numbers of both sides (-1 is none), branches,
    moved words, cards, whether the branches are the hypothesis's, why there are none, the 1-best's score beside an
    oracle's (null is infinite, false none), positions of the words of a reordered hypothesis as it was given, and the
    k best paths, as items."""

    def number(word: str | None) -> int:
        return -1 if word is None else numbers.setdefault(word, len(numbers))

    aligned = record.aligned
    return [
        record.id,
        record.score,
        record.edits,
        record.moves,
        record.path_length,
        aligned.operations,
        list(map(number, aligned.hypothesis)),
        list(map(number, aligned.reference)),
        [list(branch) for branch in drawing.branches],
        _moved(record),
        record.fields.get("cards", []),
        drawing.of_hypothesis,
        drawing.why,
        beside["score"] if (beside := one_best(record)) else False,
        [-1 if at is None else at for at in aligned.positions],
        [_item(path, numbers, Drawing()) for path in record.nbest],
    ]


def _moved(record: Record) -> str:
    """For each operation `<` where a move is paid for, `-` where a word is out of turn with it; "" without moves."""
    if not record.moves:
        return ""
    marks = zip(record.alignment, out_of_turn(record.alignment), strict=True)
    return "".join("<" if pair.moves else "-" if moved else " " for pair, moved in marks)


def _asset(name: str) -> str:
    return (files("fstmetrics.reports.page") / name).read_text(encoding="utf-8")


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
