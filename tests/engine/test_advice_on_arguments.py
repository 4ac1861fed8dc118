"""What refusals of arguments advise: it names what is to be given."""

from __future__ import annotations

from pathlib import Path

import pytest

import fstmetrics as fm

pandas = pytest.importorskip("pandas", reason="needs pandas: pip install 'fstmetrics[tables]'")


class Nameless(fm.Metric):
    """A metric that lacks what it needs."""


class Tableless(fm.Metric):
    name = "tableless"


FRAME = pandas.DataFrame({"h": ["a b", "c"], "r": ["a b", "d"], "speaker": ["x", "y"]})
# Calls, and the advice of their errors.
ADVISED = {
    "fields of a frame": (lambda: fm.score(FRAME.h, FRAME.r, fields=FRAME[["speaker"]]), "a frame give dict[(]frame"),
    "fields of its dict": (lambda: fm.score(FRAME.h, FRAME.r, fields=FRAME[["speaker"]].to_dict()), "dict[(]frame"),
    "fields of a column": (lambda: fm.score(FRAME.h, FRAME.r, fields=FRAME.speaker), "of columns give {'speaker'"),
    "speakers of a frame": (lambda: fm.cpwer(FRAME, FRAME), "frame.to_dict[(]'records'[)]"),
    "scores of a frame": (
        lambda: fm.compare({"a": ["x"]}, ["x"], scores={"comet": FRAME}), "not DataFrame; give those columns, as {'",
    ),
    "systems of a frame": (
        lambda: fm.compare(FRAME, FRAME.r, "wer"), r"not DataFrame; give those columns, as {'new': table\['new'\], ",
    ),
    "n-best texts": (lambda: fm.score([["a b", "a c"]], ["a b"]), r"first entry, list\[0\], or NBest[(]id, list[)]"),
    "several columns": (
        lambda: fm.score(FRAME, hypothesis="h", reference=["r", "speaker"]),  # type: ignore[call-overload]
        r"list[(]zip[(]table\['a'\]",
    ),
    "named tuples": (lambda: fm.score(FRAME.itertuples(), hypothesis="h", reference="r"), "row._asdict[(][)] of each"),
    "systems of a dict": (lambda: fm.combine({"a": ["x"]}), "list[(]outputs.values[(][)][)]"),  # type: ignore[arg-type]
    "a function": (lambda: fm.Normalisation(normaliser=str.lower), "is a TextNormaliser"),  # type: ignore[arg-type]
    "partials": (lambda: fm.partials([[(0.4, "a")]]), "dicts by the ids"),  # type: ignore[arg-type]
    "an infinite cost": (lambda: fm.Lattice.from_strings(["a"], costs=[float("inf")]), "leave out what costs infinity"),
    "an infinite score": (
        lambda: fm.oracle(fm.NBest("x", ["a", "b"], scores=(-1, -float("inf"))), "b", model_weight=1.0), "leave out",
    ),
    "no name": (lambda: fm.score(["a"], ["b"], Nameless()), "Nameless has no `name`"),  # type: ignore[abstract]
    "no table": (lambda: fm.score(["a"], ["b"], Tableless()), "Tableless has no `table`"),  # type: ignore[abstract]
    "frames": (
        lambda: fm.score(FRAME, FRAME),
        r"a table; name its columns, as score[(]table, hypothesis='pred_text', reference='text'[)]; or give one of "
        r"them, as table\['pred_text'\]$",
    ),
    "names of files": (lambda: fm.score(__file__, __file__), r"fm.score_files[(]references=.*, hypotheses="),
    "a path": (lambda: fm.score(Path(__file__), ["a"]), r"a list, not the name of a file: fm.score_files[(]"),  # type: ignore[call-overload]
    "a path of references": (lambda: fm.score(["a"], __file__), "references are a list, not the name of a file"),
    "no name of a file": (lambda: fm.score("a b", "a b"), "a list, not str 'a b'; align[(][)] takes one of each$"),
    "paths": (lambda: fm.read_text(["a", "b"]), "path must be a path, not list"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("name", ADVISED)
def test_advice_of_refusals(name: str) -> None:
    call, advice = ADVISED[name]
    with pytest.raises(fm.FstmetricsError, match=advice):
        call()
    assert fm.score(FRAME.h, FRAME.r, fields=dict(FRAME[["speaker"]])).edits == 1
