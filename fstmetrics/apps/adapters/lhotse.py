"""Cuts of Lhotse: `cut_batches` makes batches of them, `score_cuts` gives them back with their results.

A cut has one supervision, whose text is the reference. The hypothesis is a custom field of the supervision or of the
cut, or is looked up by the cut's id: in a mapping, or in another set of cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.adapters.added_columns import columns_scored
from fstmetrics.batches import Scorer
from fstmetrics.support.errors import need

if TYPE_CHECKING:
    import pyarrow as pa

# Cuts that are scored at once.
BATCH = 1000


def cut_batches(cuts: Iterable[Any], hypothesis: Any = "hyp", size: int = BATCH) -> Iterator[pa.RecordBatch]:
    """Batches for a scorer: columns id, hypothesis, reference, speaker, language, duration.

    Args:
        cuts: a CutSet, eager or lazy, or any iterable of cuts, of one supervision each.
        hypothesis: the custom field that has the hypotheses; or a mapping from ids of cuts, or other cuts with the same
            ids, whose supervisions have them.
        size: cuts a batch.

    Raises:
        FstmetricsError: a cut of no or several supervisions, or whose supervision has no such field.
    """
    pyarrow = need("pyarrow", "scoring batches", "tables")
    text = pyarrow.string()
    schema = pyarrow.schema(
        {"id": text, "hypothesis": text, "reference": text, "speaker": text, "language": text}
        | {"duration": pyarrow.float64()}
    )
    find = _finder(hypothesis)
    for some in _parts(cuts, size):
        rows = []
        for cut in some:
            one = _supervision(cut)
            rows.append(
                {"id": cut.id, "hypothesis": find(cut, one), "reference": one.text, "speaker": one.speaker}
                | {"language": one.language, "duration": one.duration}
            )
        yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)


def score_cuts(
    cuts: Iterable[Any], scorer: Scorer, hypothesis: Any = "hyp", prefix: str = "", size: int = BATCH
) -> Iterator[Any]:
    """The cuts, each with its results as custom fields of its supervision (`edits`, `path_length`, `fault`, ...).

    Args:
        cuts, hypothesis, size: as of `cut_batches`, errors too.
        scorer: of `fstmetrics.batches.scorer`, with its own names of columns.
        prefix: what the names of results begin with.

    The given cuts stay as they are. Cuts that a profile leaves out are not among them. A result that is null, as the
    counts of an item with a fault, is no field.
    """
    find = _finder(hypothesis)
    names = scorer.inputs
    for some in _parts(cuts, size):
        supervisions = [_supervision(cut) for cut in some]
        columns: dict[str, list[Any]] = {
            names.hypothesis: [find(cut, one) for cut, one in zip(some, supervisions, strict=True)],
            names.reference: [one.text for one in supervisions],
        }
        if names.id is not None:
            columns[names.id] = [cut.id for cut in some]
        found, rows = columns_scored(columns, scorer, prefix)
        for number, row in enumerate(rows):
            results = {name: each for name, values in found.items() if (each := values[number]) is not None}
            yield _with_fields(some[row], results)


def _parts(cuts: Iterable[Any], size: int) -> Iterator[list[Any]]:
    if size < 1:
        raise FstmetricsError(f"a batch has at least one cut, not {size}")
    left = iter(cuts)
    while some := list(islice(left, size)):
        yield some


def _supervision(cut: Any) -> Any:
    if len(cut.supervisions) != 1:
        raise FstmetricsError(
            f"cut {cut.id!r} has {len(cut.supervisions)} supervisions, expected one: "
            "cut it by trim_to_supervisions() of Lhotse"
        )
    return cut.supervisions[0]


def _finder(hypothesis: Any) -> Callable[[Any, Any], str | None]:
    """What finds the hypothesis of a cut and its supervision; None where there is none."""
    if isinstance(hypothesis, str):
        return lambda cut, one: _field(cut, one, hypothesis)
    if not isinstance(hypothesis, Mapping):
        hypothesis = {cut.id: _supervision(cut).text for cut in hypothesis}
    return lambda cut, _: hypothesis.get(cut.id)


def _field(cut: Any, one: Any, name: str) -> Any:
    for custom in (one.custom, getattr(cut, "custom", None)):
        if custom and name in custom:
            return custom[name]
    known = ", ".join(sorted({*(one.custom or ()), *(getattr(cut, "custom", None) or ())})) or "none"
    raise FstmetricsError(f"cut {cut.id!r} has no custom field {name!r}; it has {known}")


def _with_fields(cut: Any, results: Mapping[str, Any]) -> Any:
    """A copy of a cut whose supervision has more custom fields."""

    def changed(one: Any) -> Any:
        if taken := next((name for name in results if name in (one.custom or ())), None):
            raise FstmetricsError(
                f"cut {cut.id!r} has a custom field {taken!r} already, and so have the results; give a prefix"
            )
        custom = {**(one.custom or {}), **results}
        return type(one)(
            **{name: getattr(one, name) for name in one.__dataclass_fields__} | {"custom": custom}
        )

    return cut.map_supervisions(changed)
