"""Options of commands as Python gives them: `fields_of_options` makes fields of requests of them.

An option has the name that it has on the command line, with `_` for `-`: `--lm-scale` is `lm_scale`. Its value is what
Python has for it (True, a number, a list, a path) or what would be written on the command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

from fstmetrics.evaluation.significance.p_values import TESTS
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.base import exact
from fstmetrics.metrics.bounds import MOST_CHRF, MOST_EXPONENT, MOST_ORDER, MOST_WINDOW
from fstmetrics.readers import FORMATS
from fstmetrics.runs.option_values import (
    MOST_EVERY,
    MOST_SEED,
    MOST_WEIGHT,
    PLACES,
    Sweep,
    beams,
    known_names,
    metric_name,
    real,
    refuse_ending,
    short,
    weights,
)
from fstmetrics.runs.request import REPORTS
from fstmetrics.runs.shards import Shard
from fstmetrics.scoring.search import MOST_THREADS, ROUTES
from fstmetrics.scoring.speakers.meetings import METRICS as SPEAKER_METRICS
from fstmetrics.scoring.speakers.meetings import MOST_COLLAR
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS, MOST_SAMPLES
from fstmetrics.support.names import did_you_mean, unknown
from fstmetrics.support.output import named_output
from fstmetrics.values.groupings import groupings_of
from fstmetrics.values.normalisation import FORMS, OPTIONAL_WORDS, UNITS
from fstmetrics.values.profiles import profile
from fstmetrics.values.transcripts import NOTATIONS


class Option(NamedTuple):
    """What Python may give for an option.

    Attributes:
        field: the field of a request.
        value: makes the field's value of what is given; raises a ValueError or an FstmetricsError.
    """

    field: str
    value: Callable[[Any], Any]


def path(given: Any) -> str:
    """A path, as text.

    Raises:
        ValueError: it is none.
    """
    found = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(found, str):
        raise ValueError(f"expected a path, not {given!r}")
    return found


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"expected text, not {given!r}")
    return given


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(f"expected True or False, not {given!r}")
    return given


def _whole(given: Any, least: int, most: int) -> int:
    written = given.isascii() and given.lstrip("+-").isdecimal() if isinstance(given, str) else None
    if isinstance(given, bool) or not (written or hasattr(given, "__index__")):
        raise ValueError(f"expected a whole number ({least} to {most}), not {given!r}")
    number = int(given)
    if not least <= number <= most:
        raise ValueError(f"{given} is not in the range {least} to {most}")
    return number


def _real(given: Any, least: float, most: float) -> float:
    number = real(given if isinstance(given, str) else _number(given))
    if number is None:
        raise ValueError(f"expected a number ({short(least)} to {short(most)}), not {given!r}")
    if not least <= number <= most:
        raise ValueError(f"{given} is not in the range {short(least)} to {short(most)}")
    return number


def _decimal(given: Any) -> str:
    """A number that is read exactly; a float is the decimal that Python writes for it."""
    written = str(given) if isinstance(given, str | Decimal) else _number(given)
    _real(written, -MOST_WEIGHT, MOST_WEIGHT)
    try:
        exact(written, "the value")
    except FstmetricsError as error:
        raise ValueError(str(error)) from None
    return written


def _one_of(given: Any, *known: str) -> str:
    if given not in known:
        raise ValueError(f"{given!r} is not one of {', '.join(known)}")
    return str(given)


def _each(given: Any, one: Callable[[Any], Any]) -> list[Any]:
    """One, or several."""
    several = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(several, Iterable):
        raise ValueError(f"expected one or a list, not {given!r}")
    return [one(each) for each in several]


def _fields(given: Any) -> list[str]:
    """Columns by the fields they are, or as the option has them; several columns of one field are a list."""
    if not isinstance(given, Mapping):
        return _each(given, _text)
    return [
        f"{_text(name)}={_text(column)}"
        for name, columns in given.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    ]


def _beams(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        return beams(given)
    several = given if isinstance(given, Iterable) else [given]
    return beams(",".join(map(_number, several)))


def _weights(given: Any) -> float | Sweep:
    if isinstance(given, str):
        return weights(given)
    return weights(",".join(map(_number, given if isinstance(given, Iterable) else [given])))


def _number(given: Any) -> str:
    if not isinstance(given, Real) or isinstance(given, bool):
        raise ValueError(f"expected numbers, not {given!r}")
    return str(given) if isinstance(given, int) else repr(float(given))


def _flat(given: Any, several: Callable[[str], Iterable[Any]]) -> list[Any]:
    """What each of some texts names, each once."""
    try:
        found = _each(given, lambda each: list(several(_text(each))))
    except FstmetricsError as error:
        raise ValueError(str(error)) from None
    return list(dict.fromkeys(one for each in found for one in each))


def _reports(given: Any) -> list[str]:
    return _flat(given, lambda text: known_names(text, REPORTS))


def _check(given: Any) -> int:
    judge, equals, every = _text(given).partition("=")
    if judge != "openfst":
        raise ValueError(f"expected openfst or openfst=N, not {given!r}")
    return _whole(every, 1, MOST_EVERY) if equals else 1


def _shard(given: Any) -> Shard:
    return given if isinstance(given, Shard) else Shard.parsed(_text(given))


def _format(given: Any) -> str:
    if given not in FORMATS:
        raise ValueError(unknown("format", str(given), FORMATS))
    return str(given)


def _profile(given: Any) -> str:
    profile(_text(given))
    return str(given)


def _output(given: Any, what: str, ending: str) -> str:
    refuse_ending(path(given), what, ending)
    found = named_output(path(given))
    if found == "-":
        raise ValueError("expected a file; what is printed is printed by the command only")
    return found


def _named(given: Any) -> list[str]:
    """Files by the names of what they hold, or `NAME=FILE` each."""
    if not isinstance(given, Mapping):
        return _each(given, path)
    return [f"{_text(name)}={path(file)}" for name, file in given.items()]


def _joined(given: Any) -> str:
    return ",".join(_each(given, _text))


def _metrics(given: Any) -> list[str]:
    """Names of metrics."""
    return _each(given, _text)


def _inside(given: Any) -> float:
    number = _real(given, 0, 1)
    if number in (0, 1):
        raise ValueError(f"{given} is not in the range above 0 to below 1")
    return number


def metric(given: Any) -> str | CorpusMetric:
    """A metric, or the name of one.

    Raises:
        ValueError: it is none.
    """
    return given if isinstance(given, CorpusMetric) else metric_name(_text(given))


def _numbers(least: int, most: int) -> Callable[[Any], int]:
    return partial(_whole, least=least, most=most)


def _reals(least: float, most: float) -> Callable[[Any], float]:
    return partial(_real, least=least, most=most)


def _among(*known: str) -> Callable[[Any], str]:
    return lambda given: _one_of(given, *known)


def _many(one: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    return partial(_each, one=one)


def _options(**kinds: Callable[[Any], Any]) -> dict[str, Option]:
    """Options whose fields have their names."""
    return {name: Option(name, kind) for name, kind in kinds.items()}


METRIC_OPTIONS = _options(
    order=_numbers(1, MOST_ORDER),
    alpha=_decimal,
    beta=_decimal,
    window=_numbers(1, MOST_WINDOW),
    reordering=_among("moves", "jumps"),
    ref_length=_among("closest", "shortest", "average"),
    smoothing=_among("exp", "plus-one", "none"),
    chrf_char_order=_numbers(1, MOST_CHRF),
    chrf_word_order=_numbers(0, MOST_CHRF),
    chrf_beta=_numbers(1, MOST_CHRF),
    chrf_whitespace=_flag,
    chrf_eps_smoothing=_flag,
    ter_case_sensitive=_flag,
    ter_normalized=_flag,
    ter_no_punct=_flag,
    ter_asian_support=_flag,
    synonyms=_among("wordnet", "none"),
    terp_costs=_among("adequacy", "hter", "unit"),
    terp_paraphrases=path,
    gtm_exponent=_reals(1, MOST_EXPONENT),
    analyser=_among("wordnet", "factored", "factored-wordnet"),
    maxsim_recall_weight=_reals(0, 1),
    discount=_among("subtract", "factor"),
    pivot_table=path,
    language_model=path,
    tesla_f_weights=path,
)
INPUT_OPTIONS = {
    "ref": Option("more_references", _many(path)),
    **_options(
        format=_format,
        ref_format=_format,
        fields=_fields,
        alternations=_among(*NOTATIONS),
        optional_words=_among(*OPTIONAL_WORDS),
        tag_candidates=path,
        symbols=path,
        weights=path,
        missing=_among("error", "skip", "empty"),
    ),
}
WORD_OPTIONS = {
    **_options(
        profile=_profile,
        lowercase=_flag,
        remove_punctuation=_flag,
        unit=_among(*UNITS),
        ignore=_many(_text),
        tokenize=_text,
        allow_download=_flag,
        normalise_unicode=_among(*FORMS),
    ),
    "ignore_ref": Option("ignore_reference", _many(_text)),
    "ignore_hyp": Option("ignore_hypothesis", _many(_text)),
    "grammar": Option("grammars", _many(path)),
}
LATTICE_OPTIONS = {
    **_options(
        lm_scale=_weights,
        acoustic_scale=_reals(-MOST_WEIGHT, MOST_WEIGHT),
        word_penalty=_weights,
        model_weight=_reals(0, MOST_WEIGHT),
        depth=_flag,
    ),
    "beam": Option("beams", _beams),
}
OUTPUT_OPTIONS = {
    **_options(
        alignment=_flag,
        nbest=_numbers(1, MOST_PATHS),
        output=partial(_output, what="JSON Lines", ending=".jsonl"),
        by=lambda given: _flat(given, groupings_of),
        speakers=path,
    ),
    "report": Option("reports", _reports),
}
RUN_OPTIONS = _options(
    jobs=_numbers(1, MOST_THREADS),
    on=_among(*PLACES),
    keep_going=_flag,
    resume=_flag,
    shard=_shard,
    route=_among(*ROUTES),
    check=_check,
)
# Those of score, oracle and hyter.
SCORING: Mapping[str, Option] = {
    "metric": Option("metric_name", metric),
    **METRIC_OPTIONS,
    **INPUT_OPTIONS,
    **WORD_OPTIONS,
    **LATTICE_OPTIONS,
    **OUTPUT_OPTIONS,
    **RUN_OPTIONS,
}


# Those of compare.
COMPARING: Mapping[str, Option] = {
    "metric": Option("metric_names", _metrics),
    "ref": Option("references", _many(path)),
    **METRIC_OPTIONS,
    **{
        name: INPUT_OPTIONS[name]
        for name in ("format", "ref_format", "fields", "alternations", "optional_words")
    },
    **WORD_OPTIONS,
    **_options(
        symbols=path,
        networks=path,
        missing=_among("error", "skip"),
        test=lambda given: _one_of(_text(given).lower(), *TESTS),
        samples=_numbers(1, MOST_SAMPLES),
        seed=_numbers(0, MOST_SEED),
        one_sided=_flag,
        both_ways=_flag,
        pairs=_among("baseline", "all"),
        correction=_among("none", "holm"),
        confidence=_inside,
        blocks=_text,
        speakers=path,
        scores=_named,
        lower=_joined,
        by=lambda given: _flat(given, groupings_of),
        labels=_named,
        documents=path,
        plot=path,
        output=partial(_output, what="sums as JSON", ending=".sums"),
    ),
    **{name: RUN_OPTIONS[name] for name in ("jobs", "on", "shard")},
}


# Those of speakers.
SPEAKING: Mapping[str, Option] = {
    **_options(
        metric=_among(*SPEAKER_METRICS),
        collar=_reals(0, MOST_COLLAR),
        turns=path,
        ref_turns=path,
        symbols=path,
        missing=_among("error", "skip", "empty"),
    ),
    **{name: INPUT_OPTIONS[name] for name in ("format", "ref_format", "alternations")},
    **WORD_OPTIONS,
}


def fields_of_options(function: str, known: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that options set; None is an option that is not given.

    Args:
        function: the function that was called.
        known: its options.
        given: those that it was given.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: a value that an option does not take.

    >>> found = fields_of_options("score_files", SCORING, {"beam": [8, 4.5], "ref": "b.txt"})
    >>> found["beams"], found["more_references"]
    ((4.5, 8.0), ['b.txt'])
    """
    for name in given:
        if name not in known:
            near = did_you_mean(name, list(known))
            raise TypeError(f"{function}() has no option {name!r}{'; ' if near else ''}{near}")
    found: dict[str, Any] = {name: None for name in ("format", "ref_format") if name in known}
    for name, value in given.items():
        if value is not None:
            try:
                found[known[name].field] = known[name].value(value)
            except FstmetricsError:
                raise  # it says what it is about
            except ValueError as error:
                raise FstmetricsError(f"{name}: {error}") from None
    return found


def written(given: Mapping[str, Any]) -> list[str]:
    """Options as the command line has them, by which `merge` calls the command of shards.

    >>> written({"lowercase": True, "ref": ["b.txt", "c.txt"], "beam": [8, 4.5], "fields": {"id": "path"}})
    ['--lowercase', '--ref', 'b.txt', '--ref', 'c.txt', '--beam', '8,4.5', '--fields', 'id=path']
    """
    found: list[str] = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            found.append(option)
        elif isinstance(value, Mapping):
            for each in _fields(value) if name == "fields" else _named(value):
                found += [option, each]
        elif value is None or value is False:
            continue
        elif isinstance(value, str | os.PathLike | Real | Shard | Decimal):
            found += [option, str(value)]
        elif name in ("beam", "lm_scale", "word_penalty"):
            found += [option, ",".join(map(str, value))]
        else:
            for each in value:
                found += [option, str(each)]
    return found
