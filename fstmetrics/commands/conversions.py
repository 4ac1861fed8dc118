"""`convert_files`, `best_files`, `pack_files` and `index_files`: what the commands of these names do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fstmetrics.commands.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    SCALES,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    several_paths,
    under,
)
from fstmetrics.convert import Conversion
from fstmetrics.convert.best_words import DEFAULT, TARGETS, write_best
from fstmetrics.convert.files import WRITERS, Some, convert, size_of
from fstmetrics.data.scales import Scales
from fstmetrics.data.transcripts import NOTATIONS
from fstmetrics.io import FORMATS
from fstmetrics.io.archive_index import places_of
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.formats.packed_lattices import WRITER as PACKED
from fstmetrics.io.reading import check_paths, read_items
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.reports.summary import Part, Table, table_lines
from fstmetrics.scoring.request import LatticeOptions, fields_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.options import (
    ARCS,
    FLAG,
    PATH,
    RECORDS,
    Kind,
    Option,
    dashed,
    finite,
    named,
    one_of,
    real,
    refuse_ending,
    several,
    text,
    whole,
    written_file,
)
from fstmetrics.support.output import named_output, whole_file
from fstmetrics.support.printable import in_full
from fstmetrics.support.progress import listener, ticks

FACTORS = {"lm": "lm", "acoustic": "acoustic", "word-penalty": "word_penalty"}


def _scales(given: Any) -> Scales | None:
    """The scales of `lm=12,acoustic=1,word-penalty=0.5`; those that are not named are 1, 1 and 0."""
    if isinstance(given, Scales):
        return given
    if isinstance(given, Mapping):
        given = [f"{text(name).replace('_', '-')}={value}" for name, value in given.items()]
    values, found = several(given, text), dict[str, float]()
    for part in ",".join(values).split(",") if values else ():
        name, equals, value = part.partition("=")
        if not equals or name not in FACTORS:
            raise ValueError(f"expected lm=, acoustic= or word-penalty= and a number, not {part!r}")
        factor = finite(value)
        if factor is None:
            raise ValueError(f"expected a finite number for {name}, not {value!r}")
        found[FACTORS[name]] = factor
    return Scales(**found) if values else None


FRAMES = real(0, 1e9, without_least=True)
CONVERTING: Options = {
    **under(
        "",
        format=Option(FORMAT, "Format of IN, one of those below. Default: recognised."),
        to=Option(
            named("format", WRITERS), f"Format of OUT. Default: by its ending. One of {', '.join(WRITERS)}."
        ),
        symbols=Option(
            PATH,
            "Symbol table (lines `word integer`): the words of numbers in IN, the numbers of words in OUT.",
            metavar="FILE",
        ),
        write_symbols=Option(
            written_file(), "Write numbers for words, and their symbol table to FILE.", metavar="FILE"
        ),
        scale=Option(
            Kind(_scales, repeated=True),
            "Multiply the costs, and add them up where OUT has one cost per arc.",
            metavar="lm=..,acoustic=..,word-penalty=..", field="scales",
        ),
        alternations=Option(
            one_of(*NOTATIONS), "How plain and Kaldi text write choices; fstmetrics score --help explains them."
        ),
        weights=Option(
            PATH, "Feature weights (lines `name value`) of hypergraphs and lattices.", metavar="FILE"
        ),
        max_arcs=Option(ARCS, "Largest size of an expanded network.", MAX_ARCS),
        frame_length=Option(
            FRAMES, "Length of a frame, to write times in seconds (SLF) where IN has frames.", metavar="SECONDS"
        ),
    ),
    **under("Input", REQUEST, "fields"),
    **under(
        "",
        lossy=Option(FLAG, "Leave out what the format of OUT cannot hold, and say what."),
        keep_going=Option(
            FLAG, "Report items that cannot be read or written, leave them out, and exit with status 1."
        ),
    ),
}  # fmt: skip
BEST: Options = {
    **under(
        "Output",
        nbest=Option(
            whole(1, MOST_PATHS),
            "Write the K best different word sequences of every item. In text, those of utt are utt-1, utt-2, ...",
            1, "K",
        ),
        to=Option(
            named("format", TARGETS),
            f"Format of the output. Default: by the ending of FILE, or {DEFAULT}. One of {', '.join(TARGETS)}.",
        ),
        output=Option(
            written_file(),
            "Write to FILE, or to a folder (it ends with a slash), which gets one file per item. Default: standard "
            "output.",
            metavar="FILE",
        ),
        frame_length=Option(
            FRAMES, "Length of a frame, to write ctm where the lattices have frames (Kaldi).", metavar="SECONDS"
        ),
    ),
    **SCALES,
    **under("Input", REQUEST, "format", "symbols", "weights", "fields"),
    **FORMS_PRINTED,
    **under("Long runs", keep_going=CONVERTING["keep_going"]),
}  # fmt: skip
PACKING: Options = under(
    "",
    format=Option(FORMAT, "Format of LATTICES, one of those below. Default: recognised."),
    symbols=Option(PATH, "Symbol table (lines `word integer`): the words of numbers.", metavar="FILE"),
    keep_going=Option(FLAG, "Report lattices that cannot be read, leave them out, and exit with status 1."),
)

INDEXING: Options = under(
    "",
    format=Option(FORMAT, "Format of the archives. Default: recognised."),
    symbols=Option(PATH, "Symbol table (lines `word integer`), where lattices hold numbers.", metavar="FILE"),
    output=Option(RECORDS, "Write the index to FILE. Default: standard output.", metavar="FILE"),
)


def convert_files(source: PathLike, target: PathLike, **options: Any) -> Conversion:
    """Write what is in a file or folder in another format, as `fstmetrics convert` does.

    Args:
        source: a file, a folder, or a pattern such as "lat.*.gz".
        target: a file, or a folder, which ends with a slash and gets one file per item.
        options: those of the command, with `_` for `-`, as of `score_files`: `to="slf"`, `lossy=True`,
            `scale={"lm": 12}`.

    Returns:
        What was done, and what was left out; its `lines()` are what the command prints.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses; nothing is written then.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp.txt").write_text("the cat\\n")
    >>> fm.convert_files(folder / "hyp.txt", folder / "hyp.trn").lines()
    ['the items have no ids; their ids in OUT are hyp-000001, ...']
    """
    found = fields_of_options("convert_files", CONVERTING, options)
    return convert_from(path_of("convert_files", source), _target("convert_files", target), found)


def best_files(lattices: PathLike, output: PathLike, **options: Any) -> Conversion:
    """Write the decoder's best word sequences of the lattices of a file, as `fstmetrics best` does.

    Args:
        lattices: a file, a folder or a pattern of lattices, forests or n-best lists.
        output: a file, or a folder, which ends with a slash and gets one file per item.
        options: those of the command, as of `convert_files`: `nbest=10`, `to="nbest"`, `lm_scale=12`.

    Returns, raises: as of `convert_files`.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "lat.txt").write_text("u\\n0 1 the 1,0,\\n0 1 a 2,0,\\n1\\n\\n")
    >>> fm.best_files(folder / "lat.txt", folder / "best.txt", nbest=5).items
    2
    """
    target = path_of("best_files", output)
    found = fields_of_options("best_files", BEST, {**options, "output": target})
    return best_from(path_of("best_files", lattices), found)


def pack_files(lattices: PathLike, output: PathLike, **options: Any) -> Conversion:
    """Write lattices to one file that is read faster than it is searched, as `fstmetrics pack` does.

    Args:
        lattices: a file, a folder or a pattern.
        output: a file, which is read as lattices everywhere.
        options: those of the command: `format`, `symbols`, `keep_going`.

    Returns, raises: as of `convert_files`.
    """
    found = fields_of_options("pack_files", PACKING, options)
    return pack_from(path_of("pack_files", lattices), _target("pack_files", output), found)


def index_files(archives: PathLike | Iterable[PathLike], output: PathLike, **options: Any) -> int:
    """Write where the items of archives lie, so that one is read without the rest, as `fstmetrics index` does.

    Args:
        archives: Kaldi lattices, packed lattices, OpenFst archives or n-best lists, not compressed.
        output: a file, which gets a JSON object an item.
        options: those of the command: `format`, `symbols`.

    Returns:
        How many items there are.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    found = fields_of_options("index_files", INDEXING, {**options, "output": output})
    return index_from(several_paths("index_files", archives, "archives"), **found)


def _target(function: str, given: PathLike) -> str:
    """What is written.

    Raises:
        FstmetricsError: it is no path, or standard output.
    """
    found = named_output(path_of(function, given))
    if found == "-":
        raise FstmetricsError(f"{function}() writes a file; what is printed is printed by the command only")
    return found


def convert_from(source: str, target: str, options: dict[str, Any]) -> Conversion:
    """A conversion by the options of `CONVERTING`; as of `convert_files`."""
    target = named_output(target)
    check_paths((source, options["symbols"], options["weights"]), target, options["write_symbols"])
    heard = _heard("converting", target, options.pop("keep_going"))
    options["scales"] = options["scales"] or None
    return convert(source, target, **options, **heard)


def best_from(lattices: str, options: dict[str, Any]) -> Conversion:
    """The best words by the options of `BEST`; as of `best_files`."""
    scales = fields_of(LatticeOptions, options)
    output = options.pop("output") or "-"
    check_paths((lattices, options["symbols"], options["weights"]), output)
    refuse_ending(output, "words", ".txt", ".ctm", ".trn")
    heard = _heard("decoding", output, options.pop("keep_going"))
    return write_best(lattices, output, scales=scales, **options, **heard)


class BestWords(NamedTuple):
    """The best word sequences of lattices, as tables have them.

    Attributes:
        rows: of each item and rank the words, and the cost; None where the file has no scores.
        done: as of `best_files`.
    """

    rows: Sequence[dict[str, Any]]
    done: Conversion

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        told = {"items": self.done.items, "faults": self.done.faults, "best": list(self.rows)}
        return told | {"remarks": self.done.lines()}

    def parts(self) -> list[Part]:
        """What the command prints as tables."""
        rows = [("id", "rank", "words", "cost")]
        for row in self.rows:
            cost = "" if row["cost"] is None else in_full(row["cost"])
            rows.append((str(row["id"]), str(row["rank"]), " ".join(row["words"]), cost))
        return [Table(rows, 3), *self.done.lines()]


def best_words(lattices: str, options: dict[str, Any]) -> BestWords:
    """The same as rows.

    Raises:
        FstmetricsError: as of `best_files`, or an option that says how words are written.
    """
    for name in ("output", "to", "frame_length"):
        if options[name] is not None:
            raise FstmetricsError(
                f"{dashed(name)} says how words are written, and a table is printed: leave one out"
            )
    with TemporaryDirectory() as folder:
        path = f"{folder}/best.nbest"
        done = best_from(lattices, {**options, "output": path, "to": "nbest"})
        rows = [
            {
                "id": number if item.id is None else item.id,
                "rank": rank,
                "words": list(words),
                "cost": None if score is None else -score,
            }
            for number, item in enumerate(read_items(path, format="nbest"), 1)
            for rank, (words, score) in enumerate(_entries(item.value), 1)
        ]
    return BestWords(rows, done)


def _entries(found: Any) -> Iterator[tuple[Sequence[str], float | None]]:
    scores = found.scores or (None,) * len(found.entries)
    return zip(found.entries, scores, strict=True)


def pack_from(lattices: str, output: str, options: dict[str, Any]) -> Conversion:
    """Packed lattices by the options of `PACKING`; as of `pack_files`."""
    output = named_output(output)
    check_paths((lattices, options["symbols"]), output)
    if output.endswith("/"):
        raise FstmetricsError(f"{output}: packed lattices are one file; give its name without a slash")
    heard = _heard("packing", output, options.pop("keep_going"))
    return convert(lattices, output, to=PACKED.name, lossy=True, only_lattices=True, **options, **heard)


def index_from(archives: Sequence[str], output: str, format: str | None, symbols: str | None) -> int:
    """An index by the options of `INDEXING`; as of `index_files`."""
    check_paths((*archives, symbols), output)
    places = (place for archive in archives for place in places_of(archive, format, symbols))
    items = 0
    with whole_file(output) as stream:
        for place in ticks(places, "indexing", printing=output == "-"):
            stream.write(written_json(asdict(place)) + "\n")
            items += 1
    return items


def _heard(title: str, output: str, keep_going: bool) -> dict[str, Any]:
    """Who hears of items, and of faults where the run keeps going."""

    def progress(items: Iterator[Some]) -> Iterator[Some]:
        return ticks(items, title, printing=output == "-", size=size_of)

    def faulty(error: FstmetricsError) -> None:
        listener.get().say(str(error))

    return {"progress": progress, "faulty": faulty if keep_going else None}


def format_list() -> str:
    """The end of the help page of `convert`: each format that is read, and what it is."""
    rows = [("--format", "what it is")]
    rows += [(name, format.description) for name, format in FORMATS.items()]
    return "\b\n" + "\n".join(table_lines(rows, 2))
