"""What callers hand over, looked at before anything is scored: read where its kind is plain, refused by name where not.

- `items_of`: many items: a list, an iterator, or a column of a table (numpy, pandas, polars, pyarrow).
- `paired`, `by_id`, `paired_by_id`: hypotheses and references, by position, or by id where they are dicts.
- `check_pair`, `check_texts`: what is text by its type, and looks like something else.
- `column`: one such column as a list; `described`: what a value is, and what to do with it, for messages.
- `takes`, `Kind`, `expect`, `whole_number`: other arguments. `by_name`: those that there are not.

Nothing here imports a library of tables: they are known by what their objects have.
"""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from numbers import Integral, Real
from types import UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from fstmetrics._native import are_strings, are_words
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.names import did_you_mean, listed
from fstmetrics.support.printable import counted

if TYPE_CHECKING:
    import numpy.typing as npt

P = ParamSpec("P")
T = TypeVar("T")

# What the columns of manifests and tables are called. A dict with such keys is a row or a table, no dict by ids.
COLUMN_NAMES = frozenset(
    {
        "id", "ids", "text", "texts", "pred_text", "hyp", "hyps", "hypothesis", "hypotheses", "ref", "refs",
        "reference", "references", "prediction", "predictions", "sentence", "sentences", "transcript", "transcription",
        "audio_filepath", "duration",
    }
)  # fmt: skip
# Ids named in a message.
NAMED = 5
# Weights of costs as the command line calls them, and what `Scales` calls them.
SCALES = {"lm_scale": "lm", "acoustic_scale": "acoustic", "word_penalty": "word_penalty"}
# What messages call the outputs of a system, before its name in quotes.
OUTPUTS = "the outputs of "
# Ways of objects with one column to become a list.
TO_LIST = ("to_pylist", "to_list", "tolist")


def described_columns(value: object) -> str:
    """The same where a dict of columns is expected, which some of a table's are."""
    if not is_table(value):
        return described(value)
    return f"{type(value).__name__}; give those columns, as {{'new': table['new'], 'old': table['old']}}"


def described(value: object) -> str:
    """What a value is that cannot be used, and what to do, for the end of a message."""
    name = type(value).__name__
    if value is None or name in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        return f'{"None" if value is None else str(value)}; an empty sentence is ""'
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, str):
        return f"str {shortened(value)}"
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{name}; decode text first: value.decode()"
    if isinstance(value, os.PathLike):
        return (
            f"{name}; read the file first: Lattice.read(path), NBest.read_all(path), Network.read(path), or "
            "path.read_text().splitlines() for lines of text"
        )
    if is_table(value):
        return f"{name}, a table; give one of its columns, as table['text']"
    if isinstance(value, Mapping):
        return f"{name}; of a row give the text, as row['text']"
    if isinstance(value, ItemsView):
        return f"{name}; give the dicts themselves, which pair by id"
    if isinstance(value, Set):
        return f"{name}, which has no order; give a list"
    if isinstance(value, Iterator):
        return f"{name}; make a list of it first"
    if getattr(value, "ndim", 1) > 1:
        return f"{name} of {value.ndim} dimensions; give a list of lists"  # type: ignore[attr-defined]
    if hasattr(value, "as_py"):
        return f"{name}; make a list of the column first, as table['text'].to_pylist()"
    if isinstance(value, bool | int | float):
        return f"{name} {value!r}"
    return name


def shortened(text: str) -> str:
    """Text in quotes, cut where it is long."""
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


def is_table(value: object) -> bool:
    """Whether a value is a table: a frame of pandas or polars, a table of pyarrow, a dataset, an array of records."""
    kind = type(value)
    records = bool(getattr(getattr(value, "dtype", None), "names", None))
    return records or hasattr(kind, "columns") or hasattr(kind, "column_names")


def column(value: object) -> list[Any] | None:
    """A one-dimensional array or a column of a table as a list of Python's own objects; None: it is neither."""
    if is_table(value) or getattr(value, "ndim", 1) != 1 or isinstance(value, memoryview):
        return None
    for name in TO_LIST:
        if hasattr(type(value), name):
            found = getattr(value, name)()
            return found if isinstance(found, list) else None
    return None


def items_of(given: object, name: str, of: str = "") -> list[Any]:
    """One value an item.

    Args:
        given: a list, another sequence, an iterator, or a column of a table.
        name: of the argument, for messages: "hypotheses".
        of: what it takes in place of a single item: "; align() takes one of each".

    Raises:
        FstmetricsError: something else.
    """
    if type(given) is list:
        return _with_lists(given)
    if (found := column(given)) is not None:
        return _with_lists(found)
    single = isinstance(given, str | bytes | bytearray | memoryview | os.PathLike | Mapping | Set)
    other = isinstance(given, type) or is_table(given) or getattr(given, "ndim", 1) != 1
    if isinstance(given, Iterable) and not (single or other):
        return _with_lists(list(given))
    if is_table(given) and not isinstance(given, type):
        named = (
            "name its columns, as score(table, hypothesis='pred_text', reference='text'); or " if of else ""
        )
        of_manifests = "text" if name == "references" else "pred_text"
        what = f"{type(given).__name__}, a table; {named}give one of them, as table[{of_manifests!r}]"
    elif of and isinstance(given, str | os.PathLike) and os.path.exists(given):
        what = f"the name of a file: fm.score_files(references=..., hypotheses=...) reads {shortened(str(given))}"
    else:
        what = f"{described(given)}{of}"
    raise FstmetricsError(f"{name} are a list, not {what}")


def _with_lists(items: list[Any]) -> list[Any]:
    """The items, those that are columns as lists."""
    if are_strings(items) or not any(
        hasattr(kind, name) for kind in set(map(type, items)) for name in TO_LIST
    ):
        return list(items)
    found = ((item, column(item)) for item in items)
    return [item if listed is None else listed for item, listed in found]


def sentences_of(given: object, name: str) -> list[Sequence[str]]:
    """Sentences as words, of a list of strings or of sequences of words.

    Raises:
        FstmetricsError: something else.
    """
    items = items_of(given, name)
    if are_characters(items):
        raise FstmetricsError(
            f"{name} are a list of characters, white space among them; give a list of texts"
        )
    for number, item in enumerate(items):
        if not (isinstance(item, str) or STRINGS.holds(item)):
            raise FstmetricsError(
                f"{name}[{number}] must be a string or a list of words, not {described(item)}"
            )
    return [item.split() if isinstance(item, str) else _words(item) for item in items]


def _words(sentence: Sequence[str]) -> Sequence[str]:
    """The words of a sequence of words and phrases."""
    are_single = isinstance(sentence, list | tuple) and are_words(sentence)
    return sentence if are_single else " ".join(sentence).split()


def paired(
    hypotheses: object, references: object, ids: object = None, of: str = ""
) -> tuple[list[Any], list[Any], list[str] | None]:
    """Hypotheses, references and ids of the same items in the same order.

    Dicts pair by their keys, the ids, also with a list whose `ids` are given; the order is that of the references. All
    else pairs by position.

    Raises:
        FstmetricsError: different numbers of items, or different ids; one side a dict and the other not; no item;
            or something that is no list of items.
    """
    refuse_other_labels({"hypotheses": hypotheses, "references": references, "ids": ids})
    if ids is not None and isinstance(hypotheses, Mapping) != isinstance(references, Mapping):
        hypotheses, references = (_named(side, ids) for side in (hypotheses, references))
        ids = None
    if isinstance(hypotheses, Mapping) or isinstance(references, Mapping):
        if ids is not None:
            raise FstmetricsError("ids are for lists; dicts have their ids as keys")
        names, refs = by_id(references, "references")
        hyps = paired_by_id(hypotheses, "hypotheses", names)
        check_texts(hyps, refs)
        return hyps, refs, names
    hyps, refs = items_of(hypotheses, "hypotheses", of), items_of(references, "references", of)
    if len(hyps) != len(refs):
        sides = f"{counted(len(hyps), 'hypothesis')} but {counted(len(refs), 'reference')}"
        raise FstmetricsError(sides + _sets_hint(hyps, refs))
    if not hyps:
        raise FstmetricsError("there is no item to score")
    check_texts(hyps, refs)
    given = None if ids is None else ids_of(ids, len(hyps))
    if not (isinstance(hyps[0], str) and isinstance(refs[0], str)):
        if given:
            _refuse_other_ids(hyps, "hypotheses", given)
        if beside := given or own_ids(hyps):
            _refuse_other_ids(refs, "references", beside)
    return hyps, refs, given


def _named(side: object, ids: object) -> object:
    """A list by its ids, where the other side is a dict."""
    if isinstance(side, Mapping):
        return side
    values = items_of(side, "the items of ids")
    return dict(zip(ids_of(ids, len(values)), values, strict=True))


def by_id(given: object, name: str) -> tuple[list[str], list[Any]]:
    """The ids and values of a dict.

    Raises:
        FstmetricsError: no dict beside one, or a row or table; a key that is no id; no item.
    """
    if not isinstance(given, Mapping):
        are_named = isinstance(given, list | tuple) and own_ids(given) is not None
        advice = f"give {_of_own_ids(name)}" if are_named else "give both as dicts, or both as lists"
        raise FstmetricsError(
            f"dicts pair by id with dicts, but {name} are of type {type(given).__name__}; {advice}"
        )
    if not given:
        raise FstmetricsError("there is no item to score")
    names = list(map(str, given))
    for key in given:
        if not (isinstance(key, str) or WHOLE.holds(key)):
            raise FstmetricsError(
                f"{name} are a dict, whose keys are ids, but one key is {type(key).__name__} {key!r}"
            )
    if found := COLUMN_NAMES & {key.lower() for key in names}:
        raise FstmetricsError(
            f"{name} are a dict with the key {min(found)!r}: it looks like a row or a table with columns, not like "
            "items by id; give a list of texts, or a dict {id: text}"
        )
    if len(set(names)) < len(names):
        raise FstmetricsError(f"{name}: a key is there as a number and as a string")
    values = _with_lists(list(given.values()))
    _refuse_other_ids(values, name, names)
    return names, values


def own_ids(items: Sequence[object]) -> list[str] | None:
    """The ids that lattices, n-best lists and networks have themselves, where all have one and all are different.

    >>> own_ids(["a cat", "a dog"])
    """
    if isinstance(items[0] if len(items) else "", str | list | tuple):
        return None
    ids: list[Any] = [getattr(item, "id", None) for item in items]
    return ids if all(isinstance(id, str) and id for id in ids) and len({*ids}) == len(ids) else None


def _refuse_other_ids(items: Sequence[object], name: str, ids: Sequence[str]) -> None:
    """Refuse items that are given by the ids of others among them; names of which none is shared tell nothing.

    Raises:
        FstmetricsError: an id that some item has itself is given to another.
    """
    if (own := own_ids(items)) is None or own == list(ids) or {*own}.isdisjoint(ids):
        return
    mine, other = next((mine, other) for mine, other in zip(own, ids, strict=True) if mine != other)
    raise FstmetricsError(
        f"{name} have ids of their own, and are given by others: {shortened(mine)} as {shortened(other)}; give "
        f"{_of_own_ids(name)}, and a dict by the same ids on the other side"
    )


def _of_own_ids(name: str) -> str:
    """A dict of items that have ids themselves, as it is written."""
    return f"{{x.id: x for x in {'references' if name == 'references' else 'hypotheses'}}}"


OTHER_FORM = "some differ in the form of Unicode alone: unicodedata.normalize('NFC', id) writes them alike"


def paired_by_id(given: object, name: str, ids: Sequence[str]) -> list[Any]:
    """The values of a dict in the order of `ids`.

    Raises:
        FstmetricsError: as of `by_id`; ids that one side lacks, by name.
    """
    own, values = by_id(given, name)
    value_of = dict(zip(own, values, strict=True))
    missing = [id for id in ids if id not in value_of]
    known = set(ids)
    more = [id for id in own if id not in known]
    if missing or more:
        parts = [f"{name} lack {_listed(missing)}"] if missing else []
        parts += [f"references lack {_listed(more)}"] if more else []
        forms = [{unicodedata.normalize("NFC", id) for id in some} for some in (missing, more)]
        parts += [] if forms[0].isdisjoint(forms[1]) else [OTHER_FORM]
        raise FstmetricsError(f"dicts pair by id: {'; '.join(parts)}")
    return [value_of[id] for id in ids]


def _listed(ids: Sequence[str]) -> str:
    return f"the id{'s' if len(ids) > 1 else ''} {listed(list(map(shortened, ids)), NAMED)}"


def ids_of(given: object, items: int) -> list[str]:
    """Ids of so many items, each once.

    Raises:
        FstmetricsError: other than strings, another number of them, or one twice.
    """
    ids = items_of(given, "ids")
    if len(ids) != items:
        raise FstmetricsError(f"{counted(len(ids), 'id')} but {counted(items, 'hypothesis')}")
    seen: dict[str, int] = {}
    for number, id in enumerate(ids):
        if not isinstance(id, str):
            raise FstmetricsError(
                f"ids are strings, as [str(id) for id in ids]; ids[{number}] is {described(id)}"
            )
        if (first := seen.setdefault(id, number)) != number:
            raise FstmetricsError(
                f"the id {shortened(id)} is there twice, of items {first} and {number} (from 0)"
            )
    return ids


@dataclass(frozen=True)
class Labelled:
    """Rows of which no more is known than their index, of pandas."""

    index: Any

    def __getitem__(self, places: Any) -> Labelled:
        return Labelled(self.index[places])

    def __add__(self, other: Labelled) -> Labelled:
        return Labelled(self.index.append(other.index))


def row_labels(given: object) -> Any:
    """What tells the rows of a column or table apart: its index, of pandas; of the values of a dict their keys; None
    where nothing does.
    """
    if isinstance(given, ValuesView):
        keys = getattr(given, "mapping", None)
        return None if keys is None else list(keys)
    index = getattr(given, "index", None)
    return index if callable(getattr(index, "equals", None)) else None


def refuse_other_labels(columns: Mapping[str, object], by_id: str = "") -> None:
    """Refuse columns or tables whose rows have other labels than those before: by position they would pair wrongly.

    Of values of dicts these are the keys, which may be others altogether.

    Args:
        columns: by what each is called.
        by_id: how they pair by id, where they may.

    Raises:
        FstmetricsError: they differ.
    """
    first: dict[bool, tuple[str, Any]] = {}
    for name, given in columns.items():
        if given is None or type(given) is list or (labels := row_labels(given)) is None:
            continue
        is_dict = isinstance(labels, list)
        before, known = first.setdefault(is_dict, (name, labels))
        if (known == labels) if is_dict else known.equals(labels):
            continue
        if not is_dict:
            ways = ", or ".join(filter(None, [_way_to_pair(before, list(known), name, list(labels)), by_id]))
            raise FstmetricsError(
                f"the rows of {name} and {before} have different labels (index); give {ways}"
            )
        if not {*known}.isdisjoint(labels):
            raise FstmetricsError(
                f"{before} and {name} are values of dicts that have their keys in different orders; give the dicts of "
                "hypotheses and references, and lists in one order of others"
            )


def _way_to_pair(name: str, mine: list[object], other: str, theirs: list[object]) -> str:
    """What to give in place of two columns with these labels."""
    ours, others = {*mine}, {*theirs}
    if ours == others and len(mine) == len(ours) == len(theirs):
        column, first = (
            f"systems[{each.removeprefix(OUTPUTS)}]" if each.startswith(OUTPUTS) else each
            for each in (other, name)
        )
        return f"{column}.loc[{first}.index], which has them in one order"
    if ours.isdisjoint(others):
        return ".tolist() of each to pair them by position"
    alone = sorted(map(str, ours ^ others))
    return (
        f"the same rows of both: only one has {shortened(alone[0])}"
        if alone
        else "rows whose labels come once"
    )


def _sets_hint(hyps: Sequence[Any], refs: Sequence[Any]) -> str:
    """For what sacrebleu takes: a list of whole sets."""
    sets = bool(refs) and all(isinstance(ref, list) and len(ref) == len(hyps) for ref in refs)
    if not sets:
        return ""
    return (
        "; sets of references become the alternatives of each item by list(zip(*sets)), of columns of pyarrow by "
        "list(zip(*(column.to_pylist() for column in sets)))"
    )


# What to do where many items are given to what compares one.
OF_ITEMS = "fm.score(hypotheses, references).score, to which a metric other than 'wer' is a third argument"


def check_pair(hypothesis: object, reference: object) -> None:
    """Refuse one hypothesis and one reference that are not what they are by their types.

    Raises:
        FstmetricsError: the name of a file, or a record, as text; a reference split into words beside a hypothesis that
            is not; a list of words beside a list of as many texts, both of which may be items.
    """
    for name, value in (("the hypothesis", hypothesis), ("the reference", reference)):
        if isinstance(value, str):
            check_text(value, name)
        elif isinstance(value, Mapping) and not COLUMN_NAMES & value.keys():
            raise FstmetricsError(
                f"{name} is a dict, which holds many items: score() takes dicts, and pairs them by id"
            )
    if isinstance(hypothesis, str) and isinstance(reference, str):
        return
    sides = (hypothesis, reference)
    one, several = (each if isinstance(each, str | list | tuple) else column(each) for each in sides)
    if one is None or several is None:
        return
    are_lists = not isinstance(one, str) and not isinstance(several, str) and 1 < len(one) == len(several)
    if are_lists and are_words(one) and any(isinstance(r, str) and len(r.split()) > 1 for r in several):
        raise FstmetricsError(
            f"a list of one-word strings, {beginning(one)}, beside a list of as many, {beginning(several)}: of many "
            f"items, {OF_ITEMS}; of one sentence with several references, say Alternatives([...])"
        )
    check_texts([one], [several])


def are_characters(items: Sequence[object]) -> bool:
    """Whether a list is a string taken apart, white space too: between characters, as a blank text may be an empty one.

    >>> are_characters(list("a b")), are_characters([" "]), are_characters(["I", " "]), are_characters(["I", "am"])
    (True, False, False, False)
    """
    if not are_single(items):
        return False
    text = "".join(items)  # type: ignore[arg-type]
    return len(text.split()) > 1


def are_single(items: Sequence[object]) -> bool:
    """Whether all are strings of one character."""
    return all(isinstance(item, str) and len(item) == 1 for item in items)


def check_texts(hypotheses: Sequence[Any], references: Sequence[Any]) -> None:
    """The same of items; of names of files and records, the first item is looked at.

    Raises:
        FstmetricsError: as of `check_pair`.
    """
    for name, items in (("hypotheses", hypotheses), ("references", references)):
        if not isinstance(first := items[0], str):
            continue
        check_text(first, f"{name}[0]")
        if len(first) == 1 and are_characters(items):
            raise FstmetricsError(
                f"{name} are a list of characters, white space among them; give a list of texts"
            )
    if isinstance(hypotheses[0], list | tuple):
        apart = [one for one in hypotheses if isinstance(one, list | tuple) and are_single(one)]
        longest = max(apart, key=len, default=())
        texts = (text for text in references if isinstance(text, str))
        if (
            len(longest) > 1
            and len(apart) == len(hypotheses)
            and any(len(w) > 1 for t in texts for w in t.split())
        ):
            raise FstmetricsError(f"references have longer words, and a hypothesis is {taken_apart(longest)}")
    if isinstance(hypotheses[0], tuple) and _are_pairs(hypotheses, references):
        warn(
            f"tuples of two words, such as {hypotheses[0]!r:.60}, count as two words each; of rows of an id and a text "
            "dict(rows) pairs by id; of lists of words there is no warning"
        )
    if not isinstance(references[0], list | tuple):
        return
    if _are_rows(hypotheses) and _are_rows(references):
        raise FstmetricsError(
            f"hypotheses and references are rows of an id and a text, such as {references[0]!r:.60}: dict(rows) pairs "
            "them by id; if they are alternatives, say Alternatives([...])"
        )
    if not all(
        isinstance(h, str) and isinstance(r, list | tuple)
        for h, r in zip(hypotheses, references, strict=True)
    ):
        return
    if (row := row_of_words(hypotheses, references)) is not None:
        hypothesis, items = hypotheses[row], references[row]
        which = "the reference" if len(references) == 1 else f"references[{row}]"
        if are_single(items) and len(hypothesis.split()) == 1:
            raise FstmetricsError(f"{which} is given for a string, and is {taken_apart(items)}")
        raise FstmetricsError(
            f"{which} is given for a string, and is a list of alternatives of one word each, "
            f"{beginning(items)}; if these are the words of one sentence, give a string, or split the "
            "hypothesis too; if they are alternatives, say Alternatives([...])"
        )


def row_of_words(texts: Sequence[str], lists: Sequence[Sequence[Any]]) -> int | None:
    """The first row whose list has several strings, where lists look like the words of sentences; None: they do not.

    Args:
        texts: what each list stands beside.
        lists: alternatives, or words. Alternatives of a corpus are as many for every item, or some have several words.

    >>> row_of_words(["a cat", "so"], [["a", "cat"], ["so"]]), row_of_words(["a cat", "so"], [["a cat", "cat"], ["so"]])
    (0, None)
    """
    if not all(map(_may_be_words, lists)):
        return None
    longer = {len(items) for items in lists} - {1}
    unlike = len(lists) == 1 or len(longer) > 1
    rows = ((text, items) for text, items in zip(texts, lists, strict=True) if len(items) > 1)
    parts = [("".join(text.split()) if are_single(items) else text.split(), items) for text, items in rows]
    several = [(words, items) for words, items in parts if len(words) > 1]
    if (several and unlike) or any(len(set(words) & set(map(str.strip, i))) > 1 for words, i in several):
        return next(row for row, items in enumerate(lists) if len(items) > 1)
    return None


def _may_be_words(items: Sequence[object]) -> bool:
    """Whether all are words, but that some may be empty or have white space around them."""
    return are_words(items) or all(isinstance(item, str) and len(item.split()) < 2 for item in items)


def taken_apart(items: Sequence[object]) -> str:
    """What a list of single characters is, and what to give, for the end of a message."""
    return (
        f'a list of single characters, {beginning(items)}: give one string, "".join(list) if it was taken apart, '
        '" ".join(list) if these are words; if they are alternatives, say Alternatives([...])'
    )


def beginning(words: Sequence[object]) -> str:
    """The first few of a list, and how many there are.

    >>> beginning(["a", "b"]), beginning(["a", "b", "c", "d", "e"])
    ("['a', 'b']", "['a', 'b', 'c', ...] (5)")
    """
    shown = ", ".join(shortened(str(word)) for word in words[:3])
    return f"[{shown}, ...] ({len(words)})" if len(words) > 3 else f"[{shown}]"


def _are_rows(items: Sequence[object]) -> bool:
    """Whether each item is two strings, a word and a text: an id and what was said, as tables are read row by row."""
    rows: list[Any] = []
    for item in items:
        if not isinstance(item, list | tuple) or len(item) != 2:
            return False
        rows.append(item)
    if not all(isinstance(cell, str) for row in rows for cell in row):
        return False
    return all(len(row[0].split()) == 1 for row in rows) and any(len(row[1].split()) > 1 for row in rows)


def _are_pairs(hypotheses: Sequence[object], references: Sequence[object]) -> bool:
    """Whether two items or more are tuples of two words, the first of which, all different, are those of the other side
    in any order, as of the items of dicts; or stand beside references of one word.
    """
    firsts: list[list[str]] = []
    for side in (hypotheses, references):
        if firsts and all(isinstance(item, str) and len(item.split()) == 1 for item in side):
            continue
        if not all(isinstance(item, tuple) and len(item) == 2 and are_words(item) for item in side):
            return False
        firsts.append([item[0] for item in side])  # type: ignore[index]
    return 1 < len(firsts[0]) == len({*firsts[0]}) and sorted(firsts[0]) == sorted(firsts[-1])


def check_text(text: str, name: str) -> None:
    """Refuse the name of a file, and a record, where text is wanted.

    Raises:
        FstmetricsError: it is one.
    """
    refuse_record(text, name)
    if ("." in text or "/" in text) and len(text.split(None, 1)) == 1 and _is_file(text.strip()):
        raise FstmetricsError(
            f"{name} is {shortened(text)}, the name of a file that exists; read it first: Lattice.read(path), "
            "NBest.read_all(path), Network.read(path), or open(path).read().splitlines() for lines of text; where "
            "it is the text, give a list with this one word"
        )


def refuse_record(text: str, name: str) -> None:
    """Refuse a JSON object, as a line of a manifest is.

    Raises:
        FstmetricsError: it is one.
    """
    if text[:1] == "{" and _is_record(text):
        raise FstmetricsError(
            f"{name} is a JSON object, {shortened(text)}; take its text first, as json.loads(line)['text']"
        )


def _is_record(text: str) -> bool:
    import json

    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_file(text: str) -> bool:
    try:
        return os.path.isfile(text)
    except ValueError:  # a zero byte
        return False


# Other arguments


class Kind(NamedTuple):
    """What an argument may be: in words, and as a test."""

    what: str
    holds: Callable[[Any], bool]

    def or_none(self) -> Kind:
        """The same, or None."""
        return Kind(f"{self.what} or None", lambda value: value is None or self.holds(value))

    def check(self, value: object, name: str) -> None:
        """Refuse an argument of another kind.

        Raises:
            FstmetricsError: says what is expected.
        """
        if not self.holds(value):
            raise FstmetricsError(f"{name} must be {self.what}, not {described(value)}")


def _all_are(value: object, kind: type | UnionType) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in value)


STRING = Kind("a string", lambda value: isinstance(value, str))
FLAG = Kind("True or False", lambda value: isinstance(value, bool))
NUMBER = Kind("a number", lambda value: isinstance(value, Real) and not isinstance(value, bool))
WHOLE = Kind("a whole number", lambda value: isinstance(value, Integral) and not isinstance(value, bool))
PATH = Kind(
    "a path", lambda value: isinstance(value, str | os.PathLike) and value != "" and "\0" not in str(value)
)
STRINGS = Kind("a list of strings", lambda value: _all_are(value, str))
SPAN = Kind("a pair of whole numbers", lambda value: _all_are(value, int) and len(value) == 2)


def numbers_of(given: object, name: str, dimensions: int = 1) -> npt.NDArray[np.float64]:
    """Numbers as an array of so many dimensions; nan stands for what is missing.

    Raises:
        FstmetricsError: something else.
    """
    if dimensions > 1 and is_table(given) and hasattr(given, "to_numpy"):
        raise FstmetricsError(
            f"{name} must be numbers, not a {type(given).__name__}: give its .to_numpy(), with rows and columns in one "
            "order on all sides"
        )
    if isinstance(given, str | bytes | Mapping | Set | Iterator) or is_table(given):
        raise FstmetricsError(f"{name} must be numbers, not {described(given)}")
    try:
        plain = np.asarray(given)
        if isinstance(given, list | tuple) and any(
            type(value) is bool for value in given
        ):  # [True, 2] is [1, 2]
            raise ValueError
        if (
            plain.size
            and plain.dtype.kind not in "iuf"
            and not (plain.dtype.kind == "O" and _are_numbers(plain))
        ):
            raise ValueError
        found = np.asarray(given, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise FstmetricsError(
            f"{name} must be {'rows of numbers, all of the same length' if dimensions > 1 else 'numbers'}, not "
            f"{described(given)}"
        ) from None
    if found.ndim != dimensions:
        raise FstmetricsError(f"{name} must have {dimensions} dimensions, not shape {list(found.shape)}")
    return found


def _are_numbers(values: npt.NDArray[np.object_]) -> bool:
    return all(value is None or NUMBER.holds(value) for value in values.flat)


def instance(kind: type) -> Kind:
    """An object of a class."""
    return Kind(f"a {kind.__name__}", lambda value: isinstance(value, kind))


def takes(**kinds: Kind) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Checks arguments, those given, before a function is called; a wrong one is an FstmetricsError."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        names = [
            parameter.name
            for parameter in signature(function).parameters.values()
            if parameter.kind is not parameter.KEYWORD_ONLY
        ]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            for name, value in (*zip(names, args, strict=False), *kwargs.items()):
                if name in kinds:
                    kinds[name].check(value, name)
            return function(*args, **kwargs)

        return checked

    return decorate


def by_name(
    elsewhere: Mapping[str, str], passes_to: Callable[..., object] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Refuses arguments that a function does not have, and says which one may be meant.

    Args:
        elsewhere: settings that are part of another argument, and how they are given there, with `{}` for the setting.
        passes_to: another function, which gets the `**options` of this one: its own names are those by name alone.
    """
    further = signature(passes_to).parameters.values() if passes_to else ()

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        own = [p.name for p in signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = list(dict.fromkeys([*own, *(p.name for p in further if p.kind is p.KEYWORD_ONLY)]))

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            for name, value in kwargs.items():
                if name not in names:
                    hint = _meant(name, value, names, elsewhere)
                    raise FstmetricsError(f"{function.__name__}() has no argument {name!r}; {hint}")
            return function(*args, **kwargs)

        return checked

    return decorate


def _meant(name: str, value: object, names: Sequence[str], elsewhere: Mapping[str, str]) -> str:
    if name in elsewhere:
        setting = elsewhere[name].format(f"{name}={value!r:.80}")
        has_it = elsewhere[name].partition("=")[0] in names
        return f"give {setting}" if has_it else f"align() and score() take {setting}"
    if name == "by" and "fields" in names:
        return f"score(...).by({value!r:.80}) has the scores by a field, which fields= gives, or a frame"
    near = did_you_mean(name, names)
    if name in SCALES and "scales" in names:
        near = f"{near} " if near else ""
        near += f"One weight of all is scales=Scales({SCALES[name]}={value!r:.80})."
    return f"{near} It takes {', '.join(names)}" if near else f"it takes {', '.join(names)}"


def expect(value: object, kind: type, name: str) -> None:
    """Refuse an argument of another type.

    Raises:
        FstmetricsError: says what is expected.
    """
    if not isinstance(value, kind):
        raise FstmetricsError(
            f"{name} is a {kind.__name__}, as in {name}={kind.__name__}(...), not {value!r:.80}"
        )


def whole_number(value: object, name: str, least: int, most: int | None = None) -> int:
    """An argument that is a whole number of a range, numpy's too, as Python's own.

    Raises:
        FstmetricsError: says what is expected.
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise FstmetricsError(f"{name} must be a whole number, not {value!r:.80}")
    number = int(value)
    if number < least or (most is not None and number > most):
        expected = f"at least {least}" if number < least else f"at most {most}"
        raise FstmetricsError(f"{name} must be {expected}, not {value!r:.80}")
    return number
