"""Where things are: the repository, the data and cases of tests, real data beside it; and how many random cases."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HELPERS = Path(__file__).resolve().parent
TESTS = HELPERS.parent
ROOT = TESTS.parent
DATA = TESTS / "samples"
CASE_FILES = TESTS / "cases"
# Real data, much of which may not be published; tests that need it are skipped without it.
SHARED = ROOT.parent / "shared" / "data"
CDEC = SHARED / "mt-cdec"
HGDECODE = SHARED / "mt-moses" / "mert.hgdecode-denseonly"
needs_data = pytest.mark.skipif(not CDEC.is_dir(), reason="needs ../shared/data")
# How many random cases there are of what is compared with a slow way; other tests have a part of it.
RANDOM_CASES = int(os.environ.get("FSTMETRICS_CASES", "1000"))
