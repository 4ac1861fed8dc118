"""Which items belong together: those with equal values of fields, or with numbers in one bin: `Grouping`.

`groupings_of` reads what the option `--by` is given, `grouping_of` what `by()` is given in Python.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.fields import SPEAKER, Field, Fields, coded, present
from fstmetrics.data.segments import DURATION
from fstmetrics.support.arguments import NUMBER, described
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.options import Kind, each_once

if TYPE_CHECKING:
    import numpy.typing as npt


class Truth(Enum):
    """A truth value as a key of groups: Python takes True for 1."""

    TRUE = True
    FALSE = False


# What the items of a group have in common: a value, or one for each of several fields. None: they lack the field.
Key = Field | Truth | tuple[Field | Truth, ...]

# What a table calls the items without the field.
NONE = "(none)"
# Different numbers that are many for a table where most have one item, and that are always so.
MANY, MOST = 10, 50
FORM = "expected names of fields, joined by commas, or a field and its bins, as duration:5,10,20"


@dataclass(frozen=True)
class Grouping:
    """What puts items into groups.

    Attributes:
        fields: their names; of several, items belong together that agree in all of them.
        bins: where the numbers of the last field are cut, in increasing order; empty: each value is a group. A number
            that is a bin's edge belongs to the bin above it.

    Raises:
        FstmetricsError: bins that do not increase.

    >>> by = Grouping(("duration",), (5, 10))
    >>> [by.key({"duration": seconds}) for seconds in (1, 5, 9.9, 10, None)]
    ['< 5', '5 to < 10', '5 to < 10', '>= 10', None]
    >>> Grouping(("domain", "gender")).key({"domain": "news"})
    ('news', None)
    """

    fields: tuple[str, ...]
    bins: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if any(low >= high for low, high in zip(self.bins, self.bins[1:], strict=False)):
            found = ",".join(f"{edge:g}" for edge in self.bins)
            raise FstmetricsError(f"the bins of {self.fields[-1]} must increase, not {found}")

    @property
    def name(self) -> str:
        """What the table is called: the fields, joined by `+`."""
        return "+".join(self.fields)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the bins are called, from the least up."""
        if not self.bins:
            return ()
        inner = (f"{low:g} to < {high:g}" for low, high in zip(self.bins, self.bins[1:], strict=False))
        return (f"< {self.bins[0]:g}", *inner, f">= {self.bins[-1]:g}")

    def key(self, fields: Fields, id: str | None = None) -> Key:
        """The group of an item; None for a field that it lacks, that is null, empty or no number (nan).

        Raises:
            FstmetricsError: there are bins, and the field is no number; it has the item's id.
        """
        if len(self.fields) == 1 and not self.bins:
            return keyed(present(fields.get(self.fields[0])))
        values = tuple(map(present, map(fields.get, self.fields)))
        if self.bins and values[-1] is not None:
            values = (*values[:-1], self._label(values[-1], id))
        return keyed(values[0] if len(values) == 1 else values)

    def coded(
        self, fields: Sequence[Fields], ids: Sequence[str | None] | None = None
    ) -> tuple[npt.NDArray[np.int64], list[Key]]:
        """The groups of many items: the number of each one's, and those groups, of which some may be equal.

        Errors are those of `key`, for the first item of which it raises one.

        >>> Grouping(("duration",), (5, 10)).coded([{"duration": 1}, {"duration": 7.5}, {}])[1]
        ['< 5', '5 to < 10', None]
        """
        columns = [coded(fields, name) for name in self.fields]
        # The number of each item's values; of several fields, digits of one, counted anew each time.
        numbers = columns[0][0]
        for codes, values in columns[1:]:
            numbers = np.unique(numbers * len(values) + codes, return_inverse=True)[1].reshape(-1)
        _, first, places = np.unique(numbers, return_index=True, return_inverse=True)
        order = np.argsort(first)
        found: list[Key] = []
        for place in first[order].tolist():
            own = {
                name: values[codes[place]] for name, (codes, values) in zip(self.fields, columns, strict=True)
            }
            found.append(self.key(own, None if ids is None else ids[place]))
        return np.argsort(order)[places.reshape(-1)], found

    def bins_remark(self, sizes: Mapping[Any, int]) -> Iterator[str]:
        """That a field of many different numbers is better in bins, with an example; nothing of others.

        Args:
            sizes: how many items have each value.

        >>> list(Grouping(("s",)).bins_remark({n / 8: 1 for n in range(30)}))
        ['by s: 30 different numbers; --by s:1.2,2.5 makes bins of them']
        """
        if self.bins or len(self.fields) > 1 or self.fields == (SPEAKER,) or len(sizes) < MANY:
            return
        try:
            numbers = sorted(float(value) for value in sizes if value is not None)
        except (ValueError, TypeError):
            return
        is_spread = len(sizes) > MOST or 2 * list(sizes.values()).count(1) > len(sizes)
        if is_spread and all(map(math.isfinite, numbers)):
            edges = {float(f"{numbers[third * len(numbers) // 3]:.2g}") for third in (1, 2)}
            bins = ",".join(f"{edge:g}" for edge in sorted(edges))
            yield f"by {self.name}: {len(numbers)} different numbers; --by {self.name}:{bins} makes bins of them"

    def _label(self, value: Field, id: str | None) -> str | None:
        number: float | None
        if isinstance(value, str):
            try:
                number = float(value)
            except ValueError:
                number = None
        else:  # an integer as it is: it may be too large for floating point
            number = None if isinstance(value, bool) else value
        endless = self.fields[-1] == DURATION and number in (math.inf, -math.inf)
        if number is None or endless:
            where = "" if id is None else f"item {id}: "
            raise FstmetricsError(
                f"{where}the field {self.fields[-1]} is {value!r:.80}, not a {'finite ' * endless}number, so that it "
                f"is in none of the bins {','.join(f'{edge:g}' for edge in self.bins)}"
            )
        return None if number != number else self.labels[bisect_right(self.bins, number)]

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Groups in the order of a table: numbers, texts, then what lacks the field; bins from the least up."""
        return sorted(keys, key=self._place)

    def _place(self, key: Key) -> list[tuple[int, float, str]]:
        values = key if isinstance(key, tuple) else (key,)
        places = [_place(value) for value in values]
        if self.bins and values[-1] is not None:
            places[-1] = (0, self.labels.index(str(values[-1])), "")
        return places


def _place(value: Field | Truth) -> tuple[int, float, str]:
    if value is None:
        return 2, 0, ""
    if isinstance(value, Truth):
        return 0, value.value, "truth"
    return (1, 0, value) if isinstance(value, str) else (0, value, "")


def keyed(value: Key) -> Key:
    """A value as a key of groups, in which truth values are no numbers.

    >>> keyed(True), keyed(("news", False)), keyed(1)
    (<Truth.TRUE: True>, ('news', <Truth.FALSE: False>), 1)
    """
    if isinstance(value, tuple):
        return tuple(Truth(each) if isinstance(each, bool) else each for each in value)
    return Truth(value) if isinstance(value, bool) else value


def plain(key: Key) -> Field | tuple[Field, ...]:
    """The value of a group: the reverse of `keyed`."""
    if isinstance(key, tuple):
        return tuple(each.value if isinstance(each, Truth) else each for each in key)
    return key.value if isinstance(key, Truth) else key


def json_value(value: Any) -> Any:
    """The value of a group as JSON has it: those of several fields as a list."""
    return list(value) if isinstance(value, tuple) else value


def label(key: Key) -> str:
    """A group as tables show it.

    >>> label("news"), label(None), label(("news", True)), label(2.0)
    ('news', '(none)', 'news, true', '2')
    """
    if isinstance(key, tuple):
        return ", ".join(map(label, key))
    if key is None:
        return NONE
    if isinstance(key, bool | Truth):
        return str(plain(key)).lower()
    return f"{key:.15g}" if isinstance(key, float) else str(key)


def labels(keys: Sequence[Key], taken: Sequence[str] = ()) -> list[str]:
    """Groups as a table shows them, no two alike: where the usual labels are, texts are in quotes, numbers in full.

    Args:
        keys: the groups.
        taken: what other rows of the table are called.

    >>> labels([1, "1", "news", None, "(none)", 0.1 + 0.2, 0.3])
    ['1', '"1"', 'news', '(none)', '"(none)"', '0.30000000000000004', '0.3']
    >>> labels(["all", "news"], taken=["all"])
    ['"all"', 'news']
    """
    usual = list(map(label, keys))
    times = Counter([*usual, *taken])
    return [each if times[each] == 1 else _exact(key) for each, key in zip(usual, keys, strict=True)]


def _exact(key: Key) -> str:
    if isinstance(key, tuple):
        return ", ".join(map(_exact, key))
    if isinstance(key, str):
        return json.dumps(key, ensure_ascii=False)
    return repr(key) if isinstance(key, float) and not key.is_integer() else label(key)


def groupings_of(text: str) -> list[Grouping]:
    """The groupings of an option: a table for each name; `a+b` is one table of both, `a:5,10` one of bins.

    Raises:
        FstmetricsError: an empty name, or a bin that is no number.

    >>> [by.name for by in groupings_of("speaker,domain+gender")], groupings_of("domain,duration:5,10")[1].bins
    (['speaker', 'domain+gender'], (5.0, 10.0))
    """
    names, colon, edges = text.partition(":")
    every = [tuple(name.strip() for name in part.split("+")) for part in names.split(",")]
    if any(not name for fields in every for name in fields):
        raise FstmetricsError(f"{FORM}; not {text!r:.80}")
    if any(len(set(fields)) < len(fields) for fields in every):
        raise FstmetricsError(f"a field comes twice in one table of {text!r:.80}")
    bins = tuple(_edge(edge, text) for edge in edges.split(",")) if colon else ()
    return [*map(Grouping, every[:-1]), Grouping(every[-1], bins)]


# Fields to make tables by, as `speaker,domain`; a field may have bins, as `duration:5,10`.
GROUPINGS = Kind(partial(each_once, names=groupings_of), offers=(), repeated=True)


def _edge(written: str, text: str) -> float:
    try:
        edge = float(written)
    except ValueError:
        edge = math.nan
    if not math.isfinite(edge):
        advice = "bins are of the last field, as speaker+duration:5,10" if "+" in written else FORM
        raise FstmetricsError(f"the bin {written.strip()!r:.40} of {text!r:.80} is no number; {advice}")
    return edge


def grouping_of(fields: object, bins: object = ()) -> Grouping:
    """The one grouping that somebody asks for in Python.

    Args:
        fields: a name, several of them for one table by all, or what `--by` takes.
        bins: numbers, where a field's numbers are cut.

    Raises:
        FstmetricsError: something else, or several tables.
    """
    if isinstance(fields, str):
        found = groupings_of(fields)
        if len(found) > 1:
            raise FstmetricsError(
                f"by() makes one table: give one field, or a+b for a table by both, not {fields!r:.80}"
            )
        fields, written = found[0].fields, found[0].bins
        bins = written or bins
    if not isinstance(fields, Sequence) or not fields or not all(isinstance(name, str) for name in fields):
        raise FstmetricsError(f"by() takes the name of a field, or several, not {described(fields)}")
    return Grouping(tuple(fields), _edges(bins))


def _edges(bins: object) -> tuple[float, ...]:
    if not isinstance(bins, Iterable) or isinstance(bins, str):
        raise FstmetricsError(f"bins are numbers, as [5, 10, 20], not {described(bins)}")
    edges = tuple(bins)
    for edge in edges:
        NUMBER.check(edge, "a bin")
        if not math.isfinite(edge):
            raise FstmetricsError(f"a bin is a finite number, not {edge}")
    return tuple(map(float, edges))


def refuse_unknown(grouping: Grouping, known: Iterable[str]) -> None:
    """Raise an FstmetricsError for a field that no item has; it names those that there are."""
    names = sorted(known)
    for name in grouping.fields:
        if name not in names:
            there = (
                "the items have no fields, as stm, SegLST and further columns of tables are (docs/fields.md)"
            )
            there = f"the fields are {listed(names, 8)}" if names else there
            if name == SPEAKER:
                there += "; --speakers of the command line takes speakers from ids"
            elif SPEAKER in names and name.lower().startswith(("speaker", "spk")):
                there += f"; a column of speakers is the field {SPEAKER}, whatever it is called"
            raise FstmetricsError(f"no item has a field {name!r:.80}; {there}")
