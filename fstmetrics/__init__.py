"""fstmetrics: error rates, oracles and HyTER as best paths through finite-state machines.

`wer`, `wrr`, `grr` and `hyter` give a number; `align`, `oracle` and `score` give results; `compare` tests systems
against a baseline; `networks` works on networks of references. A hypothesis or reference is a string, a sequence of
words, a `Lattice`, a `Network`, or a list of those.

The names are listed in `__init__.pyi`. Each is imported from its module when it is first used, so that importing the
package, as the command line does for `--help`, costs next to nothing.
"""

from fstmetrics.support.lazy_names import lazily

__getattr__, __dir__ = lazily(__name__, __file__, globals())
