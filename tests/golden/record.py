"""Record again what tests/whole/test_golden.py compares, after an intended change: `git diff` shows what it changed.

    python tests/golden/record.py                 # all commands, and the public names
    python tests/golden/record.py score compare   # some

A new case needs no more than `{"run": "score ref.txt hyp.txt", "files": {"ref.txt": "a b\\n", "hyp.txt": "a c\\n"}}`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

import arithmetic  # noqa: F401  before numpy
import golden
from public_names import public_names


def main(*names: str) -> None:
    """Run the cases of some commands, by default of all, and write what comes of them."""
    changed = total = 0
    for name in names or golden.bundles():
        now = []
        for case in golden.read(name):
            with tempfile.TemporaryDirectory() as folder:
                now.append(golden.replayed(case, Path(folder).resolve()))
            total += 1
            changed += now[-1] != case
        golden.write(name, now)
    golden.NAMES.write_text("".join(f"{line}\n" for line in public_names()), encoding="utf-8")
    print(f"{changed} of {total} cases changed; see git diff tests/golden")


if __name__ == "__main__":
    main(*sys.argv[1:])
