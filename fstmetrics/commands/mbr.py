"""The command `mbr`, and `mbr_files`, the same as a call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, called, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    REQUEST,
    RUN,
    SCALES,
    TABLE_FORMS,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    of_metrics,
    path_of,
    under,
    written,
)
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.commands.score import engine
from fstmetrics.engine.signatures import signature_of
from fstmetrics.io import FORMATS
from fstmetrics.io.register import MACHINES
from fstmetrics.lattices.expected_losses import Utilities, belief_normalisation
from fstmetrics.lattices.linear_bleu import LinearBLEU
from fstmetrics.lattices.minimum_risk import FROM_LATTICE, MBR, decode
from fstmetrics.metrics import METRICS, CorpusMetric
from fstmetrics.metrics.registry import MetricParameters, metric_name
from fstmetrics.reports.mbr_lines import risk_lines, risk_remarks, risk_summary
from fstmetrics.reports.summary import Part, Printed, Table, shortened
from fstmetrics.reports.table_forms import Form, is_pasted
from fstmetrics.scoring.mbr_decoding import Decoding, GivenUtilities, Show, layout_of, lines_of, refusal
from fstmetrics.scoring.request import (
    NAMES_OF_SCALES,
    LatticeOptions,
    Request,
    fields_of,
    of_unit,
    refuse_unready,
)
from fstmetrics.scoring.run import conditions, run_items, shard_remark, shown_settings, status
from fstmetrics.scoring.side_remarks import weight_remarks
from fstmetrics.scoring.sums import Sums
from fstmetrics.scoring.without_references import read_unpaired
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_EVIDENCE
from fstmetrics.support.options import (
    MOST_WEIGHT,
    PATH,
    Kind,
    Option,
    one_of,
    options_of_fields,
    real,
    text,
    whole,
)
from fstmetrics.support.output import is_plain, whole_file
from fstmetrics.support.printable import number
from fstmetrics.text.normalisation import Normalisation


def _loss(given: Any) -> str:
    """The name of one metric, or of linear BLEU."""
    return given if given == LinearBLEU.name else metric_name(text(given))


LOSS = Kind(_loss, "NAME", offers=[*METRICS.shipped, LinearBLEU.name])
OF_LINEAR_BLEU = options_of_fields(LinearBLEU)
DECODING: Options = {
    **under(
        "Metric",
        metric=Option(
            LOSS,
            "The loss: the edits (wer, the default; sclite), minus the gain (wrr, grr), the item scores of a "
            "metric of strings (bleu, chrf, ter, ...), or linear-bleu, which takes all paths of a lattice or forest.",
            metavar="NAME", field="metric_name",
        ),
        utilities=Option(
            PATH,
            "n-best lists, instead of a metric: how good each entry is if another is right, by any other program; "
            ".npz with a matrix for each id, or a table with id, candidate, evidence, utility.",
            metavar="FILE",
        ),
        **{name: option._replace(field=name) for name, option in OF_LINEAR_BLEU.items()},
    ),
    **of_metrics(but=["hyter"]),
    **under(
        "Posteriors",
        scale=Option(
            real(0, MOST_WEIGHT),
            "Factor of the log probabilities. Below 1 the posteriors are flatter.", 1.0,
        ),
        candidates=Option(
            whole(1, MOST_EVIDENCE),
            "Lattices and forests: choose among the N best word sequences.", FROM_LATTICE,
        ),
        evidence=Option(
            whole(1, MOST_EVIDENCE),
            "Lattices and forests: the expected loss is over the N best word sequences.", FROM_LATTICE,
        ),
    ),
    **SCALES,
    **under("Input", REQUEST, "format", "symbols", "weights", "fields"),
    **WORDS,
    **under(
        "Output",
        nbest=REQUEST["nbest"]._replace(
            help="Candidates per item, the best first. Text lines then repeat the id.", metavar=None
        ),
        text=Option(
            one_of("kaldi", "trn", "plain"),
            "Print `id words`, `words (id)` or `words`. Default: kaldi where there are ids, otherwise plain.",
            printed=True,
        ),
        output=REQUEST["output"]._replace(help="Write one JSON record per item to FILE; - is standard output."),
        json=REQUEST["json"]._replace(
            help="Print one JSON object instead of text. Without --output it contains all records."
        ),
    ),
    **TABLE_FORMS,
    **RUN,
}  # fmt: skip


@dataclass(frozen=True)
class FilesMBR(Printed):
    """Hypotheses of least expected loss, chosen from the lattices, forests or n-best lists of files.

    Attributes:
        sums: what the items add up to.
        metric: the loss.
        normalisation: what was done to words.
        settings: what was computed, and how.
        conditions: what else the signature says.
        records: an object for each item, as of `MBR`; None where they went to a file.
        faults: how many items were left out because something is wrong with them.
        remarks: what was guessed about the files, and what is odd about them.
        status: the exit status of the command: 1 if there are faults.
        shard: of a part of a run, what the command prints of it; else empty.
    """

    sums: Sums
    metric: CorpusMetric
    normalisation: Normalisation
    settings: Mapping[str, Any]
    conditions: Sequence[str]
    records: Sequence[dict[str, Any]] | None
    faults: int
    remarks: Sequence[str]
    status: int
    shard: str = ""

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`.

        Raises:
            FstmetricsError: this is a part of a run.
        """
        if self.shard:
            raise FstmetricsError(f"a shard is a part of a run: {self.shard.partition('; ')[2]}")
        words = self.metric.normalisation(self.normalisation)
        found = risk_summary(
            self.sums, self.metric, words, dict(self.settings), self.faults, self.records, self.conditions
        )
        return found | {"remarks": [*risk_remarks(self.sums), *self.remarks]}

    def rows(self) -> dict[str, Any]:
        """The summary for tables of columns: a row for each candidate that is shown of an item."""
        told = self.summary()
        return told | {"records": list(self._candidates())} if self.records is not None else told

    def parts(self) -> list[Part]:
        """What the command prints in a form: these rows, where records were not written, and the same lines."""
        rows = [("id", "rank", "hypothesis", "expected loss", "posterior")]
        rows += [
            (
                str(each["id"]),
                str(each["rank"]),
                each["hypothesis"],
                number(each["expected_loss"]),
                number(each["posterior"]),
            )
            for each in self._candidates()
        ]
        return [*([] if self.records is None else [Table(rows, 3)]), *self.lines()]

    def _candidates(self) -> Iterator[dict[str, Any]]:
        for place, record in enumerate(self.records or (), 1):
            for rank, each in enumerate(record.get("nbest", (record,)), 1):
                yield {
                    "id": place if record["id"] is None else record["id"],
                    "rank": rank,
                    "hypothesis": " ".join(each["hypothesis"]),
                    "expected_loss": each["expected_loss"],
                    "posterior": each["posterior"],
                }

    def lines(self) -> list[str]:
        """What the command prints on standard error."""
        if self.shard:
            return [self.shard]
        return [
            *risk_lines(self.sums, self.metric, self.normalisation, self.faults),
            *shortened(self.remarks),
        ]


def mbr_files(
    hypotheses: PathLike | Sequence[PathLike],
    *,
    metric: str | None = None,
    **options: Any,
) -> FilesMBR:
    """Choose the hypothesis with the least expected loss of every item of a file, as `fstmetrics mbr` does.

    `fm.mbr` takes one lattice, forest or n-best list. Nothing is printed.

    Args:
        hypotheses: a file, a folder or a pattern of lattices, forests or n-best lists; or several texts, each with one
            sample of every item.
        metric: the name of the loss; wer, where none is given.
        options: those of the command, with `_` for `-`, as of `score_files`: `scale=0.1`, `nbest=3`,
            `unit="char"`, `utilities="utilities.npz"`. With `output`, records go to that file; without, they are
            in `records`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "lists.txt"
    >>> _ = file.write_text("0 ||| a b ||| ||| -1\\n0 ||| a c ||| ||| -1.1\\n0 ||| d c ||| ||| -1.2\\n")
    >>> found = fm.mbr_files(file)
    >>> found.records[0]["hypothesis"], found.summary()["chosen_otherwise"]
    (['a', 'c'], 1)
    """
    given = {"metric": metric, **options}
    found = fields_of_options("mbr_files", DECODING, given)
    several = hypotheses if isinstance(hypotheses, list | tuple) else [hypotheses]
    files = [path_of("mbr_files", each, "fm.mbr takes a list, lattice or forest") for each in several]
    if not files:
        raise FstmetricsError("mbr_files() takes a path, or several; none was given")
    if found["shard"]:
        found["called"] = ("mbr", [*files, *written(given)])
    return mbr_from(files, {**found, "text": None, "as_json": True})


def mbr_from(hypotheses: Sequence[str], options: dict[str, Any], show: Show | None = None) -> FilesMBR:
    """The same by fields of requests.

    Args:
        hypotheses: the files.
        options: of `DECODING`, by their fields.
        show: hears the words of items as lines, where they are to be printed.

    Raises:
        FstmetricsError: as of `mbr_files`.
    """
    parameters, lattices = options.pop("parameters"), fields_of(LatticeOptions, options)
    scale, utilities, text = (options.pop(name) for name in ("scale", "utilities", "text"))
    own = {"candidates": options.pop("candidates"), "evidence": options.pop("evidence")}
    of_bleu = {option.field: options.pop(name) for name, option in OF_LINEAR_BLEU.items()}
    of_bleu = {name: value for name, value in of_bleu.items() if value is not None}
    metric = _metric(parameters, options.pop("metric_name"), utilities, of_bleu)
    asked = Request(**options)
    refuse_unready([metric], asked.normalisation)
    request = of_unit(asked, options, metric)
    request.refuse_rules("mbr")
    if utilities is not None and request.weights is not None:
        raise FstmetricsError(
            "--weights change the order of n-best lists, and --utilities go by it: give one of the two"
        )
    normalisation = metric.normalisation(request.normalisation)
    inputs, has_ids = read_unpaired(request, hypotheses, refusal)
    layout = layout_of(text, has_ids)
    formats = {name for names in inputs.formats.values() for name in names.split(",")}
    only_lists = all(name in FORMATS and FORMATS[name].holds in ("n-best", "text") for name in formats)
    if only_lists or isinstance(metric, LinearBLEU | Utilities):
        own = {}
    if only_lists:
        of_texts = all(FORMATS[name].holds == "text" for name in formats)
        idle = [
            NAMES_OF_SCALES[name]
            for name in lattices.scales
            if name == "acoustic" or (of_texts and name == "lm")
        ]
        if of_texts and scale != 1 and "word_penalty" not in lattices.scales:
            idle.append("scale")
        if idle:
            lists = (
                "texts, which have no scores"
                if of_texts
                else "n-best lists, whose scores --lm-scale multiplies"
            )
            raise FstmetricsError(f"--{' and --'.join(idle)} would change nothing of {lists}")
    own = {"scale": scale, **own}
    search: Callable[[Any], MBR] = partial(
        decode, metric=metric, nbest=request.nbest, normalisation=request.normalisation, **own
    )
    if utilities is not None:
        search = GivenUtilities(request, scale, utilities)
        metric = search.metric
    settings = (
        own | {"scales": lattices.scales or "as the files say"} | shown_settings(request, metric, inputs)
    )
    settings |= normalisation.settings()
    is_written = request.output not in (None, "-") and is_plain(str(request.output))
    prints = show is not None and not request.as_json and request.output != "-"
    parts = conditions(request, inputs, settings)
    at_once = show if prints and not is_written else None
    with Decoding(request, search, lattices, layout if prints else None, at_once) as task:
        of_item = conditions(request, inputs, settings, of_items=True)
        task.scoring.signature = signature_of(metric, normalisation, of_item, "mbr")
        elsewhere = None if request.on == "local" else engine(request.on, request.jobs)
        faults = run_items(request, inputs, task, metric, settings, elsewhere).number
    shard = shard_remark(request, inputs, task, faults) if request.shard else ""
    if show and prints and is_written and not shard:
        # Of a run that went on, some of it was found before.
        with open(str(request.output), encoding="utf-8") as stream:
            show(line for record in map(json.loads, stream) for line in lines_of(layout, record))
    is_whole = not (request.resume or request.merged)  # only then has it looked up every list
    unused = search.remarks() if isinstance(search, GivenUtilities) and is_whole else []
    records = task.kept if request.output is None else None
    of_arcs = belief_normalisation(metric, request.normalisation)
    if not (only_lists or (of_arcs.is_plain_but_for_unit and of_arcs.unit in ("word", "char"))):
        unused.append(
            "what is printed of lattices and forests is normalised: words as they are compared, not as they are given"
        )
    machines = [side for side in inputs.sides if MACHINES.issuperset(side.formats)]
    return FilesMBR(
        task.sums, metric, request.normalisation, settings, parts, records, faults,
        [*unused, *weight_remarks(machines, lattices.scales.get("lm", 1.0)), *inputs.remarks],
        status(request, inputs, faults), shard,
    )  # fmt: skip


def _metric(
    parameters: MetricParameters, name: str | None, utilities: str | None, of_linear_bleu: dict[str, Any]
) -> CorpusMetric:
    """What is expected.

    Raises:
        FstmetricsError: no metric of that name, or options that do not go together.
    """
    if of_linear_bleu and name != LinearBLEU.name:
        raise FstmetricsError("--unigram-precision and --precision-ratio are for --metric linear-bleu")
    if utilities is not None:
        if name is not None:
            raise FstmetricsError("--utilities take the place of --metric: give one of the two")
        return Utilities([[0.0]])
    if name == LinearBLEU.name:
        return LinearBLEU(**of_linear_bleu)
    (metric,) = parameters.metrics([name or "wer"])
    return metric


@command(usual=("--metric", "--scale", "--lm-scale", "--nbest", "--text", "--output"))
@click.argument("hypotheses", metavar="LATTICES|FORESTS|NBEST|SAMPLES...", nargs=-1, required=True)
@options_of(DECODING)
def mbr_command(hypotheses: tuple[str, ...], form: Form | None, **options: Any) -> int:
    """Choose the hypothesis with the least expected loss (minimum Bayes risk), and print its words.

    \b
    Example:  fstmetrics mbr nbest.txt --scale 0.1
              fstmetrics mbr sample1.txt sample2.txt sample3.txt --metric chrf

    Input: n-best lists, lattices or forests, in a file, a folder, or files by a pattern in quotes, 'lat.*.gz'.
    Or samples of a model: several texts, each with one sample of every item, or columns of a table, --fields
    hyp=COLUMN several times. Posteriors are exp(scale x score), normalised to 1. For an n-best list the choice is
    exact. For a lattice or forest the best word sequences are used; the summary on standard error says how much of the
    probability they have. With linear-bleu all paths are used. Hypergraphs, and n-best lists with features, get
    scores from --weights.
    """
    refuse_shared_output(form, options["output"])
    shown: FormOfTables = "json" if options["as_json"] else form
    options["as_json"] = shown is not None
    if options["shard"]:
        options["called"] = called()
    return show_mbr(mbr_from(hypotheses, options, show_words), shown)


def show_mbr(found: FilesMBR, form: FormOfTables) -> int:
    """What is printed beside words; the exit status."""
    if form and not found.shard:
        show_report(found.parts(), found.summary if form == "json" else found.rows, form)
    if not is_pasted(form) or found.shard:
        tell(*found.lines())
    return found.status


def show_words(lines: Iterable[str]) -> None:
    """Words on standard output, as other programs read them."""
    with whole_file("-") as stream:
        stream.writelines(lines)
