"""Which columns of a table are the id, the references and the hypothesis: `choose`, for one side of an evaluation.

- `TableOptions`: what a caller says of a table: which side is wanted, and which columns have it (`--fields`).
- `LAYOUTS`: manifests whose columns are known. Tables of other makers go by the names that such columns usually have;
  what is not clear from those is refused, with the names that are there.
- `Chosen`: the columns, and how the summary says that they were read.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal, NamedTuple

from fstmetrics.data.fields import SPEAKER
from fstmetrics.data.segments import ALIKE
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.options import Kind, several, text

SideName = Literal["hypothesis", "reference", "source"]
OPTION = "--fields"
EXAMPLE = f"{OPTION} id=audio_filepath,ref=text,hyp=pred_text"
NO_TABLE = f"{OPTION} names columns, and no file is a table with a head or objects in JSON (docs/tables.md)"
# Names of columns that have a comma in them.
QUOTED = f"""{OPTION} '"id=Name, file",ref=text'"""
# What `--fields` calls the parts that are scored; any other name is that of a field.
ID, REFERENCE, HYPOTHESIS = "id", "ref", "hyp"
ROLES: Mapping[SideName, str] = {"reference": REFERENCE, "hypothesis": HYPOTHESIS, "source": "source"}
# Said where a manifest's column of references is all that may be the hypothesis.
USUALLY_REFERENCE = f", which usually is the reference ({OPTION} {HYPOTHESIS}=COLUMN names another)"
USUALLY_HYPOTHESIS = ", which usually is the hypothesis"
# Said where rows have a text beside their n-best lists.
TWO_HYPOTHESES = ", which may be the hypothesis, too"
# Columns whose values make one id, in `--fields id=file+offset`.
AND = "+"

Given = Mapping[str, tuple[str, ...]]
NOTHING_GIVEN: Given = {}
# Of nothing of which columns are texts and which are numbers.
NO_TEXTS: Mapping[str, bool] = {}


@dataclass(frozen=True)
class TableOptions:
    """What a caller says of a table.

    Attributes:
        side: which side is read; None where a text is wanted, whichever it is.
        both: whether the other side is read from the same table.
        given: the columns by what they are, `id`, `ref`, `hyp` or the name of a field; `given_fields` makes it.
        hypothesis: which of several columns that are given as `hyp` is meant.
        may_lack_texts: whether rows without words are taken: of who spoke when.
        called: a name that a caller gave the text, as NAME=FILE, empty where it gave none: a column of just this name
            is meant; None where `--fields` says it.
    """

    side: SideName | None = None
    both: bool = False
    given: Given = field(default_factory=lambda: NOTHING_GIVEN)
    hypothesis: str = ""
    may_lack_texts: bool = False
    called: str | None = None

    @property
    def is_by_order(self) -> bool:
        """Whether no column is the id, `id=`, so that order pairs."""
        return self.given.get(ID) == ("",)

    @property
    def columns(self) -> frozenset[str]:
        """The columns that were given."""
        return frozenset(chain.from_iterable(self.given.values()))


# Of a table of which nothing was said.
ANY_SIDE = TableOptions()


def _columns(given: Any) -> list[str]:
    if not isinstance(given, Mapping):
        return several(given, text)
    return [
        f"{text(name)}={text(column)}"
        for name, columns in given.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    ]


# Columns of a table by the fields that they are; Python may have a dict, whose values are columns or lists of them.
COLUMNS = Kind(_columns, repeated=True)


def given_fields(arguments: Iterable[str]) -> Given:
    """What `--fields` says.

    Args:
        arguments: `NAME=COLUMN,...` each; `id`, `ref` and `hyp` may come several times. Quotes around a part hold
            commas together, as in CSV.

    Raises:
        FstmetricsError: a part that is not of this form, or a field's name that comes twice.

    >>> given_fields(["id=audio_filepath,ref=text", "ref=other,speaker=spk_id"])
    {'id': ('audio_filepath',), 'ref': ('text', 'other'), 'speaker': ('spk_id',)}
    >>> given_fields(['"id=Name, file",ref=text'])
    {'id': ('Name, file',), 'ref': ('text',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    parts = csv.reader(arguments, skipinitialspace=True)
    for part in (part.strip() for row in parts for part in row or [""]):
        name, is_pair, column = (each.strip() for each in part.partition("="))
        if not is_pair or not name or not (column or name == ID):
            raise FstmetricsError(
                f"{OPTION}: expected NAME=COLUMN,..., found {part!r}; for example {EXAMPLE}; quotes hold a name with "
                f"a comma together: {QUOTED}"
            )
        if name in found and name not in (ID, REFERENCE, HYPOTHESIS):
            raise FstmetricsError(f"{OPTION}: {name} is given twice, as {found[name][0]} and as {column}")
        found[name] = (*found.get(name, ()), column)
    return found


class Layout(NamedTuple):
    """Rows of a known maker.

    Attributes:
        called: what the summary calls a table of them.
        needs: columns that no other rows have together.
        id: the column of the id.
        parts: columns that make an id with it where it comes several times.
        reference, hypothesis: columns of the texts.
    """

    called: str
    needs: frozenset[str]
    id: str
    parts: tuple[str, ...] = ()
    reference: str = "text"
    hypothesis: str = "pred_text"


LAYOUTS = (
    Layout("a NeMo manifest", frozenset({"audio_filepath"}), "audio_filepath", ("offset", "duration")),
    Layout("Lhotse cuts", frozenset({"id", "supervisions"}), "id"),
    Layout("Lhotse supervisions", frozenset({"id", "recording_id", "duration"}), "id"),
)
# Names that the columns of other tables usually have; ids in the order in which they are preferred.
# They are compared without regard to case, and to what parts their words: `Audio File Name` is `audio_file_name`.
IDS = (
    "id", "utt_id", "uttid", "utt", "utterance_id", "utterance", "uid", "segment_id", "seg_id", "seg_name",
    "sentence_id", "sent_id", "sample_id", "cut_id", "clip_id", "audio_id", "item_id", "segid", "guid", "uuid",
    "audio_filepath", "audio_file", "audio_file_name", "audio_filename", "audio_path", "wav_filename", "wav_filepath",
    "wav_file", "file_name", "filename", "filepath", "file_path", "file_id", "file", "path", "audio.path", "audio",
    "wav_path", "wav", "wav_id", "clip", "clip_name", "key", "name", "recording_id",
)  # fmt: skip
REFERENCES = (
    "reference", "references", "ref", "refs", "ref_text", "reference_text", "ground_truth", "groundtruth", "gold",
    "target_text",
)  # fmt: skip
HYPOTHESES = (
    "hypothesis", "hyp", "hyp_text", "hypothesis_text", "pred_text", "prediction", "predictions", "predicted", "pred",
    "predicted_text", "hypotheses", "mt", "pred_str", "asr", "asr_text", "recognized_text", "recognised_text",
)  # fmt: skip
SOURCES = ("source", "src", "source_text", "src_text", "source_sentence")
OWN_NAMES: Mapping[SideName, Collection[str]] = {
    "reference": REFERENCES, "hypothesis": HYPOTHESES, "source": SOURCES
}  # fmt: skip
# Names of texts that may be the reference where no column is surely it, and a text of either side is there; words of
# other such names, of which some are classes; and words of names that say something of them.
TRANSLATIONS = frozenset({
    "translation", "translations", "translated_text", "translation_text", "target", "targets", "tgt", "tgt_text",
})  # fmt: skip
_TRANSLATED = frozenset({
    "translation", "translations", "target", "targets", "tgt", "label", "labels", "answer", "answers",
})  # fmt: skip
_OF_TRANSLATED = frozenset(
    {"lang", "language", "locale", "id", "path", "filepath", "file", "audio", "speaker"}
)
_WORDS_OF_NAME = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
# Names of texts on either side: a reference beside a hypothesis, and whatever is wanted where nothing else is there.
EITHER = (
    "text",
    "transcript",
    "transcription",
    "transcripts",
    "sentence",
    "normalized_text",
    "words",
    "trans",
)
KNOWN = frozenset(
    (*IDS, *REFERENCES, *HYPOTHESES, *EITHER, *(name for layout in LAYOUTS for name in layout.needs))
)


def plain_name(name: str) -> str:
    """The name of a column without regard to case, and to what parts its words.

    >>> plain_name("Audio File Name"), plain_name("utt-ID")
    ('audio_file_name', 'utt_id')
    """
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())


def may_be_translation(name: str) -> bool:
    """Whether the name of a column has a word in it that texts in another language have, or texts that are wanted.

    >>> list(map(may_be_translation, ("reference_translation", "TargetText", "target_lang", "pred_label", "labelled")))
    [True, True, False, False, False]
    """
    words = {word.lower() for word in _WORDS_OF_NAME.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name))}
    return (
        not (_TRANSLATED.isdisjoint(words) and plain_name(name) not in TRANSLATIONS)
        and _OF_TRANSLATED.isdisjoint(words)
        and not any(part in name.lower() for part in LIKE_HYPOTHESES)
        and plain_name(name) not in TEXTS
    )


# Those of texts of either side.
TEXTS = frozenset((*REFERENCES, *HYPOTHESES, *EITHER))
# Other names of the column of who speaks, which is the field `speaker`.
SPEAKERS = ("speaker", "speaker_id", "spk_id", "spk", "speakerid", "spkid", "speaker_name")
# How the column of an index is called where pandas or R writes it without a name, or where pandas names it.
UNNAMED = "Unnamed: 0"
_INDEX = re.compile(r"unnamed:_0|index|_?index_level_\d+_?")
# What stands behind the names of several columns of one kind, as `ref2` and `hyp_1`.
_NUMBERED = re.compile(r"_?\d+$")
# What names of hypotheses have in them. A text beside such a column is not taken for the hypothesis.
LIKE_HYPOTHESES = ("pred", "hyp", "asr", "recogni", "decod", "output")
# Ids that fields keep, as they lead to the sound.
_SOUND = frozenset(name for name in IDS if name.startswith(("audio", "wav", "file", "path", "clip")))


def without_sound(id: Collection[str]) -> set[str]:
    """The columns of an id that are no fields, as they do not lead to the sound."""
    return {name for name in id if plain_name(name) not in _SOUND}


def names_hypothesis(name: str) -> bool:
    """Whether a column has a usual name of hypotheses."""
    return plain_name(name) in HYPOTHESES


class Chosen(NamedTuple):
    """The columns of a side.

    Attributes:
        called: what the table is called.
        id: columns whose values make the id; none where order pairs.
        parts: further ones where ids come several times.
        texts: the column of the hypothesis, or those of the references.
        others: columns of texts, and of an index, that are no fields.
        renamed: names of fields by their columns, where they are not the same.
        counted: the column of an index, where order pairs: it must count the rows.
        said: how the columns were read, for the summary, behind the id.
    """

    called: str
    id: tuple[str, ...]
    texts: tuple[str, ...]
    parts: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    counted: str = ""
    said: str = ""

    def without_texts(self, names: Iterable[str]) -> list[str]:
        """The names of columns that are no texts."""
        return [name for name in names if name not in self.others and plain_name(name) not in TEXTS]

    def remark(self, id: Sequence[str]) -> str:
        """How the table was read, where these columns make the id."""
        first = f"id {AND.join(id)}" if id else "no id"
        return f"read as {self.called}: {first}, {self.said}"


def layout_of(names: Collection[str]) -> Layout | None:
    """The known layout that has such columns."""
    return next((layout for layout in LAYOUTS if layout.needs <= set(names)), None)


def choose(names: Collection[str], options: TableOptions, texts: Mapping[str, bool] = NO_TEXTS) -> Chosen:
    """The columns of the side that is wanted.

    Args:
        names: the columns that are there.
        options: what the caller says.
        texts: columns that hold texts, as far as the first rows tell, and False of those of numbers. Beside a text of
            an unknown name, nothing is taken for the hypothesis that may be the reference.

    Raises:
        FstmetricsError: no column, or several, may be what is wanted; or one that was given is not there.

    >>> choose(["audio_filepath", "text", "pred_text"], TableOptions("hypothesis")).remark(["audio_filepath"])
    'read as a NeMo manifest: id audio_filepath, hypothesis pred_text'
    """
    layout, given = layout_of(names), options.given
    _refuse_lacking(names, given, options)
    id = _id(names, layout, given)
    sides = {
        side: _texts(names, layout, side, options, texts) for side in _sides(names, layout, options, texts)
    }
    wanted = options.side if options.side is not None else next(iter(sides))
    renamed = {columns[0]: name for name, columns in given.items() if name not in (ID, REFERENCE, HYPOTHESIS)}
    if speaker := _speaker(names, renamed):
        renamed[speaker] = SPEAKER
    index = "" if id or ID in given or options.both else _index(names, options)
    of_sides = {column for columns in sides.values() for column in columns}
    others = of_sides.union(
        REFERENCES, HYPOTHESES, EITHER, given.get(REFERENCE, ()), given.get(HYPOTHESIS, ()), (index,)
    )
    # Other columns of a time that was given are not that of what is said.
    others = others.union(*(names for names in ALIKE if not given.keys().isdisjoint(names)))
    usual = dict.fromkeys(sides, "")
    if any(plain_name(name) in HYPOTHESES for name in sides.get("reference", ())):
        usual["reference"] = USUALLY_HYPOTHESIS
    named = {side: " and ".join(columns) or "without words" for side, columns in sides.items()}
    said = ", ".join(f"{side} {columns}{usual[side]}" for side, columns in named.items())
    if layout and HYPOTHESIS not in given and sides.get("hypothesis") == (layout.reference,):
        said += USUALLY_REFERENCE
    if options.side == "hypothesis" and not options.both:
        own = [name for name in names if plain_name(name) in REFERENCES and name not in of_sides]
        said += f"; its own references ({listed(own)}) are not scored" if own else ""
    return Chosen(
        layout.called if layout else "a table",
        id,
        sides[wanted],
        layout.parts if layout and ID not in given else (),
        frozenset(others - set(renamed)),
        renamed,
        index,
        said,
    )


def _index(names: Iterable[str], options: TableOptions) -> str:
    """The column of an index; empty where there is none, or the caller says what it is."""
    found = (name for name in names if _INDEX.fullmatch(plain_name(name)))
    return next((name for name in found if name not in options.columns), "")


def choose_id(names: Collection[str], options: TableOptions) -> Chosen:
    """The columns of the id alone, where no text is wanted.

    Raises:
        FstmetricsError: a column that was given is not there.
    """
    layout = layout_of(names)
    parts = layout.parts if layout and ID not in options.given else ()
    return Chosen(layout.called if layout else "a table", _id(names, layout, options.given), (), parts)


def _speaker(names: Collection[str], renamed: Mapping[str, str]) -> str | None:
    """The column of who speaks, where it has another of its usual names than that of the field."""
    fields = [renamed.get(name, name) for name in names]
    if SPEAKER in fields:
        return None
    called = {
        plain_name(field): name for field, name in zip(reversed(fields), reversed(list(names)), strict=True)
    }
    return next((called[name] for name in SPEAKERS if name in called), None)


def _sides(
    names: Collection[str], layout: Layout | None, options: TableOptions, texts: Mapping[str, bool]
) -> Sequence[SideName]:
    """The sides whose columns are looked for: references first, as the summary says them.

    Raises:
        FstmetricsError: it is open which side is wanted, and the table has both.
    """
    if options.both:
        return "reference", "hypothesis"
    if options.side is not None:
        return (options.side,)
    if HYPOTHESIS in options.given or REFERENCE in options.given:
        return ("reference",) if REFERENCE in options.given else ("hypothesis",)
    found: dict[SideName, tuple[str, ...]] = {}
    for side in ("reference", "hypothesis"):
        with suppress(FstmetricsError):
            found[side] = _texts(names, layout, side, options, texts)
    if len(set(found.values())) > 1:
        (reference,), (hypothesis,) = found.values()
        raise FstmetricsError(
            f"the rows have references ({reference}) and hypotheses ({hypothesis}): say which, "
            f"{OPTION} {REFERENCE}={reference} or {OPTION} {HYPOTHESIS}={hypothesis}"
        )
    return tuple(found)[:1] or ("reference",)


def _refuse_lacking(names: Collection[str], given: Given, options: TableOptions) -> None:
    """Raise an FstmetricsError for a column that was given and is not there.

    A text of the other side may be in another file, and so may a field, unless one table has both sides.
    """
    wanted = (ROLES[options.side],) if options.side else (REFERENCE, HYPOTHESIS)
    for name, columns in given.items():
        if name == ID or not (options.both or name in wanted):
            continue
        if lacking := [column for column in columns if column not in names]:
            raise _lacking(lacking[0], names)


def id_among(names: Collection[str], options: TableOptions) -> str:
    """The column that is the id by its name; empty where there is none, or the caller says which it is."""
    return "" if ID in options.given else next(iter(_id(names, layout_of(names), {})), "")


def refuse_unread(names: Collection[str], unread: Mapping[str, str], options: TableOptions) -> None:
    """Raise an FstmetricsError for a column that is the id, or is given, and is of a type that is not read.

    Args:
        names: the columns that are read.
        unread: the others, with their types.
        options: what the caller says.
    """
    given = [name for column in options.columns for name in _columns_of_id(column, names)]
    if ID not in options.given and not layout_of(names):
        plain = {plain_name(name): name for name in (*unread, *names)}
        first = next((plain[name] for name in IDS if name in plain and name not in _SOUND), "")
        given.append(first)
    if bad := next((name for name in given if name in unread and name not in names), None):
        raise FstmetricsError(
            f"column {bad!r} has the type {unread[bad]}, and a text or a number is expected: write it as text, or "
            f"{OPTION} {ID}=COLUMN names another column of ids"
        )


def _lacking(column: str, names: Collection[str]) -> FstmetricsError:
    return FstmetricsError(f"no column {column!r}, which {OPTION} names; {_there(names)}")


def _id(names: Collection[str], layout: Layout | None, given: Given) -> tuple[str, ...]:
    """The columns of the id; of several that are given, the first that the table has."""
    if ID not in given:
        plain = {plain_name(name): name for name in reversed(list(names))}
        return (layout.id,) if layout else next(((plain[name],) for name in IDS if name in plain), ())
    asked = [_columns_of_id(column, names) for column in given[ID]]
    found = next((columns for columns in asked if all(column in names for column in columns)), None)
    if found is None:
        raise _lacking(next(column for column in asked[0] if column not in names), names)
    return found


def _columns_of_id(column: str, names: Collection[str]) -> tuple[str, ...]:
    """The columns of an id: one, several with `+` between, or none."""
    if not column or column in names:
        return (column,) if column else ()
    return tuple(part.strip() for part in column.split(AND))


def _texts(
    names: Collection[str],
    layout: Layout | None,
    side: SideName,
    options: TableOptions,
    texts: Mapping[str, bool],
) -> tuple[str, ...]:
    """The columns of a side's texts; one of a hypothesis.

    Raises:
        FstmetricsError: none is known, or several may be meant.
    """
    role, given = ROLES[side], options.given
    if role == HYPOTHESIS and options.hypothesis:
        return (options.hypothesis,)
    if options.called in names and not options.both:
        return (str(options.called),)
    asked = f"{OPTION} {role}={{}}" if options.called is None else "{}=FILE"
    if role in given:
        if role == HYPOTHESIS and len(given[role]) > 1:
            raise FstmetricsError(
                f"{OPTION}: several hypotheses, {listed(given[role])}, are several systems: `fstmetrics compare` takes "
                "them; here give one"
            )
        return given[role]
    free = [name for name in names if not any(name in columns for columns in given.values())]
    rivals = [name for name in free if texts.get(name) and may_be_translation(name)]
    if layout and side != "source":
        column = layout.reference if side == "reference" else layout.hypothesis
        if column in names and not (rivals and side == "reference"):
            return (column,)
    called = [name for name in free if _NUMBERED.sub("", plain_name(name)) in OWN_NAMES[side]]
    called = _without_numbers(called, texts)
    sure = [name for name in called if plain_name(name) in OWN_NAMES[side]]
    further = [name for name in called if name not in sure]
    if sure and further:
        every = ",".join(f"{role}={name}" for name in (*sure, *further))
        takes_all = side == "reference" and options.called is None
        several = f"{OPTION} {every} takes all" if takes_all else "give one"
        raise FstmetricsError(
            f"{listed([*sure, *further])} may be the {side}: say which column it is, {asked.format(sure[0])}; {several}"
        )
    if len(sure) == 1:
        return tuple(sure)
    neutral = _without_numbers([name for name in free if plain_name(name) in EITHER], texts)
    if neutral and rivals and side == "reference" and not sure:
        either = " or ".join(map(asked.format, (*neutral, *rivals)))
        raise FstmetricsError(
            f"{listed([*neutral, *rivals])} may be the reference: say which column it is, {either}"
        )
    if (
        not sure
        and len(neutral) == 1
        and (side == "reference" or _is_hypothesis(neutral[0], free, options.both, texts))
    ):
        return tuple(neutral)
    found = sure or neutral
    if options.may_lack_texts and not found:
        return ()
    several = f"{listed(found)} may be" if len(found) > 1 else "no column is known to be"
    column, field = "COLUMN", ""
    if side in given:  # as Python calls it
        column = given[side][0]
        field = f" ({side}={column} names a field)"
    usual = [name for name in free if role == REFERENCE and not found and plain_name(name) in HYPOTHESES]
    exchanged = f", and {listed(usual)} usually is the hypothesis (the order is REF HYP)" if usual else ""
    option = "" if side == "source" else f"say which column it is, {asked.format(column)}{field}, or "
    raise FstmetricsError(f"{several} the {side}{exchanged}: {option}call one column {role}; {_there(names)}")


def _without_numbers(names: list[str], texts: Mapping[str, bool]) -> list[str]:
    """Columns that are no numbers, if one of them is a text; otherwise all."""
    found = [name for name in names if texts.get(name) is not False]
    return found if any(map(texts.get, found)) else names


def _is_hypothesis(name: str, names: Sequence[str], both: bool, texts: Mapping[str, bool]) -> bool:
    """Whether a text that either side may have is the hypothesis: no other column may be it, or the reference."""
    beside = [one for one in names if one != name]
    likely = any(part in one.lower() for one in beside for part in LIKE_HYPOTHESES)
    return not (
        both
        or likely
        or any(
            plain_name(one) in REFERENCES or (texts.get(one) and plain_name(one) not in IDS) for one in beside
        )
    )


def _there(names: Collection[str]) -> str:
    return f"the columns are {', '.join(map(str, names))}" if names else "there is no column"
