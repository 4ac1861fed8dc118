"""Folders of Lhotse Shar: the cuts of all shards, `cuts.000000.jsonl.gz` and so on; sound and features stay unread.

Other texts of the cuts may be in fields of their own, `hyp.000000.jsonl.gz`: rows with `cut_id`, which are tables as
others, `hyp.*.jsonl.gz`. Source: Lhotse, "Lhotse Shar: storage format optimized for sequential I/O and modularity".
"""

from __future__ import annotations

import re
from pathlib import Path

from fstmetrics.io.formats import json_rows
from fstmetrics.io.items import Format
from fstmetrics.support.file_sets import files_in

CUTS = re.compile(r"cuts\.\d+\.jsonl(?:\.gz)?")


def files(folder: Path) -> list[Path]:
    """The files of cuts, in order."""
    return [path for path in files_in(str(folder)) if CUTS.fullmatch(path.name)]


FORMAT = Format(
    "shar", "folder of Lhotse Shar: cuts.000000.jsonl.gz, ...", json_rows.read,
    has_sides=True, folder=files,
)  # fmt: skip
