"""Scores that Appraise exports (direct assessments and ESA of WMT): `scores_of_appraise`.

A line a rating, with or without a head; only these cells count:

    user,system,item,TGT,eng,deu,score,document,isCompleteDocument[,errors][,start,end]
    [taskID,]systemID,username,...,segmentID,score,...,itemType,...,documentID,isCompleteDocument[,mqm]

Items of the type TGT count; the others (BAD, REF, CHK) are there to check people. Scores of whole documents are left
out. Items are numbered within their documents, so a segment is called DOCUMENT:ITEM. Source: Appraise's
`EvalData/models/direct_assessment_document.py`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fstmetrics.data.ratings import Ratings
from fstmetrics.io.arcs import real
from fstmetrics.io.scores.score_cells import APPRAISE, ScoreFile, first_line, grid, places
from fstmetrics.support.source import Source

HEADLESS = re.compile(
    r"[^,]+,[^,]+,[^,]*,(?:TGT|BAD|REF|CHK|SRC)[^,]*,[a-zA-Z_-]{2,8},[a-zA-Z_-]{2,8},[\d.]+,[^,]*,(?:True|False)(?:,.*)?"
)
# Where these cells are in a line without a head.
PLACES = (0, 1, 2, 3, 6, 7, 8)
COUNTED = "TGT"


class Rating(NamedTuple):
    """What counts of a line."""

    line: int
    user: str
    system: str
    item: str
    kind: str
    score: str
    document: str
    is_whole: str


def is_appraise(source: Source) -> bool:
    """Whether the first line is that of such a file."""
    first = first_line(source)
    return HEADLESS.fullmatch(first) is not None or set(APPRAISE) <= set(first.split(","))


def ratings_of_appraise(source: Source) -> tuple[Ratings, dict[str, str]]:
    """What people said of systems' translations of segments, and the document of each segment.

    Raises:
        InputError: a line that lacks cells, a score that is no number, or no rating that counts.
    """
    ratings = Ratings()
    documents: dict[str, str] = {}
    for rating in _ratings(source):
        if rating.kind != COUNTED or rating.is_whole == "True":
            continue
        try:
            score = real(rating.score)
        except ValueError:
            raise source.error(f"the score {rating.score!r:.40} is no number", rating.line) from None
        segment = f"{rating.document}:{rating.item}"
        documents[segment] = rating.document
        ratings.add(rating.user, (rating.system, segment), score)
    if not ratings.cells:
        raise source.error(f"no rating of a segment: expected lines with {COUNTED} and False")
    return ratings, documents


def scores_of_appraise(source: Source, standardise: bool) -> ScoreFile:
    """The scores of segments, as those of people in any table.

    Raises:
        InputError: as of `ratings_of_appraise`.
    """
    ratings, documents = ratings_of_appraise(source)
    scores = ratings.standardised() if standardise else ratings.means()
    systems, segments = (places(names) for names in zip(*scores, strict=True))
    return ScoreFile(
        source.path,
        source.stem,
        "segment",
        tuple(systems),
        tuple(segments),
        {},
        grid(scores, systems, segments),
        grid(dict.fromkeys(scores, 1.0), systems, segments) == 1,
        tuple(documents[segment] for segment in segments),
        None,
        len(set(ratings.assessors)),
        standardise,
    )


def _ratings(source: Source) -> Iterator[Rating]:
    at: Sequence[int] = PLACES
    for number, line in source.lines():
        if not line.strip():
            continue
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        if number == 1 and set(APPRAISE) <= set(cells):
            at = [cells.index(name) for name in APPRAISE]
            continue
        if len(cells) <= max(at):
            raise source.error(f"{len(cells)} columns, and Appraise writes {max(at) + 1} or more", number)
        yield Rating(number, *(cells[place] for place in at))
