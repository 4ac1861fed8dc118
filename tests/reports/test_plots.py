"""Pictures: what is in them, that they are pictures, and that matplotlib is loaded for them only."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import EXAMPLES, fstmetrics
from human_scores import refused, texts

import fstmetrics as fm
from fstmetrics.apps.metaeval import ScoreTable
from fstmetrics.apps.metaeval.correlate_command import panels
from fstmetrics.apps.metaeval.study import Separation
from fstmetrics.reports import plots
from fstmetrics.significance.null_distributions import Distribution

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
SCORES = EXAMPLES / "correlate" / "scores.tsv"
PNG, PDF = b"\x89PNG\r\n\x1a\n", b"%PDF"


class Drawn:
    """The figure that a function drew, in place of a file."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.figure: Any = None
        monkeypatch.setattr(plots, "_save", self.keep)

    def keep(self, figure: Any, path: str) -> None:
        figure.canvas.draw()
        self.figure = figure


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    return Drawn(monkeypatch)


def test_numbers_of_orders_of_any_size(drawn: Drawn) -> None:
    """[CB06 fig. 1]: exact numbers to 10^80 and more, beyond floats too."""
    points = [(3, 1), (18, math.factorial(8)), (60, 10**80), (120, 10**400)]
    plots.variants_plot(points, "")
    (ax,) = drawn.figure.axes
    found = ax.collections[0].get_offsets()
    assert found[:, 0].tolist() == [3, 18, 60, 120]
    assert found[:, 1].tolist() == pytest.approx([0, math.log10(40320), 80, 400])
    labels = {text.get_text() for text in ax.get_yticklabels()}
    assert {"$10^{0}$", "$10^{400}$"} <= labels
    for wrong in ([], [(4, 0)]):
        with pytest.raises(fm.FstmetricsError):
            plots.variants_plot(wrong, "")


def test_metrics_against_people(drawn: Drawn) -> None:
    human = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 4.0]])
    table = ScoreTable.of(["a_b", "$c$", "d"], {"wer": -human, "m": 2 * human}, human, lower=["wer"])
    plots.human_plot(panels(table), "")
    wer, m = drawn.figure.axes
    assert wer.collections[0].get_offsets().tolist() == [[-1.5, 1.5], [-3, 3], [-4.5, 4.5]]
    assert sorted(text.get_text() for text in m.texts) == ["$c$", "a_b", "d"]
    assert (wer.get_xlabel(), wer.get_title()) == (
        "wer (lower is better)",
        "Pearson's r = 1.000, turned round",
    )
    assert (m.get_xlabel(), m.get_title(), m.get_ylabel()) == ("m", "Pearson's r = 1.000", "human score")
    plots.human_plot(panels(table, "segment"), "")
    assert len(drawn.figure.axes[0].collections[0].get_offsets()) == 5
    assert not drawn.figure.axes[0].texts


def test_r_is_not_said_to_be_turned_where_both_sides_are(drawn: Drawn) -> None:
    """With people's error rates, as HTER, the points rise and r is what it looks like."""
    human = np.array([[0.1], [0.2], [0.4]])
    plots.human_plot(
        panels(ScoreTable.of(list("abc"), {"wer": 2 * human}, human, lower=["wer", "human"])), ""
    )
    (ax,) = drawn.figure.axes
    assert ax.get_title() == "Pearson's r = 1.000"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("wer (lower is better)", "human score (lower is better)")


@pytest.mark.parametrize("seed", range(5))
def test_names_meet_neither_names_nor_points(drawn: Drawn, seed: int) -> None:
    """Four pairs of systems that lie nearly on one another, one of them in a corner, and some that do not."""
    rng = np.random.default_rng(seed)
    apart = np.array([[0, 0], [0.5, 0.4], [1, 1], [0.2, 0.9], [0.7, 0.1], [0.85, 0.55]])
    where = np.concatenate([apart, apart[:4] + rng.uniform(-0.02, 0.02, (4, 2))])
    table = ScoreTable.of([f"System-{i:05}" for i in range(10)], {"m": where[:, :1]}, where[:, 1:])
    plots.human_plot(panels(table), "")
    (ax,) = drawn.figure.axes
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert len(boxes) == 10
    frame, points = ax.get_window_extent(), ax.transData.transform(where)
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
        assert not any(box.contains(*point) for point in points)
        assert frame.x0 <= box.x0 <= box.x1 <= frame.x1
        assert frame.y0 <= box.y0 <= box.y1 <= frame.y1


def test_null_distributions(drawn: Drawn) -> None:
    """[G14 fig. 5]: the counts of a histogram are those of the resamples, the line is where it counts."""
    differences = np.linspace(-1, 1, 101)
    shown = [
        Distribution("paired-bootstrap", differences, 0.0, 50, False),
        Distribution("bootstrap", differences, 0.75, 26, True),
    ]
    plots.null_plot(shown, "")
    paired, shifted = drawn.figure.axes
    assert sum(bar.get_height() for bar in paired.patches) == 101
    assert [line.get_xdata()[0] for line in paired.lines] == [0]
    assert [line.get_xdata()[0] for line in shifted.lines] == [0.75, -0.75]
    assert "c = 26 of 101" in shifted.get_title()


def test_grids_show_who_beats_whom(drawn: Drawn) -> None:
    """[G14 figs. 7, 8]: the row is better than the column."""
    tests = {
        ("a", "b"): (-2.0, 0.001),
        ("a", "c"): (-3.0, 0.03),
        ("b", "c"): (0.5, 0.07),
        ("a", "d"): (1.0, 0.5),
    }
    plots.significance_grid(["a", "b", "c", "d"], {"bleu": tests, "wer": {}}, "")
    cells = drawn.figure.axes[0].images[0].get_array()
    expected = np.full((4, 4), 3)
    expected[0, 1], expected[0, 2], expected[2, 1] = 0, 1, 2
    assert cells.tolist() == expected.tolist()
    assert (drawn.figure.axes[1].images[0].get_array() == 3).all()


@pytest.mark.parametrize(("name", "magic"), [("x.png", PNG), ("x.pdf", PDF), ("x.svg", b"<?xml")])
def test_the_name_of_a_picture_decides_its_format(tmp_path: Path, name: str, magic: bytes) -> None:
    for number in (1, 2):
        plots.variants_plot([(5, 10), (6, 20)], str(tmp_path / f"{number}{name}"))
    one, other = ((tmp_path / f"{number}{name}").read_bytes() for number in (1, 2))
    assert one.startswith(magic)
    assert name == "x.svg" or one == other  # identifiers inside an svg are random


def test_people_and_machines_are_bars_of_their_distances(drawn: Drawn) -> None:
    """[H12 table 2], Arabic: BLEU with one reference, and HyTER of all networks."""
    plots.separation_plot(
        [Separation("bleu", 59.90, 69.14, 1.15), Separation("hyter", 18.42, 34.94, 1.90)], ""
    )
    heights = [[bar.get_height() for bar in ax.patches] for ax in drawn.figure.axes]
    assert heights == [[59.90, 69.14], [18.42, 34.94]]
    assert [ax.get_title() for ax in drawn.figure.axes] == ["bleu\nm/h 1.15", "hyter\nm/h 1.90"]
    with pytest.raises(fm.FstmetricsError, match="nothing to draw"):
        plots.separation_plot([], "")


def test_pictures_of_the_command_line(tmp_path: Path) -> None:
    plot, grid = tmp_path / "plot.png", tmp_path / "grid.pdf"
    quick = ("--samples", 20, "--test", "bootstrap")
    shown = fstmetrics("correlate", SCORES, *quick, "--plot", plot, "--plot-level", "segment", "--grid", grid)
    assert shown.status == 0, shown.err
    assert plot.read_bytes().startswith(PNG)
    assert grid.read_bytes().startswith(PDF)
    refused(fstmetrics("correlate", SCORES, "--plot", tmp_path / "plot.word"), "plot.word", ".png")
    refused(
        fstmetrics("correlate", SCORES, "--samples", 0, "--plot", tmp_path / "no" / "p.png"),
        "cannot be written",
    )
    bars = tmp_path / "bars.png"
    shown = fstmetrics("correlate", SCORES, "--samples", 0, "--people", "aspen,birch", "--bars", bars)
    assert shown.status == 0, shown.err
    assert bars.read_bytes().startswith(PNG)
    refused(fstmetrics("correlate", SCORES, "--bars", bars), "--people names them")
    files = texts(tmp_path)
    compare = ("compare", files["s"], files["t"], "--ref", files["ref"], "--metric", "wer", "--samples", 50)
    shown = fstmetrics(*compare, "--plot", tmp_path / "null.png")
    assert shown.status == 0, shown.err
    assert (tmp_path / "null.png").read_bytes().startswith(PNG)
    refused(fstmetrics(*compare[:2], *compare[3:], "--plot", tmp_path / "null.png"), "two systems")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not by a copy of sys.modules: what is imported meanwhile would be imported a second time by later tests.
    for name in ("matplotlib", "matplotlib.backend_bases"):
        monkeypatch.setitem(sys.modules, name, None)
    refused(fstmetrics("correlate", SCORES, "--plot", "x.png"), "pip install 'fstmetrics[plots]'")
    assert fstmetrics("correlate", SCORES, "--samples", 0).status == 0


def test_matplotlib_is_loaded_for_pictures_only() -> None:
    code = (
        "import sys; sys.argv = ['fstmetrics', 'correlate', sys.argv[1], '--samples', '2', '--json']\n"
        "from fstmetrics.cli import main\n"
        "import fstmetrics.reports.plots\n"
        "try: main()\n"
        "finally: print({name.split('.')[0] for name in sys.modules} & {'matplotlib', 'scipy', 'nltk'})"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, str(SCORES)], capture_output=True, text=True, check=True
    )
    assert shown.stdout.splitlines()[-1] == "set()"
