"""The command `combine`, and `combine_files`, the same as a call."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    Options,
    PathLike,
    fields_of_options,
    several_paths,
    under,
)
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.combination.combining import (
    COUNTING,
    METHODS,
    SHOWING,
    Combination,
    Method,
    check_options,
    combined,
    timed_word,
)
from fstmetrics.combination.median import MOST_STEPS, STEPS
from fstmetrics.combination.outputs import Output, output_of
from fstmetrics.combination.slots import ALIGNMENTS, Alignment, Candidate, Slot, without_confidence
from fstmetrics.convert.files import READ_AS, WRITERS
from fstmetrics.data.fields import NO_FIELDS
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.segments import TimedChoice, TimedText, TimedWord, TimedWords
from fstmetrics.data.transcripts import Transcript
from fstmetrics.engine.unlike_sides import FEW_TEXTS, NO_SPACES, SAMPLE, spelling_remarks, unspaced_remark
from fstmetrics.io.detection.formats_and_refusals import NAMED
from fstmetrics.io.formats.ctm import spelled
from fstmetrics.io.formats.trn import written
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions, Writer, encoded
from fstmetrics.metrics.wer import WER
from fstmetrics.reports.summary import Part, Printed, Table, shortened
from fstmetrics.reports.table_forms import is_pasted
from fstmetrics.scoring.request import Request, check_run_paths, fields_of
from fstmetrics.scoring.side_remarks import formats_of
from fstmetrics.scoring.without_references import SystemRows, system_rows
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import listed
from fstmetrics.support.options import (
    TELLING,
    named,
    one_of,
    option,
    options_of_fields,
    real,
    whole,
    written_file,
)
from fstmetrics.support.output import named_output, refuse_overwriting, whole_bytes
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks

# The formats that hold a sentence of words, or words with times.
TARGETS = {name: w for name, w in WRITERS.items() if w.carries.content in ("text", "timed")}
WITH_IDS, WITHOUT = "kaldi-text", "plain"
# What parts the characters of scripts without spaces.
SPACED = r"perl -CSD -pe 's/[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]/ $& /g' FILE"
# The confidence that rover shows of words without one.
NO_CONFIDENCE = -1.0


@dataclass(frozen=True)
class CombineOptions:
    """Options of `combine` beside those of reading."""

    method: Method = option(
        "freq",
        one_of(*METHODS),
        "median: the string with the least total edits to the outputs. Others choose word by word, as SCTK's "
        "rover: freq by how many systems have it; meth1, maxconf and avgconf by that and its confidences (their "
        "mean, the largest, their share). oracle and putat write all words of each place.",
    )
    alpha: float = option(
        1.0, real(0, 1), "What the number of systems weighs against confidences. Default: 1, as in rover."
    )
    null_confidence: float = option(0.0, real(0, 1), "The confidence of no word. Default: 0, as in rover.")
    align: Alignment = option(
        "words", one_of(*ALIGNMENTS), "Align words by what they are, or by their times, as rover -T."
    )
    steps: int = option(
        STEPS,
        whole(1, MOST_STEPS),
        "median: after so many steps the search of an item stops, with the best string that is known and how few "
        "edits any string has at least.",
    )
    to: str | None = option(
        None,
        named("format", TARGETS),
        f"Format of the output. Default: by the ending of FILE, or as the inputs. One of {', '.join(TARGETS)}.",
    )
    output: str | None = option(None, written_file(), "Write to FILE. Default: standard output.", "FILE")

    @property
    def settings(self) -> dict[str, Any]:
        """As the JSON object has them."""
        names = {"median": ("method", "steps"), "freq": ("method", "align")}.get(
            self.method, ("method", "alpha", "null_confidence", "align")
        )
        return {name: getattr(self, name) for name in names}


ASKED = options_of_fields(CombineOptions)
COMBINING: Options = {
    **under("Method", ASKED, "method", "alpha", "null_confidence", "align", "steps"),
    **under(
        "Input",
        format=REQUEST["format"]._replace(help="Format of the outputs. Default: recognised."),
        missing=REQUEST["missing"]._replace(
            help="An id that a system lacks: stop, skip the item, or take it that the system has no word there."
        ),
    ),
    **under("Input", REQUEST, "symbols", "fields"),
    **under("Words", REQUEST, "lowercase", "remove_punctuation", "ignore", "normalise_unicode"),
    **under("Output", ASKED, "to", "output"),
    **FORMS_PRINTED,
    **under(
        "Output",
        json=FORMS_PRINTED["json"]._replace(
            help="Print one JSON object instead, without --output with all places and votes."
        ),
    ),
}


@dataclass(frozen=True)
class FilesCombination(Printed):
    """What several systems say together, of the items of files.

    Attributes:
        ids: of the items; None where files have none.
        items: a combination an item.
        systems: the paths, in order.
        settings: what was asked for.
        formats: how each path was read.
        skipped: how many items were left out, since a system lacks them.
        remarks: what was guessed about the files, and what is odd about them or the result.
        written: where the result was written, None: nowhere.
    """

    ids: Sequence[str] | None
    items: Sequence[Combination]
    systems: Sequence[str]
    settings: Mapping[str, Any]
    formats: Mapping[str, str]
    skipped: int
    remarks: Sequence[str]
    written: str | None = None

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        places = [slot for item in self.items for slot in item.slots]
        agreed = sum(len(slot.candidates) == 1 for slot in places)
        told = {
            "settings": dict(self.settings), "systems": list(self.systems), "items": len(self.items),
            "skipped": self.skipped, "words": sum(len(item.words) for item in self.items), "places": len(places),
            "agreed": agreed, "formats": dict(self.formats), "remarks": list(self.remarks),
        }  # fmt: skip
        edits, least = [item.edits for item in self.items], [item.least for item in self.items]
        if self.settings["method"] == "median":
            told |= {"edits": sum(filter(None, edits)), "least_edits": sum(filter(None, least))}
            told["not_exact"] = sum(not item.is_exact for item in self.items)
        return told if self.written else told | {"outputs": list(self.records())}

    def parts(self) -> list[Part]:
        """What the command prints in a form: a row an item, where they were not written, and the same lines."""
        is_median = self.settings["method"] == "median"
        rows: list[tuple[str, ...]] = [("id", "hypothesis", *(("edits", "least edits") if is_median else ()))]
        for number, item in enumerate(self.items):
            edits = (str(item.edits), str(item.least)) if is_median else ()
            id = str(number + 1) if self.ids is None else self.ids[number]
            rows.append((id, " ".join(item.words), *edits))
        return [*([] if self.written else [Table(rows, 2)]), *self.lines()]

    def records(self) -> Iterator[dict[str, Any]]:
        """An object an item."""
        for number, item in enumerate(self.items):
            yield {
                "id": None if self.ids is None else self.ids[number],
                "hypothesis": list(item.words),
                **({} if item.edits is None else {"edits": item.edits, "least_edits": item.least}),
                "places": [_told(slot, item) for slot in item.slots],
            }

    def lines(self) -> list[str]:
        """What the command prints on standard error."""
        skipped = f"left out: {counted(self.skipped, 'item')} that a system lacks"
        return [*shortened(self.remarks), *([skipped] if self.skipped else [])]


def _told(slot: Slot, item: Combination) -> dict[str, Any]:
    words = [
        item.outputs[system].words[place] if place >= 0 else None for system, place in enumerate(slot.places)
    ]
    votes = [{"word": each.word, "score": each.score} for each in slot.candidates]
    return {"systems": words, "votes": votes, "best": slot.candidates[slot.best].word}


def combine_files(*systems: PathLike, **options: Any) -> FilesCombination:
    """Combine what several systems say, as `fstmetrics combine` does; nothing is printed.

    Args:
        systems: a file a system, in the order in which they are aligned: the best system first.
        options: those of the command, with `_` for `-`, as of `score_files`: `method="maxconf"`, `alpha=0.5`,
            `output="combined.ctm"`. Without `output` nothing is written.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> files = [folder / name for name in ("a.txt", "b.txt", "c.txt")]
    >>> for file, text in zip(files, ("a cat sat", "the cat sat", "the cat"), strict=True):
    ...     _ = file.write_text(text + "\\n")
    >>> fm.combine_files(*files).items[0].words
    ('the', 'cat', 'sat')
    """
    found = fields_of_options("combine_files", COMBINING, options)
    return combine_from(several_paths("combine_files", systems, "outputs"), found)


def combine_from(systems: Sequence[str], options: dict[str, Any], prints: bool = False) -> FilesCombination:
    """The same by fields of `CombineOptions` and `Request`.

    Args:
        systems: the files.
        options: of `COMBINING`, by their fields.
        prints: whether the result goes to standard output where no file is named.

    Raises:
        FstmetricsError: as of `combine_files`.
    """
    asked = fields_of(CombineOptions, options)
    request = Request(**options)
    target = named_output(asked.output) if asked.output else "-" if prints else None
    check_options(len(systems), asked.method, asked.alpha, asked.null_confidence, asked.align, asked.steps)
    check_run_paths(request, systems)
    refuse_overwriting([target], systems)
    found = system_rows(request, systems)
    wanted = TARGETS.get(asked.to or _by_ending(asked.output))
    is_written = wanted is not None and wanted.carries.content == "timed"
    # Times or confidences of words are asked for.
    if is_written or asked.align == "times" or asked.method == "putat" or asked.alpha < 1:
        found = replace(found, rows=[list(map(_with_times, row)) for row in found.rows])
    is_timed = all(
        isinstance(item.given, TimedWords) for row in found.rows for item in row if item is not None
    )
    writer = _writer(asked, found, is_timed)
    items = []
    for number, row in enumerate(ticks(found.rows, "combining", len(found.rows), printing=target == "-")):
        items.append(_combination(row, number, found, request, asked))
    if target is not None:
        with whole_bytes(target) as stream:
            for piece in _pieces(items, found, systems, asked, writer):
                stream.write(piece)
    remarks = [
        *found.remarks,
        *(_late(items, found) if writer.carries.content == "timed" and asked.method not in SHOWING else []),
    ]
    if asked.method not in (*COUNTING, *SHOWING) and asked.alpha == 1:
        lacking = next(filter(None, (without_confidence(item.outputs) for item in items)), None)
        advice = "--alpha 0.5 weighs them as much"
        if lacking is not None:
            number, word = lacking
            advice = f"{found.sides[number].path} has words without one ({word}), so that none can be weighed"
        remarks.append(f"with --alpha 1, as in rover, confidences do not count; {advice}")
    remarks += _unlike(items, found, request)
    if stopped := [number for number, item in enumerate(items) if not item.is_exact]:
        remarks.append(_stopped(stopped, items, found))
    return FilesCombination(
        found.ids, items, systems, asked.settings, formats_of(found.sides), found.skipped, remarks,
        target,
    )  # fmt: skip


def _with_times(item: Item | None) -> Item | None:
    """An item with its words with times, where it has them beside a text, as in JSON of recognisers."""
    if item is None or not isinstance(item.timed, TimedWords) or not item.timed.has_own_times:
        return item
    return replace(item, given=item.timed, text=None)


def _combination(
    row: Sequence[Item | None], number: int, found: SystemRows, request: Request, asked: CombineOptions
) -> Combination:
    """Of one item; an error names it."""
    outputs: list[Output | Lattice] = []
    id = _name(found, number)
    are_timed = all(item is None or isinstance(item.given, TimedWords) for item in row)
    for side, item in zip(found.sides, row, strict=True):
        if item is None:
            outputs.append(Output((), () if are_timed else None))
            continue
        try:
            outputs.append(output_of(item.scored, request.normalisation, asked.method == "median"))
        except FstmetricsError as error:
            raise FstmetricsError(f"{side.path}: item {id}: {error}") from None
    try:
        return combined(
            outputs,
            asked.method,
            asked.alpha,
            asked.null_confidence,
            asked.align,
            asked.steps,
            request.normalisation,
        )
    except FstmetricsError as error:
        raise FstmetricsError(f"item {id}: {error}") from None


def _late(items: Sequence[Combination], found: SystemRows) -> list[str]:
    """A remark on times that go back: they are means, each of the systems that have the word."""
    late = [
        number
        for number, item in enumerate(items)
        if any(b.begin < a.begin for a, b in pairwise(item.timed or ()))
    ]
    if not late:
        return []
    named = listed([_name(found, n) for n in late])
    return [
        f"in {named} a word begins before the word in front of it, as times are means, as in rover; --to {WITH_IDS} "
        "writes words in their order, without times"
    ]


def _unlike(items: Sequence[Combination], found: SystemRows, request: Request) -> Iterator[str]:
    """Remarks on systems that write words otherwise than the first, by the edits between the two."""
    for number, side in enumerate(found.sides[1:], 1):
        pairs = [
            (" ".join(item.outputs[number].words), " ".join(item.outputs[0].words)) for item in items[:SAMPLE]
        ]
        for remark in spelling_remarks(pairs, WER(), request.normalisation):
            said = remark.replace(f"with {NO_SPACES}", "without spaces")  # which is no option of `combine`
            yield f"{side.path} beside {found.sides[0].path}: {said}"
    first = [{" ".join(each.words) for each in item.outputs} for item in items[:FEW_TEXTS]]
    texts = chain.from_iterable(each for each in first if len(each) > 1)  # where systems differ
    yield from unspaced_remark(
        texts, request.normalisation, f"{SPACED} writes spaces around these characters"
    )


def _stopped(numbers: Sequence[int], items: Sequence[Combination], found: SystemRows) -> str:
    """A remark on items whose median is not known."""
    named = listed([_name(found, number) for number in numbers])
    edits, least = (
        sum(filter(None, (getattr(items[n], name) for n in numbers))) for name in ("edits", "least")
    )
    return (
        f"the median is not known of {named}: the search stopped (--steps); the strings have {edits} edits, and no "
        f"strings have fewer than {least}"
    )


def _name(found: SystemRows, number: int) -> str:
    return str(number + 1) if found.ids is None else found.ids[number]


def _writer(asked: CombineOptions, found: SystemRows, is_timed: bool) -> Writer:
    """What writes the result.

    Raises:
        FstmetricsError: the format has no room for it, or the ending of the file is that of another format.
    """
    name = asked.to or _by_ending(asked.output)
    if not name and (asked.output or "").lower().removesuffix(".gz").endswith((*NAMED, *TELLING, *OTHERS)):
        known = ", ".join(end for writer in TARGETS.values() for end in writer.extensions)
        raise FstmetricsError(
            f"{asked.output}: the ending names no format of sentences that is written; give --to, or one of {known}"
        )
    name = name or _of_inputs(found, is_timed)
    carries = TARGETS[name].carries
    if asked.method == "oracle":
        able = [
            n for n, w in TARGETS.items() if w.carries.choices and (is_timed or w.carries.content == "text")
        ]
        if found.ids is None:
            raise FstmetricsError(
                "oracle leaves choices, which trn holds, and trn has ids: give systems with ids"
            )
        if name not in able:
            other = [n for n in able if not TARGETS[n].carries.turns]  # which any input becomes
            raise FstmetricsError(
                f"oracle leaves choices, for which {name} has no room here; --to {' or --to '.join(other)} has"
            )
    if carries.content == "timed" and not is_timed:
        raise FstmetricsError(
            f"{name} has words with times, and not all systems have times; --to {WITH_IDS} does without"
        )
    if carries.ids and found.ids is None:
        raise FstmetricsError(f"{name} has ids, and the systems have none; --to {WITHOUT} does without")
    return TARGETS[name]


# Endings of what is not written: other texts, and files that are packed in another way than with gzip.
OTHERS = (".xml", ".sgm", ".errs", ".zip", ".bz2", ".xz", ".zst")


def _by_ending(output: str | None) -> str:
    name = (output or "").lower().removesuffix(".gz")
    ends = {end: w.name for w in TARGETS.values() if READ_AS[w.name].name != WITHOUT for end in w.extensions}
    return next((writer for end, writer in ends.items() if name.endswith(end)), "")


def _of_inputs(found: SystemRows, is_timed: bool) -> str:
    own = [w.name for kind in found.sides[0].kinds for w in kind.writers if w.name in TARGETS]
    wanted = {name: TARGETS[name].carries for name in own}
    has_ids = found.ids is not None
    fitting = [n for n, c in wanted.items() if (is_timed or c.content == "text") and c.ids == has_ids]
    return fitting[0] if fitting else WITH_IDS if has_ids else WITHOUT


def _pieces(
    items: Sequence[Combination],
    found: SystemRows,
    systems: Sequence[str],
    asked: CombineOptions,
    writer: Writer,
) -> Iterator[bytes]:
    if asked.method == "putat":
        return encoded(_putative_lines(items, found, systems, asked.null_confidence))
    is_timed = writer.carries.content == "timed"
    value = _timed_value if is_timed else _text_value
    ids: Sequence[str | None] = found.ids or [None] * len(items)
    made = (
        Item(id, value(item, row, asked), fields=next((each.fields for each in row if each), NO_FIELDS))
        for id, item, row in zip(ids, items, found.rows, strict=True)
    )
    return writer.pieces(made, WriteOptions())


def _text_value(item: Combination, _: Sequence[Item | None], asked: CombineOptions) -> Any:
    if asked.method != "oracle":
        return item.words
    places = [[each.word for each in slot.candidates] for slot in item.slots]
    return Transcript.parse(" ".join(map(_choice, places)), "sclite")


def _choice(words: Sequence[str | None]) -> str:
    spelled = ["@" if word is None else written(word) for word in words]
    return spelled[0] if len(spelled) == 1 else f"{{ {' / '.join(spelled)} }}"


def _timed_value(item: Combination, row: Sequence[Item | None], asked: CombineOptions) -> TimedWords:
    channel = next(each.given for each in row if each is not None)
    texts: Iterable[TimedText]
    if asked.method == "oracle":
        words = (tuple(map(_spelled, slot.candidates)) for slot in item.slots)
        texts = (each[0][0] if len(each) == 1 else TimedChoice(each) for each in words)
    else:
        texts = (TimedWord(spelled(w.word), w.begin, w.duration, w.confidence) for w in item.timed or ())
    return TimedWords(channel.file, channel.channel, tuple(texts))


def _spelled(each: Candidate) -> tuple[TimedWord, ...]:
    if each.word is None or each.begin is None or each.duration is None:
        return ()
    return (timed_word(spelled(each.word), each.begin, each.duration, each.confidence),)


def _putative_lines(
    items: Sequence[Combination], found: SystemRows, systems: Sequence[str], null_confidence: float
) -> Iterator[str]:
    """All words of all places as rover's putative tags."""
    yield f'<input names="{" ".join(systems)}">\n'
    for number, (item, row) in enumerate(zip(items, found.rows, strict=True)):
        channel = next((each.given for each in row if each is not None), None)
        file, of = _name(found, number), "1"
        if isinstance(channel, TimedWords):
            file, of = channel.file, channel.channel
        for slot in item.slots:
            yield f"<putative_tag file={file} chan={of} >\n"
            for system in slot.order:
                word, begin, end, confidence, path = "@", 0.0, 0.0, null_confidence, ""
                if (place := slot.places[system]) >= 0:
                    output, path = item.outputs[system], systems[system]
                    word, (begin, end) = (
                        output.words[place],
                        output.times[place] if output.times else (0.0, 0.0),
                    )
                    known = output.confidence(place)
                    confidence = NO_CONFIDENCE if math.isnan(known) else known
                yield (
                    f'   <attrib tag="{word}" t1="{begin:f}" t2="{end:f}" conf="{confidence:f}" tag1="{path}">\n'
                )
            yield "</putative_tag >\n"


@command(usual=("--method", "--alpha", "--missing", "--to", "--output", "--json"))
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@options_of(COMBINING)
def combine_command(systems: tuple[str, ...], form: FormOfTables, **options: Any) -> None:
    """Combine the outputs of several systems into one, by votes on words (ROVER) or as the median string.

    \b
    Example:  fstmetrics combine a.ctm b.ctm c.ctm -o combined.ctm
              fstmetrics combine a.txt b.txt c.txt --method median

    SYSTEM: the output of a system, text or words with times (ctm). The methods of SCTK's rover align one system after
    another, so give the best system first. The median is the string with the least total edits to all outputs; it does
    not depend on the order, and takes lattices, too.
    """
    refuse_shared_output(form, options["output"])
    found = combine_from(systems, options, prints=form is None)
    if form:
        show_report(found.parts(), found.summary, form)
    if not is_pasted(form):
        tell(*found.lines())
