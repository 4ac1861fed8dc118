"""Dataclasses whose methods are written when one is first needed: `dataclass`, for that of the standard library.

The standard library writes the methods of a dataclass as text and compiles them when the class is made: half a
millisecond a class, and a command makes objects of a third of the classes that it imports. Here a class begins with
placeholders. The first use of one has the standard library write the methods; from then on the class is what it would
have been.

The options are `frozen`, `eq` and `slots`. What is wrong with a class is told at its first use.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError
from typing import TYPE_CHECKING, Any

# What is written for the first object of a class, and what few objects are asked for.
AT_FIRST = ("__init__", "__dataclass_fields__", "__match_args__", "__replace__")
LATER = ("__dataclass_params__", "__repr__", "__eq__", "__hash__", "__getstate__", "__setstate__")
# Of these, what Python itself looks for on the way to an operator: there it drops what a `__get__` raises, a signal's
# exception among them, and compares by identity instead. Their placeholders are functions.
OPERATORS = frozenset({"__repr__", "__eq__", "__hash__"})
# Of these every class has its own.
OWN = frozenset({"__dict__", "__weakref__"})


class _Placeholder:
    """What a class has under a name until that is written."""

    __slots__ = ("name", "plan")

    def __init__(self, plan: _Plan, name: str) -> None:
        self.plan, self.name = plan, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        written = self.plan.written(self.name)
        return written.__get__(instance, owner) if hasattr(written, "__get__") else written


def _operator(plan: _Plan, name: str) -> Callable[..., Any]:
    """A method that is called with what it is called with once it is written."""

    def placeholder(self: Any, *others: Any) -> Any:
        return plan.written(name)(self, *others)

    return placeholder


class _Plan:
    """A class with placeholders, and how they are filled: the standard library makes a twin, whose methods it gets.

    Several threads may do so at the same time; each finds the same.

    Attributes:
        made: the class; a new one if it has slots, as in the standard library.
        placeholders: what it has first, by name.
    """

    def __init__(self, given: type, frozen: bool, eq: bool, slots: bool) -> None:
        self.body = {name: value for name, value in vars(given).items() if name not in OWN}
        self.body["__qualname__"] = given.__qualname__
        self.frozen, self.eq, self.slots = frozen, eq, slots
        fields = [name for name, kind in given.__annotations__.items() if not kind.startswith("ClassVar")]
        self.made = _with_slots(given, self.body, fields) if slots else _with_defaults(given, fields)
        self.placeholders = {
            name: _operator(self, name) if name in OPERATORS else _Placeholder(self, name)
            for name in self._names()
        }
        for name, placeholder in self.placeholders.items():
            setattr(self.made, name, placeholder)
        if frozen:
            _freeze(self.made)
        elif eq and "__hash__" not in self.body:
            self.made.__hash__ = None  # type: ignore[assignment]  # as equal objects would need equal ones

    def _names(self) -> set[str]:
        """What the standard library will write; what a class has of its own stays."""
        own = set(self.body)
        if "__eq__" in own and self.body["__hash__"] is None:
            own.remove("__hash__")  # Python put it there
        names = {*AT_FIRST, "__dataclass_params__", "__repr__"}
        names -= {"__replace__"} if sys.version_info < (3, 13) else set()
        names |= {"__eq__"} if self.eq else set()
        names |= {"__hash__"} if self.eq and self.frozen else set()
        names |= {"__getstate__", "__setstate__"} if self.slots and self.frozen else set()
        return names - own

    def written(self, name: str) -> Any:
        """What the class has under a name once that is written."""
        is_first = name in AT_FIRST
        options = {"repr": not is_first, "eq": self.eq and not is_first}
        twin = type(self.made)(self.made.__name__, self.made.__bases__, dict(self.body))
        twin = dataclasses.dataclass(frozen=self.frozen, slots=self.slots, **options)(twin)
        for each in AT_FIRST if is_first else LATER:
            if each in self.placeholders and vars(self.made)[each] is self.placeholders[each]:
                setattr(self.made, each, vars(twin)[each])
        return vars(self.made)[name]


def _with_slots(given: type, body: dict[str, Any], fields: Sequence[str]) -> type:
    """The class with a slot for each field."""
    rest = {name: value for name, value in body.items() if name not in fields}
    return type(given)(given.__name__, given.__bases__, {**rest, "__slots__": tuple(fields)})


def _with_defaults(given: type, fields: Sequence[str]) -> type:
    """The class with the defaults of its fields as attributes."""
    for name in fields:
        if isinstance(field := vars(given).get(name), Field):
            if field.default is MISSING:
                delattr(given, name)
            else:
                setattr(given, name, field.default)
    return given


def _freeze(made: Any) -> None:
    """Refuse to set fields, and to delete them."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is made or name in made.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is made or name in made.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    made.__setattr__, made.__delattr__ = __setattr__, __delattr__


def _lazily(
    given: type | None = None, /, *, frozen: bool = False, eq: bool = True, slots: bool = False
) -> type | Callable[[type], type]:
    """A class of these options, or a decorator that makes one."""
    if given is None:
        return lambda given: _Plan(given, frozen, eq, slots).made
    return _Plan(given, frozen, eq, slots).made


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _lazily
