"""Sessions as JSON records, which `show` and `errors` read where they have alignments: `session_records`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fstmetrics.data.fields import Fields
from fstmetrics.speakers.speaker_results import SpeakerScores


def session_records(
    scores: SpeakerScores, fields: Mapping[str, Fields], signature: str
) -> Iterator[dict[str, Any]]:
    """A record a session: counts as of any record, who was paired with whom, and the alignment where there is one.

    Args:
        scores: of all sessions.
        fields: of each session, by its id.
        signature: all that the scores depend on.
    """
    for session in scores:
        said = session.as_dict()
        words: dict[str, Any] = {
            "hypothesis": [word.hypothesis for word in session.words if word.hypothesis is not None],
            "closest": [word.reference for word in session.words if word.reference is not None],
            "gain": None,
            "max_gain": None,
        }
        alignment: dict[str, Any] = {
            name: said.pop(name) for name in ("alignment", "speakers") if name in said
        }
        own = fields.get(session.id or "", {})
        yield {
            "id": said.pop("session"),
            "metric": session.name,
            **{name: said.pop(name) for name in [*session.counts()]},
            "moves": 0,
            **({**words, **alignment} if alignment else {}),
            **({"fields": dict(own)} if own else {}),
            **said,
            "signature": signature,
        }
