"""Modules by the names that they had before the rooms were made: `import fstmetrics.readers` gives `fstmetrics.io`.

Only what the documentation has named is here. The module is the same object under both names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

# What is in a package has the package's new place, unless it has a row of its own.
PLACES = {
    "fstmetrics.adapters": "fstmetrics.apps.adapters",
    "fstmetrics.cluster": "fstmetrics.apps.distributed",
    "fstmetrics.decoding": "fstmetrics.apps.tuning",
    "fstmetrics.decoding.corpus_oracles": "fstmetrics.lattices.corpus_oracles",
    "fstmetrics.decoding.hope_and_fear": "fstmetrics.lattices.hope_and_fear",
    "fstmetrics.decoding.linear_bleu": "fstmetrics.lattices.linear_bleu",
    "fstmetrics.decoding.ngram_posteriors": "fstmetrics.lattices.ngram_posteriors",
    "fstmetrics.decoding.word_posteriors": "fstmetrics.lattices.posteriors",
    "fstmetrics.evaluation": "fstmetrics.apps.metaeval",
    "fstmetrics.evaluation.agreement": "fstmetrics.apps.metaeval",
    "fstmetrics.evaluation.significance": "fstmetrics.significance",
    "fstmetrics.evaluation.variants": "fstmetrics.apps.calibration.variants",
    "fstmetrics.jiwer": "fstmetrics.apps.jiwer",
    "fstmetrics.lattices.word_posteriors": "fstmetrics.lattices.posteriors",
    "fstmetrics.readers": "fstmetrics.io",
    "fstmetrics.values": "fstmetrics.data",
}


def place_of(name: str) -> str | None:
    """Where a module is; None of one that has not moved.

    >>> place_of("fstmetrics.values.cards")
    'fstmetrics.data.cards'
    """
    package, end = name, ""
    while package not in PLACES:
        package, dot, last = package.rpartition(".")
        end = f"{dot}{last}{end}"
        if not package:
            return None
    return PLACES[package] + end


class FormerModules:
    """Finds modules under the names that they had; no MetaPathFinder of importlib.abc, whose import takes 15 ms."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A specification by which the module that has moved is loaded; None of all others."""
        if fullname.startswith("fstmetrics.") and place_of(fullname):
            return ModuleSpec(fullname, cast("Loader", self), is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """Python's own empty module, which the other takes the place of."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module where the import looks for it."""
        place = place_of(module.__name__)
        assert place is not None
        sys.modules[module.__name__] = import_module(place)


def install() -> None:
    """Have imports find these names. First of all finders: a package of two names would be searched for its own files,
    and a module loaded twice."""
    sys.meta_path.insert(0, FormerModules())
