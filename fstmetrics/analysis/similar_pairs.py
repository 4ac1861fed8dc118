"""Records whose alignments prefer words that are spelled alike: `similar_records`.

Several alignments may be equally cheap: `we met anna smith` against `we met smyth` deletes `anna` or `smith`, and
substitutes the other one. Of all alignments with the least cost and, of those, the most matches, this takes the one
with the least sum of distances of substituted words. The distance of two words is the edits of their characters,
divided by the characters of the longer one, in millionths, rounded down. All counts stay as they are: cost and matches
fix them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from fstmetrics import _native
from fstmetrics.analysis.read_records import Record, read_records
from fstmetrics.io.formats.records import aligned_of, aligns_itself, word_edits
from fstmetrics.metrics.path_metric import Op
from fstmetrics.metrics.registry import PathName
from fstmetrics.support.errors import FstmetricsError, SearchError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.limits import limits


def similar_records(path: str) -> Iterator[str]:
    """The records of a file as lines of JSON, each with the alignment that prefers words that are spelled alike.

    Raises:
        FstmetricsError: as of `read_records`; a record under a metric with other costs than those of words, or with a
            wildcard.
    """
    for record in read_records(path):
        yield written_json(_similar(record, record.fields)) + "\n"


def _similar(record: Record, path: Mapping[str, Any]) -> dict[str, Any]:
    """A path of a record with another alignment."""
    metric = record.metric
    table = word_edits(metric if aligns_itself(metric) else "wer")
    if table is None:
        known = ", ".join(name for name in get_args(PathName) if name != "cer" and word_edits(name))
        raise FstmetricsError(
            f"--prefer-similar is for records of {known}, and of scores of strings; these are of {metric}"
        )
    (of_operation,) = table.cost
    costs = of_operation[Op.SUBSTITUTION], of_operation[Op.INSERTION]
    found = dict(path)
    aligned = aligned_of(path)
    if "*" in aligned.operations:
        raise FstmetricsError(
            f"--prefer-similar: item {record.id} has words under a wildcard; show it without --prefer-similar"
        )
    hypothesis, reference = path["hypothesis"], path["closest"]
    if "statistics" in path:
        sides = (aligned.hypothesis, aligned.reference)
        hypothesis, reference = ([word for word in side if word is not None] for side in sides)
    try:
        letters = _native.similar_operations(reference, hypothesis, *costs, limits().cells)
    except RuntimeError as error:
        raise SearchError(f"item {record.id}: {error}") from None
    heard, said = iter(hypothesis), iter(reference)
    found["alignment"] = _native.noted(
        (letter, None if letter == "D" else next(heard), None if letter == "I" else next(said))
        for letter in letters
    )
    if "nbest" in path and "statistics" not in path:
        found["nbest"] = [_similar(record, each) for each in path["nbest"]]
    return found
