"""Texts in lists and columns that may be no sentences, by the signs that commands know: they are warned of.

Commands refuse them, as a file may be of another kind than its reader takes it for. Strings that a caller gives are
texts, and count as in other packages. `check` has them where `engine.api.check_looks` saw a sign, as few texts have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from operator import contains
from typing import Any

from fstmetrics._native import are_strings
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.engine.misplaced_items import misplaced_remark
from fstmetrics.engine.sides import Alternatives, as_alternatives, is_sentence
from fstmetrics.engine.unlike_sides import (
    CASE,
    COMPATIBLE_FORMS,
    FORMS,
    PUNCTUATION,
    SAMPLE,
    SPACES,
    unlike_remarks,
)
from fstmetrics.io.detection.formats_and_refusals import SIGNS, detect, look_of
from fstmetrics.io.detection.head import Head
from fstmetrics.io.detection.text_signs import Refused
from fstmetrics.io.ids import begin_with_ids, end_of_own_ids
from fstmetrics.io.marks import FEWEST, FIRST, MARKS, Mark, Texts, one_sided, shared
from fstmetrics.metrics import CorpusMetric, TextMetric
from fstmetrics.support.arguments import expect, shortened
from fstmetrics.support.errors import warn
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation

# So many texts tell, as a rule, whether there is a sign; so many first words, that they are no ids.
FEW = 100
# No look of all texts shows in more than so many that it does not show in these.
ENOUGH = 3
# How `look_of` calls lines that end with ids.
TRN = "texts of trn"
# The beginning of a text whose first word may be an id.
MAY_BEGIN_WITH_ID = re.compile(r"\s*(?:\S*[\d_/\\-]|\S+\t)")
# So many sets of references, and items, tell whether they are sets.
MOST_SETS = 20
# They are sets if the texts of an item have so many times as many words in common as those of a list.
CLEARLY = 1.25
COUNT = "count as words: fm.read_text(path) reads such a file by id, and dicts {id: text} pair by id"
# The same where items have ids: what takes the first words out, or the last ones.
OWN = {
    verb: f'count as words: " ".join(text.split()[{words}]) takes them out of a text'
    for verb, words in (("begin", "1:"), ("end", ":-1"))
}
# Options that change words, as arguments of `Normalisation`.
IN_RULES = {
    change.option: ", ".join(f"{name}={value!r}" for name, value in change.rules.items())
    for change in (CASE, FORMS, COMPATIBLE_FORMS, PUNCTUATION, SPACES)
}
RULES = "|".join(sorted(IN_RULES, reverse=True))
# The same of remarks that metrics have.
IN_METRICS = {
    "--tokenize 13a": "normalisation=Normalisation(tokenize='13a')",
    "--tokenize zh, ja-mecab,": "normalisation=Normalisation(tokenize='zh'), ja-mecab,",
    "--ter-normalized --ter-asian-support": "TER(normalized=True, asian_support=True)",
    "--marks ": "marks=",
}
AS_WORDS = "if they are words, give lists of words on all sides, [text.split() for text in texts]"
# Texts that all have one of these may be rows of a table, or entries of n-best lists.
PARTED = ("\t", "|||")
# The advice of commands, by patterns, and what stands for it in Python.
IN_PYTHON = (
    (r"sed .* into brackets, .*", "written as [a|b], fm.Transcript.parse(text, 'brackets') reads them"),
    (r".*--alternations (\w+).*", r"fm.Transcript.parse(text, '\1') reads them"),
    (r"--ignore '<eps>'(.*)", r"normalisation=Normalisation(ignore={'<eps>'})\1"),
    (r"--normalise-unicode nfc(.*)", r"normalisation=Normalisation(unicode='nfc')\1"),
    (r"(?:python3 |iconv |make words of them, ).*", "make words of them first"),
    (r"((?:sed|tr) .*?)(?: \(without ids\))?", r"make words of them first, as \1 does of lines of text"),
)  # fmt: skip


def check(
    hypotheses: Mapping[str, Sequence[Any]],
    references: Sequence[Any],
    normalisation: Normalisation,
    ids: Sequence[str] | None,
    may_be_sets: bool,
) -> None:
    """Warn of texts that may be no sentences; see `engine.api.check_looks`."""
    expect(normalisation, Normalisation, "normalisation")
    beside = next(iter(hypotheses.values()))
    given = [_texts(name, side, type(side[0]) in (list, tuple)) for name, side in hypotheses.items()]
    given.append(_texts("references", references, type(beside[0]) in (list, tuple)))
    sides = [side for side in given if side is not None]
    looks: dict[str, list[str]] = {}
    for side in sides:
        if look := _look(side, normalisation):
            looks.setdefault(look, []).append(side.path)
    own = _own_ids({**hypotheses, "references": references}, ids or (), normalisation)
    remarks = own or [
        f"{' and '.join(paths)} look like {look}, and all of it counts as words: take out what is no word; {AS_WORDS}"
        for look, paths in looks.items()
    ]
    remarks = remarks or _marks(sides, normalisation)
    if len(references) > 1 and not (looks or own):
        for name, outputs in hypotheses.items():
            remark = _ids_behind(name, outputs, references, ids is not None)
            remark = remark or (_ids(name, outputs, references) if ids is None else "")
            if remark := remark or (_sets(outputs, references) if may_be_sets else ""):
                remarks.append(remark)
                break
    for remark in remarks:
        warn(remark)


def remarks_of_errors(
    hypotheses: Sequence[str],
    references: Sequence[str],
    metrics: Sequence[CorpusMetric],
    normalisation: Normalisation,
    by_order: bool,
) -> Sequence[str]:
    """What is said of texts with many errors: their order, or what the first of metrics tells that tells anything; see
    `api.check_errors`.

    Where a metric counts case or punctuation, nothing is said of how words are written.
    """
    are_single = {*map(type, references)} == {str}
    if by_order and are_single and (misplaced := misplaced_remark(hypotheses, references, normalisation)):
        return [misplaced]
    items, first = len(hypotheses), zip(hypotheses[:SAMPLE], references[:SAMPLE], strict=True)
    pairs = [(hypothesis, as_alternatives(reference, hypothesis)) for hypothesis, reference in first]
    needy = [metric for metric in metrics if isinstance(metric, TextMetric) and metric.needs]
    said = (unlike_remarks(pairs, items, metric, normalisation) for metric in needy or metrics)
    return [*map(in_python, next(filter(None, said), ()))]


def in_python(remark: str) -> str:
    """A remark of commands with arguments in place of options."""

    def rules(options: re.Match[str]) -> str:
        return f"normalisation=Normalisation({', '.join(map(IN_RULES.__getitem__, re.findall(RULES, options[0])))})"

    for option, argument in IN_METRICS.items():
        remark = remark.replace(option, argument)
    return re.sub(f"(?:{RULES})(?: (?:{RULES}))*", rules, remark)


def _texts(name: str, given: Sequence[Any], has_words: bool) -> Texts | None:
    """The texts of a side; None where it holds what shows none. Lists of words are words, whatever they look like."""
    if not {*map(type, given[:FIRST])} <= {str, list, tuple, Lattice, NBest, Alternatives}:
        return None
    texts = partial(_strings, given, has_words)
    first = [] if has_words else list(islice(texts(), FEW))
    return Texts(name, True, "", name == "references", True, first, texts)


def _strings(given: Sequence[Any], has_words: bool) -> Iterator[str]:
    for value in given:
        if isinstance(value, str):
            yield value
        elif isinstance(value, NBest):
            yield from value.texts
        elif isinstance(value, Lattice):
            yield " ".join(value.symbols.words)
        elif isinstance(value, list | tuple) and has_words:
            yield " ".join(map(str, value))
        elif isinstance(value, list | tuple | Alternatives):
            yield from _strings(value.items if isinstance(value, Alternatives) else value, True)


def _look(side: Texts, normalisation: Normalisation) -> str:
    """What the texts of a side look like, if that is no text; "" of lines of trn, of which is warned."""
    first = [" ".join(text.splitlines()) for text in side.first]
    joined = "\n".join(first)
    may_look = first and all(map(SIGNS.search, (first[0], first[-1]))) and look_of(first[:ENOUGH])
    look = look_of(first) if may_look or "<" in joined else ""
    if look and not (normalisation.normaliser and not look_of(map(normalisation.joined, first))):
        return "" if look == TRN else look
    if first and any(all(sign in text.strip() for text in first) for sign in PARTED):
        found = detect(Head(Source("", joined.encode("utf-8", "replace")), is_named=False), faults=[])
        return found.called if isinstance(found, Refused) else f"lines of {found}" if found else ""
    return ""


def _marks(sides: Sequence[Texts], normalisation: Normalisation) -> list[str]:
    """Remarks on marks that one side has and another lacks, and on pieces of words that all have."""
    beginning = "\n".join(chain.from_iterable(side.first for side in sides))
    marks = [mark for mark in MARKS if any(map(beginning.__contains__, mark.signs))]
    if len(sides) < 2 or not marks:
        return []
    remarks = []
    seen = [found.mark for found in one_sided(marks, sides, normalisation.joined)]
    more = [
        side._replace(first=list(islice(side.all(), FIRST))) if side.first else side for side in sides if seen
    ]
    for found in one_sided(seen, more, normalisation.joined):
        if found.mark.in_all and all(found.mark.is_in(text) is not False for text in found.lacking.all()):
            continue  # these texts cannot tell
        if found.mark.is_shown and len(found.having.first) < FEWEST:
            continue  # a number that was said
        message = (
            f"{found.having.path} have {found.mark.called}{found.few}, "
            f"and {found.lacking.path} have {found.lacked}"
        )
        remarks.append(f"{message}: they count as words; {_advice(found.mark)}")
    return [*remarks, *shared(marks, sides)]


def _advice(mark: Mark) -> str:
    """What to do with a mark, in Python."""
    for pattern, advice in IN_PYTHON:
        if found := re.fullmatch(pattern, mark.advice):
            return found.expand(advice)
    return mark.advice


def _own_ids(
    given: Mapping[str, Sequence[Any]], ids: Sequence[str], normalisation: Normalisation
) -> list[str]:
    """A remark on texts that begin, or end, with the ids of their items."""
    found: dict[str, list[str]] = {}
    for name, side in given.items():
        items = (((id,), list(_strings([value], False))) for id, value in zip(ids, side, strict=False))
        if verb := end_of_own_ids(items, normalisation.joined):
            found.setdefault(verb, []).append(name)
    return [
        f"{' and '.join(names)} {verb} with their own ids ({shortened(ids[0])}, ...), and these {OWN[verb]}"
        for verb, names in found.items()
    ]


def _ids_behind(name: str, hypotheses: Sequence[Any], references: Sequence[Any], have_ids: bool) -> str:
    """A remark on texts with ids behind them, which may be others than those that items have."""
    sides = {name: hypotheses, "references": references}
    ended = [
        name
        for name, side in sides.items()
        if isinstance(side, list)
        and are_strings(side)
        and side[0].rstrip()[-1:] == ")"
        and look_of(side[:FEW]) == TRN
    ]
    if not ended:
        return ""
    shown, advice = shortened(sides[ended[0]][0].split()[-1]), OWN["end"] if have_ids else COUNT
    return f"{' and '.join(ended)} end with ids in parentheses ({shown}, ...), as of trn, and these {advice}"


def _ids(name: str, hypotheses: Sequence[Any], references: Sequence[Any]) -> str:
    """A remark on texts that pair by position and have ids without doubt, which as words match, or are errors."""
    sides = {name: hypotheses, "references": references}
    if not all(isinstance(side, list) and are_strings(side) for side in sides.values()):
        return ""
    begun = {name: side for name, side in sides.items() if _may_begin_with_ids(side)}
    if len(begun) == len(sides) and begin_with_ids(sides):
        shown = shortened(references[0].split()[0])
        return f"{name} and references begin with words that look like ids ({shown}, ...), and these {COUNT}"
    if len(begun) == 1:
        ((name, side),) = begun.items()
        (other,) = sides.keys() - begun.keys()
        if _is_behind_ids(side[:FEW], sides[other][:FEW]):
            return (
                f"{name} begin with words that look like ids ({shortened(side[0].split()[0])}, ...), and {other} do "
                f"not; these {COUNT}; [' '.join(text.split()[1:]) for text in texts] takes them off"
            )
    return ""


def _may_begin_with_ids(texts: Sequence[str]) -> bool:
    """Whether all that are looked at begin with words that may be ids, all different."""
    first = texts[:FEW]
    if not all(map(MAY_BEGIN_WITH_ID.match, (*first, texts[-1]))):
        return False
    return len({text.split(None, 1)[0] for text in first}) == len(first)


def _is_behind_ids(texts: Sequence[str], others: Sequence[str]) -> bool:
    """Whether some text goes on behind its first word as the other side's begins, and none of these begins so."""
    pairs = list(zip(map(str.split, texts), map(str.split, others), strict=True))
    if any(other and MAY_BEGIN_WITH_ID.match(other[0]) for _, other in pairs):
        return False
    return any(words[1:2] == other[:1] for words, other in pairs if other)


def _sets(hypotheses: Sequence[Any], references: Sequence[Any]) -> str:
    """A remark on as many references of each item as there are items, where each list is a set of references, as
    sacrebleu takes them: the first texts of all lists, then the second ones, and so on, each with the hypothesis, have
    clearly more words in common than the texts of one list, and the hypotheses alone no fewer with them: references of
    one template are alike in each place. The first reference of the first item, the second of the second, and so on,
    are with the same hypothesis either way."""
    count, hypothesis = len(references), hypotheses[0]
    if not all(isinstance(each, list | tuple) and len(each) == count for each in references):
        return ""
    rows = [each[:MOST_SETS] for each in references[:MOST_SETS]]
    if any(is_sentence(row, hypothesis) for row in rows):
        return ""
    if not all(isinstance(each, str | list | tuple) for row in (hypotheses, *rows) for each in row):
        return ""
    if all(map(contains, rows, hypotheses)) and any(
        hypothesis != row[at] for at, (hypothesis, row) in enumerate(zip(hypotheses, rows, strict=False))
    ):  # each output is a reference of its own item, and not by a set of the same number alone
        return ""
    sets = list(zip(*rows, strict=True))
    own, as_sets = (sum(map(_in_common, hypotheses, each)) for each in (rows, sets))
    if as_sets <= own * CLEARLY or sum(map(_shared, hypotheses, rows)) > sum(map(_shared, hypotheses, sets)):
        return ""
    return (
        "each list of references is taken for those of one item, and fits better as one set of all items: if they are "
        "sets, list(zip(*sets)) makes the alternatives of each item of them"
    )


def _in_common(hypothesis: Any, references: Sequence[Any]) -> int:
    """How many words each two of the texts of an item have in common, all in all."""
    texts = map(_words, (hypothesis, *references))
    return sum(number * (number - 1) for number in Counter(chain.from_iterable(texts)).values())


def _shared(hypothesis: Any, references: Sequence[Any]) -> int:
    """How many words a hypothesis has in common with each reference, all in all."""
    words = _words(hypothesis)
    return sum(len(words & _words(reference)) for reference in references)


def _words(text: Any) -> set[str]:
    return set(text.split() if isinstance(text, str) else map(str, text))
