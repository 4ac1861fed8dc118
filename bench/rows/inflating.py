"""gzip: packed bytes to their content, against the inflaters that packages offer."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from functools import partial

from bench import peers, probe
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line, cpu_ms, missing, ratio_line, wall_ms
from bench.rows.reading import WORDS
from fstmetrics.support.file_bytes import gunzipped

BLOCK = 65280  # bytes of content in a member that bgzip writes

Inflate = Callable[[bytes], bytes]


def inflating(inputs: Inputs) -> Iterator[Line]:
    """One member against each inflater, given the size where it asks for it; then the members that bgzip writes."""
    path = inputs.folder / "inflating.txt"
    probe.write_wide(path, 10_000 if inputs.tiny else 2_000_000, WORDS)
    content = path.read_bytes()
    packed = gzip.compress(content, 6)
    work = f"gunzip, {len(content) / 1e6:.0f} MB"
    ours = cpu_ms(partial(gunzipped, packed))
    best: float | None = None
    for name, make in PEERS.items():
        try:
            inflate = make(len(content))
        except peers.MissingError as hint:
            yield missing(work, name, str(hint))
            continue
        agree(work, len(gunzipped(packed)), len(inflate(packed)), name)
        theirs = cpu_ms(partial(inflate, packed))
        best = theirs if best is None else min(best, theirs)
        yield ratio_line(work, name, [ours], [theirs])
    if best is not None:
        yield cost_line(work, "the best of these (ratio: ours / theirs)", [ours], [best], 1.2)
    blocks = b"".join(gzip.compress(content[at : at + BLOCK], 6) for at in range(0, len(content), BLOCK))
    agree(work, len(content), len(gunzipped(blocks)), "in blocks")
    yield ratio_line(
        f"gunzip, {len(content) / 1e6:.0f} MB in blocks of bgzip, wall time", "zlib, one thread",
        [wall_ms(partial(gunzipped, blocks))], [wall_ms(partial(gzip.decompress, blocks))],
    )  # fmt: skip


def _zlib(size: int) -> Inflate:
    return lambda packed: zlib.decompress(packed, 31, size)


def _isal(size: int) -> Inflate:
    module = peers.package("isal.isal_zlib", "isal")
    return lambda packed: module.decompress(packed, 31, size)


def _zlib_ng(size: int) -> Inflate:
    module = peers.package("zlib_ng.zlib_ng", "zlib-ng")
    return lambda packed: module.decompress(packed, 31, size)


def _libdeflate(size: int) -> Inflate:
    module = peers.package("deflate")
    return lambda packed: module.gzip_decompress(packed)


PEERS: dict[str, Callable[[int], Inflate]] = {
    "zlib": _zlib, "isal": _isal, "zlib-ng": _zlib_ng, "libdeflate": _libdeflate,
}  # fmt: skip
