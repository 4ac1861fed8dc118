"""Networks as things to work on: combine, look into, draw, convert, normalise.

Read `pool` first: cards on their way into a new network. Then `combine` (`union`, `spu`), `normal` (`normal_form`),
`paths` (`Paths`), `info` (`network_info`) and `taken` (`cards_taken`).
"""

from __future__ import annotations

from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.combine import spu, union
from fstmetrics.networks.info import NetworkInfo, network_info
from fstmetrics.networks.normal_forms import normal_form
from fstmetrics.networks.paths import Paths

__all__ = [
    "CardTaken",
    "NetworkInfo",
    "Paths",
    "cards_taken",
    "network_info",
    "normal_form",
    "spu",
    "union",
]
