"""Fixtures that several test modules use."""

from __future__ import annotations

from pathlib import Path

import pytest

# Real data that is not part of the repository: much of it may not be published.
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder is not here")
    return SHARED


@pytest.fixture(scope="session")
def readers_data() -> Path:
    """Small files that belong to the repository."""
    return Path(__file__).resolve().parent / "data" / "readers"
