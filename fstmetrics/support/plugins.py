"""What has a name: what ships with fstmetrics, and what other packages add by entry points.

A package that is installed beside fstmetrics adds a format or a metric by an entry point of the group
`fstmetrics.formats` or `fstmetrics.metrics`, a command by `fstmetrics.commands`, an engine of `--on` by
`fstmetrics.engines`; docs/plugins.md has an example. Other packages are asked only for a name that is not among the
shipped ones, for a file that no shipped format recognises, and for lists. The apps of fstmetrics are such packages.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Generic, TypeVar

from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = TypeVar("Kind")
# What an import of the compiled core is of, where it is missing.
OURS = ("fstmetrics", "fstmetrics._native")
# Characters of somebody else's error that a message shows.
SHOWN = 200


class PluginWarning(UserWarning):
    """What another package registers cannot be used."""


def uncallable(name: str, made: object) -> str:
    """What is wrong with what another package registers, where it is to be called."""
    return "" if callable(made) else "it is nothing to call"


class Registry(Mapping[str, Kind], Generic[Kind]):
    """What there is of one kind, by name. Iterating gives the shipped ones first, then those of other packages.

    Args:
        what: what one is called in messages.
        group: the group of entry points; empty where other packages add none.
        makers: gives, by name, what makes those that ship, as an import does; called once, and so is each of them.
        fault: what is wrong with an object registered under a name; empty where it can be used.
    """

    def __init__(
        self,
        what: str,
        group: str,
        makers: Callable[[], Mapping[str, Callable[[], Kind]]],
        fault: Callable[[str, object], str] = uncallable,
    ) -> None:
        self._what = what
        self._group = group
        self._makers = makers
        self._fault = fault

    @cached_property
    def shipped(self) -> Mapping[str, Callable[[], Kind]]:
        """What gives those that ship with fstmetrics, each of which is made when it is first asked for."""
        return {name: cache(make) for name, make in self._makers().items()}

    @property
    def other_names(self) -> list[str]:
        """The names of those of other packages, in order; none is imported."""
        return sorted({entry.name for entry in self._entries})

    @cached_property
    def others(self) -> Mapping[str, Kind]:
        """Those of other packages, by name; a PluginWarning tells of one that cannot be used, which is left out."""
        found: dict[str, Kind] = {}
        for name in self.other_names:
            try:
                found[name] = self._loaded(name)
            except FstmetricsError as error:
                warnings.warn(PluginWarning(f"{error}; it is left out"), stacklevel=2)
        return found

    def refused(self) -> dict[str, str]:
        """Names of shipped ones that another package registers, too, with what is wrong with that."""
        found = {}
        for name in self.other_names:
            if name in self.shipped:
                try:
                    self._loaded(name)
                except FstmetricsError as error:
                    found[name] = str(error)
        return found

    def __getitem__(self, name: str) -> Kind:
        """The one of a name.

        Raises:
            KeyError: there is none.
            FstmetricsError: another package registers one that cannot be used.
        """
        if name in self.shipped:
            return self.shipped[name]()
        if "others" in self.__dict__ and name in self.others:
            return self.others[name]
        if not any(entry.name == name for entry in self._entries):
            raise KeyError(name)
        return self._loaded(name)

    def __contains__(self, name: object) -> bool:
        return name in self.shipped or any(entry.name == name for entry in self._entries)

    def __iter__(self) -> Iterator[str]:
        yield from self.shipped
        yield from self.others

    def __len__(self) -> int:
        return len(self.shipped) + len(self.others)

    @cached_property
    def _entries(self) -> list[EntryPoint]:
        if not self._group or not _may_be_named(self._group):
            return []
        from importlib.metadata import entry_points  # takes 20 ms, and few have such packages

        return list(entry_points(group=self._group))

    def _loaded(self, name: str) -> Kind:
        """What another package registers under a name.

        Raises:
            FstmetricsError: it is the name of one that ships, two packages register it, or it cannot be used.
        """
        entry, *more = [entry for entry in self._entries if entry.name == name]
        if name in self.shipped:
            raise self._unusable(entry, "has the name of one that ships with fstmetrics: register another")
        if more:
            raise self._unusable(entry, f"has the name of one of {_package(more[0])}: uninstall one of them")
        try:
            found = entry.load()
            fault = self._fault(name, found)
        except (Exception, SystemExit) as error:  # a module that ends the program has no say in that
            if isinstance(error, ImportError) and error.name in OURS and "_native" in str(error):
                raise  # nothing works without the compiled core, and no package is at fault
            fault = f"{type(error).__name__}: {error}"
        if fault:
            raise self._unusable(entry, f"cannot be used: {' '.join(fault.split())[:SHOWN]}")
        return found  # type: ignore[no-any-return]

    def _unusable(self, entry: EntryPoint, why: str) -> FstmetricsError:
        return FstmetricsError(f"the {self._what} {entry.name!r} of the package {_package(entry)} {why}")


def _may_be_named(group: str) -> bool:
    """Whether a package that is installed has entry points of a group; also true where a quick look cannot tell.

    Every text is asked for, as a format of another package may be text. So the files that `importlib.metadata` reads
    are looked through first; archives, eggs and finders other than Python's own are left to it.
    """
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    for folder in sys.path:
        if folder.lower().endswith(".egg") or os.path.isfile(folder):
            return True
        with suppress(OSError):
            for name in os.listdir(folder or "."):
                if name.lower().endswith((".dist-info", ".egg-info")) and _names(
                    f"{folder or '.'}/{name}", group
                ):
                    return True
    return False


def _names(metadata: str, group: str) -> bool:
    with suppress(OSError), open(f"{metadata}/entry_points.txt", "rb") as file:
        return group.encode() in file.read()
    return False


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value.partition(":")[0]
