"""The command `segment`, and `segment_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    RESEGMENT,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    several_paths,
    sides_by_name,
    some,
    under,
)
from fstmetrics.cli.terminal import show, show_report, tell
from fstmetrics.engine.api import scored
from fstmetrics.engine.results import CorpusResult
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics.wer import WER
from fstmetrics.reports.summary import PARTIAL, Part, Printed, Table, shortened
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.resegmenting import SegmentText, read_cut
from fstmetrics.scoring.side_remarks import id_remarks
from fstmetrics.streams.segmenting import for_cuts
from fstmetrics.support.json_text import written_json
from fstmetrics.support.options import Option, written_file
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted


def _alone(option: Option) -> Option:
    """An option of `--resegment` where all is cut."""
    text = option.help.removeprefix("With --resegment: ")
    return option._replace(help=text[0].upper() + text[1:])


SEGMENTING: Options = {
    **under("Input", REQUEST, "ref"),
    **{name: _alone(option) for name, option in some(RESEGMENT, "documents", "criterion").items()},
    **under("Input", REQUEST, "format", "ref_format", "fields", "alternations", "symbols", "missing"),
    **WORDS,
    **under(
        "Output",
        output=Option(
            written_file(),
            "Write the lines to FILE, and print a summary. FILE.jsonl: a JSON object a segment, with its document, and "
            "words with their times, where HYP has them; of a log of SimulEval or SimulStream with delays of words.",
            metavar="FILE",
        ),
    ),
    **FORMS_PRINTED,
    **under(
        "Output",
        json=FORMS_PRINTED["json"]._replace(
            help="Print one JSON object; without --output it contains all segments."
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class FilesSegments(Printed):
    """The hypotheses of documents in the segments of references.

    Attributes:
        segments: of each reference, in order, what the hypothesis of its document says there.
        documents: how many there are.
        edits: between segments and references.
        path_length: of the words of the closest references.
        criterion: by which they were cut.
        skipped: how many segments and documents were left out, since the other side lacks the document.
        remarks: how documents were cut, and what is odd about the files.
        output: where the segments were written; None: nowhere.
    """

    segments: Sequence[SegmentText]
    documents: int
    edits: int
    path_length: int
    criterion: str
    skipped: int
    remarks: Sequence[str]
    output: str | None = None

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        found: dict[str, Any] = {
            "documents": self.documents,
            "items": len(self.segments),
            "skipped": self.skipped,
            "criterion": self.criterion,
            "edits": self.edits,
            "path_length": self.path_length,
        }
        if self.output is None:
            found["segments"] = [_record(each) for each in self.segments]
        return {**found, "remarks": list(self.remarks)}

    def lines(self) -> list[str]:
        """What the command prints beside the segments."""
        share = f", {self.edits / self.path_length:.2%}" if self.path_length else ""
        its = "its document" if self.skipped == 1 else "their documents"
        return [
            f"{counted(self.documents, 'document')}, {counted(len(self.segments), 'segment')}: "
            f"{counted(self.edits, 'edit')} of {counted(self.path_length, 'reference word')}{share}"
            f"{f' {PARTIAL}' if self.skipped else ''}",
            *([f"{self.skipped} left out: one of the files does not have {its}"] if self.skipped else []),
            *shortened(self.remarks),
        ]

    def parts(self) -> list[Part]:
        """What the command prints in a form: a row a segment, where they were not written, and the same lines."""
        rows = [("id", "document", "text")]
        rows += [(each.id or "", each.document or "", each.text) for each in self.segments]
        return [*([] if self.output else [Table(rows, 3)]), *self.lines()]

    def texts(self) -> Iterator[str]:
        """The lines of text: with ids, as of Kaldi, where the references have ids."""
        has_ids = all(each.id is not None for each in self.segments)
        return ((f"{each.id} {each.text}" if has_ids else each.text) for each in self.segments)


@sides_by_name
def segment_files(
    *, references: PathLike | Iterable[PathLike], hypotheses: PathLike, **options: Any
) -> FilesSegments:
    """Cut the documents of `hypotheses=` into the segments of `references=`, as `fstmetrics segment` does.

    Args:
        references: a file of segments, a line each; of a list each is one set of references.
        hypotheses: the documents, without segment ends, or with others.
        options: those of the command, with `_` for `-`, as of `score_files`: `documents="docs.txt"`, `lowercase=True`,
            `unit="mixed"`, `criterion="soft"`. With `output`, the segments go to that file, too.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "ref.txt").write_text("the cat\\nsat down\\n")
    >>> _ = (folder / "hyp.txt").write_text("the hat uh sat down\\n")
    >>> found = fm.segment_files(references=folder / "ref.txt", hypotheses=folder / "hyp.txt")
    >>> [each.text for each in found.segments], found.edits
    (['the hat', 'uh sat down'], 2)
    """
    first, *more = several_paths("segment_files", references, "references")
    given = fields_of_options("segment_files", SEGMENTING, options)
    given["more_references"] = [*more, *given["more_references"]]
    hypothesis = path_of("segment_files", hypotheses, "fm.segment takes texts")
    return segment_from(first, hypothesis, given)


def segment_from(references: str, hypotheses: str, options: dict[str, Any]) -> FilesSegments:
    """The same by the fields of `SEGMENTING`."""
    output = options.pop("output")
    request = Request(resegment=True, **options)
    check_paths([hypotheses, references, *request.more_references, *request.beside], output)
    cut = read_cut(request, [hypotheses, references, *request.more_references], 1)
    (segments,), (told,) = cut.segments, cut.remarks
    texts = [each.text for each in segments]
    corpus = scored(texts, cut.references, WER(), normalisation=for_cuts(request.normalisation))
    assert isinstance(corpus, CorpusResult)
    remarks = dict.fromkeys([*told, *id_remarks([*cut.hypotheses, cut.first, *cut.others])])
    documents = {each.document for each in segments if each.document}
    found = FilesSegments(
        segments, len(documents) or 1, corpus.edits, corpus.path_length, request.criterion, cut.left_out, list(remarks),
        output,
    )  # fmt: skip
    if output is not None:
        with whole_file(output) as stream:
            is_json = output.endswith(".jsonl")
            lines = (written_json(_record(each)) for each in segments) if is_json else found.texts()
            stream.writelines(f"{line}\n" for line in lines)
    return found


def _record(segment: SegmentText) -> dict[str, Any]:
    """A segment as a JSON object, without an id or a document where it has none."""
    found: dict[str, Any] = {
        **({} if segment.id is None else {"id": segment.id}),
        **({"document": segment.document} if segment.document else {}),
        "text": segment.text,
    }
    if segment.words is not None:
        found["words"] = [
            {"word": word.word, "start": word.begin, "end": round(word.begin + word.duration, 6)}
            for word in segment.words
        ]
    times = {"delays": segment.delays, "elapsed": segment.elapsed}
    return found | {name: list(each) for name, each in times.items() if each is not None}


@command(usual=("--documents", "--lowercase", "--remove-punctuation", "--unit", "--output", "--criterion"))
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="HYP")
@options_of(SEGMENTING)
def segment_command(references: str, hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Cut documents without segment ends into the segments of REF, at the fewest edits, and print a line a segment.

    \b
    Example:  fstmetrics segment ref.txt hyp.txt --lowercase -o segments.txt

    HYP has a line a document, if --documents says which segments are of which; else all of it is one document. Words
    are compared as the options say, and printed as they were written. Lines begin with ids where REF has ids. score,
    hyter, compare, report, errors and show cut so with --resegment.
    """
    refuse_shared_output(form, options["output"])
    found = segment_from(references, hypotheses, options)
    if form:
        show_report(found.parts(), found.summary, form)
    elif found.output == "-":
        tell(*found.lines())
    elif found.output is not None:
        show(*found.lines())
    else:
        with whole_file("-") as stream:
            stream.writelines(f"{line}\n" for line in found.texts())
        tell(*found.lines())
