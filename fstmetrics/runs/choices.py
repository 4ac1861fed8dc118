"""Which of the choices that references leave the best paths use: `choices_taken`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fstmetrics.scoring.sides import Alternatives
from fstmetrics.values.network import Network
from fstmetrics.values.transcripts import Transcript, alternatives_taken

if TYPE_CHECKING:
    from fstmetrics.values.normalisation import Normalisation


def choices_taken(closest: Sequence[str], reference: Any, normalisation: Normalisation) -> dict[str, Any]:
    """Which alternatives or cards of a reference a path uses, as records have it; nothing where it leaves no choice.

    Args:
        closest: the words of the path.
        reference: what the item was scored against.
        normalisation: what was done to the words.
    """
    if isinstance(reference, Transcript):
        taken = alternatives_taken(reference, closest, normalisation.of_references)
        return {"alternatives": taken} if reference.choices else {}
    items = reference.items if isinstance(reference, Alternatives) else (reference,)
    if not any(isinstance(one, Network) for one in items):
        return {}
    from fstmetrics.networks.cards_used import taken_in  # scoring of texts starts without it

    return {"cards": [list(card) for card in taken_in(reference, closest, normalisation)]}
