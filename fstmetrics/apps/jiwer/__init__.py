"""jiwer's functions with fstmetrics inside: `from fstmetrics import jiwer` is all that a script has to change.

Names, arguments (references first; lists are corpora), results and errors are those of jiwer 4, and so are the numbers
and the alignments. `wer` and `cer` are the engine's; what depends on which of equally good alignments is shown has
rapidfuzz's (`engine.program_alignments`). Transforms are any functions from strings to lists of lists of words, among
them jiwer's own; they and all other names of jiwer are taken from that package where it is installed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from fstmetrics import WER
from fstmetrics.engine.program_alignments import DELETION, INSERTION, PAIR, Errors, errors_of_pairs
from fstmetrics.engine.search import COUNTS_ONLY, search

if TYPE_CHECKING:
    Sentences = list[list[str]]

# A transform of jiwer, or any function that does the same.
Transform = Callable[[Any], "Sentences"]
Output = TypeVar("Output", bound="_Output")

SPACES = re.compile(r"\s\s+")
# White space other than a space, which is part of words here.
OTHER_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
# Boundaries of sentences, which are words here, and which the engine leaves out.
MARKERS = ("<s>", "</s>", "!SENT_", "!ENTER", "!EXIT")
METRIC = WER()


def wer_default(text: str | list[str]) -> Sentences:
    """jiwer's transform of that name: words separated by spaces, of every sentence.

    >>> wer_default(["two  words ", "one"])
    [['two', 'words'], ['one']]
    """
    sentences = _sentences(text)
    if _has_any(OTHER_SPACE, sentences):
        return [
            [word for word in SPACES.sub(" ", sentence).strip().split(" ") if word] for sentence in sentences
        ]
    return list(map(str.split, sentences)) or [[]]


def cer_default(text: str | list[str]) -> Sentences:
    """jiwer's transform of that name: characters, of every sentence.

    >>> cer_default(" a b")
    [['a', ' ', 'b']]
    """
    return [list(sentence.strip()) for sentence in _sentences(text)] or [[]]


def wer(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word error rate of one or many sentences.

    Raises:
        ValueError: different numbers of references and hypotheses, or something that is no text.

    >>> wer(["the cat sat", "a dog"], ["the cat sat down", "a dog"])
    0.2
    """
    counts = _counted(reference, hypothesis, reference_transform, hypothesis_transform)
    return _error_rate(counts.edits, counts.references)


def cer(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Character error rate; a space is a character. Errors as of `wer`.

    >>> cer("a cat", "a cart")
    0.2
    """
    counts = _counted(reference, hypothesis, reference_transform, hypothesis_transform)
    return _error_rate(counts.edits, counts.references)


def mer(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Match error rate; errors as of `wer`.

    >>> mer("the cat sat", "the cat sat on")
    0.25
    """
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).mer


def wil(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information lost; errors as of `wer`.

    >>> wil("the cat sat", "the cat sat on")
    0.25
    """
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).wil


def wip(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Word information preserved; errors as of `wer`.

    >>> wip("the cat sat", "the cat sat on")
    0.75
    """
    return process_words(reference, hypothesis, reference_transform, hypothesis_transform).wip


@dataclass
class AlignmentChunk:
    """Words, or characters, that have the same operation.

    Attributes:
        type: `equal`, `substitute`, `insert` or `delete`; `replace` becomes `substitute`.
        ref_start_idx, ref_end_idx: those of the reference, the end not included.
        hyp_start_idx, hyp_end_idx: those of the hypothesis.

    Raises:
        ValueError: another type, or an end before its start.
    """

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":
            self.type = "substitute"
        if self.type not in TYPES:
            raise ValueError(f"type is one of {', '.join(TYPES)}, not {self.type!r}")
        for side in ("ref", "hyp"):
            start, end = (getattr(self, f"{side}_{which}_idx") for which in ("start", "end"))
            if start > end:
                raise ValueError(f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


TYPES = ("equal", "substitute", "insert", "delete")
LISTS = ("references", "hypotheses", "alignments")
# Of an error, by its operation: type, and words of the reference and of the hypothesis.
STEPS = {PAIR: ("substitute", 1, 1), INSERTION: ("insert", 0, 1), DELETION: ("delete", 1, 0)}


class _Output:
    """What the outputs of words and of characters have in common: lists are made when they are looked at."""

    def __getattr__(self, name: str) -> Any:
        # Python comes here for what is not there yet; another thread may make it meanwhile.
        found: _Found | None = vars(self).get("_found")
        if name in LISTS and found is not None:
            references, hypotheses = _lists(found.references), _lists(found.hypotheses)
            vars(self).update(
                references=references,
                hypotheses=hypotheses,
                alignments=list(_chunks(found.errors, references)),
            )
            vars(self).pop("_found", None)
        if name not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return vars(self)[name]

    def __getstate__(self) -> dict[str, Any]:
        getattr(self, LISTS[0])
        return {name: value for name, value in vars(self).copy().items() if name != "_found"}


@dataclass
class WordOutput(_Output):
    """What `process_words` finds.

    Attributes:
        references, hypotheses: words of each sentence, after the transforms.
        alignments: chunks of each sentence.
        wer, mer, wil, wip: the rates of all sentences together.
        hits, substitutions, insertions, deletions: words, of all sentences together.
    """

    references: Sentences
    hypotheses: Sentences
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput(_Output):
    """What `process_characters` finds: as `WordOutput`, of characters; the one rate is `cer`."""

    references: Sentences
    hypotheses: Sentences
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """All rates and counts of one or many sentences, and their alignments; errors as of `wer`.

    >>> output = process_words("the cat sat", "a cat sat down")
    >>> output.hits, output.substitutions, output.insertions, output.wer
    (2, 1, 1, 0.6666666666666666)
    >>> output.alignments[0][0]
    AlignmentChunk(type='substitute', ref_start_idx=0, ref_end_idx=1, hyp_start_idx=0, hyp_end_idx=1)
    """
    found = _compared(reference, hypothesis, reference_transform, hypothesis_transform)
    counts = found.counts()
    hits, references = counts["hits"], found.errors.words
    edits = len(found.errors.items)
    hypotheses = hits + counts["substitutions"] + counts["insertions"]
    wip = 1.0 if not references and not hypotheses else 0.0
    if references and hypotheses:
        wip = (hits / references) * (hits / hypotheses)
    mer = edits / (hits + edits) if edits else 0.0
    rates = {"wer": _error_rate(edits, references), "mer": mer, "wil": 1 - wip, "wip": wip}
    return _filled(WordOutput, found, {**rates, **counts})


def process_characters(
    reference: str | list[str],
    hypothesis: str | list[str],
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """The same of characters.

    >>> process_characters("a cat", "a cart").insertions
    1
    """
    found = _compared(reference, hypothesis, reference_transform, hypothesis_transform)
    rate = _error_rate(len(found.errors.items), found.errors.words)
    return _filled(CharacterOutput, found, {"cer": rate, **found.counts()})


def visualize_alignment(
    output: WordOutput | CharacterOutput,
    show_measures: bool = True,
    skip_correct: bool = True,
    line_width: int | None = None,
) -> str:
    """The alignments in rows, and the rates.

    Args:
        output: what to show.
        show_measures: whether counts and rates follow.
        skip_correct: whether sentences without an error are left out.
        line_width: characters of a row at most, as far as words allow; None: any number.

    >>> print(visualize_alignment(process_words("the cat sat", "a cat sat down"), show_measures=False))
    === SENTENCE 1 ===
    <BLANKLINE>
    REF: the cat sat ****
    HYP:   a cat sat down
           S            I
    <BLANKLINE>
    """
    space = "" if isinstance(output, CharacterOutput) else " "
    shown = ""
    sentences = zip(output.references, output.hypotheses, output.alignments, strict=True)
    for number, (reference, hypothesis, chunks) in enumerate(sentences, 1):
        if skip_correct and all(chunk.type == "equal" for chunk in chunks):
            continue
        rows = _rows(list(_columns(reference, hypothesis, chunks)), space, line_width)
        shown += f"=== SENTENCE {number} ===\n\n{rows}\n"
    if not show_measures:
        return shown[:-1]
    shown += f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
    counts = ("substitutions", "deletions", "insertions", "hits")
    shown += " ".join(f"{name}={getattr(output, name)}" for name in counts) + "\n\n"
    names = ("cer",) if isinstance(output, CharacterOutput) else ("mer", "wil", "wip", "wer")
    return shown + "".join(f"{name}={100 * getattr(output, name):.2f}%\n" for name in names)


def collect_error_counts(
    output: WordOutput | CharacterOutput,
) -> tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]:
    """How often each chunk was substituted (by which), inserted and deleted.

    >>> collect_error_counts(process_words("the cat sat", "a cat sat down"))
    ({('the', 'a'): 1}, {'down': 1}, {})
    """
    space = "" if isinstance(output, CharacterOutput) else " "
    substitutions: Counter[tuple[str, str]] = Counter()
    insertions: Counter[str] = Counter()
    deletions: Counter[str] = Counter()
    for reference, hypothesis, chunks in zip(
        output.references, output.hypotheses, output.alignments, strict=True
    ):
        for chunk in chunks:
            old = space.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            new = space.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[old, new] += 1
            elif chunk.type == "insert":
                insertions[new] += 1
            elif chunk.type == "delete":
                deletions[old] += 1
    return dict(substitutions), dict(insertions), dict(deletions)


def visualize_error_counts(
    output: WordOutput | CharacterOutput,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """The counts of `collect_error_counts` as text, the `top_k` most frequent of each kind.

    >>> print(visualize_error_counts(process_words("the cat sat", "a cat sat down"), show_deletions=False))
    === SUBSTITUTIONS ===
    the --> a   = 1x
    <BLANKLINE>
    === INSERTIONS ===
    down = 1x
    """
    wanted = (show_substitutions, show_insertions, show_deletions)
    titles = ("SUBSTITUTIONS", "INSERTIONS", "DELETIONS")
    every: tuple[dict[Any, int], ...] = collect_error_counts(output)
    shown = [
        f"=== {title} ===\n{_table(counts, top_k)}"
        for is_shown, title, counts in zip(wanted, titles, every, strict=True)
        if is_shown
    ]
    return "\n".join(shown).removesuffix("\n")


def __getattr__(name: str) -> Any:
    """Other names of jiwer: its transforms."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import jiwer
    except ModuleNotFoundError:
        raise AttributeError(
            f"{__name__} has no {name!r}: transforms are taken from jiwer, which is not installed (pip install jiwer)"
        ) from None
    return getattr(jiwer, name)


# --- counting -------------------------------------------------------------------------------------------------


class _Edits(NamedTuple):
    """Edits, and words of the references."""

    edits: int
    references: int


class _Found(NamedTuple):
    """Both sides, as lists of words or as texts that spaces separate into words; and where they differ."""

    references: list[Any]
    hypotheses: list[Any]
    errors: Errors

    def counts(self) -> dict[str, int]:
        """Of each operation."""
        substitutions, insertions, deletions = np.bincount(self.errors.operations, minlength=3).tolist()
        hits = self.errors.words - substitutions - deletions
        names = ("hits", "substitutions", "insertions", "deletions")
        return dict(zip(names, (hits, substitutions, insertions, deletions), strict=True))


def _counted(reference: Any, hypothesis: Any, of_reference: Transform, of_hypothesis: Transform) -> _Edits:
    """By the engine, where it takes texts for the same words."""
    if texts := _plain_texts(reference, hypothesis, of_reference, of_hypothesis):
        totals = search(None, texts[1], texts[0], METRIC, options=COUNTS_ONLY).sum()
        return _Edits(totals.edits, totals.path_length)
    errors = _compared(reference, hypothesis, of_reference, of_hypothesis).errors
    return _Edits(len(errors.items), errors.words)


def _compared(reference: Any, hypothesis: Any, of_reference: Transform, of_hypothesis: Transform) -> _Found:
    given = reference, hypothesis, of_reference, of_hypothesis
    references, hypotheses = _plain_texts(*given) or _transformed(*given)
    return _Found(references, hypotheses, errors_of_pairs(hypotheses, references, "rapidfuzz"))


def _plain_texts(
    reference: Any, hypothesis: Any, of_reference: Transform, of_hypothesis: Transform
) -> tuple[list[Any], list[Any]] | None:
    """Both sides as texts whose words white space separates, here as for jiwer; None where they are not such."""
    if of_reference is not wer_default or of_hypothesis is not wer_default:
        return None
    texts = _sentences(reference) or [""], _sentences(hypothesis) or [""]
    _refuse_other_numbers(*texts)
    return None if any(_has_any((*OTHER_SPACE, *MARKERS), side) for side in texts) else texts


def _lists(side: list[Any]) -> Sentences:
    return wer_default(side) if side and isinstance(side[0], str) else side


def _error_rate(edits: int, words: int) -> float:
    """Edits a word; without words, edits, as jiwer has it."""
    return edits / words if words else edits


def _filled(kind: type[Output], found: _Found, numbers: dict[str, float]) -> Output:
    """An output without its lists, which are made later."""
    output = object.__new__(kind)
    vars(output).update({"_found": found, **numbers})
    return output


# --- transforms -----------------------------------------------------------------------------------------------


def _sentences(text: Any) -> list[str]:
    """One or many, as a list.

    Raises:
        ValueError: something else.
    """
    if isinstance(text, str):
        return [text]
    if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
        return text
    raise ValueError(f"input {text!r:.80} was expected to be a string or list of strings")


def _has_any(parts: Iterable[str], sentences: Iterable[str]) -> bool:
    text = "".join(sentences)
    return any(part in text for part in parts)


def _transformed(
    reference: Any, hypothesis: Any, of_reference: Transform, of_hypothesis: Transform
) -> tuple[Sentences, Sentences]:
    """Words of both sides.

    Raises:
        ValueError: a transform gives something else, or different numbers of sentences.
    """
    sides = []
    for name, text, transform in (
        ("reference", reference, of_reference), ("hypothesis", hypothesis, of_hypothesis)
    ):  # fmt: skip
        words = transform([text] if isinstance(text, str) else text)
        if transform not in (wer_default, cer_default) and not _is_words(words):
            raise ValueError(
                f"the transform of the {name} must give a list of lists of strings, each a word or character"
            )
        sides.append(words)
    _refuse_other_numbers(*sides)
    return sides[0], sides[1]


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(words, list) and all(isinstance(word, str) for word in words) for words in value
    )


def _refuse_other_numbers(references: Sequence[Any], hypotheses: Sequence[Any]) -> None:
    if len(references) != len(hypotheses):
        raise ValueError(
            f"references and hypotheses must be equally many after the transforms, and there are {len(references)} "
            f"references and {len(hypotheses)} hypotheses"
        )


# --- alignments -----------------------------------------------------------------------------------------------


def _chunks(errors: Errors, references: Sentences) -> Iterator[list[AlignmentChunk]]:
    """The chunks of each sentence, from its errors."""
    ends = np.searchsorted(errors.items, np.arange(len(references) + 1)).tolist()
    places, operations = errors.places.tolist(), errors.operations.tolist()
    for item, reference in enumerate(references):
        mine = slice(ends[item], ends[item + 1])
        yield list(_sentence_chunks(places[mine], operations[mine], len(reference)))


def _sentence_chunks(
    places: Sequence[int], operations: Sequence[int], words: int
) -> Iterator[AlignmentChunk]:
    i = j = 0
    steps: list[tuple[str, int, int]] = []
    for place, operation in zip(places, operations, strict=True):
        equal = (place + 1) // 2 - i - sum(step[1] for step in steps)
        if equal:
            yield from _merged(steps, i, j)
            i, j = i + sum(step[1] for step in steps), j + sum(step[2] for step in steps)
            yield AlignmentChunk("equal", i, i + equal, j, j + equal)
            i, j, steps = i + equal, j + equal, []
        steps.append(STEPS[operation])
    yield from _merged(steps, i, j)
    i, j = i + sum(step[1] for step in steps), j + sum(step[2] for step in steps)
    if i < words:
        yield AlignmentChunk("equal", i, words, j, j + words - i)


def _merged(steps: Iterable[tuple[str, int, int]], i: int, j: int) -> Iterator[AlignmentChunk]:
    """Steps of the same type as one chunk."""
    for (kind, of_reference, of_hypothesis), same in groupby(steps):
        n = len(list(same))
        yield AlignmentChunk(kind, i, i + n * of_reference, j, j + n * of_hypothesis)
        i, j = i + n * of_reference, j + n * of_hypothesis


def _columns(
    reference: Sequence[str], hypothesis: Sequence[str], chunks: Iterable[AlignmentChunk]
) -> Iterator[tuple[str, str, str]]:
    """A word of the reference, one of the hypothesis, and a letter, equally wide."""
    for chunk in chunks:
        old = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        new = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        letter = {"equal": " ", "substitute": "S", "insert": "I", "delete": "D"}[chunk.type]
        for k in range(max(len(old), len(new))):
            one = old[k] if chunk.type != "insert" else "*" * len(new[k])
            two = new[k] if chunk.type != "delete" else "*" * len(old[k])
            width = max(len(one), len(two), 1)
            yield one.rjust(width), two.rjust(width), letter.rjust(width)


def _rows(columns: Sequence[tuple[str, str, str]], space: str, line_width: int | None) -> str:
    """Rows of reference, hypothesis and letters; blocks of them where they are wider than a line."""
    heads = ("REF: ", "HYP: ", "     ")
    blocks: list[list[tuple[str, str, str]]] = [[]]
    width = len(heads[0])
    for column in columns:
        if line_width is not None and width + len(column[0]) > line_width:
            blocks.append([])
            width = len(heads[0])
        blocks[-1].append(column)
        width += len(column[0]) + len(space)
    return "\n".join(
        "".join(_row(head, [column[row] for column in block], space) for row, head in enumerate(heads))
        for block in blocks
    )


def _row(head: str, words: Sequence[str], space: str) -> str:
    """One row; spaces follow the words and the head, but for the last."""
    row = head + "".join(word + space for word in words)
    return (row[:-1] if space else row) + "\n"


def _table(counts: dict[Any, int], top_k: int | None) -> str:
    """Lines of words and counts, most frequent first."""
    if not counts:
        return "none"
    most = sorted(counts.items(), key=lambda pair: pair[1], reverse=True)[:top_k]
    width = max(len(word) for words, _ in most for word in ([words] if isinstance(words, str) else words))
    lines = (((words,) if isinstance(words, str) else words, n) for words, n in most)
    return "".join(f"{' --> '.join(word.ljust(width) for word in words)} = {n}x\n" for words, n in lines)
