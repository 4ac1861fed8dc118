"""What paths took of the references: `full_record`, for programs, `choices_taken`, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fstmetrics.cli.options import Request
from fstmetrics.networks.cards_used import taken_in
from fstmetrics.runs.pairing import Pair
from fstmetrics.scoring.results import Result
from fstmetrics.values.network import Network
from fstmetrics.values.transcripts import Transcript, alternatives_taken


def full_record(result: Result, pair: Pair, request: Request) -> dict[str, Any]:
    """A result as JSON, with the alternatives or cards that each of its paths took of the pair's reference."""
    found = result.as_dict(request.alignment)
    for path, fields in zip((result, *result.nbest), (found, *found.get("nbest", ())), strict=True):
        fields |= _taken(path, pair, request)
    return found


def choices_taken(path: Result, pair: Pair, request: Request) -> Iterator[str]:
    """Each choice that the pair's reference leaves, and what a path took of it, for people."""
    for choice in _taken(path, pair, request).get("alternatives", ()):
        yield f"{choice['written']} as {choice['taken'] or 'nothing'}"


def _taken(path: Result, pair: Pair, request: Request) -> dict[str, Any]:
    reference, normalisation = pair.reference, request.normalisation
    if isinstance(reference, Transcript):
        choices = alternatives_taken(reference, path.closest, normalisation.of_references)
        return {"alternatives": choices} if reference.choices else {}
    if not any(isinstance(one, Network) for one in pair.references):
        return {}
    return {"cards": [list(card) for card in taken_in(reference, path.closest, normalisation)]}
