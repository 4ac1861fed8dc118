"""A simulated annotator: proposals of the annotation tool in its order, and in random order (docs/annotation.md).

    python -m bench.annotation_study FOLDER SOURCE_REFERENCES KNOWN SYSTEMS HELD_BACK

FOLDER has plain or gzipped files, a sentence a line; the others are names of files, parted by commas. A sentence begins
as the merged network of the first references. The annotator knows other references: a proposal is accepted if it brings
one of these closer, and rejected otherwise. Proposals come from the systems; what is saved is measured on outputs
that are held back, and on the known references. Each decision, either way, counts as one.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from fstmetrics.data.network import Network
from fstmetrics.engine.search import search_items
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.networks.building import from_references
from fstmetrics.networks.distances import distance
from fstmetrics.networks.new_phrases import Phrase, accept
from fstmetrics.networks.proposals import propose
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN

Words = list[str]


def lines(path: Path) -> list[Words]:
    """The sentences of a file."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return [line.split() for line in text.splitlines()]


def distances(network: Network, texts: Sequence[Words]) -> list[float]:
    """Edits of texts to a network."""
    return [
        distance(result)
        for result in search_items([(None, text, network) for text in texts], HyTER(), 1, PLAIN)
    ]


def annotated(
    first: Sequence[Words], known: Sequence[Words], systems: Sequence[Words], held: Sequence[Words], decisions: int,
    chosen: random.Random | None,
) -> list[tuple[float, float, int]]:  # fmt: skip
    """After each decision: edits of held-back outputs, those of known references, and whether it was accepted.

    Args:
        first: references that the network begins with.
        known: those that the annotator knows.
        systems: outputs that suggest proposals.
        held: outputs that are only measured.
        decisions: how many.
        chosen: chooses the next proposal; None takes the tool's first.
    """
    network = from_references(first, merge=True).network
    outputs = {str(number): words for number, words in enumerate(systems)}
    rejected: set[Phrase] = set()
    found = [(sum(distances(network, held)), sum(distances(network, known)), 0)]
    open_ones = propose(network, outputs)
    for _ in range(decisions):
        open_ones = [one for one in open_ones if one.phrase not in rejected]
        if not open_ones:
            found.append((*found[-1][:2], 0))
            continue
        one = chosen.choice(open_ones) if chosen else open_ones[0]
        before = distances(network, known)
        wider = accept(network, [one.phrase])
        taken = any(new < old for new, old in zip(distances(wider, known), before, strict=True))
        if taken:
            network = wider
            open_ones = propose(network, outputs, rejected=rejected)
        else:
            rejected.add(one.phrase)
        found.append((sum(distances(network, held)), sum(distances(network, known)), int(taken)))
    return found


def main() -> None:
    """Run the study, and print edits saved per decision."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    for name in ("first", "known", "systems", "held"):
        parser.add_argument(name)
    parser.add_argument("--sentences", type=int, default=60)
    parser.add_argument("--decisions", type=int, default=8)
    asked = parser.parse_args()
    columns = {
        name: list(
            zip(*(lines(asked.folder / file) for file in getattr(asked, name).split(",")), strict=True)
        )
        for name in ("first", "known", "systems", "held")
    }
    count = len(columns["first"])
    step = max(count // asked.sentences, 1)
    sums: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    done = 0
    for i in range(0, count, step)[: asked.sentences]:
        row = [list(columns[name][i]) for name in ("first", "known", "systems", "held")]
        if not all(words for side in row for words in side) or max(len(w) for side in row for w in side) > 60:
            continue
        try:
            runs = {"the tool's": annotated(*row, asked.decisions, None)}
            runs["random"] = annotated(*row, asked.decisions, random.Random(i))
        except FstmetricsError as error:
            print(f"sentence {i}: {error}", file=sys.stderr)
            continue
        done += 1
        for order, states in runs.items():
            for number, (held, known, taken) in enumerate(states):
                for place, value in enumerate((held, known, taken)):
                    sums[order, number][place] += value
    print(f"{done} sentences; edits of held-back outputs and of known references, and accepted so far")
    for order in ("the tool's", "random"):
        accepted = 0.0
        begin = sums[order, 0]
        for number in range(asked.decisions + 1):
            held, known, taken = sums[order, number]
            accepted += taken
            each = number * done or 1
            print(
                f"{order:10} {number} decisions: held back {held:.0f}, {(begin[0] - held) / each:.3f} saved each; "
                f"known {known:.0f}, {(begin[1] - known) / each:.3f} saved each; accepted {accepted / each:.2f}"
            )


if __name__ == "__main__":
    main()
