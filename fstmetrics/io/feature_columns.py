"""Features of a decoder's model in files: `FeatureColumns`, rows of them as they are read.

`features_of_field` reads the third field of an n-best list's line, in the ways decoders write it:

    d= 0 -3.3 lm= -47.2 tm= -36.7 -58.3       Moses: a name before its values; with several, d_1, d_2, ...
    d: 0 -3.3 lm: -47.2                       old Moses
    Glue=1 LanguageModel=-12.4                cdec, Joshua, and Moses' sparse features
    -127.759 -6.353 -11.577                   old Joshua: feature_1, feature_2, ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence

from fstmetrics.data.features import FeatureRows, Features
from fstmetrics.io.arcs import shown
from fstmetrics.io.items import FeatureOptions
from fstmetrics.io.weights_file import counted_from_0, spelled_alike
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source

UNNAMED = "feature"
# So many names are in a message.
NAMED = 5


class FeatureColumns:
    """The features of one item, row by row.

    Args:
        source: the file, for messages.
        options: what is wanted.
    """

    def __init__(self, source: Source, options: FeatureOptions) -> None:
        self._source, self._options = source, options
        self._rows = FeatureRows()

    def add(self, row: Iterable[tuple[str, float]], line: int | None = None, where: str = "") -> None:
        """One more row.

        Args:
            row: names and values.
            line: of the file, for messages.
            where: which row it is, where lines do not say, for messages.

        Raises:
            InputError: a value that is no finite number, or a feature that has no weight.
        """
        known, pairs = self._options.known, list(row)
        for name, value in pairs:
            if not math.isfinite(value):
                raise self._error(f"{where}the feature {shown(name)} is {value}, no finite number", line)
            if known is not None and name not in self.names and name not in known:
                what = f"{where}the feature {shown(name)} has no weight in {self._options.place}"
                features = [other for other, _ in pairs]
                if zero := counted_from_0(name, sorted(known), features):
                    raise self._error(
                        f"{what}, which counts from 0 ({shown(zero)}), and features are counted from 1: name the "
                        f"weights {shown(re.sub('_[0-9]+$', '_1', name))}, ... there",
                        line,
                    )
                if alike := spelled_alike(name, known):
                    raise self._error(
                        f"{what}, which has {shown(alike[0])}: name it {shown(name)} there", line
                    )
                if known and not where and known.isdisjoint(features):
                    raise self._error(
                        f"none of the features ({listed(features, NAMED)}) has a weight in {self._options.place}, "
                        f"which has {listed(sorted(known), NAMED)}: give the weights the names of the features there",
                        line,
                    )
                raise self._error(f"{what}; add the line `{name} 0` there{self._options.otherwise}", line)
        self._rows.add(pairs)

    @property
    def names(self) -> Collection[str]:
        """Of the features that a row has."""
        return self._rows.names

    def _error(self, message: str, line: int | None) -> InputError:
        return self._source.error(message, line) if line else self._source.error(message)

    def features(self) -> Features:
        """All rows."""
        return self._rows.features()


def features_of_field(text: str, names: Sequence[str] = ()) -> list[tuple[str, float]]:
    """Names and values of a field of features. Raises ValueError with a message.

    Args:
        text: the field.
        names: what values without names are called.

    >>> features_of_field("d= 0 -3.5 lm= -47 Glue=1")
    [('d_1', 0.0), ('d_2', -3.5), ('lm', -47.0), ('Glue', 1.0)]
    >>> features_of_field("-1.5 2")
    [('feature_1', -1.5), ('feature_2', 2.0)]
    """
    groups: list[tuple[str, list[float]]] = []
    for token in text.split():
        name, equals, value = token.rpartition("=")
        if equals and not value:
            groups.append((name, []))
        elif equals and name:
            groups.append((name, [_number(value, name)]))
        elif not equals and token[-1] == ":" and len(token) > 1:
            groups.append((token[:-1], []))
        else:
            if not groups:
                groups.append(("", []))
            groups[-1][1].append(_number(token, groups[-1][0] or f"{UNNAMED}_{len(groups[-1][1]) + 1}"))
    if not groups:
        raise ValueError("there are no features: expected `name= value ...`, `name=value ...` or values")
    found: list[tuple[str, float]] = []
    for name, values in groups:
        found += _named(name, values, names)
    if len(dict(found)) < len(found):
        twice = next(name for at, (name, _) in enumerate(found) if name in dict(found[:at]))
        raise ValueError(f"the feature {shown(twice)} stands twice")
    return found


def _named(name: str, values: Sequence[float], names: Sequence[str]) -> list[tuple[str, float]]:
    if name and not values:
        raise ValueError(f"the feature {shown(name)} has no value")
    if name:
        return (
            [(name, values[0])] if len(values) == 1 else [(f"{name}_{i}", v) for i, v in enumerate(values, 1)]
        )
    if names and len(names) != len(values):
        raise ValueError(
            f"{len(values)} values without names, and --feature-names has {len(names)}: {listed(names)}"
        )
    return list(zip(names or [f"{UNNAMED}_{i}" for i in range(1, len(values) + 1)], values, strict=True))


def _number(text: str, name: str) -> float:
    try:
        if "_" in text or not text.isascii():  # which Python's own numbers may have
            raise ValueError
        return float(text)
    except ValueError:
        raise ValueError(f"the feature {shown(name)} is {shown(text)}, no number") from None
