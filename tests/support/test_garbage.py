"""Objects made while Python's search for circles is off."""

from __future__ import annotations

import gc

from fstmetrics.support.garbage import uncollected


def test_it_is_on_again_behind() -> None:
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_off_stays_off() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
