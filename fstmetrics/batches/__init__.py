"""One function from batches of items to batches of results: what local threads and other engines run.

`scorer` makes it; the names are listed in `__init__.pyi`. docs/batches.md has the schemas.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())
