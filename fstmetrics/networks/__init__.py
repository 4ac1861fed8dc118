"""What works on networks of references: `union`, `spu`, `normal_form`, `info`, `Paths`, `cards_taken`, `draw`.

To read the code, begin with `pool`: cards on their way into a new network, and `normal_form`. Then `combine` (`union`,
`spu`), `paths`, `sizes` (`info`), `cards_used` (`cards_taken`), `differences` and `proposals` (`propose`, `accept`),
and `drawing`.

>>> from fstmetrics import Card, Network, networks
>>> one = Network([Card.from_phrases("S", ["a b", "c"])], "S")
>>> other = Network([Card.from_phrases("S", ["a b", "d"])], "S")
>>> networks.info(networks.union(one, other)).paths
3
"""

from __future__ import annotations

from fstmetrics.networks.acceptance import Judged, network_accepts
from fstmetrics.networks.acceptance import network_accepts as accepts
from fstmetrics.networks.building import from_references
from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.distances import held_back
from fstmetrics.networks.drawing import draw, render
from fstmetrics.networks.new_phrases import Phrase, accept, check
from fstmetrics.networks.paths import Paths
from fstmetrics.networks.pool import normal_form
from fstmetrics.networks.proposals import Proposal, propose
from fstmetrics.networks.sizes import NetworkInfo, network_info
from fstmetrics.networks.sizes import network_info as info
from fstmetrics.networks.svg import draw_svg
from fstmetrics.networks.unions import spu, union

__all__ = [
    "CardTaken",
    "Judged",
    "NetworkInfo",
    "Paths",
    "Phrase",
    "Proposal",
    "accept",
    "accepts",
    "cards_taken",
    "check",
    "draw",
    "draw_svg",
    "from_references",
    "held_back",
    "info",
    "network_accepts",
    "network_info",
    "normal_form",
    "propose",
    "render",
    "spu",
    "union",
]
