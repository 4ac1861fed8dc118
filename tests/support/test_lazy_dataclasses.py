"""`fstmetrics.support.lazy_dataclasses`: a class is in the end what the standard library makes of it."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, field
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from fstmetrics.support import lazy_dataclasses

OPTIONS = [
    {},
    {"eq": False},
    {"slots": True},
    {"frozen": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "slots": True},
]


def simple(dataclass: Callable[[type], type]) -> type:
    class Simple:
        """Fields with and without defaults."""

        KIND: ClassVar[str] = "kind"
        a: int
        b: str = "b"
        c: list[int] = field(default_factory=list, compare=False)
        d: int = field(default=4, repr=False)
        e: int = field(default=5, init=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    return dataclass(Simple)


def derived(dataclass: Callable[[type], type]) -> type:
    class Base(ABC):
        """A base that is abstract."""

        a: int
        b: str = "b"

        @abstractmethod
        def two(self) -> int:
            """Something."""

    base = dataclass(Base)

    class Derived(base):  # type: ignore[valid-type, misc]
        """One that adds a field."""

        c: tuple[int, ...] = ()

        def two(self) -> int:
            return 2

    return dataclass(Derived)


def peculiar(dataclass: Callable[[type], type]) -> type:
    class Peculiar:
        """Its own methods stay."""

        a: int
        b: str = "x"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self)) and self.a % 10 == other.a % 10

        def __repr__(self) -> str:
            return f"<{self.a}>"

    return dataclass(Peculiar)


def hashed(dataclass: Callable[[type], type]) -> type:
    class Hashed:
        """A hash of its own."""

        a: int
        b: str = "x"

        def __hash__(self) -> int:
            return self.a

    return dataclass(Hashed)


def outcome(of: Callable[[], Any]) -> Any:
    """What comes of a call, or the error."""
    try:
        return of()
    except Exception as error:
        return type(error), str(error)


def assigned(one: Any, name: str) -> Any:
    setattr(one, name, 7)
    return getattr(one, name)


def questions(kind: Any) -> Iterator[Callable[[], Any]]:
    """What may be asked of a class, of which each may be the first."""
    yield lambda: str(inspect.signature(kind))
    yield lambda: [
        (each.name, each.type, each.default, each.init, each.repr, each.compare)
        for each in dataclasses.fields(kind)
    ]
    yield lambda: repr(kind.__dataclass_params__)
    yield lambda: kind.__match_args__
    yield lambda: dataclasses.is_dataclass(kind)
    yield lambda: (kind.__doc__, kind.__name__, kind.__module__)
    yield lambda: getattr(kind, "__slots__", None)
    yield lambda: [hasattr(kind, name) and repr(getattr(kind, name))[:9] for name in "bcd"]
    yield lambda: kind(1)
    yield lambda: repr(kind(1))
    yield lambda: repr(kind(1, "c"))
    yield lambda: kind(-1)
    yield lambda: kind()
    yield lambda: kind(1, "b", [], 4, 5, 6)
    yield lambda: kind(1) == kind(1)
    yield lambda: kind(1) != kind(11)
    yield lambda: kind(1).__eq__(3)
    yield lambda: len({kind(1), kind(1)})  # both at the same time, as the hash may be the place in memory
    yield lambda: repr(dataclasses.replace(kind(1), a=2))
    yield lambda: dataclasses.asdict(kind(3))
    yield lambda: repr(copy.copy(kind(1)))
    yield lambda: repr(copy.deepcopy(kind(1)))
    yield lambda: assigned(kind(1), "a")
    yield lambda: delattr(kind(1), "a")
    yield lambda: repr(object.__new__(kind))
    if sys.version_info >= (3, 13):
        yield lambda: repr(copy.replace(kind(1), a=2))


def told(answer: Any) -> Any:
    """An answer, where it is an object the class and what it holds."""
    return (type(answer).__qualname__, repr(answer)[-9:-4]) if dataclasses.is_dataclass(answer) else answer


def check_question(ours: Callable[[], Any], theirs: Callable[[], Any], options: dict[str, bool]) -> None:
    expected = outcome(theirs)
    if dataclasses.is_dataclass(expected) and options.get("eq", True) is False:
        assert type(outcome(ours)).__qualname__ == type(expected).__qualname__
    else:
        assert repr(told(outcome(ours))) == repr(told(expected))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("make", [simple, derived, peculiar, hashed])
def test_each_question_first(make: Any, options: dict[str, bool]) -> None:
    count = len(list(questions(None)))
    for first in range(count):
        ours = make(lazy_dataclasses.dataclass(**options))
        theirs = make(dataclasses.dataclass(**options))
        pairs = list(zip(questions(ours), questions(theirs), strict=True))
        for one, other in [pairs[first], *pairs]:
            check_question(one, other, options)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("make", [simple, derived, peculiar, hashed])
def test_a_signal_while_methods_are_written_comes_out(make: Any, options: dict[str, bool]) -> None:
    """Python drops it where it comes while a method is looked for, and takes objects for others. Then all is as if it
    had not come."""
    stopped = 0
    for number, theirs in enumerate(questions(make(dataclasses.dataclass(**options)))):
        for due in range(1, 5):
            ours = list(questions(make(lazy_dataclasses.dataclass(**options))))[number]
            written = 0

            def until(due: int = due, **given: bool) -> Any:
                nonlocal written
                written += 1
                if written == due:
                    raise KeyboardInterrupt
                return dataclasses.dataclass(**given)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(lazy_dataclasses, "dataclasses", SimpleNamespace(dataclass=until))
                if interrupted(ours):
                    stopped += 1
                else:
                    assert written < due
            check_question(ours, theirs, options)
    assert stopped


def interrupted(of: Callable[[], Any]) -> bool:
    """Whether an interrupt comes out of a call."""
    try:
        outcome(of)
    except KeyboardInterrupt:
        return True
    return False


@lazy_dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    """One that pickle finds by its name."""

    a: int
    b: tuple[str, ...] = ()


@lazy_dataclasses.dataclass(frozen=True, slots=True)
class Sent:
    """The same, of which no object was made before one is read."""

    a: int
    b: tuple[str, ...] = ()


def test_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ("a",)))) == Kept(1, ("a",))
    unmade = pickle.dumps(Kept(1, ("a",)), 0).replace(b"Kept", b"Sent")
    assert repr(pickle.loads(unmade)) == "Sent(a=1, b=('a',))"


def test_a_frozen_object_takes_no_other_attribute() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'other'"):
        Kept(1).other = 2  # type: ignore[attr-defined]
    plain = type("Plain", (simple(lazy_dataclasses.dataclass(frozen=True)),), {})(1)
    plain.other = 2
    assert plain.other == 2
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        plain.a = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del plain.a


def test_threads_make_the_first_objects_together() -> None:
    for _ in range(50):
        kind = simple(lazy_dataclasses.dataclass(frozen=True, slots=True))
        start, shown = threading.Barrier(4), []

        def make(kind: Any = kind, start: Any = start, shown: Any = shown) -> None:
            start.wait()
            shown.append(repr(kind(1)))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(shown) == 4
        assert len(set(shown)) == 1
