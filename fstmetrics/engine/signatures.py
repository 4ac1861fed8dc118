"""What a score depends on, in one line: `signature_of`, and sacrebleu's own line where it has the same number.

Equal signatures are of numbers that can be compared. `sacrebleu_signature_of` is the signature that sacrebleu prints
for the same score of the same texts; where sacrebleu has another number, or none, it is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import starmap

from fstmetrics.metrics.corpus_metric import CorpusMetric, TextMetric
from fstmetrics.metrics.path_metric import Metric
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.version import __version__
from fstmetrics.text.normalisation import PLAIN, Normalisation, Unit

# Names the tie rules of docs/scores.md; another number would mean other rules.
TIE_RULE = "longest-path/1"
_CUT = re.compile("resegmented:")
# Of scores whose hypotheses are lattices, n-best lists or alternatives: no decoder has chosen their best paths.
ORACLE = "oracle:yes"
# Parts of signatures that say what is done to words.
_OF_WORDS = frozenset(
    {"case", "drops", "ignore", "ignore-ref", "normaliser", "profile", "punctuation", "unicode"}
)
# Parts of signatures behind one that says that each item has one reference, which leave it as it is.
_SAME_REFERENCE = frozenset({"ids", "oracle", "resegmented", "shard", "ties", "version"})


def signature_of(
    metric: CorpusMetric,
    normalisation: Normalisation | None,
    conditions: Iterable[str] = (),
    what: str = "",
    unit: Unit = "word",
) -> str:
    """What was computed, in one line.

    Args:
        metric: what was computed.
        normalisation: what was done to the words, if that is known.
        conditions: further parts.
        what: what else than a score was found: `mbr`.
        unit: what was compared, where the normalisation is not known.

    Raises:
        FstmetricsError: a package that the metric needs is not installed.
    """
    words, unit = (normalisation.signature(), normalisation.unit) if normalisation else ("", unit)
    inner = metric.underlying
    parts = ["fstmetrics", what, metric.signature(unit), words, *conditions]
    if any(map(_CUT.match, parts)):
        parts = [part.removesuffix(f"/{unit}") if _CUT.match(part) else part for part in parts]
    parts += [f"ties:{TIE_RULE}"] if isinstance(inner, Metric) else []
    packages = dict.fromkeys(inner.packages if isinstance(inner, TextMetric) else ())
    if normalisation and normalisation.tokenize not in (None, "none"):
        packages["sacrebleu"] = None
    if packages:
        from importlib.metadata import (  # takes 20 ms; few scores depend on packages
            PackageNotFoundError,
            version,
        )

        try:
            parts += [f"{package}:{version(package)}" for package in packages]
        except PackageNotFoundError as error:
            raise FstmetricsError(
                f"{metric.name} needs {error.name}, which is not installed: pip install 'fstmetrics[mt]'"
            ) from None
    return "|".join([*filter(None, parts), f"version:{__version__}"])


def references_named(numbers: Iterable[str], kinds: Iterable[str]) -> str:
    """How many references items have, for signatures, by the different numbers and what there is beside sentences.

    >>> references_named(["2"], []), references_named(["1", "2"], ["network"]), references_named(["0"], ["lattice"])
    ('2', 'var+network', 'lattice')
    """
    found = {*numbers}
    counted = found.pop() if len(found) == 1 else "var"
    return "+".join([*([counted] if counted != "0" else []), *sorted({*kinds})])


def conditions_of_both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The conditions of two results that are added; none where they differ in more than the number of references.

    >>> conditions_of_both(["refs:1", "oracle:yes"], ["refs:2+network", "oracle:yes"])
    ('refs:var+network', 'oracle:yes')
    """
    parts = [[part.split("+") for part in each if part.startswith("refs:")] for each in (one, other)]
    rest = [[part for part in each if not part.startswith("refs:")] for each in (one, other)]
    if rest[0] != rest[1] or not all(parts):
        return tuple(rest[0]) if rest[0] == rest[1] else ()
    every = [each[0].removeprefix("refs:") for (each,) in parts]
    are_numbers = [each == "var" or each.isdecimal() for each in every]
    numbers = [each if is_number else "0" for each, is_number in zip(every, are_numbers, strict=True)]
    kinds = [kind for (each,), is_number in zip(parts, are_numbers, strict=True) for kind in each[is_number:]]
    return (f"refs:{references_named(numbers, [kind.removeprefix('refs:') for kind in kinds])}", *rest[0])


def rules_of_words(signature: str) -> list[str]:
    """What a signature says of what was done to the words of references; tokens and characters follow from words.

    >>> rules_of_words("fstmetrics|metric:wer|unit:char|case:lower|punctuation:kept|tok:none|refs:2|version:0.1.0")
    ['case:lower', 'punctuation:kept']
    """
    return [part for part in signature.split("|") if part.partition(":")[0] in _OF_WORDS]


def rules_of_one(signature: str) -> str:
    """By which rules closest paths are all of the only reference of each item; empty where they may not be."""
    rules, is_one, behind = signature.partition("|refs:1|")
    is_sure = is_one and all(part.partition(":")[0] in _SAME_REFERENCE for part in behind.split("|"))
    return rules if is_sure else ""


def cut_condition(criterion: str, unit: Unit, bare: bool) -> str:
    """The condition of documents that were cut into segments; a signature leaves out the unit if it is the metric's.

    Args:
        criterion, unit: by which, and in what they were cut.
        bare: whether without case and punctuation, whatever is scored.
    """
    return f"resegmented:{criterion}{',case:lower,punctuation:removed' if bare else ''}/{unit}"


def path_conditions(conditions: Iterable[str], alternations: str, grammars: str) -> tuple[str, ...]:
    """The conditions of a signature of best paths: with how choices were written, and what widened the references."""
    more = [f"alternations:{alternations}"] if alternations else []
    return (*conditions, *more, *([f"grammars:{grammars}"] if grammars else []))


def sacrebleu_signature_of(
    metric: CorpusMetric, normalisation: Normalisation | None, conditions: Sequence[str]
) -> str:
    """sacrebleu's name and signature of the same number; empty where sacrebleu has another number or none.

    Args:
        metric: what was computed.
        normalisation: what was done to the words, as the metric makes it.
        conditions: further parts of our signature: sacrebleu knows of no other than the number of references.
    """
    if not isinstance(metric, TextMetric) or normalisation is None:
        return ""
    if replace(normalisation, tokenize=None, lowercase=False) != PLAIN:
        return ""
    others = [part for part in conditions if not part.startswith(("refs:", "ids:"))]
    references = next((part.removeprefix("refs:") for part in conditions if part.startswith("refs:")), "")
    if others or not (references.isdecimal() or references == "var"):
        return ""
    from importlib.metadata import PackageNotFoundError, version  # as above

    try:
        package = version("sacrebleu")
    except PackageNotFoundError:
        return ""
    tokenizer = _tokenizer_name(normalisation.tokenize, normalisation.allow_download)
    found = metric.of_sacrebleu(normalisation.lowercase, tokenizer, references == "1")
    if found is None:
        return ""
    name, settings = found
    parts = {"nrefs": references, **settings, "version": package}
    return "|".join([name, *starmap("{}:{}".format, parts.items())])


def _tokenizer_name(name: str | None, allow_download: bool) -> str:
    """What sacrebleu's signatures call the tokenizer: the name, for some with the version of their dictionary.

    >>> _tokenizer_name("13a", False), _tokenizer_name(None, False)
    ('13a', 'none')
    """
    if name is None or name == "none":
        return "none"
    from fstmetrics.text.tokenizers import sacrebleu_tokenizer  # metrics of paths have no such signature

    return str(sacrebleu_tokenizer(name, allow_download).signature())
