"""Fixtures that several test modules use."""

from __future__ import annotations

import locale
import os
import signal
from pathlib import Path

import arithmetic  # noqa: F401  before numpy
import pytest
from hypothesis import HealthCheck, settings
from places import DATA, SHARED

# Machines are noisy, and no test fails for taking its time. Nor does one by chance: cases are the same in every run;
# `--hypothesis-profile random` looks for others.
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("random"), derandomize=True, database=None)
settings.load_profile("same")

# Nor for the terminal that the tests are started from.
for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(name, None)

# Nor for a shell that started them in the background with interrupts ignored; what they start would ignore them, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared data folder is not here")
    return SHARED


@pytest.fixture(scope="session")
def readers_data() -> Path:
    """Small files that belong to the repository."""
    return DATA / "readers"


# What test modules want said at the end of a run, whether or not output is captured.
REMARKS = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def remarks(pytestconfig: pytest.Config) -> list[str]:
    """Lines to print at the end of the run."""
    return pytestconfig.stash.setdefault(REMARKS, [])


def pytest_configure() -> None:
    """What tests write and read is UTF-8; other locales have tests of their own, in other processes."""
    if locale.getpreferredencoding(False).lower() != "utf-8":
        pytest.exit("tests need UTF-8: PYTHONUTF8=1 python -m pytest", 2)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the remarks."""
    for line in config.stash.get(REMARKS, []):
        terminalreporter.write_line(line)
