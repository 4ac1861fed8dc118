"""A run whose engine has a wrong answer, as `--check openfst` sees it: `python wrong_check.py ARGUMENTS`.

Of hypotheses with the word `wrong` the engine is one edit off, here and in workers, which import this module.
"""

from __future__ import annotations

from typing import Any

import fstmetrics as fm
from fstmetrics.engine.results import Result
from fstmetrics.openfst.referee import Check


class WrongCheck(Check):
    """Sees results that are changed."""

    def results(self, results: Any, places: Any, ids: Any, sides: Any, *others: Any) -> None:
        """As of `Check`."""

        def seen(number: int, result: Result) -> Result:
            if "wrong" not in str(sides(number)[0]):
                return result
            totals = result.totals
            return fm.Result(
                result.metric, totals._replace(units=totals.units + 1, matches=totals.matches + 1)
            )

        changed = [seen(number, result) for number, result in enumerate(results)]
        super().results(changed, places, ids, sides, *others)


if __name__ == "__main__":
    import wrong_check  # the class by the name that workers know

    from fstmetrics.cli import main
    from fstmetrics.openfst import referee

    referee.Check = wrong_check.WrongCheck
    main()
