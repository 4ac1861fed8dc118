"""The public names of Python, a line each: what is called with its parameters, classes with what they offer."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import fstmetrics


def public_names() -> list[str]:
    """The lines, sorted: names of the package, of its public modules, and of their classes."""
    return sorted({*_of_module("fstmetrics", fstmetrics)})


def _of_module(name: str, module: ModuleType) -> Iterator[str]:
    yield name
    for part in getattr(module, "__all__", dir(module)):
        value = getattr(module, part)
        if part.startswith("_") or (isinstance(value, ModuleType) and not _is_own(value)):
            continue
        if isinstance(value, ModuleType):
            if value is not module and name == "fstmetrics":
                yield from _of_module(f"{name}.{part}", value)
        elif module is fstmetrics or _is_own(value):
            yield from _of_value(f"{name}.{part}", value)


def _of_value(name: str, value: Any) -> Iterator[str]:
    if not inspect.isclass(value):
        yield f"{name}{_parameters(value)}" if callable(value) else f"{name}: {type(value).__name__}"
        return
    yield f"{name}{_parameters(value)}"
    for part in dir(value):
        if part.startswith("_") or not any(part in vars(base) for base in value.__mro__ if _is_own(base)):
            continue
        found = inspect.getattr_static(value, part)
        if isinstance(found, staticmethod | classmethod):
            yield f"{name}.{part}{_parameters(getattr(value, part))} [{type(found).__name__}]"
        elif inspect.isroutine(found):
            yield f"{name}.{part}{_parameters(found)}"
        else:
            yield f"{name}.{part}"
    for part in getattr(value, "__dataclass_fields__", ()):
        if not part.startswith("_"):
            yield f"{name}.{part}"


def _is_own(value: Any) -> bool:
    """Whether it is of the package."""
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(home, str) and f"{home}.".startswith("fstmetrics.")


def _parameters(value: Any) -> str:
    """Names, kinds and defaults; types are for mypy, and have names from inside."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    plain = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    return re.sub(
        " at 0x[0-9a-f]+", "", str(signature.replace(parameters=plain, return_annotation=signature.empty))
    )
