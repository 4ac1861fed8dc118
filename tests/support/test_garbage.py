"""Objects made while Python's search for circles is off."""

from __future__ import annotations

import gc

from fstmetrics.support.garbage import uncollected

OLDEST = 2


def is_oldest(made: object) -> bool:
    return any(made is other for other in gc.get_objects(generation=OLDEST))


def test_they_go_with_the_oldest() -> None:
    with uncollected():
        made: list[object] = [[]]
        assert not is_oldest(made)
    assert gc.isenabled()
    assert is_oldest(made)


def test_what_others_have_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        with uncollected():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_off_stays_off() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
