"""Fixtures that several test modules use."""

from __future__ import annotations

import locale
import os
import signal
from collections.abc import Generator, Iterator
from itertools import compress
from operator import itemgetter
from pathlib import Path
from typing import Any

import arithmetic  # noqa: F401  before numpy
import pytest
from browsers import chromium
from hypothesis import HealthCheck, settings
from missing_packages import missing_package
from places import DATA, SHARED

# Machines are noisy, and no test fails for taking its time. Nor does one by chance: cases are the same in every run;
# `--hypothesis-profile random` looks for others.
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "same", settings.get_profile("random"), derandomize=True, database=None, max_examples=50
)
settings.load_profile("same")

# Nor for the terminal that the tests are started from.
for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(name, None)

# Nor for a shell, or `nohup`, that started them with signals ignored; what they start would ignore them, too.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; tests leave it as they found it."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def second() -> Iterator[Any]:
    """Another one, for what two people do at once."""
    with chromium() as found:
        yield found


# What test modules want said at the end of a run, whether or not output is captured.
REMARKS = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def remarks(pytestconfig: pytest.Config) -> list[str]:
    """Lines to print at the end of the run."""
    return pytestconfig.stash.setdefault(REMARKS, [])


# Where the tests are kept that the last run skipped: `--skipped-before` runs them, after what they need was installed.
SKIPPED = "fstmetrics/skipped"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that runs what was skipped."""
    parser.addoption("--skipped-before", action="store_true", help="run the tests that the last run skipped")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no module of which the last run skipped nothing."""
    if config.getoption("skipped_before") and collection_path.suffix == ".py":
        modules = {name.partition("::")[0] for name in config.cache.get(SKIPPED, [])}
        return collection_path.relative_to(config.rootpath).as_posix() not in modules or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the last run did not skip: tests, and modules that were skipped whole."""
    if config.getoption("skipped_before"):
        skipped = {*config.cache.get(SKIPPED, [])}
        was_skipped = [bool(skipped & {item.nodeid, item.nodeid.partition("::")[0]}) for item in items]
        config.hook.pytest_deselected(
            items=[item for item, was in zip(items, was_skipped, strict=True) if not was]
        )
        items[:] = compress(items, was_skipped)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep which tests, and which modules, were skipped; where the tests run in several processes, in their parent."""
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    is_kept = hasattr(config, "cache") and not hasattr(config, "workerinput")
    if reporter and is_kept and not config.getoption("skipped_before"):
        config.cache.set(SKIPPED, sorted({report.nodeid for report in reporter.stats.get("skipped", [])}))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails as a package is not installed is skipped, for that reason: `fstmetrics[test]` has not all."""
    report = yield
    if report.failed and (
        name := missing_package("\n".join([report.longreprtext, *map(itemgetter(1), report.sections)]))
    ):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1], f"Skipped: needs {name}")
    return report


def pytest_configure() -> None:
    """What tests write and read is UTF-8; other locales have tests of their own, in other processes."""
    if locale.getpreferredencoding(False).lower() != "utf-8":
        pytest.exit("tests need UTF-8: PYTHONUTF8=1 python -m pytest", 2)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the remarks."""
    for line in config.stash.get(REMARKS, []):
        terminalreporter.write_line(line)
