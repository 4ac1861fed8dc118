"""Files of MQM as Google distributes them for WMT's test sets: `MqmErrors`, a line an error that a rater has marked.

    system  doc     doc_id  seg_id  rater   source  target  category                 severity
    HumanA  talk.1  1       1       rater1  ...     ...     Fluency/Punctuation      Minor
    HumanA  talk.1  2       2       rater1  ...     ...     No-error                 No-error

The score of a translation is the sum of its errors' weights, with a minus, and the mean of its raters. Weights and
files: Freitag et al., "Experts, errors, and context", TACL 2021; the scores are those of the published
`avg_seg_scores.tsv`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from fstmetrics.data.ratings import Cell
from fstmetrics.io.detection.head import values_in
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.formats import columnar, json_rows
from fstmetrics.io.rows import Rows
from fstmetrics.io.scores.score_cells import (
    DOMAIN,
    ScoreFile,
    cell_text,
    columnar_rows,
    first_filled_line,
    first_line,
    grid,
    has_commas,
    is_named,
    one_of,
    places,
    split_head,
)
from fstmetrics.support.source import HEAD, Source

SEVERITIES = ("major", "minor", "neutral", "no-error")
WEIGHTS: Mapping[str, Fraction] = {"major": Fraction(5), "minor": Fraction(1)}
NON_TRANSLATION, PUNCTUATION = Fraction(25), Fraction(1, 10)
# What columns are called: the number of a segment within the test set before that within its document.
SEGMENTS = ("globalSegId", "seg_id", "segment", "segment_id")
DOCUMENTS = ("doc", "document")
# Those of `MqmError`, in its order.
COLUMNS = (("system",), SEGMENTS, DOCUMENTS, DOMAIN, ("rater",), ("category",), ("severity",))


class MqmError(NamedTuple):
    """A line, or the row of this number where rows are no lines: one error, or that there is none."""

    line: int
    system: str
    segment: str
    document: str
    domain: str
    rater: str
    category: str
    severity: str

    @property
    def weight(self) -> Fraction:
        """What it costs.

        >>> MqmError(2, "A", "1", "d", "", "r", "Fluency/Punctuation", "minor").weight
        Fraction(1, 10)
        """
        category = self.category.lower()
        if self.severity == "major" and category.startswith("non-translation"):
            return NON_TRANSLATION
        if self.severity == "minor" and category == "fluency/punctuation":
            return PUNCTUATION
        return WEIGHTS.get(self.severity, Fraction(0))


def is_mqm(source: Source) -> bool:
    """Whether the columns, of JSON those of the first object, are those of such a file."""
    head: Iterable[str] = ()
    # Objects and Parquet are parsed only where they may be of errors.
    if is_json(source):
        first = next(values_in(source), None) if b'"rater"' in source.content[:HEAD] else None
        head = first if isinstance(first, dict) else ()
    elif is_columnar(source):
        head = columnar.read_rows(source).names or () if b"rater" in source.data else ()
    elif has_commas(source):
        head = split_head(first_line(source))
    else:
        head = [name.strip() for name in first_line(source).split("\t")]
    return {"system", "rater", "category", "severity"} <= {*head} and is_named(head, SEGMENTS)


def is_json(source: Source) -> bool:
    """Whether it begins as objects do, or a list."""
    return first_filled_line(source).startswith((b"{", b"["))


def _table(source: Source) -> Rows:
    """The rows; of a file with tabs, in which quotation marks are none, no cells that are not needed."""
    if is_json(source):
        return json_rows.table_of(source)
    if (found := columnar_rows(source)) is not None:
        return found
    lines = source.lines()
    head = [name.strip() for name in next(lines)[1].split("\t")]
    needed = [head.index(name) for names in COLUMNS if (name := one_of(head, names)) is not None]
    rows, numbers = [], []
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.rstrip("\r\n").split("\t")
        # What stands behind, such as comments, may be left out.
        if len(cells) > len(head) or len(cells) <= max(needed):
            raise source.error(f"{len(cells)} columns, but the head has {len(head)}", number)
        rows.append({head[place]: cells[place] for place in needed})
        numbers.append(number)
    return Rows(source, rows, numbers, head)


@dataclass(frozen=True, eq=False)
class MqmErrors:
    """The errors of a file.

    Attributes:
        source: the file.
        errors: its lines.
        names_domains: whether a column has the domain of each segment.
    """

    source: Source
    errors: tuple[MqmError, ...]
    names_domains: bool = False

    @classmethod
    def read(cls, file: str | Source) -> MqmErrors:
        """Read a file.

        Raises:
            InputError: no such file; a line of another number of columns, without a system, segment or rater, of a
                severity that has no weight, or of a segment that is in another document elsewhere.
        """
        source = file if isinstance(file, Source) else Source.open(file)
        if not is_mqm(source):
            raise source.error(
                "expected the columns system, seg_id or globalSegId, rater, category and severity", 1
            )
        table = _table(source)
        names = table.names or list(dict.fromkeys(name for row in table.rows for name in row))
        wanted = [one_of(names, known) for known in COLUMNS]
        errors: list[MqmError] = []
        document_of: dict[str, str] = {}
        for place, row in enumerate(table.rows):
            cells = ["" if name is None else cell_text(row.get(name)) for name in wanted]
            error = MqmError(table.lines[place] if table.lines else place + 1, *cells)
            errors.append(error := error._replace(severity=error.severity.lower()))
            if fault := _fault(error):
                raise table.error(place, fault)
            if document_of.setdefault(error.segment, error.document) != error.document:
                raise table.error(
                    place,
                    f"segment {error.segment} is in the documents {document_of[error.segment]} and {error.document}: "
                    "its number has to be that within the test set, in a column globalSegId or seg_id",
                )
        if not errors:
            raise source.error("a head, and no errors under it")
        return cls(source, tuple(errors), wanted[3] is not None)

    @cached_property
    def raters(self) -> dict[Cell, dict[str, Fraction]]:
        """By system and segment what each rater's errors cost."""
        found: dict[Cell, dict[str, Fraction]] = {}
        for error in self.errors:
            own = found.setdefault((error.system, error.segment), {})
            own[error.rater] = own.get(error.rater, Fraction(0)) + error.weight
        return found

    @cached_property
    def scores(self) -> dict[Cell, float]:
        """By system and segment its score: the mean of its raters, 0 without an error, else below."""
        return {cell: float(-sum(own.values()) / len(own)) for cell, own in self.raters.items()}

    def score_file(self) -> ScoreFile:
        """The scores as those of people in any table."""
        systems, segments = (places(names) for names in zip(*self.scores, strict=True))
        documents = {error.segment: error.document for error in self.errors}
        domains = {error.segment: error.domain for error in self.errors}
        return ScoreFile(
            self.source.path,
            self.source.stem,
            "segment",
            tuple(systems),
            tuple(segments),
            {},
            grid(self.scores, systems, segments),
            grid(dict.fromkeys(self.scores, 1.0), systems, segments) == 1,
            tuple(documents[name] for name in segments) if any(documents.values()) else None,
            tuple(domains[name] for name in segments) if self.names_domains else None,
            len({error.rater for error in self.errors}),
        )

    def systems(self) -> dict[str, float]:
        """The mean score of each system's segments, the best first."""
        sums: dict[str, list[float]] = {}
        for (system, _), score in self.scores.items():
            sums.setdefault(system, []).append(score)
        means = {system: sum(scores) / len(scores) for system, scores in sums.items()}
        return dict(sorted(means.items(), key=lambda each: (-each[1], each[0])))

    def counts(self, system: str | None = None) -> Counter[tuple[str, str]]:
        """How many errors there are by category and severity, of one system or of all."""
        return Counter(
            (error.category, error.severity)
            for error in self.errors
            if error.severity != "no-error" and system in (None, error.system)
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """The scores of segments, as tables have them."""
        documents = {error.segment: error.document for error in self.errors}
        for (system, segment), score in self.scores.items():
            yield {"system": system, "document": documents[segment], "segment": segment, "human": score}

    def as_dict(self) -> dict[str, Any]:
        """All tables: of each system its score, and by category and severity how many errors it has."""
        systems = self.systems()
        return {
            "systems": [
                {
                    "system": system,
                    "score": score,
                    "segments": sum(cell[0] == system for cell in self.scores),
                }
                for system, score in systems.items()
            ],
            "errors": [
                {"system": system, "category": category, "severity": severity, "count": count}
                for system in systems
                for (category, severity), count in sorted(self.counts(system).items())
            ],
        }


def _fault(error: MqmError) -> str:
    """What is wrong with an error; "" where nothing is."""
    for name in ("system", "segment", "rater"):
        if not getattr(error, name):
            return f"an error without a {name}"
    if error.severity not in SEVERITIES:
        return f"the severity {error.severity!r:.40} has no weight; known are {', '.join(SEVERITIES)}"
    return ""
