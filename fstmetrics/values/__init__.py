"""What things are: words, lattices, networks, transcripts, n-best lists.

The names are listed in `__init__.pyi`. Each is imported from its module when it is first used: two texts need none.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())
