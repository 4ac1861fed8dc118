"""Records of fstmetrics, as `--output` of score and mbr writes them: the words of the hypotheses, with their ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.record_batches import read_objects
from fstmetrics.io.writing import parts_of_turn
from fstmetrics.support.source import Source

# What a signature says where the words are as they were given, and parts that say that they are not.
_KEPT = {"unit": "word", "case": "mixed", "punctuation": "kept", "tok": "none"}
_CHANGED = frozenset(
    {"unicode", "profile", "normaliser", "drops", "ignore", "ignore-hyp", "ignore-ref", "optional-words"}
)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The hypothesis of each record, in order.

    Raises:
        InputError: not JSON (with the line), a record of another unit than words, one without the words of a
            hypothesis, as those of BLEU, one of an oracle, or an id that was there before.
    """
    source.refuse_empty()
    seen: dict[str, int] = {}
    for number, record in read_objects(source):
        signature = str(record.get("signature"))
        if not _are_as_given(signature):
            raise source.error(
                "expected the words as they were given (unit:word, case:mixed, punctuation:kept, tok:none, no window, "
                f"and nothing else done to them), found {shown(signature)}; give the texts that were scored",
                number,
            )
        if record.get("arcs", 1) not in (0, 1):  # of no more than one arc or entry nothing was chosen
            raise source.error(
                "the words of this record are an oracle: what of a lattice or n-best list is nearest to its reference, "
                "and not what a system said; give the 1-best, which fstmetrics best LATTICES writes",
                number,
            )
        words: Any = record.get("hypothesis")
        id = record.get("id")
        if not _are_words(words):
            raise source.error(
                "this record has no words of a hypothesis: give the texts that were scored", number
            )
        if id is not None and not isinstance(id, str):
            raise source.error(f"expected a text or null as id, found {shown(str(id))}", number)
        take_id(source, id, number, seen)
        own = record.get("fields")
        left_out = parts_of_turn(own) if options.tell_left_out and isinstance(own, dict) else ()
        yield Item(id, None, " ".join(words), left_out=left_out)
    options.remark(f"{source.path} read as records of fstmetrics: their hypotheses")


def _are_as_given(signature: str) -> bool:
    """Whether nothing was done to the words of hypotheses, and none was moved in a window."""
    parts = {name: value for name, _, value in (part.partition(":") for part in signature.split("|"))}
    is_kept = all(parts.get(name) == value for name, value in _KEPT.items())
    return is_kept and parts.get("window", "1") == "1" and _CHANGED.isdisjoint(parts)


def _are_words(words: Any) -> bool:
    return isinstance(words, list) and all(isinstance(w, str) and w and not w.isspace() for w in words)


FORMAT = Format("records", "records of fstmetrics: the words of their hypotheses", read, by_lines=True)
