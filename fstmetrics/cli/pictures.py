"""Pictures that cannot be drawn are refused before anything is read: `check_pictures`."""

from __future__ import annotations


def check_pictures(*paths: str | None) -> None:
    """Raise an FstmetricsError for a path whose ending names no picture, or if none can be drawn."""
    for path in filter(None, paths):
        from fstmetrics.reports.plots import picture_kind

        picture_kind(path)
