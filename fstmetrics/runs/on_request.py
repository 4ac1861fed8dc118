"""What only some options, metrics or files need; each is imported when a run first asks for it.

A run of `score` over two texts needs none of it. The names are listed in `on_request.pyi`.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())
