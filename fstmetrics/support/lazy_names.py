"""Modules whose names are imported when they are first used: `lazily` takes them from the stub beside the module."""

from __future__ import annotations

TYPE_CHECKING = False  # to import typing, or pathlib, would take longer than all else here
if TYPE_CHECKING:
    from collections.abc import Callable


def lazily(
    module: str, file: str, names: dict[str, object]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module that has the names which its stub imports, and no others.

    A line of the stub is `from PLACE import NAME as NAME`. The stub is what type checkers read; it is read here when a
    name is first asked for. (`lazy_loader.attach_stub` does the same with Python's own parser: 8 ms of every import,
    where this takes half of one, and one more package to install.)

    Args:
        module: its `__name__`.
        file: its `__file__`; the stub is beside it and ends in `.pyi`.
        names: its `globals()`, where names go once they are imported.
    """
    places: dict[str, str] = {}

    def read() -> dict[str, str]:
        if not places:
            with open(file.rpartition(".")[0] + ".pyi", encoding="utf-8") as stub:
                lines = [line.split() for line in stub if line.startswith("from ")]
            places.update((words[-1], words[1]) for words in lines)
        return places

    def get(name: str) -> object:
        if name == "__all__":
            return list(read())
        if (name.startswith("__") and name != "__version__") or name not in read():
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        names[name] = value = imported(places[name], name)
        return value

    return get, lambda: list(read())


def imported(place: str, name: str) -> object:
    """What a module has under a name; the module is imported."""
    from importlib import import_module

    from fstmetrics.support.garbage import uncollected

    try:
        with uncollected():  # modules make many objects, and none of them is garbage
            if place == "fstmetrics":
                return import_module(f"{place}.{name}")
            return getattr(import_module(place), name)
    except ModuleNotFoundError as error:
        if error.name != "fstmetrics._native":
            raise
        raise ImportError(
            "the compiled core of fstmetrics is missing here: this is the source folder of an install elsewhere. "
            "Install it in place (pip install -e .), or run from another folder"
        ) from error
