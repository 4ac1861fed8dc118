"""What annotators see beside the source sentence: the protocols of [H12 §2.2], and all there is.

- `source`: nothing.
- `best`: the first reference.
- `references`: it, and three further ones.
- `all`: every reference, the outputs of systems, and what other annotators wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics.apps.annotate.project_store import PROTOCOLS, ProjectText


def visible(texts: Sequence[ProjectText], protocol: str) -> list[ProjectText]:
    """The references, then the outputs, that somebody sees."""
    references = [text for text in texts if text.kind == "reference"]
    systems = [text for text in texts if text.kind == "system"]
    return [*references, *systems] if protocol == "all" else references[: PROTOCOLS[protocol]]


def sees_others(protocol: str) -> bool:
    """Whether somebody sees what other annotators wrote, and what depends on outputs of systems."""
    return protocol == "all"
