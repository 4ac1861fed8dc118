"""Features of a decoder's model in files, and files of their weights: `name value` lines as cdec and Joshua have them,
`name= value value ...` lines as Moses has them, also in the section `[weight]` of its moses.ini.

`read_weights` reads any of them, `tell_misnamed` tells of features with other names, `as_scales` has those of the costs
of lattices as options, `layout_of` says which one a file is in, `weights_text` writes them.

`FeatureColumns` has rows of features as they are read. `features_of_field` reads the third field of an n-best list's
line, in the ways decoders write it:

    d= 0 -3.3 lm= -47.2 tm= -36.7 -58.3       Moses: a name before its values; with several, d_1, d_2, ...
    d: 0 -3.3 lm: -47.2                       old Moses
    Glue=1 LanguageModel=-12.4                cdec, Joshua, and Moses' sparse features
    -127.759 -6.353 -11.577                   old Joshua: feature_1, feature_2, ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from fstmetrics.data.feature_forest import LATTICE_FEATURES
from fstmetrics.data.features import FeatureRows, Features
from fstmetrics.data.symbols import EPSILON_WORDS
from fstmetrics.io.arcs import real, shown
from fstmetrics.io.items import FeatureOptions
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_bytes import FileState, state_of
from fstmetrics.support.names import listed
from fstmetrics.support.source import Source

NO_WEIGHTS: Mapping[str, float] = MappingProxyType({})
# How weights are written: `name= value value`, the same in a moses.ini, `name value`.
LAYOUTS = ("moses", "moses-ini", "cdec", "joshua")
# Options of commands that take lattices.
OPTIONS_OF_SCALES = "--lm-scale {lm!r} --acoustic-scale {acoustic!r} --word-penalty {word_penalty!r}"
_SECTION = re.compile(r"\s*\[([^\[\]]+)\]\s*")
_WEIGHT = "weight"
_COMMENT = re.compile(r"(?<!\S)#.*")
# Of more weights, most are of sparse features, which many a forest lacks.
MOST = 100
# One of several values of a feature.
_NUMBERED = re.compile(r"(.+)_([1-9][0-9]*)")


def read_weights(path: str | None) -> Mapping[str, float]:
    """Read a file of weights: the weight of each feature. No path, no weights.

    Of `name= ...`, which may stand on several lines, one value is the weight of the feature `name`, more are those of
    `name_1`, `name_2`, ... A `#` begins a comment, at the beginning of a line or behind white space. Of a file with
    lines `[section]`, as moses.ini has them, only the section `[weight]` counts.

    Raises:
        InputError: the file cannot be read, a line that is neither of the two, a feature that has two weights, names
            with a colon, or sections without `[weight]`.
    """
    if path is None:
        return NO_WEIGHTS
    return _parsed(path, state_of(path))


# A folder of hypergraphs asks for the same weights once a file. A changed file is a new one.
@lru_cache(maxsize=4)
def _parsed(path: str, _state: FileState | None) -> Mapping[str, float]:
    source = Source.open(path)
    named: dict[str, float] = {}
    listed: dict[str, list[float]] = {}
    for number, line in _lines_of_weights(source):
        name, *values = line.split()
        weights = [_weight(source, number, value) for value in values]
        if name.endswith("=") and weights:
            listed.setdefault(name[:-1], []).extend(weights)
        elif len(weights) != 1:
            raise source.error(f"expected `name weight` or `name= weight ...`, found {shown(line)}", number)
        elif name in named:
            raise source.error(f"the feature {shown(name)} has a weight already", number)
        else:
            named[name] = weights[0]
    if [*named.values()][:2] == [0, 1] and next(iter(named)) in EPSILON_WORDS:
        raise source.error("looks like a symbol table (`word integer` lines), not like weights of features")
    if named and all(name.endswith(":") for name in named):
        raise source.error(
            "expected `name weight`, found names with a colon (`name: weight`); take the colons out"
        )
    for name, weights in listed.items():
        parts = (
            {name: weights[0]} if len(weights) == 1 else {f"{name}_{i}": w for i, w in enumerate(weights, 1)}
        )
        if twice := parts.keys() & named.keys():
            raise source.error(f"the feature {shown(min(twice))} has two weights")
        named |= parts
    return MappingProxyType(named)


def tell_misnamed(
    weights: Mapping[str, float], features: Collection[str], remark: Callable[[str], None]
) -> None:
    """Tell of weights of no feature of an item, beside features without a weight that have the same name but for
    case, signs, or a number at the end that one of them lacks, or beside features that are counted from 1 where
    it has the number 0; not of many weights, as sparse features have them.

    >>> tell_misnamed({"LM": 0.5, "tm_0": 0.5, "tm_1": 1.0, "tm_3": 1.0}, {"LM0", "tm_1", "tm_2"}, print)
    --weights: an item has no feature 'LM', and its 'LM0' has no weight, so it weighs nothing: is it the same?
    --weights: an item has no feature 'tm_0', and its features 'tm_1', ... are counted from 1: so are their weights
    """
    lacking = [name for name in weights if name not in features]
    for other in sorted(features) if lacking and len(weights) <= MOST else ():
        for name in spelled_alike(other, lacking) if other not in weights else ():
            remark(
                f"--weights: an item has no feature {shown(name)}, and its {shown(other)} has no weight, so it "
                "weighs nothing: is it the same?"
            )
        if other.endswith("_1") and (first := counted_from_0(other, lacking, features)) and weights[first]:
            remark(
                f"--weights: an item has no feature {shown(first)}, and its features {shown(other)}, ... are counted "
                "from 1: so are their weights"
            )


def as_scales(weights: Mapping[str, float], written: str = OPTIONS_OF_SCALES) -> str:
    """Weights of the three costs of lattices as a command takes them; empty where they are of others.

    >>> as_scales({"lm": 1.5, "acoustic": 0.1, "word_penalty": -2.0})
    '--lm-scale 1.5 --acoustic-scale 0.1 --word-penalty -2.0'
    """
    return written.format(**weights) if weights.keys() == set(LATTICE_FEATURES) else ""


def counted_from_0(name: str, known: Iterable[str], features: Collection[str]) -> str | None:
    """The weight `name_0` that is of no feature, where there are features `name_1`, ..., as Moses' are called here.

    >>> counted_from_0("TM_2", ["LM", "TM_0", "TM_1"], ["LM", "TM_1", "TM_2"])
    'TM_0'
    """
    match = _NUMBERED.fullmatch(name)
    if not match or f"{match[1]}_1" not in features:
        return None
    first = (_split(name)[0], "0")
    return next((other for other in known if _split(other) == first and other not in features), None)


def spelled_alike(name: str, others: Iterable[str]) -> list[str]:
    """Those that are the same name but for case, signs, or a number at the end that one of them lacks.

    >>> spelled_alike("tm_1", ["TM1:", "tm", "tm_2", "lm"])
    ['TM1:', 'tm']
    """
    stem, number = _split(name)
    split = [(other, *_split(other)) for other in others]
    return [
        other for other, its_stem, its_number in split
        if stem == its_stem and (number == its_number or not (number and its_number))
    ]  # fmt: skip


def _split(name: str) -> tuple[str, str]:
    """A name without case and signs, and the number at its end.

    >>> _split("tm:00"), _split("TM[1]"), _split("lm:"), _split("<>")
    (('tm', '0'), ('tm', '1'), ('lm', ''), ('<>', ''))
    """
    bare = re.sub(r"[\W_]", "", name.casefold()) or name
    stem = bare.rstrip("0123456789")
    return stem, bare[len(stem) :].lstrip("0") or bare[len(stem) :][:1]


def _lines_of_weights(source: Source) -> Iterator[tuple[int, str]]:
    """The lines that are no comments; of a file with sections, those of `[weight]`."""
    sections = [match[1] for _, line in source.lines() if (match := _SECTION.fullmatch(line))]
    if sections and _WEIGHT not in sections:
        raise source.error(
            f"expected a section [{_WEIGHT}], found {listed([f'[{name}]' for name in sections])}"
        )
    inside = not sections
    for number, line in source.lines():
        if match := _SECTION.fullmatch(line):
            inside = match[1] == _WEIGHT
        elif inside and (line := _COMMENT.sub("", line)).strip():
            yield number, line


def layout_of(path: str) -> str:
    """Which of `LAYOUTS` a file of weights is in; `name value` lines are cdec's.

    Raises:
        InputError: the file cannot be read.
    """
    source = Source.open(path)
    if any(_SECTION.fullmatch(line) for _, line in source.lines()):
        return "moses-ini"
    firsts = (line.split()[0] for _, line in _lines_of_weights(source))
    return "moses" if any(first.endswith("=") for first in firsts) else "cdec"


def weights_text(weights: Mapping[str, float], layout: str, around: str | None = None) -> str:
    """A file of weights, as `read_weights` and the decoders read it.

    Args:
        weights: of each feature; `name_1`, `name_2`, ... are the values of one feature function of Moses.
        layout: one of `LAYOUTS`.
        around: a moses.ini, whose other sections stay as they are.

    Raises:
        InputError: the moses.ini cannot be read.

    >>> weights_text({"lm": 0.5, "tm_1": 0.25, "tm_2": 0.0}, "moses")
    'lm= 0.5\\ntm= 0.25 0.0\\n'
    """
    if layout in ("cdec", "joshua"):
        return "".join(f"{name} {weight!r}\n" for name, weight in weights.items())
    lines = [f"{name}= {' '.join(map(repr, values))}\n" for name, values in _functions(weights).items()]
    if layout == "moses":
        return "".join(lines)
    source = Source.open(around) if around else None
    if source is None or not any(_SECTION.fullmatch(line) for _, line in source.lines()):
        return "".join([f"[{_WEIGHT}]\n", *lines])
    return "".join(_replaced(source, lines))


def _replaced(source: Source, lines: list[str]) -> Iterator[str]:
    """The lines of a moses.ini with others in its section `[weight]`."""
    inside = False
    for _, line in source.lines():
        if match := _SECTION.fullmatch(line):
            inside = match[1] == _WEIGHT
            yield f"{line}\n"
            if inside:
                yield from lines
                lines = []
        elif not inside or not line.strip() or line.lstrip().startswith("#"):
            yield f"{line}\n"


def _functions(weights: Mapping[str, float]) -> dict[str, list[float]]:
    """Weights by feature function: `name_1` to `name_k`, where all of them are there, are its values."""
    numbers: dict[str, dict[int, float]] = {}
    for name, weight in weights.items():
        if match := _NUMBERED.fullmatch(name):
            numbers.setdefault(match[1], {})[int(match[2])] = weight
    whole = {
        name for name, found in numbers.items()
        if len(found) > 1 and sorted(found) == list(range(1, len(found) + 1)) and name not in weights
    }  # fmt: skip
    functions: dict[str, list[float]] = {}
    for name, weight in weights.items():
        match = _NUMBERED.fullmatch(name)
        if match and match[1] in whole:
            functions[match[1]] = [numbers[match[1]][i] for i in range(1, len(numbers[match[1]]) + 1)]
        else:
            functions[name] = [weight]
    return functions


def _weight(source: Source, number: int, text: str) -> float:
    try:
        return real(text)
    except ValueError:
        raise source.error(f"a weight is a finite number, not {shown(text)}", number) from None


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
