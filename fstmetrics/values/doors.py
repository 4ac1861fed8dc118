"""The one way up: what the objects of the lower layers do with the help of the layers above them.

`Lattice.read` is a method of a lattice, but readers are built on lattices. So that method calls
`doors.read_one`. This is the only module that imports from the layers above its own, each name when it is first used.
The names are listed in `doors.pyi`.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())
