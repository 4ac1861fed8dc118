"""Files of one format to files of another: `convert`, which refuses what would be lost, and names it.

Read `fitting` first: what an item has that a format has no room for. Then `accounts`, what becomes of each, and
`sources` and `files`: paths, archives and folders.
"""

from __future__ import annotations

from fstmetrics.convert.accounts import Conversion
from fstmetrics.convert.files import convert
from fstmetrics.convert.fitting import Fitting

__all__ = ["Conversion", "Fitting", "convert"]
