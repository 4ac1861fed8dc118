"""The paper's figures: `python docs/paper/figures.py` writes them beside itself. Needs matplotlib and Graphviz.

Times are those of the last table of bench/README.md; the drawing is that of docs/pictures/drawings.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt

import fstmetrics as fm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# Rows of the bench's table, by their work and peer, and how the figure names them.
ROWS = {
    ("HyTER combined, window 5", "OpenFst, A*, lengths + hypothesis"): "HyTER, window 5: OpenFst A*",
    (
        "oracle, 200 words, 10000 arcs",
        "OpenFst, A*, lengths + hypothesis",
    ): "oracle, 200 words, 10⁴ arcs: OpenFst A*",
    (
        "oracle, 25 words, 10000 arcs",
        "kaldifst, compose + shortest_path",
    ): "oracle, 25 words, 10⁴ arcs: kaldifst",
    (
        "4-GRR oracle, 25 words, 10000 arcs",
        "OpenFst, H ∘ T ∘ R, lazy",
    ): "4-GRR oracle, 25 words, 10⁴ arcs: OpenFst",
    ("corpus WER, 3000 pairs, counts", "jiwer"): "WER of 3,000 pairs: jiwer",
    (
        "sacrebleu-bootstrap, 10 systems, 4 metrics, 3000 items, 2000 samples",
        "sacrebleu",
    ): "bootstrap: sacreBLEU",
    ("chrF, 2445 segments", "sacrebleu"): "chrF: sacreBLEU",
    ("cpwer, 9000 words, 4 speakers", "MeetEval"): "cpWER: MeetEval",
}


def ratios() -> dict[str, float]:
    """Times faster, by the figure's names."""
    found = {}
    for line in (ROOT / "bench" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if len(cells) > 4 and (name := ROWS.get((cells[0].partition(" (2")[0], cells[1]))):
            found[name] = float(cells[4].replace(",", ""))
    missing = set(ROWS.values()) - set(found)
    if missing:
        raise SystemExit(f"bench/README.md has no row for {sorted(missing)}")
    return found


def main() -> None:
    """Write all."""
    found = dict(sorted(ratios().items(), key=lambda item: item[1]))
    figure, axes = plt.subplots(figsize=(8, 3))
    bars = axes.barh(list(found), list(found.values()), color="#4a7ab0")
    axes.bar_label(bars, [f"{value:,.0f}" for value in found.values()], padding=3)
    axes.set(xscale="log", xlabel="CPU time of the other program, fstmetrics = 1", xlim=(1, 10_000))
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(HERE / "speed.png", dpi=200)

    sys.path.insert(0, str(ROOT / "docs" / "pictures"))
    from drawings import composition_drawing

    drawing = composition_drawing().replace("{", "{ dpi=250;", 1)
    (HERE / "composition.png").write_bytes(fm.networks.render(drawing, "png"))


if __name__ == "__main__":
    main()
