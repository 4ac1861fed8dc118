"""What keeps the C++ of one system like that of another, where only one of them compiles it here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "fstmetrics" / "native"


def under_a_condition(text: str) -> Iterator[str]:
    """Headers of fstmetrics that only some systems include."""
    depth = 0
    for line in text.splitlines():
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif depth and (header := re.match(r'\s*#\s*include "(.*\.h)"', line)):
            yield header[1]


@pytest.mark.skipif(not NATIVE.is_dir(), reason="the sources of the core are not here")
def test_own_headers_are_included_on_every_system():
    found = {
        str(file.relative_to(NATIVE)): headers
        for file in sorted([*NATIVE.rglob("*.cc"), *NATIVE.rglob("*.h")])
        if (headers := list(under_a_condition(file.read_text("utf-8"))))
    }
    assert not found


def test_headers_under_a_condition_are_found():
    text = '#include "a.h"\n#if defined(__unix__)\n#include <x.h>\n#include "b.h"\n#endif\n#include "c.h"\n'
    assert list(under_a_condition(text)) == ["b.h"]
